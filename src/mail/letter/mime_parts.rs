//! Finds the parts of a MIME letter that contain its text, and decodes them.

use std::panic::catch_unwind;

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::charsets::map::charset_decoder;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;

use super::head::{self, ContentHeaders, LetterHeaders};
use super::{DEPTH_MAX, LetterError, PARTS_MAX, clean_text, flowed, html, markdown_text};

/// The body of a letter.
pub(super) struct LetterBody {
    /// The cleaned text. Plain text is preferred. HTML is used if there is no plain text, or if the
    /// writer struck out words, which plain text cannot show.
    pub(super) text: String,
    /// Whether the letter is encrypted, so that it has no readable text.
    pub(super) is_encrypted: bool,
}

pub(super) fn read_body(head: &LetterHeaders, body: &[u8]) -> Result<LetterBody, LetterError> {
    let mut walk = PartWalk::default();
    let reading = read_part(&head.content, body, 1, &mut walk)?;
    let text = reading.map(|reading| reading.text).unwrap_or_default();
    let is_blank = text.trim().is_empty();
    let is_armoured = text.trim_start().starts_with("-----BEGIN PGP MESSAGE-----");
    Ok(LetterBody { text, is_encrypted: is_armoured || is_blank && walk.has_encrypted_part })
}

/// The media types of encrypted text: OpenPGP (RFC 3156) and S/MIME (RFC 8551). An S/MIME part may
/// also be text that is only signed, but in a form that is not read either.
const ENCRYPTED_TYPES: [&str; 4] = [
    "multipart/encrypted",
    "application/pgp-encrypted",
    "application/pkcs7-mime",
    "application/x-pkcs7-mime",
];

/// The facts that were found so far in the parts of a letter.
#[derive(Default)]
struct PartWalk {
    count: usize,
    has_encrypted_part: bool,
}

/// The cleaned text of one MIME part of a letter.
pub(super) struct PartText {
    pub(super) text: String,
    /// Whether the part was plain text, and not converted from HTML.
    has_plain_source: bool,
    /// Whether the writer struck out words, which the text leaves out.
    has_struck_words: bool,
}

impl PartText {
    fn is_not_blank(&self) -> bool {
        !self.text.trim().is_empty()
    }
}

/// Reads a part and its subparts. Returns `None` for a part that is not text, and for an
/// attachment.
fn read_part(
    content: &ContentHeaders,
    body: &[u8],
    depth: usize,
    walk: &mut PartWalk,
) -> Result<Option<PartText>, LetterError> {
    walk.count += 1;
    if walk.count > PARTS_MAX {
        return Err(LetterError::TooManyParts);
    }
    if depth > DEPTH_MAX {
        return Err(LetterError::TooDeep);
    }
    walk.has_encrypted_part |= ENCRYPTED_TYPES.contains(&&*content.media_type);
    if content.attachment {
        return Ok(None);
    }
    match &*content.media_type {
        "" | "text" | "text/plain" => Ok(Some(read_plain_text(content, body))),
        "text/markdown" | "text/x-markdown" => {
            let plain = read_plain_text(content, body);
            Ok(Some(PartText { text: markdown_text::to_text(&plain.text), ..plain }))
        }
        "text/html" => Ok(Some(read_html(content, body))),
        kind if kind.starts_with("multipart/") => read_multipart(content, body, depth, walk),
        _ => Ok(None),
    }
}

fn read_multipart(
    content: &ContentHeaders,
    body: &[u8],
    depth: usize,
    walk: &mut PartWalk,
) -> Result<Option<PartText>, LetterError> {
    let parts = split_parts(body, content.boundary.as_deref().unwrap_or(""));
    if parts.is_empty() {
        return Ok(Some(read_plain_text(content, body)));
    }
    let is_alternative = content.media_type == "multipart/alternative";
    let mut readings = Vec::new();
    for part in parts {
        let (head, body) = head::split_headers(part);
        let head = LetterHeaders::parse(head).unwrap_or_default();
        // In a digest, a part without a media type is an enclosed letter (RFC 2046), so it is
        // skipped.
        if content.media_type == "multipart/digest" && head.content.media_type.is_empty() {
            continue;
        }
        // HTML takes longest to read, and beside plain text it only tells which words are struck
        // out.
        if is_alternative
            && head.content.media_type == "text/html"
            && readings.iter().any(is_plain_and_not_blank)
            && !html::may_strike_words(&decode_content(&head.content, body))
        {
            continue;
        }
        readings.extend(read_part(&head.content, body, depth + 1, walk)?);
    }
    Ok(if is_alternative { choose_plain_or_last(readings) } else { join_texts(readings) })
}

/// Returns the plain text among several forms of one text. If the plain text is blank, returns the
/// last form that is not blank. A form with struck-out words comes before all others.
fn choose_plain_or_last(readings: Vec<PartText>) -> Option<PartText> {
    let struck = readings.iter().position(|reading| reading.has_struck_words);
    match struck.or_else(|| readings.iter().position(is_plain_and_not_blank)) {
        Some(index) => readings.into_iter().nth(index),
        None => readings.into_iter().rfind(PartText::is_not_blank),
    }
}

fn is_plain_and_not_blank(reading: &PartText) -> bool {
    reading.has_plain_source && reading.is_not_blank()
}

fn join_texts(readings: Vec<PartText>) -> Option<PartText> {
    readings.into_iter().reduce(|mut whole, next| {
        if !whole.text.ends_with('\n') {
            whole.text.push('\n');
        }
        whole.text.push_str(&next.text);
        whole.has_plain_source |= next.has_plain_source;
        whole.has_struck_words |= next.has_struck_words;
        whole
    })
}

fn read_plain_text(content: &ContentHeaders, body: &[u8]) -> PartText {
    let text = clean_text(&decode_content(content, body));
    let text = if content.flowed { flowed::join_flowed_lines(&text, content.delsp) } else { text };
    PartText { text, has_plain_source: true, has_struck_words: false }
}

pub(super) fn read_html(content: &ContentHeaders, body: &[u8]) -> PartText {
    // HTML entities may decode to control characters, so the text is cleaned twice.
    let page = html::to_text(&clean_text(&decode_content(content, body)));
    let (text, has_struck_words) = (clean_text(&page.text), page.has_struck_words);
    PartText { text, has_plain_source: false, has_struck_words }
}

/// Splits a multipart body at its boundary lines. If the closing boundary is missing, the last part
/// extends to the end of the body. Stops soon after [`PARTS_MAX`] parts.
pub(super) fn split_parts<'a>(body: &'a [u8], boundary: &str) -> Vec<&'a [u8]> {
    let mut parts = Vec::new();
    let mut start = None;
    let mut at = 0;
    let mut close = |start: Option<usize>, end: usize| {
        let part = start.and_then(|start| body.get(start..end));
        parts.extend(part);
        parts.len() > PARTS_MAX
    };
    for line in body.split_inclusive(|byte| *byte == b'\n') {
        let after =
            line.strip_prefix(b"--").and_then(|rest| rest.strip_prefix(boundary.as_bytes()));
        let after = after.map(<[u8]>::trim_ascii_end).filter(|_| !boundary.is_empty());
        match after {
            Some(b"") => {
                if close(start, at) {
                    return parts;
                }
                start = Some(at + line.len());
            }
            Some(b"--") => {
                close(start, at);
                return parts;
            }
            _ => {}
        }
        at += line.len();
    }
    close(start, at);
    parts
}

/// Returns the decoded characters of a part's content.
pub(super) fn decode_content(content: &ContentHeaders, body: &[u8]) -> String {
    // The decoders may panic on malformed input. One letter must not end the whole pass.
    catch_unwind(|| {
        let bytes = match &*content.encoding {
            "quoted-printable" => quoted_printable_decode(body),
            "base64" => base64_decode(body),
            _ => None,
        };
        decode_charset(bytes.as_deref().unwrap_or(body), content.charset.as_deref())
    })
    .unwrap_or_default()
}

/// Decodes bytes to text. UTF-8 is recognized under the labels UTF-8 and ASCII, and without a
/// label. Other labels are always obeyed, because some charsets use ASCII bytes for other
/// characters. Unlabeled bytes that are not UTF-8 are read as Windows-1252.
fn decode_charset(bytes: &[u8], charset: Option<&str>) -> String {
    let label = charset.unwrap_or("").trim().to_ascii_lowercase();
    let is_unicode = matches!(&*label, "" | "utf-8" | "utf8" | "us-ascii" | "ascii");
    match std::str::from_utf8(bytes) {
        Ok(text) if is_unicode => return text.to_owned(),
        _ => {}
    }
    let label = if is_unicode { "windows-1252" } else { &label };
    match charset_decoder(label.as_bytes()) {
        Some(decode) => decode(bytes),
        None => String::from_utf8_lossy(bytes).into_owned(),
    }
}
