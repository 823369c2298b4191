//! The draw of a campaign: which places meet at which tables, and in which order they play.
//!
//! Places are drawn, not people: a replacement takes over a place and changes no table. The draw
//! depends only on the campaign file, and later additions for later rounds change no earlier round.
//! The draw tries many seasons and keeps the best one. The criteria, in order of priority: few
//! repeated meetings, then evenly spread byes and tables of less preferred sizes, then evenly
//! spread positions at the tables.

use super::campaign_file::{Campaign, Round};
use super::seating::{
    PositionCounts, even_positions_by_swaps, order_all_tables_evenly, order_table_places,
};
use crate::rules::Dice;
use std::collections::BTreeMap;

/// The tables and byes of a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoundTables {
    /// The places at each table, in order of play.
    pub tables: Vec<Vec<usize>>,
    /// The places without a table in this round, in ascending order.
    pub byes: Vec<usize>,
}

/// The approximate number of places that all tries of a draw together assign to tables. It limits
/// the time that a draw takes.
const PLACES_DRAWN_IN_TOTAL: usize = 6_000;
/// The number of swaps without improvement after which a round is left as it is.
const USELESS_SWAPS_MAX: u32 = 60;
/// The number of passes over all tables to even out the positions.
const POSITION_PASSES_MAX: u32 = 12;
/// The number of partners that are tried for one swap of positions.
const SWAP_PARTNERS_MAX: usize = 150;
/// One of this many swaps that leave the positions equally good is kept.
const NEUTRAL_SWAP_ODDS: u32 = 30;

/// The weights of the criteria: repeated meetings, then byes, then tables of less preferred sizes.
const REPEATED_MEETING_COST: u64 = 1 << 40;
const BYE_COST: u64 = 1 << 20;
const ODD_TABLE_COST: u64 = 1;

/// Draws the rounds of a campaign, as far as their players are known.
///
/// For each round (from 1) with `advance`, `orders` contains the places in the order of the
/// standings before it. The draw ends before the first round with `advance` that `orders` does not
/// contain.
pub fn draw_rounds(campaign: &Campaign, orders: &BTreeMap<u32, Vec<usize>>) -> Vec<RoundTables> {
    let mut past = DrawHistory::new(campaign.entrants.len());
    let mut drawn: Vec<RoundTables> = Vec::new();
    while let Some((first, field)) = next_round_and_places(campaign, orders, drawn.len()) {
        let limits =
            |number: &u32| campaign.round_by_number(*number).is_some_and(|r| r.advance.is_some());
        let planned = (first + 1..=campaign.round_count())
            .find(limits)
            .map_or(campaign.round_count(), |n| n - 1);
        let rounds: Vec<&Round> =
            (first..=planned).filter_map(|number| campaign.round_by_number(number)).collect();
        let mut dice = Dice::new(&campaign.seed_for(first), 0);
        let stage = draw_best_stage(&past, &field, &rounds, &mut dice);
        let leaves =
            |number: &u32| campaign.held_places(*number).len() < campaign.held_places(first).len();
        let kept =
            (first + 1..=planned).find(leaves).map_or(rounds.len(), |n| (n - first) as usize);
        for (tables, round) in stage.into_iter().zip(&rounds).take(kept) {
            past.record_round(&tables, round);
            drawn.push(tables);
        }
    }
    drawn
}

/// Returns the number of the next round to draw, and the places that play it.
fn next_round_and_places(
    campaign: &Campaign,
    orders: &BTreeMap<u32, Vec<usize>>,
    done: usize,
) -> Option<(u32, Vec<usize>)> {
    let number = u32::try_from(done).ok()?.checked_add(1)?;
    campaign.round_by_number(number)?;
    let held = campaign.held_places(number);
    let last = (1..=number).rev().find_map(|earlier| {
        campaign.round_by_number(earlier)?.advance.map(|advance| (earlier, advance as usize))
    });
    let Some((earlier, advance)) = last else { return Some((number, held)) };
    let mut field: Vec<usize> = orders.get(&earlier)?.iter().copied().take(advance).collect();
    field.retain(|place| held.contains(place));
    field.sort_unstable();
    Some((number, field))
}

/// Returns how often a stage with this many places, added over its rounds, is drawn: 2 to 200
/// times. Large stages get fewer tries, so that they do not take too long.
fn tries_for_stage(places: usize) -> usize {
    (PLACES_DRAWN_IN_TOTAL / places.max(1)).clamp(2, 200)
}

fn draw_best_stage(
    past: &DrawHistory,
    field: &[usize],
    rounds: &[&Round],
    dice: &mut Dice,
) -> Vec<RoundTables> {
    // With one table size, positions are assigned exactly at the end, so no table is changed for
    // them.
    let size = find_common_table_size(past, field.len(), rounds);
    let mut best: Option<([u64; 2], Vec<RoundTables>)> = None;
    for _ in 0..tries_for_stage(field.len() * rounds.len()) {
        let mut past = past.clone();
        let (mut cost, mut stage) = ([0; 2], Vec::new());
        for round in rounds {
            let (tables, [groups, seats]) = draw_round(&past, field, round, size.is_none(), dice);
            cost = [cost[0] + groups, cost[1] + seats];
            past.record_round(&tables, round);
            stage.push(tables);
            if best.as_ref().is_some_and(|(least, _)| *least <= cost) {
                break;
            }
        }
        if stage.len() == rounds.len() && best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, stage));
        }
        if best.as_ref().is_some_and(|(cost, _)| *cost == [0; 2]) {
            break;
        }
    }
    let mut stage = best.map(|(_, stage)| stage).unwrap_or_default();
    let mut tables: Vec<&mut Vec<usize>> =
        stage.iter_mut().flat_map(|drawn| &mut drawn.tables).collect();
    match size {
        Some(size) => order_all_tables_evenly(&mut tables, past.opponents.len(), size),
        None => even_positions_by_swaps(&mut tables, &past.positions, dice),
    }
    stage
}

/// Returns the size of all tables of these rounds. `None` if there are several sizes, or if earlier
/// rounds have been drawn.
fn find_common_table_size(past: &DrawHistory, players: usize, rounds: &[&Round]) -> Option<usize> {
    let mut sizes = rounds.iter().flat_map(|round| choose_table_sizes(players, &round.tables).0);
    let size = sizes.next().filter(|_| past.opponents.iter().all(Vec::is_empty))?;
    sizes.all(|other| other == size).then_some(size.into())
}

/// Draws one round. If `even` is set, places are also swapped to spread the positions evenly.
/// Returns the tables and two costs: that of repeated meetings, byes and less preferred sizes, and
/// that of the positions.
fn draw_round(
    past: &DrawHistory,
    field: &[usize],
    round: &Round,
    even: bool,
    dice: &mut Dice,
) -> (RoundTables, [u64; 2]) {
    let mut tables = RoundDraft::new(past, field, round, dice);
    tables.reduce_cost(dice);
    if even {
        tables.swap_for_even_positions(dice);
    }
    let mut drawn = RoundTables::default();
    let mut seats = 0;
    let (cost, groups) = (tables.total_cost(), tables.groups);
    for Group { kind: sort, mut places, .. } in groups {
        if sort == GroupKind::Bye {
            places.sort_unstable();
            drawn.byes = places;
        } else {
            dice.shuffle(&mut places);
            let (seated, cost) = order_table_places(&past.positions, &places);
            seats += if even { u64::from(cost) } else { 0 };
            drawn.tables.push(seated);
        }
    }
    (drawn, [cost, seats])
}

/// Chooses the number of tables of each size in `liked`, which is in order of preference. Seats as
/// many players as possible, and then as many as possible at preferred sizes. Returns the table
/// sizes, and the number of players without a table.
pub fn choose_table_sizes(players: usize, liked: &[u8]) -> (Vec<u8>, usize) {
    // `reach[nth][n]`: whether n players fit exactly at tables of the sizes from index nth on.
    let mut reach = vec![vec![false; players + 1]; liked.len() + 1];
    if let Some(none) = reach.last_mut().and_then(|last| last.first_mut()) {
        *none = true;
    }
    for nth in (0..liked.len()).rev() {
        let size = usize::from(liked[nth]).max(1);
        for n in 0..=players {
            reach[nth][n] = reach[nth + 1][n] || (n >= size && reach[nth][n - size]);
        }
    }
    let seated = (0..=players).rev().find(|n| reach[0][*n]).unwrap_or(0);
    let (mut sizes, mut left) = (Vec::new(), seated);
    for (nth, &size) in liked.iter().enumerate() {
        let wide = usize::from(size).max(1);
        let most = (0..=left / wide).rev().find(|count| reach[nth + 1][left - count * wide]);
        let count = most.unwrap_or(0);
        sizes.extend(std::iter::repeat_n(size, count));
        left -= count * wide;
    }
    (sizes, players - seated)
}

/// The meetings, byes, tables and positions of each place in the rounds drawn so far.
#[derive(Clone)]
struct DrawHistory {
    /// The opponents of each place. An opponent met twice is listed twice.
    opponents: Vec<Vec<usize>>,
    byes: Vec<u32>,
    /// The number of tables of a less preferred size, by place.
    odd_tables: Vec<u32>,
    positions: PositionCounts,
}

impl DrawHistory {
    fn new(places: usize) -> Self {
        Self {
            opponents: vec![Vec::new(); places],
            byes: vec![0; places],
            odd_tables: vec![0; places],
            positions: PositionCounts::new(places),
        }
    }

    fn record_round(&mut self, drawn: &RoundTables, round: &Round) {
        for table in &drawn.tables {
            for (seat, &place) in table.iter().enumerate() {
                self.opponents[place].extend(table.iter().filter(|other| **other != place));
                self.positions.count_game_in_position(place, seat);
                if round.tables.first().is_none_or(|liked| usize::from(*liked) != table.len()) {
                    self.odd_tables[place] += 1;
                }
            }
        }
        drawn.byes.iter().for_each(|place| self.byes[*place] += 1);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum GroupKind {
    /// A table of the round's preferred size.
    Preferred,
    /// A table of another size than the preferred one.
    Odd,
    /// The places that have no table in the round.
    Bye,
}

struct Group {
    kind: GroupKind,
    size: usize,
    places: Vec<usize>,
}

/// A round that is being drawn.
struct RoundDraft<'a> {
    past: &'a DrawHistory,
    groups: Vec<Group>,
    fewest_byes: u32,
    fewest_odd: u32,
}

impl<'a> RoundDraft<'a> {
    /// Returns a draft in which each place is in a group. Places are added one by one to the group
    /// with the lowest cost.
    fn new(past: &'a DrawHistory, field: &[usize], round: &Round, dice: &mut Dice) -> Self {
        let (sizes, byes) = choose_table_sizes(field.len(), &round.tables);
        let liked = round.tables.first().copied();
        let group = |size: u8| Group {
            kind: if Some(size) == liked { GroupKind::Preferred } else { GroupKind::Odd },
            size: size.into(),
            places: Vec::new(),
        };
        let bye = Group { kind: GroupKind::Bye, size: byes, places: Vec::new() };
        let fewest = |of: &[u32]| field.iter().map(|place| of[*place]).min().unwrap_or(0);
        let mut tables = Self {
            past,
            groups: sizes.into_iter().map(group).chain([bye]).collect(),
            fewest_byes: fewest(&past.byes),
            fewest_odd: fewest(&past.odd_tables),
        };
        let mut order = field.to_vec();
        dice.shuffle(&mut order);
        order.sort_by_key(|place| past.byes[*place]);
        for (nth, place) in order.into_iter().enumerate() {
            tables.add_to_cheapest_group(place, nth < byes);
        }
        tables
    }

    fn add_to_cheapest_group(&mut self, place: usize, bye: bool) {
        let fits = |group: &Group| {
            group.places.len() < group.size && (group.kind == GroupKind::Bye) == bye
        };
        let fitting = self.groups.iter().enumerate().filter(|(_, group)| fits(group));
        let best = fitting.min_by_key(|(_, group)| self.placement_cost(place, group, None));
        if let Some(at) = best.map(|(at, _)| at) {
            self.groups[at].places.push(place);
        }
    }

    /// Returns the cost of this place in this group, without counting a meeting with `except`.
    fn placement_cost(&self, place: usize, group: &Group, except: Option<usize>) -> u64 {
        let odd = match group.kind {
            GroupKind::Bye => {
                return u64::from(self.past.byes[place] - self.fewest_byes) * BYE_COST;
            }
            GroupKind::Odd => {
                u64::from(self.past.odd_tables[place] - self.fewest_odd) * ODD_TABLE_COST
            }
            GroupKind::Preferred => 0,
        };
        let met = &self.past.opponents[place];
        let others = group.places.iter().filter(|other| Some(**other) != except);
        let again: usize = others.map(|other| met.iter().filter(|one| *one == other).count()).sum();
        again as u64 * REPEATED_MEETING_COST + odd
    }

    fn total_cost(&self) -> u64 {
        let tolls = self.groups.iter().map(|group| {
            group.places.iter().map(|place| self.placement_cost(*place, group, None)).sum::<u64>()
        });
        tolls.sum()
    }

    /// Returns by how much a swap of two places changes the cost. Negative is better.
    fn swap_cost_change(&self, (at, one): (usize, usize), (to, other): (usize, usize)) -> i128 {
        let (from, into) = (&self.groups[at], &self.groups[to]);
        let (p, q) = (from.places[one], into.places[other]);
        let after = self.placement_cost(p, into, Some(q)) + self.placement_cost(q, from, Some(p));
        let before = self.placement_cost(p, from, None) + self.placement_cost(q, into, None);
        i128::from(after) - i128::from(before)
    }

    fn swap_places(&mut self, (at, one): (usize, usize), (to, other): (usize, usize)) {
        let (p, q) = (self.groups[at].places[one], self.groups[to].places[other]);
        self.groups[at].places[one] = q;
        self.groups[to].places[other] = p;
    }

    /// Iterates over all places except those of group `but`, as group and index.
    fn places_outside_group(&self, but: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let groups = self.groups.iter().enumerate().filter(move |(at, _)| *at != but);
        groups.flat_map(|(at, group)| (0..group.places.len()).map(move |one| (at, one)))
    }

    /// Swaps places as long as that lowers the cost. Also makes some neutral swaps, because they
    /// may lead to better ones.
    fn reduce_cost(&mut self, dice: &mut Dice) {
        let mut patience = USELESS_SWAPS_MAX;
        while patience > 0 {
            let dear: Vec<(usize, usize)> = self
                .places_outside_group(usize::MAX)
                .filter(|(at, one)| {
                    let group = &self.groups[*at];
                    self.placement_cost(group.places[*one], group, None) > 0
                })
                .collect();
            let Some(&from) = dice.pick(&dear) else { return };
            let mut best: (i128, Vec<(usize, usize)>) = (i128::MAX, Vec::new());
            for to in self.places_outside_group(from.0) {
                let gain = self.swap_cost_change(from, to);
                if gain < best.0 {
                    best = (gain, Vec::new());
                }
                if gain == best.0 {
                    best.1.push(to);
                }
            }
            if best.0 >= 0 {
                patience -= 1;
            }
            if best.0 <= 0
                && let Some(&to) = dice.pick(&best.1)
            {
                self.swap_places(from, to);
            }
        }
    }

    /// Returns the cost of the best order of play in a group.
    fn seating_cost(&self, at: usize) -> u32 {
        match self.groups.get(at) {
            Some(group) if group.kind != GroupKind::Bye => {
                order_table_places(&self.past.positions, &group.places).1
            }
            _ => 0,
        }
    }

    /// Swaps places between groups for better positions, if that costs nothing else.
    fn swap_for_even_positions(&mut self, dice: &mut Dice) {
        for _ in 0..POSITION_PASSES_MAX {
            let mut even = true;
            for at in 0..self.groups.len() {
                for one in 0..self.groups[at].places.len() {
                    if self.seating_cost(at) == 0 {
                        break;
                    }
                    even = false;
                    self.swap_for_better_position((at, one), dice);
                }
            }
            if even {
                return;
            }
        }
    }

    /// Swaps a place with a partner if that improves the positions. Some neutral swaps are kept,
    /// because they may lead to better ones.
    fn swap_for_better_position(&mut self, from: (usize, usize), dice: &mut Dice) {
        let mut partners: Vec<(usize, usize)> = self.places_outside_group(from.0).collect();
        for nth in 0..partners.len().min(SWAP_PARTNERS_MAX) {
            let rest = u32::try_from(partners.len() - nth).unwrap_or(u32::MAX);
            partners.swap(nth, nth + dice.roll_below(rest) as usize);
            let to = partners[nth];
            if self.swap_cost_change(from, to) > 0 {
                continue;
            }
            let before = self.seating_cost(from.0) + self.seating_cost(to.0);
            self.swap_places(from, to);
            let after = self.seating_cost(from.0) + self.seating_cost(to.0);
            if after < before || (after == before && dice.roll_below(NEUTRAL_SWAP_ODDS) == 0) {
                return;
            }
            self.swap_places(from, to);
        }
    }
}

#[cfg(test)]
mod tests;
