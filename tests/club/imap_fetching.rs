//! Tests fetching letters from an IMAP server that may fail at any step.

use crate::rig::Club;
use crate::rig::imap::{FakeImapServer, Misbehavior, causes_timeout, fetch_failure, respond_with};
use chrono::TimeDelta;
use postrider::mail::fetch::MailServer;
use postrider::mail::{BYTES_MAX, Timeouts};
use postrider::process::{self, PassReport, ServerOpener};
use postrider::testing::sample_or_all;
use std::fs;
use std::time::Duration;

const SHORT_PATIENCE: Timeouts = Timeouts {
    step: Duration::from_millis(1_500),
    letter: Duration::from_secs(3),
    session: Duration::from_secs(8),
};

fn run_pass_with_patience(
    patience: Timeouts,
    club: &mut Club,
    server: &FakeImapServer,
) -> PassReport {
    let open: ServerOpener<'_> = Box::new(move || Ok(Box::new(server.connect(patience)?)));
    process::run_pass_with_mail_server(&club.open_context(), Some(open), &mut club.transport)
        .expect("the pass works")
}

fn run_pass(club: &mut Club, server: &FakeImapServer) -> PassReport {
    run_pass_with_patience(SHORT_PATIENCE, club, server)
}

#[test]
fn unfetchable_letter_does_not_block_others() {
    let ways = (0..).take_while(|way| fetch_failure(*way).is_some());
    let (slow, quick): (Vec<_>, Vec<_>) = ways.partition(|way| causes_timeout(*way));
    assert_eq!((slow.len(), quick.len()), (6, 10));
    // Servers that cause timeouts are tested in parallel to save time.
    std::thread::scope(|scope| {
        for ways in slow.chunks(1).chain(quick.chunks(5)) {
            scope.spawn(|| ways.iter().for_each(|way| assert_unfetchable_letter_skipped(*way)));
        }
    });
}

/// Checks that a letter that the server fails to hand over (in the way numbered `way`) stops no
/// other letter, and is read once the server works.
fn assert_unfetchable_letter_skipped(way: usize) {
    let mut club = Club::with_paris_game("");
    let server = FakeImapServer::new("MOVE");
    server.deliver(club.compose_reply("Bob", "status"));
    server.deliver(club.compose_reply("Ann", "build red G23, Troyes"));
    server.deliver(club.compose_reply("Cid", "status"));
    server.set_script(move |command| {
        command.starts_with("UID FETCH 2 (UID INTERNALDATE BODY").then(|| fetch_failure(way))?
    });
    let report = run_pass(&mut club, &server);
    assert_eq!((report.letters_read, report.troubles.len()), (2, 1), "{way}: {report:?}");
    assert_eq!((server.uids_in("INBOX"), server.uids_in("Done").len()), (vec![2], 2), "{way}");
    let note = club.last_letter_to("mod").expect("the moderator is told").clone();
    let why = if way == 7 { "the connection broke" } else { "" };
    assert!(note.contains(&format!("UTC: {why}")), "{way}: {}", note.body_text());
    assert!(
        note.contains("an e-mail in INBOX") && note.contains("Mon 5 Jan 2026 18:00 UTC"),
        "{way}"
    );
    // The letter is not requested again at once, and the moderator gets no second note.
    let posted = club.transport.posted.len();
    let asked = server.count_commands("UID FETCH 2 (UID INTERNALDATE BODY");
    let report = run_pass(&mut club, &server);
    assert_eq!((report.troubles.len(), club.transport.posted.len()), (0, posted), "{way}");
    assert_eq!(server.count_commands("UID FETCH 2 (UID INTERNALDATE BODY"), asked, "{way}");
    // The time of the next request does not depend on the failure, so a sample skips slow ones.
    if sample_or_all(!causes_timeout(way), true) {
        club.now += TimeDelta::minutes(6);
        let troubles = run_pass(&mut club, &server).troubles.len();
        assert_eq!((troubles, club.transport.posted.len()), (1, posted), "{way}");
    }
    server.clear_script();
    club.now += TimeDelta::hours(7);
    let report = run_pass(&mut club, &server);
    assert_eq!((report.carried_out, report.troubles.len()), (1, 0), "{way}: {report:?}");
    assert_eq!((server.uids_in("INBOX"), server.uids_in("Done").len()), (vec![], 3), "{way}");
    assert_eq!(club.open_context().store.unreadable_letters().expect("read"), [].into());
}

#[test]
fn withheld_letter_stops_clocks_for_one_day() {
    let mut club = Club::with_paris_game("clock: {deadline: 1 day, nmr: forfeit}\n");
    let server = FakeImapServer::new("MOVE");
    run_pass(&mut club, &server);
    server.deliver(club.compose_reply("Ann", "build red G23, Troyes"));
    server.set_script(|command| {
        command.starts_with("UID FETCH 1 (UID INTERNALDATE BODY").then(|| fetch_failure(0))?
    });
    let mut absent = Vec::new();
    for hour in (0..=80).step_by(2) {
        club.now += TimeDelta::hours(2);
        absent.extend((0..run_pass(&mut club, &server).absent_turns).map(|_| hour));
    }
    // The withheld letter stops the clocks for a day, so the one-day deadline passes after two.
    assert!(absent.first().is_some_and(|hour| (48..=60).contains(hour)), "{absent:?}");
    let posted = club.transport.posted.iter();
    let reports = posted.filter(|letter| letter.contains("won't hand over")).count();
    assert_eq!(reports, 1, "the moderator is told once");
    // A second withheld letter does not stop the clocks again.
    server.deliver("From: x@example.org\r\n\r\nhello\r\n");
    server.set_script(|command| command.contains("BODY.PEEK").then(|| fetch_failure(0))?);
    let before = absent.len();
    for hour in (0..=60).step_by(2) {
        club.now += TimeDelta::hours(2);
        absent.extend((0..run_pass(&mut club, &server).absent_turns).map(|_| hour));
    }
    assert!(absent.len() > before, "{absent:?}");
    // Both letters are read as soon as the server works.
    server.clear_script();
    club.now += TimeDelta::hours(7);
    assert_eq!(run_pass(&mut club, &server).letters_read, 2);
}

#[test]
fn letter_withheld_less_than_day_is_in_time() {
    let mut club = Club::with_paris_game("clock: {deadline: 1 day, nmr: forfeit, bank: 1 day}\n");
    let server = FakeImapServer::new("MOVE");
    run_pass(&mut club, &server);
    server.deliver(club.compose_reply("Ann", "build red G23, Troyes"));
    server.set_script(|command| command.contains("BODY.PEEK[]").then(|| fetch_failure(0))?);
    for _ in 0..12 {
        club.now += TimeDelta::hours(2) - TimeDelta::minutes(5);
        assert_eq!(run_pass(&mut club, &server).absent_turns, 0);
    }
    server.clear_script();
    club.now += TimeDelta::hours(6);
    let report = run_pass(&mut club, &server);
    assert_eq!((report.carried_out, report.absent_turns), (1, 0), "{report:?}");
    let clock = process::load_stored_game(&club.open_context(), 1)
        .expect("it opens")
        .clock
        .expect("a clock");
    assert_eq!(clock.remaining_time_bank(postrider::rules::Seat::new(1)), TimeDelta::days(1));
}

#[test]
fn only_fetched_letters_are_expunged() {
    for capabilities in ["", "UIDPLUS", "MOVE", "UIDPLUS MOVE"] {
        let mut club = Club::with_paris_game("");
        let server = FakeImapServer::new(capabilities);
        let others = server.deliver("From: a@example.org\r\n\r\nsomebody marked this\r\n");
        let marked = ["\\Deleted".to_owned()].into();
        server
            .lock_mailboxes()
            .folders
            .get_mut("INBOX")
            .expect("it works")
            .get_mut(&others)
            .expect("it works")
            .flags = marked;
        server.deliver(club.compose_reply("Ann", "status"));
        server.deliver("From: b@example.org\r\n\r\nno identity\r\n");
        let report = run_pass(&mut club, &server);
        assert_eq!((report.letters_read, report.troubles.len()), (2, 0), "{report:?}");
        let clears = !capabilities.is_empty();
        let left = if clears { vec![-1] } else { vec![-1, -2, -3] };
        assert_eq!(server.uids_in("INBOX"), left, "{capabilities}");
        assert_eq!(server.count_commands("EXPUNGE"), 0);
        // No letter is fetched or moved twice, even if another program clears the flags.
        for letter in
            server.lock_mailboxes().folders.get_mut("INBOX").expect("it works").values_mut().skip(1)
        {
            letter.flags.clear();
        }
        let report = run_pass(&mut club, &server);
        assert_eq!((report.letters_read, report.troubles.len()), (0, 0), "{report:?}");
        assert_eq!(server.uids_in("INBOX"), left, "{capabilities}");
        let archived = [server.uids_in("Done").len(), server.uids_in("Quarantine").len()];
        assert_eq!(archived.iter().sum::<usize>(), 2, "{capabilities}");
    }
}

#[test]
fn unmovable_letter_does_not_block_others() {
    for capabilities in ["MOVE", "UIDPLUS", ""] {
        let mut club = Club::with_paris_game("");
        let server = FakeImapServer::new(capabilities);
        for _ in 0..5 {
            server.deliver(club.compose_reply("Ann", "status"));
        }
        server.set_script(|command| {
            let moves = command.starts_with("UID MOVE") || command.starts_with("UID COPY");
            let words: Vec<&str> = command.split([' ', ',']).collect();
            (moves && words.contains(&"3"))
                .then(|| respond_with("TAG NO [LIMIT] not this one\r\n"))?
        });
        let report = run_pass(&mut club, &server);
        assert!(report.troubles[0].contains("not this one"), "{report:?}");
        assert_eq!(server.uids_in("Done").len() + server.uids_in("Quarantine").len(), 4);
        assert!(server.uids_in("INBOX").contains(&3));
    }
}

#[test]
fn session_ends_in_time_despite_failing_server() {
    let steps = ["CAPABILITY", "LOGIN", "SELECT", "UID SEARCH", "UID FETCH", "LIST", "UID MOVE"];
    std::thread::scope(|scope| {
        for (index, step) in steps.into_iter().enumerate() {
            let ways = [index % 4, (index + 2) % 4];
            scope.spawn(move || {
                ways.into_iter().for_each(|way| assert_session_ends_in_time(step, way));
            });
        }
    });
}

/// Checks that a pass ends in time if the server fails at `step`, in the way numbered `way`.
fn assert_session_ends_in_time(step: &'static str, way: usize) {
    let mut club = Club::with_paris_game("");
    club.send_reply("Bob", "status");
    let server = FakeImapServer::new("MOVE");
    server.deliver(club.compose_reply("Ann", "status"));
    server.set_script(move |command| {
        let act = match way {
            0 => Some(Misbehavior::SendSlowly),
            1 => Some(Misbehavior::Hang),
            2 => Some(Misbehavior::Endless("* OK and so on\r\n")),
            _ => Some(Misbehavior::Endless("x")),
        };
        command.starts_with(step).then_some(act)?
    });
    let session = Duration::from_secs(1);
    let patience = Timeouts { step: Duration::from_millis(400), letter: session, session };
    let report = run_pass_with_patience(patience, &mut club, &server);
    assert!(!report.troubles.is_empty(), "{step} {way}");
    // The pass still reads the letter in the club's own inbox.
    assert!(report.letters_read >= 1 && report.posted >= 1, "{step} {way}: {report:?}");
    server.clear_script();
    club.now += TimeDelta::hours(7);
    let rest = run_pass_with_patience(Timeouts::default(), &mut club, &server);
    assert_eq!(
        (report.letters_read + rest.letters_read, rest.troubles.len()),
        (2, 0),
        "{step} {way}"
    );
    assert!(server.uids_in("INBOX").is_empty());
}

#[test]
fn local_letters_are_read_before_server_connection() {
    let mut club = Club::with_paris_game("clock: {deadline: 1 day, nmr: forfeit, bank: 1 day}\n");
    let server = FakeImapServer::new("MOVE");
    run_pass(&mut club, &server);
    club.send_reply("Ann", "build red G23, Troyes");
    let context = club.open_context();
    let open: ServerOpener<'_> = Box::new(|| {
        assert_eq!(
            process::load_stored_game(&context, 1).expect("it opens").table.last_record_number(),
            2,
            "the local letter is judged already"
        );
        Ok(Box::new(server.connect(SHORT_PATIENCE)?))
    });
    let report = process::run_pass_with_mail_server(&context, Some(open), &mut club.transport)
        .expect("the pass works");
    assert_eq!((report.carried_out, report.posted > 0), (1, true));
    drop(context);
}

#[test]
fn time_bank_is_not_charged_during_outage() {
    for reachable in [true, false] {
        let mut club =
            Club::with_paris_game("clock: {deadline: 1 day, nmr: forfeit, bank: 1 day}\n");
        let server = FakeImapServer::new("MOVE");
        for _ in 0..3 {
            club.now += TimeDelta::hours(1);
            run_pass(&mut club, &server);
        }
        // No pass runs for three days. Ann's order arrives after two of them, past its deadline.
        club.now += TimeDelta::days(2);
        club.send_reply("Ann", "build red G23, Troyes");
        club.now += TimeDelta::days(1);
        if !reachable {
            server
                .set_script(|command| command.starts_with("LOGIN").then_some(Misbehavior::HangUp));
        }
        let open: ServerOpener<'_> = Box::new(|| Ok(Box::new(server.connect(SHORT_PATIENCE)?)));
        let report = process::run_pass_with_mail_server(
            &club.open_context(),
            Some(open),
            &mut club.transport,
        )
        .expect("it works");
        assert_eq!((report.carried_out, report.absent_turns), (1, 0), "{report:?}");
        let clock = process::load_stored_game(&club.open_context(), 1)
            .expect("it opens")
            .clock
            .expect("a clock");
        assert_eq!(clock.remaining_time_bank(postrider::rules::Seat::new(1)), TimeDelta::days(1));
    }
}

#[test]
fn oversized_letter_is_truncated_and_quarantined() {
    let mut club = Club::with_paris_game("");
    let server = FakeImapServer::new("MOVE");
    let mut large = b"From: ann@example.org\r\nSubject: large\r\n\r\n".to_vec();
    large.resize(6 * BYTES_MAX, b'x');
    server.deliver(large);
    let report = run_pass_with_patience(Timeouts::default(), &mut club, &server);
    assert_eq!((report.letters_read, report.quarantined), (1, 1), "{report:?}");
    let file = &club.inbox_files(".quarantine/cur")[0];
    assert_eq!(fs::metadata(file).expect("it is there").len(), BYTES_MAX as u64 + 1);
    assert_eq!((server.uids_in("INBOX"), server.uids_in("Quarantine").len()), (vec![], 1));
    assert!(club.last_letter_to("mod").expect("a note").contains("larger than 1024 KiB"));
}

#[test]
fn uids_are_not_used_after_uidvalidity_changes() {
    let mut club = Club::with_paris_game("");
    let server = FakeImapServer::new("MOVE");
    server.deliver(club.compose_reply("Ann", "status"));
    let mut account = server.connect(SHORT_PATIENCE).expect("it opens");
    let letters = account.list_letters().expect("a list");
    // The connection breaks, and another folder has taken the name of the old one.
    server.lock_mailboxes().validity = 8;
    server.set_script(|command| command.starts_with("UID MOVE").then_some(Misbehavior::HangUp));
    let done = account.move_to_folder(&letters, postrider::mail::MailFolder::Done);
    assert!(done.is_err());
    server.clear_script();
    let done = account.move_to_folder(&letters, postrider::mail::MailFolder::Done);
    assert!(done.expect_err("it is refused").why.contains("UIDVALIDITY has changed"));
    assert_eq!(server.uids_in("INBOX"), [1]);
    // Letters with new UIDs are fetched again and recognized by their content.
    assert_eq!(run_pass(&mut club, &server).letters_read, 1);
    server.lock_mailboxes().validity = 9;
    server.deliver(club.compose_reply("Ann", "status"));
    assert_eq!(run_pass(&mut club, &server).troubles, [""; 0]);
    assert_eq!((server.uids_in("INBOX"), server.uids_in("Done").len()), (vec![], 2));
}

#[test]
fn missing_server_folder_is_reported_as_trouble() {
    let mut club = Club::with_paris_game("");
    let server = FakeImapServer::new("MOVE");
    server.deliver(club.compose_reply("Ann", "status"));
    server.set_script(|command| {
        command.starts_with("CREATE").then(|| respond_with("TAG NO not you\r\n"))?
    });
    for read in [1, 0] {
        let report = run_pass(&mut club, &server);
        assert_eq!((report.letters_read, report.troubles.len()), (read, 1), "{report:?}");
        assert!(report.troubles[0].contains("Done cannot be created"), "{report:?}");
    }
    server.clear_script();
    assert_eq!(run_pass(&mut club, &server).troubles, [""; 0]);
    assert_eq!(server.uids_in("Done").len(), 1);
    let inbox = server.lock_mailboxes().folders.remove("INBOX").expect("it works");
    server.lock_mailboxes().folders.insert("Old".to_owned(), inbox);
    club.send_reply("Bob", "status");
    let report = run_pass(&mut club, &server);
    assert_eq!((report.letters_read, report.posted, report.troubles.len()), (1, 1, 1));
    assert!(report.troubles[0].contains("the folder INBOX: the server says: there is no such"));
}

#[test]
fn connection_broken_while_moving_is_reopened() {
    for capabilities in ["MOVE", "UIDPLUS", ""] {
        for step in ["LIST", "CREATE", "UID MOVE", "UID COPY", "UID STORE", "UID EXPUNGE"] {
            let mut club = Club::with_paris_game("");
            let server = FakeImapServer::new(capabilities);
            server.deliver(club.compose_reply("Ann", "status"));
            server.deliver(club.compose_reply("Bob", "status").replace("Message-ID:", "X-None:"));
            let mut dropped = false;
            server.set_script(move |command| {
                let drop = command.starts_with(step) && !dropped;
                dropped |= drop;
                drop.then_some(Misbehavior::HangUp)
            });
            assert_eq!(run_pass(&mut club, &server).troubles, [""; 0], "{capabilities} {step}");
            let left = if capabilities.is_empty() { vec![-1, -2] } else { vec![] };
            assert_eq!(server.uids_in("INBOX"), left, "{capabilities} {step}");
            assert_eq!(server.uids_in("Done").len(), 2, "{capabilities} {step}");
        }
    }
}

#[test]
fn copied_letter_is_not_copied_again() {
    let mut club = Club::with_paris_game("");
    let server = FakeImapServer::new("");
    server.deliver(club.compose_reply("Ann", "status"));
    server.deliver(club.compose_reply("Bob", "status").replace("Message-ID:", "X-None:"));
    // The server allows copying letters but refuses to flag them.
    server.set_script(|command| {
        command.starts_with("UID STORE").then(|| respond_with("TAG NO [NOPERM] not you\r\n"))?
    });
    for _ in 0..4 {
        let report = run_pass(&mut club, &server);
        assert!(report.troubles[0].contains("not you"), "{report:?}");
        assert_eq!(server.uids_in("Done").len(), 2);
    }
    server.clear_script();
    assert_eq!(run_pass(&mut club, &server).troubles, [""; 0]);
    assert_eq!((server.uids_in("INBOX"), server.uids_in("Done").len()), (vec![-1, -2], 2));
}

#[test]
fn strange_server_dates_and_bytes_are_harmless() {
    let dates = [
        "31-Dec-9999 23:59:59 +0000",
        "01-Jan-0001 00:00:00 +1400",
        "31-Dec-1969 23:59:59 +0000",
        "99-Foo-2026 99:99:99 +9999",
        "05-Jan-2026 18:00:00 -0000",
    ];
    let mut club = Club::with_paris_game("clock: {deadline: 1 day, nmr: forfeit}\n");
    let server = FakeImapServer::new("MOVE");
    for date in dates {
        let uid =
            server.deliver([club.compose_reply("Ann", "status\0").as_bytes(), b"\0\xff"].concat());
        let mut post = server.lock_mailboxes();
        post.folders.get_mut("INBOX").expect("it works").get_mut(&uid).expect("it works").date =
            date.to_owned();
    }
    let report = run_pass(&mut club, &server);
    assert_eq!((report.letters_read, report.troubles.len()), (5, 0), "{report:?}");
    let files = [club.inbox_files(".done/cur"), club.inbox_files(".quarantine/cur")].concat();
    assert_eq!(files.len(), dates.len());
    for file in files {
        let changed = fs::metadata(file).expect("it works").modified().expect("a time");
        let changed = chrono::DateTime::<chrono::Utc>::from(changed);
        assert!(changed <= club.now.max(chrono::Utc::now()), "{changed}");
        assert!(changed.timestamp() > 0, "{changed}");
    }
}
