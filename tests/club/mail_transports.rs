//! Letters that come by pipe or from a mail server that fails, and letters that leave by a mail
//! program or within the quotas.

use crate::rig::{Club, postrider_program};
use assert_cmd::Command;
use chrono::{DateTime, TimeDelta, Utc};
use postrider::games::find_kind;
use postrider::mail::MailFolder;
use postrider::mail::fetch::{FetchError, FetchOutcome, FetchedLetter, MailServer, RemoteLetter};
use postrider::mail::transport::PostError;
use postrider::process::{self, IdleOutcome, PassReport, ServerOpener};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::rc::Rc;

pub(crate) fn pipe_letter(folder: &Path, letter: impl Into<Vec<u8>>) -> Option<i32> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_postrider"));
    command.arg("-C").arg(folder).arg("receive").write_stdin(letter);
    command.output().expect("the program runs").status.code()
}

#[test]
fn pipe_accepts_letters_and_rejects_the_rest() {
    let mut club = Club::with_local_store("");
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    club.run_pass();
    let letter = club.compose_reply("Ann", "status");
    {
        let _held = club.open_context();
        let piped = format!("From ann@example.org Tue Jan  6 18:00:00 2026\n{letter}");
        assert_eq!(pipe_letter(club.folder(), piped), Some(0), "another pass is at work");
    }
    assert_eq!(pipe_letter(club.folder(), letter.as_str()), Some(0));
    assert_eq!(pipe_letter(club.folder(), " \r\n"), Some(65));
    assert_eq!(pipe_letter(club.folder(), vec![b'x'; postrider::mail::BYTES_MAX + 1]), Some(65));
    assert_eq!(club.inbox_files("new").len(), 2);
    assert_eq!(club.inbox_files("tmp").len(), 0);
    assert_eq!(fs::read_to_string(&club.inbox_files("new")[0]).expect("a letter"), letter);
    let (report, letters) = club.run_pass();
    assert_eq!((report.letters_read, letters.len()), (2, 2));

    fs::remove_dir_all(club.folder().join("inbox/tmp")).expect("removed");
    assert_eq!(pipe_letter(club.folder(), letter.as_str()), Some(75), "no place to write to");
    fs::write(club.folder().join("club.yaml"), "name: [").expect("written");
    assert_eq!(pipe_letter(club.folder(), letter.as_str()), Some(75), "the moderator is at work");
    assert_eq!(pipe_letter(&club.folder().join("nowhere"), letter), Some(75));
}

#[test]
fn doctor_checks_sender_authentication() {
    let mut club =
        Club::with_settings("admission: token+sender+dmarc\nauthserv_id: mx.example.org\n");
    let doctor = |club: &Club| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_postrider"));
        command.arg("-C").arg(club.folder()).arg("doctor");
        let said = String::from_utf8(command.output().expect("it runs").stdout).expect("text");
        said.lines().find(|line| line.contains("senders")).expect("a line").to_owned()
    };
    let authentication_header = |server: &str| {
        format!("Authentication-Results: {server};\r\n dmarc=pass header.from=example.org\r\n")
    };
    let letter = "From: ann@example.org\r\n\r\nhello\r\n";
    assert!(doctor(&club).starts_with("ok"), "no letter has come yet");
    club.deliver(format!("{}{letter}", authentication_header("mail.example.net")));
    let said = doctor(&club);
    assert!(said.contains("of: mail.example.net. Correct authserv_id"), "{said}");
    club.deliver(format!("{}{letter}", authentication_header("mx.example.org")));
    assert!(doctor(&club).contains("mx.example.org checked 1 of 2 letters"));
    club.deliver(format!(
        "{}{}{letter}",
        authentication_header("MX.example.org"),
        authentication_header("mx.example.org")
    ));
    club.run_pass();
    let said = doctor(&club);
    assert!(said.starts_with("FIX") && said.contains("anybody can forge a sender"), "{said}");
}

/// A mail server in memory. It fails after `commands_left` commands.
#[derive(Clone, Default)]
struct InMemoryMailServer(Rc<RefCell<ServerFolders>>);

#[derive(Default)]
struct ServerFolders {
    inbox: BTreeMap<u32, String>,
    done: Vec<u32>,
    quarantine: Vec<u32>,
    commands_left: Option<u32>,
    received: Option<DateTime<Utc>>,
}

impl InMemoryMailServer {
    fn count_command(&self) -> Result<(), FetchError> {
        match &mut self.0.borrow_mut().commands_left {
            Some(0) => Err(FetchError::temporary("the line is dead")),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }
}

impl MailServer for InMemoryMailServer {
    fn list_letters(&mut self) -> Result<Vec<RemoteLetter>, FetchError> {
        self.count_command()?;
        let remote = |uid: &u32| RemoteLetter { name: format!("imap.1.{uid:010}.x"), uid: *uid };
        Ok(self.0.borrow().inbox.keys().map(remote).collect())
    }

    fn fetch_letter(&mut self, letter: &RemoteLetter) -> Result<FetchOutcome, FetchError> {
        self.count_command()?;
        let folders = self.0.borrow();
        let bytes = folders.inbox.get(&letter.uid).map(|letter| letter.clone().into_bytes());
        let fetched =
            |bytes| FetchOutcome::Letter(FetchedLetter { bytes, received: folders.received });
        Ok(bytes.map_or(FetchOutcome::Gone, fetched))
    }

    fn move_to_folder(
        &mut self,
        letters: &[RemoteLetter],
        mail_folder: MailFolder,
    ) -> Result<(), FetchError> {
        for letter in letters {
            self.count_command()?;
            let mut folders = self.0.borrow_mut();
            folders.inbox.remove(&letter.uid).expect("it is moved once");
            match mail_folder {
                MailFolder::Done => folders.done.push(letter.uid),
                MailFolder::Quarantine => folders.quarantine.push(letter.uid),
            }
        }
        Ok(())
    }
}

fn open_server(server: &InMemoryMailServer) -> ServerOpener<'static> {
    let server = Box::new(server.clone());
    Box::new(|| Ok(server))
}

fn run_pass_with(club: &mut Club, server: &InMemoryMailServer) -> PassReport {
    let open = open_server(server);
    process::run_pass_with_mail_server(&club.open_context(), Some(open), &mut club.transport)
        .expect("the pass works")
}

#[test]
fn dropped_connection_loses_and_doubles_no_letter() {
    // The pass sends seven commands.
    for commands in 0..10 {
        let mut club = Club::new();
        let game = club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
        club.run_pass();
        let server = InMemoryMailServer::default();
        let order = club.compose_reply_to(
            "Ann",
            &club.transport.posted[0].clone(),
            "build red G23, Troyes",
        );
        let letters = [order, club.compose_reply("Bob", "status"), "rubbish".to_owned()];
        server.0.borrow_mut().inbox.extend((5..).zip(letters));
        server.0.borrow_mut().commands_left = Some(commands);
        let first = run_pass_with(&mut club, &server);
        assert_eq!(first.troubles.is_empty(), commands >= 7, "{commands}: {first:?}");
        server.0.borrow_mut().commands_left = None;
        let second = run_pass_with(&mut club, &server);
        let third = run_pass_with(&mut club, &server);
        assert_eq!(first.letters_read + second.letters_read, 3, "{commands}");
        assert_eq!(first.carried_out + second.carried_out, 1, "{commands}");
        assert_eq!(
            (second.troubles.len(), third.letters_read, third.posted),
            (0, 0, 0),
            "{commands}"
        );
        let folders = server.0.borrow();
        assert_eq!((&folders.done[..], &folders.quarantine[..]), (&[5, 6][..], &[7][..]));
        assert!(folders.inbox.is_empty());
        assert_eq!(
            process::load_stored_game(&club.open_context(), game)
                .expect("it folds")
                .table
                .last_record_number(),
            2
        );
    }
}

#[test]
fn idle_pass_with_empty_server_skips_store() {
    let mut club = Club::with_paris_game("clock: {deadline: 3 days}\n");
    club.run_pass();
    let server = InMemoryMailServer::default();
    let run_and_note_idle = |club: &mut Club| {
        let report = run_pass_with(club, &server);
        process::write_idle_note(&club.open_context(), &report).expect("it is left");
    };
    run_and_note_idle(&mut club);
    let settings = process::read_settings(club.folder()).expect("they can be read");
    let idle = |club: &Club, server: ServerOpener<'static>| {
        process::try_idle_pass(club.folder(), &settings, Some(server), club.now).expect("it works")
    };
    club.now += TimeDelta::minutes(5);
    assert!(matches!(idle(&club, open_server(&server)), IdleOutcome::Done(_)));
    // An idle pass that meets a broken connection leaves it to a full pass. The full pass reports
    // the error and does not connect again.
    server.0.borrow_mut().commands_left = Some(0);
    let IdleOutcome::FullPassNeeded(Some(broken)) = idle(&club, open_server(&server)) else {
        panic!("a full pass is needed")
    };
    server.0.borrow_mut().commands_left = None;
    let report =
        process::run_pass_with_mail_server(&club.open_context(), Some(broken), &mut club.transport);
    let report = report.expect("the pass works");
    assert_eq!(report.troubles, ["letters cannot be fetched now: the line is dead"]);
    // A full pass fetches the letter through the connection on which the idle pass has seen it.
    run_and_note_idle(&mut club);
    let order = club.compose_reply("Ann", "build red G23");
    server.0.borrow_mut().inbox.insert(5, order);
    let IdleOutcome::FullPassNeeded(Some(open)) = idle(&club, open_server(&server)) else {
        panic!("a letter has come")
    };
    let report =
        process::run_pass_with_mail_server(&club.open_context(), Some(open), &mut club.transport);
    assert_eq!(report.expect("the pass works").carried_out, 1);
    assert_eq!(server.0.borrow().done, [5]);
}

#[test]
fn pass_continues_without_mail_server() {
    let mut club = Club::with_paris_game("");
    club.send_reply("Ann", "status");
    let gone: ServerOpener<'_> = Box::new(|| Err(FetchError::temporary("nobody listens")));
    let report =
        process::run_pass_with_mail_server(&club.open_context(), Some(gone), &mut club.transport)
            .expect("the pass works");
    assert_eq!((report.letters_read, report.posted), (1, 1));
    assert_eq!(report.troubles, ["letters cannot be fetched now: nobody listens"]);
}

#[test]
fn deadlines_wait_while_letters_cannot_be_fetched() {
    let mut club = Club::with_paris_game("clock: {deadline: 1 day, nmr: forfeit, bank: 1 day}\n");
    club.run_pass();
    let server = InMemoryMailServer::default();
    let order = club.compose_reply("Ann", "build red G23");
    server.0.borrow_mut().inbox.insert(5, order);
    server.0.borrow_mut().received = Some(club.now + TimeDelta::hours(20));
    // The server is unreachable for two days, which is longer than the deadline and the time bank.
    for hours in 1..50 {
        club.now += TimeDelta::hours(1);
        let gone: ServerOpener<'_> =
            Box::new(move || Err(FetchError::temporary(format!("nobody listens, {hours}"))));
        let report = process::run_pass_with_mail_server(
            &club.open_context(),
            Some(gone),
            &mut club.transport,
        )
        .expect("the pass works");
        assert_eq!((report.absent_turns, report.posted), (0, 0));
    }
    let report = run_pass_with(&mut club, &server);
    assert_eq!((report.carried_out, report.absent_turns), (1, 0));
    let clock = process::load_stored_game(&club.open_context(), 1)
        .expect("it opens")
        .clock
        .expect("a clock");
    assert_eq!(clock.remaining_time_bank(postrider::rules::Seat::new(1)), TimeDelta::days(1));
    let file = fs::metadata(&club.inbox_files(".done/cur")[0]).expect("it was archived");
    let received = server.0.borrow().received.expect("a date");
    assert_eq!(DateTime::<Utc>::from(file.modified().expect("a time")), received);
    // The moderator learns of the outage, and that the players get the time back.
    let note = club.last_letter_to("mod").expect("a note");
    assert!(note.contains("or none that could fetch e-mails"), "{}", note.body_text());
}

#[test]
fn posting_stops_at_run_and_daily_caps() {
    let mut club = Club::with_settings("letters_per_run: 2\nletters_per_day: 4\n");
    for seed in 0..3 {
        club.start_game(find_kind("paris-connection").expect("it ships"), 3, seed);
    }
    let mut posted = Vec::new();
    for _ in 0..60 {
        let (report, letters) = club.run_pass();
        posted.push(letters.len());
        let notes = letters.iter().filter(|letter| letter.to == "mod@example.org").count();
        assert!(letters.len() - notes <= 2, "{report:?}");
    }
    // Two letters leave per pass and four per day, plus one note to the moderator on each day that
    // reaches the limit. The remaining letters leave on later days.
    assert_eq!(posted[..4], [2, 2 + 1, 0, 0]);
    assert_eq!(posted.iter().sum::<usize>(), 9 + 2, "{posted:?}");
    let note = club.last_text_to("mod");
    assert!(note.contains("We've sent 4 e-mails within a day"), "{note}");
}

#[test]
fn letter_deferred_for_days_is_given_up() {
    let mut club = Club::new();
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    let bob = "bob@example.org".to_owned();
    club.transport
        .errors_by_address
        .insert(bob.clone(), PostError::Temporary("greylisted".to_owned()));
    for _ in 0..20 {
        assert_eq!(club.run_pass().0.queued_letters, 1);
        club.now += chrono::TimeDelta::hours(6);
    }
    club.now += chrono::TimeDelta::hours(6);
    let (report, letters) = club.run_pass();
    // Giving the letter up counts as a bounce: Bob is undeliverable.
    assert_eq!((letters.len(), report.queued_letters), (1, 0), "{letters:?}");
    assert_eq!(letters[0].to, "mod@example.org");
    assert!(letters[0].contains("greylisted"), "{}", letters[0].body_text());
    assert!(letters[0].contains("E-mails to Bob (bob@example.org) bounce"));
    let member = club.open_context().store.member_by_address(&bob).expect("it reads");
    assert!(member.is_some_and(|member| member.undeliverable_since().is_some()));
}

#[test]
fn sendmail_gets_each_letter_with_its_recipient() {
    let mut club = Club::with_settings("mail_out: {sendmail: {command: ./sendmail}}\n");
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    let program = club.folder().join("sendmail");
    let tick = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_postrider"));
        command.args(["--now", "2026-01-05T19:00:00Z", "tick"]);
        command.current_dir(club.folder()).output().expect("it runs").status.code()
    };
    assert_eq!(tick(), Some(66), "there is no such program");
    fs::write(&program, "#!/bin/sh\necho \"$@\" >> words\ncat >> letters\n").expect("written");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).expect("permissions");
    assert_eq!(tick(), Some(0));
    let read_file = |name| fs::read_to_string(club.folder().join(name)).expect("it was called");
    let arguments = "-i -f games@example.org -- ann@example.org\n";
    assert!(read_file("words").starts_with(arguments), "{}", read_file("words"));
    assert_eq!(read_file("words").lines().count(), 3);
    assert!(!read_file("letters").contains('\r'));
    assert_eq!(read_file("letters").matches("Message-ID: ").count(), 3);
}

#[test]
fn work_command_needs_a_server_store() {
    let club = Club::with_local_store("");
    let (code, said) =
        postrider_program::run_postrider(club.folder(), "2026-01-05T18:00:00Z", &["work"]);
    assert!(code == Some(78) && said.contains("postrider tick"), "{said}");
}
