//! The settings that the moderator writes into `club.yaml`.

use super::bot_settings::BotSettings;
use super::clock::ClockRules;
use super::digest_time::DigestTime;
use super::moderators::Moderators;
use super::play_links::PlayLinks;
use super::press::PressTerms;
use super::site_settings::SiteSettings;
use super::undo_term::UndoTerm;
use super::vote::VoteRules;
use crate::mail::address::parse_plain_address;
use crate::mail::settings::{InboundSettings, OutboundSettings, SenderProof};
use crate::rules::GameRegistry;
use crate::rules::yaml::{self, LinePrefix, YamlError};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    pub name: String,
    /// The address that players write to. It contains no `+`, because reply tokens are put behind a
    /// `+`.
    pub address: String,
    #[serde(rename = "moderator")]
    pub moderators: Moderators,
    /// The language of letters to people who have not chosen a language. Default: `en`.
    #[serde(default = "english")]
    pub language: String,
    /// Whether mail to `name+anything@host` reaches the club's address. If not, reply tokens go
    /// into the subject. Default: yes.
    #[serde(default = "yes")]
    pub(crate) plus_addressing: bool,
    /// Whether HTML letters show boards as pictures, for members who have not chosen. Default: yes.
    #[serde(default = "yes")]
    pub(crate) pictures: bool,
    /// The proof of a letter's sender that the club demands. Default: reply token and known sender.
    #[serde(default)]
    pub admission: SenderProof,
    /// The name under which our mail server writes `Authentication-Results` headers. Headers of
    /// other servers can be forged, so only those with this name are trusted.
    #[serde(default)]
    pub authserv_id: Option<String>,
    #[serde(default)]
    pub(crate) store: StoreSettings,
    #[serde(default)]
    pub(crate) mail_in: InboundSettings,
    #[serde(default)]
    pub(crate) mail_out: OutboundSettings,
    /// The number of days after which a player is reminded that the game waits for them. 0 turns
    /// reminders off. Default: 7.
    #[serde(default = "number::<7>")]
    pub(crate) reminder_days: u32,
    /// The clock rules of new games. Without them, new games wait for orders without a deadline.
    #[serde(default)]
    pub clock: Option<ClockRules>,
    /// The largest number of letters that a pass reads before it commits and continues with the
    /// next ones. Default: 1,000.
    #[serde(default = "number::<1_000>")]
    pub(crate) letters_per_commit: u32,
    /// The number of letters per member and hour that the club answers. The next letter gets a
    /// notice, and further ones get no answer. Default: 20.
    #[serde(default = "number::<20>")]
    pub(crate) answers_per_hour: u32,
    /// The answer to unknown people who write to the club. Default: refuse.
    #[serde(default)]
    pub(crate) strangers: StrangerPolicy,
    /// The largest number of letters that one pass sends. 0 means no limit. Default: 0.
    #[serde(default)]
    pub(crate) letters_per_run: u32,
    /// The largest number of letters sent within 24 hours. At the limit nothing is sent, and the
    /// moderator is told once. 0 means no limit. Default: 0.
    #[serde(default)]
    pub(crate) letters_per_day: u32,
    /// The largest number of letters that the club sends within 24 hours to non-members with an
    /// unproven sender address. It is never more than an eighth of `letters_per_day`. Non-members
    /// who were invited, answer a letter of ours, or pass DMARC have four times this quota. With 0,
    /// only members are answered. Default: 50.
    #[serde(default = "number::<50>")]
    pub(crate) stranger_letters_per_day: u32,
    /// The number of invitations that go to non-members within 24 hours. At the limit no more of
    /// them are sent, and the moderator is told once a day. 0 sends none. Default: 40.
    #[serde(default = "number::<40>")]
    pub(crate) invitations_per_day: u32,
    /// The time of day of the moderator's digest, which lists late games, undeliverable members and
    /// quarantined letters. Default: 06:00.
    #[serde(default)]
    pub digest: DigestTime,
    /// The rules for talk between players in new games.
    #[serde(default)]
    pub press: PressTerms,
    /// The topics on which players may vote, and the quorum for each.
    #[serde(default)]
    pub votes: VoteRules,
    /// The time within which players of new games may take back their last orders.
    #[serde(default)]
    pub undo: UndoTerm,
    /// Whether players may ask for bots, and how long the bots of a pass may think.
    #[serde(default)]
    pub(crate) bots: BotSettings,
    /// The content of the club's web site.
    #[serde(default)]
    pub(crate) site: SiteSettings,
    /// The links by which players record finished games elsewhere. The last letter of a game shows
    /// the one for its kind.
    #[serde(default)]
    pub(crate) log_plays: PlayLinks,
}

/// The answer to a stranger who asks to join a game or to see the list of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StrangerPolicy {
    /// The club refuses strangers and tells them to write to the moderator. Invitees may join.
    #[default]
    Refuse,
    /// The club sends strangers the list of games that they can join. A stranger becomes a member
    /// after confirming by letter.
    Join,
}

/// The place of the club's store: the club's own folder, or a database server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoreSettings {
    /// A PostgreSQL server. The program must be built with the feature `postgres`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) postgres: Option<PostgresSettings>,
}

/// A database on a PostgreSQL server, and this club's name in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PostgresSettings {
    /// The path of the file that holds the database URL. The file must have mode 600.
    pub(crate) url_file: String,
    /// The path of a PEM file with root certificates. They are trusted in addition to the machine's
    /// own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ca_file: Option<String>,
    /// The club's name in the database, where each club has a different one.
    pub(crate) club: String,
}

impl StoreSettings {
    pub(crate) const fn is_in_folder(&self) -> bool {
        self.postgres.is_none()
    }
}

/// The error in a `club.yaml`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// The text is not YAML, or has an unknown or missing field.
    #[error("club.yaml, {0}")]
    Yaml(#[from] YamlError),
    #[error("club.yaml, {}{field}: {what}", LinePrefix(*line))]
    Value {
        /// The line of the setting, from 1. 0 if the setting is not in the file.
        line: usize,
        /// The setting with the sections around it, such as `votes.days`.
        field: &'static str,
        /// The sentence that says what is wrong or which value is allowed.
        what: String,
    },
}

fn english() -> String {
    "en".to_owned()
}

fn yes() -> bool {
    true
}

/// Returns `N`. `serde(default)` needs a function for each default value.
fn number<const N: u32>() -> u32 {
    N
}

impl Settings {
    /// Returns the undo term of a new game whose founder names none. It is off in a game with bots,
    /// because a bot would wait for the end of the time for undo before each of its turns.
    pub(crate) const fn usual_undo(&self, has_bots: bool) -> UndoTerm {
        if has_bots { UndoTerm::Off } else { self.undo }
    }

    /// Parses a `club.yaml` and checks all values.
    ///
    /// # Errors
    /// The line, and what is wrong there.
    ///
    /// ```
    /// use postrider::club::Settings;
    ///
    /// let least = "name: The Postal Club\naddress: games@example.org\n\
    ///              moderator: {name: Mo, address: mo@example.org}\n";
    /// assert!(Settings::parse(least).is_ok());
    /// let wrong = format!("{least}clok: {{deadline: 3 days}}\n");
    /// let said = Settings::parse(&wrong).unwrap_err().to_string();
    /// assert_eq!(said, r#"club.yaml, line 4: there is no "clok" here: did you mean "clock"?"#);
    /// ```
    pub fn parse(text: &str) -> Result<Self, SettingsError> {
        let mut settings: Self = yaml::parse(text)?;
        let value = |field, what: &str| {
            let line = yaml::line_number_of_path(text, field);
            SettingsError::Value { line, field, what: what.to_owned() }
        };
        let moderators =
            settings.moderators.iter_mut().map(|one| ("moderator.address", &mut one.address));
        for (field, address) in moderators.chain([("address", &mut settings.address)]) {
            match parse_plain_address(address) {
                None => return Err(value(field, "this is not an address like games@example.org")),
                Some(canonical) if !address.is_ascii() => *address = canonical,
                Some(_) => {}
            }
        }
        if !settings.address.is_ascii() {
            let what = "it must be ASCII before the @, because every member's server must know it";
            return Err(value("address", what));
        }
        let moderators = settings.moderators.iter().map(|one| ("moderator.name", &one.name));
        for (field, name) in moderators.chain([("name", &settings.name)]) {
            if name.trim().is_empty() || name.contains(char::is_control) {
                return Err(value(field, "a name must be one line, and not empty"));
            }
        }
        if let Some(twice) = settings.moderators.find_duplicate() {
            let what = format!("two moderators have the address {}", twice.address);
            return Err(value("moderator", &what));
        }
        if settings.address.contains('+') {
            return Err(value("address", "it must have no +, because reply tokens go there"));
        }
        let server = settings.authserv_id.as_deref().unwrap_or_default().trim();
        if settings.admission == SenderProof::TokenSenderAndDmarc && server.is_empty() {
            let what = "token+sender+dmarc needs the name that the mail server uses for itself in \
                        Authentication-Results";
            return Err(value("authserv_id", what));
        }
        if let Some(Err(error)) =
            settings.clock.as_ref().map(ClockRules::check_any_day_allows_deadline)
        {
            return Err(value("clock", &error.to_string()));
        }
        if settings.letters_per_commit == 0 {
            return Err(value("letters_per_commit", "it must be at least 1"));
        }
        if !(1..=VoteRules::DAYS_MAX).contains(&settings.votes.days) {
            return Err(value("votes.days", "a vote must be open for 1 to 60 days"));
        }
        if let Some((field, what)) = settings
            .mail_in
            .find_invalid_setting()
            .or_else(|| settings.mail_out.find_invalid_setting())
        {
            return Err(value(field, what));
        }
        Ok(settings)
    }

    /// Checks the settings that name kinds of game.
    ///
    /// # Errors
    /// The setting that names a game that is not in `games`.
    pub(crate) fn check_kinds(&self, games: GameRegistry) -> Result<(), SettingsError> {
        let Some(unknown) = self.log_plays.find_unknown_kind(games) else { return Ok(()) };
        let what = format!("there is no game {unknown:?}");
        Err(SettingsError::Value { line: 0, field: "log_plays", what })
    }

    pub(crate) const fn is_store_in_folder(&self) -> bool {
        self.store.is_in_folder()
    }

    pub(crate) const fn postgres_settings(&self) -> Option<&PostgresSettings> {
        self.store.postgres.as_ref()
    }

    /// Returns the host of the club's address, for Message-ID headers.
    pub(crate) fn address_host(&self) -> &str {
        self.address.rsplit_once('@').map_or("localhost", |(_, host)| host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::SHIPPED;

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
        let url = said("site: {url: example.org}\n");
        assert!(url.contains("line 4") && url.contains("https://games.example.org/club/"), "{url}");
        let link = format!("{MINIMAL_SETTINGS}log_plays: {{chess: \"https://example.org\"}}\n");
        let link = Settings::parse(&link).unwrap().check_kinds(SHIPPED).unwrap_err().to_string();
        assert!(link.contains("log_plays: there is no game \"chess\""), "{link}");
        let open = "mail_out: {smtp: {host: h, tls: none, user: u, password_env: P}}\n";
        assert!(said(open).contains("needs an encrypted connection"), "{}", said(open));
        let imap = |more: &str| said(&format!("mail_in: {{imap: {{host: h, user: u{more}}}}}\n"));
        assert!(
            imap("").contains("line 4: mail_in.imap: it needs one of password_env"),
            "{}",
            imap("")
        );
        assert!(imap(", password_env: P, tls: none").contains("needs an encrypted connection"));
        assert!(imap(", password_env: P, done: INBOX").contains("other folders"));
        assert!(
            said("mail_out: {maildir: out, sendmail: {}}\n").contains("one outbound transport")
        );
        let moderators = |list: &str| {
            let text = format!("name: C\naddress: games@example.org\nmoderator: {list}\n");
            Settings::parse(&text).unwrap_err().to_string()
        };
        let twice = "[{name: M, address: m@example.org}, {name: N, address: M@example.org}]";
        let twice = moderators(twice);
        assert!(twice.contains("line 3: moderator: two moderators have"), "{twice}");
        assert!(moderators("[]").contains("line 3: moderator: \"address\" is missing"));
        let unnamed = moderators("[{name: M, address: m@example.org}, {name: N}]");
        assert!(unnamed.contains("moderator[1]: \"address\" is missing"), "{unnamed}");
        let text = MINIMAL_SETTINGS.replace("games@", "games+x@");
        assert!(Settings::parse(&text).unwrap_err().to_string().contains("no +"));
    }
}
