//! Runs each test alone, and notes its duration and the mutants that it executes.

use crate::folder::{TestProgram, TestReach, WorkFolder};
use crate::trial::{self, TestsOutcome};
use std::collections::HashSet;
use std::fs;
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Runs each test whose `program::test` path contains one of the words. Without words, runs all
/// tests.
pub fn note_reached_mutants(
    folder: &WorkFolder,
    jobs: usize,
    words: &[String],
) -> anyhow::Result<()> {
    let known: HashSet<(String, String)> =
        folder.read_reach()?.into_iter().map(|reach| (reach.program, reach.test)).collect();
    let mut tests: Vec<(TestProgram, String)> = Vec::new();
    for program in folder.read_programs()? {
        let list = Command::new(&program.path)
            .args(["--list", "--format", "terse"])
            .current_dir(folder.source_copy())
            .output()?;
        for test in String::from_utf8(list.stdout)?.lines().filter_map(|l| l.strip_suffix(": test"))
        {
            let whole = format!("{}::{test}", program.name);
            let asked = words.is_empty() || words.iter().any(|word| whole.contains(word.as_str()));
            if asked && !known.contains(&(program.name.clone(), test.to_owned())) {
                tests.push((program.clone(), test.to_owned()));
            }
        }
    }
    println!("{} tests", tests.len());
    tests.reverse();
    let tests = Mutex::new(tests);
    run_jobs(jobs, |job| {
        while let Some((program, test)) = pop_work(&tests) {
            let scratch = WorkFolder::create_scratch(job)?;
            let path = scratch.join("reached");
            let start = Instant::now();
            let variable = ("MUTANTS_REACHED", path.to_string_lossy());
            let ending = trial::run_tests(
                (&folder.source_copy(), &scratch),
                &program,
                &[&test],
                (variable.0, &variable.1),
                Duration::from_secs(300),
            )?;
            let millis = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
            let ids: HashSet<u32> = fs::read_to_string(&path)
                .unwrap_or_default()
                .lines()
                .filter_map(|line| line.parse().ok())
                .collect();
            folder.note_reach(&TestReach {
                program: program.name,
                test,
                millis,
                passed: ending == TestsOutcome::Passed,
                reached: ids.into_iter().collect(),
            })?;
        }
        Ok(())
    })
}

pub fn pop_work<T>(work: &Mutex<Vec<T>>) -> Option<T> {
    work.lock().ok()?.pop()
}

/// Runs `work` on this number of threads, and waits for all of them.
pub fn run_jobs(
    jobs: usize,
    work: impl Fn(usize) -> anyhow::Result<()> + Sync,
) -> anyhow::Result<()> {
    std::thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = (0..jobs).map(|job| scope.spawn(move || work(job))).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|_| anyhow::bail!("a job ended")))
    })
}
