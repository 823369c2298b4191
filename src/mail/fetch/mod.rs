//! The inbound transport: fetches letters from a mail server by IMAP over TLS.
//!
//! Only this folder uses the `imap` crate. It knows how letters are stored on the server. It does
//! not know how they are processed.

mod account;
mod answer_scanner;
mod imap_server;

pub use imap_server::ImapServer;

use super::{MailFolder, PermanentFault};
use chrono::{DateTime, Utc};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteLetter {
    /// The name of the letter's file in the local Maildir. It is always equal for one letter of the
    /// server.
    pub name: String,
    /// The letter's UID in the server's folder.
    pub uid: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchedLetter {
    /// The bytes of the letter. A letter larger than [`BYTES_MAX`](super::BYTES_MAX) is cut one
    /// byte after that limit, so that it is recognized as too large.
    pub bytes: Vec<u8>,
    /// The time at which the letter arrived at the server, if the server reports it.
    pub received: Option<DateTime<Utc>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FetchOutcome {
    Letter(FetchedLetter),
    Gone,
    /// The letter exists, but the server cannot deliver it. Other letters can still be fetched.
    Unfetchable(UnfetchableLetter),
}

/// A letter that a server cannot deliver, for the notice to the moderator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnfetchableLetter {
    pub folder: String,
    /// The time at which the letter arrived at the server, if the server reports it.
    pub received: Option<DateTime<Utc>>,
    /// The size in bytes, if the server reports it.
    pub(crate) size: Option<u32>,
    /// The reason, usually the server's answer.
    pub why: String,
}

/// The error of a failed operation on a mail server. It concerns all letters of the server.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("letters cannot be fetched {}: {why}", fetch_resumption_phrase(*permanent_fault))]
pub struct FetchError {
    /// The reason, usually the server's answer.
    pub why: String,
    /// The fault that a person must fix. `None` if the error may pass by itself.
    pub permanent_fault: Option<PermanentFault>,
}

/// Returns the end of the error's sentence about when fetching will work again.
const fn fetch_resumption_phrase(mend: Option<PermanentFault>) -> &'static str {
    if mend.is_some() { "until it is mended" } else { "now" }
}

impl FetchError {
    pub fn temporary(why: impl Into<String>) -> Self {
        Self { why: why.into(), permanent_fault: None }
    }
}

pub trait MailServer {
    /// Lists the letters in the server's inbox folder, oldest first.
    ///
    /// # Errors
    /// If the server fails or refuses.
    fn list_letters(&mut self) -> Result<Vec<RemoteLetter>, FetchError>;

    /// Fetches a letter, without any change on the server.
    ///
    /// # Errors
    /// If the connection fails, so that no other letter can be fetched either.
    fn fetch_letter(&mut self, letter: &RemoteLetter) -> Result<FetchOutcome, FetchError>;

    /// Moves letters to the server's folder that corresponds to `mail_folder`. Deletes none.
    ///
    /// # Errors
    /// If the server fails or refuses. Some letters may have been moved.
    fn move_to_folder(
        &mut self,
        letters: &[RemoteLetter],
        mail_folder: MailFolder,
    ) -> Result<(), FetchError>;
}
