//! The traces of a member who has left: name and addresses in texts that the club keeps.
//!
//! Pure. May not know where anything is kept.

use super::FormerSelf;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The keys under which the club keeps what people read: arguments of sentences, messages, notes,
/// reasons, and the names on letters. What is under other keys is for the program alone.
const TEXTS: [&str; 5] = ["text", "name", "reason", "why", "notes"];

/// The key under which a seat's plans are kept. They are orders, so a changed word would be another
/// order.
const PLANS: &str = "standing";

/// A member who has left, and the words that take the place of the name and the addresses.
pub(crate) struct Traces<'a> {
    former: &'a FormerSelf,
    instead: &'a str,
    /// Names of others in which the name is a part, and where in them it begins.
    others: Vec<(&'a str, usize)>,
}

impl<'a> Traces<'a> {
    /// Looks for this member among members of these names.
    pub(crate) fn of(
        former: &'a FormerSelf,
        instead: &'a str,
        members: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let part = |other: &'a str| Some((other, other.find(&former.name)?));
        let others = members.into_iter().filter(|other| *other != former.name);
        Self { former, instead, others: others.filter_map(part).collect() }
    }

    /// The text without the traces; none if it has none.
    pub(crate) fn erased(&self, text: &str) -> Option<String> {
        let mut now = text.to_owned();
        for address in &self.former.addresses {
            let goes_on = |c: char| c.is_alphanumeric() || "._%+-".contains(c);
            let follows = |rest: &str| {
                let end = rest.trim_start_matches(['.', '-']);
                end.starts_with(char::is_alphanumeric)
            };
            let places = matches(&now.to_ascii_lowercase(), &address.to_ascii_lowercase());
            let is_whole =
                |(before, after): (&str, &str)| !before.ends_with(goes_on) && !follows(after);
            now = replaced(&now, address.len(), places, self.instead, is_whole);
        }
        let name = &self.former.name;
        let is_whole = |(before, after): (&str, &str)| {
            let is_of_another = self.others.iter().any(|(other, at)| {
                let (head, tail) = (&other[..*at], &other[*at + name.len()..]);
                let rest = after.strip_prefix(tail).filter(|_| before.ends_with(head));
                rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
            });
            !before.ends_with(char::is_alphanumeric)
                && !after.starts_with(char::is_alphanumeric)
                && !is_of_another
        };
        now = replaced(&now, name.len(), matches(&now, name), self.instead, is_whole);
        (now != text).then_some(now)
    }

    /// Something that is kept without the traces in its texts; none if they have none.
    pub(crate) fn erased_from<T: Serialize + DeserializeOwned>(&self, kept: &T) -> Option<T> {
        let mut value = serde_json::to_value(kept).ok()?;
        if self.erase(&mut value, false) > 0 { serde_json::from_value(value).ok() } else { None }
    }

    /// Erases the traces in the texts of a value, which may be a text itself. Returns the number of
    /// texts that had any.
    fn erase(&self, value: &mut Value, is_text: bool) -> usize {
        match value {
            Value::String(text) if is_text => match self.erased(text) {
                Some(erased) => {
                    *text = erased;
                    1
                }
                None => 0,
            },
            Value::Array(list) => list.iter_mut().map(|one| self.erase(one, is_text)).sum(),
            Value::Object(fields) => {
                let fields = fields.iter_mut().filter(|(key, _)| *key != PLANS);
                let is_text = |key: &str| TEXTS.contains(&key);
                fields.map(|(key, field)| self.erase(field, is_text(key))).sum()
            }
            _ => 0,
        }
    }
}

/// Where in a text something stands.
fn matches(text: &str, what: &str) -> Vec<usize> {
    let is_any = !what.is_empty();
    text.match_indices(what).filter(|_| is_any).map(|(at, _)| at).collect()
}

/// A text with other words at those places that `is_whole` takes, by what stands before and after.
fn replaced(
    text: &str,
    length: usize,
    places: Vec<usize>,
    instead: &str,
    is_whole: impl Fn((&str, &str)) -> bool,
) -> String {
    let (mut now, mut from) = (String::new(), 0);
    for at in places.into_iter().filter(|at| is_whole((&text[..*at], &text[*at + length..]))) {
        now.push_str(&text[from..at]);
        now.push_str(instead);
        from = at + length;
    }
    now + &text[from..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::club::{ActivityEntry, Happening};
    use crate::rules::Message;

    fn ann() -> FormerSelf {
        let addresses = ["ann@example.org", "a.b@x.org"].map(str::to_owned).to_vec();
        FormerSelf { name: "Ann".to_owned(), addresses }
    }

    #[test]
    fn whole_names_and_addresses_are_replaced() {
        let ann = ann();
        let traces = Traces::of(&ann, "X", ["Ann", "Ann Lee", "Bob"]);
        for (text, expected) in [
            ("Ann", "X"),
            ("Well, Ann: Ann's red.", "Well, X: X's red."),
            ("Ann <Ann@Example.org>, a.b@x.org.", "X <X>, X."),
            ("ÄAnn Anna ann Ann Lee", "ÄAnn Anna ann Ann Lee"),
            ("joann@example.org ann@example.org.uk jo-a.b@x.org", ""),
            ("Ann Leeds and Ann Lee", "X Leeds and Ann Lee"),
            ("İ ann@example.org", "İ X"),
        ] {
            let same = expected.is_empty() || expected == text;
            let expected = (!same).then(|| expected.to_owned());
            assert_eq!(traces.erased(text), expected, "{text}");
        }
        let nobody = FormerSelf { name: String::new(), addresses: vec![String::new()] };
        assert_eq!(Traces::of(&nobody, "X", ["Ann"]).erased("Ann"), None);
    }

    #[test]
    fn only_texts_that_people_read_are_changed() {
        let former = FormerSelf { name: "pause".to_owned(), addresses: Vec::new() };
        let traces = Traces::of(&former, "X", []);
        let message = Message::new("pause").with("name", "pause").with("of", vec!["pause", "red"]);
        let expected = Message::new("pause").with("name", "X").with("of", vec!["X", "red"]);
        assert_eq!(traces.erased_from(&message), Some(expected));
        assert_eq!(traces.erased_from(&Message::new("pause")), None);
        let noted = |text: &str| ActivityEntry {
            at: chrono::DateTime::UNIX_EPOCH,
            what: Happening::Noted { text: text.to_owned() },
        };
        assert_eq!(traces.erased_from(&noted("ask pause")), Some(noted("ask X")));
    }
}
