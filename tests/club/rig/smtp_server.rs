//! A mail server on the loopback device that says to every command what a test wants, or nothing.

use crate::rig::imap::{AUTHORITY, config};
use data_encoding::BASE64;
use postrider::mail::Patience;
use postrider::mail::settings::{Smtp, Tls};
use postrider::mail::transport::MailServerTransport;
use rustls::{ServerConnection, StreamOwned};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::Duration;

/// The steps of a session, in order.
pub const STEPS: [&str; 7] = ["HELLO", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "TEXT"];
/// What it asks for when somebody signs in by LOGIN.
const ASKS: [&str; 2] = ["Username:", "Password:"];
/// The patience of a transport to the server.
const IMPATIENT: Patience = Patience {
    step: Duration::from_secs(1),
    letter: Duration::from_secs(2),
    session: Duration::from_secs(20),
};
/// How long a session waits for the program that is tested.
const PATIENCE: Duration = Duration::from_secs(20);

/// What the server does at a step.
#[derive(Clone, Debug)]
enum Deed {
    Says(String),
    Cuts,
    /// Takes the letter and hangs up before it says so.
    TakesAndCuts,
    /// Says nothing more until the other side gives up.
    Hangs,
    /// Takes the letter and never says so.
    TakesAndHangs,
    /// Says a byte of an endless answer now and then.
    Drips,
    /// Says what it should, after a while.
    Waits(Duration),
}

/// A connection, encrypted or not.
trait Wire: Read + Write {}

impl<W: Read + Write> Wire for W {}

#[derive(Default)]
struct State {
    /// What it does at a step of a letter to this address, or of any.
    script: BTreeMap<(String, String), Deed>,
    taken: Vec<(String, String)>,
    sessions: usize,
    steps: Vec<String>,
    /// The commands that it was given, each with whether it came encrypted.
    heard: Vec<(bool, String)>,
    features: Vec<String>,
    stops: bool,
}

/// The server, as long as it is held.
pub struct SmtpServer {
    port: u16,
    state: Arc<Mutex<State>>,
    thread: Option<JoinHandle<()>>,
}

impl SmtpServer {
    /// A server that takes every letter.
    pub fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let state = Arc::new(Mutex::new(State::default()));
        state.lock().expect("it is whole").features.push("AUTH PLAIN LOGIN".to_owned());
        let shared = Arc::clone(&state);
        let thread = std::thread::spawn(move || {
            for line in listener.incoming() {
                if shared.lock().expect("it is whole").stops {
                    return;
                }
                // Whoever hangs up in the middle is no failure of ours.
                let _ = line.and_then(|line| Session::new(line, &shared)?.run());
            }
        });
        Self { port, state, thread: Some(thread) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("it is whole")
    }

    fn sets(&self, step: &str, to: &str, deed: Deed) -> &Self {
        self.state().script.insert((step.to_owned(), to.to_owned()), deed);
        self
    }

    /// Says this at a step from now on.
    pub fn says(&self, step: &str, what: &str) -> &Self {
        self.sets(step, "", Deed::Says(what.to_owned()))
    }

    /// Says this at a step of letters to one address.
    pub fn says_to(&self, address: &str, step: &str, what: &str) -> &Self {
        self.sets(step, address, Deed::Says(what.to_owned()))
    }

    /// Hangs up at a step.
    pub fn cuts(&self, step: &str) -> &Self {
        self.sets(step, "", Deed::Cuts)
    }

    /// Takes letters and hangs up before it says so.
    pub fn takes_and_cuts(&self) -> &Self {
        self.sets("TEXT", "", Deed::TakesAndCuts)
    }

    /// Takes letters and never says so.
    pub fn takes_and_hangs(&self) -> &Self {
        self.sets("TEXT", "", Deed::TakesAndHangs)
    }

    /// Says nothing at a step.
    pub fn hangs(&self, step: &str) -> &Self {
        self.sets(step, "", Deed::Hangs)
    }

    /// Says nothing at a step of letters to one address.
    pub fn hangs_for(&self, address: &str, step: &str) -> &Self {
        self.sets(step, address, Deed::Hangs)
    }

    /// Says a byte now and then at a step.
    pub fn drips(&self, step: &str) -> &Self {
        self.sets(step, "", Deed::Drips)
    }

    /// Takes its time for a step.
    pub fn waits(&self, step: &str, pause: Duration) -> &Self {
        self.sets(step, "", Deed::Waits(pause))
    }

    /// Offers these and nothing else. If STARTTLS is among them, it offers nothing but that until
    /// the connection is encrypted.
    pub fn offers(&self, features: &[&str]) -> &Self {
        self.state().features = features.iter().map(|feature| (*feature).to_owned()).collect();
        self
    }

    /// Is well again.
    pub fn is_well(&self) -> &Self {
        self.state().script.clear();
        self
    }

    /// The letters that it has taken: recipient and text.
    pub fn taken(&self) -> Vec<(String, String)> {
        self.state().taken.clone()
    }

    /// The Message-IDs of the letters that it has taken from this one on, in order.
    pub fn ids_from(&self, first: usize) -> Vec<String> {
        let id = |text: &str| {
            let line = text.lines().find(|line| line.starts_with("Message-ID: "));
            line.expect("it has an id")[12..].to_owned()
        };
        self.state().taken.iter().skip(first).map(|(_, text)| id(text)).collect()
    }

    /// The commands that it was given, each with whether it came encrypted.
    pub fn heard(&self) -> Vec<(bool, String)> {
        self.state().heard.clone()
    }

    /// How many lines were opened, and how often this step was met.
    pub fn counts(&self, step: &str) -> (usize, usize) {
        let state = self.state();
        (state.sessions, state.steps.iter().filter(|met| *met == step).count())
    }

    /// A transport to it that speaks in the open, with a password.
    pub fn transport(&self) -> MailServerTransport {
        self.transport_by(Tls::None)
    }

    /// A transport to it whose line is protected so.
    pub fn transport_by(&self, tls: Tls) -> MailServerTransport {
        transport_to(self.port, tls)
    }

    /// A transport by STARTTLS that does not trust its certificate.
    pub fn distrustful_transport(&self) -> MailServerTransport {
        transport_that_trusts(None, self.port, Tls::Starttls)
    }
}

/// A transport to this port of the loopback device.
pub fn transport_to(port: u16, tls: Tls) -> MailServerTransport {
    let ca = std::fs::read(AUTHORITY).expect("a certificate");
    transport_that_trusts(Some(&ca), port, tls)
}

fn transport_that_trusts(ca: Option<&[u8]>, port: u16, tls: Tls) -> MailServerTransport {
    let settings = Smtp {
        host: "localhost".to_owned(),
        port: Some(port),
        tls,
        user: Some("club".to_owned()),
        password_env: None,
        password_file: None,
        ca_file: None,
    };
    let password = Some("secret".to_owned());
    let transport = MailServerTransport::new(&settings, password, "games@example.org", ca);
    transport.expect("a transport").patient_for(IMPATIENT)
}

impl Drop for SmtpServer {
    fn drop(&mut self) {
        self.state().stops = true;
        let _ = TcpStream::connect(("127.0.0.1", self.port));
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// One line to the server.
struct Session<'a> {
    line: BufReader<Box<dyn Wire>>,
    /// The socket below, until the connection is encrypted.
    socket: Option<TcpStream>,
    state: &'a Mutex<State>,
    to: String,
    /// Whether a letter has begun and is neither over nor given up.
    in_letter: bool,
}

/// The session is over.
struct Over;

impl From<std::io::Error> for Over {
    fn from(_: std::io::Error) -> Self {
        Self
    }
}

impl<'a> Session<'a> {
    fn new(line: TcpStream, state: &'a Mutex<State>) -> std::io::Result<Self> {
        line.set_read_timeout(Some(PATIENCE))?;
        line.set_nodelay(true)?;
        state.lock().expect("it is whole").sessions += 1;
        let socket = Some(line.try_clone()?);
        let (line, to): (Box<dyn Wire>, _) = (Box::new(line), String::new());
        Ok(Self { line: BufReader::new(line), socket, state, to, in_letter: false })
    }

    fn run(mut self) -> std::io::Result<()> {
        let _ = self.talk();
        Ok(())
    }

    fn talk(&mut self) -> Result<(), Over> {
        self.answer("HELLO", "220 test", None)?;
        loop {
            let command = self.hear()?;
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
                    self.answer("EHLO", &format!("250-test\r\n{}250 HELP", lines.concat()), None)?;
                }
                "AUTH" => {
                    let asks: &[&str] = if command.ends_with("LOGIN") { &ASKS } else { &[] };
                    for what in asks {
                        self.say(&format!("334 {}", BASE64.encode(what.as_bytes())))?;
                        self.hear()?;
                    }
                    self.answer("AUTH", "235 2.7.0 welcome", None)?;
                }
                "STAR" => {
                    self.answer("STARTTLS", "220 go on", None)?;
                    let agrees = |what: &str| what.starts_with("220");
                    if !matches!(self.deed("STARTTLS"), Some(Deed::Says(what)) if !agrees(&what)) {
                        let socket = self.socket.take().ok_or(Over)?;
                        let session = ServerConnection::new(config()).expect("a session");
                        self.line = BufReader::new(Box::new(StreamOwned::new(session, socket)));
                    }
                }
                "MAIL" if self.in_letter => self.say("503 5.5.1 nested MAIL command")?,
                "MAIL" => {
                    self.answer("MAIL", "250 ok", None)?;
                    self.in_letter = true;
                }
                "RSET" => {
                    self.in_letter = false;
                    self.say("250 ok")?;
                }
                "RCPT" => {
                    let to = command.split(['<', '>']).nth(1).unwrap_or_default();
                    self.to = to.to_owned();
                    self.answer("RCPT", "250 ok", None)?;
                }
                "DATA" => {
                    self.answer("DATA", "354 go on", None)?;
                    if self.goes_on() {
                        let text = self.text()?;
                        self.in_letter = false;
                        self.answer("TEXT", "250 2.0.0 taken", Some(text))?;
                    }
                }
                "QUIT" => return Ok(self.say("221 bye")?),
                _ => self.say("250 ok")?,
            }
        }
    }

    /// Whether the text comes after what was said to DATA.
    fn goes_on(&self) -> bool {
        let does = matches!(self.deed("DATA"), None | Some(Deed::Says(_) | Deed::Waits(_)));
        does && !self.refuses("DATA")
    }

    fn refuses(&self, step: &str) -> bool {
        matches!(self.deed(step), Some(Deed::Says(what)) if !what.starts_with('3'))
    }

    fn deed(&self, step: &str) -> Option<Deed> {
        let script = &self.state.lock().expect("it is whole").script;
        let of = |to: &str| script.get(&(step.to_owned(), to.to_owned())).cloned();
        of(&self.to).or_else(|| of(""))
    }

    fn answer(&mut self, step: &str, usual: &str, text: Option<String>) -> Result<(), Over> {
        let deed = self.deed(step);
        self.state.lock().expect("it is whole").steps.push(step.to_owned());
        let is_taken =
            matches!(deed, None | Some(Deed::TakesAndCuts | Deed::TakesAndHangs | Deed::Waits(_)));
        if let Some(text) = text.filter(|_| is_taken) {
            self.state.lock().expect("it is whole").taken.push((self.to.clone(), text));
        }
        match deed {
            None => Ok(self.say(usual)?),
            Some(Deed::Says(what)) => Ok(self.say(&what)?),
            Some(Deed::Cuts | Deed::TakesAndCuts) => Err(Over),
            Some(Deed::Hangs | Deed::TakesAndHangs) => {
                while self.read().is_ok() {}
                Err(Over)
            }
            Some(Deed::Drips) => loop {
                for byte in b"250-and so on\r\n" {
                    self.line.get_mut().write_all(&[*byte])?;
                    std::thread::sleep(Duration::from_millis(20));
                }
            },
            Some(Deed::Waits(pause)) => {
                std::thread::sleep(pause);
                Ok(self.say(usual)?)
            }
        }
    }

    fn say(&mut self, what: &str) -> std::io::Result<()> {
        self.line.get_mut().write_all(format!("{what}\r\n").as_bytes())
    }

    /// Reads a command, and remembers it.
    fn hear(&mut self) -> Result<String, Over> {
        let (command, is_encrypted) = (self.read()?, self.socket.is_none());
        self.state.lock().expect("it is whole").heard.push((is_encrypted, command.clone()));
        Ok(command)
    }

    fn read(&mut self) -> Result<String, Over> {
        let mut line = Vec::new();
        match self.line.read_until(b'\n', &mut line)? {
            0 => Err(Over),
            _ => Ok(String::from_utf8_lossy(&line).trim_end().to_owned()),
        }
    }

    fn text(&mut self) -> Result<String, Over> {
        let mut text = String::new();
        loop {
            match self.read()?.as_str() {
                "." => return Ok(text),
                line => text.push_str(&format!("{}\n", line.strip_prefix('.').unwrap_or(line))),
            }
        }
    }
}
