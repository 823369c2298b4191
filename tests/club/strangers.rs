//! People who are no members, in a club that is open to them: what they write, in which words, and
//! how often they are answered.

use crate::rig::{Club, Posted, all_to};
use chrono::TimeDelta;
use postrider::process;

const ZOE: &str = "zoe@example.net";

/// An open club with game 1, and what Ann has put on the table.
fn open(lines: &[&str]) -> Club {
    club_with("strangers: join\n", lines)
}

fn club_with(settings: &str, lines: &[&str]) -> Club {
    let mut club = Club::paris(settings);
    for line in lines {
        club.writes("Ann", line);
        club.pass();
    }
    club
}

const TABLE: &str = "new paris-connection seats 5 deadline 3d";

/// A letter of somebody's that answers another one, or none.
fn writes(club: &mut Club, from: &str, to: Option<&Posted>, body: &str) {
    let reply = to.and_then(|to| to.header("Reply-To"));
    let to = reply.unwrap_or_else(|| "games@example.org".to_owned());
    let id = club.arrived_id("stranger");
    let head = format!("From: {from}\r\nTo: {to}\r\nMessage-ID: {id}\r\nSubject: x\r\n\r\n");
    club.arrives(format!("{head}{}\r\n", body.replace('\n', "\r\n")));
}

/// What Zoe is told when she writes this, if she is told anything.
fn zoe(club: &mut Club, to: Option<&Posted>, body: &str) -> Option<Posted> {
    writes(club, &format!("Zoe <{ZOE}>"), to, body);
    let (_, letters) = club.pass();
    let mine = all_to(&letters, ZOE);
    assert!(mine.len() < 2, "{mine:?}");
    mine.first().map(|letter| (*letter).clone())
}

/// The same; she is.
fn told(club: &mut Club, to: Option<&Posted>, body: &str) -> Posted {
    zoe(club, to, body).unwrap_or_else(|| panic!("no answer to {body}"))
}

fn name_of(club: &Club, who: &str) -> Option<String> {
    process::find_member(&club.context(), who).expect("it reads").map(|member| member.name)
}

#[test]
fn who_writes_in_prose_gets_the_list_and_comes_in_by_answering() {
    let mut club = open(&[TABLE]);
    let list = told(&mut club, None, "Hello, I would like to play, how does this work?\nZoe");
    assert!(list.says("This is The Postal Club, which plays board games by e-mail"));
    assert!(list.says("How it works: a letter shows you the board"), "{}", list.text());
    assert!(list.says("* 2: Paris Connection for 5, 4 seats free, with 3 days a turn"));
    assert!(list.says("write \"join 2\" alone in a reply to this letter"), "{}", list.text());
    assert!(!list.says("Ann"), "who plays is told to members: {}", list.text());

    let again = told(&mut club, Some(&list), "games");
    assert!(again.says("4 seats free") && !again.says("How it works: a letter shows"));
    let help = told(&mut club, Some(&again), "help");
    assert!(help.says("How it works") && help.says("\"join 2\""));

    let asked = told(&mut club, Some(&help), "join 2");
    assert!(asked.says("Somebody, we hope you, asked to join"), "{}", asked.text());
    assert_eq!(name_of(&club, ZOE), None);
    let unread = told(&mut club, Some(&asked), "Yes please!");
    assert!(unread.says("was not \"yes\" alone, so you have joined nothing"));
    let how = told(&mut club, Some(&unread), "help");
    assert!(how.says("How it works") && how.says("was not \"yes\" alone"));
    let welcome = told(&mut club, Some(&how), "yes\nname Zoe Miller");
    assert!(welcome.says("Welcome to The Postal Club, Zoe Miller! ") && welcome.says("You are in"));
    // What she writes now in answer to an older letter is a member's word.
    assert!(told(&mut club, Some(&list), "leave 2").says("You are out of game 2"));
    assert!(
        told(&mut club, Some(&asked), "join club").says("You are a member of the club already")
    );
    assert!(told(&mut club, Some(&asked), "yes").says("counts once"));
}

#[test]
fn a_game_may_be_named_in_any_way_and_nothing_but_the_word_is_consent() {
    for said in ["JOIN 2.", "I want to join game 2", "2", "#2?", "Is there a seat in game 2?"] {
        let mut club = open(&[TABLE]);
        let list = told(&mut club, None, "Hello?");
        let asked = told(&mut club, Some(&list), said);
        assert!(asked.says("Somebody, we hope you, asked to join"), "{said}: {}", asked.text());
        assert!(asked.says("2: Paris Connection for 5"), "{said}");
        assert_eq!(name_of(&club, ZOE), None, "{said}");
        // And the same to no letter of ours.
        let asked = told(&mut open(&[TABLE]), None, said);
        assert!(asked.says("Somebody, we hope you, asked to join"), "{said}");
    }
    for said in ["yes", "Yes please!", "name Zoe Miller", "Thank you, that is nice.", "join", ""] {
        let mut club = open(&[TABLE]);
        let list = told(&mut club, None, "Hello?");
        let unread = told(&mut club, Some(&list), said);
        assert!(unread.says("First write which game you would join"), "{said}: {}", unread.text());
        assert!(unread.says("* 2: Paris Connection"), "{said}");
        assert_eq!(name_of(&club, ZOE), None, "{said}");
    }
}

#[test]
fn the_list_is_for_anybody_who_asks() {
    let mut club = open(&[TABLE]);
    let bob = "Bob <bob@example.org>";
    writes(&mut club, bob, None, "games");
    let list = all_to(&club.pass().1, "Bob")[0].clone();
    assert!(list.says("2: Paris Connection for 5") && list.says("In so far: Ann"));
    writes(&mut club, bob, Some(&list), "join 2");
    assert!(all_to(&club.pass().1, "Bob")[0].says("You are in: game 2"));
    writes(&mut club, bob, None, "join 2");
    assert!(all_to(&club.pass().1, "Bob")[0].says("does not say which game"));
}

#[test]
fn what_a_stranger_cannot_join_he_is_told_with_what_he_can() {
    let private = "new paris-connection seats 3 private invite bob@example.org cid@example.org";
    let mut club = open(&[private, TABLE]);
    let said = |club: &mut Club, number: u32| {
        club.now += TimeDelta::days(1);
        let told = told(club, None, &format!("join {number}"));
        assert!(!told.says("2: Paris") && told.says("* 3: Paris"), "{}", told.text());
        told.text().replace(&number.to_string(), "N")
    };
    assert_eq!(said(&mut club, 2), said(&mut club, 9), "nobody learns of a private game");
    assert!(said(&mut club, 1).contains("has begun without you"));
    // Who is invited to it sees it.
    club.writes("Ann", &format!("invite 2 {ZOE}"));
    club.pass();
    club.now += TimeDelta::days(1);
    let list = told(&mut club, None, "games");
    assert!(list.says("* 2: Paris Connection for 3") && list.says("by invitation"));

    // A game that fills while he is asked.
    let mut club = open(&["new paris-connection seats 3", TABLE]);
    let asked = told(&mut club, None, "join 2");
    ["Bob", "Cid"].iter().for_each(|name| drop(club.writes(name, "join 2")));
    club.pass();
    let late = told(&mut club, Some(&asked), "yes");
    assert!(late.says("Game 2 has begun without you") && late.says("* 3: Paris"));
    assert_eq!(name_of(&club, ZOE), None);
    let asked = told(&mut club, Some(&late), "join 3");
    assert!(told(&mut club, Some(&asked), "yes").says("You are in: game 3"));
}

#[test]
fn a_stranger_can_be_a_member_where_no_game_waits() {
    let mut club = open(&[]);
    let list = told(&mut club, None, "games");
    assert!(list.says("No game waits for players at present") && !list.says("\"join 12\""));
    let asked = told(&mut club, Some(&list), "join club");
    assert!(asked.says("asked to become a member of The Postal Club"), "{}", asked.text());
    let refused = told(&mut club, Some(&asked), "yes\nname Bob");
    assert!(refused.says("is, or is too like") && name_of(&club, ZOE).is_none());
    let welcome = told(&mut club, Some(&refused), "yes\nname Zoe");
    assert!(welcome.says("Welcome to The Postal Club, Zoe!"), "{}", welcome.text());
    assert!(
        welcome.says("puts one on the table") && welcome.says("1: Paris Connection, played by")
    );
    assert!(told(&mut club, Some(&welcome), TABLE).says("Your game 2 is on the table"));
    // Not for ever.
    let mut club = open(&[]);
    let asked = told(&mut club, None, "join club");
    club.now += TimeDelta::days(5);
    assert!(told(&mut club, Some(&asked), "yes").says("within three days"));
    assert_eq!(name_of(&club, ZOE), None);
}

#[test]
fn a_conversation_has_three_answers_in_its_first_day_and_then_one_a_day() {
    let mut club = open(&[TABLE]);
    let list = told(&mut club, None, "Hello?");
    let answered = |club: &mut Club, count: usize| {
        (0..count)
            .filter(|n| zoe(club, Some(&list), &format!("W{}?", "e".repeat(*n))).is_some())
            .count()
    };
    assert_eq!(answered(&mut club, 6), 3);
    // Who has asked much can still come in.
    assert!(told(&mut club, Some(&list), "join 2").says("asked to join"));
    for day in 0..3 {
        club.now += TimeDelta::hours(30);
        assert_eq!(answered(&mut club, 4), 1, "day {day}");
    }
    // The conversation is as old as its first letter.
    club.now += TimeDelta::hours(30);
    let newer = told(&mut club, Some(&list), "games");
    assert!(zoe(&mut club, Some(&newer), "help").is_none());
    club.now += TimeDelta::hours(30);
    assert!(told(&mut club, Some(&newer), "help").says("How it works"));
    assert!(zoe(&mut club, Some(&newer), "help").is_none());
}

#[test]
fn a_machine_that_answers_everything_is_left_alone_after_four_letters() {
    let mut club = open(&[TABLE]);
    let mut last = Some(told(&mut club, None, "Your ticket 4711 has been received."));
    let mut letters = 1;
    while let Some(letter) = last.take() {
        assert!(letters < 9);
        let ticket =
            format!("Your ticket {} has been received.\n{}", 4711 + letters, letter.text());
        last = zoe(&mut club, Some(&letter), &ticket);
        letters += usize::from(last.is_some());
    }
    assert_eq!((letters, name_of(&club, ZOE)), (4, None));
    // One that says what it is gets nothing at all.
    club.now += TimeDelta::days(2);
    let list = told(&mut club, None, "Hello?");
    let reply = list.header("Reply-To").expect("it can be answered");
    for mark in ["Auto-Submitted: auto-replied", "Precedence: bulk", "Return-Path: <>"] {
        club.arrives(format!(
            "{mark}\r\nFrom: {ZOE}\r\nTo: {reply}\r\nSubject: x\r\n\r\njoin 2\r\n"
        ));
        assert!(club.pass().1.is_empty(), "{mark}");
    }
}

#[test]
fn nobody_is_bombed_by_letters_in_his_name_and_the_days_limit_stands_over_all() {
    let mut club = open(&[TABLE]);
    let list = told(&mut club, None, "Hello?");
    // Whoever has not read the answer has no mark, and one that is another's is none.
    let mark = list.header("Reply-To").expect("it can be answered");
    for n in 0..30 {
        writes(&mut club, &format!("Zoe <{ZOE}>"), None, &format!("games {n}"));
        writes(&mut club, "v@example.com", Some(&list), &format!("games {n}"));
        let forged = mark.replace("+v.", "+v.9");
        club.arrives(format!("From: {ZOE}\r\nTo: {forged}\r\n\r\ngames {n}\r\n"));
    }
    let (_, letters) = club.pass();
    assert_eq!((all_to(&letters, ZOE).len(), all_to(&letters, "v@example.com").len()), (0, 1));

    let mut club = club_with("strangers: join\nstranger_letters_per_day: 2\n", &[TABLE]);
    let mut letters = Vec::new();
    for round in 0..12 {
        for n in 0..9 {
            let who = format!("u{n}@h{n}.example");
            let last = letters.iter().rev().find(|letter: &&Posted| letter.to == who).cloned();
            writes(&mut club, &who, last.as_ref(), &format!("W{}?", "e".repeat(round)));
        }
        letters.extend(club.pass().1);
        club.now -= TimeDelta::minutes(30);
    }
    assert!((4..=2 + 4 * 2).contains(&letters.len()), "{}", letters.len());
    let mut shut = club_with("strangers: join\nstranger_letters_per_day: 0\n", &[TABLE]);
    assert!(zoe(&mut shut, None, "games").is_none());
}

#[test]
fn a_closed_club_says_what_it_always_said() {
    let mut club = club_with("", &[TABLE]);
    for said in ["Hello, how does this work?", "games", "help", "join 2", "join club"] {
        club.now += TimeDelta::days(1);
        let letter = told(&mut club, None, said);
        assert!(letter.says("not known here") && !letter.says("\"join"), "{}", letter.text());
        assert!(!letter.says("How it works"), "{}", letter.text());
    }
    // A conversation that was begun while it was open is over.
    let mut club = open(&[TABLE]);
    let list = told(&mut club, None, "games");
    let path = club.folder().join("club.yaml");
    let text = std::fs::read_to_string(&path).expect("it is there");
    std::fs::write(&path, text.replace("strangers: join\n", "")).expect("written");
    club.now += TimeDelta::days(1);
    assert!(told(&mut club, Some(&list), "join 2").says("not known here"));
}
