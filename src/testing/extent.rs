//! The extent of random and exhaustive tests, and temporary folders for clubs.

use std::process::Command;
use std::sync::OnceLock;
use tempfile::TempDir;

/// The environment variable of full runs, in which random and exhaustive tests try most cases or
/// all, as in `.ci/run`. Without it, they try a sample that takes seconds.
pub const FULL: &str = "POSTRIDER_TEST_FULL";

/// The memory that all clubs of a test run need together, in MiB.
const REQUIRED_MIB: u64 = 2_000;

/// Returns `all` in a full run, otherwise `sample`.
pub fn sample_or_all<T>(sample: T, all: T) -> T {
    if std::env::var_os(FULL).is_some() { all } else { sample }
}

/// Creates a temporary folder, which is deleted when the value is dropped. It is in `TMPDIR` if
/// that is set, otherwise in memory if there is room, because waiting for a disk would take half of
/// the time.
pub fn create_folder() -> TempDir {
    static IN_MEMORY: OnceLock<bool> = OnceLock::new();
    let is_in_memory =
        std::env::var_os("TMPDIR").is_none() && *IN_MEMORY.get_or_init(has_free_memory);
    let folder = if is_in_memory { tempfile::tempdir_in("/dev/shm") } else { tempfile::tempdir() };
    folder.expect("a folder")
}

fn has_free_memory() -> bool {
    let output = Command::new("df").args(["--output=avail", "-B1M", "/dev/shm"]).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let free = text.ok().and_then(|text| text.lines().nth(1)?.trim().parse::<u64>().ok());
    free.is_some_and(|free| free > REQUIRED_MIB)
}
