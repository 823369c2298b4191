//! Finds the header block of a quoted letter that has no quote marks, by its shape only. Such a
//! block has adjacent lines like `words: value`, and one of them contains an address or a date.
//!
//! No words are compared, so this works in every language. [`find_first_quoted_header`] is used for
//! messages to other players, where a false match is better than passing on a quoted letter.
//! [`starts_header_block`] is used for orders and needs stronger signs.

use super::super::line_folding::fold_line;
use super::body_lines::{BodyLine, LineKind};
use super::line_shapes::{
    HeaderKind, begins_period, contains_email_address, has_full_date, has_only_symbols,
    has_year_or_time, is_meeting_field, is_numeric_date_word,
};
use super::line_shapes::{starts_with_press_word, with_ascii_digits};
use std::cell::LazyCell;
use std::collections::HashMap;

/// The longest name of a header: 40 characters and 5 words.
const NAME_MAX: (usize, usize) = (40, 5);
/// The most lines that are examined for one header block.
const BLOCK_MAX: usize = 14;
/// The least length, in characters, of a header line that a mail program may have wrapped.
const WIDE_LINE: usize = 50;
/// The characters that serve as a colon in some script and that [`fold_line`] does not change to
/// one.
const COLONS: [char; 9] = [':', '︰', '﹕', '∶', '꞉', 'ː', '׃', '։', '᠄'];
#[derive(Clone, Copy)]
enum LineForm {
    Blank,
    /// A name and a colon. `valued` is whether a value follows.
    Header {
        valued: bool,
    },
    Other,
}

/// Returns the number of the first written line that belongs to a quoted letter, judged by the
/// shape of its headers. Returns `None` if there is none. A block is ignored if `ours` returns
/// `true` for one of its folded lines, because that line is addressed to the club.
pub fn find_first_quoted_header(lines: &[(u32, &str)], ours: impl Fn(&str) -> bool) -> Option<u32> {
    let folded: Vec<(u32, String)> =
        lines.iter().map(|(number, line)| (*number, fold_line(line))).collect();
    let shape = |(number, line): &(u32, String)| {
        HeaderShape::from_line(*number, line, contains_header_value)
    };
    let shapes: Vec<LazyCell<HeaderShape, _>> =
        folded.iter().map(|line| LazyCell::new(move || shape(line))).collect();
    // `ours` may ask a game to parse the line, so it is called at most once per line, and only for
    // lines of a block.
    let mut known: HashMap<u32, bool> = HashMap::new();
    let mut is_ours =
        |(number, line): &(u32, String)| *known.entry(*number).or_insert_with(|| ours(line));
    let mut begins = |at: &usize| {
        let block = shapes.get(*at..).unwrap_or_default().iter().take(BLOCK_MAX);
        let block = header_block_length(block.map(|shape| **shape), 2).unwrap_or_default();
        let lines = folded.get(*at..).unwrap_or_default();
        block > 0 && !lines.iter().take(block).any(&mut is_ours)
    };
    let first = (0..folded.len()).find(&mut begins)?;
    // A drawn line above the headers belongs to them.
    let above = folded.iter().take(first).rev();
    let rules = above.take_while(|(_, line)| !line.is_empty() && has_only_symbols(line)).count();
    folded.get(first - rules).map(|(number, _)| *number)
}

/// Whether a header block begins at the first of these lines, with signs strong enough that it
/// cannot be orders. It needs three fields (four if there are blank lines between) and an address
/// or a full date. It contains no line of a message to other players.
pub(super) fn starts_header_block(lines: &[BodyLine<'_>]) -> bool {
    let opens = |line: &BodyLine<'_>| {
        let name_ends = line.folded.contains(COLONS) || line.text.contains('\t');
        line.is_plain() && name_ends && !starts_with_press_word(&line.folded)
    };
    if !lines.first().is_some_and(opens) {
        return false;
    }
    let block = lines.iter().take(BLOCK_MAX);
    let block = block.take_while(|line| line.is_plain() || line.kind == LineKind::Blank);
    let block = block.map(|line| line.get_or_compute_header_shape(|| unread_line_shape(line)));
    let speaks = |line: &BodyLine<'_>| starts_with_press_word(&tab_to_colon(line));
    header_block_length(block, 3).is_some_and(|length| !lines.iter().take(length).any(speaks))
        && !is_own_list(lines)
}

/// Whether the lines are a person's own list of dates, or describe a meeting (`Date:`, `Time:`,
/// `Address:`). Such a list has no sender and no address. It has two dates, or a field that no
/// letter has.
fn is_own_list(lines: &[BodyLine<'_>]) -> bool {
    let fields = || {
        let filled = lines.iter().take(BLOCK_MAX).filter(|line| line.kind != LineKind::Blank);
        filled.take_while(|line| line.is_plain() && line.header_kind().is_some())
    };
    let has_sender = |line: &BodyLine<'_>| {
        let names = line.header_kind() == Some(HeaderKind::From) && !begins_period(&line.folded);
        names || contains_email_address(&line.folded)
    };
    let is_dated = |line: &&BodyLine<'_>| has_year_or_time(&with_ascii_digits(&line.folded));
    !fields().any(has_sender)
        && (fields().filter(is_dated).count() >= 2
            || fields().any(|line| is_meeting_field(&line.folded)))
}

/// Returns the shape of a line that has not been classified as written. Only an address or a full
/// date counts as a header value here.
fn unread_line_shape(line: &BodyLine<'_>) -> HeaderShape {
    let says = |line: &str| contains_email_address(line) || has_full_date(line);
    HeaderShape::from_line(line.number, &tab_to_colon(line), says)
}

/// The properties of a line that decide whether it belongs to a header block.
#[derive(Clone, Copy)]
pub(super) struct HeaderShape {
    number: u32,
    form: LineForm,
    /// Whether the line is so long that a mail program may have wrapped it.
    is_wide: bool,
    /// Whether the line contains a value that is typical of headers, such as an address or a date.
    has_header_value: bool,
}

impl HeaderShape {
    fn from_line(number: u32, line: &str, says: impl Fn(&str) -> bool) -> Self {
        let is_wide = line.chars().count() >= WIDE_LINE;
        Self { number, form: line_form(line), is_wide, has_header_value: says(line) }
    }
}

/// Returns the folded line, with a colon instead of a tab between name and value.
fn tab_to_colon(line: &BodyLine<'_>) -> String {
    match line.text.trim_start().split_once('\t') {
        Some((name, value)) if !line.folded.contains(COLONS) || !name.contains(COLONS) => {
            fold_line(&format!("{name}: {value}"))
        }
        _ => line.folded.clone(),
    }
}

/// Whether a line contains a value that is typical of headers: an address, a year, a time of day,
/// or a date in digits.
fn contains_header_value(line: &str) -> bool {
    let western = with_ascii_digits(line);
    contains_email_address(&western) || has_year_or_time(&western) || has_numeric_date(&western)
}

/// Returns the number of lines up to which a header block is recognized, if one begins at the first
/// line. A block needs `least` headers (one more if there are blank lines between), and one line
/// with a header value.
fn header_block_length(lines: impl Iterator<Item = HeaderShape>, least: usize) -> Option<usize> {
    let mut last: Option<HeaderShape> = None;
    let (mut headers, mut blanks, mut says) = (0, 0, false);
    for (at, line) in lines.enumerate() {
        let goes_on = match (last, line.form) {
            (None, LineForm::Header { .. }) => true,
            (None, _) => false,
            (Some(above), _) if line.number != above.number + 1 => false,
            (
                Some(HeaderShape { form: LineForm::Blank, .. }),
                LineForm::Blank | LineForm::Other,
            ) => false,
            (_, LineForm::Blank | LineForm::Header { .. }) => true,
            (
                Some(HeaderShape { form: LineForm::Header { valued }, is_wide, .. }),
                LineForm::Other,
            ) => !valued || is_wide,
            (Some(HeaderShape { form: LineForm::Other, .. }), LineForm::Other) => false,
        };
        if !goes_on {
            return None;
        }
        headers += usize::from(matches!(line.form, LineForm::Header { .. }));
        blanks += usize::from(matches!(line.form, LineForm::Blank));
        says |= line.has_header_value;
        if says && headers >= least + usize::from(blanks > 0) {
            return Some(at + 1);
        }
        last = Some(line);
    }
    None
}

fn line_form(line: &str) -> LineForm {
    if line.is_empty() {
        return LineForm::Blank;
    }
    let Some((name, value)) = line.split_once(COLONS) else { return LineForm::Other };
    let name = name.trim_matches(|c: char| "*_|# ".contains(c));
    let plain = |c: char| !c.is_numeric() && !"\"<>@=,;!?()[]{}".contains(c);
    let is_name = name.contains(char::is_alphabetic)
        && name.chars().all(plain)
        && name.chars().count() <= NAME_MAX.0
        && name.split(' ').count() <= NAME_MAX.1;
    let value = value.trim_matches(|c: char| "*_ ".contains(c));
    match is_name && !value.starts_with("//") {
        true => LineForm::Header { valued: !value.is_empty() },
        false => LineForm::Other,
    }
}

/// Whether a line contains a date in digits, of any calendar: `5.1.26`, `1404/10/15`.
fn has_numeric_date(line: &str) -> bool {
    let marks = ['.', '/', '-'];
    line.split(|c: char| !c.is_ascii_digit() && !marks.contains(&c))
        .any(|word| is_numeric_date_word(word.trim_matches(marks)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find_in_body(body: &str) -> Option<u32> {
        let lines: Vec<(u32, &str)> = (1..).zip(body.lines()).collect();
        find_first_quoted_header(&lines, |line| line.starts_with("say") || line.starts_with("tell"))
    }

    #[test]
    fn headers_in_any_language_are_found_by_shape() {
        for block in [
            "من: Bob <bob@example.org>\nإلى: Ann",
            "\u{200f}תאריך: \u{202b}5 בינואר 2026\u{200f}\nאל: Ann",
            "Šalje: Bob\nPoslano: 5. siječnja 2026.\nPrima: Ann\nPredmet: partija",
            "Người gửi: Bob\nĐã gửi: Thứ Hai 10:05",
            "*Подател:* Bob\n*Изпратено:* понеделник 10:05",
            "________________________________\nОд: Bob\nПослато: 5.1.26",
            "จาก: Bob\nวันที่: ๕ มกราคม ๒๕๖๙ ๑๐:๐๕",
            "از: Bob\nتاریخ: ۱۴۰۴/۱۰/۱۵",
            "გამგზავნი： Bob\nთარიღი： 2026",
            "Ուղարկող։ Bob\nԵրբ։ 2026",
            "Neznámy:\nBob <bob@example.org>\nKedy:\npondelok",
            "Siunta: Bob\n\nAika: 5.1.2026\n\nAsia: peli",
            "Kam: Ann Miller, Bob Miller, Cid Miller, Dot Miller, Eve\nFay <fay@x.org>\nKas: B",
        ] {
            let body = format!("say:\nHello!\n\n{block}\n\nsecret\n");
            assert_eq!(find_in_body(&body), Some(4), "{block}");
        }
    }

    #[test]
    fn ordinary_text_is_not_a_header_block() {
        for body in [
            "say: we meet at 10:30\ntell bob: 2026 will be fine",
            "My plan: to win\nYour plan: to lose",
            "We meet at 10:30.\nBring: wine",
            "When: 10:30",
            "See https://example.org/2026\nand http://example.org",
            "Ann: 10:30\nand then we all went home\nBob: late",
            "Score 12:10\nScore 2026:1",
            "When: 10:30\n\nWhere: here",
            "tell 2:\nB&O 3\n-----BEGIN\nBcc: x@example.org\n\nFrom me\n.\nNYC 9, wins",
        ] {
            assert_eq!(find_in_body(body), None, "{body}");
        }
    }
}
