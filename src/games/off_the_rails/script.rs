//! What the line of a move says, word by word.

use super::grid::{Square, Way};
use super::jewel::{Hoard, Jewel};
use super::order::Order;
use super::refuse::unread;
use super::state::State;
use super::words;
use crate::rules::{Arg, Message, Refusal};

/// A place that the line names on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    At(Square),
    /// At the next junction, this way.
    By(Way),
    /// Out of the mine, over this side where one is named.
    Out(Option<Way>),
}

impl Stop {
    /// As players are told of it.
    pub fn told(self) -> Arg {
        match self {
            Self::At(square) => square.to_string().into(),
            Self::By(way) => Message::new("or-place-by").with("way", Arg::Term(way.term())).into(),
            Self::Out(None) => Message::new("or-place-out").into(),
            Self::Out(Some(side)) => {
                Message::new("or-place-side").with("side", Arg::Term(side.term())).into()
            }
        }
    }
}

/// Which of two hidden piles falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    First,
    Second,
    Any,
}

impl Pick {
    fn read(word: &str) -> Option<Self> {
        Some(match word {
            "first" | "one" | "1" => Self::First,
            "second" | "two" | "2" => Self::Second,
            "any" | "either" => Self::Any,
            _ => return None,
        })
    }

    /// As a line says it.
    pub const fn words(self) -> &'static str {
        match self {
            Self::First => "pick first",
            Self::Second => "pick second",
            Self::Any => "pick any",
        }
    }

    /// The order that it is.
    pub fn order(self) -> Order {
        match self {
            Self::Any => Order::PickAny,
            pick => Order::Pick { first: pick == Self::First },
        }
    }
}

/// What the line says.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The places that the cart has not come to yet.
    pub stops: Vec<Stop>,
    /// The place that it came to last.
    pub here: Option<Square>,
    /// What it picks up where there is a choice.
    pub takes: Vec<Jewel>,
    /// Where it faces when it has stopped.
    pub face: Option<Way>,
    /// What falls, or lies in the first pile.
    pub pile: Option<Hoard>,
    /// The word that the line says before it.
    pub pile_verb: &'static str,
    /// Which pile falls.
    pub pick: Option<Pick>,
}

/// Reads what a line says behind its verb.
///
/// # Errors
/// The first word that says nothing there.
pub fn script(state: &State, verb: &str, words: &[&str]) -> Result<Script, Refusal> {
    let mut script = Script::default();
    let mut topic = verb;
    let mut count = None;
    for &word in words {
        let unknown = || unread(state, "or-unknown-word", word, "move");
        match word {
            "take" | "face" | "drop" | "cut" | "pick" | "go" if count.is_none() => {
                topic = word;
                continue;
            }
            "out" | "exit" | "off" if count.is_none() => {
                topic = "out";
                script.stops.push(Stop::Out(None));
                continue;
            }
            _ => {}
        }
        let is_of_jewels = matches!(topic, "take" | "drop" | "cut");
        if let (true, None, Ok(number @ 1..=9)) = (is_of_jewels, count, word.parse::<u8>()) {
            count = Some(number);
        } else if is_of_jewels && let Some(jewel) = words::jewel(word) {
            let count = usize::from(count.take().unwrap_or(1));
            let jewels = std::iter::repeat_n(jewel, count);
            if topic == "take" {
                script.takes.extend(jewels);
            } else {
                script.pile = Some(script.pile.unwrap_or_default().plus(jewels.collect()));
                script.pile_verb = if topic == "cut" { "cut" } else { "drop" };
            }
        } else if count.is_some() {
            return Err(unknown());
        } else if topic != "pick" && word.chars().any(|c| c.is_ascii_digit()) {
            script.stops.push(Stop::At(words::square(state, word)?));
        } else {
            word_of(&mut script, topic, word).ok_or_else(unknown)?;
        }
    }
    match count {
        Some(count) => Err(unread(state, "or-unknown-word", &count.to_string(), "move")),
        None => Ok(script),
    }
}

/// Takes a word for what the words before it speak of; none where it says nothing there.
fn word_of(script: &mut Script, topic: &str, word: &str) -> Option<()> {
    match topic {
        "take" | "drop" | "cut" => return None,
        "face" => script.face.replace(words::way(word)?).is_none().then_some(())?,
        "pick" => script.pick.replace(Pick::read(word)?).is_none().then_some(())?,
        "out" => match script.stops.last_mut()? {
            Stop::Out(side @ None) => *side = Some(words::way(word)?),
            _ => return None,
        },
        _ => script.stops.push(Stop::By(words::way(word)?)),
    }
    Some(())
}
