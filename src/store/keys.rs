//! Keys of the store's entries. Numbers are big-endian, so keys sort in numeric order.

use super::StoreError;
use crate::rules::Seat;
use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};

const DAY_SECONDS: i64 = 86_400;

/// A key of a stored entry, built part by part.
#[derive(Default)]
pub(super) struct Key(Vec<u8>);

impl Key {
    pub(crate) fn from_u32(number: u32) -> Self {
        Self::default().with_u32(number)
    }

    pub(crate) fn from_u64(number: u64) -> Self {
        Self::default().with_u64(number)
    }

    /// Begins a key with a time: seconds, then nanoseconds.
    pub(crate) fn from_time(moment: DateTime<Utc>) -> Self {
        Self::default()
            .with_sortable_seconds(moment.timestamp())
            .with_u32(moment.timestamp_subsec_nanos())
    }

    /// Begins a key with the first 16 bytes of the text's SHA-256 hash, because a text can have any
    /// length.
    pub(crate) fn from_text(address: &str) -> Self {
        let digest = Sha256::digest(address.as_bytes());
        Self(digest.iter().copied().take(16).collect())
    }

    /// Begins a key with the day (UTC) on which a letter was posted.
    pub(crate) fn from_day(at: DateTime<Utc>) -> Self {
        Self::from_u32(u32::try_from(unix_day(at)).unwrap_or(0))
    }

    /// Returns the key of a post record: the day (UTC), and the hash of the Message-ID. The ID is
    /// hashed because bounces quote IDs of any length.
    pub(crate) fn for_post_record(at: DateTime<Utc>, message_id: &str) -> Self {
        let mut key = Self::from_day(at);
        key.0.extend(Self::from_text(message_id).0);
        key
    }

    #[must_use]
    pub(crate) fn with_hash(mut self, hash: &[u8; 16]) -> Self {
        self.0.extend(hash);
        self
    }

    #[must_use]
    pub(crate) fn with_u32(mut self, number: u32) -> Self {
        self.0.extend(number.to_be_bytes());
        self
    }

    #[must_use]
    pub(crate) fn with_u64(mut self, number: u64) -> Self {
        self.0.extend(number.to_be_bytes());
        self
    }

    #[must_use]
    pub(crate) fn with_seat(mut self, seat: Seat) -> Self {
        self.0.push(seat.number());
        self
    }

    /// Appends seconds since 1970. The sign bit is flipped, so that earlier times sort first.
    #[must_use]
    pub(crate) fn with_sortable_seconds(mut self, seconds: i64) -> Self {
        self.0.extend((seconds ^ i64::MIN).to_be_bytes());
        self
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// Returns the number of days since 1970 (UTC); negative before.
pub(super) const fn unix_day(at: DateTime<Utc>) -> i64 {
    at.timestamp().div_euclid(DAY_SECONDS)
}

/// Splits the key of a stored entry into its parts. Each call reads the next part.
pub(super) struct KeyReader<'a>(pub &'a [u8]);

impl<'a> KeyReader<'a> {
    pub(crate) fn read_bytes(&mut self, length: usize) -> Result<&'a [u8], StoreError> {
        let (head, rest) = self.0.split_at_checked(length).ok_or_else(too_short_error)?;
        self.0 = rest;
        Ok(head)
    }

    fn read_array<const N: usize>(&mut self) -> Result<[u8; N], StoreError> {
        let (head, rest) = self.0.split_first_chunk().ok_or_else(too_short_error)?;
        self.0 = rest;
        Ok(*head)
    }

    pub(crate) fn read_u8(&mut self) -> Result<u8, StoreError> {
        self.read_array().map(|[byte]| byte)
    }

    pub(crate) fn read_u32(&mut self) -> Result<u32, StoreError> {
        self.read_array().map(u32::from_be_bytes)
    }

    pub(crate) fn read_u64(&mut self) -> Result<u64, StoreError> {
        self.read_array().map(u64::from_be_bytes)
    }

    pub(crate) fn read_seat(&mut self) -> Result<Seat, StoreError> {
        self.read_array().map(|[number]| Seat::new(number))
    }

    pub(crate) fn read_seconds(&mut self) -> Result<i64, StoreError> {
        Ok(self.read_array().map(i64::from_be_bytes)? ^ i64::MIN)
    }

    pub(crate) fn read_time(&mut self) -> Result<DateTime<Utc>, StoreError> {
        let (seconds, nanos) = (self.read_seconds()?, self.read_u32()?);
        DateTime::from_timestamp(seconds, nanos)
            .ok_or_else(|| StoreError::damaged("a time that no calendar has"))
    }
}

fn too_short_error() -> StoreError {
    StoreError::damaged("a key or number is too short")
}
