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
    let is_empty = |row: &LocalizedRow| row.name.is_empty() && row.says.is_empty();
    rows.iter().map(row).filter(|row| !is_empty(row)).collect()
}

/// Returns the rows as a letter with a picture of the board shows them: with what the picture
/// cannot show.
pub(super) fn shorten_beside_picture(rows: Vec<PositionRow>) -> Vec<PositionRow> {
    let rows = rows.into_iter().filter(|row| !row.beside_picture.is_empty());
    let short = |row: PositionRow| PositionRow {
        sentences: row.beside_picture,
        beside_picture: Vec::new(),
        ..row
    };
    rows.map(short).collect()
}

/// Joins rows to running text, for readers who hear it: a sentence for each row.
pub(super) fn to_running_text(rows: &[LocalizedRow]) -> String {
    let row = |LocalizedRow { name, says, .. }: &LocalizedRow| {
        let says = says.join(" ");
        let said = says.trim_end_matches(['.', ':']);
        let end = if says.ends_with(':') { ":" } else { "." };
        if name.is_empty() { format!("{said}{end}") } else { format!("{name}: {said}{end}") }
    };
    rows.iter().map(row).collect::<Vec<_>>().join(" ")
}

/// Returns the rows that differ from all rows of an earlier position. A row that introduces the
/// labelled rows below it is kept with them.
pub(super) fn select_changed_rows(
    rows: &[LocalizedRow],
    before: &[LocalizedRow],
) -> Vec<LocalizedRow> {
    let is_heading = |row: &LocalizedRow| {
        row.name.is_empty() && row.says.last().is_some_and(|said| said.ends_with(':'))
    };
    let (mut changed, mut heading) = (Vec::new(), None);
    for row in rows {
        if is_heading(row) {
            heading = Some(row);
            continue;
        }
        heading = heading.filter(|_| row.ink.is_some());
        if !before.contains(row) {
            changed.extend(heading.take().into_iter().chain([row]).cloned());
        }
    }
    changed
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
    fn rows_beside_picture_become_running_text() {
        let say = |message: &Message| message.key.replace('-', " ");
        let rows = vec![
            PositionRow::from_sentence(Message::new("Only in words.")),
            PositionRow::from_sentences([]).beside_picture([Message::new("Value of a share:")]),
            PositionRow::named(Message::new("red"), [Message::new("Cities: G23.")])
                .beside_picture([Message::new("6 (1)")]),
            PositionRow::named(Message::new("Ann"), [])
                .beside_picture([Message::new("6 points."), Message::new("One cart.")]),
        ];
        assert_eq!(localize_rows(&rows, say).len(), 3, "a row without words is left out");
        let rows = localize_rows(&shorten_beside_picture(rows), say);
        let text = "Value of a share: red: 6 (1). Ann: 6 points. One cart.";
        assert_eq!(to_running_text(&rows), text);
    }

    #[test]
    fn changed_rows_keep_their_heading() {
        let row = |name: &str, says: &str, ink: Option<&str>| LocalizedRow {
            ink: ink.map(str::to_owned),
            letters: String::new(),
            name: name.to_owned(),
            says: vec![says.to_owned()],
        };
        let rows = |red: &str, blue: &str, ann: &str| {
            let [red, blue] =
                [("red", red), ("blue", blue)].map(|(name, says)| row(name, says, Some("#000000")));
            [row("", "Value:", None), red, blue, row("Ann", ann, None)]
        };
        let before = rows("1", "2", "3");
        let text = |rows: &[LocalizedRow]| to_running_text(&select_changed_rows(rows, &before));
        assert_eq!(text(&before), "");
        assert_eq!(text(&rows("1", "5", "3")), "Value: blue: 5.");
        assert_eq!(text(&rows("4", "5", "3")), "Value: red: 4. blue: 5.");
        assert_eq!(text(&rows("1", "2", "6")), "Ann: 6.");
    }

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
