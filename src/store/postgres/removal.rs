//! All that the server knows of a club: as lines for a journal, and as portions for another store.
//! Also takes such portions.
//!
//! The caller holds the club alone. Knows nothing of what lines and letters say.

use super::change::{self, json, key_number};
use super::columns::{self, number, whole};
use super::read::{parsed, posted};
use super::session::{Given, Session, Stop};
use super::{Postgres, inbox, outbox, schema};
use crate::store::journal::{Archive, ClubLine, TakeLine};
use crate::store::removal::{Hash, Load, Loader, PutOff, Removal, TakeLetter, TakeLoad};
use crate::store::{LogLine, Moved, Repository, StoreError};
use crate::table::Outline;
use chrono::{DateTime, Utc};
use postgres::Row;

/// The most keys that other clubs can use while one row is read.
const FAR: i64 = 1_000_000;

impl Archive for Postgres {
    fn each_line(&self, take: TakeLine<'_>) -> Result<(), StoreError> {
        let sql = "select body from member where club = $1 order by member";
        self.each(sql, |row| take(ClubLine::Member(whole(row, 0)?)))?;
        let generation = Some(self.moderator()?).filter(|generation| *generation > 0);
        generation.map_or(Ok(()), |generation| take(ClubLine::Moderator { generation }))?;
        let sql = "select game, body, seat from seat where club = $1 order by game, seat";
        self.each(sql, |row| {
            let (game, seat, seated) = (number(row, 0)?, columns::seat(row, 2)?, whole(row, 1)?);
            take(ClubLine::Seat { game, seat, seated })
        })?;
        let sql = "select body from campaign_game where club = $1
                   order by campaign, round, place";
        self.each(sql, |row| take(ClubLine::CampaignGame(whole(row, 0)?)))?;
        let sql =
            "select game, clock from game where club = $1 and clock is not null order by game";
        self.each(sql, |row| {
            take(ClubLine::Clock { game: number(row, 0)?, clock: whole(row, 1)? })
        })?;
        let sql = "select game, room from game where club = $1 and room is not null order by game";
        self.each(sql, |row| {
            take(ClubLine::GameRoom { game: number(row, 0)?, room: whole(row, 1)? })
        })?;
        let sql = "select game, entry from minute where club = $1 order by game, seq";
        self.each(sql, |row| {
            take(ClubLine::ActivityEntry { game: number(row, 0)?, minute: whole(row, 1)? })
        })?;
        let sql = "select digest, body from seen_letter where club = $1 order by digest";
        self.each(sql, |row| take(ClubLine::seen(&hash(row)?, &columns::json(row, 1)?)))
    }
}

impl Removal for Postgres {
    fn hold_alone(&self) -> Result<(), StoreError> {
        // The other store may take its time with what it is given.
        self.session().execute_all("set idle_in_transaction_session_timeout = 0")?;
        Ok(self.hands.hold_alone(self.club)?)
    }

    fn is_free(&self) -> Result<bool, StoreError> {
        if self.moved()?.is_some() {
            return Ok(true);
        }
        if self.next_game()? > 1 || self.next_member()? > 1 {
            return Ok(false);
        }
        let sql = "select not exists (select 1 from outbox where club = $1)
                       and not exists (select 1 from inbox where club = $1)";
        Ok(self.list(sql, &[], |row| Ok(row.get(0)))?.contains(&true))
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

    fn give_letters(&self, take: TakeLetter<'_>) -> Result<(), StoreError> {
        let sql = "select name, received, raw, held from inbox where club = $1 order by place";
        self.each(sql, |row| take(inbox::in_hand(row), row.get(3)))
    }

    fn take(&self, load: &Load) -> Result<(), StoreError> {
        load.batch.check()?;
        let done = self.session().transaction(|tx| fill(tx, self.club, load));
        self.forget();
        Ok(done?)
    }

    fn leave(&self, to: &Moved) -> Result<(), StoreError> {
        let to = json(to)?;
        Ok(self.session().transaction(|tx| {
            schema::clear(tx, self.club, &schema::OF_LETTERS)?;
            tx.execute("update house set moved = $2 where club = $1", &[&self.club, &to]).map(drop)
        })?)
    }
}

impl Postgres {
    /// Gives each row that a question finds to `take`. The club is `$1` of the SQL.
    fn each(
        &self,
        sql: &'static str,
        take: impl FnMut(&Row) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        Ok(self.session().each(sql, &[&self.club], take)?)
    }

    /// Gives the games' logs, outlines, and when they are due.
    fn give_games(&self, loader: &mut Loader<'_>) -> Result<(), StoreError> {
        let sql = "select game, seq, line from log where club = $1 order by game, seq";
        self.each(sql, |row| {
            let line = LogLine { game: number(row, 0)?, seq: number(row, 1)?, line: row.get(2) };
            loader.add(line.line.len(), |load| load.batch.log_lines.push(line))
        })?;
        let sql = "select game, due_at, outline from game where club = $1 order by game";
        self.each(sql, |row| {
            let (game, due): (u32, Option<DateTime<Utc>>) = (number(row, 0)?, row.get(1));
            // An outline that another version wrote in another form is none.
            let outline: Option<Outline> = parsed(row.get(2)).ok().flatten();
            loader.add(row.get::<_, Option<&str>>(2).map_or(0, str::len), |load| {
                load.batch.outlines.extend(outline.map(|outline| (game, outline)));
                load.batch.due.extend(due.map(|due| (game, Some(due))));
            })
        })
    }

    /// Gives the files that were read, and what is kept by the hashes of its keys.
    fn give_hashed(&self, loader: &mut Loader<'_>) -> Result<(), StoreError> {
        let sql = "select name, fate from seen_file where club = $1 order by name";
        self.each(sql, |row| {
            let file = (row.get(0), columns::json(row, 1)?);
            loader.add(row.get::<_, &str>(1).len(), |load| load.batch.seen_files.push(file))
        })?;
        let sql = "select address, member from address where club = $1 order by address";
        self.each(sql, |row| {
            let whose = (hash(row)?, number(row, 1)?);
            loader.add(0, |load| load.addresses.push(whose))
        })?;
        let sql = "select account, at, times from answer where club = $1 order by account, at";
        self.each(sql, |row| {
            let answers = (hash(row)?, row.get(1), number(row, 2)?);
            loader.add(0, |load| load.answers.push(answers))
        })?;
        let sql = "select letter, at, told from posted where club = $1 order by letter, day";
        self.each(sql, |row| {
            let posted = (hash(row)?, posted(row, 1)?);
            loader.add(row.get::<_, &str>(2).len(), |load| load.posted.push(posted))
        })
    }

    fn give_outbox(&self, loader: &mut Loader<'_>) -> Result<(), StoreError> {
        let sql = "select attempts, envelope, content, key, not_before from outbox
                   where club = $1 order by key";
        self.each(sql, |row| {
            let letter = PutOff { queued: outbox::read(row)?, not_before: row.get(4) };
            loader.add(row.get::<_, &str>(2).len(), |load| load.outbox.push(letter))
        })?;
        let row = self.session().row("select last_value from letter_key", &[])?;
        let last = row.map_or(Ok(0), |row| columns::key(&row, 0))?;
        loader.add(0, |load| load.last_key = last)
    }
}

/// Reads the hash that a row begins with.
fn hash(row: &Row) -> Result<Hash, StoreError> {
    row.get::<_, &[u8]>(0).try_into().map_err(StoreError::damaged)
}

/// Writes a portion of a club that comes from elsewhere.
fn fill(tx: &mut Session, club: i64, load: &Load) -> Result<(), Stop> {
    change::apply(tx, club, &load.batch)?;
    change::write_members(tx, club, load.members.iter())?;
    let addresses = load.addresses.iter().map(|(hash, id)| (&hash[..], i64::from(*id)));
    let (addresses, members): (Vec<&[u8]>, Vec<i64>) = addresses.collect();
    let sql = "insert into address (club, address, member)
               select $1, * from unnest($2::bytea[], $3::bigint[])";
    tx.execute_for(members.len(), sql, &[&club, &addresses, &members])?;
    let answers = load.answers.iter().map(|(hash, at, times)| (&hash[..], *at, i64::from(*times)));
    let (accounts, at, times): (Vec<&[u8]>, Vec<i64>, Vec<i64>) = answers.collect();
    let sql = "insert into answer (club, account, at, times)
               select $1, * from unnest($2::bytea[], $3::bigint[], $4::bigint[])";
    tx.execute_for(at.len(), sql, &[&club, &accounts, &at, &times])?;
    let posted = load.posted.iter().map(|(letter, posted)| (letter.to_vec(), posted));
    change::note_posted(tx, club, posted)?;
    put_again(tx, club, &load.outbox)?;
    let Some(last) = Some(load.last_key).filter(|last| *last > 0) else { return Ok(()) };
    // Other clubs count on meanwhile, and no key is given twice.
    let sql = "select setval('letter_key', $1::bigint + $2::bigint) from letter_key
               where last_value < $1::bigint or (last_value = $1::bigint and not is_called)";
    let given: [Given<'_>; 2] = [&key_number(last)?, &FAR];
    tx.rows(sql, &given).map(drop)
}

/// Puts letters where they were in another outbox.
fn put_again(tx: &mut Session, club: i64, letters: &[PutOff]) -> Result<(), Stop> {
    let (mut keys, mut texts) = (Vec::new(), outbox::Texts::default());
    for PutOff { queued, .. } in letters {
        keys.push(key_number(queued.key)?);
        texts.extend([outbox::written(&queued.letter)?]);
    }
    let waits = letters.iter().map(|one| (i64::from(one.queued.attempts), one.not_before));
    let (attempts, until): (Vec<i64>, Vec<Option<DateTime<Utc>>>) = waits.collect();
    let (envelopes, contents, shards) = texts;
    let sql = "insert into outbox (club, key, not_before, attempts, envelope, content, shard)
               select $1, * from unnest($2::bigint[], $3::timestamptz[], $4::bigint[], $5::text[],
                   $6::text[], $7::smallint[])";
    let given: [Given<'_>; 7] = [&club, &keys, &until, &attempts, &envelopes, &contents, &shards];
    tx.execute_for(keys.len(), sql, &given)
}
