//! Letters that a club has posted, and the checks that each of them must pass.

use crate::mail::{Letter, first_header};

/// A letter that a club has posted.
#[derive(Clone)]
pub struct PostedLetter {
    /// The reader's address.
    pub to: String,
    /// The Message-ID without angle brackets.
    pub message_id: String,
    /// The complete letter.
    pub bytes: Vec<u8>,
}

impl PostedLetter {
    /// Reads the reader and the Message-ID from the headers of a letter that the club wrote.
    pub(super) fn parse(bytes: Vec<u8>) -> Self {
        let value = |name| first_header(&bytes, name).unwrap_or_default();
        let to = value("To");
        let to = to.rsplit('<').next().unwrap_or(&to).trim_end_matches('>').to_owned();
        let message_id = value("Message-ID").trim_matches(['<', '>']).to_owned();
        Self { to, message_id, bytes }
    }

    /// Returns the Message-ID without the club's signature and the host, such as `g1.s2.r3`.
    pub fn name(&self) -> &str {
        self.message_id.rsplit_once('@').and_then(|(id, _)| id.rsplit_once('.')).expect("an id").0
    }

    /// Returns the plain text, decoded.
    pub fn body_text(&self) -> String {
        Letter::parse(&self.bytes).expect("our own letters can be read").body
    }

    /// Whether the plain text contains `text`. Line breaks and repeated spaces do not matter.
    pub fn contains(&self, text: &str) -> bool {
        self.body_text().split_whitespace().collect::<Vec<_>>().join(" ").contains(text)
    }

    /// Returns the whole letter as text, still encoded.
    pub fn raw(&self) -> String {
        String::from_utf8(self.bytes.clone()).expect("our letters are text")
    }

    /// Returns the value of a header, unfolded and not decoded.
    pub fn header(&self, name: &str) -> Option<String> {
        first_header(&self.bytes, name)
    }

    /// Composes a reply to this letter by the player called `name`. `number` becomes a part of the
    /// Message-ID, so it must be another one for each letter of the player.
    pub fn compose_reply(&self, name: &str, number: u32, body: &str) -> String {
        let header = |name| self.header(name).unwrap_or_default();
        let id = format!("{}-{number}", name.to_lowercase());
        format!(
            "Return-Path: <{from}>\r\nFrom: {name} <{from}>\r\nTo: {}\r\nSubject: Re: {}\r\n\
             Message-ID: <{id}@example.org>\r\nIn-Reply-To: {}\r\n\r\n{}\r\n",
            header("Reply-To"),
            header("Subject"),
            header("Message-ID"),
            body.replace('\n', "\r\n"),
            from = player_address(name),
        )
    }

    /// Asserts that the text is well-formed, and that no part shows the key of a missing sentence.
    ///
    /// # Panics
    ///
    /// If the letter fails the check.
    pub fn assert_well_formed(&self) {
        assert_text_well_formed(&self.body_text());
        let whole = self.raw().replace("=\r\n", "");
        let missing = whole.lines().find_map(|line| Some((find_missing_sentence(line)?, line)));
        assert_eq!(missing, None, "a sentence is missing\n{}", self.raw());
    }
}

impl std::fmt::Debug for PostedLetter {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "\n== {} to {}\n{}", self.message_id, self.to, self.body_text())
    }
}

/// Returns the address of the player called `name`. A name that is already an address is returned
/// unchanged.
pub fn player_address(name: &str) -> String {
    if name.contains('@') {
        return name.to_owned();
    }
    format!("{}@example.org", name.to_lowercase())
}

/// Checks the text of a letter: lines of at most 76 columns, no key of a missing sentence, and no
/// row of a Markdown table. English text has only ASCII characters and letters (as in Orléans),
/// except in the offer of another language.
///
/// # Panics
///
/// If the text fails a check.
pub fn assert_text_well_formed(text: &str) {
    let is_english = !text.starts_with("===") || text.starts_with("=== Write your orders above");
    for line in text.lines() {
        // Characters that set the direction of text have no width.
        let is_seen = |c: &char| !matches!(c, '\u{200e}' | '\u{2066}'..='\u{2069}');
        assert!(line.chars().filter(is_seen).count() <= 76, "too wide: {line}\n{text}");
        let is_offer = line.contains("\"language ");
        let is_plain = |c: char| c.is_ascii() || c.is_alphabetic();
        assert!(!is_english || is_offer || line.chars().all(is_plain), "not ASCII: {line}");
        assert_eq!(find_missing_sentence(line), None, "a sentence is missing: {line}\n{text}");
        let is_row = line.len() > 3 && line.starts_with("| ") && line.ends_with(" |");
        assert!(!is_row, "a row of Markdown: {line}\n{text}");
    }
}

/// Returns the key of a missing sentence in a line. A sentence is shown as its key in brackets if
/// it does not exist, or if one of its arguments is missing.
fn find_missing_sentence(line: &str) -> Option<&str> {
    let is_key = |word: &&str| {
        let is_of_key = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        word.contains('-')
            && word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.chars().all(is_of_key)
    };
    line.split('[').skip(1).filter_map(|rest| rest.split(']').next()).find(is_key)
}
