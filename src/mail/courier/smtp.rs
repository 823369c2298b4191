//! Posting by SMTP.

use super::{Courier, Parcel, PostError, envelope};
use crate::club::{Smtp, Tls};
use crate::mail::Discretion;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls as Encryption, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::{SmtpTransport, Transport};
use std::time::Duration;

/// How long a mail server may take for one step.
const PATIENCE: Duration = Duration::from_secs(60);

/// Posts letters to a mail server.
pub struct SmtpCourier {
    transport: SmtpTransport,
    /// Keeps the password out of what the server says.
    discretion: Discretion,
    /// Where the server sends a letter back to that it took and could not deliver.
    sender: String,
}

impl SmtpCourier {
    /// A courier to the server of these settings, which is not spoken to yet. `ca` holds root
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
        let down = |error: lettre::transport::smtp::Error| PostError::Down(said(&error));
        let tls = || {
            let mut parameters = TlsParameters::builder(settings.host.clone());
            if let Some(pem) = ca {
                parameters =
                    parameters.add_root_certificate(Certificate::from_pem(pem).map_err(down)?);
            }
            parameters.build().map_err(down)
        };
        let mut builder = SmtpTransport::builder_dangerous(&settings.host)
            .port(settings.port())
            .timeout(Some(PATIENCE))
            .tls(match settings.tls {
                Tls::Starttls => Encryption::Required(tls()?),
                Tls::Tls => Encryption::Wrapper(tls()?),
                Tls::None => Encryption::None,
            });
        if let Some((_, host)) = sender.rsplit_once('@') {
            builder = builder.hello_name(ClientId::Domain(host.to_owned()));
        }
        let discretion = Discretion::about(password.as_deref().unwrap_or_default());
        if let (Some(user), Some(password)) = (&settings.user, password) {
            builder = builder.credentials(Credentials::new(user.clone(), password));
        }
        Ok(Self { transport: builder.build(), discretion, sender: sender.to_owned() })
    }

    /// Says hello to the server and nothing more.
    ///
    /// # Errors
    /// Why it cannot be spoken to.
    pub fn greet(&self) -> Result<(), PostError> {
        match self.transport.test_connection() {
            Ok(true) => Ok(()),
            Ok(false) => Err(PostError::Down("the server hung up".to_owned())),
            Err(error) => Err(PostError::Down(self.said(&error))),
        }
    }

    /// What went wrong, without what the server was told of ours.
    fn said(&self, error: &dyn std::error::Error) -> String {
        self.discretion.shown(&said(error))
    }
}

impl Courier for SmtpCourier {
    fn post(&mut self, parcel: &Parcel<'_>) -> Result<(), PostError> {
        let envelope = envelope(&self.sender, parcel)?;
        match self.transport.send_raw(&envelope, parcel.bytes) {
            Ok(_) => Ok(()),
            Err(error) if error.is_permanent() => Err(PostError::Refused(self.said(&error))),
            Err(error) if error.is_transient() => Err(PostError::Later(self.said(&error))),
            Err(error) => Err(PostError::Down(self.said(&error))),
        }
    }

    fn handful(&self) -> usize {
        1
    }
}

/// The error with what lies beneath it, in one line.
pub(super) fn said(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut inner = error.source();
    while let Some(cause) = inner {
        text = format!("{text}: {cause}");
        inner = cause.source();
    }
    text
}
