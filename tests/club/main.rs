//! The whole processor, a club at a time, as its members and its moderator meet it: by letters, by
//! the command line, by kills. One binary, since each that links the program costs a build.

mod addresses;
mod campaign;
mod cli;
mod clock;
mod crash;
mod digest;
mod folders;
mod inbound;
mod inbox;
mod kept;
mod leaks;
mod lobby;
mod lost;
mod members;
mod moderator;
mod observers;
mod passes;
mod plans;
mod playthroughs;
mod previews;
mod quarantine;
mod restore;
mod rig;
mod season;
mod secret_orders;
mod settings;
mod stand_ins;
mod substitutes;
mod talk;
mod threats;
mod time;
mod undeliverable;
mod votes;
mod ways;
mod words;
