//! The parts of a letter, and the ones among them that are its text.

use std::panic::catch_unwind;

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::charsets::map::charset_decoder;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;

use super::head::{self, ContentHeaders, LetterHeaders};
use super::{DEPTH_MAX, LetterError, PARTS_MAX, clean_text, flowed, html};

/// The text of a letter, clean: what was written as plain text, else what was written as HTML.
pub(super) fn body_text(head: &LetterHeaders, body: &[u8]) -> Result<String, LetterError> {
    let reading = read_part(&head.content, body, 1, &mut 0)?;
    Ok(reading.map(|reading| reading.text).unwrap_or_default())
}

/// The text of one part, clean.
pub(super) struct PartText {
    pub(super) text: String,
    /// Whether somebody wrote it as plain text.
    has_plain_source: bool,
}

impl PartText {
    fn is_not_blank(&self) -> bool {
        !self.text.trim().is_empty()
    }
}

/// Reads a part and those in it, and counts them. Returns nothing for a part that is not text, or
/// not part of what is said.
fn read_part(
    content: &ContentHeaders,
    body: &[u8],
    depth: usize,
    count: &mut usize,
) -> Result<Option<PartText>, LetterError> {
    *count += 1;
    if *count > PARTS_MAX {
        return Err(LetterError::TooManyParts);
    }
    if depth > DEPTH_MAX {
        return Err(LetterError::TooDeep);
    }
    if content.attachment {
        return Ok(None);
    }
    match &*content.media_type {
        "" | "text" | "text/plain" => Ok(Some(read_plain_text(content, body))),
        "text/html" => Ok(Some(read_html(content, body))),
        kind if kind.starts_with("multipart/") => read_multipart(content, body, depth, count),
        _ => Ok(None),
    }
}

fn read_multipart(
    content: &ContentHeaders,
    body: &[u8],
    depth: usize,
    count: &mut usize,
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
        // The parts of a digest are letters if they do not say what they are.
        if content.media_type == "multipart/digest" && head.content.media_type.is_empty() {
            continue;
        }
        // Reading HTML takes longest, and beside plain text nobody looks at it.
        if is_alternative
            && head.content.media_type == "text/html"
            && readings.iter().any(is_plain_and_not_blank)
        {
            continue;
        }
        readings.extend(read_part(&head.content, body, depth + 1, count)?);
    }
    Ok(if is_alternative { choose_alternative(readings) } else { join_texts(readings) })
}

/// Of several forms of the same text the plain one, unless it is blank.
fn choose_alternative(readings: Vec<PartText>) -> Option<PartText> {
    match readings.iter().position(is_plain_and_not_blank) {
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
        whole
    })
}

fn read_plain_text(content: &ContentHeaders, body: &[u8]) -> PartText {
    let text = clean_text(&decode_content(content, body));
    let text = if content.flowed { flowed::join_flowed_lines(&text, content.delsp) } else { text };
    PartText { text, has_plain_source: true }
}

pub(super) fn read_html(content: &ContentHeaders, body: &[u8]) -> PartText {
    // What is decoded of its entities is to be clean, too.
    let text = clean_text(&html::to_text(&clean_text(&decode_content(content, body))));
    PartText { text, has_plain_source: false }
}

/// The pieces between the lines that begin with the boundary; without the last such line, up to the
/// end. Never many more than are allowed.
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

/// The characters of a part's content.
pub(super) fn decode_content(content: &ContentHeaders, body: &[u8]) -> String {
    // As for headers: a fault in a decoder must not end the pass.
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

/// UTF-8 is recognized whatever the label says, unless the label is of a charset that uses ASCII's
/// bytes for more than ASCII.
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
