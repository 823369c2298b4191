//! An IMAP server on this machine that keeps its folders in memory. A test can set a script that
//! makes it answer wrongly.

use postrider::mail::Timeouts;
use postrider::mail::fetch::{FetchError, ImapServer};
use postrider::mail::settings::{ImapSettings, TlsMode};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// The root certificate that signed the certificate of the test servers.
pub const CA_FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/club/rig/imap/authority.pem");
pub const PASSWORD: &str = "correct-horse7";

/// A wrong reaction of the server to a command.
pub enum Misbehavior {
    /// Sends this text. The last `TAG` in it is replaced by the command's tag.
    Say(Vec<u8>),
    /// Sends nothing and keeps the connection open for 30 seconds.
    Hang,
    HangUp,
    /// Sends one byte every 50 milliseconds, without end.
    SendSlowly,
    /// Sends this text without end.
    Endless(&'static str),
}

pub fn respond_with(text: impl Into<Vec<u8>>) -> Option<Misbehavior> {
    Some(Misbehavior::Say(text.into()))
}

/// Returns one of the wrong answers to the fetching of a letter. `None` after the last case.
pub fn fetch_failure(case: usize) -> Option<Misbehavior> {
    match case {
        0 => respond_with("TAG NO [SERVERBUG] internal error\r\n"),
        1 => respond_with("* 1 FETCH (UID 2 BODY[]<0> {5000}\r\nhalf of it)\r\nTAG OK\r\n"),
        2 => respond_with("* 1 FETCH (UID 2 BODY[]<0> ~{4}\r\nhalf)\r\nTAG OK\r\n"),
        3 => respond_with("* 1 FETCH (UID 2 BODY[]<0> {2}\r\nmore than that)\r\nTAG OK\r\n"),
        4 => respond_with("TAG OK nothing\r\n"),
        5 => respond_with("* 1 FETCH (UID 2 BODY[]<0> NIL)\r\nTAG OK\r\n"),
        6 => respond_with("* 1 FETCH (UID 2 BODY[]<0> {4000000000}\r\n"),
        7 => Some(Misbehavior::HangUp),
        8 => Some(Misbehavior::Hang),
        9 => Some(Misbehavior::SendSlowly),
        10 => Some(Misbehavior::Endless("* 1 FETCH (FLAGS (a))\r\n")),
        11 => respond_with(format!("* 1 FETCH (UID 2 BODYSTRUCTURE {}\r\n", "(".repeat(200_000))),
        12 => respond_with("* 1 FETCH (UID 2 BODY[]<0> {18446744073709551616}\r\n"),
        13 => respond_with("z99 OK that was another's\r\n"),
        14 => respond_with([&b"\0\xff\r\n"[..], b"TAG OK\r\n"].concat()),
        15 => respond_with(format!(
            "* 1 FETCH (UID 2 BODY[] {{6000000}}\r\n{}",
            "x".repeat(2_000_000)
        )),
        _ => None,
    }
}

/// Whether this wrong answer makes the program wait until its timeout.
pub fn causes_timeout(case: usize) -> bool {
    matches!(case, 6 | 8 | 9 | 12 | 13 | 15)
}

type Script = Box<dyn FnMut(&str) -> Option<Misbehavior> + Send>;

#[derive(Clone, Default)]
pub struct StoredLetter {
    pub bytes: Vec<u8>,
    pub flags: BTreeSet<String>,
    pub date: String,
}

/// The contents of the server, and its script.
#[derive(Default)]
pub struct Mailboxes {
    pub capabilities: String,
    pub validity: u32,
    pub folders: BTreeMap<String, BTreeMap<u32, StoredLetter>>,
    /// The commands that the server received, without their tags.
    pub commands: Vec<String>,
    script: Option<Script>,
    next_uid: u32,
}

#[derive(Clone)]
pub struct FakeImapServer {
    pub port: u16,
    mailboxes: Arc<Mutex<Mailboxes>>,
}

impl FakeImapServer {
    /// Starts a server with these capabilities and an empty INBOX.
    pub fn new(capabilities: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let mut mailboxes = Mailboxes { validity: 7, next_uid: 1, ..Mailboxes::default() };
        mailboxes.capabilities = capabilities.to_owned();
        mailboxes.folders.insert("INBOX".to_owned(), BTreeMap::new());
        let mailboxes = Arc::new(Mutex::new(mailboxes));
        let (config, shared) = (tls_config(), Arc::clone(&mailboxes));
        std::thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                // With Nagle's algorithm, each answer would wait 40 ms for the acknowledgement of
                // the previous one.
                socket.set_nodelay(true).expect("an option");
                let (config, mailboxes) = (Arc::clone(&config), Arc::clone(&shared));
                std::thread::spawn(move || serve_connection(socket, config, &mailboxes));
            }
        });
        Self { port, mailboxes }
    }

    pub fn lock_mailboxes(&self) -> MutexGuard<'_, Mailboxes> {
        self.mailboxes.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Sets the function that decides the reaction to each command. If it returns `None`, the
    /// server answers correctly.
    pub fn set_script(&self, script: impl FnMut(&str) -> Option<Misbehavior> + Send + 'static) {
        self.lock_mailboxes().script = Some(Box::new(script));
    }

    /// Lets the server answer all commands correctly.
    pub fn clear_script(&self) {
        self.lock_mailboxes().script = None;
    }

    /// Puts a letter into the INBOX and returns its UID.
    pub fn deliver(&self, letter: impl Into<Vec<u8>>) -> u32 {
        let mut mailboxes = self.lock_mailboxes();
        let date = "05-Jan-2026 18:00:00 +0000".to_owned();
        mailboxes.add_letter(
            "INBOX",
            StoredLetter { bytes: letter.into(), flags: BTreeSet::new(), date },
        )
    }

    /// Returns the UIDs in a folder. Those of letters marked as deleted are negative.
    pub fn uids_in(&self, folder: &str) -> Vec<i64> {
        let mailboxes = self.lock_mailboxes();
        let sign = |letter: &StoredLetter| if letter.flags.contains("\\Deleted") { -1 } else { 1 };
        let letters = mailboxes.folders.get(folder).into_iter().flatten();
        letters.map(|(uid, letter)| sign(letter) * i64::from(*uid)).collect()
    }

    pub fn count_commands(&self, start: &str) -> usize {
        self.lock_mailboxes().commands.iter().filter(|command| command.starts_with(start)).count()
    }

    pub fn settings(&self) -> ImapSettings {
        ImapSettings {
            host: "localhost".to_owned(),
            port: Some(self.port),
            tls: TlsMode::Tls,
            user: "gm".to_owned(),
            password_env: None,
            password_file: Some("imap-password".to_owned()),
            folder: "INBOX".to_owned(),
            done: "Done".to_owned(),
            quarantine: "Quarantine".to_owned(),
            ca_file: Some(CA_FILE.to_owned()),
        }
    }

    /// Returns the line of club.yaml that fetches letters from this server.
    pub fn to_yaml(&self) -> String {
        format!(
            "mail_in: {{imap: {{host: localhost, port: {}, user: gm, password_file: \
             imap-password, ca_file: {CA_FILE}}}}}\n",
            self.port
        )
    }

    pub fn connect(&self, patience: Timeouts) -> Result<ImapServer, FetchError> {
        let ca = std::fs::read(CA_FILE).expect("a certificate");
        ImapServer::open(patience, &self.settings(), PASSWORD, Some(&ca))
    }
}

pub fn tls_config() -> Arc<ServerConfig> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/club/rig/imap/");
    let certificate = CertificateDer::from_pem_file(format!("{folder}server.pem")).expect("one");
    let key = PrivateKeyDer::from_pem_file(format!("{folder}server.key")).expect("a key");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ServerConfig::builder_with_provider(provider);
    let builder = builder.with_safe_default_protocol_versions().expect("versions");
    let config = builder.with_no_client_auth().with_single_cert(vec![certificate], key);
    Arc::new(config.expect("it serves"))
}

fn serve_connection(socket: TcpStream, config: Arc<ServerConfig>, mailboxes: &Mutex<Mailboxes>) {
    let session = ServerConnection::new(config).expect("a session");
    let mut line = BufReader::new(StreamOwned::new(session, socket));
    let mut selected = String::new();
    let mut answer = b"* OK ready\r\n".to_vec();
    loop {
        if line.get_mut().write_all(&answer).and_then(|()| line.get_mut().flush()).is_err() {
            return;
        }
        let mut command = String::new();
        if line.read_line(&mut command).unwrap_or(0) == 0 {
            return;
        }
        let (tag, command) = command.trim_end().split_once(' ').expect("a command");
        let reaction = {
            let mut mailboxes = mailboxes.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            mailboxes.commands.push(command.to_owned());
            let reaction = mailboxes.script.as_mut().and_then(|script| script(command));
            reaction.unwrap_or_else(|| {
                Misbehavior::Say(mailboxes.answer_command(command, &mut selected))
            })
        };
        answer = match reaction {
            Misbehavior::Say(text) => insert_tag(&text, tag),
            Misbehavior::HangUp => return,
            Misbehavior::Hang => return std::thread::sleep(Duration::from_secs(30)),
            Misbehavior::SendSlowly => return send_slowly(&mut line),
            Misbehavior::Endless(text) => {
                let much = text.repeat(9_000);
                while line.get_mut().write_all(much.as_bytes()).is_ok() {}
                return;
            }
        };
    }
}

/// Sends bytes that never become an answer, until the client disconnects.
fn send_slowly(line: &mut BufReader<StreamOwned<ServerConnection, TcpStream>>) {
    for byte in b"* OK still here\r\n".iter().cycle() {
        let line = line.get_mut();
        if line.write_all(&[*byte]).and_then(|()| line.flush()).is_err() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Replaces the last `TAG` in a text by the command's tag.
fn insert_tag(text: &[u8], tag: &str) -> Vec<u8> {
    let Some(at) = text.windows(3).rposition(|three| three == b"TAG") else { return text.to_vec() };
    [&text[..at], tag.as_bytes(), &text[at + 3..]].concat()
}

impl Mailboxes {
    fn add_letter(&mut self, folder: &str, letter: StoredLetter) -> u32 {
        let uid = self.next_uid;
        self.next_uid += 1;
        self.folders.get_mut(folder).expect("a folder").insert(uid, letter);
        uid
    }

    /// Returns the correct answer to a command.
    fn answer_command(&mut self, command: &str, selected: &mut String) -> Vec<u8> {
        let word = command.split(' ').next().unwrap_or_default();
        let name = command.rsplit(' ').next().unwrap_or_default().trim_matches('"').to_owned();
        let ok = b"TAG OK\r\n";
        let answer = match word {
            "CAPABILITY" => {
                format!("* CAPABILITY IMAP4rev1 {}\r\n", self.capabilities).into_bytes()
            }
            "SELECT" | "EXAMINE" if self.folders.contains_key(&name) => {
                *selected = name;
                format!("* 9 EXISTS\r\n* OK [UIDVALIDITY {}] x\r\n", self.validity).into_bytes()
            }
            "SELECT" | "EXAMINE" => return b"TAG NO there is no such folder\r\n".to_vec(),
            "LIST" if self.folders.contains_key(&name) => {
                format!("* LIST () \"/\" \"{name}\"\r\n").into_bytes()
            }
            "CREATE" => {
                self.folders.insert(name, BTreeMap::new());
                Vec::new()
            }
            "UID" => self.answer_uid_command(command, selected),
            "EXPUNGE" => {
                let letters = self.folders.get_mut(selected).expect("it is selected");
                letters.retain(|_, letter| !letter.flags.contains("\\Deleted"));
                Vec::new()
            }
            "LOGIN" | "LIST" | "LOGOUT" => Vec::new(),
            _ => return b"TAG BAD what?\r\n".to_vec(),
        };
        [&answer[..], ok].concat()
    }

    fn answer_uid_command(&mut self, command: &str, selected: &str) -> Vec<u8> {
        let words: Vec<&str> = command.splitn(4, ' ').collect();
        if words[1] == "SEARCH" {
            return self.search_uids(&command["UID SEARCH ".len()..], selected);
        }
        let uids: Vec<u32> = words[2].split(',').map(|uid| uid.parse().expect("one")).collect();
        let rest = words.get(3).copied().unwrap_or_default();
        let mut answer = Vec::new();
        for uid in uids {
            let letters = self.folders.get_mut(selected).expect("it is selected");
            let Some(letter) = letters.get_mut(&uid) else { continue };
            match words[1] {
                "FETCH" => answer.extend(fetch_response(uid, letter, rest)),
                "STORE" => {
                    letter.flags.insert("\\Deleted".to_owned());
                }
                "COPY" | "MOVE" => {
                    let letter = letter.clone();
                    if words[1] == "MOVE" {
                        letters.remove(&uid);
                    }
                    self.add_letter(rest.trim_matches('"'), letter);
                }
                "EXPUNGE" if letter.flags.contains("\\Deleted") => {
                    letters.remove(&uid);
                }
                _ => {}
            }
        }
        answer
    }

    fn search_uids(&self, query: &str, selected: &str) -> Vec<u8> {
        let words: Vec<&str> = query.split(' ').collect();
        let number = |at: usize| words[at].parse::<usize>().expect("a number");
        let matches_query = |uid: &u32, letter: &StoredLetter| match words[0] {
            "UNDELETED" => !letter.flags.contains("\\Deleted"),
            "UID" => number(1) == *uid as usize && !letter.flags.contains("\\Deleted"),
            "HEADER" => String::from_utf8_lossy(&letter.bytes).contains(words[2].trim_matches('"')),
            "LARGER" => letter.bytes.len() > number(1) && letter.bytes.len() < number(3),
            other => panic!("{other}"),
        };
        let letters = self.folders[selected].iter();
        let found = letters.filter(|(uid, letter)| matches_query(uid, letter));
        let found: Vec<String> = found.map(|(uid, _)| uid.to_string()).collect();
        format!("* SEARCH {}\r\n", found.join(" ")).into_bytes()
    }
}

/// Returns the answer to a FETCH of one letter. `what` lists the requested items.
fn fetch_response(uid: u32, letter: &StoredLetter, what: &str) -> Vec<u8> {
    let mut answer = format!("* 1 FETCH (UID {uid}").into_bytes();
    if what.contains("INTERNALDATE") {
        answer.extend(format!(" INTERNALDATE \"{}\"", letter.date).into_bytes());
    }
    if what.contains("RFC822.SIZE") {
        answer.extend(format!(" RFC822.SIZE {}", letter.bytes.len()).into_bytes());
    }
    let mut give = |section: &str, bytes: &[u8]| {
        answer.extend(format!(" BODY{section} {{{}}}\r\n", bytes.len()).into_bytes());
        answer.extend(bytes);
    };
    if let Some((_, most)) = what.split_once("BODY.PEEK[]<0.") {
        let most: usize = most.split('>').next().expect("a number").parse().expect("a number");
        give("[]<0>", &letter.bytes[..letter.bytes.len().min(most)]);
    }
    if what.contains("HEADER.FIELDS") {
        let text = String::from_utf8_lossy(&letter.bytes).into_owned();
        let id = text.lines().find(|line| line.starts_with("Message-ID:")).unwrap_or_default();
        give("[HEADER.FIELDS (MESSAGE-ID)]", format!("{id}\r\n\r\n").as_bytes());
    }
    answer.extend(b")\r\n");
    answer
}
