//! Measures `postrider site` in clubs of 10, 100 and 1,000 games of about 100 records: the first
//! build, a build after 10 games have moved, and one after nothing has.
//!
//! `SITE_SIZES=10,1000` selects the sizes. If `POSTRIDER_TEST_POSTGRES` names a server, clubs on
//! that server are measured too. Two games of each kind are played by random players and
//! copied to every other game number. A game longer than 100 records is left in play after these.

mod program;
#[path = "../tests/parts/store/server.rs"]
mod server;

use postrider::club::{Member, SeatAssignment};
use postrider::disk;
use postrider::games::GAMES;
use postrider::process::Context;
use postrider::rules::{GameKind, Seat};
use postrider::store::{Batch, LogLine};
use postrider::table::{GameSetup, InitialGameCache, Outline, RehearsalMode, Table, rehearse};
use program::{Measurement, measure_program, print_line, print_table, start_time};
use server::Schema;
use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

const CLUB_SIZES: [u32; 3] = [10, 100, 1_000];
/// The sizes with `--test`, which only checks that the benchmark runs.
const TEST_SIZES: [u32; 1] = [10];
const RECORDS: usize = 100;
const MOVED_GAMES: u32 = 10;
const MEMBERS: u32 = 20;
const SEATS: u8 = 4;
const ROUNDS: u32 = 4;
const GAMES_PER_COMMIT: u32 = 200;

fn main() {
    let is_tried = std::env::args().any(|argument| argument == "--test");
    let asked = std::env::var("SITE_SIZES").ok();
    let asked = asked.map(|sizes| sizes.split(',').filter_map(|size| size.parse().ok()).collect());
    let sizes: Vec<u32> = match asked {
        Some(sizes) => sizes,
        None if is_tried => TEST_SIZES.to_vec(),
        None => CLUB_SIZES.to_vec(),
    };
    let measure = |schema: fn() -> Option<Schema>| {
        let of_size = |games: &u32| (*games, measure_club(*games, schema().as_ref()));
        print_table(&sizes.iter().map(of_size).collect::<Vec<_>>());
    };
    measure(|| None);
    if Schema::new().is_some() {
        print_line("on a server:");
        measure(Schema::new);
    }
}

/// A played game that is copied to many numbers.
struct PlayedGame {
    lines: Vec<String>,
    /// The state after each number of records, from [`RECORDS`] on.
    outlines: Vec<Outline>,
}

fn measure_club(games: u32, schema: Option<&Schema>) -> Vec<Measurement> {
    let home = tempfile::tempdir().expect("a folder");
    let (club, site) = (home.path().join("club"), home.path().join("site"));
    let played = make_club(&club, games, schema);
    let build = |_: u32| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_postrider"));
        command.arg("-C").arg(&club).args(["--now", &start_time().to_rfc3339()]);
        command.arg("site").arg(&site).stdout(Stdio::null());
        command
    };
    let mut all = vec![measure_program("the first build", 1, build)];
    all.push(measure_program("nothing has moved", ROUNDS, build));
    all.push(measure_program("10 games have moved", ROUNDS, |round| {
        move_games(&club, &played, games, round);
        build(round)
    }));
    let (files, bytes) = count_files(&site);
    print_line(&format!("{games} games: {files} files, {:.1} MB", bytes as f64 / 1e6));
    all
}

fn count_files(folder: &Path) -> (u64, u64) {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    entries.fold((0, 0), |(files, bytes), entry| {
        let data = entry.metadata().expect("it is there");
        let (more, size) = if data.is_dir() { count_files(&entry.path()) } else { (1, data.len()) };
        (files + more, bytes + size)
    })
}

fn make_club(folder: &Path, games: u32, schema: Option<&Schema>) -> Vec<PlayedGame> {
    disk::create_folder(folder).expect("a folder");
    let store = schema.map(|schema| schema.setting(folder)).unwrap_or_default();
    fs::write(
        folder.join("club.yaml"),
        format!(
            "name: Bench\naddress: games@example.org\nmail_out: {{maildir: outbox}}\n\
             moderator: {{name: Mod, address: mod@example.org}}\n{store}"
        ),
    )
    .expect("club.yaml");
    let path = folder.join("secret");
    fs::write(&path, "07".repeat(32)).expect("a secret");
    fs::set_permissions(path, Permissions::from_mode(0o600)).expect("nobody else reads it");
    let context =
        Context::open(postrider::games::SHIPPED, folder, start_time()).expect("the club opens");
    let member = |id: u32| {
        let name = format!("Player {id}");
        let addresses = vec![format!("player{id}@example.org")];
        let mut member = Member { id, name, addresses, ..Member::default() };
        member.language = "en".to_owned();
        member.letters.named_on_site = id.is_multiple_of(2);
        member
    };
    let members = (1..=MEMBERS).map(member).collect();
    let batch = Batch { members, ..Batch::default() };
    context.store.write_without_conflict_check(&batch).expect("members are kept");
    let played = play_games();
    for first in (1..=games).step_by(GAMES_PER_COMMIT as usize) {
        let mut batch = Batch::default();
        for game in first..(first + GAMES_PER_COMMIT).min(games + 1) {
            copy_game(&mut batch, played_as(&played, game), game);
        }
        context.store.write_without_conflict_check(&batch).expect("games are kept");
    }
    played
}

fn played_as(played: &[PlayedGame], game: u32) -> &PlayedGame {
    &played[game as usize % played.len()]
}

/// Plays two games of each kind.
fn play_games() -> Vec<PlayedGame> {
    let options = BTreeMap::new();
    let play = |(seed, kind): (u64, &&dyn GameKind)| {
        let definition = kind.shipped_definition();
        let setup = GameSetup { kind: *kind, definition, options: &options, seats: SEATS };
        let played = rehearse(setup, 1, seed, 20_000, RehearsalMode::SingleOrders);
        let table = played.expect("it ends").table;
        let records = table.records().iter().map(|record| record.to_line());
        let lines: Vec<String> =
            std::iter::once(table.founding().to_line()).chain(records).collect();
        let last = lines.len() - 1;
        let steps = RECORDS.min(last)..=(RECORDS + ROUNDS as usize).min(last);
        let outlines = steps.map(|records| outline_after(&table, records)).collect();
        print_line(&format!("{}: {last} records", kind.id()));
        PlayedGame { lines, outlines }
    };
    (0..2).flat_map(|round| GAMES.iter().map(move |kind| (round, kind))).map(play).collect()
}

fn outline_after(table: &Table, records: usize) -> Outline {
    let mut export = serde_json::to_value(table.export()).expect("JSON");
    export["records"].as_array_mut().expect("records").truncate(records);
    let openings = InitialGameCache::new(postrider::games::SHIPPED);
    Table::import(&openings, &export.to_string()).expect("it is read").outline()
}

fn add_lines(
    batch: &mut Batch,
    game: u32,
    lines: &[String],
    places: std::ops::RangeInclusive<usize>,
) {
    let founding = r#""number":1,"#;
    for seq in places {
        let Some(line) = lines.get(seq) else { continue };
        let line = match seq {
            0 => line.replacen(founding, &format!(r#""number":{game},"#), 1),
            _ => line.clone(),
        };
        batch.log_lines.push(LogLine { game, seq: seq as u32, line });
    }
}

fn copy_game(batch: &mut Batch, played: &PlayedGame, game: u32) {
    add_lines(batch, game, &played.lines, 0..=RECORDS);
    batch.outlines.push((game, played.outlines[0].clone()));
    for seat in Seat::all(SEATS) {
        let member = (game * 3 + u32::from(seat.number())) % MEMBERS + 1;
        let seated = SeatAssignment { member, token_generation: 1, ..SeatAssignment::default() };
        batch.seats.push((game, seat, seated));
    }
}

/// Adds the next record to the first games that are in play.
fn move_games(club: &Path, played: &[PlayedGame], games: u32, round: u32) {
    let context =
        Context::open(postrider::games::SHIPPED, club, start_time()).expect("the club opens");
    let mut batch = Batch::default();
    let step = 1 + round as usize;
    let in_play = (1..=games).filter(|game| played_as(played, *game).outlines.len() > step);
    for game in in_play.take(MOVED_GAMES as usize) {
        let played = played_as(played, game);
        add_lines(&mut batch, game, &played.lines, RECORDS + step..=RECORDS + step);
        batch.outlines.push((game, played.outlines[step].clone()));
    }
    context.store.write_without_conflict_check(&batch).expect("records are kept");
}
