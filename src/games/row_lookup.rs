//! Looks into rows and views, for the tests of games.

use crate::rules::{Message, PositionRow};
use serde_json::Value;

/// Whatever the rows say under this key.
pub fn find_sentences<'a>(rows: &'a [PositionRow], key: &str) -> Vec<&'a Message> {
    rows.iter().flat_map(|row| &row.sentences).filter(|said| said.key == key).collect()
}

/// The one thing that the rows say under this key.
pub fn find_one_sentence<'a>(rows: &'a [PositionRow], key: &str) -> &'a Message {
    match find_sentences(rows, key).as_slice() {
        [one] => one,
        other => panic!("{key}: {other:?}"),
    }
}

/// Returns the items of a list in a view.
pub fn view_list(view: &Value) -> &[Value] {
    view.as_array().unwrap_or_else(|| panic!("{view}"))
}

/// Returns a text in a view.
pub fn view_text(view: &Value) -> &str {
    view.as_str().unwrap_or_else(|| panic!("{view}"))
}
