//! Faults that a person must fix: the program reports them at once, then daily, and again when they
//! change. Its exit code tells the kind of fault.

use crate::rig::imap::{FakeImapServer, PASSWORD, respond_with};
use crate::rig::postrider_program::{postrider_command, run_postrider};
use crate::rig::{self, Club};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

const PASS_TIMES: [&str; 3] =
    ["2026-01-05T18:00:00Z", "2026-01-05T18:05:00Z", "2026-01-06T18:00:00Z"];

/// Creates a club with unsent letters. `settings` are added to club.yaml.
fn start_club(settings: &str) -> Club {
    let mut club = Club::with_settings(settings);
    club.start_game(postrider::games::find_kind("paris-connection").expect("it ships"), 3, 7);
    club
}

fn write_settings(club: &Club, text: &str) {
    fs::write(club.folder().join("club.yaml"), text).expect("written");
}

fn set_file_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("permissions");
}

#[test]
fn fault_is_reported_once_then_daily_until_changed() {
    let club = start_club("");
    postrider::mail::Maildir::new(club.folder().join("outbox"))
        .create_folders()
        .expect("an outbox");
    let valid_settings = fs::read_to_string(club.folder().join("club.yaml")).expect("settings");
    write_settings(&club, &format!("{valid_settings}mail_in: inbox\n"));
    let tick = |now: &str| run_postrider(club.folder(), now, &["tick"]);
    for (now, is_reported) in PASS_TIMES.into_iter().zip([true, false, true]) {
        let (code, output) = tick(now);
        assert_eq!(
            (code, output.contains("line 6: mail_in: ")),
            (Some(78), is_reported),
            "{now}: {output}"
        );
        assert_eq!(output.is_empty(), !is_reported, "{now}: {output}");
    }
    // With `--verbose`, and in other commands, the fault is reported every time.
    let (code, output) = run_postrider(club.folder(), PASS_TIMES[2], &["tick", "--verbose"]);
    assert!(code == Some(78) && output.contains("line 6"), "{output}");
    assert!(run_postrider(club.folder(), PASS_TIMES[2], &["list"]).1.contains("line 6"));
    write_settings(&club, &format!("{valid_settings}mail_in: [inbox]\n"));
    assert!(tick(PASS_TIMES[2]).1.contains("found a list"), "it is another mistake");
    assert_eq!(tick(PASS_TIMES[2]), (Some(78), String::new()));
    write_settings(&club, &valid_settings);
    let (code, output) = tick(PASS_TIMES[2]);
    assert!(code == Some(0) && output.starts_with("fixed: "), "{code:?} {output}");
    assert!(output.contains("reported on 2026-01-06 18:00 UTC"), "{output}");
    assert_eq!(tick(PASS_TIMES[2]), (Some(0), String::new()), "once");
    assert_eq!(rig::postrider_program::outbox_letters(club.folder()).len(), 3);
    write_settings(&club, &format!("{valid_settings}mail_in: [inbox]\n"));
    assert!(tick(PASS_TIMES[2]).1.contains("found a list"), "it is a new one");
}

/// The lines of club.yaml, a change to the club, the exit code, and words of the report.
type Case<'a> = (&'a str, &'a dyn Fn(&Club), i32, &'a str);

#[test]
fn each_fault_has_exit_code_and_advice() {
    let smtp = "mail_out: {smtp: {host: localhost, port: 9, user: u, password_file: pw}}\n";
    let imap = "mail_in: {imap: {host: localhost, port: 9, user: u, password_file: pw}}\n";
    let write_readable_password = |club: &Club| {
        fs::write(club.folder().join("pw"), "x").expect("written");
        set_file_mode(&club.folder().join("pw"), 0o644);
    };
    let create_outbox = |club: &Club| {
        let outbox = postrider::mail::Maildir::new(club.folder().join("outbox"));
        outbox.create_folders().expect("an outbox");
    };
    let write_unexecutable_program =
        |club: &Club| fs::write(club.folder().join("mail"), "").expect("written");
    let cases: [Case<'_>; 8] = [
        (smtp, &|_| {}, 66, "pw does not exist"),
        (smtp, &write_readable_password, 77, "chmod 600"),
        (imap, &create_outbox, 66, "pw does not exist"),
        (
            imap,
            &|club| [create_outbox, write_readable_password].iter().for_each(|it| it(club)),
            77,
            "chmod 600",
        ),
        (&smtp.replace("password_file: pw", "password_env: NO_SUCH"), &|_| {}, 78, "NO_SUCH"),
        ("mail_out: {maildir: nowhere}\n", &|_| {}, 66, "nowhere is not there"),
        ("mail_out: {sendmail: {command: ./no-mail}}\n", &|_| {}, 66, "no-mail is not there"),
        (
            "mail_out: {sendmail: {command: ./mail}}\n",
            &write_unexecutable_program,
            77,
            "mail: Permission denied",
        ),
    ];
    for (lines, prepare, code, words) in cases {
        let club = start_club(lines);
        prepare(&club);
        let tick = |now| {
            let mut command = postrider_command(Path::new("."), now);
            let output = command.arg("tick").current_dir(club.folder()).output().expect("it runs");
            let said = [output.stdout, output.stderr].concat();
            (output.status.code(), String::from_utf8(said).expect("text"))
        };
        let (exit_code, said) = tick(PASS_TIMES[0]);
        assert_eq!((exit_code, said.contains(words)), (Some(code), true), "{lines}: {said}");
        assert_eq!(tick(PASS_TIMES[1]), (Some(code), String::new()), "{lines}");
        assert!(tick(PASS_TIMES[2]).1.contains(words), "{lines}: daily");
    }
}

#[test]
fn doctor_reports_own_moderator_address_and_readable_password() {
    let smtp = "mail_out: {smtp: {host: localhost, port: 9, user: u, password_file: pw}}\n";
    let club = start_club(smtp);
    fs::write(club.folder().join("pw"), "x").expect("written");
    set_file_mode(&club.folder().join("pw"), 0o644);
    let text = fs::read_to_string(club.folder().join("club.yaml")).expect("settings");
    write_settings(&club, &text.replace("mod@example.org", "Games+mod@example.org"));
    let (code, output) = run_postrider(club.folder(), PASS_TIMES[0], &["doctor"]);
    assert_eq!(code, Some(78));
    assert!(
        output.contains("FIX   moderator    Games+mod@example.org is the club's own"),
        "{output}"
    );
    let chmod = format!("chmod 600 {}", club.folder().join("pw").display());
    assert!(
        output.lines().any(|l| l.starts_with("FIX   outbound") && l.ends_with(&chmod)),
        "{output}"
    );
}

#[test]
fn wrong_password_is_permanent_and_busy_server_temporary() {
    let server = FakeImapServer::new("MOVE");
    let club = Club::with_paris_game(&server.to_yaml());
    postrider::mail::Maildir::new(club.folder().join("outbox"))
        .create_folders()
        .expect("an outbox");
    let password = club.folder().join("imap-password");
    fs::write(&password, PASSWORD).expect("written");
    set_file_mode(&password, 0o600);
    let tick = |now: &str| run_postrider(club.folder(), now, &["tick"]);
    let refuse_login = |said: &'static str| {
        server
            .set_script(move |command| command.starts_with("LOGIN").then(|| respond_with(said))?);
    };
    refuse_login("TAG NO [AUTHENTICATIONFAILED] wrong password\r\n");
    let (code, said) = tick(PASS_TIMES[0]);
    assert!(code == Some(77) && said.contains("until it is mended"), "{code:?} {said}");
    assert!(said.contains("correct user and the password"), "{said}");
    assert_eq!(tick(PASS_TIMES[1]), (Some(77), String::new()));
    assert!(tick(PASS_TIMES[2]).1.contains("wrong password"), "daily");
    // The password file has changed, so the fault is reported again at once.
    let file = fs::File::options().append(true).open(&password).expect("it is there");
    file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(9)).expect("set");
    assert!(tick(PASS_TIMES[2]).1.contains("wrong password"), "edited");
    server.clear_script();
    assert!(tick(PASS_TIMES[2]).1.starts_with("fixed: "));
    refuse_login("TAG NO [UNAVAILABLE] try again later\r\n");
    for now in PASS_TIMES {
        let (code, said) = tick(now);
        assert!(code == Some(75) && said.contains("try again later"), "{code:?} {said}");
    }
}
