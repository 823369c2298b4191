//! A club that leaves a store on sled's trees, or comes to one.
//!
//! Nobody else has the store open. Knows nothing of what lines and letters say.

use super::change::{NEXT_LETTER, fill};
use super::game_row::{Field, GameRow};
use super::trees::Tree;
use super::{OutboxEntry, Store};
use crate::store::keys::Parts;
use crate::store::removal::{Hash, Load, Loader, PutOff, Removal, TakeLetter, TakeLoad};
use crate::store::{Batch, LogLine, Moved, Posted, Repository, StoreError, from_json, later};
use crate::table::Outline;
use chrono::DateTime;

impl Removal for Store {
    fn hold_alone(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn is_free(&self) -> Result<bool, StoreError> {
        let nobody = self.next_game()? == 1 && self.next_member()? == 1;
        Ok(nobody && self.trees.last(Tree::Outbox)?.is_none())
    }

    fn give(&self, take: TakeLoad<'_>) -> Result<(), StoreError> {
        let mut loader = Loader::new(take);
        self.give_people(&mut loader)?;
        self.give_games(&mut loader)?;
        self.give_seen(&mut loader)?;
        self.give_outbox(&mut loader)?;
        loader.house(self)?;
        loader.end()
    }

    fn give_letters(&self, _: TakeLetter<'_>) -> Result<(), StoreError> {
        Ok(())
    }

    fn take(&self, load: &Load) -> Result<(), StoreError> {
        load.batch.check()?;
        self.trees.write(|tx| fill(load, tx))
    }

    fn leave(&self, to: &Moved) -> Result<(), StoreError> {
        to.write_beside(self.trees.folder())
    }
}

impl Store {
    fn give_people(&self, loader: &mut Loader<'_>) -> Result<(), StoreError> {
        self.trees.scan(Tree::Members, .., |_, json| {
            let member = later::whole(json)?;
            loader.add(json.len(), |load| load.members.push(member))?;
            Ok(None::<()>)
        })?;
        self.trees.scan(Tree::Addresses, .., |address, member| {
            let whose = (hash(address)?, Parts(member).number()?);
            loader.add(0, |load| load.addresses.push(whose))?;
            Ok(None::<()>)
        })?;
        self.trees.scan(Tree::CampaignGames, .., |_, json| {
            let game = later::whole(json)?;
            loader.add(json.len(), |load| load.batch.campaign_games.push(game))?;
            Ok(None::<()>)
        })?;
        Ok(())
    }

    fn give_games(&self, loader: &mut Loader<'_>) -> Result<(), StoreError> {
        self.scan_rows(|game, row| {
            if row.log()?.lines > 0 {
                for (seq, line) in (0..).zip(self.log(game)?) {
                    let line = LogLine { game, seq, line };
                    loader.add(line.line.len(), |load| load.batch.log_lines.push(line))?;
                }
            }
            let beside = beside(game, row)?;
            loader.add(row.bytes().len(), |load| load.batch.extend(beside))?;
            Ok(None::<()>)
        })?;
        self.trees.scan_whole(Tree::Minutes, .., 12, |key, json| {
            let minute = (Parts(key).number()?, later::whole(json)?);
            loader.add(json.len(), |load| load.batch.minutes.push(minute))?;
            Ok(None::<()>)
        })?;
        Ok(())
    }

    /// What was read, answered and posted.
    fn give_seen(&self, loader: &mut Loader<'_>) -> Result<(), StoreError> {
        self.trees.scan(Tree::SeenLetters, .., |digest, json| {
            loader.seen(hash(digest)?, from_json(json)?)?;
            Ok(None::<()>)
        })?;
        self.trees.scan(Tree::SeenFiles, .., |name, fate| {
            let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec());
            let text = |bytes| text(bytes).map_err(StoreError::damaged);
            let file = (text(name)?, text(fate)?);
            loader.add(fate.len(), |load| load.batch.seen_files.push(file))?;
            Ok(None::<()>)
        })?;
        self.trees.scan(Tree::Answers, .., |key, count| {
            let mut key = Parts(key);
            let answers = (hash(key.bytes(16)?)?, key.seconds()?, Parts(count).number()?);
            loader.add(0, |load| load.answers.push(answers))?;
            Ok(None::<()>)
        })?;
        self.trees.scan(Tree::Posted, .., |key, value| {
            let (mut key, mut value) = (Parts(key), Parts(value));
            key.number()?;
            let at = DateTime::from_timestamp(value.seconds()?, 0);
            let at = at.ok_or_else(|| StoreError::damaged("a letter was posted at no time"))?;
            let posted = (hash(key.bytes(16)?)?, Posted { at, letter: from_json(value.0)? });
            loader.add(value.0.len(), |load| load.posted.push(posted))?;
            Ok(None::<()>)
        })?;
        Ok(())
    }

    fn give_outbox(&self, loader: &mut Loader<'_>) -> Result<(), StoreError> {
        self.trees.scan(Tree::Outbox, .., |key, json| {
            let entry: OutboxEntry = from_json(json)?;
            let (not_before, pieces) = (entry.not_before, entry.pieces as usize);
            let queued = self.of_entry(Parts(key).long()?, entry)?;
            let bytes = pieces * super::trees::PIECE;
            loader.add(bytes, |load| load.outbox.push(PutOff { queued, not_before }))?;
            Ok(None::<()>)
        })?;
        let next = self.trees.get(Tree::Meta, NEXT_LETTER)?;
        let next = next.map(|next| Parts(&next).long()).transpose()?.unwrap_or(1);
        loader.add(0, |load| load.last_key = next.saturating_sub(1))
    }
}

/// What is kept of a game beside its log.
fn beside(game: u32, row: &GameRow<'_>) -> Result<Batch, StoreError> {
    let mut batch = Batch::default();
    for (seat, json) in row.seats() {
        batch.seats.push((game, seat, later::whole(json)?));
    }
    // One of a version that says other things is none.
    let outline = row.get(Field::Outline).and_then(|json| from_json::<Outline>(json).ok());
    batch.outlines.extend(outline.map(|outline| (game, outline)));
    let due = row.get(Field::Due).map(|moment| Parts(moment).moment()).transpose()?;
    batch.due.extend(due.map(|due| (game, Some(due))));
    let clock = row.get(Field::Clock).map(later::whole).transpose()?;
    batch.clocks.extend(clock.map(|clock| (game, clock)));
    let room = row.get(Field::Room).map(later::whole).transpose()?;
    batch.rooms.extend(room.map(|room| (game, room)));
    Ok(batch)
}

fn hash(bytes: &[u8]) -> Result<Hash, StoreError> {
    bytes.try_into().map_err(StoreError::damaged)
}
