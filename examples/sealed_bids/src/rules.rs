//! The rules: the legal orders and their events.

use super::SealedBids;
use postrider::rules::{
    DefinitionFault, Dice, Message, Ranking, Refusal, Rules, ScorePart, Seat, Turn, rank_by_points,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// A set of cards. A card is its number.
pub type Cards = BTreeSet<u8>;

/// The game's data.
#[derive(Serialize, Deserialize)]
pub struct Definition {
    /// The number of cards of each player, which is also the number of rounds.
    cards: u8,
}

/// The options of a new game. There are none.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {}

/// The position of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The number of cards of each player.
    pub cards: u8,
    /// The current round, from 1; 0 before the game begins.
    pub round: u8,
    /// The cards that each seat holds, in seat order. A sealed bid is still among them.
    pub hands: Vec<Cards>,
    /// The sealed bids of the current round, in seat order.
    pub sealed: Vec<Option<u8>>,
    /// The bids of the round before, in seat order. Empty in the first round.
    pub last_bids: Vec<u8>,
    pub points: Vec<i64>,
}

/// The only order: bids a card.
#[derive(Clone, Debug, PartialEq)]
pub struct Bid(pub u8);

/// A change of the position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// The game begins.
    Begun,
    /// A seat has bid. Only its player knows the card.
    Sealed { seat: Seat, card: u8 },
    /// All bids are opened. `winner` is `None` if several players made each bid.
    Opened { bids: Vec<u8>, winner: Option<Seat> },
}

impl State {
    pub fn seat_count(&self) -> u8 {
        u8::try_from(self.hands.len()).unwrap_or_default()
    }

    pub fn hand(&self, seat: Seat) -> Cards {
        self.hands.get(seat.index()).cloned().unwrap_or_default()
    }

    pub fn sealed_bid(&self, seat: Seat) -> Option<u8> {
        self.sealed.get(seat.index()).copied().flatten()
    }

    pub fn is_over(&self) -> bool {
        self.round > self.cards
    }
}

/// Returns the seat with the highest bid that no other seat made.
fn find_winner(bids: &[u8]) -> Option<Seat> {
    let is_unique = |bid: &u8| bids.iter().filter(|other| *other == bid).count() == 1;
    let best = bids.iter().copied().filter(is_unique).max()?;
    (1..).zip(bids).find(|(_, bid)| **bid == best).map(|(seat, _)| Seat::new(seat))
}

impl Rules for SealedBids {
    const ID: &'static str = "sealed-bids";
    const VERSION: u32 = 1;
    const SEATS: RangeInclusive<u8> = 2..=4;
    const DEFINITION: &'static str = "cards: 5\n";
    const TEXTS: &'static [(&'static str, &'static str)] = &[
        ("en/sealed-bids.ftl", include_str!("../texts/en/sealed-bids.ftl")),
        ("en/sealed-bids/orders.txt", include_str!("../texts/en/sealed-bids/orders.txt")),
        ("en/sealed-bids/private.txt", include_str!("../texts/en/sealed-bids/private.txt")),
        ("en/sealed-bids/public.txt", include_str!("../texts/en/sealed-bids/public.txt")),
        ("en/sealed-bids/rules.txt", include_str!("../texts/en/sealed-bids/rules.txt")),
        ("es/sealed-bids.ftl", include_str!("../texts/es/sealed-bids.ftl")),
        ("es/sealed-bids/lexicon.txt", include_str!("../texts/es/sealed-bids/lexicon.txt")),
        ("es/sealed-bids/orders.txt", include_str!("../texts/es/sealed-bids/orders.txt")),
        ("es/sealed-bids/private.txt", include_str!("../texts/es/sealed-bids/private.txt")),
        ("es/sealed-bids/public.txt", include_str!("../texts/es/sealed-bids/public.txt")),
        ("es/sealed-bids/rules.txt", include_str!("../texts/es/sealed-bids/rules.txt")),
    ];

    type Definition = Definition;
    type Options = Options;
    type State = State;
    type Order = Bid;
    type Event = Event;

    fn initial_state(
        &Definition { cards }: &Definition,
        _: &Options,
        seats: u8,
    ) -> Result<State, DefinitionFault> {
        Ok(State {
            cards,
            round: 0,
            hands: vec![(1..=cards).collect(); seats.into()],
            sealed: vec![None; seats.into()],
            last_bids: Vec::new(),
            points: vec![0; seats.into()],
        })
    }

    fn setup(_: &State, _: &mut Dice) -> Vec<Event> {
        vec![Event::Begun]
    }

    fn apply(state: &mut State, event: &Event) {
        match event {
            Event::Begun => state.round = 1,
            Event::Sealed { seat, card } => {
                if let Some(sealed) = state.sealed.get_mut(seat.index()) {
                    *sealed = Some(*card);
                }
            }
            Event::Opened { bids, winner } => {
                for (hand, bid) in state.hands.iter_mut().zip(bids) {
                    hand.remove(bid);
                }
                if let Some(points) = winner.and_then(|seat| state.points.get_mut(seat.index())) {
                    *points += i64::from(state.round);
                }
                state.sealed.fill(None);
                state.last_bids.clone_from(bids);
                state.round += 1;
            }
        }
    }

    fn turn(state: &State) -> Turn {
        if state.is_over() {
            return Turn::Over;
        }
        let waits = |seat: &Seat| state.round > 0 && state.sealed_bid(*seat).is_none();
        Turn::Awaiting(Seat::all(state.seat_count()).filter(waits).collect())
    }

    fn legal_orders(state: &State, seat: Seat) -> Vec<Bid> {
        match Self::turn(state).awaits(seat) {
            true => state.hand(seat).into_iter().map(Bid).collect(),
            false => Vec::new(),
        }
    }

    fn publicly_only_legal_order(state: &State, seat: Seat) -> Option<Bid> {
        Some(Self::legal_orders(state, seat)).filter(|all| all.len() == 1)?.pop()
    }

    fn decide(
        state: &State,
        seat: Seat,
        &Bid(card): &Bid,
        _: &mut Dice,
    ) -> Result<Vec<Event>, Refusal> {
        Self::turn(state).ensure_awaits(seat)?;
        let hand = state.hand(seat);
        if !hand.contains(&card) {
            let held: Vec<u8> = hand.into_iter().collect();
            let why = Message::new("sb-not-held").with("card", card).with("cards", held);
            return Err(Refusal::illegal(why));
        }
        let mut events = vec![Event::Sealed { seat, card }];
        let mut after = state.clone();
        events.iter().for_each(|event| Self::apply(&mut after, event));
        let bids: Vec<u8> = after.sealed.iter().copied().flatten().collect();
        if bids.len() == after.sealed.len() {
            events.push(Event::Opened { winner: find_winner(&bids), bids });
        }
        Ok(events)
    }

    fn invalidates(event: &Event, _: &Bid) -> bool {
        matches!(event, Event::Opened { .. })
    }

    fn order_for_absent_player(state: &State, seat: Seat) -> Bid {
        Bid(state.hand(seat).first().copied().unwrap_or_default())
    }

    fn rankings(state: &State) -> Vec<Ranking> {
        rank_by_points(state.seat_count(), |seat| {
            let points = state.points.get(seat.index()).copied().unwrap_or_default();
            vec![ScorePart { item: Message::new("sb-rounds"), points }]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn highest_unique_bid_wins() {
        for (bids, winner) in [
            (&[3, 5, 4][..], Some(2)),
            (&[5, 5, 4], Some(3)),
            (&[5, 5, 4, 4], None),
            (&[1, 2], Some(2)),
        ] {
            assert_eq!(find_winner(bids), winner.map(Seat::new), "{bids:?}");
        }
    }
}
