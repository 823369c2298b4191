//! The ways out: composing a letter's bytes, and handing them to a Maildir or a mail server.
//!
//! The only folder that names lettre.

mod compose;
mod header_text;
mod refusal;
mod sendmail;
mod session;
mod smtp;

pub use compose::{ComposeError, Draft, Origin, check_address, compose};
pub(crate) use header_text::{HeaderText, tagged};
pub use sendmail::MailProgram;
pub use smtp::MailServerTransport;

use crate::mail::bounce::status_code;
use crate::mail::{Cause, Maildir, Mend};
use lettre::Address;
use std::path::PathBuf;

/// Why the letters that are left are not tried: the time for all letters of a pass is used up.
const TOO_LONG: &str = "it took too long; the next pass goes on";

/// A letter that is ready to go.
#[derive(Clone, Copy, Debug)]
pub struct OutgoingMessage<'a> {
    /// Its Message-ID without the angle brackets.
    pub message_id: &'a str,
    /// Whom it goes to.
    pub recipient: &'a str,
    /// The whole letter, lines ended by CR LF.
    pub bytes: &'a [u8],
}

/// Why a letter did not go.
///
/// What is said of a letter may be meant for us: a server that takes nothing more from us today
/// refuses each letter for good. So none of this but [`Down`](Self::Down) and
/// [`Shut`](Self::Shut) is the last word; whoever posts many letters sees whether the way out takes
/// any.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PostError {
    /// Its recipient takes no letters.
    #[error("no letter is taken for the recipient: {0}")]
    NoMailbox(String),
    /// This one is never taken.
    #[error("refused for good: {0}")]
    Refused(String),
    /// This one is not taken now.
    #[error("not taken now: {0}")]
    Later(String),
    /// The way out is closed: the other letters need not be tried.
    #[error("cannot be posted now: {0}")]
    Down(String),
    /// The same until a person mends something.
    #[error("cannot be posted until it is mended: {1}")]
    Shut(Mend, String),
    /// One of these, after it was handed over: perhaps it was taken all the same.
    #[error(transparent)]
    Doubtful(Box<Self>),
}

impl PostError {
    /// What was said.
    pub(crate) fn why(&self) -> &str {
        match self {
            Self::NoMailbox(why) | Self::Refused(why) | Self::Later(why) => why,
            Self::Down(why) | Self::Shut(_, why) => why,
            Self::Doubtful(error) => error.why(),
        }
    }

    /// What an error of the file system with our side of a way out means.
    fn of_file(error: &std::io::Error, name: &str) -> Self {
        let why = match error.kind() {
            std::io::ErrorKind::NotFound => format!("{name} is not there"),
            _ => format!("{name}: {error}"),
        };
        match Mend::of_file(error) {
            Some(mend) => Self::Shut(mend, why),
            None => Self::Down(why),
        }
    }

    /// The same with what was said told otherwise.
    #[must_use]
    pub(crate) fn told_as(self, tell: &dyn Fn(&str) -> String) -> Self {
        match self {
            Self::NoMailbox(why) => Self::NoMailbox(tell(&why)),
            Self::Refused(why) => Self::Refused(tell(&why)),
            Self::Later(why) => Self::Later(tell(&why)),
            Self::Down(why) => Self::Down(tell(&why)),
            Self::Shut(mend, why) => Self::Shut(mend, tell(&why)),
            Self::Doubtful(error) => Self::Doubtful(Box::new(error.told_as(tell))),
        }
    }

    /// What it is by itself, and whether the letter was perhaps taken all the same.
    pub fn apart(self) -> (Self, bool) {
        match self {
            Self::Doubtful(error) => (error.apart().0, true),
            error => (error, false),
        }
    }

    /// The status code in what was said, such as `5.1.1`.
    pub(crate) fn status(&self) -> Option<String> {
        status_code(self.why())
    }

    /// Returns the cause of the error.
    pub(crate) fn cause(&self) -> Cause {
        match self {
            Self::NoMailbox(_) => Cause::Address,
            Self::Doubtful(error) => error.cause(),
            _ => Cause::of(&self.status().unwrap_or_default(), self.why()),
        }
    }

    /// Whether it was said of the recipient's mailbox and of nothing else.
    pub(crate) fn is_of_mailbox(&self) -> bool {
        let said_so = || self.status().is_some_and(|status| refusal::is_of_mailbox(&status));
        matches!(self, Self::NoMailbox(_)) || matches!(self, Self::Later(_)) && said_so()
    }
}

/// A way out.
pub trait Transport {
    /// Hands a letter over. When this returns well somebody else answers for it.
    ///
    /// # Errors
    /// Whether to try again.
    fn post(&mut self, outgoing: &OutgoingMessage<'_>) -> Result<(), PostError>;

    /// How many letters may be handed over before it is written down that they went. After a crash
    /// these go again, so where a second copy would be seen it is one.
    fn batch_size(&self) -> usize;
}

/// Puts letters into a Maildir, from where another program takes them.
#[derive(Clone, Debug)]
pub(crate) struct MaildirTransport(Maildir);

impl MaildirTransport {
    /// A transport to the Maildir in this folder, which must exist.
    pub(crate) const fn new(root: PathBuf) -> Self {
        Self(Maildir::new(root))
    }
}

impl Transport for MaildirTransport {
    fn post(&mut self, outgoing: &OutgoingMessage<'_>) -> Result<(), PostError> {
        // The name comes from the Message-ID, so posting a letter again replaces its first copy.
        let name: String = outgoing
            .message_id
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-') { c } else { '_' })
            .collect();
        let kept = self.0.keep(&name, &with_own_line_ends(outgoing.bytes), None);
        kept.map_err(|error| PostError::of_file(&error, &self.0.root().display().to_string()))
    }

    fn batch_size(&self) -> usize {
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

/// An address as mail servers take it.
fn address(text: &str) -> Result<Address, String> {
    text.parse().map_err(|error| format!("{}: {error}", text.escape_default()))
}
