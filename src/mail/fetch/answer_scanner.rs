//! Checks the answers of an IMAP server before the `imap` crate parses them.
//!
//! The crate's parser recurses at each bracket, and allocates the announced size of each literal.
//! So this module limits the length and nesting of an answer to what its command needs.

use crate::mail::connection::{SessionLimits, answer_too_long_error};
use std::io::{self, Read, Write};
use std::rc::Rc;

/// The deepest nesting of brackets in an answer.
const DEPTH_MAX: usize = 60;
/// The longest announcement of a literal, in bytes, such as `{1234}`.
const LITERAL_MAX: usize = 24;

/// A connection whose received data is checked against the limits.
pub(crate) struct CheckedStream<L> {
    stream: L,
    bounds: Rc<SessionLimits>,
    scanner: AnswerScanner,
}

impl<L> CheckedStream<L> {
    pub(super) fn new(line: L, bounds: &Rc<SessionLimits>) -> Self {
        Self { stream: line, bounds: Rc::clone(bounds), scanner: AnswerScanner::default() }
    }
}

impl<L: Read> Read for CheckedStream<L> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(buffer)?;
        let left = self.bounds.deduct_answer_bytes(read)?;
        self.scanner.scan(buffer.get(..read).unwrap_or_default(), left)?;
        Ok(read)
    }
}

impl<L: Write> Write for CheckedStream<L> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// The state of the check of one answer. Brackets inside literals are not counted, because a
/// literal (usually a letter) may contain any bytes.
#[derive(Default)]
struct AnswerScanner {
    depth: usize,
    /// The number of bytes that are left of the current literal.
    literal_left: usize,
    /// The last bytes of the current line.
    line_end: Vec<u8>,
}

impl AnswerScanner {
    /// Checks received bytes. `left` is the number of bytes that the answer may still have.
    fn scan(&mut self, mut bytes: &[u8], left: usize) -> io::Result<()> {
        while let Some((byte, rest)) = bytes.split_first() {
            if self.literal_left > 0 {
                let skipped = self.literal_left.min(bytes.len());
                self.literal_left -= skipped;
                bytes = bytes.get(skipped..).unwrap_or_default();
                continue;
            }
            bytes = rest;
            match byte {
                b'(' => self.depth += 1,
                b')' => self.depth = self.depth.saturating_sub(1),
                b'\n' => self.end_answer_or_begin_literal(left.saturating_add(bytes.len()))?,
                _ => {}
            }
            if self.depth > DEPTH_MAX {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "its answer is no answer"));
            }
            if *byte != b'\n' {
                self.line_end.push(*byte);
            }
            if self.line_end.len() > 2 * LITERAL_MAX {
                self.line_end.drain(..LITERAL_MAX);
            }
        }
        Ok(())
    }

    /// Handles the end of a line: either the answer ends, or a literal begins that may have at most
    /// `left` bytes.
    fn end_answer_or_begin_literal(&mut self, left: usize) -> io::Result<()> {
        let end = std::mem::take(&mut self.line_end);
        let announced = end.strip_suffix(b"}\r").and_then(|end| {
            let digits = end.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
            let (before, digits) = end.split_at_checked(end.len().checked_sub(digits)?)?;
            before.ends_with(b"{").then(|| str::from_utf8(digits).ok())?
        });
        match announced {
            None => self.depth = 0,
            Some(digits) => {
                let length = digits.parse().map_err(|_| answer_too_long_error())?;
                // An announced literal that is too long is refused at once, before its bytes
                // arrive.
                if length > left {
                    return Err(answer_too_long_error());
                }
                self.literal_left = length;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::Timeouts;

    fn read_answer(answer: &[u8], most: usize) -> io::Result<usize> {
        let bounds = Rc::new(SessionLimits::new(Timeouts::default()));
        let mut line = CheckedStream::new(answer, &bounds);
        bounds.run_with_limits(most, None, || {
            io::copy(&mut line, &mut io::sink()).map(|n| n as usize)
        })
    }

    #[test]
    fn overlong_or_deeply_nested_answer_is_refused() {
        let letter = "* 1 FETCH (BODY[] {9}\r\n(((((((((\r\n)\r\na1 OK\r\n".replace('9', "600");
        let letter = letter.replace("(((((((((", &"(".repeat(600));
        assert_eq!(read_answer(letter.as_bytes(), 700).expect("a letter"), letter.len());
        let refused = |answer: &str, most| read_answer(answer.as_bytes(), most).is_err();
        assert!(refused(&letter, 600));
        assert!(refused("* 1 FETCH (BODY[] {701}\r\n", 700), "it is not waited for");
        assert!(refused("* 1 FETCH (BODY[] {99999999999999999999}\r\n", 700));
        assert!(refused(&format!("* 1 FETCH (BODYSTRUCTURE {}", "(".repeat(90)), 700));
        assert!(refused(&format!("* 1 FETCH ({}", "(x {1}\r\ny ".repeat(90)), 2_000));
        assert!(!refused(&"* OK (-:\r\n".repeat(90), 2_000), "each line is an answer");
        assert!(!refused(&"* OK {no} {} {3 4}\r\n".repeat(90), 4_000));
    }
}
