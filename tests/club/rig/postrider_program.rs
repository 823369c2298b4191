//! The program, as cron and the moderator run it.

use super::copy_folder;
use crate::common::sample_or_all;
use crate::server::Schema;
use assert_cmd::Command;
use postrider::disk::ABORT_AFTER_VARIABLE;
use std::collections::BTreeMap;
use std::fs;
use std::iter::StepBy;
use std::ops::Range;
use std::path::Path;
use tempfile::TempDir;

/// When the pass runs that is killed.
pub const PASS_TIME: &str = "2026-01-06T18:00:00Z";

/// The program in a club's folder at this time, before it is told what to do.
pub fn postrider_command(folder: &Path, now: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_postrider"));
    command.arg("-C").arg(folder).args(["--now", now]);
    command
}

/// How it ended, and all that it said.
pub fn run_postrider(folder: &Path, now: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let output = postrider_command(folder, now).args(arguments).output().expect("the program runs");
    let said = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
    (output.status.code(), said)
}

/// A pass that is killed after so many steps, if not 0; how it ended.
pub fn run_tick(folder: &Path, now: &str, abort_after: u64) -> Option<i32> {
    let mut command = postrider_command(folder, now);
    if abort_after > 0 {
        command.env(ABORT_AFTER_VARIABLE, abort_after.to_string());
    }
    command.arg("tick").output().expect("the program runs").status.code()
}

/// A copy of a club, with its database where it has one; both vanish with it.
pub fn copy_club(before: &Path) -> (TempDir, Option<Schema>) {
    let folder = crate::common::folder();
    copy_folder(before, folder.path());
    let schema = Schema::copy_of(before);
    schema.iter().for_each(|schema| drop(schema.setting(folder.path())));
    (folder, schema)
}

/// What a pass that nothing disturbs leaves of a copy of this club.
pub fn outcome_without_kill<T>(before: &Path, left: impl FnOnce(&Path) -> T) -> T {
    let (whole, _schema) = copy_club(before);
    assert_eq!(run_tick(whole.path(), PASS_TIME, 0), Some(0));
    left(whole.path())
}

/// The steps after which a test kills the program: all in a full run, else one in `every`. The
/// first one of a sample lies at half that distance, so that tests with other distances begin in
/// other phases.
pub fn sampled_steps(every: u64, end: u64) -> StepBy<Range<u64>> {
    let every = sample_or_all(every, 1);
    (every.div_ceil(2)..end).step_by(usize::try_from(every).expect("a small number"))
}

/// Kills passes over copies of this club, one after each of the [`sampled_steps`]. Each pass runs
/// again afterwards, and `check` is given the folder that it leaves and the step. Fails if the pass
/// ends before the first step of the range, or has not ended at its last one: then the test killed
/// nothing, or would never end.
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
            // Of a database only the commits are steps.
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

/// The letters in a club's outbox folder, by their files' names.
pub fn outbox_letters(folder: &Path) -> BTreeMap<String, String> {
    let files = fs::read_dir(folder.join("outbox/new")).expect("a folder");
    let files = files.map(|file| file.expect("a file").path());
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    files.map(|path| (name(&path), fs::read_to_string(&path).expect("a letter"))).collect()
}
