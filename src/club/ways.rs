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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::club::Settings;

    fn settings(more: &str) -> Result<Settings, String> {
        let least = "name: C\naddress: games@example.org\n\
                     moderator: {name: M, address: m@example.org}\n";
        Settings::read(&format!("{least}{more}\n")).map_err(|error| error.to_string())
    }

    fn imap(more: &str) -> Result<Imap, String> {
        let more = format!("mail_in: {{imap: {{host: h, user: u, password_env: P{more}}}}}");
        Ok(settings(&more)?.mail_in.imap.expect("it is set"))
    }

    fn smtp(more: &str) -> Result<crate::club::Smtp, String> {
        let more = format!("mail_out: {{smtp: {{host: h{more}}}}}");
        Ok(settings(&more)?.mail_out.smtp.expect("it is set"))
    }

    #[test]
    fn an_account_is_read_from_the_first_byte_on_in_secret_and_has_the_usual_folders() {
        let plain = imap("").expect("it is right");
        assert_eq!((plain.tls, plain.port()), (Tls::Tls, 993));
        let folders = [&plain.folder, &plain.done, &plain.quarantine];
        assert_eq!(folders, ["INBOX", "Done", "Quarantine"]);
        let port = |more| imap(more).expect("it is right").port();
        assert_eq!((port(", tls: starttls"), port(", port: 1143")), (143, 1143));
        let own = imap(", folder: In & out, done: D").expect_err("a sign that IMAP reads");
        assert!(own.contains("plain ASCII"), "{own}");
    }

    #[test]
    fn a_server_is_reached_by_the_port_of_its_way() {
        let port = |more| smtp(more).expect("it is right").port();
        assert_eq!(port(""), 587);
        assert_eq!(port(", tls: tls"), 465);
        assert_eq!(port(", tls: none"), 25);
        assert_eq!(port(", tls: none, port: 2525"), 2525);
    }

    #[test]
    fn a_user_goes_with_one_password() {
        assert!(smtp(", user: u, password_env: P").is_ok());
        assert!(smtp(", user: u, password_file: f").is_ok());
        let both = smtp(", user: u, password_env: P, password_file: f").expect_err("two");
        assert!(both.contains("not both"), "{both}");
        assert!(smtp(", user: u").is_err() && smtp(", password_env: P").is_err());
    }

    #[test]
    fn a_folder_has_a_plain_name_of_its_own() {
        for name in ["''", "Gelöscht", "'50%'", "'A*'", "'a\"b'", "'a\\b'"] {
            let error = imap(&format!(", done: {name}")).expect_err(name);
            assert!(error.contains("plain ASCII"), "{name}: {error}");
        }
        assert!(imap(", done: 'Old letters ~ 1'").is_ok());
        for field in ["done", "quarantine"] {
            let error = imap(&format!(", {field}: INBOX")).expect_err(field);
            assert!(error.contains("other folders"), "{field}: {error}");
        }
    }

    #[test]
    fn the_machines_own_program_is_where_it_usually_is() {
        let settings = settings("mail_out: {sendmail: {}}").expect("it is right");
        let command = settings.mail_out.sendmail.map(|own| own.command);
        assert_eq!(command.as_deref(), Some("/usr/sbin/sendmail"));
    }
}
