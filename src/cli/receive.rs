//! `postrider receive`: puts one letter from a mail server's pipe into the inbox.

use super::{Call, Environment, Exit, Failure, club_folder};
use crate::mail::{BYTES_MAX, Maildir};
use crate::process::{self, read_settings};
use std::io::{self, Read};
use std::sync::mpsc;
use std::time::Duration;

/// The time in which a letter must come through the pipe.
const READ_TIMEOUT: Duration = Duration::from_secs(300);

/// Read one letter from standard input and put it into the inbox for the next tick.
///
/// If the club is on a server, the letter also goes into the club's inbox there at once, so that
/// workers on other machines find it. While the server is unreachable, the letter stays here until
/// the next letter or pass.
///
/// For Postfix's pipe, .forward and procmail. It runs no pass, waits for no lock, and prints
/// nothing if all is well. The exit code is 0 if the letter is safely on the disk, and 65 if it is
/// empty or longer than 1 MiB. For any other fault, such as a letter that does not end within five
/// minutes, it is 75, so that the mail server keeps the letter and tries again.
///
/// .forward: "|postrider -C /home/games/club receive"
///
/// Postfix, master.cf: flags=Rq user=games argv=/usr/local/bin/postrider -C /home/games/club
/// receive
#[derive(clap::Args, Debug)]
pub struct Args {}

pub(super) fn run(_: &Args, call: &Call<'_>) -> Result<Exit, Failure> {
    // A moderator's mistake in club.yaml, or a full disk, must not bounce a player's letter.
    let later = |what: String| Failure::new(Exit::TryAgain, what);
    let settings = read_settings(call.folder).map_err(|error| later(error.to_string()))?;
    let bytes = read_with_timeout(READ_TIMEOUT, std::io::stdin())
        .map_err(|error| later(format!("standard input: {error}")))?;
    let letter = strip_mbox_from_line(&bytes);
    if letter.iter().all(u8::is_ascii_whitespace) {
        return Err(Failure::new(Exit::BadData, "the letter is empty"));
    }
    if bytes.len() > BYTES_MAX {
        let what = format!("the letter is longer than {BYTES_MAX} bytes");
        return Err(Failure::new(Exit::BadData, what));
    }
    let inbox = Maildir::new(call.folder.join(&settings.mail_in.maildir));
    inbox
        .insert(&unique_file_name(call.environment)?, letter, None)
        .map_err(|error| later(format!("{}: {error}", inbox.root().display())))?;
    if !settings.is_store_in_folder() {
        // The letter is durable on this machine, so an error is ignored: the next letter or pass
        // tries again.
        let _ = hand_in_letters(call);
    }
    Ok(Exit::Done)
}

/// Moves this machine's letters into the club's inbox on the server.
fn hand_in_letters(call: &Call<'_>) -> Result<(), Failure> {
    let mut context = call.open()?;
    club_folder::SharedClock::new(call.environment).set_time(&mut context)?;
    Ok(process::add_local_letters(&context)?)
}

/// Reads all input, or one byte more than a letter may have, so that the caller sees that it is too
/// long. Fails if the input has not ended within `patience`.
fn read_with_timeout(patience: Duration, input: impl Read + Send + 'static) -> io::Result<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = input.take(BYTES_MAX as u64 + 1).read_to_end(&mut bytes).map(|_| bytes);
        // Sending fails if the receiver has already timed out.
        let _ = sender.send(read);
    });
    let late = |_| io::Error::new(io::ErrorKind::TimedOut, "the letter did not end in time");
    receiver.recv_timeout(patience).map_err(late)?
}

/// Returns a unique file name. Letters are read in the order of their names: by second, then by
/// process id, which is the order in which the mail server started them.
fn unique_file_name(environment: &Environment) -> Result<String, Failure> {
    let random = data_encoding::HEXLOWER.encode(&environment.random_bytes::<8>()?);
    Ok(format!("{}.P{:010}R{random}.receive", environment.now.timestamp(), std::process::id()))
}

/// Returns the letter without the line `From ADDRESS DATE` that pipes put before it. That line
/// belongs to mailbox files and is no header.
fn strip_mbox_from_line(bytes: &[u8]) -> &[u8] {
    if !bytes.starts_with(b"From ") {
        return bytes;
    }
    let end = bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| at + 1);
    bytes.get(end..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn reading_stops_at_timeout_or_size_limit() {
        let (mut pipe, ours) = std::os::unix::net::UnixStream::pair().expect("a pipe");
        pipe.write_all(b"From: ann").expect("it is written");
        let late =
            read_with_timeout(Duration::from_millis(20), ours).expect_err("it has not ended");
        assert_eq!(late.kind(), io::ErrorKind::TimedOut);
        let whole = read_with_timeout(READ_TIMEOUT, &b"From: ann"[..]).expect("it has ended");
        assert_eq!(whole, b"From: ann");
        let endless = read_with_timeout(READ_TIMEOUT, io::repeat(b'x')).expect("it is cut");
        assert_eq!(endless.len(), BYTES_MAX + 1);
    }

    #[test]
    fn envelope_line_of_mailbox_file_is_stripped() {
        let letter = b"From ann@example.org Tue Jan  6 18:00:00 2026\nFrom: ann\n\nFrom here\n";
        assert_eq!(strip_mbox_from_line(letter), b"From: ann\n\nFrom here\n");
        assert_eq!(strip_mbox_from_line(b"From: ann\n"), b"From: ann\n");
        assert_eq!(strip_mbox_from_line(b"From nowhere"), b"");
    }
}
