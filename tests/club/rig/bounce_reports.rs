//! Bounces: the reports of mail servers, and members who become undeliverable.

use super::{Club, PostedLetter, address};

/// Composes a mail server's report that a letter did not reach the address `to`.
pub fn compose_bounce_report(
    letter: &PostedLetter,
    to: &str,
    action: &str,
    status: &str,
) -> String {
    let head = String::from_utf8(letter.bytes.clone()).expect("it is text");
    let head = head.split("\r\n\r\n").next().expect("it has a head").to_owned();
    let of = letter.message_id.split('@').next().unwrap_or_default();
    format!(
        "Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.example.net\r\nTo: games@example.org\r\n\
         Subject: Undelivered Mail\r\nMessage-ID: <{action}-{status}.{of}@mx.example.net>\r\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n\
         --b\r\n\r\nSorry.\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n\
         Reporting-MTA: dns; mx.example.net\r\n\r\nFinal-Recipient: rfc822; {to}\r\n\
         Action: {action}\r\nStatus: {status}\r\n\r\n\
         --b\r\nContent-Type: message/rfc822\r\n\r\n{head}\r\n\r\nhello\r\n--b--\r\n"
    )
}

/// Returns the probe among the letters. Panics if there is none.
pub fn find_probe(letters: &[PostedLetter]) -> &PostedLetter {
    let is_probe = |letter: &&PostedLetter| letter.message_id.starts_with("p.");
    letters.iter().find(is_probe).unwrap_or_else(|| panic!("no probe: {letters:?}"))
}

/// Makes the last letter to a member and the probe bounce. Returns the letters of the second pass.
pub fn make_undeliverable(club: &mut Club, name: &str) -> Vec<PostedLetter> {
    let letter = club.last_letter_to(name).expect("a letter").clone();
    club.deliver(compose_bounce_report(&letter, &address(name), "failed", "5.1.1"));
    let (_, letters) = club.run_pass();
    club.deliver(compose_bounce_report(find_probe(&letters), &address(name), "failed", "5.1.1"));
    let (_, letters) = club.run_pass();
    assert!(club.member(name).undeliverable_since().is_some());
    letters
}
