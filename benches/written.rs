//! Measures the bytes that a pass with one letter writes after busy passes, in clubs of several
//! sizes.
//!
//! Run it with `cargo bench --bench written`, or with `WRITTEN_GAMES=n` for one club of `n` games.
//! The bytes that the program passes to write calls are counted, as Linux reports them. All of them
//! are synced, so the disk receives the same amount in whole blocks.

mod program;

use chrono::TimeDelta;
use postrider::games::find_kind;
use postrider::mail::{Maildir, TokenPosition};
use postrider::process::{self, Context, FoundingResult, PassReport, Player};
use postrider::rules::{Dice, Seed, Turn};
use postrider::store::Batch;
use postrider::table::GameSetup;
use program::{NullTransport, bytes_written, print_line, start_time};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The highest number of letters in a busy pass.
const BUSY_LETTERS_MAX: u32 = 1_000;
/// The number of measured passes with one letter.
const QUIET_PASSES: usize = 40;
/// The number of busy passes before them.
const BUSY_PASSES: u32 = 3;

fn main() {
    let asked = std::env::var("WRITTEN_GAMES").ok().and_then(|games| games.parse().ok());
    let tried = std::env::args().any(|argument| argument == "--test");
    let sizes = asked.map_or(vec![10, if tried { 20 } else { 1_000 }], |games| vec![games]);
    sizes.into_iter().for_each(measure_club);
}

fn measure_club(games: u32) {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path();
    let mut now = start_time();
    make_club(folder, games);
    print_line(&format!(
        "{games} games: the store's files have {:.1} MB",
        to_megabytes(store_size(folder))
    ));
    let mut pass = |letters: &[(String, String)]| {
        now += TimeDelta::minutes(5);
        for (name, letter) in letters {
            std::fs::write(folder.join("inbox/new").join(name), letter).expect("delivered");
        }
        let before = bytes_written();
        let mut command = Command::new(env!("CARGO_BIN_EXE_postrider"));
        command.arg("-C").arg(folder).args(["--now", &now.to_rfc3339(), "tick", "-v"]);
        let output = command.output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stdout);
        let all = format!("{0} letters read: {0} carried out", letters.len());
        assert!(output.status.success() && said.starts_with(&all), "{output:?}");
        bytes_written() - before
    };
    for round in 0..BUSY_PASSES {
        let letters = write_order_letters(folder, games.min(BUSY_LETTERS_MAX), round);
        let bytes = pass(&letters);
        print_line(&format!("{} letters at once: {:.1} MB", letters.len(), to_megabytes(bytes)));
    }
    let mut quiet = Vec::new();
    for round in BUSY_PASSES.. {
        let letters = write_order_letters(folder, games.min(QUIET_PASSES as u32), round);
        quiet.extend(letters.iter().map(|letter| pass(std::slice::from_ref(letter))));
        if quiet.len() >= QUIET_PASSES {
            break;
        }
    }
    let each: Vec<String> =
        quiet.iter().map(|bytes| format!("{:.2}", to_megabytes(*bytes))).collect();
    let mean = quiet.iter().sum::<u64>() / quiet.len() as u64;
    print_line(&format!("one letter at once, pass by pass, in MB: {}", each.join(" ")));
    print_line(&format!(
        "{:.2} MB in the mean; the store's files have {:.1} MB",
        to_megabytes(mean),
        to_megabytes(store_size(folder))
    ));
}

/// Makes a club with games for three players, and posts their first letters.
fn make_club(folder: &Path, games: u32) {
    std::fs::write(
        folder.join("club.yaml"),
        "name: Bench\naddress: games@example.org\nmail_out: {maildir: outbox}\n\
         moderator: {name: Mod, address: mod@example.org}\nanswers_per_hour: 100000\n\
         pictures: false\n",
    )
    .expect("club.yaml");
    std::fs::write(folder.join("secret"), "07".repeat(32)).expect("a secret");
    Maildir::new(folder.join("inbox")).create_folders().expect("an inbox");
    Maildir::new(folder.join("outbox")).create_folders().expect("an outbox");
    let context =
        Context::open(postrider::games::SHIPPED, folder, start_time()).expect("the club opens");
    let kind = find_kind("paris-connection").expect("it ships");
    let options = BTreeMap::new();
    let wish =
        GameSetup { kind, definition: kind.shipped_definition(), options: &options, seats: 3 };
    for game in 1..=games {
        let player = |seat| Player {
            name: format!("Player {game}.{seat}"),
            address: format!("p{game}.{seat}@example.org"),
        };
        let players: Vec<Player> = (1..=3).map(player).collect();
        let founded =
            process::found_game(&context, wish, &players, &Seed::from_number(game.into()));
        assert!(matches!(founded, Ok(FoundingResult::Game(_))));
        if game % 100 == 0 || game == games {
            process::deliver(&context, &mut NullTransport, &mut PassReport::default())
                .expect("delivered");
        }
    }
    // Members get a letter about every turn, also about other players' turns.
    let mut members = context.store.members().expect("members");
    members.iter_mut().for_each(|member| member.letters.only_turns = false);
    let all = Batch { members, ..Batch::default() };
    context.store.write_without_conflict_check(&all).expect("they are kept");
    context.store.update_journal(&context.journal_folder()).expect("the journal is written");
}

/// Returns an order letter for each of the first games, with the name of its file.
fn write_order_letters(folder: &Path, games: u32, round: u32) -> Vec<(String, String)> {
    // The club is copied first, because opening a store writes to it.
    let copy = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(copy.path().join("store")).expect("a folder");
    let ours = ["club.yaml", "secret", "store.mark"].map(|name| folder.join(name));
    for path in ours.into_iter().chain(list_files(&folder.join("store"))) {
        let to = copy.path().join(path.strip_prefix(folder).expect("inside"));
        std::fs::copy(&path, to).expect("copied");
    }
    let context = Context::open(postrider::games::SHIPPED, copy.path(), start_time())
        .expect("the club opens");
    let letter = |game: u32| {
        let session = process::load_stored_game(&context, game).expect("it opens");
        let Turn::Awaiting(seats) = session.table.turn() else { return None };
        let seat = seats[0];
        let mut chooser = Dice::new(&Seed::from_number((round * 100_000 + game).into()), 0);
        let mut ahead = session.table.game().clone_box();
        let (line, _) = ahead
            .play_random_line(seat, &mut chooser, &mut Dice::new(&Seed::from_number(0), 0))
            .expect("something is legal");
        let position =
            TokenPosition { game, seat: seat.number(), seq: session.table.last_record_number() };
        let to = context.secret.sign_seat_token(position, 1).reply_address("games@example.org");
        let letter = format!(
            "From: Player <p{game}.{seat}@example.org>\r\nTo: {to}\r\nSubject: Re: Paris\r\n\
             Message-ID: <{round}.{game}@example.org>\r\n\r\n{line}\r\n"
        );
        Some((format!("{round}.{game:06}.bench"), letter))
    };
    (1..=games).filter_map(letter).collect()
}

fn list_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_file()).collect()
}

/// Returns the size of all files of the store, in bytes.
fn store_size(folder: &Path) -> u64 {
    let length = |path: &PathBuf| std::fs::metadata(path).expect("a file").len();
    list_files(&folder.join("store")).iter().map(length).sum()
}

fn to_megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
