//! The ways in and out: a pipe, a mail server that fails at any moment, the caps.

use crate::rig::{Club, command};
use assert_cmd::Command;
use chrono::{DateTime, TimeDelta, Utc};
use postrider::games::kind;
use postrider::mail::MailFolder;
use postrider::mail::fetch::{FetchError, Fetched, Handed, MailServer, Remote};
use postrider::mail::transport::PostError;
use postrider::process::{self, Idle, PassReport, Served};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::rc::Rc;

pub(crate) fn receive(folder: &Path, letter: impl Into<Vec<u8>>) -> Option<i32> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_postrider"));
    command.arg("-C").arg(folder).arg("receive").write_stdin(letter);
    command.output().expect("the program runs").status.code()
}

#[test]
fn a_pipe_takes_what_is_a_letter_and_keeps_the_rest_with_the_mail_server() {
    let mut club = Club::in_its_folder("");
    club.found(kind("paris-connection").expect("it ships"), 3, 7);
    club.pass();
    let letter = club.reply("Ann", "status");
    {
        let _held = club.context();
        let piped = format!("From ann@example.org Tue Jan  6 18:00:00 2026\n{letter}");
        assert_eq!(receive(club.folder(), piped), Some(0), "another pass is at work");
    }
    assert_eq!(receive(club.folder(), letter.as_str()), Some(0));
    assert_eq!(receive(club.folder(), " \r\n"), Some(65));
    assert_eq!(receive(club.folder(), vec![b'x'; postrider::mail::BYTES_MAX + 1]), Some(65));
    assert_eq!(club.mail_folder("new").len(), 2);
    assert_eq!(club.mail_folder("tmp").len(), 0);
    assert_eq!(fs::read_to_string(&club.mail_folder("new")[0]).expect("a letter"), letter);
    let (report, letters) = club.pass();
    assert_eq!((report.read, letters.len()), (2, 2));

    fs::remove_dir_all(club.folder().join("inbox/tmp")).expect("removed");
    assert_eq!(receive(club.folder(), letter.as_str()), Some(75), "no place to write to");
    fs::write(club.folder().join("club.yaml"), "name: [").expect("written");
    assert_eq!(receive(club.folder(), letter.as_str()), Some(75), "the moderator is at work");
    assert_eq!(receive(&club.folder().join("nowhere"), letter), Some(75));
}

#[test]
fn the_doctor_sees_whether_senders_are_proven() {
    let mut club = Club::with("admission: token+sender+dmarc\nauthserv_id: mx.example.org\n");
    let doctor = |club: &Club| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_postrider"));
        command.arg("-C").arg(club.folder()).arg("doctor");
        let said = String::from_utf8(command.output().expect("it runs").stdout).expect("text");
        said.lines().find(|line| line.contains("senders")).expect("a line").to_owned()
    };
    let says = |server: &str| {
        format!("Authentication-Results: {server};\r\n dmarc=pass header.from=example.org\r\n")
    };
    let letter = "From: ann@example.org\r\n\r\nhello\r\n";
    assert!(doctor(&club).starts_with("ok"), "no letter has come yet");
    club.arrives(format!("{}{letter}", says("mail.example.net")));
    let said = doctor(&club);
    assert!(said.contains("checked by: mail.example.net. Mend authserv_id"), "{said}");
    club.arrives(format!("{}{letter}", says("mx.example.org")));
    assert!(doctor(&club).contains("1 letters of 2 were checked by mx.example.org"));
    club.arrives(format!("{}{}{letter}", says("MX.example.org"), says("mx.example.org")));
    club.pass();
    let said = doctor(&club);
    assert!(said.starts_with("MEND") && said.contains("anybody can forge a sender"), "{said}");
}

/// A mail server in memory, which drops the line after so many commands.
#[derive(Clone, Default)]
struct InMemory(Rc<RefCell<Folders>>);

#[derive(Default)]
struct Folders {
    inbox: BTreeMap<u32, String>,
    done: Vec<u32>,
    quarantine: Vec<u32>,
    commands_left: Option<u32>,
    received: Option<DateTime<Utc>>,
}

impl InMemory {
    fn command(&self) -> Result<(), FetchError> {
        match &mut self.0.borrow_mut().commands_left {
            Some(0) => Err(FetchError::now("the line is dead")),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }
}

impl MailServer for InMemory {
    fn letters(&mut self) -> Result<Vec<Remote>, FetchError> {
        self.command()?;
        let remote = |uid: &u32| Remote { name: format!("imap.1.{uid:010}.x"), uid: *uid };
        Ok(self.0.borrow().inbox.keys().map(remote).collect())
    }

    fn fetch(&mut self, letter: &Remote) -> Result<Handed, FetchError> {
        self.command()?;
        let folders = self.0.borrow();
        let bytes = folders.inbox.get(&letter.uid).map(|letter| letter.clone().into_bytes());
        let handed = |bytes| Handed::Letter(Fetched { bytes, received: folders.received });
        Ok(bytes.map_or(Handed::Gone, handed))
    }

    fn put(&mut self, letters: &[Remote], mail_folder: MailFolder) -> Result<(), FetchError> {
        for letter in letters {
            self.command()?;
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

fn opened(server: &InMemory) -> Served<'static> {
    let server = Box::new(server.clone());
    Box::new(|| Ok(server))
}

fn pass_with(club: &mut Club, server: &InMemory) -> PassReport {
    let open = opened(server);
    process::pass_with(&club.context(), Some(open), &mut club.pigeon).expect("the pass works")
}

#[test]
fn a_server_that_drops_the_line_after_any_command_loses_and_doubles_nothing() {
    // The pass gives no more than seven commands.
    for commands in 0..10 {
        let mut club = Club::new();
        let game = club.found(kind("paris-connection").expect("it ships"), 3, 7);
        club.pass();
        let server = InMemory::default();
        let order = club.reply_to("Ann", &club.pigeon.posted[0].clone(), "build red G23, Troyes");
        let letters = [order, club.reply("Bob", "status"), "rubbish".to_owned()];
        server.0.borrow_mut().inbox.extend((5..).zip(letters));
        server.0.borrow_mut().commands_left = Some(commands);
        let first = pass_with(&mut club, &server);
        assert_eq!(first.troubles.is_empty(), commands >= 7, "{commands}: {first:?}");
        server.0.borrow_mut().commands_left = None;
        let second = pass_with(&mut club, &server);
        let third = pass_with(&mut club, &server);
        assert_eq!(first.read + second.read, 3, "{commands}");
        assert_eq!(first.carried_out + second.carried_out, 1, "{commands}");
        assert_eq!((second.troubles.len(), third.read, third.posted), (0, 0, 0), "{commands}");
        let folders = server.0.borrow();
        assert_eq!((&folders.done[..], &folders.quarantine[..]), (&[5, 6][..], &[7][..]));
        assert!(folders.inbox.is_empty());
        assert_eq!(process::open_game(&club.context(), game).expect("it folds").table.head(), 2);
    }
}

#[test]
fn where_no_letter_lies_on_the_server_the_store_is_not_opened() {
    let mut club = Club::paris("clock: {deadline: 3 days}\n");
    club.pass();
    let server = InMemory::default();
    let marks = |club: &mut Club| {
        let report = pass_with(club, &server);
        process::leave_idle_mark(&club.context(), &report).expect("it is left");
    };
    marks(&mut club);
    let settings = process::read_settings(club.folder()).expect("they can be read");
    let idle = |club: &Club, server: Served<'static>| {
        process::idle_pass(club.folder(), &settings, Some(server), club.now).expect("it works")
    };
    club.now += TimeDelta::minutes(5);
    assert!(matches!(idle(&club, opened(&server)), Idle::Done(_)));
    // A line that breaks is told of by a whole pass, which does not open it anew.
    server.0.borrow_mut().commands_left = Some(0);
    let Idle::Needed(Some(broken)) = idle(&club, opened(&server)) else { panic!("it is told") };
    server.0.borrow_mut().commands_left = None;
    let report = process::pass_with(&club.context(), Some(broken), &mut club.pigeon);
    let report = report.expect("the pass works");
    assert_eq!(report.troubles, ["letters cannot be fetched now: the line is dead"]);
    // A letter is fetched by the line on which it was seen.
    marks(&mut club);
    let order = club.reply("Ann", "build red G23");
    server.0.borrow_mut().inbox.insert(5, order);
    let Idle::Needed(Some(open)) = idle(&club, opened(&server)) else { panic!("it lies there") };
    let report = process::pass_with(&club.context(), Some(open), &mut club.pigeon);
    assert_eq!(report.expect("the pass works").carried_out, 1);
    assert_eq!(server.0.borrow().done, [5]);
}

#[test]
fn without_the_server_the_pass_goes_on() {
    let mut club = Club::paris("");
    club.writes("Ann", "status");
    let gone: Served<'_> = Box::new(|| Err(FetchError::now("nobody listens")));
    let report =
        process::pass_with(&club.context(), Some(gone), &mut club.pigeon).expect("the pass works");
    assert_eq!((report.read, report.posted), (1, 1));
    assert_eq!(report.troubles, ["letters cannot be fetched now: nobody listens"]);
}

#[test]
fn no_deadline_bites_while_the_letters_cannot_be_fetched_and_the_servers_date_counts() {
    let mut club = Club::paris("clock: {deadline: 1 day, nmr: forfeit, bank: 1 day}\n");
    club.pass();
    let server = InMemory::default();
    let order = club.reply("Ann", "build red G23");
    server.0.borrow_mut().inbox.insert(5, order);
    server.0.borrow_mut().received = Some(club.now + TimeDelta::hours(20));
    // The server is away for two days, over the deadline and what the bank holds.
    for hours in 1..50 {
        club.now += TimeDelta::hours(1);
        let gone: Served<'_> =
            Box::new(move || Err(FetchError::now(format!("nobody listens, {hours}"))));
        let report = process::pass_with(&club.context(), Some(gone), &mut club.pigeon)
            .expect("the pass works");
        assert_eq!((report.absent, report.posted), (0, 0));
    }
    let report = pass_with(&mut club, &server);
    assert_eq!((report.carried_out, report.absent), (1, 0));
    let clock = process::open_game(&club.context(), 1).expect("it opens").clock.expect("a clock");
    assert_eq!(clock.bank_left(postrider::rules::Seat::new(1)), TimeDelta::days(1));
    let file = fs::metadata(&club.mail_folder(".done/cur")[0]).expect("it was put away");
    let received = server.0.borrow().received.expect("a date");
    assert_eq!(DateTime::<Utc>::from(file.modified().expect("a time")), received);
    // An order that had not come in time because of that is given the time back.
    let note = club.last_to("mod").expect("a note");
    assert!(note.says("or none that could fetch the letters"), "{}", note.text());
}

#[test]
fn a_club_that_posts_too_much_stops_by_itself() {
    let mut club = Club::with("letters_per_run: 2\nletters_per_day: 4\n");
    for seed in 0..3 {
        club.found(kind("paris-connection").expect("it ships"), 3, seed);
    }
    let mut posted = Vec::new();
    for _ in 0..60 {
        let (report, letters) = club.pass();
        posted.push(letters.len());
        let notes = letters.iter().filter(|letter| letter.to == "mod@example.org").count();
        assert!(letters.len() - notes <= 2, "{report:?}");
    }
    // Two a pass, four a day with one note, and the rest on the days after.
    assert_eq!(posted[..4], [2, 2 + 1, 0, 0]);
    assert_eq!(posted.iter().sum::<usize>(), 9 + 2, "{posted:?}");
    let note = club.last_text("mod");
    assert!(note.contains("4 letters were posted within a day"), "{note}");
}

#[test]
fn a_letter_that_is_never_taken_is_given_up_and_told_of() {
    let mut club = Club::new();
    club.found(kind("paris-connection").expect("it ships"), 3, 7);
    let bob = "bob@example.org".to_owned();
    club.pigeon.fails_to.insert(bob.clone(), PostError::Later("greylisted".to_owned()));
    for _ in 0..20 {
        assert_eq!(club.pass().0.waiting, 1);
        club.now += chrono::TimeDelta::hours(6);
    }
    club.now += chrono::TimeDelta::hours(6);
    let (report, letters) = club.pass();
    // Then it is as if it had come back: he plays, and is not absent for it.
    assert_eq!((letters.len(), report.waiting), (1, 0), "{letters:?}");
    assert_eq!(letters[0].to, "mod@example.org");
    assert!(letters[0].says("greylisted"), "{}", letters[0].text());
    assert!(letters[0].says("Letters to Bob (bob@example.org) come back"));
    let member = club.context().store.member_by_address(&bob).expect("it reads");
    assert!(member.is_some_and(|member| member.undeliverable().is_some()));
}

#[test]
fn sendmail_is_given_each_letter_with_its_recipient() {
    let mut club = Club::with("mail_out: {sendmail: {command: ./sendmail}}\n");
    club.found(kind("paris-connection").expect("it ships"), 3, 7);
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
    let read = |name| fs::read_to_string(club.folder().join(name)).expect("it was called");
    let words = "-i -f games@example.org -- ann@example.org\n";
    assert!(read("words").starts_with(words), "{}", read("words"));
    assert_eq!(read("words").lines().count(), 3);
    assert!(!read("letters").contains('\r'));
    assert_eq!(read("letters").matches("Message-ID: ").count(), 3);
}

#[test]
fn work_is_refused_for_a_club_in_its_folder() {
    let club = Club::in_its_folder("");
    let (code, said) = command::run(club.folder(), "2026-01-05T18:00:00Z", &["work"]);
    assert!(code == Some(78) && said.contains("postrider tick"), "{said}");
}
