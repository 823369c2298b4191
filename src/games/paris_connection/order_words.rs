//! The words of a line, with what stands between them.

use crate::rules::line_words;
pub use crate::rules::line_words::lowercase_unaccented as small;

/// Words that may stand in a line and say nothing. Some are the codes of cities too, as `To` and
/// `An` are: what they are then, their place in the line tells.
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

/// Whether a word may stand in a line and say nothing.
pub fn is_filler(word: &str) -> bool {
    FILLERS.contains(&word)
}

/// How a word is joined to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WordLink {
    /// It follows.
    Next,
    /// It is another one: `,`, `+`.
    Also,
    /// From there to here: `-`, `->`, `to`.
    Dash,
    /// One of both: `or`, `/`.
    Or,
}

/// A word of a line.
#[derive(Clone, Copy, Debug)]
pub struct Word<'a> {
    pub text: &'a str,
    /// The marks before it.
    pub link: WordLink,
    /// Whether it stands in brackets.
    pub in_brackets: bool,
}

/// What a word says where it names nothing.
pub fn link_meaning(word: &str) -> Option<WordLink> {
    match word {
        "to" | "till" | "until" | "through" => Some(WordLink::Dash),
        "or" => Some(WordLink::Or),
        _ => is_filler(word).then_some(WordLink::Next),
    }
}

/// The words of a line in small letters. The tower in its square brackets is one, and so is an
/// arrow that points back: nothing else is written so.
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

/// The words without those that say nothing.
pub fn without_fillers<'a>(words: &[Word<'a>]) -> Vec<Word<'a>> {
    words.iter().copied().filter(|word| !is_filler(word.text)).collect()
}
