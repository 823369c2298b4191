//! Which of the known words somebody meant who wrote another.

/// The known word that is nearest to the one that was written, if one is near enough to be meant:
/// capitals and `-` for `_` are no difference, and of three letters one may be wrong.
pub(crate) fn nearest<'a>(
    written: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let plain = |word: &str| -> Vec<char> {
        word.to_lowercase().chars().map(|c| if matches!(c, '-' | ' ') { '_' } else { c }).collect()
    };
    let wanted = plain(written);
    let far = |word: &&'a str| distance(&wanted, &plain(word));
    let (word, far) = known.into_iter().map(|word| (word, far(&word))).min_by_key(|it| it.1)?;
    (far <= (wanted.len() / 3).max(1) && far < word.len()).then_some(word)
}

/// How many letters must be changed, left out, put in or swapped with their neighbour.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let at = |row: &[usize], j: usize| row.get(j).copied().unwrap_or(usize::MAX - 1);
            let changed = at(&above, j) + usize::from(x != y);
            let mut least = changed.min(at(&above, j + 1) + 1).min(at(&row, j) + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x);
            if swapped {
                least = least.min(at(&before, j - 1) + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_known_and_another_word_is_none() {
        let known = ["host", "port", "password_file", "letters_per_day", "stand-in"];
        let near = |word| nearest(word, known);
        assert_eq!(near("prot"), Some("port"));
        assert_eq!(near("Password-File"), Some("password_file"));
        assert_eq!(near("letter_per_day"), Some("letters_per_day"));
        assert_eq!(near("stand_in"), Some("stand-in"));
        assert_eq!((near("colour"), near("x"), near("")), (None, None, None));
    }
}
