//! A pass of the program over a club of 100,000 running games for which there is nothing to do,
//! beside what opening the store alone would take.
//!
//! `cargo bench --bench idle` makes the club in a temporary folder, or in the one that
//! `IDLE_CLUB=folder` names, which it keeps and takes up again. One game of three is founded and
//! played for a while; its log, seats and clock then stand under every other number. Half of the
//! games have a clock, half only wait. Nothing is due while it is measured, and no letter has come.

use chrono::{DateTime, TimeDelta, Utc};
use postrider::club::{Member, Seated};
use postrider::disk;
use postrider::games::kind;
use postrider::mail::Maildir;
use postrider::mail::transport::{OutgoingMessage, PostError, Transport};
use postrider::process::{self, Context, Founded, GameSession, PassReport, Player, Terms};
use postrider::rules::{Seat, Seed, Turn};
use postrider::store::{Batch, LogLine, Outbox, Store};
use postrider::table::GameSetup;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// How many games run.
const GAMES: u32 = 100_000;
/// How many when the bench is only tried.
const GAMES_TRIED: u32 = 2_000;
/// How many people play them.
const MEMBERS: u32 = 10_000;
/// How many turns each game has seen.
const TURNS: u32 = 10;
/// How many games are written in one commit.
const GAMES_A_COMMIT: u32 = 2_000;
/// How often each thing is measured.
const ROUNDS: usize = 9;
/// How this program is told to open a store, and to do nothing else.
const OPEN: &str = "--open-store";

/// Takes every letter.
struct Chimney;

impl Transport for Chimney {
    fn post(&mut self, _: &OutgoingMessage<'_>) -> Result<(), PostError> {
        Ok(())
    }

    fn batch_size(&self) -> usize {
        1_000
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, way, store] = arguments.as_slice()
        && way == OPEN
    {
        let store = Store::open(Path::new(store)).expect("the store opens");
        assert!(store.outbox_length().is_ok());
        return;
    }
    let temporary = tempfile::tempdir().expect("a folder");
    let kept = std::env::var_os("IDLE_CLUB").map(PathBuf::from);
    let folder = kept.as_deref().unwrap_or(temporary.path());
    if !folder.join("made").exists() {
        let began = Instant::now();
        let tried = arguments.iter().any(|argument| argument == "--test");
        let games = if tried { GAMES_TRIED } else { GAMES };
        make(folder, games);
        say(&format!("made {games} games of {TURNS} turns in {} s", began.elapsed().as_secs()));
    }
    let store = std::fs::metadata(folder.join("store/db")).expect("a store").len() >> 20;
    say(&format!("the store's file: {store} MiB"));
    measure("open the store, nothing else", |_| {
        let own = std::env::current_exe().expect("this program");
        let mut command = Command::new(own);
        command.arg(OPEN).arg(folder.join("store"));
        command
    });
    let mut ticks = 0;
    let mut tick = |minutes: i32| {
        ticks += minutes;
        let now = start() + TimeDelta::hours(1) + TimeDelta::minutes(ticks.into());
        let mut command = Command::new(env!("CARGO_BIN_EXE_postrider"));
        command.arg("-C").arg(folder).args(["--now", &now.to_rfc3339(), "tick"]);
        command
    };
    measure("postrider tick, each minute", |_| tick(1));
    measure("postrider tick, each 15 minutes", |_| tick(15));
    measure("postrider tick that opens the store, each minute", |_| {
        disk::remove(&folder.join("idle")).expect("the note goes");
        tick(1)
    });
}

/// When the games began.
fn start() -> DateTime<Utc> {
    DateTime::from_timestamp(1_767_636_000, 0).expect("a time")
}

fn make(folder: &Path, games: u32) {
    disk::create_folder(folder).expect("a folder");
    std::fs::write(
        folder.join("club.yaml"),
        "name: Idle\naddress: games@example.org\n\
         moderator: {name: Mod, address: mod@example.org}\n\
         clock: {deadline: 4 days, nmr: forfeit}\n",
    )
    .expect("club.yaml");
    std::fs::write(folder.join("secret"), "07".repeat(32)).expect("a secret");
    Maildir::new(folder.join("inbox")).create().expect("an inbox");
    let context = Context::open(folder, start()).expect("the club opens");
    let (one, waiting) = (played(&context, 1), played(&context, 2));
    let members = (7..=MEMBERS).map(|id| Member {
        id,
        name: format!("Player {id}"),
        addresses: vec![format!("player{id}@example.org")],
        language: "en".to_owned(),
        ..Member::default()
    });
    let batch = Batch { members: members.collect(), ..Batch::default() };
    context.store.write(&batch).expect("members are kept");
    for first in (3..=games).step_by(GAMES_A_COMMIT as usize) {
        let mut batch = Batch::default();
        for game in first..(first + GAMES_A_COMMIT).min(games + 1) {
            copy(&mut batch, if game % 2 == 0 { &waiting } else { &one }, game);
        }
        context.store.write(&batch).expect("games are kept");
    }
    context.store.write_journal(&context.journal()).expect("the journal is written");
    process::deliver(&context, &mut Chimney, &mut PassReport::default()).expect("delivered");
    std::fs::write(folder.join("made"), "").expect("made");
}

/// A game that was founded as it should be and went on without its players for some turns; odd
/// games have a clock.
fn played(context: &Context, game: u32) -> GameSession {
    let kind = kind("paris-connection").expect("it ships");
    let options = BTreeMap::new();
    let setup = GameSetup { kind, definition: kind.definition(), options: &options, seats: 3 };
    let players: Vec<Player> = (1..=3)
        .map(|seat| Player {
            name: format!("Player {seat}"),
            address: format!("player{}@example.org", (game - 1) * 3 + seat),
        })
        .collect();
    let usual = Terms::usual(context);
    let terms = Terms { clock: usual.clock.clone().filter(|_| game % 2 == 1), ..usual };
    let founded =
        process::found_by(context, setup, &players, &Seed::rehearsal(game.into()), &terms);
    assert!(matches!(founded, Ok(Founded::Game(number)) if number == game));
    let mut session = process::open_game(context, game).expect("it opens");
    for _ in 0..TURNS {
        let Turn::Awaiting(seats) = session.table.turn() else { break };
        session.table = session.table.forfeit(seats[0], &[], context.now).expect("it goes on");
    }
    let mut batch = Batch::default();
    batch.log_lines.extend(session.new_lines());
    context.store.write(&batch).expect("turns are kept");
    session
}

/// The same game under another number, with other people, due at another time.
fn copy(batch: &mut Batch, session: &GameSession, game: u32) {
    let line = |seq, line| LogLine { game, seq, line };
    batch.log_lines.push(line(0, session.table.founding().line()));
    let records = session.table.records().iter();
    batch.log_lines.extend(records.map(|record| line(record.seq, record.line())));
    for seat in Seat::all(3) {
        let member = (game * 3 + u32::from(seat.number())) % MEMBERS + 1;
        let seated = Seated {
            member,
            generation: 1,
            last_seen_seq: session.table.head(),
            ..Seated::default()
        };
        batch.seats.push((game, seat, seated));
    }
    batch.clocks.extend(session.clock.clone().map(|clock| (game, clock)));
    let due = start() + TimeDelta::days(2) + TimeDelta::seconds(i64::from(game) * 3);
    batch.due.push((game, Some(due)));
}

/// Runs a program again and again, each time anew; says the median of its time and memory.
fn measure(what: &str, mut command: impl FnMut(usize) -> Command) {
    let mut runs: Vec<(Duration, u64)> = (0..ROUNDS)
        .map(|round| {
            let began = Instant::now();
            let mut child = command(round).spawn().expect("it runs");
            let peak = memory(&mut child);
            let took = began.elapsed();
            assert!(child.wait().expect("it ends").success(), "{what}");
            (took, peak)
        })
        .collect();
    let first = runs.remove(0).0;
    runs.sort_unstable();
    let (middle, peak) = (runs[runs.len() / 2].0, runs.iter().map(|run| run.1).max());
    say(&format!(
        "{what}: {:.0} ms (median of {}; {:.0} to {:.0}; the first {:.0}), {} MiB at most",
        milliseconds(middle),
        runs.len(),
        milliseconds(runs[0].0),
        milliseconds(runs[runs.len() - 1].0),
        milliseconds(first),
        peak.unwrap_or(0) >> 10,
    ));
}

/// Waits for a program; the most memory that it held, in KiB, where the system tells (Linux).
fn memory(child: &mut Child) -> u64 {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().expect("it can be asked").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let now = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok());
        peak = peak.max(now.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(1));
    }
    peak
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

#[allow(clippy::print_stdout, reason = "a bench says what it measured")]
fn say(what: &str) {
    println!("{what}");
}
