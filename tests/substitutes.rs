//! Seats that change hands: nobody plays on who has gone, and who comes knows what the seat knew.

mod rig;

use postrider::games::kind;
use postrider::rules::Seat;
use rig::{Club, address};

/// Game 1 of Paris Connection for Ann, Bob and Cid, and game 2 so that Dot and Eve are members.
fn club() -> Club {
    let mut club = Club::with("clock: {deadline: 3 days}\n");
    club.found(kind("paris-connection").expect("it ships"), 3, 7);
    club.found(kind("paris-connection").expect("it ships"), 5, 8);
    club.pass();
    club
}

fn of_game_1(club: &Club, name: &str) -> rig::Posted {
    let mut letters = club.pigeon.posted.iter().rev();
    let of_it = letters.find(|letter| {
        letter.to == address(name)
            && letter.header("Subject").is_some_and(|s| s.contains("Connection 1 "))
    });
    of_it.unwrap_or_else(|| panic!("{name} has no letter of game 1")).clone()
}

fn writes(club: &mut Club, name: &str, body: &str) {
    let letter = of_game_1(club, name);
    let reply = club.reply_to(name, &letter, body);
    club.arrives(reply);
}

#[test]
fn a_moderator_gives_a_seat_to_a_substitute_who_gets_its_history_in_one_letter() {
    let mut club = club();
    writes(&mut club, "Ann", "build red G23, Troyes");
    club.pass();
    writes(&mut club, "Cid", "plan pass\nauto forced");
    club.pass();
    let old = of_game_1(&club, "Bob");
    let before = club.office().open_game(1).expect("it opens");
    let done = club.office().substitute(1, Seat::new(2), "dot@example.org", "Bob moved house.");
    assert_eq!(done.expect("the store works"), Ok(()));
    let (_, letters) = club.pass();
    assert_eq!(letters.len(), 4);
    let welcome = of_game_1(&club, "Dot");
    assert!(welcome.says("You play on for Bob in game 1 of The Postal Club"));
    assert!(welcome.says("Ann builds red on G23 and G25 Troyes"), "{}", welcome.text());
    assert!(welcome.says("It is your turn."));
    let told = of_game_1(&club, "Ann");
    assert!(told.says("Dot plays on for Bob: Bob moved house."), "{}", told.text());
    let parted = club.last_text("Bob");
    assert!(parted.contains("Dot plays on for you in game 1"), "{parted}");

    // Her time begins now, nothing stands in the log, and he can do nothing more.
    let after = club.office().open_game(1).expect("it opens");
    assert_eq!(after.table.head(), before.table.head());
    let wait = |playing: &postrider::process::Playing| {
        playing.clock.as_ref().and_then(|clock| clock.wait(Seat::new(2)).cloned()).expect("a wait")
    };
    assert!(wait(&after).since > wait(&before).since);
    let reply = club.reply_to("Bob", &old, "pass");
    club.arrives(reply);
    club.pass();
    assert!(club.last_to("Bob").expect("an answer").says("is not valid (any more)"));
    writes(&mut club, "Dot", "build red H22");
    let (report, _) = club.pass();
    assert_eq!(report.carried_out, 1, "{}", club.last_text("Dot"));
    assert!(of_game_1(&club, "Cid").says("Dot builds red"));

    // The same again is refused in words, and so is a seat for somebody who plays already.
    for (seat, who) in [(2, "dot@example.org"), (3, "ann@example.org"), (9, "5")] {
        let refused = club.office().substitute(1, Seat::new(seat), who, "x").expect("it works");
        assert!(refused.is_err(), "{who}");
    }
    // Somebody new becomes a member by it.
    let done = club.office().substitute(1, Seat::new(3), "Zoe <zoe@example.org>", "Cid is ill.");
    assert_eq!(done.expect("the store works"), Ok(()));
    club.pass();
    assert!(of_game_1(&club, "Zoe").says("You play on for Cid"));
}
