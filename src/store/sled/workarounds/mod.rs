//! The workarounds for the faults of sled 0.34.7.
//!
//! Each item names a fault, the code that answers it, and what measured or showed it.
//!
//! - **`flush` hands the bytes to the operating system and does not sync them.** Answer:
//!   [`Trees::sync`] syncs the file `db` after each `flush`. Shown by: the simulated disk of
//!   `examples/simulate`, which drops all data that is not synced.
//! - **A new snapshot replaces the old one before its name is durable.** Answer: [`Trees::open`]
//!   syncs the folder after opening. Shown by: the test `simulation`, which cuts the power there.
//! - **A page of more than 128 KiB goes to a separate file in `blobs`, which sled never syncs.**
//!   Answer: no value is longer than [`CHUNK_BYTES_MAX`]; `chunks` splits longer ones. Shown by: a
//!   unit test of the store that expects `blobs` to be empty.
//! - **Some damaged files make it panic.** Answer: [`catch_panic`] turns a panic into
//!   [`StoreError::Damaged`]. Shown by: `tests/parts/damage.rs`, which flips bytes all over the
//!   file.
//! - **sled takes damage for the end of a killed run, continues before it and zero-fills the rest:
//!   one flipped bit loses all records behind it.** Answer: [`replay`] reads the file first,
//!   [`high_water_mark`] notes how far it was written, [`recovery`] compares the two. Shown by:
//!   `tests/club/lost_store.rs`, which flips bits and cuts the file.
//! - **sled uses a settings file that it wrote only half, and refuses to open if an unfinished
//!   snapshot exists.** Answer: [`recovery`] removes both, and sled makes them again. Shown by:
//!   `tests/parts/damage.rs`.
//! - **sled zero-fills all free segments whenever it opens its file: after a busy day a third of
//!   the file, 10 MB for each pass of a club of 1,000 games.** Answer: [`holes`] moves the last
//!   segments into the holes and truncates the file. Shown by: `tests/club/store_compaction.rs`;
//!   `cargo bench` counts the bytes that a pass writes.
//! - **sled cannot read its file without its snapshot if a large commit has moved the durable
//!   segment.** Answer: [`holes`] waits until `Trees` has begun the next segment by writing
//!   [`FILLER_KEY`]. Shown by: unit tests of [`holes`].
//! - **If exactly 32 bytes of a segment are left at an opening, sled begins the next segment
//!   without a message that ends this one.** Answer: [`replay`] then looks for the next segment
//!   too, so that the high-water mark advances. Shown by: a unit test of [`recovery`].
//! - **sled keeps removed values in its file until it needs the segment, perhaps for months.**
//!   Answer: [`compaction`] copies the store into a new file after an erasure. Shown by: unit tests
//!   of [`compaction`]; `tests/club/erasure.rs`.
//! - **sled checks the size of its cache with every 64th access to one of 256 shards, and counts
//!   pages, not bytes.** Answer: [`page_cache_bytes`] and [`count_needed_rereads`]. Shown by:
//!   `cargo bench`: memory of `list` and `doctor` in a club of 100,000 games.
//! - **A page holds at most 16 entries and costs time and memory at each opening.** Answer:
//!   `row_group` keeps eight games in one entry, `due` the games of one hour, `member_seats` the
//!   seats of a member. Shown by: `cargo bench`: a club of 100,000 games opens an eighth faster
//!   with eight games in an entry.
//! - **sled's histograms are 21 MiB of zeros, and large buffers keep the C library from reusing
//!   them: 6 MB in each run.** Answer: the feature `miri_optimizations` in Cargo.toml, and small
//!   buffers in [`replay`]. Shown by: `cargo bench`: memory of a pass.
//! - **sled reports a held lock only as text, and its threads hold the lock after the store is
//!   dropped.** Answer: [`is_lock_error`] reads the text, [`compaction::retry_while_locked`]
//!   retries for a second. Shown by: unit tests of the store.
//!
//! [`Trees::sync`]: super::trees::Trees::sync
//! [`Trees::open`]: super::trees::Trees::open

pub(super) mod compaction;
pub(super) mod high_water_mark;
pub(super) mod holes;
pub(super) mod recovery;
pub(super) mod replay;

use super::CacheSize;
use crate::store::StoreError;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The greatest length of a value in bytes. A page holds 16 values, and for a short time a few
/// more, in at most 128 KiB.
pub(super) const CHUNK_BYTES_MAX: usize = 6_000;

/// The key of the value that fills the rest of a segment.
pub(super) const FILLER_KEY: &[u8] = b"filler";

/// The number of bytes of values after which a scan with [`CacheSize::Small`] reads an entry again.
const REVISITED_BYTES: usize = 1_000;

/// Returns the size of sled's page cache in bytes. sled needs further memory for each page. It
/// divides the cache among 256 shards, and a page of log lines takes up to 128 KiB.
pub(super) const fn page_cache_bytes(memory: CacheSize) -> u64 {
    match memory {
        CacheSize::Large => 64 << 20,
        CacheSize::Small => 8 << 20,
    }
}

/// Returns how often a scan must read an entry of this length again. The additional reads make sled
/// check the size of its cache often enough. `seen` is the number of bytes since the last
/// additional read.
pub(super) fn count_needed_rereads(memory: CacheSize, length: usize, seen: &mut usize) -> usize {
    if memory == CacheSize::Large {
        return 0;
    }
    let total = *seen + length;
    *seen = total % REVISITED_BYTES;
    total / REVISITED_BYTES
}

/// Runs code that calls sled, and turns a panic into an error. A panic means that the files are
/// damaged.
///
/// # Errors
/// [`StoreError::Damaged`] after a panic, and the errors of `work`.
pub(super) fn catch_panic<T, E: Into<StoreError>>(
    work: impl FnOnce() -> Result<T, E>,
) -> Result<T, StoreError> {
    let panicked = |_| StoreError::damaged("its files could not be understood");
    catch_unwind(AssertUnwindSafe(work)).map_err(panicked)?.map_err(Into::into)
}

impl From<sled::Error> for StoreError {
    fn from(error: sled::Error) -> Self {
        match error {
            sled::Error::Io(error) if is_lock_error(&error.to_string()) => Self::Locked,
            sled::Error::Io(error) => Self::Io(error),
            other => Self::damaged(other),
        }
    }
}

/// Returns `true` for the text by which sled reports that another process holds its lock.
fn is_lock_error(text: &str) -> bool {
    text.starts_with("could not acquire lock") && text.contains("WouldBlock")
}
