//! The lines of `club.jsonl`, and a journal read back.
//!
//! Changes nothing. Knows nothing of what a game's lines say.

use super::game_file;
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

/// A line of `club.jsonl`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClubLine {
    /// A member, new or changed.
    Member(Member),
    /// A seat, new or changed.
    Seat {
        /// The game's number.
        game: u32,
        /// The seat that somebody sits at now.
        seat: Seat,
        /// Who sits there now.
        #[serde(rename = "seated")]
        assignment: SeatAssignment,
    },
    /// The moderator's marks were made void.
    Moderator {
        /// How often by now.
        generation: u32,
    },
    /// A game that was founded for a campaign.
    CampaignGame(CampaignGame),
    /// A game's clock, new or changed.
    Clock {
        /// The game's number.
        game: u32,
        /// Its clock now.
        clock: Box<GameClock>,
    },
    /// Who is around a game, new or changed.
    GameRoom {
        /// The game's number.
        game: u32,
        /// Who is there now.
        room: GameInfo,
    },
    /// Something that was said or done around a game.
    ActivityEntry {
        /// The game's number.
        game: u32,
        /// What was said or done.
        #[serde(rename = "minute")]
        entry: ActivityEntry,
    },
    /// A letter that was read.
    Seen {
        /// By what it is known again, in hexadecimal digits.
        letter: String,
        /// What became of it.
        seen: SeenLetter,
    },
}

impl ClubLine {
    /// The line of a letter that was read.
    pub fn from_seen_letter(letter: &[u8; 16], seen: &SeenLetter) -> Self {
        Self::Seen { letter: HEXLOWER.encode(letter), seen: seen.clone() }
    }
}

/// All that a journal gives back, except the lines of the games, which [`read_log`] returns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RestoredClub {
    /// The number of lines of each game's log.
    pub games: BTreeMap<u32, u32>,
    /// The members as they were last.
    pub members: BTreeMap<u32, Member>,
    /// The players as they were last, by game and seat.
    pub seats: BTreeMap<(u32, Seat), SeatAssignment>,
    /// How often the moderator's reply tokens were made void.
    pub moderator: Option<u32>,
    /// The games of campaigns.
    pub campaign_games: BTreeSet<CampaignGame>,
    /// The games' clocks as they were last.
    pub clocks: BTreeMap<u32, GameClock>,
    /// The people around each game as they were last.
    pub rooms: BTreeMap<u32, GameInfo>,
    /// The activity logs, in the order of the journal's lines.
    pub activity: Vec<(u32, ActivityEntry)>,
    /// The letters that were read, by their digests.
    pub seen_letters: BTreeMap<[u8; 16], SeenLetter>,
}

impl RestoredClub {
    /// Takes a line of `club.jsonl` in. Returns `None` if its digest cannot be read.
    pub(in crate::store) fn apply_line(&mut self, line: ClubLine) -> Option<()> {
        match line {
            ClubLine::Member(member) => drop(self.members.insert(member.id, member)),
            ClubLine::Seat { game, seat, assignment: seated } => {
                drop(self.seats.insert((game, seat), seated))
            }
            ClubLine::Moderator { generation } => self.moderator = Some(generation),
            ClubLine::CampaignGame(game) => drop(self.campaign_games.insert(game)),
            ClubLine::Clock { game, clock } => drop(self.clocks.insert(game, *clock)),
            ClubLine::GameRoom { game, room } => drop(self.rooms.insert(game, room)),
            ClubLine::ActivityEntry { game, entry: minute } => self.activity.push((game, minute)),
            ClubLine::Seen { letter, seen } => {
                self.seen_letters.insert(parse_digest(&letter)?, seen);
            }
        }
        Some(())
    }
}

/// Reads the digest of a letter from hexadecimal digits.
pub(in crate::store) fn parse_digest(letter: &str) -> Option<[u8; 16]> {
    HEXLOWER.decode(letter.as_bytes()).ok()?.try_into().ok()
}

/// Reads a journal back.
///
/// # Errors
/// [`StoreError::Damaged`] with file and line if a line cannot be read. A torn last line of a file
/// is skipped. [`StoreError::Io`] if there is no journal.
pub fn read_journal(folder: &Path) -> Result<RestoredClub, StoreError> {
    let mut found = RestoredClub::default();
    fs::metadata(folder)?;
    for game in list_journaled_games(folder)? {
        let lines = found.games.entry(game).or_default();
        for_each_line(&game_file(folder, game), |_, _| {
            *lines = lines.saturating_add(1);
            Ok(())
        })?;
    }
    for_each_club_line(folder, |at, line| {
        let none = || damaged_line(&club_file(folder), at, "not a digest");
        found.apply_line(line).ok_or_else(none)
    })?;
    found.activity.sort_by_key(|(game, _)| *game);
    Ok(found)
}

/// A game's log as a journal has it; no line of a game that it does not have.
///
/// # Errors
/// As [`read_journal`], which reads all of them and keeps none: together they are much of what a club is.
pub fn read_log(folder: &Path, game: u32) -> Result<Vec<String>, StoreError> {
    let mut lines = Vec::new();
    for_each_line(&game_file(folder, game), |_, line| {
        lines.push(line.to_owned());
        Ok(())
    })?;
    Ok(lines)
}

/// Returns the paths in a folder; none if it is missing.
pub(in crate::store) fn list_paths(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    map_paths(folder, Some)
}

/// Returns the games that have a file in a journal; none if it is missing.
pub(in crate::store) fn list_journaled_games(folder: &Path) -> Result<Vec<u32>, StoreError> {
    let number = |path: PathBuf| path.file_name()?.to_str()?.strip_suffix(".jsonl")?.parse().ok();
    map_paths(&folder.join("games"), number)
}

/// Returns what `read` makes of each path in a folder; nothing if the folder is missing.
fn map_paths<T>(folder: &Path, read: impl Fn(PathBuf) -> Option<T>) -> Result<Vec<T>, StoreError> {
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

/// How long a file is; none when it is missing.
pub(in crate::store) fn file_length(path: &Path) -> Result<Option<u64>, StoreError> {
    match path.metadata() {
        Ok(data) => Ok(Some(data.len())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The file of what changes beside the games' logs.
pub(in crate::store) fn club_file(folder: &Path) -> PathBuf {
    folder.join("club.jsonl")
}

/// A line as it was written. After a power cut there can be zeros in the middle of what had not
/// been synced.
pub(super) fn parse_line(bytes: &[u8]) -> Option<&str> {
    str::from_utf8(bytes).ok().filter(|line| !line.contains(char::is_control))
}

/// Gives each line of `club.jsonl` with its place to `take`.
pub(in crate::store) fn for_each_club_line(
    folder: &Path,
    mut visit: impl FnMut(usize, ClubLine) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let club = club_file(folder);
    for_each_line(&club, |at, line| {
        visit(
            at,
            versioned_json::parse_strict(line.as_bytes())
                .map_err(|error| line_error(&club, at, error))?,
        )
    })
}

/// Gives each whole line of a file with its place to `take`; none when it is missing.
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
        let text = parse_line(whole).ok_or_else(|| damaged_line(path, at, "not a line of text"))?;
        visit(at, text)?;
    }
    Ok(())
}

fn line_error(path: &Path, at: usize, why: DecodeError) -> StoreError {
    match why {
        DecodeError::Newer(what) => {
            StoreError::Newer(format!("{}, line {} ({what})", path.display(), at + 1))
        }
        DecodeError::Broken(error) => damaged_line(path, at, error),
    }
}

fn damaged_line(path: &Path, at: usize, why: impl std::fmt::Display) -> StoreError {
    let (path, line) = (path.display(), at + 1);
    StoreError::Damaged(format!(
        "{path}, line {line}: {why}; put the file right by hand or from a backup, then run again"
    ))
}
