//! `club.yaml`: what a moderator decides.

use super::clock::{ClockRules, OwnTime};
use super::digest_time::DigestTime;
use super::parse_mailbox;
use super::press::PressTerms;
use super::undo_term::UndoTerm;
use super::vote::VoteRules;
use crate::mail::settings::{InboundSettings, OutboundSettings, SenderProof};
use crate::rules::yaml::{self, LinePrefix, YamlError};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

/// A club's settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The club's name, shown in every letter.
    pub name: String,
    /// Where players write to.
    pub address: String,
    /// Whom to tell what no program should decide.
    pub moderator: Moderator,
    /// The language of letters to people whose own is not known.
    #[serde(default = "english")]
    pub language: String,
    /// Whether `name+anything@host` reaches the club's address; where not, tokens go in the
    /// subject.
    #[serde(default = "yes")]
    pub(crate) plus_addressing: bool,
    /// Whether HTML letters show boards as pictures to members who have not said otherwise.
    #[serde(default = "yes")]
    pub(crate) pictures: bool,
    /// The proof of a letter's sender that the club asks for.
    #[serde(default)]
    pub admission: SenderProof,
    /// What our mail server calls itself in `Authentication-Results`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authserv_id: Option<String>,
    /// The place of the club's store.
    #[serde(default, skip_serializing_if = "StoreSettings::is_in_folder")]
    pub(crate) store: StoreSettings,
    /// The source of letters.
    #[serde(default)]
    pub(crate) mail_in: InboundSettings,
    /// The outbound transport of letters.
    #[serde(default)]
    pub(crate) mail_out: OutboundSettings,
    /// After how many days of waiting a player is reminded; 0 is never.
    #[serde(default = "number::<7>")]
    pub(crate) reminder_days: u32,
    /// How the time of new games is kept; without it they wait for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockRules>,
    /// How many letters one pass reads at most before it commits and goes on with the next.
    #[serde(default = "number::<1_000>")]
    pub(crate) letters_per_commit: u32,
    /// How many letters of one member are answered within an hour; then one notice, then silence.
    #[serde(default = "number::<20>")]
    pub(crate) answers_per_hour: u32,
    /// What becomes of somebody unknown who writes to the club.
    #[serde(default)]
    pub(crate) strangers: StrangerPolicy,
    /// How many letters one pass posts at most; 0 is no limit.
    #[serde(default)]
    pub(crate) letters_per_run: u32,
    /// How many letters are posted within 24 hours at most; over it nothing is posted, and the
    /// moderator is told once; 0 is no limit.
    #[serde(default)]
    pub(crate) letters_per_day: u32,
    /// How many letters go within 24 hours to people of whom nothing is known but a name, which
    /// anybody can write; who is more than a name has four times as many.
    #[serde(default = "number::<50>")]
    pub(crate) stranger_letters_per_day: u32,
    /// The number of invitations that go to non-members within 24 hours. At the cap no more of them
    /// leave, and the moderator is told once a day. 0 sends none.
    #[serde(default = "number::<40>")]
    pub(crate) invitations_per_day: u32,
    /// When the moderator is told in the morning what is late, lost or in quarantine.
    #[serde(default)]
    pub digest: DigestTime,
    /// What may be said in new games.
    #[serde(default)]
    pub press: PressTerms,
    /// What players may vote on, and who must agree.
    #[serde(default)]
    pub votes: VoteRules,
    /// How long players of new games may take their last orders back.
    #[serde(default)]
    pub undo: UndoTerm,
}

/// Whom to tell what no program should decide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moderator {
    /// The name that players see.
    pub name: String,
    /// Where notes to the moderator go.
    pub address: String,
    /// By whose clock; UTC where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<Tz>,
}

impl Moderator {
    /// The moderator's own time.
    pub(crate) fn own_time(&self) -> OwnTime {
        OwnTime { zone: self.zone, ..OwnTime::default() }
    }
}

/// The answer to a stranger who asks to join a game, or what games there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StrangerPolicy {
    /// The stranger is told to write to the moderator, unless they were invited.
    #[default]
    Refuse,
    /// The stranger is told which games they can join, and becomes a member once they confirm it by
    /// letter.
    Join,
}

/// The place of the club's store: its own folder, unless a server is named.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoreSettings {
    /// A PostgreSQL server; the program must be built with the feature `postgres`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) postgres: Option<PostgresSettings>,
}

/// A database of a PostgreSQL server, and the name of this club in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PostgresSettings {
    /// The file, of mode 600, that holds the database's URL.
    pub(crate) url_file: String,
    /// A file with root certificates as PEM, trusted besides those of the machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ca_file: Option<String>,
    /// The name of the club there. No other club in the database has it.
    pub(crate) club: String,
}

impl StoreSettings {
    /// Whether the store lies in the club's folder.
    pub(crate) const fn is_in_folder(&self) -> bool {
        self.postgres.is_none()
    }
}

/// The fault of a club.yaml.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// It is no YAML, or not of this shape.
    #[error("club.yaml, {0}")]
    Yaml(#[from] YamlError),
    /// A value that cannot be.
    #[error("club.yaml, {}{field}: {what}", LinePrefix(*line))]
    Value {
        /// Where, from 1; 0 when it is nowhere.
        line: usize,
        /// The setting that is wrong, with the sections that it is in.
        field: &'static str,
        /// What is wrong and what would do.
        what: String,
    },
}

fn english() -> String {
    "en".to_owned()
}

fn yes() -> bool {
    true
}

/// A default of a setting that is a number.
fn number<const N: u32>() -> u32 {
    N
}

impl Settings {
    /// Reads a club.yaml.
    ///
    /// # Errors
    /// The line and what is wrong there.
    ///
    /// ```
    /// use postrider::club::Settings;
    ///
    /// let least = "name: The Postal Club\naddress: games@example.org\n\
    ///              moderator: {name: Mo, address: mo@example.org}\n";
    /// assert!(Settings::read(least).is_ok());
    /// let wrong = format!("{least}clok: {{deadline: 3 days}}\n");
    /// let said = Settings::read(&wrong).unwrap_err().to_string();
    /// assert_eq!(said, r#"club.yaml, line 4: there is no "clok" here: did you mean "clock"?"#);
    /// ```
    pub fn parse(text: &str) -> Result<Self, SettingsError> {
        let settings: Self = yaml::parse(text)?;
        let value = |field, what: &str| {
            let line = yaml::line_of_path(text, field);
            SettingsError::Value { line, field, what: what.to_owned() }
        };
        for (field, address) in
            [("address", &settings.address), ("moderator.address", &settings.moderator.address)]
        {
            if parse_mailbox(address).is_none_or(|(_, plain)| plain != address.to_lowercase()) {
                return Err(value(field, "this is no address like games@example.org"));
            }
        }
        for (field, name) in
            [("name", &settings.name), ("moderator.name", &settings.moderator.name)]
        {
            if name.trim().is_empty() || name.contains(char::is_control) {
                return Err(value(field, "a name is one line, and not empty"));
            }
        }
        if settings.address.contains('+') {
            return Err(value("address", "it may hold no +, which is where reply tokens go"));
        }
        let server = settings.authserv_id.as_deref().unwrap_or_default().trim();
        if settings.admission == SenderProof::TokenSenderAndDmarc && server.is_empty() {
            let what = "token+sender+dmarc needs the name that our mail server gives itself in \
                        Authentication-Results";
            return Err(value("authserv_id", what));
        }
        if let Some(Err(error)) = settings.clock.as_ref().map(ClockRules::check_play_days) {
            return Err(value("clock", &error.to_string()));
        }
        if settings.letters_per_commit == 0 {
            return Err(value("letters_per_commit", "it must be at least 1"));
        }
        if !(1..=VoteRules::DAYS_MAX).contains(&settings.votes.days) {
            return Err(value("votes.days", "a vote is open for 1 to 60 days"));
        }
        if let Some((field, what)) =
            settings.mail_in.invalid_setting().or_else(|| settings.mail_out.invalid_setting())
        {
            return Err(value(field, what));
        }
        Ok(settings)
    }

    /// Whether what the club knows lies in its folder.
    pub(crate) const fn is_store_in_folder(&self) -> bool {
        self.store.is_in_folder()
    }

    /// The server that the club lies on; none where it lies in its folder.
    pub(crate) const fn postgres_settings(&self) -> Option<&PostgresSettings> {
        self.store.postgres.as_ref()
    }

    /// The host of the club's address, which Message-IDs carry.
    pub(crate) fn address_host(&self) -> &str {
        self.address.rsplit_once('@').map_or("localhost", |(_, host)| host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINIMAL_SETTINGS: &str =
        "name: C\naddress: games@example.org\nmoderator: {name: M, address: m@example.org}\n";

    #[test]
    fn minimal_settings_have_safe_defaults() {
        let settings = Settings::parse(MINIMAL_SETTINGS).unwrap();
        assert_eq!(settings.admission, SenderProof::TokenAndSender);
        assert_eq!(settings.mail_out, OutboundSettings::default());
        assert_eq!(settings.address_host(), "example.org");
    }

    #[test]
    fn invalid_settings_are_reported() {
        let said = |more: &str| {
            Settings::parse(&format!("{MINIMAL_SETTINGS}{more}")).unwrap_err().to_string()
        };
        assert!(said("colour: red\n").contains("line 4"), "{}", said("colour: red\n"));
        assert!(said("admission: trust\n").contains("line 4"));
        assert!(said("admission: token+sender+dmarc\n").contains("authserv_id"));
        assert!(said("letters_per_commit: 0\n").contains("at least 1"));
        assert!(said("votes: {days: 0}\n").contains("1 to 60"));
        assert!(said("press: {allowed: loud}\n").contains("line 4"));
        let open = "mail_out: {smtp: {host: h, tls: none, user: u, password_env: P}}\n";
        assert!(said(open).contains("never sent in the open"), "{}", said(open));
        let imap = |more: &str| said(&format!("mail_in: {{imap: {{host: h, user: u{more}}}}}\n"));
        assert!(
            imap("").contains("line 4: mail_in.imap: it needs one of password_env"),
            "{}",
            imap("")
        );
        assert!(imap(", password_env: P, tls: none").contains("never sent in the open"));
        assert!(imap(", password_env: P, done: INBOX").contains("other folders"));
        assert!(said("mail_out: {maildir: out, sendmail: {}}\n").contains("one way out"));
        let text = MINIMAL_SETTINGS.replace("games@", "games+x@");
        assert!(Settings::parse(&text).unwrap_err().to_string().contains("no +"));
    }
}
