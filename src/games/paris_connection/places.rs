//! Parses the places in a line, in every form in which letters and the board show them. Examples
//! are `G23`, `Troyes`, `Ty`, `Ty1`, `G25 Troyes (1)`, `TyR` if red is there, `(R)` for red's
//! start, and `[*]` for the Eiffel tower.

use super::board::Board;
use super::hex::Hex;
use super::order_words::{self, Word, WordLink};
use super::state::State;

/// The maximum number of ambiguous words in a line, which are both a city's code and a filler.
/// Further ones are read as codes, because each ambiguous word doubles the number of readings.
const AMBIGUOUS_WORDS_MAX: usize = 4;

/// A place in a line, and its link to the place before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub hex: Hex,
    pub link: WordLink,
}

/// Returns every reading of these words as places. There are several if a word is both a city's
/// code and a filler.
///
/// # Errors
/// The first word that is not a place.
pub fn read_places<'a>(state: &State, words: &[Word<'a>]) -> Result<Vec<Vec<Place>>, &'a str> {
    let mut ways = Vec::new();
    let begun = PartialReading { places: Vec::new(), link: WordLink::Next, ambiguous_words: 0 };
    collect_readings(state, words, begun, &mut ways)?;
    Ok(ways)
}

/// One reading of a line's words as places, as far as the words have been read.
#[derive(Clone)]
struct PartialReading {
    places: Vec<Place>,
    /// The link between the last place and the next one, as far as the words have been read.
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

/// Whether a place follows directly after the first word, so that the first word may be a filler.
fn is_before_place(state: &State, words: &[Word<'_>]) -> bool {
    let behind = words.get(1..).unwrap_or_default();
    let follows = behind.first().is_some_and(|next| next.link == WordLink::Next);
    follows && match_name_or_code(state, behind).is_some()
}

/// Returns the place at the start of the words, and its number of words. A hex may be followed by
/// its city's name, and by the city's value in brackets.
pub fn place_at_start(state: &State, words: &[Word<'_>]) -> Option<(Hex, usize)> {
    let (hex, mut length) = match_name_or_code(state, words)?;
    let is_hex = |word: &Word<'_>| Hex::parse(word.text).is_some();
    while let Some(rest) = words.get(length..)
        && let Some(next) = rest.first().filter(|next| next.link == WordLink::Next)
    {
        let may_be_a_word =
            order_words::link_meaning(next.text).is_some() && is_before_place(state, rest);
        let again = match_name_or_code(state, rest).filter(|_| !is_hex(next) && !may_be_a_word);
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

/// Matches one designation of a place at the start of the words. Returns its hex and its number of
/// words. Names are matched before codes, and the longest name wins, so that no code is found
/// inside a name.
fn match_name_or_code(state: &State, words: &[Word<'_>]) -> Option<(Hex, usize)> {
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
        text if word.in_brackets && text.len() == 1 => start_hex_by_letter(state, text),
        text => match_code(state, text).or_else(|| Hex::parse(text)),
    };
    Some((hex?, 1))
}

/// Matches the name of a city, a station or the tower at the start of the words, and returns its
/// number of words.
pub fn match_name(board: &Board, said: &[Word<'_>]) -> Option<(Hex, usize)> {
    let cities = board.map.cities.iter().map(|city| (city.hex, city.name.as_str()));
    let stations = board.map.starts.iter().map(|start| (start.hex, start.station.as_str()));
    let tower = ["Paris", "Eiffel", "Eiffel tower"].map(|name| (board.map.paris, name));
    let first = said.first()?.text.chars().next()?;
    // Comparing first letters skips most names fast.
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

/// Matches a city's code, optionally followed by its value or by the letter of a company that is
/// there.
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

fn start_hex_by_letter(state: &State, letter: &str) -> Option<Hex> {
    let board = &state.board;
    let starts = state.locomotives[board.colour_by_letter(letter)?].and(board.start_hexes);
    starts.iter().next().map(|id| board.hex_name(id))
}
