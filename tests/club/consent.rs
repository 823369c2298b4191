//! What counts as somebody's consent, and for how long: a word by itself, once, in time.

use crate::rig::{Club, Posted, address, to};
use chrono::TimeDelta;
use postrider::games::kind;
use postrider::process;

const ZOE: &str = "zoe@example.net";
const NEW: &str = "ann.new@example.net";

/// A club with game 1, and what an address is asked that game 2 invites.
fn invited() -> (Club, Posted) {
    let mut club = Club::paris("");
    club.writes("Ann", &format!("new paris-connection seats 5 invite {ZOE}"));
    let asked = to(&club.pass().1, ZOE).clone();
    (club, asked)
}

/// A letter from somebody called Zoe at this address that answers another one.
fn answers(club: &mut Club, from: &str, to: &Posted, body: &str) {
    let letter = club.reply_to("Ann", to, body).replace(&address("Ann"), from);
    club.arrives(letter.replacen("From: Ann", "From: Zoe", 1));
}

fn member(club: &Club, who: &str) -> Option<postrider::club::Member> {
    process::find_member(&club.context(), who).expect("the club can be read")
}

/// What people and machines answer who agree to nothing.
const NO_CONSENT: [&str; 17] = [
    "No, I do not want to play.\n\nName: Zoe Miller",
    "Name: Helpdesk\nYour ticket 4711 has been received.",
    "Yes? Who is this?",
    "Join our newsletter!",
    "join 2",
    "yes please",
    "Yes, gladly!",
    "yes no",
    "no\nyes",
    "Hello,\nyes",
    "preview\nyes",
    "help\nyes",
    "name Zoe\nyes",
    "I am out of the office until Monday.\n\nyes\nname Zoe",
    "We have received your letter.\n\n\"yes\"\n\"name Ann Miller\"",
    "-- \nyes",
    "yesyes",
];

#[test]
fn nothing_but_a_first_line_that_is_the_word_is_consent() {
    for said in NO_CONSENT {
        let (mut club, asked) = invited();
        answers(&mut club, ZOE, &asked, said);
        let (_, letters) = club.pass();
        assert_eq!(member(&club, ZOE), None, "{said}");
        assert!(to(&letters, ZOE).says("nothing was done"), "{said}");

        club.writes("Ann", &format!("address {NEW}"));
        let asked = to(&club.pass().1, NEW).clone();
        answers(&mut club, NEW, &asked, said);
        let (_, letters) = club.pass();
        assert_eq!(member(&club, NEW), None, "{said}");
        assert!(to(&letters, NEW).says("nothing was done"), "{said}");
    }
}

#[test]
fn the_word_is_consent_however_a_phone_writes_it() {
    for said in ["yes", "Yes.", "YES!", "“yes”", "\"Yes.\"", "\n\n *yes*", "\u{feff}ｙｅｓ\u{a0}"]
    {
        let (mut club, asked) = invited();
        let letter = |club: &mut Club, from: &str, asked: &Posted| {
            let letter = club.reply_to("Ann", asked, said).replace(&address("Ann"), from);
            let letter = letter.replacen("From: Ann", "From: Zoe", 1);
            let utf8 = "Content-Type: text/plain; charset=utf-8\r\nMessage-ID:";
            club.arrives(letter.replacen("Message-ID:", utf8, 1));
            club.pass();
        };
        letter(&mut club, ZOE, &asked);
        assert_eq!(member(&club, ZOE).map(|zoe| zoe.name).as_deref(), Some("Zoe"), "{said}");
        club.writes("Ann", &format!("address {NEW}"));
        let asked = to(&club.pass().1, NEW).clone();
        letter(&mut club, NEW, &asked);
        assert_eq!(member(&club, NEW).map(|ann| ann.name).as_deref(), Some("Ann"), "{said}");
    }
}

#[test]
fn a_name_is_taken_from_the_line_below_the_word_and_as_we_print_it() {
    for (said, name) in [
        ("yes\nname Zoe Miller", "Zoe Miller"),
        ("Yes.\n\nName: Zoe Miller\n\nSee you!\nZoe", "Zoe Miller"),
        ("\"yes\"\n\"name Zoe Miller\"", "Zoe Miller"),
        ("yes\n-- \nname: Somebody", "Zoe"),
        ("yes\nSee you!\nname Helpdesk", "Zoe"),
        ("yes\n\n> To play, answer this letter\n> name Ann Miller\nname Helpdesk", "Zoe"),
    ] {
        let (mut club, asked) = invited();
        answers(&mut club, ZOE, &asked, said);
        let (_, letters) = club.pass();
        assert_eq!(member(&club, ZOE).map(|zoe| zoe.name).as_deref(), Some(name), "{said}");
        assert!(to(&letters, ZOE).says(&format!("Welcome to The Postal Club, {name}!")));
    }
    let (_, asked) = invited();
    assert!(asked.says("with the word \"yes\" alone on the first line"), "{}", asked.text());
    assert!(asked.says("\"name Ann Miller\""), "{}", asked.text());
}

#[test]
fn a_letter_of_ours_that_is_quoted_below_is_no_consent() {
    let (club, asked) = invited();
    let text = asked.text();
    let quoted: String = text.lines().map(|line| format!("> {line}\n")).collect();
    drop(club);
    for said in [
        quoted.clone(),
        format!("{quoted}\nThank you for your message."),
        format!("Thank you for your message.\n\n{quoted}"),
        format!("{text}\n\nThank you for your message."),
        format!("On Monday, 5 January 2026 at 18:00 the club wrote:\n{quoted}"),
        format!("-----Original Message-----\n{text}"),
    ] {
        let (mut club, asked) = invited();
        answers(&mut club, ZOE, &asked, &said);
        club.pass();
        assert_eq!(member(&club, ZOE), None, "{said}");
    }
}

#[test]
fn a_program_consents_to_nothing() {
    for mark in ["Auto-Submitted: auto-replied", "Precedence: auto_reply", "X-Autoreply: yes"] {
        let (mut club, asked) = invited();
        let letter = club.reply_to("Ann", &asked, "yes").replace(&address("Ann"), ZOE);
        club.arrives(letter.replacen("Message-ID:", &format!("{mark}\r\nMessage-ID:"), 1));
        let (_, letters) = club.pass();
        assert!(letters.is_empty() && member(&club, ZOE).is_none(), "{mark}");
    }
}

#[test]
fn the_word_of_another_language_is_consent_where_the_letter_has_it() {
    let mut club = Club::with("language: xx\n");
    let words = club.folder().join("templates/xx");
    std::fs::create_dir_all(&words).expect("a folder");
    std::fs::write(words.join("errand.ftl"), "consent-yes = oui\nconsent-name = nom\n")
        .expect("it");
    club.found(kind("paris-connection").expect("it ships"), 3, 7);
    club.pass();
    club.writes("Ann", &format!("new paris-connection seats 5 invite {ZOE}"));
    let asked = to(&club.pass().1, ZOE).clone();
    assert!(asked.says("with the word \"oui\" alone"), "{}", asked.text());
    answers(&mut club, ZOE, &asked, "Oui.\nnom Zoe M");
    club.pass();
    assert_eq!(member(&club, ZOE).map(|zoe| zoe.name).as_deref(), Some("Zoe M"));
    let _ = TimeDelta::days(1);
}
