//! The words of a line: how it is cut, and what a word stands for. What the games' readers have in
//! common.

/// The line in small letters, without these marks: they part no words.
pub fn small(line: &str, marks: &[char]) -> String {
    line.to_lowercase().replace(marks, "")
}

/// What a line says: its words, but for those that may stand in it and say nothing.
pub(crate) fn telling<'a>(words: impl Iterator<Item = &'a str>, fillers: &[&str]) -> Vec<&'a str> {
    words.filter(|word| !fillers.contains(word)).collect()
}

/// The line cut at everything that is no letter and no digit.
pub fn plain(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// A word cut between letters and digits.
pub(crate) fn letters_and_digits(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end = rest.find(|c: char| c.is_numeric() != first.is_numeric()).unwrap_or(rest.len());
        let (part, behind) = rest.split_at(end);
        rest = behind;
        Some(part)
    })
}

/// Whether the word is a beginning of the other one, or all of it.
pub(crate) fn is_beginning(word: &str, of: &str) -> bool {
    !word.is_empty() && of.starts_with(word)
}

/// Those whose names begin with the word; the one alone whose name it is.
pub(crate) fn fitting<T: Copy>(all: &[T], name: fn(T) -> &'static str, word: &str) -> Vec<T> {
    match all.iter().find(|&&one| name(one) == word) {
        Some(&same) => vec![same],
        None => all.iter().copied().filter(|&one| is_beginning(word, name(one))).collect(),
    }
}

/// The one whose name begins with the word, where no other's does, or is the word.
pub(crate) fn one_of<T: Copy>(all: &[T], name: fn(T) -> &'static str, word: &str) -> Option<T> {
    match *fitting(all, name, word) {
        [only] => Some(only),
        _ => None,
    }
}

/// A small number, in digits or as a word.
pub fn number(word: &str) -> Option<u8> {
    match word {
        "one" => Some(1),
        "two" => Some(2),
        _ => word.parse().ok(),
    }
}

/// What the first word stands for, if anything, and the words that are left then.
pub(crate) fn first<'a, 'b, T>(
    words: &'a [&'b str],
    read: impl FnOnce(&'b str) -> Option<T>,
) -> (Option<T>, &'a [&'b str]) {
    let taken = words.split_first().and_then(|(&word, rest)| Some((read(word)?, rest)));
    taken.map_or((None, words), |(read, rest)| (Some(read), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_into_what_it_says() {
        let line = small("P.R.R. the 7, \u{c9}tang-2a!", &['.']);
        assert_eq!(telling(plain(&line), &["the"]), ["prr", "7", "\u{e9}tang", "2a"]);
        assert_eq!(
            letters_and_digits("b12\u{e9}3").collect::<Vec<_>>(),
            ["b", "12", "\u{e9}", "3"]
        );
        assert_eq!(letters_and_digits("").count(), 0);
    }

    #[test]
    fn a_word_stands_for_the_one_thing_that_it_fits() {
        let name = |one: &'static str| one;
        let all = ["black", "blue", "b"];
        assert_eq!(one_of(&all, name, "bla"), Some("black"));
        assert_eq!(one_of(&all, name, "bl"), None);
        assert_eq!(one_of(&all, name, "b"), Some("b"), "a whole name comes first");
        assert_eq!(one_of(&all, name, ""), None);
        assert_eq!(fitting(&all, name, "bl"), ["black", "blue"]);
    }

    #[test]
    fn a_word_is_taken_off_where_it_stands_for_something() {
        assert_eq!(first(&["two", "red"], number), (Some(2), &["red"][..]));
        assert_eq!(first(&["red"], number), (None, &["red"][..]));
        assert_eq!(first(&[], number), (None, &[][..]));
    }
}
