//! The lines of `club.jsonl`, and a journal read back.
//!
//! Changes nothing. Knows nothing of what a game's lines say.

use super::game_file;
use crate::club::clock::GameClock;
use crate::club::{ActivityEntry, GameRoom, Member, Seated};
use crate::rules::Seat;
use crate::store::later::{self, Unread};
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
        seated: Seated,
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
    #[serde(rename = "gathering")]
    GameRoom {
        /// The game's number.
        game: u32,
        /// Who is there now.
        #[serde(rename = "gathering")]
        room: GameRoom,
    },
    /// Something that was said or done around a game.
    #[serde(rename = "minute")]
    ActivityEntry {
        /// The game's number.
        game: u32,
        /// What was said or done.
        minute: ActivityEntry,
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
    pub fn seen(letter: &[u8; 16], seen: &SeenLetter) -> Self {
        Self::Seen { letter: HEXLOWER.encode(letter), seen: seen.clone() }
    }
}

/// What a journal gives back, but for the lines of games, which [`log`] gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restored {
    /// Every game with how many lines its log has, by number.
    pub games: Vec<(u32, u32)>,
    /// The members as they were last, by number.
    pub members: Vec<Member>,
    /// The seats as they were last: game, seat, who; ascending.
    pub seats: Vec<(u32, Seat, Seated)>,
    /// How often the moderator's marks were made void; none when they never were.
    pub moderator: Option<u32>,
    /// Which games belong to campaigns, ascending.
    pub campaign_games: Vec<CampaignGame>,
    /// The games' clocks as they were last, by number.
    pub clocks: Vec<(u32, GameClock)>,
    /// Who was last around which game, by number.
    pub rooms: Vec<(u32, GameRoom)>,
    /// What was said and done around which game, each game's in order.
    pub minutes: Vec<(u32, ActivityEntry)>,
    /// The letters that were read: by what each is known again, and what became of it; ascending.
    /// Of a journal of an earlier version none: those with orders stand in the games' logs.
    pub seen_letters: Vec<([u8; 16], SeenLetter)>,
}

/// Reads a journal back.
///
/// # Errors
/// [`StoreError::Damaged`] with file and line when a line cannot be read; a torn last line of a
/// file is passed over. [`StoreError::Io`] when there is no journal at all.
pub fn read(folder: &Path) -> Result<Restored, StoreError> {
    let mut games = BTreeMap::new();
    fs::metadata(folder)?;
    for path in files_in(&folder.join("games"))? {
        if let Some(game) = game_of(&path) {
            let mut lines = 0_u32;
            each_line(&path, |_, _| {
                lines = lines.saturating_add(1);
                Ok(())
            })?;
            games.insert(game, lines);
        }
    }
    let (mut members, mut seats) = (BTreeMap::new(), BTreeMap::new());
    let mut campaign_games = BTreeSet::new();
    let (mut clocks, mut rooms) = (BTreeMap::new(), BTreeMap::new());
    let (mut minutes, mut seen_letters) = (Vec::new(), BTreeMap::new());
    let mut moderator = None;
    each_club_line(folder, |at, line| {
        match line {
            ClubLine::Member(member) => drop(members.insert(member.id, member)),
            ClubLine::Seat { game, seat, seated } => drop(seats.insert((game, seat), seated)),
            ClubLine::Moderator { generation } => moderator = Some(generation),
            ClubLine::CampaignGame(game) => drop(campaign_games.insert(game)),
            ClubLine::Clock { game, clock } => drop(clocks.insert(game, *clock)),
            ClubLine::GameRoom { game, room } => drop(rooms.insert(game, room)),
            ClubLine::ActivityEntry { game, minute } => minutes.push((game, minute)),
            ClubLine::Seen { letter, seen } => {
                let digest = HEXLOWER.decode(letter.as_bytes()).ok();
                let digest = digest.and_then(|digest| digest.try_into().ok());
                let none = || unreadable(&club_file(folder), at, "not a digest");
                seen_letters.insert(digest.ok_or_else(none)?, seen);
            }
        }
        Ok(())
    })?;
    minutes.sort_by_key(|(game, _)| *game);
    Ok(Restored {
        games: games.into_iter().collect(),
        members: members.into_values().collect(),
        seats: seats.into_iter().map(|((game, seat), seated)| (game, seat, seated)).collect(),
        moderator,
        campaign_games: campaign_games.into_iter().collect(),
        clocks: clocks.into_iter().collect(),
        rooms: rooms.into_iter().collect(),
        minutes,
        seen_letters: seen_letters.into_iter().collect(),
    })
}

/// A game's log as a journal has it; no line of a game that it does not have.
///
/// # Errors
/// As [`read`], which reads all of them and keeps none: together they are much of what a club is.
pub fn log(folder: &Path, game: u32) -> Result<Vec<String>, StoreError> {
    let mut lines = Vec::new();
    each_line(&game_file(folder, game), |_, line| {
        lines.push(line.to_owned());
        Ok(())
    })?;
    Ok(lines)
}

/// The paths in a folder; none when it is missing.
pub(in crate::store) fn files_in(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        entries => Ok(entries?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?),
    }
}

/// How long a file is; none when it is missing.
pub(in crate::store) fn length(path: &Path) -> Result<Option<u64>, StoreError> {
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
pub(super) fn line_of_text(bytes: &[u8]) -> Option<&str> {
    str::from_utf8(bytes).ok().filter(|line| !line.contains(char::is_control))
}

/// Gives each line of `club.jsonl` with its place to `take`.
pub(in crate::store) fn each_club_line(
    folder: &Path,
    mut take: impl FnMut(usize, ClubLine) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let club = club_file(folder);
    each_line(&club, |at, line| {
        take(at, later::whole(line.as_bytes()).map_err(|error| unread(&club, at, error))?)
    })
}

/// Gives each whole line of a file with its place to `take`; none when it is missing.
fn each_line(
    path: &Path,
    mut take: impl FnMut(usize, &str) -> Result<(), StoreError>,
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
        let text = line_of_text(whole).ok_or_else(|| unreadable(path, at, "not a line of text"))?;
        take(at, text)?;
    }
    Ok(())
}

fn unread(path: &Path, at: usize, why: Unread) -> StoreError {
    match why {
        Unread::Later(what) => {
            StoreError::Newer(format!("{}, line {} ({what})", path.display(), at + 1))
        }
        Unread::Broken(error) => unreadable(path, at, error),
    }
}

fn unreadable(path: &Path, at: usize, why: impl std::fmt::Display) -> StoreError {
    let (path, line) = (path.display(), at + 1);
    StoreError::Damaged(format!(
        "{path}, line {line}: {why}; put the file right by hand or from a backup, then run again"
    ))
}

pub(in crate::store) fn game_of(path: &Path) -> Option<u32> {
    path.file_name()?.to_str()?.strip_suffix(".jsonl")?.parse().ok()
}
