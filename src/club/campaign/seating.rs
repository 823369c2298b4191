//! Who sits first, second, ... at a table, so that everyone sits everywhere about equally often.
//!
//! Knows places and positions, nothing of meetings.

/// How often each place has sat at each position.
#[derive(Clone, Debug, Default)]
pub struct Sat(Vec<Vec<u32>>);

impl Sat {
    /// Nobody has sat anywhere.
    pub fn new(places: usize) -> Self {
        Self(vec![Vec::new(); places])
    }

    /// Notes that a place sat at a position, from 0.
    pub fn remember(&mut self, place: usize, position: usize) {
        if let Some(counts) = self.0.get_mut(place) {
            if counts.len() <= position {
                counts.resize(position + 1, 0);
            }
            counts[position] += 1;
        }
    }

    /// How often a place sat at a position, from 0.
    pub fn count(&self, place: usize, position: usize) -> u32 {
        self.0.get(place).and_then(|counts| counts.get(position)).copied().unwrap_or(0)
    }

    /// How much more often than at his rarest position of such a table somebody sat here.
    fn excess(&self, place: usize, position: usize, size: usize) -> u32 {
        let rarest = (0..size).map(|other| self.count(place, other)).min().unwrap_or(0);
        self.count(place, position) - rarest
    }
}

/// More seats than a table can have for all orders to be weighed.
const WEIGHED_MAX: usize = 12;

/// The places of a table in their best order, and what that order costs: 0 when everyone sits where
/// he sat least. Among equal orders the one nearest to the given order is taken.
pub fn seat_table(sat: &Sat, places: &[usize]) -> (Vec<usize>, u32) {
    let size = places.len();
    if size == 0 || size > WEIGHED_MAX {
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
