//! The cut-off rule: "A locomotive cannot be placed in such a way that it would completely "cut
//! off" another colour, unless that colour has already reached at least one city."
//!
//! Our ruling: after the placement, every other colour without a city must still have a path from
//! one of its locomotives to an empty city, through hexes that it could still enter. Supply does
//! not matter, so a colour without locomotives in supply is protected too. Filling the last city
//! that a colour could reach cuts it off.

use super::colour::Colour;
use super::hex::{HexId, HexSet};
use super::state::State;

/// Returns the hexes that a colour must enter on a shortest path from its locomotives to an empty
/// city. Returns `None` if there is no path.
pub fn shortest_path_to_free_city(state: &State, colour: Colour) -> Option<HexSet> {
    find_path(state, colour, state.hexes_open_to(colour))
}

/// Returns the hexes where a locomotive of `colour` could cut off another colour. They are on the
/// known path of another colour, and the locomotive would fill them. A first locomotive on a rural
/// hex fills nothing.
pub fn possible_cut_off_hexes(state: &State, colour: Colour) -> HexSet {
    let others = state.lifelines.iter().filter(|&(other, _)| other != colour);
    let ways = others.fold(HexSet::EMPTY, |all, (_, &way)| all.or(way));
    let (occupied, _) = state.occupied_hexes();
    ways.and(state.board.city_hexes.or(occupied))
}

/// Returns the colour that a locomotive of `colour` on this hex would cut off, or `None` if it
/// would cut off no colour.
pub fn colour_cut_off_by(state: &State, colour: Colour, hex: HexId) -> Option<Colour> {
    if !possible_cut_off_hexes(state, colour).contains(hex) {
        return None;
    }
    Colour::ALL.into_iter().filter(|&other| other != colour).find(|&other| {
        state.lifelines[other].contains(hex) && {
            let mut open = state.hexes_open_to(other);
            open.remove(hex);
            find_path(state, other, open).is_none()
        }
    })
}

/// Searches breadth-first from the colour's locomotives through the hexes `open` until it finds a
/// city. Returns the hexes of a shortest path to the city.
fn find_path(state: &State, colour: Colour, open: HexSet) -> Option<HexSet> {
    let board = &*state.board;
    let mut rings: Vec<HexSet> = Vec::new();
    for ring in board.rings(state.locomotives[colour], open) {
        if let Some(city) = ring.and(board.city_hexes).iter().next() {
            let mut way: HexSet = [city].into_iter().collect();
            let mut last = city;
            for ring in rings.iter().rev() {
                last = ring.and(board.neighbours(last)).iter().next().unwrap_or(last);
                way.insert(last);
            }
            return Some(way);
        }
        rings.push(ring);
    }
    None
}
