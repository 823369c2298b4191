//! The headers of a letter or of one of its parts.

use std::panic::{AssertUnwindSafe, catch_unwind};

use mail_parser::{
    ContentType, Header, HeaderName, HeaderValue, Message, MessageParser, MimeHeaders,
};

use super::{HEAD_MAX, Mailbox, visible_line};
use crate::mail::line_folding::is_invisible;

/// Headers that say whom a letter was sent or delivered to.
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

/// The headers of which any length is read; the longest need as many bytes as there are people.
const LONG_HEADERS: [&str; 5] =
    ["from", "subject", "references", "in-reply-to", "authentication-results"];

/// The longest of all others; no mail program writes as much. The library puts pieces of a content
/// type's parameters together in a time that grows with the square of their number, and finds one
/// also where its name has gaps or stands below what is no header.
const SHORT_HEADER_MAX: usize = 1 << 12;

/// A header.
#[derive(Debug)]
pub(in crate::mail) struct HeaderField {
    /// Its name, in lower case.
    pub(in crate::mail) name: String,
    /// Its value, on one line.
    pub(in crate::mail) value: String,
}

/// What is known from headers alone.
#[derive(Debug, Default)]
pub(in crate::mail) struct LetterHeaders {
    /// Every header in order.
    pub(crate) fields: Vec<HeaderField>,
    pub from: Vec<Mailbox>,
    pub recipients: Vec<String>,
    pub subject: String,
    pub content: ContentHeaders,
}

/// The way in which the content below the headers must be read.
#[derive(Debug, Default)]
pub(in crate::mail) struct ContentHeaders {
    /// Such as `text/plain`, in lower case; empty if the headers do not say.
    pub(crate) media_type: String,
    pub(crate) charset: Option<String>,
    pub(crate) boundary: Option<String>,
    /// The transfer encoding, such as `base64`, in lower case.
    pub(crate) encoding: String,
    pub(crate) flowed: bool,
    /// Whether the space at the end of a flowed line goes away.
    pub(crate) delsp: bool,
    pub(crate) attachment: bool,
}

/// Headers and content, parted by the first blank line.
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

/// Each header with the lines that continue it.
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

/// Whether a header may be long.
fn may_be_long(header: &[u8]) -> bool {
    let name = header.split(|byte| *byte == b':').next().unwrap_or_default();
    let mut known = LONG_HEADERS.iter().chain(&RECIPIENTS);
    known.any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}

/// The headers as they are read: what nobody needs of them is cut off.
fn truncate_headers(head: &[u8]) -> Vec<u8> {
    let head = head.get(..HEAD_MAX).unwrap_or(head);
    let mut short = Vec::with_capacity(head.len() + 4);
    for header in raw_headers(head) {
        match header.get(..SHORT_HEADER_MAX).filter(|_| !may_be_long(header)) {
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
    /// `None` if these bytes are no headers at all.
    pub fn parse(bytes: &[u8]) -> Option<LetterHeaders> {
        let whole = truncate_headers(bytes);
        // A letter must not end the pass, even if it finds a fault in the library that reads it.
        catch_unwind(AssertUnwindSafe(|| {
            header_parser()
                .parse_headers(&whole)
                .map(|message| LetterHeaders::from_message(&message))
        }))
        .ok()?
    }

    /// The values of every header of this lower-case name, topmost first.
    pub(crate) fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.fields.iter().filter(move |field| field.name == name).map(|field| &*field.value)
    }

    /// The topmost value.
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
        let address = clean(entry.address.as_deref()?).to_ascii_lowercase();
        let name = visible_line(entry.name.as_deref().unwrap_or(""));
        (!address.is_empty()).then_some(Mailbox { name, address })
    })
}

/// Returns a sender's address on one line, with a sign for each character that nobody sees: without
/// them it could be the address of somebody else.
fn replace_hidden_characters(address: &str) -> String {
    let is_hidden = |c: char| !c.is_whitespace() && (c.is_control() || is_invisible(c));
    let mark = |c| if is_hidden(c) { char::REPLACEMENT_CHARACTER } else { c };
    visible_line(&address.chars().map(mark).collect::<String>())
}

/// The value as it stands there, on one line.
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
