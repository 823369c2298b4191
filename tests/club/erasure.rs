//! Tests that an erased member's name is in no file of the club, even after a kill.

use crate::crash::capture_club_state;
use crate::rig::moderator_letters::{ask_as_mod, introduce_mod, start_paris_game};
use crate::rig::postrider_program::{postrider_command, run_postrider, run_tick, sampled_steps};
use crate::rig::{self, Club, address, copy_folder};
use chrono::{DateTime, TimeDelta, Utc};
use data_encoding::BASE64;
use postrider::club::Intervention;
use postrider::disk::ABORT_AFTER_VARIABLE;
use postrider::process;
use std::fs;
use std::path::{Path, PathBuf};

const NAME: &str = "Wilhelmina Gray";
const LOCAL_PART: &str = "wilhelmina";
const WIL: &str = "wilhelmina@example.net";

/// Creates a club whose talk, notes, reasons, votes and queued letters name Wilhelmina.
fn club_mentioning_wilhelmina() -> Club {
    let mut club = Club::with_local_store(
        "strangers: join\nclock: {deadline: 20 days}\nmail_out: {maildir: sent}\n",
    );
    postrider::mail::Maildir::new(club.folder().join("sent")).create_folders().expect("a folder");
    for seed in [7, 8, 9] {
        let people = [(NAME, WIL), ("Bob", "Bob"), ("Cid", "Cid")];
        club.start_game_for("paris-connection", &people, seed);
    }
    club.run_pass();
    club.set_preference("Bob", "letters turns");
    club.set_preference("Cid", "letters all");
    club.set_preference("Cid", "letters digest 12:00");
    let first_letter = |club: &Club, who: &str, game: usize| {
        let all = club.transport.posted.iter().filter(|letter| letter.to == address(who));
        all.clone().nth(game - 1).expect("one for each game").clone()
    };
    let write = |club: &mut Club, who: &str, game: usize, body: &str| {
        let letter = first_letter(club, who, game);
        let reply = club.compose_reply_to(who, &letter, body);
        club.deliver(reply);
        club.run_pass();
    };
    write(&mut club, WIL, 1, "vote pause");
    write(&mut club, "Bob", 1, "vote pause\nnote Wilhelmina Gray goes south");
    write(&mut club, "Cid", 1, "vote pause\ntell Bob ask Wilhelmina Gray");
    write(&mut club, WIL, 2, "say So long, Wilhelmina Gray");
    write(&mut club, "Cid", 3, "new paris-connection seats 3 invite wilhelmina@example.net");
    write(&mut club, WIL, 2, "resign yes I am ill, Wilhelmina Gray");
    let now = format_now(&club);
    let note = format!("note 1 {NAME} wrote from {WIL}");
    assert_eq!(run_postrider(club.folder(), &now, &["moderate", &note]).0, Some(0));
    club
}

fn format_now(club: &Club) -> String {
    club.now.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Returns the files that hold the name or the address in any encoding that the club writes. The
/// inbox, sent letters, and a store that a restore moved aside are left out.
fn files_naming_wilhelmina(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    visit_files(folder, &mut |path| {
        let own = path.strip_prefix(folder).expect("inside");
        let skipped = ["inbox", "store.damaged", "sent"];
        if !skipped.iter().any(|skipped| own.starts_with(skipped)) && names_wilhelmina(path) {
            files.push(own.to_owned());
        }
    });
    files
}

fn visit_files(folder: &Path, show: &mut dyn FnMut(&Path)) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { visit_files(&path, show) } else { show(&path) }
    }
}

fn names_wilhelmina(path: &Path) -> bool {
    let bytes = fs::read(path).expect("a file").to_ascii_lowercase();
    // The searched texts are ASCII. In builds without optimization, searching a string is faster
    // than searching bytes, and a file of the store has half a megabyte.
    let text = String::from_utf8_lossy(&bytes);
    let unbroken = ['=', '\r', '\n']
        .iter()
        .fold(text.clone().into_owned(), |text, byte| text.replace(*byte, ""));
    // In base64 the name has three forms, one for each offset. Its first and last characters depend
    // on the neighbouring bytes, so they are left out.
    let encoded = (0..3).flat_map(|before| {
        let encode = |name: &str| BASE64.encode(&[&b"   "[..before], name.as_bytes()].concat());
        [encode(LOCAL_PART), encode("Wilhelmina")].map(|text| text[4..12].to_ascii_lowercase())
    });
    let mut encoded = encoded.collect::<Vec<_>>().into_iter();
    text.contains(LOCAL_PART)
        || unbroken.contains(LOCAL_PART)
        || encoded.any(|form| unbroken.contains(&form))
}

#[test]
fn erased_member_is_in_no_file() {
    let club = club_mentioning_wilhelmina();
    let (folder, now) = (club.folder(), format_now(&club));
    let before = files_naming_wilhelmina(folder);
    for path in ["store/db", "journal/club.jsonl", "journal/present.jsonl"] {
        assert!(before.contains(&path.into()), "{path} is not in {before:?}");
    }
    let logs = before.iter().any(|path| path.starts_with("journal/games"));
    assert!(!logs, "no log ever holds a name: {before:?}");
    let logs = |folder: &Path| {
        let log = |game| fs::read(folder.join(format!("journal/games/00000{game}.jsonl")));
        [1, 2, 3].map(|game| log(game).expect("a log"))
    };
    let played = logs(folder);
    let (code, text) = run_postrider(folder, &now, &["member", "forget", WIL]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("letters hold the address") && text.contains("inbox/.done"), "{text}");
    assert_eq!(files_naming_wilhelmina(folder), Vec::<PathBuf>::new());
    assert!(logs(folder).iter().zip(&played).all(|(now, before)| now.starts_with(before)));
    let verify_codes =
        || ["1", "2", "3"].map(|game| run_postrider(folder, &now, &["verify", game]).0);
    assert_eq!(verify_codes(), [Some(0); 3]);
    let log = run_postrider(folder, &now, &["log", "1"]).1;
    assert!(log.contains("former member 1 wrote from former member 1"), "{log}");
    // A restore from the journal does not bring the name back.
    fs::rename(folder.join("store"), folder.join("store.damaged")).expect("it is moved");
    let (code, text) = run_postrider(folder, &now, &["restore"]);
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(files_naming_wilhelmina(folder), Vec::<PathBuf>::new());
    assert!(run_postrider(folder, &now, &["member", "list"]).1.contains("former member 1"));
    assert_eq!(verify_codes(), [Some(0); 3]);
}

#[test]
fn leaving_member_is_in_no_file_after_pass() {
    let mut club = club_mentioning_wilhelmina();
    let letter = club.transport.posted.iter().find(|letter| letter.to == WIL).expect("one").clone();
    let leave = club.compose_reply_to(WIL, &letter, "leave club yes");
    club.deliver(leave);
    let (_, letters) = club.run_pass();
    assert!(rig::first_letter_to(&letters, WIL).contains("You've left the club"));
    let news = format!("{NAME} has left game");
    assert!(
        rig::letters_to(&letters, "Bob").iter().all(|letter| letter.contains(&news)),
        "{letters:?}"
    );
    assert_eq!(
        files_naming_wilhelmina(club.folder()),
        [PathBuf::from("store/db")],
        "the store is not compacted yet"
    );
    let run_tick_command =
        |club: &Club| assert_eq!(run_tick(club.folder(), &format_now(club), 0), Some(0));
    run_tick_command(&club);
    assert_eq!(files_naming_wilhelmina(club.folder()), Vec::<PathBuf>::new());
    // The store is compacted at most once a day.
    let cid = club.last_letter_to("Cid").expect("one").clone();
    let leave = club.compose_reply_to("Cid", &cid, "leave club yes");
    club.deliver(leave);
    club.run_pass();
    let is_renewal_due =
        |club: &Club| club.open_context().store.is_compaction_due(DateTime::<Utc>::MAX_UTC);
    run_tick_command(&club);
    assert!(is_renewal_due(&club).expect("it reads"), "compaction is still due");
    club.now += TimeDelta::hours(23);
    run_tick_command(&club);
    assert!(!is_renewal_due(&club).expect("it reads"), "the store was compacted");
}

#[test]
fn killed_erasure_is_completed_by_rerun() {
    let club = club_mentioning_wilhelmina();
    let now = format_now(&club);
    let copy_club = || {
        let home = postrider::testing::create_folder();
        copy_folder(club.folder(), home.path());
        home
    };
    let forget = |folder: &Path, abort_after: u64| {
        let mut command = postrider_command(folder, &now);
        command.env(ABORT_AFTER_VARIABLE, abort_after.to_string());
        command.args(["member", "forget", WIL]).output().expect("it runs").status.code()
    };
    let whole = copy_club();
    assert_eq!(forget(whole.path(), 0), Some(0));
    assert_eq!(run_tick(whole.path(), &now, 0), Some(0));
    let expected = capture_club_state(whole.path());
    let mut last = 0;
    for step in sampled_steps(13, 2_000) {
        let home = copy_club();
        if let Some(code) = forget(home.path(), step) {
            assert_eq!(code, 0, "step {step}");
            assert!(last >= 60, "the last kill point is {last}");
            return;
        }
        last = step;
        // Once the traces are erased, the member is not found (code 66), and the next pass
        // compacts.
        let again = forget(home.path(), 0);
        assert!([Some(0), Some(66)].contains(&again), "after step {step}: {again:?}");
        assert_eq!(run_tick(home.path(), &now, 0), Some(0), "after step {step}");
        assert_eq!(
            files_naming_wilhelmina(home.path()),
            Vec::<PathBuf>::new(),
            "after step {step}"
        );
        let found = capture_club_state(home.path());
        assert!(found == expected, "after step {step}: {found:?}");
    }
    panic!("it never ends");
}

#[test]
fn vote_log_names_seats_instead_of_members() {
    let club = club_mentioning_wilhelmina();
    let logged_pause = |game| {
        let context = club.open_context();
        context.store.activity_log(game).expect("it reads").into_iter().find_map(|entry| {
            let text = serde_json::to_string(&entry).expect("it can be written");
            text.contains("pause").then_some(text)
        })
    };
    assert!(
        logged_pause(1).expect("a vote").contains(r#""reason":[1,2]"#),
        "{:?}",
        logged_pause(1)
    );
    let text = run_postrider(club.folder(), &format_now(&club), &["log", "1"]).1;
    assert!(text.contains(&format!("({NAME}, Bob)")), "{text}");
    let pause = Intervention::Pause;
    assert!(
        process::moderate_game(&club.open_context(), 1, &pause, "x").is_err(),
        "the game is paused already"
    );
}

/// A moderator's invitation names a person who is no member.
#[test]
fn refusal_or_command_erases_invitee() {
    for is_refused in [true, false] {
        let mut club = Club::with_local_store("mail_out: {maildir: sent}\n");
        let sent = postrider::mail::Maildir::new(club.folder().join("sent"));
        sent.create_folders().expect("a folder");
        start_paris_game(&mut club, 7);
        club.run_pass();
        introduce_mod(&mut club);
        ask_as_mod(&mut club, &format!("invite {NAME} <{WIL}>"));
        let asked = club.last_letter_to(WIL).expect("asked").clone();
        let before = files_naming_wilhelmina(club.folder());
        assert!(before.contains(&"journal/club.jsonl".into()), "{before:?}");
        if is_refused {
            let stop = club.compose_reply_to(WIL, &asked, "stop");
            club.deliver(stop);
            club.run_pass();
            assert_eq!(run_tick(club.folder(), &format_now(&club), 0), Some(0));
        } else {
            club.send_reply("Ann", &format!("new paris-connection seats 3 invite {WIL}"));
            club.run_pass();
            let forget = ["member", "forget", WIL];
            let (code, text) = run_postrider(club.folder(), &format_now(&club), &forget);
            assert!(code == Some(0) && text.contains("invitations to that address"), "{text}");
            let (code, text) = run_postrider(club.folder(), &format_now(&club), &forget);
            assert_eq!(code, Some(66), "nobody is invited any more: {text}");
        }
        let after = files_naming_wilhelmina(club.folder());
        assert_eq!(after, Vec::<PathBuf>::new(), "{is_refused}");
    }
}
