//! Seats of games in play that are offered to somebody who has never answered the club.

use super::Actor;
use crate::rules::Seat;
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

/// A seat that a member is asked to take over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatOffer {
    /// The seat.
    pub(crate) seat: Seat,
    /// The number of the member who is asked.
    pub(crate) member: u32,
    /// The person who gives the seat away.
    pub(crate) by: Actor,
    /// The reason, as the players will read it.
    pub(crate) reason: String,
    /// When the offer ends without an answer.
    pub(crate) until: DateTime<Utc>,
}

impl SeatOffer {
    /// The time for which an offer is open: the letter that makes it can be answered as long.
    pub(crate) const OFFER_DURATION: TimeDelta = TimeDelta::days(3);
}
