//! Selects the written lines that may be orders: from the first line after the greeting to the
//! closing or an end word. Knows no orders; the caller decides which lines are press or commands.

use super::super::line_folding::fold_line;
use super::{quote_phrases, written_lines};
use crate::mail::word_list::WordList;

/// The most order lines that a letter may have.
pub(crate) const LINES_MAX: usize = 200;
/// The most characters that an order line may have.
pub(crate) const CHARACTERS_MAX: usize = 500;
/// The most characters of a line that are searched for a greeting or closing. Every greeting and
/// closing is shorter.
pub(super) const OPENING_MAX: usize = 60;

/// A folded line that the person wrote, with its number in the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenLine {
    /// The line number, counted from 1.
    pub number: u32,
    /// The line in the form of [`fold_line`].
    pub text: String,
}

/// The error that a letter exceeds a limit on order lines. No order of such a letter is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum OrderLimitExceeded {
    /// The letter has more than 200 order lines.
    #[error("more than {LINES_MAX} lines")]
    TooManyLines,
    /// An order line has more than 500 characters.
    #[error("line {number} has more than {CHARACTERS_MAX} characters")]
    LongLine {
        /// The line number, counted from 1.
        number: u32,
    },
}

/// The lines of a letter that may be orders, and the lines after the closing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderLines {
    /// The lines that may be orders.
    pub lines: Vec<WrittenLine>,
    /// The greeting, which is no order. It may hold back the order below it ("Hi, not yet:"), or
    /// continue with a request.
    pub greeting: Option<WrittenLine>,
    /// The closing (such as thanks) and the lines below it, up to an end word. They are not orders.
    /// They are kept to notify players who wrote orders below their closing.
    pub after_closing: Vec<WrittenLine>,
}

/// Returns the folded lines of a body that may be orders. Leaves out blank lines, the greeting, and
/// lines that begin with `>` or `|`. Stops at `--`, `end`, `quit`, `fin` or a closing. `markers`
/// are the translations of the club's reply marker.
///
/// # Errors
/// If there are too many order lines, or one is too long.
pub fn extract_order_lines(
    body: &str,
    markers: &[&str],
) -> Result<Vec<WrittenLine>, OrderLimitExceeded> {
    Ok(split_order_lines(&written_lines(body, markers), |_, _, _| false)?.lines)
}

/// Returns the lines that may be orders, and the lines after the closing. Calls `takes` with the
/// number, the original text and the folded text of each written line, up to the closing. A line
/// for which `takes` returns `true` belongs to the caller, and is neither an order nor a closing.
/// Such a line may have any length.
///
/// # Errors
/// If there are too many order lines, or one is too long.
pub fn split_order_lines(
    written: &[(u32, &str)],
    mut takes: impl FnMut(u32, &str, &str) -> bool,
) -> Result<OrderLines, OrderLimitExceeded> {
    let (mut orders, mut beside, mut greeting) = (Vec::new(), Vec::new(), None);
    let (mut taken, mut closed) = (false, false);
    for &(number, line) in written {
        let text = fold_line(line);
        if !closed && takes(number, line, &text) {
            taken = true;
            continue;
        }
        if text.is_empty() || text.starts_with(['>', '|']) {
            continue;
        }
        if ends_order_lines(&text) {
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
        if greeting.is_none() && orders.is_empty() && is_greeting(&text) {
            greeting = Some(WrittenLine { number, text });
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
    Ok(OrderLines { lines: orders, after_closing: beside, greeting })
}

pub(super) fn ends_order_lines(text: &str) -> bool {
    let bare = text.trim_end_matches(['.', '!']);
    text == "--" || ["end", "quit", "fin"].iter().any(|word| bare.eq_ignore_ascii_case(word))
}

/// Whether a line is a closing such as thanks or regards, with at most two words after it. Without
/// a punctuation mark between, these must be capitalized, as names are.
fn is_closing(text: &str) -> bool {
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    word_counts_after(&quote_phrases::CLOSINGS, text).any(|(count, marked)| {
        count == 0 || count <= 2 && (marked || text.split(' ').rev().take(count).all(capital))
    })
}

/// Whether a line is a greeting with at most three words after it. A line with a second sentence
/// may hold an order. So may a line with a number, unless its only comma is at its end.
fn is_greeting(text: &str) -> bool {
    let said = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    let is_open = text.ends_with(',') && !said.contains(',');
    if said.contains(['.', '!', ';']) || !is_open && said.contains(|c: char| c.is_ascii_digit()) {
        return false;
    }
    word_counts_after(&quote_phrases::GREETINGS, text).any(|(count, _)| count <= 3)
}

/// For each phrase in `openings` with which the line begins, returns the number of words after it,
/// and whether a punctuation mark follows the phrase.
fn word_counts_after(openings: &WordList, text: &str) -> impl Iterator<Item = (usize, bool)> {
    // A very long line is converted to lower case only if it begins with one of the phrases.
    let head = text.char_indices().nth(OPENING_MAX).and_then(|(end, _)| text.get(..end));
    let head = head.unwrap_or(text);
    let opens = openings.starts_line(head);
    let lower = if opens { text.to_lowercase() } else { String::new() };
    openings.phrases().filter_map(move |opening| {
        let rest = lower.strip_prefix(opening)?;
        let says = |word: &&str| word.contains(char::is_alphanumeric);
        let count = rest.split_whitespace().filter(says).count();
        let whole = !rest.starts_with(char::is_alphanumeric);
        whole.then_some((count, rest.starts_with(|c: char| c.is_ascii_punctuation())))
    })
}
