//! Parses the raw bytes of an e-mail into a [`Letter`]: sender, recipients, subject, and body text.
//!
//! Only this module knows the format of e-mail (headers, MIME, HTML). It knows no members, no
//! orders, and no letters that came before. It never opens attachments or enclosed letters, except
//! in bounce reports.

#![warn(missing_docs)]

mod bounce_report;
mod flowed;
pub(super) mod head;
mod html;
mod html_style;
mod markdown_text;
mod mime_parts;
mod web_page;

use std::fmt;

use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};

pub use self::bounce_report::BounceReport;
use self::head::LetterHeaders;
use self::mime_parts::LetterBody;
pub(crate) use self::web_page::letter_as_web_page;
use super::automatic_mail::NoReplyReason;
use super::bounce::has_report_wording;
use super::line_folding::is_invisible;
use super::token::SeatToken;
use crate::rules::Message;

/// The largest letter that is read, in bytes (1 MiB).
pub const BYTES_MAX: usize = 1 << 20;
/// The largest header section of a letter that is read, in bytes (128 KiB). Letters of people and
/// servers need about a tenth of that.
pub const HEAD_MAX: usize = 1 << 17;
/// The most MIME parts that a letter may have.
pub(crate) const PARTS_MAX: usize = 100;
/// The deepest nesting of MIME parts that a letter may have.
pub(crate) const DEPTH_MAX: usize = 10;
/// The most `Received` headers that a letter may have. A letter with more of them is in a mail
/// loop.
pub(crate) const HOPS_MAX: usize = 30;

/// A name and an address of a `From` header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mailbox {
    /// The display name, on one line and without invisible characters. May be empty.
    pub name: String,
    /// The address, in its canonical form: in lower case and NFC, with the host in A-labels.
    pub address: String,
}

/// A parsed letter, with the parts that the club uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// Every mailbox of every `From` header. Empty only if a program wrote the letter.
    pub from: Vec<Mailbox>,
    /// The number of `From` headers. More than one is suspicious.
    pub from_headers: usize,
    /// The addresses that the letter was sent or delivered to, in lower case, each once.
    pub recipients: Vec<String>,
    /// The envelope sender, if the last mail server recorded it. Empty if the server recorded the
    /// null sender `<>`.
    pub(crate) return_path: Option<String>,
    /// The subject, decoded, on one line.
    pub subject: String,
    /// The first `Message-ID`, without its angle brackets.
    pub message_id: Option<String>,
    /// The IDs of the letters that this letter answers: `References`, then `In-Reply-To`, without
    /// angle brackets, each once.
    pub references: Vec<String>,
    /// The values of the `Authentication-Results` headers, topmost first. Headers that the club's
    /// own mail server did not write may be forged.
    pub(crate) authentication_results: Vec<String>,
    /// The body as text. Lines end in `\n`, and tabs are the only other control characters.
    pub body: String,
    /// Whether the letter is encrypted, so that the club cannot read its text.
    pub(crate) is_encrypted: bool,
    /// The reason why the club must not answer this letter, if a program wrote it. `None` for a
    /// personal letter.
    pub automatic: Option<NoReplyReason>,
    /// The parts of a bounce report. Only read if a mail server may have written the letter.
    pub(crate) bounce_report: Option<BounceReport>,
    /// The hash that identifies this letter. Every delivery of one letter has an equal hash.
    pub hash: LetterHash,
}

/// The reason why a letter cannot be read. The letter is kept in quarantine, and the moderator is
/// notified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum LetterError {
    /// The letter is larger than [`BYTES_MAX`].
    #[error("it is larger than {} KiB", BYTES_MAX / 1024)]
    TooLarge,
    /// The letter has more than 100 parts.
    #[error("it has more than {PARTS_MAX} parts")]
    TooManyParts,
    /// The parts are nested more than 10 deep.
    #[error("its parts are nested more than {DEPTH_MAX} deep")]
    TooDeep,
    /// The letter has more than 30 `Received` headers.
    #[error("it went through more than {HOPS_MAX} servers, as letters in a loop do")]
    TooManyHops,
    /// The headers are larger than [`HEAD_MAX`].
    #[error("its headers are larger than {} KiB", HEAD_MAX / 1024)]
    HeadersTooLarge,
    /// No `From` header has an address, and no header shows that a program wrote the letter.
    #[error("it does not say whom it is from")]
    NoSender,
    /// The bytes have no headers, so they are not a letter.
    #[error("it is not a letter")]
    NotALetter,
}

impl LetterError {
    /// Returns the reason as a translatable clause for the moderator.
    pub(crate) fn to_message(self) -> Message {
        let most = |key, most: usize| Message::new(key).with("most", most);
        match self {
            Self::TooLarge => most("unreadable-large", BYTES_MAX / 1024),
            Self::TooManyParts => most("unreadable-parts", PARTS_MAX),
            Self::TooDeep => most("unreadable-deep", DEPTH_MAX),
            Self::TooManyHops => most("unreadable-hops", HOPS_MAX),
            Self::HeadersTooLarge => most("unreadable-head", HEAD_MAX / 1024),
            Self::NoSender => Message::new("unreadable-sender"),
            Self::NotALetter => Message::new("unreadable-form"),
        }
    }
}

impl Letter {
    /// Parses a letter from raw bytes. Accepts any bytes, and both `\n` and `\r\n` as line ends.
    ///
    /// ```
    /// use postrider::mail::{Letter, written_lines};
    ///
    /// let bytes = b"From: Ann <ann@example.org>\r\nSubject: Re: Your turn\r\n\r\n\
    ///               build red G23\r\n\r\n> It is your turn.\r\n";
    /// let letter = Letter::parse(bytes).expect("it is a letter");
    /// assert_eq!(letter.from[0].address, "ann@example.org");
    /// // The lines that she wrote herself, with their line numbers.
    /// assert_eq!(written_lines(&letter.body, &[]), [(1, "build red G23")]);
    /// ```
    ///
    /// # Errors
    /// If the letter exceeds a limit, has no sender, or is not a letter.
    pub fn parse(bytes: &[u8]) -> Result<Letter, LetterError> {
        if bytes.len() > BYTES_MAX {
            return Err(LetterError::TooLarge);
        }
        let (head, content) = head::split_headers(bytes);
        if head.len() > HEAD_MAX {
            return Err(LetterError::HeadersTooLarge);
        }
        let head = LetterHeaders::parse(head).ok_or(LetterError::NotALetter)?;
        if head.values("received").count() > HOPS_MAX {
            return Err(LetterError::TooManyHops);
        }
        let LetterBody { text: body, is_encrypted } = mime_parts::read_body(&head, content)?;
        let return_path = head.value("return-path").map(strip_angle_brackets);
        let automatic = NoReplyReason::from_headers(&head, return_path.as_deref());
        if head.from.is_empty() && automatic.is_none() {
            return Err(LetterError::NoSender);
        }
        let may_be_report = match automatic {
            Some(automatic) => automatic.may_be_bounce_report(),
            None => has_report_wording(&body),
        };
        let enclosed = may_be_report.then(|| bounce_report::parse_bounce_report(&head, content));
        let message_id =
            head.value("message-id").map(strip_angle_brackets).filter(|id| !id.is_empty());
        Ok(Letter {
            from_headers: head.values("from").count(),
            return_path,
            references: parse_references(&head),
            authentication_results: head
                .values("authentication-results")
                .map(str::to_owned)
                .collect(),
            hash: letter_hash(&head, message_id.as_deref(), &body),
            message_id,
            body,
            is_encrypted,
            automatic,
            bounce_report: enclosed,
            from: head.from,
            recipients: head.recipients,
            subject: head.subject,
        })
    }

    /// Whether a person may have written the letter: at most its subject says otherwise.
    pub(crate) const fn may_be_personal(&self) -> bool {
        matches!(self.automatic, None | Some(NoReplyReason::Notice))
    }
}

/// The sender and the game that a letter's headers claim. Neither is verified. Used to choose the
/// lane (the queue of one game) in which an unopened letter waits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeaderPreview {
    /// The first address of the `From` headers, in lower case.
    pub sender: Option<String>,
    /// The number of the game in the letter's reply token. The token may be forged.
    pub game: Option<u32>,
}

impl HeaderPreview {
    /// Reads the headers of a letter that was sent to the club's address `club`. Accepts any bytes.
    ///
    /// ```
    /// use postrider::mail::HeaderPreview;
    ///
    /// let bytes = b"From: Ann <Ann@example.org>\r\nTo: games+7.1.12.abcdefgh@example.org\r\n\r\n";
    /// let preview = HeaderPreview::from_bytes(bytes, "games@example.org");
    /// assert_eq!((preview.sender.as_deref(), preview.game), (Some("ann@example.org"), Some(7)));
    /// ```
    pub fn from_bytes(bytes: &[u8], club: &str) -> Self {
        let (head, _) = head::split_headers(bytes);
        let head = Some(head).filter(|head| head.len() <= HEAD_MAX).and_then(LetterHeaders::parse);
        let Some(head) = head else { return Self::default() };
        let token = SeatToken::find_in_headers(&head.recipients, &head.subject, club);
        Self {
            sender: head.from.into_iter().next().map(|from| from.address),
            game: token.map(|token| token.purpose.game),
        }
    }
}

/// A hash that identifies a letter or other bytes: the first 16 bytes of a SHA-256. The club uses
/// it to recognize letters that it has already seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LetterHash([u8; 16]);

impl LetterHash {
    /// Returns the hash of any bytes, such as a file's content or a letter that cannot be parsed.
    /// The hash does not depend on whether lines end in `\n` or `\r\n`.
    pub fn compute(bytes: &[u8]) -> LetterHash {
        let mut hash = Sha256::new();
        for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            if index > 0 {
                hash.update(b"\n");
            }
            hash.update(line.strip_suffix(b"\r").unwrap_or(line));
        }
        LetterHash::from_sha256(hash)
    }

    /// The number of characters of a letter hash in its text form.
    pub(crate) const TEXT_LENGTH: usize = 32;

    /// Parses the text form of a letter hash: 32 lower-case hexadecimal digits.
    pub(crate) fn parse(written: &str) -> Option<Self> {
        let bytes = HEXLOWER.decode(written.as_bytes()).ok()?;
        Some(Self(bytes.try_into().ok()?))
    }

    pub(crate) fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// Returns the hash for a letter that the club sends because of this letter. One letter may
    /// cause several, so `what` tells them apart, such as the recipient's address.
    pub(crate) fn derive_for_caused_letter(&self, what: &str) -> LetterHash {
        LetterHash::compute(format!("{self} {what}").as_bytes())
    }

    fn from_sha256(hash: Sha256) -> LetterHash {
        let mut short = [0; 16];
        for (short, long) in short.iter_mut().zip(hash.finalize()) {
            *short = long;
        }
        LetterHash(short)
    }
}

impl fmt::Display for LetterHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(&self.0))
    }
}

/// Returns the value of the first header named `name`, on one line and not decoded.
pub(crate) fn first_header(letter: &[u8], name: &str) -> Option<String> {
    let (head, _) = head::split_headers(letter);
    LetterHeaders::parse(head)?.value(&name.to_ascii_lowercase()).map(str::to_owned)
}

/// Returns the hash of the parts of a letter that its sender wrote. Mail servers add headers on
/// each delivery, so those are left out. Sender and date are included because a letter may have no
/// Message-ID. Two people may send equal text, and one person may send it twice.
fn letter_hash(head: &LetterHeaders, message_id: Option<&str>, body: &str) -> LetterHash {
    let mut hash = Sha256::new();
    let sender = head.from.first().map_or("", |from| &from.address);
    let date = head.value("date").unwrap_or("");
    for piece in [message_id.unwrap_or(""), sender, date, &head.subject] {
        hash.update(piece);
        hash.update([0]);
    }
    for line in body.trim_end().lines() {
        hash.update(line.trim_end());
        hash.update(b"\n");
    }
    LetterHash::from_sha256(hash)
}

fn parse_references(head: &LetterHeaders) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for value in head.values("references").chain(head.values("in-reply-to")) {
        for piece in value.split('<').skip(1) {
            let id = piece.split('>').next().unwrap_or("").trim();
            if !id.is_empty() && seen.insert(id) {
                found.push(id.to_owned());
            }
        }
    }
    found
}

/// Returns the text inside of the first angle brackets, or the whole text if it has none.
fn strip_angle_brackets(value: &str) -> String {
    let inner = value.split_once('<').map_or(value, |(_, rest)| rest);
    inner.split('>').next().unwrap_or("").trim().to_owned()
}

/// Returns text with `\n` as the only line end, without control characters and byte order marks.
fn clean_text(text: &str) -> String {
    // Most of any letter is plain ASCII, so whole runs of it are copied unchanged.
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    let mut cleaned = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let plain = rest.bytes().position(|byte| !is_plain(byte)).unwrap_or(rest.len());
        let (as_it_is, other) = rest.split_at(plain);
        cleaned.push_str(as_it_is);
        let (other, next) = other.split_at(other.bytes().position(is_plain).unwrap_or(other.len()));
        let ended = other.strip_suffix('\r').filter(|_| next.starts_with('\n'));
        let other = ended.unwrap_or(other);
        match other.chars().any(|character| clean_character(character) != Some(character)) {
            true => cleaned.extend(other.chars().filter_map(clean_character)),
            false => cleaned.push_str(other),
        }
        rest = next;
    }
    cleaned
}

/// Returns the character to keep instead of `character`, or `None` to drop it. A carriage return
/// becomes a line feed. Separators that end no line in mail become a space. Byte order marks and
/// control characters are dropped.
fn clean_character(character: char) -> Option<char> {
    match character {
        '\r' => Some('\n'),
        '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some(' '),
        '\u{feff}' => None,
        _ if character.is_control() => None,
        _ => Some(character),
    }
}

/// Returns the visible characters of a text as one line. Used for names and subjects, which the
/// club shows in logs and in its own letters.
fn visible_line(text: &str) -> String {
    let seen = |character: &char| {
        character.is_whitespace() || !(character.is_control() || is_invisible(*character))
    };
    let seen: String = text.chars().filter(seen).collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
