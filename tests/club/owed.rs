//! What is owed is data until it leaves: what became of it meanwhile, and what cannot be worded.

use crate::rig::command::{killed_after_each_step, posted, undisturbed};
use crate::rig::{self, Club, Posted, address, all_to};
use chrono::TimeDelta;
use postrider::games::kind;
use postrider::mail::Maildir;
use postrider::mail::transport::PostError;
use postrider::process;
use postrider::store::Batch;

/// A club with games of Ann, Bob and Cid, whose first letters are out.
fn club(settings: &str, games: usize) -> Club {
    let mut club = Club::with(settings);
    for _ in 0..games {
        club.found(kind("paris-connection").expect("it ships"), 3, 7);
    }
    club.pass();
    club
}

/// An answer to the first letter of game 1 that went to this player.
fn writes(club: &mut Club, name: &str, body: &str) {
    let mut letters = club.pigeon.posted.iter();
    let first = letters.find(|letter| letter.to == address(name)).expect("a letter").clone();
    let letter = club.reply_to(name, &first, body);
    club.arrives(letter);
}

fn of_game<'a>(letters: &[&'a Posted], game: u32) -> Vec<&'a Posted> {
    let id = format!("<g{game}.");
    let is_of = |letter: &&&Posted| letter.header("List-Id").is_some_and(|list| list.contains(&id));
    letters.iter().filter(is_of).copied().collect()
}

#[test]
fn after_days_without_a_way_out_each_reader_gets_one_letter_about_each_game() {
    let mut club = club("", 2);
    club.pigeon.fails = Some(PostError::Down("no line".to_owned()));
    let week = [
        ("Ann", "build red G23, Troyes"),
        ("Bob", "build black F24\nsay good luck to all"),
        ("Cid", "note Ann goes south"),
        ("Cid", "build blue H18\ntell ann: shall we?"),
        ("Bob", "vote abandon"),
        ("Ann", "build purple F16\nsay here I come"),
        ("Cid", "status"),
    ];
    for (name, body) in week {
        writes(&mut club, name, body);
        assert_eq!(club.pass().1.len(), 0);
        for _ in 0..5 {
            club.now += TimeDelta::hours(1);
            assert_eq!(club.pass().1.len(), 0);
        }
    }
    assert_eq!(process::open_game(&club.context(), 1).expect("it folds").table.head(), 5);
    club.pigeon.fails = None;
    let (report, letters) = club.pass();
    assert_eq!(report.waiting, 0);
    for (name, orders) in [("Ann", 2), ("Bob", 2), ("Cid", 1)] {
        let all = of_game(&all_to(&letters, name), 1);
        // What is asked is answered by itself.
        assert_eq!(all.len(), if name == "Cid" { 3 } else { 1 }, "{name}: {letters:?}");
        let told = *all.iter().find(|letter| letter.says("have been carried out")).expect("one");
        for what in ["builds red", "builds black", "good luck to all", "end the game"] {
            let own = what.replace("builds", "build");
            assert!(told.says(what) || told.says(&own), "{name} {what}: {}", told.text());
        }
        assert!(told.says("here I come"), "{}", told.text());
        assert_eq!(told.says("shall we?"), name != "Bob", "{name}: {}", told.text());
        let answered = told.header("References").expect("it answers letters");
        assert_eq!(answered.matches(&name.to_lowercase()).count(), orders, "{answered}");
        assert!(of_game(&all_to(&letters, name), 2).is_empty(), "nothing happened there");
        assert!(told.says("Game 1, record 5, chain"), "{}", told.text());
    }
    assert!(club.pass().1.is_empty());
}

#[test]
fn a_letter_that_cannot_be_worded_is_told_of_and_stops_nothing() {
    let mut club = club("", 2);
    club.pigeon.fails = Some(PostError::Down("no line".to_owned()));
    writes(&mut club, "Ann", "build red G23");
    assert_eq!(club.pass().0.carried_out, 1);
    {
        let context = club.context();
        let mut batch = Batch::default();
        for mut queued in context.store.outbox(club.now, 99).expect("it can be read") {
            let owed = &mut queued.letter.owed;
            match queued.letter.recipient.as_str() {
                // A record that is not there, and what a later version may keep.
                "bob@example.org" => owed["seat"]["head"] = 77.into(),
                "cid@example.org" => *owed = serde_json::json!({"sung": "a song"}),
                _ => continue,
            }
            batch.settled.push((queued.key, queued.letter));
        }
        assert_eq!(batch.settled.len(), 2);
        context.store.write(&batch).expect("it can be written");
    }
    club.pigeon.fails = None;
    let (report, letters) = club.pass();
    assert_eq!((report.posted, report.waiting, report.quarantined), (2, 0, 0), "{letters:?}");
    assert!(all_to(&letters, "Ann")[0].says("Your orders have been carried out."));
    let note = all_to(&letters, "mod@example.org")[0];
    for (to, why) in [("bob", "record 77 is missing"), ("cid", "sung")] {
        assert!(note.says(&format!("A letter to {to}@example.org could not be written")));
        assert!(note.says(why), "{}", note.text());
    }
    assert!(club.pass().1.is_empty(), "it is told once");
    // The game goes on, and the next letter tells what is new.
    writes(&mut club, "Bob", "build black F24");
    let (report, letters) = club.pass();
    assert_eq!((report.carried_out, letters.len()), (1, 3));
}

#[test]
fn of_a_letter_that_told_much_and_came_back_all_is_told_again() {
    let mut club = club("", 1);
    club.pigeon.fails = Some(PostError::Down("no line".to_owned()));
    for (name, body) in [("Ann", "build red G23"), ("Bob", "build black F24")] {
        writes(&mut club, name, body);
        assert_eq!(club.pass().0.carried_out, 1);
    }
    club.pigeon.fails = None;
    let letters = club.pass().1;
    let lost = all_to(&letters, "Cid")[0].clone();
    rig::loses(&mut club, "Cid");
    let letter = club.reply_to("Cid", &lost, "status");
    club.arrives(letter);
    let letters = club.pass().1;
    let told = all_to(&letters, "Cid").into_iter().find(|letter| letter.says("builds black"));
    let told = told.expect("what he missed");
    assert!(told.says("Ann builds red"), "{}", told.text());
}

#[test]
fn a_pass_killed_after_any_step_posts_what_became_one_letter_as_it_is() {
    let mut club = club("letters_per_commit: 1\n", 1);
    writes(&mut club, "Ann", "build red G23, Troyes");
    writes(&mut club, "Bob", "build black F24");
    Maildir::new(club.folder().join("outbox")).create().expect("an outbox");
    let expected = undisturbed(club.folder(), posted);
    let names: Vec<&str> = expected.keys().map(|file| &file[.."g1.s1.r3".len()]).collect();
    assert_eq!(names, ["g1.s1.r3", "g1.s2.r3", "g1.s3.r3"]);
    killed_after_each_step(club.folder(), 20..1_000, 13, |folder, step| {
        assert_eq!(posted(folder), expected, "killed after step {step}");
    });
}
