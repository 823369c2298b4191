//! The reminders that each player chooses by letter, in games with and without deadlines.

use crate::clock::{hours_and_readers, run_hourly_passes, run_passes_every, start_club};
use crate::rig::Club;

/// Sends a letter from Ann, runs a pass at once, and returns the text of the answer.
fn answer_to_ann(club: &mut Club, body: &str) -> String {
    club.send_reply("Ann", body);
    club.run_pass();
    club.last_text_to("Ann").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Runs a pass every six hours. Returns the days on which Ann got a letter.
fn days_of_letters(club: &mut Club, days: i64) -> Vec<i64> {
    let letters = run_passes_every(club, 6, 24 * days);
    hours_and_readers(&letters).iter().map(|(hour, _)| hour / 24).collect()
}

#[test]
fn chosen_interval_repeats_until_deadline() {
    let mut club = start_club("deadline: 3 days, nmr: forfeit, reminders: [6 hours]");
    let answer = answer_to_ann(&mut club, "remind 1d");
    assert!(answer.contains("Time between two reminders: a day."), "{answer}");
    let answer = answer_to_ann(&mut club, "remind me every 20 hours\nsettings");
    assert!(answer.contains("Reminders of your turns: 20 hours between two"), "{answer}");
    // A pass comes late, and the next reminder follows 20 hours after the late one.
    let early = run_hourly_passes(&mut club, 19);
    club.now += chrono::TimeDelta::hours(4);
    assert_eq!((early.len(), club.run_pass().0.reminders), (0, 1));
    let letters = run_hourly_passes(&mut club, 73);
    let expected = [(43, "ann"), (63, "ann"), (66, "ann"), (72, "ann"), (72, "bob"), (72, "cid")];
    assert_eq!(hours_and_readers(&letters), expected);
    assert!(letters[1].1.contains("This is a reminder."));
    // Bob has chosen nothing, so only the club's reminder comes.
    let letters = run_hourly_passes(&mut club, 72 + 71);
    assert_eq!(hours_and_readers(&letters), [(72 + 66, "bob")]);
}

#[test]
fn last_reminder_cannot_be_turned_off() {
    for (clock, expected) in [
        ("deadline: 4 days, nmr: forfeit", vec![(72, "ann"), (96, "ann")]),
        ("deadline: 4 days, nmr: bot", vec![(72, "ann"), (96, "ann")]),
        ("deadline: 4 days, open_after: 1", vec![(72, "ann"), (96, "ann")]),
        ("deadline: 4 days", vec![(96, "ann")]),
    ] {
        let mut club = start_club(clock);
        let answer = answer_to_ann(&mut club, "remind off");
        assert!(answer.contains("except the last one before a deadline"), "{answer}");
        let letters = run_passes_every(&mut club, 1, 24 * 12);
        let mut found = hours_and_readers(&letters);
        found.retain(|(hour, name)| *name == "ann" && *hour <= 96);
        assert_eq!(found, expected, "{clock}");
    }
    // A player who has missed the deadline is not reminded each week.
    let mut club = start_club("deadline: 1 day, reminders: []");
    answer_to_ann(&mut club, "no reminders");
    assert_eq!(days_of_letters(&mut club, 20), [1, 1], "the late player and the moderator");
}

#[test]
fn wrong_interval_is_answered_with_right_lines() {
    let mut club = start_club("deadline: 4 days");
    for line in ["remind", "remind soon", "remind 0h", "remind 1m", "remind 400d", "remind 5h"] {
        let answer = answer_to_ann(&mut club, line);
        for expected in ["\"remind 12h\"", "at least 6 hours, and up to a year", "\"remind off\""] {
            assert!(answer.contains(expected), "{line}\n{answer}");
        }
    }
    let ann = club.open_context().store.member(1).expect("read").expect("Ann");
    assert!(ann.time.is_default());
    let prose = answer_to_ann(&mut club, "say: hello\nremind me of the rules\nend");
    assert!(!prose.contains("at least 6 hours"), "{prose}");
}

#[test]
fn game_without_clock_keeps_to_choice() {
    let mut club = Club::with_paris_game("");
    answer_to_ann(&mut club, "remind 2d");
    assert_eq!(days_of_letters(&mut club, 7), [2, 4, 6]);
    answer_to_ann(&mut club, "remind off");
    assert_eq!(club.open_context().store.due_time(1).expect("read"), None);
    assert!(days_of_letters(&mut club, 40).is_empty());
    answer_to_ann(&mut club, "remind as usual");
    // The last reminder was long ago, so the answer is one too.
    assert_eq!(days_of_letters(&mut club, 50), [47]);
    // Bob's usual reminder does not depend on Ann's choice.
    answer_to_ann(&mut club, "build red G23\nremind 12h");
    assert_eq!(days_of_letters(&mut club, 58), [57]);
    // The club reminds nobody, except the player who wishes it.
    let mut club = Club::with_paris_game("reminder_days: 0\n");
    assert!(days_of_letters(&mut club, 10).is_empty());
    answer_to_ann(&mut club, "remind 7d");
    assert_eq!(days_of_letters(&mut club, 20), [17], "after the answer, which is one too");
}

#[test]
fn reminders_wait_until_vacation_ends() {
    let mut club = start_club("deadline: 3 days, nmr: forfeit");
    answer_to_ann(&mut club, "remind 12h\nvacation 2026-01-06 to 2026-01-09");
    let letters = run_hourly_passes(&mut club, 24 * 7 - 1);
    // The vacation ends at hour 102, and the last usual reminder is at hour 144.
    let expected = [102, 114, 126, 138, 144, 156].map(|hour| (hour, "ann"));
    assert_eq!(hours_and_readers(&letters), expected);
    // If the game plays on, the last reminder comes even on a day of vacation.
    let mut club = start_club("deadline: 3 days, nmr: forfeit, vacation: playon");
    answer_to_ann(&mut club, "remind 12h\nvacation 2026-01-06 to 2026-01-09");
    assert_eq!(hours_and_readers(&run_hourly_passes(&mut club, 71)), [(48, "ann")]);
}

#[test]
fn spanish_lines_choose_reminders() {
    let mut club = Club::with_paris_game("language: es\nclock: {deadline: 4 days}\n");
    for (line, expected) in [
        ("recordar cada 2 días", "Tiempo entre dos recordatorios: 2 días."),
        ("recuérdame 12h", "Tiempo entre dos recordatorios: 12 horas."),
        ("sin recordatorios", "Ese lo enviamos siempre."),
        ("recordar como siempre", "los recordatorios habituales de cada partida."),
        ("recordar pronto", "como mínimo 6 horas, y como máximo un año"),
    ] {
        let answer = answer_to_ann(&mut club, line);
        assert!(answer.contains(expected), "{line}\n{answer}");
    }
}
