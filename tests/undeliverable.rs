//! Members whose letters come back: which reports are believed, and what a pass does then.

mod rig;

use postrider::club::Member;
use postrider::games::kind;
use rig::{Club, Posted, address};

/// A club with one game of three that Ann begins.
fn club() -> Club {
    let mut club = Club::new();
    club.found(kind("paris-connection").expect("it ships"), 3, 7);
    club.pass();
    club
}

/// A mail server's report about a letter.
fn report(letter: &Posted, to: &str, action: &str, status: &str) -> String {
    let head = String::from_utf8(letter.bytes.clone()).expect("it is text");
    let head = head.split("\r\n\r\n").next().expect("it has a head").to_owned();
    format!(
        "Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.example.net\r\nTo: games@example.org\r\n\
         Subject: Undelivered Mail\r\nMessage-ID: <{action}-{status}@mx.example.net>\r\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n\
         --b\r\n\r\nSorry.\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n\
         Reporting-MTA: dns; mx.example.net\r\n\r\nFinal-Recipient: rfc822; {to}\r\n\
         Action: {action}\r\nStatus: {status}\r\n\r\n\
         --b\r\nContent-Type: message/rfc822\r\n\r\n{head}\r\n\r\nhello\r\n--b--\r\n"
    )
}

fn member(club: &Club, name: &str) -> Member {
    let member = club.office().store.member_by_address(&address(name)).expect("the store works");
    member.expect("a member")
}

fn loses(club: &mut Club, name: &str) {
    let letter = club.last_to(name).expect("a letter").clone();
    club.arrives(report(&letter, &address(name), "failed", "5.1.1"));
    let (done, letters) = club.pass();
    assert_eq!(done.bounced, [format!("{}: hard 5.1.1", address(name))]);
    assert_eq!(letters.len(), 1, "{letters:?}");
}

#[test]
fn a_member_whose_letters_come_back_gets_none_and_the_moderator_knows() {
    let mut club = club();
    loses(&mut club, "Bob");
    let note = club.pigeon.posted.last().expect("a note").clone();
    assert_eq!(note.to, "mod@example.org");
    assert!(note.says("Letters to Bob (bob@example.org) come back"), "{}", note.text());
    assert!(note.says("Bob plays in 1; none of these waits for Bob now"), "{}", note.text());
    assert_eq!(club.tray(".done/cur").len(), 1);
    assert!(member(&club, "Bob").undeliverable.is_some());

    club.writes("Ann", "build red G23, Troyes");
    let (_, letters) = club.pass();
    let to: Vec<&str> = letters.iter().map(|letter| letter.to.as_str()).collect();
    assert_eq!(to, ["ann@example.org", "cid@example.org"]);

    // The game waits for Bob; whoever asks him for it is told that it is in vain.
    club.now += chrono::TimeDelta::days(8);
    let (done, letters) = club.pass();
    assert_eq!((done.reminded, letters.len()), (0, 1));
    assert!(letters[0].says("Game 1 still waits for Bob"), "{}", letters[0].text());
}

#[test]
fn who_writes_again_is_told_what_he_has_missed() {
    let mut club = club();
    loses(&mut club, "Bob");
    club.writes("Ann", "build red G23, Troyes");
    club.pass();
    club.writes("Bob", "status");
    let (_, letters) = club.pass();
    assert!(member(&club, "Bob").undeliverable.is_none());
    assert_eq!(letters.len(), 2);
    assert!(letters.iter().all(|letter| letter.to == address("Bob")));
    assert!(letters[1].says("Ann builds red on G23 and G25 Troyes"), "{}", letters[1].text());
    assert!(letters[1].text().contains("THE BOARD"));
    assert_eq!(club.pass().1.len(), 0);
}

#[test]
fn the_fifth_report_of_hope_is_the_last() {
    let mut club = club();
    let letter = club.last_to("Bob").expect("a letter").clone();
    let soft = |club: &mut Club, number: u32| {
        let report = report(&letter, "bob@example.org", "delayed", &format!("4.4.{number}"));
        club.arrives(&report);
        club.arrives(&report);
        club.pass()
    };
    for number in 1..=4 {
        let (done, letters) = soft(&mut club, number);
        assert_eq!(done.bounced.len(), 1, "a repeated report counts once");
        assert_eq!(letters.len(), 0);
    }
    club.writes("Bob", "status");
    club.pass();
    assert_eq!(member(&club, "Bob").soft_bounces, 0);
    for number in 5..=8 {
        assert_eq!(soft(&mut club, number).1.len(), 0);
    }
    assert_eq!(soft(&mut club, 9).1.len(), 1);
    assert!(member(&club, "Bob").undeliverable.is_some());
}

#[test]
fn a_forged_report_silences_nobody() {
    let mut club = club();
    let bob = club.last_to("Bob").expect("a letter").clone();
    let ann = club.last_to("Ann").expect("a letter").clone();
    let genuine = report(&bob, "bob@example.org", "failed", "5.1.1");
    let seal = bob.header("Reply-To").expect("a reply address");
    let seal = seal.rsplit_once('@').expect("an address").0.rsplit_once('.').expect("a seal").1;
    // Message-IDs can be guessed, and whoever plays has a token of his own.
    club.arrives(genuine.replace(seal, "aaaaaaaaaaaaaaaaaaaaaaaaaa"));
    club.arrives(genuine.replace("Reply-To:", "X-Gone:").replace(seal, ""));
    club.arrives(report(&ann, "bob@example.org", "failed", "5.1.1"));
    // A server tells of somebody to whom nothing was sent.
    club.arrives(report(&bob, "eve@example.net", "failed", "5.1.1"));
    let (done, letters) = club.pass();
    assert_eq!((done.quarantined, done.bounced.len()), (4, 0));
    assert_eq!(letters.len(), 1);
    assert_eq!(club.tray(".quarantine/cur").len(), 4);
    for name in ["Ann", "Bob"] {
        assert_eq!(member(&club, name).undeliverable, None);
    }
}

#[test]
fn what_is_known_of_a_member_survives_a_restore() {
    let mut club = club();
    loses(&mut club, "Bob");
    let before = member(&club, "Bob");
    let again = Club::new();
    let restored = again.office().restore(&club.folder().join("journal")).expect("it is whole");
    assert_eq!(restored.members, 3);
    assert_eq!(member(&again, "Bob"), before);
}
