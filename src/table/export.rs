//! A game as one JSON document that a program which knows only the rules can replay and judge.

use super::{FoldError, Founding, Hash, InitialGameCache, Record, Table};
use crate::rules::Ranking;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The form of logs and exports, named in each of them.
pub(crate) const FORMAT: &str = "postrider-game/1";

/// A whole game. With the records' hash chain it is checked from its founding to its end.
#[derive(Debug, Serialize)]
pub struct Export<'a> {
    #[serde(flatten)]
    founding: &'a Founding,
    records: Vec<&'a Record>,
    standings: Vec<Ranking>,
    /// Whether the game is over, and the last record's hash: the export is whole.
    over: bool,
    head: Hash,
}

/// Why a document is no game.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It is no JSON, or not of this form.
    #[error("no {FORMAT} document: {0}")]
    Format(#[from] serde_json::Error),
    /// Its log does not fold.
    #[error(transparent)]
    Fold(#[from] FoldError),
}

impl Table {
    /// The whole game as a document. It holds every secret of the game.
    pub fn export(&self) -> Export<'_> {
        Export {
            founding: &self.founding,
            records: self.records.iter().map(|record| &**record).collect(),
            standings: self.rankings(),
            over: self.is_over(),
            head: self.head_hash(),
        }
    }

    /// Reads a document back.
    ///
    /// # Errors
    /// When it is no such document, or its log does not fold.
    pub fn import(openings: &InitialGameCache, document: &str) -> Result<Self, ImportError> {
        #[derive(Deserialize)]
        struct Records {
            records: Vec<Record>,
        }
        let compact = strip_whitespace(document);
        let founding: Founding = serde_json::from_str(&compact)?;
        founding.check_format()?;
        let Records { records } = serde_json::from_str(&compact)?;
        for (record, expected) in records.iter().zip(1..) {
            if record.seq != expected {
                return Err(FoldError::Gap { expected, found: record.seq }.into());
            }
        }
        let records = records.into_iter().map(Arc::new).collect();
        Ok(Self::from_records(openings, founding, records)?)
    }
}

/// The chain covers compact JSON, so a document that was laid out for reading is closed up first.
fn strip_whitespace(json: &str) -> String {
    let (mut inside, mut escaped) = (false, false);
    json.chars()
        .filter(|&c| {
            if inside {
                if escaped {
                    escaped = false;
                } else if c == '\\' {
                    escaped = true;
                } else if c == '"' {
                    inside = false;
                }
                return true;
            }
            inside = c == '"';
            !c.is_ascii_whitespace()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whitespace_inside_json_strings_is_kept() {
        let laid_out = "{ \"a b\" : [ 1,\n \"x \\\" y\" ] }";
        assert_eq!(strip_whitespace(laid_out), r#"{"a b":[1,"x \" y"]}"#);
    }
}
