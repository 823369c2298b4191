//! A line of a letter, read once: what it asks of the club, if it begins with a word of the table.
//!
//! Pure. Knows no order of any game. Lines for the club are never passed on to other players as a
//! part of what their writer says to them.

use super::command_table::{CommandEntry, CommandParseResult, CommandScope, ENTRIES};
use super::parsed_letter::Question;
use super::press::LineClass;
use super::seat_notes::NoteCommand;
use super::setting_command::LineError;
use super::vote::Ballot;
use super::{LobbyCommand, ModeratorCommand, SettingCommand};
use crate::table::OrderLine;

/// What a line asks for. Each module of `process` carries out the deeds of some variants.
#[derive(Clone, Debug, PartialEq)]
pub enum ClubCommand {
    /// A question, which is answered and changes nothing.
    Ask(Question),
    /// Something about the club's games, or about leaving the club.
    Lobby(LobbyCommand),
    /// A setting of the writer.
    Set(SettingCommand),
    /// An address that the writer says is theirs.
    Address(String),
    /// A private note of the writer's seat.
    Note(NoteCommand),
    /// A vote on the game.
    Vote(Ballot),
    /// The writer's last orders are taken back.
    Undo,
    /// Something that only the moderator can do.
    Moderate(ModeratorCommand),
}

/// A line for the club.
#[derive(Clone, Debug)]
pub struct ParsedCommand {
    pub(crate) entry: &'static CommandEntry,
    /// What it asks for, or what is wrong with it.
    pub command: Result<ClubCommand, LineError>,
}

/// A line of a letter.
#[derive(Clone, Debug)]
pub struct LetterLine {
    pub(crate) order: OrderLine,
    /// What it asks of the club; `None` for an order of the game, a plan, or prose.
    pub parsed_command: Option<ParsedCommand>,
}

/// A line as the reader of an entry gets it.
pub(crate) struct CommandInput<'a> {
    pub(crate) entry: &'static CommandEntry,
    /// The line in plain characters, as orders are read.
    pub(crate) folded: &'a str,
    /// [`Said::folded`] in lower case.
    pub(crate) lowercase: &'a str,
    /// The line as it stands in the letter, which is what a note keeps.
    pub(crate) written: &'a str,
    /// The record to which a game goes back that goes one turn back, as the writer saw it.
    pub(crate) undo_record: Option<u32>,
}

impl ParsedCommand {
    /// Reads a line of anybody but the moderator. `folded` is the line in plain characters, as
    /// orders are read; `written` is the line as it stands in the letter; `back` is the record to
    /// which a game goes back that goes one turn back, as the letter's writer saw it.
    ///
    /// ```
    /// use postrider::club::{Deed, Line};
    ///
    /// let read = |line| Line::read(line, line, None).map(|line| line.deed);
    /// assert!(matches!(read("zone Europe/Madrid"), Some(Ok(Deed::Set(_)))));
    /// assert!(matches!(read("zone Atlantis"), Some(Err(_))));
    /// assert!(matches!(read("vote extend 3 days"), Some(Ok(Deed::Vote(_)))));
    /// // What is left may be an order: that is the game's to say.
    /// assert!(read("build red G23").is_none());
    /// ```
    pub fn parse(folded: &str, written: &str, back: Option<u32>) -> Option<Self> {
        Self::parse_by_table(|place| place != CommandScope::Moderator, folded, written, back)
    }

    /// Reads a line of the moderator.
    pub(crate) fn parse_for_moderator(folded: &str) -> Option<Self> {
        Self::parse_by_table(|place| place == CommandScope::Moderator, folded, folded, None)
    }

    fn parse_by_table(
        is_permitted: fn(CommandScope) -> bool,
        folded: &str,
        written: &str,
        back: Option<u32>,
    ) -> Option<Self> {
        let lower = &folded.to_lowercase();
        let first = lower.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty())?;
        let mut entries = ENTRIES.iter().filter(|entry| is_permitted(entry.place));
        entries.find_map(|entry| {
            let said = CommandInput { entry, folded, lowercase: lower, written, undo_record: back };
            let deed = entry.words.contains(&first).then(|| (entry.parse)(&said)).flatten()?;
            Some(Self { entry, command: deed })
        })
    }

    /// Whether the line has an effect beside orders. `in_game` tells whether the letter is about a
    /// game.
    pub(crate) const fn is_allowed_beside_orders(&self, in_game: bool) -> bool {
        match self.entry.place {
            CommandScope::Member => true,
            CommandScope::Game | CommandScope::Seat => in_game,
            CommandScope::Alone | CommandScope::Open | CommandScope::Moderator => false,
        }
    }

    /// Whether the line is about what is the writer's own, so that one which the letter quotes has
    /// no effect.
    pub(crate) fn is_about_own_seat(&self) -> bool {
        self.entry.place == CommandScope::Seat
    }

    /// Whether the line must be the only one of its letter.
    pub(crate) fn must_stand_alone(&self) -> bool {
        matches!(self.entry.place, CommandScope::Alone | CommandScope::Open)
    }
}

impl<'a> CommandInput<'a> {
    /// The words behind the first one, in lower case; `None` if the line begins otherwise than with
    /// the word, a colon perhaps, and a blank.
    pub(crate) fn argument_words(&self) -> Option<Vec<&'a str>> {
        self.words_after_command(self.lowercase)
    }

    /// Like [`Said::rest`], with capitals as they were written.
    pub(crate) fn argument_words_as_written(&self) -> Option<Vec<&'a str>> {
        self.words_after_command(self.folded)
    }

    fn words_after_command(&self, text: &'a str) -> Option<Vec<&'a str>> {
        let mut words = text.trim().trim_end_matches(['.', '!', '?']).split_whitespace();
        let first = words.next()?.trim_end_matches(':').to_lowercase();
        self.entry.words.contains(&first.as_str()).then(|| words.collect())
    }

    /// Reads a question: the word alone, or `preview` before an order.
    pub(crate) fn parse_question(&self, question: Question) -> CommandParseResult {
        let is_word = |text: &str| {
            self.entry.words.contains(&text.trim_matches(|c: char| !c.is_alphanumeric()))
        };
        let mut parts = self.lowercase.split([' ', ':', ',']);
        let is_asked = is_word(self.lowercase)
            || question == Question::Preview && parts.next().is_some_and(is_word);
        is_asked.then_some(Ok(ClubCommand::Ask(question)))
    }
}

/// What a folded line is for the club besides press.
pub fn classify_line(folded: &str) -> LineClass {
    match ParsedCommand::parse(folded, folded, None) {
        None => LineClass::Prose,
        // Prose may begin with "New" as well.
        Some(ParsedCommand { entry, command: Err(_) }) if entry.main_word() == "new" => {
            LineClass::Prose
        }
        Some(ParsedCommand { command: Ok(ClubCommand::Ask(_)) | Err(_), .. }) => {
            LineClass::LikeOrder
        }
        Some(ParsedCommand { command: Ok(_), .. }) => LineClass::Order,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn club_lines_are_classified_by_kind() {
        for line in
            ["join 12", "resign yes", "leave club", "zone Europe/Madrid", "vote pause", "undo"]
        {
            assert_eq!(classify_line(line), LineClass::Order, "{line}");
        }
        for line in ["zone Atlantis", "vote", "note", "address nowhere", "join 12 seat x"] {
            assert_eq!(classify_line(line), LineClass::LikeOrder, "{line}");
        }
        for line in ["New here, be kind.", "I join the game late", "wait for me"] {
            assert_eq!(classify_line(line), LineClass::Prose, "{line}");
        }
    }

    #[test]
    fn each_line_matches_one_table_entry() {
        let lines = [
            "new paris-connection seats 3",
            "new marks",
            "join 12",
            "join club",
            "invite 12 a@x.org",
            "leave 12",
            "leave club yes",
            "cancel 12",
            "wait 12",
            "watch 12",
            "unwatch 12",
            "games",
            "rematch",
            "resign yes",
            "note a thing",
            "forget note 2",
            "forget all notes",
            "address a@x.org",
            "zone UTC",
            "vacation 2026-12-20",
            "no vacation",
            "language en",
            "letters text",
            "plain text",
            "digest",
            "board ascii",
            "colours off",
            "calendar on",
            "subjects steady",
            "standings off",
            "invitations off",
            "vote extend 2 days",
            "vote no",
            "undo",
        ];
        for line in lines {
            let first = line.split(' ').next().unwrap_or_default();
            let own = ENTRIES.iter().filter(|entry| entry.place != CommandScope::Moderator);
            let read = own.filter(|entry| entry.words.contains(&first)).filter(|entry| {
                let said = CommandInput {
                    entry,
                    folded: line,
                    lowercase: line,
                    written: line,
                    undo_record: None,
                };
                (entry.parse)(&said).is_some()
            });
            assert_eq!(read.count(), 1, "{line}");
        }
    }

    #[test]
    fn unknown_game_after_new_may_be_prose() {
        let read = |line| ParsedCommand::parse(line, line, None);
        for line in ["New York", "new game.", "new chess"] {
            assert!(matches!(read(line), Some(ParsedCommand { command: Err(_), .. })), "{line}");
            assert_eq!(classify_line(line), LineClass::Prose, "{line}");
        }
        assert!(read("new chess please").is_none());
        assert!(matches!(read("new seats for chess"), Some(ParsedCommand { command: Err(_), .. })));
    }
}
