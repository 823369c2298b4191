//! What must hold of a club, whatever has happened to it.

use crate::simulated_club::{GamePosition, SimulatedClub};
use postrider::club::Member;
use postrider::process::{self, Context};
use postrider::rules::{Dice, Seat, Turn};
use postrider::table::Table;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// What a club keeps, by what it is: two clubs to which the same has happened keep the same.
pub type ClubData = BTreeMap<String, String>;

/// What a club keeps.
pub fn read_club_data(context: &Context) -> Result<ClubData, String> {
    let store = &context.store;
    let failed = |error: postrider::store::StoreError| error.to_string();
    let mut kept = ClubData::new();
    for (game, log) in read_game_logs(context)? {
        kept.insert(format!("log of {game}"), log.join("\n"));
        let (seats, room) = (store.seats(game), store.game_info(game));
        kept.insert(format!("seats of {game}"), format!("{:?}", seats.map_err(failed)?));
        kept.insert(format!("room of {game}"), format!("{:?}", room.map_err(failed)?));
        kept.insert(
            format!("clock of {game}"),
            format!("{:?}", store.clock(game).map_err(failed)?),
        );
        kept.insert(
            format!("minutes of {game}"),
            format!("{:?}", store.activity_log(game).map_err(failed)?),
        );
    }
    for member in store.members().map_err(failed)? {
        kept.insert(format!("member {}", member.id), format!("{member:?}"));
    }
    Ok(kept)
}

/// What differs between two clubs.
pub fn first_difference(one: &ClubData, other: &ClubData) -> Option<String> {
    let keys = one.keys().chain(other.keys());
    let different = |key: &&String| one.get(*key) != other.get(*key);
    let key = keys.into_iter().find(different)?;
    Some(format!("{key}:\n{:?}\nbut should be\n{:?}", one.get(key), other.get(key)))
}

/// Everything that must hold once all has come to rest.
pub fn check_invariants(world: &SimulatedClub) -> Result<(), String> {
    let context =
        world.open_context().map_err(|error| format!("the club does not open: {error}"))?;
    check_letters_are_archived(world)?;
    let mut told: BTreeMap<u32, BTreeSet<&GamePosition>> = BTreeMap::new();
    for place in world.posted.iter().flat_map(|letter| &letter.places) {
        told.entry(place.game).or_default().insert(place);
    }
    for game in context.store.games().map_err(|error| error.to_string())? {
        if context.store.log_length(game).map_err(|error| error.to_string())? == 0 {
            continue;
        }
        let session = process::open_game(&context, game).map_err(|error| error.to_string())?;
        let findings = session.table.verify().findings;
        if !findings.is_empty() {
            return Err(format!("game {game} does not verify: {findings:?}"));
        }
        for place in told.remove(&game).unwrap_or_default() {
            check_place_in_log(&session.table, place)?;
        }
        check_awaited_seats_were_notified(world, game, &session)?;
    }
    if let Some(place) = told.into_values().flatten().next() {
        return Err(lost_place_error(place));
    }
    let waiting = pending_letters(&context)?;
    if waiting > 0 {
        return Err(format!("{waiting} letters wait though all can be posted"));
    }
    Ok(())
}

/// Whether letters wait, as those do that somebody wants in the evening.
pub fn has_pending_letters(world: &SimulatedClub) -> Result<bool, String> {
    Ok(pending_letters(&world.open_context().map_err(|error| error.to_string())?)? > 0)
}

fn pending_letters(context: &Context) -> Result<usize, String> {
    context.store.outbox_length().map_err(|error| error.to_string())
}

/// What a letter has told of a game stands in its log.
fn check_place_in_log(table: &Table, place: &GamePosition) -> Result<(), String> {
    let at = table.at_record(place.record).map_err(|error| error.to_string())?;
    let is_there =
        at.head() == place.record && at.head_hash().to_string().starts_with(&place.chain);
    if is_there { Ok(()) } else { Err(lost_place_error(place)) }
}

fn lost_place_error(GamePosition { game, record, chain }: &GamePosition) -> String {
    format!("a letter told of game {game}, record {record}, chain {chain}: lost")
}

/// A club that is made anew from its journal keeps what this one does, but for its clocks, which
/// give everybody time to come back.
pub fn check_journal_restores(world: &SimulatedClub) -> Result<(), String> {
    let context = world.open_context().map_err(|error| error.to_string())?;
    let is_kept = |(what, _): &(&String, &String)| !what.starts_with("clock");
    let of = |context: &Context| -> Result<ClubData, String> {
        let kept = read_club_data(context)?;
        Ok(kept.iter().filter(is_kept).map(|(what, text)| (what.clone(), text.clone())).collect())
    };
    let (before, after) = (of(&context)?, of(&world.restored_from_journal()?)?);
    match first_difference(&after, &before) {
        Some(what) => Err(format!("what the journal rebuilds differs: {what}")),
        None => Ok(()),
    }
}

/// A bit that is turned over in the store is told of, or changes nothing that is read. Whether it
/// was told.
pub fn check_flipped_bit_is_reported(
    world: &SimulatedClub,
    dice: &mut Dice,
) -> Result<bool, String> {
    let whole = read_club_data(&world.open_context().map_err(|error| error.to_string())?)?;
    let Ok(context) = Context::open(&world.copy_with_flipped_bit(dice), world.now) else {
        return Ok(true);
    };
    if context.store.read_only_reason().is_some() {
        return Ok(true);
    }
    let Ok(found) = read_club_data(&context) else { return Ok(true) };
    match first_difference(&found, &whole) {
        Some(what) => Err(format!("a flipped bit changes what is read: {what}")),
        None => Ok(false),
    }
}

/// The logs of games.
pub type GameLogs = BTreeMap<u32, Vec<String>>;

/// The logs of a club's games.
pub fn read_game_logs(context: &Context) -> Result<GameLogs, String> {
    let failed = |error: postrider::store::StoreError| error.to_string();
    let games = context.store.games().map_err(failed)?;
    let log = |game| Ok((game, context.store.log(game).map_err(failed)?));
    games.into_iter().map(log).collect()
}

/// What a pass has made of a club in whose store a bit was turned over: each game got no further
/// than where nothing had happened to it, and lost nothing.
pub fn check_logs_after_flipped_bit(
    before: &GameLogs,
    after: &GameLogs,
    found: &GameLogs,
) -> Result<(), String> {
    for (game, log) in before {
        let (found, whole) = (found.get(game), after.get(game));
        let is_between = found
            .zip(whole)
            .is_some_and(|(found, whole)| found.starts_with(log) && whole.starts_with(found));
        if !is_between {
            return Err(format!("game {game} after a flipped bit: {found:?}, whole: {whole:?}"));
        }
    }
    Ok(())
}

/// What of a club no idle letter changes: where its games stand and until when they wait for whom.
/// Whoever asks is told his deadline by the answer, and is reminded of it the later.
pub fn game_entries(kept: &ClubData) -> ClubData {
    let is_game = |what: &str| ["log", "clock", "room"].iter().any(|kind| what.starts_with(kind));
    let mut games = without_clock_notices(kept);
    games.retain(|what, _| is_game(what));
    games
}

/// What a club keeps, but for what its clocks know of who was told what: a pass that is begun again
/// tells what else the next would have told.
pub fn without_clock_notices(kept: &ClubData) -> ClubData {
    let is_kept = |field: &&str| !["reminded: ", "untold: "].iter().any(|f| field.starts_with(f));
    let rest = |text: &str| text.split(", ").filter(is_kept).collect::<Vec<_>>().join(", ");
    let of = |what: &str, text: &str| match what.starts_with("clock") {
        true => rest(text),
        false => text.to_owned(),
    };
    kept.iter().map(|(what, text)| (what.clone(), of(what, text))).collect()
}

/// Each letter that came lies where what is dealt with lies, or in quarantine.
fn check_letters_are_archived(world: &SimulatedClub) -> Result<(), String> {
    let names = |folder: &str| -> Vec<String> {
        let files = fs::read_dir(world.folder().join("inbox").join(folder)).into_iter().flatten();
        files.flatten().map(|file| file.file_name().to_string_lossy().into_owned()).collect()
    };
    let waiting = names("new");
    if !waiting.is_empty() {
        return Err(format!("letters wait: {waiting:?}"));
    }
    let put: Vec<String> = [names("cur"), names(".done/cur"), names(".quarantine/cur")].concat();
    for name in &world.arrived {
        let found = put.iter().filter(|file| file.split(':').next() == Some(name)).count();
        if found != 1 {
            return Err(format!("letter {name} lies in {found} places"));
        }
    }
    Ok(())
}

/// Whoever a game waits for has a letter that shows the position since which it does.
fn check_awaited_seats_were_notified(
    world: &SimulatedClub,
    game: u32,
    session: &process::GameSession,
) -> Result<(), String> {
    let table = &session.table;
    let Turn::Awaiting(seats) = table.turn() else { return Ok(()) };
    for seat in seats {
        let Some((seated, member)) = session.seat(seat) else { continue };
        if seated.has_left || member.undeliverable_since().is_some() || member.has_left() {
            continue;
        }
        let since = first_awaited_record(table, seat);
        let is_told = |place: &GamePosition| place.game == game && place.record >= since;
        let addresses = |member: &Member, to: &String| member.addresses.contains(to);
        let told = world
            .posted
            .iter()
            .any(|letter| addresses(member, &letter.to) && letter.places.iter().any(is_told));
        if !told {
            return Err(format!(
                "game {game} waits for seat {seat} since record {since}: not told"
            ));
        }
    }
    Ok(())
}

/// The record with which the game began to wait for this seat.
fn first_awaited_record(table: &Table, seat: Seat) -> u32 {
    let awaited = |record: u32| table.at_record(record).is_ok_and(|at| at.turn().awaits(seat));
    let mut since = table.head();
    while since > 1 && awaited(since - 1) {
        since -= 1;
    }
    since
}
