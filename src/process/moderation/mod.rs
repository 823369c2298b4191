//! The moderator's commands and views, the same by letter and on the command line.
//!
//! Knows nothing of when a pass does what.

pub(crate) mod digest;
pub(crate) mod game_command;
pub(crate) mod game_log;
pub(crate) mod member_export;
pub(crate) mod member_letter_list;
pub(crate) mod moderator_lines;
pub(crate) mod overview;
pub(crate) mod quarantine;
pub(crate) mod site_campaigns;
pub(crate) mod site_source;
