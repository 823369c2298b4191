//! What counts as somebody's consent in the answer to a letter that asks for it.
//!
//! A word by itself: machines answer letters too, and people say much before they agree. Knows
//! neither who answers nor what is agreed to.

use crate::rules::line_words::lowercase_unaccented;

/// The words of a language by which somebody agrees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConsentWords {
    /// The words that are consent, such as `yes`.
    pub(crate) yes_words: Vec<String>,
    /// What stands before the name that somebody gives himself, such as `name`.
    pub name_prefixes: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Consent {
    /// How he would be called; empty when he does not say.
    pub name: String,
}

impl Consent {
    /// The consent in an answer, of which these are the lines that its writer wrote, numbered and
    /// folded; none when he does not agree. Its first line is the word and nothing else, in one of
    /// these languages; the line below it may give a name.
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
        // A number was left out: there stood something that the person did not write.
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

/// Whether two words are the same, which people write with accents or without.
fn is_same_word(word: &str, other: &str) -> bool {
    lowercase_unaccented(word) == lowercase_unaccented(other)
}

/// What follows this word at the beginning of a line, with or without a colon between them.
fn strip_name_prefix<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let (first, rest) = line.split_once([' ', ':'])?;
    is_same_word(first, word).then(|| rest.trim_start_matches([' ', ':']).trim_end())
}

/// A line without what a letter shows around a word: quotation marks, stars, a full stop.
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
