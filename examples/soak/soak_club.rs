//! The club under load: its games, the letters of its members, and the final checks.

use crate::history::{GameHistory, Judgement, PostedLetters};
use chrono::Utc;
use postrider::club::UndoTerm;
use postrider::games::find_kind;
use postrider::mail::{ClubSecret, Letter, Maildir, TokenPosition};
use postrider::process::{self, Context, FoundingResult, GameTerms, Player};
use postrider::rules::{BotLevel, Dice, Seat, Seed, Turn};
use postrider::store::{Batch, SharedStore, StoreError};
use postrider::table::{Cause, GameSetup};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The club's address.
const ADDRESS: &str = "games@example.org";
/// The start of each message that a player sends to the others. The number of its letter follows.
pub const WORD_PREFIX: &str = "word-";
/// The longest time that a restart of the server may take.
const RESTART_MAX: Duration = Duration::from_secs(60);
/// The number of players in each game.
const SEATS: u8 = 3;
/// In one of this many games, a bot has the last seat.
const BOT_GAME_INTERVAL: u32 = 10;
/// The content of `club.yaml`. The limits on letters are off, so that they do not slow down the
/// load.
const SETTINGS: &str = "name: Soak\naddress: games@example.org\n\
    moderator: {name: Mod, address: mod@example.org}\nanswers_per_hour: 100000\n\
    letters_per_day: 0\npictures: false\n\
    store: {postgres: {url_file: database, club: soak}}\n";

/// A club on two simulated machines, and the history of its letters.
pub struct SoakClub {
    /// A direct connection to the server, which bypasses the proxy.
    observer: ClubReader,
    secret: ClubSecret,
    home: TempDir,
    machines: [PathBuf; 2],
    games: Vec<GameHistory>,
    written: u32,
}

impl SoakClub {
    /// Founds a club with this number of members. `url` is the server for the checks, and
    /// `by_proxy` the URL that the workers use.
    pub fn found_club(url: &str, by_proxy: &str, members: u32) -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let machines = ["one", "other"].map(|name| home.path().join(name));
        let direct = home.path().join("direct");
        create_machine(&direct, url);
        machines.iter().for_each(|machine| create_machine(machine, by_proxy));
        let direct =
            Context::open(postrider::games::SHIPPED, &direct, Utc::now()).expect("the club opens");
        let kind = find_kind("paris-connection").expect("it ships");
        let options = BTreeMap::new();
        let setup = GameSetup {
            kind,
            definition: kind.shipped_definition(),
            options: &options,
            seats: SEATS,
        };
        let mut games = Vec::new();
        for number in 1..=members / u32::from(SEATS) {
            let player = |seat: Seat| Player {
                name: format!("Player {number} {seat}"),
                address: address(number, seat),
            };
            let players: Vec<Player> = people_of(number).map(player).collect();
            let usual = GameTerms::default_for(&direct);
            let terms = if has_bot(number) {
                GameTerms { bots: vec![BotLevel::Easy], undo: UndoTerm::Off, ..usual }
            } else {
                usual
            };
            let seed = Seed::from_number(number.into());
            let founded = process::found_with_terms(&direct, setup, &players, &seed, &terms);
            assert!(matches!(founded, Ok(FoundingResult::Game(_))), "game {number} is founded");
            games.push(GameHistory::default());
        }
        // By default, members get messages only on their turn. The checks expect every message to
        // reach every player at once.
        let mut members = direct.store.members().expect("members");
        members.iter_mut().for_each(|member| member.letters.only_turns = false);
        direct
            .store
            .write_without_conflict_check(&Batch { members, ..Batch::default() })
            .expect("they are kept");
        let secret = direct.secret.clone();
        Self { observer: ClubReader(direct), secret, home, machines, games, written: 0 }
    }

    pub fn game_count(&self) -> usize {
        self.games.len()
    }

    /// Returns the folders of the two machines.
    pub fn machines(&self) -> Vec<PathBuf> {
        self.machines.to_vec()
    }

    /// Delivers a letter from a random game: an order if the game awaits one and none is in flight,
    /// otherwise a message to the other players.
    pub fn write_letter(&mut self, dice: &mut Dice) {
        let game = u32::try_from(self.games.len()).map_or(1, |games| dice.roll_below(games) + 1);
        self.note_progress(game);
        let known = self.game_history(game);
        let (is_idle, head) = (known.orders.iter().all(|order| order.seen.is_some()), known.head);
        let order =
            if is_idle && dice.roll_below(2) == 0 { self.random_order(game, dice) } else { None };
        let (seat, line, head) = order.unwrap_or_else(|| {
            let seats: Vec<Seat> = people_of(game).collect();
            let seat = dice.pick(&seats).copied().unwrap_or_else(|| Seat::new(0));
            (seat, format!("say {}", word_of_letter(self.written)), head)
        });
        let token =
            self.secret.sign_seat_token(TokenPosition { game, seat: seat.number(), seq: head }, 1);
        let letter = format!(
            "From: Player <{}>\r\nTo: {}\r\nSubject: Re: Paris\r\nDate: {}\r\n\
             Message-ID: <{}.soak@example.org>\r\nMIME-Version: 1.0\r\n\
             Content-Type: text/plain; charset=utf-8\r\n\r\n{line}\r\n",
            address(game, seat),
            token.reply_address(ADDRESS),
            Utc::now().to_rfc2822(),
            self.written,
        );
        // All letters of a seat arrive on one machine, because inboxes of different machines are
        // read in no fixed order.
        let machine = &self.machines[usize::from(seat.number()) % self.machines.len()];
        let (inbox, name) = (machine.join("inbox"), format!("{:09}.soak", self.written));
        fs::write(inbox.join("tmp").join(&name), letter).expect("written");
        self.games[game as usize - 1].note_written(seat, &line, self.written);
        fs::rename(inbox.join("tmp").join(&name), inbox.join("new").join(&name))
            .expect("delivered");
        self.written += 1;
    }

    /// Waits until no letter is pending, inbound or outbound, and no bot is awaited. Returns
    /// `false` if that takes longer than `within`.
    pub fn wait_until_idle(&mut self, within: Duration) -> bool {
        let begun = Instant::now();
        let waits = |machine: &PathBuf| {
            let inbox = Maildir::new(machine.join("inbox"));
            !inbox.pending_letters(1).expect("an inbox").is_empty()
        };
        while self.machines.iter().any(waits)
            || self.observer.read_with_retry(process::has_pending_letters)
            || self.observer.read_with_retry(|club| club.store.outbox_length()) > 0
            || self.awaits_bot()
        {
            if begun.elapsed() > within {
                return false;
            }
            std::thread::sleep(Duration::from_millis(300));
        }
        (1..=self.games.len())
            .for_each(|game| self.note_progress(u32::try_from(game).unwrap_or(0)));
        true
    }

    /// Checks all logs, activity logs and sent letters against what the members wrote.
    pub fn judge(&mut self) -> Judgement {
        let mut judged = Judgement::default();
        let held = self.observer.read_with_retry(|club| {
            club.store.as_shared().map_or(Ok(Vec::new()), SharedStore::list_quarantined_letters)
        });
        judged
            .faults
            .extend(held.iter().map(|letter| format!("letter {} is in quarantine", letter.name)));
        for (number, game) in (1..).zip(&self.games) {
            let session =
                self.observer.read_with_retry(|club| process::load_stored_game(club, number));
            let causes = session.table.records().iter().map(|record| &record.cause);
            let is_bot = |cause: &&Cause| matches!(cause, Cause::Bot { .. });
            judged.bot_turns += causes.clone().filter(is_bot).count();
            let orders = causes.filter_map(|cause| match cause {
                Cause::Orders { seat, lines, .. } => Some((*seat, lines.join("\n"))),
                _ => None,
            });
            let minutes = self.observer.read_with_retry(|club| club.store.activity_log(number));
            game.judge_game(number, &minutes, &orders.collect::<Vec<_>>(), &mut judged);
        }
        let mut posted = PostedLetters::default();
        for machine in &self.machines {
            for file in fs::read_dir(machine.join("outbox/new")).expect("an outbox") {
                let bytes = fs::read(file.expect("a file").path()).expect("it reads");
                posted.add_letter(&Letter::parse(&bytes).expect("a letter"));
            }
        }
        for (number, game) in (1..).zip(&self.games) {
            game.judge_notifications(number, &posted, &mut judged);
        }
        judged.letters = posted.letters;
        judged.twice = posted.count_duplicates();
        judged
    }

    /// Whether a bot has to move in some game.
    fn awaits_bot(&mut self) -> bool {
        let count = u32::try_from(self.games.len()).unwrap_or(0);
        (1..=count).filter(|game| has_bot(*game)).any(|game| {
            let session =
                self.observer.read_with_retry(|club| process::load_stored_game(club, game));
            let is_bot = |seat: &Seat| people_of(game).all(|own| own != *seat);
            matches!(session.table.turn(), Turn::Awaiting(seats) if seats.iter().any(is_bot))
        })
    }

    fn game_history(&self, game: u32) -> &GameHistory {
        &self.games[game as usize - 1]
    }

    /// Notes which letters of a game have taken effect.
    fn note_progress(&mut self, game: u32) {
        let (minutes, lines) = self.observer.read_with_retry(|club| -> Result<_, StoreError> {
            Ok((club.store.activity_log(game)?, club.store.game_facts(game)?.log_length))
        });
        self.games[game as usize - 1].note_seen(&minutes, lines);
    }

    /// Returns a legal order with its seat and the number of the last record. Returns `None` if the
    /// game is over.
    fn random_order(&mut self, game: u32, dice: &mut Dice) -> Option<(Seat, String, u32)> {
        let session = self.observer.read_with_retry(|club| process::load_stored_game(club, game));
        let Turn::Awaiting(seats) = session.table.turn() else { return None };
        let seat = *seats.first().filter(|first| people_of(game).any(|own| own == **first))?;
        let (mut ahead, mut chance) =
            (session.table.game().clone_box(), Dice::new(&Seed::from_number(0), 0));
        let (line, _) = ahead.play_random_line(seat, dice, &mut chance)?;
        Some((seat, line, session.table.last_record_number()))
    }
}

/// Reads a club while workers change it. The server may restart during a read.
struct ClubReader(Context);

impl ClubReader {
    /// Runs a query on the current state, and repeats it until the server answers.
    fn read_with_retry<T, E: Display>(&mut self, ask: impl Fn(&Context) -> Result<T, E>) -> T {
        let begun = Instant::now();
        loop {
            // Registering as a worker clears the cache, so the query reads current rows.
            let is_registered =
                self.0.store.as_shared().is_some_and(|shared| shared.register_worker().is_ok());
            match ask(&self.0) {
                Ok(seen) if is_registered => return seen,
                Err(error) if begun.elapsed() > RESTART_MAX => panic!("{error}"),
                _ => {}
            }
            if let Ok(reopened) =
                Context::open(postrider::games::SHIPPED, &self.0.folder, Utc::now())
            {
                self.0 = reopened;
            } else {
                std::thread::sleep(Duration::from_millis(300));
            }
        }
    }
}

impl Drop for SoakClub {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("the club was in {}", self.home.path().display());
        }
    }
}

/// Creates a folder with the files and mailboxes that open the club at `url`.
fn create_machine(folder: &Path, url: &str) {
    fs::create_dir(folder).expect("a folder");
    let files = [
        ("club.yaml", SETTINGS.to_owned()),
        ("secret", "07".repeat(32)),
        ("database", url.to_owned()),
    ];
    for (name, text) in files {
        let path = folder.join(name);
        fs::write(&path, text).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("it is ours");
    }
    for mailbox in ["inbox", "outbox"] {
        Maildir::new(folder.join(mailbox)).create_folders().expect("a mailbox");
    }
}

const fn has_bot(game: u32) -> bool {
    game.is_multiple_of(BOT_GAME_INTERVAL)
}

/// Returns the seats of a game that people have.
pub fn people_of(game: u32) -> impl Iterator<Item = Seat> {
    Seat::all(if has_bot(game) { SEATS - 1 } else { SEATS })
}

pub fn address(game: u32, seat: Seat) -> String {
    format!("p{game}.{}@example.org", seat.number())
}

/// Returns the text of the message in the letter with this number. It is unique, so it can be found
/// in the activity log and in sent letters.
pub fn word_of_letter(letter: u32) -> String {
    format!("{WORD_PREFIX}{letter}-")
}
