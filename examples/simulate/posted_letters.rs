//! Checks that two clubs have sent equal letters, although some passes of one of them were
//! repeated.

use std::collections::{BTreeMap, BTreeSet};

/// The letters that a club has sent, by Message-ID.
pub type SentLetters = BTreeMap<String, SentLetter>;

/// A sent letter.
#[derive(Clone, Debug)]
pub struct SentLetter {
    /// The recipient's address.
    pub to: String,
    /// The text.
    pub text: String,
}

/// Checks that two clubs have sent equal letters, and names the missing and the surplus ones. A
/// repeated pass has read and sent less than the pass without failure, so these differences are
/// allowed:
/// - A letter with a seat's position may have been replaced by a newer one, because the number of
///   tries to send it differs.
/// - A letter about a deadline may have been sent earlier.
/// - A letter about several matters may list them in another order, and so have another Message-ID.
/// - Queued letters to one reader may have been merged differently: letters about several games, or
///   letters about one game, of which the newer then contains what the older would have said.
pub fn compare_posted_letters(found: &SentLetters, expected: &SentLetters) -> Result<(), String> {
    let (lost, more) = (letters_missing_in(expected, found), letters_missing_in(found, expected));
    let both = found.keys().filter(|id| expected.contains_key(*id));
    let both: Vec<_> = both.filter_map(|id| seat_and_record(id)).collect();
    let is_replaced = |id: &&String| {
        let newer = |(seat, record)| both.iter().any(|&(to, at)| to == seat && at > record);
        seat_and_record(id).is_some_and(newer)
    };
    let is_said = |letter: &&IdAndLetter| {
        let [one, other] = [found, expected];
        is_covered_by_other_letter(letter, one, other)
            || is_covered_by_other_letter(letter, other, one)
    };
    let is_open = |letter: &&IdAndLetter| {
        let is_accounted_for = is_in_joined_letter(letter.1, &lost, &more)
            || is_said(letter)
            || has_same_lines_elsewhere(letter.1, &lost, &more)
            || is_replaced(&letter.0);
        !is_accounted_for
    };
    let ids = |letters: &[IdAndLetter<'_>]| -> Vec<String> {
        letters.iter().filter(is_open).map(|(id, _)| (*id).clone()).collect()
    };
    let (mut lost, mut more) = (ids(&lost), ids(&more));
    more.retain(|sooner| {
        let at = lost.iter().position(|later| is_earlier_deadline_letter(sooner, later));
        at.map(|at| lost.remove(at)).is_none()
    });
    if lost.is_empty() && more.is_empty() {
        return Ok(());
    }
    Err(format!("missing letters: {lost:?}; surplus letters: {more:?}"))
}

/// A letter with its Message-ID.
type IdAndLetter<'a> = (&'a String, &'a SentLetter);

/// Returns the letters of one club that the other did not send.
fn letters_missing_in<'a>(these: &'a SentLetters, those: &SentLetters) -> Vec<IdAndLetter<'a>> {
    these.iter().filter(|(id, _)| !those.contains_key(*id)).collect()
}

/// Whether the reader got at least one letter from each club that the other did not send, and one
/// of them is a merged letter.
fn is_in_joined_letter(
    reader: &SentLetter,
    lost: &[IdAndLetter<'_>],
    more: &[IdAndLetter<'_>],
) -> bool {
    let is_for_reader = |letter: &&IdAndLetter| letter.1.to == reader.to;
    let reached_reader =
        |letters: &[IdAndLetter<'_>]| letters.iter().any(|letter| is_for_reader(&letter));
    let mut both = lost.iter().chain(more).filter(is_for_reader);
    reached_reader(lost) && reached_reader(more) && both.any(|(id, _)| id.starts_with("b."))
}

/// Whether each club sent this reader a letter with exactly the lines of this letter, in any order.
fn has_same_lines_elsewhere(
    reader: &SentLetter,
    lost: &[IdAndLetter<'_>],
    more: &[IdAndLetter<'_>],
) -> bool {
    let lines = |sent: &SentLetter| {
        let mut lines: Vec<String> = sent.text.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    let this = lines(reader);
    let has_lines = |letters: &[IdAndLetter<'_>]| {
        letters.iter().any(|(_, sent)| sent.to == reader.to && lines(sent) == this)
    };
    has_lines(lost) && has_lines(more)
}

/// Whether the other club sent the content of this letter in a longer version of another letter to
/// the seat. `with` is the club that sent the letter, and `without` the other.
fn is_covered_by_other_letter(
    (id, sent): &IdAndLetter<'_>,
    with: &SentLetters,
    without: &SentLetters,
) -> bool {
    let Some((seat, _)) = seat_and_record(id) else { return false };
    if without.contains_key(*id) {
        return false;
    }
    let lines =
        |sent: &SentLetter| -> BTreeSet<String> { sent.text.lines().map(str::to_owned).collect() };
    let is_of_seat = |id: &str| id.strip_prefix(seat).is_some_and(|rest| rest.starts_with('.'));
    with.iter().filter(|(other, _)| is_of_seat(other)).any(|(other, there)| {
        let Some(here) = without.get(other) else { return false };
        let (there, here) = (lines(there), lines(here));
        lines(sent).iter().filter(|line| !there.contains(*line)).all(|line| here.contains(line))
    })
}

/// Whether two Message-IDs belong to letters about a deadline of one seat in one position, and the
/// first is about an earlier time. Such an ID is `g4.s2.r1.t1769417220.TAG@...`.
fn is_earlier_deadline_letter(sooner: &str, later: &str) -> bool {
    let game_and_time = |id: &str| -> Option<(String, i64)> {
        let (of, rest) = id.split_once(".t")?;
        Some((of.to_owned(), rest.split('.').next()?.parse().ok()?))
    };
    game_and_time(sooner)
        .zip(game_and_time(later))
        .is_some_and(|(one, other)| one.0 == other.0 && one.1 < other.1)
}

/// Returns the game and seat (`g4.s2`) and the record that a letter shows, from its Message-ID:
/// `g4.s2.r1.TAG@...`.
fn seat_and_record(id: &str) -> Option<(&str, u32)> {
    let (seat, record) = id.split_once('@')?.0.split_once(".r")?;
    Some((seat, record.split('.').next()?.parse().ok()?))
}
