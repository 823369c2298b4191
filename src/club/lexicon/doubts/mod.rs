//! Doubts: the phrases by which people hold back the orders beside them, call them a draft, or ask
//! about them.
//!
//! The phrases are data in the `doubts.txt` of each language. People mix languages in one letter,
//! so the caller searches a line for the doubts of all languages. Pure.

use super::{normalize_phrase, split_words};
use crate::rules::line_words::lowercase_unaccented;
use std::collections::{BTreeMap, BTreeSet};

/// The place of a line relative to an order of its letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinePlace {
    /// The line is above an order, with other lines between, or in a message to players.
    Apart,
    /// The line is above an order, with no line but blank ones between.
    DirectlyAbove,
    /// The line is below an order, or is a remark behind it.
    Below,
    /// The line is below the closing of the letter, where mail programs add text of their own.
    BelowClosing,
}

/// The most words that `...` in a phrase stands for.
const GAP_WORDS_MAX: usize = 3;
/// The most words of a condition that is too short to have a main clause.
const BARE_CONDITION_WORDS_MAX: usize = 4;

const HARMLESS_LIST: &str = "harmless";
const WHOLE_LINE: &str = "whole-line";
const WHOLE_LINE_BELOW: &str = "whole-line-below";
const ANYWHERE: &str = "anywhere";
const OPENING: &str = "opening";
const BELOW: &str = "below";
const LEAD_IN: &str = "lead-in";
const LEAD_IN_OPENING: &str = "lead-in-opening";
const CONDITION: &str = "condition";
const ORDER_CONDITION: &str = "order-condition";
const MAIN_CLAUSE: &str = "main-clause";
const OTHER_CLAUSE: &str = "other-clause";

/// The doubts of one language.
#[derive(Clone, Debug, Default)]
pub struct Doubts {
    lists: BTreeMap<String, PhraseList>,
}

#[derive(Clone, Debug, Default)]
struct PhraseList {
    phrases: Vec<Vec<Piece>>,
    /// The words with which the phrases begin.
    first_words: BTreeSet<String>,
}

/// A part of a phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Word(String),
    /// Any phrase of the list with this name.
    List(String),
    /// Up to [`GAP_WORDS_MAX`] words.
    Gap,
    /// The end of the sentence.
    End,
}

/// A sentence of a line, in lower case without accents. A harmless phrase is replaced by empty
/// words.
#[derive(Debug, Default)]
struct Sentence {
    words: Vec<String>,
    /// The index of the first word of the last clause, behind the last comma; 0 without a comma.
    last_clause: usize,
}

impl Doubts {
    /// Parses the file of one language.
    ///
    /// # Errors
    /// The message with the number of the wrong line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut all = Self::default();
        for (line, number) in text.lines().zip(1..) {
            let line = line.split('#').next().unwrap_or_default().trim();
            if !line.is_empty() {
                all.add_line(line).map_err(|what| format!("line {number}: {what}"))?;
            }
        }
        Ok(all)
    }

    fn add_line(&mut self, line: &str) -> Result<(), String> {
        let (name, phrases) =
            line.split_once(':').ok_or("write the name of a list, a colon, and phrases")?;
        for text in phrases.split(',').map(str::trim).filter(|text| !text.is_empty()) {
            let pieces = text.split_whitespace().map(|part| self.parse_piece(name.trim(), part));
            let pieces: Vec<Piece> =
                pieces.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
            let first_words = match pieces.first() {
                Some(Piece::Word(word)) => BTreeSet::from([word.clone()]),
                Some(Piece::List(list)) => {
                    self.lists.get(list).map(|list| list.first_words.clone()).unwrap_or_default()
                }
                _ => return Err(format!("{text:?} does not begin with a word")),
            };
            let list = self.lists.entry(name.trim().to_owned()).or_default();
            list.phrases.push(pieces);
            list.first_words.extend(first_words);
        }
        Ok(())
    }

    /// Parses a part of a phrase. A word with an apostrophe becomes two words. A list must be
    /// complete before another one uses it, so no list contains itself.
    fn parse_piece(&self, own: &str, part: &str) -> Result<Vec<Piece>, String> {
        if let Some(name) = part.strip_prefix('<').and_then(|part| part.strip_suffix('>')) {
            return match self.lists.contains_key(name) && name != own {
                true => Ok(vec![Piece::List(name.to_owned())]),
                false => Err(format!("there is no list {name:?} above")),
            };
        }
        match part {
            "..." => Ok(vec![Piece::Gap]),
            "$" => Ok(vec![Piece::End]),
            _ => match normalize_phrase(part) {
                words if words.is_empty() => Err(format!("{part:?} is not a word")),
                words => Ok(words.split(' ').map(|word| Piece::Word(word.to_owned())).collect()),
            },
        }
    }

    /// Whether a line at this place holds back the order, or asks about it. The line is in plain
    /// characters.
    pub(crate) fn holds_back(&self, line: &str, place: LinePlace) -> bool {
        let sentences = self.split_sentences(line);
        let words: Vec<String> =
            sentences.iter().flat_map(|sentence| sentence.words.iter().cloned()).collect();
        let is_whole = |list| self.phrase_ends(list, &words, 0).contains(&words.len());
        let is_below = matches!(place, LinePlace::Below | LinePlace::BelowClosing);
        if words.is_empty() || is_whole(WHOLE_LINE) || is_below && is_whole(WHOLE_LINE_BELOW) {
            return !words.is_empty();
        }
        if sentences.iter().any(|sentence| {
            self.contains(ANYWHERE, &sentence.words)
                || self.opens(OPENING, sentence)
                || place == LinePlace::Below && self.contains(BELOW, &sentence.words)
                || is_below && self.is_condition(sentence)
        }) {
            return true;
        }
        let Some(last) = sentences.last().filter(|_| place == LinePlace::DirectlyAbove) else {
            return false;
        };
        let line = line.trim_end();
        if line.ends_with(':') {
            self.contains(LEAD_IN, &last.words)
                || self.begins(LEAD_IN_OPENING, last, last.last_clause)
                || self.opens(CONDITION, last)
        } else {
            !line.ends_with(['.', '!', '?']) && last.last_clause == 0 && self.is_condition(last)
        }
    }

    /// Whether a sentence has a doubt behind its first words. That is a doubt at the beginning of a
    /// sentence, as in "Hey wait for Bob", or a doubt as a whole line, as in "Hi all wait".
    pub(crate) fn has_doubt_behind_greeting(&self, sentence: &str) -> bool {
        self.split_sentences(sentence).iter().any(|sentence| {
            let words = &sentence.words;
            let ends = |list, at| self.phrase_ends(list, words, at).contains(&words.len());
            (0..words.len()).any(|at| {
                let is_opening = self.begins(OPENING, sentence, at);
                is_opening || ends(WHOLE_LINE, at) || ends(WHOLE_LINE_BELOW, at)
            })
        })
    }

    /// Whether a line below an order takes it back or corrects it.
    pub(crate) fn takes_back(&self, line: &str) -> bool {
        let sentences = self.split_sentences(line);
        let words: Vec<String> =
            sentences.iter().flat_map(|sentence| sentence.words.iter().cloned()).collect();
        self.phrase_ends(WHOLE_LINE_BELOW, &words, 0).contains(&words.len())
            || sentences.iter().any(|sentence| self.contains(BELOW, &sentence.words))
    }

    /// Whether a sentence is a condition of the order. In "If you are free on Friday, call me", the
    /// main clause is about something else. Without a comma, the condition must be short or must
    /// itself be about the order, because it may have a main clause of its own.
    fn is_condition(&self, sentence: &Sentence) -> bool {
        let Sentence { words, last_clause } = sentence;
        let is_bare =
            || words.len() <= BARE_CONDITION_WORDS_MAX || self.begins(ORDER_CONDITION, sentence, 0);
        self.begins(CONDITION, sentence, 0)
            && match *last_clause {
                0 => is_bare() && !self.contains(OTHER_CLAUSE, words.get(2..).unwrap_or_default()),
                clause => self.begins(MAIN_CLAUSE, sentence, clause),
            }
    }

    /// Whether a sentence, or its last clause, begins with a phrase of the list.
    fn opens(&self, list: &str, sentence: &Sentence) -> bool {
        [0, sentence.last_clause].iter().any(|at| self.begins(list, sentence, *at))
    }

    /// Whether a phrase of the list begins at this word of a sentence.
    fn begins(&self, list: &str, sentence: &Sentence, at: usize) -> bool {
        !self.phrase_ends(list, &sentence.words, at).is_empty()
    }

    /// Whether a phrase of the list is anywhere in a sentence.
    fn contains(&self, list: &str, words: &[String]) -> bool {
        (0..words.len()).any(|at| !self.phrase_ends(list, words, at).is_empty())
    }

    /// Returns the indices of the words behind the phrases of the list that begin at word `at`.
    fn phrase_ends(&self, list: &str, words: &[String], at: usize) -> BTreeSet<usize> {
        let list = self.lists.get(list).zip(words.get(at));
        match list.filter(|(list, first)| list.first_words.contains(*first)) {
            Some((list, _)) => {
                let phrases = list.phrases.iter();
                phrases.flat_map(|phrase| self.piece_ends(phrase, words, at)).collect()
            }
            None => BTreeSet::new(),
        }
    }

    fn piece_ends(&self, phrase: &[Piece], words: &[String], at: usize) -> BTreeSet<usize> {
        let mut ends = BTreeSet::from([at]);
        for piece in phrase {
            let next = |at: usize| match piece {
                Piece::Word(word) if words.get(at) == Some(word) => BTreeSet::from([at + 1]),
                Piece::List(name) => self.phrase_ends(name, words, at),
                Piece::Gap => {
                    let rest = words.get(at..).unwrap_or_default().iter();
                    let own = rest.take(GAP_WORDS_MAX).take_while(|word| !word.is_empty()).count();
                    (at..=at + own).collect()
                }
                Piece::End if at == words.len() => BTreeSet::from([at]),
                Piece::Word(_) | Piece::End => BTreeSet::new(),
            };
            ends = ends.into_iter().flat_map(next).collect();
            if ends.is_empty() {
                break;
            }
        }
        ends
    }

    /// Splits a line into sentences, without harmless phrases.
    fn split_sentences(&self, line: &str) -> Vec<Sentence> {
        let words = split_words(line);
        let (mut sentences, mut open) = (Vec::new(), Sentence::default());
        for (word, next) in words.iter().zip(1..) {
            open.words.push(lowercase_unaccented(line.get(word.clone()).unwrap_or_default()));
            let next = words.get(next).map(|next| next.start);
            let behind = line.get(word.end..next.unwrap_or(line.len())).unwrap_or_default();
            if next.is_none() || ends_sentence(behind) {
                sentences.push(std::mem::take(&mut open));
            } else if behind.contains(',') {
                open.last_clause = open.words.len();
            }
        }
        for Sentence { words, .. } in &mut sentences {
            for at in 0..words.len() {
                let end = self.phrase_ends(HARMLESS_LIST, words, at).last().copied().unwrap_or(at);
                words.iter_mut().take(end).skip(at).for_each(String::clear);
            }
        }
        sentences
    }
}

/// Whether the characters between two words end a sentence.
fn ends_sentence(between: &str) -> bool {
    let has_mark = between.contains(['.', '!', '?', ';', ':']) && between.contains(' ');
    has_mark || between.contains(['(', ')']) || between.contains(" - ")
}

#[cfg(test)]
mod tests;
