//! Tests of clock changes from outside the game: outages, pauses, new rules, and unreachable
//! players.

use super::*;
use crate::club::Punctuality;

const ONE: Seat = Seat::new(1);
const TWO: Seat = Seat::new(2);

/// Returns the time this many hours after the seats were asked.
fn hours_after_start(hours: i64) -> DateTime<Utc> {
    parse_moment("2026-01-05T12:00:00Z") + TimeDelta::hours(hours)
}

/// Returns a clock with these rules that asked seat 1 at hour 0.
fn awaiting_seat_one(rules: ClockRules) -> GameClock {
    let mut clock = GameClock::new(rules);
    clock.set_awaited_seats(&[ONE], &[], false, hours_after_start(0), |_| None);
    clock
}

/// Returns a seat's deadline, in hours after it was asked.
fn deadline_hour(clock: &GameClock, seat: Seat) -> i64 {
    (clock.wait_of_seat(seat).unwrap().deadline - hours_after_start(0)).num_hours()
}

fn outage(from: i64, to: i64) -> Outage {
    Outage { since: hours_after_start(from), length: TimeDelta::hours(to - from) }
}

fn quiet_nights(deadline: &str) -> ClockRules {
    let quiet_hours = Some(QuietHours::parse("22:00-08:00").unwrap());
    ClockRules { quiet_hours, ..rules_with_deadline(deadline) }
}

#[test]
fn outage_extends_only_affected_seats() {
    let clock = || awaiting_seat_one(rules_with_deadline("3 days"));
    // Returns the deadline hour of seat 1 after the outage. `None` if the outage does not concern
    // the seat.
    let after = |mut clock: GameClock, from, to, until| {
        let any = clock.extend_deadlines_for_outage(outage(from, to), hours_after_start(until));
        any.then(|| deadline_hour(&clock, ONE))
    };
    assert_eq!(after(clock(), 71, 80, 104), Some(104), "it was over in the outage");
    assert_eq!(after(clock(), 40, 60, 72), Some(92), "it is over by the end of the respite");
    assert_eq!(after(clock(), 40, 60, 71), None, "there is time left after the respite");
    assert_eq!(after(clock(), 72, 80, 104), None, "it was over when the last pass ran");
    let mut missed = clock();
    missed.record_missed_deadline(ONE, hours_after_start(72));
    assert_eq!(after(missed, 71, 80, 104), None, "it was missed already");
    let mut lost = clock();
    lost.stop_or_restart_seat_clock(ONE, false, hours_after_start(6), &OwnTime::default());
    assert_eq!(after(lost, 71, 80, 104), None, "his time stands still in any case");
    let mut paused = clock();
    paused.pause(hours_after_start(6));
    assert_eq!(after(paused, 71, 80, 104), None, "everyone's time stands still");
}

#[test]
fn outage_gives_time_since_the_wait_began() {
    let mut clock = awaiting_seat_one(rules_with_deadline("8 hours"));
    assert!(clock.extend_deadlines_for_outage(outage(-10, 20), hours_after_start(20)));
    assert_eq!(deadline_hour(&clock, ONE), 8 + 20, "20 of the 30 hours");
    // One of the two seats was asked in the middle of the outage.
    let mut clock = awaiting_seat_one(rules_with_deadline("8 hours"));
    clock.set_awaited_seats(&[ONE, TWO], &[], false, hours_after_start(4), |_| None);
    assert!(clock.extend_deadlines_for_outage(outage(2, 20), hours_after_start(20)));
    assert_eq!([deadline_hour(&clock, ONE), deadline_hour(&clock, TWO)], [8 + 18, 12 + 16]);
}

#[test]
fn pause_gives_time_since_the_wait_began() {
    let mut clock = awaiting_seat_one(rules_with_deadline("1 day"));
    clock.pause(hours_after_start(6));
    clock.set_awaited_seats(&[ONE, TWO], &[], false, hours_after_start(10), |_| None);
    clock.resume(hours_after_start(30), |_| None);
    assert_eq!([deadline_hour(&clock, ONE), deadline_hour(&clock, TWO)], [24 + 24, 10 + 24 + 20]);
}

#[test]
fn unreachability_during_pause_counts_from_wait_start() {
    let mut clock = GameClock::new(rules_with_deadline("3 days"));
    clock.pause(hours_after_start(-6));
    clock.set_awaited_seats(&[ONE], &[], false, hours_after_start(0), |_| None);
    clock.stop_or_restart_seat_clock(ONE, false, hours_after_start(2), &OwnTime::default());
    clock.resume(hours_after_start(10), |_| None);
    clock.stop_or_restart_seat_clock(ONE, true, hours_after_start(20), &OwnTime::default());
    assert_eq!(deadline_hour(&clock, ONE), 72 + 20, "no hour of it was the seat's own");
}

#[test]
fn refunded_deadline_moves_out_of_quiet_hours() {
    let mut clock = awaiting_seat_one(quiet_nights("3 days"));
    // The outage lasts two days and ten hours, so the deadline moves from noon to ten in the
    // evening.
    assert!(clock.extend_deadlines_for_outage(outage(10, 68), hours_after_start(92)));
    assert_eq!(deadline_hour(&clock, ONE), 130);
    clock.move_extended_to_allowed_times(|_| None);
    assert_eq!(deadline_hour(&clock, ONE), 140, "eight in the morning");
    // A seat that no outage concerns keeps its announced deadline.
    let mut told = awaiting_seat_one(quiet_nights("1 day"));
    told.waits[0].deadline = hours_after_start(36);
    told.move_extended_to_allowed_times(|_| None);
    assert_eq!(deadline_hour(&told, ONE), 36);
}

#[test]
fn restored_weekly_deadline_stays_weekly() {
    // The seat is asked on a Monday at noon.
    let mut clock = awaiting_seat_one(rules_with_deadline("Mon,Thu 19:00 UTC"));
    assert_eq!(deadline_hour(&clock, ONE), 79);
    clock.ensure_time_left(TimeDelta::days(2), hours_after_start(60), |_| None);
    assert_eq!(deadline_hour(&clock, ONE), 7 * 24 + 7, "the next Monday");
    // A change of the player's own time leaves it there.
    clock.recompute_deadline(ONE, &own_time_in("Europe/Madrid"), hours_after_start(61));
    assert_eq!(deadline_hour(&clock, ONE), 7 * 24 + 7, "as announced");
}

#[test]
fn extension_of_weekly_deadline_survives_new_zone() {
    let mut clock = awaiting_seat_one(rules_with_deadline("Mon,Thu 19:00 UTC"));
    clock.extend_deadlines(TimeDelta::days(2), hours_after_start(0), |_| None);
    assert_eq!(deadline_hour(&clock, ONE), 79 + 48);
    clock.recompute_deadline(ONE, &own_time_in("Europe/Madrid"), hours_after_start(1));
    assert_eq!(deadline_hour(&clock, ONE), 79 + 48);
}

#[test]
fn minimum_time_is_granted_and_kept() {
    let mut clock = awaiting_seat_one(rules_with_deadline("3 days"));
    clock.ensure_time_left(TimeDelta::days(2), hours_after_start(10), |_| None);
    assert_eq!(deadline_hour(&clock, ONE), 72, "there is more");
    clock.ensure_time_left(TimeDelta::days(2), hours_after_start(60), |_| None);
    assert_eq!(deadline_hour(&clock, ONE), 108);
    clock.recompute_deadline(ONE, &OwnTime::default(), hours_after_start(60));
    assert_eq!(deadline_hour(&clock, ONE), 108, "it is his");
    clock.record_missed_deadline(ONE, hours_after_start(108));
    clock.ensure_time_left(TimeDelta::days(2), hours_after_start(109), |_| None);
    assert_eq!(deadline_hour(&clock, ONE), 108, "what was missed was missed");
}

#[test]
fn new_rules_keep_only_granted_extensions() {
    let shorter = |mut clock: GameClock| {
        clock.set_rules(rules_with_deadline("1 day"), hours_after_start(6), |_| None);
        deadline_hour(&clock, ONE)
    };
    assert_eq!(shorter(awaiting_seat_one(rules_with_deadline("4 days"))), 30);
    let mut given = awaiting_seat_one(rules_with_deadline("1 day"));
    given.extend_deadlines(TimeDelta::days(3), hours_after_start(0), |_| None);
    assert_eq!(shorter(given.clone()), 96);
    given.record_missed_deadline(ONE, hours_after_start(5));
    assert_eq!(shorter(given), 30, "who has missed his deadline begins again");
}

#[test]
fn unrelated_rule_change_leaves_deadline() {
    let mut clock = awaiting_seat_one(quiet_nights("1 day"));
    // The deadline that was announced is in the quiet hours.
    clock.waits[0].deadline = hours_after_start(34);
    let rules = ClockRules { reminders: Vec::new(), ..clock.rules.clone() };
    clock.set_rules(rules, hours_after_start(11), |_| None);
    assert_eq!(deadline_hour(&clock, ONE), 34);
}

#[test]
fn vacation_moves_only_own_unmissed_deadline() {
    let away = Vacation { from: parse_day("2026-01-06"), to: parse_day("2026-01-15") };
    let own = OwnTime { vacations: vec![away], ..OwnTime::default() };
    let mut clock = awaiting_seat_one(rules_with_deadline("3 days"));
    clock.set_awaited_seats(&[ONE, TWO], &[], false, hours_after_start(0), |_| None);
    clock.record_missed_deadline(TWO, hours_after_start(72));
    let mut other = clock.clone();
    clock.recompute_deadline(ONE, &own, hours_after_start(0));
    assert_eq!((deadline_hour(&clock, ONE), deadline_hour(&clock, TWO)), (72 + 240, 72));
    other.recompute_deadline(TWO, &own, hours_after_start(73));
    assert_eq!((deadline_hour(&other, ONE), deadline_hour(&other, TWO)), (72, 72));
}

#[test]
fn correction_undoes_only_changes_from_the_future() {
    let year = 24 * 365;
    // An outage that did not happen is undone, and at least a day is left.
    let mut clock = awaiting_seat_one(rules_with_deadline("3 days"));
    assert!(
        clock.extend_deadlines_for_outage(outage(60, 60 + year), hours_after_start(60 + year + 24))
    );
    assert!(clock.correct_times_set_ahead(hours_after_start(63), |_| None));
    assert_eq!(deadline_hour(&clock, ONE), 63 + 24);
    assert_eq!(
        clock.disclose_outage_extension(ONE),
        Some(TimeDelta::zero()),
        "and nothing is told of it"
    );
    // A real outage stays, and its time is the only one disclosed to the player.
    let mut both = awaiting_seat_one(rules_with_deadline("3 days"));
    assert!(both.extend_deadlines_for_outage(outage(2, 50), hours_after_start(74)));
    assert!(
        !both.clone().correct_times_set_ahead(hours_after_start(50), |_| None),
        "it was found this very moment"
    );
    assert!(
        both.extend_deadlines_for_outage(outage(60, 60 + year), hours_after_start(60 + year + 24))
    );
    assert!(both.correct_times_set_ahead(hours_after_start(63), |_| None));
    assert_eq!(both.disclose_outage_extension(ONE), Some(TimeDelta::hours(48)));
    // A pause with a future start begins now. One that began earlier goes on.
    let paused = |at, now| {
        let mut clock = awaiting_seat_one(rules_with_deadline("3 days"));
        clock.pause(hours_after_start(at));
        (clock.correct_times_set_ahead(hours_after_start(now), |_| None), clock.paused)
    };
    assert_eq!(paused(year, 7), (true, Some(hours_after_start(7))));
    assert_eq!(paused(6, 7), (false, Some(hours_after_start(6))));
}

#[test]
fn corrected_weekly_deadline_stays_weekly() {
    // 2026-01-05 is a Monday. The seat is asked while the clock is 3, 30 or 300 hours ahead.
    let thursday = (parse_moment("2026-01-08T20:00:00Z") - hours_after_start(0)).num_hours();
    for ahead in [3, 30, 300] {
        let mut clock = GameClock::new(rules_with_deadline("Mon,Thu 20:00 UTC"));
        clock.set_awaited_seats(&[ONE], &[], false, hours_after_start(ahead), |_| None);
        assert!(clock.correct_times_set_ahead(hours_after_start(0), |_| None), "{ahead}");
        assert_eq!(deadline_hour(&clock, ONE), thursday, "{ahead}");
    }
}

#[test]
fn saved_clock_before_orders_is_corrected_too() {
    let mut clock = awaiting_seat_one(rules_with_deadline("3 days"));
    let wrong = hours_after_start(24 * 365);
    let own = OwnTime::default();
    clock.set_awaited_seats(&[ONE], &[ONE], false, wrong, |_| None);
    let before = clock.clock_before_orders((1, ONE), Punctuality::default(), wrong, &own);
    clock.before_orders = Some(Box::new(before));
    clock.waits.clear();
    clock.correct_times_set_ahead(hours_after_start(7), |_| None);
    clock.restore_clock_before_orders(0);
    assert_eq!(deadline_hour(&clock, ONE), 7 + 72);
}

#[test]
fn orders_are_late_only_after_deadline_while_reachable() {
    let mut clock = awaiting_seat_one(rules_with_deadline("3 days"));
    let is_late = |clock: &GameClock, hours| {
        clock.wait_of_seat(ONE).unwrap().has_deadline_passed(hours_after_start(hours))
    };
    assert_eq!([72, 73].map(|hours| is_late(&clock, hours)), [false, true]);
    clock.stop_or_restart_seat_clock(ONE, false, hours_after_start(70), &OwnTime::default());
    assert!(!is_late(&clock, 99));
}

#[test]
fn open_seat_messages_differ_for_own_seat() {
    let mut clock = awaiting_seat_one(rules_with_deadline("3 days"));
    clock.open_to_substitute = vec![TWO, Seat::new(3)];
    let told = |seat| {
        let words = clock.clock_sentences_for(Seat::new(seat), &OwnTime::default());
        words.into_iter().map(|word| word.key).skip(1).collect::<Vec<_>>()
    };
    assert_eq!(told(1), ["clock-seat-open"]);
    assert_eq!(told(2), ["clock-seat-open-yours", "clock-seat-open"]);
    clock.open_to_substitute = vec![TWO];
    let own = clock.clock_sentences_for(TWO, &OwnTime::default());
    assert_eq!(own.last().map(|word| word.key), Some("clock-seat-open-yours"));
}

#[test]
fn quiet_hours_include_start_and_exclude_end() {
    let holds =
        |hours: &str, time: &str| QuietHours::parse(hours).unwrap().contains(time.parse().unwrap());
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
fn vacation_may_reach_two_years_ahead() {
    let (own, today) = (OwnTime::default(), parse_day("2026-03-01"));
    let trip = |from, to| Vacation { from: parse_day(from), to: parse_day(to) };
    let first = own.with_vacation(trip("2026-03-01", "2026-03-02"), today, 14).unwrap();
    let far = first.with_vacation(trip("2028-02-28", "2028-03-01"), today, 14).unwrap();
    let apart = [trip("2026-03-01", "2026-03-02"), trip("2028-02-28", "2028-03-01")];
    assert_eq!(far.vacations, apart);
    let further = own.with_vacation(trip("2028-02-28", "2028-03-02"), today, 14);
    assert_eq!(further, Err(VacationError::TooFarAhead));
}

#[test]
fn skipped_local_day_maps_to_next_midnight() {
    // Samoa moved across the date line: 29 December 2011 was followed by the 31st.
    let apia = parse_zone("Pacific/Apia").unwrap();
    for time in [0, 10] {
        let left_out = parse_day("2011-12-30").and_hms_opt(time, 0, 0).unwrap();
        assert_eq!(local_to_utc(apia, left_out), parse_moment("2011-12-31T00:00:00+14:00"));
    }
}

#[test]
fn nmr_parses_and_default_open_after_is_omitted() {
    for (word, nmr) in
        [("wait", NmrRule::Wait), ("Forfeit", NmrRule::Forfeit), ("standin", NmrRule::StandIn)]
    {
        assert_eq!(word.parse::<NmrRule>(), Ok(nmr));
        assert_eq!(nmr.to_string().parse::<NmrRule>(), Ok(nmr));
    }
    assert!("skip".parse::<NmrRule>().is_err());
    let written = |open_after| {
        serde_json::to_string(&ClockRules {
            open_after_misses: open_after,
            ..rules_with_deadline("1 day")
        })
        .unwrap()
    };
    assert!(!written(0).contains("open_after") && written(2).contains(r#""open_after":2"#));
}
