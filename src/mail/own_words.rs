//! What the ways in and out say by themselves when something fails, known again among what servers,
//! mail programs and the operating system say.
//!
//! Faults travel as text, since most of them are other programs' words, which a letter quotes as
//! they are. What this program says itself is a sentence of the reader's language.

use crate::rules::{Arg, Message};

/// A fault of ours that is always said alike, and its sentence.
const ALIKE: &[(&str, &str)] = &[
    ("it is no file", "way-no-file"),
    ("it did not end and was stopped", "way-stopped"),
    ("DATA: it does not go on", "way-data-stops"),
    ("its answer cannot be understood", "way-nonsense"),
    ("it gives nothing for it", "way-nothing"),
    ("the line broke", "way-line-broke"),
    ("the line is broken", "way-line-broke"),
    ("the step timed out", "way-timed-out"),
    ("it says more than it was asked for", "way-says-more"),
    ("its answer is no answer", "way-nonsense"),
    ("the name has no address", "way-no-address"),
    ("(it repeats a part of the password, so what it said is not shown)", "way-withheld"),
];

/// How a fault of ours begins and ends that names something in between, and its sentence.
const AROUND: &[(&str, &str, &str)] = &[
    ("the server says: ", "", "way-server-says"),
    ("the server has no ", "", "way-server-without"),
    ("", " is not there", "way-not-there"),
];

/// A fault as a letter says it: ours in the reader's language, others' as they are.
pub(crate) fn told(said: &str) -> Arg {
    if let Some((_, key)) = ALIKE.iter().find(|(ours, _)| *ours == said) {
        return Message::new(key).into();
    }
    let around = |(before, after, key): &(&str, &str, &'static str)| {
        let what = said.strip_prefix(before)?.strip_suffix(after)?;
        Some(Message::new(key).with("what", told(what)))
    };
    AROUND.iter().find_map(around).map_or_else(|| said.into(), Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ours_is_a_sentence_and_what_others_say_stays() {
        assert_eq!(told("550 5.1.1 no such user"), Arg::from("550 5.1.1 no such user"));
        let inner = Message::new("way-withheld");
        let outer = Message::new("way-server-says").with("what", inner);
        let said = format!("the server says: {}", ALIKE[ALIKE.len() - 1].0);
        assert_eq!(told(&said), Arg::from(outer));
        let gone = Message::new("way-not-there").with("what", "/usr/sbin/sendmail");
        assert_eq!(told("/usr/sbin/sendmail is not there"), Arg::from(gone));
    }

    /// A phrase that is said otherwise where it is said would be English again.
    #[test]
    fn each_of_them_is_said_somewhere() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/mail");
        let mut said = String::new();
        for place in ["", "fetch", "transport"] {
            for entry in std::fs::read_dir(folder.join(place)).unwrap().flatten() {
                if entry.path().is_file() && !entry.path().ends_with("own_words.rs") {
                    said.push_str(&std::fs::read_to_string(entry.path()).unwrap());
                }
            }
        }
        let alike = ALIKE.iter().map(|(ours, _)| *ours);
        let around = AROUND.iter().flat_map(|(before, after, _)| [*before, *after]);
        for ours in alike.chain(around) {
            assert!(said.contains(ours), "{ours}");
        }
    }
}
