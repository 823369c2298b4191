//! What a clock knows of orders that are taken back.

use super::*;
use crate::club::Punctuality;

const TWO: Seat = Seat::new(2);

fn start() -> DateTime<Utc> {
    at("2026-01-05T12:00:00Z")
}

/// A clock of a day and a bank of ten hours that waits for three seats.
fn asked() -> GameClock {
    let bank = Some(Length::read("10 hours").unwrap());
    let mut clock = GameClock::new(ClockRules { bank, open_after: 2, ..rules("1 day") });
    let seats: Vec<Seat> = Seat::all(3).collect();
    clock.turned(&seats, &[], false, start(), |_| None);
    clock
}

/// Seat 2 orders, with record 7, so many hours late.
fn order(clock: &mut GameClock, late: i64) {
    let now = start() + TimeDelta::hours(24 + late);
    let before = clock.before_orders((7, TWO), Punctuality::default(), now, &OwnTime::default());
    clock.before = Some(Box::new(before));
    clock.charge(TWO, now);
    clock.played(TWO);
    clock.turned(&Seat::all(3).collect::<Vec<_>>(), &[TWO], false, now, |_| None);
}

/// The waits in the order of the seats.
fn waits(clock: &GameClock) -> Vec<Wait> {
    let mut waits = clock.waits.clone();
    waits.sort_by_key(|wait| wait.seat);
    waits
}

#[test]
fn what_is_taken_back_leaves_the_clock_as_it_stood() {
    let mut before = asked();
    before.bank_used = vec![0, 3_600, 60];
    before.missed_in_row = vec![0, 2, 1];
    before.open = vec![TWO, Seat::new(3)];
    let mut clock = before.clone();
    order(&mut clock, 2);
    assert_eq!((clock.bank_used[1], clock.missed_in_row[1]), (3 * 3_600, 0));
    assert_eq!(clock.open, [Seat::new(3)]);
    let taken = clock.take_back(6);
    assert_eq!(taken, Some((TWO, Punctuality::default())));
    assert_eq!(waits(&clock), waits(&before), "the others keep their time too");
    assert_eq!(clock.bank_used, before.bank_used);
    assert_eq!((clock.missed_in_row, clock.open), (before.missed_in_row, before.open));
}

#[test]
fn a_seat_that_was_neither_open_nor_absent_is_neither_when_its_orders_are_taken_back() {
    let mut clock = asked();
    order(&mut clock, 0);
    assert!(clock.take_back(6).is_some());
    assert!(clock.open.is_empty() && clock.missed_in_row.is_empty());
}

#[test]
fn only_orders_after_the_record_are_taken_back() {
    let mut clock = asked();
    order(&mut clock, 0);
    let later = start() + TimeDelta::days(9);
    assert!(clock.would_be_over(6, later) && !clock.would_be_over(7, later));
    assert_eq!(clock.clone().take_back(7), None);
    assert!(clock.take_back(6).is_some());
    assert_eq!(clock.take_back(6), None, "once is enough");
}

#[test]
fn time_is_over_without_the_orders_where_it_was_before_them() {
    // Of ten hours in the bank one is used before these orders, and two more by them.
    let mut clock = asked();
    clock.bank_used = vec![0, 3_600, 0];
    order(&mut clock, 2);
    let end = start() + TimeDelta::hours(24 + 9);
    assert!(clock.would_be_over(6, end));
    assert!(!clock.would_be_over(6, end - TimeDelta::seconds(1)));
    // Where time stands still it is over for nobody, and what was missed before is over already.
    let changed = |change: &dyn Fn(&mut GameClock)| {
        let mut clock = asked();
        change(&mut clock);
        order(&mut clock, 0);
        clock.would_be_over(6, start() + TimeDelta::days(9))
    };
    assert!(changed(&|_| ()));
    assert!(!changed(&|clock| clock.pause(start())));
    assert!(!changed(&|clock| clock.reaches(TWO, false, start(), &OwnTime::default())));
    assert!(!changed(&|clock| assert!(!clock.missed(TWO, start() + TimeDelta::hours(24)))));
}
