//! Letters of members, newcomers and mail servers: what was written, and what it leads to.
//!
//! A line is read once and judged once. Knows nothing of what only the moderator may do.

mod abbreviations;
pub(crate) mod effects;
pub(crate) mod intake;
pub(crate) mod member_letter;
pub(crate) mod seat_letter;
pub(crate) mod stop_requests;
pub(crate) mod wrong_address;
