//! The marks of letters: for how long they speak for somebody, and what makes them void.

use crate::rig::moderator::{MOD, mod_asks, mod_is_known, paris};
use crate::rig::{Club, Posted, address, to};
use chrono::TimeDelta;
use postrider::club::Member;
use postrider::process::{self, MemberChange};
use postrider::rules::Seat;

const NEW: &str = "ann.new@example.net";
const EVIL: &str = "evil@example.com";

/// A club with game 1, whose first letters are out.
/// A letter from this address that answers another one.
fn answers(club: &mut Club, from: &str, to: &Posted, body: &str) {
    let letter = club.reply_to("Ann", to, body).replace(&address("Ann"), from);
    club.arrives(letter);
}

/// What this address is asked when Ann names it hers.
fn asked(club: &mut Club, new: &str) -> Posted {
    club.writes("Ann", &format!("address {new}"));
    to(&club.pass().1, new).clone()
}

fn ann(club: &Club) -> Member {
    process::find_member(&club.context(), "1").expect("the club can be read").expect("she is there")
}

fn remove(club: &Club, address: &str) {
    let gone = MemberChange::RemoveAddress(address.to_owned());
    process::change_member(&club.context(), "1", &gone).expect("there is another");
}

/// Whether the last letter says that a mark is void.
fn is_void(letters: &[Posted], address: &str) -> bool {
    to(letters, address).says("is not valid (any more)")
}

#[test]
fn a_question_about_an_address_is_answered_once() {
    let mut club = Club::paris("");
    let question = asked(&mut club, NEW);
    answers(&mut club, NEW, &question, "yes");
    answers(&mut club, NEW, &question, "yes\n");
    club.pass();
    assert_eq!(ann(&club).addresses, [NEW.to_owned(), address("Ann")]);
    // It was not hers: nothing that went there brings it back.
    remove(&club, NEW);
    for _ in 0..2 {
        answers(&mut club, NEW, &question, "Yes.");
        club.pass();
        assert_eq!(ann(&club).addresses, [address("Ann")]);
    }
    club.now += TimeDelta::days(7);
    // She may ask again a week later, and the answer to that question counts.
    let question = asked(&mut club, NEW);
    answers(&mut club, NEW, &question, "yes");
    club.pass();
    assert_eq!(ann(&club).addresses, [NEW.to_owned(), address("Ann")]);
}

#[test]
fn what_was_asked_before_the_addresses_changed_is_settled() {
    let mut club = Club::paris("");
    let evil = asked(&mut club, EVIL);
    let question = asked(&mut club, NEW);
    answers(&mut club, NEW, &question, "yes");
    answers(&mut club, EVIL, &evil, "yes");
    club.pass();
    assert_eq!(ann(&club).addresses, [NEW.to_owned(), address("Ann")]);
}

#[test]
fn an_answer_without_the_word_makes_no_question_live_longer() {
    let mut club = Club::paris("");
    let mut question = asked(&mut club, NEW);
    for _ in 0..3 {
        club.now += TimeDelta::hours(23);
        answers(&mut club, NEW, &question, "Who is this?");
        question = to(&club.pass().1, NEW).clone();
    }
    club.now += TimeDelta::days(1);
    answers(&mut club, NEW, &question, "yes");
    let (_, letters) = club.pass();
    assert!(to(&letters, NEW).says("within three days"), "{}", to(&letters, NEW).text());
    assert_eq!(ann(&club).addresses, [address("Ann")]);
}

#[test]
fn an_invitation_is_accepted_once() {
    let mut club = Club::paris("");
    club.writes("Ann", "new paris-connection seats 5 invite zoe@example.net");
    let invited = to(&club.pass().1, "zoe@example.net").clone();
    answers(&mut club, "zoe@example.net", &invited, "yes");
    let (_, letters) = club.pass();
    let welcome = to(&letters, "zoe@example.net").clone();
    answers(&mut club, "zoe@example.net", &welcome, "leave club yes");
    club.pass();
    answers(&mut club, "zoe@example.net", &invited, "Yes.");
    let (_, letters) = club.pass();
    assert!(letters.iter().all(|letter| !letter.says("Welcome")));
    assert_eq!(process::find_member(&club.context(), "zoe@example.net").expect("it works"), None);
}

/// Ann's letters of two games and one about none, all of which can be answered.
fn with_marks(settings: &str) -> (Club, Vec<Posted>) {
    let mut club = Club::paris(settings);
    paris(&mut club, 2);
    club.pass();
    let games = ["[Paris 1]", "[Paris 2]"];
    let mut marks: Vec<Posted> = games
        .iter()
        .map(|game| {
            let is_of = |letter: &&Posted| {
                letter.to == address("Ann")
                    && letter.header("Subject").is_some_and(|subject| subject.contains(game))
            };
            club.pigeon.posted.iter().find(is_of).expect("a letter of the game").clone()
        })
        .collect();
    club.arrives("From: ann@example.org\r\nTo: games@example.org\r\n\r\nhello\r\n");
    marks.push(to(&club.pass().1, "Ann").clone());
    (club, marks)
}

#[test]
fn whoever_asks_for_new_marks_makes_all_void_that_he_has_got() {
    for at in 0..3 {
        let (mut club, marks) = with_marks("");
        let before = club.context().store.log_length(1).expect("it reads");
        answers(&mut club, &address("Ann"), &marks[at], "new marks");
        // A letter with an old mark is refused in the same pass already.
        answers(&mut club, &address("Ann"), &marks[0], "build red G23, Troyes");
        let (_, letters) = club.pass();
        let anns: Vec<&Posted> = letters.iter().filter(|l| l.to == address("Ann")).collect();
        assert_eq!((anns.len(), letters.len()), (4, 4), "{letters:?}");
        assert!(anns.iter().any(|letter| letter.says("is not valid (any more)")));
        assert_eq!(club.context().store.log_length(1).expect("it reads"), before);
        let fresh: Vec<Posted> = anns
            .iter()
            .filter(|letter| !letter.says("is not valid (any more)"))
            .map(|letter| (*letter).clone())
            .collect();
        assert!(fresh.iter().any(|letter| letter.says("you have got so far are void")));
        for old in &marks {
            answers(&mut club, &address("Ann"), old, "status");
            assert!(is_void(&club.pass().1, &address("Ann")));
        }
        for new in &fresh {
            answers(&mut club, &address("Ann"), new, "settings");
            assert!(to(&club.pass().1, "Ann").says("Time zone"), "{}", new.text());
        }
    }
}

#[test]
fn nobody_has_new_marks_without_end() {
    let (mut club, marks) = with_marks("");
    let mut last = marks[2].clone();
    for _ in 0..3 {
        answers(&mut club, &address("Ann"), &last, "new marks");
        let (_, letters) = club.pass();
        let answer = letters.iter().find(|letter| letter.says("you have got so far are void"));
        last = answer.expect("it is done").clone();
    }
    answers(&mut club, &address("Ann"), &last, "new marks");
    let (_, letters) = club.pass();
    assert_eq!(letters.len(), 1);
    assert!(letters[0].says("3 times a day"), "{}", letters[0].text());
    // Who has but an old mark, or none, cannot even ask.
    answers(&mut club, &address("Ann"), &marks[2], "new marks");
    assert!(is_void(&club.pass().1, &address("Ann")));
    club.arrives("From: ann@example.org\r\nTo: games@example.org\r\n\r\nnew marks\r\n");
    assert!(to(&club.pass().1, "Ann").says("does not say which game"));
}

#[test]
fn where_senders_are_proven_a_member_needs_no_mark_to_have_new_ones() {
    let (mut club, marks) = with_marks("admission: token+sender+dmarc\nauthserv_id: mx\n");
    let proof = "Authentication-Results: mx; dmarc=pass header.from=example.org\r\n";
    let letter = "From: ann@example.org\r\nTo: games@example.org\r\n\r\nnew marks\r\n";
    club.arrives(letter.replace("new marks", "New marks."));
    let before = ann(&club);
    assert!(club.pass().1.iter().all(|letter| !letter.says("are void")));
    assert_eq!(ann(&club), before);
    club.arrives(format!("{proof}{letter}"));
    assert!(club.pass().1.iter().any(|letter| letter.says("you have got so far are void")));
    let old = club.reply_to("Ann", &marks[0], "status");
    club.arrives(format!("{proof}{old}"));
    assert!(is_void(&club.pass().1, &address("Ann")));
}

#[test]
fn a_moderator_makes_all_marks_of_a_member_void() {
    for by_letter in [true, false] {
        let (mut club, marks) = with_marks("");
        if by_letter {
            mod_is_known(&mut club);
            let done = mod_asks(&mut club, "rotate member ann@example.org because it was read");
            assert!(done.says("No letter that Ann has got can be answered any more"));
        } else {
            assert!(process::rotate_member(&club.context(), "9").expect("it works").is_none());
            let ann = process::rotate_member(&club.context(), "1")
                .expect("it works")
                .expect("she is there");
            assert_eq!(ann.name, "Ann");
            let (_, letters) = club.pass();
            assert_eq!(letters.iter().filter(|l| l.to == address("Ann")).count(), 3);
        }
        for old in &marks {
            answers(&mut club, &address("Ann"), old, "status");
            assert!(is_void(&club.pass().1, &address("Ann")), "{by_letter}");
        }
        club.writes("Ann", "board");
        let answer = to(&club.pass().1, "Ann").clone();
        assert!(answer.says("THE BOARD"), "{}", answer.text());
    }
}

#[test]
fn a_moderator_makes_his_own_marks_void() {
    for by_letter in [true, false] {
        let mut club = Club::paris("");
        mod_is_known(&mut club);
        let old = club.last_to("Mod").expect("a letter").clone();
        if by_letter {
            let answer = mod_asks(&mut club, "new marks");
            assert!(answer.says("No older letter of the club's to you"), "{}", answer.text());
        } else {
            process::rotate_moderator(&club.context()).expect("it works");
            assert!(to(&club.pass().1, MOD).says("No older letter of the club's to you"));
        }
        answers(&mut club, MOD, &old, "end 1 because I hold an old letter");
        let (_, letters) = club.pass();
        assert!(to(&letters, MOD).says("an address can be forged"), "{}", letters[0].text());
        assert!(mod_asks(&mut club, "list").says("One game is running"));
    }
}

#[test]
fn what_was_made_void_stays_so_when_the_club_is_rebuilt_from_its_journal() {
    let (mut club, marks) = with_marks("");
    mod_is_known(&mut club);
    let old = club.last_to("Mod").expect("a letter").clone();
    let question = asked(&mut club, NEW);
    answers(&mut club, NEW, &question, "yes");
    club.pass();
    remove(&club, NEW);
    process::rotate_moderator(&club.context()).expect("it works");
    process::rotate_member(&club.context(), "1").expect("it works").expect("she is there");
    club.pass();
    club.restored();
    answers(&mut club, MOD, &old, "end 1 because I hold an old letter");
    answers(&mut club, NEW, &question, "Yes");
    marks.iter().for_each(|mark| answers(&mut club, &address("Ann"), mark, "zone Asia/Tokyo"));
    let (report, _) = club.pass();
    assert_eq!(report.carried_out, 0);
    assert_eq!((ann(&club).addresses, ann(&club).time.zone), (vec![address("Ann")], None));
    assert_eq!(club.context().store.moderator().expect("it reads"), 1);
    assert_eq!(club.context().store.log_length(1).expect("it reads"), 2);
}

#[test]
fn marks_in_letters_from_before_there_were_generations_are_good_until_they_are_made_void() {
    let old = |mark: &str, from: &str, body: &str| {
        format!(
            "From: {from}\r\nTo: games+{mark}@example.org\r\nMessage-ID: <{}@x>\r\n\r\n{body}\r\n",
            mark.len() + body.len()
        )
    };
    const SEAT: &str = "1.1.1.7tacnqwrt4bkwtgdpcx2iohynm";
    const MEMBER: &str = "u.1.d62ztf5jvtsincvkbad6j67chq";
    const MODERATOR: &str = "m.6wv3puswssk25sentxplibedba";
    const JOIN: &str = "j.2.20458.z3v5uycdh54lhiqyfax5g6wyvu";
    const MOVE: &str = "a.1.20458.k7ixdr6ikrav7q7mq6wecodqjm";
    let mut club = Club::paris("");
    club.writes("Bob", "new paris-connection seats 5 invite zoe@example.net");
    club.pass();
    club.arrives(old(MEMBER, "ann@example.org", &format!("address {NEW}")));
    club.arrives(old(SEAT, "ann@example.org", "build red G23, Troyes"));
    club.arrives(old(MODERATOR, MOD, "note 1 as before"));
    club.arrives(old(JOIN, "zoe@example.net", "yes"));
    let (report, _) = club.pass();
    assert_eq!((report.carried_out, report.quarantined), (1, 0));
    club.arrives(old(MOVE, NEW, "yes"));
    let (_, letters) = club.pass();
    assert!(to(&letters, NEW).says("from now on"));
    assert!(process::find_member(&club.context(), "zoe@example.net").expect("it works").is_some());

    process::rotate_member(&club.context(), "1").expect("it works").expect("she is there");
    process::rotate_moderator(&club.context()).expect("it works");
    club.pass();
    club.arrives(old(SEAT, "ann@example.org", "vote pause"));
    club.arrives(old(MEMBER, "ann@example.org", "zone Asia/Tokyo"));
    club.arrives(old(MODERATOR, MOD, "end 1 because it is old"));
    club.arrives(old(MOVE, NEW, "Yes."));
    club.pass();
    let ann = ann(&club);
    assert_eq!((ann.time.zone, ann.moves), (None, 1));
    let session = process::open_game(&club.context(), 1).expect("it opens");
    assert_ne!(session.table.turn(), postrider::rules::Turn::Over);
}

#[test]
fn a_mark_of_another_club_is_worth_nothing() {
    let mut other = Club::paris("");
    std::fs::write(other.folder().join("secret"), "08".repeat(32)).expect("it can be written");
    let mut club = Club::paris("");
    for letter in [club.last_to("Ann").expect("a letter").clone(), asked(&mut club, NEW)] {
        let from = if letter.to == NEW { NEW } else { "ann@example.org" };
        answers(&mut other, from, &letter, "yes\nbuild red G23, Troyes\nzone Asia/Tokyo");
        let (report, _) = other.pass();
        assert_eq!(report.carried_out, 0);
        assert_eq!((ann(&other).addresses, ann(&other).time.zone), (vec![address("Ann")], None));
    }
}

/// Whoever had Ann's mailbox has read all her letters, has made his address hers, and has asked for
/// one more. Then the moderator takes the address away and makes her marks void.
#[test]
fn nothing_is_left_to_who_had_a_members_mailbox() {
    for admission in ["token", "token+sender"] {
        let (mut club, mut had) = with_marks(&format!("admission: {admission}\n"));
        for evil in [EVIL, "evil.too@example.com"] {
            had.push(asked(&mut club, evil));
        }
        answers(&mut club, EVIL, &had[3].clone(), "yes");
        had.extend(club.pass().1);
        had.push(asked(&mut club, "evil.three@example.com"));
        assert_eq!(ann(&club).addresses.first().map(String::as_str), Some(EVIL));
        // Letters to him are still in the outbox when it is found out.
        club.pigeon.fails = Some(postrider::mail::transport::PostError::Later("gone".to_owned()));
        club.writes("Ann", "status");
        club.pass();
        remove(&club, EVIL);
        process::rotate_member(&club.context(), "1").expect("it works").expect("she is there");
        club.pigeon.fails = None;
        club.now += TimeDelta::hours(1);
        had.extend(club.pass().1.into_iter().filter(|letter| letter.to == EVIL));
        assert!(had.iter().any(|letter| letter.to == EVIL));

        let before = ann(&club);
        let length = club.context().store.log_length(1).expect("it reads");
        let orders = ["yes", "build red G23, Troyes", "zone Asia/Tokyo", "address e4@example.com"];
        for letter in &had {
            for from in [EVIL, "evil.too@example.com", "evil.three@example.com", "ann@example.org"]
            {
                for order in orders.iter().chain(&["say it was me", "new marks", "resign yes"]) {
                    answers(&mut club, from, letter, order);
                }
            }
        }
        let (report, letters) = club.pass();
        assert_eq!(report.carried_out, 0);
        assert_eq!(ann(&club), before);
        assert_eq!(club.context().store.log_length(1).expect("it reads"), length);
        assert!(letters.iter().all(|letter| letter.to != "e4@example.com"));
        assert!(letters.iter().all(|letter| !letter.says("it was me")));
        let seats = club.context().store.seats(1).expect("it reads");
        assert!(!seats[Seat::new(1).index()].left);
    }
}
