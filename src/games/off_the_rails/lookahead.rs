//! The working copy of the position while an order is carried out. The rules apply each event to
//! the copy at once, because later events of the order depend on it.

use super::state::Player;
use super::{CartId, Event, Jewel, Mission, OffTheRails, Order, State, crash};
use crate::rules::{Dice, Refusal, Rules, Seat};

/// A copy of the position with the events that have been applied to it so far.
pub struct Lookahead<'a> {
    /// The position after all of `events`.
    pub state: State,
    pub events: Vec<Event>,
    pub dice: &'a mut Dice,
}

impl<'a> Lookahead<'a> {
    pub fn new(state: &State, dice: &'a mut Dice) -> Self {
        Self { state: state.clone(), events: Vec::new(), dice }
    }

    /// Applies an event to the copy and appends it to `events`.
    pub fn apply_and_record(&mut self, event: Event) {
        self.state.apply(&event);
        self.events.push(event);
    }

    /// Carries out an order of a seat.
    ///
    /// # Errors
    /// The refusal if the order is not legal.
    pub fn decide_and_apply(&mut self, seat: Seat, order: &Order) -> Result<(), Refusal> {
        let events = OffTheRails::decide(&self.state, seat, order, self.dice)?;
        events.into_iter().for_each(|event| self.apply_and_record(event));
        Ok(())
    }

    /// Carries out an answer to a question of the current move.
    pub fn carry_out_answer(&mut self, answer: &Order) {
        let Some(run) = self.state.current_move else { return };
        let cart = run.cart;
        let rammed = run.crash.map(|crash| crash.other);
        match (*answer, rammed) {
            (Order::Go(way), _) => self.apply_and_record(Event::Headed { cart, way }),
            (Order::Face(facing), _) => self.apply_and_record(Event::Halted { cart, facing }),
            (Order::Take(jewel), _) => {
                self.apply_and_record(Event::Took { cart, jewel });
                self.record_mission_if_hold_full(cart);
            }
            (Order::Cut(first), Some(cart)) => self.apply_and_record(Event::Cut { cart, first }),
            (Order::Drop(jewels), Some(cart)) => {
                self.apply_and_record(Event::Dropped { cart, jewels });
            }
            (Order::Pick { first }, Some(cart)) => {
                let piles = crash::current_piles(&self.state, &run, cart).unwrap_or_default();
                self.apply_and_record(Event::Dropped { cart, jewels: piles[usize::from(!first)] });
            }
            (Order::PickAny, Some(_)) => {
                let first = self.dice.roll_below(2) == 0;
                self.carry_out_answer(&Order::Pick { first });
            }
            _ => {}
        }
    }

    /// Records that the active player has achieved a mission. Does nothing if the mission does not
    /// lie face up, or was already achieved in this turn.
    pub fn record_mission(&mut self, mission: Mission) {
        if self.state.missions.contains(mission)
            && !self.state.turn_progress.achieved_missions.contains(mission)
        {
            self.apply_and_record(Event::Achieved { mission });
        }
    }

    /// Records Gem Collector if the cart's hold is full. (Seed: "Fill a cart with 5 precious
    /// jewels.")
    pub fn record_mission_if_hold_full(&mut self, cart: CartId) {
        if self.state.has_full_hold(cart) {
            self.record_mission(Mission::GemCollector);
        }
    }

    /// Records the missions that ask for a lasting state instead of a deed: Gem Collector and Spice
    /// of Life (rulings 35 and 37).
    pub fn record_lasting_missions(&mut self) {
        let Some(seat) = self.state.active_seat() else { return };
        let carts: Vec<CartId> = self.state.carts_of(seat).collect();
        carts.into_iter().for_each(|cart| self.record_mission_if_hold_full(cart));
        let pile = self.state.player(seat).map_or_else(Default::default, Player::delivered_jewels);
        if Jewel::PRECIOUS.into_iter().all(|jewel| pile[jewel] > 0) {
            self.record_mission(Mission::SpiceOfLife);
        }
    }
}
