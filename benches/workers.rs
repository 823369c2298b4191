//! One table of what clubs in a folder and on a database server do: whole passes over order
//! letters, by one worker and by several, what a letter costs workers and server, and how often
//! what was decided had to be decided anew.
//!
//! `cargo bench --features postgres --bench workers`, with `POSTRIDER_TEST_POSTGRES` naming a
//! server on this machine. Each round measures every row, so that a machine whose speed drifts
//! does so for all; a row's figure is the median of its rounds. Words behind `--` choose rows.

mod batch;
mod program;

use batch::{BenchClub, CountingTransport, LetterFormat, Schema};
use postrider::process::{self, Context};
use program::print_line;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Games of a club, and order letters of a round: so many that its beginning and its end, where
/// not every worker has something to do, are little of it. Of a debug build it is only asked
/// whether all runs.
const GAMES: u32 = if cfg!(debug_assertions) { 8 } else { 4_000 };
/// Games at which everybody writes at once.
const HOT_GAMES: u32 = 8;
/// Games of a club in which no more is done: where thousands of letters have just left, it takes
/// the server a minute to clear away what they were.
const QUIET_GAMES: u32 = if cfg!(debug_assertions) { 8 } else { 1_000 };
/// Letters that come one by one.
const SINGLE_LETTERS: usize = if cfg!(debug_assertions) { 2 } else { 30 };
/// Between two looks of a worker for whom nothing was left; two seconds in life.
const IDLE_PAUSE: Duration = Duration::from_millis(20);
const ROUNDS: usize = if cfg!(debug_assertions) { 1 } else { 5 };

/// What one round of one row has shown.
struct Measurement {
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
    measure: Box<dyn FnMut() -> Measurement + 'a>,
    measured: Vec<Measurement>,
}

impl<'a> Row<'a> {
    fn new(name: impl Into<String>, measure: impl FnMut() -> Measurement + 'a) -> Self {
        Self { name: name.into(), measure: Box::new(measure), measured: Vec::new() }
    }

    fn letters_per_second(&self) -> f64 {
        median(self.measured.iter().map(|one| one.letters as f64 / one.took.as_secs_f64()))
    }

    /// Milliseconds of a core that a letter costs.
    fn cost_per_letter(&self, of: impl Fn(&Measurement) -> Duration) -> f64 {
        median(self.measured.iter().map(|one| of(one).as_secs_f64() * 1e3 / one.letters as f64))
    }

    fn format_row(&self, beside: Option<&Self>) -> String {
        let rate = self.letters_per_second();
        let ratio = beside.map_or_else(String::new, |beside| {
            format!("{:.2} of {}", rate / beside.letters_per_second(), beside.name)
        });
        let anew: usize = self.measured.iter().map(|one| one.decided_anew).sum();
        let (ours, servers) =
            (self.cost_per_letter(|one| one.ours), self.cost_per_letter(|one| one.servers));
        format!("| {} | {rate:.0} | {ratio} | {ours:.2} | {servers:.2} | {anew} |", self.name)
    }
}

fn main() {
    let Some(schema) = Schema::new() else {
        return print_line("POSTRIDER_TEST_POSTGRES names no server");
    };
    let folder = Mutex::new(BenchClub::with_games(GAMES, LetterFormat::Text, None));
    let server = Mutex::new(BenchClub::with_games(GAMES, LetterFormat::Text, Some(schema)));
    let other = Mutex::new(BenchClub::with_games(GAMES, LetterFormat::Text, Schema::new()));
    let hot = Mutex::new(BenchClub::with_games(HOT_GAMES, LetterFormat::Text, Schema::new()));
    let quiet_folder = Mutex::new(BenchClub::with_games(QUIET_GAMES, LetterFormat::Text, None));
    let quiet = Mutex::new(BenchClub::with_games(QUIET_GAMES, LetterFormat::Text, Schema::new()));
    let on = |club: &'static str| format!("{club}, {GAMES} letters");
    let mut rows = [
        Row::new(on("folder"), || measure_workers(&folder, 1, BenchClub::deliver_orders)),
        Row::new(on("1 worker"), || measure_workers(&server, 1, BenchClub::deliver_orders)),
        Row::new(on("2 workers"), || measure_workers(&server, 2, BenchClub::deliver_orders)),
        Row::new(on("4 workers"), || measure_workers(&server, 4, BenchClub::deliver_orders)),
        Row::new("2 clubs, 1 worker each", || measure_two_clubs([&server, &other])),
        Row::new("folder, one by one", || measure_single_letters(&quiet_folder)),
        Row::new("1 worker, one by one", || measure_single_letters(&quiet)),
        Row::new("4 workers, words at 8 games", || {
            measure_workers(&hot, 4, BenchClub::deliver_press)
        }),
    ];
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let is_wanted =
        |row: &Row<'_>| wanted.is_empty() || wanted.iter().any(|part| row.name.contains(part));
    for round in 0..=ROUNDS {
        for row in rows.iter_mut().filter(|row| is_wanted(row)) {
            [&server, &other, &hot, &quiet].into_iter().for_each(register_worker);
            let measured = (row.measure)();
            // The first time everything is new.
            if round > 0 {
                row.measured.push(measured);
            }
        }
    }
    print_line("| | letters/s | ratio | core ms a letter: workers | server | decided anew |");
    print_line("|---|---|---|---|---|---|");
    let beside = [None, Some(0), Some(1), Some(1), Some(1), None, Some(5), None];
    for (row, beside) in rows.iter().zip(beside).filter(|(row, _)| is_wanted(row)) {
        print_line(&row.format_row(beside.map(|place: usize| &rows[place])));
    }
}

/// Says that a club's worker is at work, as each does every few seconds: who only stays keeps the
/// server from clearing away what has become old, for all clubs in it.
fn register_worker(club: &Mutex<BenchClub>) {
    let club = club.lock().expect("one thread");
    if let Some(shared) = club.context.store.as_shared() {
        shared.register_worker().expect("at work");
    }
}

/// What so many workers do with the letters that come.
fn measure_workers(
    club: &Mutex<BenchClub>,
    workers: usize,
    arrive: impl Fn(&mut BenchClub) -> Vec<Vec<u8>>,
) -> Measurement {
    let mut club = club.lock().expect("one thread");
    let letters = arrive(&mut club).len();
    assert!(letters > 0, "the games go on");
    let open = || Context::open(club.home.path(), club.context.now).expect("it opens");
    let others: Vec<Context> = (1..workers).map(|_| open()).collect();
    for worker in others.iter().chain([&club.context]) {
        let known =
            worker.store.as_shared().map_or(0, |shared| shared.register_worker().expect("at work"));
        assert!(known < workers, "{known} others are at work");
    }
    measure(letters, || {
        std::thread::scope(|scope| {
            let hands: Vec<_> =
                others.iter().map(|worker| scope.spawn(|| run_passes_until_idle(worker))).collect();
            let own = run_passes_until_idle(&club.context);
            hands.into_iter().map(|hand| hand.join().expect("it ended")).sum::<usize>() + own
        })
    })
}

/// What two clubs on one server do with the letters that come, by a worker each: what this machine
/// gives to two who have nothing in common.
fn measure_two_clubs(clubs: [&Mutex<BenchClub>; 2]) -> Measurement {
    let mut clubs = clubs.map(|club| club.lock().expect("one thread"));
    let letters = clubs.iter_mut().map(|club| club.deliver_orders().len()).sum();
    clubs.iter().for_each(|club| {
        let shared = club.context.store.as_shared();
        assert_eq!(shared.map(|shared| shared.register_worker().expect("at work")), Some(0));
    });
    let [one, other] = clubs.each_ref().map(|club| &club.context);
    measure(letters, || {
        std::thread::scope(|scope| {
            let hand = scope.spawn(|| run_passes_until_idle(other));
            run_passes_until_idle(one) + hand.join().expect("it ended")
        })
    })
}

/// Does passes until nothing is left that nobody else has in hand, as `postrider work` does: while
/// others read letters, who has found none looks again after a while, if after a shorter one than
/// there; how often something was decided anew.
fn run_passes_until_idle(context: &Context) -> usize {
    let mut decided_anew = 0;
    loop {
        let waits = process::has_pending_letters(context).expect("it reads");
        let report = process::run_pass(context, &mut CountingTransport::default()).expect("a pass");
        decided_anew += report.conflict_retries;
        match report.letters_read + report.posted {
            0 if waits => std::thread::sleep(IDLE_PAUSE),
            // What is still to be posted is somebody else's, who goes on until it is.
            0 => return decided_anew,
            _ => {}
        }
    }
}

/// Letters that each have a pass of their own.
fn measure_single_letters(club: &Mutex<BenchClub>) -> Measurement {
    let mut club = club.lock().expect("one thread");
    let mut letters = club.write_orders();
    letters.truncate(SINGLE_LETTERS);
    measure(letters.len(), || {
        let pass = |letter: Vec<u8>| {
            club.deliver_letter(&letter);
            process::run_pass(&club.context, &mut CountingTransport::default())
                .expect("a pass")
                .conflict_retries
        };
        letters.into_iter().map(pass).sum()
    })
}

fn measure(letters: usize, work: impl FnOnce() -> usize) -> Measurement {
    let (begun, ours, servers) = (Instant::now(), own_processor_time(), server_processor_time());
    let decided_anew = work();
    Measurement {
        letters,
        took: begun.elapsed(),
        ours: own_processor_time().saturating_sub(ours),
        servers: server_processor_time().saturating_sub(servers),
        decided_anew,
    }
}

fn own_processor_time() -> Duration {
    process_time("self").map_or(Duration::ZERO, |(_, time)| time)
}

/// The processor time of all servers on this machine.
fn server_processor_time() -> Duration {
    let processes = std::fs::read_dir("/proc").expect("the system tells").flatten();
    let times = processes.filter_map(|process| process_time(process.file_name().to_str()?));
    times.filter(|(name, _)| name == "postgres").map(|(_, time)| time).sum()
}

/// The name of a process and the time that it has used.
fn process_time(process: &str) -> Option<(String, Duration)> {
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
