//! Previews, which reveal only what the player could have found out alone. Refused letters reveal
//! no more than a preview.

use crate::rig::Club;
use postrider::process;
use postrider::rules::Seat;

const CHANCE_NOTICE: &str = "What comes next depends on chance, or on things you can't know";

fn club_with_game(game: &str, seats: u8, seed: u64) -> Club {
    Club::with_game("", game, seats, seed)
}

fn awaited_player(club: &Club) -> &'static str {
    let turn = process::load_stored_game(&club.open_context(), 1).expect("it opens").table.turn();
    let seat = Seat::all(4).find(|&seat| turn.awaits(seat)).expect("somebody is awaited");
    crate::rig::NAMES[seat.index()]
}

#[test]
fn preview_stops_where_chance_decides() {
    for seed in 0..4 {
        let mut club = club_with_game("off-the-rails", 2, seed);
        let name = awaited_player(&club);
        club.send_reply(name, "preview\nlay A1 ns\ndone\nlay B1 ns");
        let (_, letters) = club.run_pass();
        let text = letters[0].body_text();
        assert!(text.contains("You lay") && letters[0].contains(CHANCE_NOTICE), "{text}");
        assert!(letters[0].contains(". So we didn't check line 4 and what follows it."), "{text}");
        let results = text.split("WHAT YOUR ORDERS WOULD DO").nth(1).expect("the results");
        let results = results.split("THE BOARD").next().expect("it ends");
        assert!(!results.contains("deposit"), "{results}");
        assert_eq!(club.record_count(), 1);
    }
}

#[test]
fn preview_shows_board_after_its_orders() {
    let mut club = club_with_game("off-the-rails", 2, 1);
    let name = awaited_player(&club);
    let mut board_after = |body: &str| {
        club.send_reply(name, body);
        let text = club.run_pass().1[0].body_text();
        // A letter shows no empty board.
        let (_, board) = text.split_once("THE BOARD").unwrap_or_default();
        let (heading, board) = board.split_once('\n').unwrap_or_default();
        let (board, _) = board.split_once("THE TABLE").unwrap_or_default();
        (heading.trim().to_owned(), board.to_owned())
    };
    let (_, before) = board_after("status");
    let (heading, previewed) = board_after("preview\nlay A1 ns, B2 ew");
    assert_eq!(heading, "AFTER THESE ORDERS");
    let (heading, board) = board_after("lay A1 ns, B2 ew");
    assert_eq!((heading.as_str(), &board), ("", &previewed));
    assert_ne!(before, board);
}

#[test]
fn preview_is_sent_although_its_order_followed() {
    let mut club = club_with_game("off-the-rails", 2, 1);
    let name = awaited_player(&club);
    club.send_reply(name, "preview\nlay A1 ns, B2 ew");
    club.send_reply(name, "lay A1 ns, B2 ew");
    let (_, letters) = club.run_pass();
    let texts: Vec<String> = letters.iter().map(|letter| letter.body_text()).collect();
    assert!(texts.iter().any(|text| text.contains("THE BOARD AFTER THESE ORDERS")), "{texts:?}");
    assert!(texts.iter().any(|text| text.contains("carried out your orders")), "{texts:?}");
}

#[test]
fn preview_without_chance_shows_all_results() {
    let mut club = club_with_game("trick-of-the-rails", 3, 2);
    club.send_reply("Ann", "preview\nB&O 3");
    let (_, letters) = club.run_pass();
    assert!(
        letters[0].contains("You play B&O 3") && !letters[0].contains(CHANCE_NOTICE),
        "{}",
        letters[0].body_text()
    );
}

#[test]
fn revealed_chance_stands_despite_later_wrong_line() {
    let mut club = club_with_game("off-the-rails", 1, 3);
    club.send_reply("Ann", "lay A1 ns\ndone\nlay Z9 ns");
    let (report, letters) = club.run_pass();
    assert_eq!((report.carried_out, club.record_count()), (1, 2));
    let text = letters[0].body_text();
    assert!(letters[0].contains("What came up before line 3 can't be undone"), "{text}");
    assert!(letters[0].contains("We've carried out your orders."), "{text}");
    let verified =
        process::load_stored_game(&club.open_context(), 1).expect("it opens").table.verify();
    assert!(verified.findings.is_empty(), "{verified:?}");
    // If no chance was revealed, the whole letter is refused.
    club.send_reply("Ann", "lay B1 ns\nlay Z9 ns\ndone");
    let (report, letters) = club.run_pass();
    assert_eq!((report.carried_out, club.record_count()), (0, 2), "{}", letters[0].body_text());
}

#[test]
fn line_after_turn_is_skipped_once_chance_decided() {
    let mut club = club_with_game("off-the-rails", 2, 1);
    let name = awaited_player(&club);
    club.send_reply(name, "done\nlay A1 ns");
    let (report, letters) = club.run_pass();
    assert_eq!((report.carried_out, club.record_count()), (1, 2));
    let own = letters.iter().find(|letter| letter.to == crate::rig::address(name)).expect("one");
    assert!(own.contains("Your turn had ended before that line."), "{}", own.body_text());
}

#[test]
fn preview_of_plans_and_settings_changes_nothing() {
    let mut club = club_with_game("trick-of-the-rails", 3, 2);
    let mut ask = |lines: &str| {
        club.send_reply("Ann", lines);
        club.run_pass().1.remove(0)
    };
    let all = ask("preview\nB&O 3\nif win city NYC right\nauto forced on\nnote watch Bob\nsay hi");
    for expected in ["You play B&O 3", "Trick 2, if you win", "one legal order, we play it", "hi"] {
        assert!(all.contains(expected), "{expected}: {}", all.body_text());
    }
    ask("if win city NYC right\nauto forced on");
    let cleared = ask("preview\nclear plans\nauto forced off");
    assert!(cleared.contains("You'd have no saved plans left."), "{}", cleared.body_text());
    assert!(cleared.contains("We no longer play your only legal order"), "{}", cleared.body_text());
    let seat =
        process::load_stored_game(&club.open_context(), 1).expect("it opens").seats[0].0.clone();
    assert!(
        seat.queued_orders.auto_forced && !seat.queued_orders.plans.is_empty(),
        "nothing was done"
    );
    assert_eq!(club.record_count(), 1);
}

#[test]
fn moderator_preview_hides_results_of_chance() {
    let club = club_with_game("off-the-rails", 2, 1);
    let turn = process::load_stored_game(&club.open_context(), 1).expect("it opens").table.turn();
    let seat = Seat::all(2).find(|&seat| turn.awaits(seat)).expect("somebody is awaited");
    let preview_lines = |lines: &[&str]| {
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        process::run_moderator_lines(&club.open_context(), &lines, true).expect("it could be done")
    };
    let before = preview_lines(&["log 1"]);
    let tried = preview_lines(&[&format!("force 1 seat {seat} because he is away"), "log 1"]);
    assert_eq!(tried.last(), before.last());
}
