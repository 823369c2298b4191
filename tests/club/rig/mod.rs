//! The rig of the club tests: a club in a temporary folder, with players who answer their letters.

#![allow(dead_code, reason = "each test uses its own part of the rig")]

mod answered_members;
mod bounce_reports;
pub mod imap;
pub mod letter_links;
pub mod moderator_letters;
pub mod pass_result;
pub mod postrider_program;
pub mod smtp_server;
pub mod used_sentences;

use crate::memory::Memory;
use crate::server::Schema;
pub use answered_members::mark_members_answered;
pub use bounce_reports::{compose_bounce_report, find_probe, make_undeliverable};
use chrono::{DateTime, TimeDelta, Utc};
use pass_result::PassResult;
pub use pass_result::{assert_outlines_match_logs, games_without_outline};
use postrider::club::Member;
use postrider::games::SHIPPED;
use postrider::games::find_kind;
use postrider::mail::transport::{OutgoingMessage, PostError, Transport};
use postrider::process::{self, Context, FoundingResult, Player, RestoreReport};
use postrider::rules::{GameKind, Seed};
use postrider::table::GameSetup;
pub use postrider::testing::playthrough::NAMES;
pub use postrider::testing::{PostedLetter, assert_text_well_formed, player_address as address};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// Checks a letter, and the places of its reply tokens.
pub fn assert_letter_valid(letter: &PostedLetter) {
    letter.assert_well_formed();
    letter_links::assert_token_placement(letter, &letter.body_text());
}

/// A transport that keeps the posted letters, or fails with the errors that a test has set.
#[derive(Default)]
pub struct RecordingTransport {
    pub posted: Vec<PostedLetter>,
    /// The error for every letter, until a test clears it.
    pub error: Option<PostError>,
    pub errors_by_address: BTreeMap<String, PostError>,
}

impl Transport for RecordingTransport {
    fn post(&mut self, outgoing: &OutgoingMessage<'_>) -> Result<(), PostError> {
        if let Some(error) = self.error.as_ref().or(self.errors_by_address.get(outgoing.recipient))
        {
            return Err(error.clone());
        }
        self.posted.push(PostedLetter {
            to: outgoing.recipient.to_owned(),
            message_id: outgoing.message_id.to_owned(),
            bytes: outgoing.bytes.to_vec(),
        });
        Ok(())
    }

    fn letters_per_save(&self) -> usize {
        1
    }
}

/// A club, its clock, and all letters that it has posted.
pub struct Club {
    home: TempDir,
    /// The time of the next pass.
    pub now: DateTime<Utc>,
    pub transport: RecordingTransport,
    /// The club's store, if the test keeps it in memory.
    memory: Option<Arc<Memory>>,
    /// The club's database, if the tests use a server and the club is not kept in its folder.
    schema: Option<Schema>,
    arrived_count: u32,
}

impl Club {
    /// Creates a club. `settings` are lines of club.yaml in addition to the required ones.
    pub fn with_settings(settings: &str) -> Self {
        Self::create(Schema::new(), settings)
    }

    /// Creates a club that is kept in its folder even if the tests use a server.
    pub fn with_local_store(settings: &str) -> Self {
        Self::create(None, settings)
    }

    fn create(schema: Option<Schema>, settings: &str) -> Self {
        let home = postrider::testing::create_folder();
        // Few tests are about the moderator's morning digest, so it is off by default.
        let digest = if settings.contains("digest:") { "" } else { "digest: off\n" };
        // Drawing pictures is slow in debug builds, so they are off by default.
        let pictures = if settings.contains("pictures:") { "" } else { "pictures: false\n" };
        let store = schema.as_ref().map(|schema| schema.setting(home.path())).unwrap_or_default();
        let text = format!(
            "name: The Postal Club\naddress: games@example.org\n{digest}{store}\
             moderator: {{name: Mod, address: mod@example.org}}\n{pictures}{settings}"
        );
        std::fs::write(home.path().join("club.yaml"), text).expect("club.yaml");
        std::fs::write(home.path().join("secret"), "07".repeat(32)).expect("secret");
        postrider::mail::Maildir::new(home.path().join("inbox")).create_folders().expect("inbox");
        let now = DateTime::from_timestamp(1_767_636_000, 0).expect("a time");
        Self {
            home,
            now,
            transport: RecordingTransport::default(),
            memory: None,
            schema,
            arrived_count: 0,
        }
    }

    pub fn new() -> Self {
        Self::with_settings("")
    }

    /// Creates a club with a posted game of Paris Connection for Ann, Bob and Cid. Ann begins.
    pub fn with_paris_game(settings: &str) -> Self {
        Self::with_game(settings, "paris-connection", 3, 7)
    }

    /// Creates a club with a posted game of Trick of the Rails for Ann, Bob and Cid.
    pub fn with_tricks_game(settings: &str) -> Self {
        Self::with_game(settings, "trick-of-the-rails", 3, 2)
    }

    /// Creates a club with one game, and posts its first letters.
    pub fn with_game(settings: &str, game: &str, seats: u8, seed: u64) -> Self {
        let mut club = Self::with_settings(settings);
        assert_eq!(club.start_game(find_kind(game).expect("it ships"), seats, seed), 1);
        assert_eq!(club.run_pass().1.len(), usize::from(seats), "a letter for each");
        club
    }

    /// Copies the club in `folder`. Letters in its inbox count as received at `now`.
    pub fn copy_from(folder: &Path, now: DateTime<Utc>) -> Self {
        let home = postrider::testing::create_folder();
        copy_folder(folder, home.path());
        postrider::mail::Maildir::new(home.path().join("inbox")).create_folders().expect("inbox");
        let schema = Schema::copy_of(folder);
        schema.iter().for_each(|schema| drop(schema.setting(home.path())));
        let club = Self {
            home,
            now,
            transport: RecordingTransport::default(),
            memory: None,
            schema,
            arrived_count: 0,
        };
        for letter in club.inbox_files("new") {
            let file = std::fs::File::options().append(true).open(letter).expect("a letter");
            file.set_modified(now.into()).expect("it has a time");
        }
        club
    }

    pub fn folder(&self) -> &Path {
        self.home.path()
    }

    /// Returns the club's database. Panics if the club is kept in its folder.
    pub fn schema(&self) -> &Schema {
        self.schema.as_ref().expect("a database")
    }

    /// Opens the club. A store in the club's folder stays locked until the context is dropped.
    pub fn open_context(&self) -> Context {
        let context = match &self.memory {
            Some(memory) => Context::open_with_store(
                SHIPPED,
                self.folder(),
                |_, _| Ok(memory.clone()),
                self.now,
            ),
            None => Context::open(postrider::games::SHIPPED, self.folder(), self.now),
        };
        let context = context.expect("the club opens");
        context.library.set_sentence_listener(used_sentences::record_sentence);
        context
    }

    /// Keeps a new club in `memory` from now on.
    pub fn with_memory_store(self, memory: &Arc<Memory>) -> Self {
        Self { memory: Some(memory.clone()), ..self }
    }

    /// Starts a game for the first `seats` of [`NAMES`], and returns its number.
    pub fn start_game(&mut self, kind: &dyn GameKind, seats: u8, seed: u64) -> u32 {
        self.start_game_with_options(kind, seats, seed, &BTreeMap::new())
    }

    pub fn start_game_with_options(
        &mut self,
        kind: &dyn GameKind,
        seats: u8,
        seed: u64,
        options: &BTreeMap<String, String>,
    ) -> u32 {
        self.start_game_with_definition(kind, kind.shipped_definition(), seats, seed, options)
    }

    /// Starts a game by a definition that differs from the built-in one.
    pub fn start_game_with_definition(
        &mut self,
        kind: &dyn GameKind,
        definition: &str,
        seats: u8,
        seed: u64,
        options: &BTreeMap<String, String>,
    ) -> u32 {
        let players: Vec<Player> = NAMES
            .iter()
            .take(seats.into())
            .map(|name| Player { name: (*name).to_owned(), address: address(name) })
            .collect();
        let context = self.open_context();
        let is_new = |player: &&Player| {
            context.store.member_by_address(&player.address).expect("it reads").is_none()
        };
        let new: Vec<Player> = players.iter().filter(is_new).cloned().collect();
        drop(context);
        let setup = GameSetup { kind, definition, options, seats };
        let game = self.start_game_from_setup(setup, &players, seed);
        // Most tests expect a letter after every turn, so the new members ask for all letters.
        new.iter().for_each(|player| self.set_preference(&player.name, "letters all"));
        game
    }

    /// Starts a game with its built-in definition. `people` are pairs of a name and an address.
    pub fn start_game_for(&self, game: &str, people: &[(&str, &str)], seed: u64) -> u32 {
        let player =
            |&(name, at): &(&str, &str)| Player { name: name.into(), address: address(at) };
        let players: Vec<Player> = people.iter().map(player).collect();
        let kind = find_kind(game).expect("it ships");
        let (definition, options) = (kind.shipped_definition(), &BTreeMap::new());
        let seats = u8::try_from(players.len()).expect("few");
        self.start_game_from_setup(GameSetup { kind, definition, options, seats }, &players, seed)
    }

    fn start_game_from_setup(&self, setup: GameSetup<'_>, players: &[Player], seed: u64) -> u32 {
        match process::found_game(&self.open_context(), setup, players, &Seed::from_number(seed))
            .expect("the store works")
        {
            FoundingResult::Game(number) => number,
            FoundingResult::Impossible(error) => panic!("{error}"),
            FoundingResult::DuplicatePlayer(address) => panic!("{address} twice"),
            FoundingResult::ClubAddress(address) => panic!("{address} is the club's"),
        }
    }

    /// Changes a member's settings, as a line of their letter would do.
    pub fn set_preference(&self, name: &str, line: &str) {
        process::change_member_setting(&self.open_context(), &address(name), line)
            .expect("it can be");
    }

    /// Returns the number of records in the log of game 1.
    pub fn record_count(&self) -> u32 {
        process::load_stored_game(&self.open_context(), 1)
            .expect("it opens")
            .table
            .last_record_number()
    }

    /// Writes a letter into the inbox, received now. Returns its file name.
    pub fn deliver(&mut self, bytes: impl AsRef<[u8]>) -> String {
        self.arrived_count += 1;
        let name = format!("{}.{:06}.rig", self.now.timestamp(), self.arrived_count);
        let mut file =
            std::fs::File::create(self.folder().join("inbox/new").join(&name)).expect("delivered");
        file.write_all(bytes.as_ref()).expect("delivered");
        file.set_modified(self.now.into()).expect("it has a time");
        name
    }

    /// Returns the Message-ID that the next letter from this player will have.
    pub fn next_message_id(&self, name: &str) -> String {
        format!("<{}-{}@example.org>", name.to_lowercase(), self.arrived_count + 1)
    }

    /// Delivers a player's reply to the last game letter that they received. Returns its file name.
    pub fn send_reply(&mut self, name: &str, body: &str) -> String {
        let letter = self.compose_reply(name, body);
        self.deliver(letter)
    }

    /// Composes a player's reply to the last game letter that they received.
    pub fn compose_reply(&self, name: &str, body: &str) -> String {
        let mut letters = self.transport.posted.iter().rev();
        let game_letter = letters
            .find(|letter| letter.to == address(name) && letter.header("List-Id").is_some())
            .unwrap_or_else(|| panic!("{name} has got no letter of a game"));
        self.compose_reply_to(name, game_letter, body)
    }

    pub fn compose_reply_to(&self, name: &str, letter: &PostedLetter, body: &str) -> String {
        letter.compose_reply(name, self.arrived_count + 1, body)
    }

    pub fn last_letter_to(&self, name: &str) -> Option<&PostedLetter> {
        self.transport.posted.iter().rev().find(|letter| letter.to == address(name))
    }

    pub fn last_text_to(&self, name: &str) -> String {
        self.last_letter_to(name).map(PostedLetter::body_text).unwrap_or_default()
    }

    /// Returns the last letter to a player about game 1, which is one of Paris Connection.
    pub fn last_letter_of_game_1(&self, name: &str) -> PostedLetter {
        let mut letters = self.transport.posted.iter().rev();
        let found = letters.find(|letter| {
            letter.to == address(name)
                && letter.header("Subject").is_some_and(|s| s.starts_with("[Paris 1] "))
        });
        found.unwrap_or_else(|| panic!("{name} has no letter of game 1")).clone()
    }

    /// Delivers a player's reply to their last letter about game 1.
    pub fn send_reply_in_game_1(&mut self, name: &str, body: &str) {
        let reply = self.compose_reply_to(name, &self.last_letter_of_game_1(name), body);
        self.deliver(reply);
    }

    pub fn member(&self, name: &str) -> Member {
        let member = self.open_context().store.member_by_address(&address(name)).expect("it reads");
        member.unwrap_or_else(|| panic!("{name} is no member"))
    }

    /// Deletes the store and restores it from the journal.
    pub fn restore_from_journal(&self) -> RestoreReport {
        std::fs::remove_dir_all(self.folder().join("store")).expect("lost");
        let context = self.open_context();
        process::restore(&context, &context.journal_folder()).expect("it comes back")
    }

    /// Runs a pass and moves the clock forward by one hour. Returns the posted letters.
    pub fn run_pass(&mut self) -> (PassResult, Vec<PostedLetter>) {
        let context = self.open_context();
        self.run_pass_in(&context)
    }

    /// Like [`Club::run_pass`], in a context that the caller has opened for the current time.
    pub fn run_pass_in(&mut self, context: &Context) -> (PassResult, Vec<PostedLetter>) {
        let before = self.transport.posted.len();
        let report = process::run_pass(context, &mut self.transport).expect("the pass works");
        let report = PassResult::new(context, report);
        assert_outlines_match_logs(context);
        self.now += TimeDelta::hours(1);
        let letters = self.transport.posted[before..].to_vec();
        letters.iter().for_each(assert_letter_valid);
        (report, letters)
    }

    pub fn inbox_files(&self, mail_folder: &str) -> Vec<PathBuf> {
        let folder = self.folder().join("inbox").join(mail_folder);
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
            .expect("a tray")
            .map(|entry| entry.expect("an entry").path())
            .collect();
        files.sort();
        files
    }

    /// Returns the number of letters in quarantine, both in the inbox folder and on a shared store.
    pub fn quarantined_count(&self) -> usize {
        let context = self.open_context();
        let held = context
            .store
            .as_shared()
            .map_or(0, |shared| shared.list_quarantined_letters().expect("held").len());
        self.inbox_files(".quarantine/cur").len() + held
    }
}

pub fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let place = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            copy_folder(&entry.path(), &place);
        } else {
            std::fs::copy(entry.path(), place).expect("it is copied");
        }
    }
}

/// Returns the letters to a reader. `reader` is a player's name or an address.
pub fn letters_to<'a>(letters: &'a [PostedLetter], reader: &str) -> Vec<&'a PostedLetter> {
    let address = address(reader);
    letters.iter().filter(|letter| letter.to == address).collect()
}

/// Returns the first letter to a reader, or panics. `reader` is a player's name or an address.
pub fn first_letter_to<'a>(letters: &'a [PostedLetter], reader: &str) -> &'a PostedLetter {
    letters_to(letters, reader).first().copied().unwrap_or_else(|| panic!("no letter to {reader}"))
}
