//! A position that runs ahead of the game while an order is being judged.

use super::state::Player;
use super::{CartId, Event, Jewel, Mission, OffTheRails, Order, State, crash};
use crate::rules::{Dice, Refusal, Rules, Seat};

/// The position so far, what happened to it, and the dice.
pub struct Ahead<'a> {
    /// Where the game stands after all that has happened.
    pub state: State,
    /// What has happened.
    pub events: Vec<Event>,
    pub dice: &'a mut Dice,
}

impl<'a> Ahead<'a> {
    /// Nothing has happened yet.
    pub fn new(state: &State, dice: &'a mut Dice) -> Self {
        Self { state: state.clone(), events: Vec::new(), dice }
    }

    /// Lets something happen.
    pub fn happen(&mut self, event: Event) {
        self.state.apply(&event);
        self.events.push(event);
    }

    /// Carries out an order of a seat.
    ///
    /// # Errors
    /// Why the order is not legal.
    pub fn follow(&mut self, seat: Seat, order: &Order) -> Result<(), Refusal> {
        let events = OffTheRails::decide(&self.state, seat, order, self.dice)?;
        events.into_iter().for_each(|event| self.happen(event));
        Ok(())
    }

    /// Carries out what was said about the moving cart.
    pub fn answer(&mut self, answer: &Order) {
        let Some(run) = self.state.run else { return };
        let cart = run.cart;
        let rammed = run.crash.map(|crash| crash.other);
        match (*answer, rammed) {
            (Order::Go(way), _) => self.happen(Event::Headed { cart, way }),
            (Order::Face(facing), _) => self.happen(Event::Halted { cart, facing }),
            (Order::Take(jewel), _) => {
                self.happen(Event::Took { cart, jewel });
                self.note_full_hold(cart);
            }
            (Order::Cut(first), Some(cart)) => self.happen(Event::Cut { cart, first }),
            (Order::Drop(jewels), Some(cart)) => self.happen(Event::Dropped { cart, jewels }),
            (Order::Pick { first }, Some(cart)) => {
                let piles = crash::cut_piles(&self.state, &run, cart).unwrap_or_default();
                self.happen(Event::Dropped { cart, jewels: piles[usize::from(!first)] });
            }
            (Order::PickAny, Some(_)) => {
                let first = self.dice.below(2) == 0;
                self.answer(&Order::Pick { first });
            }
            _ => {}
        }
    }

    /// Notes what a mission asks for, if the mission is there to be claimed.
    pub fn achieve(&mut self, mission: Mission) {
        if self.state.missions.contains(mission) && !self.state.stint.deeds.contains(mission) {
            self.happen(Event::Achieved { mission });
        }
    }

    /// "Fill a cart with 5 precious jewels."
    pub fn note_full_hold(&mut self, cart: CartId) {
        if self.state.has_full_hold(cart) {
            self.achieve(Mission::GemCollector);
        }
    }

    /// What can be claimed because it is so, not because it was done in this turn (rulings 35, 37).
    pub fn note_states(&mut self) {
        let Some(seat) = self.state.active() else { return };
        let carts: Vec<CartId> = self.state.carts_of(seat).collect();
        carts.into_iter().for_each(|cart| self.note_full_hold(cart));
        let pile = self.state.player(seat).map_or_else(Default::default, Player::pile);
        if Jewel::PRECIOUS.into_iter().all(|jewel| pile[jewel] > 0) {
            self.achieve(Mission::SpiceOfLife);
        }
    }
}
