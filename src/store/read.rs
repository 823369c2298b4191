//! How what can be asked is read from sled's trees.
//!
//! Changes nothing.

use super::batch::{CampaignGame, Posted, SeenLetter, Unread};
use super::change::{MODERATOR, MORNING, PULSE, RESTORED};
use super::keys::{Key, Parts};
use super::trees::{Tree, under};
use super::{Repository, Store, StoreError, from_json, later};
use crate::club::clock::{GameClock, Heartbeat};
use crate::club::{ActivityEntry, GameRoom, Member, Seated};
use crate::rules::Seat;
use chrono::{DateTime, TimeDelta, Utc};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::ops::RangeBounds;

impl Repository for Store {
    fn log(&self, game: u32) -> Result<Vec<String>, StoreError> {
        self.log_from(game, 0)
    }

    fn last_line(&self, game: u32) -> Result<Option<String>, StoreError> {
        match self.log_length(game)?.checked_sub(1) {
            Some(last) => Ok(self.log_from(game, last)?.pop()),
            None => Ok(None),
        }
    }

    fn log_length(&self, game: u32) -> Result<u32, StoreError> {
        let length = self.trees.get(Tree::Games, Key::of(game).bytes())?;
        length.map_or(Ok(0), |length| Parts(&length).number())
    }

    fn games(&self) -> Result<Vec<u32>, StoreError> {
        self.trees.scan(Tree::Games, .., |key, _| Parts(key).number().map(Some))
    }

    fn next_game(&self) -> Result<u32, StoreError> {
        Ok(self.next_number(Tree::Games)?.max(self.next_number(Tree::Gatherings)?))
    }

    fn campaign_games(&self, campaign: &str) -> Result<Vec<CampaignGame>, StoreError> {
        let of = under(Key::campaign(campaign).bytes());
        self.trees.scan(Tree::CampaignGames, of, |_, json| Ok(Some(later::whole(json)?)))
    }

    fn members(&self) -> Result<Vec<Member>, StoreError> {
        self.trees.scan(Tree::Members, .., |_, json| Ok(Some(later::whole(json)?)))
    }

    fn next_member(&self) -> Result<u32, StoreError> {
        self.next_number(Tree::Members)
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
        let table = under(Key::of(game).bytes());
        self.trees.scan(Tree::Seats, table, |_, json| Ok(Some(later::whole(json)?)))
    }

    fn seats_of(&self, member: u32) -> Result<Vec<(u32, Seat)>, StoreError> {
        self.trees.scan(Tree::SeatsOf, under(Key::of(member).bytes()), |key, _| {
            let mut parts = Parts(key);
            parts.number()?;
            Ok(Some((parts.number()?, parts.seat()?)))
        })
    }

    fn room(&self, game: u32) -> Result<GameRoom, StoreError> {
        let range = under(Key::of(game).bytes());
        let found = self.whole(Tree::Gatherings, range, 4)?;
        Ok(found.into_iter().next().map(|(_, room)| room).unwrap_or_default())
    }

    fn rooms(&self) -> Result<Vec<(u32, GameRoom)>, StoreError> {
        self.whole(Tree::Gatherings, .., 4)
    }

    fn minutes(&self, game: u32) -> Result<Vec<ActivityEntry>, StoreError> {
        let found = self.whole(Tree::Minutes, under(Key::of(game).bytes()), 12)?;
        Ok(found.into_iter().map(|(_, minute)| minute).collect())
    }

    fn clock(&self, game: u32) -> Result<Option<GameClock>, StoreError> {
        let json = self.trees.get(Tree::Clocks, Key::of(game).bytes())?;
        Ok(json.map(|json| later::whole(&json)).transpose()?)
    }

    fn clocks(&self) -> Result<Vec<(u32, GameClock)>, StoreError> {
        self.trees.scan(Tree::Clocks, .., |key, json| {
            Ok(Some((Parts(key).number()?, later::whole(json)?)))
        })
    }

    fn has_clocks(&self) -> Result<bool, StoreError> {
        Ok(self.trees.last(Tree::Clocks)?.is_some())
    }

    fn due(&self, until: DateTime<Utc>) -> Result<Vec<u32>, StoreError> {
        let last = Key::moment(until).then(u32::MAX).bytes();
        self.trees.scan(Tree::Due, ..=last, |key, _| {
            let mut parts = Parts(key);
            parts.moment()?;
            parts.number().map(Some)
        })
    }

    fn due_at(&self, game: u32) -> Result<Option<DateTime<Utc>>, StoreError> {
        let moment = self.trees.get(Tree::DueAt, Key::of(game).bytes())?;
        moment.map(|moment| Parts(&moment).moment()).transpose()
    }

    fn next_due(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        let first =
            self.trees.scan_up_to(1, Tree::Due, .., |key, _| Parts(key).moment().map(Some))?;
        Ok(first.into_iter().next())
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
                // Earlier versions did not note what it told.
                let told = if parts.0.is_empty() { Vec::new() } else { from_json(parts.0)? };
                return Ok(Some(Posted { at, told }));
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
    /// The lines of a game's log from the line with the number `first` on.
    pub(super) fn log_from(&self, game: u32, first: u32) -> Result<Vec<String>, StoreError> {
        let length = self.log_length(game)?;
        let mut lines: Vec<Vec<u8>> = Vec::new();
        let (_, end) = under(Key::of(game).bytes());
        let start = std::ops::Bound::Included(Key::of(game).then(first).bytes());
        self.trees.scan(Tree::Log, (start, end), |key, piece| {
            let mut parts = Parts(key);
            let (_, _, part) = (parts.number()?, parts.number()?, parts.number()?);
            match lines.last_mut().filter(|_| part > 0) {
                Some(line) => line.extend(piece),
                None => lines.push(piece.to_vec()),
            }
            Ok(None::<()>)
        })?;
        if lines.len() != length.saturating_sub(first) as usize {
            return Err(StoreError::damaged(format_args!("a record of game {game} is missing")));
        }
        let text = |line| String::from_utf8(line).map_err(StoreError::damaged);
        lines.into_iter().map(text).collect()
    }

    fn next_number(&self, tree: Tree) -> Result<u32, StoreError> {
        let last = self.trees.last(tree)?;
        let last = last.map_or(Ok(0), |key| Parts(&key).number())?;
        let none_left = || StoreError::damaged(format!("no number is left for {}", tree.name()));
        last.checked_add(1).ok_or_else(none_left)
    }

    /// Everyone's seat: game, seat, who.
    pub(super) fn all_seats(&self) -> Result<Vec<(u32, Seat, Seated)>, StoreError> {
        self.trees.scan(Tree::Seats, .., |key, json| {
            let mut parts = Parts(key);
            Ok(Some((parts.number()?, parts.seat()?, later::whole(json)?)))
        })
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

    /// What was said and done around all games, game by game.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(super) fn all_minutes(&self) -> Result<Vec<(u32, ActivityEntry)>, StoreError> {
        self.whole(Tree::Minutes, .., 12)
    }

    /// The values of a tree that keeps them in pieces, each with the number that its key begins
    /// with. The key of a value is of this many bytes; the number of the piece follows.
    fn whole<T: DeserializeOwned>(
        &self,
        tree: Tree,
        range: impl RangeBounds<Vec<u8>>,
        key_bytes: usize,
    ) -> Result<Vec<(u32, T)>, StoreError> {
        let mut found: Vec<(u32, Vec<u8>)> = Vec::new();
        self.trees.scan(tree, range, |key, piece| {
            let (of, part) = key.split_at_checked(key_bytes).unwrap_or((key, &[]));
            match found.last_mut().filter(|_| Parts(part).number().is_ok_and(|part| part > 0)) {
                Some((_, bytes)) => bytes.extend(piece),
                None => found.push((Parts(of).number()?, piece.to_vec())),
            }
            Ok(None::<()>)
        })?;
        found.into_iter().map(|(number, bytes)| Ok((number, later::whole(&bytes)?))).collect()
    }
}
