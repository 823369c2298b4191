//! How a cart moves, square by square, up to the next thing that its owner has to say.
//!
//! Seed: each cart moves along connected track as many tiles as its speed says, "in a continuous
//! line and beginning in the direction that the cart faces".

use super::ahead::Ahead;
use super::crash;
use super::event::{Event, Wreck};
use super::grid::{Ends, Square, Way};
use super::jewel::{Hoard, Jewel};
use super::mission::Mission;
use super::order::{CartId, Order};
use super::state::{Place, Run, State};
use crate::rules::Seat;

/// What comes next in a move that has not come to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Jewels of this rammed cart are to fall.
    Drop(CartId),
    /// The rammed cart is to derail.
    WreckOther(CartId),
    /// The rammed cart is to turn away.
    TurnOther(CartId, Way),
    /// The moving cart is to derail.
    Wreck,
    /// It picks up one of these.
    Take(Hoard),
    /// It goes on by one of these.
    Fork(Ends),
    /// It has stopped and faces one of these.
    Face(Ends),
    /// It has been stopped by a collision and turns away from it.
    TurnAway,
    /// It leaves its square.
    Step,
}

/// What comes next.
pub fn stage(state: &State, run: &Run) -> Stage {
    if let Some(crash) = run.crash {
        if crash.drops {
            return Stage::Drop(crash.other);
        }
        if crash.wrecks_other {
            return Stage::WreckOther(crash.other);
        }
        if let Some(way) = crash.turns {
            return Stage::TurnOther(crash.other, way);
        }
        if crash.wrecks {
            return Stage::Wreck;
        }
    }
    let cart = state.cart(run.cart);
    let (Some(came), Place::Track(square)) = (run.came, cart.place) else {
        return if run.crash.is_some() { Stage::TurnAway } else { Stage::Step };
    };
    let is_end = run.left == 0 || run.crash.is_some();
    // "If the cart moves through a deposit, it must pick up one gem; if it ends its move there,
    // two."
    if run.taken < if is_end { 2 } else { 1 } {
        let offer = offer(state.ground[square]);
        if !offer.is_empty() && cart.hold.total() < u32::from(state.numbers.hold) {
            return Stage::Take(offer);
        }
    }
    if run.crash.is_some() {
        return Stage::TurnAway;
    }
    let ways = ways_on(state.track[square], came);
    match (is_end, run.headed) {
        (true, _) => Stage::Face(ways),
        (false, false) => Stage::Fork(ways),
        (false, true) => Stage::Step,
    }
}

/// "Rocks must always be picked up first"; else any kind that lies there (ruling 12).
fn offer(ground: Hoard) -> Hoard {
    if ground[Jewel::Rock] > 0 { Hoard::from_iter([Jewel::Rock]) } else { ground }
}

/// Every opening but the one entered by: there is no reversing (ruling 6).
pub fn ways_on(track: Ends, came: Way) -> Ends {
    let back = came.opposite();
    track.iter().filter(|&way| way != back).fold(Ends::NONE, Ends::with)
}

/// Straight ahead, else the first of north, east, south, west (ruling 7).
pub fn straight_on(ways: Ends, came: Way) -> Way {
    if ways.has(came) { came } else { ways.iter().next().unwrap_or(came) }
}

/// Who has to say what comes next; none when nothing has to be said.
pub fn asked(state: &State) -> Option<Seat> {
    let (run, active) = (state.run?, state.active()?);
    let is_cut_due = matches!(stage(state, &run), Stage::Drop(other)
        if state.owner(other) != active && run.cut.is_none());
    match run.crash {
        Some(crash) if is_cut_due => Some(state.owner(crash.other)),
        _ => Some(active),
    }
}

/// What can be answered; the default first. None when nothing has to be said.
pub fn answers(state: &State) -> Vec<Order> {
    let Some(run) = state.run else { return Vec::new() };
    let first = |default: Way, ways: Ends| {
        std::iter::once(default).chain(ways.iter().filter(move |&way| way != default))
    };
    match stage(state, &run) {
        Stage::Take(offer) => {
            let mut kinds: Vec<Jewel> = offer.kinds().map(|(jewel, _)| jewel).collect();
            kinds.sort_by_key(|&jewel| std::cmp::Reverse(state.numbers.values[jewel]));
            kinds.into_iter().map(Order::Take).collect()
        }
        Stage::Fork(ways) => {
            let came = run.came.unwrap_or(Way::North);
            first(straight_on(ways, came), ways).map(Order::Go).collect()
        }
        Stage::Face(ways) => {
            let came = run.came.unwrap_or(Way::North);
            first(straight_on(ways, came), ways).map(Order::Face).collect()
        }
        Stage::Drop(other) => crash::answers(state, &run, other),
        Stage::WreckOther(_)
        | Stage::TurnOther(..)
        | Stage::Wreck
        | Stage::TurnAway
        | Stage::Step => Vec::new(),
    }
}

/// Lets the move go on until it has ended or its owner, or the rammed player, has to say something.
pub fn go_on(ahead: &mut Ahead<'_>) {
    while let Some(run) = ahead.state.run {
        let cart = run.cart;
        match stage(&ahead.state, &run) {
            Stage::Take(_) | Stage::Fork(_) | Stage::Face(_) => {
                let answers = answers(&ahead.state);
                let is_said = answers.len() == 1 || ahead.state.stint.resting;
                match answers.first() {
                    Some(answer) if is_said => ahead.answer(answer),
                    _ => return,
                }
            }
            Stage::Drop(other) => {
                if !crash::drop_unasked(ahead, &run, other) {
                    return;
                }
            }
            Stage::WreckOther(other) => crash::derail(ahead, other, Wreck::Empty),
            Stage::TurnOther(other, facing) => ahead.happen(Event::Turned { cart: other, facing }),
            Stage::Wreck => crash::derail(ahead, cart, Wreck::Empty),
            Stage::TurnAway => crash::turn_away(ahead, cart),
            Stage::Step => step(ahead, cart),
        }
    }
}

/// One step over the edge that the cart faces.
fn step(ahead: &mut Ahead<'_>, id: CartId) {
    let state = &ahead.state;
    let cart = *state.cart(id);
    let (way, to) = (cart.facing, next_square(state, id));
    let Some(to) = to else {
        exit(ahead, id, way);
        return;
    };
    if state.chasm().contains(to) {
        // "If a cart is forced to move onto a chasm token, it is removed from the game."
        ahead.happen(Event::Fell { cart: id });
    } else if let Some(other) = state.cart_on(to) {
        crash::collide(ahead, id, other, way);
    } else if state.track[to].has(way.opposite()) {
        ahead.happen(Event::Rolled { cart: id, to });
    } else {
        // "If a cart cannot move onto connected track or enter the mine", it derails; so it does on
        // the centre of a mine, which never has track (ruling 10).
        crash::derail(ahead, id, obstacle(state, to));
    }
}

/// Why a cart cannot go on to this square.
fn obstacle(state: &State, at: Square) -> Wreck {
    if state.board.centres.contains(at) {
        Wreck::Centre(at)
    } else if state.track[at] == Ends::NONE {
        Wreck::NoTrack(at)
    } else {
        Wreck::Closed(at)
    }
}

/// The square ahead of a cart; none where it would leave the board.
pub fn next_square(state: &State, cart: CartId) -> Option<Square> {
    let cart = state.cart(cart);
    match cart.place {
        Place::Surface(berth) => state.board.gate(berth),
        Place::Track(square) => state.board.step(square, cart.facing),
        Place::Supply | Place::Gone => None,
    }
}

/// The missions whose deed it is when a cart leaves the mine over this side with this in its hold.
pub fn deeds_of_leaving(
    state: &State,
    cart: CartId,
    side: Way,
    hold: Hoard,
) -> impl Iterator<Item = Mission> + use<> {
    let owner = state.owner(cart);
    let is_foreign = state.seat_at(side).is_some_and(|seat| seat != owner);
    let deeds = [
        (is_foreign && hold.precious() > 0, Mission::BehindEnemyLines),
        (hold[Jewel::Diamond] >= 1, Mission::DiamondsArentForever),
        (hold[Jewel::Emerald] >= 2, Mission::GreenFingers),
        (hold[Jewel::Ruby] >= 4, Mission::RedLeader),
        (hold[Jewel::Gold] >= 2, Mission::GoldInYourHills),
    ];
    deeds.into_iter().filter_map(|(is_done, mission)| is_done.then_some(mission))
}

/// "Carts move to the surface by heading off the edge of the board", over any side (ruling 9).
fn exit(ahead: &mut Ahead<'_>, cart: CartId, side: Way) {
    let hold = ahead.state.cart(cart).hold;
    let deeds = deeds_of_leaving(&ahead.state, cart, side, hold);
    deeds.for_each(|mission| ahead.achieve(mission));
    ahead.happen(Event::Left { cart, side });
}
