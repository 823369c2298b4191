//! Collisions: the cart that drops jewels, derails or turns, and the cut of jewels into two piles.
//!
//! Seed: "When a cart moves onto a square that already holds a cart, a collision occurs."

use super::definition::{BumperHeadOnRule, CutRule, DropRule};
use super::event::Crash;
use super::state::CurrentMove;
use super::{
    CartId, DerailReason, Direction, Event, Jewel, JewelCounts, Lookahead, Mission, Order, Place,
    Split, State, TileOpenings, travel,
};
use crate::rules::Seat;

/// Records the collision of the moving cart `id` with the cart `other` on the square ahead, and the
/// missions that it achieves. The effects depend on what both carts held before the collision
/// (ruling 20).
pub fn record_collision(ahead: &mut Lookahead<'_>, id: CartId, other: CartId, way: Direction) {
    let state = &ahead.state;
    let (cart, rammed) = (state.cart(id), state.cart(other));
    let Place::Track(at) = rammed.place else { return };
    let ends = state.track[at];
    let edge = way.opposite();
    let connected = ends.has(edge);
    let head_on = connected && rammed.facing == edge;
    let variant = &state.numbers.options;
    // Ruling 47: with bumpers no jewel falls and no cart derails, unless the option says that
    // head-on collisions have their full effect.
    let is_cushioned =
        variant.bumpers && !(head_on && variant.bumper_head_on == BumperHeadOnRule::Full);
    let is_hard = connected && !is_cushioned;
    let wrecks_other = is_hard && rammed.hold.is_empty();
    let crash = Crash {
        other,
        connected,
        head_on,
        drops: is_hard && !rammed.hold.is_empty(),
        wrecks_other,
        wrecks: is_hard && cart.hold.is_empty(),
        turns: (head_on && !wrecks_other).then(|| facing_after_collision(ends, edge)),
    };
    // Ruling 40: a collision between two carts of one player counts for Head to Head only.
    let is_opponent = state.owner(id) != state.owner(other);
    let deeds = [
        (crash.head_on, Mission::HeadToHead),
        (is_opponent && crash.wrecks_other, Mission::BumperCarts),
        (is_opponent && crash.drops, Mission::JewelRobbery),
    ];
    ahead.apply_and_record(Event::Collided { cart: id, at, crash });
    for (_, mission) in deeds.into_iter().filter(|&(is_done, _)| is_done) {
        ahead.record_mission(mission);
    }
}

/// Returns the direction that a cart takes after a collision over `edge`. It is the opposite of
/// `edge` if that is open, or else the first other opening (ruling 19). It is `edge` itself if
/// there is no other opening.
pub fn facing_after_collision(ends: TileOpenings, edge: Direction) -> Direction {
    let back = edge.opposite();
    let ways = travel::openings_without_entry(ends, back);
    if ways == TileOpenings::NONE { edge } else { travel::straight_or_first_direction(ways, back) }
}

/// Returns the event that ends the move of a cart after a collision. (Seed: "The active cart must
/// face directly away from the collision.") A cart on the surface goes back to its supply instead
/// (ruling 23).
pub fn event_after_collision(state: &State, cart: CartId) -> Event {
    let moved = state.cart(cart);
    match moved.square() {
        Some(at) => {
            Event::Halted { cart, facing: facing_after_collision(state.track[at], moved.facing) }
        }
        None => Event::Returned { cart },
    }
}

/// Returns the event of a derailment. (Seed: "All its jewels go back to the supply, and the cart
/// goes to its player's supply.") In the solo game the cart leaves the game.
pub fn derail_event(state: &State, cart: CartId, why: DerailReason) -> Event {
    let why = (!state.numbers.is_first_edition()).then_some(why);
    Event::Derailed { cart, lost: state.numbers.is_solo(), why }
}

/// Returns the two piles of which one falls. Returns `None` until the rammed player has cut them.
pub fn current_piles(state: &State, run: &CurrentMove, other: CartId) -> Option<[JewelCounts; 2]> {
    let hold = state.cart(other).hold;
    if state.numbers.options.cut == CutRule::Interactive {
        return run.cut.map(|cut| [cut, hold.minus(cut)]);
    }
    let player = state.player(state.owner(other));
    Some(cut_into_piles(state, hold, player.map(|player| player.split).unwrap_or_default()))
}

/// Returns the larger pile if the option `drop: half_up` makes it fall and the piles are unequal
/// (ruling 21).
fn forced_larger_pile(state: &State, [one, other]: [JewelCounts; 2]) -> Option<JewelCounts> {
    let is_forced = state.numbers.options.drop == DropRule::HalfUp && one.total() != other.total();
    is_forced.then(|| if one.total() > other.total() { one } else { other })
}

/// Returns, for each standing order of [`Split::ALL`], how many of the two possible picks make
/// exactly these jewels fall. Returns `None` if no standing order decides what falls.
pub fn picks_that_drop_jewels(
    state: &State,
    cart: CartId,
    jewels: JewelCounts,
) -> Option<[u32; 3]> {
    let hold = state.cart(cart).hold;
    let is_own = state.active_seat() == Some(state.owner(cart));
    let is_asked = state.numbers.options.cut == CutRule::Standing && !is_own && hold.total() > 1;
    let ways = |split| {
        let piles = cut_into_piles(state, hold, split);
        let falls = forced_larger_pile(state, piles).map_or(piles, |pile| [pile; 2]);
        falls.into_iter().map(|pile| u32::from(pile == jewels)).sum()
    };
    is_asked.then(|| Split::ALL.map(ways))
}

/// Whether a seat whose order causes this collision can foresee what falls from the rammed cart. It
/// can if neither chance nor a secret of another player decides.
pub fn can_foresee_drop(state: &State, cart: CartId, seat: Seat) -> bool {
    let (hold, owner) = (state.cart(cart).hold, state.owner(cart));
    // The larger pile of an odd number falls, however the jewels are cut.
    let is_settled =
        state.numbers.options.drop == DropRule::HalfUp && !hold.total().is_multiple_of(2);
    let is_cut_by_seat = owner == seat && state.current_move.is_some_and(|run| run.cut.is_some());
    let is_of_one_kind = hold.kinds().count() == 1;
    state.active_seat() == Some(owner)
        || hold.total() <= 1
        || is_settled && (is_cut_by_seat || is_of_one_kind)
}

/// Returns the possible answers when jewels fall from a rammed cart, the default first.
pub fn list_drop_answers(state: &State, run: &CurrentMove, other: CartId) -> Vec<Order> {
    let hold = state.cart(other).hold;
    if hold.total() <= 1 {
        // "A cart that carries a single jewel drops it."
        return vec![Order::Drop(hold)];
    }
    if state.active_seat() == Some(state.owner(other)) {
        // The player chooses half of their own jewels, rounded up or down, by default the least
        // valuable ones (B6 on ruling 22).
        let is_fixed = state.numbers.options.drop == DropRule::HalfUp;
        let mut parts = list_equal_cuts(hold);
        parts.retain(|part| !is_fixed || part.total() == hold.total().div_ceil(2));
        parts.sort_by_key(|&part| (part.total(), jewel_value(state, part)));
        return parts.into_iter().map(Order::Drop).collect();
    }
    let Some(piles) = current_piles(state, run, other) else {
        let [default, _] = cut_into_piles(state, hold, Split::Balanced);
        let mut cuts = list_equal_cuts(hold);
        cuts.sort_by_key(|&cut| cut != default);
        return cuts.into_iter().map(Order::Cut).collect();
    };
    // In edition 1 of our rulings, chance picked the pile after `done`.
    let is_left_to_chance = state.turn_progress.uses_defaults && state.numbers.is_first_edition();
    match forced_larger_pile(state, piles) {
        Some(pile) => vec![Order::Drop(pile)],
        None if state.numbers.options.cut == CutRule::Standing || is_left_to_chance => {
            vec![Order::PickAny]
        }
        None => vec![Order::Pick { first: true }, Order::Pick { first: false }, Order::PickAny],
    }
}

/// Returns every possible first pile of a cut. The two piles differ by at most one jewel.
pub fn list_equal_cuts(hold: JewelCounts) -> Vec<JewelCounts> {
    let (down, up) = (hold.total() / 2, hold.total().div_ceil(2));
    let mut cuts = hold.selections_of_size(down);
    if up != down {
        cuts.extend(hold.selections_of_size(up));
    }
    cuts
}

/// Removes each cut that makes the same two piles as an earlier one in the list.
pub fn remove_mirrored_cuts(state: &State, answers: &[Order]) -> Vec<Order> {
    let crash = state.current_move.and_then(|run| run.crash);
    let hold = crash.map_or(JewelCounts::NONE, |crash| state.cart(crash.other).hold);
    let mut told: Vec<Order> = Vec::new();
    for &answer in answers {
        let is_told = |pile| told.contains(&Order::Cut(hold.minus(pile)));
        if !matches!(answer, Order::Cut(pile) if is_told(pile)) {
            told.push(answer);
        }
    }
    told
}

/// Returns the total value of jewels, in points.
pub fn jewel_value(state: &State, hoard: JewelCounts) -> i64 {
    hoard.kinds().map(|(jewel, n)| i64::from(n) * i64::from(state.numbers.values[jewel])).sum()
}

/// Cuts jewels into two piles by a standing order (ruling 22). (Seed: "The opposing player divides
/// the jewels into 2 piles as equal as possible.")
pub fn cut_into_piles(state: &State, hold: JewelCounts, split: Split) -> [JewelCounts; 2] {
    let mut pieces: Vec<Jewel> = hold.single_jewels().collect();
    pieces.sort_by_key(|&jewel| state.numbers.values[jewel]);
    let half = pieces.len() / 2;
    let first: JewelCounts = match split {
        Split::Together => pieces.iter().rev().take(half).copied().collect(),
        Split::Alone => {
            let low = pieces.iter().take(half.saturating_sub(1));
            pieces.last().into_iter().chain(low).copied().collect()
        }
        Split::Balanced if state.numbers.is_first_edition() => {
            first_edition_half(state, &pieces, half)
        }
        Split::Balanced => most_equal_half(state, hold),
    };
    [first, hold.minus(first)]
}

/// Returns the smaller pile of the cut whose piles are most equal in value. Among several such
/// cuts, the pile has the fewest rocks, then the fewest rubies, and so on.
fn most_equal_half(state: &State, hold: JewelCounts) -> JewelCounts {
    let all = jewel_value(state, hold);
    let order = |pile: &JewelCounts| {
        let unevenness = (all - 2 * jewel_value(state, *pile)).abs();
        (unevenness, Jewel::ALL.map(|jewel| pile[jewel]))
    };
    hold.selections_of_size(hold.total() / 2).into_iter().min_by_key(order).unwrap_or_default()
}

/// Returns the smaller pile of a balanced cut by edition 1 of our rulings. Beginning with the best,
/// each jewel goes to the pile that is worth less so far. The result is often not the most equal
/// cut.
fn first_edition_half(state: &State, pieces: &[Jewel], half: usize) -> JewelCounts {
    let (mut small, mut large) = (Vec::new(), Vec::new());
    let worth = |pile: &[Jewel]| {
        pile.iter().map(|&jewel| u32::from(state.numbers.values[jewel])).sum::<u32>()
    };
    for &jewel in pieces.iter().rev() {
        let is_large_full = large.len() >= pieces.len() - half;
        let is_behind = small.len() < half && worth(&small) < worth(&large);
        if is_behind || is_large_full { small.push(jewel) } else { large.push(jewel) }
    }
    small.into_iter().collect()
}
