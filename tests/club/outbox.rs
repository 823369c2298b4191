//! Queued letters: their readers at the time when they leave, and the order and quotas in which
//! they leave.

use crate::rig::{Club, PostedLetter, address, letters_to};
use chrono::TimeDelta;
use postrider::club::Intervention;
use postrider::games::find_kind;
use postrider::mail::transport::PostError;
use postrider::process::{self, MemberChange};
use postrider::rules::Seat;
use postrider::testing::sample_or_all;
use std::collections::BTreeSet;

fn club_with_games(settings: &str, games: u8) -> Club {
    let mut club = Club::with_settings(settings);
    for _ in 0..games {
        club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    }
    club.run_pass();
    club
}

/// Delivers an order from Ann while the transport is unavailable.
fn queue_turn_letters(club: &mut Club) {
    club.transport.error = Some(PostError::Unavailable("no line".to_owned()));
    club.send_reply("Ann", "build red G23");
    assert_eq!(club.run_pass().0.carried_out, 1);
}

fn moderate_game_1(club: &Club, what: &Intervention) {
    club.ensure_answered_member("Zoe", "zoe@example.net");
    process::moderate_game(&club.open_context(), 1, what, "ill").expect("it can be done");
}

fn replace_bob_intervention() -> Intervention {
    Intervention::Replace { seat: Seat::new(2), by: "Zoe <zoe@example.net>".into() }
}

fn deliver_queued(club: &mut Club) -> Vec<PostedLetter> {
    club.transport.error = None;
    club.run_pass().1
}

fn count_game_letters(letters: &[&PostedLetter]) -> usize {
    letters.iter().filter(|letter| letter.header("List-Id").is_some()).count()
}

#[test]
fn pending_hand_is_withheld_from_previous_owner() {
    let mut club = club_with_games("", 1);
    queue_turn_letters(&mut club);
    moderate_game_1(&club, &replace_bob_intervention());
    let letters = deliver_queued(&mut club);
    let bob = letters_to(&letters, "Bob");
    assert_eq!(
        (bob.len(), count_game_letters(&bob)),
        (1, 0),
        "only the news that Bob has lost the seat"
    );
    let zoe = letters_to(&letters, "zoe@example.net");
    assert_eq!(zoe.len(), 1);
    assert!(zoe[0].contains("red") && zoe[0].header("List-Id").is_some(), "{}", zoe[0].body_text());
    assert_eq!(count_game_letters(&letters_to(&letters, "Cid")), 1);
}

#[test]
fn pending_hand_is_withheld_from_erased_member() {
    let mut club = club_with_games("", 1);
    queue_turn_letters(&mut club);
    process::remove_and_erase_member(&club.open_context(), &address("Bob"))
        .expect("it works")
        .expect("a member");
    let letters = deliver_queued(&mut club);
    assert_eq!(count_game_letters(&letters_to(&letters, "Bob")), 0, "{letters:?}");
}

#[test]
fn pending_letter_goes_to_readers_new_address() {
    let mut club = club_with_games("", 1);
    queue_turn_letters(&mut club);
    let (before, now) = (address("Bob"), "bob@new.example");
    for change in [
        MemberChange::AddAddress { address: now.to_owned(), first: true },
        MemberChange::RemoveAddress(before.clone()),
    ] {
        process::change_member(&club.open_context(), &before, &change).expect("it can be");
    }
    let letters = deliver_queued(&mut club);
    assert_eq!(letters_to(&letters, &before).len(), 0, "the old address is nobody's");
    let moved = letters_to(&letters, now);
    assert_eq!((moved.len(), count_game_letters(&moved)), (1, 1));
    assert_eq!(moved[0].header("To").as_deref(), Some("Bob <bob@new.example>"));
    assert!(moved[0].contains("red"), "{}", moved[0].body_text());
    let reply = club.compose_reply_to("Bob", moved[0], "status").replace(&before, now);
    club.deliver(reply);
    assert_eq!(letters_to(&club.run_pass().1, now).len(), 1, "and it can be answered");
}

#[test]
fn pending_letter_carries_current_reply_token() {
    let rotate_seat = |club: &Club| {
        moderate_game_1(club, &Intervention::Rotate(Seat::new(2)));
    };
    let rotate_member = |club: &Club| {
        process::rotate_member_tokens(&club.open_context(), &address("Bob"))
            .expect("it works")
            .expect("a member");
    };
    for invalidate in [rotate_seat as fn(&Club), rotate_member] {
        for settings in ["", "plus_addressing: false\n"] {
            assert_pending_letter_has_token(settings, invalidate);
        }
    }
}

fn assert_pending_letter_has_token(settings: &str, invalidate: fn(&Club)) {
    let mut club = club_with_games(settings, 1);
    queue_turn_letters(&mut club);
    invalidate(&club);
    let letters = deliver_queued(&mut club);
    let mut bob = letters_to(&letters, "Bob");
    bob.retain(|letter| count_game_letters(&[letter]) == 1);
    assert_eq!(bob.len(), 1, "the turn and the new token");
    let mut reply = club.compose_reply_to("Bob", bob[0], "status");
    if !settings.is_empty() {
        reply = reply.replace("To: \r\n", "To: games@example.org\r\n");
    }
    club.deliver(reply);
    let answers = club.run_pass().1;
    assert_eq!(count_game_letters(&letters_to(&answers, "Bob")), 1, "{settings}");
}

#[test]
fn pending_digest_drops_game_of_replaced_player() {
    let mut club = club_with_games("", 2);
    club.send_reply("Bob", "letters digest");
    club.run_pass();
    club.transport.error = Some(PostError::Unavailable("no line".to_owned()));
    let posted = club.transport.posted.clone();
    let of = |list: &str| {
        let mut letters = posted.iter().rev().filter(|letter| letter.to == address("Ann"));
        let is_of =
            |letter: &&PostedLetter| letter.header("List-Id").is_some_and(|id| id.contains(list));
        letters.find(is_of).expect("a letter of the game").clone()
    };
    for (n, list) in ["<g1.", "<g2."].into_iter().enumerate() {
        let reply = club.compose_reply_to("Ann", &of(list), "build red G23");
        club.deliver(reply.replace("ann-", &format!("both{n}-")));
    }
    assert_eq!(club.run_pass().0.carried_out, 2);
    moderate_game_1(&club, &replace_bob_intervention());
    let letters = deliver_queued(&mut club);
    let bob = letters_to(&letters, "Bob");
    let games: BTreeSet<String> =
        bob.iter().filter_map(|letter| letter.header("List-Id")).collect();
    assert_eq!(games.len(), 1, "{games:?}");
    assert!(games.first().is_some_and(|id| id.contains("<g2.")), "{games:?}");
    assert!(bob.iter().any(|letter| letter.contains("red")), "and it tells what happened");
    assert!(bob.iter().all(|letter| !letter.message_id.starts_with("b.")));
}

#[test]
fn pending_note_goes_to_new_moderator() {
    let mut club = club_with_games("", 1);
    club.transport.error = Some(PostError::Unavailable("no line".to_owned()));
    club.deliver("From: x@example.com\r\nFrom: y@example.com\r\n\r\nhello\r\n");
    club.run_pass();
    let path = club.folder().join("club.yaml");
    let text = std::fs::read_to_string(&path).expect("it is there");
    std::fs::write(&path, text.replace("mod@example.org", "new@example.org")).expect("written");
    let letters = deliver_queued(&mut club);
    assert_eq!(letters.len(), 1);
    assert_eq!(letters[0].to, "new@example.org");
}

fn deliver_stranger_letter(club: &mut Club, from: &str, is_proven: bool) {
    let proof = "Authentication-Results: mx.example.org; dmarc=pass header.from=";
    let host = from.rsplit('@').next().expect("a host");
    let proof = if is_proven { format!("{proof}{host}\r\n") } else { String::new() };
    club.deliver(format!("{proof}From: {from}\r\nTo: games@example.org\r\n\r\nhello\r\n"));
}

fn stranger_recipients(letters: &[PostedLetter]) -> Vec<&str> {
    let known = ["ann@", "bob@", "cid@", "mod@"];
    let to = letters.iter().map(|letter| letter.to.as_str());
    to.filter(|to| !known.iter().any(|known| to.starts_with(known))).collect()
}

#[test]
fn flood_from_one_domain_delays_only_that_domain() {
    let mut club = club_with_games("letters_per_day: 80\ndigest: 07:00\n", 1);
    let count = sample_or_all(60, 200);
    for n in 0..count {
        deliver_stranger_letter(&mut club, &format!("u{n}@evil.example"), false);
    }
    deliver_stranger_letter(&mut club, "zoe@nice.example", false);
    let (report, first) = club.run_pass();
    assert_eq!(
        stranger_recipients(&first),
        ["u0@evil.example", "zoe@nice.example"],
        "one a domain"
    );
    assert_eq!(report.queued_letters, count + 1 - 2, "nothing is dropped");
    let mut served: Vec<String> = Vec::new();
    let mut morning = false;
    for _ in 0..30 {
        let (_, letters) = club.run_pass();
        served.extend(stranger_recipients(&letters).into_iter().map(str::to_owned));
        morning |= letters.iter().any(|letter| {
            letter.contains("e-mails to non-members are waiting") && letter.contains("evil.example")
        });
    }
    assert!(morning, "the moderator reads of them in the morning");
    let oldest: Vec<String> = (1..=served.len()).map(|n| format!("u{n}@evil.example")).collect();
    assert_eq!(served, oldest, "the oldest first");
    assert!((10..=20).contains(&served.len()), "a share of the day: {served:?}");
}

#[test]
fn game_letters_leave_despite_queued_answers() {
    let mut club = club_with_games("letters_per_day: 40\nanswers_per_hour: 100\n", 1);
    for n in 0..60 {
        deliver_stranger_letter(&mut club, &format!("u{n}@e{n}.example"), false);
        let letter = club.compose_reply("Ann", "status").replace("ann-", &format!("q{n}-"));
        club.deliver(letter);
    }
    club.run_pass();
    club.send_reply("Ann", "build red G23");
    let (report, letters) = club.run_pass();
    assert_eq!(report.carried_out, 1);
    for name in ["Ann", "Bob", "Cid"] {
        assert_eq!(count_game_letters(&letters_to(&letters, name)), 1, "{name}: {letters:?}");
    }
}

#[test]
fn proven_and_invited_newcomers_are_served_despite_flood() {
    let mut club = club_with_games("authserv_id: mx.example.org\n", 1);
    for n in 0..sample_or_all(40, 120) {
        deliver_stranger_letter(&mut club, &format!("u{n}@e{n}.example"), false);
    }
    deliver_stranger_letter(&mut club, "zoe@nice.example", true);
    club.send_reply("Ann", "new paris-connection seats 3 invite guest@far.example");
    let (_, letters) = club.run_pass();
    let served = stranger_recipients(&letters);
    assert!(served.contains(&"zoe@nice.example") && served.contains(&"guest@far.example"));
    assert_eq!(served.len(), sample_or_all(40, 50) + 2);
    // Many subdomains of one domain count as that domain, even if the sender is proven.
    for n in 0..sample_or_all(70, 200) {
        deliver_stranger_letter(&mut club, &format!("u{n}@a{n}.evil.example"), true);
    }
    deliver_stranger_letter(&mut club, "dan@nice.example", true);
    let (_, letters) = club.run_pass();
    assert!(
        stranger_recipients(&letters).contains(&"dan@nice.example"),
        "{:?}",
        stranger_recipients(&letters)
    );
    assert!(stranger_recipients(&letters).len() <= 50);
}

#[test]
fn proven_strangers_share_a_daily_quota() {
    let mut club = club_with_games("authserv_id: mx.example.org\nstranger_letters_per_day: 2\n", 1);
    for n in 0..30 {
        deliver_stranger_letter(&mut club, &format!("u@e{n}.example"), true);
    }
    let mut served = |hours: u32| -> usize {
        (0..hours).map(|_| stranger_recipients(&club.run_pass().1).len()).sum()
    };
    assert_eq!(served(20), 8);
    assert_eq!(served(24), 8, "the next day has as many");
}

#[test]
fn one_mailbox_cannot_exhaust_daily_quota() {
    let mut club = club_with_games("letters_per_day: 60\nanswers_per_hour: 100\n", 1);
    let mut answered = 0;
    for n in 0..12 {
        for m in 0..10 {
            let letter = club.compose_reply("Ann", "status").replace("ann-", &format!("q{n}.{m}-"));
            club.deliver(letter);
        }
        answered += club.run_pass().1.len();
    }
    assert!(answered <= 30, "{answered} of the day's letters");
    club.send_reply("Bob", "status");
    assert_eq!(letters_to(&club.run_pass().1, "Bob").len(), 1, "others are answered all the same");
    club.send_reply("Ann", "build red G23");
    let (_, letters) = club.run_pass();
    assert_eq!(letters_to(&letters, "Cid").len(), 1, "and games go on");
    club.now += TimeDelta::days(1);
    assert!(!club.run_pass().1.is_empty(), "what waited goes on the next day");
}
