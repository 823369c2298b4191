//! The journal: all logs, members and seats once more, in plain text beside the store.
//!
//! `games/000012.jsonl` is a game's log, line by line; `club.jsonl` is every change of a member,
//! a seat, a clock or a game room, where a later line wins, all minutes, and by what letters that
//! were read are known again; `present.jsonl` is what waits in the outbox. The transaction that
//! changes the store also notes what the journal lacks;
//! [`GameStore::write_journal`](super::GameStore::write_journal) writes that and takes the notes
//! away. Whatever it was doing when it was killed, the next run ends with the
//! same bytes. Knows nothing of what a game's lines say.

mod compare;
mod export;
mod lines;
pub(super) mod present;
mod tail;

pub use compare::has_all_of;
pub(super) use export::put;
pub use export::{Archive, TakeLine, export};
pub use lines::{ClubLine, Restored, log, read};
pub(super) use lines::{club_file, digest, each_club_line, files_in, games_in, length};
pub(super) use present::PresentFile;
pub use present::{Present, Waiting, present};
pub(super) use tail::{bring_up, read_from};

use std::path::{Path, PathBuf};

pub(super) fn game_file(folder: &Path, game: u32) -> PathBuf {
    folder.join("games").join(format!("{game:06}.jsonl"))
}

pub(super) fn text(lines: &[String]) -> Vec<u8> {
    lines.iter().flat_map(|line| line.bytes().chain([b'\n'])).collect()
}
