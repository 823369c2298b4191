//! What can be asked of the store.
//!
//! Changes nothing.

use super::batch::{CampaignGame, Queued, SeenLetter, Unread};
use super::change::{MODERATOR, MORNING, PULSE, RESTORED};
use super::keys::{Key, Parts};
use super::shelves::{Shelf, under};
use super::{Slip, Store, StoreError, from_json, later};
use crate::club::clock::{GameClock, Pulse};
use crate::club::{Member, Seated};
use crate::rules::Seat;
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::BTreeMap;

/// No letter is put off for longer than this at a time.
const WAITS_MAX: TimeDelta = TimeDelta::days(2);

impl Store {
    /// All lines of a game's log in order; none when there is no such game.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] also when a line is missing.
    pub fn log(&self, game: u32) -> Result<Vec<String>, StoreError> {
        self.log_from(game, 0)
    }

    /// The lines of a game's log from the line with the number `first` on.
    pub(super) fn log_from(&self, game: u32, first: u32) -> Result<Vec<String>, StoreError> {
        let length = self.log_length(game)?;
        let mut lines: Vec<Vec<u8>> = Vec::new();
        let (_, end) = under(Key::of(game).bytes());
        let start = std::ops::Bound::Included(Key::of(game).then(first).bytes());
        self.shelves.scan(Shelf::Log, (start, end), |key, piece| {
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

    /// How many lines a game's log has; 0 when there is no such game.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn log_length(&self, game: u32) -> Result<u32, StoreError> {
        let length = self.shelves.get(Shelf::Games, Key::of(game).bytes())?;
        length.map_or(Ok(0), |length| Parts(&length).number())
    }

    /// The numbers of all games, ascending.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn games(&self) -> Result<Vec<u32>, StoreError> {
        self.shelves.scan(Shelf::Games, .., |key, _| Parts(key).number().map(Some))
    }

    /// The number for a new game: one more than the highest, from 1. One that only has people
    /// around it has its number too.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn next_game(&self) -> Result<u32, StoreError> {
        Ok(self.next_number(Shelf::Games)?.max(self.next_number(Shelf::Gatherings)?))
    }

    /// All members by number.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn members(&self) -> Result<Vec<Member>, StoreError> {
        self.shelves.scan(Shelf::Members, .., |_, json| Ok(Some(later::whole(json)?)))
    }

    /// The number for a new member: one more than the highest, from 1.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn next_member(&self) -> Result<u32, StoreError> {
        self.next_number(Shelf::Members)
    }

    fn next_number(&self, shelf: Shelf) -> Result<u32, StoreError> {
        let last = self.shelves.last(shelf)?;
        let last = last.map_or(Ok(0), |key| Parts(&key).number())?;
        let none_left = || StoreError::damaged(format!("no number is left for {}", shelf.name()));
        last.checked_add(1).ok_or_else(none_left)
    }

    /// The member with this number.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn member(&self, id: u32) -> Result<Option<Member>, StoreError> {
        let json = self.shelves.get(Shelf::Members, Key::of(id).bytes())?;
        Ok(json.map(|json| later::whole(&json)).transpose()?)
    }

    /// The member who has this address, which is in lower case, among his addresses.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn member_by_address(&self, address: &str) -> Result<Option<Member>, StoreError> {
        match self.shelves.get(Shelf::Addresses, Key::address(address).bytes())? {
            Some(id) => self.member(Parts(&id).number()?),
            None => Ok(None),
        }
    }

    /// Who sits at a game's table, by seat.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn seats(&self, game: u32) -> Result<Vec<Seated>, StoreError> {
        let table = under(Key::of(game).bytes());
        self.shelves.scan(Shelf::Seats, table, |_, json| Ok(Some(later::whole(json)?)))
    }

    /// Where a member sits: game and seat, ascending.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn seats_of(&self, member: u32) -> Result<Vec<(u32, Seat)>, StoreError> {
        self.shelves.scan(Shelf::SeatsOf, under(Key::of(member).bytes()), |key, _| {
            let mut parts = Parts(key);
            parts.number()?;
            Ok(Some((parts.number()?, parts.seat()?)))
        })
    }

    /// Everyone's seat: game, seat, who.
    pub(super) fn all_seats(&self) -> Result<Vec<(u32, Seat, Seated)>, StoreError> {
        self.shelves.scan(Shelf::Seats, .., |key, json| {
            let mut parts = Parts(key);
            Ok(Some((parts.number()?, parts.seat()?, later::whole(json)?)))
        })
    }

    /// The games of a campaign by round and table.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn campaign_games(&self, campaign: &str) -> Result<Vec<CampaignGame>, StoreError> {
        let of = under(Key::campaign(campaign).bytes());
        self.shelves.scan(Shelf::CampaignGames, of, |_, json| Ok(Some(later::whole(json)?)))
    }

    /// The games of all campaigns.
    pub(super) fn all_campaign_games(&self) -> Result<Vec<CampaignGame>, StoreError> {
        self.shelves.scan(Shelf::CampaignGames, .., |_, json| Ok(Some(later::whole(json)?)))
    }

    /// What became of a letter; `None` when it was never processed.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn seen_letter(&self, digest: &[u8; 16]) -> Result<Option<SeenLetter>, StoreError> {
        let json = self.shelves.get(Shelf::SeenLetters, digest)?;
        json.map(|json| from_json(&json)).transpose()
    }

    /// All letters that were processed: the digest of each, and what became of it.
    pub(super) fn all_seen_letters(&self) -> Result<Vec<([u8; 16], SeenLetter)>, StoreError> {
        self.shelves.scan(Shelf::SeenLetters, .., |digest, json| {
            Ok(Some((digest.try_into().map_err(StoreError::damaged)?, from_json(json)?)))
        })
    }

    /// The fate of a file, as it was committed; `None` when it was never processed.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn seen_file(&self, name: &str) -> Result<Option<String>, StoreError> {
        let fate = self.shelves.get(Shelf::SeenFiles, name)?;
        fate.map(|fate| String::from_utf8(fate.to_vec()).map_err(StoreError::damaged)).transpose()
    }

    /// When an address was answered, from `since` on: Unix seconds, ascending.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn answers_since(&self, address: &str, since: i64) -> Result<Vec<i64>, StoreError> {
        let (_, end) = under(Key::address(address).bytes());
        let start = Key::address(address).then_seconds(since).bytes();
        let range = (std::ops::Bound::Included(start), end);
        let times = self.shelves.scan(Shelf::Answers, range, |key, count| {
            let at = key.get(16..).map_or(Ok(0), |seconds| Parts(seconds).seconds())?;
            Ok(Some((at, Parts(count).number()? as usize)))
        })?;
        Ok(times.into_iter().flat_map(|(at, count)| std::iter::repeat_n(at, count)).collect())
    }

    /// The letters that may be sent now, oldest first, at most `limit`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn outbox(&self, now: DateTime<Utc>, limit: usize) -> Result<Vec<Queued>, StoreError> {
        self.shelves.scan_up_to(limit, Shelf::Outbox, .., |key, slip| {
            let slip: Slip = from_json(slip)?;
            // What waits longer than any letter does was put off by a clock that was ahead.
            let waits = |until: DateTime<Utc>| now < until && until <= now + WAITS_MAX;
            if slip.not_before.is_some_and(waits) {
                return Ok(None);
            }
            self.of_slip(Parts(key).long()?, slip).map(Some)
        })
    }

    /// When the letter of this Message-ID was last posted, if that was between these times.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn posted(
        &self,
        message_id: &str,
        since: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Result<Option<DateTime<Utc>>, StoreError> {
        for days in 0..=(until - since).num_days() + 1 {
            let key = Key::posted(until - TimeDelta::days(days), message_id).bytes();
            if let Some(at) = self.shelves.get(Shelf::Posted, key)? {
                let at = DateTime::from_timestamp(Parts(&at).seconds()?, 0);
                return Ok(at.filter(|at| since <= *at && *at <= until));
            }
        }
        Ok(None)
    }

    pub(super) fn letter(&self, key: u64, pieces: u32) -> Result<Vec<u8>, StoreError> {
        let range = under(Key::long(key).bytes());
        let found =
            self.shelves.scan(Shelf::Letters, range, |_, piece| Ok(Some(piece.to_vec())))?;
        if found.len() == pieces as usize {
            Ok(found.concat())
        } else {
            Err(StoreError::damaged("a part of a letter is missing"))
        }
    }

    /// How many letters wait, those put off included.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn outbox_length(&self) -> Result<usize, StoreError> {
        self.shelves.count(Shelf::Outbox)
    }

    /// The keys of all letters that wait.
    pub(super) fn outbox_keys(&self) -> Result<Vec<u64>, StoreError> {
        self.shelves.scan(Shelf::Outbox, .., |key, _| Parts(key).long().map(Some))
    }

    /// The games that are due at `until` or before, the longest due first; reads no others.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn due(&self, until: DateTime<Utc>) -> Result<Vec<u32>, StoreError> {
        let last = Key::moment(until).then(u32::MAX).bytes();
        self.shelves.scan(Shelf::Due, ..=last, |key, _| {
            let mut parts = Parts(key);
            parts.moment()?;
            parts.number().map(Some)
        })
    }

    /// When the next game is due.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn next_due(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        let first =
            self.shelves.scan_up_to(1, Shelf::Due, .., |key, _| Parts(key).moment().map(Some))?;
        Ok(first.into_iter().next())
    }

    /// A game's clock; none when it waits for ever.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn clock(&self, game: u32) -> Result<Option<GameClock>, StoreError> {
        let json = self.shelves.get(Shelf::Clocks, Key::of(game).bytes())?;
        Ok(json.map(|json| later::whole(&json)).transpose()?)
    }

    /// All games' clocks, by game.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn clocks(&self) -> Result<Vec<(u32, GameClock)>, StoreError> {
        self.shelves.scan(Shelf::Clocks, .., |key, json| {
            Ok(Some((Parts(key).number()?, later::whole(json)?)))
        })
    }

    /// Whether any game has a clock.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn has_clocks(&self) -> Result<bool, StoreError> {
        Ok(self.shelves.last(Shelf::Clocks)?.is_some())
    }

    /// When passes ran; none before the first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn pulse(&self) -> Result<Option<Pulse>, StoreError> {
        let json = self.shelves.get(Shelf::Meta, PULSE)?;
        json.map(|json| from_json(&json)).transpose()
    }

    /// The letters that cannot be read, by the names of their files.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn unread(&self) -> Result<BTreeMap<String, Unread>, StoreError> {
        let all = self.shelves.scan(Shelf::Unread, .., |name, json| {
            Ok(Some((String::from_utf8_lossy(name).into_owned(), from_json(json)?)))
        });
        Ok(all?.into_iter().collect())
    }

    /// How often the moderator's marks were made void.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn moderator(&self) -> Result<u32, StoreError> {
        let kept = self.shelves.get(Shelf::Meta, MODERATOR)?;
        Ok(kept.map(|kept| from_json(&kept)).transpose()?.unwrap_or_default())
    }

    /// When the moderator's morning digest was last thought of; none before the first pass.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn morning(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        let json = self.shelves.get(Shelf::Meta, MORNING)?;
        json.map(|json| from_json(&json)).transpose()
    }

    /// When the store was made anew from a journal; none when it never was.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn restored(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        let json = self.shelves.get(Shelf::Meta, RESTORED)?;
        json.map(|json| from_json(&json)).transpose()
    }

    /// The last line of a game's log; none when there is no such game.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn last_line(&self, game: u32) -> Result<Option<String>, StoreError> {
        match self.log_length(game)?.checked_sub(1) {
            Some(last) => Ok(self.log_from(game, last)?.pop()),
            None => Ok(None),
        }
    }

    /// The letters that could not be posted so far: to whom, and how often that was tried.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn unposted(&self) -> Result<Vec<(String, u32)>, StoreError> {
        self.shelves.scan(Shelf::Outbox, .., |_, slip| {
            let Slip { recipient, attempts, .. } = from_json(slip)?;
            Ok((attempts > 0).then_some((recipient, attempts)))
        })
    }

    /// When a game is due.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn due_at(&self, game: u32) -> Result<Option<DateTime<Utc>>, StoreError> {
        let moment = self.shelves.get(Shelf::DueAt, Key::of(game).bytes())?;
        moment.map(|moment| Parts(&moment).moment()).transpose()
    }
}
