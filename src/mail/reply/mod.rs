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
mod body_lines;
mod footers;
mod header_blocks;
mod introductions;
mod line_shapes;
mod order_lines;
mod quote_phrases;

pub use self::header_blocks::find_quoted_headers;
pub use self::order_lines::{
    OrderLimitExceeded, OrderLines, WrittenLine, extract_order_lines, split_order_lines,
};

use self::body_lines::{BodyLine, LineKind, classify_lines};

/// A quoted line this long was perhaps broken by a mail program that then forgot the `>`.
const BROKEN_LINE_MIN: usize = 66;

/// The lines of a body that the person wrote, with their numbers from 1: no quotations,
/// introductions, signatures, footers. `markers` are the texts, in every language, of our line that
/// asks to write above it. Blank lines between written ones are kept.
pub fn written_lines<'a>(body: &'a str, markers: &[&str]) -> Vec<(u32, &'a str)> {
    let lines = classify_lines(body, markers);
    let mut kept: Vec<(u32, &str)> = Vec::new();
    let mut above = WritingAbove::default();
    let mut skipping = false;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        match classify_part(&lines, at, above) {
            BodyPart::EndOfWriting => break,
            BodyPart::Quoted(length) => {
                skipping = false;
                at += length;
            }
            BodyPart::Footer(length) => {
                skipping = true;
                at += length;
            }
            BodyPart::Skipped(length) => at += length,
            BodyPart::Written => {
                if !skipping {
                    above.add_line(line);
                    kept.push((line.number, line.text));
                }
                at += 1;
            }
        }
    }
    trim_symbol_lines(kept)
}

/// The number of the first line of a body that is marked as quoted.
pub fn first_quoted_line(body: &str) -> Option<u32> {
    classify_lines(body, &[])
        .iter()
        .find(|line| line.kind == LineKind::Quoted)
        .map(|line| line.number)
}

/// What the next lines are.
enum BodyPart {
    /// Not the person's, nor is anything below them.
    EndOfWriting,
    /// Quoted: below them the person may write.
    Quoted(usize),
    /// A program's, and what stands below them up to the next quotation is not the person's.
    Footer(usize),
    /// Not the person's.
    Skipped(usize),
    Written,
}

/// What the person wrote above a line, as far as that matters.
#[derive(Clone, Copy, Default)]
struct WritingAbove {
    /// Whether anything.
    written: bool,
    /// Whether he says something to others up to a line that ends it.
    in_press_block: bool,
    /// Whether he says something to others up to a blank line.
    in_press_paragraph: bool,
    /// How many footers have followed each other.
    footers: u32,
}

impl WritingAbove {
    fn add_line(&mut self, line: &BodyLine<'_>) {
        self.written |= !line.has_only_symbols();
        if self.in_press_block {
            self.in_press_block = !order_lines::is_end_word(&line.folded);
        } else if line_shapes::starts_with_press_word(&line.folded) {
            self.in_press_block = line.folded.ends_with(':') || !line.folded.contains(' ');
            self.in_press_paragraph = !self.in_press_block;
        } else if line.kind == LineKind::Blank {
            self.in_press_paragraph = false;
        }
    }

    /// Whether what follows may be what he says to others.
    const fn is_in_press(self) -> bool {
        self.in_press_block || self.in_press_paragraph
    }
}

/// What the line here is, with those that belong to it.
fn classify_part(lines: &[BodyLine<'_>], at: usize, above: WritingAbove) -> BodyPart {
    let Some(line) = lines.get(at) else { return BodyPart::EndOfWriting };
    match line.kind {
        LineKind::ReplyMarker => return BodyPart::EndOfWriting,
        LineKind::Blank => return BodyPart::Written,
        LineKind::Armour => return BodyPart::Skipped(1),
        LineKind::Quoted | LineKind::IntroductionTail | LineKind::Plain => {}
    }
    if line.is_plain() && ends_written_text(lines, at) {
        return if is_divider_above_marked_quotation(lines, at) {
            BodyPart::Skipped(1)
        } else {
            BodyPart::EndOfWriting
        };
    }
    match introductions::find_introduction(lines, at, above.written) {
        Some(found) if found.unmarked => return BodyPart::EndOfWriting,
        Some(found) => return BodyPart::Skipped(found.length),
        None => {}
    }
    if !line.is_plain() {
        return BodyPart::Quoted(1 + broken_tail_length(lines, at));
    }
    footers::find_footer(lines, at, above).unwrap_or(BodyPart::Written)
}

/// Returns 1 if the next line is the broken-off end of this quoted line, else 0. That is so if the
/// quoted line is long and ends no sentence, and a quoted line follows.
fn broken_tail_length(lines: &[BodyLine<'_>], at: usize) -> usize {
    let Some([quoted, plain, next, ..]) = lines.get(at..) else { return 0 };
    let is_open = !quoted.folded.ends_with(['.', '?', '!', ':', ';', '。']);
    let is_long = quoted.folded.chars().count() >= BROKEN_LINE_MIN;
    let kinds = [quoted.kind, plain.kind, next.kind];
    usize::from(
        kinds == [LineKind::Quoted, LineKind::Plain, LineKind::Quoted] && is_open && is_long,
    )
}

/// Whether nothing below, this line included, was written by the person.
fn ends_written_text(lines: &[BodyLine<'_>], at: usize) -> bool {
    let rest = lines.get(at..).unwrap_or_default();
    let Some(line) = rest.first() else {
        return true;
    };
    let block = || rest.iter().take_while(|line| line.is_plain()).map(|line| &*line.folded);
    line.folded == "--"
        || line_shapes::is_divider(&line.folded)
        || starts_quoted_headers(rest)
        || line_shapes::is_ruled_line(&line.folded)
            && block().take(7).any(|line| quote_phrases::LIST_FOOTER_PHRASES.occurs_in(line))
        || announces_headers(line) && starts_quoted_headers(lines_below(rest))
}

/// Whether the headers of another letter stand here.
fn starts_quoted_headers(rest: &[BodyLine<'_>]) -> bool {
    let block = rest.iter().take_while(|line| line.is_plain());
    line_shapes::starts_with_headers(block.map(|line| (&*line.folded, line.header_kind())))
        || header_blocks::starts_header_block(rest)
}

/// Whether a line may announce the headers below it: `Begin forwarded message:`, or a frame.
fn announces_headers(line: &BodyLine<'_>) -> bool {
    let ends = line_shapes::can_end_introduction(&line.folded) && line.folded.contains(' ');
    (ends || line_shapes::is_framed(&line.folded))
        && !line_shapes::starts_with_press_word(&line.folded)
}

/// What stands below the first of these lines and the blank ones that follow.
fn lines_below<'a, 'b>(rest: &'b [BodyLine<'a>]) -> &'b [BodyLine<'a>] {
    let next = rest.iter().skip(1).position(|line| line.kind != LineKind::Blank);
    next.and_then(|next| rest.get(1 + next..)).unwrap_or_default()
}

/// Whether a divider stands right above a quotation that is marked: below that the person may
/// write.
fn is_divider_above_marked_quotation(lines: &[BodyLine<'_>], at: usize) -> bool {
    let rest = lines.get(at..).unwrap_or_default();
    let below = lines_below(rest);
    let is_marked = |line: &BodyLine<'_>| match line.kind {
        LineKind::Quoted => true,
        _ => introductions::find_introduction(below, 0, false).is_some_and(|found| !found.unmarked),
    };
    rest.first().is_some_and(|line| line_shapes::is_divider(&line.folded))
        && below.first().is_some_and(is_marked)
}

/// Without the lines at the beginning and at the end that say nothing.
fn trim_symbol_lines(mut kept: Vec<(u32, &str)>) -> Vec<(u32, &str)> {
    let says = |line: &(u32, &str)| !line_shapes::has_only_symbols(line.1);
    let end = kept.iter().rposition(says).map_or(0, |last| last + 1);
    kept.truncate(end);
    let start = kept.iter().position(says).unwrap_or(0);
    kept.split_off(start)
}

#[cfg(test)]
mod tests;
