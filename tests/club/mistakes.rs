//! What goes wrong and does not pass by itself: told at once, then daily, and again when it has
//! changed, with the code that says of which kind it is.

use crate::rig::command::{program, run};
use crate::rig::imap::{FakeImap, PASSWORD, say};
use crate::rig::{self, Club};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

const TICKS: [&str; 3] = ["2026-01-05T18:00:00Z", "2026-01-05T18:05:00Z", "2026-01-06T18:00:00Z"];

/// A club with letters to post, whose club.yaml has these lines besides the least ones.
fn club(settings: &str) -> Club {
    let mut club = Club::with(settings);
    club.found(postrider::games::kind("paris-connection").expect("it ships"), 3, 7);
    club
}

fn settings(club: &Club, text: &str) {
    fs::write(club.folder().join("club.yaml"), text).expect("written");
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("permissions");
}

#[test]
fn a_mistake_is_told_once_then_daily_and_at_once_when_it_has_changed() {
    let club = club("");
    postrider::mail::Maildir::new(club.folder().join("outbox")).create().expect("an outbox");
    let right = fs::read_to_string(club.folder().join("club.yaml")).expect("settings");
    settings(&club, &format!("{right}mail_in: inbox\n"));
    let tick = |now: &str| run(club.folder(), now, &["tick"]);
    for (now, is_told) in TICKS.into_iter().zip([true, false, true]) {
        let (code, said) = tick(now);
        assert_eq!(
            (code, said.contains("line 6: mail_in: ")),
            (Some(78), is_told),
            "{now}: {said}"
        );
        assert_eq!(said.is_empty(), !is_told, "{now}: {said}");
    }
    // Whoever looks by himself is always told.
    let (code, said) = run(club.folder(), TICKS[2], &["tick", "--verbose"]);
    assert!(code == Some(78) && said.contains("line 6"), "{said}");
    assert!(run(club.folder(), TICKS[2], &["list"]).1.contains("line 6"));
    settings(&club, &format!("{right}mail_in: [inbox]\n"));
    assert!(tick(TICKS[2]).1.contains("a list stands here"), "it is another mistake");
    assert_eq!(tick(TICKS[2]), (Some(78), String::new()));
    settings(&club, &right);
    let (code, said) = tick(TICKS[2]);
    assert!(code == Some(0) && said.starts_with("mended: "), "{code:?} {said}");
    assert!(said.contains("told on 2026-01-06 18:00 UTC"), "{said}");
    assert_eq!(tick(TICKS[2]), (Some(0), String::new()), "once");
    assert_eq!(rig::command::posted(club.folder()).len(), 3);
    settings(&club, &format!("{right}mail_in: [inbox]\n"));
    assert!(tick(TICKS[2]).1.contains("a list stands here"), "it is a new one");
}

/// The lines of club.yaml, what is done to the club, the code, and words that are told.
type Case<'a> = (&'a str, &'a dyn Fn(&Club), i32, &'a str);

#[test]
fn each_kind_of_mistake_has_its_code_and_what_to_do() {
    let smtp = "mail_out: {smtp: {host: localhost, port: 9, user: u, password_file: pw}}\n";
    let imap = "mail_in: {imap: {host: localhost, port: 9, user: u, password_file: pw}}\n";
    let open = |club: &Club| {
        fs::write(club.folder().join("pw"), "x").expect("written");
        mode(&club.folder().join("pw"), 0o644);
    };
    let outbox = |club: &Club| {
        let outbox = postrider::mail::Maildir::new(club.folder().join("outbox"));
        outbox.create().expect("an outbox");
    };
    let no_program = |club: &Club| fs::write(club.folder().join("mail"), "").expect("written");
    let cases: [Case<'_>; 8] = [
        (smtp, &|_| {}, 66, "pw is not there"),
        (smtp, &open, 77, "chmod 600"),
        (imap, &outbox, 66, "pw is not there"),
        (imap, &|club| [outbox, open].iter().for_each(|it| it(club)), 77, "chmod 600"),
        (&smtp.replace("password_file: pw", "password_env: NO_SUCH"), &|_| {}, 78, "NO_SUCH"),
        ("mail_out: {maildir: nowhere}\n", &|_| {}, 66, "nowhere is not there"),
        ("mail_out: {sendmail: {command: ./no-mail}}\n", &|_| {}, 66, "no-mail is not there"),
        ("mail_out: {sendmail: {command: ./mail}}\n", &no_program, 77, "mail: Permission denied"),
    ];
    for (lines, prepare, code, words) in cases {
        let club = club(lines);
        prepare(&club);
        let tick = |now| {
            let mut command = program(Path::new("."), now);
            let output = command.arg("tick").current_dir(club.folder()).output().expect("it runs");
            let said = [output.stdout, output.stderr].concat();
            (output.status.code(), String::from_utf8(said).expect("text"))
        };
        let (ended, said) = tick(TICKS[0]);
        assert_eq!((ended, said.contains(words)), (Some(code), true), "{lines}: {said}");
        assert_eq!(tick(TICKS[1]), (Some(code), String::new()), "{lines}");
        assert!(tick(TICKS[2]).1.contains(words), "{lines}: daily");
    }
}

#[test]
fn doctor_finds_a_moderator_who_would_write_to_himself_and_a_password_that_others_read() {
    let smtp = "mail_out: {smtp: {host: localhost, port: 9, user: u, password_file: pw}}\n";
    let club = club(smtp);
    fs::write(club.folder().join("pw"), "x").expect("written");
    mode(&club.folder().join("pw"), 0o644);
    let text = fs::read_to_string(club.folder().join("club.yaml")).expect("settings");
    settings(&club, &text.replace("mod@example.org", "Games+mod@example.org"));
    let (code, said) = run(club.folder(), TICKS[0], &["doctor"]);
    assert_eq!(code, Some(78));
    assert!(said.contains("MEND  moderator    Games+mod@example.org is the club's own"), "{said}");
    let chmod = format!("chmod 600 {}", club.folder().join("pw").display());
    assert!(said.lines().any(|l| l.starts_with("MEND  way out") && l.ends_with(&chmod)), "{said}");
}

#[test]
fn a_wrong_password_is_no_trouble_that_passes_and_a_server_that_is_busy_is_one() {
    let server = FakeImap::new("MOVE");
    let club = Club::paris(&server.yaml());
    postrider::mail::Maildir::new(club.folder().join("outbox")).create().expect("an outbox");
    let password = club.folder().join("imap-password");
    fs::write(&password, PASSWORD).expect("written");
    mode(&password, 0o600);
    let tick = |now: &str| run(club.folder(), now, &["tick"]);
    let refuses = |said: &'static str| {
        server.script(move |command| command.starts_with("LOGIN").then(|| say(said))?);
    };
    refuses("TAG NO [AUTHENTICATIONFAILED] wrong password\r\n");
    let (code, said) = tick(TICKS[0]);
    assert!(code == Some(77) && said.contains("until it is mended"), "{code:?} {said}");
    assert!(said.contains("mend user and the password"), "{said}");
    assert_eq!(tick(TICKS[1]), (Some(77), String::new()));
    assert!(tick(TICKS[2]).1.contains("wrong password"), "daily");
    // Somebody has tried to mend it: he is told at once that he has not.
    let file = fs::File::options().append(true).open(&password).expect("it is there");
    file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(9)).expect("set");
    assert!(tick(TICKS[2]).1.contains("wrong password"), "edited");
    server.is_well();
    assert!(tick(TICKS[2]).1.starts_with("mended: "));
    refuses("TAG NO [UNAVAILABLE] try again later\r\n");
    for now in TICKS {
        let (code, said) = tick(now);
        assert!(code == Some(75) && said.contains("try again later"), "{code:?} {said}");
    }
}
