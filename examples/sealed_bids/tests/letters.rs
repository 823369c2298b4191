//! Plays Sealed Bids by letters, with the program that has the game.

use chrono::{DateTime, TimeDelta, Utc};
use postrider::Program;
use postrider::cli::{self, Environment, Exit};
use postrider::mail::Letter;
use postrider::rules::{GameRegistry, game_kind};
use sealed_bids::SealedBids;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// A club in a temporary folder, with the last letter to each player.
struct Club {
    home: TempDir,
    games: GameRegistry,
    now: DateTime<Utc>,
    letters: BTreeMap<&'static str, String>,
    sent: u32,
}

const PLAYERS: [&str; 3] = ["Ann", "Bob", "Cid"];

fn address(name: &str) -> String {
    format!("{}@example.org", name.to_lowercase())
}

impl Club {
    /// Founds a game of all players, and reads their first letters.
    fn with_game(more: &[&str]) -> Self {
        Self::with_players(&PLAYERS, more)
    }

    fn with_players(names: &[&'static str], more: &[&str]) -> Self {
        let mut club = Self {
            home: TempDir::new().expect("a folder"),
            games: Program::new().game(game_kind::<SealedBids>()).into_registry(),
            now: DateTime::from_timestamp(1_800_000_000, 0).expect("a time"),
            letters: BTreeMap::new(),
            sent: 0,
        };
        let folder = club.folder().display().to_string();
        club.run(&["init", &folder]);
        let player = |name: &&str| format!("{name} <{}>", address(name));
        let players: Vec<String> = names.iter().map(player).collect();
        let mut arguments = vec!["-C", &folder, "new", "sealed-bids"];
        arguments.extend(players.iter().flat_map(|player| ["--player", player]));
        arguments.extend(more);
        club.run(&arguments);
        assert_eq!(club.run_pass(), names);
        club
    }

    fn folder(&self) -> PathBuf {
        self.home.path().join("club")
    }

    /// Runs the program, and returns what it prints.
    fn run(&self, arguments: &[&str]) -> String {
        let environment = Environment {
            games: self.games,
            now: self.now,
            clock: || DateTime::UNIX_EPOCH,
            random: |bytes| {
                bytes.fill(7);
                Ok(())
            },
            variable: |_| None,
        };
        let mut out = Vec::new();
        let all = ["sealed-bids"].iter().chain(arguments).map(Into::into);
        let exit = cli::run(all, &environment, &mut out);
        let out = String::from_utf8(out).expect("text");
        assert!(exit == Exit::Done, "{arguments:?}: {out}");
        out
    }

    /// Runs a pass an hour later. Returns the players who got a letter.
    fn run_pass(&mut self) -> Vec<&'static str> {
        self.now += TimeDelta::hours(1);
        let folder = self.folder().display().to_string();
        self.run(&["-C", &folder, "tick"]);
        let mut got = Vec::new();
        for entry in fs::read_dir(self.folder().join("outbox/new")).expect("an outbox") {
            let path = entry.expect("a letter").path();
            let letter = fs::read_to_string(&path).expect("a letter");
            let to = header(&letter, "To");
            let is_reader = |name: &&&str| to.contains(&address(name));
            // The moderator gets a report of a missed deadline.
            if let Some(name) = PLAYERS.iter().find(is_reader) {
                got.push(*name);
                self.letters.insert(name, letter);
            }
            fs::remove_file(path).expect("it was there");
        }
        got.sort_unstable();
        got
    }

    /// Sends this line as a reply to the player's last letter.
    fn reply(&mut self, name: &str, line: &str) {
        self.sent += 1;
        let letter = &self.letters[name];
        let to = header(letter, "Reply-To");
        let text = format!(
            "From: {name} <{}>\r\nTo: {to}\r\nSubject: Re: {}\r\nMessage-ID: <{}@home>\r\n\r\n\
             {line}\r\n",
            address(name),
            header(letter, "Subject"),
            self.sent,
        );
        let path = self.folder().join(format!("inbox/new/{}", self.sent));
        fs::write(path, text).expect("an inbox");
    }

    /// Returns the text of the player's last letter.
    fn text(&self, name: &str) -> String {
        Letter::parse(self.letters[name].as_bytes()).expect("it is sound").body
    }
}

/// Returns the value of a header of a letter.
fn header(letter: &str, name: &str) -> String {
    let text = letter.replace("\r\n", "\n").replace("\n ", " ");
    let mut fields = text.lines().filter_map(|line| line.split_once(": "));
    let found = fields.find(|(field, _)| field.eq_ignore_ascii_case(name));
    found.map(|(_, value)| value.to_owned()).unwrap_or_default()
}

#[test]
fn bid_is_unnoticed_until_all_have_bid() {
    let mut club = Club::with_game(&[]);
    club.reply("Cid", "status");
    assert_eq!(club.run_pass(), ["Cid"]);
    let shown = club.text("Cid");
    club.reply("Ann", "bid 3");
    assert_eq!(club.run_pass(), ["Ann"]);
    assert!(
        club.text("Ann").contains("your orders before everybody has ordered"),
        "{}",
        club.text("Ann")
    );
    club.reply("Bob", "bid 3");
    assert_eq!(club.run_pass(), ["Bob"]);
    // Ann changes her mind, although Bob has bid since.
    club.reply("Ann", "undo");
    assert_eq!(club.run_pass(), ["Ann"]);
    club.reply("Ann", "bid 2");
    assert_eq!(club.run_pass(), ["Ann"]);
    club.reply("Ann", "bid 4");
    assert_eq!(club.run_pass(), ["Ann"]);
    club.reply("Cid", "status");
    assert_eq!(club.run_pass(), ["Cid"]);
    assert_eq!(club.text("Cid"), shown);
    club.reply("Cid", "bid 1");
    assert_eq!(club.run_pass(), PLAYERS);
    let told = club.text("Bob");
    for said in ["Ann has bid 4.", "You have bid 3.", "Cid has bid 1.", "Ann wins the round."] {
        assert!(told.contains(said), "{said}: {told}");
    }
}

#[test]
fn deadline_opens_sealed_bids() {
    let mut club = Club::with_game(&["--deadline", "2 days", "--nmr", "forfeit"]);
    club.reply("Ann", "bid 5");
    club.run_pass();
    let mut got = Vec::new();
    // Passes must be frequent, because a longer pause counts as an outage of the club.
    while !got.contains(&"Ann") {
        got = club.run_pass();
    }
    assert_eq!(got, PLAYERS);
    let told = club.text("Bob");
    assert!(told.contains("Ann has bid 5.") && told.contains("until Tue 19 Jan"), "{told}");
}

#[test]
fn bot_bids_after_all_people() {
    let mut club = Club::with_players(&["Ann", "Bob"], &["--bots", "1", "fair"]);
    club.reply("Ann", "bid 3");
    assert_eq!(club.run_pass(), ["Ann"]);
    assert!(club.run_pass().is_empty());
    club.reply("Bob", "bid 4");
    let got = club.run_pass();
    assert!(got.contains(&"Ann") && got.contains(&"Bob"), "{got:?}");
    let told = club.text("Ann");
    assert!(told.contains("Robo 1 (fair) has bid") && told.contains("Bob has bid 4."), "{told}");
}

#[test]
fn whole_game_is_played_and_verified() {
    let mut club = Club::with_game(&[]);
    for round in 1..=5 {
        for (name, card) in PLAYERS.into_iter().zip([round, 6 - round, 1 + round % 5]) {
            club.reply(name, &format!("bid {card}"));
        }
        assert_eq!(club.run_pass(), PLAYERS, "round {round}");
    }
    assert!(club.text("Ann").contains("The game is over"), "{}", club.text("Ann"));
    let folder = club.folder().display().to_string();
    club.run(&["-C", &folder, "verify", "1"]);
}

#[test]
fn spanish_player_bids_in_spanish() {
    let mut club = Club::with_game(&[]);
    club.reply("Ann", "language es");
    club.run_pass();
    club.reply("Ann", "pujar 3");
    assert_eq!(club.run_pass(), ["Ann"]);
    let told = club.text("Ann");
    assert!(told.contains("Tu puja sellada: 3"), "{told}");
    assert!(told.contains("Nadie verá tus órdenes antes de que todos"), "{told}");
}
