//! Sending letters to an SMTP server that is slow, that hangs, or whose connection is attacked.

use crate::outbound_transport::shell_mail_program;
use crate::rig::Club;
use crate::rig::moderator_letters::{MOD_ADDRESS, introduce_mod, send_mod_reply};
use crate::rig::smtp_server::{STEPS, SmtpServer};
use chrono::TimeDelta;
use postrider::games::find_kind;
use postrider::mail::settings::TlsMode;
use postrider::mail::transport::{OutgoingMessage, PostError, Transport};
use postrider::mail::{PermanentFault, Timeouts};
use postrider::process::{self, PassReport};
use std::collections::BTreeSet;
use std::time::Duration;

fn club_with_queued_letters() -> Club {
    let mut club = Club::with_settings("clock: {deadline: 2 days, nmr: forfeit}\n");
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    club
}

/// Runs a pass, then advances the clock by one hour.
fn run_pass(club: &mut Club, transport: &mut dyn Transport) -> PassReport {
    let report = process::run_pass(&club.open_context(), transport).expect("the pass works");
    club.now += TimeDelta::hours(1);
    report
}

fn post_letter(transport: &mut dyn Transport, to: &str) -> Result<(), PostError> {
    let bytes = b"Subject: x\r\n\r\nhello\r\n";
    transport.post(&OutgoingMessage { message_id: "x@example.org", recipient: to, bytes })
}

fn patience_from_millis(step: u64, letter: u64, session: u64) -> Timeouts {
    let [step, letter, session] = [step, letter, session].map(Duration::from_millis);
    Timeouts { step, letter, session }
}

/// Returns the answers to a whole session of three letters, which an attacker appends to the answer
/// to STARTTLS.
fn injected_answers() -> String {
    let letter = ["250 ok", "250 ok", "354 go on", "250 taken", "250 ok"];
    let start = ["220 go on", "250-test", "250 AUTH PLAIN", "235 welcome"];
    start.into_iter().chain(letter.into_iter().cycle().take(14)).collect::<Vec<_>>().join("\r\n")
}

#[test]
fn answers_injected_before_tls_are_refused() {
    let server = SmtpServer::start();
    let mut club = club_with_queued_letters();
    server
        .set_features(&["STARTTLS", "AUTH PLAIN"])
        .reply_at("STARTTLS", &injected_answers())
        .hang_at("AUTH");
    let report = run_pass(&mut club, &mut server.transport_with_tls(TlsMode::Starttls));
    assert_eq!((report.posted, server.accepted_letters().len()), (0, 0), "{report:?}");
    assert!(report.troubles[0].contains("follows the answer to STARTTLS"), "{report:?}");
    server.reset_behavior();
    let report = run_pass(&mut club, &mut server.transport_with_tls(TlsMode::Starttls));
    assert_eq!((report.posted, report.troubles.len(), server.accepted_letters().len()), (3, 0, 3));
}

#[test]
fn only_ehlo_and_starttls_are_sent_unencrypted() {
    let server = SmtpServer::start();
    server.set_features(&["STARTTLS", "AUTH LOGIN PLAIN", "8BITMIME"]);
    let mut transport = server.transport_with_tls(TlsMode::Starttls);
    for name in ["ann", "bob"] {
        post_letter(&mut transport, &format!("{name}@example.org")).expect("it is taken");
    }
    drop(transport);
    let commands = server.commands();
    let of = |encrypted| {
        let commands = commands.iter().filter(move |(is, _)| *is == encrypted);
        commands.map(|(_, command)| command.as_str()).collect::<Vec<_>>()
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
fn address_beyond_ascii_needs_smtputf8_server() {
    let (zoe, bob) = ("zo\u{e9}@xn--exmple-cua.fr", "bob@xn--exmple-cua.fr");
    let server = SmtpServer::start();
    server.set_features(&["AUTH PLAIN", "8BITMIME"]);
    let answer = post_letter(&mut server.plain_transport(), zoe);
    let is_refused = matches!(&answer, Err(PostError::Refused(why)) if why.contains("SMTPUTF8"));
    assert!(is_refused, "{answer:?}");
    post_letter(&mut server.plain_transport(), bob).expect("its host is ASCII");
    server.set_features(&["AUTH PLAIN", "8BITMIME", "SMTPUTF8"]);
    post_letter(&mut server.plain_transport(), zoe).expect("the server can send it");
    let commands: Vec<String> = server.commands().into_iter().map(|(_, line)| line).collect();
    for command in ["MAIL FROM:<games@example.org> SMTPUTF8", &format!("RCPT TO:<{zoe}>")] {
        assert!(commands.iter().any(|line| line == command), "{command}: {commands:?}");
    }
}

#[test]
fn moderator_is_told_that_server_lacks_smtputf8() {
    let server = SmtpServer::start();
    let mut club = Club::with_settings("");
    introduce_mod(&mut club);
    send_mod_reply(&mut club, "invite Zoe zo\u{e9}@example.net");
    run_pass(&mut club, &mut server.plain_transport());
    run_pass(&mut club, &mut server.plain_transport());
    let notes = server.accepted_letters();
    let is_told = |(to, text): &(String, String)| to == MOD_ADDRESS && text.contains("SMTPUTF8");
    assert!(notes.iter().any(is_told), "{notes:?}");
}

#[test]
fn untrusted_certificate_gets_no_password() {
    let server = SmtpServer::start();
    server.set_features(&["STARTTLS", "AUTH PLAIN"]);
    let answer = post_letter(&mut server.transport_without_ca(), "ann@example.org");
    assert!(matches!(answer, Err(PostError::NeedsFix(PermanentFault::Settings, _))), "{answer:?}");
    assert!(server.commands().iter().all(|(is_encrypted, _)| !is_encrypted));
}

#[test]
fn auth_login_answers_each_challenge() {
    let server = SmtpServer::start();
    server.set_features(&["AUTH LOGIN"]);
    post_letter(&mut server.plain_transport(), "ann@example.org").expect("it is taken");
    let commands = server.commands().into_iter().map(|(_, command)| command);
    let answers = ["club", "secret"].map(|word| data_encoding::BASE64.encode(word.as_bytes()));
    let expected = ["AUTH LOGIN", &answers[0], &answers[1]];
    assert_eq!(commands.skip(1).take(3).collect::<Vec<_>>(), expected);
}

#[test]
fn slow_or_endless_answers_end_session_in_time() {
    // Most of the time is spent waiting, so the three failures are tested in parallel.
    std::thread::scope(|scope| {
        for failure in ["hangs", "drips", "waits"] {
            scope.spawn(move || {
                STEPS.into_iter().for_each(|step| assert_pass_ends_in_time(step, failure));
            });
        }
    });
}

/// Asserts that a pass ends in time if the server fails at this step. The next pass must send all
/// letters.
fn assert_pass_ends_in_time(step: &str, failure: &str) {
    let server = SmtpServer::start();
    let mut club = club_with_queued_letters();
    match failure {
        "hangs" => server.hang_at(step),
        "drips" => server.send_slowly_at(step),
        _ => server.delay_at(step, Duration::from_millis(500)),
    };
    let mut transport = server.plain_transport().with_timeouts(patience_from_millis(150, 250, 400));
    let report = run_pass(&mut club, &mut transport);
    drop(transport);
    assert_eq!((report.posted, report.troubles.is_empty()), (0, false), "{step} {failure}");
    server.reset_behavior();
    let report = run_pass(&mut club, &mut server.plain_transport());
    assert_eq!(report.posted, 3, "{step} {failure}: every letter was kept");
}

#[test]
fn letter_over_time_limit_stays_queued() {
    let server = SmtpServer::start();
    let mut club = club_with_queued_letters();
    let pause = Duration::from_millis(150);
    // Each step is within its time limit, but the whole letter is not.
    server.delay_at("MAIL", pause).delay_at("RCPT", pause).delay_at("TEXT", pause);
    let mut transport =
        server.plain_transport().with_timeouts(patience_from_millis(400, 400, 20_000));
    let report = run_pass(&mut club, &mut transport);
    drop(transport);
    assert_eq!(report.posted, 0, "{report:?}");
    server.reset_behavior();
    assert_eq!(run_pass(&mut club, &mut server.plain_transport()).posted, 3);
}

#[test]
fn slow_server_gets_each_letter_once() {
    let server = SmtpServer::start();
    let mut club = club_with_queued_letters();
    server.delay_at("RCPT", Duration::from_millis(800));
    let mut posted = Vec::new();
    for _ in 0..9 {
        let patience = patience_from_millis(10_000, 10_000, 1_300);
        posted.push(
            run_pass(&mut club, &mut server.plain_transport().with_timeouts(patience)).posted,
        );
    }
    assert!(posted[0] < 3 && posted.iter().sum::<usize>() == 3, "{posted:?}");
    let ids = server.accepted_ids_from(0);
    assert_eq!((ids.len(), ids.iter().collect::<BTreeSet<_>>().len()), (3, 3), "{ids:?}");
}

#[test]
fn timeout_after_text_makes_delivery_uncertain() {
    let server = SmtpServer::start();
    for (step, doubtful) in [("RCPT", false), ("DATA", false), ("TEXT", true)] {
        server.reset_behavior().hang_at(step);
        let mut transport =
            server.plain_transport().with_timeouts(patience_from_millis(400, 5_000, 5_000));
        let answer =
            post_letter(&mut transport, "ann@example.org").map_err(PostError::unwrap_possibly_sent);
        let Err((PostError::Temporary(why), is_doubtful)) = &answer else {
            panic!("{step} {answer:?}")
        };
        assert_eq!((why.as_str(), *is_doubtful), ("the step timed out", doubtful), "{step}");
    }
}

#[test]
fn one_slow_recipient_delays_no_other_letter() {
    let server = SmtpServer::start();
    let mut club = club_with_queued_letters();
    server.hang_at_for("ann@example.org", "RCPT");
    let mut transport =
        server.plain_transport().with_timeouts(patience_from_millis(400, 5_000, 5_000));
    let report = run_pass(&mut club, &mut transport);
    assert_eq!(report.posted, 2, "{report:?}");
}

#[test]
fn uncertain_delivery_is_retried_only_later() {
    let server = SmtpServer::start();
    let mut club = club_with_queued_letters();
    server.accept_and_hang();
    for _ in 0..10 {
        // The time limit of the session is too short for all three letters.
        let mut transport =
            server.plain_transport().with_timeouts(patience_from_millis(200, 5_000, 300));
        process::run_pass(&club.open_context(), &mut transport).expect("the pass works");
    }
    let ids = server.accepted_ids_from(0);
    assert_eq!((ids.len(), ids.iter().collect::<BTreeSet<_>>().len()), (3, 3), "{ids:?}");
    club.now += TimeDelta::hours(1);
    server.reset_behavior();
    assert_eq!(run_pass(&mut club, &mut server.plain_transport()).posted, 3);
}

#[test]
fn mail_program_time_limit_covers_all_letters() {
    let club = Club::new();
    let mut slow = shell_mail_program(&club, "sleep 1")
        .with_timeouts(patience_from_millis(5_000, 5_000, 1_500));
    assert_eq!(post_letter(&mut slow, "ann@example.org"), Ok(()));
    // The first letter takes about one second of the 1.5 seconds. The time limit stops the second
    // letter while the program runs.
    let second = post_letter(&mut slow, "bob@example.org").map_err(PostError::unwrap_possibly_sent);
    assert!(matches!(second, Err((PostError::Unavailable(_), true))), "{second:?}");
    let third = post_letter(&mut slow, "cid@example.org").map_err(PostError::unwrap_possibly_sent);
    assert!(matches!(third, Err((PostError::Unavailable(_), false))), "{third:?}");
}
