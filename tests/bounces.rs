//! What mail servers' reports say, each `tests/bounces/NAME.eml` with line ends of both kinds
//! against `NAME.txt`: the recipients, whether there is hope, and whether a token came back.

use postrider::mail::{Bounce, Letter};
use std::fmt::Write;
use std::fs;
use std::path::Path;

fn understood(bytes: &[u8]) -> String {
    let letter = match Letter::read(bytes) {
        Ok(letter) => letter,
        Err(why) => return format!("unreadable: {why}\n"),
    };
    let mut text = String::new();
    match letter.automatic {
        Some(why) => writeln!(text, "automatic: {why}").unwrap(),
        None => writeln!(text, "a person's").unwrap(),
    }
    let Some(bounce) = Bounce::of(&letter, "games@example.org") else {
        return text + "names nobody\n";
    };
    for failed in bounce.failed {
        let kind = if failed.hard { "hard" } else { "soft" };
        writeln!(text, "{kind}: {} {}", failed.address, failed.status).unwrap();
    }
    for token in bounce.tokens {
        writeln!(text, "token: {token}").unwrap();
    }
    text.replace(" \n", "\n")
}

fn reports(folder: &Path, extension: &str) -> Vec<std::path::PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|found| found == extension)).collect();
    paths.sort();
    paths
}

#[test]
fn every_report_says_what_is_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bounces");
    let mut faults = String::new();
    let paths = reports(&folder, "eml");
    for path in &paths {
        let text = fs::read_to_string(path).unwrap().replace("\r\n", "\n");
        let expected = fs::read_to_string(path.with_extension("txt")).unwrap_or_default();
        let name = path.file_name().unwrap().display();
        for text in [text.replace('\n', "\r\n"), text] {
            let found = understood(text.as_bytes());
            if found != expected {
                writeln!(faults, "== {name}\n{found}-- expected\n{expected}").unwrap();
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
    assert!(paths.len() >= 8, "only {} reports", paths.len());
}

/// Prints what a folder of reports says, for a person to compare: `REPORTS=folder`.
#[test]
#[ignore = "needs a folder of reports"]
#[allow(clippy::print_stderr, reason = "a person reads it")]
fn measure() {
    let folder = std::env::var("REPORTS").expect("REPORTS is a folder");
    for path in reports(Path::new(&folder), "txt") {
        eprintln!("== {}\n{}", path.display(), understood(&fs::read(&path).unwrap()));
    }
}
