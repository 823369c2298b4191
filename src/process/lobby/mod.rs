//! Who plays: games that are formed, joined and founded, seats that change hands, members who come
//! and go.
//!
//! Knows nothing of what a letter looked like.

pub mod campaign_rounds;
pub(crate) mod erasure;
pub mod game_founding;
pub(crate) mod game_list;
pub(crate) mod invitations;
pub(crate) mod members;
pub(crate) mod name_check;
pub(crate) mod newcomers;
pub(crate) mod observers;
pub(crate) mod proposals;
pub(crate) mod rematch;
pub(crate) mod substitute;
pub(crate) mod token_rotation;
pub(crate) mod vacant_seats;
pub(crate) mod visitors;
