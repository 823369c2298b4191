//! What can go wrong with the store, in words for the moderator.
//!
//! Knows nothing of what the store keeps.

use super::{NewLocation, Row};
use crate::disk;
use std::io;
use thiserror::Error;

/// What went wrong, and with it what to do about it.
#[derive(Debug, Error)]
pub enum StoreError {
    /// Another process has the store open.
    #[error("another pass is at work in this club; this one ends, the next one will find the rest")]
    Locked,
    /// A batch was decided on what is no longer so; nothing of it was written.
    #[error("{0} has changed meanwhile, so nothing was done; run again")]
    Conflict(Row),
    /// The file system refused. The store must be opened anew.
    #[error("the store could not be written or read ({0}); {remedy}", remedy = disk::suggest_remedy(.0))]
    Io(#[from] io::Error),
    /// The server of a store that is kept on one cannot be reached, or refuses.
    #[error("the database cannot be used ({0}); nothing is lost: run again")]
    Server(String),
    /// A later version wrote it.
    #[error("{0} was written by a later version of postrider; install that one")]
    Newer(String),
    /// The club was moved elsewhere.
    #[error("{0}")]
    Moved(NewLocation),
    /// What was found cannot be right, or cannot be kept.
    #[error("{0}")]
    Damaged(String),
}

/// What to do about a [`StoreError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Run again later: another pass is at work, or the disk is full.
    RunLater,
    /// Decide again from what is there now.
    DecideAgain,
    /// Tell the moderator: a person has to look.
    TellModerator,
    /// Say what club.yaml has to say: it names a store that is not the club's any more.
    FixSettings,
}

impl StoreError {
    /// Returns what to do about the error.
    pub fn remedy(&self) -> Remedy {
        match self {
            Self::Locked | Self::Io(_) | Self::Server(_) => Remedy::RunLater,
            Self::Conflict(_) => Remedy::DecideAgain,
            Self::Damaged(_) | Self::Newer(_) => Remedy::TellModerator,
            Self::Moved(_) => Remedy::FixSettings,
        }
    }

    /// Returns the error for something in the store that cannot be right.
    pub(super) fn damaged(what: impl std::fmt::Display) -> Self {
        Self::Damaged(format!(
            "the store is damaged ({what}); move its folder away, then rebuild it from the journal \
             with `postrider restore`"
        ))
    }

    /// Returns the error for something that was written durably and is gone.
    pub(super) fn data_loss(what: impl std::fmt::Display) -> Self {
        Self::Damaged(format!(
            "the store has lost something ({what}); nothing is done and letters stay where they \
             are, until `postrider restore` has rebuilt it from the journal"
        ))
    }

    /// Returns the error for a store whose restore, or whose filling by a move, was cut short.
    pub(super) fn unfinished_restore() -> Self {
        Self::Damaged(
            "the store is not whole, as a restore or a move was cut short; run `postrider restore` \
             again, or put club.yaml back as it was and run `postrider migrate` again"
                .to_owned(),
        )
    }
}
