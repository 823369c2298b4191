//! How a member wants letters made, and the lines that change it.
//!
//! One grammar for letters and for the command line. Nothing here knows a letter's form.

use super::Member;
use super::clock::day_words;
use super::member_line::WrongLine;
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
    /// Whether letters about a game come only when it is the member's turn, when he is asked or
    /// told something, and at the end.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub turns: bool,
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
        let (calendar, digest, turns) = (false, false, false);
        Self { html: true, picture: true, colours: Colours::On, calendar, digest, turns }
    }
}

impl LetterStyle {
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
    /// `colours on`, `patterns` or `off`.
    Colours(Colours),
    /// `calendar on` or `off`.
    Calendar(bool),
    /// `letters digest` or `letters each`.
    Digest(bool),
    /// `letters turns` or `letters all`.
    Turns(bool),
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
            ["letters", "digest"] | ["digest"] | ["digest", "on"] => Self::Digest(true),
            ["letters", "each"] | ["digest", "off"] | ["no", "digest"] => Self::Digest(false),
            ["letters", "turns"] => Self::Turns(true),
            ["letters", "all"] => Self::Turns(false),
            // "board" alone is a question, and any other line may be an order of a game.
            ["board" | "boards", "ascii"] | ["ascii", "board" | "boards"] => Self::Ascii(true),
            ["board" | "boards", "unicode"] | ["unicode", "board" | "boards"] => Self::Ascii(false),
            ["colours" | "colors", "on"] => Self::Colours(Colours::On),
            ["colours" | "colors", "patterns"] | ["colour" | "color", "patterns"] => {
                Self::Colours(Colours::Patterns)
            }
            ["colours" | "colors", "off"] | ["no", "colours" | "colors"] => {
                Self::Colours(Colours::Off)
            }
            ["calendar", "on"] => Self::Calendar(true),
            ["calendar", "off"] | ["no", "calendar"] => Self::Calendar(false),
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
            Self::Language(tag) => match languages.iter().find(|known| **known == tag) {
                Some(known) => {
                    member.language = (*known).to_owned();
                    Message::new("language-kept").with("language", *known)
                }
                None => {
                    let all = languages.to_vec();
                    return Err(Message::new("language-unknown").with("all", all));
                }
            },
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
            Self::Colours(colours) => {
                member.letters.colours = colours;
                Message::new("colours-kept").with("colours", colours.word())
            }
            Self::Calendar(on) => {
                member.letters.calendar = on;
                said(on, "calendar-on-kept", "calendar-off-kept")
            }
            Self::Digest(on) => {
                member.letters.digest = on;
                said(on, "letters-digest-kept", "letters-each-kept")
            }
            Self::Turns(on) => {
                member.letters.turns = on;
                said(on, "letters-turns-kept", "letters-all-kept")
            }
        })
    }
}

impl Member {
    /// The member's settings as they are, each with the line that changes it.
    pub(crate) fn settings(&self) -> Vec<Message> {
        let LetterStyle { html, picture, colours, calendar, digest, turns } = self.letters;
        let on = |on: bool| if on { "on" } else { "off" };
        let zone = self.time.zone().name();
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
            Message::new("setting-colours").with("colours", colours.word()),
            Message::new("setting-calendar").with("calendar", on(calendar)),
            Message::new("setting-digest").with("digest", on(digest)),
            Message::new("setting-turns").with("turns", on(turns)),
        ]);
        said
    }
}
