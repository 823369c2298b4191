//! The parser for consent in the answer to a letter that asks for it, for example from a newcomer.
//!
//! Consent must be a word on a line of its own. Machines answer letters, too, and people write much
//! before they agree. This module knows neither the sender nor the question.

use crate::rules::line_words::lowercase_unaccented;

/// A language's words for consent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConsentWords {
    /// The words that mean consent, such as `yes`.
    pub(crate) yes_words: Vec<String>,
    /// The words that introduce the name by which the sender would like to be called, such as
    /// `name`.
    pub name_prefixes: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Consent {
    /// The name by which the sender would like to be called. Empty if the answer contains none.
    pub name: String,
}

impl Consent {
    /// Parses the answer to a letter that asks for consent. Returns `None` if the sender does not
    /// consent.
    ///
    /// `lines` are the sender's own lines with their numbers, in plain characters. The first line
    /// must be only a consent word of one of the languages. The next line may give a name.
    pub fn parse<'a>(
        lines: impl IntoIterator<Item = (u32, &'a str)>,
        languages: &[ConsentWords],
    ) -> Option<Self> {
        let mut said = lines.into_iter().skip_while(|(_, line)| line.is_empty());
        let (mut last, first) = said.next()?;
        let mut yes = languages.iter().flat_map(|words| &words.yes_words);
        if !yes.any(|yes| is_same_word(trim_decoration(first), yes)) {
            return None;
        }
        // A gap in the line numbers means that the letter contains other text there, such as a
        // quotation.
        let mut below = said.take_while(|(number, _)| {
            let follows = *number == last + 1;
            last = *number;
            follows
        });
        let second =
            below.find(|(_, line)| !line.is_empty()).map_or("", |(_, line)| trim_decoration(line));
        let mut names = languages.iter().flat_map(|words| &words.name_prefixes);
        let name = names.find_map(|word| strip_name_prefix(second, word));
        Some(Self { name: name.unwrap_or_default().to_owned() })
    }
}

/// Whether two words are equal apart from case and accents. People often leave accents out.
fn is_same_word(word: &str, other: &str) -> bool {
    lowercase_unaccented(word) == lowercase_unaccented(other)
}

/// Returns the text behind `word` at the beginning of a line, with or without a colon between them.
fn strip_name_prefix<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let (first, rest) = line.split_once([' ', ':'])?;
    is_same_word(first, word).then(|| rest.trim_start_matches([' ', ':']).trim_end())
}

/// Removes quotation marks, asterisks and a full stop from around a line.
fn trim_decoration(line: &str) -> &str {
    const DECORATION: [char; 6] = ['"', '\'', '*', '_', ' ', '¡'];
    line.trim_matches(DECORATION).trim_end_matches(['.', '!']).trim_end_matches(DECORATION)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_name(lines: &[&str]) -> Option<String> {
        let words = |yes: &str, name: &str| ConsentWords {
            yes_words: vec![yes.into()],
            name_prefixes: vec![name.into()],
        };
        let languages = [words("oui", "nom"), words("yes", "name"), words("sí", "nombre")];
        let lines = (1..).zip(lines.iter().copied());
        Consent::parse(lines, &languages).map(|consent| consent.name)
    }

    #[test]
    fn consent_is_yes_alone_on_first_line() {
        for line in ["yes", "YES.", "\"Yes!\"", "*oui*", "'yes'.", "¡Sí!", "si"] {
            assert_eq!(parse_name(&["", line, "thanks"]).as_deref(), Some(""), "{line}");
        }
        for line in ["no", "yes?", "yes, gladly", "join 12", "name Zoe", "\"", "yes yes"] {
            assert_eq!(parse_name(&[line, "yes"]), None, "{line}");
        }
    }

    #[test]
    fn name_is_read_from_next_line() {
        assert_eq!(parse_name(&["yes", "", "Name: Zoe M."]).as_deref(), Some("Zoe M"));
        assert_eq!(parse_name(&["oui", "\"nom Zoe M\""]).as_deref(), Some("Zoe M"));
        assert_eq!(parse_name(&["yes", "See you!", "name Zoe"]).as_deref(), Some(""));
        let torn = [(1, "yes"), (4, "name Helpdesk")];
        let words =
            [ConsentWords { yes_words: vec!["yes".into()], name_prefixes: vec!["name".into()] }];
        assert_eq!(Consent::parse(torn, &words), Some(Consent::default()));
    }
}
