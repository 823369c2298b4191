//! A club that the build of November 2026 left behind is played on, as it is and from its journal.
//!
//! What lies in `tests/kept` stays as it is for ever: see the README there. Nothing here hangs on
//! how a later letter words things.

use crate::rig::command::run;
use crate::rig::{Club, Posted, address, without_outline};
use postrider::club::Intervention;
use postrider::club::campaign::Campaign;
use postrider::mail::Letter;
use postrider::process;
use postrider::rules::{Dice, Seat, Seed, Turn};
use std::fs;
use std::path::{Path, PathBuf};

/// The games that run in it.
const RUNNING: [u32; 4] = [1, 2, 3, 5];

fn kept(what: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kept").join(what)
}

/// A copy of the club, an hour after its last pass, and the letters that its people hold.
fn club() -> Club {
    let now = "2026-01-06T19:00:00Z".parse().expect("a time");
    let mut club = Club::copy_of(&kept("club"), now);
    // Nothing here looks at pictures, and drawing them would take nine tenths of the time.
    let settings = club.folder().join("club.yaml");
    let text = fs::read_to_string(&settings).expect("settings");
    fs::write(&settings, format!("{text}pictures: false\n")).expect("settings");
    for file in fs::read_dir(kept("held")).expect("a folder") {
        let bytes = fs::read(file.expect("a file").path()).expect("a letter");
        let letter = Letter::read(&bytes).expect("it was read before");
        let posted = Posted { to: String::new(), message_id: String::new(), bytes };
        let (to, message_id) = (letter.recipients[0].clone(), letter.message_id.expect("an id"));
        let message_id = message_id.trim_matches(['<', '>']).to_owned();
        club.pigeon.posted.push(Posted { to, message_id, ..posted });
    }
    club
}

/// The same, its store lost and made anew from its journal.
fn restored() -> Club {
    let club = club();
    fs::remove_dir_all(club.folder().join("store")).expect("lost");
    let context = club.context();
    let restored = process::restore(&context, &context.journal()).expect("it comes back");
    assert_eq!((restored.games, restored.members), (5, 6));
    drop(context);
    club
}

fn head(club: &Club, game: u32) -> u32 {
    process::open_game(&club.context(), game).expect("it opens").table.head()
}

fn notes(club: &Club) -> String {
    format!("{:?}", process::open_game(&club.context(), 1).expect("it opens").seats[0].0.notes)
}

/// What stands in a game's minutes.
fn minutes(club: &Club, game: u32) -> String {
    let minutes = club.context().store.minutes(game).expect("it reads");
    serde_json::to_string(&minutes).expect("it has a form")
}

/// The newest letter by which somebody can answer for this seat.
fn newest(club: &Club, game: u32, seat: Seat) -> Posted {
    let mark = format!("+{game}.{seat}.");
    let mut letters = club.pigeon.posted.iter().rev();
    let found =
        letters.find(|letter| letter.header("Reply-To").is_some_and(|to| to.contains(&mark)));
    found.unwrap_or_else(|| panic!("no letter of {mark}")).clone()
}

/// Who sits there answers that letter, from his own address.
fn answers(club: &mut Club, letter: &Posted, body: &str) {
    let reply = club.reply_to("Ann", letter, body);
    club.arrives(reply.replace(&format!("<{}>", address("Ann")), &format!("<{}>", letter.to)));
}

/// How many games of the campaign are over, and the points that they gave.
fn season(club: &Club) -> (usize, i64) {
    let text = fs::read_to_string(club.folder().join("winter.yaml")).expect("its file");
    let campaign = Campaign::read(&text).expect("it is read");
    let season = process::season(&club.context(), &campaign).expect("it is counted");
    let points = season.rows.iter().map(|row| row.points.to_string().parse::<f64>());
    let sum: f64 = points.map(|points| points.expect("a number")).sum();
    (season.over(), sum.round() as i64)
}

/// The answers in its inbox are carried out: their marks are as old as the club.
fn carries_out_what_was_answered(club: &mut Club) -> Vec<Posted> {
    let (report, letters) = club.pass();
    assert_eq!((report.read, report.quarantined, report.waiting), (12, 0, 0), "{report:?}");
    assert_eq!(report.troubles, Vec::<String>::new());
    // Plans fire: Cid's in game 1, Bob's and Cid's in game 2.
    assert_eq!(RUNNING.map(|game| head(club, game)), [7, 4, 5, 3]);
    assert!(
        club.context().store.room(2).expect("it reads").open_votes.is_empty(),
        "it was agreed to"
    );
    let once = |game, words| assert_eq!(minutes(club, game).matches(words).count(), 1, "{words}");
    once(1, "let us leave Cid behind");
    once(1, "he will never see it coming");
    once(1, "The club has moved house");
    once(2, "I have all the time in the world");
    assert!(notes(club).contains("Cid hoards blue"));
    let context = club.context();
    let grace = context.store.clock(5).expect("it reads").expect("a clock").rules.grace;
    assert_eq!(grace.expect("the moderator has set it").to_string(), "6 hours");
    let member =
        |address: &str| process::find_member(&context, address).expect("it reads").expect(address);
    assert_eq!(member("bob.new@example.net").addresses, ["bob.new@example.net", &address("Bob")]);
    assert_eq!(member(&address("Eve")).undeliverable(), None);
    assert_eq!(member(&address("Eve")).time.zone().name(), "Europe/Lisbon");
    for (game, at_table) in [(6, vec!["Dot", "Eve", "Fay"]), (7, vec!["Ann", "Gus"])] {
        let mut names = process::open_game(&context, game).expect("it has begun").names;
        names.sort();
        assert_eq!(names, at_table);
    }
    drop(context);
    assert_eq!(season(club), (1, 10));
    assert_eq!((club.mail_folder("new").len(), club.mail_folder(".quarantine/cur").len()), (0, 1));
    letters
}

/// Two more turns of each game, by the newest letters; then every log holds.
fn plays_on(club: &mut Club) {
    for _ in 0..2 {
        let before: u32 = (1..=7).map(|game| head(club, game)).sum();
        for game in RUNNING.into_iter().chain([6, 7]) {
            let session = process::open_game(&club.context(), game).expect("it opens");
            let Turn::Awaiting(seats) = session.table.turn() else { panic!("{game} is over") };
            let (mut chooser, mut dice) =
                (Dice::new(&Seed::rehearsal(3), 0), Dice::new(&Seed::rehearsal(9), 0));
            let mut copy = session.table.game().copy();
            let move_of = copy.play_at_random(seats[0], &mut chooser, &mut dice);
            let letter = newest(club, game, seats[0]);
            answers(club, &letter, &move_of.expect("something legal").0);
        }
        assert_eq!(club.pass().0.carried_out, 6);
        assert!((1..=7).map(|game| head(club, game)).sum::<u32>() >= before + 6);
    }
    let context = club.context();
    for game in 1..=7 {
        let found = process::open_game(&context, game).expect("it opens").table.verify().findings;
        assert!(found.is_empty(), "{game}");
    }
    let journal = postrider::store::journal::read(&context.journal()).expect("it reads");
    assert_eq!(journal.games.len(), 7);
    for (game, _) in journal.games {
        let lines = postrider::store::journal::log(&context.journal(), game).expect("it reads");
        assert_eq!(lines, context.store.log(game).expect("it reads"), "{game}");
    }
}

/// Who asks by an old letter is shown what was said, as far as he may know it.
fn shows_its_minutes(club: &mut Club) {
    for (seat, told) in [(1, true), (3, false)] {
        let letter = newest(club, 1, Seat::new(seat));
        answers(club, &letter, "history");
        let (_, letters) = club.pass();
        let [shown] = letters.as_slice() else { panic!("{letters:?}") };
        assert!(shown.says("good luck to you all"), "{}", shown.text());
        assert_eq!(shown.says("let us leave Cid behind"), told, "{}", shown.text());
    }
}

fn a_mark_is_good_until_it_is_rotated(club: &mut Club, old: &Posted) {
    answers(club, old, "note the old mark is good");
    club.pass();
    assert!(notes(club).contains("the old mark is good"));
    let rotate = Intervention::Rotate(Seat::new(1));
    process::moderate(&club.context(), 1, &rotate, "it was lost").expect("Ann");
    answers(club, old, "note the old mark is bad");
    club.pass();
    assert!(!notes(club).contains("the old mark is bad"));
    let fresh = newest(club, 1, Seat::new(1));
    answers(club, &fresh, "note the new mark is good");
    club.pass();
    assert!(notes(club).contains("the new mark is good"));
}

#[test]
fn a_club_of_november_is_played_on() {
    let mut club = club();
    let old = newest(&club, 1, Seat::new(1));
    let letters = carries_out_what_was_answered(&mut club);
    // What lay in the outbox is posted as it is: also what was to be among one letter to Cid.
    for id in [
        "g1.s1.r4@example.org",
        "g1.s2.r4@example.org",
        "g1.s3.r4@example.org",
        "g1.w.ae08f636c4436841eac7cbf2577460a8@example.org",
        "g3.s1.r4@example.org",
        "g3.s2.r4@example.org",
        "g1.s1.r4.n21cc2725e1620d78d15d8956faded053@example.org",
        "g1.s2.ae6b727d67a4e9f5087f868efbdec1361@example.org",
    ] {
        assert_eq!(letters.iter().filter(|letter| letter.message_id == id).count(), 1, "{id}");
    }
    for said in ["it is your turn, Ann?", "[Trick 2] Trick of the Rails"] {
        assert!(letters.iter().any(|letter| letter.to == address("Cid") && letter.says(said)));
    }
    shows_its_minutes(&mut club);
    plays_on(&mut club);
    a_mark_is_good_until_it_is_rotated(&mut club, &old);
}

/// Its store knows no outlines: who lists it folds its games, once.
#[test]
fn a_club_of_november_is_listed_as_its_logs_say() {
    let club = club();
    let list = || run(club.folder(), &club.now.to_rfc3339(), &["list", "--all", "--json"]).1;
    let unknown = || without_outline(&club.context());
    assert_eq!(unknown(), [1, 2, 3, 4, 5]);
    let folded = list();
    for game in 1..=5 {
        let session = process::open_game(&club.context(), game).expect("it opens");
        let line = folded.lines().nth(game as usize - 1).expect("a line each");
        let said: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let waits = match session.table.turn() {
            Turn::Awaiting(seats) => seats,
            Turn::Over => Vec::new(),
        };
        let names: Vec<_> = waits.iter().map(|seat| session.names[seat.index()].clone()).collect();
        assert_eq!((&said["game"], &said["records"]), (&game.into(), &session.table.head().into()));
        assert_eq!(
            (&said["waiting_for"], &said["over"]),
            (&names.into(), &waits.is_empty().into())
        );
    }
    assert_eq!((unknown(), list()), (vec![], folded), "now by what is noted");
}

/// Its journal does not say which letters were posted.
#[test]
fn from_a_journal_of_november_everyone_gets_his_newest_letter_once() {
    let mut club = restored();
    for letter in club.mail_folder("new") {
        fs::remove_file(letter).expect("nobody has answered");
    }
    let (_, letters) = club.pass();
    let (cids, others): (Vec<_>, Vec<_>) =
        letters.iter().partition(|letter| letter.to == address("Cid"));
    let mut seats: Vec<String> = others
        .iter()
        .map(|letter| letter.message_id.split('.').take(2).collect::<Vec<_>>().join("."))
        .collect();
    seats.sort();
    // What was noted of Eve's mailbox then says nothing any more; Cid reads his games in one.
    let all = ["g1.s1", "g1.s2", "g2.s1", "g2.s2", "g3.s1", "g3.s2", "g4.s1", "g4.s2", "g4.s3"];
    assert_eq!(seats, [all.as_slice(), &["g5.s1", "g5.s3"]].concat());
    assert_eq!(cids.len(), 1);
    for said in ["good luck to you all", "it is your turn, Ann?"] {
        assert!(
            letters.iter().all(|letter| !letter.message_id.starts_with("g1.") || letter.says(said))
        );
    }
    assert!(club.pass().1.is_empty());
}

#[test]
fn a_club_of_november_is_played_on_from_its_journal() {
    let mut club = restored();
    let old = newest(&club, 1, Seat::new(1));
    carries_out_what_was_answered(&mut club);
    shows_its_minutes(&mut club);
    plays_on(&mut club);
    a_mark_is_good_until_it_is_rotated(&mut club, &old);
}
