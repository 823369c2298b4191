//! The [`Repository`] of a club on a server. Each question is answered from the cache or by one SQL
//! query.

use super::Postgres;
use super::columns::{
    parse_strict_json, read_json, read_nullable_strict_json, read_number, read_seat,
    read_strict_json,
};
use super::postgres_migration::read_hash;
use super::row_cache::{AnswerCounts, CachedClub, CachedGame, RowContent, missing_row_error};
use super::row_revisions::hash_text;
use super::sql_session::SqlParam;
use crate::club::clock::{GameClock, Heartbeat};
use crate::club::{ActivityEntry, GameInfo, Member, SeatAssignment};
use crate::rules::Seat;
use crate::store::keys::unix_day;
use crate::store::{
    CampaignGame, GameFacts, PostRecord, Repository, Row, SeenLetter, StoreError, UnreadableLetter,
    parse_stored_json,
};
use crate::table::Outline;
use chrono::{DateTime, Utc};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

impl Repository for Postgres {
    fn game_log_lines(&self, game: u32) -> Result<Vec<String>, StoreError> {
        let log = self.read_through_cache(|known, session| {
            known.get_or_fetch_log(session, self.club, game)
        })?;
        Ok(log.to_vec())
    }

    fn log_length(&self, game: u32) -> Result<u32, StoreError> {
        Ok(self.cached_game(game)?.log_length)
    }

    fn game_facts(&self, game: u32) -> Result<GameFacts, StoreError> {
        let found = self.read_facts((game, game))?;
        Ok(found.into_iter().next().map(|(_, facts, _)| facts).unwrap_or_default())
    }

    fn facts_of_games(&self, games: Range<u32>) -> Result<Vec<(u32, GameFacts)>, StoreError> {
        let Some(last) = games.end.checked_sub(1).filter(|last| games.start <= *last) else {
            return Ok(Vec::new());
        };
        let found = self.read_facts((games.start, last))?.into_iter();
        let found = found.filter(|(_, _, is_game)| *is_game);
        Ok(found.map(|(game, facts, _)| (game, facts)).collect())
    }

    fn game_numbers(&self) -> Result<Vec<u32>, StoreError> {
        let sql = "select game from game where club = $1 and lines > 0 order by game";
        self.query_list(sql, &[], |row| read_number(row, 0))
    }

    fn next_game_number(&self) -> Result<u32, StoreError> {
        let sql = "select game from game where club = $1 and (lines > 0 or room is not null)
                   order by game desc limit 1";
        self.next_number(sql)
    }

    fn campaign_games(&self, campaign: &str) -> Result<Vec<CampaignGame>, StoreError> {
        let sql = "select body from campaign_game where club = $1 and campaign = $2
                   order by round, place";
        self.query_list(sql, &[&hash_text(campaign)], |row| read_strict_json(row, 0))
    }

    fn members(&self) -> Result<Vec<Member>, StoreError> {
        let sql = "select body from member where club = $1 order by member";
        self.query_list(sql, &[], |row| read_strict_json(row, 0))
    }

    fn next_member_number(&self) -> Result<u32, StoreError> {
        let sql = "select member from member where club = $1 order by member desc limit 1";
        self.next_number(sql)
    }

    fn member(&self, id: u32) -> Result<Option<Member>, StoreError> {
        self.cached_text(&Row::Member(id))?.as_deref().map(parse_strict_json).transpose()
    }

    fn member_by_address(&self, address: &str) -> Result<Option<Member>, StoreError> {
        let id = self.cached_text(&Row::Address(address.to_owned()))?;
        let id: Option<u32> = id.map(|id| id.parse()).transpose().map_err(StoreError::damaged)?;
        id.map_or(Ok(None), |id| self.member(id))
    }

    fn seat_assignments(&self, game: u32) -> Result<Vec<SeatAssignment>, StoreError> {
        self.cached_game(game)?.seats.iter().map(|body| parse_strict_json(body)).collect()
    }

    fn member_seats(&self, member: u32) -> Result<Vec<(u32, Seat)>, StoreError> {
        let sql = "select game, seat from seat where club = $1 and member = $2
                   order by game, seat";
        let place = |row: &postgres::Row| Ok((read_number(row, 0)?, read_seat(row, 1)?));
        self.query_list(sql, &[&i64::from(member)], place)
    }

    fn game_info(&self, game: u32) -> Result<GameInfo, StoreError> {
        let room = self.cached_game(game)?.room.as_deref().map(parse_strict_json).transpose()?;
        Ok(room.unwrap_or_default())
    }

    fn game_infos(&self) -> Result<Vec<(u32, GameInfo)>, StoreError> {
        let sql = "select game, room from game where club = $1 and room is not null order by game";
        self.query_list(sql, &[], |row| Ok((read_number(row, 0)?, read_strict_json(row, 1)?)))
    }

    fn activity_log(&self, game: u32) -> Result<Vec<ActivityEntry>, StoreError> {
        let sql = "select entry from minute where club = $1 and game = $2 order by seq";
        self.query_list(sql, &[&i64::from(game)], |row| read_strict_json(row, 0))
    }

    fn clock(&self, game: u32) -> Result<Option<GameClock>, StoreError> {
        self.cached_game(game)?.clock.as_deref().map(parse_strict_json).transpose()
    }

    fn clocks(&self) -> Result<Vec<(u32, GameClock)>, StoreError> {
        let sql =
            "select game, clock from game where club = $1 and clock is not null order by game";
        self.query_list(sql, &[], |row| Ok((read_number(row, 0)?, read_strict_json(row, 1)?)))
    }

    fn has_ever_had_clock(&self) -> Result<bool, StoreError> {
        Ok(self.cached_club()?.has_clocks)
    }

    fn due_games(&self, until: DateTime<Utc>) -> Result<Vec<u32>, StoreError> {
        let sql = "select game from game where club = $1 and due_at <= $2 order by due_at, game";
        self.query_list(sql, &[&until], |row| read_number(row, 0))
    }

    fn due_time(&self, game: u32) -> Result<Option<DateTime<Utc>>, StoreError> {
        Ok(self.cached_game(game)?.due_time)
    }

    fn next_due_time(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        let sql = "select due_at from game where club = $1 and due_at is not null
                   order by due_at limit 1";
        Ok(self.query_list(sql, &[], |row| Ok(row.get(0)))?.pop())
    }

    fn letter_outcome(&self, digest: &[u8; 16]) -> Result<Option<SeenLetter>, StoreError> {
        parse_optional(self.cached_text(&Row::Letter(*digest))?.as_deref())
    }

    fn letters_of_member(&self, member: u32) -> Result<BTreeMap<[u8; 16], SeenLetter>, StoreError> {
        let sql = "select digest, body from seen_letter where club = $1";
        let mut own = BTreeMap::new();
        self.query_each(sql, |row| {
            let seen: SeenLetter = read_json(row, 1)?;
            if seen.is_of_member(member) {
                own.insert(read_hash(row)?, seen);
            }
            Ok(())
        })?;
        Ok(own)
    }

    fn file_outcome_text(&self, name: &str) -> Result<Option<String>, StoreError> {
        parse_optional(self.cached_text(&Row::File(name.to_owned()))?.as_deref())
    }

    fn unreadable_letters(&self) -> Result<BTreeMap<String, UnreadableLetter>, StoreError> {
        if !self.cached_club()?.has_unreadable {
            return Ok(BTreeMap::new());
        }
        let sql = "select name, body from unread where club = $1";
        let all = self.query_list(sql, &[], |row| Ok((row.get(0), read_json(row, 1)?)))?;
        Ok(all.into_iter().collect())
    }

    fn event_times_since(&self, address: &str, since: i64) -> Result<Vec<i64>, StoreError> {
        let counted = self.cached_event_counts(address)?;
        let sql = "select at, times from answer where club = $1 and account = $2 and at >= $3
                   order by at";
        let times = match since < counted.since {
            true => self.query_list(sql, &[&hash_text(address), &since], |row| {
                Ok((row.get(0), row.get(1)))
            })?,
            false => counted.times.iter().filter(|(at, _)| since <= *at).copied().collect(),
        };
        let often = |times: i64| usize::try_from(times).unwrap_or_default();
        let each_time = |(at, times)| std::iter::repeat_n(at, often(times));
        Ok(times.into_iter().flat_map(each_time).collect())
    }

    fn post_record(
        &self,
        message_id: &str,
        since: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Result<Option<PostRecord>, StoreError> {
        // A letter has only a few post records. Sorting by day in SQL could scan all letters of a
        // day.
        let sql = "select at, told, day from posted where club = $1 and letter = $2 and day <= $3";
        let given: [SqlParam<'_>; 2] = [&hash_text(message_id), &unix_day(until)];
        let all = self
            .query_list(sql, &given, |row| Ok((row.get::<_, i64>(2), read_post_record(row, 0)?)))?;
        let last = all.into_iter().max_by_key(|(day, _)| *day).map(|(_, posted)| posted);
        Ok(last.filter(|posted| since <= posted.at && posted.at <= until))
    }

    fn moderator_generation(&self) -> Result<u32, StoreError> {
        Ok(self.cached_club()?.moderator_generation)
    }

    fn heartbeat(&self) -> Result<Option<Heartbeat>, StoreError> {
        parse_optional(self.cached_club()?.heartbeat.as_deref())
    }

    fn last_morning_digest(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        parse_optional(self.cached_club()?.last_morning_digest.as_deref())
    }

    fn restored_at(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        parse_optional(self.cached_club()?.restored_at.as_deref())
    }
}

impl Postgres {
    /// Runs a query and reads each of its rows with `read`. The parameter `$1` of the SQL is the
    /// club.
    pub(super) fn query_list<T>(
        &self,
        sql: &'static str,
        given: &[SqlParam<'_>],
        read: impl Fn(&postgres::Row) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let given = [&[&self.club as SqlParam<'_>][..], given].concat();
        self.lock_session().query(sql, &given)?.iter().map(read).collect()
    }

    /// Returns one more than the number that a query finds; 1 if it finds none.
    fn next_number(&self, sql: &'static str) -> Result<u32, StoreError> {
        let last = self.query_list(sql, &[], |row| read_number(row, 0))?.pop();
        let none_left = || StoreError::damaged("no number is left");
        last.unwrap_or(0).checked_add(1).ok_or_else(none_left)
    }

    /// Reads the facts of the games from `first` to `last`. The flag says whether the number is in
    /// use, by a log or a game info; otherwise the row only holds a due time, a clock or a seat.
    fn read_facts(
        &self,
        (first, last): (u32, u32),
    ) -> Result<Vec<(u32, GameFacts, bool)>, StoreError> {
        let (first, last) = (i64::from(first), i64::from(last));
        let sql = "select game, body from seat where club = $1 and game between $2 and $3
                   order by game, seat";
        let mut seats: BTreeMap<u32, Vec<_>> = BTreeMap::new();
        let all = self.query_list(sql, &[&first, &last], |row| {
            Ok((read_number(row, 0)?, read_json(row, 1)?))
        })?;
        for (game, seat) in all {
            seats.entry(game).or_default().push(seat);
        }
        let sql = "select game, lines, outline, clock, room from game
                   where club = $1 and game between $2 and $3 order by game";
        let facts = self.query_list(sql, &[&first, &last], |row| {
            let (game, lines, room) =
                (read_number(row, 0)?, read_number(row, 1)?, read_nullable_strict_json(row, 4)?);
            let is_game = lines > 0 || room.is_some();
            let outline = parse_optional(row.get(2)).ok().flatten();
            let facts = GameFacts {
                log_length: lines,
                seats: Vec::new(),
                room: room.unwrap_or_default(),
                clock: read_nullable_strict_json(row, 3)?,
                outline: outline.filter(|outline: &Outline| outline.matches_log_length(lines)),
            };
            Ok((game, facts, is_game))
        })?;
        let seated = |(game, facts, is_game): (u32, GameFacts, bool)| {
            let seats = seats.remove(&game).unwrap_or_default();
            (game, GameFacts { seats, ..facts }, is_game)
        };
        Ok(facts.into_iter().map(seated).collect())
    }

    fn cached_content(&self, row: &Row) -> Result<RowContent, StoreError> {
        Ok(self
            .read_through_cache(|known, session| known.get_or_fetch_row(session, self.club, row))?
            .content)
    }

    /// Returns the stored text of a member, an address, a letter or a file, from the cache if
    /// possible.
    fn cached_text(&self, row: &Row) -> Result<Option<Arc<str>>, StoreError> {
        match self.cached_content(row)? {
            RowContent::Text(text) => Ok(text),
            _ => Err(missing_row_error()),
        }
    }

    fn cached_game(&self, game: u32) -> Result<Arc<CachedGame>, StoreError> {
        match self.cached_content(&Row::Game(game))? {
            RowContent::Game(game) => Ok(game),
            _ => Err(missing_row_error()),
        }
    }

    fn cached_event_counts(&self, account: &str) -> Result<Arc<AnswerCounts>, StoreError> {
        match self.cached_content(&Row::CountedEvents(account.to_owned()))? {
            RowContent::Answers(counted) => Ok(counted),
            _ => Err(missing_row_error()),
        }
    }

    fn cached_club(&self) -> Result<Arc<CachedClub>, StoreError> {
        match self.cached_content(&Row::Club)? {
            RowContent::Club(house) => Ok(house),
            _ => Err(missing_row_error()),
        }
    }
}

/// Parses JSON if there is any, and ignores fields that this version does not know.
pub(super) fn parse_optional<T: DeserializeOwned>(
    json: Option<&str>,
) -> Result<Option<T>, StoreError> {
    json.map(|json| parse_stored_json(json.as_bytes())).transpose()
}

/// Reads a post record: the time from `column`, and the letter from the next one.
pub(super) fn read_post_record(
    row: &postgres::Row,
    column: usize,
) -> Result<PostRecord, StoreError> {
    let at = DateTime::from_timestamp(row.get(column), 0);
    let at = at.ok_or_else(|| StoreError::damaged("a letter was posted at no time"))?;
    Ok(PostRecord { at, letter: read_json(row, column + 1)? })
}
