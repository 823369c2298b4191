//! What a club's own words and letters hold that no letter will ever say.
//!
//! None of it is a fault that loses a letter; but who writes `turn-yuors` waits in vain.

use super::library::{Files, LEXICON, TemplateFault, is_lexicon, is_template};
use super::sentences::{Sentence, sentences};
use crate::games;
use crate::rules::nearest;
use minijinja::Environment;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

/// What each template is filled with, by the beginning of its name or by its whole name in a game's
/// folder; the first that fits counts.
const GIVEN: &[(&str, &[&str])] = &[
    ("letter", &["intro", "awaited", "blocks", "footer", "facts"]),
    ("bundle", &["lead", "plain", "plain_taps", "how", "answer", "games", "footer"]),
    ("notice", &["lines"]),
    ("moderator", &["sections"]),
    ("campaign", &["lead", "open", "lines"]),
    ("base.html", &["preheader", "footer"]),
    ("paint.html", &[]),
    ("rows.html", &["block"]),
    ("prose.html", &["piece"]),
    ("help.txt", &["club"]),
    ("/orders.txt", &["forms", "public", "private", "seat", "names", "seats"]),
    ("/", &["public", "private", "seat", "names", "seats"]),
];

/// What the templates of whole letters are given besides.
const AROUND: &[&str] = &["language", "marker", "subject", "columns", "colours"];

/// What every template may name.
const EVERYWHERE: &[&str] =
    &["language", "range", "dict", "namespace", "debug", "loop", "self", "super"];

/// Files that are not read at all: outside of a language's folder, or with another ending.
pub(super) fn strays(own: &Path) -> io::Result<Vec<TemplateFault>> {
    fn walk(root: &Path, folder: &Path, faults: &mut Vec<TemplateFault>) -> io::Result<()> {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with('.') || name.ends_with('~') {
                continue;
            }
            if path.is_dir() {
                walk(root, &path, faults)?;
                continue;
            }
            let is_read = path.extension().is_some_and(|e| e == "ftl" || e == "txt" || e == "html");
            let what = match (folder == root, is_read) {
                (true, _) => {
                    "nobody reads it here; it belongs into a language's folder, such as en"
                }
                (false, false) => "nobody reads it: files end with .ftl, .txt or .html",
                (false, true) => continue,
            };
            let file = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            faults.push(TemplateFault { file, what: what.to_owned() });
        }
        Ok(())
    }
    let mut faults = Vec::new();
    walk(own, own, &mut faults)?;
    faults.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(faults)
}

/// Looks through one language's own files, beside those that ship in English.
pub(super) fn check(tag: &str, files: &Files, shipped: &Files, faults: &mut Vec<TemplateFault>) {
    let ours = known(shipped);
    let own: Vec<(&String, Vec<Sentence>)> = files
        .iter()
        .filter(|(name, _)| name.ends_with(".ftl"))
        .map(|(name, text)| (name, sentences(text)))
        .collect();
    let said: BTreeSet<&str> =
        own.iter().flat_map(|(_, all)| all).flat_map(|s| &s.says).map(String::as_str).collect();
    let keys: BTreeSet<&str> =
        own.iter().flat_map(|(_, all)| all).map(|s| s.key.as_str()).collect();
    let mut fault = |name: &str, what: String| {
        faults.push(TemplateFault { file: format!("{tag}/{name}"), what });
    };
    for (name, sentence) in own.iter().flat_map(|(name, all)| all.iter().map(move |s| (name, s))) {
        if said.contains(sentence.key.as_str()) {
            continue;
        }
        of_sentence(sentence, &ours).into_iter().for_each(|what| fault(name, what));
    }
    let templates = || files.iter().filter(|(name, _)| is_template(name));
    let taken: BTreeSet<&str> = templates().flat_map(|(_, text)| text.split('"')).collect();
    let set: BTreeSet<String> =
        files.values().chain(shipped.values()).flat_map(|text| names_set(text)).collect();
    for name in files.keys().filter(|name| is_lexicon(name)) {
        let folder = name.strip_suffix(LEXICON).map(|folder| folder.trim_end_matches('/'));
        let is_read = folder.is_some_and(|id| id.is_empty() || games::kind(id).is_some());
        if !is_read {
            fault(name, "nobody reads it: there is no game of this folder's name".to_owned());
        }
    }
    for (name, text) in templates() {
        if !shipped.contains_key(name) && !taken.contains(name.as_str()) {
            let known = shipped.keys().filter(|name| !name.ends_with(".ftl"));
            let near = meant(name, known.map(String::as_str));
            fault(name, format!("nobody reads a file of this name{near}"));
            continue;
        }
        of_template(name, text, &set).into_iter().for_each(|what| fault(name, what));
        for (key, line) in terms(text) {
            if !ours.contains_key(&key) && !keys.contains(key.as_str()) {
                let near = meant(&key, ours.keys().map(String::as_str));
                fault(name, format!("line {line}: there is no sentence {key}{near}"));
            }
        }
    }
}

/// The arguments of our own sentences, by key.
fn known(shipped: &Files) -> BTreeMap<String, BTreeSet<String>> {
    let files = shipped.iter().filter(|(name, _)| name.ends_with(".ftl"));
    files
        .flat_map(|(_, text)| sentences(text))
        .map(|sentence| {
            (sentence.key, sentence.arguments.into_iter().map(|(name, _)| name).collect())
        })
        .collect()
}

/// What is wrong with a sentence of a club's own.
fn of_sentence(sentence: &Sentence, ours: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let Sentence { key, line, .. } = sentence;
    // A game may have a heading of its own, and each heading may be said otherwise for a game.
    let of_game = games::GAMES.iter().find_map(|kind| key.strip_suffix(&format!("-{}", kind.id())));
    let general = of_game.filter(|general| general.starts_with("heading-"));
    let Some(arguments) = ours.get(key).or_else(|| ours.get(general?)) else {
        let near = meant(key, ours.keys().map(String::as_str));
        return vec![format!("line {line}: nothing says {key}{near}")];
    };
    let mut faults = Vec::new();
    for (name, line) in &sentence.arguments {
        // Whoever is named may also be told from the reader, and the other way round.
        let of_person = name.strip_suffix("-is").unwrap_or(name);
        let person = format!("{name}-is");
        let mut spellings = [name.as_str(), of_person, person.as_str()].into_iter();
        let is_given = spellings.any(|name| arguments.contains(name));
        if !is_given {
            let has: Vec<String> = arguments.iter().map(|name| format!("${name}")).collect();
            let near = meant(name, arguments.iter().map(String::as_str));
            let has = if has.is_empty() { "none".to_owned() } else { has.join(", ") };
            faults.push(format!("line {line}: {key} is not given ${name}{near} (ours has {has})"));
        }
    }
    faults
}

/// What is wrong with a template of a club's own, which has been compiled before.
fn of_template(name: &str, text: &str, set: &BTreeSet<String>) -> Vec<String> {
    let given = GIVEN.iter().find(|(start, _)| match start.strip_prefix('/') {
        Some(end) => name.contains('/') && name.ends_with(end),
        None => name.starts_with(start),
    });
    let Some((_, given)) = given else { return Vec::new() };
    let mut environment = Environment::new();
    if environment.add_template(name, text).is_err() {
        return Vec::new();
    }
    let Ok(template) = environment.get_template(name) else { return Vec::new() };
    let asked: BTreeSet<String> = template.undeclared_variables(false).into_iter().collect();
    let unknown = asked
        .iter()
        .filter(|name| ![given, AROUND, EVERYWHERE].iter().any(|all| all.contains(&name.as_str())))
        .filter(|name| !set.contains(*name));
    unknown
        .map(|variable| {
            let line = line_of(text, variable);
            let near = meant(variable, given.iter().copied());
            let has = given.join(", ");
            format!("line {line}: it is not given {variable}{near} (there is: {has})")
        })
        .collect()
}

/// The names that a template sets, for those too that it includes.
fn names_set(text: &str) -> Vec<String> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let names = text.split("{%").filter_map(|part| {
        let rest = part.trim_start_matches(['-', '+', ' ']).strip_prefix("set ")?;
        rest.split(['=', '%']).next()
    });
    let all = names.flat_map(|names| names.split(|c| !is_name(c)));
    all.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// The line, from 1, that first holds a name as a word of its own.
fn line_of(text: &str, name: &str) -> usize {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let holds = |line: &str| line.split(|c| !is_word(c)).any(|word| word == name);
    text.lines().position(holds).map_or(1, |at| at + 1)
}

/// The keys of the sentences that a template takes by `"key"|term`, with their lines.
fn terms(text: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let mut parts = line.split('"').skip(1);
        while let (Some(key), Some(after)) = (parts.next(), parts.next()) {
            let filter = after.trim_start().strip_prefix('|').map(str::trim_start);
            if filter.is_some_and(|filter| filter.starts_with("term")) {
                found.push((key.to_owned(), number));
            }
        }
    }
    found
}

fn meant<'a>(written: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearest(written, known).map_or_else(String::new, |near| format!("; did you mean {near}?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ships_asks_for_nothing_that_is_not_given() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/templates");
        let library = crate::render::Library::embedded().expect("the words ship");
        let faults = library.unread(Path::new(root)).expect("they can be read");
        assert_eq!(faults, []);
        assert_eq!(library.unnamed_games(), []);
    }
}
