//! Words and votes in the pass in which a seat changes hands: they reach whom they were meant for,
//! or nobody, and their writer is told the truth.

use crate::rig::moderator::mod_is_known;
use crate::rig::{Club, address};
use postrider::games::kind;
use postrider::process;
use postrider::rules::Seat;

/// Game 1 of Paris Connection for Ann, Bob and Cid, for a seat of which Dot waits, and game 2.
fn club(settings: &str) -> Club {
    let mut club = Club::with(settings);
    club.found(kind("paris-connection").expect("it ships"), 3, 7);
    club.found(kind("paris-connection").expect("it ships"), 5, 8);
    club.pass();
    club
}

fn with_dot_waiting(settings: &str) -> Club {
    let mut club = club(settings);
    club.writes("Dot", "wait 1");
    club.pass();
    club
}

/// What players said in game 1 and to which seats, as it is kept.
fn said(club: &Club) -> Vec<(Vec<Seat>, String)> {
    let minutes = club.context().store.minutes(1).expect("they are read");
    let said = minutes.into_iter().filter_map(|minute| match minute.what {
        postrider::club::Happening::Said { to, text, .. } => Some((to, text)),
        _ => None,
    });
    said.collect()
}

const LOST: &str = "Bob has left the seat before your words could be read";

#[test]
fn a_word_to_who_leaves_in_the_same_pass_reaches_nobody_and_its_writer_knows() {
    for waiting in [true, false] {
        let mut club = if waiting { with_dot_waiting("") } else { club("") };
        club.writes_in_game_1("Ann", "tell Bob the north is ours");
        club.writes_in_game_1("Cid", "tell Ann, Bob: and the south?");
        club.writes_in_game_1("Bob", "resign yes");
        let (_, letters) = club.pass();
        let [ann, cid] = ["Ann", "Cid"].map(|name| club.of_game_1(name));
        assert!(ann.says(LOST) && !ann.says("has been passed on"), "{}", ann.text());
        assert!(!ann.says("the north is ours"), "{}", ann.text());
        // What some have read still goes to them, and to nobody else.
        assert!(ann.says("Cid to you: | and the south?"), "{}", ann.text());
        assert!(cid.says("You to Ann: | and the south?") && cid.says(LOST), "{}", cid.text());
        let others = letters.iter().filter(|l| l.to == address("Bob") || l.to == address("Dot"));
        for letter in others {
            assert!(!letter.says("north") && !letter.says("south"), "{}", letter.text());
        }
        let ann = Seat::new(1);
        assert_eq!(said(&club), [(vec![ann], "and the south?".to_owned())]);
    }
}

#[test]
fn a_word_that_was_written_before_the_seat_changed_hands_is_not_told_to_who_came() {
    // The letters are read the other way round: by then somebody else sits there.
    let mut club = with_dot_waiting("");
    club.writes_in_game_1("Bob", "resign yes");
    club.writes_in_game_1("Ann", "tell 2 the north is ours");
    let (_, letters) = club.pass();
    let mut to_ann = letters.iter().filter(|letter| letter.to == address("Ann"));
    let ann = to_ann.next().expect("an answer");
    let told = "Dot has taken over that seat after your letter was written";
    assert!(ann.says(told) && ann.says("Nothing of your letter has been said"), "{}", ann.text());
    assert!(!club.of_game_1("Dot").says("north"));
    club.writes_in_game_1("Ann", "tell 2 welcome");
    club.pass();
    assert!(club.of_game_1("Dot").says("welcome"));
    // By the moderator's hand between two passes: the letter lay there already.
    club.writes_in_game_1("Ann", "tell 3 the south is ours");
    club.now += chrono::TimeDelta::minutes(5);
    club.all_have_answered();
    let eve =
        postrider::club::Intervention::Replace { seat: Seat::new(3), by: "eve@example.org".into() };
    let done = process::moderate(&club.context(), 1, &eve, "Cid is ill.");
    assert!(done.is_ok());
    club.now += chrono::TimeDelta::minutes(5);
    club.pass();
    assert!(!club.of_game_1("Eve").says("south"));
    assert!(club.of_game_1("Ann").says("Eve has taken over that seat after"));
}

#[test]
fn who_speaks_and_goes_in_one_pass_is_not_taken_for_who_comes() {
    let mut club = with_dot_waiting("press: {allowed: all, anonymous: true}\n");
    club.writes_in_game_1("Bob", "say Good bye to all of you.");
    club.writes_in_game_1("Bob", "say anonymously Cid hoards blue.");
    club.writes_in_game_1("Bob", "tell Ann trust nobody");
    club.writes_in_game_1("Bob", "resign yes");
    club.pass();
    for (name, dot) in [("Ann", "Dot"), ("Cid", "Dot"), ("Dot", "you")] {
        let letter = club.of_game_1(name);
        let head = format!("Whoever sat there before {dot} to all: | Good bye to all of you.");
        assert!(letter.says(&head), "{}", letter.text());
        assert!(letter.says("Somebody to all: | Cid hoards blue."), "{}", letter.text());
        assert!(!letter.says("| Dot to all:") && !letter.says("You to all:"), "{}", letter.text());
        assert!(!letter.says("unnamed"), "{}", letter.text());
    }
    assert!(club.of_game_1("Ann").says("before Dot to you: | trust nobody"));
    assert!(!club.of_game_1("Dot").says("trust nobody"));
    // Nor does the history say so, and least of all to who plays on there.
    club.writes_in_game_1("Dot", "history");
    club.pass();
    let history = club.of_game_1("Dot");
    assert!(history.says("Somebody to all: | Cid hoards blue."), "{}", history.text());
    assert!(history.says("before you to all: | Good bye"), "{}", history.text());
    club.writes_in_game_1("Dot", "say hello");
    club.pass();
    assert!(club.of_game_1("Ann").says("Dot to all: | hello"));
    mod_is_known(&mut club);
    let log = crate::rig::moderator::mod_asks(&mut club, "log 1");
    assert!(log.says("whoever sat there before Dot said: Good bye"), "{}", log.text());
}

#[test]
fn a_word_to_who_leaves_the_club_after_the_game_reaches_nobody_and_its_writer_knows() {
    for order in [["Ann", "Bob"], ["Bob", "Ann"]] {
        let mut club = club("");
        let end = postrider::club::Intervention::End;
        assert!(process::moderate(&club.context(), 1, &end, "enough").is_ok());
        assert!(process::moderate(&club.context(), 2, &end, "enough").is_ok());
        club.pass();
        for name in order {
            let body = if name == "Ann" { "tell Bob see you" } else { "leave club yes" };
            club.writes_in_game_1(name, body);
        }
        club.pass();
        let ann = club.of_game_1("Ann");
        assert!(!ann.says("has been passed on"), "{}", ann.text());
        assert!(ann.says("has left the seat") || ann.says("Nobody sits on"), "{}", ann.text());
        // And so it is in every later pass.
        club.writes_in_game_1("Ann", "tell 2 are you there?");
        club.pass();
        assert!(club.of_game_1("Ann").says("Nobody sits on the seat of"));
    }
}
#[test]
fn a_vote_that_is_opened_and_void_in_one_pass_is_nobodys_news() {
    let mut club = with_dot_waiting("clock: {deadline: 3 days}\n");
    club.writes_in_game_1("Bob", "vote pause");
    club.writes_in_game_1("Bob", "resign yes");
    club.pass();
    for name in ["Ann", "Cid", "Dot"] {
        let letter = club.of_game_1(name);
        assert!(!letter.says("proposes") && !letter.says("void"), "{}", letter.text());
    }
    // Who agrees with what is void proposes it himself, under his own name.
    club.writes_in_game_1("Ann", "vote pause");
    club.writes_in_game_1("Dot", "resign yes");
    club.writes_in_game_1("Cid", "vote pause");
    club.pass();
    assert!(club.of_game_1("Ann").says("Cid proposes to stop the clock"));
}
