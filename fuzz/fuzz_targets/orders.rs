//! Submits any lines as orders to each game. Judging must not panic, must keep the pieces complete,
//! and must leave the original table unchanged.
#![no_main]

use libfuzzer_sys::fuzz_target;
use postrider::games::GAMES;
use postrider::rules::{Seat, Seed, Turn};
use postrider::table::{GameSetup, OrderLine, QueuedOrders, Submission, Table, Verdict};
use std::cell::RefCell;
use std::collections::BTreeMap;

thread_local! {
    static TABLES: RefCell<Vec<Table>> = RefCell::new(found_tables());
}

fn found_tables() -> Vec<Table> {
    GAMES
        .iter()
        .map(|kind| {
            let options = BTreeMap::new();
            let seats = (*kind.allowed_seat_counts().start()).max(2);
            let setup = GameSetup {
                kind: *kind,
                definition: kind.shipped_definition(),
                options: &options,
                seats,
            };
            Table::found_game(setup, 1, Seed::from_number(1), chrono::DateTime::UNIX_EPOCH)
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
                .map(|(number, line)| OrderLine::new(number, postrider::mail::fold_line(line)))
                .collect();
            let queued = QueuedOrders::default();
            let submission = Submission {
                seat,
                lines: &lines,
                seen_record: table.last_record_number(),
                letter: None,
                queued: &queued,
            };
            let before = table.last_record_hash();
            if let Verdict::Accepted { table: after, queued, .. } =
                table.submit(&submission, chrono::DateTime::UNIX_EPOCH)
            {
                assert!(after.game().check_every_piece_placed().is_ok());
                let all = vec![queued; usize::from(table.founding().seats)];
                let carried = after.play_queued_orders(&all, &[], chrono::DateTime::UNIX_EPOCH);
                assert!(carried.table.game().check_every_piece_placed().is_ok());
            }
            assert_eq!(table.last_record_hash(), before);
        }
    });
});
