//! Where a letter that is quoted without any marks begins, by the shape of its headers alone: lines
//! such as `words: value`, one below the other, of which one holds an address or a date. No word of
//! any language is known here, so it holds for all of them; that is more than a reader of orders
//! would dare, and just enough for who passes on what others said.

use super::super::fold::fold;
use super::body::{Kind, Line};
use super::shapes::{has_address, has_date, has_full_date, is_day_in_digits, says_nothing};
use super::shapes::{says_something, western};
use std::cell::LazyCell;
use std::collections::HashMap;

/// The longest name of a header, in characters and in words.
const NAME_MAX: (usize, usize) = (40, 5);
/// The most lines that a header block is looked for in.
const BLOCK_MAX: usize = 14;
/// A header this wide may have been broken by a mail program.
const WIDE: usize = 50;
/// Besides those that folding makes of them: what stands for a colon in some script.
const COLONS: [char; 9] = [':', '︰', '﹕', '∶', '꞉', 'ː', '׃', '։', '᠄'];
/// What a written line looks like.
#[derive(Clone, Copy)]
enum Look {
    Blank,
    /// A name and a colon; whether a value follows.
    Header {
        valued: bool,
    },
    Other,
}

/// The number of the first of these written lines that belongs to another letter, by the shape of
/// its headers; none when there is none. `ours` says of a folded line that it is for us, whatever
/// it looks like.
pub fn quoted_headers(lines: &[(u32, &str)], ours: impl Fn(&str) -> bool) -> Option<u32> {
    let folded: Vec<(u32, String)> =
        lines.iter().map(|(number, line)| (*number, fold(line))).collect();
    let shape = |(number, line): &(u32, String)| Shape::of(*number, line, says_what_headers_say);
    let shapes: Vec<LazyCell<Shape, _>> =
        folded.iter().map(|line| LazyCell::new(move || shape(line))).collect();
    // A game is asked what a line is: once for each, and only where it matters.
    let mut known: HashMap<u32, bool> = HashMap::new();
    let mut is_ours =
        |(number, line): &(u32, String)| *known.entry(*number).or_insert_with(|| ours(line));
    let mut begins = |at: &usize| {
        let block = shapes.get(*at..).unwrap_or_default().iter().take(BLOCK_MAX);
        let block = block_at(block.map(|shape| **shape), 2).unwrap_or_default();
        let lines = folded.get(*at..).unwrap_or_default();
        block > 0 && !lines.iter().take(block).any(&mut is_ours)
    };
    let first = (0..folded.len()).find(&mut begins)?;
    // A rule above the headers is a part of them.
    let above = folded.iter().take(first).rev();
    let rules = above.take_while(|(_, line)| !line.is_empty() && says_nothing(line)).count();
    folded.get(first - rules).map(|(number, _)| *number)
}

/// Whether a header block begins with the first of these lines that nobody takes for orders: three
/// fields, or four with blank lines between them, and an address or a whole date among them.
pub(super) fn begins_block(lines: &[Line<'_>]) -> bool {
    let opens = |line: &Line<'_>| {
        let name_ends = line.folded.contains(COLONS) || line.text.contains('\t');
        line.is_plain() && name_ends && !says_something(&line.folded)
    };
    if !lines.first().is_some_and(opens) {
        return false;
    }
    let block = lines.iter().take(BLOCK_MAX);
    let block = block.take_while(|line| line.is_plain() || line.kind == Kind::Blank);
    let block = block.map(|line| line.shape(|| shape_of(line)));
    let speaks = |line: &Line<'_>| says_something(&with_colon(line));
    block_at(block, 3).is_some_and(|length| !lines.iter().take(length).any(speaks))
}

/// The shape of a line of which nobody knows yet whether it is written.
fn shape_of(line: &Line<'_>) -> Shape {
    let says = |line: &str| has_address(line) || has_full_date(line);
    Shape::of(line.number, &with_colon(line), says)
}

/// What tells of a line whether it is one of a header block.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    number: u32,
    look: Look,
    /// Whether a mail program may have broken it.
    is_wide: bool,
    /// Whether it says something that only a header says.
    says: bool,
}

impl Shape {
    fn of(number: u32, line: &str, says: impl Fn(&str) -> bool) -> Self {
        let is_wide = line.chars().count() >= WIDE;
        Self { number, look: look_of(line), is_wide, says: says(line) }
    }
}

/// A line with a colon in place of the tab between a name and its value.
fn with_colon(line: &Line<'_>) -> String {
    match line.text.trim_start().split_once('\t') {
        Some((name, value)) if !line.folded.contains(COLONS) || !name.contains(COLONS) => {
            fold(&format!("{name}: {value}"))
        }
        _ => line.folded.clone(),
    }
}

/// Whether a line says something that only a header says.
fn says_what_headers_say(line: &str) -> bool {
    let western = western(line);
    has_address(&western) || has_date(&western) || has_day(&western)
}

/// How many lines are a header block that begins at the first of these: so many headers at least,
/// one more with blank lines between them, and something that only a header says.
fn block_at(lines: impl Iterator<Item = Shape>, least: usize) -> Option<usize> {
    let mut last: Option<Shape> = None;
    let (mut headers, mut blanks, mut says) = (0, 0, false);
    for (at, line) in lines.enumerate() {
        let goes_on = match (last, line.look) {
            (None, Look::Header { .. }) => true,
            (None, _) => false,
            (Some(above), _) if line.number != above.number + 1 => false,
            (Some(Shape { look: Look::Blank, .. }), Look::Blank | Look::Other) => false,
            (_, Look::Blank | Look::Header { .. }) => true,
            (Some(Shape { look: Look::Header { valued }, is_wide, .. }), Look::Other) => {
                !valued || is_wide
            }
            (Some(Shape { look: Look::Other, .. }), Look::Other) => false,
        };
        if !goes_on {
            return None;
        }
        headers += usize::from(matches!(line.look, Look::Header { .. }));
        blanks += usize::from(matches!(line.look, Look::Blank));
        says |= line.says;
        if says && headers >= least + usize::from(blanks > 0) {
            return Some(at + 1);
        }
        last = Some(line);
    }
    None
}

fn look_of(line: &str) -> Look {
    if line.is_empty() {
        return Look::Blank;
    }
    let Some((name, value)) = line.split_once(COLONS) else { return Look::Other };
    let name = name.trim_matches(|c: char| "*_|# ".contains(c));
    let plain = |c: char| !c.is_numeric() && !"\"<>@=,;!?()[]{}".contains(c);
    let is_name = name.contains(char::is_alphabetic)
        && name.chars().all(plain)
        && name.chars().count() <= NAME_MAX.0
        && name.split(' ').count() <= NAME_MAX.1;
    let value = value.trim_matches(|c: char| "*_ ".contains(c));
    match is_name && !value.starts_with("//") {
        true => Look::Header { valued: !value.is_empty() },
        false => Look::Other,
    }
}

/// Whether a line holds a day in digits, of any calendar: `5.1.26`, `1404/10/15`.
fn has_day(line: &str) -> bool {
    let marks = ['.', '/', '-'];
    line.split(|c: char| !c.is_ascii_digit() && !marks.contains(&c))
        .any(|word| is_day_in_digits(word.trim_matches(marks)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(body: &str) -> Option<u32> {
        let lines: Vec<(u32, &str)> = (1..).zip(body.lines()).collect();
        quoted_headers(&lines, |line| line.starts_with("say") || line.starts_with("tell"))
    }

    #[test]
    fn headers_of_any_language_are_seen_by_their_shape() {
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
            assert_eq!(found(&body), Some(4), "{block}");
        }
    }

    #[test]
    fn what_people_write_is_no_header() {
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
            assert_eq!(found(body), None, "{body}");
        }
    }
}
