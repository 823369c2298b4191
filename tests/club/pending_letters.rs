//! Queued letters, which are stored as data: how they are merged, and what happens if one cannot be
//! worded.

use crate::rig::postrider_program::{kill_after_each_step, outbox_letters, outcome_without_kill};
use crate::rig::{self, Club, PostedLetter, address, letters_to};
use chrono::TimeDelta;
use postrider::games::find_kind;
use postrider::mail::Maildir;
use postrider::mail::transport::PostError;
use postrider::process;
use postrider::store::Batch;

/// Creates a club with games for Ann, Bob and Cid. Their first letters are posted.
fn club_with_games(settings: &str, games: usize) -> Club {
    let mut club = Club::with_settings(settings);
    for _ in 0..games {
        club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    }
    club.run_pass();
    club
}

/// Delivers a player's reply to their first letter about game 1.
fn reply_to_first_letter(club: &mut Club, name: &str, body: &str) {
    let mut letters = club.transport.posted.iter();
    let first = letters.find(|letter| letter.to == address(name)).expect("a letter").clone();
    let letter = club.compose_reply_to(name, &first, body);
    club.deliver(letter);
}

fn letters_about_game<'a>(letters: &[&'a PostedLetter], game: u32) -> Vec<&'a PostedLetter> {
    let id = format!("<g{game}.");
    let is_of =
        |letter: &&&PostedLetter| letter.header("List-Id").is_some_and(|list| list.contains(&id));
    letters.iter().filter(is_of).copied().collect()
}

#[test]
fn letters_queued_for_days_merge_per_game() {
    let mut club = club_with_games("", 2);
    club.transport.error = Some(PostError::Unavailable("no line".to_owned()));
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
        reply_to_first_letter(&mut club, name, body);
        assert_eq!(club.run_pass().1.len(), 0);
        for _ in 0..5 {
            club.now += TimeDelta::hours(1);
            assert_eq!(club.run_pass().1.len(), 0);
        }
    }
    assert_eq!(
        process::load_stored_game(&club.open_context(), 1)
            .expect("it folds")
            .table
            .last_record_number(),
        5
    );
    club.transport.error = None;
    let (report, letters) = club.run_pass();
    assert_eq!(report.queued_letters, 0);
    for (name, orders) in [("Ann", 2), ("Bob", 2), ("Cid", 1)] {
        let all = letters_about_game(&letters_to(&letters, name), 1);
        // The answers to Cid's note and question are letters of their own.
        assert_eq!(all.len(), if name == "Cid" { 3 } else { 1 }, "{name}: {letters:?}");
        let merged =
            *all.iter().find(|letter| letter.contains("carried out your orders")).expect("one");
        for expected in ["builds red", "builds black", "good luck to all", "end the game"] {
            let own = expected.replace("builds", "build");
            assert!(
                merged.contains(expected) || merged.contains(&own),
                "{name} {expected}: {}",
                merged.body_text()
            );
        }
        assert!(merged.contains("here I come"), "{}", merged.body_text());
        assert_eq!(merged.contains("shall we?"), name != "Bob", "{name}: {}", merged.body_text());
        let references = merged.header("References").expect("it answers letters");
        assert_eq!(references.matches(&name.to_lowercase()).count(), orders, "{references}");
        assert!(
            letters_about_game(&letters_to(&letters, name), 2).is_empty(),
            "nothing happened there"
        );
        assert!(merged.contains("Game 1, move 5, proof"), "{}", merged.body_text());
    }
    assert!(club.run_pass().1.is_empty());
}

#[test]
fn unrenderable_letter_is_reported_and_stops_no_other() {
    let mut club = club_with_games("", 2);
    club.transport.error = Some(PostError::Unavailable("no line".to_owned()));
    reply_to_first_letter(&mut club, "Ann", "build red G23");
    assert_eq!(club.run_pass().0.carried_out, 1);
    {
        let context = club.open_context();
        let mut batch = Batch::default();
        for mut queued in context.store.load_sendable(club.now, 99).expect("it can be read") {
            let payload = &mut queued.letter.payload;
            match queued.letter.recipient.as_str() {
                // One letter refers to a record that does not exist. The other has the format of a
                // later version.
                "bob@example.org" => payload["seat"]["head"] = 77.into(),
                "cid@example.org" => *payload = serde_json::json!({"sung": "a song"}),
                _ => continue,
            }
            batch.replaced.push((queued.key, queued.letter));
        }
        assert_eq!(batch.replaced.len(), 2);
        context.store.write_without_conflict_check(&batch).expect("it can be written");
    }
    club.transport.error = None;
    let (report, letters) = club.run_pass();
    assert_eq!(
        (report.posted, report.queued_letters, report.quarantined),
        (2, 0, 0),
        "{letters:?}"
    );
    assert!(letters_to(&letters, "Ann")[0].contains("We've carried out your orders."));
    let note = letters_to(&letters, "mod@example.org")[0];
    for (to, why) in [("bob", "move 77 is missing"), ("cid", "sung")] {
        assert!(note.contains(&format!("We couldn't write an e-mail to {to}@example.org")));
        assert!(note.contains(why), "{}", note.body_text());
    }
    assert!(club.run_pass().1.is_empty(), "it is told once");
    // The game continues, and the next letter contains what is new.
    reply_to_first_letter(&mut club, "Bob", "build black F24");
    let (report, letters) = club.run_pass();
    assert_eq!((report.carried_out, letters.len()), (1, 3));
}

#[test]
fn news_of_bounced_letter_is_repeated_in_full() {
    let mut club = club_with_games("", 1);
    club.transport.error = Some(PostError::Unavailable("no line".to_owned()));
    for (name, body) in [("Ann", "build red G23"), ("Bob", "build black F24")] {
        reply_to_first_letter(&mut club, name, body);
        assert_eq!(club.run_pass().0.carried_out, 1);
    }
    club.transport.error = None;
    let letters = club.run_pass().1;
    let bounced = letters_to(&letters, "Cid")[0].clone();
    rig::make_undeliverable(&mut club, "Cid");
    let letter = club.compose_reply_to("Cid", &bounced, "status");
    club.deliver(letter);
    let letters = club.run_pass().1;
    let repeated =
        letters_to(&letters, "Cid").into_iter().find(|letter| letter.contains("builds black"));
    let repeated = repeated.expect("the missed news");
    assert!(repeated.contains("Ann builds red"), "{}", repeated.body_text());
}

#[test]
fn merged_letter_is_identical_after_kill_and_rerun() {
    let mut club = club_with_games("letters_per_commit: 1\n", 1);
    reply_to_first_letter(&mut club, "Ann", "build red G23, Troyes");
    reply_to_first_letter(&mut club, "Bob", "build black F24");
    Maildir::new(club.folder().join("outbox")).create_folders().expect("an outbox");
    let expected = outcome_without_kill(club.folder(), outbox_letters);
    let names: Vec<&str> = expected.keys().map(|file| &file[.."g1.s1.r3".len()]).collect();
    assert_eq!(names, ["g1.s1.r3", "g1.s2.r3", "g1.s3.r3"]);
    kill_after_each_step(club.folder(), 20..1_000, 13, |folder, step| {
        assert_eq!(outbox_letters(folder), expected, "killed after step {step}");
    });
}
