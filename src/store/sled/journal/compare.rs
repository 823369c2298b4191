//! Whether the store still holds all that the journal does.
//!
//! The journal is written after the store, from what is durable there: a kill can leave it behind,
//! by what the store has noted, and never ahead. A store that is behind its journal has lost
//! something. Changes nothing, and knows nothing of what a game's lines say.

use super::CLUB;
use crate::rules::Seat;
use crate::store::journal::{
    ClubLine, club_file, each_club_line, files_in, game_file, game_of, length, log, read_from, text,
};
use crate::store::sled::change::REWRITE;
use crate::store::sled::trees::Tree;
use crate::store::{CampaignGame, Journaled, Repository, Store, StoreError, later};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirEntry};
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, ErrorKind};
use std::path::Path;

impl Journaled for Store {
    fn hold_against(&self, folder: &Path) -> Result<(), StoreError> {
        let lost = if self.marked { self.club_lost(folder)? } else { self.any_lost(folder)? };
        match lost {
            Some(what) => self.trees.withhold(&StoreError::lost(what)),
            // The next time its end is known.
            None if !self.marked => self.trees.settle()?,
            None => {}
        }
        Ok(())
    }

    fn differences_in_length(&self, folder: &Path) -> Result<Vec<String>, StoreError> {
        let mut lengths = BTreeMap::new();
        for game in games_in(folder)? {
            lengths.extend(length(&game_file(folder, game))?.map(|length| (game, length)));
        }
        let mut found = self.scan_rows(|game, row| {
            let written = lengths.remove(&game).unwrap_or(0);
            Ok((row.log()?.bytes != written).then(|| is_another(game)))
        })?;
        found.extend(lengths.into_keys().map(is_another));
        let club = length(&club_file(folder))?.unwrap_or(0);
        let is_whole = club == self.known(CLUB)?.bytes && !self.is_club_behind()?;
        found.extend((!is_whole).then(|| "what is around them is another one".to_owned()));
        Ok(found)
    }

    fn differences(&self, folder: &Path) -> Result<Vec<String>, StoreError> {
        let mut found = Vec::new();
        let numbers: BTreeSet<u32> = games_in(folder)?.into_iter().chain(self.games()?).collect();
        for game in numbers {
            if log(folder, game)? != self.log(game)? {
                found.push(is_another(game));
            }
        }
        found.extend(self.other_people(folder)?);
        Ok(found)
    }

    fn is_journaled(&self, folder: &Path, game: u32) -> Result<bool, StoreError> {
        let copy = whole_lines(&game_file(folder, game))?;
        Ok(text(&self.log(game)?) == copy || self.is_journal_behind()?)
    }

    fn is_journal_behind(&self) -> Result<bool, StoreError> {
        Ok(self.trees.last(Tree::Unjournaled)?.is_some() || self.is_club_behind()?)
    }
}

impl Store {
    /// Whether the club's journal is known to be behind the store.
    fn is_club_behind(&self) -> Result<bool, StoreError> {
        Ok(self.trees.last(Tree::ClubLines)?.is_some()
            || self.trees.get(Tree::Meta, REWRITE)?.is_some())
    }

    /// What of the club's journal, read line by line, is not as in the store. Of each thing only
    /// the sum of what is said last is held.
    fn other_people(&self, folder: &Path) -> Result<Vec<String>, StoreError> {
        let mut said = BTreeMap::new();
        each_club_line(folder, |_, line| {
            let sum = sum(&line)?;
            said.extend(About::of(line).map(|about| (about, sum)));
            Ok(())
        })?;
        let mut others = BTreeSet::new();
        self.each_line_of_now(&mut |line| {
            let sum = sum(&line)?;
            let about = About::of(line).filter(|about| said.remove(about) != Some(sum));
            others.extend(about.map(|about| about.what()));
            Ok(())
        })?;
        others.extend(said.keys().map(About::what));
        Ok(others.into_iter().map(|what| format!("the {what} are others")).collect())
    }

    /// Whether the club's journal is longer than the store knows it to be.
    fn club_lost(&self, folder: &Path) -> Result<Option<String>, StoreError> {
        let path = club_file(folder);
        let ahead =
            !self.is_journal_behind()? && length(&path)?.unwrap_or(0) > self.known(CLUB)?.bytes;
        Ok(ahead.then(|| format!("{} holds more", path.display())))
    }

    /// What the journal has and the store has not: a record, a member, a seat, or a campaign's
    /// game.
    fn any_lost(&self, folder: &Path) -> Result<Option<String>, StoreError> {
        for path in files_in(&folder.join("games"))? {
            let Some(game) = game_of(&path) else { continue };
            if !text(&self.log(game)?).starts_with(&whole_lines(&path)?) {
                return Ok(Some(format!("game {game} is another one in {}", path.display())));
            }
        }
        let games: BTreeSet<_> = self.all_campaign_games()?.into_iter().collect();
        let mut seats = BTreeSet::new();
        self.each_seat(|game, seat, _| {
            seats.insert((game, seat));
            Ok(())
        })?;
        let path = club_file(folder);
        let lines = whole_lines(&path)?;
        for line in lines.split(|byte| *byte == b'\n') {
            // A line that cannot be read is the doctor's to tell of.
            let Ok(line) = later::known(line) else { continue };
            let lost = match line {
                ClubLine::Member(member) if self.member(member.id)?.is_none() => {
                    format!("member {}, of whom {} knows", member.id, path.display())
                }
                ClubLine::Seat { game, seat, .. } if !seats.contains(&(game, seat)) => {
                    format!("seat {seat} of game {game}, of which {} knows", path.display())
                }
                ClubLine::CampaignGame(game) if !games.contains(&game) => {
                    format!(
                        "game {} of {}, of which {} knows",
                        game.game,
                        game.campaign,
                        path.display()
                    )
                }
                _ => continue,
            };
            return Ok(Some(lost));
        }
        Ok(None)
    }
}

/// What a line of the club's journal is about: the last one on it says how it is now.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum About {
    Member(u32),
    Seat(u32, Seat),
    CampaignGame(CampaignGame),
    Clock(u32),
    GameRoom(u32),
}

impl About {
    /// None for what happens once and is compared with nothing.
    fn of(line: ClubLine) -> Option<Self> {
        match line {
            ClubLine::Member(member) => Some(Self::Member(member.id)),
            ClubLine::Seat { game, seat, .. } => Some(Self::Seat(game, seat)),
            ClubLine::CampaignGame(game) => Some(Self::CampaignGame(game)),
            ClubLine::Clock { game, .. } => Some(Self::Clock(game)),
            ClubLine::GameRoom { game, .. } => Some(Self::GameRoom(game)),
            ClubLine::Moderator { .. } | ClubLine::ActivityEntry { .. } | ClubLine::Seen { .. } => {
                None
            }
        }
    }

    const fn what(&self) -> &'static str {
        match self {
            Self::Member(_) => "members",
            Self::Seat(..) => "seats",
            Self::CampaignGame(_) => "campaigns' games",
            Self::Clock(_) => "clocks",
            Self::GameRoom(_) => "people around games",
        }
    }
}

/// By what a line is told from another one.
fn sum(line: &ClubLine) -> Result<u64, StoreError> {
    let mut hasher = DefaultHasher::new();
    hasher.write(&serde_json::to_vec(line).map_err(StoreError::damaged)?);
    Ok(hasher.finish())
}

fn is_another(game: u32) -> String {
    format!("game {game} is another one")
}

/// The games that have a file in a journal.
fn games_in(folder: &Path) -> Result<Vec<u32>, StoreError> {
    fs::metadata(folder)?;
    match fs::read_dir(folder.join("games")) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        // A hundred thousand paths are more than their numbers.
        entries => {
            let game = |entry: io::Result<DirEntry>| Ok(game_of(&entry?.path()));
            Ok(entries?.filter_map(|entry| game(entry).transpose()).collect::<io::Result<_>>()?)
        }
    }
}

/// What a file holds but for a torn last line; nothing when it is missing.
fn whole_lines(path: &Path) -> Result<Vec<u8>, StoreError> {
    let mut bytes = read_from(path, 0)?.unwrap_or_default();
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    bytes.truncate(end);
    Ok(bytes)
}
