//! Prints the results: sums for each folder, and the names of the missed mutants.

use crate::folder::{MutantResult, Outcome, WorkFolder};
use std::collections::{BTreeMap, HashMap};

#[derive(Default)]
struct FolderSums {
    listed: usize,
    unviable: usize,
    killed: usize,
    timeouts: usize,
    missed: usize,
    unreached: usize,
    not_run: usize,
}

pub fn print_report(folder: &WorkFolder) -> anyhow::Result<()> {
    let mut last: HashMap<String, MutantResult> = HashMap::new();
    last.extend(folder.read_results()?.into_iter().map(|tried| (tried.name.clone(), tried)));
    let unviable = folder.read_unviable()?;
    let mut by_folder: BTreeMap<String, FolderSums> = BTreeMap::new();
    for mutant in folder.read_mutants()? {
        let parts: Vec<&str> = mutant.file.split('/').collect();
        let sums = by_folder.entry(parts[..parts.len().min(2)].join("/")).or_default();
        sums.listed += 1;
        match last.get(&mutant.name) {
            _ if unviable.contains(&mutant.name) => sums.unviable += 1,
            None => sums.not_run += 1,
            Some(tried) => match tried.outcome {
                Outcome::Killed => sums.killed += 1,
                Outcome::Timeout => sums.timeouts += 1,
                Outcome::Missed => {
                    sums.missed += 1;
                    sums.unreached += usize::from(tried.tried + tried.untried == 0);
                    println!("{} ({} tests, {} not)", tried.name, tried.tried, tried.untried);
                }
            },
        }
    }
    for (folder, s) in by_folder {
        println!(
            "{folder}: {} listed, {} do not compile, {} killed, {} timeouts, {} missed ({} of \
             them reached by no test), {} not tried",
            s.listed, s.unviable, s.killed, s.timeouts, s.missed, s.unreached, s.not_run
        );
    }
    Ok(())
}
