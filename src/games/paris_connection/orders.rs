//! Orders as lines of a letter: `build red G23 Lyon`, `trade red for 2 blue`.

use super::colour::Colour;
use super::decide;
use super::hex::Hex;
use super::refuse;
use super::state::{Ending, Order, Phase, State};
use super::{ParisConnection, Plan};
use crate::rules::{Arg, Message, OrderText, Reading, Refusal, RefusalKind, Seat};

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

    /// Reads one line as the steps of a build, or as a trade.
    fn parse(state: &State, seat: Seat, line: &str) -> Result<Reading<Order>, Refusal> {
        let words = words(line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.split_first() {
            Some((verb, rest)) if is_beginning(verb, "build") => build(state, seat, rest),
            Some((verb, rest)) if is_beginning(verb, "trade") => trade(state, rest),
            Some((verb, [])) if *verb == "stop" => Ok(Reading::plain(vec![Order::Stop])),
            _ => Err(Refusal {
                kind: RefusalKind::Foreign,
                ..with_forms(Message::new("pc-unreadable"))
            }),
        }
    }

    /// The line that is read as these orders.
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

/// The line in small letters, cut at everything that is no letter and no digit.
fn words(line: &str) -> Vec<String> {
    let small = line.to_lowercase();
    let words = small.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.filter(|word| !FILLERS.contains(word)).map(str::to_owned).collect()
}

fn is_beginning(word: &str, of: &str) -> bool {
    !word.is_empty() && of.starts_with(word)
}

fn with_forms(reason: Message) -> Refusal {
    Refusal::unreadable(reason).or(Message::new("pc-form-build")).or(Message::new("pc-form-trade"))
}

/// A colour by its letter on the board, or by any beginning of its name that fits no other.
fn colour(state: &State, word: Option<&str>) -> Result<Colour, Refusal> {
    let word = word.unwrap_or_default();
    let is_letter =
        |colour: &Colour| word == state.board.letters[*colour].to_lowercase().to_string();
    if let Some(colour) = Colour::ALL.into_iter().find(is_letter) {
        return Ok(colour);
    }
    let fits = |colour: &Colour| is_beginning(word, colour.name());
    let fitting: Vec<Colour> = Colour::ALL.into_iter().filter(fits).collect();
    match *fitting {
        [colour] => Ok(colour),
        [] => {
            let key = if word.is_empty() { "pc-colour-missing" } else { "pc-no-colour" };
            let all = colours(state, &Colour::ALL);
            Err(Refusal::unreadable(Message::new(key).with("word", word)).or(all))
        }
        _ => {
            let reason = Message::new("pc-two-colours").with("word", word);
            Err(Refusal::unreadable(reason).or(colours(state, &fitting)))
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
    let announced = words.first().and_then(|word| number(word));
    let words = words.get(usize::from(announced.is_some())..).unwrap_or_default();
    let colour = colour(state, words.first().copied())?;
    let hexes = hexes(state, words.get(1..).unwrap_or_default())?;
    if hexes.is_empty() {
        let reason = refuse::about("pc-hexes-missing", colour);
        return Err(Refusal::unreadable(reason).or(refuse::open_hexes(state, colour)));
    }
    if announced.is_some_and(|count| usize::from(count) != hexes.len()) {
        let reason = Message::new("pc-count-differs").with("count", hexes.len());
        return Err(with_forms(reason.with("announced", announced.unwrap_or_default())));
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
        let name = words(&city.name);
        let same = |(said, name): (&&str, &String)| plain(said) == plain(name);
        let fits = name.len() <= said.len() && said.iter().zip(&name).all(same);
        fits.then_some((city.hex, name.len()))
    });
    named.max_by_key(|&(_, length)| length).or_else(|| {
        let code = said.first()?;
        let city = state.board.cities.iter().find(|city| city.code.eq_ignore_ascii_case(code))?;
        Some((city.hex, 1))
    })
}

fn plain(word: &str) -> &str {
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
    let refusal = Refusal::unreadable(Message::new("pc-no-place").with("word", word));
    if like.is_empty() {
        refusal.or(Message::new("pc-form-build"))
    } else {
        refusal.or(Message::new("pc-perhaps").with("places", Arg::List(like)))
    }
}

fn number(word: &str) -> Option<u8> {
    match word {
        "one" => Some(1),
        "two" => Some(2),
        _ => word.parse().ok(),
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
        return Err(with_forms(Message::new("pc-too-long").with("word", word)));
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
    let count = words.first().and_then(|word| number(word));
    let words = words.get(usize::from(count.is_some())..).unwrap_or_default();
    let colour = colour(state, words.first().copied())?;
    Ok(((count, colour), words.get(1..).unwrap_or_default()))
}
