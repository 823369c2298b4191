//! Press: the messages between players that a letter contains, their recipients, and a game's rules
//! for them.
//!
//! Pure. It knows the players' names and seats. It knows neither games nor the format of letters,
//! so the caller passes in a function that classifies lines as orders or prose.
//!
//! A message to the wrong player cannot be taken back. So the whole letter is refused if a message
//! is ambiguous. Examples are a name that two players share, a list of names without a colon, and
//! an order inside the text.

mod press_terms;
mod recipients;

pub(crate) use press_terms::PressTerms;
pub(crate) use recipients::{AND_WORD, EVERYBODY_WORDS, begins_with_say_or_tell};

use super::{Lexicons, Translator, classify_line};
use crate::rules::{Message, Seat};
use recipients::{ParsedRecipients, PlayerNames, is_full_or_first_name, parse_opening_line};

/// The most characters that all messages to players in a letter may have together.
pub(crate) const PRESS_CHARACTERS_MAX: usize = 2_000;
/// The most lines that all messages to players in a letter may have together.
pub(crate) const PRESS_LINES_MAX: usize = 40;
/// The number of letters with messages that a seat can send within a day.
pub(crate) const PRESS_LETTERS_PER_DAY: usize = 20;

/// The classification of a line in plain characters that does not begin a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineClass {
    /// The line is text between people. The program does nothing with it.
    Prose,
    /// The line begins like an order, or is a question.
    LikeOrder,
    /// The line is an order, a plan, or a club command.
    Order,
}

/// A message to other players in a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PressMessage {
    /// The number of the message's first line in the letter, from 1.
    pub number: u32,
    /// The message's first line in plain characters, for error messages.
    pub line: String,
    /// The recipients. Empty for a message to all.
    pub(crate) recipients: Vec<Seat>,
    /// Whether recipients do not see the author's name.
    pub(crate) anonymous: bool,
    /// The lines of the message, separated by line feeds.
    pub text: String,
}

/// All messages to players in a letter, and the first error in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LetterPress {
    /// The messages to players, in the order of the letter.
    pub messages: Vec<PressMessage>,
    /// The first line that begins or belongs to a message but is wrong.
    pub(crate) error: Option<PressError>,
    /// The numbers of lines that ended a paragraph of a message because they look like orders.
    pub(crate) paragraph_end_lines: Vec<u32>,
    /// The lines below the first line of a paragraph that the sender, and not a mail program, put
    /// on a line of their own, each with its number. The sender may have meant them for the club.
    pub(crate) own_lines: Vec<(u32, String)>,
    /// The number of the first line that was left out of a message because it is a part of another
    /// letter. `None` if no line was left out.
    pub(crate) quoted_from: Option<u32>,
    line_count: usize,
}

/// A line of a message, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PressError {
    /// The number of the wrong line in the letter, from 1.
    pub number: u32,
    pub line: String,
    /// The reason. If it has an argument `line`, that is a line that the sender can send instead.
    pub reason: Message,
}

impl LetterPress {
    /// Whether the letter contains neither a message nor a wrong one.
    pub(crate) fn is_empty(&self) -> bool {
        self.messages.is_empty() && self.error.is_none()
    }

    /// Checks that the game's terms and the limits allow all messages. `letters` is the number of
    /// letters with messages that the seat has sent within the last day. Refuses the first line
    /// that is not allowed.
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

/// The parser that collects the messages to players from a letter, line by line.
///
/// `say TEXT` and `tell WHO TEXT` begin a paragraph. It ends at a blank line, at `end`, or at a
/// line that the sender did not write. It also ends at a line that resembles an order, even a
/// mistyped one. `say` or `tell WHO` without a text begins a block. It may contain blank lines, and
/// goes on until `end` or the end of the letter.
pub(crate) struct PressParser<'a> {
    names: &'a [String],
    seat: Seat,
    classify_line: &'a dyn Fn(&str) -> LineClass,
    translator: Translator<'a>,
    /// The number of the first line that is a part of another letter, which this one quotes. No
    /// message contains lines from there on, because they may contain secrets.
    pub(crate) quoted_from: Option<u32>,
    open_message: Option<OpenMessage>,
    last_number: u32,
    press: LetterPress,
}

struct OpenMessage {
    press: PressMessage,
    lines: Vec<String>,
    is_block: bool,
    /// The number of characters of the message's last line so far, as written.
    width: usize,
}

/// The words that end a block or a paragraph.
const END_WORDS: [&str; 2] = ["end", "fin"];

/// The most sentences of a line, and the longest one in bytes, that are searched for an order.
const SENTENCES_MAX: usize = 20;
const ORDER_LENGTH_MAX: usize = 120;

/// The shortest line length, in characters, at which mail programs wrap lines. A shorter line with
/// room for the next word was ended by the sender.
const WRAPPED_WIDTH_MIN: usize = 60;

impl<'a> PressParser<'a> {
    /// Returns a parser for a letter of this seat. `names` are the players' names by seat. `judge`
    /// classifies a line in plain characters that does not begin a message.
    pub(crate) fn new(
        names: &'a [String],
        seat: Seat,
        judge: &'a dyn Fn(&str) -> LineClass,
        translator: Translator<'a>,
    ) -> Self {
        Self {
            names,
            seat,
            classify_line: judge,
            translator,
            quoted_from: None,
            open_message: None,
            last_number: 0,
            press: LetterPress::default(),
        }
    }

    /// Whether a line is a part of another letter. If so, notes that a line was left out.
    fn check_and_note_quoted(&mut self, number: u32) -> bool {
        let quoted = self.quoted_from.is_some_and(|from| number >= from);
        if quoted {
            self.press.quoted_from = self.quoted_from;
        }
        quoted
    }

    /// Reads the next line of the letter, as written and in plain characters. Blank lines must be
    /// passed in, too. Returns `true` if the line belongs to a message.
    pub(crate) fn read_line(&mut self, number: u32, written: &str, folded: &str) -> bool {
        // A gap in the line numbers means that the letter contains other text there, such as a
        // quotation.
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

    /// Ends the last message and returns all messages.
    pub(crate) fn finish(mut self) -> LetterPress {
        self.close_message();
        self.press
    }

    fn start_message(&mut self, number: u32, written: &str, folded: &str) -> bool {
        let led = self.translator.translate_opening(written);
        let written = led.as_deref().unwrap_or(written);
        let Some(opening) = parse_opening_line(written, &self.player_names()) else {
            // A line with the sender's own name below a message is a signature.
            let own = self.names.get(self.seat.index());
            return !self.press.messages.is_empty()
                && own.is_some_and(|own| is_full_or_first_name(folded, own));
        };
        if self.check_and_note_quoted(number) {
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
                self.refuse_order_behind_text(number, folded, 1);
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
            // The order may be secret, and the sender may have believed that a blank line ends the
            // block.
            self.record_error(number, folded, Message::new("talk-order-inside"));
        }
        self.refuse_order_behind_text(number, folded, 0);
        self.push_line(written);
        true
    }

    fn continue_paragraph(&mut self, number: u32, written: &str, folded: &str) -> bool {
        // `end` ends the message here. Elsewhere in a letter it ends the part that is read.
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
        self.refuse_order_behind_text(number, folded, 0);
        if self.is_below_short_line(folded) {
            self.press.own_lines.push((number, folded.to_owned()));
        }
        self.push_line(written);
        true
    }

    /// Refuses a line of a message that has several sentences, if one of them is an order of the
    /// game. The first `skipped` sentences are not checked. A sentence of one word is text. Nothing
    /// is checked if the letter is refused already.
    fn refuse_order_behind_text(&mut self, number: u32, folded: &str, skipped: usize) {
        if self.press.error.is_some() || self.press.line_count > PRESS_LINES_MAX {
            return;
        }
        let sentences = split_sentences(folded);
        let is_command = |sentence: &str| {
            let english = self.translator.translate(sentence);
            classify_line(self.translator.games, english.as_deref().unwrap_or(sentence))
                != LineClass::Prose
        };
        let is_order = |sentence: &&str| {
            sentence.contains(' ')
                && sentence.len() <= ORDER_LENGTH_MAX
                && (self.classify_line)(sentence) == LineClass::Order
                && !is_command(sentence)
        };
        let order = match sentences.len() {
            1 => None,
            _ => sentences.into_iter().take(SENTENCES_MAX).skip(skipped).find(is_order),
        };
        if let Some(order) = order {
            let reason = Message::new("talk-order-behind").with("line", order);
            self.record_error(number, folded, reason);
        }
    }

    fn player_names(&self) -> PlayerNames<'a> {
        PlayerNames {
            names: self.names,
            sender: self.seat,
            lexicon: self.translator.press_lexicon(),
            commands: self.translator.lexicons.map(Lexicons::club_command_lexicon),
        }
    }

    fn push_line(&mut self, written: &str) {
        if !written.trim().is_empty() && self.check_and_note_quoted(self.last_number) {
            return;
        }
        self.press.line_count += 1;
        if let Some(open) = &mut self.open_message {
            open.lines.push(written.trim_end().to_owned());
            open.width = written.chars().count();
        }
    }

    /// Whether a line of a paragraph may be an order with a mistake in its first word. Such a line
    /// contains a digit, and the sender began it.
    fn may_be_mistyped_order(&self, folded: &str) -> bool {
        folded.contains(char::is_numeric) && self.is_below_short_line(folded)
    }

    /// Whether the line above was ended by the sender, and not wrapped by a mail program: it had
    /// room for the first word of this line.
    fn is_below_short_line(&self, folded: &str) -> bool {
        let word = folded.split(' ').next().unwrap_or_default().chars().count();
        let short = |open: &OpenMessage| open.width + 1 + word < WRAPPED_WIDTH_MIN;
        self.open_message.as_ref().is_some_and(short)
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
        // Mail programs wrap paragraphs, so their lines are joined again.
        press.text =
            if block { join_block_lines(&lines) } else { lines.join(" ").trim().to_owned() };
        self.press.messages.push(press);
    }
}

/// Splits a line behind each full stop, question mark, exclamation mark and semicolon that a blank
/// follows.
fn split_sentences(line: &str) -> Vec<&str> {
    let ends =
        |at: &usize| line.get(..*at).is_some_and(|before| before.ends_with(['.', '!', '?', ';']));
    let (mut sentences, mut start) = (Vec::new(), 0);
    for at in line.match_indices(' ').map(|(at, _)| at).filter(ends) {
        sentences.extend(line.get(start..at).map(str::trim));
        start = at;
    }
    sentences.extend(line.get(start..).map(str::trim));
    sentences
}

/// Joins lines with line feeds. Removes blank lines at both ends, and all but one between others.
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
