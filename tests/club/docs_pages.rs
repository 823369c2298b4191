//! Tests that the commands, letters, settings and links in README.md and `docs/` work as written.
//!
//! The `sh` blocks of a page run one after another in one folder. `sh by hand` marks commands that
//! a test cannot run. A `letter KIND` block is sent by the player who begins a game of that kind,
//! and must be carried out. A `yaml` block must be valid settings. Every command in a table is run,
//! and every line in a table is sent.

use crate::rig::moderator_letters::{
    ask_as_mod, deliver_from_other_address, introduce_mod, start_paris_game,
};
use crate::rig::postrider_program::{outbox_letters, postrider_command};
use crate::rig::{Club, PostedLetter, copy_folder};
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

/// Returns the fenced blocks of a page, each as its info string and its text.
fn fenced_blocks(page: &str) -> Vec<(&str, &str)> {
    let fenced = page.split("```").skip(1).step_by(2);
    let blocks: Vec<_> = fenced.filter_map(|block| block.split_once('\n')).collect();
    assert!(!blocks.is_empty(), "a page without a block");
    blocks
}

/// Returns the blocks with this info string.
fn blocks_marked<'a>(page: &'a str, mark: &str) -> Vec<&'a str> {
    let blocks = fenced_blocks(page).into_iter();
    blocks.filter(|(info, _)| *info == mark).map(|(_, text)| text).collect()
}

/// Returns the text below a `##` heading, up to the next one.
fn section<'a>(page: &'a str, title: &str) -> &'a str {
    let (_, rest) = page.split_once(&format!("\n## {title}\n")).expect("there is such a heading");
    rest.split("\n## ").next().unwrap_or(rest)
}

/// Returns the code spans in the first cell of each table row.
fn table_lines(text: &str) -> Vec<&str> {
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.filter_map(|row| row.split(" | ").next());
    let lines: Vec<_> = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    assert!(!lines.is_empty(), "no table");
    lines
}

/// Returns the code spans outside tables and blocks that begin with `postrider`.
fn commands_in_prose(page: &str) -> Vec<&str> {
    let is_prose = |line: &&str| !line.starts_with('|');
    let outside = page.split("```").step_by(2);
    let lines = outside.flat_map(str::lines).filter(is_prose);
    let spans = lines.flat_map(|line| line.split('`').skip(1).step_by(2));
    spans.filter(|span| span.starts_with("postrider ")).collect()
}

#[test]
fn shell_blocks_in_docs_run_successfully() {
    let program = Path::new(env!("CARGO_BIN_EXE_postrider"));
    let path = std::env::var("PATH").expect("a path");
    let path = format!("{}:{path}", program.parent().expect("a folder").display());
    for page in [README, MODERATORS, DEVELOPERS] {
        let home = postrider::testing::create_folder();
        for block in blocks_marked(page, "sh") {
            let mut shell = Command::new("sh");
            shell.args(["-e", "-u", "-c", block]).current_dir(home.path());
            let output = shell.env("PATH", &path).env("EDITOR", "true").output().expect("it runs");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{block}\n{said}");
        }
        for block in blocks_marked(page, "sh by hand") {
            assert!(!block.lines().any(|line| line.starts_with("postrider ")), "{block}");
        }
    }
}

/// Creates a club in which Ann has built and Bob is on turn. `FILE.eml` is another letter from Ann.
fn create_documented_club(home: &Path) {
    let done = |now: &str, arguments: &[&str]| {
        let output = postrider_command(home, now).args(arguments).output().expect("it runs");
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
        let first = outbox_letters(home);
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
fn commands_in_tables_and_prose_exist() {
    let home = postrider::testing::create_folder();
    create_documented_club(home.path());
    let all: Vec<&str> = table_lines(MODERATORS);
    let commands = all.iter().filter_map(|line| line.strip_prefix("postrider "));
    let commands: Vec<&str> = commands.collect();
    assert!(commands.len() > 20, "{commands:?}");
    for command in commands {
        let filled = command.replace("GAME", "1").replace("SEQ", "1").replace("SEAT", "1");
        let filled = filled.replace("WHO", "eve@example.org").replace("--seat N", "--seat 1");
        let filled = filled.replace(" N ", " 2 ");
        let [folder, outside] = [(); 2].map(|()| postrider::testing::create_folder());
        let filled = filled.replace("DIR", &outside.path().to_string_lossy());
        copy_folder(home.path(), folder.path());
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
fn yaml_blocks_in_docs_are_valid_settings() {
    let base = "name: X\naddress: a@example.org\nmoderator: {name: M, address: m@example.org}\n";
    let mut read = 0;
    for page in [README, MODERATORS, SERVERS] {
        for block in blocks_marked(page, "yaml") {
            let own: Vec<&str> = block.lines().filter_map(|line| line.split(':').next()).collect();
            let rest = base.lines().filter(|line| !own.contains(&line.split(':').next().unwrap()));
            let text = format!("{}\n{block}", rest.collect::<Vec<_>>().join("\n"));
            Settings::parse(&text).unwrap_or_else(|error| panic!("{text}\n{error}"));
            read += 1;
        }
    }
    assert!(read > 3, "only {read}");
}

/// Texts of letters that say that a line was not understood or not carried out.
const REFUSAL_TEXTS: [&str; 3] =
    ["We couldn't carry out your orders", "for talk, not for an order", "We found no orders"];

#[test]
fn letter_blocks_in_docs_are_carried_out() {
    let mut sent = 0;
    for page in [README, PLAYERS] {
        for (info, text) in fenced_blocks(page) {
            let Some(kind) = info.strip_prefix("letter ") else { continue };
            let mut club = Club::with_game("", kind, 3, 7);
            club.send_reply("Ann", text.trim_end());
            let (report, letters) = club.run_pass();
            let is_asked = text.starts_with("preview");
            let done = (report.carried_out, report.answered);
            assert_eq!(done, (usize::from(!is_asked), usize::from(is_asked)), "{text}{letters:?}");
            let answer = club.last_text_to("Ann");
            assert!(!answer.contains("would be refused"), "{text}{answer}");
            sent += 1;
        }
    }
    assert!(sent > 4, "only {sent}");
}

#[test]
fn lines_in_player_tables_are_understood() {
    let mut club = Club::with_paris_game("clock: {deadline: 4 days}\n");
    // The lines below name these games: `join` and `leave` Bob's, `cancel` and `invite` Ann's.
    start_paris_game(&mut club, 3);
    club.send_reply("Bob", "new paris-connection seats 3 deadline 3d");
    club.send_reply("Ann", "new paris-connection seats 4 deadline 3d");
    club.run_pass();
    let mut faults = Vec::new();
    for title in [
        "Ask",
        "Talk",
        "Away, moved, another language",
        "How your letters look, and how many come",
        "Find a game, leave a game",
    ] {
        for line in table_lines(section(PLAYERS, title)) {
            // `yes` answers a question, `rematch` needs a finished game, `hint` needs a practice
            // game, and `board unicode` breaks the rig's rule that letters are ASCII.
            if ["yes", "rematch", "hint", "board unicode"].contains(&line) {
                continue;
            }
            let game = match line.split(' ').next().unwrap_or_default() {
                "join" | "leave" => "3",
                "cancel" | "invite" => "4",
                "resign" => "1",
                _ => "2",
            };
            let filled = line.replace("12", game);
            // The 12 in a date is a month, and the 12 in `remind 12h` is a number of hours.
            let has_game = !line.starts_with("vacation") && !line.starts_with("remind");
            let sent = if has_game { &filled } else { line };
            // `preview` needs orders in its letter, and `say:` needs lines below it.
            let sent = match line {
                "preview" => "preview\nbuild red G23",
                "say:" => "say:\nhello\nend",
                _ => sent,
            };
            club.send_reply_in_game_1("Ann", sent);
            let (report, letters) = club.run_pass();
            let answers = letters.iter().filter(|letter| letter.to.starts_with("ann@"));
            let is_wrong =
                |letter: &&PostedLetter| REFUSAL_TEXTS.iter().any(|wrong| letter.contains(wrong));
            let wrong: Vec<String> =
                answers.filter(is_wrong).map(PostedLetter::body_text).collect();
            if report.letters_read != 1 || letters.is_empty() || !wrong.is_empty() {
                faults.push(format!("{sent}: {} read\n{}", report.letters_read, wrong.join("\n")));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn lines_in_moderator_table_are_understood() {
    let mut club = Club::with_paris_game("clock: {deadline: 4 days}\n");
    club.send_reply("Ann", "build red G23, Troyes");
    club.run_pass();
    introduce_mod(&mut club);
    let name = deliver_from_other_address(&mut club, "Bob", "say hello");
    club.run_pass();
    for line in table_lines(section(MODERATORS, "The moderator's letters")) {
        let filled = line.replace("12", "1").replace("to 37", "to 1").replace("NAME", &name);
        let before = if line.starts_with("resume") { "pause 1 because of it\n" } else { "" };
        let answer = ask_as_mod(&mut club, &format!("preview\n{before}{filled}"));
        assert!(
            !answer.contains("Nothing has been done, because"),
            "{filled}:\n{}",
            answer.body_text()
        );
        assert!(!answer.contains("This is nothing that"), "{filled}:\n{}", answer.body_text());
    }
}

/// The README shows a real letter. In it, `...` marks omitted lines.
#[test]
fn letter_in_readme_matches_a_real_letter() {
    let mut club = Club::with_paris_game("clock: {deadline: \"Thu 20:00 UTC\"}\n");
    club.send_reply("Ann", "build red G23, Troyes");
    club.run_pass();
    let letter = club.last_letter_to("Bob").expect("a letter");
    let shown = blocks_marked(README, "text")[0];
    let read = Letter::parse(&letter.bytes).expect("it can be read");
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
    // The README describes these two answers to Bob.
    for (line, comes) in [("bild blue G17", "Did you mean"), ("build blue G17", "carried out")] {
        assert!(README.contains(&format!("`{line}`")), "{line}");
        club.send_reply("Bob", line);
        club.run_pass();
        assert!(club.last_text_to("Bob").contains(comes), "{line}: {}", club.last_text_to("Bob"));
    }
}

/// Returns the anchor that GitHub makes from a heading.
fn heading_anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn links_in_docs_resolve() {
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
        "docs/upgrading.md",
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
                headings.any(|line| heading_anchor(line.trim_start_matches(['#', ' '])) == place);
            assert!(place.is_empty() || is_there, "{page}: {link}");
            followed += 1;
        }
    }
    assert!(followed > 20, "only {followed}");
}
