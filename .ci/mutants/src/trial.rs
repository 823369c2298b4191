//! Runs some tests of a program, and says which one failed.

use crate::folder::Program;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// What came of the tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// All passed.
    Passed,
    /// This one failed, or nobody knows which.
    Failed(Option<String>),
    /// They took too long.
    Late,
}

/// Runs these tests, one after another, with a variable of the environment, up to a failure.
pub fn run(
    (tree, scratch): (&Path, &Path),
    program: &Program,
    tests: &[&str],
    variable: (&str, &str),
    limit: Duration,
) -> anyhow::Result<Ending> {
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
    let ending = watch(&mut child, limit);
    // Also what it started, which may go round in circles as well.
    let group = format!("-{}", child.id());
    Command::new("kill").args(["-9", "--", &group]).stderr(Stdio::null()).status()?;
    let status = child.wait()?;
    Ok(match ending {
        Ending::Passed if !status.success() => Ending::Failed(None),
        ending => ending,
    })
}

/// Reads what the tests say until one failed, all ended or time is up.
fn watch(child: &mut Child, limit: Duration) -> Ending {
    let Some(stdout) = child.stdout.take() else { return Ending::Failed(None) };
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
                    return Ending::Failed(Some(test.to_owned()));
                }
                if line.starts_with("test result: ok") {
                    // Its exit code is asked for; what it left running is not waited for.
                    return wait(child, end);
                }
            }
            Err(RecvTimeoutError::Timeout) => return Ending::Late,
            Err(RecvTimeoutError::Disconnected) => return wait(child, end),
        }
    }
}

/// Waits for the program itself.
fn wait(child: &mut Child, end: Instant) -> Ending {
    while Instant::now() < end {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ending::Passed,
            Ok(Some(_)) | Err(_) => return Ending::Failed(None),
            Ok(None) => std::thread::sleep(Duration::from_millis(2)),
        }
    }
    Ending::Late
}
