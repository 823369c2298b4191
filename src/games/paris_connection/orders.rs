//! Orders as lines of a letter: `build red G23 Lyon`, `trade red for 2 blue`.

use super::colour::Colour;
use super::decide;
use super::hex::Hex;
use super::refuse;
use super::state::{Ending, Order, Phase, State};
use super::{ParisConnection, Plan};
use crate::rules::{Arg, Form, Grammar, Message, OrderText, Reading, Refusal, Seat, words};

/// Words that may stand in a line and say nothing.
const FILLERS: [&str; 13] = [
    "and",
    "a",
    "an",
    "my",
    "with",
    "at",
    "in",
    "on",
    "to",
    "share",
    "shares",
    "locomotive",
    "locomotives",
];

impl OrderText for ParisConnection {
    type Plan = Plan;

    const GRAMMAR: Grammar<State> = Grammar {
        verbs: &["build", "trade"],
        least: 1,
        whole: &[("stop", "stop")],
        forms: &[
            Form::of("now", a_build),
            Form::always("now", "trade red for 2 blue", "pc-form-trade"),
        ],
    };

    fn names(state: &State) -> Vec<String> {
        let colours = Colour::ALL.into_iter().map(|colour| colour.name().to_owned());
        let cities = state.board.cities.iter();
        colours.chain(cities.flat_map(|city| [city.name.clone(), city.code.clone()])).collect()
    }

    /// Reads one line as the steps of a build, or as a trade.
    fn parse(state: &State, seat: Seat, line: &str) -> Result<Reading<Order>, Refusal> {
        let line = words::small(line, &[]);
        let words = words::telling(words::plain(&line), &FILLERS);
        let verb = words.first().and_then(|word| Self::GRAMMAR.verb(word));
        match (verb, words.get(1..).unwrap_or_default()) {
            (Some("build"), rest) => build(state, seat, rest),
            (Some("trade"), rest) => trade(state, rest),
            (Some("stop"), []) => Ok(Reading::plain(vec![Order::Stop])),
            _ => Err(Self::GRAMMAR.foreign(state, Message::new("pc-unreadable"))),
        }
    }

    fn write(_: &State, orders: &[Order]) -> String {
        let hexes: String = orders
            .iter()
            .filter_map(|order| match order {
                Order::Place { hex, .. } => Some(format!(" {hex}")),
                Order::Stop | Order::Trade { .. } => None,
            })
            .collect();
        match orders.first() {
            Some(Order::Place { colour, .. }) => format!("build {}{hexes}", colour.name()),
            Some(Order::Trade { give, take, count }) => {
                format!("trade {} for {count} {}", give.name(), take.name())
            }
            Some(Order::Stop) => "stop".to_owned(),
            None => String::new(),
        }
    }

    fn is_whole_line(state_after: &State, _: &[Order]) -> bool {
        state_after.build.is_none()
    }
}

/// A build that could begin a game on this map: two hexes of the country, and a city by its name.
fn a_build(state: &State) -> (String, Message) {
    let board = &state.board;
    let country = board.land.minus(board.start_hexes).minus(board.city_hexes);
    let way = board.beside(board.start_hexes).and(country).iter().find_map(|first| {
        board.neighbours(first).and(country).iter().find_map(|second| {
            let near = board.neighbours(second).and(board.city_hexes).iter().next()?;
            let city = board.city(board.name(near))?;
            Some(format!(" {} {} {}", board.name(first), board.name(second), city.name))
        })
    });
    let does = Message::new("pc-form-build").with("most", state.numbers.build_most);
    (format!("build {}{}", Colour::Red.name(), way.unwrap_or_default()), does)
}

/// The line, as a whole, is neither a build nor a trade.
fn neither(state: &State, reason: Message) -> Refusal {
    ParisConnection::GRAMMAR.unreadable(state, reason, "")
}

/// A colour by its letter on the board, or by any beginning of its name that fits no other.
fn colour(state: &State, word: Option<&str>) -> Result<Colour, Refusal> {
    let word = word.unwrap_or_default();
    let is_letter =
        |colour: &Colour| word == state.board.letters[*colour].to_lowercase().to_string();
    if let Some(colour) = Colour::ALL.into_iter().find(is_letter) {
        return Ok(colour);
    }
    match *words::fitting(&Colour::ALL, Colour::name, word) {
        [colour] => Ok(colour),
        [] => {
            let key = if word.is_empty() { "pc-colour-missing" } else { "pc-no-colour" };
            let all = colours(state, &Colour::ALL);
            Err(Refusal::unreadable(Message::new(key).with("word", word)).or(all))
        }
        ref fitting => {
            let reason = Message::new("pc-two-colours").with("word", word);
            Err(Refusal::unreadable(reason).or(colours(state, fitting)))
        }
    }
}

/// How to name these colours.
fn colours(state: &State, colours: &[Colour]) -> Message {
    let named = colours.iter().map(|&colour| {
        let letter = state.board.letters[colour].to_string();
        refuse::about("pc-colour-by", colour).with("word", colour.name()).with("letter", letter)
    });
    Message::new("pc-colours").with("colours", Arg::List(named.map(Arg::from).collect()))
}

fn build(state: &State, seat: Seat, words: &[&str]) -> Result<Reading<Order>, Refusal> {
    // `build 3 red ...`: the number says nothing new, but it must be true.
    let (announced, words) = words::first(words, words::number);
    let colour = colour(state, words.first().copied())?;
    let hexes = hexes(state, words.get(1..).unwrap_or_default())?;
    if hexes.is_empty() {
        let reason = refuse::about("pc-hexes-missing", colour);
        return Err(Refusal::unreadable(reason).or(refuse::open_hexes(state, colour)));
    }
    if announced.is_some_and(|count| usize::from(count) != hexes.len()) {
        let reason = Message::new("pc-count-differs").with("count", hexes.len());
        return Err(neither(state, reason.with("announced", announced.unwrap_or_default())));
    }
    if hexes.len() > usize::from(state.numbers.build_most) {
        let reason = Message::new("pc-too-many").with("count", hexes.len());
        return Err(Refusal::illegal(reason.with("most", state.numbers.build_most)));
    }
    steps(state, seat, colour, &hexes)
}

/// The steps of a build, played ahead to tell whether it ends by itself or must be stopped.
fn steps(
    state: &State,
    seat: Seat,
    colour: Colour,
    hexes: &[Hex],
) -> Result<Reading<Order>, Refusal> {
    let place = |&hex: &Hex| Order::Place { colour, hex };
    let mut reading = Reading::plain(Vec::new());
    let mut ahead = state.clone();
    for (at, hex) in hexes.iter().enumerate() {
        let rest = hexes.get(at + 1..).unwrap_or_default();
        reading.orders.push(place(hex));
        let Ok(events) = decide::decide(&ahead, seat, &place(hex)) else {
            // It is refused with its reason when it is carried out.
            reading.orders.extend(rest.iter().map(place));
            break;
        };
        events.iter().for_each(|event| ahead.apply(event));
        if ahead.build.is_some() {
            continue;
        }
        if ahead.phase == Phase::Over(Ending::Marseille) && !rest.is_empty() {
            // A ruling of ours: the build stops there, and the rest stay on the storing board.
            let names = rest.iter().map(|&hex| refuse::place_name(state, hex)).collect();
            let remark = refuse::about("pc-rest-stays", colour).with("hexes", Arg::List(names));
            reading.remarks.push(remark);
        } else if !rest.is_empty() {
            let reason = refuse::about("pc-no-more", colour).with("count", at + 1);
            return Err(Refusal::illegal(reason.with("named", hexes.len())));
        }
        return Ok(reading);
    }
    reading.orders.push(Order::Stop);
    Ok(reading)
}

/// Hexes by name, and cities by name or code.
fn hexes(state: &State, mut words: &[&str]) -> Result<Vec<Hex>, Refusal> {
    let mut hexes = Vec::new();
    while let Some((&word, after)) = words.split_first() {
        let split = after.first().and_then(|number| Hex::parse(&format!("{word}{number}")));
        let (hex, rest) = if let Some((hex, length)) = city(state, words) {
            (hex, words.get(length..).unwrap_or_default())
        } else if let Some(hex) = Hex::parse(word) {
            (hex, after)
        } else if let Some(hex) = split {
            (hex, after.get(1..).unwrap_or_default())
        } else {
            return Err(no_place(state, word));
        };
        hexes.push(hex);
        words = rest;
    }
    Ok(hexes)
}

/// The city that these words begin with, and how many of them name it; the longest name wins, so
/// that no code is read out of a name.
fn city(state: &State, said: &[&str]) -> Option<(Hex, usize)> {
    let named = state.board.cities.iter().filter_map(|city| {
        let name = words::small(&city.name, &[]);
        let name = words::telling(words::plain(&name), &FILLERS);
        let same = |(said, name): (&&str, &&str)| written_out(said) == written_out(name);
        let fits = name.len() <= said.len() && said.iter().zip(&name).all(same);
        fits.then_some((city.hex, name.len()))
    });
    named.max_by_key(|&(_, length)| length).or_else(|| {
        let code = said.first()?;
        let city = state.board.cities.iter().find(|city| city.code.eq_ignore_ascii_case(code))?;
        Some((city.hex, 1))
    })
}

fn written_out(word: &str) -> &str {
    match word {
        "st" => "saint",
        "ste" => "sainte",
        word => word,
    }
}

fn no_place(state: &State, word: &str) -> Refusal {
    let begin: String = word.chars().take(2).collect();
    let like =
        state.board.cities.iter().filter(|city| city.name.to_lowercase().starts_with(&begin));
    let like: Vec<Arg> = like.map(|city| refuse::place_name(state, city.hex)).collect();
    let reason = Message::new("pc-no-place").with("word", word);
    if like.is_empty() {
        ParisConnection::GRAMMAR.unreadable(state, reason, "build")
    } else {
        Refusal::unreadable(reason).or(Message::new("pc-perhaps").with("places", Arg::List(like)))
    }
}

/// `red for 2 blue`, with `for` or not; without a number one share is taken.
fn trade(state: &State, words: &[&str]) -> Result<Reading<Order>, Refusal> {
    let (given, words) = counted(state, words)?;
    let words = match words.split_first() {
        Some((&("for" | "against"), rest)) => rest,
        _ => words,
    };
    let (taken, rest) = counted(state, words)?;
    if let Some(&word) = rest.first() {
        return Err(neither(state, Message::new("pc-too-long").with("word", word)));
    }
    if given.0.is_some_and(|count| count != 1) {
        return Err(Refusal::illegal(Message::new("pc-give-one")));
    }
    let ((_, give), (count, take)) = (given, taken);
    let mut reading = Reading::plain(vec![Order::Trade { give, take, count: count.unwrap_or(1) }]);
    if count.is_none() && state.supply[take] > 1 {
        reading.remarks.push(refuse::about("pc-took-one", take));
    }
    Ok(reading)
}

type Counted<'a> = ((Option<u8>, Colour), &'a [&'a str]);

fn counted<'a>(state: &State, words: &'a [&'a str]) -> Result<Counted<'a>, Refusal> {
    let (count, words) = words::first(words, words::number);
    let colour = colour(state, words.first().copied())?;
    Ok(((count, colour), words.get(1..).unwrap_or_default()))
}
