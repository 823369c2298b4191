//! How a cart moves, square by square, up to the next choice of a player.
//!
//! Seed: each cart moves along connected track as many tiles as its speed says, "in a continuous
//! line and beginning in the direction that the cart faces".

use super::state::Run;
use super::{
    Ahead, CartId, Ends, Event, Hoard, Jewel, Mission, Order, Place, Square, State, Way, Wreck,
    crash,
};
use crate::rules::Seat;

/// What comes next in a move that has not ended.
enum Next {
    /// A player chooses one of these. The default is first.
    Ask(Vec<Order>),
    /// This event happens.
    Event(Event),
    /// The cart leaves its square.
    Step,
}

fn next(state: &State, run: &Run) -> Next {
    if let Some(crash) = run.crash {
        if crash.drops {
            return Next::Ask(crash::answers(state, run, crash.other));
        }
        if crash.wrecks_other {
            return Next::Event(crash::derailment(state, crash.other, Wreck::Empty));
        }
        if let Some(facing) = crash.turns {
            return Next::Event(Event::Turned { cart: crash.other, facing });
        }
        if crash.wrecks {
            return Next::Event(crash::derailment(state, run.cart, Wreck::Empty));
        }
    }
    let (cart, is_stopped) = (state.cart(run.cart), run.crash.is_some());
    let turn_away = || Next::Event(crash::turn_away(state, run.cart));
    let (Some(came), Some(square)) = (run.came, cart.square()) else {
        return if is_stopped { turn_away() } else { Next::Step };
    };
    let is_end = run.left == 0 || is_stopped;
    // "If the cart moves through a deposit, it must pick up one gem; if it ends its move there,
    // two."
    let has_room = cart.hold.total() < u32::from(state.numbers.hold);
    let is_taking = has_room && run.taken < if is_end { 2 } else { 1 };
    if is_taking && !state.ground[square].is_empty() {
        return Next::Ask(takes(state, state.ground[square]));
    }
    if is_stopped {
        return turn_away();
    }
    let ways = ways_on(state.track[square], came);
    let ask = |order: fn(Way) -> Order| {
        let default = straight_on(ways, came);
        let others = ways.iter().filter(|&way| way != default);
        Next::Ask(std::iter::once(default).chain(others).map(order).collect())
    };
    match (is_end, run.headed) {
        (true, _) => ask(Order::Face),
        (false, false) => ask(Order::Go),
        (false, true) => Next::Step,
    }
}

/// "Rocks must always be picked up first"; else any kind that lies there, the best by default
/// (ruling 12).
fn takes(state: &State, ground: Hoard) -> Vec<Order> {
    if ground[Jewel::Rock] > 0 {
        return vec![Order::Take(Jewel::Rock)];
    }
    let mut kinds: Vec<Jewel> = ground.kinds().map(|(jewel, _)| jewel).collect();
    kinds.sort_by_key(|&jewel| std::cmp::Reverse(state.numbers.values[jewel]));
    kinds.into_iter().map(Order::Take).collect()
}

/// The openings except the one by which a cart came: carts never reverse (ruling 6).
pub fn ways_on(track: Ends, came: Way) -> Ends {
    let back = came.opposite();
    track.iter().filter(|&way| way != back).fold(Ends::NONE, Ends::with)
}

/// The direction straight ahead, or the first of north, east, south, west (ruling 7).
pub fn straight_on(ways: Ends, came: Way) -> Way {
    if ways.has(came) { came } else { ways.iter().next().unwrap_or(came) }
}

/// The seat that has to answer next. None if no cart is moving.
pub fn asked(state: &State) -> Option<Seat> {
    let (run, active) = (state.run?, state.active()?);
    // The rammed player cuts the jewels before any other answer.
    let cut_due = run.crash.filter(|crash| crash.drops && run.cut.is_none());
    Some(cut_due.map_or(active, |crash| state.owner(crash.other)))
}

/// The possible answers, the default first. Empty if no answer is needed.
pub fn answers(state: &State) -> Vec<Order> {
    match state.run.map(|run| next(state, &run)) {
        Some(Next::Ask(answers)) => answers,
        _ => Vec::new(),
    }
}

/// Continues the move until it ends or a player has to choose. If there is only one answer, or
/// after `done`, the default is used. A cut and a pick are always asked for.
pub fn go_on(ahead: &mut Ahead<'_>) {
    while let Some(run) = ahead.state.run {
        match next(&ahead.state, &run) {
            Next::Event(event) => ahead.happen(event),
            Next::Step => step(ahead, run.cart),
            Next::Ask(answers) => match answers.first() {
                Some(Order::Cut(_) | Order::Pick { .. }) | None => return,
                Some(answer) if answers.len() == 1 || ahead.state.stint.resting => {
                    ahead.answer(answer);
                }
                Some(_) => return,
            },
        }
    }
}

/// Moves the cart over the edge that it faces.
fn step(ahead: &mut Ahead<'_>, id: CartId) {
    let state = &ahead.state;
    let way = state.cart(id).facing;
    let Some(to) = next_square(state, id) else {
        // "Carts move to the surface by heading off the edge of the board", over any side (ruling
        // 9).
        let deeds = deeds_of_leaving(state, id, way, state.cart(id).hold);
        deeds.for_each(|mission| ahead.achieve(mission));
        ahead.happen(Event::Left { cart: id, side: way });
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
        ahead.happen(crash::derailment(state, id, obstacle(state, to)));
    }
}

/// The reason why a cart derails on its way to a square.
fn obstacle(state: &State, at: Square) -> Wreck {
    if state.board.centres.contains(at) {
        Wreck::Centre(at)
    } else if state.track[at] == Ends::NONE {
        Wreck::NoTrack(at)
    } else {
        Wreck::Closed(at)
    }
}

/// The square ahead of a cart. None if it would leave the board.
pub fn next_square(state: &State, cart: CartId) -> Option<Square> {
    let cart = state.cart(cart);
    match cart.place {
        Place::Surface(berth) => state.board.gate(berth),
        Place::Track(square) => state.board.step(square, cart.facing),
        Place::Supply | Place::Gone => None,
    }
}

/// The missions that a cart achieves when it leaves the mine over this side with this hold.
pub fn deeds_of_leaving(
    state: &State,
    cart: CartId,
    side: Way,
    hold: Hoard,
) -> impl Iterator<Item = Mission> + use<> {
    let mut others = Seat::all(state.numbers.seats).filter(|&seat| seat != state.owner(cart));
    let is_foreign = others.any(|seat| state.sides[seat.index()] == side);
    let deeds = [
        (is_foreign && hold.precious() > 0, Mission::BehindEnemyLines),
        (hold[Jewel::Diamond] >= 1, Mission::DiamondsArentForever),
        (hold[Jewel::Emerald] >= 2, Mission::GreenFingers),
        (hold[Jewel::Ruby] >= 4, Mission::RedLeader),
        (hold[Jewel::Gold] >= 2, Mission::GoldInYourHills),
    ];
    deeds.into_iter().filter_map(|(is_done, mission)| is_done.then_some(mission))
}
