//! The parser for one line of a letter. It finds the club command, if the line begins with a word
//! of the command table.
//!
//! Pure. It knows no game's orders. A line with a command is never passed on to other players as
//! talk.

use super::command_table::{CommandEntry, CommandParseResult, CommandScope, ENTRIES};
use super::parsed_letter::Question;
use super::press::LineClass;
use super::seat_notes::NoteCommand;
use super::setting_command::LineError;
use super::vote::Ballot;
use super::{LobbyCommand, ModeratorCommand, RANK_VALID, SettingCommand};
use crate::rules::GameRegistry;
use crate::table::OrderLine;

/// A club command: a request to the club in a line of a letter, in any game or none. Each module of
/// `process` carries out some of the variants.
#[derive(Clone, Debug, PartialEq)]
pub enum ClubCommand {
    /// Asks a question. The club answers, and nothing changes.
    Ask(Question),
    /// Does something about the club's games, or leaves the club.
    Lobby(LobbyCommand),
    Set(SettingCommand),
    /// Names an address that the sender says is their own.
    Address(String),
    Note(NoteCommand),
    Vote(Ballot),
    /// Takes back the sender's last orders.
    Undo,
    /// Asks which orders a bot would give in the sender's place.
    Hint,
    Moderate(ModeratorCommand),
}

/// A line that begins with a word of the command table.
#[derive(Clone, Debug)]
pub struct ParsedCommand {
    pub(crate) entry: &'static CommandEntry,
    /// The command, or the sentence that says what is wrong with it.
    pub command: Result<ClubCommand, LineError>,
}

/// A line of a letter: the text for the game, and the club command if there is one.
#[derive(Clone, Debug)]
pub struct LetterLine {
    pub(crate) order: OrderLine,
    /// `None` if the line is an order of the game, a plan, or prose.
    pub parsed_command: Option<ParsedCommand>,
}

/// The line that the parser of a table entry gets, in several forms.
pub(crate) struct CommandInput<'a> {
    /// The games that a command may name.
    pub(crate) games: GameRegistry,
    pub(crate) entry: &'static CommandEntry,
    /// The line in plain characters, like lines of orders.
    pub(crate) folded: &'a str,
    pub(crate) lowercase: &'a str,
    /// The line as the sender wrote it. Notes are stored in this form.
    pub(crate) written: &'a str,
    /// The record that "one turn back" leads to, as the sender saw the game.
    pub(crate) undo_record: Option<u32>,
}

impl ParsedCommand {
    /// Parses a line of any sender except the moderator. `None` if the line is no command.
    ///
    /// `folded` is the line in plain characters, like lines of orders. `written` is the line as the
    /// sender wrote it. `back` is the record that "one turn back" leads to, as the sender saw the
    /// game.
    ///
    /// ```
    /// use postrider::club::{ClubCommand, ParsedCommand};
    /// use postrider::games::SHIPPED;
    ///
    /// let parse = |line| ParsedCommand::parse(SHIPPED, line, line, None).map(|line| line.command);
    /// assert!(matches!(parse("zone Europe/Madrid"), Some(Ok(ClubCommand::Set(_)))));
    /// assert!(matches!(parse("zone Atlantis"), Some(Err(_))));
    /// assert!(matches!(parse("vote extend 3 days"), Some(Ok(ClubCommand::Vote(_)))));
    /// // Other lines may be orders, which the game parses.
    /// assert!(parse("build red G23").is_none());
    /// ```
    pub fn parse(
        games: GameRegistry,
        folded: &str,
        written: &str,
        back: Option<u32>,
    ) -> Option<Self> {
        Self::parse_permitted_command(
            games,
            |place| place != CommandScope::Moderator,
            folded,
            written,
            back,
        )
    }

    /// Parses a line of the moderator. `None` if the line is no command.
    pub(crate) fn parse_for_moderator(folded: &str) -> Option<Self> {
        // No command of the moderator names a kind of game.
        Self::parse_permitted_command(
            GameRegistry::new(&[]),
            |place| place == CommandScope::Moderator,
            folded,
            folded,
            None,
        )
    }

    fn parse_permitted_command(
        games: GameRegistry,
        is_permitted: fn(CommandScope) -> bool,
        folded: &str,
        written: &str,
        back: Option<u32>,
    ) -> Option<Self> {
        let lower = &folded.to_lowercase();
        let first = lower.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty())?;
        let mut entries = ENTRIES.iter().filter(|entry| is_permitted(entry.scope));
        entries.find_map(|entry| {
            let said =
                CommandInput { games, entry, folded, lowercase: lower, written, undo_record: back };
            let deed = entry.words.contains(&first).then(|| (entry.parse)(&said)).flatten()?;
            Some(Self { entry, command: deed })
        })
    }

    /// Whether the command has an effect in a letter that also contains orders. `in_game` says
    /// whether the letter is about a game.
    pub(crate) const fn is_allowed_beside_orders(&self, in_game: bool) -> bool {
        match self.entry.scope {
            CommandScope::Member => true,
            CommandScope::Game | CommandScope::Seat => in_game,
            CommandScope::Alone | CommandScope::Open | CommandScope::Moderator => false,
        }
    }

    /// Whether the command is about the sender's own seat. Such a command has no effect in the
    /// quoted part of a letter.
    pub(crate) fn is_about_own_seat(&self) -> bool {
        self.entry.scope == CommandScope::Seat
    }

    /// Whether the command must be the only line of its letter.
    pub(crate) fn must_be_only_line(&self) -> bool {
        matches!(self.entry.scope, CommandScope::Alone | CommandScope::Open)
    }
}

impl<'a> CommandInput<'a> {
    /// Returns the words behind the command's word, in lower case. `None` if the line does not
    /// begin with that word, an optional colon, and a blank.
    pub(crate) fn argument_words(&self) -> Option<Vec<&'a str>> {
        self.words_after_command(self.lowercase)
    }

    /// Like [`CommandInput::argument_words`], with capitals as the sender wrote them.
    pub(crate) fn argument_words_as_written(&self) -> Option<Vec<&'a str>> {
        self.words_after_command(self.folded)
    }

    fn words_after_command(&self, text: &'a str) -> Option<Vec<&'a str>> {
        let mut words = text.trim().trim_end_matches(['.', '!', '?']).split_whitespace();
        let first = words.next()?.trim_end_matches(':').to_lowercase();
        self.entry.words.contains(&first.as_str()).then(|| words.collect())
    }

    /// Parses a question: the word alone, or `preview` followed by an order.
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

/// Classifies a line in plain characters: a command, a line that resembles a command, or prose.
/// Questions and commands with errors count as resembling one.
pub fn classify_line(games: GameRegistry, folded: &str) -> LineClass {
    match ParsedCommand::parse(games, folded, folded, None) {
        None => LineClass::Prose,
        // Prose may begin with "New", too.
        Some(ParsedCommand { entry, command: Err(_) }) if entry.main_word() == "new" => {
            LineClass::Prose
        }
        Some(ParsedCommand { command: Ok(ClubCommand::Ask(_)) | Err(_), .. }) => {
            LineClass::LikeOrder
        }
        Some(ParsedCommand { command: Ok(_), .. }) => LineClass::Order,
    }
}

/// Rates a line in plain characters as a club command, from 0 for prose to [`RANK_VALID`].
pub(super) fn rank_club_line(games: GameRegistry, folded: &str) -> u8 {
    match classify_line(games, folded) {
        LineClass::Order => RANK_VALID,
        LineClass::LikeOrder => 1,
        LineClass::Prose => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::SHIPPED;

    #[test]
    fn club_lines_are_classified_by_kind() {
        for line in
            ["join 12", "resign yes", "leave club", "zone Europe/Madrid", "vote pause", "undo"]
        {
            assert_eq!(classify_line(SHIPPED, line), LineClass::Order, "{line}");
        }
        for line in ["zone Atlantis", "vote", "note", "address nowhere", "join 12 seat x"] {
            assert_eq!(classify_line(SHIPPED, line), LineClass::LikeOrder, "{line}");
        }
        for line in ["New here, be kind.", "I join the game late", "wait for me"] {
            assert_eq!(classify_line(SHIPPED, line), LineClass::Prose, "{line}");
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
            "remind 12h",
            "no reminders",
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
            "site name",
            "vote extend 2 days",
            "vote no",
            "undo",
        ];
        for line in lines {
            let first = line.split(' ').next().unwrap_or_default();
            let own = ENTRIES.iter().filter(|entry| entry.scope != CommandScope::Moderator);
            let read = own.filter(|entry| entry.words.contains(&first)).filter(|entry| {
                let said = CommandInput {
                    games: SHIPPED,
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
        let read = |line| ParsedCommand::parse(SHIPPED, line, line, None);
        for line in ["New York", "new game.", "new chess"] {
            assert!(matches!(read(line), Some(ParsedCommand { command: Err(_), .. })), "{line}");
            assert_eq!(classify_line(SHIPPED, line), LineClass::Prose, "{line}");
        }
        assert!(read("new chess please").is_none());
        assert!(matches!(read("new seats for chess"), Some(ParsedCommand { command: Err(_), .. })));
    }
}
