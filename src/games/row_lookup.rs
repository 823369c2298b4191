//! Lookups in position rows and views, for the tests of games.

use crate::rules::{Message, PositionRow};
use serde_json::Value;

/// Returns all sentences with this key.
pub fn find_sentences<'a>(rows: &'a [PositionRow], key: &str) -> Vec<&'a Message> {
    rows.iter().flat_map(|row| &row.sentences).filter(|said| said.key == key).collect()
}

/// Returns the only sentence with this key. Panics if there are more or none.
pub fn expect_one_sentence<'a>(rows: &'a [PositionRow], key: &str) -> &'a Message {
    match find_sentences(rows, key).as_slice() {
        [one] => one,
        other => panic!("{key}: {other:?}"),
    }
}

pub fn expect_json_array(view: &Value) -> &[Value] {
    view.as_array().unwrap_or_else(|| panic!("{view}"))
}

pub fn expect_json_text(view: &Value) -> &str {
    view.as_str().unwrap_or_else(|| panic!("{view}"))
}
