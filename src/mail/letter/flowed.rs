//! Rejoins lines that a mail program broke, in `format=flowed` text (RFC 3676).
//!
//! In this format, a line that ends in a space continues on the next line. But people also type
//! spaces at the end of a line, and not every program removes them. So a line also has to be long
//! enough that a program had a reason to break it.

use textwrap::core::display_width;

/// The width in columns up to which no program breaks a line. RFC 3676 recommends lines of up to 78
/// columns, and the usual limit is 72 or 76.
const UNBROKEN_WIDTH: usize = 60;

/// Joins each line that a mail program broke with the next line, if both have equal quote depth.
/// With `delsp`, removes the space at the join.
pub(super) fn join_flowed_lines(text: &str, delsp: bool) -> String {
    let mut unwrapped = String::with_capacity(text.len());
    // The quote depth of the line that continues on the next line.
    let mut open: Option<usize> = None;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let (depth, content) = split_quote_marks(line);
        let signature = content == "-- ";
        if open.is_some_and(|open| open != depth || signature) {
            unwrapped.push('\n');
            open = None;
        }
        if open.is_none() && depth > 0 {
            unwrapped.extend(std::iter::repeat_n('>', depth));
            unwrapped.push(' ');
        }
        let next = lines.peek().map_or("", |next| split_quote_marks(next).1);
        let flows = content.ends_with(' ') && !signature && is_too_long_with(line, next);
        let kept = if flows && delsp { content.strip_suffix(' ') } else { None };
        unwrapped.push_str(kept.unwrap_or(content));
        open = flows.then_some(depth);
        if !flows {
            unwrapped.push('\n');
        }
    }
    unwrapped
}

/// Splits a line into the number of its quotation marks and its content.
fn split_quote_marks(line: &str) -> (usize, &str) {
    let unquoted = line.trim_start_matches('>');
    (line.len() - unquoted.len(), unquoted.strip_prefix(' ').unwrap_or(unquoted))
}

/// Whether a line would be wider than [`UNBROKEN_WIDTH`] if the first word of the next line were on
/// it.
fn is_too_long_with(line: &str, next: &str) -> bool {
    let word = next.split(' ').next().unwrap_or_default();
    !word.is_empty() && display_width(line) + display_width(word) > UNBROKEN_WIDTH
}

#[cfg(test)]
mod tests {
    use super::join_flowed_lines;

    const LONG: &str = "lay A1 ns, then enter white D and move it along the whole of the line";

    #[test]
    fn long_flowed_lines_are_joined_per_quote_level() {
        let text = format!("{LONG} \nto B\n> {LONG} \n> so\n>> {LONG} \n{LONG} \n-- \nAnn\n");
        let whole = format!("{LONG} to B\n> {LONG} so\n>> {LONG} \n{LONG} \n-- \nAnn\n");
        assert_eq!(join_flowed_lines(&text, false), whole);
    }

    #[test]
    fn short_line_that_ends_in_space_stays_alone() {
        for text in [
            "build red F16, Rouen \nThanks, Ann\n",
            "PRR 6 \n\nSee you later\n",
            "lay D1 ns \nenter white D \nmove \n",
            "> build red F16, Rouen \n> Thanks\n",
            "build red F16, Rouen \n",
        ] {
            assert_eq!(join_flowed_lines(text, false), text);
            assert_eq!(join_flowed_lines(text, true), text, "with DelSp");
        }
        let paragraphs = format!("{LONG} \n\nbuild red F16, Rouen\n");
        assert_eq!(join_flowed_lines(&paragraphs, false), paragraphs);
    }

    #[test]
    fn delsp_removes_space_at_line_break() {
        let (long, rest) = ("東京".repeat(18), "京都へ");
        assert_eq!(
            join_flowed_lines(&format!("{long} \n{rest}\n"), true),
            format!("{long}{rest}\n")
        );
    }

    #[test]
    fn space_stuffing_is_removed() {
        assert_eq!(join_flowed_lines(" From here\n  indented\n", false), "From here\n indented\n");
    }
}
