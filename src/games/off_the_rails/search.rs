//! The knowledge that computer players use: the suggested turns, and the jewels on the way.

use super::crash::jewel_value;
use super::score::{self, Grade};
use super::turn_plans::{self, PlanTrial};
use super::{Era, Jewel, JewelCounts, OffTheRails, Order, Place, State, suggest, travel};
use crate::rules::{Effort, Rules, Search, Seat};

const fn new_effort(iterations: u32, depth: u32, width: usize) -> Effort {
    Effort {
        iterations,
        depth,
        first_width: 2,
        width,
        random_percent: 0,
        exploration_percent: 60,
        lead_percent: 30,
    }
}

impl Search for OffTheRails {
    const EFFORTS: [Effort; 3] =
        [new_effort(6, 2, 4), new_effort(32, 8, 6), new_effort(160, 12, 8)];
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
        let mut lines = match travel::asked_seat(state) {
            Some(asked) if asked == seat => {
                suggest::rank_answers(state).into_iter().map(|answer| vec![answer]).collect()
            }
            None if state.active_seat() == Some(seat) => choose_turns(state, seat, most),
            _ => Vec::new(),
        };
        if lines.is_empty() && Self::turn(state).awaits(seat) {
            lines.push(vec![Self::order_for_absent_player(state, seat)]);
        }
        lines.truncate(most);
        lines
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

/// Returns the best plans for the rest of the turn that have different ends, as orders.
fn choose_turns(state: &State, seat: Seat, most: usize) -> Vec<Vec<Order>> {
    let options = turn_plans::find_cart_trips(state, seat);
    let plans = turn_plans::combine_plans(&options, turn_plans::action_budget(state));
    let is_saved = plans.iter().any(|plan| !plan.gives_up_cart);
    let selected = turn_plans::select_plans(&plans, most, is_saved, |plan| {
        let trial = PlanTrial::run(state, seat, plan)?;
        let whole = || plan.actions().copied().chain([Order::EndTurn]).collect();
        Some(if plan.names_route() { trial.orders } else { whole() })
    });
    let mut lines: Vec<Vec<Order>> = selected.into_iter().map(|(_, line)| line).collect();
    if state.numbers.is_solo() && score::solo_grade(state) != Grade::Loss {
        lines.push(vec![Order::StopGame]);
    }
    lines
}
