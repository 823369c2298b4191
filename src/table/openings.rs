//! Empty tables that were opened before in this run.

use super::{FoldError, Founding};
use crate::games;
use crate::rules::Match;
use std::collections::HashMap;
use std::sync::Arc;

/// Empty tables by what they were opened with. A club's games mostly share a few definitions, and
/// compiling a board costs more than folding a log.
#[derive(Default)]
pub struct Openings {
    opened: HashMap<(String, String, String, u8), Arc<dyn Match>>,
}

impl Openings {
    /// The empty table of this founding.
    ///
    /// # Errors
    /// When the program has no such game, or its definition no longer passes.
    pub fn open(&mut self, founding: &Founding) -> Result<Arc<dyn Match>, FoldError> {
        let key = (
            founding.game.clone(),
            founding.definition.get().to_owned(),
            founding.options.get().to_owned(),
            founding.seats,
        );
        if let Some(blank) = self.opened.get(&key) {
            return Ok(Arc::clone(blank));
        }
        let kind = games::kind(&founding.game)
            .filter(|kind| kind.version() == founding.version)
            .ok_or_else(|| FoldError::UnknownGame {
                game: founding.game.clone(),
                version: founding.version,
            })?;
        let blank: Arc<dyn Match> =
            Arc::from(kind.open(&founding.definition, &founding.options, founding.seats)?);
        self.opened.insert(key, Arc::clone(&blank));
        Ok(blank)
    }
}
