//! The actions of a club: the only layer in which mail, table, render and store meet.
//!
//! A pass collects what letters lead to in a [`Transaction`] and commits it as one batch. Only then
//! does it move the letters' files and post the outbox. If it is killed at any step, the next pass
//! continues from there: a letter that the store already knows only has its file moved, and a
//! letter in the outbox keeps its Message-ID.
//!
//! | module | duty | may not know |
//! |---|---|---|
//! | `pass` | the order of a pass: fetch, read, clocks, deliver; restore | how any of it is done |
//! | `timing` | deadlines that passed, and time given back after outages | what letters say |
//! | `moderation` | what the moderator can ask for and see | when a pass does what |
//! | `inbound` | parses and judges the lines of a letter | what only the moderator may do |
//! | `lobby` | founding, joining, leaving and replacing players | the form of a letter |
//! | `delivery` | transport, quotas, rejected letters | what letters say |
//! | `commit` | the end of a transaction: letters and due times | how letters are worded |
//! | `outbound` | pending notifications, the queue, composition | how letters are judged |
//! | `table` | messages between players, votes, interventions | letters |
//! | `session` | a game in play: its clock, its readers | what members may do |
//! | `transaction` | the changes of one commit, and reads that include them | letters |
//!
//! Each module may use only those below it in this list, also through method calls;
//! `tests/parts/tidy.rs` checks this. All of them may use `context`, `request_error`, `game_faults`
//! and `leftovers`. A module consists of functions, which take the transaction that they work in,
//! or the [`Context`]. The methods of shared types are all in their own modules.

mod commit;
mod context;
mod delivery;
mod game_faults;
mod inbound;
mod leftovers;
mod lobby;
mod moderation;
mod outbound;
mod pass;
mod pass_report;
mod request_error;
mod session;
mod store_location;
mod table;
mod timing;
mod transaction;

pub use context::{ClubError, Context, read_settings};
pub use delivery::{TransportState, deliver};
pub use inbound::effects::{change_member_setting, preview_member_setting};
pub use leftovers::{LeftoverKind, find_files_with_member_data};
pub use lobby::campaign_rounds::{
    CampaignStatus, RoundStart, RoundStartError, campaign_clock_rules, load_campaign_status,
    load_rated_games, queue_standings_letters, start_round,
};
pub use lobby::erasure::remove_and_erase_member;
pub use lobby::game_founding::{FoundingResult, GameTerms, Player, found_game, found_with_terms};
pub use lobby::members::{
    MemberChange, MemberRefusal, add_member, change_member, preview_changed_member,
    preview_new_member,
};
pub(crate) use lobby::name_check::{find_taken_names, is_allowed_game_name};
pub use lobby::proposals::run_lobby_line_for_member;
pub use lobby::token_rotation::{rotate_member_tokens, rotate_moderator_token};
pub use moderation::game_command::{moderate_game, preview_moderation};
pub(crate) use moderation::game_log::{GameLog, LogEntry, load_game_log};
pub use moderation::member_export::{MemberExport, MemberExportRefusal, export_member};
pub use moderation::member_letter_list::list_member_letters;
pub use moderation::moderator_lines::run_moderator_lines;
pub(crate) use moderation::overview::{
    FormingGame, GameSummary, can_show_secrets, export_game, find_broken_games,
    for_each_game_summary, load_game_name, position_json,
};
pub(crate) use moderation::quarantine::finish_interrupted_moves;
pub(crate) use moderation::site_campaigns::SiteCampaign;
pub(crate) use moderation::site_source::{
    BrokenSiteGame, SiteGame, SiteSource, load_site_source, render_site_game,
};
pub use outbound::queue::count_waiting_letters;
pub use pass::club_status::{ClubStatus, load_club_status};
pub use pass::fetch::{
    ServerContents, ServerOpener, fetch_letters, move_processed_on_server,
    run_pass_with_mail_server,
};
pub use pass::letter_judging::{JudgedLetter, explain_letter, judge_bytes};
pub(crate) use pass::letter_judging::{ProcessedLetter, find_processed_letter};
pub use pass::migration::{MigrationRefusal, MigrationReport, migrate};
pub use pass::pass_notes::{
    IdleOutcome, ModeratorAlert, read_last_alert, record_if_new_alert, take_last_alert,
    try_idle_pass, write_idle_note,
};
pub use pass::restoration::{RestoreReport, restore};
pub use pass::shared_club::{add_local_letters, has_pending_letters, silent_transports};
pub use pass::{process_all_letters, process_letters, run_pass};
pub use pass_report::{LastingTrouble, PassReport};
pub use request_error::{RequestError, split_refusal};
pub use session::reader::{describe_unknown_member, find_member, moderator_token};
pub use store_location::{
    Destination, compact_store_in_folder, is_store_still_missing, missing_store_error,
    rename_to_free_name,
};
pub(crate) use timing::outage::{last_pass_or_digest_time, read_json, write_json};
pub(crate) use transaction::effect::Disposition;
pub use transaction::game_session::GameSession;
pub use transaction::{Transaction, load_stored_game};
