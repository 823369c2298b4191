//! What counts as somebody's consent in the answer to a letter that asks for it.
//!
//! A word by itself: machines answer letters too, and people say much before they agree. Knows
//! neither who answers nor what is agreed to.

use crate::rules::line_words::unaccented;

/// The words of a language by which somebody agrees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConsentWords {
    /// The words that are consent, such as `yes`.
    pub(crate) yes: Vec<String>,
    /// What stands before the name that somebody gives himself, such as `name`.
    pub name: Vec<String>,
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
    pub fn read<'a>(
        lines: impl IntoIterator<Item = (u32, &'a str)>,
        languages: &[ConsentWords],
    ) -> Option<Self> {
        let mut said = lines.into_iter().skip_while(|(_, line)| line.is_empty());
        let (mut last, first) = said.next()?;
        let mut yes = languages.iter().flat_map(|words| &words.yes);
        if !yes.any(|yes| is_same(bare(first), yes)) {
            return None;
        }
        // A number was left out: there stood something that the person did not write.
        let mut below = said.take_while(|(number, _)| {
            let follows = *number == last + 1;
            last = *number;
            follows
        });
        let second = below.find(|(_, line)| !line.is_empty()).map_or("", |(_, line)| bare(line));
        let mut names = languages.iter().flat_map(|words| &words.name);
        let name = names.find_map(|word| name_in(second, word));
        Some(Self { name: name.unwrap_or_default().to_owned() })
    }
}

/// Whether two words are the same, which people write with accents or without.
fn is_same(word: &str, other: &str) -> bool {
    unaccented(word) == unaccented(other)
}

/// What follows this word at the beginning of a line, with or without a colon between them.
fn name_in<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let (first, rest) = line.split_once([' ', ':'])?;
    is_same(first, word).then(|| rest.trim_start_matches([' ', ':']).trim_end())
}

/// A line without what a letter shows around a word: quotation marks, stars, a full stop.
fn bare(line: &str) -> &str {
    const AROUND: [char; 6] = ['"', '\'', '*', '_', ' ', '¡'];
    line.trim_matches(AROUND).trim_end_matches(['.', '!']).trim_end_matches(AROUND)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Option<String> {
        let words =
            |yes: &str, name: &str| ConsentWords { yes: vec![yes.into()], name: vec![name.into()] };
        let languages = [words("oui", "nom"), words("yes", "name"), words("sí", "nombre")];
        let lines = (1..).zip(lines.iter().copied());
        Consent::read(lines, &languages).map(|consent| consent.name)
    }

    #[test]
    fn a_yes_is_a_line_by_itself() {
        for line in ["yes", "YES.", "\"Yes!\"", "*oui*", "'yes'.", "¡Sí!", "si"] {
            assert_eq!(read(&["", line, "thanks"]).as_deref(), Some(""), "{line}");
        }
        for line in ["no", "yes?", "yes, gladly", "join 12", "name Zoe", "\"", "yes yes"] {
            assert_eq!(read(&[line, "yes"]), None, "{line}");
        }
    }

    #[test]
    fn a_name_stands_on_the_line_below() {
        assert_eq!(read(&["yes", "", "Name: Zoe M."]).as_deref(), Some("Zoe M"));
        assert_eq!(read(&["oui", "\"nom Zoe M\""]).as_deref(), Some("Zoe M"));
        assert_eq!(read(&["yes", "See you!", "name Zoe"]).as_deref(), Some(""));
        let torn = [(1, "yes"), (4, "name Helpdesk")];
        let words = [ConsentWords { yes: vec!["yes".into()], name: vec!["name".into()] }];
        assert_eq!(Consent::read(torn, &words), Some(Consent::default()));
    }
}
