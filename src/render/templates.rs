//! The filters that all letter templates can use, and the limits that they run under.

use super::Localizer;
use crate::rules::Seat;
use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, State, UndefinedBehavior, Value};
use std::sync::Arc;
use textwrap::core::display_width;

/// The maximum width of a letter's line, in columns. Every mail program shows 76 columns without
/// wrapping.
pub(crate) const COLUMNS: usize = 76;

/// The maximum width of a line of a narrow letter, in columns. A phone shows 38 columns of plain
/// text without wrapping.
pub(crate) const NARROW_COLUMNS: usize = 38;

/// The maximum number of instructions that a template may run. It is more than any letter needs, so
/// an endless loop fails instead of blocking the pass.
const FUEL: u64 = 2_000_000;

pub(crate) fn create_environment(words: Arc<Localizer>) -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .keep_trailing_newline(true)
        .build();
    // Building the syntax cannot fail, because it uses the default delimiters.
    if let Ok(syntax) = syntax {
        environment.set_syntax(syntax);
    }
    environment.set_fuel(Some(FUEL));
    environment.set_auto_escape_callback(|name| {
        if name.ends_with(".html") { AutoEscape::Html } else { AutoEscape::None }
    });
    let is_rtl = words.is_rtl();
    environment.add_filter("ltr", move |text: &str| {
        if is_rtl { isolate_left_to_right_lines(text) } else { text.into() }
    });
    environment.add_global("language", words.tag().to_owned());
    environment.add_filter("term", move |key: &str| words.localize_key(key));
    environment.add_filter("name", name_filter);
    environment.add_filter("wrap", wrap_filter);
    environment.add_filter("hang", card_row_filter);
    environment.add_filter("stroke", horizontal_line_filter);
    environment.add_filter("pad", move |text: &Value, width: usize| {
        let text = text.to_string();
        format!("{}{}", isolate_cell(&text, is_rtl), padding(&text, width))
    });
    environment.add_filter("lpad", move |text: &Value, width: usize| {
        let text = text.to_string();
        format!("{}{}", padding(&text, width), isolate_cell(&text, is_rtl))
    });
    environment
}

/// Returns the options by which lines of `width` columns are broken, each beginning with `indent`.
pub(crate) fn wrap_options(indent: &str, width: usize) -> textwrap::Options<'_> {
    textwrap::Options::new(width)
        .initial_indent(indent)
        .subsequent_indent(indent)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit)
}

/// Wraps one paragraph to `width` columns. `first` is the indent of the first line and `rest` that
/// of all others. An address or a hash that is too wide is not broken, because a broken one would
/// be useless.
pub(super) fn wrap_paragraph_keeping_addresses(
    text: &str,
    first: &str,
    rest: &str,
    width: usize,
) -> String {
    if let Some(filled) = try_fill_whole_words(text, first, rest, width) {
        return filled;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let breaks = !words.iter().any(|word| is_unbreakable(word));
    let options = wrap_options(rest, width).initial_indent(first).break_words(breaks);
    textwrap::fill(&words.join(" "), options)
}

/// Fills a paragraph in which each word fits on a line, as most do. Returns `None` if a word is too
/// wide or there is no word. This path is faster than `textwrap` and gives the same result.
fn try_fill_whole_words(text: &str, first: &str, rest: &str, width: usize) -> Option<String> {
    let indents = [display_columns(first), display_columns(rest)];
    let room = width.checked_sub(indents.into_iter().max()?)?;
    let mut filled = String::with_capacity(text.len() + first.len() + rest.len());
    let mut column = 0;
    for word in text.split_whitespace() {
        let columns = display_columns(word);
        if columns > room {
            return None;
        }
        if filled.is_empty() {
            filled.push_str(first);
            column = display_columns(first);
        } else if column + 1 + columns > width {
            filled.push('\n');
            filled.push_str(rest);
            column = display_columns(rest);
        } else {
            filled.push(' ');
            column += 1;
        }
        filled.push_str(word);
        column += columns;
    }
    (column > 0).then_some(filled)
}

fn display_columns(text: &str) -> usize {
    let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    if is_plain { text.len() } else { display_width(text) }
}

/// Whether a word is useful only as a whole: it has at most 76 bytes and is an address or a long
/// hexadecimal hash.
fn is_unbreakable(word: &str) -> bool {
    let is_hash = || word.len() >= NARROW_COLUMNS && word.bytes().all(|b| b.is_ascii_hexdigit());
    word.len() <= COLUMNS && (word.contains('@') || is_hash())
}

/// Fills each paragraph of a text. Each line begins with `indent`. Blank lines separate paragraphs,
/// and a trailing line end is kept.
pub(crate) fn wrap_paragraphs(text: &str, indent: &str, width: usize) -> String {
    let paragraphs = text
        .split("\n\n")
        .map(|part| wrap_paragraph_keeping_addresses(part, indent, indent, width));
    let end = if text.ends_with('\n') { "\n" } else { "" };
    format!("{}{end}", paragraphs.collect::<Vec<_>>().join("\n\n"))
}

/// Returns the width of the letter that is being rendered, in columns. The template's context may
/// define `columns`.
fn letter_width(state: &State<'_, '_>) -> usize {
    state.lookup("columns").and_then(|width| usize::try_from(width).ok()).unwrap_or(COLUMNS)
}

fn wrap_filter(state: &State<'_, '_>, text: &str, indent: Option<usize>) -> String {
    wrap_paragraphs(text, &" ".repeat(indent.unwrap_or(0)), letter_width(state))
}

/// A template filter that repeats a character to the full width of the letter, as a horizontal
/// line.
fn horizontal_line_filter(state: &State<'_, '_>, of: &str) -> String {
    of.repeat(letter_width(state).min(COLUMNS))
}

/// Isolates the lines of a left-to-right text within a right-to-left letter. Each line begins with
/// a left-to-right mark (U+200E) and is enclosed in direction isolates. A reply may contain these
/// characters: they are invisible, and the parser of replies ignores them.
fn isolate_left_to_right_lines(text: &str) -> String {
    let lines = text.lines().map(|line| match line.trim() {
        "" => String::new(),
        _ => format!("\u{200e}\u{2066}{line}\u{2069}"),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Isolates the text of a table cell in a right-to-left letter. Tables have their columns from left
/// to right in every language.
fn isolate_cell(text: &str, is_rtl: bool) -> String {
    if is_rtl { format!("\u{200e}\u{2068}{text}\u{2069}\u{200e}") } else { text.to_owned() }
}

/// Writes a line of a card and its meaning as a row of Markdown. Cards that a club wrote before
/// rows were Markdown call this filter with a column, which is ignored.
fn card_row_filter(meaning: &str, line: &str, _column: Option<usize>) -> String {
    format!("| {line} | {meaning} |")
}

fn padding(text: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(display_columns(text)))
}

/// A template filter that returns the name of the player of a seat. The template's context must
/// define `names`.
fn name_filter(state: &State<'_, '_>, seat: u8) -> String {
    state
        .lookup("names")
        .and_then(|names| names.get_item_by_index(Seat::new(seat).index()).ok())
        .filter(|name| !name.is_undefined())
        .map_or_else(|| seat.to_string(), |name| name.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn hang_filter_writes_markdown_row() {
        let card = "{{ \"places it\" | hang(\"build red\", 22) }}";
        let words = Localizer::new("en", &[]).expect("no sentences");
        let row = create_environment(Arc::new(words)).render_str(card, ()).expect("it renders");
        assert_eq!(row, "| build red | places it |");
    }

    proptest! {
        /// The fast path gives the result of `textwrap`, whether or not long words may be broken.
        #[test]
        fn fast_fill_matches_textwrap(
            text in "([a-z.,é東 @-]{0,9}[ \n]{1,2}){0,20}", first in "[ -]{0,3}", rest in " {0,4}",
            width in 1..30_usize,
        ) {
            if let Some(filled) = try_fill_whole_words(&text, &first, &rest, width) {
                let words: Vec<&str> = text.split_whitespace().collect();
                let options = wrap_options(&rest, width).initial_indent(&first);
                for breaks in [true, false] {
                    let options = options.clone().break_words(breaks);
                    prop_assert_eq!(&filled, &textwrap::fill(&words.join(" "), options));
                }
            }
        }
    }
}
