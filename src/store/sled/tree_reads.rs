//! The [`Repository`] of a store on sled: each question as reads of the trees.

use super::Store;
use super::batch_changes::{
    HAS_CLOCKS, HEARTBEAT, LAST_MORNING_DIGEST, MODERATOR_GENERATION, RESTORED_AT,
};
use super::chunks::missing_record_error;
use super::game_row::{FieldTag, GameRow};
use super::trees::{Tree, keys_with_prefix};
use crate::club::clock::{GameClock, Heartbeat};
use crate::club::{ActivityEntry, GameInfo, Member, SeatAssignment};
use crate::rules::Seat;
use crate::store::batch::{CampaignGame, PostRecord, SeenLetter, UnreadableLetter};
use crate::store::keys::{Key, KeyReader};
use crate::store::{
    GameFacts, Repository, SeatHolder, StoreError, parse_stored_json, versioned_json,
};
use crate::table::Outline;
use chrono::{DateTime, TimeDelta, Utc};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::ops::Range;

impl Repository for Store {
    fn game_log_lines(&self, game: u32) -> Result<Vec<String>, StoreError> {
        let log = self.trees.game_row(game)?.log_extent()?;
        let text = self.trees.read_log_text(game, log, 0)?;
        let text = String::from_utf8(text).map_err(StoreError::damaged)?;
        let lines: Vec<String> = text.split_terminator('\n').map(str::to_owned).collect();
        if lines.len() == log.lines as usize { Ok(lines) } else { Err(missing_record_error(game)) }
    }

    fn log_length(&self, game: u32) -> Result<u32, StoreError> {
        Ok(self.trees.game_row(game)?.log_extent()?.lines)
    }

    fn game_facts(&self, game: u32) -> Result<GameFacts, StoreError> {
        read_facts(&self.trees.game_row(game)?)
    }

    fn facts_of_games(&self, games: Range<u32>) -> Result<Vec<(u32, GameFacts)>, StoreError> {
        // An end of 0 is an empty range, because no number is below 0.
        let Some(last) = games.end.checked_sub(1) else { return Ok(Vec::new()) };
        let mut all = Vec::new();
        self.trees.for_each_row(games.start..=last, |game, row| {
            if row.is_number_taken() {
                all.push((game, read_facts(row)?));
            }
            Ok(())
        })?;
        Ok(all)
    }

    fn game_numbers(&self) -> Result<Vec<u32>, StoreError> {
        let mut games = Vec::new();
        self.for_each_row(|game, row| {
            games.extend((row.log_extent()?.lines > 0).then_some(game));
            Ok(())
        })?;
        Ok(games)
    }

    fn next_game_number(&self) -> Result<u32, StoreError> {
        next_number(Tree::Games, self.trees.last_game_number()?)
    }

    fn campaign_games(&self, campaign: &str) -> Result<Vec<CampaignGame>, StoreError> {
        let of = keys_with_prefix(Key::from_text(campaign).into_bytes());
        self.trees.collect_entries(Tree::CampaignGames, of, |_, json| {
            Ok(Some(versioned_json::parse_strict(json)?))
        })
    }

    fn members(&self) -> Result<Vec<Member>, StoreError> {
        self.trees.collect_entries(Tree::Members, .., |_, json| {
            Ok(Some(versioned_json::parse_strict(json)?))
        })
    }

    fn next_member_number(&self) -> Result<u32, StoreError> {
        let last = self.trees.last_key(Tree::Members)?;
        next_number(Tree::Members, last.map(|key| KeyReader(&key).read_u32()).transpose()?)
    }

    fn member(&self, id: u32) -> Result<Option<Member>, StoreError> {
        let json = self.trees.get(Tree::Members, Key::from_u32(id).into_bytes())?;
        Ok(json.map(|json| versioned_json::parse_strict(&json)).transpose()?)
    }

    fn member_by_address(&self, address: &str) -> Result<Option<Member>, StoreError> {
        match self.trees.get(Tree::Addresses, Key::from_text(address).into_bytes())? {
            Some(id) => self.member(KeyReader(&id).read_u32()?),
            None => Ok(None),
        }
    }

    fn seat_assignments(&self, game: u32) -> Result<Vec<SeatAssignment>, StoreError> {
        let row = self.trees.game_row(game)?;
        row.seats().map(|(_, json)| Ok(versioned_json::parse_strict(json)?)).collect()
    }

    fn member_seats(&self, member: u32) -> Result<Vec<(u32, Seat)>, StoreError> {
        self.trees.member_seats(member)
    }

    fn game_info(&self, game: u32) -> Result<GameInfo, StoreError> {
        Ok(self
            .trees
            .game_row(game)?
            .get(FieldTag::ROOM)
            .map(versioned_json::parse_strict)
            .transpose()?
            .unwrap_or_default())
    }

    fn game_infos(&self) -> Result<Vec<(u32, GameInfo)>, StoreError> {
        self.collect_field(FieldTag::ROOM)
    }

    fn activity_log(&self, game: u32) -> Result<Vec<ActivityEntry>, StoreError> {
        let (range, mut minutes) = (keys_with_prefix(Key::from_u32(game).into_bytes()), Vec::new());
        self.trees.for_each_chunked(Tree::Activity, range, 8, |_, json| {
            minutes.push(versioned_json::parse_strict(json)?);
            Ok(())
        })?;
        Ok(minutes)
    }

    fn clock(&self, game: u32) -> Result<Option<GameClock>, StoreError> {
        Ok(self
            .trees
            .game_row(game)?
            .get(FieldTag::CLOCK)
            .map(versioned_json::parse_strict)
            .transpose()?)
    }

    fn clocks(&self) -> Result<Vec<(u32, GameClock)>, StoreError> {
        self.collect_field(FieldTag::CLOCK)
    }

    fn has_ever_had_clock(&self) -> Result<bool, StoreError> {
        Ok(self.trees.get(Tree::Meta, HAS_CLOCKS)?.is_some())
    }

    fn due_games(&self, until: DateTime<Utc>) -> Result<Vec<u32>, StoreError> {
        self.trees.due_games(until)
    }

    fn due_time(&self, game: u32) -> Result<Option<DateTime<Utc>>, StoreError> {
        let row = self.trees.game_row(game)?;
        row.get(FieldTag::DUE).map(|moment| KeyReader(moment).read_time()).transpose()
    }

    fn next_due_time(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        self.trees.next_due_time()
    }

    fn letter_outcome(&self, digest: &[u8; 16]) -> Result<Option<SeenLetter>, StoreError> {
        let json = self.trees.get(Tree::SeenLetters, digest)?;
        json.map(|json| parse_stored_json(&json)).transpose()
    }

    fn letters_of_member(&self, member: u32) -> Result<BTreeMap<[u8; 16], SeenLetter>, StoreError> {
        let own = self.trees.collect_entries(Tree::SeenLetters, .., |digest, json| {
            let seen: SeenLetter = parse_stored_json(json)?;
            let digest = <[u8; 16]>::try_from(digest).map_err(StoreError::damaged)?;
            Ok(seen.is_of_member(member).then_some((digest, seen)))
        });
        Ok(own?.into_iter().collect())
    }

    fn file_outcome_text(&self, name: &str) -> Result<Option<String>, StoreError> {
        let disposition = self.trees.get(Tree::SeenFiles, name)?;
        disposition
            .map(|disposition| String::from_utf8(disposition.to_vec()).map_err(StoreError::damaged))
            .transpose()
    }

    fn unreadable_letters(&self) -> Result<BTreeMap<String, UnreadableLetter>, StoreError> {
        let all = self.trees.collect_entries(Tree::Unreadable, .., |name, json| {
            Ok(Some((String::from_utf8_lossy(name).into_owned(), parse_stored_json(json)?)))
        });
        Ok(all?.into_iter().collect())
    }

    fn event_times_since(&self, address: &str, since: i64) -> Result<Vec<i64>, StoreError> {
        let (_, end) = keys_with_prefix(Key::from_text(address).into_bytes());
        let start = Key::from_text(address).with_sortable_seconds(since).into_bytes();
        let range = (std::ops::Bound::Included(start), end);
        let times = self.trees.collect_entries(Tree::Answers, range, |key, count| {
            let at = key.get(16..).map_or(Ok(0), |seconds| KeyReader(seconds).read_seconds())?;
            Ok(Some((at, KeyReader(count).read_u32()? as usize)))
        })?;
        Ok(times.into_iter().flat_map(|(at, count)| std::iter::repeat_n(at, count)).collect())
    }

    fn post_record(
        &self,
        message_id: &str,
        since: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Result<Option<PostRecord>, StoreError> {
        for days in 0..=(until - since).num_days() + 1 {
            let key = Key::for_post_record(until - TimeDelta::days(days), message_id).into_bytes();
            if let Some(value) = self.trees.get(Tree::PostRecords, key)? {
                let mut parts = KeyReader(&value);
                let at = DateTime::from_timestamp(parts.read_seconds()?, 0);
                let Some(at) = at.filter(|at| since <= *at && *at <= until) else { break };
                return Ok(Some(PostRecord { at, letter: parse_stored_json(parts.0)? }));
            }
        }
        Ok(None)
    }

    fn moderator_generation(&self) -> Result<u32, StoreError> {
        Ok(self.read_meta(MODERATOR_GENERATION)?.unwrap_or_default())
    }

    fn heartbeat(&self) -> Result<Option<Heartbeat>, StoreError> {
        self.read_meta(HEARTBEAT)
    }

    fn last_morning_digest(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        self.read_meta(LAST_MORNING_DIGEST)
    }

    fn restored_at(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        self.read_meta(RESTORED_AT)
    }
}

impl Store {
    /// Passes the rows of all games to `visit`, by number.
    pub(super) fn for_each_row(
        &self,
        visit: impl FnMut(u32, &GameRow<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.trees.for_each_row(0..=u32::MAX, visit)
    }

    /// Reads an entry of [`Tree::Meta`], such as the heartbeat.
    fn read_meta<T: DeserializeOwned>(&self, key: &[u8]) -> Result<Option<T>, StoreError> {
        self.trees.get(Tree::Meta, key)?.map(|json| parse_stored_json(&json)).transpose()
    }

    /// Collects a field of all games that have it, by number.
    fn collect_field<T: DeserializeOwned>(&self, field: u8) -> Result<Vec<(u32, T)>, StoreError> {
        let mut all = Vec::new();
        self.for_each_field(field, |game, value| {
            all.push((game, value));
            Ok(())
        })?;
        Ok(all)
    }

    /// Passes a field of each game that has it to `visit`, by number.
    pub(super) fn for_each_field<T: DeserializeOwned>(
        &self,
        field: u8,
        mut visit: impl FnMut(u32, T) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.for_each_row(|game, row| {
            let value = row.get(field).map(versioned_json::parse_strict).transpose()?;
            value.map_or(Ok(()), |value| visit(game, value))
        })
    }
}

/// Reads the facts of a game for a list. Leaves out an outline that does not belong to the log's
/// last line.
fn read_facts(row: &GameRow<'_>) -> Result<GameFacts, StoreError> {
    let lines = row.log_extent()?.lines;
    let seats = row.seats().map(|(_, json)| parse_stored_json::<SeatHolder>(json));
    Ok(GameFacts {
        log_length: lines,
        seats: seats.collect::<Result<_, StoreError>>()?,
        room: row
            .get(FieldTag::ROOM)
            .map(versioned_json::parse_strict)
            .transpose()?
            .unwrap_or_default(),
        clock: row.get(FieldTag::CLOCK).map(versioned_json::parse_strict).transpose()?,
        outline: read_outline(row).filter(|outline| outline.matches_log_length(lines)),
    })
}

/// Reads a game's outline. Returns `None` for one that another version stored in another form: it
/// follows from the log, so nothing is lost.
pub(super) fn read_outline(row: &GameRow<'_>) -> Option<Outline> {
    row.get(FieldTag::OUTLINE).and_then(|json| parse_stored_json(json).ok())
}

/// Returns the number after `last`; 1 if there is none.
fn next_number(tree: Tree, last: Option<u32>) -> Result<u32, StoreError> {
    let none_left = || StoreError::damaged(format!("no number is left for {}", tree.name()));
    last.unwrap_or(0).checked_add(1).ok_or_else(none_left)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The two errors have different remedies: after damage the moderator moves the store away,
    /// after a later version they install that version.
    #[test]
    fn game_facts_report_newer_version_not_damage() {
        let former = r#"{"former":[{"seat":1,"member":2,"thanked":true}]}"#;
        for room in [former, r#"{"hats":3}"#] {
            let mut row = GameRow::default();
            row.set(FieldTag::ROOM, room.as_bytes()).unwrap();
            let failed = read_facts(&row);
            assert!(matches!(failed, Err(StoreError::Newer(_))), "{failed:?}");
        }
    }
}
