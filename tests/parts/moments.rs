//! Tests of exact deadlines, and of moves that are made for absent players.

use chrono::{DateTime, TimeDelta, Utc};
use postrider::club::clock::{
    ClockEvent, ClockRules, Deadline, GameClock, Length, Outage, ReminderTime,
};
use postrider::games::GAMES;
use postrider::rules::{Seat, Turn};
use postrider::table::{GameSetup, RehearsalMode, rehearse};
use std::collections::BTreeMap;

fn start_time() -> DateTime<Utc> {
    DateTime::from_timestamp(1_767_636_000, 0).unwrap()
}

fn hours_after_start(hours: i64) -> DateTime<Utc> {
    start_time() + TimeDelta::hours(hours)
}

/// Returns a clock with a deadline of two days, which has waited for seat 1 since the start.
fn clock_awaiting_seat_one() -> GameClock {
    let mut rules = ClockRules::with_deadline(Deadline::parse("2 days").unwrap());
    rules.reminders = vec![ReminderTime::Left(Length::parse("24 hours").unwrap())];
    let mut clock = GameClock::new(rules);
    clock.set_awaited_seats(&[Seat::new(1)], &[], false, start_time(), |_| None);
    clock
}

#[test]
fn deadline_reached_exactly_is_missed_not_reminded() {
    let clock = clock_awaiting_seat_one();
    assert_eq!(
        clock.due_events(hours_after_start(48), |_| None),
        [(Seat::new(1), ClockEvent::Nmr)]
    );
    assert_eq!(
        clock.due_events(hours_after_start(48) - TimeDelta::seconds(1), |_| None),
        [(Seat::new(1), ClockEvent::Reminder)]
    );
}

#[test]
fn extension_is_announced_before_turn_is_missed() {
    let mut clock = clock_awaiting_seat_one();
    let outage = Outage { since: hours_after_start(47), length: TimeDelta::hours(5) };
    assert!(clock.extend_deadlines_for_outage(outage, hours_after_start(52)));
    assert_eq!(
        clock.due_events(hours_after_start(60), |_| None),
        [(Seat::new(1), ClockEvent::Extended)]
    );
    assert_eq!(clock.disclose_outage_extension(Seat::new(1)), Some(TimeDelta::hours(5)));
    assert_eq!(
        clock.due_events(hours_after_start(60), |_| None),
        [(Seat::new(1), ClockEvent::Nmr)]
    );
}

#[test]
fn forfeit_moves_only_for_awaited_seats() {
    for kind in GAMES {
        let options = BTreeMap::new();
        let seats = *kind.allowed_seat_counts().end();
        let setup = GameSetup {
            kind: *kind,
            definition: kind.shipped_definition(),
            options: &options,
            seats,
        };
        let whole = rehearse(setup, 1, 3, 20_000, RehearsalMode::SingleOrders).unwrap().table;
        let (mut played, mut refused) = (0, 0);
        for seq in (1..=whole.last_record_number()).step_by(7).chain([whole.last_record_number()]) {
            let table = whole.at_record(seq).unwrap();
            for seat in Seat::all(seats) {
                match (table.play_turn_for_absent(seat, &[], start_time()), table.turn()) {
                    (Ok(after), turn) => {
                        assert!(turn.awaits(seat), "{} record {seq} seat {seat}", kind.id());
                        assert_eq!(
                            (after.last_record_number(), after.verify().findings),
                            (seq + 1, vec![])
                        );
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
