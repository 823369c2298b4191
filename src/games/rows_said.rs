//! Looks into rows and views, for the tests of games.

use crate::rules::{Message, Row};
use serde_json::Value;

/// Whatever the rows say under this key.
pub fn said<'a>(rows: &'a [Row], key: &str) -> Vec<&'a Message> {
    rows.iter().flat_map(|row| &row.says).filter(|said| said.key == key).collect()
}

/// The one thing that the rows say under this key.
pub fn one<'a>(rows: &'a [Row], key: &str) -> &'a Message {
    match said(rows, key).as_slice() {
        [one] => one,
        other => panic!("{key}: {other:?}"),
    }
}

/// Returns the items of a list in a view.
pub fn list(view: &Value) -> &[Value] {
    view.as_array().unwrap_or_else(|| panic!("{view}"))
}

/// Returns a text in a view.
pub fn text(view: &Value) -> &str {
    view.as_str().unwrap_or_else(|| panic!("{view}"))
}
