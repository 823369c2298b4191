//! Rematches: proposals of a new game with the players and rules of a game that is over.

use crate::rig::{Club, address};
use crate::substitutes::club_with_two_games;
use postrider::club::Intervention;
use postrider::process;

#[test]
fn rematch_starts_when_all_players_join_again() {
    let mut club = club_with_two_games();
    club.send_reply_in_game_1("Ann", "rematch");
    club.run_pass();
    assert!(club.last_letter_to("Ann").expect("told").contains("This game isn't over yet."));
    let over = process::moderate_game(&club.open_context(), 1, &Intervention::End, "Time is up.");
    assert!(over.is_ok());
    club.run_pass();
    club.send_reply_in_game_1("Ann", "rematch");
    let (_, letters) = club.run_pass();
    assert!(letters.iter().any(|l| l.to == address("Ann") && l.contains("Your game 3 is open.")));
    for name in ["Bob", "Cid"] {
        let told = letters.iter().find(|letter| letter.to == address(name)).expect("invited");
        assert!(told.contains("Ann invites you to play"), "{}", told.body_text());
        assert!(told.contains("It's a rematch for the players of game 1."));
        assert!(told.contains("3: Paris Connection for 3, 2 seats free, with 3 days per turn"));
    }
    club.send_reply_in_game_1("Bob", "rematch");
    club.run_pass();
    assert!(club.last_letter_to("Bob").expect("told").contains("reply \"join 3\""));
    // The time rules of a finished game are still known after a restore.
    club.send_reply_in_game_1("Ann", "cancel 3");
    club.run_pass();
    club.restore_from_journal();
    club.send_reply_in_game_1("Ann", "rematch");
    let (_, letters) = club.run_pass();
    let told = letters.iter().find(|letter| letter.to == address("Bob")).expect("invited");
    assert!(told.contains("4: Paris Connection for 3, 2 seats free, with 3 days per turn"));
    let told = told.clone();
    let yes = club.compose_reply_to("Bob", &told, "yes");
    club.deliver(yes);
    club.send_reply_in_game_1("Cid", "join 4");
    let (_, letters) = club.run_pass();
    assert_eq!(letters.iter().filter(|letter| letter.contains(", game 4 of The")).count(), 3);
}

#[test]
fn rematch_names_only_unusual_options() {
    let mut club = Club::with_game("", "off-the-rails", 2, 3);
    let over = process::moderate_game(&club.open_context(), 1, &Intervention::End, "Enough.");
    assert!(over.is_ok());
    club.run_pass();
    club.send_reply("Ann", "rematch");
    let (_, letters) = club.run_pass();
    let told = letters.iter().find(|letter| letter.to == address("Bob")).expect("invited");
    assert!(
        told.contains("2: Off the Rails for 2, one seat free, without deadlines "),
        "{}",
        told.body_text()
    );
}
