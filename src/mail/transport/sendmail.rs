//! Sends letters with the local `sendmail` program.
//!
//! The program reports the result of a letter by its exit code (sysexits.h). This module decides
//! which codes concern the letter. The sending pass decides the unclear codes, because it sees the
//! results of all letters. A program that hangs is killed, so that it does not block the pass.

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

/// The time to wait for the program's output after it has ended. A child of the program may keep
/// the pipe open.
const OUTPUT_TIMEOUT: Duration = Duration::from_millis(500);
/// The most bytes of the program's error output that are kept.
const OUTPUT_MAX: u64 = 300;

/// A transport that starts a program per letter, with sendmail's arguments: `-i -f SENDER --
/// RECIPIENT`. The letter is passed on standard input.
pub struct SendmailTransport {
    command: String,
    /// The envelope sender, to which undeliverable letters are returned.
    sender: String,
    /// The time limits of the program. A letter is one step.
    bounds: SessionLimits,
}

impl SendmailTransport {
    /// Returns a transport that uses the program in `settings`. The program is started for the
    /// first letter.
    pub fn new(settings: &SendmailSettings, sender: &str) -> Self {
        let bounds = SessionLimits::new(Timeouts::default());
        Self { command: settings.command.clone(), sender: sender.to_owned(), bounds }
    }

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

    /// Passes a letter to the program. Returns its exit status and error output. Returns `None` if
    /// it timed out and was killed.
    fn pass_letter_to_child(
        &self,
        mut child: Child,
        letter: Vec<u8>,
    ) -> io::Result<Option<(ExitStatus, String)>> {
        // Both pipes have a thread of their own, so that neither blocks the other. The program may
        // end without reading all its input, or write without end. A thread that is still blocked
        // ends with the process.
        if let Some(mut input) = child.stdin.take() {
            thread::spawn(move || input.write_all(&letter));
        }
        let (tell, told) = mpsc::channel();
        if let Some(mut output) = child.stderr.take() {
            thread::spawn(move || {
                let mut words = Vec::new();
                // After a read error, the bytes that were read are used.
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
        let run = || {
            self.start(outgoing.recipient)
                .and_then(|child| self.pass_letter_to_child(child, letter))
        };
        let ended = self.bounds.run_with_limits(0, None, run);
        match ended {
            Ok(Some((status, _))) if status.success() => Ok(()),
            Ok(Some((status, words))) => Err(classify_exit(status, &words)),
            Ok(None) => {
                Err(PostError::PossiblySent(Box::new(down("it did not end and was stopped"))))
            }
            Err(error) => Err(PostError::from_io_error(&error, &self.command)),
        }
    }

    fn letters_per_save(&self) -> usize {
        1
    }
}

/// Classifies the program's exit status. Codes 69 and 75 are unclear: they are used for a refused
/// letter and for a broken mail queue. So they count as temporary.
fn classify_exit(status: ExitStatus, words: &str) -> PostError {
    let colon = if words.is_empty() { "" } else { ": " };
    let why = format!("{status}{colon}{words}");
    match status.code() {
        // EX_NOUSER and EX_NOHOST.
        Some(67 | 68) => PostError::RecipientRefused(why),
        // EX_DATAERR.
        Some(65) => PostError::Refused(why),
        // EX_NOPERM (77) and EX_CONFIG (78); 126 and 127 are a shell's codes for a program that it
        // cannot start.
        Some(77) => PostError::NeedsFix(PermanentFault::Forbidden, why),
        Some(78 | 126 | 127) => PostError::NeedsFix(PermanentFault::Settings, why),
        // EX_SOFTWARE (70) to EX_IOERR (74), and EX_PROTOCOL (76).
        Some(70..=74 | 76) => PostError::Unavailable(why),
        _ => PostError::Temporary(why),
    }
}
