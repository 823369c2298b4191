//! Tests of parsing lines.

use super::*;
use crate::games::trick_of_the_rails::refuse;
use proptest::prelude::*;

#[test]
fn card_is_parsed_in_any_spelling() {
    let state = game_with_hands(&["PRR3", "PRR7", "NYC10"], &[EXCHANGE]);
    for line in [
        "play PRR 7",
        "PLAY prr7",
        "pl P.R.R. 7.",
        "prr 7",
        "prr7",
        "play my red 7",
        "red 7",
        "play 7 of PRR",
        "p 7",
        "play the card PRR-7",
        "r 7",
        "play 7red",
        "7 PRR",
        "I play the 7 of PRR",
        "I'd like to play PRR 7",
        "Please play PRR 7",
        "play PRR 7 please",
        "lead with PRR 7",
        "PRR 7 (20)",
        "PRR *7:20",
    ] {
        assert_eq!(parse_line(&state, line).orders, [Order::Play(card("PRR7"))], "{line}");
    }
    for line in ["play B&O 10", "b&o 10", "b and o 10", "B+O10", "blue 10", "b10"] {
        assert_eq!(parse_line(&state, line).orders, [Order::Play(card("BO10"))], "{line}");
    }
}

#[test]
fn end_is_parsed_with_or_without_verb() {
    let state = game_with_hands(&["PRR3", "PRR7", "NYC10"], &[EXCHANGE]);
    for line in ["end left", "left", "End: Left!", "l", "to the left side", "left end", "end l"] {
        assert_eq!(parse_line(&state, line).orders, [Order::End(End::Left)], "{line}");
    }
    for line in [
        "city NYC right",
        "city: grey, right",
        "ci nyc r",
        "city on the NYC right end",
        "New York (40) to NYC right",
        "add C40 to NYC right",
    ] {
        let order = Order::City { company: Company::Nyc, end: End::Right };
        assert_eq!(parse_line(&state, line).orders, [order], "{line}");
    }
    for line in ["put it left", "put it at the left end", "lay it left", "left please"] {
        assert_eq!(parse_line(&state, line).orders, [Order::End(End::Left)], "{line}");
    }
}

#[test]
fn due_order_needs_no_verb() {
    let hands = ["PRR7 NYC1", "PRR3 NYC2", "NYC10 NYC3"];
    let mut state = game_with_hands(&hands, &[lane_locomotive(Locomotive::Three), CITY]);
    play_lines(&mut state, &["play PRR 7", "play PRR 3", "play NYC 10"]);
    for line in ["C&O", "[3] on C&O", "3 to co", "give [3] to C&O", "put it on green"] {
        assert_eq!(
            parse_line(&state, line).orders,
            [Order::Locomotive { company: Company::Co }],
            "{line}"
        );
    }
    play_lines(&mut state, &["C&O"]);
    for line in ["PRR 7 left", "put PRR 7 left", "end PRR 7 left"] {
        assert_eq!(parse_line(&state, line).orders, [Order::End(End::Left)], "{line}");
    }
    assert_eq!(expect_refusal(&state, ONE, "PRR 3 left").0, "tr-too-long");
    play_lines(&mut state, &["left", "left", "left", "NYC 1", "NYC 2", "NYC 3"]);
    let city = Order::City { company: Company::Prr, end: End::Right };
    let read = TrickOfTheRails::parse_line(&state, THREE, "PRR right").map(|read| read.orders);
    assert_eq!(read, Ok(vec![city]));
    assert_eq!(expect_refusal(&state, THREE, "Baltimore to PRR right").0, "tr-other-prize");
}

#[test]
fn only_the_due_locomotive_may_be_named() {
    let mut state =
        game_with_hands(&["PRR7", "PRR3", "NYC10"], &[lane_locomotive(Locomotive::Three)]);
    play_lines(&mut state, &["play PRR 7", "play PRR 3", "play NYC 10"]);
    let order = Order::Locomotive { company: Company::Co };
    for line in ["locomotive C&O", "loco co", "locomotive 3 to C&O", "locomotive [3] c and o"] {
        assert_eq!(parse_line(&state, line).orders, [order], "{line}");
    }
    assert_eq!(expect_refusal(&state, ONE, "locomotive 4 to C&O").0, "tr-no-company");
}

#[test]
fn unreadable_line_is_refused_with_form_and_hand() {
    let lane = [EXCHANGE, CITY, lane_locomotive(Locomotive::Three)];
    let state = game_with_hands(&["PRR3", "PRR7", "NYC10"], &lane);
    for (line, key, instead) in [
        ("", "tr-unreadable", "tr-form-play"),
        ("hello there", "tr-unreadable", "tr-form-play"),
        ("play", "tr-company-missing", "tr-companies"),
        ("play UP 7", "tr-no-company", "tr-companies"),
        ("play gr 7", "tr-no-company", "tr-companies"),
        ("play PRR", "tr-number-missing", "tr-form-play"),
        ("play PRR 11", "tr-no-number", "tr-form-play"),
        ("play PRR 0", "tr-no-number", "tr-form-play"),
        ("play PRR 7 8", "tr-too-long", "tr-form-play"),
        ("play PRR 7 NYC 3", "tr-too-long", "tr-form-play"),
        ("PRR 7:40", "tr-too-long", "tr-form-play"),
        ("play PRR 7 or PRR 8", "tr-too-long", "tr-form-play"),
        ("PRR 7 or 8", "tr-too-long", "tr-form-play"),
        ("play PRR -7", "tr-negative", "tr-form-play"),
        ("play -7", "tr-negative", "tr-form-play"),
        ("I like PRR 7", "tr-unreadable", "tr-form-play"),
        ("I play tomorrow", "tr-unreadable", "tr-form-play"),
        ("station NYC", "tr-unreadable", "tr-form-play"),
        ("city NYC left right", "tr-too-long", "tr-form-city"),
        ("city NYC", "tr-no-end", "tr-form-city"),
        ("end middle", "tr-no-end", "tr-form-end"),
        ("end left now", "tr-too-long", "tr-form-end"),
        ("locomotive", "tr-company-missing", "tr-companies"),
    ] {
        let (reason, others) = expect_refusal(&state, ONE, line);
        assert_eq!((reason, others.first()), (key, Some(&instead)), "{line}");
        assert_eq!(others.last(), Some(&"tr-hand"), "{line}");
    }
}

#[test]
fn any_company_name_is_parsed() {
    let mut state = game_with_hands(&["PRR3", "PRR7", "NYC10"], &[EXCHANGE]);
    for name in ["The-On", "Union", "A&B"] {
        let mut edition = (*state.edition).clone();
        edition.companies[Company::Prr].name = name.to_owned();
        state.edition = edition.into();
        let line = format!("play {name} 3");
        assert_eq!(parse_line(&state, &line).orders, [Order::Play(card("PRR3"))], "{line}");
        let shown = refuse::card_name(&state.edition, card("PRR3"));
        assert_eq!(parse_line(&state, &shown).orders, [Order::Play(card("PRR3"))], "{shown}");
    }
}

#[test]
fn placing_verb_may_precede_other_verb() {
    let state = game_with_hands(&["PRR3", "PRR7", "NYC10"], &[EXCHANGE]);
    let city = Order::City { company: Company::Nyc, end: End::Right };
    let mount = Order::Locomotive { company: Company::Co };
    for (line, order) in [
        ("place city NYC right", city),
        ("put the City on NYC right", city),
        ("put locomotive C&O", mount),
        ("give the locomotive to C&O", mount),
        ("locomotive infinite C&O", mount),
        ("locomotive infinity to C&O", mount),
        ("locomotive [inf] C&O", mount),
        ("locomotive [6]+inf C&O", mount),
        ("put end left", Order::End(End::Left)),
    ] {
        assert_eq!(parse_line(&state, line).orders, [order], "{line}");
    }
}

#[test]
fn due_city_is_known_by_name_or_value() {
    let hands = ["PRR7 NYC1", "PRR3 NYC2", "NYC10 NYC3"];
    let mut state = game_with_hands(&hands, &[CITY, lane_locomotive(Locomotive::Three)]);
    play_lines(&mut state, &["play PRR 7", "play PRR 3", "play NYC 10"]);
    let city = Order::City { company: Company::Prr, end: End::Right };
    for line in ["C40 to PRR right", "New York to PRR right", "New York (40) to PRR right"] {
        assert_eq!(parse_line(&state, line).orders, [city], "{line}");
    }
    for line in ["C20 to PRR right", "C30 to PRR right"] {
        assert_eq!(expect_refusal(&state, ONE, line).0, "tr-other-prize", "{line}");
    }
    assert_eq!(expect_refusal(&state, ONE, "hello there").0, "tr-unreadable");
    assert_eq!(expect_refusal(&state, ONE, "city hello right").0, "tr-no-company");
    play_lines(&mut state, &["city PRR right"]);
    // `r` alone is the right end, and a card needs more than its number.
    assert_eq!(expect_refusal(&state, ONE, "end r 7").0, "tr-too-long");
    play_lines(&mut state, &["left", "left", "left", "NYC 1", "NYC 2", "NYC 3"]);
    assert_eq!(expect_refusal(&state, THREE, "hello there").0, "tr-unreadable");
}

#[test]
fn known_names_include_company_ids_and_colours() {
    let state = game_with_hands(&["PRR3", "PRR7", "NYC10"], &[EXCHANGE]);
    let mut names = TrickOfTheRails::names_in_orders(&state);
    names.sort_unstable();
    let all = [
        "B&O", "BO", "C&O", "CO", "ERIE", "Erie", "NYC", "NYC", "PRR", "PRR", "blue", "gray",
        "green", "grey", "red", "yellow",
    ];
    assert_eq!(names, all);
}

proptest! {
    #[test]
    fn parsing_any_line_never_panics(line in "\\PC{0,80}") {
        let _ = TrickOfTheRails::parse_line(&random_game(3, Options::default(), 1), ONE, &line);
    }

    #[test]
    fn parsing_order_like_line_never_panics(
        line in "(play|city|end|loco|b|c)( (and|b&o|gr|7|999|left|r|inf|[3]|&|\u{df}|\u{bd})){0,6}"
    ) {
        let _ = TrickOfTheRails::parse_line(&random_game(3, Options::default(), 1), ONE, &line);
    }

    #[test]
    fn written_orders_parse_back(number in 1_u8..=10, company in 0_usize..5, is_left: bool) {
        let state = game_with_hands(&["PRR3", "PRR7", "NYC10"], &[EXCHANGE]);
        let company = Company::ALL[company];
        let end = if is_left { End::Left } else { End::Right };
        let card = Card::new(company, number).map(Order::Play);
        let others = [Order::City { company, end }, Order::Locomotive { company }, Order::End(end)];
        for order in card.into_iter().chain(others) {
            let line = TrickOfTheRails::write_line(&state, &[order]);
            prop_assert_eq!(parse_line(&state, &line).orders, vec![order], "{}", line);
        }
    }
}
