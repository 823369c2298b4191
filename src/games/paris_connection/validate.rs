//! Checks a definition and makes a board of it. Faults are reported with the line of the
//! definition.

use super::board::{Board, GameNumbers};
use super::colour::{ByColour, Colour};
use super::definition::{Barrier, City, Definition, Edge, Options};
use super::hex::{COLUMN_MAX, Hex, HexSet};
use crate::rules::{DefinitionFault, Message, entry_for_seats};
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of hexes of a map, which is the size of a [`HexSet`].
const HEXES_MAX: usize = 256;

/// Makes a board from a definition.
///
/// # Errors
/// The first fault of the map, with its line.
pub fn validate(definition: &Definition) -> Result<Board, DefinitionFault> {
    let mut names = parse_land(definition)?;
    if !names.remove(&definition.paris) {
        return Err(off_map_fault("pc-fault-paris", definition.paris));
    }
    check_starts(definition, &names)?;
    check_cities(definition, &names)?;
    check_barriers(&definition.barriers, &names)?;
    let letters = check_colour_letters(&definition.letters)?;
    let names: Vec<Hex> = names.into_iter().collect();
    let mut board = Board {
        map: definition.clone(),
        barriers: definition
            .barriers
            .iter()
            .flat_map(|barrier| barrier.edges.iter().map(|edge| (*edge, barrier.kind)))
            .collect(),
        letters,
        names,
        ..Board::default()
    };
    set_hex_kinds_and_neighbours(&mut board);
    check_reachability(&board)?;
    Ok(board)
}

/// Returns the numbers of a game with this number of players.
///
/// # Errors
/// The number that is missing or impossible.
pub fn numbers_for_seats(
    definition: &Definition,
    options: &Options,
    seats: u8,
) -> Result<GameNumbers, DefinitionFault> {
    let of = |table, name| entry_for_seats(table, seats, (name, "pc-fault-players"));
    let numbers = GameNumbers {
        seats,
        locomotives: definition.locomotives,
        build_most: definition.build_most,
        hand_size: of(&definition.hand, "hand")?,
        share_limit: of(&definition.share_limit, "share_limit")?,
        penalty: definition.penalty,
        stall_after_trades: options.stall_after_trades.unwrap_or(definition.stall_after_trades),
    };
    if numbers.build_most == 0 {
        return Err(DefinitionFault::at_text(Message::new("pc-fault-build-most"), "build_most", 0));
    }
    // At least two storing boards must have locomotives after the deal. Otherwise the game would be
    // over before it begins.
    let dealt = u32::from(numbers.hand_size) * u32::from(seats);
    if numbers.hand_size == 0 || dealt >= 5 * u32::from(numbers.locomotives) {
        let reason = Message::new("pc-fault-hand").with("count", dealt);
        return Err(DefinitionFault::at_text(reason, "hand", 0));
    }
    Ok(numbers)
}

fn off_map_fault(key: &'static str, hex: Hex) -> DefinitionFault {
    DefinitionFault::at_text(Message::new(key).with("hex", hex.to_string()), hex.to_string(), 0)
}

/// Returns every hex in the rows of a definition, the Eiffel tower's included.
fn parse_land(definition: &Definition) -> Result<BTreeSet<Hex>, DefinitionFault> {
    let mut names = BTreeSet::new();
    for (&row, stretches) in &definition.rows {
        for &(first, last) in stretches {
            let is_stretch = row.is_ascii_uppercase()
                && first <= last
                && last <= COLUMN_MAX
                && (last - first) % 2 == 0;
            let hex = Hex::parse(&format!("{row}{first}")).filter(|hex| hex.is_on_grid());
            let Some(hex) = hex.filter(|_| is_stretch) else {
                let reason = Message::new("pc-fault-row").with("row", row.to_string());
                let reason = reason.with("first", first).with("last", last);
                return Err(DefinitionFault::at_text(reason, row.to_string(), 0));
            };
            let columns = (first..=last).step_by(2);
            names.extend(columns.filter_map(|column| Hex::new(hex.row(), column)));
        }
    }
    if names.len() > HEXES_MAX {
        let reason = Message::new("pc-fault-size").with("count", names.len());
        return Err(DefinitionFault::at_text(reason.with("most", HEXES_MAX), "rows", 0));
    }
    Ok(names)
}

fn check_starts(definition: &Definition, names: &BTreeSet<Hex>) -> Result<(), DefinitionFault> {
    if definition.starts.len() != Colour::ALL.len() {
        let reason = Message::new("pc-fault-starts").with("count", definition.starts.len());
        return Err(DefinitionFault::at_text(reason, "starts", 0));
    }
    let mut taken = BTreeSet::new();
    for start in &definition.starts {
        let about = |key| {
            Message::new(key).with("place", &*start.station).with("hex", start.hex.to_string())
        };
        if !names.contains(&start.hex) {
            return Err(DefinitionFault::at_text(about("pc-fault-off-map"), &*start.station, 0));
        }
        if !taken.insert(start.hex) {
            return Err(DefinitionFault::at_text(about("pc-fault-two-on-hex"), &*start.station, 0));
        }
    }
    Ok(())
}

fn check_cities(definition: &Definition, names: &BTreeSet<Hex>) -> Result<(), DefinitionFault> {
    let mut taken: BTreeSet<Hex> = definition.starts.iter().map(|start| start.hex).collect();
    let (mut codes, mut called) = (BTreeSet::new(), BTreeSet::new());
    for city in &definition.cities {
        let City { hex, code, name, value } = city;
        let about = |key| Message::new(key).with("place", &**name).with("hex", hex.to_string());
        // A city's line is found by its code, because its name may be part of a station's name.
        let fail = |reason| Err(DefinitionFault::at_text(reason, format!("code: {code}"), 0));
        if !codes.insert(code.to_ascii_lowercase()) {
            let reason = Message::new("pc-fault-code-twice").with("code", &**code);
            let nth = line_index_of_second_city(definition, code);
            return Err(DefinitionFault::at_text(reason, format!("code: {code}"), nth));
        }
        if !called.insert(name.to_lowercase()) {
            return fail(about("pc-fault-name-twice"));
        }
        if code.len() != 2 || !code.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return fail(about("pc-fault-code").with("code", &**code));
        }
        if !names.contains(hex) {
            return fail(about("pc-fault-off-map"));
        }
        if !taken.insert(*hex) {
            return fail(about("pc-fault-two-on-hex"));
        }
        if !definition.values.values().any(|known| known == value) {
            return fail(about("pc-fault-value").with("value", *value));
        }
    }
    if definition.cities.iter().all(|city| city.hex != definition.end_city) {
        let reason = Message::new("pc-fault-end-city").with("hex", definition.end_city.to_string());
        return Err(DefinitionFault::at_text(reason, "end_city", 0));
    }
    Ok(())
}

/// Returns which of the lines with exactly this code belongs to the second city: 0 or 1. If the
/// codes differ in case, only one line matches.
fn line_index_of_second_city(definition: &Definition, code: &str) -> usize {
    usize::from(definition.cities.iter().filter(|city| city.code == code).count() > 1)
}

fn check_barriers(barriers: &[Barrier], names: &BTreeSet<Hex>) -> Result<(), DefinitionFault> {
    for edge in barriers.iter().flat_map(|barrier| &barrier.edges) {
        let on_map = names.contains(&edge.0) && names.contains(&edge.1);
        if !on_map || !edge.0.adjacent_hexes().any(|hex| hex == edge.1) {
            let reason = Message::new("pc-fault-barrier").with("edge", edge.to_string());
            return Err(DefinitionFault::at_text(reason, edge.to_string(), 0));
        }
    }
    Ok(())
}

fn check_colour_letters(given: &BTreeMap<Colour, char>) -> Result<ByColour<char>, DefinitionFault> {
    let distinct: BTreeSet<char> = given.values().copied().collect();
    let are_capitals = distinct.iter().all(char::is_ascii_uppercase);
    if given.len() != Colour::ALL.len() || distinct.len() != given.len() || !are_capitals {
        return Err(DefinitionFault::at_text(Message::new("pc-fault-letters"), "letters", 0));
    }
    Ok(ByColour::from_fn(|colour| given.get(&colour).copied().unwrap_or_default()))
}

/// Sets the kind and the neighbours of each hex.
fn set_hex_kinds_and_neighbours(board: &mut Board) {
    let ids = |hexes: Vec<Hex>| hexes.into_iter().filter_map(|hex| board.hex_id(hex)).collect();
    let land: HexSet = ids(board.names.clone());
    let starts: HexSet = ids(board.map.starts.iter().map(|start| start.hex).collect());
    let cities: HexSet = ids(board.map.cities.iter().map(|city| city.hex).collect());
    let pairs = board.barriers.iter().flat_map(|(Edge(a, b), _)| [(*a, *b), (*b, *a)]);
    let barred: BTreeSet<(Hex, Hex)> = pairs.collect();
    let adjacent = |hex: Hex| {
        ids(hex.adjacent_hexes().filter(|&other| !barred.contains(&(hex, other))).collect())
    };
    let neighbours: Vec<HexSet> = board.names.iter().map(|&hex| adjacent(hex)).collect();
    let value = |&hex: &Hex| board.city_on(hex).map_or(0, |city| city.value);
    board.points = board.names.iter().map(value).collect();
    (board.land, board.start_hexes, board.city_hexes) = (land, starts, cities);
    board.neighbours = neighbours;
}

/// Checks that every city can be reached from some start, and that some city can be reached from
/// every start.
fn check_reachability(board: &Board) -> Result<(), DefinitionFault> {
    let mut reached_by_any = HexSet::EMPTY;
    for start in &board.map.starts {
        let reached = reachable_from(board, board.hex_id(start.hex).into_iter().collect());
        if reached.and(board.city_hexes).is_empty() {
            let reason = Message::new("pc-fault-no-city").with("place", &*start.station);
            return Err(DefinitionFault::at_text(reason, &*start.station, 0));
        }
        reached_by_any = reached_by_any.or(reached);
    }
    for city in &board.map.cities {
        if board.hex_id(city.hex).is_none_or(|hex| !reached_by_any.contains(hex)) {
            let reason = Message::new("pc-fault-unreachable").with("place", &*city.name);
            let reason = reason.with("hex", city.hex.to_string());
            return Err(DefinitionFault::at_text(reason, format!("code: {}", city.code), 0));
        }
    }
    Ok(())
}

/// Returns the hexes that a colour can reach from these hexes on an empty map. Start hexes cannot
/// be entered.
fn reachable_from(board: &Board, from: HexSet) -> HexSet {
    board.rings(from, board.land.minus(board.start_hexes)).fold(from, HexSet::or)
}
