//! Empty tables that were opened before in this run.

use super::{FoldError, Founding};
use crate::games;
use crate::rules::DynGame;
use std::sync::{Arc, PoisonError, RwLock};

/// Empty tables by what they were opened with. A club's games mostly share a few definitions, and
/// compiling a board costs more than folding a log. Games that are opened side by side share them.
#[derive(Default)]
pub struct InitialGameCache {
    games: RwLock<Vec<(Founding, Arc<dyn DynGame>)>>,
}

impl InitialGameCache {
    /// The empty table of this founding.
    ///
    /// # Errors
    /// When the program has no such game, or its definition no longer passes.
    pub(crate) fn get_or_create(&self, founding: &Founding) -> Result<Arc<dyn DynGame>, FoldError> {
        let opened = self.games.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, blank)) = opened.iter().find(|(other, _)| have_same_start(other, founding))
        {
            return Ok(Arc::clone(blank));
        }
        drop(opened);
        let kind = games::find_kind(&founding.game)
            .filter(|kind| kind.version() == founding.version)
            .ok_or_else(|| FoldError::UnknownGame {
                game: founding.game.clone(),
                version: founding.version,
            })?;
        let blank: Arc<dyn DynGame> =
            Arc::from(kind.new_game(&founding.definition, &founding.options, founding.seats)?);
        // Nobody is kept waiting for a board. Two who compile the same one at once keep two of it.
        let mut opened = self.games.write().unwrap_or_else(PoisonError::into_inner);
        opened.push((founding.clone(), Arc::clone(&blank)));
        Ok(blank)
    }
}

/// Whether two games begin with the same empty table. Comparing is cheaper than keying a map: that
/// would copy and hash a whole definition for each game that is opened.
fn have_same_start(a: &Founding, b: &Founding) -> bool {
    (&a.game, a.version, a.seats) == (&b.game, b.version, b.seats)
        && a.options.get() == b.options.get()
        && a.definition.get() == b.definition.get()
}
