//! Whether two clubs have posted the same letters, though the passes of one were begun again.

use std::collections::{BTreeMap, BTreeSet};

/// Letters that were posted, by their Message-IDs.
pub type SentLetters = BTreeMap<String, SentLetter>;

/// A letter that was posted.
#[derive(Clone, Debug)]
pub struct SentLetter {
    /// Whom it went to.
    pub to: String,
    /// What it says.
    pub text: String,
}

/// Says which letters are missing and which should not be. A pass that is begun again has read and
/// told less than it will have, so these may differ:
/// - of those that show a seat a position, one that the post did not take may have been replaced by
///   a newer one: how often it was tried differs;
/// - one that tells of a deadline may have told of it sooner;
/// - what one letter says of several matters it may say in another order, under another Message-ID;
/// - of what waits for one reader more or less may have become one letter: of several games, or of
///   one, and then the newer says what the older would have said.
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
        let in_another_order = has_same_lines_elsewhere(letter.1, &lost, &more);
        let is_told =
            is_in_joined_letter(letter.1, &lost, &more) || is_said(letter) || in_another_order;
        !is_told && !is_replaced(&letter.0)
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
    Err(format!("letters that were not posted: {lost:?}; that should not be: {more:?}"))
}

/// A letter's Message-ID, and the letter.
type IdAndLetter<'a> = (&'a String, &'a SentLetter);

/// Those of one club that the other did not post.
fn letters_missing_in<'a>(these: &'a SentLetters, those: &SentLetters) -> Vec<IdAndLetter<'a>> {
    these.iter().filter(|(id, _)| !those.contains_key(*id)).collect()
}

/// Whether a reader got something else from each club, one of it several letters that became one.
fn is_in_joined_letter(
    reader: &SentLetter,
    lost: &[IdAndLetter<'_>],
    more: &[IdAndLetter<'_>],
) -> bool {
    let is_his = |letter: &&IdAndLetter| letter.1.to == reader.to;
    let to_him = |letters: &[IdAndLetter<'_>]| letters.iter().any(|letter| is_his(&letter));
    let mut both = lost.iter().chain(more).filter(is_his);
    to_him(lost) && to_him(more) && both.any(|(id, _)| id.starts_with("b."))
}

/// Whether each club told this reader the same lines in a letter, each in its order.
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
    let is_told = |letters: &[IdAndLetter<'_>]| {
        letters.iter().any(|(_, sent)| sent.to == reader.to && lines(sent) == this)
    };
    is_told(lost) && is_told(more)
}

/// Whether what a letter told a seat, and another to it did not tell where the letter was posted,
/// is told by that other where the letter was not.
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

/// Whether these are the letters that tell the same seat of a deadline in the same position, by
/// their Message-IDs: `g4.s2.r1.t1769417220.TAG@...`.
fn is_earlier_deadline_letter(sooner: &str, later: &str) -> bool {
    let told = |id: &str| -> Option<(String, i64)> {
        let (of, rest) = id.split_once(".t")?;
        Some((of.to_owned(), rest.split('.').next()?.parse().ok()?))
    };
    told(sooner).zip(told(later)).is_some_and(|(one, other)| one.0 == other.0 && one.1 < other.1)
}

/// Whose position of which game a letter shows, and at which record, by its Message-ID:
/// `g4.s2.r1.TAG@...`.
fn seat_and_record(id: &str) -> Option<(&str, u32)> {
    let (seat, record) = id.split_once('@')?.0.split_once(".r")?;
    Some((seat, record.split('.').next()?.parse().ok()?))
}
