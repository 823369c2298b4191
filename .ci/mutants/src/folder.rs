//! The work folder. It keeps all results between commands, so that each command continues after an
//! interruption.

use crate::mutant::{self, Mutant};
use anyhow::Context;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

pub struct WorkFolder {
    root: PathBuf,
}

/// A test program that cargo has built.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestProgram {
    /// The name of its cargo target.
    pub name: String,
    /// The path of the executable.
    pub path: PathBuf,
}

/// The result of running one test alone, without a mutant.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TestReach {
    /// The program that contains the test.
    pub program: String,
    pub test: String,
    /// The duration in milliseconds.
    pub millis: u64,
    /// Whether the test passes without a mutant. A test that fails anyway cannot detect one.
    pub passed: bool,
    /// The mutants that the test executes.
    pub reached: Vec<u32>,
}

/// The result of trying a mutant.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MutantResult {
    /// The mutant's name. Its number is not kept, because it changes with the source.
    pub name: String,
    pub outcome: Outcome,
    /// The program and the test that detected it.
    pub by: Option<(String, String)>,
    /// The number of tests that reach the mutant and were run.
    pub tried: usize,
    /// The number of tests that reach it and were not run, because the time was up.
    pub untried: usize,
}

/// Whether the tests detected a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    Killed,
    /// A test did not end in time.
    Timeout,
    /// All tests passed.
    Missed,
}

impl WorkFolder {
    /// Opens an existing folder.
    pub fn new(root: &Path) -> anyhow::Result<Self> {
        let root =
            root.canonicalize().with_context(|| format!("{} does not exist", root.display()))?;
        Ok(Self { root })
    }

    /// The folder with the copy of the source.
    pub fn source_copy(&self) -> PathBuf {
        self.root.join("tree")
    }

    /// Creates an empty folder for the temporary files of this job's tests.
    pub fn create_scratch(job: usize) -> anyhow::Result<PathBuf> {
        let path = std::env::temp_dir().join(format!("mutants-{}-{job}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path)?;
        Ok(path)
    }

    /// Reads the list that cargo-mutants wrote.
    pub fn read_mutants(&self) -> anyhow::Result<Vec<Mutant>> {
        let path = self.root.join("list.json");
        mutant::parse_list(&fs::read_to_string(&path).with_context(|| path.display().to_string())?)
    }

    /// Reads the names of the mutants that do not compile.
    pub fn read_unviable(&self) -> anyhow::Result<HashSet<String>> {
        Ok(self.read_lines("unviable.jsonl")?.into_iter().collect())
    }

    pub fn note_unviable(&self, name: &str) -> anyhow::Result<()> {
        self.append_line("unviable.jsonl", &name)
    }

    /// Reads the programs of the last build.
    pub fn read_programs(&self) -> anyhow::Result<Vec<TestProgram>> {
        self.read_lines("programs.jsonl")
    }

    /// Replaces the programs, and forgets the tests of the old ones.
    pub fn replace_programs(&self, programs: &[TestProgram]) -> anyhow::Result<()> {
        for file in ["programs.jsonl", "reach.jsonl"] {
            File::create(self.root.join(file))?;
        }
        programs.iter().try_for_each(|program| self.append_line("programs.jsonl", program))
    }

    /// Reads the results of running each test alone.
    pub fn read_reach(&self) -> anyhow::Result<Vec<TestReach>> {
        self.read_lines("reach.jsonl")
    }

    pub fn note_reach(&self, reach: &TestReach) -> anyhow::Result<()> {
        self.append_line("reach.jsonl", reach)
    }

    /// Reads the results of all trials in order. A mutant may have several, and the last one
    /// counts.
    pub fn read_results(&self) -> anyhow::Result<Vec<MutantResult>> {
        self.read_lines("tried.jsonl")
    }

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
