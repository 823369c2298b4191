//! What a person wrote in a letter that answers another one, and the lines of it that may be
//! orders. May not know the letter's form on the wire, who wrote it, or what an order is.
//!
//! # How the writing is told from the rest
//!
//! By shape, and only then by words. A line that begins with `>` is never the writing, nor are
//! lines behind a bar, initials or a name, two of them or below an introduction. An *introduction*
//! ("On Monday Ann wrote:") ends in a colon and has a date, an address or a verb: one of them above
//! a `>`, two of them where the quotation is not marked. Right above a `>` it needs no colon where
//! it has a whole date and one thing more. GroupWise's stands between `>>>`. A quotation that is
//! not marked goes on to the end, and so do a signature below `--`, a header block (three fields,
//! one of them with an address or a date), a divider such as `-----Original Message-----`, the
//! footer of a list, and what stands below our own marker.
//!
//! What a program signs with names a program or a device, or holds a link in brackets, and stands
//! alone right above one of these or the end: there it is left out. Where it begins with words such
//! as "Sent from" it goes on to the next quotation, because an answer may still stand below that.
//! A paragraph about secrecy, or longer than any order, is a company's if nothing stands below it.
//!
//! In doubt a line is the person's sooner than a footer, and a quotation's sooner than the
//! person's: an order of somebody else is the worst, a lost one the second.
//!
//! # What cannot be done
//!
//! An answer inside of a quotation that is not marked, or below it, is not seen; nor is what stands
//! below the headers of a forwarded letter. A quotation that has neither marks nor an introduction
//! nor our marker above it, and a signature below any line but `--`, count as the writing.

mod armour;
mod body;
mod footers;
mod headers;
mod introductions;
mod order_lines;
mod quote_phrases;
mod shapes;

pub use self::headers::quoted_headers;
pub use self::order_lines::{OrderLines, TooMuch, WrittenLine, order_lines, order_lines_besides};

use self::body::{Kind, Line, lines};

/// A quoted line this long was perhaps broken by a mail program that then forgot the `>`.
const BROKEN_MIN: usize = 66;

/// The lines of a body that the person wrote, with their numbers from 1: no quotations,
/// introductions, signatures, footers. `markers` are the texts, in every language, of our line that
/// asks to write above it. Blank lines between written ones are kept.
pub fn written<'a>(body: &'a str, markers: &[&str]) -> Vec<(u32, &'a str)> {
    let lines = lines(body, markers);
    let mut kept: Vec<(u32, &str)> = Vec::new();
    let mut above = Above::default();
    let mut skipping = false;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        match part_at(&lines, at, above) {
            Part::Rest => break,
            Part::Quoted(length) => {
                skipping = false;
                at += length;
            }
            Part::Footer(length) => {
                skipping = true;
                at += length;
            }
            Part::Aside(length) => at += length,
            Part::Written => {
                if !skipping {
                    above.take(line);
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

/// What the next lines are.
enum Part {
    /// Not the person's, nor is anything below them.
    Rest,
    /// Quoted: below them the person may write.
    Quoted(usize),
    /// A program's, and what stands below them up to the next quotation is not the person's.
    Footer(usize),
    /// Not the person's.
    Aside(usize),
    Written,
}

/// What the person wrote above a line, as far as that matters.
#[derive(Clone, Copy, Default)]
struct Above {
    /// Whether anything.
    written: bool,
    /// Whether he says something to others up to a line that ends it.
    block: bool,
    /// Whether he says something to others up to a blank line.
    paragraph: bool,
    /// How many footers have followed each other.
    footers: u32,
}

impl Above {
    fn take(&mut self, line: &Line<'_>) {
        self.written |= !line.says_nothing();
        if self.block {
            self.block = !order_lines::is_stop(&line.folded);
        } else if shapes::says_something(&line.folded) {
            self.block = line.folded.ends_with(':') || !line.folded.contains(' ');
            self.paragraph = !self.block;
        } else if line.kind == Kind::Blank {
            self.paragraph = false;
        }
    }

    /// Whether what follows may be what he says to others.
    const fn speaks(self) -> bool {
        self.block || self.paragraph
    }
}

/// What the line here is, with those that belong to it.
fn part_at(lines: &[Line<'_>], at: usize, above: Above) -> Part {
    let Some(line) = lines.get(at) else { return Part::Rest };
    match line.kind {
        Kind::Marker => return Part::Rest,
        Kind::Blank => return Part::Written,
        Kind::Armour => return Part::Aside(1),
        Kind::Quoted | Kind::Tail | Kind::Plain => {}
    }
    if line.is_plain() && ends_writing(lines, at) {
        return if is_divider_of_marked(lines, at) { Part::Aside(1) } else { Part::Rest };
    }
    match introductions::introduction(lines, at, above.written) {
        Some(found) if found.unmarked => return Part::Rest,
        Some(found) => return Part::Aside(found.length),
        None => {}
    }
    if !line.is_plain() {
        return Part::Quoted(1 + broken_tail(lines, at));
    }
    footers::footer(lines, at, above).unwrap_or(Part::Written)
}

/// Returns 1 if the next line is the broken-off end of this quoted line, else 0. That is so if the
/// quoted line is long and ends no sentence, and a quoted line follows.
fn broken_tail(lines: &[Line<'_>], at: usize) -> usize {
    let Some([quoted, plain, next, ..]) = lines.get(at..) else { return 0 };
    let is_open = !quoted.folded.ends_with(['.', '?', '!', ':', ';', '。']);
    let is_long = quoted.folded.chars().count() >= BROKEN_MIN;
    let kinds = [quoted.kind, plain.kind, next.kind];
    usize::from(kinds == [Kind::Quoted, Kind::Plain, Kind::Quoted] && is_open && is_long)
}

/// Whether nothing below, this line included, was written by the person.
fn ends_writing(lines: &[Line<'_>], at: usize) -> bool {
    let rest = lines.get(at..).unwrap_or_default();
    let Some(line) = rest.first() else {
        return true;
    };
    let block = || rest.iter().take_while(|line| line.is_plain()).map(|line| &*line.folded);
    line.folded == "--"
        || shapes::is_divider(&line.folded)
        || begins_headers(rest)
        || shapes::is_rule(&line.folded)
            && block().take(7).any(|line| quote_phrases::LISTS.is_in(line))
        || announces(line) && begins_headers(below(rest))
}

/// Whether the headers of another letter stand here.
fn begins_headers(rest: &[Line<'_>]) -> bool {
    let block = rest.iter().take_while(|line| line.is_plain());
    shapes::begins_with_headers(block.map(|line| (&*line.folded, line.header())))
        || headers::begins_block(rest)
}

/// Whether a line may announce the headers below it: `Begin forwarded message:`, or a frame.
fn announces(line: &Line<'_>) -> bool {
    let ends = shapes::ends_introduction(&line.folded) && line.folded.contains(' ');
    (ends || shapes::is_framed(&line.folded)) && !shapes::says_something(&line.folded)
}

/// What stands below the first of these lines and the blank ones that follow.
fn below<'a, 'b>(rest: &'b [Line<'a>]) -> &'b [Line<'a>] {
    let next = rest.iter().skip(1).position(|line| line.kind != Kind::Blank);
    next.and_then(|next| rest.get(1 + next..)).unwrap_or_default()
}

/// Whether a divider stands right above a quotation that is marked: below that the person may
/// write.
fn is_divider_of_marked(lines: &[Line<'_>], at: usize) -> bool {
    let rest = lines.get(at..).unwrap_or_default();
    let below = below(rest);
    let is_marked = |line: &Line<'_>| match line.kind {
        Kind::Quoted => true,
        _ => introductions::introduction(below, 0, false).is_some_and(|found| !found.unmarked),
    };
    rest.first().is_some_and(|line| shapes::is_divider(&line.folded))
        && below.first().is_some_and(is_marked)
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
