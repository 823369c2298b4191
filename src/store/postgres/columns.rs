//! Conversions of column values: numbers, keys, seats, revisions and JSON.

use crate::rules::Seat;
use crate::store::{Revision, StoreError, parse_stored_json, versioned_json};
use postgres::Row;
use serde::de::DeserializeOwned;

/// Reads a column with a number, such as a game's or a member's.
pub(super) fn read_number(row: &Row, column: usize) -> Result<u32, StoreError> {
    u32::try_from(row.get::<_, i64>(column)).map_err(StoreError::damaged)
}

pub(super) fn read_key(row: &Row, column: usize) -> Result<u64, StoreError> {
    u64::try_from(row.get::<_, i64>(column)).map_err(StoreError::damaged)
}

pub(super) fn read_seat(row: &Row, column: usize) -> Result<Seat, StoreError> {
    let number = u8::try_from(row.get::<_, i16>(column)).map_err(StoreError::damaged)?;
    Ok(Seat::new(number))
}

pub(super) fn read_revision(row: &Row, column: usize) -> Revision {
    Revision(row.get::<_, i64>(column).cast_unsigned())
}

/// Reads a JSON column and ignores fields that this version does not know.
pub(super) fn read_json<T: DeserializeOwned>(row: &Row, column: usize) -> Result<T, StoreError> {
    parse_stored_json(row.get::<_, &str>(column).as_bytes())
}

/// Reads a JSON column. Fails with [`StoreError::Newer`] if this version does not know a field or a
/// variant.
pub(super) fn read_strict_json<T: DeserializeOwned>(
    row: &Row,
    column: usize,
) -> Result<T, StoreError> {
    parse_strict_json(row.get(column))
}

/// Like [`read_strict_json`], for a column that may be null.
pub(super) fn read_nullable_strict_json<T: DeserializeOwned>(
    row: &Row,
    column: usize,
) -> Result<Option<T>, StoreError> {
    row.get::<_, Option<&str>>(column).map(parse_strict_json).transpose()
}

/// Like [`read_strict_json`], for JSON that was already read from its column.
pub(super) fn parse_strict_json<T: DeserializeOwned>(json: &str) -> Result<T, StoreError> {
    Ok(versioned_json::parse_strict(json.as_bytes())?)
}
