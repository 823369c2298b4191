//! A random game from its deal to its end, chosen so that rare events happen. Also finds the orders
//! whose result depends on what their player cannot know.

use super::drawn_setup::DrawnSetup;
use super::game_course::{self, World};
use chrono::DateTime;
use postrider::rules::{Dice, EventText, Seat, Seed, Turn, Viewer};
use postrider::table::{Record, Table};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The number of random candidates for the next order, besides the suggested lines.
const OTHER_CANDIDATES: usize = 6;
/// The largest number of letters in a game.
const LETTERS_MAX: usize = 60;

/// A complete game.
pub struct WholeGame {
    /// The game at its end.
    pub table: Table,
    /// The orders whose result depends on hidden information: the record after which each was
    /// possible, its seat, and its line.
    pub dependent_orders: Vec<(u32, Seat, String)>,
}

/// A line that could be sent, and the world after it.
type Candidate = (String, World);

/// Plays the game of this setup to its end.
pub fn play_whole_game(drawn: &DrawnSetup) -> WholeGame {
    let mut dice = Dice::new(&Seed::from_number(drawn.seed ^ 0xB1), 0);
    let mut world = World::new(game_course::deal_game(drawn, DateTime::UNIX_EPOCH));
    let (mut done, mut resting) = (BTreeMap::<String, u32>::new(), Vec::new());
    for _ in 0..LETTERS_MAX {
        let Turn::Awaiting(seats) = world.table.turn() else { break };
        let seat = *dice.pick(&seats).expect("somebody is awaited");
        if dice.roll_below(3) == 0
            && let Some(line) = world.random_secret_order(seat, &mut dice)
        {
            world = world.after_order(seat, &line).unwrap_or(world);
        }
        let head = world.table.last_record_number();
        let ways = candidates(&world, seat, &mut dice);
        let unlike = dependent_lines(&world, seat, &ways, &mut dice);
        resting.extend(unlike.into_iter().map(|line| (head, seat, line)));
        let next =
            choose_rarest(ways, head, &done, &mut dice).or_else(|| world.after_absence(seat));
        let Some(next) = next else { break };
        for kind in event_kinds(next.table.records_since(head)) {
            *done.entry(kind).or_default() += 1;
        }
        world = next;
    }
    WholeGame { table: world.table, dependent_orders: resting }
}

/// Returns lines that this seat could send now, with the world after each: the suggested lines, and
/// a few random ones.
fn candidates(world: &World, seat: Seat, dice: &mut Dice) -> Vec<Candidate> {
    let suggested = world.table.game().suggest_lines(seat).into_iter();
    let mut lines: BTreeSet<String> = suggested.map(|suggestion| suggestion.line).collect();
    lines.extend((0..OTHER_CANDIDATES).filter_map(|at| match at % 2 {
        0 => world.random_legal_line(seat, dice),
        _ => world.random_open_order(seat, dice),
    }));
    let goes_on = |line: String| {
        let way = world.after_order(seat, &line)?;
        (way.table.last_record_number() > world.table.last_record_number()).then_some((line, way))
    };
    lines.into_iter().filter_map(goes_on).collect()
}

/// Returns the lines whose result would differ if the other players had other hidden information.
fn dependent_lines(world: &World, seat: Seat, ways: &[Candidate], dice: &mut Dice) -> Vec<String> {
    let other = world.table.redeal(Viewer::Seat(seat), dice).expect("it is dealt");
    let other = World { table: other, standing: world.standing.clone() };
    let events = |way: &World| -> Vec<String> {
        let records = way.table.records_since(world.table.last_record_number()).iter();
        let events = records.flat_map(|record| game_course::events_of(record));
        events.map(|event| event.get().to_owned()).collect()
    };
    let is_unlike = |(line, way): &&Candidate| {
        other.after_order(seat, line).is_none_or(|world| events(&world) != events(way))
    };
    ways.iter().filter(is_unlike).map(|(line, _)| line.clone()).collect()
}

/// Returns the world with the highest weight of its new events. Among equals, prefers the one with
/// the rarest event so far.
fn choose_rarest(
    ways: Vec<Candidate>,
    head: u32,
    done: &BTreeMap<String, u32>,
    dice: &mut Dice,
) -> Option<World> {
    let mut worth = |way: &World| {
        let kinds = event_kinds(way.table.records_since(head));
        let wanted: i64 = kinds.iter().map(|kind| event_weight(kind)).sum();
        let seldom = kinds.iter().map(|kind| done.get(kind).copied().unwrap_or(0)).min();
        (i64::from(dice.roll_below(4)) + wanted, seldom.map(Reverse))
    };
    let ways = ways.into_iter().map(|(_, way)| (worth(&way), way));
    ways.max_by_key(|(worth, _)| *worth).map(|(_, way)| way)
}

/// The weight of an event of Off the Rails. Ramming a cart full of jewels is preferred: the player
/// then chooses the jewels that fall, and random play hardly ever gets there.
fn event_weight(kind: &str) -> i64 {
    match kind {
        "dropped" => 9,
        "collided" => 6,
        "took" => 3,
        "left" => -6,
        "derailed" | "fell" => -5,
        _ => 0,
    }
}

/// Returns the kinds of events in these records.
pub fn event_kinds(records: &[Arc<Record>]) -> Vec<String> {
    let kind = |event: EventText| event.get().split('"').nth(1).unwrap_or_default().to_owned();
    records.iter().flat_map(|record| game_course::events_of(record)).map(kind).collect()
}
