//! Edit distances between words, and the known word that a misspelt word probably means.

use std::collections::BTreeSet;

/// Returns the known word that is nearest to the written one, if it is near enough. It may differ
/// by one edit per three letters, but at least by one. Case is ignored, and `-`, `_` and spaces
/// count as equal.
pub(crate) fn nearest_word<'a>(
    written: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let plain = |word: &str| -> String {
        word.to_lowercase().chars().map(|c| if matches!(c, '-' | ' ') { '_' } else { c }).collect()
    };
    let wanted = plain(written);
    let far = |word: &&'a str| edit_distance(&wanted, &plain(word));
    let (word, far) = known.into_iter().map(|word| (word, far(&word))).min_by_key(|it| it.1)?;
    (far <= (wanted.chars().count() / 3).max(1) && far < word.len()).then_some(word)
}

/// Returns the word with the smallest distance, if no other word has that distance.
pub(crate) fn unique_nearest(found: BTreeSet<(usize, &String)>) -> Option<String> {
    let mut found = found.into_iter();
    let (far, best) = found.next()?;
    found.next().is_none_or(|(next, _)| far < next).then(|| best.clone())
}

/// Returns the edit distance: the minimum number of letters to insert, delete, change, or swap with
/// their neighbour, that turns one word into the other.
pub(crate) fn edit_distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=other.len()).collect();
    for (row, letter) in one.iter().enumerate() {
        let mut line = vec![row + 1];
        for (column, same) in other.iter().enumerate() {
            let at =
                |line: &[usize], place: usize| line.get(place).copied().unwrap_or(usize::MAX / 2);
            let changed = at(&above, column) + usize::from(letter != same);
            let mut least = changed.min(at(&above, column + 1) + 1).min(at(&line, column) + 1);
            let earlier = row.checked_sub(1).and_then(|row| one.get(row));
            let left = column.checked_sub(1).and_then(|column| other.get(column));
            if earlier == Some(same) && left == Some(letter) {
                least = least.min(at(&before, column - 1) + 1);
            }
            line.push(least);
        }
        before = std::mem::replace(&mut above, line);
    }
    above.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typo_finds_known_word() {
        let known = ["host", "port", "password_file", "letters_per_day", "stand-in"];
        let near = |word| nearest_word(word, known);
        assert_eq!(near("prot"), Some("port"));
        assert_eq!(near("Password-File"), Some("password_file"));
        assert_eq!(near("letter_per_day"), Some("letters_per_day"));
        assert_eq!(near("stand_in"), Some("stand-in"));
        assert_eq!((near("colour"), near("x"), near("")), (None, None, None));
        assert_eq!(
            [edit_distance("", "abc"), edit_distance("abc", "acb"), edit_distance("ab", "ba")],
            [3, 1, 1]
        );
    }

    #[test]
    fn nearest_word_allows_one_typo_per_three_letters() {
        assert_eq!(nearest_word("lettres_per_dya", ["letters_per_day"]), Some("letters_per_day"));
        assert_eq!(nearest_word("b", ["a"]), None);
    }

    #[test]
    fn only_neighbouring_letters_count_as_swapped() {
        for (one, other, far) in [
            ("ab", "bc", 2),
            ("ab", "ca", 2),
            ("build", "biuld", 1),
            ("ned", "end", 1),
            ("trade", "tarde", 1),
            ("abc", "cab", 2),
            ("a", "", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(
                (edit_distance(one, other), edit_distance(other, one)),
                (far, far),
                "{one} {other}"
            );
        }
    }

    #[test]
    fn equally_near_words_match_none() {
        let meant = |found: &[(usize, &str)]| {
            let words: Vec<String> = found.iter().map(|(_, word)| (*word).to_owned()).collect();
            unique_nearest(found.iter().map(|(far, _)| *far).zip(&words).collect())
        };
        assert_eq!(meant(&[(2, "trade"), (1, "train")]).as_deref(), Some("train"));
        assert_eq!(meant(&[(1, "trade"), (1, "train")]), None);
        assert_eq!(meant(&[]), None);
    }
}
