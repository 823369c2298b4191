//! An SMTP session: commands, and each answer as the answer to the command before it.
//!
//! lettre words the commands and reads the answers. Its own client is not used: it keeps answers
//! that it read before TLS began, and its timeouts start anew with each byte.

use crate::mail::connection::{
    Connection, SessionLimits, TrustedRoots, describe_error, is_certificate_rejected, read_line,
};
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
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);
/// The most challenges of a server before it lets us in; LOGIN needs two.
const CHALLENGES_MAX: usize = 4;
/// "Send a response to this challenge."
const CHALLENGE: u16 = 334;
/// "Send the text."
const START_TEXT: u16 = 354;

/// The server of a session, and how to get in.
pub(super) struct SmtpServer {
    pub host: String,
    pub port: u16,
    pub encryption: Encryption,
    /// Our name for EHLO.
    pub hello: ClientId,
    pub credentials: Option<Credentials>,
}

/// How a connection is encrypted.
pub(super) enum Encryption {
    None,
    /// By STARTTLS.
    StartTls(TrustedRoots),
    /// From the first byte.
    Tls(TrustedRoots),
}

/// Why a command failed.
pub(super) enum SmtpFault {
    /// The server refused it, with this code and text.
    Refused(u16, String),
    /// The server lacks an extension that the settings need.
    MissingExtension(String),
    /// Nobody knows what the server would say to the next command.
    Broken(io::Error),
}

impl From<io::Error> for SmtpFault {
    fn from(error: io::Error) -> Self {
        Self::Broken(error)
    }
}

impl SmtpFault {
    /// Returns the fault in one sentence.
    pub(super) fn reason(&self) -> String {
        match self {
            Self::Refused(code, said) => format!("{code} {said}"),
            Self::MissingExtension(extension) => format!("the server has no {extension}"),
            Self::Broken(error) => describe_error(error),
        }
    }

    /// Whether the settings do not suit the server.
    pub(super) fn is_settings_fault(&self) -> bool {
        match self {
            Self::Refused(..) => false,
            Self::MissingExtension(_) => true,
            Self::Broken(error) => is_certificate_rejected(error),
        }
    }
}

/// An open session.
pub(super) struct SmtpSession {
    connection: Connection,
    bounds: Rc<SessionLimits>,
    /// The moment at which the current letter times out.
    letter_deadline: Option<Instant>,
    /// The server's answer to EHLO.
    server_info: ServerInfo,
}

impl SmtpSession {
    /// Connects, encrypts the connection as the server's settings ask, and signs in.
    ///
    /// # Errors
    /// If any of this fails.
    pub(super) fn open(server: &SmtpServer, bounds: &Rc<SessionLimits>) -> Result<Self, SmtpFault> {
        let SmtpServer { host, port, encryption: protection, hello, credentials } = server;
        let connection = bounds.run_step(ANSWER_MAX, None, || {
            let connection = Connection::open((host, *port), bounds)?;
            match protection {
                Encryption::Tls(trust) => connection.encrypt(host, trust),
                Encryption::None | Encryption::StartTls(_) => Ok(connection),
            }
        })?;
        let mut session = Self::new(connection, bounds);
        session.run_command("")?;
        session.say_hello(hello)?;
        if let Encryption::StartTls(trust) = protection {
            session = session.upgrade_to_tls(host, trust)?;
            session.say_hello(hello)?;
        }
        if let Some(credentials) = credentials {
            session.sign_in(credentials)?;
        }
        Ok(session)
    }

    fn new(connection: Connection, bounds: &Rc<SessionLimits>) -> Self {
        let (bounds, info) = (Rc::clone(bounds), ServerInfo::default());
        Self { connection, bounds, letter_deadline: None, server_info: info }
    }

    fn say_hello(&mut self, hello: &ClientId) -> Result<(), SmtpFault> {
        let answer = self.run_command(Ehlo::new(hello.clone()))?;
        self.server_info =
            ServerInfo::from_response(&answer).map_err(|_| unintelligible_answer())?;
        Ok(())
    }

    /// Encrypts the connection. What the server said before is forgotten, since anybody on the way
    /// could have said it.
    fn upgrade_to_tls(mut self, host: &str, trust: &TrustedRoots) -> Result<Self, SmtpFault> {
        self.require_extension(Extension::StartTls)?;
        self.run_command(Starttls)?;
        let Self { connection, bounds, .. } = self;
        let encrypted =
            bounds.run_step(ANSWER_MAX, None, || connection.upgrade_to_tls(host, trust))?;
        Ok(Self::new(encrypted, &bounds))
    }

    fn sign_in(&mut self, credentials: &Credentials) -> Result<(), SmtpFault> {
        let mechanism = self.server_info.get_auth_mechanism(DEFAULT_MECHANISMS);
        let mechanism = mechanism
            .ok_or_else(|| SmtpFault::MissingExtension("AUTH PLAIN or LOGIN".to_owned()))?;
        let auth =
            Auth::new(mechanism, credentials.clone(), None).map_err(|_| unintelligible_answer())?;
        let mut answer = self.send_command(auth)?;
        for _ in 0..CHALLENGES_MAX {
            if !answer.has_code(CHALLENGE) {
                break;
            }
            let auth = Auth::new_from_response(mechanism, credentials.clone(), &answer);
            answer = self.send_command(auth.map_err(|_| unintelligible_answer())?)?;
        }
        require_completion(answer).map(drop)
    }

    /// Checks that the server offers an extension.
    ///
    /// # Errors
    /// [`Fault::MissingExtension`] if it does not.
    pub(super) fn require_extension(&self, extension: Extension) -> Result<(), SmtpFault> {
        let offered = self.server_info.supports_feature(extension);
        if offered { Ok(()) } else { Err(SmtpFault::MissingExtension(extension.to_string())) }
    }

    /// Gives the server this time for all further commands, which are those of one letter.
    pub(super) fn start_letter_timer(&mut self, time: Duration) {
        self.letter_deadline = Some(Instant::now() + time);
    }

    /// Sends a command, and returns the answer if the server has done as it was told.
    ///
    /// # Errors
    /// If it has not.
    pub(super) fn run_command(&mut self, command: impl Display) -> Result<Response, SmtpFault> {
        require_completion(self.send_command(command)?)
    }

    /// Asks to send a letter's text.
    ///
    /// # Errors
    /// If the server does not want it. Then no text may follow, since it would be taken for
    /// commands.
    pub(super) fn request_text(&mut self) -> Result<(), SmtpFault> {
        let answer = self.send_command(Data)?;
        if answer.has_code(START_TEXT) { Ok(()) } else { Err(unintelligible_answer()) }
    }

    /// Sends a letter's text.
    ///
    /// # Errors
    /// If the server does not say that it has taken the letter.
    pub(super) fn send_text(&mut self, letter: &[u8]) -> Result<(), SmtpFault> {
        require_completion(self.send_and_read_answer(&dot_stuff(letter))?).map(drop)
    }

    /// Says goodbye.
    pub(super) fn quit(&mut self) {
        self.start_letter_timer(QUIT_TIMEOUT);
        // The server has taken all that it will take, so its answer changes nothing.
        let _ = self.run_command(Quit);
    }

    fn send_command(&mut self, command: impl Display) -> Result<Response, SmtpFault> {
        self.send_and_read_answer(command.to_string().as_bytes())
    }

    /// Sends these bytes, in one step with the answer to them.
    fn send_and_read_answer(&mut self, bytes: &[u8]) -> Result<Response, SmtpFault> {
        let Self { connection, bounds, letter_deadline: letter_until, .. } = self;
        let left = letter_until.map(|until| until.saturating_duration_since(Instant::now()));
        let answer = bounds.run_step(ANSWER_MAX, left, || {
            connection.write_all(bytes)?;
            connection.flush()?;
            read_answer(connection, bounds)
        })?;
        if answer.is_positive() {
            return Ok(answer);
        }
        Err(SmtpFault::Refused(answer.code().into(), answer_text(&answer)))
    }
}

/// Reads an answer, which may have several lines, and nothing behind it.
fn read_answer(from: &mut impl Read, bounds: &SessionLimits) -> Result<Response, SmtpFault> {
    let mut text = String::new();
    loop {
        let line = read_line(from)?;
        bounds.count_answer_bytes(line.len() + 2)?;
        // A code may stand alone, for which lettre wants a space.
        let space = if line.len() == 3 { " " } else { "" };
        text.push_str(&format!("{line}{space}\r\n"));
        if line.as_bytes().get(3) != Some(&b'-') {
            return text.parse().map_err(|_| unintelligible_answer());
        }
    }
}

/// Returns the words of an answer in one line. The status code that servers repeat in every line
/// is left out of all lines but the first.
fn answer_text(answer: &Response) -> String {
    let mut lines = answer.message();
    let first = lines.next().unwrap_or_default();
    let status = first.split(' ').next().filter(|word| word.split('.').count() == 3);
    lines.fold(first.to_owned(), |text, line| {
        let rest = status.and_then(|status| line.strip_prefix(status)?.strip_prefix(' '));
        text + " " + rest.unwrap_or(line)
    })
}

/// Returns an answer that says that a command is completed.
fn require_completion(answer: Response) -> Result<Response, SmtpFault> {
    let is_completed = answer.code().severity == Severity::PositiveCompletion;
    if is_completed { Ok(answer) } else { Err(unintelligible_answer()) }
}

fn unintelligible_answer() -> SmtpFault {
    SmtpFault::Broken(io::Error::other("its answer cannot be understood"))
}

/// Returns a letter's text as SMTP sends it: every line ends in CR LF, a dot before each that
/// begins with one, and a line with a single dot at the end.
fn dot_stuff(letter: &[u8]) -> Vec<u8> {
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
    use crate::mail::Timeouts;

    #[test]
    fn dot_line_in_text_does_not_end_it() {
        let text = |letter: &str| String::from_utf8(dot_stuff(letter.as_bytes())).expect("text");
        assert_eq!(text("a\r\n.\r\n..b\r\n"), "a\r\n..\r\n...b\r\n.\r\n");
        assert_eq!(text(".\n.\nno end"), "..\r\n..\r\nno end\r\n.\r\n");
        assert_eq!(text(""), ".\r\n");
    }

    fn parse_answer(text: &str) -> Result<(u16, String, usize), String> {
        let bounds = SessionLimits::new(Timeouts::default());
        let mut rest = text.as_bytes();
        let answer = bounds.run_step(500, None, || read_answer(&mut rest, &bounds));
        let answer = answer.map_err(|fault| fault.reason())?;
        Ok((answer.code().into(), answer_text(&answer), rest.len()))
    }

    #[test]
    fn answer_is_read_exactly_to_its_end() {
        let one = |code, said: &str| Ok((code, said.to_owned(), 0));
        assert_eq!(parse_answer("250\r\n"), one(250, ""));
        assert_eq!(parse_answer("250 ok\n"), one(250, "ok"));
        assert_eq!(parse_answer("550-5.1.1 no\r\n550 5.1.1 user\r\n"), one(550, "5.1.1 no user"));
        assert_eq!(parse_answer("550-no.\r\n550 no. user\r\n"), one(550, "no. no. user"));
        assert_eq!(parse_answer("220 go\r\n250 taken\r\n"), Ok((220, "go".to_owned(), 11)));
        for nonsense in ["hello\r\n", "25\r\n", "250-a\r\n550 b\r\n", "999 x\r\n", "\r\n"] {
            assert_eq!(parse_answer(nonsense), Err("its answer cannot be understood".to_owned()));
        }
        let long = "250-and so on\r\n".repeat(40);
        assert_eq!(parse_answer(&long), Err("it says more than it was asked for".to_owned()));
        assert_eq!(parse_answer("250-cut\r\n25"), Err("the line broke".to_owned()));
    }
}
