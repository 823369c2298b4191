//! The position, and how events change it. All rules are in `decide`.

use super::card::{Card, CardSet};
use super::company::{ByCompany, Company};
use super::definition::Locomotive;
use super::edition::Edition;
use super::railway::{End, Railway, Track};
use crate::rules::Seat;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One step of a player: playing a card or placing one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Plays a card from the hand.
    Play(Card),
    /// Adds the City of the lane to a railway.
    City {
        company: Company,
        /// The end of the railway to which the City is added.
        end: End,
    },
    /// Gives the locomotive of the lane to a company.
    Locomotive { company: Company },
    /// Adds the seat's played card to this end of its company's railway.
    End(End),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LaneCard {
    /// A company's Exchange card, which is a share.
    Exchange(Company),
    /// A railway card that replaced a Reservation. It is a share.
    Railway(Card),
    Reservation,
    /// The City card with this index in the definition.
    City(u8),
    Locomotive(Locomotive),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    Play,
    City(u8),
    Locomotive(Locomotive),
    /// Choose the end of the railway to which this played card is added.
    End(Card),
}

/// An event of the game's log. An event names a company only if its card does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// The trick lane was laid out, face up (ruling 5).
    Lane {
        /// The cards of the lane from left to right.
        cards: Vec<LaneCard>,
    },
    /// A player was dealt a hand. Only this player sees it (ruling 12).
    Dealt { seat: Seat, cards: CardSet },
    /// The rest of the deck was added to the right ends of the cards' railways.
    Leftover {
        /// The cards in the order of the deck (ruling 2).
        cards: Vec<Card>,
    },
    /// The next trick began, and this seat leads.
    Leads { seat: Seat },
    /// The turn passed to this seat within the trick.
    Turn {
        seat: Seat,
        /// The step that the seat must take.
        step: Step,
    },
    /// A player played a card.
    Played { seat: Seat, card: Card },
    /// A player won the trick.
    Won { seat: Seat },
    /// The winner of a stock round took the leftmost card of the lane as a share.
    Taken { seat: Seat, share: LaneCard },
    /// The winner's card replaced the leftmost Reservation, which left the game.
    Reserved {
        card: Card,
        /// The place in the lane, from 1.
        place: u8,
    },
    /// The winner's card left the game.
    Removed { card: Card },
    /// A played card became a share of its player.
    Kept { seat: Seat, card: Card },
    /// A City was added to a railway.
    Built {
        seat: Seat,
        /// The index of the City card in the definition.
        city: u8,
        company: Company,
        /// The end of the railway to which the City was added.
        end: End,
    },
    /// A company got a locomotive.
    Mounted {
        /// The player who chose the company. `None` if only one company was left for the locomotive
        /// (ruling 14).
        seat: Option<Seat>,
        locomotive: Locomotive,
        company: Company,
    },
    /// A played card was added to its company's railway.
    Laid {
        seat: Seat,
        card: Card,
        /// The end of the railway to which the card was added.
        end: End,
    },
    /// The last trick is over.
    Ended,
}

/// The stage of the game: before the deal, in play, or over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The hands have not been dealt yet.
    Unopened,
    Turn(Seat, Step),
    Over,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shares {
    pub cards: CardSet,
    /// The companies whose Exchange card the player has.
    pub exchanges: ByCompany<bool>,
}

impl Shares {
    pub fn of_company(&self, company: Company) -> u32 {
        self.cards.of_company(company).len() + u32::from(self.exchanges[company])
    }

    pub fn total(&self) -> u32 {
        Company::ALL.into_iter().map(|company| self.of_company(company)).sum()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The cards and the lane with which the game was founded.
    pub edition: Arc<Edition>,
    pub phase: Phase,
    pub deck: CardSet,
    /// The hand of each seat, which is hidden from the others.
    pub hands: Vec<CardSet>,
    pub dealt: Vec<CardSet>,
    /// For each company, the seats that have shown that they hold no card of it, as bits.
    pub void: ByCompany<u8>,
    pub shares: Vec<Shares>,
    /// The trick lane. A place is `None` once its card was taken or placed.
    pub lane: Vec<Option<LaneCard>>,
    /// The index of the current trick, which is its place in the lane, from 0.
    pub trick: usize,
    /// The cards of the current trick in the order of play. A card leaves the list when it becomes
    /// a share, is removed, or goes to a railway or to the lane.
    pub trick_cards: Vec<(Seat, Card)>,
    /// The winner of the current trick, once all cards are played.
    pub winner: Option<Seat>,
    pub railways: ByCompany<Railway>,
    /// The railway cards that left the game (ruling 4).
    pub removed: CardSet,
}

impl State {
    pub fn new(edition: Arc<Edition>) -> Self {
        let seats = usize::from(edition.seats);
        Self {
            edition,
            phase: Phase::Unopened,
            deck: CardSet::ALL,
            hands: vec![CardSet::EMPTY; seats],
            dealt: vec![CardSet::EMPTY; seats],
            void: ByCompany::default(),
            shares: vec![Shares::default(); seats],
            lane: Vec::new(),
            trick: 0,
            trick_cards: Vec::with_capacity(seats),
            winner: None,
            railways: ByCompany::from_fn(|_| Railway::default()),
            removed: CardSet::EMPTY,
        }
    }

    /// Returns the seat whose turn it is. Returns `None` before the deal and after the end.
    pub const fn active_seat(&self) -> Option<Seat> {
        if let Phase::Turn(seat, _) = self.phase { Some(seat) } else { None }
    }

    /// Counts the shares of this company that all players hold.
    pub fn shares_held(&self, company: Company) -> u32 {
        self.shares.iter().map(|shares| shares.of_company(company)).sum()
    }

    /// Returns the step that the seat must take, or `None` if it is not its turn.
    pub fn step_of(&self, seat: Seat) -> Option<Step> {
        match self.phase {
            Phase::Turn(turn, step) if turn == seat => Some(step),
            _ => None,
        }
    }

    /// Returns the seat's hand. It is empty if there is no such seat.
    pub fn hand_of(&self, seat: Seat) -> CardSet {
        self.hands.get(seat.index()).copied().unwrap_or_default()
    }

    /// Returns the seat's shares. There are none if there is no such seat.
    pub fn shares_of(&self, seat: Seat) -> Shares {
        self.shares.get(seat.index()).copied().unwrap_or_default()
    }

    /// Returns the lane card for which the current trick is played.
    pub fn current_prize(&self) -> Option<LaneCard> {
        self.lane.get(self.trick).copied().flatten()
    }

    /// Whether the seat has shown that it holds no card of this company.
    pub fn is_void(&self, seat: Seat, company: Company) -> bool {
        self.void[company] & seat_bit(seat) != 0
    }

    pub fn led_company(&self) -> Option<Company> {
        self.trick_cards.first().map(|(_, card)| card.company())
    }

    pub fn card_played_by(&self, seat: Seat) -> Option<Card> {
        self.trick_cards.iter().find(|(player, _)| *player == seat).map(|&(_, card)| card)
    }

    /// Returns the place of the leftmost Reservation, from 0.
    pub fn leftmost_reservation(&self) -> Option<usize> {
        self.lane.iter().position(|card| *card == Some(LaneCard::Reservation))
    }

    /// Applies an event. It never fails and checks no rule.
    pub fn apply(&mut self, event: &Event) {
        match *event {
            Event::Lane { ref cards } => self.lane = cards.iter().copied().map(Some).collect(),
            Event::Dealt { seat, cards } => self.deal_hand(seat, cards),
            Event::Leftover { ref cards } => {
                for &card in cards {
                    self.deck.remove(card);
                    self.railways[card.company()].add(Track::Card(card), End::Right);
                }
            }
            Event::Leads { seat } => self.begin_trick(seat),
            Event::Turn { seat, step } => self.phase = Phase::Turn(seat, step),
            Event::Played { seat, card } => self.play_card(seat, card),
            Event::Won { seat } => self.winner = Some(seat),
            Event::Ended => self.phase = Phase::Over,
            Event::Taken { seat, share } => self.take_share(seat, share),
            Event::Reserved { card, place } => {
                self.remove_from_trick(card);
                let place = usize::from(place).checked_sub(1);
                if let Some(slot) = place.and_then(|place| self.lane.get_mut(place)) {
                    *slot = Some(LaneCard::Railway(card));
                }
            }
            Event::Removed { card } => {
                self.remove_from_trick(card);
                self.removed.insert(card);
            }
            Event::Kept { seat, card } => {
                self.remove_from_trick(card);
                if let Some(shares) = self.shares.get_mut(seat.index()) {
                    shares.cards.insert(card);
                }
            }
            Event::Built { city, company, end, .. } => {
                self.clear_lane_place();
                self.railways[company].add(Track::City(city), end);
            }
            Event::Mounted { locomotive, company, .. } => {
                self.clear_lane_place();
                self.railways[company].locomotive = Some(locomotive);
            }
            Event::Laid { card, end, .. } => {
                self.remove_from_trick(card);
                self.railways[card.company()].add(Track::Card(card), end);
            }
        }
    }

    fn deal_hand(&mut self, seat: Seat, cards: CardSet) {
        self.deck = self.deck.minus(cards);
        for held in [&mut self.hands, &mut self.dealt] {
            held.get_mut(seat.index()).into_iter().for_each(|held| *held = cards);
        }
    }

    fn play_card(&mut self, seat: Seat, card: Card) {
        if let Some(hand) = self.hands.get_mut(seat.index()) {
            hand.remove(card);
        }
        // A player who does not follow suit holds no card of the led company.
        if let Some(led) = self.led_company().filter(|&led| led != card.company()) {
            self.void[led] |= seat_bit(seat);
        }
        self.trick_cards.push((seat, card));
    }

    fn begin_trick(&mut self, leader: Seat) {
        // The first trick is for the first place of the lane. Each later one begins after a trick
        // was won.
        self.trick = self.trick.saturating_add(usize::from(self.winner.is_some()));
        self.winner = None;
        self.phase = Phase::Turn(leader, Step::Play);
    }

    fn take_share(&mut self, seat: Seat, share: LaneCard) {
        self.clear_lane_place();
        let Some(shares) = self.shares.get_mut(seat.index()) else { return };
        match share {
            LaneCard::Exchange(company) => shares.exchanges[company] = true,
            LaneCard::Railway(card) => shares.cards.insert(card),
            LaneCard::Reservation | LaneCard::City(_) | LaneCard::Locomotive(_) => {}
        }
    }

    fn clear_lane_place(&mut self) {
        if let Some(place) = self.lane.get_mut(self.trick) {
            *place = None;
        }
    }

    fn remove_from_trick(&mut self, card: Card) {
        self.trick_cards.retain(|&(_, played)| played != card);
    }
}

/// Returns the bit of a seat in a set of seats. Returns 0 for a seat that does not fit into the
/// set.
fn seat_bit(seat: Seat) -> u8 {
    u32::try_from(seat.index()).ok().and_then(|index| 1_u8.checked_shl(index)).unwrap_or_default()
}
