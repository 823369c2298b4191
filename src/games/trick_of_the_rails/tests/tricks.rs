//! The sentences of the rules about a trick.

use super::*;

#[test]
fn who_has_a_card_of_the_led_company_must_follow() {
    let mut state = table(&["PRR3 BO1", "PRR1 NYC9", "NYC1 CO2"], &[EXCHANGE, CITY]);
    go(&mut state, &["play PRR 3"]);
    let (reason, instead) = refusal(&state, TWO, "play NYC 9");
    assert_eq!((reason, &*instead), ("tr-must-follow", &["tr-hand", "tr-may-play"][..]));
    assert_eq!(refusal(&state, TWO, "play BO 5").0, "tr-not-held");
    go(&mut state, &["play PRR 1", "play CO 2"]);
}

#[test]
fn the_highest_card_of_the_led_company_wins_and_leads_next() {
    let mut state = table(&["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"], &[EXCHANGE, CITY]);
    let told = go(&mut state, &["play PRR 3", "play PRR 7", "play NYC 10"]);
    assert!(told.contains(&Event::Won { seat: TWO }));
    assert_eq!(told.last(), Some(&Event::Leads { seat: TWO }));
    assert_eq!(state.step(TWO), Some(crate::games::trick_of_the_rails::state::Step::Play));
}

#[test]
fn a_stock_round_makes_shares_of_the_lane_card_and_of_the_others_cards() {
    let mut state = table(&["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"], &[EXCHANGE, CITY]);
    go(&mut state, &["play PRR 3", "play PRR 7", "play NYC 10"]);
    let shares = |seat| (state.shares(seat).of(Company::Prr), state.shares(seat).of(Company::Nyc));
    assert_eq!([ONE, TWO, THREE].map(shares), [(1, 0), (0, 1), (0, 1)]);
    // Without a Reservation the winner's card leaves the game.
    assert_eq!(state.removed, cards("PRR7"));
}

#[test]
fn the_winners_card_takes_the_place_of_the_leftmost_reservation_and_is_a_share_later() {
    let reservation = LaneCard::Reservation;
    let lane = [EXCHANGE, reservation, reservation];
    let mut state = table(&["PRR3 BO1 BO4", "PRR7 BO2 BO5", "NYC10 BO3 BO6"], &lane);
    go(&mut state, &["play PRR 3", "play PRR 7", "play NYC 10"]);
    assert_eq!(state.lane, [None, Some(LaneCard::Railway(card("PRR7"))), Some(reservation)]);
    go(&mut state, &["play BO 5", "play BO 6", "play BO 4"]);
    assert_eq!(state.shares(THREE).cards, cards("NYC10 PRR7"));
    assert_eq!(state.prize(), Some(LaneCard::Railway(card("BO6"))));
    assert!(state.removed.is_empty());
}

#[test]
fn a_city_is_placed_by_the_winner_and_then_all_lay_track_clockwise() {
    let mut state = table(&["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"], &[CITY, EXCHANGE]);
    go(&mut state, &["play PRR 3", "play PRR 7", "play NYC 10"]);
    assert_eq!(TrickOfTheRails::turn(&state), Turn::Awaiting(vec![TWO]));
    assert_eq!(refusal(&state, TWO, "end left").0, "tr-not-now");
    assert_eq!(refusal(&state, THREE, "end left").0, "not-your-turn");
    go(&mut state, &["city PRR left", "end left"]);
    assert_eq!(TrickOfTheRails::turn(&state), Turn::Awaiting(vec![THREE]));
    let told = go(&mut state, &["end right", "end right"]);
    assert_eq!(railway(&state, Company::Prr), "7 C2 S 3");
    assert_eq!(railway(&state, Company::Nyc), "S 10");
    assert_eq!(told.last(), Some(&Event::Leads { seat: TWO }));
}

#[test]
fn a_locomotive_goes_to_a_company_without_one() {
    let lane = [locomotive(Locomotive::Three), locomotive(Locomotive::Four)];
    let mut state = table(&["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"], &lane);
    go(&mut state, &["play PRR 3", "play PRR 7", "play NYC 10", "locomotive ERIE"]);
    go(&mut state, &["end left", "end left", "end left", "play BO 2", "play BO 3", "play BO 1"]);
    let (reason, instead) = refusal(&state, THREE, "locomotive Erie");
    assert_eq!((reason, &*instead), ("tr-has-locomotive", &["tr-without"][..]));
    go(&mut state, &["locomotive PRR", "end left", "end left"]);
    let told = go(&mut state, &["end left"]);
    assert_eq!(told.last(), Some(&Event::Ended));
    assert_eq!(refusal(&state, ONE, "play BO 1").0, "game-over");
}

#[test]
fn an_expert_lane_lets_the_winner_place_both_locomotives() {
    let lane = [locomotive(Locomotive::Six), EXCHANGE];
    let hands = ["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"];
    let mut state = table_with(&hands, &lane, EXPERT);
    go(&mut state, &["play PRR 3", "play PRR 7", "play NYC 10", "locomotive NYC"]);
    assert_eq!(refusal(&state, TWO, "locomotive NYC").0, "tr-has-locomotive");
    go(&mut state, &["locomotive inf on CO", "end left"]);
    assert_eq!(state.railways[Company::Co].locomotive, Some(Locomotive::Infinite));
}

#[test]
fn an_expert_lane_shuffles_cities_and_locomotives_into_the_operating_places() {
    for (seats, works) in [(3, 7), (4, 5), (5, 4)] {
        let mut cities = 0;
        for seed in 0..20 {
            let lane = dealt(seats, EXPERT, seed).lane;
            let is_city = |card: &&Option<LaneCard>| matches!(card, Some(LaneCard::City(_)));
            let is_engine =
                |card: &&Option<LaneCard>| matches!(card, Some(LaneCard::Locomotive(_)));
            let engines = lane.iter().filter(is_engine).count();
            assert_eq!(lane.iter().filter(is_city).count() + engines, works);
            assert!(!lane.contains(&Some(locomotive(Locomotive::Infinite))));
            cities += lane.iter().filter(is_city).count();
        }
        assert!(cities > 0, "{seats}");
    }
}

#[test]
fn partners_add_what_they_hold() {
    let teams = Options { expert_lane: false, teams: true };
    let mut state = dealt(4, teams, 3);
    state.railways[Company::Prr].locomotive = Some(Locomotive::Three);
    state.railways[Company::Prr].track = ["PRR5", "PRR4", "PRR6"].map(card).map(Track::Card).into();
    for (seat, share) in [(1, "PRR1"), (3, "PRR2"), (2, "PRR3")] {
        state.apply(&Event::Kept { seat: Seat::new(seat), card: card(share) });
    }
    let standings = TrickOfTheRails::standings(&state);
    let scores: Vec<(u8, u32, i64)> =
        standings.iter().map(|s| (s.seat.number(), s.rank, s.score)).collect();
    assert_eq!(scores, [(1, 1, 120), (3, 1, 120), (2, 3, 60), (4, 3, 60)]);
}
