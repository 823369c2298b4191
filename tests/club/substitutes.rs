//! Seats that change hands: nobody plays on who has gone, and who comes knows what the seat knew.

use crate::rig::moderator::{mod_asks, mod_is_known};
use crate::rig::{Club, address};
use chrono::TimeDelta;
use postrider::club::Intervention;
use postrider::games::kind;
use postrider::process;
use postrider::rules::Seat;
use postrider::store::Batch;

/// Game 1 of Paris Connection for Ann, Bob and Cid, and game 2 so that Dot and Eve are members.
fn club() -> Club {
    let mut club = Club::with("clock: {deadline: 3 days}\n");
    club.found(kind("paris-connection").expect("it ships"), 3, 7);
    club.found(kind("paris-connection").expect("it ships"), 5, 8);
    club.pass();
    club.all_have_answered();
    club
}

#[test]
fn a_moderator_gives_a_seat_to_a_substitute_who_gets_its_history_in_one_letter() {
    let mut club = club();
    club.writes_in_game_1("Ann", "build red G23, Troyes");
    club.pass();
    club.writes_in_game_1("Cid", "plan pass\nauto forced");
    club.pass();
    let old = club.of_game_1("Bob");
    let before = process::open_game(&club.context(), 1).expect("it opens");
    let what = Intervention::Replace { seat: Seat::new(2), by: "dot@example.org".into() };
    let done = process::moderate(&club.context(), 1, &what, "Bob moved house.");
    assert!(done.is_ok());
    let (_, letters) = club.pass();
    assert_eq!(letters.len(), 4);
    let welcome = club.of_game_1("Dot");
    assert!(welcome.says("You play on for Bob in game 1 of The Postal Club"));
    assert!(welcome.says("Ann builds red on G23 and G25 Troyes"), "{}", welcome.text());
    assert!(welcome.says("It is your turn."));
    let told = club.of_game_1("Ann");
    assert!(told.says("Dot plays on for Bob: Bob moved house."), "{}", told.text());
    let parted = club.last_text("Bob");
    assert!(parted.contains("Dot plays on for you in game 1"), "{parted}");

    // Her time begins now, nothing stands in the log, and he can do nothing more.
    let after = process::open_game(&club.context(), 1).expect("it opens");
    assert_eq!(after.table.head(), before.table.head());
    let wait = |session: &postrider::process::GameSession| {
        session.clock.as_ref().and_then(|clock| clock.wait(Seat::new(2)).cloned()).expect("a wait")
    };
    assert!(wait(&after).since > wait(&before).since);
    let reply = club.reply_to("Bob", &old, "pass");
    club.arrives(reply);
    club.pass();
    assert!(club.last_to("Bob").expect("an answer").says("is not valid (any more)"));
    club.writes_in_game_1("Dot", "build red H22");
    let (report, _) = club.pass();
    assert_eq!(report.carried_out, 1, "{}", club.last_text("Dot"));
    assert!(club.of_game_1("Cid").says("Dot builds red"));

    // The same again is refused in words, and so is a seat for somebody who plays already.
    for (seat, who) in [(2, "dot@example.org"), (3, "ann@example.org"), (9, "5")] {
        let what = Intervention::Replace { seat: Seat::new(seat), by: who.into() };
        assert!(
            process::answered(process::moderate(&club.context(), 1, &what, "x"))
                .expect("it works")
                .is_err(),
            "{who}"
        );
    }
    club.has_heard_from("Zoe", "zoe@example.org");
    let zoe = Intervention::Replace { seat: Seat::new(3), by: "Zoe <zoe@example.org>".into() };
    let done = process::moderate(&club.context(), 1, &zoe, "Cid is ill.");
    assert!(done.is_ok());
    club.pass();
    assert!(club.of_game_1("Zoe").says("You play on for Cid"));
}

#[test]
fn who_leaves_the_club_leaves_no_address_behind_and_his_games_go_on() {
    let mut club = club();
    club.writes("Dot", "new paris-connection seats 3");
    club.pass();
    club.writes("Bob", "join 3");
    club.writes_in_game_1("Cid", "watch 2");
    club.pass();
    club.writes_in_game_1("Bob", "leave club");
    club.pass();
    assert!(club.last_to("Bob").expect("asked").says("answer with \"leave club yes\""));
    club.writes_in_game_1("Bob", "leave club yes");
    let (_, letters) = club.pass();
    let last = letters.iter().rfind(|letter| letter.to == address("Bob")).expect("a last word");
    assert!(last.says("You have left the club"), "{}", last.text());
    assert!(club.of_game_1("Ann").says("Bob has left game 1, and the seat is open"));
    let context = club.context();
    let member = context.store.member(2).expect("kept").expect("his number stays");
    assert_eq!((member.name.as_str(), member.addresses.len()), ("former member 2", 0));
    assert_eq!(process::open_game(&context, 1).expect("it opens").open_seats(), [Seat::new(2)]);
    let proposal = context.store.room(3).expect("kept").proposal.expect("it waits on");
    assert!(!proposal.holds(2));
    let journal = context.journal().join("club.jsonl");
    drop(context);
    let text = std::fs::read_to_string(journal).expect("a journal");
    assert!(!text.contains("bob@") && !text.contains("Bob"), "{text}");

    // Nobody is written to at no address, and what he left can be taken over and restored.
    club.writes_in_game_1("Ann", "build red G23, Troyes");
    let (report, letters) = club.pass();
    assert_eq!((report.carried_out, letters.len()), (1, 2));
    let before = club.context().store.members().expect("members");
    club.restored();
    assert_eq!(club.context().store.members().expect("members"), before);
    club.writes("Eve", "join 1");
    club.pass();
    assert!(club.of_game_1("Eve").says("You play on for former member 2"));
    // The moderator can do the same for somebody.
    let gone = process::forget_member(&club.context(), "cid@example.org").expect("it works");
    assert_eq!(gone.map(|member| member.name).as_deref(), Some("Cid"));
    club.pass();
    assert!(club.of_game_1("Ann").says("former member 3 has left game 1"));
}

#[test]
fn the_same_table_plays_once_more_when_everybody_joins_again() {
    let mut club = club();
    club.writes_in_game_1("Ann", "rematch");
    club.pass();
    assert!(club.last_to("Ann").expect("told").says("The game is not over yet."));
    let over =
        process::moderate(&club.context(), 1, &postrider::club::Intervention::End, "Time is up.");
    assert!(over.is_ok());
    club.pass();
    club.writes_in_game_1("Ann", "rematch");
    let (_, letters) = club.pass();
    assert!(
        letters.iter().any(|l| l.to == address("Ann") && l.says("Your game 3 is on the table"))
    );
    for name in ["Bob", "Cid"] {
        let told = letters.iter().find(|letter| letter.to == address(name)).expect("invited");
        assert!(told.says("Ann invites you to play"), "{}", told.text());
        assert!(told.says("It is a rematch: those who played game 1 would meet once more."));
        assert!(told.says("3: Paris Connection for 3, 2 seats free, with 3 days a turn"));
    }
    club.writes_in_game_1("Bob", "rematch");
    club.pass();
    assert!(club.last_to("Bob").expect("told").says("write \"join 3\""));
    // How a game's time was kept is known when it is over, and after a restore.
    club.writes_in_game_1("Ann", "cancel 3");
    club.pass();
    club.restored();
    club.writes_in_game_1("Ann", "rematch");
    let (_, letters) = club.pass();
    let told = letters.iter().find(|letter| letter.to == address("Bob")).expect("invited");
    assert!(told.says("4: Paris Connection for 3, 2 seats free, with 3 days a turn"));
    let told = told.clone();
    let yes = club.reply_to("Bob", &told, "yes");
    club.arrives(yes);
    club.writes_in_game_1("Cid", "join 4");
    let (_, letters) = club.pass();
    assert_eq!(letters.iter().filter(|letter| letter.says("Welcome to game 4")).count(), 3);
}

#[test]
fn letters_of_the_same_pass_find_the_seat_in_its_new_hands() {
    let mut club = club();
    club.writes_in_game_1("Ann", "build red G23, Troyes");
    club.writes("Dot", "wait 1");
    club.pass();
    club.writes_in_game_1("Bob", "address bob@example.net");
    let (_, letters) = club.pass();
    let asked = letters.iter().find(|letter| letter.to == "bob@example.net").expect("asked");
    let confirms = club
        .reply_to("Bob", asked, "yes")
        .replace("From: Bob <bob@example.org", "From: Bob <bob@example.net");
    club.writes_in_game_1("Bob", "plan pass");
    club.writes_in_game_1("Bob", "resign yes");
    club.writes_in_game_1("Bob", "build red H22");
    let (_, letters) = club.pass();
    assert_eq!(process::open_game(&club.context(), 1).expect("it opens").table.head(), 2);
    assert!(!club.of_game_1("Dot").says("plan pass"));
    let refused = letters.iter().filter(|l| l.to == address("Bob") && l.says("not valid"));
    assert_eq!(refused.count(), 1);
    assert!(club.of_game_1("Dot").says("You play on for Bob in game 1"));

    // Who has left the club does not come back by a letter that was on its way.
    let elsewhere = club.last_to("Bob").expect("a letter").clone();
    let leave = club.reply_to("Bob", &elsewhere, "leave club yes");
    club.arrives(leave);
    let late = club.reply_to("Bob", &elsewhere, "new paris-connection seats 3");
    club.arrives(late);
    club.arrives(confirms);
    club.pass();
    let context = club.context();
    assert!(context.store.member(2).expect("kept").expect("a number").addresses.is_empty());
    assert!(process::find_member(&context, "bob@example.net").expect("it works").is_none());
    let rooms = context.store.rooms().expect("kept");
    assert_eq!(rooms.iter().filter(|(_, at)| at.proposal.is_some()).count(), 0);
}

#[test]
fn who_comes_knows_what_was_said_to_all_and_nothing_that_was_told_his_predecessor_alone() {
    let mut club = club();
    club.writes_in_game_1("Ann", "say Good luck to all.\ntell Bob the north is ours\nvote pause");
    club.pass();
    club.writes_in_game_1("Bob", "note never trust Ann\nplan pass");
    let (_, letters) = club.pass();
    assert!(!letters.is_empty());
    mod_is_known(&mut club);
    // Bob's last letter of all comes with the one that takes his seat.
    club.writes_in_game_1("Cid", "tell Bob and what of the south?");
    let answer =
        mod_asks(&mut club, "replace 1 seat 2 by dot@example.org because Bob moved house.");
    assert!(answer.says("In game 1 Dot plays on for Bob: Bob moved house."), "{}", answer.text());
    let welcome = club.of_game_1("Dot");
    assert!(welcome.says("You play on for Bob"), "{}", welcome.text());
    assert!(
        club.of_game_1("Ann").says("The vote to stop the clock of this game is void"),
        "{}",
        club.of_game_1("Ann").text()
    );
    club.writes_in_game_1("Dot", "history");
    club.pass();
    let told = club.of_game_1("Dot");
    assert!(told.says("Good luck to all."), "{}", told.text());
    for secret in ["north", "south", "never trust"] {
        assert!(!welcome.says(secret) && !told.says(secret), "{secret}: {}", told.text());
    }
    let session = process::open_game(&club.context(), 1).expect("it opens");
    let (seated, _) = session.seat(Seat::new(2)).expect("a seat");
    assert!(seated.standing.is_empty() && seated.notes.is_empty());
    club.writes_in_game_1("Ann", "tell Dot welcome aboard");
    club.pass();
    assert!(club.of_game_1("Dot").says("welcome aboard"));

    // A seat without anybody has no say in what the others agree on.
    let directed = |club: &Club, line: &str| {
        process::answered(process::directed(&club.context(), &[line.to_owned()], false))
            .expect("it works")
    };
    assert!(directed(&club, "remove 1 seat 3 because Cid is ill.").is_ok());
    let (_, letters) = club.pass();
    let gone = letters.iter().find(|letter| letter.to == address("Cid")).expect("a word to him");
    assert!(gone.says("The moderator has taken you out of game 1: Cid is ill."));
    assert!(directed(&club, "remove 1 seat 9 because x").is_err());
    club.writes_in_game_1("Ann", "tell Dot and Cid: are you there?");
    let (_, letters) = club.pass();
    assert!(letters.len() == 1 && letters[0].says("Nobody sits on the seat of Cid now"));
    club.writes_in_game_1("Ann", "vote abandon");
    club.pass();
    club.writes_in_game_1("Dot", "vote abandon");
    club.pass();
    assert!(club.of_game_1("Ann").says("The game is over"), "{}", club.of_game_1("Dot").text());
}

#[test]
fn who_waits_plays_on_for_who_misses_too_many_turns_and_else_whoever_joins() {
    let settings = "clock: {deadline: 1 day, nmr: forfeit, open_after: 2}\n";
    let mut club = Club::with(settings);
    club.found(kind("paris-connection").expect("it ships"), 3, 7);
    club.found(kind("trick-of-the-rails").expect("it ships"), 5, 8);
    club.pass();
    let absent = |club: &mut Club, until: &dyn Fn(&Club) -> bool| {
        for _ in 0..200 {
            if until(club) {
                return;
            }
            club.now += TimeDelta::hours(3);
            club.pass();
        }
        panic!("it never comes to that");
    };
    let open = |club: &Club| process::open_game(&club.context(), 1).expect("it opens").open_seats();
    absent(&mut club, &|club| !open(club).is_empty());
    let first = open(&club)[0];
    club.writes("Dot", "games");
    let (_, letters) = club.pass();
    let board = letters.iter().find(|l| l.to == address("Dot")).expect("an answer");
    assert!(board.says("join 1"), "{}", board.text());
    club.writes("Dot", "join 1");
    club.pass();
    let names = process::open_game(&club.context(), 1).expect("it opens").names;
    assert_eq!(names[first.index()], "Dot");
    assert!(club.of_game_1("Dot").says("You play on for"));

    let eve =
        process::find_member(&club.context(), &address("Eve")).expect("it works").expect("Eve");
    let free = open(&club);
    let queue =
        process::answered(process::on_behalf(&club.context(), &eve, "wait 1")).expect("it works");
    assert_eq!(queue.is_err(), !free.is_empty(), "who can join at once need not wait");
}

#[test]
fn who_waits_is_given_the_seat_of_who_has_missed_too_many_turns() {
    let mut club = Club::with("clock: {deadline: 1 day, nmr: forfeit, open_after: 1}\n");
    club.found(kind("paris-connection").expect("it ships"), 3, 7);
    club.found(kind("trick-of-the-rails").expect("it ships"), 5, 8);
    club.pass();
    club.writes("Dot", "wait 1");
    for _ in 0..5 {
        club.now += TimeDelta::hours(5);
        club.pass();
    }
    let told = club.of_game_1("Bob");
    let why = "Dot plays on for Ann: the player has missed too many turns in a row.";
    assert!(told.says(why), "{}", told.text());
    // So many wait that no more can.
    let mut room = club.context().store.room(1).expect("kept");
    room.waiting = (100..120).collect();
    let batch = Batch { rooms: vec![(1, room)], ..Batch::default() };
    club.context().store.write(&batch).expect("written");
    club.writes("Eve", "wait 1");
    let told = club.pass().1.into_iter().find(|letter| letter.to == address("Eve"));
    let why = "So many wait for a seat of game 1 that no more are put on the list.";
    assert!(told.expect("an answer").says(why));
}

#[test]
fn who_has_left_the_club_is_given_no_seat_and_keeps_nothing() {
    let mut club = club();
    club.writes_in_game_1("Bob", "note the north is mine");
    club.pass();
    let end =
        process::moderate(&club.context(), 1, &postrider::club::Intervention::End, "Time is up.");
    assert!(end.is_ok());
    club.pass();
    mod_is_known(&mut club);
    let elsewhere = club.last_to("Bob").expect("a letter").clone();
    let leave = club.reply_to("Bob", &elsewhere, "leave club yes");
    club.arrives(leave);
    // The moderator's letter of the same pass does not bring him back, nor does one after it.
    for who in ["bob@example.org", "2"] {
        let answer = mod_asks(&mut club, &format!("replace 2 seat 5 by {who} because x"));
        let session = process::open_game(&club.context(), 2).expect("it opens");
        let (seated, member) = session.seat(Seat::new(5)).expect("a seat");
        assert!(seated.member != 2 && !member.has_left(), "{who}: {}", answer.text());
    }
    let context = club.context();
    assert!(context.store.member(2).expect("kept").expect("his number stays").has_left());
    assert!(
        process::find_member(&context, "2").expect("it works").is_none(),
        "nothing can be done for him"
    );
    let journal = std::fs::read_to_string(context.journal().join("club.jsonl")).expect("a journal");
    assert!(!journal.contains("the north is mine"), "not even of a game that is over");
    drop(context);
    club.writes_in_game_1("Bob", "say I am still here.");
    let (_, letters) = club.pass();
    // The moderator has made him a new member, who has another token.
    assert!(letters.len() == 1 && letters[0].says("is not valid (any more)"), "{letters:?}");
}

#[test]
fn a_seat_that_is_open_stays_so_under_other_rules_of_time() {
    let rules = "clock: {deadline: 1 day, nmr: forfeit, open_after: 2}\n";
    let mut club = Club::paris(rules);
    let open = |club: &Club| process::open_game(&club.context(), 1).expect("it opens").open_seats();
    let until = club.now + TimeDelta::days(33);
    while open(&club).is_empty() {
        assert!(club.now < until, "it never comes to that");
        club.now += TimeDelta::hours(3);
        club.pass();
    }
    let before = open(&club);
    let set = process::directed(
        &club.context(),
        &["set 1 deadline 3 days because slow".to_owned()],
        false,
    );
    assert!(set.is_ok());
    assert_eq!(open(&club), before);
}

#[test]
fn who_comes_is_not_told_that_who_sat_there_has_said_something() {
    let mut club = Club::with("press: {allowed: public, anonymous: true}\n");
    club.found(kind("paris-connection").expect("it ships"), 3, 7);
    club.found(kind("paris-connection").expect("it ships"), 5, 8);
    club.pass();
    club.writes("Dot", "wait 1");
    club.pass();
    club.writes_in_game_1("Bob", "say anonymously Cid lies.");
    club.writes_in_game_1("Bob", "resign yes");
    club.pass();
    let welcome = club.of_game_1("Dot");
    assert!(welcome.says("You play on for Bob") && welcome.says("Cid lies."));
    assert!(!welcome.says("has been passed on"), "{}", welcome.text());
}

#[test]
fn who_resigns_and_then_leaves_the_club_takes_no_successor_along() {
    let mut club = club();
    club.writes("Dot", "wait 1");
    club.pass();
    let elsewhere = club.last_to("Bob").expect("a letter").clone();
    club.writes_in_game_1("Bob", "resign yes");
    let second = club.pigeon.posted.iter().rfind(|letter| {
        letter.to == address("Bob") && letter.header("Subject").is_some_and(|s| s.contains(" 2] "))
    });
    let leave = club.reply_to("Bob", second.unwrap_or(&elsewhere), "leave club yes");
    club.arrives(leave);
    club.pass();
    assert!(club.context().store.member(2).expect("kept").expect("a number").has_left());
    let session = process::open_game(&club.context(), 1).expect("it opens");
    let (seated, member) = session.seat(Seat::new(2)).expect("a seat");
    assert!(member.name == "Dot" && !seated.left, "{} {}", member.name, seated.left);
}

#[test]
fn who_comes_back_sits_where_he_sat_and_sees_no_other_hand() {
    let mut club = club();
    for name in ["Bob", "Cid"] {
        club.writes_in_game_1(name, "resign yes");
        club.pass();
    }
    let cid =
        process::find_member(&club.context(), &address("Cid")).expect("it works").expect("Cid");
    assert!(process::on_behalf(&club.context(), &cid, "join 1").is_ok());
    club.pass();
    let session = process::open_game(&club.context(), 1).expect("it opens");
    assert_eq!(session.open_seats(), [Seat::new(2)]);
    assert!(club.of_game_1("Ann").says("Cid plays on for Cid"), "{}", session.names.join(" "));
}

#[test]
fn nobody_sees_two_hands_and_who_was_taken_out_stays_out() {
    let mut club = club();
    let as_member = |club: &Club, name: &str, line: &str| {
        let context = club.context();
        let member =
            process::find_member(&context, &address(name)).expect("it works").expect("a member");
        process::answered(process::on_behalf(&context, &member, line))
            .expect("it works")
            .map_err(|why| why.key)
    };
    club.writes_in_game_1("Bob", "resign yes");
    club.pass();
    assert!(as_member(&club, "Dot", "join 1").is_ok());
    club.pass();
    // Bob knows his old hand, so no other is for him; the seat waits for Eve.
    club.writes_in_game_1("Cid", "resign yes");
    club.pass();
    club.writes("Bob", "join 1");
    let told = club.pass().1.remove(0);
    assert!(told.says("You have sat in another seat of game 1, and nobody sees two hands: you"));
    assert!(as_member(&club, "Eve", "join 1").is_ok());
    club.pass();
    assert!(as_member(&club, "Bob", "wait 1").is_ok());
    club.writes_in_game_1("Eve", "resign yes");
    club.pass();
    let session = process::open_game(&club.context(), 1).expect("it opens");
    assert_eq!(session.open_seats(), [Seat::new(3)], "it is not for Bob");
    assert!(as_member(&club, "Cid", "join 1").is_ok(), "he comes back to his own");

    let lines = ["remove 1 seat 2 because told us", "remove 1 seat 3 because told us too"];
    let lines = lines.map(str::to_owned);
    assert!(process::directed(&club.context(), &lines, false).is_ok());
    club.pass();
    let session = process::open_game(&club.context(), 1).expect("it opens");
    assert_eq!(session.names[1], "Bob", "he waited, and it was his");
    let last = club.last_to("Cid").expect("a letter").clone();
    club.arrives(club.reply_to("Cid", &last, "join 1"));
    let told = club.pass().1.remove(0);
    let barred = "The moderator has taken you out of game 1, so you cannot play on there.";
    assert!(told.says(barred), "{}", told.text());
}

#[test]
fn a_rematch_names_only_the_options_that_are_not_usual() {
    let mut club = Club::session("", "off-the-rails", 2, 3);
    let over =
        process::moderate(&club.context(), 1, &postrider::club::Intervention::End, "Enough.");
    assert!(over.is_ok());
    club.pass();
    club.writes("Ann", "rematch");
    let (_, letters) = club.pass();
    let told = letters.iter().find(|letter| letter.to == address("Bob")).expect("invited");
    assert!(
        told.says("2: Off the Rails for 2, one seat free, without deadlines "),
        "{}",
        told.text()
    );
}
