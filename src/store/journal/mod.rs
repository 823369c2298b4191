//! The journal: all logs, members and seats once more, in plain text beside the store.
//!
//! `games/000012.jsonl` is a game's log, line by line; `club.jsonl` is every change of a member,
//! a seat, a clock or a game room, where a later line wins, all minutes, and by what letters that
//! were read are known again; `present.jsonl` is what waits in the outbox. The transaction that
//! changes the store also notes what the journal lacks;
//! [`GameStore::write_journal`](super::GameStore::write_journal) writes that and takes the notes
//! away. Whatever it was doing when it was killed, the next run ends with the
//! same bytes. Knows nothing of what a game's lines say.

mod club_lines;
mod journal_check;
mod journal_export;
pub(super) mod present_file;
mod tail;

pub use club_lines::{ClubLine, RestoredClub, read_journal, read_log};
pub(super) use club_lines::{
    club_file, file_length, for_each_club_line, list_journaled_games, list_paths, parse_digest,
};
pub use journal_check::check_game_log;
pub(super) use journal_export::append_line;
pub use journal_export::{ClubLineSink, JournalSource, export};
pub(super) use present_file::PresentFile;
pub use present_file::{PresentState, WaitingLetter, read_present};
pub(super) use tail::{read_from_offset, repair_and_append};

use std::path::{Path, PathBuf};

pub(super) fn game_file(folder: &Path, game: u32) -> PathBuf {
    folder.join("games").join(format!("{game:06}.jsonl"))
}

pub(super) fn join_lines(lines: &[String]) -> Vec<u8> {
    lines.iter().flat_map(|line| line.bytes().chain([b'\n'])).collect()
}
