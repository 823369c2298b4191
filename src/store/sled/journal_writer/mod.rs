//! Writing the journal of a store on sled.
//!
//! The transaction that changes the trees also notes in them what the journal is missing. The notes
//! are removed after the journal is written.

mod journal_differences;
mod present_writer;

use super::Store;
use super::batch_changes::REWRITE_JOURNAL;
use super::game_row::{Extent, FieldTag};
use super::row_group::GameRows;
use super::trees::Tree;
use crate::disk::{self, FileMode};
use crate::store::journal::{
    JournalSource, append_club_line, club_file_path, file_length, game_file_path, repair_and_append,
};
use crate::store::keys::{Key, KeyReader};
use crate::store::{GameStore, Repository, StoreError};
use std::path::Path;

/// The largest number of journal files that are written at a time, so that their syncs share one
/// disk flush.
const WRITER_THREADS: usize = 8;
/// The smallest number of journal files for which another thread is worth its cost.
const FILES_PER_THREAD: usize = 16;
/// The number of journal files whose notes are removed in one transaction. A transaction is held in
/// memory, and after a restore all games are written.
const FILES_PER_TRANSACTION: usize = if cfg!(test) { 3 } else { 1_000 };
/// The number of lines of `club.jsonl` whose notes are removed in one transaction.
const LINES_PER_TRANSACTION: usize = if cfg!(test) { 3 } else { 10_000 };
/// The number of the row that holds the extent of `club.jsonl`. Games are numbered from 1, so row 0
/// is free.
const CLUB_ROW: u32 = 0;

/// The key of a line that is missing in `club.jsonl`, and the line.
type UnwrittenLine = (Vec<u8>, Vec<u8>);

/// A journal file that was just brought up to date with the store, and its length.
struct WrittenFile {
    game: u32,
    extent: Extent,
}

impl Store {
    /// Implements [`GameStore::update_journal`].
    pub(super) fn write_journal_files(&self, folder: &Path) -> Result<(), StoreError> {
        self.read_only_reason().map_or(Ok(()), Err)?;
        // The outbox comes first, because a letter that is restored twice does less harm than a
        // lost one. A journal that was written by another store keeps that store's letters.
        let rewrite = self.trees.get(Tree::Meta, REWRITE_JOURNAL)?.is_some();
        if self.journaled_extent(CLUB_ROW)?.bytes > 0 || !club_file_path(folder).exists() {
            self.update_present_file(folder, rewrite)?;
        }
        let games = self
            .trees
            .collect_entries(Tree::Unjournaled, .., |key, _| KeyReader(key).read_u32().map(Some))?;
        // If `club.jsonl` was deleted or replaced by an older one, the games' files probably were
        // too. So everything is written again.
        let cut = file_length(&club_file_path(folder))?.unwrap_or(0)
            < self.journaled_extent(CLUB_ROW)?.bytes;
        let (games, rewrite) = if cut { (self.game_numbers()?, true) } else { (games, rewrite) };
        let line = |key: &[u8], line: &[u8]| Ok(Some((key.to_vec(), line.to_vec())));
        let club = if rewrite {
            Vec::new()
        } else {
            self.trees.collect_entries(Tree::ClubLines, .., line)?
        };
        if games.is_empty() && club.is_empty() && !rewrite {
            return Ok(());
        }
        disk::create_folder(folder)?;
        disk::create_folder(&folder.join("games"))?;
        let mut outcomes = self.write_game_files(folder, &games);
        if rewrite {
            outcomes.push(self.rewrite_club_file(folder));
        } else if !club.is_empty() {
            outcomes.push(self.append_club_file(folder, &club));
        }
        let (written, faults): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
        let written: Vec<WrittenFile> = written.into_iter().flatten().collect();
        written
            .chunks(FILES_PER_TRANSACTION)
            .try_for_each(|written| self.clear_journal_backlog(written, &club))?;
        faults.into_iter().try_for_each(|fault| fault.map(drop))
    }

    /// Writes the journal files of games, on several threads.
    fn write_game_files(
        &self,
        folder: &Path,
        games: &[u32],
    ) -> Vec<Result<WrittenFile, StoreError>> {
        let share = games.len().div_ceil(WRITER_THREADS).max(FILES_PER_THREAD);
        let write = |part: &[u32]| -> Vec<_> {
            part.iter()
                .map(|game| self.write_game_file(&game_file_path(folder, *game), *game))
                .collect()
        };
        std::thread::scope(|scope| {
            let start = |part| scope.spawn(move || write(part));
            let threads: Vec<_> = games.chunks(share).map(start).collect();
            let lost = |_| vec![Err(StoreError::damaged("the journal could not be made"))];
            threads.into_iter().flat_map(|hand| hand.join().unwrap_or_else(lost)).collect()
        })
    }

    fn write_game_file(&self, path: &Path, game: u32) -> Result<WrittenFile, StoreError> {
        let row = self.trees.game_row(game)?;
        let (log, known) = (row.log_extent()?, row.journaled_extent()?);
        let whole = || self.trees.read_log_text(game, log, 0);
        let fresh = self.trees.read_log_text(game, log, known.bytes)?;
        let held = |kept: &[u8]| fresh.starts_with(kept).then_some(kept.len());
        let bytes = repair_and_append(path, known.bytes, &fresh, whole, held)?;
        Ok(WrittenFile { game, extent: Extent { lines: log.lines, bytes } })
    }

    fn append_club_file(
        &self,
        folder: &Path,
        lines: &[UnwrittenLine],
    ) -> Result<WrittenFile, StoreError> {
        let path = club_file_path(folder);
        let fresh: Vec<u8> =
            lines.iter().flat_map(|(_, line)| line.iter().chain(b"\n")).copied().collect();
        // A restored store appends to the journal from which it was restored, so any of the new
        // lines may already be at its end.
        let held = |kept: &[u8]| {
            let ends = fresh.iter().enumerate().rev().filter(|(_, byte)| **byte == b'\n');
            let mut ends = ends.map(|(at, _)| at + 1).chain([0]);
            ends.find(|end| kept.ends_with(&fresh[..*end]))
        };
        let bytes = repair_and_append(
            &path,
            self.journaled_extent(CLUB_ROW)?.bytes,
            &fresh,
            || self.serialize_club(),
            held,
        )?;
        Ok(WrittenFile { game: CLUB_ROW, extent: Extent { lines: 0, bytes } })
    }

    /// Rewrites `club.jsonl` from the current values, so that it no longer holds erased data.
    ///
    /// A note that the file must be rewritten stays until that is done. So the lines that were
    /// missing need not be removed in one transaction, which after a restore would not fit into
    /// memory.
    fn rewrite_club_file(&self, folder: &Path) -> Result<WrittenFile, StoreError> {
        if self.trees.get(Tree::Meta, REWRITE_JOURNAL)?.is_none() {
            self.trees.run_write_transaction(|tx| {
                tx.put(Tree::Meta, REWRITE_JOURNAL.to_vec(), &[]).map(drop)
            })?;
        }
        let lacked =
            self.trees.collect_entries(Tree::ClubLines, .., |key, _| Ok(Some(key.to_vec())))?;
        let (path, whole) = (club_file_path(folder), self.serialize_club()?);
        disk::write_atomically(&path.with_extension("new"), &path, &whole, FileMode::OwnerOnly)?;
        for lines in lacked.chunks(LINES_PER_TRANSACTION) {
            self.trees.run_write_transaction(|tx| {
                lines.iter().try_for_each(|line| tx.remove(Tree::ClubLines, line.clone()).map(drop))
            })?;
        }
        Ok(WrittenFile { game: CLUB_ROW, extent: Extent { lines: 0, bytes: whole.len() as u64 } })
    }

    fn serialize_club(&self) -> Result<Vec<u8>, StoreError> {
        let mut bytes = Vec::new();
        self.for_each_journal_line(&mut |line| append_club_line(&mut bytes, &line))?;
        Ok(bytes)
    }

    fn journaled_extent(&self, game: u32) -> Result<Extent, StoreError> {
        self.trees.game_row(game)?.journaled_extent()
    }

    /// Removes the notes of what the journal was missing, for files that were written.
    fn clear_journal_backlog(
        &self,
        written: &[WrittenFile],
        club: &[UnwrittenLine],
    ) -> Result<(), StoreError> {
        self.trees.run_write_transaction(|tx| {
            let mut rows = GameRows::new(tx);
            for WrittenFile { game, extent: known } in written {
                let row = rows.row_mut(*game)?;
                row.set(FieldTag::JOURNALED, &known.to_bytes())?;
                if *game == CLUB_ROW {
                    tx.remove(Tree::Meta, REWRITE_JOURNAL.to_vec())?;
                    club.iter().try_for_each(|(line, _)| {
                        tx.remove(Tree::ClubLines, line.clone()).map(drop)
                    })?;
                } else if row.log_extent()?.lines == known.lines {
                    tx.remove(Tree::Unjournaled, Key::from_u32(*game).into_bytes())?;
                }
            }
            rows.write_all()
        })
    }
}

#[cfg(test)]
mod tests;
