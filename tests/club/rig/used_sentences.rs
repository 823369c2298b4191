//! The list of sentences that the clubs of these tests have used. It is kept in a file, because
//! tests run in any order and in several processes. `tests/parts/languages.rs` reads it.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Appends the key of a sentence to the file, once per process.
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
    // One write call per line, so that the lines of two processes are not mixed.
    file.expect("a file").write_all(format!("{key}\n").as_bytes()).expect("written");
}
