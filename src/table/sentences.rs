//! Finds the orders in a line of several sentences, as people write it on a phone: "Hi all! Sorry
//! for the wait. I'll build red G23. Thanks!".
//!
//! An order inside a line is read only if the whole line is understood. Each sentence must be an
//! order, perhaps after a lead-in, or a greeting, thanks or an excuse. So a line with any other
//! words has no order here, and the player is asked back.

use super::wording::{is_question_or_doubtful, strip_optional_bullet};
use super::{SeatVocabulary, Table};
use crate::rules::{LineGuess, Seat};

/// The maximum length, in characters, of a line that is split into sentences.
const LINE_MAX: usize = 300;
/// The maximum number of clauses in a sentence.
const CLAUSES_MAX: usize = 6;

/// A line that is split into sentences, with what the split needs to know about its writer.
#[derive(Clone, Copy)]
pub struct SentenceReader<'a> {
    /// The table of the game.
    pub table: &'a Table,
    /// The seat of the writer, with its vocabulary.
    pub seat: Seat,
    /// The words of the seat's orders.
    pub words: &'a SeatVocabulary<'a>,
    /// Whether a text is only the writer's own name.
    pub is_own_name: &'a dyn Fn(&str) -> bool,
}

impl SentenceReader<'_> {
    /// Returns the sentences of a line.
    pub fn split_line(line: &str) -> impl Iterator<Item = &str> {
        split_into_sentences(line)
    }

    /// Returns the orders in a line, in their order. Returns `None` if the line can be parsed as it
    /// is, if it contains a doubt, or if any sentence of it is neither an order nor a greeting,
    /// thanks or an excuse.
    pub fn find_orders(&self, line: &str) -> Option<Vec<String>> {
        if line.chars().count() > LINE_MAX
            || self.table.extract_order(self.words, self.seat, line).is_some()
            || is_question_or_doubtful(self.words, line)
        {
            return None;
        }
        let mut orders = Vec::new();
        for sentence in split_into_sentences(strip_optional_bullet(line)) {
            if !self.is_chat(sentence) {
                orders.extend(self.read_sentence(sentence)?);
            }
        }
        (!orders.is_empty()).then_some(orders)
    }

    /// Whether a sentence is a greeting, thanks, an excuse, or the writer's name, and nothing of
    /// the game.
    fn is_chat(&self, sentence: &str) -> bool {
        let is_for_people = || self.words.vocabulary().guess_line(sentence) == LineGuess::ForPeople;
        (self.is_own_name)(sentence) || self.words.phrases.is_chat(sentence) && is_for_people()
    }

    /// Returns the orders of a sentence: one that is the whole sentence, or one in each clause.
    fn read_sentence(&self, sentence: &str) -> Option<Vec<String>> {
        if let Some(order) = self.read_clause(sentence) {
            return Some(vec![order]);
        }
        let clauses: Vec<&str> = sentence.split(", ").collect();
        let is_list = (2..=CLAUSES_MAX).contains(&clauses.len());
        is_list.then(|| clauses.into_iter().map(|clause| self.read_clause(clause)).collect())?
    }

    /// Returns the order that is the whole clause, without the phrases around it.
    fn read_clause(&self, clause: &str) -> Option<String> {
        let clause = clause.trim_matches([' ', '.', '!', ';', ',', '\u{a1}']);
        let bare = self.strip_phrases(self.strip_name(clause));
        let is_order = |text: &str| {
            let found = self.table.extract_order(self.words, self.seat, text);
            found.filter(|found| found.aside.is_empty()).map(|found| found.order.to_owned())
        };
        is_order(clause).or_else(|| is_order(bare)).or_else(|| {
            let written = self.words.phrases.write_out_spoken(bare)?;
            is_order(&written)
        })
    }

    /// Returns a clause without the writer's name at its end, as in `build red G23 -Ann`.
    fn strip_name<'a>(&self, clause: &'a str) -> &'a str {
        match clause.rsplit_once(['-', '/', '~', ',']) {
            Some((before, name)) if (self.is_own_name)(name) => {
                before.trim_end_matches([' ', '-', '/', '~', ','])
            }
            _ => clause,
        }
    }

    fn strip_phrases<'a>(&self, mut clause: &'a str) -> &'a str {
        loop {
            let phrases = self.words.phrases;
            let bare = phrases.strip_tail(phrases.strip_lead_ins(clause));
            if bare.len() == clause.len() {
                return bare;
            }
            clause = bare;
        }
    }
}

/// Splits a line behind each mark that ends a sentence.
pub(super) fn split_into_sentences(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line.trim();
    std::iter::from_fn(move || {
        let ends = |at: &usize| rest.get(..*at).is_some_and(|text| text.ends_with(['.', '!']));
        let end = rest.match_indices(' ').map(|(at, _)| at).find(ends).unwrap_or(rest.len());
        let (sentence, behind) = rest.split_at(end);
        rest = behind.trim_start();
        Some(sentence).filter(|sentence| !sentence.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_is_split_behind_marks() {
        let split = |line| split_into_sentences(line).collect::<Vec<_>>();
        assert_eq!(split("Hi! Lay D1 ns. Then move."), ["Hi!", "Lay D1 ns.", "Then move."]);
        assert_eq!(split("buy 3.5 corn"), ["buy 3.5 corn"]);
        assert_eq!(split("  "), [""; 0]);
    }
}
