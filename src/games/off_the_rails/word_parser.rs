//! The words of a line, and the small things that they name.

use super::colour::Colour;
use super::draw;
use super::grid::{Direction, Openings, Square};
use super::jewel::Jewel;
use super::order::{Card, CartId};
use super::refuse;
use super::state::State;
use crate::rules::line_words::{self, is_prefix, match_unique_prefix};
use crate::rules::{Message, Refusal, Seat};

/// Words that may stand in a line and say nothing.
pub const FILLERS: [&str; 20] = [
    "and", "the", "to", "at", "on", "in", "my", "cart", "carts", "then", "via", "from", "of",
    "with", "column", "row", "side", "track", "tile", "please",
];

/// What the signs of a number look like in letters.
const MINUS_SIGNS: [char; 4] = ['\u{2212}', '\u{2010}', '\u{2013}', '\u{2014}'];

/// The arrows of the board, between a cart and its speed.
const ARROWS: [char; 7] = ['^', '>', '<', '\u{2191}', '\u{2192}', '\u{2193}', '\u{2190}'];

/// The line in small letters, its signs at their numbers: `w - 1` and `w-1` are `w -1`. A cart as
/// the board draws it (`1w>3`) is the cart.
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

/// Whether this is the sign of a number that stands right behind a word.
fn is_attached_sign(c: char, last: char, rest: &std::iter::Peekable<std::str::Chars<'_>>) -> bool {
    let is_number = rest.clone().next().is_some_and(|c| c.is_ascii_digit());
    matches!(c, '+' | '-') && last.is_alphabetic() && is_number
}

/// The pieces of a line: cut at everything that is no letter, digit or sign of a number, but for
/// what joins two squares (`a2-b2`) or stands alone between them.
pub fn split_pieces(small: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    for piece in small.split(|c: char| !c.is_alphanumeric() && c != '+' && c != '-') {
        let is_signed = piece.get(1..).is_some_and(|rest| rest.parse::<u8>().is_ok());
        let is_signed = is_signed && piece.starts_with(['+', '-']);
        if is_signed || piece == "-" || split_range(piece).is_some() {
            pieces.push(piece);
        } else {
            pieces.extend(piece.starts_with('-').then_some("-"));
            pieces.extend(line_words::split_words(piece));
            pieces.extend(piece.ends_with('-').then_some("-"));
        }
    }
    pieces
}

/// The two squares of `a2-b2`.
pub fn split_range(piece: &str) -> Option<(&str, &str)> {
    let (from, to) = piece.split_once('-')?;
    (Square::parse(from).is_some() && Square::parse(to).is_some()).then_some((from, to))
}

/// The words of a line.
pub fn split_words(small: &str) -> Vec<&str> {
    let apart = |piece| match split_range(piece) {
        Some((from, to)) => vec![from, to],
        None if piece == "-" => Vec::new(),
        None => vec![piece],
    };
    split_pieces(small).into_iter().flat_map(apart).filter(|word| !is_filler(word)).collect()
}

/// Whether a word says nothing.
pub fn is_filler(word: &str) -> bool {
    FILLERS.contains(&word)
}

/// Whether a word says that a cart may derail.
pub fn means_derail(word: &str) -> bool {
    matches!(word, "derail" | "derails" | "derailing")
}

/// A direction by its name or letter.
pub fn parse_direction(word: &str) -> Option<Direction> {
    match_unique_prefix(&Direction::ALL, Direction::name, word)
}

/// A colour by a beginning of its name.
pub fn parse_colour(word: &str) -> Option<Colour> {
    match_unique_prefix(&Colour::ALL, Colour::name, word)
}

/// A kind of jewel by a beginning of its name, in singular or plural.
pub fn parse_jewel(word: &str) -> Option<Jewel> {
    let word = match word {
        "rubies" => "ruby",
        "stone" | "stones" => "rock",
        word => word,
    };
    if let [letter] = word.as_bytes() {
        // As the board draws it.
        return Jewel::ALL.into_iter().find(|jewel| jewel.letter() == char::from(*letter));
    }
    match_unique_prefix(&Jewel::ALL, Jewel::name, word)
        .or_else(|| match_unique_prefix(&Jewel::ALL, Jewel::name, word.strip_suffix('s')?))
}

/// Openings: letters such as `ne`, or the name of one direction.
pub fn parse_openings(word: &str) -> Option<Openings> {
    let named = Direction::ALL.into_iter().find(|way| way.name() == word);
    named.map(|way| Openings::NONE.with(way)).or_else(|| match word {
        "horizontal" => Openings::parse("ew"),
        "vertical" => Openings::parse("ns"),
        word => Openings::parse(word),
    })
}

/// One of the seat's carts, by a beginning of its colour or as the board draws it: `1w`, `1wv3`.
pub fn parse_cart(state: &State, seat: Seat, word: &str) -> Option<CartId> {
    let fits = |cart: &CartId| {
        is_prefix(word, refuse::cart_word(state, *cart)) || is_cart_code(state, *cart, word)
    };
    state.carts_of(seat).find(fits)
}

/// Whether a word is another player's cart as the board draws it.
pub fn is_foreign_cart(state: &State, seat: Seat, word: &str) -> bool {
    state.all_carts().any(|cart| state.owner(cart) != seat && is_cart_code(state, cart, word))
}

/// Whether the board draws a cart like this.
fn is_cart_code(state: &State, cart: CartId, word: &str) -> bool {
    let code = word
        .strip_suffix(|c: char| c.is_ascii_digit())
        .and_then(|drawn| drawn.strip_suffix('v'))
        .unwrap_or(word);
    let drawn: String = draw::cart_code(state, cart).into_iter().collect();
    drawn.to_lowercase() == code
}

/// The square that a word names.
///
/// # Errors
/// That it names none on this board.
pub fn parse_square(state: &State, word: &str) -> Result<Square, Refusal> {
    let on_board = |square: &Square| state.board.squares.contains(*square);
    Square::parse(word).filter(on_board).ok_or_else(|| {
        if let Some(at) = find_marked_square(state, word) {
            let reason = Message::new("or-mark").with("word", word).with("square", at.to_string());
            return Refusal::unreadable(reason);
        }
        let reason = Message::new("or-no-square").with("word", word);
        Refusal::unreadable(reason.with("last", last_square(state)))
    })
}

/// The last square of the board.
pub fn last_square(state: &State) -> String {
    let corner =
        Square::new(state.board.columns.saturating_sub(1), state.board.rows.saturating_sub(1));
    corner.map_or_else(String::new, |square| square.to_string())
}

/// The square of a mine that a word names as the board marks it: `r4` is number 4 of the red one.
/// Marks of other mines are squares of the board as well, so none can be sent.
fn find_marked_square(state: &State, word: &str) -> Option<Square> {
    let mut letters = word.chars();
    let (letter, number) = (letters.next()?, letters.as_str().parse::<u8>().ok()?);
    let colour = Colour::ALL.into_iter().find(|one| one.letter().to_ascii_lowercase() == letter)?;
    state.board.card_square(Card { colour, number })
}
