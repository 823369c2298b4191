//! Every rule of the game, from the deal to the last trick.

use super::card::{Card, CardSet};
use super::company::Company;
use super::definition::{Definition, LaneSlot, Locomotive, Options};
use super::edition::Edition;
use super::railway::End;
use super::refuse;
use super::state::{Event, LaneCard, Order, Phase, State, Step};
use super::{TrickOfTheRails, views};
use crate::rules::{DefinitionFault, Dice, Ranking, Refusal, Rules, Seat, Turn};
use std::cmp::Reverse;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Draws the card for each place of the lane. Exchange cards and City cards are random (ruling 3).
/// In an expert lane, all locomotives and cities are drawn at random for the operating places.
fn deal_lane_cards(edition: &Edition, dice: &mut Dice) -> Vec<LaneCard> {
    let mut exchanges = Company::ALL.map(LaneCard::Exchange).to_vec();
    dice.shuffle(&mut exchanges);
    let mut works: Vec<LaneCard> = edition.city_indices().map(LaneCard::City).collect();
    if edition.options.expert_lane {
        let drawn = Locomotive::ALL.into_iter().filter(|&l| l != Locomotive::Infinite);
        works.extend(drawn.map(LaneCard::Locomotive));
    }
    dice.shuffle(&mut works);
    let place = |slot: &LaneSlot| match *slot {
        LaneSlot::Exchange => exchanges.pop(),
        LaneSlot::Reservation => Some(LaneCard::Reservation),
        LaneSlot::Locomotive(locomotive) if !edition.options.expert_lane => {
            Some(LaneCard::Locomotive(locomotive))
        }
        LaneSlot::City | LaneSlot::Locomotive(_) => works.pop(),
    };
    edition.slots.iter().filter_map(place).collect()
}

impl Rules for TrickOfTheRails {
    const ID: &'static str = "trick-of-the-rails";
    const VERSION: u32 = 1;
    const SEATS: RangeInclusive<u8> = 3..=5;
    const DEFINITION: &'static str = include_str!("../../../games/trick-of-the-rails.yaml");

    type Definition = Definition;
    type Options = Options;
    type State = State;
    type Order = Order;
    type Event = Event;

    fn initial_state(
        definition: &Definition,
        options: &Options,
        seats: u8,
    ) -> Result<State, DefinitionFault> {
        Ok(State::new(Arc::new(Edition::new(definition, options, seats)?)))
    }

    /// Deals the game: the lane, the hands, the leftover cards on the railways, and a random first
    /// leader (ruling 1).
    fn setup(state: &State, dice: &mut Dice) -> Vec<Event> {
        let edition = &state.edition;
        let mut events = vec![Event::Lane { cards: deal_lane_cards(edition, dice) }];
        let mut deck: Vec<Card> = CardSet::ALL.iter().collect();
        dice.shuffle(&mut deck);
        let dealt = usize::from(edition.hand) * usize::from(edition.seats);
        let (hands, leftover) = deck.split_at(dealt.min(deck.len()));
        let hands = hands.chunks(usize::from(edition.hand).max(1));
        for (seat, hand) in Seat::all(edition.seats).zip(hands) {
            events.push(Event::Dealt { seat, cards: hand.iter().copied().collect() });
        }
        events.push(Event::Leftover { cards: leftover.to_vec() });
        events.push(Event::Leads { seat: Seat::random(edition.seats, dice) });
        events
    }

    fn apply(state: &mut State, event: &Event) {
        state.apply(event);
    }

    fn turn(state: &State) -> Turn {
        match state.phase {
            Phase::Over => Turn::Over,
            _ => Turn::Awaiting(state.active_seat().into_iter().collect()),
        }
    }

    fn legal_orders(state: &State, seat: Seat) -> Vec<Order> {
        match state.step_of(seat) {
            None => Vec::new(),
            Some(Step::Play) => playable_cards(state, seat).iter().map(Order::Play).collect(),
            Some(Step::End(_)) => End::ALL.map(Order::End).to_vec(),
            Some(Step::Locomotive(_)) => companies_without_locomotive(state)
                .map(|company| Order::Locomotive { company })
                .collect(),
            Some(Step::City(_)) => {
                let ends = |company| End::ALL.map(|end| Order::City { company, end });
                Company::ALL.into_iter().flat_map(ends).collect()
            }
        }
    }

    /// Returns the seat's order if public information shows that it is the only legal one. This
    /// holds for the last card of a hand and for the last railway without a locomotive. Playing any
    /// other forced card automatically would disclose the hand.
    fn publicly_only_legal_order(state: &State, seat: Seat) -> Option<Order> {
        let hand = state.hand_of(seat);
        match Self::legal_orders(state, seat).as_slice() {
            [Order::Play(_)] if hand.len() > 1 => None,
            [order] => Some(*order),
            _ => None,
        }
    }

    fn decide(
        state: &State,
        seat: Seat,
        order: &Order,
        _: &mut Dice,
    ) -> Result<Vec<Event>, Refusal> {
        Self::turn(state).ensure_awaits(seat)?;
        match (*order, state.step_of(seat)) {
            (Order::Play(card), Some(Step::Play)) => decide_play(state, seat, card),
            (Order::City { company, end }, Some(Step::City(city))) => {
                let built = Event::Built { seat, city, company, end };
                Ok(vec![built, next_end_choice_or_trick(state, seat, None)])
            }
            (Order::Locomotive { company }, Some(Step::Locomotive(locomotive))) => {
                decide_locomotive(state, seat, locomotive, company)
            }
            (Order::End(end), Some(Step::End(card))) => Ok(vec![
                Event::Laid { seat, card, end },
                next_end_choice_or_trick(state, seat, Some(seat)),
            ]),
            _ => Err(refuse::wrong_step(state, seat)),
        }
    }

    /// Whether the event changed the trick for which the order was written, or the railway that it
    /// names.
    fn invalidates(event: &Event, order: &Order) -> bool {
        match (*order, event) {
            (Order::Play(_), Event::Played { .. }) | (Order::End(_), Event::Laid { .. }) => true,
            (Order::City { company, .. }, Event::Laid { card, .. }) => card.company() == company,
            (Order::Locomotive { company }, Event::Mounted { company: other, .. }) => {
                company == *other
            }
            _ => false,
        }
    }

    /// Returns the order of an absent player (ruling 15). A leader plays the highest card. A
    /// follower plays the highest card of the led company or, without one, the lowest card. A card
    /// goes to the right end.
    ///
    /// The ruling leaves two cases open, for which this is our ruling. A City goes to the right end
    /// of the railway of the winning card. A locomotive goes to that railway or, if it has one, to
    /// the first railway without one.
    fn order_for_absent_player(state: &State, seat: Seat) -> Order {
        let own = state.card_played_by(seat).map_or(Company::Bo, Card::company);
        match state.step_of(seat) {
            Some(Step::Play) => {
                let cards = playable_cards(state, seat);
                let follows =
                    state.led_company().is_none_or(|led| !cards.of_company(led).is_empty());
                let highest = || cards.iter().min_by_key(|card| Reverse(card.number()));
                let lowest = || cards.iter().min_by_key(|card| card.number());
                let card = if follows { highest() } else { lowest() };
                card.map_or(Order::End(End::Right), Order::Play)
            }
            Some(Step::City(_)) => Order::City { company: own, end: End::Right },
            Some(Step::Locomotive(_)) => {
                let first =
                    companies_without_locomotive(state).min_by_key(|&company| company != own);
                Order::Locomotive { company: first.unwrap_or(own) }
            }
            Some(Step::End(_)) | None => Order::End(End::Right),
        }
    }

    fn rankings(state: &State) -> Vec<Ranking> {
        views::rankings(state)
    }
}

/// Returns the cards that the seat may play. ("If they have a card of the same company as the lead,
/// they must follow suit. If a player has no cards of the same company as the lead, they may play
/// any other card.")
pub fn playable_cards(state: &State, seat: Seat) -> CardSet {
    let hand = state.hand_of(seat);
    let following = state.led_company().map_or(CardSet::EMPTY, |led| hand.of_company(led));
    if following.is_empty() { hand } else { following }
}

fn decide_play(state: &State, seat: Seat, card: Card) -> Result<Vec<Event>, Refusal> {
    if !playable_cards(state, seat).contains(card) {
        return Err(refuse::illegal_card(state, seat, card));
    }
    let mut events = vec![Event::Played { seat, card }];
    if state.trick_cards.len() + 1 < usize::from(state.edition.seats) {
        events.push(Event::Turn { seat: seat.next(state.edition.seats), step: Step::Play });
        return Ok(events);
    }
    let mut trick = state.trick_cards.clone();
    trick.push((seat, card));
    let (winner, best) = winning_card(&trick).unwrap_or((seat, card));
    events.push(Event::Won { seat: winner });
    let prize = state.current_prize();
    match prize {
        Some(LaneCard::City(city)) => {
            events.push(Event::Turn { seat: winner, step: Step::City(city) });
        }
        Some(LaneCard::Locomotive(locomotive)) => {
            events.push(Event::Turn { seat: winner, step: Step::Locomotive(locomotive) });
        }
        Some(LaneCard::Exchange(_) | LaneCard::Railway(_) | LaneCard::Reservation) | None => {
            events.extend(prize.map(|share| Event::Taken { seat: winner, share }));
            events.push(reserve_or_remove(state, best));
            let others = trick.into_iter().filter(|&(player, _)| player != winner);
            events.extend(others.map(|(seat, card)| Event::Kept { seat, card }));
            events.push(next_trick_event(state, winner));
        }
    }
    Ok(events)
}

/// Returns the winning card of a trick and its player. ("Whoever played the highest numbered card
/// of the same company as the lead wins the trick.")
pub fn winning_card(trick: &[(Seat, Card)]) -> Option<(Seat, Card)> {
    let led = trick.first()?.1.company();
    let following = trick.iter().filter(|(_, card)| card.company() == led);
    following.max_by_key(|(_, card)| card.number()).copied()
}

/// Decides where the winner's card goes in a stock round. ("If there are any Reservation cards left
/// in the Trick Lane, the card the winner played is exchanged with the leftmost Reservation card,
/// which is removed from the game. If there are no Reservation cards left in the Trick Lane, the
/// card the winner played is removed from the game instead.")
fn reserve_or_remove(state: &State, card: Card) -> Event {
    match state.leftmost_reservation().and_then(|place| u8::try_from(place + 1).ok()) {
        Some(place) => Event::Reserved { card, place },
        None => Event::Removed { card },
    }
}

/// Judges the placement of a locomotive. ("The winner places the Locomotive card to the left of the
/// railway of any company that does not already have a locomotive.")
///
/// The locomotive `[inf]` comes with `[6]`. If one company is left without a locomotive, it gets
/// `[inf]` at once (ruling 14). If an expert lane leaves several, the winner chooses one.
fn decide_locomotive(
    state: &State,
    seat: Seat,
    locomotive: Locomotive,
    company: Company,
) -> Result<Vec<Event>, Refusal> {
    if state.railways[company].locomotive.is_some() {
        return Err(refuse::already_has_locomotive(state, locomotive, company));
    }
    let mut events = vec![Event::Mounted { seat: Some(seat), locomotive, company }];
    if locomotive == Locomotive::Six {
        let left: Vec<Company> =
            companies_without_locomotive(state).filter(|&c| c != company).collect();
        let locomotive = Locomotive::Infinite;
        match *left {
            [] => {}
            [company] => events.push(Event::Mounted { seat: None, locomotive, company }),
            _ => {
                events.push(Event::Turn { seat, step: Step::Locomotive(locomotive) });
                return Ok(events);
            }
        }
    }
    events.push(next_end_choice_or_trick(state, seat, None));
    Ok(events)
}

pub fn companies_without_locomotive(state: &State) -> impl Iterator<Item = Company> + '_ {
    Company::ALL.into_iter().filter(|&company| state.railways[company].locomotive.is_none())
}

/// Returns the event of the next player who chooses an end, or of the next trick if all cards are
/// on railways. ("Then, each player (starting from the winner of the trick and going clockwise)
/// adds their played card to either end of the railway corresponding to their card's company.")
/// `laid` is the seat whose card is placed by the current order.
fn next_end_choice_or_trick(state: &State, winner_or_mover: Seat, laid: Option<Seat>) -> Event {
    let seats = state.edition.seats;
    let winner = state.winner.unwrap_or(winner_or_mover);
    let round = std::iter::successors(Some(winner), |seat| Some(seat.next(seats)));
    let waiting = |seat: Seat| state.card_played_by(seat).filter(|_| Some(seat) != laid);
    let mut round = round.take(usize::from(seats));
    match round.find_map(|seat| waiting(seat).map(|card| (seat, card))) {
        Some((seat, card)) => Event::Turn { seat, step: Step::End(card) },
        None => next_trick_event(state, winner),
    }
}

/// Returns the event of the next trick, or of the end after the last one. ("The winner becomes the
/// new lead player for the next trick." "The game ends after the final trick has been played.")
fn next_trick_event(state: &State, winner: Seat) -> Event {
    let is_last = state.trick + 1 >= state.lane.len();
    if is_last { Event::Ended } else { Event::Leads { seat: winner } }
}
