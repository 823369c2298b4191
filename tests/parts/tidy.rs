//! The house's own rules, held by a test because inside one package the compiler does not hold
//! them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const LINES_PER_FILE_MAX: usize = 500;
const LINES_A_FUNCTION: usize = 70;
const COLUMNS: usize = 100;

/// Every layer, and the layers (or the only module of a layer) that it may name. Arrows point down
/// only.
const LAYERS: &[(&str, &[&str])] = &[
    ("rules", &[]),
    ("games", &["rules"]),
    ("table", &["rules", "games"]),
    ("disk.rs", &[]),
    ("tls.rs", &[]),
    ("mail", &["disk", "tls", "rules"]),
    ("club", &["mail::settings", "rules", "games", "table"]),
    ("picture", &["rules"]),
    ("store", &["disk", "tls", "club", "table", "rules", "games"]),
    ("render", &["picture", "club", "table", "rules", "games"]),
    ("process", &["disk", "store", "mail", "render", "club", "table", "rules", "games"]),
    ("cli", &["process", "disk", "store", "mail", "render", "club", "table", "rules", "games"]),
];

/// Words that only the files below these paths may say, and why.
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
    ("Utc::now", &["src/main.rs"], "time comes in as an argument"),
    ("getrandom", &["src/main.rs"], "chance comes in as an argument"),
    ("std::env::var", &["src/main.rs", "src/disk.rs"], "the environment comes in as an argument"),
    (
        "std::fs",
        &["src/disk.rs", "src/store/", "src/mail/", "src/render/", "src/process", "src/cli/"],
        "the core does no input or output",
    ),
    ("println!", &[], "what is printed goes to the writer that the command was given"),
    ("unsafe ", &[], "there is none"),
    ("macro_rules!", &[], "there are none of our own"),
];

/// Words by which the command line would decide something itself, and who decides it.
const DECISIONS: &[(&str, &str)] = &[
    ("Happening", "what minutes say, and who may read it, process/game_log.rs decides"),
    ("Cause::", "what a record says process/game_log.rs decides"),
    ("is_private", "what the moderator may read process/game_log.rs decides"),
    ("press_terms", "what the moderator may read process/game_log.rs decides"),
    ("moderator_reads", "what the moderator may read process/game_log.rs decides"),
    ("Turn::", "for whom a game waits process/overview.rs decides"),
    (".is_late(", "for whom a game waits process/overview.rs decides"),
    ("Actor::", "in whose name something is done process/game_command.rs decides"),
    ("Authority::", "in whose name something is done process/intervention.rs decides"),
    ("Quorum", "what is voted on, and how, club/vote.rs decides"),
    ("Batch", "what is written process/ decides"),
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

/// What stands before the file's own tests.
fn without_tests(text: &str) -> &str {
    text.split("\n#[cfg(test)]").next().unwrap_or(text)
}

/// A line without its comment. (No string here holds two slashes but addresses, which no rule
/// names.)
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
                if !own && forbidden.contains(&format!("crate::{named}")) {
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

/// The functions that are too long: rustfmt closes each at the indent at which it began.
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
    for (path, text) in read_rust_files("src") {
        let path = path.display().to_string();
        for (number, line) in without_tests(&text).lines().enumerate() {
            for (word, places, why) in RESERVED {
                let allowed = places.iter().any(|place| path.starts_with(place));
                if !allowed && strip_comment(line).contains(word) {
                    faults.push(format!("{path}:{}: {word}: {why}", number + 1));
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
    let of_house: String =
        read_rust_files("src/process").into_iter().map(|(_, text)| text).collect();
    // A word that nobody says any more would hold nothing.
    for (word, _) in DECISIONS {
        assert!(of_house.contains(word), "{word} is said nowhere: what took its place?");
    }
}

#[test]
fn modules_have_doc_headers_and_telling_names() {
    let mut faults = Vec::new();
    for (path, text) in read_rust_files("src") {
        if !text.starts_with("//! ") {
            faults.push(format!("{}: does not begin with its duty", path.display()));
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if ["utils", "util", "helpers", "helper", "common", "misc"].contains(&stem.as_str()) {
            faults.push(format!("{}: a name that says nothing", path.display()));
        }
    }
    assert_no_faults(&faults);
}

#[test]
fn main_file_is_short() {
    let main = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/src/main.rs")).unwrap();
    assert!(main.lines().count() < 40);
}

/// What may be asked of the store itself: how it is, and what it does for its own sake.
const ALLOWED_STORE_METHODS: &[&str] = &[
    "differences",
    "differences_in_length",
    "forget_posted",
    "is_journal_behind",
    "is_journaled",
    "is_renewal_due",
    "rebuild",
    "rebuilt",
    "removal",
    "shared",
    "stamp",
    "to_mend",
    "withheld",
    "write_journal",
];

#[test]
fn store_is_only_accessed_through_transactions() {
    let mut faults = Vec::new();
    for folder in ["src/process", "src/cli"] {
        for (path, text) in read_rust_files(folder) {
            let path = path.display().to_string();
            if path.starts_with("src/process/transaction/") {
                continue;
            }
            for (number, line) in without_tests(&text).lines().enumerate() {
                for asked in strip_comment(line).split(".store.").skip(1) {
                    let word = asked.split(|c: char| !c.is_alphanumeric() && c != '_').next();
                    if !ALLOWED_STORE_METHODS.contains(&word.unwrap_or_default()) {
                        faults.push(format!("{path}:{}: {asked}", number + 1));
                    }
                }
                let alone = strip_comment(line).trim_end().ends_with(".store");
                faults.extend(alone.then(|| format!("{path}:{}: the store itself", number + 1)));
            }
        }
    }
    assert_no_faults(&faults);
}

/// The rooms of src/process, from the top down: each may go into those below it, and into what
/// stands beside the rooms, at the bottom.
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

/// What is passed through all rooms, where its methods are, and what it is called where it is used.
const SHARED_OBJECTS: &[(&str, &[&str], &[&str])] = &[
    ("Context", &["context.rs"], &["context"]),
    ("Transaction", &["transaction"], &["tx", "upon", "trial"]),
    ("GameSession", &["transaction", "session"], &["session"]),
    ("Movers", &["transaction"], &["movers"]),
];

#[test]
fn shared_objects_have_methods_in_their_modules() {
    let (mut faults, mut seen) = (Vec::new(), 0);
    for (path, text) in read_rust_files("src/process") {
        let inside = path.strip_prefix("src/process").unwrap_or(&path);
        for line in text.lines().filter(|line| line.starts_with("impl")) {
            let words = |text: &'static str| {
                line.split(|c: char| !c.is_alphanumeric()).any(|word| word == text)
            };
            for (object, homes, _) in SHARED_OBJECTS.iter().filter(|(object, ..)| words(object)) {
                seen += 1;
                if !line.contains(" for ") && !homes.iter().any(|home| inside.starts_with(home)) {
                    faults.push(format!("{}: a method on {object}", path.display()));
                }
            }
        }
    }
    assert_no_faults(&faults);
    assert!(seen >= SHARED_OBJECTS.len(), "the test sees methods");
}

fn process_module_of(path: &Path) -> &str {
    let inside = path.strip_prefix("src/process").unwrap_or(path);
    let room = inside.components().next().map(|first| first.as_os_str().to_string_lossy());
    PROCESS_MODULES.iter().copied().find(|known| room.as_deref() == Some(*known)).unwrap_or("")
}

/// The methods of each object, with the rooms that they are in.
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

/// The rooms that a line of this room goes into by name, or by a method.
fn modules_entered<'a>(
    line: &'a str,
    methods: &'a BTreeMap<(&'static str, String), BTreeSet<String>>,
) -> Vec<(String, &'a str)> {
    let word = |text: &'a str| {
        text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
    };
    let mut found = Vec::new();
    for named in line.split("crate::process::").skip(1) {
        let room = word(named);
        found.extend(PROCESS_MODULES.contains(&room).then(|| (room.to_owned(), named)));
    }
    for (object, _, names) in SHARED_OBJECTS {
        for name in *names {
            for called in line.split(&format!("{name}.")).skip(1) {
                let Some(rooms) = methods.get(&(*object, word(called).to_owned())) else {
                    continue;
                };
                // What several rooms have under this name tells nothing.
                if let (1, Some(room)) = (rooms.len(), rooms.first()) {
                    found.push((room.clone(), called));
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
    let place = |room: &str| {
        PROCESS_MODULES.iter().position(|known| *known == room).unwrap_or(PROCESS_MODULES.len())
    };
    let (mut faults, mut arrows) = (Vec::new(), BTreeSet::new());
    for (path, text) in &files {
        let own = process_module_of(path);
        for (number, line) in without_tests(text).lines().enumerate() {
            for (room, by) in modules_entered(strip_comment(line), &methods) {
                arrows.insert((own.to_owned(), room.clone()));
                if place(&room) < place(own) {
                    let by = by.chars().take(40).collect::<String>();
                    faults.push(format!("{}:{}: {own} > {room}: {by}", path.display(), number + 1));
                }
            }
        }
    }
    assert_no_faults(&faults);
    // The test sees arrows: into each room goes another one.
    for room in &PROCESS_MODULES[1..] {
        assert!(arrows.iter().any(|(from, to)| from != to && to == room), "none into {room}");
    }
    for room in PROCESS_MODULES {
        let head = format!("src/process/{room}/mod.rs");
        assert!(files.iter().any(|(path, _)| path.ends_with(&head)), "{head}");
    }
}
