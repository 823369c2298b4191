//! Tests a member whose address has letters outside ASCII, from the first letter to the last.

use crate::rig::postrider_program::run_postrider;
use crate::rig::smtp_server::SmtpServer;
use crate::rig::{Club, PostedLetter, address, compose_bounce_report, find_probe, first_letter_to};
use chrono::TimeDelta;
use postrider::process;

/// The address as the club stores it, and other spellings of it.
const ZOE: &str = "zo\u{e9}@xn--exmple-cua.fr";
const SPELLINGS: [&str; 4] = [
    ZOE,
    "Zo\u{e9}@ex\u{e4}mple.fr",
    "ZOE\u{301}@exa\u{308}mple.fr",
    "zoe\u{301}@XN--EXMPLE-CUA.FR",
];

/// Returns a club with a game, in which the moderator has added Zoe with the program. The letters
/// are in Spanish, because the rig expects that English ones are ASCII.
fn start_club_with_zoe() -> Club {
    let mut club = Club::with_settings("language: es\n");
    let (code, said) = run(&club, &["member", "add", "Zoe <ZO\u{c9}@EX\u{c4}MPLE.fr>"]);
    assert_eq!(code, Some(0), "{said}");
    // The letter that welcomes her leaves.
    club.run_pass();
    let people = [("Zoe", ZOE), ("Bob", "Bob"), ("Cid", "Cid")];
    club.start_game_for("paris-connection", &people, 7);
    club
}

fn run(club: &Club, arguments: &[&str]) -> (Option<i32>, String) {
    let now = club.now.format("%Y-%m-%dT%H:%M:%SZ").to_string();
    run_postrider(club.folder(), &now, arguments)
}

/// Sends a reply to Zoe's last letter, with this spelling of her address as the sender.
fn send_reply_as(club: &mut Club, spelling: &str, to: &PostedLetter, body: &str) {
    let reply = club.compose_reply_to("Bob", to, body);
    club.deliver(reply.replace(&address("Bob"), spelling));
}

#[test]
fn member_beyond_ascii_answers_in_any_spelling() {
    let mut club = start_club_with_zoe();
    let letter = first_letter_to(&club.run_pass().1, ZOE).clone();
    assert!(letter.header("To").is_some_and(|to| to.contains(ZOE)), "{letter:?}");
    send_reply_as(&mut club, SPELLINGS[2], &letter, "build red G23, Troyes");
    assert_eq!(club.run_pass().0.carried_out, 1);
    for (spelling, zone) in SPELLINGS.into_iter().zip(["Asia/Tokyo", "UTC", "Asia/Seoul", "UTC"]) {
        send_reply_as(&mut club, spelling, &letter, &format!("zone {zone}"));
        let (report, letters) = club.run_pass();
        assert_eq!(report.quarantined, 0, "{spelling}");
        assert!(first_letter_to(&letters, ZOE).contains(zone), "{spelling}");
    }
    let similar = "zo\u{e8}@ex\u{e4}mple.fr";
    send_reply_as(&mut club, similar, &letter, "zone Asia/Seoul");
    assert_eq!(club.run_pass().0.quarantined, 1, "another accent is another address");
}

#[test]
fn program_finds_member_beyond_ascii_by_address() {
    let club = start_club_with_zoe();
    for (spelling, zone) in SPELLINGS.into_iter().zip(["Asia/Tokyo", "UTC", "Asia/Seoul", "UTC"]) {
        let (code, said) = run(&club, &["member", "set", spelling, "zone", zone]);
        assert_eq!(code, Some(0), "{spelling}: {said}");
        let (code, said) = run(&club, &["member", "settings", spelling]);
        assert!(code == Some(0) && said.contains(zone), "{spelling}: {said}");
    }
    let (code, said) = run(&club, &["member", "add", SPELLINGS[2]]);
    assert_ne!(code, Some(0), "she is a member already: {said}");
    let (code, said) = run(&club, &["member", "forget", SPELLINGS[1]]);
    assert_eq!(code, Some(0), "{said}");
    let context = club.open_context();
    assert_eq!(process::find_member(&context, ZOE).expect("the store works"), None);
}

#[test]
fn bounce_in_any_spelling_finds_member() {
    for spelling in SPELLINGS {
        let mut club = start_club_with_zoe();
        let mut letter = first_letter_to(&club.run_pass().1, ZOE).clone();
        for _ in 0..2 {
            club.deliver(compose_bounce_report(&letter, spelling, "failed", "5.1.1"));
            let (_, letters) = club.run_pass();
            if club.member(ZOE).undeliverable_since().is_none() {
                letter = find_probe(&letters).clone();
            }
        }
        assert!(club.member(ZOE).undeliverable_since().is_some(), "{spelling}");
    }
}

#[test]
fn member_beyond_ascii_needs_smtputf8_server() {
    let server = SmtpServer::start();
    server.set_features(&["AUTH PLAIN", "8BITMIME"]);
    let mut club = start_club_with_zoe();
    run_pass_through(&mut club, &server);
    run_pass_through(&mut club, &server);
    let accepted = server.accepted_letters();
    assert!(accepted.iter().all(|(to, _)| to != ZOE), "{accepted:?}");
    let is_told =
        |(to, text): &(String, String)| to == "mod@example.org" && text.contains("SMTPUTF8");
    assert!(accepted.iter().any(is_told), "{accepted:?}");
    assert_eq!(club.member(ZOE).undeliverable_since(), None, "the server's fault is not hers");

    server.set_features(&["AUTH PLAIN", "8BITMIME", "SMTPUTF8"]);
    let mut club = start_club_with_zoe();
    run_pass_through(&mut club, &server);
    let accepted = server.accepted_letters();
    let (to, text) = accepted.iter().find(|(to, _)| to == ZOE).expect("a letter to her");
    let bytes = text.replace('\n', "\r\n").into_bytes();
    let letter = PostedLetter { to: to.clone(), message_id: String::new(), bytes };
    send_reply_as(&mut club, SPELLINGS[2], &letter, "build red G23, Troyes");
    let report = run_pass_through(&mut club, &server);
    assert_eq!(report.carried_out, 1, "{report:?}");
}

/// Runs a pass that sends its letters to this server, then advances the clock by an hour.
fn run_pass_through(club: &mut Club, server: &SmtpServer) -> process::PassReport {
    let report = process::run_pass(&club.open_context(), &mut server.plain_transport());
    club.now += TimeDelta::hours(1);
    report.expect("the pass works")
}
