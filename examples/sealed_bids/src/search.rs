//! The knowledge that computer players use.

use super::{Bid, SealedBids, State};
use postrider::rules::{Effort, Rules, Search, Seat};

/// A game with so few lines considers all of them.
const fn new_effort(iterations: u32) -> Effort {
    Effort {
        iterations,
        depth: 20,
        first_width: 8,
        width: 8,
        random_percent: 100,
        exploration_percent: 60,
        lead_percent: 30,
    }
}

impl Search for SealedBids {
    const EFFORTS: [Effort; 3] = [new_effort(10), new_effort(50), new_effort(200)];
    const CLEAR_LEAD: i64 = 5;

    fn merits(state: &State) -> Vec<i64> {
        state.points.clone()
    }

    fn candidates(state: &State, seat: Seat, most: usize) -> Vec<Vec<Bid>> {
        Self::legal_orders(state, seat).into_iter().take(most).map(|bid| vec![bid]).collect()
    }
}
