//! The journal: a copy of a club in plain text beside its store, from which the store can be
//! rebuilt.
//!
//! - `games/000012.jsonl` is the log of game 12, line by line.
//! - `club.jsonl` has a line for each change of a member, a seat, a clock, a game info, a campaign
//!   or the moderator's tokens. A later line replaces an earlier one. It also has a line for each
//!   entry of an activity log, and for the digest of each letter that was processed.
//! - `present.jsonl` holds the outbox and the times of the last passes.
//!
//! The transaction that changes the store also notes in it which lines the journal is missing.
//! [`GameStore::update_journal`](super::GameStore::update_journal) appends these lines and then
//! removes the notes. If it is killed at any step, the next run ends with equal bytes.

mod club_lines;
mod journal_check;
mod journal_export;
pub(super) mod present_file;
mod tail;

pub use club_lines::{ClubLine, RestoredClub, read_journal, read_journaled_log};
pub(super) use club_lines::{
    club_file_path, file_length, for_each_club_line, list_folder_entries, list_journaled_games,
    parse_hex_digest,
};
pub use journal_check::check_log_not_behind_journal;
pub(super) use journal_export::append_club_line;
pub use journal_export::{ClubLineSink, JournalSource, write_full_journal};
pub(super) use present_file::PresentFile;
pub use present_file::{PresentState, WaitingLetter, read_present_file};
pub(super) use tail::{read_from_offset, repair_and_append};

use std::path::{Path, PathBuf};

pub(super) fn game_file_path(folder: &Path, game: u32) -> PathBuf {
    folder.join("games").join(format!("{game:06}.jsonl"))
}

pub(super) fn lines_to_bytes(lines: &[String]) -> Vec<u8> {
    lines.iter().flat_map(|line| line.bytes().chain([b'\n'])).collect()
}
