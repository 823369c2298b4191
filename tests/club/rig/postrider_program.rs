//! The postrider program, run in a club's folder as cron and the moderator do.

use super::copy_folder;
use crate::server::Schema;
use assert_cmd::Command;
use postrider::disk::ABORT_AFTER_VARIABLE;
use postrider::testing::sample_or_all;
use std::collections::BTreeMap;
use std::fs;
use std::iter::StepBy;
use std::ops::Range;
use std::path::Path;
use tempfile::TempDir;

/// The date and time of the passes that tests kill, and of the passes that they compare with.
pub const PASS_TIME: &str = "2026-01-06T18:00:00Z";

/// Returns the command that runs the program in a club's folder at this time, without a subcommand.
pub fn postrider_command(folder: &Path, now: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_postrider"));
    command.arg("-C").arg(folder).args(["--now", now]);
    command
}

/// Runs the program. Returns its exit code, and its output with the errors after it.
pub fn run_postrider(folder: &Path, now: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let output = postrider_command(folder, now).args(arguments).output().expect("the program runs");
    let said = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
    (output.status.code(), said)
}

/// Runs a pass and returns its exit code, or `None` if it was killed. The pass is killed after
/// `abort_after` disk steps, unless that is 0.
pub fn run_tick(folder: &Path, now: &str, abort_after: u64) -> Option<i32> {
    let mut command = postrider_command(folder, now);
    if abort_after > 0 {
        command.env(ABORT_AFTER_VARIABLE, abort_after.to_string());
    }
    command.arg("tick").output().expect("the program runs").status.code()
}

/// Copies a club, with its database if it has one. Both copies are deleted when they are dropped.
pub fn copy_club(before: &Path) -> (TempDir, Option<Schema>) {
    let folder = postrider::testing::create_folder();
    copy_folder(before, folder.path());
    let schema = Schema::copy_of(before);
    schema.iter().for_each(|schema| drop(schema.setting(folder.path())));
    (folder, schema)
}

/// Runs an undisturbed pass in a copy of the club, and returns what `left` reads from it.
pub fn outcome_without_kill<T>(before: &Path, left: impl FnOnce(&Path) -> T) -> T {
    let (whole, _schema) = copy_club(before);
    assert_eq!(run_tick(whole.path(), PASS_TIME, 0), Some(0));
    left(whole.path())
}

/// Returns the steps after which a test kills the program. These are all steps in a full run,
/// otherwise one in `every`. A sample begins at half that distance, so that tests with different
/// distances try different steps.
pub fn sampled_steps(every: u64, end: u64) -> StepBy<Range<u64>> {
    let every = sample_or_all(every, 1);
    (every.div_ceil(2)..end).step_by(usize::try_from(every).expect("a small number"))
}

/// Kills passes in copies of this club, one copy for each of the [`sampled_steps`]. After a kill, a
/// second pass runs undisturbed, and `check` gets the folder and the step.
///
/// Panics if the pass ends before the first step of the range, because then the test has killed too
/// little. Panics also if the pass has not ended at the last step.
pub fn kill_after_each_step(
    before: &Path,
    steps: Range<u64>,
    every: u64,
    check: impl Fn(&Path, u64),
) {
    let mut last = 0;
    for step in sampled_steps(every, steps.end) {
        let (folder, schema) = copy_club(before);
        if let Some(code) = run_tick(folder.path(), PASS_TIME, step) {
            assert_eq!(code, 0, "step {step}: exit code");
            // On a database only the commits count as steps.
            let least = if schema.is_some() { steps.start / 4 } else { steps.start };
            assert!(last >= least, "the last kill point is {last}");
            return;
        }
        last = step;
        assert_eq!(run_tick(folder.path(), PASS_TIME, 0), Some(0), "after step {step}");
        check(folder.path(), step);
    }
    panic!("the pass has more than {} steps", steps.end);
}

/// Returns the letters in a club's outbox folder, by file name.
pub fn outbox_letters(folder: &Path) -> BTreeMap<String, String> {
    let files = fs::read_dir(folder.join("outbox/new")).expect("a folder");
    let files = files.map(|file| file.expect("a file").path());
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    files.map(|path| (name(&path), fs::read_to_string(&path).expect("a letter"))).collect()
}
