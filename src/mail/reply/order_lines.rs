//! Which of the written lines may be orders: from the first one to the thanks, or to a line that
//! ends the reading. Knows no order: what else is meant for people is told apart by whoever does.

use super::super::line_folding::fold_line;
use super::{quote_phrases, written_lines};
use crate::mail::word_list::WordList;

/// The most lines of orders that a letter may have.
pub(crate) const LINES_MAX: usize = 200;
/// The most characters that such a line may have.
pub(crate) const CHARACTERS_MAX: usize = 500;
/// More characters than any greeting or closing has.
pub(super) const OPENING_MAX: usize = 60;

/// A folded line that the person wrote, and where it stands in the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenLine {
    /// Counted from 1.
    pub number: u32,
    /// The line, folded: see `fold`.
    pub text: String,
}

/// More than anybody needs to say. Nothing of such a letter is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum OrderLimitExceeded {
    /// More than 200 lines.
    #[error("more than {LINES_MAX} lines")]
    TooManyLines,
    /// More than 500 characters.
    #[error("line {number} has more than {CHARACTERS_MAX} characters")]
    LongLine {
        /// Counted from 1.
        number: u32,
    },
}

/// The lines of a letter that may be orders, and those that stand beside them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderLines {
    /// What may be orders.
    pub lines: Vec<WrittenLine>,
    /// Thanks, and what stands below them: no orders, unless somebody forgot that the reading ends
    /// there.
    pub after_closing: Vec<WrittenLine>,
}

/// The written lines, folded, as far as they can be orders: without blank lines, without a
/// greeting, and up to `--`, `end`, `quit` or thanks. Lines that begin with `>` or `|` are never
/// orders.
pub fn extract_order_lines(
    body: &str,
    markers: &[&str],
) -> Result<Vec<WrittenLine>, OrderLimitExceeded> {
    Ok(split_order_lines(&written_lines(body, markers), |_, _, _| false)?.lines)
}

/// Of written lines the order lines of what `takes` leaves, and the lines beside them: it is given
/// each of them up to the end of the orders, blank ones too, with its number, as it was written and
/// folded, and says whether it is something else. What is taken may be of any length, and say
/// thanks or hello.
pub fn split_order_lines(
    written: &[(u32, &str)],
    mut takes: impl FnMut(u32, &str, &str) -> bool,
) -> Result<OrderLines, OrderLimitExceeded> {
    let OrderLines { lines: mut orders, after_closing: mut beside } = OrderLines::default();
    let (mut greeted, mut taken, mut closed) = (false, false, false);
    for &(number, line) in written {
        let text = fold_line(line);
        if !closed && takes(number, line, &text) {
            taken = true;
            continue;
        }
        if text.is_empty() || text.starts_with(['>', '|']) {
            continue;
        }
        if is_end_word(&text) {
            break;
        }
        let closes = is_closing(&text);
        if closed || closes {
            closed |= !orders.is_empty() || taken;
            if beside.len() < LINES_MAX && text.chars().count() <= CHARACTERS_MAX {
                beside.push(WrittenLine { number, text });
            }
            continue;
        }
        if !greeted && orders.is_empty() && is_greeting(&text) {
            greeted = true;
            continue;
        }
        if text.chars().count() > CHARACTERS_MAX {
            return Err(OrderLimitExceeded::LongLine { number });
        }
        if orders.len() == LINES_MAX {
            return Err(OrderLimitExceeded::TooManyLines);
        }
        orders.push(WrittenLine { number, text });
    }
    Ok(OrderLines { lines: orders, after_closing: beside })
}

pub(super) fn is_end_word(text: &str) -> bool {
    let bare = text.trim_end_matches(['.', '!']);
    text == "--" || ["end", "quit", "fin"].iter().any(|word| bare.eq_ignore_ascii_case(word))
}

/// Thanks or regards, perhaps with a name of two words.
fn is_closing(text: &str) -> bool {
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    word_counts_after(&quote_phrases::CLOSINGS, text).any(|(count, marked)| {
        count == 0 || count <= 2 && (marked || text.split(' ').rev().take(count).all(capital))
    })
}

/// A greeting with at most three words more, and nothing else.
fn is_greeting(text: &str) -> bool {
    word_counts_after(&quote_phrases::GREETINGS, text).any(|(count, _)| count <= 3)
}

/// For every opening that the line begins with, how many words follow, and whether a comma or
/// another mark parts them from it.
fn word_counts_after(openings: &WordList, text: &str) -> impl Iterator<Item = (usize, bool)> {
    // A line without end is not read to its end where it begins with none of them.
    let head = text.char_indices().nth(OPENING_MAX).and_then(|(end, _)| text.get(..end));
    let head = head.unwrap_or(text);
    let opens = openings.starts_line(head);
    let lower = if opens { text.to_lowercase() } else { String::new() };
    openings.words().filter_map(move |opening| {
        let rest = lower.strip_prefix(opening)?;
        let says = |word: &&str| word.contains(char::is_alphanumeric);
        let count = rest.split_whitespace().filter(says).count();
        let whole = !rest.starts_with(char::is_alphanumeric);
        whole.then_some((count, rest.starts_with(|c: char| c.is_ascii_punctuation())))
    })
}
