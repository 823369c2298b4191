//! A store that is lost, emptied, older or damaged: nothing is done with it, no letter is put away,
//! and everybody is told what to do.

use crate::common::sample_or_all;
use crate::rig::command::program;
use crate::rig::{Club, copy};
use postrider::games::kind;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Output;

fn run(club: &Path, arguments: &[&str], input: &str) -> Output {
    let mut program = program(club, "2026-01-09T18:00:00Z");
    program.args(arguments).write_stdin(input).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A club with two games, each of which has begun, whose way out is a folder.
fn played() -> Club {
    let mut club = Club::with("mail_out: {maildir: outbox}\n");
    club.found(kind("paris-connection").expect("it ships"), 3, 7);
    club.found(kind("trick-of-the-rails").expect("it ships"), 3, 2);
    club.pass();
    let first = club.pigeon.posted[0].clone();
    let order = club.reply_to("Ann", &first, "build red G23");
    club.arrives(order);
    club.pass();
    with_a_way_out(&club);
    club
}

fn with_a_way_out(club: &Club) {
    postrider::mail::Maildir::new(club.folder().join("outbox")).create().expect("an outbox");
    let ours = fs::Permissions::from_mode(0o600);
    fs::set_permissions(club.folder().join("secret"), ours).expect("a secret");
}

/// Every file of a folder with its content.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push((path.clone(), fs::read(&path).expect("a file")));
        }
    }
    found.sort();
    found
}

const NEW: [&str; 8] = [
    "new",
    "paris-connection",
    "--player",
    "Zoe <zoe@example.net>",
    "--player",
    "Yan <yan@example.net>",
    "--player",
    "Xia <xia@example.net>",
];

/// What must hold of a club whose store has lost something: nothing is done and all is said.
fn is_told(club: &Path) {
    let inbox = club.join("inbox/new");
    let letters = || fs::read_dir(&inbox).expect("an inbox").count();
    let (before, waiting) = (files(&club.join("journal")), letters());
    // A pass says it once and then daily; each of these clubs has its first one.
    let _ = fs::remove_file(club.join("told"));
    for command in
        [&["tick"][..], &["clock", "1"], &NEW, &["member", "list"], &["end", "1", "--reason", "x"]]
    {
        let output = run(club, command, "");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(65), "{command:?}: {said}");
        assert!(said.contains("postrider restore"), "{command:?}: {said}");
    }
    let letter = "From: ann@example.org\r\nTo: games@example.org\r\n\r\nhello\r\n";
    let kept = run(club, &["receive"], letter);
    assert_eq!(kept.status.code(), Some(0), "{}", text(&kept.stderr));
    assert_eq!(letters(), waiting + 1);
    let told = run(club, &["doctor"], "");
    assert_eq!(told.status.code(), Some(65));
    let said = text(&told.stdout);
    assert!(said.starts_with("MEND  store"), "{said}");
    assert!(!said.contains("ok    journal") && !said.contains("ok    games"), "{said}");
    assert_eq!(files(&club.join("journal")), before);
    assert_eq!(fs::read_dir(club.join("inbox/.done/cur")).expect("a tray").count(), 1);
}

/// What must hold of it when it has been restored.
fn comes_back(club: &Path, exported: &[String]) {
    let restored = run(club, &["restore"], "");
    assert_eq!(restored.status.code(), Some(0), "{}", text(&restored.stderr));
    assert_eq!(exports(club), exported);
    let tick = run(club, &["tick"], "");
    assert_eq!(tick.status.code(), Some(0), "{}", text(&tick.stderr));
    let told = run(club, &["doctor"], "");
    assert_eq!(told.status.code(), Some(0), "{}", text(&told.stdout));
}

fn exports(club: &Path) -> Vec<String> {
    ["1", "2"].map(|game| text(&run(club, &["export", game, "--secrets"], "").stdout)).to_vec()
}

#[test]
fn a_store_that_is_gone_is_seen_by_every_command_and_restored() {
    let mut club = played();
    let exported = exports(club.folder());
    let letter = club.reply("Bob", "status");
    club.arrives(letter);
    let store = club.folder().join("store");
    fs::remove_dir_all(&store).expect("lost");
    is_told(club.folder());
    assert!(!store.exists(), "no new one is made");
    comes_back(club.folder(), &exported);
}

#[test]
fn a_store_that_is_gone_is_seen_when_nothing_waits() {
    let club = played();
    let tick = || run(club.folder(), &["tick"], "").status.code();
    assert_eq!([tick(), tick()], [Some(0), Some(0)]);
    assert!(club.folder().join("idle").exists());
    fs::remove_dir_all(club.folder().join("store")).expect("lost");
    assert_eq!([tick(), tick()], [Some(65), Some(65)]);
}

#[test]
fn a_store_that_is_emptied_or_cut_short_is_seen() {
    let club = played();
    let exported = exports(club.folder());
    let db = club.folder().join("store/db");
    let whole = fs::read(&db).expect("a file");
    let used = whole.iter().rposition(|byte| *byte != 0).expect("it is used") + 1;
    for length in [0, 1, 20, used / 3, used / 2, used - 9, used - 1] {
        fs::write(&db, &whole[..length]).expect("cut");
        if length == 0 || length == used / 2 {
            is_told(club.folder());
        }
        let tick = run(club.folder(), &["tick"], "");
        assert_eq!(tick.status.code(), Some(65), "{length}: {}", text(&tick.stderr));
    }
    comes_back(club.folder(), &exported);
    assert!(club.folder().join("store.damaged").exists());
}

#[test]
fn an_older_store_is_no_store() {
    let mut club = played();
    copy(&club.folder().join("store"), &club.folder().join("backup"));
    let order = club.reply("Bob", "say hello");
    club.arrives(order);
    club.pass();
    let exported = exports(club.folder());
    fs::remove_dir_all(club.folder().join("store")).expect("lost");
    fs::rename(club.folder().join("backup"), club.folder().join("store")).expect("replaced");
    let tick = run(club.folder(), &["tick"], "");
    assert_eq!(tick.status.code(), Some(65), "{}", text(&tick.stderr));
    comes_back(club.folder(), &exported);
}

#[test]
fn a_club_that_has_no_mark_is_compared_with_its_journal() {
    let club = played();
    let (store, mark) = (club.folder().join("store"), club.folder().join("store.mark"));
    fs::remove_file(&mark).expect("an older version left none");
    let exported = exports(club.folder());
    assert_eq!(run(club.folder(), &["tick"], "").status.code(), Some(0));
    assert!(mark.exists());
    fs::remove_file(&mark).expect("again");
    fs::remove_dir_all(&store).expect("lost");
    is_told(club.folder());
    comes_back(club.folder(), &exported);
}

#[test]
fn a_club_that_has_not_begun_is_whole() {
    let club = Club::with("mail_out: {maildir: outbox}\n");
    with_a_way_out(&club);
    for command in [&["doctor"][..], &["tick"], &["tick"], &NEW, &["tick"], &["doctor"]] {
        let output = run(club.folder(), command, "");
        assert_eq!(output.status.code(), Some(0), "{command:?}: {}", text(&output.stderr));
    }
}

/// Reads all that a club can be asked, with a store that may have been tampered with.
fn reading(club: &Path) -> Option<Vec<String>> {
    let list = run(club, &["list", "--json"], "");
    let members = run(club, &["member", "list"], "");
    let codes = [list.status.code(), members.status.code()];
    if codes.contains(&Some(65)) {
        return None;
    }
    assert_eq!(codes, [Some(0), Some(0)], "{}", text(&list.stderr));
    let mut all = exports(club);
    all.extend([text(&list.stdout), text(&members.stdout)]);
    (!all.iter().any(String::is_empty)).then_some(all)
}

#[test]
fn a_flipped_bit_changes_no_reading_or_is_told() {
    let club = played();
    let expected = reading(club.folder()).expect("it is whole");
    let whole = crate::common::folder();
    copy(club.folder(), whole.path());
    let db = fs::read(whole.path().join("store/db")).expect("a file");
    let used = db.iter().rposition(|byte| *byte != 0).expect("it is used") + 1;
    let mut told = 0;
    // A sample flips each bit of a byte once.
    let steps = sample_or_all(8, 24);
    for step in 0..steps {
        for with_snapshot in [true, false] {
            let flipped = crate::common::folder();
            copy(whole.path(), flipped.path());
            let mut bytes = db.clone();
            bytes[used * step / steps] ^= 1 << (step % 8);
            fs::write(flipped.path().join("store/db"), &bytes).expect("flipped");
            if !with_snapshot {
                for (path, _) in files(&flipped.path().join("store")) {
                    if path.to_string_lossy().contains("snap.") {
                        fs::remove_file(path).expect("removed");
                    }
                }
            }
            match reading(flipped.path()) {
                Some(found) => assert_eq!(found, expected, "{step} {with_snapshot}"),
                None => {
                    told += 1;
                    let now = fs::read(flipped.path().join("store/db")).expect("a file");
                    assert!(now == bytes, "{step} {with_snapshot}: the damage is as it was");
                    let tick = run(flipped.path(), &["tick"], "");
                    assert_eq!(tick.status.code(), Some(65), "{step} {with_snapshot}");
                }
            }
        }
    }
    assert!(told > steps, "{told}");
}
