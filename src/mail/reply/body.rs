//! The lines of a body, each looked at once: which of them are quoted, by whatever mark, and which
//! are the wrapping of a signature.

use super::super::fold::{fold, is_unseen};
use super::armour::Armour;
use super::headers::Shape;
use super::shapes::{self, Citation, Header, Signs};
use std::cell::OnceCell;

/// The most lines of a body that are looked at: what a person writes is not below so many.
const BODY_LINES_MAX: u32 = 20_000;
/// The end of an introduction that began with `<` on an earlier line: `>:`, `> wrote:`.
const TAIL_MAX: usize = 40;

/// A line of a body, looked at once.
pub(super) struct Line<'a> {
    pub(super) number: u32,
    pub(super) text: &'a str,
    pub(super) folded: String,
    pub(super) kind: Kind,
    signs: OnceCell<Signs>,
    shape: OnceCell<Shape>,
    header: OnceCell<Option<Header>>,
    says_nothing: OnceCell<bool>,
}

impl Line<'_> {
    /// What speaks for an introduction; looked for once, because a line may stand in many windows.
    pub(super) fn signs(&self) -> Signs {
        *self.signs.get_or_init(|| Signs::of(&self.folded))
    }

    /// What tells whether it is one of a header block; looked for once, for the same reason.
    pub(super) fn shape(&self, look: impl FnOnce() -> Shape) -> Shape {
        *self.shape.get_or_init(look)
    }

    /// The header that it looks like; looked for once, too.
    pub(super) fn header(&self) -> Option<Header> {
        *self.header.get_or_init(|| shapes::header(&self.folded))
    }

    pub(super) fn is_plain(&self) -> bool {
        self.kind == Kind::Plain
    }

    /// Whether nothing but marks stands there; looked for once, because a line without end may be
    /// asked by all that could begin with it.
    pub(super) fn says_nothing(&self) -> bool {
        *self.says_nothing.get_or_init(|| shapes::says_nothing(&self.folded))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Blank,
    Quoted,
    /// It begins with the `>` that closes an address of an introduction above it.
    Tail,
    /// Our own line, not quoted: the person's program marks no quotations.
    Marker,
    /// What a program for signatures puts around a text.
    Armour,
    Plain,
}

pub(super) fn lines<'a>(body: &'a str, markers: &[&str]) -> Vec<Line<'a>> {
    let markers: Vec<String> =
        markers.iter().map(|marker| fold(marker)).filter(|marker| !marker.is_empty()).collect();
    let mut lines: Vec<Line<'a>> = Vec::new();
    let mut armour = Armour::default();
    // How many `<` of the paragraph wait for their `>`.
    let mut open = 0;
    let count = |line: &str, mark: char| line.matches(mark).count();
    for (number, text) in (1..=BODY_LINES_MAX).zip(body.lines()) {
        let inside = armour.take(text);
        let text = inside.unwrap_or(text);
        let folded = fold(text);
        let kind = if inside.is_none() {
            Kind::Armour
        } else if is_quoted(text) || folded.starts_with('>') {
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
        let (signs, shape, header, says_nothing) = Default::default();
        lines.push(Line { number, text, folded, kind, signs, shape, header, says_nothing });
    }
    mark_citations(&mut lines);
    lines
}

fn is_quoted(text: &str) -> bool {
    text.trim_start_matches(|c: char| c.is_whitespace() || is_unseen(c)).starts_with('>')
}

/// Lines are quoted that have the same initials or bars before them: two, one below the other, or
/// those right below an introduction. There two with the same whole name before them are, too.
fn mark_citations(lines: &mut [Line<'_>]) {
    let mut introduced = false;
    for at in 0..lines.len() {
        let (above, below) = lines.split_at_mut(at);
        let Some((line, below)) = below.split_first_mut() else { return };
        match line.kind {
            Kind::Blank => continue,
            Kind::Armour => introduced = false,
            _ => {}
        }
        let citation = |line: &Line<'_>| shapes::citation(line.text, &line.folded);
        let mark = citation(line).filter(|_| line.kind != Kind::Armour);
        let as_above = above.last_mut().filter(|above| mark.is_some() && citation(above) == mark);
        let is_name = mark.as_ref().is_some_and(Citation::is_name);
        let goes_on = || as_above.is_some() || below.first().is_some_and(|b| citation(b) == mark);
        if introduced && mark.is_some() && (!is_name || goes_on()) {
            line.kind = Kind::Quoted;
            continue;
        }
        if let Some(above) = as_above.filter(|_| !is_name) {
            above.kind = Kind::Quoted;
            line.kind = Kind::Quoted;
        }
        let address = || line.folded.ends_with('>') && shapes::has_address(&line.folded);
        let ends = || shapes::ends_introduction(&line.folded) || address();
        let may_be = line.is_plain() || line.folded.starts_with(">>>");
        introduced = may_be && ends() && line.signs().any();
    }
}
