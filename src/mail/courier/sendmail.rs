//! Posting by the machine's own mail program.

use super::smtp::said;
use super::{Courier, Parcel, PostError, envelope, with_own_line_ends};
use crate::club::Sendmail;
use lettre::{SendmailTransport, Transport};
use std::error::Error;

/// Hands letters to a program as sendmail takes them: `-i -f SENDER -- RECIPIENT`, the letter on
/// its standard input.
pub struct SendmailCourier {
    transport: SendmailTransport,
    /// Where a letter comes back to that was taken and could not be delivered.
    sender: String,
}

impl SendmailCourier {
    /// A courier by this program, which is not started yet.
    pub fn new(settings: &Sendmail, sender: &str) -> Self {
        let transport = SendmailTransport::new_with_command(&settings.command);
        Self { transport, sender: sender.to_owned() }
    }
}

impl Courier for SendmailCourier {
    fn post(&mut self, parcel: &Parcel<'_>) -> Result<(), PostError> {
        let envelope = envelope(&self.sender, parcel)?;
        let bytes = with_own_line_ends(parcel.bytes);
        self.transport.send_raw(&envelope, &bytes).map_err(|error| {
            // Whether the program failed for good or for now cannot be told apart here.
            let cannot_run = error.source().is_some_and(|cause| cause.is::<std::io::Error>());
            if cannot_run { PostError::Down(said(&error)) } else { PostError::Later(said(&error)) }
        })
    }

    fn handful(&self) -> usize {
        1
    }
}
