//! Lists of phrases that are searched for in one pass over a line. A letter may have 20,000 lines
//! and the lists have hundreds of phrases, so searching for each phrase would be too slow.

use aho_corasick::{AhoCorasick, Anchored, Input, StartKind};
use std::sync::OnceLock;

/// A list of phrases in lower case. Each row groups phrases of one language or meaning.
pub(super) struct WordList {
    rows: &'static [&'static [&'static str]],
    automaton: OnceLock<Option<AhoCorasick>>,
}

impl WordList {
    /// Creates a list. The search automaton is built at the first search.
    pub(super) const fn new(rows: &'static [&'static [&'static str]]) -> Self {
        Self { rows, automaton: OnceLock::new() }
    }

    pub(super) fn phrases(&self) -> impl Iterator<Item = &'static str> {
        self.rows.iter().copied().flatten().copied()
    }

    /// Whether a line contains one of the phrases, in any case.
    pub(super) fn occurs_in(&self, line: &str) -> bool {
        self.automaton().is_some_and(|words| words.is_match(&line.to_lowercase()))
    }

    /// Whether a line begins with one of the phrases, in any case.
    pub(super) fn starts_line(&self, line: &str) -> bool {
        let line = line.to_lowercase();
        let start = Input::new(&line).anchored(Anchored::Yes);
        self.automaton().is_some_and(|words| words.is_match(start))
    }

    /// Whether a line ends with one of the phrases, in any case.
    pub(super) fn ends_line(&self, line: &str) -> bool {
        let line = line.to_lowercase();
        let words = self.automaton().into_iter();
        let mut found = words.flat_map(|words| words.find_overlapping_iter(&line));
        found.any(|found| found.end() == line.len())
    }

    /// Whether a line contains one of the phrases, in any case, without an ASCII letter or digit
    /// before it. Other characters may follow, because some languages add endings.
    pub(super) fn starts_word_in(&self, line: &str) -> bool {
        self.text_before_word(line).is_some()
    }

    /// Returns the text before the first phrase that [`WordList::starts_word_in`] finds, in lower
    /// case.
    pub(super) fn text_before_word(&self, line: &str) -> Option<String> {
        let line = line.to_lowercase();
        let begins_word = |at: usize| {
            let before = line.get(..at).and_then(|before| before.chars().next_back());
            !before.is_some_and(|c| c.is_ascii_alphanumeric())
        };
        let words = self.automaton().into_iter();
        let found = words.flat_map(|words| words.find_overlapping_iter(&line));
        let starts = found.map(|found| found.start()).filter(|at| begins_word(*at));
        starts.min().and_then(|at| line.get(..at)).map(str::to_owned)
    }

    /// Returns the automaton that finds the phrases, or `None` if it could not be built.
    fn automaton(&self) -> Option<&AhoCorasick> {
        let build = || AhoCorasick::builder().start_kind(StartKind::Both).build(self.phrases());
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
        assert_eq!(LIST.text_before_word("My iPhone phone").as_deref(), Some("my "));
        assert!(LIST.ends_line("my PHONE") && !LIST.ends_line("phones"));
        // An overlapping shorter phrase is also checked.
        assert!(!LIST.starts_word_in("telephone") && !LIST.starts_word_in("myiphone"));
    }
}
