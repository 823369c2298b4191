//! Invitations: who gets one, what the inviter is told, and how a member accepts one.

use crate::rig::{Club, Posted, address, command, loses, to};
use chrono::TimeDelta;
use postrider::process;
use postrider::rules::Seat;

const ZOE: &str = "zoe@example.net";

/// A club with game 1 of Paris Connection for these.
fn club_of(seats: u8, settings: &str) -> Club {
    Club::session(settings, "paris-connection", seats, 7)
}

/// What this player is told when he writes this.
fn told(club: &mut Club, name: &str, body: &str) -> Posted {
    club.writes(name, body);
    to(&club.pass().1, name).clone()
}

/// What is so about Zoe when Ann invites her.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Is {
    Stranger,
    Member,
    Undeliverable,
    WithoutInvitations,
    Refusing,
    AskedThrice,
    BeyondTheCap,
}

/// How many letters go to Zoe for each of four invitations by Ann, and the bytes of the answers.
fn invited_four_times(zoe: Is) -> (Vec<usize>, Vec<String>) {
    let cap = if zoe == Is::BeyondTheCap { "invitations_per_day: 0\n" } else { "" };
    let mut club = club_of(4, cap);
    let start = club.now;
    let is_asked = matches!(zoe, Is::Refusing | Is::AskedThrice);
    for name in ["Bob", "Cid", "Dot"] {
        let who = if is_asked { ZOE } else { "yan@example.net" };
        club.writes(name, &format!("new paris-connection seats 5 invite {who}"));
        let (_, letters) = club.pass();
        if let Some(asked) = letters.iter().find(|letter| letter.to == ZOE && zoe == Is::Refusing) {
            let stop = club.reply_to("Ann", asked, "stop").replace(&address("Ann"), ZOE);
            club.arrives(stop);
        }
    }
    if matches!(zoe, Is::Member | Is::Undeliverable | Is::WithoutInvitations) {
        process::add_member(&club.context(), &format!("Zoe <{ZOE}>"), false).expect("added");
        club.pass();
        if zoe == Is::Undeliverable {
            loses(&mut club, ZOE);
        }
        if zoe == Is::WithoutInvitations {
            process::set_member(&club.context(), ZOE, "invitations off").expect("it can");
        }
    }
    club.now = start + TimeDelta::days(2);
    // A probe to a member who is undeliverable leaves now.
    club.pass();
    let lines = [format!("new paris-connection seats 5 invite {ZOE}"), format!("invite 5 {ZOE}")];
    let (mut sent, mut told) = (Vec::new(), Vec::new());
    for (n, line) in [&lines[0], &lines[1], &lines[1], &lines[1]].into_iter().enumerate() {
        let letter = club.reply("Ann", line);
        club.arrives(letter.replace(&club.arrived_id("Ann"), &format!("<{n}@example.org>")));
        let (_, letters) = club.pass();
        sent.push(letters.iter().filter(|letter| letter.to == ZOE).count());
        told.push(to(&letters, "Ann").raw());
    }
    (sent, told)
}

#[test]
fn invitation_answer_discloses_nothing() {
    let (sent, told) = invited_four_times(Is::Stranger);
    assert_eq!(sent, [1, 0, 0, 0], "one a week");
    for (zoe, sent) in [
        (Is::Member, [1, 1, 1, 0]),
        (Is::Undeliverable, [1, 1, 1, 0]),
        (Is::WithoutInvitations, [0; 4]),
        (Is::Refusing, [0; 4]),
        (Is::AskedThrice, [0; 4]),
        (Is::BeyondTheCap, [0; 4]),
    ] {
        let of_zoe = invited_four_times(zoe);
        assert_eq!(of_zoe.0, sent, "{zoe:?}");
        assert_eq!(of_zoe.1, told, "{zoe:?}");
    }
    assert!(told.iter().all(|letter| letter.contains("invit")), "{told:?}");
}

#[test]
fn question_answer_discloses_nothing() {
    let told_of = |refusing: bool| {
        let mut club = club_of(4, "");
        club.writes("Bob", &format!("address {ZOE}"));
        let asked = to(&club.pass().1, ZOE).clone();
        if refusing {
            let stop = club.reply_to("Ann", &asked, "stop").replace(&address("Ann"), ZOE);
            club.arrives(stop);
        }
        club.pass();
        let letter = club.reply("Ann", &format!("address {ZOE}"));
        club.arrives(letter.replace(&club.arrived_id("Ann"), "<1@example.org>"));
        let (_, letters) = club.pass();
        (letters.iter().filter(|letter| letter.to == ZOE).count(), to(&letters, "Ann").raw())
    };
    let (free, refusing) = (told_of(false), told_of(true));
    assert_eq!((free.0, refusing.0), (1, 0));
    assert_eq!(free.1, refusing.1);
}

/// Zoe joins an open club by herself.
fn joins(club: &mut Club, who: &str, body: &str, answered: Option<&Posted>) -> Posted {
    let reply = answered.and_then(|letter| letter.header("Reply-To"));
    let reply = reply.unwrap_or_else(|| "games@example.org".to_owned());
    let id = club.arrived_id("newcomer");
    club.arrives(format!(
        "From: {who}\r\nTo: {reply}\r\nMessage-ID: {id}\r\nSubject: x\r\n\r\n{body}\r\n"
    ));
    let (_, letters) = club.pass();
    letters.into_iter().find(|letter| who.contains(&letter.to)).expect("an answer")
}

#[test]
fn newcomer_invites_five_until_first_turn() {
    let mut club = club_of(3, "strangers: join\n");
    let who = format!("Zoe <{ZOE}>");
    let asked = joins(&mut club, &who, "join club", None);
    let welcome = joins(&mut club, &who, "yes", Some(&asked));
    let guests = |from: u32, to: u32| -> String {
        (from..=to).map(|n| format!(" g{n}@example.com")).collect()
    };
    let line = format!("new paris-connection seats 3 invite{}", guests(1, 4));
    assert!(joins(&mut club, &who, &line, Some(&welcome)).says("Your game 2 is on the table"));
    let line = format!("invite 2{}", guests(5, 6));
    let refused = joins(&mut club, &who, &line, Some(&welcome));
    assert!(refused.says("you can invite one more person") && refused.says("mod@example.org"));
    let line = format!("invite 2{}", guests(5, 5));
    assert!(joins(&mut club, &who, &line, Some(&welcome)).says("are invited to game 2"));
    let line = format!("invite 2{}", guests(6, 6));
    assert!(joins(&mut club, &who, &line, Some(&welcome)).says("you can invite nobody else"));
    // Nor by the friends who came in by those: an address invites the next one.
    let friend = club.last_to("g1@example.com").expect("asked").clone();
    joins(&mut club, "g1@example.com", "yes\r\nname Gil", Some(&friend));
    let gil = process::find_member(&club.context(), "g1@example.com").expect("it reads");
    assert_eq!(gil.expect("a member").invitations_left, Some(5));
    // A restore does not give her five more.
    club.restored();
    assert!(joins(&mut club, &who, &line, Some(&welcome)).says("you can invite nobody else"));
    let allow = ["member", "allow-invitations", ZOE];
    assert_eq!(command::run(club.folder(), "2026-01-06T18:00:00Z", &allow).0, Some(0));
    assert!(joins(&mut club, &who, &line, Some(&welcome)).says("are invited to game 2"));
}

#[test]
fn newcomer_who_leaves_and_returns_invites_no_more() {
    let mut club = club_of(3, "strangers: join\n");
    let who = format!("Zoe <{ZOE}>");
    for invited in [5, 0] {
        let asked = joins(&mut club, &who, "join club", None);
        let welcome = joins(&mut club, &who, "yes", Some(&asked));
        let line = "new paris-connection seats 6 invite a@x.org b@x.org c@x.org d@x.org e@x.org";
        let letter = club.reply_to("Ann", &welcome, line).replace(&address("Ann"), ZOE);
        club.arrives(letter);
        let (_, letters) = club.pass();
        assert_eq!(letters.iter().filter(|l| l.to.ends_with("@x.org")).count(), invited);
        assert_eq!(to(&letters, ZOE).says("you can invite nobody else"), invited == 0);
        joins(&mut club, &who, "leave club yes", Some(&welcome));
        club.now += TimeDelta::days(8);
    }
}

#[test]
fn finished_turn_lifts_newcomers_limit() {
    let mut club = club_of(3, "strangers: join\n");
    club.writes("Ann", "new paris-connection seats 3 first");
    club.pass();
    let who = format!("Zoe <{ZOE}>");
    let asked = joins(&mut club, &who, "join 2", None);
    joins(&mut club, &who, "yes", Some(&asked));
    club.writes("Bob", "join 2");
    club.pass();
    let left = |club: &Club| {
        let zoe = process::find_member(&club.context(), ZOE).expect("it reads");
        zoe.expect("a member").invitations_left
    };
    loop {
        let session = process::open_game(&club.context(), 2).expect("it opens");
        let turn =
            (1..=3).map(Seat::new).find(|seat| session.table.turn().awaits(*seat)).expect("a turn");
        let (_, mover) = session.seat(turn).expect("a player").clone();
        assert_eq!(left(&club), Some(5), "nobody has played for her");
        let line = session.table.game().legal(turn).swap_remove(0);
        let letter = club.last_to(&mover.addresses[0]).expect("a letter").clone();
        let order = club.reply_to(&mover.name, &letter, &line);
        club.arrives(order.replace(&address(&mover.name), &mover.addresses[0]));
        assert_eq!(club.pass().0.carried_out, 1, "{line}");
        if mover.name == "Zoe" {
            break;
        }
    }
    assert_eq!(left(&club), None);
}

#[test]
fn club_cap_holds_and_moderator_is_told_once() {
    let mut club = club_of(4, "invitations_per_day: 3\n");
    let mut told = 0;
    let mut asked = |club: &mut Club, name: &str, guests: &str| {
        club.writes(name, &format!("new paris-connection seats 6 invite {guests}"));
        let (_, letters) = club.pass();
        let notes = letters.iter().filter(|letter| letter.to == "mod@example.org");
        told += notes.filter(|note| note.says("3 invitations to non-members within a day")).count();
        assert!(to(&letters, name).says("is on the table"));
        letters.iter().filter(|letter| letter.says(&format!("{name} invites you"))).count()
    };
    assert_eq!(asked(&mut club, "Ann", "a@example.net b@example.net bob@example.org"), 3);
    assert_eq!(asked(&mut club, "Bob", "c@example.net d@example.net"), 1);
    assert_eq!(asked(&mut club, "Cid", "e@example.net bob@example.org"), 1, "members are others");
    club.now += TimeDelta::days(1);
    assert_eq!(asked(&mut club, "Dot", "e@example.net"), 1);
    assert_eq!(told, 1);
}

#[test]
fn founder_invites_friends_on_day_one() {
    let mut club = Club::with("");
    process::add_member(&club.context(), "Mod <mod@example.org>", true).expect("added");
    let welcome = club.pass().1.first().expect("a letter").clone();
    let guests: String = (1..=8).map(|n| format!(" j.r.smith{n}@example.net")).collect();
    let line = format!("new paris-connection seats 6 invite{guests}");
    let letter = club.reply_to("Mod", &welcome, &line);
    club.arrives(letter);
    let (_, letters) = club.pass();
    let asked: Vec<&Posted> = letters.iter().filter(|l| l.to.ends_with(".net")).collect();
    assert_eq!(asked.len(), 8);
    // A name is taken from the address, and no dot makes a link of it.
    for (friend, (body, name)) in asked.iter().zip([
        ("yes", "j r smith1"),
        ("yes\nname J.R. Smith", "J.R. Smith"),
        ("yes\nname Win euros at www.evila.example", ""),
        ("yes\nname evil.example", ""),
        ("yes\nname eve@example.net", ""),
    ]) {
        let from = format!("From: {0} <{0}>", friend.to);
        let letter = club.reply_to("Ann", friend, body);
        club.arrives(letter.replacen("From: Ann <ann@example.org>", &from, 1));
        let (_, letters) = club.pass();
        let member = process::find_member(&club.context(), &friend.to).expect("it reads");
        let called = member.map(|member| member.name).unwrap_or_default();
        assert_eq!(called, name, "{body}");
        let refused = to(&letters, &friend.to).says("could be taken for a web address");
        assert_eq!(refused, name.is_empty(), "{body}");
    }
}

#[test]
fn invitation_to_club_address_is_refused_whole() {
    let mut club = club_of(4, "");
    told(&mut club, "Ann", "new paris-connection seats 5");
    // Of two, one of whom cannot be asked, none is, and the game is not on the table.
    for line in [
        "invite 2 fay@example.net games@example.org",
        "new paris-connection seats 3 private invite fay@example.net games@example.org",
    ] {
        club.writes("Ann", line);
        let (_, letters) = club.pass();
        assert_eq!(letters.len(), 1, "{line}: {letters:?}");
        assert!(letters[0].says("We can't write to games@example.org"), "{line}");
        assert!(letters[0].says("nothing was done, and nobody was invited"), "{line}");
    }
    let rooms = club.context().store.rooms().expect("they are kept");
    let formed = rooms.iter().filter(|(_, room)| room.proposal.is_some()).map(|(game, _)| *game);
    assert_eq!(formed.collect::<Vec<_>>(), [2]);
    assert!(rooms.iter().all(|(_, room)| !room.invited.contains(&"fay@example.net".to_owned())));
    club.writes("Ann", "invite 2 fay@example.net");
    assert!(club.pass().1.iter().any(|letter| letter.to == "fay@example.net"));

    // Where the day has no letter left it waits, and leaves later.
    let mut club = club_of(4, "letters_per_day: 5\n");
    club.writes("Ann", "new paris-connection seats 5 invite fay@example.net");
    let (_, letters) = club.pass();
    assert!(letters.iter().all(|letter| letter.to != "fay@example.net"), "{letters:?}");
    club.now += TimeDelta::days(1);
    assert!(club.pass().1.iter().any(|letter| letter.to == "fay@example.net"));
}

#[test]
fn a_member_who_is_invited_says_yes_or_writes_anything_else() {
    let mut club = club_of(4, "");
    club.writes("Ann", "new paris-connection seats 5 invite bob@example.org cid@example.org");
    let (_, letters) = club.pass();
    let (bobs, cids) = (to(&letters, "Bob").clone(), to(&letters, "Cid").clone());
    assert!(bobs.says("answer this letter within three days with the word \"yes\" alone"));
    let answer = |club: &mut Club, name: &str, asked: &Posted, body: &str| {
        let letter = club.reply_to(name, asked, body);
        club.arrives(letter);
        to(&club.pass().1, name).clone()
    };
    for prose in ["Yes please!", "Who else plays?", "no\nyes", "ok"] {
        let unread = answer(&mut club, "Bob", &bobs, prose);
        assert!(unread.says("so you have not joined game 2"), "{prose}: {}", unread.text());
    }
    assert!(answer(&mut club, "Bob", &bobs, "games").says("In so far: Ann"));
    assert!(answer(&mut club, "Bob", &bobs, "zone Asia/Tokyo").says("Asia/Tokyo"));
    assert!(answer(&mut club, "Bob", &bobs, "Yes.").says("You are in: game 2"));
    assert!(answer(&mut club, "Bob", &bobs, "leave 2").says("You are out"));
    assert!(answer(&mut club, "Bob", &bobs, "yes").says("counts once"));
    // It is his alone, for three days, and he may write otherwise later.
    let stolen = club.reply_to("Cid", &bobs, "yes");
    club.arrives(stolen);
    assert_eq!(club.pass().0.quarantined, 1);
    club.now += TimeDelta::days(4);
    let late = answer(&mut club, "Cid", &cids, "yes");
    assert!(late.says("within three days") && late.says("write \"join 2\""), "{}", late.text());
    assert!(answer(&mut club, "Cid", &cids, "join 2 last").says("You are in: game 2"));

    // To begin a game is not to go on with one.
    club.writes("Ann", "new paris-connection seats 3 invite bob@example.org");
    let asked = to(&club.pass().1, "Bob").clone();
    ["Cid", "Dot"].iter().for_each(|name| drop(club.writes(name, "join 3")));
    club.pass();
    club.writes("Cid", "resign yes");
    club.pass();
    assert!(answer(&mut club, "Bob", &asked, "yes").says("Game 3 has begun without you"));
}
