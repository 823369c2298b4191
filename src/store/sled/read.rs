//! How what can be asked is read from sled's trees.
//!
//! Changes nothing.

use super::Store;
use super::change::{CLOCKS, HEARTBEAT, MODERATOR, MORNING, RESTORED};
use super::game_row::{Field, GameRow};
use super::pieces::missing;
use super::trees::{Tree, under};
use crate::club::clock::{GameClock, Heartbeat};
use crate::club::{ActivityEntry, GameRoom, Member, Seated};
use crate::rules::Seat;
use crate::store::batch::{CampaignGame, Posted, SeenLetter, Unread};
use crate::store::keys::{Key, Parts};
use crate::store::{GameFacts, Repository, Sitting, StoreError, from_json, later};
use crate::table::Outline;
use chrono::{DateTime, TimeDelta, Utc};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::ops::Range;

impl Repository for Store {
    fn log(&self, game: u32) -> Result<Vec<String>, StoreError> {
        let log = self.trees.row(game)?.log()?;
        let text = self.trees.log_text(game, log, 0)?;
        let text = String::from_utf8(text).map_err(StoreError::damaged)?;
        let lines: Vec<String> = text.split_terminator('\n').map(str::to_owned).collect();
        if lines.len() == log.lines as usize { Ok(lines) } else { Err(missing(game)) }
    }

    fn log_length(&self, game: u32) -> Result<u32, StoreError> {
        Ok(self.trees.row(game)?.log()?.lines)
    }

    fn game_facts(&self, game: u32) -> Result<GameFacts, StoreError> {
        facts(&self.trees.row(game)?)
    }

    fn facts_of_games(&self, games: Range<u32>) -> Result<Vec<(u32, GameFacts)>, StoreError> {
        // No number is below 0.
        let Some(last) = games.end.checked_sub(1) else { return Ok(Vec::new()) };
        let mut all = Vec::new();
        self.trees.each_row(games.start..=last, |game, row| {
            if row.is_game() {
                all.push((game, facts(row)?));
            }
            Ok(())
        })?;
        Ok(all)
    }

    fn games(&self) -> Result<Vec<u32>, StoreError> {
        let mut games = Vec::new();
        self.each_row(|game, row| {
            games.extend((row.log()?.lines > 0).then_some(game));
            Ok(())
        })?;
        Ok(games)
    }

    fn next_game(&self) -> Result<u32, StoreError> {
        number_after(Tree::Games, self.trees.last_game()?)
    }

    fn campaign_games(&self, campaign: &str) -> Result<Vec<CampaignGame>, StoreError> {
        let of = under(Key::address(campaign).bytes());
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
        let row = self.trees.row(game)?;
        row.seats().map(|(_, json)| Ok(later::whole(json)?)).collect()
    }

    fn seats_of(&self, member: u32) -> Result<Vec<(u32, Seat)>, StoreError> {
        self.trees.places(member)
    }

    fn room(&self, game: u32) -> Result<GameRoom, StoreError> {
        Ok(self
            .trees
            .row(game)?
            .get(Field::ROOM)
            .map(later::whole)
            .transpose()?
            .unwrap_or_default())
    }

    fn rooms(&self) -> Result<Vec<(u32, GameRoom)>, StoreError> {
        self.all_of(Field::ROOM)
    }

    fn minutes(&self, game: u32) -> Result<Vec<ActivityEntry>, StoreError> {
        let (range, mut minutes) = (under(Key::of(game).bytes()), Vec::new());
        self.trees.each_whole(Tree::Minutes, range, 8, |_, json| {
            minutes.push(later::whole(json)?);
            Ok(())
        })?;
        Ok(minutes)
    }

    fn clock(&self, game: u32) -> Result<Option<GameClock>, StoreError> {
        Ok(self.trees.row(game)?.get(Field::CLOCK).map(later::whole).transpose()?)
    }

    fn clocks(&self) -> Result<Vec<(u32, GameClock)>, StoreError> {
        self.all_of(Field::CLOCK)
    }

    fn has_clocks(&self) -> Result<bool, StoreError> {
        Ok(self.trees.get(Tree::Meta, CLOCKS)?.is_some())
    }

    fn due(&self, until: DateTime<Utc>) -> Result<Vec<u32>, StoreError> {
        self.trees.due(until)
    }

    fn due_at(&self, game: u32) -> Result<Option<DateTime<Utc>>, StoreError> {
        let row = self.trees.row(game)?;
        row.get(Field::DUE).map(|moment| Parts(moment).moment()).transpose()
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
        Ok(self.meta(MODERATOR)?.unwrap_or_default())
    }

    fn heartbeat(&self) -> Result<Option<Heartbeat>, StoreError> {
        self.meta(HEARTBEAT)
    }

    fn morning(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        self.meta(MORNING)
    }

    fn restored(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        self.meta(RESTORED)
    }
}

impl Store {
    /// Gives the rows of all games to `take`, by number.
    pub(super) fn each_row(
        &self,
        take: impl FnMut(u32, &GameRow<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.trees.each_row(0..=u32::MAX, take)
    }

    /// Returns a value that a club has one of.
    fn meta<T: DeserializeOwned>(&self, key: &[u8]) -> Result<Option<T>, StoreError> {
        self.trees.get(Tree::Meta, key)?.map(|json| from_json(&json)).transpose()
    }

    /// Returns a field of all games that have it, by number.
    fn all_of<T: DeserializeOwned>(&self, field: u8) -> Result<Vec<(u32, T)>, StoreError> {
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
        field: u8,
        mut take: impl FnMut(u32, T) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.each_row(|game, row| {
            let value = row.get(field).map(later::whole).transpose()?;
            value.map_or(Ok(()), |value| take(game, value))
        })
    }
}

/// Reads what a list needs of a game. Leaves out an outline that is not of the log's last line.
fn facts(row: &GameRow<'_>) -> Result<GameFacts, StoreError> {
    let lines = row.log()?.lines;
    let seats = row.seats().map(|(_, json)| from_json::<Sitting>(json));
    Ok(GameFacts {
        lines,
        seats: seats.collect::<Result<_, StoreError>>()?,
        room: row.get(Field::ROOM).map(later::whole).transpose()?.unwrap_or_default(),
        clock: row.get(Field::CLOCK).map(later::whole).transpose()?,
        outline: outline_of(row).filter(|outline| outline.is_of(lines)),
    })
}

/// Reads a game's outline. One that another version wrote in another form is none: it follows from
/// the log, so nothing is lost.
pub(super) fn outline_of(row: &GameRow<'_>) -> Option<Outline> {
    row.get(Field::OUTLINE).and_then(|json| from_json(json).ok())
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
            row.set(Field::ROOM, room.as_bytes()).unwrap();
            let failed = facts(&row);
            assert!(matches!(failed, Err(StoreError::Newer(_))), "{failed:?}");
        }
    }
}
