//! The book that the club's door looks into: who may act for whom, as things stand on a desk.
//!
//! What an earlier letter of the same pass changed is true here already: a mark that it made void
//! opens nothing for the next one. Changes nothing.

use super::desk::Desk;
use super::office::{Office, OfficeError};
use crate::club::{Member, Seated};
use crate::mail::{Chair, Generation, Roster};
use crate::rules::Seat;

/// The club's members and seats as they stand on a desk.
pub(super) struct Book<'a> {
    /// The club.
    pub office: &'a Office,
    /// Where they stand.
    pub desk: &'a Desk,
}

impl Roster for Book<'_> {
    type Error = OfficeError;

    fn chair(&self, game: u32, seat: u8) -> Result<Option<Chair>, OfficeError> {
        let at = Seat::new(seat);
        let seated = match self.desk.games.get(&game) {
            Some(playing) => playing.seat(at).map(|(seated, _)| seated.clone()),
            None => self.office.store.seats(game)?.into_iter().nth(at.index()),
        };
        let Some(seated) = seated else { return Ok(None) };
        let member = self.desk.member(self.office, seated.member)?;
        Ok(member.map(|member| {
            let generation = marks_of_seat(&seated, &member);
            Chair { generation, addresses: member.addresses }
        }))
    }

    fn member(&self, member: u32) -> Result<Option<Chair>, OfficeError> {
        let member = self.desk.member(self.office, member)?;
        Ok(member.map(|member| {
            let generation = marks_of(&member);
            Chair { generation, addresses: member.addresses }
        }))
    }

    fn member_of(&self, address: &str) -> Result<Option<u32>, OfficeError> {
        Ok(self.desk.member_by_address(self.office, address)?.map(|member| member.id))
    }

    fn moderator(&self) -> Result<u32, OfficeError> {
        match self.desk.batch.moderator {
            Some(generation) => Ok(generation),
            None => Ok(self.office.store.moderator()?),
        }
    }
}

impl Office {
    /// The club's book as it stands on this desk.
    pub(super) fn book<'a>(&'a self, desk: &'a Desk) -> Book<'a> {
        Book { office: self, desk }
    }
}

/// The generation of a member's marks.
pub(super) fn marks_of(member: &Member) -> Generation {
    Generation { seat: 0, member: member.generation, moves: member.moves }
}

/// The generation of the marks of a seat and of who sits there.
pub(super) fn marks_of_seat(seated: &Seated, member: &Member) -> Generation {
    Generation { seat: seated.generation, ..marks_of(member) }
}
