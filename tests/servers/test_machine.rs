//! The servers, the club's program and the players' mail programs.

use postrider::mail::fetch::{FetchOutcome, ImapServer, MailServer};
use postrider::mail::settings::{ImapSettings, SmtpSettings, TlsMode};
use postrider::mail::transport::{OutgoingMessage, SmtpTransport, Transport};
use postrider::mail::{MailFolder, Timeouts};
use std::io::Write;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::PathBuf;
use std::process::{Command, Output};
use tempfile::TempDir;

/// The players, by seat.
pub const PLAYERS: [&str; 3] = ["ann", "bob", "cid"];

/// The one who moves house: the member of this seat, and the mailbox that he has afterwards.
pub const MOVING_SEAT_AND_MAILBOX: (usize, &str) = (1, "robert");

/// The one whose letters come in by a pipe: the member of this seat.
pub const PIPE_SEAT: usize = 2;

const PASSWORD: &str = "secret";

/// A player's address.
pub fn address(name: &str) -> String {
    format!("{name}@club.test")
}

/// Both servers and a club, below a folder that vanishes.
pub struct TestMachine {
    home_folder: TempDir,
    imaps: u16,
    imap: u16,
    lmtp: u16,
    smtp: u16,
}

/// The program that is tried: another one than these tests were built with where `POSTRIDER` names
/// it.
fn program_path() -> PathBuf {
    std::env::var_os("POSTRIDER")
        .map_or_else(|| env!("CARGO_BIN_EXE_postrider").into(), PathBuf::from)
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

impl TestMachine {
    /// Starts both servers and makes a club that lives by them.
    pub fn start_servers() -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let open = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(home.path(), open).expect("permissions");
        let [imaps, imap, lmtp, smtp] = std::array::from_fn(|_| free_port());
        let machine = Self { home_folder: home, imaps, imap, lmtp, smtp };
        machine.run_script("certificates", &[]);
        machine.start_dovecot();
        machine.start_postfix();
        let settings = format!(
            "name: The Postal Club\naddress: games@club.test\n\
             moderator: {{name: Mod, address: mod@club.test}}\n\
             mail_in: {{imap: {{host: localhost, port: {imaps}, user: games, \
             password_env: POST_PASSWORD, ca_file: ../authority.pem}}}}\n\
             mail_out: {{smtp: {{host: localhost, port: {smtp}, ca_file: ../authority.pem}}}}\n"
        );
        std::fs::create_dir(machine.club_folder()).expect("a folder");
        std::fs::write(machine.club_folder().join("club.yaml"), settings).expect("club.yaml");
        let secret = machine.club_folder().join("secret");
        std::fs::write(&secret, "07".repeat(32)).expect("a secret");
        std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o600)).expect("private");
        postrider::mail::Maildir::new(machine.club_folder().join("inbox"))
            .create_folders()
            .expect("an inbox");
        // Postfix runs it as somebody who cannot look into this folder.
        std::fs::copy(program_path(), machine.home_folder.path().join("postrider"))
            .expect("the program");
        machine.set_inbox_writable(true);
        machine
    }

    /// The club's folder.
    pub fn club_folder(&self) -> PathBuf {
        self.home_folder.path().join("club")
    }

    /// Lets the pipe's user write to the inbox, or not.
    pub fn set_inbox_writable(&self, open: bool) {
        let owner = if open { self.home_folder.path().join("mail") } else { self.club_folder() };
        let owner = std::fs::metadata(owner).expect("a folder").uid();
        for part in ["", "tmp", "new"] {
            chown(self.club_folder().join("inbox").join(part), Some(owner), None)
                .expect("permissions");
        }
    }

    fn run_script(&self, name: &str, words: &[&str]) -> String {
        let script = format!("{}/tests/servers/{name}", env!("CARGO_MANIFEST_DIR"));
        let home = self.home_folder.path().to_string_lossy().into_owned();
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
        self.run_script("dovecot", &["start", &ports[0], &ports[1], &ports[2], capabilities]);
    }

    /// What Dovecot's own program does to one of the club's letters.
    pub fn run_doveadm(&self, words: &[&str]) {
        self.run_script("dovecot", &[&["do"], words].concat());
    }

    /// Starts Postfix.
    pub fn start_postfix(&self) {
        let ports = [self.smtp, self.lmtp].map(|port| port.to_string());
        self.run_script("postfix", &["start", &ports[0], &ports[1]]);
    }

    /// Stops one of the servers.
    pub fn stop_server(&self, server: &str) {
        self.run_script(server, &["stop"]);
    }

    /// Lets Postfix try again what it could not deliver.
    pub fn flush_queue(&self) {
        self.run_script("postfix", &["flush"]);
    }

    /// The letters that Postfix has not delivered yet, each with the reason if it tried.
    pub fn undelivered_letters(&self) -> Vec<String> {
        self.run_script("postfix", &["waiting"]).lines().map(str::to_owned).collect()
    }

    /// Takes somebody's mailbox away for good.
    pub fn remove_mailbox(&self, name: &str) {
        self.run_script("dovecot", &["forget", name]);
        // Dovecot looks at its file once in each second of the clock.
        std::thread::sleep(std::time::Duration::from_millis(1_100));
    }

    fn run_postrider(&self, words: &[&str]) -> Output {
        Command::new(program_path())
            .arg("-C")
            .arg(self.club_folder())
            .args(words)
            .env("POST_PASSWORD", PASSWORD)
            .output()
            .expect("the program runs")
    }

    /// A command that ends with this code; what it says.
    pub fn expect_exit_code(&self, code: i32, words: &[&str]) -> String {
        let output = self.run_postrider(words);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{words:?}: {said}{text}");
        text
    }

    /// Founds a game for all.
    pub fn found_game(&self, kind: &str, seed: u64) {
        let seed = seed.to_string();
        let players = PLAYERS.map(|name| format!("{name} <{}>", address(name)));
        let mut words = vec!["new", kind, "--seed", &seed];
        words.extend(players.iter().flat_map(|player| ["--player", player]));
        self.expect_exit_code(0, &words);
    }

    /// A pass that ends with this code; its report.
    pub fn run_pass(&self, code: i32) -> serde_json::Value {
        serde_json::from_str(&self.expect_exit_code(code, &["tick", "--json"])).expect("JSON")
    }

    /// A pass that ends with this code; how many letters it posted.
    pub fn posted_by_pass(&self, code: i32) -> usize {
        self.run_pass(code)["posted"].as_u64().and_then(|n| n.try_into().ok()).expect("a number")
    }

    /// The doctor must find what is wrong in the settings, and nothing when all is well.
    pub fn check_doctor(&self) {
        let text = self.expect_exit_code(0, &["doctor"]);
        assert!(text.contains("inbound      games can sign in to localhost"), "{text}");
        let path = self.club_folder().join("club.yaml");
        let well = std::fs::read_to_string(&path).expect("settings");
        let ports = [&format!("port: {}", self.imaps), &format!("port: {}", self.smtp)];
        for (what, instead, advice) in [
            (", ca_file: ../authority.pem", "", "set ca_file"),
            ("user: games", "user: nobody", "correct user and the password"),
            (ports[0], "port: 1", "correct host and port"),
            (ports[1], "port: 1", "correct host and port"),
        ] {
            std::fs::write(&path, well.replace(what, instead)).expect("settings");
            let text = self.expect_exit_code(78, &["doctor"]);
            assert!(text.contains(advice), "{what}: {text}");
        }
        std::fs::write(&path, well).expect("settings");
    }

    /// The game's log must hold.
    pub fn verify_game(&self) {
        self.expect_exit_code(0, &["verify", "1"]);
    }

    /// Signs in and opens a folder.
    pub fn open_account(&self, user: &str, folder: &str) -> ImapServer {
        // The club comes in encrypted from the first byte; everybody else by STARTTLS.
        let settings = ImapSettings {
            host: "localhost".to_owned(),
            port: Some(self.imap),
            tls: TlsMode::Starttls,
            user: user.to_owned(),
            password_env: None,
            password_file: None,
            folder: folder.to_owned(),
            done: "Read".to_owned(),
            quarantine: "Other".to_owned(),
            ca_file: None,
        };
        let ca =
            std::fs::read(self.home_folder.path().join("authority.pem")).expect("a certificate");
        let opened = ImapServer::open(Timeouts::default(), &settings, PASSWORD, Some(&ca));
        opened.expect("the server answers")
    }

    /// The letters that have come to a player since the last time.
    pub fn take_letters(&self, name: &str) -> Vec<Vec<u8>> {
        let mut account = self.open_account(name, "INBOX");
        let letters = account.list_letters().expect("letters");
        let bytes = |letter| match account.fetch_letter(letter).expect("an answer") {
            FetchOutcome::Letter(fetched) => fetched.bytes,
            other => panic!("{other:?}"),
        };
        let fetched = letters.iter().map(bytes).collect();
        account.move_to_folder(&letters, MailFolder::Done).expect("moved");
        fetched
    }

    /// How many letters lie in a folder; none when there is no such folder.
    pub fn count_letters(&self, user: &str, folder: &str) -> usize {
        if !self.open_account(user, "INBOX").has_folder(folder).expect("an answer") {
            return 0;
        }
        self.open_account(user, folder).list_letters().expect("letters").len()
    }

    /// A player posts a letter.
    pub fn post_letter(&self, name: &str, to: &str, letter: &str) {
        let settings = SmtpSettings {
            host: "localhost".to_owned(),
            port: Some(self.smtp),
            tls: TlsMode::Starttls,
            user: None,
            password_env: None,
            password_file: None,
            ca_file: None,
        };
        let ca =
            std::fs::read(self.home_folder.path().join("authority.pem")).expect("a certificate");
        let mut transport =
            SmtpTransport::new(&settings, None, &address(name), Some(&ca)).expect("a courier");
        let outgoing = OutgoingMessage { message_id: "", recipient: to, bytes: letter.as_bytes() };
        transport.post(&outgoing).expect("posted");
    }
}

impl Drop for TestMachine {
    fn drop(&mut self) {
        for server in ["postfix", "dovecot"] {
            let script = format!("{}/tests/servers/{server}", env!("CARGO_MANIFEST_DIR"));
            let _ = Command::new(script).arg("stop").arg(self.home_folder.path()).output();
        }
        if std::thread::panicking() {
            for log in ["postfix.log", "dovecot.log"] {
                let text =
                    std::fs::read_to_string(self.home_folder.path().join(log)).unwrap_or_default();
                let lines: Vec<&str> = text.lines().collect();
                let last = lines.len().saturating_sub(15);
                let _ = writeln!(std::io::stderr(), "{log}:\n{}", lines[last..].join("\n"));
            }
        }
    }
}
