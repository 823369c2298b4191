//! Outbound transports: compose the bytes of a letter, and pass it to a Maildir, an SMTP server or
//! a sendmail program.
//!
//! Only this folder uses the `lettre` crate.

mod compose;
mod header_text;
mod refusal;
mod sendmail;
mod session;
mod smtp;

pub use compose::{ComposeError, Draft, Origin, check_address, compose_letter_bytes};
pub(crate) use header_text::{HeaderText, append_tag_to_subject};
pub use sendmail::SendmailTransport;
pub use smtp::SmtpTransport;

use crate::mail::bounce::find_status_code;
use crate::mail::{FailureCause, Maildir, PermanentFault};
use lettre::Address;
use std::path::PathBuf;

/// The reason given for letters that were not tried because the time limit for all letters of a
/// pass was reached.
const OUT_OF_TIME: &str = "it took too long; the next pass goes on";

/// A composed letter to be sent.
#[derive(Clone, Copy, Debug)]
pub struct OutgoingMessage<'a> {
    /// The Message-ID without the angle brackets.
    pub message_id: &'a str,
    /// The recipient's address.
    pub recipient: &'a str,
    /// The whole letter. Lines end in CR LF.
    pub bytes: &'a [u8],
}

/// The reason why a transport did not send a letter.
///
/// A server may refuse one letter for a reason that concerns the club. For example, a server over
/// its daily quota refuses every letter permanently. So only [`Unavailable`](Self::Unavailable) and
/// [`NeedsFix`](Self::NeedsFix) are final; the sending pass interprets the others by how many
/// letters the transport accepts.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PostError {
    /// The recipient's mailbox does not accept letters.
    #[error("no letter is taken for the recipient: {0}")]
    RecipientRefused(String),
    /// The server refuses this letter permanently.
    #[error("refused for good: {0}")]
    Refused(String),
    /// The server refuses this letter temporarily.
    #[error("not taken now: {0}")]
    Temporary(String),
    /// The transport is unavailable, so the pass does not try the remaining letters.
    #[error("cannot be posted now: {0}")]
    Unavailable(String),
    /// Like [`Unavailable`](Self::Unavailable), but a person must fix something first.
    #[error("cannot be posted until it is mended: {1}")]
    NeedsFix(PermanentFault, String),
    /// One of the other errors, after the letter's text was sent. The server may have accepted the
    /// letter.
    #[error(transparent)]
    PossiblySent(Box<Self>),
}

impl PostError {
    /// Returns the text of the error, usually the server's answer.
    pub(crate) fn reason(&self) -> &str {
        match self {
            Self::RecipientRefused(why) | Self::Refused(why) | Self::Temporary(why) => why,
            Self::Unavailable(why) | Self::NeedsFix(_, why) => why,
            Self::PossiblySent(error) => error.reason(),
        }
    }

    /// Converts a file system error of the transport's folder or program, which is called `name` in
    /// the text.
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

    /// Returns the error with its text replaced by `tell(text)`.
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

    /// Returns the error without the [`PossiblySent`](Self::PossiblySent) wrapper, and whether it
    /// had one.
    pub fn unwrap_possibly_sent(self) -> (Self, bool) {
        match self {
            Self::PossiblySent(error) => (error.unwrap_possibly_sent().0, true),
            error => (error, false),
        }
    }

    /// Returns the status code (RFC 3463) in the error's text, such as `5.1.1`.
    pub(crate) fn status_code(&self) -> Option<String> {
        find_status_code(self.reason())
    }

    pub(crate) fn failure_cause(&self) -> FailureCause {
        match self {
            Self::RecipientRefused(_) => FailureCause::UnknownAddress,
            Self::PossiblySent(error) => error.failure_cause(),
            _ => FailureCause::classify(&self.status_code().unwrap_or_default(), self.reason()),
        }
    }

    /// Whether the server cannot send to the address because it is not ASCII before the `@`.
    pub(crate) fn needs_smtputf8(&self) -> bool {
        self.reason().contains("SMTPUTF8")
    }

    /// Whether the error concerns only the recipient's mailbox.
    pub(crate) fn is_about_mailbox(&self) -> bool {
        let said_so =
            || self.status_code().is_some_and(|status| refusal::is_mailbox_status(&status));
        matches!(self, Self::RecipientRefused(_)) || matches!(self, Self::Temporary(_)) && said_so()
    }
}

/// An outbound transport.
pub trait Transport {
    /// Sends a letter. `Ok` means that another system has taken responsibility for delivering it.
    ///
    /// # Errors
    /// If the letter was not, or perhaps not, accepted.
    fn post(&mut self, outgoing: &OutgoingMessage<'_>) -> Result<(), PostError>;

    /// The number of letters to send before their results are saved. After a crash, all letters of
    /// the unsaved batch are sent again. So the size is 1 if recipients would see a duplicate.
    fn letters_per_save(&self) -> usize;
}

/// A transport that writes letters into a Maildir, from which another program sends them.
#[derive(Clone, Debug)]
pub(crate) struct MaildirTransport(Maildir);

impl MaildirTransport {
    /// Returns a transport to the Maildir in the folder `root`, which must exist.
    pub(crate) const fn new(root: PathBuf) -> Self {
        Self(Maildir::new(root))
    }
}

impl Transport for MaildirTransport {
    fn post(&mut self, outgoing: &OutgoingMessage<'_>) -> Result<(), PostError> {
        // The file name is derived from the Message-ID, so sending a letter twice replaces its
        // first copy.
        let name: String = outgoing
            .message_id
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-') { c } else { '_' })
            .collect();
        let kept = self.0.insert(&name, &to_unix_line_ends(outgoing.bytes), None);
        kept.map_err(|error| PostError::from_io_error(&error, &self.0.root().display().to_string()))
    }

    fn letters_per_save(&self) -> usize {
        1_000
    }
}

/// Returns the letter with `\n` line ends, which files and programs on Unix expect.
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

fn parse_address(text: &str) -> Result<Address, String> {
    text.parse().map_err(|error| format!("{}: {error}", text.escape_default()))
}
