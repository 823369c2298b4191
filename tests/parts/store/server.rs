//! PostgreSQL schemas for tests, if `POSTRIDER_TEST_POSTGRES` names a server. Each test gets its
//! own schema, which is dropped after the test.

#![allow(dead_code, reason = "each program of tests uses its own part of it")]

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

/// The environment variable that holds the URL of the server.
const URL: &str = "POSTRIDER_TEST_POSTGRES";

/// The file in a club's folder that holds the schema's URL.
pub const SETTING: &str = "database";

static COUNT: AtomicU32 = AtomicU32::new(0);

pub struct Schema {
    url: String,
    name: String,
    /// More options of the connection, in the form of a URL.
    options: &'static str,
}

impl Schema {
    /// Creates a schema. Returns `None` if there is no server for tests.
    pub fn new() -> Option<Self> {
        let url = std::env::var(URL).ok().filter(|_| cfg!(feature = "postgres"))?;
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{}_{number}", std::process::id());
        let schema = Self { url, name, options: "" };
        schema.run_sql(&format!("create schema {}", schema.name));
        Some(schema)
    }

    /// Creates a schema for a test that proves nothing without a server. Panics if there is none,
    /// so that the test does not pass unnoticed.
    pub fn needed() -> Self {
        Self::new().expect("POSTRIDER_TEST_POSTGRES names a server: see tests/postgres/run")
    }

    /// Copies the schema of the club in this folder. Returns `None` if the club's store is in the
    /// folder itself.
    pub fn copy_of(folder: &Path) -> Option<Self> {
        let url = std::fs::read_to_string(folder.join(SETTING)).ok()?;
        let old = url.rsplit_once("%3D").expect("a schema").1;
        let copy = Self::new().expect("a server");
        let new = &copy.name;
        copy.run_sql(&format!(
            "do $$ declare one text; begin
                for one in select tablename from pg_tables where schemaname = '{old}' loop
                    execute format('create table {new}.%I (like {old}.%I including all)', one, one);
                    execute format('insert into {new}.%I select * from {old}.%I', one, one);
                end loop;
                create sequence {new}.letter_key;
                perform setval('{new}.letter_key', last_value, is_called) from {old}.letter_key;
            end $$"
        ));
        Some(copy)
    }

    /// Marks the schema as written by a later version of postrider.
    pub fn is_of_a_later_version(&self) {
        self.run_sql(&format!("insert into {}.store_format values (99, '9.9.0')", self.name));
    }

    pub fn url(&self) -> String {
        let sign = if self.url.contains('?') { '&' } else { '?' };
        let Self { url, name, options } = self;
        format!("{url}{sign}application_name={name}&options={options}-c%20search_path%3D{name}")
    }

    /// Opens the store of a club in this schema.
    #[cfg(feature = "postgres")]
    pub fn store(&self, club: &str) -> postrider::store::postgres::Postgres {
        use postrider::store::postgres::{Postgres, Server};
        let server = Server::from_url(&self.url(), None).expect("a URL");
        Postgres::open(&server, club, &[7; 16]).expect("it opens").expect("it is ours")
    }

    /// Writes the file with the schema's URL into a club's folder, and returns the line for
    /// club.yaml that refers to it.
    pub fn setting(&self, folder: &Path) -> String {
        use std::os::unix::fs::PermissionsExt;
        let path = folder.join(SETTING);
        std::fs::write(&path, self.url()).expect("written");
        let owner = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(path, owner).expect("it is ours");
        format!("store: {{postgres: {{url_file: {SETTING}, club: test}}}}\n")
    }

    /// Puts a letter into a club's inbox, as if a pass on another machine was killed after it had
    /// fetched the letter.
    pub fn hand_in(&self, club: &str, name: &str, letter: &str) {
        self.run_sql(&format!(
            "set search_path = {}; with lane as (
                 insert into lane (club, lane) select id, 0 from club where name = '{club}'
                 on conflict do nothing)
             insert into inbox (club, name, place, lane, sender, received, raw)
             select id, '{name}', nextval('letter_key'), 0, '', now(),
                 convert_to('{letter}', 'UTF8')
             from club where name = '{club}'",
            self.name
        ));
    }

    /// Returns how many rows of the schema were read so far, by index and by sequential scan, and
    /// waits until the number exceeds `before`. The server updates its counters only some time
    /// after a connection was closed.
    pub fn rows_read(&self, before: u64) -> u64 {
        let name = &self.name;
        let sql = format!(
            "select coalesce((select sum(idx_tup_read) from pg_stat_user_indexes
                 where schemaname = '{name}'), 0)
                 + coalesce((select sum(seq_tup_read) from pg_stat_user_tables
                 where schemaname = '{name}'), 0)"
        );
        let (mut last, mut same) = (before, 0);
        for _ in 0..60 {
            std::thread::sleep(std::time::Duration::from_millis(300));
            let read = self.run_sql(&sql).trim().parse().expect("a number");
            same = if read == last { same + 1 } else { 0 };
            // The server counts each connection when it is closed, so the sum must have been stable
            // for a while.
            if read > before && same == 4 {
                return read;
            }
            last = read;
        }
        panic!("the server has counted no more than {before} rows");
    }

    /// Creates a role and returns its URL. The role has all rights except the revoked ones. No
    /// other test may use the same `role`.
    pub fn url_of_role(&self, role: &str, taken: &str) -> String {
        let name = &self.name;
        self.run_sql(&format!(
            "create role {role} login; grant all on schema {name} to {role};
             grant all on all tables in schema {name} to {role};
             grant all on all sequences in schema {name} to {role};
             set search_path = {name}; {taken} from {role}"
        ));
        let (scheme, rest) =
            self.url().split_once("://").map(|(a, b)| (a.to_owned(), b.to_owned())).expect("a URL");
        let host = rest.split_once('@').map_or(&*rest, |(_, host)| host);
        format!("{scheme}://{role}@{host}")
    }

    /// Drops a role and its rights.
    pub fn forget_role(&self, role: &str) {
        self.run_sql(&format!("drop owned by {role}; drop role {role}"));
    }

    /// Updates the server's statistics of all tables.
    pub fn analyze(&self) {
        let tables = format!(
            "select 'analyze {0}.' || tablename from pg_tables where schemaname = '{0}'",
            self.name
        );
        let analyze = self.run_sql(&tables).replace('\n', ";");
        self.run_sql(&analyze);
    }

    /// Returns the server's generic plan of a statement, which holds for all parameters.
    pub fn plan(&self, statement: &str) -> String {
        let numbers = statement.split('$').skip(1).filter_map(|rest| {
            rest.split(|next: char| !next.is_ascii_digit()).next()?.parse::<usize>().ok()
        });
        let given = vec!["null"; numbers.max().unwrap_or(0)];
        let given = if given.is_empty() { String::new() } else { format!("({})", given.join(",")) };
        self.run_sql(&format!(
            "set search_path = {}; set plan_cache_mode = force_generic_plan;
             prepare one as {statement}; explain execute one{given}",
            self.name
        ))
    }

    /// Returns the number of rows that the server's statistics assume in a table.
    pub fn rows_known(&self, table: &str) -> u64 {
        let of = format!("where oid = '{}.{table}'::regclass", self.name);
        let output = self.run_sql(&format!("select reltuples::bigint from pg_class {of}"));
        output.trim().parse().expect("a number")
    }

    /// Expires all leases of a club's outbox.
    pub fn lease_runs_out(&self, club: &str) {
        let name = &self.name;
        self.run_sql(&format!(
            "update {name}.lease set until = now()
             where club = (select id from {name}.club where name = '{club}')"
        ));
    }

    /// Terminates all connections to this schema.
    pub fn cut_lines(&self) {
        let of_ours = format!("from pg_stat_activity where application_name = '{}'", self.name);
        self.run_sql(&format!("select pg_terminate_backend(pid) {of_ours}"));
    }

    /// Makes the server use an index wherever there is one. By default, it scans small tables
    /// sequentially.
    pub fn by_index(mut self) -> Self {
        self.options = "-c%20enable_seqscan%3Doff%20";
        self
    }

    fn run_sql(&self, sql: &str) -> String {
        let output = std::process::Command::new("psql").args([&self.url, "-qAtc", sql]).output();
        let output = output.expect("psql is there");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        self.run_sql(&format!(
            "set client_min_messages = error; drop schema {} cascade",
            self.name
        ));
    }
}
