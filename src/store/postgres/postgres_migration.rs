//! Exporting a club from the server, as journal lines or as migration batches, and importing such
//! batches.
//!
//! The caller must hold the club exclusively.

use super::batch_writes::{self, key_to_column, to_json};
use super::columns::{self, read_number, read_strict_json};
use super::queries::{parse_optional, read_post_record};
use super::sql_session::{Session, SqlParam, TxError};
use super::{Postgres, inbox, outbox_rows, schema};
use crate::store::journal::{ClubLine, ClubLineSink, JournalSource};
use crate::store::store_migration::{
    InboxSink, KeyHash, Migration, MigrationBatch, MigrationBatcher, MigrationSink, ScheduledLetter,
};
use crate::store::{LogLine, NewLocation, Repository, StoreError};
use crate::table::Outline;
use chrono::{DateTime, Utc};
use postgres::Row;

/// The number of keys that are skipped when the sequence of letter keys is moved forward. Other
/// clubs may draw keys between the read and the write of that statement, and the gap is larger than
/// their number.
const KEY_GAP: i64 = 1_000_000;

impl JournalSource for Postgres {
    fn for_each_journal_line(&self, sink: ClubLineSink<'_>) -> Result<(), StoreError> {
        let sql = "select body from member where club = $1 order by member";
        self.query_each(sql, |row| sink(ClubLine::Member(read_strict_json(row, 0)?)))?;
        let generation = Some(self.moderator_generation()?).filter(|generation| *generation > 0);
        generation.map_or(Ok(()), |generation| sink(ClubLine::Moderator { generation }))?;
        let sql = "select game, body, seat from seat where club = $1 order by game, seat";
        self.query_each(sql, |row| {
            let (game, seat, seated) =
                (read_number(row, 0)?, columns::read_seat(row, 2)?, read_strict_json(row, 1)?);
            sink(ClubLine::Seat { game, seat, assignment: seated })
        })?;
        let sql = "select body from campaign_game where club = $1
                   order by campaign, round, place";
        self.query_each(sql, |row| sink(ClubLine::CampaignGame(read_strict_json(row, 0)?)))?;
        let sql =
            "select game, clock from game where club = $1 and clock is not null order by game";
        self.query_each(sql, |row| {
            sink(ClubLine::Clock { game: read_number(row, 0)?, clock: read_strict_json(row, 1)? })
        })?;
        let sql = "select game, room from game where club = $1 and room is not null order by game";
        self.query_each(sql, |row| {
            sink(ClubLine::GameRoom { game: read_number(row, 0)?, room: read_strict_json(row, 1)? })
        })?;
        let sql = "select game, entry from minute where club = $1 order by game, seq";
        self.query_each(sql, |row| {
            sink(ClubLine::ActivityEntry {
                game: read_number(row, 0)?,
                entry: read_strict_json(row, 1)?,
            })
        })?;
        let sql = "select digest, body from seen_letter where club = $1 order by digest";
        self.query_each(sql, |row| {
            sink(ClubLine::from_seen_letter(&read_hash(row)?, &columns::read_json(row, 1)?))
        })
    }
}

impl Migration for Postgres {
    fn lock_exclusively(&self) -> Result<(), StoreError> {
        // The other store may take long to import a batch, so this session must not time out.
        self.lock_session().execute_batch("set idle_in_transaction_session_timeout = 0")?;
        Ok(self.worker.lock_exclusively(self.club)?)
    }

    fn can_receive_club(&self) -> Result<bool, StoreError> {
        if self.read_new_location()?.is_some() {
            return Ok(true);
        }
        if self.next_game_number()? > 1 || self.next_member_number()? > 1 {
            return Ok(false);
        }
        let sql = "select not exists (select 1 from outbox where club = $1)
                       and not exists (select 1 from inbox where club = $1)";
        Ok(self.query_list(sql, &[], |row| Ok(row.get(0)))?.contains(&true))
    }

    fn export_all_but_inbox(&self, sink: MigrationSink<'_>) -> Result<(), StoreError> {
        let mut loader = MigrationBatcher::new(sink);
        self.for_each_journal_line(&mut |line| loader.add_club_line(line))?;
        self.export_games(&mut loader)?;
        self.export_hash_keyed_data(&mut loader)?;
        self.export_outbox(&mut loader)?;
        loader.add_club_state(self)?;
        loader.flush()
    }

    fn export_inbox(&self, sink: InboxSink<'_>) -> Result<(), StoreError> {
        let sql = "select name, received, raw, held from inbox where club = $1 order by place";
        self.query_each(sql, |row| sink(inbox::read_letter(row), row.get(3)))
    }

    fn import_batch(&self, load: &MigrationBatch) -> Result<(), StoreError> {
        load.batch.check_log_lines_printable()?;
        let done = self.lock_session().run_transaction(|tx| import_rows(tx, self.club, load));
        self.clear_row_cache();
        Ok(done?)
    }

    fn mark_moved(&self, to: &NewLocation) -> Result<(), StoreError> {
        let to = to_json(to)?;
        Ok(self.lock_session().run_transaction(|tx| {
            schema::delete_rows(tx, self.club, &schema::INBOX_TABLES)?;
            tx.execute("update house set moved = $2 where club = $1", &[&self.club, &to]).map(drop)
        })?)
    }
}

impl Postgres {
    /// Passes each row of a query to `visit`. The parameter `$1` of the SQL is the club.
    pub(super) fn query_each(
        &self,
        sql: &'static str,
        visit: impl FnMut(&Row) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        Ok(self.lock_session().query_each(sql, &[&self.club], visit)?)
    }

    fn export_games(&self, loader: &mut MigrationBatcher<'_>) -> Result<(), StoreError> {
        let sql = "select game, seq, line from log where club = $1 order by game, seq";
        self.query_each(sql, |row| {
            let line =
                LogLine { game: read_number(row, 0)?, seq: read_number(row, 1)?, line: row.get(2) };
            loader.add(line.line.len(), |load| load.batch.log_lines.push(line))
        })?;
        let sql = "select game, due_at, outline from game where club = $1 order by game";
        self.query_each(sql, |row| {
            let (game, due): (u32, Option<DateTime<Utc>>) = (read_number(row, 0)?, row.get(1));
            // An outline that another version stored in another form is left out. It follows from
            // the log.
            let outline: Option<Outline> = parse_optional(row.get(2)).ok().flatten();
            loader.add(row.get::<_, Option<&str>>(2).map_or(0, str::len), |load| {
                load.batch.outlines.extend(outline.map(|outline| (game, outline)));
                load.batch.due.extend(due.map(|due| (game, Some(due))));
            })
        })
    }

    /// Exports the inbound files that were processed, and the data whose keys are stored only as
    /// hashes: addresses, counted events, post records.
    fn export_hash_keyed_data(&self, loader: &mut MigrationBatcher<'_>) -> Result<(), StoreError> {
        let sql = "select name, fate from seen_file where club = $1 order by name";
        self.query_each(sql, |row| {
            let file = (row.get(0), columns::read_json(row, 1)?);
            loader.add(row.get::<_, &str>(1).len(), |load| load.batch.seen_files.push(file))
        })?;
        let sql = "select address, member from address where club = $1 order by address";
        self.query_each(sql, |row| {
            let whose = (read_hash(row)?, read_number(row, 1)?);
            loader.add(0, |load| load.addresses.push(whose))
        })?;
        let sql = "select account, at, times from answer where club = $1 order by account, at";
        self.query_each(sql, |row| {
            let answers = (read_hash(row)?, row.get(1), read_number(row, 2)?);
            loader.add(0, |load| load.answers.push(answers))
        })?;
        let sql = "select letter, at, told from posted where club = $1 order by letter, day";
        self.query_each(sql, |row| {
            let posted = (read_hash(row)?, read_post_record(row, 1)?);
            loader.add(row.get::<_, &str>(2).len(), |load| load.posted.push(posted))
        })
    }

    fn export_outbox(&self, loader: &mut MigrationBatcher<'_>) -> Result<(), StoreError> {
        let sql = "select attempts, envelope, content, key, not_before from outbox
                   where club = $1 order by key";
        self.query_each(sql, |row| {
            let letter =
                ScheduledLetter { queued: outbox_rows::read_letter(row)?, not_before: row.get(4) };
            loader.add(row.get::<_, &str>(2).len(), |load| load.outbox.push(letter))
        })?;
        let row = self.lock_session().query_optional("select last_value from letter_key", &[])?;
        let last = row.map_or(Ok(0), |row| columns::read_key(&row, 0))?;
        loader.add(0, |load| load.last_key = last)
    }
}

pub(super) fn read_hash(row: &Row) -> Result<KeyHash, StoreError> {
    row.get::<_, &[u8]>(0).try_into().map_err(StoreError::damaged)
}

fn import_rows(tx: &mut Session, club: i64, load: &MigrationBatch) -> Result<(), TxError> {
    batch_writes::apply_batch(tx, club, &load.batch)?;
    batch_writes::write_members(tx, club, load.members.iter())?;
    let addresses = load.addresses.iter().map(|(hash, id)| (&hash[..], i64::from(*id)));
    let (addresses, members): (Vec<&[u8]>, Vec<i64>) = addresses.collect();
    let sql = "insert into address (club, address, member)
               select $1, * from unnest($2::bytea[], $3::bigint[])";
    tx.execute_unless_empty(members.len(), sql, &[&club, &addresses, &members])?;
    let answers = load.answers.iter().map(|(hash, at, times)| (&hash[..], *at, i64::from(*times)));
    let (accounts, at, times): (Vec<&[u8]>, Vec<i64>, Vec<i64>) = answers.collect();
    let sql = "insert into answer (club, account, at, times)
               select $1, * from unnest($2::bytea[], $3::bigint[], $4::bigint[])";
    tx.execute_unless_empty(at.len(), sql, &[&club, &accounts, &at, &times])?;
    let posted = load.posted.iter().map(|(letter, posted)| (letter.to_vec(), posted));
    batch_writes::write_post_records(tx, club, posted)?;
    insert_outbox_letters(tx, club, &load.outbox)?;
    let Some(last) = Some(load.last_key).filter(|last| *last > 0) else { return Ok(()) };
    // Other clubs draw keys from this sequence at any time, and no key may be drawn twice. So the
    // sequence is only moved forward, with a gap.
    let sql = "select setval('letter_key', $1::bigint + $2::bigint) from letter_key
               where last_value < $1::bigint or (last_value = $1::bigint and not is_called)";
    let given: [SqlParam<'_>; 2] = [&key_to_column(last)?, &KEY_GAP];
    tx.query(sql, &given).map(drop)
}

/// Inserts letters that were queued in another store into the outbox, with their keys, attempts and
/// times.
fn insert_outbox_letters(
    tx: &mut Session,
    club: i64,
    letters: &[ScheduledLetter],
) -> Result<(), TxError> {
    let (mut keys, mut texts) = (Vec::new(), outbox_rows::LetterColumns::default());
    for ScheduledLetter { queued, .. } in letters {
        keys.push(key_to_column(queued.key)?);
        texts.extend([outbox_rows::serialize_letter(&queued.letter)?]);
    }
    let waits = letters.iter().map(|one| (i64::from(one.queued.attempts), one.not_before));
    let (attempts, until): (Vec<i64>, Vec<Option<DateTime<Utc>>>) = waits.collect();
    let (envelopes, contents, shards) = texts;
    let sql = "insert into outbox (club, key, not_before, attempts, envelope, content, shard)
               select $1, * from unnest($2::bigint[], $3::timestamptz[], $4::bigint[], $5::text[],
                   $6::text[], $7::smallint[])";
    let given: [SqlParam<'_>; 7] =
        [&club, &keys, &until, &attempts, &envelopes, &contents, &shards];
    tx.execute_unless_empty(keys.len(), sql, &given)
}
