//! Where each member sits: one value, game and seat in five bytes each, ascending.

use super::pieces::{set_entry, whole_value};
use super::trees::{Stop, Tree, Trees, WriteTx};
use crate::rules::Seat;
use crate::store::StoreError;
use crate::store::keys::{Key, Parts};

impl Trees {
    /// Returns where a member sits.
    pub(crate) fn places(&self, member: u32) -> Result<Vec<(u32, Seat)>, StoreError> {
        let bytes =
            whole_value(Tree::SeatsOf, || Key::of(member), |tree, key| self.get(tree, key))?;
        let mut parts = Parts(&bytes);
        let mut places = Vec::new();
        while !parts.0.is_empty() {
            places.push((parts.number()?, parts.seat()?));
        }
        Ok(places)
    }
}

/// Notes whether a member sits at a place.
pub(super) fn set_place(
    tx: &WriteTx,
    member: u32,
    (game, seat): (u32, Seat),
    sits: bool,
) -> Result<(), Stop> {
    let entry = Key::of(game).then_seat(seat).bytes();
    set_entry(tx, Tree::SeatsOf, || Key::of(member), &entry, sits)
}
