//! Tries mutants: each against the tests that reach it, first those that found one next to it.

use crate::folder::{Folder, Outcome, Program, Reach, Tried};
use crate::mutant::Mutant;
use crate::reach::{each_job, pop};
use crate::trial::{self, Ending};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

/// How long one program may run through, so that the next may be told by a test before it.
const AT_ONCE: u64 = 1000;

/// What is tried, and for how long.
pub struct Trial {
    /// How many side by side.
    pub jobs: usize,
    /// What all tests of one mutant together may take, by what they take without it.
    pub budget: Duration,
    /// Only tests whose name, with their program before it, holds this.
    pub word: String,
    /// Whether those are tried that were missed, and not those that were not tried.
    pub again: bool,
}

/// What is known of tests.
struct Known {
    programs: HashMap<String, Program>,
    tests: Vec<Reach>,
    /// The tests that come by each mutant.
    by_mutant: HashMap<u32, Vec<usize>>,
    /// The tests that found a mutant of this function, the last one last.
    found: Mutex<HashMap<String, Vec<usize>>>,
}

/// Tries the mutants below each of these paths.
pub fn all(folder: &Folder, trial: &Trial, paths: &[String]) -> anyhow::Result<()> {
    let mut last: HashMap<String, Outcome> = HashMap::new();
    last.extend(folder.tried()?.into_iter().map(|tried| (tried.name, tried.outcome)));
    let unviable = folder.unviable()?;
    let mutants = folder.mutants()?;
    let wanted = |mutant: &&Mutant| match last.get(&mutant.name) {
        Some(outcome) => trial.again && *outcome == Outcome::Missed,
        None => !trial.again && !unviable.contains(&mutant.name),
    };
    let mut todo: Vec<&Mutant> = Vec::new();
    for path in paths {
        todo.extend(mutants.iter().filter(|m| m.file.starts_with(path.as_str())).filter(wanted));
    }
    println!("{} mutants", todo.len());
    todo.reverse();
    let known = Known::new(folder, &trial.word)?;
    let todo = Mutex::new(todo);
    each_job(trial.jobs, |job| {
        while let Some(mutant) = pop(&todo) {
            let place = (folder.tree(), Folder::scratch(job)?);
            folder.note_tried(&known.try_one((&place.0, &place.1), mutant, trial.budget)?)?;
        }
        Ok(())
    })
}

impl Known {
    fn new(folder: &Folder, word: &str) -> anyhow::Result<Self> {
        let programs: HashMap<String, Program> =
            folder.programs()?.into_iter().map(|program| (program.name.clone(), program)).collect();
        let mut tests = folder.reach()?;
        tests.retain(|test| {
            test.passed && format!("{}::{}", test.program, test.test).contains(word)
        });
        tests.sort_by_key(|test| test.millis);
        let mut by_mutant: HashMap<u32, Vec<usize>> = HashMap::new();
        for (index, test) in tests.iter().enumerate() {
            for id in &test.reached {
                by_mutant.entry(*id).or_default().push(index);
            }
        }
        Ok(Self { programs, tests, by_mutant, found: Mutex::default() })
    }

    fn try_one(
        &self,
        at: (&Path, &Path),
        mutant: &Mutant,
        budget: Duration,
    ) -> anyhow::Result<Tried> {
        let function = mutant.function.as_ref().map_or("", |function| &function.function_name);
        let place = format!("{} {function}", mutant.file);
        let reaching = self.by_mutant.get(&mutant.id).map_or(&[][..], Vec::as_slice);
        let tests = self.in_order(reaching, &place, budget);
        let mut tried = Tried {
            name: mutant.name.clone(),
            outcome: Outcome::Missed,
            by: None,
            tried: 0,
            untried: reaching.len() - tests.len(),
        };
        let id = mutant.id.to_string();
        for batch in self.batches(&tests) {
            let Some(program) = self.programs.get(&self.tests[batch[0]].program) else { continue };
            let names: Vec<&str> =
                batch.iter().map(|&test| self.tests[test].test.as_str()).collect();
            let millis: u64 = batch.iter().map(|&test| self.tests[test].millis).sum();
            let limit = Duration::from_millis(millis * 10 + 5000);
            tried.tried += batch.len();
            let by = match trial::run(at, program, &names, ("MUTANT", &id), limit)? {
                Ending::Passed => continue,
                Ending::Failed(test) => {
                    tried.outcome = Outcome::Killed;
                    test
                }
                Ending::Late => {
                    tried.outcome = Outcome::Timeout;
                    None
                }
            };
            let by = by.unwrap_or_else(|| names[0].to_owned());
            let index = tests.iter().find(|&&test| self.tests[test].test == by);
            if let (Some(&index), Ok(mut found)) = (index, self.found.lock()) {
                found.entry(place).or_default().push(index);
            }
            tried.by = Some((program.name.clone(), by));
            break;
        }
        Ok(tried)
    }

    /// What is tried within the budget: those that found a mutant of this place, the cheapest.
    fn in_order(&self, reaching: &[usize], place: &str, budget: Duration) -> Vec<usize> {
        let found = self.found.lock().map_or(Vec::new(), |found| {
            found.get(place).map_or(Vec::new(), |found| found.iter().rev().copied().collect())
        });
        let reach: HashSet<usize> = reaching.iter().copied().collect();
        let mut seen = HashSet::new();
        let mut left = budget.as_millis();
        let order = found.iter().filter(|test| reach.contains(test)).take(3).chain(reaching);
        order
            .copied()
            .filter(|test| seen.insert(*test))
            .take_while(|&test| {
                let enough = left >= u128::from(self.tests[test].millis);
                left = left.saturating_sub(self.tests[test].millis.into());
                enough
            })
            .collect()
    }

    /// Tests of one program that follow each other run at once, if they are quick.
    fn batches<'a>(&self, tests: &'a [usize]) -> Vec<&'a [usize]> {
        let mut sum = 0;
        tests
            .chunk_by(|&a, &b| {
                sum += self.tests[a].millis;
                let together = self.tests[a].program == self.tests[b].program && sum < AT_ONCE;
                if !together {
                    sum = 0;
                }
                together
            })
            .collect()
    }
}
