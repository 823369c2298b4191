//! Whether the store still holds all that the journal does.
//!
//! The journal is written after the store, from what is durable there: a kill can leave it behind,
//! by what the store has noted, and never ahead. A store that is behind its journal has lost
//! something. Changes nothing, and knows nothing of what a game's lines say.

use super::CLUB;
use crate::store::journal::{
    ClubLine, club_file, each_club_line, game_file, games_in, length, log, read_from, text,
};
use crate::store::sled::change::REWRITE;
use crate::store::sled::trees::Tree;
use crate::store::{Journaled, Repository, Store, StoreError, later};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{DefaultHasher, Hasher};
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
        fs::metadata(folder)?;
        let mut lengths = BTreeMap::new();
        for game in games_in(folder)? {
            lengths.extend(length(&game_file(folder, game))?.map(|length| (game, length)));
        }
        let mut found = Vec::new();
        self.each_row(|game, row| {
            let written = lengths.remove(&game).unwrap_or(0);
            found.extend((row.log()?.bytes != written).then(|| is_another(game)));
            Ok(())
        })?;
        found.extend(lengths.into_keys().map(is_another));
        let club = length(&club_file(folder))?.unwrap_or(0);
        let is_whole = club == self.known(CLUB)?.bytes && !self.is_club_behind()?;
        found.extend((!is_whole).then(|| "what is around them is another one".to_owned()));
        Ok(found)
    }

    fn differences(&self, folder: &Path) -> Result<Vec<String>, StoreError> {
        fs::metadata(folder)?;
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
            said.extend(subject(&line).map(|subject| (subject, checksum(&line))));
            Ok(())
        })?;
        let mut others = BTreeSet::new();
        self.each_current_line(&mut |line| {
            let differs = |what: &_| said.remove(what) != Some(checksum(&line));
            others.extend(subject(&line).filter(differs).map(|(what, ..)| what));
            Ok(())
        })?;
        others.extend(said.keys().map(|(what, ..)| *what));
        Ok(others.into_iter().map(|what| format!("the {what} are others")).collect())
    }

    /// Whether the club's journal is longer than the store knows it to be.
    fn club_lost(&self, folder: &Path) -> Result<Option<String>, StoreError> {
        let path = club_file(folder);
        let ahead =
            !self.is_journal_behind()? && length(&path)?.unwrap_or(0) > self.known(CLUB)?.bytes;
        Ok(ahead.then(|| format!("{} holds more", path.display())))
    }

    /// Returns something that the journal has and the store has not.
    fn any_lost(&self, folder: &Path) -> Result<Option<String>, StoreError> {
        for game in games_in(folder)? {
            let path = game_file(folder, game);
            if !text(&self.log(game)?).starts_with(&whole_lines(&path)?) {
                return Ok(Some(format!("game {game} is another one in {}", path.display())));
            }
        }
        let mut known = BTreeSet::new();
        self.each_current_line(&mut |line| {
            known.extend(subject(&line));
            Ok(())
        })?;
        let path = club_file(folder);
        let lines = whole_lines(&path)?;
        // `doctor` reports the lines that cannot be read.
        let read = |line| subject(&later::known(line).ok()?);
        let mut said = lines.split(|byte| *byte == b'\n').filter_map(read);
        let lost = said.find(|subject| !known.contains(subject));
        let more = |(what, number, _)| format!("{} knows more {what}: {number}", path.display());
        Ok(lost.map(more))
    }
}

/// Returns the thing that a line of the club's journal is about: its kind, its number, and its seat
/// if it has one. The last line about a thing holds. Returns `None` for what happens once.
const fn subject(line: &ClubLine) -> Option<(&'static str, u32, u8)> {
    Some(match line {
        ClubLine::Member(member) => ("members", member.id, 0),
        ClubLine::Seat { game, seat, .. } => ("seats", *game, seat.number()),
        ClubLine::CampaignGame(game) => ("campaigns' games", game.game, 0),
        ClubLine::Clock { game, .. } => ("clocks", *game, 0),
        ClubLine::GameRoom { game, .. } => ("people around games", *game, 0),
        ClubLine::Moderator { .. } | ClubLine::ActivityEntry { .. } | ClubLine::Seen { .. } => {
            return None;
        }
    })
}

/// Returns a number that differs for different lines.
fn checksum(line: &ClubLine) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    hasher.write(&serde_json::to_vec(line).ok()?);
    Some(hasher.finish())
}

fn is_another(game: u32) -> String {
    format!("game {game} is another one")
}

/// What a file holds but for a torn last line; nothing when it is missing.
fn whole_lines(path: &Path) -> Result<Vec<u8>, StoreError> {
    let mut bytes = read_from(path, 0)?.unwrap_or_default();
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    bytes.truncate(end);
    Ok(bytes)
}
