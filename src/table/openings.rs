//! Empty tables that were opened before in this run.

use super::{FoldError, Founding};
use crate::games;
use crate::rules::DynGame;
use std::sync::Arc;

/// Empty tables by what they were opened with. A club's games mostly share a few definitions, and
/// compiling a board costs more than folding a log.
#[derive(Default)]
pub struct Openings {
    opened: Vec<(Founding, Arc<dyn DynGame>)>,
}

impl Openings {
    /// The empty table of this founding.
    ///
    /// # Errors
    /// When the program has no such game, or its definition no longer passes.
    pub(crate) fn open(&mut self, founding: &Founding) -> Result<Arc<dyn DynGame>, FoldError> {
        if let Some((_, blank)) = self.opened.iter().find(|(other, _)| alike(other, founding)) {
            return Ok(Arc::clone(blank));
        }
        let kind = games::kind(&founding.game)
            .filter(|kind| kind.version() == founding.version)
            .ok_or_else(|| FoldError::UnknownGame {
                game: founding.game.clone(),
                version: founding.version,
            })?;
        let blank: Arc<dyn DynGame> =
            Arc::from(kind.open(&founding.definition, &founding.options, founding.seats)?);
        self.opened.push((founding.clone(), Arc::clone(&blank)));
        Ok(blank)
    }
}

/// Whether two games begin with the same empty table. Comparing is cheaper than keying a map: that
/// would copy and hash a whole definition for each game that is opened.
fn alike(a: &Founding, b: &Founding) -> bool {
    (&a.game, a.version, a.seats) == (&b.game, b.version, b.seats)
        && a.options.get() == b.options.get()
        && a.definition.get() == b.definition.get()
}
