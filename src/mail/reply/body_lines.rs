//! Classifies the lines of a body as blank, quoted, plain, reply marker, or lines of a PGP
//! signature.

use super::super::line_folding::{fold_line, is_invisible};
use super::armour::ArmourState;
use super::header_blocks::HeaderShape;
use super::line_shapes::{self, HeaderKind, IntroductionSigns, QuotePrefix};
use std::cell::OnceCell;

/// The most lines of a body that are read. Written text is not that far down.
const BODY_LINES_MAX: u32 = 20_000;
/// The longest line, in bytes, that can be the end of an introduction whose `<` is on an earlier
/// line: `>:` or `> wrote:`.
const INTRODUCTION_TAIL_MAX: usize = 40;

/// A line of a body with its kind. Properties that need a search are computed at most once, because
/// overlapping windows test a line repeatedly.
pub(super) struct BodyLine<'a> {
    pub(super) number: u32,
    pub(super) text: &'a str,
    pub(super) folded: String,
    pub(super) kind: LineKind,
    signs: OnceCell<IntroductionSigns>,
    shape: OnceCell<HeaderShape>,
    header: OnceCell<Option<HeaderKind>>,
    only_symbols: OnceCell<bool>,
}

impl BodyLine<'_> {
    pub(super) fn introduction_signs(&self) -> IntroductionSigns {
        *self.signs.get_or_init(|| IntroductionSigns::from_line(&self.folded))
    }

    /// Returns the shape that decides whether the line belongs to a header block. Calls `look` on
    /// the first call only.
    pub(super) fn get_or_compute_header_shape(
        &self,
        look: impl FnOnce() -> HeaderShape,
    ) -> HeaderShape {
        *self.shape.get_or_init(look)
    }

    /// Returns the kind of header that the line looks like.
    pub(super) fn header_kind(&self) -> Option<HeaderKind> {
        *self.header.get_or_init(|| line_shapes::header_kind(&self.folded))
    }

    pub(super) fn is_plain(&self) -> bool {
        self.kind == LineKind::Plain
    }

    pub(super) fn has_only_symbols(&self) -> bool {
        *self.only_symbols.get_or_init(|| line_shapes::has_only_symbols(&self.folded))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LineKind {
    Blank,
    Quoted,
    /// A line that begins with the `>` that closes an address in an introduction above it.
    IntroductionTail,
    /// The club's reply marker, not quoted. So the person's mail program does not mark quotations.
    ReplyMarker,
    /// A line that a PGP program added around a signed text.
    Armour,
    Plain,
}

pub(super) fn classify_lines<'a>(body: &'a str, markers: &[&str]) -> Vec<BodyLine<'a>> {
    let markers: Vec<String> = markers
        .iter()
        .map(|marker| fold_line(marker))
        .filter(|marker| !marker.is_empty())
        .collect();
    let mut lines: Vec<BodyLine<'a>> = Vec::new();
    let mut armour = ArmourState::default();
    // The number of unclosed `<` in the current paragraph.
    let mut open = 0;
    let count = |line: &str, mark: char| line.matches(mark).count();
    for (number, text) in (1..=BODY_LINES_MAX).zip(body.lines()) {
        let inside = armour.strip_signature_armour(text);
        let text = inside.unwrap_or(text);
        let folded = fold_line(text);
        let kind = if inside.is_none() {
            LineKind::Armour
        } else if starts_with_quote_mark(text) || folded.starts_with('>') {
            let ends = open > 0 && folded.len() <= INTRODUCTION_TAIL_MAX;
            let ends = ends && line_shapes::can_end_introduction(&folded);
            if ends { LineKind::IntroductionTail } else { LineKind::Quoted }
        } else if folded.is_empty() {
            LineKind::Blank
        } else if markers.iter().any(|marker| folded.contains(&**marker)) {
            LineKind::ReplyMarker
        } else {
            LineKind::Plain
        };
        open = match kind {
            LineKind::Plain => (open + count(&folded, '<')).saturating_sub(count(&folded, '>')),
            _ => 0,
        };
        let (signs, shape, header, says_nothing) = Default::default();
        lines.push(BodyLine {
            number,
            text,
            folded,
            kind,
            signs,
            shape,
            header,
            only_symbols: says_nothing,
        });
    }
    mark_prefixed_quotations(&mut lines);
    lines
}

fn starts_with_quote_mark(text: &str) -> bool {
    text.trim_start_matches(|c: char| c.is_whitespace() || is_invisible(c)).starts_with('>')
}

/// Marks lines as quoted that begin with equal initials or bars. There must be two adjacent ones,
/// or one right below an introduction. Lines that begin with a full name need both conditions,
/// because people write a name before an arrow too.
fn mark_prefixed_quotations(lines: &mut [BodyLine<'_>]) {
    let mut introduced = false;
    for at in 0..lines.len() {
        let (above, below) = lines.split_at_mut(at);
        let Some((line, below)) = below.split_first_mut() else { return };
        match line.kind {
            LineKind::Blank => continue,
            LineKind::Armour => introduced = false,
            _ => {}
        }
        let citation =
            |line: &BodyLine<'_>| line_shapes::find_quote_prefix(line.text, &line.folded);
        let mark = citation(line).filter(|_| line.kind != LineKind::Armour);
        let as_above = above.last_mut().filter(|above| mark.is_some() && citation(above) == mark);
        let is_name = mark.as_ref().is_some_and(QuotePrefix::is_full_name);
        let goes_on = || as_above.is_some() || below.first().is_some_and(|b| citation(b) == mark);
        if introduced && mark.is_some() && (!is_name || goes_on()) {
            line.kind = LineKind::Quoted;
            continue;
        }
        if let Some(above) = as_above.filter(|_| !is_name) {
            above.kind = LineKind::Quoted;
            line.kind = LineKind::Quoted;
        }
        let address =
            || line.folded.ends_with('>') && line_shapes::contains_email_address(&line.folded);
        let ends = || line_shapes::can_end_introduction(&line.folded) || address();
        let may_be = line.is_plain() || line.folded.starts_with(">>>");
        introduced = may_be && ends() && line.introduction_signs().has_any();
    }
}
