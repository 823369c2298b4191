//! Tests of whole clubs through letters, the command line, and killed passes. They are one binary,
//! because every test binary that links the program slows the build.

mod activity_logs;
mod addresses;
mod button_links;
mod campaign;
mod cli;
mod cli_secrets;
mod clock;
#[path = "../common/mod.rs"]
mod common;
mod conflicts;
mod consent;
mod crash;
mod custom_definitions;
mod deadlines;
mod digest;
mod docs_pages;
mod erasure;
mod explain_command;
mod first_and_last_letters;
mod gallery;
mod game_fault_reports;
mod imap_fetching;
mod inbox;
mod invalid_definitions;
mod invitation_refusals;
mod invitations;
mod languages;
mod leaks;
mod letter_costs;
mod letter_frequency;
mod letter_quotas;
mod letters_per_game;
mod lobby;
mod lost_store;
mod mail_transports;
mod member_settings;
mod members;
#[path = "../parts/store/memory.rs"]
mod memory;
#[cfg(feature = "postgres")]
mod migrate;
mod moderator;
mod observers;
mod open_club;
mod order_writing;
mod outbound_transport;
mod outbox;
mod outgoing_letters;
mod outlines;
mod passes;
mod pending_letters;
mod permanent_faults;
mod phones;
mod pictures;
mod plans;
mod playthroughs;
mod press_filtering;
mod press_messages;
mod previews;
mod probes;
mod quarantine;
mod rare_sentences;
mod rematches;
mod reply_tokens;
mod restore;
mod rig;
mod right_to_left;
mod season;
mod seat_change_messages;
mod seat_offers;
mod secret_orders;
#[path = "../parts/store/server.rs"]
mod server;
#[cfg(feature = "postgres")]
mod server_store;
mod smtp_posting;
mod stand_ins;
mod store_compaction;
mod strangers;
mod subjects;
mod substitutes;
mod teams;
mod template_sentences;
mod threats;
mod twin_clubs;
mod undeliverable;
mod undo;
mod unsubscribe;
mod unusual_folders;
mod upgrade_from_0_2;
mod votes;
#[cfg(feature = "postgres")]
mod workers;
mod wrong_clock;
