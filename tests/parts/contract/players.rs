//! Who plays: by lot, and with a bias. Positions that play by lot comes to once in a million games
//! are where somebody ends up who always does the same.

use super::walk::Walk;
use crate::common::sample_or_all;
use postrider::rules::{Game, Seat};

/// How a player chooses among what is legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// By lot.
    Any,
    /// What is listed first.
    First,
    /// What is listed last.
    Last,
    /// What takes most words to write.
    Longest,
    /// The same kind of order as before, as long as there is one.
    Sticking,
    /// What leaves the line, and the game, open, and brings its end no nearer.
    Lingering,
    /// What brings the end nearest.
    Hastening,
    /// The kind of order that was given least often.
    Rare,
}

/// One game is played by each of them.
pub const PLAYERS: [Player; 8] = [
    Player::Any,
    Player::First,
    Player::Last,
    Player::Longest,
    Player::Sticking,
    Player::Lingering,
    Player::Hastening,
    Player::Rare,
];

/// The players of a run at tables of so many seats: all of them in a full run. In a usual run the
/// random player plays at every table, and each of the others at every other number of seats.
pub fn players_at(seats: u8) -> Vec<Player> {
    let (even, odd) = PLAYERS.split_at(PLAYERS.len() / 2);
    let half = if seats.is_multiple_of(2) { even } else { odd };
    let random = (half == odd).then_some(Player::Any);
    let sample = random.into_iter().chain(half.iter().copied()).collect();
    sample_or_all(sample, PLAYERS.to_vec())
}

/// Nobody has a bias for longer: a game is to end.
const PATIENCE: usize = 150;
/// So many orders are looked at more closely.
const WEIGHED: usize = 6;

/// What kind of order it is: how the names in it nest, without what they say.
pub fn kind_of<T: std::fmt::Debug>(order: &T) -> String {
    let text = format!("{order:?}");
    text.chars().take_while(|c| c.is_alphabetic() || *c == '(').collect()
}

impl Player {
    /// Chooses one of these orders, of which there is at least one.
    pub fn choose<G: Game>(self, walk: &mut Walk<G>, seat: Seat, legal: &[G::Order]) -> G::Order {
        let player = if walk.steps > PATIENCE { Self::Any } else { self };
        let wanted: Vec<&G::Order> = match player {
            Self::Any => Vec::new(),
            Self::First => legal.first().into_iter().collect(),
            Self::Last => legal.last().into_iter().collect(),
            Self::Longest => {
                let length = |order: &&G::Order| {
                    G::write(&walk.state, std::slice::from_ref(*order)).chars().count()
                };
                weighed(walk, legal).into_iter().max_by_key(length).into_iter().collect()
            }
            Self::Sticking => {
                let last = walk.orders.last().map(|done| kind_of(&done.order));
                legal.iter().filter(|order| Some(kind_of(order)) == last).collect()
            }
            Self::Rare => {
                let count = |order: &&G::Order| walk.given.get(&kind_of(order)).copied();
                let least = legal.iter().map(|order| count(&order)).min().flatten();
                legal.iter().filter(|order| count(order) == least).collect()
            }
            Self::Lingering => {
                let come = |order: &&G::Order| come_on(walk, seat, order);
                weighed(walk, legal).into_iter().min_by_key(come).into_iter().collect()
            }
            Self::Hastening => {
                let come = |order: &&G::Order| come_on(walk, seat, order);
                weighed(walk, legal).into_iter().max_by_key(come).into_iter().collect()
            }
        };
        let chosen = walk.chooser.clone().pick(&wanted).map(|order| (*order).clone());
        let by_lot = walk.chooser.pick(legal).cloned();
        chosen.or(by_lot).expect("something is legal")
    }
}

/// Some of the orders, where there are too many to weigh each.
fn weighed<'a, G: Game>(walk: &Walk<G>, legal: &'a [G::Order]) -> Vec<&'a G::Order> {
    let mut chooser = walk.chooser.clone();
    (0..WEIGHED).filter_map(|_| chooser.pick(legal)).collect()
}

/// How far the game has come after this order, and whether it ends the line.
fn come_on<G: Game>(walk: &Walk<G>, seat: Seat, order: &G::Order) -> (u8, bool) {
    let mut ahead = walk.state.clone();
    let events = G::decide(&ahead, seat, order, &mut walk.dice());
    events.iter().flatten().for_each(|event| G::apply(&mut ahead, event));
    let orders = [walk.line_so_far(), std::slice::from_ref(order)].concat();
    (G::progress(&ahead), G::is_whole_line(&ahead, &orders))
}
