//! The phrases that people write around an order, and the words that they dictate. They are data by
//! language (`templates/<language>/lexicon.txt`).

use crate::rules::line_words::lowercase_unaccented;
use crate::rules::lowercase_words;
use std::collections::BTreeMap;
use std::num::ParseIntError;

/// The key of the row with the words for a comma.
const COMMA_KEY: &str = "comma";

/// The phrases around orders, of one or more languages.
#[derive(Clone, Debug, Default)]
pub struct PhraseBook {
    /// Phrases before an order that do not change its meaning, as words.
    lead_ins: Vec<Vec<String>>,
    /// Phrases after an order that do not change its meaning, as words.
    tails: Vec<Vec<String>>,
    /// Greetings, thanks and excuses, each with the number of words that may follow it.
    chat: Vec<(Vec<String>, usize)>,
    /// Phrases that begin a correction, if the line also names something of the game.
    corrections: Vec<Vec<String>>,
    /// What a dictated word means: a number, or a comma.
    spoken: BTreeMap<String, String>,
}

impl PhraseBook {
    /// Adds a row of the lexicon's section with this name. Returns `false` if the book has no such
    /// section.
    ///
    /// # Errors
    /// If the section needs a number as key, and this is none.
    pub fn add_row(
        &mut self,
        section: &str,
        key: &str,
        ways: &[&str],
    ) -> Result<bool, ParseIntError> {
        let phrases = ways.iter().map(|way| phrase_words(way)).filter(|way| !way.is_empty());
        match section {
            "lead-ins" => self.lead_ins.extend(phrases),
            "tails" => self.tails.extend(phrases),
            "corrections" => self.corrections.extend(phrases),
            "chat" => {
                let most = key.parse()?;
                self.chat.extend(phrases.map(|phrase| (phrase, most)));
            }
            "spoken" => {
                let means = if key == COMMA_KEY { "," } else { key };
                self.spoken.extend(phrases.map(|way| (way.join(" "), means.to_owned())));
            }
            _ => return Ok(false),
        }
        self.sort_longest_first();
        Ok(true)
    }

    /// Adds all phrases of another book.
    pub fn merge(&mut self, other: &Self) {
        self.lead_ins.extend(other.lead_ins.iter().cloned());
        self.tails.extend(other.tails.iter().cloned());
        self.chat.extend(other.chat.iter().cloned());
        self.corrections.extend(other.corrections.iter().cloned());
        for (word, means) in &other.spoken {
            self.spoken.entry(word.clone()).or_insert_with(|| means.clone());
        }
        self.sort_longest_first();
    }

    fn sort_longest_first(&mut self) {
        for phrases in [&mut self.lead_ins, &mut self.tails] {
            phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.len()));
        }
        self.chat.sort_by_key(|(phrase, _)| std::cmp::Reverse(phrase.len()));
    }

    /// Whether a sentence is a greeting, thanks or an excuse. Behind a comma, only a name may
    /// follow, which begins with a capital letter.
    pub(super) fn is_chat(&self, sentence: &str) -> bool {
        let said = phrase_words(sentence);
        let fits = |(phrase, most): &(Vec<String>, usize)| {
            said.starts_with(phrase) && said.len() <= phrase.len() + most
        };
        let behind = sentence.split(", ").skip(1);
        let is_name = |part: &str| part.split(' ').all(|word| word.starts_with(char::is_uppercase));
        behind.clone().all(is_name) && self.chat.iter().any(fits)
    }

    /// Whether a line begins like a correction of an order above it.
    pub(crate) fn begins_correction(&self, line: &str) -> bool {
        let said = phrase_words(line);
        self.corrections.iter().any(|phrase| said.starts_with(phrase))
    }

    /// Returns a sentence without a phrase at its start that does not change its meaning.
    pub(super) fn strip_lead_in<'a>(&self, sentence: &'a str) -> &'a str {
        let cut = |phrase: &Vec<String>| {
            let rest = skip_words(sentence, phrase)?;
            let rest = rest.trim_start_matches([' ', ',', ':', ';', '-', '.', '!']);
            rest.contains(char::is_alphanumeric).then_some(rest)
        };
        let said = phrase_words(sentence);
        let mut begins = self.lead_ins.iter().filter(|phrase| said.starts_with(phrase));
        begins.find_map(cut).unwrap_or(sentence)
    }

    /// Returns a sentence without a phrase at its end that does not change its meaning.
    pub(super) fn strip_tail<'a>(&self, sentence: &'a str) -> &'a str {
        let ends = |phrase: &Vec<String>| {
            let mut places = sentence.match_indices(' ').map(|(at, _)| at);
            places.find(|at| sentence.get(*at..).is_some_and(|rest| phrase_words(rest) == *phrase))
        };
        let said = phrase_words(sentence);
        let mut behind = self.tails.iter().filter(|phrase| said.ends_with(phrase));
        let order = behind.find_map(ends).and_then(|at| sentence.get(..at));
        order.map_or(sentence, |order| order.trim_end_matches([' ', ',', '-']))
    }

    /// Returns a line with its dictated numbers in digits, and its dictated commas as commas.
    /// Returns `None` if it has none. A letter before a number is joined to it, as in `f 16`.
    pub(super) fn write_out_spoken(&self, line: &str) -> Option<String> {
        let pieces: Vec<&str> = line.split_whitespace().collect();
        let (mut written, mut is_changed, mut at) = (String::with_capacity(line.len()), false, 0);
        while let Some(piece) = pieces.get(at) {
            let two = pieces.get(at..at + 2).and_then(|pair| self.find_spoken(&pair.join(" ")));
            let (length, found) = match two {
                Some(two) => (2, Some(two)),
                None => (1, self.find_spoken(piece)),
            };
            at += length;
            is_changed |= found.is_some();
            let text = found.unwrap_or_else(|| (*piece).to_owned());
            let is_number = text.starts_with(|c: char| c.is_ascii_digit());
            let joins = text == "," || is_number && ends_with_single_letter(&written);
            if !written.is_empty() && !joins {
                written.push(' ');
            }
            is_changed |= joins;
            written += &text;
        }
        is_changed.then_some(written)
    }

    /// Returns what a dictated word means, with the marks around it.
    fn find_spoken(&self, piece: &str) -> Option<String> {
        let word = piece.trim_matches(|c: char| !c.is_alphanumeric());
        let means = self.spoken.get(&phrase_words(word).join(" "))?;
        Some(piece.replacen(word, means, 1))
    }
}

/// Whether a text ends with a word of one letter.
fn ends_with_single_letter(text: &str) -> bool {
    let word = text.rsplit(' ').next().unwrap_or_default();
    word.len() == 1 && word.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Returns the words of a phrase in lower case, without accents and apostrophes.
fn phrase_words(text: &str) -> Vec<String> {
    lowercase_words(&lowercase_unaccented(text).replace('\'', ""))
}

/// Returns the text behind these words, if the text begins with them.
fn skip_words<'a>(text: &'a str, phrase: &[String]) -> Option<&'a str> {
    let ends = text.match_indices([' ', ',', ':', ';', '.', '!', '-']).map(|(at, _)| at);
    let mut before = ends.filter_map(|at| text.split_at_checked(at));
    before.find(|(words, _)| phrase_words(words) == phrase).map(|(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample_book() -> PhraseBook {
        let mut book = PhraseBook::default();
        for (section, key, ways) in [
            ("lead-ins", "", &["I'll go with", "fine"][..]),
            ("tails", "", &["it is", "then"]),
            ("chat", "3", &["hi", "thanks"]),
            ("chat", "0", &["sorry"]),
            ("spoken", "4", &["four"]),
            ("spoken", "21", &["twenty one"]),
            ("spoken", "comma", &["comma"]),
        ] {
            assert_eq!(book.add_row(section, key, ways), Ok(true), "{section}");
        }
        book
    }

    #[test]
    fn sections_of_other_lexicons_are_left() {
        let mut book = PhraseBook::default();
        assert_eq!(book.add_row("house", "4", &["four"]), Ok(false));
        assert!(book.add_row("chat", "many", &["hi"]).is_err());
    }

    #[test]
    fn chat_may_have_few_more_words() {
        let book = sample_book();
        for line in ["Hi all!", "Thanks, Ann", "Hi to you all", "Sorry.", "thanks"] {
            assert!(book.is_chat(line), "{line}");
        }
        for line in ["Hi all, wait", "Sorry wrong hex", "Hi, do what you like Bob", "Build", ""] {
            assert!(!book.is_chat(line), "{line}");
        }
    }

    #[test]
    fn phrases_around_order_are_stripped() {
        let book = sample_book();
        for (line, bare) in [
            ("I'll go with the 9", "the 9"),
            ("Fine, buy 3", "buy 3"),
            ("fine", "fine"),
            ("finest corn", "finest corn"),
        ] {
            assert_eq!(book.strip_lead_in(line), bare);
        }
        for (line, bare) in [
            ("PRR 6 it is", "PRR 6"),
            ("PRR 6, then.", "PRR 6"),
            ("then PRR 6", "then PRR 6"),
            ("it is", "it is"),
        ] {
            assert_eq!(book.strip_tail(line), bare);
        }
    }

    #[test]
    fn dictated_words_are_written_out() {
        let book = sample_book();
        for (line, written) in [
            ("PRR four", Some("PRR 4")),
            ("build f 16 comma Rouen", Some("build f16, Rouen")),
            ("f twenty one, please", Some("f21, please")),
            ("play Four!", Some("play 4!")),
            ("buy 3 corn", None),
        ] {
            assert_eq!(book.write_out_spoken(line).as_deref(), written, "{line}");
        }
    }
}
