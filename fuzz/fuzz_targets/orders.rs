//! Any lines as orders in the first position of every game: they are judged without a panic, and
//! what is accepted folds again from its log.
#![no_main]

use chrono::{DateTime, Utc};
use libfuzzer_sys::fuzz_target;
use postrider::games::GAMES;
use postrider::rules::{Seat, Seed};
use postrider::table::{OrderLine, Openings, StandingOrders, Submission, Table, Verdict, Wish};
use std::collections::BTreeMap;
use std::sync::LazyLock;

static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| {
    let found = |kind: &'static dyn postrider::rules::Kind| {
        let options = BTreeMap::new();
        let seats = *kind.seats().start();
        let wish = Wish { kind, definition: kind.definition(), options: &options, seats };
        let now = DateTime::<Utc>::UNIX_EPOCH;
        Table::found(wish, 1, Seed::rehearsal(1), now).expect("every game can be founded")
    };
    GAMES.iter().map(|kind| found(*kind)).collect()
});

fuzz_target!(|text: &str| {
    let lines: Vec<OrderLine> = (1..)
        .zip(text.lines().take(20))
        .map(|(number, text)| OrderLine { number, text: text.chars().take(500).collect() })
        .collect();
    for table in &*TABLES {
        for seat in Seat::all(table.founding().seats) {
            let standing = StandingOrders::default();
            let seen = table.head();
            let submission =
                Submission { seat, lines: &lines, seen, letter: None, standing: &standing };
            let now = DateTime::<Utc>::UNIX_EPOCH;
            if let Verdict::Accepted { table, .. } = table.submit(&submission, now) {
                let mut log = vec![table.founding().line()];
                log.extend(table.records().iter().map(|record| record.line()));
                let mut openings = Openings::default();
                let again = Table::fold(&mut openings, log.iter().map(String::as_str));
                assert!(again.is_ok_and(|again| again.head() == table.head()));
            }
        }
    }
});
