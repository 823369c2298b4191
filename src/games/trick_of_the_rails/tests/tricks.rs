//! Tests of the rules of a trick, sentence by sentence.

use super::*;

#[test]
fn player_holding_led_company_must_follow() {
    let mut state = game_with_hands(&["PRR3 BO1", "PRR1 NYC9", "NYC1 CO2"], &[EXCHANGE, CITY]);
    play_lines(&mut state, &["play PRR 3"]);
    let (reason, instead) = expect_refusal(&state, TWO, "play NYC 9");
    assert_eq!((reason, &*instead), ("tr-must-follow", &["tr-hand", "tr-may-play"][..]));
    assert_eq!(expect_refusal(&state, TWO, "play BO 5").0, "tr-not-held");
    play_lines(&mut state, &["play PRR 1", "play CO 2"]);
}

#[test]
fn highest_led_card_wins_and_leads_next() {
    let mut state = game_with_hands(&["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"], &[EXCHANGE, CITY]);
    let told = play_lines(&mut state, &["play PRR 3", "play PRR 7", "play NYC 10"]);
    assert!(told.contains(&Event::Won { seat: TWO }));
    assert_eq!(told.last(), Some(&Event::Leads { seat: TWO }));
    assert_eq!(state.step_of(TWO), Some(crate::games::trick_of_the_rails::state::Step::Play));
}

#[test]
fn stock_round_turns_cards_into_shares() {
    let mut state = game_with_hands(&["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"], &[EXCHANGE, CITY]);
    play_lines(&mut state, &["play PRR 3", "play PRR 7", "play NYC 10"]);
    let shares = |seat| {
        (
            state.shares_of(seat).of_company(Company::Prr),
            state.shares_of(seat).of_company(Company::Nyc),
        )
    };
    assert_eq!([ONE, TWO, THREE].map(shares), [(1, 0), (0, 1), (0, 1)]);
    // Without a Reservation, the winner's card leaves the game.
    assert_eq!(state.removed, cards("PRR7"));
}

#[test]
fn winning_card_replaces_reservation_and_becomes_share() {
    let reservation = LaneCard::Reservation;
    let lane = [EXCHANGE, reservation, reservation];
    let mut state = game_with_hands(&["PRR3 BO1 BO4", "PRR7 BO2 BO5", "NYC10 BO3 BO6"], &lane);
    play_lines(&mut state, &["play PRR 3", "play PRR 7", "play NYC 10"]);
    assert_eq!(state.lane, [None, Some(LaneCard::Railway(card("PRR7"))), Some(reservation)]);
    play_lines(&mut state, &["play BO 5", "play BO 6", "play BO 4"]);
    assert_eq!(state.shares_of(THREE).cards, cards("NYC10 PRR7"));
    assert_eq!(state.current_prize(), Some(LaneCard::Railway(card("BO6"))));
    assert!(state.removed.is_empty());
}

#[test]
fn winner_places_city_then_all_lay_clockwise() {
    let mut state = game_with_hands(&["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"], &[CITY, EXCHANGE]);
    play_lines(&mut state, &["play PRR 3", "play PRR 7", "play NYC 10"]);
    assert_eq!(TrickOfTheRails::turn(&state), Turn::Awaiting(vec![TWO]));
    assert_eq!(expect_refusal(&state, TWO, "end left").0, "tr-not-now");
    assert_eq!(expect_refusal(&state, THREE, "end left").0, "not-your-turn");
    play_lines(&mut state, &["city PRR left", "end left"]);
    assert_eq!(TrickOfTheRails::turn(&state), Turn::Awaiting(vec![THREE]));
    let told = play_lines(&mut state, &["end right", "end right"]);
    assert_eq!(railway_text(&state, Company::Prr), "7 C2 S 3");
    assert_eq!(railway_text(&state, Company::Nyc), "S 10");
    assert_eq!(told.last(), Some(&Event::Leads { seat: TWO }));
}

#[test]
fn locomotive_goes_to_company_without_one() {
    let lane = [lane_locomotive(Locomotive::Three), lane_locomotive(Locomotive::Four)];
    let mut state = game_with_hands(&["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"], &lane);
    play_lines(&mut state, &["play PRR 3", "play PRR 7", "play NYC 10", "locomotive ERIE"]);
    play_lines(
        &mut state,
        &["end left", "end left", "end left", "play BO 2", "play BO 3", "play BO 1"],
    );
    let (reason, instead) = expect_refusal(&state, THREE, "locomotive Erie");
    assert_eq!((reason, &*instead), ("tr-has-locomotive", &["tr-without"][..]));
    play_lines(&mut state, &["locomotive PRR", "end left", "end left"]);
    let told = play_lines(&mut state, &["end left"]);
    assert_eq!(told.last(), Some(&Event::Ended));
    assert_eq!(expect_refusal(&state, ONE, "play BO 1").0, "game-over");
}

#[test]
fn expert_lane_lets_winner_place_both_locomotives() {
    let lane = [lane_locomotive(Locomotive::Six), EXCHANGE];
    let hands = ["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"];
    let mut state = game_with_options(&hands, &lane, EXPERT);
    play_lines(&mut state, &["play PRR 3", "play PRR 7", "play NYC 10", "locomotive NYC"]);
    assert_eq!(expect_refusal(&state, TWO, "locomotive NYC").0, "tr-has-locomotive");
    play_lines(&mut state, &["locomotive inf on CO", "end left"]);
    assert_eq!(state.railways[Company::Co].locomotive, Some(Locomotive::Infinite));
}

#[test]
fn expert_lane_shuffles_cities_and_locomotives() {
    for (seats, works) in [(3, 7), (4, 5), (5, 4)] {
        let mut cities = 0;
        for seed in 0..20 {
            let lane = random_game(seats, EXPERT, seed).lane;
            let is_city = |card: &&Option<LaneCard>| matches!(card, Some(LaneCard::City(_)));
            let is_engine =
                |card: &&Option<LaneCard>| matches!(card, Some(LaneCard::Locomotive(_)));
            let engines = lane.iter().filter(is_engine).count();
            assert_eq!(lane.iter().filter(is_city).count() + engines, works);
            assert!(!lane.contains(&Some(lane_locomotive(Locomotive::Infinite))));
            cities += lane.iter().filter(is_city).count();
        }
        assert!(cities > 0, "{seats}");
    }
}

#[test]
fn partners_add_up_their_shares() {
    let teams = Options { expert_lane: false, teams: true };
    let mut state = random_game(4, teams, 3);
    state.railways[Company::Prr].locomotive = Some(Locomotive::Three);
    state.railways[Company::Prr].track = ["PRR5", "PRR4", "PRR6"].map(card).map(Track::Card).into();
    for (seat, share) in [(1, "PRR1"), (3, "PRR2"), (2, "PRR3")] {
        state.apply(&Event::Kept { seat: Seat::new(seat), card: card(share) });
    }
    let standings = TrickOfTheRails::rankings(&state);
    let scores: Vec<(u8, u32, i64)> =
        standings.iter().map(|s| (s.seat.number(), s.rank, s.score)).collect();
    assert_eq!(scores, [(1, 1, 120), (3, 1, 120), (2, 3, 60), (4, 3, 60)]);
}
