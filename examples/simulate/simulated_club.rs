//! A simulated club, turn by turn: its disk and its mail transport fail.

use crate::failing_disk::{self, DiskFailure, PassResult};
use crate::posted_letters::{SentLetter, SentLetters};
use chrono::{DateTime, TimeDelta, Utc};
use postrider::games::SHIPPED;
use postrider::mail::transport::{OutgoingMessage, PostError, Transport};
use postrider::mail::{Letter, Maildir};
use postrider::process::{self, ClubError, Context, FoundingResult, Player};
use postrider::rules::{Dice, Seat, Seed};
use postrider::store::StoreError;
use postrider::table::GameSetup;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The club's address.
pub const CLUB: &str = "games@club.example";
/// The moderator's address.
pub const MODERATOR: &str = "mod@club.example";

const SETTINGS: &str = "name: The Simulated Club\naddress: games@club.example\n\
    moderator: {name: Mod, address: mod@club.example}\ndigest: 06:00\npictures: false\n\
    strangers: join\nclock: {deadline: 3 days, reminders: [12 hours], nmr: forfeit}\n\
    answers_per_hour: 200\nbots: {seconds_per_pass: 1000000}\n";

/// In one of this number of clubs, a second pass starts while another is running.
const SECOND_PASS_ONE_IN: u64 = 8;
/// The pass of the club during which the second pass starts. Starting it takes long, because it
/// waits for the lock.
const SECOND_PASS_AT: u32 = 6;

/// A letter on its way to the club.
#[derive(Clone, Debug)]
pub struct InboundLetter {
    /// The kind of letter, as it is counted.
    pub case: &'static str,
    /// The sender's address.
    pub from: String,
    /// The orders in the letter, if it contains nothing else.
    pub orders: Option<OrderedLines>,
    /// The name of its file.
    pub name: String,
    /// The complete letter.
    pub bytes: Vec<u8>,
}

/// Orders for one game.
#[derive(Clone, Debug)]
pub struct OrderedLines {
    pub game: u32,
    pub seat: Seat,
    /// The last record shown by the letter that this one answers.
    pub seen: u32,
    pub lines: Vec<String>,
}

/// The events between the end of one pass and the end of the next.
#[derive(Clone, Debug, Default)]
pub struct SimulatedTurn {
    /// The minutes that pass first. Negative if the machine's clock is set back.
    pub minutes: i64,
    /// The letters that arrive.
    pub letters: Vec<InboundLetter>,
    /// The seed of the transport's failures. 0 for none.
    pub post_failure_seed: u64,
    /// Whether the store is lost and restored from the journal before the pass.
    pub loses_store: bool,
    /// The disk failures of the first attempts at the pass, or at the restore if the store is lost:
    /// one per attempt.
    pub failures: Vec<DiskFailure>,
}

/// A letter that the club has sent.
#[derive(Clone, Debug)]
pub struct PostedLetter {
    /// The recipient's address.
    pub to: String,
    /// The complete letter.
    pub bytes: Vec<u8>,
    /// The text part.
    pub text: String,
    /// The positions of games that the letter shows.
    pub places: Vec<GamePosition>,
}

/// A position of a game, as a letter shows it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GamePosition {
    pub game: u32,
    /// The number of the last record.
    pub record: u32,
    /// The first twelve hex digits of the hash of the log up to this record.
    pub chain: String,
}

/// The club with its simulated time and its sent letters.
pub struct SimulatedClub {
    seed: u64,
    home: TempDir,
    folder: PathBuf,
    images: u32,
    /// The simulated time.
    pub now: DateTime<Utc>,
    /// All sent letters in order. A letter that was sent twice is listed once.
    pub posted: Vec<PostedLetter>,
    /// All sent letters by Message-ID.
    pub letters: SentLetters,
    /// The file names of all letters that have arrived.
    pub arrived: BTreeSet<String>,
    /// The number of failures of the transport, by kind, and of other failures outside the club.
    pub event_counts: BTreeMap<String, u64>,
    /// The times of passes that ended with an outage of outbound mail, so clocks are stopped in the
    /// next pass. Also the times of repeated passes whose first attempt had noted the end of an
    /// outage, so clocks run one pass earlier.
    pub outages: BTreeSet<DateTime<Utc>>,
    /// Whether outbound mail was out after the last completed pass.
    was_out: bool,
    /// The time of the last pass that a disk failure interrupted.
    last_failed_pass: Option<DateTime<Utc>>,
    ignores_sync: bool,
}

impl SimulatedClub {
    /// Founds a club with games of all kinds among this number of members. It is equal for equal
    /// seeds.
    pub fn found(seed: u64, members: usize, lies: bool) -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().join("club");
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("club.yaml"), SETTINGS).expect("settings");
        fs::write(folder.join("secret"), "5a".repeat(32)).expect("a secret");
        Maildir::new(folder.join("inbox")).create_folders().expect("an inbox");
        let now = DateTime::from_timestamp(1_767_600_000, 0).expect("a time");
        let mut world = Self {
            seed,
            home,
            folder,
            images: 0,
            now,
            posted: Vec::new(),
            letters: SentLetters::new(),
            arrived: BTreeSet::new(),
            event_counts: BTreeMap::new(),
            outages: BTreeSet::new(),
            was_out: false,
            last_failed_pass: None,
            ignores_sync: lies,
        };
        world.found_games(members);
        failing_disk::start_watching(&world.folder, lies);
        world
    }

    fn found_games(&mut self, members: usize) {
        let games = [("paris-connection", 3), ("trick-of-the-rails", 3), ("off-the-rails", 2)];
        let mut names = (0..members).cycle();
        for (number, (id, seats)) in
            (0..).zip(games.iter().cycle().take(members.div_ceil(2).max(3)))
        {
            let players: Vec<Player> =
                names.by_ref().take(usize::from(*seats)).map(player_named).collect();
            let kind = SHIPPED.find_kind(id).expect("it ships");
            let options = BTreeMap::new();
            let setup = GameSetup {
                kind,
                definition: kind.shipped_definition(),
                options: &options,
                seats: *seats,
            };
            let context = Context::open(SHIPPED, &self.folder, self.now).expect("it opens");
            let seed = Seed::from_number(self.seed * 1_000 + number);
            match process::found_game(&context, setup, &players, &seed).expect("it is founded") {
                FoundingResult::Game(_) => {}
                _ => panic!("the game is not founded"),
            }
        }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Restores a copy of the club, without its store, from the journal.
    pub fn restored_from_journal(&self) -> Result<Context, String> {
        let folder = self.copy_club("rebuilt");
        fs::remove_dir_all(folder.join("store")).map_err(|error| error.to_string())?;
        let context = Context::open(SHIPPED, &folder, self.now).map_err(|why| why.to_string())?;
        process::restore(&context, &context.journal_folder()).map_err(|error| error.to_string())?;
        Ok(context)
    }

    /// Copies the club to a new folder and flips one random bit of the store there. Returns the
    /// folder.
    pub fn copy_with_flipped_bit(&self, dice: &mut Dice) -> PathBuf {
        let folder = self.copy_club(&format!("flipped-{}-{}", self.images, dice.used_word_count()));
        let path = folder.join("store/db");
        let mut bytes = fs::read(&path).expect("a store");
        let place = dice.roll_below(u32::try_from(bytes.len()).unwrap_or(u32::MAX)) as usize;
        bytes[place] ^= 1 << dice.roll_below(8);
        fs::write(path, bytes).expect("written");
        folder
    }

    /// Runs a pass of the club in `folder`, a copy of this club. Returns whether it succeeded, and
    /// the letters that it sent with their Message-IDs.
    pub fn run_pass_in(&self, folder: &Path, seed: u64) -> (bool, Vec<(String, PostedLetter)>) {
        let mut post = FailingPost::new(seed, self.now, BTreeMap::new());
        let done = Context::open(SHIPPED, folder, self.now)
            .and_then(|context| process::run_pass(&context, &mut post))
            .is_ok_and(|report| seed > 0 || report.troubles.is_empty());
        (done, post.posted)
    }

    fn copy_club(&self, name: &str) -> PathBuf {
        let folder = self.home.path().join(name);
        failing_disk::copy_folder(&self.folder, &folder);
        folder
    }

    pub fn open_context(&self) -> Result<Context, ClubError> {
        Context::open(SHIPPED, &self.folder, self.now)
    }

    /// Advances the time and delivers the letters of a turn.
    pub fn advance(&mut self, turn: &SimulatedTurn) {
        self.now += TimeDelta::minutes(turn.minutes);
        for letter in &turn.letters {
            self.deliver(letter);
        }
        for (what, has_happened) in [
            ("clock: set back", turn.minutes < 0),
            ("clock: no pass for weeks", turn.minutes > 7 * 24 * 60),
            ("store: lost", turn.loses_store),
        ] {
            *self.event_counts.entry(what.to_owned()).or_default() += u64::from(has_happened);
        }
    }

    /// Runs the pass of a turn, after a restore if the store is lost. Repeats each of them until it
    /// succeeds. Returns the results of all attempts.
    pub fn run_turn(&mut self, turn: &SimulatedTurn) -> Result<Vec<PassResult>, String> {
        let pass = |world: &mut Self, failure| world.run_pass(turn.post_failure_seed, failure);
        if !turn.loses_store {
            return self.retry_until_done(&turn.failures, pass);
        }
        let mut seen = self.retry_until_done(&turn.failures, Self::restore_store)?;
        seen.extend(self.retry_until_done(&[], pass)?);
        Ok(seen)
    }

    fn retry_until_done(
        &mut self,
        failures: &[DiskFailure],
        mut work: impl FnMut(&mut Self, Option<DiskFailure>) -> (Result<(), String>, PassResult),
    ) -> Result<Vec<PassResult>, String> {
        let mut seen = Vec::new();
        for attempt in 0..failures.len() + 3 {
            let (outcome, of_disk) = work(self, failures.get(attempt).cloned());
            let disturbed = of_disk.power_is_cut || of_disk.step_failed;
            seen.push(of_disk);
            match outcome {
                Err(why) if !disturbed => return Err(why),
                Ok(()) if !disturbed => return Ok(seen),
                _ => {}
            }
        }
        Err("the pass does not succeed, however often it runs".to_owned())
    }

    fn deliver(&mut self, letter: &InboundLetter) {
        let path = self.folder.join("inbox/new").join(&letter.name);
        fs::write(&path, &letter.bytes).expect("delivered");
        let file = fs::File::options().append(true).open(path).expect("it is there");
        file.set_modified(self.now.into()).expect("it has a time");
        self.arrived.insert(letter.name.clone());
    }

    /// Removes the store, and restores it from the journal.
    fn restore_store(&mut self, failure: Option<DiskFailure>) -> (Result<(), String>, PassResult) {
        let store = self.folder.join("store");
        if store.exists() {
            fs::remove_dir_all(store).expect("it goes");
        }
        failing_disk::start_watching(&self.folder, self.ignores_sync);
        let (outcome, seen) = self.run_watched(failure, |world| {
            let context = world.open_context()?;
            process::restore(&context, &context.journal_folder())
        });
        let failed = |error| format!("the store is not restored: {error}");
        (outcome.map(|_| ()).map_err(failed), seen)
    }

    fn run_pass(
        &mut self,
        failure_seed: u64,
        failure: Option<DiskFailure>,
    ) -> (Result<(), String>, PassResult) {
        let met = std::mem::take(&mut self.event_counts);
        let mut post = FailingPost::new(failure_seed, self.now, met);
        let second = self.images == SECOND_PASS_AT && self.seed.is_multiple_of(SECOND_PASS_ONE_IN);
        let (outcome, seen) = self.run_watched(failure, |world| {
            let context = world.open_context()?;
            if second && !failing_disk::is_power_cut() {
                let second = world.open_context();
                let is_locked = matches!(second, Err(ClubError::Store(StoreError::Locked)));
                assert!(is_locked, "two passes run at once");
            }
            let before = is_outbound_down(&context)?;
            let report = process::run_pass(&context, &mut post)?;
            Ok((report, before, is_outbound_down(&context)?))
        });
        self.event_counts = post.met;
        *self.event_counts.entry("two passes at once".to_owned()).or_default() += u64::from(second);
        for (id, letter) in post.posted {
            let sent = SentLetter { to: letter.to.clone(), text: letter.text.clone() };
            if self.letters.insert(id, sent).is_none() {
                self.posted.push(letter);
            }
        }
        let outcome = match outcome {
            Err(error) => Err(format!("the pass fails: {error}")),
            Ok((report, ..)) if failure_seed == 0 && !report.troubles.is_empty() => {
                Err(format!("the pass reports troubles: {:?}", report.troubles))
            }
            Ok((_, before, is_shut)) => {
                if !seen.power_is_cut && !seen.step_failed {
                    let is_repeated = self.last_failed_pass == Some(self.now);
                    if is_shut || is_repeated && self.was_out && !before {
                        self.outages.insert(self.now);
                    }
                    self.was_out = is_shut;
                }
                Ok(())
            }
        };
        if seen.power_is_cut || seen.step_failed {
            self.last_failed_pass = Some(self.now);
        }
        (outcome, seen)
    }

    /// Runs `work` with a disk failure. After a power cut, continues with the image of the folder
    /// that the disk would hold.
    fn run_watched<T>(
        &mut self,
        failure: Option<DiskFailure>,
        work: impl FnOnce(&Self) -> Result<T, ClubError>,
    ) -> (Result<T, ClubError>, PassResult) {
        self.images += 1;
        let image = self.home.path().join(format!("club-{}", self.images));
        failing_disk::arm_failure(&image, failure, self.images.into());
        let outcome = work(self);
        let seen = failing_disk::take_result();
        if seen.power_is_cut {
            fs::remove_dir_all(&self.folder).expect("it goes");
            self.folder = image;
            failing_disk::start_watching(&self.folder, self.ignores_sync);
        }
        (outcome, seen)
    }
}

/// Whether the club has noted an outage of outbound mail.
fn is_outbound_down(context: &Context) -> Result<bool, ClubError> {
    let heartbeat = serde_json::to_value(context.store.heartbeat()?).unwrap_or_default();
    Ok(heartbeat["closed"].is_string())
}

/// Returns the founding member with this number.
pub fn player_named(number: usize) -> Player {
    const FIRST: [&str; 12] =
        ["Ann", "Bob", "Cid", "Dot", "Eve", "Fay", "Gus", "Hal", "Ida", "Jim", "Kit", "Lou"];
    const LAST: [&str; 8] = ["Abbey", "Brook", "Cliff", "Dale", "Field", "Grove", "Hill", "Lake"];
    let (first, last) = (FIRST[number % 12], LAST[number / 12 % 8]);
    let name = format!("{first} {last}");
    let address = format!("{}.{}{number}@mail.example", first.to_lowercase(), last.to_lowercase());
    Player { name, address }
}

/// A mail transport that fails depending on its seed, the time and the letter, so a repeated pass
/// meets the same failures.
struct FailingPost {
    failure: PostFailure,
    /// The seed that chooses the letters that fail.
    failure_seed: u64,
    now: DateTime<Utc>,
    posted: Vec<(String, PostedLetter)>,
    met: BTreeMap<String, u64>,
}

/// The kind of failures in one pass.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PostFailure {
    Nothing,
    /// Some letters are refused, temporarily or permanently.
    RefusesSome,
    /// Some letters are refused temporarily, and the connection breaks at others. No letter is
    /// refused permanently: which members become undeliverable must not depend on the letters
    /// queued behind a broken connection.
    BreaksConnections,
    /// The mail server does not answer.
    NoAnswer,
}

impl PostFailure {
    /// Returns the kind of failures for a seed. 0 is a pass without failures.
    const fn from_number(number: u64) -> Self {
        match number {
            0 => Self::Nothing,
            _ if number.is_multiple_of(9) => Self::NoAnswer,
            _ if number.is_multiple_of(2) => Self::RefusesSome,
            _ => Self::BreaksConnections,
        }
    }
}

impl FailingPost {
    fn new(failure_seed: u64, now: DateTime<Utc>, met: BTreeMap<String, u64>) -> Self {
        Self {
            failure: PostFailure::from_number(failure_seed),
            failure_seed,
            now,
            posted: Vec::new(),
            met,
        }
    }

    fn count_event(&mut self, what: &str) {
        *self.met.entry(format!("mail: {what}")).or_default() += 1;
    }
}

impl Transport for FailingPost {
    fn post(&mut self, letter: &OutgoingMessage<'_>) -> Result<(), PostError> {
        if failing_disk::is_power_cut() {
            return Err(PostError::Unavailable("the power is cut".to_owned()));
        }
        let by_chance = letter
            .message_id
            .bytes()
            .fold(self.failure_seed, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
        let by_chance = by_chance.wrapping_add(self.now.timestamp().unsigned_abs()) % 40;
        let down = || PostError::Unavailable("the connection broke".to_owned());
        let for_good = letter.message_id.bytes().map(u64::from).sum::<u64>() % 97 == 0;
        let breaks = self.failure == PostFailure::BreaksConnections;
        match (self.failure, by_chance) {
            (PostFailure::NoAnswer, _) => {
                self.count_event("no answer");
                return Err(PostError::Unavailable("no answer".to_owned()));
            }
            (PostFailure::RefusesSome, _) if for_good => {
                self.count_event("refused permanently");
                return Err(PostError::Refused("554 not like this".to_owned()));
            }
            (PostFailure::RefusesSome | PostFailure::BreaksConnections, 0..3) => {
                self.count_event("refused temporarily");
                return Err(PostError::Temporary("451 try again".to_owned()));
            }
            (_, 3) if breaks => {
                self.count_event("connection broke before the letter was accepted");
                return Err(PostError::PossiblySent(Box::new(down())));
            }
            _ => {}
        }
        let text = Letter::parse(letter.bytes).map(|letter| letter.body).unwrap_or_default();
        let posted = PostedLetter {
            to: letter.recipient.to_owned(),
            bytes: letter.bytes.to_vec(),
            places: positions_in(&text),
            text,
        };
        self.posted.push((letter.message_id.to_owned(), posted));
        // The server accepted the letter, but the club does not learn it.
        if by_chance == 4 && breaks {
            self.count_event("connection broke after the letter was accepted");
            return Err(PostError::PossiblySent(Box::new(down())));
        }
        Ok(())
    }

    fn letters_per_save(&self) -> usize {
        4
    }
}

/// Finds the positions that a letter shows, in any language and line width. A position is three
/// words, each followed by a number or the hash.
fn positions_in(text: &str) -> Vec<GamePosition> {
    let words: Vec<&str> =
        text.split([' ', ',', '.', '\n', '\r']).filter(|w| !w.is_empty()).collect();
    let place = |words: &[&str]| {
        let [_, game, _, record, _, chain] = *words else { return None };
        let is_chain = chain.len() == 12 && chain.bytes().all(|b| b.is_ascii_hexdigit());
        let (game, record) = (game.parse().ok()?, record.parse().ok()?);
        is_chain.then(|| GamePosition { game, record, chain: chain.to_owned() })
    };
    words.windows(6).filter_map(place).collect()
}
