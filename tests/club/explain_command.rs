//! Tests the reasons that `postrider explain` gives for letters that get no answer.

use crate::rig::Club;
use postrider::process;

#[test]
fn explain_tells_why_letter_is_unanswered() {
    let club = Club::with_paris_game("");
    let context = club.open_context();
    for (headers, why) in [
        ("X-Postrider: postrider 1", "one of our own e-mails that came back"),
        ("Return-Path: <MAILER-DAEMON@mx.example.net>", "sent by a mail system"),
        ("Auto-Submitted: auto-replied", "sent by a program"),
        ("Subject: Out of office: moves", "an out-of-office reply or a receipt"),
        ("List-Id: <chess.example.net>", "sent over a mailing list"),
        ("Precedence: bulk", "sent to many at once"),
        ("X-Loop: chess", "marked to prevent loops"),
        ("Return-Path: <>", "sent without a return address"),
        ("X-Auto-Response-Suppress: All", "its sender doesn't want automatic replies"),
        ("From: games@example.org", "its sender is the club itself"),
    ] {
        let from = if headers.starts_with("From") { "" } else { "From: zoe@example.net\r\n" };
        let letter = format!("{from}{headers}\r\nTo: games@example.org\r\n\r\nhello\r\n");
        let (understood, answer) =
            process::explain_letter(&context, letter.as_bytes()).expect("it works");
        let reason =
            understood.rejection_reason().map(|why| context.library.language("en").localize(why));
        assert_eq!((reason.as_deref(), answer.is_none()), (Some(why), true), "{headers}");
    }
}
