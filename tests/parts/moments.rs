//! Decisions at their very edge: what is due at the moment itself, and for whom nobody may play.

use chrono::{DateTime, TimeDelta, Utc};
use postrider::club::clock::{ClockRules, Deadline, Event, GameClock, Length, Outage, Remind};
use postrider::games::GAMES;
use postrider::rules::{Seat, Turn};
use postrider::table::{GameSetup, Manner, rehearse};
use std::collections::BTreeMap;

fn start() -> DateTime<Utc> {
    DateTime::from_timestamp(1_767_636_000, 0).unwrap()
}

fn hours(hours: i64) -> DateTime<Utc> {
    start() + TimeDelta::hours(hours)
}

/// A clock of two days on which seat 1 has been waited for from the start.
fn waiting() -> GameClock {
    let mut rules = ClockRules::of(Deadline::read("2 days").unwrap());
    rules.reminders = vec![Remind::Left(Length::read("24 hours").unwrap())];
    let mut clock = GameClock::new(rules);
    clock.turned(&[Seat::new(1)], &[], false, start(), |_| None);
    clock
}

#[test]
fn whose_time_is_over_at_this_moment_is_absent_and_not_reminded() {
    let clock = waiting();
    assert_eq!(clock.due(hours(48)), [(Seat::new(1), Event::Nmr)]);
    assert_eq!(clock.due(hours(48) - TimeDelta::seconds(1)), [(Seat::new(1), Event::Reminder)]);
}

#[test]
fn nobody_is_absent_before_he_is_told_of_the_time_that_he_was_given() {
    let mut clock = waiting();
    let outage = Outage { since: hours(47), length: TimeDelta::hours(5) };
    assert!(clock.stood_still(outage, hours(52)));
    assert_eq!(clock.due(hours(60)), [(Seat::new(1), Event::Extended)]);
    assert_eq!(clock.tell_extended(Seat::new(1)), Some(TimeDelta::hours(5)));
    assert_eq!(clock.due(hours(60)), [(Seat::new(1), Event::Nmr)]);
}

#[test]
fn a_table_plays_for_who_is_awaited_and_for_nobody_else() {
    for kind in GAMES {
        let options = BTreeMap::new();
        let seats = *kind.seats().end();
        let setup =
            GameSetup { kind: *kind, definition: kind.definition(), options: &options, seats };
        let whole = rehearse(setup, 1, 3, 20_000, Manner::OneByOne).unwrap().table;
        let (mut played, mut refused) = (0, 0);
        for seq in (1..=whole.head()).step_by(7).chain([whole.head()]) {
            let table = whole.at(seq).unwrap();
            for seat in Seat::all(seats) {
                match (table.forfeit(seat, &[], start()), table.turn()) {
                    (Ok(after), turn) => {
                        assert!(turn.awaits(seat), "{} record {seq} seat {seat}", kind.id());
                        assert_eq!((after.head(), after.verify().findings), (seq + 1, vec![]));
                        played += 1;
                    }
                    (Err(why), Turn::Over) => assert_eq!(why.reason.key, "game-over"),
                    (Err(why), turn) => {
                        assert!(!turn.awaits(seat), "{} record {seq} seat {seat}", kind.id());
                        assert_eq!(why.reason.key, "not-your-turn");
                        refused += 1;
                    }
                }
            }
        }
        assert!(played > 2 && refused > 2, "{}: {played} {refused}", kind.id());
    }
}
