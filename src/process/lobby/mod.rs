//! Who plays: games that are formed, joined and founded, seats that change hands, members who come
//! and go.
//!
//! Knows nothing of what a letter looked like.

pub mod campaign_rounds;
pub(crate) mod erasure;
pub(crate) mod forming;
pub mod found;
pub(crate) mod game_list;
pub(crate) mod marks;
pub(crate) mod members;
pub(crate) mod name_check;
pub(crate) mod newcomers;
pub(crate) mod rematch;
pub(crate) mod substitute;
pub(crate) mod unasked;
pub(crate) mod vacant_seats;
pub(crate) mod visitors;
pub(crate) mod watching;
