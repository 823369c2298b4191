//! A line of a letter, read once: what it asks of the club, if it begins with a word of the table.
//!
//! Pure. Knows no order of any game. Lines for the club are never passed on to other players as a
//! part of what their writer says to them.

use super::command::Command;
use super::member_line::WrongLine;
use super::notes::NoteLine;
use super::press::Reads;
use super::vote::Ballot;
use super::word_table::{ENTRIES, Entry, Place, Reading};
use super::{LobbyLine, MemberLine, ModeratorCommand};
use crate::table::OrderLine;

/// What a line asks for. Each module of `process` carries out the deeds of some variants.
#[derive(Clone, Debug, PartialEq)]
pub enum Deed {
    /// A question, which is answered and changes nothing.
    Ask(Command),
    /// Something about the club's games, or about leaving the club.
    Lobby(LobbyLine),
    /// A setting of the writer.
    Set(MemberLine),
    /// An address that the writer says is theirs.
    Address(String),
    /// A private note of the writer's seat.
    Note(NoteLine),
    /// A vote on the game.
    Vote(Ballot),
    /// The writer's last orders are taken back.
    Undo,
    /// Something that only the moderator can do.
    Moderate(ModeratorCommand),
}

/// A line for the club.
#[derive(Clone, Debug)]
pub struct Line {
    pub(crate) entry: &'static Entry,
    /// What it asks for, or what is wrong with it.
    pub deed: Result<Deed, WrongLine>,
}

/// A line of a letter.
#[derive(Clone, Debug)]
pub struct ReadLine {
    pub(crate) order: OrderLine,
    /// What it asks of the club; `None` for an order of the game, a plan, or prose.
    pub what: Option<Line>,
}

/// A line as the reader of an entry gets it.
pub(crate) struct Said<'a> {
    pub(crate) entry: &'static Entry,
    /// The line in plain characters, as orders are read.
    pub(crate) folded: &'a str,
    /// [`Said::folded`] in lower case.
    pub(crate) lower: &'a str,
    /// The line as it stands in the letter, which is what a note keeps.
    pub(crate) written: &'a str,
    /// The record to which a game goes back that goes one turn back, as the writer saw it.
    pub(crate) back: Option<u32>,
}

impl Line {
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
    pub fn read(folded: &str, written: &str, back: Option<u32>) -> Option<Self> {
        Self::by_table(|place| place != Place::Moderator, folded, written, back)
    }

    /// Reads a line of the moderator.
    pub(crate) fn of_moderator(folded: &str) -> Option<Self> {
        Self::by_table(|place| place == Place::Moderator, folded, folded, None)
    }

    fn by_table(
        is_permitted: fn(Place) -> bool,
        folded: &str,
        written: &str,
        back: Option<u32>,
    ) -> Option<Self> {
        let lower = &folded.to_lowercase();
        let first = lower.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty())?;
        let mut entries = ENTRIES.iter().filter(|entry| is_permitted(entry.place));
        entries.find_map(|entry| {
            let said = Said { entry, folded, lower, written, back };
            let deed = entry.words.contains(&first).then(|| (entry.read)(&said)).flatten()?;
            Some(Self { entry, deed })
        })
    }

    /// Whether the line has an effect beside orders. `in_game` tells whether the letter is about a
    /// game.
    pub(crate) const fn is_permitted(&self, in_game: bool) -> bool {
        match self.entry.place {
            Place::Member => true,
            Place::Game | Place::Seat => in_game,
            Place::Alone | Place::Open | Place::Moderator => false,
        }
    }

    /// Whether the line is about what is the writer's own, so that one which the letter quotes has
    /// no effect.
    pub(crate) fn is_own(&self) -> bool {
        self.entry.place == Place::Seat
    }

    /// Whether the line must be the only one of its letter.
    pub(crate) fn stands_alone(&self) -> bool {
        matches!(self.entry.place, Place::Alone | Place::Open)
    }
}

impl<'a> Said<'a> {
    /// The words behind the first one, in lower case; `None` if the line begins otherwise than with
    /// the word, a colon perhaps, and a blank.
    pub(crate) fn rest(&self) -> Option<Vec<&'a str>> {
        self.behind(self.lower)
    }

    /// Like [`Said::rest`], with capitals as they were written.
    pub(crate) fn rest_as_written(&self) -> Option<Vec<&'a str>> {
        self.behind(self.folded)
    }

    fn behind(&self, text: &'a str) -> Option<Vec<&'a str>> {
        let mut words = text.trim().trim_end_matches(['.', '!', '?']).split_whitespace();
        let first = words.next()?.trim_end_matches(':').to_lowercase();
        self.entry.words.contains(&first.as_str()).then(|| words.collect())
    }

    /// Reads a question: the word alone, or `preview` before an order.
    pub(crate) fn asks(&self, question: Command) -> Reading {
        let is_word = |text: &str| {
            self.entry.words.contains(&text.trim_matches(|c: char| !c.is_alphanumeric()))
        };
        let mut parts = self.lower.split([' ', ':', ',']);
        let is_asked = is_word(self.lower)
            || question == Command::Preview && parts.next().is_some_and(is_word);
        is_asked.then_some(Ok(Deed::Ask(question)))
    }
}

/// What a folded line is for the club besides press.
pub fn house_line(folded: &str) -> Reads {
    match Line::read(folded, folded, None) {
        None => Reads::Prose,
        // Prose may begin with "New" as well.
        Some(Line { entry, deed: Err(_) }) if entry.word() == "new" => Reads::Prose,
        Some(Line { deed: Ok(Deed::Ask(_)) | Err(_), .. }) => Reads::LikeOrder,
        Some(Line { deed: Ok(_), .. }) => Reads::Order,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_house_would_do_is_not_said_to_others() {
        for line in
            ["join 12", "resign yes", "leave club", "zone Europe/Madrid", "vote pause", "undo"]
        {
            assert_eq!(house_line(line), Reads::Order, "{line}");
        }
        for line in ["zone Atlantis", "vote", "note", "address nowhere", "join 12 seat x"] {
            assert_eq!(house_line(line), Reads::LikeOrder, "{line}");
        }
        for line in ["New here, be kind.", "I join the game late", "wait for me"] {
            assert_eq!(house_line(line), Reads::Prose, "{line}");
        }
    }

    #[test]
    fn no_line_is_of_two_kinds() {
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
            let own = ENTRIES.iter().filter(|entry| entry.place != Place::Moderator);
            let read = own.filter(|entry| entry.words.contains(&first)).filter(|entry| {
                let said = Said { entry, folded: line, lower: line, written: line, back: None };
                (entry.read)(&said).is_some()
            });
            assert_eq!(read.count(), 1, "{line}");
        }
    }

    #[test]
    fn two_words_that_begin_with_new_are_a_game_that_there_is_not_and_still_may_be_said() {
        let read = |line| Line::read(line, line, None);
        for line in ["New York", "new game.", "new chess"] {
            assert!(matches!(read(line), Some(Line { deed: Err(_), .. })), "{line}");
            assert_eq!(house_line(line), Reads::Prose, "{line}");
        }
        assert!(read("new chess please").is_none());
        assert!(matches!(read("new seats for chess"), Some(Line { deed: Err(_), .. })));
    }
}
