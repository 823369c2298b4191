//! The points at the end of a game, and the grade of a solo game.

use super::definition::{CartPointsRule, SoloEndRule};
use super::state::{Phase, Player};
use super::{Ending, Jewel, JewelCounts, Mission, Place, State};
use crate::rules::{Arg, Message, Ranking, ScorePart, Seat, assign_ranks};
use serde::Serialize;

/// The grade of a solo game. (Seed: "There are several grades of winning or losing".)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// Not every kind of jewel was delivered. Also the grade of a game that an option of
    /// [`SoloEndRule`] counts as lost.
    Loss,
    /// At least one jewel of each kind was delivered, but not each over its own side.
    Partial,
    /// Exactly one complete set was delivered over the own sides of its jewels.
    Victory,
    /// At least two jewels of each kind were delivered over their own sides.
    Major,
}

/// Returns the best grade that the deliveries have reached (B6 on rulings 45 and 46).
pub fn solo_grade(state: &State) -> Grade {
    let Some(player) = state.players.first() else { return Grade::Loss };
    let is_overtaken = matches!(state.phase, Phase::Over(Ending::NoCarts | Ending::NoTokens));
    if is_overtaken && state.numbers.options.solo_end == SoloEndRule::Loss {
        return Grade::Loss;
    }
    match (count_sets(delivered_at_home(state, player)), count_sets(player.delivered_jewels())) {
        (2.., _) => Grade::Major,
        (1, _) => Grade::Victory,
        (0, 1..) => Grade::Partial,
        (0, 0) => Grade::Loss,
    }
}

/// Returns the jewels that were delivered over their own sides.
pub fn delivered_at_home(state: &State, player: &Player) -> JewelCounts {
    let mut right = JewelCounts::NONE;
    for (home, delivered) in state.board.home_jewels.into_iter().zip(player.delivered) {
        right[home] = delivered[home];
    }
    right
}

/// Returns the number of complete sets. A set is one jewel of every precious kind.
fn count_sets(hoard: JewelCounts) -> u8 {
    Jewel::PRECIOUS.into_iter().map(|jewel| hoard[jewel]).min().unwrap_or(0)
}

/// Returns the ranking of all seats by points and tie-breaks.
pub fn rankings(state: &State) -> Vec<Ranking> {
    let standing = |seat: Seat| {
        let breakdown =
            if state.numbers.is_solo() { score_solo(state) } else { score_seat(state, seat) };
        let score = breakdown.iter().map(|part| part.points).sum();
        let pile = state.player(seat).map_or(JewelCounts::NONE, Player::delivered_jewels);
        // "If there is a tie, the player with most gems; then the one with fewest rocks" (ruling
        // 44).
        let merit = (score, pile.precious_total(), std::cmp::Reverse(pile[Jewel::Rock]));
        (Ranking { seat, rank: 0, score, breakdown }, merit)
    };
    let mut standings = assign_ranks(Seat::all(state.numbers.seats).map(standing).collect());
    if state.numbers.is_solo() && solo_grade(state) == Grade::Loss {
        // The abyss wins the game and takes rank 1, so the player gets rank 2.
        standings.iter_mut().for_each(|standing| standing.rank = 2);
    }
    standings
}

fn score_part(key: &'static str, count: u32, points_each: u8) -> ScorePart {
    let points = i64::from(count) * i64::from(points_each);
    ScorePart { item: Message::new(key).with("count", count), points }
}

fn score_seat(state: &State, seat: Seat) -> Vec<ScorePart> {
    let Some(player) = state.player(seat) else { return Vec::new() };
    let (numbers, pile) = (&state.numbers, player.delivered_jewels());
    let precious = pile.kinds().filter(|&(jewel, _)| jewel != Jewel::Rock);
    let of_kind = |(jewel, count): (Jewel, u8)| {
        let ScorePart { item, points } =
            score_part("or-score-jewels", count.into(), numbers.values[jewel]);
        ScorePart { item: item.with("jewel", Arg::Term(jewel.term())), points }
    };
    let mut parts: Vec<ScorePart> = precious.map(of_kind).collect();
    let has_most_rubies = has_most(state, pile, Jewel::Ruby);
    parts.push(score_part("or-score-most-rubies", has_most_rubies.into(), numbers.ruby_points));
    // "Each cart in a player's supply is worth 3 points" (ruling 33).
    let by_supply = numbers.options.cart_points == CartPointsRule::Supply;
    let carts = state.carts_of(seat).map(|cart| state.cart(cart));
    let carts = carts.filter(|cart| cart.place == Place::Supply && (by_supply || !cart.derailed));
    let carts = u32::try_from(carts.count()).unwrap_or(0);
    parts.push(score_part("or-score-carts", carts, numbers.cart_points));
    parts.push(score_part("or-score-missions", player.missions.len(), numbers.mission_points));
    // Dirty Goblins is awarded at the end of the game without a claim (ruling 36).
    let is_dirty = state.missions.contains(Mission::DirtyGoblins)
        && matches!(state.phase, Phase::Over(_))
        && has_most(state, pile, Jewel::Rock);
    parts.push(score_part("or-score-goblins", is_dirty.into(), numbers.mission_points));
    parts.retain(|part| part.points != 0);
    parts
}

/// Whether the pile has at least one jewel of this kind and no other pile has more (rulings 34 and
/// 36).
fn has_most(state: &State, pile: JewelCounts, jewel: Jewel) -> bool {
    let most =
        state.players.iter().map(|player| player.delivered_jewels()[jewel]).max().unwrap_or(0);
    pile[jewel] > 0 && pile[jewel] == most
}

/// Returns the points of a solo game. (Seed: "1 point a jewel, 10 a set of wrongly delivered ones,
/// 100 a set of rightly delivered ones.")
fn score_solo(state: &State) -> Vec<ScorePart> {
    let Some(player) = state.players.first() else { return Vec::new() };
    let (numbers, pile) = (&state.numbers.solo, player.delivered_jewels());
    let right_sets = count_sets(delivered_at_home(state, player));
    let spent: JewelCounts = (0..right_sets).flat_map(|_| Jewel::PRECIOUS).collect();
    let other_sets = count_sets(pile.minus(spent));
    vec![
        score_part("or-score-delivered", pile.precious_total(), numbers.jewel_points),
        score_part("or-score-right-sets", right_sets.into(), numbers.right_set_points),
        score_part("or-score-other-sets", other_sets.into(), numbers.other_set_points),
    ]
}
