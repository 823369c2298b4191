//! Letters of members, newcomers and mail servers: what was written, and what it leads to.
//!
//! A line is read once and judged once. Knows nothing of what only the moderator may do.

pub(crate) mod bounced;
mod doubtful_letter;
pub(crate) mod effects;
pub(crate) mod elsewhere;
pub(crate) mod intake;
pub(crate) mod machine;
pub(crate) mod opened;
pub(crate) mod own_lines;
pub(crate) mod reply_action;
pub(crate) mod seat_letter;
pub(crate) mod sorting;
pub(crate) mod stop;
pub mod written;
