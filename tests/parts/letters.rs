//! Tests of reading letters as real mail programs write them. Each `tests/letters/NAME.eml` is read
//! with both kinds of line ends. `NAME.txt` lists the expected headers and the lines that may be
//! orders.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use postrider::mail::{Letter, LetterHash, extract_order_lines};
use postrider::render::Library;
use postrider::rules::Message;

const MARKERS: [&str; 2] = ["Reply above this line", "Bitte oberhalb dieser Zeile antworten"];

pub fn say_in_english(what: &Message) -> String {
    Library::embedded().expect("the words ship").language("en").localize(what)
}

/// Describes how a letter was understood, for review by a person, with the letter's hash.
fn describe_letter(bytes: &[u8]) -> (String, LetterHash) {
    let letter = match Letter::parse(bytes) {
        Ok(letter) => letter,
        Err(reason) => return (format!("unreadable: {reason}\n"), LetterHash::compute(bytes)),
    };
    let mut text = String::new();
    for from in &letter.from {
        writeln!(text, "from: {} <{}>", from.name, from.address).unwrap();
    }
    if letter.from_headers > 1 {
        writeln!(text, "from headers: {}", letter.from_headers).unwrap();
    }
    for recipient in &letter.recipients {
        writeln!(text, "to: {recipient}").unwrap();
    }
    for reference in &letter.references {
        writeln!(text, "answers: {reference}").unwrap();
    }
    writeln!(text, "subject: {}", letter.subject).unwrap();
    if let Some(reason) = letter.automatic {
        writeln!(text, "automatic: {}", say_in_english(&reason.to_message())).unwrap();
    }
    match extract_order_lines(&letter.body, &MARKERS) {
        Ok(lines) => {
            for line in lines {
                writeln!(text, "{}: {}", line.number, line.text).unwrap();
            }
        }
        Err(too_much) => writeln!(text, "too much: {too_much}").unwrap(),
    }
    (text, letter.hash)
}

fn with_line_ends(bytes: &[u8], end: &[u8]) -> Vec<u8> {
    let lines = bytes.split(|byte| *byte == b'\n');
    let lines: Vec<&[u8]> = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line)).collect();
    lines.join(end)
}

#[test]
fn letters_match_expected_descriptions() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/letters");
    let mut faults = String::new();
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "eml") {
            continue;
        }
        count += 1;
        let bytes = fs::read(&path).unwrap();
        let expected = fs::read_to_string(path.with_extension("txt")).unwrap_or_default();
        let (unix, unix_digest) = describe_letter(&with_line_ends(&bytes, b"\n"));
        let (wire, wire_digest) = describe_letter(&with_line_ends(&bytes, b"\r\n"));
        let name = path.file_name().unwrap().display();
        if unix != expected {
            writeln!(faults, "== {name}\n{unix}-- expected\n{expected}").unwrap();
        }
        if unix != wire || unix_digest != wire_digest {
            writeln!(faults, "== {name} with CRLF\n{wire}").unwrap();
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
    assert!(count >= 20, "only {count} letters");
}

#[test]
fn redelivered_letter_has_same_digest() {
    let letter = "Message-ID: <1@example.org>\nFrom: ann@example.org\nSubject: g7\n\nbuy 3\n";
    let again = format!("Received: from a by b\nDelivered-To: gm@example.org\n{letter}\n");
    let other = letter.replace("buy 3", "buy 4");
    let digest = |letter: &str| Letter::parse(letter.as_bytes()).unwrap().hash;
    assert_eq!(digest(letter), digest(&again));
    assert_ne!(digest(letter), digest(&other));
}
