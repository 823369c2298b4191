//! Helpers of the benchmarks that run the program as separate processes.

#![allow(dead_code, reason = "each bench uses its own part of it")]

use chrono::{DateTime, Utc};
use postrider::mail::transport::{OutgoingMessage, PostError, Transport};

/// A transport that accepts every letter and drops it.
pub struct NullTransport;

impl Transport for NullTransport {
    fn post(&mut self, _: &OutgoingMessage<'_>) -> Result<(), PostError> {
        Ok(())
    }

    fn letters_per_save(&self) -> usize {
        1_000
    }
}

pub fn start_time() -> DateTime<Utc> {
    DateTime::from_timestamp(1_767_636_000, 0).expect("a time")
}

/// Returns the number of bytes that this process and its ended children have passed to write calls.
pub fn bytes_written() -> u64 {
    let text = std::fs::read_to_string("/proc/self/io").expect("the system tells");
    let line = text.lines().find_map(|line| line.strip_prefix("wchar: "));
    line.and_then(|line| line.parse().ok()).expect("a number")
}

#[allow(clippy::print_stdout, reason = "a bench says what it measured")]
pub fn print_line(what: &str) {
    println!("{what}");
}
