//! Prints one table that compares clubs in a folder with clubs on a database server. It measures
//! whole passes over order letters by one worker and by several. The columns are the letters per
//! second, the processor time per letter for workers and server, and the number of conflict
//! retries.
//!
//! Run it with `cargo bench --features postgres --bench workers`; `POSTRIDER_TEST_POSTGRES` must
//! name a server on this machine. Each round measures every row, so that a change of the machine's
//! speed affects all rows alike. A figure is the median of its rounds. Words behind `--` select
//! rows.

mod batch;
mod program;

use batch::{BenchClub, CountingTransport, LetterFormat, Schema};
use postrider::process::{self, Context};
use program::print_line;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The number of games in a club, and of order letters in a round. It is large, because some
/// workers are idle at the beginning and the end of a round. It is small in a debug build, which
/// only checks that the benchmark runs.
const GAMES: u32 = if cfg!(debug_assertions) { 8 } else { 4_000 };
/// The number of games in the club where all players write at the same time.
const HOT_GAMES: u32 = 8;
/// The number of games in the clubs for single letters. They have clubs of their own, because a
/// server needs a minute to clean up after thousands of sent letters.
const QUIET_GAMES: u32 = if cfg!(debug_assertions) { 8 } else { 1_000 };
const SINGLE_LETTERS: usize = if cfg!(debug_assertions) { 2 } else { 30 };
/// The pause of a worker that found no letter. The real program pauses for two seconds.
const IDLE_PAUSE: Duration = Duration::from_millis(20);
const ROUNDS: usize = if cfg!(debug_assertions) { 1 } else { 5 };

/// The figures of one round of one row.
struct Measurement {
    letters: usize,
    took: Duration,
    /// The processor time of this process.
    ours: Duration,
    /// The processor time of all database servers on this machine.
    servers: Duration,
    decided_anew: usize,
}

/// A row of the table, with the function that measures its next round.
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

    /// Returns the processor time per letter, in milliseconds.
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
            // The first round only warms up caches and is not counted.
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

/// Registers a club's worker as active, as a worker does every few seconds. A connection that is
/// open without this keeps the server from cleaning up old rows, for all clubs on it.
fn register_worker(club: &Mutex<BenchClub>) {
    let club = club.lock().expect("one thread");
    if let Some(shared) = club.context.store.as_shared() {
        shared.register_worker().expect("at work");
    }
}

/// Measures a number of workers that process the letters which `arrive` delivers.
fn measure_workers(
    club: &Mutex<BenchClub>,
    workers: usize,
    arrive: impl Fn(&mut BenchClub) -> Vec<Vec<u8>>,
) -> Measurement {
    let mut club = club.lock().expect("one thread");
    let letters = arrive(&mut club).len();
    assert!(letters > 0, "the games go on");
    let open = || {
        Context::open(postrider::games::SHIPPED, club.home.path(), club.context.now)
            .expect("it opens")
    };
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

/// Measures two clubs on one server with one worker each. The clubs share no rows, so this shows
/// the limit of the machine.
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

/// Runs passes like `postrider work`, until no letter is left that is free of another worker's
/// lease. Waits for a short time while other workers still read letters. Returns the number of
/// conflict retries.
fn run_passes_until_idle(context: &Context) -> usize {
    let mut decided_anew = 0;
    loop {
        let waits = process::has_pending_letters(context).expect("it reads");
        let report = process::run_pass(context, &mut CountingTransport::default()).expect("a pass");
        decided_anew += report.conflict_retries;
        match report.letters_read + report.posted {
            0 if waits => std::thread::sleep(IDLE_PAUSE),
            // Letters that are still to be posted are leased by another worker.
            0 => return decided_anew,
            _ => {}
        }
    }
}

/// Measures letters that each get a pass of their own.
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

/// Returns the processor time of all database servers on this machine.
fn server_processor_time() -> Duration {
    let processes = std::fs::read_dir("/proc").expect("the system tells").flatten();
    let times = processes.filter_map(|process| process_time(process.file_name().to_str()?));
    times.filter(|(name, _)| name == "postgres").map(|(_, time)| time).sum()
}

fn process_time(process: &str) -> Option<(String, Duration)> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (name, rest) = stat.split_once('(')?.1.rsplit_once(')')?;
    let fields: Vec<u64> = rest.split(' ').skip(12).take(2).flat_map(str::parse).collect();
    // Linux counts processor time in hundredths of a second.
    Some((name.to_owned(), Duration::from_millis(10 * fields.iter().sum::<u64>())))
}

fn median(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_unstable_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}
