//! What is to be said, before it has words.

use super::Seat;
use serde::Serialize;
use std::collections::BTreeMap;

/// Something to tell a person: the key of a sentence in `templates/<language>/*.ftl` and what to
/// put into it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    /// The sentence's key; by convention it begins with the game's own prefix.
    pub key: &'static str,
    /// The sentence's arguments by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub args: BTreeMap<&'static str, Arg>,
}

/// One argument of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Arg {
    /// A count, which the language may inflect.
    Number(i64),
    /// Text that is the same in every language: a code, a place's own name, what a player wrote.
    Text(String),
    /// Whoever sits there; the letter puts the name in, or `you`.
    Seat(Seat),
    /// A word that each language has its own of, by its key: a colour, a company.
    Term(&'static str),
    /// A sentence inside the sentence.
    Message(Message),
    /// Several, which each language joins in its own way.
    List(Vec<Arg>),
}

impl Message {
    /// A sentence without arguments.
    pub const fn new(key: &'static str) -> Self {
        Self { key, args: BTreeMap::new() }
    }

    /// The same sentence with one more argument.
    #[must_use]
    pub fn with(mut self, name: &'static str, arg: impl Into<Arg>) -> Self {
        self.args.insert(name, arg.into());
        self
    }
}

impl From<&str> for Arg {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Arg {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Seat> for Arg {
    fn from(seat: Seat) -> Self {
        Self::Seat(seat)
    }
}

impl From<Message> for Arg {
    fn from(message: Message) -> Self {
        Self::Message(message)
    }
}

impl From<u8> for Arg {
    fn from(number: u8) -> Self {
        Self::Number(number.into())
    }
}

impl From<u32> for Arg {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<i64> for Arg {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<usize> for Arg {
    fn from(number: usize) -> Self {
        Self::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl<T: Into<Arg>> From<Vec<T>> for Arg {
    fn from(list: Vec<T>) -> Self {
        Self::List(list.into_iter().map(Into::into).collect())
    }
}
