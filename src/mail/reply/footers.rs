//! Recognizes footers that mail programs, device makers and companies add below the person's text.
//!
//! A footer is recognized mainly by its shape: it names a program or contains a link in brackets,
//! and is a paragraph right above the end of the written text. Phrases such as "Sent from" are
//! recognized also with text below, if the line names a program or device and has no other words
//! than footers have. People write "Sent from the train" and "Sent by mistake from my phone".

use super::super::line_folding::fold_line;
use super::body_lines::{BodyLine, LineKind};
use super::order_lines::CHARACTERS_MAX;
use super::{BodyPart, WritingAbove, classify_part, line_shapes, quote_phrases};
use std::collections::HashSet;
use std::sync::LazyLock;

/// The most lines of a footer paragraph that a mail program adds.
const PARAGRAPH_MAX: usize = 6;
/// The least number of characters of a company's confidentiality notice.
const CONFIDENTIALITY_MIN: usize = 120;
/// The least length, in characters, of a line in the middle of a wrapped paragraph.
const WRAPPED_LINE_MIN: usize = 40;
/// The most words of a footer on one line that begins with a footer phrase.
const FOOTER_WORDS_MAX: usize = 16;
/// The most consecutive footers that are recognized.
const FOOTERS_MAX: u32 = 8;

/// All words of footer phrases and product names, and the other words of footers.
static FOOTER_VOCABULARY: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let starts = quote_phrases::FOOTER_STARTS.phrases();
    starts
        .chain(quote_phrases::OWN_DEVICE_STARTS.phrases())
        .chain(quote_phrases::PRODUCT_NAMES.phrases())
        .chain(quote_phrases::FOOTER_WORDS.phrases())
        .flat_map(|phrase| phrase.split(' '))
        .collect()
});

/// Returns the kind and length of the footer that begins at this line, if there is one.
pub(super) fn find_footer(
    lines: &[BodyLine<'_>],
    at: usize,
    above: WritingAbove,
) -> Option<BodyPart> {
    let line = lines.get(at).filter(|line| line.is_plain())?;
    if line_shapes::starts_with_own_text_word(&line.folded) {
        return None;
    }
    let before = at.checked_sub(1).and_then(|before| lines.get(before));
    let starts = before.is_none_or(|b| !b.is_plain() || b.has_only_symbols());
    if line_shapes::starts_footer(&line.folded) {
        if is_program_footer(&line.folded) {
            let rest = above.written || has_no_written_line_after(lines, at + 1, above);
            return Some(if rest { BodyPart::Footer(1) } else { BodyPart::Skipped(1) });
        }
        let is_footer = |line: &BodyLine<'_>| {
            line_shapes::starts_footer(&line.folded) && is_program_footer(&line.folded)
        };
        let again = has_only_footer_words(&line.folded) && before.is_some_and(is_footer);
        // A name that is not in the lists may be a town. People write where they are, but not right
        // above a quotation.
        let below = lines.iter().skip(at + 1).any(|line| line.kind != LineKind::Blank);
        let named = || {
            let owned = is_own_device_footer(&line.folded);
            owned && (below || above.written) || line_shapes::ends_with_name(&line.folded) && below
        };
        let is_one = again || named() && has_no_written_line_after(lines, at + 1, above);
        return is_one.then_some(BodyPart::Skipped(1));
    }
    let rest = lines.get(at..).unwrap_or_default();
    let length = if starts {
        let ruled = before.is_some_and(|before| before.is_plain());
        program_footer_length(rest, above, ruled).or_else(|| company_footer_length(rest, above))?
    } else {
        let linked = line_shapes::contains_bracketed_link(&line.folded);
        let signed = linked && quote_phrases::PRODUCT_NAMES.starts_word_in(&line.folded);
        let may_be_short = !above.may_be_in_press() && !above.is_only_text;
        usize::from(signed || may_be_short && line_shapes::is_short_product_line(&line.folded))
    };
    (length > 0 && has_no_written_line_after(lines, at + length, above))
        .then_some(BodyPart::Skipped(length))
}

/// Whether a line that begins with a footer phrase is a footer: it contains a link in brackets, or
/// only names a program or device.
fn is_program_footer(line: &str) -> bool {
    line_shapes::contains_bracketed_link(line) && !line.ends_with(':')
        || only_names_program_or_device(line)
}

/// Whether a line that begins with a footer phrase names a mail program or a device, and has no
/// other words than footers have.
fn only_names_program_or_device(line: &str) -> bool {
    let names = quote_phrases::PRODUCT_NAMES.starts_word_in(line)
        || quote_phrases::DEVICE_WORDS.occurs_in(line)
        || line.starts_with("--");
    names && (has_only_footer_words(line) || is_own_device_footer(line))
}

fn has_only_footer_words(line: &str) -> bool {
    !line.ends_with(':')
        && !line.contains('?')
        && line.split(' ').count() <= FOOTER_WORDS_MAX
        && line.split(' ').all(is_footer_word)
}

/// Whether a line is a phrase such as "Sent from my" and a name, which may be that of any device.
fn is_own_device_footer(line: &str) -> bool {
    let bare = line.trim_start_matches(|c: char| c.is_ascii_punctuation() || c == ' ');
    quote_phrases::OWN_DEVICE_STARTS.starts_line(bare)
        && line.split(' ').count() <= line_shapes::PRODUCT_LINE_WORDS_MAX
        && !line.contains([',', ';', ':', '!', '?', '('])
        && !line.contains(". ")
        && line.split(' ').all(|word| is_footer_word(word) || line_shapes::looks_like_name(word))
}

/// Whether footers have this word. Symbols and words with digits count, as in `iPhone 15`.
fn is_footer_word(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    word.is_empty()
        || FOOTER_VOCABULARY.contains(&*word)
        || word.contains(char::is_numeric)
        || quote_phrases::PRODUCT_NAMES.starts_line(&word)
        || quote_phrases::DEVICE_WORDS.occurs_in(&word)
}

/// Returns the text before a footer that follows the person's words on the same line, as in
/// `build red G23. Sent from my iPhone`. Returns the whole text if there is none.
pub(super) fn strip_footer_on_line(text: &str) -> &str {
    // Each word is tested together with the rest of the line.
    if text.len() > line_shapes::LINE_MAX
        || !quote_phrases::FOOTER_STARTS.occurs_in(text)
        || line_shapes::starts_with_own_text_word(&fold_line(text))
    {
        return text;
    }
    let is_footer = |at: &usize| {
        let Some((before, rest)) = text.split_at_checked(*at) else { return false };
        let rest = fold_line(rest);
        // Behind a word in small letters, the person's sentence goes on.
        let last = before.split_whitespace().next_back().unwrap_or_default();
        let goes_on = last.starts_with(char::is_lowercase) && last.ends_with(char::is_alphabetic);
        rest.starts_with(char::is_uppercase)
            && !goes_on
            && line_shapes::starts_footer(&rest)
            && only_names_program_or_device(&rest)
    };
    let mut starts = text.match_indices(' ').map(|(at, _)| at + 1);
    let before = starts.find(is_footer).and_then(|at| text.get(..at));
    before.map(str::trim_end).filter(|text| text.contains(char::is_alphanumeric)).unwrap_or(text)
}

/// Returns the lines up to the first that is not plain or contains only symbols.
fn leading_plain_lines<'a, 'b>(rest: &'b [BodyLine<'a>]) -> &'b [BodyLine<'a>] {
    let says = |line: &&BodyLine<'_>| line.is_plain() && !line.has_only_symbols();
    let length = rest.iter().take_while(says).count();
    rest.get(..length).unwrap_or_default()
}

/// Returns the number of lines of a mail program's footer at the start of `rest`, if there is one.
/// Each line names a program or contains a link in brackets, or follows such a link. `ruled` is
/// whether a drawn line is right above. Without a drawn line or a link, a full sentence counts as
/// the person's, even if it names a program.
fn program_footer_length(rest: &[BodyLine<'_>], above: WritingAbove, ruled: bool) -> Option<usize> {
    let lines = leading_plain_lines(rest);
    let first = lines.first().filter(|_| lines.len() <= PARAGRAPH_MAX)?;
    let linked = lines.iter().any(|line| line_shapes::contains_link(&line.folded));
    let is_sentence =
        |line: &BodyLine<'_>| line.folded.ends_with(['.', '!', '?', '。', '！', '？']);
    let signed = |line: &BodyLine<'_>| {
        let scanned = quote_phrases::VIRUS_SCAN_WORDS.occurs_in(&line.folded);
        let may_be = !above.may_be_in_press() && (ruled || linked || scanned || !is_sentence(line));
        may_be && !above.is_only_text && line_shapes::is_little_more_than_product(&line.folded)
    };
    let in_brackets =
        |line: &BodyLine<'_>| line_shapes::is_link(&line.folded) && !starts_with_letter(line);
    let own = |line: &BodyLine<'_>| {
        line.folded.len() <= line_shapes::LINE_MAX
            && (signed(line)
                || line_shapes::contains_bracketed_link(&line.folded)
                || in_brackets(line))
    };
    let below = rest.iter().skip(lines.len()).any(|line| line.kind != LineKind::Blank);
    let bare = |line: &BodyLine<'_>| {
        line_shapes::is_link(&line.folded) && below && !above.may_be_in_press()
    };
    let follows = |line: &BodyLine<'_>| own(line) || line_shapes::is_link(&line.folded);
    let whole =
        in_brackets(first) || own(first) && lines.iter().all(follows) || lines.iter().all(bare);
    whole.then_some(lines.len())
}

fn starts_with_letter(line: &BodyLine<'_>) -> bool {
    line.folded.starts_with(char::is_alphabetic)
}

/// Returns the number of lines of a company's footer at the start of `rest`, if there is one. It is
/// a paragraph about confidentiality, or one that is longer than any order.
fn company_footer_length(rest: &[BodyLine<'_>], above: WritingAbove) -> Option<usize> {
    if !above.written || above.may_be_in_press() {
        return None;
    }
    let lines = leading_plain_lines(rest);
    let length: usize = lines.iter().map(|line| line.folded.chars().count()).sum();
    let secret =
        || lines.iter().any(|line| quote_phrases::CONFIDENTIALITY_PHRASES.occurs_in(&line.folded));
    let long = lines.first()?.folded.chars().count() > CHARACTERS_MAX;
    // A short line below the end of a sentence does not continue the paragraph, so it may be an
    // order.
    let parted = lines.windows(2).any(|pair| match pair {
        [above, line] => {
            above.folded.ends_with(['.', '!', '?', ':', '。'])
                && line.folded.chars().count() < WRAPPED_LINE_MIN
        }
        _ => false,
    });
    if parted {
        return None;
    }
    (long || length >= CONFIDENTIALITY_MIN && secret()).then_some(lines.len())
}

/// Whether no written line follows at `at`: the letter ends there, or a part follows that is not
/// written.
fn has_no_written_line_after(lines: &[BodyLine<'_>], at: usize, above: WritingAbove) -> bool {
    let says = |line: &&BodyLine<'_>| line.kind != LineKind::Blank && !line.has_only_symbols();
    let next = lines.iter().skip(at).position(|line| says(&line)).map(|next| at + next);
    let Some(next) = next.filter(|_| above.footers < FOOTERS_MAX) else {
        return next.is_none();
    };
    let above = WritingAbove { footers: above.footers + 1, ..above };
    !matches!(classify_part(lines, next, above), BodyPart::Written)
}
