//! Rules of this code base that the compiler cannot check inside one package. Each row of a list
//! must still match something, so that no rule outlives a rename.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const LINES_PER_FILE_MAX: usize = 500;
const LINES_A_FUNCTION: usize = 70;
const COLUMNS: usize = 100;

/// Each layer with the layers, or single modules of a layer, that it may name: only lower ones.
const LAYERS: &[(&str, &[&str])] = &[
    ("rules", &[]),
    ("games", &["rules"]),
    ("table", &["rules", "games"]),
    ("disk.rs", &[]),
    ("tls.rs", &[]),
    ("mail", &["disk", "tls", "rules"]),
    ("club", &["mail::settings", "mail::address", "rules", "games", "table"]),
    ("picture", &["rules"]),
    ("store", &["disk", "tls", "club", "table", "rules", "games"]),
    ("render", &["picture", "club", "table", "rules", "games"]),
    ("process", &["disk", "store", "mail", "render", "club", "table", "rules", "games"]),
    ("cli", &["process", "disk", "store", "mail", "render", "club", "table", "rules", "games"]),
    ("program.rs", &["cli", "games", "rules"]),
    (
        "testing",
        &["cli", "process", "disk", "store", "mail", "render", "club", "table", "rules", "games"],
    ),
];

/// Words, the only paths whose files may contain them, and the reason.
const RESERVED: &[(&str, &[&str], &str)] = &[
    ("sled::", &["src/store/sled/", "src/store/mod.rs"], "one folder knows sled"),
    ("mail_parser", &["src/mail/letter/"], "one folder reads letters"),
    ("lettre::", &["src/mail/transport/"], "a transport posts letters"),
    (" imap::", &["src/mail/fetch/"], "one folder speaks IMAP"),
    (
        "rustls::",
        &["src/mail/connection/", "src/store/postgres/", "src/tls.rs"],
        "two folders dial",
    ),
    ("use postgres::", &["src/store/postgres/"], "one folder speaks SQL"),
    ("serde_yaml", &["src/rules/yaml/"], "one folder reads YAML"),
    ("Utc::now", &[], "time comes in as an argument"),
    ("getrandom", &["src/program.rs"], "chance comes in as an argument"),
    (
        "std::env::var",
        &["src/program.rs", "src/disk.rs"],
        "the environment comes in as an argument",
    ),
    (
        "std::fs",
        &["src/disk.rs", "src/store/", "src/mail/", "src/render/", "src/process", "src/cli/"],
        "the core does no input or output",
    ),
    ("println!", &[], "what is printed goes to the writer that the command was given"),
    ("unsafe ", &[], "there is none"),
    ("macro_rules!", &[], "there are none of our own"),
];

/// Words that show that the command line decides something itself, and the module that decides it.
const DECISIONS: &[(&str, &str)] = &[
    ("ActivityEvent", "moderation/game_log.rs decides what the activity log shows to whom"),
    ("Cause::", "moderation/game_log.rs decides what a record says"),
    ("is_private", "moderation/game_log.rs decides what the moderator may read"),
    ("press_terms", "moderation/game_log.rs decides what the moderator may read"),
    ("moderator_reads", "moderation/game_log.rs decides what the moderator may read"),
    ("Turn::", "moderation/overview.rs decides for whom a game waits"),
    ("has_deadline_passed(", "moderation/overview.rs decides for whom a game waits"),
    ("Actor::", "moderation/game_command.rs decides in whose name something is done"),
    ("Authority::", "process/table decides in whose name something is done"),
    ("Quorum", "club/vote.rs decides what is voted on, and how"),
    ("Batch", "process decides what is written"),
];

const FORBIDDEN_WORDS: &[&str] =
    &["FIXME", "XXX", "todo!(", "unimplemented!(", ".unwrap()", ".expect("];

fn read_rust_files(folder: &str) -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    walk(&root.join(folder), &mut found);
    found.sort();
    assert!(!found.is_empty(), "nothing under {folder}");
    found
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            (path.strip_prefix(root).unwrap().to_owned(), text)
        })
        .collect()
}

/// Returns the file without its unit tests, which come last.
fn without_tests(text: &str) -> &str {
    text.split("\n#[cfg(test)]").next().unwrap_or(text)
}

/// Returns a line without its comment. Strings with two slashes are web addresses, which no rule
/// names.
fn strip_comment(line: &str) -> &str {
    line.split("//").next().unwrap_or(line)
}

fn assert_no_faults(faults: &[String]) {
    assert!(faults.is_empty(), "{} untidy places:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn layers_depend_downwards_only() {
    let mut faults = Vec::new();
    let all: Vec<&str> = LAYERS.iter().map(|(layer, _)| layer.trim_end_matches(".rs")).collect();
    for (path, text) in read_rust_files("src") {
        let inside = path.strip_prefix("src").unwrap().to_string_lossy().into_owned();
        let is_test_file = inside.contains("/tests/") || inside.ends_with("tests.rs");
        if matches!(inside.as_str(), "lib.rs" | "main.rs") {
            continue;
        }
        let Some((layer, may)) = LAYERS.iter().find(|(layer, _)| inside.starts_with(layer)) else {
            faults.push(format!("{inside}: belongs to no layer"));
            continue;
        };
        for (number, line) in without_tests(&text).lines().enumerate() {
            let forbidden = may.iter().fold(strip_comment(line).to_owned(), |line, allowed| {
                line.replace(&format!("crate::{allowed}"), "")
            });
            for named in &all {
                let own = layer.trim_end_matches(".rs") == *named;
                let is_for_test = *named == "testing" && is_test_file;
                if !own && !is_for_test && forbidden.contains(&format!("crate::{named}")) {
                    faults.push(format!("{inside}:{}: {layer} names {named}", number + 1));
                }
            }
        }
    }
    assert_no_faults(&faults);
}

#[test]
fn files_and_functions_are_short() {
    let mut faults = Vec::new();
    for folder in ["src", "tests", "benches", "examples"] {
        for (path, text) in read_rust_files(folder) {
            let path = path.display();
            let lines: Vec<&str> = text.lines().collect();
            if lines.len() > LINES_PER_FILE_MAX {
                faults.push(format!("{path}: {} lines", lines.len()));
            }
            for (at, line) in lines.iter().enumerate() {
                if line.chars().count() > COLUMNS {
                    faults.push(format!("{path}:{}: over {COLUMNS} columns", at + 1));
                }
            }
            faults.extend(
                long_functions(&lines).map(|(at, name)| {
                    format!("{path}:{at}: {name} is over {LINES_A_FUNCTION} lines")
                }),
            );
        }
    }
    assert_no_faults(&faults);
}

/// Returns the functions that are too long. rustfmt closes each at the indentation of its head.
fn long_functions<'a>(lines: &'a [&'a str]) -> impl Iterator<Item = (usize, String)> + 'a {
    lines.iter().enumerate().filter_map(|(at, line)| {
        let body = line.trim_start();
        let indent = line.len() - body.len();
        let named =
            ["fn ", "pub fn ", "pub(super) fn ", "pub(crate) fn ", "const fn ", "pub const fn "]
                .iter()
                .find_map(|start| body.strip_prefix(start))?;
        // A method without a body ends with a semicolon before any line opens one.
        let head = lines.iter().skip(at).find(|line| line.ends_with(['{', ';', '}']))?;
        if head.ends_with(';') {
            return None;
        }
        let close = format!("{}}}", " ".repeat(indent));
        let length = lines.iter().skip(at).position(|line| *line == close)?;
        (length > LINES_A_FUNCTION)
            .then(|| (at + 1, named.split(['(', '<']).next().unwrap_or_default().to_owned()))
    })
}

#[test]
fn reserved_words_stay_where_they_belong() {
    let mut faults = Vec::new();
    let mut used = BTreeSet::new();
    // Tests of games may do what no pass may.
    for (path, text) in
        read_rust_files("src").into_iter().filter(|(path, _)| !path.starts_with("src/testing"))
    {
        let path = path.display().to_string();
        for (number, line) in without_tests(&text).lines().enumerate() {
            for (word, places, why) in RESERVED {
                let allowed = places.iter().find(|place| path.starts_with(**place));
                match (strip_comment(line).contains(word), allowed) {
                    (true, Some(place)) => drop(used.insert((word, place))),
                    (true, None) => faults.push(format!("{path}:{}: {word}: {why}", number + 1)),
                    (false, _) => {}
                }
            }
            let is_test = path.contains("/tests/") || path.ends_with("/tests.rs");
            for word in FORBIDDEN_WORDS.iter().filter(|_| !is_test) {
                if strip_comment(line).contains(word) {
                    faults.push(format!("{path}:{}: {word}", number + 1));
                }
            }
        }
    }
    for (word, places, _) in RESERVED {
        let unused = places.iter().filter(|place| !used.contains(&(word, *place)));
        faults.extend(unused.map(|place| format!("{place} does not use {word} any more")));
    }
    assert_no_faults(&faults);
}

#[test]
fn command_line_contains_no_decisions() {
    let mut faults = Vec::new();
    for (path, text) in read_rust_files("src/cli") {
        for (number, line) in without_tests(&text).lines().enumerate() {
            let decisions = DECISIONS.iter().filter(|(word, _)| strip_comment(line).contains(word));
            faults
                .extend(decisions.map(|(word, who)| {
                    format!("{}:{}: {word}: {who}", path.display(), number + 1)
                }));
        }
    }
    assert_no_faults(&faults);
    let process: String =
        read_rust_files("src/process").into_iter().map(|(_, text)| text).collect();
    for (word, _) in DECISIONS {
        assert!(process.contains(word), "no code contains {word} any more");
    }
}

#[test]
fn modules_have_doc_headers_and_telling_names() {
    let mut faults = Vec::new();
    for (path, text) in read_rust_files("src") {
        let is_test =
            path.components().any(|part| part.as_os_str() == "tests") || path.ends_with("tests.rs");
        if !is_test && !text.starts_with("//! ") {
            faults.push(format!("{}: has no header", path.display()));
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if ["utils", "util", "helpers", "helper", "common", "misc"].contains(&stem.as_str()) {
            faults.push(format!("{}: a vague name", path.display()));
        }
    }
    assert_no_faults(&faults);
}

#[test]
fn public_modules_are_listed_or_hidden() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/developers.md")).unwrap();
    let list = page.split("## Use the library").nth(1).unwrap().split("\n## ").next().unwrap();
    let library = fs::read_to_string(root.join("src/lib.rs")).unwrap();
    let lines: Vec<&str> = library.lines().collect();
    let mut faults = Vec::new();
    for pair in lines.windows(2) {
        let Some(module) = pair[1].strip_prefix("pub mod ") else { continue };
        let is_hidden = pair[0] == "#[doc(hidden)]";
        let is_listed = list.contains(&format!("`{}`", module.trim_end_matches(';')));
        if is_hidden == is_listed {
            faults.push(format!("{module} hidden: {is_hidden}, listed: {is_listed}"));
        }
    }
    assert_no_faults(&faults);
}

#[test]
fn main_file_is_short() {
    let main = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/src/main.rs")).unwrap();
    assert!(main.lines().count() < 40);
}

/// Methods of the store that may be called without a transaction: its state and its maintenance.
const ALLOWED_STORE_METHODS: &[&str] = &[
    "as_migration",
    "as_shared",
    "begin_rebuild",
    "file_stamp",
    "finish_rebuild",
    "is_compaction_due",
    "is_game_journaled",
    "is_journal_behind",
    "journal_differences",
    "journal_length_differences",
    "list_problems",
    "prune_post_records",
    "read_only_reason",
    "size_in_bytes",
];

#[test]
fn store_is_only_accessed_through_transactions() {
    let (mut faults, mut called) = (Vec::new(), BTreeSet::new());
    for folder in ["src/process", "src/cli"] {
        for (path, text) in read_rust_files(folder) {
            let path = path.display().to_string();
            if path.starts_with("src/process/transaction/") {
                continue;
            }
            for (number, line) in without_tests(&text).lines().enumerate() {
                for asked in strip_comment(line).split(".store.").skip(1) {
                    let word = asked.split(|c: char| !c.is_alphanumeric() && c != '_').next();
                    let word = word.unwrap_or_default();
                    match ALLOWED_STORE_METHODS.iter().find(|allowed| **allowed == word) {
                        Some(allowed) => drop(called.insert(*allowed)),
                        None => faults.push(format!("{path}:{}: {asked}", number + 1)),
                    }
                }
                let alone = strip_comment(line).trim_end().ends_with(".store");
                faults.extend(alone.then(|| format!("{path}:{}: the store itself", number + 1)));
            }
        }
    }
    let uncalled = ALLOWED_STORE_METHODS.iter().filter(|method| !called.contains(*method));
    faults.extend(uncalled.map(|method| format!("nothing calls {method} any more")));
    assert_no_faults(&faults);
}

/// The folders of src/process, from the top down. Each may use those below it, and the files that
/// are in src/process itself.
const PROCESS_MODULES: &[&str] = &[
    "pass",
    "timing",
    "moderation",
    "inbound",
    "lobby",
    "delivery",
    "commit",
    "outbound",
    "table",
    "session",
    "transaction",
];

/// Types that are passed through all folders, the files that hold their methods, and the names of
/// their variables.
const SHARED_OBJECTS: &[(&str, &[&str], &[&str])] = &[
    ("Context", &["context.rs"], &["context"]),
    ("Transaction", &["transaction"], &["tx", "upon", "trial"]),
    ("GameSession", &["transaction", "session"], &["session"]),
    ("PendingUpdates", &["transaction"], &["updates"]),
];

#[test]
fn shared_objects_have_methods_in_their_modules() {
    let (mut faults, mut seen) = (Vec::new(), BTreeSet::new());
    for (path, text) in read_rust_files("src/process") {
        let inside = path.strip_prefix("src/process").unwrap_or(&path);
        for line in text.lines().filter(|line| line.starts_with("impl")) {
            let words = |text: &'static str| {
                line.split(|c: char| !c.is_alphanumeric()).any(|word| word == text)
            };
            for (object, homes, _) in SHARED_OBJECTS.iter().filter(|(object, ..)| words(object)) {
                seen.insert(*object);
                if !line.contains(" for ") && !homes.iter().any(|home| inside.starts_with(home)) {
                    faults.push(format!("{}: a method on {object}", path.display()));
                }
            }
        }
    }
    assert_no_faults(&faults);
    for (object, ..) in SHARED_OBJECTS {
        assert!(seen.contains(object), "{object} has no methods");
    }
}

fn process_module_of(path: &Path) -> &str {
    let inside = path.strip_prefix("src/process").unwrap_or(path);
    let module = inside.components().next().map(|first| first.as_os_str().to_string_lossy());
    PROCESS_MODULES.iter().copied().find(|known| module.as_deref() == Some(*known)).unwrap_or("")
}

/// Returns the methods of each shared object, with the folders that define them.
fn collect_methods(
    files: &[(PathBuf, String)],
) -> BTreeMap<(&'static str, String), BTreeSet<String>> {
    let mut all: BTreeMap<(&str, String), BTreeSet<String>> = BTreeMap::new();
    for (path, text) in files {
        let mut of = None;
        for line in without_tests(text).lines() {
            if let Some(head) = line.strip_prefix("impl ") {
                let object = head.split([' ', '<', '{']).next().unwrap_or_default();
                of = SHARED_OBJECTS.iter().map(|(name, ..)| *name).find(|name| *name == object);
            }
            let name = line.strip_prefix("    ").and_then(|line| line.split("fn ").nth(1));
            let is_head = line.starts_with("    fn ") || line.starts_with("    pub");
            if let (Some(of), Some(name), true) = (of, name, is_head) {
                let name = name.split(['(', '<']).next().unwrap_or_default().to_owned();
                all.entry((of, name)).or_default().insert(process_module_of(path).to_owned());
            }
        }
    }
    all
}

/// Returns the folders that a line uses by path or by a method of a shared object.
fn modules_entered<'a>(
    line: &'a str,
    methods: &'a BTreeMap<(&'static str, String), BTreeSet<String>>,
) -> Vec<(String, &'a str)> {
    let word = |text: &'a str| {
        text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
    };
    let mut found = Vec::new();
    for named in line.split("crate::process::").skip(1) {
        let module = word(named);
        found.extend(PROCESS_MODULES.contains(&module).then(|| (module.to_owned(), named)));
    }
    for (object, _, names) in SHARED_OBJECTS {
        for name in *names {
            for called in line.split(&format!("{name}.")).skip(1) {
                let Some(modules) = methods.get(&(*object, word(called).to_owned())) else {
                    continue;
                };
                // A method that several folders define under one name tells nothing.
                if let (1, Some(module)) = (modules.len(), modules.first()) {
                    found.push((module.clone(), called));
                }
            }
        }
    }
    found
}

#[test]
fn process_modules_depend_downwards_through_methods_too() {
    let files: Vec<_> = read_rust_files("src/process")
        .into_iter()
        .filter(|(path, _)| !path.ends_with("tests.rs") && !path.ends_with("process/mod.rs"))
        .collect();
    let methods = collect_methods(&files);
    let place = |module: &str| {
        PROCESS_MODULES.iter().position(|known| *known == module).unwrap_or(PROCESS_MODULES.len())
    };
    let (mut faults, mut arrows) = (Vec::new(), BTreeSet::new());
    for (path, text) in &files {
        let own = process_module_of(path);
        for (number, line) in without_tests(text).lines().enumerate() {
            for (module, by) in modules_entered(strip_comment(line), &methods) {
                arrows.insert((own.to_owned(), module.clone()));
                if place(&module) < place(own) {
                    let by = by.chars().take(40).collect::<String>();
                    let place = format!("{}:{}", path.display(), number + 1);
                    faults.push(format!("{place}: {own} > {module}: {by}"));
                }
            }
        }
    }
    assert_no_faults(&faults);
    // If the test saw no uses, it would find no faults either.
    for module in &PROCESS_MODULES[1..] {
        assert!(arrows.iter().any(|(from, to)| from != to && to == module), "none into {module}");
    }
    for module in PROCESS_MODULES {
        let head = format!("src/process/{module}/mod.rs");
        assert!(files.iter().any(|(path, _)| path.ends_with(&head)), "{head}");
    }
}
