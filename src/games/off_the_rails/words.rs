//! The words of a line, and the small things that they name.

use super::colour::Colour;
use super::grid::{Ends, Square, Way};
use super::jewel::Jewel;
use super::order::CartId;
use super::refuse;
use super::state::State;
use crate::rules::words::{self, is_beginning, one_of};
use crate::rules::{Message, Refusal, Seat};

/// Words that may stand in a line and say nothing.
pub const FILLERS: [&str; 19] = [
    "and", "the", "to", "at", "on", "in", "my", "cart", "carts", "then", "via", "from", "of",
    "with", "column", "row", "side", "track", "tile",
];

/// The line in small letters.
pub fn small(line: &str) -> String {
    words::small(line, &['\''])
}

/// The words of a line: cut at everything that is no letter, digit or sign of a number.
pub fn words(small: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for piece in small.split(|c: char| !c.is_alphanumeric() && c != '+' && c != '-') {
        let is_signed = piece.get(1..).is_some_and(|rest| rest.parse::<u8>().is_ok());
        if is_signed && piece.starts_with(['+', '-']) {
            words.push(piece);
        } else {
            words.extend(words::plain(piece));
        }
    }
    words::telling(words.into_iter(), &FILLERS)
}

/// A direction by its name or letter.
pub fn way(word: &str) -> Option<Way> {
    one_of(&Way::ALL, Way::name, word)
}

/// A colour by a beginning of its name.
pub fn colour(word: &str) -> Option<Colour> {
    one_of(&Colour::ALL, Colour::name, word)
}

/// A kind of jewel by a beginning of its name, in singular or plural.
pub fn jewel(word: &str) -> Option<Jewel> {
    let word = match word {
        "rubies" => "ruby",
        "stone" | "stones" => "rock",
        word => word,
    };
    one_of(&Jewel::ALL, Jewel::name, word)
        .or_else(|| one_of(&Jewel::ALL, Jewel::name, word.strip_suffix('s')?))
}

/// Openings: letters such as `ne`, or the name of one direction.
pub fn ends(word: &str) -> Option<Ends> {
    let named = Way::ALL.into_iter().find(|way| way.name() == word);
    named.map(|way| Ends::NONE.with(way)).or_else(|| match word {
        "horizontal" => Ends::parse("ew"),
        "vertical" => Ends::parse("ns"),
        word => Ends::parse(word),
    })
}

/// One of the seat's carts, by a beginning of its colour.
pub fn cart(state: &State, seat: Seat, word: &str) -> Option<CartId> {
    let fits = |cart: &CartId| is_beginning(word, refuse::cart_word(state, *cart));
    state.carts_of(seat).find(fits)
}

/// The square that a word names.
///
/// # Errors
/// That it names none on this board.
pub fn square(state: &State, word: &str) -> Result<Square, Refusal> {
    let on_board = |square: &Square| state.board.squares.contains(*square);
    Square::parse(word).filter(on_board).ok_or_else(|| {
        let corner =
            Square::new(state.board.columns.saturating_sub(1), state.board.rows.saturating_sub(1));
        let last = corner.map_or_else(String::new, |square| square.to_string());
        Refusal::unreadable(Message::new("or-no-square").with("word", word).with("last", last))
    })
}
