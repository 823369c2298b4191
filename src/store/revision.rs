//! Rows, their revisions, and the set of rows that a decision has read.
//!
//! A [`Row`] is the smallest unit of change; its [`Revision`] changes with every change of the row.
//! A decision notes the revision of each row in a [`ReadSet`] before it reads the row. A commit
//! with this set is refused if one of the revisions has changed.

use super::StoreError;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A unit of change in the store. A row exists even if nothing is stored under it. So a commit
/// notices that a free number was taken, or an unknown letter processed, since the decision.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// The row of the values that a club has only one of: generation of the moderator's tokens,
    /// heartbeat, morning digest, unreadable letters.
    Club,
    /// The row of a game: log, outline, seats, clock, due time, game info and activity log.
    Game(u32),
    Member(u32),
    /// The row that lists the seats of the member with this number.
    MemberSeats(u32),
    /// The row that holds the owner of this address.
    Address(String),
    /// The row of the events that were counted for an address or another account.
    CountedEvents(String),
    /// The row that lists the games of this campaign.
    Campaign(String),
    /// The row that holds the outcome of the inbound letter with this digest.
    Letter([u8; 16]),
    /// The row that holds the outcome of the inbound file with this name.
    File(String),
}

/// The number of a row's current state. Every change of the row gives it another number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Revision(pub u64);

/// The rows that a decision rests on, each with the revision at which it was first read.
#[derive(Debug, Default)]
pub struct ReadSet(Mutex<BTreeMap<Row, Revision>>);

impl ReadSet {
    /// Notes the revision of a row that is about to be read, unless the row is noted already.
    pub(crate) fn note_revision(
        &self,
        row: Row,
        current: impl FnOnce(&Row) -> Result<Revision, StoreError>,
    ) -> Result<(), StoreError> {
        if !self.lock_rows().contains_key(&row) {
            // The lock is not held here: a commit holds the store's lock when it takes this one, so
            // the other order could deadlock.
            let revision = current(&row)?;
            self.lock_rows().entry(row).or_insert(revision);
        }
        Ok(())
    }

    /// Returns the first row whose current revision differs from the noted one.
    ///
    /// # Errors
    /// Those of `current`.
    pub fn find_changed(
        &self,
        mut current: impl FnMut(&Row) -> Result<Revision, StoreError>,
    ) -> Result<Option<Row>, StoreError> {
        for (row, revision) in &*self.lock_rows() {
            if current(row)? != *revision {
                return Ok(Some(row.clone()));
            }
        }
        Ok(None)
    }

    /// Returns all noted rows with their revisions, sorted by row.
    #[cfg(feature = "postgres")]
    pub(super) fn revisions(&self) -> Vec<(Row, Revision)> {
        self.lock_rows().iter().map(|(row, revision)| (row.clone(), *revision)).collect()
    }

    fn lock_rows(&self) -> MutexGuard<'_, BTreeMap<Row, Revision>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Display for Row {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Club => write!(f, "the club itself"),
            Self::Game(game) => write!(f, "game {game}"),
            Self::Member(member) => write!(f, "member {member}"),
            Self::MemberSeats(member) => write!(f, "the seats of member {member}"),
            Self::Address(address) => write!(f, "the owner of {address}"),
            Self::CountedEvents(account) => write!(f, "the number of answers to {account}"),
            Self::Campaign(campaign) => write!(f, "the games of {campaign}"),
            Self::Letter(digest) => {
                write!(f, "letter {}", data_encoding::HEXLOWER.encode(digest))
            }
            Self::File(name) => write!(f, "file {name}"),
        }
    }
}
