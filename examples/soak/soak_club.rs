//! The club on its two machines, and what its members write.

use crate::history::{GameHistory, Judgement, PostedLetters};
use chrono::Utc;
use postrider::games::find_kind;
use postrider::mail::{ClubSecret, Letter, Maildir, TokenPosition};
use postrider::process::{self, Context, FoundingResult, Player};
use postrider::rules::{Dice, Seat, Seed, Turn};
use postrider::store::{Batch, SharedStore, StoreError};
use postrider::table::{Cause, GameSetup};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Where the club is written to.
const ADDRESS: &str = "games@example.org";
/// How a word begins that somebody says: the number of his letter follows.
pub const WORD_PREFIX: &str = "word-";
/// So long a server takes at the most until it is there again.
const RESTART_MAX: Duration = Duration::from_secs(60);
/// Who plays a game.
const SEATS: u8 = 3;
/// What is in club.yaml: nobody is bound by how much he writes.
const SETTINGS: &str = "name: Soak\naddress: games@example.org\n\
    moderator: {name: Mod, address: mod@example.org}\nanswers_per_hour: 100000\n\
    letters_per_day: 0\npictures: false\n\
    store: {postgres: {url_file: database, club: soak}}\n";

/// A club, and what its members wrote.
pub struct SoakClub {
    /// Looks into the club past the proxy.
    observer: ClubReader,
    secret: ClubSecret,
    home: TempDir,
    machines: [PathBuf; 2],
    games: Vec<GameHistory>,
    written: u32,
}

impl SoakClub {
    /// A club of so many members on the server of this URL; its machines know it by another one.
    pub fn found_club(url: &str, by_proxy: &str, members: u32) -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let machines = ["one", "other"].map(|name| home.path().join(name));
        let eyes = home.path().join("eyes");
        create_machine(&eyes, url);
        machines.iter().for_each(|machine| create_machine(machine, by_proxy));
        let eyes = Context::open(&eyes, Utc::now()).expect("the club opens");
        let kind = find_kind("paris-connection").expect("it ships");
        let options = BTreeMap::new();
        let setup =
            GameSetup { kind, definition: kind.definition(), options: &options, seats: SEATS };
        let mut games = Vec::new();
        for number in 1..=members / u32::from(SEATS) {
            let player = |seat: Seat| Player {
                name: format!("Player {number} {seat}"),
                address: address(number, seat),
            };
            let players: Vec<Player> = Seat::all(SEATS).map(player).collect();
            let founded =
                process::found_game(&eyes, setup, &players, &Seed::from_number(number.into()));
            assert!(matches!(founded, Ok(FoundingResult::Game(_))), "game {number} is founded");
            games.push(GameHistory::default());
        }
        // Everybody is told of all that is said, whoever's turn it is.
        let mut members = eyes.store.members().expect("members");
        members.iter_mut().for_each(|member| member.letters.only_turns = false);
        eyes.store.write(&Batch { members, ..Batch::default() }).expect("they are kept");
        let secret = eyes.secret.clone();
        Self { observer: ClubReader(eyes), secret, home, machines, games, written: 0 }
    }

    /// How many games there are.
    pub fn game_count(&self) -> usize {
        self.games.len()
    }

    /// The folders of the machines.
    pub fn machines(&self) -> Vec<PathBuf> {
        self.machines.to_vec()
    }

    /// Somebody writes a letter: an order where his game waits for him and for no order that is
    /// on its way, else a word to the others.
    pub fn write_letter(&mut self, dice: &mut Dice) {
        let game = u32::try_from(self.games.len()).map_or(1, |games| dice.below(games) + 1);
        self.note_progress(game);
        let known = self.game_history(game);
        let (is_idle, head) = (known.orders.iter().all(|order| order.seen.is_some()), known.head);
        let order =
            if is_idle && dice.below(2) == 0 { self.random_order(game, dice) } else { None };
        let (seat, line, head) = order.unwrap_or_else(|| {
            let seats: Vec<Seat> = Seat::all(SEATS).collect();
            let seat = dice.pick(&seats).copied().unwrap_or_else(|| Seat::new(0));
            (seat, format!("say {}", word_of_letter(self.written)), head)
        });
        let token =
            self.secret.sign_position(TokenPosition { game, seat: seat.number(), seq: head }, 1);
        let letter = format!(
            "From: Player <{}>\r\nTo: {}\r\nSubject: Re: Paris\r\nDate: {}\r\n\
             Message-ID: <{}.soak@example.org>\r\nMIME-Version: 1.0\r\n\
             Content-Type: text/plain; charset=utf-8\r\n\r\n{line}\r\n",
            address(game, seat),
            token.reply_address(ADDRESS),
            Utc::now().to_rfc2822(),
            self.written,
        );
        // What somebody writes comes by one machine.
        let machine = &self.machines[usize::from(seat.number()) % self.machines.len()];
        let (inbox, name) = (machine.join("inbox"), format!("{:09}.soak", self.written));
        fs::write(inbox.join("tmp").join(&name), letter).expect("written");
        self.games[game as usize - 1].note_written(seat, &line, self.written);
        fs::rename(inbox.join("tmp").join(&name), inbox.join("new").join(&name))
            .expect("delivered");
        self.written += 1;
    }

    /// Whether nothing waits any more before so much has passed.
    pub fn wait_until_idle(&mut self, within: Duration) -> bool {
        let begun = Instant::now();
        let waits = |machine: &PathBuf| {
            let inbox = Maildir::new(machine.join("inbox"));
            !inbox.pending_letters(1).expect("an inbox").is_empty()
        };
        while self.machines.iter().any(waits)
            || self.observer.read_with_retry(process::has_pending_letters)
            || self.observer.read_with_retry(|club| club.store.outbox_length()) > 0
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

    /// What does not hold.
    pub fn judge(&mut self) -> Judgement {
        let mut judged = Judgement::default();
        let held = self.observer.read_with_retry(|club| {
            club.store.as_shared().map_or(Ok(Vec::new()), SharedStore::held_letters)
        });
        judged.faults.extend(held.iter().map(|letter| format!("{} is held", letter.name)));
        for (number, game) in (1..).zip(&self.games) {
            let session = self.observer.read_with_retry(|club| process::open_game(club, number));
            let causes = session.table.records().iter().map(|record| &record.cause);
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
            game.judge_notifications(|seat| address(number, seat), number, &posted, &mut judged);
        }
        judged.letters = posted.letters;
        judged.twice = posted.count_duplicates();
        judged
    }

    fn game_history(&self, game: u32) -> &GameHistory {
        &self.games[game as usize - 1]
    }

    /// Notes what has become of a game's letters by now.
    fn note_progress(&mut self, game: u32) {
        let (minutes, lines) = self.observer.read_with_retry(|club| -> Result<_, StoreError> {
            Ok((club.store.activity_log(game)?, club.store.game_facts(game)?.log_length))
        });
        self.games[game as usize - 1].note_seen(&minutes, lines);
    }

    /// An order that is legal now, by whom, and upon which record; none when the game is over.
    fn random_order(&mut self, game: u32, dice: &mut Dice) -> Option<(Seat, String, u32)> {
        let session = self.observer.read_with_retry(|club| process::open_game(club, game));
        let Turn::Awaiting(seats) = session.table.turn() else { return None };
        let seat = *seats.first()?;
        let (mut ahead, mut chance) =
            (session.table.game().clone_box(), Dice::new(&Seed::from_number(0), 0));
        let (line, _) = ahead.play_random_line(seat, dice, &mut chance)?;
        Some((seat, line, session.table.head()))
    }
}

/// Looks into a club in which others are at work, and whose lines are cut now and then.
struct ClubReader(Context);

impl ClubReader {
    /// What is so now.
    fn read_with_retry<T, E: Display>(&mut self, ask: impl Fn(&Context) -> Result<T, E>) -> T {
        let begun = Instant::now();
        loop {
            // Who says that he is there forgets what he has read.
            let is_there =
                self.0.store.as_shared().is_some_and(|shared| shared.register_worker().is_ok());
            match ask(&self.0) {
                Ok(seen) if is_there => return seen,
                Err(error) if begun.elapsed() > RESTART_MAX => panic!("{error}"),
                _ => {}
            }
            if let Ok(anew) = Context::open(&self.0.folder, Utc::now()) {
                self.0 = anew;
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

/// A machine's folder, or another one with the club.
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

fn address(game: u32, seat: Seat) -> String {
    format!("p{game}.{}@example.org", seat.number())
}

/// What the letter of this number says, if it says anything to others.
pub fn word_of_letter(letter: u32) -> String {
    format!("{WORD_PREFIX}{letter}-")
}
