//! Where each member sits: one value, game and seat in five bytes each, ascending.

use super::pieces::{replace_pieces, whole_value};
use super::trees::{Stop, Tree, WriteTx};
use crate::rules::Seat;
use crate::store::StoreError;
use crate::store::keys::{Key, Parts};
use sled::IVec;

/// Where a member sits.
pub(super) fn places<E: From<StoreError>>(
    member: u32,
    get: impl Fn(Tree, Vec<u8>) -> Result<Option<IVec>, E>,
) -> Result<Vec<(u32, Seat)>, E> {
    let bytes = whole_value(Tree::SeatsOf, member, get)?;
    let mut parts = Parts(&bytes);
    let mut places = Vec::new();
    while !parts.0.is_empty() {
        places.push((parts.number()?, parts.seat()?));
    }
    Ok(places)
}

/// Notes whether a member sits at a place.
pub(super) fn set_place(
    tx: &WriteTx,
    member: u32,
    place: (u32, Seat),
    sits: bool,
) -> Result<(), Stop> {
    let mut all = places(member, |tree, key| tx.get(tree, key))?;
    match (all.binary_search(&place), sits) {
        (Err(at), true) => all.insert(at, place),
        (Ok(at), false) => drop(all.remove(at)),
        _ => return Ok(()),
    }
    let bytes = all.iter().flat_map(|(game, seat)| Key::of(*game).then_seat(*seat).bytes());
    replace_pieces(tx, Tree::SeatsOf, &bytes.collect::<Vec<u8>>(), || Key::of(member))
}
