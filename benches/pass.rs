//! A batch of order letters, from bytes in the inbox to a durable outbox and to letters posted,
//! beside its floors: reading the letters alone, and one write and fsync of as many bytes as were
//! posted. Both are of letters of plain text; the same with HTML and with pictures stands beside,
//! and the same in a club on a server where `POSTRIDER_TEST_POSTGRES` tells of one: there also
//! whole passes of several workers.

#[path = "../tests/parts/store/server.rs"]
mod server;

use chrono::DateTime;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use postrider::games::kind;
use postrider::mail::transport::{OutgoingMessage, PostError, Transport};
use postrider::mail::{Letter, Maildir, Position, order_lines};
use postrider::process::{self, Context, Founded, PassReport, Player};
use postrider::rules::{Dice, Seed, Turn};
use postrider::store::Batch;
use postrider::table::GameSetup;
use server::Schema;
use std::collections::BTreeMap;
use std::io::Write;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Games in the club, and letters in a batch; of a debug build it is only asked whether all runs.
const GAMES: u32 = if cfg!(debug_assertions) { 20 } else { 1_000 };
/// Games whose letters are drawn: pictures are the larger part of their time.
const DRAWN: u32 = 20;

/// Takes every letter, and counts them and their bytes.
#[derive(Default)]
struct Scales {
    letters: usize,
    bytes: usize,
}

impl Transport for Scales {
    fn post(&mut self, outgoing: &OutgoingMessage<'_>) -> Result<(), PostError> {
        self.letters += 1;
        self.bytes += outgoing.bytes.len();
        Ok(())
    }

    fn batch_size(&self) -> usize {
        1_000
    }
}

/// What letters are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Made {
    /// Plain text alone.
    Text,
    /// Plain text and HTML.
    Html,
    /// The same, and a picture of the board.
    Picture,
}

struct Club {
    context: Context,
    home: TempDir,
    /// The server that it is kept on, if any; goes after all that is connected to it.
    schema: Option<Schema>,
    games: u32,
    made: Made,
    batches: u32,
}

impl Club {
    /// A club with so many games of three, first letters posted.
    fn with_games(games: u32, made: Made, schema: Option<Schema>) -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let store = schema.as_ref().map(|schema| schema.setting(home.path()));
        std::fs::write(
            home.path().join("club.yaml"),
            format!(
                "name: Bench\naddress: games@example.org\n\
                 moderator: {{name: Mod, address: mod@example.org}}\nanswers_per_hour: 100000\n\
                 pictures: {}\n{}",
                made == Made::Picture,
                store.unwrap_or_default()
            ),
        )
        .expect("club.yaml");
        std::fs::write(home.path().join("secret"), "07".repeat(32)).expect("a secret");
        Maildir::new(home.path().join("inbox")).create().expect("an inbox");
        let now = DateTime::from_timestamp(1_767_636_000, 0).expect("a time");
        let context = Context::open(home.path(), now).expect("the club opens");
        let kind = kind("paris-connection").expect("it ships");
        let options = BTreeMap::new();
        let setup = GameSetup { kind, definition: kind.definition(), options: &options, seats: 3 };
        for game in 1..=games {
            let players: Vec<Player> = (1..=3)
                .map(|seat| Player {
                    name: format!("Player {seat}"),
                    address: format!("p{game}.{seat}@example.org"),
                })
                .collect();
            let founded = process::found(&context, setup, &players, &Seed::rehearsal(game.into()));
            assert!(matches!(founded, Ok(Founded::Game(_))));
        }
        // Everyone is told of every turn.
        let mut members = context.store.members().expect("members");
        for member in &mut members {
            member.letters.turns = false;
            member.letters.html = made != Made::Text;
        }
        let all = Batch { members, ..Batch::default() };
        context.store.write(&all).expect("they are kept");
        let club = Self { context, home, schema, games, made, batches: 0 };
        club.drain();
        club
    }

    /// Empties the outbox; what was in it.
    fn drain(&self) -> Scales {
        let mut scales = Scales::default();
        process::deliver(&self.context, &mut scales, &mut PassReport::default())
            .expect("delivered");
        scales
    }

    /// An order letter for each game, in the inbox, with the last letter quoted below.
    fn letters_arrive(&mut self) -> Vec<Vec<u8>> {
        self.batches += 1;
        let mut letters = Vec::new();
        for game in 1..=self.games {
            let session = process::open_game(&self.context, game).expect("it opens");
            let Turn::Awaiting(seats) = session.table.turn() else { continue };
            let seat = seats[0];
            let mut chooser =
                Dice::new(&Seed::rehearsal((self.batches * self.games + game).into()), 0);
            let mut ahead = session.table.game().copy();
            let (line, _) = ahead
                .play_at_random(seat, &mut chooser, &mut Dice::new(&Seed::rehearsal(0), 0))
                .expect("something is legal");
            let position = Position { game, seat: seat.number(), seq: session.table.head() };
            let token = self.context.secret.seal(position, 1);
            let board = session.table.game().board(&[], Default::default()).expect("a board");
            let quoted: Vec<String> = board.iter().map(|line| format!("> {line}\r\n")).collect();
            let letter = format!(
                "From: Player <p{game}.{seat}@example.org>\r\nTo: {}\r\nSubject: Re: Paris\r\n\
                 Message-ID: <{}.{game}@example.org>\r\nMIME-Version: 1.0\r\n\
                 Content-Type: text/plain; charset=utf-8\r\n\r\n{line}\r\n\r\n\
                 On Monday the club <games@example.org> wrote:\r\n{}",
                token.reply_address("games@example.org"),
                self.batches,
                quoted.concat(),
            );
            let name = format!("{}.{game:06}.bench", self.batches);
            let path = self.home.path().join("inbox/new").join(name);
            std::fs::write(path, &letter).expect("delivered");
            letters.push(letter.into_bytes());
        }
        letters
    }

    /// Leaves only the first letter in the inbox.
    fn keep_one(&self) {
        let mut names: Vec<_> = std::fs::read_dir(self.home.path().join("inbox/new"))
            .expect("an inbox")
            .map(|entry| entry.expect("a file").path())
            .collect();
        names.sort_unstable();
        names.iter().skip(1).for_each(|path| std::fs::remove_file(path).expect("removed"));
    }

    /// How long so many batches take from bytes in the inbox to posted letters.
    fn posted(&mut self, rounds: u64) -> Duration {
        let mut took = Duration::ZERO;
        for _ in 0..rounds {
            while self.letters_arrive().is_empty() {
                let schema = self.schema.as_ref().and_then(|_| Schema::new());
                *self = Self::with_games(self.games, self.made, schema);
            }
            took += self.take_in().0;
            let began = Instant::now();
            assert!(self.drain().letters > 0, "letters were posted");
            took += began.elapsed();
        }
        took
    }

    /// How long so many batches take so many workers, from bytes in the inbox to posted letters.
    fn worked(&mut self, rounds: u64, workers: usize) -> Duration {
        let open = || Context::open(self.home.path(), self.context.now).expect("it opens");
        let others: Vec<Context> = (1..workers).map(|_| open()).collect();
        for worker in others.iter().chain([&self.context]) {
            let shared = worker.store.shared();
            let known = shared.map_or(0, |shared| shared.enlist().expect("at work"));
            assert!(known < workers, "{known} others are at work");
        }
        let mut took = Duration::ZERO;
        for _ in 0..rounds {
            assert!(!self.letters_arrive().is_empty(), "the games go on");
            let began = Instant::now();
            std::thread::scope(|scope| {
                for worker in &others {
                    scope.spawn(|| work(worker));
                }
                work(&self.context);
            });
            took += began.elapsed();
        }
        took
    }

    /// Reads what waits, up to the durable outbox.
    fn take_in(&self) -> (Duration, usize) {
        let waiting = self.context.inbox().waiting(usize::MAX).expect("listed");
        let mut report = PassReport::default();
        let began = Instant::now();
        let desk = process::take_in(&self.context, &waiting, &mut report).expect("taken in");
        let took = began.elapsed();
        self.context.store.write_journal(&self.context.journal()).expect("written");
        let trays: Vec<_> = desk
            .fates
            .into_iter()
            .map(|(letter, disposition)| (letter, disposition.mail_folder()))
            .collect();
        self.context.inbox().put(&trays).expect("put away");
        (took, report.carried_out)
    }
}

/// Does passes until nothing is left to do.
fn work(context: &Context) {
    let is_left = || {
        let waiting = postrider::process::has_letters(context).expect("it reads");
        waiting || context.store.outbox_length().expect("an outbox") > 0
    };
    while is_left() {
        let report = process::pass(context, &mut Scales::default()).expect("a pass");
        if report.read == 0 && report.posted == 0 {
            // What is left others do.
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Where clubs are kept: in their folders, and on a server where there is one.
fn stores() -> impl Iterator<Item = (&'static str, Option<Schema>)> {
    let server = Schema::new().map(|schema| (" on a server", Some(schema)));
    std::iter::once(("", None)).chain(server)
}

fn batch(criterion: &mut Criterion) {
    stores().for_each(|(place, schema)| batch_in(criterion, place, schema));
}

fn batch_in(criterion: &mut Criterion, place: &str, schema: Option<Schema>) {
    let mut club = Club::with_games(GAMES, Made::Text, schema);
    let letters = club.letters_arrive();
    club.take_in();
    let Scales { letters: posted, bytes } = club.drain();
    let mut group = criterion.benchmark_group(format!("1,000 order letters{place}"));
    group.sample_size(10).throughput(Throughput::Elements(GAMES.into()));
    group.bench_function("bytes in to durable outbox", |bencher| {
        bencher.iter_custom(|rounds| {
            let mut took = Duration::ZERO;
            for _ in 0..rounds {
                let written = club.letters_arrive().len();
                let (time, carried_out) = club.take_in();
                assert_eq!(carried_out, written, "every letter is an order that is carried out");
                took += time;
                club.drain();
            }
            took
        });
    });
    group.bench_function("bytes in to posted", |bencher| {
        bencher.iter_custom(|rounds| club.posted(rounds));
    });
    group.bench_function("floor: reading the letters", |bencher| {
        bencher.iter(|| {
            for bytes in &letters {
                let letter = Letter::read(bytes).expect("a letter");
                assert!(order_lines(&letter.body, &["marker"]).is_ok());
            }
        });
    });
    let each = bytes / posted;
    let floor = format!("floor: one write and fsync of {posted} letters posted, {each} bytes each");
    group.bench_function(floor, |bencher| {
        let outbox = vec![b'x'; bytes];
        let path = club.home.path().join("floor");
        bencher.iter(|| {
            let mut file = std::fs::File::create(&path).expect("a file");
            file.write_all(&outbox).and_then(|()| file.sync_all()).expect("written");
        });
    });
    group.finish();
}

/// Whole passes over a batch, up to letters posted: in a club's folder, and by one worker and
/// several on a server.
fn workers(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("1,000 order letters, whole passes");
    group.sample_size(10).throughput(Throughput::Elements(GAMES.into()));
    for (place, schema) in stores() {
        let most = if schema.is_some() { 4 } else { 1 };
        let mut club = Club::with_games(GAMES, Made::Text, schema);
        for workers in [1, 2, 4].into_iter().filter(|workers| *workers <= most) {
            group.bench_function(format!("workers{place}: {workers}"), |bencher| {
                bencher.iter_custom(|rounds| club.worked(rounds, workers));
            });
        }
    }
    group.finish();
}

/// One letter in a pass of its own, which is what most passes are.
fn single(criterion: &mut Criterion) {
    stores().for_each(|(place, schema)| single_in(criterion, place, schema));
}

fn single_in(criterion: &mut Criterion, place: &str, schema: Option<Schema>) {
    let mut club = Club::with_games(GAMES, Made::Html, schema);
    let name = format!("1 order letter in a club of 1,000 games{place}");
    let mut group = criterion.benchmark_group(name);
    group.sample_size(20);
    group.bench_function("bytes in to posted", |bencher| {
        bencher.iter_custom(|rounds| {
            let mut took = Duration::ZERO;
            for _ in 0..rounds {
                club.letters_arrive();
                club.keep_one();
                let (time, carried_out) = club.take_in();
                assert_eq!(carried_out, 1, "the letter is an order that is carried out");
                let began = Instant::now();
                assert!(club.drain().letters > 0, "letters were posted");
                took += time + began.elapsed();
            }
            took
        });
    });
    group.finish();
}

/// The same to posted letters, by what these are made of.
fn drawn(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("20 order letters to posted");
    group.sample_size(10).throughput(Throughput::Elements(DRAWN.into()));
    for made in [Made::Text, Made::Html, Made::Picture] {
        let mut club = Club::with_games(DRAWN, made, None);
        group.bench_function(format!("{made:?}"), |bencher| {
            bencher.iter_custom(|rounds| club.posted(rounds));
        });
    }
    group.finish();
}

criterion_group!(benches, batch, workers, single, drawn);
criterion_main!(benches);
