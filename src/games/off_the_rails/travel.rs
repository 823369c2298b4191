//! The move of a cart, square by square, up to the next question to a player.
//!
//! Seed: each cart moves along connected track as many tiles as its speed says, "in a continuous
//! line and beginning in the direction that the cart faces".

use super::state::CurrentMove;
use super::{
    CartId, DerailReason, Direction, Event, Jewel, JewelCounts, Lookahead, Mission, Order, Place,
    Square, State, TileOpenings, crash,
};
use crate::rules::Seat;

/// The next thing to happen in a move.
enum NextStep {
    /// A player must choose one of these orders. The default is first.
    Ask(Vec<Order>),
    /// This event happens without a choice.
    Event(Event),
    /// The cart moves on to the next square.
    Step,
}

/// Decides what happens next in a move: a question to a player, an event without a choice, or the
/// step to the next square.
fn decide_next_question_or_event(state: &State, run: &CurrentMove) -> NextStep {
    if let Some(crash) = run.crash {
        if crash.drops {
            return NextStep::Ask(crash::list_drop_answers(state, run, crash.other));
        }
        if crash.wrecks_other {
            return NextStep::Event(crash::derail_event(state, crash.other, DerailReason::Empty));
        }
        if let Some(facing) = crash.turns {
            return NextStep::Event(Event::Turned { cart: crash.other, facing });
        }
        if crash.wrecks {
            return NextStep::Event(crash::derail_event(state, run.cart, DerailReason::Empty));
        }
    }
    let (cart, is_stopped) = (state.cart(run.cart), run.crash.is_some());
    let turn_away = || NextStep::Event(crash::event_after_collision(state, run.cart));
    let (Some(came), Some(square)) = (run.arrived_heading, cart.square()) else {
        return if is_stopped { turn_away() } else { NextStep::Step };
    };
    let is_end = run.steps_left == 0 || is_stopped;
    // "If the cart moves through a deposit, it must pick up one gem; if it ends its move there,
    // two."
    let has_room = cart.hold.total() < u32::from(state.numbers.hold);
    let is_taking = has_room && run.jewels_taken < if is_end { 2 } else { 1 };
    if is_taking && !state.ground[square].is_empty() {
        return NextStep::Ask(list_take_orders(state, state.ground[square]));
    }
    if is_stopped {
        return turn_away();
    }
    let ways = openings_without_entry(state.track[square], came);
    let ask = |order: fn(Direction) -> Order| {
        let default = straight_or_first_direction(ways, came);
        let others = ways.iter().filter(|&way| way != default);
        NextStep::Ask(std::iter::once(default).chain(others).map(order).collect())
    };
    match (is_end, run.has_direction) {
        (true, _) => ask(Order::Face),
        (false, false) => ask(Order::Go),
        (false, true) => NextStep::Step,
    }
}

/// Returns the kinds that the cart can pick up, the default first. (Seed: "Rocks must always be
/// picked up first".) Without a rock it is any kind on the square, the most valuable by default
/// (ruling 12).
fn list_take_orders(state: &State, ground: JewelCounts) -> Vec<Order> {
    if ground[Jewel::Rock] > 0 {
        return vec![Order::Take(Jewel::Rock)];
    }
    let mut kinds: Vec<Jewel> = ground.kinds().map(|(jewel, _)| jewel).collect();
    kinds.sort_by_key(|&jewel| std::cmp::Reverse(state.numbers.values[jewel]));
    kinds.into_iter().map(Order::Take).collect()
}

/// Returns the openings except the one through which the cart came, because carts never reverse
/// (ruling 6). `came` is the direction in which it entered the square.
pub fn openings_without_entry(track: TileOpenings, came: Direction) -> TileOpenings {
    let back = came.opposite();
    track.iter().filter(|&way| way != back).fold(TileOpenings::NONE, TileOpenings::with)
}

/// Returns the direction straight ahead if it is open, or else the first open direction of north,
/// east, south, west (ruling 7).
pub fn straight_or_first_direction(ways: TileOpenings, came: Direction) -> Direction {
    if ways.has(came) { came } else { ways.iter().next().unwrap_or(came) }
}

/// Returns the seat that must answer the current question. Returns `None` if no cart is moving.
pub fn asked_seat(state: &State) -> Option<Seat> {
    let (run, active) = (state.current_move?, state.active_seat()?);
    // The rammed player must cut the jewels before the active player is asked anything.
    let cut_due = run.crash.filter(|crash| crash.drops && run.cut.is_none());
    Some(cut_due.map_or(active, |crash| state.owner(crash.other)))
}

/// Returns the possible answers to the current question, the default first. Returns an empty list
/// if there is no question.
pub fn list_answers(state: &State) -> Vec<Order> {
    match state.current_move.map(|run| decide_next_question_or_event(state, &run)) {
        Some(NextStep::Ask(answers)) => answers,
        _ => Vec::new(),
    }
}

/// Continues the current move until it ends or a player must choose. The default is used without
/// asking if it is the only answer, or if the turn was ended with `done`. Players are asked for
/// cuts and for picks in every case.
pub fn continue_move(ahead: &mut Lookahead<'_>) {
    while let Some(run) = ahead.state.current_move {
        match decide_next_question_or_event(&ahead.state, &run) {
            NextStep::Event(event) => ahead.apply_and_record(event),
            NextStep::Step => move_one_step(ahead, run.cart),
            NextStep::Ask(answers) => match answers.first() {
                Some(Order::Cut(_) | Order::Pick { .. }) | None => return,
                Some(answer) if answers.len() == 1 || ahead.state.turn_progress.uses_defaults => {
                    ahead.carry_out_answer(answer);
                }
                Some(_) => return,
            },
        }
    }
}

/// Moves the cart over the edge that it faces, with everything that this step causes.
fn move_one_step(ahead: &mut Lookahead<'_>, id: CartId) {
    let state = &ahead.state;
    let way = state.cart(id).facing;
    let Some(to) = next_square(state, id) else {
        // "Carts move to the surface by heading off the edge of the board." They may do so over any
        // side (ruling 9).
        let deeds = missions_achieved_by_exit(state, id, way, state.cart(id).hold);
        deeds.for_each(|mission| ahead.record_mission(mission));
        ahead.apply_and_record(Event::Left { cart: id, side: way });
        return;
    };
    if state.collapsed_squares().contains(to) {
        // "If a cart is forced to move onto a chasm token, it is removed from the game."
        ahead.apply_and_record(Event::Fell { cart: id });
    } else if let Some(other) = state.cart_on(to) {
        crash::record_collision(ahead, id, other, way);
    } else if state.track[to].has(way.opposite()) {
        ahead.apply_and_record(Event::Rolled { cart: id, to });
    } else {
        // "If a cart cannot move onto connected track or enter the mine", it derails. The centre of
        // a mine never has track, so a cart derails there too (ruling 10).
        ahead.apply_and_record(crash::derail_event(state, id, find_derail_reason(state, to)));
    }
}

/// Returns the reason why a cart that moves to this square derails.
fn find_derail_reason(state: &State, at: Square) -> DerailReason {
    if state.board.centres.contains(at) {
        DerailReason::Centre(at)
    } else if state.track[at] == TileOpenings::NONE {
        DerailReason::NoTrack(at)
    } else {
        DerailReason::Closed(at)
    }
}

/// Returns the square that the cart would enter next. Returns `None` if it would leave the board,
/// or is not on it.
pub fn next_square(state: &State, cart: CartId) -> Option<Square> {
    let cart = state.cart(cart);
    match cart.place {
        Place::Surface(berth) => state.board.entry_square(berth),
        Place::Track(square) => state.board.neighbour(square, cart.facing),
        Place::Supply | Place::Gone => None,
    }
}

/// Returns the missions that a cart achieves if it leaves the mine over this side with these
/// jewels.
pub fn missions_achieved_by_exit(
    state: &State,
    cart: CartId,
    side: Direction,
    hold: JewelCounts,
) -> impl Iterator<Item = Mission> + use<> {
    let mut others = Seat::all(state.numbers.seats).filter(|&seat| seat != state.owner(cart));
    let is_foreign = others.any(|seat| state.sides[seat.index()] == side);
    let deeds = [
        (is_foreign && hold.precious_total() > 0, Mission::BehindEnemyLines),
        (hold[Jewel::Diamond] >= 1, Mission::DiamondsArentForever),
        (hold[Jewel::Emerald] >= 2, Mission::GreenFingers),
        (hold[Jewel::Ruby] >= 4, Mission::RedLeader),
        (hold[Jewel::Gold] >= 2, Mission::GoldInYourHills),
    ];
    deeds.into_iter().filter_map(|(is_done, mission)| is_done.then_some(mission))
}
