//! What can go wrong with the store, in words for the moderator.
//!
//! Knows nothing of what the store keeps.

use super::{Moved, Row};
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
    #[error("the store could not be written or read ({0}); {remedy}", remedy = disk::remedy(.0))]
    Io(#[from] io::Error),
    /// The server of a store that is kept on one cannot be reached, or refuses.
    #[error("the database cannot be used ({0}); nothing is lost: run again")]
    Server(String),
    /// A later version wrote it.
    #[error("{0} was written by a later version of postrider; install that one")]
    Newer(String),
    /// The club was moved elsewhere.
    #[error("{0}")]
    Moved(Moved),
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
    DecideAnew,
    /// Tell the moderator: a person has to look.
    TellModerator,
    /// Say what club.yaml has to say: it names a store that is not the club's any more.
    MendSettings,
}

impl StoreError {
    /// What to do about it.
    pub fn remedy(&self) -> Remedy {
        match self {
            Self::Locked | Self::Io(_) | Self::Server(_) => Remedy::RunLater,
            Self::Conflict(_) => Remedy::DecideAnew,
            Self::Damaged(_) | Self::Newer(_) => Remedy::TellModerator,
            Self::Moved(_) => Remedy::MendSettings,
        }
    }

    /// Something in the store that cannot be right.
    pub(super) fn damaged(what: impl std::fmt::Display) -> Self {
        Self::Damaged(format!(
            "the store is damaged ({what}); move its folder away, then rebuild it from the journal \
             with `postrider restore`"
        ))
    }
}

impl StoreError {
    /// Something that was written durably, and is not there any more.
    pub(super) fn lost(what: impl std::fmt::Display) -> Self {
        Self::Damaged(format!(
            "the store has lost something ({what}); nothing is done and letters stay where they \
             are, until `postrider restore` has rebuilt it from the journal"
        ))
    }
}

impl StoreError {
    /// A store from which no club is moved, nor to it.
    pub(crate) fn stays() -> Self {
        Self::Damaged("no club can be moved to this store, nor away from it".to_owned())
    }

    /// A store that was being made anew, or moved to, when that was cut short.
    pub(super) fn unfinished() -> Self {
        Self::Damaged(
            "the store is not whole, as a restore or a move was cut short; run `postrider restore` \
             again, or put club.yaml back as it was and run `postrider migrate` again"
                .to_owned(),
        )
    }
}

impl From<sled::Error> for StoreError {
    fn from(error: sled::Error) -> Self {
        match error {
            sled::Error::Io(error) if is_lock(&error.to_string()) => Self::Locked,
            sled::Error::Io(error) => Self::Io(error),
            other => Self::damaged(other),
        }
    }
}

/// sled 0.34 reports a held lock as text only.
fn is_lock(text: &str) -> bool {
    text.starts_with("could not acquire lock") && text.contains("WouldBlock")
}
