//! Letters that wait: whom they are for when they leave, and in which order they do.

use crate::common::sample_or_all;
use crate::rig::{Club, Posted, address, all_to};
use chrono::TimeDelta;
use postrider::club::Intervention;
use postrider::games::kind;
use postrider::mail::transport::PostError;
use postrider::process::{self, MemberChange};
use postrider::rules::Seat;
use std::collections::BTreeSet;

fn club(settings: &str, games: u8) -> Club {
    let mut club = Club::with(settings);
    for _ in 0..games {
        club.found(kind("paris-connection").expect("it ships"), 3, 7);
    }
    club.pass();
    club
}

/// Lets Ann move while nothing can be posted.
fn a_turn_waits(club: &mut Club) {
    club.pigeon.fails = Some(PostError::Down("no line".to_owned()));
    club.writes("Ann", "build red G23");
    assert_eq!(club.pass().0.carried_out, 1);
}

/// The moderator does something to the first game.
fn moderated(club: &Club, what: &Intervention) {
    club.has_heard_from("Zoe", "zoe@example.net");
    process::moderate(&club.context(), 1, what, "ill").expect("it can be done");
}

fn zoe_for_bob() -> Intervention {
    Intervention::Replace { seat: Seat::new(2), by: "Zoe <zoe@example.net>".into() }
}

fn opened(club: &mut Club) -> Vec<Posted> {
    club.pigeon.fails = None;
    club.pass().1
}

fn of_a_game(letters: &[&Posted]) -> usize {
    letters.iter().filter(|letter| letter.header("List-Id").is_some()).count()
}

#[test]
fn a_hand_that_waits_is_not_sent_to_who_has_lost_the_seat() {
    let mut club = club("", 1);
    a_turn_waits(&mut club);
    moderated(&club, &zoe_for_bob());
    let letters = opened(&mut club);
    let bob = all_to(&letters, "Bob");
    assert_eq!((bob.len(), of_a_game(&bob)), (1, 0), "only that he sits there no more");
    let zoe = all_to(&letters, "zoe@example.net");
    assert_eq!(zoe.len(), 1);
    assert!(zoe[0].says("red") && zoe[0].header("List-Id").is_some(), "{}", zoe[0].text());
    assert_eq!(of_a_game(&all_to(&letters, "Cid")), 1);
}

#[test]
fn a_hand_that_waits_is_not_sent_to_who_has_left_the_club() {
    let mut club = club("", 1);
    a_turn_waits(&mut club);
    process::forget_member(&club.context(), &address("Bob"))
        .expect("it works")
        .expect("he was there");
    let letters = opened(&mut club);
    assert_eq!(of_a_game(&all_to(&letters, "Bob")), 0, "{letters:?}");
}

#[test]
fn a_letter_that_waits_goes_where_its_reader_is_now() {
    let mut club = club("", 1);
    a_turn_waits(&mut club);
    let (before, now) = (address("Bob"), "bob@new.example");
    for change in [
        MemberChange::AddAddress { address: now.to_owned(), first: true },
        MemberChange::RemoveAddress(before.clone()),
    ] {
        process::change_member(&club.context(), &before, &change).expect("it can be");
    }
    let letters = opened(&mut club);
    assert_eq!(all_to(&letters, &before).len(), 0, "the old address is nobody's");
    let moved = all_to(&letters, now);
    assert_eq!((moved.len(), of_a_game(&moved)), (1, 1));
    assert_eq!(moved[0].header("To").as_deref(), Some("Bob <bob@new.example>"));
    assert!(moved[0].says("red"), "{}", moved[0].text());
    let reply = club.reply_to("Bob", moved[0], "status").replace(&before, now);
    club.arrives(reply);
    assert_eq!(all_to(&club.pass().1, now).len(), 1, "and it can be answered");
}

#[test]
fn a_letter_that_waits_bears_the_mark_that_is_valid_when_it_leaves() {
    let of_seat = |club: &Club| {
        moderated(club, &Intervention::Rotate(Seat::new(2)));
    };
    let of_member = |club: &Club| {
        process::rotate_member(&club.context(), &address("Bob"))
            .expect("it works")
            .expect("a member");
    };
    for made_void in [of_seat as fn(&Club), of_member] {
        for settings in ["", "plus_addressing: false\n"] {
            bears_the_valid_mark(settings, made_void);
        }
    }
}

fn bears_the_valid_mark(settings: &str, made_void: fn(&Club)) {
    let mut club = club(settings, 1);
    a_turn_waits(&mut club);
    made_void(&club);
    let letters = opened(&mut club);
    let mut bob = all_to(&letters, "Bob");
    bob.retain(|letter| of_a_game(&[letter]) == 1);
    assert_eq!(bob.len(), 1, "the turn and the new mark");
    for (n, letter) in bob.into_iter().enumerate() {
        let mut reply = club.reply_to("Bob", letter, "status").replace("bob-", &format!("{n}-"));
        if !settings.is_empty() {
            reply = reply.replace("To: \r\n", "To: games@example.org\r\n");
        }
        club.arrives(reply);
        let answers = club.pass().1;
        assert_eq!(of_a_game(&all_to(&answers, "Bob")), 1, "{n} {settings}");
    }
}

#[test]
fn of_a_letter_about_several_games_goes_what_is_still_its_readers() {
    let mut club = club("", 2);
    club.writes("Bob", "letters digest");
    club.pass();
    club.pigeon.fails = Some(PostError::Down("no line".to_owned()));
    let posted = club.pigeon.posted.clone();
    let of = |list: &str| {
        let mut letters = posted.iter().rev().filter(|letter| letter.to == address("Ann"));
        let is_of = |letter: &&Posted| letter.header("List-Id").is_some_and(|id| id.contains(list));
        letters.find(is_of).expect("a letter of the game").clone()
    };
    for (n, list) in ["<g1.", "<g2."].into_iter().enumerate() {
        let reply = club.reply_to("Ann", &of(list), "build red G23");
        club.arrives(reply.replace("ann-", &format!("both{n}-")));
    }
    assert_eq!(club.pass().0.carried_out, 2);
    moderated(&club, &zoe_for_bob());
    let letters = opened(&mut club);
    let bob = all_to(&letters, "Bob");
    let games: BTreeSet<String> =
        bob.iter().filter_map(|letter| letter.header("List-Id")).collect();
    assert_eq!(games.len(), 1, "{games:?}");
    assert!(games.first().is_some_and(|id| id.contains("<g2.")), "{games:?}");
    assert!(bob.iter().any(|letter| letter.says("red")), "and it tells what happened");
    assert!(bob.iter().all(|letter| !letter.message_id.starts_with("b.")));
}

#[test]
fn a_note_that_waits_goes_to_who_is_moderator_now() {
    let mut club = club("", 1);
    club.pigeon.fails = Some(PostError::Down("no line".to_owned()));
    club.arrives("From: x@example.com\r\nFrom: y@example.com\r\n\r\nhello\r\n");
    club.pass();
    let path = club.folder().join("club.yaml");
    let text = std::fs::read_to_string(&path).expect("it is there");
    std::fs::write(&path, text.replace("mod@example.org", "new@example.org")).expect("written");
    let letters = opened(&mut club);
    assert_eq!(letters.len(), 1);
    assert_eq!(letters[0].to, "new@example.org");
}

fn stranger(club: &mut Club, from: &str, proven: bool) {
    let proof = "Authentication-Results: mx.example.org; dmarc=pass header.from=";
    let host = from.rsplit('@').next().expect("a host");
    let proof = if proven { format!("{proof}{host}\r\n") } else { String::new() };
    club.arrives(format!("{proof}From: {from}\r\nTo: games@example.org\r\n\r\nhello\r\n"));
}

fn strangers(letters: &[Posted]) -> Vec<&str> {
    let known = ["ann@", "bob@", "cid@", "mod@"];
    let to = letters.iter().map(|letter| letter.to.as_str());
    to.filter(|to| !known.iter().any(|known| to.starts_with(known))).collect()
}

#[test]
fn strangers_wait_and_games_do_not() {
    let run = || {
        let mut club = club("letters_per_day: 80\ndigest: 07:00\n", 1);
        let count = sample_or_all(60, 200);
        for n in 0..count {
            stranger(&mut club, &format!("u{n}@evil.example"), false);
        }
        stranger(&mut club, "zoe@nice.example", false);
        let (report, first) = club.pass();
        assert_eq!(strangers(&first).len(), 2, "a tenth of the day's, and a fifth of that");
        assert!(strangers(&first).contains(&"zoe@nice.example"), "a place a domain: {first:?}");
        assert_eq!(report.waiting, count + 1 - 2, "nothing is dropped");
        club.writes("Ann", "build red G23");
        let (_, letters) = club.pass();
        assert_eq!(letters.len() - strangers(&letters).len(), 3, "a turn goes at once");
        let mut drawn: Vec<String> = Vec::new();
        let mut morning = false;
        for _ in 0..30 {
            let (_, letters) = club.pass();
            drawn.extend(strangers(&letters).into_iter().map(str::to_owned));
            morning |= letters.iter().any(|letter| {
                letter.says("letters to people who are no members wait")
                    && letter.says("evil.example")
            });
        }
        assert!(morning, "the moderator reads of them in the morning");
        // As they come in, so they are not drawn.
        assert!(drawn.windows(2).any(|pair| pair[0] > pair[1]), "{drawn:?}");
        assert!((10..=20).contains(&drawn.len()), "{drawn:?}");
        drawn
    };
    assert_eq!(run(), run(), "lots can be drawn again");
}

#[test]
fn who_is_more_than_a_name_is_not_crowded_out() {
    let mut club = club("authserv_id: mx.example.org\n", 1);
    for n in 0..sample_or_all(40, 120) {
        stranger(&mut club, &format!("u{n}@e{n}.example"), false);
    }
    stranger(&mut club, "zoe@nice.example", true);
    club.writes("Ann", "new paris-connection seats 3 invite guest@far.example");
    let (_, letters) = club.pass();
    let served = strangers(&letters);
    assert!(served.contains(&"zoe@nice.example") && served.contains(&"guest@far.example"));
    assert_eq!(served.len(), 10 + 2);
    // Nor does who proves a thousand names.
    for n in 0..sample_or_all(70, 200) {
        stranger(&mut club, &format!("u{n}@a{n}.evil.example"), true);
    }
    stranger(&mut club, "dan@nice.example", true);
    let (_, letters) = club.pass();
    assert!(strangers(&letters).contains(&"dan@nice.example"), "{:?}", strangers(&letters));
    assert!(strangers(&letters).len() <= 50);
}

#[test]
fn who_is_more_than_a_name_has_so_many_letters_a_day_and_no_more() {
    let mut club = club("authserv_id: mx.example.org\nstranger_letters_per_day: 2\n", 1);
    for n in 0..30 {
        stranger(&mut club, &format!("u@e{n}.example"), true);
    }
    let mut served =
        |hours: u32| -> usize { (0..hours).map(|_| strangers(&club.pass().1).len()).sum() };
    assert_eq!(served(20), 8);
    assert_eq!(served(24), 8, "the next day has as many");
}

#[test]
fn a_member_cannot_use_up_the_days_letters() {
    let mut club = club("letters_per_day: 60\nanswers_per_hour: 100\n", 1);
    let mut answered = 0;
    for n in 0..12 {
        for m in 0..10 {
            let letter = club.reply("Ann", "status").replace("ann-", &format!("q{n}.{m}-"));
            club.arrives(letter);
        }
        answered += club.pass().1.len();
    }
    assert!(answered <= 30, "{answered} of the day's letters");
    club.writes("Bob", "status");
    assert_eq!(all_to(&club.pass().1, "Bob").len(), 1, "others are answered all the same");
    club.writes("Ann", "build red G23");
    let (_, letters) = club.pass();
    assert_eq!(all_to(&letters, "Cid").len(), 1, "and games go on");
    club.now += TimeDelta::days(1);
    assert!(!club.pass().1.is_empty(), "what waited goes on the next day");
}
