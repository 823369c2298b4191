//! Measures the cost of commands in clubs of 10, 1,000, 10,000 and 100,000 games. The commands are
//! a pass with nothing to do, a pass with one order letter (the most frequent kind), `list`,
//! `doctor`, and `restore` from the journal. Opening the store alone is the floor.
//!
//! `cargo bench --bench growth` makes the clubs in a temporary folder. `GROWTH_CLUBS=folder` names
//! a folder that is kept and used again. `GROWTH_SIZES=10,1000` selects the sizes.
//!
//! Two games for three players are founded and played for some turns. Their logs, seats and clocks
//! are then copied to every other game number. Half of the games have a clock, and the others have
//! no deadline. The clubs have no morning digest, because it visits all games once a day.
//!
//! Each command runs as a separate process. Processor time and written bytes come from Linux, as
//! the mean of all runs. Memory is the maximum of all runs.

mod program;

use chrono::TimeDelta;
use postrider::club::{Member, SeatAssignment};
use postrider::disk;
use postrider::games::find_kind;
use postrider::mail::{Maildir, TokenPosition};
use postrider::process::{
    self, Context, FoundingResult, GameSession, GameTerms, PassReport, Player,
};
use postrider::rules::{Dice, Seat, Seed, Turn};
use postrider::store::{Batch, LogLine, Outbox, Store};
use postrider::table::GameSetup;
use program::{Measurement, NullTransport, measure_program, print_line, print_table, start_time};
use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The numbers of games in the measured clubs.
const CLUB_SIZES: [u32; 4] = [10, 1_000, 10_000, 100_000];
/// The numbers of games with `--test`, which only checks that the benchmark runs.
const TEST_SIZES: [u32; 2] = [10, 60];
/// The highest number of members in a club.
const MEMBERS_MAX: u32 = 10_000;
const TURNS: u32 = 10;
/// The number of games written in one commit while a club is made.
const GAMES_PER_COMMIT: u32 = 2_000;
const ROUNDS: u32 = 8;
/// The last game for which order letters are written. The first is game 3.
const LAST_ORDERED_GAME: u32 = 40;
/// The argument with which this program only opens a store. The benchmark runs itself with it to
/// measure the floor.
const OPEN_STORE_FLAG: &str = "--open-store";
/// The file that records the minutes which have passed in a club since its start.
const MINUTES_FILE: &str = "minutes";
fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, way, store] = arguments.as_slice()
        && way == OPEN_STORE_FLAG
    {
        let store = Store::open(Path::new(store)).expect("the store opens");
        assert!(store.outbox_length().is_ok());
        return;
    }
    let is_tried = arguments.iter().any(|argument| argument == "--test");
    let asked = std::env::var("GROWTH_SIZES").ok();
    let asked = asked.map(|sizes| sizes.split(',').filter_map(|size| size.parse().ok()).collect());
    let sizes: Vec<u32> = match asked {
        Some(sizes) => sizes,
        None if is_tried => TEST_SIZES.to_vec(),
        None => CLUB_SIZES.to_vec(),
    };
    let temporary = tempfile::tempdir().expect("a folder");
    let kept = std::env::var_os("GROWTH_CLUBS").map(PathBuf::from);
    let home = kept.as_deref().unwrap_or(temporary.path());
    let rounds = if is_tried { 1 } else { ROUNDS };
    let of_size = |games: u32| (games, measure_club(&home.join(games.to_string()), games, rounds));
    print_table(&sizes.into_iter().map(of_size).collect::<Vec<_>>());
}

/// Measures all commands in a club with this many games. Makes the club first if it does not exist.
fn measure_club(folder: &Path, games: u32, rounds: u32) -> Vec<Measurement> {
    if !folder.join(MINUTES_FILE).exists() {
        let began = Instant::now();
        make_club(folder, games);
        print_line(&format!(
            "made {games} games of {TURNS} turns in {} s",
            began.elapsed().as_secs()
        ));
    }
    let noted = fs::read_to_string(folder.join(MINUTES_FILE)).expect("it was made");
    let mut minutes: i64 = noted.trim().parse().expect("a number");
    let mut letters = write_order_letters(folder, games, rounds).into_iter();
    let run_in = |folder: &Path, arguments: &[&str], minutes: i64| {
        let now = start_time() + TimeDelta::minutes(minutes);
        let mut command = Command::new(env!("CARGO_BIN_EXE_postrider"));
        command.arg("-C").arg(folder).args(["--now", &now.to_rfc3339()]).args(arguments);
        command.stdout(Stdio::null());
        command
    };
    let run = |arguments: &[&str], minutes: i64| run_in(folder, arguments, minutes);
    let mut tick = || {
        minutes += 15;
        run(&["tick"], minutes)
    };
    let idle = folder.join("idle");
    let open = |_: u32| {
        let own = std::env::current_exe().expect("this program");
        let mut command = Command::new(own);
        command.arg(OPEN_STORE_FLAG).arg(folder.join("store"));
        command
    };
    let mut all = vec![
        measure_program("open the store, nothing else", rounds, open),
        measure_program("a pass, nothing to do", rounds, |_| tick()),
    ];
    all.push(measure_program("a pass that looks for what is due", rounds, |_| {
        if idle.exists() {
            disk::remove_file_if_exists(&idle).expect("the note goes");
        }
        tick()
    }));
    let before = count_records(folder, games);
    all.push(measure_program("a pass with one order letter", rounds, |round| {
        let letter = letters.next().expect("one for each round");
        let path = folder.join("inbox/new").join(format!("{minutes}.{round}.bench"));
        fs::write(path, letter).expect("delivered");
        minutes += 15;
        run(&["tick"], minutes)
    }));
    assert_eq!(count_records(folder, games) - before, rounds, "every order is carried out");
    all.push(measure_program("list", rounds, |_| run(&["list"], minutes)));
    all.push(measure_program("doctor", rounds, |_| run(&["doctor"], minutes)));
    fs::write(folder.join(MINUTES_FILE), minutes.to_string()).expect("noted");
    let again = folder.join("again");
    all.push(measure_program("restore", 1, |_| {
        make_club_folder(&again);
        let mut command = run_in(&again, &["restore", "--journal"], minutes);
        command.arg(folder.join("journal"));
        command
    }));
    fs::remove_dir_all(again).expect("it goes");
    all
}

/// Returns the number of records in the games for which order letters are written.
fn count_records(folder: &Path, games: u32) -> u32 {
    let context =
        Context::open(postrider::games::SHIPPED, folder, start_time()).expect("the club opens");
    let length = |game| context.store.log_length(game).expect("it is read");
    (3..=games.min(LAST_ORDERED_GAME)).map(length).sum()
}

fn make_club_folder(folder: &Path) {
    disk::create_folder(folder).expect("a folder");
    fs::write(
        folder.join("club.yaml"),
        "name: Bench\naddress: games@example.org\nmail_out: {maildir: outbox}\n\
         moderator: {name: Mod, address: mod@example.org}\npictures: false\n\
         clock: {deadline: 4 days, nmr: forfeit}\ndigest: off\n",
    )
    .expect("club.yaml");
    let secret = "07".repeat(32);
    let path = folder.join("secret");
    fs::write(&path, secret).expect("a secret");
    fs::set_permissions(path, Permissions::from_mode(0o600)).expect("nobody else reads it");
    Maildir::new(folder.join("inbox")).create_folders().expect("an inbox");
    Maildir::new(folder.join("outbox")).create_folders().expect("an outbox");
}

fn make_club(folder: &Path, games: u32) {
    make_club_folder(folder);
    let context =
        Context::open(postrider::games::SHIPPED, folder, start_time()).expect("the club opens");
    let (timed, waiting) = (found_and_play_game(&context, 1), found_and_play_game(&context, 2));
    let members = (7..=member_count(games)).map(|id| Member {
        id,
        name: format!("Player {id}"),
        addresses: vec![member_address(id)],
        language: "en".to_owned(),
        ..Member::default()
    });
    let batch = Batch { members: members.collect(), ..Batch::default() };
    context.store.write_without_conflict_check(&batch).expect("members are kept");
    for first in (3..=games).step_by(GAMES_PER_COMMIT as usize) {
        let mut batch = Batch::default();
        for game in first..(first + GAMES_PER_COMMIT).min(games + 1) {
            let session = if game % 2 == 0 { &waiting } else { &timed };
            copy_game(&mut batch, session, game, players_of_game(games, game));
        }
        context.store.write_without_conflict_check(&batch).expect("games are kept");
        // A pass also writes the journal after each commit. Until then, the store keeps a growing
        // list of the lines that the journal lacks.
        context.store.update_journal(&context.journal_folder()).expect("the journal is written");
    }
    process::deliver(&context, &mut NullTransport, &mut PassReport::default()).expect("delivered");
    fs::write(folder.join(MINUTES_FILE), "60").expect("made");
}

fn member_count(games: u32) -> u32 {
    (games * 3).min(MEMBERS_MAX)
}

/// Returns the members in the seats of a copied game.
fn players_of_game(games: u32, game: u32) -> [u32; 3] {
    [1, 2, 3].map(|seat| (game * 3 + seat) % member_count(games) + 1)
}

fn member_address(member: u32) -> String {
    format!("player{member}@example.org")
}

/// Founds a game through the regular process and plays some turns with default orders. Odd games
/// have a clock.
fn found_and_play_game(context: &Context, game: u32) -> GameSession {
    let kind = find_kind("paris-connection").expect("it ships");
    let options = BTreeMap::new();
    let setup =
        GameSetup { kind, definition: kind.shipped_definition(), options: &options, seats: 3 };
    let players: Vec<Player> = (1..=3)
        .map(|seat| Player {
            name: format!("Player {}", (game - 1) * 3 + seat),
            address: member_address((game - 1) * 3 + seat),
        })
        .collect();
    let usual = GameTerms::default_for(context);
    let terms = GameTerms { clock: usual.clock.clone().filter(|_| game % 2 == 1), ..usual };
    let founded = process::found_with_terms(
        context,
        setup,
        &players,
        &Seed::from_number(game.into()),
        &terms,
    );
    assert!(matches!(founded, Ok(FoundingResult::Game(number)) if number == game));
    let mut session = process::load_stored_game(context, game).expect("it opens");
    let kept = session.table.last_record_number();
    for _ in 0..TURNS {
        let Turn::Awaiting(seats) = session.table.turn() else { break };
        session.table =
            session.table.play_turn_for_absent(seats[0], &[], context.now).expect("it goes on");
    }
    let mut batch = Batch::default();
    let new = session.table.records_since(kept).iter();
    batch.log_lines.extend(new.map(|record| LogLine {
        game,
        seq: record.seq,
        line: record.to_line(),
    }));
    batch.outlines.push((game, session.table.outline()));
    context.store.write_without_conflict_check(&batch).expect("turns are kept");
    session
}

/// Adds a copy of a game under another number to the batch, with other members and another
/// deadline.
fn copy_game(batch: &mut Batch, session: &GameSession, game: u32, members: [u32; 3]) {
    let line = |seq, line| LogLine { game, seq, line };
    let number = |game: u32| format!(r#""number":{game},"#);
    let founding = session.table.founding();
    let own = founding.to_line().replacen(&number(founding.number), &number(game), 1);
    batch.log_lines.push(line(0, own));
    let records = session.table.records().iter();
    batch.log_lines.extend(records.map(|record| line(record.seq, record.to_line())));
    batch.outlines.push((game, session.table.outline()));
    for (seat, member) in Seat::all(3).zip(members) {
        let last_seen_seq = session.table.last_record_number();
        let seated = SeatAssignment {
            member,
            token_generation: 1,
            last_seen_seq,
            ..SeatAssignment::default()
        };
        batch.seats.push((game, seat, seated));
    }
    batch.clocks.extend(session.clock.clone().map(|clock| (game, clock)));
    let due = start_time() + TimeDelta::days(2) + TimeDelta::seconds(i64::from(game) * 3);
    batch.due.push((game, Some(due)));
}

/// Returns order letters for `count` different games.
fn write_order_letters(folder: &Path, games: u32, count: u32) -> Vec<String> {
    let context =
        Context::open(postrider::games::SHIPPED, folder, start_time()).expect("the club opens");
    let letter = |game: u32| {
        let session = process::load_stored_game(&context, game).ok()?;
        let Turn::Awaiting(seats) = session.table.turn() else { return None };
        let mut chooser = Dice::new(&Seed::from_number(game.into()), 0);
        let mut ahead = session.table.game().clone_box();
        let dice = &mut Dice::new(&Seed::from_number(0), 0);
        let (line, _) = ahead.play_random_line(seats[0], &mut chooser, dice)?;
        let seq = session.table.last_record_number();
        let position = TokenPosition { game, seat: seats[0].number(), seq };
        let to = context.secret.sign_seat_token(position, 1).reply_address("games@example.org");
        let from = session.seat(seats[0])?.1.addresses.first()?;
        Some(format!(
            "From: {from}\r\nTo: {to}\r\nSubject: Re: Paris\r\n\
             Message-ID: <{game}.{seq}@example.org>\r\n\r\n{line}\r\n"
        ))
    };
    (3..=games.min(LAST_ORDERED_GAME)).filter_map(letter).take(count as usize).collect()
}
