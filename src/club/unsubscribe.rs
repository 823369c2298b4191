//! The detection of answers that ask for no more letters at all, such as "Stop" or "Please remove
//! me".
//!
//! A plain "no" only declines the invitation that it answers, so it is not detected here. Pure.

use crate::rules::line_words::lowercase_unaccented;

/// The number of the sender's own lines that are examined. A refusal is short and at the top.
const REFUSAL_LINES_MAX: usize = 10;
/// The most words of a refusal. "Stop by on Friday, and bring ..." is longer, so it is not a
/// refusal.
const REFUSAL_WORDS_MAX: usize = 8;

/// A language's words for refusing all letters, in lower case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RefusalWords {
    /// The words or phrases that begin a refusal, such as `stop` or `remove me`.
    pub(crate) first: Vec<String>,
    /// The words that may come before these, such as `please`.
    pub(crate) before: Vec<String>,
    /// The words that make any short sentence a refusal, such as `unsubscribe`.
    pub(crate) anywhere: Vec<String>,
}

/// Whether one of the sender's own lines refuses all letters.
pub(crate) fn any_line_refuses_letters<'a>(
    lines: impl IntoIterator<Item = &'a str>,
    languages: &[RefusalWords],
) -> bool {
    let lines = lines.into_iter().filter(|line| !line.trim().is_empty()).take(REFUSAL_LINES_MAX);
    let mut sentences = lines.flat_map(|line| line.split(['.', '!', '?', ',', ';', ':']));
    sentences
        .any(|sentence| languages.iter().any(|words| sentence_refuses_letters(sentence, words)))
}

fn sentence_refuses_letters(sentence: &str, words: &RefusalWords) -> bool {
    let plain = lowercase_unaccented(&sentence.to_lowercase());
    let is_in =
        |word: &str, all: &[String]| all.iter().any(|one| lowercase_unaccented(one) == word);
    let around = |c: char| !c.is_alphanumeric();
    let said: Vec<&str> = plain.split_whitespace().map(|word| word.trim_matches(around)).collect();
    let said: Vec<&str> = said.into_iter().filter(|word| !word.is_empty()).collect();
    if said.len() > REFUSAL_WORDS_MAX {
        return false;
    }
    let own: Vec<&str> =
        said.iter().copied().skip_while(|word| is_in(word, &words.before)).collect();
    let begins = |phrase: &String| {
        let phrase = lowercase_unaccented(phrase);
        own.starts_with(&phrase.split_whitespace().collect::<Vec<_>>())
    };
    words.first.iter().any(begins) || said.iter().any(|word| is_in(word, &words.anywhere))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_refused(text: &str) -> bool {
        let list = |words: &str| words.split(", ").map(str::to_owned).collect();
        let english = RefusalWords {
            first: list("stop, remove me, don't write"),
            before: list("no, please"),
            anywhere: list("unsubscribe"),
        };
        let spanish = RefusalWords { first: list("bórrame"), ..RefusalWords::default() };
        any_line_refuses_letters(text.lines(), &[english, spanish])
    }

    #[test]
    fn stop_refuses_letters_and_no_does_not() {
        for text in [
            "Stop",
            "STOP!!!",
            "No! Stop. unsubscribe",
            "\"stop\"",
            "Hello,\n\nplease stop sending me these letters.",
            "I want to unsubscribe",
            "no, please remove me",
            "Don't write to me again",
            "Borrame",
        ] {
            assert!(is_refused(text), "{text}");
        }
        for text in [
            "no",
            "No thanks, not this time.",
            "yes",
            "I can't stop playing!",
            "Stop by at the club on any Friday evening you like and play with us",
            "nonstop",
            "",
        ] {
            assert!(!is_refused(text), "{text}");
        }
    }
}
