//! An SMTP session: commands, and each answer as the answer to the command before it.
//!
//! lettre words the commands and reads the answers. Its own client is not used: it keeps answers
//! that it read before TLS began, and its timeouts start anew with each byte.

use crate::mail::connection::{Bounds, Connection, Trust, explain, is_distrusted, read_line};
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::commands::{Auth, Data, Ehlo, Quit, Starttls};
use lettre::transport::smtp::extension::{ClientId, Extension, ServerInfo};
use lettre::transport::smtp::response::{Response, Severity};
use std::fmt::Display;
use std::io::{self, Read, Write};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The most bytes of one answer.
const ANSWER_MAX: usize = 64 * 1024;
/// The time that a server has to answer QUIT, on which nothing depends.
const PARTING: Duration = Duration::from_secs(2);
/// The most challenges of a server before it lets us in; LOGIN needs two.
const CHALLENGES_MAX: usize = 4;
/// "Send a response to this challenge."
const CHALLENGE: u16 = 334;
/// "Send the text."
const GO_ON: u16 = 354;

/// The server of a session, and how to get in.
pub(super) struct Server {
    pub host: String,
    pub port: u16,
    pub protection: Protection,
    /// Our name for EHLO.
    pub hello: ClientId,
    pub credentials: Option<Credentials>,
}

/// How a connection is encrypted.
pub(super) enum Protection {
    None,
    /// By STARTTLS.
    Upgrade(Trust),
    /// From the first byte.
    Tls(Trust),
}

/// Why a command failed.
pub(super) enum Fault {
    /// The server refused it, with this code and text.
    Refused(u16, String),
    /// The server lacks an extension that the settings need.
    Lacks(String),
    /// Nobody knows what the server would say to the next command.
    Broken(io::Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Broken(error)
    }
}

impl Fault {
    /// Returns the fault in one sentence.
    pub(super) fn why(&self) -> String {
        match self {
            Self::Refused(code, said) => format!("{code} {said}"),
            Self::Lacks(extension) => format!("the server has no {extension}"),
            Self::Broken(error) => explain(error),
        }
    }

    /// Whether the settings do not suit the server.
    pub(super) fn is_of_settings(&self) -> bool {
        match self {
            Self::Refused(..) => false,
            Self::Lacks(_) => true,
            Self::Broken(error) => is_distrusted(error),
        }
    }
}

/// An open session.
pub(super) struct Session {
    connection: Connection,
    bounds: Rc<Bounds>,
    /// The moment at which the current letter times out.
    letter_until: Option<Instant>,
    /// The server's answer to EHLO.
    info: ServerInfo,
}

impl Session {
    /// Connects, encrypts the connection as the server's settings ask, and signs in.
    ///
    /// # Errors
    /// If any of this fails.
    pub(super) fn open(server: &Server, bounds: &Rc<Bounds>) -> Result<Self, Fault> {
        let Server { host, port, protection, hello, credentials } = server;
        let connection = bounds.step(ANSWER_MAX, None, || {
            let connection = Connection::open((host, *port), bounds)?;
            match protection {
                Protection::Tls(trust) => connection.encrypt(host, trust),
                Protection::None | Protection::Upgrade(_) => Ok(connection),
            }
        })?;
        let mut session = Self::new(connection, bounds);
        session.command("")?;
        session.greet(hello)?;
        if let Protection::Upgrade(trust) = protection {
            session = session.upgrade(host, trust)?;
            session.greet(hello)?;
        }
        if let Some(credentials) = credentials {
            session.sign_in(credentials)?;
        }
        Ok(session)
    }

    fn new(connection: Connection, bounds: &Rc<Bounds>) -> Self {
        let (bounds, info) = (Rc::clone(bounds), ServerInfo::default());
        Self { connection, bounds, letter_until: None, info }
    }

    fn greet(&mut self, hello: &ClientId) -> Result<(), Fault> {
        let answer = self.command(Ehlo::new(hello.clone()))?;
        self.info = ServerInfo::from_response(&answer).map_err(|_| nonsense())?;
        Ok(())
    }

    /// Encrypts the connection. What the server said before is forgotten, since anybody on the way
    /// could have said it.
    fn upgrade(mut self, host: &str, trust: &Trust) -> Result<Self, Fault> {
        self.needs(Extension::StartTls)?;
        self.command(Starttls)?;
        let Self { connection, bounds, .. } = self;
        let encrypted = bounds.step(ANSWER_MAX, None, || connection.upgrade(host, trust))?;
        Ok(Self::new(encrypted, &bounds))
    }

    fn sign_in(&mut self, credentials: &Credentials) -> Result<(), Fault> {
        let mechanism = self.info.get_auth_mechanism(DEFAULT_MECHANISMS);
        let mechanism = mechanism.ok_or_else(|| Fault::Lacks("AUTH PLAIN or LOGIN".to_owned()))?;
        let auth = Auth::new(mechanism, credentials.clone(), None).map_err(|_| nonsense())?;
        let mut answer = self.ask(auth)?;
        for _ in 0..CHALLENGES_MAX {
            if !answer.has_code(CHALLENGE) {
                break;
            }
            let auth = Auth::new_from_response(mechanism, credentials.clone(), &answer);
            answer = self.ask(auth.map_err(|_| nonsense())?)?;
        }
        completed(answer).map(drop)
    }

    /// Checks that the server offers an extension.
    ///
    /// # Errors
    /// [`Fault::Lacks`] if it does not.
    pub(super) fn needs(&self, extension: Extension) -> Result<(), Fault> {
        let offered = self.info.supports_feature(extension);
        if offered { Ok(()) } else { Err(Fault::Lacks(extension.to_string())) }
    }

    /// Gives the server this time for all further commands, which are those of one letter.
    pub(super) fn begin_letter(&mut self, time: Duration) {
        self.letter_until = Some(Instant::now() + time);
    }

    /// Sends a command, and returns the answer if the server has done as it was told.
    ///
    /// # Errors
    /// If it has not.
    pub(super) fn command(&mut self, command: impl Display) -> Result<Response, Fault> {
        completed(self.ask(command)?)
    }

    /// Asks to send a letter's text.
    ///
    /// # Errors
    /// If the server does not want it. Then no text may follow, since it would be taken for
    /// commands.
    pub(super) fn ask_for_text(&mut self) -> Result<(), Fault> {
        let answer = self.ask(Data)?;
        if answer.has_code(GO_ON) { Ok(()) } else { Err(nonsense()) }
    }

    /// Sends a letter's text.
    ///
    /// # Errors
    /// If the server does not say that it has taken the letter.
    pub(super) fn text(&mut self, letter: &[u8]) -> Result<(), Fault> {
        completed(self.exchange(&stuffed(letter))?).map(drop)
    }

    /// Says goodbye.
    pub(super) fn quit(&mut self) {
        self.begin_letter(PARTING);
        // The server has taken all that it will take, so its answer changes nothing.
        let _ = self.command(Quit);
    }

    fn ask(&mut self, command: impl Display) -> Result<Response, Fault> {
        self.exchange(command.to_string().as_bytes())
    }

    /// Sends these bytes, in one step with the answer to them.
    fn exchange(&mut self, bytes: &[u8]) -> Result<Response, Fault> {
        let Self { connection, bounds, letter_until, .. } = self;
        let left = letter_until.map(|until| until.saturating_duration_since(Instant::now()));
        let answer = bounds.step(ANSWER_MAX, left, || {
            connection.write_all(bytes)?;
            connection.flush()?;
            answer(connection, bounds)
        })?;
        if answer.is_positive() {
            return Ok(answer);
        }
        Err(Fault::Refused(answer.code().into(), said(&answer)))
    }
}

/// Reads an answer, which may have several lines, and nothing behind it.
fn answer(from: &mut impl Read, bounds: &Bounds) -> Result<Response, Fault> {
    let mut text = String::new();
    loop {
        let line = read_line(from)?;
        bounds.heard(line.len() + 2)?;
        // A code may stand alone, for which lettre wants a space.
        let space = if line.len() == 3 { " " } else { "" };
        text.push_str(&format!("{line}{space}\r\n"));
        if line.as_bytes().get(3) != Some(&b'-') {
            return text.parse().map_err(|_| nonsense());
        }
    }
}

/// Returns the words of an answer in one line. The status code that servers repeat in every line
/// is left out of all lines but the first.
fn said(answer: &Response) -> String {
    let mut lines = answer.message();
    let first = lines.next().unwrap_or_default();
    let status = first.split(' ').next().filter(|word| word.split('.').count() == 3);
    lines.fold(first.to_owned(), |text, line| {
        let rest = status.and_then(|status| line.strip_prefix(status)?.strip_prefix(' '));
        text + " " + rest.unwrap_or(line)
    })
}

/// Returns an answer that says that a command is completed.
fn completed(answer: Response) -> Result<Response, Fault> {
    let is_completed = answer.code().severity == Severity::PositiveCompletion;
    if is_completed { Ok(answer) } else { Err(nonsense()) }
}

fn nonsense() -> Fault {
    Fault::Broken(io::Error::other("its answer cannot be understood"))
}

/// Returns a letter's text as SMTP sends it: every line ends in CR LF, a dot before each that
/// begins with one, and a line with a single dot at the end.
fn stuffed(letter: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(letter.len() + letter.len() / 32);
    for line in letter.split_inclusive(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.starts_with(b".") {
            text.push(b'.');
        }
        text.extend_from_slice(line);
        text.extend_from_slice(b"\r\n");
    }
    text.extend_from_slice(b".\r\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::Patience;

    #[test]
    fn text_ends_only_at_its_end() {
        let text = |letter: &str| String::from_utf8(stuffed(letter.as_bytes())).expect("text");
        assert_eq!(text("a\r\n.\r\n..b\r\n"), "a\r\n..\r\n...b\r\n.\r\n");
        assert_eq!(text(".\n.\nno end"), "..\r\n..\r\nno end\r\n.\r\n");
        assert_eq!(text(""), ".\r\n");
    }

    fn heard(text: &str) -> Result<(u16, String, usize), String> {
        let bounds = Bounds::new(Patience::default());
        let mut rest = text.as_bytes();
        let answer = bounds.step(500, None, || answer(&mut rest, &bounds));
        let answer = answer.map_err(|fault| fault.why())?;
        Ok((answer.code().into(), said(&answer), rest.len()))
    }

    #[test]
    fn answer_is_read_to_its_end_only() {
        let one = |code, said: &str| Ok((code, said.to_owned(), 0));
        assert_eq!(heard("250\r\n"), one(250, ""));
        assert_eq!(heard("250 ok\n"), one(250, "ok"));
        assert_eq!(heard("550-5.1.1 no\r\n550 5.1.1 user\r\n"), one(550, "5.1.1 no user"));
        assert_eq!(heard("550-no.\r\n550 no. user\r\n"), one(550, "no. no. user"));
        assert_eq!(heard("220 go\r\n250 taken\r\n"), Ok((220, "go".to_owned(), 11)));
        for nonsense in ["hello\r\n", "25\r\n", "250-a\r\n550 b\r\n", "999 x\r\n", "\r\n"] {
            assert_eq!(heard(nonsense), Err("its answer cannot be understood".to_owned()));
        }
        let long = "250-and so on\r\n".repeat(40);
        assert_eq!(heard(&long), Err("it says more than it was asked for".to_owned()));
        assert_eq!(heard("250-cut\r\n25"), Err("the line broke".to_owned()));
    }
}
