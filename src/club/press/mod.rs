//! What players say to each other: which lines of a letter are press, and a game's terms for it.
//!
//! Pure. Knows the players' names and seats; it knows no order of any game, nor how letters look:
//! what else a line may be is asked of whoever does.
//!
//! Press that goes to the wrong people cannot be taken back. So whatever is not plain is refused
//! with the whole letter: a name that two have, a list without its colon, an order inside.

mod audience;
mod terms;

pub(crate) use audience::{AND, EVERYBODY, says_something};
pub(crate) use terms::PressTerms;

use super::Translator;
use crate::rules::{Message, Seat};
use audience::{Audience, People, is_name, opening};

/// The most characters that a letter may say.
pub(crate) const PRESS_CHARACTERS: usize = 2_000;
/// The most lines that a letter may say.
pub(crate) const PRESS_LINES: usize = 40;
/// How many letters of a seat may say something within a day.
pub(crate) const PRESS_LETTERS: usize = 20;

/// What a line is besides press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// Words between people: nothing that the program carries out.
    Prose,
    /// It begins like an order, or is a question.
    LikeOrder,
    /// An order, a plan, or a line for the house.
    Order,
}

/// Something that a letter says to players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Press {
    /// The number of its first line.
    pub number: u32,
    /// Its first line.
    pub line: String,
    /// To whom; to all when it is empty.
    pub(crate) to: Vec<Seat>,
    /// Whether the writer's name is kept back.
    pub(crate) anonymous: bool,
    /// What: lines that are parted by a line feed.
    pub text: String,
}

/// All that a letter says to players.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Talk {
    /// It, in order.
    pub press: Vec<Press>,
    /// The first line that was meant to say something and cannot be read so.
    pub(crate) wrong: Option<WrongTalk>,
    /// The numbers of lines that ended a paragraph of press because they read like orders.
    pub(crate) ended_by: Vec<u32>,
    /// The number of the first line that was not passed on because it is another letter's.
    pub(crate) cut_at: Option<u32>,
    /// How many lines were written.
    lines: usize,
}

/// A line that was meant to say something, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WrongTalk {
    /// The line's number in the letter, from 1.
    pub number: u32,
    /// The line that is wrong.
    pub line: String,
    /// What is wrong.
    pub why: Message,
}

impl Talk {
    /// Whether nothing is said, or was meant to be.
    pub(crate) fn is_empty(&self) -> bool {
        self.press.is_empty() && self.wrong.is_none()
    }

    /// Whether all of it may be said in a game of these terms by a seat that has said something in
    /// so many letters of the last day.
    ///
    /// # Errors
    /// The first line that may not, and why.
    pub(crate) fn check(&self, terms: PressTerms, letters: usize) -> Result<(), WrongTalk> {
        if let Some(wrong) = &self.wrong {
            return Err(wrong.clone());
        }
        let Some(first) = self.press.first() else { return Ok(()) };
        let (mut characters, at) = (0, |press: &Press, why| {
            Err(WrongTalk { number: press.number, line: press.line.clone(), why })
        });
        for press in &self.press {
            terms.allow(press).or_else(|why| at(press, why))?;
            characters += press.text.chars().count();
            if press.text.is_empty() {
                return at(press, Message::new("talk-empty"));
            }
            if characters > PRESS_CHARACTERS || self.lines > PRESS_LINES {
                let why = Message::new("talk-too-long")
                    .with("characters", PRESS_CHARACTERS)
                    .with("lines", PRESS_LINES);
                return at(press, why);
            }
        }
        if letters >= PRESS_LETTERS {
            return at(first, Message::new("talk-too-often").with("count", PRESS_LETTERS));
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
pub(crate) struct Listener<'a> {
    names: &'a [String],
    seat: Seat,
    judge: &'a dyn Fn(&str) -> Reads,
    /// How lines in the writer's own language are read.
    pub(crate) translator: Translator<'a>,
    /// The first line that is another letter's, which this one quotes. Nothing from there on is
    /// said to anybody.
    pub(crate) quoted: Option<u32>,
    open: Option<Open>,
    last: u32,
    talk: Talk,
}

struct Open {
    press: Press,
    lines: Vec<String>,
    block: bool,
    /// How many characters its last line has, as it was written.
    width: usize,
}

/// What ends a block, and what is read of a letter.
const STOPS: [&str; 2] = ["end", "fin"];

/// A mail program that breaks lines leaves none shorter than this that the next word had room on.
const BROKEN_MIN: usize = 60;

impl<'a> Listener<'a> {
    /// Returns a listener for a letter of this seat, among players of these names. `judge` says
    /// what a folded line is besides press.
    pub(crate) fn new(names: &'a [String], seat: Seat, judge: &'a dyn Fn(&str) -> Reads) -> Self {
        let (translator, talk) = (Translator::ENGLISH, Talk::default());
        Self { names, seat, judge, translator, quoted: None, open: None, last: 0, talk }
    }

    /// Whether a line is another letter's; then it is noted that something was not passed on.
    fn is_quoted(&mut self, number: u32) -> bool {
        let quoted = self.quoted.is_some_and(|from| number >= from);
        if quoted {
            self.talk.cut_at = self.quoted;
        }
        quoted
    }

    /// Takes a line in, as it was written and folded to plain characters; whether it belongs to
    /// press. Blank lines must come too.
    pub(crate) fn takes(&mut self, number: u32, written: &str, folded: &str) -> bool {
        // A number was left out: there stood something that the person did not write.
        let goes_on = number == self.last + 1 && !folded.starts_with(['>', '|']);
        self.last = number;
        if !goes_on {
            self.close();
        }
        match self.open.as_ref().map(|open| open.block) {
            Some(true) => self.in_block(number, written, folded),
            Some(false) => self.in_paragraph(number, written, folded),
            None => self.opens(number, written, folded),
        }
    }

    /// All that was said.
    pub(crate) fn heard(mut self) -> Talk {
        self.close();
        self.talk
    }

    fn opens(&mut self, number: u32, written: &str, folded: &str) -> bool {
        let led = self.translator.led(written);
        let written = led.as_deref().unwrap_or(written);
        let Some(opening) = opening(written, &self.table()) else {
            // Who says something signs it.
            let own = self.names.get(self.seat.index());
            return !self.talk.press.is_empty() && own.is_some_and(|own| is_name(folded, own));
        };
        if self.is_quoted(number) {
            return true;
        }
        match opening {
            Ok(Audience { to, anonymous, text }) => {
                let line = folded.to_owned();
                let press = Press { number, line, to, anonymous, text: String::new() };
                let (lines, block) = (vec![text.to_owned()], text.is_empty());
                self.talk.lines += usize::from(!block);
                let width = written.chars().count();
                self.open = Some(Open { press, lines, block, width });
            }
            Err(why) => self.wrong(number, folded, why),
        }
        true
    }

    fn in_block(&mut self, number: u32, written: &str, folded: &str) -> bool {
        if is_end(folded) {
            self.close();
            return true;
        }
        let tells = || {
            let led = self.translator.led(written);
            let whom = opening(led.as_deref().unwrap_or(written), &self.table());
            whom.and_then(Result::ok).is_some_and(|whom| !whom.to.is_empty())
        };
        if (self.judge)(folded) == Reads::Order || tells() {
            // It may be a secret, and the writer may have taken a blank line for the end.
            self.wrong(number, folded, Message::new("talk-order-inside"));
        }
        self.push(written);
        true
    }

    fn in_paragraph(&mut self, number: u32, written: &str, folded: &str) -> bool {
        // `end` ends what is said, as below a block, and not what is read.
        if folded.is_empty() || is_end(folded) {
            self.close();
            return true;
        }
        let led = self.translator.led(written);
        if opening(led.as_deref().unwrap_or(written), &self.table()).is_some() {
            self.close();
            return self.opens(number, written, folded);
        }
        if (self.judge)(folded) != Reads::Prose || self.may_be_mistyped(folded) {
            self.close();
            self.talk.ended_by.push(number);
            return false;
        }
        self.push(written);
        true
    }

    /// Who sits there, and what they may be called by.
    fn table(&self) -> People<'a> {
        People { names: self.names, own: self.seat, words: self.translator.talk() }
    }

    fn push(&mut self, written: &str) {
        if !written.trim().is_empty() && self.is_quoted(self.last) {
            return;
        }
        self.talk.lines += 1;
        if let Some(open) = &mut self.open {
            open.lines.push(written.trim_end().to_owned());
            open.width = written.chars().count();
        }
    }

    /// Whether a line of a paragraph may be an order with a mistake in its first word: it has a
    /// number, and a person has broken the line above it, not a mail program.
    fn may_be_mistyped(&self, folded: &str) -> bool {
        let word = folded.split(' ').next().unwrap_or_default().chars().count();
        let short = |open: &Open| open.width + 1 + word < BROKEN_MIN;
        folded.contains(char::is_numeric) && self.open.as_ref().is_some_and(short)
    }

    fn wrong(&mut self, number: u32, line: &str, why: Message) {
        let wrong = WrongTalk { number, line: line.to_owned(), why };
        self.talk.wrong.get_or_insert(wrong);
    }

    fn close(&mut self) {
        let Some(Open { mut press, lines, block, .. }) = self.open.take() else { return };
        // The lines of a paragraph are where a mail program has broken it.
        press.text = if block { block_text(&lines) } else { lines.join(" ").trim().to_owned() };
        self.talk.press.push(press);
    }
}

/// The lines without blank ones at both ends, and at most one between others.
fn block_text(lines: &[String]) -> String {
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

fn is_end(folded: &str) -> bool {
    STOPS.contains(&&*folded.trim_end_matches(['.', '!']).to_lowercase())
}

#[cfg(test)]
mod tests;
