//! Who is around the games on a desk, and what those who sit there are told of it.

use super::desk::Desk;
use super::office::{Office, OfficeError};
use crate::club::{Gathering, Happening, Minute};
use crate::rules::{Message, Seat};
use std::collections::BTreeMap;

impl Desk {
    /// Who is around a game, as it stands on this desk; what is changed is in its commit.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub(super) fn gathering(
        &mut self,
        office: &Office,
        game: u32,
    ) -> Result<&mut Gathering, OfficeError> {
        use std::collections::btree_map::Entry;
        Ok(match self.gatherings.entry(game) {
            Entry::Occupied(open) => open.into_mut(),
            Entry::Vacant(shut) => shut.insert(office.store.gathering(game)?),
        })
    }

    /// Who is around a game, as it stands on this desk, to be looked at only.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub(super) fn gathering_of(
        &self,
        office: &Office,
        game: u32,
    ) -> Result<Gathering, OfficeError> {
        match self.gatherings.get(&game) {
            Some(gathering) => Ok(gathering.clone()),
            None => Ok(office.store.gathering(game)?),
        }
    }

    /// Who is around all games of the club, as they stand on this desk.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub(super) fn all_gatherings(
        &self,
        office: &Office,
    ) -> Result<BTreeMap<u32, Gathering>, OfficeError> {
        let mut all: BTreeMap<u32, Gathering> = office.store.gatherings()?.into_iter().collect();
        all.extend(self.gatherings.iter().map(|(game, around)| (*game, around.clone())));
        Ok(all)
    }

    /// Tells a seat something at the head of its next letter, which is written by this desk.
    pub(super) fn note(&mut self, game: u32, seat: Seat, note: Message) {
        self.moved.entry(game).or_default().notes.push((seat, note));
    }

    /// Puts what was said or done around a game into its minutes.
    pub(super) fn minute(&mut self, office: &Office, game: u32, what: Happening) {
        self.batch.minutes.push((game, Minute { at: office.now, what }));
    }
}

impl Office {
    /// Puts the gatherings that have changed on a desk into its batch.
    pub(super) fn keep_gatherings(&self, desk: &mut Desk) -> Result<(), OfficeError> {
        for (game, gathering) in std::mem::take(&mut desk.gatherings) {
            if self.store.gathering(game)? != gathering {
                desk.batch.gatherings.push((game, gathering));
            }
        }
        Ok(())
    }
}
