//! One test for every ruling on a case that the printed rules leave open.

use super::*;
use crate::games::row_lookup::expect_json_array;
use crate::games::trick_of_the_rails::state::Step;
use crate::rules::Viewer;

#[test]
fn ruling_1_first_leader_is_random() {
    let leader = |seed| match TrickOfTheRails::turn(&random_game(4, Options::default(), seed)) {
        Turn::Awaiting(seats) => seats[0].number(),
        Turn::Over => 0,
    };
    let mut leaders: Vec<u8> = (0..40).map(leader).collect();
    leaders.sort_unstable();
    leaders.dedup();
    assert_eq!(leaders, [1, 2, 3, 4]);
}

#[test]
fn ruling_2_leftovers_go_right_in_deck_order() {
    let mut state = new_game(3, Options::default());
    let cards = ["PRR7", "BO1", "PRR2", "PRR9"].map(card).to_vec();
    state.apply(&Event::Leftover { cards });
    assert_eq!(railway_text(&state, Company::Prr), "S 7 2 9");
    assert_eq!(railway_text(&state, Company::Bo), "S 1");
}

#[test]
fn ruling_3_four_players_use_one_random_city() {
    let mut seen = [false; 3];
    for seed in 0..30 {
        let state = random_game(4, Options::default(), seed);
        let cities = state.lane.iter().filter_map(|card| match card {
            Some(LaneCard::City(city)) => Some(usize::from(*city)),
            _ => None,
        });
        let cities: Vec<usize> = cities.collect();
        assert_eq!(cities.len(), 1);
        seen[cities[0]] = true;
        assert_eq!(expect_json_array(&TrickOfTheRails::public_data(&state)["cities_out"]).len(), 2);
    }
    assert_eq!(seen, [true; 3]);
}

#[test]
fn ruling_4_removed_cards_are_listed() {
    let mut state = game_with_hands(&["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"], &[EXCHANGE, CITY]);
    play_lines(&mut state, &["play PRR 3", "play PRR 7", "play NYC 10"]);
    let removed = TrickOfTheRails::public_data(&state)["removed"].clone();
    assert_eq!(expect_json_array(&removed).len(), 1);
    assert_eq!(removed[0]["name"], "PRR");
    assert_eq!(removed[0]["cards"][0]["number"], 7);
}

#[test]
fn ruling_5_whole_lane_is_public_from_start() {
    let state = random_game(3, Options::default(), 1);
    let lane = serde_json::to_value(&state.lane).expect("it has a form");
    assert_eq!(TrickOfTheRails::public_data(&state)["lane"], lane);
    assert!(state.lane.iter().all(Option::is_some));
}

#[test]
fn ruling_6_station_may_be_surrounded() {
    let mut state = game_with_hands(&["PRR3", "PRR7", "NYC10"], &[CITY]);
    play_lines(&mut state, &["play PRR 3", "play PRR 7", "play NYC 10", "city BO left"]);
    play_lines(&mut state, &["end left", "end left", "end right"]);
    assert_eq!(railway_text(&state, Company::Prr), "7 S 3");
    assert_eq!(state.edition.track_value(Track::Station), 10);
}

#[test]
fn ruling_7_city_goes_to_any_company() {
    let mut state = game_with_hands(&["PRR3", "PRR7", "NYC10"], &[CITY]);
    state.railways[Company::Erie].locomotive = Some(Locomotive::Three);
    play_lines(&mut state, &["play PRR 3", "play PRR 7", "play NYC 10"]);
    for company in Company::ALL {
        for end in End::ALL {
            let order = Order::City { company, end };
            assert!(TrickOfTheRails::legal_orders(&state, TWO).contains(&order), "{order:?}");
        }
    }
}

#[test]
fn ruling_8_winner_places_lane_card_first() {
    let mut state = game_with_hands(&["PRR3", "PRR7", "NYC10"], &[CITY]);
    play_lines(&mut state, &["play PRR 3", "play PRR 7", "play NYC 10"]);
    assert_eq!(state.step_of(TWO), Some(Step::City(2)));
    play_lines(&mut state, &["city BO right"]);
    assert_eq!(state.step_of(TWO), Some(Step::End(card("PRR7"))));
    play_lines(&mut state, &["end right"]);
    assert_eq!(state.step_of(THREE), Some(Step::End(card("NYC10"))));
    play_lines(&mut state, &["end right"]);
    assert_eq!(state.step_of(ONE), Some(Step::End(card("PRR3"))));
}

#[test]
fn ruling_9_only_section_sum_counts() {
    // The values are 20 20 10 20 20 10, so several sections have the same sum.
    let mut state = new_game(3, Options::default());
    let track = ["PRR2", "PRR3", "PRR1", "PRR7", "PRR8", "PRR10"].map(card).map(Track::Card);
    state.railways[Company::Prr].track = track.into();
    state.railways[Company::Prr].locomotive = Some(Locomotive::Three);
    assert_eq!(state.railways[Company::Prr].compute_profit_and_value(&state.edition).profit, 50);
}

#[test]
fn ruling_10_same_company_cards_follow_turn_order() {
    let mut state = game_with_hands(&["PRR3", "PRR7", "PRR5"], &[CITY]);
    play_lines(
        &mut state,
        &["play PRR 3", "play PRR 7", "play PRR 5", "city PRR right", "end right"],
    );
    // The next player sees where the first one has put their card.
    assert_eq!(railway_text(&state, Company::Prr), "S C2 7");
    assert!(
        TrickOfTheRails::draw_board_text(&state, &[], Default::default())
            .join("\n")
            .contains("C40 7:20")
    );
    play_lines(&mut state, &["end left", "end right"]);
    assert_eq!(railway_text(&state, Company::Prr), "5 S C2 7 3");
}

#[test]
fn ruling_11_discard_goes_to_its_own_railway() {
    let mut state = game_with_hands(&["PRR3", "PRR7", "NYC10"], &[CITY]);
    play_lines(
        &mut state,
        &["play PRR 3", "play PRR 7", "play NYC 10", "city BO right", "end left"],
    );
    play_lines(&mut state, &["end left", "end left"]);
    assert_eq!(railway_text(&state, Company::Nyc), "10 S");
}

#[test]
fn ruling_12_only_hands_are_private() {
    let state = game_with_hands(&["PRR3 BO1", "PRR7", "NYC10"], &[EXCHANGE]);
    let public = TrickOfTheRails::public_data(&state);
    let hands: Vec<_> =
        expect_json_array(&public["players"]).iter().map(|player| &player["hand"]).collect();
    assert_eq!(hands, [2, 1, 1]);
    let told = |viewer| {
        let events: Vec<Event> =
            Seat::all(3).map(|seat| Event::Dealt { seat, cards: state.hand_of(seat) }).collect();
        TrickOfTheRails::narrate_events(&state, &events, viewer).len()
    };
    assert_eq!([told(Viewer::Public), told(Viewer::Seat(TWO))], [1, 2]);
    assert_eq!(TrickOfTheRails::private_data(&state, ONE)["count"], 2);
}

#[test]
fn ruling_13_equals_share_victory() {
    let state = random_game(5, Options::default(), 1);
    assert!(TrickOfTheRails::rankings(&state).iter().all(|standing| standing.rank == 1));
}

#[test]
fn ruling_14_infinite_locomotive_goes_to_last_company() {
    let mut state =
        game_with_hands(&["PRR3", "PRR7", "NYC10"], &[lane_locomotive(Locomotive::Six)]);
    for (company, engine) in
        [Company::Bo, Company::Erie, Company::Nyc].into_iter().zip(Locomotive::ALL)
    {
        state.railways[company].locomotive = Some(engine);
    }
    play_lines(&mut state, &["play PRR 3", "play PRR 7", "play NYC 10", "locomotive CO"]);
    assert_eq!(state.railways[Company::Co].locomotive, Some(Locomotive::Six));
    assert_eq!(state.railways[Company::Prr].locomotive, Some(Locomotive::Infinite));
    assert_eq!(state.step_of(TWO), Some(Step::End(card("PRR7"))));
}

#[test]
fn ruling_15_absent_player_follows_fixed_rules() {
    let forfeit = |state: &State, seat| TrickOfTheRails::order_for_absent_player(state, seat);
    let mut state =
        game_with_hands(&["PRR3 BO9", "BO2 BO7 NYC10", "NYC10 CO4 PRR8"], &[CITY, EXCHANGE]);
    assert_eq!(forfeit(&state, ONE), Order::Play(card("BO9")));
    play_lines(&mut state, &["play BO 9"]);
    assert_eq!(forfeit(&state, TWO), Order::Play(card("BO7")));
    play_lines(&mut state, &["play BO 7"]);
    assert_eq!(forfeit(&state, THREE), Order::Play(card("CO4")));
    play_lines(&mut state, &["play CO 4"]);
    // Ruling 15 does not say where a City goes. This is our ruling.
    assert_eq!(forfeit(&state, ONE), Order::City { company: Company::Bo, end: End::Right });
    play_lines(&mut state, &["city PRR left"]);
    assert_eq!(forfeit(&state, ONE), Order::End(End::Right));
}

#[test]
fn ruling_16_illegal_card_is_not_replaced() {
    let mut state = game_with_hands(&["PRR3", "PRR7 BO1", "NYC10"], &[EXCHANGE]);
    play_lines(&mut state, &["play PRR 3"]);
    assert!(play_line(&state, TWO, "play BO 1").is_err());
    assert_eq!(state.step_of(TWO), Some(Step::Play));
    assert_eq!(state.hand_of(TWO), cards("PRR7 BO1"));
}

#[test]
fn ruling_17_company_is_known_in_any_spelling() {
    let state = game_with_hands(&["PRR3", "PRR7", "NYC10"], &[EXCHANGE]);
    for (names, company) in [
        ("B&O|BO|B+O|b and o|b & o|B. & O.|blue|bo|Blue|b", Company::Bo),
        ("C&O|CO|C+O|c and o|green|c", Company::Co),
        ("Erie|ERIE|yellow|e|ye", Company::Erie),
        ("NYC|nyc|grey|gray|n|N.Y.C.", Company::Nyc),
        ("PRR|prr|red|p|P.R.R.", Company::Prr),
    ] {
        for name in names.split('|') {
            let order = Order::Locomotive { company };
            assert_eq!(parse_line(&state, &format!("locomotive {name}")).orders, [order], "{name}");
        }
    }
}
