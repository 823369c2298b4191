//! The files of a language: those inside the binary and those of the club, and the lexicons and
//! sentences in them.

use super::library::TemplateFault;
use super::sentences::FluentFile;
use crate::club::{Doubts, Lexicons};
use include_dir::Dir;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The name of a lexicon file, which lists the words of a language for commands and orders. A
/// language's folder has one for the club's commands, and each game's folder in it has one for the
/// game.
pub(super) const LEXICON_FILE: &str = "lexicon.txt";
/// The name of the file with a language's intents. It has the format of a lexicon.
const INTENTS_FILE: &str = "intents.txt";
/// The name of the file with the phrases by which people hold back their orders.
const DOUBTS_FILE: &str = "doubts.txt";

/// The files of one language, by path within the language's folder, such as `letter.txt`.
pub(super) type LanguageFiles = BTreeMap<String, String>;

pub(super) fn read_fluent_files(
    tag: &str,
    files: &LanguageFiles,
) -> Result<Vec<FluentFile>, TemplateFault> {
    let fluent = files.iter().filter(|(name, _)| name.ends_with(".ftl"));
    fluent.map(|(name, text)| FluentFile::read(format!("{tag}/{name}"), text)).collect()
}

/// Parses the lexicons of a language. A file of the club replaces the shipped file of the same
/// path.
pub(super) fn read_lexicons(
    tag: &str,
    [own, shipped]: [&LanguageFiles; 2],
) -> Result<Lexicons, TemplateFault> {
    let files = shipped.iter().chain(own).filter(|(name, _)| is_lexicon(name));
    let files: BTreeMap<&String, &String> = files.collect();
    let mut lexicons = Lexicons::default();
    for (name, text) in files {
        let game = name.rsplit_once('/').map(|(game, _)| game);
        let added = lexicons.add_file(game, text);
        added.map_err(|what| TemplateFault { file: format!("{tag}/{name}"), what })?;
    }
    Ok(lexicons.finish())
}

/// Parses the doubts of a language. The club's file replaces the shipped one.
pub(super) fn read_doubts(tag: &str, files: [&LanguageFiles; 2]) -> Result<Doubts, TemplateFault> {
    let text = files.iter().find_map(|files| files.get(DOUBTS_FILE));
    Doubts::parse(text.map_or("", String::as_str))
        .map_err(|what| TemplateFault { file: format!("{tag}/{DOUBTS_FILE}"), what })
}

pub(super) fn is_lexicon(name: &str) -> bool {
    name == INTENTS_FILE || name.rsplit('/').next() == Some(LEXICON_FILE)
}

pub(super) fn is_template(name: &str) -> bool {
    !name.ends_with(".ftl") && !is_lexicon(name) && name != DOUBTS_FILE
}

pub(super) fn collect_embedded(folder: &Dir<'_>, into: &mut BTreeMap<String, LanguageFiles>) {
    for file in folder.files() {
        insert_file(file.path(), file.contents_utf8().unwrap_or_default().to_owned(), into);
    }
    folder.dirs().for_each(|inner| collect_embedded(inner, into));
}

pub(super) fn collect_folder(
    root: &Path,
) -> Result<BTreeMap<String, LanguageFiles>, TemplateFault> {
    let mut found = BTreeMap::new();
    for path in list_files(root)?.iter().filter(|path| has_template_extension(path)) {
        let text = std::fs::read_to_string(path).map_err(|error| read_fault(path, &error))?;
        insert_file(path.strip_prefix(root).unwrap_or(path), text, &mut found);
    }
    Ok(found)
}

/// Lists the files in a folder and its subfolders, sorted. Hidden files and editors' backups (`~`)
/// are skipped.
pub(super) fn list_files(folder: &Path) -> Result<Vec<PathBuf>, TemplateFault> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| read_fault(folder, &error))? {
        let path = entry.map_err(|error| read_fault(folder, &error))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match name.starts_with('.') || name.ends_with('~') {
            true => {}
            false if path.is_dir() => files.extend(list_files(&path)?),
            false => files.push(path),
        }
    }
    files.sort();
    Ok(files)
}

/// Whether a file in a folder of templates has one of the extensions that are read: `ftl`, `txt` or
/// `html`.
pub(super) fn has_template_extension(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "ftl" || end == "txt" || end == "html")
}

fn read_fault(path: &Path, error: &std::io::Error) -> TemplateFault {
    TemplateFault { file: path.display().to_string(), what: error.to_string() }
}

/// Adds a file to its language: `en/paris-connection/rules.txt` becomes
/// `paris-connection/rules.txt` of `en`.
pub(super) fn insert_file(path: &Path, text: String, into: &mut BTreeMap<String, LanguageFiles>) {
    let path = path.to_string_lossy().replace('\\', "/");
    if let Some((tag, name)) = path.split_once('/') {
        into.entry(tag.to_owned()).or_default().insert(name.to_owned(), text);
    }
}
