//! The knowledge that computer players use: the suggested turns, and the jewels on the way.

use super::crash::jewel_value;
use super::score::{self, Grade};
use super::{Era, Jewel, JewelCounts, OffTheRails, Order, Place, State, suggest};
use crate::rules::{Effort, OrderText, Rules, Search, Seat};

const fn new_effort(iterations: u32, depth: u32, width: usize) -> Effort {
    Effort { iterations, depth, first_width: 2, width, random_percent: 0 }
}

impl Search for OffTheRails {
    const EFFORTS: [Effort; 3] = [new_effort(6, 2, 4), new_effort(16, 4, 6), new_effort(48, 6, 8)];
    const CLEAR_LEAD: i64 = 400;

    fn merits(state: &State) -> Vec<i64> {
        let mut merits = vec![0; state.players.len()];
        for standing in Self::rankings(state) {
            let pile =
                state.player(standing.seat).map_or(JewelCounts::NONE, |it| it.delivered_jewels());
            // The tie-breaks of the rankings: more precious jewels, then fewer rocks.
            let ties = 100 * i64::from(pile.precious_total()) - i64::from(pile[Jewel::Rock]);
            if let Some(merit) = merits.get_mut(standing.seat.index()) {
                *merit = 10_000 * standing.score + ties;
            }
        }
        if state.numbers.is_solo() && score::solo_grade(state) == Grade::Loss {
            merits.iter_mut().for_each(|merit| *merit -= 1_000_000_000);
        }
        merits
    }

    fn candidates(state: &State, seat: Seat, most: usize) -> Vec<Vec<Order>> {
        let lines = suggest::suggest_best_lines(state, seat, most).into_iter();
        let read = lines.filter_map(|one| Self::parse_line(state, seat, &one.line).ok());
        let mut all: Vec<Vec<Order>> = read
            .map(|line| line.orders)
            .filter(|orders| !orders.iter().any(|order| matches!(order, Order::Wish(_))))
            .take(most)
            .collect();
        if all.is_empty() && Self::turn(state).awaits(seat) {
            all.push(vec![Self::order_for_absent_player(state, seat)]);
        }
        all
    }

    fn outlook(state: &State) -> Vec<i64> {
        let mut merits = Self::merits(state);
        for (index, merit) in merits.iter_mut().enumerate() {
            let seat = Seat::from_index(index);
            let is_solo = state.numbers.is_solo();
            for cart in state.carts_of(seat).map(|cart| state.cart(cart)) {
                let hold = jewel_value(state, cart.hold) * 7_000;
                let lost =
                    matches!(cart.place, Place::Gone) && (is_solo || state.era != Era::Mining);
                *merit += hold - if lost { 20_000 } else { 0 };
            }
            if let Some(player) = state.player(seat).filter(|_| is_solo) {
                let home = score::delivered_at_home(state, player);
                let kinds = Jewel::PRECIOUS.into_iter().map(|jewel| i64::from(home[jewel].min(2)));
                let first = Jewel::PRECIOUS.into_iter().map(|jewel| i64::from(home[jewel].min(1)));
                *merit += 20_000 * (kinds.sum::<i64>() + 3 * first.sum::<i64>());
            }
        }
        merits
    }
}
