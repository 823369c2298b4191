//! Reply tokens: how long they are valid, and what makes them invalid.

use crate::rig::moderator_letters::{MOD_ADDRESS, ask_as_mod, introduce_mod, start_paris_game};
use crate::rig::{Club, PostedLetter, address, first_letter_to};
use chrono::TimeDelta;
use postrider::club::Member;
use postrider::process::{self, MemberChange};
use postrider::rules::Seat;

const NEW: &str = "ann.new@example.net";
const THIEFS_ADDRESS: &str = "evil@example.com";

/// Delivers an answer to the letter `to`, sent from the address `from`.
fn send_reply_from(club: &mut Club, from: &str, to: &PostedLetter, body: &str) {
    let letter = club.compose_reply_to("Ann", to, body).replace(&address("Ann"), from);
    club.deliver(letter);
}

/// Makes Ann ask to add the address `new`, and returns the question that the club sends to it.
fn request_address_question(club: &mut Club, new: &str) -> PostedLetter {
    club.send_reply("Ann", &format!("address {new}"));
    first_letter_to(&club.run_pass().1, new).clone()
}

fn find_ann(club: &Club) -> Member {
    process::find_member(&club.open_context(), "1")
        .expect("the club can be read")
        .expect("Ann is a member")
}

fn remove_anns_address(club: &Club, address: &str) {
    let gone = MemberChange::RemoveAddress(address.to_owned());
    process::change_member(&club.open_context(), "1", &gone).expect("there is another");
}

/// Whether the first letter to this address says that the reply token is not valid.
fn reports_invalid_token(letters: &[PostedLetter], address: &str) -> bool {
    first_letter_to(letters, address).contains("isn't valid, or no longer is")
}

#[test]
fn address_confirmation_works_once() {
    let mut club = Club::with_paris_game("");
    let question = request_address_question(&mut club, NEW);
    send_reply_from(&mut club, NEW, &question, "yes");
    send_reply_from(&mut club, NEW, &question, "yes\n");
    club.run_pass();
    assert_eq!(find_ann(&club).addresses, [NEW.to_owned(), address("Ann")]);
    // The address did not belong to Ann, and she removed it. Repeating the old consent must not add
    // it again.
    remove_anns_address(&club, NEW);
    for _ in 0..2 {
        send_reply_from(&mut club, NEW, &question, "Yes.");
        club.run_pass();
        assert_eq!(find_ann(&club).addresses, [address("Ann")]);
    }
    club.now += TimeDelta::days(7);
    // A week later Ann may ask again, and the answer to the new question counts.
    let question = request_address_question(&mut club, NEW);
    send_reply_from(&mut club, NEW, &question, "yes");
    club.run_pass();
    assert_eq!(find_ann(&club).addresses, [NEW.to_owned(), address("Ann")]);
}

#[test]
fn address_change_voids_earlier_address_questions() {
    let mut club = Club::with_paris_game("");
    let evil = request_address_question(&mut club, THIEFS_ADDRESS);
    let question = request_address_question(&mut club, NEW);
    send_reply_from(&mut club, NEW, &question, "yes");
    send_reply_from(&mut club, THIEFS_ADDRESS, &evil, "yes");
    club.run_pass();
    assert_eq!(find_ann(&club).addresses, [NEW.to_owned(), address("Ann")]);
}

#[test]
fn reply_without_yes_keeps_expiry_of_question() {
    let mut club = Club::with_paris_game("");
    let mut question = request_address_question(&mut club, NEW);
    for _ in 0..3 {
        club.now += TimeDelta::hours(23);
        send_reply_from(&mut club, NEW, &question, "Who is this?");
        question = first_letter_to(&club.run_pass().1, NEW).clone();
    }
    club.now += TimeDelta::days(1);
    send_reply_from(&mut club, NEW, &question, "yes");
    let (_, letters) = club.run_pass();
    assert!(
        first_letter_to(&letters, NEW).contains("That question has expired"),
        "{}",
        first_letter_to(&letters, NEW).body_text()
    );
    assert_eq!(find_ann(&club).addresses, [address("Ann")]);
}

#[test]
fn invitation_can_be_accepted_once() {
    let mut club = Club::with_paris_game("");
    club.send_reply("Ann", "new paris-connection seats 5 invite zoe@example.net");
    let invited = first_letter_to(&club.run_pass().1, "zoe@example.net").clone();
    send_reply_from(&mut club, "zoe@example.net", &invited, "yes");
    let (_, letters) = club.run_pass();
    let welcome = first_letter_to(&letters, "zoe@example.net").clone();
    send_reply_from(&mut club, "zoe@example.net", &welcome, "leave club yes");
    club.run_pass();
    send_reply_from(&mut club, "zoe@example.net", &invited, "Yes.");
    let (_, letters) = club.run_pass();
    assert!(letters.iter().all(|letter| !letter.contains("Welcome")));
    assert_eq!(
        process::find_member(&club.open_context(), "zoe@example.net").expect("it works"),
        None
    );
}

/// Returns a club and three letters to Ann: one from each of two games, and one that belongs to no
/// game.
fn club_with_anns_letters(settings: &str) -> (Club, Vec<PostedLetter>) {
    let mut club = Club::with_paris_game(settings);
    start_paris_game(&mut club, 2);
    club.run_pass();
    let games = ["[Paris 1]", "[Paris 2]"];
    let mut letters: Vec<PostedLetter> = games
        .iter()
        .map(|game| {
            let is_of = |letter: &&PostedLetter| {
                letter.to == address("Ann")
                    && letter.header("Subject").is_some_and(|subject| subject.contains(game))
            };
            club.transport.posted.iter().find(is_of).expect("a letter of the game").clone()
        })
        .collect();
    club.deliver("From: ann@example.org\r\nTo: games@example.org\r\n\r\nhello\r\n");
    letters.push(first_letter_to(&club.run_pass().1, "Ann").clone());
    (club, letters)
}

#[test]
fn new_tokens_void_all_earlier_tokens() {
    for at in 0..3 {
        let (mut club, old_letters) = club_with_anns_letters("");
        let before = club.open_context().store.log_length(1).expect("it reads");
        send_reply_from(&mut club, &address("Ann"), &old_letters[at], "new marks");
        // A letter with an old token is refused in the pass that voids the token.
        send_reply_from(&mut club, &address("Ann"), &old_letters[0], "build red G23, Troyes");
        let (_, letters) = club.run_pass();
        let anns: Vec<&PostedLetter> = letters.iter().filter(|l| l.to == address("Ann")).collect();
        assert_eq!((anns.len(), letters.len()), (4, 4), "{letters:?}");
        assert!(anns.iter().any(|letter| letter.contains("isn't valid, or no longer is")));
        assert_eq!(club.open_context().store.log_length(1).expect("it reads"), before);
        let fresh: Vec<PostedLetter> = anns
            .iter()
            .filter(|letter| !letter.contains("isn't valid, or no longer is"))
            .map(|letter| (*letter).clone())
            .collect();
        assert!(fresh.iter().any(|letter| letter.contains("from us so far are now void")));
        for old in &old_letters {
            send_reply_from(&mut club, &address("Ann"), old, "status");
            assert!(reports_invalid_token(&club.run_pass().1, &address("Ann")));
        }
        for new in &fresh {
            send_reply_from(&mut club, &address("Ann"), new, "settings");
            assert!(
                first_letter_to(&club.run_pass().1, "Ann").contains("Time zone"),
                "{}",
                new.body_text()
            );
        }
    }
}

#[test]
fn new_tokens_are_limited_to_three_daily() {
    let (mut club, old_letters) = club_with_anns_letters("");
    let mut last = old_letters[2].clone();
    for _ in 0..3 {
        send_reply_from(&mut club, &address("Ann"), &last, "new marks");
        let (_, letters) = club.run_pass();
        let answer = letters.iter().find(|letter| letter.contains("from us so far are now void"));
        last = answer.expect("it is done").clone();
    }
    send_reply_from(&mut club, &address("Ann"), &last, "new marks");
    let (_, letters) = club.run_pass();
    assert_eq!(letters.len(), 1);
    assert!(letters[0].contains("3 times a day"), "{}", letters[0].body_text());
    // A letter with an old token, or without one, cannot ask for new tokens.
    send_reply_from(&mut club, &address("Ann"), &old_letters[2], "new marks");
    assert!(reports_invalid_token(&club.run_pass().1, &address("Ann")));
    club.deliver("From: ann@example.org\r\nTo: games@example.org\r\n\r\nnew marks\r\n");
    assert!(first_letter_to(&club.run_pass().1, "Ann").contains("doesn't say which game"));
}

#[test]
fn proven_sender_gets_new_tokens_without_token() {
    let (mut club, old_letters) =
        club_with_anns_letters("admission: token+sender+dmarc\nauthserv_id: mx\n");
    let proof = "Authentication-Results: mx; dmarc=pass header.from=example.org\r\n";
    let letter = "From: ann@example.org\r\nTo: games@example.org\r\n\r\nnew marks\r\n";
    club.deliver(letter.replace("new marks", "New marks."));
    let before = find_ann(&club);
    assert!(club.run_pass().1.iter().all(|letter| !letter.contains("now void")));
    assert_eq!(find_ann(&club), before);
    club.deliver(format!("{proof}{letter}"));
    assert!(club.run_pass().1.iter().any(|letter| letter.contains("from us so far are now void")));
    let old = club.compose_reply_to("Ann", &old_letters[0], "status");
    club.deliver(format!("{proof}{old}"));
    assert!(reports_invalid_token(&club.run_pass().1, &address("Ann")));
}

#[test]
fn moderator_voids_all_tokens_of_member() {
    for by_letter in [true, false] {
        let (mut club, old_letters) = club_with_anns_letters("");
        if by_letter {
            introduce_mod(&mut club);
            let done = ask_as_mod(&mut club, "rotate member ann@example.org because it was read");
            assert!(done.contains("Replies to any of Ann's older e-mails no longer count"));
        } else {
            assert!(
                process::rotate_member_tokens(&club.open_context(), "9")
                    .expect("it works")
                    .is_none()
            );
            let ann = process::rotate_member_tokens(&club.open_context(), "1")
                .expect("it works")
                .expect("Ann is a member");
            assert_eq!(ann.name, "Ann");
            let (_, letters) = club.run_pass();
            assert_eq!(letters.iter().filter(|l| l.to == address("Ann")).count(), 3);
        }
        for old in &old_letters {
            send_reply_from(&mut club, &address("Ann"), old, "status");
            assert!(reports_invalid_token(&club.run_pass().1, &address("Ann")), "{by_letter}");
        }
        club.send_reply("Ann", "board");
        let answer = first_letter_to(&club.run_pass().1, "Ann").clone();
        assert!(answer.contains("THE BOARD"), "{}", answer.body_text());
    }
}

#[test]
fn moderator_voids_own_tokens() {
    for by_letter in [true, false] {
        let mut club = Club::with_paris_game("");
        introduce_mod(&mut club);
        let old = club.last_letter_to("Mod").expect("a letter").clone();
        if by_letter {
            let answer = ask_as_mod(&mut club, "new marks");
            assert!(
                answer.contains("Replies to older e-mails from the club to you"),
                "{}",
                answer.body_text()
            );
        } else {
            process::rotate_moderator_token(&club.open_context()).expect("it works");
            assert!(
                first_letter_to(&club.run_pass().1, MOD_ADDRESS)
                    .contains("Replies to older e-mails from the club to you")
            );
        }
        send_reply_from(&mut club, MOD_ADDRESS, &old, "end 1 because I hold an old letter");
        let (_, letters) = club.run_pass();
        assert!(
            first_letter_to(&letters, MOD_ADDRESS).contains("an address can be forged"),
            "{}",
            letters[0].body_text()
        );
        assert!(ask_as_mod(&mut club, "list").contains("One game is in progress"));
    }
}

#[test]
fn voided_tokens_stay_void_after_restore() {
    let (mut club, old_letters) = club_with_anns_letters("");
    introduce_mod(&mut club);
    let old = club.last_letter_to("Mod").expect("a letter").clone();
    let question = request_address_question(&mut club, NEW);
    send_reply_from(&mut club, NEW, &question, "yes");
    club.run_pass();
    remove_anns_address(&club, NEW);
    process::rotate_moderator_token(&club.open_context()).expect("it works");
    process::rotate_member_tokens(&club.open_context(), "1")
        .expect("it works")
        .expect("Ann is a member");
    club.run_pass();
    club.restore_from_journal();
    send_reply_from(&mut club, MOD_ADDRESS, &old, "end 1 because I hold an old letter");
    send_reply_from(&mut club, NEW, &question, "Yes");
    old_letters
        .iter()
        .for_each(|letter| send_reply_from(&mut club, &address("Ann"), letter, "zone Asia/Tokyo"));
    let (report, _) = club.run_pass();
    assert_eq!(report.carried_out, 0);
    assert_eq!(
        (find_ann(&club).addresses, find_ann(&club).time.zone),
        (vec![address("Ann")], None)
    );
    assert_eq!(club.open_context().store.moderator_generation().expect("it reads"), 1);
    assert_eq!(club.open_context().store.log_length(1).expect("it reads"), 2);
}

#[test]
fn tokens_without_generation_work_until_voided() {
    let compose_with_token = |reply_token: &str, from: &str, body: &str| {
        format!(
            "From: {from}\r\nTo: games+{reply_token}@example.org\r\nMessage-ID: <{}@x>\r\n\r\n\
             {body}\r\n",
            reply_token.len() + body.len()
        )
    };
    const SEAT_TOKEN: &str = "1.1.1.7tacnqwrt4bkwtgdpcx2iohynm";
    const MEMBER_TOKEN: &str = "u.1.d62ztf5jvtsincvkbad6j67chq";
    const MODERATOR_TOKEN: &str = "m.6wv3puswssk25sentxplibedba";
    const JOIN_TOKEN: &str = "j.2.20458.z3v5uycdh54lhiqyfax5g6wyvu";
    const ADDRESS_TOKEN: &str = "a.1.20458.k7ixdr6ikrav7q7mq6wecodqjm";
    let mut club = Club::with_paris_game("");
    club.send_reply("Bob", "new paris-connection seats 5 invite zoe@example.net");
    club.run_pass();
    club.deliver(compose_with_token(MEMBER_TOKEN, "ann@example.org", &format!("address {NEW}")));
    club.deliver(compose_with_token(SEAT_TOKEN, "ann@example.org", "build red G23, Troyes"));
    club.deliver(compose_with_token(MODERATOR_TOKEN, MOD_ADDRESS, "note 1 as before"));
    club.deliver(compose_with_token(JOIN_TOKEN, "zoe@example.net", "yes"));
    let (report, _) = club.run_pass();
    assert_eq!((report.carried_out, report.quarantined), (1, 0));
    club.deliver(compose_with_token(ADDRESS_TOKEN, NEW, "yes"));
    let (_, letters) = club.run_pass();
    assert!(first_letter_to(&letters, NEW).contains("From now on we'll write to"));
    assert!(
        process::find_member(&club.open_context(), "zoe@example.net").expect("it works").is_some()
    );

    process::rotate_member_tokens(&club.open_context(), "1")
        .expect("it works")
        .expect("Ann is a member");
    process::rotate_moderator_token(&club.open_context()).expect("it works");
    club.run_pass();
    club.deliver(compose_with_token(SEAT_TOKEN, "ann@example.org", "vote pause"));
    club.deliver(compose_with_token(MEMBER_TOKEN, "ann@example.org", "zone Asia/Tokyo"));
    club.deliver(compose_with_token(MODERATOR_TOKEN, MOD_ADDRESS, "end 1 because it is old"));
    club.deliver(compose_with_token(ADDRESS_TOKEN, NEW, "Yes."));
    club.run_pass();
    let ann = find_ann(&club);
    assert_eq!((ann.time.zone, ann.address_changes), (None, 1));
    let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
    assert_ne!(session.table.turn(), postrider::rules::Turn::Over);
}

#[test]
fn token_of_another_club_is_invalid() {
    let mut other = Club::with_paris_game("");
    std::fs::write(other.folder().join("secret"), "08".repeat(32)).expect("it can be written");
    let mut club = Club::with_paris_game("");
    for letter in [
        club.last_letter_to("Ann").expect("a letter").clone(),
        request_address_question(&mut club, NEW),
    ] {
        let from = if letter.to == NEW { NEW } else { "ann@example.org" };
        send_reply_from(&mut other, from, &letter, "yes\nbuild red G23, Troyes\nzone Asia/Tokyo");
        let (report, _) = other.run_pass();
        assert_eq!(report.carried_out, 0);
        assert_eq!(
            (find_ann(&other).addresses, find_ann(&other).time.zone),
            (vec![address("Ann")], None)
        );
    }
}

/// A thief has read all letters in Ann's mailbox, has made an own address Ann's first address, and
/// has asked for two more. Then the moderator removes that address and voids Ann's tokens.
#[test]
fn mailbox_thief_keeps_no_valid_token() {
    for admission in ["token", "token+sender"] {
        let (mut club, mut stolen) = club_with_anns_letters(&format!("admission: {admission}\n"));
        for evil in [THIEFS_ADDRESS, "evil.too@example.com"] {
            stolen.push(request_address_question(&mut club, evil));
        }
        send_reply_from(&mut club, THIEFS_ADDRESS, &stolen[3].clone(), "yes");
        stolen.extend(club.run_pass().1);
        stolen.push(request_address_question(&mut club, "evil.three@example.com"));
        assert_eq!(find_ann(&club).addresses.first().map(String::as_str), Some(THIEFS_ADDRESS));
        // Letters to the thief's address are still in the outbox when the theft is discovered.
        club.transport.error =
            Some(postrider::mail::transport::PostError::Temporary("gone".to_owned()));
        club.send_reply("Ann", "status");
        club.run_pass();
        remove_anns_address(&club, THIEFS_ADDRESS);
        process::rotate_member_tokens(&club.open_context(), "1")
            .expect("it works")
            .expect("Ann is a member");
        club.transport.error = None;
        club.now += TimeDelta::hours(1);
        stolen.extend(club.run_pass().1.into_iter().filter(|letter| letter.to == THIEFS_ADDRESS));
        assert!(stolen.iter().any(|letter| letter.to == THIEFS_ADDRESS));

        let before = find_ann(&club);
        let length = club.open_context().store.log_length(1).expect("it reads");
        let orders = ["yes", "build red G23, Troyes", "zone Asia/Tokyo", "address e4@example.com"];
        for letter in &stolen {
            for from in [
                THIEFS_ADDRESS,
                "evil.too@example.com",
                "evil.three@example.com",
                "ann@example.org",
            ] {
                for order in orders.iter().chain(&["say it was me", "new marks", "resign yes"]) {
                    send_reply_from(&mut club, from, letter, order);
                }
            }
        }
        let (report, letters) = club.run_pass();
        assert_eq!(report.carried_out, 0);
        assert_eq!(find_ann(&club), before);
        assert_eq!(club.open_context().store.log_length(1).expect("it reads"), length);
        assert!(letters.iter().all(|letter| letter.to != "e4@example.com"));
        assert!(letters.iter().all(|letter| !letter.contains("it was me")));
        let seats = club.open_context().store.seat_assignments(1).expect("it reads");
        assert!(!seats[Seat::new(1).index()].has_left);
    }
}
