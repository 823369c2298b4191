//! postrider: a play-by-email turn processor.

pub mod cli;
pub mod club;
pub mod disk;
pub mod games;
pub mod mail;
pub mod process;
pub mod report;
pub mod rules;
pub mod store;
pub mod table;
