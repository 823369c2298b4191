//! Who sits first, second, ... at a table, so that everyone sits everywhere about equally often.
//!
//! Knows places and positions, nothing of meetings.

use crate::rules::Dice;
use std::collections::HashMap;

/// How often each place has sat at each position.
#[derive(Clone, Debug, Default)]
pub(crate) struct PositionCounts(Vec<Vec<u32>>);

impl PositionCounts {
    /// Nobody has sat anywhere.
    pub(crate) fn new(places: usize) -> Self {
        Self(vec![Vec::new(); places])
    }

    /// Notes that a place sat at a position, from 0.
    pub(crate) fn record(&mut self, place: usize, position: usize) {
        if let Some(counts) = self.0.get_mut(place) {
            if counts.len() <= position {
                counts.resize(position + 1, 0);
            }
            counts[position] += 1;
        }
    }

    /// Notes that a place sat elsewhere than was noted.
    fn move_position(&mut self, place: usize, from: usize, to: usize) {
        self.record(place, to);
        if let Some(count) = self.0.get_mut(place).and_then(|counts| counts.get_mut(from)) {
            *count = count.saturating_sub(1);
        }
    }

    /// How often a place sat at a position, from 0.
    pub(crate) fn count(&self, place: usize, position: usize) -> u32 {
        self.0.get(place).and_then(|counts| counts.get(position)).copied().unwrap_or(0)
    }

    /// How much more often than at his rarest position of such a table somebody sat here.
    fn excess(&self, place: usize, position: usize, size: usize) -> u32 {
        let rarest = (0..size).map(|other| self.count(place, other)).min().unwrap_or(0);
        self.count(place, position) - rarest
    }
}

/// More seats than a table can have for all orders to be weighed.
const EXACT_SEATING_MAX: usize = 12;

/// The places of a table in their best order, and what that order costs: 0 when everyone sits where
/// he sat least. Among equal orders the one nearest to the given order is taken.
pub(crate) fn seat_table(sat: &PositionCounts, places: &[usize]) -> (Vec<usize>, u32) {
    let size = places.len();
    if size == 0 || size > EXACT_SEATING_MAX {
        return (places.to_vec(), 0);
    }
    // best[taken]: the cheapest way to fill the first positions with exactly those of `taken`, and
    // who came last.
    let mut best: Vec<Option<(u32, usize)>> = vec![None; 1 << size];
    best[0] = Some((0, 0));
    for taken in 0..best.len() {
        let Some((cost, _)) = best[taken] else { continue };
        let position = taken.count_ones() as usize;
        for (who, place) in places.iter().enumerate().filter(|(who, _)| taken & (1 << who) == 0) {
            let excess = sat.excess(*place, position, size);
            let cost = cost + excess * excess;
            let next = &mut best[taken | 1 << who];
            if next.is_none_or(|(least, _)| cost < least) {
                *next = Some((cost, who));
            }
        }
    }
    let mut taken = best.len() - 1;
    let cost = best[taken].map_or(0, |(cost, _)| cost);
    let mut order = Vec::with_capacity(size);
    while taken > 0 {
        let Some((_, who)) = best[taken] else { break };
        order.push(places[who]);
        taken &= !(1 << who);
    }
    order.reverse();
    (order, cost)
}

/// Seats all tables, given in the order in which they are played and all of `size` seats, so that
/// nobody's positions ever differ by more than one in how often he sat there.
///
/// Everyone's games are taken `size` at a time; in each such batch he is to sit everywhere once.
/// Handfuls and tables are the two sides of a graph whose edges are the seats, and no node of it
/// has more than `size` edges: by a theorem of König such a graph's edges can be given `size`
/// colours so that no node has one twice. The colours are the positions.
pub(crate) fn seat_evenly(tables: &mut [&mut Vec<usize>], places: usize, size: usize) {
    let mut games = vec![0; places];
    let mut colours =
        EdgeColouring { by_batch: HashMap::new(), by_table: vec![HashMap::new(); tables.len()] };
    for (table, players) in tables.iter().enumerate() {
        for &place in players.iter() {
            let hand = (place, games[place] / size.max(1));
            games[place] += 1;
            colours.add_edge(hand, table, size);
        }
    }
    for (players, seats) in tables.iter_mut().zip(&colours.by_table) {
        let order: Vec<usize> =
            (0..size).filter_map(|seat| seats.get(&seat).map(|(place, _)| *place)).collect();
        if order.len() == players.len() {
            **players = order;
        }
    }
}

/// A batch of games: whose, and the how manieth.
type GameBatch = (usize, usize);

/// Which edges have which colours, from both sides.
struct EdgeColouring {
    by_batch: HashMap<(GameBatch, usize), usize>,
    by_table: Vec<HashMap<usize, GameBatch>>,
}

impl EdgeColouring {
    fn add_edge(&mut self, hand: GameBatch, table: usize, size: usize) {
        let free_here = (0..size).find(|colour| !self.by_batch.contains_key(&(hand, *colour)));
        let free_there = (0..size).find(|colour| !self.by_table[table].contains_key(colour));
        let (Some(here), Some(there)) = (free_here, free_there) else { return };
        // The chain of edges of these two colours that begins at the table never comes to the
        // hand, so the two can change places along it.
        let mut chain = Vec::new();
        let mut at = table;
        while here != there
            && let Some(&next) = self.by_table[at].get(&here)
        {
            chain.push((next, at, here));
            let Some(&further) = self.by_batch.get(&(next, there)) else { break };
            chain.push((next, further, there));
            at = further;
        }
        for (hand, table, colour) in &chain {
            self.by_batch.remove(&(*hand, *colour));
            self.by_table[*table].remove(colour);
        }
        for (hand, table, colour) in chain {
            self.set_colour(hand, table, if colour == here { there } else { here });
        }
        self.set_colour(hand, table, here);
    }

    fn set_colour(&mut self, hand: GameBatch, table: usize, colour: usize) {
        self.by_batch.insert((hand, colour), table);
        self.by_table[table].insert(colour, hand);
    }
}

/// Lets people at the same table change seats as long as that evens the positions; for tables of
/// different sizes, where no even seating need exist.
pub(crate) fn even_positions_by_swaps(
    tables: &mut [&mut Vec<usize>],
    before: &PositionCounts,
    dice: &mut Dice,
) {
    let mut sat = before.clone();
    for table in tables.iter() {
        table.iter().enumerate().for_each(|(seat, place)| sat.record(*place, seat));
    }
    for _ in 0..SWAP_PASSES {
        for table in tables.iter_mut() {
            for one in 0..table.len() {
                for other in 0..one {
                    let (p, q) = (table[one], table[other]);
                    let to_other = i64::from(sat.count(p, other)) - i64::from(sat.count(p, one));
                    let to_one = i64::from(sat.count(q, one)) - i64::from(sat.count(q, other));
                    // The change of the sum of all squares is twice this; now and then one that
                    // changes nothing is made, as it may open a way.
                    let gain = to_other + to_one + 2;
                    if gain < 0 || (gain == 0 && dice.below(2) == 0) {
                        sat.move_position(p, one, other);
                        sat.move_position(q, other, one);
                        table.swap(one, other);
                    }
                }
            }
        }
    }
}

/// How often all tables are gone through for better seats.
const SWAP_PASSES: u32 = 60;

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each place has sat at its first positions.
    fn position_counts(counts: &[&[u32]]) -> PositionCounts {
        PositionCounts(counts.iter().map(|counts| counts.to_vec()).collect())
    }

    #[test]
    fn two_slight_excesses_cost_less_than_one_large() {
        let sat = position_counts(&[&[2, 1, 0], &[1, 0, 0], &[9, 9, 0]]);
        assert_eq!(seat_table(&sat, &[0, 1, 2]), (vec![1, 0, 2], 2));
    }

    #[test]
    fn tables_over_twelve_keep_list_order() {
        let first_once = position_counts(&[&[1]]);
        for size in [2, 12] {
            let places: Vec<usize> = (0..size).collect();
            let (order, cost) = seat_table(&first_once, &places);
            assert!(order[0] != 0 && cost == 0, "{size}: {order:?}");
            assert_eq!(seat_table(&PositionCounts::new(size), &places), (places, 0));
        }
        let many: Vec<usize> = (0..13).collect();
        assert_eq!(seat_table(&first_once, &many), (many, 0), "that would take too long");
    }
}
