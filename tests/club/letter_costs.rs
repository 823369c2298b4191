//! Tests how many letters a member can cause to others in a day by letters that move no game.

use crate::rig::{Club, PostedLetter, address};
use chrono::TimeDelta;
use postrider::club::Intervention;
use postrider::games::find_kind;
use postrider::process;
use postrider::testing::sample_or_all;

/// Returns the number of Bob's letters in a day. The sample also exceeds every cap of the table.
fn letter_count() -> usize {
    sample_or_all(26, 100)
}

/// Creates a club with four games. Ann, Bob, Cid, Dot and Eve play game 1 and have played game 2,
/// which has ended. Ann, Cid, Dot, Eve and Fay play game 3. Ann has proposed game 4.
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
    let founded = process::split_refusal(process::run_lobby_line_for_member(
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

/// Returns the last letter to Bob about this game.
fn last_letter_to_bob(club: &Club, game: u32) -> PostedLetter {
    let list = format!("<g{game}.");
    let mut letters = club.transport.posted.iter().rev();
    let found = letters.find(|letter| {
        letter.to == address("Bob") && letter.header("List-Id").is_some_and(|id| id.contains(&list))
    });
    found.unwrap_or_else(|| panic!("Bob has no letter of game {game}")).clone()
}

/// Sends Bob's lines in rotation, each as a reply to the last letter to Bob about its game. Returns
/// the number of letters that this causes to other members and to the moderator.
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

/// A description, Bob's lines by game, and the most letters to the four others and the moderator.
type CostLimit = (&'static str, &'static [(u32, &'static str)], usize, usize);

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
    // Players are expected to talk: one member may send 20 messages a day, here to four others.
    ("talk to all", &[(1, "say NUMBER")], 80, 0),
    ("talk to one", &[(1, "tell Ann NUMBER")], 20, 0),
    ("watching", &[(1, "watch 3"), (1, "unwatch 3")], 0, 0),
    ("waiting", &[(1, "wait 3"), (1, "leave 3")], 0, 0),
    ("a seat at a table", &[(1, "join 4"), (1, "leave 4")], 0, 0),
    // One member may invite 24 people a day.
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
