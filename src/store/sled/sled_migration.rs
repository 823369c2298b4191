//! Exporting a club from sled's trees, as journal lines or as migration batches, and importing such
//! batches. sled's file lock keeps other processes from opening the store during a migration.

use super::batch_changes::{NEXT_LETTER_KEY, apply_migration};
use super::game_row::FieldTag;
use super::tree_reads::read_outline;
use super::trees::Tree;
use super::{OutboxEntry, Store};
use crate::store::journal::{ClubLine, ClubLineSink, JournalSource};
use crate::store::keys::KeyReader;
use crate::store::store_migration::{
    InboxSink, KeyHash, Migration, MigrationBatch, MigrationBatcher, MigrationSink, ScheduledLetter,
};
use crate::store::{
    LogLine, NewLocation, PostRecord, Repository, StoreError, parse_stored_json, versioned_json,
};
use chrono::DateTime;

impl JournalSource for Store {
    fn for_each_journal_line(&self, sink: ClubLineSink<'_>) -> Result<(), StoreError> {
        self.for_each_current_club_line(sink)?;
        self.trees.for_each_chunked(Tree::Activity, .., 8, |key, json| {
            let (game, minute) = (KeyReader(key).read_u32()?, versioned_json::parse_strict(json)?);
            sink(ClubLine::ActivityEntry { game, entry: minute })
        })?;
        self.trees.for_each(Tree::SeenLetters, .., |digest, json| {
            sink(ClubLine::from_seen_letter(&parse_hash(digest)?, &parse_stored_json(json)?))
        })
    }
}

impl Migration for Store {
    fn lock_exclusively(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn can_receive_club(&self) -> Result<bool, StoreError> {
        let nobody = self.next_game_number()? == 1 && self.next_member_number()? == 1;
        Ok(nobody && self.trees.last_key(Tree::Outbox)?.is_none())
    }

    fn export_all_but_inbox(&self, sink: MigrationSink<'_>) -> Result<(), StoreError> {
        let mut loader = MigrationBatcher::new(sink);
        self.for_each_journal_line(&mut |line| loader.add_club_line(line))?;
        self.export_games(&mut loader)?;
        self.export_hash_keyed_data(&mut loader)?;
        self.export_outbox(&mut loader)?;
        loader.add_club_state(self)?;
        loader.flush()
    }

    fn export_inbox(&self, _: InboxSink<'_>) -> Result<(), StoreError> {
        Ok(())
    }

    fn import_batch(&self, load: &MigrationBatch) -> Result<(), StoreError> {
        load.batch.check_log_lines_printable()?;
        self.trees.run_write_transaction(|tx| apply_migration(load, tx))
    }

    fn mark_moved(&self, to: &NewLocation) -> Result<(), StoreError> {
        to.write_beside(self.trees.folder())
    }
}

impl Store {
    /// Passes a journal line with the current value to `sink` for each member, seat, campaign game,
    /// clock and game info, and for the moderator's tokens.
    pub(super) fn for_each_current_club_line(
        &self,
        sink: ClubLineSink<'_>,
    ) -> Result<(), StoreError> {
        self.trees.for_each(Tree::Members, .., |_, json| {
            sink(ClubLine::Member(versioned_json::parse_strict(json)?))
        })?;
        let generation = Some(self.moderator_generation()?).filter(|generation| *generation > 0);
        generation.map_or(Ok(()), |generation| sink(ClubLine::Moderator { generation }))?;
        self.for_each_row(|game, row| {
            row.seats().try_for_each(|(seat, json)| {
                sink(ClubLine::Seat { game, seat, assignment: versioned_json::parse_strict(json)? })
            })
        })?;
        self.trees.for_each(Tree::CampaignGames, .., |_, json| {
            sink(ClubLine::CampaignGame(versioned_json::parse_strict(json)?))
        })?;
        self.for_each_field(FieldTag::CLOCK, |game, clock| sink(ClubLine::Clock { game, clock }))?;
        self.for_each_field(FieldTag::ROOM, |game, room| sink(ClubLine::GameRoom { game, room }))
    }

    fn export_games(&self, loader: &mut MigrationBatcher<'_>) -> Result<(), StoreError> {
        self.for_each_row(|game, row| {
            for (seq, line) in (0..).zip(self.game_log_lines(game)?) {
                let line = LogLine { game, seq, line };
                loader.add(line.line.len(), |load| load.batch.log_lines.push(line))?;
            }
            let due =
                row.get(FieldTag::DUE).map(|moment| KeyReader(moment).read_time()).transpose()?;
            loader.add(row.as_bytes().len(), |load| {
                load.batch.outlines.extend(read_outline(row).map(|outline| (game, outline)));
                load.batch.due.extend(due.map(|due| (game, Some(due))));
            })
        })
    }

    /// Exports the inbound files that were processed, and the data whose keys are stored only as
    /// hashes: addresses, counted events, post records.
    fn export_hash_keyed_data(&self, loader: &mut MigrationBatcher<'_>) -> Result<(), StoreError> {
        self.trees.for_each(Tree::SeenFiles, .., |name, fate| {
            let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec());
            let text = |bytes| text(bytes).map_err(StoreError::damaged);
            let file = (text(name)?, text(fate)?);
            loader.add(fate.len(), |load| load.batch.seen_files.push(file))
        })?;
        self.trees.for_each(Tree::Addresses, .., |address, member| {
            let whose = (parse_hash(address)?, KeyReader(member).read_u32()?);
            loader.add(0, |load| load.addresses.push(whose))
        })?;
        self.trees.for_each(Tree::Answers, .., |key, count| {
            let mut key = KeyReader(key);
            let answers = (
                parse_hash(key.read_bytes(16)?)?,
                key.read_seconds()?,
                KeyReader(count).read_u32()?,
            );
            loader.add(0, |load| load.answers.push(answers))
        })?;
        self.trees.for_each(Tree::PostRecords, .., |key, value| {
            let (mut key, mut value) = (KeyReader(key), KeyReader(value));
            key.read_u32()?;
            let at = DateTime::from_timestamp(value.read_seconds()?, 0);
            let at = at.ok_or_else(|| StoreError::damaged("a letter was posted at no time"))?;
            let posted = (
                parse_hash(key.read_bytes(16)?)?,
                PostRecord { at, letter: parse_stored_json(value.0)? },
            );
            loader.add(value.0.len(), |load| load.posted.push(posted))
        })
    }

    fn export_outbox(&self, loader: &mut MigrationBatcher<'_>) -> Result<(), StoreError> {
        self.trees.for_each(Tree::Outbox, .., |key, json| {
            let entry: OutboxEntry = parse_stored_json(json)?;
            let not_before = entry.not_before;
            let queued = self.load_letter(KeyReader(key).read_u64()?, entry)?;
            let bytes = queued.letter.payload.to_string().len();
            loader.add(bytes, |load| load.outbox.push(ScheduledLetter { queued, not_before }))
        })?;
        let next = self.trees.get(Tree::Meta, NEXT_LETTER_KEY)?;
        let next = next.map(|next| KeyReader(&next).read_u64()).transpose()?.unwrap_or(1);
        loader.add(0, |load| load.last_key = next.saturating_sub(1))
    }
}

fn parse_hash(bytes: &[u8]) -> Result<KeyHash, StoreError> {
    bytes.try_into().map_err(StoreError::damaged)
}
