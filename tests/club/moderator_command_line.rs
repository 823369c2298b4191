//! Tests the commands by which a moderator acts for members, replaces players, and adds members.

use crate::lobby::{deliver_letter_from, start_paris_club};
use crate::rig::{Club, PostedLetter, first_letter_to, postrider_program};
use chrono::TimeDelta;
use postrider::process;

/// Runs a command in the club's folder and checks a part of its output.
fn assert_output_contains(club: &Club, arguments: &[&str], what: &str) {
    let (_, output) =
        postrider_program::run_postrider(club.folder(), "2026-01-06T18:00:00Z", arguments);
    assert!(output.contains(what), "{arguments:?}: {output}");
}

/// Returns the letters of a pass that runs after the time of the commands.
fn letters_of_next_pass(club: &mut Club) -> Vec<PostedLetter> {
    club.now += TimeDelta::days(2);
    club.run_pass().1
}

#[test]
fn lobby_command_acts_for_member() {
    let club = start_paris_club(4, "");
    assert_output_contains(
        &club,
        &["lobby", "--as", "1", "new", "paris-connection", "seats", "3"],
        "Your game 2 is open",
    );
    assert_output_contains(&club, &["lobby", "--as", "bob@example.org", "join 2"], "You're in!");
    assert_output_contains(&club, &["lobby", "--as", "2", "join 2"], "You're already in game 2");
    assert_output_contains(
        &club,
        &["list"],
        "    2  paris-connection  Ann, Bob  2 of 3 have joined, until 2026-02-05",
    );
    assert_output_contains(&club, &["lobby", "--as", "1", "cancel 2"], "You've cancelled game 2");
}

#[test]
fn replace_command_asks_newcomer_before_replacing() {
    let mut club = start_paris_club(4, "");
    let replace = ["replace", "1", "2", "Zoe <zoe@example.net>", "--reason", "Bob is ill."];
    let rehearsed = [&replace[..], &["--dry-run"]].concat();
    assert_output_contains(&club, &rehearsed, "nothing has been done");
    assert_output_contains(
        &club,
        &replace,
        "Zoe has never replied to an e-mail from the club, so we've asked them first.",
    );
    club.mark_all_answered();
    assert_output_contains(&club, &replace, "In game 1 Zoe now plays for Bob: Bob is ill.");
    assert_output_contains(
        &club,
        &["member", "set", "zoe@example.net", "letters all"],
        "whenever something happens in a game",
    );
    assert_output_contains(
        &club,
        &["moderate", "remove 1 seat 4 because he asked me to"],
        "the seat is open",
    );
    assert_output_contains(
        &club,
        &["moderate", "announce 1 Hello"],
        "To Ann, Zoe and Cid of game 1: Hello",
    );
    assert_output_contains(&club, &["replace", "7", "2", "1", "--reason", "x"], "no game 7");
    assert_output_contains(
        &club,
        &["member", "forget", "cid@example.org"],
        "erased from store and journal",
    );
    assert_output_contains(&club, &["member", "list"], "former member 3 <>");
    let letters = letters_of_next_pass(&mut club);
    let zoe_got_letter =
        |what: &str| letters.iter().any(|l| l.to == "zoe@example.net" && l.contains(what));
    assert!(
        zoe_got_letter("You now play for Bob") && zoe_got_letter("former member 3 has left game 1")
    );
}

#[test]
fn member_add_command_checks_name_and_address() {
    let mut club = start_paris_club(4, "");
    assert_output_contains(
        &club,
        &["member", "add", "Yan <yan@example.net>", "--dry-run"],
        "Nothing is changed",
    );
    assert_output_contains(
        &club,
        &["member", "add", "Bob <yan@example.net>"],
        "add --insist to use it anyway",
    );
    assert_output_contains(
        &club,
        &["member", "add", "Yan <bob@example.org>"],
        "belongs to member 2, Bob",
    );
    assert_output_contains(&club, &["member", "add", "Yan"], "not an address like");
    assert_output_contains(
        &club,
        &["member", "add", "Yan <Yan@example.net>"],
        "5  Yan <yan@example.net> (en, ascii)",
    );
    assert_output_contains(
        &club,
        &["member", "add", "--insist", "Bob <wes@example.net>"],
        "6  Bob <wes@example.net>",
    );
    let added = first_letter_to(&letters_of_next_pass(&mut club), "yan@example.net").clone();
    assert!(
        added.contains("Mod, the moderator of The Postal Club, has made you a member under the")
    );
    assert!(added.contains("made you a member under the name Yan"), "{}", added.body_text());
    deliver_letter_from(&mut club, "yan@example.net", Some(&added), "games");
    assert!(
        first_letter_to(&club.run_pass().1, "yan@example.net").contains("There are no open games")
    );
    deliver_letter_from(&mut club, "yan@example.net", Some(&added), "leave club yes");
    club.run_pass();
    assert_eq!(process::find_member(&club.open_context(), "yan@example.net").expect("works"), None);
}

#[test]
fn moderate_invite_command_sends_invitation() {
    let mut club = start_paris_club(4, "");
    assert_output_contains(
        &club,
        &["moderate", "invite Una <una@example.net>"],
        "asking Una at una@example.net if",
    );
    let letters = letters_of_next_pass(&mut club);
    assert!(
        first_letter_to(&letters, "una@example.net").contains("Mod invites you to become a member")
    );
}

#[test]
fn commands_refuse_clubs_own_address() {
    let club = start_paris_club(4, "");
    for own in ["Yan <games@example.org>", "Yan <Games+1.2@example.org>"] {
        assert_output_contains(&club, &["member", "add", own], "the club's own address");
        assert_output_contains(
            &club,
            &["replace", "1", "2", own, "--reason", "x"],
            "the club's own address",
        );
        assert_output_contains(
            &club,
            &["moderate", &format!("invite {own}")],
            "the club's own address",
        );
        let plain = &own[5..own.len() - 1];
        assert_output_contains(
            &club,
            &["moderate", &format!("replace 1 seat 2 by {plain} because x")],
            "own address",
        );
        let asked = format!("new paris-connection seats 3 invite {plain}");
        assert_output_contains(
            &club,
            &["lobby", "--as", "1", &asked],
            "We can't send e-mail to games",
        );
    }
}
