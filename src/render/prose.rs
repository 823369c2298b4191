//! Our text layout, read back: what is laid out for a wide page of plain text becomes pieces that
//! any width can show, HTML or 38 columns.
//!
//! The rules, by which templates of plain text are written:
//!
//! - A line in capitals, up to " - " or " (", is a heading. What follows there goes with it, or is
//!   a paragraph when it fills the line.
//! - Lines from the first column on are a paragraph; one ends on purpose if the next word would
//!   have fitted. Such a line alone above text, without a stop, is a heading of less weight.
//! - A line that begins with "- " or "* " is an item of a list, with the lines below it that are
//!   set in more.
//! - A line with two spaces or more inside is a row of so many cells; lines below it that are set
//!   in more belong to its last cell. Any other line that is set in is a row of one cell. Rows of
//!   as many cells that follow each other are one table; of a single row from the first column on
//!   each cell is a paragraph.
//! - A line that begins with "| " is something that somebody said: a quotation, line by line.
//!
//! A blank line ends whatever it stands below.

use super::templates::{COLUMNS, NARROW, filled};
use serde::Serialize;
use textwrap::core::display_width;

/// A line of fewer columns, with the next word, was ended on purpose.
const FULL: usize = 64;

/// A piece of prose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub(crate) enum Piece {
    /// In capitals, as plain text has it.
    Heading {
        /// What it says.
        text: String,
    },
    /// Above a few lines.
    Subheading {
        /// What it says.
        text: String,
    },
    /// Lines that are one.
    Paragraph {
        /// What it says.
        text: String,
    },
    /// A list.
    List {
        /// What it holds.
        items: Vec<String>,
    },
    /// Rows of as many cells each.
    Table {
        /// What it holds.
        rows: Vec<Vec<String>>,
    },
    /// What somebody said.
    Quote {
        /// The lines, each behind its bar: a program that quotes them shall not set them apart.
        lines: Vec<String>,
    },
}

/// What the next line may belong to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Nothing,
    /// A paragraph or heading whose last line was so wide, and how many lines it has.
    Paragraph {
        width: usize,
        lines: usize,
    },
    /// An item, or a row, that begins in this column.
    Inset(usize),
}

/// Reads a text.
pub(crate) fn read(text: &str) -> Vec<Piece> {
    let mut reader = Reader { pieces: Vec::new(), open: Open::Nothing, flush: Vec::new() };
    for line in text.lines() {
        reader.line(line.trim_end());
    }
    let flush = reader.flush;
    let pieces = reader.pieces.into_iter().enumerate();
    pieces.flat_map(|(at, piece)| settled(piece, flush.contains(&at))).collect()
}

/// A quotation of these lines.
pub(crate) fn quote(text: &str) -> Piece {
    Piece::Quote { lines: text.lines().map(str::to_owned).collect() }
}

struct Reader {
    pieces: Vec<Piece>,
    open: Open,
    /// Which of the pieces are rows from the first column on.
    flush: Vec<usize>,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let body = line.trim_start();
        let indent = line.len() - body.len();
        if body.is_empty() {
            self.open = Open::Nothing;
            return;
        }
        if let Some(item) = body.strip_prefix("- ").or_else(|| body.strip_prefix("* ")) {
            self.item(item, indent);
        } else if matches!(self.open, Open::Inset(column) if indent > column) {
            self.go_on(body);
        } else if indent == 0 && body.starts_with("| ") {
            self.said(line);
        } else {
            let cells = cells(body);
            if indent > 0 || cells.len() > 1 {
                self.row(cells, indent);
            } else {
                self.text(body);
            }
        }
    }

    fn item(&mut self, item: &str, indent: usize) {
        self.name_what_follows();
        match (self.open, self.pieces.last_mut()) {
            (Open::Inset(_), Some(Piece::List { items })) => items.push(item.to_owned()),
            _ => self.pieces.push(Piece::List { items: vec![item.to_owned()] }),
        }
        self.open = Open::Inset(indent);
    }

    fn row(&mut self, cells: Vec<String>, indent: usize) {
        self.name_what_follows();
        match (self.open, self.pieces.last_mut()) {
            (Open::Inset(_), Some(Piece::Table { rows }))
                if rows.last().is_some_and(|row| row.len() == cells.len()) =>
            {
                rows.push(cells);
            }
            _ => {
                self.flush.extend((indent == 0).then_some(self.pieces.len()));
                self.pieces.push(Piece::Table { rows: vec![cells] });
            }
        }
        self.open = Open::Inset(indent);
    }

    /// A line that belongs to the item or row above it.
    fn go_on(&mut self, body: &str) {
        let last = match self.pieces.last_mut() {
            Some(Piece::List { items }) => items.last_mut(),
            Some(Piece::Table { rows }) => rows.last_mut().and_then(|row| row.last_mut()),
            _ => None,
        };
        if let Some(last) = last {
            last.push(' ');
            last.push_str(body);
        }
    }

    fn said(&mut self, line: &str) {
        match self.pieces.last_mut() {
            Some(Piece::Quote { lines }) => lines.push(line.to_owned()),
            _ => self.pieces.push(quote(line)),
        }
        self.open = Open::Nothing;
    }

    fn text(&mut self, body: &str) {
        let width = display_width(body);
        let first = body.split(' ').next().unwrap_or_default();
        if let Open::Paragraph { width: before, lines } = self.open
            && before <= COLUMNS
            && before + 1 + display_width(first) > FULL
            && self.join(body)
        {
            self.open = Open::Paragraph { width, lines: lines + 1 };
            return;
        }
        self.name_what_follows();
        let text = body.to_owned();
        let capitals = is_heading(body);
        self.pieces.push(if capitals {
            Piece::Heading { text }
        } else {
            Piece::Paragraph { text }
        });
        self.open = Open::Paragraph { width, lines: 1 };
    }

    /// Lengthens what is open by a line; a heading that goes on is one up to its dash.
    fn join(&mut self, body: &str) -> bool {
        match self.pieces.last_mut() {
            Some(Piece::Paragraph { text }) => {
                *text = format!("{text} {body}");
                true
            }
            Some(Piece::Heading { text }) => match text.split_once(" - ") {
                Some((head, rest)) => {
                    let rest = Piece::Paragraph { text: format!("{rest} {body}") };
                    *text = head.to_owned();
                    self.pieces.push(rest);
                    true
                }
                None => false,
            },
            _ => false,
        }
    }

    /// A line alone, right above others and without a stop, names them.
    fn name_what_follows(&mut self) {
        if let (Open::Paragraph { lines: 1, .. }, Some(Piece::Paragraph { text })) =
            (self.open, self.pieces.last())
            && display_width(text) <= FULL
            && text.ends_with(|c: char| c.is_alphanumeric() || c == ')')
        {
            let text = text.clone();
            self.pieces.pop();
            self.pieces.push(Piece::Subheading { text });
        }
    }
}

/// The parts of a line between gaps of two spaces or more.
fn cells(body: &str) -> Vec<String> {
    let parts = body.split("  ").map(str::trim).filter(|part| !part.is_empty());
    parts.map(str::to_owned).collect()
}

/// Whether a line is in capitals up to what is put behind a dash or into brackets.
fn is_heading(line: &str) -> bool {
    let head = line.split(" - ").next().unwrap_or_default();
    let head = head.split(" (").next().unwrap_or_default();
    let letters = || head.chars().filter(|c| c.is_alphabetic());
    letters().count() >= 3 && letters().all(char::is_uppercase)
}

/// One row from the first column on is no table.
fn settled(piece: Piece, is_flush: bool) -> Vec<Piece> {
    match piece {
        Piece::Table { rows } if is_flush && rows.len() == 1 => {
            rows.into_iter().flatten().map(|text| Piece::Paragraph { text }).collect()
        }
        piece => vec![piece],
    }
}

/// The pieces as text of [`NARROW`] columns.
pub(crate) fn narrow(pieces: &[Piece]) -> String {
    let mut parts: Vec<String> = Vec::new();
    for piece in pieces {
        let part = match piece {
            Piece::Heading { text } | Piece::Subheading { text } | Piece::Paragraph { text } => {
                filled(text, "", "", NARROW)
            }
            Piece::List { items } => {
                let items = items.iter().map(|item| filled(item, "- ", "  ", NARROW));
                items.collect::<Vec<_>>().join("\n")
            }
            Piece::Table { rows } => narrow_table(rows),
            Piece::Quote { lines } => lines.join("\n"),
        };
        parts.push(part);
    }
    let mut text = String::new();
    for (at, part) in parts.iter().enumerate() {
        let above = at.checked_sub(1).and_then(|at| pieces.get(at));
        text.push_str(match above {
            None => "",
            Some(Piece::Heading { .. } | Piece::Subheading { .. }) => "\n",
            Some(_) => "\n\n",
        });
        text.push_str(part);
    }
    text
}

/// Side by side where there is room for it, else one below the other.
fn narrow_table(rows: &[Vec<String>]) -> String {
    let cells = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |at: usize| {
        let widths = rows.iter().filter_map(|row| row.get(at)).map(|cell| display_width(cell));
        widths.max().unwrap_or_default() + 2
    };
    let widths: Vec<usize> = (0..cells).map(width).collect();
    let beside = cells > 2 && widths.iter().sum::<usize>() <= NARROW;
    let row = |row: &Vec<String>| {
        if beside {
            let cells = row.iter().zip(&widths);
            let padded = cells.map(|(cell, width)| {
                format!("{cell}{}", " ".repeat(width.saturating_sub(display_width(cell))))
            });
            return padded.collect::<String>().trim_end().to_owned();
        }
        let parts = row.iter().enumerate().map(|(at, cell)| match at {
            0 => filled(cell, "  ", "    ", NARROW),
            _ => filled(cell, "    ", "    ", NARROW),
        });
        parts.collect::<Vec<_>>().join("\n")
    };
    rows.iter().map(row).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paragraph(text: &str) -> Piece {
        Piece::Paragraph { text: text.to_owned() }
    }

    fn table(rows: &[&[&str]]) -> Piece {
        let row = |row: &&[&str]| row.iter().map(|cell| (*cell).to_owned()).collect();
        Piece::Table { rows: rows.iter().map(row).collect() }
    }

    #[test]
    fn a_line_ends_a_paragraph_only_if_the_next_word_had_fitted() {
        let full = "A letter is carried out as a whole or not at all; only what chance has";
        let read = read(&format!("{full}\nshown is kept.\nA line\nof its own\n\n{full}\n"));
        let joined = format!("{full} shown is kept.");
        let alone = Piece::Subheading { text: "A line".to_owned() };
        assert_eq!(read, [paragraph(&joined), alone, paragraph("of its own"), paragraph(full)]);
    }

    #[test]
    fn headings_are_in_capitals_and_what_fills_their_line_is_a_paragraph() {
        let text = "END - at once, without a last round\n  - when it is over\n\nMISSIONS - one a \
                    turn, in the turn of the deed; claimed by itself, first\nwhat is rare\nA \
                    TURN: BUILD (or trade)\nI go.\n";
        let heading = |text: &str| Piece::Heading { text: text.to_owned() };
        let list = Piece::List { items: vec!["when it is over".to_owned()] };
        assert_eq!(
            read(text),
            [
                heading("END - at once, without a last round"),
                list,
                heading("MISSIONS"),
                paragraph(
                    "one a turn, in the turn of the deed; claimed by itself, first what is rare"
                ),
                heading("A TURN: BUILD (or trade)"),
                paragraph("I go."),
            ]
        );
    }

    #[test]
    fn lines_that_hang_are_rows_and_lines_below_a_dash_belong_to_it() {
        let text = "Actions\n  build red   places it,\n              if it can\n  trade       \
                    gives\n- one\n  and more\n- two\n\nNo.   Cost  Worth\n1      2      \
                    3\n\n(*) ours   (+) theirs\n\n  alone\n";
        let items = vec!["one and more".to_owned(), "two".to_owned()];
        assert_eq!(
            read(text),
            [
                Piece::Subheading { text: "Actions".to_owned() },
                table(&[&["build red", "places it, if it can"], &["trade", "gives"]]),
                Piece::List { items },
                table(&[&["No.", "Cost", "Worth"], &["1", "2", "3"]]),
                paragraph("(*) ours"),
                paragraph("(+) theirs"),
                table(&[&["alone"]]),
            ]
        );
    }

    #[test]
    fn narrow_text_keeps_its_lines_and_loses_no_word() {
        let text = "RULES\n\nBuild\nTake 1 to 5 locomotives of ONE colour and place them, one \
                    after another.\n  - Hexes with a barrier between them are not \
                    adjacent.\n\n  tell ann, bob: TEXT       to some players, up to a \
                    line\n\nNo.   Cost\n1     2\n";
        let narrow = narrow(&read(text));
        assert!(narrow.lines().all(|line| line.chars().count() <= NARROW), "{narrow}");
        let words =
            |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
        assert_eq!(words(&narrow), words(text));
        assert!(narrow.contains("\n  tell ann, bob: TEXT\n    to some players, up to a line"));
        assert!(narrow.contains("- Hexes with a barrier between them\n  are not adjacent."));
    }
}
