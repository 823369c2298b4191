//! Tests of the languages in `templates/`: all are complete, and the letters of the tests have
//! shown every sentence.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The languages that may still be incomplete. A language that has become complete must be removed.
const PARTIAL_LANGUAGES: &[&str] = &[];

fn path_in_repo(inside: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(inside)
}

/// Returns the files of a language, by path inside its folder.
fn language_files(tag: &str) -> BTreeMap<String, String> {
    fn walk(folder: &Path, below: &str, found: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let name = format!("{below}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                walk(&entry.path(), &format!("{name}/"), found);
            } else {
                found.insert(name, fs::read_to_string(entry.path()).expect("text"));
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(&path_in_repo("templates").join(tag), "", &mut found);
    found
}

fn list_languages() -> Vec<String> {
    let folders = fs::read_dir(path_in_repo("templates")).expect("a folder").flatten();
    folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// Returns the keys of a language's sentences, each with its file.
fn sentence_keys(files: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut keys = BTreeMap::new();
    for (name, text) in files.iter().filter(|(name, _)| name.ends_with(".ftl")) {
        for line in text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase())) {
            let (key, _) = line.split_once(" =").unwrap_or_else(|| panic!("{name}: {line}"));
            keys.insert(key.to_owned(), name.clone());
        }
    }
    keys
}

/// Returns the literal text of a template, without inserted values, and without the tags of HTML.
fn literal_text(name: &str, text: &str) -> String {
    let without = |text: &str, open: &str, close: &str| {
        let mut parts = text.split(open);
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |all, part| all + part.split_once(close).map_or("", |(_, rest)| rest))
    };
    let mut text = text.to_owned();
    for (open, close) in [("{#", "#}"), ("{%", "%}"), ("{{", "}}")] {
        text = without(&text, open, close);
    }
    if name.ends_with(".html") {
        text = without(&without(&text, "<style", "</style>"), "<", ">");
    }
    text
}

fn has_words(name: &str, text: &str) -> bool {
    literal_text(name, text).chars().any(char::is_alphabetic)
}

/// Returns everything that English has and this language does not have.
fn missing_items(tag: &str) -> Vec<String> {
    let (english, own) = (language_files("en"), language_files(tag));
    let (needed, present) = (sentence_keys(&english), sentence_keys(&own));
    let sentences = needed.iter().filter(|(key, _)| !present.contains_key(*key));
    let sentences = sentences.map(|(key, file)| format!("{tag}/{file}: {key}"));
    let texts =
        english.iter().filter(|(name, text)| !name.ends_with(".ftl") && has_words(name, text));
    let texts = texts.filter(|(name, _)| !own.contains_key(*name));
    sentences.chain(texts.map(|(name, _)| format!("{tag}/{name}"))).collect()
}

#[test]
fn languages_are_complete_unless_listed_as_partial() {
    let mut faults = Vec::new();
    for tag in list_languages().iter().filter(|tag| *tag != "en") {
        let missing = missing_items(tag);
        match (PARTIAL_LANGUAGES.contains(&tag.as_str()), missing.is_empty()) {
            (false, false) => faults.extend(missing),
            (true, true) => {
                faults.push(format!("{tag} is complete: remove it from PARTIAL_LANGUAGES"));
            }
            _ => {}
        }
    }
    assert!(faults.is_empty(), "{} are missing:\n{}", faults.len(), faults.join("\n"));
    assert!(sentence_keys(&language_files("en")).len() > 900, "the test finds sentences");
}

#[test]
fn languages_have_no_unused_sentences_or_unknown_arguments() {
    let library = postrider::render::Library::embedded().expect("the words ship");
    let faults =
        library.find_unused_templates(&path_in_repo("templates")).expect("they can be read");
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn html_templates_contain_no_literal_text() {
    for tag in list_languages() {
        for (name, text) in language_files(&tag).iter().filter(|(name, _)| name.ends_with(".html"))
        {
            let words = literal_text(name, text);
            assert!(!has_words(name, text), "{tag}/{name}: {}", words.trim());
            for attribute in ["alt=\"", "title=\"", "summary=\""] {
                let mut values = text.split(attribute).skip(1);
                let is_ours = |value: &str| value.starts_with("{{") || value.starts_with('"');
                assert!(values.all(is_ours), "{tag}/{name}: {attribute}");
            }
        }
    }
}

/// The sentence that only a game of simultaneous orders shows. The tests of `examples/sealed_bids`
/// show it in both languages.
const SHOWN_BY_EXAMPLE: &str = "orders-sealed";

#[test]
#[ignore = "needs the output of all club tests: .ci/run runs it after them"]
fn every_sentence_is_shown_by_a_test_letter() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("said.txt");
    let shown = fs::read_to_string(path).expect("run the club's tests first: they write it");
    let shown: BTreeSet<&str> = shown.lines().collect();
    let all = sentence_keys(&language_files("en"));
    let unsaid: Vec<String> = all
        .iter()
        .filter(|(key, _)| !shown.contains(key.as_str()) && key.as_str() != SHOWN_BY_EXAMPLE)
        .map(|(key, file)| format!("{key} ({file}): no letter of the tests shows it"))
        .collect();
    assert!(unsaid.is_empty(), "{} sentences:\n{}", unsaid.len(), unsaid.join("\n"));
}
