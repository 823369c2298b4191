//! Seats of games in play for members who have never answered the club: asked first.

use crate::rig::moderator::{mod_asks, mod_is_known};
use crate::rig::{Club, all_to};
use chrono::TimeDelta;
use postrider::games::kind;
use postrider::process;

const ZOE: &str = "zoe@example.net";

/// Game 1 of Paris Connection for Ann, Bob and Cid, with a moderator who can be answered.
fn club() -> Club {
    let mut club = Club::with("clock: {deadline: 3 days}\n");
    club.found(kind("paris-connection").expect("it ships"), 3, 7);
    club.pass();
    mod_is_known(&mut club);
    club
}

fn names(club: &Club) -> Vec<String> {
    process::open_game(&club.context(), 1).expect("it opens").names
}

fn replaced(club: &mut Club, who: &str) -> crate::rig::Posted {
    mod_asks(club, &format!("replace 1 seat 2 by {who} because Bob is ill."))
}

#[test]
fn address_without_answer_gets_question_and_no_hand() {
    let mut club = club();
    let before = club.pigeon.posted.len();
    let answer = replaced(&mut club, ZOE);
    assert!(answer.says("zoe has never answered a letter of the club"), "{}", answer.text());
    let letters = club.pigeon.posted[before..].to_vec();
    let asked = all_to(&letters, ZOE);
    assert_eq!((letters.len(), asked.len()), (2, 1), "the table hears of nothing yet");
    assert!(asked[0].says("asks whether you'd take over a seat in game 1"));
    for secret in ["YOUR PORTFOLIO", "Bob", "Ann", "G23"] {
        assert!(!asked[0].text().contains(secret), "{secret}: {}", asked[0].text());
    }
    assert_eq!(names(&club), ["Ann", "Bob", "Cid"]);
    // Bob still has the seat; a word that is no consent changes nothing.
    let question = asked[0].clone();
    club.arrives(club.reply_to(ZOE, &question, "Who are you?"));
    club.writes_in_game_1("Bob", "note mine");
    let (_, letters) = club.pass();
    assert!(all_to(&letters, ZOE)[0].says("write \"join 1\" alone"), "{letters:?}");
    assert_eq!(names(&club)[1], "Bob");

    club.now += TimeDelta::days(1);
    club.arrives(club.reply_to(ZOE, &question, "yes"));
    let (_, letters) = club.pass();
    assert_eq!(names(&club)[1], "zoe");
    let welcome = all_to(&letters, ZOE);
    assert!(welcome.iter().any(|letter| letter.says("You play on for Bob in game 1")));
    assert!(all_to(&letters, "Bob")[0].says("zoe plays on for you in game 1: Bob is ill."));
    assert!(all_to(&letters, "Cid")[0].says("zoe plays on for Bob: Bob is ill."));
    // Nobody is told of an offer that was taken.
    club.now += TimeDelta::days(3);
    let (_, letters) = club.pass();
    assert!(!all_to(&letters, "Mod").iter().any(|letter| letter.says("within three days")));
}

#[test]
fn time_of_substitute_begins_with_answer() {
    let mut club = club();
    club.writes_in_game_1("Ann", "build red G23, Troyes");
    club.pass();
    replaced(&mut club, ZOE);
    let question = all_to(&club.pigeon.posted, ZOE)[0].clone();
    club.now += TimeDelta::days(2);
    club.arrives(club.reply_to(ZOE, &question, "yes"));
    let answered = club.now;
    club.pass();
    let session = process::open_game(&club.context(), 1).expect("it opens");
    let wait = session.clock.and_then(|clock| clock.wait(postrider::rules::Seat::new(2)).cloned());
    assert_eq!(wait.expect("it is the seat's turn").since, answered);
}

#[test]
fn moderator_hears_after_three_days_without_answer() {
    for settings in ["clock: {deadline: 9 days}\n", ""] {
        let mut club = Club::with(settings);
        club.found(kind("paris-connection").expect("it ships"), 3, 7);
        club.pass();
        mod_is_known(&mut club);
        replaced(&mut club, "zoe@typo.example");
        club.restored();
        let told = |club: &mut Club| {
            let (_, letters) = club.pass();
            let told = all_to(&letters, "Mod");
            told.iter().filter(|letter| letter.says("zoe hasn't answered our question")).count()
        };
        club.now += TimeDelta::days(3) - TimeDelta::hours(3);
        assert_eq!(told(&mut club), 0);
        club.now += TimeDelta::hours(3);
        assert_eq!([told(&mut club), told(&mut club)], [1, 0], "{settings}");
        assert_eq!(names(&club)[1], "Bob");
        // Too late; but now somebody is known to read there, and the moderator's word is enough.
        let question = all_to(&club.pigeon.posted, "zoe@typo.example")[0].clone();
        club.now += TimeDelta::days(2);
        club.arrives(club.reply_to("zoe@typo.example", &question, "yes"));
        club.pass();
        assert_eq!(names(&club)[1], "Bob");
        let answer = replaced(&mut club, "zoe@typo.example");
        assert!(answer.says("zoe plays on for Bob"), "{}", answer.text());
    }
}

#[test]
fn known_reader_gets_seat_at_once() {
    let mut club = club();
    club.found(kind("paris-connection").expect("it ships"), 5, 8);
    club.pass();
    // Dot has never written: a mailbox that answers by itself proves no reader. Eve has.
    let last = club.last_to("Dot").expect("a letter").clone();
    let away = club.reply_to("Dot", &last, "I am away until Monday.");
    club.arrives(format!("Auto-Submitted: auto-replied\r\n{away}"));
    let last = club.last_to("Eve").expect("a letter").clone();
    club.arrives(club.reply_to("Eve", &last, "status"));
    club.pass();
    let answer = replaced(&mut club, "dot@example.org");
    assert!(answer.says("Dot has never answered"), "{}", answer.text());
    let answer = replaced(&mut club, "eve@example.org");
    assert!(answer.says("In game 1 Eve plays on for Bob"), "{}", answer.text());
    // Whoever was asked before comes too late.
    let mut to_dot = all_to(&club.pigeon.posted, "Dot").into_iter();
    let asked = to_dot.rfind(|letter| letter.says("take over a seat")).expect("asked").clone();
    club.arrives(club.reply_to("Dot", &asked, "yes"));
    club.pass();
    assert_eq!(names(&club)[1], "Eve");
    // The moderator is known to read letters, and an offer ends with its game.
    let answer = mod_asks(&mut club, "replace 1 seat 3 by mod@example.org because Cid is ill.");
    assert!(answer.says("plays on for Cid"), "{}", answer.text());
    replaced(&mut club, "fox@example.org");
    mod_asks(&mut club, "end 1 because it is late.");
    club.now += TimeDelta::days(4);
    let (_, letters) = club.pass();
    assert!(!all_to(&letters, "Mod").iter().any(|letter| letter.says("hasn't answered")));
}

#[test]
fn changed_first_address_is_asked_again() {
    let mut club = club();
    club.found(kind("paris-connection").expect("it ships"), 4, 8);
    club.pass();
    let last = club.last_to("Dot").expect("a letter").clone();
    club.arrives(club.reply_to("Dot", &last, "status"));
    club.pass();
    let first =
        process::MemberChange::AddAddress { address: "dot@typo.example".into(), first: true };
    assert!(process::change_member(&club.context(), "dot@example.org", &first).is_ok());
    let answer = replaced(&mut club, "dot@typo.example");
    assert!(answer.says("Dot has never answered"), "{}", answer.text());
    // On somebody's behalf nothing else is done either.
    let dot = process::find_member(&club.context(), "dot@typo.example").expect("it works");
    mod_asks(&mut club, "remove 1 seat 3 because Cid is ill.");
    let words = process::on_behalf(&club.context(), &dot.expect("Dot"), "join 1");
    assert_eq!(
        process::answered(words).expect("it works").expect("it is done")[0].key,
        "seat-offer-asked"
    );
    club.pass();
    assert_eq!(names(&club)[2], "Cid");
}
