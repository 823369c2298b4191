//! Composes the bytes of an outgoing letter from its texts, pictures and calendar entries.

use super::HeaderText;
use crate::mail::OWN_HEADER;
use crate::mail::line_folding::is_invisible;
use crate::rules;
use chrono::{DateTime, Utc};
use lettre::Address;
use lettre::address::AddressError;
use lettre::message::header::{
    self, ContentDisposition, ContentTransferEncoding, ContentType, HeaderName, HeaderValue,
    Headers,
};
use lettre::message::{Attachment, Body, Mailbox, Mailboxes, MultiPart, SinglePart};
use std::time::{Duration, SystemTime};

/// The longest line, in bytes, that is sent without encoding. RFC 5321 allows 998.
const LINE_MAX: usize = 990;

/// The content of a letter before it is composed. The texts may contain any characters.
#[derive(Clone, Debug)]
pub struct Draft<'a> {
    /// The Message-ID, without angle brackets. A letter that is composed again keeps its
    /// Message-ID.
    pub message_id: &'a str,
    pub from: (&'a str, &'a str),
    pub to: (&'a str, &'a str),
    /// The address for replies, if it differs from the club's plain address.
    pub reply_to: Option<&'a str>,
    pub subject: &'a str,
    /// The Message-ID of the letter that this one answers, without angle brackets.
    pub in_reply_to: Option<&'a str>,
    /// The Message-IDs of the earlier letters in the thread, oldest first, without angle brackets.
    pub references: &'a [String],
    /// The name and ID for the `List-Id` header, by which mail programs sort letters. The ID is
    /// like `g12.example.org`.
    pub list: Option<(&'a str, &'a str)>,
    /// The `mailto` link for the `List-Unsubscribe` header, which stops letters of this kind.
    pub unsubscribe: Option<&'a str>,
    pub origin: Origin,
    /// The time for the `Date` header.
    pub written_at: DateTime<Utc>,
    pub text: &'a str,
    pub html: Option<&'a str>,
    /// The PNG pictures in the HTML: the Content-ID, without angle brackets, and the bytes of each.
    pub pictures: &'a [(&'a str, &'a [u8])],
    /// The calendar entries (iCalendar). Each is attached as a part.
    pub calendars: &'a [String],
}

/// Whether a letter answers another one, for the `Auto-Submitted` header (RFC 3834).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Replied,
    Generated,
}

/// The error that a letter cannot be composed because an address is invalid.
#[derive(Debug, thiserror::Error)]
#[error("{address} is no address that a letter can go to: {why}")]
pub struct ComposeError {
    address: String,
    why: AddressError,
}

impl ComposeError {
    /// Returns the error as a translatable clause.
    pub(crate) fn to_message(&self) -> rules::Message {
        rules::Message::new("fault-address").with("address", self.address.as_str())
    }
}

/// Composes the bytes of a letter. The output is deterministic: equal drafts give equal bytes.
///
/// # Errors
/// If an address is invalid.
pub fn compose_letter_bytes(draft: &Draft<'_>) -> Result<Vec<u8>, ComposeError> {
    let id = keep_bracket_safe_chars(draft.message_id);
    let text = text_part(ContentType::TEXT_PLAIN, draft.text);
    let said = match draft.html {
        None => LetterText::Plain(text),
        Some(html) => {
            let both = MultiPart::alternative().boundary(part_boundary(&id)).singlepart(text);
            let html = text_part(ContentType::TEXT_HTML, html);
            LetterText::WithHtml(match draft.pictures {
                [] => both.singlepart(html),
                pictures => both.multipart(html_with_pictures(&id, html, pictures)),
            })
        }
    };
    let parts = match (said, draft.calendars) {
        (LetterText::Plain(text), []) => text.formatted(),
        (LetterText::WithHtml(parts), []) => parts.formatted(),
        (said, entries) => {
            // Calendar entries are attached next to the text, and are not alternatives of it. A
            // program that shows the last alternative that it understands would show the entry
            // instead of the text.
            let whole = MultiPart::mixed().boundary(part_boundary(&format!("calendar {id}")));
            let whole = match said {
                LetterText::Plain(text) => whole.singlepart(text),
                LetterText::WithHtml(parts) => whole.multipart(parts),
            };
            let parts = entries.iter().zip(1..).map(|(entry, number)| {
                let one = entries.len() == 1;
                let name = if one { String::new() } else { format!("-{number}") };
                calendar_part(&format!("deadline{name}.ics"), entry)
            });
            parts.fold(whole, MultiPart::singlepart).formatted()
        }
    };
    let mut letter = build_letter_headers(draft, &id)?.to_string().into_bytes();
    letter.extend(parts);
    Ok(letter)
}

/// Builds the headers of the whole letter. lettre's message builder would also parse them to build
/// an envelope, which is not needed here.
fn build_letter_headers(draft: &Draft<'_>, id: &str) -> Result<Headers, ComposeError> {
    let mut head = Headers::new();
    head.set(header::MessageId::from(format!("<{id}>")));
    head.set(header::Date::new(SystemTime::UNIX_EPOCH + unix_time(draft.written_at)));
    head.set(header::From::from(Mailboxes::from(parse_mailbox(draft.from)?)));
    head.set(header::To::from(Mailboxes::from(parse_mailbox(draft.to)?)));
    head.set(header::Subject::from(HeaderText::new(draft.subject).as_str().to_owned()));
    if let Some(address) = draft.reply_to {
        let to = parse_mailbox((draft.from.0, address))?;
        head.set(header::ReplyTo::from(Mailboxes::from(to)));
    }
    set_thread_headers(&mut head, draft);
    let origin = match draft.origin {
        Origin::Replied => "auto-replied",
        Origin::Generated => "auto-generated",
    };
    insert_raw_header(&mut head, "Auto-Submitted", origin);
    // Asks Exchange for no automatic replies and receipts. `All` and `NDR` would suppress bounces.
    insert_raw_header(&mut head, "X-Auto-Response-Suppress", "DR, RN, NRN, OOF, AutoReply");
    insert_raw_header(&mut head, OWN_HEADER, concat!("postrider ", env!("CARGO_PKG_VERSION")));
    if let Some((name, list)) = draft.list {
        insert_raw_header(
            &mut head,
            "List-Id",
            &format!("{} <{}>", list_id_phrase(name), keep_bracket_safe_chars(list)),
        );
    }
    if let Some(link) = draft.unsubscribe {
        insert_raw_header(
            &mut head,
            "List-Unsubscribe",
            &format!("<{}>", keep_bracket_safe_chars(link)),
        );
    }
    head.set(header::MIME_VERSION_1_0);
    Ok(head)
}

/// Checks that letters can be addressed to an address.
///
/// # Errors
/// If the address is invalid. The error states the reason.
pub fn check_address(address: &str) -> Result<(), ComposeError> {
    parse_mailbox(("", address)).map(drop)
}

/// The text of a letter: plain text, or plain text with an HTML alternative.
enum LetterText {
    Plain(SinglePart),
    WithHtml(MultiPart),
}

/// Combines the HTML with its pictures as a `multipart/related` part.
fn html_with_pictures(id: &str, html: SinglePart, pictures: &[(&str, &[u8])]) -> MultiPart {
    let related = MultiPart::related().boundary(part_boundary(&format!("pictures {id}")));
    let parts = pictures.iter().zip(1..).map(|((id, bytes), number)| {
        let name = if pictures.len() == 1 { String::new() } else { format!("-{number}") };
        Attachment::new_inline_with_name(keep_bracket_safe_chars(id), format!("board{name}.png"))
            .body(
                bytes.to_vec(),
                ContentType::parse("image/png").unwrap_or(ContentType::TEXT_PLAIN),
            )
    });
    parts.fold(related.singlepart(html), MultiPart::singlepart)
}

fn calendar_part(name: &str, entry: &str) -> SinglePart {
    let kind = ContentType::parse("text/calendar; charset=utf-8; method=PUBLISH");
    SinglePart::builder()
        .header(kind.unwrap_or(ContentType::TEXT_PLAIN))
        .header(ContentDisposition::attachment(name))
        .body(Body::new(entry.to_owned()))
}

/// Builds a text part. Text that every mail server accepts is not encoded, so that the raw letter
/// is readable in a terminal. Carriage returns and NULs are removed, because lettre would send them
/// unchanged.
fn text_part(kind: ContentType, text: &str) -> SinglePart {
    let text = text.replace(['\r', '\0'], "");
    let body = match to_unencoded_ascii(&text) {
        Some(bytes) => Body::dangerous_pre_encoded(bytes, ContentTransferEncoding::SevenBit),
        None => Body::new(text),
    };
    SinglePart::builder().header(kind).body(body)
}

/// Returns ASCII text with CR LF line ends. Returns `None` if the text must be encoded: it is not
/// ASCII, or a line is longer than [`LINE_MAX`].
fn to_unencoded_ascii(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() {
        return None;
    }
    // Each line end adds one byte. One per 16 bytes of text leaves ample space.
    let mut bytes = Vec::with_capacity(text.len() + text.len() / 16);
    for line in text.as_bytes().split_inclusive(|byte| *byte == b'\n') {
        let said = line.strip_suffix(b"\n");
        let (said, end): (_, &[u8]) = said.map_or((line, b""), |said| (said, b"\r\n"));
        if said.len() > LINE_MAX {
            return None;
        }
        bytes.extend_from_slice(said);
        bytes.extend_from_slice(end);
    }
    Some(bytes)
}

fn set_thread_headers(head: &mut Headers, draft: &Draft<'_>) {
    if let Some(answered) = draft.in_reply_to {
        head.set(header::InReplyTo::from(format!("<{}>", keep_bracket_safe_chars(answered))));
    }
    let references: Vec<String> =
        draft.references.iter().map(|id| format!("<{}>", keep_bracket_safe_chars(id))).collect();
    if !references.is_empty() {
        head.set(header::References::from(references.join(" ")));
    }
}

fn insert_raw_header(head: &mut Headers, name: &'static str, value: &str) {
    head.insert_raw(HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned()));
}

fn parse_mailbox((name, address): (&str, &str)) -> Result<Mailbox, ComposeError> {
    let is_hidden = |c| is_invisible(c) || c == char::REPLACEMENT_CHARACTER;
    let read = if address.contains(is_hidden) {
        Err(AddressError::InvalidInput)
    } else {
        address.parse::<Address>()
    };
    let address =
        read.map_err(|why| ComposeError { address: address.escape_default().to_string(), why })?;
    let name = HeaderText::new(name).as_str().to_owned();
    Ok(Mailbox::new((!name.is_empty()).then_some(name), address))
}

/// Returns the letters, digits, spaces, hyphens and apostrophes of a name. No other character has
/// to be quoted in the `List-Id` header.
fn list_id_phrase(name: &str) -> String {
    let name = HeaderText::new(name);
    let plain = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\'');
    name.as_str().chars().filter(plain).collect()
}

/// Returns the characters of an ID, address or link that are allowed inside angle brackets, at most
/// 400.
fn keep_bracket_safe_chars(text: &str) -> String {
    text.chars().filter(|c| c.is_ascii_graphic() && !matches!(c, '<' | '>')).take(400).collect()
}

/// Returns the boundary between the parts of a letter, derived from the hash of `id`. It is
/// unlikely to occur in the text. A letter that is composed again has equal boundaries.
fn part_boundary(id: &str) -> String {
    use sha2::{Digest, Sha256};
    let digest = Sha256::digest(id.as_bytes());
    format!("postrider-{}", data_encoding::HEXLOWER.encode(digest.get(..12).unwrap_or_default()))
}

fn unix_time(at: DateTime<Utc>) -> Duration {
    Duration::from_secs(u64::try_from(at.timestamp()).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::Letter;
    use proptest::prelude::*;

    fn sample_draft<'a>() -> Draft<'a> {
        Draft {
            message_id: "g1.s1.r1@example.org",
            from: ("Club", "games@example.org"),
            to: ("Ann", "ann@example.org"),
            reply_to: Some("games+1.1.1.x@example.org"),
            subject: "Paris Connection 1",
            in_reply_to: None,
            references: &[],
            list: Some(("Lyon 1", "g1.example.org")),
            unsubscribe: Some("mailto:games+s.1.d.x@example.org?subject=Stop"),
            origin: Origin::Generated,
            written_at: DateTime::UNIX_EPOCH,
            text: "hello\n",
            html: Some("<p>hello</p>"),
            pictures: &[],
            calendars: &[],
        }
    }

    #[test]
    fn same_draft_gives_same_bytes() {
        let bytes = compose_letter_bytes(&sample_draft()).expect("composed");
        assert_eq!(bytes, compose_letter_bytes(&sample_draft()).expect("composed"));
        let text = String::from_utf8(bytes).expect("plain text");
        assert!(text.contains("Message-ID: <g1.s1.r1@example.org>\r\n"), "{text}");
        assert!(text.contains("Auto-Submitted: auto-generated\r\n"), "{text}");
        let suppressed = "X-Auto-Response-Suppress: DR, RN, NRN, OOF, AutoReply\r\n";
        assert!(text.contains(suppressed), "{text}");
        assert!(text.contains("List-Id: Lyon 1 <g1.example.org>\r\n"), "{text}");
        let stop = "List-Unsubscribe: <mailto:games+s.1.d.x@example.org?subject=Stop>\r\n";
        assert!(text.contains(stop), "{text}");
    }

    #[test]
    fn address_with_hidden_characters_is_refused() {
        for hidden in ['\u{200b}', '\u{ad}', '\u{2060}', '\u{fffd}'] {
            let address = format!("ann{hidden}@example.org");
            assert!(check_address(&address).is_err(), "{hidden:?}");
        }
        assert!(check_address("josé@exämple.org").is_ok());
    }

    #[test]
    fn list_name_is_encoded_and_id_is_not() {
        let draft = Draft { list: Some(("Пермь, <x> 1", "g1.example.org")), ..sample_draft() };
        let text =
            String::from_utf8(compose_letter_bytes(&draft).expect("composed")).expect("plain text");
        let id = text.lines().find(|line| line.starts_with("List-Id: ")).expect("it has one");
        assert!(id.contains("=?utf-8?b?") && id.ends_with(" <g1.example.org>"), "{id}");
    }

    /// Returns the first property of a letter for which a mail server could refuse or change it.
    fn transport_fault(letter: &[u8]) -> Option<&'static str> {
        let ends = letter.split_inclusive(|byte| *byte == b'\n');
        let lines: Vec<&[u8]> = ends.map(|l| l.strip_suffix(b"\r\n").unwrap_or(l)).collect();
        let has = |bytes: &[u8]| letter.iter().any(|byte| bytes.contains(byte));
        if !letter.is_ascii() || has(b"\0") {
            return Some("a byte that is no text");
        }
        if lines.iter().any(|line| line.iter().any(|byte| b"\r\n".contains(byte))) {
            return Some("a bare line end");
        }
        lines.iter().any(|line| line.len() > 998).then_some("a long line")
    }

    #[test]
    fn text_with_long_line_is_quoted_printable() {
        for (length, encoding) in [(LINE_MAX, "7bit"), (LINE_MAX + 1, "quoted-printable")] {
            let line = "x".repeat(length);
            let html = format!("<p>{line}</p>");
            let text = format!("one\n{line}\n");
            let bytes =
                compose_letter_bytes(&Draft { text: &text, html: Some(&html), ..sample_draft() });
            let bytes = bytes.expect("composed");
            assert_eq!(transport_fault(&bytes), None, "{length}");
            let letter = String::from_utf8(bytes.clone()).expect("plain text");
            let found = letter.lines().find(|line| line.starts_with("Content-Transfer-Encoding"));
            assert_eq!(found, Some(&*format!("Content-Transfer-Encoding: {encoding}")));
            let read = Letter::parse(&bytes).expect("it can be read").body;
            assert!(read.contains(&line), "{read}");
        }
    }

    #[test]
    fn references_are_listed_oldest_first() {
        let references = ["a@x.org".to_owned(), "b@x.org".to_owned()];
        let draft =
            Draft { in_reply_to: Some("c@x.org"), references: &references, ..sample_draft() };
        let text =
            String::from_utf8(compose_letter_bytes(&draft).expect("composed")).expect("plain text");
        assert!(text.contains("In-Reply-To: <c@x.org>\r\n"), "{text}");
        assert!(text.contains("References: <a@x.org> <b@x.org>\r\n"), "{text}");
    }

    #[test]
    fn nested_parts_have_distinct_boundaries() {
        let calendars = ["BEGIN:VCALENDAR\r\n".to_owned()];
        let draft = Draft { pictures: &[("p1", b"png")], calendars: &calendars, ..sample_draft() };
        let text =
            String::from_utf8(compose_letter_bytes(&draft).expect("composed")).expect("plain text");
        let marks = text.split("boundary=\"").skip(1).filter_map(|rest| rest.split('"').next());
        let marks: std::collections::BTreeSet<&str> = marks.collect();
        assert_eq!(marks.len(), 3, "{text}");
        for mark in marks {
            assert_eq!(text.matches(&format!("\r\n--{mark}--\r\n")).count(), 1, "{text}");
        }
    }

    proptest! {
        #[test]
        fn composed_letter_is_valid_for_any_text(
            text in "(?s).{0,300}|[a-z]{900,1100}|[\\x00-\\x7f]{0,200}",
            subject in "\\PC{0,400}|[a-z]{300}",
            name in "\\PC{0,300}",
            count in 0usize..60,
        ) {
            let references: Vec<String> =
                (0..count).map(|n| format!("g1.s1.r{n}@example.org")).collect();
            let draft = Draft {
                from: (&name, "games@example.org"), subject: &subject, references: &references,
                list: Some((&name, "g1.example.org")), text: &text, html: Some(&text),
                ..sample_draft()
            };
            let bytes = compose_letter_bytes(&draft).expect("composed");
            prop_assert_eq!(transport_fault(&bytes), None, "{}", String::from_utf8_lossy(&bytes));
        }

        #[test]
        fn no_input_injects_a_header(name in "\\PC*|[\\x00-\\x7f]*", subject in "(?s).{0,300}",
                                    id in "(?s).{0,90}", text in "(?s).{0,300}") {
            let references = [id.clone()];
            let draft = Draft {
                from: (&name, "games@example.org"), to: (&name, "ann@example.org"),
                subject: &subject, in_reply_to: Some(&id), references: &references,
                list: Some((&name, &id)), text: &text, ..sample_draft()
            };
            let bytes = compose_letter_bytes(&draft).expect("composed");
            let all = String::from_utf8_lossy(&bytes).into_owned();
            let (head, _) = all.split_once("\r\n\r\n").expect("headers end");
            let mut names: Vec<&str> = head
                .split("\r\n")
                .filter(|line| !line.starts_with([' ', '\t']))
                .map(|line| line.split(':').next().unwrap_or_default())
                .collect();
            names.sort_unstable();
            prop_assert_eq!(names, [
                "Auto-Submitted", "Content-Type", "Date", "From", "In-Reply-To", "List-Id",
                "List-Unsubscribe", "MIME-Version", "Message-ID", "References", "Reply-To",
                "Subject", "To", "X-Auto-Response-Suppress", "X-Postrider",
            ]);
            let read = Letter::parse(&bytes).expect("it can be read");
            prop_assert_eq!(read.from_headers, 1);
            prop_assert_eq!(&read.from[0].address, "games@example.org");
        }
    }
}
