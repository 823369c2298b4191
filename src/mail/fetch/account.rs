//! The encrypted connection to an IMAP account, with one session at a time.
//!
//! A session is dropped after a connection error or an invalid answer. The next command opens a new
//! session, so one faulty answer affects only its own command.

use super::FetchError;
use super::answer_scanner::CheckedStream;
use crate::mail::connection::{
    Connection, SessionLimits, TrustedRoots, describe_error, is_certificate_rejected,
    read_line_bytewise,
};
use crate::mail::settings::{ImapSettings, TlsMode};
use crate::mail::{PasswordMask, PermanentFault, Timeouts};
use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::Duration;

/// The most bytes of an answer that contains no letter and no list.
pub(super) const SHORT_ANSWER_MAX: usize = 256 * 1024;
/// The most sessions per pass. Servers block clients that connect too often.
const SESSIONS_MAX: u32 = 8;
/// The time limit for the answer to LOGOUT. No result depends on that answer.
const LOGOUT_TIMEOUT: Duration = Duration::from_secs(5);

pub(super) type ImapSession = imap::Session<CheckedStream<Connection>>;

/// The reason why a command failed.
pub(super) enum ImapFault {
    /// The server refused the command. The session can still be used.
    Refused(String),
    /// The connection failed or the answer is invalid. The session is dropped.
    Broken(String),
}

impl ImapFault {
    pub(crate) fn into_reason(self) -> String {
        match self {
            Self::Refused(why) | Self::Broken(why) => why,
        }
    }
}

impl From<ImapFault> for FetchError {
    fn from(fault: ImapFault) -> Self {
        Self::temporary(fault.into_reason())
    }
}

/// An IMAP account, with its open session if there is one.
pub(super) struct ImapAccount {
    pub settings: ImapSettings,
    password: String,
    ca: Option<Vec<u8>>,
    limits: Rc<SessionLimits>,
    /// Removes the password from error texts, because a server may repeat it in an answer.
    password_mask: PasswordMask,
    session: Option<ImapSession>,
    /// The number of sessions that were opened in this pass.
    sessions_opened: u32,
    /// The folder's UIDVALIDITY. As long as it does not change, each UID identifies one letter.
    uid_validity: Option<u32>,
}

impl ImapAccount {
    pub(crate) fn new(
        settings: &ImapSettings,
        password: &str,
        ca: Option<&[u8]>,
        timeouts: Timeouts,
    ) -> Self {
        Self {
            settings: settings.clone(),
            password: password.to_owned(),
            ca: ca.map(<[u8]>::to_vec),
            limits: Rc::new(SessionLimits::new(timeouts)),
            password_mask: PasswordMask::new(password),
            session: None,
            sessions_opened: 0,
            uid_validity: None,
        }
    }

    /// Logs in and opens the folder, unless a session is open. Returns the folder's UIDVALIDITY.
    pub(crate) fn log_in_if_needed(&mut self) -> Result<u32, FetchError> {
        if let (Some(_), Some(validity)) = (&self.session, self.uid_validity) {
            return Ok(validity);
        }
        let place = format!("{}:{}", self.settings.host, self.settings.port());
        let at = |FetchError { why, permanent_fault: mend }| FetchError {
            why: format!("{place}: {why}"),
            permanent_fault: mend,
        };
        if self.limits.is_out_of_time() {
            return Err(at(FetchError::temporary("it took too long; the next pass goes on")));
        }
        if self.sessions_opened == SESSIONS_MAX {
            return Err(at(FetchError::temporary(
                "the line broke too often; the next pass goes on",
            )));
        }
        self.sessions_opened += 1;
        let session = self.sign_in().map_err(at)?;
        self.session = Some(session);
        self.select_folder().map_err(|fault| {
            let is_no =
                matches!(&fault, ImapFault::Refused(why) if !PermanentFault::is_temporary(why));
            at(FetchError {
                why: fault.into_reason(),
                permanent_fault: is_no.then_some(PermanentFault::Missing),
            })
        })
    }

    fn sign_in(&self) -> Result<ImapSession, FetchError> {
        let ImapSettings { host, user, tls, .. } = &self.settings;
        let said =
            |error: &dyn std::fmt::Display| self.password_mask.mask_and_shorten(&error.to_string());
        let address = (host.as_str(), self.settings.port());
        let line = self.limits.run_with_limits(SHORT_ANSWER_MAX, None, || {
            connect(address, *tls, self.ca.as_deref(), &self.limits).map_err(|error| FetchError {
                why: said(&error),
                permanent_fault: is_certificate_rejected(&error)
                    .then_some(PermanentFault::Settings),
            })
        })?;
        let mut client = imap::Client::new(line);
        if *tls == TlsMode::Tls {
            let greeting =
                self.limits.run_with_limits(SHORT_ANSWER_MAX, None, || client.read_greeting());
            greeting.map_err(|error| FetchError::temporary(said(&error)))?;
        }
        let signed = self.limits.run_with_limits(SHORT_ANSWER_MAX, None, || {
            let login = || client.login(user, &self.password).map_err(|(error, _)| error);
            catch_parser_panic(login).map_err(|error| {
                let why = error.as_ref().map_or_else(unintelligible_answer, |error| said(error));
                let refused = matches!(error, Some(imap::Error::No(_)))
                    && !PermanentFault::is_temporary(&why);
                (why, refused.then_some(PermanentFault::Forbidden))
            })
        });
        signed.map_err(|(why, mend)| FetchError {
            why: format!("signing in as {user}: {why}"),
            permanent_fault: mend,
        })
    }

    /// Opens the folder in which letters arrive. Returns its UIDVALIDITY.
    pub(crate) fn select_folder(&mut self) -> Result<u32, ImapFault> {
        let folder = self.settings.folder.clone();
        let named = |why: String| format!("the folder {folder}: {why}");
        // The crate's own `select` fails if the server sends a warning.
        let select = format!("SELECT {}", quote_folder(&folder));
        let said = self.run_command(SHORT_ANSWER_MAX, |session| {
            session.run_command_and_read_response(&select)
        });
        let validity = match said {
            Ok(said) => parse_uid_validity(&said),
            Err(ImapFault::Refused(why)) => return Err(ImapFault::Refused(named(why))),
            Err(broken) => return Err(broken),
        };
        let fault = match (self.uid_validity, validity) {
            (_, None) => Some("it has no UIDVALIDITY"),
            // The UIDs that were read before could now identify other letters.
            (Some(before), Some(now)) if before != now => Some("its UIDVALIDITY has changed"),
            _ => None,
        };
        if let Some(fault) = fault {
            self.session = None;
            return Err(ImapFault::Broken(named(fault.to_owned())));
        }
        self.uid_validity = validity;
        Ok(validity.unwrap_or_default())
    }

    /// Runs a command in the open session, with a limit of `bytes` bytes for its answer.
    pub(crate) fn run_command<T>(
        &mut self,
        bytes: usize,
        question: impl FnOnce(&mut ImapSession) -> imap::Result<T>,
    ) -> Result<T, ImapFault> {
        let Some(session) = &mut self.session else {
            return Err(ImapFault::Broken("the line is broken".to_owned()));
        };
        let answer =
            self.limits.run_with_limits(bytes, None, || catch_parser_panic(|| question(session)));
        let error = match answer {
            Ok(answer) => return Ok(answer),
            Err(Some(imap::Error::No(no))) => {
                return Err(self.refusal_with_masked_text(&no.information));
            }
            Err(Some(imap::Error::Bad(bad))) => {
                return Err(self.refusal_with_masked_text(&bad.information));
            }
            Err(error) => error,
        };
        self.session = None;
        Err(ImapFault::Broken(match error {
            Some(imap::Error::Io(error)) => {
                self.password_mask.mask_and_shorten(&describe_error(&error))
            }
            Some(imap::Error::ConnectionLost) => {
                describe_error(&io::ErrorKind::ConnectionReset.into())
            }
            Some(imap::Error::Bye(bye)) if bye.code.is_some() => {
                self.password_mask.mask_and_shorten(&bye.information)
            }
            _ => unintelligible_answer(),
        }))
    }

    /// Whether no session is open, because the last one failed.
    pub(crate) const fn has_no_session(&self) -> bool {
        self.session.is_none()
    }

    fn refusal_with_masked_text(&self, said: &str) -> ImapFault {
        ImapFault::Refused(format!(
            "the server says: {}",
            self.password_mask.mask_and_shorten(said)
        ))
    }

    /// Sends LOGOUT. Errors are ignored, because no result depends on it.
    pub(crate) fn log_out(&mut self) {
        if let Some(mut session) = self.session.take() {
            let _ = self.limits.run_with_limits(SHORT_ANSWER_MAX, Some(LOGOUT_TIMEOUT), || {
                catch_parser_panic(|| session.logout())
            });
        }
    }
}

/// Runs a command. The error is `None` if the answer made the parser panic.
fn catch_parser_panic<T>(
    question: impl FnOnce() -> imap::Result<T>,
) -> Result<T, Option<imap::Error>> {
    catch_unwind(AssertUnwindSafe(question)).map_err(|_| None)?.map_err(Some)
}

fn unintelligible_answer() -> String {
    "its answer cannot be understood".to_owned()
}

fn parse_uid_validity(said: &[u8]) -> Option<u32> {
    let text = String::from_utf8_lossy(said).to_ascii_uppercase();
    let (_, rest) = text.split_once("[UIDVALIDITY ")?;
    rest.split(']').next()?.trim().parse().ok()
}

/// Quotes a folder's name, for the functions of the crate that do not quote it themselves.
pub(super) fn quote_folder(folder: &str) -> String {
    format!("\"{folder}\"")
}

/// Opens an encrypted connection. `ca` contains PEM root certificates to trust in addition to those
/// of the operating system.
fn connect(
    (host, port): (&str, u16),
    encrypted: TlsMode,
    ca: Option<&[u8]>,
    bounds: &Rc<SessionLimits>,
) -> io::Result<CheckedStream<Connection>> {
    let trust = TrustedRoots::new(ca)?;
    let mut connection = Connection::open((host, port), bounds)?;
    let connection = if encrypted == TlsMode::Starttls {
        request_starttls(&mut connection)?;
        connection.upgrade_to_tls(host, &trust)?
    } else {
        connection.encrypt(host, &trust)?
    };
    Ok(CheckedStream::new(connection, bounds))
}

/// Sends STARTTLS. Reads the answer byte by byte. So data that an attacker added to the unencrypted
/// connection is not read as part of the encrypted one.
fn request_starttls(socket: &mut (impl Read + Write)) -> io::Result<()> {
    let greeting = read_line_bytewise(socket)?;
    if !greeting.starts_with("* OK") {
        return Err(io::Error::other(format!("the server greets with: {greeting}")));
    }
    socket.write_all(b"s STARTTLS\r\n")?;
    // A server may send other lines first. Their number is limited, so that the loop ends.
    for _ in 0..20 {
        let answer = read_line_bytewise(socket)?;
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

    /// A server whose answers are all available from the start.
    struct ScriptedServer(Cursor<&'static str>, Vec<u8>);

    impl Read for ScriptedServer {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.read(buffer)
        }
    }

    impl Write for ScriptedServer {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.1.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn starttls_reads_only_its_own_answer() {
        let mut server =
            ScriptedServer(Cursor::new("* OK hi\r\ns OK begin\r\n* OK injected\r\n"), vec![]);
        request_starttls(&mut server).expect("agreed");
        assert_eq!(server.1, b"s STARTTLS\r\n");
        let mut rest = String::new();
        server.0.read_to_string(&mut rest).expect("the rest");
        assert_eq!(rest, "* OK injected\r\n");
        let refuses =
            |text| request_starttls(&mut ScriptedServer(Cursor::new(text), vec![])).is_err();
        assert!(refuses("* OK hi\r\ns NO not here\r\n"));
        assert!(refuses("* BYE too many\r\n"));
        assert!(refuses("* OK hi\r\n"));
    }
}
