//! Translates the transports' own error texts into the reader's language.
//!
//! Errors are passed on as text, because most of them quote servers, mail programs or the operating
//! system. Such quotes are not translated. The program's own texts are recognized here and replaced
//! by translatable sentences.

use crate::rules::{Arg, Message};

/// The program's own error texts, each with the key of its sentence.
const FIXED_FAULTS: &[(&str, &str)] = &[
    ("it is no file", "way-no-file"),
    ("its answer cannot be understood", "way-nonsense"),
    ("it gives nothing for it", "way-nothing"),
    ("the line broke", "way-line-broke"),
    ("the line is broken", "way-line-broke"),
    ("the step timed out", "way-timed-out"),
    ("it says more than it was asked for", "way-says-more"),
    ("its answer is no answer", "way-nonsense"),
];

/// The text before a quoted answer of a server.
const SERVER_SAYS: &str = "the server says: ";

/// The beginnings of the program's own error texts that continue with a name or a quote, each with
/// the key of its sentence.
const FAULT_PREFIXES: &[(&str, &str)] =
    &[(SERVER_SAYS, "way-server-says"), ("the server has no ", "way-server-without")];

/// Returns an error text for a letter. The program's own texts become translatable sentences; all
/// others are quoted.
pub(crate) fn translate_fault(said: &str) -> Arg {
    let alike =
        |said: &str| Some(Message::new(FIXED_FAULTS.iter().find(|(ours, _)| *ours == said)?.1));
    if let Some(ours) = alike(said) {
        return ours.into();
    }
    let begun = |(before, key): &(&str, &'static str)| {
        Some(Message::new(key).with("what", translate_fault(said.strip_prefix(before)?)))
    };
    FAULT_PREFIXES.iter().find_map(begun).map_or_else(|| said.into(), Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_fault_is_translated_and_server_text_kept() {
        assert_eq!(translate_fault("550 5.1.1 no such user"), Arg::from("550 5.1.1 no such user"));
        let busy = Message::new("way-server-says").with("what", "busy");
        assert_eq!(translate_fault("the server says: busy"), Arg::from(busy));
        let without = Message::new("way-server-without").with("what", "SMTPUTF8");
        assert_eq!(translate_fault("the server has no SMTPUTF8"), Arg::from(without));
    }

    /// A text that is changed only at its origin would no longer be translated.
    #[test]
    fn every_listed_fault_occurs_in_source() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/mail");
        let mut said = String::new();
        for place in ["", "connection", "fetch", "transport"] {
            for entry in std::fs::read_dir(folder.join(place)).unwrap().flatten() {
                if entry.path().is_file() && !entry.path().ends_with("fault_sentences.rs") {
                    said.push_str(&std::fs::read_to_string(entry.path()).unwrap());
                }
            }
        }
        let alike = FIXED_FAULTS.iter().map(|(ours, _)| *ours);
        for ours in alike.chain(FAULT_PREFIXES.iter().map(|(before, _)| *before)) {
            assert!(said.contains(ours), "{ours}");
        }
    }
}
