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
pub(crate) use header_text::{HeaderText, subject_with_tag};
pub use sendmail::SendmailTransport;
pub use smtp::SmtpTransport;

use crate::mail::bounce::find_status_code;
use crate::mail::{FailureCause, Maildir, PermanentFault};
use lettre::Address;
use std::path::PathBuf;

/// Why the letters that are left are not tried: the time for all letters of a pass is used up.
const OUT_OF_TIME: &str = "it took too long; the next pass goes on";

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
/// refuses each letter for good. So none of this but [`Unavailable`](Self::Unavailable) and
/// [`NeedsFix`](Self::NeedsFix) is the last word; whoever posts many letters sees whether the way out takes
/// any.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PostError {
    /// Its recipient takes no letters.
    #[error("no letter is taken for the recipient: {0}")]
    RecipientRefused(String),
    /// This one is never taken.
    #[error("refused for good: {0}")]
    Refused(String),
    /// This one is not taken now.
    #[error("not taken now: {0}")]
    Temporary(String),
    /// The way out is closed: the other letters need not be tried.
    #[error("cannot be posted now: {0}")]
    Unavailable(String),
    /// The same until a person mends something.
    #[error("cannot be posted until it is mended: {1}")]
    NeedsFix(PermanentFault, String),
    /// One of these, after it was handed over: perhaps it was taken all the same.
    #[error(transparent)]
    PossiblySent(Box<Self>),
}

impl PostError {
    /// What was said.
    pub(crate) fn reason(&self) -> &str {
        match self {
            Self::RecipientRefused(why) | Self::Refused(why) | Self::Temporary(why) => why,
            Self::Unavailable(why) | Self::NeedsFix(_, why) => why,
            Self::PossiblySent(error) => error.reason(),
        }
    }

    /// What an error of the file system with our side of a way out means.
    fn from_io_error(error: &std::io::Error, name: &str) -> Self {
        let why = match error.kind() {
            std::io::ErrorKind::NotFound => format!("{name} is not there"),
            _ => format!("{name}: {error}"),
        };
        match PermanentFault::from_io_error(error) {
            Some(mend) => Self::NeedsFix(mend, why),
            None => Self::Unavailable(why),
        }
    }

    /// The same with what was said told otherwise.
    #[must_use]
    pub(crate) fn map_reason(self, tell: &dyn Fn(&str) -> String) -> Self {
        match self {
            Self::RecipientRefused(why) => Self::RecipientRefused(tell(&why)),
            Self::Refused(why) => Self::Refused(tell(&why)),
            Self::Temporary(why) => Self::Temporary(tell(&why)),
            Self::Unavailable(why) => Self::Unavailable(tell(&why)),
            Self::NeedsFix(mend, why) => Self::NeedsFix(mend, tell(&why)),
            Self::PossiblySent(error) => Self::PossiblySent(Box::new(error.map_reason(tell))),
        }
    }

    /// What it is by itself, and whether the letter was perhaps taken all the same.
    pub fn unwrap_possibly_sent(self) -> (Self, bool) {
        match self {
            Self::PossiblySent(error) => (error.unwrap_possibly_sent().0, true),
            error => (error, false),
        }
    }

    /// The status code in what was said, such as `5.1.1`.
    pub(crate) fn status_code(&self) -> Option<String> {
        find_status_code(self.reason())
    }

    /// Returns the cause of the error.
    pub(crate) fn failure_cause(&self) -> FailureCause {
        match self {
            Self::RecipientRefused(_) => FailureCause::UnknownAddress,
            Self::PossiblySent(error) => error.failure_cause(),
            _ => FailureCause::classify(&self.status_code().unwrap_or_default(), self.reason()),
        }
    }

    /// Whether it was said of the recipient's mailbox and of nothing else.
    pub(crate) fn is_about_mailbox(&self) -> bool {
        let said_so =
            || self.status_code().is_some_and(|status| refusal::is_mailbox_status(&status));
        matches!(self, Self::RecipientRefused(_)) || matches!(self, Self::Temporary(_)) && said_so()
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
        let kept = self.0.insert(&name, &to_unix_line_ends(outgoing.bytes), None);
        kept.map_err(|error| PostError::from_io_error(&error, &self.0.root().display().to_string()))
    }

    fn batch_size(&self) -> usize {
        1_000
    }
}

/// The letter with the line ends of the machine, as files and programs here expect it.
fn to_unix_line_ends(bytes: &[u8]) -> Vec<u8> {
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
fn parse_address(text: &str) -> Result<Address, String> {
    text.parse().map_err(|error| format!("{}: {error}", text.escape_default()))
}
