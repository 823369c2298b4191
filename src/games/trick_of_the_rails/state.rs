//! The position, and what happens to it. No rule stands here.

use super::card::{Card, CardSet};
use super::company::{ByCompany, Company};
use super::definition::Locomotive;
use super::edition::Edition;
use super::railway::{End, Railway, Track};
use crate::rules::Seat;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One small step of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Plays a card of the hand to the trick.
    Play(Card),
    /// Adds the City of the lane to a railway.
    City {
        company: Company,
        /// At which end.
        end: End,
    },
    /// Puts the locomotive of the lane on a railway.
    Locomotive { company: Company },
    /// Adds the card that was played to this end of its company's railway.
    End(End),
}

/// A card of the trick lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LaneCard {
    /// A company's Exchange card: a share.
    Exchange(Company),
    /// A railway card that took the place of a Reservation: a share.
    Railway(Card),
    Reservation,
    /// The City card with this place in the definition.
    City(u8),
    Locomotive(Locomotive),
}

/// What a player is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Play a card.
    Play,
    /// Add this City to a railway.
    City(u8),
    /// Put this locomotive on a railway.
    Locomotive(Locomotive),
    /// Say to which end the card that was played goes.
    End(Card),
}

/// One thing that happened. A company is where a card goes only when the card does not say it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// The trick lane was laid out, face up (ruling 5).
    Lane {
        /// From left to right.
        cards: Vec<LaneCard>,
    },
    /// A player was dealt a hand. Only the player sees it (ruling 12).
    Dealt { seat: Seat, cards: CardSet },
    /// What was left of the deck went to the right ends of its companies' railways.
    Leftover {
        /// In the order of the deck (ruling 2).
        cards: Vec<Card>,
    },
    /// The next trick begins, and this seat leads.
    Leads { seat: Seat },
    /// It is this seat's turn within the trick.
    Turn {
        seat: Seat,
        /// To do what.
        step: Step,
    },
    /// A card was played to the trick.
    Played { seat: Seat, card: Card },
    /// A trick was won.
    Won { seat: Seat },
    /// The winner of a stock round took the leftmost card of the lane as a share.
    Taken { seat: Seat, share: LaneCard },
    /// The winner's card took the place of the leftmost Reservation, which left the game.
    Reserved {
        card: Card,
        /// The place of the lane, from 1.
        place: u8,
    },
    /// The winner's card left the game.
    Removed { card: Card },
    /// A card that was played to the trick became a share of who played it.
    Kept { seat: Seat, card: Card },
    /// A City was added to a railway.
    Built {
        seat: Seat,
        /// The City card's place in the definition.
        city: u8,
        company: Company,
        /// At which end.
        end: End,
    },
    /// A locomotive was put on a railway.
    Mounted {
        /// By whom; nobody when only one railway was left for it (ruling 14).
        seat: Option<Seat>,
        locomotive: Locomotive,
        company: Company,
    },
    /// A card that was played to the trick was added to its company's railway.
    Laid {
        seat: Seat,
        card: Card,
        /// At which end.
        end: End,
    },
    /// The last trick is over.
    Ended,
}

/// How far the game has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Nothing has been dealt.
    Unopened,
    /// It is this seat's turn.
    Turn(Seat, Step),
    /// It has ended.
    Over,
}

/// A player's shares, which lie face up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shares {
    /// The railway cards among them.
    pub cards: CardSet,
    /// The Exchange cards among them.
    pub exchanges: ByCompany<bool>,
}

impl Shares {
    /// How many of one company.
    pub fn of_company(&self, company: Company) -> u32 {
        self.cards.of_company(company).len() + u32::from(self.exchanges[company])
    }

    /// Counts the shares of all companies.
    pub fn total(&self) -> u32 {
        Company::ALL.into_iter().map(|company| self.of_company(company)).sum()
    }
}

/// Everything about one game being played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The cards and the lane that the game was founded with.
    pub edition: Arc<Edition>,
    /// Whose turn it is.
    pub phase: Phase,
    /// The cards that have not been dealt.
    pub deck: CardSet,
    /// What each seat holds in secret.
    pub hands: Vec<CardSet>,
    /// What each seat was dealt.
    pub dealt: Vec<CardSet>,
    /// The seats, as bits, that have shown that they hold no card of a company.
    pub void: ByCompany<u8>,
    /// What each seat has in front of it.
    pub shares: Vec<Shares>,
    /// The lane; a place is empty once its card was taken or placed.
    pub lane: Vec<Option<LaneCard>>,
    /// The place of the lane, from 0, that the trick is played for.
    pub trick: usize,
    /// The cards of the trick in the order of play, until they go to their places.
    pub trick_cards: Vec<(Seat, Card)>,
    /// Who won the trick.
    pub winner: Option<Seat>,
    pub railways: ByCompany<Railway>,
    /// The railway cards that left the game (ruling 4).
    pub removed: CardSet,
}

impl State {
    /// The table before anything has been dealt.
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

    /// Returns the seat whose turn it is.
    pub const fn active_seat(&self) -> Option<Seat> {
        if let Phase::Turn(seat, _) = self.phase { Some(seat) } else { None }
    }

    /// Counts the shares of this company that all players hold.
    pub fn shares_held(&self, company: Company) -> u32 {
        self.shares.iter().map(|shares| shares.of_company(company)).sum()
    }

    /// What the seat is to do; nothing when it is not its turn.
    pub fn step_of(&self, seat: Seat) -> Option<Step> {
        match self.phase {
            Phase::Turn(turn, step) if turn == seat => Some(step),
            _ => None,
        }
    }

    /// What this seat holds in secret; nothing when there is no such seat.
    pub fn hand_of(&self, seat: Seat) -> CardSet {
        self.hands.get(seat.index()).copied().unwrap_or_default()
    }

    /// What this seat has in front of it; nothing when there is no such seat.
    pub fn shares_of(&self, seat: Seat) -> Shares {
        self.shares.get(seat.index()).copied().unwrap_or_default()
    }

    /// The lane card that the trick is played for.
    pub fn current_prize(&self) -> Option<LaneCard> {
        self.lane.get(self.trick).copied().flatten()
    }

    /// Whether all have seen that the seat holds no card of this company.
    pub fn is_void(&self, seat: Seat, company: Company) -> bool {
        self.void[company] & seat_bit(seat) != 0
    }

    /// The company that was led.
    pub fn led_company(&self) -> Option<Company> {
        self.trick_cards.first().map(|(_, card)| card.company())
    }

    /// The card that this seat has in the trick.
    pub fn card_played_by(&self, seat: Seat) -> Option<Card> {
        self.trick_cards.iter().find(|(player, _)| *player == seat).map(|&(_, card)| card)
    }

    /// The place, from 0, of the leftmost Reservation.
    pub fn leftmost_reservation(&self) -> Option<usize> {
        self.lane.iter().position(|card| *card == Some(LaneCard::Reservation))
    }

    /// Lets something happen: total and silent.
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
        // Who does not follow holds nothing to follow with.
        if let Some(led) = self.led_company().filter(|&led| led != card.company()) {
            self.void[led] |= seat_bit(seat);
        }
        self.trick_cards.push((seat, card));
    }

    fn begin_trick(&mut self, leader: Seat) {
        // The first trick is played for the first place; each later one follows a trick that was
        // won.
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

    /// The card of the trick's place in the lane goes elsewhere.
    fn clear_lane_place(&mut self) {
        if let Some(place) = self.lane.get_mut(self.trick) {
            *place = None;
        }
    }

    /// The card leaves the trick for another place.
    fn remove_from_trick(&mut self, card: Card) {
        self.trick_cards.retain(|&(_, played)| played != card);
    }
}

/// The bit of a seat in a set of them; none for one that is not at any table.
fn seat_bit(seat: Seat) -> u8 {
    u32::try_from(seat.index()).ok().and_then(|index| 1_u8.checked_shl(index)).unwrap_or_default()
}
