//! The cut-off rule: "A locomotive cannot be placed in such a way that it would completely "cut
//! off" another colour, unless that colour has already reached at least one city."
//!
//! Our ruling of what that means: after the placement every other colour without a city must
//! still have a way, from any of its locomotives through hexes that it could still enter, to an
//! empty city. Supply does not matter: a colour with no locomotives left is protected as well.
//! Filling the last city that a colour could come to cuts it off.

use super::colour::Colour;
use super::hex::{HexId, HexSet};
use super::state::State;

/// The hexes to be entered on a shortest way from the colour's locomotives to an empty city.
pub fn find_lifeline(state: &State, colour: Colour) -> Option<HexSet> {
    find_path(state, colour, state.hexes_open_to(colour))
}

/// The hexes where a locomotive of `colour` could cut off another: those that it would close to the
/// others (a first locomotive on a rural hex does not) and that lie on a known way of another.
pub fn critical_hexes(state: &State, colour: Colour) -> HexSet {
    let others = state.lifelines.iter().filter(|&(other, _)| other != colour);
    let ways = others.fold(HexSet::EMPTY, |all, (_, &way)| all.or(way));
    let (occupied, _) = state.occupied_hexes();
    ways.and(state.board.city_hexes.or(occupied))
}

/// The colour that a locomotive of `colour` on this hex would cut off.
pub fn cut_off_victim(state: &State, colour: Colour, hex: HexId) -> Option<Colour> {
    if !critical_hexes(state, colour).contains(hex) {
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

/// Goes outwards from the colour's locomotives, one hex at a time in all directions, until it meets
/// a city; then back, to tell which hexes it came through.
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
