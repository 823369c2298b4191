//! The phrases that people write around an order, and the words that they dictate. They are data by
//! language (`templates/<language>/lexicon.txt`).

use crate::rules::line_words::lowercase_unaccented;
use crate::rules::lowercase_words;
use std::collections::BTreeMap;
use std::num::ParseIntError;

/// The key of the row with the words for a comma.
const COMMA_KEY: &str = "comma";

/// The marks that may be between a phrase and the order beside it.
const MARKS: [char; 7] = [' ', ',', ':', ';', '-', '.', '!'];
/// The most words of a name after thanks.
const THANKED_NAME_WORDS_MAX: usize = 2;

/// The words of a phrase.
type Phrase = Vec<String>;

/// The phrases around orders, of one or more languages.
#[derive(Clone, Debug, Default)]
pub struct PhraseBook {
    /// The phrases of each section, the longest first.
    phrases: BTreeMap<Section, Vec<Phrase>>,
    /// Greetings, thanks and excuses, each with the number of words that may follow it.
    chat: Vec<(Phrase, usize)>,
    /// The meaning of a dictated word: a number, or a comma.
    spoken: BTreeMap<String, String>,
}

/// A section of the lexicon with phrases that have no translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Section {
    /// Phrases before an order that do not change its meaning.
    LeadIns,
    /// Phrases after an order that do not change its meaning.
    Tails,
    /// Thanks after an order. A name may follow.
    Thanks,
    /// Words that make an order uncertain.
    Uncertain,
    /// Words such as `not`, which make an order uncertain too.
    Negations,
    /// Lines that only say that the player's turn is over.
    TurnEnds,
    /// Phrases that begin a correction, if the line also names something of the game.
    Corrections,
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
        let section = match section {
            "lead-ins" => Section::LeadIns,
            "tails" => Section::Tails,
            "thanks" => Section::Thanks,
            "uncertain" => Section::Uncertain,
            "negations" => Section::Negations,
            "turn-ends" => Section::TurnEnds,
            "corrections" => Section::Corrections,
            "chat" => {
                let most = key.parse()?;
                self.chat.extend(phrases.map(|phrase| (phrase, most)));
                return Ok(true);
            }
            "spoken" => {
                let means = if key == COMMA_KEY { "," } else { key };
                self.spoken.extend(phrases.map(|way| (way.join(" "), means.to_owned())));
                return Ok(true);
            }
            _ => return Ok(false),
        };
        self.add_phrases(section, phrases);
        Ok(true)
    }

    /// Adds all phrases of another book.
    pub fn merge(&mut self, other: &Self) {
        for (section, phrases) in &other.phrases {
            self.add_phrases(*section, phrases.iter().cloned());
        }
        self.chat.extend(other.chat.iter().cloned());
        for (word, means) in &other.spoken {
            self.spoken.entry(word.clone()).or_insert_with(|| means.clone());
        }
    }

    fn add_phrases(&mut self, section: Section, phrases: impl Iterator<Item = Phrase>) {
        let own = self.phrases.entry(section).or_default();
        own.extend(phrases);
        own.sort_by_key(|phrase| std::cmp::Reverse(phrase.len()));
    }

    fn section(&self, section: Section) -> impl Iterator<Item = &Phrase> {
        self.phrases.get(&section).into_iter().flatten()
    }

    /// Returns the number of words of the section's longest phrase.
    fn longest(&self, section: Section) -> usize {
        self.section(section).next().map_or(0, Vec::len)
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
        self.section(Section::Corrections).any(|phrase| said.starts_with(phrase))
    }

    /// Whether a line only says that the player's turn is over.
    pub(super) fn is_end_of_turn(&self, line: &str) -> bool {
        let said = phrase_words(line);
        self.section(Section::TurnEnds).any(|phrase| said == *phrase)
    }

    /// Whether a line contains a phrase such as `maybe` or `not`. A phrase does not count if
    /// `is_of_game` is `true` for all its words.
    pub(super) fn is_uncertain(&self, line: &str, is_of_game: impl Fn(&str) -> bool) -> bool {
        let said = phrase_words(line);
        let counts = |phrase: &Phrase| {
            said.windows(phrase.len()).any(|words| words == phrase)
                && !phrase.iter().all(|word| is_of_game(word))
        };
        [Section::Uncertain, Section::Negations].iter().any(|one| self.section(*one).any(counts))
    }

    /// Whether a line begins with a word such as `not`, perhaps behind a lead-in.
    pub(crate) fn begins_with_negation(&self, line: &str) -> bool {
        let said = phrase_words(self.strip_lead_ins(line));
        self.section(Section::Negations).any(|phrase| said.starts_with(phrase))
    }

    /// Whether a line begins with a phrase such as `please`, with which a request to other people
    /// may begin too.
    pub(crate) fn has_lead_in(&self, line: &str) -> bool {
        self.strip_lead_ins(line).len() < line.len()
    }

    /// Returns a line without the phrases at its start that do not change its meaning.
    pub(super) fn strip_lead_ins<'a>(&self, mut line: &'a str) -> &'a str {
        while let Some(rest) = self.skip_lead_in(line) {
            line = rest;
        }
        line
    }

    /// Returns the rest of a line behind one lead-in, if it begins with one.
    fn skip_lead_in<'a>(&self, line: &'a str) -> Option<&'a str> {
        let said = first_words(line, self.longest(Section::LeadIns));
        let mut begins = self.section(Section::LeadIns).filter(|phrase| said.starts_with(phrase));
        begins.find_map(|phrase| {
            let rest = skip_number(skip_words(line, phrase)?).trim_start_matches(MARKS);
            rest.contains(char::is_alphanumeric).then_some(rest)
        })
    }

    /// Returns a sentence without a phrase at its end that does not change its meaning.
    pub(super) fn strip_tail<'a>(&self, sentence: &'a str) -> &'a str {
        let ends = text_ends(sentence, &[' '], self.longest(Section::Tails));
        let begin_of =
            |phrase: &Phrase| ends.iter().find(|(_, words)| words == phrase).map(|(at, _)| *at);
        let behind = self.section(Section::Tails).find_map(begin_of);
        let order = behind.and_then(|at| sentence.get(..at));
        order.map_or(sentence, |order| order.trim_end_matches([' ', ',', '-']))
    }

    /// Splits thanks from the end of an order. Returns the order and the name after the thanks.
    pub(super) fn split_thanks<'a>(&self, line: &'a str) -> Option<(&'a str, &'a str)> {
        let words_max = self.longest(Section::Thanks) + THANKED_NAME_WORDS_MAX;
        let name = |behind: &'a str, said: &[String]| {
            let mut thanks =
                self.section(Section::Thanks).filter(|phrase| said.starts_with(phrase));
            thanks.find_map(|phrase| match said == phrase.as_slice() {
                true => Some(""),
                false => skip_words(behind, phrase),
            })
        };
        let ends = text_ends(line, &[' ', '('], words_max);
        let mut parts = ends
            .iter()
            .filter_map(|(at, said)| Some((line.get(..*at)?, name(line.get(at + 1..)?, said)?)));
        let (order, name) = parts.next()?;
        let is_short = phrase_words(name).len() <= THANKED_NAME_WORDS_MAX;
        let order = order.trim_end_matches([' ', ',', '.', ';', '!', '-', '(']);
        (is_short && !order.is_empty()).then_some((order, name))
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

/// Removes a number that a colon follows, as in `order 1: build`. The colon stays.
fn skip_number(rest: &str) -> &str {
    let behind = rest.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    if behind.starts_with(':') { behind } else { rest }
}

/// Returns the text behind these words, if the text begins with them.
fn skip_words<'a>(text: &'a str, phrase: &[String]) -> Option<&'a str> {
    let (mut words, mut start) = (Vec::new(), 0);
    for (at, mark) in text.match_indices(MARKS) {
        words.extend(phrase_words(text.get(start..at)?));
        if words == phrase {
            return text.get(at..);
        }
        if !phrase.starts_with(&words) {
            break;
        }
        start = at + mark.len();
    }
    None
}

/// Returns the first words of a text. A long text is not split further than that.
fn first_words(text: &str, most: usize) -> Vec<String> {
    text.split(MARKS).flat_map(phrase_words).take(most).collect()
}

/// Returns the ends of a text behind one of these marks that have at most `most` words, the longest
/// first. Each comes with the index of its mark, and its words. Each part of a text is split once,
/// because a line may be long.
fn text_ends(text: &str, marks: &[char], most: usize) -> Vec<(usize, Vec<String>)> {
    let (mut ends, mut words, mut end) = (Vec::new(), Vec::new(), text.len());
    for (at, mark) in text.rmatch_indices(marks) {
        let part = text.get(at + mark.len()..end).map(phrase_words).unwrap_or_default();
        words.splice(..0, part);
        if words.len() > most {
            break;
        }
        ends.push((at, words.clone()));
        end = at;
    }
    ends.reverse();
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample_book() -> PhraseBook {
        let mut book = PhraseBook::default();
        for (section, key, ways) in [
            ("lead-ins", "", &["I'll go with", "fine", "please", "order", "I'd like to"][..]),
            ("tails", "", &["it is", "then"]),
            ("thanks", "", &["thanks", "thank you", "pls"]),
            ("uncertain", "", &["or", "tal vez"]),
            ("negations", "", &["not", "don't"]),
            ("turn-ends", "", &["end of my turn"]),
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
            ("Fine. Please, buy 3", "buy 3"),
            ("I'd like to buy 3", "buy 3"),
            ("order 2: buy 3", "buy 3"),
            ("17 buy", "17 buy"),
            ("order", "order"),
        ] {
            assert_eq!(book.strip_lead_ins(line), bare);
        }
        for (line, bare) in [
            ("PRR 6 it is", "PRR 6"),
            ("PRR 6, then.", "PRR 6"),
            ("then PRR 6", "then PRR 6"),
            ("PRR 6 then - it is", "PRR 6 then"),
            ("it is", "it is"),
        ] {
            assert_eq!(book.strip_tail(line), bare);
        }
    }

    #[test]
    fn thanks_are_split_from_order() {
        let book = sample_book();
        for (line, parts) in [
            ("buy 3, thanks!", Some(("buy 3", ""))),
            ("buy 3. Thank you Ann", Some(("buy 3", " Ann"))),
            ("buy 3 (pls)", Some(("buy 3", ""))),
            ("buy 3, thanks for all the fish", None),
            ("buy 3 thanksgiving", None),
            ("buythanks", None),
            ("thanks", None),
            ("buy 3 - - thanks - Ann Lee", Some(("buy 3", " - Ann Lee"))),
            ("thanks for the fish, buy 3, thanks", Some(("thanks for the fish, buy 3", ""))),
        ] {
            assert_eq!(book.split_thanks(line), parts, "{line}");
        }
    }

    #[test]
    fn words_of_game_make_nothing_uncertain() {
        let book = sample_book();
        for line in ["do not buy", "I don't buy", "buy 3, tal vez", "Not 3"] {
            assert!(book.is_uncertain(line, |_| false), "{line}");
            assert!(!book.is_uncertain(line, |_| true), "{line}");
        }
        assert!(!book.is_uncertain("buy 3, nothing else", |_| false));
    }

    #[test]
    fn negation_counts_at_begin_of_line() {
        let book = sample_book();
        for line in ["Don't build", "please do, not 3", "Please, not on G23", "not"] {
            assert_eq!(book.begins_with_negation(line), line != "please do, not 3", "{line}");
        }
        for line in ["build red or blue", "tal vez", "buy 3, not 4", "nothing"] {
            assert!(!book.begins_with_negation(line), "{line}");
        }
    }

    #[test]
    fn end_of_turn_is_a_whole_line() {
        let book = sample_book();
        assert!(book.is_end_of_turn("End of my turn!"));
        assert!(!book.is_end_of_turn("end of my turn, Bob"));
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
