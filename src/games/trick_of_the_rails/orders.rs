//! Orders as lines of a letter: `play PRR 7`, `city NYC right`, `locomotive C&O`, `end left`.

use super::card::{Card, NUMBER_MAX};
use super::company::Company;
use super::railway::End;
use super::refuse;
use super::state::{Order, State, Step};
use super::{Plan, TrickOfTheRails};
use crate::rules::{Arg, Form, Grammar, Message, OrderText, Reading, Refusal, Seat, words};

/// Words that may stand in a line and say nothing.
const FILLERS: [&str; 13] =
    ["a", "at", "card", "it", "its", "my", "of", "on", "railway", "side", "the", "to", "with"];

/// A refusal of a word, with the way to write what was meant.
fn unreadable(state: &State, key: &'static str, word: &str, verb: &str) -> Refusal {
    TrickOfTheRails::GRAMMAR.unreadable(state, Message::new(key).with("word", word), verb)
}

impl OrderText for TrickOfTheRails {
    type Plan = Plan;

    const FILLERS: &'static [&'static str] = &FILLERS;
    const GRAMMAR: Grammar<State> = Grammar {
        verbs: &["play", "city", "locomotive"],
        least: 2,
        whole: &[("lead", "play"), ("end", "end")],
        forms: &[
            Form::always("now", "play PRR 7", "tr-form-play"),
            Form::always("now", "end left", "tr-form-end"),
            Form::always("now", "city NYC right", "tr-form-city"),
            Form::always("now", "locomotive NYC", "tr-form-locomotive"),
        ],
    };

    fn names(state: &State) -> Vec<String> {
        let of = |company: Company| [state.edition.name(company), company.id(), company.colour()];
        let all = Company::ALL.into_iter().flat_map(of).chain(["gray"]);
        all.map(str::to_owned).collect()
    }

    /// Reads one line as one order.
    fn parse(state: &State, seat: Seat, line: &str) -> Result<Reading<Order>, Refusal> {
        read(state, seat, line).map_err(|refusal| match state.step(seat) {
            Some(Step::Play) => {
                let hand = refuse::cards(&state.edition, state.hand(seat));
                refusal.or(Message::new("tr-hand").with("cards", hand))
            }
            _ => refusal,
        })
    }

    fn write(_: &State, orders: &[Order]) -> String {
        match orders.first() {
            Some(Order::Play(card)) => format!("play {} {}", card.company().id(), card.number()),
            Some(Order::City { company, end }) => format!("city {} {}", company.id(), end.name()),
            Some(Order::Locomotive { company }) => format!("locomotive {}", company.id()),
            Some(Order::End(end)) => format!("end {}", end.name()),
            None => String::new(),
        }
    }

    fn is_whole_line(_: &State, _: &[Order]) -> bool {
        true
    }
}

fn read(state: &State, seat: Seat, line: &str) -> Result<Reading<Order>, Refusal> {
    let line = small(line);
    let words = words(&line);
    let verb = words.first().and_then(|word| TrickOfTheRails::GRAMMAR.verb(word));
    let rest = words.get(1..).unwrap_or_default();
    let order = match verb {
        Some("play") => card(state, rest)?,
        Some("city") => city(state, rest)?,
        Some("locomotive") => locomotive(state, seat, rest)?,
        Some(_) => alone(state, end(state, rest)?, "end")?,
        // A card or an end says by itself what it is for.
        None if matches!(end(state, &words), Ok((_, []))) => {
            alone(state, end(state, &words)?, "end")?
        }
        None if company(&words).is_some() => card(state, &words)?,
        None => {
            return Err(TrickOfTheRails::GRAMMAR.foreign(state, Message::new("tr-unreadable")));
        }
    };
    Ok(Reading::plain(vec![order]))
}

/// Reads one line as an order whose time has not come.
///
/// # Errors
/// What would have been read instead.
pub fn read_ahead(state: &State, seat: Seat, line: &str) -> Result<Order, Refusal> {
    let reading = TrickOfTheRails::parse(state, seat, line)?;
    let order = reading.orders.into_iter().next();
    order.ok_or_else(|| unreadable(state, "tr-unreadable", "", ""))
}

/// A company and what stands behind it, as in `ERIE play ERIE 9, ERIE 3` or `ERIE: 9 ERIE`.
///
/// # Errors
/// When no company stands at the beginning.
pub fn company_and_rest(state: &State, line: &str) -> Result<(Company, String), Refusal> {
    let line = small(line);
    let parted = [" play ", ":", ","].into_iter().find_map(|mark| line.split_once(mark));
    if let Some((named, rest)) = parted
        && let (company, []) = the_company(state, &words(named))?
    {
        return Ok((company, rest.trim().to_owned()));
    }
    let all = words(&line);
    let (company, rest) = the_company(state, &all)?;
    Ok((company, rest.join(" ")))
}

/// The line in small letters. Full stops cut nothing: P.R.R. is one word.
fn small(line: &str) -> String {
    words::small(line, &['.'])
}

/// The words of a line: cut at everything that is no letter and no digit, and between letters and
/// digits.
fn words(small: &str) -> Vec<&str> {
    words::telling(words::plain(small).flat_map(words::letters_and_digits), &FILLERS)
}

/// The company that the words begin with, and the words behind it. Any case, with `&`, `+`, `and`
/// or nothing between the letters, or the colour (ruling 17); of names and colours any beginning
/// will do that fits one company only.
fn company<'a, 'b>(words: &'a [&'b str]) -> Option<(Company, &'a [&'b str])> {
    let pair = |first: &str| match first {
        "b" => Some(Company::Bo),
        "c" => Some(Company::Co),
        _ => None,
    };
    let (first, rest) = words.split_first()?;
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

/// The company that the words must begin with.
fn the_company<'a, 'b>(
    state: &State,
    words: &'a [&'b str],
) -> Result<(Company, &'a [&'b str]), Refusal> {
    company(words).ok_or_else(|| {
        let word = words.first().copied().unwrap_or_default();
        let key = if word.is_empty() { "tr-company-missing" } else { "tr-no-company" };
        let named = Company::ALL.into_iter().map(|company| {
            Arg::from(format!("{} ({})", state.edition.name(company), company.colour()))
        });
        Refusal::unreadable(Message::new(key).with("word", word))
            .or(Message::new("tr-companies").with("companies", Arg::List(named.collect())))
    })
}

/// `PRR 7`, or `7 PRR`.
fn card(state: &State, words: &[&str]) -> Result<Order, Refusal> {
    let is_number = |word: &&str| word.starts_with(char::is_numeric);
    let (before, words) = match words.split_first() {
        Some((first, rest)) if is_number(first) => (Some(*first), rest),
        _ => (None, words),
    };
    let (company, rest) = the_company(state, words)?;
    let (number, rest) = match (before, rest.split_first()) {
        (Some(number), _) => (number, rest),
        (None, Some((number, rest))) => (*number, rest),
        (None, None) => ("", rest),
    };
    let card = number.parse().ok().and_then(|number| Card::new(company, number));
    let Some(card) = card else {
        let key = if number.is_empty() { "tr-number-missing" } else { "tr-no-number" };
        let reason = Message::new(key).with("word", number).with("most", NUMBER_MAX);
        let reason = reason.with("company", state.edition.name(company));
        return Err(TrickOfTheRails::GRAMMAR.unreadable(state, reason, "play"));
    };
    alone(state, (Order::Play(card), rest), "play")
}

/// `NYC right`.
fn city(state: &State, words: &[&str]) -> Result<Order, Refusal> {
    let (company, rest) = the_company(state, words)?;
    match end(state, rest) {
        Ok((Order::End(end), rest)) => alone(state, (Order::City { company, end }, rest), "city"),
        _ => {
            let word = rest.first().copied().unwrap_or_default();
            Err(unreadable(state, "tr-no-end", word, "city"))
        }
    }
}

/// `NYC`, or `3 on NYC` when [3] is the locomotive that is to be placed.
fn locomotive(state: &State, seat: Seat, words: &[&str]) -> Result<Order, Refusal> {
    let named = words.first().filter(|word| company(&[word]).is_none());
    let words = match (state.step(seat), named) {
        (Some(Step::Locomotive(due)), Some(named)) if due.name() == *named => {
            words.get(1..).unwrap_or_default()
        }
        _ => words,
    };
    let (company, rest) = the_company(state, words)?;
    alone(state, (Order::Locomotive { company }, rest), "locomotive")
}

/// `left` or `right`, or the letter it begins with.
fn end<'a, 'b>(state: &State, words: &'a [&'b str]) -> Result<(Order, &'a [&'b str]), Refusal> {
    let (first, rest) = words.split_first().unwrap_or((&"", words));
    match words::one_of(&End::ALL, End::name, first) {
        // `left end` says no more than `left`.
        Some(end) => Ok((Order::End(end), rest.strip_prefix(&["end"]).unwrap_or(rest))),
        None => Err(unreadable(state, "tr-no-end", first, "end")),
    }
}

/// The order, when nothing stands behind it.
fn alone(state: &State, (order, rest): (Order, &[&str]), verb: &str) -> Result<Order, Refusal> {
    match rest.first() {
        None => Ok(order),
        Some(word) => Err(unreadable(state, "tr-too-long", word, verb)),
    }
}
