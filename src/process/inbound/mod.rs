//! Parses and judges letters of players, members, newcomers and mail servers. Each line is parsed
//! once and judged once.
//!
//! The modules here do not know the commands that only the moderator may use.

mod abbreviations;
mod doubts;
pub(crate) mod effects;
pub(crate) mod intake;
pub(crate) mod intents;
mod line_sorter;
pub(crate) mod member_letter;
pub(crate) mod seat_letter;
pub(crate) mod stop_requests;
pub(crate) mod wrong_address;
