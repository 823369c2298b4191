//! Converts HTML to text in one pass. Keeps every visible word and marks quoted lines with `>`.
//!
//! The HTML of mail programs is often broken, so no tree is built and nothing is validated. Two
//! things count as a quotation: a `blockquote`, unless its style shows that it only indents, and
//! everything below the divider that Outlook draws above the answered letter.

use mail_parser::decoders::html::add_html_token;
use std::borrow::Cow;

/// Returns the visible text of an HTML document.
pub(super) fn to_text(html: &str) -> String {
    let mut page = TextBuilder::default();
    let mut quotes = true;
    let mut rest = html;
    while let Some((text, after)) = rest.split_once('<') {
        page.push_text(text);
        rest = if let Some(comment) = after.strip_prefix("!--") {
            comment.split_once("-->").map_or("", |(_, rest)| rest)
        } else if after.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c)) {
            let (tag, rest) = split_tag(after, &mut quotes);
            page.handle_tag(tag);
            rest
        } else {
            page.push_text("<");
            after
        };
    }
    page.push_text(rest);
    page.end_paragraph();
    page.text
}

/// Splits the text after a `<` into the tag and the rest. While `quotes` is `true`, a `>` inside
/// quotation marks after a `=` belongs to the tag. An unclosed quotation mark sets `quotes` to
/// `false` for the rest of the document. So no text is searched twice, and the time stays linear.
fn split_tag<'a>(after: &'a str, quotes: &mut bool) -> (&'a str, &'a str) {
    let mut open = None;
    let mut last = b' ';
    for (at, byte) in after.bytes().enumerate() {
        match (open, byte) {
            (None, b'>') => return (&after[..at], &after[at + 1..]),
            (None, b'"' | b'\'') if *quotes && last == b'=' => open = Some(byte),
            (Some(mark), _) if mark == byte => open = None,
            _ => {}
        }
        last = byte;
    }
    *quotes = false;
    after.split_once('>').unwrap_or((after, ""))
}

/// The text that has been converted, and the state of the conversion.
#[derive(Default)]
struct TextBuilder {
    text: String,
    line: String,
    /// One entry per open `blockquote`: whether it is a quotation.
    open_blockquotes: Vec<bool>,
    /// The number of open quotations, plus one for each divider above an answered letter.
    quote_depth: usize,
    /// The name of the open element whose content is hidden.
    hidden_element: Option<String>,
    preformatted: bool,
    last_line_is_blank: bool,
}

/// The HTML elements whose content is not visible.
const HIDDEN_ELEMENTS: [&str; 4] = ["style", "script", "title", "head"];

/// The HTML elements that start and end a line without a blank line around them.
const BLOCK_ELEMENTS: [&str; 17] = [
    "div", "li", "ul", "ol", "tr", "table", "tbody", "section", "article", "header", "footer",
    "dl", "dt", "dd", "form", "center", "body",
];

/// The attributes that mail programs put at the start of the answered letter, in the form of
/// [`compact_attributes`]. In order: Outlook's desktop programs, Outlook on the web, Outlook for
/// the Mac, Yahoo, Zoho.
const QUOTE_START_ATTRIBUTES: [&str; 7] = [
    "border:none;border-top:solid#",
    "id=divrplyfwdmsg",
    "id=appendonsend",
    "id=mail-editor-reference-message-container",
    "id=olk_src_body_section",
    "yahoo_quoted",
    "zmail_extra",
];

impl TextBuilder {
    fn push_text(&mut self, text: &str) {
        if self.hidden_element.is_some() {
            return;
        }
        let (mut rest, mut decoded) = (text, String::new());
        while let Some(at) = rest.find('&') {
            let (before, entity) = rest.split_at(at);
            self.push_characters(before);
            let (shown, after) = entity.split_at(entity_length(entity).unwrap_or(1));
            if shown == "&" {
                self.push_character('&');
            } else {
                decoded.clear();
                add_html_token(&mut decoded, shown.as_bytes(), false);
                self.push_characters(&decoded);
            }
            rest = after;
        }
        self.push_characters(rest);
    }

    fn push_characters(&mut self, text: &str) {
        let mut rest = text;
        while !rest.is_empty() {
            // Runs of visible ASCII characters are copied unchanged.
            let word = rest.bytes().position(|byte| !byte.is_ascii_graphic()).unwrap_or(rest.len());
            let (word, other) = rest.split_at(word);
            self.line.push_str(word);
            let mut characters = other.chars();
            characters.next().into_iter().for_each(|character| self.push_character(character));
            rest = characters.as_str();
        }
    }

    fn push_character(&mut self, character: char) {
        match character {
            '\n' if self.preformatted => self.end_line(),
            '\u{a0}' => self.line.push(character),
            _ if character.is_whitespace() || character.is_control() => {
                if self.preformatted || !(self.line.is_empty() || self.line.ends_with(' ')) {
                    self.line.push(' ');
                }
            }
            _ => self.line.push(character),
        }
    }

    fn handle_tag(&mut self, tag: &str) {
        let (closes, tag) = tag.strip_prefix('/').map_or((false, tag), |tag| (true, tag));
        let end = tag.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(tag.len());
        let (name, attributes) = tag.split_at(end);
        let is_small = !name.contains(|c: char| c.is_ascii_uppercase());
        let name = if is_small { Cow::from(name) } else { name.to_ascii_lowercase().into() };
        match &self.hidden_element {
            Some(hidden) if closes && *hidden == *name => self.hidden_element = None,
            // A `head` element that is never closed ends where the `body` begins.
            Some(hidden) if hidden == "head" && name == "body" => self.hidden_element = None,
            Some(_) => return,
            None => {}
        }
        match &*name {
            "br" => self.end_line(),
            "hr" => self.push_rule(),
            "td" | "th" => self.push_character(' '),
            "pre" => {
                self.end_paragraph();
                self.preformatted = !closes;
            }
            "p" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.end_paragraph();
                self.ensure_blank_line();
            }
            "blockquote" if closes => self.close_blockquote(),
            "blockquote" => self.open_blockquote(attributes),
            name if BLOCK_ELEMENTS.contains(&name) => self.end_paragraph(),
            name if HIDDEN_ELEMENTS.contains(&name) && !closes => {
                self.hidden_element = Some(name.to_owned());
            }
            _ => {}
        }
        if matches!(&*name, "div" | "span") && !closes {
            self.handle_quote_and_signature_attributes(attributes);
        }
    }

    fn open_blockquote(&mut self, attributes: &str) {
        self.end_paragraph();
        let attributes = compact_attributes(attributes);
        let indents = attributes.contains("border:none") && attributes.contains("margin:00040px");
        self.open_blockquotes.push(!indents);
        self.quote_depth += usize::from(!indents);
    }

    fn close_blockquote(&mut self) {
        self.end_paragraph();
        if self.open_blockquotes.pop() == Some(true) {
            self.quote_depth -= 1;
        }
    }

    fn handle_quote_and_signature_attributes(&mut self, attributes: &str) {
        let attributes = compact_attributes(attributes);
        if QUOTE_START_ATTRIBUTES.iter().any(|sign| attributes.contains(sign)) {
            self.end_paragraph();
            self.quote_depth += 1;
        }
        // The signature of a mail program starts a new paragraph.
        if attributes.contains("signature") {
            self.end_paragraph();
            self.ensure_blank_line();
        }
    }

    fn push_rule(&mut self) {
        self.end_paragraph();
        self.line.push_str("________________________________");
        self.end_line();
    }

    fn end_paragraph(&mut self) {
        if !self.line.trim().is_empty() {
            self.end_line();
        }
        self.line.clear();
    }

    fn ensure_blank_line(&mut self) {
        if !self.text.is_empty() && !self.last_line_is_blank {
            self.end_line();
        }
    }

    fn end_line(&mut self) {
        // Quote depth is capped at 9. With unlimited depth, nested tags would make the text grow
        // quadratically.
        let depth = self.quote_depth.min(9);
        self.text.extend(std::iter::repeat_n('>', depth));
        if depth > 0 {
            self.text.push(' ');
        }
        let line = self.line.trim_end_matches(' ');
        self.last_line_is_blank = line.is_empty();
        self.text.push_str(line);
        self.text.push('\n');
        self.line.clear();
    }
}

/// Returns the first 1000 characters of a tag's attributes in lower case, without white space and
/// quotation marks.
fn compact_attributes(attributes: &str) -> String {
    let kept = |character: &char| !(character.is_whitespace() || "\"'".contains(*character));
    let shown = attributes.chars().take(1000).filter(kept);
    shown.collect::<String>().to_ascii_lowercase()
}

/// Returns the length of the HTML entity at the start of the text, from its `&` to its `;`. Returns
/// `None` if the text starts with no entity.
fn entity_length(text: &str) -> Option<usize> {
    let known = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'#';
    let name = text.bytes().skip(1).take(33).position(|byte| !known(&byte))?;
    (name > 0 && text.as_bytes().get(name + 1) == Some(&b';')).then_some(name + 2)
}

#[cfg(test)]
mod tests {
    use super::to_text;

    #[test]
    fn visible_words_stay_and_blocks_become_lines() {
        let html = "<html><head><title>x</title><style>p > a {}</style></head><body><p>Move A \
                    &amp; B<br>buy&nbsp;3</p><div>a <b>b</b>\n c</div><!-- no --><div>1 < 2</div>";
        assert_eq!(to_text(html), "Move A & B\nbuy\u{a0}3\n\na b c\n1 < 2\n");
    }

    #[test]
    fn blockquote_is_quoted_and_indent_is_not() {
        let html = "yes<blockquote type=cite>old<blockquote>older</blockquote></blockquote>no\
                    <blockquote style='margin:0 0 0 40px; border:none; padding:0'>in</blockquote>";
        assert_eq!(to_text(html), "yes\n> old\n>> older\nno\nin\n");
    }

    #[test]
    fn text_below_outlook_divider_is_quoted() {
        let html = "<div>yes</div><div style='border:none;border-top:solid #E1E1E1 1.0pt'>\
                    <p><b>From:</b> a</p></div><p>old</p>";
        assert_eq!(to_text(html), "yes\n> \n> From: a\n> \n> old\n> \n");
    }

    #[test]
    fn numeric_line_end_entity_stays_in_quotation() {
        assert_eq!(to_text("<blockquote>a&#10;b&#x2028;c</blockquote>"), "> a b c\n");
    }

    #[test]
    fn broken_html_is_still_converted() {
        assert_eq!(to_text("a <b x=\"1>c</b> d"), "a c d\n");
        assert_eq!(to_text("a &unknown; &; & b <"), "a &unknown; &; & b <\n");
        assert_eq!(to_text("<head>x<body>y"), "y\n");
    }
}
