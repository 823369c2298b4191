//! Clubs with batches of order letters, shared by the benchmarks of passes.

#![allow(dead_code, reason = "each bench uses its own part of it")]

#[path = "../../tests/parts/store/server.rs"]
mod server;

pub use server::Schema;

use chrono::DateTime;
use postrider::games::find_kind;
use postrider::mail::transport::{OutgoingMessage, PostError, Transport};
use postrider::mail::{Maildir, TokenPosition};
use postrider::process::{self, Context, FoundingResult, PassReport, Player};
use postrider::rules::{Dice, Seat, Seed, Turn};
use postrider::store::Batch;
use postrider::table::GameSetup;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The number of press messages in a batch, over all games.
const PRESS_MESSAGES: u32 = if cfg!(debug_assertions) { 20 } else { 1_000 };

/// A transport that accepts every letter and counts letters and bytes.
#[derive(Default)]
pub struct CountingTransport {
    pub letters: usize,
    pub bytes: usize,
}

impl Transport for CountingTransport {
    fn post(&mut self, outgoing: &OutgoingMessage<'_>) -> Result<(), PostError> {
        self.letters += 1;
        self.bytes += outgoing.bytes.len();
        Ok(())
    }

    fn letters_per_save(&self) -> usize {
        1_000
    }
}

/// The format of the letters that the club sends: plain text only, plain text and HTML, or both and
/// a picture of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LetterFormat {
    Text,
    Html,
    Picture,
}

/// A club of games for three players.
pub struct BenchClub {
    pub context: Context,
    pub home: TempDir,
    /// The schema on the database server that holds the club, if any. It is dropped last, after all
    /// connections to it.
    schema: Option<Schema>,
    games: u32,
    letter_format: LetterFormat,
    letters_written: u32,
    letters_delivered: u32,
}

impl BenchClub {
    /// Makes a club with this many games, and posts their first letters.
    pub fn with_games(games: u32, made: LetterFormat, schema: Option<Schema>) -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let store = schema.as_ref().map(|schema| schema.setting(home.path()));
        std::fs::write(
            home.path().join("club.yaml"),
            format!(
                "name: Bench\naddress: games@example.org\n\
                 moderator: {{name: Mod, address: mod@example.org}}\nanswers_per_hour: 100000\n\
                 pictures: {}\n{}",
                made == LetterFormat::Picture,
                store.unwrap_or_default()
            ),
        )
        .expect("club.yaml");
        std::fs::write(home.path().join("secret"), "07".repeat(32)).expect("a secret");
        Maildir::new(home.path().join("inbox")).create_folders().expect("an inbox");
        let now = DateTime::from_timestamp(1_767_636_000, 0).expect("a time");
        let context =
            Context::open(postrider::games::SHIPPED, home.path(), now).expect("the club opens");
        let club = Self {
            context,
            home,
            schema,
            games,
            letter_format: made,
            letters_written: 0,
            letters_delivered: 0,
        };
        club.found_games();
        // Members get a letter about every turn, also about other players' turns.
        let store = &club.context.store;
        let mut members = store.members().expect("members");
        for member in &mut members {
            member.letters.only_turns = false;
            member.letters.html = made != LetterFormat::Text;
        }
        let all = Batch { members, ..Batch::default() };
        store.write_without_conflict_check(&all).expect("they are kept");
        club
    }

    fn found_games(&self) {
        let kind = find_kind("paris-connection").expect("it ships");
        let options = BTreeMap::new();
        let setup =
            GameSetup { kind, definition: kind.shipped_definition(), options: &options, seats: 3 };
        for game in 1..=self.games {
            let players: Vec<Player> = (1..=3)
                .map(|seat| Player {
                    name: format!("Player {seat}"),
                    address: format!("p{game}.{seat}@example.org"),
                })
                .collect();
            let seed = Seed::from_number(game.into());
            let founded = process::found_game(&self.context, setup, &players, &seed);
            assert!(matches!(founded, Ok(FoundingResult::Game(_))));
            if game % 250 == 0 || game == self.games {
                self.drain_outbox();
            }
        }
    }

    /// Sends everything in the outbox. Returns the counts.
    pub fn drain_outbox(&self) -> CountingTransport {
        let mut scales = CountingTransport::default();
        process::deliver(&self.context, &mut scales, &mut PassReport::default())
            .expect("delivered");
        scales
    }

    /// Writes an order letter for each game and puts it into the inbox. Each letter quotes the
    /// board below the order.
    pub fn deliver_orders(&mut self) -> Vec<Vec<u8>> {
        let letters = self.write_orders();
        for letter in &letters {
            self.deliver_letter(letter);
        }
        letters
    }

    /// Writes press messages to the games, from one player after the other, and puts them into the
    /// inbox.
    pub fn deliver_press(&mut self) -> Vec<Vec<u8>> {
        let mut letters = Vec::new();
        for number in 0..PRESS_MESSAGES {
            let (game, seat) = (number % self.games + 1, number / self.games % 3);
            let seat = Seat::new(u8::try_from(seat).expect("one of three"));
            letters.push(self.write_letter((game, seat, 1), &format!("say word {number}"), ""));
        }
        for letter in &letters {
            self.deliver_letter(letter);
        }
        letters
    }

    /// Returns an order letter for each game that is not over. Each letter quotes the board below
    /// the order.
    pub fn write_orders(&mut self) -> Vec<Vec<u8>> {
        let mut letters = Vec::new();
        for game in 1..=self.games {
            let session = process::load_stored_game(&self.context, game).expect("it opens");
            let Turn::Awaiting(seats) = session.table.turn() else { continue };
            let mut chooser = Dice::new(&Seed::from_number(self.letters_written.into()), 0);
            let mut ahead = session.table.game().clone_box();
            let (line, _) = ahead
                .play_random_line(seats[0], &mut chooser, &mut Dice::new(&Seed::from_number(0), 0))
                .expect("something is legal");
            let board =
                session.table.game().draw_board_text(&[], Default::default()).expect("a board");
            let quoted: Vec<String> = board.iter().map(|line| format!("> {line}\r\n")).collect();
            let head = session.table.last_record_number();
            letters.push(self.write_letter((game, seats[0], head), &line, &quoted.concat()));
        }
        letters
    }

    fn write_letter(
        &mut self,
        (game, seat, seq): (u32, Seat, u32),
        line: &str,
        quoted: &str,
    ) -> Vec<u8> {
        self.letters_written += 1;
        let token = self
            .context
            .secret
            .sign_seat_token(TokenPosition { game, seat: seat.number(), seq }, 1);
        let letter = format!(
            "From: Player <p{game}.{seat}@example.org>\r\nTo: {}\r\nSubject: Re: Paris\r\n\
             Message-ID: <{}.{game}@example.org>\r\nMIME-Version: 1.0\r\n\
             Content-Type: text/plain; charset=utf-8\r\n\r\n{line}\r\n\r\n\
             On Monday the club <games@example.org> wrote:\r\n{quoted}",
            token.reply_address("games@example.org"),
            self.letters_written,
        );
        letter.into_bytes()
    }

    pub fn deliver_letter(&mut self, letter: &[u8]) {
        self.letters_delivered += 1;
        let name = format!("{:09}.bench", self.letters_delivered);
        let path = self.home.path().join("inbox/new").join(name);
        std::fs::write(path, letter).expect("delivered");
    }

    /// Measures the time from the letters' bytes in the inbox to the posted answers. Makes a new
    /// club when all games are over.
    pub fn measure_until_posted(&mut self, rounds: u64) -> Duration {
        let mut took = Duration::ZERO;
        for _ in 0..rounds {
            while self.deliver_orders().is_empty() {
                let schema = self.schema.as_ref().and_then(|_| Schema::new());
                *self = Self::with_games(self.games, self.letter_format, schema);
            }
            took += self.read_inbox().0;
            let began = Instant::now();
            assert!(self.drain_outbox().letters > 0, "letters were posted");
            took += began.elapsed();
        }
        took
    }

    /// Processes the letters in the inbox up to the durable outbox. Returns the time taken and the
    /// number of letters that were carried out.
    pub fn read_inbox(&self) -> (Duration, usize) {
        let waiting = self.context.inbox_maildir().pending_letters(usize::MAX).expect("listed");
        let mut report = PassReport::default();
        let began = Instant::now();
        let desk =
            process::process_letters(&self.context, &waiting, &mut report).expect("taken in");
        let took = began.elapsed();
        self.context.store.update_journal(&self.context.journal_folder()).expect("written");
        let trays: Vec<_> = desk
            .dispositions
            .into_iter()
            .map(|(letter, disposition)| (letter, disposition.mail_folder()))
            .collect();
        self.context.inbox_maildir().archive_letters(&trays).expect("put away");
        (took, report.carried_out)
    }
}
