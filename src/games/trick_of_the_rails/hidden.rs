//! What the others cannot know: the hands. And whether every card is where it can be.

use super::card::{Card, CardSet};
use super::company::Company;
use super::definition::Locomotive;
use super::railway::Track;
use super::state::{Event, LaneCard, Phase, State};
use crate::rules::{Dice, Seat, Viewer};

/// Another state that the viewer could not tell from this one: the cards in the other hands change
/// owners.
pub fn reshuffle(state: &State, viewer: Viewer, dice: &mut Dice) -> State {
    let is_hidden = |index: usize| viewer != Viewer::Seat(Seat::from_index(index));
    let unknown = state.hands.iter().enumerate().filter(|&(index, _)| is_hidden(index));
    let mut pool: Vec<Card> = unknown.flat_map(|(_, hand)| hand.iter()).collect();
    dice.shuffle(&mut pool);
    let mut pool = pool.into_iter();
    let mut other = state.clone();
    for (index, hand) in other.hands.iter_mut().enumerate() {
        if is_hidden(index) {
            *hand = pool.by_ref().take(hand.iter().count()).collect();
        }
    }
    other
}

/// Another event that the viewer could not tell from this one: another hand of the same size.
pub fn reshuffle_event(event: &Event, viewer: Viewer, dice: &mut Dice) -> Event {
    match *event {
        Event::Dealt { seat, cards } if viewer != Viewer::Seat(seat) => {
            let mut deck: Vec<Card> = CardSet::ALL.iter().collect();
            dice.shuffle(&mut deck);
            Event::Dealt { seat, cards: deck.into_iter().take(cards.iter().count()).collect() }
        }
        _ => event.clone(),
    }
}

/// Whether every card is somewhere, none twice, and none where it cannot be.
///
/// # Errors
/// What is missing or double.
pub fn audit(state: &State) -> Result<(), String> {
    audit_railway_cards(state)?;
    if state.lane.is_empty() {
        return Ok(());
    }
    audit_lane_cards(state)?;
    if state.prize() == Some(LaneCard::Reservation) {
        return Err("a Reservation is leftmost".to_owned());
    }
    let late = state.lane.iter().take(state.trick).any(Option::is_some);
    if late {
        return Err("a card was left behind in the lane".to_owned());
    }
    if state.phase == Phase::Over && !state.hands.iter().all(|hand| hand.is_empty()) {
        return Err("the game ended before all cards were played".to_owned());
    }
    Ok(())
}

fn audit_railway_cards(state: &State) -> Result<(), String> {
    let sets = state.hands.iter().copied().chain(state.shares.iter().map(|shares| shares.cards));
    let lane = state.lane.iter().filter_map(|card| match card {
        Some(LaneCard::Railway(card)) => Some(*card),
        _ => None,
    });
    let mut found = CardSet::EMPTY;
    let all = sets
        .chain([state.deck, state.removed])
        .flat_map(CardSet::iter)
        .chain(state.table.iter().map(|&(_, card)| card))
        .chain(lane);
    let mut twice: Vec<Card> = Vec::new();
    let mut see = |card: Card| {
        if found.contains(card) {
            twice.push(card);
        }
        found.insert(card);
    };
    all.for_each(&mut see);
    for (company, railway) in state.railways.iter() {
        for track in &railway.track {
            match track {
                Track::Card(card) if card.company() == company => see(*card),
                Track::Card(card) => return Err(format!("{card} is on a strange railway")),
                Track::Station | Track::City(_) => {}
            }
        }
        let stations = railway.track.iter().filter(|&&track| track == Track::Station).count();
        if stations != 1 {
            return Err(format!("{} has {stations} Stations", company.id()));
        }
    }
    match twice.first() {
        Some(card) => Err(format!("{card} is in two places")),
        None if found == CardSet::ALL => Ok(()),
        None => Err(format!("{:?} are nowhere", CardSet::ALL.minus(found))),
    }
}

fn audit_lane_cards(state: &State) -> Result<(), String> {
    let in_lane = |card| state.lane.iter().filter(|&&other| other == Some(card)).count();
    for company in Company::ALL {
        let held = state.shares.iter().filter(|shares| shares.exchanges[company]).count();
        let all = in_lane(LaneCard::Exchange(company)) + held;
        if all != 1 {
            return Err(format!("there are {all} Exchange cards of {}", company.id()));
        }
    }
    for city in (0..=u8::MAX).take(state.edition.cities.len()) {
        let built = state.railways.iter().map(|(_, railway)| {
            railway.track.iter().filter(|&&track| track == Track::City(city)).count()
        });
        if in_lane(LaneCard::City(city)) + built.sum::<usize>() > 1 {
            return Err(format!("city {city} is in two places"));
        }
    }
    for locomotive in Locomotive::ALL {
        let mounted = state.railways.iter().filter(|(_, r)| r.locomotive == Some(locomotive));
        if in_lane(LaneCard::Locomotive(locomotive)) + mounted.count() > 1 {
            return Err(format!("{locomotive} is in two places"));
        }
    }
    Ok(())
}
