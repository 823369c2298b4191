//! How what can be asked is read from sled's trees.
//!
//! Changes nothing.

use super::Store;
use super::change::{CLOCKS, MODERATOR, MORNING, PULSE, RESTORED};
use super::game_row::{Field, GameRow};
use super::pieces::missing;
use super::places::places;
use super::trees::{PIECE, Tree, under};
use crate::club::clock::{GameClock, Heartbeat};
use crate::club::{ActivityEntry, GameRoom, Member, Seated};
use crate::rules::Seat;
use crate::store::batch::{CampaignGame, Posted, SeenLetter, Unread};
use crate::store::keys::{Key, Parts};
use crate::store::{Batch, GameFacts, Repository, Sitting, StoreError, from_json, later};
use crate::table::Outline;
use chrono::{DateTime, TimeDelta, Utc};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::ops::{Range, RangeBounds};

/// The game of an entry in an activity log, and the entry's number there.
type EntryPlace = (u32, u64);

impl Repository for Store {
    fn log(&self, game: u32) -> Result<Vec<String>, StoreError> {
        let log = self.row(game)?.log()?;
        let text = self.trees.log_text(game, log, 0)?;
        let text = String::from_utf8(text).map_err(StoreError::damaged)?;
        let lines: Vec<String> = text.split_terminator('\n').map(str::to_owned).collect();
        if lines.len() == log.lines as usize { Ok(lines) } else { Err(missing(game)) }
    }

    fn last_line(&self, game: u32) -> Result<Option<String>, StoreError> {
        let log = self.row(game)?.log()?;
        if log.lines == 0 {
            return Ok(None);
        }
        let (mut from, mut text, mut back) = (log.bytes, Vec::new(), PIECE as u64);
        let ends = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count();
        while from > 0 && ends(&text) < 2 {
            from = log.bytes.saturating_sub(back);
            text = self.trees.log_text(game, log, from)?;
            back = back.saturating_mul(2);
        }
        let line = text.strip_suffix(b"\n").and_then(|text| text.rsplit(|b| *b == b'\n').next());
        let line = line.ok_or_else(|| missing(game))?;
        Ok(Some(String::from_utf8(line.to_vec()).map_err(StoreError::damaged)?))
    }

    fn log_length(&self, game: u32) -> Result<u32, StoreError> {
        Ok(self.row(game)?.log()?.lines)
    }

    fn game_facts(&self, game: u32) -> Result<GameFacts, StoreError> {
        facts(&self.row(game)?)
    }

    fn facts_of_games(&self, games: Range<u32>) -> Result<Vec<(u32, GameFacts)>, StoreError> {
        // No number is below 0.
        let Some(last) = games.end.checked_sub(1) else { return Ok(Vec::new()) };
        self.trees.scan_rows(games.start..=last, |game, row| {
            row.is_game().then(|| Ok((game, facts(row)?))).transpose()
        })
    }

    fn games(&self) -> Result<Vec<u32>, StoreError> {
        self.scan_rows(|game, row| Ok((row.log()?.lines > 0).then_some(game)))
    }

    fn next_game(&self) -> Result<u32, StoreError> {
        number_after(Tree::Games, self.trees.last_game()?)
    }

    fn campaign_games(&self, campaign: &str) -> Result<Vec<CampaignGame>, StoreError> {
        let of = under(Key::campaign(campaign).bytes());
        self.trees.scan(Tree::CampaignGames, of, |_, json| Ok(Some(later::whole(json)?)))
    }

    fn members(&self) -> Result<Vec<Member>, StoreError> {
        self.trees.scan(Tree::Members, .., |_, json| Ok(Some(later::whole(json)?)))
    }

    fn next_member(&self) -> Result<u32, StoreError> {
        let last = self.trees.last(Tree::Members)?;
        number_after(Tree::Members, last.map(|key| Parts(&key).number()).transpose()?)
    }

    fn member(&self, id: u32) -> Result<Option<Member>, StoreError> {
        let json = self.trees.get(Tree::Members, Key::of(id).bytes())?;
        Ok(json.map(|json| later::whole(&json)).transpose()?)
    }

    fn member_by_address(&self, address: &str) -> Result<Option<Member>, StoreError> {
        match self.trees.get(Tree::Addresses, Key::address(address).bytes())? {
            Some(id) => self.member(Parts(&id).number()?),
            None => Ok(None),
        }
    }

    fn seats(&self, game: u32) -> Result<Vec<Seated>, StoreError> {
        let row = self.row(game)?;
        row.seats().map(|(_, json)| Ok(later::whole(json)?)).collect()
    }

    fn seats_of(&self, member: u32) -> Result<Vec<(u32, Seat)>, StoreError> {
        places(member, |tree, key| self.trees.get(tree, key))
    }

    fn room(&self, game: u32) -> Result<GameRoom, StoreError> {
        Ok(self.row(game)?.get(Field::Room).map(later::whole).transpose()?.unwrap_or_default())
    }

    fn rooms(&self) -> Result<Vec<(u32, GameRoom)>, StoreError> {
        self.scan_field(Field::Room)
    }

    fn minutes(&self, game: u32) -> Result<Vec<ActivityEntry>, StoreError> {
        let found = self.minutes_in(under(Key::of(game).bytes()))?;
        Ok(found.into_iter().map(|(_, minute)| minute).collect())
    }

    fn clock(&self, game: u32) -> Result<Option<GameClock>, StoreError> {
        Ok(self.row(game)?.get(Field::Clock).map(later::whole).transpose()?)
    }

    fn clocks(&self) -> Result<Vec<(u32, GameClock)>, StoreError> {
        self.scan_field(Field::Clock)
    }

    fn has_clocks(&self) -> Result<bool, StoreError> {
        Ok(self.trees.get(Tree::Meta, CLOCKS)?.is_some())
    }

    fn due(&self, until: DateTime<Utc>) -> Result<Vec<u32>, StoreError> {
        self.trees.due(until)
    }

    fn due_at(&self, game: u32) -> Result<Option<DateTime<Utc>>, StoreError> {
        let row = self.row(game)?;
        row.get(Field::Due).map(|moment| Parts(moment).moment()).transpose()
    }

    fn next_due(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        self.trees.next_due()
    }

    fn seen_letter(&self, digest: &[u8; 16]) -> Result<Option<SeenLetter>, StoreError> {
        let json = self.trees.get(Tree::SeenLetters, digest)?;
        json.map(|json| from_json(&json)).transpose()
    }

    fn seen_file(&self, name: &str) -> Result<Option<String>, StoreError> {
        let disposition = self.trees.get(Tree::SeenFiles, name)?;
        disposition
            .map(|disposition| String::from_utf8(disposition.to_vec()).map_err(StoreError::damaged))
            .transpose()
    }

    fn unread(&self) -> Result<BTreeMap<String, Unread>, StoreError> {
        let all = self.trees.scan(Tree::Unread, .., |name, json| {
            Ok(Some((String::from_utf8_lossy(name).into_owned(), from_json(json)?)))
        });
        Ok(all?.into_iter().collect())
    }

    fn answers_since(&self, address: &str, since: i64) -> Result<Vec<i64>, StoreError> {
        let (_, end) = under(Key::address(address).bytes());
        let start = Key::address(address).then_seconds(since).bytes();
        let range = (std::ops::Bound::Included(start), end);
        let times = self.trees.scan(Tree::Answers, range, |key, count| {
            let at = key.get(16..).map_or(Ok(0), |seconds| Parts(seconds).seconds())?;
            Ok(Some((at, Parts(count).number()? as usize)))
        })?;
        Ok(times.into_iter().flat_map(|(at, count)| std::iter::repeat_n(at, count)).collect())
    }

    fn posted(
        &self,
        message_id: &str,
        since: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Result<Option<Posted>, StoreError> {
        for days in 0..=(until - since).num_days() + 1 {
            let key = Key::posted(until - TimeDelta::days(days), message_id).bytes();
            if let Some(value) = self.trees.get(Tree::Posted, key)? {
                let mut parts = Parts(&value);
                let at = DateTime::from_timestamp(parts.seconds()?, 0);
                let Some(at) = at.filter(|at| since <= *at && *at <= until) else { break };
                return Ok(Some(Posted { at, letter: from_json(parts.0)? }));
            }
        }
        Ok(None)
    }

    fn moderator(&self) -> Result<u32, StoreError> {
        let kept = self.trees.get(Tree::Meta, MODERATOR)?;
        Ok(kept.map(|kept| from_json(&kept)).transpose()?.unwrap_or_default())
    }

    fn heartbeat(&self) -> Result<Option<Heartbeat>, StoreError> {
        let json = self.trees.get(Tree::Meta, PULSE)?;
        json.map(|json| from_json(&json)).transpose()
    }

    fn morning(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        let json = self.trees.get(Tree::Meta, MORNING)?;
        json.map(|json| from_json(&json)).transpose()
    }

    fn restored(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        let json = self.trees.get(Tree::Meta, RESTORED)?;
        json.map(|json| from_json(&json)).transpose()
    }
}

impl Store {
    /// What is kept of a game; nothing when there is none.
    pub(super) fn row(&self, game: u32) -> Result<GameRow<'static>, StoreError> {
        self.trees.row(game)
    }

    /// What `read` makes of all games' rows, by number.
    pub(super) fn scan_rows<T>(
        &self,
        read: impl FnMut(u32, &GameRow<'_>) -> Result<Option<T>, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        self.trees.scan_rows(0..=u32::MAX, read)
    }

    /// A field of all games that have it, by number.
    fn scan_field<T: DeserializeOwned>(&self, field: Field) -> Result<Vec<(u32, T)>, StoreError> {
        let mut all = Vec::new();
        self.each_field(field, |game, value| {
            all.push((game, value));
            Ok(())
        })?;
        Ok(all)
    }

    /// Gives a field of each game that has it to `take`, by number.
    pub(super) fn each_field<T: DeserializeOwned>(
        &self,
        field: Field,
        mut take: impl FnMut(u32, T) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.scan_rows(|game, row| {
            let value = row.get(field).map(later::whole).transpose()?;
            value.map_or(Ok(()), |value| take(game, value))?;
            Ok(None::<()>)
        })?;
        Ok(())
    }

    /// Gives everyone's seat to `take`: game, seat, who.
    pub(super) fn each_seat(
        &self,
        mut take: impl FnMut(u32, Seat, Seated) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.scan_rows(|game, row| {
            let seats = &mut row.seats();
            seats.try_for_each(|(seat, json)| take(game, seat, later::whole(json)?))?;
            Ok(None::<()>)
        })?;
        Ok(())
    }

    /// The games of all campaigns.
    pub(super) fn all_campaign_games(&self) -> Result<Vec<CampaignGame>, StoreError> {
        self.trees.scan(Tree::CampaignGames, .., |_, json| Ok(Some(later::whole(json)?)))
    }

    /// All letters that were processed: the digest of each, and what became of it.
    pub(super) fn all_seen_letters(&self) -> Result<Vec<([u8; 16], SeenLetter)>, StoreError> {
        self.trees.scan(Tree::SeenLetters, .., |digest, json| {
            Ok(Some((digest.try_into().map_err(StoreError::damaged)?, from_json(json)?)))
        })
    }

    /// The entries that a batch rewords, each with its game and number.
    pub(super) fn entries_to_reword<'b>(
        &self,
        batch: &'b Batch,
    ) -> Result<Vec<(EntryPlace, &'b ActivityEntry)>, StoreError> {
        let mut found = Vec::new();
        for entries in batch.reworded.chunk_by(|(game, ..), (next, ..)| game == next) {
            let Some((game, ..)) = entries.first() else { continue };
            let number = |key: &[u8], _: &[u8]| {
                let mut key = Parts(key);
                key.number()?;
                let (number, piece) = (key.long()?, key.number()?);
                Ok(Some(number).filter(|_| piece == 0))
            };
            let numbers = self.trees.scan(Tree::Minutes, under(Key::of(*game).bytes()), number)?;
            for (_, place, entry) in entries {
                let number = numbers.get(*place);
                let none = || StoreError::damaged("an entry of an activity log is missing");
                found.push(((*game, *number.ok_or_else(none)?), entry));
            }
        }
        Ok(found)
    }

    /// What was said and done around all games, game by game.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(super) fn all_minutes(&self) -> Result<Vec<(u32, ActivityEntry)>, StoreError> {
        self.minutes_in(..)
    }

    fn minutes_in(
        &self,
        range: impl RangeBounds<Vec<u8>>,
    ) -> Result<Vec<(u32, ActivityEntry)>, StoreError> {
        self.trees.scan_whole(Tree::Minutes, range, 12, |key, json| {
            Ok(Some((Parts(key).number()?, later::whole(json)?)))
        })
    }
}

/// What a list needs of a game. An outline that is not this log's is none, nor is one of a version
/// that says other things: it follows from the log, so nothing is lost by it.
fn facts(row: &GameRow<'_>) -> Result<GameFacts, StoreError> {
    let lines = row.log()?.lines;
    let outline = row.get(Field::Outline).and_then(|json| from_json::<Outline>(json).ok());
    let seats = row.seats().map(|(_, json)| from_json::<Sitting>(json));
    Ok(GameFacts {
        lines,
        seats: seats.collect::<Result<_, StoreError>>()?,
        room: row.get(Field::Room).map(later::whole).transpose()?.unwrap_or_default(),
        clock: row.get(Field::Clock).map(later::whole).transpose()?,
        outline: outline.filter(|outline| outline.is_of(lines)),
    })
}

/// The number after this one; the first where there is none.
fn number_after(tree: Tree, last: Option<u32>) -> Result<u32, StoreError> {
    let none_left = || StoreError::damaged(format!("no number is left for {}", tree.name()));
    last.unwrap_or(0).checked_add(1).ok_or_else(none_left)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who is told of damage moves the store away; who is told of a later version installs it.
    #[test]
    fn a_list_tells_what_a_later_version_wrote_from_damage() {
        let former = r#"{"former":[{"seat":1,"member":2,"thanked":true}]}"#;
        for room in [former, r#"{"hats":3}"#] {
            let mut row = GameRow::default();
            row.set(Field::Room, room.as_bytes()).unwrap();
            let failed = facts(&row);
            assert!(matches!(failed, Err(StoreError::Newer(_))), "{failed:?}");
        }
    }
}
