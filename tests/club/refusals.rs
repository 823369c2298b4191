//! Non-members who get letters because members want that: how often, and how they stop it.

use crate::common::sample_or_all;
use crate::rig::moderator::{mod_asks, mod_is_known};
use crate::rig::{Club, Posted, address, all_to, to};
use crate::unsubscribe::pressed;
use chrono::TimeDelta;
use postrider::process;

const ZOE: &str = "zoe@example.net";

/// A club for six with what Ann's invitation asks of Zoe.
fn invited(settings: &str) -> (Club, Posted) {
    let mut club = Club::session(settings, "paris-connection", 6, 7);
    let letters = says(&mut club, "Ann", &format!("new paris-connection seats 5 invite {ZOE}"));
    let asked = to(&letters, ZOE).clone();
    (club, asked)
}

/// The letters to Zoe that a member's line leads to.
fn says(club: &mut Club, name: &str, line: &str) -> Vec<Posted> {
    club.writes(name, line);
    club.pass().1
}

/// Zoe answers a letter, or writes to the club. Returns the letters that she gets.
fn zoe(club: &mut Club, to: Option<&Posted>, body: &str) -> Vec<Posted> {
    let reply = to.and_then(|to| to.header("Reply-To"));
    let reply = reply.unwrap_or_else(|| "games@example.org".to_owned());
    let id = club.arrived_id("zoe");
    let subject = to.and_then(|to| to.header("Subject")).unwrap_or_default();
    let head =
        format!("From: Zoe <{ZOE}>\r\nTo: {reply}\r\nMessage-ID: {id}\r\nSubject: {subject}");
    club.arrives(format!("{head}\r\n\r\n{}\r\n", body.replace('\n', "\r\n")));
    all_to(&club.pass().1, ZOE).into_iter().cloned().collect()
}

/// Presses a mail program's button for a letter, from this address. Returns the number of letters
/// that this leads to.
fn press(club: &mut Club, letter: &Posted, from: &str) -> usize {
    club.arrives(pressed(letter, from, "Auto-Submitted: auto-generated\r\n", ""));
    club.pass().1.len()
}

/// A member proposes a game with this invitation, and takes it off the table again. Returns the
/// letters that the proposal led to.
fn proposes(club: &mut Club, name: &str, who: &str) -> Vec<Posted> {
    let letters = says(club, name, &format!("new paris-connection seats 5 invite {who}"));
    let rooms = club.context().store.rooms().expect("kept");
    let formed = rooms.iter().rfind(|(_, room)| room.proposal.is_some()).expect("proposed").0;
    says(club, name, &format!("cancel {formed}"));
    letters
}

/// The number of letters that Zoe gets when these members invite her, and ask whether her address
/// is theirs.
fn tried(club: &mut Club, names: &[&str]) -> usize {
    let mut sent = 0;
    for name in names {
        sent += all_to(&proposes(club, name, ZOE), ZOE).len();
        sent += all_to(&says(club, name, &format!("address {ZOE}")), ZOE).len();
    }
    sent
}

#[test]
fn stop_is_remembered_and_not_answered() {
    let words = ["Stop", "No! Stop. unsubscribe", "Please remove me.", "\"stop\"\n\nZoe"];
    for settings in ["", "strangers: join\n", "plus_addressing: false\n"] {
        // A sample tries all words under the default settings, and one word under the others.
        let count = if settings.is_empty() { 4 } else { sample_or_all(1, 4) };
        for said in &words[..count] {
            let (mut club, asked) = invited(settings);
            assert!(asked.says("To get no more letters from this club, answer with the word"));
            assert_eq!(zoe(&mut club, Some(&asked), said).len(), 0, "{said}");
            // The same letter, delivered twice.
            assert_eq!(zoe(&mut club, Some(&asked), said).len(), 0, "{said}");
            assert_eq!(tried(&mut club, &["Bob", "Cid"]), 0, "{said}");
            club.restored();
            club.now += TimeDelta::days(40);
            assert_eq!(tried(&mut club, &["Dot"]), 0, "{said}");
        }
    }
}

#[test]
fn stop_answers_question_and_list() {
    let mut club = Club::paris("strangers: join\n");
    let asked = says(&mut club, "Ann", &format!("address {ZOE}"));
    assert_eq!(zoe(&mut club, Some(to(&asked, ZOE)), "stop").len(), 0);
    assert_eq!(tried(&mut club, &["Bob"]), 0);

    let mut club = Club::paris("strangers: join\n");
    let list = zoe(&mut club, None, "Hello?");
    assert_eq!(zoe(&mut club, list.first(), "Stop!").len(), 0);
    assert_eq!(tried(&mut club, &["Bob"]), 0);

    let (mut club, asked) = invited("");
    let letter = club.reply_to("Ann", &asked, "").replace(&address("Ann"), ZOE);
    club.arrives(letter.replacen("Subject: Re:", "Subject: Unsubscribe, was:", 1));
    assert!(club.pass().1.is_empty());
    assert_eq!(tried(&mut club, &["Bob"]), 0);
}

#[test]
fn polite_no_is_about_one_invitation() {
    for no in ["No thanks, not this time.", "no", "Sorry, I can't stop working before June."] {
        let (mut club, asked) = invited("");
        let told = zoe(&mut club, Some(&asked), no);
        assert!(told[0].says("so you have joined nothing"), "{no}");
        assert_eq!(tried(&mut club, &["Bob"]), 1, "a friend may ask: {no}");
        club.now += TimeDelta::days(7);
        assert_eq!(tried(&mut club, &["Ann"]), 1, "{no}");
    }
}

#[test]
fn button_refuses_for_its_mailbox_alone() {
    for settings in ["strangers: join\n", "plus_addressing: false\n"] {
        let (mut club, asked) = invited(settings);
        // Where letters are passed on, the button is pressed at another address.
        assert_eq!(press(&mut club, &asked, "passed.on@example.com"), 0);
        assert_eq!(tried(&mut club, &["Bob"]), 0);
        let yan = proposes(&mut club, "Cid", "yan@example.net");
        assert_eq!(all_to(&yan, "yan@example.net").len(), 1, "it was Zoe's alone");
    }
    // Every letter that a non-member gets has one.
    let mut club = Club::paris("strangers: join\n");
    let list = zoe(&mut club, None, "Hello?").remove(0);
    let confirm = zoe(&mut club, Some(&list), "join club").remove(0);
    let question =
        to(&says(&mut club, "Bob", "address yan@example.net"), "yan@example.net").clone();
    mod_is_known(&mut club);
    mod_asks(&mut club, "invite una@example.net");
    let una = club.last_to("una@example.net").expect("asked").clone();
    for letter in [list, confirm, question, una] {
        assert_eq!(press(&mut club, &letter, &letter.to), 0);
        assert_eq!(all_to(&proposes(&mut club, "Cid", &letter.to), &letter.to).len(), 0);
    }
}

#[test]
fn stranger_gets_one_letter_a_week_and_three_a_month() {
    let mut club = Club::session("", "paris-connection", 6, 7);
    let all = ["Ann", "Bob", "Cid", "Dot", "Eve", "Fay"];
    assert_eq!(tried(&mut club, &["Ann", "Ann"]), 1);
    club.now += TimeDelta::days(3);
    assert_eq!(tried(&mut club, &["Ann"]), 0);
    club.now += TimeDelta::days(4);
    assert_eq!(tried(&mut club, &["Ann"]), 1);
    assert_eq!(tried(&mut club, &all), 1, "three in all");
    let other = proposes(&mut club, "Eve", "zoe+x@example.net");
    assert_eq!(all_to(&other, "zoe+x@example.net").len(), 0, "it is one mailbox");
    club.now += TimeDelta::days(31);
    assert!(club.pass().1.iter().all(|letter| letter.to != ZOE));
    assert_eq!(tried(&mut club, &all), 3);
}

#[test]
fn refused_person_comes_back_by_writing() {
    for settings in ["", "strangers: join\n"] {
        let (mut club, asked) = invited(settings);
        zoe(&mut club, Some(&asked), "stop");
        let asked = zoe(&mut club, None, "join 2");
        assert_eq!(asked.len(), 1, "she is asked as anybody is");
        // Whoever writes in her name has her asked once a month.
        for _ in 0..9 {
            assert_eq!(zoe(&mut club, None, "join 2").len(), 0);
        }
        let welcome = zoe(&mut club, asked.first(), "yes");
        assert!(welcome.iter().any(|letter| letter.says("Welcome to The Postal Club, Zoe!")));
        says(&mut club, "Bob", "new paris-connection seats 4");
        assert_eq!(all_to(&says(&mut club, "Bob", &format!("invite 3 {ZOE}")), ZOE).len(), 1);
    }
}

#[test]
fn moderator_is_told_of_a_refusal_and_may_add() {
    let (mut club, asked) = invited("");
    zoe(&mut club, Some(&asked), "stop");
    mod_is_known(&mut club);
    for line in [format!("invite {ZOE}"), format!("replace 1 seat 2 by {ZOE} because x")] {
        let told = mod_asks(&mut club, &line);
        assert!(told.says("has asked the club for no more letters"), "{}", told.text());
    }
    assert!(all_to(&club.pass().1, ZOE).is_empty());
    process::add_member(&club.context(), &format!("Zoe <{ZOE}>"), false).expect("it can");
    assert_eq!(all_to(&club.pass().1, ZOE).len(), 1);
}

#[test]
fn forged_stop_is_not_remembered() {
    for settings in ["", "strangers: join\n"] {
        let (mut club, _) = invited(settings);
        assert_eq!(zoe(&mut club, None, "Stop! unsubscribe").len(), 0, "nor answered");
        assert_eq!(tried(&mut club, &["Bob"]), 1);
    }
    // Where our mail server proves the sender, it is.
    let (mut club, _) = invited("authserv_id: mx.example.org\n");
    let proof = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.net";
    club.arrives(format!("{proof}\r\nFrom: {ZOE}\r\nTo: games@example.org\r\n\r\nStop\r\n"));
    assert!(club.pass().1.is_empty());
    assert_eq!(tried(&mut club, &["Bob"]), 0);
}

#[test]
fn member_stops_invitations_and_takes_them_back() {
    let mut club = Club::paris("");
    let invites = |club: &mut Club| {
        let letters = proposes(club, "Ann", "bob@example.org");
        let asked =
            letters.iter().find(|letter| letter.to == address("Bob") && letter.says("Ann inv"));
        asked.cloned()
    };
    let asked = invites(&mut club).expect("asked");
    let stop = club.reply_to("Bob", &asked, "Please stop sending me these!");
    club.arrives(stop);
    let told = to(&club.pass().1, "Bob").clone();
    assert!(told.says("no more invitations to games. \"invitations on\" brings them back"));
    assert!(!told.says("Nothing else in your letter"));
    assert!(invites(&mut club).is_none() && !club.member("Bob").letters.invitations);
    assert!(to(&says(&mut club, "Bob", "invitations on"), "Bob").says("you get a letter"));
    let asked = invites(&mut club).expect("asked");
    assert_eq!(press(&mut club, &asked, &address("Bob")), 0);
    assert!(!club.member("Bob").letters.invitations);
}
