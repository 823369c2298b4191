//! What strikes the workers and their lines to the server.

use crate::proxy::Proxy;
use crate::server::Schema;
use crate::worker_processes::Workers;
use postrider::rules::Dice;
use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Somebody who hangs for a moment, and somebody whom the server lets go of meanwhile.
const SHORT_HANG: Duration = Duration::from_secs(1);
const LONG_HANG: Duration = Duration::from_secs(75);
/// For how long a server cannot be reached, mostly.
const SHORT_OUTAGE: Duration = Duration::from_secs(2);

/// What strikes, and what is still to end.
pub struct Failures {
    restart: Option<String>,
    every: Duration,
    /// For how long it cannot be reached at the most.
    outage_max: Duration,
    next: Instant,
    /// Who goes on when.
    hanging_until: BTreeMap<usize, Instant>,
    thaws_at: Option<Instant>,
    failure_counts: BTreeMap<&'static str, u32>,
}

impl Failures {
    /// A blow each time that so much has passed; `restart` is a command that does so to the server,
    /// which cannot be reached for `away` at the most.
    pub fn new(restart: Option<String>, every: Duration, away: Duration) -> Self {
        let next = Instant::now() + every;
        let (hanging, struck) = (BTreeMap::new(), BTreeMap::new());
        Self {
            restart,
            every,
            outage_max: away,
            next,
            hanging_until: hanging,
            thaws_at: None,
            failure_counts: struck,
        }
    }

    /// Strikes once it is time, and lets go on who has hung for long enough.
    pub fn inject_when_due(
        &mut self,
        workers: &mut Workers,
        proxy: &Proxy,
        schema: &Schema,
        dice: &mut Dice,
    ) {
        let now = Instant::now();
        self.resume_due(now, workers, proxy);
        if now < self.next {
            return;
        }
        self.next = now + self.every;
        let who = pick_index(dice, workers.count());
        let what = match dice.below(100) {
            0..60 => {
                self.hanging_until.remove(&who);
                workers.kill(who);
                "a worker was killed"
            }
            60..70 => {
                self.hang_worker(who, now + SHORT_HANG, workers, "a worker hung for a second")
            }
            70..73 => {
                self.hang_worker(who, now + LONG_HANG, workers, "a worker hung for 75 seconds")
            }
            73..83 => {
                schema.cut_lines();
                "all lines were cut by the server"
            }
            83..93 => {
                proxy.lose_next_commit_answer();
                "the answer to a commit was lost"
            }
            93..96 => {
                proxy.set_frozen(true);
                self.thaws_at = Some(now + SHORT_OUTAGE);
                "all lines stood still for two seconds"
            }
            96..98 => {
                proxy.disconnect_for(SHORT_OUTAGE);
                "the server could not be reached for two seconds"
            }
            98 => {
                proxy.disconnect_for(self.outage_max);
                "the server could not be reached for long"
            }
            _ => match &self.restart {
                Some(restart) => {
                    let done =
                        Command::new("sh").args(["-c", restart]).stdout(Stdio::null()).status();
                    assert!(done.expect("it runs").success(), "{restart}");
                    "the server was stopped at once and started again"
                }
                None => return,
            },
        };
        *self.failure_counts.entry(what).or_default() += 1;
    }

    /// Lets all go on; how often which blow fell.
    pub fn resume_all(
        mut self,
        workers: &mut Workers,
        proxy: &Proxy,
    ) -> BTreeMap<&'static str, u32> {
        let last = self.hanging_until.values().copied().chain(self.thaws_at).max();
        last.into_iter().for_each(|last| self.resume_due(last, workers, proxy));
        self.failure_counts
    }

    fn hang_worker(
        &mut self,
        who: usize,
        until: Instant,
        workers: &Workers,
        what: &'static str,
    ) -> &'static str {
        workers.signal(who, "-STOP");
        self.hanging_until.insert(who, until);
        what
    }

    fn resume_due(&mut self, now: Instant, workers: &Workers, proxy: &Proxy) {
        self.hanging_until.retain(|who, until| {
            let is_over = *until <= now;
            if is_over {
                workers.signal(*who, "-CONT");
            }
            !is_over
        });
        if self.thaws_at.is_some_and(|thaws| thaws <= now) {
            proxy.set_frozen(false);
            self.thaws_at = None;
        }
    }
}

fn pick_index(dice: &mut Dice, of: usize) -> usize {
    dice.below(u32::try_from(of).unwrap_or(1)) as usize
}
