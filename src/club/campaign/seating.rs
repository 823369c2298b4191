//! The order of play at the tables of a campaign. Each place should have each position about
//! equally often.
//!
//! It knows places and positions, and nothing about meetings.

use crate::rules::Dice;
use std::collections::HashMap;

/// The number of times that each place has had each position.
#[derive(Clone, Debug, Default)]
pub(crate) struct PositionCounts(Vec<Vec<u32>>);

impl PositionCounts {
    pub(crate) fn new(places: usize) -> Self {
        Self(vec![Vec::new(); places])
    }

    /// Counts one more game in which a place had a position, from 0.
    pub(crate) fn count_game_in_position(&mut self, place: usize, position: usize) {
        if let Some(counts) = self.0.get_mut(place) {
            if counts.len() <= position {
                counts.resize(position + 1, 0);
            }
            counts[position] += 1;
        }
    }

    /// Moves one count of a place from one position to another.
    fn move_position(&mut self, place: usize, from: usize, to: usize) {
        self.count_game_in_position(place, to);
        if let Some(count) = self.0.get_mut(place).and_then(|counts| counts.get_mut(from)) {
            *count = count.saturating_sub(1);
        }
    }

    /// Returns in how many games a place has had a position, from 0.
    pub(crate) fn games_in_position(&self, place: usize, position: usize) -> u32 {
        self.0.get(place).and_then(|counts| counts.get(position)).copied().unwrap_or(0)
    }

    /// Returns how much more often a place has had this position than its rarest position at a
    /// table of `size` seats.
    fn excess_over_rarest(&self, place: usize, position: usize, size: usize) -> u32 {
        let rarest = (0..size).map(|other| self.games_in_position(place, other)).min().unwrap_or(0);
        self.games_in_position(place, position) - rarest
    }
}

/// The most seats of a table for which every order is examined. A larger table keeps its order.
const EXACT_SEATING_MAX: usize = 12;

/// Returns the places of a table in their best order, and its cost. The cost is 0 if each place
/// gets a position that it has had least often. If the given order is among the best, it is kept.
pub(crate) fn order_table_places(sat: &PositionCounts, places: &[usize]) -> (Vec<usize>, u32) {
    let size = places.len();
    if size == 0 || size > EXACT_SEATING_MAX {
        return (places.to_vec(), 0);
    }
    // `best[taken]`: the lowest cost of filling the first positions with exactly the places in the
    // bit set `taken`, and the index of the last of them.
    let mut best: Vec<Option<(u32, usize)>> = vec![None; 1 << size];
    best[0] = Some((0, 0));
    for taken in 0..best.len() {
        let Some((cost, _)) = best[taken] else { continue };
        let position = taken.count_ones() as usize;
        for (who, place) in places.iter().enumerate().filter(|(who, _)| taken & (1 << who) == 0) {
            let excess = sat.excess_over_rarest(*place, position, size);
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

/// Orders all tables so that, for each place, the counts of its positions differ by at most one.
/// The tables are in the order in which they are played, and all have `size` seats.
///
/// The games of each place are divided into batches of `size`, and in each batch the place should
/// have each position once. Batches and tables are the two sides of a bipartite graph whose edges
/// are the seats. No node has more than `size` edges. So, by a theorem of König, `size` colours
/// suffice to colour the edges so that no node has a colour twice. The colours are the positions.
pub(crate) fn order_all_tables_evenly(tables: &mut [&mut Vec<usize>], places: usize, size: usize) {
    let mut games = vec![0; places];
    let mut colours =
        EdgeColouring { by_batch: HashMap::new(), by_table: vec![HashMap::new(); tables.len()] };
    for (table, players) in tables.iter().enumerate() {
        for &place in players.iter() {
            let batch = (place, games[place] / size.max(1));
            games[place] += 1;
            colours.add_edge(batch, table, size);
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

/// A batch of games: its place, and the index of the batch.
type GameBatch = (usize, usize);

/// The colours of the edges so far, by batch and by table.
struct EdgeColouring {
    by_batch: HashMap<(GameBatch, usize), usize>,
    by_table: Vec<HashMap<usize, GameBatch>>,
}

impl EdgeColouring {
    fn add_edge(&mut self, hand: GameBatch, table: usize, size: usize) {
        let free_here = (0..size).find(|colour| !self.by_batch.contains_key(&(hand, *colour)));
        let free_there = (0..size).find(|colour| !self.by_table[table].contains_key(colour));
        let (Some(here), Some(there)) = (free_here, free_there) else { return };
        // `here` is free at the batch, and `there` at the table. The chain of edges with these two
        // colours that begins at the table never reaches the batch. So the two colours can be
        // exchanged along it.
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

/// Swaps the positions of places at a table as long as that evens them out. It is used for tables
/// of different sizes, for which a perfectly even order may not exist.
pub(crate) fn even_positions_by_swaps(
    tables: &mut [&mut Vec<usize>],
    before: &PositionCounts,
    dice: &mut Dice,
) {
    let mut sat = before.clone();
    for table in tables.iter() {
        table.iter().enumerate().for_each(|(seat, place)| sat.count_game_in_position(*place, seat));
    }
    for _ in 0..SWAP_PASSES {
        for table in tables.iter_mut() {
            for one in 0..table.len() {
                for other in 0..one {
                    let (p, q) = (table[one], table[other]);
                    let to_other = i64::from(sat.games_in_position(p, other))
                        - i64::from(sat.games_in_position(p, one));
                    let to_one = i64::from(sat.games_in_position(q, one))
                        - i64::from(sat.games_in_position(q, other));
                    // The sum of all squared counts changes by twice this value. Some neutral swaps
                    // are made, because they may lead to better ones.
                    let gain = to_other + to_one + 2;
                    if gain < 0 || (gain == 0 && dice.roll_below(2) == 0) {
                        sat.move_position(p, one, other);
                        sat.move_position(q, other, one);
                        table.swap(one, other);
                    }
                }
            }
        }
    }
}

/// The number of passes over all tables.
const SWAP_PASSES: u32 = 60;

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns counts of the first positions of each place.
    fn position_counts(counts: &[&[u32]]) -> PositionCounts {
        PositionCounts(counts.iter().map(|counts| counts.to_vec()).collect())
    }

    #[test]
    fn two_slight_excesses_cost_less_than_one_large() {
        let sat = position_counts(&[&[2, 1, 0], &[1, 0, 0], &[9, 9, 0]]);
        assert_eq!(order_table_places(&sat, &[0, 1, 2]), (vec![1, 0, 2], 2));
    }

    #[test]
    fn tables_over_twelve_keep_list_order() {
        let first_once = position_counts(&[&[1]]);
        for size in [2, 12] {
            let places: Vec<usize> = (0..size).collect();
            let (order, cost) = order_table_places(&first_once, &places);
            assert!(order[0] != 0 && cost == 0, "{size}: {order:?}");
            assert_eq!(order_table_places(&PositionCounts::new(size), &places), (places, 0));
        }
        let many: Vec<usize> = (0..13).collect();
        assert_eq!(order_table_places(&first_once, &many), (many, 0), "that would take too long");
    }
}
