//! Sealed Bids, a game in a crate of its own whose players all order at the same time.
//!
//! Each player holds the cards 1 to 5. In round 1 they bid for 1 point, in round 2 for 2 points,
//! and so on. All bid one card in secret. Once all have bid, the highest bid that nobody else made
//! wins the points, and all cards that were bid are out of play.
//!
//! A bid is a *secret* order that completes its player's part of the turn. postrider keeps such
//! orders sealed until everybody has given one. So a bid sends nobody a letter, adds no record to
//! the log, and can be replaced or taken back. `docs/developers.md` explains the steps.

#![forbid(unsafe_code)]

mod orders;
mod rules;
mod search;
mod views;

pub use rules::{Bid, Event, State};

/// The game Sealed Bids, for 2 to 4 players.
pub struct SealedBids;
