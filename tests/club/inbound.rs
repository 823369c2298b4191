//! Letters that come in from a server that does anything at any step.

use crate::common::sample_or_all;
use crate::rig::Club;
use crate::rig::imap::{AUTHORITY, Act, FakeImap, PASSWORD, config, is_waited_for, say, sick};
use assert_cmd::Command;
use chrono::TimeDelta;
use postrider::mail::fetch::MailServer;
use postrider::mail::settings::Smtp;
use postrider::mail::transport::{MailServerTransport, OutgoingMessage, Transport};
use postrider::mail::{BYTES_MAX, Patience};
use postrider::process::{self, PassReport, Served};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

const IMPATIENT: Patience = Patience {
    step: Duration::from_millis(1_500),
    letter: Duration::from_secs(3),
    session: Duration::from_secs(8),
};

fn pass_within(patience: Patience, club: &mut Club, server: &FakeImap) -> PassReport {
    let open: Served<'_> = Box::new(move || Ok(Box::new(server.open(patience)?)));
    process::pass_with(&club.context(), Some(open), &mut club.pigeon).expect("the pass works")
}

fn pass(club: &mut Club, server: &FakeImap) -> PassReport {
    pass_within(IMPATIENT, club, server)
}

#[test]
fn a_letter_that_the_server_does_not_hand_over_stops_no_other() {
    let ways = (0..).take_while(|way| sick(*way).is_some());
    let (slow, quick): (Vec<_>, Vec<_>) = ways.partition(|way| is_waited_for(*way));
    assert_eq!((slow.len(), quick.len()), (6, 10));
    // The slow servers are waited for side by side.
    std::thread::scope(|scope| {
        for ways in slow.chunks(1).chain(quick.chunks(5)) {
            scope.spawn(|| ways.iter().for_each(|way| is_left_alone(*way)));
        }
    });
}

/// One of three letters is not handed over in this way. The others are read; it is asked for again
/// after a while, and read once the server is well.
fn is_left_alone(way: usize) {
    let mut club = Club::paris("");
    let server = FakeImap::new("MOVE");
    server.arrives(club.reply("Bob", "status"));
    server.arrives(club.reply("Ann", "build red G23, Troyes"));
    server.arrives(club.reply("Cid", "status"));
    server.script(move |command| {
        command.starts_with("UID FETCH 2 (UID INTERNALDATE BODY").then(|| sick(way))?
    });
    let report = pass(&mut club, &server);
    assert_eq!((report.read, report.troubles.len()), (2, 1), "{way}: {report:?}");
    assert_eq!((server.lying("INBOX"), server.lying("Done").len()), (vec![2], 2), "{way}");
    let note = club.last_to("mod").expect("the moderator is told").clone();
    let why = if way == 7 { "the line broke" } else { "" };
    assert!(note.says(&format!("UTC: {why}")), "{way}: {}", note.text());
    assert!(note.says("a letter in INBOX") && note.says("Mon 5 Jan 2026 18:00 UTC"), "{way}");
    // It is left alone for a while, and nobody is told again.
    let told = club.pigeon.posted.len();
    let asked = server.heard("UID FETCH 2 (UID INTERNALDATE BODY");
    let report = pass(&mut club, &server);
    assert_eq!((report.troubles.len(), club.pigeon.posted.len()), (0, told), "{way}");
    assert_eq!(server.heard("UID FETCH 2 (UID INTERNALDATE BODY"), asked, "{way}");
    // When it is asked for again does not depend on how the server failed.
    if sample_or_all(!is_waited_for(way), true) {
        club.now += TimeDelta::minutes(6);
        let troubles = pass(&mut club, &server).troubles.len();
        assert_eq!((troubles, club.pigeon.posted.len()), (1, told), "{way}");
    }
    server.is_well();
    club.now += TimeDelta::hours(7);
    let report = pass(&mut club, &server);
    assert_eq!((report.carried_out, report.troubles.len()), (1, 0), "{way}: {report:?}");
    assert_eq!((server.lying("INBOX"), server.lying("Done").len()), (vec![], 3), "{way}");
    assert_eq!(club.context().store.unread().expect("read"), [].into());
}

#[test]
fn clocks_wait_a_day_for_a_letter_that_is_withheld_and_not_for_ever() {
    let mut club = Club::paris("clock: {deadline: 1 day, nmr: forfeit}\n");
    let server = FakeImap::new("MOVE");
    pass(&mut club, &server);
    server.arrives(club.reply("Ann", "build red G23, Troyes"));
    server.script(|command| {
        command.starts_with("UID FETCH 1 (UID INTERNALDATE BODY").then(|| sick(0))?
    });
    let mut absent = Vec::new();
    for hour in (0..=80).step_by(2) {
        club.now += TimeDelta::hours(2);
        absent.extend((0..pass(&mut club, &server).absent).map(|_| hour));
    }
    // A day it waited, which was given back: the first deadline bites a day after that.
    assert!(absent.first().is_some_and(|hour| (48..=60).contains(hour)), "{absent:?}");
    let posted = club.pigeon.posted.iter();
    let told = posted.filter(|letter| letter.says("does not hand over")).count();
    assert_eq!(told, 1, "it is said once");
    // A letter that follows it is no reason to wait anew, nor is a clock that was wrong.
    server.arrives("From: x@example.org\r\n\r\nhello\r\n");
    server.script(|command| command.contains("BODY.PEEK").then(|| sick(0))?);
    let before = absent.len();
    for hour in (0..=60).step_by(2) {
        club.now += TimeDelta::hours(2);
        absent.extend((0..pass(&mut club, &server).absent).map(|_| hour));
    }
    assert!(absent.len() > before, "{absent:?}");
    // Whoever wrote the first is not late when it comes at last, as far as the game still waits.
    server.is_well();
    club.now += TimeDelta::hours(7);
    assert_eq!(pass(&mut club, &server).read, 2);
}

#[test]
fn a_withheld_letter_that_comes_within_the_day_is_in_time() {
    let mut club = Club::paris("clock: {deadline: 1 day, nmr: forfeit, bank: 1 day}\n");
    let server = FakeImap::new("MOVE");
    pass(&mut club, &server);
    server.arrives(club.reply("Ann", "build red G23, Troyes"));
    server.script(|command| command.contains("BODY.PEEK[]").then(|| sick(0))?);
    for _ in 0..12 {
        club.now += TimeDelta::hours(2) - TimeDelta::minutes(5);
        assert_eq!(pass(&mut club, &server).absent, 0);
    }
    server.is_well();
    club.now += TimeDelta::hours(6);
    let report = pass(&mut club, &server);
    assert_eq!((report.carried_out, report.absent), (1, 0), "{report:?}");
    let clock = process::open_game(&club.context(), 1).expect("it opens").clock.expect("a clock");
    assert_eq!(clock.bank_left(postrider::rules::Seat::new(1)), TimeDelta::days(1));
}

#[test]
fn nothing_that_we_did_not_fetch_is_expunged() {
    for capabilities in ["", "UIDPLUS", "MOVE", "UIDPLUS MOVE"] {
        let mut club = Club::paris("");
        let server = FakeImap::new(capabilities);
        let others = server.arrives("From: a@example.org\r\n\r\nsomebody marked this\r\n");
        let marked = ["\\Deleted".to_owned()].into();
        server.post().folders.get_mut("INBOX").expect("it").get_mut(&others).expect("it").flags =
            marked;
        server.arrives(club.reply("Ann", "status"));
        server.arrives("From: b@example.org\r\n\r\nno identity\r\n");
        let report = pass(&mut club, &server);
        assert_eq!((report.read, report.troubles.len()), (2, 0), "{report:?}");
        let clears = !capabilities.is_empty();
        let left = if clears { vec![-1] } else { vec![-1, -2, -3] };
        assert_eq!(server.lying("INBOX"), left, "{capabilities}");
        assert_eq!(server.heard("EXPUNGE"), 0);
        // Nothing is fetched or moved twice, not even when somebody takes the marks away again.
        for letter in server.post().folders.get_mut("INBOX").expect("it").values_mut().skip(1) {
            letter.flags.clear();
        }
        let report = pass(&mut club, &server);
        assert_eq!((report.read, report.troubles.len()), (0, 0), "{report:?}");
        assert_eq!(server.lying("INBOX"), left, "{capabilities}");
        let trays = [server.lying("Done").len(), server.lying("Quarantine").len()];
        assert_eq!(trays.iter().sum::<usize>(), 2, "{capabilities}");
    }
}

#[test]
fn a_letter_that_cannot_be_moved_keeps_no_other() {
    for capabilities in ["MOVE", "UIDPLUS", ""] {
        let mut club = Club::paris("");
        let server = FakeImap::new(capabilities);
        for _ in 0..5 {
            server.arrives(club.reply("Ann", "status"));
        }
        server.script(|command| {
            let moves = command.starts_with("UID MOVE") || command.starts_with("UID COPY");
            let words: Vec<&str> = command.split([' ', ',']).collect();
            (moves && words.contains(&"3")).then(|| say("TAG NO [LIMIT] not this one\r\n"))?
        });
        let report = pass(&mut club, &server);
        assert!(report.troubles[0].contains("not this one"), "{report:?}");
        assert_eq!(server.lying("Done").len() + server.lying("Quarantine").len(), 4);
        assert!(server.lying("INBOX").contains(&3));
    }
}

#[test]
fn a_session_is_over_in_time_whatever_the_server_says() {
    let steps = ["CAPABILITY", "LOGIN", "SELECT", "UID SEARCH", "UID FETCH", "LIST", "UID MOVE"];
    std::thread::scope(|scope| {
        for (index, step) in steps.into_iter().enumerate() {
            let ways = [index % 4, (index + 2) % 4];
            scope.spawn(move || ways.into_iter().for_each(|way| ends_in_time(step, way)));
        }
    });
}

/// The server fails at this step in this way, and the pass goes on without it.
fn ends_in_time(step: &'static str, way: usize) {
    let mut club = Club::paris("");
    club.writes("Bob", "status");
    let server = FakeImap::new("MOVE");
    server.arrives(club.reply("Ann", "status"));
    server.script(move |command| {
        let act = match way {
            0 => Some(Act::Drip),
            1 => Some(Act::Hang),
            2 => Some(Act::Endless("* OK and so on\r\n")),
            _ => Some(Act::Endless("x")),
        };
        command.starts_with(step).then_some(act)?
    });
    let session = Duration::from_secs(1);
    let patience = Patience { step: Duration::from_millis(400), letter: session, session };
    let report = pass_within(patience, &mut club, &server);
    assert!(!report.troubles.is_empty(), "{step} {way}");
    // The letter in the club's own inbox is read all the same.
    assert!(report.read >= 1 && report.posted >= 1, "{step} {way}: {report:?}");
    server.is_well();
    club.now += TimeDelta::hours(7);
    let rest = pass_within(Patience::default(), &mut club, &server);
    assert_eq!((report.read + rest.read, rest.troubles.len()), (2, 0), "{step} {way}");
    assert!(server.lying("INBOX").is_empty());
}

#[test]
fn letters_that_are_here_are_read_before_the_server_is_spoken_to() {
    let mut club = Club::paris("clock: {deadline: 1 day, nmr: forfeit, bank: 1 day}\n");
    let server = FakeImap::new("MOVE");
    pass(&mut club, &server);
    club.writes("Ann", "build red G23, Troyes");
    let context = club.context();
    let open: Served<'_> = Box::new(|| {
        assert_eq!(
            process::open_game(&context, 1).expect("it opens").table.head(),
            2,
            "it is judged already"
        );
        Ok(Box::new(server.open(IMPATIENT)?))
    });
    let report =
        process::pass_with(&context, Some(open), &mut club.pigeon).expect("the pass works");
    assert_eq!((report.carried_out, report.posted > 0), (1, true));
    drop(context);
}

#[test]
fn nobody_pays_for_the_time_in_which_no_letter_could_be_read() {
    for reachable in [true, false] {
        let mut club = Club::paris("clock: {deadline: 1 day, nmr: forfeit, bank: 1 day}\n");
        let server = FakeImap::new("MOVE");
        for _ in 0..3 {
            club.now += TimeDelta::hours(1);
            pass(&mut club, &server);
        }
        // No pass runs for days; meanwhile an order comes, later than it should have.
        club.now += TimeDelta::days(2);
        club.writes("Ann", "build red G23, Troyes");
        club.now += TimeDelta::days(1);
        if !reachable {
            server.script(|command| command.starts_with("LOGIN").then_some(Act::HangUp));
        }
        let open: Served<'_> = Box::new(|| Ok(Box::new(server.open(IMPATIENT)?)));
        let report =
            process::pass_with(&club.context(), Some(open), &mut club.pigeon).expect("it works");
        assert_eq!((report.carried_out, report.absent), (1, 0), "{report:?}");
        let clock =
            process::open_game(&club.context(), 1).expect("it opens").clock.expect("a clock");
        assert_eq!(clock.bank_left(postrider::rules::Seat::new(1)), TimeDelta::days(1));
    }
}

#[test]
fn a_letter_that_is_too_large_is_not_loaded_whole() {
    let mut club = Club::paris("");
    let server = FakeImap::new("MOVE");
    let mut large = b"From: ann@example.org\r\nSubject: large\r\n\r\n".to_vec();
    large.resize(6 * BYTES_MAX, b'x');
    server.arrives(large);
    let report = pass_within(Patience::default(), &mut club, &server);
    assert_eq!((report.read, report.quarantined), (1, 1), "{report:?}");
    let file = &club.mail_folder(".quarantine/cur")[0];
    assert_eq!(fs::metadata(file).expect("it is there").len(), BYTES_MAX as u64 + 1);
    assert_eq!((server.lying("INBOX"), server.lying("Quarantine").len()), (vec![], 1));
    assert!(club.last_to("mod").expect("a note").says("larger than 1024 KiB"));
}

#[test]
fn a_number_that_means_another_letter_is_not_used() {
    let mut club = Club::paris("");
    let server = FakeImap::new("MOVE");
    server.arrives(club.reply("Ann", "status"));
    let mut account = server.open(IMPATIENT).expect("it opens");
    let letters = account.letters().expect("a list");
    // The line breaks, and the folder is another one under the old name.
    server.post().validity = 8;
    server.script(|command| command.starts_with("UID MOVE").then_some(Act::HangUp));
    let done = account.put(&letters, postrider::mail::MailFolder::Done);
    assert!(done.is_err());
    server.is_well();
    let done = account.put(&letters, postrider::mail::MailFolder::Done);
    assert!(done.expect_err("it is refused").why.contains("UIDVALIDITY has changed"));
    assert_eq!(server.lying("INBOX"), [1]);
    // Letters under new numbers are fetched again, and are known by what is in them.
    assert_eq!(pass(&mut club, &server).read, 1);
    server.post().validity = 9;
    server.arrives(club.reply("Ann", "status"));
    assert_eq!(pass(&mut club, &server).troubles, [""; 0]);
    assert_eq!((server.lying("INBOX"), server.lying("Done").len()), (vec![], 2));
}

#[test]
fn a_folder_that_is_gone_or_cannot_be_made_is_a_trouble_and_no_more() {
    let mut club = Club::paris("");
    let server = FakeImap::new("MOVE");
    server.arrives(club.reply("Ann", "status"));
    server.script(|command| command.starts_with("CREATE").then(|| say("TAG NO not you\r\n"))?);
    for read in [1, 0] {
        let report = pass(&mut club, &server);
        assert_eq!((report.read, report.troubles.len()), (read, 1), "{report:?}");
        assert!(report.troubles[0].contains("Done cannot be created"), "{report:?}");
    }
    server.is_well();
    assert_eq!(pass(&mut club, &server).troubles, [""; 0]);
    assert_eq!(server.lying("Done").len(), 1);
    let inbox = server.post().folders.remove("INBOX").expect("it");
    server.post().folders.insert("Old".to_owned(), inbox);
    club.writes("Bob", "status");
    let report = pass(&mut club, &server);
    assert_eq!((report.read, report.posted, report.troubles.len()), (1, 1, 1));
    assert!(report.troubles[0].contains("the folder INBOX: the server says: there is no such"));
}

#[test]
fn a_line_that_breaks_while_letters_are_moved_is_dialled_again() {
    for capabilities in ["MOVE", "UIDPLUS", ""] {
        for step in ["LIST", "CREATE", "UID MOVE", "UID COPY", "UID STORE", "UID EXPUNGE"] {
            let mut club = Club::paris("");
            let server = FakeImap::new(capabilities);
            server.arrives(club.reply("Ann", "status"));
            server.arrives(club.reply("Bob", "status").replace("Message-ID:", "X-None:"));
            let mut dropped = false;
            server.script(move |command| {
                let drop = command.starts_with(step) && !dropped;
                dropped |= drop;
                drop.then_some(Act::HangUp)
            });
            assert_eq!(pass(&mut club, &server).troubles, [""; 0], "{capabilities} {step}");
            let left = if capabilities.is_empty() { vec![-1, -2] } else { vec![] };
            assert_eq!(server.lying("INBOX"), left, "{capabilities} {step}");
            assert_eq!(server.lying("Done").len(), 2, "{capabilities} {step}");
        }
    }
}

#[test]
fn a_letter_that_was_copied_before_the_line_broke_is_not_copied_again() {
    let mut club = Club::paris("");
    let server = FakeImap::new("");
    server.arrives(club.reply("Ann", "status"));
    server.arrives(club.reply("Bob", "status").replace("Message-ID:", "X-None:"));
    // It may copy letters, but not mark them.
    server.script(|command| {
        command.starts_with("UID STORE").then(|| say("TAG NO [NOPERM] not you\r\n"))?
    });
    for _ in 0..4 {
        let report = pass(&mut club, &server);
        assert!(report.troubles[0].contains("not you"), "{report:?}");
        assert_eq!(server.lying("Done").len(), 2);
    }
    server.is_well();
    assert_eq!(pass(&mut club, &server).troubles, [""; 0]);
    assert_eq!((server.lying("INBOX"), server.lying("Done").len()), (vec![-1, -2], 2));
}

#[test]
fn strange_dates_and_bytes_from_a_server_do_no_harm() {
    let dates = [
        "31-Dec-9999 23:59:59 +0000",
        "01-Jan-0001 00:00:00 +1400",
        "31-Dec-1969 23:59:59 +0000",
        "99-Foo-2026 99:99:99 +9999",
        "05-Jan-2026 18:00:00 -0000",
    ];
    let mut club = Club::paris("clock: {deadline: 1 day, nmr: forfeit}\n");
    let server = FakeImap::new("MOVE");
    for date in dates {
        let uid = server.arrives([club.reply("Ann", "status\0").as_bytes(), b"\0\xff"].concat());
        let mut post = server.post();
        post.folders.get_mut("INBOX").expect("it").get_mut(&uid).expect("it").date =
            date.to_owned();
    }
    let report = pass(&mut club, &server);
    assert_eq!((report.read, report.troubles.len()), (5, 0), "{report:?}");
    let files = [club.mail_folder(".done/cur"), club.mail_folder(".quarantine/cur")].concat();
    assert_eq!(files.len(), dates.len());
    for file in files {
        let changed = fs::metadata(file).expect("it").modified().expect("a time");
        let changed = chrono::DateTime::<chrono::Utc>::from(changed);
        assert!(changed <= club.now.max(chrono::Utc::now()), "{changed}");
        assert!(changed.timestamp() > 0, "{changed}");
    }
}

#[test]
fn no_password_is_printed_whatever_a_server_repeats() {
    let club = Club::paris("");
    let server = FakeImap::new("MOVE");
    fs::write(club.folder().join("imap-password"), PASSWORD).expect("written");
    fs::set_permissions(club.folder().join("imap-password"), fs::Permissions::from_mode(0o600))
        .expect("a mode");
    let settings = fs::read_to_string(club.folder().join("club.yaml")).expect("read");
    fs::write(club.folder().join("club.yaml"), settings + &server.yaml()).expect("written");
    let in_base64 = data_encoding::BASE64.encode(format!("\0gm\0{PASSWORD}").as_bytes());
    let upper = PASSWORD.to_uppercase();
    for echo in [PASSWORD, &upper, &in_base64, &in_base64[..16]] {
        for step in ["LOGIN", "CAPABILITY", "SELECT", "UID SEARCH", "LIST"] {
            // A sample repeats each form at the step that sends it, and one form at each step.
            if !sample_or_all(step == "LOGIN" || echo == PASSWORD, true) {
                continue;
            }
            for word in ["NO", "BAD", "BYE"].iter().take(if step == "LOGIN" { 3 } else { 1 }) {
                let said = format!("TAG {word} what is LOGIN gm {echo}?\r\n");
                server
                    .script(move |command| command.starts_with(step).then(|| say(said.clone()))?);
                for command in [&["tick", "--verbose"][..], &["doctor"]] {
                    let mut program = Command::new(env!("CARGO_BIN_EXE_postrider"));
                    program.arg("-C").arg(club.folder()).args(command);
                    let output = program.output().expect("it runs");
                    let said = [output.stdout, output.stderr].concat();
                    let said = String::from_utf8(said).expect("text");
                    let small = said.to_lowercase();
                    assert!(!small.contains(&echo.to_lowercase()), "{step} {command:?}: {said}");
                    assert!(!small.contains(&PASSWORD[3..]), "{step} {command:?}: {said}");
                    if step == "LOGIN" {
                        assert!(small.contains("signing in as gm"), "{said}");
                    }
                }
            }
        }
    }
}

#[test]
fn no_password_is_told_the_moderator_when_a_way_out_repeats_it() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for socket in listener.incoming().flatten() {
            let session = rustls::ServerConnection::new(config()).expect("a session");
            let mut line = BufReader::new(rustls::StreamOwned::new(session, socket));
            let mut said = "220 x\r\n".to_owned();
            while line.get_mut().write_all(said.as_bytes()).is_ok() {
                let mut heard = String::new();
                if line.read_line(&mut heard).unwrap_or(0) == 0 {
                    break;
                }
                said = match heard.split_whitespace().next().unwrap_or_default() {
                    "EHLO" => "250-x\r\n250 AUTH PLAIN LOGIN\r\n".to_owned(),
                    _ => format!("535 5.7.8 what is {}?\r\n", heard.trim_end()),
                };
            }
        }
    });
    let settings: Smtp = serde_json::from_value(serde_json::json!({
        "host": "localhost", "port": port, "tls": "tls", "user": "gm", "password_env": "P"
    }))
    .expect("settings");
    let ca = fs::read(AUTHORITY).expect("a certificate");
    let password = Some(PASSWORD.to_owned());
    let transport = MailServerTransport::new(&settings, password, "games@example.org", Some(&ca));
    let mut transport = transport.expect("a courier");
    let outgoing = OutgoingMessage { message_id: "x", recipient: "ann@example.org", bytes: b"x" };
    let in_base64 = data_encoding::BASE64.encode(format!("\0gm\0{PASSWORD}").as_bytes());
    for said in [transport.greet(), transport.post(&outgoing)] {
        let said = said.expect_err("it is refused").to_string();
        assert!(said.contains("AUTH PLAIN AGdtAG***"), "{said}");
        assert!(!said.contains(&in_base64) && !said.contains(PASSWORD), "{said}");
    }
}
