//! The book that the club's door looks into: who may act for whom, as things stand in a
//! transaction.
//!
//! What an earlier letter of the same pass changed is true here already: a mark that it made void
//! opens nothing for the next one. Changes nothing.

use crate::mail::{Credentials, Directory};
use crate::process::context::{ClubError, ClubResult};
use crate::process::session::reader::{marks_of, marks_of_seat};
use crate::process::transaction::Transaction;
use crate::rules::Seat;
use crate::store::Repository;

/// The club's members and seats as they stand in a transaction.
pub(crate) struct ClubDirectory<'a>(pub(crate) &'a Transaction<'a>);

impl Directory for ClubDirectory<'_> {
    type Error = ClubError;

    fn credentials(&self, game: u32, seat: u8) -> ClubResult<Option<Credentials>> {
        let at = Seat::new(seat);
        let seated = self.0.seats(game)?.into_iter().nth(at.index());
        let Some(seated) = seated else { return Ok(None) };
        let member = self.0.member(seated.member)?;
        Ok(member.map(|member| {
            let generation = marks_of_seat(&seated, &member);
            Credentials { generation, addresses: member.addresses }
        }))
    }

    fn member(&self, member: u32) -> ClubResult<Option<Credentials>> {
        let member = self.0.member(member)?;
        Ok(member.map(|member| {
            let generation = marks_of(&member);
            Credentials { generation, addresses: member.addresses }
        }))
    }

    fn member_of(&self, address: &str) -> ClubResult<Option<u32>> {
        Ok(self.0.member_by_address(address)?.map(|member| member.id))
    }

    fn moderator(&self) -> ClubResult<u32> {
        Ok(self.0.moderator()?)
    }
}
