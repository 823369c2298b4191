//! HTML to text, in one pass: every word that is shown stays, and what is quoted gets a `>`.
//!
//! No tree is built and nothing is checked: a mail program's HTML is as broken as it likes. A
//! quotation is a `blockquote`, unless it is one of those by which a person merely indents, and
//! everything below the line that Outlook draws between an answer and the letter that it answers.

use mail_parser::decoders::html::add_html_token;

/// The text that HTML shows.
pub(super) fn to_text(html: &str) -> String {
    let mut page = Page::default();
    let mut rest = html;
    while let Some((text, after)) = rest.split_once('<') {
        page.text(text);
        rest = if after.starts_with("!--") {
            after.split_once("-->").map_or("", |(_, rest)| rest)
        } else if after.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c)) {
            let (tag, rest) = split_tag(after);
            page.tag(tag);
            rest
        } else {
            page.text("<");
            after
        };
    }
    page.text(rest);
    page.end_line();
    page.text
}

/// The tag up to its `>`, which may also stand in an attribute's quotation marks; a tag that never
/// ends is text of its own line.
fn split_tag(after: &str) -> (&str, &str) {
    let mut quote = None;
    for (at, byte) in after.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return (&after[..at], &after[at + 1..]),
            (None, b'"' | b'\'') if after[..at].ends_with('=') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    after.split_once('>').unwrap_or((after, ""))
}
