//! The errors of the store, with texts for the moderator.

use super::{NewLocation, Row};
use crate::disk;
use std::io;
use thiserror::Error;

/// An error of the store. [`StoreError::remedy`] says what to do about it.
#[derive(Debug, Error)]
pub enum StoreError {
    /// Another process has the store open.
    #[error("another pass is at work in this club; this one ends, the next one will find the rest")]
    Locked,
    /// A row that the batch was decided on has changed since. Nothing was written.
    #[error("{0} has changed meanwhile, so nothing was done; run again")]
    Conflict(Row),
    /// The file system failed. The store must be opened again before it is used.
    #[error(
        "the store could not be written or read ({0}); {remedy}",
        remedy = disk::suggest_remedy(.0)
    )]
    Io(#[from] io::Error),
    /// The database server cannot be reached, or refuses.
    #[error("the database cannot be used ({0}); nothing is lost: run again")]
    Server(String),
    /// A later version of postrider wrote the data.
    #[error("{0} was written by a later version of postrider; install that one")]
    Newer(String),
    /// The club was moved to another store.
    #[error("{0}")]
    Moved(NewLocation),
    /// The data cannot be right, or cannot be stored.
    #[error("{0}")]
    Damaged(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Run again later, because another pass is running or the disk is full.
    RunLater,
    /// Read the rows again, decide again, and commit that.
    DecideAgain,
    /// Tell the moderator, because a person has to look.
    TellModerator,
    /// Tell the user which lines club.yaml needs, because it names a store that the club has left.
    FixSettings,
}

impl StoreError {
    pub fn remedy(&self) -> Remedy {
        match self {
            Self::Locked | Self::Io(_) | Self::Server(_) => Remedy::RunLater,
            Self::Conflict(_) => Remedy::DecideAgain,
            Self::Damaged(_) | Self::Newer(_) => Remedy::TellModerator,
            Self::Moved(_) => Remedy::FixSettings,
        }
    }

    /// Returns the error for stored data that cannot be right.
    pub(super) fn damaged(what: impl std::fmt::Display) -> Self {
        Self::Damaged(format!(
            "the store is damaged ({what}); move its folder away, then rebuild it from the journal \
             with `postrider restore`"
        ))
    }

    /// Returns the error for data that was durable and is gone.
    pub(super) fn data_loss(what: impl std::fmt::Display) -> Self {
        Self::Damaged(format!(
            "the store has lost something ({what}); nothing is done and letters stay where they \
             are, until `postrider restore` has rebuilt it from the journal"
        ))
    }

    /// Returns the error for a store whose restore or migration was interrupted.
    pub(super) fn unfinished_restore() -> Self {
        Self::Damaged(
            "the store is not whole, as a restore or a move was cut short; run `postrider restore` \
             again, or put club.yaml back as it was and run `postrider migrate` again"
                .to_owned(),
        )
    }
}
