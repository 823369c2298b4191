//! Parses and writes orders as lines of a letter: `play PRR 7`, `city NYC right`, `locomotive C&O`,
//! `end left`.

use super::card::{Card, NUMBER_MAX};
use super::company::Company;
use super::definition::Locomotive;
use super::railway::End;
use super::state::{LaneCard, Order, State, Step};
use super::{Plan, TrickOfTheRails, examples, names, narrate, refuse};
use crate::rules::{Grammar, LineForm, Message, OrderText, ParsedLine, Refusal, Seat, line_words};

/// Words that carry no meaning in an order, so the parser ignores them.
const FILLERS: [&str; 13] =
    ["a", "at", "card", "it", "its", "my", "of", "on", "railway", "side", "the", "to", "with"];

/// Words that a polite writer may put before or after an order.
const POLITE_WORDS: [&str; 8] = ["and", "now", "ok", "okay", "please", "so", "thanks", "then"];

/// Words that may lead up to an order in a sentence such as "I'd like to play PRR 7".
const FIRST_PERSON_WORDS: [&str; 10] =
    ["d", "going", "i", "like", "ll", "m", "shall", "want", "will", "would"];

impl OrderText for TrickOfTheRails {
    type Plan = Plan;

    const FILLERS: &'static [&'static str] = &FILLERS;
    const GRAMMAR: Grammar<State> = Grammar {
        verbs: &["play", "city", "locomotive"],
        min_letters: 2,
        synonyms: &[
            ("play", &["lead", "follow"]),
            ("end", &["end"]),
            ("put", &["put", "place", "add", "lay", "give"]),
        ],
        forms: &[
            LineForm::with_dynamic_example("now", "tr-form-play", examples::play_line),
            LineForm::with_dynamic_example("now", "tr-form-end", examples::end_line),
            LineForm::with_dynamic_example("now", "tr-form-city", examples::city_line),
            LineForm::with_dynamic_example("now", "tr-form-locomotive", examples::locomotive_line),
        ],
    };

    fn names_in_orders(state: &State) -> Vec<String> {
        let of = |company: Company| {
            [state.edition.company_name(company), company.id(), company.colour()]
        };
        let all = Company::ALL.into_iter().flat_map(of).chain(["gray"]);
        all.map(str::to_owned).collect()
    }

    /// Parses one line as one order. If the line cannot be read, the refusal lists what the seat
    /// may do now.
    fn parse_line(state: &State, seat: Seat, line: &str) -> Result<ParsedLine<Order>, Refusal> {
        let writer = LineReader { state, seat };
        writer.read_line(line).map_err(|refusal| match state.step_of(seat) {
            Some(Step::Play) => refusal.with_alternative(refuse::describe_hand(state, seat)),
            _ => narrate::describe_choices(state, seat)
                .into_iter()
                .fold(refusal, Refusal::with_alternative),
        })
    }

    fn write_line(_: &State, orders: &[Order]) -> String {
        match orders.first() {
            Some(Order::Play(card)) => format!("play {}", examples::card_text(*card)),
            Some(Order::City { company, end }) => format!("city {} {}", company.id(), end.name()),
            Some(Order::Locomotive { company }) => format!("locomotive {}", company.id()),
            Some(Order::End(end)) => format!("end {}", end.name()),
            None => String::new(),
        }
    }
}

/// Parses one line as an order for a later step.
///
/// # Errors
/// The refusal that `parse_line` returns for the line.
pub fn read_future_order(state: &State, seat: Seat, line: &str) -> Result<Order, Refusal> {
    let reading = TrickOfTheRails::parse_line(state, seat, line)?;
    let order = reading.orders.into_iter().next();
    order.ok_or_else(|| LineReader { state, seat }.refuse_unreadable("tr-unreadable", "", ""))
}

/// Splits a line into the company at its start and the rest, as in `ERIE play ERIE 9, ERIE 3` or
/// `ERIE: 9 ERIE`.
///
/// # Errors
/// If the line does not begin with a company.
pub fn split_company(state: &State, line: &str) -> Result<(Company, String), Refusal> {
    let line = lowercase(line);
    let parted = [" play ", ":", ","].into_iter().find_map(|mark| line.split_once(mark));
    if let Some((named, rest)) = parted
        && let (company, []) = require_company(state, &split_words(state, named))?
    {
        return Ok((company, rest.trim().to_owned()));
    }
    let all = split_words(state, &line);
    let (company, rest) = require_company(state, &all)?;
    Ok((company, rest.join(" ")))
}

/// Parses a text that consists of one company.
///
/// # Errors
/// If the text is not a company, or has more words.
pub fn read_company(state: &State, text: &str) -> Result<Company, Refusal> {
    let line = lowercase(text);
    let all = split_words(state, &line);
    match require_company(state, &all)? {
        (company, []) => Ok(company),
        (_, [word, ..]) => {
            Err(Refusal::unreadable(Message::new("tr-too-long").with("word", *word)))
        }
    }
}

/// Returns the City or locomotive that a line names, in addition to the place where it goes.
pub fn find_named_prize(state: &State, line: &str) -> Option<LaneCard> {
    let line = lowercase(line);
    let all = split_words(state, &line);
    let rest = all.get(1..).unwrap_or_default();
    if let Some((locomotive, _)) =
        names::match_locomotive(&all).or_else(|| names::match_locomotive(rest))
    {
        return Some(LaneCard::Locomotive(locomotive));
    }
    let city = names::match_city(state, &all).or_else(|| names::match_city(state, rest));
    city.map(|(city, _)| LaneCard::City(city))
}

/// Converts a line to lowercase and removes full stops, so that P.R.R. is one word.
fn lowercase(line: &str) -> String {
    line_words::lowercase_without(line, &['.'])
}

/// Splits a line into words: at every character that is not a letter or digit, and between letters
/// and digits. Fillers are dropped unless they are a part of a name.
fn split_words<'a>(state: &State, small: &'a str) -> Vec<&'a str> {
    let cut = line_words::split_words(small).flat_map(line_words::split_letters_and_digits);
    cut.filter(|word| !FILLERS.contains(word) || names::is_name_part(state, word)).collect()
}

/// Matches the company at the start of the words, and refuses the line if there is none.
fn require_company<'a, 'b>(
    state: &State,
    words: &'a [&'b str],
) -> Result<(Company, &'a [&'b str]), Refusal> {
    names::match_company(state, words).ok_or_else(|| {
        let word = words.first().copied().unwrap_or_default();
        let key = if word.is_empty() { "tr-company-missing" } else { "tr-no-company" };
        let all = Company::ALL.map(|company| narrate::describe_company(&state.edition, company));
        Refusal::unreadable(Message::new(key).with("word", word))
            .with_alternative(Message::new("tr-companies").with_list("companies", all))
    })
}

/// A parsed order, and the remaining words of the line.
type OrderAndRest<'a, 'b> = (Order, &'a [&'b str]);

/// The parser of lines, with the seat that wrote them and the position.
#[derive(Clone, Copy)]
struct LineReader<'s> {
    state: &'s State,
    seat: Seat,
}

impl LineReader<'_> {
    /// Refuses a word, and offers the forms that begin with `verb`.
    fn refuse_unreadable(self, key: &'static str, word: &str, verb: &str) -> Refusal {
        let reason = Message::new(key).with("word", word);
        TrickOfTheRails::GRAMMAR.refuse_unreadable((self.state, Some(self.seat)), reason, verb)
    }

    fn refuse_unknown_start(self) -> Refusal {
        let reason = Message::new("tr-unreadable");
        TrickOfTheRails::GRAMMAR.refuse_unknown_start((self.state, Some(self.seat)), reason)
    }

    fn read_line(self, line: &str) -> Result<ParsedLine<Order>, Refusal> {
        let line = lowercase(line);
        let all = split_words(self.state, &line);
        let all = strip_polite_words(&all);
        if all.first() == Some(&"i") {
            // A sentence that begins with "I" is an order only if all of it can be read.
            let said = all.iter().take_while(|word| FIRST_PERSON_WORDS.contains(word)).count();
            let order = all.get(said..).unwrap_or_default();
            let begins = order.first().and_then(|word| TrickOfTheRails::GRAMMAR.expand_verb(word));
            let read = begins
                .ok_or_else(|| self.refuse_unknown_start())
                .and_then(|_| self.read_order(order, &line));
            return read
                .map(|order| ParsedLine::without_remarks(vec![order]))
                .map_err(|_| self.refuse_unknown_start());
        }
        self.read_order(all, &line).map(|order| ParsedLine::without_remarks(vec![order]))
    }

    fn read_order(self, words: &[&str], line: &str) -> Result<Order, Refusal> {
        let verb = words.first().and_then(|word| TrickOfTheRails::GRAMMAR.expand_verb(word));
        let rest = words.get(1..).unwrap_or_default();
        let is_order = verb.is_some() || names::match_company(self.state, words).is_some();
        if is_order && let Some(number) = find_negative_number(line) {
            let begins = verb.filter(|verb| *verb != "put").unwrap_or_default();
            return Err(self.refuse_unreadable("tr-negative", number, begins));
        }
        let mut marked = line.contains([':', '(']);
        let (mut verb, mut words, mut rest) = (verb, words, rest);
        if verb == Some("put") {
            // Examples: `put it left`, `place [3] on NYC`, `add New York to PRR right`.
            let begins = rest.first().and_then(|word| TrickOfTheRails::GRAMMAR.expand_verb(word));
            verb = begins.filter(|verb| matches!(*verb, "city" | "locomotive" | "end"));
            (words, rest, marked) = (rest, rest.get(1..).unwrap_or_default(), false);
        }
        let (read, verb) = match verb {
            Some("play") => (self.read_card(rest, marked), "play"),
            Some("city") => (self.read_city(rest), "city"),
            Some("locomotive") => (self.read_locomotive(rest), "locomotive"),
            Some(_) => (self.read_end(rest), "end"),
            None => return self.read_without_verb(words, marked),
        };
        self.refuse_remaining_words(read?, verb)
    }

    /// Parses a line without a verb. A card and an end can be recognized at any step. A railway
    /// alone is an order only if a City or locomotive must be placed now.
    fn read_without_verb(self, words: &[&str], marked: bool) -> Result<Order, Refusal> {
        let due = self.state.step_of(self.seat);
        // `r` alone is the right end, but `r 7` is a red card.
        let end = self.read_named_end(words).filter(|(_, rest)| rest.is_empty());
        let (read, verb) = match (end, due) {
            (Some(end), _) => (Ok(end), "end"),
            (None, Some(Step::City(_))) if self.begins_with_placement_name(words) => {
                (self.read_city(words), "city")
            }
            // `3 on PRR` is a card if no locomotive must be placed now.
            (None, Some(Step::Locomotive(_))) if self.begins_with_placement_name(words) => {
                (self.read_locomotive(words), "locomotive")
            }
            _ if names::match_city(self.state, words).is_some() => (self.read_city(words), "city"),
            _ if names::match_company(self.state, words).is_some()
                || starts_with_digit(words.first()) =>
            {
                (self.read_card(words, marked), "play")
            }
            _ => return Err(self.refuse_unknown_start()),
        };
        self.refuse_remaining_words(read?, verb)
    }

    /// Whether the words begin with a company, a City or a locomotive, as the placement of a City
    /// or locomotive does.
    fn begins_with_placement_name(self, words: &[&str]) -> bool {
        names::match_company(self.state, words).is_some()
            || names::match_city(self.state, words).is_some()
            || names::match_locomotive(words).is_some()
    }

    /// Parses a card: `PRR 7` or `7 PRR`. In a marked line, the card's value may follow as letters
    /// show it: `PRR 7:40`.
    fn read_card<'a, 'b>(
        self,
        words: &'a [&'b str],
        marked: bool,
    ) -> Result<OrderAndRest<'a, 'b>, Refusal> {
        let (before, words) = match words.split_first() {
            Some((first, rest)) if starts_with_digit(Some(first)) => (Some(*first), rest),
            _ => (None, words),
        };
        let (company, rest) = require_company(self.state, words)?;
        let (number, rest) = match (before, rest.split_first()) {
            (Some(number), _) => (number, rest),
            (None, Some((number, rest))) => (*number, rest),
            (None, None) => ("", rest),
        };
        let card = number.parse().ok().and_then(|number| Card::new(company, number));
        let Some(card) = card else {
            let key = if number.is_empty() { "tr-number-missing" } else { "tr-no-number" };
            let reason = Message::new(key).with("word", number).with("most", NUMBER_MAX);
            let reason = reason.with("company", self.state.edition.company_name(company));
            let reader = (self.state, Some(self.seat));
            return Err(TrickOfTheRails::GRAMMAR.refuse_unreadable(reader, reason, "play"));
        };
        let worth = self.state.edition.station_value(card).to_string();
        let rest = match rest.split_first() {
            Some((value, behind)) if marked && *value == worth => behind,
            _ => rest,
        };
        Ok((Order::Play(card), rest))
    }

    /// Parses the placement of a City: `NYC right`, or `New York on NYC right` if New York must be
    /// placed now.
    fn read_city<'a, 'b>(self, words: &'a [&'b str]) -> Result<OrderAndRest<'a, 'b>, Refusal> {
        let words = match (names::match_city(self.state, words), self.state.step_of(self.seat)) {
            (Some((city, _)), Some(Step::City(due))) if city != due => {
                return Err(self.refuse_unreadable("tr-other-prize", "", "city"));
            }
            (Some((_, rest)), _) => rest,
            (None, _) => words,
        };
        let (company, rest) = require_company(self.state, words)?;
        match self.read_named_end(rest) {
            Some((Order::End(end), rest)) => Ok((Order::City { company, end }, rest)),
            _ => {
                let word = rest.first().copied().unwrap_or_default();
                Err(self.refuse_unreadable("tr-no-end", word, "city"))
            }
        }
    }

    /// Parses the placement of a locomotive: `NYC`, or `3 on NYC` if `[3]` must be placed now.
    fn read_locomotive<'a, 'b>(
        self,
        words: &'a [&'b str],
    ) -> Result<OrderAndRest<'a, 'b>, Refusal> {
        let words = match (names::match_locomotive(words), self.state.step_of(self.seat)) {
            // `inf` may be named in advance, before its step is due.
            (Some((Locomotive::Infinite, rest)), _) => rest,
            (Some((named, rest)), Some(Step::Locomotive(due))) if named == due => rest,
            (Some((_, rest)), None | Some(Step::Play)) => rest,
            _ => words,
        };
        let (company, rest) = require_company(self.state, words)?;
        Ok((Order::Locomotive { company }, rest))
    }

    /// Parses an end: `left` or `right`, or a prefix of one. The card that goes there may be named
    /// first.
    fn read_end<'a, 'b>(self, words: &'a [&'b str]) -> Result<OrderAndRest<'a, 'b>, Refusal> {
        let word = words.first().copied().unwrap_or_default();
        self.read_named_end(words).ok_or_else(|| self.refuse_unreadable("tr-no-end", word, "end"))
    }

    fn read_named_end<'a, 'b>(self, words: &'a [&'b str]) -> Option<OrderAndRest<'a, 'b>> {
        let own = self.state.card_played_by(self.seat).filter(|_| words.len() > 2);
        let words = match own.map(|own| (own, self.read_card(words, false))) {
            Some((own, Ok((Order::Play(card), rest)))) if own == card => rest,
            _ => words,
        };
        let (first, rest) = words.split_first()?;
        let end = line_words::unique_item_with_prefix(&End::ALL, End::name, first)?;
        // `left end` is equivalent to `left`.
        Some((Order::End(end), rest.strip_prefix(&["end"]).unwrap_or(rest)))
    }

    fn refuse_remaining_words(
        self,
        (order, rest): OrderAndRest<'_, '_>,
        verb: &str,
    ) -> Result<Order, Refusal> {
        match rest.first() {
            None => Ok(order),
            Some(word) => Err(self.refuse_unreadable("tr-too-long", word, verb)),
        }
    }
}

fn strip_polite_words<'a, 'b>(words: &'a [&'b str]) -> &'a [&'b str] {
    let before = words.iter().take_while(|word| POLITE_WORDS.contains(word)).count();
    let words = words.get(before..).unwrap_or_default();
    match words.split_last() {
        Some((&("please" | "thanks"), before)) => before,
        _ => words,
    }
}

fn starts_with_digit(word: Option<&&str>) -> bool {
    word.is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()))
}

/// Finds a negative number, which no order contains. Without this check, the minus sign would be
/// ignored like a dash between words.
fn find_negative_number(line: &str) -> Option<&str> {
    line.split_whitespace().find(|word| {
        let number = word.trim_start_matches('(').strip_prefix(['-', '\u{2212}', '\u{2013}']);
        number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
    })
}
