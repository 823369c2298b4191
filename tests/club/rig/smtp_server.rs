//! An SMTP server on this machine. A test decides how it reacts at each step of a session.

use crate::rig::imap::{CA_FILE, tls_config};
use data_encoding::BASE64;
use postrider::mail::Timeouts;
use postrider::mail::settings::{SmtpSettings, TlsMode};
use postrider::mail::transport::SmtpTransport;
use rustls::{ServerConnection, StreamOwned};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::Duration;

/// The steps of a session. HELLO is the server's greeting, TEXT the end of a letter's text.
pub const STEPS: [&str; 7] = ["HELLO", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "TEXT"];
/// The server's questions if a client logs in by AUTH LOGIN.
const LOGIN_PROMPTS: [&str; 2] = ["Username:", "Password:"];
/// The timeouts of the transports to this server.
const SHORT_PATIENCE: Timeouts = Timeouts {
    step: Duration::from_secs(1),
    letter: Duration::from_secs(2),
    session: Duration::from_secs(20),
};
/// The time limit for which a session waits for a command of the tested program.
const READ_TIMEOUT: Duration = Duration::from_secs(20);

/// The server's reaction at a step.
#[derive(Clone, Debug)]
enum StepBehavior {
    Reply(String),
    Disconnect,
    /// Accepts the letter, but disconnects before it confirms that.
    AcceptAndDisconnect,
    /// Sends nothing until the client disconnects.
    Hang,
    /// Accepts the letter, but never confirms that.
    AcceptAndHang,
    /// Sends one byte of an endless answer every 20 milliseconds.
    SendSlowly,
    /// Answers correctly after this time.
    Delay(Duration),
}

trait Connection: Read + Write {}

impl<W: Read + Write> Connection for W {}

#[derive(Default)]
struct State {
    /// The reactions by step and recipient. An empty recipient means all.
    script: BTreeMap<(String, String), StepBehavior>,
    accepted: Vec<(String, String)>,
    sessions: usize,
    steps: Vec<String>,
    /// The received commands, each with whether it was encrypted.
    commands: Vec<(bool, String)>,
    features: Vec<String>,
    is_stopping: bool,
}

/// The server. It stops when it is dropped.
pub struct SmtpServer {
    port: u16,
    state: Arc<Mutex<State>>,
    thread: Option<JoinHandle<()>>,
}

impl SmtpServer {
    /// Starts a server that accepts every letter.
    pub fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let state = Arc::new(Mutex::new(State::default()));
        state.lock().expect("it is whole").features.push("AUTH PLAIN LOGIN".to_owned());
        let shared = Arc::clone(&state);
        let thread = std::thread::spawn(move || {
            for line in listener.incoming() {
                if shared.lock().expect("it is whole").is_stopping {
                    return;
                }
                // Some tests make the client disconnect early, so errors of a session are ignored.
                let _ = line.and_then(|line| Session::new(line, &shared)?.run_to_end());
            }
        });
        Self { port, state, thread: Some(thread) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("it is whole")
    }

    fn set_behavior(&self, step: &str, to: &str, behavior: StepBehavior) -> &Self {
        self.state().script.insert((step.to_owned(), to.to_owned()), behavior);
        self
    }

    pub fn reply_at(&self, step: &str, answer: &str) -> &Self {
        self.set_behavior(step, "", StepBehavior::Reply(answer.to_owned()))
    }

    pub fn reply_at_for(&self, address: &str, step: &str, answer: &str) -> &Self {
        self.set_behavior(step, address, StepBehavior::Reply(answer.to_owned()))
    }

    pub fn disconnect_at(&self, step: &str) -> &Self {
        self.set_behavior(step, "", StepBehavior::Disconnect)
    }

    pub fn accept_and_disconnect(&self) -> &Self {
        self.set_behavior("TEXT", "", StepBehavior::AcceptAndDisconnect)
    }

    pub fn accept_and_hang(&self) -> &Self {
        self.set_behavior("TEXT", "", StepBehavior::AcceptAndHang)
    }

    pub fn hang_at(&self, step: &str) -> &Self {
        self.set_behavior(step, "", StepBehavior::Hang)
    }

    pub fn hang_at_for(&self, address: &str, step: &str) -> &Self {
        self.set_behavior(step, address, StepBehavior::Hang)
    }

    pub fn send_slowly_at(&self, step: &str) -> &Self {
        self.set_behavior(step, "", StepBehavior::SendSlowly)
    }

    pub fn delay_at(&self, step: &str, pause: Duration) -> &Self {
        self.set_behavior(step, "", StepBehavior::Delay(pause))
    }

    /// Sets the features that the server announces. If STARTTLS is among them, it is the only one
    /// until the connection is encrypted.
    pub fn set_features(&self, features: &[&str]) -> &Self {
        self.state().features = features.iter().map(|feature| (*feature).to_owned()).collect();
        self
    }

    /// Makes the server accept every letter again.
    pub fn reset_behavior(&self) -> &Self {
        self.state().script.clear();
        self
    }

    /// Returns the accepted letters, each with its recipient and its text.
    pub fn accepted_letters(&self) -> Vec<(String, String)> {
        self.state().accepted.clone()
    }

    /// Returns the Message-IDs of the accepted letters after the first `first` ones, in order.
    pub fn accepted_ids_from(&self, first: usize) -> Vec<String> {
        let id = |text: &str| {
            let line = text.lines().find(|line| line.starts_with("Message-ID: "));
            line.expect("it has an id")[12..].to_owned()
        };
        self.state().accepted.iter().skip(first).map(|(_, text)| id(text)).collect()
    }

    pub fn commands(&self) -> Vec<(bool, String)> {
        self.state().commands.clone()
    }

    /// Returns the number of connections, and how often the server reached this step.
    pub fn session_and_step_counts(&self, step: &str) -> (usize, usize) {
        let state = self.state();
        (state.sessions, state.steps.iter().filter(|met| *met == step).count())
    }

    /// Returns an unencrypted transport to the server that uses a password.
    pub fn plain_transport(&self) -> SmtpTransport {
        self.transport_with_tls(TlsMode::None)
    }

    pub fn transport_with_tls(&self, tls: TlsMode) -> SmtpTransport {
        transport_to(self.port, tls)
    }

    /// Returns a transport with STARTTLS that does not trust the server's certificate.
    pub fn transport_without_ca(&self) -> SmtpTransport {
        transport_with_ca(None, self.port, TlsMode::Starttls)
    }
}

pub fn transport_to(port: u16, tls: TlsMode) -> SmtpTransport {
    let ca = std::fs::read(CA_FILE).expect("a certificate");
    transport_with_ca(Some(&ca), port, tls)
}

fn transport_with_ca(ca: Option<&[u8]>, port: u16, tls: TlsMode) -> SmtpTransport {
    let settings = SmtpSettings {
        host: "localhost".to_owned(),
        port: Some(port),
        tls,
        user: Some("club".to_owned()),
        password_env: None,
        password_file: None,
        ca_file: None,
    };
    let password = Some("secret".to_owned());
    let transport = SmtpTransport::new(&settings, password, "games@example.org", ca);
    transport.expect("a transport").with_timeouts(SHORT_PATIENCE)
}

impl Drop for SmtpServer {
    fn drop(&mut self) {
        self.state().is_stopping = true;
        let _ = TcpStream::connect(("127.0.0.1", self.port));
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

struct Session<'a> {
    line: BufReader<Box<dyn Connection>>,
    /// The socket of the connection, until it is encrypted.
    socket: Option<TcpStream>,
    state: &'a Mutex<State>,
    to: String,
    /// Whether a MAIL command has begun a letter that is neither complete nor cancelled.
    in_letter: bool,
}

/// The end of a session, for any reason.
struct SessionEnd;

impl From<std::io::Error> for SessionEnd {
    fn from(_: std::io::Error) -> Self {
        Self
    }
}

impl<'a> Session<'a> {
    fn new(line: TcpStream, state: &'a Mutex<State>) -> std::io::Result<Self> {
        line.set_read_timeout(Some(READ_TIMEOUT))?;
        line.set_nodelay(true)?;
        state.lock().expect("it is whole").sessions += 1;
        let socket = Some(line.try_clone()?);
        let (line, to): (Box<dyn Connection>, _) = (Box::new(line), String::new());
        Ok(Self { line: BufReader::new(line), socket, state, to, in_letter: false })
    }

    fn run_to_end(mut self) -> std::io::Result<()> {
        let _ = self.serve_commands();
        Ok(())
    }

    fn serve_commands(&mut self) -> Result<(), SessionEnd> {
        self.respond("HELLO", "220 test", None)?;
        loop {
            let command = self.read_command()?;
            let word = command.get(..4).unwrap_or_default().to_uppercase();
            match &*word {
                "EHLO" => {
                    let mut features = self.state.lock().expect("it is whole").features.clone();
                    let is_open = self.socket.is_some();
                    if features.iter().any(|feature| feature == "STARTTLS") {
                        features.retain(|feature| (feature == "STARTTLS") == is_open);
                    }
                    self.in_letter = false;
                    let lines: Vec<String> =
                        features.iter().map(|f| format!("250-{f}\r\n")).collect();
                    self.respond("EHLO", &format!("250-test\r\n{}250 HELP", lines.concat()), None)?;
                }
                "AUTH" => {
                    let asks: &[&str] =
                        if command.ends_with("LOGIN") { &LOGIN_PROMPTS } else { &[] };
                    for what in asks {
                        self.send_line(&format!("334 {}", BASE64.encode(what.as_bytes())))?;
                        self.read_command()?;
                    }
                    self.respond("AUTH", "235 2.7.0 welcome", None)?;
                }
                "STAR" => {
                    self.respond("STARTTLS", "220 go on", None)?;
                    let is_refused = match self.behavior_at("STARTTLS") {
                        Some(StepBehavior::Reply(answer)) => !answer.starts_with("220"),
                        _ => false,
                    };
                    if !is_refused {
                        let socket = self.socket.take().ok_or(SessionEnd)?;
                        let session = ServerConnection::new(tls_config()).expect("a session");
                        self.line = BufReader::new(Box::new(StreamOwned::new(session, socket)));
                    }
                }
                "MAIL" if self.in_letter => self.send_line("503 5.5.1 nested MAIL command")?,
                "MAIL" => {
                    self.respond("MAIL", "250 ok", None)?;
                    self.in_letter = true;
                }
                "RSET" => {
                    self.in_letter = false;
                    self.send_line("250 ok")?;
                }
                "RCPT" => {
                    let to = command.split(['<', '>']).nth(1).unwrap_or_default();
                    self.to = to.to_owned();
                    self.respond("RCPT", "250 ok", None)?;
                }
                "DATA" => {
                    self.respond("DATA", "354 go on", None)?;
                    if self.expects_text() {
                        let text = self.read_text()?;
                        self.in_letter = false;
                        self.respond("TEXT", "250 2.0.0 taken", Some(text))?;
                    }
                }
                "QUIT" => return Ok(self.send_line("221 bye")?),
                _ => self.send_line("250 ok")?,
            }
        }
    }

    /// Whether the server's reaction to DATA lets the client send the text.
    fn expects_text(&self) -> bool {
        let does = matches!(
            self.behavior_at("DATA"),
            None | Some(StepBehavior::Reply(_) | StepBehavior::Delay(_))
        );
        does && !self.is_refused_at("DATA")
    }

    fn is_refused_at(&self, step: &str) -> bool {
        matches!(self.behavior_at(step), Some(StepBehavior::Reply(what)) if !what.starts_with('3'))
    }

    fn behavior_at(&self, step: &str) -> Option<StepBehavior> {
        let script = &self.state.lock().expect("it is whole").script;
        let of = |to: &str| script.get(&(step.to_owned(), to.to_owned())).cloned();
        of(&self.to).or_else(|| of(""))
    }

    fn respond(&mut self, step: &str, usual: &str, text: Option<String>) -> Result<(), SessionEnd> {
        let behavior = self.behavior_at(step);
        self.state.lock().expect("it is whole").steps.push(step.to_owned());
        let is_accepted = matches!(
            behavior,
            None | Some(
                StepBehavior::AcceptAndDisconnect
                    | StepBehavior::AcceptAndHang
                    | StepBehavior::Delay(_)
            )
        );
        if let Some(text) = text.filter(|_| is_accepted) {
            self.state.lock().expect("it is whole").accepted.push((self.to.clone(), text));
        }
        match behavior {
            None => Ok(self.send_line(usual)?),
            Some(StepBehavior::Reply(what)) => Ok(self.send_line(&what)?),
            Some(StepBehavior::Disconnect | StepBehavior::AcceptAndDisconnect) => Err(SessionEnd),
            Some(StepBehavior::Hang | StepBehavior::AcceptAndHang) => {
                while self.read_line().is_ok() {}
                Err(SessionEnd)
            }
            Some(StepBehavior::SendSlowly) => loop {
                for byte in b"250-and so on\r\n" {
                    self.line.get_mut().write_all(&[*byte])?;
                    std::thread::sleep(Duration::from_millis(20));
                }
            },
            Some(StepBehavior::Delay(pause)) => {
                std::thread::sleep(pause);
                Ok(self.send_line(usual)?)
            }
        }
    }

    fn send_line(&mut self, what: &str) -> std::io::Result<()> {
        self.line.get_mut().write_all(format!("{what}\r\n").as_bytes())
    }

    /// Reads a command and adds it to the list of received commands.
    fn read_command(&mut self) -> Result<String, SessionEnd> {
        let (command, is_encrypted) = (self.read_line()?, self.socket.is_none());
        self.state.lock().expect("it is whole").commands.push((is_encrypted, command.clone()));
        Ok(command)
    }

    fn read_line(&mut self) -> Result<String, SessionEnd> {
        let mut line = Vec::new();
        match self.line.read_until(b'\n', &mut line)? {
            0 => Err(SessionEnd),
            _ => Ok(String::from_utf8_lossy(&line).trim_end().to_owned()),
        }
    }

    fn read_text(&mut self) -> Result<String, SessionEnd> {
        let mut text = String::new();
        loop {
            match self.read_line()?.as_str() {
                "." => return Ok(text),
                line => text.push_str(&format!("{}\n", line.strip_prefix('.').unwrap_or(line))),
            }
        }
    }
}
