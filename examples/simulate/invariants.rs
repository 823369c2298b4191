//! The invariants of a club, which must hold after any failure.

use crate::simulated_club::{GamePosition, SimulatedClub};
use postrider::club::Member;
use postrider::process::{self, Context};
use postrider::rules::{Dice, Seat, Turn};
use postrider::table::Table;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// The data of a club, as text by key. Two clubs with an equal history have equal data.
pub type ClubData = BTreeMap<String, String>;

/// Reads the club's data: logs, seats, lobby data, clocks, activity logs and members.
pub fn read_club_data(context: &Context) -> Result<ClubData, String> {
    let store = &context.store;
    let failed = |error: postrider::store::StoreError| error.to_string();
    let mut kept = ClubData::new();
    for (game, log) in read_game_logs(context)? {
        kept.insert(format!("log of {game}"), log.join("\n"));
        let (seats, room) = (store.seat_assignments(game), store.game_info(game));
        kept.insert(format!("seats of {game}"), format!("{:?}", seats.map_err(failed)?));
        kept.insert(format!("lobby data of {game}"), format!("{:?}", room.map_err(failed)?));
        kept.insert(
            format!("clock of {game}"),
            format!("{:?}", store.clock(game).map_err(failed)?),
        );
        kept.insert(
            format!("activity log of {game}"),
            format!("{:?}", store.activity_log(game).map_err(failed)?),
        );
    }
    for member in store.members().map_err(failed)? {
        kept.insert(format!("member {}", member.id), format!("{member:?}"));
    }
    Ok(kept)
}

/// Describes the first difference between the data of two clubs. Returns `None` if they are equal.
pub fn first_difference(one: &ClubData, other: &ClubData) -> Option<String> {
    let keys = one.keys().chain(other.keys());
    let different = |key: &&String| one.get(*key) != other.get(*key);
    let key = keys.into_iter().find(different)?;
    Some(format!("{key}:\n{:?}\nbut should be\n{:?}", one.get(key), other.get(key)))
}

/// Checks all invariants of a club that is idle: every letter is archived, every log is valid,
/// every position that a letter showed is in the log, every awaited player was notified, and no
/// letter is queued.
pub fn check_invariants(world: &SimulatedClub) -> Result<(), String> {
    let context =
        world.open_context().map_err(|error| format!("the club does not open: {error}"))?;
    check_letters_are_archived(world)?;
    let mut shown: BTreeMap<u32, BTreeSet<&GamePosition>> = BTreeMap::new();
    for place in world.posted.iter().flat_map(|letter| &letter.places) {
        shown.entry(place.game).or_default().insert(place);
    }
    for game in context.store.game_numbers().map_err(|error| error.to_string())? {
        if context.store.log_length(game).map_err(|error| error.to_string())? == 0 {
            continue;
        }
        let session =
            process::load_stored_game(&context, game).map_err(|error| error.to_string())?;
        let findings = session.table.verify().findings;
        if !findings.is_empty() {
            return Err(format!("game {game} does not verify: {findings:?}"));
        }
        for place in shown.remove(&game).unwrap_or_default() {
            check_place_in_log(&session.table, place)?;
        }
        check_awaited_seats_were_notified(world, game, &session)?;
    }
    if let Some(place) = shown.into_values().flatten().next() {
        return Err(lost_place_error(place));
    }
    let waiting = pending_letters(&context)?;
    if waiting > 0 {
        return Err(format!("{waiting} letters are queued although all can be sent"));
    }
    Ok(())
}

/// Whether letters are queued, for example for an evening digest.
pub fn has_pending_letters(world: &SimulatedClub) -> Result<bool, String> {
    Ok(pending_letters(&world.open_context().map_err(|error| error.to_string())?)? > 0)
}

fn pending_letters(context: &Context) -> Result<usize, String> {
    context.store.outbox_length().map_err(|error| error.to_string())
}

/// Checks that a position which a letter showed is in the game's log.
fn check_place_in_log(table: &Table, place: &GamePosition) -> Result<(), String> {
    let at = table.at_record(place.record).map_err(|error| error.to_string())?;
    let is_there = at.last_record_number() == place.record
        && at.last_record_hash().to_string().starts_with(&place.chain);
    if is_there { Ok(()) } else { Err(lost_place_error(place)) }
}

fn lost_place_error(GamePosition { game, record, chain }: &GamePosition) -> String {
    format!("a letter showed record {record} of game {game}, hash {chain}, which is not in the log")
}

/// Checks that a club restored from the journal has equal data. Clocks are left out, because a
/// restore gives all players more time.
pub fn check_journal_restores(world: &SimulatedClub) -> Result<(), String> {
    let context = world.open_context().map_err(|error| error.to_string())?;
    let is_kept = |(what, _): &(&String, &String)| !what.starts_with("clock");
    let of = |context: &Context| -> Result<ClubData, String> {
        let kept = read_club_data(context)?;
        Ok(kept.iter().filter(is_kept).map(|(what, text)| (what.clone(), text.clone())).collect())
    };
    let (before, after) = (of(&context)?, of(&world.restored_from_journal()?)?);
    match first_difference(&after, &before) {
        Some(what) => Err(format!("the restored club differs: {what}")),
        None => Ok(()),
    }
}

/// Checks that a flipped bit in the store is reported, or changes no data that is read. Returns
/// whether it was reported.
pub fn check_flipped_bit_is_reported(
    world: &SimulatedClub,
    dice: &mut Dice,
) -> Result<bool, String> {
    let whole = read_club_data(&world.open_context().map_err(|error| error.to_string())?)?;
    let Ok(context) =
        Context::open(postrider::games::SHIPPED, &world.copy_with_flipped_bit(dice), world.now)
    else {
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

/// The lines of each game's log.
pub type GameLogs = BTreeMap<u32, Vec<String>>;

pub fn read_game_logs(context: &Context) -> Result<GameLogs, String> {
    let failed = |error: postrider::store::StoreError| error.to_string();
    let games = context.store.game_numbers().map_err(failed)?;
    let log = |game| Ok((game, context.store.game_log_lines(game).map_err(failed)?));
    games.into_iter().map(log).collect()
}

/// Checks the result of a pass on a store with a flipped bit. Each game must have all records from
/// before, and no record that the pass on the intact store does not have.
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

/// Returns the entries that an idle letter must not change: the logs, clocks and lobby data of
/// games. Notices about deadlines are left out, because an answer to an idle letter also tells its
/// sender the deadline, which delays the reminder.
pub fn entries_unchanged_by_idle_letter(kept: &ClubData) -> ClubData {
    let is_game =
        |what: &str| ["log", "clock", "lobby data"].iter().any(|kind| what.starts_with(kind));
    let mut games = without_clock_notices(kept);
    games.retain(|what, _| is_game(what));
    games
}

/// Removes from the clocks the record of the notices already given. A repeated pass may give
/// notices that otherwise the next pass would give.
pub fn without_clock_notices(kept: &ClubData) -> ClubData {
    let is_kept = |field: &&str| {
        !["reminded_until: ", "undisclosed_seconds: "].iter().any(|f| field.starts_with(f))
    };
    let rest = |text: &str| text.split(", ").filter(is_kept).collect::<Vec<_>>().join(", ");
    let of = |what: &str, text: &str| match what.starts_with("clock") {
        true => rest(text),
        false => text.to_owned(),
    };
    kept.iter().map(|(what, text)| (what.clone(), of(what, text))).collect()
}

/// Checks that each letter that has arrived is archived or in quarantine, exactly once.
fn check_letters_are_archived(world: &SimulatedClub) -> Result<(), String> {
    let names = |folder: &str| -> Vec<String> {
        let files = fs::read_dir(world.folder().join("inbox").join(folder)).into_iter().flatten();
        files.flatten().map(|file| file.file_name().to_string_lossy().into_owned()).collect()
    };
    let waiting = names("new");
    if !waiting.is_empty() {
        return Err(format!("letters are still in the inbox: {waiting:?}"));
    }
    let put: Vec<String> = [names("cur"), names(".done/cur"), names(".quarantine/cur")].concat();
    for name in &world.arrived {
        let found = put.iter().filter(|file| file.split(':').next() == Some(name)).count();
        if found != 1 {
            return Err(format!("letter {name} is in {found} folders"));
        }
    }
    Ok(())
}

/// Checks that each awaited player was sent a position at which their seat was already awaited.
/// Members who have left or are undeliverable are left out.
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
        let since = awaited_since_record(table, seat);
        let is_shown = |place: &GamePosition| place.game == game && place.record >= since;
        let addresses = |member: &Member, to: &String| member.addresses.contains(to);
        let was_notified = world
            .posted
            .iter()
            .any(|letter| addresses(member, &letter.to) && letter.places.iter().any(is_shown));
        if !was_notified {
            return Err(format!(
                "game {game} awaits seat {seat} since record {since}, without a notice"
            ));
        }
    }
    Ok(())
}

/// Returns the number of the record since which the game awaits this seat.
fn awaited_since_record(table: &Table, seat: Seat) -> u32 {
    let awaited = |record: u32| table.at_record(record).is_ok_and(|at| at.turn().awaits(seat));
    let mut since = table.last_record_number();
    while since > 1 && awaited(since - 1) {
        since -= 1;
    }
    since
}
