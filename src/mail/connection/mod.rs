//! Connections to mail servers, plain or encrypted, with time limits. Shared by IMAP and SMTP.
//!
//! Knows neither protocol. Reads are unbuffered. So a connection that is upgraded to TLS keeps no
//! byte that was received without encryption.

mod limits;

pub use limits::Timeouts;
pub(super) use limits::{SessionLimits, answer_too_long_error};

use crate::tls;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, StreamOwned};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::rc::Rc;
use std::sync::Arc;

/// The longest line, in bytes, that [`read_line_bytewise`] accepts.
const LINE_MAX: usize = 4_000;
/// The error text for a connection that the server closed.
const CONNECTION_BROKEN: &str = "the line broke";

/// The root certificates against which server certificates are verified.
#[derive(Clone)]
pub(super) struct TrustedRoots(Arc<ClientConfig>);

impl TrustedRoots {
    /// Trusts the root certificates of the operating system and those in `ca` (PEM). Returns an
    /// error if `ca` contains none.
    pub(super) fn new(ca: Option<&[u8]>) -> io::Result<Self> {
        Ok(Self(Arc::new(tls::client_config(ca)?)))
    }
}

/// A connection to a mail server. Reads and writes fail when the current step times out.
pub(super) enum Connection {
    Plain(Socket),
    Encrypted(Box<StreamOwned<ClientConnection, Socket>>),
}

impl Connection {
    /// Connects to a server without encryption. Tries all addresses of the host.
    pub(super) fn open((host, port): (&str, u16), bounds: &Rc<SessionLimits>) -> io::Result<Self> {
        let addresses: Vec<SocketAddr> = (host, port).to_socket_addrs()?.collect();
        Socket::connect(&addresses, bounds).map(Self::Plain)
    }

    /// Encrypts the connection, unless it is encrypted already. Fails if the server does not
    /// support TLS, or its certificate is not trusted or not for `host`.
    pub(super) fn encrypt(self, host: &str, trust: &TrustedRoots) -> io::Result<Self> {
        let Self::Plain(mut socket) = self else { return Ok(self) };
        let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
        let config = Arc::clone(&trust.0);
        let mut client = ClientConnection::new(config, name).map_err(io::Error::other)?;
        while client.is_handshaking() {
            client.complete_io(&mut socket)?;
        }
        Ok(Self::Encrypted(Box::new(StreamOwned::new(client, socket))))
    }

    /// Encrypts the connection after the server has agreed to STARTTLS. Like
    /// [`encrypt`](Self::encrypt), but also fails if anything except TLS follows the server's
    /// answer, because an attacker could have inserted it.
    pub(super) fn upgrade_to_tls(self, host: &str, trust: &TrustedRoots) -> io::Result<Self> {
        self.encrypt(host, trust).map_err(|error| match tls_error(&error) {
            Some(rustls::Error::InvalidMessage(_)) => {
                io::Error::other("something that is no TLS follows the answer to STARTTLS")
            }
            _ => error,
        })
    }
}

impl Read for Connection {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(socket) => socket.read(buffer),
            Self::Encrypted(stream) => stream.read(buffer),
        }
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(socket) => socket.write(bytes),
            Self::Encrypted(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(socket) => socket.flush(),
            Self::Encrypted(stream) => stream.flush(),
        }
    }
}

/// Reads one line byte by byte, and no byte after it. Returns the line without its end. Fails if
/// the connection closes, or if the line has more than 4,000 bytes.
pub(super) fn read_line_bytewise(from: &mut impl Read) -> io::Result<String> {
    let mut line = Vec::new();
    let mut byte = [0];
    loop {
        from.read_exact(&mut byte)?;
        if byte == *b"\n" {
            return Ok(String::from_utf8_lossy(&line).trim_end().to_owned());
        }
        if line.len() == LINE_MAX {
            return Err(answer_too_long_error());
        }
        line.extend(byte);
    }
}

/// Returns a connection error in one sentence.
pub(super) fn describe_error(error: &io::Error) -> String {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    match error.kind() {
        BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof => {
            CONNECTION_BROKEN.to_owned()
        }
        _ => error.to_string(),
    }
}

pub(super) fn is_certificate_rejected(error: &io::Error) -> bool {
    matches!(tls_error(error), Some(rustls::Error::InvalidCertificate(_)))
}

fn tls_error(error: &io::Error) -> Option<&rustls::Error> {
    error.get_ref()?.downcast_ref()
}

/// A TCP socket. Reads and writes fail when the current step times out.
pub(super) struct Socket {
    socket: TcpStream,
    bounds: Rc<SessionLimits>,
}

impl Socket {
    /// Connects to the first of the addresses that accepts the connection.
    fn connect(addresses: &[SocketAddr], bounds: &Rc<SessionLimits>) -> io::Result<Self> {
        let mut failed = io::Error::other("the name has no address");
        for (index, address) in addresses.iter().enumerate() {
            // The remaining time is divided among the remaining addresses, because the first
            // address may not respond.
            let share = u32::try_from(addresses.len() - index).unwrap_or(1);
            match TcpStream::connect_timeout(address, bounds.step_time_left()? / share) {
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

/// Converts the error of a read or write timeout, whose kind depends on the operating system, to
/// one kind.
fn normalize_timeout(error: io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::WouldBlock { limits::timeout_error() } else { error }
}

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.socket.set_read_timeout(Some(self.bounds.step_time_left()?))?;
        self.socket.read(buffer).map_err(normalize_timeout)
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.socket.set_write_timeout(Some(self.bounds.step_time_left()?))?;
        self.socket.write(bytes).map_err(normalize_timeout)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.socket.flush()
    }
}
