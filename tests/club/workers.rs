//! Several workers on one club with a database server. Although workers are killed, stopped and
//! disconnected, each letter is processed once, and each player's letters in their order. The tests
//! need a server.

use crate::rig::postrider_program::run_postrider;
use crate::rig::{self, Club};
use crate::server::{SETTING, Schema};
use chrono::TimeDelta;
use postrider::club::ActivityEvent;
use postrider::mail::{Maildir, TokenPosition};
use postrider::process::{self, Context, PassReport};
use postrider::rules::Seat;
use postrider::store::StoreError;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Barrier;
use std::time::{Duration, Instant};

const NOW: &str = "2026-01-06T18:00:00Z";
/// The number of games, with three players each, if there are [`INTERRUPTIONS`] interruptions.
const GAME_COUNT: usize = 8;
/// The number of messages that each player writes.
const LETTERS_PER_PLAYER: usize = 5;
/// The default number of times that a worker is killed, stopped or disconnected. The variable
/// `POSTRIDER_TEST_BLOWS` sets another number; the number of games grows with it.
const INTERRUPTIONS: usize = 40;

/// Returns a club on two machines, and the letters that each player will write, in order. The first
/// letter of each game's first player is an order. All other letters are messages.
fn club_on_two_machines() -> (Club, tempfile::TempDir, Vec<Vec<String>>) {
    let mut club = Club::with_settings("letters_per_commit: 4\nletters_per_day: 0\n");
    for game in 1..=game_count() {
        let people = ["a", "b", "c"].map(|seat| format!("{seat}{game}"));
        let [a, b, c] = &people;
        club.start_game_for("paris-connection", &[(a, a), (b, b), (c, c)], 7);
    }
    club.run_pass();
    let mut written = Vec::new();
    for game in 1..=game_count() {
        for seat in ["a", "b", "c"] {
            let name = format!("{seat}{game}");
            let first = (seat == "a").then(|| "build red G23, Troyes".to_owned());
            let words = (1..=LETTERS_PER_PLAYER).map(|number| format!("say word {number}"));
            let letters = first.into_iter().chain(words).enumerate().map(|(number, line)| {
                // Each letter needs its own Message-ID.
                club.compose_reply(&name, &line)
                    .replace("-1@example.org", &format!("-{number}.n@example.org"))
            });
            written.push(letters.collect());
        }
    }
    let other = postrider::testing::create_folder();
    for file in ["club.yaml", "secret", SETTING] {
        fs::copy(club.folder().join(file), other.path().join(file)).expect("copied");
    }
    for folder in [club.folder(), other.path()] {
        Maildir::new(folder.join("inbox")).create_folders().expect("an inbox");
        Maildir::new(folder.join("outbox")).create_folders().expect("an outbox");
    }
    (club, other, written)
}

fn game_count() -> u32 {
    u32::try_from(GAME_COUNT * interruption_count().div_ceil(INTERRUPTIONS)).expect("few")
}

fn interruption_count() -> usize {
    std::env::var("POSTRIDER_TEST_BLOWS")
        .map_or(INTERRUPTIONS, |blows| blows.parse().expect("a number"))
}

/// Starts a worker for the club in this folder.
fn spawn_worker(folder: &Path) -> Child {
    let mut worker = Command::new(env!("CARGO_BIN_EXE_postrider"));
    worker.arg("-C").arg(folder).args(["--now", NOW, "work", "--every", "1"]);
    worker.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs")
}

fn send_signal(worker: &Child, which: &str) {
    let status = Command::new("kill").args([which, &worker.id().to_string()]).status();
    assert!(status.expect("it runs").success(), "{which}");
}

/// Cuts all connections to the server. If `POSTRIDER_TEST_RESTART` is set, runs this command
/// instead, which restarts the server.
fn cut_connections(club: &Club) {
    match std::env::var("POSTRIDER_TEST_RESTART") {
        Ok(restart) => {
            let done = Command::new("sh").args(["-c", &restart]).stdout(Stdio::null()).status();
            assert!(done.expect("it runs").success(), "{restart}");
        }
        Err(_) => club.schema().cut_lines(),
    }
}

/// Delivers a letter to a machine's inbox, by an atomic rename.
fn deliver_to(folder: &Path, number: usize, letter: &str) {
    let (inbox, name) = (folder.join("inbox"), format!("1767722400.{number:06}.rig"));
    fs::write(inbox.join("tmp").join(&name), letter).expect("written");
    fs::rename(inbox.join("tmp").join(&name), inbox.join("new").join(&name)).expect("delivered");
}

/// A pseudo-random number generator with a fixed seed, so each run makes the same choices.
struct PseudoRandom(u64);

impl PseudoRandom {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("small") % end
    }
}

#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn interrupted_workers_process_each_letter_once_in_order() {
    drop(Schema::needed());
    let (club, other, written) = club_on_two_machines();
    let folders = [club.folder().to_owned(), other.path().to_owned()];
    let mut workers: Vec<(PathBuf, Child)> =
        (0..4).map(|n| (folders[n % 2].clone(), spawn_worker(&folders[n % 2]))).collect();
    let (mut chance, mut left) = (PseudoRandom(7), written);
    let (mut delivered, mut interrupted, begun) = (0, 0, Instant::now());
    let total: usize = left.iter().map(Vec::len).sum();
    while interrupted < interruption_count() || delivered < total {
        for _ in 0..total.div_ceil(interruption_count()) {
            let writers: Vec<usize> = (0..left.len()).filter(|n| !left[*n].is_empty()).collect();
            if writers.is_empty() {
                break;
            }
            // All letters of one player arrive on one machine, which keeps their order.
            let writer = writers[chance.below(writers.len())];
            let letter = left[writer].remove(0);
            deliver_to(&folders[writer % 2], delivered, &letter);
            delivered += 1;
        }
        std::thread::sleep(Duration::from_millis(50 + chance.below(250) as u64));
        let (folder, child) = &mut workers[chance.below(4)];
        match chance.below(10) {
            0 => cut_connections(&club),
            1 | 2 => {
                send_signal(child, "-STOP");
                std::thread::sleep(Duration::from_millis(300));
                send_signal(child, "-CONT");
            }
            _ => {
                child.kill().expect("killed");
                child.wait().expect("it ended");
                *child = spawn_worker(folder);
            }
        }
        interrupted += 1;
        assert!(begun.elapsed() < Duration::from_secs(1_200), "{delivered} of {total}");
    }
    let context = club.open_context();
    while postrider::process::has_pending_letters(&context).expect("it reads") {
        std::thread::sleep(Duration::from_millis(200));
        assert!(begun.elapsed() < Duration::from_secs(1_200), "letters are left");
    }
    drop(context);
    for (_, mut child) in workers {
        send_signal(&child, "-TERM");
        assert_eq!(child.wait().expect("it ended").code(), Some(0), "it ends what it began");
    }
    for folder in &folders {
        assert_eq!(run_postrider(folder, NOW, &["tick"]).0, Some(0));
    }
    assert_all_processed(&club);
}

/// Clubs in one database do not affect each other, even if workers process both at the same time.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn clubs_in_one_database_work_side_by_side() {
    drop(Schema::needed());
    let (club, machine, written) = club_on_two_machines();
    let other = machine.path();
    let settings = fs::read_to_string(other.join("club.yaml")).expect("settings");
    let named = settings.replace("club: test", "club: other");
    assert_ne!(named, settings);
    fs::write(other.join("club.yaml"), named).expect("written");
    fs::write(other.join("secret"), "08".repeat(32)).expect("written");
    let players = ["a1", "b1", "c1"].map(|name| format!("{name} <{name}@example.org>"));
    let [a, b, c] = &players;
    let game = ["new", "paris-connection", "--seed", "7"];
    let found = [&game[..], &["--player", a, "--player", b, "--player", c]].concat();
    assert_eq!(run_postrider(other, NOW, &found).0, Some(0));
    let there = Context::open(postrider::games::SHIPPED, other, club.now).expect("it opens");
    let seq = process::load_stored_game(&there, 1).expect("it opens").table.last_record_number();
    let token = there.secret.sign_seat_token(TokenPosition { game: 1, seat: 1, seq }, 1);
    let to_other = written[0][0].lines().map(|line| match line.strip_prefix("To: ") {
        Some(_) => format!("To: {}\r\n", token.reply_address("games@example.org")),
        None => format!("{line}\r\n"),
    });
    let mut workers: Vec<Child> = [club.folder(), other]
        .into_iter()
        .flat_map(|folder| [spawn_worker(folder), spawn_worker(folder)])
        .collect();
    // The letter and its file name are those of a letter to the first club, except for the reply
    // token.
    deliver_to(other, 0, &to_other.collect::<String>());
    let all: Vec<&String> = written.iter().flatten().collect();
    all.iter().enumerate().for_each(|(number, letter)| deliver_to(club.folder(), number, letter));
    let contexts = [club.open_context(), there];
    let begun = Instant::now();
    let is_left = |context: &Context| {
        process::has_pending_letters(context).expect("it reads")
            || context.store.outbox_length().expect("an outbox") > 0
    };
    while contexts.iter().any(is_left) {
        std::thread::sleep(Duration::from_millis(200));
        assert!(begun.elapsed() < Duration::from_secs(300), "letters are left");
    }
    for child in &mut workers {
        send_signal(child, "-TERM");
        assert_eq!(child.wait().expect("it ended").code(), Some(0));
    }
    drop(contexts);
    // A context that is opened now shows what the workers did.
    let there = Context::open(postrider::games::SHIPPED, other, club.now).expect("it opens");
    assert_eq!(there.store.log_length(1).expect("a log"), 3, "the order is carried out there, too");
    assert_eq!(there.store.activity_log(1).expect("minutes"), [], "nobody has said anything there");
    let sent = rig::postrider_program::outbox_letters(other);
    assert!(sent.len() >= 3 && sent.values().all(|letter| letter.contains("1@example.org")));
    assert_all_processed(&club);
}

/// Asserts that each order is in its log once, and each message in the activity log once, in the
/// order of its writer's letters. No letter may wait or be held for the moderator.
fn assert_all_processed(club: &Club) {
    let context = club.open_context();
    assert_eq!(context.store.outbox_length().expect("an outbox"), 0);
    assert_eq!(
        context.store.as_shared().expect("shared").list_quarantined_letters().expect("held"),
        []
    );
    for game in 1..=game_count() {
        assert_eq!(context.store.log_length(game).expect("a log"), 3, "game {game}");
        let mut said: BTreeMap<Seat, Vec<String>> = BTreeMap::new();
        for entry in context.store.activity_log(game).expect("minutes") {
            if let ActivityEvent::Said { from, text, .. } = entry.event {
                said.entry(from).or_default().push(text);
            }
        }
        let expected: Vec<String> =
            (1..=LETTERS_PER_PLAYER).map(|number| format!("word {number}")).collect();
        for seat in Seat::all(3) {
            assert_eq!(said.get(&seat), Some(&expected), "game {game}, seat {seat:?}");
        }
    }
    assert!(rig::postrider_program::outbox_letters(club.folder()).len() > 3, "letters went out");
}

/// The first pass on a new machine registers a name for its inbox. All later passes on the machine
/// must use that name.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn concurrent_first_passes_register_one_inbox() {
    drop(Schema::needed());
    let club = Club::new();
    let workers: Vec<Context> = (0..6).map(|_| club.open_context()).collect();
    for _ in 0..20 {
        fs::remove_file(club.folder().join("way_in")).ok();
        let start = Barrier::new(workers.len());
        std::thread::scope(|scope| {
            for worker in &workers {
                scope.spawn(|| {
                    start.wait();
                    let mut report = PassReport::default();
                    process::process_all_letters(worker, &mut report).expect("letters are read");
                });
            }
        });
    }
    let transports = club
        .open_context()
        .store
        .as_shared()
        .expect("shared")
        .transport_read_times()
        .expect("it reads");
    assert_eq!(transports.len(), 1, "{transports:?}");
}

/// A letter that arrived in time may still be on another machine, so deadlines wait until that
/// machine has read its inbox.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn deadlines_wait_for_letters_on_other_machines() {
    drop(Schema::needed());
    let mut club = Club::with_paris_game("clock: {deadline: 1 day, nmr: forfeit}\n");
    let over = club.now + TimeDelta::hours(26);
    let read = club.now + TimeDelta::hours(20);
    let elsewhere = |club: &Club, at| {
        let context = club.open_context();
        context
            .store
            .as_shared()
            .expect("shared")
            .note_transport_read("elsewhere", at)
            .expect("noted");
    };
    let head = club.record_count();
    while club.now < over {
        let now = club.now.min(read);
        elsewhere(&club, now);
        club.run_pass();
    }
    assert_eq!(club.record_count(), head, "a letter from Ann may be on the other machine");
    let silent = postrider::process::silent_transports(&club.open_context()).expect("it reads");
    assert!(silent.contains(&("elsewhere".to_owned(), read)), "{silent:?}");
    elsewhere(&club, club.now);
    club.run_pass();
    assert!(club.record_count() > head, "all that was in time is here");
}

#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn store_cannot_be_rebuilt_while_in_use() {
    drop(Schema::needed());
    let club = Club::new();
    let (one, other) = (club.open_context(), club.open_context());
    assert!(matches!(one.store.begin_rebuild(), Err(StoreError::Locked)));
    drop(other);
    one.store.begin_rebuild().expect("it is alone");
    one.store.finish_rebuild().expect("it is whole");
}
