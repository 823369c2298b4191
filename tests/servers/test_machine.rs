//! A test machine: both servers, the club's program, and the players' mail programs.

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

/// The names of the players, by seat.
pub const PLAYERS: [&str; 3] = ["ann", "bob", "cid"];

/// The seat whose player changes their address, and the name of their new mailbox.
pub const MOVING_SEAT_AND_MAILBOX: (usize, &str) = (1, "robert");

/// The seat whose letters arrive through the pipe.
pub const PIPE_SEAT: usize = 2;

const PASSWORD: &str = "secret";

pub fn address(name: &str) -> String {
    format!("{name}@club.test")
}

/// Both servers and a club, in a temporary folder.
pub struct TestMachine {
    home_folder: TempDir,
    imaps: u16,
    imap: u16,
    lmtp: u16,
    smtp: u16,
}

/// Returns the program under test. The environment variable `POSTRIDER` can name another one than
/// this build.
fn program_path() -> PathBuf {
    std::env::var_os("POSTRIDER")
        .map_or_else(|| env!("CARGO_BIN_EXE_postrider").into(), PathBuf::from)
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

impl TestMachine {
    /// Starts both servers, and creates a club that uses them.
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
        // Postfix runs the program as a user who cannot read this folder, so the program is copied.
        std::fs::copy(program_path(), machine.home_folder.path().join("postrider"))
            .expect("the program");
        machine.set_inbox_writable(true);
        machine
    }

    pub fn club_folder(&self) -> PathBuf {
        self.home_folder.path().join("club")
    }

    /// Allows or forbids the pipe's user to write to the inbox.
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
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name} {words:?}: {errors}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Starts Dovecot with all its capabilities.
    pub fn start_dovecot(&self) {
        self.start_dovecot_with("");
    }

    /// Starts Dovecot so that it announces only these capabilities. Empty means all.
    pub fn start_dovecot_with(&self, capabilities: &str) {
        let ports = [self.imaps, self.imap, self.lmtp].map(|port| port.to_string());
        self.run_script("dovecot", &["start", &ports[0], &ports[1], &ports[2], capabilities]);
    }

    /// Runs Dovecot's `doveadm` with these arguments.
    pub fn run_doveadm(&self, words: &[&str]) {
        self.run_script("dovecot", &[&["do"], words].concat());
    }

    pub fn start_postfix(&self) {
        let ports = [self.smtp, self.lmtp].map(|port| port.to_string());
        self.run_script("postfix", &["start", &ports[0], &ports[1]]);
    }

    pub fn stop_server(&self, server: &str) {
        self.run_script(server, &["stop"]);
    }

    /// Makes Postfix retry the letters that it could not deliver.
    pub fn flush_queue(&self) {
        self.run_script("postfix", &["flush"]);
    }

    /// Returns the letters that Postfix has not delivered yet, with the reason if it has tried.
    pub fn undelivered_letters(&self) -> Vec<String> {
        self.run_script("postfix", &["waiting"]).lines().map(str::to_owned).collect()
    }

    /// Removes a player's mailbox for good.
    pub fn remove_mailbox(&self, name: &str) {
        self.run_script("dovecot", &["forget", name]);
        // Dovecot reads its password file at most once per second.
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

    /// Runs a command that must end with this code, and returns its output.
    pub fn expect_exit_code(&self, code: i32, words: &[&str]) -> String {
        let output = self.run_postrider(words);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{words:?}: {errors}{text}");
        text
    }

    /// Creates a game with all players.
    pub fn found_game(&self, kind: &str, seed: u64) {
        let seed = seed.to_string();
        let players = PLAYERS.map(|name| format!("{name} <{}>", address(name)));
        let mut words = vec!["new", kind, "--seed", &seed];
        words.extend(players.iter().flat_map(|player| ["--player", player]));
        self.expect_exit_code(0, &words);
    }

    /// Runs a pass that must end with this code, and returns its report.
    pub fn run_pass(&self, code: i32) -> serde_json::Value {
        serde_json::from_str(&self.expect_exit_code(code, &["tick", "--json"])).expect("JSON")
    }

    /// Runs a pass that must end with this code, and returns how many letters it posted.
    pub fn posted_by_pass(&self, code: i32) -> usize {
        self.run_pass(code)["posted"].as_u64().and_then(|n| n.try_into().ok()).expect("a number")
    }

    /// Asserts that `doctor` finds each mistake in the settings, and none if they are right.
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

    /// Asserts that the game's log is valid.
    pub fn verify_game(&self) {
        self.expect_exit_code(0, &["verify", "1"]);
    }

    /// Signs in, and opens a folder.
    pub fn open_account(&self, user: &str, folder: &str) -> ImapServer {
        // The club connects with TLS from the first byte. The players use STARTTLS.
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

    /// Returns the letters that have arrived for a player since the last call.
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

    /// Counts the letters in a folder. Returns 0 if the folder does not exist.
    pub fn count_letters(&self, user: &str, folder: &str) -> usize {
        if !self.open_account(user, "INBOX").has_folder(folder).expect("an answer") {
            return 0;
        }
        self.open_account(user, folder).list_letters().expect("letters").len()
    }

    /// Posts a letter of a player.
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
