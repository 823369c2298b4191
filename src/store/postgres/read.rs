//! What can be asked of the store, each question where its tables are.

use super::columns::whole_text;
use super::known::{Game, House, Single};
use super::{Postgres, games, letters, members};
use crate::club::clock::{GameClock, Heartbeat};
use crate::club::{ActivityEntry, GameRoom, Member, Seated};
use crate::rules::Seat;
use crate::store::{
    CampaignGame, GameFacts, Posted, Repository, Row, SeenLetter, StoreError, Unread, from_json,
};
use chrono::{DateTime, Utc};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

impl Repository for Postgres {
    fn log(&self, game: u32) -> Result<Vec<String>, StoreError> {
        let log = self.ask(|known, session| known.log(session, self.club, game))?;
        Ok(log.to_vec())
    }

    fn last_line(&self, game: u32) -> Result<Option<String>, StoreError> {
        let log = self.ask(|known, session| known.log(session, self.club, game))?;
        Ok(log.last().cloned())
    }

    fn log_length(&self, game: u32) -> Result<u32, StoreError> {
        Ok(self.known_game(game)?.lines)
    }

    fn game_facts(&self, game: u32) -> Result<GameFacts, StoreError> {
        let only = (game, game);
        let found = games::facts(&mut self.session(), self.club, only)?;
        Ok(found.into_iter().next().map(|(_, facts, _)| facts).unwrap_or_default())
    }

    fn facts_of_games(&self, games: Range<u32>) -> Result<Vec<(u32, GameFacts)>, StoreError> {
        let Some(last) = games.end.checked_sub(1).filter(|last| games.start <= *last) else {
            return Ok(Vec::new());
        };
        let found = games::facts(&mut self.session(), self.club, (games.start, last))?;
        let found = found.into_iter().filter(|(_, _, is_game)| *is_game);
        Ok(found.map(|(game, facts, _)| (game, facts)).collect())
    }

    fn games(&self) -> Result<Vec<u32>, StoreError> {
        Ok(games::all(&mut self.session(), self.club)?)
    }

    fn next_game(&self) -> Result<u32, StoreError> {
        Ok(games::next(&mut self.session(), self.club)?)
    }

    fn campaign_games(&self, campaign: &str) -> Result<Vec<CampaignGame>, StoreError> {
        Ok(games::of_campaign(&mut self.session(), self.club, campaign)?)
    }

    fn members(&self) -> Result<Vec<Member>, StoreError> {
        Ok(members::all(&mut self.session(), self.club)?)
    }

    fn next_member(&self) -> Result<u32, StoreError> {
        Ok(members::next(&mut self.session(), self.club)?)
    }

    fn member(&self, id: u32) -> Result<Option<Member>, StoreError> {
        let member = self.ask(|known, session| known.member(session, self.club, id))?;
        member.text.as_deref().map(whole_text).transpose()
    }

    fn member_by_address(&self, address: &str) -> Result<Option<Member>, StoreError> {
        let id = self.known_single(&Row::Address(address.to_owned()))?.text.clone();
        let id: Option<u32> = id.map(|id| id.parse()).transpose().map_err(StoreError::damaged)?;
        id.map_or(Ok(None), |id| self.member(id))
    }

    fn seats(&self, game: u32) -> Result<Vec<Seated>, StoreError> {
        self.known_game(game)?.seats.iter().map(|body| whole_text(body)).collect()
    }

    fn seats_of(&self, member: u32) -> Result<Vec<(u32, Seat)>, StoreError> {
        Ok(members::seats_of(&mut self.session(), self.club, member)?)
    }

    fn room(&self, game: u32) -> Result<GameRoom, StoreError> {
        let room = self.known_game(game)?.room.as_deref().map(whole_text).transpose()?;
        Ok(room.unwrap_or_default())
    }

    fn rooms(&self) -> Result<Vec<(u32, GameRoom)>, StoreError> {
        Ok(games::rooms(&mut self.session(), self.club)?)
    }

    fn minutes(&self, game: u32) -> Result<Vec<ActivityEntry>, StoreError> {
        Ok(games::minutes(&mut self.session(), self.club, game)?)
    }

    fn clock(&self, game: u32) -> Result<Option<GameClock>, StoreError> {
        self.known_game(game)?.clock.as_deref().map(whole_text).transpose()
    }

    fn clocks(&self) -> Result<Vec<(u32, GameClock)>, StoreError> {
        Ok(games::clocks(&mut self.session(), self.club)?)
    }

    fn has_clocks(&self) -> Result<bool, StoreError> {
        Ok(self.house()?.clocks)
    }

    fn due(&self, until: DateTime<Utc>) -> Result<Vec<u32>, StoreError> {
        Ok(games::due(&mut self.session(), self.club, until)?)
    }

    fn due_at(&self, game: u32) -> Result<Option<DateTime<Utc>>, StoreError> {
        Ok(self.known_game(game)?.due)
    }

    fn next_due(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        Ok(games::next_due(&mut self.session(), self.club)?)
    }

    fn seen_letter(&self, digest: &[u8; 16]) -> Result<Option<SeenLetter>, StoreError> {
        let seen = self.known_single(&Row::Letter(*digest))?;
        seen.text.as_deref().map(|seen| from_json(seen.as_bytes())).transpose()
    }

    fn seen_file(&self, name: &str) -> Result<Option<String>, StoreError> {
        let fate = self.known_single(&Row::File(name.to_owned()))?;
        fate.text.as_deref().map(|fate| from_json(fate.as_bytes())).transpose()
    }

    fn unread(&self) -> Result<BTreeMap<String, Unread>, StoreError> {
        if !self.house()?.unread {
            return Ok(BTreeMap::new());
        }
        Ok(letters::unread(&mut self.session(), self.club)?)
    }

    fn answers_since(&self, address: &str, since: i64) -> Result<Vec<i64>, StoreError> {
        let counted = self.ask(|known, session| known.counted(session, self.club, address))?;
        if since < counted.since {
            return Ok(letters::answers_since(&mut self.session(), self.club, address, since)?);
        }
        let times = counted.times.iter().filter(|(at, _)| since <= *at);
        Ok(letters::each_time(times.copied()))
    }

    fn posted(
        &self,
        message_id: &str,
        since: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Result<Option<Posted>, StoreError> {
        let last = letters::last_posted(&mut self.session(), self.club, message_id, until)?;
        Ok(last.filter(|posted| since <= posted.at && posted.at <= until))
    }

    fn moderator(&self) -> Result<u32, StoreError> {
        Ok(self.house()?.moderator)
    }

    fn heartbeat(&self) -> Result<Option<Heartbeat>, StoreError> {
        kept(self.house()?.heartbeat.as_ref())
    }

    fn morning(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        kept(self.house()?.morning.as_ref())
    }

    fn restored(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        kept(self.house()?.restored.as_ref())
    }
}

impl Postgres {
    /// What is kept under an address, or of a letter or a file.
    fn known_single(&self, row: &Row) -> Result<Arc<Single>, StoreError> {
        self.ask(|known, session| known.single(session, self.club, row))
    }

    fn known_game(&self, game: u32) -> Result<Arc<Game>, StoreError> {
        self.ask(|known, session| known.game(session, self.club, game))
    }

    fn house(&self) -> Result<Arc<House>, StoreError> {
        self.ask(|known, session| known.house(session, self.club))
    }
}

/// What JSON tells that is kept, if any is.
fn kept<T: DeserializeOwned>(json: Option<&String>) -> Result<Option<T>, StoreError> {
    json.map(|json| from_json(json.as_bytes())).transpose()
}

/// The number after this one.
pub(super) fn after(last: Option<u32>) -> Result<u32, StoreError> {
    let none_left = || StoreError::damaged("no number is left");
    last.unwrap_or(0).checked_add(1).ok_or_else(none_left)
}
