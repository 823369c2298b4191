//! An SMTP session: sends one command at a time and reads its answer.
//!
//! lettre formats the commands and parses the answers. Its own client is not used, for two reasons:
//! it keeps answers that it read before TLS began, and each received byte restarts its timeouts.

use crate::mail::connection::{
    Connection, SessionLimits, TrustedRoots, describe_error, is_certificate_rejected,
    read_line_bytewise,
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
/// The time limit for the answer to QUIT. No result depends on that answer.
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);
/// The most challenges of a server during authentication. LOGIN needs two.
const CHALLENGES_MAX: usize = 4;
/// The reply code with which a server asks for the next authentication response.
const CHALLENGE: u16 = 334;
/// The reply code with which a server asks for the letter's text.
const START_TEXT: u16 = 354;

/// The server to connect to, with encryption and credentials.
pub(super) struct SmtpServer {
    pub host: String,
    pub port: u16,
    pub encryption: Encryption,
    /// The host name that is sent with EHLO.
    pub hello: ClientId,
    pub credentials: Option<Credentials>,
}

pub(super) enum Encryption {
    None,
    /// Encrypted after the STARTTLS command.
    StartTls(TrustedRoots),
    /// Encrypted from the first byte.
    Tls(TrustedRoots),
}

/// The reason why a command failed.
pub(super) enum SmtpFault {
    /// The server refused the command with this reply code and text.
    Refused(u16, String),
    /// The server does not support an extension that the settings or the letter need.
    MissingExtension(String),
    /// The connection failed or the answer is invalid. The session cannot be used any more.
    Broken(io::Error),
}

impl From<io::Error> for SmtpFault {
    fn from(error: io::Error) -> Self {
        Self::Broken(error)
    }
}

impl SmtpFault {
    /// Returns the reason in one sentence.
    pub(super) fn reason(&self) -> String {
        match self {
            Self::Refused(code, said) => format!("{code} {said}"),
            Self::MissingExtension(extension) => format!("the server has no {extension}"),
            Self::Broken(error) => describe_error(error),
        }
    }

    /// Whether the settings do not match the server: an extension is missing, or its certificate is
    /// not trusted.
    pub(super) fn is_settings_fault(&self) -> bool {
        match self {
            Self::Refused(..) => false,
            Self::MissingExtension(_) => true,
            Self::Broken(error) => is_certificate_rejected(error),
        }
    }
}

pub(super) struct SmtpSession {
    connection: Connection,
    bounds: Rc<SessionLimits>,
    /// The time at which the current letter times out.
    letter_deadline: Option<Instant>,
    server_info: ServerInfo,
}

impl SmtpSession {
    /// Connects, encrypts the connection if the settings require it, and logs in if there are
    /// credentials.
    pub(super) fn open(server: &SmtpServer, bounds: &Rc<SessionLimits>) -> Result<Self, SmtpFault> {
        let SmtpServer { host, port, encryption: protection, hello, credentials } = server;
        let connection = bounds.run_with_limits(ANSWER_MAX, None, || {
            let connection = Connection::open((host, *port), bounds)?;
            match protection {
                Encryption::Tls(trust) => connection.encrypt(host, trust),
                Encryption::None | Encryption::StartTls(_) => Ok(connection),
            }
        })?;
        let mut session = Self::new(connection, bounds);
        session.run_command("")?;
        session.send_ehlo(hello)?;
        if let Encryption::StartTls(trust) = protection {
            session = session.upgrade_to_tls(host, trust)?;
            session.send_ehlo(hello)?;
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

    fn send_ehlo(&mut self, hello: &ClientId) -> Result<(), SmtpFault> {
        let answer = self.run_command(Ehlo::new(hello.clone()))?;
        self.server_info =
            ServerInfo::from_response(&answer).map_err(|_| unintelligible_answer())?;
        Ok(())
    }

    /// Encrypts the connection with STARTTLS. Discards the server's earlier answers, because an
    /// attacker could have changed them.
    fn upgrade_to_tls(mut self, host: &str, trust: &TrustedRoots) -> Result<Self, SmtpFault> {
        self.require_extension(Extension::StartTls)?;
        self.run_command(Starttls)?;
        let Self { connection, bounds, .. } = self;
        let encrypted =
            bounds.run_with_limits(ANSWER_MAX, None, || connection.upgrade_to_tls(host, trust))?;
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

    /// Returns an error if the server does not support an extension.
    pub(super) fn require_extension(&self, extension: Extension) -> Result<(), SmtpFault> {
        let offered = self.server_info.supports_feature(extension);
        if offered { Ok(()) } else { Err(SmtpFault::MissingExtension(extension.to_string())) }
    }

    /// Limits the time for all further commands to `time`. They are the commands of one letter.
    pub(super) fn start_letter_timer(&mut self, time: Duration) {
        self.letter_deadline = Some(Instant::now() + time);
    }

    /// Sends a command. Returns the server's answer if it is positive and final.
    pub(super) fn run_command(&mut self, command: impl Display) -> Result<Response, SmtpFault> {
        require_completion(self.send_command(command)?)
    }

    /// Sends DATA, which asks the server to accept a letter's text. On an error, no text may
    /// follow, because the server would read it as commands.
    pub(super) fn send_data_command(&mut self) -> Result<(), SmtpFault> {
        let answer = self.send_command(Data)?;
        if answer.has_code(START_TEXT) { Ok(()) } else { Err(unintelligible_answer()) }
    }

    /// Sends a letter's text. Returns `Ok` only if the server confirms that it has accepted the
    /// letter.
    pub(super) fn send_text(&mut self, letter: &[u8]) -> Result<(), SmtpFault> {
        require_completion(self.send_and_read_answer(&dot_stuff(letter))?).map(drop)
    }

    pub(super) fn quit(&mut self) {
        self.start_letter_timer(QUIT_TIMEOUT);
        // All letters have been answered before, so the result changes nothing.
        let _ = self.run_command(Quit);
    }

    fn send_command(&mut self, command: impl Display) -> Result<Response, SmtpFault> {
        self.send_and_read_answer(command.to_string().as_bytes())
    }

    /// Sends bytes and reads the answer, in one step with one time limit.
    fn send_and_read_answer(&mut self, bytes: &[u8]) -> Result<Response, SmtpFault> {
        let Self { connection, bounds, letter_deadline: letter_until, .. } = self;
        let left = letter_until.map(|until| until.saturating_duration_since(Instant::now()));
        let answer = bounds.run_with_limits(ANSWER_MAX, left, || {
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

/// Reads one answer, which may have several lines, and no byte after it.
fn read_answer(from: &mut impl Read, bounds: &SessionLimits) -> Result<Response, SmtpFault> {
    let mut text = String::new();
    loop {
        let line = read_line_bytewise(from)?;
        bounds.deduct_answer_bytes(line.len() + 2)?;
        // A line may consist of the reply code only. lettre requires a space after it.
        let space = if line.len() == 3 { " " } else { "" };
        text.push_str(&format!("{line}{space}\r\n"));
        if line.as_bytes().get(3) != Some(&b'-') {
            return text.parse().map_err(|_| unintelligible_answer());
        }
    }
}

/// Returns the text of an answer on one line. Many servers repeat the status code in each line, so
/// only the first is kept.
fn answer_text(answer: &Response) -> String {
    let mut lines = answer.message();
    let first = lines.next().unwrap_or_default();
    let status = first.split(' ').next().filter(|word| word.split('.').count() == 3);
    lines.fold(first.to_owned(), |text, line| {
        let rest = status.and_then(|status| line.strip_prefix(status)?.strip_prefix(' '));
        text + " " + rest.unwrap_or(line)
    })
}

/// Returns the answer if it reports that the command is completed, and an error if not.
fn require_completion(answer: Response) -> Result<Response, SmtpFault> {
    let is_completed = answer.code().severity == Severity::PositiveCompletion;
    if is_completed { Ok(answer) } else { Err(unintelligible_answer()) }
}

fn unintelligible_answer() -> SmtpFault {
    SmtpFault::Broken(io::Error::other("its answer cannot be understood"))
}

/// Encodes a letter's text for SMTP: lines end in CR LF, a line that begins with a dot gets another
/// dot, and a line with a single dot ends the text.
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
        let answer = bounds.run_with_limits(500, None, || read_answer(&mut rest, &bounds));
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
