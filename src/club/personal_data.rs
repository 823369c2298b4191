//! The removal of a former member's name and addresses from texts that the club stores.
//!
//! Pure. Other modules know where the texts are stored.

use super::DepartedMember;
use crate::mail::address::address_spellings;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The JSON keys of texts for people: message arguments, messages, notes, reasons, and names on
/// letters. Values of other keys are only read by the program.
const TEXT_KEYS: [&str; 5] = ["text", "name", "reason", "why", "notes"];

/// The JSON key of a seat's queued orders. They stay unchanged, because a changed word would be
/// another order.
const QUEUED_ORDERS_KEY: &str = "standing";

/// The eraser for the name and addresses of one former member, which it replaces with other words.
pub(crate) struct PersonalDataEraser<'a> {
    former: &'a DepartedMember,
    replacement: &'a str,
    /// The other members' names that contain this name, and its position in them. The name is not
    /// erased from these.
    others: Vec<(&'a str, usize)>,
}

impl<'a> PersonalDataEraser<'a> {
    /// Returns an eraser. `instead` replaces the name and the addresses. `members` are the names of
    /// all members.
    pub(crate) fn new(
        former: &'a DepartedMember,
        replacement: &'a str,
        members: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let part = |other: &'a str| Some((other, other.find(&former.name)?));
        let others = members.into_iter().filter(|other| *other != former.name);
        Self { former, replacement, others: others.filter_map(part).collect() }
    }

    /// Returns the text without the name and the addresses. `None` if it contains neither.
    pub(crate) fn erase_from_text(&self, text: &str) -> Option<String> {
        let mut now = text.to_owned();
        for address in self.former.addresses.iter().flat_map(|address| address_spellings(address)) {
            let goes_on = |c: char| c.is_alphanumeric() || "._%+-".contains(c);
            let follows = |rest: &str| {
                let end = rest.trim_start_matches(['.', '-']);
                end.starts_with(char::is_alphanumeric)
            };
            let places = find_occurrences(&now.to_ascii_lowercase(), &address.to_ascii_lowercase());
            let is_whole =
                |(before, after): (&str, &str)| !before.ends_with(goes_on) && !follows(after);
            now = replace_whole_matches(&now, address.len(), places, self.replacement, is_whole);
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
        now = replace_whole_matches(
            &now,
            name.len(),
            find_occurrences(&now, name),
            self.replacement,
            is_whole,
        );
        (now != text).then_some(now)
    }

    /// Returns a stored value without the name and the addresses in its texts. `None` if it
    /// contains neither.
    pub(crate) fn erase_from_stored_value<T: Serialize + DeserializeOwned>(
        &self,
        kept: &T,
    ) -> Option<T> {
        let mut value = serde_json::to_value(kept).ok()?;
        if self.erase_from_json(&mut value, false) > 0 {
            serde_json::from_value(value).ok()
        } else {
            None
        }
    }

    /// Erases the name and the addresses from the texts in a JSON value, which may be a text
    /// itself. Returns the number of texts that changed.
    fn erase_from_json(&self, value: &mut Value, is_text: bool) -> usize {
        match value {
            Value::String(text) if is_text => match self.erase_from_text(text) {
                Some(erased) => {
                    *text = erased;
                    1
                }
                None => 0,
            },
            Value::Array(list) => {
                list.iter_mut().map(|one| self.erase_from_json(one, is_text)).sum()
            }
            Value::Object(fields) => {
                let fields = fields.iter_mut().filter(|(key, _)| *key != QUEUED_ORDERS_KEY);
                let is_text = |key: &str| TEXT_KEYS.contains(&key);
                fields.map(|(key, field)| self.erase_from_json(field, is_text(key))).sum()
            }
            _ => 0,
        }
    }
}

fn find_occurrences(text: &str, what: &str) -> Vec<usize> {
    let is_any = !what.is_empty();
    text.match_indices(what).filter(|_| is_any).map(|(at, _)| at).collect()
}

/// Replaces the matches at those `places` for which `is_whole` is true. `is_whole` gets the text
/// before and after a match, to check that the match is not a part of a longer word.
fn replace_whole_matches(
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
    use crate::club::{ActivityEntry, ActivityEvent};
    use crate::rules::Message;

    fn departed_ann() -> DepartedMember {
        let addresses = ["ann@example.org", "a.b@x.org"].map(str::to_owned).to_vec();
        DepartedMember { name: "Ann".to_owned(), addresses }
    }

    #[test]
    fn whole_names_and_addresses_are_replaced() {
        let ann = departed_ann();
        let traces = PersonalDataEraser::new(&ann, "X", ["Ann", "Ann Lee", "Bob"]);
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
            assert_eq!(traces.erase_from_text(text), expected, "{text}");
        }
        let nobody = DepartedMember { name: String::new(), addresses: vec![String::new()] };
        assert_eq!(PersonalDataEraser::new(&nobody, "X", ["Ann"]).erase_from_text("Ann"), None);
    }

    #[test]
    fn only_human_readable_texts_are_erased() {
        let former = DepartedMember { name: "pause".to_owned(), addresses: Vec::new() };
        let traces = PersonalDataEraser::new(&former, "X", []);
        let message = Message::new("pause").with("name", "pause").with("of", vec!["pause", "red"]);
        let expected = Message::new("pause").with("name", "X").with("of", vec!["X", "red"]);
        assert_eq!(traces.erase_from_stored_value(&message), Some(expected));
        assert_eq!(traces.erase_from_stored_value(&Message::new("pause")), None);
        let noted = |text: &str| ActivityEntry {
            at: chrono::DateTime::UNIX_EPOCH,
            event: ActivityEvent::Noted { text: text.to_owned() },
        };
        assert_eq!(traces.erase_from_stored_value(&noted("ask pause")), Some(noted("ask X")));
    }
}
