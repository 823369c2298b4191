//! Hidden information: the hands, which other players cannot know. Also the audit, which checks
//! that no card is lost or doubled.

use super::TrickOfTheRails;
use super::card::{Card, CardSet};
use super::company::Company;
use super::definition::Locomotive;
use super::railway::Track;
use super::state::{Event, LaneCard, Order, Phase, State};
use crate::rules::deal::{HandConstraint, deal_to_constraints};
use crate::rules::{Dice, HiddenInfo, Seat, Viewer};

impl HiddenInfo for TrickOfTheRails {
    fn is_secret(_: &Order) -> bool {
        false
    }

    fn has_hidden_content(_: &Order) -> bool {
        false
    }

    // The outcome of an order depends only on the hand that plays it and on public information. It
    // never discloses anything new to that seat.
    fn discloses(_: &State, _: &Event, _: Seat) -> bool {
        false
    }

    fn reveals_to_others(_: &State, event: &Event) -> bool {
        matches!(event, Event::Played { .. })
    }

    /// Deals a consistent hidden state for this viewer, in which previews can be judged without
    /// disclosing the real hands. The cards in other hands change owners. No hand gets a card of a
    /// company that its player could not follow. All remaining deals have equal probability.
    fn redeal(state: &State, viewer: Viewer, dice: &mut Dice) -> State {
        let hidden = Seat::all(state.edition.seats).filter(|&seat| viewer != Viewer::Seat(seat));
        let hidden: Vec<Seat> = hidden.collect();
        let pool: Vec<Card> = hidden
            .iter()
            .flat_map(|&seat| state.hand_of(seat).iter())
            .collect::<CardSet>()
            .iter()
            .collect();
        let mut piles = Company::ALL.map(|company| {
            let mut pile: Vec<Card> =
                pool.iter().copied().filter(|card| card.company() == company).collect();
            dice.shuffle(&mut pile);
            pile
        });
        let known = |&seat: &Seat| HandConstraint {
            size: state.hand_of(seat).len(),
            min: [0; 5],
            max: Company::ALL
                .map(|company| if state.is_void(seat, company) { 0 } else { u32::MAX }),
        };
        let hands: Vec<HandConstraint<5>> = hidden.iter().map(known).collect();
        let pieces =
            std::array::from_fn(|kind| u32::try_from(piles[kind].len()).unwrap_or_default());
        let mut other = state.clone();
        for (seat, counts) in hidden.into_iter().zip(deal_to_constraints(pieces, &hands, dice)) {
            let cards = piles.iter_mut().zip(counts).flat_map(|(pile, count)| {
                pile.split_off(pile.len().saturating_sub(count as usize))
            });
            set_hand(&mut other, seat, cards.collect());
        }
        other
    }

    /// Returns the event as it was in the determinization: hands dealt to other seats are replaced
    /// by those that the determinization deals.
    fn event_in_determinization(
        determinization: &State,
        event: &Event,
        viewer: Viewer,
        _: &mut Dice,
    ) -> Event {
        match *event {
            Event::Dealt { seat, cards } if viewer != Viewer::Seat(seat) => Event::Dealt {
                seat,
                cards: determinization.dealt.get(seat.index()).copied().unwrap_or(cards),
            },
            _ => event.clone(),
        }
    }

    /// Checks that every railway card is in exactly one place, that no other card is in two, and
    /// that each place may hold its cards.
    fn check_every_piece_placed(state: &State) -> Result<(), String> {
        audit_railway_cards(state)?;
        if state.lane.is_empty() {
            return Ok(());
        }
        audit_lane_cards(state)?;
        if state.current_prize() == Some(LaneCard::Reservation) {
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
}

/// Replaces the hand of a seat. The cards that it has already played stay.
fn set_hand(state: &mut State, seat: Seat, cards: CardSet) {
    let (hands, dealt) = (&mut state.hands, &mut state.dealt);
    if let (Some(hand), Some(dealt)) = (hands.get_mut(seat.index()), dealt.get_mut(seat.index())) {
        *dealt = dealt.minus(*hand).iter().chain(cards.iter()).collect();
        *hand = cards;
    }
}

fn audit_railway_cards(state: &State) -> Result<(), String> {
    let sets = state.hands.iter().copied().chain(state.shares.iter().map(|shares| shares.cards));
    let lane = state.lane.iter().filter_map(|card| match card {
        Some(LaneCard::Railway(card)) => Some(*card),
        _ => None,
    });
    let mut all: Vec<Card> = sets
        .chain([state.deck, state.removed])
        .flat_map(CardSet::iter)
        .chain(state.trick_cards.iter().map(|&(_, card)| card))
        .chain(lane)
        .collect();
    for (company, railway) in state.railways.iter() {
        for track in &railway.track {
            match track {
                Track::Card(card) if card.company() == company => all.push(*card),
                Track::Card(card) => return Err(format!("{card} is on a strange railway")),
                Track::Station | Track::City(_) => {}
            }
        }
        let stations = railway.track.iter().filter(|&&track| track == Track::Station).count();
        if stations != 1 {
            return Err(format!("{} has {stations} Stations", company.id()));
        }
    }
    let found: CardSet = all.iter().copied().collect();
    all.sort_unstable();
    match all.array_windows().find(|[one, next]| one == next) {
        Some([card, _]) => Err(format!("{card} is in two places")),
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
    for city in state.edition.city_indices() {
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
