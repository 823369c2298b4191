//! The way in from a mail server, by IMAP over TLS.
//!
//! The only folder that names the imap crate. It knows where letters lie on a server, and not what
//! becomes of them here.

mod account;
mod answer_scanner;
mod imap_server;

pub use imap_server::ImapServer;

use super::{MailFolder, PermanentFault};
use chrono::{DateTime, Utc};

/// A letter that lies on a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteLetter {
    /// The name of its file here, which is always the same for the same letter of the server.
    pub name: String,
    /// Its number in the server's folder.
    pub uid: u32,
}

/// A letter as a server gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchedLetter {
    /// Its bytes, no more than show that it is too long.
    pub bytes: Vec<u8>,
    /// When it came to the server, as far as that tells.
    pub received: Option<DateTime<Utc>>,
}

/// What a server makes of a letter that it is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FetchOutcome {
    /// It is handed over.
    Letter(FetchedLetter),
    /// It is not there any more.
    Gone,
    /// It is there, and the server cannot hand it over: which letter it is, and why. The server can
    /// be asked for others.
    Unfetchable(UnfetchableLetter),
}

/// A letter that a server cannot hand over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnfetchableLetter {
    /// The folder that it lies in.
    pub folder: String,
    /// When it came to the server, as far as that tells.
    pub received: Option<DateTime<Utc>>,
    /// How many bytes it has, as far as the server tells.
    pub(crate) size: Option<u32>,
    /// What the server said.
    pub why: String,
}

/// Why a server cannot be worked with now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("letters cannot be fetched {}: {why}", until_phrase(*permanent_fault))]
pub struct FetchError {
    /// What was said.
    pub why: String,
    /// What a person must mend; none where it may pass by itself.
    pub permanent_fault: Option<PermanentFault>,
}

/// Until when a server cannot be worked with.
const fn until_phrase(mend: Option<PermanentFault>) -> &'static str {
    if mend.is_some() { "until it is mended" } else { "now" }
}

impl FetchError {
    /// Something that may pass by itself.
    pub fn temporary(why: impl Into<String>) -> Self {
        Self { why: why.into(), permanent_fault: None }
    }
}

/// A server that letters are fetched from.
pub trait MailServer {
    /// The letters that lie there, oldest first.
    ///
    /// # Errors
    /// What the server said, or that it is gone.
    fn list_letters(&mut self) -> Result<Vec<RemoteLetter>, FetchError>;

    /// A letter. The server is left as it was.
    ///
    /// # Errors
    /// That the server is gone, or cannot be asked for the other letters any more.
    fn fetch_letter(&mut self, letter: &RemoteLetter) -> Result<FetchOutcome, FetchError>;

    /// Moves letters to the server's folder for this mail folder. Nothing is deleted.
    ///
    /// # Errors
    /// What the server said, or that it is gone; some letters may have been moved then.
    fn move_to_folder(
        &mut self,
        letters: &[RemoteLetter],
        mail_folder: MailFolder,
    ) -> Result<(), FetchError>;
}
