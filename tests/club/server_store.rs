//! A club whose store is on a database server: moving there and back, faults of the server or its
//! settings, and passes that are killed or disconnected. The tests need a server.

use crate::crash;
use crate::mail_transports::pipe_letter;
use crate::rig::Club;
use crate::rig::postrider_program::{PASS_TIME, copy_club, outcome_without_kill, run_postrider};
use crate::server::{SETTING, Schema};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::Instant;

const NOW: &str = "2026-01-07T18:00:00Z";

#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn club_moves_to_server_and_back_by_journal() {
    let schema = Schema::needed();
    // The club starts with a store in its folder.
    let mut club = Club::with_local_store("");
    club.start_game(postrider::games::find_kind("paris-connection").expect("it ships"), 3, 7);
    club.run_pass();
    club.send_reply("Ann", "say Hello");
    club.deliver(club.compose_reply("Ann", "build red G23, Troyes"));
    club.run_pass();
    let folder = club.folder();
    let before = folder.join("before");
    assert_eq!(run_postrider(folder, NOW, &["journal", &before.to_string_lossy()]).0, Some(0));
    let settings = fs::read_to_string(folder.join("club.yaml")).expect("settings");
    let there = settings.clone() + &schema.setting(folder);
    fs::write(folder.join("club.yaml"), there).expect("written");
    // While both stores exist, no pass runs.
    let (code, said) = run_postrider(folder, NOW, &["tick"]);
    assert!(code == Some(78) && said.contains("postrider restore"), "{said}");
    fs::rename(folder.join("store"), folder.join("store.was")).expect("moved away");
    let (code, said) = run_postrider(folder, NOW, &["restore"]);
    assert!(code == Some(0) && said.contains("journal.before"), "{said}");
    let after = folder.join("after");
    assert_eq!(run_postrider(folder, NOW, &["journal", &after.to_string_lossy()]).0, Some(0));
    let game = "games/000001.jsonl";
    let log = |folder: &std::path::Path| fs::read_to_string(folder.join(game)).expect("a log");
    assert!(log(&after).starts_with(&log(&before)), "every record is there");
    assert_eq!(run_postrider(folder, NOW, &["verify", "1"]).0, Some(0));
    // A restore does not overwrite a store that contains a club.
    let (code, said) =
        run_postrider(folder, NOW, &["restore", "--journal", &after.to_string_lossy()]);
    assert!(code == Some(73) && said.contains("another name"), "{said}");
    // The club moves back into its folder.
    fs::write(folder.join("club.yaml"), settings).expect("written");
    fs::remove_file(folder.join("store.mark")).expect("the old store is gone for good");
    let (code, said) =
        run_postrider(folder, NOW, &["restore", "--journal", &after.to_string_lossy()]);
    assert_eq!(code, Some(0), "{said}");
    let context = club.open_context();
    assert_eq!(context.store.game_log_lines(1).expect("a log").join("\n"), log(&after).trim_end());
}

#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn server_problems_are_reported_and_letters_kept() {
    drop(Schema::needed());
    let mut club = Club::with_paris_game("");
    let letter = club.deliver(club.compose_reply("Ann", "build red G23, Troyes"));
    let folder = club.folder();
    postrider::mail::Maildir::new(folder.join("outbox")).create_folders().expect("an outbox");
    let path = folder.join(SETTING);
    let url = fs::read_to_string(&path).expect("a URL");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("ours");
    let (code, said) = run_postrider(folder, NOW, &["tick"]);
    assert!(code == Some(78) && said.contains("chmod 600"), "{said}");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("ours");
    fs::write(&path, "postgres:///none?host=/nowhere").expect("written");
    let (code, said) = run_postrider(folder, NOW, &["tick"]);
    assert!(code == Some(75) && said.contains("nothing is lost"), "{said}");
    assert!(folder.join("inbox/new").join(&letter).exists(), "{letter}");
    fs::write(&path, url).expect("written");
    // A second club is made with a copy of the settings of this club.
    let other = postrider::testing::create_folder();
    for file in ["club.yaml", SETTING] {
        fs::copy(folder.join(file), other.path().join(file)).expect("copied");
    }
    fs::write(other.path().join("secret"), "08".repeat(32)).expect("written");
    let (code, said) = run_postrider(other.path(), NOW, &["list"]);
    assert!(code == Some(78) && said.contains("another secret"), "{said}");
    let said = run_postrider(folder, NOW, &["doctor"]).1;
    assert!(said.contains("FIX   store") && said.contains("apart: set both"), "{said}");
    assert_eq!(run_postrider(folder, NOW, &["tick"]).0, Some(0));
    assert_eq!(club.open_context().store.log_length(1).expect("a log"), 3);
}

/// A machine that receives letters need not run passes, so a piped letter goes to the inbox on the
/// server. While the server cannot be reached, the letter stays in the machine's inbox folder.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn piped_letter_reaches_inbox_despite_server_outage() {
    drop(Schema::needed());
    let club = Club::with_paris_game("");
    postrider::mail::Maildir::new(club.folder().join("outbox"))
        .create_folders()
        .expect("an outbox");
    let letters = ["say one", "say two", "say three"].map(|line| club.compose_reply("Ann", line));
    let [one, two, three] = &letters;
    let local_count = || club.inbox_files("new").len();
    let has_pending =
        || postrider::process::has_pending_letters(&club.open_context()).expect("it reads");
    assert_eq!(
        (pipe_letter(club.folder(), one.as_str()), local_count(), has_pending()),
        (Some(0), 0, true)
    );
    let path = club.folder().join(SETTING);
    let url = fs::read_to_string(&path).expect("a URL");
    fs::write(&path, "postgres:///none?host=/nowhere").expect("written");
    assert_eq!(
        (pipe_letter(club.folder(), two.as_str()), local_count()),
        (Some(0), 1),
        "it is kept"
    );
    fs::write(&path, url).expect("written");
    assert_eq!((pipe_letter(club.folder(), three.as_str()), local_count()), (Some(0), 0));
    assert_eq!(run_postrider(club.folder(), NOW, &["tick"]).0, Some(0));
    let messages = club.open_context().store.activity_log(1).expect("minutes");
    assert_eq!(messages.len(), 3, "{messages:?}");
}

/// The test alternates between killing the program and cutting its connections to the server, at 24
/// times spread over the duration of a pass.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn pass_after_kill_or_disconnect_ends_the_same() {
    drop(Schema::needed());
    let club = crash::fill_inbox(Club::with_settings(crash::SETTINGS));
    let expected = outcome_without_kill(club.folder(), crash::capture_club_state);
    let (whole, _schema) = copy_club(club.folder());
    let begun = Instant::now();
    assert_eq!(run_postrider(whole.path(), PASS_TIME, &["tick"]).0, Some(0));
    let (took, mut cut_short) = (begun.elapsed(), 0);
    for n in 0..24 {
        let (folder, schema) = copy_club(club.folder());
        let mut tick = Command::new(env!("CARGO_BIN_EXE_postrider"));
        tick.arg("-C").arg(folder.path()).args(["--now", PASS_TIME, "tick"]);
        let mut tick = tick.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
        std::thread::sleep(took * n / 24);
        match n % 2 {
            0 => schema.iter().for_each(Schema::cut_lines),
            _ => tick.kill().expect("killed"),
        }
        let code = tick.wait().expect("it ended").code();
        assert!([None, Some(0), Some(75)].contains(&code), "{n}: {code:?}");
        cut_short += u32::from(code != Some(0));
        assert_eq!(run_postrider(folder.path(), PASS_TIME, &["tick"]).0, Some(0), "{n}");
        let found = crash::capture_club_state(folder.path());
        let other = |name: &&String| expected.get(*name) != found.get(*name);
        let other: Vec<&String> = expected.keys().chain(found.keys()).filter(other).collect();
        assert!(other.is_empty(), "{n}: {other:?}");
    }
    assert!(cut_short > 5, "only {cut_short} were cut short");
}
