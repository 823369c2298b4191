//! Offers of a seat in a running game to a member who has never answered the club. The member gets
//! the seat only after answering a question.

use crate::rig::moderator_letters::{ask_as_mod, introduce_mod};
use crate::rig::{Club, letters_to};
use chrono::TimeDelta;
use postrider::games::find_kind;
use postrider::process;

const ZOE: &str = "zoe@example.net";

/// Returns a club with game 1 of Paris Connection for Ann, Bob and Cid, and a moderator whose
/// letters are answered.
fn club_with_moderator() -> Club {
    let mut club = Club::with_settings("clock: {deadline: 3 days}\n");
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    club.run_pass();
    introduce_mod(&mut club);
    club
}

fn player_names(club: &Club) -> Vec<String> {
    process::load_stored_game(&club.open_context(), 1).expect("it opens").names
}

fn replace_bob_by(club: &mut Club, who: &str) -> crate::rig::PostedLetter {
    ask_as_mod(club, &format!("replace 1 seat 2 by {who} because Bob is ill."))
}

#[test]
fn unconfirmed_address_gets_question_but_no_hand() {
    let mut club = club_with_moderator();
    let before = club.transport.posted.len();
    let answer = replace_bob_by(&mut club, ZOE);
    assert!(
        answer.contains("zoe has never replied to an e-mail from the club"),
        "{}",
        answer.body_text()
    );
    let letters = club.transport.posted[before..].to_vec();
    let asked = letters_to(&letters, ZOE);
    assert_eq!((letters.len(), asked.len()), (2, 1), "the other players are not told yet");
    assert!(asked[0].contains("asks if you'd like to take over a seat in game 1"));
    let subject = asked[0].header("Subject");
    assert!(
        subject
            .as_deref()
            .is_some_and(|s| s.ends_with(" offers you a seat in game 1: Paris Connection")),
        "{subject:?}"
    );
    for secret in ["WHAT YOU HOLD", "Bob", "Ann", "G23"] {
        assert!(!asked[0].body_text().contains(secret), "{secret}: {}", asked[0].body_text());
    }
    assert_eq!(player_names(&club), ["Ann", "Bob", "Cid"]);
    // Bob keeps the seat until then. A reply without consent changes nothing.
    let question = asked[0].clone();
    club.deliver(club.compose_reply_to(ZOE, &question, "Who are you?"));
    club.send_reply_in_game_1("Bob", "note mine");
    let (_, letters) = club.run_pass();
    assert!(letters_to(&letters, ZOE)[0].contains("just \"join 1\""), "{letters:?}");
    assert_eq!(player_names(&club)[1], "Bob");

    club.now += TimeDelta::days(1);
    club.deliver(club.compose_reply_to(ZOE, &question, "yes"));
    let (_, letters) = club.run_pass();
    assert_eq!(player_names(&club)[1], "zoe");
    let welcome = letters_to(&letters, ZOE);
    assert!(welcome.iter().any(|letter| letter.contains("You now play for Bob in game 1")));
    assert!(letters_to(&letters, "Bob")[0].contains("zoe now plays for you in game 1: Bob"));
    assert!(letters_to(&letters, "Cid")[0].contains("zoe now plays for Bob: Bob is ill."));
    // No one is notified about an offer that was accepted.
    club.now += TimeDelta::days(3);
    let (_, letters) = club.run_pass();
    assert!(!letters_to(&letters, "Mod").iter().any(|letter| letter.contains("within three days")));
}

#[test]
fn substitutes_turn_time_starts_with_their_answer() {
    let mut club = club_with_moderator();
    club.send_reply_in_game_1("Ann", "build red G23, Troyes");
    club.run_pass();
    replace_bob_by(&mut club, ZOE);
    let question = letters_to(&club.transport.posted, ZOE)[0].clone();
    club.now += TimeDelta::days(2);
    club.deliver(club.compose_reply_to(ZOE, &question, "yes"));
    let answered = club.now;
    club.run_pass();
    let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
    let wait =
        session.clock.and_then(|clock| clock.wait_of_seat(postrider::rules::Seat::new(2)).cloned());
    assert_eq!(wait.expect("it is the seat's turn").since, answered);
}

#[test]
fn moderator_is_told_of_offer_unanswered_three_days() {
    for settings in ["clock: {deadline: 9 days}\n", ""] {
        let mut club = Club::with_settings(settings);
        club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
        club.run_pass();
        introduce_mod(&mut club);
        replace_bob_by(&mut club, "zoe@typo.example");
        club.restore_from_journal();
        let told = |club: &mut Club| {
            let (_, letters) = club.run_pass();
            let told = letters_to(&letters, "Mod");
            told.iter().filter(|letter| letter.contains("zoe didn't reply to our question")).count()
        };
        club.now += TimeDelta::days(3) - TimeDelta::hours(3);
        assert_eq!(told(&mut club), 0);
        club.now += TimeDelta::hours(3);
        assert_eq!([told(&mut club), told(&mut club)], [1, 0], "{settings}");
        assert_eq!(player_names(&club)[1], "Bob");
        // The consent comes too late for the offer. But it proves that a person reads this mailbox,
        // so the moderator can now give the seat to the member directly.
        let question = letters_to(&club.transport.posted, "zoe@typo.example")[0].clone();
        club.now += TimeDelta::days(2);
        club.deliver(club.compose_reply_to("zoe@typo.example", &question, "yes"));
        club.run_pass();
        assert_eq!(player_names(&club)[1], "Bob");
        let answer = replace_bob_by(&mut club, "zoe@typo.example");
        assert!(answer.contains("zoe now plays for Bob"), "{}", answer.body_text());
    }
}

#[test]
fn member_who_answered_before_gets_seat_immediately() {
    let mut club = club_with_moderator();
    club.start_game(find_kind("paris-connection").expect("it ships"), 5, 8);
    club.run_pass();
    // Dot has never written: a mailbox that answers automatically does not prove that a person
    // reads it. Eve has written.
    let last = club.last_letter_to("Dot").expect("a letter").clone();
    let away = club.compose_reply_to("Dot", &last, "I am away until Monday.");
    club.deliver(format!("Auto-Submitted: auto-replied\r\n{away}"));
    let last = club.last_letter_to("Eve").expect("a letter").clone();
    club.deliver(club.compose_reply_to("Eve", &last, "status"));
    club.run_pass();
    let answer = replace_bob_by(&mut club, "dot@example.org");
    assert!(answer.contains("Dot has never replied"), "{}", answer.body_text());
    let answer = replace_bob_by(&mut club, "eve@example.org");
    assert!(answer.contains("In game 1 Eve now plays for Bob"), "{}", answer.body_text());
    // A member who accepts an earlier offer gets no seat if it was given to another member.
    let mut to_dot = letters_to(&club.transport.posted, "Dot").into_iter();
    let asked = to_dot.rfind(|letter| letter.contains("take over a seat")).expect("asked").clone();
    club.deliver(club.compose_reply_to("Dot", &asked, "yes"));
    club.run_pass();
    assert_eq!(player_names(&club)[1], "Eve");
    // The moderator counts as a member who has answered. An offer ends when its game ends.
    let answer = ask_as_mod(&mut club, "replace 1 seat 3 by mod@example.org because Cid is ill.");
    assert!(answer.contains("now plays for Cid"), "{}", answer.body_text());
    replace_bob_by(&mut club, "fox@example.org");
    ask_as_mod(&mut club, "end 1 because it is late.");
    club.now += TimeDelta::days(4);
    let (_, letters) = club.run_pass();
    assert!(!letters_to(&letters, "Mod").iter().any(|letter| letter.contains("didn't reply to")));
}

#[test]
fn seat_needs_consent_from_new_primary_address() {
    let mut club = club_with_moderator();
    club.start_game(find_kind("paris-connection").expect("it ships"), 4, 8);
    club.run_pass();
    let last = club.last_letter_to("Dot").expect("a letter").clone();
    club.deliver(club.compose_reply_to("Dot", &last, "status"));
    club.run_pass();
    let first =
        process::MemberChange::AddAddress { address: "dot@typo.example".into(), first: true };
    assert!(process::change_member(&club.open_context(), "dot@example.org", &first).is_ok());
    let answer = replace_bob_by(&mut club, "dot@typo.example");
    assert!(answer.contains("Dot has never replied"), "{}", answer.body_text());
    // If the moderator joins on Dot's behalf, the club asks Dot too.
    let dot = process::find_member(&club.open_context(), "dot@typo.example").expect("it works");
    ask_as_mod(&mut club, "remove 1 seat 3 because Cid is ill.");
    let words =
        process::run_lobby_line_for_member(&club.open_context(), &dot.expect("Dot"), "join 1");
    assert_eq!(
        process::split_refusal(words).expect("it works").expect("it is done")[0].key,
        "seat-offer-asked"
    );
    club.run_pass();
    assert_eq!(player_names(&club)[2], "Cid");
}
