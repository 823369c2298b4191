//! A club in a temporary folder that is played by letters, like a real one.

use super::{PostedLetter, create_folder, player_address};
use crate::cli::{self, Environment, Exit};
use crate::mail::Maildir;
use crate::process::Context;
use crate::rules::GameRegistry;
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A club in a temporary folder, which is deleted when the value is dropped. Letters arrive in its
/// inbox, passes answer them, and the answers can be read. The results of chance are the same in
/// every run.
pub struct TestClub {
    home: TempDir,
    games: GameRegistry,
    /// The time of the last pass.
    pub now: DateTime<Utc>,
    /// All posted letters, in the order of the passes.
    pub posted: Vec<PostedLetter>,
    /// The names of the files of posted letters.
    files: BTreeSet<String>,
    arrived_count: u32,
}

impl TestClub {
    /// Creates a club whose program knows `games`. `settings` is YAML that is appended to
    /// `club.yaml`. The moderator's digest and the pictures of boards are off, unless `settings`
    /// turns them on.
    pub fn new(games: GameRegistry, settings: &str) -> Self {
        let home = create_folder();
        let or_off = |name: &str, line: &str| match settings.contains(name) {
            true => String::new(),
            false => format!("{line}\n"),
        };
        let text = format!(
            "name: The Postal Club\naddress: games@example.org\nmail_out: {{maildir: outbox}}\n\
             moderator: {{name: Mod, address: mod@example.org}}\n{}{}{settings}",
            or_off("digest:", "digest: off"),
            or_off("pictures:", "pictures: false"),
        );
        fs::write(home.path().join("club.yaml"), text).expect("club.yaml");
        fs::write(home.path().join("secret"), "07".repeat(32)).expect("a secret");
        for maildir in ["inbox", "outbox"] {
            Maildir::new(home.path().join(maildir)).create_folders().expect("a Maildir");
        }
        let now = DateTime::from_timestamp(1_767_636_000, 0).expect("a time");
        let (posted, files) = (Vec::new(), BTreeSet::new());
        Self { home, games, now, posted, files, arrived_count: 0 }
    }

    /// Starts a game for these players, as `postrider new` does, and returns its number. Their
    /// addresses are those of [`player_address`]. `arguments` are passed on to that command, such
    /// as `--seed=7`.
    pub fn start_game(&self, id: &str, players: &[&str], arguments: &[&str]) -> u32 {
        let named = |name: &&str| format!("--player={name} <{}>", player_address(name));
        let players: Vec<String> = players.iter().map(named).collect();
        let mut all = vec!["new", id, "--json"];
        all.extend(players.iter().map(String::as_str).chain(arguments.iter().copied()));
        let founded = serde_json::from_str::<serde_json::Value>(&self.run_command(&all));
        let number = founded.expect("JSON")["game"].as_u64();
        number.and_then(|number| u32::try_from(number).ok()).expect("a number")
    }

    /// Runs a command of the program, such as `["verify", "1"]`, and returns its output.
    ///
    /// # Panics
    ///
    /// If the command fails.
    pub fn run_command(&self, arguments: &[&str]) -> String {
        let environment = Environment {
            games: self.games,
            now: self.now,
            clock: Utc::now,
            random: |bytes| {
                bytes.fill(7);
                Ok(())
            },
            variable: |_| None,
        };
        let folder = self.folder().display().to_string();
        let all = ["postrider", "-C", &folder].into_iter().chain(arguments.iter().copied());
        let (mut out, mut errors) = (Vec::new(), Vec::new());
        let exit = cli::run_with_stderr(all.map(Into::into), &environment, &mut out, &mut errors);
        let [out, errors] = [out, errors].map(|text| String::from_utf8(text).expect("text"));
        assert!(exit == Exit::Done, "{arguments:?}: {errors}{out}");
        out
    }

    /// Runs a pass one hour after the last one, and returns the letters that it posted. To come to
    /// a deadline, run one pass for each hour: a longer pause would count as an outage of the club,
    /// which extends deadlines.
    ///
    /// # Panics
    ///
    /// If a letter is not well-formed, or shows the key of a missing sentence.
    pub fn run_pass(&mut self) -> Vec<PostedLetter> {
        self.now += TimeDelta::hours(1);
        self.run_command(&["tick"]);
        let before = self.posted.len();
        let outbox = Maildir::new(self.folder().join("outbox"));
        for file in outbox.pending_letters(usize::MAX).expect("an outbox") {
            if self.files.insert(file.name.clone()) {
                let bytes = file.read(usize::MAX).expect("a letter");
                self.posted.push(PostedLetter::parse(bytes));
            }
        }
        let letters = self.posted[before..].to_vec();
        letters.iter().for_each(PostedLetter::assert_well_formed);
        letters
    }

    /// Delivers a player's reply to the last letter that they received. It arrives half an hour
    /// after the last pass.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn send_reply(&mut self, name: &str, body: &str) {
        self.arrived_count += 1;
        let at = self.now + TimeDelta::minutes(30);
        let letter = self.last_letter_to(name).compose_reply(name, self.arrived_count, body);
        let letter = format!("Date: {}\r\n{letter}", at.to_rfc2822());
        let inbox = Maildir::new(self.folder().join("inbox"));
        let file = format!("{}.{:06}.test", at.timestamp(), self.arrived_count);
        inbox.insert(&file, letter.as_bytes(), Some(at)).expect("delivered");
    }

    /// Returns the last letter to this player.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn last_letter_to(&self, name: &str) -> &PostedLetter {
        let mut letters = self.posted.iter().rev();
        let found = letters.find(|letter| letter.to == player_address(name));
        found.unwrap_or_else(|| panic!("{name} has got no letter"))
    }

    /// Returns the plain text of the last letter to this player.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn last_text_to(&self, name: &str) -> String {
        self.last_letter_to(name).body_text()
    }

    /// Returns the club's folder.
    pub fn folder(&self) -> &Path {
        self.home.path()
    }

    /// Opens the club at the time of the last pass. It is locked until the context is dropped.
    pub fn open_context(&self) -> Context {
        Context::open(self.games, self.folder(), self.now).expect("the club opens")
    }
}
