//! The settings of mail in club.yaml: transports, and what proves who wrote a letter.

use serde::{Deserialize, Serialize};

/// The proof of a letter's sender that a club asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SenderProof {
    /// The reply token alone.
    #[serde(rename = "token")]
    Token,
    /// The reply token, and one of the member's addresses as the sender.
    #[default]
    #[serde(rename = "token+sender")]
    TokenAndSender,
    /// Both, and our mail server's finding that the sender passed DMARC.
    #[serde(rename = "token+sender+dmarc")]
    TokenSenderAndDmarc,
}

/// The source of letters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InboundSettings {
    /// A Maildir, relative to the club's folder.
    #[serde(default = "maildir")]
    pub(crate) maildir: String,
    /// An account whose letters are fetched into the Maildir.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) imap: Option<ImapSettings>,
}

/// The outbound transport of letters: one of the three.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutboundSettings {
    /// A Maildir, relative to the club's folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) maildir: Option<String>,
    /// A mail server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) smtp: Option<SmtpSettings>,
    /// The mail program of this machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sendmail: Option<SendmailSettings>,
}

/// An SMTP server that letters are posted to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmtpSettings {
    /// The server's name or address.
    pub host: String,
    /// Its port; by default 587 with STARTTLS, 465 with TLS, 25 without either.
    pub port: Option<u16>,
    /// The encryption of the connection.
    #[serde(default)]
    pub tls: TlsMode,
    /// Our user name, if the server asks for one.
    pub user: Option<String>,
    /// The environment variable that holds the password.
    pub password_env: Option<String>,
    /// The file, of mode 600, that holds the password.
    pub password_file: Option<String>,
    /// A file with root certificates as PEM, trusted besides those of the machine.
    pub ca_file: Option<String>,
}

/// The encryption of the connection to a mail server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TlsMode {
    /// The connection begins in the clear, and is encrypted before anything is said.
    #[default]
    Starttls,
    /// Encrypted from the first byte.
    Tls,
    /// Not encrypted: for a server on the same machine.
    None,
}

/// An account on an IMAP server, whose letters are fetched into the Maildir.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImapSettings {
    /// The server's name.
    pub host: String,
    /// Its port; by default 993 with TLS, 143 with STARTTLS.
    pub port: Option<u16>,
    /// The encryption of the connection; there must be one.
    #[serde(default = "tls_from_first_byte")]
    pub tls: TlsMode,
    /// Our user name.
    pub user: String,
    /// The environment variable that holds the password.
    pub password_env: Option<String>,
    /// The file, of mode 600, that holds the password.
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
    pub ca_file: Option<String>,
}

/// The mail program of this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SendmailSettings {
    /// The program, which takes a letter from its standard input.
    #[serde(default = "sendmail")]
    pub command: String,
}

fn maildir() -> String {
    "inbox".to_owned()
}

fn tls_from_first_byte() -> TlsMode {
    TlsMode::Tls
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

impl Default for InboundSettings {
    fn default() -> Self {
        Self { maildir: maildir(), imap: None }
    }
}

impl Default for OutboundSettings {
    fn default() -> Self {
        Self { maildir: Some("outbox".to_owned()), smtp: None, sendmail: None }
    }
}

impl SmtpSettings {
    /// Returns the port that is set, or the usual one.
    pub(crate) fn port(&self) -> u16 {
        self.port.unwrap_or(match self.tls {
            TlsMode::Starttls => 587,
            TlsMode::Tls => 465,
            TlsMode::None => 25,
        })
    }
}

impl ImapSettings {
    /// Returns the port that is set, or the usual one.
    pub(crate) fn port(&self) -> u16 {
        self.port.unwrap_or(if self.tls == TlsMode::Starttls { 143 } else { 993 })
    }
}

impl InboundSettings {
    /// Returns a setting that cannot be used, and what is wrong with it.
    pub(crate) fn invalid_setting(&self) -> Option<(&'static str, &'static str)> {
        let imap = self.imap.as_ref()?;
        let folders = [&imap.folder, &imap.done, &imap.quarantine];
        if imap.password_env.is_some() == imap.password_file.is_some() {
            Some(("mail_in.imap", "it needs one of password_env and password_file"))
        } else if imap.tls == TlsMode::None {
            Some(("mail_in.imap.tls", "a password is never sent in the open: use tls"))
        } else if folders
            .iter()
            .any(|name| name.is_empty() || !name.chars().all(is_plain_folder_character))
        {
            Some(("mail_in.imap", "folder, done and quarantine are named in plain ASCII"))
        } else if imap.folder == imap.done || imap.folder == imap.quarantine {
            let what = "done and quarantine must be other folders than the one letters arrive in";
            Some(("mail_in.imap", what))
        } else {
            None
        }
    }
}

impl OutboundSettings {
    /// Returns a setting that cannot be used, and what is wrong with it.
    pub(crate) fn invalid_setting(&self) -> Option<(&'static str, &'static str)> {
        let transports = [self.maildir.is_some(), self.smtp.is_some(), self.sendmail.is_some()];
        if transports.iter().filter(|way| **way).count() != 1 {
            return Some(("mail_out", "name one way out: maildir, smtp or sendmail"));
        }
        let smtp = self.smtp.as_ref()?;
        let has_password = smtp.password_env.is_some() || smtp.password_file.is_some();
        if smtp.password_env.is_some() && smtp.password_file.is_some() {
            Some(("mail_out.smtp", "name password_env or password_file, not both"))
        } else if smtp.user.is_some() != has_password {
            Some(("mail_out.smtp", "user goes with password_env or password_file"))
        } else if has_password && smtp.tls == TlsMode::None {
            Some(("mail_out.smtp.tls", "a password is never sent in the open: use tls"))
        } else {
            None
        }
    }
}

fn is_plain_folder_character(c: char) -> bool {
    matches!(c, ' '..='~') && !matches!(c, '*' | '%' | '"' | '\\' | '&')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::yaml;

    /// Reads `mail_in` with an account, or says what is wrong with it.
    fn parse_imap(more: &str) -> Result<ImapSettings, &'static str> {
        let text = format!("imap: {{host: h, user: u, password_env: P{more}}}");
        let mail_in: InboundSettings = yaml::parse(&text).expect("it is right");
        mail_in.invalid_setting().map_or(Ok(()), |(_, fault)| Err(fault))?;
        Ok(mail_in.imap.expect("it is set"))
    }

    /// Reads `mail_out` with a server, or says what is wrong with it.
    fn parse_smtp(more: &str) -> Result<SmtpSettings, &'static str> {
        let mail_out: OutboundSettings =
            yaml::parse(&format!("smtp: {{host: h{more}}}")).expect("it is right");
        mail_out.invalid_setting().map_or(Ok(()), |(_, fault)| Err(fault))?;
        Ok(mail_out.smtp.expect("it is set"))
    }

    #[test]
    fn imap_defaults_to_tls_and_standard_folders() {
        let plain = parse_imap("").expect("it is right");
        assert_eq!((plain.tls, plain.port()), (TlsMode::Tls, 993));
        let folders = [&plain.folder, &plain.done, &plain.quarantine];
        assert_eq!(folders, ["INBOX", "Done", "Quarantine"]);
        let port = |more| parse_imap(more).expect("it is right").port();
        assert_eq!((port(", tls: starttls"), port(", port: 1143")), (143, 1143));
        let own = parse_imap(", folder: In & out, done: D").expect_err("a sign that IMAP reads");
        assert!(own.contains("plain ASCII"), "{own}");
    }

    #[test]
    fn smtp_port_depends_on_encryption() {
        let port = |more| parse_smtp(more).expect("it is right").port();
        assert_eq!(port(""), 587);
        assert_eq!(port(", tls: tls"), 465);
        assert_eq!(port(", tls: none"), 25);
        assert_eq!(port(", tls: none, port: 2525"), 2525);
    }

    #[test]
    fn smtp_user_needs_exactly_one_password() {
        assert!(parse_smtp(", user: u, password_env: P").is_ok());
        assert!(parse_smtp(", user: u, password_file: f").is_ok());
        let both = parse_smtp(", user: u, password_env: P, password_file: f").expect_err("two");
        assert!(both.contains("not both"), "{both}");
        assert!(parse_smtp(", user: u").is_err() && parse_smtp(", password_env: P").is_err());
    }

    #[test]
    fn imap_folders_need_distinct_ascii_names() {
        for name in ["''", "Gelöscht", "'50%'", "'A*'", "'a\"b'", "'a\\b'"] {
            let error = parse_imap(&format!(", done: {name}")).expect_err(name);
            assert!(error.contains("plain ASCII"), "{name}: {error}");
        }
        assert!(parse_imap(", done: 'Old letters ~ 1'").is_ok());
        for field in ["done", "quarantine"] {
            let error = parse_imap(&format!(", {field}: INBOX")).expect_err(field);
            assert!(error.contains("other folders"), "{field}: {error}");
        }
    }

    #[test]
    fn sendmail_command_defaults_to_usr_sbin() {
        let mail_out: OutboundSettings = yaml::parse("sendmail: {}").expect("it is right");
        let command = mail_out.sendmail.map(|own| own.command);
        assert_eq!(command.as_deref(), Some("/usr/sbin/sendmail"));
    }
}
