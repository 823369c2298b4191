//! What passes note beside the store: when they ran, those included that opened no store.

use crate::club::clock::Heartbeat;
use crate::disk::{self, Readers};
use crate::process::context::{ClubError, ClubResult};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// The file of the heartbeat of passes that opened no store.
pub(crate) const PULSE: &str = "pulse";

/// When passes ran, those included that opened no store.
pub(crate) fn heartbeat_of(folder: &Path, stored: Heartbeat) -> Heartbeat {
    read::<Heartbeat>(&folder.join(PULSE)).filter(|idle| idle.last > stored.last).unwrap_or(stored)
}

/// Forgets what passes without the store have noted, as the store knows better now.
pub(crate) fn forget_heartbeat(folder: &Path) -> ClubResult<()> {
    let path = folder.join(PULSE);
    if path.exists() {
        disk::remove(&path).map_err(|error| ClubError::file(&path, error))?;
    }
    Ok(())
}

pub fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()
}

pub(crate) fn write(folder: &Path, name: &str, what: &impl Serialize) -> ClubResult<()> {
    let (staging, path) = (folder.join(format!("{name}.new")), folder.join(name));
    let text = serde_json::to_vec(what).unwrap_or_default();
    disk::write_whole(&staging, &path, &text, Readers::Owner)
        .map_err(|error| ClubError::file(&path, error))
}
