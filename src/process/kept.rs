//! Where a club is kept: in its folder, or on the server that its settings name.
//!
//! May not know what is in a store.

use super::context::{ClubError, read_settings};
use crate::club::{PostgresSettings, SettingsError, StoreSettings};
use crate::mail::ClubSecret;
use crate::store::{GameStore, Store, StoreError};
use std::path::Path;
use std::sync::Arc;

/// The folder of the embedded store.
const STORE: &str = "store";

/// Opens the store of the club in this folder.
///
/// # Errors
/// When it cannot be opened, or another run is at work.
pub(super) fn open(
    folder: &Path,
    settings: &StoreSettings,
    secret: &ClubSecret,
) -> Result<Arc<dyn GameStore>, ClubError> {
    let Some(server) = &settings.postgres else {
        return Ok(Arc::new(Store::open(&folder.join(STORE))?));
    };
    if folder.join(STORE).exists() {
        // Two stores of one club would both be written.
        return Err(not_so(
            "store.postgres",
            "the club has a store in its folder already: move the folder `store` away, then \
             `postrider restore` brings the club to the server from its journal",
        ));
    }
    on_server(folder, server, secret)
}

/// Says so when the club's store was in its folder and is there no more, unless it lies elsewhere
/// by now; looks at little, and changes nothing.
///
/// # Errors
/// When the file system refuses.
pub fn gone(folder: &Path) -> Result<Option<StoreError>, StoreError> {
    let gone = Store::gone(&folder.join(STORE))?;
    let lies_here = || read_settings(folder).map_or(true, |settings| settings.lies_in_folder());
    Ok(gone.filter(|_| lies_here()))
}

#[cfg(feature = "postgres")]
fn on_server(
    folder: &Path,
    server: &PostgresSettings,
    secret: &ClubSecret,
) -> Result<Arc<dyn GameStore>, ClubError> {
    use crate::disk;
    use crate::store::postgres::{Postgres, Server};
    let path = folder.join(&server.url_file);
    let url = std::fs::read_to_string(&path).map_err(|error| ClubError::file(&path, error))?;
    if disk::is_open_to_others(&path) {
        let what = format!("others can read it: chmod 600 {}", path.display());
        return Err(not_so("store.postgres.url_file", &what));
    }
    let ca = server.ca_file.as_ref().map(|file| {
        let path = folder.join(file);
        std::fs::read(&path).map_err(|error| ClubError::file(&path, error))
    });
    let at = Server::at(&url, ca.transpose()?)?;
    let opened = Postgres::open(&at, &server.club, &secret.fingerprint())?;
    let other = "the club of this name there has another secret: give this one another name, or \
                 bring the club's own secret back";
    let opened = opened.ok_or_else(|| not_so("store.postgres.club", other))?;
    Ok(Arc::new(opened))
}

#[cfg(not(feature = "postgres"))]
fn on_server(
    _: &Path,
    _: &PostgresSettings,
    _: &ClubSecret,
) -> Result<Arc<dyn GameStore>, ClubError> {
    let what = "this program was built without it: build it with `--features postgres`";
    Err(not_so("store.postgres", what))
}

fn not_so(field: &'static str, what: &str) -> ClubError {
    SettingsError::Value { line: 0, field, what: what.to_owned() }.into()
}
