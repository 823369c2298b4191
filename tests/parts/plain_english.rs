//! Candidates for unclear English in names and comments. The checks cannot judge a sentence, so
//! each of them finds only patterns that readers of this code did not understand.

use std::fs;
use std::path::{Path, PathBuf};

const FOLDERS: [&str; 6] = ["src", "tests", "examples", "benches", "fuzz", ".ci"];

const TEST_NAME_WORDS_MAX: usize = 8;

/// First words that promise a question or a riddle instead of naming the thing.
const UNCLEAR_STARTS: [&str; 8] =
    ["Who ", "Whom ", "Whose ", "What ", "Whoever ", "Whatever ", "So many ", "The same"];

const GENDERED_WORDS: [&str; 4] = ["he", "his", "him", "himself"];

/// Function names that each stood for many unrelated functions.
const VAGUE_FUNCTIONS: &str =
    "told said asked kept heard settle take tell say lay shut let_go look_anew";

/// Returns the Rust files of this package, without the copies that builds make.
fn read_rust_files() -> Vec<(String, String)> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() && !path.ends_with("target") {
                walk(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    FOLDERS.iter().for_each(|folder| walk(&root.join(folder), &mut found));
    found.sort();
    let read = |path: PathBuf| {
        let name = path.strip_prefix(root).expect("a file of ours").display().to_string();
        (name, fs::read_to_string(&path).expect("a source file"))
    };
    found.into_iter().map(read).collect()
}

/// Returns the text of a comment line, without its marker.
fn comment_of(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("//")?;
    Some(text.trim_start_matches(['/', '!']).trim_start())
}

fn function_name(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("fn ")?;
    let is_head = before.split_whitespace().all(|word| {
        word.starts_with("pub") || word.ends_with(')') || ["const", "async"].contains(&word)
    });
    let end = after.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    is_head.then(|| &after[..end])
}

fn assert_no_faults(faults: &[String]) {
    assert!(faults.is_empty(), "{} unclear places:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn test_names_have_at_most_eight_words() {
    let (mut faults, mut count) = (Vec::new(), 0);
    for (path, text) in read_rust_files() {
        let mut is_test = false;
        for (line, number) in text.lines().zip(1..) {
            is_test |= line.trim() == "#[test]";
            let Some(name) = function_name(line).filter(|_| is_test) else { continue };
            (is_test, count) = (false, count + 1);
            if name.split('_').count() > TEST_NAME_WORDS_MAX {
                faults.push(format!("{path}:{number}: {name}"));
            }
        }
    }
    assert_no_faults(&faults);
    assert!(count > 1_000, "only {count} tests were found");
}

#[test]
fn comments_begin_with_the_thing_they_describe() {
    let mut faults = Vec::new();
    for (path, text) in read_rust_files() {
        let mut was_comment = false;
        for (line, number) in text.lines().zip(1..) {
            let comment = comment_of(line);
            let first = comment.filter(|_| !was_comment);
            was_comment = comment.is_some();
            if first.is_some_and(|text| UNCLEAR_STARTS.iter().any(|start| text.starts_with(start)))
            {
                faults.push(format!("{path}:{number}: {}", line.trim()));
            }
        }
    }
    assert_no_faults(&faults);
}

#[test]
fn comments_call_people_they() {
    let mut faults = Vec::new();
    for (path, text) in read_rust_files() {
        for (line, number) in text.lines().zip(1..) {
            let words = comment_of(line).unwrap_or_default().split(|c: char| !c.is_alphanumeric());
            if words.into_iter().any(|word| GENDERED_WORDS.contains(&&*word.to_lowercase())) {
                faults.push(format!("{path}:{number}: {}", line.trim()));
            }
        }
    }
    assert_no_faults(&faults);
}

#[test]
fn functions_avoid_vague_names() {
    let is_vague = |name: &&str| VAGUE_FUNCTIONS.split(' ').any(|vague| vague == *name);
    let mut faults = Vec::new();
    for (path, text) in read_rust_files() {
        for (line, number) in text.lines().zip(1..) {
            let name = function_name(line).filter(|name| is_vague(name));
            faults.extend(name.map(|name| format!("{path}:{number}: {name}")));
        }
    }
    assert_no_faults(&faults);
}

#[test]
fn developers_page_names_existing_test_modules() {
    let page = include_str!("../../docs/developers.md");
    let section = page.split("## ").find(|part| part.starts_with("Find the tests")).expect("it");
    let rows = section.lines().filter(|line| line.starts_with("| ") && line.contains("`"));
    let names = rows.filter_map(|row| row.split(" | ").nth(1)).flat_map(|cell| {
        cell.split('`').skip(1).step_by(2).filter(|name| !name.contains([' ', ':']))
    });
    let files = read_rust_files();
    let exists = |name: &str| {
        files.iter().any(|(path, _)| {
            path.ends_with(&format!("/{name}.rs")) || path.contains(&format!("/{name}/"))
        })
    };
    let names: Vec<&str> = names.collect();
    let faults: Vec<String> =
        names.iter().filter(|name| !exists(name)).map(ToString::to_string).collect();
    assert_no_faults(&faults);
    assert!(names.len() > 50, "only {} names were found", names.len());
}
