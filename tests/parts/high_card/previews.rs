//! Previews of a game whose rules tell what they should not. Even then a preview rests on nothing
//! but what its asker knows.

use super::mistaken::Mistaken;
use super::mistakes::{Mistake, plant};
use postrider::rules::{Dice, Seat, Seed, Turn, Viewer, entry};
use postrider::table::{
    GameSetup, OrderLine, Preview, Refused, StandingOrders, Submission, Table, Verdict,
};
use std::collections::BTreeMap;

/// The number of tables that look the same to a player.
const TABLES: usize = 20;

fn founded(seed: u64) -> Table {
    let (kind, options) = (entry::<Mistaken>(), BTreeMap::new());
    let setup = GameSetup { kind, definition: kind.definition(), options: &options, seats: 3 };
    Table::found(setup, 1, Seed::rehearsal(seed), Default::default()).expect("a table")
}

/// What comes of a line of this seat, if it is only asked about and if it is sent.
fn asked_and_sent(table: &Table, seat: Seat, line: &str) -> (Preview, Result<Table, Refused>) {
    let lines = [OrderLine::new(1, line.to_owned())];
    let (seen, standing) = (table.head(), &StandingOrders::default());
    let submission = Submission { seat, lines: &lines, seen, letter: None, standing };
    let sent = match table.submit(&submission, Default::default()) {
        Verdict::Accepted { table, .. } => Ok(*table),
        Verdict::Refused(refused) => Err(refused),
    };
    (table.preview(&submission).expect("it can be told"), sent)
}

/// The seat that is awaited.
fn awaited(table: &Table) -> Option<Seat> {
    let Turn::Awaiting(seats) = table.turn() else { return None };
    seats.first().copied()
}

/// Previews of all cards are the same at all tables that look the same to the seat, although what
/// comes of the cards is not.
fn rests_on_what_is_known(table: &Table, seat: Seat, alike: impl Fn(&mut Dice) -> Table) {
    let mut dice = Dice::new(&Seed::rehearsal(3), 0);
    let mut differ = 0;
    for other in (0..TABLES).map(|_| alike(&mut dice)) {
        for card in 1..=12 {
            let line = format!("play {card}");
            let (asked, sent) = asked_and_sent(table, seat, &line);
            let (asked_there, sent_there) = asked_and_sent(&other, seat, &line);
            assert_eq!(asked, asked_there, "{line}");
            differ += usize::from(sent.err() != sent_there.err());
        }
    }
    assert!(differ > 0, "the rules tell nothing, and so nothing is tested");
}

#[test]
fn preview_is_independent_of_hidden_hands() {
    plant(Some(Mistake::RefusalTells));
    // Each holds one card, and then a refusal says who holds another one.
    let late = (1..).map(founded).find_map(|mut table| {
        for _ in 0..9 {
            let seat = awaited(&table)?;
            let line = table.game().legal(seat).remove(0);
            table = asked_and_sent(&table, seat, &line).1.ok()?;
        }
        Some((awaited(&table)?, table))
    });
    let (seat, table) = late.expect("a game that goes on");
    rests_on_what_is_known(&table, seat, |dice| {
        table.redeal(Viewer::Seat(seat), dice).expect("it folds").with_other_chance(dice)
    });
}

#[test]
fn preview_is_independent_of_the_games_dice() {
    plant(Some(Mistake::RefusedByChance));
    let table = founded(1);
    let seat = awaited(&table).expect("it begins");
    rests_on_what_is_known(&table, seat, |dice| table.with_other_chance(dice));
}
