//! Bots in games of people: how they get seats, when they move, and what people read about it.

use crate::lobby::write_and_get_answer;
use crate::rig::{Club, address};
use postrider::process;
use postrider::rules::{BotLevel, Seat};
use postrider::table::Cause;

/// Returns a club in which Ann, Bob and Cid are members, and game 2 is one of Ann and two bots.
fn club_with_bots() -> Club {
    let mut club = Club::with_tricks_game("");
    club.mark_all_answered();
    club.send_reply("Ann", "new trick-of-the-rails seats 3 bots 2 fair");
    club.run_pass();
    club
}

fn names_in_game(club: &Club, game: u32) -> Vec<String> {
    process::load_stored_game(&club.open_context(), game).expect("it has begun").names
}

/// Returns a legal line for a seat of a game, or `None` if it is not that seat's turn.
fn legal_line(club: &Club, game: u32, name: &str) -> Option<String> {
    let session = process::load_stored_game(&club.open_context(), game).expect("it opens");
    let seat = Seat::all(3).find(|seat| session.names[seat.index()] == name)?;
    session.table.game().legal_lines(seat).into_iter().next()
}

#[test]
fn game_with_bots_begins_at_once() {
    let mut club = Club::with_tricks_game("");
    club.mark_all_answered();
    club.send_reply("Ann", "new trick-of-the-rails seats 3 bots 2 fair");
    let (_, letters) = club.run_pass();
    let to: Vec<&str> = letters.iter().map(|letter| letter.to.as_str()).collect();
    assert_eq!(to, [address("Ann")], "one letter is the answer and the first letter of the game");
    let mut names = names_in_game(&club, 2);
    names.sort();
    assert_eq!(names, ["Ann", "Robo 1 (fair)", "Robo 2 (fair)"]);
    assert!(legal_line(&club, 2, "Ann").is_some(), "the bots have moved in the same pass");
    assert!(letters[0].contains("Robo 1 (fair)"), "{}", letters[0].body_text());
    // The bots are members, so a second game gets the same ones.
    write_and_get_answer(
        &mut club,
        "Bob",
        "new trick-of-the-rails seats 3 bots 1 fair bots 1 easy",
    );
    let mut names = names_in_game(&club, 3);
    names.sort();
    assert_eq!(names, ["Bob", "Robo 1 (fair)", "Robo 3 (easy)"]);
}

#[test]
fn one_letter_answers_and_tells_bot_turns() {
    let mut club = club_with_bots();
    for _ in 0..4 {
        let line = legal_line(&club, 2, "Ann").expect("it is always Ann's turn");
        club.send_reply("Ann", &line);
        let (report, letters) = club.run_pass();
        assert_eq!((report.carried_out, letters.len()), (1, 1));
        assert!(letters[0].contains("Robo 1 (fair)"), "{}", letters[0].body_text());
    }
    let session = process::load_stored_game(&club.open_context(), 2).expect("it opens");
    let is_bot =
        |cause: &Cause| matches!(cause, Cause::Bot { bot, .. } if bot.level == BotLevel::Fair);
    let count = session.table.records().iter().filter(|record| is_bot(&record.cause)).count();
    assert!(count >= 8, "{count}");
    assert_eq!(session.table.verify().findings, []);
}
