//! Positions in words, laid out: as rows of HTML, and as narrow text.

use super::templates::{NARROW, filled};
use crate::picture::hex;
use crate::rules::{Message, Row};
use serde::Serialize;

/// From so many characters on what is said of a thing is much for a phone's half line.
const LONG: usize = 80;

/// A row as HTML shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct ShownRow {
    /// The colour of its mark, as HTML writes colours, and that of the letters upon it.
    ink: Option<(String, String)>,
    /// What stands on its mark.
    letters: String,
    /// What it is, unless the mark says just that.
    name: String,
    /// What is said of it.
    says: Vec<String>,
}

/// Rows in the words of a reader's language.
pub(crate) fn shown(rows: &[Row], say: impl Fn(&Message) -> String) -> Vec<ShownRow> {
    let row = |row: &Row| {
        let mark = row.mark.as_ref();
        let letters = mark.map(|mark| mark.letters.clone()).unwrap_or_default();
        let name = row.name.as_ref().map(&say).unwrap_or_default();
        // A name may begin with what stands on the mark.
        let twice = name.split(' ').next() == Some(letters.as_str());
        ShownRow {
            ink: mark.map(|mark| (hex(mark.ink), hex(mark.ink.letters()))),
            letters: if twice { String::new() } else { letters },
            name,
            says: row.says.iter().map(&say).filter(|said| !said.is_empty()).collect(),
        }
    };
    rows.iter().map(row).collect()
}

/// The same rows for who has the picture too; the rest is told when he asks for the board.
pub(super) fn beside_picture(mut rows: Vec<Row>) -> Vec<Row> {
    let all = rows.len();
    rows.retain(|row| !row.is_aside);
    if rows.len() < all {
        rows.push(Row::saying(Message::new("board-aside")));
    }
    rows
}

/// Whether so much is said of one thing that it is better read below it than beside.
pub(super) fn are_long(rows: &[ShownRow]) -> bool {
    let said = |row: &ShownRow| row.says.iter().map(|said| said.chars().count()).sum::<usize>();
    rows.iter().any(|row| said(row) > LONG && !(row.letters.is_empty() && row.name.is_empty()))
}

/// The same as text of [`NARROW`] columns: what a row is about, and below it, set in, what is said.
pub(crate) fn narrow(rows: &[ShownRow]) -> String {
    let mut lines = Vec::new();
    for ShownRow { letters, name, says, .. } in rows {
        let head = [letters.as_str(), name.as_str()];
        let head: Vec<&str> = head.into_iter().filter(|part| !part.is_empty()).collect();
        let indent = if head.is_empty() { "" } else { "  " };
        if !head.is_empty() {
            lines.push(filled(&head.join(" "), "", "  ", NARROW));
        }
        lines.extend(says.iter().map(|said| filled(said, indent, &format!("{indent}  "), NARROW)));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ink;

    #[test]
    fn rows_are_laid_out_with_their_marks_and_keep_within_a_narrow_column() {
        let say = |message: &Message| match message.key {
            "red" => "red".to_owned(),
            "bo" => "B&O (blue)".to_owned(),
            "empty" => String::new(),
            _ => "Troyes, Orleans, Chaumont and Bourges; 14 country hexes".to_owned(),
        };
        let of = |name, says: &[&'static str]| {
            Row::of(Message::new(name), says.iter().map(|key| Message::new(key)))
        };
        let rows = [
            of("red", &["long", "empty"]).marked(Ink::RED, "R"),
            of("bo", &["red"]).marked(Ink::BLACK, "B&O"),
            Row::saying(Message::new("long")),
        ];
        let shown = shown(&rows, say);
        let ink = Some(("#f04a60".to_owned(), "#1a1c1e".to_owned()));
        assert_eq!((&shown[0].ink, shown[0].says.len()), (&ink, 1));
        assert_eq!((shown[1].letters.as_str(), shown[1].name.as_str()), ("", "B&O (blue)"));
        assert!(!are_long(&shown));
        assert_eq!(
            narrow(&shown),
            "R red\n  Troyes, Orleans, Chaumont and\n    Bourges; 14 country hexes\nB&O (blue)\n  \
             red\nTroyes, Orleans, Chaumont and Bourges;\n  14 country hexes"
        );
    }
}
