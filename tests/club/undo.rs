//! The command `undo`, which takes back a player's last orders if no other player has been affected
//! and the time limit has not passed.

use crate::rig::moderator_letters::{ask_as_mod, introduce_mod};
use crate::rig::{Club, PostedLetter, first_letter_to, letters_to, postrider_program};
use chrono::{DateTime, TimeDelta, Utc};
use postrider::club::clock::Wait;
use postrider::club::{Intervention, UndoTerm};
use postrider::games::find_kind;
use postrider::mail::transport::PostError;
use postrider::process;
use postrider::rules::Seat;
use postrider::store::{Batch, LogLine};
use postrider::table::{
    Cause, GameSetup, OrderLine, QueuedOrders, Record, RehearsalMode, Submission, Verdict, rehearse,
};
use std::collections::BTreeMap;
use std::sync::Arc;

const TIMED_SETTINGS: &str =
    "clock: {deadline: 3 days, nmr: wait, bank: 2 days, increment: 3 hours, reminders: []}\n";

/// Sends a reply, runs a pass and returns its letters. A pass advances the clock by one hour.
fn send_and_pass(club: &mut Club, name: &str, body: &str) -> Vec<PostedLetter> {
    club.send_reply(name, body);
    club.run_pass().1
}

/// Asserts that this letter is refused for this reason, and that only its writer gets an answer.
/// Returns the answer.
fn assert_refused(club: &mut Club, name: &str, body: &str, why: &str) -> PostedLetter {
    let head = club.record_count();
    let letters = send_and_pass(club, name, body);
    let [letter] = letters.as_slice() else { panic!("{letters:?}") };
    assert!(letter.contains(why), "{}", letter.body_text());
    assert!(letter.contains("Nothing has changed"), "{}", letter.body_text());
    assert_eq!(club.record_count(), head);
    letter.clone()
}

fn seat_wait(club: &Club, seat: u8) -> Option<Wait> {
    let clock = club.open_context().store.clock(1).expect("it reads").expect("a clock");
    clock.wait_of_seat(Seat::new(seat)).cloned()
}

/// Asserts that the log of game 1 verifies, and returns whether Ann must act.
fn is_valid_with_ann_awaited(club: &Club) -> bool {
    let table = process::load_stored_game(&club.open_context(), 1).expect("it opens").table;
    let report = table.verify();
    assert_eq!(report.findings, []);
    table.turn().awaits(Seat::new(1))
}

#[test]
fn undone_orders_restore_position_and_are_announced() {
    let mut club = Club::with_paris_game(TIMED_SETTINGS);
    let before = seat_wait(&club, 1);
    let first = club.last_letter_of_game_1("Ann");
    send_and_pass(&mut club, "Ann", "build red G23\nnext: trade red for 2 blue");
    let confirmed = club.last_letter_of_game_1("Ann").body_text();
    assert!(confirmed.contains("undo this until Mon 20:00, if nobody"), "{confirmed}");
    let withdrawn = club.last_letter_of_game_1("Bob");
    assert!(withdrawn.contains("It's your turn."));
    let letters = send_and_pass(&mut club, "Ann", "Oops, the wrong city, sorry!\nundo");
    assert_eq!(letters.len(), 3);
    let own = first_letter_to(&letters, "Ann");
    for said in [
        "Undone: build red G23.",
        "Your plans were for the turn that you undid, so we've dropped them.",
        "You undid your last orders. The game is back at move 1.",
        "It's your turn. You have until Thu 8 Jan 2026 18:00 UTC.",
        "Oops, the wrong city",
    ] {
        assert!(own.contains(said), "{said}: {}", own.body_text());
    }
    assert!(!own.contains("On your next turn"), "{}", own.body_text());
    let told = first_letter_to(&letters, "Bob");
    assert!(told.contains("Ann undid their last orders"), "{}", told.body_text());
    assert!(told.contains("It's Ann's turn.") && !told.contains("It's your turn."));
    assert_eq!((seat_wait(&club, 1), seat_wait(&club, 2)), (before, None), "Ann's time continues");
    assert!(is_valid_with_ann_awaited(&club));

    // An order that answers the undone position is refused. The answer shows the current position.
    let order = club.compose_reply_to("Bob", &withdrawn, "build black F24");
    club.deliver(order);
    let (_, letters) = club.run_pass();
    let [letter] = letters.as_slice() else { panic!("{letters:?}") };
    assert!(letter.contains("Ann undid the last move after the e-mail you replied to"));
    assert!(letter.contains("THE BOARD") && letter.contains("It's Ann's turn."));

    // Ann's older letter shows the current position again, so her answer to it is accepted.
    let again = club.compose_reply_to("Ann", &first, "build black F24");
    club.deliver(again);
    let (report, letters) = club.run_pass();
    assert_eq!((report.carried_out, letters.len()), (1, 3), "{letters:?}");
    assert!(
        first_letter_to(&letters, "Bob").contains("Ann builds black on F24")
            && !is_valid_with_ann_awaited(&club)
    );
    let history = send_and_pass(&mut club, "Cid", "history").remove(0);
    assert!(history.contains("3. (5 Jan 2026) Ann undid their"), "{}", history.body_text());
    introduce_mod(&mut club);
    assert!(ask_as_mod(&mut club, "log 1").contains("move 3, Ann undid the last orders"));
}

#[test]
fn undo_refusal_gives_reason_and_alternative() {
    let mut club = Club::with_paris_game(TIMED_SETTINGS);
    let letter = assert_refused(&mut club, "Ann", "undo", "You have no orders to undo");
    // No one has moved, so a vote to rewind would be refused too.
    assert!(!letter.contains("vote rewind"), "{}", letter.body_text());
    send_and_pass(&mut club, "Ann", "build red G23");
    let letter = assert_refused(&mut club, "Bob", "undo", "You have no orders to undo");
    assert!(letter.contains("last turn, write \"vote rewind\""), "{}", letter.body_text());
    assert_refused(&mut club, "Ann", "build red G25\nundo", "put \"undo\" above your new orders");
    assert_refused(&mut club, "Ann", "undo\ntake it back", "Write it once");
    club.now -= TimeDelta::minutes(179);
    assert_refused(
        &mut club,
        "Ann",
        "undo",
        "You can undo orders for 1 hour after we carry them out",
    );
    send_and_pass(&mut club, "Bob", "build black F24");
    assert_refused(&mut club, "Ann", "undo", "Too late to undo: Bob has already moved.");
    // The trade shows a share that was hidden.
    send_and_pass(&mut club, "Cid", "trade black for 2 blue");
    let text = club.last_text_to("Cid");
    let gives = if text.contains("We couldn't carry out") { "brown" } else { "black" };
    if gives == "brown" {
        send_and_pass(&mut club, "Cid", "trade brown for 2 blue");
    }
    assert_refused(&mut club, "Cid", "undo", "they've revealed something hidden");
    assert!(
        process::moderate_game(&club.open_context(), 1, &Intervention::Force(Seat::new(1)), "x")
            .is_ok()
    );
    club.run_pass();
    assert_refused(
        &mut club,
        "Ann",
        "undo",
        "because your orders hadn't come. You can't undo that.",
    );
    assert!(process::moderate_game(&club.open_context(), 1, &Intervention::Rewind(1), "x").is_ok());
    club.run_pass();
    assert_refused(&mut club, "Bob", "undo", "The game has been rewound");
    assert!(process::moderate_game(&club.open_context(), 1, &Intervention::End, "x").is_ok());
    club.run_pass();
    let letter = assert_refused(&mut club, "Ann", "undo", "have revealed what was hidden");
    assert!(!letter.contains("vote rewind"), "{}", letter.body_text());
}

#[test]
fn undo_time_limit_counts_from_arrival() {
    let mut club = Club::with_paris_game(TIMED_SETTINGS);
    club.send_reply("Ann", "build red G23");
    club.run_pass();
    // The letter arrives one hour after the orders were carried out. It counts although it is read
    // five hours later.
    club.send_reply("Ann", "undo");
    club.now += TimeDelta::hours(5);
    let (_, letters) = club.run_pass();
    assert!(first_letter_to(&letters, "Ann").contains("Undone: build red G23."), "{letters:?}");
    assert!(is_valid_with_ann_awaited(&club));
    // This letter arrives one minute too late.
    send_and_pass(&mut club, "Ann", "build red G23");
    club.now += TimeDelta::minutes(1);
    assert_refused(&mut club, "Ann", "undo", "You can undo orders for 1 hour");
}

#[test]
fn played_card_cannot_be_undone() {
    let mut club = Club::with_tricks_game("votes: {rewind: none}\n");
    let letters = send_and_pass(&mut club, "Ann", "B&O 3");
    assert!(!first_letter_to(&letters, "Ann").contains("undo this until"), "{letters:?}");
    let letter = assert_refused(&mut club, "Ann", "undo", "such as a card or a share");
    assert!(letter.contains("You can ask the moderator"), "{}", letter.body_text());
}

#[test]
fn undo_with_new_order_is_all_or_nothing() {
    let mut club = Club::with_paris_game(TIMED_SETTINGS);
    send_and_pass(&mut club, "Ann", "build red G23");
    let letter = assert_refused(&mut club, "Ann", "undo\nbuild red A1", "Line 2 of your e-mail");
    assert!(!letter.contains("Undone"), "{}", letter.body_text());
    let head = club.record_count();
    club.now -= TimeDelta::hours(1);
    let letters = send_and_pass(&mut club, "Ann", "preview\nundo\nbuild black F24");
    let [letter] = letters.as_slice() else { panic!("{letters:?}") };
    assert!(letter.contains("Undone: build red G23.") && letter.contains("Nothing has been done"));
    assert!(letter.contains("You build black on F24"), "{}", letter.body_text());
    let letters = send_and_pass(&mut club, "Bob", "preview\nundo");
    assert!(letters[0].contains("You have no orders to undo"), "{}", letters[0].body_text());
    assert_eq!(club.record_count(), head);
    club.now -= TimeDelta::hours(3);
    let letters = send_and_pass(&mut club, "Ann", "undo\nbuild black F24");
    assert_eq!((letters.len(), club.record_count()), (3, head + 2));
    let told = first_letter_to(&letters, "Bob");
    assert!(
        told.contains("undid") && told.contains("Ann builds black on F24"),
        "{}",
        told.body_text()
    );
    assert!(told.contains("It's your turn."));
    let own = first_letter_to(&letters, "Ann");
    assert!(own.contains("1: undo") && own.contains("2: build black F24"), "{}", own.body_text());
    assert!(!is_valid_with_ann_awaited(&club));
}

#[test]
fn turn_can_be_undone_three_times() {
    let mut club = Club::with_paris_game(TIMED_SETTINGS);
    for _ in 0..3 {
        send_and_pass(&mut club, "Ann", "build red G23");
        send_and_pass(&mut club, "Ann", "undo");
        assert_refused(&mut club, "Ann", "undo", "You've already undone your orders");
    }
    send_and_pass(&mut club, "Ann", "build red G23");
    assert_refused(&mut club, "Ann", "undo", "already undone this turn 3 times");
    assert!(!is_valid_with_ann_awaited(&club));
}

#[test]
fn undo_restores_clock_bank_and_punctuality() {
    let at = |club: &Club, hours: i64| -> DateTime<Utc> { club.now + TimeDelta::hours(hours) };
    let mut club = Club::with_paris_game(TIMED_SETTINGS);
    let clock =
        |club: &Club| club.open_context().store.clock(1).expect("it reads").expect("a clock");
    let seated =
        |club: &Club| club.open_context().store.seat_assignments(1).expect("it reads")[0].clone();
    // Ann is nine hours late. Her time bank pays for them, and gains the increment.
    let late = at(&club, 80);
    while club.now < late {
        club.run_pass();
    }
    let (before, punctual) = (clock(&club), seated(&club).punctuality);
    send_and_pass(&mut club, "Ann", "build red G23");
    assert_eq!(before.remaining_time_bank(Seat::new(1)), TimeDelta::hours(48));
    assert_eq!(clock(&club).remaining_time_bank(Seat::new(1)), TimeDelta::hours(48 - 9 + 3));
    assert_ne!(seated(&club).punctuality, punctual);
    send_and_pass(&mut club, "Ann", "undo");
    let after = clock(&club);
    assert_eq!(after.waits, before.waits);
    assert_eq!(after.remaining_time_bank(Seat::new(1)), before.remaining_time_bank(Seat::new(1)));
    assert_eq!(seated(&club).punctuality, punctual);

    // If her time would already be over without the order, the order stands.
    let mut club =
        Club::with_paris_game("clock: {deadline: 2 hours, nmr: forfeit, reminders: []}\n");
    send_and_pass(&mut club, "Ann", "build red G23");
    assert_refused(&mut club, "Ann", "undo", "Your time for that turn is over.");
    assert_eq!(club.record_count(), 2);

    // A stopped clock keeps the time that was left.
    let mut club = Club::with_paris_game(TIMED_SETTINGS);
    let before = seat_wait(&club, 1);
    send_and_pass(&mut club, "Ann", "build red G23");
    assert!(process::moderate_game(&club.open_context(), 1, &Intervention::Pause, "x").is_ok());
    let letters = send_and_pass(&mut club, "Ann", "undo");
    assert!(first_letter_to(&letters, "Ann").contains("The clock of this game is stopped"));
    assert_eq!(seat_wait(&club, 1), before);
}

#[test]
fn order_and_undo_in_one_pass_keep_clock() {
    let mut club = Club::with_paris_game(TIMED_SETTINGS);
    let before = seat_wait(&club, 1);
    club.send_reply("Ann", "build red G23");
    club.send_reply("Ann", "undo");
    let (_, letters) = club.run_pass();
    assert_eq!((letters.len(), club.record_count()), (3, 3), "{letters:?}");
    assert_eq!((seat_wait(&club, 1), seat_wait(&club, 2)), (before, None));
    assert!(
        first_letter_to(&letters, "Bob").contains("Ann undid their last orders")
            && is_valid_with_ann_awaited(&club)
    );
    // A restore from the journal keeps the undo.
    club.restore_from_journal();
    assert!(is_valid_with_ann_awaited(&club));
}

#[test]
fn queued_letter_reflects_undo_when_it_leaves() {
    let mut club = Club::with_paris_game(TIMED_SETTINGS);
    send_and_pass(&mut club, "Bob", "letters turns");
    club.transport.error = Some(PostError::Unavailable("no line".to_owned()));
    assert!(send_and_pass(&mut club, "Ann", "build red G23").is_empty());
    club.send_reply("Ann", "undo");
    club.transport.error = None;
    let mut letters = club.run_pass().1;
    letters.extend(club.run_pass().1);
    let bob = letters_to(&letters, "Bob");
    assert_eq!(bob.len(), 1, "{letters:?}");
    assert!(bob[0].contains("It's Ann's turn.") && !bob[0].contains("It's your turn."));
    assert!(bob[0].contains("Ann undid their last orders"), "{}", bob[0].body_text());

    // Bob gets letters only about Bob's turns. The undo is such a letter, because Bob has read that
    // it was Bob's turn.
    send_and_pass(&mut club, "Ann", "build red G23");
    assert!(club.last_letter_of_game_1("Bob").contains("It's your turn."));
    let letters = send_and_pass(&mut club, "Ann", "undo");
    assert!(first_letter_to(&letters, "Bob").contains("It's Ann's turn."), "{letters:?}");
    let letters = send_and_pass(&mut club, "Ann", "undo\nbuild black F24");
    assert_eq!(letters_to(&letters, "Bob").len(), 0, "refused: there is nothing left to take back");
}

#[test]
fn undo_drops_outdated_plans_with_notice() {
    let mut club = Club::with_paris_game(TIMED_SETTINGS);
    send_and_pass(&mut club, "Cid", "next: build black F24");
    send_and_pass(&mut club, "Ann", "build red G23");
    let letters = send_and_pass(&mut club, "Ann", "undo");
    let dropped = "Your plans were for the turn that Ann undid, so we've dropped them.";
    assert_eq!(letters.len(), 3);
    assert!(!first_letter_to(&letters, "Bob").contains(dropped), "he has none");
    let cid = first_letter_to(&letters, "Cid");
    assert!(
        !cid.contains(dropped) && cid.contains("On your next turn: build black F24"),
        "{cid:?}"
    );

    send_and_pass(&mut club, "Ann", "build red G23");
    send_and_pass(&mut club, "Cid", "next: build red G25");
    club.now -= TimeDelta::hours(1);
    let letters = send_and_pass(&mut club, "Ann", "undo");
    let cid = first_letter_to(&letters, "Cid");
    assert!(cid.contains(dropped) && !cid.contains("On your next turn"), "{}", cid.body_text());
}

#[test]
fn undo_voids_vote_on_same_rewind() {
    let mut club = Club::with_paris_game(TIMED_SETTINGS);
    send_and_pass(&mut club, "Ann", "build red G23");
    club.send_reply("Bob", "vote extend 1 day");
    club.send_reply("Cid", "vote rewind");
    club.run_pass();
    club.now -= TimeDelta::hours(1);
    let letters = send_and_pass(&mut club, "Ann", "undo");
    assert!(
        first_letter_to(&letters, "Bob").contains("no longer counts"),
        "{}",
        first_letter_to(&letters, "Bob").body_text()
    );
    let open = club.open_context().store.game_info(1).expect("it reads").open_votes;
    assert!(open.len() == 1 && matches!(open[0].intervention, Intervention::Extend(_)), "{open:?}");
}

#[test]
fn successor_cannot_undo_previous_owners_orders() {
    let mut club = Club::with_settings(TIMED_SETTINGS);
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    club.start_game(find_kind("paris-connection").expect("it ships"), 5, 8);
    club.run_pass();
    club.send_reply_in_game_1("Ann", "build red G23");
    club.run_pass();
    let old = club.last_letter_of_game_1("Ann");
    club.mark_all_answered();
    let what = Intervention::Replace { seat: Seat::new(1), by: "dot@example.org".into() };
    assert!(process::moderate_game(&club.open_context(), 1, &what, "Ann moved house.").is_ok());
    club.now -= TimeDelta::minutes(30);
    club.run_pass();
    club.now -= TimeDelta::hours(1);
    club.send_reply_in_game_1("Dot", "undo");
    club.run_pass();
    assert!(club.last_letter_of_game_1("Dot").contains("had this seat before you gave those"));
    let reply = club.compose_reply_to("Ann", &old, "undo");
    club.deliver(reply);
    club.run_pass();
    assert!(club.last_letter_to("Ann").expect("an answer").contains("valid, or no longer is"));
    assert_eq!(club.record_count(), 2);
}

#[test]
fn undo_term_is_fixed_when_game_starts() {
    let mut club = Club::with_paris_game("undo: off\n");
    assert!(club.last_letter_of_game_1("Bob").contains("you can't take orders back with \"undo\""));
    send_and_pass(&mut club, "Ann", "build red G23");
    assert_refused(&mut club, "Ann", "undo", "You can't undo orders in this game.");
    let path = club.folder().join("club.yaml");
    let settings = std::fs::read_to_string(&path).expect("club.yaml");
    std::fs::write(&path, settings.replace("undo: off", "undo: 2 hours")).expect("it is");
    assert_refused(&mut club, "Ann", "undo", "You can't undo orders in this game.");

    let undo_of = |club: &Club, game| {
        club.open_context().store.game_info(game).expect("it reads").undo_term()
    };
    let line = "new paris-connection seats 3 undo 90 minutes";
    let letters = send_and_pass(&mut club, "Ann", line);
    assert!(letters[0].contains("You have 90 minutes"), "{}", letters[0].body_text());
    send_and_pass(&mut club, "Bob", "join 2");
    let letters = send_and_pass(&mut club, "Cid", "join 2");
    assert!(letters.iter().any(|letter| letter.contains("You have 90 minutes")), "{letters:?}");
    assert_eq!(undo_of(&club, 2).to_string(), "90 minutes");
    let usual = club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    assert_eq!(undo_of(&club, usual).to_string(), "2 hours");

    let club = Club::new();
    let run = |arguments: &[&str]| {
        postrider_program::run_postrider(club.folder(), "2026-01-05T18:00:00Z", arguments)
    };
    let players = ["--player", "ann@x.org", "--player", "bob@x.org", "--player", "cid@x.org"];
    let new = |more: &[&str]| run(&[&["new", "paris-connection"], &players[..], more].concat());
    assert_eq!(new(&["--undo", "off"]).0, Some(0));
    assert_eq!(new(&[]).0, Some(0));
    assert!(new(&["--undo", "a week"]).1.contains("write off, or a time up to a day"));
    assert_eq!((undo_of(&club, 1), undo_of(&club, 2)), (UndoTerm::Off, UndoTerm::default()));
}

#[test]
fn forced_move_is_not_undone_under_auto_play() {
    let expert = BTreeMap::from([("expert_lane".to_owned(), "true".to_owned())]);
    let kind = find_kind("trick-of-the-rails").expect("it ships");
    // In this deal, Cid gets a locomotive when only one railway has none, so the order is forced.
    let setup =
        GameSetup { kind, definition: kind.shipped_definition(), options: &expert, seats: 3 };
    let whole = rehearse(setup, 1, 110, 500, RehearsalMode::SingleOrders).expect("it ends").table;
    let mut club = Club::with_settings("");
    club.start_game_with_options(kind, 3, 110, &expert);
    club.run_pass();
    let mut table = process::load_stored_game(&club.open_context(), 1).expect("it opens").table;
    for record in whole.records().iter().take(38).skip(1) {
        let Cause::Orders { seat, lines, .. } = &record.cause else { panic!("{record:?}") };
        let lines: Vec<OrderLine> =
            (1..).zip(lines).map(|(number, line)| OrderLine::new(number, line.clone())).collect();
        let (seat, seen, standing) = (*seat, table.last_record_number(), &QueuedOrders::default());
        let submission =
            Submission { seat, lines: &lines, seen_record: seen, letter: None, queued: standing };
        let Verdict::Accepted { table: after, .. } = table.submit(&submission, club.now) else {
            panic!("{lines:?}")
        };
        table = *after;
    }
    let line = |record: &Arc<Record>| LogLine { game: 1, seq: record.seq, line: record.to_line() };
    let log_lines = table.records_since(1).iter().map(line).collect();
    let batch = Batch { log_lines, ..Batch::default() };
    club.open_context().store.write_without_conflict_check(&batch).expect("written");
    send_and_pass(&mut club, "Cid", "status");
    let forced = table.game().only_legal_line(Seat::new(3)).expect("one railway is left");
    send_and_pass(&mut club, "Cid", &format!("{forced}\nauto forced on"));
    assert_eq!(club.record_count(), 39, "{}", club.last_text_to("Cid"));
    club.now -= TimeDelta::minutes(30);
    let why = "Your last order was the only legal one. If you undid it, we'd just play it";
    assert_refused(&mut club, "Cid", "undo", why);
}
