//! The search of the computer players: a single-observer information-set Monte Carlo tree search.
//!
//! Each iteration draws a determinization for the seat, follows the tree, adds one node, plays the
//! simulated game on, and counts its result at all nodes of its path. The search sees the position
//! only through [`redeal`](super::HiddenInfo::redeal), so it cannot use what the seat does not
//! know. All arithmetic is on integers, so every machine finds the same line.

use super::{Dice, Effort, Search, Seat, Turn, Viewer};
use std::cmp::Reverse;

/// The maximum size of a tree in bytes. A full tree gets no new nodes.
pub(super) const TREE_BYTES_MAX: usize = 16 << 20;
/// The reward for a certain and high win. It is shared among the winners.
const REWARD_MAX: i64 = 1_000;

/// A line that the search has weighed.
pub(super) struct WeighedOrders<O> {
    pub orders: Vec<O>,
    pub visits: u32,
    /// The number of wins, in thousandths. Shared wins are divided.
    pub wins: u64,
}

/// A node of the tree: a line, with the results of the simulated games in which it was played.
struct Node<O> {
    orders: Vec<O>,
    /// The seat that plays the line.
    seat: Seat,
    children: Vec<usize>,
    visits: u32,
    /// The number of iterations in which the line could have been chosen.
    offers: u32,
    reward: i64,
    wins: u64,
}

/// A search from one position for one seat.
pub(super) struct TreeSearch<'a, G: Search> {
    effort: Effort,
    nodes: Vec<Node<G::Order>>,
    bytes: usize,
    bytes_max: usize,
    dice: &'a mut Dice,
}

impl<'a, G: Search> TreeSearch<'a, G> {
    pub(super) fn new(effort: Effort, bytes_max: usize, dice: &'a mut Dice) -> Self {
        let mut search = Self { effort, nodes: Vec::new(), bytes: 0, bytes_max, dice };
        search.add_node(Vec::new(), Seat::new(1));
        search
    }

    /// Runs all iterations. Returns the lines of the seat, the best first.
    pub(super) fn run(&mut self, state: &G::State, seat: Seat) -> Vec<WeighedOrders<G::Order>> {
        for _ in 0..self.effort.iterations {
            let determinization = G::redeal(state, Viewer::Seat(seat), self.dice);
            self.iterate(determinization);
        }
        let children = self.nodes.first().map_or(&[][..], |root| &root.children);
        let tried = children.iter().filter_map(|&child| self.nodes.get(child));
        let mut lines: Vec<WeighedOrders<G::Order>> = tried
            .map(|node| {
                let orders = node.orders.clone();
                WeighedOrders { orders, visits: node.visits, wins: node.wins }
            })
            .collect();
        // The sort is stable, so the earlier candidate comes first among equal ones.
        lines.sort_by_key(|line| Reverse((line.visits, line.wins)));
        lines
    }

    /// Returns the size of the tree in bytes.
    #[cfg(test)]
    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Plays one simulated game and counts its result.
    fn iterate(&mut self, mut state: G::State) {
        let (mut at, mut path, mut length) = (0, Vec::new(), 0);
        while length < self.effort.depth
            && let Some(seat) = next_seat::<G>(&state)
        {
            let lines = self.considered_lines(&state, seat, at);
            let Some((child, is_new)) = self.choose_child(at, seat, lines) else { break };
            let orders = self.nodes.get(child).map_or_else(Vec::new, |node| node.orders.clone());
            if !self.play_line(&mut state, seat, &orders) {
                break;
            }
            path.push(child);
            at = child;
            length += 1;
            if is_new {
                break;
            }
        }
        self.play_on(&mut state, length);
        self.count_result(&path, &state);
    }

    /// Returns the candidates that a node considers now. Their number grows with the square root
    /// of its visits.
    fn considered_lines(&self, state: &G::State, seat: Seat, at: usize) -> Vec<Vec<G::Order>> {
        let visits = self.nodes.get(at).map_or(0, |node| node.visits);
        let grown = usize::try_from((2 * u64::from(visits)).isqrt()).unwrap_or(usize::MAX);
        let width = self.effort.first_width.saturating_add(grown).min(self.effort.width.max(1));
        G::candidates(state, seat, width)
    }

    /// Returns the child for the first untried line. If all lines were tried, returns the one with
    /// the highest upper confidence bound. The flag says whether the child is new.
    fn choose_child(
        &mut self,
        at: usize,
        seat: Seat,
        lines: Vec<Vec<G::Order>>,
    ) -> Option<(usize, bool)> {
        let children = self.nodes.get(at)?.children.clone();
        let (mut known, mut untried) = (Vec::new(), None);
        for line in lines {
            let is_same = |child: &usize| {
                self.nodes.get(*child).is_some_and(|node| node.seat == seat && node.orders == line)
            };
            match children.iter().copied().find(is_same) {
                Some(child) => known.push(child),
                None => untried = untried.or(Some(line)),
            }
        }
        for &child in &known {
            if let Some(node) = self.nodes.get_mut(child) {
                node.offers = node.offers.saturating_add(1);
            }
        }
        if let Some(line) = untried
            && let Some(child) = self.add_node(line, seat)
        {
            self.nodes.get_mut(at)?.children.push(child);
            return Some((child, true));
        }
        let exploration = u64::from(self.effort.exploration_percent);
        let bound = |child: &usize| {
            self.nodes.get(*child).map_or(0, |node| upper_confidence_bound(node, exploration))
        };
        // `max_by_key` returns the last of equal elements, so the order is reversed.
        known.into_iter().rev().max_by_key(bound).map(|child| (child, false))
    }

    /// Adds a node. Returns its index, or `None` if the tree is full.
    fn add_node(&mut self, orders: Vec<G::Order>, seat: Seat) -> Option<usize> {
        let own = size_of::<Node<G::Order>>() + size_of::<usize>() * 2;
        // A vector may have allocated twice the memory that it needs.
        let bytes = 2 * own + orders.capacity() * size_of::<G::Order>();
        if self.bytes + bytes > self.bytes_max && !self.nodes.is_empty() {
            return None;
        }
        self.bytes += bytes;
        let children = Vec::new();
        self.nodes.push(Node { orders, seat, children, visits: 0, offers: 1, reward: 0, wins: 0 });
        Some(self.nodes.len() - 1)
    }

    /// Carries out a line. Stops at an order that is illegal in this determinization. Returns
    /// whether at least one order was carried out.
    fn play_line(&mut self, state: &mut G::State, seat: Seat, orders: &[G::Order]) -> bool {
        let carried = orders
            .iter()
            .take_while(|order| G::decide_and_apply(state, seat, order, self.dice).is_ok());
        carried.count() > 0
    }

    /// Plays the simulated game on without adding nodes.
    fn play_on(&mut self, state: &mut G::State, mut length: u32) {
        while length < self.effort.depth
            && let Some(seat) = next_seat::<G>(state)
        {
            let is_random = self.dice.roll_below(100) < self.effort.random_percent;
            let width = if is_random { self.effort.width.max(1) } else { 1 };
            let lines = G::candidates(state, seat, width);
            let Some(line) = self.dice.pick(&lines).cloned() else { return };
            if !self.play_line(state, seat, &line) {
                return;
            }
            length += 1;
        }
    }

    fn count_result(&mut self, path: &[usize], state: &G::State) {
        let is_over = G::turn(state) == Turn::Over;
        let merits = if is_over { G::merits(state) } else { G::outlook(state) };
        let lead_weight = i64::from(self.effort.lead_percent) * REWARD_MAX / 100;
        if let Some(root) = self.nodes.first_mut() {
            root.visits += 1;
        }
        for &at in path {
            let Some(node) = self.nodes.get_mut(at) else { continue };
            let wins = win_share(&merits, node.seat);
            node.visits += 1;
            node.wins += u64::try_from(wins).unwrap_or(0);
            let lead = lead_over_others(&merits, node.seat);
            node.reward += wins * (REWARD_MAX - lead_weight) / REWARD_MAX
                + lead_reward(lead, G::CLEAR_LEAD, lead_weight);
        }
    }
}

/// Chooses a line for the seat. The result depends only on the seat's knowledge and on the dice.
/// Empty if it is not the seat's turn.
pub fn choose_orders<G: Search>(
    state: &G::State,
    seat: Seat,
    effort: Effort,
    dice: &mut Dice,
) -> Vec<G::Order> {
    let known = G::redeal(state, Viewer::Seat(seat), dice);
    let mut lines = G::candidates(&known, seat, 2);
    if lines.len() > 1 {
        let mut search = TreeSearch::<G>::new(effort, TREE_BYTES_MAX, dice);
        let best = search.run(state, seat).into_iter().next();
        lines.splice(.., best.map(|line| line.orders));
    }
    lines.into_iter().next().unwrap_or_default()
}

/// Returns the seat that moves next in a simulated game.
fn next_seat<G: Search>(state: &G::State) -> Option<Seat> {
    match G::turn(state) {
        Turn::Awaiting(seats) => seats.first().copied(),
        Turn::Over => None,
    }
}

/// Returns the seat's share of the win in thousandths: 0 for a loss, 500 for a win of two seats.
pub(super) fn win_share(merits: &[i64], seat: Seat) -> i64 {
    let own = merits.get(seat.index()).copied().unwrap_or(i64::MIN);
    let best = merits.iter().copied().max().unwrap_or(i64::MIN);
    let winners = merits.iter().filter(|&&merit| merit == best).count();
    match (own == best, merits.len()) {
        (false, _) => 0,
        (true, 1) => i64::from(own > 0) * REWARD_MAX,
        (true, _) => REWARD_MAX / i64::try_from(winners).unwrap_or(1).max(1),
    }
}

/// Returns the lead over the best other seat. Partners of a team have equal merits, so seats with
/// equal merits are not compared. In a game for one player, returns the player's merit.
pub(super) fn lead_over_others(merits: &[i64], seat: Seat) -> i64 {
    let own = merits.get(seat.index()).copied().unwrap_or(0);
    let others = merits.iter().copied().filter(|&merit| merit != own);
    if merits.len() == 1 { own } else { own - others.max().unwrap_or(own) }
}

/// Returns the reward for a lead of this size, of at most `weight`: half of it for no lead.
const fn lead_reward(lead: i64, clear: i64, weight: i64) -> i64 {
    let clear = if clear > 0 { clear } else { 1 };
    weight / 2 + weight * lead / (2 * (lead.abs() + clear))
}

/// Returns the upper confidence bound of a node's reward, in millionths of a win.
fn upper_confidence_bound<O>(node: &Node<O>, exploration_percent: u64) -> u64 {
    let visits = u64::from(node.visits.max(1));
    let mean = u64::try_from(node.reward).unwrap_or(0) * 1_000 / visits;
    let ratio = binary_logarithm(u64::from(node.offers.max(1))) * 1_000_000 / 256 / visits;
    mean + 10 * exploration_percent * ratio.isqrt()
}

/// Returns the logarithm to base 2 in units of 1/256, interpolated between powers of 2.
const fn binary_logarithm(number: u64) -> u64 {
    let whole = number.ilog2() as u64;
    (whole << 8) + (((number - (1 << whole)) << 8) >> whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::TrickOfTheRails;
    use crate::rules::{Rules, Seed, yaml};

    #[test]
    fn full_tree_stays_within_its_cap() {
        let definition = yaml::parse(TrickOfTheRails::DEFINITION).expect("it ships");
        let blank = TrickOfTheRails::initial_state(&definition, &Default::default(), 3);
        let mut state = blank.expect("it opens");
        let mut dice = Dice::new(&Seed::from_number(1), 0);
        for event in TrickOfTheRails::setup(&state, &mut dice) {
            TrickOfTheRails::apply(&mut state, &event);
        }
        let seat = next_seat::<TrickOfTheRails>(&state).expect("a seat leads");
        let [effort, ..] = TrickOfTheRails::EFFORTS;
        let mut bytes = |cap| {
            let mut search = TreeSearch::<TrickOfTheRails>::new(effort, cap, &mut dice);
            let lines = search.run(&state, seat);
            assert!(!lines.is_empty() && search.bytes() <= cap, "{} bytes", search.bytes());
            search.bytes()
        };
        let capped = bytes(5_000);
        assert!(bytes(TREE_BYTES_MAX) > capped && capped > 4_000, "{capped} bytes");
    }

    #[test]
    fn win_is_shared_and_solo_needs_merit() {
        let shares = |merits: &[i64]| [1, 2].map(|seat| win_share(merits, Seat::new(seat)));
        assert_eq!(shares(&[5, 5, 1]), [500, 500]);
        assert_eq!(shares(&[5, 6]), [0, 1_000]);
        assert_eq!([win_share(&[0], Seat::new(1)), win_share(&[1], Seat::new(1))], [0, 1_000]);
        assert_eq!(lead_over_others(&[9, 4, 9], Seat::new(1)), 5, "partners are equal");
    }

    #[test]
    fn logarithm_grows_with_its_argument() {
        let values: Vec<u64> = (1..1_000).map(binary_logarithm).collect();
        assert!(values.is_sorted());
        assert_eq!([1, 2, 3, 1_024].map(binary_logarithm), [0, 256, 384, 2_560]);
    }
}
