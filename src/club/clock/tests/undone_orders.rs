//! Tests of how the clock stores and restores its state for undo.

use super::*;
use crate::club::Punctuality;

const TWO: Seat = Seat::new(2);

fn start() -> DateTime<Utc> {
    parse_moment("2026-01-05T12:00:00Z")
}

/// Returns a clock with a deadline of a day and a bank of ten hours, which awaits three seats.
fn awaiting_three_seats() -> GameClock {
    let bank = Some(Length::parse("10 hours").unwrap());
    let mut clock =
        GameClock::new(ClockRules { bank, open_after_misses: 2, ..rules_with_deadline("1 day") });
    let seats: Vec<Seat> = Seat::all(3).collect();
    clock.set_awaited_seats(&seats, &[], false, start(), |_| None);
    clock
}

/// Lets seat 2 send orders this many hours late. They become record 7.
fn order_late(clock: &mut GameClock, late: i64) {
    let now = start() + TimeDelta::hours(24 + late);
    let before =
        clock.clock_before_orders((7, TWO), Punctuality::default(), now, &OwnTime::default());
    clock.before_orders = Some(Box::new(before));
    clock.charge_time_bank(TWO, now);
    clock.record_turn_played_in_person(TWO);
    clock.set_awaited_seats(&Seat::all(3).collect::<Vec<_>>(), &[TWO], false, now, |_| None);
}

fn sorted_waits(clock: &GameClock) -> Vec<Wait> {
    let mut waits = clock.waits.clone();
    waits.sort_by_key(|wait| wait.seat);
    waits
}

#[test]
fn undo_restores_clock_before_orders() {
    let mut before = awaiting_three_seats();
    before.bank_seconds_used = vec![0, 3_600, 60];
    before.missed_turns_in_row = vec![0, 2, 1];
    before.open_to_substitute = vec![TWO, Seat::new(3)];
    let mut clock = before.clone();
    order_late(&mut clock, 2);
    assert_eq!((clock.bank_seconds_used[1], clock.missed_turns_in_row[1]), (3 * 3_600, 0));
    assert_eq!(clock.open_to_substitute, [Seat::new(3)]);
    let taken = clock.restore_clock_before_orders(6);
    assert_eq!(taken, Some((TWO, Punctuality::default())));
    assert_eq!(sorted_waits(&clock), sorted_waits(&before), "the others keep their time too");
    assert_eq!(clock.bank_seconds_used, before.bank_seconds_used);
    assert_eq!(
        (clock.missed_turns_in_row, clock.open_to_substitute),
        (before.missed_turns_in_row, before.open_to_substitute)
    );
}

#[test]
fn undo_leaves_untouched_seat_neither_open_nor_absent() {
    let mut clock = awaiting_three_seats();
    order_late(&mut clock, 0);
    assert!(clock.restore_clock_before_orders(6).is_some());
    assert!(clock.open_to_substitute.is_empty() && clock.missed_turns_in_row.is_empty());
}

#[test]
fn only_orders_after_given_record_are_undone() {
    let mut clock = awaiting_three_seats();
    order_late(&mut clock, 0);
    let later = start() + TimeDelta::days(9);
    assert!(clock.would_undo_miss_deadline(6, later) && !clock.would_undo_miss_deadline(7, later));
    assert_eq!(clock.clone().restore_clock_before_orders(7), None);
    assert!(clock.restore_clock_before_orders(6).is_some());
    assert_eq!(clock.restore_clock_before_orders(6), None, "once is enough");
}

#[test]
fn undone_orders_time_out_at_original_deadline() {
    // The bank holds ten hours. One is used before these orders, and two more by them.
    let mut clock = awaiting_three_seats();
    clock.bank_seconds_used = vec![0, 3_600, 0];
    order_late(&mut clock, 2);
    let end = start() + TimeDelta::hours(24 + 9);
    assert!(clock.would_undo_miss_deadline(6, end));
    assert!(!clock.would_undo_miss_deadline(6, end - TimeDelta::seconds(1)));
    // A stopped clock never runs out, and a deadline missed before the orders was not missed
    // because of undo.
    let changed = |change: &dyn Fn(&mut GameClock)| {
        let mut clock = awaiting_three_seats();
        change(&mut clock);
        order_late(&mut clock, 0);
        clock.would_undo_miss_deadline(6, start() + TimeDelta::days(9))
    };
    assert!(changed(&|_| ()));
    assert!(!changed(&|clock| clock.pause(start())));
    assert!(!changed(&|clock| clock.stop_or_restart_seat_clock(
        TWO,
        false,
        start(),
        &OwnTime::default()
    )));
    assert!(!changed(&|clock| assert!(
        !clock.record_missed_deadline(TWO, start() + TimeDelta::hours(24))
    )));
}
