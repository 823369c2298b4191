//! Tests of deadlines, reminders, banks, vacations and rule changes of a game's clock.

mod allowed_deadlines;
mod clock_changes;
mod undone_orders;

#[cfg(test)]
use super::*;
use crate::rules::Seat;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};

fn parse_moment(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn parse_day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn rules_with_deadline(deadline: &str) -> ClockRules {
    ClockRules::with_deadline(Deadline::parse(deadline).unwrap())
}

fn own_time_in(zone: &str) -> OwnTime {
    OwnTime { zone: Some(parse_zone(zone).unwrap()), ..OwnTime::default() }
}

/// Returns the local deadline of a player in this zone.
fn local_deadline(rules: &ClockRules, zone: &str, asked: &str) -> String {
    let by = rules.compute_deadline(parse_moment(asked), &own_time_in(zone));
    by.with_timezone(&parse_zone(zone).unwrap()).format("%a %F %H:%M %Z").to_string()
}

#[test]
fn deadlines_parse_and_display() {
    for (text, again) in [
        ("3 days", "3 days"),
        ("72h", "72 hours"),
        ("1 week", "7 days"),
        ("90 minutes", "90 minutes"),
        ("Thu, Mon 20:00 europe/madrid", "Mon,Thu 20:00 Europe/Madrid"),
        ("sunday 9:30", "Sun 09:30 UTC"),
    ] {
        assert_eq!(Deadline::parse(text).unwrap().to_string(), again);
    }
    for text in ["", "0 days", "3", "3 moons", "4000000000 weeks", "Mon", "Mon 25:00", "20:00"] {
        assert!(Deadline::parse(text).is_err(), "{text}");
    }
    let wrong = Deadline::parse("Mon 20:00 Europe/Nowhere").unwrap_err().to_string();
    assert!(wrong.contains("Europe/Nowhere"), "{wrong}");
}

#[test]
fn days_keep_local_time_across_dst_changes() {
    let (days, hours) = (rules_with_deadline("3 days"), rules_with_deadline("72 hours"));
    let madrid = "Europe/Madrid";
    // In Madrid, the clocks go forward in the night to 29 March 2026, and back in the night to 25
    // October.
    assert_eq!(local_deadline(&days, madrid, "2026-03-27T19:00:00Z"), "Mon 2026-03-30 20:00 CEST");
    assert_eq!(local_deadline(&hours, madrid, "2026-03-27T19:00:00Z"), "Mon 2026-03-30 21:00 CEST");
    assert_eq!(local_deadline(&days, madrid, "2026-10-23T18:00:00Z"), "Mon 2026-10-26 20:00 CET");
    assert_eq!(local_deadline(&hours, madrid, "2026-10-23T18:00:00Z"), "Mon 2026-10-26 19:00 CET");
    // One local time is skipped, and one comes twice. Both are resolved in the player's favour.
    assert_eq!(
        local_deadline(&rules_with_deadline("1 day"), madrid, "2026-03-28T01:30:00Z"),
        "Sun 2026-03-29 03:00 CEST"
    );
    assert_eq!(
        local_deadline(&rules_with_deadline("1 day"), madrid, "2026-10-24T00:30:00Z"),
        "Sun 2026-10-25 02:30 CET"
    );
    let weekly = rules_with_deadline("Sun 02:30 Europe/Madrid");
    assert_eq!(
        local_deadline(&weekly, madrid, "2026-03-24T00:00:00Z"),
        "Sun 2026-03-29 03:00 CEST"
    );
    // South of the equator, summer time begins in October.
    assert_eq!(
        local_deadline(&days, "Australia/Sydney", "2026-10-02T10:00:00Z"),
        "Mon 2026-10-05 20:00 AEDT"
    );
}

#[test]
fn weekly_deadline_leaves_a_days_notice() {
    let weekly = rules_with_deadline("Mon,Thu 20:00 Europe/Madrid");
    assert_eq!(local_deadline(&weekly, "UTC", "2026-01-06T12:00:00Z"), "Thu 2026-01-08 19:00 UTC");
    assert_eq!(local_deadline(&weekly, "UTC", "2026-01-07T19:00:00Z"), "Thu 2026-01-08 19:00 UTC");
    assert_eq!(local_deadline(&weekly, "UTC", "2026-01-07T19:00:01Z"), "Mon 2026-01-12 19:00 UTC");
}

#[test]
fn no_time_runs_on_no_play_days() {
    let mut rules = rules_with_deadline("2 days");
    rules.no_play_days =
        ["Sat", "Sun", "2026-01-06"].map(|d| NoPlayDay::parse(d).unwrap()).to_vec();
    assert_eq!(local_deadline(&rules, "UTC", "2026-01-02T15:00:00Z"), "Wed 2026-01-07 15:00 UTC");
    assert_eq!(local_deadline(&rules, "UTC", "2026-01-03T15:00:00Z"), "Thu 2026-01-08 00:00 UTC");
    rules.deadline = Deadline::parse("48 hours").unwrap();
    assert_eq!(local_deadline(&rules, "UTC", "2026-01-02T15:00:00Z"), "Wed 2026-01-07 15:00 UTC");
    let away = Vacation { from: parse_day("2026-01-08"), to: parse_day("2026-01-20") };
    let own = OwnTime { vacations: vec![away], ..OwnTime::default() };
    let asked = parse_moment("2026-01-07T12:00:00Z");
    assert_eq!(rules.compute_deadline(asked, &own), parse_moment("2026-01-22T12:00:00Z"));
    rules.vacation = VacationRule::PlayOn;
    assert_eq!(rules.compute_deadline(asked, &own), parse_moment("2026-01-09T12:00:00Z"));
    rules.no_play_days =
        "Mon Tue Wed Thu Fri Sat Sun".split(' ').map(|d| NoPlayDay::parse(d).unwrap()).collect();
    assert_eq!(rules.check_any_day_allows_deadline(), Err(ClockError::NoPlayDayLeft));
}

#[test]
fn quiet_hours_postpone_deadlines_to_their_end() {
    let mut rules = rules_with_deadline("24 hours");
    rules.quiet_hours = Some(QuietHours::parse("22:00-08:00").unwrap());
    for (asked, due) in [
        ("2026-01-05T21:59:00Z", "Tue 2026-01-06 21:59 UTC"),
        ("2026-01-05T22:00:00Z", "Wed 2026-01-07 08:00 UTC"),
        ("2026-01-05T03:00:00Z", "Tue 2026-01-06 08:00 UTC"),
    ] {
        assert_eq!(local_deadline(&rules, "UTC", asked), due);
    }
}

#[test]
fn default_reminders_come_at_half_and_last_day() {
    let mut clock = GameClock::new(rules_with_deadline("4 days"));
    let (one, start) = (Seat::new(1), parse_moment("2026-01-05T12:00:00Z"));
    clock.set_awaited_seats(&[one], &[], false, start, |_| None);
    let mut seen = Vec::new();
    while let Some((when, _, event)) = clock.next_event(|_| None) {
        seen.push(((when - start).num_hours(), event));
        assert!(clock.due_events(when - TimeDelta::seconds(1), |_| None).is_empty());
        assert_eq!(clock.due_events(when, |_| None), [(one, event)]);
        if event == ClockEvent::Nmr {
            break;
        }
        clock.record_reminder(one, when);
    }
    assert_eq!(
        seen,
        [(48, ClockEvent::Reminder), (72, ClockEvent::Reminder), (96, ClockEvent::Nmr)]
    );
    // A pass that comes late reminds once, even if it missed several reminders.
    let mut late = GameClock::new(rules_with_deadline("4 days"));
    late.set_awaited_seats(&[one], &[], false, start, |_| None);
    late.record_reminder(one, start + TimeDelta::hours(80));
    assert_eq!(late.next_event(|_| None).unwrap().2, ClockEvent::Nmr);
}

#[test]
fn bank_pays_for_lateness_beyond_grace() {
    let mut rules = rules_with_deadline("1 day");
    rules.bank = Some(Length::parse("10 hours").unwrap());
    rules.grace = Some(Length::parse("2 hours").unwrap());
    let mut clock = GameClock::new(rules);
    let (one, start) = (Seat::new(1), parse_moment("2026-01-05T12:00:00Z"));
    clock.set_awaited_seats(&[one], &[], false, start, |_| None);
    let end = clock.deadline_with_grace_and_bank(clock.wait_of_seat(one).unwrap());
    assert_eq!(end - start, TimeDelta::hours(36));
    clock.charge_time_bank(one, start + TimeDelta::hours(29));
    clock.set_awaited_seats(&[one], &[one], false, start + TimeDelta::hours(29), |_| None);
    assert_eq!(clock.remaining_time_bank(one), TimeDelta::hours(7));
    let again = start + TimeDelta::hours(29);
    assert_eq!(clock.wait_of_seat(one).unwrap().since, again);
    clock.charge_time_bank(one, again + TimeDelta::hours(25));
    clock.set_awaited_seats(&[one], &[one], false, again + TimeDelta::hours(25), |_| None);
    assert_eq!(clock.remaining_time_bank(one), TimeDelta::hours(7));
}

#[test]
fn increment_lets_bank_grow_beyond_its_start() {
    let mut rules = rules_with_deadline("1 day");
    rules.increment = Some(Length::parse("6 hours").unwrap());
    let mut clock = GameClock::new(rules);
    let (one, start) = (Seat::new(1), parse_moment("2026-01-05T12:00:00Z"));
    (0..2).for_each(|_| clock.credit_increment(one));
    assert_eq!(clock.remaining_time_bank(one), TimeDelta::hours(12));
    clock.set_awaited_seats(&[one], &[], false, start, |_| None);
    clock.charge_time_bank(one, start + TimeDelta::hours(34));
    assert_eq!(clock.remaining_time_bank(one), TimeDelta::hours(2));
    clock.charge_time_bank(one, start + TimeDelta::hours(40));
    assert_eq!(clock.remaining_time_bank(one), TimeDelta::zero(), "it is never negative");
}

#[test]
fn missed_turns_open_seat_until_player_returns() {
    let mut rules = rules_with_deadline("1 day");
    rules.nmr = NmrRule::Forfeit;
    rules.open_after_misses = 2;
    let mut clock = GameClock::new(rules);
    let (one, day) = (Seat::new(1), TimeDelta::days(1));
    let mut now = parse_moment("2026-01-05T12:00:00Z");
    clock.set_awaited_seats(&[one], &[], false, now, |_| None);
    let mut turn = |clock: &mut GameClock, plays: bool| {
        now += day;
        let told = clock.opens_after_next_miss(one);
        if plays {
            clock.record_turn_played_in_person(one);
        } else {
            assert_eq!(clock.record_missed_deadline(one, now), told, "it is told beforehand");
        }
        clock.set_awaited_seats(&[one], &[one], false, now, |_| None);
        clock.seats_open_to_substitute().to_vec()
    };
    let all: Vec<usize> = [false, true, false, false, false, true, false]
        .map(|plays| turn(&mut clock, plays).len())
        .to_vec();
    assert_eq!(all, [0, 0, 0, 1, 1, 0, 0]);
    assert_eq!(turn(&mut clock, false), [one]);
    clock.restart_clock_for_successor(
        one,
        &own_time_in("Europe/Madrid"),
        parse_moment("2026-03-28T01:30:00Z"),
    );
    assert!(clock.seats_open_to_substitute().is_empty() && !clock.opens_after_next_miss(one));
    assert_eq!(clock.wait_of_seat(one).unwrap().deadline, parse_moment("2026-03-29T01:00:00Z"));
}

#[test]
fn pause_preserves_remaining_time() {
    let mut clock = GameClock::new(rules_with_deadline("1 day"));
    let (one, start) = (Seat::new(1), parse_moment("2026-01-05T12:00:00Z"));
    clock.set_awaited_seats(&[one], &[], false, start, |_| None);
    clock.pause(start + TimeDelta::hours(6));
    assert_eq!(
        (clock.next_event(|_| None), clock.due_events(start + TimeDelta::days(9), |_| None)),
        (None, Vec::new())
    );
    clock.resume(start + TimeDelta::hours(30), |_| None);
    assert_eq!(clock.wait_of_seat(one).unwrap().deadline, start + TimeDelta::hours(48));
}

#[test]
fn clock_stops_for_unreachable_player() {
    let (one, two, start) = (Seat::new(1), Seat::new(2), parse_moment("2026-01-05T12:00:00Z"));
    let hour = |hour| start + TimeDelta::hours(hour);
    let clock = || {
        let mut clock = GameClock::new(rules_with_deadline("3 days"));
        clock.set_awaited_seats(&[one, two], &[], false, start, |_| None);
        clock
    };
    let deadline = |clock: &GameClock, seat| clock.wait_of_seat(seat).unwrap().deadline;

    let mut lost = clock();
    lost.stop_or_restart_seat_clock(one, false, hour(6), &OwnTime::default());
    lost.stop_or_restart_seat_clock(one, false, hour(9), &OwnTime::default());
    assert_eq!(lost.due_events(hour(999), |_| None), [(two, ClockEvent::Nmr)]);
    assert_eq!(lost.next_event(|_| None).map(|(_, seat, _)| seat), Some(two));
    lost.stop_or_restart_seat_clock(one, true, hour(106), &OwnTime::default());
    assert_eq!((deadline(&lost, one), deadline(&lost, two)), (hour(172), hour(72)));
    lost.stop_or_restart_seat_clock(one, true, hour(107), &OwnTime::default());
    assert_eq!(deadline(&lost, one), hour(172), "what was given back is given once");

    // A player who is reachable again an hour before the deadline still gets a day.
    let mut late = clock();
    late.stop_or_restart_seat_clock(one, false, hour(71), &OwnTime::default());
    late.stop_or_restart_seat_clock(one, true, hour(72), &OwnTime::default());
    assert_eq!(deadline(&late, one), hour(96));

    // A pause in that time does not give it back a second time.
    for (lost, found) in [(10, 40), (10, 20), (25, 40), (25, 28)] {
        let mut both = clock();
        let mut steps = [(lost, 0), (found, 1), (20, 2), (30, 3)];
        steps.sort_unstable();
        for (when, what) in steps {
            match what {
                0 => both.stop_or_restart_seat_clock(one, false, hour(when), &OwnTime::default()),
                1 => both.stop_or_restart_seat_clock(one, true, hour(when), &OwnTime::default()),
                2 => both.pause(hour(when)),
                _ => both.resume(hour(when), |_| None),
            }
        }
        let stood = i64::max(found, 30) - i64::min(lost, 20);
        assert_eq!(deadline(&both, one), hour(72 + stood), "lost {lost} to {found}");
        assert_eq!(deadline(&both, two), hour(82));
    }
}

#[test]
fn vacation_days_are_limited_and_can_be_cancelled() {
    let own = OwnTime::default();
    let today = parse_day("2026-11-01");
    let trip = |from, to| Vacation { from: parse_day(from), to: parse_day(to) };
    let winter = trip("2026-12-20", "2027-01-03");
    let taken = own.with_vacation(winter, today, 14).unwrap();
    assert!(
        taken.is_on_vacation(parse_day("2027-01-03"))
            && !taken.is_on_vacation(parse_day("2027-01-04"))
    );
    // Twelve vacation days of 2026 are taken. Days that overlap count once.
    let more = trip("2026-12-18", "2026-12-21");
    let more = taken.with_vacation(more, today, 14).unwrap();
    assert_eq!(more.vacations, [trip("2026-12-18", "2027-01-03")]);
    let spent = more.with_vacation(trip("2026-12-01", "2026-12-01"), today, 14);
    assert_eq!(spent, Err(VacationError::TooFewDaysLeft { year: 2026, left: 0 }));
    let wrong = |from, to| own.with_vacation(trip(from, to), today, 14);
    assert_eq!(wrong("2026-10-31", "2026-11-02"), Err(VacationError::StartsInPast));
    assert_eq!(wrong("2026-11-05", "2026-11-02"), Err(VacationError::EndsBeforeStart));
    assert_eq!(wrong("2026-11-05", "9999-11-02"), Err(VacationError::TooFarAhead));
    let back = more.without_future_vacation(parse_day("2026-12-25"));
    assert_eq!(back.vacations, [trip("2026-12-18", "2026-12-24")]);
}

#[test]
fn cancelled_vacation_leaves_at_least_one_day() {
    let mut clock = GameClock::new(rules_with_deadline("1 day"));
    let (one, start) = (Seat::new(1), parse_moment("2026-01-05T12:00:00Z"));
    clock.set_awaited_seats(&[one], &[], false, start, |_| None);
    let away = Vacation { from: parse_day("2026-01-06"), to: parse_day("2026-01-15") };
    let own = OwnTime { vacations: vec![away], ..OwnTime::default() };
    clock.recompute_deadline(one, &own, start);
    assert_eq!(clock.wait_of_seat(one).unwrap().deadline, parse_moment("2026-01-16T12:00:00Z"));
    let now = parse_moment("2026-01-10T12:00:00Z");
    clock.recompute_deadline(one, &OwnTime::default(), now);
    assert_eq!(clock.wait_of_seat(one).unwrap().deadline, now + TimeDelta::days(1));
}

#[test]
fn game_clock_survives_json_round_trip() {
    let text = "deadline: Mon,Thu 20:00 Europe/Madrid\ngrace: 6 hours\nbank: 2 days\n\
                no_play_days: [Sun, 2026-12-25]\nquiet_hours: 22:00-08:00\n\
                reminders: [half, 12 hours]\nnmr: forfeit\nvacation: playon\n";
    let rules: ClockRules = crate::rules::yaml::parse(text).unwrap();
    let clock = GameClock::new(rules);
    let json = serde_json::to_string(&clock).unwrap();
    assert_eq!(serde_json::from_str::<GameClock>(&json).unwrap(), clock);
}

#[test]
fn new_rules_keep_extensions_and_a_days_notice() {
    let (one, two, start) = (Seat::new(1), Seat::new(2), parse_moment("2026-01-05T12:00:00Z"));
    let hour = |hours| start + TimeDelta::hours(hours);
    let clock = || {
        let mut clock = GameClock::new(rules_with_deadline("1 day"));
        clock.set_awaited_seats(&[one], &[], false, start, |_| None);
        clock.extend_deadlines(TimeDelta::days(2), start, |_| None);
        clock.set_awaited_seats(&[one, two], &[], false, start, |_| None);
        clock
    };
    let set = |mut clock: GameClock, change: &dyn Fn(&mut ClockRules), hours| {
        let mut rules = clock.rules.clone();
        change(&mut rules);
        clock.set_rules(rules, hour(hours), |_| None);
        clock
    };
    let due = |clock: &GameClock| {
        clock.waits.iter().map(|wait| (wait.deadline - start).num_hours()).collect::<Vec<_>>()
    };
    let length = |text| Some(Length::parse(text).unwrap());
    // Seat 1 was given three days in all and keeps them. A new deadline rule counts from now.
    assert_eq!(due(&set(clock(), &|r| r.grace = length("1 day"), 6)), [72, 24]);
    assert_eq!(due(&set(clock(), &|r| r.bank = length("1 day"), 6)), [72, 24]);
    let weekly = Deadline::parse("2 days").unwrap();
    let set_anew = set(clock(), &|r| r.deadline = weekly.clone(), 6);
    assert_eq!(due(&set_anew), [72, 54]);
    assert_eq!(due(&set(clock(), &|r| r.deadline = Deadline::After(Length::Days(4)), 6)), [102; 2]);
    // The extra time stays if the player's own time changes.
    let mut again = set_anew;
    again.recompute_deadline(one, &OwnTime::default(), hour(7));
    again.recompute_deadline(two, &OwnTime::default(), hour(7));
    assert_eq!(due(&again), [72, 54]);
    // A player who believed that the game would wait gets a day's notice of the new NMR rule.
    assert_eq!(due(&set(clock(), &|r| r.nmr = NmrRule::Forfeit, 6)), [72, 30]);
    // A player whose announced grace is removed gets a day from now, or the announced end if that
    // is nearer.
    let graced = || set(clock(), &|r| r.grace = length("3 days"), 1);
    assert_eq!(due(&set(graced(), &|r| r.grace = None, 60)), [84, 84]);
    assert_eq!(due(&set(graced(), &|r| r.grace = None, 80)), [104, 96]);
    // A pause goes on under new rules, and its whole time is given back once.
    let mut paused = clock();
    paused.pause(hour(6));
    let mut paused = set(paused, &|r| r.deadline = weekly.clone(), 30);
    assert_eq!(due(&paused), [96, 78]);
    paused.resume(hour(100), |_| None);
    assert_eq!(due(&paused), [166, 148]);
    let mut paused = clock();
    paused.pause(hour(6));
    let mut paused = set(paused, &|r| r.grace = length("1 day"), 30);
    paused.resume(hour(106), |_| None);
    assert_eq!(due(&paused), [172, 124]);
}

#[test]
fn deadline_in_outage_moves_to_respite_end() {
    let (seat, own) = (Seat::new(1), OwnTime::default());
    let mut clock = GameClock::new(rules_with_deadline("3 days"));
    let asked = parse_moment("2026-11-20T10:00:00Z");
    clock.set_awaited_seats(&[seat], &[], false, asked, |_| Some(&own));
    // An outage of a day begins an hour before the deadline.
    let outage = Outage { since: parse_moment("2026-11-23T09:00:00Z"), length: TimeDelta::days(1) };
    let respite = parse_moment("2026-11-25T09:00:00Z");
    assert!(clock.extend_deadlines_for_outage(outage, respite));
    assert_eq!(clock.deadline_with_grace_and_bank(clock.wait_of_seat(seat).unwrap()), respite);
    assert_eq!(clock.disclose_outage_extension(seat), Some(TimeDelta::hours(47)));
}

#[test]
fn weekly_deadline_moves_off_local_no_play_day() {
    let mut weekly = rules_with_deadline("Mon 20:00 Europe/Madrid");
    weekly.no_play_days = vec![NoPlayDay::parse("Tue").unwrap()];
    // There it is already Tuesday, in every week of the year. New Zealand changes to and from
    // summer time on other dates than Madrid.
    for (asked, due) in [
        ("2026-01-07T12:00:00Z", "Wed 2026-01-14 08:00 NZDT"),
        ("2026-03-25T12:00:00Z", "Wed 2026-04-01 07:00 NZDT"),
        ("2026-04-04T12:00:00Z", "Wed 2026-04-08 06:00 NZST"),
        ("2026-10-20T12:00:00Z", "Wed 2026-10-28 08:00 NZDT"),
        // The day's notice counts until the moved deadline.
        ("2026-01-12T10:00:00Z", "Wed 2026-01-14 08:00 NZDT"),
        ("2026-01-13T12:00:00Z", "Wed 2026-01-21 08:00 NZDT"),
    ] {
        assert_eq!(local_deadline(&weekly, "Pacific/Auckland", asked), due, "{asked}");
        assert!(local_deadline(&weekly, "Europe/Madrid", asked).starts_with("Mon"), "{asked}");
    }
    // If the week has another deadline that suits the player, that one applies.
    weekly.deadline = Deadline::parse("Mon,Thu 20:00 Europe/Madrid").unwrap();
    let due = local_deadline(&weekly, "Pacific/Auckland", "2026-01-07T12:00:00Z");
    assert_eq!(due, "Fri 2026-01-09 08:00 NZDT");
    let due = local_deadline(&weekly, "Pacific/Auckland", "2026-01-09T12:00:00Z");
    assert_eq!(due, "Fri 2026-01-16 08:00 NZDT");
    // A deadline on a no-play date or a vacation day is skipped, and the next one of the week
    // applies.
    weekly.no_play_days = vec![NoPlayDay::parse("2026-01-08").unwrap()];
    assert_eq!(local_deadline(&weekly, "UTC", "2026-01-06T12:00:00Z"), "Mon 2026-01-12 19:00 UTC");
}

#[test]
fn postponed_deadline_avoids_no_play_days_and_vacations() {
    let mut rules = rules_with_deadline("24 hours");
    rules.quiet_hours = Some(QuietHours::parse("22:00-08:00").unwrap());
    rules.no_play_days = vec![NoPlayDay::parse("Sun").unwrap()];
    assert_eq!(local_deadline(&rules, "UTC", "2026-01-02T23:00:00Z"), "Mon 2026-01-05 08:00 UTC");
    let away = Vacation { from: parse_day("2026-01-05"), to: parse_day("2026-01-09") };
    let own = OwnTime { vacations: vec![away], ..OwnTime::default() };
    assert_eq!(
        rules.compute_deadline(parse_moment("2026-01-02T23:00:00Z"), &own),
        parse_moment("2026-01-10T08:00:00Z")
    );
    // Extra time also avoids these days.
    let mut clock = GameClock::new(rules);
    let (one, start) = (Seat::new(1), parse_moment("2026-01-01T12:00:00Z"));
    clock.set_awaited_seats(&[one], &[], false, start, |_| Some(&own));
    assert_eq!(clock.wait_of_seat(one).unwrap().deadline, parse_moment("2026-01-02T12:00:00Z"));
    clock.extend_deadlines(TimeDelta::hours(36), start, |_| Some(&own));
    assert_eq!(clock.wait_of_seat(one).unwrap().deadline, parse_moment("2026-01-10T08:00:00Z"));
    clock.recompute_deadline(one, &OwnTime::default(), start);
    assert_eq!(clock.wait_of_seat(one).unwrap().deadline, parse_moment("2026-01-05T08:00:00Z"));
    clock.pause(start);
    clock.resume(parse_moment("2026-01-06T12:00:00Z"), |_| Some(&own));
    assert_eq!(clock.wait_of_seat(one).unwrap().deadline, parse_moment("2026-01-10T08:00:00Z"));
}

#[test]
fn clock_correction_keeps_real_outage_extension() {
    let (one, two, start) = (Seat::new(1), Seat::new(2), parse_moment("2026-01-05T12:00:00Z"));
    let hour = |hours| start + TimeDelta::hours(hours);
    let year = 24 * 365;
    let mut clock = GameClock::new(rules_with_deadline("3 days"));
    clock.set_awaited_seats(&[one], &[], false, start, |_| None);
    let outage = |from, to| Outage { since: hour(from), length: TimeDelta::hours(to - from) };
    assert!(clock.extend_deadlines_for_outage(outage(2, 50), hour(50 + 24)));
    assert_eq!(clock.wait_of_seat(one).unwrap().deadline, hour(72 + 48));
    assert!(!clock.clone().correct_times_set_ahead(hour(51), |_| None), "that is how it was");
    let mut ahead = clock.clone();
    assert!(ahead.extend_deadlines_for_outage(outage(60, 60 + year), hour(60 + year + 24)));
    ahead.set_awaited_seats(&[one, two], &[], false, hour(61 + year), |_| None);
    ahead.pause(hour(62 + year));
    assert!(ahead.correct_times_set_ahead(hour(63), |_| None));
    let due = |clock: &GameClock, seat| clock.wait_of_seat(seat).unwrap().deadline;
    assert_eq!((due(&ahead, one), due(&ahead, two)), (hour(120), hour(63 + 72)));
    assert_eq!(ahead.paused, Some(hour(63)));
    let mut again = ahead.clone();
    assert!(!again.correct_times_set_ahead(hour(63), |_| None), "once is enough");
    ahead.resume(hour(73), |_| None);
    assert_eq!((due(&ahead, one), due(&ahead, two)), (hour(130), hour(73 + 72)));
    ahead.recompute_deadline(one, &OwnTime::default(), hour(73));
    assert_eq!(due(&ahead, one), hour(130));
}
