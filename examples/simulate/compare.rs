//! Whether two clubs have posted the same letters, though the passes of one were begun again.

use std::collections::{BTreeMap, BTreeSet};

/// Letters that were posted: the address of each by its Message-ID.
pub type Letters = BTreeMap<String, String>;

/// Says which letters are missing and which should not be. A pass that is begun again has read and
/// told less than it will have, so these may differ:
/// - of those that show a seat a position, one that the post did not take may have been replaced by
///   a newer one: how often it was tried differs;
/// - one that tells of a deadline may have told of it sooner;
/// - of what waits for one reader more or less may have become one letter.
pub fn same_post(found: &Letters, expected: &Letters) -> Result<(), String> {
    let (lost, more) = (without(expected, found), without(found, expected));
    let both: Vec<_> = found.keys().filter(|id| expected.contains_key(*id)).collect();
    let both: Vec<_> = both.into_iter().filter_map(|id| position(id)).collect();
    let is_replaced = |id: &&String| {
        let newer = |(seat, record)| both.iter().any(|&(to, at)| to == seat && at > record);
        position(id).is_some_and(newer)
    };
    let joined = readers_of_joined(&lost, &more);
    let is_open = |(id, to): &(&String, &String)| !is_replaced(id) && !joined.contains(*to);
    let mut lost: Vec<&String> = lost.into_iter().filter(is_open).map(|(id, _)| id).collect();
    let mut more: Vec<&String> = more.into_iter().filter(is_open).map(|(id, _)| id).collect();
    more.retain(|sooner| {
        let at = lost.iter().position(|later| is_told_sooner(sooner, later));
        at.map(|at| lost.remove(at)).is_none()
    });
    if lost.is_empty() && more.is_empty() {
        return Ok(());
    }
    Err(format!("letters that were not posted: {lost:?}; that should not be: {more:?}"))
}

/// Those of one club that the other did not post.
fn without<'a>(these: &'a Letters, those: &Letters) -> Vec<(&'a String, &'a String)> {
    these.iter().filter(|(id, _)| !those.contains_key(*id)).collect()
}

/// Who got something else from each club, one of it several letters that became one.
fn readers_of_joined(lost: &[(&String, &String)], more: &[(&String, &String)]) -> BTreeSet<String> {
    let to = |letters: &[(&String, &String)]| -> BTreeSet<String> {
        letters.iter().map(|(_, to)| (*to).clone()).collect()
    };
    let joined = lost.iter().chain(more).filter(|(id, _)| id.starts_with("b."));
    let joined: BTreeSet<String> = joined.map(|(_, to)| (*to).clone()).collect();
    let both: BTreeSet<String> = to(lost).intersection(&to(more)).cloned().collect();
    joined.intersection(&both).cloned().collect()
}

/// Whether these are the letters that tell the same seat of a deadline in the same position, by
/// their Message-IDs: `g4.s2.r1.t1769417220@...`.
fn is_told_sooner(sooner: &str, later: &str) -> bool {
    let told = |id: &str| -> Option<(String, i64)> {
        let (of, at) = id.split_once('@')?.0.rsplit_once(".t")?;
        Some((of.to_owned(), at.parse().ok()?))
    };
    told(sooner).zip(told(later)).is_some_and(|(one, other)| one.0 == other.0 && one.1 < other.1)
}

/// Whose position of which game a letter shows, and at which record, by its Message-ID:
/// `g4.s2.r1@...`.
fn position(id: &str) -> Option<(&str, u32)> {
    let (seat, record) = id.split_once('@')?.0.split_once(".r")?;
    Some((seat, record.split('.').next()?.parse().ok()?))
}
