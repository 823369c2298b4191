//! What a letter may ask of the house, beside the orders of its game.

use super::Translator;
use super::line::{Line, ReadLine, house_line};
use super::talk::{Reads, Talk};
use crate::table::{OrderLine, without_bullet};
use serde::{Deserialize, Serialize};

/// A question that is answered by letter and changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Judge the letter's orders and say what they would do.
    Preview,
    /// Whose turn it is and how the game stands.
    Status,
    /// `board`: the board alone.
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
    pub(crate) const fn word(self) -> &'static str {
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
    pub(crate) fn of_word(word: &str) -> Option<Self> {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        Self::ALL.into_iter().find(|command| command.word() == word)
    }
}

/// A letter's lines, each read once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// The questions, each once, in the order of [`Command::ALL`].
    pub(crate) commands: Vec<Command>,
    /// All other lines, with what each is.
    pub lines: Vec<ReadLine>,
    /// What it says to other players; of a letter about no game nothing.
    pub talk: Talk,
    /// Thanks and what stands below them, where the reading has ended.
    pub(crate) beside: Vec<OrderLine>,
    /// The first line that is another letter's, which it quotes without marks, by its shape: what
    /// stands there may be read, and is passed on to nobody.
    pub(crate) quoted: Option<u32>,
}

impl Request {
    /// Whether it asks, says or does anything besides what its game may be told.
    pub(crate) fn does_more(&self) -> bool {
        let house = |line: &ReadLine| line.what != Line::Other;
        !self.commands.is_empty() || !self.talk.is_empty() || self.lines.iter().any(house)
    }

    /// Whether a line is another letter's, which this one quotes.
    pub(crate) fn quotes(&self, number: u32) -> bool {
        self.quoted.is_some_and(|from| number >= from)
    }
}

/// Reads a letter's lines, each with its number, folded and as it was written. `preview` may stand
/// on a line of its own or before an order; either way it goes for the whole letter. `back` is the
/// record to which the letter's game goes back that goes one turn back.
pub fn read_request<'a>(
    lines: impl IntoIterator<Item = (u32, &'a str, &'a str)>,
    back: Option<u32>,
) -> Request {
    read_translated(lines, back, &Translator::ENGLISH)
}

/// The same of a letter whose writer may have written in a language of his own.
pub(crate) fn read_translated<'a>(
    lines: impl IntoIterator<Item = (u32, &'a str, &'a str)>,
    back: Option<u32>,
    translator: &Translator<'_>,
) -> Request {
    let (mut commands, mut read) = (Vec::new(), Vec::new());
    let mut take = |number, (text, english): (&str, Option<&str>), written: &str| {
        let order = OrderLine {
            number,
            text: text.to_owned(),
            english: english.filter(|english| *english != text).map(Box::from),
        };
        let led = order.english.as_ref().and_then(|_| translator.led(written));
        let what = Line::read(order.meant(), led.as_deref().unwrap_or(written), back);
        read.push(ReadLine { order, what });
    };
    for (number, line, written) in lines {
        let in_english = |line: &str| translator.english(line).unwrap_or_else(|| line.to_owned());
        let (line, written) = match without_bullet(line) {
            // A game may read what looks like one.
            Some(bare) if house_line(&in_english(bare)) != Reads::Prose => {
                (bare, without_bullet(written).unwrap_or(written))
            }
            _ => (line, written),
        };
        let meant = in_english(line);
        let (first, rest) = meant.split_once([' ', ':', ',']).unwrap_or((&meant, ""));
        match (Command::of_word(&meant), Command::of_word(first)) {
            (Some(command), _) => commands.push(command),
            (None, Some(Command::Preview)) => {
                commands.push(Command::Preview);
                let rest = rest.trim_start_matches([' ', ':', ',']);
                let own = translator.previewed(line);
                take(number, (own.unwrap_or(rest), Some(rest)), written);
            }
            (None, _) => take(number, (line, Some(&meant)), written),
        }
    }
    commands.sort_unstable();
    commands.dedup();
    Request { commands, lines: read, ..Request::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_questions_and_orders() {
        let lines = [(1, "Board?"), (3, "preview: build red G23"), (4, "HELP."), (5, "vote pause")];
        let request = read_request(lines.map(|(number, line)| (number, line, line)), None);
        assert_eq!(request.commands, [Command::Preview, Command::Board, Command::Help]);
        let [order, vote] = request.lines.as_slice() else { panic!("{:?}", request.lines) };
        let build = OrderLine::new(3, "build red G23".to_owned());
        assert_eq!((&order.order, &order.what), (&build, &Line::Other));
        assert!(matches!(vote.what, Line::Vote(Ok(_))));
    }

    #[test]
    fn an_order_that_begins_like_a_question_is_an_order() {
        let request = read_request([(1, "board the train", "board the train")], None);
        assert!(request.commands.is_empty());
        assert_eq!(request.lines.len(), 1);
    }

    #[test]
    fn a_mark_of_a_list_is_taken_from_lines_for_the_house_alone() {
        let lines = [(1, "- vote pause"), (2, "- build red G23"), (3, "2) note 3 left")];
        let request = read_request(lines.map(|(number, line)| (number, line, line)), None);
        let [vote, order, note] = request.lines.as_slice() else { panic!("{:?}", request.lines) };
        assert_eq!((vote.order.text.as_str(), &order.what), ("vote pause", &Line::Other));
        assert!(matches!(vote.what, Line::Vote(Ok(_))));
        assert_eq!(order.order.text, "- build red G23", "the game may read what looks like one");
        assert!(matches!(&note.what, Line::Note(Ok(_))), "{:?}", note.what);
    }

    #[test]
    fn a_letter_quotes_from_one_line_on() {
        let request = Request { quoted: Some(3), ..Request::default() };
        assert_eq!([2, 3, 4].map(|number| request.quotes(number)), [false, true, true]);
        assert!(!Request::default().quotes(3));
    }
}
