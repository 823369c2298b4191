//! The whole processor, a club at a time, as its members and its moderator meet it: by letters, by
//! the command line, by kills. One binary, since each that links the program costs a build.

mod addresses;
mod budgets;
mod campaign;
mod cli;
mod cli_secrets;
mod clock;
#[path = "../common/mod.rs"]
mod common;
mod conflicts;
mod consent;
mod crash;
mod definitions;
mod digest;
mod erasure;
mod explained;
mod faults;
mod fewer;
mod first_and_last;
mod folders;
mod gallery;
mod hands;
mod holes;
mod inbound;
mod inbox;
mod invitations;
mod kept;
mod languages;
mod leaks;
mod letters_a_game;
mod lobby;
mod lost;
mod marks;
mod members;
#[path = "../parts/store/memory.rs"]
mod memory;
#[cfg(feature = "postgres")]
mod migrate;
mod minutes;
mod mistakes;
mod moderator;
mod observers;
mod open_club;
mod our_letters;
mod outbox;
mod outlines;
mod owed;
mod own_boards;
mod pages;
mod passes;
mod phones;
mod pictures;
mod plans;
mod playthroughs;
mod postage;
mod posting;
mod press;
mod previews;
mod probes;
mod quarantine;
mod refusals;
mod restore;
mod rig;
mod right_to_left;
mod season;
mod seat_offers;
mod secret_orders;
mod sentences;
#[path = "../parts/store/server.rs"]
mod server;
#[cfg(feature = "postgres")]
mod server_store;
mod settings;
mod stand_ins;
mod strangers;
mod subjects;
mod substitutes;
mod talk;
mod taps;
mod teams;
mod threats;
mod time;
mod twins;
mod undeliverable;
mod undo;
mod unsubscribe;
mod votes;
mod way_out;
mod ways;
mod words;
#[cfg(feature = "postgres")]
mod workers;
mod writing;
mod wrong_time;
