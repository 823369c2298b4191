//! Orders that are taken back by one word: as long as nobody is the worse for it, and no longer.

use crate::rig::moderator::{mod_asks, mod_is_known};
use crate::rig::{Club, Posted, all_to, command, to};
use chrono::{DateTime, TimeDelta, Utc};
use postrider::club::clock::Wait;
use postrider::club::{Intervention, UndoTerm};
use postrider::games::kind;
use postrider::mail::transport::PostError;
use postrider::process;
use postrider::rules::Seat;
use postrider::store::{Batch, LogLine};
use postrider::table::{
    Cause, GameSetup, Manner, OrderLine, Record, StandingOrders, Submission, Verdict, rehearse,
};
use std::collections::BTreeMap;
use std::sync::Arc;

const TIMED: &str = "clock: {deadline: 3 days, nmr: wait, bank: 2 days, reminders: []}\n";

/// A player writes, and a pass follows, after which it is an hour later.
fn writes(club: &mut Club, name: &str, body: &str) -> Vec<Posted> {
    club.writes(name, body);
    club.pass().1
}

/// The one letter that came of this, which refuses it.
fn refused(club: &mut Club, name: &str, body: &str, why: &str) -> Posted {
    let head = club.head();
    let letters = writes(club, name, body);
    let [letter] = letters.as_slice() else { panic!("{letters:?}") };
    assert!(letter.says(why), "{}", letter.text());
    assert!(letter.says("nothing has changed"), "{}", letter.text());
    assert_eq!(club.head(), head);
    letter.clone()
}

fn wait(club: &Club, seat: u8) -> Option<Wait> {
    let clock = club.context().store.clock(1).expect("it reads").expect("a clock");
    clock.wait(Seat::new(seat)).cloned()
}

/// Whether the log of game 1 holds, and who must act.
fn is_sound(club: &Club) -> bool {
    let table = process::open_game(&club.context(), 1).expect("it opens").table;
    let report = table.verify();
    assert_eq!(report.findings, []);
    table.turn().awaits(Seat::new(1))
}

#[test]
fn orders_are_taken_back_as_if_they_had_never_come_and_all_hear_of_it() {
    let mut club = Club::paris(TIMED);
    let before = wait(&club, 1);
    let first = club.of_game_1("Ann");
    writes(&mut club, "Ann", "build red G23\nnext: trade red for 2 blue");
    let withdrawn = club.of_game_1("Bob");
    assert!(withdrawn.says("It is your turn."));
    let letters = writes(&mut club, "Ann", "Oops, the wrong city, sorry!\nundo");
    assert_eq!(letters.len(), 3);
    let own = to(&letters, "Ann");
    for said in [
        "Taken back: build red G23.",
        "Your plans were made for what you took back, and are dropped.",
        "You took back what you had ordered: the game stands where it stood after record 1.",
        "It is your turn. You have until Thu 8 Jan 2026 18:00 UTC.",
        "Please send your orders by Thu 8 Jan 2026 18:00 UTC.",
        "Oops, the wrong city",
    ] {
        assert!(own.says(said), "{said}: {}", own.text());
    }
    assert!(!own.says("On your next turn"), "{}", own.text());
    let told = to(&letters, "Bob");
    assert!(told.says("Ann took back what was ordered last"), "{}", told.text());
    assert!(told.says("It is the turn of Ann.") && !told.says("It is your turn."));
    assert_eq!((wait(&club, 1), wait(&club, 2)), (before, None), "her time runs on");
    assert!(is_sound(&club));

    // What answers the position that is no more is refused, and shows the one that is.
    let order = club.reply_to("Bob", &withdrawn, "build black F24");
    club.arrives(order);
    let (_, letters) = club.pass();
    let [letter] = letters.as_slice() else { panic!("{letters:?}") };
    assert!(letter.says("Ann took the last move back after the letter that you answered"));
    assert!(letter.says("THE BOARD") && letter.says("It is the turn of Ann."));

    // Her own older letter shows the very position that she goes on from.
    let again = club.reply_to("Ann", &first, "build black F24");
    club.arrives(again);
    let (report, letters) = club.pass();
    assert_eq!((report.carried_out, letters.len()), (1, 3), "{letters:?}");
    assert!(to(&letters, "Bob").says("Ann builds black on F24") && !is_sound(&club));
    let history = writes(&mut club, "Cid", "history").remove(0);
    assert!(history.says("3. (5 Jan 2026) Ann took back"), "{}", history.text());
    mod_is_known(&mut club);
    assert!(mod_asks(&mut club, "log 1").says("record 3, Ann took the last orders back"));
}

#[test]
fn a_refusal_says_why_and_what_there_is_instead() {
    let mut club = Club::paris(TIMED);
    let letter = refused(&mut club, "Ann", "undo", "There are no orders of yours");
    // Nobody has moved, so a vote on it would be refused as well.
    assert!(!letter.says("vote rewind"), "{}", letter.text());
    writes(&mut club, "Ann", "build red G23");
    let letter = refused(&mut club, "Bob", "undo", "There are no orders of yours");
    assert!(letter.says("Write \"vote rewind\" to ask the others"), "{}", letter.text());
    refused(&mut club, "Ann", "build red G25\nundo", "\"undo\" stands above the orders");
    refused(&mut club, "Ann", "undo\ntake it back", "write it once");
    club.now -= TimeDelta::minutes(179);
    refused(&mut club, "Ann", "undo", "can be taken back for 1 hour after they were carried out");
    writes(&mut club, "Bob", "build black F24");
    refused(&mut club, "Ann", "undo", "cannot be taken back: Bob has moved since.");
    // A share that comes to light was hidden before.
    writes(&mut club, "Cid", "trade black for 2 blue");
    let text = club.last_text("Cid");
    let gives = if text.contains("were not carried out") { "brown" } else { "black" };
    if gives == "brown" {
        writes(&mut club, "Cid", "trade brown for 2 blue");
    }
    refused(&mut club, "Cid", "undo", "it has shown what was hidden");
    assert!(process::moderate(&club.context(), 1, &Intervention::Force(Seat::new(1)), "x").is_ok());
    club.pass();
    refused(&mut club, "Ann", "undo", "no orders of yours had come; that cannot be taken back");
    assert!(process::moderate(&club.context(), 1, &Intervention::Rewind(1), "x").is_ok());
    club.pass();
    refused(&mut club, "Bob", "undo", "The game was taken back since");
    assert!(process::moderate(&club.context(), 1, &Intervention::End, "x").is_ok());
    club.pass();
    let letter = refused(&mut club, "Ann", "undo", "its letters have shown what was hidden");
    assert!(!letter.says("vote rewind"), "{}", letter.text());
}

#[test]
fn undo_counts_from_arrival_not_reading() {
    let mut club = Club::paris(TIMED);
    club.writes("Ann", "build red G23");
    club.pass();
    // It came an hour after the orders were carried out, and is read five hours later.
    club.writes("Ann", "undo");
    club.now += TimeDelta::hours(5);
    let (_, letters) = club.pass();
    assert!(to(&letters, "Ann").says("Taken back: build red G23."), "{letters:?}");
    assert!(is_sound(&club));
    // It came a minute too late, whenever it is read.
    writes(&mut club, "Ann", "build red G23");
    club.now += TimeDelta::minutes(1);
    refused(&mut club, "Ann", "undo", "can be taken back for 1 hour");
}

#[test]
fn a_card_from_a_hand_stays_on_the_table() {
    let mut club = Club::tricks("votes: {rewind: none}\n");
    writes(&mut club, "Ann", "B&O 3");
    let letter = refused(&mut club, "Ann", "undo", "such as a card or a share from a hand");
    assert!(letter.says("you can ask the moderator"), "{}", letter.text());
}

#[test]
fn a_letter_corrects_itself_as_a_whole_or_not_at_all() {
    let mut club = Club::paris(TIMED);
    writes(&mut club, "Ann", "build red G23");
    let letter = refused(&mut club, "Ann", "undo\nbuild red A1", "Line 2 of your letter");
    assert!(!letter.says("Taken back"), "{}", letter.text());
    let head = club.head();
    club.now -= TimeDelta::hours(1);
    let letters = writes(&mut club, "Ann", "preview\nundo\nbuild black F24");
    let [letter] = letters.as_slice() else { panic!("{letters:?}") };
    assert!(letter.says("Taken back: build red G23.") && letter.says("nothing has been done"));
    assert!(letter.says("You build black on F24"), "{}", letter.text());
    let letters = writes(&mut club, "Bob", "preview\nundo");
    assert!(letters[0].says("no orders of yours"), "{}", letters[0].text());
    assert_eq!(club.head(), head);
    club.now -= TimeDelta::hours(3);
    let letters = writes(&mut club, "Ann", "undo\nbuild black F24");
    assert_eq!((letters.len(), club.head()), (3, head + 2));
    let told = to(&letters, "Bob");
    assert!(told.says("took back") && told.says("Ann builds black on F24"), "{}", told.text());
    assert!(told.says("It is your turn."));
    let own = to(&letters, "Ann");
    assert!(own.says("1: undo") && own.says("2: build black F24"), "{}", own.text());
    assert!(!is_sound(&club));
}

#[test]
fn a_turn_is_taken_back_so_often_and_no_more() {
    let mut club = Club::paris(TIMED);
    for _ in 0..3 {
        writes(&mut club, "Ann", "build red G23");
        writes(&mut club, "Ann", "undo");
        refused(&mut club, "Ann", "undo", "You have taken your orders back already");
    }
    writes(&mut club, "Ann", "build red G23");
    refused(&mut club, "Ann", "undo", "taken back your orders for this turn 3 times");
    assert!(!is_sound(&club));
}

#[test]
fn the_clock_gains_nothing_and_loses_nothing() {
    let at = |club: &Club, hours: i64| -> DateTime<Utc> { club.now + TimeDelta::hours(hours) };
    let mut club = Club::paris(TIMED);
    let clock = |club: &Club| club.context().store.clock(1).expect("it reads").expect("a clock");
    let seated = |club: &Club| club.context().store.seats(1).expect("it reads")[0].clone();
    // She is late by some hours, which her bank pays for.
    let late = at(&club, 80);
    while club.now < late {
        club.pass();
    }
    let (before, punctual) = (clock(&club), seated(&club).punctuality);
    writes(&mut club, "Ann", "build red G23");
    assert_ne!(clock(&club).bank_left(Seat::new(1)), before.bank_left(Seat::new(1)));
    assert_ne!(seated(&club).punctuality, punctual);
    writes(&mut club, "Ann", "undo");
    let after = clock(&club);
    assert_eq!(after.waits, before.waits);
    assert_eq!(after.bank_left(Seat::new(1)), before.bank_left(Seat::new(1)));
    assert_eq!(seated(&club).punctuality, punctual);

    // Where her time would be over by now, what she has ordered stands.
    let mut club = Club::paris("clock: {deadline: 2 hours, nmr: forfeit, reminders: []}\n");
    writes(&mut club, "Ann", "build red G23");
    refused(&mut club, "Ann", "undo", "Your time for that turn is over by now");
    assert_eq!(club.head(), 2);

    // A clock that stands still goes on from where it stood.
    let mut club = Club::paris(TIMED);
    let before = wait(&club, 1);
    writes(&mut club, "Ann", "build red G23");
    assert!(process::moderate(&club.context(), 1, &Intervention::Pause, "x").is_ok());
    let letters = writes(&mut club, "Ann", "undo");
    assert!(to(&letters, "Ann").says("The clock of this game stands still"));
    assert_eq!(wait(&club, 1), before);
}

#[test]
fn order_and_word_in_one_pass_leave_the_clock_as_it_was() {
    let mut club = Club::paris(TIMED);
    let before = wait(&club, 1);
    club.writes("Ann", "build red G23");
    club.writes("Ann", "undo");
    let (_, letters) = club.pass();
    assert_eq!((letters.len(), club.head()), (3, 3), "{letters:?}");
    assert_eq!((wait(&club, 1), wait(&club, 2)), (before, None));
    assert!(to(&letters, "Bob").says("Ann took back") && is_sound(&club));
    // A store that is lost comes back with it, and the letter is known again.
    club.restored();
    assert!(is_sound(&club));
}

#[test]
fn a_letter_that_still_waits_tells_how_things_stand_when_it_leaves() {
    let mut club = Club::paris(TIMED);
    writes(&mut club, "Bob", "letters turns");
    club.pigeon.fails = Some(PostError::Down("no line".to_owned()));
    assert!(writes(&mut club, "Ann", "build red G23").is_empty());
    club.writes("Ann", "undo");
    club.pigeon.fails = None;
    let mut letters = club.pass().1;
    letters.extend(club.pass().1);
    let bob = all_to(&letters, "Bob");
    assert_eq!(bob.len(), 1, "{letters:?}");
    assert!(bob[0].says("It is the turn of Ann.") && !bob[0].says("It is your turn."));
    assert!(bob[0].says("Ann took back"), "{}", bob[0].text());

    // Who reads only that it is his turn hears that it is not any more, once he has read that.
    writes(&mut club, "Ann", "build red G23");
    assert!(club.of_game_1("Bob").says("It is your turn."));
    let letters = writes(&mut club, "Ann", "undo");
    assert!(to(&letters, "Bob").says("It is the turn of Ann."), "{letters:?}");
    let letters = writes(&mut club, "Ann", "undo\nbuild black F24");
    assert_eq!(all_to(&letters, "Bob").len(), 0, "refused: there is nothing left to take back");
}

#[test]
fn plans_for_a_position_that_is_no_more_are_dropped_with_a_word() {
    let mut club = Club::paris(TIMED);
    writes(&mut club, "Cid", "next: build black F24");
    writes(&mut club, "Ann", "build red G23");
    let letters = writes(&mut club, "Ann", "undo");
    let dropped = "Your plans were made for the position that Ann took back, and are dropped.";
    assert_eq!(letters.len(), 3);
    assert!(!to(&letters, "Bob").says(dropped), "he has none");
    let cid = to(&letters, "Cid");
    assert!(!cid.says(dropped) && cid.says("On your next turn: build black F24"), "{cid:?}");

    writes(&mut club, "Ann", "build red G23");
    writes(&mut club, "Cid", "next: build red G25");
    club.now -= TimeDelta::hours(1);
    let letters = writes(&mut club, "Ann", "undo");
    let cid = to(&letters, "Cid");
    assert!(cid.says(dropped) && !cid.says("On your next turn"), "{}", cid.text());
}

#[test]
fn a_vote_on_taking_back_what_is_taken_back_is_void() {
    let mut club = Club::paris(TIMED);
    writes(&mut club, "Ann", "build red G23");
    club.writes("Bob", "vote extend 1 day");
    club.writes("Cid", "vote rewind");
    club.pass();
    club.now -= TimeDelta::hours(1);
    let letters = writes(&mut club, "Ann", "undo");
    assert!(to(&letters, "Bob").says("is void"), "{}", to(&letters, "Bob").text());
    let open = club.context().store.room(1).expect("it reads").open_votes;
    assert!(open.len() == 1 && matches!(open[0].what, Intervention::Extend(_)), "{open:?}");
}

#[test]
fn who_takes_a_seat_over_takes_back_only_what_he_has_ordered() {
    let mut club = Club::with(TIMED);
    club.found(kind("paris-connection").expect("it ships"), 3, 7);
    club.found(kind("paris-connection").expect("it ships"), 5, 8);
    club.pass();
    club.writes_in_game_1("Ann", "build red G23");
    club.pass();
    let old = club.of_game_1("Ann");
    club.all_have_answered();
    let what = Intervention::Replace { seat: Seat::new(1), by: "dot@example.org".into() };
    assert!(process::moderate(&club.context(), 1, &what, "Ann moved house.").is_ok());
    club.now -= TimeDelta::minutes(30);
    club.pass();
    club.now -= TimeDelta::hours(1);
    club.writes_in_game_1("Dot", "undo");
    club.pass();
    assert!(club.of_game_1("Dot").says("given before you came to this seat"));
    let reply = club.reply_to("Ann", &old, "undo");
    club.arrives(reply);
    club.pass();
    assert!(club.last_to("Ann").expect("an answer").says("is not valid (any more)"));
    assert_eq!(club.head(), 2);
}

#[test]
fn it_is_a_term_of_the_game_from_its_founding() {
    let mut club = Club::paris("undo: off\n");
    assert!(club.of_game_1("Bob").says("orders cannot be taken back with \"undo\""));
    writes(&mut club, "Ann", "build red G23");
    refused(&mut club, "Ann", "undo", "In this game orders cannot be taken back by one word.");
    let path = club.folder().join("club.yaml");
    let settings = std::fs::read_to_string(&path).expect("club.yaml");
    std::fs::write(&path, settings.replace("undo: off", "undo: 2 hours")).expect("it is");
    refused(&mut club, "Ann", "undo", "In this game orders cannot be taken back by one word.");

    let undo_of =
        |club: &Club, game| club.context().store.room(game).expect("it reads").undo_term();
    let line = "new paris-connection seats 3 undo 90 minutes";
    let letters = writes(&mut club, "Ann", line);
    assert!(letters[0].says("with \"undo\" for 90 minutes"), "{}", letters[0].text());
    writes(&mut club, "Bob", "join 2");
    let letters = writes(&mut club, "Cid", "join 2");
    assert!(
        letters.iter().any(|letter| letter.says("with \"undo\" for 90 minutes")),
        "{letters:?}"
    );
    assert_eq!(undo_of(&club, 2).to_string(), "90 minutes");
    let usual = club.found(kind("paris-connection").expect("it ships"), 3, 7);
    assert_eq!(undo_of(&club, usual).to_string(), "2 hours");

    let club = Club::new();
    let run = |arguments: &[&str]| command::run(club.folder(), "2026-01-05T18:00:00Z", arguments);
    let players = ["--player", "ann@x.org", "--player", "bob@x.org", "--player", "cid@x.org"];
    let new = |more: &[&str]| run(&[&["new", "paris-connection"], &players[..], more].concat());
    assert_eq!(new(&["--undo", "off"]).0, Some(0));
    assert_eq!(new(&[]).0, Some(0));
    assert!(new(&["--undo", "a week"]).1.contains("write 1 hour, up to a day, or off"));
    assert_eq!((undo_of(&club, 1), undo_of(&club, 2)), (UndoTerm::Off, UndoTerm::default()));
}

#[test]
fn what_is_done_for_a_player_who_has_no_choice_is_not_taken_back_to_be_done_again() {
    let expert = BTreeMap::from([("expert_lane".to_owned(), "true".to_owned())]);
    let kind = kind("trick-of-the-rails").expect("it ships");
    // In this deal a locomotive is left to Cid when one railway alone has none.
    let setup = GameSetup { kind, definition: kind.definition(), options: &expert, seats: 3 };
    let whole = rehearse(setup, 1, 110, 500, Manner::OneByOne).expect("it ends").table;
    let mut club = Club::with("");
    club.found_with(kind, 3, 110, &expert);
    club.pass();
    let mut table = process::open_game(&club.context(), 1).expect("it opens").table;
    for record in whole.records().iter().take(38).skip(1) {
        let Cause::Orders { seat, lines, .. } = &record.cause else { panic!("{record:?}") };
        let lines: Vec<OrderLine> =
            (1..).zip(lines).map(|(number, line)| OrderLine::new(number, line.clone())).collect();
        let (seat, seen, standing) = (*seat, table.head(), &StandingOrders::default());
        let submission = Submission { seat, lines: &lines, seen, letter: None, standing };
        let Verdict::Accepted { table: after, .. } = table.submit(&submission, club.now) else {
            panic!("{lines:?}")
        };
        table = *after;
    }
    let line = |record: &Arc<Record>| LogLine { game: 1, seq: record.seq, line: record.line() };
    let log_lines = table.records_since(1).iter().map(line).collect();
    let batch = Batch { log_lines, ..Batch::default() };
    club.context().store.write(&batch).expect("written");
    writes(&mut club, "Cid", "status");
    let forced = table.game().forced(Seat::new(3)).expect("one railway is left");
    writes(&mut club, "Cid", &format!("{forced}\nauto forced on"));
    assert_eq!(club.head(), 39, "{}", club.last_text("Cid"));
    club.now -= TimeDelta::minutes(30);
    let why = "What was done last was the only thing that was legal, and would be done for you";
    refused(&mut club, "Cid", "undo", why);
}
