//! The location of a club's store: its folder, or the server that its settings name.
//!
//! Knows nothing about what is in a store.

use super::context::{ClubError, read_settings};
use crate::club::{PostgresSettings, SettingsError, StoreSettings};
use crate::disk;
use crate::mail::ClubSecret;
use crate::store::{CacheSize, GameStore, NewLocation, Store, StoreError};
use chrono::{DateTime, Utc};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder of the embedded store.
const STORE_FOLDER: &str = "store";
/// The folder of the store's plain text copy.
const JOURNAL_FOLDER: &str = "journal";

/// The place to which a club is moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// The club's own folder.
    Folder,
    /// A database server.
    Server(PostgresSettings),
}

impl Destination {
    /// Returns the new location as the abandoned store records it, with the lines for club.yaml.
    pub(super) fn to_new_location(&self) -> NewLocation {
        match self {
            Self::Folder => NewLocation { place: "its folder".to_owned(), lines: Vec::new() },
            Self::Server(PostgresSettings { url_file, ca_file, club }) => {
                let quoted = |text: &str| serde_json::Value::from(text).to_string();
                let mut lines = ["store:", "  postgres:"].map(str::to_owned).to_vec();
                lines.push(format!("    url_file: {}", quoted(url_file)));
                lines.extend(ca_file.iter().map(|file| format!("    ca_file: {}", quoted(file))));
                lines.push(format!("    club: {}", quoted(club)));
                NewLocation { place: format!("the server that {url_file} names"), lines }
            }
        }
    }
}

/// Opens the store of the club in this folder. The cache size applies to the embedded store only.
/// Fails if another run has it open.
pub(super) fn open_store(
    folder: &Path,
    settings: &StoreSettings,
    secret: &ClubSecret,
    memory: CacheSize,
) -> Result<Arc<dyn GameStore>, ClubError> {
    let store = folder.join(STORE_FOLDER);
    let Some(server) = &settings.postgres else {
        return Ok(Arc::new(Store::open_with_cache(&store, memory)?));
    };
    let opened = open_on_server(folder, server, secret, false)?;
    if store.exists() && !Store::is_abandoned(&store)? {
        // Otherwise both stores of the club could be written.
        return Err(settings_error(
            "store.postgres",
            "the club's folder already has a store: remove these lines and run `postrider \
             migrate`, or move the folder `store` away and run `postrider restore`, which copies \
             the club from its journal to the server",
        ));
    }
    Ok(opened)
}

/// Opens the store to which a club is moved. It holds nothing of the club, except data from an
/// interrupted attempt, which is removed if the destination is the folder.
///
/// If the club moves into its folder, the journal and abandoned store that are still there are
/// renamed and added to `aside`.
pub(super) fn open_migration_target(
    folder: &Path,
    to: &Destination,
    secret: &ClubSecret,
    aside: &mut Vec<(&'static str, PathBuf)>,
) -> Result<Arc<dyn GameStore>, ClubError> {
    let store = folder.join(STORE_FOLDER);
    match to {
        Destination::Server(server) => open_on_server(folder, server, secret, true),
        Destination::Folder => {
            if Store::is_incomplete(&store)? {
                // An incomplete store has only data that the source store has too.
                let gone = if store.exists() { disk::remove_folder(&store) } else { Ok(()) };
                gone.map_err(|error| ClubError::for_path(&store, error))?;
            }
            aside.extend(rename_old_journal_and_store(folder)?);
            Ok(Arc::new(Store::create_for_rebuild(&store)?))
        }
    }
}

/// Opens the store to which a club was moved completely. It may not be marked as complete yet.
pub(super) fn open_migrated_store(
    folder: &Path,
    to: &Destination,
    secret: &ClubSecret,
) -> Result<Arc<dyn GameStore>, ClubError> {
    match to {
        Destination::Server(server) => open_on_server(folder, server, secret, false),
        Destination::Folder => Ok(Arc::new(Store::open_migrated(&folder.join(STORE_FOLDER))?)),
    }
}

/// Renames the journal and the abandoned store that are still in a club's folder after it moved
/// away. Returns what each was, and its new path.
pub(super) fn rename_old_journal_and_store(
    folder: &Path,
) -> Result<Vec<(&'static str, PathBuf)>, ClubError> {
    let mut aside = Vec::new();
    let store = folder.join(STORE_FOLDER);
    for (what, name) in [(JOURNAL_FOLDER, "journal.before"), (STORE_FOLDER, "store.before")] {
        if folder.join(what).exists() && (what == JOURNAL_FOLDER || Store::is_abandoned(&store)?) {
            aside.push((what, rename_to_free_name(folder, what, name)?));
        }
    }
    Ok(aside)
}

/// Renames something in a folder to this name, or to one with a number if the name is taken.
/// Returns the new path.
///
/// # Errors
/// If the file system refuses.
pub fn rename_to_free_name(folder: &Path, what: &str, name: &str) -> Result<PathBuf, ClubError> {
    let first = folder.join(name);
    let mut places = (2_u32..).map(|n| folder.join(format!("{name}.{n}")));
    let place =
        if first.exists() { places.find(|path| !path.exists()).unwrap_or(first) } else { first };
    let moved = disk::move_durably(&folder.join(what), &place);
    moved.map_err(|error| ClubError::for_path(&place, error))?;
    Ok(place)
}

/// Rewrites the embedded store, so that its file no longer holds erased data. Does nothing for a
/// club on a server. The club must not be open.
///
/// # Errors
/// If the store cannot be opened or written, or another run has it open.
pub fn compact_store_in_folder(folder: &Path, now: DateTime<Utc>) -> Result<(), ClubError> {
    if read_settings(folder)?.is_store_in_folder() {
        Store::compact_if_data_erased(&folder.join(STORE_FOLDER), now)?;
    }
    Ok(())
}

/// Returns an error if the club's store was in its folder but is gone, unless club.yaml names a
/// server. Changes nothing.
///
/// # Errors
/// If the file system refuses.
pub fn missing_store_error(folder: &Path) -> Result<Option<StoreError>, StoreError> {
    let gone = Store::missing_store_error(&folder.join(STORE_FOLDER))?;
    let lies_here = || read_settings(folder).map_or(true, |settings| settings.is_store_in_folder());
    Ok(gone.filter(|_| lies_here()))
}

/// Whether the club keeps its store in its folder, but no command has created it yet.
///
/// # Errors
/// If there is no club in the folder, or its settings are wrong.
pub fn is_store_still_missing(folder: &Path) -> Result<bool, ClubError> {
    let lies_here = read_settings(folder)?.is_store_in_folder();
    Ok(lies_here && Store::was_never_created(&folder.join(STORE_FOLDER)))
}

/// Opens a store on a server. With `to_fill`, also opens one from which the club was moved away.
#[cfg(feature = "postgres")]
fn open_on_server(
    folder: &Path,
    server: &PostgresSettings,
    secret: &ClubSecret,
    to_fill: bool,
) -> Result<Arc<dyn GameStore>, ClubError> {
    use crate::store::postgres::{Postgres, Server};
    let path = folder.join(&server.url_file);
    let url = std::fs::read_to_string(&path).map_err(|error| ClubError::for_path(&path, error))?;
    if disk::is_readable_by_others(&path) {
        let what = format!("other users can read it: run chmod 600 {}", path.display());
        return Err(settings_error("store.postgres.url_file", &what));
    }
    let ca = server.ca_file.as_ref().map(|file| {
        let path = folder.join(file);
        std::fs::read(&path).map_err(|error| ClubError::for_path(&path, error))
    });
    let at = Server::from_url(&url, ca.transpose()?)?;
    let open = if to_fill { Postgres::open_for_import } else { Postgres::open };
    let opened = open(&at, &server.club, &secret.fingerprint())?;
    let other = "the club with this name on the server has another secret: give this club another \
                 name, or restore the secret of that club";
    let opened = opened.ok_or_else(|| settings_error("store.postgres.club", other))?;
    Ok(Arc::new(opened))
}

#[cfg(not(feature = "postgres"))]
fn open_on_server(
    _: &Path,
    _: &PostgresSettings,
    _: &ClubSecret,
    _: bool,
) -> Result<Arc<dyn GameStore>, ClubError> {
    let what = "this program was built without PostgreSQL: build it with `--features postgres`";
    Err(settings_error("store.postgres", what))
}

fn settings_error(field: &'static str, what: &str) -> ClubError {
    SettingsError::Value { line: 0, field, what: what.to_owned() }.into()
}
