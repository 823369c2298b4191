//! The comparison of two texts.

use std::fmt;

/// A difference by which a viewer could tell two worlds apart.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The place of the difference: game, seed, viewer and letter.
    pub what: String,
    /// The first lines that differ, from both texts.
    pub lines: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}\n{}", self.what, self.lines)
    }
}

/// The largest number of differing lines that are shown.
const LINES_SHOWN: usize = 6;

/// Joins soft line breaks, and replaces the hashes of a game's records by the records' numbers. A
/// hash is an HMAC, keyed with the game's secret seed, over the log with its hidden information. So
/// it differs between worlds, and discloses nothing without the seed.
pub fn replace_hashes(text: &str, hashes: &[String]) -> String {
    let mut text = text.replace("=\n", "");
    for (record, hash) in (1..).zip(hashes) {
        text = text.replace(hash, &format!("HASH{record}"));
        text = text.replace(&hash[..12], &format!("HASH{record}"));
    }
    text
}

/// Returns the first lines that differ.
pub fn differing_lines(texts: &[&str; 2]) -> String {
    let [mut one, mut other] = texts.map(str::lines);
    let mut said = String::new();
    let mut shown = 0;
    loop {
        let (a, b) = (one.next(), other.next());
        if a.is_none() && b.is_none() || shown == LINES_SHOWN {
            return said;
        }
        if a != b {
            shown += 1;
            let line = |line: Option<&str>| line.unwrap_or("(nothing)").to_owned();
            said += &format!("  - {}\n  + {}\n", line(a), line(b));
        }
    }
}
