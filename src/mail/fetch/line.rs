//! Opening an encrypted connection to an IMAP server.

use super::answer::Bounded;
use crate::mail::connection::{Bounds, Connection, Trust, read_line};
use crate::mail::settings::Tls;
use std::io::{self, Read, Write};
use std::rc::Rc;

/// An encrypted connection whose answers are checked.
pub type Line = Bounded<Connection>;

/// Opens an encrypted connection. `ca` holds root certificates as PEM that are trusted besides
/// those of the machine.
///
/// # Errors
/// If the server does not answer, or is not the one that it should be.
pub(super) fn dial(
    (host, port): (&str, u16),
    encrypted: Tls,
    ca: Option<&[u8]>,
    bounds: &Rc<Bounds>,
) -> io::Result<Line> {
    let trust = Trust::new(ca)?;
    let mut connection = Connection::open((host, port), bounds)?;
    let connection = if encrypted == Tls::Starttls {
        ask_for_tls(&mut connection)?;
        connection.upgrade(host, &trust)?
    } else {
        connection.encrypt(host, &trust)?
    };
    Ok(Bounded::new(connection, bounds))
}

/// Says STARTTLS. The answer is read byte by byte, so that nothing which somebody else put into the
/// plain connection is taken for a part of the encrypted one.
fn ask_for_tls(socket: &mut (impl Read + Write)) -> io::Result<()> {
    let greeting = read_line(socket)?;
    if !greeting.starts_with("* OK") {
        return Err(io::Error::other(format!("the server greets with: {greeting}")));
    }
    socket.write_all(b"s STARTTLS\r\n")?;
    // A server may say something else first, but not for ever.
    for _ in 0..20 {
        let answer = read_line(socket)?;
        match answer.strip_prefix("s ") {
            Some(answer) if answer.to_ascii_uppercase().starts_with("OK") => return Ok(()),
            Some(answer) => {
                return Err(io::Error::other(format!("the server refuses STARTTLS: {answer}")));
            }
            None => {}
        }
    }
    Err(io::Error::other("the server does not answer to STARTTLS"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// A server that has already said all that it will say.
    struct Said(Cursor<&'static str>, Vec<u8>);

    impl Read for Said {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.read(buffer)
        }
    }

    impl Write for Said {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.1.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn nothing_beyond_the_answer_to_starttls_is_read() {
        let mut server = Said(Cursor::new("* OK hi\r\ns OK begin\r\n* OK injected\r\n"), vec![]);
        ask_for_tls(&mut server).expect("agreed");
        assert_eq!(server.1, b"s STARTTLS\r\n");
        let mut rest = String::new();
        server.0.read_to_string(&mut rest).expect("the rest");
        assert_eq!(rest, "* OK injected\r\n");
        let refuses = |text| ask_for_tls(&mut Said(Cursor::new(text), vec![])).is_err();
        assert!(refuses("* OK hi\r\ns NO not here\r\n"));
        assert!(refuses("* BYE too many\r\n"));
        assert!(refuses("* OK hi\r\n"));
    }
}
