//! Tries mutants. Each is run against the tests that reach it, beginning with tests that detected
//! another mutant in its function.

use crate::folder::{MutantResult, Outcome, TestProgram, TestReach, WorkFolder};
use crate::mutant::Mutant;
use crate::reach::{pop_work, run_jobs};
use crate::trial::{self, TestsOutcome};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

/// The longest duration of one batch of tests, in milliseconds. Batches are short, because a test
/// of another program may detect the mutant sooner.
const BATCH_MILLIS_MAX: u64 = 1000;

/// The settings of a trial.
pub struct TrialSettings {
    /// The number of mutants that are tried at once.
    pub jobs: usize,
    /// The time for the tests of one mutant, measured by their duration without it.
    pub budget: Duration,
    /// Only tests whose `program::test` path contains this word are run.
    pub word: String,
    /// Whether to retry the missed mutants, and not those that were never tried.
    pub retries_missed: bool,
}

/// The tests, and what is known about them.
struct KnownTests {
    programs: HashMap<String, TestProgram>,
    tests: Vec<TestReach>,
    /// The tests that reach each mutant.
    by_mutant: HashMap<u32, Vec<usize>>,
    /// The tests that detected mutants, by file and function. The most recent is last.
    recent_finders: Mutex<HashMap<String, Vec<usize>>>,
}

/// Tries all mutants in files whose path starts with one of `paths`.
pub fn try_mutants(
    folder: &WorkFolder,
    trial: &TrialSettings,
    paths: &[String],
) -> anyhow::Result<()> {
    let mut last: HashMap<String, Outcome> = HashMap::new();
    last.extend(folder.read_results()?.into_iter().map(|tried| (tried.name, tried.outcome)));
    let unviable = folder.read_unviable()?;
    let mutants = folder.read_mutants()?;
    let wanted = |mutant: &&Mutant| match last.get(&mutant.name) {
        Some(outcome) => trial.retries_missed && *outcome == Outcome::Missed,
        None => !trial.retries_missed && !unviable.contains(&mutant.name),
    };
    let mut todo: Vec<&Mutant> = Vec::new();
    for path in paths {
        todo.extend(mutants.iter().filter(|m| m.file.starts_with(path.as_str())).filter(wanted));
    }
    println!("{} mutants", todo.len());
    todo.reverse();
    let known = KnownTests::new(folder, &trial.word)?;
    let todo = Mutex::new(todo);
    run_jobs(trial.jobs, |job| {
        while let Some(mutant) = pop_work(&todo) {
            let place = (folder.source_copy(), WorkFolder::create_scratch(job)?);
            folder.note_result(&known.try_mutant((&place.0, &place.1), mutant, trial.budget)?)?;
        }
        Ok(())
    })
}

impl KnownTests {
    fn new(folder: &WorkFolder, word: &str) -> anyhow::Result<Self> {
        let programs: HashMap<String, TestProgram> = folder
            .read_programs()?
            .into_iter()
            .map(|program| (program.name.clone(), program))
            .collect();
        let mut tests = folder.read_reach()?;
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
        Ok(Self { programs, tests, by_mutant, recent_finders: Mutex::default() })
    }

    fn try_mutant(
        &self,
        at: (&Path, &Path),
        mutant: &Mutant,
        budget: Duration,
    ) -> anyhow::Result<MutantResult> {
        let function = mutant.function.as_ref().map_or("", |function| &function.function_name);
        let place = format!("{} {function}", mutant.file);
        let reaching = self.by_mutant.get(&mutant.id).map_or(&[][..], Vec::as_slice);
        let tests = self.choose_tests(reaching, &place, budget);
        let mut tried = MutantResult {
            name: mutant.name.clone(),
            outcome: Outcome::Missed,
            by: None,
            tried: 0,
            untried: reaching.len() - tests.len(),
        };
        let id = mutant.id.to_string();
        for batch in self.batch_tests(&tests) {
            let Some(program) = self.programs.get(&self.tests[batch[0]].program) else { continue };
            let names: Vec<&str> =
                batch.iter().map(|&test| self.tests[test].test.as_str()).collect();
            let millis: u64 = batch.iter().map(|&test| self.tests[test].millis).sum();
            let limit = Duration::from_millis(millis * 10 + 5000);
            tried.tried += batch.len();
            let by = match trial::run_tests(at, program, &names, ("MUTANT", &id), limit)? {
                TestsOutcome::Passed => continue,
                TestsOutcome::Failed(test) => {
                    tried.outcome = Outcome::Killed;
                    test
                }
                TestsOutcome::Late => {
                    tried.outcome = Outcome::Timeout;
                    None
                }
            };
            let by = by.unwrap_or_else(|| names[0].to_owned());
            let index = tests.iter().find(|&&test| self.tests[test].test == by);
            if let (Some(&index), Ok(mut found)) = (index, self.recent_finders.lock()) {
                found.entry(place).or_default().push(index);
            }
            tried.by = Some((program.name.clone(), by));
            break;
        }
        Ok(tried)
    }

    /// Chooses the tests to run within the budget: first up to three that detected a mutant in this
    /// function, then the fastest.
    fn choose_tests(&self, reaching: &[usize], place: &str, budget: Duration) -> Vec<usize> {
        let found = self.recent_finders.lock().map_or(Vec::new(), |found| {
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

    /// Groups consecutive fast tests of one program into batches, so that they run in one process.
    fn batch_tests<'a>(&self, tests: &'a [usize]) -> Vec<&'a [usize]> {
        let mut sum = 0;
        tests
            .chunk_by(|&a, &b| {
                sum += self.tests[a].millis;
                let together =
                    self.tests[a].program == self.tests[b].program && sum < BATCH_MILLIS_MAX;
                if !together {
                    sum = 0;
                }
                together
            })
            .collect()
    }
}
