//! A club that leaves the server, or comes to it.
//!
//! Whoever calls holds the club alone. Knows nothing of what lines and letters say.

use super::change::{self, json, key_number};
use super::columns::{self, number, whole};
use super::outbox;
use super::session::{Given, Session, Stop};
use super::{Postgres, inbox, leases, letters, rows, schema};
use crate::store::removal::{Hash, Load, Loader, PutOff, Removal, TakeLetter, TakeLoad};
use crate::store::{Batch, LogLine, Moved, Repository, StoreError, from_json};
use crate::table::Outline;
use chrono::{DateTime, Utc};
use postgres::Row;
use serde::de::DeserializeOwned;

/// The keys of other clubs can move on by so many at the most while one row is read.
const FAR: i64 = 1_000_000;

impl Removal for Postgres {
    fn hold_alone(&self) -> Result<(), StoreError> {
        // The other store may take its time with what it is given.
        self.session().execute_all("set idle_in_transaction_session_timeout = 0")?;
        Ok(self.hands.hold_alone(self.club)?)
    }

    fn is_free(&self) -> Result<bool, StoreError> {
        if rows::moved(&mut self.session(), self.club)?.is_some() {
            return Ok(true);
        }
        if self.next_game()? > 1 || self.next_member()? > 1 {
            return Ok(false);
        }
        let sql = "select not exists (select 1 from outbox where club = $1)
                       and not exists (select 1 from inbox where club = $1)";
        let row = self.session().row(sql, &[&self.club])?;
        Ok(row.is_some_and(|row| row.get(0)))
    }

    fn give(&self, take: TakeLoad<'_>) -> Result<(), StoreError> {
        let mut loader = Loader::new(take);
        self.give_people(&mut loader)?;
        self.give_games(&mut loader)?;
        self.give_seen(&mut loader)?;
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
            schema::clear_letters(tx, self.club)?;
            rows::set_moved(tx, self.club, &to)
        })?)
    }
}

impl Postgres {
    /// Gives each row to `take` that a question about the club finds.
    fn each(
        &self,
        sql: &'static str,
        take: impl FnMut(&Row) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        Ok(self.session().each(sql, &[&self.club], take)?)
    }

    fn give_people(&self, loader: &mut Loader<'_>) -> Result<(), StoreError> {
        let sql = "select body from member where club = $1 order by member";
        self.each(sql, |row| {
            let (bytes, member) = told(row, 0)?;
            loader.add(bytes, |load| load.members.push(member))
        })?;
        let sql = "select address, member from address where club = $1 order by address";
        self.each(sql, |row| {
            let whose = (hash(row)?, number(row, 1)?);
            loader.add(0, |load| load.addresses.push(whose))
        })?;
        let sql = "select body from campaign_game where club = $1
                   order by campaign, round, place";
        self.each(sql, |row| {
            let (bytes, game) = told(row, 0)?;
            loader.add(bytes, |load| load.batch.campaign_games.push(game))
        })
    }

    fn give_games(&self, loader: &mut Loader<'_>) -> Result<(), StoreError> {
        let sql = "select game, due_at, outline, clock, room from game where club = $1
                   order by game";
        self.each(sql, |row| {
            let (bytes, beside) = beside(row)?;
            loader.add(bytes, |load| load.batch.extend(beside))
        })?;
        let sql = "select game, seq, line from log where club = $1 order by game, seq";
        self.each(sql, |row| {
            let line = LogLine { game: number(row, 0)?, seq: number(row, 1)?, line: row.get(2) };
            loader.add(line.line.len(), |load| load.batch.log_lines.push(line))
        })?;
        let sql = "select game, entry from minute where club = $1 order by game, seq";
        self.each(sql, |row| {
            let (bytes, minute) = told(row, 1)?;
            let game = number(row, 0)?;
            loader.add(bytes, |load| load.batch.minutes.push((game, minute)))
        })?;
        let sql = "select game, body, seat from seat where club = $1 order by game, seat";
        self.each(sql, |row| {
            let (game, seat) = (number(row, 0)?, columns::seat(row, 2)?);
            let (bytes, seated) = told(row, 1)?;
            loader.add(bytes, |load| load.batch.seats.push((game, seat, seated)))
        })
    }

    /// What was read, answered and posted.
    fn give_seen(&self, loader: &mut Loader<'_>) -> Result<(), StoreError> {
        let sql = "select digest, body from seen_letter where club = $1 order by digest";
        self.each(sql, |row| loader.seen(hash(row)?, columns::json(row, 1)?))?;
        let sql = "select name, fate from seen_file where club = $1 order by name";
        self.each(sql, |row| {
            let file = (row.get(0), columns::json(row, 1)?);
            loader.add(row.get::<_, &str>(1).len(), |load| load.batch.seen_files.push(file))
        })?;
        let sql = "select account, at, times from answer where club = $1 order by account, at";
        self.each(sql, |row| {
            let answers = (hash(row)?, row.get(1), number(row, 2)?);
            loader.add(0, |load| load.answers.push(answers))
        })?;
        let sql = "select letter, at, told from posted where club = $1 order by letter, day";
        self.each(sql, |row| {
            let posted = (hash(row)?, letters::posted(row, 1)?);
            loader.add(row.get::<_, &str>(2).len(), |load| load.posted.push(posted))
        })
    }

    fn give_outbox(&self, loader: &mut Loader<'_>) -> Result<(), StoreError> {
        let sql = "select attempts, envelope, is_owed, content, key, not_before from outbox
                   where club = $1 order by key";
        self.each(sql, |row| {
            let key = u64::try_from(row.get::<_, i64>(4)).map_err(StoreError::damaged)?;
            let letter = PutOff { queued: outbox::read(row, key)?, not_before: row.get(5) };
            loader.add(row.get::<_, &[u8]>(3).len(), |load| load.outbox.push(letter))
        })?;
        let row = self.session().row("select last_value from letter_key", &[])?;
        let last = row.map_or(0, |row| row.get::<_, i64>(0));
        let last = u64::try_from(last).map_err(StoreError::damaged)?;
        loader.add(0, |load| load.last_key = last)
    }
}

/// What is kept of a game in its own row beside its log, and how many bytes that is.
fn beside(row: &Row) -> Result<(usize, Batch), StoreError> {
    let game = number(row, 0)?;
    let of = |column| row.get::<_, Option<&str>>(column);
    let outline = of(2).and_then(|json| from_json::<Outline>(json.as_bytes()).ok());
    let due: Option<DateTime<Utc>> = row.get(1);
    let batch = Batch {
        due: due.map(|due| (game, Some(due))).into_iter().collect(),
        // One of a version that says other things is none.
        outlines: outline.map(|outline| (game, outline)).into_iter().collect(),
        clocks: whole(row, 3)?.map(|clock| (game, clock)).into_iter().collect(),
        rooms: whole(row, 4)?.map(|room| (game, room)).into_iter().collect(),
        ..Batch::default()
    };
    Ok(((2..5).filter_map(of).map(str::len).sum(), batch))
}

/// What a column holds that is never empty, and how many bytes it is.
fn told<T: DeserializeOwned>(row: &Row, column: usize) -> Result<(usize, T), StoreError> {
    let text: &str = row.get(column);
    Ok((text.len(), columns::whole_text(text)?))
}

/// The hash that a row begins with.
fn hash(row: &Row) -> Result<Hash, StoreError> {
    row.get::<_, &[u8]>(0).try_into().map_err(StoreError::damaged)
}

/// Writes a portion of a club that comes from elsewhere.
fn fill(tx: &mut Session, club: i64, load: &Load) -> Result<(), Stop> {
    change::apply(tx, club, &load.batch)?;
    change::members(tx, club, &load.members)?;
    if !load.addresses.is_empty() {
        let addresses: Vec<&[u8]> = load.addresses.iter().map(|(hash, _)| &hash[..]).collect();
        let members: Vec<i64> = load.addresses.iter().map(|(_, id)| (*id).into()).collect();
        let sql = "insert into address (club, address, member)
                   select $1, * from unnest($2::bytea[], $3::bigint[])";
        tx.execute(sql, &[&club, &addresses, &members])?;
    }
    if !load.answers.is_empty() {
        let accounts: Vec<&[u8]> = load.answers.iter().map(|(hash, ..)| &hash[..]).collect();
        let at: Vec<i64> = load.answers.iter().map(|(_, at, _)| *at).collect();
        let times: Vec<i64> = load.answers.iter().map(|(.., times)| (*times).into()).collect();
        let sql = "insert into answer (club, account, at, times)
                   select $1, * from unnest($2::bytea[], $3::bigint[], $4::bigint[])";
        tx.execute(sql, &[&club, &accounts, &at, &times])?;
    }
    let posted = load.posted.iter().map(|(letter, posted)| (letter.to_vec(), posted)).collect();
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
    if letters.is_empty() {
        return Ok(());
    }
    let (mut keys, mut shards) = (Vec::new(), Vec::new());
    let (mut envelopes, mut owed, mut contents) = (Vec::new(), Vec::new(), Vec::new());
    for PutOff { queued, .. } in letters {
        let (envelope, is_owed, content) = outbox::kept(&queued.letter)?;
        keys.push(key_number(queued.key)?);
        shards.push(leases::shard(&queued.letter.recipient, queued.letter.label.as_ref()));
        envelopes.push(envelope);
        owed.push(is_owed);
        contents.push(content);
    }
    let attempts: Vec<i64> = letters.iter().map(|letter| letter.queued.attempts.into()).collect();
    let until: Vec<Option<DateTime<Utc>>> = letters.iter().map(|one| one.not_before).collect();
    let sql = "insert into outbox
                   (club, key, not_before, attempts, envelope, is_owed, content, shard)
               select $1, * from unnest($2::bigint[], $3::timestamptz[], $4::bigint[], $5::text[],
                   $6::boolean[], $7::bytea[], $8::smallint[])";
    let given: [Given<'_>; 8] =
        [&club, &keys, &until, &attempts, &envelopes, &owed, &contents, &shards];
    tx.execute(sql, &given).map(drop)
}
