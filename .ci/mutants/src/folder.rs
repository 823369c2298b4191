//! The folder in which all is kept between commands, so that each goes on where it was stopped.

use crate::mutant::{self, Mutant};
use anyhow::Context;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Where the work is done.
pub struct WorkFolder {
    root: PathBuf,
}

/// A program of tests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestProgram {
    /// The name of its target.
    pub name: String,
    /// The file to run.
    pub path: PathBuf,
}

/// A test by itself, without a mutant.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TestReach {
    /// The program that it is in.
    pub program: String,
    /// Its name there.
    pub test: String,
    /// How long it took.
    pub millis: u64,
    /// Whether it passes: one that does not tells nothing of a mutant.
    pub passed: bool,
    /// The mutants that it came by.
    pub reached: Vec<u32>,
}

/// What came of a mutant.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MutantResult {
    /// The mutant's name: numbers change with the source.
    pub name: String,
    /// What came of it.
    pub outcome: Outcome,
    /// The program and the test that found it.
    pub by: Option<(String, String)>,
    /// How many of those tests that reach it were tried.
    pub tried: usize,
    /// How many were not, as there was no time for them.
    pub untried: usize,
}

/// Whether a test found a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// A test failed.
    Killed,
    /// A test did not end.
    Timeout,
    /// All passed.
    Missed,
}

impl WorkFolder {
    /// The folder at this path, which must be there.
    pub fn new(root: &Path) -> anyhow::Result<Self> {
        let root = root.canonicalize().with_context(|| format!("{} is needed", root.display()))?;
        Ok(Self { root })
    }

    /// The copy of the source.
    pub fn source_copy(&self) -> PathBuf {
        self.root.join("tree")
    }

    /// A folder for what the tests of this job leave behind, emptied.
    pub fn create_scratch(job: usize) -> anyhow::Result<PathBuf> {
        let path = std::env::temp_dir().join(format!("mutants-{}-{job}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path)?;
        Ok(path)
    }

    /// What cargo-mutants listed.
    pub fn read_mutants(&self) -> anyhow::Result<Vec<Mutant>> {
        let path = self.root.join("list.json");
        mutant::parse_list(&fs::read_to_string(&path).with_context(|| path.display().to_string())?)
    }

    /// The names of those that do not compile behind a switch.
    pub fn read_unviable(&self) -> anyhow::Result<HashSet<String>> {
        Ok(self.read_lines("unviable.jsonl")?.into_iter().collect())
    }

    /// Notes one of them.
    pub fn note_unviable(&self, name: &str) -> anyhow::Result<()> {
        self.append_line("unviable.jsonl", &name)
    }

    /// The programs that were built last.
    pub fn read_programs(&self) -> anyhow::Result<Vec<TestProgram>> {
        self.read_lines("programs.jsonl")
    }

    /// Other programs: what was noted of the tests of those before is forgotten.
    pub fn replace_programs(&self, programs: &[TestProgram]) -> anyhow::Result<()> {
        for file in ["programs.jsonl", "reach.jsonl"] {
            File::create(self.root.join(file))?;
        }
        programs.iter().try_for_each(|program| self.append_line("programs.jsonl", program))
    }

    /// What is known of each test.
    pub fn read_reach(&self) -> anyhow::Result<Vec<TestReach>> {
        self.read_lines("reach.jsonl")
    }

    /// Notes it of one more.
    pub fn note_reach(&self, reach: &TestReach) -> anyhow::Result<()> {
        self.append_line("reach.jsonl", reach)
    }

    /// What came of mutants, the last result of each behind those before.
    pub fn read_results(&self) -> anyhow::Result<Vec<MutantResult>> {
        self.read_lines("tried.jsonl")
    }

    /// Notes it of one.
    pub fn note_result(&self, tried: &MutantResult) -> anyhow::Result<()> {
        self.append_line("tried.jsonl", tried)
    }

    fn append_line(&self, file: &str, line: &impl Serialize) -> anyhow::Result<()> {
        let mut file = File::options().create(true).append(true).open(self.root.join(file))?;
        Ok(file.write_all((serde_json::to_string(line)? + "\n").as_bytes())?)
    }

    fn read_lines<T: DeserializeOwned>(&self, file: &str) -> anyhow::Result<Vec<T>> {
        let text = match fs::read_to_string(self.root.join(file)) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error.into()),
        };
        text.lines()
            .map(|line| serde_json::from_str(line).with_context(|| line.to_owned()))
            .collect()
    }
}
