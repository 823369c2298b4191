//! What can be asked of the store about the people around games.
//!
//! Changes nothing.

use super::keys::{Key, Parts};
use super::shelves::{Shelf, under};
use super::{Store, StoreError, later};
use crate::club::{Gathering, Minute};
use serde::de::DeserializeOwned;
use std::ops::RangeBounds;

impl Store {
    /// Who is around a game; nobody when nothing is kept.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn gathering(&self, game: u32) -> Result<Gathering, StoreError> {
        let range = under(Key::of(game).bytes());
        let found = self.whole(Shelf::Gatherings, range, 4)?;
        Ok(found.into_iter().next().map(|(_, gathering)| gathering).unwrap_or_default())
    }

    /// Who is around which game, by number.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn gatherings(&self) -> Result<Vec<(u32, Gathering)>, StoreError> {
        self.whole(Shelf::Gatherings, .., 4)
    }

    /// What was said and done around a game, in order.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn minutes(&self, game: u32) -> Result<Vec<Minute>, StoreError> {
        let found = self.whole(Shelf::Minutes, under(Key::of(game).bytes()), 12)?;
        Ok(found.into_iter().map(|(_, minute)| minute).collect())
    }

    /// What was said and done around all games, game by game.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn all_minutes(&self) -> Result<Vec<(u32, Minute)>, StoreError> {
        self.whole(Shelf::Minutes, .., 12)
    }

    /// The values of a shelf that keeps them in pieces, each with the number that its key begins
    /// with. The key of a value is of this many bytes; the number of the piece follows.
    fn whole<T: DeserializeOwned>(
        &self,
        shelf: Shelf,
        range: impl RangeBounds<Vec<u8>>,
        key_bytes: usize,
    ) -> Result<Vec<(u32, T)>, StoreError> {
        let mut found: Vec<(u32, Vec<u8>)> = Vec::new();
        self.shelves.scan(shelf, range, |key, piece| {
            let (of, part) = key.split_at_checked(key_bytes).unwrap_or((key, &[]));
            match found.last_mut().filter(|_| Parts(part).number().is_ok_and(|part| part > 0)) {
                Some((_, bytes)) => bytes.extend(piece),
                None => found.push((Parts(of).number()?, piece.to_vec())),
            }
            Ok(None::<()>)
        })?;
        found.into_iter().map(|(number, bytes)| Ok((number, later::whole(&bytes)?))).collect()
    }
}
