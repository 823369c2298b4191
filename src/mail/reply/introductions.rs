//! Lines above a quotation that say whose it is: where one begins and ends.

use super::body::{Kind, Line};
use super::shapes::{self, Signs};

/// The longest introduction of a quotation, in lines, blank ones among them.
const INTRODUCTION_MAX: usize = 6;

/// Lines above a quotation that say whose it is.
pub(super) struct Introduction {
    pub(super) length: usize,
    /// Whether the quotation below it has no marks.
    pub(super) unmarked: bool,
}

/// The introduction that begins at this line, if it is one. `above` says whether the person wrote
/// something above it.
pub(super) fn introduction(lines: &[Line<'_>], at: usize, above: bool) -> Option<Introduction> {
    let rest = lines.get(at..)?;
    let first = rest.first()?;
    match first.kind {
        Kind::Quoted => in_angles(lines, at),
        Kind::Plain if shapes::says_something(&first.folded) => None,
        Kind::Plain => closed(rest).or_else(|| bare(rest, above)).or_else(|| open(rest)),
        Kind::Blank | Kind::Tail | Kind::Marker | Kind::Armour => None,
    }
}

/// Whether what stands below these many lines is not marked as quoted.
fn is_unmarked(rest: &[Line<'_>], length: usize) -> bool {
    let below = rest.iter().skip(length).find(|line| line.kind != Kind::Blank);
    below.is_none_or(|line| line.kind != Kind::Quoted)
}

fn sum<'a>(lines: impl Iterator<Item = &'a Line<'a>>) -> Signs {
    lines.map(Line::signs).fold(Signs::default(), Signs::with)
}

/// One between angles, which GroupWise puts above a letter without marks: it looks like a line that
/// is quoted three deep, below one that is not.
fn in_angles(lines: &[Line<'_>], at: usize) -> Option<Introduction> {
    let above = at.checked_sub(1).and_then(|above| lines.get(above));
    if above.is_some_and(|above| above.kind == Kind::Quoted) {
        return None;
    }
    let rest = lines.get(at..)?;
    rest.first().filter(|first| first.folded.starts_with(">>>"))?;
    let is_bare = |line: &Line<'_>| line.folded.trim_matches('>').is_empty();
    let ends = |(at, line): (usize, &Line<'_>)| {
        let angles = line.folded.ends_with(">>>") && (at > 0 || !is_bare(line));
        (angles || shapes::ends_introduction(&line.folded)).then_some(at + 1)
    };
    let closes = |line: &Line<'_>| line.folded.starts_with(">>>") && is_bare(line);
    let goes_on = |(at, line): &(usize, &Line<'_>)| *at == 0 || line.is_plain() || closes(line);
    let window = rest.iter().take(INTRODUCTION_MAX).enumerate();
    let length = window.take_while(goes_on).find_map(ends)?;
    let framed = rest
        .iter()
        .take(1)
        .any(|line| line.folded.ends_with(">>>") && line.folded.contains(|c: char| c.is_numeric()));
    let is_one = framed || sum(rest.iter().take(length)).any();
    is_one.then(|| Introduction { length, unmarked: is_unmarked(rest, length) })
}

/// One line without a colon at its end: it begins with a date in digits, or the old letter begins
/// on the same line.
fn bare(rest: &[Line<'_>], above: bool) -> Option<Introduction> {
    let line = &rest.first()?.folded;
    let unmarked = is_unmarked(rest, 1);
    let dated = shapes::is_bare_introduction(line)
        && (line.ends_with('>')
            || unmarked && above && shapes::has_zone(line)
            || !unmarked && (shapes::has_zone(line) || shapes::ends_in_a_name(line)));
    (dated || shapes::holds_introduction(line)).then_some(Introduction { length: 1, unmarked })
}

/// Lines of which the last ends in a colon.
fn closed(rest: &[Line<'_>]) -> Option<Introduction> {
    let goes_on = |line: &&Line<'_>| matches!(line.kind, Kind::Plain | Kind::Blank | Kind::Tail);
    let window = || rest.iter().take(INTRODUCTION_MAX).take_while(goes_on);
    let end = window().position(|line| shapes::ends_introduction(&line.folded))?;
    let length = 1 + end;
    let whole = sum(window().take(length));
    let unmarked = is_unmarked(rest, length);
    let enough = if window().take(length).any(|line| line.kind == Kind::Blank) {
        whole.all()
    } else if unmarked {
        whole.suffice()
    } else {
        whole.any()
    };
    (enough && begins(rest.get(..length)?)).then_some(Introduction { length, unmarked })
}

/// Lines right above a quotation with marks, of which the last has no colon.
fn open(rest: &[Line<'_>]) -> Option<Introduction> {
    let length = rest.iter().take(INTRODUCTION_MAX).position(|line| !line.is_plain())?;
    let paragraph = rest.get(..length)?;
    let whole = sum(paragraph.iter());
    let dated = paragraph.iter().any(|line| shapes::has_full_date(&line.folded));
    let ends = paragraph.last().is_some_and(|line| line.signs().any());
    let is_one = dated && ends && whole.suffice() && begins(paragraph);
    (is_one && shapes::opens_introduction(&paragraph.first()?.folded) && !is_unmarked(rest, length))
        .then_some(Introduction { length, unmarked: false })
}

/// Whether an introduction that ends with these lines begins with the first of them. If it begins
/// further down, then that is the last one that the person wrote above it.
fn begins(lines: &[Line<'_>]) -> bool {
    let Some((first, later)) = lines.split_first() else { return false };
    let Some(second) = later.first() else { return true };
    let starts = |(at, line): (usize, &Line<'_>)| {
        let signs = sum(later.iter().skip(at));
        signs.date && signs.suffice() && shapes::can_open(&line.folded)
    };
    if later.iter().enumerate().any(starts) {
        return false;
    }
    // A name may stand alone above its address.
    shapes::opens_introduction(&first.folded)
        || shapes::is_name(&first.folded) && second.folded.starts_with('<')
}
