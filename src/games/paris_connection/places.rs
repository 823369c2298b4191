//! The places that a line names, as letters and the board write them: `G23`, `Troyes`, `Ty`, `Ty1`,
//! `G25 Troyes (1)`, `TyR` where red stands there, `(R)` for red's start, `[*]` for the tower.

use super::board::Board;
use super::hex::Hex;
use super::order_words::{self, Word, WordLink};
use super::state::State;

/// The most words of one line that may be a code or say nothing, before they are taken for codes.
const AMBIGUOUS_WORDS_MAX: usize = 4;

/// A place, and how it is joined to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub hex: Hex,
    pub link: WordLink,
}

/// Every way of reading these words as places: there are several where a word is the code of a city
/// and may as well say nothing.
///
/// # Errors
/// The first word that is no place.
pub fn read_places<'a>(state: &State, words: &[Word<'a>]) -> Result<Vec<Vec<Place>>, &'a str> {
    let mut ways = Vec::new();
    let begun = PartialReading { places: Vec::new(), link: WordLink::Next, ambiguous_words: 0 };
    collect_readings(state, words, begun, &mut ways)?;
    Ok(ways)
}

/// A way of reading a line, as far as it has come.
#[derive(Clone)]
struct PartialReading {
    places: Vec<Place>,
    /// What stands before the next place.
    link: WordLink,
    ambiguous_words: usize,
}

impl PartialReading {
    fn push_place(&mut self, hex: Hex, link: WordLink) {
        let link = if self.places.is_empty() { WordLink::Next } else { self.link.max(link) };
        self.places.push(Place { hex, link });
        self.link = WordLink::Next;
    }
}

fn collect_readings<'a>(
    state: &State,
    mut words: &[Word<'a>],
    mut way: PartialReading,
    ways: &mut Vec<Vec<Place>>,
) -> Result<(), &'a str> {
    while let Some((word, behind)) = words.split_first() {
        let named = place_at_start(state, words);
        let says = order_words::link_meaning(word.text);
        let (hex, length) = match (named, says) {
            (Some((_, 1)), Some(WordLink::Or))
                if is_before_place(state, words) && !way.places.is_empty() =>
            {
                (way.link, words) = (WordLink::Or, behind);
                continue;
            }
            (Some(place @ (_, 1)), Some(says))
                if says != WordLink::Or
                    && is_before_place(state, words)
                    && way.ambiguous_words < AMBIGUOUS_WORDS_MAX =>
            {
                way.ambiguous_words += 1;
                let mut as_word = way.clone();
                as_word.link = as_word.link.max(word.link).max(says);
                collect_readings(state, behind, as_word, ways)?;
                place
            }
            (Some(place), _) => place,
            (None, Some(says)) => {
                way.link = way.link.max(word.link).max(says);
                words = behind;
                continue;
            }
            (None, None) => return Err(word.text),
        };
        way.push_place(hex, word.link);
        words = words.get(length..).unwrap_or_default();
    }
    ways.push(way.places);
    Ok(())
}

/// Whether a place follows right behind the first word, so that this word may say nothing.
fn is_before_place(state: &State, words: &[Word<'_>]) -> bool {
    let behind = words.get(1..).unwrap_or_default();
    let follows = behind.first().is_some_and(|next| next.link == WordLink::Next);
    follows && match_designation(state, behind).is_some()
}

/// The place that the words begin with, and how many of them say it: its hex may be told with its
/// name, and its value in brackets.
pub fn place_at_start(state: &State, words: &[Word<'_>]) -> Option<(Hex, usize)> {
    let (hex, mut length) = match_designation(state, words)?;
    let is_hex = |word: &Word<'_>| Hex::parse(word.text).is_some();
    while let Some(rest) = words.get(length..)
        && let Some(next) = rest.first().filter(|next| next.link == WordLink::Next)
    {
        let may_be_a_word =
            order_words::link_meaning(next.text).is_some() && is_before_place(state, rest);
        let again = match_designation(state, rest).filter(|_| !is_hex(next) && !may_be_a_word);
        let city = state.board.city_on(hex);
        let is_value = next.in_brackets
            && city
                .is_some_and(|city| next.text.parse().is_ok_and(|value: u8| value == city.value));
        length += match again {
            Some((same, more)) if same == hex => more,
            _ if is_value => 1,
            _ => break,
        };
    }
    Some((hex, length))
}

/// The one thing that the words begin with and that stands for a place; the longest name wins, so
/// that no code is read out of a name.
fn match_designation(state: &State, words: &[Word<'_>]) -> Option<(Hex, usize)> {
    let board = &*state.board;
    if let Some(place) = match_name(board, words) {
        return Some(place);
    }
    let word = words.first()?;
    let number = words.get(1).filter(|next| matches!(next.link, WordLink::Next | WordLink::Dash));
    if let Some(number) = number.filter(|_| word.text.len() == 1)
        && let Some(hex) = Hex::parse(&format!("{}{}", word.text, number.text))
    {
        return Some((hex, 2));
    }
    let hex = match word.text {
        "*" | "\u{2020}" => Some(board.map.paris),
        text if word.in_brackets && text.len() == 1 => start_of_colour(state, text),
        text => match_code(state, text).or_else(|| Hex::parse(text)),
    };
    Some((hex?, 1))
}

/// A city, a station or the tower by name, and of how many words it is.
pub fn match_name(board: &Board, said: &[Word<'_>]) -> Option<(Hex, usize)> {
    let cities = board.map.cities.iter().map(|city| (city.hex, city.name.as_str()));
    let stations = board.map.starts.iter().map(|start| (start.hex, start.station.as_str()));
    let tower = ["Paris", "Eiffel", "Eiffel tower"].map(|name| (board.map.paris, name));
    let first = said.first()?.text.chars().next()?;
    // Most names are passed over by their first letter.
    let begins = |name: &str| {
        let begin = name.chars().next();
        begin.is_some_and(|c| !c.is_ascii() || c.to_ascii_lowercase() == first)
    };
    let all = tower.into_iter().chain(stations).chain(cities);
    let named = all.filter(|(_, name)| begins(name)).filter_map(|(hex, name)| {
        let name = order_words::small(name);
        let name = order_words::split_words(&name);
        let same = |(said, name): (&Word<'_>, &Word<'_>)| {
            expand_abbreviation(said.text) == expand_abbreviation(name.text)
        };
        let fits = name.len() <= said.len() && said.iter().zip(&name).all(same);
        fits.then_some((hex, name.len()))
    });
    named.max_by_key(|&(_, length)| length)
}

fn expand_abbreviation(word: &str) -> &str {
    match word {
        "st" => "saint",
        "ste" => "sainte",
        word => word,
    }
}

/// A city by its code, also with its value or with the letter of who stands there.
fn match_code(state: &State, word: &str) -> Option<Hex> {
    let board = &state.board;
    let (code, mark) = word.split_at_checked(2)?;
    let city = board.map.cities.iter().find(|city| city.code.eq_ignore_ascii_case(code))?;
    let stands =
        |colour| board.hex_id(city.hex).is_some_and(|id| state.locomotives[colour].contains(id));
    let is_true = mark.is_empty()
        || mark == city.value.to_string()
        || board.colour_by_letter(mark).is_some_and(stands);
    is_true.then_some(city.hex)
}

/// The start hex on which the colour with this letter stands.
fn start_of_colour(state: &State, letter: &str) -> Option<Hex> {
    let board = &state.board;
    let starts = state.locomotives[board.colour_by_letter(letter)?].and(board.start_hexes);
    starts.iter().next().map(|id| board.hex_name(id))
}
