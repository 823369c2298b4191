//! Whole games as exchanges of letters, compared with one recorded file each.
//!
//! The first lines of a file describe its game. `Ann >> build red G23` is a line of a letter that
//! arrives. Consecutive lines of one player are one letter, and a blank line ends it. The text
//! between letters is what the pass posted, up to the board, and long news. `in full: Ann` shows
//! the whole last letter to that player. UPDATE_PLAYTHROUGHS=1 rewrites the files; read the
//! difference.
//!
//! The files of `tests/answers` have the same format. They record answers to letters other than the
//! next move: refusals, questions, plans and previews. A file contains several stories, separated
//! by lines of `====`. With `after: off-the-rails-2, 12 letters`, a story begins in the middle of a
//! playthrough. With `definition: actions: 4 -> actions: 9` in its first lines, it changes the
//! built-in definition of the game.

use crate::common::sample_or_all;
use crate::open_club::OpenClub;
use crate::rig::{self, Club, NAMES, PostedLetter};
use postrider::games::find_kind;
use postrider::process;
use postrider::table::{InitialGameCache, Table};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

#[test]
fn off_the_rails_playthroughs_match_their_files() {
    assert_files_match("tests/playthroughs", ("off-the-rails-", 4), replay_sample);
}

#[test]
fn paris_connection_playthroughs_match_their_files() {
    assert_files_match("tests/playthroughs", ("paris-connection-", 2), replay_sample);
}

#[test]
fn trick_of_the_rails_playthroughs_match_files() {
    assert_files_match("tests/playthroughs", ("trick-of-the-rails-", 3), replay_sample);
}

#[test]
fn off_the_rails_answers_match_their_files() {
    assert_files_match("tests/answers", ("off-the-rails-", 8), replay_stories);
}

#[test]
fn paris_connection_answers_match_their_files() {
    assert_files_match("tests/answers", ("paris-connection", 2), replay_stories);
}

#[test]
fn trick_of_the_rails_answers_match_files() {
    assert_files_match("tests/answers", ("trick-of-the-rails", 2), replay_stories);
}

#[test]
fn other_answers_match_their_file() {
    assert_files_match("tests/answers", ("club", 1), replay_stories);
}

#[test]
fn every_recorded_file_has_a_test() {
    for (folder, expected) in [("playthroughs", 4 + 2 + 3), ("answers", 8 + 2 + 2 + 1)] {
        let files = files_with_prefix(&format!("tests/{folder}"), "");
        assert_eq!(files.len(), expected, "{files:?}");
    }
}

/// The number of letters that a sample plays of each playthrough. The shortest games end within it.
const SAMPLE_LETTERS: usize = 32;

/// Plays a whole game, or its beginning if the run is a sample.
fn replay_sample(script: &str) -> String {
    let is_update = std::env::var_os("UPDATE_PLAYTHROUGHS").is_some();
    replay(script, if is_update { usize::MAX } else { sample_or_all(SAMPLE_LETTERS, usize::MAX) })
}

fn replay_stories(text: &str) -> String {
    text.split(STORY_SEPARATOR)
        .map(|story| replay(story, usize::MAX))
        .collect::<Vec<_>>()
        .join(STORY_SEPARATOR)
}

const STORY_SEPARATOR: &str = "\n====\n\n";

fn files_with_prefix(folder: &str, prefix: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.file_name().is_some_and(|n| n.to_string_lossy().starts_with(prefix)))
        .collect();
    files.sort();
    files
}

/// Plays at least `files_min` files whose names begin with `prefix`, and compares the results.
fn assert_files_match(
    folder: &str,
    (prefix, files_min): (&str, usize),
    play: impl Fn(&str) -> String,
) {
    let is_update = std::env::var_os("UPDATE_PLAYTHROUGHS").is_some();
    let paths = files_with_prefix(folder, prefix);
    let files = paths.len();
    for path in paths {
        let recorded = fs::read_to_string(&path).expect("a file");
        let replayed = play(&recorded);
        if is_update {
            fs::write(&path, &replayed).expect("written");
            continue;
        }
        for (line, (a, b)) in (1..).zip(recorded.lines().zip(replayed.lines())) {
            assert_eq!(a, b, "{}:{line}", path.display());
        }
        let [lines, found] = [&recorded, &replayed].map(|text| text.lines().count());
        let is_whole = recorded.matches(" >> ").count() == replayed.matches(" >> ").count();
        assert!(found <= lines && (found == lines || !is_whole), "{}", path.display());
    }
    assert!(files >= files_min, "only {files} files");
    assert!(!is_update, "written anew: read the change, then run without UPDATE_PLAYTHROUGHS");
}

/// The stories ask often, so the limit of answers is high.
const SETTINGS: &str = "answers_per_hour: 1000\n";

enum Step {
    Letter { from: String, body: String },
    InFull(String),
}

/// Returns the club of a playthrough, with nothing posted yet, and the sender and text of each
/// letter.
pub fn load_playthrough(name: &str) -> (Club, Vec<(String, String)>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/playthroughs");
    let script = fs::read_to_string(path.join(format!("{name}.txt"))).expect("a playthrough");
    let mut lines = script.lines();
    let head: Vec<&str> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
    let club = club_from_header(&head);
    let letter = |step| match step {
        Step::Letter { from, body } => Some((from, body)),
        Step::InFull(_) => None,
    };
    (club, parse_steps(lines).into_iter().filter_map(letter).collect())
}

/// Returns the club of a playthrough after `letters`, such as `12 letters`.
fn open_after_letters(name: &str, letters: &str) -> OpenClub {
    let count = letters.strip_suffix(" letters").and_then(|count| count.parse().ok());
    let (club, all) = load_playthrough(name);
    let mut open = OpenClub::new(club);
    open.run_pass();
    for (from, body) in all.iter().take(count.expect("a number of letters")) {
        open.club.send_reply(from, body);
        open.run_pass();
    }
    open
}

/// Plays up to `letters_max` letters of a script, and returns the result as a script.
fn replay(script: &str, letters_max: usize) -> String {
    let mut lines = script.lines();
    let head: Vec<&str> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
    let mut transcript = format!("{}\n\n", head.join("\n"));
    let mut open = match head[0].strip_prefix("after: ").and_then(|after| after.split_once(", ")) {
        Some((name, letters)) => open_after_letters(name, letters),
        None => {
            let mut open = OpenClub::new(club_from_header(&head));
            append_letters(&mut transcript, &open.run_pass());
            open
        }
    };
    let mut letters = 0;
    for step in parse_steps(lines) {
        letters += usize::from(matches!(step, Step::Letter { .. }));
        if letters > letters_max {
            break;
        }
        match step {
            Step::InFull(name) => {
                let _ = writeln!(transcript, "in full: {name}\n");
                for line in open.club.last_text_to(&name).lines() {
                    let _ = writeln!(transcript, "{}", format!("    {line}").trim_end());
                }
                transcript.push('\n');
            }
            Step::Letter { from, body } => {
                for line in body.lines() {
                    let _ = writeln!(transcript, "{}", format!("{from} >> {line}").trim_end());
                }
                transcript.push('\n');
                open.club.send_reply(&from, &body);
                append_letters(&mut transcript, &open.run_pass());
            }
        }
    }
    assert_log_verifies(&open.into_club());
    format!("{}\n", transcript.trim_end())
}

/// Creates a club with the game of a file. Its first letters are not posted yet.
fn club_from_header(head: &[&str]) -> Club {
    let value = |name: &str| {
        let of = format!("{name}: ");
        head.iter().find_map(|line| line.strip_prefix(&of)).unwrap_or_else(|| panic!("no {name}"))
    };
    let options: BTreeMap<String, String> = head
        .iter()
        .filter_map(|line| line.strip_prefix("option: ")?.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let kind = find_kind(value("game")).expect("a game that ships");
    let mut definition = kind.shipped_definition().to_owned();
    let changes = head.iter().filter_map(|line| line.strip_prefix("definition: "));
    for (from, to) in changes.filter_map(|line| line.split_once(" -> ")) {
        assert!(definition.contains(from), "{from}");
        definition = definition.replace(from, to);
    }
    let seats = value("seats").parse().expect("a number");
    let seed = value("seed").parse().expect("a number");
    let mut club = Club::with_settings(SETTINGS);
    club.start_game_with_definition(kind, &definition, seats, seed, &options);
    club
}

fn parse_steps<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut open = false;
    for line in lines {
        let letter = line
            .strip_suffix(" >>")
            .map(|from| (from, ""))
            .or_else(|| line.split_once(" >> "))
            .filter(|(from, _)| NAMES.contains(from));
        match (letter, steps.last_mut()) {
            (Some((from, text)), Some(Step::Letter { from: same, body }))
                if open && from == same =>
            {
                let _ = write!(body, "\n{text}");
            }
            (Some((from, text)), _) => {
                steps.push(Step::Letter { from: from.to_owned(), body: text.to_owned() });
            }
            (None, _) => {
                let name = line.strip_prefix("in full: ");
                steps.extend(name.map(|name| Step::InFull(name.to_owned())));
            }
        }
        open = letter.is_some();
    }
    steps
}

/// Appends the letters of a pass: the text up to the board, and long news below it. Readers with
/// equal texts are named together.
fn append_letters(story: &mut String, letters: &[PostedLetter]) {
    let mut texts: Vec<(Vec<&str>, String)> = Vec::new();
    for letter in letters {
        let name = NAMES.into_iter().find(|name| letter.to == rig::address(name));
        let text = letter.body_text();
        let (mut is_above_board, mut is_news) = (true, false);
        let is_shown = |line: &&str| {
            is_above_board &= !is_board_heading(line);
            if !line.is_empty() && !line.starts_with(' ') {
                is_news = *line == "WHAT ELSE HAPPENED";
            }
            !line.is_empty() && (is_above_board || is_news)
        };
        let lines = text.lines().skip(1).take_while(|line| *line != "-- ").filter(is_shown);
        let words = lines.collect::<Vec<_>>().join("\n");
        match texts.iter_mut().find(|(_, known)| *known == words) {
            Some((names, _)) => names.extend(name),
            None => texts.push((vec![name.unwrap_or("Moderator")], words)),
        }
    }
    for (names, words) in texts {
        let _ = writeln!(story, "    to {}:", names.join(", "));
        for line in words.lines() {
            let _ = writeln!(story, "        {line}");
        }
    }
    story.push('\n');
}

/// Checks that the log is consistent, and that an exported log can be imported again.
fn assert_log_verifies(club: &Club) {
    let context = club.open_context();
    assert!(rig::games_without_outline(&context).is_empty());
    let table = process::load_stored_game(&context, 1).expect("it opens").table;
    assert_eq!(table.verify().findings, []);
    let export = serde_json::to_string(&table.export()).expect("an export");
    let again = Table::import(&InitialGameCache::new(postrider::games::SHIPPED), &export)
        .expect("it comes back");
    assert_eq!(again.last_record_hash(), table.last_record_hash());
}

/// Whether a line is the heading of a board. The transcripts leave the boards out.
fn is_board_heading(line: &str) -> bool {
    static HEADINGS: LazyLock<BTreeSet<String>> = LazyLock::new(load_board_headings);
    HEADINGS.contains(line)
}

fn load_board_headings() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates/en");
    let files = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let files = files.map(|entry| entry.path());
    let sentences = files.filter(|path| path.extension().is_some_and(|ending| ending == "ftl"));
    let sentences = sentences.map(|path| fs::read_to_string(path).expect("sentences"));
    let heading = |line: &str| {
        let (_, heading_text) = line.strip_prefix("heading-board")?.split_once(" = ")?;
        Some(heading_text.to_uppercase())
    };
    let headings = |text: String| text.lines().filter_map(heading).collect::<Vec<_>>();
    sentences.flat_map(headings).collect()
}
