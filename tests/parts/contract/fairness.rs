//! Whether what is dealt anew is as likely as it is, told by counts alone.
//!
//! After the deal a viewer knows no more than what is seen, so what he cannot see is spread over
//! many deals as it is over what is dealt anew from each of them. Later on the players' own ways
//! of playing would have to be known. Yet whoever sees one seat more must not find it spread
//! otherwise: dealt anew for all, and then once more for a seat, it is spread as it was.

use super::GameExpectations;
use super::walk::Walk;
use crate::common::sample_or_all;
use postrider::rules::{Dice, Game, Seat, Seed, Viewer};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The number of worlds that are counted, in a usual run and in a full one.
const WORLDS: (u64, u64) = (160, 250);
/// How far chi square may lie above what is due, in its own deviations. What is counted hangs
/// together, so it strays more than what is drawn one by one; a fair deal stays below half of it.
const DEVIATION_MAX: f64 = 10.0;

/// In how many worlds something is so, of two sides.
type Counts = BTreeMap<String, [u32; 2]>;

/// Deals many games, and counts what the others hold in them and in what is dealt anew.
pub fn assert_deal_is_fair<G: Game>(walk: &Walk<G>, terms: &GameExpectations<G>) {
    let worlds = sample_or_all(WORLDS.0, WORLDS.1);
    for viewer in [Viewer::Public, Viewer::Seat(Seat::new(1))] {
        let (mut counts, mut same, mut open) = (Counts::new(), 0, 0);
        let mut dice = Dice::new(&Seed::from_number(99), 0);
        for _ in 0..worlds {
            let mut dealt = walk.blank.clone();
            G::setup(&walk.blank, &mut dice).iter().for_each(|event| G::apply(&mut dealt, event));
            let world = G::redeal(&dealt, viewer, &mut dice);
            if (terms.can_differ)(&dealt, viewer) {
                open += 1;
                same += u32::from(world == dealt);
            }
            count_holdings::<G>(&mut counts, 0, &dealt, walk.seats, viewer);
            count_holdings::<G>(&mut counts, 1, &world, walk.seats, viewer);
        }
        assert!(same < open || open == 0, "{walk}: a deal is never dealt anew for {viewer:?}");
        // What each seat decides for itself lies as it is set up in every deal.
        counts.retain(|_, [dealt, _]| (1..u32::try_from(worlds).expect("few")).contains(dealt));
        assert_even(walk, &counts, &format!("what is dealt anew for {viewer:?}"));
    }
}

/// The same of a position in the middle, by the worlds alone.
pub fn assert_position_is_fair<G: Game>(walk: &Walk<G>) {
    let mut dice = Dice::new(&Seed::from_number(98), 0);
    let worlds = sample_or_all(WORLDS.0, WORLDS.1);
    for seat in Seat::all(walk.seats) {
        let mut counts = Counts::new();
        for _ in 0..worlds / u64::from(walk.seats) {
            let one = G::redeal(&walk.state, Viewer::Public, &mut dice);
            count_holdings::<G>(&mut counts, 0, &one, walk.seats, Viewer::Public);
            let other = G::redeal(&walk.state, Viewer::Public, &mut dice);
            let other = G::redeal(&other, Viewer::Seat(seat), &mut dice);
            count_holdings::<G>(&mut counts, 1, &other, walk.seats, Viewer::Public);
        }
        assert_even(
            walk,
            &counts,
            &format!("what is dealt anew for all, and for seat {seat} again,"),
        );
    }
}

/// Counts what the seats hold that this viewer is not.
fn count_holdings<G: Game>(
    counts: &mut Counts,
    side: usize,
    state: &G::State,
    seats: u8,
    viewer: Viewer,
) {
    for seat in Seat::all(seats).filter(|seat| viewer != Viewer::Seat(*seat)) {
        let held = serde_json::to_value(G::private_data(state, seat)).expect("a view has a form");
        let mut found = BTreeSet::new();
        collect_leaves(&held, &format!("{seat}"), &mut found);
        found.into_iter().for_each(|leaf| counts.entry(leaf).or_default()[side] += 1);
    }
}

/// Each value with the names on the way to it; where it stands in a list makes no difference.
fn collect_leaves(value: &Value, way: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            fields
                .iter()
                .for_each(|(name, value)| collect_leaves(value, &format!("{way}.{name}"), found));
            // What stands beside each other in a list of things belongs together.
            if way.ends_with("[]") {
                found.insert(format!("{way} {value}"));
            }
        }
        Value::Array(values) => {
            values.iter().for_each(|value| collect_leaves(value, &format!("{way}[]"), found));
        }
        value => {
            found.insert(format!("{way} {value}"));
        }
    }
}

/// Both sides are counts of the same chance, as far as chi square can tell.
fn assert_even<G: Game>(walk: &Walk<G>, counts: &Counts, what: &str) {
    let part = |&[one, other]: &[u32; 2]| {
        f64::from(one.abs_diff(other)).powi(2) / f64::from(one + other).max(1.0)
    };
    let chi_square: f64 = counts.values().map(part).sum();
    let freedom = f64::from(u32::try_from(counts.len()).expect("few"));
    let strain = (chi_square - freedom) / (2.0 * freedom).sqrt().max(1.0);
    let worst = counts.iter().max_by(|(_, one), (_, other)| part(one).total_cmp(&part(other)));
    assert!(strain < DEVIATION_MAX, "{walk}: {what} is spread otherwise by {strain:.1}: {worst:?}");
}
