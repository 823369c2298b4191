//! Recognizes introductions of quotations, such as "On Monday Ann wrote:".

use super::super::line_folding::fold_line;
use super::body_lines::{BodyLine, LineKind};
use super::line_shapes::{self, IntroductionSigns};
use super::quote_phrases;
use std::ops::Range;

/// The longest introduction, in lines, including blank lines.
const INTRODUCTION_MAX: usize = 6;
/// The longest introduction without a colon above an unmarked quotation, in lines.
const UNMARKED_MAX: usize = 3;

pub(super) struct Introduction {
    pub(super) length: usize,
    /// Whether the quotation below has no marks such as `>`.
    pub(super) unmarked: bool,
    /// The bytes of the first line that the person wrote. Empty if there are none.
    pub(super) written_beside: Range<usize>,
}

impl Introduction {
    const fn new(length: usize, unmarked: bool) -> Self {
        Self { length, unmarked, written_beside: 0..0 }
    }
}

/// Returns the introduction that begins at this line, if there is one. `above` is whether the
/// person wrote any line above it.
pub(super) fn find_introduction(
    lines: &[BodyLine<'_>],
    at: usize,
    above: bool,
) -> Option<Introduction> {
    let rest = lines.get(at..)?;
    let first = rest.first()?;
    match first.kind {
        LineKind::Quoted => find_angled_introduction(lines, at),
        LineKind::Plain if line_shapes::starts_with_press_word(&first.folded) => None,
        LineKind::Plain => {
            let found = find_introduction_with_colon(rest)
                .or_else(|| find_one_line_introduction(lines, at, above))
                .or_else(|| find_introduction_without_colon(rest))
                .or_else(|| unmarked_introduction_without_colon(rest))?;
            let written_beside = find_text_beside(rest, &found);
            Some(Introduction { written_beside, ..found })
        }
        LineKind::Blank | LineKind::IntroductionTail | LineKind::ReplyMarker | LineKind::Armour => {
            None
        }
    }
}

/// Returns the bytes of an introduction's first line that the person wrote: the text before the
/// introduction, or the text behind its colon if a blank line and a marked quotation follow.
fn find_text_beside(rest: &[BodyLine<'_>], found: &Introduction) -> Range<usize> {
    let Some(first) = rest.first() else { return 0..0 };
    if let Some(end) = line_shapes::find_inner_introduction(first.text) {
        // Some programs put dashes before the introduction.
        let before = first.text.get(..end).unwrap_or_default().trim_end();
        let bare = before.trim_end_matches('-');
        return 0..if before.len() > bare.len() + 1 { bare.len() } else { before.len() };
    }
    let is_whole = found.length == 1 && line_shapes::contains_whole_introduction(&first.folded);
    if !is_whole || found.unmarked {
        return 0..0;
    }
    let colon = first.text.find('>').and_then(|at| Some(at + first.text.get(at..)?.find(':')?));
    let Some((start, text)) = colon.and_then(|at| Some((at + 1, first.text.get(at + 1..)?))) else {
        return 0..0;
    };
    // Some programs put the first line of the quotation there, or repeat it with a mark.
    let is_parted = rest.get(1).is_some_and(|line| line.kind == LineKind::Blank);
    let bare = |line: &str| line.trim_start_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let text = fold_line(text);
    let quoted = rest.iter().find(|line| line.kind == LineKind::Quoted);
    let is_repeated = quoted.is_some_and(|line| bare(&line.folded).starts_with(&bare(&text)));
    if !is_parted || is_repeated || text.starts_with('>') { 0..0 } else { start..first.text.len() }
}

/// Whether the first non-blank line after `length` lines is not marked as quoted.
fn is_next_line_unquoted(rest: &[BodyLine<'_>], length: usize) -> bool {
    let below = rest.iter().skip(length).find(|line| line.kind != LineKind::Blank);
    below.is_none_or(|line| line.kind != LineKind::Quoted)
}

fn combined_signs<'a>(lines: impl Iterator<Item = &'a BodyLine<'a>>) -> IntroductionSigns {
    lines
        .map(BodyLine::introduction_signs)
        .fold(IntroductionSigns::default(), IntroductionSigns::merge)
}

/// Recognizes an introduction between `>>>`, which GroupWise puts above an unmarked quotation. It
/// looks like a line of quote depth three below an unquoted line.
fn find_angled_introduction(lines: &[BodyLine<'_>], at: usize) -> Option<Introduction> {
    let above = at.checked_sub(1).and_then(|above| lines.get(above));
    if above.is_some_and(|above| above.kind == LineKind::Quoted) {
        return None;
    }
    let rest = lines.get(at..)?;
    rest.first().filter(|first| first.folded.starts_with(">>>"))?;
    let is_bare = |line: &BodyLine<'_>| line.folded.trim_matches('>').is_empty();
    let ends = |(at, line): (usize, &BodyLine<'_>)| {
        let angles = line.folded.ends_with(">>>") && (at > 0 || !is_bare(line));
        (angles || line_shapes::can_end_introduction(&line.folded)).then_some(at + 1)
    };
    let closes = |line: &BodyLine<'_>| line.folded.starts_with(">>>") && is_bare(line);
    let goes_on = |(at, line): &(usize, &BodyLine<'_>)| *at == 0 || line.is_plain() || closes(line);
    let window = rest.iter().take(INTRODUCTION_MAX).enumerate();
    let length = window.take_while(goes_on).find_map(ends)?;
    let framed = rest
        .iter()
        .take(1)
        .any(|line| line.folded.ends_with(">>>") && line.folded.contains(|c: char| c.is_numeric()));
    let is_one = framed || combined_signs(rest.iter().take(length)).has_any();
    is_one.then(|| Introduction::new(length, is_next_line_unquoted(rest, length)))
}

/// Recognizes a one-line introduction without a final colon. It begins with a date in digits, or it
/// contains the start of the quotation.
fn find_one_line_introduction(
    lines: &[BodyLine<'_>],
    at: usize,
    above: bool,
) -> Option<Introduction> {
    let rest = lines.get(at..)?;
    let line = &rest.first()?.folded;
    let unmarked = is_next_line_unquoted(rest, 1);
    let is_dated = |line: Option<&BodyLine<'_>>| {
        line.is_some_and(|line| line.is_plain() && line_shapes::starts_with_date(&line.folded))
    };
    // Several lines that begin with a date are the person's own list.
    let is_list = is_dated(rest.get(1)) || is_dated(at.checked_sub(1).and_then(|at| lines.get(at)));
    let dated = !is_list
        && line_shapes::is_date_and_time_introduction(line)
        && (line.ends_with('>')
            || unmarked && above && line_shapes::has_time_zone(line)
            || !unmarked
                && (line_shapes::has_time_zone(line) || line_shapes::has_name_after_digits(line)));
    (dated || line_shapes::contains_whole_introduction(line))
        .then(|| Introduction::new(1, unmarked))
}

/// Recognizes an introduction whose last line ends in a colon.
fn find_introduction_with_colon(rest: &[BodyLine<'_>]) -> Option<Introduction> {
    let goes_on = |line: &&BodyLine<'_>| {
        matches!(line.kind, LineKind::Plain | LineKind::Blank | LineKind::IntroductionTail)
    };
    let window = || rest.iter().take(INTRODUCTION_MAX).take_while(goes_on);
    let end = window().position(|line| line_shapes::can_end_introduction(&line.folded))?;
    let length = 1 + end;
    let whole = combined_signs(window().take(length));
    let unmarked = is_next_line_unquoted(rest, length);
    let enough = if window().take(length).any(|line| line.kind == LineKind::Blank) {
        whole.has_all()
    } else if unmarked {
        whole.has_two()
    } else {
        whole.has_any()
    };
    (enough && starts_at_first_line(rest.get(..length)?))
        .then(|| Introduction::new(length, unmarked))
}

/// Recognizes an introduction without a final colon, right above a quotation with marks.
fn find_introduction_without_colon(rest: &[BodyLine<'_>]) -> Option<Introduction> {
    let length = rest.iter().take(INTRODUCTION_MAX).position(|line| !line.is_plain())?;
    let paragraph = rest.get(..length)?;
    let whole = combined_signs(paragraph.iter());
    let dated = paragraph.iter().any(|line| line_shapes::has_full_date(&line.folded));
    let ends = paragraph.last().is_some_and(|line| line.introduction_signs().has_any());
    let is_one = dated && ends && whole.has_two() && starts_at_first_line(paragraph);
    let is_one = is_one && line_shapes::looks_like_introduction_start(&paragraph.first()?.folded);
    let is_short = || {
        length == 1
            && rest.get(1).is_some_and(|below| below.kind == LineKind::Quoted)
            && rest.first().is_some_and(|line| line_shapes::is_name_and_verb(&line.folded))
    };
    if is_next_line_unquoted(rest, length) {
        return None;
    }
    (is_one || is_short()).then(|| Introduction::new(length, false))
}

/// Recognizes an introduction without a final colon above an unmarked quotation. It has a full date
/// with a year and a time, and ends with a name and a verb, or with an address.
fn unmarked_introduction_without_colon(rest: &[BodyLine<'_>]) -> Option<Introduction> {
    let mut window = rest.iter().take(UNMARKED_MAX).take_while(|line| line.is_plain());
    let ends = |line: &BodyLine<'_>| {
        line_shapes::ends_with_name_and_verb(&line.folded) || line.folded.ends_with('>')
    };
    let length = 1 + window.position(ends)?;
    let paragraph = rest.get(..length)?;
    let whole = combined_signs(paragraph.iter());
    let has_verb = paragraph.last().is_some_and(|line| !line.folded.ends_with('>'));
    let dated = paragraph.iter().any(|line| line_shapes::has_year_and_time(&line.folded));
    let first = &paragraph.first()?.folded;
    let starts = quote_phrases::DATE_PREPOSITIONS.starts_line(first) || whole.address;
    (dated
        && starts
        && whole.wrote
        && (has_verb || whole.address)
        && is_next_line_unquoted(rest, length)
        && line_shapes::looks_like_introduction_start(first)
        && starts_at_first_line(paragraph))
    .then(|| Introduction::new(length, true))
}

/// Whether an introduction that ends with these lines begins with the first of them. If it begins
/// at a later line, the person wrote the first line.
fn starts_at_first_line(lines: &[BodyLine<'_>]) -> bool {
    let Some((first, later)) = lines.split_first() else { return false };
    let Some(second) = later.first() else { return true };
    let starts = |(at, line): (usize, &BodyLine<'_>)| {
        let signs = combined_signs(later.iter().skip(at));
        signs.date && signs.has_two() && line_shapes::can_start_introduction(&line.folded)
    };
    if later.iter().enumerate().any(starts) {
        return false;
    }
    // A name may be on the line above its address.
    line_shapes::looks_like_introduction_start(&first.folded)
        || line_shapes::looks_like_name(&first.folded) && second.folded.starts_with('<')
}
