//! The mail settings in club.yaml: inbound and outbound transport, and the required proof of a
//! letter's sender.

use serde::{Deserialize, Serialize};

/// The proof of a letter's sender that a club requires.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SenderProof {
    /// The reply token alone.
    #[serde(rename = "token")]
    Token,
    /// The reply token, and one of the member's addresses as the sender. The default.
    #[default]
    #[serde(rename = "token+sender")]
    TokenAndSender,
    /// The reply token, one of the member's addresses as the sender, and a DMARC pass from the
    /// club's mail server.
    #[serde(rename = "token+sender+dmarc")]
    TokenSenderAndDmarc,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InboundSettings {
    /// The path of a Maildir, relative to the club's folder. Default: `inbox`.
    #[serde(default = "maildir")]
    pub(crate) maildir: String,
    /// An IMAP account whose letters are fetched into the Maildir.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) imap: Option<ImapSettings>,
}

/// The outbound transport. Exactly one of the three must be set; the default is the Maildir
/// `outbox`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutboundSettings {
    /// The path of a Maildir, relative to the club's folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) maildir: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) smtp: Option<SmtpSettings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sendmail: Option<SendmailSettings>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmtpSettings {
    /// The server's name or IP address.
    pub host: String,
    /// The port. Default: 587 with STARTTLS, 465 with TLS, 25 without encryption.
    pub port: Option<u16>,
    #[serde(default)]
    pub tls: TlsMode,
    /// The user name, if the server requires a login.
    pub user: Option<String>,
    /// The name of the environment variable that contains the password.
    pub password_env: Option<String>,
    /// The path of the file that contains the password. It must have mode 600.
    pub password_file: Option<String>,
    /// The path of a PEM file with root certificates to trust in addition to those of the operating
    /// system.
    pub ca_file: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TlsMode {
    /// The connection begins unencrypted and is encrypted before any secret is sent. The default
    /// for SMTP.
    #[default]
    Starttls,
    /// Encrypted from the first byte. The default for IMAP.
    Tls,
    /// Not encrypted, for a server on the same machine.
    None,
}

/// An account on an IMAP server, from which letters are fetched into the Maildir.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImapSettings {
    pub host: String,
    /// The port. Default: 993 with TLS, 143 with STARTTLS.
    pub port: Option<u16>,
    /// The encryption, which may not be `none`. Default: `tls`.
    #[serde(default = "tls_from_first_byte")]
    pub tls: TlsMode,
    pub user: String,
    /// The name of the environment variable that contains the password.
    pub password_env: Option<String>,
    /// The path of the file that contains the password. It must have mode 600.
    pub password_file: Option<String>,
    /// The IMAP folder in which letters arrive. Default: `INBOX`.
    #[serde(default = "inbox")]
    pub folder: String,
    /// The IMAP folder for letters that were processed. Default: `Done`.
    #[serde(default = "done")]
    pub done: String,
    /// The IMAP folder for letters that the moderator must examine. Default: `Quarantine`.
    #[serde(default = "quarantine")]
    pub quarantine: String,
    /// The path of a PEM file with root certificates to trust in addition to those of the operating
    /// system.
    pub ca_file: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SendmailSettings {
    /// The path of the program, which reads a letter from standard input. Default:
    /// `/usr/sbin/sendmail`.
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
    /// Returns the configured SMTP port, or the default for the encryption.
    pub(crate) fn port(&self) -> u16 {
        self.port.unwrap_or(match self.tls {
            TlsMode::Starttls => 587,
            TlsMode::Tls => 465,
            TlsMode::None => 25,
        })
    }
}

impl ImapSettings {
    /// Returns the configured IMAP port, or the default for the encryption.
    pub(crate) fn port(&self) -> u16 {
        self.port.unwrap_or(if self.tls == TlsMode::Starttls { 143 } else { 993 })
    }
}

impl InboundSettings {
    /// Returns the name of an invalid setting of the inbound transport and what is wrong with it,
    /// or `None` if all are valid.
    pub(crate) fn find_invalid_setting(&self) -> Option<(&'static str, &'static str)> {
        let imap = self.imap.as_ref()?;
        let folders = [&imap.folder, &imap.done, &imap.quarantine];
        if imap.password_env.is_some() == imap.password_file.is_some() {
            Some(("mail_in.imap", "it needs one of password_env and password_file"))
        } else if imap.tls == TlsMode::None {
            Some((
                "mail_in.imap.tls",
                "a password needs an encrypted connection: use starttls or tls",
            ))
        } else if folders
            .iter()
            .any(|name| name.is_empty() || !name.chars().all(is_plain_folder_character))
        {
            Some(("mail_in.imap", "folder, done and quarantine must have names in plain ASCII"))
        } else if imap.folder == imap.done || imap.folder == imap.quarantine {
            let what = "done and quarantine must be other folders than the one in which letters \
                        arrive";
            Some(("mail_in.imap", what))
        } else {
            None
        }
    }
}

impl OutboundSettings {
    /// Returns the name of an invalid setting of the outbound transport and what is wrong with it,
    /// or `None` if all are valid.
    pub(crate) fn find_invalid_setting(&self) -> Option<(&'static str, &'static str)> {
        let transports = [self.maildir.is_some(), self.smtp.is_some(), self.sendmail.is_some()];
        if transports.iter().filter(|way| **way).count() != 1 {
            return Some((
                "mail_out",
                "name exactly one outbound transport: maildir, smtp or sendmail",
            ));
        }
        let smtp = self.smtp.as_ref()?;
        let has_password = smtp.password_env.is_some() || smtp.password_file.is_some();
        if smtp.password_env.is_some() && smtp.password_file.is_some() {
            Some(("mail_out.smtp", "name password_env or password_file, not both"))
        } else if smtp.user.is_some() != has_password {
            Some(("mail_out.smtp", "give user together with password_env or password_file"))
        } else if has_password && smtp.tls == TlsMode::None {
            Some((
                "mail_out.smtp.tls",
                "a password needs an encrypted connection: use starttls or tls",
            ))
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

    /// Parses `mail_in` with an IMAP account. Returns an invalid setting as an error.
    fn parse_imap(more: &str) -> Result<ImapSettings, &'static str> {
        let text = format!("imap: {{host: h, user: u, password_env: P{more}}}");
        let mail_in: InboundSettings = yaml::parse(&text).expect("it is right");
        mail_in.find_invalid_setting().map_or(Ok(()), |(_, fault)| Err(fault))?;
        Ok(mail_in.imap.expect("it is set"))
    }

    /// Parses `mail_out` with an SMTP server. Returns an invalid setting as an error.
    fn parse_smtp(more: &str) -> Result<SmtpSettings, &'static str> {
        let mail_out: OutboundSettings =
            yaml::parse(&format!("smtp: {{host: h{more}}}")).expect("it is right");
        mail_out.find_invalid_setting().map_or(Ok(()), |(_, fault)| Err(fault))?;
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
