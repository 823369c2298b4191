//! Previews of a game whose rules leak hidden information. Even then, a preview must depend only on
//! the asking player's knowledge.

use super::flawed_game::FlawedGame;
use super::planted_mistakes::{Mistake, plant_mistake};
use postrider::rules::{Dice, Seat, Seed, Turn, Viewer, game_kind};
use postrider::table::{
    GameSetup, LetterRefusal, OrderLine, Preview, QueuedOrders, Submission, Table, Verdict,
};
use std::collections::BTreeMap;

/// The number of tables that look the same to the player.
const TABLES: usize = 20;

fn found_table(seed: u64) -> Table {
    let (kind, options) = (game_kind::<FlawedGame>(), BTreeMap::new());
    let setup =
        GameSetup { kind, definition: kind.shipped_definition(), options: &options, seats: 3 };
    Table::found_game(setup, 1, Seed::from_number(seed), Default::default()).expect("a table")
}

/// Returns the preview of a line, and the result of sending it.
fn preview_and_submit(
    table: &Table,
    seat: Seat,
    line: &str,
) -> (Preview, Result<Table, LetterRefusal>) {
    let lines = [OrderLine::new(1, line.to_owned())];
    let (seen, standing) = (table.last_record_number(), &QueuedOrders::default());
    let submission =
        Submission { seat, lines: &lines, seen_record: seen, letter: None, queued: standing };
    let sent = match table.submit(&submission, Default::default()) {
        Verdict::Accepted { table, .. } => Ok(*table),
        Verdict::Refused(refused) => Err(refused),
    };
    (table.preview(&submission).expect("it can be told"), sent)
}

/// Returns the first awaited seat.
fn first_awaited(table: &Table) -> Option<Seat> {
    let Turn::Awaiting(seats) = table.turn() else { return None };
    seats.first().copied()
}

/// Asserts that the previews of all cards are equal at tables that look the same to the seat,
/// although sending the cards has different results.
fn assert_previews_equal(table: &Table, seat: Seat, alike: impl Fn(&mut Dice) -> Table) {
    let mut dice = Dice::new(&Seed::from_number(3), 0);
    let mut differ = 0;
    for other in (0..TABLES).map(|_| alike(&mut dice)) {
        for card in 1..=12 {
            let line = format!("play {card}");
            let (asked, sent) = preview_and_submit(table, seat, &line);
            let (asked_there, sent_there) = preview_and_submit(&other, seat, &line);
            assert_eq!(asked, asked_there, "{line}");
            differ += usize::from(sent.err() != sent_there.err());
        }
    }
    assert!(differ > 0, "the rules tell nothing, and so nothing is tested");
}

#[test]
fn preview_is_independent_of_hidden_hands() {
    plant_mistake(Some(Mistake::RefusalLeaks));
    // Each player holds one card, so a refusal in this game would name the holder of another card.
    let late = (1..).map(found_table).find_map(|mut table| {
        for _ in 0..9 {
            let seat = first_awaited(&table)?;
            let line = table.game().legal_lines(seat).remove(0);
            table = preview_and_submit(&table, seat, &line).1.ok()?;
        }
        Some((first_awaited(&table)?, table))
    });
    let (seat, table) = late.expect("a game that goes on");
    assert_previews_equal(&table, seat, |dice| {
        table.redeal(Viewer::Seat(seat), dice).expect("it folds").with_different_dice(dice)
    });
}

#[test]
fn preview_is_independent_of_the_games_dice() {
    plant_mistake(Some(Mistake::RefusedByChance));
    let table = found_table(1);
    let seat = first_awaited(&table).expect("it begins");
    assert_previews_equal(&table, seat, |dice| table.with_different_dice(dice));
}
