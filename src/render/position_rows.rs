//! Lays out the rows that describe a position in words, as HTML and as narrow text.

use super::templates::{NARROW_COLUMNS, wrap_paragraph_keeping_addresses};
use crate::picture::hex_colour;
use crate::rules::{Message, PositionRow};
use serde::Serialize;

/// The maximum number of characters of a row's sentences that fit beside the row's name on a phone.
const LONG_CHARS: usize = 80;

/// A row that describes one thing of a position, in the reader's language, as HTML shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct LocalizedRow {
    /// The colour of the row's label, in HTML notation.
    ink: Option<String>,
    /// The letters on the row's label, such as a company's initials.
    letters: String,
    /// The name of the described thing. Empty if the sentences name it themselves.
    name: String,
    says: Vec<String>,
}

pub(crate) fn localize_rows(
    rows: &[PositionRow],
    say: impl Fn(&Message) -> String,
) -> Vec<LocalizedRow> {
    let row = |row: &PositionRow| {
        let mark = row.label.as_ref();
        let letters = mark.map(|mark| mark.letters.clone()).unwrap_or_default();
        let name = row.name.as_ref().map(&say).unwrap_or_default();
        // If the name begins with the letters of the label, the letters are dropped.
        let twice = name.split(' ').next() == Some(letters.as_str());
        LocalizedRow {
            ink: mark.map(|mark| hex_colour(mark.ink)),
            letters: if twice { String::new() } else { letters },
            name,
            says: row.sentences.iter().map(&say).filter(|said| !said.is_empty()).collect(),
        }
    };
    rows.iter().map(row).collect()
}

/// Drops the rows that a picture makes superfluous. A sentence replaces them and says that asking
/// for the board shows the rest.
pub(super) fn drop_text_only_rows(mut rows: Vec<PositionRow>) -> Vec<PositionRow> {
    let all = rows.len();
    rows.retain(|row| !row.is_text_only);
    if rows.len() < all {
        rows.push(PositionRow::from_sentence(Message::new("board-aside")));
    }
    rows
}

/// Whether any row's sentences are so long that they should be below its name instead of beside it.
pub(super) fn has_long_row(rows: &[LocalizedRow]) -> bool {
    let said = |row: &LocalizedRow| row.says.iter().map(|said| said.chars().count()).sum::<usize>();
    rows.iter()
        .any(|row| said(row) > LONG_CHARS && !(row.letters.is_empty() && row.name.is_empty()))
}

/// Renders rows as text of [`NARROW_COLUMNS`] columns: the name of each, and its sentences indented
/// below.
pub(crate) fn to_narrow_text(rows: &[LocalizedRow]) -> String {
    let mut lines = Vec::new();
    for LocalizedRow { letters, name, says, .. } in rows {
        let head = [letters.as_str(), name.as_str()];
        let head: Vec<&str> = head.into_iter().filter(|part| !part.is_empty()).collect();
        let indent = if head.is_empty() { "" } else { "  " };
        if !head.is_empty() {
            lines.push(wrap_paragraph_keeping_addresses(&head.join(" "), "", "  ", NARROW_COLUMNS));
        }
        lines.extend(says.iter().map(|said| {
            wrap_paragraph_keeping_addresses(said, indent, &format!("{indent}  "), NARROW_COLUMNS)
        }));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ink;

    #[test]
    fn narrow_rows_show_marks_and_stay_within_width() {
        let say = |message: &Message| match message.key {
            "red" => "red".to_owned(),
            "bo" => "B&O (blue)".to_owned(),
            "empty" => String::new(),
            _ => "Troyes, Orleans, Chaumont and Bourges; 14 country hexes".to_owned(),
        };
        let of = |name, says: &[&'static str]| {
            PositionRow::named(Message::new(name), says.iter().map(|key| Message::new(key)))
        };
        let rows = [
            of("red", &["long", "empty"]).with_label(Ink::RED, "R"),
            of("bo", &["red"]).with_label(Ink::BLACK, "B&O"),
            PositionRow::from_sentence(Message::new("long")),
        ];
        let shown = localize_rows(&rows, say);
        let ink = Some("#f04a60".to_owned());
        assert_eq!((&shown[0].ink, shown[0].says.len()), (&ink, 1));
        assert_eq!((shown[1].letters.as_str(), shown[1].name.as_str()), ("", "B&O (blue)"));
        assert!(!has_long_row(&shown));
        assert_eq!(
            to_narrow_text(&shown),
            "R red\n  Troyes, Orleans, Chaumont and\n    Bourges; 14 country hexes\nB&O (blue)\n  \
             red\nTroyes, Orleans, Chaumont and Bourges;\n  14 country hexes"
        );
    }
}
