//! The workers: processes of the program, on two machines.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

/// The file in a machine's folder that its workers write what they did to.
const LOG_FILE: &str = "told";

/// Workers at work.
pub struct Workers {
    program: PathBuf,
    machines: Vec<PathBuf>,
    /// Each with his machine.
    processes: Vec<(PathBuf, Child)>,
}

/// What workers said that they had done.
#[derive(Default)]
pub struct WorkerTotals {
    /// Letters that were read.
    pub read: u64,
    /// Commits that were refused, and decided anew.
    pub commits_retried: u64,
}

impl Workers {
    /// So many workers, on each machine in turn.
    pub fn start(program: &Path, machines: Vec<PathBuf>, count: usize) -> Self {
        let at_work = machines.iter().cycle().take(count);
        let at_work =
            at_work.map(|machine| (machine.clone(), start_worker(program, machine))).collect();
        Self { program: program.to_owned(), machines, processes: at_work }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.processes.len()
    }

    /// Kills this one at once, and starts another in his place.
    pub fn kill(&mut self, which: usize) {
        let (machine, child) = &mut self.processes[which];
        child.kill().expect("killed");
        child.wait().expect("it ended");
        *child = start_worker(&self.program, machine);
    }

    /// Gives this one a signal, as `kill` calls it.
    pub fn signal(&self, which: usize, signal: &str) {
        let (_, child) = &self.processes[which];
        let done = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(done.expect("it runs").success(), "{signal}");
    }

    /// Tells all to end; what they did.
    pub fn terminate_all(mut self) -> WorkerTotals {
        (0..self.count()).for_each(|which| self.signal(which, "-TERM"));
        for (_, child) in &mut self.processes {
            let ended = child.wait().expect("it ended");
            assert_eq!(ended.code(), Some(0), "it ends what it began");
        }
        let mut told = WorkerTotals::default();
        for machine in &self.machines {
            let text = std::fs::read_to_string(machine.join(LOG_FILE)).expect("they have told");
            for line in text.lines() {
                let count = || line.split(' ').next().and_then(|first| first.parse().ok());
                if line.contains(" letters read: ") {
                    told.read += count().unwrap_or(0);
                } else if line.contains(" commits retried") {
                    told.commits_retried += count().unwrap_or(0);
                }
            }
        }
        told
    }
}

fn start_worker(program: &Path, machine: &Path) -> Child {
    let told = || -> File {
        let file = OpenOptions::new().create(true).append(true).open(machine.join(LOG_FILE));
        file.expect("a file")
    };
    let mut worker = Command::new(program);
    worker.arg("-C").arg(machine).args(["work", "--every", "1", "--verbose"]);
    worker.stdout(told()).stderr(told()).spawn().expect("the program runs")
}
