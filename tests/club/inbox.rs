//! Tests unreadable inbox entries, odd file names and dates, and clocks that are far off.

use crate::rig::Club;
use assert_cmd::Command;
use chrono::TimeDelta;
use postrider::games::find_kind;
use postrider::process;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

fn create_fifo(path: &Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status().expect("it runs");
    assert!(made.success());
}

#[test]
fn unreadable_inbox_entries_are_reported_once() {
    let mut club = Club::with_paris_game("");
    let new = club.folder().join("inbox/new");
    create_fifo(&new.join("1.fifo"));
    create_fifo(&club.folder().join("inbox/cur/2.fifo:2,S"));
    fs::create_dir(new.join("3.folder")).expect("made");
    std::os::unix::fs::symlink("/dev/zero", new.join("4.link")).expect("made");
    std::os::unix::fs::symlink("nowhere", new.join("5.link")).expect("made");
    let _socket = std::os::unix::net::UnixListener::bind(new.join("6.socket")).expect("made");
    let names = ["1.fifo", "2.fifo", "3.folder", "4.link", "5.link", "6.socket"];
    club.send_reply("Ann", "build red G23, Troyes");
    let (report, letters) = club.run_pass();
    assert_eq!((report.carried_out, report.troubles.len()), (1, 6), "{report:?}");
    let note = letters.iter().find(|letter| letter.to == "mod@example.org").expect("a note");
    assert!(names.iter().all(|name| note.contains(name)), "{}", note.body_text());
    club.send_reply("Bob", "status");
    let (report, letters) = club.run_pass();
    assert_eq!((report.letters_read, report.troubles.len(), letters.len()), (1, 0, 1));
    let mut program = Command::new(env!("CARGO_BIN_EXE_postrider"));
    let output = program.arg("-C").arg(club.folder()).arg("doctor").output().expect("it runs");
    let said = String::from_utf8(output.stdout).expect("text");
    let line = said.lines().find(|line| line.contains("inbox")).expect("a line");
    assert!(line.starts_with("FIX") && names.iter().all(|name| line.contains(name)), "{said}");
    for n in 10..32 {
        std::os::unix::fs::symlink("nowhere", new.join(format!("{n}.link"))).expect("made");
    }
    let (_, letters) = club.run_pass();
    let note = letters.iter().find(|letter| letter.to == "mod@example.org").expect("a note");
    assert!(note.contains("We can't read 2 more like it."), "{}", note.body_text());
    fs::remove_file(new.join("1.fifo")).expect("removed");
    club.run_pass();
    create_fifo(&new.join("1.fifo"));
    assert_eq!(club.run_pass().0.troubles.len(), 1, "a new entry of that name is reported");
}

#[test]
fn any_inbox_file_name_is_accepted() {
    let mut club = Club::with_paris_game("");
    let first = club.compose_reply("Ann", "status");
    let new = club.folder().join("inbox/new");
    let name = |bytes: &[u8]| new.join(std::ffi::OsStr::from_bytes(bytes));
    // These two names differ only in a byte that is not text.
    fs::write(name(b"1.\xff"), &first).expect("written");
    fs::write(name(b"1.\xfe"), club.compose_reply("Bob", "status")).expect("written");
    fs::write(name(&[b'2'; 255]), club.compose_reply("Cid", "status")).expect("written");
    fs::write(name(&[&[0xff; 251][..], b":2,S"].concat()), "rubbish").expect("written");
    fs::write(name(b"3.a\nSubject: x"), "rubbish too").expect("written");
    let (report, letters) = club.run_pass();
    assert_eq!((report.letters_read, report.troubles.len()), (5, 0), "{report:?}");
    assert!(
        ["ann", "bob", "cid"]
            .iter()
            .all(|who| { letters.iter().any(|letter| letter.to == format!("{who}@example.org")) })
    );
    assert_eq!(club.inbox_files("new").len() + club.inbox_files("cur").len(), 0);
    assert_eq!(club.inbox_files(".done/cur").len() + club.inbox_files(".quarantine/cur").len(), 5);
    assert_eq!(club.run_pass().0.letters_read, 0);
}

/// People who deliver letters by hand, and programs that restart their numbering, reuse names.
#[test]
fn new_letter_under_used_name_is_read() {
    let mut club = Club::with_paris_game("");
    let place = |club: &Club, part: &str| club.folder().join("inbox").join(part);
    let long = "n".repeat(240);
    for name in ["1", &long] {
        let (first, second) =
            (club.compose_reply("Bob", "status"), club.compose_reply("Cid", "status"));
        fs::write(place(&club, "new").join(name), &first).expect("written");
        assert_eq!(club.run_pass().0.letters_read, 1);
        // A second copy of a letter is ignored.
        fs::write(place(&club, "new").join(name), &first).expect("written");
        assert_eq!(club.run_pass().0.letters_read, 0);
        let order = club.compose_reply("Ann", "say it is my turn");
        fs::write(place(&club, "new").join(name), &order).expect("written");
        fs::write(place(&club, "cur").join(format!("{name}:2,S")), &second).expect("written");
        let (report, letters) = club.run_pass();
        assert_eq!((report.letters_read, report.troubles.len()), (2, 0), "{report:?}");
        let is_answered = |who: &str| letters.iter().any(|letter| letter.to == who);
        assert!(is_answered("cid@example.org") && is_answered("ann@example.org"));
        assert_eq!(club.inbox_files("new").len() + club.inbox_files("cur").len(), 0);
        assert_eq!(club.run_pass().0.letters_read, 0);
    }
    let archived = fs::read_dir(place(&club, ".done/cur")).expect("it is there");
    assert_eq!(archived.count(), 6, "each letter is archived");
}

/// Some moderators empty the archive regularly, so its files do not show which names were used.
#[test]
fn used_name_is_read_after_archive_was_emptied() {
    let mut club = Club::with_paris_game("");
    let at = |club: &Club, part: &str| club.folder().join("inbox").join(part);
    let status = club.compose_reply("Bob", "status");
    // Empties both archive folders, delivers a letter, and returns how many a pass reads.
    let read = |club: &mut Club, letter: &str| {
        for folder in [".done/cur", ".quarantine/cur"] {
            fs::remove_dir_all(at(club, folder)).expect("removed");
            fs::create_dir(at(club, folder)).expect("a folder");
        }
        fs::write(at(club, "new").join("1"), letter).expect("written");
        club.run_pass().0.letters_read
    };
    for folder in [".done/cur", ".quarantine/cur"] {
        let first = if folder == ".done/cur" { &status } else { "no letter" };
        assert_eq!(read(&mut club, first), 1);
        assert_eq!(club.inbox_files(folder).len(), 1);
        // The letter is there again, as after a pass that was killed before it archived the letter.
        assert_eq!(read(&mut club, first), 0);
        let order = club.compose_reply("Ann", &format!("say it is my turn, {folder}"));
        assert_eq!(read(&mut club, &order), 1);
        assert_eq!(read(&mut club, &order), 0, "a second copy is ignored");
    }
}

#[test]
fn huge_or_oddly_dated_inbox_file_is_handled() {
    let mut club = Club::with_paris_game("clock: {deadline: 1 day, nmr: forfeit}\n");
    club.run_pass();
    let large = fs::File::create(club.folder().join("inbox/new/1.large")).expect("written");
    large.set_len(5 << 30).expect("a sparse file");
    for (at, sign) in [(1_u64, -1_i64), (1 << 35, -1), (1 << 35, 1), (1 << 50, 1), (1 << 62, 1)] {
        club.now += TimeDelta::seconds(1);
        let name = club.send_reply("Ann", "status");
        let span = Duration::from_secs(at);
        let epoch = std::time::SystemTime::UNIX_EPOCH;
        let Some(time) = (if sign < 0 { epoch.checked_sub(span) } else { epoch.checked_add(span) })
        else {
            continue;
        };
        let path = club.folder().join("inbox/new").join(&name);
        let file = fs::File::options().write(true).open(path).expect("it is there");
        // Some file systems cannot store every time, so errors are ignored.
        let _ = file.set_modified(time);
    }
    let (report, _) = club.run_pass();
    assert_eq!(
        (report.letters_read, report.quarantined, report.troubles.len()),
        (6, 1, 0),
        "{report:?}"
    );
}

#[test]
fn commands_refuse_implausible_system_time() {
    let mut club = Club::with_paris_game(
        "clock: {deadline: 1 day, nmr: forfeit}\nreminder_days: 4000000000\n",
    );
    club.start_game(find_kind("trick-of-the-rails").expect("it ships"), 3, 7);
    club.send_reply("Ann", "build red G23, Troyes");
    for now in ["1969-12-31T23:59:59Z", "1970-01-01T00:00:09Z", "9999-12-31T23:59:59Z"] {
        for command in ["tick", "doctor", "list", "receive"] {
            let mut program = Command::new(env!("CARGO_BIN_EXE_postrider"));
            program.arg("-C").arg(club.folder()).args(["--now", now, command]);
            let output = program.write_stdin("From: x\r\n\r\nx\r\n").output().expect("it runs");
            let said = String::from_utf8(output.stderr).expect("text");
            assert_eq!(output.status.code(), Some(75), "{now} {command}: {said}");
            assert!(said.contains(&now[..10]) && said.contains("set the clock"), "{said}");
        }
    }
    assert_eq!(club.inbox_files("new").len(), 1, "nothing was done");
    assert_eq!(club.run_pass().0.carried_out, 1);
}

#[test]
fn extreme_dates_do_not_stop_passes() {
    for clock in ["", "clock: {deadline: 1 day, nmr: forfeit}\n"] {
        for now in ["2999-12-31T23:59:59Z", "2020-01-01T00:00:00Z"] {
            let mut club = Club::with_paris_game(&format!("reminder_days: 4000000000\n{clock}"));
            club.send_reply("Ann", "status");
            let store = fs::File::options().write(true).open(club.folder().join("store/db"));
            let before = std::time::SystemTime::UNIX_EPOCH - Duration::from_secs(9);
            store.expect("it is there").set_modified(before).expect("a time");
            club.now = now.parse().expect("a time");
            for _ in 0..3 {
                club.now += TimeDelta::hours(1);
                let (report, _) = club.run_pass();
                process::write_idle_note(&club.open_context(), &report).expect("a note, or none");
            }
            assert_eq!(club.inbox_files("new").len(), 0, "{clock}{now}");
        }
    }
}

#[test]
fn unarchivable_letter_is_carried_out_once_and_reported() {
    let mut club = Club::with_paris_game("");
    club.send_reply("Ann", "build red G23, Troyes");
    let done = club.folder().join("inbox/.done/cur");
    std::fs::remove_dir_all(&done).expect("removed");
    std::fs::write(&done, "a file in the way").expect("written");
    for _ in 0..2 {
        let (report, _) = club.run_pass();
        assert_eq!(report.troubles.len(), 1, "{report:?}");
        assert_eq!((club.record_count(), club.inbox_files("new").len()), (2, 1));
    }
    std::fs::remove_file(&done).expect("removed");
    std::fs::create_dir(&done).expect("a folder");
    let (report, _) = club.run_pass();
    assert_eq!(report.troubles, [""; 0], "{report:?}");
    assert_eq!((club.record_count(), club.inbox_files("new").len()), (2, 0));
}
