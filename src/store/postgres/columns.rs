//! What a column holds: numbers of ours, seats, and JSON.

use crate::rules::Seat;
use crate::store::{Revision, StoreError, from_json, later};
use postgres::Row;
use serde::de::DeserializeOwned;

/// A number of ours.
pub(super) fn number(row: &Row, column: usize) -> Result<u32, StoreError> {
    u32::try_from(row.get::<_, i64>(column)).map_err(StoreError::damaged)
}

/// A seat of a game.
pub(super) fn seat(row: &Row, column: usize) -> Result<Seat, StoreError> {
    let number = u8::try_from(row.get::<_, i16>(column)).map_err(StoreError::damaged)?;
    Ok(Seat::new(number))
}

/// The revision of a row.
pub(super) fn revision(row: &Row, column: usize) -> Revision {
    Revision(row.get::<_, i64>(column).cast_unsigned())
}

/// JSON of which this version need not know all.
pub(super) fn json<T: DeserializeOwned>(row: &Row, column: usize) -> Result<T, StoreError> {
    from_json(row.get::<_, &str>(column).as_bytes())
}

/// JSON of which this version must know all; none where there is none.
pub(super) fn whole<T: DeserializeOwned>(
    row: &Row,
    column: usize,
) -> Result<Option<T>, StoreError> {
    row.get::<_, Option<&str>>(column).map(whole_text).transpose()
}

/// The same of a text.
pub(super) fn whole_text<T: DeserializeOwned>(json: &str) -> Result<T, StoreError> {
    Ok(later::whole(json.as_bytes())?)
}
