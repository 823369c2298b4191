//! The links in a letter, and the check that its reply tokens are only in allowed places.

use super::{PostedLetter, address};

/// A mailto link of a letter, as a mail program reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The link with its HTML escapes resolved.
    pub href: String,
    pub to: String,
    pub subject: String,
    pub body: String,
}

/// Returns the HTML part of a letter, or an empty text if it has none.
pub fn html_page(letter: &PostedLetter) -> String {
    let parsed = mail_parser::MessageParser::default().parse(&letter.bytes).expect("a letter");
    match parsed.html_bodies().find(|part| part.is_text_html()) {
        Some(part) => part.text_contents().expect("a page").to_owned(),
        None => String::new(),
    }
}

/// Returns the mailto links of a letter.
pub fn links(letter: &PostedLetter) -> Vec<Link> {
    let page = html_page(letter);
    let hrefs = page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let hrefs = hrefs.filter(|href| !href.starts_with('#'));
    hrefs.map(|href| parse_mailto(&href.replace("&amp;", "&"))).collect()
}

/// Returns the link of a letter that writes `line`. Panics if there is none.
pub fn link_with_body(letter: &PostedLetter, line: &str) -> Link {
    let mut all = links(letter).into_iter();
    all.find(|link| link.body == line).unwrap_or_else(|| panic!("no {line}: {}", html_page(letter)))
}

fn parse_mailto(href: &str) -> Link {
    let (to, query) = href.strip_prefix("mailto:").expect("a letter").split_once('?').expect("?");
    let mut link = Link {
        href: href.to_owned(),
        to: percent_decode(to),
        subject: String::new(),
        body: String::new(),
    };
    for field in query.split('&') {
        match field.split_once('=').expect("a field") {
            ("subject", subject) => link.subject = percent_decode(subject),
            ("body", body) => link.body = percent_decode(body),
            other => panic!("{other:?} in {href}"),
        }
    }
    link
}

fn percent_decode(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend(before.bytes());
        bytes.push(u8::from_str_radix(&after[..2], 16).expect("two digits"));
        rest = &after[2..];
    }
    bytes.extend(rest.bytes());
    String::from_utf8(bytes).expect("text")
}

impl Link {
    /// Composes the letter that a phone sends after a tap on the link. `id` must be unique.
    pub fn compose_letter_from(&self, name: &str, id: &str) -> String {
        let Self { to, subject, body, .. } = self;
        let from = address(name);
        format!(
            "From: {name} <{from}>\r\nTo: {to}\r\nSubject: {subject}\r\nMessage-ID: <{id}@phone>\
             \r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{body}\r\n\r\n\
             Sent from my iPhone\r\n"
        )
    }

    pub fn with_body(&self, line: &str) -> Self {
        Self { body: line.to_owned(), ..self.clone() }
    }
}

/// Whether a text contains a reply token of any kind.
pub fn has_reply_token(text: &str) -> bool {
    let symbol = |c: &char| matches!(c, 'a'..='z' | '2'..='7');
    let is_seal = |part: &str| part.chars().take_while(symbol).count() == 26;
    text.split(['.', '\u{feff}']).skip(1).any(is_seal)
}

/// Checks that reply tokens are only in the reply address, in links, and in the subject if the
/// club's address cannot hold them. A letter about several games has no links, so its text shows
/// the tokens of all games but the first.
pub fn assert_token_placement(letter: &PostedLetter, text: &str) {
    let is_bundle = letter.message_id.starts_with("b.");
    assert!(is_bundle || !has_reply_token(text), "{text}");
    let page = html_page(letter);
    let mut pieces = page.split("href=\"");
    let before = pieces.next().unwrap_or_default();
    let after_links = pieces.map(|piece| piece.split_once('"').expect("a link ends").1);
    let read = std::iter::once(before).chain(after_links).collect::<String>();
    assert!(!has_reply_token(&read), "{read}");
    let headers = ["Message-ID", "References", "In-Reply-To", "From", "To", "List-Id"];
    for value in headers.map(|name| letter.header(name).unwrap_or_default()) {
        assert!(!has_reply_token(&value), "{value}");
    }
}
