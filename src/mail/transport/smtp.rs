//! Posting by SMTP: one session with the server for all letters of a pass, and every answer known
//! by the command that it answers.
//!
//! Only what the server says after it has taken us and our sender's address can be about a letter.
//! All before is about us, so nothing can be posted then.

use super::refusal::{Step, refusal};
use super::session::{Fault, Protection, Server, Session};
use super::{OutgoingMessage, PostError, TOO_LONG, Transport, address};
use crate::mail::connection::{Bounds, Trust};
use crate::mail::settings::{Smtp, Tls};
use crate::mail::{Discretion, Mend, Patience};
use lettre::Address;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::commands::{Mail, Rcpt, Rset};
use lettre::transport::smtp::extension::{ClientId, Extension, MailBodyParameter, MailParameter};
use std::rc::Rc;
use std::time::Duration;

/// Posts letters to a mail server.
pub struct MailServerTransport {
    server: Server,
    /// Keeps the password out of what the server says.
    discretion: Discretion,
    /// Where the server sends a letter back to that it took and could not deliver.
    sender: String,
    /// The time that all commands of one letter may take.
    letter_time: Duration,
    bounds: Rc<Bounds>,
    /// The session, while there is one.
    session: Option<Session>,
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
        let trust = || Trust::new(ca).map_err(|error| PostError::Down(error.to_string()));
        let protection = match settings.tls {
            Tls::Starttls => Protection::Upgrade(trust()?),
            Tls::Tls => Protection::Tls(trust()?),
            Tls::None => Protection::None,
        };
        let discretion = Discretion::about(password.as_deref().unwrap_or_default());
        let user = settings.user.clone().zip(password);
        let host = sender.rsplit_once('@').map(|(_, host)| host.to_owned());
        let server = Server {
            host: settings.host.clone(),
            port: settings.port(),
            protection,
            hello: host.map_or_else(ClientId::default, ClientId::Domain),
            credentials: user.map(|(user, password)| Credentials::new(user, password)),
        };
        let (sender, patience) = (sender.to_owned(), Patience::default());
        let (letter_time, bounds) = (patience.letter, Rc::new(Bounds::new(patience)));
        Ok(Self { server, discretion, sender, letter_time, bounds, session: None })
    }

    /// Replaces the time that the server may take.
    #[must_use]
    pub fn patient_for(mut self, patience: Patience) -> Self {
        self.letter_time = patience.letter;
        self.bounds = Rc::new(Bounds::new(patience));
        self
    }

    /// Signs in at the server and nothing more.
    ///
    /// # Errors
    /// Why it cannot be spoken to.
    pub fn greet(&self) -> Result<(), PostError> {
        self.connect().map_err(|error| self.discreet(error))?.quit();
        Ok(())
    }

    /// What went wrong, without what the server was told of ours.
    fn discreet(&self, error: PostError) -> PostError {
        error.told_as(&|why| self.discretion.shown(why))
    }

    /// Opens a new session.
    fn connect(&self) -> Result<Session, PostError> {
        Session::open(&self.server, &self.bounds).map_err(|fault| self.shut(&fault))
    }

    fn hand_in(&mut self, outgoing: &OutgoingMessage<'_>) -> Result<(), PostError> {
        if self.bounds.is_over() {
            return Err(PostError::Down(TOO_LONG.to_owned()));
        }
        let sender = address(&self.sender).map_err(PostError::Down)?;
        let recipient = address(outgoing.recipient).map_err(PostError::NoMailbox)?;
        let opening = Opening::new(sender, &recipient, outgoing.bytes);
        let mut session = self.ready(&opening)?;
        let error = match hand_over(&mut session, recipient, outgoing.bytes) {
            Ok(()) => None,
            Err((step, Fault::Refused(code, said))) => Some(refusal(step, code, &said)),
            Err((step, fault)) => return Err(self.broken(step, &fault)),
        };
        if !matches!(error, Some(PostError::Down(_) | PostError::Shut(..))) {
            self.session = Some(session);
        }
        error.map_or(Ok(()), Err)
    }

    /// Returns a session in which the server has taken our sender's address. If the server has
    /// closed the last one meanwhile, which says nothing of the letter, a new one is opened.
    fn ready(&mut self, opening: &Opening) -> Result<Session, PostError> {
        if let Some(mut session) = self.session.take() {
            session.begin_letter(self.letter_time);
            if session.command(Rset).is_ok() && opening.send(&mut session).is_ok() {
                return Ok(session);
            }
        }
        let mut session = self.connect()?;
        session.begin_letter(self.letter_time);
        opening.send(&mut session).map_err(|fault| match fault {
            // Only some letters need it.
            Fault::Lacks(_) => PostError::Refused(fault.why()),
            Fault::Refused(..) | Fault::Broken(_) => self.shut(&fault),
        })?;
        Ok(session)
    }

    /// Returns what it means for a letter that the session broke. Perhaps this letter broke it:
    /// the next one shows.
    fn broken(&self, step: Step, fault: &Fault) -> PostError {
        let error = if self.bounds.is_over() {
            PostError::Down(TOO_LONG.to_owned())
        } else {
            PostError::Later(fault.why())
        };
        if step == Step::Text { PostError::Doubtful(Box::new(error)) } else { error }
    }

    /// Returns what a fault before any letter means: that we are not let in, that the settings do
    /// not suit the server, or something that may pass by itself.
    fn shut(&self, fault: &Fault) -> PostError {
        let why = fault.why();
        let refuses_us = matches!(fault, Fault::Refused(530 | 534 | 535 | 538, _));
        if refuses_us && !Mend::may_pass(&why) {
            PostError::Shut(Mend::Forbidden, why)
        } else if fault.is_of_settings() {
            PostError::Shut(Mend::Settings, why)
        } else if self.bounds.is_over() {
            PostError::Down(TOO_LONG.to_owned())
        } else {
            PostError::Down(why)
        }
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
        if let Some(session) = &mut self.session {
            session.quit();
        }
    }
}

/// The first command of a letter, before the server hears whom it is for.
struct Opening {
    sender: Address,
    /// What the letter needs that not every server has.
    needs: Vec<(Extension, MailParameter)>,
}

impl Opening {
    fn new(sender: Address, recipient: &Address, bytes: &[u8]) -> Self {
        let names = !AsRef::<str>::as_ref(recipient).is_ascii();
        let names = names.then_some((Extension::SmtpUtfEight, MailParameter::SmtpUtfEight));
        let body = (!bytes.is_ascii()).then_some((
            Extension::EightBitMime,
            MailParameter::Body(MailBodyParameter::EightBitMime),
        ));
        Self { sender, needs: names.into_iter().chain(body).collect() }
    }

    /// Names the sender.
    fn send(&self, session: &mut Session) -> Result<(), Fault> {
        for (extension, _) in &self.needs {
            session.needs(*extension)?;
        }
        let parameters = self.needs.iter().map(|(_, parameter)| parameter.clone()).collect();
        session.command(Mail::new(Some(self.sender.clone()), parameters)).map(drop)
    }
}

/// Says whom a letter is for, and sends its text.
fn hand_over(session: &mut Session, recipient: Address, bytes: &[u8]) -> Result<(), (Step, Fault)> {
    let recipient = session.command(Rcpt::new(recipient, Vec::new()));
    recipient.map_err(|fault| (Step::Recipient, fault))?;
    session.ask_for_text().map_err(|fault| (Step::Data, fault))?;
    session.text(bytes).map_err(|fault| (Step::Text, fault))
}
