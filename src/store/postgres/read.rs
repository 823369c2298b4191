//! The questions that the store answers, each with its SQL.

use super::Postgres;
use super::columns::{json, number, seat, whole, whole_or_null, whole_text};
use super::known::{Counted, Game, House, What, no_answer};
use super::rows::hash;
use super::session::Given;
use crate::club::clock::{GameClock, Heartbeat};
use crate::club::{ActivityEntry, GameRoom, Member, Seated};
use crate::rules::Seat;
use crate::store::keys::day_of;
use crate::store::{
    CampaignGame, GameFacts, Posted, Repository, Row, SeenLetter, StoreError, Unread, from_json,
};
use crate::table::Outline;
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

    fn log_length(&self, game: u32) -> Result<u32, StoreError> {
        Ok(self.known_game(game)?.lines)
    }

    fn game_facts(&self, game: u32) -> Result<GameFacts, StoreError> {
        let found = self.facts((game, game))?;
        Ok(found.into_iter().next().map(|(_, facts, _)| facts).unwrap_or_default())
    }

    fn facts_of_games(&self, games: Range<u32>) -> Result<Vec<(u32, GameFacts)>, StoreError> {
        let Some(last) = games.end.checked_sub(1).filter(|last| games.start <= *last) else {
            return Ok(Vec::new());
        };
        let found = self.facts((games.start, last))?.into_iter();
        let found = found.filter(|(_, _, is_game)| *is_game);
        Ok(found.map(|(game, facts, _)| (game, facts)).collect())
    }

    fn games(&self) -> Result<Vec<u32>, StoreError> {
        let sql = "select game from game where club = $1 and lines > 0 order by game";
        self.list(sql, &[], |row| number(row, 0))
    }

    fn next_game(&self) -> Result<u32, StoreError> {
        let sql = "select game from game where club = $1 and (lines > 0 or room is not null)
                   order by game desc limit 1";
        self.number_after(sql)
    }

    fn campaign_games(&self, campaign: &str) -> Result<Vec<CampaignGame>, StoreError> {
        let sql = "select body from campaign_game where club = $1 and campaign = $2
                   order by round, place";
        self.list(sql, &[&hash(campaign)], |row| whole(row, 0))
    }

    fn members(&self) -> Result<Vec<Member>, StoreError> {
        let sql = "select body from member where club = $1 order by member";
        self.list(sql, &[], |row| whole(row, 0))
    }

    fn next_member(&self) -> Result<u32, StoreError> {
        let sql = "select member from member where club = $1 order by member desc limit 1";
        self.number_after(sql)
    }

    fn member(&self, id: u32) -> Result<Option<Member>, StoreError> {
        self.known_text(&Row::Member(id))?.as_deref().map(whole_text).transpose()
    }

    fn member_by_address(&self, address: &str) -> Result<Option<Member>, StoreError> {
        let id = self.known_text(&Row::Address(address.to_owned()))?;
        let id: Option<u32> = id.map(|id| id.parse()).transpose().map_err(StoreError::damaged)?;
        id.map_or(Ok(None), |id| self.member(id))
    }

    fn seats(&self, game: u32) -> Result<Vec<Seated>, StoreError> {
        self.known_game(game)?.seats.iter().map(|body| whole_text(body)).collect()
    }

    fn seats_of(&self, member: u32) -> Result<Vec<(u32, Seat)>, StoreError> {
        let sql = "select game, seat from seat where club = $1 and member = $2
                   order by game, seat";
        let place = |row: &postgres::Row| Ok((number(row, 0)?, seat(row, 1)?));
        self.list(sql, &[&i64::from(member)], place)
    }

    fn room(&self, game: u32) -> Result<GameRoom, StoreError> {
        let room = self.known_game(game)?.room.as_deref().map(whole_text).transpose()?;
        Ok(room.unwrap_or_default())
    }

    fn rooms(&self) -> Result<Vec<(u32, GameRoom)>, StoreError> {
        let sql = "select game, room from game where club = $1 and room is not null order by game";
        self.list(sql, &[], |row| Ok((number(row, 0)?, whole(row, 1)?)))
    }

    fn minutes(&self, game: u32) -> Result<Vec<ActivityEntry>, StoreError> {
        let sql = "select entry from minute where club = $1 and game = $2 order by seq";
        self.list(sql, &[&i64::from(game)], |row| whole(row, 0))
    }

    fn clock(&self, game: u32) -> Result<Option<GameClock>, StoreError> {
        self.known_game(game)?.clock.as_deref().map(whole_text).transpose()
    }

    fn clocks(&self) -> Result<Vec<(u32, GameClock)>, StoreError> {
        let sql =
            "select game, clock from game where club = $1 and clock is not null order by game";
        self.list(sql, &[], |row| Ok((number(row, 0)?, whole(row, 1)?)))
    }

    fn has_clocks(&self) -> Result<bool, StoreError> {
        Ok(self.house()?.clocks)
    }

    fn due(&self, until: DateTime<Utc>) -> Result<Vec<u32>, StoreError> {
        let sql = "select game from game where club = $1 and due_at <= $2 order by due_at, game";
        self.list(sql, &[&until], |row| number(row, 0))
    }

    fn due_at(&self, game: u32) -> Result<Option<DateTime<Utc>>, StoreError> {
        Ok(self.known_game(game)?.due)
    }

    fn next_due(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        let sql = "select due_at from game where club = $1 and due_at is not null
                   order by due_at limit 1";
        Ok(self.list(sql, &[], |row| Ok(row.get(0)))?.pop())
    }

    fn seen_letter(&self, digest: &[u8; 16]) -> Result<Option<SeenLetter>, StoreError> {
        parsed(self.known_text(&Row::Letter(*digest))?.as_deref())
    }

    fn seen_file(&self, name: &str) -> Result<Option<String>, StoreError> {
        parsed(self.known_text(&Row::File(name.to_owned()))?.as_deref())
    }

    fn unread(&self) -> Result<BTreeMap<String, Unread>, StoreError> {
        if !self.house()?.unread {
            return Ok(BTreeMap::new());
        }
        let sql = "select name, body from unread where club = $1";
        let all = self.list(sql, &[], |row| Ok((row.get(0), json(row, 1)?)))?;
        Ok(all.into_iter().collect())
    }

    fn answers_since(&self, address: &str, since: i64) -> Result<Vec<i64>, StoreError> {
        let counted = self.known_count(address)?;
        let sql = "select at, times from answer where club = $1 and account = $2 and at >= $3
                   order by at";
        let times = match since < counted.since {
            true => {
                self.list(sql, &[&hash(address), &since], |row| Ok((row.get(0), row.get(1))))?
            }
            false => counted.times.iter().filter(|(at, _)| since <= *at).copied().collect(),
        };
        let often = |times: i64| usize::try_from(times).unwrap_or_default();
        let each_time = |(at, times)| std::iter::repeat_n(at, often(times));
        Ok(times.into_iter().flat_map(each_time).collect())
    }

    fn posted(
        &self,
        message_id: &str,
        since: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Result<Option<Posted>, StoreError> {
        // The rows are few. A search for the last one might walk all letters of a day.
        let sql = "select at, told, day from posted where club = $1 and letter = $2 and day <= $3";
        let given: [Given<'_>; 2] = [&hash(message_id), &day_of(until)];
        let all = self.list(sql, &given, |row| Ok((row.get::<_, i64>(2), posted(row, 0)?)))?;
        let last = all.into_iter().max_by_key(|(day, _)| *day).map(|(_, posted)| posted);
        Ok(last.filter(|posted| since <= posted.at && posted.at <= until))
    }

    fn moderator(&self) -> Result<u32, StoreError> {
        Ok(self.house()?.moderator)
    }

    fn heartbeat(&self) -> Result<Option<Heartbeat>, StoreError> {
        parsed(self.house()?.heartbeat.as_deref())
    }

    fn morning(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        parsed(self.house()?.morning.as_deref())
    }

    fn restored(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        parsed(self.house()?.restored.as_deref())
    }
}

impl Postgres {
    /// Reads each row that a question finds. The club is `$1` of the SQL.
    pub(super) fn list<T>(
        &self,
        sql: &'static str,
        given: &[Given<'_>],
        read: impl Fn(&postgres::Row) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let given = [&[&self.club as Given<'_>][..], given].concat();
        self.session().rows(sql, &given)?.iter().map(read).collect()
    }

    /// Returns the number after the one that a question finds, or 1.
    fn number_after(&self, sql: &'static str) -> Result<u32, StoreError> {
        let last = self.list(sql, &[], |row| number(row, 0))?.pop();
        let none_left = || StoreError::damaged("no number is left");
        last.unwrap_or(0).checked_add(1).ok_or_else(none_left)
    }

    /// Reads the facts of the games from the first to the last of these, and whether each is a game
    /// and not only a number that is due.
    fn facts(&self, (first, last): (u32, u32)) -> Result<Vec<(u32, GameFacts, bool)>, StoreError> {
        let (first, last) = (i64::from(first), i64::from(last));
        let sql = "select game, body from seat where club = $1 and game between $2 and $3
                   order by game, seat";
        let mut seats: BTreeMap<u32, Vec<_>> = BTreeMap::new();
        let all = self.list(sql, &[&first, &last], |row| Ok((number(row, 0)?, json(row, 1)?)))?;
        for (game, seat) in all {
            seats.entry(game).or_default().push(seat);
        }
        let sql = "select game, lines, outline, clock, room from game
                   where club = $1 and game between $2 and $3 order by game";
        let facts = self.list(sql, &[&first, &last], |row| {
            let (game, lines, room) = (number(row, 0)?, number(row, 1)?, whole_or_null(row, 4)?);
            let is_game = lines > 0 || room.is_some();
            let outline = parsed(row.get(2)).ok().flatten();
            let facts = GameFacts {
                lines,
                seats: Vec::new(),
                room: room.unwrap_or_default(),
                clock: whole_or_null(row, 3)?,
                outline: outline.filter(|outline: &Outline| outline.is_of(lines)),
            };
            Ok((game, facts, is_game))
        })?;
        let seated = |(game, facts, is_game): (u32, GameFacts, bool)| {
            let seats = seats.remove(&game).unwrap_or_default();
            (game, GameFacts { seats, ..facts }, is_game)
        };
        Ok(facts.into_iter().map(seated).collect())
    }

    fn known(&self, row: &Row) -> Result<What, StoreError> {
        Ok(self.ask(|known, session| known.row(session, self.club, row))?.what)
    }

    /// Returns the text of a member, an address, a letter or a file.
    fn known_text(&self, row: &Row) -> Result<Option<Arc<str>>, StoreError> {
        match self.known(row)? {
            What::Text(text) => Ok(text),
            _ => Err(no_answer()),
        }
    }

    fn known_game(&self, game: u32) -> Result<Arc<Game>, StoreError> {
        match self.known(&Row::Game(game))? {
            What::Game(game) => Ok(game),
            _ => Err(no_answer()),
        }
    }

    fn known_count(&self, account: &str) -> Result<Arc<Counted>, StoreError> {
        match self.known(&Row::Answers(account.to_owned()))? {
            What::Counted(counted) => Ok(counted),
            _ => Err(no_answer()),
        }
    }

    fn house(&self) -> Result<Arc<House>, StoreError> {
        match self.known(&Row::House)? {
            What::House(house) => Ok(house),
            _ => Err(no_answer()),
        }
    }
}

/// Reads JSON, if there is some, and ignores what this version does not know.
pub(super) fn parsed<T: DeserializeOwned>(json: Option<&str>) -> Result<Option<T>, StoreError> {
    json.map(|json| from_json(json.as_bytes())).transpose()
}

/// Reads when a letter was posted, from this column of a row, and the letter, from the next.
pub(super) fn posted(row: &postgres::Row, column: usize) -> Result<Posted, StoreError> {
    let at = DateTime::from_timestamp(row.get(column), 0);
    let at = at.ok_or_else(|| StoreError::damaged("a letter was posted at no time"))?;
    Ok(Posted { at, letter: json(row, column + 1)? })
}
