//! The program, as cron and the moderator run it.

use assert_cmd::Command;
use postrider::disk::ABORT_AFTER;
use std::path::Path;

/// The program in a club's folder at this time, before it is told what to do.
pub fn program(folder: &Path, now: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_postrider"));
    command.arg("-C").arg(folder).args(["--now", now]);
    command
}

/// How it ended, and all that it said.
pub fn run(folder: &Path, now: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let output = program(folder, now).args(arguments).output().expect("the program runs");
    let said = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
    (output.status.code(), said)
}

/// A pass that is killed after so many steps, if not 0; how it ended.
pub fn tick(folder: &Path, now: &str, abort_after: u64) -> Option<i32> {
    let mut command = program(folder, now);
    if abort_after > 0 {
        command.env(ABORT_AFTER, abort_after.to_string());
    }
    command.arg("tick").output().expect("the program runs").status.code()
}
