//! All that a store on sled's trees knows of a club: as lines for the journal, and as portions for
//! another store. Also takes such portions.
//!
//! Nobody else has the store open. Knows nothing of what lines and letters say.

use super::change::{NEXT_LETTER, fill};
use super::game_row::Field;
use super::read::outline_of;
use super::trees::Tree;
use super::{OutboxEntry, Store};
use crate::store::journal::{Archive, ClubLine, TakeLine};
use crate::store::keys::Parts;
use crate::store::removal::{Hash, Load, Loader, PutOff, Removal, TakeLetter, TakeLoad};
use crate::store::{LogLine, Moved, Posted, Repository, StoreError, from_json, later};
use chrono::DateTime;

impl Archive for Store {
    fn each_line(&self, take: TakeLine<'_>) -> Result<(), StoreError> {
        self.each_current_line(take)?;
        self.trees.each_whole(Tree::Minutes, .., 8, |key, json| {
            let (game, minute) = (Parts(key).number()?, later::whole(json)?);
            take(ClubLine::ActivityEntry { game, minute })
        })?;
        self.trees.for_each(Tree::SeenLetters, .., |digest, json| {
            take(ClubLine::seen(&hash(digest)?, &from_json(json)?))
        })
    }
}

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
        self.each_line(&mut |line| loader.line(line))?;
        self.give_games(&mut loader)?;
        self.give_hashed(&mut loader)?;
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
    /// Gives a line to `take` for each thing of which the journal's last line holds.
    pub(super) fn each_current_line(&self, take: TakeLine<'_>) -> Result<(), StoreError> {
        self.trees
            .for_each(Tree::Members, .., |_, json| take(ClubLine::Member(later::whole(json)?)))?;
        let generation = Some(self.moderator()?).filter(|generation| *generation > 0);
        generation.map_or(Ok(()), |generation| take(ClubLine::Moderator { generation }))?;
        self.each_row(|game, row| {
            row.seats().try_for_each(|(seat, json)| {
                take(ClubLine::Seat { game, seat, seated: later::whole(json)? })
            })
        })?;
        self.trees.for_each(Tree::CampaignGames, .., |_, json| {
            take(ClubLine::CampaignGame(later::whole(json)?))
        })?;
        self.each_field(Field::CLOCK, |game, clock| take(ClubLine::Clock { game, clock }))?;
        self.each_field(Field::ROOM, |game, room| take(ClubLine::GameRoom { game, room }))
    }

    /// Gives the games' logs, outlines, and when they are due.
    fn give_games(&self, loader: &mut Loader<'_>) -> Result<(), StoreError> {
        self.each_row(|game, row| {
            for (seq, line) in (0..).zip(self.log(game)?) {
                let line = LogLine { game, seq, line };
                loader.add(line.line.len(), |load| load.batch.log_lines.push(line))?;
            }
            let due = row.get(Field::DUE).map(|moment| Parts(moment).moment()).transpose()?;
            loader.add(row.bytes().len(), |load| {
                load.batch.outlines.extend(outline_of(row).map(|outline| (game, outline)));
                load.batch.due.extend(due.map(|due| (game, Some(due))));
            })
        })
    }

    /// Gives the files that were read, and what is kept by the hashes of its keys.
    fn give_hashed(&self, loader: &mut Loader<'_>) -> Result<(), StoreError> {
        self.trees.for_each(Tree::SeenFiles, .., |name, fate| {
            let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec());
            let text = |bytes| text(bytes).map_err(StoreError::damaged);
            let file = (text(name)?, text(fate)?);
            loader.add(fate.len(), |load| load.batch.seen_files.push(file))
        })?;
        self.trees.for_each(Tree::Addresses, .., |address, member| {
            let whose = (hash(address)?, Parts(member).number()?);
            loader.add(0, |load| load.addresses.push(whose))
        })?;
        self.trees.for_each(Tree::Answers, .., |key, count| {
            let mut key = Parts(key);
            let answers = (hash(key.bytes(16)?)?, key.seconds()?, Parts(count).number()?);
            loader.add(0, |load| load.answers.push(answers))
        })?;
        self.trees.for_each(Tree::Posted, .., |key, value| {
            let (mut key, mut value) = (Parts(key), Parts(value));
            key.number()?;
            let at = DateTime::from_timestamp(value.seconds()?, 0);
            let at = at.ok_or_else(|| StoreError::damaged("a letter was posted at no time"))?;
            let posted = (hash(key.bytes(16)?)?, Posted { at, letter: from_json(value.0)? });
            loader.add(value.0.len(), |load| load.posted.push(posted))
        })
    }

    fn give_outbox(&self, loader: &mut Loader<'_>) -> Result<(), StoreError> {
        self.trees.for_each(Tree::Outbox, .., |key, json| {
            let entry: OutboxEntry = from_json(json)?;
            let not_before = entry.not_before;
            let queued = self.of_entry(Parts(key).long()?, entry)?;
            let bytes = queued.letter.owed.to_string().len();
            loader.add(bytes, |load| load.outbox.push(PutOff { queued, not_before }))
        })?;
        let next = self.trees.get(Tree::Meta, NEXT_LETTER)?;
        let next = next.map(|next| Parts(&next).long()).transpose()?.unwrap_or(1);
        loader.add(0, |load| load.last_key = next.saturating_sub(1))
    }
}

fn hash(bytes: &[u8]) -> Result<Hash, StoreError> {
    bytes.try_into().map_err(StoreError::damaged)
}
