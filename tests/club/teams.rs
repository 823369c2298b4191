//! Trick of the Rails in teams of two, and a whole game of it that is played by plans.

use crate::playthroughs;
use crate::rig::{Club, first_letter_to};
use postrider::games::find_kind;
use std::collections::BTreeMap;

#[test]
fn teams_need_four_players() {
    let mut club = Club::with_tricks_game("");
    let asks = |club: &mut Club, line: &str| {
        club.send_reply("Ann", line);
        first_letter_to(&club.run_pass().1, "Ann").clone()
    };
    let refused = asks(&mut club, "new trick-of-the-rails seats 3 teams=true");
    let why = "Teams are for 4 players, but there are 3.";
    assert!(refused.contains(why), "{}", refused.body_text());
    let taken = asks(&mut club, "new trick-of-the-rails seats 4 teams=true");
    assert!(taken.contains("is open. It starts"), "{}", taken.body_text());
}

/// Returns the orders of each player of a playthrough, as plans for the tricks in which they were
/// played.
fn orders_as_plans(letters: &[(String, String)], seats: usize) -> BTreeMap<String, String> {
    let (mut plans, mut played) = (BTreeMap::<String, String>::new(), 0);
    for (from, line) in letters {
        played += usize::from(line.starts_with("play "));
        let trick = played.div_ceil(seats);
        let is_won = ["city ", "locomotive "].iter().any(|verb| line.starts_with(verb));
        let case = if is_won { "if win " } else { "" };
        *plans.entry(from.clone()).or_default() += &format!("trick {trick}: {case}{line}\n");
    }
    plans
}

#[test]
fn partners_share_score_in_fully_planned_game() {
    let (_, letters) = playthroughs::load_playthrough("trick-of-the-rails-4");
    let mut club = Club::with_settings("");
    let options = BTreeMap::from([("teams".to_owned(), "true".to_owned())]);
    club.start_game_with_options(
        find_kind("trick-of-the-rails").expect("it ships"),
        4,
        2,
        &options,
    );
    club.set_preference("Ann", "board narrow");
    club.run_pass();
    let ann = club.last_letter_to("Ann").expect("a letter");
    assert!(ann.contains("Teams: you and Cid against Bob and Dot."), "{}", ann.body_text());
    for (name, plans) in orders_as_plans(&letters, 4) {
        club.send_reply(&name, &plans);
        club.run_pass();
    }
    for (name, told) in [
        ("Ann", "The winners are you and Cid."),
        ("Ann", "2 NYC shares at 20: 40 and Cid's shares: 220)"),
        ("Ann", "1 Erie share at 80: 80 and your shares: 160)"),
        ("Cid", "2 NYC shares at 20: 40 and your shares: 220)"),
        ("Bob", "2 NYC shares at 20: 40 and your shares: 80)"),
    ] {
        let letter = club.last_letter_to(name).expect("a letter");
        assert!(letter.contains(told), "{told}\n{}", letter.body_text());
    }
}
