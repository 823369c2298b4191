//! What programs, makers and companies write below a person's letter. By shape: a line that names a
//! program or holds a link in brackets, alone right above what ends the writing. Words only tell
//! where such a line has text below it, and there the words of a person who is on the way must not
//! be taken for it.

use super::body::{Kind, Line};
use super::order_lines::CHARACTERS_MAX;
use super::{Above, Part, part_at, quote_phrases, shapes};

/// The most lines of a paragraph that a program writes.
const PARAGRAPH_MAX: usize = 6;
/// The least characters of a paragraph that a company has below all letters.
const SECRECY_MIN: usize = 120;
/// A shorter line is hardly the middle of a paragraph.
const WRAPPED_MIN: usize = 40;
/// The most paragraphs of this kind, one below the other.
const FOOTERS_MAX: u32 = 8;

/// What of the text from this line on a program wrote, if it did.
pub(super) fn footer(lines: &[Line<'_>], at: usize, above: Above) -> Option<Part> {
    let line = lines.get(at).filter(|line| line.is_plain())?;
    if shapes::says_something(&line.folded) {
        return None;
    }
    let before = at.checked_sub(1).and_then(|before| lines.get(before));
    let starts = before.is_none_or(|b| !b.is_plain() || b.says_nothing());
    if shapes::opens_footer(&line.folded) {
        if is_signed(&line.folded) {
            let rest = above.written || is_last(lines, at + 1, above);
            return Some(if rest { Part::Footer(1) } else { Part::Aside(1) });
        }
        let again = before.is_some_and(|before| {
            shapes::opens_footer(&before.folded) && is_signed(&before.folded)
        });
        // A name of which nothing is known here may be a town's: a person says from where he
        // writes, but not right above a quotation.
        let below = lines.iter().skip(at + 1).any(|line| line.kind != Kind::Blank);
        let named = || shapes::is_name_at_end(&line.folded) && below;
        let is_one = again || named() && is_last(lines, at + 1, above);
        return is_one.then_some(Part::Aside(1));
    }
    let rest = lines.get(at..).unwrap_or_default();
    let length = if starts {
        let ruled = before.is_some_and(|before| before.is_plain());
        program(rest, above, ruled).or_else(|| company(rest, above))?
    } else {
        let linked = shapes::holds_bracketed_link(&line.folded);
        let signed = linked && quote_phrases::PRODUCTS.begins_word_in(&line.folded);
        usize::from(signed || !above.speaks() && shapes::begins_with_product(&line.folded))
    };
    (length > 0 && is_last(lines, at + length, above)).then_some(Part::Aside(length))
}

/// Whether the words of a program name it, its device, or a place where it is had.
fn is_signed(line: &str) -> bool {
    let names = quote_phrases::PRODUCTS.begins_word_in(line)
        || quote_phrases::DEVICES.is_in(line)
        || shapes::holds_bracketed_link(line)
        || line.starts_with("--");
    names && !line.ends_with(':')
}

/// The lines up to the next that says nothing.
fn paragraph<'a, 'b>(rest: &'b [Line<'a>]) -> &'b [Line<'a>] {
    let says = |line: &&Line<'_>| line.is_plain() && !line.says_nothing();
    let length = rest.iter().take_while(says).count();
    rest.get(..length).unwrap_or_default()
}

/// How many lines of a paragraph a program wrote: lines that name one or hold a link in brackets,
/// or whatever follows such a link. `ruled` says whether a rule stands above it: without one, and
/// without a link, a sentence is a person's, whatever it names.
fn program(rest: &[Line<'_>], above: Above, ruled: bool) -> Option<usize> {
    let lines = paragraph(rest);
    let first = lines.first().filter(|_| lines.len() <= PARAGRAPH_MAX)?;
    let linked = lines.iter().any(|line| shapes::holds_link(&line.folded));
    let is_sentence = |line: &Line<'_>| line.folded.ends_with(['.', '!', '?', '。', '！', '？']);
    let signed = |line: &Line<'_>| {
        let scanned = quote_phrases::SCANNING.is_in(&line.folded);
        let may_be = !above.speaks() && (ruled || linked || scanned || !is_sentence(line));
        may_be && quote_phrases::PRODUCTS.begins_word_in(&line.folded)
    };
    let in_brackets = |line: &Line<'_>| shapes::is_link(&line.folded) && !starts_plain(line);
    let own = |line: &Line<'_>| {
        line.folded.len() <= shapes::LONG
            && (signed(line) || shapes::holds_bracketed_link(&line.folded) || in_brackets(line))
    };
    let below = rest.iter().skip(lines.len()).any(|line| line.kind != Kind::Blank);
    let bare = |line: &Line<'_>| shapes::is_link(&line.folded) && below && !above.speaks();
    let follows = |line: &Line<'_>| own(line) || shapes::is_link(&line.folded);
    let whole =
        in_brackets(first) || own(first) && lines.iter().all(follows) || lines.iter().all(bare);
    whole.then_some(lines.len())
}

fn starts_plain(line: &Line<'_>) -> bool {
    line.folded.starts_with(char::is_alphabetic)
}

/// How many lines a company has below all letters: a paragraph that speaks of secrecy, or is longer
/// than any order.
fn company(rest: &[Line<'_>], above: Above) -> Option<usize> {
    if !above.written || above.speaks() {
        return None;
    }
    let lines = paragraph(rest);
    let length: usize = lines.iter().map(|line| line.folded.chars().count()).sum();
    let secret = || lines.iter().any(|line| quote_phrases::SECRECY.is_in(&line.folded));
    let long = lines.first()?.folded.chars().count() > CHARACTERS_MAX;
    // A short line below the end of a sentence goes on from nothing: it may be an order.
    let parted = lines.windows(2).any(|pair| match pair {
        [above, line] => {
            above.folded.ends_with(['.', '!', '?', ':', '。'])
                && line.folded.chars().count() < WRAPPED_MIN
        }
        _ => false,
    });
    if parted {
        return None;
    }
    (long || length >= SECRECY_MIN && secret()).then_some(lines.len())
}

/// Whether nothing that the person wrote follows right below: the letter ends there, or something
/// begins that ends his writing.
fn is_last(lines: &[Line<'_>], at: usize, above: Above) -> bool {
    let says = |line: &&Line<'_>| line.kind != Kind::Blank && !line.says_nothing();
    let next = lines.iter().skip(at).position(|line| says(&line)).map(|next| at + next);
    let Some(next) = next.filter(|_| above.footers < FOOTERS_MAX) else {
        return next.is_none();
    };
    let above = Above { footers: above.footers + 1, ..above };
    !matches!(part_at(lines, next, above), Part::Written)
}
