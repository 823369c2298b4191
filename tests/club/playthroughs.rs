//! Whole games as exchanges of letters, compared with one recorded file each.
//! `postrider::testing` describes the format. UPDATE_PLAYTHROUGHS=1 rewrites the files; read the
//! difference.
//!
//! The files of `tests/answers` have the same format. They record answers to letters other than the
//! next move: refusals, questions, plans and previews. A file contains several stories, separated
//! by lines of `====`. With `after: off-the-rails-2, 12 letters`, a story begins in the middle of a
//! playthrough. With `definition: actions: 4 -> actions: 9` in its first lines, it changes the
//! built-in definition of the game.

use crate::open_club::OpenClub;
use crate::rig::{self, Club, PostedLetter};
use postrider::games::find_kind;
use postrider::process;
use postrider::render::Library;
use postrider::table::{InitialGameCache, Table};
use postrider::testing::playthrough::{
    Script, ScriptedClub, Step, compare_files, is_update, list_files,
};
use postrider::testing::sample_or_all;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

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
    replay(script, if is_update() { usize::MAX } else { sample_or_all(SAMPLE_LETTERS, usize::MAX) })
}

fn replay_stories(text: &str) -> String {
    text.split(STORY_SEPARATOR)
        .map(|story| replay(story, usize::MAX))
        .collect::<Vec<_>>()
        .join(STORY_SEPARATOR)
}

const STORY_SEPARATOR: &str = "\n====\n\n";

/// Plays at least `files_min` files whose names begin with `prefix`, and compares the results.
fn assert_files_match(
    folder: &str,
    (prefix, files_min): (&str, usize),
    play: impl Fn(&str) -> String,
) {
    let files = files_with_prefix(folder, prefix);
    assert!(files.len() >= files_min, "only {} files", files.len());
    compare_files(&files, play);
}

fn files_with_prefix(folder: &str, prefix: &str) -> Vec<PathBuf> {
    list_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), prefix)
}

/// The stories ask often, so the limit of answers is high.
const SETTINGS: &str = "answers_per_hour: 1000\n";

/// Returns the club of a playthrough, with nothing posted yet, and the sender and text of each
/// letter.
pub fn load_playthrough(name: &str) -> (Club, Vec<(String, String)>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/playthroughs");
    let text = fs::read_to_string(path.join(format!("{name}.txt"))).expect("a playthrough");
    let script = Script::parse(&text);
    let club = create_club(&script);
    let letter = |step| match step {
        Step::Letter { from, body } => Some((from, body)),
        Step::InFull(_) => None,
    };
    (club, script.steps.into_iter().filter_map(letter).collect())
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

impl ScriptedClub for OpenClub {
    fn send_reply(&mut self, name: &str, body: &str) {
        self.club.send_reply(name, body);
    }

    fn run_pass(&mut self) -> Vec<PostedLetter> {
        Self::run_pass(self)
    }

    fn last_text_to(&self, name: &str) -> String {
        self.club.last_text_to(name)
    }
}

/// Plays up to `letters_max` letters of a script, and returns the result as a script.
fn replay(text: &str, letters_max: usize) -> String {
    let library = Library::embedded().expect("the words ship");
    let script = Script::parse(text);
    let under_way = script.values("after").next().and_then(|after| after.split_once(", "));
    let (open, replayed) = match under_way {
        Some((name, letters)) => {
            let mut open = open_after_letters(name, letters);
            let replayed = script.resume(&library, &mut open);
            (open, replayed)
        }
        None => {
            let mut open = OpenClub::new(create_club(&script));
            let replayed = script.replay(&library, &mut open, letters_max);
            (open, replayed)
        }
    };
    assert_log_verifies(&open.into_club());
    replayed
}

/// Creates a club with the game of a file. Its first letters are not posted yet.
fn create_club(script: &Script) -> Club {
    let options = script.values("option").filter_map(|option| option.split_once('='));
    let options: BTreeMap<String, String> =
        options.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let kind = find_kind(script.value("game")).expect("a game that ships");
    let mut definition = kind.shipped_definition().to_owned();
    let changes = script.values("definition");
    for (from, to) in changes.filter_map(|line| line.split_once(" -> ")) {
        assert!(definition.contains(from), "{from}");
        definition = definition.replace(from, to);
    }
    let seats = script.value("seats").parse().expect("a number");
    let seed = script.value("seed").parse().expect("a number");
    let mut club = Club::with_settings(SETTINGS);
    club.start_game_with_definition(kind, &definition, seats, seed, &options);
    club
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
