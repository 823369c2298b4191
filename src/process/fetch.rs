//! Letters from a mail server into the inbox, and their moving on the server afterwards.
//!
//! Both halves can be repeated at will. A letter's file has a name that is the letter's own, so it
//! is fetched once whatever happens; and what a pass has made of it stands in the store, so it is
//! moved once a pass that was cut short has been done again.

use super::desk::Fate;
use super::office::{Office, OfficeError};
use super::pass::{Letters, PassReport};
use crate::mail::Tray;
use crate::mail::courier::Courier;
use crate::mail::fetch::{FetchError, Fetched, MailServer, Remote};

/// How many letters one pass fetches at most; the others are there for the next one.
const FETCH_MAX: usize = 10_000;

/// The mail server that a pass fetches from, or why it cannot be spoken to now.
pub type Served = Result<Box<dyn MailServer>, FetchError>;

impl Office {
    /// Does one pass, with letters from a mail server where there is one.
    ///
    /// A server that cannot be worked with is a trouble of the report and no error: letters that
    /// are here already are read, and the outbox is posted. But no deadline bites, as the letter
    /// that was in time may lie on the server.
    ///
    /// # Errors
    /// When the club cannot be read or written. What was committed before stays, and the next pass
    /// goes on from there.
    pub fn pass_with(
        &self,
        server: Option<Served>,
        courier: &mut dyn Courier,
    ) -> Result<PassReport, OfficeError> {
        let Some(server) = server else { return self.pass(courier) };
        let fetched = match server {
            Ok(mut server) => self.fetch(&mut *server)?.map(|letters| (server, letters)),
            Err(error) => Err(error),
        };
        let letters = if fetched.is_ok() { Letters::Here } else { Letters::Elsewhere };
        let mut report = self.pass_after(letters, courier)?;
        let cleared = match fetched {
            Ok((mut server, letters)) => self.clear(&mut *server, &letters)?,
            Err(error) => Err(error),
        };
        if let Err(error) = cleared {
            report.troubles.insert(0, error.to_string());
        }
        Ok(report)
    }

    /// Puts every letter of the server that is new into the inbox. Gives all that lie there.
    ///
    /// # Errors
    /// When the inbox or the store cannot be read or written; inside, when the server fails.
    pub fn fetch(
        &self,
        server: &mut dyn MailServer,
    ) -> Result<Result<Vec<Remote>, FetchError>, OfficeError> {
        let letters = match server.letters() {
            Ok(letters) => letters,
            Err(error) => return Ok(Err(error)),
        };
        let inbox = self.inbox();
        let file = |error| OfficeError::file(inbox.root(), error);
        let here = inbox.names().map_err(file)?;
        let mut fetched = 0;
        for letter in &letters {
            let known =
                here.contains_key(&letter.name) || self.store.seen_file(&letter.name)?.is_some();
            if known || fetched == FETCH_MAX {
                continue;
            }
            match server.fetch(letter) {
                Ok(Some(Fetched { bytes, received })) => {
                    inbox.keep(&letter.name, &bytes, received).map_err(file)?;
                }
                Ok(None) => {}
                Err(error) => return Ok(Err(error)),
            }
            fetched += 1;
        }
        Ok(Ok(letters))
    }

    /// Moves the letters that have been dealt with on the server too.
    ///
    /// # Errors
    /// When the inbox or the store cannot be read; inside, when the server fails.
    pub fn clear(
        &self,
        server: &mut dyn MailServer,
        letters: &[Remote],
    ) -> Result<Result<(), FetchError>, OfficeError> {
        let inbox = self.inbox();
        let here = inbox.names().map_err(|error| OfficeError::file(inbox.root(), error))?;
        let mut done = Vec::new();
        let mut quarantined = Vec::new();
        for letter in letters {
            // A store that was restored knows no files; the inbox's trays do.
            let tray = match self.store.seen_file(&letter.name)? {
                Some(fate) => Some(Fate::from_text(&fate).tray()),
                None => here.get(&letter.name).copied().flatten(),
            };
            match tray {
                Some(Tray::Done) => done.push(letter.clone()),
                Some(Tray::Quarantine) => quarantined.push(letter.clone()),
                None => {}
            }
        }
        let moved =
            server.put(&done, Tray::Done).and_then(|()| server.put(&quarantined, Tray::Quarantine));
        Ok(moved)
    }
}
