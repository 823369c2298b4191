//! What a letter may ask of the house, beside the orders of its game.

use super::Translator;
use super::line::{Deed, Line, ReadLine, house_line};
use super::press::{Reads, Talk};
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
    /// How fast the game goes, and when it is likely to end.
    Pace,
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
    pub const ALL: [Self; 9] = [
        Self::Preview,
        Self::Status,
        Self::Pace,
        Self::Board,
        Self::History,
        Self::Legal,
        Self::Rules,
        Self::Settings,
        Self::Help,
    ];
}

/// A letter's lines, each read once.
#[derive(Clone, Debug, Default)]
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
        let is_for_club = |line: &ReadLine| line.what.is_some();
        !self.commands.is_empty() || !self.talk.is_empty() || self.lines.iter().any(is_for_club)
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

/// Like [`read_request`], for a letter that may be written in its writer's own language.
pub(crate) fn read_translated<'a>(
    lines: impl IntoIterator<Item = (u32, &'a str, &'a str)>,
    back: Option<u32>,
    translator: &Translator<'_>,
) -> Request {
    let mut request = Request::default();
    for (number, line, written) in lines {
        let in_english = |line: &str| translator.english(line).unwrap_or_else(|| line.to_owned());
        let (line, written) = match without_bullet(line) {
            // A game may read what looks like one.
            Some(bare) if house_line(&in_english(bare)) != Reads::Prose => {
                (bare, without_bullet(written).unwrap_or(written))
            }
            _ => (line, written),
        };
        let (mut text, mut english) = (line.to_owned(), in_english(line));
        if let Some(Line { deed: Ok(Deed::Ask(command)), .. }) = Line::read(&english, "", None) {
            request.commands.push(command);
            let (_, order) = english.split_once([' ', ':', ',']).unwrap_or_default();
            let order = order.trim_start_matches([' ', ':', ',']).to_owned();
            if command != Command::Preview || !order.contains(char::is_alphanumeric) {
                continue;
            }
            text = translator.previewed(line).unwrap_or(&order).to_owned();
            english = order;
        }
        let english = (english != text).then(|| Box::from(english));
        let order = OrderLine { number, text, english };
        let led = order.english.as_ref().and_then(|_| translator.led(written));
        let what = Line::read(order.meant(), led.as_deref().unwrap_or(written), back);
        request.lines.push(ReadLine { order, what });
    }
    request.commands.sort_unstable();
    request.commands.dedup();
    request
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_vote(line: &ReadLine) -> bool {
        line.what.as_ref().is_some_and(|line| matches!(line.deed, Ok(Deed::Vote(_))))
    }

    #[test]
    fn a_letter_is_questions_and_orders() {
        let lines = [(1, "Board?"), (3, "preview: build red G23"), (4, "HELP."), (5, "vote pause")];
        let request = read_request(lines.map(|(number, line)| (number, line, line)), None);
        assert_eq!(request.commands, [Command::Preview, Command::Board, Command::Help]);
        let [order, vote] = request.lines.as_slice() else { panic!("{:?}", request.lines) };
        let build = OrderLine::new(3, "build red G23".to_owned());
        assert!(order.order == build && order.what.is_none());
        assert!(is_vote(vote));
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
        assert!(vote.order.text == "vote pause" && order.what.is_none());
        assert!(is_vote(vote));
        assert_eq!(order.order.text, "- build red G23", "the game may read what looks like one");
        let deed = note.what.as_ref().map(|line| &line.deed);
        assert!(matches!(deed, Some(Ok(Deed::Note(_)))), "{deed:?}");
    }

    #[test]
    fn a_letter_quotes_from_one_line_on() {
        let request = Request { quoted: Some(3), ..Request::default() };
        assert_eq!([2, 3, 4].map(|number| request.quotes(number)), [false, true, true]);
        assert!(!Request::default().quotes(3));
    }
}
