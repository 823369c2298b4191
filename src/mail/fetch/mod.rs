//! The way in from a mail server, by IMAP over TLS.
//!
//! The only folder that names the imap crate and rustls. It knows where letters lie on a server,
//! and not what becomes of them here.

mod imap_server;
mod line;

pub use imap_server::ImapServer;

use super::Tray;
use chrono::{DateTime, Utc};

/// A letter that lies on a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remote {
    /// The name of its file here, which is always the same for the same letter of the server.
    pub name: String,
    /// Its number in the server's folder.
    pub uid: u32,
}

/// A letter as a server gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// Its bytes, no more than show that it is too long.
    pub bytes: Vec<u8>,
    /// When it came to the server, as far as that tells.
    pub received: Option<DateTime<Utc>>,
}

/// Why a server cannot be worked with now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("letters cannot be fetched now: {0}")]
pub struct FetchError(pub String);

/// A server that letters are fetched from.
pub trait MailServer {
    /// The letters that lie there, oldest first.
    ///
    /// # Errors
    /// What the server said, or that it is gone.
    fn letters(&mut self) -> Result<Vec<Remote>, FetchError>;

    /// A letter; none when it has vanished. The server is left as it was.
    ///
    /// # Errors
    /// What the server said, or that it is gone.
    fn fetch(&mut self, letter: &Remote) -> Result<Option<Fetched>, FetchError>;

    /// Moves letters to the server's folder for this tray. Nothing is deleted.
    ///
    /// # Errors
    /// What the server said, or that it is gone; some letters may have been moved then.
    fn put(&mut self, letters: &[Remote], tray: Tray) -> Result<(), FetchError>;
}
