//! Letters from people who are not members, to a club that lets them join: the lines that they may
//! write, and the limits on the club's answers.

use crate::rig::{Club, PostedLetter, letters_to};
use chrono::TimeDelta;
use postrider::process;

const ZOE: &str = "zoe@example.net";

/// Returns an open club with game 1, and the proposals that Ann makes with these lines.
fn open_club_with_proposals(lines: &[&str]) -> Club {
    club_with_proposals("strangers: join\n", lines)
}

fn club_with_proposals(settings: &str, lines: &[&str]) -> Club {
    let mut club = Club::with_paris_game(settings);
    for line in lines {
        club.send_reply("Ann", line);
        club.run_pass();
    }
    club
}

const PROPOSAL_LINE: &str = "new paris-connection seats 5 deadline 3d";

/// Delivers a letter from this sender, either as an answer to `to` or to the club's plain address.
fn deliver_from(club: &mut Club, from: &str, to: Option<&PostedLetter>, body: &str) {
    let reply = to.and_then(|to| to.header("Reply-To"));
    let to = reply.unwrap_or_else(|| "games@example.org".to_owned());
    let id = club.next_message_id("stranger");
    let head = format!("From: {from}\r\nTo: {to}\r\nMessage-ID: {id}\r\nSubject: x\r\n\r\n");
    club.deliver(format!("{head}{}\r\n", body.replace('\n', "\r\n")));
}

/// Sends a letter from Zoe and returns the club's answer to her, if there is one.
fn write_as_zoe(club: &mut Club, to: Option<&PostedLetter>, body: &str) -> Option<PostedLetter> {
    deliver_from(club, &format!("Zoe <{ZOE}>"), to, body);
    let (_, letters) = club.run_pass();
    let mine = letters_to(&letters, ZOE);
    assert!(mine.len() < 2, "{mine:?}");
    mine.first().map(|letter| (*letter).clone())
}

/// Like [`write_as_zoe`], but fails if there is no answer.
fn answer_to_zoe(club: &mut Club, to: Option<&PostedLetter>, body: &str) -> PostedLetter {
    write_as_zoe(club, to, body).unwrap_or_else(|| panic!("no answer to {body}"))
}

fn member_name(club: &Club, who: &str) -> Option<String> {
    process::find_member(&club.open_context(), who).expect("it reads").map(|member| member.name)
}

#[test]
fn stranger_gets_game_list_and_joins_by_replying() {
    let mut club = open_club_with_proposals(&[PROPOSAL_LINE]);
    let list =
        answer_to_zoe(&mut club, None, "Hello, I would like to play, how does this work?\nZoe");
    assert!(list.contains("Hello from The Postal Club! We play board games by e-mail"));
    assert!(list.contains("How it works: we e-mail you the board"), "{}", list.body_text());
    assert!(list.contains("* 2: Paris Connection for 5, 4 seats free, with 3 days per turn"));
    assert!(list.contains("reply with just \"join 2\""), "{}", list.body_text());
    assert!(!list.contains("Ann"), "who plays is told to members: {}", list.body_text());

    let again = answer_to_zoe(&mut club, Some(&list), "games");
    assert!(again.contains("4 seats free") && !again.contains("How it works: we e-mail"));
    let help = answer_to_zoe(&mut club, Some(&again), "help");
    assert!(help.contains("How it works") && help.contains("\"join 2\""));

    let asked = answer_to_zoe(&mut club, Some(&help), "join 2");
    assert!(asked.contains("Someone (we hope it was you) asked to join"), "{}", asked.body_text());
    assert_eq!(member_name(&club, ZOE), None);
    let unread = answer_to_zoe(&mut club, Some(&asked), "Yes please, on Fridays!");
    assert!(unread.contains("clear \"yes\" in your reply, so you haven't joined anything"));
    let how = answer_to_zoe(&mut club, Some(&unread), "help");
    assert!(how.contains("How it works") && how.contains("couldn't find a clear \"yes\""));
    let welcome = answer_to_zoe(&mut club, Some(&how), "yes\nname Zoe Miller");
    assert!(
        welcome.contains("Welcome to The Postal Club, Zoe Miller! ")
            && welcome.contains("You're in!")
    );
    // Zoe is a member now, so her answer to an older letter counts as a member's letter.
    assert!(answer_to_zoe(&mut club, Some(&list), "leave 2").contains("You're out of game 2"));
    assert!(
        answer_to_zoe(&mut club, Some(&asked), "join club")
            .contains("You're already a member of the club")
    );
    assert!(answer_to_zoe(&mut club, Some(&asked), "yes").contains("only the first reply counts"));
}

#[test]
fn stranger_names_game_freely_but_consents_exactly() {
    for said in ["JOIN 2.", "I want to join game 2", "2", "#2?", "Is there a seat in game 2?"] {
        let mut club = open_club_with_proposals(&[PROPOSAL_LINE]);
        let list = answer_to_zoe(&mut club, None, "Hello?");
        let asked = answer_to_zoe(&mut club, Some(&list), said);
        assert!(
            asked.contains("Someone (we hope it was you) asked to join"),
            "{said}: {}",
            asked.body_text()
        );
        assert!(asked.contains("2: Paris Connection for 5"), "{said}");
        assert_eq!(member_name(&club, ZOE), None, "{said}");
        // The answer does not depend on an earlier letter from the club.
        let asked = answer_to_zoe(&mut open_club_with_proposals(&[PROPOSAL_LINE]), None, said);
        assert!(asked.contains("Someone (we hope it was you) asked to join"), "{said}");
    }
    for said in ["yes", "Yes please!", "name Zoe Miller", "Thank you, that is nice.", "join", ""] {
        let mut club = open_club_with_proposals(&[PROPOSAL_LINE]);
        let list = answer_to_zoe(&mut club, None, "Hello?");
        let unread = answer_to_zoe(&mut club, Some(&list), said);
        assert!(
            unread.contains("To join, write the game, such as"),
            "{said}: {}",
            unread.body_text()
        );
        assert!(unread.contains("* 2: Paris Connection"), "{said}");
        assert_eq!(member_name(&club, ZOE), None, "{said}");
    }
}

#[test]
fn game_list_is_sent_to_anyone_who_asks() {
    let mut club = open_club_with_proposals(&[PROPOSAL_LINE]);
    let bob = "Bob <bob@example.org>";
    deliver_from(&mut club, bob, None, "games");
    let list = letters_to(&club.run_pass().1, "Bob")[0].clone();
    assert!(list.contains("2: Paris Connection for 5") && list.contains("So far: Ann"));
    deliver_from(&mut club, bob, Some(&list), "join 2");
    assert!(letters_to(&club.run_pass().1, "Bob")[0].contains("You're in! Game 2"));
    deliver_from(&mut club, bob, None, "join 2");
    assert!(letters_to(&club.run_pass().1, "Bob")[0].contains("doesn't say which game"));
}

#[test]
fn unjoinable_game_answer_lists_joinable_games() {
    let private = "new paris-connection seats 3 private invite bob@example.org cid@example.org";
    let mut club = open_club_with_proposals(&[private, PROPOSAL_LINE]);
    let said = |club: &mut Club, number: u32| {
        club.now += TimeDelta::days(1);
        let told = answer_to_zoe(club, None, &format!("join {number}"));
        assert!(!told.contains("2: Paris") && told.contains("* 3: Paris"), "{}", told.body_text());
        told.body_text().replace(&number.to_string(), "N")
    };
    assert_eq!(said(&mut club, 2), said(&mut club, 9), "nobody learns of a private game");
    assert!(said(&mut club, 1).contains("has started without you"));
    // A private game is listed for a person who is invited to it.
    club.send_reply("Ann", &format!("invite 2 {ZOE}"));
    club.run_pass();
    club.now += TimeDelta::days(1);
    let list = answer_to_zoe(&mut club, None, "games");
    assert!(list.contains("* 2: Paris Connection for 3") && list.contains("by invitation"));

    // The game fills up before Zoe confirms.
    let mut club = open_club_with_proposals(&["new paris-connection seats 3", PROPOSAL_LINE]);
    let asked = answer_to_zoe(&mut club, None, "join 2");
    ["Bob", "Cid"].iter().for_each(|name| drop(club.send_reply(name, "join 2")));
    club.run_pass();
    let late = answer_to_zoe(&mut club, Some(&asked), "yes");
    assert!(late.contains("Game 2 has started without you") && late.contains("* 3: Paris"));
    assert_eq!(member_name(&club, ZOE), None);
    let asked = answer_to_zoe(&mut club, Some(&late), "join 3");
    assert!(answer_to_zoe(&mut club, Some(&asked), "yes").contains("You're in! Game 3"));
}

#[test]
fn stranger_can_become_member_without_open_game() {
    let mut club = open_club_with_proposals(&[]);
    let list = answer_to_zoe(&mut club, None, "games");
    assert!(list.contains("There are no open games right now") && !list.contains("\"join 12\""));
    let asked = answer_to_zoe(&mut club, Some(&list), "join club");
    assert!(asked.contains("asked to become a member of The Postal Club"), "{}", asked.body_text());
    let refused = answer_to_zoe(&mut club, Some(&asked), "yes\nname Bob");
    assert!(refused.contains("too much like a name") && member_name(&club, ZOE).is_none());
    let welcome = answer_to_zoe(&mut club, Some(&refused), "yes\nname Zoe");
    assert!(welcome.contains("Welcome to The Postal Club, Zoe!"), "{}", welcome.body_text());
    assert!(
        welcome.contains("To start one, reply") && welcome.contains("1: Paris Connection, with")
    );
    assert!(
        answer_to_zoe(&mut club, Some(&welcome), PROPOSAL_LINE).contains("Your game 2 is open.")
    );
    // The question expires after three days.
    let mut club = open_club_with_proposals(&[]);
    let asked = answer_to_zoe(&mut club, None, "join club");
    club.now += TimeDelta::days(5);
    assert!(answer_to_zoe(&mut club, Some(&asked), "yes").contains("That question has expired"));
    assert_eq!(member_name(&club, ZOE), None);
}

#[test]
fn stranger_gets_three_answers_first_day_then_daily() {
    let mut club = open_club_with_proposals(&[PROPOSAL_LINE]);
    let list = answer_to_zoe(&mut club, None, "Hello?");
    let answered = |club: &mut Club, count: usize| {
        (0..count)
            .filter(|n| write_as_zoe(club, Some(&list), &format!("W{}?", "e".repeat(*n))).is_some())
            .count()
    };
    assert_eq!(answered(&mut club, 6), 3);
    // A person who has used up the answers can still join.
    assert!(answer_to_zoe(&mut club, Some(&list), "join 2").contains("asked to join"));
    for day in 0..3 {
        club.now += TimeDelta::hours(30);
        assert_eq!(answered(&mut club, 4), 1, "day {day}");
    }
    // The age of a conversation counts from its first letter.
    club.now += TimeDelta::hours(30);
    let newer = answer_to_zoe(&mut club, Some(&list), "games");
    assert!(write_as_zoe(&mut club, Some(&newer), "help").is_none());
    club.now += TimeDelta::hours(30);
    assert!(answer_to_zoe(&mut club, Some(&newer), "help").contains("How it works"));
    assert!(write_as_zoe(&mut club, Some(&newer), "help").is_none());
}

#[test]
fn undeclared_robot_gets_four_letters_at_most() {
    let mut club = open_club_with_proposals(&[PROPOSAL_LINE]);
    let mut last = Some(answer_to_zoe(&mut club, None, "Your ticket 4711 has been received."));
    let mut letters = 1;
    while let Some(letter) = last.take() {
        assert!(letters < 9);
        let ticket =
            format!("Your ticket {} has been received.\n{}", 4711 + letters, letter.body_text());
        last = write_as_zoe(&mut club, Some(&letter), &ticket);
        letters += usize::from(last.is_some());
    }
    assert_eq!((letters, member_name(&club, ZOE)), (4, None));
    // A letter that identifies itself as automatic gets no answer.
    club.now += TimeDelta::days(2);
    let list = answer_to_zoe(&mut club, None, "Hello?");
    let reply = list.header("Reply-To").expect("it can be answered");
    for header in ["Auto-Submitted: auto-replied", "Precedence: bulk", "Return-Path: <>"] {
        club.deliver(format!(
            "{header}\r\nFrom: {ZOE}\r\nTo: {reply}\r\nSubject: x\r\n\r\njoin 2\r\n"
        ));
        assert!(club.run_pass().1.is_empty(), "{header}");
    }
}

#[test]
fn stranger_answers_are_capped_despite_forged_letters() {
    let mut club = open_club_with_proposals(&[PROPOSAL_LINE]);
    let list = answer_to_zoe(&mut club, None, "Hello?");
    // A forger has not read the club's answer, and so has no valid reply token. A token of another
    // address is not valid either.
    let reply_address = list.header("Reply-To").expect("it can be answered");
    for n in 0..30 {
        deliver_from(&mut club, &format!("Zoe <{ZOE}>"), None, &format!("games {n}"));
        deliver_from(&mut club, "v@example.com", Some(&list), &format!("games {n}"));
        let forged = reply_address.replace("+v.", "+v.9");
        club.deliver(format!("From: {ZOE}\r\nTo: {forged}\r\n\r\ngames {n}\r\n"));
    }
    let (_, letters) = club.run_pass();
    assert_eq!(
        (letters_to(&letters, ZOE).len(), letters_to(&letters, "v@example.com").len()),
        (0, 1)
    );

    let mut club =
        club_with_proposals("strangers: join\nstranger_letters_per_day: 2\n", &[PROPOSAL_LINE]);
    let mut letters = Vec::new();
    for round in 0..12 {
        for n in 0..9 {
            let who = format!("u{n}@h{n}.example");
            let last =
                letters.iter().rev().find(|letter: &&PostedLetter| letter.to == who).cloned();
            deliver_from(&mut club, &who, last.as_ref(), &format!("W{}?", "e".repeat(round)));
        }
        letters.extend(club.run_pass().1);
        club.now -= TimeDelta::minutes(30);
    }
    assert!((4..=2 + 4 * 2).contains(&letters.len()), "{}", letters.len());
    let mut shut =
        club_with_proposals("strangers: join\nstranger_letters_per_day: 0\n", &[PROPOSAL_LINE]);
    assert!(write_as_zoe(&mut shut, None, "games").is_none());
}

#[test]
fn closed_club_tells_strangers_they_are_unknown() {
    let mut club = club_with_proposals("", &[PROPOSAL_LINE]);
    for said in ["Hello, how does this work?", "games", "help", "join 2", "join club"] {
        club.now += TimeDelta::days(1);
        let letter = answer_to_zoe(&mut club, None, said);
        assert!(
            letter.contains("don't know your address") && !letter.contains("\"join"),
            "{}",
            letter.body_text()
        );
        assert!(!letter.contains("How it works"), "{}", letter.body_text());
    }
    // When the club is closed to strangers, it ends the conversations that it has begun.
    let mut club = open_club_with_proposals(&[PROPOSAL_LINE]);
    let list = answer_to_zoe(&mut club, None, "games");
    let path = club.folder().join("club.yaml");
    let text = std::fs::read_to_string(&path).expect("it is there");
    std::fs::write(&path, text.replace("strangers: join\n", "")).expect("written");
    club.now += TimeDelta::days(1);
    assert!(answer_to_zoe(&mut club, Some(&list), "join 2").contains("don't know your address"));
}
