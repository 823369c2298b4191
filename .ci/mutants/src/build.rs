//! Copies the package with its mutants, without those that do not compile.

use crate::folder::{TestProgram, WorkFolder};
use crate::mutant::Mutant;
use crate::plant;
use anyhow::{Context, bail, ensure};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Settings that are appended to the copied `Cargo.toml`. The copy is built once and its tests run
/// often, so it is optimised a little.
const PROFILE_SETTINGS: &str = "\n[profile.dev.package.postrider]\nopt-level = 1\ndebug = false\n";

/// An attribute that is prepended to the copied `src/lib.rs`. A mutant that certainly overflows
/// must fail when it runs, and must not break the build.
const LENIENT_ATTRIBUTES: &[u8] =
    b"#![allow(warnings, arithmetic_overflow, unconditional_panic)]\n";

/// Plants all mutants that compile, and builds the tests. Compiles again without the failing
/// mutants until none is left.
pub fn plant_viable_mutants(folder: &WorkFolder) -> anyhow::Result<()> {
    let mutants = folder.read_mutants()?;
    loop {
        let unviable = folder.read_unviable()?;
        let viable: Vec<&Mutant> =
            mutants.iter().filter(|mutant| !unviable.contains(&mutant.name)).collect();
        let left = copy_with_mutants(folder, &viable, mutants.len())?;
        let mut wrong: BTreeSet<u32> = left.into_iter().collect();
        wrong.append(&mut failing_mutants(folder)?);
        println!("{} mutants, {} of them do not compile", viable.len(), wrong.len());
        if wrong.is_empty() {
            break;
        }
        for mutant in viable.iter().filter(|mutant| wrong.contains(&mutant.id)) {
            folder.note_unviable(&mutant.name)?;
        }
    }
    let mut programs = Vec::new();
    for message in run_cargo(folder, &["test", "--no-run", "--lib", "--test", "*"])? {
        if let Some(path) = message["executable"].as_str()
            && message["profile"]["test"] == true
        {
            let name = message["target"]["name"].as_str().unwrap_or_default().to_owned();
            programs.push(TestProgram { name, path: PathBuf::from(path) });
        }
    }
    ensure!(!programs.is_empty(), "the tests do not compile");
    folder.replace_programs(&programs)
}

/// Copies the package with these mutants, and writes only files that have changed. Returns the
/// mutants for which no place was found.
fn copy_with_mutants(
    folder: &WorkFolder,
    mutants: &[&Mutant],
    listed: usize,
) -> anyhow::Result<Vec<u32>> {
    let mut by_file: HashMap<&str, Vec<&Mutant>> = HashMap::new();
    for &mutant in mutants {
        by_file.entry(&mutant.file).or_default().push(mutant);
    }
    let files = Command::new("git").args(["ls-files", "-z"]).output()?.stdout;
    let mut left = Vec::new();
    for file in String::from_utf8(files)?.split_terminator('\0') {
        let mut bytes = fs::read(file).with_context(|| file.to_owned())?;
        if let Some(mutants) = by_file.get(file) {
            let (text, mut none) = plant::plant_mutants(std::str::from_utf8(&bytes)?, mutants)?;
            bytes = text.into_bytes();
            left.append(&mut none);
        }
        match file {
            "src/lib.rs" => bytes = [LENIENT_ATTRIBUTES, &bytes, b"\nmod switch;\n"].concat(),
            "Cargo.toml" => bytes.extend(PROFILE_SETTINGS.as_bytes()),
            _ => {}
        }
        write_if_changed(&folder.source_copy().join(file), &bytes)?;
    }
    let switch = include_str!("switch.rs").replace("MANY", &(listed + 1).to_string());
    write_if_changed(&folder.source_copy().join("src/switch.rs"), switch.as_bytes())?;
    Ok(left)
}

/// Keeps an unchanged file as it is, so that cargo does not rebuild it.
fn write_if_changed(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().context("a file is in a folder")?)?;
    Ok(fs::write(path, bytes)?)
}

/// Returns the mutants that cause compiler errors.
fn failing_mutants(folder: &WorkFolder) -> anyhow::Result<BTreeSet<u32>> {
    let mut wrong = BTreeSet::new();
    let mut elsewhere = Vec::new();
    for message in run_cargo(folder, &["check", "--lib"])? {
        let error = &message["message"];
        if error["level"] != "error" {
            continue;
        }
        let spans = error["spans"].as_array().map_or(&[][..], Vec::as_slice);
        let (primary, other): (Vec<_>, Vec<_>) =
            spans.iter().partition(|span| span["is_primary"] == true);
        // For a match that is no longer exhaustive, the compiler points before the arm's switch. So
        // the next switch after the span is tried last.
        let found = primary
            .iter()
            .chain(&other)
            .map(|span| mutants_at_span(folder, span, plant::mutants_around))
            .chain(primary.iter().map(|span| mutants_at_span(folder, span, plant::mutants_behind)))
            .find(|ids| !ids.is_empty());
        match found {
            Some(ids) => wrong.extend(ids),
            None if spans.is_empty() => {}
            None => elsewhere.push(error["rendered"].to_string()),
        }
    }
    if let (true, Some(error)) = (wrong.is_empty(), elsewhere.first()) {
        bail!("an error that no mutant causes: {error}");
    }
    Ok(wrong)
}

/// Returns the mutants that are planted at a place which the compiler reports.
fn mutants_at_span(
    folder: &WorkFolder,
    span: &Value,
    find: fn(&str, usize) -> Vec<u32>,
) -> Vec<u32> {
    let inner = &span["expansion"]["span"];
    let deeper = if inner.is_object() { mutants_at_span(folder, inner, find) } else { Vec::new() };
    let (Some(file), Some(at), true) =
        (span["file_name"].as_str(), span["byte_start"].as_u64(), deeper.is_empty())
    else {
        return deeper;
    };
    let text = fs::read_to_string(folder.source_copy().join(file)).unwrap_or_default();
    let at = usize::try_from(at).unwrap_or(usize::MAX);
    if text.is_char_boundary(at) { find(&text, at) } else { Vec::new() }
}

/// Runs cargo in the copy, and returns its JSON messages.
fn run_cargo(folder: &WorkFolder, arguments: &[&str]) -> anyhow::Result<Vec<Value>> {
    let output = Command::new("cargo")
        .args(arguments)
        .arg("--message-format=json")
        .current_dir(folder.source_copy())
        .stderr(Stdio::inherit())
        .output()?;
    String::from_utf8(output.stdout)?
        .lines()
        .map(|line| serde_json::from_str(line).with_context(|| line.to_owned()))
        .collect()
}
