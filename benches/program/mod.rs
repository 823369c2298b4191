//! What benches share that run the program over clubs of their own.

#![allow(dead_code, reason = "each bench uses its own part of it")]

use chrono::{DateTime, Utc};
use postrider::mail::transport::{OutgoingMessage, PostError, Transport};

/// Takes every letter.
pub struct NullTransport;

impl Transport for NullTransport {
    fn post(&mut self, _: &OutgoingMessage<'_>) -> Result<(), PostError> {
        Ok(())
    }

    fn batch_size(&self) -> usize {
        1_000
    }
}

/// When the games begin.
pub fn start_time() -> DateTime<Utc> {
    DateTime::from_timestamp(1_767_636_000, 0).expect("a time")
}

/// The bytes that this process, and those that it has waited for, have caused to be written.
pub fn bytes_written() -> u64 {
    let text = std::fs::read_to_string("/proc/self/io").expect("the system tells");
    let line = text.lines().find_map(|line| line.strip_prefix("wchar: "));
    line.and_then(|line| line.parse().ok()).expect("a number")
}

/// Says what was measured.
#[allow(clippy::print_stdout, reason = "a bench says what it measured")]
pub fn print_line(what: &str) {
    println!("{what}");
}
