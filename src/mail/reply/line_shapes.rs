//! Tests the shape of single lines: dates, addresses, links, colons at the end. All functions
//! expect folded lines. They test the shape first; phrases of known languages are additional signs.

use super::super::line_folding::fold_line;
use super::quote_phrases;
use std::borrow::Cow;

/// The longest line, in bytes, that a mail program would write above a quotation.
pub(super) const LINE_MAX: usize = 400;
/// The digit zero of each script that has its own digits.
const SCRIPT_ZEROS: [char; 12] = ['٠', '۰', '߀', '०', '০', '੦', '૦', '୦', '௦', '౦', '๐', '០'];
/// The characters that some programs put before a quoted line instead of `>`.
const QUOTE_BARS: [char; 5] = ['|', '│', '┃', '¦', '｜'];
const LINK_STARTS: [&str; 3] = ["http://", "https://", "www."];
/// The most characters that are searched for one that is not a symbol.
const SYMBOLS_MAX: usize = 10_000;
/// The most words of a line that is taken for the footer of a program or device.
pub(super) const PRODUCT_LINE_WORDS_MAX: usize = 8;
/// The most words of a virus scanner's footer on one line.
const SCAN_LINE_WORDS_MAX: usize = 14;
/// The greatest distance, in bytes, between an address and the colon of an introduction.
const VERB_LENGTH_MAX: usize = 30;

/// The signs that a line introduces a quotation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct IntroductionSigns {
    /// Whether the line contains a year, a time of day, or a date in digits.
    pub(crate) date: bool,
    pub address: bool,
    pub(crate) wrote: bool,
}

impl IntroductionSigns {
    pub(crate) fn from_line(line: &str) -> IntroductionSigns {
        if line.len() > LINE_MAX {
            return IntroductionSigns::default();
        }
        IntroductionSigns {
            date: has_year_or_time(&with_ascii_digits(line))
                || has_day_of_month(&with_ascii_digits(line)),
            address: contains_email_address(line),
            wrote: quote_phrases::WROTE_VERBS.occurs_in(line),
        }
    }

    pub(crate) fn merge(self, other: IntroductionSigns) -> IntroductionSigns {
        IntroductionSigns {
            date: self.date || other.date,
            address: self.address || other.address,
            wrote: self.wrote || other.wrote,
        }
    }

    /// Whether two signs are present, which is enough without a quotation below.
    pub(crate) fn has_two(self) -> bool {
        usize::from(self.date) + usize::from(self.address) + usize::from(self.wrote) >= 2
    }

    pub(crate) fn has_all(self) -> bool {
        self.date && self.address && self.wrote
    }

    pub(crate) fn has_any(self) -> bool {
        self.date || self.address || self.wrote
    }
}

pub(super) fn can_end_introduction(line: &str) -> bool {
    line.trim_end_matches(['*', '_', ' ', '"']).ends_with(':')
}

/// Whether a line looks like the first of several lines of an introduction: it contains an address,
/// a date and a time, or a date after a word such as "On".
pub(super) fn looks_like_introduction_start(line: &str) -> bool {
    let signs = IntroductionSigns::from_line(line);
    signs.address
        || has_year(line) && has_time(line)
        || signs.date && quote_phrases::DATE_PREPOSITIONS.starts_line(line)
}

/// Whether a line is an introduction without verb and colon: it begins with a date in digits,
/// followed by a time of day or an address.
pub(super) fn is_date_and_time_introduction(line: &str) -> bool {
    let date = line.split(' ').next().unwrap_or("");
    line.len() <= LINE_MAX
        && is_numeric_date_word(date)
        && has_year(date)
        && (has_time(line) || line.ends_with('>'))
}

/// Whether a line begins with a date in digits.
pub(super) fn starts_with_date(line: &str) -> bool {
    let outer = |c: char| !c.is_alphanumeric();
    line.split(' ').next().is_some_and(|word| is_numeric_date_word(word.trim_matches(outer)))
}

/// Whether a line contains a year and a time of day.
pub(super) fn has_year_and_time(line: &str) -> bool {
    let line = with_ascii_digits(line);
    has_year(&line) && has_time(&line)
}

/// Whether a line ends with a verb such as "wrote" behind a name or an address.
pub(super) fn ends_with_name_and_verb(line: &str) -> bool {
    let line = line.trim_end_matches([' ', '.', '*', '_']);
    if line.len() > LINE_MAX || !quote_phrases::WROTE_VERBS.ends_line(line) {
        return false;
    }
    let mut words = line.rsplit(' ');
    let named = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.chars().count() > 1 && word.starts_with(char::is_uppercase)
            || contains_email_address(word)
    };
    // A verb may have two words, as in French.
    words.next().is_some() && words.take(2).any(named)
}

/// Whether a line is only a name of up to four words and a verb such as "wrote".
pub(super) fn is_name_and_verb(line: &str) -> bool {
    let (name, verb) = line.rsplit_once(' ').unwrap_or_default();
    !verb.is_empty()
        && ends_with_name_and_verb(line)
        && looks_like_name(name)
        && name.split(' ').count() <= 4
}

/// Returns the place in a line at which an introduction begins behind other text, as in `build red
/// G23 On 5 Feb 2026 at 9:05 Bob wrote:`. Text with a sign of an introduction, and the footer of a
/// mail program, are not other text.
pub(super) fn find_inner_introduction(text: &str) -> Option<usize> {
    // Each word is tested together with the rest of the line.
    if text.len() > LINE_MAX {
        return None;
    }
    let starts = |at: &usize| {
        let Some((before, rest)) = text.split_at_checked(*at) else { return false };
        rest.starts_with(char::is_uppercase)
            && quote_phrases::DATE_PREPOSITIONS.starts_line(rest)
            && IntroductionSigns::from_line(&fold_line(rest)).date
            && before.contains(char::is_alphanumeric)
            && !IntroductionSigns::from_line(before).has_any()
            && !starts_footer(before)
    };
    text.match_indices(' ').map(|(at, _)| at + 1).find(starts)
}

/// Whether a word consists of three numbers with one to four digits each, such as `5.1.26` or
/// `1404/10/15`.
pub(super) fn is_numeric_date_word(word: &str) -> bool {
    let numbers: Vec<&str> = word.split(['-', '/', '.']).collect();
    let is_short = |number: &&str| (1..=4).contains(&number.len());
    numbers.len() == 3
        && numbers.iter().all(is_short)
        && numbers.concat().bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether the introduction of a quotation, such as `On Monday Ann wrote:`, can start with this
/// line. A line that begins with `<`, a parenthesis, a comma or a lower-case letter continues the
/// line above it, unless it begins with a date preposition or contains a year and a time.
pub(super) fn can_start_introduction(line: &str) -> bool {
    let first = line.chars().find(|c| c.is_alphanumeric());
    !line.starts_with(['<', '(', ',', ')'])
        && (!first.is_some_and(char::is_lowercase)
            || quote_phrases::DATE_PREPOSITIONS.starts_line(line)
            || has_year(line) && has_time(line))
}

/// Whether each word may be part of a name: none begins with a lower-case letter or contains a
/// digit.
pub(super) fn looks_like_name(line: &str) -> bool {
    let named = |word: &str| {
        let first = word.trim_start_matches(|c: char| c.is_ascii_punctuation()).chars().next();
        !first.is_some_and(char::is_lowercase) && !word.contains(char::is_numeric)
    };
    line.split(' ').all(named)
}

/// Whether a line has at least three words, and all words from the third on look like a name.
pub(super) fn ends_with_name(line: &str) -> bool {
    let name = line.split(' ').skip(2);
    name.clone().next().is_some()
        && name.clone().all(looks_like_name)
        && line.ends_with(char::is_alphanumeric)
}

/// Whether only a name follows the digits at the start of the line.
pub(super) fn has_name_after_digits(line: &str) -> bool {
    let dated = |c: char| c.is_numeric() || c == ' ' || "-/.:,+".contains(c);
    let name = line.trim_start_matches(dated);
    !name.is_empty() && looks_like_name(name)
}

/// Whether a line contains a time zone, such as `GMT` or `+01:00`.
pub(super) fn has_time_zone(line: &str) -> bool {
    ["GMT", "UTC", "+0", "+1", "-0"].iter().any(|zone| line.contains(zone))
}

/// Whether a line contains an introduction and the start of the quotation. Two forms exist: a date
/// and an address in brackets, a colon, and text; or a name, `---`, a date, `---`, and text.
pub(super) fn contains_whole_introduction(line: &str) -> bool {
    if line.len() > LINE_MAX {
        return false;
    }
    let mut parts = line.split("---");
    let first = parts.next().unwrap_or_default();
    let dashed = parts.next().is_some_and(has_full_date) && parts.next().is_some();
    if dashed && !first.is_empty() && looks_like_name(first) {
        return true;
    }
    let Some((before, after)) = line.split_once('>') else { return false };
    let Some((verb, text)) = after.split_once(':') else { return false };
    verb.len() <= VERB_LENGTH_MAX
        && !text.is_empty()
        && before.contains('<')
        && contains_email_address(before)
        && has_full_date(before)
        && can_start_introduction(before)
}

/// The text before a quoted line that takes the place of a bare `>`: initials, a name, or a bar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct QuotePrefix(String);

impl QuotePrefix {
    /// Whether the prefix is a full name. People write a name before an arrow too, so it is a
    /// weaker sign.
    pub(super) fn is_full_name(&self) -> bool {
        let initials = self.0.len() <= 3 && self.0.bytes().all(|byte| byte.is_ascii_uppercase());
        self.0.starts_with(char::is_alphabetic) && !initials
    }
}

/// Returns the quote prefix of a line: the initials or name of the quoted person (`AB>`), a bar, or
/// an angle quotation mark that is not closed.
pub(super) fn find_quote_prefix(line: &str, folded: &str) -> Option<QuotePrefix> {
    let line = line.trim_start();
    let mark = line.chars().next()?;
    let angle = matches!(mark, '»' | '›') && !line.contains(['«', '‹']);
    if QUOTE_BARS.contains(&mark) || angle {
        return Some(QuotePrefix(mark.to_string()));
    }
    let (name, rest) = folded.split_once('>')?;
    let short = (1..=20).contains(&name.len()) && name.chars().all(char::is_alphabetic);
    (short && (rest.is_empty() || rest.starts_with([' ', '>'])))
        .then(|| QuotePrefix(name.to_owned()))
}

/// Replaces the digits of other scripts with ASCII digits.
pub(super) fn with_ascii_digits(line: &str) -> Cow<'_, str> {
    if line.is_ascii() {
        return Cow::Borrowed(line);
    }
    let digit = |c: char| {
        let of = |zero: &char| u32::from(c).checked_sub(u32::from(*zero)).filter(|d| *d < 10);
        SCRIPT_ZEROS.iter().find_map(of).and_then(|digit| char::from_digit(digit, 10)).unwrap_or(c)
    };
    Cow::Owned(line.chars().map(digit).collect())
}

/// Whether a line contains a date of several numbers: a year or a time of day, and a day. Any
/// calendar and any script's digits are recognized.
pub(super) fn has_full_date(line: &str) -> bool {
    let line = with_ascii_digits(line);
    let numbers = line.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
    let numbers = numbers.count();
    has_year(&line) && numbers >= 2 || has_time(&line) && numbers >= 3
}

pub(super) fn has_year_or_time(line: &str) -> bool {
    has_year(line) || has_time(line)
}

fn has_year(line: &str) -> bool {
    let year = |number: &str| number.len() == 4 && matches!(number.get(..2), Some("19" | "20"));
    line.split(|c: char| !c.is_ascii_digit()).any(year)
}

/// Whether a line contains a time of day, such as `10:05` or `9:05`.
fn has_time(line: &str) -> bool {
    line.as_bytes().windows(4).any(|window| match window {
        [hour, b':', ten, one] => [hour, ten, one].iter().all(|byte| byte.is_ascii_digit()),
        _ => false,
    })
}

/// Whether a line contains a date in digits with a valid day and month: `21.11.26`, `21-11-26`,
/// `26/11/21`.
fn has_day_of_month(line: &str) -> bool {
    let outer = |c: char| !c.is_alphanumeric();
    line.split([' ', ',']).map(|word| word.trim_matches(outer)).any(|word| {
        let Some(mark) = word.chars().find(|c| "./-".contains(*c)) else { return false };
        let numbers: Vec<Option<u16>> = word.split(mark).map(|part| part.parse().ok()).collect();
        let day = |day: u16, month: u16| (1..=31).contains(&day) && (1..=12).contains(&month);
        match numbers[..] {
            [Some(a), Some(b), Some(c)] if word.len() >= 6 => day(a, b) || day(b, a) || day(c, b),
            _ => false,
        }
    })
}

/// Whether a line contains an `@` between two characters of an address.
pub(super) fn contains_email_address(line: &str) -> bool {
    line.as_bytes().windows(3).any(|window| match window {
        [before, b'@', after] => before.is_ascii_graphic() && after.is_ascii_alphanumeric(),
        _ => false,
    })
}

/// Whether a line is framed by dashes or similar characters: `-----Original Message-----`.
pub(super) fn is_framed(line: &str) -> bool {
    let inner = line.trim_matches(|c: char| "*_-= ".contains(c));
    if inner.is_empty() || line.len() > LINE_MAX {
        return false;
    }
    let dashes = |part: &str| part.chars().filter(|c| "-_=".contains(*c)).count() >= 3;
    line.split_once(inner).is_some_and(|(before, after)| dashes(before) && dashes(after))
}

/// Whether a line is a divider above another letter: a framed line that mentions a message in any
/// language, has two signs of an introduction, or begins and ends with eight underscores. Virus
/// scanners draw the last form.
pub(super) fn is_divider(line: &str) -> bool {
    let broad = || line.starts_with("________") && line.ends_with("________");
    is_framed(line)
        && (IntroductionSigns::from_line(line).has_two()
            || broad()
            || quote_phrases::MESSAGE_WORDS.occurs_in(line))
}

/// Whether a line contains only symbols, so it has no meaning. A line of more than 10,000 symbols
/// does not count. So the time to check a long line is limited.
pub(super) fn has_only_symbols(line: &str) -> bool {
    // A mail tracking program adds this Canadian syllable to letters.
    let is_mark = |character: char| !character.is_alphanumeric() || character == 'ᐧ';
    let mut characters = line.chars();
    characters.by_ref().take(SYMBOLS_MAX).all(is_mark) && characters.next().is_none()
}

/// Whether a line is a drawn line, such as mailing lists put above their footers.
pub(super) fn is_ruled_line(line: &str) -> bool {
    line.len() >= 5 && line.bytes().all(|byte| b"-_=*#~ ".contains(&byte))
}

/// Whether a line begins with a footer phrase such as "Sent from". A travelling person may write
/// such a line too.
pub(super) fn starts_footer(line: &str) -> bool {
    let bare = line.trim_start_matches(|c: char| c.is_ascii_punctuation() || c == ' ');
    line.len() <= LINE_MAX && quote_phrases::FOOTER_STARTS.starts_line(bare)
}

/// Whether a line holds little more than the name of a program or device. The names of places in an
/// order have digits, and people put remarks in parentheses or behind a comma. The footers of virus
/// scanners are whole sentences, so they may be longer.
pub(super) fn is_little_more_than_product(line: &str) -> bool {
    let Some(before) = quote_phrases::PRODUCT_NAMES.text_before_word(line) else { return false };
    let is_scan = quote_phrases::VIRUS_SCAN_WORDS.occurs_in(line);
    let most = if is_scan { SCAN_LINE_WORDS_MAX } else { PRODUCT_LINE_WORDS_MAX };
    let may_have_remark = !is_scan && !before.is_empty() && line.contains([',', ';', '?', '!']);
    line.split(' ').count() <= most
        && !before.contains(|c: char| c.is_ascii_digit() || c == '(')
        && !may_have_remark
}

/// Whether a line is the name of a program or device with at most three more words, and not a
/// sentence.
pub(super) fn is_short_product_line(line: &str) -> bool {
    quote_phrases::PRODUCT_NAMES.starts_line(line)
        && line.split(' ').count() <= 4
        && !line.ends_with(['.', '!', '?', ':', '。'])
}

/// Whether a line contains a link in brackets, which mail programs put after a word.
pub(super) fn contains_bracketed_link(line: &str) -> bool {
    ["<http", "[http", "](http", "(http"].iter().any(|link| line.contains(link))
}

pub(super) fn contains_link(line: &str) -> bool {
    LINK_STARTS.iter().any(|link| line.contains(link))
}

/// Whether a line consists only of a link or a page anchor, in any brackets.
pub(super) fn is_link(line: &str) -> bool {
    let bare = line.trim_matches(|c: char| "<>[]()".contains(c));
    let opens = LINK_STARTS.iter().any(|link| bare.starts_with(link));
    !bare.contains(' ') && (opens || bare.starts_with('#') && line.starts_with('<'))
}

/// Whether a line begins with a press command (`say` or `tell`), which only a person writes.
pub(super) fn starts_with_press_word(line: &str) -> bool {
    let end = line.find([' ', ':']).unwrap_or(line.len());
    let first = line.get(..end).unwrap_or_default();
    quote_phrases::PRESS_WORDS.iter().any(|word| first.eq_ignore_ascii_case(word))
}

/// Whether a line begins with a word after which the text is the person's own: a message to other
/// players, or a note.
pub(super) fn starts_with_own_text_word(line: &str) -> bool {
    let first = line.split(' ').next().unwrap_or_default();
    starts_with_press_word(line)
        || quote_phrases::NOTE_WORDS.iter().any(|word| first.eq_ignore_ascii_case(word))
}

/// The kind of a header line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeaderKind {
    From,
    To,
    DateOrSubject,
    /// Any other short name with a colon.
    Other,
}

/// Returns the kind of header that a line looks like. Asterisks around the name are allowed.
pub(super) fn header_kind(line: &str) -> Option<HeaderKind> {
    let (name, _) = line.split_once(':').filter(|(name, _)| name.len() <= LINE_MAX)?;
    let name = name.trim_matches(|c: char| "*_ |".contains(c)).to_lowercase();
    if name.is_empty() || name.chars().count() > 25 || has_only_symbols(&name) {
        None
    } else if quote_phrases::FROM_HEADERS.phrases().any(|known| known == name) {
        Some(HeaderKind::From)
    } else if quote_phrases::TO_HEADERS.phrases().any(|known| known == name) {
        Some(HeaderKind::To)
    } else if quote_phrases::DATE_OR_SUBJECT_HEADERS.phrases().any(|known| known == name) {
        Some(HeaderKind::DateOrSubject)
    } else {
        Some(HeaderKind::Other)
    }
}

/// Whether a header line such as `From: 21.11.2026 10:00` states the start of a period, and not a
/// sender.
pub(super) fn begins_period(line: &str) -> bool {
    let value = line.split_once(':').map_or("", |(_, value)| value.trim());
    value.starts_with(|c: char| c.is_ascii_digit())
        && has_year_or_time(&with_ascii_digits(value))
        && !contains_email_address(value)
}

/// Whether a line names a field of a person's own list, such as `Time:` or `Address:`.
pub(super) fn is_meeting_field(line: &str) -> bool {
    let Some((name, _)) = line.split_once(':') else { return false };
    let name = name.trim_matches(|c: char| "*_ |".contains(c)).to_lowercase();
    quote_phrases::MEETING_FIELDS.phrases().any(|known| known == name)
}

/// Whether the lines, each with its kind of header, begin with the headers of another letter. Needs
/// a sender, and either a date header, a subject header or a full date. Without a sender, needs a
/// recipient, a date header or subject header, and a full date. If the first header's name is
/// unknown, needs four headers, an address, and a year or time.
pub(super) fn starts_with_headers<'a>(
    lines: impl Iterator<Item = (&'a str, Option<HeaderKind>)>,
) -> bool {
    let mut lines = lines.take(6).peekable();
    let Some(&(_, Some(first))) = lines.peek() else { return false };
    let (lines, headers): (Vec<&str>, Vec<Option<HeaderKind>>) = lines.unzip();
    let count = headers.iter().flatten().count();
    let any =
        |sign: fn(&str) -> bool| lines.iter().any(|line| line.len() <= LINE_MAX && sign(line));
    match first {
        HeaderKind::Other => count >= 4 && any(has_year_or_time) && any(contains_email_address),
        _ => {
            let dated = || count >= 2 && any(has_full_date);
            let says_when = || headers.contains(&Some(HeaderKind::DateOrSubject));
            let names = |wanted: HeaderKind| {
                let mut pairs = lines.iter().zip(&headers);
                pairs.any(|(line, kind)| *kind == Some(wanted) && !begins_period(line))
            };
            names(HeaderKind::From) && (says_when() || dated())
                || names(HeaderKind::To) && says_when() && dated()
        }
    }
}
