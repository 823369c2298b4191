//! The strategies of the simulated players. A player who always prefers one kind of order reaches
//! positions that random play reaches once in a million games.

use super::searching::search_for_order;
use super::walk::RandomGame;
use crate::rules::{Game, Seat};
use crate::testing::sample_or_all;

/// The rule by which a player chooses among the legal orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    Random,
    /// The order that is listed first.
    First,
    /// The order that is listed last.
    Last,
    /// The order with the longest line.
    Longest,
    /// An order of the kind that was carried out last, as long as one is legal.
    Repeating,
    /// The order after which the game has progressed least, preferring one that keeps the line
    /// open.
    Delaying,
    /// The order after which the game has progressed most.
    Hurrying,
    /// An order of the kind that was used least often.
    LeastUsed,
    /// The order of a computer player that simulates few games.
    Searching,
}

/// All strategies but [`Strategy::Searching`], which plays one game with every seat count. Each of
/// them plays at least one game.
pub const STRATEGIES: [Strategy; 8] = [
    Strategy::Random,
    Strategy::First,
    Strategy::Last,
    Strategy::Longest,
    Strategy::Repeating,
    Strategy::Delaying,
    Strategy::Hurrying,
    Strategy::LeastUsed,
];

/// Returns the strategies to play with this seat count: all of them in a full run. In a usual run,
/// the random player plays with every seat count, and each other strategy with every other one.
pub fn strategies_for_seats(seats: u8) -> Vec<Strategy> {
    let (even, odd) = STRATEGIES.split_at(STRATEGIES.len() / 2);
    let half = if seats.is_multiple_of(2) { even } else { odd };
    let random = (half == odd).then_some(Strategy::Random);
    let sample = random.into_iter().chain(half.iter().copied()).collect();
    let mut all: Vec<Strategy> = sample_or_all(sample, STRATEGIES.to_vec());
    all.push(Strategy::Searching);
    all
}

/// The number of steps after which every player chooses at random, so that the game ends.
const BIASED_STEPS_MAX: usize = 150;
/// The number of orders that a strategy compares if it has to evaluate each.
const WEIGHED_ORDERS_MAX: usize = 6;

/// Returns the kind of an order: its nested type names without their fields, such as `Build(`.
pub fn order_kind<T: std::fmt::Debug>(order: &T) -> String {
    let text = format!("{order:?}");
    text.chars().take_while(|c| c.is_alphabetic() || *c == '(').collect()
}

impl Strategy {
    /// Chooses one of the legal orders. At least one is required.
    pub fn choose_order<G: Game>(
        self,
        walk: &mut RandomGame<G>,
        seat: Seat,
        legal: &[G::Order],
    ) -> G::Order {
        let player = if walk.steps > BIASED_STEPS_MAX { Self::Random } else { self };
        let wanted: Vec<&G::Order> = match player {
            Self::Random => Vec::new(),
            Self::Searching => {
                let found = search_for_order(walk, seat);
                return found
                    .filter(|order| legal.contains(order))
                    .unwrap_or_else(|| G::order_for_absent_player(&walk.state, seat));
            }
            Self::First => legal.first().into_iter().collect(),
            Self::Last => legal.last().into_iter().collect(),
            Self::Longest => {
                let length = |order: &&G::Order| {
                    G::write_line(&walk.state, std::slice::from_ref(*order)).chars().count()
                };
                sample_orders(walk, legal).into_iter().max_by_key(length).into_iter().collect()
            }
            Self::Repeating => {
                let last = walk.orders.last().map(|done| order_kind(&done.order));
                legal.iter().filter(|order| Some(order_kind(order)) == last).collect()
            }
            Self::LeastUsed => {
                let count = |order: &&G::Order| walk.order_counts.get(&order_kind(order)).copied();
                let least = legal.iter().map(|order| count(&order)).min().flatten();
                legal.iter().filter(|order| count(order) == least).collect()
            }
            Self::Delaying => {
                let progress = |order: &&G::Order| progress_after(walk, seat, order);
                sample_orders(walk, legal).into_iter().min_by_key(progress).into_iter().collect()
            }
            Self::Hurrying => {
                let progress = |order: &&G::Order| progress_after(walk, seat, order);
                sample_orders(walk, legal).into_iter().max_by_key(progress).into_iter().collect()
            }
        };
        let chosen = walk.chooser.clone().pick(&wanted).map(|order| (*order).clone());
        let by_lot = walk.chooser.pick(legal).cloned();
        chosen.or(by_lot).expect("something is legal")
    }
}

/// Returns a few random orders, because evaluating all of them would take too long.
fn sample_orders<'a, G: Game>(walk: &RandomGame<G>, legal: &'a [G::Order]) -> Vec<&'a G::Order> {
    let mut chooser = walk.chooser.clone();
    (0..WEIGHED_ORDERS_MAX).filter_map(|_| chooser.pick(legal)).collect()
}

/// Returns the game's progress in percent after this order, and whether the order completes the
/// line.
fn progress_after<G: Game>(walk: &RandomGame<G>, seat: Seat, order: &G::Order) -> (u8, bool) {
    let mut ahead = walk.state.clone();
    let events = G::decide(&ahead, seat, order, &mut walk.copy_dice());
    events.iter().flatten().for_each(|event| G::apply(&mut ahead, event));
    let orders = [walk.line_so_far(), std::slice::from_ref(order)].concat();
    (G::progress_percent(&ahead), G::is_complete_line(&ahead, &orders))
}
