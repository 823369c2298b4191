//! The places that a line names, as letters and the board write them: `G23`, `Troyes`, `Ty`, `Ty1`,
//! `G25 Troyes (1)`, `TyR` where red stands there, `(R)` for red's start, `[*]` for the tower.

use super::board::Board;
use super::hex::Hex;
use super::state::State;
use super::words::{self, Link, Word};

/// The most words of one line that may be a code or say nothing, before they are taken for codes.
const DOUBTS_MAX: usize = 4;

/// A place, and how it is joined to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub hex: Hex,
    pub link: Link,
}

/// Every way of reading these words as places: there are several where a word is the code of a city
/// and may as well say nothing.
///
/// # Errors
/// The first word that is no place.
pub fn read<'a>(state: &State, words: &[Word<'a>]) -> Result<Vec<Vec<Place>>, &'a str> {
    let mut ways = Vec::new();
    let begun = Way { places: Vec::new(), link: Link::Next, doubts: 0 };
    follow(state, words, begun, &mut ways)?;
    Ok(ways)
}

/// A way of reading a line, as far as it has come.
#[derive(Clone)]
struct Way {
    places: Vec<Place>,
    /// What stands before the next place.
    link: Link,
    doubts: usize,
}

impl Way {
    fn come_to(&mut self, hex: Hex, link: Link) {
        let link = if self.places.is_empty() { Link::Next } else { self.link.max(link) };
        self.places.push(Place { hex, link });
        self.link = Link::Next;
    }
}

fn follow<'a>(
    state: &State,
    mut words: &[Word<'a>],
    mut way: Way,
    ways: &mut Vec<Vec<Place>>,
) -> Result<(), &'a str> {
    while let Some((word, behind)) = words.split_first() {
        let named = named(state, words);
        let says = words::link(word.text);
        let (hex, length) = match (named, says) {
            (Some((_, 1)), Some(Link::Or)) if is_open(state, words) && !way.places.is_empty() => {
                (way.link, words) = (Link::Or, behind);
                continue;
            }
            (Some(place @ (_, 1)), Some(says))
                if says != Link::Or && is_open(state, words) && way.doubts < DOUBTS_MAX =>
            {
                way.doubts += 1;
                let mut as_word = way.clone();
                as_word.link = as_word.link.max(word.link).max(says);
                follow(state, behind, as_word, ways)?;
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
        way.come_to(hex, word.link);
        words = words.get(length..).unwrap_or_default();
    }
    ways.push(way.places);
    Ok(())
}

/// Whether a place follows right behind the first word, so that this word may say nothing.
fn is_open(state: &State, words: &[Word<'_>]) -> bool {
    let behind = words.get(1..).unwrap_or_default();
    let follows = behind.first().is_some_and(|next| next.link == Link::Next);
    follows && designation(state, behind).is_some()
}

/// The place that the words begin with, and how many of them say it: its hex may be told with its
/// name, and its value in brackets.
pub fn named(state: &State, words: &[Word<'_>]) -> Option<(Hex, usize)> {
    let (hex, mut length) = designation(state, words)?;
    let is_hex = |word: &Word<'_>| Hex::parse(word.text).is_some();
    while let Some(rest) = words.get(length..)
        && let Some(next) = rest.first().filter(|next| next.link == Link::Next)
    {
        let may_be_a_word = words::link(next.text).is_some() && is_open(state, rest);
        let again = designation(state, rest).filter(|_| !is_hex(next) && !may_be_a_word);
        let city = state.board.city(hex);
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
fn designation(state: &State, words: &[Word<'_>]) -> Option<(Hex, usize)> {
    let board = &*state.board;
    if let Some(place) = by_name(board, words) {
        return Some(place);
    }
    let word = words.first()?;
    let number = words.get(1).filter(|next| matches!(next.link, Link::Next | Link::Dash));
    if let Some(number) = number.filter(|_| word.text.len() == 1)
        && let Some(hex) = Hex::parse(&format!("{}{}", word.text, number.text))
    {
        return Some((hex, 2));
    }
    let hex = match word.text {
        "*" | "\u{2020}" => Some(board.map.paris),
        text if word.in_brackets && text.len() == 1 => start_of(state, text),
        text => by_code(state, text).or_else(|| Hex::parse(text)),
    };
    Some((hex?, 1))
}

/// A city, a station or the tower by name, and of how many words it is.
pub fn by_name(board: &Board, said: &[Word<'_>]) -> Option<(Hex, usize)> {
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
        let name = words::small(name);
        let name = words::read(&name);
        let same =
            |(said, name): (&Word<'_>, &Word<'_>)| written_out(said.text) == written_out(name.text);
        let fits = name.len() <= said.len() && said.iter().zip(&name).all(same);
        fits.then_some((hex, name.len()))
    });
    named.max_by_key(|&(_, length)| length)
}

fn written_out(word: &str) -> &str {
    match word {
        "st" => "saint",
        "ste" => "sainte",
        word => word,
    }
}

/// A city by its code, also with its value or with the letter of who stands there.
fn by_code(state: &State, word: &str) -> Option<Hex> {
    let board = &state.board;
    let (code, mark) = word.split_at_checked(2)?;
    let city = board.map.cities.iter().find(|city| city.code.eq_ignore_ascii_case(code))?;
    let stands =
        |colour| board.id(city.hex).is_some_and(|id| state.locomotives[colour].contains(id));
    let is_true =
        mark.is_empty() || mark == city.value.to_string() || board.colour(mark).is_some_and(stands);
    is_true.then_some(city.hex)
}

/// The start hex on which the colour with this letter stands.
fn start_of(state: &State, letter: &str) -> Option<Hex> {
    let board = &state.board;
    let starts = state.locomotives[board.colour(letter)?].and(board.start_hexes);
    starts.iter().next().map(|id| board.name(id))
}
