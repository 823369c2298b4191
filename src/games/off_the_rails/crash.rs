//! Collisions: who drops, who derails, who turns; and how jewels are cut in two.
//!
//! Seed: "When a cart moves onto a square that already holds a cart, a collision occurs."

use super::ahead::Ahead;
use super::definition::{BumperHeadOn, Cut, Drop};
use super::event::{Crash, Event, Wreck};
use super::grid::{Ends, Way};
use super::jewel::{Hoard, Jewel};
use super::mission::Mission;
use super::order::{CartId, Order, Split};
use super::state::{Place, Run, State};
use crate::rules::Seat;

/// The moving cart runs into another one on the square ahead. All is judged by what they held
/// before (ruling 20).
pub fn collide(ahead: &mut Ahead<'_>, id: CartId, other: CartId, way: Way) {
    let state = &ahead.state;
    let (cart, rammed) = (state.cart(id), state.cart(other));
    let Place::Track(at) = rammed.place else { return };
    let ends = state.track[at];
    let edge = way.opposite();
    let connected = ends.has(edge);
    let head_on = connected && rammed.facing == edge;
    let variant = state.numbers.variant;
    // Ruling 47: bumpers keep everything on board, unless head-on collisions act in full.
    let is_cushioned =
        variant.bumpers && !(head_on && variant.bumper_head_on == BumperHeadOn::Full);
    let is_hard = connected && !is_cushioned;
    let wrecks_other = is_hard && rammed.hold.is_empty();
    let crash = Crash {
        other,
        connected,
        head_on,
        drops: is_hard && !rammed.hold.is_empty(),
        wrecks_other,
        wrecks: is_hard && cart.hold.is_empty(),
        turns: (head_on && !wrecks_other).then(|| away(ends, edge)),
    };
    // Ruling 40: one's own carts count for Head to Head only.
    let is_opponent = state.owner(id) != state.owner(other);
    let deeds = [
        (crash.head_on, Mission::HeadToHead),
        (is_opponent && crash.wrecks_other, Mission::BumperCarts),
        (is_opponent && crash.drops, Mission::JewelRobbery),
    ];
    ahead.happen(Event::Collided { cart: id, at, crash });
    for (_, mission) in deeds.into_iter().filter(|&(is_done, _)| is_done) {
        ahead.achieve(mission);
    }
}

/// Directly away from the edge; where that is closed, the first other opening (ruling 19).
pub fn away(ends: Ends, edge: Way) -> Way {
    if ends.has(edge.opposite()) {
        edge.opposite()
    } else {
        ends.iter().find(|&way| way != edge).unwrap_or(edge)
    }
}

/// "The active cart must face directly away from the collision." One that stands on the surface
/// cannot and goes back to its supply (ruling 23).
pub fn turn_away(ahead: &mut Ahead<'_>, cart: CartId) {
    let moved = ahead.state.cart(cart);
    let event = match moved.place {
        Place::Track(square) => {
            let facing = away(ahead.state.track[square], moved.facing);
            Event::Halted { cart, facing }
        }
        _ => Event::Returned { cart },
    };
    ahead.happen(event);
}

/// "All its jewels go back to the supply, and the cart goes to its player's supply"; in the solo
/// game it is out of the game.
pub fn derail(ahead: &mut Ahead<'_>, cart: CartId, why: Wreck) {
    let lost = ahead.state.numbers.is_solo();
    let why = (!ahead.state.numbers.is_first_edition()).then_some(why);
    ahead.happen(Event::Derailed { cart, lost, why });
}

/// Lets jewels fall from a rammed cart.
pub fn fall(ahead: &mut Ahead<'_>, cart: CartId, jewels: Hoard) {
    ahead.happen(Event::Dropped { cart, jewels });
}

/// Lets fall what falls without anybody being asked; false when somebody has to be.
pub fn drop_unasked(ahead: &mut Ahead<'_>, run: &Run, other: CartId) -> bool {
    let state = &ahead.state;
    let hold = state.cart(other).hold;
    let variant = state.numbers.variant;
    let is_own = state.active() == Some(state.owner(other));
    let jewels = if hold.total() <= 1 {
        // "A cart that carries a single jewel drops it."
        Some(hold)
    } else if is_own {
        let parts = own_parts(state, hold);
        let is_said = parts.len() == 1 || state.stint.resting;
        parts.first().copied().filter(|_| is_said)
    } else if let (Cut::Interactive, Some(cut)) = (variant.cut, run.cut) {
        let piles = [cut, hold.minus(cut)];
        // In the first edition `done` left the pick to chance.
        let is_left_to_chance = state.stint.resting && state.numbers.is_first_edition();
        let pick = || piles[usize::from(ahead.dice.below(2) == 1)];
        larger(state, piles).or_else(|| is_left_to_chance.then(pick))
    } else if variant.cut == Cut::Interactive {
        None
    } else {
        let split = state.player(state.owner(other)).map_or_else(Split::default, |p| p.split);
        let piles = piles(state, hold, split);
        Some(larger(state, piles).unwrap_or_else(|| piles[usize::from(ahead.dice.below(2) == 1)]))
    };
    match jewels {
        Some(jewels) => fall(ahead, other, jewels),
        None => return false,
    }
    true
}

/// The larger pile of an odd number, where that one always falls (ruling 21).
fn larger(state: &State, [one, other]: [Hoard; 2]) -> Option<Hoard> {
    let is_forced = state.numbers.variant.drop == Drop::HalfUp && one.total() != other.total();
    is_forced.then(|| if one.total() > other.total() { one } else { other })
}

/// In how many of two picks each standing order would let these fall; none where nobody's standing
/// order is asked.
pub fn ways_to_fall(state: &State, cart: CartId, jewels: Hoard) -> Option<[u32; 3]> {
    let hold = state.cart(cart).hold;
    let is_own = state.active() == Some(state.owner(cart));
    let is_asked = state.numbers.variant.cut == Cut::Standing && !is_own && hold.total() > 1;
    let ways = |split| {
        let piles = piles(state, hold, split);
        let falls = larger(state, piles).map_or(piles, |pile| [pile; 2]);
        falls.into_iter().map(|pile| u32::from(pile == jewels)).sum()
    };
    is_asked.then(|| Split::ALL.map(ways))
}

/// Whether this seat, whose orders led to it, could tell before what falls from the rammed cart:
/// neither chance nor what another player wants decided it.
pub fn is_foreseen(state: &State, cart: CartId, seat: Seat) -> bool {
    let (hold, owner) = (state.cart(cart).hold, state.owner(cart));
    // The larger pile of an odd number falls, whoever cut it.
    let is_settled = state.numbers.variant.drop == Drop::HalfUp && !hold.total().is_multiple_of(2);
    let is_cut_by_seat = owner == seat && state.run.is_some_and(|run| run.cut.is_some());
    let is_of_one_kind = hold.kinds().count() == 1;
    state.active() == Some(owner)
        || hold.total() <= 1
        || is_settled && (is_cut_by_seat || is_of_one_kind)
}

/// What the asked player can answer, the default first.
pub fn answers(state: &State, run: &Run, other: CartId) -> Vec<Order> {
    let hold = state.cart(other).hold;
    if state.active() == Some(state.owner(other)) {
        return own_parts(state, hold).into_iter().map(Order::Drop).collect();
    }
    if run.cut.is_some() {
        return vec![Order::Pick { first: true }, Order::Pick { first: false }, Order::PickAny];
    }
    let [default, _] = piles(state, hold, Split::Balanced);
    let half = hold.total() / 2;
    let mut cuts = hold.parts(half);
    if hold.total() % 2 == 1 {
        cuts.extend(hold.parts(half + 1));
    }
    cuts.sort_by_key(|&cut| cut != default);
    cuts.into_iter().map(Order::Cut).collect()
}

/// These answers without the cuts that one before them makes too: either of two piles may be named
/// first.
pub fn told_once(state: &State, answers: &[Order]) -> Vec<Order> {
    let crash = state.run.and_then(|run| run.crash);
    let hold = crash.map_or(Hoard::NONE, |crash| state.cart(crash.other).hold);
    let mut named = Vec::new();
    let mut is_new = |answer: &Order| {
        let Order::Cut(pile) = *answer else { return true };
        let is_new = !named.contains(&hold.minus(pile));
        named.push(pile);
        is_new
    };
    answers.iter().copied().filter(|answer| is_new(answer)).collect()
}

/// What can fall from one's own cart: half, an odd number rounded either way; the least valuable
/// first (B6, correction of ruling 22).
fn own_parts(state: &State, hold: Hoard) -> Vec<Hoard> {
    let total = hold.total();
    let (down, up) = (total / 2, total.div_ceil(2));
    let mut parts = hold.parts(up);
    if down != up && down > 0 && state.numbers.variant.drop == Drop::Picked {
        parts.extend(hold.parts(down));
    }
    parts.sort_by_key(|&part| (part.total(), value(state, part)));
    parts
}

/// What jewels are worth.
pub fn value(state: &State, hoard: Hoard) -> i64 {
    hoard.kinds().map(|(jewel, n)| i64::from(n) * i64::from(state.numbers.values[jewel])).sum()
}

/// "The opposing player divides the jewels into 2 piles as equal as possible", by the standing
/// order (ruling 22).
pub fn piles(state: &State, hold: Hoard, split: Split) -> [Hoard; 2] {
    let mut pieces: Vec<Jewel> = hold.pieces().collect();
    pieces.sort_by_key(|&jewel| state.numbers.values[jewel]);
    let half = pieces.len() / 2;
    let first: Hoard = match split {
        Split::Together => pieces.iter().rev().take(half).copied().collect(),
        Split::Alone => {
            let low = pieces.iter().take(half.saturating_sub(1));
            pieces.last().into_iter().chain(low).copied().collect()
        }
        Split::Balanced if state.numbers.is_first_edition() => greedy(state, &pieces, half),
        Split::Balanced => evenly(state, hold),
    };
    [first, hold.minus(first)]
}

/// The smaller of the two piles that are most equal in value, among all that differ by one jewel
/// at most; of several such cuts the first in the order of hoards, fewest rocks first.
fn evenly(state: &State, hold: Hoard) -> Hoard {
    let all = value(state, hold);
    let order = |pile: &Hoard| {
        let unevenness = (all - 2 * value(state, *pile)).abs();
        (unevenness, Jewel::ALL.map(|jewel| pile[jewel]))
    };
    hold.parts(hold.total() / 2).into_iter().min_by_key(order).unwrap_or_default()
}

/// The smaller pile when the best jewels first go to whichever pile is worth less: the cut of the
/// first edition, which often is not the most equal one.
fn greedy(state: &State, pieces: &[Jewel], half: usize) -> Hoard {
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
