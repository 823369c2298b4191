//! Single letters in an order that the game and the player's own language read as different words.
//! For example, `n` means brown in a game's notation, but is also the first letter of Spanish
//! `negro` (black).

use crate::club::Lexicon;
use crate::rules::{Message, Refusal, Seat};
use crate::table::{OrderLine, Table};
use std::collections::BTreeSet;
use std::ops::Range;

/// Returns a refusal that asks which word was meant, if a single letter in the player's line could
/// also abbreviate a word of their language. A line that was written in English is never refused.
pub(super) fn ambiguous_abbreviation_refusal(
    table: &Table,
    seat: Seat,
    lexicon: &Lexicon,
    line: &OrderLine,
) -> Option<Refusal> {
    let english = line.english.as_deref()?;
    let worded = table.extract_order(&table.seat_vocabulary(seat), seat, english);
    let order = worded.map_or(english, |worded| worded.order);
    find_one_character_words(order).find_map(|at| {
        let letter = order.get(at.clone())?;
        let own = parse_order_or_plan(table, seat, order)?;
        let begins = letter.to_lowercase();
        let words = lexicon
            .phrases()
            .filter(|(phrase, _)| phrase.starts_with(&*begins) && phrase.len() > begins.len());
        let words: BTreeSet<&str> = words.map(|(_, means)| means).collect();
        let with = |word: &str| {
            let mut other = order.to_owned();
            other.replace_range(at.clone(), word);
            parse_order_or_plan(table, seat, &other)
        };
        // If the line means the same without the letter, the letter is a small word, such as
        // Spanish `el`. Then it abbreviates nothing.
        let without = with("");
        let is_other = |meaning: &Meaning| {
            meaning.key != own.key
                && without.as_ref().is_none_or(|without| meaning.key != without.key)
        };
        let others = words.into_iter().filter_map(|word| with(word).filter(is_other));
        let mut others: Vec<Meaning> = others.collect();
        others.dedup_by(|one, other| one.key == other.key);
        if others.is_empty() {
            return None;
        }
        let meant = |line: String| Message::new("did-you-mean").with("line", line);
        let why = Message::new("letter-means-two").with("letter", letter);
        let all = std::iter::once(own).chain(others).map(|meaning| meant(meaning.line));
        Some(all.fold(Refusal::unreadable(why), Refusal::with_alternative))
    })
}

struct Meaning {
    /// The normalized order or plan, by which the meanings of two lines are compared.
    key: String,
    line: String,
}

fn parse_order_or_plan(table: &Table, seat: Seat, line: &str) -> Option<Meaning> {
    let game = table.game();
    let Some(plan) = game.parse_plan(seat, line) else {
        let line = game.normalize_line(seat, line).ok()?;
        return Some(Meaning { key: line.clone(), line });
    };
    let is = plan.ok()?.iter().map(ToString::to_string).collect();
    Some(Meaning { key: is, line: line.to_owned() })
}

/// Returns the byte ranges of the letters in a line that are words of their own.
fn find_one_character_words(line: &str) -> impl Iterator<Item = Range<usize>> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '&' | '+' | '\'');
    line.char_indices().filter_map(move |(at, c)| {
        let (before, rest) = line.split_at_checked(at)?;
        let behind = rest.chars().nth(1);
        let is_alone = !before.ends_with(is_part) && !behind.is_some_and(is_part);
        (c.is_alphabetic() && is_alone).then(|| at..at + c.len_utf8())
    })
}
