//! Tests of the game's numbers and of the values that follow from them.

use super::*;
use crate::games::trick_of_the_rails::railway::Railway;

/// Computes profit and share value of a railway of cards with these values. Which cards have the
/// values does not matter.
fn profit_and_value(values: &[u32], locomotive: Locomotive) -> (u32, u32) {
    let state = new_game(3, Options::default());
    let with = |value: &u32| {
        let fits = |card: &Card| state.edition.station_value(*card) == *value;
        CardSet::ALL.iter().find(fits).map(Track::Card)
    };
    let track: Vec<Track> = values.iter().filter_map(with).collect();
    assert_eq!(track.len(), values.len());
    let worth =
        Railway { track, locomotive: Some(locomotive) }.compute_profit_and_value(&state.edition);
    (worth.profit, worth.value)
}

#[test]
fn share_value_is_best_section_minus_cost() {
    assert_eq!(profit_and_value(&[40, 10, 20, 30, 20], Locomotive::Three), (70, 30));
    assert_eq!(profit_and_value(&[40, 20, 10, 20, 30, 20, 30], Locomotive::Five), (120, 60));
}

#[test]
fn share_value_is_never_negative() {
    assert_eq!(profit_and_value(&[30, 10, 20], Locomotive::Infinite), (60, 0));
}

#[test]
fn short_railway_counts_completely() {
    assert_eq!(profit_and_value(&[40, 10, 20, 20], Locomotive::Six), (90, 20));
}

#[test]
fn stations_and_cities_count_as_distance() {
    let state = new_game(3, Options::default());
    let track = vec![Track::Station, Track::City(2), Track::City(1), Track::Card(card("PRR5"))];
    let railway = Railway { track, locomotive: Some(Locomotive::Three) };
    assert_eq!(railway.compute_profit_and_value(&state.edition).profit, 110);
}

#[test]
fn company_without_locomotive_is_worth_nothing() {
    let state = new_game(3, Options::default());
    assert_eq!(Railway::default().compute_profit_and_value(&state.edition).value, 0);
}

#[test]
fn companies_have_equal_values_in_different_order() {
    let state = new_game(3, Options::default());
    for company in Company::ALL {
        let mut values: Vec<u32> = CardSet::ALL
            .of_company(company)
            .iter()
            .map(|c| state.edition.station_value(c))
            .collect();
        values.sort_unstable();
        assert_eq!(values, [10, 10, 10, 20, 20, 20, 20, 30, 30, 40], "{company:?}");
    }
}

#[test]
fn deal_and_lane_suit_player_count() {
    for (seats, hand, leftover, reservations, cities, stock) in
        [(3, 15, 5, 3, 3, 8), (4, 11, 6, 1, 1, 6), (5, 9, 5, 0, 0, 5)]
    {
        let state = random_game(seats, Options::default(), 9);
        assert!(state.hands.iter().all(|cards| cards.len() == hand));
        let laid: usize = state.railways.iter().map(|(_, r)| r.track.len() - 1).sum();
        assert_eq!(laid, leftover);
        let count =
            |fits: fn(&LaneCard) -> bool| state.lane.iter().flatten().filter(|c| fits(c)).count();
        assert_eq!(count(|card| matches!(card, LaneCard::Reservation)), reservations);
        assert_eq!(count(|card| matches!(card, LaneCard::City(_))), cities);
        assert_eq!(count(|card| matches!(card, LaneCard::Locomotive(_))), 4);
        assert_eq!(count(|card| matches!(card, LaneCard::Exchange(_))), 5);
        for (place, card) in state.lane.iter().flatten().enumerate() {
            let is_stock = matches!(card, LaneCard::Exchange(_) | LaneCard::Reservation);
            assert_eq!(is_stock, place % 2 == 0, "{seats} {place}");
        }
        assert_eq!(state.lane.len().div_ceil(2), stock);
    }
}
