//! The seats of each member, in one value per member: five bytes per seat (game, seat), ascending.

use super::chunks::{read_chunked_value, set_list_entry};
use super::trees::{Tree, Trees, TxError, WriteTx};
use crate::rules::Seat;
use crate::store::StoreError;
use crate::store::keys::{Key, KeyReader};

impl Trees {
    pub(crate) fn member_seats(&self, member: u32) -> Result<Vec<(u32, Seat)>, StoreError> {
        let bytes = read_chunked_value(
            Tree::MemberSeats,
            || Key::from_u32(member),
            |tree, key| self.get(tree, key),
        )?;
        let mut parts = KeyReader(&bytes);
        let mut places = Vec::new();
        while !parts.0.is_empty() {
            places.push((parts.read_u32()?, parts.read_seat()?));
        }
        Ok(places)
    }
}

/// Adds a seat to a member's list of seats, or removes it if `sits` is `false`.
pub(super) fn set_member_seat(
    tx: &WriteTx,
    member: u32,
    (game, seat): (u32, Seat),
    sits: bool,
) -> Result<(), TxError> {
    let entry = Key::from_u32(game).with_seat(seat).into_bytes();
    set_list_entry(tx, Tree::MemberSeats, || Key::from_u32(member), &entry, sits)
}
