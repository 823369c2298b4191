//! Messages and votes in the pass in which a seat changes its owner. A message reaches only its
//! intended reader, and its sender learns if it was not delivered.

use crate::rig::moderator_letters::introduce_mod;
use crate::rig::{Club, address};
use postrider::games::find_kind;
use postrider::process;
use postrider::rules::Seat;

/// Returns a club with two games of Paris Connection: game 1 for Ann, Bob and Cid, and game 2 for
/// these three, Dot and Eve.
fn start_two_games(settings: &str) -> Club {
    let mut club = Club::with_settings(settings);
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    club.start_game(find_kind("paris-connection").expect("it ships"), 5, 8);
    club.run_pass();
    club
}

fn start_with_dot_waiting(settings: &str) -> Club {
    let mut club = start_two_games(settings);
    club.send_reply("Dot", "wait 1");
    club.run_pass();
    club
}

/// Returns the stored messages of game 1, each with the seats to which it went.
fn stored_messages(club: &Club) -> Vec<(Vec<Seat>, String)> {
    let entries = club.open_context().store.activity_log(1).expect("they are read");
    let said = entries.into_iter().filter_map(|entry| match entry.event {
        postrider::club::ActivityEvent::Said { to, text, .. } => Some((to, text)),
        _ => None,
    });
    said.collect()
}

const LOST_MESSAGE_NOTICE: &str = "Bob left the seat before your message could be read";

#[test]
fn message_to_leaving_player_is_dropped_and_reported() {
    for waiting in [true, false] {
        let mut club = if waiting { start_with_dot_waiting("") } else { start_two_games("") };
        club.send_reply_in_game_1("Ann", "tell Bob the north is ours");
        club.send_reply_in_game_1("Cid", "tell Ann, Bob: and the south?");
        club.send_reply_in_game_1("Bob", "resign yes");
        let (_, letters) = club.run_pass();
        let [ann, cid] = ["Ann", "Cid"].map(|name| club.last_letter_of_game_1(name));
        assert!(
            ann.contains(LOST_MESSAGE_NOTICE) && !ann.contains("We've sent your message"),
            "{}",
            ann.body_text()
        );
        assert!(!ann.contains("the north is ours"), "{}", ann.body_text());
        // A message to two players still goes to the one who stays.
        assert!(ann.contains("Cid to you: | and the south?"), "{}", ann.body_text());
        assert!(
            cid.contains("You to Ann: | and the south?") && cid.contains(LOST_MESSAGE_NOTICE),
            "{}",
            cid.body_text()
        );
        let others = letters.iter().filter(|l| l.to == address("Bob") || l.to == address("Dot"));
        for letter in others {
            assert!(
                !letter.contains("north") && !letter.contains("south"),
                "{}",
                letter.body_text()
            );
        }
        let ann = Seat::new(1);
        assert_eq!(stored_messages(&club), [(vec![ann], "and the south?".to_owned())]);
    }
}

#[test]
fn message_to_previous_owner_is_withheld_from_successor() {
    // The letters are processed in the other order: when Ann's message is read, Dot owns the seat.
    let mut club = start_with_dot_waiting("");
    club.send_reply_in_game_1("Bob", "resign yes");
    club.send_reply_in_game_1("Ann", "tell 2 the north is ours");
    let (_, letters) = club.run_pass();
    let mut to_ann = letters.iter().filter(|letter| letter.to == address("Ann"));
    let ann = to_ann.next().expect("an answer");
    let told = "Dot took over that seat after you wrote your e-mail";
    assert!(
        ann.contains(told) && ann.contains("We haven't sent any message from your e-mail"),
        "{}",
        ann.body_text()
    );
    assert!(!club.last_letter_of_game_1("Dot").contains("north"));
    club.send_reply_in_game_1("Ann", "tell 2 welcome");
    club.run_pass();
    assert!(club.last_letter_of_game_1("Dot").contains("welcome"));
    // The moderator replaces Cid between two passes, after Ann's message has arrived.
    club.send_reply_in_game_1("Ann", "tell 3 the south is ours");
    club.now += chrono::TimeDelta::minutes(5);
    club.mark_all_answered();
    let eve =
        postrider::club::Intervention::Replace { seat: Seat::new(3), by: "eve@example.org".into() };
    let done = process::moderate_game(&club.open_context(), 1, &eve, "Cid is ill.");
    assert!(done.is_ok());
    club.now += chrono::TimeDelta::minutes(5);
    club.run_pass();
    assert!(!club.last_letter_of_game_1("Eve").contains("south"));
    assert!(club.last_letter_of_game_1("Ann").contains("Eve took over that seat after"));
}

#[test]
fn leaving_players_message_is_not_attributed_to_successor() {
    let mut club = start_with_dot_waiting("press: {allowed: all, anonymous: true}\n");
    club.send_reply_in_game_1("Bob", "say Good bye to all of you.");
    club.send_reply_in_game_1("Bob", "say anonymously Cid hoards blue.");
    club.send_reply_in_game_1("Bob", "tell Ann trust nobody");
    club.send_reply_in_game_1("Bob", "resign yes");
    club.run_pass();
    for (name, dot) in [("Ann", "Dot"), ("Cid", "Dot"), ("Dot", "you")] {
        let letter = club.last_letter_of_game_1(name);
        let head = format!("The player before {dot} to all: | Good bye to all of you.");
        assert!(letter.contains(&head), "{}", letter.body_text());
        assert!(letter.contains("Somebody to all: | Cid hoards blue."), "{}", letter.body_text());
        assert!(
            !letter.contains("| Dot to all:") && !letter.contains("You to all:"),
            "{}",
            letter.body_text()
        );
        assert!(!letter.contains("unnamed"), "{}", letter.body_text());
    }
    assert!(club.last_letter_of_game_1("Ann").contains("before Dot to you: | trust nobody"));
    assert!(!club.last_letter_of_game_1("Dot").contains("trust nobody"));
    // The history does not attribute the messages to Dot either, not even in Dot's own letter.
    club.send_reply_in_game_1("Dot", "history");
    club.run_pass();
    let history = club.last_letter_of_game_1("Dot");
    assert!(history.contains("Somebody to all: | Cid hoards blue."), "{}", history.body_text());
    assert!(history.contains("before you to all: | Good bye"), "{}", history.body_text());
    club.send_reply_in_game_1("Dot", "say hello");
    club.run_pass();
    assert!(club.last_letter_of_game_1("Ann").contains("Dot to all: | hello"));
    introduce_mod(&mut club);
    let log = crate::rig::moderator_letters::ask_as_mod(&mut club, "log 1");
    assert!(log.contains("before Dot in that seat said: Good bye"), "{}", log.body_text());
}

#[test]
fn message_to_member_leaving_club_is_reported_undelivered() {
    for order in [["Ann", "Bob"], ["Bob", "Ann"]] {
        let mut club = start_two_games("");
        let end = postrider::club::Intervention::End;
        assert!(process::moderate_game(&club.open_context(), 1, &end, "enough").is_ok());
        assert!(process::moderate_game(&club.open_context(), 2, &end, "enough").is_ok());
        club.run_pass();
        for name in order {
            let body = if name == "Ann" { "tell Bob see you" } else { "leave club yes" };
            club.send_reply_in_game_1(name, body);
        }
        club.run_pass();
        let ann = club.last_letter_of_game_1("Ann");
        assert!(!ann.contains("We've sent your message"), "{}", ann.body_text());
        assert!(
            ann.contains("left the seat before") || ann.contains("'s seat right now"),
            "{}",
            ann.body_text()
        );
        // Later passes give this answer too.
        club.send_reply_in_game_1("Ann", "tell 2 are you there?");
        club.run_pass();
        assert!(club.last_letter_of_game_1("Ann").contains("'s seat right now"));
    }
}
#[test]
fn vote_opened_and_voided_together_is_not_announced() {
    let mut club = start_with_dot_waiting("clock: {deadline: 3 days}\n");
    club.send_reply_in_game_1("Bob", "vote pause");
    club.send_reply_in_game_1("Bob", "resign yes");
    club.run_pass();
    for name in ["Ann", "Cid", "Dot"] {
        let letter = club.last_letter_of_game_1(name);
        assert!(
            !letter.contains("proposes") && !letter.contains("no longer counts"),
            "{}",
            letter.body_text()
        );
    }
    // A vote in favour of a void proposal becomes a new proposal under the voter's own name.
    club.send_reply_in_game_1("Ann", "vote pause");
    club.send_reply_in_game_1("Dot", "resign yes");
    club.send_reply_in_game_1("Cid", "vote pause");
    club.run_pass();
    assert!(club.last_letter_of_game_1("Ann").contains("Cid proposes to stop the clock"));
}
