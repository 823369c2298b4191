//! Statistical tests of determinizations (`redeal`): each consistent state must be as likely as it
//! is in a real game.
//!
//! After the deal, a viewer knows only what they see. So hidden cards must have the same
//! distribution over many deals as over the determinizations of these deals.
//!
//! Later in a game, the players' choices influence what is likely, so that comparison is
//! impossible. Another property still holds. A state drawn for an observer, and drawn once more for
//! one seat, must have the same distribution as a state drawn for an observer only.

use super::GameExpectations;
use super::walk::RandomGame;
use crate::rules::{Dice, Game, Seat, Seed, Viewer};
use crate::testing::sample_or_all;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The number of states that are counted: in a usual run, and in a full one.
const WORLDS: (u64, u64) = (160, 250);
/// The permitted excess of chi square over its expected value, in standard deviations. The counted
/// facts depend on each other, so they vary more than independent ones. A fair deal stays below
/// half of this limit.
const DEVIATION_MAX: f64 = 10.0;

/// For each fact about a holding, the number of states on each of two sides that contain it.
type Counts = BTreeMap<String, [u32; 2]>;

/// Asserts that hidden holdings are distributed alike in many deals and in one determinization of
/// each deal.
pub fn assert_deal_is_fair<G: Game>(walk: &RandomGame<G>, expectations: &GameExpectations<G>) {
    let worlds = sample_or_all(WORLDS.0, WORLDS.1);
    for viewer in [Viewer::Public, Viewer::Seat(Seat::new(1))] {
        let (mut counts, mut same, mut open) = (Counts::new(), 0, 0);
        let mut dice = Dice::new(&Seed::from_number(99), 0);
        for _ in 0..worlds {
            let mut dealt = walk.blank.clone();
            G::setup(&walk.blank, &mut dice).iter().for_each(|event| G::apply(&mut dealt, event));
            let world = G::redeal(&dealt, viewer, &mut dice);
            if (expectations.can_differ)(&dealt, viewer) {
                open += 1;
                same += u32::from(world == dealt);
            }
            count_holdings::<G>(&mut counts, 0, &dealt, walk.seats, viewer);
            count_holdings::<G>(&mut counts, 1, &world, walk.seats, viewer);
        }
        assert!(same < open || open == 0, "{walk}: redeal never changes a deal for {viewer:?}");
        // Facts that every deal contains are not random, such as initial choices of the players.
        counts.retain(|_, [dealt, _]| (1..u32::try_from(worlds).expect("few")).contains(dealt));
        assert_even(walk, &counts, &format!("redeal for {viewer:?}"));
    }
}

/// Asserts that redealing a position for one seat, after redealing it for an observer, changes no
/// distribution of holdings.
pub fn assert_position_is_fair<G: Game>(walk: &RandomGame<G>) {
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
        assert_even(walk, &counts, &format!("redeal for an observer, and for seat {seat} again,"));
    }
}

/// Counts the facts about the holdings of all seats other than the viewer's.
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

/// Collects each leaf value with the field names on its path, and each list item with fields as a
/// whole. Positions in lists are left out.
fn collect_leaves(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            fields
                .iter()
                .for_each(|(name, value)| collect_leaves(value, &format!("{path}.{name}"), found));
            // The fields of a list item belong together, so the whole item counts as a fact too.
            if path.ends_with("[]") {
                found.insert(format!("{path} {value}"));
            }
        }
        Value::Array(values) => {
            values.iter().for_each(|value| collect_leaves(value, &format!("{path}[]"), found));
        }
        value => {
            found.insert(format!("{path} {value}"));
        }
    }
}

/// Asserts by chi square that both sides have the same distribution.
fn assert_even<G: Game>(walk: &RandomGame<G>, counts: &Counts, what: &str) {
    let part = |&[one, other]: &[u32; 2]| {
        f64::from(one.abs_diff(other)).powi(2) / f64::from(one + other).max(1.0)
    };
    let chi_square: f64 = counts.values().map(part).sum();
    let freedom = f64::from(u32::try_from(counts.len()).expect("few"));
    let strain = (chi_square - freedom) / (2.0 * freedom).sqrt().max(1.0);
    let worst = counts.iter().max_by(|(_, one), (_, other)| part(one).total_cmp(&part(other)));
    assert!(
        strain < DEVIATION_MAX,
        "{walk}: {what} is distributed differently by {strain:.1}: {worst:?}"
    );
}
