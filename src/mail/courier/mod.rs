//! The ways out: composing a letter's bytes, and handing them to a Maildir or a mail server.
//!
//! The only folder that names lettre. A letter has its bytes before it is queued, so whatever could
//! go wrong in composing it cannot go wrong later.

mod compose;
mod header_text;
mod sendmail;
mod smtp;

pub use compose::{ComposeError, Draft, Origin, compose};
pub use header_text::HeaderText;
pub use sendmail::SendmailCourier;
pub use smtp::SmtpCourier;

use crate::disk::{self, Readers};
use lettre::Address;
use lettre::address::Envelope;
use std::path::PathBuf;

/// A letter that is ready to go.
#[derive(Clone, Copy, Debug)]
pub struct Parcel<'a> {
    /// Its Message-ID without the angle brackets.
    pub message_id: &'a str,
    /// Whom it goes to.
    pub recipient: &'a str,
    /// The whole letter, lines ended by CR LF.
    pub bytes: &'a [u8],
}

/// Why a letter did not go.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PostError {
    /// The server will never take this one.
    #[error("refused for good: {0}")]
    Refused(String),
    /// The server does not take this one now.
    #[error("not taken now: {0}")]
    Later(String),
    /// There is no server to speak to now: the other letters need not be tried.
    #[error("cannot be posted now: {0}")]
    Down(String),
}

/// A way out.
pub trait Courier {
    /// Hands a letter over. When this returns well somebody else answers for it.
    ///
    /// # Errors
    /// Whether to try again.
    fn post(&mut self, parcel: &Parcel<'_>) -> Result<(), PostError>;

    /// How many letters may be handed over before it is written down that they went. After a crash
    /// these go again, so where a second copy would be seen it is one.
    fn handful(&self) -> usize;
}

/// Puts letters into a Maildir, from where another program takes them.
#[derive(Clone, Debug)]
pub struct MaildirCourier {
    root: PathBuf,
}

impl MaildirCourier {
    /// A courier to the Maildir in this folder, which must exist.
    pub const fn new(root: PathBuf) -> Self {
        Self { root }
    }
}

impl Courier for MaildirCourier {
    fn post(&mut self, parcel: &Parcel<'_>) -> Result<(), PostError> {
        // The name comes from the Message-ID, so posting a letter again replaces its first copy.
        let name: String = parcel
            .message_id
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-') { c } else { '_' })
            .collect();
        let bytes = with_own_line_ends(parcel.bytes);
        let staging = self.root.join("tmp").join(&name);
        let path = self.root.join("new").join(&name);
        disk::write_whole(&staging, &path, &bytes, Readers::Owner)
            .map_err(|error| PostError::Down(format!("{}: {error}", self.root.display())))
    }

    fn handful(&self) -> usize {
        1_000
    }
}

/// The letter with the line ends of the machine, as files and programs here expect it.
fn with_own_line_ends(bytes: &[u8]) -> Vec<u8> {
    let mut own = Vec::with_capacity(bytes.len());
    let mut rest = bytes.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if !(byte == b'\r' && rest.peek() == Some(&b'\n')) {
            own.push(byte);
        }
    }
    own
}

/// From whom and to whom a letter goes, as mail servers are told.
fn envelope(sender: &str, parcel: &Parcel<'_>) -> Result<Envelope, PostError> {
    let address =
        |text: &str| text.parse::<Address>().map_err(|error| PostError::Refused(error.to_string()));
    Envelope::new(Some(address(sender)?), vec![address(parcel.recipient)?])
        .map_err(|error| PostError::Refused(error.to_string()))
}
