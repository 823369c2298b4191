//! Orders as lines of a letter: `play PRR 7`, `city NYC right`, `locomotive C&O`, `end left`.

use super::card::{Card, NUMBER_MAX};
use super::company::Company;
use super::definition::Locomotive;
use super::railway::End;
use super::state::{LaneCard, Order, State, Step};
use super::{Plan, TrickOfTheRails, examples, names, narrate, refuse};
use crate::rules::{Form, Grammar, Message, OrderText, Reading, Refusal, Seat, line_words};

/// Words that may stand in a line and say nothing.
const FILLERS: [&str; 13] =
    ["a", "at", "card", "it", "its", "my", "of", "on", "railway", "side", "the", "to", "with"];

/// Words that may stand before an order and after it, for the sake of politeness.
const POLITE: [&str; 8] = ["and", "now", "ok", "okay", "please", "so", "thanks", "then"];

/// Words with which a sentence about its writer leads up to the order: `I'd like to`.
const ABOUT_ME: [&str; 10] =
    ["d", "going", "i", "like", "ll", "m", "shall", "want", "will", "would"];

impl OrderText for TrickOfTheRails {
    type Plan = Plan;

    const FILLERS: &'static [&'static str] = &FILLERS;
    const GRAMMAR: Grammar<State> = Grammar {
        verbs: &["play", "city", "locomotive"],
        least: 2,
        synonyms: &[
            ("play", &["lead", "follow"]),
            ("end", &["end"]),
            ("put", &["put", "place", "add", "lay", "give"]),
        ],
        forms: &[
            Form::line_of("now", "tr-form-play", examples::play),
            Form::line_of("now", "tr-form-end", examples::end),
            Form::line_of("now", "tr-form-city", examples::city),
            Form::line_of("now", "tr-form-locomotive", examples::locomotive),
        ],
    };

    fn names(state: &State) -> Vec<String> {
        let of = |company: Company| [state.edition.name(company), company.id(), company.colour()];
        let all = Company::ALL.into_iter().flat_map(of).chain(["gray"]);
        all.map(str::to_owned).collect()
    }

    /// Reads one line as one order. Who is asked for another is told so.
    fn parse(state: &State, seat: Seat, line: &str) -> Result<Reading<Order>, Refusal> {
        let writer = Writer { state, seat };
        writer.read(line).map_err(|refusal| match state.step(seat) {
            Some(Step::Play) => refusal.or(refuse::hand(state, seat)),
            _ => narrate::choices(state, seat).into_iter().fold(refusal, Refusal::or),
        })
    }

    fn write(_: &State, orders: &[Order]) -> String {
        match orders.first() {
            Some(Order::Play(card)) => format!("play {}", examples::name(*card)),
            Some(Order::City { company, end }) => format!("city {} {}", company.id(), end.name()),
            Some(Order::Locomotive { company }) => format!("locomotive {}", company.id()),
            Some(Order::End(end)) => format!("end {}", end.name()),
            None => String::new(),
        }
    }
}

/// Reads one line as an order whose time has not come.
///
/// # Errors
/// What would have been read instead.
pub fn read_ahead(state: &State, seat: Seat, line: &str) -> Result<Order, Refusal> {
    let reading = TrickOfTheRails::parse(state, seat, line)?;
    let order = reading.orders.into_iter().next();
    order.ok_or_else(|| Writer { state, seat }.unreadable("tr-unreadable", "", ""))
}

/// A company and what stands behind it, as in `ERIE play ERIE 9, ERIE 3` or `ERIE: 9 ERIE`.
///
/// # Errors
/// When no company stands at the beginning.
pub fn company_and_rest(state: &State, line: &str) -> Result<(Company, String), Refusal> {
    let line = small(line);
    let parted = [" play ", ":", ","].into_iter().find_map(|mark| line.split_once(mark));
    if let Some((named, rest)) = parted
        && let (company, []) = the_company(state, &words(state, named))?
    {
        return Ok((company, rest.trim().to_owned()));
    }
    let all = words(state, &line);
    let (company, rest) = the_company(state, &all)?;
    Ok((company, rest.join(" ")))
}

/// The company that a text names, and nothing else.
///
/// # Errors
/// When it names none, or more than that.
pub fn company_alone(state: &State, text: &str) -> Result<Company, Refusal> {
    let line = small(text);
    let all = words(state, &line);
    match the_company(state, &all)? {
        (company, []) => Ok(company),
        (_, [word, ..]) => {
            Err(Refusal::unreadable(Message::new("tr-too-long").with("word", *word)))
        }
    }
}

/// The card of the lane that a line names besides where it goes.
pub fn named_prize(state: &State, line: &str) -> Option<LaneCard> {
    let line = small(line);
    let all = words(state, &line);
    let rest = all.get(1..).unwrap_or_default();
    if let Some((locomotive, _)) = names::engine(&all).or_else(|| names::engine(rest)) {
        return Some(LaneCard::Locomotive(locomotive));
    }
    let city = names::city(state, &all).or_else(|| names::city(state, rest));
    city.map(|(city, _)| LaneCard::City(city))
}

/// The line in small letters. Full stops cut nothing: P.R.R. is one word.
fn small(line: &str) -> String {
    line_words::small(line, &['.'])
}

/// The words of a line: cut at everything that is no letter and no digit, and between letters and
/// digits. What a company is called says something, whatever it is.
fn words<'a>(state: &State, small: &'a str) -> Vec<&'a str> {
    let cut = line_words::plain(small).flat_map(line_words::letters_and_digits);
    cut.filter(|word| !FILLERS.contains(word) || names::is_part(state, word)).collect()
}

/// The company that the words must begin with.
fn the_company<'a, 'b>(
    state: &State,
    words: &'a [&'b str],
) -> Result<(Company, &'a [&'b str]), Refusal> {
    names::company(state, words).ok_or_else(|| {
        let word = words.first().copied().unwrap_or_default();
        let key = if word.is_empty() { "tr-company-missing" } else { "tr-no-company" };
        let all = Company::ALL.map(|company| narrate::company(&state.edition, company));
        Refusal::unreadable(Message::new(key).with("word", word))
            .or(Message::new("tr-companies").with_list("companies", all))
    })
}

/// What one line says, and what is left of it.
type Part<'a, 'b> = (Order, &'a [&'b str]);

/// Whose line it is, and where the game stands.
#[derive(Clone, Copy)]
struct Writer<'s> {
    state: &'s State,
    seat: Seat,
}

impl Writer<'_> {
    /// A refusal of a word, with the way to write what was meant.
    fn unreadable(self, key: &'static str, word: &str, verb: &str) -> Refusal {
        let reason = Message::new(key).with("word", word);
        TrickOfTheRails::GRAMMAR.unreadable((self.state, Some(self.seat)), reason, verb)
    }

    fn foreign(self) -> Refusal {
        let reason = Message::new("tr-unreadable");
        TrickOfTheRails::GRAMMAR.foreign((self.state, Some(self.seat)), reason)
    }

    fn read(self, line: &str) -> Result<Reading<Order>, Refusal> {
        let line = small(line);
        let all = words(self.state, &line);
        let all = polite(&all);
        if all.first() == Some(&"i") {
            // A sentence is an order only where all of it is one.
            let said = all.iter().take_while(|word| ABOUT_ME.contains(word)).count();
            let order = all.get(said..).unwrap_or_default();
            let begins = order.first().and_then(|word| TrickOfTheRails::GRAMMAR.verb(word));
            let read = begins.ok_or_else(|| self.foreign()).and_then(|_| self.order(order, &line));
            return read.map(|order| Reading::plain(vec![order])).map_err(|_| self.foreign());
        }
        self.order(all, &line).map(|order| Reading::plain(vec![order]))
    }

    fn order(self, words: &[&str], line: &str) -> Result<Order, Refusal> {
        let verb = words.first().and_then(|word| TrickOfTheRails::GRAMMAR.verb(word));
        let rest = words.get(1..).unwrap_or_default();
        let is_order = verb.is_some() || names::company(self.state, words).is_some();
        if is_order && let Some(number) = negative(line) {
            let begins = verb.filter(|verb| *verb != "put").unwrap_or_default();
            return Err(self.unreadable("tr-negative", number, begins));
        }
        let mut marked = line.contains([':', '(']);
        let (mut verb, mut words, mut rest) = (verb, words, rest);
        if verb == Some("put") {
            // `put it left`, `place [3] on NYC`, `add New York to PRR right`.
            let begins = rest.first().and_then(|word| TrickOfTheRails::GRAMMAR.verb(word));
            verb = begins.filter(|verb| matches!(*verb, "city" | "locomotive" | "end"));
            (words, rest, marked) = (rest, rest.get(1..).unwrap_or_default(), false);
        }
        let (read, verb) = match verb {
            Some("play") => (self.card(rest, marked), "play"),
            Some("city") => (self.city(rest), "city"),
            Some("locomotive") => (self.locomotive(rest), "locomotive"),
            Some(_) => (self.end(rest), "end"),
            None => return self.bare(words, marked),
        };
        self.alone(read?, verb)
    }

    /// A line without a verb: a card or an end says by itself what it is for, and to whom a City or
    /// a locomotive is to be placed the railway does.
    fn bare(self, words: &[&str], marked: bool) -> Result<Order, Refusal> {
        let due = self.state.step(self.seat);
        // `r 7` is a red card.
        let end = self.named_end(words).filter(|(_, rest)| rest.is_empty());
        let (read, verb) = match (end, due) {
            (Some(end), _) => (Ok(end), "end"),
            (None, Some(Step::City(_))) if self.begins_place(words) => (self.city(words), "city"),
            // `3 on PRR` is a card as well, where no locomotive is due.
            (None, Some(Step::Locomotive(_))) if self.begins_place(words) => {
                (self.locomotive(words), "locomotive")
            }
            _ if names::city(self.state, words).is_some() => (self.city(words), "city"),
            _ if names::company(self.state, words).is_some() || is_number(words.first()) => {
                (self.card(words, marked), "play")
            }
            _ => return Err(self.foreign()),
        };
        self.alone(read?, verb)
    }

    /// Whether these words can be where something is placed.
    fn begins_place(self, words: &[&str]) -> bool {
        names::company(self.state, words).is_some()
            || names::city(self.state, words).is_some()
            || names::engine(words).is_some()
    }

    /// `PRR 7`, or `7 PRR`; with its worth behind it as letters show it, `PRR 7:40`.
    fn card<'a, 'b>(self, words: &'a [&'b str], marked: bool) -> Result<Part<'a, 'b>, Refusal> {
        let (before, words) = match words.split_first() {
            Some((first, rest)) if is_number(Some(first)) => (Some(*first), rest),
            _ => (None, words),
        };
        let (company, rest) = the_company(self.state, words)?;
        let (number, rest) = match (before, rest.split_first()) {
            (Some(number), _) => (number, rest),
            (None, Some((number, rest))) => (*number, rest),
            (None, None) => ("", rest),
        };
        let card = number.parse().ok().and_then(|number| Card::new(company, number));
        let Some(card) = card else {
            let key = if number.is_empty() { "tr-number-missing" } else { "tr-no-number" };
            let reason = Message::new(key).with("word", number).with("most", NUMBER_MAX);
            let reason = reason.with("company", self.state.edition.name(company));
            let reader = (self.state, Some(self.seat));
            return Err(TrickOfTheRails::GRAMMAR.unreadable(reader, reason, "play"));
        };
        let worth = self.state.edition.station_value(card).to_string();
        let rest = match rest.split_first() {
            Some((value, behind)) if marked && *value == worth => behind,
            _ => rest,
        };
        Ok((Order::Play(card), rest))
    }

    /// `NYC right`, or `New York on NYC right` where New York is the City that is to be placed.
    fn city<'a, 'b>(self, words: &'a [&'b str]) -> Result<Part<'a, 'b>, Refusal> {
        let words = match (names::city(self.state, words), self.state.step(self.seat)) {
            (Some((city, _)), Some(Step::City(due))) if city != due => {
                return Err(self.unreadable("tr-other-prize", "", "city"));
            }
            (Some((_, rest)), _) => rest,
            (None, _) => words,
        };
        let (company, rest) = the_company(self.state, words)?;
        match self.named_end(rest) {
            Some((Order::End(end), rest)) => Ok((Order::City { company, end }, rest)),
            _ => {
                let word = rest.first().copied().unwrap_or_default();
                Err(self.unreadable("tr-no-end", word, "city"))
            }
        }
    }

    /// `NYC`, or `3 on NYC` when [3] is the locomotive that is to be placed.
    fn locomotive<'a, 'b>(self, words: &'a [&'b str]) -> Result<Part<'a, 'b>, Refusal> {
        let words = match (names::engine(words), self.state.step(self.seat)) {
            // `inf` may be said of what comes next.
            (Some((Locomotive::Infinite, rest)), _) => rest,
            (Some((named, rest)), Some(Step::Locomotive(due))) if named == due => rest,
            (Some((_, rest)), None | Some(Step::Play)) => rest,
            _ => words,
        };
        let (company, rest) = the_company(self.state, words)?;
        Ok((Order::Locomotive { company }, rest))
    }

    /// `left` or `right`, or the letter it begins with; the card that goes there may be named.
    fn end<'a, 'b>(self, words: &'a [&'b str]) -> Result<Part<'a, 'b>, Refusal> {
        let word = words.first().copied().unwrap_or_default();
        self.named_end(words).ok_or_else(|| self.unreadable("tr-no-end", word, "end"))
    }

    fn named_end<'a, 'b>(self, words: &'a [&'b str]) -> Option<Part<'a, 'b>> {
        let own = self.state.played(self.seat).filter(|_| words.len() > 2);
        let words = match own.map(|own| (own, self.card(words, false))) {
            Some((own, Ok((Order::Play(card), rest)))) if own == card => rest,
            _ => words,
        };
        let (first, rest) = words.split_first()?;
        let end = line_words::one_of(&End::ALL, End::name, first)?;
        // `left end` says no more than `left`.
        Some((Order::End(end), rest.strip_prefix(&["end"]).unwrap_or(rest)))
    }

    /// The order, when nothing stands behind it.
    fn alone(self, (order, rest): Part<'_, '_>, verb: &str) -> Result<Order, Refusal> {
        match rest.first() {
            None => Ok(order),
            Some(word) => Err(self.unreadable("tr-too-long", word, verb)),
        }
    }
}

/// The words between those that are there for the sake of politeness.
fn polite<'a, 'b>(words: &'a [&'b str]) -> &'a [&'b str] {
    let before = words.iter().take_while(|word| POLITE.contains(word)).count();
    let words = words.get(before..).unwrap_or_default();
    match words.split_last() {
        Some((&("please" | "thanks"), before)) => before,
        _ => words,
    }
}

fn is_number(word: Option<&&str>) -> bool {
    word.is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()))
}

/// A number below zero: what it takes off is no dash between words.
fn negative(line: &str) -> Option<&str> {
    line.split_whitespace().find(|word| {
        let number = word.trim_start_matches('(').strip_prefix(['-', '\u{2212}', '\u{2013}']);
        number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
    })
}
