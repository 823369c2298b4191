//! Mutant schemata: every mutant that cargo-mutants lists is put behind a switch in a copy of the
//! source, so that one build serves them all and a mutant is an environment variable.
//!
//! The commands, in their order, are in `README.md`. Each keeps what it found out in one folder,
//! and goes on where it was stopped.

mod build;
mod folder;
mod mutant;
mod plant;
mod reach;
mod report;
mod run;
mod trial;

use anyhow::{Context, bail};
use folder::WorkFolder;
use std::path::Path;
use std::time::Duration;

const USAGE: &str = "usage, in the root of a package: mutants COMMAND FOLDER [ARGUMENT...]
  plant FOLDER                          the mutants of FOLDER/list.json into FOLDER/tree
  reach FOLDER JOBS WORD...             what each test reaches whose name holds one of the words
  run FOLDER JOBS SECONDS WORD PATH...  tries the mutants below each path with such tests
  again FOLDER JOBS SECONDS WORD PATH...  the same, for those that were missed
  report FOLDER                         what came of it";

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [command, folder, rest @ ..] = arguments.as_slice() else { bail!(USAGE) };
    let folder = WorkFolder::new(Path::new(folder))?;
    match (command.as_str(), rest) {
        ("plant", []) => build::plant_viable_mutants(&folder),
        ("reach", [jobs, words @ ..]) => reach::note_reached_mutants(&folder, parse_number(jobs)?, words),
        ("run" | "again", [jobs, seconds, word, paths @ ..]) => {
            let trial = run::TrialSettings {
                jobs: parse_number(jobs)?,
                budget: Duration::from_secs(parse_number(seconds)? as u64),
                word: word.clone(),
                retries_missed: command == "again",
            };
            run::try_mutants(&folder, &trial, paths)
        }
        ("report", []) => report::print_report(&folder),
        _ => bail!(USAGE),
    }
}

fn parse_number(argument: &str) -> anyhow::Result<usize> {
    argument.parse().with_context(|| format!("{argument} is no number"))
}
