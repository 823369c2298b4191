//! Cleans text of any origin for use in a header.

/// The most characters of a header's text. A longer text is cut.
const LENGTH_MAX: usize = 200;

/// Text that is safe in a header: one line of at most 200 characters. It contains no control
/// characters, line or paragraph separators, bidi marks, or invisible characters. lettre panics on
/// a line end in a name, so every name passes through this type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeaderText(String);

impl HeaderText {
    /// Cleans a text. Replaces each run of unsafe characters and spaces with one space.
    pub(crate) fn new(text: &str) -> Self {
        let mut clean = String::new();
        let printable = text.chars().map(|c| if is_header_character(c) { c } else { ' ' });
        for c in printable.take(LENGTH_MAX) {
            if !(c == ' ' && (clean.is_empty() || clean.ends_with(' '))) {
                clean.push(c);
            }
        }
        Self(clean.trim_end().to_owned())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns the subject with `tag` at its end. Shortens a long subject so that the tag is never cut.
pub(crate) fn append_tag_to_subject(subject: &str, tag: &str) -> String {
    let room = LENGTH_MAX.saturating_sub(tag.chars().count() + 1);
    let subject: String = HeaderText::new(subject).as_str().chars().take(room).collect();
    format!("{subject} {tag}")
}

fn is_header_character(c: char) -> bool {
    let invisible = matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}');
    !c.is_control() && !invisible && (c == ' ' || !c.is_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_cannot_end_header() {
        let text = HeaderText::new(" Ann\r\nBcc: all@x.org\0\u{202e}txt\u{2028}! ");
        assert_eq!(text.as_str(), "Ann Bcc: all@x.org txt !");
        assert_eq!(HeaderText::new(&"x".repeat(999)).as_str().len(), LENGTH_MAX);
    }

    #[test]
    fn tag_is_never_cut_from_subject() {
        let tag = "[postrider 1.2.3.abc]";
        assert_eq!(append_tag_to_subject("Re: it", tag), format!("Re: it {tag}"));
        let long = append_tag_to_subject(&"\u{e9}\n\n".repeat(999), tag);
        assert_eq!(HeaderText::new(&long).as_str(), long);
        assert!(long.ends_with(tag), "{long}");
    }
}
