//! A member's wishes for letters, and the parser for the lines that change them.
//!
//! Letters and the command line use the same syntax. Nothing here knows the format of a letter.

use super::Member;
use super::clock::describe_day;
use super::digest_time::DigestTime;
use super::setting_command::{LineError, SettingCommand};
use crate::rules::Message;
use serde::{Deserialize, Serialize};

/// A member's wishes for letters, except for language and charset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LetterStyle {
    /// Whether letters contain HTML besides plain text.
    pub html: bool,
    /// Whether HTML shows boards as pictures.
    #[serde(skip_serializing_if = "is_on")]
    pub picture: bool,
    pub colours: Colours,
    /// Whether a letter with a deadline also contains a calendar entry.
    pub calendar: bool,
    /// Whether queued letters about several games are sent as one.
    pub digest: bool,
    /// The time of day, in the member's zone, at which letters bundled by `digest` are sent.
    /// Default: with each pass. Urgent letters do not wait.
    #[serde(skip_serializing_if = "DigestTime::is_off")]
    pub digest_at: DigestTime,
    /// Whether plain text is narrow enough for a phone, with boards described in words.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[serde(rename = "narrow")]
    pub narrow_text: bool,
    /// Whether letters about a game come only for the member's turn, for questions and messages to
    /// them, and at the end. If not, a letter comes whenever the game has moved. New members have
    /// it on. It is off if the stored data of a member does not contain it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[serde(rename = "turns")]
    pub only_turns: bool,
    /// Whether all letters of a game have the same subject. If not, the subject says what the
    /// letter asks.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[serde(rename = "steady")]
    pub steady_subjects: bool,
    #[serde(skip_serializing_if = "is_on")]
    pub standings: bool,
    #[serde(skip_serializing_if = "is_on")]
    pub invitations: bool,
    /// Whether the club's web site shows the member's name. If not, it shows the number of the
    /// seat.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[serde(rename = "site")]
    pub named_on_site: bool,
}

/// A player's choice of letters in one game. It overrides the member's general choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NewsPreference {
    /// The player gets letters only for their turns and for urgent news. Other news is in the next
    /// of these letters.
    Turns,
    All,
}

/// The use of colours in HTML letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Colours {
    /// HTML letters use colours, but never as the only difference between two things.
    #[default]
    On,
    /// HTML letters use frames and strokes in black on white, and no colours.
    Patterns,
    /// HTML letters use headings only, in the colours of the reader's mail program.
    Off,
}

// Serde passes every field by reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
const fn is_on(on: &bool) -> bool {
    *on
}

impl Default for LetterStyle {
    fn default() -> Self {
        Self {
            html: true,
            picture: true,
            colours: Colours::On,
            calendar: false,
            digest: false,
            digest_at: DigestTime::Off,
            narrow_text: false,
            only_turns: false,
            steady_subjects: false,
            standings: true,
            invitations: true,
            named_on_site: false,
        }
    }
}

impl LetterStyle {
    /// Returns the wishes of a new member.
    pub(crate) fn for_new_member() -> Self {
        Self { only_turns: true, ..Self::default() }
    }

    /// Whether all wishes have default values. Such a style is not stored.
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Colours {
    pub(crate) const ALL: [Self; 3] = [Self::On, Self::Patterns, Self::Off];

    /// Returns the keyword for this use of colours in letters, settings and templates.
    pub(crate) const fn keyword(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::Patterns => "patterns",
            Self::Off => "off",
        }
    }
}

/// A setting with two values.
struct Switch {
    /// The lines that switch the setting on and off.
    lines: [&'static str; 2],
    /// The keys of the confirmations, for on and off.
    confirmation_keys: [&'static str; 2],
    /// The key of the message that shows the setting, and the name of that message's argument.
    setting_key: (&'static str, &'static str),
    field: fn(&mut Member) -> &mut bool,
}

/// All settings with two values, in the order in which a letter shows them.
const SWITCHES: [Switch; 10] = [
    Switch {
        lines: ["letters html", "letters text"],
        confirmation_keys: ["letters-html-kept", "letters-text-kept"],
        setting_key: ("setting-letters", "html"),
        field: |member| &mut member.letters.html,
    },
    Switch {
        lines: ["letters picture on", "letters picture off"],
        confirmation_keys: ["letters-picture-on-kept", "letters-picture-off-kept"],
        setting_key: ("setting-picture", "picture"),
        field: |member| &mut member.letters.picture,
    },
    Switch {
        lines: ["board ascii", "board unicode"],
        confirmation_keys: ["board-ascii-kept", "board-unicode-kept"],
        setting_key: ("setting-board", "ascii"),
        field: |member| &mut member.ascii,
    },
    Switch {
        lines: ["board narrow", "board wide"],
        confirmation_keys: ["board-narrow-kept", "board-wide-kept"],
        setting_key: ("setting-narrow", "narrow"),
        field: |member| &mut member.letters.narrow_text,
    },
    Switch {
        lines: ["calendar on", "calendar off"],
        confirmation_keys: ["calendar-on-kept", "calendar-off-kept"],
        setting_key: ("setting-calendar", "calendar"),
        field: |member| &mut member.letters.calendar,
    },
    Switch {
        lines: ["letters turns", "letters all"],
        confirmation_keys: ["letters-turns-kept", "letters-all-kept"],
        setting_key: ("setting-turns", "turns"),
        field: |member| &mut member.letters.only_turns,
    },
    Switch {
        lines: ["subjects steady", "subjects telling"],
        confirmation_keys: ["subjects-steady-kept", "subjects-telling-kept"],
        setting_key: ("setting-subjects", "steady"),
        field: |member| &mut member.letters.steady_subjects,
    },
    Switch {
        lines: ["standings on", "standings off"],
        confirmation_keys: ["standings-on-kept", "standings-off-kept"],
        setting_key: ("setting-standings", "standings"),
        field: |member| &mut member.letters.standings,
    },
    Switch {
        lines: ["invitations on", "invitations off"],
        confirmation_keys: ["invitations-on-kept", "invitations-off-kept"],
        setting_key: ("setting-invitations", "invitations"),
        field: |member| &mut member.letters.invitations,
    },
    Switch {
        lines: ["site name", "site seat"],
        confirmation_keys: ["site-name-kept", "site-seat-kept"],
        setting_key: ("setting-site", "site"),
        field: |member| &mut member.letters.named_on_site,
    },
];

/// Returns the switch that a line sets, and whether the line switches it on.
fn find_switch(line: &str) -> Option<(&'static Switch, bool)> {
    let is_meant = |switch: &&Switch| switch.lines.contains(&line);
    SWITCHES.iter().find(is_meant).map(|switch| (switch, switch.lines[0] == line))
}

/// Parses the words of a line about letters, in lower case and without punctuation. Prose may begin
/// with the same word, so an unknown value is an error only in a line of two words.
pub(super) fn parse_style_line(words: &[&str]) -> Option<Result<SettingCommand, LineError>> {
    let line = rewrite_synonyms(words);
    let wrong = |key| Some(Err(Message::new(key)));
    Some(Ok(match line.split(' ').collect::<Vec<_>>().as_slice() {
        _ if find_switch(&line).is_some() => SettingCommand::Switch(line),
        ["language"] => SettingCommand::Language(String::new()),
        ["language", tag] => SettingCommand::Language((*tag).to_owned()),
        ["letters", "each"] => SettingCommand::NoDigest,
        ["letters", "digest"] => SettingCommand::Digest(DigestTime::Off),
        ["letters", "digest", time] | ["letters", "digest", "at", time] | ["digest", time] => {
            match DigestTime::try_from((*time).to_owned()) {
                Ok(time) => SettingCommand::Digest(time),
                Err(_) if words.first() == Some(&"digest") => return None,
                Err(_) => return wrong("digest-time-unread"),
            }
        }
        ["letters", "turns", "here"] => SettingCommand::NewsInGame(Some(NewsPreference::Turns)),
        ["letters", "all", "here"] => SettingCommand::NewsInGame(Some(NewsPreference::All)),
        ["letters", "as", "usual"] | ["letters", "as", "usual", "here"] => {
            SettingCommand::NewsInGame(None)
        }
        ["colours", "on"] => SettingCommand::Colours(Colours::On),
        ["colours", "patterns"] => SettingCommand::Colours(Colours::Patterns),
        ["colours", "off"] => SettingCommand::Colours(Colours::Off),
        ["subjects"] | ["subjects", _] => return wrong("subjects-unread"),
        ["letters"] | ["letters", _] => return wrong("letters-unread"),
        ["colours"] | ["colours", _] => return wrong("colours-unread"),
        ["calendar"] | ["calendar", _] => return wrong("calendar-unread"),
        _ => return None,
    }))
}

/// Rewrites the words of a line with a synonym into the main form that letters show.
fn rewrite_synonyms(words: &[&str]) -> String {
    match words {
        ["letters", "plain"] | ["letters", "plain", "text"] => "letters text".to_owned(),
        ["text" | "plain", "letters"] | ["plain", "text"] | ["no", "html"] => {
            "letters text".to_owned()
        }
        ["html", "letters"] => "letters html".to_owned(),
        ["letters", "pictures", value] | ["pictures", value] => format!("letters picture {value}"),
        ["no", "pictures"] => "letters picture off".to_owned(),
        ["digest"] | ["digest", "on"] => "letters digest".to_owned(),
        ["letters", "digest", "off"] | ["digest", "off"] | ["no", "digest"] => {
            "letters each".to_owned()
        }
        // "board" alone is a question, and any other line with it may be an order of a game.
        ["boards", value]
        | [value @ ("ascii" | "unicode" | "narrow" | "wide"), "board" | "boards"] => {
            format!("board {value}")
        }
        ["no", "colours" | "colors"] => "colours off".to_owned(),
        ["colors", rest @ ..] => format!("colours {}", rest.join(" ")),
        ["colour" | "color", "patterns"] => "colours patterns".to_owned(),
        ["no", what @ ("calendar" | "standings" | "invitations")] => format!("{what} off"),
        words => words.join(" "),
    }
}

/// Sets the switch that has this line. Returns the confirmation for the member.
pub(super) fn set_switch(line: &str, member: &mut Member) -> Result<Message, LineError> {
    let (switch, on) = find_switch(line).ok_or(Message::new("letters-unread"))?;
    let was_named = member.letters.named_on_site;
    *(switch.field)(member) = on;
    if member.letters.named_on_site && !was_named {
        member.site_consents = member.site_consents.saturating_add(1);
    }
    Ok(Message::new(switch.confirmation_keys[usize::from(!on)]))
}

/// Changes the language of a member's letters to `tag`. Refuses if `languages` does not contain it.
pub(super) fn set_language(
    tag: &str,
    member: &mut Member,
    languages: &[&str],
) -> Result<Message, LineError> {
    if !languages.contains(&tag) {
        return Err(Message::new("language-unknown").with("all", languages.to_vec()));
    }
    tag.clone_into(&mut member.language);
    Ok(Message::new("language-kept").with("language", tag))
}

impl NewsPreference {
    /// Returns the confirmation that a player's choice of letters applies to a game from now on.
    pub(crate) fn confirmation_message(wish: Option<Self>) -> Message {
        Message::new("letters-here-kept").with("wish", Self::message_value(wish))
    }

    /// Returns the message that shows a player's choice of letters for a game among the settings.
    pub(crate) fn setting_message(wish: Option<Self>) -> Message {
        Message::new("setting-turns-here").with("wish", Self::message_value(wish))
    }

    const fn message_value(wish: Option<Self>) -> &'static str {
        match wish {
            Some(Self::Turns) => "turns",
            Some(Self::All) => "all",
            None => "usual",
        }
    }
}

impl Member {
    /// Returns the messages that show all settings of the member, each with the line that changes
    /// it.
    pub(crate) fn describe_settings(&self) -> Vec<Message> {
        let LetterStyle { colours, digest, digest_at, .. } = self.letters;
        let on = |on: bool| if on { "on" } else { "off" };
        let zone = self.time.zone().name();
        let bundled = if digest_at.is_off() { on(digest) } else { "daily" };
        let mut said = vec![Message::new("setting-zone").with("zone", zone)];
        // Older vacations are stored only to count the days of a year.
        let last = self.time.vacations.iter().rev().take(2).rev();
        said.extend(last.map(|vacation| {
            Message::new("setting-vacation")
                .with("from", describe_day(vacation.from))
                .with("to", describe_day(vacation.to))
        }));
        said.push(Message::new("setting-how-vacation"));
        said.push(self.time.reminders.describe_with("setting-reminders"));
        said.push(Message::new("setting-language").with("language", self.language.as_str()));
        let mut own = self.clone();
        for Switch { setting_key: (key, argument), field, .. } in &SWITCHES {
            match *key {
                "setting-calendar" => {
                    said.push(Message::new("setting-colours").with("colours", colours.keyword()));
                }
                "setting-turns" => {
                    let digest = Message::new("setting-digest").with("digest", bundled);
                    said.push(digest.with("time", digest_at.to_string()));
                }
                _ => {}
            }
            said.push(Message::new(key).with(argument, on(*field(&mut own))));
        }
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_stored_style_keeps_its_meaning() {
        let stored = r#"{"html":true,"colours":"on","calendar":false,"digest":true}"#;
        let style: LetterStyle = serde_json::from_str(stored).unwrap();
        assert_eq!(style, LetterStyle { digest: true, ..LetterStyle::default() });
        assert!(!style.only_turns && style.digest_at.is_off());
        assert_eq!(serde_json::to_string(&style).unwrap(), stored);
        let new = serde_json::to_string(&LetterStyle::for_new_member()).unwrap();
        assert!(new.contains(r#""turns":true"#) && !new.contains("digest_at"), "{new}");
    }

    #[test]
    fn new_member_style_differs_from_default() {
        assert!(LetterStyle::default().is_default());
        assert!(!LetterStyle::for_new_member().is_default());
    }

    #[test]
    fn invalid_digest_time_is_error_only_after_letters() {
        let read = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            parse_style_line(&words).map(|read| read.map_err(|wrong| wrong.key))
        };
        assert_eq!(read("letters digest soon"), Some(Err("digest-time-unread")));
        assert_eq!(read("letters digest at noon"), Some(Err("digest-time-unread")));
        assert_eq!(read("digest this"), None);
        assert!(matches!(
            read("digest 18:00"),
            Some(Ok(SettingCommand::Digest(DigestTime::At(_))))
        ));
    }

    #[test]
    fn missing_language_tag_is_refused() {
        let line = parse_style_line(&["language"]).expect("a setting");
        assert_eq!(line, Ok(SettingCommand::Language(String::new())));
        let mut member = Member { language: "es".to_owned(), ..Member::default() };
        let told = set_language("", &mut member, &["en", "es"]).map_err(|wrong| wrong.key);
        assert_eq!((told, member.language.as_str()), (Err("language-unknown"), "es"));
    }

    #[test]
    fn every_switch_line_parses_as_itself() {
        for line in SWITCHES.iter().flat_map(|switch| switch.lines) {
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!(parse_style_line(&words), Some(Ok(SettingCommand::Switch(line.to_owned()))));
        }
    }
}
