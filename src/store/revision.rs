//! What a decision rested on, and whether that is still so.
//!
//! A [`Row`] is what is changed as one; its [`Revision`] is another one after every change. Whoever
//! decides notes the revisions of what he reads, before he reads it, in a [`ReadSet`]; a commit
//! that comes with it is refused when one of them has moved. Knows nothing of how rows are kept.

use super::StoreError;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What changes as one. What is not there yet is a row too: so a number that was free, or a letter
/// that nobody had seen, is known to have been taken meanwhile.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// What there is one of: the moderator's marks, when passes ran, which letters cannot be read.
    Club,
    /// A game by its number: log and outline, seats, clock, when it is due, who is around it,
    /// minutes.
    Game(u32),
    /// A member by number.
    Member(u32),
    /// Where the member of this number sits.
    MemberSeats(u32),
    /// Whose an address is.
    Address(String),
    /// How often an address, or another account, was answered.
    Answers(String),
    /// Which games a campaign has.
    Campaign(String),
    /// What became of the letter of this digest.
    Letter([u8; 16]),
    /// What became of the file of this name.
    File(String),
}

/// Which state of a row was read: after every change it is another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Revision(pub u64);

/// The rows that a decision rests on, each with the revision at which it was first read.
#[derive(Debug, Default)]
pub struct ReadSet(Mutex<BTreeMap<Row, Revision>>);

impl ReadSet {
    /// Notes a row that is about to be read, unless it was before.
    ///
    /// # Errors
    /// What `current` says.
    pub(crate) fn note(
        &self,
        row: Row,
        current: impl FnOnce(&Row) -> Result<Revision, StoreError>,
    ) -> Result<(), StoreError> {
        if !self.lock_rows().contains_key(&row) {
            // Not under the lock: a commit holds the store's own one when it takes this one.
            let revision = current(&row)?;
            self.lock_rows().entry(row).or_insert(revision);
        }
        Ok(())
    }

    /// The first row that has another revision now.
    ///
    /// # Errors
    /// What `current` says.
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

    /// The rows, each with its revision, in their order.
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
            Self::MemberSeats(member) => write!(f, "where member {member} sits"),
            Self::Address(address) => write!(f, "whose {address} is"),
            Self::Answers(account) => write!(f, "how often {account} was answered"),
            Self::Campaign(campaign) => write!(f, "the games of {campaign}"),
            Self::Letter(digest) => {
                write!(f, "letter {}", data_encoding::HEXLOWER.encode(digest))
            }
            Self::File(name) => write!(f, "file {name}"),
        }
    }
}
