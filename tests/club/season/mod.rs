//! A season of a whole club by letters: 24 members play three rounds in more than four months, with
//! outages, kills, bounces, vacations and changes to winter time. A ledger that is computed from
//! the letters, without the program's clock code, audits every turn. A sample has 12 members and
//! two rounds.

#![allow(clippy::print_stdout, reason = "the season's figures are read by a person")]

mod calendar;
mod ledger;
mod robots;
mod season_run;
mod season_transport;

use ledger::TurnEnd;
use season_run::SeasonRun;
use std::collections::BTreeMap;
use std::time::Instant;

#[test]
fn season_ends_and_audit_finds_no_errors() {
    let began = Instant::now();
    let mut season = SeasonRun::new();
    while !season.is_over() {
        season.step();
    }
    println!("played after {:?}", began.elapsed());
    let requests = season.audit_all_turns();
    let mut closed = BTreeMap::new();
    for request in &requests {
        let how = match request.end_of_turn {
            Some((_, TurnEnd::Played)) => "played",
            Some((_, TurnEnd::Forfeited)) => "forfeited",
            Some((_, TurnEnd::TakenBack)) => "taken back",
            None => "open",
        };
        *closed.entry(how).or_insert(0) += 1;
    }
    season.assert_standings();
    season.assert_all_events_happened(&requests);
    println!("{}\nturns: {closed:?}\nwall time {:?}", season.figures, began.elapsed());
}
