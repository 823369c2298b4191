//! `doctor --round-trip`: a letter of the club to itself, and how mail servers changed it.

use crate::rig::postrider_program::{outbox_letters, run_postrider};
use crate::rig::{Club, PostedLetter, compose_bounce_report};
use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, SystemTime};

const SENT: &str = "2026-01-06T18:00:00Z";
const LATER: &str = "2026-01-06T18:20:00Z";

/// Returns a club that has sent the letter, and the letter.
fn club_with_letter_under_way(settings: &str) -> (Club, String) {
    let club = Club::with_settings(&format!("mail_out: {{maildir: outbox}}\n{settings}"));
    let secret = club.folder().join("secret");
    fs::set_permissions(secret, Permissions::from_mode(0o600)).expect("its own file");
    for part in ["tmp", "new", "cur"] {
        fs::create_dir_all(club.folder().join("outbox").join(part)).expect("a folder");
    }
    let (exit, said) = run_postrider(club.folder(), SENT, &["doctor", "--round-trip"]);
    assert_eq!(exit, Some(0), "{said}");
    let (_, letter) = outbox_letters(club.folder()).pop_first().expect("a letter");
    (club, letter)
}

/// Puts a copy of the letter into the inbox, seven minutes after it was sent. Returns the exit code
/// and the report of `doctor` after the next pass.
fn report_on(club: &Club, letter: &str) -> (Option<i32>, String) {
    let path = club.folder().join("inbox/new/came-back");
    fs::write(&path, letter).expect("the inbox");
    let sent: SystemTime = SENT.parse::<chrono::DateTime<chrono::Utc>>().expect("a time").into();
    let file = File::options().write(true).open(&path).expect("a file");
    file.set_modified(sent + Duration::from_secs(7 * 60)).expect("a time");
    drop(file);
    assert_eq!(run_postrider(club.folder(), LATER, &["tick"]).0, Some(0));
    assert!(!path.exists(), "the pass archived it");
    let is_answer =
        |text: &&String| !text.contains("To: Mod <") && !text.contains(": a round trip");
    assert_eq!(outbox_letters(club.folder()).values().find(is_answer), None);
    let (exit, said) = run_postrider(club.folder(), LATER, &["doctor", "--round-trip"]);
    let line = said.lines().find(|line| line.contains("round trip"));
    (exit, line.unwrap_or_else(|| panic!("{said}")).to_owned())
}

/// Checks that a report contains all these texts.
fn assert_says(report: &str, texts: &[&str]) {
    for text in texts {
        assert!(report.contains(text), "{text} is not in: {report}");
    }
}

#[test]
fn unchanged_letter_is_reported_then_next_is_sent() {
    let (club, letter) = club_with_letter_under_way("");
    let waiting = run_postrider(club.folder(), LATER, &["doctor", "--round-trip"]);
    assert_eq!(waiting.0, Some(75), "{}", waiting.1);
    assert_says(&waiting.1, &["has not come back for 20 minutes", "the next tick"]);
    assert_eq!(run_postrider(club.folder(), LATER, &["doctor"]).0, Some(0), "it may still come");
    assert_eq!(run_postrider(club.folder(), "2026-01-08T18:00:00Z", &["doctor"]).0, Some(78));
    let (exit, report) = report_on(&club, &letter);
    assert_eq!(exit, Some(0), "{report}");
    assert_says(&report, &["ok ", "came back after 7 minutes", "the + address is kept"]);
    assert_says(&report, &["the text is unchanged", "no server checked DMARC"]);
    let (exit, said) = run_postrider(club.folder(), LATER, &["doctor"]);
    assert_eq!(exit, Some(0), "a plain run repeats the report: {said}");
    assert_says(&said, &["came back after 7 minutes"]);
    run_postrider(club.folder(), LATER, &["doctor", "--round-trip"]);
    assert_eq!(outbox_letters(club.folder()).len(), 2, "the next letter");
}

#[test]
fn rewritten_letter_is_ignored_and_each_change_reported() {
    let dmarc =
        "Authentication-Results: mx.example.org;\r\n dmarc=fail header.from=example.org\r\n";
    let (club, letter) = club_with_letter_under_way("authserv_id: mx.example.org\n");
    let link = letter.find("https://").expect("a link");
    let lost_tag = letter.replacen("games+t.", "games@example.org, x+t.", 1);
    let (head, body) = lost_tag.split_at(link);
    let (start, rest) = body.split_at(30);
    let head = head.replacen("Subject: ", "Subject: [EXTERNAL] ", 1);
    let head = head.replacen("Message-ID: <", "Message-ID: <new.", 1);
    let rewritten = format!("{dmarc}{head}{start}\r\n{rest}");
    let (exit, report) = report_on(&club, &rewritten);
    assert_eq!(exit, Some(78), "{report}");
    assert_says(&report, &["FIX ", "the + address is lost", "plus_addressing: false"]);
    assert_says(&report, &["the Message-ID was changed", "changed to \"[EXTERNAL] postrider"]);
    assert_says(
        &report,
        &["lines of the text were wrapped", "mx.example.org: it doesn't pass DMARC"],
    );
}

#[test]
fn changed_sender_and_link_get_no_answer() {
    let (club, letter) = club_with_letter_under_way("plus_addressing: false\n");
    let sender = letter.replacen("<games@example.org>", "<relay@example.net>", 1);
    let (exit, report) = report_on(&club, &sender.replace("https://", "https://safe.example/?"));
    assert_eq!(exit, Some(78), "{report}");
    assert_says(&report, &["the tag in the subject is kept", "changed to relay@example.net"]);
    assert_says(&report, &["the link in the text was changed"]);
    assert_eq!(club.quarantined_count(), 0);
}

#[test]
fn bounce_is_reported_as_lost_address() {
    let (club, letter) = club_with_letter_under_way("");
    let posted = PostedLetter {
        to: "games+t.x@example.org".to_owned(),
        message_id: "roundtrip.x@example.org".to_owned(),
        bytes: letter.into_bytes(),
    };
    let bounce = compose_bounce_report(&posted, &posted.to, "failed", "5.1.1");
    let (exit, report) = report_on(&club, &bounce);
    assert_eq!(exit, Some(78), "{report}");
    assert_says(&report, &["could not deliver to games+t."]);
}
