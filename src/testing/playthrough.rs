//! Playthroughs: whole games as exchanges of letters, each recorded in a file.
//!
//! The first lines of a file describe its game: `game: sealed-bids`, `seats: 3`, and perhaps
//! `option: rounds=5` and `seed: 7`. `Ann >> bid 3` is a line of a letter that arrives. Consecutive
//! lines of one player are one letter, and a blank line ends it. Below it are the letters that the
//! pass posted. Each ends at the board, except that long news below the board is kept. `in full:
//! Ann` shows the whole last letter to that player. The players are those of [`NAMES`].

use super::{PostedLetter, TestClub, player_address};
use crate::render::Library;
use crate::rules::{GameRegistry, Message};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The players of playthroughs, in the order of their seats.
pub const NAMES: [&str; 6] = ["Ann", "Bob", "Cid", "Dot", "Eve", "Fay"];

/// The environment variable with which files are overwritten.
const UPDATE: &str = "UPDATE_PLAYTHROUGHS";

/// A club in which a playthrough is played.
pub trait ScriptedClub {
    /// Delivers a player's reply to their last letter.
    fn send_reply(&mut self, name: &str, body: &str);
    /// Runs a pass, and returns the letters that it posted.
    fn run_pass(&mut self) -> Vec<PostedLetter>;
    /// Returns the plain text of the last letter to a player.
    fn last_text_to(&self, name: &str) -> String;
}

impl ScriptedClub for TestClub {
    fn send_reply(&mut self, name: &str, body: &str) {
        Self::send_reply(self, name, body);
    }

    fn run_pass(&mut self) -> Vec<PostedLetter> {
        Self::run_pass(self)
    }

    fn last_text_to(&self, name: &str) -> String {
        Self::last_text_to(self, name)
    }
}

/// Plays all games recorded in the files of a folder, and compares the letters with the files.
/// With `UPDATE_PLAYTHROUGHS=1`, it overwrites the files and fails. Then read the difference. So a
/// new file needs only its first lines and the players' letters.
///
/// # Panics
///
/// If a letter differs, a log is not consistent, or there is no file.
pub fn check_playthroughs(games: GameRegistry, folder: impl AsRef<Path>) {
    let library = Library::for_games(games).expect("its texts can be read");
    let files = list_files(folder.as_ref(), "");
    assert!(!files.is_empty(), "there is no playthrough in {}", folder.as_ref().display());
    compare_files(&files, |text| {
        let (mut club, script) = open_playthrough(games, text, "");
        let replayed = script.replay(&library, &mut club, usize::MAX);
        club.run_command(&["verify", "1"]);
        replayed
    });
}

/// Starts the game of a playthrough in a new club with these further settings.
pub(super) fn open_playthrough(
    games: GameRegistry,
    text: &str,
    settings: &str,
) -> (TestClub, Script) {
    let script = Script::parse(text);
    let club = TestClub::new(games, settings);
    let mut arguments: Vec<String> =
        script.values("option").map(|option| format!("--option={option}")).collect();
    arguments.extend(script.values("seed").map(|seed| format!("--seed={seed}")));
    let seats = script.value("seats").parse().expect("a number");
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    club.start_game(script.value("game"), &NAMES[..seats], &arguments);
    (club, script)
}

/// Returns the text files of a folder whose names begin with `prefix`, sorted by name.
pub fn list_files(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.file_name().is_some_and(|n| n.to_string_lossy().starts_with(prefix)))
        .collect();
    files.sort();
    files
}

/// Compares each file with what `play` returns for its text. `play` may stop after some letters:
/// then only these are compared. With `UPDATE_PLAYTHROUGHS=1`, overwrites the files instead.
///
/// # Panics
///
/// If a file differs or was written.
pub fn compare_files(files: &[PathBuf], play: impl Fn(&str) -> String) {
    let is_update = is_update();
    for path in files {
        let recorded = fs::read_to_string(path).expect("a file");
        let replayed = play(&recorded);
        if is_update {
            fs::write(path, &replayed).expect("written");
            continue;
        }
        for (line, (a, b)) in (1..).zip(recorded.lines().zip(replayed.lines())) {
            assert_eq!(a, b, "{}:{line}; {UPDATE}=1 overwrites the file", path.display());
        }
        let [lines, found] = [&recorded, &replayed].map(|text| text.lines().count());
        let is_whole = recorded.matches(" >> ").count() == replayed.matches(" >> ").count();
        assert!(found <= lines && (found == lines || !is_whole), "{}", path.display());
    }
    assert!(!is_update, "overwritten: read the change, then run without {UPDATE}");
}

/// Whether the run overwrites the files of playthroughs.
pub fn is_update() -> bool {
    std::env::var_os(UPDATE).is_some()
}

/// A step of a playthrough.
pub enum Step {
    /// A letter arrives, and a pass answers it.
    Letter {
        /// The name of the player.
        from: String,
        /// The lines of the letter.
        body: String,
    },
    /// The file shows the whole last letter to this player.
    InFull(String),
}

/// The text of a playthrough: the first lines, which describe the game, and the steps.
pub struct Script {
    head: Vec<String>,
    /// The steps in order.
    pub steps: Vec<Step>,
}

impl Script {
    /// Parses a file. The letters of the club in it are left out.
    ///
    /// # Panics
    ///
    /// If a letter is from somebody who is none of [`NAMES`].
    pub fn parse(text: &str) -> Self {
        let mut lines = text.lines();
        let head = lines.by_ref().take_while(|line| !line.is_empty()).map(str::to_owned).collect();
        Self { head, steps: parse_steps(lines) }
    }

    /// Returns the values of the first lines with this name.
    pub fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        let of = format!("{name}: ");
        self.head.iter().filter_map(move |line| line.strip_prefix(&of))
    }

    /// Returns the value of the first line with this name.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn value(&self, name: &str) -> &str {
        self.values(name).next().unwrap_or_else(|| panic!("no line begins with {name}:"))
    }

    /// Runs the first pass of a club and plays up to `letters_max` letters. Returns the result, in
    /// the format of the file.
    pub fn replay(
        &self,
        library: &Library,
        club: &mut dyn ScriptedClub,
        letters_max: usize,
    ) -> String {
        let first = club.run_pass();
        let mut transcript = Transcript::new(library, &self.head);
        transcript.append_letters(&first);
        transcript.play(&self.steps, club, letters_max)
    }

    /// Like [`Script::replay`], for a club whose game is under way.
    pub fn resume(&self, library: &Library, club: &mut dyn ScriptedClub) -> String {
        Transcript::new(library, &self.head).play(&self.steps, club, usize::MAX)
    }
}

/// The letters of a playthrough, in the format of its file.
struct Transcript {
    text: String,
    /// The headings of boards. Boards are left out.
    board_headings: BTreeSet<String>,
}

impl Transcript {
    fn new(library: &Library, head: &[String]) -> Self {
        let text = format!("{}\n\n", head.join("\n"));
        Self { text, board_headings: load_board_headings(library) }
    }

    fn play(mut self, steps: &[Step], club: &mut dyn ScriptedClub, letters_max: usize) -> String {
        let mut letters = 0;
        for step in steps {
            letters += usize::from(matches!(step, Step::Letter { .. }));
            if letters > letters_max {
                break;
            }
            match step {
                Step::InFull(name) => {
                    let _ = writeln!(self.text, "in full: {name}\n");
                    for line in club.last_text_to(name).lines() {
                        let _ = writeln!(self.text, "{}", format!("    {line}").trim_end());
                    }
                    self.text.push('\n');
                }
                Step::Letter { from, body } => {
                    for line in body.lines() {
                        let _ = writeln!(self.text, "{}", format!("{from} >> {line}").trim_end());
                    }
                    self.text.push('\n');
                    club.send_reply(from, body);
                    self.append_letters(&club.run_pass());
                }
            }
        }
        format!("{}\n", self.text.trim_end())
    }

    /// Appends the letters of a pass: the text up to the board, and long news below it. Readers
    /// with equal texts are named together.
    fn append_letters(&mut self, letters: &[PostedLetter]) {
        let mut texts: Vec<(Vec<&str>, String)> = Vec::new();
        for letter in letters {
            let name = NAMES.into_iter().find(|name| letter.to == player_address(name));
            let text = letter.body_text();
            let (mut is_above_board, mut is_news) = (true, false);
            let is_shown = |line: &&str| {
                is_above_board &= !self.board_headings.contains(*line);
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
            let _ = writeln!(self.text, "    to {}:", names.join(", "));
            for line in words.lines() {
                let _ = writeln!(self.text, "        {line}");
            }
        }
        self.text.push('\n');
    }
}

/// Returns the headings of boards in English letters, which are in capitals.
fn load_board_headings(library: &Library) -> BTreeSet<String> {
    let english = library.language("en");
    let own = library.games().ids().map(|id| format!("-{id}"));
    let keys = own.chain([String::new()]).flat_map(|own| {
        ["heading-board", "heading-board-previewed"].map(|key| format!("{key}{own}"))
    });
    let localize = |key: String| {
        let message = serde_json::from_value::<Message>(serde_json::json!({ "key": key }));
        english.localize(&message.expect("a message")).to_uppercase()
    };
    keys.filter(|key| english.has_sentence(key)).map(localize).collect()
}

fn parse_steps<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut open = false;
    for line in lines {
        let letter = line
            .strip_suffix(" >>")
            .map(|from| (from, ""))
            .or_else(|| line.split_once(" >> "))
            .filter(|(from, _)| !from.starts_with(' '));
        if let Some((from, _)) = letter {
            assert!(NAMES.contains(&from), "{from} has no seat; players are {NAMES:?}: {line}");
        }
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
