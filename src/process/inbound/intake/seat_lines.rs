//! The classification of English lines of a seat: an order, something like one, or prose.

use crate::club::press::LineClass;
use crate::club::{RANK_VALID, classify_line};
use crate::rules::{Dice, GameRegistry, RefusalKind, Seat, Seed, Turn};
use crate::table::{QueueCommand, SentenceReader, Table};

/// Ranks an English line of this seat: highest if it is an order as it stands, lower if an order
/// can be extracted from it, and 0 for prose. The translator chooses the reading of highest rank.
pub(super) fn rank_seat_line(games: GameRegistry, reader: &SentenceReader<'_>, line: &str) -> u8 {
    let SentenceReader { table, seat, words, .. } = *reader;
    match classify_seat_line(games, (table, seat), line) {
        LineClass::Order => RANK_VALID,
        other => {
            let worded = table.extract_order(words, seat, line).is_some()
                || reader.find_orders(line).is_some();
            if worded { RANK_VALID - 1 } else { u8::from(other == LineClass::LikeOrder) }
        }
    }
}

/// Classifies a line that is not press. A line that could be an order is never prose, because prose
/// may be passed on to other players.
pub(crate) fn classify_seat_line(
    games: GameRegistry,
    (table, seat): (&Table, Seat),
    line: &str,
) -> LineClass {
    let (house, game) = (classify_line(games, line), table.game());
    if house != LineClass::Prose {
        return house;
    }
    if QueueCommand::parse(line).is_some() {
        return LineClass::Order;
    }
    match game.parse_plan(seat, line) {
        Some(Ok(_)) => return LineClass::Order,
        Some(Err(_)) => return LineClass::LikeOrder,
        None => {}
    }
    match game.normalize_line(seat, line) {
        Err(refusal) if refusal.kind == RefusalKind::NotAnOrder => return LineClass::Prose,
        _ if table.turn() == Turn::Over => return LineClass::LikeOrder,
        _ => {}
    }
    let mut dice = Dice::new(&Seed::new([0; 32]), 0);
    match game.clone_box().judge_and_play_line(seat, line, &[], &mut dice) {
        Ok(_) => LineClass::Order,
        Err(refusal) if refusal.kind == RefusalKind::Illegal => LineClass::Order,
        Err(_) => LineClass::LikeOrder,
    }
}
