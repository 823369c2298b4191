//! Two texts held against each other.

use std::fmt;

/// What somebody could tell two worlds apart by.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Where it stands.
    pub what: String,
    /// The first lines that differ, of each.
    pub lines: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}\n{}", self.what, self.lines)
    }
}

/// How many lines that differ are shown.
const LINES_SHOWN: usize = 6;

/// The text with its soft line breaks closed, and with its game's hashes as the numbers of their
/// records. A hash is an HMAC under the game's secret seed over all that stands in the log, what is
/// hidden included: it differs, and who does not know the seed learns nothing by it.
pub fn replace_hashes(text: &str, hashes: &[String]) -> String {
    let mut text = text.replace("=\n", "");
    for (record, hash) in (1..).zip(hashes) {
        text = text.replace(hash, &format!("HASH{record}"));
        text = text.replace(&hash[..12], &format!("HASH{record}"));
    }
    text
}

/// The first lines in which they differ.
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
