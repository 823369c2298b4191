//! Random deals of hidden pieces that fit what a viewer knows about each hand. Each possible deal
//! has its exact probability. A game uses this to deal a consistent hidden state (a
//! determinization).

use super::Dice;
use std::collections::HashMap;

/// The number of random deals that are tried before all possible deals are counted.
const RANDOM_DEALS_MAX: u32 = 128;
/// The largest number of combinations of free places that are counted. The shipped games reach half
/// of it.
const COMBINATIONS_MAX: u32 = 100_000;

/// The known facts about a hand whose pieces are dealt again, for each kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HandConstraint<const KINDS: usize> {
    /// The number of pieces in the hand.
    pub(crate) size: u32,
    /// The minimum number of pieces of each kind.
    pub min: [u32; KINDS],
    /// The maximum number of pieces of each kind.
    pub(crate) max: [u32; KINDS],
}

/// Deals these numbers of pieces of each kind to the hands, so that all constraints are met.
/// Returns the number of pieces of each kind for each hand. The probabilities are those of a
/// shuffled deck from which one deals again until the deal fits, with each piece distinct.
///
/// Rejection sampling comes first: each hand gets its required pieces, and the rest is dealt at
/// random. This gives a hand too many pieces of its required kinds too often. So each deal is kept
/// only with the probability [`acceptance_probability`](HandConstraint::acceptance_probability). If
/// all attempts are rejected, [`deal_by_counting`] chooses by exact counts. If there is too much to
/// count, or if no deal fits, the result is a random deal that may break the constraints. No
/// shipped game gets there.
pub(crate) fn deal_to_constraints<const KINDS: usize>(
    pieces: [u32; KINDS],
    hands: &[HandConstraint<KINDS>],
    dice: &mut Dice,
) -> Vec<[u32; KINDS]> {
    for _ in 0..RANDOM_DEALS_MAX {
        let dealt = deal_required_then_random(pieces, hands, dice);
        let kept: f64 = hands
            .iter()
            .zip(&dealt)
            .map(|(hand, dealt)| hand.acceptance_probability(dealt))
            .product();
        if dice.roll_fraction() < kept {
            return dealt;
        }
    }
    deal_by_counting(pieces, hands, dice)
        .unwrap_or_else(|| deal_required_then_random(pieces, hands, dice))
}

impl<const KINDS: usize> HandConstraint<KINDS> {
    /// Returns the probability with which a deal is kept, which corrects for the required pieces. A
    /// hand with m required and x other pieces of a kind could have received them in (m + x)!
    /// orders, but they were dealt in only x! of them.
    fn acceptance_probability(&self, dealt: &[u32; KINDS]) -> f64 {
        let of_kind = |kind: usize| {
            let (least, dealt) = (self.min[kind], dealt[kind]);
            let more = dealt.saturating_sub(least);
            let orders = |n| f64::from(n) / f64::from(more + n);
            if dealt > self.max[kind] { 0.0 } else { (1..=least).map(orders).product() }
        };
        (0..KINDS).map(of_kind).product()
    }

    /// Returns the number of places that are left after the required pieces.
    fn places_after_required(&self) -> u32 {
        self.size.saturating_sub(self.min.iter().sum())
    }
}

/// Returns the pieces of each kind that are left when each hand has its required pieces.
fn pieces_after_required<const KINDS: usize>(
    pieces: [u32; KINDS],
    hands: &[HandConstraint<KINDS>],
) -> [u32; KINDS] {
    let bound = |kind: usize| hands.iter().map(|hand| hand.min[kind]).sum();
    std::array::from_fn(|kind| pieces[kind].saturating_sub(bound(kind)))
}

/// Gives each hand its required pieces and fills it up at random.
fn deal_required_then_random<const KINDS: usize>(
    pieces: [u32; KINDS],
    hands: &[HandConstraint<KINDS>],
    dice: &mut Dice,
) -> Vec<[u32; KINDS]> {
    let repeated = |(kind, count): (usize, u32)| std::iter::repeat_n(kind, count as usize);
    let mut deck: Vec<usize> =
        pieces_after_required(pieces, hands).into_iter().enumerate().flat_map(repeated).collect();
    dice.shuffle(&mut deck);
    let mut deck = deck.into_iter();
    let fill = |hand: &HandConstraint<KINDS>| {
        let mut held = hand.min;
        deck.by_ref().take(hand.places_after_required() as usize).for_each(|kind| held[kind] += 1);
        held
    };
    hands.iter().map(fill).collect()
}

/// Deals one kind after the other. The probability of each share is the number of ways to deal the
/// remaining kinds after it. Returns `None` if there are more than [`COMBINATIONS_MAX`]
/// combinations, or if no deal fits.
fn deal_by_counting<const KINDS: usize>(
    pieces: [u32; KINDS],
    hands: &[HandConstraint<KINDS>],
    dice: &mut Dice,
) -> Option<Vec<[u32; KINDS]>> {
    let mut rooms: Vec<u32> = hands.iter().map(HandConstraint::places_after_required).collect();
    let size = rooms.iter().try_fold(1_u32, |size, room| size.checked_mul(room.checked_add(1)?));
    if size.is_none_or(|size| size > COMBINATIONS_MAX) {
        return None;
    }
    let mut ways =
        DealCounter { unbound: pieces_after_required(pieces, hands), hands, cache: HashMap::new() };
    let mut dealt: Vec<[u32; KINDS]> = hands.iter().map(|hand| hand.min).collect();
    for kind in 0..KINDS {
        let shares = ways.weighted_shares(kind, &rooms);
        let mut at = dice.roll_fraction() * shares.iter().map(|(_, weight)| weight).sum::<f64>();
        let chosen = shares.iter().filter(|(_, weight)| *weight > 0.0).find(|(_, weight)| {
            at -= weight;
            at < 0.0
        });
        // Rounding can leave `at` slightly above the last weight.
        let likely = || shares.iter().rfind(|(_, weight)| *weight > 0.0);
        let (share, _) = chosen.or_else(likely)?;
        for ((held, room), count) in dealt.iter_mut().zip(&mut rooms).zip(share) {
            held[kind] += count;
            *room -= count;
        }
    }
    Some(dealt)
}

/// A counter of the possible deals. The numbers are relative to each other, so floating point is
/// enough: its rounding error is far too small to notice.
struct DealCounter<'a, const KINDS: usize> {
    unbound: [u32; KINDS],
    hands: &'a [HandConstraint<KINDS>],
    /// Earlier results, by kind and free places.
    cache: HashMap<(usize, Vec<u32>), f64>,
}

impl<const KINDS: usize> DealCounter<'_, KINDS> {
    /// Returns the number of ways to deal this kind and all later ones into these free places.
    fn count_deals(&mut self, kind: usize, rooms: &[u32]) -> f64 {
        if kind == KINDS {
            return if rooms.iter().all(|&room| room == 0) { 1.0 } else { 0.0 };
        }
        let place = (kind, rooms.to_vec());
        if let Some(known) = self.cache.get(&place) {
            return *known;
        }
        let count = self.weighted_shares(kind, rooms).iter().map(|(_, weight)| weight).sum();
        self.cache.insert(place, count);
        count
    }

    /// Returns each share of the hands in this kind, with the number of deals that contain it.
    fn weighted_shares(&mut self, kind: usize, rooms: &[u32]) -> Vec<(Vec<u32>, f64)> {
        let mut shares = self.possible_shares(kind, rooms);
        for (share, weight) in &mut shares {
            let left: Vec<u32> =
                rooms.iter().zip(&*share).map(|(room, count)| room - count).collect();
            *weight *= self.count_deals(kind + 1, &left);
        }
        shares
    }

    /// Returns each share of the hands in the free pieces of this kind, with the number of ways to
    /// form it from distinct pieces. A factor that all shares have in common is left out.
    fn possible_shares(&self, kind: usize, rooms: &[u32]) -> Vec<(Vec<u32>, f64)> {
        let mut shares = vec![(Vec::new(), 1.0)];
        for (hand, &room) in self.hands.iter().zip(rooms) {
            let (least, most) = (hand.min[kind], hand.max[kind]);
            let more = |(share, weight): &(Vec<u32>, f64)| {
                let given: u32 = share.iter().sum();
                let most = room.min(most.saturating_sub(least)).min(self.unbound[kind] - given);
                let mut longer = Vec::new();
                let mut weight = *weight;
                for count in 0..=most {
                    // A hand with n pieces of a kind counts once, although they have n! orders.
                    weight /= f64::from(if count == 0 { 1 } else { least + count });
                    longer.push(([share.as_slice(), &[count]].concat(), weight));
                }
                longer
            };
            shares = shares.iter().flat_map(more).collect();
        }
        shares.retain(|(share, _)| share.iter().sum::<u32>() == self.unbound[kind]);
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Seed;
    use std::collections::BTreeMap;

    type Deal = Vec<[u32; 3]>;

    const UNLIMITED: [u32; 3] = [u32::MAX; 3];

    fn constraint(size: u32, least: [u32; 3], most: [u32; 3]) -> HandConstraint<3> {
        HandConstraint { size, min: least, max: most }
    }

    fn satisfies(hand: &HandConstraint<3>, dealt: &[u32; 3]) -> bool {
        (0..3).all(|kind| (hand.min[kind]..=hand.max[kind]).contains(&dealt[kind]))
    }

    /// Returns every fitting deal of distinct pieces, with its number of ways, by brute force.
    fn enumerate_deals(pieces: [u32; 3], hands: &[HandConstraint<3>]) -> BTreeMap<Deal, f64> {
        fn enumerate_rest(
            deck: &[usize],
            hands: &[HandConstraint<3>],
            dealt: &mut Deal,
            all: &mut BTreeMap<Deal, f64>,
        ) {
            let Some((&kind, rest)) = deck.split_first() else {
                if dealt.iter().zip(hands).all(|(dealt, hand)| satisfies(hand, dealt)) {
                    *all.entry(dealt.clone()).or_default() += 1.0;
                }
                return;
            };
            for place in 0..hands.len() {
                if dealt[place].iter().sum::<u32>() < hands[place].size {
                    dealt[place][kind] += 1;
                    enumerate_rest(rest, hands, dealt, all);
                    dealt[place][kind] -= 1;
                }
            }
        }
        let deck: Vec<usize> =
            (0..3).flat_map(|kind| std::iter::repeat_n(kind, pieces[kind] as usize)).collect();
        let mut all = BTreeMap::new();
        enumerate_rest(&deck, hands, &mut vec![[0; 3]; hands.len()], &mut all);
        all
    }

    /// Returns how far chi square is above its expected value, in standard deviations. A fair deal
    /// stays below 4.
    fn chi_square_deviation(all: &BTreeMap<Deal, f64>, mut deal: impl FnMut() -> Deal) -> f64 {
        const SAMPLES: u32 = 8_000;
        let mut seen: BTreeMap<Deal, f64> = BTreeMap::new();
        (0..SAMPLES).for_each(|_| *seen.entry(deal()).or_default() += 1.0);
        assert!(seen.keys().all(|dealt| all.contains_key(dealt)), "a deal that does not fit");
        let whole: f64 = all.values().sum();
        let part = |(dealt, ways): (&Deal, &f64)| {
            let due = f64::from(SAMPLES) * ways / whole;
            (seen.get(dealt).copied().unwrap_or_default() - due).powi(2) / due
        };
        let freedom = u32::try_from(all.len().saturating_sub(1)).expect("few");
        (all.iter().map(part).sum::<f64>() - f64::from(freedom)) / f64::from(2 * freedom).sqrt()
    }

    #[test]
    fn deals_follow_exact_distribution() {
        let void = [0, u32::MAX, u32::MAX];
        let cases = [
            (
                [3, 2, 2],
                vec![
                    constraint(3, [0; 3], UNLIMITED),
                    constraint(2, [0; 3], UNLIMITED),
                    constraint(2, [0; 3], UNLIMITED),
                ],
            ),
            ([3, 3, 2], vec![constraint(4, [0; 3], void), constraint(4, [0; 3], UNLIMITED)]),
            (
                [2, 3, 3],
                vec![
                    constraint(3, [2, 0, 0], UNLIMITED),
                    constraint(3, [0; 3], void),
                    constraint(2, [0, 1, 0], UNLIMITED),
                ],
            ),
            (
                [3, 4, 1],
                vec![constraint(4, [1, 2, 0], UNLIMITED), constraint(4, [0, 0, 0], UNLIMITED)],
            ),
        ];
        for (pieces, hands) in cases {
            let all = enumerate_deals(pieces, &hands);
            let mut dice = Dice::new(&Seed::from_number(5), 0);
            let whole =
                chi_square_deviation(&all, || deal_to_constraints(pieces, &hands, &mut dice));
            let alone = chi_square_deviation(&all, || {
                deal_by_counting(pieces, &hands, &mut dice).expect("it fits")
            });
            assert!(whole < 4.0 && alone < 4.0, "{pieces:?} {hands:?}: {whole}, counted {alone}");
        }
    }

    #[test]
    fn forced_pieces_are_dealt_where_required() {
        let mut dice = Dice::new(&Seed::from_number(1), 0);
        let only = [
            constraint(20, [20, 0, 0], UNLIMITED),
            constraint(20, [0, 19, 1], UNLIMITED),
            constraint(20, [0; 3], UNLIMITED),
        ];
        let dealt = deal_to_constraints([20, 20, 20], &only, &mut dice);
        assert_eq!(dealt, [[20, 0, 0], [0, 19, 1], [0, 1, 19]]);
    }

    #[test]
    fn impossible_or_uncountable_deals_still_return() {
        let mut dice = Dice::new(&Seed::from_number(1), 0);
        let none = [constraint(2, [0; 3], [0; 3]), constraint(9, [5, 5, 5], UNLIMITED)];
        assert_eq!(deal_to_constraints([1, 1, 1], &none, &mut dice).len(), 2);
        let bound = constraint(2_000, [700, 0, 0], UNLIMITED);
        let dealt = deal_to_constraints(
            [2_000, 2_000, 2_000],
            &[bound, bound, constraint(2_000, [0; 3], UNLIMITED)],
            &mut dice,
        );
        assert!(dealt.iter().take(2).all(|held| held[0] >= 700), "{dealt:?}");
        assert!(dealt.iter().all(|held| held.iter().sum::<u32>() == 2_000), "{dealt:?}");
    }

    #[test]
    fn acceptance_probability_corrects_for_required_pieces() {
        let kept =
            |dealt: [u32; 3]| constraint(9, [2, 0, 1], [4, 1, 9]).acceptance_probability(&dealt);
        // Two required pieces and one more: 2! times 1! of 3! orders.
        for (dealt, share) in [
            ([2, 0, 1], 1.0),
            ([3, 0, 1], 1.0 / 3.0),
            ([4, 0, 1], 1.0 / 6.0),
            ([2, 1, 2], 1.0 / 2.0),
            ([5, 0, 1], 0.0),
            ([2, 2, 1], 0.0),
        ] {
            assert!((kept(dealt) - share).abs() < 1e-12, "{dealt:?}: {}", kept(dealt));
        }
    }

    #[test]
    fn dealing_by_counting_needs_solution_and_few_combinations() {
        let mut dice = Dice::new(&Seed::from_number(1), 0);
        let full = |size| HandConstraint { size, min: [0], max: [u32::MAX] };
        // Ten to the fifth combinations of free places, which is the maximum, and then ten thousand
        // more.
        assert_eq!(deal_by_counting([45], &[full(9); 5], &mut dice), Some(vec![[9]; 5]));
        let more = [full(9), full(9), full(9), full(9), full(10)];
        assert_eq!(deal_by_counting([46], &more, &mut dice), None);
        let none = [constraint(2, [0; 3], [0; 3]), constraint(1, [0; 3], UNLIMITED)];
        assert_eq!(deal_by_counting([1, 1, 1], &none, &mut dice), None);
    }
}
