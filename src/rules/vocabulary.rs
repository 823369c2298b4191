//! The words of a game's orders, by which an order with a typo is distinguished from prose.
//! Contains no sentences and no languages: a line without any of these words is meant for people.

use super::nearest::{edit_distance, unique_nearest};
use super::{FormExample, line_words};
use std::collections::BTreeSet;

/// Names of pieces and places that are also everyday English words. Alone in a line of other words
/// they do not suggest an order.
const EVERYDAY_WORDS: [&str; 13] = [
    "city", "gap", "gold", "left", "life", "lines", "nice", "right", "rock", "rocks", "stone",
    "stones", "tours",
];
/// The minimum length of a name that suggests an order. Shorter names have too many other meanings.
const NAME_LETTERS_MIN: usize = 3;
/// The minimum length of a word in which one typo is allowed, in letters.
const ONE_TYPO_LETTERS_MIN: usize = 3;
/// The minimum length of a word in which two typos are allowed.
const TWO_TYPO_LETTERS_MIN: usize = 7;
/// The minimum length of a word with a typo that is the only word of its line.
const LONE_WORD_LETTERS_MIN: usize = 5;

/// The words of a game's orders and plans, as one seat may use them.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    pub(crate) verbs: BTreeSet<String>,
    /// The first words of plans and of lines that are not orders. They are everyday words, so a
    /// second known word must follow before a line is taken for an order.
    pub(crate) non_order_first_words: BTreeSet<String>,
    /// Names that suggest an order even in a line of other words.
    names: BTreeSet<String>,
    /// All other words of orders.
    other_words: BTreeSet<String>,
    /// Whether the game names places by a letter and a number, such as `G23`.
    has_places: bool,
}

/// The probable meaning of a line, judged by its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LineGuess {
    /// The line is meant for people.
    ForPeople,
    /// The line names something that orders name, but nothing else suggests an order.
    NamesOnly,
    /// The line is an order, perhaps with a typo.
    Order,
}

impl Vocabulary {
    /// Creates the vocabulary of a game. `verbs` begin its orders and `plans` begin its plans.
    /// `names` are those of pieces and places, and `forms` are examples of its lines.
    pub(crate) fn new<'a>(
        verbs: impl Iterator<Item = &'a str>,
        plans: impl Iterator<Item = &'a str>,
        names: &[String],
        forms: &[FormExample],
    ) -> Self {
        let mut all = Self::default();
        all.verbs.extend(verbs.map(str::to_owned));
        all.non_order_first_words.extend(plans.map(str::to_owned));
        let of_forms =
            forms.iter().flat_map(|form| lowercase_words(&form.line)).collect::<Vec<_>>();
        all.has_places = of_forms.iter().any(|word| is_place(word));
        all.other_words.extend(of_forms);
        for name in names.iter().flat_map(|name| lowercase_words(name)) {
            let tells =
                name.chars().count() >= NAME_LETTERS_MIN && !EVERYDAY_WORDS.contains(&&*name);
            let kind = if tells { &mut all.names } else { &mut all.other_words };
            kind.insert(name);
        }
        all
    }

    /// Adds words that begin lines which are not orders, and other words of such lines.
    #[must_use]
    pub fn with_non_order_words(mut self, verbs: &[&str], others: &[&str]) -> Self {
        self.non_order_first_words.extend(verbs.iter().map(|word| (*word).to_owned()));
        self.other_words.extend(others.iter().map(|word| (*word).to_owned()));
        self
    }

    /// Whether the word belongs to the vocabulary. Numbers below 100 do, and so do places if the
    /// game has them.
    pub fn contains(&self, word: &str) -> bool {
        let sets = [&self.verbs, &self.non_order_first_words, &self.names, &self.other_words];
        sets.into_iter().any(|words| words.contains(word))
            || word.parse::<u8>().is_ok_and(|number| number < 100)
            || self.has_places && is_place(word)
    }

    /// Guesses whether a line is an order, perhaps with a typo, or meant for people. The line must
    /// have been through [`fold_line`](crate::mail::fold_line).
    pub fn guess_line(&self, line: &str) -> LineGuess {
        let words = lowercase_words(line);
        if self.is_like_order(&words) {
            return LineGuess::Order;
        }
        if !words.iter().any(|word| self.names.contains(word)) {
            return LineGuess::ForPeople;
        }
        let acts = words.iter().any(|word| self.verbs.contains(word) || self.is_near_verb(word));
        if acts { LineGuess::Order } else { LineGuess::NamesOnly }
    }

    /// Like [`Vocabulary::guess_line`], for a line below an order. There, names and verbs inside
    /// prose suggest no order. A line names something of an order only if it begins with a name, or
    /// has less than `prose_min` words.
    pub(crate) fn guess_line_below_order(&self, line: &str, prose_min: usize) -> LineGuess {
        let words = lowercase_words(line);
        let begins = || words.first().is_some_and(|word| self.names.contains(word));
        let is_short = || words.len() < prose_min && self.names_something(line);
        // A first word of two letters with its letters swapped, such as `fi` for `if`.
        let is_swapped = |first: &String| {
            let mut verbs = self.verbs.iter().chain(&self.non_order_first_words);
            first.len() == 2 && verbs.any(|verb| verb.len() == 2 && is_anagram_of(first, verb))
        };
        let swaps = || words.first().is_some_and(is_swapped) && self.names_something(line);
        if self.is_like_order(&words) || swaps() {
            LineGuess::Order
        } else if begins() || is_short() {
            LineGuess::NamesOnly
        } else {
            LineGuess::ForPeople
        }
    }

    /// Whether a line contains the name of a piece or place.
    pub(crate) fn names_something(&self, line: &str) -> bool {
        lowercase_words(line).iter().any(|word| self.names.contains(word))
    }

    /// Whether the words begin like an order, name a place by a letter and a number, or are all
    /// words of orders.
    fn is_like_order(&self, words: &[String]) -> bool {
        let Some((first, rest)) = words.split_first() else { return false };
        let is_number = |word: &&String| word.bytes().all(|byte| byte.is_ascii_digit());
        let known = |word: &String| {
            let tells = word.chars().count() > 1 || is_number(&word);
            tells && (self.contains(word) || self.correct_typo(word, false).is_some())
        };
        let digits: usize = words.iter().filter(is_number).map(String::len).sum();
        let numbers = words.iter().filter(is_number).count();
        let is_phone = numbers == words.len() && digits > 4;
        let begins = self.verbs.contains(first) && first.chars().count() >= NAME_LETTERS_MIN
            || (self.non_order_first_words.contains(first) || self.is_near_verb(first))
                && rest.iter().any(known);
        let is_all = || !is_phone && words.iter().all(known) && self.can_be_order(words);
        let places =
            || self.has_places && words.iter().any(|word| is_place(&fix_place_digits(word)));
        begins || places() || is_all()
    }

    /// Whether a line that consists only of known words can be an order. A line of one word can, if
    /// the word has no typo or at least 5 letters.
    fn can_be_order(&self, words: &[String]) -> bool {
        match words {
            [word] => self.contains(word) || word.chars().count() >= LONE_WORD_LETTERS_MIN,
            _ => true,
        }
    }

    /// Whether the word is the first word of an order or another line, with a typo.
    fn is_near_verb(&self, word: &str) -> bool {
        self.verbs.iter().chain(&self.non_order_first_words).any(|verb| is_typo_of(word, verb))
    }

    /// Returns the word that a misspelt word means. Returns `None` if the word is correct, or if
    /// several words are equally near. `first` says that the word begins its line, where verbs come
    /// first.
    pub(crate) fn correct_typo(&self, word: &str, first: bool) -> Option<String> {
        let word = word.to_lowercase();
        if self.contains(&word) {
            return None;
        }
        let place = fix_place_digits(&word);
        if self.has_places && is_place(&place) {
            return Some(place);
        }
        let all = |words: &[&BTreeSet<String>]| {
            let near = words.iter().flat_map(|words| words.iter());
            let near = near.filter(|other| is_typo_of(&word, other));
            let near = near.map(|other| (edit_distance(&word, other), other));
            unique_nearest(near.collect())
        };
        if first { all(&[&self.verbs]) } else { None }
            .or_else(|| all(&[&self.verbs, &self.names, &self.other_words]))
    }
}

/// Returns the words of a line in lower case, split at spaces and at characters that are not
/// letters or digits. Short names with `&`, such as `B&O`, stay whole.
pub(crate) fn lowercase_words(line: &str) -> Vec<String> {
    let line = line.to_lowercase();
    let mut found = Vec::new();
    for piece in line.split_whitespace() {
        let piece = piece.trim_matches(|c: char| !c.is_alphanumeric());
        if piece.contains('&') && piece.chars().count() <= 5 {
            found.push(piece.trim_end_matches(|c: char| c.is_numeric()).to_owned());
            continue;
        }
        for word in line_words::split_words(piece) {
            if is_place(&fix_place_digits(word)) {
                found.push(word.to_owned());
            } else {
                found.extend(line_words::split_letters_and_digits(word).map(str::to_owned));
            }
        }
    }
    found
}

/// Whether the word is a letter and a number of one or two digits, such as `G23`.
fn is_place(word: &str) -> bool {
    let mut letters = word.chars();
    let letter = letters.next().is_some_and(|c| c.is_ascii_alphabetic());
    let number = letters.as_str();
    letter && matches!(number.len(), 1 | 2) && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the word with digits in place of letters that look like them, if it could then be a
/// place: `h2o` becomes `h20`.
fn fix_place_digits(word: &str) -> String {
    let has_digit = word.contains(|c: char| c.is_ascii_digit());
    let mut letters = word.chars();
    let (Some(first), true, 2..=3) = (letters.next(), has_digit, word.len()) else {
        return word.to_owned();
    };
    let digit = |c| match c {
        'o' | 'O' => '0',
        'l' | 'i' | 'I' => '1',
        's' | 'S' => '5',
        'z' | 'Z' => '2',
        other => other,
    };
    std::iter::once(first).chain(letters.map(digit)).collect()
}

/// Whether two different words could be the same word with typos: one, or two from 7 letters on.
fn is_typo_of(word: &str, other: &str) -> bool {
    let (length, most) = (word.chars().count(), other.chars().count());
    let least = length.min(most);
    let slips_max = if least < TWO_TYPO_LETTERS_MIN { 1 } else { 2 };
    let letters = |word: &str| word.chars().all(char::is_alphabetic);
    if least < ONE_TYPO_LETTERS_MIN
        || length.abs_diff(most) > slips_max
        || !letters(word)
        || !letters(other)
        // Two words of three letters that differ in one letter are usually different words. Only
        // swapped letters count as a typo there.
        || least == ONE_TYPO_LETTERS_MIN && !is_anagram_of(word, other)
    {
        return false;
    }
    (1..=slips_max).contains(&edit_distance(word, other))
}

fn is_anagram_of(word: &str, other: &str) -> bool {
    let sorted = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    sorted(word) == sorted(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Message;

    fn vocabulary() -> Vocabulary {
        let form = |line: &str| FormExample {
            heading: "now",
            line: line.into(),
            effect: Message::new("x"),
        };
        let names = ["red", "blue", "Lyon", "Troyes", "Nice", "To", "B&O"].map(str::to_owned);
        let verbs = ["build", "trade", "end"].into_iter();
        let forms = [form("build red G23"), form("trade red for 2 blue"), form("end left")];
        Vocabulary::new(verbs, ["next"].into_iter(), &names, &forms)
            .with_non_order_words(&["vote", "undo"], &["pause"])
    }

    #[test]
    fn misspelt_order_is_told_from_prose() {
        let all = vocabulary();
        for line in [
            "biuld blue H20",
            "build nothing",
            "ned left",
            "build blu H2O",
            "G99",
            "red",
            "Troyes",
            "undo",
            "vtoe pause",
            "sorry, I meant G25",
            "please do build on Lyon",
            "7",
            "to",
            "next: tarde red",
        ] {
            assert_eq!(all.guess_line(line), LineGuess::Order, "{line}");
        }
        for line in ["sorry, I meant Lyon", "good luck with the B&O!"] {
            assert_eq!(all.guess_line(line), LineGuess::NamesOnly, "{line}");
        }
        for line in [
            "Bob",
            "xx",
            "Bien à vous",
            "谢谢",
            "+49 30 12 34 56",
            "12 Baker Street",
            "NW1 9XY",
            "Nice move, Ann!",
            "Back in 2 hours",
            "A. B.",
            "Lots of fun so far",
            "",
            "Clay Miller",
            "I hope that was right",
            "See you next week!",
        ] {
            assert_eq!(all.guess_line(line), LineGuess::ForPeople, "{line}");
        }
    }

    #[test]
    fn prose_below_order_may_name_pieces() {
        let all = vocabulary();
        for (line, guess) in [
            ("we are building a shed in Red Hill", LineGuess::ForPeople),
            ("I hope to build a house in Lyon one day", LineGuess::ForPeople),
            ("biuld blue H20", LineGuess::Order),
            ("Sorry, make that G25 then", LineGuess::Order),
            ("build a shed", LineGuess::Order),
            ("red and blue and that is all", LineGuess::NamesOnly),
            ("not Lyon", LineGuess::NamesOnly),
        ] {
            assert_eq!(all.guess_line_below_order(line, 4), guess, "{line}");
        }
    }

    #[test]
    fn typo_is_corrected_if_unambiguous() {
        let all = vocabulary();
        let mended = [("biuld", "build"), ("tarde", "trade"), ("h2o", "h20"), ("troys", "troyes")];
        for (word, meant) in mended {
            assert_eq!(all.correct_typo(word, false).as_deref(), Some(meant), "{word}");
        }
        assert_eq!(
            [all.correct_typo("red", false), all.correct_typo("frobnicate", true)],
            [None, None]
        );
    }

    #[test]
    fn vocabulary_contains_full_verbs_and_numbers_below_100() {
        let all = vocabulary();
        assert!(
            all.verbs.contains("build") && !all.verbs.contains("bu") && !all.verbs.contains("red")
        );
        assert!(!all.verbs.contains("next"), "it begins a plan");
        for (word, known) in [("99", true), ("100", false), ("0", true), ("lyon", true)] {
            assert_eq!(all.contains(word), known, "{word}");
        }
    }

    #[test]
    fn initials_and_phone_numbers_are_no_orders() {
        let all = vocabulary().with_non_order_words(&[], &["a", "b"]);
        assert_eq!(all.guess_line("A. B."), LineGuess::ForPeople);
        assert_eq!(all.guess_line("12 34"), LineGuess::Order);
        assert_eq!(all.guess_line("12 34 5"), LineGuess::ForPeople);
    }

    #[test]
    fn two_typos_are_allowed_from_seven_letters() {
        for (word, other, near) in [
            ("troyess", "troyeas", true),
            ("marseil", "masreli", true),
            ("lioness", "lionnes", true),
            ("orlean", "orlaen", true),
            ("orlean", "roelan", false),
            ("orleans", "roelans", true),
            ("end", "ned", true),
            ("end", "and", false),
        ] {
            assert_eq!(is_typo_of(word, other), near, "{word} {other}");
        }
    }
}
