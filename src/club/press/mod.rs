//! What players say to each other: which lines of a letter are press, and a game's terms for it.
//!
//! Pure. Knows the players' names and seats; it knows no order of any game, nor how letters look:
//! what else a line may be is asked of whoever does.
//!
//! Press that goes to the wrong people cannot be taken back. So whatever is not plain is refused
//! with the whole letter: a name that two have, a list without its colon, an order inside.

mod press_terms;
mod recipients;

pub(crate) use press_terms::PressTerms;
pub(crate) use recipients::{AND_WORD, EVERYBODY_WORDS, begins_press};

use super::Translator;
use crate::rules::{Message, Seat};
use recipients::{ParsedRecipients, PlayerNames, is_full_or_first_name, parse_opening_line};

/// The most characters that a letter may say.
pub(crate) const PRESS_CHARACTERS_MAX: usize = 2_000;
/// The most lines that a letter may say.
pub(crate) const PRESS_LINES_MAX: usize = 40;
/// How many letters of a seat may say something within a day.
pub(crate) const PRESS_LETTERS_PER_DAY: usize = 20;

/// What a line is besides press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineClass {
    /// Words between people: nothing that the program carries out.
    Prose,
    /// It begins like an order, or is a question.
    LikeOrder,
    /// An order, a plan, or a line for the house.
    Order,
}

/// Something that a letter says to players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PressMessage {
    /// The number of its first line.
    pub number: u32,
    /// Its first line.
    pub line: String,
    /// To whom; to all when it is empty.
    pub(crate) recipients: Vec<Seat>,
    /// Whether the writer's name is kept back.
    pub(crate) anonymous: bool,
    /// What: lines that are parted by a line feed.
    pub text: String,
}

/// All that a letter says to players.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LetterPress {
    /// It, in order.
    pub messages: Vec<PressMessage>,
    /// The first line that was meant to say something and cannot be read so.
    pub(crate) error: Option<PressError>,
    /// The numbers of lines that ended a paragraph of press because they read like orders.
    pub(crate) paragraph_end_lines: Vec<u32>,
    /// The number of the first line that was not passed on because it is another letter's.
    pub(crate) quoted_from: Option<u32>,
    /// How many lines were written.
    line_count: usize,
}

/// A line that was meant to say something, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PressError {
    /// The line's number in the letter, from 1.
    pub number: u32,
    /// The line that is wrong.
    pub line: String,
    /// What is wrong.
    pub reason: Message,
}

impl LetterPress {
    /// Whether nothing is said, or was meant to be.
    pub(crate) fn is_empty(&self) -> bool {
        self.messages.is_empty() && self.error.is_none()
    }

    /// Whether all of it may be said in a game of these terms by a seat that has said something in
    /// so many letters of the last day.
    ///
    /// # Errors
    /// The first line that may not, and why.
    pub(crate) fn check_allowed(
        &self,
        terms: PressTerms,
        letters: usize,
    ) -> Result<(), PressError> {
        if let Some(wrong) = &self.error {
            return Err(wrong.clone());
        }
        let Some(first) = self.messages.first() else { return Ok(()) };
        let (mut characters, at) = (0, |press: &PressMessage, why| {
            Err(PressError { number: press.number, line: press.line.clone(), reason: why })
        });
        for press in &self.messages {
            terms.check_message(press).or_else(|why| at(press, why))?;
            characters += press.text.chars().count();
            if press.text.is_empty() {
                return at(press, Message::new("talk-empty"));
            }
            if characters > PRESS_CHARACTERS_MAX || self.line_count > PRESS_LINES_MAX {
                let why = Message::new("talk-too-long")
                    .with("characters", PRESS_CHARACTERS_MAX)
                    .with("lines", PRESS_LINES_MAX);
                return at(press, why);
            }
        }
        if letters >= PRESS_LETTERS_PER_DAY {
            return at(first, Message::new("talk-too-often").with("count", PRESS_LETTERS_PER_DAY));
        }
        Ok(())
    }
}

/// Listens to a letter, line by line, for what it says to players.
///
/// `say TEXT` and `tell WHO TEXT` are a paragraph: it goes on until a blank line, `end`, a line
/// that was not the writer's, or one that reads like an order, if only a mistyped one. `say` or
/// `tell WHO` without a text opens a block, which goes on over blank lines until `end` or the end
/// of the letter.
pub(crate) struct PressParser<'a> {
    names: &'a [String],
    seat: Seat,
    classify_line: &'a dyn Fn(&str) -> LineClass,
    /// How lines in the writer's own language are read.
    pub(crate) translator: Translator<'a>,
    /// The first line that is another letter's, which this one quotes. Nothing from there on is
    /// said to anybody.
    pub(crate) quoted_from: Option<u32>,
    open_message: Option<OpenMessage>,
    last_number: u32,
    press: LetterPress,
}

struct OpenMessage {
    press: PressMessage,
    lines: Vec<String>,
    is_block: bool,
    /// How many characters its last line has, as it was written.
    width: usize,
}

/// What ends a block, and what is read of a letter.
const END_WORDS: [&str; 2] = ["end", "fin"];

/// A mail program that breaks lines leaves none shorter than this that the next word had room on.
const WRAPPED_WIDTH_MIN: usize = 60;

impl<'a> PressParser<'a> {
    /// Returns a listener for a letter of this seat, among players of these names. `judge` says
    /// what a folded line is besides press.
    pub(crate) fn new(
        names: &'a [String],
        seat: Seat,
        judge: &'a dyn Fn(&str) -> LineClass,
    ) -> Self {
        let (translator, talk) = (Translator::ENGLISH, LetterPress::default());
        Self {
            names,
            seat,
            classify_line: judge,
            translator,
            quoted_from: None,
            open_message: None,
            last_number: 0,
            press: talk,
        }
    }

    /// Whether a line is another letter's; then it is noted that something was not passed on.
    fn note_if_quoted(&mut self, number: u32) -> bool {
        let quoted = self.quoted_from.is_some_and(|from| number >= from);
        if quoted {
            self.press.quoted_from = self.quoted_from;
        }
        quoted
    }

    /// Takes a line in, as it was written and folded to plain characters; whether it belongs to
    /// press. Blank lines must come too.
    pub(crate) fn read_line(&mut self, number: u32, written: &str, folded: &str) -> bool {
        // A number was left out: there stood something that the person did not write.
        let goes_on = number == self.last_number + 1 && !folded.starts_with(['>', '|']);
        self.last_number = number;
        if !goes_on {
            self.close_message();
        }
        match self.open_message.as_ref().map(|open| open.is_block) {
            Some(true) => self.continue_block(number, written, folded),
            Some(false) => self.continue_paragraph(number, written, folded),
            None => self.start_message(number, written, folded),
        }
    }

    /// All that was said.
    pub(crate) fn finish(mut self) -> LetterPress {
        self.close_message();
        self.press
    }

    fn start_message(&mut self, number: u32, written: &str, folded: &str) -> bool {
        let led = self.translator.translate_opening(written);
        let written = led.as_deref().unwrap_or(written);
        let Some(opening) = parse_opening_line(written, &self.player_names()) else {
            // Who says something signs it.
            let own = self.names.get(self.seat.index());
            return !self.press.messages.is_empty()
                && own.is_some_and(|own| is_full_or_first_name(folded, own));
        };
        if self.note_if_quoted(number) {
            return true;
        }
        match opening {
            Ok(ParsedRecipients { recipients: to, anonymous, text }) => {
                let line = folded.to_owned();
                let press =
                    PressMessage { number, line, recipients: to, anonymous, text: String::new() };
                let (lines, block) = (vec![text.to_owned()], text.is_empty());
                self.press.line_count += usize::from(!block);
                let width = written.chars().count();
                self.open_message = Some(OpenMessage { press, lines, is_block: block, width });
            }
            Err(why) => self.record_error(number, folded, why),
        }
        true
    }

    fn continue_block(&mut self, number: u32, written: &str, folded: &str) -> bool {
        if is_end_line(folded) {
            self.close_message();
            return true;
        }
        let tells = || {
            let led = self.translator.translate_opening(written);
            let whom = parse_opening_line(led.as_deref().unwrap_or(written), &self.player_names());
            whom.and_then(Result::ok).is_some_and(|whom| !whom.recipients.is_empty())
        };
        if (self.classify_line)(folded) == LineClass::Order || tells() {
            // It may be a secret, and the writer may have taken a blank line for the end.
            self.record_error(number, folded, Message::new("talk-order-inside"));
        }
        self.push_line(written);
        true
    }

    fn continue_paragraph(&mut self, number: u32, written: &str, folded: &str) -> bool {
        // `end` ends what is said, as below a block, and not what is read.
        if folded.is_empty() || is_end_line(folded) {
            self.close_message();
            return true;
        }
        let led = self.translator.translate_opening(written);
        if parse_opening_line(led.as_deref().unwrap_or(written), &self.player_names()).is_some() {
            self.close_message();
            return self.start_message(number, written, folded);
        }
        if (self.classify_line)(folded) != LineClass::Prose || self.may_be_mistyped_order(folded) {
            self.close_message();
            self.press.paragraph_end_lines.push(number);
            return false;
        }
        self.push_line(written);
        true
    }

    /// Who sits there, and what they may be called by.
    fn player_names(&self) -> PlayerNames<'a> {
        PlayerNames {
            names: self.names,
            sender: self.seat,
            lexicon: self.translator.press_lexicon(),
        }
    }

    fn push_line(&mut self, written: &str) {
        if !written.trim().is_empty() && self.note_if_quoted(self.last_number) {
            return;
        }
        self.press.line_count += 1;
        if let Some(open) = &mut self.open_message {
            open.lines.push(written.trim_end().to_owned());
            open.width = written.chars().count();
        }
    }

    /// Whether a line of a paragraph may be an order with a mistake in its first word: it has a
    /// number, and a person has broken the line above it, not a mail program.
    fn may_be_mistyped_order(&self, folded: &str) -> bool {
        let word = folded.split(' ').next().unwrap_or_default().chars().count();
        let short = |open: &OpenMessage| open.width + 1 + word < WRAPPED_WIDTH_MIN;
        folded.contains(char::is_numeric) && self.open_message.as_ref().is_some_and(short)
    }

    fn record_error(&mut self, number: u32, line: &str, why: Message) {
        let wrong = PressError { number, line: line.to_owned(), reason: why };
        self.press.error.get_or_insert(wrong);
    }

    fn close_message(&mut self) {
        let Some(OpenMessage { mut press, lines, is_block: block, .. }) = self.open_message.take()
        else {
            return;
        };
        // The lines of a paragraph are where a mail program has broken it.
        press.text =
            if block { join_block_lines(&lines) } else { lines.join(" ").trim().to_owned() };
        self.press.messages.push(press);
    }
}

/// The lines without blank ones at both ends, and at most one between others.
fn join_block_lines(lines: &[String]) -> String {
    let mut text = String::new();
    for line in lines {
        let blank = line.trim().is_empty();
        if !(blank && (text.is_empty() || text.ends_with("\n\n"))) {
            text.push_str(if blank { "" } else { line });
            text.push('\n');
        }
    }
    text.trim_end().to_owned()
}

fn is_end_line(folded: &str) -> bool {
    END_WORDS.contains(&&*folded.trim_end_matches(['.', '!']).to_lowercase())
}

#[cfg(test)]
mod tests;
