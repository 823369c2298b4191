//! What strikes the workers and their lines to the server.

use crate::proxy::Proxy;
use crate::server::Schema;
use crate::workers::Workers;
use postrider::rules::Dice;
use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Somebody who hangs for a moment, and somebody whom the server lets go of meanwhile.
const HANGS: Duration = Duration::from_secs(1);
const HANGS_LONG: Duration = Duration::from_secs(75);
/// For how long a server cannot be reached, mostly.
const AWAY: Duration = Duration::from_secs(2);

/// What strikes, and what is still to end.
pub struct Blows {
    restart: Option<String>,
    every: Duration,
    /// For how long it cannot be reached at the most.
    away: Duration,
    next: Instant,
    /// Who goes on when.
    hanging: BTreeMap<usize, Instant>,
    thaws: Option<Instant>,
    struck: BTreeMap<&'static str, u32>,
}

impl Blows {
    /// A blow each time that so much has passed; `restart` is a command that does so to the server,
    /// which cannot be reached for `away` at the most.
    pub fn new(restart: Option<String>, every: Duration, away: Duration) -> Self {
        let next = Instant::now() + every;
        let (hanging, struck) = (BTreeMap::new(), BTreeMap::new());
        Self { restart, every, away, next, hanging, thaws: None, struck }
    }

    /// Strikes once it is time, and lets go on who has hung for long enough.
    pub fn strike_when_due(
        &mut self,
        workers: &mut Workers,
        proxy: &Proxy,
        schema: &Schema,
        dice: &mut Dice,
    ) {
        let now = Instant::now();
        self.go_on(now, workers, proxy);
        if now < self.next {
            return;
        }
        self.next = now + self.every;
        let who = pick(dice, workers.count());
        let what = match dice.below(100) {
            0..60 => {
                self.hanging.remove(&who);
                workers.kill(who);
                "a worker was killed"
            }
            60..70 => self.hang(who, now + HANGS, workers, "a worker hung for a second"),
            70..73 => self.hang(who, now + HANGS_LONG, workers, "a worker hung for 75 seconds"),
            73..83 => {
                schema.cut_lines();
                "all lines were cut by the server"
            }
            83..93 => {
                proxy.loses_an_answer();
                "the answer to a commit was lost"
            }
            93..96 => {
                proxy.freezes(true);
                self.thaws = Some(now + AWAY);
                "all lines stood still for two seconds"
            }
            96..98 => {
                proxy.goes_away(AWAY);
                "the server could not be reached for two seconds"
            }
            98 => {
                proxy.goes_away(self.away);
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
        *self.struck.entry(what).or_default() += 1;
    }

    /// Lets all go on; how often which blow fell.
    pub fn end(mut self, workers: &mut Workers, proxy: &Proxy) -> BTreeMap<&'static str, u32> {
        let last = self.hanging.values().copied().chain(self.thaws).max();
        last.into_iter().for_each(|last| self.go_on(last, workers, proxy));
        self.struck
    }

    fn hang(
        &mut self,
        who: usize,
        until: Instant,
        workers: &Workers,
        what: &'static str,
    ) -> &'static str {
        workers.signal(who, "-STOP");
        self.hanging.insert(who, until);
        what
    }

    fn go_on(&mut self, now: Instant, workers: &Workers, proxy: &Proxy) {
        self.hanging.retain(|who, until| {
            let is_over = *until <= now;
            if is_over {
                workers.signal(*who, "-CONT");
            }
            !is_over
        });
        if self.thaws.is_some_and(|thaws| thaws <= now) {
            proxy.freezes(false);
            self.thaws = None;
        }
    }
}

fn pick(dice: &mut Dice, of: usize) -> usize {
    dice.below(u32::try_from(of).unwrap_or(1)) as usize
}
