//! Bytes to a [`Letter`]: whose it is, for whom, what it answers and what it says. The only place
//! that knows a letter's form on the wire. May not know who is a member, what an order is, or what
//! was seen before. Attachments, and letters inside of letters, are never opened.

mod bounce_report;
mod flowed;
pub(super) mod head;
mod html;
mod mime_parts;

use std::fmt;

use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};

pub use self::bounce_report::BounceReport;
use self::head::LetterHeaders;
use super::automatic_mail::NoReplyReason;
use super::line_folding::is_invisible;
use super::token::SeatToken;
use crate::rules::Message;

/// The largest letter that is read.
pub const BYTES_MAX: usize = 1 << 20;
/// The largest headers, all together: letters of people and servers have a tenth of that.
pub const HEAD_MAX: usize = 1 << 17;
/// The most MIME parts that a letter may have.
pub(crate) const PARTS_MAX: usize = 100;
/// How deep its parts may be nested.
pub(crate) const DEPTH_MAX: usize = 10;
/// The most `Received` headers: more of them are a loop.
pub(crate) const HOPS_MAX: usize = 30;

/// A name and an address of a `From` header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mailbox {
    /// The name shown, on one line and without what is not seen; may be empty.
    pub name: String,
    /// The address, in lower case.
    pub address: String,
}

/// A letter as far as anybody here needs to know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// Every mailbox of every `From` header. Empty only if the letter is automatic.
    pub from: Vec<Mailbox>,
    /// How many `From` headers there were: two are suspicious.
    pub from_headers: usize,
    /// The lower-case addresses that it was sent or delivered to, each once.
    pub recipients: Vec<String>,
    /// The envelope sender, if the last server wrote it down: empty for `<>`.
    pub(crate) return_path: Option<String>,
    /// The subject, decoded, on one line.
    pub subject: String,
    /// The first `Message-ID`, without its angle brackets.
    pub message_id: Option<String>,
    /// What it answers: `References`, then `In-Reply-To`, without angle brackets, each once.
    pub references: Vec<String>,
    /// The values of `Authentication-Results`, topmost first. All but our own server's may be
    /// forged.
    pub(crate) authentication_results: Vec<String>,
    /// What it says, as text: lines end in `\n`, and there are no controls but tabs.
    pub body: String,
    /// Why it must never be answered, if so.
    pub automatic: Option<NoReplyReason>,
    /// What it encloses, if a mail server may have written it.
    pub(crate) bounce_report: Option<BounceReport>,
    /// The same for every delivery of the same letter.
    pub digest: LetterHash,
}

/// Why a letter cannot be read. It is kept, and the moderator is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum LetterError {
    /// More than [`BYTES_MAX`].
    #[error("it is larger than {} KiB", BYTES_MAX / 1024)]
    TooLarge,
    /// More than 100 parts.
    #[error("it has more than {PARTS_MAX} parts")]
    TooManyParts,
    /// More than 10 parts inside each other.
    #[error("its parts are nested more than {DEPTH_MAX} deep")]
    TooDeep,
    /// More than 30 `Received` headers.
    #[error("it went through more than {HOPS_MAX} servers, as letters in a loop do")]
    TooManyHops,
    /// Headers of more than [`HEAD_MAX`].
    #[error("its headers are larger than {} KiB", HEAD_MAX / 1024)]
    HeadersTooLarge,
    /// No `From` header names an address, and nothing says that a program wrote it.
    #[error("it does not say whom it is from")]
    NoSender,
    /// What should be a letter is something else.
    #[error("it is not a letter")]
    NotALetter,
}

impl LetterError {
    /// The same as a clause that the moderator reads.
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
    /// Reads a letter, with line ends of either kind. Any bytes may come in.
    ///
    /// ```
    /// use postrider::mail::{Letter, written};
    ///
    /// let bytes = b"From: Ann <ann@example.org>\r\nSubject: Re: Your turn\r\n\r\n\
    ///               build red G23\r\n\r\n> It is your turn.\r\n";
    /// let letter = Letter::read(bytes).expect("it is a letter");
    /// assert_eq!(letter.from[0].address, "ann@example.org");
    /// // What she wrote herself, and in which lines.
    /// assert_eq!(written(&letter.body, &[]), [(1, "build red G23")]);
    /// ```
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
        let body = mime_parts::body_text(&head, content)?;
        let return_path = head.value("return-path").map(strip_angle_brackets);
        let automatic = NoReplyReason::from_headers(&head, return_path.as_deref());
        if head.from.is_empty() && automatic.is_none() {
            return Err(LetterError::NoSender);
        }
        let enclosed = automatic.is_some_and(NoReplyReason::may_be_bounce_report);
        let enclosed = enclosed.then(|| bounce_report::parse_bounce_report(&head, content));
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
            digest: letter_hash(&head, message_id.as_deref(), &body),
            message_id,
            body,
            automatic,
            bounce_report: enclosed,
            from: head.from,
            recipients: head.recipients,
            subject: head.subject,
        })
    }
}

/// What the headers of a letter tell before it is opened: enough to say where it waits. It proves
/// nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeaderPreview {
    /// The first address of its `From` headers, in lower case.
    pub sender: Option<String>,
    /// The game that its reply token names. The token may be forged.
    pub game: Option<u32>,
}

impl HeaderPreview {
    /// Reads the headers of a letter to this club's address. Any bytes may come in.
    ///
    /// ```
    /// use postrider::mail::Outside;
    ///
    /// let bytes = b"From: Ann <Ann@example.org>\r\nTo: games+7.1.12.abcdefgh@example.org\r\n\r\n";
    /// let outside = Outside::of(bytes, "games@example.org");
    /// assert_eq!((outside.sender.as_deref(), outside.game), (Some("ann@example.org"), Some(7)));
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

/// What says that two letters are the same one: 16 bytes of a SHA-256.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LetterHash([u8; 16]);

impl LetterHash {
    /// Of bytes that cannot be read as a letter. Line ends of either kind give the same.
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

    /// How many characters it is written in.
    pub(crate) const TEXT_LENGTH: usize = 32;

    /// One as it is written.
    pub(crate) fn parse(written: &str) -> Option<Self> {
        let bytes = HEXLOWER.decode(written.as_bytes()).ok()?;
        Some(Self(bytes.try_into().ok()?))
    }

    /// The bytes of it.
    pub(crate) fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// Another one, for a letter about this that the one with this digest led to.
    pub(crate) fn derive_for(&self, what: &str) -> LetterHash {
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

/// Returns the first header of a letter with this name, on one line and not decoded.
pub(crate) fn first_header(letter: &[u8], name: &str) -> Option<String> {
    let (head, _) = head::split_headers(letter);
    LetterHeaders::parse(head)?.value(&name.to_ascii_lowercase()).map(str::to_owned)
}

/// Of what the writer sent, and nothing that servers add. Sender and date are in it for letters
/// without a Message-ID: two people may write the same, and one person may write it twice.
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

/// What stands in angle brackets; without brackets, all of it.
fn strip_angle_brackets(value: &str) -> String {
    let inner = value.split_once('<').map_or(value, |(_, rest)| rest);
    inner.split('>').next().unwrap_or("").trim().to_owned()
}

/// Text with `\n` at the end of its lines and without controls and marks of byte order.
fn clean_text(text: &str) -> String {
    // Most of any letter is plain ASCII, which is taken over as it stands.
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

/// What is left of a character: a line end of one, a blank of what ends lines nowhere in mail,
/// nothing of a control.
fn clean_character(character: char) -> Option<char> {
    match character {
        '\r' => Some('\n'),
        '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some(' '),
        '\u{feff}' => None,
        _ if character.is_control() => None,
        _ => Some(character),
    }
}

/// One line of what is seen: for names and subjects, which stand in logs and in letters of ours.
fn visible_line(text: &str) -> String {
    let seen = |character: &char| {
        character.is_whitespace() || !(character.is_control() || is_invisible(*character))
    };
    let seen: String = text.chars().filter(seen).collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
