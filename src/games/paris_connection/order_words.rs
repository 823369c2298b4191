//! Splits a line into words, and keeps the punctuation between them.

use crate::rules::line_words;
pub use crate::rules::line_words::lowercase_unaccented as small;

/// Words that carry no meaning in an order. Some are also codes of cities, such as `To` and `An`.
/// The position in the line decides what they mean.
pub const FILLERS: [&str; 33] = [
    "a",
    "an",
    "and",
    "at",
    "cities",
    "city",
    "from",
    "hex",
    "hexes",
    "i",
    "in",
    "into",
    "loco",
    "locomotive",
    "locomotives",
    "locos",
    "my",
    "of",
    "on",
    "onto",
    "please",
    "share",
    "shares",
    "some",
    "the",
    "then",
    "to",
    "track",
    "tracks",
    "train",
    "trains",
    "via",
    "with",
];

/// Whether a word is a filler, which carries no meaning in an order.
pub fn is_filler(word: &str) -> bool {
    FILLERS.contains(&word)
}

/// The link of a word to the word before it: punctuation, or a small word such as `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WordLink {
    /// The word follows the word before it without punctuation.
    Next,
    /// The word is another item of a list: `,`, `+`.
    Also,
    /// The line leads from the place before to this one: `-`, `->`, `to`.
    Dash,
    /// The word is an alternative to the one before it: `or`, `/`.
    Or,
}

/// A word of a line, with its link to the word before it.
#[derive(Clone, Copy, Debug)]
pub struct Word<'a> {
    pub text: &'a str,
    pub link: WordLink,
    pub in_brackets: bool,
}

/// Returns the link that a word expresses if it is not a name. A filler links like no punctuation.
/// Returns `None` for all other words.
pub fn link_meaning(word: &str) -> Option<WordLink> {
    match word {
        "to" | "till" | "until" | "through" => Some(WordLink::Dash),
        "or" => Some(WordLink::Or),
        _ => is_filler(word).then_some(WordLink::Next),
    }
}

/// Splits a lowercase line into words. Most punctuation marks are not words. The exceptions are the
/// tower in square brackets (`[*]`), and the signs `<`, U+2190 and U+2260. No order contains these
/// signs, so a line with them is refused instead of misread.
pub fn split_words(small: &str) -> Vec<Word<'_>> {
    let mut words: Vec<Word<'_>> = Vec::new();
    let (mut link, mut depth, mut before) = (WordLink::Next, 0_u32, "");
    for piece in line_words::split_tokens(small) {
        match piece {
            "," | ";" | "&" | "+" => link = link.max(WordLink::Also),
            "-" | ">" | "\u{2192}" => link = link.max(WordLink::Dash),
            "." if before == "." => link = link.max(WordLink::Dash),
            "/" | "|" => link = WordLink::Or,
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            _ => {
                let is_mark = !piece.contains(char::is_alphanumeric);
                let is_tower = before == "[" && matches!(piece, "*" | "\u{2020}");
                if !is_mark || is_tower || matches!(piece, "<" | "\u{2190}" | "\u{2260}") {
                    words.push(Word { text: piece, link, in_brackets: depth > 0 });
                    link = WordLink::Next;
                }
            }
        }
        before = piece;
    }
    words
}

pub fn without_fillers<'a>(words: &[Word<'a>]) -> Vec<Word<'a>> {
    words.iter().copied().filter(|word| !is_filler(word.text)).collect()
}
