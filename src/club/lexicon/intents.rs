//! Intents: requests in people's own words, such as "how do I undo", and the commands for them.
//!
//! The phrases are data: `templates/<language>/intents.txt`. An answer offers the commands. Nothing
//! is ever carried out because of an intent. Pure.

use super::split_words;
use crate::rules::line_words::lowercase_unaccented;
use chrono::{Datelike, Days, NaiveDate};
use std::collections::BTreeMap;

/// The most words of a sentence that is compared with the phrases. Longer sentences are talk.
const SENTENCE_WORDS_MAX: usize = 24;
/// The most sentences and clauses of a line that are compared with the phrases.
const SENTENCES_MAX: usize = 12;
/// The most commands that are offered for one line.
const COMMANDS_MAX: usize = 3;

/// The intents of one language: phrases, and the commands that they ask for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Intents {
    /// Words for "please", which are ignored anywhere in a sentence.
    please: Vec<Vec<String>>,
    /// Other polite phrases, which are ignored at both ends of a sentence.
    polite: Vec<Vec<String>>,
    numbers: BTreeMap<String, u32>,
    phrases: Vec<Phrase>,
}

/// A phrase that matches whole sentences, and the English commands to offer for it.
#[derive(Clone, Debug)]
struct Phrase {
    pieces: Vec<Piece>,
    commands: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// One of several words, which may be missing if it is optional.
    Word { any: Vec<String>, is_optional: bool },
    /// `N`: a number, in digits or as a word.
    Number,
    /// `...`: any words, or none.
    Gap,
}

impl Piece {
    /// Whether a sentence without this piece cannot match.
    const fn is_required(&self) -> bool {
        matches!(self, Self::Number | Self::Word { is_optional: false, .. })
    }
}

impl Intents {
    /// Adds a row of the section with this name. Returns `false` if intents have no such section.
    pub(super) fn add_row(
        &mut self,
        section: &str,
        key: &str,
        ways: &[&str],
    ) -> Result<bool, String> {
        match section {
            "please" => self.please.extend(ways.iter().map(|way| words(way))),
            "polite" => self.polite.extend(ways.iter().map(|way| words(way))),
            "numbers" => {
                let number = key.parse::<u32>().map_err(|_| format!("{key:?} is not a number"))?;
                self.numbers.extend(ways.iter().map(|way| (words(way).join(" "), number)));
            }
            "intents" => {
                let commands: Vec<String> = key.split(';').map(|one| one.trim().into()).collect();
                if commands.iter().any(String::is_empty) || ways.is_empty() {
                    return Err("write the command, a colon, and phrases".to_owned());
                }
                for way in ways {
                    let pieces = parse_pieces(way);
                    if !pieces.iter().any(Piece::is_required) {
                        return Err(format!("{way:?} would match any line"));
                    }
                    self.phrases.push(Phrase { pieces, commands: commands.clone() });
                }
            }
            _ => return Ok(false),
        }
        // Longer phrases first, so that "thank you very much" is stripped as a whole.
        for phrases in [&mut self.please, &mut self.polite] {
            phrases.retain(|phrase| !phrase.is_empty());
            phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.len()));
        }
        Ok(true)
    }

    /// Returns the English commands that the first sentences of a line may ask for, the likeliest
    /// first. `today` is the writer's local day, from which the days of a vacation are counted.
    pub(crate) fn find_commands(&self, line: &str, today: NaiveDate) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let has_words = |sentence: &&str| sentence.contains(char::is_alphanumeric);
        for sentence in split_sentences(line).filter(has_words).take(SENTENCES_MAX) {
            let mut sentence = words(sentence);
            remove_phrases(&mut sentence, &self.please);
            let bare = sentence.get(self.bare_range(&sentence)).unwrap_or_default();
            if bare.is_empty() || bare.len() > SENTENCE_WORDS_MAX {
                continue;
            }
            let meant = self
                .phrases
                .iter()
                .find_map(|phrase| Some((phrase, self.match_pieces(&phrase.pieces, bare)?)));
            let Some((phrase, number)) = meant else { continue };
            for command in &phrase.commands {
                let command = fill_command(command, number, today);
                if !found.contains(&command) && found.len() < COMMANDS_MAX {
                    found.push(command);
                }
            }
        }
        found
    }

    /// Returns the commands of all phrases, as the file has them.
    #[cfg(test)]
    pub(crate) fn all_commands(&self) -> impl Iterator<Item = &str> {
        self.phrases.iter().flat_map(|phrase| phrase.commands.iter().map(String::as_str))
    }

    /// Returns the range of the words that are left without polite phrases at both ends.
    fn bare_range(&self, words: &[String]) -> std::ops::Range<usize> {
        let polite = || self.please.iter().chain(&self.polite);
        let (mut from, mut to) = (0, words.len());
        while let Some(rest) = words.get(from..to)
            && let Some(phrase) = polite().find(|phrase| rest.starts_with(phrase.as_slice()))
        {
            from += phrase.len();
        }
        while let Some(rest) = words.get(from..to)
            && let Some(phrase) = polite().find(|phrase| rest.ends_with(phrase.as_slice()))
        {
            to -= phrase.len();
        }
        from..to
    }

    /// Matches all words of a sentence with a phrase. Returns the number in it, or `Some(None)` if
    /// the phrase has none.
    fn match_pieces(&self, pieces: &[Piece], words: &[String]) -> Option<Option<u32>> {
        let Some((piece, later)) = pieces.split_first() else {
            return words.is_empty().then_some(None);
        };
        let next = words.split_first();
        match piece {
            Piece::Gap => (0..=words.len())
                .find_map(|skipped| self.match_pieces(later, words.get(skipped..)?)),
            Piece::Number => {
                let (word, rest) = next?;
                let number = word.parse::<u8>().ok().map(u32::from);
                let number = number.or_else(|| self.numbers.get(word).copied())?;
                Some(self.match_pieces(later, rest)?.or(Some(number)))
            }
            Piece::Word { any, is_optional } => {
                let rest = next.filter(|(word, _)| any.contains(word)).map(|(_, rest)| rest);
                let matched = rest.and_then(|rest| self.match_pieces(later, rest));
                let without = || is_optional.then(|| self.match_pieces(later, words)).flatten();
                matched.or_else(without)
            }
        }
    }
}

/// Returns a line without the polite phrases of all these languages at both ends.
pub(crate) fn strip_polite_words<'l>(all: &[&Intents], line: &'l str) -> &'l str {
    let ranges = split_words(line);
    let word = |at: &std::ops::Range<usize>| Some(lowercase_unaccented(line.get(at.clone())?));
    let words: Vec<String> = ranges.iter().filter_map(word).collect();
    let (mut from, mut to) = (0, words.len());
    loop {
        let before = (from, to);
        for intents in all {
            let bare = words.get(from..to).map(|rest| intents.bare_range(rest)).unwrap_or_default();
            (from, to) = (from + bare.start, from + bare.end);
        }
        if before == (from, to) {
            break;
        }
    }
    let range = ranges.get(from).zip(to.checked_sub(1).and_then(|last| ranges.get(last)));
    range.and_then(|(first, last)| line.get(first.start..last.end)).unwrap_or_default()
}

/// Splits a line at the marks between sentences and clauses.
fn split_sentences(line: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| {
        matches!(c, '.' | ',' | '!' | '?' | ';' | ':' | '(' | ')' | '"' | '\u{bf}' | '\u{a1}')
    };
    line.split(ends).flat_map(|part| part.split(" - "))
}

/// Returns the words of a text in lower case, without accents and apostrophes: `I'm` is `im`.
fn words(text: &str) -> Vec<String> {
    let text = lowercase_unaccented(text).replace(['\'', '\u{2019}'], "");
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// Parses a phrase of the file: words, `(optional)` words, `one/of` several words, `N` and `...`.
fn parse_pieces(way: &str) -> Vec<Piece> {
    let piece = |text: &str| match text {
        "N" => Some(Piece::Number),
        "..." | "(...)" => Some(Piece::Gap),
        _ => {
            let any: Vec<String> = text.split('/').map(|word| words(word).concat()).collect();
            let is_optional = text.starts_with('(');
            any.iter().any(|word| !word.is_empty()).then_some(Piece::Word { any, is_optional })
        }
    };
    way.split_whitespace().filter_map(piece).collect()
}

fn remove_phrases(words: &mut Vec<String>, phrases: &[Vec<String>]) {
    let mut at = 0;
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        match phrases.iter().find(|phrase| rest.starts_with(phrase)) {
            Some(phrase) => {
                words.drain(at..at + phrase.len());
            }
            None => at += 1,
        }
    }
}

/// Fills in the number and the days of a command: `TODAY`, `WEEK` (a week from today), and
/// `MONDAY` and `SUNDAY` of the next week.
fn fill_command(command: &str, number: Option<u32>, today: NaiveDate) -> String {
    let days_to_monday = 7 - u64::from(today.weekday().num_days_from_monday());
    let day = |days: u64| today.checked_add_days(Days::new(days)).unwrap_or(today).to_string();
    let word = |word: &str| match word {
        "N" => number.unwrap_or(1).to_string(),
        "TODAY" => day(0),
        "WEEK" => day(7),
        "MONDAY" => day(days_to_monday),
        "SUNDAY" => day(days_to_monday + 6),
        _ => word.to_owned(),
    };
    command.split(' ').map(word).collect::<Vec<_>>().join(" ")
}
