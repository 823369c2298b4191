//! A machine's clock that was ahead for a while, and what it leaves behind: nothing.

use crate::rig::moderator::mod_is_known;
use crate::rig::{Club, Posted, all_to};
use chrono::{DateTime, TimeDelta, Utc};
use postrider::mail::transport::PostError;

/// A club with one game of Paris Connection for three that Ann begins, whose first letters are
/// posted.
fn club(clock: &str) -> Club {
    Club::paris(&format!("clock: {{{clock}}}\n"))
}

fn start() -> DateTime<Utc> {
    DateTime::from_timestamp(1_767_636_000, 0).expect("a time")
}

/// Passes every hour until `hours` after the club began; all letters.
fn hourly(club: &mut Club, hours: i64) -> Vec<Posted> {
    let mut letters = Vec::new();
    while club.now < start() + TimeDelta::hours(hours) {
        letters.extend(club.pass().1);
    }
    letters
}

#[test]
fn a_pass_a_year_ahead_and_back_leaves_nobody_a_year_and_forfeits_nobody() {
    for letters_meanwhile in [false, true] {
        let mut club = club("deadline: 3 days, nmr: forfeit, reminders: []");
        mod_is_known(&mut club);
        club.writes("Cid", "vote extend 1 day");
        hourly(&mut club, 8);
        let year = TimeDelta::days(365);
        club.now += year;
        if letters_meanwhile {
            club.writes("Ann", "build red G23");
            club.writes("Cid", "vote abandon");
        }
        club.pass();
        assert_eq!(club.head(), 1 + u32::from(letters_meanwhile), "nobody is absent");
        // What was not told then is told now.
        club.pass();
        let far = club.last_text(if letters_meanwhile { "Bob" } else { "Ann" });
        assert!(far.contains("Jan 2027"), "{far}");
        club.now -= year;
        let (report, letters) = club.pass();
        assert_eq!((report.absent, letters.len()), (0, 4), "all players and the moderator");
        let due = if letters_meanwhile { "Thu 8 Jan 2026" } else { "Thu 8 Jan 2026 18:00 UTC" };
        for letter in letters.iter().filter(|letter| !letter.to.starts_with("mod")) {
            assert!(letter.says("The clock of our post office was wrong for a while"));
            assert!(letter.says(due) || letter.says("Fri 9 Jan 2026"), "{}", letter.text());
            assert!(!letter.text().contains("2027"), "{}", letter.text());
        }
        let note = letters.iter().find(|letter| letter.to.starts_with("mod")).expect("a note");
        assert!(note.says("the clock of this machine was ahead"), "{}", note.text());
        // From then on all is as it would have been.
        let around = club.context().store.room(1).expect("it reads");
        assert!(around.lapses().expect("a vote") <= club.now + TimeDelta::days(7));
        let before = club.head();
        assert!(hourly(&mut club, 60).iter().all(|letter| !letter.says("was wrong")));
        assert_eq!(club.head(), before);
        hourly(&mut club, 24 * 5);
        assert!(club.head() > before, "the absent are played for again");
        club.writes("Cid", "say still here");
        club.pass();
        assert!(club.last_text("Ann").contains("still here"));
    }
}

#[test]
fn what_a_time_ahead_has_put_off_waits_no_year_in_a_club_without_clocks() {
    let mut club = Club::paris("digest: 06:00\n");
    let year = TimeDelta::days(365);
    club.now += year;
    assert_eq!(club.pass().0.reminded, 1);
    club.pigeon.fails = Some(PostError::Later("not now".to_owned()));
    club.writes("Bob", "status");
    club.pass();
    club.pigeon.fails = None;
    club.now -= year;
    let (_, letters) = club.pass();
    assert!(letters.iter().any(|letter| letter.to.starts_with("bob")), "it waits no year");
    assert!(letters.iter().any(|letter| letter.says("the clock of this machine was ahead")));
    let (mut reminded, mut mornings) = (0, 0);
    for _ in 0..10 {
        club.now += TimeDelta::hours(23);
        let (report, letters) = club.pass();
        reminded += report.reminded;
        mornings += letters.iter().filter(|letter| letter.to.starts_with("mod")).count();
    }
    assert!(reminded > 0 && mornings > 0, "{reminded} {mornings}");
}

#[test]
fn what_was_answered_while_the_clock_was_ahead_uses_up_nobodys_answers() {
    let mut club = Club::paris("letters_per_day: 60\n");
    let year = TimeDelta::days(365);
    club.now += year;
    for n in 0..40 {
        let letter = club.reply("Ann", "status");
        club.arrives(letter.replace("ann-", &format!("{n}-")));
    }
    assert!(!all_to(&club.pass().1, "Ann").is_empty());
    club.now -= year;
    club.writes("Ann", "status");
    let (_, letters) = club.pass();
    assert!(all_to(&letters, "Ann").iter().any(|letter| letter.says("THE TABLE")), "{letters:?}");
}

#[test]
fn the_doctor_says_when_a_pass_has_seen_a_later_time() {
    let mut club = club("deadline: 3 days");
    let doctor = |club: &Club, days: i64| {
        let mut run = assert_cmd::Command::new(env!("CARGO_BIN_EXE_postrider"));
        let now = (club.now + TimeDelta::days(days)).to_rfc3339();
        let output = run.arg("-C").arg(club.folder()).args(["--now", &now, "doctor"]).output();
        String::from_utf8_lossy(&output.expect("it runs").stdout).into_owned()
    };
    club.now += TimeDelta::days(365);
    club.pass();
    assert!(doctor(&club, 0).contains("no pass has seen a later time"));
    let text = doctor(&club, -365);
    assert!(text.contains("MEND  time         a pass ran at 2027-01-05 19:00 UTC"), "{text}");
}
