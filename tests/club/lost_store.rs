//! Tests a missing, truncated or outdated store: nothing is changed, and `restore` is suggested.

use crate::rig::postrider_program::postrider_command;
use crate::rig::{Club, copy_folder};
use postrider::games::find_kind;
use postrider::testing::sample_or_all;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Output;

fn run_with_input(club: &Path, arguments: &[&str], input: &str) -> Output {
    let mut program = postrider_command(club, "2026-01-09T18:00:00Z");
    program.args(arguments).write_stdin(input).output().expect("the program runs")
}

fn decode_text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Creates a club with two games that have begun. Its outbound transport is a folder.
fn start_played_club() -> Club {
    let mut club = Club::with_settings("mail_out: {maildir: outbox}\n");
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    club.start_game(find_kind("trick-of-the-rails").expect("it ships"), 3, 2);
    club.run_pass();
    let first = club.transport.posted[0].clone();
    let order = club.compose_reply_to("Ann", &first, "build red G23");
    club.deliver(order);
    club.run_pass();
    create_outbound_folder(&club);
    club
}

fn create_outbound_folder(club: &Club) {
    postrider::mail::Maildir::new(club.folder().join("outbox"))
        .create_folders()
        .expect("an outbox");
    let ours = fs::Permissions::from_mode(0o600);
    fs::set_permissions(club.folder().join("secret"), ours).expect("a secret");
}

/// Returns every file below a folder, with its content.
fn read_files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(read_files(&path));
        } else {
            found.push((path.clone(), fs::read(&path).expect("a file")));
        }
    }
    found.sort();
    found
}

const NEW_GAME_COMMAND: [&str; 8] = [
    "new",
    "paris-connection",
    "--player",
    "Zoe <zoe@example.net>",
    "--player",
    "Yan <yan@example.net>",
    "--player",
    "Xia <xia@example.net>",
];

/// Checks that commands on a club with a damaged store report the loss and change nothing.
fn assert_loss_reported(club: &Path) {
    let inbox = club.join("inbox/new");
    let count_inbox_letters = || fs::read_dir(&inbox).expect("an inbox").count();
    let (before, waiting) = (read_files(&club.join("journal")), count_inbox_letters());
    // Without the note of the last report, the next pass reports the loss again.
    let _ = fs::remove_file(club.join("told"));
    for command in [
        &["tick"][..],
        &["clock", "1"],
        &NEW_GAME_COMMAND,
        &["member", "list"],
        &["end", "1", "--reason", "x"],
    ] {
        let output = run_with_input(club, command, "");
        let text = decode_text(&output.stderr);
        assert_eq!(output.status.code(), Some(65), "{command:?}: {text}");
        assert!(text.contains("postrider restore"), "{command:?}: {text}");
    }
    let letter = "From: ann@example.org\r\nTo: games@example.org\r\n\r\nhello\r\n";
    let kept = run_with_input(club, &["receive"], letter);
    assert_eq!(kept.status.code(), Some(0), "{}", decode_text(&kept.stderr));
    assert_eq!(count_inbox_letters(), waiting + 1);
    let doctor = run_with_input(club, &["doctor"], "");
    assert_eq!(doctor.status.code(), Some(65));
    let text = decode_text(&doctor.stdout);
    assert!(text.starts_with("FIX   store"), "{text}");
    assert!(!text.contains("ok    journal") && !text.contains("ok    games"), "{text}");
    assert_eq!(read_files(&club.join("journal")), before);
    assert_eq!(fs::read_dir(club.join("inbox/.done/cur")).expect("a mail folder").count(), 1);
}

/// Checks that `restore` recovers the games, and that later commands succeed.
fn assert_restore_succeeds(club: &Path, exported: &[String]) {
    let restored = run_with_input(club, &["restore"], "");
    assert_eq!(restored.status.code(), Some(0), "{}", decode_text(&restored.stderr));
    assert_eq!(export_games(club), exported);
    let tick = run_with_input(club, &["tick"], "");
    assert_eq!(tick.status.code(), Some(0), "{}", decode_text(&tick.stderr));
    let doctor = run_with_input(club, &["doctor"], "");
    assert_eq!(doctor.status.code(), Some(0), "{}", decode_text(&doctor.stdout));
}

fn export_games(club: &Path) -> Vec<String> {
    ["1", "2"]
        .map(|game| decode_text(&run_with_input(club, &["export", game, "--secrets"], "").stdout))
        .to_vec()
}

#[test]
fn missing_store_is_reported_and_restored() {
    let mut club = start_played_club();
    let exported = export_games(club.folder());
    let letter = club.compose_reply("Bob", "status");
    club.deliver(letter);
    let store = club.folder().join("store");
    fs::remove_dir_all(&store).expect("lost");
    assert_loss_reported(club.folder());
    assert!(!store.exists(), "no new store is created");
    assert_restore_succeeds(club.folder(), &exported);
}

#[test]
fn missing_store_is_reported_by_idle_pass() {
    let club = start_played_club();
    let tick = || run_with_input(club.folder(), &["tick"], "").status.code();
    assert_eq!([tick(), tick()], [Some(0), Some(0)]);
    assert!(club.folder().join("idle").exists());
    fs::remove_dir_all(club.folder().join("store")).expect("lost");
    assert_eq!([tick(), tick()], [Some(65), Some(65)]);
}

#[test]
fn emptied_or_truncated_store_is_reported() {
    let club = start_played_club();
    let exported = export_games(club.folder());
    let db = club.folder().join("store/db");
    let whole = fs::read(&db).expect("a file");
    let used = whole.iter().rposition(|byte| *byte != 0).expect("it is used") + 1;
    for length in [0, 1, 20, used / 3, used / 2, used - 9, used - 1] {
        fs::write(&db, &whole[..length]).expect("cut");
        if length == 0 || length == used / 2 {
            assert_loss_reported(club.folder());
        }
        let tick = run_with_input(club.folder(), &["tick"], "");
        assert_eq!(tick.status.code(), Some(65), "{length}: {}", decode_text(&tick.stderr));
    }
    assert_restore_succeeds(club.folder(), &exported);
    assert!(club.folder().join("store.damaged").exists());
}

#[test]
fn older_store_is_refused() {
    let mut club = start_played_club();
    copy_folder(&club.folder().join("store"), &club.folder().join("backup"));
    let order = club.compose_reply("Bob", "say hello");
    club.deliver(order);
    club.run_pass();
    let exported = export_games(club.folder());
    fs::remove_dir_all(club.folder().join("store")).expect("lost");
    fs::rename(club.folder().join("backup"), club.folder().join("store")).expect("replaced");
    let tick = run_with_input(club.folder(), &["tick"], "");
    assert_eq!(tick.status.code(), Some(65), "{}", decode_text(&tick.stderr));
    assert_restore_succeeds(club.folder(), &exported);
}

#[test]
fn store_without_mark_is_compared_with_journal() {
    let club = start_played_club();
    let (store, mark) = (club.folder().join("store"), club.folder().join("store.mark"));
    fs::remove_file(&mark).expect("an older version left none");
    let exported = export_games(club.folder());
    assert_eq!(run_with_input(club.folder(), &["tick"], "").status.code(), Some(0));
    assert!(mark.exists());
    fs::remove_file(&mark).expect("again");
    fs::remove_dir_all(&store).expect("lost");
    assert_loss_reported(club.folder());
    assert_restore_succeeds(club.folder(), &exported);
}

#[test]
fn new_club_without_store_is_accepted() {
    let club = Club::with_settings("mail_out: {maildir: outbox}\n");
    create_outbound_folder(&club);
    for command in
        [&["doctor"][..], &["tick"], &["tick"], &NEW_GAME_COMMAND, &["tick"], &["doctor"]]
    {
        let output = run_with_input(club.folder(), command, "");
        assert_eq!(output.status.code(), Some(0), "{command:?}: {}", decode_text(&output.stderr));
    }
}

/// Returns all that commands show of a club, or `None` if they find the store damaged or empty.
fn read_everything(club: &Path) -> Option<Vec<String>> {
    let list = run_with_input(club, &["list", "--json"], "");
    let members = run_with_input(club, &["member", "list"], "");
    let codes = [list.status.code(), members.status.code()];
    if codes.contains(&Some(65)) {
        return None;
    }
    assert_eq!(codes, [Some(0), Some(0)], "{}", decode_text(&list.stderr));
    let mut all = export_games(club);
    all.extend([decode_text(&list.stdout), decode_text(&members.stdout)]);
    (!all.iter().any(String::is_empty)).then_some(all)
}

#[test]
fn flipped_store_bit_is_harmless_or_reported() {
    let club = start_played_club();
    let expected = read_everything(club.folder()).expect("it is whole");
    let whole = postrider::testing::create_folder();
    copy_folder(club.folder(), whole.path());
    let db = fs::read(whole.path().join("store/db")).expect("a file");
    let used = db.iter().rposition(|byte| *byte != 0).expect("it is used") + 1;
    let mut reported = 0;
    // A sample flips one bit at each of eight places, and each of the eight bits once.
    let steps = sample_or_all(8, 24);
    for step in 0..steps {
        for with_snapshot in [true, false] {
            let flipped = postrider::testing::create_folder();
            copy_folder(whole.path(), flipped.path());
            let mut bytes = db.clone();
            bytes[used * step / steps] ^= 1 << (step % 8);
            fs::write(flipped.path().join("store/db"), &bytes).expect("flipped");
            if !with_snapshot {
                for (path, _) in read_files(&flipped.path().join("store")) {
                    if path.to_string_lossy().contains("snap.") {
                        fs::remove_file(path).expect("removed");
                    }
                }
            }
            match read_everything(flipped.path()) {
                Some(found) => assert_eq!(found, expected, "{step} {with_snapshot}"),
                None => {
                    reported += 1;
                    let now = fs::read(flipped.path().join("store/db")).expect("a file");
                    assert!(now == bytes, "{step} {with_snapshot}: the damaged file is unchanged");
                    let tick = run_with_input(flipped.path(), &["tick"], "");
                    assert_eq!(tick.status.code(), Some(65), "{step} {with_snapshot}");
                }
            }
        }
    }
    assert!(reported > steps, "{reported}");
}
