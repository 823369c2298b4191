//! The worker processes: `postrider work`, on two simulated machines.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

/// The file in a machine's folder to which its workers append their output.
const LOG_FILE: &str = "workers.log";

/// The running workers.
pub struct Workers {
    program: PathBuf,
    machines: Vec<PathBuf>,
    /// Each process, with the folder of its machine.
    processes: Vec<(PathBuf, Child)>,
}

/// The sums of what the workers reported.
#[derive(Default)]
pub struct WorkerTotals {
    /// The number of letters read.
    pub read: u64,
    /// The number of commits that were refused because a row had changed, and were decided again.
    pub commits_retried: u64,
}

impl Workers {
    /// Starts `count` workers, on the machines in turn.
    pub fn start(program: &Path, machines: Vec<PathBuf>, count: usize) -> Self {
        let at_work = machines.iter().cycle().take(count);
        let at_work =
            at_work.map(|machine| (machine.clone(), start_worker(program, machine))).collect();
        Self { program: program.to_owned(), machines, processes: at_work }
    }

    pub fn count(&self) -> usize {
        self.processes.len()
    }

    /// Kills a worker with SIGKILL, and starts another on its machine.
    pub fn kill(&mut self, which: usize) {
        let (machine, child) = &mut self.processes[which];
        child.kill().expect("killed");
        child.wait().expect("it ended");
        *child = start_worker(&self.program, machine);
    }

    /// Sends a worker a signal, given as an option of `kill`, such as `-STOP`.
    pub fn signal(&self, which: usize, signal: &str) {
        let (_, child) = &self.processes[which];
        let done = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(done.expect("it runs").success(), "{signal}");
    }

    /// Ends all workers with SIGTERM, waits for them, and returns what they reported.
    pub fn terminate_all(mut self) -> WorkerTotals {
        (0..self.count()).for_each(|which| self.signal(which, "-TERM"));
        for (_, child) in &mut self.processes {
            let ended = child.wait().expect("it ended");
            assert_eq!(ended.code(), Some(0), "a worker must finish its work after SIGTERM");
        }
        let mut totals = WorkerTotals::default();
        for machine in &self.machines {
            let text =
                std::fs::read_to_string(machine.join(LOG_FILE)).expect("the log is readable");
            for line in text.lines() {
                let count = || line.split(' ').next().and_then(|first| first.parse().ok());
                if line.contains(" letters read: ") {
                    totals.read += count().unwrap_or(0);
                } else if line.contains(" commits retried") {
                    totals.commits_retried += count().unwrap_or(0);
                }
            }
        }
        totals
    }
}

fn start_worker(program: &Path, machine: &Path) -> Child {
    let log_file = || -> File {
        let file = OpenOptions::new().create(true).append(true).open(machine.join(LOG_FILE));
        file.expect("a file")
    };
    let mut worker = Command::new(program);
    worker.arg("-C").arg(machine).args(["work", "--every", "1", "--verbose"]);
    worker.stdout(log_file()).stderr(log_file()).spawn().expect("the program runs")
}
