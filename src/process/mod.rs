//! What a club does: the only place where mail, table, render and store meet.
//!
//! A pass collects what letters lead to in a [`Transaction`], commits it as one batch, and only
//! then moves the letters' files and posts what is in the outbox. Whatever step it is killed after,
//! the next pass goes on from there: a file whose letter is in the store is only moved, a letter in
//! the outbox keeps its Message-ID.
//!
//! | room | duty | may not know |
//! |---|---|---|
//! | `pass` | the order of things: fetch, read, clocks, deliver; restore | how anything is done |
//! | `timing` | time that is over, and time that is given back | what letters say |
//! | `moderation` | what the moderator asks for and sees | when a pass does what |
//! | `inbound` | a letter's lines, read once and judged once | what only the moderator may do |
//! | `lobby` | who plays: founding, joining, seats that change hands | what a letter looked like |
//! | `delivery` | transport, quotas, letters that were not taken | what letters say |
//! | `commit` | the end of a transaction: letters and due times | how letters are worded |
//! | `outbound` | pending notifications, the queue, composition | how letters are judged |
//! | `table` | press, votes, interventions | letters, and who may speak in one |
//! | `session` | a game in play: its time, its readers | what members may do |
//! | `transaction` | what one commit in the making is | what letters say, whom anything is told |
//!
//! Arrows point down this list only, also by method calls: `tests/parts/tidy.rs` counts them.
//! `context`, `blame`, `isolate` and `remains` stand beside the rooms, at the bottom. A room is
//! functions: each is passed the transaction that it works in, which knows the club that it is for,
//! or the club alone; no object has methods in a room that is not its own.

mod blame;
mod commit;
mod context;
mod delivery;
mod inbound;
mod isolate;
mod kept;
mod lobby;
mod moderation;
mod outbound;
mod pass;
mod remains;
mod session;
mod table;
mod tally;
mod timing;
mod transaction;

pub use blame::{Blame, answered};
pub use context::{ClubError, Context, read_settings};
pub use delivery::{WayOut, deliver};
pub use inbound::effects::{rehearse_setting, set_member};
pub use kept::{Destination, gone, put_aside, renew};
pub use lobby::campaign_rounds::{
    NotStarted, Season, Started, mail_standings, rated_games, season, start_round,
};
pub use lobby::erasure::forget_member;
pub use lobby::forming::on_behalf;
pub use lobby::found::{Founded, Player, Terms, found, found_by};
pub use lobby::marks::{rotate_member, rotate_moderator};
pub use lobby::members::{
    MemberChange, MemberRefusal, add_member, change_member, rehearse_member, rehearse_new_member,
};
pub(crate) use lobby::name_check::{may_be_called, names_not_free};
pub use moderation::game_command::{moderate, rehearse};
pub(crate) use moderation::game_log::{GameLog, LogEntry, game_log};
pub use moderation::moderator::directed;
pub(crate) use moderation::overview::{
    Forming, Summary, broken_games, each_summary, exported, may_show_secrets, name_of, position,
};
pub(crate) use moderation::quarantine::tidy_quarantine;
pub use outbound::queue::letters_waiting;
pub use pass::fetch::{Lying, Served, clear, fetch, pass_with};
pub(crate) use pass::letters::{Dealt, dealt_with};
pub use pass::letters::{Understood, consider, explain};
pub use pass::migrate::{Migrated, NotMoved, migrate};
pub use pass::notes::{Idle, Told, idle_pass, leave_idle_mark, mended, to_be_told, was_told};
pub use pass::restore::{Restored, restore};
pub use pass::shared::{hand_in_here, has_letters, silent_ways};
pub use pass::{pass, take_in, take_in_all};
pub use remains::{Remains, remains};
pub use session::reader::{find_member, moderators_mark};
pub use tally::{Mistake, PassReport};
pub(crate) use timing::outage::latest_time;
pub(crate) use transaction::effect::Disposition;
pub use transaction::game_session::GameSession;
pub use transaction::{Transaction, open_game};
