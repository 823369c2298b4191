//! Databases for tests, where a PostgreSQL server is told of: each a schema of its own that
//! vanishes after its test.

#![allow(dead_code, reason = "each program of tests uses its own part of it")]

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

/// Names the environment variable with the URL of the server.
const URL: &str = "POSTRIDER_TEST_POSTGRES";

/// The file in a club's folder that holds the schema's URL.
pub const SETTING: &str = "database";

static COUNT: AtomicU32 = AtomicU32::new(0);

/// A schema of a test's own.
pub struct Schema {
    url: String,
    name: String,
}

impl Schema {
    /// A new one; none where there is no server for tests.
    pub fn new() -> Option<Self> {
        let url = std::env::var(URL).ok().filter(|_| cfg!(feature = "postgres"))?;
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{}_{number}", std::process::id());
        let schema = Self { url, name };
        schema.tell(&format!("create schema {}", schema.name));
        Some(schema)
    }

    /// A copy of the one that a club in this folder is kept in; none where it is kept there.
    pub fn copy_of(folder: &Path) -> Option<Self> {
        let url = std::fs::read_to_string(folder.join(SETTING)).ok()?;
        let old = url.rsplit_once("%3D").expect("a schema").1;
        let copy = Self::new().expect("a server");
        let new = &copy.name;
        copy.tell(&format!(
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

    /// The URL by which the store finds it.
    pub fn url(&self) -> String {
        let sign = if self.url.contains('?') { '&' } else { '?' };
        format!("{}{sign}options=-c%20search_path%3D{}", self.url, self.name)
    }

    /// The store of a club in it.
    #[cfg(feature = "postgres")]
    pub fn store(&self, club: &str) -> postrider::store::postgres::Postgres {
        use postrider::store::postgres::{Postgres, Server};
        let server = Server::at(&self.url(), None).expect("a URL");
        Postgres::open(&server, club, &[7; 16]).expect("it opens").expect("it is ours")
    }

    /// The setting by which a club in this folder is kept in it.
    pub fn setting(&self, folder: &Path) -> String {
        use std::os::unix::fs::PermissionsExt;
        let path = folder.join(SETTING);
        std::fs::write(&path, self.url()).expect("written");
        let owner = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(path, owner).expect("it is ours");
        format!("store: {{postgres: {{url_file: {SETTING}, club: test}}}}\n")
    }

    fn tell(&self, sql: &str) {
        let told = std::process::Command::new("psql").args([&self.url, "-qc", sql]).output();
        let told = told.expect("psql is there");
        assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        self.tell(&format!("set client_min_messages = error; drop schema {} cascade", self.name));
    }
}
