//! A season of a whole club: 24 members and three rounds over more than four months, by letters
//! alone, with all that goes wrong in such a time; and books of it that trust no clock of ours. A
//! sample has 12 members and ends after the second round.

#![allow(clippy::print_stdout, reason = "the season's figures are read by a person")]

mod calendar;
mod ledger;
mod robots;
mod year;

use ledger::Closed;
use std::collections::BTreeMap;
use std::time::Instant;
use year::Year;

#[test]
fn a_season_is_played_to_its_end_and_nobody_is_wronged() {
    let began = Instant::now();
    let mut year = Year::begin();
    while !year.is_over() {
        year.step();
    }
    println!("played after {:?}", began.elapsed());
    let asks = year.audited();
    let mut closed = BTreeMap::new();
    for ask in &asks {
        let how = match ask.closed {
            Some((_, Closed::Played)) => "played",
            Some((_, Closed::Forfeited)) => "forfeited",
            Some((_, Closed::TakenBack)) => "taken back",
            None => "open",
        };
        *closed.entry(how).or_insert(0) += 1;
    }
    year.standings_are_right();
    year.everything_was_met(&asks);
    println!("{}\nturns: {closed:?}\nwall time {:?}", year.figures, began.elapsed());
}
