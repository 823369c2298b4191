//! A game as it may go to its end, in which much happens that is seldom, and which of its orders
//! rest on what their player cannot know.

use super::course::{self, World};
use super::lot::Lot;
use chrono::DateTime;
use postrider::rules::{Dice, EventText, Seat, Seed, Turn, Viewer};
use postrider::table::{Record, Table};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How many ways to go on are looked at besides those that are suggested.
const WAYS: usize = 6;
/// So many letters of a game are enough.
const LETTERS_MAX: usize = 60;

/// A whole game.
pub struct Whole {
    /// The game at its end.
    pub table: Table,
    /// What could have been ordered in it that rests on what is hidden: after which record, by
    /// whom, and the line.
    pub resting: Vec<(u32, Seat, String)>,
}

/// A line that could be sent, and what it leads to.
type Way = (String, World);

/// The game of this lot as it may go.
pub fn played(lot: &Lot) -> Whole {
    let mut dice = Dice::new(&Seed::rehearsal(lot.seed ^ 0xB1), 0);
    let mut world = World::new(course::dealt(lot, DateTime::UNIX_EPOCH));
    let (mut done, mut resting) = (BTreeMap::<String, u32>::new(), Vec::new());
    for _ in 0..LETTERS_MAX {
        let Turn::Awaiting(seats) = world.table.turn() else { break };
        let seat = *dice.pick(&seats).expect("somebody is awaited");
        if dice.below(3) == 0
            && let Some(line) = world.secret(seat, &mut dice)
        {
            world = world.written(seat, &line).unwrap_or(world);
        }
        let head = world.table.head();
        let ways = ways(&world, seat, &mut dice);
        let unlike = unlike(&world, seat, &ways, &mut dice);
        resting.extend(unlike.into_iter().map(|line| (head, seat, line)));
        let next = best(ways, head, &done, &mut dice).or_else(|| world.absent(seat));
        let Some(next) = next else { break };
        for kind in happened(next.table.records_since(head)) {
            *done.entry(kind).or_default() += 1;
        }
        world = next;
    }
    Whole { table: world.table, resting }
}

/// Lines that this seat could send now, and what each leads to: those that are suggested to it, and
/// a few others.
fn ways(world: &World, seat: Seat, dice: &mut Dice) -> Vec<Way> {
    let suggested = world.table.game().suggestions(seat).into_iter();
    let mut lines: BTreeSet<String> = suggested.map(|suggestion| suggestion.line).collect();
    lines.extend((0..WAYS).filter_map(|at| match at % 2 {
        0 => world.of_some_verb(seat, dice),
        _ => world.open(seat, dice),
    }));
    let goes_on = |line: String| {
        let way = world.written(seat, &line)?;
        (way.table.head() > world.table.head()).then_some((line, way))
    };
    lines.into_iter().filter_map(goes_on).collect()
}

/// Those of these lines that lead to something else where others hold or want something else.
fn unlike(world: &World, seat: Seat, ways: &[Way], dice: &mut Dice) -> Vec<String> {
    let other = world.table.redeal(Viewer::Seat(seat), dice).expect("it is dealt");
    let other = World { table: other, standing: world.standing.clone() };
    let events = |way: &World| -> Vec<String> {
        let records = way.table.records_since(world.table.head()).iter();
        let events = records.flat_map(|record| course::said_in(record));
        events.map(|event| event.get().to_owned()).collect()
    };
    let is_unlike = |(line, way): &&Way| {
        other.written(seat, line).is_none_or(|world| events(&world) != events(way))
    };
    ways.iter().filter(is_unlike).map(|(line, _)| line.clone()).collect()
}

/// The way along which most of what is wanted happens, and of those the one along which something
/// happens that was seldom done so far.
fn best(ways: Vec<Way>, head: u32, done: &BTreeMap<String, u32>, dice: &mut Dice) -> Option<World> {
    let mut worth = |way: &World| {
        let kinds = happened(way.table.records_since(head));
        let wanted: i64 = kinds.iter().map(|kind| wanted(kind)).sum();
        let seldom = kinds.iter().map(|kind| done.get(kind).copied().unwrap_or(0)).min();
        (i64::from(dice.below(4)) + wanted, seldom.map(Reverse))
    };
    let ways = ways.into_iter().map(|(_, way)| (worth(&way), way));
    ways.max_by_key(|(worth, _)| *worth).map(|(_, way)| way)
}

/// How much such an event is wanted. Of a cart that is rammed with several jewels in it those fall
/// that its player likes: chance alone hardly ever rams one.
fn wanted(kind: &str) -> i64 {
    match kind {
        "dropped" => 9,
        "collided" => 6,
        "took" => 3,
        "left" => -6,
        "derailed" | "fell" => -5,
        _ => 0,
    }
}

/// What kinds of things these records say have happened.
pub fn happened(records: &[Arc<Record>]) -> Vec<String> {
    let kind = |event: EventText| event.get().split('"').nth(1).unwrap_or_default().to_owned();
    records.iter().flat_map(|record| course::said_in(record)).map(kind).collect()
}
