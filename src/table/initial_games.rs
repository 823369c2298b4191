//! A cache of games before the deal.

use super::{FoldError, Founding};
use crate::rules::{DynGame, GameRegistry};
use std::sync::{Arc, PoisonError, RwLock};

/// A cache of games before the deal, by their setup. Most games of a club share a few definitions,
/// and building a board costs more than replaying a log. All threads share the cache.
pub struct InitialGameCache {
    kinds: GameRegistry,
    games: RwLock<Vec<(Founding, Arc<dyn DynGame>)>>,
}

impl InitialGameCache {
    /// Creates an empty cache for games of these kinds.
    pub fn new(kinds: GameRegistry) -> Self {
        Self { kinds, games: RwLock::default() }
    }

    /// Returns the game before the deal for this founding, from the cache if it is there.
    ///
    /// # Errors
    /// The program has no such game, or rejects its definition.
    pub(crate) fn get_or_create(&self, founding: &Founding) -> Result<Arc<dyn DynGame>, FoldError> {
        let opened = self.games.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, blank)) = opened.iter().find(|(other, _)| have_same_start(other, founding))
        {
            return Ok(Arc::clone(blank));
        }
        drop(opened);
        let kind = self
            .kinds
            .find_kind(&founding.game)
            .filter(|kind| kind.version() == founding.version)
            .ok_or_else(|| FoldError::UnknownGame {
                game: founding.game.clone(),
                version: founding.version,
            })?;
        let blank: Arc<dyn DynGame> =
            Arc::from(kind.new_game(&founding.definition, &founding.options, founding.seats)?);
        // The lock is not held while a board is built, so nobody waits for it. Two threads that
        // build the same board at once store it twice.
        let mut opened = self.games.write().unwrap_or_else(PoisonError::into_inner);
        opened.push((founding.clone(), Arc::clone(&blank)));
        Ok(blank)
    }
}

/// Whether two games are equal before the deal. Comparing is cheaper than a map, which would copy
/// and hash a whole definition for each game.
fn have_same_start(a: &Founding, b: &Founding) -> bool {
    (&a.game, a.version, a.seats) == (&b.game, b.version, b.seats)
        && a.options.get() == b.options.get()
        && a.definition.get() == b.definition.get()
}
