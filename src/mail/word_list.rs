//! Lists of words, each looked for in a line at once: a letter may have twenty thousand lines, and
//! the lists have hundreds of words. Knows no word.

use aho_corasick::{AhoCorasick, Anchored, Input, StartKind};
use std::sync::OnceLock;

/// Words in lower case, in rows of those that belong together: of one language, or about one thing.
pub(super) struct WordList {
    rows: &'static [&'static [&'static str]],
    automaton: OnceLock<Option<AhoCorasick>>,
}

impl WordList {
    /// Creates a list. It is made ready for searches when it is first used.
    pub(super) const fn new(rows: &'static [&'static [&'static str]]) -> Self {
        Self { rows, automaton: OnceLock::new() }
    }

    /// Returns all words, in their order.
    pub(super) fn words(&self) -> impl Iterator<Item = &'static str> {
        self.rows.iter().copied().flatten().copied()
    }

    /// Whether one of the words is anywhere in a line, in any case.
    pub(super) fn occurs_in(&self, line: &str) -> bool {
        self.automaton().is_some_and(|words| words.is_match(&line.to_lowercase()))
    }

    /// Whether a line begins with one of the words, in any case.
    pub(super) fn starts_line(&self, line: &str) -> bool {
        let line = line.to_lowercase();
        let start = Input::new(&line).anchored(Anchored::Yes);
        self.automaton().is_some_and(|words| words.is_match(start))
    }

    /// Whether one of the words is in a line, in any case, and no Latin letter stands before it.
    /// Anything may stand behind it, since some languages add to a word.
    pub(super) fn starts_word_in(&self, line: &str) -> bool {
        let line = line.to_lowercase();
        let begins_word = |at: usize| {
            let before = line.get(..at).and_then(|before| before.chars().next_back());
            !before.is_some_and(|c| c.is_ascii_alphanumeric())
        };
        let words = self.automaton().into_iter();
        let mut found = words.flat_map(|words| words.find_overlapping_iter(&line));
        found.any(|found| begins_word(found.start()))
    }

    /// Returns the automaton that finds the words; none if they were too many for it.
    fn automaton(&self) -> Option<&AhoCorasick> {
        let build = || AhoCorasick::builder().start_kind(StartKind::Both).build(self.words());
        self.automaton.get_or_init(|| build().ok()).as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static LIST: WordList = WordList::new(&[&["iphone", "phone"], &["mail für dich"]]);

    #[test]
    fn word_list_matches_anywhere_or_at_start() {
        assert!(
            LIST.occurs_in("My telePhone")
                && LIST.occurs_in("mail für dich")
                && !LIST.occurs_in("pho ne")
        );
        assert!(
            LIST.starts_line("Phones") && !LIST.starts_line("my phone") && !LIST.starts_line("")
        );
        assert!(LIST.starts_word_in("z iPhonea") && LIST.starts_word_in("sent: phone"));
        // One word ends in another, which is looked at, too.
        assert!(!LIST.starts_word_in("telephone") && !LIST.starts_word_in("myiphone"));
    }
}
