//! Converts HTML to text in one pass. Keeps every visible word and marks quoted lines with `>`.
//! Words that are struck out or hidden are left out, because the writer does not mean them.
//!
//! The HTML of mail programs is often broken, so no tree is built and nothing is validated. Two
//! things count as a quotation: a `blockquote`, unless its style shows that it only indents, and
//! everything below the divider that Outlook draws above the answered letter.

use super::html_style::{
    STRIKING_ELEMENTS, UnseenReason, compact_attributes, find_unseen_reason, has_own_font_size,
    strikes_through,
};
use mail_parser::decoders::html::add_html_token;
use std::borrow::Cow;

/// The text of an HTML document.
pub(super) struct PageText {
    pub(super) text: String,
    /// Whether the writer struck out words of their own, which `text` leaves out.
    pub(super) has_struck_words: bool,
}

/// Whether an HTML document may strike out words. This is a quick search, so that other documents
/// need not be converted to find out.
pub(super) fn may_strike_words(html: &str) -> bool {
    let html = html.to_ascii_lowercase();
    ["<s>", "<s ", "<strike", "<del"].iter().any(|sign| html.contains(sign))
        || strikes_through(&html)
}

/// Returns the visible text of an HTML document.
pub(super) fn to_text(html: &str) -> PageText {
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
    PageText { text: page.text, has_struck_words: page.has_struck_words }
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
    /// The names of the open elements whose words are struck out or hidden, outermost first. Each
    /// one but the first is inside the others.
    unseen_elements: Vec<String>,
    /// The reason why the words in `unseen_elements` are not seen.
    unseen_because: UnseenReason,
    has_struck_words: bool,
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

/// The HTML elements that have no content, so they are never closed.
const VOID_ELEMENTS: [&str; 13] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
];

/// The HTML elements that the start of another one closes, if it is no part of them.
const SELF_CLOSING_ELEMENTS: [&str; 7] = ["p", "li", "td", "th", "tr", "dt", "dd"];

/// The most open elements inside of an unseen one that are counted.
const UNSEEN_DEPTH_MAX: usize = 100;

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
        if !self.unseen_elements.is_empty() {
            let is_struck = self.unseen_because == UnseenReason::StruckOut;
            let is_own = is_struck && self.quote_depth == 0;
            self.has_struck_words |= is_own && text.contains(char::is_alphanumeric);
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
        self.track_unseen_elements(closes, &name, attributes);
        match &*name {
            "br" => self.end_line(),
            "hr" if self.unseen_elements.is_empty() => self.push_horizontal_rule(),
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

    /// Notes where an element begins or ends whose words are struck out or hidden.
    ///
    /// The end of an element around an unseen one ends that too, except for struck-out words, which
    /// browsers carry on to the next paragraph.
    fn track_unseen_elements(&mut self, closes: bool, name: &str, attributes: &str) {
        // A name such as `s:x` is that of another element than `s`.
        if VOID_ELEMENTS.contains(&name) || attributes.starts_with(':') {
            return;
        }
        if closes {
            let open = self.unseen_elements.iter().rposition(|open| open == name);
            let is_around = name != "p" && is_block_element(name);
            let carries_on = || {
                let first = self.unseen_elements.first();
                first.is_some_and(|first| STRIKING_ELEMENTS.contains(&&**first))
            };
            match open {
                Some(open) => self.unseen_elements.truncate(open),
                None if is_around && !carries_on() => self.unseen_elements.clear(),
                None => {}
            }
            return;
        }
        if let Some(last) = self.unseen_elements.last()
            && SELF_CLOSING_ELEMENTS.contains(&&**last)
            && (last == name || last == "p" && is_block_element(name))
        {
            self.unseen_elements.pop();
        }
        if self.unseen_because == UnseenReason::FontSize && has_own_font_size(attributes) {
            self.unseen_elements.clear();
        }
        if self.unseen_elements.is_empty() {
            let Some(reason) = find_unseen_reason(name, attributes) else { return };
            self.unseen_because = reason;
            self.unseen_elements.push(name.to_owned());
        } else if self.unseen_elements.len() < UNSEEN_DEPTH_MAX {
            self.unseen_elements.push(name.to_owned());
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

    fn push_horizontal_rule(&mut self) {
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

fn is_block_element(name: &str) -> bool {
    BLOCK_ELEMENTS.contains(&name)
        || ["p", "pre", "blockquote", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6"]
            .contains(&name)
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
    fn to_text(html: &str) -> String {
        super::to_text(html).text
    }

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
    fn struck_out_and_hidden_words_are_left_out() {
        for unseen in [
            "<s>no</s>",
            "<S class=x>no</S>",
            "<strike>no <b>no</b></strike>",
            "<del>no</del>",
            "<span style=\"text-decoration: line-through\">no</span>",
            "<div style='display:none'>no<div>no</div>no</div>",
            "<span style='DISPLAY : NONE'>no<br>no</span>",
            "<div hidden>no</div>",
            "<p hidden=\"\">no</p>",
            "<p style='display:none'>no<p>",
            "<span style='font-size:0'>no</span>",
            "<span style='font-size: 0px; color: red'>no</span>",
            "<span style='font-size:0.0em'>no</span>",
            "<span style='mso-hide:all'>no</span>",
            "<font style='visibility:hidden'>no</font>",
            "<div><span style='display:none'>no</div>",
            "<td style='display:none'>no<td>",
            "<s>no<p>no</p>no</s>",
            "<td style='text-decoration:line-through;text-line-through:single'>no</td>",
            "<div style='font-size:0'>no<b style='font-size:100%'>no</b></div>",
            "<div style='display:none;font-size:0'><b style='font-size:9px'>no</b></div>",
        ] {
            let text = to_text(&format!("a {unseen} b"));
            let words: Vec<&str> = text.split_whitespace().collect();
            assert_eq!(words, ["a", "b"], "{unseen}");
        }
        for seen in [
            "<span style='font-size:0.9em'>yes</span>",
            "<span style='font-size:10px'>yes</span>",
            "<span title='what is hidden here'>yes</span>",
            "<span style='overflow: hidden'>yes</span>",
            "<small>yes</small>",
            "<s:x>yes</s:x>",
            "<section>yes</section>",
            "<img hidden>yes",
            "<span style='text-decoration:underline'>yes</span>",
            "<td style='text-decoration:none;text-line-through:none'>yes</td>",
            "<div style='font-size:0px'><div style='font-size: 13px'>yes</div></div>",
        ] {
            let text = to_text(&format!("a {seen} b"));
            let words: Vec<&str> = text.split_whitespace().collect();
            assert_eq!(words, ["a", "yes", "b"], "{seen}");
        }
    }

    #[test]
    fn struck_words_are_noted_outside_quotations() {
        let is_struck = |html| super::to_text(html).has_struck_words;
        assert!(is_struck("a <s>no</s>") && is_struck("<p style='x:line-through'>no"));
        assert!(!is_struck("a <s> </s>") && !is_struck("<p hidden>no") && !is_struck("yes"));
        assert!(!is_struck("a<blockquote><s>old</s></blockquote>"));
        for html in ["<S>", "<s class=x>", "<STRIKE>", "<del>", "text-decoration:Line-Through"] {
            assert!(super::may_strike_words(html), "{html}");
        }
        assert!(!super::may_strike_words("<span><small><section>"));
        assert!(!super::may_strike_words("<td style='Text-Line-Through: none'>"));
    }

    #[test]
    fn broken_html_is_still_converted() {
        assert_eq!(to_text("a <b x=\"1>c</b> d"), "a c d\n");
        assert_eq!(to_text("a &unknown; &; & b <"), "a &unknown; &; & b <\n");
        assert_eq!(to_text("<head>x<body>y"), "y\n");
    }
}
