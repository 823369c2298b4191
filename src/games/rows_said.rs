//! What rows say, for the tests of games that look at their positions in words.

use crate::rules::{Message, Row};

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
