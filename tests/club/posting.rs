//! Posting to an SMTP server that is attacked, or that takes its time.

use crate::rig::Club;
use crate::rig::smtp_server::{STEPS, SmtpServer};
use crate::way_out::program;
use chrono::TimeDelta;
use postrider::games::kind;
use postrider::mail::settings::Tls;
use postrider::mail::transport::{OutgoingMessage, PostError, Transport};
use postrider::mail::{Mend, Patience};
use postrider::process::{self, PassReport};
use std::collections::BTreeSet;
use std::time::Duration;

/// A club with three letters in its outbox.
fn club() -> Club {
    let mut club = Club::with("clock: {deadline: 2 days, nmr: forfeit}\n");
    club.found(kind("paris-connection").expect("it ships"), 3, 7);
    club
}

/// One pass, and an hour.
fn pass(club: &mut Club, transport: &mut dyn Transport) -> PassReport {
    let report = process::pass(&club.context(), transport).expect("the pass works");
    club.now += TimeDelta::hours(1);
    report
}

fn post(transport: &mut dyn Transport, to: &str) -> Result<(), PostError> {
    let bytes = b"Subject: x\r\n\r\nhello\r\n";
    transport.post(&OutgoingMessage { message_id: "x@example.org", recipient: to, bytes })
}

fn millis(step: u64, letter: u64, session: u64) -> Patience {
    let [step, letter, session] = [step, letter, session].map(Duration::from_millis);
    Patience { step, letter, session }
}

/// The answers of an attacker to a whole session of three letters, behind the answer to STARTTLS.
fn injected() -> String {
    let letter = ["250 ok", "250 ok", "354 go on", "250 taken", "250 ok"];
    let start = ["220 go on", "250-test", "250 AUTH PLAIN", "235 welcome"];
    start.into_iter().chain(letter.into_iter().cycle().take(14)).collect::<Vec<_>>().join("\r\n")
}

#[test]
fn answers_injected_before_tls_are_refused() {
    let server = SmtpServer::start();
    let mut club = club();
    server.offers(&["STARTTLS", "AUTH PLAIN"]).says("STARTTLS", &injected()).hangs("AUTH");
    let report = pass(&mut club, &mut server.transport_by(Tls::Starttls));
    assert_eq!((report.posted, server.taken().len()), (0, 0), "{report:?}");
    assert!(report.troubles[0].contains("follows the answer to STARTTLS"), "{report:?}");
    server.is_well();
    let report = pass(&mut club, &mut server.transport_by(Tls::Starttls));
    assert_eq!((report.posted, report.troubles.len(), server.taken().len()), (3, 0, 3));
}

#[test]
fn only_starttls_is_said_in_the_clear() {
    let server = SmtpServer::start();
    server.offers(&["STARTTLS", "AUTH LOGIN PLAIN", "8BITMIME"]);
    let mut transport = server.transport_by(Tls::Starttls);
    for name in ["ann", "bob"] {
        post(&mut transport, &format!("{name}@example.org")).expect("it is taken");
    }
    drop(transport);
    let heard = server.heard();
    let of = |encrypted| {
        let heard = heard.iter().filter(move |(is, _)| *is == encrypted);
        heard.map(|(_, command)| command.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(of(false), ["EHLO example.org", "STARTTLS"]);
    let auth = data_encoding::BASE64.encode(b"\0club\0secret");
    assert_eq!(
        of(true),
        [
            "EHLO example.org",
            &format!("AUTH PLAIN {auth}"),
            "MAIL FROM:<games@example.org>",
            "RCPT TO:<ann@example.org>",
            "DATA",
            "RSET",
            "MAIL FROM:<games@example.org>",
            "RCPT TO:<bob@example.org>",
            "DATA",
            "QUIT",
        ]
    );
}

#[test]
fn untrusted_certificate_gets_no_password() {
    let server = SmtpServer::start();
    server.offers(&["STARTTLS", "AUTH PLAIN"]);
    let answer = post(&mut server.distrustful_transport(), "ann@example.org");
    assert!(matches!(answer, Err(PostError::Shut(Mend::Settings, _))), "{answer:?}");
    assert!(server.heard().iter().all(|(is_encrypted, _)| !is_encrypted));
}

#[test]
fn login_answers_each_challenge() {
    let server = SmtpServer::start();
    server.offers(&["AUTH LOGIN"]);
    post(&mut server.transport(), "ann@example.org").expect("it is taken");
    let heard = server.heard().into_iter().map(|(_, command)| command);
    let answers = ["club", "secret"].map(|word| data_encoding::BASE64.encode(word.as_bytes()));
    let expected = ["AUTH LOGIN", &answers[0], &answers[1]];
    assert_eq!(heard.skip(1).take(3).collect::<Vec<_>>(), expected);
}

#[test]
fn slow_or_endless_answers_end_a_session_in_time() {
    // Most of the time is waited for, so it is waited for side by side.
    std::thread::scope(|scope| {
        for way in ["hangs", "drips", "waits"] {
            scope.spawn(move || STEPS.into_iter().for_each(|step| ends_in_time(step, way)));
        }
    });
}

/// The server is slow at this step in this way, for as long as somebody waits: the pass ends, and
/// the next one posts all.
fn ends_in_time(step: &str, way: &str) {
    let server = SmtpServer::start();
    let mut club = club();
    match way {
        "hangs" => server.hangs(step),
        "drips" => server.drips(step),
        _ => server.waits(step, Duration::from_millis(500)),
    };
    let mut transport = server.transport().patient_for(millis(150, 250, 400));
    let report = pass(&mut club, &mut transport);
    drop(transport);
    assert_eq!((report.posted, report.troubles.is_empty()), (0, false), "{step} {way}");
    server.is_well();
    let report = pass(&mut club, &mut server.transport());
    assert_eq!(report.posted, 3, "{step} {way}: every letter was kept");
}

#[test]
fn letter_that_takes_too_long_is_kept() {
    let server = SmtpServer::start();
    let mut club = club();
    let pause = Duration::from_millis(150);
    // Each step is in time, and all together are not.
    server.waits("MAIL", pause).waits("RCPT", pause).waits("TEXT", pause);
    let mut transport = server.transport().patient_for(millis(400, 400, 20_000));
    let report = pass(&mut club, &mut transport);
    drop(transport);
    assert_eq!(report.posted, 0, "{report:?}");
    server.is_well();
    assert_eq!(pass(&mut club, &mut server.transport()).posted, 3);
}

#[test]
fn slow_server_takes_each_letter_once() {
    let server = SmtpServer::start();
    let mut club = club();
    server.waits("RCPT", Duration::from_millis(800));
    let mut posted = Vec::new();
    for _ in 0..9 {
        let patience = millis(10_000, 10_000, 1_300);
        posted.push(pass(&mut club, &mut server.transport().patient_for(patience)).posted);
    }
    assert!(posted[0] < 3 && posted.iter().sum::<usize>() == 3, "{posted:?}");
    let ids = server.ids_from(0);
    assert_eq!((ids.len(), ids.iter().collect::<BTreeSet<_>>().len()), (3, 3), "{ids:?}");
}

#[test]
fn letter_is_doubtful_once_its_text_was_sent() {
    let server = SmtpServer::start();
    for (step, doubtful) in [("RCPT", false), ("DATA", false), ("TEXT", true)] {
        server.is_well().hangs(step);
        let mut transport = server.transport().patient_for(millis(400, 5_000, 5_000));
        let answer = post(&mut transport, "ann@example.org").map_err(PostError::apart);
        let Err((PostError::Later(why), is_doubtful)) = &answer else {
            panic!("{step} {answer:?}")
        };
        assert_eq!((why.as_str(), *is_doubtful), ("the step timed out", doubtful), "{step}");
    }
}

#[test]
fn one_slow_recipient_delays_no_other_letter() {
    let server = SmtpServer::start();
    let mut club = club();
    server.hangs_for("ann@example.org", "RCPT");
    let mut transport = server.transport().patient_for(millis(400, 5_000, 5_000));
    let report = pass(&mut club, &mut transport);
    assert_eq!(report.posted, 2, "{report:?}");
}

#[test]
fn letter_perhaps_taken_is_put_off() {
    let server = SmtpServer::start();
    let mut club = club();
    server.takes_and_hangs();
    for _ in 0..10 {
        // A pass has no time for all three.
        let mut transport = server.transport().patient_for(millis(200, 5_000, 300));
        process::pass(&club.context(), &mut transport).expect("the pass works");
    }
    let ids = server.ids_from(0);
    assert_eq!((ids.len(), ids.iter().collect::<BTreeSet<_>>().len()), (3, 3), "{ids:?}");
    club.now += TimeDelta::hours(1);
    server.is_well();
    assert_eq!(pass(&mut club, &mut server.transport()).posted, 3);
}

#[test]
fn mail_program_is_bounded_over_all_letters() {
    let club = Club::new();
    let mut slow = program(&club, "sleep 1").patient_for(millis(5_000, 5_000, 1_500));
    assert_eq!(post(&mut slow, "ann@example.org"), Ok(()));
    // The first letter has left a little time, which the second one uses up.
    let second = post(&mut slow, "bob@example.org").map_err(PostError::apart);
    assert!(matches!(second, Err((PostError::Down(_), true))), "{second:?}");
    let third = post(&mut slow, "cid@example.org").map_err(PostError::apart);
    assert!(matches!(third, Err((PostError::Down(_), false))), "{third:?}");
}
