//! The words that a game's orders are made of: by them an order with a slip in it is told from what
//! people write besides.
//!
//! Knows no sentence and no language: whatever holds none of these words is meant for people.

use super::nearest::{edit_distance, unique_nearest};
use super::{FormExample, line_words};
use std::collections::BTreeSet;

/// Names of pieces and places that are everyday words as well: seen alone among other words they
/// say nothing.
const EVERYDAY_WORDS: [&str; 13] = [
    "city", "gap", "gold", "left", "life", "lines", "nice", "right", "rock", "rocks", "stone",
    "stones", "tours",
];
/// Shorter words than these stand for too many things.
const NAME_LETTERS_MIN: usize = 3;
/// The shortest word in which one letter may be wrong.
const ONE_TYPO_LETTERS_MIN: usize = 3;
/// The shortest in which two may.
const TWO_TYPO_LETTERS_MIN: usize = 7;
/// The shortest word, if it is the only one of its line, in which a letter may be wrong.
const LONE_WORD_LETTERS_MIN: usize = 5;

/// The words of a game's orders.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// What orders begin with.
    pub(crate) verbs: BTreeSet<String>,
    /// What plans begin with, and lines that are no orders of the game: words of every day.
    pub(crate) other_first_words: BTreeSet<String>,
    /// What only orders name.
    names: BTreeSet<String>,
    /// Every other word of an order.
    other_words: BTreeSet<String>,
    /// Whether places are called by a letter and a number.
    has_places: bool,
}

/// What the words of a line speak for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LineGuess {
    /// That it is meant for people.
    ForPeople,
    /// Nothing much: it names something that orders name.
    NamesOnly,
    /// That it is an order, perhaps with a slip in it.
    Order,
}

impl Vocabulary {
    /// The words of a game with these verbs, with these that begin plans, these names of pieces
    /// and places, and these ways of writing a line.
    pub(crate) fn new<'a>(
        verbs: impl Iterator<Item = &'a str>,
        plans: impl Iterator<Item = &'a str>,
        names: &[String],
        forms: &[FormExample],
    ) -> Self {
        let mut all = Self::default();
        all.verbs.extend(verbs.map(str::to_owned));
        all.other_first_words.extend(plans.map(str::to_owned));
        let of_forms = forms.iter().flat_map(|form| tokens(&form.line)).collect::<Vec<_>>();
        all.has_places = of_forms.iter().any(|word| is_place(word));
        all.other_words.extend(of_forms);
        for name in names.iter().flat_map(|name| tokens(name)) {
            let tells =
                name.chars().count() >= NAME_LETTERS_MIN && !EVERYDAY_WORDS.contains(&&*name);
            let kind = if tells { &mut all.names } else { &mut all.other_words };
            kind.insert(name);
        }
        all
    }

    /// The same with words that begin lines which are no orders of the game, and that follow them.
    #[must_use]
    pub fn with_words(mut self, verbs: &[&str], others: &[&str]) -> Self {
        self.other_first_words.extend(verbs.iter().map(|word| (*word).to_owned()));
        self.other_words.extend(others.iter().map(|word| (*word).to_owned()));
        self
    }

    /// Whether a word is one of the game's own.
    pub fn contains(&self, word: &str) -> bool {
        let sets = [&self.verbs, &self.other_first_words, &self.names, &self.other_words];
        sets.into_iter().any(|words| words.contains(word))
            || word.parse::<u8>().is_ok_and(|number| number < 100)
            || self.has_places && is_place(word)
    }

    /// What the words of a folded line speak for.
    pub fn guess_line(&self, line: &str) -> LineGuess {
        let words = tokens(line);
        let Some((first, rest)) = words.split_first() else { return LineGuess::ForPeople };
        let is_number = |word: &&String| word.bytes().all(|byte| byte.is_ascii_digit());
        let known = |word: &String| {
            let tells = word.chars().count() > 1 || is_number(&word);
            tells && (self.contains(word) || self.correct_typo(word, false).is_some())
        };
        let digits: usize = words.iter().filter(is_number).map(String::len).sum();
        let numbers = words.iter().filter(is_number).count();
        let is_phone = numbers == words.len() && digits > 4;
        let begins = self.verbs.contains(first) && first.chars().count() >= NAME_LETTERS_MIN
            || (self.other_first_words.contains(first) || self.is_near_verb(first))
                && rest.iter().any(known);
        let is_all = || !is_phone && words.iter().all(known) && self.can_be_order(&words);
        let places =
            || self.has_places && words.iter().any(|word| is_place(&fix_place_digits(word)));
        if begins || places() || is_all() {
            return LineGuess::Order;
        }
        if !words.iter().any(|word| self.names.contains(word)) {
            return LineGuess::ForPeople;
        }
        let acts = words.iter().any(|word| self.verbs.contains(word) || self.is_near_verb(word));
        if acts { LineGuess::Order } else { LineGuess::NamesOnly }
    }

    /// Whether lines of such words alone can be meant for us: one word alone must be right, or long
    /// enough to be known with a slip.
    fn can_be_order(&self, words: &[String]) -> bool {
        match words {
            [word] => self.contains(word) || word.chars().count() >= LONE_WORD_LETTERS_MIN,
            _ => true,
        }
    }

    /// Whether the word is one that lines begin with, with a slip in it.
    fn is_near_verb(&self, word: &str) -> bool {
        self.verbs.iter().chain(&self.other_first_words).any(|verb| is_typo_of(word, verb))
    }

    /// The word that one with a slip in it was meant to be; none when it is right, or could be
    /// several. `first`: it stands where a verb does.
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

/// The words of a line in small letters: cut at blanks and, but for what is written with a mark
/// inside, at everything that is no letter and no digit.
pub(crate) fn tokens(line: &str) -> Vec<String> {
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

/// A letter and a number of one or two digits.
fn is_place(word: &str) -> bool {
    let mut letters = word.chars();
    let letter = letters.next().is_some_and(|c| c.is_ascii_alphabetic());
    let number = letters.as_str();
    letter && matches!(number.len(), 1 | 2) && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// A place with its digits mended, where letters that look like them were written: `h2o`.
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

/// Whether one of two words may be the other with a slip in it.
fn is_typo_of(word: &str, other: &str) -> bool {
    let (length, most) = (word.chars().count(), other.chars().count());
    let least = length.min(most);
    let slips_max = if least < TWO_TYPO_LETTERS_MIN { 1 } else { 2 };
    let letters = |word: &str| word.chars().all(char::is_alphabetic);
    if least < ONE_TYPO_LETTERS_MIN
        || length.abs_diff(most) > slips_max
        || !letters(word)
        || !letters(other)
        // Short words that differ in a letter are other words; with two letters changed over they
        // are not.
        || least == ONE_TYPO_LETTERS_MIN && !has_same_letters(word, other)
    {
        return false;
    }
    (1..=slips_max).contains(&edit_distance(word, other))
}

fn has_same_letters(word: &str, other: &str) -> bool {
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
            .with_words(&["vote", "undo"], &["pause"])
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
        let all = vocabulary().with_words(&[], &["a", "b"]);
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
