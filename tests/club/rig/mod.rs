//! A club in a folder that vanishes, and players who answer the last letter that they got.

#![allow(dead_code, reason = "each test uses its own part of the rig")]

mod answered;
pub mod command;
pub mod imap;
pub mod moderator;
pub mod passed;
mod reports;
pub mod said;
pub mod smtp_server;
pub mod tapped;

use crate::memory::Memory;
use crate::server::Schema;
pub use answered::have_answered;
use chrono::{DateTime, TimeDelta, Utc};
use passed::Passed;
pub use passed::{outlines_hold, without_outline};
use postrider::club::Member;
use postrider::games::kind;
use postrider::mail::Letter;
use postrider::mail::transport::{OutgoingMessage, PostError, Transport};
use postrider::process::{self, Context, Founded, Player, Restored};
use postrider::rules::{Kind, Seed};
use postrider::table::GameSetup;
pub use reports::{loses, probe, report};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// The first names of the players, by seat.
pub const NAMES: [&str; 6] = ["Ann", "Bob", "Cid", "Dot", "Eve", "Fay"];

/// A letter that was posted.
#[derive(Clone)]
pub struct Posted {
    /// Whom it went to.
    pub to: String,
    /// Its Message-ID.
    pub message_id: String,
    /// The whole letter.
    pub bytes: Vec<u8>,
}

impl Posted {
    /// The part of the Message-ID that names the letter, such as `g1.s2.r3`: without the tag that
    /// only this club can make, and without the host.
    pub fn name(&self) -> &str {
        self.message_id.rsplit_once('@').and_then(|(id, _)| id.rsplit_once('.')).expect("an id").0
    }

    /// The letter as text.
    pub fn text(&self) -> String {
        Letter::read(&self.bytes).expect("our own letters can be read").body
    }

    /// Checks that its text is well made, that no sentence is missing in any other part of it, and
    /// that reply tokens stand where they may.
    pub fn check(&self) {
        let text = self.text();
        well_made(&text);
        tapped::check_tokens(self, &text);
        let whole = self.raw().replace("=\r\n", "");
        let missing = whole.lines().find_map(|line| Some((missing(line)?, line)));
        assert_eq!(missing, None, "a sentence is missing\n{}", self.raw());
    }

    /// Whether the letter says this, wherever its lines are broken.
    pub fn says(&self, what: &str) -> bool {
        self.text().split_whitespace().collect::<Vec<_>>().join(" ").contains(what)
    }

    /// The letter as it was posted.
    pub fn raw(&self) -> String {
        String::from_utf8(self.bytes.clone()).expect("our letters are text")
    }

    /// One of its headers, unfolded.
    pub fn header(&self, name: &str) -> Option<String> {
        let text = self.raw();
        let head = text.split("\r\n\r\n").next()?.replace("\r\n ", " ");
        head.split("\r\n")
            .find_map(|line| Some(line.strip_prefix(&format!("{name}: "))?.to_owned()))
    }
}

impl std::fmt::Debug for Posted {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "\n== {} to {}\n{}", self.message_id, self.to, self.text())
    }
}

/// A way out that keeps what is posted, or fails as it is told.
#[derive(Default)]
pub struct Pigeon {
    /// What was posted.
    pub posted: Vec<Posted>,
    /// How the next letters fail.
    pub fails: Option<PostError>,
    /// How the next letters to an address fail.
    pub fails_to: BTreeMap<String, PostError>,
}

impl Transport for Pigeon {
    fn post(&mut self, outgoing: &OutgoingMessage<'_>) -> Result<(), PostError> {
        if let Some(error) = self.fails.as_ref().or(self.fails_to.get(outgoing.recipient)) {
            return Err(error.clone());
        }
        self.posted.push(Posted {
            to: outgoing.recipient.to_owned(),
            message_id: outgoing.message_id.to_owned(),
            bytes: outgoing.bytes.to_vec(),
        });
        Ok(())
    }

    fn batch_size(&self) -> usize {
        1
    }
}

/// A club, its clock, and all letters that it has posted.
pub struct Club {
    home: TempDir,
    /// The time of the next pass.
    pub now: DateTime<Utc>,
    /// The way out.
    pub pigeon: Pigeon,
    /// What it is kept in, where that is not on disk.
    memory: Option<Arc<Memory>>,
    /// The same, where it is on the server that tests are told of.
    schema: Option<Schema>,
    arrived: u32,
}

impl Club {
    /// A club whose club.yaml has these lines besides the least ones.
    pub fn with(settings: &str) -> Self {
        Self::kept_in(Schema::new(), settings)
    }

    /// The same in its folder, whatever server tests are told of.
    pub fn in_its_folder(settings: &str) -> Self {
        Self::kept_in(None, settings)
    }

    fn kept_in(schema: Option<Schema>, settings: &str) -> Self {
        let home = crate::common::folder();
        // Most stories are not about the moderator's mornings.
        let digest = if settings.contains("digest:") { "" } else { "digest: off\n" };
        // They take their time where nothing is optimised, and most stories do not look at them.
        let pictures = if settings.contains("pictures:") { "" } else { "pictures: false\n" };
        let store = schema.as_ref().map(|schema| schema.setting(home.path())).unwrap_or_default();
        let text = format!(
            "name: The Postal Club\naddress: games@example.org\n{digest}{store}\
             moderator: {{name: Mod, address: mod@example.org}}\n{pictures}{settings}"
        );
        std::fs::write(home.path().join("club.yaml"), text).expect("club.yaml");
        std::fs::write(home.path().join("secret"), "07".repeat(32)).expect("secret");
        postrider::mail::Maildir::new(home.path().join("inbox")).create().expect("inbox");
        let now = DateTime::from_timestamp(1_767_636_000, 0).expect("a time");
        Self { home, now, pigeon: Pigeon::default(), memory: None, schema, arrived: 0 }
    }

    /// A club with the default settings.
    pub fn new() -> Self {
        Self::with("")
    }

    /// A club with a game of Paris Connection for Ann, Bob and Cid, in which Ann begins; its first
    /// letters are posted.
    pub fn paris(settings: &str) -> Self {
        Self::session(settings, "paris-connection", 3, 7)
    }

    /// A club with a game of Trick of the Rails for Ann, Bob and Cid; its first letters are posted.
    pub fn tricks(settings: &str) -> Self {
        Self::session(settings, "trick-of-the-rails", 3, 2)
    }

    /// A club with one game, whose first letters are posted.
    pub fn session(settings: &str, game: &str, seats: u8, seed: u64) -> Self {
        let mut club = Self::with(settings);
        assert_eq!(club.found(kind(game).expect("it ships"), seats, seed), 1);
        assert_eq!(club.pass().1.len(), usize::from(seats), "a letter for each");
        club
    }

    /// A copy of a club that lies in a folder; what waits in its inbox has come just now.
    pub fn copy_of(folder: &Path, now: DateTime<Utc>) -> Self {
        let home = crate::common::folder();
        copy(folder, home.path());
        postrider::mail::Maildir::new(home.path().join("inbox")).create().expect("inbox");
        let schema = Schema::copy_of(folder);
        schema.iter().for_each(|schema| drop(schema.setting(home.path())));
        let club = Self { home, now, pigeon: Pigeon::default(), memory: None, schema, arrived: 0 };
        for letter in club.mail_folder("new") {
            let file = std::fs::File::options().append(true).open(letter).expect("a letter");
            file.set_modified(now.into()).expect("it has a time");
        }
        club
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        self.home.path()
    }

    /// Its database, which it has.
    pub fn schema(&self) -> &Schema {
        self.schema.as_ref().expect("a database")
    }

    /// Its office, for as long as the caller holds it.
    pub fn context(&self) -> Context {
        let context = match &self.memory {
            Some(memory) => Context::over(self.folder(), |_, _| Ok(memory.clone()), self.now),
            None => Context::open(self.folder(), self.now),
        };
        let context = context.expect("the club opens");
        context.library.listen(said::heard);
        context
    }

    /// The same club, which is new, kept in this from now on.
    pub fn over(self, memory: &Arc<Memory>) -> Self {
        Self { memory: Some(memory.clone()), ..self }
    }

    /// Founds a game for the first `seats` names.
    pub fn found(&mut self, kind: &dyn Kind, seats: u8, seed: u64) -> u32 {
        self.found_with(kind, seats, seed, &BTreeMap::new())
    }

    /// Founds a game with options.
    pub fn found_with(
        &mut self,
        kind: &dyn Kind,
        seats: u8,
        seed: u64,
        options: &BTreeMap<String, String>,
    ) -> u32 {
        self.found_by(kind, kind.definition(), seats, seed, options)
    }

    /// Founds a game with a definition of the club's own.
    pub fn found_by(
        &mut self,
        kind: &dyn Kind,
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
        let context = self.context();
        let is_new = |player: &&Player| {
            context.store.member_by_address(&player.address).expect("it reads").is_none()
        };
        let new: Vec<Player> = players.iter().filter(is_new).cloned().collect();
        drop(context);
        let setup = GameSetup { kind, definition, options, seats };
        let game = self.begin(setup, &players, seed);
        // Most stories look at what everyone is told of every turn.
        new.iter().for_each(|player| self.wants(&player.name, "letters all"));
        game
    }

    /// Founds a game as it ships for people who are called so, each with where he is.
    pub fn found_for(&self, game: &str, people: &[(&str, &str)], seed: u64) -> u32 {
        let player =
            |&(name, at): &(&str, &str)| Player { name: name.into(), address: address(at) };
        let players: Vec<Player> = people.iter().map(player).collect();
        let kind = kind(game).expect("it ships");
        let (definition, options) = (kind.definition(), &BTreeMap::new());
        let seats = u8::try_from(players.len()).expect("few");
        self.begin(GameSetup { kind, definition, options, seats }, &players, seed)
    }

    fn begin(&self, setup: GameSetup<'_>, players: &[Player], seed: u64) -> u32 {
        match process::found(&self.context(), setup, players, &Seed::rehearsal(seed))
            .expect("the store works")
        {
            Founded::Game(number) => number,
            Founded::Impossible(error) => panic!("{error}"),
            Founded::Twice(address) => panic!("{address} twice"),
            Founded::Own(address) => panic!("{address} is the club's"),
        }
    }

    /// What a line of a member's letter would do is done.
    pub fn wants(&self, name: &str, line: &str) {
        process::set_member(&self.context(), &address(name), line).expect("it can be");
    }

    /// How many records game 1 has.
    pub fn head(&self) -> u32 {
        process::open_game(&self.context(), 1).expect("it opens").table.head()
    }

    /// Puts bytes into the inbox, as received now, and says under which name.
    pub fn arrives(&mut self, bytes: impl AsRef<[u8]>) -> String {
        self.arrived += 1;
        let name = format!("{}.{:06}.rig", self.now.timestamp(), self.arrived);
        let mut file =
            std::fs::File::create(self.folder().join("inbox/new").join(&name)).expect("delivered");
        file.write_all(bytes.as_ref()).expect("delivered");
        file.set_modified(self.now.into()).expect("it has a time");
        name
    }

    /// The Message-ID that this player's next letter will have.
    pub fn arrived_id(&self, name: &str) -> String {
        format!("<{}-{}@example.org>", name.to_lowercase(), self.arrived + 1)
    }

    /// A player answers the last letter of a game that he got.
    pub fn writes(&mut self, name: &str, body: &str) -> String {
        let letter = self.reply(name, body);
        self.arrives(letter)
    }

    /// A player's answer to the last letter of a game that he got.
    pub fn reply(&self, name: &str, body: &str) -> String {
        let mut letters = self.pigeon.posted.iter().rev();
        let of_a_game = letters
            .find(|letter| letter.to == address(name) && letter.header("List-Id").is_some())
            .unwrap_or_else(|| panic!("{name} has got no letter of a game"));
        self.reply_to(name, of_a_game, body)
    }

    /// A player's answer to a letter.
    pub fn reply_to(&self, name: &str, letter: &Posted, body: &str) -> String {
        let header = |name| letter.header(name).unwrap_or_default();
        let id = format!("{}-{}", name.to_lowercase(), self.arrived + 1);
        format!(
            "Return-Path: <{from}>\r\nFrom: {name} <{from}>\r\nTo: {}\r\nSubject: Re: {}\r\n\
             Message-ID: <{id}@example.org>\r\nIn-Reply-To: {}\r\n\r\n{}\r\n",
            header("Reply-To"),
            header("Subject"),
            header("Message-ID"),
            body.replace('\n', "\r\n"),
            from = address(name),
        )
    }

    /// The last letter that went to this player.
    pub fn last_to(&self, name: &str) -> Option<&Posted> {
        self.pigeon.posted.iter().rev().find(|letter| letter.to == address(name))
    }

    /// The text of the last letter that went to this player.
    pub fn last_text(&self, name: &str) -> String {
        self.last_to(name).map(Posted::text).unwrap_or_default()
    }

    /// The last letter about game 1, of Paris Connection, that went to this player.
    pub fn of_game_1(&self, name: &str) -> Posted {
        let mut letters = self.pigeon.posted.iter().rev();
        let of_it = letters.find(|letter| {
            letter.to == address(name)
                && letter.header("Subject").is_some_and(|s| s.starts_with("[Paris 1] "))
        });
        of_it.unwrap_or_else(|| panic!("{name} has no letter of game 1")).clone()
    }

    /// A player answers it.
    pub fn writes_in_game_1(&mut self, name: &str, body: &str) {
        let reply = self.reply_to(name, &self.of_game_1(name), body);
        self.arrives(reply);
    }

    /// The member at this address.
    pub fn member(&self, name: &str) -> Member {
        let member = self.context().store.member_by_address(&address(name)).expect("it reads");
        member.unwrap_or_else(|| panic!("{name} is no member"))
    }

    /// Its store is lost, and made anew from its journal.
    pub fn restored(&self) -> Restored {
        std::fs::remove_dir_all(self.folder().join("store")).expect("lost");
        let context = self.context();
        process::restore(&context, &context.journal()).expect("it comes back")
    }

    /// One pass; afterwards it is an hour later. Gives the letters that it posted.
    pub fn pass(&mut self) -> (Passed, Vec<Posted>) {
        let context = self.context();
        self.pass_in(&context)
    }

    /// The same in a context that is open at this time.
    pub fn pass_in(&mut self, context: &Context) -> (Passed, Vec<Posted>) {
        let before = self.pigeon.posted.len();
        let report = process::pass(context, &mut self.pigeon).expect("the pass works");
        let report = Passed::new(context, report);
        outlines_hold(context);
        self.now += TimeDelta::hours(1);
        let letters = self.pigeon.posted[before..].to_vec();
        letters.iter().for_each(Posted::check);
        (report, letters)
    }

    /// The files in a folder of the inbox.
    pub fn mail_folder(&self, mail_folder: &str) -> Vec<PathBuf> {
        let folder = self.folder().join("inbox").join(mail_folder);
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
            .expect("a tray")
            .map(|entry| entry.expect("an entry").path())
            .collect();
        files.sort();
        files
    }

    /// How many letters lie in quarantine: in its folder, or where several share the club there.
    pub fn in_quarantine(&self) -> usize {
        let context = self.context();
        let held = context.store.shared().map_or(0, |shared| shared.held().expect("held").len());
        self.mail_folder(".quarantine/cur").len() + held
    }
}

/// Copies a folder with all that lies in it.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let place = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            copy(&entry.path(), &place);
        } else {
            std::fs::copy(entry.path(), place).expect("it is copied");
        }
    }
}

/// A player's address; what is an address already is itself.
pub fn address(name: &str) -> String {
    if name.contains('@') {
        return name.to_owned();
    }
    format!("{}@example.org", name.to_lowercase())
}

/// The letters that went to a player or an address.
pub fn all_to<'a>(letters: &'a [Posted], who: &str) -> Vec<&'a Posted> {
    let address = address(who);
    letters.iter().filter(|letter| letter.to == address).collect()
}

/// The first letter that went to a player or an address; there must be one.
pub fn to<'a>(letters: &'a [Posted], who: &str) -> &'a Posted {
    all_to(letters, who).first().copied().unwrap_or_else(|| panic!("no letter to {who}"))
}

/// Whether a letter's text is as wide as mail programs show, in plain ASCII if it is in English,
/// and says in words what it has to say.
pub fn well_made(text: &str) {
    let is_english = !text.starts_with("===") || text.starts_with("=== Write your orders above");
    for line in text.lines() {
        // What tells the direction of a text has no width.
        let is_seen = |c: &char| !matches!(c, '\u{200e}' | '\u{2066}'..='\u{2069}');
        assert!(line.chars().filter(is_seen).count() <= 76, "too wide: {line}\n{text}");
        assert!(!is_english || line.is_ascii(), "not ASCII: {line}");
        assert_eq!(missing(line), None, "a sentence is missing: {line}\n{text}");
        let is_row = line.len() > 3 && line.starts_with("| ") && line.ends_with(" |");
        assert!(!is_row, "a row of Markdown: {line}\n{text}");
    }
}

/// The key of a sentence that a line lacks: it shows as its key in brackets, be it that there is
/// none, or that it asks for an argument which it is not given.
fn missing(line: &str) -> Option<&str> {
    let is_key = |word: &&str| {
        let is_of_key = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        word.contains('-')
            && word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.chars().all(is_of_key)
    };
    line.split('[').skip(1).filter_map(|rest| rest.split(']').next()).find(is_key)
}
