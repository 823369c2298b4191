//! The lines of `club.jsonl`, and reading a journal.

use super::game_file_path;
use crate::club::clock::GameClock;
use crate::club::{ActivityEntry, GameInfo, Member, SeatAssignment};
use crate::rules::Seat;
use crate::store::versioned_json::{self, DecodeError};
use crate::store::{CampaignGame, SeenLetter, StoreError};
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};

/// A line of `club.jsonl`. It is one change, or one event.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClubLine {
    /// A line for a new or changed member.
    Member(Member),
    /// A line for a new or changed seat assignment.
    Seat {
        game: u32,
        seat: Seat,
        #[serde(rename = "seated")]
        assignment: SeatAssignment,
    },
    /// A line for a revocation of all reply tokens of the moderator.
    Moderator {
        /// The generation of the moderator's tokens that are valid now.
        generation: u32,
    },
    CampaignGame(CampaignGame),
    /// A line for a new or changed clock of a game.
    Clock {
        game: u32,
        clock: Box<GameClock>,
    },
    /// A line for a new or changed [`GameInfo`]: observers, waiting list, proposal and terms of a
    /// game.
    GameRoom {
        game: u32,
        room: GameInfo,
    },
    /// A line for an entry that was appended to a game's activity log.
    ActivityEntry {
        game: u32,
        #[serde(rename = "minute")]
        entry: ActivityEntry,
    },
    /// A line for an inbound letter that was processed.
    Seen {
        /// The processed letter's digest, in hexadecimal digits.
        letter: String,
        seen: SeenLetter,
    },
}

impl ClubLine {
    /// Builds the journal line for an inbound letter that was processed.
    pub fn from_seen_letter(letter: &[u8; 16], seen: &SeenLetter) -> Self {
        Self::Seen { letter: HEXLOWER.encode(letter), seen: seen.clone() }
    }
}

/// A club as read from its journal, with the last version of everything that changed. The logs of
/// games are not included: use [`read_journaled_log`] for these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RestoredClub {
    /// The number of lines in each game's log.
    pub games: BTreeMap<u32, u32>,
    pub members: BTreeMap<u32, Member>,
    pub seats: BTreeMap<(u32, Seat), SeatAssignment>,
    /// The generation of the moderator's reply tokens; `None` if they were never revoked.
    pub moderator: Option<u32>,
    pub campaign_games: BTreeSet<CampaignGame>,
    pub clocks: BTreeMap<u32, GameClock>,
    pub rooms: BTreeMap<u32, GameInfo>,
    /// The entries of the activity logs with their games, in the order of the journal's lines.
    /// [`read_journal`] sorts them by game.
    pub activity: Vec<(u32, ActivityEntry)>,
    pub seen_letters: BTreeMap<[u8; 16], SeenLetter>,
}

impl RestoredClub {
    /// Applies a line of `club.jsonl`. Returns `None` if the line's digest is not valid.
    pub(in crate::store) fn apply_line(&mut self, line: ClubLine) -> Option<()> {
        match line {
            ClubLine::Member(member) => drop(self.members.insert(member.id, member)),
            ClubLine::Seat { game, seat, assignment: seated } => {
                drop(self.seats.insert((game, seat), seated));
            }
            ClubLine::Moderator { generation } => self.moderator = Some(generation),
            ClubLine::CampaignGame(game) => drop(self.campaign_games.insert(game)),
            ClubLine::Clock { game, clock } => drop(self.clocks.insert(game, *clock)),
            ClubLine::GameRoom { game, room } => drop(self.rooms.insert(game, room)),
            ClubLine::ActivityEntry { game, entry: minute } => self.activity.push((game, minute)),
            ClubLine::Seen { letter, seen } => {
                self.seen_letters.insert(parse_hex_digest(&letter)?, seen);
            }
        }
        Some(())
    }
}

pub(in crate::store) fn parse_hex_digest(letter: &str) -> Option<[u8; 16]> {
    HEXLOWER.decode(letter.as_bytes()).ok()?.try_into().ok()
}

/// Reads a journal, except for the lines of the games' logs, which are only counted.
///
/// # Errors
/// [`StoreError::Damaged`] with file and line number if a line cannot be read, except for a torn
/// last line, which is skipped. [`StoreError::Io`] if there is no journal.
pub fn read_journal(folder: &Path) -> Result<RestoredClub, StoreError> {
    let mut found = RestoredClub::default();
    fs::metadata(folder)?;
    for game in list_journaled_games(folder)? {
        let lines = found.games.entry(game).or_default();
        for_each_line(&game_file_path(folder, game), |_, _| {
            *lines = lines.saturating_add(1);
            Ok(())
        })?;
    }
    for_each_club_line(folder, |at, line| {
        let none = || damaged_line_error(&club_file_path(folder), at, "not a digest");
        found.apply_line(line).ok_or_else(none)
    })?;
    found.activity.sort_by_key(|(game, _)| *game);
    Ok(found)
}

/// Reads a game's log from a journal; empty if the game has no file. Games are read one by one,
/// because all logs together would take much memory.
///
/// # Errors
/// Those of [`read_journal`].
pub fn read_journaled_log(folder: &Path, game: u32) -> Result<Vec<String>, StoreError> {
    let mut lines = Vec::new();
    for_each_line(&game_file_path(folder, game), |_, line| {
        lines.push(line.to_owned());
        Ok(())
    })?;
    Ok(lines)
}

/// Returns the paths of a folder's entries; empty if the folder is missing.
pub(in crate::store) fn list_folder_entries(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    collect_from_folder_entries(folder, Some)
}

/// Returns the numbers of the games that have a file in the journal; empty if there is no journal.
pub(in crate::store) fn list_journaled_games(folder: &Path) -> Result<Vec<u32>, StoreError> {
    let number = |path: PathBuf| path.file_name()?.to_str()?.strip_suffix(".jsonl")?.parse().ok();
    collect_from_folder_entries(&folder.join("games"), number)
}

/// Collects the results of `read` for the paths of a folder's entries; empty if the folder is
/// missing.
fn collect_from_folder_entries<T>(
    folder: &Path,
    read: impl Fn(PathBuf) -> Option<T>,
) -> Result<Vec<T>, StoreError> {
    match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        entries => {
            let path = |entry: std::io::Result<fs::DirEntry>| Ok(read(entry?.path()));
            let all: std::io::Result<_> =
                entries?.filter_map(|entry| path(entry).transpose()).collect();
            Ok(all?)
        }
    }
}

/// Returns a file's length in bytes; `None` if the file is missing.
pub(in crate::store) fn file_length(path: &Path) -> Result<Option<u64>, StoreError> {
    match path.metadata() {
        Ok(data) => Ok(Some(data.len())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

pub(in crate::store) fn club_file_path(folder: &Path) -> PathBuf {
    folder.join("club.jsonl")
}

/// Returns the text of a line; `None` if it is no UTF-8 or has control characters. A power cut can
/// leave zeros in the middle of data that was not synced.
pub(super) fn parse_printable_line(bytes: &[u8]) -> Option<&str> {
    str::from_utf8(bytes).ok().filter(|line| !line.contains(char::is_control))
}

/// Passes each line of `club.jsonl` to `visit` with its index from 0.
pub(in crate::store) fn for_each_club_line(
    folder: &Path,
    mut visit: impl FnMut(usize, ClubLine) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let club = club_file_path(folder);
    for_each_line(&club, |at, line| {
        visit(
            at,
            versioned_json::parse_strict(line.as_bytes())
                .map_err(|error| undecodable_line_error(&club, at, error))?,
        )
    })
}

/// Passes each complete line of a file to `visit` with its index from 0. Passes none if the file is
/// missing.
fn for_each_line(
    path: &Path,
    mut visit: impl FnMut(usize, &str) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut file = match File::open(path) {
        Ok(file) => BufReader::new(file),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let mut line = Vec::new();
    for at in 0.. {
        line.clear();
        file.read_until(b'\n', &mut line)?;
        let Some(whole) = line.strip_suffix(b"\n") else { break };
        let text = parse_printable_line(whole)
            .ok_or_else(|| damaged_line_error(path, at, "not a line of text"))?;
        visit(at, text)?;
    }
    Ok(())
}

fn undecodable_line_error(path: &Path, at: usize, why: DecodeError) -> StoreError {
    match why {
        DecodeError::Newer(what) => {
            StoreError::Newer(format!("{}, line {} ({what})", path.display(), at + 1))
        }
        DecodeError::Broken(error) => damaged_line_error(path, at, error),
    }
}

fn damaged_line_error(path: &Path, at: usize, why: impl std::fmt::Display) -> StoreError {
    let (path, line) = (path.display(), at + 1);
    StoreError::Damaged(format!(
        "{path}, line {line}: {why}; correct the file by hand or restore it from a backup, then \
         run again"
    ))
}
