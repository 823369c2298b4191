//! Clubs with several moderators.

use crate::rig::moderator_letters::start_paris_game;
use crate::rig::{Club, PostedLetter, letters_to};

const MO: &str = "mo@example.org";
const ANN: &str = "ann@example.org";

/// Returns a club with game 1 of Paris Connection for Ann, Bob and Cid. Its moderators are Mo and
/// the player Ann.
fn club_with_two_moderators() -> Club {
    let mut club = Club::with_settings("clock: {deadline: 3 days, reminders: []}\n");
    let path = club.folder().join("club.yaml");
    let text = std::fs::read_to_string(&path).expect("club.yaml");
    let both = "[{name: Mo, address: Mo@example.org}, {name: Annie, address: ann@example.org}]";
    let text = text.replace("{name: Mod, address: mod@example.org}", both);
    std::fs::write(&path, text).expect("club.yaml");
    start_paris_game(&mut club, 7);
    club.run_pass();
    club
}

/// Sends a moderator's reply to the letter that they got from the club as its moderator.
fn reply_as_moderator(club: &mut Club, letter: &PostedLetter, body: &str) -> Vec<PostedLetter> {
    let name = if letter.to.eq_ignore_ascii_case(MO) { "Mo" } else { "Ann" };
    club.deliver(club.compose_reply_to(name, letter, body));
    club.run_pass().1
}

/// Has a letter quarantined, and returns the notes to Mo and to Ann.
fn notes_to_both(club: &mut Club) -> [PostedLetter; 2] {
    let letter = club.compose_reply("Bob", "note x").replace("bob@example.org", "b@work.example");
    club.deliver(letter);
    let (_, letters) = club.run_pass();
    let note = |to: &str| {
        let is_note = |letter: &&PostedLetter| {
            letter.to.eq_ignore_ascii_case(to) && letter.contains("letters show")
        };
        letters.iter().find(is_note).unwrap_or_else(|| panic!("{to}: {letters:?}")).clone()
    };
    [note(MO), note(ANN)]
}

#[test]
fn each_moderator_gets_notes_and_is_named() {
    let mut club = club_with_two_moderators();
    let [to_mo, to_ann] = notes_to_both(&mut club);
    assert_ne!(
        to_mo.message_id, to_ann.message_id,
        "no mail system drops one as a copy of the other"
    );
    let letters = reply_as_moderator(&mut club, &to_ann, "pause 1 because we all travel");
    assert!(letters_to(&letters, "Mo@example.org").is_empty(), "the answer is Ann's: {letters:?}");
    let bobs = letters_to(&letters, "bob@example.org");
    let named = "stopped the clock of this game: we all travel - Annie";
    assert!(bobs[0].contains(named), "{}", bobs[0].body_text());
    assert!(!bobs[0].raw().contains(ANN), "the address is hidden: {}", bobs[0].raw());
    let letters = reply_as_moderator(&mut club, &to_mo, "end 1 because Bob is ill.\nlog 1");
    let bobs = letters_to(&letters, "bob@example.org");
    let named = "ended the game: Bob is ill. - Mo";
    assert!(bobs[0].contains(named), "{}", bobs[0].body_text());
    let answer = letters_to(&letters, "Mo@example.org");
    assert!(answer[0].contains("we all travel - Annie"), "{}", answer[0].body_text());
    crate::rig::pass_result::assert_outlines_match_logs(&club.open_context());
}

#[test]
fn moderator_token_works_from_its_own_address() {
    let mut club = club_with_two_moderators();
    let [to_mo, _] = notes_to_both(&mut club);
    let stolen = club.compose_reply_to("Ann", &to_mo, "pause 1 because x");
    club.deliver(stolen);
    club.run_pass();
    assert!(club.open_context().store.activity_log(1).expect("works").is_empty());
    assert_eq!(club.quarantined_count(), 2, "Bob's letter and this one");
    // A moderator who plays writes orders as a player.
    club.send_reply_in_game_1("Ann", "pass");
    let (_, letters) = club.run_pass();
    let answer = letters_to(&letters, ANN);
    assert!(!answer.is_empty() && !answer[0].contains("A moderator can't"), "{letters:?}");
}

#[test]
fn new_marks_reach_every_moderator() {
    let mut club = club_with_two_moderators();
    let [to_mo, to_ann] = notes_to_both(&mut club);
    let letters = reply_as_moderator(&mut club, &to_ann, "new marks");
    let renewed = letters_to(&letters, "Mo@example.org")[0].clone();
    reply_as_moderator(&mut club, &to_mo, "pause 1 because x");
    assert!(club.open_context().store.activity_log(1).expect("works").is_empty(), "an old mark");
    reply_as_moderator(&mut club, &renewed, "pause 1 because x");
    assert_eq!(club.open_context().store.activity_log(1).expect("works").len(), 1);
}
