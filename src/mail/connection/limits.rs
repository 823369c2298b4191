//! Limits the time that a mail server may take, and the length of its answers.
//!
//! A slow server, or one that never stops sending, must not block a pass. So each step (one command
//! and its whole answer) has a time limit, and so have all steps together. A received byte does not
//! extend any limit.

use std::cell::Cell;
use std::io;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// The time limit for one command and its whole answer. Default: 60 seconds.
    pub step: Duration,
    /// The time limit for all commands that send one letter. Default: 120 seconds. IMAP fetches a
    /// letter in one step.
    pub letter: Duration,
    /// The time limit for all commands to one server in one pass. Default: 300 seconds.
    pub session: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        let [step, letter, session] = [60, 120, 300].map(Duration::from_secs);
        Self { step, letter, session }
    }
}

/// The remaining time and answer length of a session with a server.
pub(in crate::mail) struct SessionLimits {
    step: Duration,
    /// The time that is left for all further steps together.
    session_time_left: Cell<Duration>,
    step_deadline: Cell<Instant>,
    /// The number of bytes that the current answer may still have.
    bytes_left: Cell<usize>,
}

impl SessionLimits {
    pub(in crate::mail) fn new(timeouts: Timeouts) -> Self {
        Self {
            step: timeouts.step,
            session_time_left: Cell::new(timeouts.session),
            step_deadline: Cell::new(Instant::now()),
            bytes_left: Cell::new(0),
        }
    }

    /// Runs a step with a limit of `bytes` bytes for the answer, and an optional time limit
    /// `at_most`.
    pub(in crate::mail) fn run_with_limits<T>(
        &self,
        bytes: usize,
        at_most: Option<Duration>,
        work: impl FnOnce() -> T,
    ) -> T {
        let now = Instant::now();
        let time =
            at_most.map_or(self.step, |most| most.min(self.step)).min(self.session_time_left.get());
        self.step_deadline.set(now + time);
        self.bytes_left.set(bytes);
        let done = work();
        self.session_time_left.set(self.session_time_left.get().saturating_sub(now.elapsed()));
        done
    }

    /// Whether the time limit for all steps together has been reached.
    pub(in crate::mail) fn is_out_of_time(&self) -> bool {
        self.session_time_left.get().is_zero()
    }

    /// Returns the time that is left for the current step, or an error if it has timed out.
    pub(in crate::mail) fn step_time_left(&self) -> io::Result<Duration> {
        let remaining = self.step_deadline.get().saturating_duration_since(Instant::now());
        if remaining.is_zero() { Err(timeout_error()) } else { Ok(remaining) }
    }

    /// Adds `bytes` to the length of the current answer. Returns the number of bytes that the
    /// answer may still have, or an error if it is too long.
    pub(in crate::mail) fn deduct_answer_bytes(&self, bytes: usize) -> io::Result<usize> {
        let left = self.bytes_left.get().checked_sub(bytes).ok_or_else(answer_too_long_error)?;
        self.bytes_left.set(left);
        Ok(left)
    }
}

pub(super) fn timeout_error() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "the step timed out")
}

pub(in crate::mail) fn answer_too_long_error() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it says more than it was asked for")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_steps_together_have_time_limit() {
        let short = Duration::from_millis(30);
        let timeouts = Timeouts { session: short, ..Timeouts::default() };
        let bounds = SessionLimits::new(timeouts);
        bounds.run_with_limits(1, None, || std::thread::sleep(short));
        assert!(bounds.is_out_of_time());
        let late = bounds.run_with_limits(1, None, || bounds.step_time_left());
        assert_eq!(late.expect_err("too late").kind(), io::ErrorKind::TimedOut);
    }
}
