//! Tests that a password that a mail server echoes in its answers is masked in all output.

use crate::rig::Club;
use crate::rig::imap::{CA_FILE, FakeImapServer, PASSWORD, respond_with, tls_config};
use assert_cmd::Command;
use postrider::mail::settings::SmtpSettings;
use postrider::mail::transport::{OutgoingMessage, SmtpTransport, Transport};
use postrider::testing::sample_or_all;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;

#[test]
fn password_echoed_by_imap_server_is_masked() {
    let club = Club::with_paris_game("");
    let server = FakeImapServer::new("MOVE");
    fs::write(club.folder().join("imap-password"), PASSWORD).expect("written");
    fs::set_permissions(club.folder().join("imap-password"), fs::Permissions::from_mode(0o600))
        .expect("a mode");
    let settings = fs::read_to_string(club.folder().join("club.yaml")).expect("read");
    fs::write(club.folder().join("club.yaml"), settings + &server.to_yaml()).expect("written");
    let in_base64 = data_encoding::BASE64.encode(format!("\0gm\0{PASSWORD}").as_bytes());
    let upper = PASSWORD.to_uppercase();
    for echo in [PASSWORD, &upper, &in_base64, &in_base64[..16]] {
        for step in ["LOGIN", "CAPABILITY", "SELECT", "UID SEARCH", "LIST"] {
            // A sample repeats each form of the password at LOGIN, and one form at each other step.
            if !sample_or_all(step == "LOGIN" || echo == PASSWORD, true) {
                continue;
            }
            for word in ["NO", "BAD", "BYE"].iter().take(if step == "LOGIN" { 3 } else { 1 }) {
                let said = format!("TAG {word} what is LOGIN gm {echo}?\r\n");
                server.set_script(move |command| {
                    command.starts_with(step).then(|| respond_with(said.clone()))?
                });
                for command in [&["tick", "--verbose"][..], &["doctor"]] {
                    let mut program = Command::new(env!("CARGO_BIN_EXE_postrider"));
                    program.arg("-C").arg(club.folder()).args(command);
                    let output = program.output().expect("it runs");
                    let said = [output.stdout, output.stderr].concat();
                    let said = String::from_utf8(said).expect("text");
                    let small = said.to_lowercase();
                    assert!(!small.contains(&echo.to_lowercase()), "{step} {command:?}: {said}");
                    assert!(!small.contains(&PASSWORD[3..]), "{step} {command:?}: {said}");
                    if step == "LOGIN" {
                        assert!(small.contains("signing in as gm"), "{said}");
                    }
                }
            }
        }
    }
}

#[test]
fn password_echoed_by_smtp_server_is_masked() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for socket in listener.incoming().flatten() {
            let session = rustls::ServerConnection::new(tls_config()).expect("a session");
            let mut line = BufReader::new(rustls::StreamOwned::new(session, socket));
            let mut said = "220 x\r\n".to_owned();
            while line.get_mut().write_all(said.as_bytes()).is_ok() {
                let mut heard = String::new();
                if line.read_line(&mut heard).unwrap_or(0) == 0 {
                    break;
                }
                said = match heard.split_whitespace().next().unwrap_or_default() {
                    "EHLO" => "250-x\r\n250 AUTH PLAIN LOGIN\r\n".to_owned(),
                    _ => format!("535 5.7.8 what is {}?\r\n", heard.trim_end()),
                };
            }
        }
    });
    let settings: SmtpSettings = serde_json::from_value(serde_json::json!({
        "host": "localhost", "port": port, "tls": "tls", "user": "gm", "password_env": "P"
    }))
    .expect("settings");
    let ca = fs::read(CA_FILE).expect("a certificate");
    let password = Some(PASSWORD.to_owned());
    let transport = SmtpTransport::new(&settings, password, "games@example.org", Some(&ca));
    let mut transport = transport.expect("a transport");
    let outgoing = OutgoingMessage { message_id: "x", recipient: "ann@example.org", bytes: b"x" };
    let in_base64 = data_encoding::BASE64.encode(format!("\0gm\0{PASSWORD}").as_bytes());
    for said in [transport.check_login(), transport.post(&outgoing)] {
        let said = said.expect_err("it is refused").to_string();
        assert!(said.contains("AUTH PLAIN AGdtAG***"), "{said}");
        assert!(!said.contains(&in_base64) && !said.contains(PASSWORD), "{said}");
    }
}
