//! One table of what clubs in a folder and on a database server do: whole passes over order
//! letters, by one worker and by several, what a letter costs workers and server, and how often
//! what was decided had to be decided anew.
//!
//! `cargo bench --features postgres --bench workers`, with `POSTRIDER_TEST_POSTGRES` naming a
//! server on this machine. Each round measures every row, so that a machine whose speed drifts
//! does so for all; a row's figure is the median of its rounds. Words behind `--` choose rows.

mod batch;
mod program;

use batch::{Club, Made, Scales, Schema};
use postrider::process::{self, Context};
use program::say;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Games of a club, and order letters of a round: so many that its beginning and its end, where
/// not every worker has something to do, are little of it. Of a debug build it is only asked
/// whether all runs.
const GAMES: u32 = if cfg!(debug_assertions) { 8 } else { 4_000 };
/// Games at which everybody writes at once.
const HOT: u32 = 8;
/// Games of a club in which no more is done: where thousands of letters have just left, it takes
/// the server a minute to clear away what they were.
const QUIET: u32 = if cfg!(debug_assertions) { 8 } else { 1_000 };
/// Letters that come one by one.
const ALONE: usize = if cfg!(debug_assertions) { 2 } else { 30 };
/// Between two looks of a worker for whom nothing was left; two seconds in life.
const PAUSE: Duration = Duration::from_millis(20);
const ROUNDS: usize = if cfg!(debug_assertions) { 1 } else { 5 };

/// What one round of one row has shown.
struct Measured {
    letters: usize,
    took: Duration,
    /// Processor time of this process and of the server.
    ours: Duration,
    servers: Duration,
    decided_anew: usize,
}

/// A row of the table: how to come by its next figures.
struct Row<'a> {
    name: String,
    measure: Box<dyn FnMut() -> Measured + 'a>,
    measured: Vec<Measured>,
}

impl<'a> Row<'a> {
    fn new(name: impl Into<String>, measure: impl FnMut() -> Measured + 'a) -> Self {
        Self { name: name.into(), measure: Box::new(measure), measured: Vec::new() }
    }

    fn letters_a_second(&self) -> f64 {
        median(self.measured.iter().map(|one| one.letters as f64 / one.took.as_secs_f64()))
    }

    /// Milliseconds of a core that a letter costs.
    fn cost(&self, of: impl Fn(&Measured) -> Duration) -> f64 {
        median(self.measured.iter().map(|one| of(one).as_secs_f64() * 1e3 / one.letters as f64))
    }

    fn told(&self, beside: Option<&Self>) -> String {
        let rate = self.letters_a_second();
        let ratio = beside.map_or_else(String::new, |beside| {
            format!("{:.2} of {}", rate / beside.letters_a_second(), beside.name)
        });
        let anew: usize = self.measured.iter().map(|one| one.decided_anew).sum();
        let (ours, servers) = (self.cost(|one| one.ours), self.cost(|one| one.servers));
        format!("| {} | {rate:.0} | {ratio} | {ours:.2} | {servers:.2} | {anew} |", self.name)
    }
}

fn main() {
    let Some(schema) = Schema::new() else {
        return say("POSTRIDER_TEST_POSTGRES names no server");
    };
    let folder = Mutex::new(Club::with_games(GAMES, Made::Text, None));
    let server = Mutex::new(Club::with_games(GAMES, Made::Text, Some(schema)));
    let other = Mutex::new(Club::with_games(GAMES, Made::Text, Schema::new()));
    let hot = Mutex::new(Club::with_games(HOT, Made::Text, Schema::new()));
    let quiet_folder = Mutex::new(Club::with_games(QUIET, Made::Text, None));
    let quiet = Mutex::new(Club::with_games(QUIET, Made::Text, Schema::new()));
    let on = |club: &'static str| format!("{club}, {GAMES} letters");
    let mut rows = [
        Row::new(on("folder"), || worked(&folder, 1, Club::letters_arrive)),
        Row::new(on("1 worker"), || worked(&server, 1, Club::letters_arrive)),
        Row::new(on("2 workers"), || worked(&server, 2, Club::letters_arrive)),
        Row::new(on("4 workers"), || worked(&server, 4, Club::letters_arrive)),
        Row::new("2 clubs, 1 worker each", || apart([&server, &other])),
        Row::new("folder, one by one", || one_by_one(&quiet_folder)),
        Row::new("1 worker, one by one", || one_by_one(&quiet)),
        Row::new("4 workers, words at 8 games", || worked(&hot, 4, Club::words_arrive)),
    ];
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let is_wanted =
        |row: &Row<'_>| wanted.is_empty() || wanted.iter().any(|part| row.name.contains(part));
    for round in 0..=ROUNDS {
        for row in rows.iter_mut().filter(|row| is_wanted(row)) {
            [&server, &other, &hot, &quiet].into_iter().for_each(enlist);
            let measured = (row.measure)();
            // The first time everything is new.
            if round > 0 {
                row.measured.push(measured);
            }
        }
    }
    say("| | letters/s | ratio | core ms a letter: workers | server | decided anew |");
    say("|---|---|---|---|---|---|");
    let beside = [None, Some(0), Some(1), Some(1), Some(1), None, Some(5), None];
    for (row, beside) in rows.iter().zip(beside).filter(|(row, _)| is_wanted(row)) {
        say(&row.told(beside.map(|place: usize| &rows[place])));
    }
}

/// Says that a club's worker is at work, as each does every few seconds: who only stays keeps the
/// server from clearing away what has become old, for all clubs in it.
fn enlist(club: &Mutex<Club>) {
    let club = club.lock().expect("one thread");
    if let Some(shared) = club.context.store.shared() {
        shared.enlist().expect("at work");
    }
}

/// What so many workers do with the letters that come.
fn worked(
    club: &Mutex<Club>,
    workers: usize,
    arrive: impl Fn(&mut Club) -> Vec<Vec<u8>>,
) -> Measured {
    let mut club = club.lock().expect("one thread");
    let letters = arrive(&mut club).len();
    assert!(letters > 0, "the games go on");
    let open = || Context::open(club.home.path(), club.context.now).expect("it opens");
    let others: Vec<Context> = (1..workers).map(|_| open()).collect();
    for worker in others.iter().chain([&club.context]) {
        let known = worker.store.shared().map_or(0, |shared| shared.enlist().expect("at work"));
        assert!(known < workers, "{known} others are at work");
    }
    measured(letters, || {
        std::thread::scope(|scope| {
            let hands: Vec<_> =
                others.iter().map(|worker| scope.spawn(|| passes_until_rest(worker))).collect();
            let own = passes_until_rest(&club.context);
            hands.into_iter().map(|hand| hand.join().expect("it ended")).sum::<usize>() + own
        })
    })
}

/// What two clubs on one server do with the letters that come, by a worker each: what this machine
/// gives to two who have nothing in common.
fn apart(clubs: [&Mutex<Club>; 2]) -> Measured {
    let mut clubs = clubs.map(|club| club.lock().expect("one thread"));
    let letters = clubs.iter_mut().map(|club| club.letters_arrive().len()).sum();
    clubs.iter().for_each(|club| {
        let shared = club.context.store.shared();
        assert_eq!(shared.map(|shared| shared.enlist().expect("at work")), Some(0));
    });
    let [one, other] = clubs.each_ref().map(|club| &club.context);
    measured(letters, || {
        std::thread::scope(|scope| {
            let hand = scope.spawn(|| passes_until_rest(other));
            passes_until_rest(one) + hand.join().expect("it ended")
        })
    })
}

/// Does passes until nothing is left that nobody else has in hand, as `postrider work` does: while
/// others read letters, who has found none looks again after a while, if after a shorter one than
/// there; how often something was decided anew.
fn passes_until_rest(context: &Context) -> usize {
    let mut decided_anew = 0;
    loop {
        let waits = process::has_letters(context).expect("it reads");
        let report = process::pass(context, &mut Scales::default()).expect("a pass");
        decided_anew += report.decided_anew;
        match report.read + report.posted {
            0 if waits => std::thread::sleep(PAUSE),
            // What is still to be posted is somebody else's, who goes on until it is.
            0 => return decided_anew,
            _ => {}
        }
    }
}

/// Letters that each have a pass of their own.
fn one_by_one(club: &Mutex<Club>) -> Measured {
    let mut club = club.lock().expect("one thread");
    let mut letters = club.orders();
    letters.truncate(ALONE);
    measured(letters.len(), || {
        let pass = |letter: Vec<u8>| {
            club.arrives(&letter);
            process::pass(&club.context, &mut Scales::default()).expect("a pass").decided_anew
        };
        letters.into_iter().map(pass).sum()
    })
}

fn measured(letters: usize, work: impl FnOnce() -> usize) -> Measured {
    let (begun, ours, servers) = (Instant::now(), own_time(), servers_time());
    let decided_anew = work();
    Measured {
        letters,
        took: begun.elapsed(),
        ours: own_time().saturating_sub(ours),
        servers: servers_time().saturating_sub(servers),
        decided_anew,
    }
}

fn own_time() -> Duration {
    time_of("self").map_or(Duration::ZERO, |(_, time)| time)
}

/// The processor time of all servers on this machine.
fn servers_time() -> Duration {
    let processes = std::fs::read_dir("/proc").expect("the system tells").flatten();
    let times = processes.filter_map(|process| time_of(process.file_name().to_str()?));
    times.filter(|(name, _)| name == "postgres").map(|(_, time)| time).sum()
}

/// The name of a process and the time that it has used.
fn time_of(process: &str) -> Option<(String, Duration)> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (name, rest) = stat.split_once('(')?.1.rsplit_once(')')?;
    let fields: Vec<u64> = rest.split(' ').skip(12).take(2).flat_map(str::parse).collect();
    // The system counts in hundredths of a second.
    Some((name.to_owned(), Duration::from_millis(10 * fields.iter().sum::<u64>())))
}

fn median(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_unstable_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}
