//! Seats that change owners: a previous owner can do nothing more, and a successor sees what the
//! seat may see, except private messages and notes.

use crate::rig::moderator_letters::{ask_as_mod, introduce_mod};
use crate::rig::{Club, address};
use chrono::TimeDelta;
use postrider::club::Intervention;
use postrider::games::find_kind;
use postrider::process;
use postrider::rules::Seat;
use postrider::store::Batch;

/// Returns a club with game 1 of Paris Connection for Ann, Bob and Cid. Game 2 makes Dot and Eve
/// members too.
pub(crate) fn club_with_two_games() -> Club {
    let mut club = Club::with_settings("clock: {deadline: 3 days}\n");
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    club.start_game(find_kind("paris-connection").expect("it ships"), 5, 8);
    club.run_pass();
    club.mark_all_answered();
    club
}

#[test]
fn substitute_gets_seat_and_history_in_one_letter() {
    let mut club = club_with_two_games();
    club.send_reply_in_game_1("Ann", "build red G23, Troyes");
    club.run_pass();
    club.send_reply_in_game_1("Cid", "plan pass\nauto forced");
    club.run_pass();
    let old = club.last_letter_of_game_1("Bob");
    let before = process::load_stored_game(&club.open_context(), 1).expect("it opens");
    let what = Intervention::Replace { seat: Seat::new(2), by: "dot@example.org".into() };
    let done = process::moderate_game(&club.open_context(), 1, &what, "Bob moved house.");
    assert!(done.is_ok());
    let (_, letters) = club.run_pass();
    assert_eq!(letters.len(), 4);
    let welcome = club.last_letter_of_game_1("Dot");
    assert!(welcome.contains("You now play for Bob in game 1 of The Postal Club"));
    assert!(welcome.contains("Ann builds red on G23 and G25 Troyes"), "{}", welcome.body_text());
    assert!(welcome.contains("It's your turn."));
    let told = club.last_letter_of_game_1("Ann");
    assert!(told.contains("Dot now plays for Bob: Bob moved house."), "{}", told.body_text());
    let farewell = club.last_text_to("Bob");
    assert!(farewell.contains("Dot now plays for you in game 1"), "{farewell}");

    // Dot's turn time starts now. The change adds no record to the log, and Bob's letters have no
    // effect.
    let after = process::load_stored_game(&club.open_context(), 1).expect("it opens");
    assert_eq!(after.table.last_record_number(), before.table.last_record_number());
    let wait = |session: &postrider::process::GameSession| {
        session
            .clock
            .as_ref()
            .and_then(|clock| clock.wait_of_seat(Seat::new(2)).cloned())
            .expect("a wait")
    };
    assert!(wait(&after).since > wait(&before).since);
    let reply = club.compose_reply_to("Bob", &old, "pass");
    club.deliver(reply);
    club.run_pass();
    assert!(club.last_letter_to("Bob").expect("an answer").contains("or no longer is."));
    club.send_reply_in_game_1("Dot", "build red H22");
    let (report, _) = club.run_pass();
    assert_eq!(report.carried_out, 1, "{}", club.last_text_to("Dot"));
    assert!(club.last_letter_of_game_1("Cid").contains("Dot builds red"));

    // These are refused with a reason: Dot again, a member who plays in this game already, and a
    // seat that does not exist.
    for (seat, who) in [(2, "dot@example.org"), (3, "ann@example.org"), (9, "5")] {
        let what = Intervention::Replace { seat: Seat::new(seat), by: who.into() };
        assert!(
            process::split_refusal(process::moderate_game(&club.open_context(), 1, &what, "x"))
                .expect("it works")
                .is_err(),
            "{who}"
        );
    }
    club.ensure_answered_member("Zoe", "zoe@example.org");
    let zoe = Intervention::Replace { seat: Seat::new(3), by: "Zoe <zoe@example.org>".into() };
    let done = process::moderate_game(&club.open_context(), 1, &zoe, "Cid is ill.");
    assert!(done.is_ok());
    club.run_pass();
    assert!(club.last_letter_of_game_1("Zoe").contains("You now play for Cid"));
}

#[test]
fn leaving_member_is_erased_and_games_continue() {
    let mut club = club_with_two_games();
    club.send_reply("Dot", "new paris-connection seats 3");
    club.run_pass();
    club.send_reply("Bob", "join 3");
    club.send_reply_in_game_1("Cid", "watch 2");
    club.run_pass();
    club.send_reply_in_game_1("Bob", "leave club");
    club.run_pass();
    assert!(club.last_letter_to("Bob").expect("asked").contains("reply \"leave club yes\""));
    club.send_reply_in_game_1("Bob", "leave club yes");
    let (_, letters) = club.run_pass();
    let last = letters.iter().rfind(|letter| letter.to == address("Bob")).expect("a last word");
    assert!(last.contains("You've left the club"), "{}", last.body_text());
    assert!(
        club.last_letter_of_game_1("Ann").contains("Bob has left game 1, and the seat is open")
    );
    let context = club.open_context();
    let member = context.store.member(2).expect("kept").expect("the number stays");
    assert_eq!((member.name.as_str(), member.addresses.len()), ("former member 2", 0));
    assert_eq!(
        process::load_stored_game(&context, 1).expect("it opens").open_seats(),
        [Seat::new(2)]
    );
    let proposal = context.store.game_info(3).expect("kept").proposal.expect("it waits on");
    assert!(!proposal.has_player(2));
    let journal = context.journal_folder().join("club.jsonl");
    drop(context);
    let text = std::fs::read_to_string(journal).expect("a journal");
    assert!(!text.contains("bob@") && !text.contains("Bob"), "{text}");

    // The erased member gets no letters. A restore keeps the erasure, and another member can take
    // over the seat.
    club.send_reply_in_game_1("Ann", "build red G23, Troyes");
    let (report, letters) = club.run_pass();
    assert_eq!((report.carried_out, letters.len()), (1, 2));
    let before = club.open_context().store.members().expect("members");
    club.restore_from_journal();
    assert_eq!(club.open_context().store.members().expect("members"), before);
    club.send_reply("Eve", "join 1");
    club.run_pass();
    assert!(club.last_letter_of_game_1("Eve").contains("You now play for former member 2"));
    // The moderator can erase another member.
    let gone = process::remove_and_erase_member(&club.open_context(), "cid@example.org")
        .expect("it works");
    assert_eq!(gone.map(|member| member.name).as_deref(), Some("Cid"));
    club.run_pass();
    assert!(club.last_letter_of_game_1("Ann").contains("former member 3 has left game 1"));
}

#[test]
fn previous_owners_letters_in_same_pass_are_refused() {
    let mut club = club_with_two_games();
    club.send_reply_in_game_1("Ann", "build red G23, Troyes");
    club.send_reply("Dot", "wait 1");
    club.run_pass();
    club.send_reply_in_game_1("Bob", "address bob@example.net");
    let (_, letters) = club.run_pass();
    let asked = letters.iter().find(|letter| letter.to == "bob@example.net").expect("asked");
    let confirms = club
        .compose_reply_to("Bob", asked, "yes")
        .replace("From: Bob <bob@example.org", "From: Bob <bob@example.net");
    club.send_reply_in_game_1("Bob", "plan pass");
    club.send_reply_in_game_1("Bob", "resign yes");
    club.send_reply_in_game_1("Bob", "build red H22");
    let (_, letters) = club.run_pass();
    assert_eq!(
        process::load_stored_game(&club.open_context(), 1)
            .expect("it opens")
            .table
            .last_record_number(),
        2
    );
    assert!(!club.last_letter_of_game_1("Dot").contains("plan pass"));
    let refused =
        letters.iter().filter(|l| l.to == address("Bob") && l.contains("or no longer is"));
    assert_eq!(refused.count(), 1);
    assert!(club.last_letter_of_game_1("Dot").contains("You now play for Bob in game 1"));

    // A letter that was sent before Bob left the club does not make Bob a member again.
    let elsewhere = club.last_letter_to("Bob").expect("a letter").clone();
    let leave = club.compose_reply_to("Bob", &elsewhere, "leave club yes");
    club.deliver(leave);
    let late = club.compose_reply_to("Bob", &elsewhere, "new paris-connection seats 3");
    club.deliver(late);
    club.deliver(confirms);
    club.run_pass();
    let context = club.open_context();
    assert!(context.store.member(2).expect("kept").expect("a number").addresses.is_empty());
    assert!(process::find_member(&context, "bob@example.net").expect("it works").is_none());
    let infos = context.store.game_infos().expect("kept");
    assert_eq!(infos.iter().filter(|(_, at)| at.proposal.is_some()).count(), 0);
}

#[test]
fn successor_sees_public_but_no_private_messages() {
    let mut club = club_with_two_games();
    club.send_reply_in_game_1(
        "Ann",
        "say Good luck to all.\ntell Bob the north is ours\nvote pause",
    );
    club.run_pass();
    club.send_reply_in_game_1("Bob", "note never trust Ann\nplan pass");
    let (_, letters) = club.run_pass();
    assert!(!letters.is_empty());
    introduce_mod(&mut club);
    // The last message to Bob arrives in the pass in which the moderator replaces Bob.
    club.send_reply_in_game_1("Cid", "tell Bob and what of the south?");
    let answer =
        ask_as_mod(&mut club, "replace 1 seat 2 by dot@example.org because Bob moved house.");
    assert!(
        answer.contains("In game 1 Dot now plays for Bob: Bob moved house."),
        "{}",
        answer.body_text()
    );
    let welcome = club.last_letter_of_game_1("Dot");
    assert!(welcome.contains("You now play for Bob"), "{}", welcome.body_text());
    assert!(
        club.last_letter_of_game_1("Ann")
            .contains("The vote to stop the clock of this game no longer counts"),
        "{}",
        club.last_letter_of_game_1("Ann").body_text()
    );
    club.send_reply_in_game_1("Dot", "history");
    club.run_pass();
    let told = club.last_letter_of_game_1("Dot");
    assert!(told.contains("Good luck to all."), "{}", told.body_text());
    for secret in ["north", "south", "never trust"] {
        assert!(
            !welcome.contains(secret) && !told.contains(secret),
            "{secret}: {}",
            told.body_text()
        );
    }
    let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
    let (seated, _) = session.seat(Seat::new(2)).expect("a seat");
    assert!(seated.queued_orders.is_empty() && seated.notes.is_empty());
    club.send_reply_in_game_1("Ann", "tell Dot welcome aboard");
    club.run_pass();
    assert!(club.last_letter_of_game_1("Dot").contains("welcome aboard"));
}

#[test]
fn open_seat_gets_no_message_and_no_vote() {
    let mut club = club_with_two_games();
    let direct = |club: &Club, line: &str| {
        process::split_refusal(process::run_moderator_lines(
            &club.open_context(),
            &[line.to_owned()],
            false,
        ))
        .expect("it works")
    };
    assert!(direct(&club, "remove 1 seat 3 because Cid is ill.").is_ok());
    let (_, letters) = club.run_pass();
    let gone = letters.iter().find(|letter| letter.to == address("Cid")).expect("a letter to Cid");
    assert!(gone.contains("The moderator has taken you out of game 1: Cid is ill."));
    assert!(direct(&club, "remove 1 seat 9 because x").is_err());
    club.send_reply_in_game_1("Ann", "tell Bob and Cid: are you there?");
    let (_, letters) = club.run_pass();
    assert!(letters.len() == 1 && letters[0].contains("Nobody has Cid's seat right now"));
    club.send_reply_in_game_1("Ann", "vote abandon");
    club.run_pass();
    club.send_reply_in_game_1("Bob", "vote abandon");
    club.run_pass();
    assert!(
        club.last_letter_of_game_1("Ann").contains("The game is over"),
        "{}",
        club.last_letter_of_game_1("Bob").body_text()
    );
}

#[test]
fn seat_opens_for_joiners_after_missed_turns() {
    let settings = "clock: {deadline: 1 day, nmr: forfeit, open_after: 2}\n";
    let mut club = Club::with_settings(settings);
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    club.start_game(find_kind("trick-of-the-rails").expect("it ships"), 5, 8);
    club.run_pass();
    let absent = |club: &mut Club, until: &dyn Fn(&Club) -> bool| {
        for _ in 0..200 {
            if until(club) {
                return;
            }
            club.now += TimeDelta::hours(3);
            club.run_pass();
        }
        panic!("it never comes to that");
    };
    let open = |club: &Club| {
        process::load_stored_game(&club.open_context(), 1).expect("it opens").open_seats()
    };
    absent(&mut club, &|club| !open(club).is_empty());
    let first = open(&club)[0];
    club.send_reply("Dot", "games");
    let (_, letters) = club.run_pass();
    let board = letters.iter().find(|l| l.to == address("Dot")).expect("an answer");
    assert!(board.contains("join 1"), "{}", board.body_text());
    club.send_reply("Dot", "join 1");
    club.run_pass();
    let names = process::load_stored_game(&club.open_context(), 1).expect("it opens").names;
    assert_eq!(names[first.index()], "Dot");
    assert!(club.last_letter_of_game_1("Dot").contains("You now play for"));

    let eve = process::find_member(&club.open_context(), &address("Eve"))
        .expect("it works")
        .expect("Eve");
    let free = open(&club);
    let queue = process::split_refusal(process::run_lobby_line_for_member(
        &club.open_context(),
        &eve,
        "wait 1",
    ))
    .expect("it works");
    assert_eq!(queue.is_err(), !free.is_empty(), "who can join at once need not wait");
}

#[test]
fn waiting_member_gets_seat_after_missed_turns() {
    let mut club = Club::with_settings("clock: {deadline: 1 day, nmr: forfeit, open_after: 1}\n");
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    club.start_game(find_kind("trick-of-the-rails").expect("it ships"), 5, 8);
    club.run_pass();
    club.send_reply("Dot", "wait 1");
    for _ in 0..5 {
        club.now += TimeDelta::hours(5);
        club.run_pass();
    }
    let told = club.last_letter_of_game_1("Bob");
    let why = "Dot now plays for Ann: the player missed too many turns in a row.";
    assert!(told.contains(why), "{}", told.body_text());
    // The waiting list is full.
    let mut info = club.open_context().store.game_info(1).expect("kept");
    info.waiting_list = (100..120).collect();
    let batch = Batch { game_infos: vec![(1, info)], ..Batch::default() };
    club.open_context().store.write_without_conflict_check(&batch).expect("written");
    club.send_reply("Eve", "wait 1");
    let told = club.run_pass().1.into_iter().find(|letter| letter.to == address("Eve"));
    let why = "The waiting list of game 1 is full. Please try again later.";
    assert!(told.expect("an answer").contains(why));
}

#[test]
fn former_member_gets_no_seat_and_keeps_nothing() {
    let mut club = club_with_two_games();
    club.send_reply_in_game_1("Bob", "note the north is mine");
    club.run_pass();
    let end = process::moderate_game(&club.open_context(), 1, &Intervention::End, "Time is up.");
    assert!(end.is_ok());
    club.run_pass();
    introduce_mod(&mut club);
    let elsewhere = club.last_letter_to("Bob").expect("a letter").clone();
    let leave = club.compose_reply_to("Bob", &elsewhere, "leave club yes");
    club.deliver(leave);
    // The moderator's letters cannot give a seat to the former member, neither in this pass nor in
    // a later one.
    for who in ["bob@example.org", "2"] {
        let answer = ask_as_mod(&mut club, &format!("replace 2 seat 5 by {who} because x"));
        let session = process::load_stored_game(&club.open_context(), 2).expect("it opens");
        let (seated, member) = session.seat(Seat::new(5)).expect("a seat");
        assert!(seated.member != 2 && !member.has_left(), "{who}: {}", answer.body_text());
    }
    let context = club.open_context();
    assert!(context.store.member(2).expect("kept").expect("the number stays").has_left());
    assert!(
        process::find_member(&context, "2").expect("it works").is_none(),
        "no command can act for a former member"
    );
    let journal =
        std::fs::read_to_string(context.journal_folder().join("club.jsonl")).expect("a journal");
    assert!(!journal.contains("the north is mine"), "not even of a game that is over");
    drop(context);
    club.send_reply_in_game_1("Bob", "say I am still here.");
    let (_, letters) = club.run_pass();
    // The moderator's line has made a new member with Bob's address, so Bob's old reply token is
    // not valid.
    assert!(letters.len() == 1 && letters[0].contains("or no longer is."), "{letters:?}");
}

#[test]
fn open_seat_stays_open_after_deadline_change() {
    let rules = "clock: {deadline: 1 day, nmr: forfeit, open_after: 2}\n";
    let mut club = Club::with_paris_game(rules);
    let open = |club: &Club| {
        process::load_stored_game(&club.open_context(), 1).expect("it opens").open_seats()
    };
    let until = club.now + TimeDelta::days(33);
    while open(&club).is_empty() {
        assert!(club.now < until, "it never comes to that");
        club.now += TimeDelta::hours(3);
        club.run_pass();
    }
    let before = open(&club);
    let set = process::run_moderator_lines(
        &club.open_context(),
        &["set 1 deadline 3 days because slow".to_owned()],
        false,
    );
    assert!(set.is_ok());
    assert_eq!(open(&club), before);
}

#[test]
fn successor_is_not_told_of_previous_owners_message() {
    let mut club = Club::with_settings("press: {allowed: public, anonymous: true}\n");
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    club.start_game(find_kind("paris-connection").expect("it ships"), 5, 8);
    club.run_pass();
    club.send_reply("Dot", "wait 1");
    club.run_pass();
    club.send_reply_in_game_1("Bob", "say anonymously Cid lies.");
    club.send_reply_in_game_1("Bob", "resign yes");
    club.run_pass();
    let welcome = club.last_letter_of_game_1("Dot");
    assert!(welcome.contains("You now play for Bob") && welcome.contains("Cid lies."));
    assert!(!welcome.contains("We've sent your message"), "{}", welcome.body_text());
}

#[test]
fn successor_stays_when_previous_owner_leaves_club() {
    let mut club = club_with_two_games();
    club.send_reply("Dot", "wait 1");
    club.run_pass();
    let elsewhere = club.last_letter_to("Bob").expect("a letter").clone();
    club.send_reply_in_game_1("Bob", "resign yes");
    let second = club.transport.posted.iter().rfind(|letter| {
        letter.to == address("Bob") && letter.header("Subject").is_some_and(|s| s.contains(" 2] "))
    });
    let leave = club.compose_reply_to("Bob", second.unwrap_or(&elsewhere), "leave club yes");
    club.deliver(leave);
    club.run_pass();
    assert!(club.open_context().store.member(2).expect("kept").expect("a number").has_left());
    let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
    let (seated, member) = session.seat(Seat::new(2)).expect("a seat");
    assert!(member.name == "Dot" && !seated.has_left, "{} {}", member.name, seated.has_left);
}

#[test]
fn returning_player_gets_own_seat_only() {
    let mut club = club_with_two_games();
    for name in ["Bob", "Cid"] {
        club.send_reply_in_game_1(name, "resign yes");
        club.run_pass();
    }
    let cid = process::find_member(&club.open_context(), &address("Cid"))
        .expect("it works")
        .expect("Cid");
    assert!(process::run_lobby_line_for_member(&club.open_context(), &cid, "join 1").is_ok());
    club.run_pass();
    let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
    assert_eq!(session.open_seats(), [Seat::new(2)]);
    assert!(
        club.last_letter_of_game_1("Ann").contains("Cid now plays for Cid"),
        "{}",
        session.names.join(" ")
    );
}

#[test]
fn player_sees_one_hand_removed_player_stays_out() {
    let mut club = club_with_two_games();
    let as_member = |club: &Club, name: &str, line: &str| {
        let context = club.open_context();
        let member =
            process::find_member(&context, &address(name)).expect("it works").expect("a member");
        process::split_refusal(process::run_lobby_line_for_member(&context, &member, line))
            .expect("it works")
            .map_err(|why| why.key)
    };
    club.send_reply_in_game_1("Bob", "resign yes");
    club.run_pass();
    assert!(as_member(&club, "Dot", "join 1").is_ok());
    club.run_pass();
    // Bob has seen the hand of seat 2, so Bob may not take seat 3. Eve may.
    club.send_reply_in_game_1("Cid", "resign yes");
    club.run_pass();
    club.send_reply("Bob", "join 1");
    let told = club.run_pass().1.remove(0);
    assert!(told.contains("already had another seat in game 1, and nobody may see two hands"));
    assert!(as_member(&club, "Eve", "join 1").is_ok());
    club.run_pass();
    assert!(as_member(&club, "Bob", "wait 1").is_ok());
    club.send_reply_in_game_1("Eve", "resign yes");
    club.run_pass();
    let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
    assert_eq!(session.open_seats(), [Seat::new(3)], "Bob may not take it");
    assert!(as_member(&club, "Cid", "join 1").is_ok(), "it is the seat that Cid had");

    let lines = ["remove 1 seat 2 because told us", "remove 1 seat 3 because told us too"];
    let lines = lines.map(str::to_owned);
    assert!(process::run_moderator_lines(&club.open_context(), &lines, false).is_ok());
    club.run_pass();
    let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
    assert_eq!(session.names[1], "Bob", "Bob waited for the seat that Bob had");
    let last = club.last_letter_to("Cid").expect("a letter").clone();
    club.deliver(club.compose_reply_to("Cid", &last, "join 1"));
    let told = club.run_pass().1.remove(0);
    let barred = "The moderator took you out of game 1, so you can't play in it again.";
    assert!(told.contains(barred), "{}", told.body_text());
}
