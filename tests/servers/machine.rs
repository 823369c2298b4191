//! The servers, the club's program and the players' mail programs.

use postrider::mail::fetch::{Handed, ImapServer, MailServer};
use postrider::mail::settings::{Imap, Smtp, Tls};
use postrider::mail::transport::{MailServerTransport, OutgoingMessage, Transport};
use postrider::mail::{MailFolder, Patience};
use std::io::Write;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::PathBuf;
use std::process::{Command, Output};
use tempfile::TempDir;

/// The players, by seat.
pub const PEOPLE: [&str; 3] = ["ann", "bob", "cid"];

/// The one who moves house: the member of this seat, and the mailbox that he has afterwards.
pub const MOVES: (usize, &str) = (1, "robert");

/// The one whose letters come in by a pipe: the member of this seat.
pub const PIPED: usize = 2;

const PASSWORD: &str = "secret";

/// A player's address.
pub fn address(name: &str) -> String {
    format!("{name}@club.test")
}

/// Both servers and a club, below a folder that vanishes.
pub struct Machine {
    home: TempDir,
    imaps: u16,
    imap: u16,
    lmtp: u16,
    smtp: u16,
}

/// The program that is tried: another one than these tests were built with where `POSTRIDER` names
/// it.
fn program() -> PathBuf {
    std::env::var_os("POSTRIDER")
        .map_or_else(|| env!("CARGO_BIN_EXE_postrider").into(), PathBuf::from)
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

impl Machine {
    /// Starts both servers and makes a club that lives by them.
    pub fn start() -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let open = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(home.path(), open).expect("permissions");
        let [imaps, imap, lmtp, smtp] = std::array::from_fn(|_| free_port());
        let machine = Self { home, imaps, imap, lmtp, smtp };
        machine.script("certificates", &[]);
        machine.start_dovecot();
        machine.start_postfix();
        let settings = format!(
            "name: The Postal Club\naddress: games@club.test\n\
             moderator: {{name: Mod, address: mod@club.test}}\n\
             mail_in: {{imap: {{host: localhost, port: {imaps}, user: games, \
             password_env: POST_PASSWORD, ca_file: ../authority.pem}}}}\n\
             mail_out: {{smtp: {{host: localhost, port: {smtp}, ca_file: ../authority.pem}}}}\n"
        );
        std::fs::create_dir(machine.club()).expect("a folder");
        std::fs::write(machine.club().join("club.yaml"), settings).expect("club.yaml");
        let secret = machine.club().join("secret");
        std::fs::write(&secret, "07".repeat(32)).expect("a secret");
        std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o600)).expect("private");
        postrider::mail::Maildir::new(machine.club().join("inbox")).create().expect("an inbox");
        // Postfix runs it as somebody who cannot look into this folder.
        std::fs::copy(program(), machine.home.path().join("postrider")).expect("the program");
        machine.open_inbox(true);
        machine
    }

    /// The club's folder.
    pub fn club(&self) -> PathBuf {
        self.home.path().join("club")
    }

    /// Lets the pipe's user write to the inbox, or not.
    pub fn open_inbox(&self, open: bool) {
        let owner = if open { self.home.path().join("mail") } else { self.club() };
        let owner = std::fs::metadata(owner).expect("a folder").uid();
        for part in ["", "tmp", "new"] {
            chown(self.club().join("inbox").join(part), Some(owner), None).expect("permissions");
        }
    }

    fn script(&self, name: &str, words: &[&str]) -> String {
        let script = format!("{}/tests/servers/{name}", env!("CARGO_MANIFEST_DIR"));
        let home = self.home.path().to_string_lossy().into_owned();
        let mut words: Vec<&str> = words.to_vec();
        words.insert(words.len().min(1), &home);
        let output = Command::new(script).args(&words).output().expect("a script");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name} {words:?}: {said}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Starts Dovecot with all that it can.
    pub fn start_dovecot(&self) {
        self.start_dovecot_with("");
    }

    /// Starts Dovecot so that it says no more of itself than this; nothing for all that it can.
    pub fn start_dovecot_with(&self, capabilities: &str) {
        let ports = [self.imaps, self.imap, self.lmtp].map(|port| port.to_string());
        self.script("dovecot", &["start", &ports[0], &ports[1], &ports[2], capabilities]);
    }

    /// What Dovecot's own program does to one of the club's letters.
    pub fn doveadm(&self, words: &[&str]) {
        self.script("dovecot", &[&["do"], words].concat());
    }

    /// Starts Postfix.
    pub fn start_postfix(&self) {
        let ports = [self.smtp, self.lmtp].map(|port| port.to_string());
        self.script("postfix", &["start", &ports[0], &ports[1]]);
    }

    /// Stops one of the servers.
    pub fn stop(&self, server: &str) {
        self.script(server, &["stop"]);
    }

    /// Lets Postfix try again what it could not deliver.
    pub fn flush(&self) {
        self.script("postfix", &["flush"]);
    }

    /// The letters that Postfix has not delivered yet, each with the reason if it tried.
    pub fn waiting(&self) -> Vec<String> {
        self.script("postfix", &["waiting"]).lines().map(str::to_owned).collect()
    }

    /// Takes somebody's mailbox away for good.
    pub fn forget(&self, name: &str) {
        self.script("dovecot", &["forget", name]);
        // Dovecot looks at its file once in each second of the clock.
        std::thread::sleep(std::time::Duration::from_millis(1_100));
    }

    fn postrider(&self, words: &[&str]) -> Output {
        Command::new(program())
            .arg("-C")
            .arg(self.club())
            .args(words)
            .env("POST_PASSWORD", PASSWORD)
            .output()
            .expect("the program runs")
    }

    /// A command that ends with this code; what it says.
    pub fn done(&self, code: i32, words: &[&str]) -> String {
        let output = self.postrider(words);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{words:?}: {said}{text}");
        text
    }

    /// Founds a game for all.
    pub fn found(&self, kind: &str, seed: u64) {
        let seed = seed.to_string();
        let players = PEOPLE.map(|name| format!("{name} <{}>", address(name)));
        let mut words = vec!["new", kind, "--seed", &seed];
        words.extend(players.iter().flat_map(|player| ["--player", player]));
        self.done(0, &words);
    }

    /// A pass that ends with this code; its report.
    pub fn pass(&self, code: i32) -> serde_json::Value {
        serde_json::from_str(&self.done(code, &["tick", "--json"])).expect("JSON")
    }

    /// A pass that ends with this code; how many letters it posted.
    pub fn tick(&self, code: i32) -> usize {
        self.pass(code)["posted"].as_u64().and_then(|n| n.try_into().ok()).expect("a number")
    }

    /// The doctor must find what is wrong in the settings, and nothing when all is well.
    pub fn doctor(&self) {
        let text = self.done(0, &["doctor"]);
        assert!(text.contains("way in       localhost lets games in"), "{text}");
        let path = self.club().join("club.yaml");
        let well = std::fs::read_to_string(&path).expect("settings");
        let ports = [&format!("port: {}", self.imaps), &format!("port: {}", self.smtp)];
        for (what, instead, advice) in [
            (", ca_file: ../authority.pem", "", "name its ca_file"),
            ("user: games", "user: nobody", "mend user and the password"),
            (ports[0], "port: 1", "mend host and port"),
            (ports[1], "port: 1", "mend host and port"),
        ] {
            std::fs::write(&path, well.replace(what, instead)).expect("settings");
            let text = self.done(78, &["doctor"]);
            assert!(text.contains(advice), "{what}: {text}");
        }
        std::fs::write(&path, well).expect("settings");
    }

    /// The game's log must hold.
    pub fn verify(&self) {
        self.done(0, &["verify", "1"]);
    }

    /// Signs in and opens a folder.
    pub fn account(&self, user: &str, folder: &str) -> ImapServer {
        // The club comes in encrypted from the first byte; everybody else by STARTTLS.
        let settings = Imap {
            host: "localhost".to_owned(),
            port: Some(self.imap),
            tls: Tls::Starttls,
            user: user.to_owned(),
            password_env: None,
            password_file: None,
            folder: folder.to_owned(),
            done: "Read".to_owned(),
            quarantine: "Other".to_owned(),
            ca_file: None,
        };
        let ca = std::fs::read(self.home.path().join("authority.pem")).expect("a certificate");
        let opened = ImapServer::open(Patience::default(), &settings, PASSWORD, Some(&ca));
        opened.expect("the server answers")
    }

    /// The letters that have come to a player since the last time.
    pub fn take_letters(&self, name: &str) -> Vec<Vec<u8>> {
        let mut account = self.account(name, "INBOX");
        let letters = account.letters().expect("letters");
        let bytes = |letter| match account.fetch(letter).expect("an answer") {
            Handed::Letter(fetched) => fetched.bytes,
            other => panic!("{other:?}"),
        };
        let fetched = letters.iter().map(bytes).collect();
        account.put(&letters, MailFolder::Done).expect("moved");
        fetched
    }

    /// How many letters lie in a folder; none when there is no such folder.
    pub fn count(&self, user: &str, folder: &str) -> usize {
        if !self.account(user, "INBOX").has_folder(folder).expect("an answer") {
            return 0;
        }
        self.account(user, folder).letters().expect("letters").len()
    }

    /// A player posts a letter.
    pub fn post(&self, name: &str, to: &str, letter: &str) {
        let settings = Smtp {
            host: "localhost".to_owned(),
            port: Some(self.smtp),
            tls: Tls::Starttls,
            user: None,
            password_env: None,
            password_file: None,
            ca_file: None,
        };
        let ca = std::fs::read(self.home.path().join("authority.pem")).expect("a certificate");
        let mut transport = MailServerTransport::new(&settings, None, &address(name), Some(&ca))
            .expect("a courier");
        let outgoing = OutgoingMessage { message_id: "", recipient: to, bytes: letter.as_bytes() };
        transport.post(&outgoing).expect("posted");
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        for server in ["postfix", "dovecot"] {
            let script = format!("{}/tests/servers/{server}", env!("CARGO_MANIFEST_DIR"));
            let _ = Command::new(script).arg("stop").arg(self.home.path()).output();
        }
        if std::thread::panicking() {
            for log in ["postfix.log", "dovecot.log"] {
                let text = std::fs::read_to_string(self.home.path().join(log)).unwrap_or_default();
                let lines: Vec<&str> = text.lines().collect();
                let last = lines.len().saturating_sub(15);
                let _ = writeln!(std::io::stderr(), "{log}:\n{}", lines[last..].join("\n"));
            }
        }
    }
}
