//! Who plays: by lot, and with a bias. Positions that play by lot comes to once in a million games
//! are where somebody ends up who always does the same.

use super::walk::Walk;
use crate::common::sample_or_all;
use postrider::rules::{Game, Seat};

/// How a player chooses among what is legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// By lot.
    Random,
    /// What is listed first.
    First,
    /// What is listed last.
    Last,
    /// What takes most words to write.
    Longest,
    /// The same kind of order as before, as long as there is one.
    Repeating,
    /// What leaves the line, and the game, open, and brings its end no nearer.
    Delaying,
    /// What brings the end nearest.
    Hurrying,
    /// The kind of order that was given least often.
    LeastUsed,
}

/// One game is played by each of them.
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

/// The players of a run at tables of so many seats: all of them in a full run. In a usual run the
/// random player plays at every table, and each of the others at every other number of seats.
pub fn strategies_for_seats(seats: u8) -> Vec<Strategy> {
    let (even, odd) = STRATEGIES.split_at(STRATEGIES.len() / 2);
    let half = if seats.is_multiple_of(2) { even } else { odd };
    let random = (half == odd).then_some(Strategy::Random);
    let sample = random.into_iter().chain(half.iter().copied()).collect();
    sample_or_all(sample, STRATEGIES.to_vec())
}

/// Nobody has a bias for longer: a game is to end.
const BIASED_STEPS_MAX: usize = 150;
/// So many orders are looked at more closely.
const WEIGHED_ORDERS_MAX: usize = 6;

/// What kind of order it is: how the names in it nest, without what they say.
pub fn order_kind<T: std::fmt::Debug>(order: &T) -> String {
    let text = format!("{order:?}");
    text.chars().take_while(|c| c.is_alphabetic() || *c == '(').collect()
}

impl Strategy {
    /// Chooses one of these orders, of which there is at least one.
    pub fn choose_order<G: Game>(
        self,
        walk: &mut Walk<G>,
        seat: Seat,
        legal: &[G::Order],
    ) -> G::Order {
        let player = if walk.steps > BIASED_STEPS_MAX { Self::Random } else { self };
        let wanted: Vec<&G::Order> = match player {
            Self::Random => Vec::new(),
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
                let come = |order: &&G::Order| progress_after(walk, seat, order);
                sample_orders(walk, legal).into_iter().min_by_key(come).into_iter().collect()
            }
            Self::Hurrying => {
                let come = |order: &&G::Order| progress_after(walk, seat, order);
                sample_orders(walk, legal).into_iter().max_by_key(come).into_iter().collect()
            }
        };
        let chosen = walk.chooser.clone().pick(&wanted).map(|order| (*order).clone());
        let by_lot = walk.chooser.pick(legal).cloned();
        chosen.or(by_lot).expect("something is legal")
    }
}

/// Some of the orders, where there are too many to weigh each.
fn sample_orders<'a, G: Game>(walk: &Walk<G>, legal: &'a [G::Order]) -> Vec<&'a G::Order> {
    let mut chooser = walk.chooser.clone();
    (0..WEIGHED_ORDERS_MAX).filter_map(|_| chooser.pick(legal)).collect()
}

/// How far the game has come after this order, and whether it ends the line.
fn progress_after<G: Game>(walk: &Walk<G>, seat: Seat, order: &G::Order) -> (u8, bool) {
    let mut ahead = walk.state.clone();
    let events = G::decide(&ahead, seat, order, &mut walk.copy_dice());
    events.iter().flatten().for_each(|event| G::apply(&mut ahead, event));
    let orders = [walk.line_so_far(), std::slice::from_ref(order)].concat();
    (G::progress_percent(&ahead), G::is_complete_line(&ahead, &orders))
}
