//! What a letter may ask of the house, beside the orders of its game.

use super::notes::NoteLine;
use super::talk::{Reads, Talk};
use super::vote::Ballot;
use super::{LobbyLine, MemberLine, address_line};

/// A question that is answered by letter and changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Command {
    /// Judge the letter's orders and say what they would do.
    Preview,
    /// Whose turn it is and how the game stands.
    Status,
    /// The board.
    Board,
    /// Everything that has happened.
    History,
    /// What is legal now.
    Legal,
    /// The rules as they are played here.
    Rules,
    /// The writer's own settings, and how each is changed.
    Settings,
    /// How to write orders.
    Help,
}

impl Command {
    /// Every command, in the order in which help lists them.
    pub const ALL: [Self; 8] = [
        Self::Preview,
        Self::Status,
        Self::Board,
        Self::History,
        Self::Legal,
        Self::Rules,
        Self::Settings,
        Self::Help,
    ];

    /// The word that a player writes.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Preview => "preview",
            Self::Status => "status",
            Self::Board => "board",
            Self::History => "history",
            Self::Legal => "legal",
            Self::Rules => "rules",
            Self::Settings => "settings",
            Self::Help => "help",
        }
    }

    /// The command that this word names.
    pub fn of_word(word: &str) -> Option<Self> {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        Self::ALL.into_iter().find(|command| command.word() == word)
    }
}

/// A letter's lines, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The questions, each once, in the order of [`Command::ALL`].
    pub commands: Vec<Command>,
    /// The orders: each line's number and text.
    pub orders: Vec<(u32, String)>,
    /// What it says to other players; of a letter about no game nothing.
    pub talk: Talk,
    /// The first line that is another letter's, which it quotes without marks, by its shape: what
    /// stands there may be read, and is passed on to nobody.
    pub quoted: Option<u32>,
}

impl Request {
    /// Whether a line is another letter's, which this one quotes.
    pub fn quotes(&self, number: u32) -> bool {
        self.quoted.is_some_and(|from| number >= from)
    }
}

/// Whether a folded line would keep or forget a note.
pub fn is_note(line: &str) -> bool {
    NoteLine::read(line, line).is_some()
}

/// Sorts a letter's lines into questions and orders. `preview` may stand on a line of its own or
/// before an order; either way it goes for the whole letter.
pub fn read_request<'a>(lines: impl IntoIterator<Item = (u32, &'a str)>) -> Request {
    let mut request = Request::default();
    for (number, line) in lines {
        let (first, rest) = line.split_once([' ', ':', ',']).unwrap_or((line, ""));
        match (Command::of_word(line), Command::of_word(first)) {
            (Some(command), _) => request.commands.push(command),
            (None, Some(Command::Preview)) => {
                request.commands.push(Command::Preview);
                request.orders.push((number, rest.trim_start_matches([' ', ':', ',']).to_owned()));
            }
            (None, _) => request.orders.push((number, line.to_owned())),
        }
    }
    request.commands.sort_unstable();
    request.commands.dedup();
    request
}

/// What a folded line is for the house. Every kind of line that is for it must be known here, so
/// that none is told to other players as a part of what its writer says to them.
pub fn house_line(line: &str) -> Reads {
    let read = [
        MemberLine::read(line).map(|read| read.is_ok()),
        address_line(line).map(|read| read.is_ok()),
        Ballot::read(line, None).map(|read| read.is_ok()),
        // Prose may begin with "New" as well.
        LobbyLine::read(line).map(|read| read.is_ok()).filter(|ok| *ok || !is_new(line)),
        NoteLine::read(line, line).map(|read| read.is_ok()),
    ];
    if read.contains(&Some(true)) {
        return Reads::Order;
    }
    let (first, _) = line.split_once([' ', ':', ',']).unwrap_or((line, ""));
    let asks =
        Command::of_word(line).is_some() || Command::of_word(first) == Some(Command::Preview);
    if asks || read.contains(&Some(false)) { Reads::LikeOrder } else { Reads::Prose }
}

fn is_new(line: &str) -> bool {
    line.split(|c: char| !c.is_alphabetic()).next().is_some_and(|w| w.eq_ignore_ascii_case("new"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_questions_and_orders() {
        let request = read_request([(1, "Board?"), (3, "preview: build red G23"), (4, "HELP.")]);
        assert_eq!(request.commands, [Command::Preview, Command::Board, Command::Help]);
        assert_eq!(request.orders, [(3, "build red G23".to_owned())]);
    }

    #[test]
    fn what_the_house_would_do_is_not_said_to_others() {
        for line in ["join 12", "resign yes", "leave club", "zone Europe/Madrid", "vote pause"] {
            assert_eq!(house_line(line), Reads::Order, "{line}");
        }
        for line in ["New here, be kind.", "I join the game late", "wait for me"] {
            assert_eq!(house_line(line), Reads::Prose, "{line}");
        }
    }

    #[test]
    fn an_order_that_begins_like_a_question_is_an_order() {
        let request = read_request([(1, "board the train")]);
        assert!(request.commands.is_empty());
        assert_eq!(request.orders.len(), 1);
    }
}
