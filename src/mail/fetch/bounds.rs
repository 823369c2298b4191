//! How long a server is waited for, and how much of what it says is listened to.
//!
//! A server that sends a byte now and then, or does not stop, must hold up no pass. So every step
//! (one command and its whole answer) has a time of its own, all steps together have another one,
//! and no answer is longer or nested deeper than what was asked for can need.

use std::cell::Cell;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How deep the brackets of an answer may be nested: its reader goes down by itself at each.
const DEPTH_MAX: usize = 60;
/// The longest announcement of a literal: what is longer is none.
const LITERAL_MAX: usize = 24;

/// How long a server is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For one command with its whole answer.
    pub step: Duration,
    /// For all that is asked of it in one pass.
    pub session: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { step: Duration::from_secs(60), session: Duration::from_secs(300) }
    }
}

/// What is left of the patience with a server.
pub(super) struct Bounds {
    step: Duration,
    /// The time that is left for all steps together.
    left: Cell<Duration>,
    /// When the step began, and until when it must be done.
    began: Cell<Instant>,
    until: Cell<Instant>,
    /// How many bytes its answer may still have.
    bytes: Cell<usize>,
}

impl Bounds {
    pub(crate) fn new(patience: Patience) -> Rc<Self> {
        let now = Instant::now();
        Rc::new(Self {
            step: patience.step,
            left: Cell::new(patience.session),
            began: Cell::new(now),
            until: Cell::new(now),
            bytes: Cell::new(0),
        })
    }

    /// Does a step whose answer is no longer than this; it takes no more than `at_most`, if given.
    pub(crate) fn step<T>(
        &self,
        bytes: usize,
        at_most: Option<Duration>,
        work: impl FnOnce() -> T,
    ) -> T {
        let now = Instant::now();
        let time = at_most.map_or(self.step, |most| most.min(self.step)).min(self.left.get());
        self.began.set(now);
        self.until.set(now + time);
        self.bytes.set(bytes);
        let done = work();
        self.left.set(self.left.get().saturating_sub(now.elapsed()));
        done
    }

    /// Whether nothing more can be asked of the server in this pass.
    pub(crate) fn is_over(&self) -> bool {
        self.left.get().is_zero()
    }

    /// The time that is left for this step.
    fn remaining(&self) -> io::Result<Duration> {
        let remaining = self.until.get().saturating_duration_since(Instant::now());
        if remaining.is_zero() { Err(too_slow()) } else { Ok(remaining) }
    }

    /// Notes that so many bytes have come.
    fn heard(&self, bytes: usize) -> io::Result<()> {
        let left = self.bytes.get().checked_sub(bytes).ok_or_else(too_much)?;
        self.bytes.set(left);
        Ok(())
    }
}

fn too_slow() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "the step timed out")
}

fn too_much() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it says more than it was asked for")
}

/// A socket that is waited for within bounds.
pub(crate) struct Socket {
    socket: TcpStream,
    bounds: Rc<Bounds>,
}

impl Socket {
    /// Connects to the first of these addresses that answers.
    pub(super) fn connect(addresses: &[SocketAddr], bounds: &Rc<Bounds>) -> io::Result<Self> {
        let mut failed = io::Error::other("the name has no address");
        for (index, address) in addresses.iter().enumerate() {
            // One that says nothing leaves the others their time.
            let share = u32::try_from(addresses.len() - index).unwrap_or(1);
            match TcpStream::connect_timeout(address, bounds.remaining()? / share) {
                Ok(socket) => {
                    socket.set_nodelay(true)?;
                    return Ok(Self { socket, bounds: Rc::clone(bounds) });
                }
                Err(error) => failed = error,
            }
        }
        Err(failed)
    }
}

/// What a socket says when nothing came in time, in one form.
fn in_time(error: io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::WouldBlock { too_slow() } else { error }
}

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.socket.set_read_timeout(Some(self.bounds.remaining()?))?;
        self.socket.read(buffer).map_err(in_time)
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.socket.set_write_timeout(Some(self.bounds.remaining()?))?;
        self.socket.write(bytes).map_err(in_time)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.socket.flush()
    }
}

/// A line whose answers are listened to within bounds.
pub(crate) struct Bounded<L> {
    line: L,
    bounds: Rc<Bounds>,
    answer: Answer,
}

impl<L> Bounded<L> {
    pub(super) fn new(line: L, bounds: &Rc<Bounds>) -> Self {
        Self { line, bounds: Rc::clone(bounds), answer: Answer::default() }
    }
}

impl<L: Read> Read for Bounded<L> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.line.read(buffer)?;
        self.bounds.heard(read)?;
        self.answer.goes_on(buffer.get(..read).unwrap_or_default(), self.bounds.bytes.get())?;
        Ok(read)
    }
}

impl<L: Write> Write for Bounded<L> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.line.flush()
    }
}

/// How far an answer has come: its brackets, and the letters in it, which are any bytes.
#[derive(Default)]
struct Answer {
    depth: usize,
    /// So many bytes are a letter's still.
    literal: usize,
    /// The end of the line so far.
    end: Vec<u8>,
}

impl Answer {
    /// Takes in what has come; `left` more may come.
    fn goes_on(&mut self, mut bytes: &[u8], left: usize) -> io::Result<()> {
        while let Some((byte, rest)) = bytes.split_first() {
            if self.literal > 0 {
                let skipped = self.literal.min(bytes.len());
                self.literal -= skipped;
                bytes = bytes.get(skipped..).unwrap_or_default();
                continue;
            }
            bytes = rest;
            match byte {
                b'(' => self.depth += 1,
                b')' => self.depth = self.depth.saturating_sub(1),
                b'\n' => self.line_ends(left.saturating_add(bytes.len()))?,
                _ => {}
            }
            if self.depth > DEPTH_MAX {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "its answer is no answer"));
            }
            if *byte != b'\n' {
                self.end.push(*byte);
            }
            if self.end.len() > 2 * LITERAL_MAX {
                self.end.drain(..LITERAL_MAX);
            }
        }
        Ok(())
    }

    /// A line ends: the answer does, or a literal begins that is no longer than `left`.
    fn line_ends(&mut self, left: usize) -> io::Result<()> {
        let end = std::mem::take(&mut self.end);
        let announced = end.strip_suffix(b"}\r").and_then(|end| {
            let digits = end.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
            let (before, digits) = end.split_at_checked(end.len().checked_sub(digits)?)?;
            before.ends_with(b"{").then(|| str::from_utf8(digits).ok())?
        });
        match announced {
            None => self.depth = 0,
            Some(digits) => {
                let length = digits.parse().map_err(|_| too_much())?;
                // No byte of what is too long is waited for.
                if length > left {
                    return Err(too_much());
                }
                self.literal = length;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(answer: &[u8], most: usize) -> io::Result<usize> {
        let bounds = Bounds::new(Patience::default());
        let mut line = Bounded::new(answer, &bounds);
        bounds.step(most, None, || io::copy(&mut line, &mut io::sink()).map(|n| n as usize))
    }

    #[test]
    fn an_answer_is_as_long_and_deep_as_what_was_asked_for() {
        let letter = "* 1 FETCH (BODY[] {9}\r\n(((((((((\r\n)\r\na1 OK\r\n".replace('9', "600");
        let letter = letter.replace("(((((((((", &"(".repeat(600));
        assert_eq!(heard(letter.as_bytes(), 700).expect("a letter"), letter.len());
        let refused = |answer: &str, most| heard(answer.as_bytes(), most).is_err();
        assert!(refused(&letter, 600));
        assert!(refused("* 1 FETCH (BODY[] {701}\r\n", 700), "it is not waited for");
        assert!(refused("* 1 FETCH (BODY[] {99999999999999999999}\r\n", 700));
        assert!(refused(&format!("* 1 FETCH (BODYSTRUCTURE {}", "(".repeat(90)), 700));
        assert!(refused(&format!("* 1 FETCH ({}", "(x {1}\r\ny ".repeat(90)), 2_000));
        assert!(!refused(&"* OK (-:\r\n".repeat(90), 2_000), "each line is an answer");
        assert!(!refused(&"* OK {no} {} {3 4}\r\n".repeat(90), 4_000));
    }

    #[test]
    fn what_all_steps_take_together_is_bounded() {
        let short = Duration::from_millis(30);
        let bounds = Bounds::new(Patience { step: Duration::from_secs(9), session: short });
        bounds.step(1, None, || std::thread::sleep(short));
        assert!(bounds.is_over());
        let late = bounds.step(1, None, || bounds.remaining());
        assert_eq!(late.expect_err("too late").kind(), io::ErrorKind::TimedOut);
    }
}
