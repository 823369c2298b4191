//! A line to a mail server that nobody else can read.

use super::bounds::{Bounded, Bounds, Socket};
use crate::club::Tls;
use crate::tls;
use rustls::pki_types::ServerName;
use rustls::{ClientConnection, StreamOwned};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, ToSocketAddrs};
use std::rc::Rc;
use std::sync::Arc;

/// The longest line that a server may say before the line is encrypted.
const SAID_MAX: usize = 2_000;

/// An encrypted line.
pub type Line = Bounded<StreamOwned<ClientConnection, Socket>>;

/// Opens an encrypted line. `ca` holds root certificates as PEM that are trusted besides those of
/// the machine.
///
/// # Errors
/// Why there is none: nobody listens, or it is not who it should be.
pub(super) fn dial(
    (host, port): (&str, u16),
    encrypted: Tls,
    ca: Option<&[u8]>,
    bounds: &Rc<Bounds>,
) -> io::Result<Line> {
    let addresses: Vec<SocketAddr> = (host, port).to_socket_addrs()?.collect();
    let mut socket = Socket::connect(&addresses, bounds)?;
    if encrypted == Tls::Starttls {
        ask_for_tls(&mut socket)?;
    }
    let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
    let config = Arc::new(tls::client(ca)?);
    let mut client = ClientConnection::new(config, name).map_err(io::Error::other)?;
    while client.is_handshaking() {
        client.complete_io(&mut socket)?;
    }
    Ok(Bounded::new(StreamOwned::new(client, socket), bounds))
}

/// Says STARTTLS. What the server says is read byte by byte, so that nothing which somebody else
/// put into the open line is taken for a part of the encrypted one.
fn ask_for_tls(socket: &mut (impl Read + Write)) -> io::Result<()> {
    let greeting = said(socket)?;
    if !greeting.starts_with("* OK") {
        return Err(io::Error::other(format!("the server greets with: {greeting}")));
    }
    socket.write_all(b"s STARTTLS\r\n")?;
    // A server may say something else first, but not for ever.
    for _ in 0..20 {
        let answer = said(socket)?;
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

/// A line of the open conversation, without its end.
fn said(socket: &mut impl Read) -> io::Result<String> {
    let mut line = Vec::new();
    let mut byte = [0];
    while line.len() < SAID_MAX {
        socket.read_exact(&mut byte)?;
        if byte == *b"\n" {
            break;
        }
        line.extend(byte);
    }
    Ok(String::from_utf8_lossy(&line).trim_end().to_owned())
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
