//! The command line as a moderator uses it: what it prints, what it leaves, how it ends.

use crate::rig::Club;
use crate::rig::command::program;
use postrider::games::GAMES;
use postrider::process;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Output;

const NOW: &str = "2026-01-05T18:00:00Z";

fn run(folder: &Path, arguments: &[&str]) -> Output {
    program(folder, NOW).args(arguments).output().expect("the program runs")
}

/// Runs a command that must do well and gives what it printed.
fn done(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
    String::from_utf8(output.stdout).expect("text")
}

/// Runs a command that must end with this code and gives its complaint.
fn fails(folder: &Path, code: i32, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    said
}

const PLAYERS: [&str; 6] = [
    "--player",
    "Ann <ann@example.org>",
    "--player",
    "Bob <bob@example.org>",
    "--player",
    "cid@example.org",
];

fn club_with_a_game() -> tempfile::TempDir {
    let home = tempfile::tempdir().expect("a folder");
    let club = home.path().join("club");
    done(home.path(), &["init", &club.to_string_lossy()]);
    let checked = done(&club, &["doctor"]);
    assert!(checked.lines().count() == 11 && !checked.contains("MEND"), "{checked}");
    let new = [&["new", "paris-connection", "--seed", "7"][..], &PLAYERS].concat();
    assert!(done(&club, &new).starts_with("Game 1 has begun"));
    home
}

#[test]
fn a_moderators_first_hour() {
    let home = club_with_a_game();
    let club = home.path().join("club");
    assert_eq!(done(&club, &["tick"]), "", "a pass with nothing to tell is silent");
    assert_eq!(fs::read_dir(club.join("outbox/new")).expect("an outbox").count(), 3);
    assert!(done(&club, &["list"]).contains("paris-connection  Ann, Bob, cid  record 1"));
    assert!(done(&club, &["show", "1"]).contains("In supply"));
    assert!(done(&club, &["show", "1", "--seat", "2"]).contains("YOUR PORTFOLIO"));
    assert!(!done(&club, &["show", "1"]).contains("YOUR PORTFOLIO"));
    let json: serde_json::Value =
        serde_json::from_str(&done(&club, &["show", "1", "--json"])).expect("JSON");
    assert_eq!(json["awaited"], serde_json::json!([1]));
    assert_eq!(json["private"], serde_json::Value::Null);
    let json: serde_json::Value =
        serde_json::from_str(&done(&club, &["show", "1", "--seat", "1", "--json"])).expect("JSON");
    assert!(json["legal"].as_array().is_some_and(|lines| lines.len() > 20), "{json}");
    assert!(done(&club, &["log", "1"]).contains("Ann begins"));
    assert!(done(&club, &["verify", "1"]).contains("all holds"));
    let checked = done(&club, &["doctor"]);
    assert!(checked.lines().count() == 11 && !checked.contains("MEND"), "{checked}");
    for folder in ["club", "club/store", "club/journal"] {
        let mode =
            fs::metadata(home.path().join(folder)).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o007, 0, "{folder} can be read by anyone: {mode:o}");
    }
}

#[test]
fn help_is_there_for_every_command() {
    let here = Path::new(".");
    let all = done(here, &["--help"]);
    for command in [
        "demo",
        "init",
        "new",
        "tick",
        "list",
        "show",
        "log",
        "explain",
        "doctor",
        "rewind",
        "end",
        "export",
        "verify",
        "restore",
        "games",
        "rehearse",
        "completions",
        "man",
    ] {
        assert!(all.contains(&format!("\n  {command} ")), "{command} is not in --help");
        let help = done(here, &[command, "--help"]);
        assert!(help.contains("Usage: postrider"), "{command}: {help}");
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{command}: {help}");
    }
    assert!(done(here, &["man"]).contains(".TH postrider"));
    assert!(done(here, &["completions", "bash"]).contains("_postrider"));
    assert_eq!(run(here, &["nonsense"]).status.code(), Some(64));
}

#[test]
fn what_is_wrong_is_said_with_what_to_do_and_nothing_is_half_done() {
    let home = club_with_a_game();
    let club = home.path().join("club");
    let dir = club.to_string_lossy().into_owned();
    assert!(fails(home.path(), 73, &["init", &dir]).contains("holds a club already"));
    assert!(fails(home.path(), 66, &["tick"]).contains("postrider init DIR"));
    assert!(fails(&club, 64, &["new", "chess", "--player", "a@b.c"]).contains("there is: "));
    let two = &PLAYERS[..4];
    let too_few = [&["new", "paris-connection"][..], two].concat();
    assert!(fails(&club, 64, &too_few).contains("3 to 6 players"));
    let twice = [&["new", "paris-connection"][..], two, &two[..2]].concat();
    assert!(fails(&club, 64, &twice).contains("ann@example.org is named twice"));
    let option = [&["new", "paris-connection", "--option", "colour=red"][..], &PLAYERS].concat();
    assert!(fails(&club, 64, &option).contains("there is no \"colour\" here; there is: "));
    assert!(fails(&club, 66, &["show", "9"]).contains("there is no game 9"));
    assert!(fails(&club, 64, &["show", "1", "--at", "2"]).contains("from 1 to 1"));
    assert!(fails(&club, 77, &["export", "1"]).contains("--secrets"));
    assert!(fails(&club, 66, &["member", "forget", "9"]).contains("there is no member 9"));
    let replace = ["replace", "9", "1", "1", "--reason", "x"];
    assert!(fails(&club, 66, &replace).contains("There is no game 9"));
    assert!(fails(&club, 66, &["explain", "no-such.eml"]).contains("no-such.eml"));
    assert!(
        fails(&club, 64, &["rewind", "1", "--to", "5", "--reason", "x"]).contains("no record 5")
    );
    assert!(fails(&club, 73, &["restore"]).contains("has games in it"));
    fs::write(club.join("bad.yaml"), "paris: F20\nrows: x\n").expect("written");
    let own = club.join("bad.yaml").to_string_lossy().into_owned();
    let bad = [&["new", "paris-connection", "--definition", &own][..], &PLAYERS].concat();
    assert!(fails(&club, 65, &bad).contains("line 2"));
    let shipped = done(&club, &["games", "paris-connection"]);
    fs::write(club.join("bad.yaml"), shipped.replace("code: Li,", "code: Ca,")).expect("written");
    let said = fails(&club, 65, &bad);
    assert!(said.contains("line ") && said.contains("Ca") && !said.contains("pc-"), "{said}");
    assert_eq!(done(&club, &["list"]).lines().count(), 1);
    fs::write(club.join("club.yaml"), "name: x\ncolour: red\n").expect("written");
    assert!(fails(&club, 78, &["tick"]).contains("club.yaml, line"));
}

#[test]
fn a_dry_run_says_how_it_would_be_and_changes_nothing() {
    let home = club_with_a_game();
    let club = home.path().join("club");
    let all = || {
        let settings = done(&club, &["member", "settings", "1"]);
        format!("{}{settings}", done(&club, &["member", "list"]))
    };
    let before = all();
    let said = done(&club, &["member", "set", "1", "letters", "text", "--dry-run"]);
    assert!(said.contains("Nothing is changed") && said.contains("text only"), "{said}");
    let said = done(&club, &["member", "--dry-run", "forget", "2"]);
    assert!(said.contains("Nothing is changed") && said.contains("game 1 seat 2"), "{said}");
    let said = done(&club, &["member", "rename", "1", "Zoe", "--dry-run"]);
    assert!(said.contains("Nothing is changed") && said.contains("Zoe"), "{said}");
    assert_eq!(all(), before);
    assert_eq!(done(&club, &["tick"]), "");
    assert_eq!(fs::read_dir(club.join("outbox/new")).expect("an outbox").count(), 3);
    let wrong = ["member", "forget", "9", "--dry-run"];
    assert!(fails(&club, 66, &wrong).contains("there is no member 9"));
}

#[test]
fn a_second_run_at_the_same_time_ends_at_once_with_75() {
    let club = Club::new();
    let _at_work = club.context();
    let said = fails(club.folder(), 75, &["tick"]);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("another pass is at work"), "{said}");
}

#[test]
fn an_inbox_that_cannot_be_read_is_named() {
    let home = club_with_a_game();
    let club = home.path().join("club");
    fs::remove_dir_all(club.join("inbox/new")).expect("removed");
    assert!(fails(&club, 66, &["tick"]).contains("inbox"));
    let said = run(&club, &["doctor"]);
    assert_eq!(said.status.code(), Some(78));
    assert!(String::from_utf8_lossy(&said.stdout).contains("MEND  inbox"));
}

#[test]
fn a_club_comes_back_from_its_journal() {
    let mut club = Club::new();
    let kind = postrider::games::kind("paris-connection").expect("it ships");
    club.found(kind, 3, 7);
    club.found(kind, 3, 2);
    club.pass();
    let letter = club.reply_to("Ann", &club.pigeon.posted[0].clone(), "build red G23");
    club.arrives(&letter);
    club.pass();
    let exported = |game| done(club.folder(), &["export", game, "--secrets"]);
    let before = [exported("1"), exported("2")];
    fs::remove_dir_all(club.folder().join("store")).expect("lost");
    assert!(done(club.folder(), &["restore"]).contains("2 games with 3 records and 3 members"));
    assert_eq!([exported("1"), exported("2")], before);
    // The letter that was carried out is known again, and everyone whose turn it is hears of it.
    club.arrives(&letter);
    let (report, letters) = club.pass();
    assert_eq!((report.carried_out, report.reminded), (0, 2));
    assert!(letters.iter().any(|letter| letter.says("This letter of yours came before")));
    assert!(letters.iter().any(|letter| letter.says("The game waits for you. Nothing happens")));
}

#[test]
fn a_rehearsed_game_can_be_checked_by_anyone_and_a_forged_one_cannot() {
    let home = tempfile::tempdir().expect("a folder");
    let dir = home.path().to_string_lossy().into_owned();
    for kind in GAMES {
        let id = kind.id();
        let seats = kind.seats().start().to_string();
        let figures = done(
            home.path(),
            &["rehearse", id, "--seats", &seats, "--games", "2", "--export", &dir, "--json"],
        );
        let figures: serde_json::Value = serde_json::from_str(&figures).expect("JSON");
        assert_eq!(figures["games"], 2);
        let file = home.path().join(format!("{id}-{seats}-1.json"));
        let name = file.to_string_lossy().into_owned();
        assert!(done(home.path(), &["verify", &name]).contains("all holds"), "{id}");
        let text = fs::read_to_string(&file).expect("exported");
        let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        for field in
            ["format", "game", "version", "definition", "options", "seats", "seed", "standings"]
        {
            assert!(!document[field].is_null(), "{id}: {field}");
        }
        let record = &document["records"][1];
        for field in ["seq", "at", "events", "hash"] {
            assert!(!record[field].is_null(), "{id}: {field}");
        }
        assert!(record["cause"]["seat"].is_u64() && record["cause"]["lines"][0].is_string());
        fs::write(&file, text.replacen("\"seq\":2,\"at\":\"1970", "\"seq\":2,\"at\":\"1971", 1))
            .expect("forged");
        let output = run(home.path(), &["verify", &name]);
        assert_eq!(output.status.code(), Some(1), "{id}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("record 2: the hash chain"));
    }
}

#[test]
fn explain_says_what_a_letter_would_do_and_does_nothing() {
    let club = Club::paris("");
    let file = club.folder().join("letter.eml");
    let path = file.to_string_lossy().into_owned();
    fs::write(&file, club.reply("Ann", "Hi,\nbuild red G23\n\nThanks")).expect("written");
    let said = done(club.folder(), &["explain", &path]);
    assert!(said.contains("Admitted:  game 1, seat 1, in answer to record 1"), "{said}");
    assert!(said.contains("Order:     line 2: build red G23"), "{said}");
    assert!(said.contains("Outcome:   carried out as record 2"), "{said}");
    fs::write(&file, club.reply("Ann", "build red F20")).expect("written");
    let said = done(club.folder(), &["explain", &path]);
    assert!(said.contains("Your orders were not carried out"), "{said}");
    fs::write(&file, "rubbish").expect("written");
    assert!(done(club.folder(), &["explain", &path]).contains("Outcome:   quarantine"));
    assert_eq!(process::open_game(&club.context(), 1).expect("it opens").table.head(), 1);
}

#[test]
fn the_demo_plays_the_same_twice_and_touches_nothing_else() {
    let home = tempfile::tempdir().expect("a folder");
    let dir = home.path().join("demo").to_string_lossy().into_owned();
    let first = done(home.path(), &["demo", "--dir", &dir]);
    for said in [
        "Your orders have been carried out.",
        "Your orders were not carried out",
        "This letter of yours came before",
        "Your address is not known here",
        "What to try next",
    ] {
        assert!(first.contains(said), "{said}");
    }
    assert_eq!(done(home.path(), &["demo", "--dir", &dir]), first);
    fs::create_dir(home.path().join("mine")).expect("a folder");
    fs::write(home.path().join("mine/letter"), "keep").expect("written");
    let mine = home.path().join("mine").to_string_lossy().into_owned();
    assert!(fails(home.path(), 73, &["demo", "--dir", &mine]).contains("--dir DIR"));
    assert!(home.path().join("mine/letter").exists());
}
