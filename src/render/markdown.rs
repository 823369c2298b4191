//! The subset of Markdown in which the rules, the cards of orders and the help are written.
//!
//! | lines | piece |
//! |---|---|
//! | `# WORDS` | a heading |
//! | `## Words` | a subheading |
//! | `- words`, and indented lines below | a list item |
//! | `\| words \| words \|` | a table row |
//! | anything else | a paragraph |
//!
//! A blank line ends a paragraph, a list and a table. There is no markup within a line, so `*` and
//! `_` are ordinary characters. A letter shows the pieces as plain text of its own width, and as
//! HTML by the template `prose.html`.

use super::templates::wrap_paragraph_keeping_addresses;
use serde::Serialize;
use textwrap::core::display_width;

/// The minimum number of columns for the last cell of a table's row. If fewer are left, the row
/// shows its cells below each other.
const LAST_CELL_COLUMNS: usize = 30;

/// A piece of a parsed text, such as a paragraph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub(crate) enum MarkdownPiece {
    Heading {
        text: String,
    },
    Subheading {
        text: String,
    },
    Paragraph {
        text: String,
    },
    List {
        items: Vec<String>,
    },
    Table {
        rows: Vec<Vec<String>>,
    },
    /// Talk by a player: its heading, and its lines.
    Quote {
        lines: Vec<String>,
    },
}

impl MarkdownPiece {
    /// Parses one line of Markdown, without blanks at its ends.
    fn parse_line(line: &str) -> Self {
        let text = String::from;
        if let Some(heading) = line.strip_prefix("# ") {
            Self::Heading { text: text(heading) }
        } else if let Some(heading) = line.strip_prefix("## ") {
            Self::Subheading { text: text(heading) }
        } else if let Some(item) = line.strip_prefix("- ") {
            Self::List { items: vec![text(item)] }
        } else if let Some(row) = line.strip_prefix("| ") {
            let cells = row.strip_suffix(" |").unwrap_or(row).split(" | ");
            Self::Table { rows: vec![cells.map(text).collect()] }
        } else {
            Self::Paragraph { text: text(line) }
        }
    }

    /// Renders the piece as plain text with lines of at most `width` columns.
    fn to_text(&self, width: usize) -> String {
        match self {
            Self::Heading { text } | Self::Subheading { text } | Self::Paragraph { text } => {
                wrap_paragraph_keeping_addresses(text, "", "", width)
            }
            Self::List { items } => {
                let items = items
                    .iter()
                    .map(|item| wrap_paragraph_keeping_addresses(item, "- ", "  ", width));
                items.collect::<Vec<_>>().join("\n")
            }
            Self::Table { rows } => render_table(rows, width),
            Self::Quote { lines } => lines.join("\n"),
        }
    }
}

pub(crate) fn parse(text: &str) -> Vec<MarkdownPiece> {
    let mut pieces: Vec<MarkdownPiece> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        let last = pieces.last_mut().filter(|_| is_open);
        is_open = !line.trim().is_empty();
        if !is_open {
            continue;
        }
        match (MarkdownPiece::parse_line(line.trim()), last) {
            (MarkdownPiece::Paragraph { text: more }, Some(MarkdownPiece::Paragraph { text })) => {
                *text = format!("{text} {more}");
            }
            (MarkdownPiece::Paragraph { text: more }, Some(MarkdownPiece::List { items }))
                if line.starts_with(' ') =>
            {
                let item = items.pop();
                items.extend(item.map(|item| format!("{item} {more}")));
            }
            (MarkdownPiece::List { items: more }, Some(MarkdownPiece::List { items })) => {
                items.extend(more);
            }
            (MarkdownPiece::Table { rows: more }, Some(MarkdownPiece::Table { rows })) => {
                rows.extend(more);
            }
            (piece, _) => pieces.push(piece),
        }
    }
    pieces
}

/// Renders pieces as plain text with lines of at most `width` columns.
pub(crate) fn render_text(pieces: &[MarkdownPiece], width: usize) -> String {
    let mut text = String::new();
    let mut gap = "";
    for piece in pieces {
        text.push_str(gap);
        text.push_str(&piece.to_text(width));
        let is_heading =
            matches!(piece, MarkdownPiece::Heading { .. } | MarkdownPiece::Subheading { .. });
        gap = if is_heading { "\n" } else { "\n\n" };
    }
    text
}

/// Renders a table with the cells of a row side by side, or below each other if the width is too
/// small.
fn render_table(rows: &[Vec<String>], width: usize) -> String {
    let widest = |cells: &mut dyn Iterator<Item = &String>| {
        cells.map(|cell| display_width(cell)).max().unwrap_or_default()
    };
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    // The last cell wraps, so it needs no fixed column width.
    let column = |at: usize| {
        let rows = rows.iter().filter(|row| row.len() > at + 1);
        widest(&mut rows.filter_map(|row| row.get(at))) + 2
    };
    let widths: Vec<usize> = (0..columns.saturating_sub(1)).map(column).collect();
    let inset = 2 + widths.iter().sum::<usize>();
    let last = widest(&mut rows.iter().filter_map(|row| row.last()));
    let is_beside = inset + last.min(LAST_CELL_COLUMNS) <= width;
    let row = |row: &Vec<String>| match row.split_last() {
        Some((last, others)) if is_beside => {
            let padded = others.iter().zip(&widths).map(|(cell, width)| {
                format!("{cell}{}", " ".repeat(width.saturating_sub(display_width(cell))))
            });
            wrap_paragraph_keeping_addresses(
                last,
                &format!("  {}", padded.collect::<String>()),
                &" ".repeat(inset),
                width,
            )
        }
        _ => {
            let indents = std::iter::once("  ").chain(std::iter::repeat("    "));
            let cells = row.iter().zip(indents);
            let cells = cells.map(|(cell, indent)| {
                wrap_paragraph_keeping_addresses(cell, indent, "    ", width)
            });
            cells.collect::<Vec<_>>().join("\n")
        }
    };
    rows.iter().map(row).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paragraph_piece(text: &str) -> MarkdownPiece {
        MarkdownPiece::Paragraph { text: text.to_owned() }
    }

    fn table_piece(rows: &[&[&str]]) -> MarkdownPiece {
        let row = |row: &&[&str]| row.iter().map(|cell| (*cell).to_owned()).collect();
        MarkdownPiece::Table { rows: rows.iter().map(row).collect() }
    }

    const SAMPLE: &str = "\
        # RULES - as played (*)\n\n## Build\nTake 1 to 5 locomotives of ONE colour and \
        place\nthem, one after another.\n- Hexes with a barrier between them are\n  \
        not adjacent.\n- Never two.\nNobody passes.\n\n| tell ann|bob TEXT | to some \
        players, up to a blank line |\n| say: |\n\n| No. | Cost | Worth |\n| 1 | 2 | \
        10 |\n";

    #[test]
    fn blank_line_ends_paragraph_list_and_table() {
        let items = ["Hexes with a barrier between them are not adjacent.", "Never two."];
        assert_eq!(
            parse(SAMPLE),
            [
                MarkdownPiece::Heading { text: "RULES - as played (*)".to_owned() },
                MarkdownPiece::Subheading { text: "Build".to_owned() },
                paragraph_piece(
                    "Take 1 to 5 locomotives of ONE colour and place them, one after another."
                ),
                MarkdownPiece::List { items: items.map(str::to_owned).to_vec() },
                paragraph_piece("Nobody passes."),
                table_piece(&[
                    &["tell ann|bob TEXT", "to some players, up to a blank line"],
                    &["say:"]
                ]),
                table_piece(&[&["No.", "Cost", "Worth"], &["1", "2", "10"]]),
            ]
        );
        assert_eq!(parse("a\n\nb"), [paragraph_piece("a"), paragraph_piece("b")]);
    }

    #[test]
    fn wide_text_has_cells_side_by_side() {
        let text = render_text(&parse(SAMPLE), 60);
        assert!(text.starts_with("RULES - as played (*)\nBuild\nTake 1 to 5"), "{text}");
        let hung = "\n\n  tell ann|bob TEXT  to some players, up to a blank line\n  say:\n\n";
        assert!(text.contains(hung), "{text}");
        assert!(text.ends_with("  No.  Cost  Worth\n  1    2     10"), "{text}");
    }

    #[test]
    fn narrow_text_keeps_every_word() {
        let narrow = render_text(&parse(SAMPLE), 38);
        assert!(narrow.lines().all(|line| line.chars().count() <= 38), "{narrow}");
        let marks = ["#", "##", "|"];
        let words = |text: &str| -> Vec<String> {
            let words = text.split_whitespace().filter(|word| !marks.contains(word));
            words.map(str::to_owned).collect()
        };
        assert_eq!(words(&narrow), words(SAMPLE));
        assert!(narrow.contains("\n  tell ann|bob TEXT\n    to some players, up to a blank\n    "));
        assert!(narrow.contains("- Hexes with a barrier between them\n  are not adjacent."));
    }
}
