//! What is to be said, before it has words. It can be stored, and said later.

use super::Seat;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

/// Something to tell a person: the key of a sentence in `templates/<language>/*.ftl` and what to
/// put into it.
///
/// ```
/// use postrider::render::Library;
/// use postrider::rules::Message;
///
/// let library = Library::embedded().expect("the program's own words are well made");
/// let turn = Message::new("turn-yours");
/// assert_eq!(library.language("en").say(&turn), "It is your turn.");
/// assert_eq!(library.language("es").say(&turn), "Es tu turno.");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    /// The sentence's key; by convention it begins with the game's own prefix.
    pub key: &'static str,
    /// The sentence's arguments by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) args: BTreeMap<&'static str, Arg>,
}

/// One argument of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
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

/// A message that was stored.
#[derive(Deserialize)]
struct Stored {
    key: String,
    #[serde(default)]
    args: BTreeMap<String, Arg>,
}

/// The same of an argument.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredArg {
    Number(i64),
    Text(String),
    Seat(Seat),
    Term(String),
    Message(Message),
    List(Vec<Arg>),
}

impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(stored: D) -> Result<Self, D::Error> {
        let Stored { key, args } = Stored::deserialize(stored)?;
        let args = args.into_iter().map(|(name, arg)| (interned(name), arg));
        Ok(Self { key: interned(key), args: args.collect() })
    }
}

impl<'de> Deserialize<'de> for Arg {
    fn deserialize<D: Deserializer<'de>>(stored: D) -> Result<Self, D::Error> {
        Ok(match StoredArg::deserialize(stored)? {
            StoredArg::Number(number) => Self::Number(number),
            StoredArg::Text(text) => Self::Text(text),
            StoredArg::Seat(seat) => Self::Seat(seat),
            StoredArg::Term(key) => Self::Term(interned(key)),
            StoredArg::Message(message) => Self::Message(message),
            StoredArg::List(list) => Self::List(list),
        })
    }
}

/// A key or name as the program's own are. What is stored was said by this program, so there are no
/// more of them than it has sentences, and each is kept once.
fn interned(text: String) -> &'static str {
    static KNOWN: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(same) = known.get(text.as_str()) {
        return same;
    }
    let text: &'static str = Box::leak(text.into_boxed_str());
    known.insert(text);
    text
}

/// Writes a message as exports show it: arguments without what they are, which nobody reads back.
///
/// # Errors
/// When that cannot be written.
pub(crate) fn as_shown<S: Serializer>(message: &Message, to: S) -> Result<S::Ok, S::Error> {
    Shown::from(message).serialize(to)
}

#[derive(Serialize)]
struct Shown<'a> {
    key: &'a str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    args: BTreeMap<&'a str, ShownArg<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ShownArg<'a> {
    Number(i64),
    Text(&'a str),
    Seat(Seat),
    Message(Shown<'a>),
    List(Vec<Self>),
}

impl<'a> From<&'a Message> for Shown<'a> {
    fn from(message: &'a Message) -> Self {
        let args = message.args.iter().map(|(name, arg)| (*name, arg.into()));
        Self { key: message.key, args: args.collect() }
    }
}

impl<'a> From<&'a Arg> for ShownArg<'a> {
    fn from(arg: &'a Arg) -> Self {
        match arg {
            Arg::Number(number) => Self::Number(*number),
            Arg::Text(text) => Self::Text(text),
            Arg::Seat(seat) => Self::Seat(*seat),
            Arg::Term(key) => Self::Text(key),
            Arg::Message(message) => Self::Message(message.into()),
            Arg::List(list) => Self::List(list.iter().map(Self::from).collect()),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_message_says_the_same_and_one_that_is_shown_looks_as_it_always_did() {
        let inner = Message::new("inner").with("n", -3_i64);
        let all = vec![Arg::from("text"), Arg::Term("term"), Seat::new(2).into(), inner.into()];
        let message = Message::new("outer").with("of", Arg::List(all)).with("text", "7");
        let stored = serde_json::to_string(&message).unwrap();
        let read: Message = serde_json::from_str(&stored).unwrap();
        assert_eq!(read, message);
        // However often it is read, its words are kept once.
        let again: Message = serde_json::from_str(&stored).unwrap();
        assert!(std::ptr::eq(read.key, again.key));
        let mut shown = Vec::new();
        as_shown(&message, &mut serde_json::Serializer::new(&mut shown)).unwrap();
        let expected = r#"{"key":"outer","args":{"of":["text","term",2,"#.to_owned()
            + r#"{"key":"inner","args":{"n":-3}}],"text":"7"}}"#;
        assert_eq!(String::from_utf8(shown).unwrap(), expected);
    }
}
