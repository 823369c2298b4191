//! Posting by the machine's own mail program.
//!
//! It says by its exit code (sysexits.h) what became of a letter, in few words: which codes are
//! about the letter is decided here, and what they leave in doubt by whoever sees all letters of a
//! pass. A program that hangs is ended, so that it holds up no pass.

use super::{OUT_OF_TIME, OutgoingMessage, PostError, Transport, parse_address, to_unix_line_ends};
use crate::mail::connection::SessionLimits;
use crate::mail::settings::SendmailSettings;
use crate::mail::{PermanentFault, Timeouts};
use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use wait_timeout::ChildExt;

/// How long it is waited for what it wrote once it has ended: a program that it has started may
/// hold the pipe.
const OUTPUT_TIMEOUT: Duration = Duration::from_millis(500);
/// The most bytes of what it says that anybody reads.
const OUTPUT_MAX: u64 = 300;

/// Hands letters to a program as sendmail takes them: `-i -f SENDER -- RECIPIENT`, the letter on
/// its standard input.
pub struct SendmailTransport {
    command: String,
    /// Where a letter comes back to that was taken and could not be delivered.
    sender: String,
    /// The time that the program may take. A letter is one step.
    bounds: SessionLimits,
}

impl SendmailTransport {
    /// A transport by this program, which is not started yet.
    pub fn new(settings: &SendmailSettings, sender: &str) -> Self {
        let bounds = SessionLimits::new(Timeouts::default());
        Self { command: settings.command.clone(), sender: sender.to_owned(), bounds }
    }

    /// Replaces the time that the program may take.
    #[must_use]
    pub fn with_timeouts(mut self, timeouts: Timeouts) -> Self {
        self.bounds = SessionLimits::new(timeouts);
        self
    }

    fn start(&self, recipient: &str) -> io::Result<Child> {
        Command::new(&self.command)
            .args(["-i", "-f", &self.sender, "--", recipient])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
    }

    /// Hands a letter to the program. Returns how the program ended and what it said; none if it
    /// had to be killed.
    fn run_child(
        &self,
        mut child: Child,
        letter: Vec<u8>,
    ) -> io::Result<Option<(ExitStatus, String)>> {
        // Neither pipe may hold up the other: a program may end without having read all, or talk
        // without end. Threads that wait for a pipe for ever end with the process.
        if let Some(mut input) = child.stdin.take() {
            thread::spawn(move || input.write_all(&letter));
        }
        let (tell, told) = mpsc::channel();
        if let Some(mut output) = child.stderr.take() {
            thread::spawn(move || {
                let mut words = Vec::new();
                // What could be read is all that can be told.
                let _ = output.by_ref().take(OUTPUT_MAX).read_to_end(&mut words);
                let _ = tell.send(words);
                let _ = io::copy(&mut output, &mut io::sink());
            });
        }
        let Some(status) = child.wait_timeout(self.bounds.step_time_left()?)? else {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        };
        let words = told.recv_timeout(OUTPUT_TIMEOUT).unwrap_or_default();
        let words = String::from_utf8_lossy(&words).into_owned();
        Ok(Some((status, words.split_whitespace().collect::<Vec<_>>().join(" "))))
    }
}

impl Transport for SendmailTransport {
    fn post(&mut self, outgoing: &OutgoingMessage<'_>) -> Result<(), PostError> {
        parse_address(&self.sender).map_err(PostError::Unavailable)?;
        parse_address(outgoing.recipient).map_err(PostError::RecipientRefused)?;
        let down = |what: &str| PostError::Unavailable(format!("{}: {what}", self.command));
        if self.bounds.is_out_of_time() {
            return Err(down(OUT_OF_TIME));
        }
        let letter = to_unix_line_ends(outgoing.bytes);
        let run = || self.start(outgoing.recipient).and_then(|child| self.run_child(child, letter));
        let ended = self.bounds.run_step(0, None, run);
        match ended {
            Ok(Some((status, _))) if status.success() => Ok(()),
            Ok(Some((status, words))) => Err(classify_exit(status, &words)),
            Ok(None) => {
                Err(PostError::PossiblySent(Box::new(down("it did not end and was stopped"))))
            }
            Err(error) => Err(PostError::from_io_error(&error, &self.command)),
        }
    }

    fn batch_size(&self) -> usize {
        1
    }
}

/// Returns what the end of the program means for a letter. The codes 69 and 75 are in doubt: they
/// stand for a letter that is not taken and for a queue that cannot be written.
fn classify_exit(status: ExitStatus, words: &str) -> PostError {
    let colon = if words.is_empty() { "" } else { ": " };
    let why = format!("{status}{colon}{words}");
    match status.code() {
        // EX_NOUSER, EX_NOHOST
        Some(67 | 68) => PostError::RecipientRefused(why),
        // EX_DATAERR
        Some(65) => PostError::Refused(why),
        // EX_NOPERM, EX_CONFIG; what a shell says of a program that it cannot start.
        Some(77) => PostError::NeedsFix(PermanentFault::Forbidden, why),
        Some(78 | 126 | 127) => PostError::NeedsFix(PermanentFault::Settings, why),
        // From EX_SOFTWARE to EX_IOERR, EX_PROTOCOL.
        Some(70..=74 | 76) => PostError::Unavailable(why),
        _ => PostError::Temporary(why),
    }
}
