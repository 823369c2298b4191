//! The switches of the planted mutants. `.ci/mutants` copies this file into the source.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex};

static ON: LazyLock<u32> =
    LazyLock::new(|| std::env::var("MUTANT").ok().and_then(|id| id.parse().ok()).unwrap_or(0));
static REACH: LazyLock<Option<Mutex<std::fs::File>>> = LazyLock::new(|| {
    let path = std::env::var("MUTANTS_REACHED").ok()?;
    let file = std::fs::File::options().create(true).append(true).open(path).ok()?;
    Some(Mutex::new(file))
});
static REACHED: [AtomicBool; MANY] = [const { AtomicBool::new(false) }; MANY];

/// Returns whether this mutant is selected, and notes that it was reached.
pub fn on(id: u32) -> bool {
    if let Some(file) = &*REACH
        && !REACHED[id as usize].swap(true, Ordering::Relaxed)
        && let Ok(mut file) = file.lock()
    {
        // Written immediately, because the test program may end at any time, even by an abort.
        let _ = file.write_all(format!("{id}\n").as_bytes());
    }
    *ON == id
}
