//! Runs some tests of a program, and finds out which one fails.

use crate::folder::TestProgram;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The outcome of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestsOutcome {
    Passed,
    /// A test failed. `None` if it is not known which one.
    Failed(Option<String>),
    /// The tests did not end in time.
    Late,
}

/// Runs these tests in order with one environment variable, and stops at the first failure.
pub fn run_tests(
    (tree, scratch): (&Path, &Path),
    program: &TestProgram,
    tests: &[&str],
    variable: (&str, &str),
    limit: Duration,
) -> anyhow::Result<TestsOutcome> {
    let mut child = Command::new(&program.path)
        .args(["--exact", "--test-threads=1"])
        .args(tests)
        .env(variable.0, variable.1)
        .env("CARGO_MANIFEST_DIR", tree)
        .env("TMPDIR", scratch)
        .env("INSTA_UPDATE", "no")
        .env("RUST_BACKTRACE", "0")
        .current_dir(tree)
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let ending = wait_for_outcome(&mut child, limit);
    // Kill the whole process group. The tests may have started processes that hang too.
    let group = format!("-{}", child.id());
    Command::new("kill").args(["-9", "--", &group]).stderr(Stdio::null()).status()?;
    let status = child.wait()?;
    Ok(match ending {
        TestsOutcome::Passed if !status.success() => TestsOutcome::Failed(None),
        ending => ending,
    })
}

/// Reads the output of the tests until one fails, all have ended, or the time is up.
fn wait_for_outcome(child: &mut Child, limit: Duration) -> TestsOutcome {
    let Some(stdout) = child.stdout.take() else { return TestsOutcome::Failed(None) };
    let (say, said) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if say.send(line).is_err() {
                return;
            }
        }
    });
    let end = Instant::now() + limit;
    loop {
        match said.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(line) => {
                let test =
                    line.strip_prefix("test ").and_then(|line| line.strip_suffix(" ... FAILED"));
                if let Some(test) = test {
                    return TestsOutcome::Failed(Some(test.to_owned()));
                }
                if line.starts_with("test result: ok") {
                    // Processes that the tests have started may keep the output open, so only the
                    // program's exit is awaited.
                    return wait_for_exit(child, end);
                }
            }
            Err(RecvTimeoutError::Timeout) => return TestsOutcome::Late,
            Err(RecvTimeoutError::Disconnected) => return wait_for_exit(child, end),
        }
    }
}

/// Waits for the program to exit. Processes that it has started may continue.
fn wait_for_exit(child: &mut Child, end: Instant) -> TestsOutcome {
    while Instant::now() < end {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return TestsOutcome::Passed,
            Ok(Some(_)) | Err(_) => return TestsOutcome::Failed(None),
            Ok(None) => std::thread::sleep(Duration::from_millis(2)),
        }
    }
    TestsOutcome::Late
}
