//! Export of a game as one JSON document. A program that knows the rules can replay and check it.

use super::{FoldError, Founding, Hash, InitialGameCache, Record, Table};
use crate::rules::Ranking;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The version of the format, which every log and export names.
pub(crate) const FORMAT: &str = "postrider-game/1";

/// A whole game. The hash chain in the records protects everything from the founding to the last
/// record.
#[derive(Debug, Serialize)]
pub struct Export<'a> {
    #[serde(flatten)]
    founding: &'a Founding,
    records: Vec<&'a Record>,
    standings: Vec<Ranking>,
    /// Whether the game is over, and the hash of the last record. They show whether the export is
    /// complete.
    over: bool,
    head: Hash,
    /// Whether private parts were left out, so that the chain is not the one in the letters.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    public: bool,
}

/// The reason why a document cannot be imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The document is not JSON, or not in this format.
    #[error("not a {FORMAT} document: {0}")]
    Format(#[from] serde_json::Error),
    /// The log in the document cannot be replayed.
    #[error(transparent)]
    Fold(#[from] FoldError),
}

impl Table {
    /// Returns the whole game as a document. It contains every secret of the game, including the
    /// seed.
    pub fn export(&self) -> Export<'_> {
        Export {
            founding: &self.founding,
            records: self.records.iter().map(|record| &**record).collect(),
            standings: self.rankings(),
            over: self.is_over(),
            head: self.last_record_hash(),
            public: false,
        }
    }

    /// Returns the document of a table that [`Table::public_copy`] made.
    pub(crate) fn export_public_copy(&self) -> Export<'_> {
        Export { public: true, ..self.export() }
    }

    /// Imports a document.
    ///
    /// # Errors
    /// The document does not have the format, or its log cannot be replayed.
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

/// Removes whitespace between JSON tokens. The hash chain covers compact JSON, but people may have
/// reformatted the document.
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
