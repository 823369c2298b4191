//! How a member wants letters made, and the lines that change it.
//!
//! One grammar for letters and for the command line. Nothing here knows a letter's form.

use super::Member;
use super::clock::day_words;
use super::member_line::WrongLine;
use super::morning::DigestTime;
use crate::rules::Message;
use serde::{Deserialize, Serialize};

/// How a member wants letters made, beside language and charset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LetterStyle {
    /// Whether letters come as HTML too, and not as text only.
    pub html: bool,
    /// Whether HTML shows boards as pictures.
    #[serde(skip_serializing_if = "is_on")]
    pub picture: bool,
    /// How colours are used in HTML.
    pub colours: Colours,
    /// Whether a letter that tells a deadline brings it as a calendar's entry too.
    pub calendar: bool,
    /// Whether letters about several games that wait to be posted go as one.
    pub digest: bool,
    /// At which time of the member's day they go, if not with each pass; what cannot wait does not.
    #[serde(skip_serializing_if = "DigestTime::is_off")]
    pub digest_at: DigestTime,
    /// Whether plain text is as narrow as a phone, with boards in words.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub narrow: bool,
    /// Whether letters about a game come only when it is the member's turn, when he is asked or
    /// told something, and at the end. New members have it so; what was stored without it means
    /// that they come whenever the game has moved.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub turns: bool,
    /// Whether all letters of a game have the same subject, and not one that says what is asked.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub steady: bool,
    /// Whether the standings of campaigns come by letter.
    #[serde(skip_serializing_if = "is_on")]
    pub standings: bool,
    /// Whether invitations to games come by letter.
    #[serde(skip_serializing_if = "is_on")]
    pub invitations: bool,
}

/// For which news of one game its player wants letters, whatever he wants of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NewsWish {
    /// For his turns, and what cannot wait: all else is in the next of these letters.
    Turns,
    /// For all.
    All,
}

/// How a letter's HTML tells things apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Colours {
    /// By colours too, though never by them alone.
    #[default]
    On,
    /// By frames and strokes, black on white.
    Patterns,
    /// By headings alone, in the colours that the reader's mail program has.
    Off,
}

// Serde hands every field over by reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
const fn is_on(on: &bool) -> bool {
    *on
}

impl Default for LetterStyle {
    fn default() -> Self {
        let (calendar, digest, narrow, turns, steady) = (false, false, false, false, false);
        let (html, picture, standings, invitations) = (true, true, true, true);
        let (colours, digest_at) = (Colours::On, DigestTime::Off);
        Self {
            html,
            picture,
            colours,
            calendar,
            digest,
            digest_at,
            narrow,
            turns,
            steady,
            standings,
            invitations,
        }
    }
}

impl LetterStyle {
    /// How the letters of a new member are made.
    pub(crate) fn of_new_member() -> Self {
        Self { turns: true, ..Self::default() }
    }

    /// Whether the member has said nothing of his own.
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Colours {
    /// Every use of colours.
    pub(crate) const ALL: [Self; 3] = [Self::On, Self::Patterns, Self::Off];

    /// The word by which letters, settings and templates name it.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::Patterns => "patterns",
            Self::Off => "off",
        }
    }
}

/// A line that changes how a member's letters are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StyleLine {
    /// `language en`: a tag, which may be one that there are no words in.
    Language(String),
    /// `letters html` or `letters text`.
    Html(bool),
    /// `letters picture on` or `off`.
    Picture(bool),
    /// `board ascii` or `board unicode`.
    Ascii(bool),
    /// `board narrow` or `board wide`.
    Narrow(bool),
    /// `colours on`, `patterns` or `off`.
    Colours(Colours),
    /// `calendar on` or `off`.
    Calendar(bool),
    /// `letters digest`, or with a time of the day: `letters digest 18:00`.
    Digest(DigestTime),
    /// `letters each`.
    Each,
    /// `letters turns` or `letters all`.
    Turns(bool),
    /// `subjects steady` or `subjects telling`.
    Steady(bool),
    /// `standings on` or `off`.
    Standings(bool),
    /// `invitations on` or `off`.
    Invitations(bool),
    /// `letters turns here`, `letters all here`, and `letters as usual`: in the game of the letter
    /// that is answered.
    Here(Option<NewsWish>),
}

impl StyleLine {
    /// The change that these words of a line ask for, in small letters and without marks; none when
    /// the line is about something else. A value that there is not is only a mistake where the line
    /// holds nothing else, because prose may begin with the same word.
    pub fn read(words: &[&str]) -> Option<Result<Self, WrongLine>> {
        let wrong = |why: Message| Some(Err(why));
        Some(Ok(match words {
            ["language", tag] => Self::Language((*tag).to_owned()),
            ["letters", "text" | "plain"] | ["letters", "plain", "text"] => Self::Html(false),
            ["text" | "plain", "letters"] | ["plain", "text"] | ["no", "html"] => Self::Html(false),
            ["letters", "html"] | ["html", "letters"] => Self::Html(true),
            ["letters", "picture" | "pictures", "on"] | ["pictures", "on"] => Self::Picture(true),
            ["letters", "picture" | "pictures", "off"]
            | ["pictures", "off"]
            | ["no", "pictures"] => Self::Picture(false),
            ["letters", "digest"] | ["digest"] | ["digest", "on"] => Self::Digest(DigestTime::Off),
            ["letters", "each"] | ["letters", "digest", "off"] => Self::Each,
            ["digest", "off"] | ["no", "digest"] => Self::Each,
            ["letters", "digest", time] | ["letters", "digest", "at", time] | ["digest", time] => {
                match DigestTime::try_from((*time).to_owned()) {
                    Ok(time) => Self::Digest(time),
                    Err(_) if words.first() == Some(&"digest") => return None,
                    Err(_) => return wrong(Message::new("digest-time-unread")),
                }
            }
            ["letters", "turns"] => Self::Turns(true),
            ["letters", "all"] => Self::Turns(false),
            ["letters", "turns", "here"] => Self::Here(Some(NewsWish::Turns)),
            ["letters", "all", "here"] => Self::Here(Some(NewsWish::All)),
            ["letters", "as", "usual"] | ["letters", "as", "usual", "here"] => Self::Here(None),
            // "board" alone is a question, and any other line may be an order of a game.
            ["board" | "boards", "ascii"] | ["ascii", "board" | "boards"] => Self::Ascii(true),
            ["board" | "boards", "unicode"] | ["unicode", "board" | "boards"] => Self::Ascii(false),
            ["board" | "boards", "narrow"] | ["narrow", "board" | "boards"] => Self::Narrow(true),
            ["board" | "boards", "wide"] | ["wide", "board" | "boards"] => Self::Narrow(false),
            ["colours" | "colors", "on"] => Self::Colours(Colours::On),
            ["colours" | "colors", "patterns"] | ["colour" | "color", "patterns"] => {
                Self::Colours(Colours::Patterns)
            }
            ["colours" | "colors", "off"] | ["no", "colours" | "colors"] => {
                Self::Colours(Colours::Off)
            }
            ["calendar", "on"] => Self::Calendar(true),
            ["calendar", "off"] | ["no", "calendar"] => Self::Calendar(false),
            ["subjects", "steady"] => Self::Steady(true),
            ["subjects", "telling"] => Self::Steady(false),
            ["subjects"] | ["subjects", _] => return wrong(Message::new("subjects-unread")),
            ["standings", "on"] => Self::Standings(true),
            ["standings", "off"] | ["no", "standings"] => Self::Standings(false),
            ["invitations", "on"] => Self::Invitations(true),
            ["invitations", "off"] | ["no", "invitations"] => Self::Invitations(false),
            ["letters"] | ["letters", _] => return wrong(Message::new("letters-unread")),
            ["colours" | "colors"] | ["colours" | "colors", _] => {
                return wrong(Message::new("colours-unread"));
            }
            ["calendar"] | ["calendar", _] => return wrong(Message::new("calendar-unread")),
            ["language"] => Self::Language(String::new()),
            _ => return None,
        }))
    }

    /// Changes the member, and says so. `languages` are the tags of those that there are.
    ///
    /// # Errors
    /// When there are no words in a language.
    pub(crate) fn onto(
        self,
        member: &mut Member,
        languages: &[&str],
    ) -> Result<Message, WrongLine> {
        let said = |on, yes, no| Message::new(if on { yes } else { no });
        Ok(match self {
            Self::Language(tag) => return in_language(&tag, member, languages),
            Self::Html(html) => {
                member.letters.html = html;
                said(html, "letters-html-kept", "letters-text-kept")
            }
            Self::Picture(on) => {
                member.letters.picture = on;
                said(on, "letters-picture-on-kept", "letters-picture-off-kept")
            }
            Self::Ascii(ascii) => {
                member.ascii = ascii;
                said(ascii, "board-ascii-kept", "board-unicode-kept")
            }
            Self::Narrow(narrow) => {
                member.letters.narrow = narrow;
                said(narrow, "board-narrow-kept", "board-wide-kept")
            }
            Self::Colours(colours) => {
                member.letters.colours = colours;
                Message::new("colours-kept").with("colours", colours.word())
            }
            Self::Calendar(on) => {
                member.letters.calendar = on;
                said(on, "calendar-on-kept", "calendar-off-kept")
            }
            Self::Digest(at) => {
                (member.letters.digest, member.letters.digest_at) = (true, at);
                match at {
                    DigestTime::Off => Message::new("letters-digest-kept"),
                    DigestTime::At(_) => Message::new("letters-digest-at-kept")
                        .with("time", at.to_string())
                        .with("zone", member.time.zone().name()),
                }
            }
            Self::Each => {
                (member.letters.digest, member.letters.digest_at) = (false, DigestTime::Off);
                Message::new("letters-each-kept")
            }
            Self::Turns(on) => {
                member.letters.turns = on;
                said(on, "letters-turns-kept", "letters-all-kept")
            }
            Self::Steady(on) => {
                member.letters.steady = on;
                said(on, "subjects-steady-kept", "subjects-telling-kept")
            }
            Self::Standings(on) => {
                member.letters.standings = on;
                said(on, "standings-on-kept", "standings-off-kept")
            }
            Self::Invitations(on) => {
                member.letters.invitations = on;
                said(on, "invitations-on-kept", "invitations-off-kept")
            }
            Self::Here(_) => return Err(Message::new("letters-here-where")),
        })
    }
}

/// Changes the language of a member's letters to that of this tag, if there are words in it.
fn in_language(tag: &str, member: &mut Member, languages: &[&str]) -> Result<Message, WrongLine> {
    if !languages.contains(&tag) {
        return Err(Message::new("language-unknown").with("all", languages.to_vec()));
    }
    tag.clone_into(&mut member.language);
    Ok(Message::new("language-kept").with("language", tag))
}

impl NewsWish {
    /// What is said of a game in which this holds from now on.
    pub(crate) fn kept(wish: Option<Self>) -> Message {
        Message::new("letters-here-kept").with("wish", Self::word(wish))
    }

    /// What is shown of it among the settings.
    pub(crate) fn setting(wish: Option<Self>) -> Message {
        Message::new("setting-turns-here").with("wish", Self::word(wish))
    }

    const fn word(wish: Option<Self>) -> &'static str {
        match wish {
            Some(Self::Turns) => "turns",
            Some(Self::All) => "all",
            None => "usual",
        }
    }
}

impl Member {
    /// The member's settings as they are, each with the line that changes it.
    pub(crate) fn settings(&self) -> Vec<Message> {
        let LetterStyle { html, picture, colours, calendar, narrow, .. } = self.letters;
        let LetterStyle { digest, digest_at, turns, steady, standings, invitations, .. } =
            self.letters;
        let on = |on: bool| if on { "on" } else { "off" };
        let zone = self.time.zone().name();
        let time = digest_at.to_string();
        let bundled = if digest_at.is_off() { on(digest) } else { "daily" };
        let mut said = vec![Message::new("setting-zone").with("zone", zone)];
        // Older ones are kept only to count the days of a year.
        let last = self.time.vacations.iter().rev().take(2).rev();
        said.extend(last.map(|vacation| {
            Message::new("setting-vacation")
                .with("from", day_words(vacation.from))
                .with("to", day_words(vacation.to))
        }));
        said.extend([
            Message::new("setting-how-vacation"),
            Message::new("setting-language").with("language", self.language.as_str()),
            Message::new("setting-letters").with("html", on(html)),
            Message::new("setting-picture").with("picture", on(picture)),
            Message::new("setting-board").with("ascii", on(self.ascii)),
            Message::new("setting-narrow").with("narrow", on(narrow)),
            Message::new("setting-colours").with("colours", colours.word()),
            Message::new("setting-calendar").with("calendar", on(calendar)),
            Message::new("setting-digest").with("digest", bundled).with("time", time),
            Message::new("setting-turns").with("turns", on(turns)),
            Message::new("setting-subjects").with("steady", on(steady)),
            Message::new("setting-standings").with("standings", on(standings)),
            Message::new("setting-invitations").with("invitations", on(invitations)),
        ]);
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_stored_before_keeps_its_meaning() {
        let stored = r#"{"html":true,"colours":"on","calendar":false,"digest":true}"#;
        let style: LetterStyle = serde_json::from_str(stored).unwrap();
        assert_eq!(style, LetterStyle { digest: true, ..LetterStyle::default() });
        assert!(!style.turns && style.digest_at.is_off());
        assert_eq!(serde_json::to_string(&style).unwrap(), stored);
        let new = serde_json::to_string(&LetterStyle::of_new_member()).unwrap();
        assert!(new.contains(r#""turns":true"#) && !new.contains("digest_at"), "{new}");
    }

    #[test]
    fn what_is_usual_is_known_as_that() {
        assert!(LetterStyle::default().is_default());
        assert!(!LetterStyle::of_new_member().is_default());
    }

    #[test]
    fn a_digest_at_no_time_is_a_slip_among_letters_and_prose_alone() {
        let read = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            StyleLine::read(&words).map(|read| read.map_err(|wrong| wrong.key))
        };
        assert_eq!(read("letters digest soon"), Some(Err("digest-time-unread")));
        assert_eq!(read("letters digest at noon"), Some(Err("digest-time-unread")));
        assert_eq!(read("digest this"), None);
        assert!(matches!(read("digest 18:00"), Some(Ok(StyleLine::Digest(DigestTime::At(_))))));
    }

    #[test]
    fn who_names_no_language_is_told_which_there_are() {
        let line = StyleLine::read(&["language"]).expect("a setting").expect("a tag");
        let mut member = Member { language: "es".to_owned(), ..Member::default() };
        let told = line.onto(&mut member, &["en", "es"]).map_err(|wrong| wrong.key);
        assert_eq!((told, member.language.as_str()), (Err("language-unknown"), "es"));
    }
}
