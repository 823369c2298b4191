//! The lobby: forming and joining games, changing the player of a seat, and joining and leaving the
//! club.
//!
//! The modules here do not know the text of letters.

pub(crate) mod bot_members;
pub mod campaign_rounds;
pub(crate) mod erasure;
pub mod game_founding;
pub(crate) mod game_list;
pub(crate) mod invitations;
pub(crate) mod members;
pub(crate) mod name_check;
pub(crate) mod newcomers;
pub(crate) mod observers;
pub(crate) mod practice;
pub(crate) mod proposal_removal;
pub(crate) mod proposals;
pub(crate) mod rematch;
pub(crate) mod substitute;
pub(crate) mod token_rotation;
pub(crate) mod vacant_seats;
pub(crate) mod visitors;
