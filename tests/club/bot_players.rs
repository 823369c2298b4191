//! Bots in games of people: how they get seats, when they move, and what people read about it.

use crate::lobby::write_and_get_answer;
use crate::rig::moderator_letters::{ask_as_mod, introduce_mod};
use crate::rig::{Club, PostedLetter, address, first_letter_to};
use chrono::TimeDelta;
use postrider::club::{Intervention, UndoTerm};
use postrider::process;
use postrider::rules::{BotLevel, Seat};
use postrider::table::Cause;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

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

/// Delivers a letter from Ann, runs a pass, and returns the letters to her.
fn letters_after(club: &mut Club, body: &str) -> Vec<PostedLetter> {
    club.send_reply("Ann", body);
    let (_, letters) = club.run_pass();
    letters.into_iter().filter(|letter| letter.to == address("Ann")).collect()
}

#[test]
fn bots_in_wrong_number_are_refused() {
    let mut club = Club::with_tricks_game("");
    club.mark_all_answered();
    for (line, said) in [
        ("new trick-of-the-rails seats 3 bots 0 fair", "The levels are easy, fair and strong"),
        ("new trick-of-the-rails seats 3 bots 2 hard", "didn't understand \"hard\""),
        ("new trick-of-the-rails seats 3 bots 3 easy", "That's too many computer players"),
        ("new trick-of-the-rails bots 9 easy", "This game is for 3 to 5 players"),
        ("invite 1 bot fair", "Only the player who started game 1"),
        ("invite 1 bot hard", "The levels are easy, fair and strong"),
        ("new trick-of-the-rails seats 3 bots 2 deadline none nmr bot", "if the game has one"),
        ("practice chess", "Which game would you like to practise?"),
        ("practice trick-of-the-rails seats 9", "This game is for 3 to 5 players"),
    ] {
        let letter = letters_after(&mut club, line).remove(0);
        assert!(letter.contains(said), "{line}: {}", letter.body_text());
    }
    assert!(process::load_stored_game(&club.open_context(), 2).is_err());
}

#[test]
fn founder_fills_proposed_game_with_bots() {
    let mut club = Club::with_tricks_game("");
    club.mark_all_answered();
    letters_after(&mut club, "new trick-of-the-rails seats 4 deadline 3d");
    club.send_reply("Bob", "join 2");
    club.run_pass();
    let added = letters_after(&mut club, "invite 2 bot easy").remove(0);
    assert!(added.contains("2: Trick of the Rails for 4, one seat free"), "{}", added.body_text());
    letters_after(&mut club, "invite 2 bots 1 strong");
    let mut names = names_in_game(&club, 2);
    names.sort();
    assert_eq!(names, ["Ann", "Bob", "Robo 1 (easy)", "Robo 2 (strong)"]);
    let context = club.open_context();
    // A bot would wait for the end of the time for undo before each of its turns.
    let room = context.store.game_info(2).expect("it is stored");
    assert_eq!(room.undo, Some(UndoTerm::Off));
    let session = process::load_stored_game(&context, 2).expect("it opens");
    let waits = &session.clock.as_ref().expect("it has a deadline").waits;
    assert!(waits.iter().all(|wait| session.seats[wait.seat.index()].1.bot.is_none()));
    drop(context);
    // Nobody can talk to a bot.
    let robo = session.names.iter().position(|name| name == "Robo 1 (easy)").expect("it plays");
    let told = letters_after(&mut club, &format!("tell {} hello", robo + 1));
    assert!(told[0].contains("is a computer player"), "{}", told[0].body_text());
}

#[test]
fn moderator_gives_seat_to_bot() {
    let mut club = Club::with_tricks_game("");
    let context = club.open_context();
    let what = Intervention::Replace { seat: Seat::new(1), by: "bot strong".into() };
    process::moderate_game(&context, 1, &what, "Ann is ill.").expect("it is done");
    let wrong = Intervention::Replace { seat: Seat::new(2), by: "bot hard".into() };
    assert!(process::moderate_game(&context, 1, &wrong, "Bob is ill.").is_err());
    drop(context);
    let (_, letters) = club.run_pass();
    assert_eq!(names_in_game(&club, 1)[0], "Robo 1 (strong)");
    let bobs = first_letter_to(&letters, "Bob");
    assert!(bobs.contains("Robo 1 (strong) now plays for Ann"), "{}", bobs.body_text());
    assert!(legal_line(&club, 1, "Bob").is_some(), "the bot has moved");
    introduce_mod(&mut club);
    let log = ask_as_mod(&mut club, "log 1");
    let said = "orders from a computer player (strong) for Robo 1 (strong)";
    assert!(log.contains(said), "{}", log.body_text());
}

#[test]
fn bot_plays_for_absent_player_until_letter() {
    let mut club = Club::with_tricks_game("clock: {deadline: 1 day, nmr: bot, reminders: []}\n");
    let seated = |club: &Club| {
        let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
        (session.seats[0].0.bot_stands_in, session.names[0].clone())
    };
    club.send_reply("Ann", "note Cid hoards red");
    (0..30).for_each(|_| drop(club.run_pass()));
    assert_eq!(seated(&club), (true, "Ann".to_owned()));
    let anns = club.last_text_to("Ann");
    assert!(anns.contains("so a computer player plays for you until you"), "{anns}");
    assert!(anns.contains("Cid hoards red"), "the notes stay: {anns}");
    assert!(club.last_text_to("Bob").contains("Ann is away, so a computer player plays for them"));
    // Bob and Cid play on, and the bot moves at once.
    let line = legal_line(&club, 1, "Bob").expect("Bob's turn");
    club.send_reply("Bob", &line);
    club.run_pass();
    let line = legal_line(&club, 1, "Cid").expect("Cid's turn");
    club.send_reply("Cid", &line);
    club.run_pass();
    let before = club.record_count();
    club.send_reply("Ann", "status");
    club.run_pass();
    assert_eq!(seated(&club), (false, "Ann".to_owned()));
    (0..3).for_each(|_| drop(club.run_pass()));
    assert!(club.record_count() <= before + 1, "the bot plays no more");
}

#[test]
fn practice_game_is_private_and_undoable() {
    let mut club = Club::with_tricks_game("");
    club.mark_all_answered();
    let letters = letters_after(&mut club, "practice trick-of-the-rails easy");
    assert_eq!(letters.len(), 1);
    assert!(
        letters[0].contains("practice game against computer players"),
        "{}",
        letters[0].body_text()
    );
    let again = letters_after(&mut club, "practice off-the-rails").remove(0);
    assert!(again.contains("You already have a practice game, number 2"), "{}", again.body_text());
    club.send_reply("Bob", "games");
    club.run_pass();
    assert!(!club.last_text_to("Bob").contains("2:"), "{}", club.last_text_to("Bob"));

    // An undo goes back to before Ann's last orders, although bots have moved since.
    let line = legal_line(&club, 2, "Ann").expect("Ann's turn");
    let played = reply_in_game(&mut club, 2, &line).remove(0);
    assert!(played.contains("Robo"), "{}", played.body_text());
    let undone = reply_in_game(&mut club, 2, "undo").remove(0);
    assert!(undone.contains("Undone: "), "{}", undone.body_text());
    assert_eq!(legal_line(&club, 2, "Ann").as_deref(), Some(&*line), "the same position");
    let before = turns_of(&club, 2);
    reply_in_game(&mut club, 2, &line);
    assert!(turns_of(&club, 2).starts_with(&before[..1]), "the same orders lead to the same turns");
    let session = process::load_stored_game(&club.open_context(), 2).expect("it opens");
    assert_eq!(session.table.verify().findings, []);

    let last = reply_in_game(&mut club, 2, "resign").remove(0);
    assert!(last.contains("We've ended the game"), "{}", last.body_text());
    let (rated, _) = process::load_rated_games(&club.open_context()).expect("they are read");
    assert!(rated.is_empty());
    letters_after(&mut club, "practice off-the-rails seats 2");
    assert_eq!(names_in_game(&club, 3).len(), 2);
}

#[test]
fn silent_practice_game_ends() {
    let mut club = Club::with_tricks_game("reminder_days: 1\n");
    club.mark_all_answered();
    letters_after(&mut club, "practice trick-of-the-rails");
    let over = |club: &Club| {
        process::load_stored_game(&club.open_context(), 2).expect("it opens").table.is_over()
    };
    for _ in 0..13 {
        club.now += TimeDelta::days(1);
        let (_, letters) = club.run_pass();
        assert!(!letters.iter().any(|l| l.contains("game 2")), "no reminder comes");
    }
    assert!(!over(&club));
    club.now += TimeDelta::days(1);
    club.run_pass();
    assert!(over(&club));
    assert!(club.last_text_to("Ann").contains("nobody has played for 14 days"));
}

#[test]
fn hint_names_three_lines_once() {
    let mut club = Club::with_tricks_game("");
    club.mark_all_answered();
    let not_here = letters_after(&mut club, "hint").remove(0);
    assert!(not_here.contains("This game has no hints."), "{}", not_here.body_text());
    letters_after(&mut club, "practice trick-of-the-rails");
    let letters = reply_in_game(&mut club, 2, "hint");
    assert_eq!(letters.len(), 1);
    assert!(letters[0].contains("likes these orders best"), "{}", letters[0].body_text());
    assert!(letters[0].header("In-Reply-To").is_some());
    assert_eq!(letters[0].body_text().matches("%)").count(), 3, "{}", letters[0].body_text());
    let again = reply_in_game(&mut club, 2, "hint").remove(0);
    assert!(again.contains("already had a hint"), "{}", again.body_text());
    // The next hint is in another language, with the orders in its words.
    club.set_preference(&address("Ann"), "language es");
    let line = legal_line(&club, 2, "Ann").expect("it is Ann's turn");
    reply_in_game(&mut club, 2, &line);
    let spanish = reply_in_game(&mut club, 2, "pista").remove(0);
    let body = spanish.body_text();
    let hint = body.split_once("Estas son las jugadas").expect(&body).1;
    assert!(hint.lines().any(|line| line.contains("jugar") && line.contains(" %)")), "{body}");
}

/// Delivers Ann's reply to her last letter about a game.
fn deliver_reply_in_game(club: &mut Club, game: u32, body: &str) {
    let start = format!("g{game}.");
    let mut posted = club.transport.posted.iter().rev();
    let letter = posted.find(|l| {
        l.to == address("Ann") && l.name().starts_with(&start) && l.name().contains(".r")
    });
    let reply = club.compose_reply_to("Ann", &letter.expect("a letter").clone(), body);
    club.deliver(reply);
}

/// Delivers Ann's reply to her last letter about a game, and runs a pass. Returns the letters to
/// her.
fn reply_in_game(club: &mut Club, game: u32, body: &str) -> Vec<PostedLetter> {
    deliver_reply_in_game(club, game, body);
    let (_, letters) = club.run_pass();
    letters.into_iter().filter(|letter| letter.to == address("Ann")).collect()
}

/// Returns the lines of all turns of bots in a game.
fn turns_of(club: &Club, game: u32) -> Vec<String> {
    let session = process::load_stored_game(&club.open_context(), game).expect("it opens");
    let lines = session.table.records().iter().filter_map(|record| match &record.cause {
        Cause::Bot { lines, .. } => Some(lines.join(", ")),
        _ => None,
    });
    lines.collect()
}

#[test]
fn bots_need_time_but_never_stall() {
    static CLOCK: AtomicU64 = AtomicU64::new(0);
    let mut club = Club::with_tricks_game("bots: {seconds_per_pass: 1}\n");
    club.mark_all_answered();
    club.send_reply("Ann", "new trick-of-the-rails seats 4 bots 3 easy first");
    club.run_pass();
    let line = legal_line(&club, 2, "Ann").expect("Ann begins");
    club.send_reply("Ann", &line);
    // Each reading of the stopwatch takes a minute.
    let slow = || Duration::from_secs(60 * CLOCK.fetch_add(1, Ordering::Relaxed));
    let before = turns_of(&club, 2).len();
    for turns in 1..=3 {
        let mut context = club.open_context();
        context.stopwatch = slow;
        club.run_pass_in(&context);
        drop(context);
        assert_eq!(turns_of(&club, 2).len(), before + turns, "one decision in each pass");
    }
}

#[test]
fn newcomer_cannot_take_name_of_bot() {
    let club = Club::with_tricks_game("");
    let context = club.open_context();
    for name in ["Robo 1 (fair)", "robo 7 (Easy)", "ROBO 12 (fuerte)"] {
        let new = process::preview_new_member(&context, &format!("{name} <x@example.org>"), false);
        assert!(new.is_err(), "{name}");
    }
}

#[test]
fn fourth_game_against_bots_is_refused() {
    let mut club = Club::with_tricks_game("");
    club.mark_all_answered();
    letters_after(&mut club, "practice trick-of-the-rails easy");
    for _ in 0..2 {
        letters_after(&mut club, "new trick-of-the-rails seats 3 bots 2 easy");
    }
    letters_after(&mut club, "new off-the-rails seats 2 deadline 3d");
    for line in ["new off-the-rails bots 1 easy", "practice off-the-rails", "invite 5 bot easy"] {
        let refused = letters_after(&mut club, line).remove(0);
        assert!(refused.contains("You already have"), "{line}: {}", refused.body_text());
    }
    assert!(process::load_stored_game(&club.open_context(), 5).is_err());
}

#[test]
fn club_without_bots_refuses_them() {
    let mut club = Club::with_tricks_game("bots: off\n");
    club.mark_all_answered();
    for line in ["practice off-the-rails", "new trick-of-the-rails seats 3 bots 2", "hint"] {
        let refused = letters_after(&mut club, line).remove(0);
        let said = if line == "hint" { "has no hints" } else { "has no computer players" };
        assert!(refused.contains(said), "{line}: {}", refused.body_text());
    }
}

#[test]
fn hint_outside_own_turn_is_refused() {
    let mut club = Club::with_tricks_game("");
    club.mark_all_answered();
    letters_after(&mut club, "new trick-of-the-rails seats 3 hints deadline 3d nmr bot");
    for name in ["Bob", "Cid"] {
        club.send_reply(name, "join 2");
        club.run_pass();
    }
    let welcome = club.last_text_to("Ann");
    assert!(welcome.contains("reply \"hint\""), "{welcome}");
    let waiting = if legal_line(&club, 2, "Ann").is_some() { "Bob" } else { "Ann" };
    club.send_reply(waiting, "hint");
    club.run_pass();
    let refused = club.last_text_to(waiting);
    assert!(refused.contains("only get a hint on your turn"), "{refused}");
}

#[test]
fn rematch_keeps_bots() {
    let mut club = club_with_bots();
    let context = club.open_context();
    process::moderate_game(&context, 2, &Intervention::End, "It is late.").expect("it ends");
    drop(context);
    club.run_pass();
    reply_in_game(&mut club, 2, "rematch");
    let mut names = names_in_game(&club, 3);
    names.sort();
    assert_eq!(names, ["Ann", "Robo 1 (fair)", "Robo 2 (fair)"]);
    letters_after(&mut club, "practice trick-of-the-rails");
    reply_in_game(&mut club, 4, "resign");
    let no = reply_in_game(&mut club, 4, "rematch").remove(0);
    assert!(no.contains("To practise again"), "{}", no.body_text());
}

#[test]
fn moderator_hears_once_of_failed_search() {
    let mut club = Club::with_tricks_game("");
    club.mark_all_answered();
    club.send_reply("Ann", "new trick-of-the-rails seats 3 bots 2 easy");
    let mut told = 0;
    for _ in 0..3 {
        let mut context = club.open_context();
        context.bot_search = |_, _, _| panic!("a fault in the search");
        let (_, letters) = club.run_pass_in(&context);
        drop(context);
        let says = |letter: &&PostedLetter| letter.contains("couldn't choose a move in game 2");
        told += letters.iter().filter(says).count();
        let line = legal_line(&club, 2, "Ann").expect("the bots played as for an absent player");
        deliver_reply_in_game(&mut club, 2, &line);
    }
    assert_eq!(told, 1);
    let session = process::load_stored_game(&club.open_context(), 2).expect("it opens");
    assert_eq!(session.table.verify().findings, []);
}
