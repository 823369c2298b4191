//! How much the tests try, and where the folders of their clubs lie.

#![allow(dead_code, reason = "each test binary uses its own part")]

use std::process::Command;
use std::sync::OnceLock;
use tempfile::TempDir;

/// With this variable in the environment, random and exhaustive tests try all that they can, as
/// `.ci/run` does. Without it they try a sample that takes seconds.
pub const FULL: &str = "POSTRIDER_TEST_FULL";

/// The space in memory that all clubs of a run need together, in MiB.
const REQUIRED_MIB: u64 = 2_000;

/// `all` in a full run, else `sample`.
pub fn sample_or_all<T>(sample: T, all: T) -> T {
    if std::env::var_os(FULL).is_some() { all } else { sample }
}

/// A folder that vanishes with the value: in memory where there is room for it, since half of their
/// time clubs would wait for a disk.
pub fn folder() -> TempDir {
    static IN_MEMORY: OnceLock<bool> = OnceLock::new();
    // A run that names a place for its folders gets them there.
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
