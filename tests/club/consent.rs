//! Tests which replies count as consent to an invitation or to a new address.

use crate::rig::{Club, PostedLetter, address, first_letter_to};
use postrider::games::find_kind;
use postrider::process;

const ZOE: &str = "zoe@example.net";
const NEW: &str = "ann.new@example.net";

/// Invites Zoe to a new game. Returns the club and the invitation.
fn invite_zoe() -> (Club, PostedLetter) {
    let mut club = Club::with_paris_game("");
    club.send_reply("Ann", &format!("new paris-connection seats 5 invite {ZOE}"));
    let asked = first_letter_to(&club.run_pass().1, ZOE).clone();
    (club, asked)
}

/// Sends a reply to the letter `to`, named as from Zoe, from the address `from`.
fn send_reply_as_zoe(club: &mut Club, from: &str, to: &PostedLetter, body: &str) {
    let letter = club.compose_reply_to("Ann", to, body).replace(&address("Ann"), from);
    club.deliver(letter.replacen("From: Ann", "From: Zoe", 1));
}

fn find_member(club: &Club, who: &str) -> Option<postrider::club::Member> {
    process::find_member(&club.open_context(), who).expect("the club can be read")
}

/// Replies from people and mail programs that give no consent.
const REPLIES_WITHOUT_CONSENT: [&str; 38] = [
    "No, I do not want to play.\n\nName: Zoe Miller",
    "Name: Helpdesk\nYour ticket 4711 has been received.",
    "Yes? Who is this?",
    "Join our newsletter!",
    "join 2",
    "yes please?",
    "Yes please, if Bob plays.",
    "Yes please!\nBut only if Bob plays.",
    "Yes please!\n\nWait, don't add me yet.",
    "yes\nif Bob joins",
    "yes\n\nBut only if Bob plays.",
    "Yes!\nDon't do this yet, though.",
    "yes\nWait until I have asked Bob.",
    "yes\n\nIs this allowed?",
    "yes\nno thanks",
    "yes\nBut wait until next week.",
    "yes\nDon't add me yet.",
    "yes\nI need to check with my wife first.",
    "yes\nAssuming it starts after Monday.",
    "yes\n\nBest,\nZoe\n\nPS: That was a joke.",
    "Yes, gladly, I have seen your ticket.",
    "Yes, please\nBob",
    "yes, yes please",
    "no, thank you",
    "Thank you!",
    "Please",
    "Hello, yes please",
    "Thank you\nyes please",
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
fn only_consent_word_on_first_line_counts() {
    for said in REPLIES_WITHOUT_CONSENT {
        let (mut club, asked) = invite_zoe();
        send_reply_as_zoe(&mut club, ZOE, &asked, said);
        let (_, letters) = club.run_pass();
        assert_eq!(find_member(&club, ZOE), None, "{said}");
        assert!(first_letter_to(&letters, ZOE).contains("haven't joined"), "{said}");

        club.send_reply("Ann", &format!("address {NEW}"));
        let asked = first_letter_to(&club.run_pass().1, NEW).clone();
        send_reply_as_zoe(&mut club, NEW, &asked, said);
        let (_, letters) = club.run_pass();
        assert_eq!(find_member(&club, NEW), None, "{said}");
        assert!(first_letter_to(&letters, NEW).contains("so nothing was done"), "{said}");
    }
}

/// Texts below a yes that do not doubt it.
const HARMLESS_TEXTS: [&str; 8] = [
    "See you on Friday!",
    "Sorry for the wait.",
    "How are you? Is Bob there?",
    "If you are in town on Friday, call me.",
    "I can't wait!",
    "What are the rules of this game?",
    "I have never played this. Zoe",
    "\nZoe Miller\n\nThis e-mail and its attachments are confidential. If you are not the intended \
     recipient, please do not copy or forward it, tell the sender and delete this e-mail.",
];

#[test]
fn harmless_text_below_yes_is_ignored() {
    for below in HARMLESS_TEXTS {
        let (mut club, asked) = invite_zoe();
        send_reply_as_zoe(&mut club, ZOE, &asked, &format!("yes\n{below}"));
        club.run_pass();
        assert!(find_member(&club, ZOE).is_some(), "{below}");
    }
}

/// Replies from people that give consent with polite words and nothing else, and the name of the
/// member. `Zoe` is the name in the letter.
const POLITE_REPLIES: [(&str, &str); 18] = [
    ("Yes please!", "Zoe"),
    ("yes please", "Zoe"),
    ("Yes, please.", "Zoe"),
    ("YES PLEASE!!!", "Zoe"),
    ("Yes, gladly!", "Zoe"),
    ("Yes, thank you very much.", "Zoe"),
    ("Sure, yes!", "Zoe"),
    ("Please, yes", "Zoe"),
    ("Yes, I'd love to!", "Zoe"),
    ("Yes, count me in. Thanks!", "Zoe"),
    ("Yes please, looking forward to it!\n\nBest wishes,\nZoe", "Zoe"),
    ("Yes please\nZoe", "Zoe"),
    ("*Yes please*\n\nSent from my iPhone", "Zoe"),
    ("Yes please!\nName: Zelda Fitz\n\nZelda", "Zelda Fitz"),
    ("Yes please!\n\n> To play, answer this letter", "Zoe"),
    ("Yes please!\n\nOn Monday, 5 January 2026 at 18:00 the club wrote:\n> To play", "Zoe"),
    ("Yes please!\n-- \nZoe Miller, Helpdesk", "Zoe"),
    ("\n\nYes -- please :-)", "Zoe"),
];

#[test]
fn polite_words_beside_yes_count() {
    for (said, name) in POLITE_REPLIES {
        let (mut club, asked) = invite_zoe();
        send_reply_as_zoe(&mut club, ZOE, &asked, said);
        let (_, letters) = club.run_pass();
        assert_eq!(find_member(&club, ZOE).map(|zoe| zoe.name).as_deref(), Some(name), "{said}");
        assert!(first_letter_to(&letters, ZOE).contains("You're in! Game 2"), "{said}");
    }
    // The words are data by language.
    for said in ["¡Sí, por favor!", "Sí, con mucho gusto. ¡Gracias!", "Claro que sí, sí"] {
        let mut club = Club::with_paris_game("language: es\n");
        club.send_reply("Ann", &format!("new paris-connection seats 5 invite {ZOE}"));
        let asked = first_letter_to(&club.run_pass().1, ZOE).clone();
        let subject = postrider::mail::Letter::parse(&asked.bytes).expect("a letter").subject;
        assert_eq!(subject, "Ann te invita a jugar a Paris Connection (partida 2)");
        let letter = club.compose_reply_to("Ann", &asked, said).replace(&address("Ann"), ZOE);
        let letter = letter.replacen("From: Ann", "From: Zoe", 1);
        let utf8 = "Content-Type: text/plain; charset=utf-8\r\nMessage-ID:";
        club.deliver(letter.replacen("Message-ID:", utf8, 1));
        club.run_pass();
        assert!(find_member(&club, ZOE).is_some(), "{said}");
    }
}

#[test]
fn polite_refusal_of_letters_is_kept() {
    for said in ["Yes, please\nremove me from your list", "Yes please stop writing to me"] {
        let (mut club, asked) = invite_zoe();
        send_reply_as_zoe(&mut club, ZOE, &asked, said);
        club.run_pass();
        assert_eq!(find_member(&club, ZOE), None, "{said}");
    }
}

#[test]
fn consent_word_counts_in_any_typography() {
    for said in ["yes", "Yes.", "YES!", "“yes”", "\"Yes.\"", "\n\n *yes*", "\u{feff}ｙｅｓ\u{a0}"]
    {
        let (mut club, asked) = invite_zoe();
        let send_reply_as_phone = |club: &mut Club, from: &str, asked: &PostedLetter| {
            let letter = club.compose_reply_to("Ann", asked, said).replace(&address("Ann"), from);
            let letter = letter.replacen("From: Ann", "From: Zoe", 1);
            let utf8 = "Content-Type: text/plain; charset=utf-8\r\nMessage-ID:";
            club.deliver(letter.replacen("Message-ID:", utf8, 1));
            club.run_pass();
        };
        send_reply_as_phone(&mut club, ZOE, &asked);
        assert_eq!(find_member(&club, ZOE).map(|zoe| zoe.name).as_deref(), Some("Zoe"), "{said}");
        club.send_reply("Ann", &format!("address {NEW}"));
        let asked = first_letter_to(&club.run_pass().1, NEW).clone();
        send_reply_as_phone(&mut club, NEW, &asked);
        assert_eq!(find_member(&club, NEW).map(|ann| ann.name).as_deref(), Some("Ann"), "{said}");
    }
}

#[test]
fn name_is_read_from_line_below_consent() {
    for (said, name) in [
        ("yes\nname Zoe Miller", "Zoe Miller"),
        ("Yes.\n\nName: Zoe Miller\n\nSee you!\nZoe", "Zoe Miller"),
        ("\"yes\"\n\"name Zoe Miller\"", "Zoe Miller"),
        ("yes\n-- \nname: Somebody", "Zoe"),
        ("yes\nSee you!\nname Helpdesk", "Zoe"),
        ("yes\n\n> To play, answer this letter\n> name Ann Miller\nname Helpdesk", "Zoe"),
    ] {
        let (mut club, asked) = invite_zoe();
        send_reply_as_zoe(&mut club, ZOE, &asked, said);
        let (_, letters) = club.run_pass();
        assert_eq!(find_member(&club, ZOE).map(|zoe| zoe.name).as_deref(), Some(name), "{said}");
        assert!(
            first_letter_to(&letters, ZOE)
                .contains(&format!("Welcome to The Postal Club, {name}!"))
        );
    }
    let (_, asked) = invite_zoe();
    assert!(asked.contains("with just \"yes\" on the first line"), "{}", asked.body_text());
    assert!(asked.contains("\"name Ann Miller\""), "{}", asked.body_text());
}

#[test]
fn quoted_question_is_not_consent() {
    let (club, asked) = invite_zoe();
    let text = asked.body_text();
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
        let (mut club, asked) = invite_zoe();
        send_reply_as_zoe(&mut club, ZOE, &asked, &said);
        club.run_pass();
        assert_eq!(find_member(&club, ZOE), None, "{said}");
    }
}

#[test]
fn struck_out_or_hidden_word_is_not_consent() {
    for html in ["<s>yes</s>", "<div hidden>yes</div>", "<p style=\"display:none\">yes</p>no"] {
        let (mut club, asked) = invite_zoe();
        let letter = club.compose_reply_to("Ann", &asked, html).replace(&address("Ann"), ZOE);
        let kind = "Content-Type: text/html\r\nMessage-ID:";
        club.deliver(letter.replacen("Message-ID:", kind, 1));
        club.run_pass();
        assert_eq!(find_member(&club, ZOE), None, "{html}");
    }
}

#[test]
fn automatic_reply_is_not_consent() {
    for mark in ["Auto-Submitted: auto-replied", "Precedence: auto_reply", "X-Autoreply: yes"] {
        // A letter with a line that looks like a command is read even if a program wrote it.
        for said in ["yes", "Yes please!", "yes\njoin 2", "Yes please!\nname Zoe"] {
            let (mut club, asked) = invite_zoe();
            let letter = club.compose_reply_to("Ann", &asked, said).replace(&address("Ann"), ZOE);
            let letter = letter.replacen("From: Ann", "From: Zoe", 1);
            club.deliver(letter.replacen("Message-ID:", &format!("{mark}\r\nMessage-ID:"), 1));
            club.run_pass();
            assert_eq!(find_member(&club, ZOE), None, "{mark}: {said}");
        }
    }
}

#[test]
fn consent_word_of_letters_language_counts() {
    let mut club = Club::with_settings("language: xx\n");
    let words = club.folder().join("templates/xx");
    std::fs::create_dir_all(&words).expect("a folder");
    std::fs::write(words.join("errand.ftl"), "consent-yes = oui\nconsent-name = nom\n")
        .expect("it works");
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    club.run_pass();
    club.send_reply("Ann", &format!("new paris-connection seats 5 invite {ZOE}"));
    let asked = first_letter_to(&club.run_pass().1, ZOE).clone();
    assert!(asked.contains("with just \"oui\" on the first"), "{}", asked.body_text());
    send_reply_as_zoe(&mut club, ZOE, &asked, "Oui.\nnom Zoe M");
    club.run_pass();
    assert_eq!(find_member(&club, ZOE).map(|zoe| zoe.name).as_deref(), Some("Zoe M"));
}
