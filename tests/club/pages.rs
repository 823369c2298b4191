//! What the pages for people say can be done as they say it: README.md and those in `docs/`.
//!
//! Blocks marked `sh` are run one after the other, in one folder, as somebody would who reads the
//! page; `sh by hand` is what a test cannot do. Blocks marked `letter KIND` are sent by who begins
//! a game of that kind, and are carried out. Blocks marked `yaml` are read as settings. Of tables,
//! every command is run and every line is sent.

use crate::rig::command::{posted, program};
use crate::rig::moderator::{from_elsewhere, mod_asks, mod_is_known, paris};
use crate::rig::{Club, Posted, copy};
use postrider::club::Settings;
use postrider::mail::Letter;
use std::fs;
use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../../README.md");
const PLAYERS: &str = include_str!("../../docs/players.md");
const MODERATORS: &str = include_str!("../../docs/moderators.md");
const DEVELOPERS: &str = include_str!("../../docs/developers.md");
const SERVERS: &str = include_str!("../../docs/servers.md");

/// The fenced blocks of a page: what each is marked with, and what stands in it.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let fenced = page.split("```").skip(1).step_by(2);
    let blocks: Vec<_> = fenced.filter_map(|block| block.split_once('\n')).collect();
    assert!(!blocks.is_empty(), "a page without a block");
    blocks
}

/// The blocks that are marked so.
fn marked<'a>(page: &'a str, mark: &str) -> Vec<&'a str> {
    let blocks = blocks(page).into_iter();
    blocks.filter(|(info, _)| *info == mark).map(|(_, text)| text).collect()
}

/// What stands between two headings.
fn section<'a>(page: &'a str, title: &str) -> &'a str {
    let (_, rest) = page.split_once(&format!("\n## {title}\n")).expect("there is such a heading");
    rest.split("\n## ").next().unwrap_or(rest)
}

/// The first cell of each row of the tables there, span by span.
fn lines_of_tables(text: &str) -> Vec<&str> {
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.filter_map(|row| row.split(" | ").next());
    let lines: Vec<_> = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    assert!(!lines.is_empty(), "no table");
    lines
}

/// The spans of the program's name and what follows it, outside tables.
fn commands_in_prose(page: &str) -> Vec<&str> {
    let is_prose = |line: &&str| !line.starts_with('|');
    let outside = page.split("```").step_by(2);
    let lines = outside.flat_map(str::lines).filter(is_prose);
    let spans = lines.flat_map(|line| line.split('`').skip(1).step_by(2));
    spans.filter(|span| span.starts_with("postrider ")).collect()
}

#[test]
fn commands_in_blocks_do_as_they_stand() {
    let program = Path::new(env!("CARGO_BIN_EXE_postrider"));
    let path = std::env::var("PATH").expect("a path");
    let path = format!("{}:{path}", program.parent().expect("a folder").display());
    for page in [README, MODERATORS, DEVELOPERS] {
        let home = crate::common::folder();
        for block in marked(page, "sh") {
            let mut shell = Command::new("sh");
            shell.args(["-e", "-u", "-c", block]).current_dir(home.path());
            let output = shell.env("PATH", &path).env("EDITOR", "true").output().expect("it runs");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{block}\n{said}");
        }
        for block in marked(page, "sh by hand") {
            assert!(!block.lines().any(|line| line.starts_with("postrider ")), "{block}");
        }
    }
}

/// A club with a game in which Ann has built and Bob is to move, and a letter of Bob's.
fn club_of_the_tables(home: &Path) {
    let done = |now: &str, arguments: &[&str]| {
        let output = program(home, now).args(arguments).output().expect("it runs");
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    };
    let early = "2026-01-05T18:00:00Z";
    done(early, &["init", &home.to_string_lossy()]);
    let players = ["Ann", "Bob", "Cid"].map(|name| format!("{name} <{name}@example.org>"));
    let [ann, bob, cid] = &players;
    let players = ["--player", ann, "--player", bob, "--player", cid, "--deadline", "3 days"];
    done(early, &[&["new", "paris-connection", "--seed", "7"], &players[..]].concat());
    done(early, &["member", "add", "Eve <eve@example.org>"]);
    done(early, &["tick"]);
    for (letter, order) in [("inbox/new/1", "build red G23, Troyes"), ("FILE.eml", "say hello")] {
        let first = posted(home);
        let to_ann = |letter: &&String| letter.contains("To: Ann") || letter.contains("To: \"Ann");
        let first = first.values().find(to_ann).expect("a letter to Ann");
        let head = |name: &str| {
            let line = first.lines().find_map(|line| line.strip_prefix(name));
            line.expect("it has such a header").to_owned()
        };
        let text = format!(
            "From: Ann <Ann@example.org>\r\nTo: {}\r\nMessage-ID: <{}@x>\r\n\r\n{order}\r\n",
            head("Reply-To: "),
            order.len()
        );
        fs::write(home.join(letter), text).expect("written");
        done("2026-01-05T19:00:00Z", &["tick"]);
    }
}

#[test]
fn commands_in_tables_and_prose_are_there() {
    let home = crate::common::folder();
    club_of_the_tables(home.path());
    let all: Vec<&str> = lines_of_tables(MODERATORS);
    let commands = all.iter().filter_map(|line| line.strip_prefix("postrider "));
    let commands: Vec<&str> = commands.collect();
    assert!(commands.len() > 20, "{commands:?}");
    for command in commands {
        let filled = command.replace("GAME", "1").replace("SEQ", "1").replace("SEAT", "1");
        let filled = filled.replace("WHO", "eve@example.org").replace("--seat N", "--seat 1");
        let filled = filled.replace(" N ", " 2 ");
        let folder = crate::common::folder();
        copy(home.path(), folder.path());
        if command == "restore" {
            fs::remove_dir_all(folder.path().join("store")).expect("it is lost");
        }
        let ran = Command::new("sh")
            .args(["-e", "-u", "-c", &format!("$POSTRIDER --now 2026-01-05T20:00:00Z {filled}")])
            .env("POSTRIDER", env!("CARGO_BIN_EXE_postrider"))
            .current_dir(folder.path())
            .output()
            .expect("it runs");
        assert!(ran.status.success(), "{filled}: {ran:?}");
    }
    for page in [README, PLAYERS, MODERATORS, DEVELOPERS, SERVERS] {
        for command in commands_in_prose(page) {
            let is_word = |word: &&str| word.chars().any(char::is_lowercase);
            let words: Vec<&str> = command.split(' ').skip(1).filter(is_word).collect();
            let bare = words.into_iter().take_while(|word| !word.contains(['\'', '"']));
            let mut ran = Command::new(env!("CARGO_BIN_EXE_postrider"));
            let ran = ran.args(bare).arg("--help").output().expect("it runs");
            assert!(ran.status.success(), "{command}: {ran:?}");
        }
    }
}

#[test]
fn settings_are_read() {
    let base = "name: X\naddress: a@example.org\nmoderator: {name: M, address: m@example.org}\n";
    let mut read = 0;
    for page in [README, MODERATORS, SERVERS] {
        for block in marked(page, "yaml") {
            let own: Vec<&str> = block.lines().filter_map(|line| line.split(':').next()).collect();
            let rest = base.lines().filter(|line| !own.contains(&line.split(':').next().unwrap()));
            let text = format!("{}\n{block}", rest.collect::<Vec<_>>().join("\n"));
            Settings::read(&text).unwrap_or_else(|error| panic!("{text}\n{error}"));
            read += 1;
        }
    }
    assert!(read > 3, "only {read}");
}

/// What says that a line was not taken as it was meant.
const TAKEN_WRONG: [&str; 3] =
    ["Your orders were not carried out", "as a word to us", "no orders were found"];

#[test]
fn letters_in_blocks_are_carried_out() {
    let mut sent = 0;
    for page in [README, PLAYERS] {
        for (info, text) in blocks(page) {
            let Some(kind) = info.strip_prefix("letter ") else { continue };
            let mut club = Club::session("", kind, 3, 7);
            club.writes("Ann", text.trim_end());
            let (report, letters) = club.pass();
            let is_asked = text.starts_with("preview");
            let done = (report.carried_out, report.answered);
            assert_eq!(done, (usize::from(!is_asked), usize::from(is_asked)), "{text}{letters:?}");
            let answer = club.last_text("Ann");
            assert!(!answer.contains("would be refused"), "{text}{answer}");
            sent += 1;
        }
    }
    assert!(sent > 4, "only {sent}");
}

#[test]
fn lines_in_tables_are_taken_as_they_are_meant() {
    let mut club = Club::paris("clock: {deadline: 4 days}\n");
    // Whose games the lines of the lobby are about; Ann plays the first.
    paris(&mut club, 3);
    club.writes("Bob", "new paris-connection seats 3 deadline 3d");
    club.writes("Ann", "new paris-connection seats 4 deadline 3d");
    club.pass();
    let mut faults = Vec::new();
    for title in [
        "Ask",
        "Talk",
        "Away, moved, another language",
        "How your letters look, and how many come",
        "Find a game, leave a game",
    ] {
        for line in lines_of_tables(section(PLAYERS, title)) {
            // A `yes` answers a question, there is no game yet to be played once more, and the rig
            // holds all letters to ASCII.
            if ["yes", "rematch", "board unicode"].contains(&line) {
                continue;
            }
            let game = match line.split(' ').next().unwrap_or_default() {
                "join" | "leave" => "3",
                "cancel" | "invite" => "4",
                "resign" => "1",
                _ => "2",
            };
            let filled = line.replace("12", game);
            // A date keeps its twelfth month.
            let sent = if line.starts_with("vacation") { line } else { &filled };
            // Of orders, which it needs, there is one beside it; a block has lines.
            let sent = match line {
                "preview" => "preview\nbuild red G23",
                "say:" => "say:\nhello\nend",
                _ => sent,
            };
            club.writes_in_game_1("Ann", sent);
            let (report, letters) = club.pass();
            let answers = letters.iter().filter(|letter| letter.to.starts_with("ann@"));
            let is_wrong = |letter: &&Posted| TAKEN_WRONG.iter().any(|wrong| letter.says(wrong));
            let wrong: Vec<String> = answers.filter(is_wrong).map(Posted::text).collect();
            if report.read != 1 || letters.is_empty() || !wrong.is_empty() {
                faults.push(format!("{sent}: {} read\n{}", report.read, wrong.join("\n")));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn lines_for_the_moderator_would_be_done() {
    let mut club = Club::paris("clock: {deadline: 4 days}\n");
    club.writes("Ann", "build red G23, Troyes");
    club.pass();
    mod_is_known(&mut club);
    let name = from_elsewhere(&mut club, "Bob", "say hello");
    club.pass();
    for line in lines_of_tables(section(MODERATORS, "The moderator's letters")) {
        let filled = line.replace("12", "1").replace("to 37", "to 1").replace("NAME", &name);
        let before = if line.starts_with("resume") { "pause 1 because of it\n" } else { "" };
        let answer = mod_asks(&mut club, &format!("preview\n{before}{filled}"));
        assert!(!answer.says("Nothing has been done, because"), "{filled}:\n{}", answer.text());
        assert!(!answer.says("This is nothing that"), "{filled}:\n{}", answer.text());
    }
}

/// The letter that the README shows is one that is sent; `...` is what is left out.
#[test]
fn the_letter_in_the_readme_is_one_of_ours() {
    let mut club = Club::paris("clock: {deadline: \"Thu 20:00 UTC\"}\n");
    club.writes("Ann", "build red G23, Troyes");
    club.pass();
    let letter = club.last_to("Bob").expect("a letter");
    let shown = marked(README, "text")[0];
    let read = Letter::read(&letter.bytes).expect("it can be read");
    let subject = format!("Subject: {}", letter.header("Subject").unwrap_or_default());
    let whole = format!("{subject}\n{}", read.body.replace('\r', ""));
    let mut lines = whole.lines().map(str::trim_end);
    let meant = shown.lines().filter(|line| {
        !line.is_empty()
            && line.trim() != "..."
            && !line.starts_with("From")
            && !line.starts_with("To")
    });
    for line in meant {
        assert!(lines.any(|real| real == line.trim_end()), "{line}\n{whole}");
    }
    // What the README tells of Bob's answer.
    for (line, comes) in [("bild blue G17", "Did you mean"), ("build blue G17", "carried out")] {
        assert!(README.contains(&format!("`{line}`")), "{line}");
        club.writes("Bob", line);
        club.pass();
        assert!(club.last_text("Bob").contains(comes), "{line}: {}", club.last_text("Bob"));
    }
}

/// A heading as it stands in an address.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn links_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &Path| fs::read_to_string(path).unwrap_or_default();
    let mut followed = 0;
    for page in [
        "README.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "docs/players.md",
        "docs/moderators.md",
        "docs/developers.md",
        "docs/servers.md",
    ] {
        let text = read(&root.join(page));
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let sources = text.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next());
        for link in links.chain(sources).filter(|link| !link.starts_with("https://")) {
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            let folder = root.join(page).parent().expect("a folder").to_owned();
            let path = if file.is_empty() { root.join(page) } else { folder.join(file) };
            assert!(path.exists(), "{page}: {link}");
            let linked = read(&path);
            let mut headings = linked.lines().filter(|line| line.starts_with('#'));
            let is_there =
                headings.any(|line| anchor(line.trim_start_matches(['#', ' '])) == place);
            assert!(place.is_empty() || is_there, "{page}: {link}");
            followed += 1;
        }
    }
    assert!(followed > 20, "only {followed}");
}
