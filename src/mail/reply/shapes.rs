//! What a line, or a few lines, look like. Every function here takes folded lines and judges by
//! shape first: a date, an address, a colon at the end. Words of a language only add to that.

use super::words;

/// The longest line that a mail program would write above a quotation.
const LONG: usize = 400;

/// What speaks for a line that introduces a quotation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Signs {
    /// A year or a time of day.
    pub(crate) date: bool,
    pub address: bool,
    pub(crate) wrote: bool,
}

impl Signs {
    pub(crate) fn of(line: &str) -> Signs {
        if line.len() > LONG {
            return Signs::default();
        }
        let lower = line.to_lowercase();
        Signs {
            date: has_date(line),
            address: has_address(line),
            wrote: words::WROTE.iter().any(|word| lower.contains(word)),
        }
    }

    pub(crate) fn with(self, other: Signs) -> Signs {
        Signs {
            date: self.date || other.date,
            address: self.address || other.address,
            wrote: self.wrote || other.wrote,
        }
    }

    /// Enough for anybody to see it without a quotation below.
    pub(crate) fn suffice(self) -> bool {
        usize::from(self.date) + usize::from(self.address) + usize::from(self.wrote) >= 2
    }

    pub(crate) fn all(self) -> bool {
        self.date && self.address && self.wrote
    }

    pub(crate) fn any(self) -> bool {
        self.date || self.address || self.wrote
    }
}

/// Whether a line can be the last one of an introduction.
pub(super) fn ends_introduction(line: &str) -> bool {
    line.trim_end_matches(['*', '_', ' ', '"']).ends_with(':')
}

/// Whether a line can be the first of several of an introduction: with an address, with a date and
/// a time, or with a date after a word such as "On".
pub(super) fn opens_introduction(line: &str) -> bool {
    let lower = line.to_lowercase();
    let opens = || words::ON.iter().any(|word| lower.starts_with(word));
    let signs = Signs::of(line);
    signs.address || has_year(line) && has_time(line) || signs.date && opens()
}

/// An introduction without a verb and a colon: it begins with a date in digits, and a time of day
/// or an address follows.
pub(super) fn is_bare_introduction(line: &str) -> bool {
    let date = line.split(' ').next().unwrap_or("");
    let numbers: Vec<&str> = date.split(['-', '/', '.']).collect();
    let in_digits = numbers.len() == 3
        && numbers.iter().all(|number| {
            (1..=4).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit())
        });
    in_digits && line.len() <= LONG && has_year(date) && (has_time(line) || line.ends_with('>'))
}

/// What stands before a quoted line in place of a bare `>`: the initials of who wrote it (`AB>`),
/// or a bar.
pub(super) fn citation(line: &str) -> Option<&str> {
    if line.starts_with('|') {
        return line.get(..1);
    }
    let (initials, rest) = line.split_once('>')?;
    let short = (1..=3).contains(&initials.len());
    let capitals = initials.bytes().all(|byte| byte.is_ascii_uppercase());
    (short && capitals && (rest.is_empty() || rest.starts_with([' ', '>']))).then_some(initials)
}

pub(super) fn has_date(line: &str) -> bool {
    has_year(line) || has_time(line)
}

fn has_year(line: &str) -> bool {
    let year = |number: &str| number.len() == 4 && matches!(number.get(..2), Some("19" | "20"));
    line.split(|c: char| !c.is_ascii_digit()).any(year)
}

/// A time of day: `10:05` or `9:05`.
fn has_time(line: &str) -> bool {
    line.as_bytes().windows(4).any(|window| match window {
        [hour, b':', ten, one] => [hour, ten, one].iter().all(|byte| byte.is_ascii_digit()),
        _ => false,
    })
}

/// Something with an `@` between two characters of an address.
pub(super) fn has_address(line: &str) -> bool {
    line.as_bytes().windows(3).any(|window| match window {
        [before, b'@', after] => before.is_ascii_graphic() && after.is_ascii_alphanumeric(),
        _ => false,
    })
}

/// Dashes, a few words about a message, dashes: `-----Original Message-----` in any language.
pub(super) fn is_divider(line: &str) -> bool {
    let inner = line.trim_matches(|c: char| "*_-= ".contains(c));
    if inner.is_empty() || line.len() > LONG {
        return false;
    }
    let dashes = |part: &str| part.chars().filter(|c| "-_=".contains(*c)).count() >= 3;
    let Some((before, after)) = line.split_once(inner) else {
        return false;
    };
    let lower = inner.to_lowercase();
    dashes(before)
        && dashes(after)
        && (Signs::of(line).suffice() || words::MESSAGE.iter().any(|word| lower.contains(word)))
}

/// Nothing but marks: it says nothing, wherever it stands.
pub(super) fn says_nothing(line: &str) -> bool {
    // The syllable is the mark that a tracking program leaves.
    !line.chars().any(|character| character.is_alphanumeric() && character != 'ᐧ')
}

/// A drawn line, such as mailing lists put above their footers.
pub(super) fn is_rule(line: &str) -> bool {
    line.len() >= 5 && line.bytes().all(|byte| b"-_=*#~ ".contains(&byte))
}

/// The line below which a signature stands.
pub(super) fn opens_signature(line: &str) -> bool {
    line == "--"
}

/// What a phone writes for its owner.
pub(super) fn is_footer(line: &str) -> bool {
    if line.len() > LONG {
        return false;
    }
    let lower = line.to_lowercase();
    let lower = lower.trim_start_matches(|c: char| c.is_ascii_punctuation() || c == ' ');
    words::FOOTERS.iter().any(|opening| lower.starts_with(opening))
}

/// What a mailing list writes below every letter.
pub(super) fn speaks_of_a_list(line: &str) -> bool {
    let lower = line.to_lowercase();
    words::LISTS.iter().any(|word| lower.contains(word))
}

/// What a line of a header block is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Header {
    From,
    WhenOrWhat,
    /// A short name and a colon.
    Other,
}

/// The header that a line looks like, also with stars around its name.
pub(super) fn header(line: &str) -> Option<Header> {
    let (name, _) = line.split_once(':').filter(|(name, _)| name.len() <= LONG)?;
    let name = name.trim_matches(|c: char| "*_ |".contains(c)).to_lowercase();
    if name.is_empty() || name.chars().count() > 25 || says_nothing(&name) {
        None
    } else if words::FROM.contains(&&*name) {
        Some(Header::From)
    } else if words::WHEN_OR_WHAT.contains(&&*name) {
        Some(Header::WhenOrWhat)
    } else {
        Some(Header::Other)
    }
}

/// Whether the lines begin with the headers of another letter: who, and when or about what; in a
/// language unknown here, four names with colons, and an address and a date among them.
pub(super) fn begins_with_headers<'a>(lines: impl Iterator<Item = &'a str>) -> bool {
    let mut lines = lines.take(6).peekable();
    let Some(first) = lines.peek().and_then(|line| header(line)) else {
        return false;
    };
    let lines: Vec<&str> = lines.collect();
    let found: Vec<Header> = lines.iter().filter_map(|line| header(line)).collect();
    let any = |sign: fn(&str) -> bool| lines.iter().any(|line| line.len() <= LONG && sign(line));
    match first {
        Header::Other => found.len() >= 4 && any(has_date) && any(has_address),
        _ => found.contains(&Header::From) && found.contains(&Header::WhenOrWhat),
    }
}
