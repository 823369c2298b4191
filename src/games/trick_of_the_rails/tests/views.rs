//! The drawing, and what each viewer is told.

use super::*;
use crate::rules::{Charset, Viewer};

#[test]
fn the_lane_and_the_railways_are_drawn_with_what_is_new_marked() {
    let reserved = LaneCard::Reservation;
    let lane = [EXCHANGE, CITY, locomotive(Locomotive::Six), reserved];
    let mut state = table(&["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"], &lane);
    let new = go(&mut state, &["play PRR 3", "play PRR 7", "play NYC 10"]);
    let board = TrickOfTheRails::board(&state, &new, Charset::Ascii);
    assert_eq!(board[0], " 1        2        3        4");
    assert_eq!(board[1], " .       >C40<     [6]+inf  *PRR 7");
    let new = go(&mut state, &["play BO 2", "play BO 3", "play BO 1", "city B&O left"]);
    let laid = go(&mut state, &["end left"]);
    let new: Vec<Event> = new.into_iter().chain(laid).collect();
    let board = TrickOfTheRails::board(&state, &new, Charset::Ascii);
    assert_eq!(board[3], "B&O   -    *3:10*C40 S10");
    state.railways[Company::Bo].locomotive = Some(Locomotive::Infinite);
    let unicode = TrickOfTheRails::board(&state, &[], Charset::Unicode);
    assert_eq!(unicode[3], "B&O  [\u{221e}]    3:10 C40 S10");
}

#[test]
fn the_longest_railway_goes_on_in_the_next_line() {
    let mut state = dealt(3, Options::default(), 1);
    let all = CardSet::ALL.of(Company::Prr).iter().map(Track::Card);
    state.railways[Company::Prr].track = all.chain([0, 1, 2].map(Track::City)).collect();
    let board = TrickOfTheRails::board(&state, &[], Charset::Ascii);
    assert!(board.iter().all(|line| line.len() <= 76 && line.is_ascii()), "{board:#?}");
    assert!(board.last().is_some_and(|line| line.contains("C40")));
}

#[test]
fn a_stock_round_is_told_in_few_sentences() {
    let mut state = table(&["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"], &[EXCHANGE, CITY]);
    let told = go(&mut state, &["play PRR 3", "play PRR 7", "play NYC 10"]);
    let said = TrickOfTheRails::narrate(&state, &told, Viewer::Public);
    let keys: Vec<&str> = said.iter().map(|said| said.key).collect();
    assert_eq!(keys, ["tr-played", "tr-taken", "tr-removed", "tr-kept"]);
}

#[test]
fn the_beginning_is_told_once_with_the_own_hand_only() {
    let state = open(3, Options::default());
    let events = TrickOfTheRails::setup(&state, &mut Dice::new(&Seed::rehearsal(1), 0));
    let keys = |viewer| -> Vec<&str> {
        let said = TrickOfTheRails::narrate(&state, &events, viewer);
        said.iter().map(|said| said.key).collect()
    };
    assert_eq!(keys(Viewer::Public), ["tr-lane", "tr-dealt", "tr-leftover", "tr-leads"]);
    let own = ["tr-lane", "tr-dealt", "tr-your-hand", "tr-leftover", "tr-leads"];
    assert_eq!(keys(Viewer::Seat(TWO)), own);
}

#[test]
fn the_trick_shows_who_wins_so_far() {
    let mut state = table(&["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"], &[EXCHANGE, CITY]);
    go(&mut state, &["play PRR 3", "play PRR 7"]);
    let trick = TrickOfTheRails::public(&state).trick;
    assert_eq!(trick.iter().map(|card| card.wins).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn only_what_may_be_played_is_marked_in_the_hand() {
    let mut state = table(&["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"], &[EXCHANGE, CITY]);
    let marked = |state: &State, seat| -> Vec<bool> {
        let hand = TrickOfTheRails::private(state, seat).hand;
        hand.iter().flat_map(|held| held.cards.iter().map(|card| card.playable)).collect()
    };
    assert_eq!([marked(&state, ONE), marked(&state, TWO)], [[true, true], [false, false]]);
    go(&mut state, &["play PRR 3"]);
    assert_eq!(marked(&state, TWO), [false, true]);
}

#[test]
fn every_sentence_has_words_and_every_word_a_sentence() {
    let words = include_str!("../../../../templates/en/trick-of-the-rails.ftl");
    let sources = [
        include_str!("../decide.rs"),
        include_str!("../edition.rs"),
        include_str!("../examples.rs"),
        include_str!("../in_words.rs"),
        include_str!("../narrate.rs"),
        include_str!("../orders.rs"),
        include_str!("../plan.rs"),
        include_str!("../plan_lines.rs"),
        include_str!("../refuse.rs"),
        include_str!("../scene.rs"),
        include_str!("../suggest.rs"),
        include_str!("../views.rs"),
    ]
    .concat();
    let said = |text: &str| {
        text.split('"').filter(|s| s.starts_with("tr-")).map(str::to_owned).collect::<Vec<_>>()
    };
    let known: Vec<&str> =
        words.lines().filter_map(|line| line.split_once(" = ")).map(|(key, _)| key).collect();
    for key in said(&sources) {
        assert!(known.contains(&&*key), "{key} has no words");
    }
    for key in known.iter().filter(|key| key.starts_with("tr-")) {
        let is_colour = Company::ALL.iter().any(|c| key.strip_prefix("tr-") == Some(c.colour()));
        assert!(is_colour || said(&sources).iter().any(|said| said == key), "{key} is never said");
    }
}
