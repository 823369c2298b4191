//! Injects failures into the workers, and into their connections to the server.

use crate::proxy::Proxy;
use crate::server::Schema;
use crate::worker_processes::Workers;
use postrider::rules::Dice;
use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A short hang, and one that outlasts the server's timeout of 60 seconds for idle transactions.
const SHORT_HANG: Duration = Duration::from_secs(1);
const LONG_HANG: Duration = Duration::from_secs(75);
/// The duration of most outages.
const SHORT_OUTAGE: Duration = Duration::from_secs(2);

/// The schedule of the failures, and those that have not ended yet.
pub struct FailureInjector {
    restart: Option<String>,
    every: Duration,
    /// The longest duration of an outage.
    outage_max: Duration,
    next: Instant,
    /// The times at which stopped workers continue, by index.
    hanging_until: BTreeMap<usize, Instant>,
    thaws_at: Option<Instant>,
    failure_counts: BTreeMap<&'static str, u32>,
}

impl FailureInjector {
    /// Schedules one failure per `every`. `restart` is a shell command that restarts the server.
    /// `away` is the longest outage of the server.
    pub fn new(restart: Option<String>, every: Duration, away: Duration) -> Self {
        let next = Instant::now() + every;
        Self {
            restart,
            every,
            outage_max: away,
            next,
            hanging_until: BTreeMap::new(),
            thaws_at: None,
            failure_counts: BTreeMap::new(),
        }
    }

    /// Ends the failures whose time is up, and injects the next one if it is due.
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
        let what = match dice.roll_below(100) {
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
                "the server closed all connections"
            }
            83..93 => {
                proxy.lose_next_commit_answer();
                "the answer to a commit was lost"
            }
            93..96 => {
                proxy.set_frozen(true);
                self.thaws_at = Some(now + SHORT_OUTAGE);
                "all connections were frozen for two seconds"
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
                    "the server was stopped immediately and restarted"
                }
                None => return,
            },
        };
        *self.failure_counts.entry(what).or_default() += 1;
    }

    /// Ends all failures. Returns the number of times that each kind was injected.
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
    dice.roll_below(u32::try_from(of).unwrap_or(1)) as usize
}
