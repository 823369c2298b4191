//! The words of a line of orders: normalizing and splitting a line, and parsing a word as a square,
//! cart, jewel, colour or direction.

use super::colour::Colour;
use super::draw;
use super::grid::{Direction, Square, TileOpenings};
use super::jewel::Jewel;
use super::order::CartId;
use super::refuse;
use super::state::State;
use crate::rules::line_words::{self, is_prefix, unique_item_with_prefix};
use crate::rules::{Message, Refusal, Seat};

/// Words without a meaning in orders. The parser skips them.
pub const FILLERS: [&str; 20] = [
    "and", "the", "to", "at", "on", "in", "my", "cart", "carts", "then", "via", "from", "of",
    "with", "column", "row", "side", "track", "tile", "please",
];

/// Characters that mail programs put in place of a minus sign or hyphen.
const MINUS_SIGNS: [char; 4] = ['\u{2212}', '\u{2010}', '\u{2013}', '\u{2014}'];

/// The arrows that the drawn board shows between a cart and its speed, as in `1w>3`.
const ARROWS: [char; 7] = ['^', '>', '<', '\u{2191}', '\u{2192}', '\u{2193}', '\u{2190}'];

/// Returns the line in lower case, with each sign joined to its number: `w - 1` and `w-1` become `w
/// -1`. A cart copied from the drawn board (`1w>3`) becomes its code (`1w`).
pub fn normalize_line(line: &str) -> String {
    let line = line_words::lowercase_without(line, &['\'', '\u{2019}']).replace(MINUS_SIGNS, "-");
    let mut signed = String::with_capacity(line.len());
    let mut rest = line.chars().peekable();
    let mut last = ' ';
    while let Some(c) = rest.next() {
        let (is_number_next, is_after_letter) =
            (rest.peek().is_some_and(char::is_ascii_digit), last.is_alphabetic());
        if ARROWS.contains(&c) && is_after_letter && is_number_next {
            rest.next();
        } else if matches!(c, '+' | '-') && !last.is_alphanumeric()
            || is_attached_sign(c, last, &rest)
        {
            signed.push(' ');
            signed.push(c);
            let spaces = rest.clone().take_while(|c| c.is_whitespace()).count();
            if rest.clone().nth(spaces).is_some_and(|c| c.is_ascii_digit()) {
                rest.by_ref().take(spaces).for_each(drop);
            }
        } else {
            signed.push(c);
        }
        last = c;
    }
    signed
}

/// Whether `c` is the sign of a number that directly follows a word, as in `w-1`.
fn is_attached_sign(c: char, last: char, rest: &std::iter::Peekable<std::str::Chars<'_>>) -> bool {
    let is_number = rest.clone().next().is_some_and(|c| c.is_ascii_digit());
    matches!(c, '+' | '-') && last.is_alphabetic() && is_number
}

/// Splits a normalized line into words, signed numbers and hyphens. A range such as `a2-b2` stays
/// one piece.
pub fn split_pieces(small: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    for piece in small.split(|c: char| !c.is_alphanumeric() && c != '+' && c != '-') {
        let is_signed = piece.get(1..).is_some_and(|rest| rest.parse::<u8>().is_ok());
        let is_signed = is_signed && piece.starts_with(['+', '-']);
        if is_signed || piece == "-" || parse_square_range(piece).is_some() {
            pieces.push(piece);
        } else {
            pieces.extend(piece.starts_with('-').then_some("-"));
            pieces.extend(line_words::split_words(piece));
            pieces.extend(piece.ends_with('-').then_some("-"));
        }
    }
    pieces
}

/// Returns the two squares of a range such as `a2-b2`.
pub fn parse_square_range(piece: &str) -> Option<(&str, &str)> {
    let (from, to) = piece.split_once('-')?;
    (Square::parse(from).is_some() && Square::parse(to).is_some()).then_some((from, to))
}

/// Splits a normalized line into words without fillers. A range becomes two words.
pub fn split_words(small: &str) -> Vec<&str> {
    let apart = |piece| match parse_square_range(piece) {
        Some((from, to)) => vec![from, to],
        None if piece == "-" => Vec::new(),
        None => vec![piece],
    };
    split_pieces(small).into_iter().flat_map(apart).filter(|word| !is_filler(word)).collect()
}

pub fn is_filler(word: &str) -> bool {
    FILLERS.contains(&word)
}

/// Whether the word confirms that a cart may derail.
pub fn confirms_derailment(word: &str) -> bool {
    matches!(word, "derail" | "derails" | "derailing")
}

/// Parses a direction by its name or the beginning of it.
pub fn parse_direction(word: &str) -> Option<Direction> {
    unique_item_with_prefix(&Direction::ALL, Direction::name, word)
}

/// Parses a colour by its name or the beginning of it.
pub fn parse_colour(word: &str) -> Option<Colour> {
    unique_item_with_prefix(&Colour::ALL, Colour::name, word)
}

/// Parses a kind of jewel by its letter on the board, its name, or the beginning of its name, in
/// singular or plural.
pub fn parse_jewel(word: &str) -> Option<Jewel> {
    let word = match word {
        "rubies" => "ruby",
        "stone" | "stones" => "rock",
        word => word,
    };
    if let [letter] = word.as_bytes() {
        // A single letter means what it means on the drawn board: `e` is an emerald, `o` a rock.
        return Jewel::ALL.into_iter().find(|jewel| jewel.letter() == char::from(*letter));
    }
    unique_item_with_prefix(&Jewel::ALL, Jewel::name, word)
        .or_else(|| unique_item_with_prefix(&Jewel::ALL, Jewel::name, word.strip_suffix('s')?))
}

/// Parses openings: letters such as `ne`, the full name of one direction, `horizontal` or
/// `vertical`.
pub fn parse_openings(word: &str) -> Option<TileOpenings> {
    let named = Direction::ALL.into_iter().find(|way| way.name() == word);
    named.map(|way| TileOpenings::NONE.with(way)).or_else(|| match word {
        "horizontal" => TileOpenings::parse("ew"),
        "vertical" => TileOpenings::parse("ns"),
        word => TileOpenings::parse(word),
    })
}

/// Parses one of the seat's carts: the beginning of its colour, or its code on the drawn board
/// (`1w`, `1wv3`).
pub fn parse_cart(state: &State, seat: Seat, word: &str) -> Option<CartId> {
    let fits = |cart: &CartId| {
        is_prefix(word, refuse::cart_order_word(state, *cart)) || is_cart_code(state, *cart, word)
    };
    state.carts_of(seat).find(fits)
}

/// Whether the word is the code of another player's cart on the drawn board.
pub fn is_foreign_cart(state: &State, seat: Seat, word: &str) -> bool {
    state.all_carts().any(|cart| state.owner(cart) != seat && is_cart_code(state, cart, word))
}

/// Whether the word is the code of this cart on the drawn board, perhaps with the arrow `v` and the
/// speed behind it.
fn is_cart_code(state: &State, cart: CartId, word: &str) -> bool {
    let code = word
        .strip_suffix(|c: char| c.is_ascii_digit())
        .and_then(|drawn| drawn.strip_suffix('v'))
        .unwrap_or(word);
    let drawn: String = draw::cart_code(state, cart).into_iter().collect();
    drawn.to_lowercase() == code
}

/// Parses a square of this board.
///
/// # Errors
/// A refusal if the word names no square of this board.
pub fn parse_square(state: &State, word: &str) -> Result<Square, Refusal> {
    let on_board = |square: &Square| state.board.squares.contains(*square);
    Square::parse(word).filter(on_board).ok_or_else(|| {
        let reason = Message::new("or-no-square").with("word", word);
        Refusal::unreadable(reason.with("last", south_east_square_name(state)))
    })
}

/// Returns the name of the square in the south-east corner of the board.
pub fn south_east_square_name(state: &State) -> String {
    let corner =
        Square::new(state.board.columns.saturating_sub(1), state.board.rows.saturating_sub(1));
    corner.map_or_else(String::new, |square| square.to_string())
}
