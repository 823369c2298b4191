//! Messages: keys with arguments, which become sentences of the reader's language when a letter is
//! written. So a stored message can be read in any language later.

use super::Seat;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

/// The key of a sentence or word, or the name of an argument.
type Key = &'static str;

/// A sentence for a person, without its words: the key of the sentence in
/// `templates/<language>/*.ftl`, and its arguments.
///
/// ```
/// use postrider::render::Library;
/// use postrider::rules::Message;
///
/// let library = Library::embedded().expect("the program's own words are well made");
/// let turn = Message::new("turn-yours");
/// assert_eq!(library.language("en").localize(&turn), "It's your turn.");
/// assert_eq!(library.language("es").localize(&turn), "Es tu turno.");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// The key of the sentence. The keys of a game begin with a prefix of its own, such as `hc-`.
    #[serde(deserialize_with = "interned")]
    pub key: Key,
    /// The arguments of the sentence, by name.
    #[serde(default, deserialize_with = "interned_names")]
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) args: BTreeMap<Key, Arg>,
}

/// One argument of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arg {
    /// A count, for which the language may choose a plural form.
    Number(i64),
    /// Text that is the same in every language: a code, a place name, or a player's own words.
    Text(String),
    /// The player of this seat. A letter shows their name, or `you` to the player themselves.
    Seat(Seat),
    /// The key of a word that each language translates, such as a colour or a company.
    Term(#[serde(deserialize_with = "interned")] Key),
    /// A sentence inside the sentence.
    Message(Message),
    /// Several arguments, which each language joins in its own style.
    List(Vec<Self>),
}

impl Message {
    /// Creates a message without arguments.
    pub const fn new(key: &'static str) -> Self {
        Self { key, args: BTreeMap::new() }
    }

    /// Creates a message with a list of items. Returns `None` if there are no items.
    pub(crate) fn from_list<T: Into<Arg>>(
        key: &'static str,
        name: &'static str,
        items: impl IntoIterator<Item = T>,
    ) -> Option<Self> {
        let mut items = items.into_iter().peekable();
        items.peek()?;
        Some(Self::new(key).with_list(name, items))
    }

    /// Adds an argument to the message.
    #[must_use]
    pub fn with(mut self, name: &'static str, arg: impl Into<Arg>) -> Self {
        self.args.insert(name, arg.into());
        self
    }

    /// Adds an argument that is a word, given by its key, which each language translates.
    #[must_use]
    pub fn with_term(self, name: &'static str, key: &'static str) -> Self {
        self.with(name, Arg::Term(key))
    }

    /// Adds an argument that is a list.
    #[must_use]
    pub fn with_list<T: Into<Arg>>(
        self,
        name: &'static str,
        items: impl IntoIterator<Item = T>,
    ) -> Self {
        self.with(name, items.into_iter().collect::<Arg>())
    }
}

/// Returns a static copy of a stored key or name. The copies are never freed. That is safe because
/// this program wrote them, so there are at most as many as it has sentences.
fn intern(text: String) -> Key {
    static KNOWN: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(same) = known.get(text.as_str()) {
        return same;
    }
    let text: Key = Box::leak(text.into_boxed_str());
    known.insert(text);
    text
}

fn interned<'de, D: Deserializer<'de>>(stored: D) -> Result<Key, D::Error> {
    String::deserialize(stored).map(intern)
}

fn interned_names<'de, D: Deserializer<'de>>(stored: D) -> Result<BTreeMap<Key, Arg>, D::Error> {
    let args = BTreeMap::<String, Arg>::deserialize(stored)?;
    Ok(args.into_iter().map(|(name, arg)| (intern(name), arg)).collect())
}

/// Writes a message for an export, with arguments without their types. The result cannot be read
/// back.
///
/// # Errors
/// The serializer fails.
pub(crate) fn as_shown<S: Serializer>(message: &Message, to: S) -> Result<S::Ok, S::Error> {
    let mut shown = to.serialize_map(None)?;
    shown.serialize_entry("key", message.key)?;
    if !message.args.is_empty() {
        let args = message.args.iter().map(|(name, arg)| (name, UntypedArg(arg)));
        shown.serialize_entry("args", &args.collect::<BTreeMap<_, _>>())?;
    }
    shown.end()
}

struct UntypedArg<'a>(&'a Arg);

impl Serialize for UntypedArg<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Arg::Number(number) => number.serialize(to),
            Arg::Text(text) => text.serialize(to),
            Arg::Seat(seat) => seat.serialize(to),
            Arg::Term(key) => key.serialize(to),
            Arg::Message(message) => as_shown(message, to),
            Arg::List(list) => to.collect_seq(list.iter().map(UntypedArg)),
        }
    }
}

impl<T: Into<Self>> FromIterator<T> for Arg {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
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

impl<T: Into<Self>> From<Vec<T>> for Arg {
    fn from(list: Vec<T>) -> Self {
        list.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_survives_storage_and_exports_without_argument_types() {
        let inner = Message::new("inner").with("n", -3_i64);
        let all = vec![Arg::from("text"), Arg::Term("term"), Seat::new(2).into(), inner.into()];
        let message = Message::new("outer").with("of", Arg::List(all)).with("text", "7");
        let stored = serde_json::to_string(&message).unwrap();
        let read: Message = serde_json::from_str(&stored).unwrap();
        assert_eq!(read, message);
        // However often a key is read, it is stored once.
        let again: Message = serde_json::from_str(&stored).unwrap();
        assert!(std::ptr::eq(read.key, again.key));
        let mut shown = Vec::new();
        as_shown(&message, &mut serde_json::Serializer::new(&mut shown)).unwrap();
        let expected = r#"{"key":"outer","args":{"of":["text","term",2,"#.to_owned()
            + r#"{"key":"inner","args":{"n":-3}}],"text":"7"}}"#;
        assert_eq!(String::from_utf8(shown).unwrap(), expected);
    }
}
