//! A line of a letter, read once: what it is for the house, and what is left for its game.
//!
//! Pure. Every kind of line that is for the house is known here, so that none is told to other
//! players as a part of what its writer says to them. Knows no order of any game.

use super::command::Command;
use super::member_line::address_line;
use super::notes::NoteLine;
use super::talk::Reads;
use super::vote::Ballot;
use super::{LobbyLine, MemberLine, WrongLine, asks_for_undo};
use crate::table::OrderLine;

/// What a line is. One that is meant for the house and cannot be done says what is wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// Something about the club's table of games, or about leaving it.
    Lobby(Result<LobbyLine, WrongLine>),
    /// A setting of the writer's own.
    Setting(Result<MemberLine, WrongLine>),
    /// An address that the writer says is his.
    Address(Result<String, WrongLine>),
    /// A private note of the writer's seat.
    Note(Result<NoteLine, WrongLine>),
    /// A vote on the game.
    Vote(Result<Ballot, WrongLine>),
    /// The writer's last orders are to be taken back.
    Undo,
    /// Something else: an order of the game, a plan, prose.
    Other,
}

/// A line with what it is.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadLine {
    pub(crate) order: OrderLine,
    /// What it is.
    pub what: Line,
}

impl Line {
    /// Reads a line. `folded` is the line in plain characters, as orders are read; `written` is the
    /// same as it stands in the letter, which is what a note keeps; `back` is the record to which a
    /// game goes back that goes one turn back, as the letter's writer saw it.
    ///
    /// ```
    /// use postrider::club::Line;
    ///
    /// let read = |line| Line::read(line, line, None);
    /// assert!(matches!(read("zone Europe/Madrid"), Line::Setting(Ok(_))));
    /// assert!(matches!(read("zone Atlantis"), Line::Setting(Err(_))));
    /// assert!(matches!(read("vote extend 3 days"), Line::Vote(Ok(_))));
    /// // What is left may be an order: that is the game's to say.
    /// assert!(matches!(read("build red G23"), Line::Other));
    /// ```
    pub fn read(folded: &str, written: &str, back: Option<u32>) -> Self {
        let lobby = LobbyLine::read(folded).filter(|read| read.is_ok() || !is_sentence(folded));
        None.or_else(|| lobby.map(Self::Lobby))
            .or_else(|| NoteLine::read(folded, written).map(Self::Note))
            .or_else(|| address_line(folded).map(Self::Address))
            .or_else(|| MemberLine::read(folded).map(Self::Setting))
            .or_else(|| Ballot::read(folded, back).map(Self::Vote))
            .or_else(|| asks_for_undo(folded).then_some(Self::Undo))
            .unwrap_or(Self::Other)
    }

    /// Whether it can be done as far as can be told from the line alone; none when it is not for
    /// the house.
    fn is_right(&self) -> Option<bool> {
        match self {
            Self::Lobby(read) => Some(read.is_ok()),
            Self::Setting(read) => Some(read.is_ok()),
            Self::Address(read) => Some(read.is_ok()),
            Self::Note(read) => Some(read.is_ok()),
            Self::Vote(read) => Some(read.is_ok()),
            Self::Undo => Some(true),
            Self::Other => None,
        }
    }
}

/// What lines begin with that are for the house.
pub(crate) const HOUSE_VERBS: [&str; 31] = [
    "address",
    "auto",
    "board",
    "calendar",
    "cancel",
    "clear",
    "digest",
    "forget",
    "help",
    "history",
    "invitations",
    "invite",
    "join",
    "language",
    "leave",
    "legal",
    "letters",
    "note",
    "preview",
    "rematch",
    "resign",
    "rules",
    "settings",
    "standings",
    "status",
    "subjects",
    "undo",
    "vacation",
    "vote",
    "watch",
    "zone",
];
/// What follows in them.
pub(crate) const HOUSE_WORDS: [&str; 16] = [
    "abandon", "ascii", "club", "each", "extend", "forced", "html", "notes", "off", "pause",
    "plans", "resume", "rewind", "steady", "telling", "unicode",
];

/// What a folded line is for the house besides press.
pub fn house_line(folded: &str) -> Reads {
    let line = Line::read(folded, folded, None);
    match line.is_right() {
        Some(true) => return Reads::Order,
        // Prose may begin with "New" as well.
        Some(false) if matches!(line, Line::Lobby(_)) && is_new(folded) => return Reads::Prose,
        Some(false) => return Reads::LikeOrder,
        None => {}
    }
    let (first, _) = folded.split_once([' ', ':', ',']).unwrap_or((folded, ""));
    let asks =
        Command::of_word(folded).is_some() || Command::of_word(first) == Some(Command::Preview);
    if asks { Reads::LikeOrder } else { Reads::Prose }
}

/// Whether a line that begins with "New" goes on as people write and names no term of a game:
/// "New York Central 6", "New here, be kind."
fn is_sentence(line: &str) -> bool {
    const TERMS: [&str; 9] =
        ["deadline", "invite", "nmr", "players", "press", "private", "punctual", "seat", "seats"];
    let names_none = line
        .split(|c: char| !c.is_alphabetic())
        .all(|word| !TERMS.contains(&&*word.to_lowercase()));
    let is_named = LobbyLine::read(line)
        .is_some_and(|read| read.is_err_and(|wrong| wrong.key != "lobby-kind-unknown"));
    is_new(line) && names_none && !is_named && line.split_whitespace().count() > 2
}

fn is_new(line: &str) -> bool {
    line.split(|c: char| !c.is_alphabetic()).next().is_some_and(|w| w.eq_ignore_ascii_case("new"))
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
            "new paris 3",
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
            let kinds = [
                LobbyLine::read(line).is_some(),
                NoteLine::read(line, line).is_some(),
                address_line(line).is_some(),
                MemberLine::read(line).is_some(),
                Ballot::read(line, None).is_some(),
                asks_for_undo(line),
            ];
            assert_eq!(kinds.iter().filter(|is| **is).count(), 1, "{line}");
        }
    }

    #[test]
    fn two_words_that_begin_with_new_are_a_game_that_there_is_not_and_still_may_be_said() {
        for line in ["New York", "new game.", "new chess"] {
            assert!(matches!(Line::read(line, line, None), Line::Lobby(Err(_))), "{line}");
            assert_eq!(house_line(line), Reads::Prose, "{line}");
        }
        let longer = "new chess please";
        assert_eq!(Line::read(longer, longer, None), Line::Other);
        let terms = "new seats for chess";
        assert!(matches!(Line::read(terms, terms, None), Line::Lobby(Err(_))));
    }
}
