//! Functions that split a line into words and match words, for the order parsers of all games.

/// Converts a line to lower case and removes `marks`, such as dots in abbreviations. Keeps them
/// between two digits, because 2.5 is not 25.
pub fn lowercase_without(line: &str, marks: &[char]) -> String {
    let line = line.to_lowercase();
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let mut small = String::with_capacity(line.len());
    for (at, mark) in line.char_indices() {
        let (before, behind) = line.split_at(at);
        let is_inside = is_digit(before.chars().next_back()) && is_digit(behind.chars().nth(1));
        if !marks.contains(&mark) || is_inside {
            small.push(mark);
        }
    }
    small
}

/// Converts a line to lower case and removes accents, because players with other keyboards type
/// `Orleans`.
pub fn lowercase_unaccented(line: &str) -> String {
    let mut small = String::with_capacity(line.len());
    for c in line.to_lowercase().chars() {
        match c {
            '\u{e0}'..='\u{e5}' => small.push('a'),
            '\u{e7}' => small.push('c'),
            '\u{e8}'..='\u{eb}' => small.push('e'),
            '\u{ec}'..='\u{ef}' => small.push('i'),
            '\u{f2}'..='\u{f6}' => small.push('o'),
            '\u{f9}'..='\u{fc}' => small.push('u'),
            '\u{fd}' | '\u{ff}' => small.push('y'),
            '\u{f1}' => small.push('n'),
            '\u{153}' => small.push_str("oe"),
            // Combining accents.
            '\u{300}'..='\u{36f}' => {}
            _ => small.push(c),
        }
    }
    small
}

/// Splits a line into words, at every character that is not a letter or digit. A sign before a
/// number, and a dot or slash inside it, belong to the number. So `-1` is not read as 1, and `2.5`
/// not as 2 and 5.
pub fn split_words(line: &str) -> impl Iterator<Item = &str> {
    split_tokens(line).filter(|piece| piece.contains(char::is_alphanumeric))
}

/// Splits a line into words like [`split_words`], and also returns each mark between them as a
/// token.
pub(crate) fn split_tokens(line: &str) -> impl Iterator<Item = &str> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let behind = line.get(at..)?;
        at += behind.len() - behind.trim_start().len();
        let (before, rest) = line.split_at_checked(at)?;
        let length = token_length(before.chars().next_back(), rest);
        at += length;
        rest.get(..length).filter(|piece| !piece.is_empty())
    })
}

/// Returns the length in bytes of the token at the start of `rest`. `before` is the character
/// before it.
fn token_length(before: Option<char>, rest: &str) -> usize {
    let Some(first) = rest.chars().next() else { return 0 };
    let number = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    let is_free = before.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | ',' | ':' | ';'));
    let is_sign = matches!(first, '+' | '-') && is_free && rest.get(1..).is_some_and(number);
    if !first.is_alphanumeric() && !is_sign {
        return first.len_utf8();
    }
    let mut is_number = is_sign || first.is_ascii_digit();
    for (at, c) in rest.char_indices().skip(1) {
        let is_part = is_number && matches!(c, '.' | '/') && rest.get(at + 1..).is_some_and(number);
        is_number &= is_part || c.is_ascii_digit();
        if !is_part && !c.is_alphanumeric() {
            return at;
        }
    }
    rest.len()
}

/// Splits a word between letters and digits. A number with a sign or a fraction stays whole.
pub(crate) fn split_letters_and_digits(word: &str) -> impl Iterator<Item = &str> {
    let is_whole = word.contains(|c: char| !c.is_alphanumeric());
    let mut rest = word;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let parts = |c: char| !is_whole && c.is_numeric() != first.is_numeric();
        let end = rest.find(parts).unwrap_or(rest.len());
        let (part, behind) = rest.split_at(end);
        rest = behind;
        Some(part)
    })
}

/// Whether `word` is a nonempty prefix of `of`, or all of it.
pub(crate) fn is_prefix(word: &str, of: &str) -> bool {
    !word.is_empty() && of.starts_with(word)
}

/// Returns the items whose names begin with the word. Returns only the item whose name equals the
/// word, if there is one.
pub(crate) fn items_with_prefix<T: Copy>(
    all: &[T],
    name: fn(T) -> &'static str,
    word: &str,
) -> Vec<T> {
    match all.iter().find(|&&one| name(one) == word) {
        Some(&same) => vec![same],
        None => all.iter().copied().filter(|&one| is_prefix(word, name(one))).collect(),
    }
}

/// Returns the item whose name equals the word, or the only one whose name begins with it.
pub(crate) fn unique_item_with_prefix<T: Copy>(
    all: &[T],
    name: fn(T) -> &'static str,
    word: &str,
) -> Option<T> {
    match *items_with_prefix(all, name, word) {
        [only] => Some(only),
        _ => None,
    }
}

/// Parses a number from 0 to 255 in digits, or an English word from `one` to `five`.
pub fn parse_small_number(word: &str) -> Option<u8> {
    let named = ["one", "two", "three", "four", "five"].iter().zip(1..);
    named.into_iter().find_map(|(&name, number)| (name == word).then_some(number)).or_else(|| {
        // `u8::from_str` would accept `+1` as well.
        word.parse().ok().filter(|_| word.bytes().all(|digit| digit.is_ascii_digit()))
    })
}

/// Parses the first word with `read`. Returns the value and the remaining words. Keeps all words if
/// `read` returns `None`.
pub(crate) fn parse_first_word<'a, 'b, T>(
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
    fn line_is_split_into_words_and_tokens() {
        let line = lowercase_without("P.R.R. the 7, \u{c9}tang-2a!", &['.']);
        let telling: Vec<&str> = split_words(&line).filter(|word| *word != "the").collect();
        assert_eq!(telling, ["prr", "7", "\u{e9}tang", "2a"]);
        assert_eq!(
            split_letters_and_digits("b12\u{e9}3").collect::<Vec<_>>(),
            ["b", "12", "\u{e9}", "3"]
        );
        assert_eq!(split_letters_and_digits("").count(), 0);
        assert_eq!(
            split_tokens("a->b, (c)").collect::<Vec<_>>(),
            ["a", "-", ">", "b", ",", "(", "c", ")"]
        );
    }

    #[test]
    fn number_keeps_sign_and_fraction() {
        for (line, words) in [
            ("for -1 blue", &["for", "-1", "blue"][..]),
            ("+1", &["+1"]),
            ("(-2.5)", &["-2.5"]),
            ("1/2 and 2.5", &["1/2", "and", "2.5"]),
            ("a2-b2 b-1", &["a2", "b2", "b", "1"]),
            ("1. prr 7.", &["1", "prr", "7"]),
            ("g23/24, g23.24", &["g23", "24", "g23", "24"]),
            ("- 1 g + h18 +h18", &["1", "g", "h18", "h18"]),
            ("2\u{bd} \u{661}", &["2\u{bd}", "\u{661}"]),
        ] {
            assert_eq!(split_words(line).collect::<Vec<_>>(), words, "{line}");
        }
        for (word, meant) in [
            ("1", Some(1)),
            ("two", Some(2)),
            ("-1", None),
            ("+1", None),
            ("2.5", None),
            ("1/2", None),
            ("256", None),
            ("\u{661}", None),
            ("\u{b2}", None),
        ] {
            assert_eq!(parse_small_number(word), meant, "{word}");
        }
        assert_eq!(split_letters_and_digits("-1").collect::<Vec<_>>(), ["-1"]);
        assert_eq!(lowercase_without("P.R.R. 2.5.", &['.']), "prr 2.5");
    }

    #[test]
    fn unique_prefix_or_whole_name_matches() {
        let name = |one: &'static str| one;
        let all = ["black", "blue", "b"];
        assert_eq!(unique_item_with_prefix(&all, name, "bla"), Some("black"));
        assert_eq!(unique_item_with_prefix(&all, name, "bl"), None);
        assert_eq!(unique_item_with_prefix(&all, name, "b"), Some("b"), "a whole name comes first");
        assert_eq!(unique_item_with_prefix(&all, name, ""), None);
        assert_eq!(items_with_prefix(&all, name, "bl"), ["black", "blue"]);
    }

    #[test]
    fn first_word_is_consumed_only_if_parsed() {
        assert_eq!(parse_first_word(&["two", "red"], parse_small_number), (Some(2), &["red"][..]));
        assert_eq!(parse_first_word(&["red"], parse_small_number), (None, &["red"][..]));
        assert_eq!(parse_first_word(&[], parse_small_number), (None, &[][..]));
    }

    #[test]
    fn western_accents_are_removed() {
        for (accented, plain) in [
            ("\u{e0}\u{e1}\u{e2}\u{e3}\u{e4}\u{e5}", "aaaaaa"),
            ("\u{e7}\u{c7}", "cc"),
            ("\u{e8}\u{e9}\u{ea}\u{eb}", "eeee"),
            ("\u{ec}\u{ed}\u{ee}\u{ef}", "iiii"),
            ("\u{f2}\u{f3}\u{f4}\u{f5}\u{f6}", "ooooo"),
            ("\u{f9}\u{fa}\u{fb}\u{fc}", "uuuu"),
            ("\u{fd}\u{ff}", "yy"),
            ("\u{f1}o \u{153}uvre", "no oeuvre"),
            ("e\u{301}", "e"),
            // Characters without an accent stay: a division sign, the German sharp s, a Greek
            // letter.
            ("\u{f7}\u{df}\u{3b1}", "\u{f7}\u{df}\u{3b1}"),
        ] {
            assert_eq!(lowercase_unaccented(accented), plain, "{accented}");
        }
    }

    #[test]
    fn number_words_are_parsed_up_to_five() {
        let words = ["one", "two", "three", "four", "five"].map(parse_small_number);
        assert_eq!(words, [1, 2, 3, 4, 5].map(Some));
        assert_eq!(parse_small_number("six"), None);
    }
}
