//! Sends letters by SMTP, in one session for all letters of a pass.
//!
//! An answer can concern one letter only after the server has accepted the login and the sender's
//! address. A failure before that concerns the club, so no letter can be sent.

use super::refusal::{PostStep, classify_refusal};
use super::session::{Encryption, SmtpFault, SmtpServer, SmtpSession};
use super::{OUT_OF_TIME, OutgoingMessage, PostError, Transport, parse_address};
use crate::mail::connection::{SessionLimits, TrustedRoots};
use crate::mail::settings::{SmtpSettings, TlsMode};
use crate::mail::{PasswordMask, PermanentFault, Timeouts};
use lettre::Address;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::commands::{Mail, Rcpt, Rset};
use lettre::transport::smtp::extension::{ClientId, Extension, MailBodyParameter, MailParameter};
use std::rc::Rc;
use std::time::Duration;

pub struct SmtpTransport {
    server: SmtpServer,
    /// Removes the password from error texts, because a server may repeat it in an answer.
    password_mask: PasswordMask,
    /// The envelope sender, to which undeliverable letters are returned.
    sender: String,
    /// The time limit for all commands of one letter.
    letter_time: Duration,
    limits: Rc<SessionLimits>,
    /// The open session. `None` before the first letter and after a failure.
    session: Option<SmtpSession>,
}

impl SmtpTransport {
    /// Returns a transport to the server in `settings`. Connects when the first letter is sent.
    /// `ca` contains PEM root certificates to trust in addition to those of the operating system.
    ///
    /// # Errors
    /// If the root certificates cannot be read.
    pub fn new(
        settings: &SmtpSettings,
        password: Option<String>,
        sender: &str,
        ca: Option<&[u8]>,
    ) -> Result<Self, PostError> {
        let trust =
            || TrustedRoots::new(ca).map_err(|error| PostError::Unavailable(error.to_string()));
        let encryption = match settings.tls {
            TlsMode::Starttls => Encryption::StartTls(trust()?),
            TlsMode::Tls => Encryption::Tls(trust()?),
            TlsMode::None => Encryption::None,
        };
        let password_mask = PasswordMask::new(password.as_deref().unwrap_or_default());
        let user = settings.user.clone().zip(password);
        let host = sender.rsplit_once('@').map(|(_, host)| host.to_owned());
        let server = SmtpServer {
            host: settings.host.clone(),
            port: settings.port(),
            encryption,
            hello: host.map_or_else(ClientId::default, ClientId::Domain),
            credentials: user.map(|(user, password)| Credentials::new(user, password)),
        };
        let (sender, timeouts) = (sender.to_owned(), Timeouts::default());
        let (letter_time, bounds) = (timeouts.letter, Rc::new(SessionLimits::new(timeouts)));
        Ok(Self { server, password_mask, sender, letter_time, limits: bounds, session: None })
    }

    #[must_use]
    pub fn with_timeouts(mut self, timeouts: Timeouts) -> Self {
        self.letter_time = timeouts.letter;
        self.limits = Rc::new(SessionLimits::new(timeouts));
        self
    }

    /// Connects and logs in to the server, without sending a letter. Used to check the settings.
    ///
    /// # Errors
    /// If the connection or the login fails.
    pub fn check_login(&self) -> Result<(), PostError> {
        self.connect().map_err(|error| self.mask_password(error))?.quit();
        Ok(())
    }

    fn mask_password(&self, error: PostError) -> PostError {
        error.map_reason(&|why| self.password_mask.mask_and_shorten(why))
    }

    fn connect(&self) -> Result<SmtpSession, PostError> {
        SmtpSession::open(&self.server, &self.limits).map_err(|fault| self.connection_error(&fault))
    }

    fn post_in_session(&mut self, outgoing: &OutgoingMessage<'_>) -> Result<(), PostError> {
        if self.limits.is_out_of_time() {
            return Err(PostError::Unavailable(OUT_OF_TIME.to_owned()));
        }
        let sender = parse_address(&self.sender).map_err(PostError::Unavailable)?;
        let recipient = parse_address(outgoing.recipient).map_err(PostError::RecipientRefused)?;
        let opening = MailCommand::new(sender, &recipient, outgoing.bytes);
        let mut session = self.session_for_letter(&opening)?;
        let error = match send_recipient_and_text(&mut session, recipient, outgoing.bytes) {
            Ok(()) => None,
            Err((step, SmtpFault::Refused(code, said))) => {
                Some(classify_refusal(step, code, &said))
            }
            Err((step, fault)) => return Err(self.broken_session_error(step, &fault)),
        };
        if !matches!(error, Some(PostError::Unavailable(_) | PostError::NeedsFix(..))) {
            self.session = Some(session);
        }
        error.map_or(Ok(()), Err)
    }

    /// Returns a session in which the server has accepted the sender's address. Opens a new session
    /// if the last one fails. Servers close idle sessions, so this failure does not concern the
    /// letter.
    fn session_for_letter(&mut self, opening: &MailCommand) -> Result<SmtpSession, PostError> {
        if let Some(mut session) = self.session.take() {
            session.start_letter_timer(self.letter_time);
            if session.run_command(Rset).is_ok() && opening.send(&mut session).is_ok() {
                return Ok(session);
            }
        }
        let mut session = self.connect()?;
        session.start_letter_timer(self.letter_time);
        opening.send(&mut session).map_err(|fault| match fault {
            // Only some letters need an extension, so the letter is refused and the pass goes on.
            SmtpFault::MissingExtension(_) => PostError::Refused(fault.reason()),
            SmtpFault::Refused(..) | SmtpFault::Broken(_) => self.connection_error(&fault),
        })?;
        Ok(session)
    }

    /// Returns the error for a session that broke while a letter was sent. The letter may have
    /// caused it, so it counts as temporary; the next letter shows whether the server still works.
    fn broken_session_error(&self, step: PostStep, fault: &SmtpFault) -> PostError {
        let error = if self.limits.is_out_of_time() {
            PostError::Unavailable(OUT_OF_TIME.to_owned())
        } else {
            PostError::Temporary(fault.reason())
        };
        if step == PostStep::Text { PostError::PossiblySent(Box::new(error)) } else { error }
    }

    /// Returns the error for a fault before the first letter. It needs a fix if the server refuses
    /// the login or does not match the settings. Any other fault may pass by itself.
    fn connection_error(&self, fault: &SmtpFault) -> PostError {
        let why = fault.reason();
        let refuses_us = matches!(fault, SmtpFault::Refused(530 | 534 | 535 | 538, _));
        if refuses_us && !PermanentFault::is_temporary(&why) {
            PostError::NeedsFix(PermanentFault::Forbidden, why)
        } else if fault.is_settings_fault() {
            PostError::NeedsFix(PermanentFault::Settings, why)
        } else if self.limits.is_out_of_time() {
            PostError::Unavailable(OUT_OF_TIME.to_owned())
        } else {
            PostError::Unavailable(why)
        }
    }
}

impl Transport for SmtpTransport {
    fn post(&mut self, outgoing: &OutgoingMessage<'_>) -> Result<(), PostError> {
        self.post_in_session(outgoing).map_err(|error| self.mask_password(error))
    }

    fn letters_per_save(&self) -> usize {
        1
    }
}

impl Drop for SmtpTransport {
    fn drop(&mut self) {
        if let Some(session) = &mut self.session {
            session.quit();
        }
    }
}

/// The MAIL command, which starts a letter in a session and names its sender.
struct MailCommand {
    sender: Address,
    /// The SMTP extensions that this letter needs, with the parameters that request them.
    needs: Vec<(Extension, MailParameter)>,
}

impl MailCommand {
    fn new(sender: Address, recipient: &Address, bytes: &[u8]) -> Self {
        let names = !AsRef::<str>::as_ref(recipient).is_ascii();
        let names = names.then_some((Extension::SmtpUtfEight, MailParameter::SmtpUtfEight));
        let body = (!bytes.is_ascii()).then_some((
            Extension::EightBitMime,
            MailParameter::Body(MailBodyParameter::EightBitMime),
        ));
        Self { sender, needs: names.into_iter().chain(body).collect() }
    }

    /// Sends the command, if the server supports the needed extensions.
    fn send(&self, session: &mut SmtpSession) -> Result<(), SmtpFault> {
        for (extension, _) in &self.needs {
            session.require_extension(*extension)?;
        }
        let parameters = self.needs.iter().map(|(_, parameter)| parameter.clone()).collect();
        session.run_command(Mail::new(Some(self.sender.clone()), parameters)).map(drop)
    }
}

/// Sends the recipient and the text of a letter. An error includes the step at which it occurred.
fn send_recipient_and_text(
    session: &mut SmtpSession,
    recipient: Address,
    bytes: &[u8],
) -> Result<(), (PostStep, SmtpFault)> {
    let recipient = session.run_command(Rcpt::new(recipient, Vec::new()));
    recipient.map_err(|fault| (PostStep::Recipient, fault))?;
    session.send_data_command().map_err(|fault| (PostStep::Data, fault))?;
    session.send_text(bytes).map_err(|fault| (PostStep::Text, fault))
}
