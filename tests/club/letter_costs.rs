//! What one member can cost all others in letters within a day without moving a game, by a hundred
//! letters of his own: a little, whatever he does.

use crate::common::sample_or_all;
use crate::rig::{Club, PostedLetter, address};
use chrono::TimeDelta;
use postrider::club::Intervention;
use postrider::games::find_kind;
use postrider::process;

/// The number of letters within a day. A sample exceeds every cap of the table too.
fn letter_count() -> usize {
    sample_or_all(26, 100)
}

/// A club where Ann, Bob, Cid, Dot and Eve play game 1, and game 2 that has ended; game 3 is for
/// Ann, Cid, Dot, Eve and Fay, and Ann has put game 4 on the table.
fn club_with_four_games() -> Club {
    let mut club = Club::with_settings(
        "clock: {deadline: 7 days, nmr: forfeit, reminders: []}\nanswers_per_hour: 1000\n",
    );
    for seed in 1..3 {
        club.start_game(find_kind("trick-of-the-rails").expect("it ships"), 5, seed);
    }
    let people = ["Ann", "Cid", "Dot", "Eve", "Fay"].map(|name| (name, name));
    club.start_game_for("paris-connection", &people, 3);
    let context = club.open_context();
    assert!(process::moderate_game(&context, 2, &Intervention::End, "enough").is_ok());
    let ann = process::find_member(&context, &address("Ann")).expect("it works").expect("Ann");
    let founded = process::split_refusal(process::act_for_member(
        &context,
        &ann,
        "new paris-connection seats 3",
    ))
    .expect("it works");
    assert!(founded.is_ok(), "{founded:?}");
    drop(context);
    club.run_pass();
    club
}

/// The last letter to Bob of this game.
fn last_letter_to_bob(club: &Club, game: u32) -> PostedLetter {
    let list = format!("<g{game}.");
    let mut letters = club.transport.posted.iter().rev();
    let found = letters.find(|letter| {
        letter.to == address("Bob") && letter.header("List-Id").is_some_and(|id| id.contains(&list))
    });
    found.unwrap_or_else(|| panic!("Bob has no letter of game {game}")).clone()
}

/// How many letters others get, and the moderator, for a hundred of Bob's: the lines in turns, each
/// in a reply to his last letter of that game.
fn count_caused_letters(lines: &[(u32, &str)]) -> (usize, usize) {
    let mut club = club_with_four_games();
    let (mut others, mut moderator) = (0, 0);
    let between = TimeDelta::minutes(sample_or_all(55, 14));
    let mut context = club.open_context();
    for (index, (game, line)) in lines.iter().cycle().take(letter_count()).enumerate() {
        let next = context.store.next_game_number().expect("it reads") - 1;
        let line = line.replace("NUMBER", &(index + 1).to_string());
        let line = line.replace("NEXT", &next.to_string());
        let reply = club.compose_reply_to("Bob", &last_letter_to_bob(&club, *game), &line);
        club.deliver(reply);
        let before = club.transport.posted.len();
        context.now = club.now;
        process::run_pass(&context, &mut club.transport).expect("the pass works");
        club.now += between;
        for letter in &club.transport.posted[before..] {
            moderator += usize::from(letter.to == address("Mod"));
            others += usize::from(letter.to != address("Bob") && letter.to != address("Mod"));
        }
    }
    (others, moderator)
}

/// What he does, his lines, and the most letters to the others and to the moderator.
type CostLimit = (&'static str, &'static [(u32, &'static str)], usize, usize);

/// What he does, in replies to letters of which game, and how many letters that may cost the four
/// others and the moderator.
const COST_LIMITS: &[CostLimit] = &[
    ("a vote, made and withdrawn", &[(1, "vote pause"), (1, "vote no")], 12, 0),
    ("votes of many lengths", &[(1, "vote extend NUMBER hours"), (1, "vote no")], 12, 0),
    (
        "votes of all kinds",
        &[
            (1, "vote pause"),
            (1, "vote no"),
            (1, "vote extend 2 days"),
            (1, "vote no"),
            (1, "vote abandon"),
            (1, "vote no"),
        ],
        12,
        0,
    ),
    (
        "votes side by side",
        &[(1, "vote pause"), (1, "vote extend 1 day"), (1, "vote abandon")],
        12,
        0,
    ),
    ("zones", &[(1, "zone Asia/Tokyo"), (1, "zone America/New_York")], 0, 0),
    ("vacations", &[(1, "vacation 2026-01-10 to 2026-01-12"), (1, "no vacation")], 0, 0),
    ("settings", &[(1, "letters text"), (1, "letters html"), (1, "settings")], 0, 0),
    ("notes and previews", &[(1, "note NUMBER"), (1, "preview\nvote pause")], 0, 0),
    // What players are there for: twenty letters a day to four others.
    ("talk to all", &[(1, "say NUMBER")], 80, 0),
    ("talk to one", &[(1, "tell Ann NUMBER")], 20, 0),
    ("watching", &[(1, "watch 3"), (1, "unwatch 3")], 0, 0),
    ("waiting", &[(1, "wait 3"), (1, "leave 3")], 0, 0),
    ("a seat at a table", &[(1, "join 4"), (1, "leave 4")], 0, 0),
    // Twenty people a day may be invited.
    (
        "tables with members invited",
        &[
            (1, "new paris-connection seats 3 invite ann@example.org, cid@example.org"),
            (1, "cancel NEXT"),
        ],
        24,
        0,
    ),
    ("more and more invited", &[(1, "invite 4 guest.NUMBER@example.net")], 0, 0),
    ("the same table again", &[(2, "rematch"), (2, "cancel NEXT")], 24, 0),
    ("addresses", &[(1, "address bob.NUMBER@example.net")], 3, 0),
    ("a seat that he leaves and takes", &[(1, "resign yes"), (2, "join 1")], 16, 2),
];

#[test]
fn one_members_letters_cause_few_letters_to_others() {
    let mut faults = Vec::new();
    for (what, lines, others, moderator) in COST_LIMITS {
        let cost = count_caused_letters(lines);
        if cost.0 > *others || cost.1 > *moderator {
            faults.push(format!("{what}: {cost:?} for at most {:?}", (others, moderator)));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
