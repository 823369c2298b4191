//! Folders of a club that lie elsewhere than they seem to, and what a later version wrote in them.

use crate::rig::{Club, command};
use postrider::disk;
use postrider::mail::Maildir;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

fn run(club: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    command::run(club, "2026-01-09T18:00:00Z", arguments)
}

fn club(settings: &str) -> Club {
    let club = Club::paris(settings);
    let ours = fs::Permissions::from_mode(0o600);
    fs::set_permissions(club.folder().join("secret"), ours).expect("a secret");
    Maildir::new(club.folder().join("outbox")).create().expect("an outbox");
    club
}

/// Creates a folder on another file system than `here`. Linux always has one at `/dev/shm`.
fn elsewhere(here: &Path) -> tempfile::TempDir {
    let device = |path: &Path| fs::metadata(path).map(|data| data.dev());
    let places = ["/dev/shm", "/var/tmp", env!("CARGO_TARGET_TMPDIR")].map(Path::new);
    let here = device(here).expect("a device");
    let is_other = |path: &&Path| device(path).is_ok_and(|there| there != here);
    let place = places.into_iter().find(is_other).expect("a second file system");
    tempfile::tempdir_in(place).expect("a folder")
}

#[test]
fn letters_are_put_away_onto_another_file_system() {
    let mut club = club("");
    let other = elsewhere(club.folder());
    for mail_folder in [".done", ".quarantine"] {
        let there = other.path().join(mail_folder);
        for part in ["tmp", "new", "cur"] {
            fs::create_dir_all(there.join(part)).expect("a folder");
        }
        fs::remove_dir_all(club.folder().join("inbox").join(mail_folder)).expect("empty");
        symlink(&there, club.folder().join("inbox").join(mail_folder)).expect("a link");
    }
    let name = club.writes("Ann", "build red G23");
    let rubbish = club.arrives("rubbish");
    let (report, _) = club.pass();
    assert_eq!((report.carried_out, report.quarantined), (1, 1));
    assert_eq!(report.troubles, [""; 0]);
    let kept =
        |mail_folder: &str, name: &str| other.path().join(format!("{mail_folder}/cur/{name}:2,S"));
    let order = fs::read_to_string(kept(".done", &name)).expect("it lies there");
    assert!(order.contains("build red G23"));
    assert_eq!(fs::read(kept(".quarantine", &rubbish)).expect("it too"), b"rubbish");
    let changed = fs::metadata(kept(".done", &name)).expect("a file").mtime();
    assert_eq!(changed, club.now.timestamp() - 3_600, "it is as old as it was");
    assert!(club.mail_folder("new").is_empty());
    for mail_folder in [".done/cur", ".quarantine/cur"] {
        let left = club
            .mail_folder(mail_folder)
            .into_iter()
            .filter(|path| path.to_string_lossy().ends_with(".new"))
            .count();
        assert_eq!(left, 0, "{mail_folder}");
    }
    let (code, said) = run(club.folder(), &["doctor"]);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn a_file_that_cannot_be_carried_stays_where_it_is() {
    let home = crate::common::folder();
    let other = elsewhere(home.path());
    let (from, to) = (home.path().join("a"), other.path().join("nowhere/a"));
    fs::write(&from, "a letter").expect("written");
    assert!(disk::rename(&from, &to).is_err());
    assert_eq!(fs::read(&from).expect("still there"), b"a letter");
}

#[test]
fn a_way_out_that_leads_into_the_inbox_is_refused_under_any_name() {
    for (settings, link) in [
        ("mail_out: {maildir: inbox}\n", None),
        ("mail_out: {maildir: ./inbox/.done/../}\n", None),
        ("mail_out: {maildir: out}\n", Some("inbox")),
        ("mail_out: {maildir: out}\n", Some("inbox/.done")),
    ] {
        let club = club(settings);
        if let Some(to) = link {
            symlink(club.folder().join(to), club.folder().join("out")).expect("a link");
        }
        for command in ["tick", "doctor"] {
            let (code, said) = run(club.folder(), &[command]);
            assert_eq!(code, Some(78), "{settings} {command} {said}");
            assert!(said.contains("mail_out is the inbox"), "{said}");
        }
        assert!(club.mail_folder("new").is_empty(), "{settings}");
    }
}

/// Puts `new` in the place of `old` in the line of a game's log, in store and journal.
fn rewritten(club: &Club, old: &str, new: &str) -> (String, tempfile::TempDir) {
    let (_, exported) = run(club.folder(), &["export", "1", "--secrets"]);
    let text = exported.replacen(old, new, 1);
    assert_ne!(text, exported, "{old}");
    let home = crate::common::folder();
    let path = home.path().join("game.json");
    fs::write(&path, &text).expect("written");
    (path.to_string_lossy().into_owned(), home)
}

#[test]
fn a_game_of_a_later_form_is_told_from_a_forged_one() {
    let mut club = club("");
    club.writes("Ann", "build red G23");
    club.pass();
    for (old, new, told) in [
        ("postrider-game/1", "postrider-game/2", "the form postrider-game/2, of a later version"),
        ("\"cause\":", "\"weather\":1,\"cause\":", "unknown field `weather`"),
        ("\"orders\"", "\"orders\",\"sung\":true", "unknown field `sung`"),
        ("\"digest\"", "\"stamp\":2,\"digest\"", "unknown field `stamp`"),
    ] {
        let (path, _home) = rewritten(&club, old, new);
        let (code, said) = run(club.folder(), &["verify", &path]);
        assert_eq!(code, Some(65), "{new}: {said}");
        assert!(said.contains(told), "{new}: {said}");
    }
}

#[test]
fn a_document_that_is_no_game_is_refused_soon() {
    let home = crate::common::folder();
    let path = home.path().join("game.json");
    for text in ["[".repeat(1 << 20), "{\"a\":".repeat(1 << 20), "\0".repeat(65 << 20)] {
        fs::write(&path, &text).expect("written");
        let (code, said) = run(home.path(), &["verify", &path.to_string_lossy()]);
        assert_eq!(code, Some(65), "{said}");
    }
    let (code, said) = run(home.path(), &["verify", "/dev/zero"]);
    assert_eq!(code, Some(65), "{said}");
    assert!(said.contains("longer than 64 MiB"), "{said}");
}

#[test]
fn what_a_later_version_wrote_is_not_dropped_in_silence() {
    let club = club("clock: {deadline: 3 days}\n");
    let journal = club.folder().join("journal/club.jsonl");
    let sound = fs::read_to_string(&journal).expect("a journal");
    for (old, new) in [
        ("{\"member\":{\"id\":2", "{\"member\":{\"hat\":\"red\",\"id\":2"),
        ("\"seated\":{", "\"seated\":{\"cushion\":1,"),
        ("\"clock\":{", "\"clock\":{\"chimes\":4,"),
        ("{\"member\":", "{\"guest\":"),
    ] {
        let text = sound.replacen(old, new, 1);
        assert_ne!(text, sound, "{old}");
        fs::write(&journal, text).expect("written");
        let papers = crate::common::folder();
        fs::create_dir_all(papers.path().join("games")).expect("a folder");
        fs::copy(&journal, papers.path().join("club.jsonl")).expect("a copy");
        let elsewhere = Club::new();
        let there = papers.path().to_string_lossy().into_owned();
        let (code, said) = run(elsewhere.folder(), &["restore", "--journal", &there]);
        assert_eq!(code, Some(65), "{new}: {said}");
        assert!(said.contains("later version of postrider"), "{new}: {said}");
        let (_, said) = run(club.folder(), &["doctor", "--all"]);
        assert!(said.starts_with("MEND"), "{new}: {said}");
        fs::write(&journal, &sound).expect("put back");
    }
}
