//! Posting by SMTP: one line to the server for all letters of a pass, and every answer known by the
//! command that it answers.
//!
//! Only what the server says after it has taken us and our sender's address can be about a letter.
//! All before is about us, so nothing can be posted then.

use super::answer::{Step, refusal};
use super::{OutgoingMessage, PostError, Transport, address};
use crate::club::{Smtp, Tls};
use crate::mail::{Discretion, Mend};
use lettre::Address;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{Certificate, SmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt, Rset};
use lettre::transport::smtp::extension::{ClientId, Extension, MailBodyParameter, MailParameter};
use std::io;
use std::time::Duration;

/// How long a mail server may take for one step.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long it may take to say good-bye, which nothing depends on.
const PARTING: Duration = Duration::from_secs(2);
/// "Go on with the text."
const GO_ON: u16 = 354;

/// Posts letters to a mail server.
pub struct MailServerTransport {
    server: (String, u16),
    /// For a line that is encrypted from the first byte.
    wrapper: Option<TlsParameters>,
    /// For one that begins in the open.
    upgrade: Option<TlsParameters>,
    hello: ClientId,
    credentials: Option<Credentials>,
    /// Keeps the password out of what the server says.
    discretion: Discretion,
    /// Where the server sends a letter back to that it took and could not deliver.
    sender: String,
    patience: Duration,
    /// The line, while there is one.
    line: Option<SmtpConnection>,
}

impl MailServerTransport {
    /// A transport to the server of these settings, which is not spoken to yet. `ca` holds root
    /// certificates as PEM that are trusted besides those of the machine.
    ///
    /// # Errors
    /// When the settings cannot be used.
    pub fn new(
        settings: &Smtp,
        password: Option<String>,
        sender: &str,
        ca: Option<&[u8]>,
    ) -> Result<Self, PostError> {
        let tls = || {
            let mut parameters = TlsParameters::builder(settings.host.clone());
            if let Some(pem) = ca {
                let certificate = Certificate::from_pem(pem).map_err(|error| down(&error))?;
                parameters = parameters.add_root_certificate(certificate);
            }
            parameters.build().map_err(|error| down(&error))
        };
        let (wrapper, upgrade) = match settings.tls {
            Tls::Starttls => (None, Some(tls()?)),
            Tls::Tls => (Some(tls()?), None),
            Tls::None => (None, None),
        };
        let host = sender.rsplit_once('@').map(|(_, host)| host.to_owned());
        let discretion = Discretion::about(password.as_deref().unwrap_or_default());
        let user = settings.user.clone().zip(password);
        Ok(Self {
            server: (settings.host.clone(), settings.port()),
            wrapper,
            upgrade,
            hello: host.map_or_else(ClientId::default, ClientId::Domain),
            credentials: user.map(|(user, password)| Credentials::new(user, password)),
            discretion,
            sender: sender.to_owned(),
            patience: PATIENCE,
            line: None,
        })
    }

    /// The same with so much patience for each step.
    #[must_use]
    pub const fn patient_for(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Says hello to the server and nothing more.
    ///
    /// # Errors
    /// Why it cannot be spoken to.
    pub fn greet(&self) -> Result<(), PostError> {
        let mut line = self.connect().map_err(|error| self.discreet(error))?;
        part(&mut line);
        Ok(())
    }

    /// What went wrong, without what the server was told of ours.
    fn discreet(&self, error: PostError) -> PostError {
        error.told_as(&|why| self.discretion.shown(why))
    }

    /// A new line to the server, which knows us.
    fn connect(&self) -> Result<SmtpConnection, PostError> {
        let (host, port) = &self.server;
        let to = (host.as_str(), *port);
        let connected = SmtpConnection::connect(
            to,
            Some(self.patience),
            &self.hello,
            self.wrapper.as_ref(),
            None,
        );
        let mut line = connected.map_err(|error| shut(&error))?;
        if let Some(tls) = &self.upgrade {
            line.starttls(tls, &self.hello).map_err(|error| shut(&error))?;
        }
        if let Some(credentials) = &self.credentials {
            line.auth(DEFAULT_MECHANISMS, credentials).map_err(|error| shut(&error))?;
        }
        Ok(line)
    }

    fn hand_in(&mut self, outgoing: &OutgoingMessage<'_>) -> Result<(), PostError> {
        let sender = address(&self.sender).map_err(PostError::Down)?;
        let recipient = address(outgoing.recipient).map_err(PostError::NoMailbox)?;
        let ask = Ask::of(sender, &recipient, outgoing.bytes);
        let mut line = self.ready(&ask)?;
        let (answer, is_whole) = hand_over(&mut line, recipient, outgoing.bytes);
        self.line = is_whole.then_some(line);
        answer
    }

    /// A line on which the server has taken our sender's address. One that it has grown tired of
    /// says nothing: there is a new one then.
    fn ready(&mut self, ask: &Ask) -> Result<SmtpConnection, PostError> {
        if let Some(mut line) = self.line.take()
            && line.command(Rset).is_ok()
            && ask.leave(&mut line).is_ok()
        {
            return Ok(line);
        }
        let mut line = self.connect()?;
        ask.leave(&mut line)?;
        Ok(line)
    }
}

impl Transport for MailServerTransport {
    fn post(&mut self, outgoing: &OutgoingMessage<'_>) -> Result<(), PostError> {
        self.hand_in(outgoing).map_err(|error| self.discreet(error))
    }

    fn batch_size(&self) -> usize {
        1
    }
}

impl Drop for MailServerTransport {
    fn drop(&mut self) {
        if let Some(line) = &mut self.line {
            part(line);
        }
    }
}

/// What the server is asked before it hears whom a letter is for.
struct Ask {
    sender: Address,
    /// What the letter needs that not every server has.
    needs: Vec<(Extension, MailParameter)>,
}

impl Ask {
    fn of(sender: Address, recipient: &Address, bytes: &[u8]) -> Self {
        let names = !AsRef::<str>::as_ref(recipient).is_ascii();
        let names = names.then_some((Extension::SmtpUtfEight, MailParameter::SmtpUtfEight));
        let body = (!bytes.is_ascii()).then_some((
            Extension::EightBitMime,
            MailParameter::Body(MailBodyParameter::EightBitMime),
        ));
        Self { sender, needs: names.into_iter().chain(body).collect() }
    }

    fn leave(&self, line: &mut SmtpConnection) -> Result<(), PostError> {
        let lacks =
            |(extension, _): &&(Extension, _)| !line.server_info().supports_feature(*extension);
        if let Some((extension, _)) = self.needs.iter().find(lacks) {
            return Err(PostError::Refused(format!("the server has no {extension}")));
        }
        let parameters = self.needs.iter().map(|(_, parameter)| parameter.clone()).collect();
        let asked = line.command(Mail::new(Some(self.sender.clone()), parameters));
        asked.map(drop).map_err(|error| shut(&error))
    }
}

/// Says whom a letter is for and hands its text over; whether the line is good for another one.
fn hand_over(
    line: &mut SmtpConnection,
    recipient: Address,
    bytes: &[u8],
) -> (Result<(), PostError>, bool) {
    let text = |line: &mut SmtpConnection| {
        let answer = line.command(Data)?;
        // Whoever does not wait for the text would take it for commands.
        if answer.has_code(GO_ON) { line.message(bytes).map(|_| true) } else { Ok(false) }
    };
    match line.command(Rcpt::new(recipient, Vec::new())) {
        Err(error) => unanswered(Step::Recipient, &error),
        Ok(_) => match text(line) {
            Ok(true) => (Ok(()), true),
            Ok(false) => (Err(PostError::Down("DATA: it does not go on".to_owned())), false),
            Err(error) => {
                let (answer, is_whole) = unanswered(Step::Text, &error);
                // Without an answer nobody knows what became of it.
                let known = error.status().is_some();
                let doubt =
                    |error| if known { error } else { PostError::Doubtful(Box::new(error)) };
                (answer.map_err(doubt), is_whole)
            }
        },
    }
}

/// What an error at this step means; whether the line is good for another letter.
fn unanswered(step: Step, error: &Error) -> (Result<(), PostError>, bool) {
    let words = |error: &Error| {
        std::error::Error::source(error).map(ToString::to_string).unwrap_or_default()
    };
    match error.status() {
        Some(code) => {
            let refused = refusal(step, code.into(), &words(error));
            let is_whole = !matches!(refused, PostError::Down(_) | PostError::Shut(..));
            (Err(refused), is_whole)
        }
        // Each letter would wait as long.
        None if is_timeout(error) => (Err(down(error)), false),
        // Perhaps it was this letter that broke it: the next one shows.
        None => (Err(PostError::Later(said(error))), false),
    }
}

/// Whether it was waited for the server in vain.
fn is_timeout(error: &Error) -> bool {
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        if let Some(error) = cause.downcast_ref::<io::Error>() {
            return matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock);
        }
        source = cause.source();
    }
    false
}

fn part(line: &mut SmtpConnection) {
    if line.set_timeout(Some(PARTING)).is_ok() {
        // It has taken all it will; what it says to that changes nothing.
        let _ = line.quit();
    }
}

fn down(error: &Error) -> PostError {
    PostError::Down(said(error))
}

/// What an error before any letter means: that we are not let in, that what the settings say does
/// not suit the server, or something that may pass by itself.
fn shut(error: &Error) -> PostError {
    let why = said(error);
    let refuses_us = error.status().is_some_and(|code| {
        matches!(u16::from(code), 530 | 534 | 535 | 538) && !Mend::may_pass(&why)
    });
    if refuses_us {
        PostError::Shut(Mend::Forbidden, why)
    } else if error.is_client() || why.contains("invalid peer certificate") {
        PostError::Shut(Mend::Settings, why)
    } else {
        PostError::Down(why)
    }
}

/// The error with what lies beneath it, in one line.
fn said(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut inner = error.source();
    while let Some(cause) = inner {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        inner = cause.source();
    }
    text
}
