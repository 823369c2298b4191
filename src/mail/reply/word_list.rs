//! Lists of words, each looked for in a line at once: a letter may have twenty thousand lines, and
//! the lists have hundreds of words. Knows no word.

use aho_corasick::{AhoCorasick, Anchored, Input, StartKind};
use std::sync::LazyLock;

/// Words, of which it can be asked whether a line in lower case holds any.
pub(super) struct WordList(LazyLock<Option<AhoCorasick>, fn() -> Option<AhoCorasick>>);

impl WordList {
    /// A list that is made ready when it is first asked.
    pub(super) const fn new(ready: fn() -> Option<AhoCorasick>) -> Self {
        Self(LazyLock::new(ready))
    }

    /// Whether one of them stands anywhere in a line.
    pub(super) fn is_in(&self, line: &str) -> bool {
        self.0.as_ref().is_some_and(|words| words.is_match(line))
    }

    /// Whether a line begins with one of them.
    pub(super) fn begins(&self, line: &str) -> bool {
        let start = Input::new(line).anchored(Anchored::Yes);
        self.0.as_ref().is_some_and(|words| words.is_match(start))
    }

    /// Whether one of them stands in a line and no Latin letter before it: what other scripts and
    /// languages add to a word may stand behind it.
    pub(super) fn begins_word_in(&self, line: &str) -> bool {
        let begins_word = |at: usize| {
            let before = line.get(..at).and_then(|before| before.chars().next_back());
            !before.is_some_and(|c| c.is_ascii_alphanumeric())
        };
        let mut found = self.0.iter().flat_map(|words| words.find_overlapping_iter(line));
        found.any(|found| begins_word(found.start()))
    }
}

/// Words as they are looked for; none of a list that is too long for that, which none here is.
pub(super) fn ready(words: &[&str]) -> Option<AhoCorasick> {
    AhoCorasick::builder().start_kind(StartKind::Both).build(words).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    static LIST: WordList = WordList::new(|| ready(&["iphone", "phone", "mail für dich"]));

    #[test]
    fn a_word_is_found_wherever_it_stands_and_begins() {
        assert!(LIST.is_in("my telephone") && LIST.is_in("mail für dich") && !LIST.is_in("pho ne"));
        assert!(LIST.begins("phones") && !LIST.begins("my phone") && !LIST.begins(""));
        assert!(LIST.begins_word_in("z iphonea") && LIST.begins_word_in("sent: phone"));
        // One word ends in another: that is looked at, too.
        assert!(!LIST.begins_word_in("telephone") && !LIST.begins_word_in("myiphone"));
    }
}
