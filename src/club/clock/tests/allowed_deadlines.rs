//! Property tests: for random rules, zones and vacations, deadlines fall only at allowed times.

use super::super::*;
use chrono::{DateTime, Datelike, TimeDelta, Utc};
use proptest::prelude::*;

fn arbitrary_rules_and_time() -> impl Strategy<Value = (ClockRules, OwnTime, DateTime<Utc>)> {
    let deadlines = prop_oneof![
        (1_u32..9).prop_map(|days| format!("{days} days")),
        (1_u32..200).prop_map(|hours| format!("{hours} hours")),
        (1_u8..127, 0_u32..96, 0..ZONES.len()).prop_map(|(days, quarter, zone)| {
            let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
            let days = names.iter().enumerate().filter(|(bit, _)| days >> bit & 1 == 1);
            let days: Vec<&str> = days.map(|(_, name)| *name).collect();
            let (hour, minute) = (quarter / 4, quarter % 4 * 15);
            format!("{} {hour}:{minute:02} {}", days.join(","), ZONES[zone])
        }),
    ];
    let quiet = proptest::option::of((0_u32..1_440, 1_u32..1_439));
    let never = proptest::collection::vec(0_u8..7, 0..5);
    let dates = proptest::collection::vec(0_i64..40, 0..6);
    let away = proptest::collection::vec((0_i64..30, 0_i64..15), 0..3);
    let asked = 0_i64..2 * 366 * 24 * 12;
    let parts = (deadlines, quiet, never, dates, away, 0..ZONES.len(), asked);
    parts.prop_map(|(deadline, quiet, never, dates, away, zone, asked)| {
        let asked = "2026-01-01T00:00:00Z".parse::<DateTime<Utc>>().unwrap()
            + TimeDelta::minutes(5 * asked);
        let time = |minute: u32| {
            chrono::NaiveTime::from_num_seconds_from_midnight_opt(minute % 1_440 * 60, 0).unwrap()
        };
        let zone = Some(parse_zone(ZONES[zone]).unwrap());
        let mut own = OwnTime { zone, ..OwnTime::default() };
        let today = own.local_day(asked);
        let ahead = |days| today + TimeDelta::days(days);
        let mut clock = ClockRules::with_deadline(Deadline::parse(&deadline).unwrap());
        clock.quiet_hours =
            quiet.map(|(from, long)| QuietHours { from: time(from), to: time(from + long) });
        let weekdays = never.iter().map(|day| NoPlayDay::Weekday((*day).try_into().unwrap()));
        let dates = dates.iter().map(|days| NoPlayDay::Date(ahead(*days)));
        clock.no_play_days = weekdays.chain(dates).collect();
        own.vacations = away
            .iter()
            .map(|(from, long)| Vacation { from: ahead(*from), to: ahead(from + long) })
            .collect();
        (clock, own, asked)
    })
}

/// Zones with changes to summer time by an hour, by half an hour, at midnight, south of the
/// equator, or never. They are on both sides of the date line.
const ZONES: [&str; 12] = [
    "UTC",
    "Europe/Madrid",
    "America/New_York",
    "America/Los_Angeles",
    "Pacific/Auckland",
    "Australia/Lord_Howe",
    "Asia/Kolkata",
    "America/Havana",
    "Asia/Beirut",
    "Pacific/Chatham",
    "Pacific/Kiritimati",
    "Pacific/Pago_Pago",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]
    #[test]
    fn deadline_avoids_quiet_hours_no_play_and_vacations(
        (rules, own, asked) in arbitrary_rules_and_time(),
    ) {
        let due = rules.compute_deadline(asked, &own);
        let local = due.with_timezone(&own.zone());
        let day = local.date_naive();
        let text = format!("{due} is {local}; {rules:?} {own:?} {asked}");
        let is_quiet = rules.quiet_hours.is_some_and(|quiet| quiet.contains(local.time()));
        prop_assert!(!is_quiet, "{}", text);
        prop_assert!(!own.is_on_vacation(day), "{}", text);
        prop_assert!(!rules.no_play_days.contains(&NoPlayDay::Date(day)), "{}", text);
        let weekday = NoPlayDay::Weekday(local.weekday());
        prop_assert!(!rules.no_play_days.contains(&weekday), "{}", text);
        prop_assert_eq!(rules.next_allowed_deadline(due, &own), due);
        // At most four of seven weekdays and 50 more days are without play, so no deadline is
        // further away than 150 days.
        prop_assert!(due > asked && due < asked + TimeDelta::days(150), "{}", text);
        if matches!(rules.deadline, Deadline::Weekly { .. }) {
            prop_assert!(due >= asked + TimeDelta::hours(24), "{}", text);
        }
    }
    #[test]
    fn corrected_deadline_is_allowed_by_rule(
        (rules, own, now) in arbitrary_rules_and_time(),
        ahead in 7_i64..24 * 400,
    ) {
        let seat = crate::rules::Seat::new(1);
        let mut clock = GameClock::new(rules.clone());
        // The seat is asked, and an outage is found, while the clock is ahead.
        let wrong = now + TimeDelta::hours(ahead);
        clock.set_awaited_seats(&[seat], &[], false, wrong, |_| Some(&own));
        let told = clock.wait_of_seat(seat).unwrap().deadline;
        let outage = Outage { since: told - TimeDelta::hours(1), length: TimeDelta::hours(30) };
        clock.extend_deadlines_for_outage(outage, told + TimeDelta::hours(53));
        prop_assert!(clock.correct_times_set_ahead(now, |_| Some(&own)));
        let due = clock.wait_of_seat(seat).unwrap().deadline;
        let text = format!("{due}; {rules:?} {own:?} {now}");
        prop_assert!(due >= now + TimeDelta::hours(24), "{}", text);
        prop_assert_eq!(rules.next_allowed_deadline(due, &own), due, "{}", text);
        if matches!(rules.deadline, Deadline::Weekly { .. }) {
            prop_assert_eq!(due, rules.compute_deadline(now, &own), "{}", text);
        }
    }
}
