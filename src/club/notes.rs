//! A player's private notes in one game, and the lines of a letter that change them.
//!
//! They lie with the seat, beside the game's log, and are shown to nobody but their player.

use crate::rules::Message;
use serde::{Deserialize, Serialize};

/// The most notes that a seat may have.
pub const NOTES_MAX: usize = 20;
/// The most characters that a note may have.
pub const NOTE_CHARACTERS_MAX: usize = 300;

/// A seat's notes, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Notes {
    notes: Vec<String>,
}

/// A line that changes a seat's notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoteLine {
    /// `note Cid hoards blue`.
    Keep(String),
    /// `forget note 2`: by the number that the letters show.
    Forget(usize),
    /// `forget notes`: all of this game.
    ForgetAll,
}

impl NoteLine {
    /// The change that a line asks for; none when it is about no note. `folded` is the line as
    /// orders are read, `written` the same as it stands in the letter, which is what is kept.
    pub fn read(folded: &str, written: &str) -> Option<Result<Self, Message>> {
        let words: Vec<String> = folded
            .split(|c: char| c.is_whitespace() || c == '#')
            .map(|word| word.trim_matches(['.', ',', ':', '!']).to_lowercase())
            .filter(|word| !word.is_empty())
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["note"] => Some(Err(Message::new("note-empty"))),
            ["note", ..] => Some(kept(folded, written)),
            ["forget", "notes"] | ["forget", "all", "notes"] => Some(Ok(Self::ForgetAll)),
            ["forget", "note", number] => Some(
                number.parse().map(Self::Forget).map_err(|_| Message::new("note-forget-unread")),
            ),
            ["forget", "note"] => Some(Err(Message::new("note-forget-unread"))),
            _ => None,
        }
    }
}

fn kept(folded: &str, written: &str) -> Result<NoteLine, Message> {
    let text = after_note(&legible(written)).or_else(|| after_note(folded)).unwrap_or_default();
    let length = text.chars().count();
    if text.is_empty() {
        return Err(Message::new("note-empty"));
    }
    if length > NOTE_CHARACTERS_MAX {
        return Err(Message::new("note-long")
            .with("length", length)
            .with("limit", NOTE_CHARACTERS_MAX));
    }
    Ok(NoteLine::Keep(text))
}

/// What follows the word `note`.
fn after_note(line: &str) -> Option<String> {
    let word = "note";
    let (at, _) = line.char_indices().find(|(at, _)| {
        line.get(*at..at + word.len()).is_some_and(|here| here.eq_ignore_ascii_case(word))
    })?;
    let rest = line.get(at + word.len()..)?;
    Some(rest.trim_start_matches([' ', ':']).trim_end().to_owned())
}

/// A line as its writer wrote it, but on one line, and without what would turn or hide the text
/// around it: controls, marks of direction, tags.
fn legible(line: &str) -> String {
    let mut legible = String::with_capacity(line.len());
    for character in line.chars() {
        if character.is_whitespace() {
            if !legible.is_empty() && !legible.ends_with(' ') {
                legible.push(' ');
            }
        } else if !character.is_control() && !is_disruptive(character) {
            legible.push(character);
        }
    }
    legible.truncate(legible.trim_end().len());
    legible
}

/// Joiners and variations stay: words of some scripts, and many signs, are not themselves without.
fn is_disruptive(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}')
}

impl Notes {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.notes.is_empty()
    }

    /// The notes with their numbers, from 1.
    pub fn numbered(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.notes.iter().map(String::as_str))
    }

    /// The notes after this line, and what their player is told of it.
    ///
    /// # Errors
    /// When there are too many, or there is none of this number.
    pub(crate) fn changed(&self, line: NoteLine) -> Result<(Self, Message), Message> {
        let mut notes = self.notes.clone();
        let said = match line {
            NoteLine::Keep(_) if notes.len() >= NOTES_MAX => {
                return Err(Message::new("note-many").with("limit", NOTES_MAX));
            }
            NoteLine::Keep(text) => {
                notes.push(text);
                Message::new("note-kept").with("number", notes.len())
            }
            NoteLine::Forget(number) if (1..=notes.len()).contains(&number) => {
                notes.remove(number - 1);
                Message::new("note-forgotten").with("number", number).with("left", notes.len())
            }
            NoteLine::Forget(number) => {
                return Err(Message::new("note-none").with("number", number.to_string()));
            }
            NoteLine::ForgetAll => {
                notes.clear();
                Message::new("notes-forgotten")
            }
        };
        Ok((Self { notes }, said))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<Result<NoteLine, &'static str>> {
        NoteLine::read(line, line).map(|read| read.map_err(|wrong| wrong.key))
    }

    #[test]
    fn lines_about_notes_are_told_from_orders() {
        let keep = |text: &str| Some(Ok(NoteLine::Keep(text.to_owned())));
        assert_eq!(read("Note: Cid hoards blue."), keep("Cid hoards blue."));
        assert_eq!(read("note - three left"), keep("- three left"));
        assert_eq!(read("note note"), keep("note"));
        assert_eq!(read("Forget note 2."), Some(Ok(NoteLine::Forget(2))));
        assert_eq!(read("forget note #12"), Some(Ok(NoteLine::Forget(12))));
        assert_eq!(read("forget notes!"), Some(Ok(NoteLine::ForgetAll)));
        assert_eq!(read("note:"), Some(Err("note-empty")));
        assert_eq!(read("forget note two"), Some(Err("note-forget-unread")));
        assert_eq!(read("notes"), None);
        assert_eq!(read("notebook 3"), None);
        assert_eq!(read("forget it"), None);
    }

    #[test]
    fn a_note_keeps_its_writing_and_loses_what_would_disturb_other_text() {
        let written =
            "\u{feff}NOTE:  Zwölf – „nein“\u{202e}\u{7} 東京 \u{2028} \u{1f469}\u{200d}\u{1f680}";
        let read = NoteLine::read("NOTE: Zwölf - \"nein\" 東京", written).unwrap().unwrap();
        assert_eq!(
            read,
            NoteLine::Keep("Zwölf – „nein“ 東京 \u{1f469}\u{200d}\u{1f680}".to_owned())
        );
        // A line that only its folded form makes a note of.
        let wide = NoteLine::read("note x", "ｎｏｔｅ ｘ").unwrap().unwrap();
        assert_eq!(wide, NoteLine::Keep("x".to_owned()));
        let turned = NoteLine::read("note", "note \u{202e}\u{202c}").unwrap();
        assert_eq!(turned.map_err(|wrong| wrong.key), Err("note-empty"));
    }

    #[test]
    fn notes_have_a_limit_and_numbers() {
        let long = |count: usize| format!("note {}", "ä".repeat(count));
        assert!(matches!(read(&long(300)), Some(Ok(NoteLine::Keep(_)))));
        assert_eq!(read(&long(301)), Some(Err("note-long")));
        let mut notes = Notes::default();
        for number in 1..=NOTES_MAX {
            let (after, said) = notes.changed(NoteLine::Keep(format!("n{number}"))).unwrap();
            assert_eq!(said.key, "note-kept");
            notes = after;
        }
        let wrong = |line| notes.changed(line).map(|(_, said)| said.key).map_err(|why| why.key);
        assert_eq!(wrong(NoteLine::Keep("one more".to_owned())), Err("note-many"));
        assert_eq!(wrong(NoteLine::Forget(0)), Err("note-none"));
        assert_eq!(wrong(NoteLine::Forget(21)), Err("note-none"));
        let (fewer, _) = notes.changed(NoteLine::Forget(2)).unwrap();
        let numbered: Vec<(usize, &str)> = fewer.numbered().take(2).collect();
        assert_eq!(numbered, [(1, "n1"), (2, "n3")]);
        assert!(fewer.changed(NoteLine::ForgetAll).unwrap().0.is_empty());
    }

    #[test]
    fn a_word_alone_is_no_note_and_forgets_none() {
        for line in ["note", "Note.", "note!", "# note"] {
            assert_eq!(read(line), Some(Err("note-empty")), "{line}");
        }
        for line in ["forget note", "Forget note."] {
            assert_eq!(read(line), Some(Err("note-forget-unread")), "{line}");
        }
    }
}
