//! The parser for consent in the answer to a letter that asks for it, for example from a newcomer.
//!
//! Consent is a yes on the first line. Machines answer letters, too, and people write much before
//! they agree. So a yes alone on its line counts unless a doubt is below it, but a yes with polite
//! words counts only if the letter says nothing else. This module knows neither the question nor
//! whether a program wrote the letter.

use super::lexicon::{Doubts, LinePlace};
use crate::rules::line_words::lowercase_unaccented;

/// A language's words for consent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConsentWords {
    /// The words that mean consent, such as `yes`.
    pub(crate) yes_words: Vec<String>,
    /// The words and phrases that may stand beside a yes, such as `please` or `many thanks`.
    pub(crate) polite_phrases: Vec<String>,
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
    /// must be only a consent word of one of the languages, without a doubt in any line below. The
    /// next line may give a name. The first line may also hold polite words, if all lines hold
    /// nothing but polite words, words of the chosen name, and words of `signature`, the text with
    /// which the sender may sign.
    pub fn parse<'a>(
        lines: impl IntoIterator<Item = (u32, &'a str)>,
        languages: &[ConsentWords],
        doubts: &[&Doubts],
        signature: &str,
    ) -> Option<Self> {
        let lines = lines.into_iter().skip_while(|(_, line)| line.is_empty());
        let lines: Vec<(u32, &str)> = lines.collect();
        let ((start, first), below) = lines.split_first()?;
        // A gap in the line numbers means that the letter contains other text there, such as a
        // quotation.
        let mut directly_below = (1..)
            .zip(below)
            .take_while(|(distance, (number, _))| start.checked_add(*distance) == Some(*number))
            .map(|(_, (_, line))| trim_quotes_and_asterisks(line));
        let second = directly_below.find(|line| !line.is_empty()).unwrap_or_default();
        let mut names = languages.iter().flat_map(|words| &words.name_prefixes);
        let name = names.find_map(|word| strip_name_prefix(second, word));
        let mut yes = languages.iter().flat_map(|words| &words.yes_words);
        let phrases = KnownPhrases::new(languages, [signature, name.unwrap_or_default()]);
        let is_doubt = |(_, line): &(u32, &str)| {
            phrases.count_yes(line).is_none()
                && doubts.iter().any(|doubts| doubts.holds_back(line, LinePlace::Below))
        };
        let is_bare_yes = yes.any(|yes| is_equal_unaccented(trim_quotes_and_asterisks(first), yes))
            && !below.iter().any(is_doubt);
        let is_polite_yes = || {
            let is_name_line =
                |line: &str| name.is_some() && trim_quotes_and_asterisks(line) == second;
            phrases.count_yes(first) == Some(1)
                && below
                    .iter()
                    .all(|(_, line)| is_name_line(line) || phrases.count_yes(line) == Some(0))
        };
        (is_bare_yes || is_polite_yes()).then(|| Self { name: name.unwrap_or_default().to_owned() })
    }
}

/// The phrases that the lines of a polite answer may consist of, each as a list of words.
struct KnownPhrases {
    yes: Vec<Vec<String>>,
    others: Vec<Vec<String>>,
}

impl KnownPhrases {
    /// Collects the consent words and polite phrases of all languages. Each word of `names` counts
    /// as a polite phrase.
    fn new(languages: &[ConsentWords], names: [&str; 2]) -> Self {
        let split = |phrase: &String| Some(split_words(phrase)).filter(|words| !words.is_empty());
        let yes = languages.iter().flat_map(|words| &words.yes_words).filter_map(split);
        let polite = languages.iter().flat_map(|words| &words.polite_phrases).filter_map(split);
        let names = names.into_iter().flat_map(split_words).map(|word| vec![word]);
        Self { yes: yes.collect(), others: polite.chain(names).collect() }
    }

    /// Returns how many consent words a line holds. Returns `None` if it holds anything else than
    /// known phrases.
    fn count_yes(&self, line: &str) -> Option<usize> {
        let words = split_words(line);
        let mut rest = words.as_slice();
        let mut count = 0;
        while !rest.is_empty() {
            let longest = |phrases: &[Vec<String>]| {
                phrases.iter().filter(|phrase| rest.starts_with(phrase)).map(Vec::len).max()
            };
            let (yes, other) = (longest(&self.yes), longest(&self.others));
            rest = rest.get(yes.max(other)?..)?;
            count += usize::from(yes >= other);
        }
        Some(count)
    }
}

/// Splits a line into words in lower case without accents, and drops punctuation. Every other
/// symbol is a word of its own, also a question mark, because a question is no consent.
fn split_words(line: &str) -> Vec<String> {
    const PUNCTUATION: [char; 14] =
        ['.', ',', '!', '¡', ';', ':', '-', '"', '\'', '*', '_', '(', ')', '~'];
    let (mut words, mut word) = (Vec::new(), String::new());
    for c in lowercase_unaccented(line).chars() {
        // An apostrophe inside a word belongs to it, as in "I'd".
        if c.is_alphanumeric() || (c == '\'' && !word.is_empty()) {
            word.push(c);
            continue;
        }
        words.push(std::mem::take(&mut word));
        if !c.is_whitespace() && !PUNCTUATION.contains(&c) {
            words.push(c.to_string());
        }
    }
    words.push(word);
    let trimmed = words.iter().map(|word| word.trim_end_matches('\'').to_owned());
    trimmed.filter(|word| !word.is_empty()).collect()
}

/// Whether two words are equal apart from case and accents. People often leave accents out.
fn is_equal_unaccented(word: &str, other: &str) -> bool {
    lowercase_unaccented(word) == lowercase_unaccented(other)
}

/// Returns the text behind `word` at the beginning of a line, with or without a colon between them.
fn strip_name_prefix<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let (first, rest) = line.split_once([' ', ':'])?;
    is_equal_unaccented(first, word).then(|| rest.trim_start_matches([' ', ':']).trim_end())
}

/// Removes quotation marks, asterisks and a full stop from around a line.
fn trim_quotes_and_asterisks(line: &str) -> &str {
    const DECORATION: [char; 6] = ['"', '\'', '*', '_', ' ', '¡'];
    line.trim_matches(DECORATION).trim_end_matches(['.', '!']).trim_end_matches(DECORATION)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn consent_words(yes: &str, polite: &str, name: &str) -> ConsentWords {
        let list = |words: &str| words.split(", ").map(str::to_owned).collect();
        ConsentWords {
            yes_words: list(yes),
            polite_phrases: list(polite),
            name_prefixes: list(name),
        }
    }

    fn parse_name(lines: &[&str]) -> Option<String> {
        let languages = [
            consent_words("oui", "s'il vous plaît", "nom"),
            consent_words("yes", "please, thank you, I'd love to, cheers, \u{1f60a}", "name"),
            consent_words("sí", "por favor, claro que sí", "nombre"),
        ];
        let doubts =
            Doubts::parse("whole-line: not yet, please\ncondition: if, si\nanywhere: wait until")
                .unwrap();
        let lines = (1..).zip(lines.iter().copied());
        Consent::parse(lines, &languages, &[&doubts], "Zoe zoe.m").map(|consent| consent.name)
    }

    #[test]
    fn consent_is_yes_alone_on_first_line() {
        for line in ["yes", "YES.", "\"Yes!\"", "*oui*", "'yes'.", "¡Sí!", "si"] {
            assert_eq!(parse_name(&["", line, "See you on Friday"]).as_deref(), Some(""), "{line}");
        }
        for line in ["no", "yes?", "yes, maybe", "join 12", "name Zoe", "\"", "yes yes"] {
            assert_eq!(parse_name(&[line, "yes"]), None, "{line}");
        }
    }

    #[test]
    fn doubt_below_yes_withholds_consent() {
        for doubt in ["if Bob joins", "Not yet.", "Please wait until Friday, though"] {
            assert_eq!(parse_name(&["yes", doubt]), None, "{doubt}");
            assert_eq!(parse_name(&["Yes!", "", "Hi Ann,", doubt]), None, "{doubt}");
        }
        for harmless in
            ["Is Bob there?", "I waited for that", "Sorry for the wait", "Please!", "¡Sí!"]
        {
            assert_eq!(parse_name(&["yes", harmless]).as_deref(), Some(""), "{harmless}");
        }
    }

    /// The lines of answers that hold a yes and polite words, and the name that each gives.
    const POLITE_ANSWERS: [(&[&str], &str); 12] = [
        (&["Yes please!"], ""),
        (&["yes, please"], ""),
        (&["\"Yes, please.\"", "", "Thank you!", "Zoe"], ""),
        (&["Please, yes"], ""),
        (&["Thank you: yes, I'd love to!"], ""),
        (&["Yes please \u{1f60a}"], ""),
        (&["¡Sí, por favor!"], ""),
        (&["Sí, claro que sí"], ""),
        (&["Oui, s'il vous plaît."], ""),
        (&["Yes please :-)", "Cheers, Zoe M"], ""),
        (&["Yes please", "name Zelda Fitz", "", "Zelda"], "Zelda Fitz"),
        (&["", "YES - THANK YOU", "", "-- zoe"], ""),
    ];

    const ANSWERS_WITH_OTHER_WORDS: [&[&str]; 16] = [
        &["yes please?"],
        &["¿Sí, por favor?"],
        &["yes please, if Bob plays"],
        &["yes please", "if Bob plays"],
        &["yes please", "", "Wait, not yet."],
        &["Yes please", "remove me from your list"],
        &["Yes please", "Ann Miller"],
        &["yes, yes please"],
        &["yes/no please"],
        &["yes no thank you"],
        &["Thank you!"],
        &["Claro que sí"],
        &["Thank you", "yes please"],
        &["> yes please"],
        &["yes please \u{1f914}"],
        &["yes pleaseremove"],
    ];

    #[test]
    fn polite_yes_counts_without_other_words() {
        for (lines, name) in POLITE_ANSWERS {
            assert_eq!(parse_name(lines).as_deref(), Some(name), "{lines:?}");
        }
        for lines in ANSWERS_WITH_OTHER_WORDS {
            assert_eq!(parse_name(lines), None, "{lines:?}");
        }
        let languages = [consent_words("yes", "please", "name")];
        let beyond_quotation = [(1, "yes please"), (9, "Your ticket is open.")];
        assert_eq!(Consent::parse(beyond_quotation, &languages, &[], ""), None);
        let empty = [consent_words("yes", "", "name")];
        assert_eq!(Consent::parse([(1, "yes please")], &empty, &[], ""), None);
    }

    #[test]
    fn name_is_read_from_next_line() {
        assert_eq!(parse_name(&["yes", "", "Name: Zoe M."]).as_deref(), Some("Zoe M"));
        assert_eq!(parse_name(&["oui", "\"nom Zoe M\""]).as_deref(), Some("Zoe M"));
        assert_eq!(parse_name(&["yes", "See you!", "name Zoe"]).as_deref(), Some(""));
        let torn = [(1, "yes"), (4, "name Helpdesk")];
        let words = [consent_words("yes", "", "name")];
        assert_eq!(Consent::parse(torn, &words, &[], ""), Some(Consent::default()));
    }
}
