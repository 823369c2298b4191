//! Tests of bounce reports. Each `tests/bounces/NAME.eml` is read with both kinds of line ends.
//! `NAME.txt` lists the expected recipients, hard or soft causes, and returned letters.

use postrider::mail::{Bounce, Letter};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn describe_report(bytes: &[u8]) -> String {
    let letter = match Letter::parse(bytes) {
        Ok(letter) => letter,
        Err(why) => return format!("unreadable: {why}\n"),
    };
    let mut text = String::new();
    match letter.automatic {
        Some(why) => {
            writeln!(text, "automatic: {}", crate::letters::say_in_english(&why.to_message()))
                .unwrap();
        }
        None => writeln!(text, "a person's").unwrap(),
    }
    let Some(bounce) = Bounce::from_letter(&letter, "games@example.org") else {
        return text + "names nobody\n";
    };
    for failed in bounce.failed {
        let kind = if failed.cause.is_hard_bounce() { "hard" } else { "soft" };
        let fault = format!("{:?}", failed.cause).to_lowercase();
        writeln!(text, "{kind}, {fault}: {} {}", failed.address, failed.status).unwrap();
    }
    // The club's own address is in angle brackets too, so it is found among the Message-IDs.
    for id in bounce.message_ids.iter().filter(|id| *id != "games@example.org") {
        writeln!(text, "letter: {id}").unwrap();
    }
    text.replace(" \n", "\n")
}

fn list_reports() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bounces");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|found| found == "eml")).collect();
    paths.sort();
    paths
}

#[test]
fn bounce_reports_match_expected_files() {
    let mut faults = String::new();
    let paths = list_reports();
    for path in &paths {
        let text = fs::read_to_string(path).unwrap().replace("\r\n", "\n");
        let expected = fs::read_to_string(path.with_extension("txt")).unwrap_or_default();
        let name = path.file_name().unwrap().display();
        for text in [text.replace('\n', "\r\n"), text] {
            let found = describe_report(text.as_bytes());
            if found != expected {
                writeln!(faults, "== {name}\n{found}-- expected\n{expected}").unwrap();
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
    assert!(paths.len() >= 8, "only {} reports", paths.len());
}

/// The sample bounce reports are cut and mixed at random. Reading them must end without a panic.
#[test]
fn mangled_report_names_at_most_fifty_recipients() {
    // A small generator of random numbers that gives the same numbers in every run.
    let mut state = 7_u64;
    let mut draw = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        usize::try_from(state >> 33).unwrap() % below.max(1)
    };
    for path in list_reports() {
        let whole = fs::read(&path).unwrap();
        for _ in 0..40 {
            let mut bytes = whole.clone();
            for _ in 0..draw(6) {
                let (from, to) = (draw(bytes.len()), draw(bytes.len()));
                let piece = bytes[from..(from + draw(200)).min(bytes.len())].to_vec();
                bytes.splice(to..to, piece);
                let at = draw(bytes.len());
                bytes[at] = u8::try_from(draw(256)).unwrap();
            }
            bytes.truncate(whole.len() / 2 + draw(whole.len()));
            let Ok(letter) = Letter::parse(&bytes) else { continue };
            if let Some(bounce) = Bounce::from_letter(&letter, "games@example.org") {
                assert!((1..=50).contains(&bounce.failed.len()));
            }
        }
    }
    let many: String = (0..40_000).map(|n| format!("<a{n}@example.net>\n")).collect();
    let flood = format!("From: postmaster@x.org\nSubject: Returned mail\n\n{many}");
    let letter = Letter::parse(flood.as_bytes()).unwrap();
    assert_eq!(Bounce::from_letter(&letter, "games@example.org").unwrap().failed.len(), 50);
}
