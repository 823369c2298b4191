//! Offers of seats in running games to members who have never answered a letter, so they are asked
//! before they get the seat.

use super::Actor;
use crate::rules::Seat;
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

/// The offer of a seat in a running game to one member. The member gets the seat only after
/// accepting the offer by letter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatOffer {
    pub(crate) seat: Seat,
    pub(crate) member: u32,
    /// The actor who offers the seat: the moderator, a member or the program.
    pub(crate) by: Actor,
    /// The reason, as the players will read it.
    pub(crate) reason: String,
    pub(crate) until: DateTime<Utc>,
}

impl SeatOffer {
    /// The time for which an offer can be accepted. The letter with the offer can be answered for
    /// as long.
    pub(crate) const OFFER_DURATION: TimeDelta = TimeDelta::days(3);
}
