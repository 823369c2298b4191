//! Which sentences the clubs of these tests have said: kept in a file beside the build, as tests
//! run in no order and in more processes than one. `tests/parts/languages.rs` reads it.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Notes that a sentence is said, once a process.
pub fn record_sentence(key: &str) {
    static KNOWN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if known.contains(key) {
        return;
    }
    known.insert(key.to_owned());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    fs::create_dir_all(folder).expect("a folder");
    let file = OpenOptions::new().append(true).create(true).open(folder.join("said.txt"));
    // One write, so that lines of two processes do not mix.
    file.expect("a file").write_all(format!("{key}\n").as_bytes()).expect("written");
}
