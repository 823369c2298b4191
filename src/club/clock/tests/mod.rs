//! The pure clock, moment by moment.

mod changed;
mod rest;
mod undone;

#[cfg(test)]
use super::*;
use crate::rules::Seat;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn rules(deadline: &str) -> ClockRules {
    ClockRules::of(Deadline::read(deadline).unwrap())
}

fn lives_in(zone: &str) -> OwnTime {
    OwnTime { zone: Some(read_zone(zone).unwrap()), vacations: Vec::new() }
}

/// Until when somebody in this zone has time.
fn by(rules: &ClockRules, zone: &str, asked: &str) -> String {
    let by = rules.deadline_for(at(asked), &lives_in(zone));
    by.with_timezone(&read_zone(zone).unwrap()).format("%a %F %H:%M %Z").to_string()
}

#[test]
fn deadlines_are_read_and_written() {
    for (text, again) in [
        ("3 days", "3 days"),
        ("72h", "72 hours"),
        ("1 week", "7 days"),
        ("90 minutes", "90 minutes"),
        ("Thu, Mon 20:00 europe/madrid", "Mon,Thu 20:00 Europe/Madrid"),
        ("sunday 9:30", "Sun 09:30 UTC"),
    ] {
        assert_eq!(Deadline::read(text).unwrap().to_string(), again);
    }
    for text in ["", "0 days", "3", "3 moons", "4000000000 weeks", "Mon", "Mon 25:00", "20:00"] {
        assert!(Deadline::read(text).is_err(), "{text}");
    }
    let wrong = Deadline::read("Mon 20:00 Europe/Nowhere").unwrap_err().to_string();
    assert!(wrong.contains("Europe/Nowhere"), "{wrong}");
}

#[test]
fn days_keep_the_time_of_the_day_over_both_changes_of_the_clocks_and_hours_do_not() {
    let (days, hours) = (rules("3 days"), rules("72 hours"));
    let madrid = "Europe/Madrid";
    // The clocks go forward in the night to 29 March 2026, and back in that to 25 October.
    assert_eq!(by(&days, madrid, "2026-03-27T19:00:00Z"), "Mon 2026-03-30 20:00 CEST");
    assert_eq!(by(&hours, madrid, "2026-03-27T19:00:00Z"), "Mon 2026-03-30 21:00 CEST");
    assert_eq!(by(&days, madrid, "2026-10-23T18:00:00Z"), "Mon 2026-10-26 20:00 CET");
    assert_eq!(by(&hours, madrid, "2026-10-23T18:00:00Z"), "Mon 2026-10-26 19:00 CET");
    // A time that is left out, and one that comes twice: for the player.
    assert_eq!(by(&rules("1 day"), madrid, "2026-03-28T01:30:00Z"), "Sun 2026-03-29 03:00 CEST");
    assert_eq!(by(&rules("1 day"), madrid, "2026-10-24T00:30:00Z"), "Sun 2026-10-25 02:30 CET");
    let weekly = rules("Sun 02:30 Europe/Madrid");
    assert_eq!(by(&weekly, madrid, "2026-03-24T00:00:00Z"), "Sun 2026-03-29 03:00 CEST");
    // South of the equator the other way round.
    assert_eq!(by(&days, "Australia/Sydney", "2026-10-02T10:00:00Z"), "Mon 2026-10-05 20:00 AEDT");
}

#[test]
fn weekly_deadlines_leave_a_days_notice() {
    let weekly = rules("Mon,Thu 20:00 Europe/Madrid");
    assert_eq!(by(&weekly, "UTC", "2026-01-06T12:00:00Z"), "Thu 2026-01-08 19:00 UTC");
    assert_eq!(by(&weekly, "UTC", "2026-01-07T19:00:00Z"), "Thu 2026-01-08 19:00 UTC");
    assert_eq!(by(&weekly, "UTC", "2026-01-07T19:00:01Z"), "Mon 2026-01-12 19:00 UTC");
}

#[test]
fn no_time_runs_on_days_without_play_and_vacations() {
    let mut rules = rules("2 days");
    rules.no_play_days = ["Sat", "Sun", "2026-01-06"].map(|d| NoPlay::read(d).unwrap()).to_vec();
    assert_eq!(by(&rules, "UTC", "2026-01-02T15:00:00Z"), "Wed 2026-01-07 15:00 UTC");
    assert_eq!(by(&rules, "UTC", "2026-01-03T15:00:00Z"), "Thu 2026-01-08 00:00 UTC");
    rules.deadline = Deadline::read("48 hours").unwrap();
    assert_eq!(by(&rules, "UTC", "2026-01-02T15:00:00Z"), "Wed 2026-01-07 15:00 UTC");
    let away = Vacation { from: day("2026-01-08"), to: day("2026-01-20") };
    let own = OwnTime { zone: None, vacations: vec![away] };
    let asked = at("2026-01-07T12:00:00Z");
    assert_eq!(rules.deadline_for(asked, &own), at("2026-01-22T12:00:00Z"));
    rules.vacation = OnVacation::PlayOn;
    assert_eq!(rules.deadline_for(asked, &own), at("2026-01-09T12:00:00Z"));
    rules.no_play_days =
        "Mon Tue Wed Thu Fri Sat Sun".split(' ').map(|d| NoPlay::read(d).unwrap()).collect();
    assert_eq!(rules.check(), Err(ClockError::NoDayLeft));
}

#[test]
fn quiet_hours_put_a_deadline_off_to_their_end() {
    let mut rules = rules("24 hours");
    rules.quiet_hours = Some(QuietHours::read("22:00-08:00").unwrap());
    for (asked, due) in [
        ("2026-01-05T21:59:00Z", "Tue 2026-01-06 21:59 UTC"),
        ("2026-01-05T22:00:00Z", "Wed 2026-01-07 08:00 UTC"),
        ("2026-01-05T03:00:00Z", "Tue 2026-01-06 08:00 UTC"),
    ] {
        assert_eq!(by(&rules, "UTC", asked), due);
    }
}

#[test]
fn reminders_come_at_half_and_at_a_day_left_and_then_the_end() {
    let mut clock = GameClock::new(rules("4 days"));
    let (one, start) = (Seat::new(1), at("2026-01-05T12:00:00Z"));
    clock.turned(&[one], &[], false, start, |_| None);
    let mut seen = Vec::new();
    while let Some((when, _, event)) = clock.next() {
        seen.push(((when - start).num_hours(), event));
        assert!(clock.due(when - TimeDelta::seconds(1)).is_empty());
        assert_eq!(clock.due(when), [(one, event)]);
        if event == Event::Nmr {
            break;
        }
        clock.reminded(one, when);
    }
    assert_eq!(seen, [(48, Event::Reminder), (72, Event::Reminder), (96, Event::Nmr)]);
    // A pass that comes late reminds once, not once for each reminder that it missed.
    let mut late = GameClock::new(rules("4 days"));
    late.turned(&[one], &[], false, start, |_| None);
    late.reminded(one, start + TimeDelta::hours(80));
    assert_eq!(late.next().unwrap().2, Event::Nmr);
}

#[test]
fn the_bank_pays_for_what_is_late_beyond_grace() {
    let mut rules = rules("1 day");
    rules.bank = Some(Length::read("10 hours").unwrap());
    rules.grace = Some(Length::read("2 hours").unwrap());
    let mut clock = GameClock::new(rules);
    let (one, start) = (Seat::new(1), at("2026-01-05T12:00:00Z"));
    clock.turned(&[one], &[], false, start, |_| None);
    let end = clock.end(clock.wait(one).unwrap());
    assert_eq!(end - start, TimeDelta::hours(36));
    clock.charge(one, start + TimeDelta::hours(29));
    clock.turned(&[one], &[one], false, start + TimeDelta::hours(29), |_| None);
    assert_eq!(clock.bank_left(one), TimeDelta::hours(7));
    let again = start + TimeDelta::hours(29);
    assert_eq!(clock.wait(one).unwrap().since, again);
    clock.charge(one, again + TimeDelta::hours(25));
    clock.turned(&[one], &[one], false, again + TimeDelta::hours(25), |_| None);
    assert_eq!(clock.bank_left(one), TimeDelta::hours(7));
}

#[test]
fn a_seat_opens_after_misses_in_a_row_and_is_its_players_again_when_he_plays() {
    let mut rules = rules("1 day");
    rules.nmr = Nmr::Forfeit;
    rules.open_after = 2;
    let mut clock = GameClock::new(rules);
    let (one, day) = (Seat::new(1), TimeDelta::days(1));
    let mut now = at("2026-01-05T12:00:00Z");
    clock.turned(&[one], &[], false, now, |_| None);
    let mut turn = |clock: &mut GameClock, plays: bool| {
        now += day;
        let told = clock.opens_with_next_miss(one);
        if plays {
            clock.played(one);
        } else {
            assert_eq!(clock.missed(one, now), told, "it is told beforehand");
        }
        clock.turned(&[one], &[one], false, now, |_| None);
        clock.open_seats().to_vec()
    };
    let all: Vec<usize> = [false, true, false, false, false, true, false]
        .map(|plays| turn(&mut clock, plays).len())
        .to_vec();
    assert_eq!(all, [0, 0, 0, 1, 1, 0, 0]);
    assert_eq!(turn(&mut clock, false), [one]);
    clock.taken_over(one, &lives_in("Europe/Madrid"), at("2026-03-28T01:30:00Z"));
    assert!(clock.open_seats().is_empty() && !clock.opens_with_next_miss(one));
    assert_eq!(clock.wait(one).unwrap().deadline, at("2026-03-29T01:00:00Z"));
}

#[test]
fn a_pause_takes_nobodys_time() {
    let mut clock = GameClock::new(rules("1 day"));
    let (one, start) = (Seat::new(1), at("2026-01-05T12:00:00Z"));
    clock.turned(&[one], &[], false, start, |_| None);
    clock.pause(start + TimeDelta::hours(6));
    assert_eq!((clock.next(), clock.due(start + TimeDelta::days(9))), (None, Vec::new()));
    clock.resume(start + TimeDelta::hours(30), |_| None);
    assert_eq!(clock.wait(one).unwrap().deadline, start + TimeDelta::hours(48));
}

#[test]
fn no_time_runs_for_who_cannot_be_reached() {
    let (one, two, start) = (Seat::new(1), Seat::new(2), at("2026-01-05T12:00:00Z"));
    let hour = |hour| start + TimeDelta::hours(hour);
    let clock = || {
        let mut clock = GameClock::new(rules("3 days"));
        clock.turned(&[one, two], &[], false, start, |_| None);
        clock
    };
    let deadline = |clock: &GameClock, seat| clock.wait(seat).unwrap().deadline;

    let mut lost = clock();
    lost.reaches(one, false, hour(6), &OwnTime::default());
    lost.reaches(one, false, hour(9), &OwnTime::default());
    assert_eq!(lost.due(hour(999)), [(two, Event::Nmr)]);
    assert_eq!(lost.next().map(|(_, seat, _)| seat), Some(two));
    lost.reaches(one, true, hour(106), &OwnTime::default());
    assert_eq!((deadline(&lost, one), deadline(&lost, two)), (hour(172), hour(72)));
    lost.reaches(one, true, hour(107), &OwnTime::default());
    assert_eq!(deadline(&lost, one), hour(172), "what was given back is given once");

    // Who was almost late has a day all the same.
    let mut late = clock();
    late.reaches(one, false, hour(71), &OwnTime::default());
    late.reaches(one, true, hour(72), &OwnTime::default());
    assert_eq!(deadline(&late, one), hour(96));

    // A pause and an outage in that time give nothing back a second time.
    for (lost, found) in [(10, 40), (10, 20), (25, 40), (25, 28)] {
        let mut both = clock();
        let mut steps = [(lost, 0), (found, 1), (20, 2), (30, 3)];
        steps.sort_unstable();
        for (when, what) in steps {
            match what {
                0 => both.reaches(one, false, hour(when), &OwnTime::default()),
                1 => both.reaches(one, true, hour(when), &OwnTime::default()),
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
fn vacations_are_counted_by_the_year_and_taken_back() {
    let own = OwnTime::default();
    let today = day("2026-11-01");
    let trip = |from, to| Vacation { from: day(from), to: day(to) };
    let winter = trip("2026-12-20", "2027-01-03");
    let taken = own.with_vacation(winter, today, 14).unwrap();
    assert!(taken.is_away(day("2027-01-03")) && !taken.is_away(day("2027-01-04")));
    // Twelve days of 2026 are taken; days that overlap count once.
    let more = trip("2026-12-18", "2026-12-21");
    let more = taken.with_vacation(more, today, 14).unwrap();
    assert_eq!(more.vacations, [trip("2026-12-18", "2027-01-03")]);
    let spent = more.with_vacation(trip("2026-12-01", "2026-12-01"), today, 14);
    assert_eq!(spent, Err(NoVacation::Spent { year: 2026, left: 0 }));
    let wrong = |from, to| own.with_vacation(trip(from, to), today, 14);
    assert_eq!(wrong("2026-10-31", "2026-11-02"), Err(NoVacation::Past));
    assert_eq!(wrong("2026-11-05", "2026-11-02"), Err(NoVacation::Backwards));
    assert_eq!(wrong("2026-11-05", "9999-11-02"), Err(NoVacation::Far));
    let back = more.back_from_vacation(day("2026-12-25"));
    assert_eq!(back.vacations, [trip("2026-12-18", "2026-12-24")]);
}

#[test]
fn a_vacation_that_is_called_off_leaves_a_day_at_least() {
    let mut clock = GameClock::new(rules("1 day"));
    let (one, start) = (Seat::new(1), at("2026-01-05T12:00:00Z"));
    clock.turned(&[one], &[], false, start, |_| None);
    let away = Vacation { from: day("2026-01-06"), to: day("2026-01-15") };
    let own = OwnTime { zone: None, vacations: vec![away] };
    clock.reckon_again(one, &own, start);
    assert_eq!(clock.wait(one).unwrap().deadline, at("2026-01-16T12:00:00Z"));
    let now = at("2026-01-10T12:00:00Z");
    clock.reckon_again(one, &OwnTime::default(), now);
    assert_eq!(clock.wait(one).unwrap().deadline, now + TimeDelta::days(1));
}

#[test]
fn rules_survive_being_written_down() {
    let text = "deadline: Mon,Thu 20:00 Europe/Madrid\ngrace: 6 hours\nbank: 2 days\n\
                no_play_days: [Sun, 2026-12-25]\nquiet_hours: 22:00-08:00\n\
                reminders: [half, 12 hours]\nnmr: forfeit\nvacation: playon\n";
    let rules: ClockRules = crate::rules::yaml::read(text).unwrap();
    let clock = GameClock::new(rules);
    let json = serde_json::to_string(&clock).unwrap();
    assert_eq!(serde_json::from_str::<GameClock>(&json).unwrap(), clock);
}

#[test]
fn rules_that_are_set_keep_what_was_given() {
    let (one, two, start) = (Seat::new(1), Seat::new(2), at("2026-01-05T12:00:00Z"));
    let hour = |hours| start + TimeDelta::hours(hours);
    let clock = || {
        let mut clock = GameClock::new(rules("1 day"));
        clock.turned(&[one], &[], false, start, |_| None);
        clock.extend(TimeDelta::days(2), start, |_| None);
        clock.turned(&[one, two], &[], false, start, |_| None);
        clock
    };
    let set = |mut clock: GameClock, change: &dyn Fn(&mut ClockRules), hours| {
        let mut rules = clock.rules.clone();
        change(&mut rules);
        clock.play_by(rules, hour(hours), |_| None);
        clock
    };
    let due = |clock: &GameClock| {
        clock.waits.iter().map(|wait| (wait.deadline - start).num_hours()).collect::<Vec<_>>()
    };
    let length = |text| Some(Length::read(text).unwrap());
    // Who was given three days in all keeps them; whose time is said anew has it from now.
    assert_eq!(due(&set(clock(), &|r| r.grace = length("1 day"), 6)), [72, 24]);
    assert_eq!(due(&set(clock(), &|r| r.bank = length("1 day"), 6)), [72, 24]);
    let weekly = Deadline::read("2 days").unwrap();
    let set_anew = set(clock(), &|r| r.deadline = weekly.clone(), 6);
    assert_eq!(due(&set_anew), [72, 54]);
    assert_eq!(due(&set(clock(), &|r| r.deadline = Deadline::After(Length::Days(4)), 6)), [102; 2]);
    // What is kept stays when the player's own time changes.
    let mut again = set_anew;
    again.reckon_again(one, &OwnTime::default(), hour(7));
    again.reckon_again(two, &OwnTime::default(), hour(7));
    assert_eq!(due(&again), [72, 54]);
    // To go on without the absent is news to who thought that the game waits: he has a day.
    assert_eq!(due(&set(clock(), &|r| r.nmr = Nmr::Forfeit, 6)), [72, 30]);
    // Who was told an end that is taken away has a day from now, or that end if it is nearer.
    let graced = || set(clock(), &|r| r.grace = length("3 days"), 1);
    assert_eq!(due(&set(graced(), &|r| r.grace = None, 60)), [84, 84]);
    assert_eq!(due(&set(graced(), &|r| r.grace = None, 80)), [104, 96]);
    // A pause goes on, and gives back all of its time once.
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
fn after_an_outage_everyone_has_a_day_at_least() {
    let (seat, own) = (Seat::new(1), OwnTime::default());
    let mut clock = GameClock::new(rules("3 days"));
    let asked = at("2026-11-20T10:00:00Z");
    clock.turned(&[seat], &[], false, asked, |_| Some(&own));
    // An hour before the time is over, a day without passes begins.
    let outage = Outage { since: at("2026-11-23T09:00:00Z"), length: TimeDelta::days(1) };
    let respite = at("2026-11-25T09:00:00Z");
    assert!(clock.stood_still(outage, respite));
    assert_eq!(clock.end(clock.wait(seat).unwrap()), respite);
    assert_eq!(clock.tell_extended(seat), Some(TimeDelta::hours(47)));
}

#[test]
fn a_weekly_deadline_on_a_day_without_play_abroad_comes_at_the_same_time_of_the_next_one() {
    let mut weekly = rules("Mon 20:00 Europe/Madrid");
    weekly.no_play_days = vec![NoPlay::read("Tue").unwrap()];
    // Where it is Tuesday then, every week of the year; the clocks change there at other times.
    for (asked, due) in [
        ("2026-01-07T12:00:00Z", "Wed 2026-01-14 08:00 NZDT"),
        ("2026-03-25T12:00:00Z", "Wed 2026-04-01 07:00 NZDT"),
        ("2026-04-04T12:00:00Z", "Wed 2026-04-08 06:00 NZST"),
        ("2026-10-20T12:00:00Z", "Wed 2026-10-28 08:00 NZDT"),
        // It is put off, and a day before that is notice enough.
        ("2026-01-12T10:00:00Z", "Wed 2026-01-14 08:00 NZDT"),
        ("2026-01-13T12:00:00Z", "Wed 2026-01-21 08:00 NZDT"),
    ] {
        assert_eq!(by(&weekly, "Pacific/Auckland", asked), due, "{asked}");
        assert!(by(&weekly, "Europe/Madrid", asked).starts_with("Mon"), "{asked}");
    }
    // With another day that he can play on it is that day.
    weekly.deadline = Deadline::read("Mon,Thu 20:00 Europe/Madrid").unwrap();
    let due = by(&weekly, "Pacific/Auckland", "2026-01-07T12:00:00Z");
    assert_eq!(due, "Fri 2026-01-09 08:00 NZDT");
    let due = by(&weekly, "Pacific/Auckland", "2026-01-09T12:00:00Z");
    assert_eq!(due, "Fri 2026-01-16 08:00 NZDT");
    // A date and a vacation pass: he waits for the week's next moment.
    weekly.no_play_days = vec![NoPlay::read("2026-01-08").unwrap()];
    assert_eq!(by(&weekly, "UTC", "2026-01-06T12:00:00Z"), "Mon 2026-01-12 19:00 UTC");
}

#[test]
fn what_quiet_hours_put_off_falls_on_no_day_without_play_and_into_no_vacation() {
    let mut rules = rules("24 hours");
    rules.quiet_hours = Some(QuietHours::read("22:00-08:00").unwrap());
    rules.no_play_days = vec![NoPlay::read("Sun").unwrap()];
    assert_eq!(by(&rules, "UTC", "2026-01-02T23:00:00Z"), "Mon 2026-01-05 08:00 UTC");
    let away = Vacation { from: day("2026-01-05"), to: day("2026-01-09") };
    let own = OwnTime { zone: None, vacations: vec![away] };
    assert_eq!(rules.deadline_for(at("2026-01-02T23:00:00Z"), &own), at("2026-01-10T08:00:00Z"));
    // So does what is given besides.
    let mut clock = GameClock::new(rules);
    let (one, start) = (Seat::new(1), at("2026-01-01T12:00:00Z"));
    clock.turned(&[one], &[], false, start, |_| Some(&own));
    assert_eq!(clock.wait(one).unwrap().deadline, at("2026-01-02T12:00:00Z"));
    clock.extend(TimeDelta::hours(36), start, |_| Some(&own));
    assert_eq!(clock.wait(one).unwrap().deadline, at("2026-01-10T08:00:00Z"));
    clock.reckon_again(one, &OwnTime::default(), start);
    assert_eq!(clock.wait(one).unwrap().deadline, at("2026-01-05T08:00:00Z"));
    clock.pause(start);
    clock.resume(at("2026-01-06T12:00:00Z"), |_| Some(&own));
    assert_eq!(clock.wait(one).unwrap().deadline, at("2026-01-10T08:00:00Z"));
}

#[test]
fn what_was_reckoned_by_a_time_ahead_is_taken_back_and_no_true_outage_with_it() {
    let (one, two, start) = (Seat::new(1), Seat::new(2), at("2026-01-05T12:00:00Z"));
    let hour = |hours| start + TimeDelta::hours(hours);
    let year = 24 * 365;
    let mut clock = GameClock::new(rules("3 days"));
    clock.turned(&[one], &[], false, start, |_| None);
    let outage = |from, to| Outage { since: hour(from), length: TimeDelta::hours(to - from) };
    assert!(clock.stood_still(outage(2, 50), hour(50 + 24)));
    assert_eq!(clock.wait(one).unwrap().deadline, hour(72 + 48));
    assert!(!clock.clone().set_right(hour(51), |_| None), "that is how it was");
    let mut ahead = clock.clone();
    assert!(ahead.stood_still(outage(60, 60 + year), hour(60 + year + 24)));
    ahead.turned(&[one, two], &[], false, hour(61 + year), |_| None);
    ahead.pause(hour(62 + year));
    assert!(ahead.set_right(hour(63), |_| None));
    let due = |clock: &GameClock, seat| clock.wait(seat).unwrap().deadline;
    assert_eq!((due(&ahead, one), due(&ahead, two)), (hour(120), hour(63 + 72)));
    assert_eq!(ahead.paused, Some(hour(63)));
    let mut again = ahead.clone();
    assert!(!again.set_right(hour(63), |_| None), "once is enough");
    ahead.resume(hour(73), |_| None);
    assert_eq!((due(&ahead, one), due(&ahead, two)), (hour(130), hour(73 + 72)));
    ahead.reckon_again(one, &OwnTime::default(), hour(73));
    assert_eq!(due(&ahead, one), hour(130));
}
