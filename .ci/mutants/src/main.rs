//! Tests the tests with mutants. Every mutant that cargo-mutants lists is planted behind a switch
//! in one copy of the source. One build then serves all mutants, and an environment variable
//! selects one.
//!
//! `README.md` lists the commands in order. Each keeps its results in one folder, and continues
//! after an interruption.

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
  plant FOLDER                            copy the source to FOLDER/tree with the mutants of
                                          FOLDER/list.json, and build the tests
  reach FOLDER JOBS WORD...               find the mutants that each test reaches, for the tests
                                          whose name contains a WORD (all tests without WORD)
  run FOLDER JOBS SECONDS WORD PATH...    try the mutants in each PATH that were not tried yet,
                                          with the tests whose name contains WORD
  again FOLDER JOBS SECONDS WORD PATH...  try the missed mutants again
  report FOLDER                           print the results";

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [command, folder, rest @ ..] = arguments.as_slice() else { bail!(USAGE) };
    let folder = WorkFolder::new(Path::new(folder))?;
    match (command.as_str(), rest) {
        ("plant", []) => build::plant_viable_mutants(&folder),
        ("reach", [jobs, words @ ..]) => {
            reach::note_reached_mutants(&folder, parse_number(jobs)?, words)
        }
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
    argument.parse().with_context(|| format!("{argument} is not a number"))
}
