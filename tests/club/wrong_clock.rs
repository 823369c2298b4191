//! The correction of a machine clock that was ahead for a while. It must leave no damage.

use crate::rig::moderator_letters::introduce_mod;
use crate::rig::{Club, PostedLetter, letters_to};
use chrono::{DateTime, TimeDelta, Utc};
use postrider::mail::transport::PostError;

/// Returns a club with one game of Paris Connection, with this clock and with its first letters
/// posted. It is Ann's turn.
fn timed_club(clock: &str) -> Club {
    Club::with_paris_game(&format!("clock: {{{clock}}}\n"))
}

fn start_time() -> DateTime<Utc> {
    DateTime::from_timestamp(1_767_636_000, 0).expect("a time")
}

/// Runs a pass every hour until `hours` after the start of the club. Returns all letters.
fn run_hourly_until(club: &mut Club, hours: i64) -> Vec<PostedLetter> {
    let mut letters = Vec::new();
    while club.now < start_time() + TimeDelta::hours(hours) {
        letters.extend(club.run_pass().1);
    }
    letters
}

#[test]
fn clock_a_year_ahead_is_corrected_without_forfeits() {
    for letters_meanwhile in [false, true] {
        let mut club = timed_club("deadline: 3 days, nmr: forfeit, reminders: []");
        introduce_mod(&mut club);
        club.send_reply("Cid", "vote extend 1 day");
        run_hourly_until(&mut club, 8);
        let year = TimeDelta::days(365);
        club.now += year;
        if letters_meanwhile {
            club.send_reply("Ann", "build red G23");
            club.send_reply("Cid", "vote abandon");
        }
        club.run_pass();
        assert_eq!(club.record_count(), 1 + u32::from(letters_meanwhile), "nobody is absent");
        // This pass sends the news that the first one did not send.
        club.run_pass();
        let far = club.last_text_to(if letters_meanwhile { "Bob" } else { "Ann" });
        assert!(far.contains("Jan 2027"), "{far}");
        club.now -= year;
        let (report, letters) = club.run_pass();
        assert_eq!((report.absent_turns, letters.len()), (0, 4), "all players and the moderator");
        let due = if letters_meanwhile { "Thu 8 Jan 2026" } else { "Thu 8 Jan 2026 18:00 UTC" };
        for letter in letters.iter().filter(|letter| !letter.to.starts_with("mod")) {
            assert!(letter.contains("Our server's clock was wrong for a while"));
            assert!(
                letter.contains(due) || letter.contains("Fri 9 Jan 2026"),
                "{}",
                letter.body_text()
            );
            assert!(!letter.body_text().contains("2027"), "{}", letter.body_text());
        }
        let note = letters.iter().find(|letter| letter.to.starts_with("mod")).expect("a note");
        assert!(note.contains("this machine's clock was ahead"), "{}", note.body_text());
        // From now on, the club continues as if the clock had never been wrong.
        let info = club.open_context().store.game_info(1).expect("it reads");
        assert!(info.next_vote_or_offer_expiry().expect("a vote") <= club.now + TimeDelta::days(7));
        let before = club.record_count();
        assert!(run_hourly_until(&mut club, 60).iter().all(|letter| !letter.contains("was wrong")));
        assert_eq!(club.record_count(), before);
        run_hourly_until(&mut club, 24 * 5);
        assert!(club.record_count() > before, "the absent are played for again");
        club.send_reply("Cid", "say still here");
        club.run_pass();
        assert!(club.last_text_to("Ann").contains("still here"));
    }
}

#[test]
fn letters_deferred_by_wrong_clock_leave_at_once() {
    let mut club = Club::with_paris_game("digest: 06:00\n");
    let year = TimeDelta::days(365);
    club.now += year;
    assert_eq!(club.run_pass().0.reminders, 1);
    club.transport.error = Some(PostError::Temporary("not now".to_owned()));
    club.send_reply("Bob", "status");
    club.run_pass();
    club.transport.error = None;
    club.now -= year;
    let (_, letters) = club.run_pass();
    assert!(letters.iter().any(|letter| letter.to.starts_with("bob")), "it waits no year");
    assert!(letters.iter().any(|letter| letter.contains("this machine's clock was ahead")));
    let (mut reminded, mut mornings) = (0, 0);
    for _ in 0..10 {
        club.now += TimeDelta::hours(23);
        let (report, letters) = club.run_pass();
        reminded += report.reminders;
        mornings += letters.iter().filter(|letter| letter.to.starts_with("mod")).count();
    }
    assert!(reminded > 0 && mornings > 0, "{reminded} {mornings}");
}

#[test]
fn answers_under_wrong_clock_do_not_count() {
    let mut club = Club::with_paris_game("letters_per_day: 60\n");
    let year = TimeDelta::days(365);
    club.now += year;
    for n in 0..40 {
        let letter = club.compose_reply("Ann", "status");
        club.deliver(letter.replace("ann-", &format!("{n}-")));
    }
    assert!(!letters_to(&club.run_pass().1, "Ann").is_empty());
    club.now -= year;
    club.send_reply("Ann", "status");
    let (_, letters) = club.run_pass();
    assert!(
        letters_to(&letters, "Ann").iter().any(|letter| letter.contains("THE TABLE")),
        "{letters:?}"
    );
}

#[test]
fn doctor_reports_pass_at_later_time() {
    let mut club = timed_club("deadline: 3 days");
    let doctor = |club: &Club, days: i64| {
        let mut run = assert_cmd::Command::new(env!("CARGO_BIN_EXE_postrider"));
        let now = (club.now + TimeDelta::days(days)).to_rfc3339();
        let output = run.arg("-C").arg(club.folder()).args(["--now", &now, "doctor"]).output();
        String::from_utf8_lossy(&output.expect("it runs").stdout).into_owned()
    };
    club.now += TimeDelta::days(365);
    club.run_pass();
    assert!(doctor(&club, 0).contains("no pass ran at a later time"));
    let text = doctor(&club, -365);
    assert!(text.contains("FIX   time         a pass ran at 2027-01-05 19:00 UTC"), "{text}");
}
