//! An account on an IMAP server: how to get in, and one session in it at a time.
//!
//! A session that went wrong is not believed any more. The next question opens a new one, so that
//! an answer which nobody understands costs no more than itself.

use super::FetchError;
use super::line::{Line, dial};
use crate::mail::connection::{Bounds, explain, is_distrusted};
use crate::mail::settings::{Imap, Tls};
use crate::mail::{Discretion, Mend, Patience};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::Duration;

/// How many bytes an answer may have that holds no letter and no list.
pub(super) const FEW: usize = 256 * 1024;
/// How often a session is opened in one pass: servers shut out whom they see too often.
const SESSIONS_MAX: u32 = 8;
/// How long a server may take to say good-bye.
const GOOD_BYE: Duration = Duration::from_secs(5);

/// A session that is signed in.
pub(super) type Session = imap::Session<Line>;

/// What went wrong with one question.
pub(super) enum Fault {
    /// The server said no; it can be asked something else.
    No(String),
    /// Nobody knows what the server would say to the next question.
    Broken(String),
}

impl Fault {
    /// What was said.
    pub(crate) fn why(self) -> String {
        match self {
            Self::No(why) | Self::Broken(why) => why,
        }
    }
}

impl From<Fault> for FetchError {
    fn from(fault: Fault) -> Self {
        Self::now(fault.why())
    }
}

/// An account at a mail server, as far as a session needs to know it.
pub(super) struct Account {
    pub settings: Imap,
    password: String,
    ca: Option<Vec<u8>>,
    bounds: Rc<Bounds>,
    /// Keeps the password out of what the server says.
    discretion: Discretion,
    session: Option<Session>,
    /// How many sessions were opened.
    opened: u32,
    /// The folder's UIDVALIDITY: while it is the same, so are the letters' numbers.
    validity: Option<u32>,
}

impl Account {
    pub(crate) fn new(
        settings: &Imap,
        password: &str,
        ca: Option<&[u8]>,
        patience: Patience,
    ) -> Self {
        Self {
            settings: settings.clone(),
            password: password.to_owned(),
            ca: ca.map(<[u8]>::to_vec),
            bounds: Rc::new(Bounds::new(patience)),
            discretion: Discretion::about(password),
            session: None,
            opened: 0,
            validity: None,
        }
    }

    /// Signs in and opens the folder, unless that is done; the folder's UIDVALIDITY.
    ///
    /// # Errors
    /// Why that cannot be done now.
    pub(crate) fn enter(&mut self) -> Result<u32, FetchError> {
        if let (Some(_), Some(validity)) = (&self.session, self.validity) {
            return Ok(validity);
        }
        let place = format!("{}:{}", self.settings.host, self.settings.port());
        let at = |FetchError { why, mend }| FetchError { why: format!("{place}: {why}"), mend };
        if self.bounds.is_over() {
            return Err(at(FetchError::now("it took too long; the next pass goes on")));
        }
        if self.opened == SESSIONS_MAX {
            return Err(at(FetchError::now("the line broke too often; the next pass goes on")));
        }
        self.opened += 1;
        let session = self.sign_in().map_err(at)?;
        self.session = Some(session);
        self.open_folder().map_err(|fault| {
            let is_no = matches!(&fault, Fault::No(why) if !Mend::may_pass(why));
            at(FetchError { why: fault.why(), mend: is_no.then_some(Mend::Missing) })
        })
    }

    fn sign_in(&self) -> Result<Session, FetchError> {
        let Imap { host, user, tls, .. } = &self.settings;
        let said = |error: &dyn std::fmt::Display| self.discretion.shown(&error.to_string());
        let address = (host.as_str(), self.settings.port());
        let line = self.bounds.step(FEW, None, || {
            dial(address, *tls, self.ca.as_deref(), &self.bounds).map_err(|error| FetchError {
                why: said(&error),
                mend: is_distrusted(&error).then_some(Mend::Settings),
            })
        })?;
        let mut client = imap::Client::new(line);
        if *tls == Tls::Tls {
            let greeting = self.bounds.step(FEW, None, || client.read_greeting());
            greeting.map_err(|error| FetchError::now(said(&error)))?;
        }
        let signed = self.bounds.step(FEW, None, || {
            let login = || client.login(user, &self.password).map_err(|(error, _)| error);
            understood(login).map_err(|error| {
                let why = error.as_ref().map_or_else(nonsense, |error| said(error));
                let refused = matches!(error, Some(imap::Error::No(_))) && !Mend::may_pass(&why);
                (why, refused.then_some(Mend::Forbidden))
            })
        });
        signed
            .map_err(|(why, mend)| FetchError { why: format!("signing in as {user}: {why}"), mend })
    }

    /// Opens the folder that letters arrive in.
    pub(crate) fn open_folder(&mut self) -> Result<u32, Fault> {
        let folder = self.settings.folder.clone();
        let named = |why: String| format!("the folder {folder}: {why}");
        // The crate's own way gives up over a warning of the server's.
        let select = format!("SELECT {}", quoted(&folder));
        let said = self.ask(FEW, |session| session.run_command_and_read_response(&select));
        let validity = match said {
            Ok(said) => validity_in(&said),
            Err(Fault::No(why)) => return Err(Fault::No(named(why))),
            Err(broken) => return Err(broken),
        };
        let fault = match (self.validity, validity) {
            (_, None) => Some("it has no UIDVALIDITY"),
            // Numbers that were read before would name other letters now.
            (Some(before), Some(now)) if before != now => Some("its UIDVALIDITY has changed"),
            _ => None,
        };
        if let Some(fault) = fault {
            self.session = None;
            return Err(Fault::Broken(named(fault.to_owned())));
        }
        self.validity = validity;
        Ok(validity.unwrap_or_default())
    }

    /// Asks something in the open session, whose answer has at most so many bytes.
    pub(crate) fn ask<T>(
        &mut self,
        bytes: usize,
        question: impl FnOnce(&mut Session) -> imap::Result<T>,
    ) -> Result<T, Fault> {
        let Some(session) = &mut self.session else {
            return Err(Fault::Broken("the line is broken".to_owned()));
        };
        let answer = self.bounds.step(bytes, None, || understood(|| question(session)));
        let error = match answer {
            Ok(answer) => return Ok(answer),
            Err(Some(imap::Error::No(no))) => return Err(self.no(&no.information)),
            Err(Some(imap::Error::Bad(bad))) => return Err(self.no(&bad.information)),
            Err(error) => error,
        };
        self.session = None;
        Err(Fault::Broken(match error {
            Some(imap::Error::Io(error)) => self.discretion.shown(&explain(&error)),
            Some(imap::Error::ConnectionLost) => {
                explain(&std::io::ErrorKind::ConnectionReset.into())
            }
            Some(imap::Error::Bye(bye)) if bye.code.is_some() => {
                self.discretion.shown(&bye.information)
            }
            _ => nonsense(),
        }))
    }

    /// Whether the last session went wrong.
    pub(crate) const fn is_broken(&self) -> bool {
        self.session.is_none()
    }

    fn no(&self, said: &str) -> Fault {
        Fault::No(format!("the server says: {}", self.discretion.shown(said)))
    }

    /// Says good-bye. Politeness only: nothing depends on it.
    pub(crate) fn leave(&mut self) {
        if let Some(mut session) = self.session.take() {
            let _ = self.bounds.step(FEW, Some(GOOD_BYE), || understood(|| session.logout()));
        }
    }
}

/// What a server answered; none when its answer threw its reader.
fn understood<T>(question: impl FnOnce() -> imap::Result<T>) -> Result<T, Option<imap::Error>> {
    catch_unwind(AssertUnwindSafe(question)).map_err(|_| None)?.map_err(Some)
}

fn nonsense() -> String {
    "its answer cannot be understood".to_owned()
}

/// The UIDVALIDITY that a folder was opened with.
fn validity_in(said: &[u8]) -> Option<u32> {
    let text = String::from_utf8_lossy(said).to_ascii_uppercase();
    let (_, rest) = text.split_once("[UIDVALIDITY ")?;
    rest.split(']').next()?.trim().parse().ok()
}

/// A folder's name as some commands want it; the others quote it themselves.
pub(super) fn quoted(folder: &str) -> String {
    format!("\"{folder}\"")
}
