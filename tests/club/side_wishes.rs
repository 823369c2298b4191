//! Tests the wishes of players for a side of the board, as they propose a game or join it.

use crate::lobby::{deliver_letter_from, start_paris_club, write_and_get_answer};
use crate::rig::{Club, PostedLetter, address, first_letter_to};
use postrider::process;

const ZOE: &str = "zoe@example.net";

/// Proposes a game of this kind for four players. Returns the club, and the invitations to Bob, who
/// is a member, and to Zoe, who is none.
fn invite_bob_and_zoe(kind: &str) -> (Club, [PostedLetter; 2]) {
    let mut club = start_paris_club(3, "");
    let bob = address("Bob");
    club.send_reply("Ann", &format!("new {kind} seats 4 invite {bob} {ZOE}"));
    let (_, letters) = club.run_pass();
    let invitations = ["Bob", ZOE].map(|guest| first_letter_to(&letters, guest).clone());
    (club, invitations)
}

/// Answers both invitations with this text. Returns the wish of each, or `None` for a person who
/// has not joined.
fn wishes_after_answers(kind: &str, body: &str) -> [Option<String>; 2] {
    let (mut club, [to_bob, to_zoe]) = invite_bob_and_zoe(kind);
    club.deliver(club.compose_reply_to("Bob", &to_bob, body));
    deliver_letter_from(&mut club, &format!("Zoe <{ZOE}>"), Some(&to_zoe), body);
    club.run_pass();
    let context = club.open_context();
    let proposal = context.store.game_info(2).expect("it reads").proposal.expect("it is forming");
    let proposal = serde_json::to_value(&proposal).expect("it can be written");
    [address("Bob"), ZOE.to_owned()].map(|guest| {
        let member = process::find_member(&context, &guest).expect("it reads")?;
        let players = proposal["players"].as_array().expect("a list");
        let joined = players.iter().find(|player| player["member"] == member.id)?;
        Some(joined["side"].as_str().unwrap_or_default().to_owned())
    })
}

#[test]
fn players_wish_for_sides_as_they_join() {
    let mut club = start_paris_club(4, "");
    let guests = format!("{} zoe@example.net", address("Bob"));
    club.send_reply("Ann", &format!("new off-the-rails seats 4 side east invite {guests}"));
    let (_, letters) = club.run_pass();
    assert!(first_letter_to(&letters, "Ann").contains("\"join 2 side east\""));
    let refused = write_and_get_answer(&mut club, "Cid", "join 2 side up");
    assert!(refused.contains("can't pick \"up\" as a side of the"), "{}", refused.body_text());
    let joined = write_and_get_answer(&mut club, "Cid", "join 2 side south");
    assert!(joined.contains("You're in!"), "{}", joined.body_text());
    for letter in letters.iter().filter(|letter| letter.contains("invites you to play")) {
        assert!(letter.contains("such as \"side east\""), "{}", letter.body_text());
        // A non-member's letter with "join 2" would be no clear yes.
        assert_eq!(letter.contains("\"join 2 side east\""), letter.to == address("Bob"));
        if letter.to == address("Bob") {
            let answer = club.compose_reply_to("Bob", letter, "yes\nside north");
            club.deliver(answer);
        } else {
            let answer = "yes\nname Zoe Miller\nside west";
            deliver_letter_from(&mut club, &letter.to, Some(letter), answer);
        }
    }
    club.run_pass();
    let session = process::load_stored_game(&club.open_context(), 2).expect("it has begun");
    let side = |name: &String| match name.as_str() {
        "Ann" => "east",
        "Bob" => "north",
        "Cid" => "south",
        "Zoe Miller" => "west",
        other => panic!("{other}"),
    };
    let sides: Vec<&str> = session.names.iter().map(side).collect();
    let options = session.table.founding().options.get();
    assert!(options.contains(&sides.join(",")), "{options} {sides:?}");
}

#[test]
fn founder_learns_how_to_wish() {
    let mut club = start_paris_club(3, "");
    for (line, is_told) in [
        ("new off-the-rails seats 4", true),
        ("new off-the-rails seats 4 side east", false),
        ("new paris-connection seats 4", false),
    ] {
        let answer = write_and_get_answer(&mut club, "Ann", line);
        let text = answer.body_text();
        assert_eq!(answer.contains("at the end of your \"new\" line"), is_told, "{text}");
        assert_eq!(answer.contains("Anyone can wish for a side"), line.contains("rails"), "{text}");
    }
}

#[test]
fn polite_yes_allows_side_line() {
    let joined = |side: &str| [Some(side.to_owned()), Some(side.to_owned())];
    for (body, wishes) in [
        ("Yes please!\nside north", joined("north")),
        ("Yes please!\n\nSide: north.\n\nThank you!", joined("north")),
        ("Yes please!\nname Zoe Miller\nside west", joined("west")),
        ("yes\nside west\nname Zoe Miller", joined("west")),
        ("Yes please!\nside by side", [None, None]),
        ("Yes please!\nside note", [None, None]),
        ("side north\nyes", [None, None]),
        ("side north\nYes please!", [None, None]),
        ("Yes please!\nside north\nif Bob plays", [None, None]),
    ] {
        assert_eq!(wishes_after_answers("off-the-rails", body), wishes, "{body}");
    }
    assert_eq!(wishes_after_answers("paris-connection", "Yes please!\nside north"), [None, None]);
}

#[test]
fn side_line_without_direction_is_ignored() {
    let joined = |side: &str| [Some(side.to_owned()), Some(side.to_owned())];
    let note = "yes\nSide note:\nI'm away on Friday";
    assert_eq!(wishes_after_answers("paris-connection", note), joined(""));
    assert_eq!(wishes_after_answers("off-the-rails", note), joined(""));
    let both = "yes\nSide note:\nside south";
    assert_eq!(wishes_after_answers("off-the-rails", both), joined("south"));
}
