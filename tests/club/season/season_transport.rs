//! The outbound transport of the season, which fails as the mode of the pass demands.

use crate::rig::PostedLetter;
use postrider::mail::transport::{OutgoingMessage, PostError, Transport};

/// The planned course of one pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassMode {
    Plain,
    /// The transport is closed.
    Down,
    /// The transport closes after two letters.
    Breaks,
    /// The pass is killed while it posts the third letter.
    Killed,
    /// A second pass runs in the same minute.
    Twice,
}

/// A transport that collects the posted letters. `left` is the number of letters that it still
/// accepts if the mode is `Breaks` or `Killed`. Letters to `full_mailbox` are refused with
/// a temporary error.
pub struct SeasonTransport<'a> {
    pub posted: &'a mut Vec<PostedLetter>,
    pub mode: PassMode,
    pub left: usize,
    pub full_mailbox: Option<String>,
    /// Whether the transport refused a letter because it was closed.
    pub was_closed: bool,
}

impl Transport for SeasonTransport<'_> {
    fn post(&mut self, outgoing: &OutgoingMessage<'_>) -> Result<(), PostError> {
        if self.mode == PassMode::Down || (self.mode == PassMode::Breaks && self.left == 0) {
            self.was_closed = true;
            return Err(PostError::Unavailable("no route to host".to_owned()));
        }
        if self.full_mailbox.as_deref() == Some(outgoing.recipient) {
            return Err(PostError::Temporary("452 4.2.2 mailbox full".to_owned()));
        }
        self.posted.push(PostedLetter {
            to: outgoing.recipient.to_owned(),
            message_id: outgoing.message_id.to_owned(),
            bytes: outgoing.bytes.to_vec(),
        });
        assert!(self.mode != PassMode::Killed || self.left > 0, "killed");
        self.left = self.left.saturating_sub(1);
        Ok(())
    }

    fn letters_per_save(&self) -> usize {
        if self.mode == PassMode::Killed { 1 } else { 100 }
    }
}
