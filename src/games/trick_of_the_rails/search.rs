//! The knowledge that computer players use.

use super::TrickOfTheRails;
use super::state::{Order, State};
use super::views::{share_values, total_share_worth};
use crate::rules::{Effort, Rules, Search, Seat};

const fn new_effort(iterations: u32) -> Effort {
    // Little exploration, and most of the reward for the lead: with the numbers of the other games,
    // 1,000 simulated games are hardly stronger than 200.
    Effort {
        iterations,
        depth: 120,
        first_width: 16,
        width: 16,
        random_percent: 100,
        exploration_percent: 30,
        lead_percent: 70,
    }
}

impl Search for TrickOfTheRails {
    const EFFORTS: [Effort; 3] = [new_effort(30), new_effort(120), new_effort(1_000)];
    const CLEAR_LEAD: i64 = 60;

    fn merits(state: &State) -> Vec<i64> {
        let (values, seats) = (share_values(state), state.edition.seats);
        let own = |seat| total_share_worth(state, seat, &values);
        let is_team = state.edition.options.teams;
        let merit = |seat: Seat| {
            let partner = seat.next(seats).next(seats);
            own(seat) + if is_team { own(partner) } else { 0 }
        };
        Seat::all(seats).map(merit).collect()
    }

    fn candidates(state: &State, seat: Seat, most: usize) -> Vec<Vec<Order>> {
        let mut legal = Self::legal_orders(state, seat);
        legal.truncate(most);
        legal.into_iter().map(|order| vec![order]).collect()
    }
}
