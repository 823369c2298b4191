//! A way out that takes nothing, and what is its fault and what a letter's.

use crate::common::sample_or_all;
use crate::rig::passed::Passed;
use crate::rig::smtp_server::{STEPS, SmtpServer, transport_to};
use crate::rig::{Club, Posted, address};
use chrono::TimeDelta;
use postrider::games::kind;
use postrider::mail::Patience;
use postrider::mail::settings::{Sendmail, Tls};
use postrider::mail::transport::{MailProgram, OutgoingMessage, PostError, Transport};
use postrider::process;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

/// A club with one game of three in which Ann begins, and a deadline that bites.
fn club() -> Club {
    let mut club = Club::with("clock: {deadline: 2 days, nmr: forfeit}\n");
    club.found(kind("paris-connection").expect("it ships"), 3, 7);
    club
}

/// One pass by this way out, and some hours.
fn pass(club: &mut Club, transport: &mut dyn Transport, hours: i64) -> Passed {
    let context = club.context();
    let report = process::pass(&context, transport).expect("the pass works");
    let report = Passed::new(&context, report);
    drop(context);
    club.now += TimeDelta::hours(hours);
    report
}

fn outgoing(to: &str) -> OutgoingMessage<'_> {
    OutgoingMessage {
        message_id: "x@example.org",
        recipient: to,
        bytes: b"Subject: x\r\n\r\nhello\r\n",
    }
}

#[test]
fn a_session_that_is_refused_keeps_every_letter() {
    for (step, said) in [
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
        let mut club = club();
        server.says(step, said);
        for _ in 0..3 {
            let report = pass(&mut club, &mut server.transport(), 1);
            let kept = (report.posted, report.waiting, report.troubles.is_empty());
            assert_eq!(kept, (0, 3, false), "{step}: {said}: {report:?}");
            let for_good = said.starts_with("53");
            assert_eq!(!report.mistakes.is_empty(), for_good, "{step}: {said}: {report:?}");
        }
        server.is_well();
        let report = pass(&mut club, &mut server.transport(), 1);
        assert_eq!((report.posted, report.waiting), (3, 0), "{step}: {said}");
        for name in ["Ann", "Bob", "Cid"] {
            assert_eq!(club.member(name).undeliverable(), None, "{step}: {said}");
        }
        assert_eq!(server.taken().len(), 3);
    }
}

#[test]
fn a_line_that_is_cut_at_any_step_loses_nothing_and_doubles_what_was_perhaps_taken() {
    for step in STEPS {
        let server = SmtpServer::start();
        let mut club = club();
        server.cuts(step);
        for _ in 0..2 {
            assert_eq!(pass(&mut club, &mut server.transport(), 1).waiting, 3, "{step}");
        }
        server.is_well();
        let report = pass(&mut club, &mut server.transport(), 1);
        assert_eq!((report.posted, report.waiting), (3, 0), "{step}");
        assert_eq!(server.taken().len(), 3, "{step}");
    }
    let server = SmtpServer::start();
    let mut club = club();
    server.takes_and_cuts();
    assert_eq!(pass(&mut club, &mut server.transport(), 1).waiting, 3);
    server.is_well();
    assert_eq!(pass(&mut club, &mut server.transport(), 1).waiting, 0);
    let ids = server.ids_from(0);
    assert_eq!((ids.len(), ids.iter().collect::<BTreeSet<_>>().len()), (6, 3), "{ids:?}");
}

#[test]
fn letters_of_a_pass_share_a_line_and_one_that_died_between_them_is_opened_anew() {
    let server = SmtpServer::start();
    let mut transport = server.transport();
    for name in ["ann", "bob", "cid"] {
        transport.post(&outgoing(&format!("{name}@example.org"))).expect("it is taken");
    }
    assert_eq!(server.counts("AUTH"), (1, 1));
    server.says_to("bob@example.org", "RCPT", "550 5.1.1 no such user");
    let refused = transport.post(&outgoing("bob@example.org"));
    assert!(matches!(refused, Err(PostError::NoMailbox(_))), "{refused:?}");
    transport.post(&outgoing("ann@example.org")).expect("one that is refused harms no other");
    assert_eq!(server.counts("AUTH"), (1, 1));
    server.cuts("TEXT");
    let cut = transport.post(&outgoing("ann@example.org")).map_err(PostError::apart);
    assert!(matches!(cut, Err((PostError::Later(_), true))), "{cut:?}");
    server.is_well();
    transport.post(&outgoing("ann@example.org")).expect("over a new line");
    assert_eq!(server.counts("AUTH"), (2, 2));
    let dotted =
        OutgoingMessage { bytes: b"Subject: x\r\n\r\n.\r\n..\r\n", ..outgoing("ann@example.org") };
    transport.post(&dotted).expect("it is taken");
    assert!(server.taken().last().is_some_and(|(_, text)| text.contains("\n.\n..\n")));
}

#[test]
fn a_server_that_does_not_suit_is_a_way_out_that_is_closed() {
    let down = |transport: &mut dyn Transport| {
        let answer = transport.post(&outgoing("ann@example.org")).map_err(|error| error.apart().0);
        assert!(matches!(answer, Err(PostError::Down(_) | PostError::Shut(..))), "{answer:?}");
    };
    let server = SmtpServer::start();
    down(&mut server.transport_by(Tls::Starttls));
    down(&mut server.transport_by(Tls::Tls));
    server.offers(&["STARTTLS", "AUTH PLAIN"]).says("STARTTLS", "454 4.7.0 no TLS now");
    down(&mut server.transport_by(Tls::Starttls));
    // It agrees and then speaks no TLS.
    server.says("STARTTLS", "220 go on\r\n250 what do you say?\r\n250 I do not understand");
    down(&mut server.transport_by(Tls::Starttls));
    server.is_well().offers(&["8BITMIME"]);
    down(&mut server.transport());
    server.offers(&["AUTH PLAIN"]).says("DATA", "250 ok");
    let answer = server.transport().post(&outgoing("ann@example.org"));
    assert!(
        matches!(answer, Err(PostError::Later(_))),
        "another letter may fare better: {answer:?}"
    );
    for step in ["HELLO", "EHLO", "AUTH", "MAIL"] {
        server.is_well().hangs(step);
        let short = Duration::from_millis(50);
        down(&mut server.transport().patient_for(Patience { step: short, ..Patience::default() }));
    }
    assert!(server.taken().is_empty());
}

/// A text on one line.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A letter of one of the players, in answer to the last letter to him that the server has taken.
fn writes(club: &mut Club, server: &SmtpServer, name: &str, body: &str) {
    let taken = server.taken();
    let (to, text) = taken.iter().rfind(|(to, _)| *to == address(name)).expect("a letter");
    let bytes = text.replace('\n', "\r\n").into_bytes();
    let letter = Posted { to: to.clone(), message_id: String::new(), bytes };
    let reply = club.reply_to(name, &letter, body);
    club.arrives(reply);
}

/// Passes until a member is undeliverable, which takes 20 hours. Returns the note to the moderator.
fn given_up(club: &mut Club, server: &SmtpServer, name: &str) -> String {
    for _ in 0..30 {
        if club.member(name).undeliverable().is_some() {
            let (to, note) = server.taken().pop().expect("a note");
            assert_eq!(to, "mod@example.org");
            return words(&note);
        }
        pass(club, &mut server.transport(), 1);
    }
    panic!("{name} is never given up");
}

#[test]
fn who_is_refused_in_the_session_is_as_one_whose_letters_come_back() {
    let server = SmtpServer::start();
    let mut club = club();
    pass(&mut club, &mut server.transport(), 1);
    server.says_to(&address("Bob"), "RCPT", "550 5.2.1 mailbox disabled");
    writes(&mut club, &server, "Ann", "build red G23, Troyes");
    let before = server.taken().len();
    let report = pass(&mut club, &mut server.transport(), 1);
    assert_eq!((report.posted, report.waiting), (3, 1), "Ann, Cid and the moderator");
    let told = server.taken().split_off(before);
    let [_, _, (to, note)] = &told[..] else { panic!("{told:?}") };
    assert_eq!(to, "mod@example.org");
    assert!(words(note).contains("550 5.2.1 mailbox disabled"), "{note}");
    let note = given_up(&mut club, &server, "Bob");
    assert!(
        note.contains("550 5.2.1 mailbox disabled") && note.contains("Letters to Bob"),
        "{note}"
    );
    // No time runs for him, and nobody hears of it again and again.
    for _ in 0..20 {
        let report = pass(&mut club, &mut server.transport(), 12);
        assert_eq!((report.absent, report.posted, report.waiting), (0, 0, 0));
    }
    server.is_well();
    let before = server.taken().len();
    writes(&mut club, &server, "Bob", "status");
    pass(&mut club, &mut server.transport(), 1);
    let told = server.taken().split_off(before);
    let to: Vec<&str> = told.iter().map(|(to, _)| &**to).collect();
    assert_eq!(to, ["bob@example.org"; 2]);
    let missed =
        |(_, text): &(String, String)| words(text).contains("Ann builds red on G23 and G25");
    assert!(told.iter().any(missed), "the letter that was refused told him of it: {told:?}");
}

#[test]
fn refusal_is_told_without_password() {
    let server = SmtpServer::start();
    let mut club = club();
    pass(&mut club, &mut server.transport(), 1);
    server.says_to(&address("Bob"), "RCPT", "550 5.2.1 mailbox disabled, and secret is wrong");
    writes(&mut club, &server, "Ann", "build red G23, Troyes");
    pass(&mut club, &mut server.transport(), 1);
    let note = words(&server.taken().pop().expect("a note").1);
    assert!(
        note.contains("could not be sent: RCPT TO: 550 5.2.1 mailbox disabled, and *** is"),
        "{note}"
    );
    // A server that knows no names but plain ones.
    let mut club = Club::with("");
    let people = [("Ann", "Ann"), ("Zo\u{eb}", "zo\u{eb}@example.org"), ("Cid", "Cid")];
    club.found_for("paris-connection", &people, 7);
    server.is_well();
    pass(&mut club, &mut server.transport(), 1);
    let note = words(&server.taken().pop().expect("a note").1);
    assert!(note.contains("could not be sent: the server has no SMTPUTF8."), "{note}");
}

#[test]
fn the_end_of_a_game_is_told_to_who_could_not_be_told_then() {
    for marks_were_made_void in [false, true] {
        let server = SmtpServer::start();
        let mut club = club();
        if marks_were_made_void {
            process::rotate_member(&club.context(), &address("Bob"))
                .expect("it works")
                .expect("a member");
        }
        pass(&mut club, &mut server.transport(), 1);
        server.says_to(&address("Bob"), "RCPT", "550 5.1.1 no such user");
        let end = postrider::club::Intervention::End;
        assert!(process::moderate(&club.context(), 1, &end, "we stop here").is_ok());
        given_up(&mut club, &server, "Bob");
        server.is_well();
        let before = server.taken().len();
        writes(&mut club, &server, "Bob", "status");
        pass(&mut club, &mut server.transport(), 1);
        let told = server.taken().split_off(before);
        let end = |(_, text): &(String, String)| words(text).contains("we stop here");
        assert!(told.iter().any(end), "{told:?}");
    }
}

#[test]
fn a_stranger_who_takes_no_letters_is_nobodys_trouble() {
    let server = SmtpServer::start();
    let mut club = club();
    pass(&mut club, &mut server.transport(), 1);
    server.says_to("eve@example.net", "RCPT", "550 5.1.1 no such user");
    server.says_to("mal@example.net", "RCPT", "554 5.7.1 you are blocked");
    for name in ["eve", "mal"] {
        club.arrives(format!(
            "Return-Path: <{name}@example.net>\r\nFrom: {name}@example.net\r\n\
             To: games@example.org\r\nMessage-ID: <1@{name}.example.net>\r\n\r\nhello\r\n"
        ));
    }
    let report = pass(&mut club, &mut server.transport(), 1);
    assert_eq!((report.posted, report.waiting), (0, 1), "one of them may be blocked by our fault");
    // The way out is not closed for that: Ann is reminded, and then the other letter is dropped.
    let reports = (0..24).map(|_| pass(&mut club, &mut server.transport(), 1));
    let reminded: Vec<Passed> = reports.filter(|report| report.reminded > 0).collect();
    let [report] = &reminded[..] else { panic!("{reminded:?}") };
    assert_eq!((report.posted, report.waiting), (1, 0));
    assert!(server.taken().iter().all(|(to, _)| !to.contains("mod@") && !to.contains(".net")));
}

#[test]
fn a_bad_letter_alone_in_the_outbox_is_judged_by_whether_the_moderators_is_taken() {
    let server = SmtpServer::start();
    let mut club = club();
    pass(&mut club, &mut server.transport(), 1);
    server.says_to(&address("Ann"), "TEXT", "554 what is this?");
    writes(&mut club, &server, "Ann", "status");
    let report = pass(&mut club, &mut server.transport(), 1);
    assert_eq!((report.posted, report.waiting), (1, 1));
    assert!(server.taken().last().is_some_and(|(to, _)| to == "mod@example.org"));
    given_up(&mut club, &server, "Ann");
}

#[test]
fn what_a_rule_refuses_in_the_session_is_tried_on_and_told_when_it_is_several() {
    let server = SmtpServer::start();
    let mut club = club();
    pass(&mut club, &mut server.transport(), 1);
    server.says_to(&address("Bob"), "RCPT", "552 5.2.2 mailbox full");
    server.says_to(&address("Cid"), "TEXT", "554 5.7.1 looks like spam");
    writes(&mut club, &server, "Ann", "build red G23, Troyes");
    let report = pass(&mut club, &mut server.transport(), 1);
    assert_eq!((report.posted, report.waiting), (1, 2), "Ann has hers, theirs wait");
    for name in ["Bob", "Cid"] {
        let member = club.member(name);
        assert_eq!((member.undeliverable(), member.reach.soft), (None, 0), "{name}");
    }
    server.is_well();
    let before = server.taken().len();
    pass(&mut club, &mut server.transport(), 1);
    let told = server.taken().split_off(before);
    let to: Vec<&str> = told.iter().map(|(to, _)| &**to).collect();
    assert_eq!(to, ["bob@example.org", "cid@example.org"], "nothing was lost");
}

/// Plays a club through ten days in which `broken` takes nothing, and then by `well`. Nobody is
/// absent, and every letter goes once.
fn ten_days(kind: &str, broken: &mut dyn FnMut(&mut Club) -> Passed, server: &SmtpServer) {
    let mut club = club();
    let before = server.is_well().taken().len();
    pass(&mut club, &mut server.transport(), 1);
    let letters = server.taken().split_off(before);
    let (_, asked) = letters.iter().find(|(to, _)| *to == address("Ann")).expect("a letter");
    let reply_to = asked.lines().find(|line| line.starts_with("Reply-To: ")).expect("a mark");
    let mark = reply_to.split(['<', '>']).nth(1).expect("an address");
    club.arrives(format!(
        "From: Ann <ann@example.org>\r\nTo: {mark}\r\nMessage-ID: <1@example.org>\r\n\r\n\
         build red G23\r\n"
    ));
    let before = before + letters.len();
    let mut absent = 0;
    // Passes six hours apart are no outage, which would give the players time of its own. A sample
    // is longer than the four days in which a letter is tried.
    for _ in 0..sample_or_all(22, 40) {
        let report = broken(&mut club);
        assert_eq!(report.posted, 0, "{kind}: {report:?}");
        absent += report.absent + report.reminded;
    }
    assert_eq!(absent, 0, "{kind}: nobody could be told anything");
    assert!(club.context().store.outbox_length().expect("it reads") >= 3, "{kind}");
    server.is_well();
    for _ in 0..4 {
        absent += pass(&mut club, &mut server.transport(), 3).absent;
    }
    assert_eq!(absent, 0, "{kind}: who was told so late has a day at least");
    let ids = server.ids_from(before);
    assert_eq!(ids.len(), ids.iter().collect::<BTreeSet<_>>().len(), "{kind}: {ids:?}");
    let has_turn = |seat: u8| ids.iter().any(|id| id.starts_with(&format!("<g1.s{seat}.r2.")));
    assert!((1..=3).all(has_turn), "{kind}: {ids:?}");
    let context = club.context();
    assert_eq!(context.store.outbox_length().expect("it reads"), 0, "{kind}");
    assert_eq!(process::open_game(&context, 1).expect("it folds").table.head(), 2, "{kind}");
    let told = server.taken().split_off(before);
    let told = told.iter().filter(|(to, _)| to == "mod@example.org").count();
    assert_eq!(told, 1, "{kind}: the moderator hears once that nothing could be posted");
}

#[test]
fn ten_days_without_a_way_out_lose_nothing_and_cost_nobody_his_turn() {
    let server = SmtpServer::start();
    for (step, said) in [
        ("AUTH", "535 5.7.8 wrong password"),
        ("AUTH", "454 4.7.0 not now"),
        ("MAIL", "421 4.7.0 try later"),
        ("RCPT", "452 4.3.1 insufficient system storage"),
        ("RCPT", "452 too many letters"),
        ("TEXT", "554 5.7.1 looks like spam"),
    ] {
        let broken = &mut |club: &mut Club| {
            server.says(step, said);
            pass(club, &mut server.transport(), 6)
        };
        ten_days(said, broken, &server);
    }
}

#[test]
fn ten_days_without_a_mail_program_or_a_server_are_no_different() {
    let server = SmtpServer::start();
    let port = {
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        listener.local_addr().expect("an address").port()
    };
    ten_days("refused", &mut |club| pass(club, &mut transport_to(port, Tls::None), 6), &server);
    for code in [75, 69, 77] {
        let program = &mut |club: &mut Club| {
            let mut transport = program(club, &format!("exit {code}"));
            pass(club, &mut transport, 6)
        };
        ten_days(&format!("sendmail {code}"), program, &server);
    }
}

/// A mail program that is this shell script, in the club's folder.
pub fn program(club: &Club, script: &str) -> MailProgram {
    let path = club.folder().join("sendmail");
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).expect("permissions");
    let command = path.display().to_string();
    MailProgram::new(&Sendmail { command }, "games@example.org")
}

#[test]
fn a_mail_program_says_by_its_code_whose_fault_it_is_and_one_that_hangs_is_stopped() {
    let club = Club::new();
    let answer = |script: &str| program(&club, script).post(&outgoing("ann@example.org"));
    assert_eq!(answer("cat > /dev/null"), Ok(()));
    assert_eq!(answer("exit 0"), Ok(()), "a program need not read all of a letter");
    let unknown = answer("echo 5.1.1 unknown user >&2; exit 67");
    let Err(PostError::NoMailbox(why)) = &unknown else { panic!("{unknown:?}") };
    assert!(why.contains("unknown user"), "{why}");
    assert!(matches!(answer("exit 65"), Err(PostError::Refused(_))));
    for code in [69, 75, 64, 1] {
        assert!(matches!(answer(&format!("exit {code}")), Err(PostError::Later(_))), "{code}");
    }
    assert!(matches!(answer("exit 71"), Err(PostError::Down(_))));
    for code in [77, 78, 127] {
        assert!(matches!(answer(&format!("exit {code}")), Err(PostError::Shut(..))), "{code}");
    }
    assert!(matches!(answer("kill -9 $$"), Err(PostError::Later(_))));
    let patience = Patience { step: Duration::from_millis(100), ..Patience::default() };
    let mut hangs = program(&club, "sleep 60").patient_for(patience);
    let hung = hangs.post(&outgoing("ann@example.org")).map_err(PostError::apart);
    assert!(matches!(hung, Err((PostError::Down(_), true))), "{hung:?}");
    assert!(matches!(answer("yes >&2 & cat > /dev/null; kill $!"), Ok(())));
}
