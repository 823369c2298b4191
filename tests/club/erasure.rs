//! A member who leaves the club is in no file of it afterwards, whatever the process is killed
//! after.

use crate::crash::image;
use crate::rig::command::{program, run, sampled_steps, tick};
use crate::rig::{self, Club, address, copy};
use chrono::{DateTime, TimeDelta, Utc};
use data_encoding::BASE64;
use postrider::club::Intervention;
use postrider::disk::ABORT_AFTER;
use postrider::process;
use std::fs;
use std::path::{Path, PathBuf};

const NAME: &str = "Wilhelmina Gray";
const LOCAL: &str = "wilhelmina";
const WIL: &str = "wilhelmina@example.net";

/// A club in which others have written of Wilhelmina, and she of herself, wherever one can: in
/// messages, notes, reasons, votes, and letters that wait.
fn club() -> Club {
    let mut club = Club::in_its_folder(
        "strangers: join\nclock: {deadline: 20 days}\nmail_out: {maildir: sent}\n",
    );
    postrider::mail::Maildir::new(club.folder().join("sent")).create().expect("a folder");
    for seed in [7, 8, 9] {
        let people = [(NAME, WIL), ("Bob", "Bob"), ("Cid", "Cid")];
        club.found_for("paris-connection", &people, seed);
    }
    club.pass();
    club.wants("Bob", "letters turns");
    club.wants("Cid", "letters all");
    club.wants("Cid", "letters digest 12:00");
    let first = |club: &Club, who: &str, game: usize| {
        let all = club.pigeon.posted.iter().filter(|letter| letter.to == address(who));
        all.clone().nth(game - 1).expect("one for each game").clone()
    };
    let write = |club: &mut Club, who: &str, game: usize, body: &str| {
        let letter = first(club, who, game);
        let reply = club.reply_to(who, &letter, body);
        club.arrives(reply);
        club.pass();
    };
    write(&mut club, WIL, 1, "vote pause");
    write(&mut club, "Bob", 1, "vote pause\nnote Wilhelmina Gray goes south");
    write(&mut club, "Cid", 1, "vote pause\ntell Bob ask Wilhelmina Gray");
    write(&mut club, WIL, 2, "say So long, Wilhelmina Gray");
    write(&mut club, "Cid", 3, "new paris-connection seats 3 invite wilhelmina@example.net");
    write(&mut club, WIL, 2, "resign yes I am ill, Wilhelmina Gray");
    let now = now(&club);
    let note = format!("note 1 {NAME} wrote from {WIL}");
    assert_eq!(run(club.folder(), &now, &["moderate", &note]).0, Some(0));
    club
}

fn now(club: &Club) -> String {
    club.now.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// The files of a club that hold the name or the address in any form that we write, but for those
/// of the inbox and what a restore put aside.
fn holding(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    each_file(folder, &mut |path| {
        let own = path.strip_prefix(folder).expect("inside");
        let skipped = ["inbox", "store.damaged", "sent"];
        if !skipped.iter().any(|skipped| own.starts_with(skipped)) && holds(path) {
            files.push(own.to_owned());
        }
    });
    files
}

fn each_file(folder: &Path, show: &mut dyn FnMut(&Path)) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { each_file(&path, show) } else { show(&path) }
    }
}

fn holds(path: &Path) -> bool {
    let bytes = fs::read(path).expect("a file").to_ascii_lowercase();
    // All that is looked for is ASCII. A text is searched faster than bytes where nothing is
    // optimised, and a file of the store has half a megabyte.
    let text = String::from_utf8_lossy(&bytes);
    let unbroken = ['=', '\r', '\n']
        .iter()
        .fold(text.clone().into_owned(), |text, byte| text.replace(*byte, ""));
    // In base64 the name stands in three forms. The characters at the ends are left out.
    let encoded = (0..3).flat_map(|before| {
        let encode = |name: &str| BASE64.encode(&[&b"   "[..before], name.as_bytes()].concat());
        [encode(LOCAL), encode("Wilhelmina")].map(|text| text[4..12].to_ascii_lowercase())
    });
    let mut encoded = encoded.collect::<Vec<_>>().into_iter();
    text.contains(LOCAL) || unbroken.contains(LOCAL) || encoded.any(|form| unbroken.contains(&form))
}

#[test]
fn forgotten_member_is_in_no_file() {
    let club = club();
    let (folder, now) = (club.folder(), now(&club));
    let before = holding(folder);
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
    let (code, said) = run(folder, &now, &["member", "forget", WIL]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("letters hold the address") && said.contains("inbox/.done"), "{said}");
    assert_eq!(holding(folder), Vec::<PathBuf>::new());
    assert!(logs(folder).iter().zip(&played).all(|(now, before)| now.starts_with(before)));
    let verifies = || ["1", "2", "3"].map(|game| run(folder, &now, &["verify", game]).0);
    assert_eq!(verifies(), [Some(0); 3]);
    let log = run(folder, &now, &["log", "1"]).1;
    assert!(log.contains("former member 1 wrote from former member 1"), "{log}");
    // A restore from the journal does not bring them back.
    fs::rename(folder.join("store"), folder.join("store.damaged")).expect("it is moved");
    let (code, said) = run(folder, &now, &["restore"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(holding(folder), Vec::<PathBuf>::new());
    assert!(run(folder, &now, &["member", "list"]).1.contains("former member 1"));
    assert_eq!(verifies(), [Some(0); 3]);
}

#[test]
fn left_member_is_in_no_file_after_pass() {
    let mut club = club();
    let letter = club.pigeon.posted.iter().find(|letter| letter.to == WIL).expect("one").clone();
    let leave = club.reply_to(WIL, &letter, "leave club yes");
    club.arrives(leave);
    let (_, letters) = club.pass();
    assert!(rig::to(&letters, WIL).says("You have left the club"));
    let told = format!("{NAME} has left game");
    assert!(rig::all_to(&letters, "Bob").iter().all(|letter| letter.says(&told)), "{letters:?}");
    assert_eq!(holding(club.folder()), [PathBuf::from("store/db")], "it is not renewed yet");
    let ticks = |club: &Club| assert_eq!(tick(club.folder(), &now(club), 0), Some(0));
    ticks(&club);
    assert_eq!(holding(club.folder()), Vec::<PathBuf>::new());
    // The store is copied once a day at most.
    let cid = club.last_to("Cid").expect("one").clone();
    let leave = club.reply_to("Cid", &cid, "leave club yes");
    club.arrives(leave);
    club.pass();
    let renewed = |club: &Club| club.context().store.is_renewal_due(DateTime::<Utc>::MAX_UTC);
    ticks(&club);
    assert!(renewed(&club).expect("it reads"), "it is still to be copied");
    club.now += TimeDelta::hours(23);
    ticks(&club);
    assert!(!renewed(&club).expect("it reads"), "it was copied");
}

#[test]
fn erasure_killed_after_any_step_ends_the_same() {
    let club = club();
    let now = now(&club);
    let copied = || {
        let home = crate::common::folder();
        copy(club.folder(), home.path());
        home
    };
    let forget = |folder: &Path, abort_after: u64| {
        let mut command = program(folder, &now);
        command.env(ABORT_AFTER, abort_after.to_string());
        command.args(["member", "forget", WIL]).output().expect("it runs").status.code()
    };
    let whole = copied();
    assert_eq!(forget(whole.path(), 0), Some(0));
    assert_eq!(tick(whole.path(), &now, 0), Some(0));
    let expected = image(whole.path());
    let mut last = 0;
    for step in sampled_steps(13, 2_000) {
        let home = copied();
        if let Some(code) = forget(home.path(), step) {
            assert_eq!(code, 0, "step {step}");
            assert!(last >= 60, "the last kill point is {last}");
            return;
        }
        last = step;
        // It is not found any more once its traces are erased; the next pass renews the file then.
        let again = forget(home.path(), 0);
        assert!([Some(0), Some(66)].contains(&again), "after step {step}: {again:?}");
        assert_eq!(tick(home.path(), &now, 0), Some(0), "after step {step}");
        assert_eq!(holding(home.path()), Vec::<PathBuf>::new(), "after step {step}");
        let found = image(home.path());
        assert!(found == expected, "after step {step}: {found:?}");
    }
    panic!("it never ends");
}

#[test]
fn vote_is_logged_by_seats() {
    let club = club();
    let why = |game| {
        let context = club.context();
        context.store.minutes(game).expect("it reads").into_iter().find_map(|entry| {
            let text = serde_json::to_string(&entry).expect("it can be written");
            text.contains("pause").then_some(text)
        })
    };
    assert!(why(1).expect("a vote").contains(r#""reason":[1,2]"#), "{:?}", why(1));
    let said = run(club.folder(), &now(&club), &["log", "1"]).1;
    assert!(said.contains(&format!("({NAME}, Bob)")), "{said}");
    let pause = Intervention::Pause;
    assert!(process::moderate(&club.context(), 1, &pause, "x").is_err(), "it stands still");
}
