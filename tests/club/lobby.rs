//! Tests games that are founded and joined by letter, by members and by newcomers.

use crate::rig::{Club, PostedLetter, address, first_letter_to};
use chrono::TimeDelta;
use postrider::club::{GameInfo, Intervention, UndoTerm};
use postrider::games::find_kind;
use postrider::process;
use postrider::rules::{Seat, Turn};
use postrider::store::Batch;
use std::collections::BTreeMap;

pub fn start_paris_club(seats: u8, settings: &str) -> Club {
    Club::with_game(settings, "paris-connection", seats, 7)
}

/// Sends a letter from a player, runs a pass, and returns the answer.
pub fn write_and_get_answer(club: &mut Club, name: &str, body: &str) -> PostedLetter {
    club.send_reply(name, body);
    let (_, letters) = club.run_pass();
    first_letter_to(&letters, name).clone()
}

/// Delivers a letter from an address, as a reply to `to` if given.
pub fn deliver_letter_from(club: &mut Club, from: &str, to: Option<&PostedLetter>, body: &str) {
    let reply = to.and_then(|to| to.header("Reply-To"));
    let to = reply.unwrap_or_else(|| "games@example.org".to_owned());
    let body = body.replace('\n', "\r\n");
    let id = format!("{}-{}", club.now.timestamp(), club.next_message_id("x").len() + body.len());
    let head = format!("From: {from}\r\nTo: {to}\r\nMessage-ID: <{id}@example.net>\r\n");
    club.deliver(format!("{head}Subject: x\r\n\r\n{body}\r\n"));
}

#[test]
fn proposed_game_is_joined_and_starts_when_full() {
    let mut club = start_paris_club(4, "");
    club.send_reply("Ann", "new paris-connection seats 3 deadline 3d stall_after_trades=24");
    let (_, letters) = club.run_pass();
    assert_eq!(letters.len(), 1, "other members get no letter");
    assert!(letters[0].contains("Your game 2 is open."), "{}", letters[0].body_text());
    assert!(
        letters[0]
            .contains("2: Paris Connection for 3, 2 seats free, with 3 days per turn, with stall")
    );

    let list = write_and_get_answer(&mut club, "Bob", "games");
    assert!(list.contains("So far: Ann (new to deadlines)."), "{}", list.body_text());
    assert!(list.contains("1: Paris Connection, with Ann, Bob, Cid and Dot; it has just begun"));
    // A reply to the list of games belongs to no game, and works too.
    let joined = club.compose_reply_to("Bob", &list, "join 2 first");
    club.deliver(joined);
    let (_, letters) = club.run_pass();
    assert_eq!(letters.len(), 1);
    assert!(letters[0].contains("You're in!"));
    assert!(write_and_get_answer(&mut club, "Bob", "join 2").contains("You're already in game 2"));
    assert!(write_and_get_answer(&mut club, "Bob", "leave 2").contains("You're out of game 2"));
    assert!(write_and_get_answer(&mut club, "Ann", "leave 2").contains("cancel 2"));
    write_and_get_answer(&mut club, "Bob", "join 2 first");
    assert!(process::load_stored_game(&club.open_context(), 2).is_err());

    club.send_reply("Cid", "join 2");
    club.send_reply("Dot", "join 2");
    club.send_reply("Dot", "wait 2");
    let (_, letters) = club.run_pass();
    assert!(letters.iter().any(|l| l.to == address("Cid") && l.contains("taken the last seat")));
    let welcome: Vec<&str> = letters
        .iter()
        .filter(|letter| letter.contains("game 2 of The Postal Club. Players:"))
        .map(|letter| letter.to.as_str())
        .collect();
    assert_eq!(welcome.len(), 3);
    assert_eq!(welcome[0], address("Bob"), "Bob asked to be first");
    let dots: Vec<&PostedLetter> = letters.iter().filter(|l| l.to == address("Dot")).collect();
    assert!(dots[0].contains("Game 2 is in progress"), "{}", dots[0].body_text());
    assert!(dots[1].contains("You're number 1 on the waiting list"));
    let context = club.open_context();
    let session = process::load_stored_game(&context, 2).expect("it has begun");
    assert!(session.clock.is_some());
    assert!(session.table.founding().options.get().contains("24"));
    assert!(context.store.game_info(2).expect("it is kept").proposal.is_none());
    let Turn::Awaiting(seats) = session.table.turn() else { panic!("it has just begun") };
    let (mover, line) = (
        session.names[seats[0].index()].clone(),
        session.table.game().line_for_absent_player(seats[0]),
    );
    drop((session, context));
    club.send_reply(&mover, &line);
    assert_eq!(club.run_pass().0.carried_out, 1, "{}", club.last_text_to(&mover));
}

#[test]
fn invalid_club_commands_are_refused_with_reason() {
    let mut club = start_paris_club(3, "");
    let guests: String = (1..=13).map(|n| format!("g{n}@example.net ")).collect();
    for (line, why) in [
        ("new chess seats 2", "We don't have that game here"),
        ("new paris-connection", "For how many players?"),
        ("new paris-connection seats 9", "This game is for 3 to 6 players"),
        ("new paris-connection seats 3 colour blue", "can't be played like this"),
        ("new paris-connection seats 3 deadline soon", "We couldn't read this deadline"),
        ("new paris-connection seats 3 private", "one invitation for each free seat"),
        ("new paris-connection seats 3 press publik", "\"press public\""),
        ("new paris-connection seats 3 nmr forfeit", "missed deadline if the game has one."),
        ("new paris-connection invite bob", "write the addresses of the people you"),
        (&format!("new paris-connection invite {guests}"), "You can invite at most 12 people"),
        ("new off-the-rails seats 3 cut flat", "can't choose \"flat\". Choose from: "),
        ("new paris-connection seats 3 stall_after_trades soon", "you can't choose \"soon\" here"),
        ("new off-the-rails seats 3 side up", "You can't pick \"up\" as a side of the board"),
        ("new paris-connection seats 3 side east", "can't pick \"east\" as a side of the"),
        ("join 1 window", "\"seat 2\", \"first\" or \"last\", and the game must have that seat."),
        ("leave 1", "To leave a game in progress, reply \"resign\" to one of its e-mails"),
        ("unwatch 1", "You aren't watching game 1."),
        ("join 77", "There is no game 77"),
        ("join 1", "You're already in game 1"),
        ("cancel 1", "Only the player who started game 1"),
        ("preview\njoin 1", "can't preview this"),
        ("build red G23, Troyes\nnew paris-connection seats 3", "an e-mail of its own"),
        ("say Who comes along?\njoin 77", "an e-mail of its own"),
        ("say I have had enough.\nresign yes", "an e-mail of its own"),
    ] {
        let answer = write_and_get_answer(&mut club, "Ann", line);
        assert!(answer.contains(why), "{line}: {}", answer.body_text());
    }
    let context = club.open_context();
    let founded = GameInfo { undo: Some(UndoTerm::default()), ..GameInfo::default() };
    assert_eq!(context.store.game_infos().expect("they are kept"), [(1, founded)]);
    assert_eq!(
        process::load_stored_game(&context, 1).expect("it opens").table.last_record_number(),
        1
    );
    drop(context);
    for _ in 0..3 {
        assert!(
            write_and_get_answer(&mut club, "Ann", "new paris-connection seats 3")
                .contains("is open. It starts")
        );
    }
    assert!(
        write_and_get_answer(&mut club, "Ann", "new paris-connection seats 3")
            .contains("3 open games")
    );
    // If one address has a mistake, none is invited, and the answer says so.
    club.send_reply("Ann", "invite 2 zoe@example.net, yan.example.net");
    let (_, letters) = club.run_pass();
    assert_eq!(letters.len(), 1);
    assert!(letters[0].contains("\"yan.example.net\" isn't an e-mail address, so nobody has"));
    assert!(
        write_and_get_answer(&mut club, "Bob", "games").contains("without deadlines. So far: Ann")
    );
    assert!(
        write_and_get_answer(&mut club, "Bob", "join 2 seat 4")
            .contains("and the game must have that seat.")
    );
}

#[test]
fn incomplete_lobby_line_is_explained() {
    let mut club = start_paris_club(3, "");
    let last = write_and_get_answer(&mut club, "Bob", "games");
    club.deliver(club.compose_reply_to("Bob", &last, "rematch"));
    assert!(club.run_pass().1[0].contains("Reply \"rematch\" to the last e-mail of a game"));
    club.deliver(club.compose_reply_to("Bob", &last, "join"));
    assert!(
        club.run_pass().1[0]
            .contains("such as \"games\" or \"join 12\", needs an e-mail of its own")
    );
}

#[test]
fn proposal_of_unknown_game_does_not_start() {
    let mut club = start_paris_club(3, "");
    write_and_get_answer(&mut club, "Ann", "new paris-connection seats 3");
    write_and_get_answer(&mut club, "Bob", "join 2");
    // An older version of the program may have proposed this game.
    let room = serde_json::to_string(&club.open_context().store.game_info(2).expect("kept"))
        .expect("JSON");
    let room = room.replace("paris-connection", "london-connection");
    let rooms = vec![(2, serde_json::from_str(&room).expect("a game info"))];
    club.open_context()
        .store
        .write_without_conflict_check(&Batch { game_infos: rooms, ..Batch::default() })
        .expect("written");
    let answer = write_and_get_answer(&mut club, "Cid", "join 2");
    assert!(answer.contains("This club no longer plays that game."), "{}", answer.body_text());
}

#[test]
fn unfilled_proposal_is_cancelled_or_expires_with_notice() {
    let mut club = start_paris_club(3, "reminder_days: 0\n");
    write_and_get_answer(&mut club, "Ann", "new paris-connection seats 3");
    write_and_get_answer(&mut club, "Bob", "new paris-connection seats 3");
    write_and_get_answer(&mut club, "Cid", "join 2");
    write_and_get_answer(&mut club, "Cid", "join 3");
    assert!(write_and_get_answer(&mut club, "Cid", "cancel 2").contains("Only the player who"));
    club.send_reply("Ann", "cancel 2");
    let (_, letters) = club.run_pass();
    assert_eq!(letters.len(), 2);
    assert!(first_letter_to(&letters, "Cid").contains("who started it has cancelled it"));
    assert!(write_and_get_answer(&mut club, "Bob", "join 2").contains("There is no game 2"));
    // The number of a cancelled game is not used again.
    assert!(
        write_and_get_answer(&mut club, "Ann", "new paris-connection seats 5")
            .contains("Your game 4")
    );

    club.now += TimeDelta::days(29);
    assert!(club.run_pass().1.is_empty());
    club.now += TimeDelta::days(1);
    let (_, letters) = club.run_pass();
    assert_eq!(letters.len(), 3, "Bob and Cid of game 3, Ann of game 4");
    assert!(first_letter_to(&letters, "Bob").contains("didn't find enough players"));
    assert!(club.run_pass().1.is_empty());
    let context = club.open_context();
    let journal = context.folder.join("journal");
    assert!(context.store.due_games(club.now + TimeDelta::days(400)).expect("due").is_empty());
    assert!(journal.join("club.jsonl").exists());
}

#[test]
fn invitee_becomes_member_only_by_own_consent() {
    let mut club = start_paris_club(3, "");
    let zoe = "zoe@example.net";
    club.send_reply(
        "Ann",
        "new paris-connection seats 3 private press public invite bob@example.org zoe@example.net",
    );
    let (_, letters) = club.run_pass();
    assert_eq!(letters.len(), 3);
    assert!(
        first_letter_to(&letters, "Bob").contains("Ann invites you to play at The Postal Club")
    );
    let asked = first_letter_to(&letters, zoe).clone();
    assert!(asked.contains("In this game, messages go to all players"));
    let subject = asked.header("Subject");
    assert_eq!(subject.as_deref(), Some("Ann invites you to play Paris Connection (game 2)"));
    assert!(asked.contains("reply within three days with just \"yes\" on the first line"));
    // A private game is hidden from other members.
    assert!(write_and_get_answer(&mut club, "Cid", "join 2").contains("There is no game 2"));
    assert!(!write_and_get_answer(&mut club, "Cid", "games").contains("2: Paris"));
    assert!(write_and_get_answer(&mut club, "Bob", "games").contains("by invitation"));

    deliver_letter_from(&mut club, "Mallory <m@example.com>", Some(&asked), "yes");
    deliver_letter_from(&mut club, zoe, Some(&asked), "I am out of the office.");
    let (_, letters) = club.run_pass();
    assert!(first_letter_to(&letters, "m@example.com").contains("don't know your address"));
    let unread = first_letter_to(&letters, zoe).clone();
    assert!(unread.contains("couldn't find a clear \"yes\""));
    assert_eq!(process::find_member(&club.open_context(), zoe).expect("it works"), None);

    club.now += TimeDelta::days(1);
    // Zoe may reply to either letter.
    deliver_letter_from(&mut club, zoe, Some(&unread), "yes\nname Zoe the Great\u{202e}");
    let (_, letters) = club.run_pass();
    assert!(first_letter_to(&letters, zoe).contains("Welcome to The Postal Club, Zoe the Great!"));
    let member = process::find_member(&club.open_context(), zoe)
        .expect("it works")
        .expect("Zoe is a member");
    assert_eq!((member.name.as_str(), member.id), ("Zoe the Great", 4));
    // Zoe has no letter of a game yet, but learns which commands she can write.
    deliver_letter_from(
        &mut club,
        zoe,
        Some(first_letter_to(&letters, zoe)),
        "help\nletters text\nsettings",
    );
    let card = club.run_pass().1[0].clone();
    assert!(card.contains("\"join 12\", \"leave 12\": takes a seat"), "{}", card.body_text());
    assert!(card.contains("Your e-mails are text only from now on."), "{}", card.body_text());
    assert!(card.contains("E-mails: text only"), "{}", card.body_text());
    club.send_reply("Bob", "join 2");
    let (_, letters) = club.run_pass();
    let welcome = letters.iter().filter(|letter| letter.contains("game 2 of The Postal Club"));
    assert_eq!(welcome.count(), 3);
}

#[test]
fn strangers_join_open_club_after_confirmation() {
    let join = |club: &mut Club| {
        write_and_get_answer(club, "Ann", "new paris-connection seats 5");
        (0..3).for_each(|_| deliver_letter_from(club, "Zoe <zoe@example.net>", None, "join 2"));
        club.run_pass().1
    };
    let letters = join(&mut start_paris_club(3, ""));
    assert_eq!(letters.len(), 1);
    assert!(letters[0].contains("don't know your address"));

    let mut club = start_paris_club(3, "strangers: join\n");
    deliver_letter_from(&mut club, "Yan <yan@example.net>", None, "Hello?");
    assert!(club.run_pass().1[0].contains("There are no open games right now"));
    let letters = join(&mut club);
    assert_eq!(letters.len(), 1);
    assert!(
        letters[0].contains("Someone (we hope it was you) asked to join"),
        "{}",
        letters[0].body_text()
    );
    let asked = letters[0].clone();
    club.now += TimeDelta::days(5);
    deliver_letter_from(&mut club, "Zoe <zoe@example.net>", Some(&asked), "yes");
    let (report, letters) = club.run_pass();
    assert!(letters.len() == 1, "{report:?}");
    assert!(letters[0].contains("That question has expired"));
    club.now += TimeDelta::days(2);
    deliver_letter_from(&mut club, "Zoe <zoe@example.net>", None, "join 2");
    let asked = first_letter_to(&club.run_pass().1, "zoe@example.net").clone();
    deliver_letter_from(&mut club, "Zoe <zoe@example.net>", Some(&asked), "yes");
    let (report, letters) = club.run_pass();
    assert_eq!(letters.len(), 1, "{report:?} {:?}", club.inbox_files(".quarantine/cur"));
    assert!(letters[0].contains("Welcome to The Postal Club, Zoe!"), "{}", letters[0].body_text());
    // Zoe is a member now, so her reply counts.
    let welcome = letters[0].clone();
    deliver_letter_from(&mut club, "Zoe <zoe@example.net>", Some(&welcome), "leave 2");
    assert!(club.run_pass().1[0].contains("You're out of game 2"));
}

#[test]
fn resigned_seat_goes_to_waiting_list_or_opens() {
    let mut club = Club::with_settings("clock: {deadline: 3 days}\n");
    club.start_game(find_kind("paris-connection").expect("it ships"), 5, 8);
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    club.run_pass();
    // The question can be answered as it says.
    let asked = write_and_get_answer(&mut club, "Ann", "resign");
    assert!(asked.contains("reply \"resign 2 yes\""), "{}", asked.body_text());
    let sure = club.compose_reply_to("Ann", &asked, "resign 3 yes");
    club.deliver(sure);
    let (_, letters) = club.run_pass();
    assert!(first_letter_to(&letters, "Ann").contains("Or add the game's number"));
    let asked = write_and_get_answer(&mut club, "Bob", "resign");
    let sure = club.compose_reply_to("Bob", &asked, "resign 2 yes: I move house.");
    assert!(
        write_and_get_answer(&mut club, "Dot", "wait 2").contains("number 1 on the waiting list")
    );
    assert!(write_and_get_answer(&mut club, "Eve", "join 2").contains("has no open seat"));
    club.deliver(sure);
    let (_, letters) = club.run_pass();
    let bob: Vec<&PostedLetter> = letters.iter().filter(|l| l.to == address("Bob")).collect();
    assert!(bob.iter().any(|letter| letter.contains("You've left game 2")));
    assert!(bob.iter().any(|letter| letter.contains("Dot now plays for you")));
    assert!(first_letter_to(&letters, "Dot").contains("You now play for Bob in game 2"));
    assert!(first_letter_to(&letters, "Ann").contains("Dot now plays for Bob: I move house."));

    club.send_reply("Cid", "resign yes I have a new baby");
    let (_, letters) = club.run_pass();
    let ann = first_letter_to(&letters, "Ann");
    assert!(
        ann.contains("Cid has left game 2, and the seat is open: I have a new baby. Any member")
    );
    assert!(first_letter_to(&letters, "mod@example.org").contains("a new baby. Use \"postrider"));
    assert!(write_and_get_answer(&mut club, "Eve", "wait 2").contains("Reply \"join 2\""));
    // A player who has resigned cannot send orders, and the empty seat gets no letters.
    club.send_reply("Cid", "pass");
    assert!(first_letter_to(&club.run_pass().1, "Cid").contains("isn't valid, or no longer is"));
    club.send_reply("Ann", "build red G23, Troyes");
    let (report, letters) = club.run_pass();
    assert_eq!((report.carried_out, letters.len()), (1, 2));
    // The other players learn that the seat is empty.
    assert!(first_letter_to(&letters, "Ann").contains("Cid's seat is open to a substitute."));
    club.send_reply("Eve", "join 2");
    let (_, letters) = club.run_pass();
    let eve: Vec<&PostedLetter> = letters.iter().filter(|l| l.to == address("Eve")).collect();
    assert!(eve.iter().any(|letter| letter.contains("Ann builds red on G23")));
    let context = club.open_context();
    let session = process::load_stored_game(&context, 2).expect("it opens");
    assert_eq!(session.names, ["Ann", "Dot", "Eve"]);
    assert!(!first_letter_to(&letters, "Ann").contains("open to a substitute"));
    assert!(process::load_stored_game(&context, 2).expect("it opens").open_seats().is_empty());
    assert_eq!(session.seat(Seat::new(3)).expect("a seat").0.token_generation, 3);
    // The club keeps the number of games that each member has left.
    let cid = process::find_member(&context, &address("Cid")).expect("it works").expect("Cid");
    assert_eq!(cid.past_punctuality.games_left, 1);
}

#[test]
fn proposal_survives_restore() {
    let mut club = start_paris_club(3, "");
    write_and_get_answer(
        &mut club,
        "Ann",
        "new paris-connection seats 3 private invite bob@example.org cid@example.org",
    );
    let before = club.open_context().store.game_infos().expect("kept");
    club.restore_from_journal();
    assert_eq!(club.open_context().store.game_infos().expect("kept"), before);
    club.now += TimeDelta::days(31);
    let (_, letters) = club.run_pass();
    assert!(letters.iter().any(|letter| letter.contains("didn't find enough players")));
}

#[test]
fn invitations_are_limited_and_resignations_stay_recorded() {
    let mut club = start_paris_club(3, "");
    for line in 1..=3 {
        let guests: Vec<String> = (1..=12).map(|n| format!("g{line}.{n}@example.net")).collect();
        club.send_reply(
            "Ann",
            &format!("new paris-connection seats 6 invite {}", guests.join(" ")),
        );
        let (_, letters) = club.run_pass();
        let asked = letters.iter().filter(|letter| letter.to.ends_with(".net")).count();
        assert_eq!(asked, if line < 3 { 12 } else { 0 });
    }
    assert!(club.last_letter_to("Ann").expect("told").contains("more invitations than you can"));

    club.send_reply("Bob", "resign yes");
    club.run_pass();
    let context = club.open_context();
    let member = process::find_member(&context, &address("Bob")).expect("it works").expect("Bob");
    let words =
        process::run_lobby_line_for_member(&context, &member, "join 1").expect("it is allowed");
    assert_eq!(words.len(), 1);
    let member = process::find_member(&context, &address("Bob")).expect("it works").expect("Bob");
    assert_eq!(member.past_punctuality.games_left, 1);
    assert!(
        process::split_refusal(process::run_lobby_line_for_member(&context, &member, "resign yes"))
            .expect("it works")
            .is_err()
    );
    let unknown =
        process::split_refusal(process::run_lobby_line_for_member(&context, &member, "dance"));
    let why = unknown.expect("it works").expect_err("it is no line");
    let why = context.library.language("en").localize(&why);
    assert!(why.starts_with("We didn't understand what you'd like from the club's list of games."));
    drop(context);
    let (_, letters) = club.run_pass();
    assert!(first_letter_to(&letters, "Bob").contains("You now play for Bob in game 1"));
    write_and_get_answer(&mut club, "Bob", "new paris-connection seats 3");
    assert!(
        write_and_get_answer(&mut club, "Bob", "games")
            .contains("Bob (new to deadlines, left one game)")
    );
}

#[test]
fn rematch_with_custom_definition_needs_moderator() {
    let mut club = Club::with_settings("");
    let kind = find_kind("paris-connection").expect("it ships");
    let own = kind.shipped_definition().replacen("France", "Gaul", 1);
    club.start_game_with_definition(kind, &own, 3, 7, &BTreeMap::new());
    assert!(process::moderate_game(&club.open_context(), 1, &Intervention::End, "enough").is_ok());
    club.run_pass();
    let answer = write_and_get_answer(&mut club, "Ann", "rematch");
    let own = "the club's own version of the rules, so only the moderator can set up another one.";
    assert!(answer.contains(own), "{}", answer.body_text());
}
