//! Trick of the Rails with partners, and a whole game of it that is planned beforehand.

use crate::playthroughs;
use crate::rig::{Club, to};
use postrider::games::kind;
use std::collections::BTreeMap;

#[test]
fn teams_are_for_four_and_who_proposes_them_for_others_is_told() {
    let mut club = Club::tricks("");
    let asks = |club: &mut Club, line: &str| {
        club.writes("Ann", line);
        to(&club.pass().1, "Ann").clone()
    };
    let refused = asks(&mut club, "new trick-of-the-rails seats 3 teams=true");
    assert!(refused.says("Teams are for 4 players; here are 3."), "{}", refused.text());
    let taken = asks(&mut club, "new trick-of-the-rails seats 4 teams=true");
    assert!(taken.says("on the table"), "{}", taken.text());
}

/// What each player of a playthrough orders, as plans for the tricks that it is meant for.
fn as_plans(letters: &[(String, String)], seats: usize) -> BTreeMap<String, String> {
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
fn partners_add_up_what_they_hold_in_a_game_that_all_have_planned() {
    let (_, letters) = playthroughs::of_file("trick-of-the-rails-4");
    let mut club = Club::with("");
    let options = BTreeMap::from([("teams".to_owned(), "true".to_owned())]);
    club.found_with(kind("trick-of-the-rails").expect("it ships"), 4, 2, &options);
    club.wants("Ann", "board narrow");
    club.pass();
    let ann = club.last_to("Ann").expect("a letter");
    assert!(ann.says("Teams: you and Cid against Bob and Dot."), "{}", ann.text());
    for (name, plans) in as_plans(&letters, 4) {
        club.writes(&name, &plans);
        club.pass();
    }
    for (name, told) in [
        ("Ann", "The win is shared by you and Cid."),
        ("Ann", "2 NYC shares at 20: 40 and shares of Cid: 220)"),
        ("Ann", "1 Erie share at 80: 80 and your shares: 160)"),
        ("Cid", "2 NYC shares at 20: 40 and your shares: 220)"),
        ("Bob", "2 NYC shares at 20: 40 and your shares: 80)"),
    ] {
        let letter = club.last_to(name).expect("a letter");
        assert!(letter.says(told), "{told}\n{}", letter.text());
    }
}
