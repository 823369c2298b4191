//! A club on a database server, where tests are told of one: how it gets there, what stands in its
//! way, and how it comes back.

use crate::crash;
use crate::rig::Club;
use crate::rig::command::{TICK, copied, run, undisturbed};
use crate::server::{SETTING, Schema};
use crate::ways::receive;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::Instant;

const NOW: &str = "2026-01-07T18:00:00Z";

#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn a_club_is_moved_to_a_server_and_back_by_its_journal() {
    let schema = Schema::needed();
    // One that lies in its folder.
    let mut club = Club::in_its_folder("");
    club.found(postrider::games::kind("paris-connection").expect("it ships"), 3, 7);
    club.pass();
    club.writes("Ann", "say Hello");
    club.arrives(club.reply("Ann", "build red G23, Troyes"));
    club.pass();
    let folder = club.folder();
    let before = folder.join("before");
    assert_eq!(run(folder, NOW, &["journal", &before.to_string_lossy()]).0, Some(0));
    let settings = fs::read_to_string(folder.join("club.yaml")).expect("settings");
    let there = settings.clone() + &schema.setting(folder);
    fs::write(folder.join("club.yaml"), there).expect("written");
    // While both could be written nothing is.
    let (code, said) = run(folder, NOW, &["tick"]);
    assert!(code == Some(78) && said.contains("postrider restore"), "{said}");
    fs::rename(folder.join("store"), folder.join("store.was")).expect("moved away");
    let (code, said) = run(folder, NOW, &["restore"]);
    assert!(code == Some(0) && said.contains("journal.before"), "{said}");
    let after = folder.join("after");
    assert_eq!(run(folder, NOW, &["journal", &after.to_string_lossy()]).0, Some(0));
    let game = "games/000001.jsonl";
    let log = |folder: &std::path::Path| fs::read_to_string(folder.join(game)).expect("a log");
    assert!(log(&after).starts_with(&log(&before)), "every record is there");
    assert_eq!(run(folder, NOW, &["verify", "1"]).0, Some(0));
    // Nobody restores over what is there.
    let (code, said) = run(folder, NOW, &["restore", "--journal", &after.to_string_lossy()]);
    assert!(code == Some(73) && said.contains("another name"), "{said}");
    // And back.
    fs::write(folder.join("club.yaml"), settings).expect("written");
    fs::remove_file(folder.join("store.mark")).expect("the old store is gone for good");
    let (code, said) = run(folder, NOW, &["restore", "--journal", &after.to_string_lossy()]);
    assert_eq!(code, Some(0), "{said}");
    let context = club.context();
    assert_eq!(context.store.log(1).expect("a log").join("\n"), log(&after).trim_end());
}

#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn what_stands_in_the_way_of_a_server_is_said_and_letters_stay() {
    drop(Schema::needed());
    let mut club = Club::paris("");
    let letter = club.arrives(club.reply("Ann", "build red G23, Troyes"));
    let folder = club.folder();
    postrider::mail::Maildir::new(folder.join("outbox")).create().expect("an outbox");
    let path = folder.join(SETTING);
    let url = fs::read_to_string(&path).expect("a URL");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("ours");
    let (code, said) = run(folder, NOW, &["tick"]);
    assert!(code == Some(78) && said.contains("chmod 600"), "{said}");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("ours");
    fs::write(&path, "postgres:///none?host=/nowhere").expect("written");
    let (code, said) = run(folder, NOW, &["tick"]);
    assert!(code == Some(75) && said.contains("nothing is lost"), "{said}");
    assert!(folder.join("inbox/new").join(&letter).exists(), "{letter}");
    fs::write(&path, url).expect("written");
    // A club that was made from a copy of this one's settings.
    let other = crate::common::folder();
    for file in ["club.yaml", SETTING] {
        fs::copy(folder.join(file), other.path().join(file)).expect("copied");
    }
    fs::write(other.path().join("secret"), "08".repeat(32)).expect("written");
    let (code, said) = run(other.path(), NOW, &["list"]);
    assert!(code == Some(78) && said.contains("another secret"), "{said}");
    let said = run(folder, NOW, &["doctor"]).1;
    assert!(said.contains("MEND  store") && said.contains("apart: set both"), "{said}");
    assert_eq!(run(folder, NOW, &["tick"]).0, Some(0));
    assert_eq!(club.context().store.log_length(1).expect("a log"), 3);
}

/// Where letters come in need not be where anybody passes.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn what_a_pipe_takes_is_in_the_clubs_inbox_at_once_or_as_soon_as_the_server_is_back() {
    drop(Schema::needed());
    let club = Club::paris("");
    postrider::mail::Maildir::new(club.folder().join("outbox")).create().expect("an outbox");
    let letters = ["say one", "say two", "say three"].map(|line| club.reply("Ann", line));
    let [one, two, three] = &letters;
    let lie_here = || club.mail_folder("new").len();
    let lie_there = || postrider::process::has_letters(&club.context()).expect("it reads");
    assert_eq!((receive(club.folder(), one.as_str()), lie_here(), lie_there()), (Some(0), 0, true));
    let path = club.folder().join(SETTING);
    let url = fs::read_to_string(&path).expect("a URL");
    fs::write(&path, "postgres:///none?host=/nowhere").expect("written");
    assert_eq!((receive(club.folder(), two.as_str()), lie_here()), (Some(0), 1), "it is kept");
    fs::write(&path, url).expect("written");
    assert_eq!((receive(club.folder(), three.as_str()), lie_here()), (Some(0), 0));
    assert_eq!(run(club.folder(), NOW, &["tick"]).0, Some(0));
    let said = club.context().store.minutes(1).expect("minutes");
    assert_eq!(said.len(), 3, "{said:?}");
}

/// By turns the program is killed and its lines to the server are cut, after any part of the time
/// that it takes.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn whenever_a_line_is_cut_or_a_pass_killed_the_next_one_ends_the_same() {
    drop(Schema::needed());
    let club = crash::story(Club::with(crash::SETTINGS));
    let expected = undisturbed(club.folder(), crash::image);
    let (whole, _schema) = copied(club.folder());
    let begun = Instant::now();
    assert_eq!(run(whole.path(), TICK, &["tick"]).0, Some(0));
    let (took, mut cut_short) = (begun.elapsed(), 0);
    for n in 0..24 {
        let (folder, schema) = copied(club.folder());
        let mut tick = Command::new(env!("CARGO_BIN_EXE_postrider"));
        tick.arg("-C").arg(folder.path()).args(["--now", TICK, "tick"]);
        let mut tick = tick.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
        std::thread::sleep(took * n / 24);
        match n % 2 {
            0 => schema.iter().for_each(Schema::cut_lines),
            _ => tick.kill().expect("killed"),
        }
        let code = tick.wait().expect("it ended").code();
        assert!([None, Some(0), Some(75)].contains(&code), "{n}: {code:?}");
        cut_short += u32::from(code != Some(0));
        assert_eq!(run(folder.path(), TICK, &["tick"]).0, Some(0), "{n}");
        let found = crash::image(folder.path());
        let other = |name: &&String| expected.get(*name) != found.get(*name);
        let other: Vec<&String> = expected.keys().chain(found.keys()).filter(other).collect();
        assert!(other.is_empty(), "{n}: {other:?}");
    }
    assert!(cut_short > 5, "only {cut_short} were cut short");
}
