//! Parses the headers of a letter or of one of its MIME parts.

use std::panic::{AssertUnwindSafe, catch_unwind};

use mail_parser::{
    ContentType, Header, HeaderName, HeaderValue, Message, MessageParser, MimeHeaders,
};

use super::{HEAD_MAX, Mailbox, visible_line};
use crate::mail::address::canonical_address;
use crate::mail::line_folding::is_invisible;

/// The headers that name the addresses a letter was sent or delivered to.
const RECIPIENTS: [&str; 11] = [
    "to",
    "cc",
    "resent-to",
    "resent-cc",
    "delivered-to",
    "x-delivered-to",
    "x-original-to",
    "x-gm-original-to",
    "envelope-to",
    "x-envelope-to",
    "apparently-to",
];

/// The headers that are read at any length, besides those in [`RECIPIENTS`]. Some of them list many
/// people or letters.
const LONG_HEADERS: [&str; 5] =
    ["from", "subject", "references", "in-reply-to", "authentication-results"];

/// The most bytes that are read of any other header (4 KiB). No mail program writes that much.
/// The `mail_parser` crate joins the pieces of a content type's parameters in quadratic time. It
/// also finds a content type under malformed header names, so the limit applies to every header.
const SHORT_HEADER_MAX: usize = 1 << 12;

#[derive(Debug)]
pub(in crate::mail) struct HeaderField {
    /// The header's name, in lower case.
    pub(in crate::mail) name: String,
    /// The header's value, on one line and not decoded.
    pub(in crate::mail) value: String,
}

#[derive(Debug, Default)]
pub(in crate::mail) struct LetterHeaders {
    pub(crate) fields: Vec<HeaderField>,
    pub from: Vec<Mailbox>,
    pub recipients: Vec<String>,
    pub subject: String,
    pub content: ContentHeaders,
}

/// The content headers of a letter or part. They say how to decode the content below.
#[derive(Debug, Default)]
pub(in crate::mail) struct ContentHeaders {
    /// The media type, such as `text/plain`, in lower case. Empty if the headers do not name one.
    pub(crate) media_type: String,
    pub(crate) charset: Option<String>,
    pub(crate) boundary: Option<String>,
    /// The transfer encoding, such as `base64`, in lower case.
    pub(crate) encoding: String,
    pub(crate) flowed: bool,
    /// Whether the space at the end of a flowed line is removed when lines are joined (RFC 3676).
    pub(crate) delsp: bool,
    pub(crate) attachment: bool,
}

/// Splits a letter or part after its first blank line into headers and content.
pub(super) fn split_headers(bytes: &[u8]) -> (&[u8], &[u8]) {
    let mut end = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        end += line.len();
        if line.trim_ascii().is_empty() {
            break;
        }
    }
    bytes.split_at(end)
}

/// Iterates over the raw headers, each with its continuation lines.
fn raw_headers(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = head;
    std::iter::from_fn(move || {
        let next = rest.windows(2).position(|pair| match pair {
            [b'\n', next] => !matches!(next, b' ' | b'\t'),
            _ => false,
        });
        let (header, after) = rest.split_at(next.map_or(rest.len(), |at| at + 1));
        rest = after;
        (!header.is_empty()).then_some(header)
    })
}

/// Whether this header is read at any length, by its name.
fn is_unlimited_header(header: &[u8]) -> bool {
    let name = header.split(|byte| *byte == b':').next().unwrap_or_default();
    let mut known = LONG_HEADERS.iter().chain(&RECIPIENTS);
    known.any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}

/// Returns the headers for parsing, limited in size: the whole to [`HEAD_MAX`], and each short
/// header to [`SHORT_HEADER_MAX`].
fn truncate_headers(head: &[u8]) -> Vec<u8> {
    let head = head.get(..HEAD_MAX).unwrap_or(head);
    let mut short = Vec::with_capacity(head.len() + 4);
    for header in raw_headers(head) {
        match header.get(..SHORT_HEADER_MAX).filter(|_| !is_unlimited_header(header)) {
            Some(start) => {
                short.extend_from_slice(start);
                short.extend_from_slice(b"\r\n");
            }
            None => short.extend_from_slice(header),
        }
    }
    short.extend_from_slice(b"\r\n\r\n");
    short
}

impl LetterHeaders {
    /// Parses the headers. Returns `None` if the bytes contain no headers.
    pub fn parse(bytes: &[u8]) -> Option<LetterHeaders> {
        let whole = truncate_headers(bytes);
        // The parser crate may panic on a malformed letter. One letter must not end the whole pass.
        catch_unwind(AssertUnwindSafe(|| {
            header_parser()
                .parse_headers(&whole)
                .map(|message| LetterHeaders::from_message(&message))
        }))
        .ok()?
    }

    /// Iterates over the values of all headers with this lower-case name, topmost first.
    pub(crate) fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.fields.iter().filter(move |field| field.name == name).map(|field| &*field.value)
    }

    /// Returns the value of the topmost header with this lower-case name.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.values(name).next()
    }

    fn from_message(message: &Message<'_>) -> LetterHeaders {
        let mut head = LetterHeaders {
            content: ContentHeaders::from_message(message),
            ..LetterHeaders::default()
        };
        let mut seen = std::collections::HashSet::new();
        for header in message.headers() {
            let name = header.name().to_ascii_lowercase();
            if name == "from" {
                head.from.extend(parse_mailboxes(&header.value, replace_hidden_characters));
            } else if name == "subject" && head.subject.is_empty() {
                head.subject = visible_line(header.value.as_text().unwrap_or(""));
            } else if RECIPIENTS.contains(&&*name) {
                let addresses =
                    parse_mailboxes(&header.value, visible_line).map(|mailbox| mailbox.address);
                head.recipients.extend(addresses.filter(|address| seen.insert(address.clone())));
            }
            head.fields.push(HeaderField { name, value: raw_value(message, header) });
        }
        head
    }
}

fn header_parser() -> MessageParser {
    RECIPIENTS
        .iter()
        .fold(MessageParser::new().with_mime_headers(), |parser, name| parser.header_address(*name))
        .header_address(HeaderName::From)
        .header_text(HeaderName::Subject)
}

fn parse_mailboxes(
    value: &HeaderValue<'_>,
    clean: fn(&str) -> String,
) -> impl Iterator<Item = Mailbox> {
    let addresses = value.as_address().into_iter().flat_map(|addresses| addresses.iter());
    addresses.filter_map(move |entry| {
        let address = canonical_address(&clean(entry.address.as_deref()?));
        let name = visible_line(entry.name.as_deref().unwrap_or(""));
        (!address.is_empty()).then_some(Mailbox { name, address })
    })
}

/// Returns a sender's address on one line, with a replacement character for each invisible
/// character. Removing such characters could turn the address into another person's address.
fn replace_hidden_characters(address: &str) -> String {
    let is_hidden = |c: char| !c.is_whitespace() && (c.is_control() || is_invisible(c));
    let mark = |c| if is_hidden(c) { char::REPLACEMENT_CHARACTER } else { c };
    visible_line(&address.chars().map(mark).collect::<String>())
}

/// Returns a header's value without decoding it, on one line.
fn raw_value(message: &Message<'_>, header: &Header<'_>) -> String {
    let place = header.offset_start() as usize..header.offset_end() as usize;
    let bytes = message.raw_message.get(place).unwrap_or_default();
    visible_line(&String::from_utf8_lossy(bytes))
}

impl ContentHeaders {
    fn from_message(message: &Message<'_>) -> ContentHeaders {
        let Some(part) = message.parts.first() else {
            return ContentHeaders::default();
        };
        let encoding = part.content_transfer_encoding().unwrap_or("");
        let mut content = ContentHeaders {
            encoding: encoding.trim().to_ascii_lowercase(),
            attachment: part.content_disposition().is_some_and(ContentType::is_attachment),
            ..ContentHeaders::default()
        };
        if let Some(kind) = part.content_type() {
            let says = |name: &str, value: &str| {
                kind.attribute(name).is_some_and(|found| found.eq_ignore_ascii_case(value))
            };
            content.media_type = match kind.subtype() {
                Some(subtype) => format!("{}/{subtype}", kind.ctype()).to_ascii_lowercase(),
                None => kind.ctype().to_ascii_lowercase(),
            };
            content.charset = kind.attribute("charset").map(str::to_owned);
            content.boundary = kind.attribute("boundary").map(str::to_owned);
            content.flowed = says("format", "flowed");
            content.delsp = says("delsp", "yes");
        }
        content
    }
}
