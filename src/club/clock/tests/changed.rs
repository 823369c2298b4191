//! A clock that is changed from outside: whose time moves, by how much, and whose does not.

use super::*;

const ONE: Seat = Seat::new(1);
const TWO: Seat = Seat::new(2);

/// So many hours after the seats were asked.
fn hour(hours: i64) -> DateTime<Utc> {
    at("2026-01-05T12:00:00Z") + TimeDelta::hours(hours)
}

/// A clock by these rules that has asked seat 1 at hour 0.
fn asked(rules: ClockRules) -> GameClock {
    let mut clock = GameClock::new(rules);
    clock.turned(&[ONE], &[], false, hour(0), |_| None);
    clock
}

/// Until which hour a seat has time.
fn due(clock: &GameClock, seat: Seat) -> i64 {
    (clock.wait(seat).unwrap().deadline - hour(0)).num_hours()
}

fn outage(from: i64, to: i64) -> Outage {
    Outage { since: hour(from), length: TimeDelta::hours(to - from) }
}

fn quiet_nights(deadline: &str) -> ClockRules {
    let quiet_hours = Some(QuietHours::read("22:00-08:00").unwrap());
    ClockRules { quiet_hours, ..rules(deadline) }
}

#[test]
fn an_outage_gives_time_to_those_alone_whose_time_was_over_in_it() {
    let clock = || asked(rules("3 days"));
    // Until when seat 1 has time after it, if it concerns the seat.
    let after = |mut clock: GameClock, from, to, until| {
        let any = clock.stood_still(outage(from, to), hour(until));
        any.then(|| due(&clock, ONE))
    };
    assert_eq!(after(clock(), 71, 80, 104), Some(104), "it was over in the outage");
    assert_eq!(after(clock(), 40, 60, 72), Some(92), "it is over by the end of the respite");
    assert_eq!(after(clock(), 40, 60, 71), None, "there is time left after the respite");
    assert_eq!(after(clock(), 72, 80, 104), None, "it was over when the last pass ran");
    let mut missed = clock();
    missed.missed(ONE, hour(72));
    assert_eq!(after(missed, 71, 80, 104), None, "it was missed already");
    let mut lost = clock();
    lost.reaches(ONE, false, hour(6), &OwnTime::default());
    assert_eq!(after(lost, 71, 80, 104), None, "his time stands still in any case");
    let mut paused = clock();
    paused.pause(hour(6));
    assert_eq!(after(paused, 71, 80, 104), None, "everyone's time stands still");
}

#[test]
fn outage_gives_time_since_the_wait_began() {
    let mut clock = asked(rules("8 hours"));
    assert!(clock.stood_still(outage(-10, 20), hour(20)));
    assert_eq!(due(&clock, ONE), 8 + 20, "20 of the 30 hours");
    // Two seats of one game, of which one was asked in the middle of it.
    let mut clock = asked(rules("8 hours"));
    clock.turned(&[ONE, TWO], &[], false, hour(4), |_| None);
    assert!(clock.stood_still(outage(2, 20), hour(20)));
    assert_eq!([due(&clock, ONE), due(&clock, TWO)], [8 + 18, 12 + 16]);
}

#[test]
fn pause_gives_time_since_the_wait_began() {
    let mut clock = asked(rules("1 day"));
    clock.pause(hour(6));
    clock.turned(&[ONE, TWO], &[], false, hour(10), |_| None);
    clock.resume(hour(30), |_| None);
    assert_eq!([due(&clock, ONE), due(&clock, TWO)], [24 + 24, 10 + 24 + 20]);
}

#[test]
fn loss_during_a_pause_counts_from_the_wait() {
    let mut clock = GameClock::new(rules("3 days"));
    clock.pause(hour(-6));
    clock.turned(&[ONE], &[], false, hour(0), |_| None);
    clock.reaches(ONE, false, hour(2), &OwnTime::default());
    clock.resume(hour(10), |_| None);
    clock.reaches(ONE, true, hour(20), &OwnTime::default());
    assert_eq!(due(&clock, ONE), 72 + 20, "no hour of it was the seat's own");
}

#[test]
fn what_an_outage_has_put_off_falls_where_it_may_once_it_is_settled() {
    let mut clock = asked(quiet_nights("3 days"));
    // Two days, and ten hours: from noon to ten in the evening.
    assert!(clock.stood_still(outage(10, 68), hour(92)));
    assert_eq!(due(&clock, ONE), 130);
    clock.settle(|_| None);
    assert_eq!(due(&clock, ONE), 140, "eight in the morning");
    // Whom no outage concerns keeps what he was told.
    let mut told = asked(quiet_nights("1 day"));
    told.leave_at_least(TimeDelta::hours(36), hour(0));
    told.settle(|_| None);
    assert_eq!(due(&told, ONE), 36);
}

#[test]
fn at_least_so_much_time_is_left_and_stays_left() {
    let mut clock = asked(rules("3 days"));
    clock.leave_at_least(TimeDelta::days(2), hour(10));
    assert_eq!(due(&clock, ONE), 72, "there is more");
    clock.leave_at_least(TimeDelta::days(2), hour(60));
    assert_eq!(due(&clock, ONE), 108);
    clock.reckon_again(ONE, &OwnTime::default(), hour(60));
    assert_eq!(due(&clock, ONE), 108, "it is his");
    clock.missed(ONE, hour(108));
    clock.leave_at_least(TimeDelta::days(2), hour(109));
    assert_eq!(due(&clock, ONE), 108, "what was missed was missed");
}

#[test]
fn whoever_is_asked_anew_keeps_only_what_was_given_besides_the_rules() {
    let shorter = |mut clock: GameClock| {
        clock.play_by(rules("1 day"), hour(6), |_| None);
        due(&clock, ONE)
    };
    assert_eq!(shorter(asked(rules("4 days"))), 30);
    let mut given = asked(rules("1 day"));
    given.extend(TimeDelta::days(3), hour(0), |_| None);
    assert_eq!(shorter(given.clone()), 96);
    given.missed(ONE, hour(5));
    assert_eq!(shorter(given), 30, "who has missed his deadline begins again");
}

#[test]
fn other_rules_leave_a_deadline_where_it_was_told() {
    let mut clock = asked(quiet_nights("1 day"));
    clock.leave_at_least(TimeDelta::hours(24), hour(10));
    assert_eq!(due(&clock, ONE), 34, "in the quiet hours, as it was told");
    let rules = ClockRules { reminders: Vec::new(), ..clock.rules.clone() };
    clock.play_by(rules, hour(11), |_| None);
    assert_eq!(due(&clock, ONE), 34);
}

#[test]
fn a_vacation_moves_the_deadline_of_its_own_seat_and_none_that_was_missed() {
    let away = Vacation { from: day("2026-01-06"), to: day("2026-01-15") };
    let own = OwnTime { zone: None, vacations: vec![away] };
    let mut clock = asked(rules("3 days"));
    clock.turned(&[ONE, TWO], &[], false, hour(0), |_| None);
    clock.missed(TWO, hour(72));
    let mut other = clock.clone();
    clock.reckon_again(ONE, &own, hour(0));
    assert_eq!((due(&clock, ONE), due(&clock, TWO)), (72 + 240, 72));
    other.reckon_again(TWO, &own, hour(73));
    assert_eq!((due(&other, ONE), due(&other, TWO)), (72, 72));
}

#[test]
fn a_clock_that_was_ahead_is_set_right_for_those_whom_that_concerns() {
    let year = 24 * 365;
    // An outage that there was not, and a day at least is left after it is taken back.
    let mut clock = asked(rules("3 days"));
    assert!(clock.stood_still(outage(60, 60 + year), hour(60 + year + 24)));
    assert!(clock.set_right(hour(63), |_| None));
    assert_eq!(due(&clock, ONE), 63 + 24);
    assert_eq!(clock.tell_extended(ONE), Some(TimeDelta::zero()), "and nothing is told of it");
    // One that there was stays, and he will be told of it alone.
    let mut both = asked(rules("3 days"));
    assert!(both.stood_still(outage(2, 50), hour(74)));
    assert!(!both.clone().set_right(hour(50), |_| None), "it was found this very moment");
    assert!(both.stood_still(outage(60, 60 + year), hour(60 + year + 24)));
    assert!(both.set_right(hour(63), |_| None));
    assert_eq!(both.tell_extended(ONE), Some(TimeDelta::hours(48)));
    // A pause that began by the wrong clock begins now; one that began before goes on.
    let paused = |at, now| {
        let mut clock = asked(rules("3 days"));
        clock.pause(hour(at));
        (clock.set_right(hour(now), |_| None), clock.paused)
    };
    assert_eq!(paused(year, 7), (true, Some(hour(7))));
    assert_eq!(paused(6, 7), (false, Some(hour(6))));
}

#[test]
fn orders_are_late_only_after_the_deadline_and_never_while_time_stands_still() {
    let mut clock = asked(rules("3 days"));
    let is_late = |clock: &GameClock, hours| clock.wait(ONE).unwrap().is_late(hour(hours));
    assert_eq!([72, 73].map(|hours| is_late(&clock, hours)), [false, true]);
    clock.reaches(ONE, false, hour(70), &OwnTime::default());
    assert!(!is_late(&clock, 99));
}

#[test]
fn everyone_is_told_of_open_seats_and_its_player_of_his_own() {
    let mut clock = asked(rules("3 days"));
    clock.open = vec![TWO, Seat::new(3)];
    let told = |seat| {
        let words = clock.words(Seat::new(seat), &OwnTime::default());
        words.into_iter().map(|word| word.key).skip(1).collect::<Vec<_>>()
    };
    assert_eq!(told(1), ["clock-seat-open"]);
    assert_eq!(told(2), ["clock-seat-open-yours", "clock-seat-open"]);
    clock.open = vec![TWO];
    let own = clock.words(TWO, &OwnTime::default());
    assert_eq!(own.last().map(|word| word.key), Some("clock-seat-open-yours"));
}

#[test]
fn quiet_hours_hold_from_their_first_minute_to_before_their_last() {
    let holds =
        |hours: &str, time: &str| QuietHours::read(hours).unwrap().holds(time.parse().unwrap());
    for (hours, times, quiet) in [
        (
            "13:00-15:00",
            ["12:59:59", "13:00:00", "14:59:59", "15:00:00"],
            [false, true, true, false],
        ),
        (
            "22:00-08:00",
            ["21:59:59", "22:00:00", "07:59:59", "08:00:00"],
            [false, true, true, false],
        ),
    ] {
        assert_eq!(times.map(|time| holds(hours, time)), quiet, "{hours}");
    }
}

#[test]
fn vacations_may_begin_today_end_in_two_years_and_stay_apart() {
    let (own, today) = (OwnTime::default(), day("2026-03-01"));
    let trip = |from, to| Vacation { from: day(from), to: day(to) };
    let first = own.with_vacation(trip("2026-03-01", "2026-03-02"), today, 14).unwrap();
    let far = first.with_vacation(trip("2028-02-28", "2028-03-01"), today, 14).unwrap();
    let apart = [trip("2026-03-01", "2026-03-02"), trip("2028-02-28", "2028-03-01")];
    assert_eq!(far.vacations, apart);
    let further = own.with_vacation(trip("2028-02-28", "2028-03-02"), today, 14);
    assert_eq!(further, Err(NoVacation::Far));
}

#[test]
fn of_a_day_that_was_left_out_the_moment_is_the_first_of_the_next() {
    // Samoa went over the date line: after 29 December 2011 came the 31st.
    let apia = read_zone("Pacific/Apia").unwrap();
    for time in [0, 10] {
        let left_out = day("2011-12-30").and_hms_opt(time, 0, 0).unwrap();
        assert_eq!(moment(apia, left_out), at("2011-12-31T00:00:00+14:00"));
    }
}

#[test]
fn what_is_done_about_the_absent_is_a_word_and_a_seat_that_never_opens_needs_none() {
    for (word, nmr) in [("wait", Nmr::Wait), ("Forfeit", Nmr::Forfeit), ("standin", Nmr::StandIn)] {
        assert_eq!(word.parse::<Nmr>(), Ok(nmr));
        assert_eq!(nmr.to_string().parse::<Nmr>(), Ok(nmr));
    }
    assert!("skip".parse::<Nmr>().is_err());
    let written =
        |open_after| serde_json::to_string(&ClockRules { open_after, ..rules("1 day") }).unwrap();
    assert!(!written(0).contains("open_after") && written(2).contains(r#""open_after":2"#));
}
