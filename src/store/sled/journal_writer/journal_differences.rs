//! Comparisons of the store with its journal.
//!
//! The journal is written after the store, from durable data. So a kill can leave it behind the
//! store, and the store knows by how much, but never ahead of it. A store that is behind its
//! journal has lost data.

use super::CLUB_ROW;
use crate::store::journal::{
    ClubLine, club_file_path, file_length, for_each_club_line, game_file_path, lines_to_bytes,
    list_journaled_games, read_from_offset, read_journaled_log,
};
use crate::store::sled::batch_changes::REWRITE_JOURNAL;
use crate::store::sled::trees::Tree;
use crate::store::{JournalChecks, Repository, Store, StoreError, versioned_json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::Path;

impl JournalChecks for Store {
    fn stop_writing_if_journal_holds_more(&self, folder: &Path) -> Result<(), StoreError> {
        let lost = if self.had_mark {
            self.find_club_file_loss(folder)?
        } else {
            self.find_any_loss(folder)?
        };
        match lost {
            Some(what) => self.trees.make_read_only(&StoreError::data_loss(what)),
            // The mark was missing. From now on there is one, so the next opening can check the end
            // of the store.
            None if !self.had_mark => self.trees.sync_and_mark()?,
            None => {}
        }
        Ok(())
    }

    fn journal_length_differences(&self, folder: &Path) -> Result<Vec<String>, StoreError> {
        fs::metadata(folder)?;
        let mut lengths = BTreeMap::new();
        for game in list_journaled_games(folder)? {
            lengths
                .extend(file_length(&game_file_path(folder, game))?.map(|length| (game, length)));
        }
        let mut found = Vec::new();
        self.for_each_row(|game, row| {
            let written = lengths.remove(&game).unwrap_or(0);
            found.extend((row.log_extent()?.bytes != written).then(|| difference_text(game)));
            Ok(())
        })?;
        found.extend(lengths.into_keys().map(difference_text));
        let club = file_length(&club_file_path(folder))?.unwrap_or(0);
        let is_whole =
            club == self.journaled_extent(CLUB_ROW)?.bytes && !self.is_club_file_behind()?;
        found.extend(
            (!is_whole).then(|| "members, seats, clocks or people around games differ".to_owned()),
        );
        Ok(found)
    }

    fn journal_differences(&self, folder: &Path) -> Result<Vec<String>, StoreError> {
        fs::metadata(folder)?;
        let mut found = Vec::new();
        let numbers: BTreeSet<u32> =
            list_journaled_games(folder)?.into_iter().chain(self.game_numbers()?).collect();
        for game in numbers {
            if read_journaled_log(folder, game)? != self.game_log_lines(game)? {
                found.push(difference_text(game));
            }
        }
        found.extend(self.club_file_differences(folder)?);
        Ok(found)
    }

    fn is_game_journaled(&self, folder: &Path, game: u32) -> Result<bool, StoreError> {
        let copy = read_whole_lines(&game_file_path(folder, game))?;
        Ok(lines_to_bytes(&self.game_log_lines(game)?) == copy || self.is_journal_behind()?)
    }

    fn is_journal_behind(&self) -> Result<bool, StoreError> {
        Ok(self.trees.last_key(Tree::Unjournaled)?.is_some() || self.is_club_file_behind()?)
    }
}

impl Store {
    /// Whether `club.jsonl` is known to be behind the store.
    fn is_club_file_behind(&self) -> Result<bool, StoreError> {
        Ok(self.trees.last_key(Tree::ClubLines)?.is_some()
            || self.trees.get(Tree::Meta, REWRITE_JOURNAL)?.is_some())
    }

    /// Compares `club.jsonl` with the store, and names the kinds of things that differ. Holds only
    /// a checksum of the last line about each thing in memory.
    fn club_file_differences(&self, folder: &Path) -> Result<Vec<String>, StoreError> {
        let mut said = BTreeMap::new();
        for_each_club_line(folder, |_, line| {
            said.extend(replaced_line_subject(&line).map(|subject| (subject, checksum(&line))));
            Ok(())
        })?;
        let mut others = BTreeSet::new();
        self.for_each_current_club_line(&mut |line| {
            let differs = |what: &_| said.remove(what) != Some(checksum(&line));
            others.extend(replaced_line_subject(&line).filter(differs).map(|(what, ..)| what));
            Ok(())
        })?;
        others.extend(said.keys().map(|(what, ..)| *what));
        Ok(others.into_iter().map(|what| format!("the {what} differ")).collect())
    }

    /// Returns a description of the loss if `club.jsonl` is longer than the store wrote it.
    fn find_club_file_loss(&self, folder: &Path) -> Result<Option<String>, StoreError> {
        let path = club_file_path(folder);
        let ahead = !self.is_journal_behind()?
            && file_length(&path)?.unwrap_or(0) > self.journaled_extent(CLUB_ROW)?.bytes;
        Ok(ahead.then(|| format!("{} has more lines than the store", path.display())))
    }

    /// Returns a description of something that the journal holds and the store does not. Reads both
    /// completely.
    fn find_any_loss(&self, folder: &Path) -> Result<Option<String>, StoreError> {
        for game in list_journaled_games(folder)? {
            let path = game_file_path(folder, game);
            if !lines_to_bytes(&self.game_log_lines(game)?).starts_with(&read_whole_lines(&path)?) {
                return Ok(Some(format!("game {game} differs in {}", path.display())));
            }
        }
        let mut known = BTreeSet::new();
        self.for_each_current_club_line(&mut |line| {
            known.extend(replaced_line_subject(&line));
            Ok(())
        })?;
        let path = club_file_path(folder);
        let lines = read_whole_lines(&path)?;
        // Lines that cannot be parsed are skipped here. `doctor` reports them.
        let read = |line| replaced_line_subject(&versioned_json::parse_known_fields(line).ok()?);
        let mut said = lines.split(|byte| *byte == b'\n').filter_map(read);
        let lost = said.find(|subject| !known.contains(subject));
        let more = |(what, number, _)| {
            format!("{} has {what} that the store lacks: {number}", path.display())
        };
        Ok(lost.map(more))
    }
}

/// Returns what a line of `club.jsonl` is about: its kind, its number, and the seat if it has one.
/// A later line about it replaces an earlier one. Returns `None` for a line that later lines do not
/// replace, and for the moderator's tokens.
const fn replaced_line_subject(line: &ClubLine) -> Option<(&'static str, u32, u8)> {
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

/// Returns a checksum of a journal line. Different lines almost always have different checksums.
fn checksum(line: &ClubLine) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    hasher.write(&serde_json::to_vec(line).ok()?);
    Some(hasher.finish())
}

fn difference_text(game: u32) -> String {
    format!("game {game} differs")
}

/// Reads a file without its torn last line; empty if the file is missing.
fn read_whole_lines(path: &Path) -> Result<Vec<u8>, StoreError> {
    let mut bytes = read_from_offset(path, 0)?.unwrap_or_default();
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    bytes.truncate(end);
    Ok(bytes)
}
