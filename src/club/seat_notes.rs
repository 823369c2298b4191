//! A player's private notes in a game, and the parser for the commands that change them.
//!
//! They are stored with the seat, outside the game's log, and only their player can read them.

use crate::rules::Message;
use serde::{Deserialize, Serialize};

pub const NOTES_MAX: usize = 20;
pub const NOTE_CHARACTERS_MAX: usize = 300;

/// The notes of a seat, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Notes {
    notes: Vec<String>,
}

/// A command that changes a seat's notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoteCommand {
    /// Adds a note: `note Cid hoards blue`.
    Add(String),
    /// Deletes the note with the number that letters show: `forget note 2`.
    Forget(usize),
    /// Deletes all notes of this game: `forget notes`.
    ForgetAll,
}

impl NoteCommand {
    /// Parses a line that may change a seat's notes. `None` if the line is not about a note.
    /// `folded` is the line in plain characters, like lines of orders. `written` is the line as the
    /// sender wrote it, which becomes the note.
    pub fn parse(folded: &str, written: &str) -> Option<Result<Self, Message>> {
        let words: Vec<String> = folded
            .split(|c: char| c.is_whitespace() || c == '#')
            .map(|word| word.trim_matches(['.', ',', ':', '!']).to_lowercase())
            .filter(|word| !word.is_empty())
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["note"] => Some(Err(Message::new("note-empty"))),
            ["note", ..] => Some(parse_note(folded, written)),
            ["forget", "notes"] | ["forget", "all", "notes"] => Some(Ok(Self::ForgetAll)),
            ["forget", "note", number] => Some(
                number.parse().map(Self::Forget).map_err(|_| Message::new("note-forget-unread")),
            ),
            ["forget", "note"] => Some(Err(Message::new("note-forget-unread"))),
            _ => None,
        }
    }
}

fn parse_note(folded: &str, written: &str) -> Result<NoteCommand, Message> {
    let text = text_after_note(&clean_text(written))
        .or_else(|| text_after_note(folded))
        .unwrap_or_default();
    let length = text.chars().count();
    if text.is_empty() {
        return Err(Message::new("note-empty"));
    }
    if length > NOTE_CHARACTERS_MAX {
        return Err(Message::new("note-long")
            .with("length", length)
            .with("limit", NOTE_CHARACTERS_MAX));
    }
    Ok(NoteCommand::Add(text))
}

/// Returns the text behind the first "note" in a line.
fn text_after_note(line: &str) -> Option<String> {
    let word = "note";
    let (at, _) = line.char_indices().find(|(at, _)| {
        line.get(*at..at + word.len()).is_some_and(|here| here.eq_ignore_ascii_case(word))
    })?;
    let rest = line.get(at + word.len()..)?;
    Some(rest.trim_start_matches([' ', ':']).trim_end().to_owned())
}

/// Returns a line without control characters, direction marks, tags and other invisible characters,
/// which could reorder or hide the text around the note. Runs of blanks become one.
fn clean_text(line: &str) -> String {
    let mut legible = String::with_capacity(line.len());
    for character in line.chars() {
        if character.is_whitespace() {
            if !legible.is_empty() && !legible.ends_with(' ') {
                legible.push(' ');
            }
        } else if !character.is_control() && !is_invisible_control(character) {
            legible.push(character);
        }
    }
    legible.truncate(legible.trim_end().len());
    legible
}

/// Whether a character is invisible and can change how text is shown. Joiners and variation
/// selectors do not count, because some scripts and symbols need them.
fn is_invisible_control(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}')
}

impl Notes {
    pub fn is_empty(&self) -> bool {
        self.notes.is_empty()
    }

    /// Iterates over the seat's notes with their numbers, from 1.
    pub fn numbered(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.notes.iter().map(String::as_str))
    }

    /// Applies a command to a seat's notes. Returns the new notes and the confirmation. Refuses a
    /// note if there are too many, or a number that no note has.
    pub(crate) fn apply(&self, line: NoteCommand) -> Result<(Self, Message), Message> {
        let mut notes = self.notes.clone();
        let said = match line {
            NoteCommand::Add(_) if notes.len() >= NOTES_MAX => {
                return Err(Message::new("note-many").with("limit", NOTES_MAX));
            }
            NoteCommand::Add(text) => {
                notes.push(text);
                Message::new("note-kept").with("number", notes.len())
            }
            NoteCommand::Forget(number) if (1..=notes.len()).contains(&number) => {
                notes.remove(number - 1);
                Message::new("note-forgotten").with("number", number).with("left", notes.len())
            }
            NoteCommand::Forget(number) => {
                return Err(Message::new("note-none").with("number", number.to_string()));
            }
            NoteCommand::ForgetAll => {
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

    fn parse_or_error_key(line: &str) -> Option<Result<NoteCommand, &'static str>> {
        NoteCommand::parse(line, line).map(|read| read.map_err(|wrong| wrong.key))
    }

    #[test]
    fn note_lines_are_distinguished_from_orders() {
        let keep = |text: &str| Some(Ok(NoteCommand::Add(text.to_owned())));
        assert_eq!(parse_or_error_key("Note: Cid hoards blue."), keep("Cid hoards blue."));
        assert_eq!(parse_or_error_key("note - three left"), keep("- three left"));
        assert_eq!(parse_or_error_key("note note"), keep("note"));
        assert_eq!(parse_or_error_key("Forget note 2."), Some(Ok(NoteCommand::Forget(2))));
        assert_eq!(parse_or_error_key("forget note #12"), Some(Ok(NoteCommand::Forget(12))));
        assert_eq!(parse_or_error_key("forget notes!"), Some(Ok(NoteCommand::ForgetAll)));
        assert_eq!(parse_or_error_key("note:"), Some(Err("note-empty")));
        assert_eq!(parse_or_error_key("forget note two"), Some(Err("note-forget-unread")));
        assert_eq!(parse_or_error_key("notes"), None);
        assert_eq!(parse_or_error_key("notebook 3"), None);
        assert_eq!(parse_or_error_key("forget it"), None);
    }

    #[test]
    fn note_keeps_text_without_control_characters() {
        let written =
            "\u{feff}NOTE:  Zwölf – „nein“\u{202e}\u{7} 東京 \u{2028} \u{1f469}\u{200d}\u{1f680}";
        let read = NoteCommand::parse("NOTE: Zwölf - \"nein\" 東京", written).unwrap().unwrap();
        assert_eq!(
            read,
            NoteCommand::Add("Zwölf – „nein“ 東京 \u{1f469}\u{200d}\u{1f680}".to_owned())
        );
        // Only the line in plain characters begins with "note".
        let wide = NoteCommand::parse("note x", "ｎｏｔｅ ｘ").unwrap().unwrap();
        assert_eq!(wide, NoteCommand::Add("x".to_owned()));
        let turned = NoteCommand::parse("note", "note \u{202e}\u{202c}").unwrap();
        assert_eq!(turned.map_err(|wrong| wrong.key), Err("note-empty"));
    }

    #[test]
    fn notes_are_numbered_and_limited() {
        let long = |count: usize| format!("note {}", "ä".repeat(count));
        assert!(matches!(parse_or_error_key(&long(300)), Some(Ok(NoteCommand::Add(_)))));
        assert_eq!(parse_or_error_key(&long(301)), Some(Err("note-long")));
        let mut notes = Notes::default();
        for number in 1..=NOTES_MAX {
            let (after, said) = notes.apply(NoteCommand::Add(format!("n{number}"))).unwrap();
            assert_eq!(said.key, "note-kept");
            notes = after;
        }
        let wrong = |line| notes.apply(line).map(|(_, said)| said.key).map_err(|why| why.key);
        assert_eq!(wrong(NoteCommand::Add("one more".to_owned())), Err("note-many"));
        assert_eq!(wrong(NoteCommand::Forget(0)), Err("note-none"));
        assert_eq!(wrong(NoteCommand::Forget(21)), Err("note-none"));
        let (fewer, _) = notes.apply(NoteCommand::Forget(2)).unwrap();
        let numbered: Vec<(usize, &str)> = fewer.numbered().take(2).collect();
        assert_eq!(numbered, [(1, "n1"), (2, "n3")]);
        assert!(fewer.apply(NoteCommand::ForgetAll).unwrap().0.is_empty());
    }

    #[test]
    fn note_command_without_argument_is_refused() {
        for line in ["note", "Note.", "note!", "# note"] {
            assert_eq!(parse_or_error_key(line), Some(Err("note-empty")), "{line}");
        }
        for line in ["forget note", "Forget note."] {
            assert_eq!(parse_or_error_key(line), Some(Err("note-forget-unread")), "{line}");
        }
    }
}
