//! Folders of a club that are links to other places or other file systems, and files in them that a
//! later version has written.

use crate::rig::{Club, postrider_program};
use postrider::disk;
use postrider::mail::Maildir;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

fn run_program(club: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    postrider_program::run_postrider(club, "2026-01-09T18:00:00Z", arguments)
}

fn start_club_with_outbox(settings: &str) -> Club {
    let club = Club::with_paris_game(settings);
    let ours = fs::Permissions::from_mode(0o600);
    fs::set_permissions(club.folder().join("secret"), ours).expect("a secret");
    Maildir::new(club.folder().join("outbox")).create_folders().expect("an outbox");
    club
}

/// Creates a folder on another file system than `here`. Linux always has one at `/dev/shm`.
fn create_other_filesystem_folder(here: &Path) -> tempfile::TempDir {
    let device = |path: &Path| fs::metadata(path).map(|data| data.dev());
    let places = ["/dev/shm", "/var/tmp", env!("CARGO_TARGET_TMPDIR")].map(Path::new);
    let here = device(here).expect("a device");
    let is_other = |path: &&Path| device(path).is_ok_and(|there| there != here);
    let place = places.into_iter().find(is_other).expect("a second file system");
    tempfile::tempdir_in(place).expect("a folder")
}

#[test]
fn letters_are_archived_on_another_file_system() {
    let mut club = start_club_with_outbox("");
    let other = create_other_filesystem_folder(club.folder());
    for mail_folder in [".done", ".quarantine"] {
        let there = other.path().join(mail_folder);
        for part in ["tmp", "new", "cur"] {
            fs::create_dir_all(there.join(part)).expect("a folder");
        }
        fs::remove_dir_all(club.folder().join("inbox").join(mail_folder)).expect("empty");
        symlink(&there, club.folder().join("inbox").join(mail_folder)).expect("a link");
    }
    let name = club.send_reply("Ann", "build red G23");
    let rubbish = club.deliver("rubbish");
    let (report, _) = club.run_pass();
    assert_eq!((report.carried_out, report.quarantined), (1, 1));
    assert_eq!(report.troubles, [""; 0]);
    let kept =
        |mail_folder: &str, name: &str| other.path().join(format!("{mail_folder}/cur/{name}:2,S"));
    let order = fs::read_to_string(kept(".done", &name)).expect("it lies there");
    assert!(order.contains("build red G23"));
    assert_eq!(fs::read(kept(".quarantine", &rubbish)).expect("it too"), b"rubbish");
    let changed = fs::metadata(kept(".done", &name)).expect("a file").mtime();
    assert_eq!(changed, club.now.timestamp() - 3_600, "it is as old as it was");
    assert!(club.inbox_files("new").is_empty());
    for mail_folder in [".done/cur", ".quarantine/cur"] {
        let left = club
            .inbox_files(mail_folder)
            .into_iter()
            .filter(|path| path.to_string_lossy().ends_with(".new"))
            .count();
        assert_eq!(left, 0, "{mail_folder}");
    }
    let (code, said) = run_program(club.folder(), &["doctor"]);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn failed_rename_leaves_file_in_place() {
    let home = postrider::testing::create_folder();
    let other = create_other_filesystem_folder(home.path());
    let (from, to) = (home.path().join("a"), other.path().join("nowhere/a"));
    fs::write(&from, "a letter").expect("written");
    assert!(disk::move_durably(&from, &to).is_err());
    assert_eq!(fs::read(&from).expect("still there"), b"a letter");
}

#[test]
fn outbound_folder_inside_inbox_is_refused() {
    for (settings, link) in [
        ("mail_out: {maildir: inbox}\n", None),
        ("mail_out: {maildir: ./inbox/.done/../}\n", None),
        ("mail_out: {maildir: out}\n", Some("inbox")),
        ("mail_out: {maildir: out}\n", Some("inbox/.done")),
    ] {
        let club = start_club_with_outbox(settings);
        if let Some(to) = link {
            symlink(club.folder().join(to), club.folder().join("out")).expect("a link");
        }
        for command in ["tick", "doctor"] {
            let (code, said) = run_program(club.folder(), &[command]);
            assert_eq!(code, Some(78), "{settings} {command} {said}");
            assert!(said.contains("mail_out is the inbox"), "{said}");
        }
        assert!(club.inbox_files("new").is_empty(), "{settings}");
    }
}

/// Exports game 1, replaces the first `old` in the text by `new`, and writes it to a file. Returns
/// the file's path.
fn export_with_replacement(club: &Club, old: &str, new: &str) -> (String, tempfile::TempDir) {
    let (_, exported) = run_program(club.folder(), &["export", "1", "--secrets"]);
    let text = exported.replacen(old, new, 1);
    assert_ne!(text, exported, "{old}");
    let home = postrider::testing::create_folder();
    let path = home.path().join("game.json");
    fs::write(&path, &text).expect("written");
    (path.to_string_lossy().into_owned(), home)
}

#[test]
fn verify_distinguishes_later_version_from_forgery() {
    let mut club = start_club_with_outbox("");
    club.send_reply("Ann", "build red G23");
    club.run_pass();
    for (old, new, told) in [
        ("postrider-game/1", "postrider-game/2", "the form postrider-game/2, of a later version"),
        ("\"cause\":", "\"weather\":1,\"cause\":", "unknown field `weather`"),
        ("\"orders\"", "\"orders\",\"sung\":true", "unknown field `sung`"),
        ("\"digest\"", "\"stamp\":2,\"digest\"", "unknown field `stamp`"),
    ] {
        let (path, _home) = export_with_replacement(&club, old, new);
        let (code, said) = run_program(club.folder(), &["verify", &path]);
        assert_eq!(code, Some(65), "{new}: {said}");
        assert!(said.contains(told), "{new}: {said}");
    }
}

#[test]
fn document_without_game_is_refused_quickly() {
    let home = postrider::testing::create_folder();
    let path = home.path().join("game.json");
    for text in ["[".repeat(1 << 20), "{\"a\":".repeat(1 << 20), "\0".repeat(65 << 20)] {
        fs::write(&path, &text).expect("written");
        let (code, said) = run_program(home.path(), &["verify", &path.to_string_lossy()]);
        assert_eq!(code, Some(65), "{said}");
    }
    let (code, said) = run_program(home.path(), &["verify", "/dev/zero"]);
    assert_eq!(code, Some(65), "{said}");
    assert!(said.contains("longer than 64 MiB"), "{said}");
}

#[test]
fn journal_of_later_version_is_refused() {
    let club = start_club_with_outbox("clock: {deadline: 3 days}\n");
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
        let copied = postrider::testing::create_folder();
        fs::create_dir_all(copied.path().join("games")).expect("a folder");
        fs::copy(&journal, copied.path().join("club.jsonl")).expect("a copy");
        let elsewhere = Club::new();
        let there = copied.path().to_string_lossy().into_owned();
        let (code, said) = run_program(elsewhere.folder(), &["restore", "--journal", &there]);
        assert_eq!(code, Some(65), "{new}: {said}");
        assert!(said.contains("later version of postrider"), "{new}: {said}");
        let (_, said) = run_program(club.folder(), &["doctor", "--all"]);
        assert!(said.starts_with("FIX"), "{new}: {said}");
        fs::write(&journal, &sound).expect("put back");
    }
}
