//! Separates the lines that a person wrote in a reply from quotations and footers, and finds the
//! lines that may be orders. Knows no e-mail format, no sender, and no order.
//!
//! # How written lines are recognized
//!
//! Lines are judged by their shape first, and by known phrases second.
//!
//! - **Quoted lines.** A line that begins with `>` is always quoted. Lines behind a bar, initials
//!   or a name are quoted if there are two of them, or if they follow an introduction.
//! - **Introductions**, such as "On Monday Ann wrote:". An introduction ends in a colon. Above a
//!   `>`, it needs one of three signs: a date, an address, or a verb such as "wrote". Above an
//!   unmarked quotation, it needs two. It needs no colon if it is right above a `>` and contains a
//!   full date and one more sign. Above an unmarked quotation, it needs none if it has a full date
//!   and ends with a name and a verb such as "wrote", or with an address. Two or more dates in
//!   adjacent lines are the person's own list. GroupWise puts its introduction between `>>>`.
//! - **Text beside an introduction.** Text before an introduction on the same line is written. So
//!   is text after it, if a blank line and then a marked quotation follow. The first line of the
//!   quotation must not repeat it.
//! - **The end of the written text.** Everything below these is dropped: an unmarked quotation, a
//!   signature below `--`, a header block (three fields, one of them with an address or a date; not
//!   the date, time and address of a meeting), a divider such as `-----Original Message-----`, the
//!   footer of a mailing list, and the club's reply marker. A signature above a marked quotation
//!   does not end the text if nothing is written above it.
//! - **Footers of mail programs.** Such a footer holds little more than the name of a program or
//!   device, or contains a link in brackets. It is dropped if the letter has other text, and if it
//!   is a paragraph of its own, right above one of the ends listed here or the end of the letter.
//!   A line that begins with a phrase such as "Sent from" is a footer only if all its words are
//!   known from footers. Everything below it is dropped up to the next quotation, because an answer
//!   may follow that.
//! - **Footers of companies.** A paragraph about confidentiality, or one longer than any order, is
//!   dropped if no written line follows.
//!
//! If in doubt, a line counts as quoted rather than written, and as written rather than footer.
//! Executing another person's order is the worst error, and losing an order is the second worst.
//!
//! # Limitations
//!
//! Answers inside or below an unmarked quotation are lost, as is text below the headers of a
//! forwarded letter. A quotation without marks, introduction and reply marker counts as written. So
//! does a signature that is not below a `--` line.

mod armour;
mod body_lines;
mod footers;
mod header_blocks;
mod introductions;
mod line_shapes;
mod order_lines;
mod quote_phrases;

pub use self::header_blocks::find_first_quoted_header;
pub use self::order_lines::{
    OrderLimitExceeded, OrderLines, WrittenLine, extract_order_lines, split_order_lines,
};

use self::body_lines::{BodyLine, LineKind, classify_lines};
use self::introductions::Introduction;

/// The least length, in characters, of a quoted line that a mail program may have wrapped without
/// repeating the `>`.
const BROKEN_LINE_MIN: usize = 66;

/// Returns the lines of a body that the person wrote, with their numbers from 1. Drops quotations,
/// introductions, signatures and footers. Keeps blank lines between written lines. `markers` are
/// the translations of the club's reply marker, such as "Reply above this line".
pub fn written_lines<'a>(body: &'a str, markers: &[&str]) -> Vec<(u32, &'a str)> {
    let lines = classify_lines(body, markers);
    let kept = collect_written(&lines, WritingAbove::default());
    if !kept.is_empty() {
        return kept;
    }
    // A line that names a product is a footer only if there is other text.
    collect_written(&lines, WritingAbove { is_only_text: true, ..WritingAbove::default() })
}

/// Whether the person wrote anything beside lines that look like footers.
pub fn has_text_beside_footers(body: &str, markers: &[&str]) -> bool {
    !collect_written(&classify_lines(body, markers), WritingAbove::default()).is_empty()
}

/// Returns the written lines. `above` are the facts that hold before the first line.
fn collect_written<'a>(lines: &[BodyLine<'a>], mut above: WritingAbove) -> Vec<(u32, &'a str)> {
    let mut kept: Vec<(u32, &str)> = Vec::new();
    let mut skipping = false;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        match classify_part(lines, at, above) {
            BodyPart::EndOfWriting => break,
            BodyPart::Introduction(found) => {
                let beside = line.text.get(found.written_beside).unwrap_or_default().trim();
                if !skipping && !beside.is_empty() {
                    above.add_line(line);
                    kept.push((line.number, beside));
                }
                if found.unmarked {
                    break;
                }
                at += found.length;
            }
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
                    kept.push((line.number, footers::strip_footer_on_line(line.text)));
                }
                at += 1;
            }
        }
    }
    trim_symbol_lines(kept)
}

/// Returns the number of the first quoted line of a body.
pub fn first_quoted_line(body: &str) -> Option<u32> {
    classify_lines(body, &[])
        .iter()
        .find(|line| line.kind == LineKind::Quoted)
        .map(|line| line.number)
}

/// The kind of the part that begins at a line. The numbers are the part's lines.
enum BodyPart {
    /// The end of the written text. Everything below is dropped.
    EndOfWriting,
    /// Quoted lines. Written lines may follow.
    Quoted(usize),
    /// A footer. Everything up to the next quotation is dropped.
    Footer(usize),
    /// An introduction. Written lines may follow if its quotation is marked.
    Introduction(Introduction),
    /// Lines to drop, such as a divider. Written lines may follow.
    Skipped(usize),
    Written,
}

/// The facts about the written lines above a line that decide how the line is classified.
#[derive(Clone, Copy, Default)]
struct WritingAbove {
    /// Whether the person wrote any line above.
    written: bool,
    /// Whether the line is inside a message to other players that ends at a line such as `end`.
    in_press_block: bool,
    /// Whether the line is inside a message to other players that ends at a blank line.
    in_press_paragraph: bool,
    /// The number of consecutive footers above the line.
    footers: u32,
    /// Whether the letter would have no text if lines that only name a product were footers.
    is_only_text: bool,
}

impl WritingAbove {
    fn add_line(&mut self, line: &BodyLine<'_>) {
        self.written |= !line.has_only_symbols();
        if self.in_press_block {
            self.in_press_block = !order_lines::ends_order_lines(&line.folded);
        } else if line_shapes::starts_with_press_word(&line.folded) {
            self.in_press_block = line.folded.ends_with(':') || !line.folded.contains(' ');
            self.in_press_paragraph = !self.in_press_block;
        } else if line.kind == LineKind::Blank {
            self.in_press_paragraph = false;
        }
    }

    /// Whether the next line may belong to a message to other players (press).
    const fn may_be_in_press(self) -> bool {
        self.in_press_block || self.in_press_paragraph
    }
}

/// Classifies the line at index `at`, together with the following lines that belong to it.
fn classify_part(lines: &[BodyLine<'_>], at: usize, above: WritingAbove) -> BodyPart {
    let Some(line) = lines.get(at) else { return BodyPart::EndOfWriting };
    match line.kind {
        LineKind::ReplyMarker => return BodyPart::EndOfWriting,
        LineKind::Blank => return BodyPart::Written,
        LineKind::Armour => return BodyPart::Skipped(1),
        LineKind::Quoted | LineKind::IntroductionTail | LineKind::Plain => {}
    }
    if line.folded == "--" && is_signature_above_answer(lines, at, above) {
        return BodyPart::Footer(1);
    }
    if line.is_plain() && ends_written_text(lines, at) {
        return if is_divider_above_marked_quotation(lines, at) {
            BodyPart::Skipped(1)
        } else {
            BodyPart::EndOfWriting
        };
    }
    if let Some(found) = introductions::find_introduction(lines, at, above.written) {
        return BodyPart::Introduction(found);
    }
    if !line.is_plain() {
        return BodyPart::Quoted(1 + broken_quote_tail_length(lines, at));
    }
    footers::find_footer(lines, at, above).unwrap_or(BodyPart::Written)
}

/// Returns 1 if the next line is the broken-off end of this quoted line, and 0 otherwise. It is if
/// the quoted line is long, does not end a sentence, and another quoted line follows.
fn broken_quote_tail_length(lines: &[BodyLine<'_>], at: usize) -> usize {
    let Some([quoted, plain, next, ..]) = lines.get(at..) else { return 0 };
    let is_open = !quoted.folded.ends_with(['.', '?', '!', ':', ';', '。']);
    let is_long = quoted.folded.chars().count() >= BROKEN_LINE_MIN;
    let kinds = [quoted.kind, plain.kind, next.kind];
    usize::from(
        kinds == [LineKind::Quoted, LineKind::Plain, LineKind::Quoted] && is_open && is_long,
    )
}

/// Whether this line begins a signature above a marked quotation, in a letter without text above
/// it. The answer is then below the quotation.
fn is_signature_above_answer(lines: &[BodyLine<'_>], at: usize, above: WritingAbove) -> bool {
    let below = lines.get(at..).unwrap_or_default();
    !above.written && below.iter().any(|line| line.kind == LineKind::Quoted)
}

/// Whether the written text ends at this line: a signature, a divider, the headers of another
/// letter, or the footer of a mailing list begins.
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
        || announces_headers(line) && starts_quoted_headers(nonblank_lines_below(rest))
}

/// Whether the headers of another letter begin at the first of these lines.
fn starts_quoted_headers(rest: &[BodyLine<'_>]) -> bool {
    let block = rest.iter().take_while(|line| line.is_plain());
    line_shapes::starts_with_headers(block.map(|line| (&*line.folded, line.header_kind())))
        || header_blocks::starts_header_block(rest)
}

/// Whether a line may introduce the headers of another letter: `Begin forwarded message:`, or a
/// framed line.
fn announces_headers(line: &BodyLine<'_>) -> bool {
    let ends = line_shapes::can_end_introduction(&line.folded) && line.folded.contains(' ');
    (ends || line_shapes::is_framed(&line.folded))
        && !line_shapes::starts_with_press_word(&line.folded)
}

/// Returns the lines below the first line, without leading blank lines.
fn nonblank_lines_below<'a, 'b>(rest: &'b [BodyLine<'a>]) -> &'b [BodyLine<'a>] {
    let next = rest.iter().skip(1).position(|line| line.kind != LineKind::Blank);
    next.and_then(|next| rest.get(1 + next..)).unwrap_or_default()
}

/// Whether this line is a divider directly above a marked quotation. The person may write below
/// that quotation.
fn is_divider_above_marked_quotation(lines: &[BodyLine<'_>], at: usize) -> bool {
    let rest = lines.get(at..).unwrap_or_default();
    let below = nonblank_lines_below(rest);
    let is_marked = |line: &BodyLine<'_>| match line.kind {
        LineKind::Quoted => true,
        _ => introductions::find_introduction(below, 0, false).is_some_and(|found| !found.unmarked),
    };
    rest.first().is_some_and(|line| line_shapes::is_divider(&line.folded))
        && below.first().is_some_and(is_marked)
}

/// Removes the leading and trailing lines that contain only symbols.
fn trim_symbol_lines(mut kept: Vec<(u32, &str)>) -> Vec<(u32, &str)> {
    let says = |line: &(u32, &str)| !line_shapes::has_only_symbols(line.1);
    let end = kept.iter().rposition(says).map_or(0, |last| last + 1);
    kept.truncate(end);
    let start = kept.iter().position(says).unwrap_or(0);
    kept.split_off(start)
}

#[cfg(test)]
mod tests;
