//! Tests which names a newcomer may choose when joining the club.

use crate::lobby::{deliver_letter_from, start_paris_club, write_and_get_answer};
use crate::rig::moderator_letters::{ask_as_mod, introduce_mod};
use crate::rig::{Club, address, first_letter_to};
use chrono::TimeDelta;
use postrider::process;

#[test]
fn new_members_name_must_be_distinct() {
    let mut club = start_paris_club(3, "strangers: join\n");
    write_and_get_answer(&mut club, "Ann", "new paris-connection seats 5");
    let names = ["ann", "A n n", "\u{410}nn", "Ánn", "mod", "The moderator", "Bob to all", "all"];
    let more = ["Seat 2", "2", "You", "Somebody", "The Postal Club", "P\u{430}ul and B\u{43e}b"];
    for (at, name) in names.iter().chain(&more).enumerate() {
        let zoe = format!("zoe{at}@example.net");
        let from_header = format!("Zoe <{zoe}>");
        deliver_letter_from(&mut club, &from_header, None, "join 2");
        let asked = first_letter_to(&club.run_pass().1, &zoe).clone();
        let send_utf8_reply = |club: &mut Club, body: &str| {
            let letter = club.compose_reply_to("Ann", &asked, body).replace(&address("Ann"), &zoe);
            let coding = "Content-Type: text/plain; charset=utf-8\r\nMessage-ID:";
            club.deliver(letter.replacen("Message-ID:", coding, 1));
            first_letter_to(&club.run_pass().1, &zoe).clone()
        };
        // The refusal does not say which name the new one resembles.
        let refused = send_utf8_reply(&mut club, &format!("yes\nname {name}"));
        assert!(
            refused.contains("too much like a name or word that this club's e-mails already use"),
            "{name}"
        );
        assert_eq!(
            process::find_member(&club.open_context(), &zoe).expect("it works"),
            None,
            "{name}"
        );
        // The refusal's suggestion works.
        assert!(refused.contains("another name on the second, such as \"name Ann Miller\""));
        let Some(other) = ["Xia", "Yuri", "Wanda"].get(at) else { continue };
        let welcome = send_utf8_reply(&mut club, &format!("yes\nname {other}"));
        assert!(welcome.contains(&format!("Postal Club, {other}!")), "{}", welcome.body_text());
    }
}

#[test]
fn new_members_name_must_be_visible() {
    let mut club = start_paris_club(3, "strangers: join\n");
    write_and_get_answer(&mut club, "Ann", "new paris-connection seats 5");
    deliver_letter_from(&mut club, "<__@example.net>", None, "join 2");
    let asked = first_letter_to(&club.run_pass().1, "__@example.net").clone();
    deliver_letter_from(&mut club, "<__@example.net>", Some(&asked), "yes\nname ~~~");
    let refused = first_letter_to(&club.run_pass().1, "__@example.net").clone();
    assert!(refused.contains("couldn't see the name"), "{}", refused.body_text());
    assert_eq!(
        process::find_member(&club.open_context(), "__@example.net").expect("it works"),
        None
    );
    deliver_letter_from(&mut club, "<__@example.net>", Some(&refused), "yes\nname Zoe");
    club.run_pass();
    let member = process::find_member(&club.open_context(), "__@example.net")
        .expect("it works")
        .expect("a member");
    assert_eq!(member.name, "Zoe");
}

const GUS: &str = "gus@example.net";

/// The moderator's line that invites Gus, the sender and body of the answer, and the new member's
/// name.
const INVITEE_NAMES: [(&str, &str, &str, &str); 7] = [
    ("invite Gus Grey <gus@example.net>", GUS, "yes", "Gus Grey"),
    ("invite Gus Grey <gus@example.net>", "<gus@example.net>", "Yes please!\nGus", "Gus Grey"),
    ("invite Gus Grey <Gus@Example.net>", "gus@example.net <gus@example.net>", "yes", "Gus Grey"),
    ("invite Gus Grey <gus@example.net>", "Augustus <gus@example.net>", "yes", "Augustus"),
    ("invite Gus Grey <gus@example.net>", GUS, "yes\nname Augustus", "Augustus"),
    ("invite gus@example.net", GUS, "yes", "gus"),
    (
        "invite Gus Grey <gus@example.net>\ninvite Gus Gray <gus@example.net>",
        GUS,
        "yes",
        "Gus Gray",
    ),
];

#[test]
fn invitee_without_name_keeps_invitations_name() {
    for (invite, from, body, name) in INVITEE_NAMES {
        let mut club = start_paris_club(3, "");
        introduce_mod(&mut club);
        ask_as_mod(&mut club, invite);
        let asked = first_letter_to(&club.transport.posted, GUS).clone();
        assert_eq!(asked.header("Subject").as_deref(), Some("Mod invites you to The Postal Club"));
        // The name is in the journal.
        club.restore_from_journal();
        deliver_letter_from(&mut club, from, Some(&asked), body);
        club.run_pass();
        let member = process::find_member(&club.open_context(), GUS).expect("it reads");
        assert_eq!(member.map(|gus| gus.name).as_deref(), Some(name), "{invite}: {from}: {body}");
        // The club forgets the name of the invitation once its owner is a member.
        let club_itself = club.open_context().store.game_info(0).expect("it reads");
        assert_eq!(club_itself.club_invitees, [], "{invite}");
        assert_eq!(club.open_context().store.next_game_number().expect("it reads"), 2);
    }
}

#[test]
fn expired_invitations_name_is_forgotten() {
    let mut club = start_paris_club(3, "strangers: join\n");
    introduce_mod(&mut club);
    ask_as_mod(&mut club, "invite Gus Grey <gus@example.net>");
    club.now += TimeDelta::days(3);
    club.run_pass();
    let count =
        |club: &Club| club.open_context().store.game_info(0).expect("it reads").club_invitees.len();
    assert_eq!(count(&club), 1);
    club.now += TimeDelta::days(1);
    club.run_pass();
    assert_eq!(count(&club), 0);
    deliver_letter_from(&mut club, GUS, None, "join club");
    let asked = first_letter_to(&club.run_pass().1, GUS).clone();
    deliver_letter_from(&mut club, GUS, Some(&asked), "yes");
    club.run_pass();
    let member = process::find_member(&club.open_context(), GUS).expect("it reads");
    assert_eq!(member.map(|gus| gus.name).as_deref(), Some("gus"));
}
