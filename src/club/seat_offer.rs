//! Offers of seats in running games to members who have never answered the club.

use super::Actor;
use crate::rules::Seat;
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

/// The offer of a seat to a member, who must accept it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatOffer {
    pub(crate) seat: Seat,
    pub(crate) member: u32,
    /// The person who gives the seat away.
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
