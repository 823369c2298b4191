//! What a person wrote in a letter that answers another one, and the lines of it that may be
//! orders. May not know the letter's form on the wire, who wrote it, or what an order is.
//!
//! # How the writing is told from the rest
//!
//! By shape, and only then by words. A line that begins with `>` is never the writing. An
//! *introduction* ("On Monday Ann wrote:") ends in a colon and has a date, an address or a verb:
//! one of them above a `>`, two of them where the quotation is not marked. A quotation that is not
//! marked goes on to the end, and so do a signature below `--`, a header block, a divider such as
//! `-----Original Message-----`, the footer of a list, and what stands below our own marker. What a
//! phone signs with goes on to the next quotation, because an answer may still stand below that.
//!
//! # What cannot be done
//!
//! An answer inside of a quotation that is not marked, or below it, is not seen; nor is what stands
//! below the headers of a forwarded letter. A quotation that has neither marks nor an introduction
//! nor our marker above it, and a signature below any line but `--`, count as the writing.

mod headers;
mod order_lines;
mod shapes;
mod words;

pub use self::headers::quoted_headers;
pub use self::order_lines::{OrderLines, TooMuch, WrittenLine, order_lines, order_lines_besides};

use self::shapes::Signs;
use super::fold::{fold, is_unseen};
use std::cell::OnceCell;

/// The most lines of a body that are looked at: what a person writes is not below so many.
const BODY_LINES_MAX: u32 = 20_000;
/// The longest introduction of a quotation, in lines, blank ones among them.
const INTRODUCTION_MAX: usize = 6;
/// The end of an introduction that began with `<` on an earlier line: `>:`, `> wrote:`.
const TAIL_MAX: usize = 40;
/// A quoted line this long was perhaps broken by a mail program that then forgot the `>`.
const BROKEN_MIN: usize = 66;

/// The lines of a body that the person wrote, with their numbers from 1: no quotations,
/// introductions, signatures, footers. `markers` are the texts, in every language, of our line that
/// asks to write above it. Blank lines between written ones are kept.
pub fn written<'a>(body: &'a str, markers: &[&str]) -> Vec<(u32, &'a str)> {
    let lines = lines(body, markers);
    let mut kept: Vec<(u32, &str)> = Vec::new();
    let mut skipping = false;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        if matches!(line.kind, Kind::Quoted | Kind::Tail) {
            skipping = false;
            at += 1 + broken_tail(&lines, at);
            continue;
        }
        if ends_writing(&lines, at) {
            break;
        }
        match introduction(&lines, at) {
            Some(Introduction { unmarked: true, .. }) => break,
            Some(Introduction { length, .. }) => at += length,
            None => {
                skipping |= shapes::is_footer(&line.folded);
                if !skipping {
                    kept.push((line.number, line.text));
                }
                at += 1;
            }
        }
    }
    trimmed(kept)
}

/// The number of the first line of a body that is marked as quoted.
pub fn first_quoted(body: &str) -> Option<u32> {
    lines(body, &[]).iter().find(|line| line.kind == Kind::Quoted).map(|line| line.number)
}

/// A line of a body, looked at once.
struct Line<'a> {
    number: u32,
    text: &'a str,
    folded: String,
    kind: Kind,
    signs: OnceCell<Signs>,
}

impl Line<'_> {
    /// What speaks for an introduction; looked for once, because a line may stand in many windows.
    fn signs(&self) -> Signs {
        *self.signs.get_or_init(|| Signs::of(&self.folded))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Blank,
    Quoted,
    /// It begins with the `>` that closes an address of an introduction above it.
    Tail,
    /// Our own line, not quoted: the person's program marks no quotations.
    Marker,
    Plain,
}

fn lines<'a>(body: &'a str, markers: &[&str]) -> Vec<Line<'a>> {
    let markers: Vec<String> =
        markers.iter().map(|marker| fold(marker)).filter(|marker| !marker.is_empty()).collect();
    let mut lines: Vec<Line<'a>> = Vec::new();
    // How many `<` of the paragraph wait for their `>`.
    let mut open = 0;
    let count = |line: &str, mark: char| line.matches(mark).count();
    for (number, text) in (1..=BODY_LINES_MAX).zip(body.lines()) {
        let folded = fold(text);
        let kind = if is_quoted(text) || folded.starts_with('>') {
            let ends = open > 0 && folded.len() <= TAIL_MAX;
            let ends = ends && shapes::ends_introduction(&folded);
            if ends { Kind::Tail } else { Kind::Quoted }
        } else if folded.is_empty() {
            Kind::Blank
        } else if markers.iter().any(|marker| folded.contains(&**marker)) {
            Kind::Marker
        } else {
            Kind::Plain
        };
        open = match kind {
            Kind::Plain => (open + count(&folded, '<')).saturating_sub(count(&folded, '>')),
            _ => 0,
        };
        lines.push(Line { number, text, folded, kind, signs: OnceCell::new() });
    }
    mark_citations(&mut lines);
    lines
}

/// Two lines, one below the other, with the same initials or bars before them are quoted.
fn mark_citations(lines: &mut [Line<'_>]) {
    for at in 1..lines.len() {
        let (above, below) = lines.split_at_mut(at);
        let (Some(above), Some(below)) = (above.last_mut(), below.first_mut()) else {
            continue;
        };
        let mark = shapes::citation(&above.folded);
        if mark.is_some() && mark == shapes::citation(&below.folded) {
            above.kind = Kind::Quoted;
            below.kind = Kind::Quoted;
        }
    }
}

fn is_quoted(text: &str) -> bool {
    text.trim_start_matches(|c: char| c.is_whitespace() || is_unseen(c)).starts_with('>')
}

/// How many lines below a quoted one are its end, broken off by a mail program: one, if the quoted
/// line is long, ends no sentence, and the quotation goes on below.
fn broken_tail(lines: &[Line<'_>], at: usize) -> usize {
    let long = lines.get(at).is_some_and(|line| {
        let open = !line.folded.ends_with(['.', '?', '!', ':', ';', '。']);
        open && line.folded.chars().count() >= BROKEN_MIN
    });
    let plain = lines.get(at + 1).is_some_and(|line| line.kind == Kind::Plain);
    let goes_on = lines.get(at + 2).is_some_and(|line| line.kind == Kind::Quoted);
    usize::from(long && plain && goes_on)
}

/// Whether nothing below, this line included, was written by the person.
fn ends_writing(lines: &[Line<'_>], at: usize) -> bool {
    let rest = lines.get(at..).unwrap_or_default();
    let Some(line) = rest.first() else {
        return true;
    };
    let block =
        || rest.iter().take_while(|line| line.kind == Kind::Plain).map(|line| &*line.folded);
    match line.kind {
        Kind::Marker => true,
        Kind::Blank | Kind::Quoted | Kind::Tail => false,
        Kind::Plain => {
            shapes::opens_signature(&line.folded)
                || shapes::is_divider(&line.folded)
                || shapes::begins_with_headers(block())
                || shapes::is_rule(&line.folded) && block().take(7).any(shapes::speaks_of_a_list)
        }
    }
}

/// Lines above a quotation that say whose it is.
struct Introduction {
    length: usize,
    /// Whether the quotation below it has no marks.
    unmarked: bool,
}

/// The introduction that begins at this line, if it is one.
fn introduction(lines: &[Line<'_>], at: usize) -> Option<Introduction> {
    let rest = lines.get(at..)?;
    let first = rest.first().filter(|line| line.kind == Kind::Plain)?;
    let window = rest.iter().take(INTRODUCTION_MAX);
    let window = window.take_while(|line| !matches!(line.kind, Kind::Quoted | Kind::Marker));
    let bare = shapes::is_bare_introduction(&first.folded);
    let end = window.clone().position(|line| shapes::ends_introduction(&line.folded));
    let length = if bare { 1 } else { 1 + end? };
    let signs: Vec<Signs> = window.clone().take(length).map(Line::signs).collect();
    let sum = |signs: &[Signs]| signs.iter().fold(Signs::default(), |sum, one| sum.with(*one));
    let (whole, later) = (sum(&signs), sum(signs.get(1..).unwrap_or_default()));
    let below = rest.iter().skip(length).find(|line| line.kind != Kind::Blank);
    let unmarked = below.is_none_or(|line| line.kind != Kind::Quoted);
    let enough = if window.take(length).any(|line| line.kind == Kind::Blank) {
        whole.all()
    } else if unmarked {
        whole.suffice()
    } else {
        whole.any()
    };
    // If it begins further down, then this line is the last one that the person wrote above it.
    let begins = length == 1
        || shapes::opens_introduction(&first.folded) && !(later.date && later.suffice());
    (bare || enough && begins).then_some(Introduction { length, unmarked })
}

/// Without the lines at the beginning and at the end that say nothing.
fn trimmed(mut kept: Vec<(u32, &str)>) -> Vec<(u32, &str)> {
    let says = |line: &(u32, &str)| !shapes::says_nothing(line.1);
    let end = kept.iter().rposition(says).map_or(0, |last| last + 1);
    kept.truncate(end);
    let start = kept.iter().position(says).unwrap_or(0);
    kept.split_off(start)
}

#[cfg(test)]
mod tests;
