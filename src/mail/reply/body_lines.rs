//! The lines of a body, each looked at once: which of them are quoted, by whatever mark, and which
//! are the wrapping of a signature.

use super::super::line_folding::{fold_line, is_invisible};
use super::armour::ArmourState;
use super::header_blocks::HeaderShape;
use super::line_shapes::{self, HeaderKind, IntroductionSigns, QuotePrefix};
use std::cell::OnceCell;

/// The most lines of a body that are looked at: what a person writes is not below so many.
const BODY_LINES_MAX: u32 = 20_000;
/// The end of an introduction that began with `<` on an earlier line: `>:`, `> wrote:`.
const INTRODUCTION_TAIL_MAX: usize = 40;

/// A line of a body, looked at once.
pub(super) struct BodyLine<'a> {
    pub(super) number: u32,
    pub(super) text: &'a str,
    pub(super) folded: String,
    pub(super) kind: LineKind,
    signs: OnceCell<IntroductionSigns>,
    shape: OnceCell<HeaderShape>,
    header: OnceCell<Option<HeaderKind>>,
    says_nothing: OnceCell<bool>,
}

impl BodyLine<'_> {
    /// What speaks for an introduction; looked for once, because a line may stand in many windows.
    pub(super) fn introduction_signs(&self) -> IntroductionSigns {
        *self.signs.get_or_init(|| IntroductionSigns::from_line(&self.folded))
    }

    /// What tells whether it is one of a header block; looked for once, for the same reason.
    pub(super) fn header_shape(&self, look: impl FnOnce() -> HeaderShape) -> HeaderShape {
        *self.shape.get_or_init(look)
    }

    /// The header that it looks like; looked for once, too.
    pub(super) fn header_kind(&self) -> Option<HeaderKind> {
        *self.header.get_or_init(|| line_shapes::header_kind(&self.folded))
    }

    pub(super) fn is_plain(&self) -> bool {
        self.kind == LineKind::Plain
    }

    /// Whether nothing but marks stands there; looked for once, because a line without end may be
    /// asked by all that could begin with it.
    pub(super) fn has_only_symbols(&self) -> bool {
        *self.says_nothing.get_or_init(|| line_shapes::has_only_symbols(&self.folded))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LineKind {
    Blank,
    Quoted,
    /// It begins with the `>` that closes an address of an introduction above it.
    IntroductionTail,
    /// Our own line, not quoted: the person's program marks no quotations.
    ReplyMarker,
    /// What a program for signatures puts around a text.
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
    // How many `<` of the paragraph wait for their `>`.
    let mut open = 0;
    let count = |line: &str, mark: char| line.matches(mark).count();
    for (number, text) in (1..=BODY_LINES_MAX).zip(body.lines()) {
        let inside = armour.strip_armour(text);
        let text = inside.unwrap_or(text);
        let folded = fold_line(text);
        let kind = if inside.is_none() {
            LineKind::Armour
        } else if is_quoted(text) || folded.starts_with('>') {
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
        lines.push(BodyLine { number, text, folded, kind, signs, shape, header, says_nothing });
    }
    mark_prefixed_quotations(&mut lines);
    lines
}

fn is_quoted(text: &str) -> bool {
    text.trim_start_matches(|c: char| c.is_whitespace() || is_invisible(c)).starts_with('>')
}

/// Lines are quoted that have the same initials or bars before them: two, one below the other, or
/// those right below an introduction. There two with the same whole name before them are, too.
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
        let address = || line.folded.ends_with('>') && line_shapes::has_address(&line.folded);
        let ends = || line_shapes::can_end_introduction(&line.folded) || address();
        let may_be = line.is_plain() || line.folded.starts_with(">>>");
        introduced = may_be && ends() && line.introduction_signs().has_any();
    }
}
