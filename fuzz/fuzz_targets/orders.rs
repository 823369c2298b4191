//! Any lines as orders of each game: judged without a panic, and all or nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use postrider::games::GAMES;
use postrider::rules::{Seat, Seed, Turn};
use postrider::table::{GameSetup, OrderLine, StandingOrders, Submission, Table, Verdict};
use std::cell::RefCell;
use std::collections::BTreeMap;

thread_local! {
    static TABLES: RefCell<Vec<Table>> = RefCell::new(tables());
}

fn tables() -> Vec<Table> {
    GAMES
        .iter()
        .map(|kind| {
            let options = BTreeMap::new();
            let seats = (*kind.seats().start()).max(2);
            let setup =
                GameSetup { kind: *kind, definition: kind.definition(), options: &options, seats };
            Table::found(setup, 1, Seed::rehearsal(1), chrono::DateTime::UNIX_EPOCH)
                .expect("founded")
        })
        .collect()
}

fuzz_target!(|text: &str| {
    TABLES.with_borrow_mut(|tables| {
        for table in tables {
            let Turn::Awaiting(seats) = table.turn() else { continue };
            let seat = seats.first().copied().unwrap_or(Seat::new(1));
            let lines: Vec<OrderLine> = (1..)
                .zip(text.lines().take(20))
                .map(|(number, line)| OrderLine::new(number, postrider::mail::fold(line)))
                .collect();
            let standing = StandingOrders::default();
            let submission = Submission {
                seat,
                lines: &lines,
                seen: table.head(),
                letter: None,
                standing: &standing,
            };
            let before = table.head_hash();
            if let Verdict::Accepted { table: after, standing, .. } =
                table.submit(&submission, chrono::DateTime::UNIX_EPOCH)
            {
                assert!(after.game().audit().is_ok());
                let all = vec![standing; usize::from(table.founding().seats)];
                let carried = after.carry_on(&all, &[], chrono::DateTime::UNIX_EPOCH);
                assert!(carried.table.game().audit().is_ok());
            }
            assert_eq!(table.head_hash(), before);
        }
    });
});
