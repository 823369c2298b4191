//! An account on an IMAP server: the encrypted connection, and one session at a time.
//!
//! A session that went wrong is not believed any more. The next question opens a new one, so that
//! an answer which nobody understands costs no more than itself.

use super::FetchError;
use super::answer::Bounded;
use crate::mail::connection::{Bounds, Connection, Trust, explain, is_distrusted, read_line};
use crate::mail::settings::{Imap, Tls};
use crate::mail::{Discretion, Mend, Patience};
use std::io::{self, Read, Write};
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
pub(super) type Session = imap::Session<Bounded<Connection>>;

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
            Some(imap::Error::ConnectionLost) => explain(&io::ErrorKind::ConnectionReset.into()),
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

/// Returns the server's answer or its error. The error is `None` if the answer made the parser
/// panic.
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

/// Opens an encrypted connection. `ca` holds root certificates as PEM that are trusted besides
/// those of the machine.
///
/// # Errors
/// If the server does not answer, or is not the one that it should be.
fn dial(
    (host, port): (&str, u16),
    encrypted: Tls,
    ca: Option<&[u8]>,
    bounds: &Rc<Bounds>,
) -> io::Result<Bounded<Connection>> {
    let trust = Trust::new(ca)?;
    let mut connection = Connection::open((host, port), bounds)?;
    let connection = if encrypted == Tls::Starttls {
        ask_for_tls(&mut connection)?;
        connection.upgrade(host, &trust)?
    } else {
        connection.encrypt(host, &trust)?
    };
    Ok(Bounded::new(connection, bounds))
}

/// Says STARTTLS. The answer is read byte by byte, so that nothing which somebody else put into the
/// plain connection is taken for a part of the encrypted one.
fn ask_for_tls(socket: &mut (impl Read + Write)) -> io::Result<()> {
    let greeting = read_line(socket)?;
    if !greeting.starts_with("* OK") {
        return Err(io::Error::other(format!("the server greets with: {greeting}")));
    }
    socket.write_all(b"s STARTTLS\r\n")?;
    // A server may say something else first, but not for ever.
    for _ in 0..20 {
        let answer = read_line(socket)?;
        match answer.strip_prefix("s ") {
            Some(answer) if answer.to_ascii_uppercase().starts_with("OK") => return Ok(()),
            Some(answer) => {
                return Err(io::Error::other(format!("the server refuses STARTTLS: {answer}")));
            }
            None => {}
        }
    }
    Err(io::Error::other("the server does not answer to STARTTLS"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// A server that has already said all that it will say.
    struct Said(Cursor<&'static str>, Vec<u8>);

    impl Read for Said {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.read(buffer)
        }
    }

    impl Write for Said {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.1.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn nothing_beyond_the_answer_to_starttls_is_read() {
        let mut server = Said(Cursor::new("* OK hi\r\ns OK begin\r\n* OK injected\r\n"), vec![]);
        ask_for_tls(&mut server).expect("agreed");
        assert_eq!(server.1, b"s STARTTLS\r\n");
        let mut rest = String::new();
        server.0.read_to_string(&mut rest).expect("the rest");
        assert_eq!(rest, "* OK injected\r\n");
        let refuses = |text| ask_for_tls(&mut Said(Cursor::new(text), vec![])).is_err();
        assert!(refuses("* OK hi\r\ns NO not here\r\n"));
        assert!(refuses("* BYE too many\r\n"));
        assert!(refuses("* OK hi\r\n"));
    }
}
