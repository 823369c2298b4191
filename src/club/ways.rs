//! How letters come and go, as far as it is more than a folder.

use super::settings::{MailIn, MailOut, Tls};
use serde::{Deserialize, Serialize};

/// An account on an IMAP server, whose letters are fetched into the Maildir.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Imap {
    /// The server's name.
    pub host: String,
    /// Its port; by default 993 with TLS, 143 with STARTTLS.
    #[serde(default)]
    pub port: Option<u16>,
    /// How the line is protected; it is never open.
    #[serde(default = "from_the_first_byte")]
    pub tls: Tls,
    /// Who we are there.
    pub user: String,
    /// The environment variable that holds the password.
    #[serde(default)]
    pub password_env: Option<String>,
    /// The file, of mode 600, that holds the password.
    #[serde(default)]
    pub password_file: Option<String>,
    /// The folder that letters arrive in.
    #[serde(default = "inbox")]
    pub folder: String,
    /// The folder for letters that were dealt with.
    #[serde(default = "done")]
    pub done: String,
    /// The folder for letters that the moderator must look at.
    #[serde(default = "quarantine")]
    pub quarantine: String,
    /// A file with root certificates as PEM, trusted besides those of the machine.
    #[serde(default)]
    pub ca_file: Option<String>,
}

/// The machine's own mail program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sendmail {
    /// The program, which takes a letter from its standard input.
    #[serde(default = "sendmail")]
    pub command: String,
}

fn from_the_first_byte() -> Tls {
    Tls::Tls
}

fn inbox() -> String {
    "INBOX".to_owned()
}

fn done() -> String {
    "Done".to_owned()
}

fn quarantine() -> String {
    "Quarantine".to_owned()
}

fn sendmail() -> String {
    "/usr/sbin/sendmail".to_owned()
}

impl Imap {
    /// The port that is set, or the usual one.
    pub(crate) fn port(&self) -> u16 {
        self.port.unwrap_or(if self.tls == Tls::Starttls { 143 } else { 993 })
    }
}

/// What is wrong with a way in, and with which setting.
pub(super) fn fault_in(mail_in: &MailIn) -> Option<(&'static str, &'static str)> {
    let imap = mail_in.imap.as_ref()?;
    let folders = [&imap.folder, &imap.done, &imap.quarantine];
    if imap.password_env.is_some() == imap.password_file.is_some() {
        Some(("mail_in.imap", "it needs one of password_env and password_file"))
    } else if imap.tls == Tls::None {
        Some(("mail_in.imap.tls", "a password is never sent in the open: use tls"))
    } else if folders.iter().any(|name| name.is_empty() || !name.chars().all(is_plain)) {
        Some(("mail_in.imap", "folder, done and quarantine are named in plain ASCII"))
    } else if imap.folder == imap.done || imap.folder == imap.quarantine {
        let what = "done and quarantine must be other folders than the one letters arrive in";
        Some(("mail_in.imap", what))
    } else {
        None
    }
}

/// What is wrong with a way out, and with which setting.
pub(super) fn fault_out(mail_out: &MailOut) -> Option<(&'static str, &'static str)> {
    let ways = [mail_out.maildir.is_some(), mail_out.smtp.is_some(), mail_out.sendmail.is_some()];
    if ways.iter().filter(|way| **way).count() != 1 {
        return Some(("mail_out", "name one way out: maildir, smtp or sendmail"));
    }
    let smtp = mail_out.smtp.as_ref()?;
    let has_password = smtp.password_env.is_some() || smtp.password_file.is_some();
    if smtp.password_env.is_some() && smtp.password_file.is_some() {
        Some(("mail_out.smtp", "name password_env or password_file, not both"))
    } else if smtp.user.is_some() != has_password {
        Some(("mail_out.smtp", "user goes with password_env or password_file"))
    } else if has_password && smtp.tls == Tls::None {
        Some(("mail_out.smtp.tls", "a password is never sent in the open: use tls"))
    } else {
        None
    }
}

fn is_plain(c: char) -> bool {
    matches!(c, ' '..='~') && !matches!(c, '*' | '%' | '"' | '\\' | '&')
}
