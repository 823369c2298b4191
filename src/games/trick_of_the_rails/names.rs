//! Matches names of companies, Cities and locomotives in a line. It accepts the names that letters
//! show and the spellings of ruling 17.

use super::company::Company;
use super::definition::Locomotive;
use super::state::State;
use crate::rules::line_words;

/// A name at the start of the words, and the words after it.
type MatchAndRest<'a, 'b, T> = Option<(T, &'a [&'b str])>;

/// Splits a name into words in the way in which lines are split.
pub fn name_words(name: &str) -> Vec<String> {
    let small = line_words::lowercase_without(name, &['.']);
    line_words::split_words(&small)
        .flat_map(line_words::split_letters_and_digits)
        .map(str::to_owned)
        .collect()
}

/// Returns the words after a name, or `None` if they do not begin with it.
fn strip_name<'a, 'b>(words: &'a [&'b str], name: &str) -> Option<&'a [&'b str]> {
    let name = name_words(name);
    let (begin, rest) = words.split_at_checked(name.len())?;
    (!name.is_empty() && begin.iter().zip(&name).all(|(word, name)| word == name)).then_some(rest)
}

/// Matches a company at the start of the words, by its ID, its name or its colour, in any case
/// (ruling 17). The letters of B&O and C&O may be joined by `&`, `+`, `and` or nothing. A prefix of
/// an ID or a colour is enough if it fits only one company.
pub fn match_company<'a, 'b>(state: &State, words: &'a [&'b str]) -> MatchAndRest<'a, 'b, Company> {
    let pair = |first: &str| match first {
        "b" => Some(Company::Bo),
        "c" => Some(Company::Co),
        _ => None,
    };
    let (first, rest) = words.split_first()?;
    if let Some(named) = Company::ALL.into_iter().find(|c| c.id().eq_ignore_ascii_case(first)) {
        return Some((named, rest));
    }
    let named = |company| Some((company, strip_name(words, state.edition.company_name(company))?));
    if let Some(named) = Company::ALL.into_iter().find_map(named) {
        return Some(named);
    }
    if let (Some(company), ["o", rest @ ..] | ["and", "o", rest @ ..]) = (pair(first), rest) {
        return Some((company, rest));
    }
    if *first == "gray" {
        return Some((Company::Nyc, rest));
    }
    let fits = |company: &Company| {
        company.id().to_lowercase().starts_with(first) || company.colour().starts_with(first)
    };
    let mut fitting = Company::ALL.into_iter().filter(fits);
    match (fitting.next(), fitting.next()) {
        (Some(company), None) => Some((company, rest)),
        _ => None,
    }
}

/// Whether the word is a part of the name of a company or a City.
pub fn is_name_part(state: &State, word: &str) -> bool {
    let companies = Company::ALL.into_iter().map(|company| state.edition.company_name(company));
    let cities = state.edition.cities.iter().map(|city| city.name.as_str());
    companies.chain(cities).any(|name| name_words(name).iter().any(|part| part == word))
}

/// Matches a City at the start of the words: `New York`, `New York (40)`, or `C40` as on the board.
pub fn match_city<'a, 'b>(state: &State, words: &'a [&'b str]) -> MatchAndRest<'a, 'b, u8> {
    let all = state.edition.cities.iter().zip(0_u8..);
    all.into_iter().find_map(|(city, place)| {
        let value = city.value.to_string();
        let rest = match words {
            ["c", worth, rest @ ..] if *worth == value => rest,
            _ => strip_name(words, &city.name)?,
        };
        let rest = match rest {
            [worth, rest @ ..] if *worth == value => rest,
            _ => rest,
        };
        Some((place, rest))
    })
}

/// Matches a locomotive at the start of the words. `[6]+inf` is read as `[6]`.
pub fn match_locomotive<'a, 'b>(words: &'a [&'b str]) -> MatchAndRest<'a, 'b, Locomotive> {
    let (first, rest) = words.split_first()?;
    let named = Locomotive::ALL.into_iter().find(|locomotive| locomotive.name() == *first);
    let named = match *first {
        "infinite" | "infinity" => Some(Locomotive::Infinite),
        _ => named,
    }?;
    let rest = match (named, rest) {
        (Locomotive::Six, ["inf", rest @ ..]) => rest,
        _ => rest,
    };
    Some((named, rest))
}
