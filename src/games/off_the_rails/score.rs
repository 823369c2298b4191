//! Points, and the grades of the solo game.

use super::definition::{CartPoints, SoloEnd};
use super::event::Ending;
use super::jewel::{Hoard, Jewel};
use super::mission::Mission;
use super::state::{Phase, Place, Player, State};
use crate::rules::{Arg, Message, Score, Seat, Standing, rank};
use serde::Serialize;

/// How a solo game goes. (Seed: "There are several grades of winning or losing".)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// No jewel of some kind has been delivered.
    Loss,
    /// One jewel of each kind has been delivered, not each at its own side.
    Partial,
    /// One jewel of each kind has been delivered at its own side.
    Victory,
    /// Two or more of each kind.
    Major,
}

/// The best grade that the deliveries have reached (B6, on rulings 45 and 46).
pub fn grade(state: &State) -> Grade {
    let Some(player) = state.players.first() else { return Grade::Loss };
    let is_overtaken = matches!(state.phase, Phase::Over(Ending::NoCarts | Ending::NoTokens));
    if is_overtaken && state.numbers.variant.solo_end == SoloEnd::Loss {
        return Grade::Loss;
    }
    match (sets(right(state, player)), sets(player.pile())) {
        (2.., _) => Grade::Major,
        (1, _) => Grade::Victory,
        (0, 1..) => Grade::Partial,
        (0, 0) => Grade::Loss,
    }
}

/// The jewels that were delivered at their own sides.
pub fn right(state: &State, player: &Player) -> Hoard {
    let mut right = Hoard::NONE;
    for (home, delivered) in state.board.homes.into_iter().zip(player.delivered) {
        right[home] = delivered[home];
    }
    right
}

/// How many times there is one of each precious kind.
fn sets(hoard: Hoard) -> u8 {
    Jewel::PRECIOUS.into_iter().map(|jewel| hoard[jewel]).min().unwrap_or(0)
}

/// Who stands where.
pub fn standings(state: &State) -> Vec<Standing> {
    let standing = |seat: Seat| {
        let breakdown = if state.numbers.is_solo() { solo(state) } else { parts(state, seat) };
        let score = breakdown.iter().map(|part| part.points).sum();
        let pile = state.player(seat).map_or(Hoard::NONE, Player::pile);
        // "If there is a tie, the player with most gems; then the one with fewest rocks" (ruling
        // 44).
        let merit = (score, pile.precious(), std::cmp::Reverse(pile[Jewel::Rock]));
        (Standing { seat, rank: 0, score, breakdown }, merit)
    };
    let mut standings = rank(Seat::all(state.numbers.seats).map(standing).collect());
    if state.numbers.is_solo() && grade(state) == Grade::Loss {
        // The abyss has won.
        standings.iter_mut().for_each(|standing| standing.rank = 2);
    }
    standings
}

fn part(key: &'static str, count: u32, points: i64) -> Score {
    Score { item: Message::new(key).with("count", count), points }
}

fn times(count: u32, points: u8) -> i64 {
    i64::from(count) * i64::from(points)
}

fn parts(state: &State, seat: Seat) -> Vec<Score> {
    let Some(player) = state.player(seat) else { return Vec::new() };
    let numbers = &state.numbers;
    let pile = player.pile();
    let mut parts: Vec<Score> = pile
        .kinds()
        .filter(|&(jewel, _)| jewel != Jewel::Rock)
        .map(|(jewel, count)| Score {
            item: Message::new("or-score-jewels")
                .with("count", count)
                .with("jewel", Arg::Term(jewel.term())),
            points: times(count.into(), numbers.values[jewel]),
        })
        .collect();
    if is_most(state, pile, Jewel::Ruby) {
        parts.push(part("or-score-most-rubies", 1, numbers.ruby_points.into()));
    }
    let carts = u32::try_from(scoring_carts(state, seat)).unwrap_or(0);
    parts.push(part("or-score-carts", carts, times(carts, numbers.cart_points)));
    let missions = player.missions.len();
    parts.push(part("or-score-missions", missions, times(missions, numbers.mission_points)));
    // Awarded when the game is over, and it uses up no claim (ruling 36).
    let is_dirty = state.missions.contains(Mission::DirtyGoblins)
        && matches!(state.phase, Phase::Over(_))
        && is_most(state, pile, Jewel::Rock);
    if is_dirty {
        parts.push(part("or-score-goblins", 1, numbers.mission_points.into()));
    }
    parts.retain(|part| part.points != 0);
    parts
}

/// Whether nobody has more of this kind, and the pile has one (rulings 34 and 36).
fn is_most(state: &State, pile: Hoard, jewel: Jewel) -> bool {
    let most = state.players.iter().map(|player| player.pile()[jewel]).max().unwrap_or(0);
    pile[jewel] > 0 && pile[jewel] == most
}

/// "Each cart in a player's supply is worth 3 points" (ruling 33).
fn scoring_carts(state: &State, seat: Seat) -> usize {
    let by_supply = state.numbers.variant.cart_points == CartPoints::Supply;
    let carts = state.carts_of(seat).map(|cart| state.cart(cart));
    carts.filter(|cart| cart.place == Place::Supply && (by_supply || !cart.derailed)).count()
}

/// "1 point a jewel, 10 a set of wrongly delivered ones, 100 a set of rightly delivered ones."
fn solo(state: &State) -> Vec<Score> {
    let (Some(numbers), Some(player)) = (state.numbers.solo, state.players.first()) else {
        return Vec::new();
    };
    let (pile, right) = (player.pile(), right(state, player));
    let right_sets = sets(right);
    let spent = Jewel::PRECIOUS
        .into_iter()
        .flat_map(|jewel| std::iter::repeat_n(jewel, usize::from(right_sets)));
    let other_sets = u32::from(sets(pile.minus(spent.collect())));
    let right_sets = u32::from(right_sets);
    let (jewels, sets_of) = (pile.precious(), |count, points| times(count, points));
    vec![
        part("or-score-delivered", jewels, times(jewels, numbers.jewel_points)),
        part("or-score-right-sets", right_sets, sets_of(right_sets, numbers.right_set_points)),
        part("or-score-other-sets", other_sets, sets_of(other_sets, numbers.other_set_points)),
    ]
}
