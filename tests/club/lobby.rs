//! Games that are founded and joined by letter, by members and by people who are none yet.

use crate::rig::{Club, Posted, address, command, to};
use chrono::TimeDelta;
use postrider::club::{GameRoom, Intervention, UndoTerm};
use postrider::games::kind;
use postrider::process;
use postrider::rules::{Seat, Turn};
use postrider::store::Batch;
use std::collections::BTreeMap;

/// A club with game 1 of Paris Connection for these.
fn club_of(seats: u8, settings: &str) -> Club {
    Club::session(settings, "paris-connection", seats, 7)
}

/// What this player is told when he writes this.
fn told(club: &mut Club, name: &str, body: &str) -> Posted {
    club.writes(name, body);
    let (_, letters) = club.pass();
    to(&letters, name).clone()
}

/// A letter from an address that answers another letter, or none.
fn from(club: &mut Club, from: &str, to: Option<&Posted>, body: &str) {
    let reply = to.and_then(|to| to.header("Reply-To"));
    let to = reply.unwrap_or_else(|| "games@example.org".to_owned());
    let body = body.replace('\n', "\r\n");
    let id = format!("{}-{}", club.now.timestamp(), club.arrived_id("x").len() + body.len());
    let head = format!("From: {from}\r\nTo: {to}\r\nMessage-ID: <{id}@example.net>\r\n");
    club.arrives(format!("{head}Subject: x\r\n\r\n{body}\r\n"));
}

#[test]
fn a_game_is_put_on_the_table_joined_and_begins_by_itself() {
    let mut club = club_of(4, "");
    club.writes("Ann", "new paris-connection seats 3 deadline 3d stall_after_trades=24");
    let (_, letters) = club.pass();
    assert_eq!(letters.len(), 1, "nobody is mailed unasked");
    assert!(letters[0].says("Your game 2 is on the table"), "{}", letters[0].text());
    assert!(
        letters[0].says("2: Paris Connection for 3, 2 seats free, with 3 days a turn, with stall")
    );

    let list = told(&mut club, "Bob", "games");
    assert!(list.says("In so far: Ann (new to deadlines)."), "{}", list.text());
    assert!(list.says("1: Paris Connection, played by Ann, Bob, Cid and Dot; it has just begun"));
    // The answer to that letter is no letter of a game, and does as well.
    let joined = club.reply_to("Bob", &list, "join 2 first");
    club.arrives(joined);
    let (_, letters) = club.pass();
    assert_eq!(letters.len(), 1);
    assert!(letters[0].says("You are in"));
    assert!(told(&mut club, "Bob", "join 2").says("You are in game 2 already"));
    assert!(told(&mut club, "Bob", "leave 2").says("You are out of game 2"));
    assert!(told(&mut club, "Ann", "leave 2").says("cancel 2"));
    told(&mut club, "Bob", "join 2 first");
    assert!(process::open_game(&club.context(), 2).is_err());

    club.writes("Cid", "join 2");
    club.writes("Dot", "join 2");
    club.writes("Dot", "wait 2");
    let (_, letters) = club.pass();
    assert!(letters.iter().any(|l| l.to == address("Cid") && l.says("it has begun")));
    let welcome: Vec<&str> = letters
        .iter()
        .filter(|letter| letter.says("Welcome to game 2 of The Postal Club"))
        .map(|letter| letter.to.as_str())
        .collect();
    assert_eq!(welcome.len(), 3);
    assert_eq!(welcome[0], address("Bob"), "he wished to be first");
    let dots: Vec<&Posted> = letters.iter().filter(|l| l.to == address("Dot")).collect();
    assert!(dots[0].says("Game 2 is being played"), "{}", dots[0].text());
    assert!(dots[1].says("You are number 1 on the waiting list"));
    let context = club.context();
    let session = process::open_game(&context, 2).expect("it has begun");
    assert!(session.clock.is_some());
    assert!(session.table.founding().options.get().contains("24"));
    assert!(context.store.room(2).expect("it is kept").proposal.is_none());
    let Turn::Awaiting(seats) = session.table.turn() else { panic!("it has just begun") };
    let (mover, line) =
        (session.names[seats[0].index()].clone(), session.table.game().forfeit(seats[0]));
    drop((session, context));
    club.writes(&mover, &line);
    assert_eq!(club.pass().0.carried_out, 1, "{}", club.last_text(&mover));
}

#[test]
fn what_cannot_be_is_refused_in_words_and_nothing_is_done() {
    let mut club = club_of(3, "");
    let guests: String = (1..=13).map(|n| format!("g{n}@example.net ")).collect();
    for (line, why) in [
        ("new chess seats 2", "There is no such game here"),
        ("new paris-connection", "For how many?"),
        ("new paris-connection seats 9", "This game is for 3 to 6 players"),
        ("new paris-connection seats 3 colour blue", "cannot be played so"),
        ("new paris-connection seats 3 deadline soon", "This is no deadline"),
        ("new paris-connection seats 3 private", "as many invited"),
        ("new paris-connection seats 3 press publik", "\"press public\""),
        ("new paris-connection seats 3 nmr forfeit", "to absent players needs a deadline."),
        ("new paris-connection invite bob", "write the addresses of those you invite."),
        (&format!("new paris-connection invite {guests}"), "At most 12 can be invited by one"),
        ("new off-the-rails seats 3 cut flat", "\"flat\" is no choice; there is: "),
        ("new paris-connection seats 3 stall_after_trades soon", "\"soon\" is nothing"),
        ("join 1 window", "\"seat 2\", \"first\" or \"last\", and the game must have that seat."),
        ("leave 1", "To leave a game that has begun, write \"resign\" in a reply to one of its"),
        ("unwatch 1", "You do not watch game 1."),
        ("join 77", "There is no game 77"),
        ("join 1", "You are in game 1 already"),
        ("cancel 1", "Only who proposed game 1"),
        ("preview\njoin 1", "cannot be previewed"),
        ("build red G23, Troyes\nnew paris-connection seats 3", "a letter of its own"),
        ("say Who comes along?\njoin 77", "a letter of its own"),
        ("say I have had enough.\nresign yes", "a letter of its own"),
    ] {
        let said = told(&mut club, "Ann", line);
        assert!(said.says(why), "{line}: {}", said.text());
    }
    let context = club.context();
    let founded = GameRoom { undo: Some(UndoTerm::default()), ..GameRoom::default() };
    assert_eq!(context.store.rooms().expect("they are kept"), [(1, founded)]);
    assert_eq!(process::open_game(&context, 1).expect("it opens").table.head(), 1);
    drop(context);
    for _ in 0..3 {
        assert!(told(&mut club, "Ann", "new paris-connection seats 3").says("on the table"));
    }
    assert!(told(&mut club, "Ann", "new paris-connection seats 3").says("3 games on the table"));
    // A slip in one address does not look as if all had been asked.
    club.writes("Ann", "invite 2 zoe@example.net, yan.example.net");
    let (_, letters) = club.pass();
    assert_eq!(letters.len(), 1);
    assert!(letters[0].says("\"yan.example.net\" is no address, so nobody has been invited"));
    assert!(told(&mut club, "Bob", "games").says("without deadlines. In so far: Ann"));
    assert!(told(&mut club, "Bob", "join 2 seat 4").says("and the game must have that seat."));
    // Who forgets a number, or tells the club what is a game's, is told how it is done.
    club.now += TimeDelta::hours(1);
    let last = told(&mut club, "Bob", "games");
    club.arrives(club.reply_to("Bob", &last, "rematch"));
    assert!(club.pass().1[0].says("in a reply to the last letter of a game that is over."));
    club.arrives(club.reply_to("Bob", &last, "join"));
    assert!(club.pass().1[0].says("such as \"games\" or \"join 12\", stands in a letter of its"));
}

#[test]
fn what_this_program_plays_no_more_does_not_begin() {
    let mut club = club_of(3, "");
    told(&mut club, "Ann", "new paris-connection seats 3");
    told(&mut club, "Bob", "join 2");
    // An older program may have put it on the table.
    let room = serde_json::to_string(&club.context().store.room(2).expect("kept")).expect("JSON");
    let room = room.replace("paris-connection", "london-connection");
    let rooms = vec![(2, serde_json::from_str(&room).expect("a room"))];
    club.context().store.write(&Batch { rooms, ..Batch::default() }).expect("written");
    let told = told(&mut club, "Cid", "join 2");
    assert!(told.says("This club does not play that game any more."), "{}", told.text());
}

#[test]
fn what_does_not_fill_is_taken_back_or_lapses_with_a_word_to_who_was_in() {
    let mut club = club_of(3, "reminder_days: 0\n");
    told(&mut club, "Ann", "new paris-connection seats 3");
    told(&mut club, "Bob", "new paris-connection seats 3");
    told(&mut club, "Cid", "join 2");
    told(&mut club, "Cid", "join 3");
    assert!(told(&mut club, "Cid", "cancel 2").says("Only who proposed"));
    club.writes("Ann", "cancel 2");
    let (_, letters) = club.pass();
    assert_eq!(letters.len(), 2);
    assert!(to(&letters, "Cid").says("who proposed it took it back"));
    assert!(told(&mut club, "Bob", "join 2").says("There is no game 2"));
    // Its number is not given again.
    assert!(told(&mut club, "Ann", "new paris-connection seats 5").says("Your game 4"));

    club.now += TimeDelta::days(29);
    assert!(club.pass().1.is_empty());
    club.now += TimeDelta::days(1);
    let (_, letters) = club.pass();
    assert_eq!(letters.len(), 3, "Bob and Cid of game 3, Ann of game 4");
    assert!(to(&letters, "Bob").says("did not find enough players"));
    assert!(club.pass().1.is_empty());
    let context = club.context();
    let journal = context.folder.join("journal");
    assert!(context.store.due(club.now + TimeDelta::days(400)).expect("due").is_empty());
    assert!(journal.join("club.jsonl").exists());
}

#[test]
fn who_is_invited_becomes_a_member_by_his_own_word_only() {
    let mut club = club_of(3, "");
    let zoe = "zoe@example.net";
    club.writes(
        "Ann",
        "new paris-connection seats 3 private press public invite bob@example.org zoe@example.net",
    );
    let (_, letters) = club.pass();
    assert_eq!(letters.len(), 3);
    assert!(to(&letters, "Bob").says("Ann invites you to play at The Postal Club"));
    let asked = to(&letters, zoe).clone();
    assert!(asked.says("In this game players speak only to all at once"));
    // She has written no letter that this could answer.
    assert_eq!(asked.header("Subject").as_deref(), Some("A letter from The Postal Club"));
    assert!(asked.says("answer this letter within three days with the word \"yes\" alone"));
    // A private game is nobody else's business.
    assert!(told(&mut club, "Cid", "join 2").says("There is no game 2"));
    assert!(!told(&mut club, "Cid", "games").says("2: Paris"));
    assert!(told(&mut club, "Bob", "games").says("by invitation"));

    from(&mut club, "Mallory <m@example.com>", Some(&asked), "yes");
    from(&mut club, zoe, Some(&asked), "I am out of the office.");
    let (_, letters) = club.pass();
    assert!(to(&letters, "m@example.com").says("not known here"));
    let unread = to(&letters, zoe).clone();
    assert!(unread.says("was not \"yes\" alone"));
    assert_eq!(process::find_member(&club.context(), zoe).expect("it works"), None);

    club.now += TimeDelta::days(1);
    // An answer to either letter will do.
    from(&mut club, zoe, Some(&unread), "yes\nname Zoe the Great\u{202e}");
    let (_, letters) = club.pass();
    assert!(to(&letters, zoe).says("Welcome to The Postal Club, Zoe the Great!"));
    let member =
        process::find_member(&club.context(), zoe).expect("it works").expect("she is one now");
    assert_eq!((member.name.as_str(), member.id), ("Zoe the Great", 4));
    // She has no letter of a game yet, and finds out what she can write.
    from(&mut club, zoe, Some(to(&letters, zoe)), "help\nletters text\nsettings");
    let card = club.pass().1[0].clone();
    assert!(card.says("\"join 12\", \"leave 12\": takes a seat"), "{}", card.text());
    assert!(card.says("Your letters are text only from now on."), "{}", card.text());
    assert!(card.says("Letters: text only"), "{}", card.text());
    club.writes("Bob", "join 2");
    let (_, letters) = club.pass();
    let welcome = letters.iter().filter(|letter| letter.says("Welcome to game 2"));
    assert_eq!(welcome.count(), 3);
}

#[test]
fn strangers_are_let_in_where_the_club_is_open_and_no_mailbox_is_filled() {
    let join = |club: &mut Club| {
        told(club, "Ann", "new paris-connection seats 5");
        (0..3).for_each(|_| from(club, "Zoe <zoe@example.net>", None, "join 2"));
        club.pass().1
    };
    let letters = join(&mut club_of(3, ""));
    assert_eq!(letters.len(), 1);
    assert!(letters[0].says("not known here"));

    let mut club = club_of(3, "strangers: join\n");
    from(&mut club, "Yan <yan@example.net>", None, "Hello?");
    assert!(club.pass().1[0].says("No game waits for players at present"));
    let letters = join(&mut club);
    assert_eq!(letters.len(), 1);
    assert!(letters[0].says("Somebody, we hope you, asked to join"), "{}", letters[0].text());
    let asked = letters[0].clone();
    club.now += TimeDelta::days(5);
    from(&mut club, "Zoe <zoe@example.net>", Some(&asked), "yes");
    let (report, letters) = club.pass();
    assert!(letters.len() == 1, "{report:?}");
    assert!(letters[0].says("within three days"));
    club.now += TimeDelta::days(2);
    from(&mut club, "Zoe <zoe@example.net>", None, "join 2");
    let asked = to(&club.pass().1, "zoe@example.net").clone();
    from(&mut club, "Zoe <zoe@example.net>", Some(&asked), "yes");
    let (report, letters) = club.pass();
    assert_eq!(letters.len(), 1, "{report:?} {:?}", club.mail_folder(".quarantine/cur"));
    assert!(letters[0].says("Welcome to The Postal Club, Zoe!"), "{}", letters[0].text());
    // And now she is somebody: her reply speaks for her.
    let welcome = letters[0].clone();
    from(&mut club, "Zoe <zoe@example.net>", Some(&welcome), "leave 2");
    assert!(club.pass().1[0].says("You are out of game 2"));
}

#[test]
fn a_new_member_bears_nobody_elses_name() {
    let mut club = club_of(3, "strangers: join\n");
    told(&mut club, "Ann", "new paris-connection seats 5");
    let names = ["ann", "A n n", "\u{410}nn", "Ánn", "mod", "The moderator", "Bob to all", "all"];
    let more = ["Seat 2", "2", "You", "Somebody", "The Postal Club", "P\u{430}ul and B\u{43e}b"];
    for (at, name) in names.iter().chain(&more).enumerate() {
        let zoe = format!("zoe{at}@example.net");
        let from_header = format!("Zoe <{zoe}>");
        from(&mut club, &from_header, None, "join 2");
        let asked = to(&club.pass().1, &zoe).clone();
        let utf8 = |club: &mut Club, body: &str| {
            let letter = club.reply_to("Ann", &asked, body).replace(&address("Ann"), &zoe);
            let coding = "Content-Type: text/plain; charset=utf-8\r\nMessage-ID:";
            club.arrives(letter.replacen("Message-ID:", coding, 1));
            to(&club.pass().1, &zoe).clone()
        };
        // Whoever it is like, he is told the same.
        let refused = utf8(&mut club, &format!("yes\nname {name}"));
        assert!(refused.says("is, or is too like, one that this club's letters have"), "{name}");
        assert_eq!(process::find_member(&club.context(), &zoe).expect("it works"), None, "{name}");
        // What the refusal says to do can be done.
        assert!(refused.says("another name on the second, such as \"name Ann Miller\""));
        let Some(other) = ["Xia", "Yuri", "Wanda"].get(at) else { continue };
        let welcome = utf8(&mut club, &format!("yes\nname {other}"));
        assert!(welcome.says(&format!("Postal Club, {other}!")), "{}", welcome.text());
    }
}

#[test]
fn a_new_member_has_a_name_that_can_be_seen() {
    let mut club = club_of(3, "strangers: join\n");
    told(&mut club, "Ann", "new paris-connection seats 5");
    from(&mut club, "<__@example.net>", None, "join 2");
    let asked = to(&club.pass().1, "__@example.net").clone();
    from(&mut club, "<__@example.net>", Some(&asked), "yes\nname ~~~");
    let refused = to(&club.pass().1, "__@example.net").clone();
    assert!(refused.says("could not see the name"), "{}", refused.text());
    assert_eq!(process::find_member(&club.context(), "__@example.net").expect("it works"), None);
    from(&mut club, "<__@example.net>", Some(&refused), "yes\nname Zoe");
    club.pass();
    let member = process::find_member(&club.context(), "__@example.net")
        .expect("it works")
        .expect("one now");
    assert_eq!(member.name, "Zoe");
}

#[test]
fn who_resigns_is_replaced_by_who_waits_and_else_the_seat_is_open_to_all() {
    let mut club = Club::with("clock: {deadline: 3 days}\n");
    club.found(kind("paris-connection").expect("it ships"), 5, 8);
    club.found(kind("paris-connection").expect("it ships"), 3, 7);
    club.pass();
    // The letter that asks can be answered as it says.
    let asked = told(&mut club, "Ann", "resign");
    assert!(asked.says("answer with \"resign 2 yes\""), "{}", asked.text());
    let sure = club.reply_to("Ann", &asked, "resign 3 yes");
    club.arrives(sure);
    let (_, letters) = club.pass();
    assert!(to(&letters, "Ann").says("or its number after it"));
    let asked = told(&mut club, "Bob", "resign");
    let sure = club.reply_to("Bob", &asked, "resign 2 yes: I move house.");
    assert!(told(&mut club, "Dot", "wait 2").says("number 1 on the waiting list"));
    assert!(told(&mut club, "Eve", "join 2").says("no seat of it is open"));
    club.arrives(sure);
    let (_, letters) = club.pass();
    let bob: Vec<&Posted> = letters.iter().filter(|l| l.to == address("Bob")).collect();
    assert!(bob.iter().any(|letter| letter.says("You have left game 2")));
    assert!(bob.iter().any(|letter| letter.says("Dot plays on for you")));
    assert!(to(&letters, "Dot").says("You play on for Bob in game 2"));
    assert!(to(&letters, "Ann").says("Dot plays on for Bob: I move house."));

    club.writes("Cid", "resign yes I have a new baby");
    let (_, letters) = club.pass();
    let ann = to(&letters, "Ann");
    assert!(ann.says("Cid has left game 2, and the seat is open: I have a new baby. Any member"));
    assert!(to(&letters, "mod@example.org").says("a new baby. \"postrider replace\""));
    assert!(told(&mut club, "Eve", "wait 2").says("write \"join 2\""));
    // Nobody writes to an empty seat, and nobody can play from it.
    club.writes("Cid", "pass");
    assert!(to(&club.pass().1, "Cid").says("not valid (any more)"));
    club.writes("Ann", "build red G23, Troyes");
    let (report, letters) = club.pass();
    assert_eq!((report.carried_out, letters.len()), (1, 2));
    // Nobody waits for him who does not know that he has gone.
    assert!(to(&letters, "Ann").says("The seat of Cid is open to a substitute."));
    club.writes("Eve", "join 2");
    let (_, letters) = club.pass();
    let eve: Vec<&Posted> = letters.iter().filter(|l| l.to == address("Eve")).collect();
    assert!(eve.iter().any(|letter| letter.says("Ann builds red on G23")));
    let context = club.context();
    let session = process::open_game(&context, 2).expect("it opens");
    assert_eq!(session.names, ["Ann", "Dot", "Eve"]);
    assert!(!to(&letters, "Ann").says("open to a substitute"));
    assert!(process::open_game(&context, 2).expect("it opens").open_seats().is_empty());
    assert_eq!(session.seat(Seat::new(3)).expect("a seat").0.generation, 3);
    // What each has left stays known of him.
    let cid = process::find_member(&context, &address("Cid")).expect("it works").expect("Cid");
    assert_eq!(cid.past.left, 1);
}

#[test]
fn a_proposal_survives_a_restore() {
    let mut club = club_of(3, "");
    told(
        &mut club,
        "Ann",
        "new paris-connection seats 3 private invite bob@example.org cid@example.org",
    );
    let before = club.context().store.rooms().expect("kept");
    club.restored();
    assert_eq!(club.context().store.rooms().expect("kept"), before);
    club.now += TimeDelta::days(31);
    let (_, letters) = club.pass();
    assert!(letters.iter().any(|letter| letter.says("did not find enough players")));
}

#[test]
fn nobody_can_mail_the_world_and_nobody_wipes_his_record() {
    let mut club = club_of(3, "");
    for line in 1..=3 {
        let guests: Vec<String> = (1..=12).map(|n| format!("g{line}.{n}@example.net")).collect();
        club.writes("Ann", &format!("new paris-connection seats 6 invite {}", guests.join(" ")));
        let (_, letters) = club.pass();
        let asked = letters.iter().filter(|letter| letter.to.ends_with(".net")).count();
        assert_eq!(asked, if line < 3 { 12 } else { 0 });
    }
    assert!(club.last_to("Ann").expect("told").says("invited so many people today"));

    club.writes("Bob", "resign yes");
    club.pass();
    let context = club.context();
    let member = process::find_member(&context, &address("Bob")).expect("it works").expect("Bob");
    let words = process::on_behalf(&context, &member, "join 1").expect("he may");
    assert_eq!(words.len(), 1);
    let member = process::find_member(&context, &address("Bob")).expect("it works").expect("Bob");
    assert_eq!(member.past.left, 1);
    assert!(
        process::answered(process::on_behalf(&context, &member, "resign yes"))
            .expect("it works")
            .is_err()
    );
    let dance = process::answered(process::on_behalf(&context, &member, "dance"));
    let why = dance.expect("it works").expect_err("it is no line");
    let why = context.library.language("en").say(&why);
    assert!(why.starts_with("This is nothing that can be asked of the club's table of games; try"));
    drop(context);
    let (_, letters) = club.pass();
    assert!(to(&letters, "Bob").says("You play on for Bob in game 1"));
    told(&mut club, "Bob", "new paris-connection seats 3");
    assert!(told(&mut club, "Bob", "games").says("Bob (new to deadlines, one game left)"));
}

#[test]
fn a_moderator_does_the_same_at_the_command_line() {
    let mut club = club_of(4, "");
    let folder = club.folder().to_owned();
    let said = |arguments: &[&str], what: &str| {
        let (_, said) = command::run(&folder, "2026-01-06T18:00:00Z", arguments);
        assert!(said.contains(what), "{arguments:?}: {said}");
    };
    said(&["lobby", "--as", "1", "new", "paris-connection", "seats", "3"], "Your game 2 is on");
    said(&["lobby", "--as", "bob@example.org", "join 2"], "You are in");
    said(&["lobby", "--as", "2", "join 2"], "You are in game 2 already");
    said(&["list"], "    2  paris-connection  Ann, Bob  2 of 3 have joined, until 2026-02-05");
    said(&["lobby", "--as", "1", "cancel 2"], "off the table");
    let replace = ["replace", "1", "2", "Zoe <zoe@example.net>", "--reason", "Bob is ill."];
    let rehearsed = [&replace[..], &["--dry-run"]].concat();
    said(&rehearsed, "nothing has been done");
    said(&replace, "Zoe has never answered a letter of the club, so we ask by letter first.");
    club.all_have_answered();
    said(&replace, "In game 1 Zoe plays on for Bob: Bob is ill.");
    said(&["member", "set", "zoe@example.net", "letters all"], "whenever a game has moved");
    said(&["moderate", "remove 1 seat 4 because he asked me to"], "the seat is open");
    said(&["moderate", "announce 1 Hello"], "To Ann, Zoe and Cid of game 1: Hello");
    said(&["replace", "7", "2", "1", "--reason", "x"], "no game 7");
    said(&["member", "add", "Yan <yan@example.net>", "--dry-run"], "Nothing is changed");
    said(&["member", "add", "Bob <yan@example.net>"], "--insist gives it all the same");
    said(&["member", "add", "Yan <bob@example.org>"], "belongs to member 2, Bob");
    for own in ["Yan <games@example.org>", "Yan <Games+1.2@example.org>"] {
        said(&["member", "add", own], "the club's own address");
        said(&["replace", "1", "2", own, "--reason", "x"], "the club's own address");
        said(&["moderate", &format!("invite {own}")], "the club's own address");
        let plain = &own[5..own.len() - 1];
        said(&["moderate", &format!("replace 1 seat 2 by {plain} because x")], "own address");
        let asked = format!("new paris-connection seats 3 invite {plain}");
        said(&["lobby", "--as", "1", &asked], "no address that letters can go to");
    }
    said(&["member", "add", "Yan"], "no address like");
    said(&["member", "add", "Yan <Yan@example.net>"], "6  Yan <yan@example.net> (en, ascii)");
    said(&["member", "add", "--insist", "Bob <wes@example.net>"], "7  Bob <wes@example.net>");
    said(&["moderate", "invite Una <una@example.net>"], "asks Una at una@example.net whether");
    said(&["member", "forget", "cid@example.org"], "erased from store and journal");
    said(&["member", "list"], "former member 3 <>");
    club.now += TimeDelta::days(2);
    let (_, letters) = club.pass();
    let zoe = |what: &str| letters.iter().any(|l| l.to == "zoe@example.net" && l.says(what));
    assert!(zoe("You play on for Bob") && zoe("former member 3 has left game 1"));
    let added = to(&letters, "yan@example.net").clone();
    assert!(added.says("Mod, who moderates The Postal Club, a club that plays board games by e-m"));
    assert!(added.says("made you a member of it by the name of Yan"), "{}", added.text());
    from(&mut club, "yan@example.net", Some(&added), "games");
    assert!(to(&club.pass().1, "yan@example.net").says("No game waits for players"));
    from(&mut club, "yan@example.net", Some(&added), "leave club yes");
    club.pass();
    assert_eq!(process::find_member(&club.context(), "yan@example.net").expect("works"), None);
    assert!(to(&letters, "una@example.net").says("Mod invites you to become a member"));
}

#[test]
fn what_was_played_with_the_clubs_own_definition_only_the_moderator_sets_up_again() {
    let mut club = Club::with("");
    let kind = kind("paris-connection").expect("it ships");
    let own = kind.definition().replacen("France", "Gaul", 1);
    club.found_by(kind, &own, 3, 7, &BTreeMap::new());
    assert!(process::moderate(&club.context(), 1, &Intervention::End, "enough").is_ok());
    club.pass();
    let told = told(&mut club, "Ann", "rematch");
    let own = "a definition of the club's own, so only the moderator can set up another one.";
    assert!(told.says(own), "{}", told.text());
}
