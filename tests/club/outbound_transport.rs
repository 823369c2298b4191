//! Errors of the outbound transport: the club keeps its letters if the transport is at fault, and
//! blames a letter or member only if others are accepted.

use crate::rig::pass_result::PassResult;
use crate::rig::smtp_server::{STEPS, SmtpServer, transport_to};
use crate::rig::{Club, PostedLetter, address};
use chrono::TimeDelta;
use postrider::games::find_kind;
use postrider::mail::settings::{SendmailSettings, TlsMode};
use postrider::mail::transport::{OutgoingMessage, PostError, SendmailTransport, Transport};
use postrider::mail::{Letter, Timeouts};
use postrider::process;
use postrider::testing::sample_or_all;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

/// Returns a club with a game that Ann begins, and a deadline of two days.
fn timed_club() -> Club {
    let mut club = Club::with_settings("clock: {deadline: 2 days, nmr: forfeit}\n");
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    club
}

fn run_pass_with(club: &mut Club, transport: &mut dyn Transport, hours: i64) -> PassResult {
    let context = club.open_context();
    let report = process::run_pass(&context, transport).expect("the pass works");
    let report = PassResult::new(&context, report);
    drop(context);
    club.now += TimeDelta::hours(hours);
    report
}

fn message_to(to: &str) -> OutgoingMessage<'_> {
    OutgoingMessage {
        message_id: "x@example.org",
        recipient: to,
        bytes: b"Subject: x\r\n\r\nhello\r\n",
    }
}

#[test]
fn refused_session_keeps_every_letter() {
    for (step, answer) in [
        ("HELLO", "554 5.7.1 we do not know you"),
        ("EHLO", "550 you are nobody"),
        ("AUTH", "535 5.7.8 wrong password"),
        ("AUTH", "534 5.7.9 a password of an application is needed"),
        ("AUTH", "454 4.7.0 not now"),
        ("MAIL", "530 5.7.0 authentication required"),
        ("MAIL", "550 5.4.5 daily sending limit exceeded"),
        ("MAIL", "452 4.3.1 no room"),
        ("RCPT", "421 shutting down"),
        ("RCPT", "554 5.7.1 relay access denied"),
        ("RCPT", "550 no such user"),
        ("RCPT", "452 too much at the moment"),
        ("DATA", "451 4.3.0 not now"),
        ("DATA", "554 no valid recipients"),
        ("TEXT", "554 5.7.1 looks like spam"),
        ("TEXT", "550 5.4.5 daily sending limit exceeded"),
        ("TEXT", "451 4.3.0 disk full"),
        ("TEXT", "421 shutting down"),
    ] {
        let server = SmtpServer::start();
        let mut club = timed_club();
        server.reply_at(step, answer);
        for _ in 0..3 {
            let report = run_pass_with(&mut club, &mut server.plain_transport(), 1);
            let outcome = (report.posted, report.queued_letters, report.troubles.is_empty());
            assert_eq!(outcome, (0, 3, false), "{step}: {answer}: {report:?}");
            let is_permanent = answer.starts_with("53");
            assert_eq!(
                !report.lasting_troubles.is_empty(),
                is_permanent,
                "{step}: {answer}: {report:?}"
            );
        }
        server.reset_behavior();
        let report = run_pass_with(&mut club, &mut server.plain_transport(), 1);
        assert_eq!((report.posted, report.queued_letters), (3, 0), "{step}: {answer}");
        for name in ["Ann", "Bob", "Cid"] {
            assert_eq!(club.member(name).undeliverable_since(), None, "{step}: {answer}");
        }
        assert_eq!(server.accepted_letters().len(), 3);
    }
}

#[test]
fn cut_connection_loses_nothing_and_repeats_uncertain_letters() {
    for step in STEPS {
        let server = SmtpServer::start();
        let mut club = timed_club();
        server.disconnect_at(step);
        for _ in 0..2 {
            assert_eq!(
                run_pass_with(&mut club, &mut server.plain_transport(), 1).queued_letters,
                3,
                "{step}"
            );
        }
        server.reset_behavior();
        let report = run_pass_with(&mut club, &mut server.plain_transport(), 1);
        assert_eq!((report.posted, report.queued_letters), (3, 0), "{step}");
        assert_eq!(server.accepted_letters().len(), 3, "{step}");
    }
    let server = SmtpServer::start();
    let mut club = timed_club();
    server.accept_and_disconnect();
    assert_eq!(run_pass_with(&mut club, &mut server.plain_transport(), 1).queued_letters, 3);
    server.reset_behavior();
    assert_eq!(run_pass_with(&mut club, &mut server.plain_transport(), 1).queued_letters, 0);
    let ids = server.accepted_ids_from(0);
    assert_eq!((ids.len(), ids.iter().collect::<BTreeSet<_>>().len()), (6, 3), "{ids:?}");
}

#[test]
fn letters_share_connection_and_dead_one_is_reopened() {
    let server = SmtpServer::start();
    let mut transport = server.plain_transport();
    for name in ["ann", "bob", "cid"] {
        transport.post(&message_to(&format!("{name}@example.org"))).expect("it is taken");
    }
    assert_eq!(server.session_and_step_counts("AUTH"), (1, 1));
    server.reply_at_for("bob@example.org", "RCPT", "550 5.1.1 no such user");
    let refused = transport.post(&message_to("bob@example.org"));
    assert!(matches!(refused, Err(PostError::RecipientRefused(_))), "{refused:?}");
    transport.post(&message_to("ann@example.org")).expect("one that is refused harms no other");
    assert_eq!(server.session_and_step_counts("AUTH"), (1, 1));
    server.disconnect_at("TEXT");
    let cut =
        transport.post(&message_to("ann@example.org")).map_err(PostError::unwrap_possibly_sent);
    assert!(matches!(cut, Err((PostError::Temporary(_), true))), "{cut:?}");
    server.reset_behavior();
    transport.post(&message_to("ann@example.org")).expect("over a new line");
    assert_eq!(server.session_and_step_counts("AUTH"), (2, 2));
    let dotted = OutgoingMessage {
        bytes: b"Subject: x\r\n\r\n.\r\n..\r\n",
        ..message_to("ann@example.org")
    };
    transport.post(&dotted).expect("it is taken");
    assert!(server.accepted_letters().last().is_some_and(|(_, text)| text.contains("\n.\n..\n")));
}

#[test]
fn unsuitable_server_counts_as_closed_transport() {
    let assert_unavailable = |transport: &mut dyn Transport| {
        let answer = transport
            .post(&message_to("ann@example.org"))
            .map_err(|error| error.unwrap_possibly_sent().0);
        assert!(
            matches!(answer, Err(PostError::Unavailable(_) | PostError::NeedsFix(..))),
            "{answer:?}"
        );
    };
    let server = SmtpServer::start();
    assert_unavailable(&mut server.transport_with_tls(TlsMode::Starttls));
    assert_unavailable(&mut server.transport_with_tls(TlsMode::Tls));
    server.set_features(&["STARTTLS", "AUTH PLAIN"]).reply_at("STARTTLS", "454 4.7.0 no TLS now");
    assert_unavailable(&mut server.transport_with_tls(TlsMode::Starttls));
    // The server accepts STARTTLS, but then sends no TLS.
    server.reply_at("STARTTLS", "220 go on\r\n250 what do you say?\r\n250 I do not understand");
    assert_unavailable(&mut server.transport_with_tls(TlsMode::Starttls));
    server.reset_behavior().set_features(&["8BITMIME"]);
    assert_unavailable(&mut server.plain_transport());
    server.set_features(&["AUTH PLAIN"]).reply_at("DATA", "250 ok");
    let answer = server.plain_transport().post(&message_to("ann@example.org"));
    assert!(
        matches!(answer, Err(PostError::Temporary(_))),
        "another letter may fare better: {answer:?}"
    );
    for step in ["HELLO", "EHLO", "AUTH", "MAIL"] {
        server.reset_behavior().hang_at(step);
        let short = Duration::from_millis(50);
        assert_unavailable(
            &mut server
                .plain_transport()
                .with_timeouts(Timeouts { step: short, ..Timeouts::default() }),
        );
    }
    assert!(server.accepted_letters().is_empty());
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Delivers a player's reply to the last letter to them that the server has accepted.
fn reply_to_accepted_letter(club: &mut Club, server: &SmtpServer, name: &str, body: &str) {
    let accepted = server.accepted_letters();
    let (to, text) = accepted.iter().rfind(|(to, _)| *to == address(name)).expect("a letter");
    let bytes = text.replace('\n', "\r\n").into_bytes();
    let letter = PostedLetter { to: to.clone(), message_id: String::new(), bytes };
    let reply = club.compose_reply_to(name, &letter, body);
    club.deliver(reply);
}

/// Runs passes until a member is undeliverable, after 20 hours. Returns the note to the moderator.
fn run_until_undeliverable(club: &mut Club, server: &SmtpServer, name: &str) -> String {
    for _ in 0..30 {
        if club.member(name).undeliverable_since().is_some() {
            let (to, note) = server.accepted_letters().pop().expect("a note");
            assert_eq!(to, "mod@example.org");
            return on_one_line(&note);
        }
        run_pass_with(club, &mut server.plain_transport(), 1);
    }
    panic!("{name} is never given up");
}

#[test]
fn member_refused_in_session_becomes_undeliverable() {
    let server = SmtpServer::start();
    let mut club = timed_club();
    run_pass_with(&mut club, &mut server.plain_transport(), 1);
    server.reply_at_for(&address("Bob"), "RCPT", "550 5.2.1 mailbox disabled");
    reply_to_accepted_letter(&mut club, &server, "Ann", "build red G23, Troyes");
    let before = server.accepted_letters().len();
    let report = run_pass_with(&mut club, &mut server.plain_transport(), 1);
    assert_eq!((report.posted, report.queued_letters), (3, 1), "Ann, Cid and the moderator");
    let accepted = server.accepted_letters().split_off(before);
    let [_, _, (to, note)] = &accepted[..] else { panic!("{accepted:?}") };
    assert_eq!(to, "mod@example.org");
    assert!(on_one_line(note).contains("550 5.2.1 mailbox disabled"), "{note}");
    let note = run_until_undeliverable(&mut club, &server, "Bob");
    assert!(
        note.contains("550 5.2.1 mailbox disabled") && note.contains("E-mails to Bob"),
        "{note}"
    );
    // Bob's deadline stands still, and no more letters about it are sent.
    for _ in 0..20 {
        let report = run_pass_with(&mut club, &mut server.plain_transport(), 12);
        assert_eq!((report.absent_turns, report.posted, report.queued_letters), (0, 0, 0));
    }
    server.reset_behavior();
    let before = server.accepted_letters().len();
    reply_to_accepted_letter(&mut club, &server, "Bob", "status");
    run_pass_with(&mut club, &mut server.plain_transport(), 1);
    let accepted = server.accepted_letters().split_off(before);
    let to: Vec<&str> = accepted.iter().map(|(to, _)| &**to).collect();
    assert_eq!(to, ["bob@example.org"; 2]);
    let missed =
        |(_, text): &(String, String)| on_one_line(text).contains("Ann builds red on G23 and G25");
    assert!(
        accepted.iter().any(missed),
        "the news of the refused letter is repeated: {accepted:?}"
    );
}

#[test]
fn refusal_is_reported_without_password() {
    let server = SmtpServer::start();
    let mut club = timed_club();
    run_pass_with(&mut club, &mut server.plain_transport(), 1);
    server.reply_at_for(&address("Bob"), "RCPT", "550 5.2.1 mailbox disabled, and secret is wrong");
    reply_to_accepted_letter(&mut club, &server, "Ann", "build red G23, Troyes");
    run_pass_with(&mut club, &mut server.plain_transport(), 1);
    let note = on_one_line(&server.accepted_letters().pop().expect("a note").1);
    assert!(
        note.contains("e-mail to bob@example.org: RCPT TO: 550 5.2.1 mailbox disabled, and *** is"),
        "{note}"
    );
    // This server does not support addresses with non-ASCII characters (SMTPUTF8).
    let mut club = Club::with_settings("");
    let people = [("Ann", "Ann"), ("Zo\u{eb}", "zo\u{eb}@example.org"), ("Cid", "Cid")];
    club.start_game_for("paris-connection", &people, 7);
    server.reset_behavior();
    run_pass_with(&mut club, &mut server.plain_transport(), 1);
    let (_, note) = server.accepted_letters().pop().expect("a note");
    let note = on_one_line(&Letter::parse(note.as_bytes()).expect("a letter").body);
    let why = ": the server has no SMTPUTF8, so it can't send to an address with \
               characters other than a to z before the @.";
    assert!(note.contains(why) && note.contains("without a status code"), "{note}");
}

#[test]
fn unreachable_player_later_hears_that_game_ended() {
    for are_tokens_rotated in [false, true] {
        let server = SmtpServer::start();
        let mut club = timed_club();
        if are_tokens_rotated {
            process::rotate_member_tokens(&club.open_context(), &address("Bob"))
                .expect("it works")
                .expect("a member");
        }
        run_pass_with(&mut club, &mut server.plain_transport(), 1);
        server.reply_at_for(&address("Bob"), "RCPT", "550 5.1.1 no such user");
        let end = postrider::club::Intervention::End;
        assert!(process::moderate_game(&club.open_context(), 1, &end, "we stop here").is_ok());
        run_until_undeliverable(&mut club, &server, "Bob");
        server.reset_behavior();
        let before = server.accepted_letters().len();
        reply_to_accepted_letter(&mut club, &server, "Bob", "status");
        run_pass_with(&mut club, &mut server.plain_transport(), 1);
        let accepted = server.accepted_letters().split_off(before);
        let end = |(_, text): &(String, String)| on_one_line(text).contains("we stop here");
        assert!(accepted.iter().any(end), "{accepted:?}");
    }
}

#[test]
fn refused_letter_to_stranger_is_dropped_quietly() {
    let server = SmtpServer::start();
    let mut club = timed_club();
    run_pass_with(&mut club, &mut server.plain_transport(), 1);
    server.reply_at_for("eve@example.net", "RCPT", "550 5.1.1 no such user");
    server.reply_at_for("mal@example.net", "RCPT", "554 5.7.1 you are blocked");
    for name in ["eve", "mal"] {
        club.deliver(format!(
            "Return-Path: <{name}@example.net>\r\nFrom: {name}@example.net\r\n\
             To: games@example.org\r\nMessage-ID: <1@{name}.example.net>\r\n\r\nhello\r\n"
        ));
    }
    let report = run_pass_with(&mut club, &mut server.plain_transport(), 1);
    assert_eq!(
        (report.posted, report.queued_letters),
        (0, 1),
        "one of the refusals may be the club's own fault"
    );
    // The transport stays in use: Ann is reminded, and later the other letter is dropped.
    let reports = (0..24).map(|_| run_pass_with(&mut club, &mut server.plain_transport(), 1));
    let reminded: Vec<PassResult> = reports.filter(|report| report.reminders > 0).collect();
    let [report] = &reminded[..] else { panic!("{reminded:?}") };
    assert_eq!((report.posted, report.queued_letters), (1, 0));
    assert!(
        server
            .accepted_letters()
            .iter()
            .all(|(to, _)| !to.contains("mod@") && !to.contains(".net"))
    );
}

#[test]
fn bad_letter_is_blamed_if_moderators_note_leaves() {
    let server = SmtpServer::start();
    let mut club = timed_club();
    run_pass_with(&mut club, &mut server.plain_transport(), 1);
    server.reply_at_for(&address("Ann"), "TEXT", "554 what is this?");
    reply_to_accepted_letter(&mut club, &server, "Ann", "status");
    let report = run_pass_with(&mut club, &mut server.plain_transport(), 1);
    assert_eq!((report.posted, report.queued_letters), (1, 1));
    assert!(server.accepted_letters().last().is_some_and(|(to, _)| to == "mod@example.org"));
    run_until_undeliverable(&mut club, &server, "Ann");
}

#[test]
fn policy_refusal_in_session_is_retried() {
    let server = SmtpServer::start();
    let mut club = timed_club();
    run_pass_with(&mut club, &mut server.plain_transport(), 1);
    server.reply_at_for(&address("Bob"), "RCPT", "552 5.2.2 mailbox full");
    server.reply_at_for(&address("Cid"), "TEXT", "554 5.7.1 looks like spam");
    reply_to_accepted_letter(&mut club, &server, "Ann", "build red G23, Troyes");
    let report = run_pass_with(&mut club, &mut server.plain_transport(), 1);
    assert_eq!((report.posted, report.queued_letters), (1, 2), "Ann has hers, theirs wait");
    for name in ["Bob", "Cid"] {
        let member = club.member(name);
        assert_eq!(
            (member.undeliverable_since(), member.reachability.soft_reports),
            (None, 0),
            "{name}"
        );
    }
    server.reset_behavior();
    let before = server.accepted_letters().len();
    run_pass_with(&mut club, &mut server.plain_transport(), 1);
    let accepted = server.accepted_letters().split_off(before);
    let to: Vec<&str> = accepted.iter().map(|(to, _)| &**to).collect();
    assert_eq!(to, ["bob@example.org", "cid@example.org"], "nothing was lost");
}

/// Runs a club for ten days with passes by `broken`, which posts no letter, and then by `server`.
/// Checks that no player is absent and that each letter is accepted once.
fn run_ten_broken_days(
    kind: &str,
    broken: &mut dyn FnMut(&mut Club) -> PassResult,
    server: &SmtpServer,
) {
    let mut club = timed_club();
    let before = server.reset_behavior().accepted_letters().len();
    run_pass_with(&mut club, &mut server.plain_transport(), 1);
    let letters = server.accepted_letters().split_off(before);
    let (_, turn_letter) = letters.iter().find(|(to, _)| *to == address("Ann")).expect("a letter");
    let reply_to =
        turn_letter.lines().find(|line| line.starts_with("Reply-To: ")).expect("a reply token");
    let reply_address = reply_to.split(['<', '>']).nth(1).expect("an address");
    club.deliver(format!(
        "From: Ann <ann@example.org>\r\nTo: {reply_address}\r\nMessage-ID: <1@example.org>\r\n\r\n\
         build red G23\r\n"
    ));
    let before = before + letters.len();
    let mut absent = 0;
    // Passes that are six hours apart do not count as an outage, which would give the players extra
    // time. A sample lasts 5.5 days, longer than the four days in which a letter is retried.
    for _ in 0..sample_or_all(22, 40) {
        let report = broken(&mut club);
        assert_eq!(report.posted, 0, "{kind}: {report:?}");
        absent += report.absent_turns + report.reminders;
    }
    assert_eq!(absent, 0, "{kind}: nobody could be told anything");
    assert!(club.open_context().store.outbox_length().expect("it reads") >= 3, "{kind}");
    server.reset_behavior();
    for _ in 0..4 {
        absent += run_pass_with(&mut club, &mut server.plain_transport(), 3).absent_turns;
    }
    assert_eq!(absent, 0, "{kind}: a late letter leaves the player at least a day");
    let ids = server.accepted_ids_from(before);
    assert_eq!(ids.len(), ids.iter().collect::<BTreeSet<_>>().len(), "{kind}: {ids:?}");
    let has_turn = |seat: u8| ids.iter().any(|id| id.starts_with(&format!("<g1.s{seat}.r2.")));
    assert!((1..=3).all(has_turn), "{kind}: {ids:?}");
    let context = club.open_context();
    assert_eq!(context.store.outbox_length().expect("it reads"), 0, "{kind}");
    assert_eq!(
        process::load_stored_game(&context, 1).expect("it folds").table.last_record_number(),
        2,
        "{kind}"
    );
    let accepted = server.accepted_letters().split_off(before);
    let notes = accepted.iter().filter(|(to, _)| to == "mod@example.org").count();
    assert_eq!(notes, 1, "{kind}: one note to the moderator that nothing could be posted");
}

#[test]
fn ten_days_of_refusals_lose_no_letter() {
    let server = SmtpServer::start();
    for (step, answer) in [
        ("AUTH", "535 5.7.8 wrong password"),
        ("AUTH", "454 4.7.0 not now"),
        ("MAIL", "421 4.7.0 try later"),
        ("RCPT", "452 4.3.1 insufficient system storage"),
        ("RCPT", "452 too many letters"),
        ("TEXT", "554 5.7.1 looks like spam"),
    ] {
        let broken = &mut |club: &mut Club| {
            server.reply_at(step, answer);
            run_pass_with(club, &mut server.plain_transport(), 6)
        };
        run_ten_broken_days(answer, broken, &server);
    }
}

#[test]
fn ten_days_without_server_lose_no_letter() {
    let server = SmtpServer::start();
    let port = {
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        listener.local_addr().expect("an address").port()
    };
    run_ten_broken_days(
        "refused",
        &mut |club| run_pass_with(club, &mut transport_to(port, TlsMode::None), 6),
        &server,
    );
    for code in [75, 69, 77] {
        let program = &mut |club: &mut Club| {
            let mut transport = shell_mail_program(club, &format!("exit {code}"));
            run_pass_with(club, &mut transport, 6)
        };
        run_ten_broken_days(&format!("sendmail {code}"), program, &server);
    }
}

/// Writes a mail program with this shell script, and returns a transport that runs it.
pub fn shell_mail_program(club: &Club, script: &str) -> SendmailTransport {
    let path = club.folder().join("sendmail");
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).expect("permissions");
    let command = path.display().to_string();
    SendmailTransport::new(&SendmailSettings { command }, "games@example.org")
}

#[test]
fn mail_program_exit_code_decides_error_kind() {
    let club = Club::new();
    let answer =
        |script: &str| shell_mail_program(&club, script).post(&message_to("ann@example.org"));
    assert_eq!(answer("cat > /dev/null"), Ok(()));
    assert_eq!(answer("exit 0"), Ok(()), "a program need not read all of a letter");
    let unknown = answer("echo 5.1.1 unknown user >&2; exit 67");
    let Err(PostError::RecipientRefused(why)) = &unknown else { panic!("{unknown:?}") };
    assert!(why.contains("unknown user"), "{why}");
    assert!(matches!(answer("exit 65"), Err(PostError::Refused(_))));
    for code in [69, 75, 64, 1] {
        assert!(matches!(answer(&format!("exit {code}")), Err(PostError::Temporary(_))), "{code}");
    }
    assert!(matches!(answer("exit 71"), Err(PostError::Unavailable(_))));
    for code in [77, 78, 127] {
        assert!(matches!(answer(&format!("exit {code}")), Err(PostError::NeedsFix(..))), "{code}");
    }
    assert!(matches!(answer("kill -9 $$"), Err(PostError::Temporary(_))));
    let patience = Timeouts { step: Duration::from_millis(100), ..Timeouts::default() };
    let mut hangs = shell_mail_program(&club, "sleep 60").with_timeouts(patience);
    let hung = hangs.post(&message_to("ann@example.org")).map_err(PostError::unwrap_possibly_sent);
    assert!(matches!(hung, Err((PostError::Unavailable(_), true))), "{hung:?}");
    assert!(matches!(answer("yes >&2 & cat > /dev/null; kill $!"), Ok(())));
}
