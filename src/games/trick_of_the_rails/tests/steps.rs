//! Tests of publicly forced orders, of events that invalidate orders, and of what an absent player
//! places.

use super::*;

#[test]
fn only_last_card_or_railway_is_publicly_forced() {
    let lane = [lane_locomotive(Locomotive::Three), EXCHANGE];
    let mut state = game_with_hands(&["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"], &lane);
    let forced = |state: &State, seat| TrickOfTheRails::publicly_only_legal_order(state, seat);
    play_lines(&mut state, &["play PRR 3"]);
    // Seat 2 must follow, but an automatic card would disclose its hand.
    assert_eq!(TrickOfTheRails::legal_orders(&state, TWO), [Order::Play(card("PRR7"))]);
    assert_eq!(forced(&state, TWO), None);
    play_lines(&mut state, &["play PRR 7", "play NYC 10"]);
    assert_eq!(forced(&state, TWO), None, "it goes to any of five");
    for company in [Company::Bo, Company::Co, Company::Erie, Company::Nyc] {
        state.railways[company].locomotive = Some(Locomotive::Four);
    }
    let last = Order::Locomotive { company: Company::Prr };
    assert_eq!(forced(&state, TWO), Some(last));
    play_lines(&mut state, &["locomotive PRR"]);
    assert_eq!(forced(&state, TWO), None, "to either end");
    play_lines(&mut state, &["end left", "end left", "end left"]);
    assert_eq!(forced(&state, TWO), Some(Order::Play(card("BO2"))));
    assert_eq!(forced(&state, THREE), None, "it is not his turn");
}

#[test]
fn order_is_invalidated_by_changed_trick_or_railway() {
    let play = Order::Play(card("PRR7"));
    let end = Order::End(End::Left);
    let city = Order::City { company: Company::Prr, end: End::Left };
    let mount = Order::Locomotive { company: Company::Prr };
    let played = Event::Played { seat: ONE, card: card("PRR3") };
    let laid = |name| Event::Laid { seat: ONE, card: card(name), end: End::Right };
    let mounted = |company| {
        let locomotive = Locomotive::Three;
        Event::Mounted { seat: Some(ONE), locomotive, company }
    };
    for (order, overtaken_by, not_by) in [
        (play, vec![played.clone()], vec![laid("PRR3"), mounted(Company::Prr)]),
        (end, vec![laid("PRR3"), laid("BO1")], vec![played.clone(), mounted(Company::Prr)]),
        (city, vec![laid("PRR3")], vec![laid("BO1"), played.clone(), mounted(Company::Prr)]),
        (mount, vec![mounted(Company::Prr)], vec![mounted(Company::Bo), laid("PRR3"), played]),
    ] {
        let overtakes = |event: &Event| TrickOfTheRails::invalidates(event, &order);
        assert!(overtaken_by.iter().all(overtakes), "{order:?}: {overtaken_by:?}");
        assert!(!not_by.iter().any(overtakes), "{order:?}: {not_by:?}");
    }
}

#[test]
fn ruling_15_absent_winner_prefers_winning_cards_railway() {
    let hands = ["PRR7 NYC1", "PRR3 NYC2", "PRR5 NYC3"];
    let mut state = game_with_hands(&hands, &[lane_locomotive(Locomotive::Three), EXCHANGE]);
    play_lines(&mut state, &["play PRR 7", "play PRR 3", "play PRR 5"]);
    let on = |company| Order::Locomotive { company };
    assert_eq!(TrickOfTheRails::order_for_absent_player(&state, ONE), on(Company::Prr));
    state.railways[Company::Prr].locomotive = Some(Locomotive::Four);
    assert_eq!(TrickOfTheRails::order_for_absent_player(&state, ONE), on(Company::Bo));
}

#[test]
fn trick_continues_without_railway_for_infinite_locomotive() {
    let hands = ["PRR7 NYC1", "PRR3 NYC2", "PRR5 NYC3"];
    let mut state = game_with_hands(&hands, &[lane_locomotive(Locomotive::Six), EXCHANGE]);
    play_lines(&mut state, &["play PRR 7", "play PRR 3", "play PRR 5"]);
    for company in [Company::Bo, Company::Co, Company::Erie, Company::Nyc] {
        state.railways[company].locomotive = Some(Locomotive::Four);
    }
    let told = play_lines(&mut state, &["locomotive PRR"]);
    let (locomotive, company) = (Locomotive::Six, Company::Prr);
    let mounted = Event::Mounted { seat: Some(ONE), locomotive, company };
    assert_eq!(told.first(), Some(&mounted));
    assert_eq!(TrickOfTheRails::legal_orders(&state, ONE), End::ALL.map(Order::End));
}
