//! The parser for the lines of a letter. It separates questions and club commands from orders of a
//! game.

use super::Translator;
use super::club_command::{ClubCommand, LetterLine, ParsedCommand, classify_line};
use super::press::{LetterPress, LineClass};
use crate::rules::GameRegistry;
use crate::table::{OrderLine, strip_bullet};
use serde::{Deserialize, Serialize};

/// A question to the club. It is answered by letter and changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// `preview` asks for the effect of the letter's orders, which are not carried out.
    Preview,
    /// `status` asks whose turn it is, and for the score.
    Status,
    /// `pace` asks how fast the game goes, and when it will probably end.
    Pace,
    /// `board` asks for the board only.
    Board,
    /// `history` asks for all that has happened in the game.
    History,
    /// `legal` asks for the orders that are legal now.
    Legal,
    /// `rules` asks for the rules of this game, with its options.
    Rules,
    /// `settings` asks for the sender's settings, and for the line that changes each.
    Settings,
    /// `help` asks how to write orders.
    Help,
}

impl Question {
    /// All questions, in the order in which the help lists them.
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

/// The parsed lines of a letter.
#[derive(Clone, Debug, Default)]
pub struct ParsedLetter {
    /// The questions, each once, in the order of [`Question::ALL`].
    pub(crate) questions: Vec<Question>,
    /// All lines except questions: commands, orders and prose.
    pub lines: Vec<LetterLine>,
    /// The messages to other players. Empty if the letter is about no game.
    pub press: LetterPress,
    /// The greeting. It has no effect, but it may hold back the order below it.
    pub(crate) greeting: Option<OrderLine>,
    /// The closing phrase, such as "Thanks", and the lines below it, which have no effect. The club
    /// refuses the letter if one of them looks like a command or order, so that the sender learns
    /// of it.
    pub(crate) below_closing: Vec<OrderLine>,
    /// The number of the first line that looks like a part of another letter, quoted without `>`.
    /// Lines from there on may be parsed, but are never passed on to other players.
    pub(crate) quoted_from: Option<u32>,
}

impl ParsedLetter {
    /// Whether the letter contains a question, a message or a command besides orders.
    pub(crate) fn has_more_than_orders(&self) -> bool {
        let is_for_club = |line: &LetterLine| line.parsed_command.is_some();
        !self.questions.is_empty() || !self.press.is_empty() || self.lines.iter().any(is_for_club)
    }

    /// Whether this line is a part of another letter that this one quotes.
    pub(crate) fn is_quoted(&self, number: u32) -> bool {
        self.quoted_from.is_some_and(|from| number >= from)
    }
}

/// Parses the lines of a letter. Each comes with its number, in plain characters and as written.
///
/// `preview` may be alone on a line or before an order. In both cases it applies to the whole
/// letter. `back` is the record that "one turn back" leads to.
pub fn parse_letter_lines<'a>(
    lines: impl IntoIterator<Item = (u32, &'a str, &'a str)>,
    back: Option<u32>,
    games: GameRegistry,
) -> ParsedLetter {
    parse_translated_lines(lines, back, &Translator::english(games))
}

/// Like [`parse_letter_lines`], for a letter that may be in the sender's own language.
pub(crate) fn parse_translated_lines<'a>(
    lines: impl IntoIterator<Item = (u32, &'a str, &'a str)>,
    back: Option<u32>,
    translator: &Translator<'_>,
) -> ParsedLetter {
    let mut request = ParsedLetter::default();
    for (number, line, written) in lines {
        let in_english = |line: &str| translator.translate(line).unwrap_or_else(|| line.to_owned());
        let (line, written) = match strip_bullet(line) {
            // The bullet is stripped only before a command or question. In an order, the game may
            // need what looks like one.
            Some(bare)
                if classify_line(translator.games, &in_english(bare)) != LineClass::Prose =>
            {
                (bare, strip_bullet(written).unwrap_or(written))
            }
            _ => (line, written),
        };
        let (mut text, mut english) = (line.to_owned(), in_english(line));
        if let Some(ParsedCommand { command: Ok(ClubCommand::Ask(command)), .. }) =
            ParsedCommand::parse(translator.games, &english, "", None)
        {
            request.questions.push(command);
            let (_, order) = english.split_once([' ', ':', ',']).unwrap_or_default();
            let order = order.trim_start_matches([' ', ':', ',']).to_owned();
            if command != Question::Preview || !order.contains(char::is_alphanumeric) {
                continue;
            }
            text = translator.strip_preview(line).unwrap_or(&order).to_owned();
            english = order;
        }
        let english = (english != text).then(|| Box::from(english));
        let order = OrderLine { number, text, english };
        let translated_opening =
            order.english.as_ref().and_then(|_| translator.translate_opening(written));
        let what = ParsedCommand::parse(
            translator.games,
            order.text_to_parse(),
            translated_opening.as_deref().unwrap_or(written),
            back,
        );
        request.lines.push(LetterLine { order, parsed_command: what });
    }
    request.questions.sort_unstable();
    request.questions.dedup();
    request
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::SHIPPED;

    fn is_vote(line: &LetterLine) -> bool {
        line.parsed_command
            .as_ref()
            .is_some_and(|line| matches!(line.command, Ok(ClubCommand::Vote(_))))
    }

    #[test]
    fn letter_lines_split_into_questions_and_orders() {
        let lines = [(1, "Board?"), (3, "preview: build red G23"), (4, "HELP."), (5, "vote pause")];
        let request =
            parse_letter_lines(lines.map(|(number, line)| (number, line, line)), None, SHIPPED);
        assert_eq!(request.questions, [Question::Preview, Question::Board, Question::Help]);
        let [order, vote] = request.lines.as_slice() else { panic!("{:?}", request.lines) };
        let build = OrderLine::new(3, "build red G23".to_owned());
        assert!(order.order == build && order.parsed_command.is_none());
        assert!(is_vote(vote));
    }

    #[test]
    fn order_starting_with_question_word_is_order() {
        let request =
            parse_letter_lines([(1, "board the train", "board the train")], None, SHIPPED);
        assert!(request.questions.is_empty());
        assert_eq!(request.lines.len(), 1);
    }

    #[test]
    fn list_bullet_is_stripped_from_club_lines_only() {
        let lines = [(1, "- vote pause"), (2, "- build red G23"), (3, "2) note 3 left")];
        let request =
            parse_letter_lines(lines.map(|(number, line)| (number, line, line)), None, SHIPPED);
        let [vote, order, note] = request.lines.as_slice() else { panic!("{:?}", request.lines) };
        assert!(vote.order.text == "vote pause" && order.parsed_command.is_none());
        assert!(is_vote(vote));
        assert_eq!(order.order.text, "- build red G23", "the game may read what looks like one");
        let deed = note.parsed_command.as_ref().map(|line| &line.command);
        assert!(matches!(deed, Some(Ok(ClubCommand::Note(_)))), "{deed:?}");
    }

    #[test]
    fn lines_from_quoted_number_are_quoted() {
        let request = ParsedLetter { quoted_from: Some(3), ..ParsedLetter::default() };
        assert_eq!([2, 3, 4].map(|number| request.is_quoted(number)), [false, true, true]);
        assert!(!ParsedLetter::default().is_quoted(3));
    }
}
