//! Tests the subcommands: their output, exit codes and files.

use crate::rig::Club;
use crate::rig::postrider_program::postrider_command;
use postrider::process;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Output;

const NOW: &str = "2026-01-05T18:00:00Z";

pub fn run_command(folder: &Path, arguments: &[&str]) -> Output {
    postrider_command(folder, NOW).args(arguments).output().expect("the program runs")
}

/// Runs a command, checks that it succeeds, and returns its standard output.
pub fn run_successfully(folder: &Path, arguments: &[&str]) -> String {
    let output = run_command(folder, arguments);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {text}");
    String::from_utf8(output.stdout).expect("text")
}

/// Runs a command, checks its exit code, and returns its standard error.
fn run_expecting_failure(folder: &Path, code: i32, arguments: &[&str]) -> String {
    let output = run_command(folder, arguments);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
    text
}

const PLAYER_ARGUMENTS: [&str; 6] = [
    "--player",
    "Ann <ann@example.org>",
    "--player",
    "Bob <bob@example.org>",
    "--player",
    "cid@example.org",
];

fn create_club_with_game() -> tempfile::TempDir {
    let home = postrider::testing::create_folder();
    let club = home.path().join("club");
    run_successfully(home.path(), &["init", &club.to_string_lossy()]);
    let checked = run_successfully(&club, &["doctor"]);
    assert!(checked.lines().count() == 13 && !checked.contains("FIX "), "{checked}");
    let new = [&["new", "paris-connection", "--seed", "7"][..], &PLAYER_ARGUMENTS].concat();
    assert!(run_successfully(&club, &new).starts_with("Game 1 has begun"));
    home
}

#[test]
fn basic_commands_work_on_new_club() {
    let home = create_club_with_game();
    let club = home.path().join("club");
    assert_eq!(run_successfully(&club, &["tick"]), "", "a pass without news prints nothing");
    assert_eq!(fs::read_dir(club.join("outbox/new")).expect("an outbox").count(), 3);
    assert!(
        run_successfully(&club, &["list"]).contains("paris-connection  Ann, Bob, cid  record 1")
    );
    assert!(run_successfully(&club, &["show", "1"]).contains("In supply"));
    assert!(
        run_successfully(&club, &["show", "1", "--seat", "2", "--secrets"])
            .contains("WHAT YOU HOLD")
    );
    assert!(!run_successfully(&club, &["show", "1"]).contains("WHAT YOU HOLD"));
    let json: serde_json::Value =
        serde_json::from_str(&run_successfully(&club, &["show", "1", "--json"])).expect("JSON");
    assert_eq!(json["awaited"], serde_json::json!([1]));
    assert_eq!(json["private"], serde_json::Value::Null);
    let of_one = run_successfully(&club, &["show", "1", "--seat", "1", "--secrets", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&of_one).expect("JSON");
    assert!(json["legal"].as_array().is_some_and(|lines| lines.len() > 20), "{json}");
    assert!(run_successfully(&club, &["log", "1"]).contains("Ann goes first"));
    assert!(run_successfully(&club, &["verify", "1"]).contains("all valid"));
    let checked = run_successfully(&club, &["doctor"]);
    assert!(checked.lines().count() == 13 && !checked.contains("FIX "), "{checked}");
    for folder in ["club", "club/store", "club/journal"] {
        let mode =
            fs::metadata(home.path().join(folder)).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o007, 0, "{folder} can be read by anyone: {mode:o}");
    }
}

#[test]
fn verify_reports_journal_that_differs_from_log() {
    let home = create_club_with_game();
    let club = home.path().join("club");
    run_successfully(&club, &["tick"]);
    let games: Vec<_> = fs::read_dir(club.join("journal/games")).expect("a folder").collect();
    let [Ok(game)] = games.as_slice() else { panic!("{games:?}") };
    let whole = fs::read_to_string(game.path()).expect("the journal of game 1");
    let (rest, last) = whole.trim_end().rsplit_once('\n').expect("lines");
    // Opening the store already finds a changed last line, so this test changes other lines.
    let altered = rest.replacen("\"seats\":3", "\"seats\":4", 1);
    assert_ne!(altered, rest);
    for other in [format!("{altered}\n{last}\n"), format!("{rest}\n"), String::new()] {
        fs::write(game.path(), other).expect("written");
        let output = run_command(&club, &["verify", "1"]);
        let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
        assert!(text.contains("the journal differs from the log"), "{text}");
        assert_eq!(output.status.code(), Some(1), "{text}");
    }
    fs::write(game.path(), whole).expect("written");
    assert!(run_successfully(&club, &["verify", "1"]).contains("all valid"));
}

#[test]
fn every_command_has_help() {
    let here = Path::new(".");
    let all = run_successfully(here, &["--help"]);
    for command in [
        "demo",
        "answer",
        "init",
        "new",
        "tick",
        "list",
        "show",
        "log",
        "explain",
        "doctor",
        "status",
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
        let help = run_successfully(here, &[command, "--help"]);
        assert!(help.contains("Usage: postrider"), "{command}: {help}");
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{command}: {help}");
    }
    assert!(run_successfully(here, &["new", "--help"]).contains("--player <WHO>"));
    assert!(run_successfully(here, &["man"]).contains(".TH postrider"));
    assert!(run_successfully(here, &["completions", "bash"]).contains("_postrider"));
    assert_eq!(run_command(here, &["nonsense"]).status.code(), Some(64));
}

#[test]
fn rehearsed_bots_are_checked_and_compared() {
    let here = Path::new(".");
    let rehearse = ["rehearse", "trick-of-the-rails", "--seats", "3", "--games", "3", "--bots"];
    let fail = |bots: &str| run_expecting_failure(here, 64, &[&rehearse[..], &[bots]].concat());
    let choices = "strong, fair, easy, greedy, first";
    for (bots, said) in [("easy,random", "names 2 players"), ("easy,good,random", "\"good\"")] {
        let error = fail(bots);
        assert!(error.contains(said) && error.contains(choices), "{error}");
    }
    let play = || {
        let args = [&rehearse[..], &["easy,first,random", "--json"]].concat();
        let figures: serde_json::Value =
            serde_json::from_str(&run_successfully(here, &args)).expect("JSON");
        let players = figures["players"].as_array().expect("a list").clone();
        players
            .into_iter()
            .map(|one| (one["wins"].clone(), one["mean_score"].clone()))
            .collect::<Vec<_>>()
    };
    let results = play();
    assert_eq!(results, play(), "the same seed gives the same games");
    let wins: f64 = results.iter().filter_map(|(wins, _)| wins.as_f64()).sum();
    assert!((wins - 100.0).abs() < 0.1, "each game has one win: {results:?}");
}

#[test]
fn failed_commands_explain_fix_and_change_nothing() {
    let home = create_club_with_game();
    let club = home.path().join("club");
    let dir = club.to_string_lossy().into_owned();
    assert!(
        run_expecting_failure(home.path(), 73, &["init", &dir]).contains("holds a club already")
    );
    assert!(run_expecting_failure(home.path(), 66, &["tick"]).contains("there is a club in "));
    assert!(
        run_expecting_failure(&club.join("inbox"), 66, &["tick"]).contains("postrider init DIR")
    );
    let near = ["new", "paris-conection", "--player", "a@b.c"];
    assert!(run_expecting_failure(&club, 64, &near).contains("did you mean paris-connection?"));
    let init = |more: &[&str]| {
        run_expecting_failure(home.path(), 64, &[&["init", "other"][..], more].concat())
    };
    assert!(init(&["--address", "games"]).contains("--address: games is not an address"));
    assert!(init(&["--moderator", "Games@example.org"]).contains("is the club's own address"));
    assert!(init(&["--moderator", "Mo mo@b.c"]).contains("write it as 'Mo <mo@example.org>'"));
    assert!(
        run_expecting_failure(&club, 64, &["new", "chess", "--player", "a@b.c"])
            .contains("use one of: ")
    );
    let own = [
        &["new", "paris-connection"][..],
        &PLAYER_ARGUMENTS[..4],
        &["--player", "X <games+x@EXAMPLE.org>"],
    ];
    assert!(
        run_expecting_failure(&club, 64, &own.concat())
            .contains("games+x@example.org is the club's own")
    );
    let two = &PLAYER_ARGUMENTS[..4];
    let too_few = [&["new", "paris-connection"][..], two].concat();
    assert!(run_expecting_failure(&club, 64, &too_few).contains("3 to 6 players"));
    let twice = [&["new", "paris-connection"][..], two, &two[..2]].concat();
    assert!(run_expecting_failure(&club, 64, &twice).contains("ann@example.org is named twice"));
    let option =
        [&["new", "paris-connection", "--option", "colour=red"][..], &PLAYER_ARGUMENTS].concat();
    assert!(
        run_expecting_failure(&club, 64, &option)
            .contains("there is no \"colour\" here; use one of: ")
    );
    assert!(run_expecting_failure(&club, 66, &["show", "9"]).contains("there is no game 9"));
    assert!(run_expecting_failure(&club, 64, &["show", "1", "--at", "2"]).contains("from 1 to 1"));
    assert!(run_expecting_failure(&club, 77, &["export", "1"]).contains("--secrets"));
    assert!(
        run_expecting_failure(&club, 66, &["member", "forget", "9"])
            .contains("We found no member 9")
    );
    let replace = ["replace", "9", "1", "1", "--reason", "x"];
    assert!(run_expecting_failure(&club, 66, &replace).contains("There is no game 9"));
    assert!(run_expecting_failure(&club, 66, &["explain", "no-such.eml"]).contains("no-such.eml"));
    assert!(
        run_expecting_failure(&club, 64, &["rewind", "1", "--to", "5", "--reason", "x"])
            .contains("no move 5")
    );
    assert!(run_expecting_failure(&club, 73, &["restore"]).contains("has games in it"));
    fs::write(club.join("bad.yaml"), "paris: F20\nrows: x\n").expect("written");
    let own = club.join("bad.yaml").to_string_lossy().into_owned();
    let bad = [&["new", "paris-connection", "--definition", &own][..], &PLAYER_ARGUMENTS].concat();
    assert!(run_expecting_failure(&club, 65, &bad).contains("line 2"));
    let shipped = run_successfully(&club, &["games", "paris-connection"]);
    fs::write(club.join("bad.yaml"), shipped.replace("code: Li,", "code: Ca,")).expect("written");
    let text = run_expecting_failure(&club, 65, &bad);
    assert!(text.contains("line ") && text.contains("Ca") && !text.contains("pc-"), "{text}");
    assert_eq!(run_successfully(&club, &["list"]).lines().count(), 1);
    fs::write(club.join("club.yaml"), "name: x\ncolour: red\n").expect("written");
    assert!(run_expecting_failure(&club, 78, &["tick"]).contains("club.yaml, line"));
}

#[test]
fn dry_run_shows_outcome_and_changes_nothing() {
    let home = create_club_with_game();
    let club = home.path().join("club");
    let list_and_settings = || {
        let settings = run_successfully(&club, &["member", "settings", "1"]);
        format!("{}{settings}", run_successfully(&club, &["member", "list"]))
    };
    let before = list_and_settings();
    let text = run_successfully(&club, &["member", "set", "1", "letters", "text", "--dry-run"]);
    assert!(text.contains("Nothing is changed") && text.contains("text only"), "{text}");
    let text = run_successfully(&club, &["member", "--dry-run", "forget", "2"]);
    assert!(text.contains("Nothing is changed") && text.contains("game 1 seat 2"), "{text}");
    let text = run_successfully(&club, &["member", "rename", "1", "Zoe", "--dry-run"]);
    assert!(text.contains("Nothing is changed") && text.contains("Zoe"), "{text}");
    assert_eq!(list_and_settings(), before);
    assert_eq!(run_successfully(&club, &["tick"]), "");
    assert_eq!(fs::read_dir(club.join("outbox/new")).expect("an outbox").count(), 3);
    let wrong = ["member", "forget", "9", "--dry-run"];
    assert!(run_expecting_failure(&club, 66, &wrong).contains("We found no member 9"));
}

#[test]
fn concurrent_run_exits_with_code_75() {
    let club = Club::new();
    let _at_work = club.open_context();
    let text = run_expecting_failure(club.folder(), 75, &["tick"]);
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains("another pass is running"), "{text}");
}

#[test]
fn missing_inbox_is_reported_by_tick_and_doctor() {
    let home = create_club_with_game();
    let club = home.path().join("club");
    fs::remove_dir_all(club.join("inbox/new")).expect("removed");
    assert!(run_expecting_failure(&club, 66, &["tick"]).contains("inbox"));
    let output = run_command(&club, &["doctor"]);
    assert_eq!(output.status.code(), Some(78));
    assert!(String::from_utf8_lossy(&output.stdout).contains("FIX   inbox"));
}

#[test]
fn restore_recovers_games_and_known_letters() {
    let mut club = Club::new();
    let kind = postrider::games::find_kind("paris-connection").expect("it ships");
    club.start_game(kind, 3, 7);
    club.start_game(kind, 3, 2);
    club.run_pass();
    let letter = club.compose_reply_to("Ann", &club.transport.posted[0].clone(), "build red G23");
    club.deliver(&letter);
    club.run_pass();
    let exported = |game| run_successfully(club.folder(), &["export", game, "--secrets"]);
    let before = [exported("1"), exported("2")];
    fs::remove_dir_all(club.folder().join("store")).expect("lost");
    assert!(
        run_successfully(club.folder(), &["restore"])
            .contains("2 games with 3 records and 3 members")
    );
    assert_eq!([exported("1"), exported("2")], before);
    // The processed letter is recognized, and each awaited player gets a reminder.
    club.deliver(&letter);
    let (report, letters) = club.run_pass();
    assert_eq!((report.carried_out, report.reminders), (0, 2));
    assert!(letters.iter().any(|letter| letter.contains("We already got this e-mail")));
    assert!(
        letters
            .iter()
            .any(|letter| letter.contains("The game is waiting for you. Nothing happens"))
    );
}

#[test]
fn explain_shows_letters_outcome_without_effect() {
    let club = Club::with_paris_game("");
    let file = club.folder().join("letter.eml");
    let path = file.to_string_lossy().into_owned();
    fs::write(&file, club.compose_reply("Ann", "Hi,\nbuild red G23\n\nThanks")).expect("written");
    let text = run_successfully(club.folder(), &["explain", &path]);
    assert!(text.contains("Outcome:   carried out as record 2\n           > build red"), "{text}");
    let text = run_successfully(club.folder(), &["explain", &path, "--secrets"]);
    assert!(text.contains("Admitted:  game 1, seat 1, in answer to record 1"), "{text}");
    assert!(text.contains("Order:     line 2: build red G23"), "{text}");
    assert!(text.contains("Outcome:   carried out as record 2"), "{text}");
    fs::write(&file, club.compose_reply("Ann", "build red F20")).expect("written");
    let text = run_successfully(club.folder(), &["explain", &path]);
    assert!(text.contains("Outcome:   no record"), "{text}");
    let text = run_successfully(club.folder(), &["explain", &path, "--secrets"]);
    assert!(text.contains("We couldn't carry out your orders"), "{text}");
    fs::write(&file, "rubbish").expect("written");
    assert!(run_successfully(club.folder(), &["explain", &path]).contains("Outcome:   quarantine"));
    assert_eq!(
        process::load_stored_game(&club.open_context(), 1)
            .expect("it opens")
            .table
            .last_record_number(),
        1
    );
}

#[test]
fn explain_shows_result_of_processed_letter() {
    let mut club = Club::with_paris_game("");
    let order = club.compose_reply("Ann", "build red G23");
    let refused = club.compose_reply("Bob", "build red G23");
    let file = club.folder().join("letter.eml");
    let path = file.to_string_lossy().into_owned();
    let explain = |club: &Club, letter: &str| {
        fs::write(&file, letter).expect("written");
        run_successfully(club.folder(), &["explain", &path])
    };
    assert!(explain(&club, &order).contains("Outcome:   carried out as record 2"));
    club.deliver(&refused);
    club.run_pass();
    club.deliver(&order);
    club.run_pass();
    // Each pass advances the clock by one hour.
    let hours_ago = |club: &Club, hours| {
        (club.now - chrono::TimeDelta::hours(hours)).format("%Y-%m-%d %H:%M UTC").to_string()
    };
    let at = hours_ago(&club, 1);
    let text = explain(&club, &order);
    assert!(text.contains(&format!("read on {at}: carried out as record 2 of game 1")), "{text}");
    assert!(text.contains("> build red G23") && text.contains("Ann builds red on G23"), "{text}");
    assert!(text.contains(&format!("Answer:    posted on {at}")), "{text}");
    assert!(!text.contains("already got"), "{text}");
    let at = hours_ago(&club, 2);
    let text = explain(&club, &refused);
    assert!(text.contains(&format!("read on {at}, for game 1: no record")), "{text}");
    assert!(text.contains("Answer:    posted on "), "{text}");
    // A letter that only contains plans leads to no record.
    let planned = club.compose_reply("Cid", "next: trade brown for 2 blue");
    club.deliver(&planned);
    club.run_pass();
    let text = explain(&club, &planned);
    assert!(text.contains("for game 1: no record"), "{text}");
    // The archived file in the inbox is recognized too.
    let kept = &club.inbox_files(".done/cur")[0].to_string_lossy().into_owned();
    assert!(run_successfully(club.folder(), &["explain", kept]).contains("Outcome:   read on "));
}

#[test]
fn demo_is_reproducible_and_spares_other_folders() {
    let home = postrider::testing::create_folder();
    let dir = home.path().join("demo").to_string_lossy().into_owned();
    let first = run_successfully(home.path(), &["demo", "--dir", &dir]);
    let outcomes = first.lines().filter(|line| line.contains(" -> ")).count();
    assert_eq!((first.matches("  IN   ").count(), outcomes), (7, 7), "{first}");
    assert_eq!(first.matches(" -> carried out: ").count(), 3, "{first}");
    assert!((100..200).contains(&first.lines().count()), "{first}");
    assert_eq!(run_successfully(home.path(), &["demo", "--dir", &dir]), first);
    let all = run_successfully(home.path(), &["demo", "--dir", &dir, "--all"]);
    assert!(all.lines().count() > 1_000 && all.contains("<blockquote"), "{all}");
    fs::create_dir(home.path().join("mine")).expect("a folder");
    fs::write(home.path().join("mine/letter"), "keep").expect("written");
    let mine = home.path().join("mine").to_string_lossy().into_owned();
    assert!(
        run_expecting_failure(home.path(), 73, &["demo", "--dir", &mine]).contains("--dir DIR")
    );
    assert!(home.path().join("mine/letter").exists());
}

#[test]
fn demo_writes_web_site() {
    let home = postrider::testing::create_folder();
    let at = |name: &str| home.path().join(name).to_string_lossy().into_owned();
    let demo = ["demo", "--dir", &at("demo"), "--site", &at("site")];
    let first = run_successfully(home.path(), &demo);
    assert!(first.contains("/site/index.html in a browser"), "{first}");
    assert_eq!(run_successfully(home.path(), &demo), first, "it can run again");
    let list = fs::read_to_string(home.path().join("site/index.html")).expect("a list");
    assert!(list.contains(">Ann</a>, Seat 2, Seat 3"), "{list}");
}

#[test]
fn demo_page_shows_every_letter_without_scripts() {
    let home = postrider::testing::create_folder();
    let club = home.path().join("demo");
    run_successfully(home.path(), &["demo", "--dir", &club.to_string_lossy()]);
    let page = || fs::read_to_string(club.join("index.html")).expect("the page");
    let sent = fs::read_dir(club.join("outbox/new")).expect("the outbox").count();
    let read = fs::read_dir(club.join("inbox/.done/cur")).expect("the archive").count();
    assert_eq!((read, page().matches("<article ").count()), (8, sent + 8));
    // Every sent letter has HTML, and of the others only Bob's, which arrived twice.
    assert_eq!(page().matches("<iframe sandbox ").count(), sent + 2);
    let html = page().replace("&quot;", "\"").replace("&amp;", "&").replace("&lt;", "<");
    let sources: Vec<&str> = html.split("src=\"").skip(1).collect();
    assert!(sources.len() > 8 && sources.iter().all(|it| it.starts_with("data:image/png;base64,")));
    for absent in ["<script", "<link", "url(", "cid:", "http://", "https://"] {
        assert!(!html.contains(absent), "{absent}");
    }
    assert!(html.contains("prefers-color-scheme") && html.contains("lang=\"es\""));
    run_successfully(&club, &["answer", "ann", "say <b>hello</b>"]);
    assert!(page().contains("say &lt;b&gt;hello&lt;/b&gt;") && !page().contains("<b>hello"));
}

/// Returns the arguments of the command that a demo offers at its end.
fn offered_answer(printed: &str) -> [String; 3] {
    let line = printed.lines().find(|line| line.contains(" answer ") && line.ends_with('"'));
    let (_, answer) = line.expect("an order is offered").split_once(" answer ").expect("it is");
    let (player, order) = answer.split_once(" \"").expect("a player and an order");
    ["answer".to_owned(), player.to_owned(), order.trim_end_matches('"').to_owned()]
}

#[test]
fn offered_answers_are_carried_out_in_turn() {
    let home = postrider::testing::create_folder();
    let club = home.path().join("demo");
    let mut printed = run_successfully(home.path(), &["demo", "--dir", &club.to_string_lossy()]);
    let wrong = run_successfully(&club, &["answer", "ANN", "build", "red", "Z99"]);
    assert!(!wrong.contains("-> carried out") && wrong.contains("F24, F26"), "{wrong}");
    assert_eq!(offered_answer(&wrong), offered_answer(&printed));
    // The answer to a lobby command is about no game. The order after it answers the game's letter.
    for words in [["games"].as_slice(), &["rematch"], &["join", "2"]] {
        printed = run_successfully(&club, &[["answer", "ann"].as_slice(), words].concat());
    }
    for player in ["ann", "bob", "carmen", "ann"] {
        let answer = offered_answer(&printed);
        assert_eq!(answer[1], player);
        printed = run_successfully(&club, &answer.each_ref().map(String::as_str));
        assert!(printed.contains("-> carried out: "), "{printed}");
    }
    let undone = run_successfully(&club, &["answer", "ann", "undo"]);
    assert_eq!(offered_answer(&undone)[1], "ann");
    assert!(run_expecting_failure(&club, 64, &["answer", "zed", "help"]).contains("carmen"));
    let other = create_club_with_game();
    let refused = run_expecting_failure(&other.path().join("club"), 64, &["answer", "ann", "help"]);
    assert!(refused.contains("is not a club made by `postrider demo`"), "{refused}");
}
