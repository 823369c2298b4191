//! Every rule of a turn: up to four actions, then every cart moves, then the turn is closed.

use super::definition::{Cut, Definition, Options};
use super::state::Phase;
use super::{
    Ahead, Berth, CartId, Colour, Ending, Ends, Era, Event, OffTheRails, Order, Place, Split,
    Square, SquareSet, State, Way, Wish, board, close, deck, refuse, require, score, travel,
};
use crate::rules::{Dice, Fault, Refusal, Rules, Seat, Standing, Turn};
use std::ops::RangeInclusive;
use std::sync::Arc;

impl Rules for OffTheRails {
    const ID: &'static str = "off-the-rails";
    const VERSION: u32 = 1;
    const SEATS: RangeInclusive<u8> = 1..=4;
    const DEFINITION: &'static str = include_str!("../../../games/off-the-rails.yaml");

    type Definition = Definition;
    type Options = Options;
    type State = State;
    type Order = Order;
    type Event = Event;

    fn open(definition: &Definition, options: &Options, seats: u8) -> Result<State, Fault> {
        let board = Arc::new(board::validate(definition)?);
        Ok(State::new(board, board::numbers(definition, options, seats)?))
    }

    fn setup(state: &State, dice: &mut Dice) -> Vec<Event> {
        deck::setup(state, dice)
    }

    fn apply(state: &mut State, event: &Event) {
        state.apply(event);
    }

    fn turn(state: &State) -> Turn {
        match state.phase {
            Phase::Over(_) => Turn::Over,
            _ => Turn::Awaiting(travel::asked(state).or(state.active()).into_iter().collect()),
        }
    }

    fn legal(state: &State, seat: Seat) -> Vec<Order> {
        match (travel::asked(state), state.active()) {
            (Some(asked), _) if asked == seat => travel::answers(state),
            (None, Some(active)) if active == seat => {
                let mut orders = candidates(state, seat);
                orders.retain(|order| judge(state, seat, order).is_ok());
                orders
            }
            _ => Vec::new(),
        }
    }

    /// The seat's only legal order, if there is just one. All players can see what is legal:
    /// standing orders and cuts, which are secret, forbid nothing.
    fn openly_forced(state: &State, seat: Seat) -> Option<Order> {
        match Self::legal(state, seat).as_slice() {
            [order] => Some(*order),
            _ => None,
        }
    }

    fn decide(
        state: &State,
        seat: Seat,
        order: &Order,
        dice: &mut Dice,
    ) -> Result<Vec<Event>, Refusal> {
        let Phase::Turn(active) = state.phase else { return Err(Refusal::game_over()) };
        let asked = travel::asked(state);
        let awaited = asked.unwrap_or(active);
        require(awaited == seat, Refusal::not_your_turn(vec![awaited]))?;
        if asked.is_none() {
            judge(state, seat, order)
                .map_err(|reason| refuse::because(state, seat, order, reason))?;
        } else {
            let answers = travel::answers(state);
            if !answers.contains(order) {
                return Err(refuse::not_an_answer(state, &[], &answers));
            }
        }
        Ok(carry_out(state, seat, order, dice))
    }

    /// Whether the event changed something that the order names. A move may lead anywhere, so any
    /// change of track or carts overtakes it.
    fn overtakes(event: &Event, order: &Order) -> bool {
        let changed = match *event {
            Event::Laid { at, .. } | Event::Upgraded { at, .. } | Event::Sank { at, .. } => {
                Some(at)
            }
            Event::Rolled { to, .. } => Some(to),
            _ => None,
        };
        match (*order, event) {
            (Order::Lay { at, .. } | Order::Upgrade { at, .. }, _) => changed == Some(at),
            (Order::Wish(Wish::Chasm(_, at)), Event::Sank { .. }) => changed == Some(at),
            (
                Order::Enter { cart, .. } | Order::Speed { cart, .. },
                Event::Derailed { cart: lost, .. } | Event::Fell { cart: lost },
            ) => cart == *lost,
            (
                Order::Move { .. },
                Event::Turned { .. }
                | Event::Dropped { .. }
                | Event::Derailed { .. }
                | Event::Fell { .. },
            ) => true,
            (Order::Move { .. }, _) => changed.is_some(),
            _ => false,
        }
    }

    /// An absent player makes only the moves that must be made, by default (our ruling). Chance
    /// picks a hidden pile, so that the player who cut it cannot foresee which one falls.
    fn forfeit(state: &State, _: Seat) -> Order {
        let answers = travel::answers(state);
        if answers.contains(&Order::PickAny) {
            return Order::PickAny;
        }
        answers.first().copied().unwrap_or(Order::End)
    }

    /// A letter that has moved a cart or used up all actions is a whole turn. What it does not say
    /// is done by default (our ruling). A letter with actions left does not end the turn.
    fn closing(state: &State, seat: Seat) -> Option<Order> {
        let is_on_turn = state.active() == Some(seat) && state.run.is_none();
        let is_whole = state.stint.moved != 0 || state.stint.actions == 0;
        (is_on_turn && is_whole).then_some(Order::End)
    }

    fn standings(state: &State) -> Vec<Standing> {
        score::standings(state)
    }
}

/// The error is the key of the reason why a rule forbids an order.
type Verdict = Result<(), &'static str>;

/// Judges an order of the active seat while no cart is moving.
///
/// # Errors
/// The key of the reason why a rule forbids the order.
pub fn judge(state: &State, seat: Seat, order: &Order) -> Verdict {
    match *order {
        Order::Lay { at, ends } => lay(state, at, ends),
        Order::Upgrade { at, way } => upgrade(state, at, way),
        Order::Enter { cart, berth } => enter(state, seat, cart, berth),
        Order::Speed { cart, up } => speed(state, seat, cart, up),
        Order::Move { cart } => {
            on_board(state, seat, cart)?;
            require(!state.has_moved(cart), "or-has-moved")
        }
        Order::Turn { cart, way } => {
            on_board(state, seat, cart)?;
            require(facings(state, cart).has(way), "or-no-facing")
        }
        Order::Wish(wish) => wished(state, seat, wish),
        Order::End => Ok(()),
        Order::Stop => {
            require(state.numbers.is_solo(), "or-useless")?;
            require(score::grade(state) != score::Grade::Loss, "or-no-grade")
        }
        _ => Err("or-not-asked"),
    }
}

/// "Up to 4 actions in a turn", before the carts move.
fn action(state: &State) -> Verdict {
    require(state.stint.moved == 0, "or-actions-over")?;
    require(state.stint.actions > 0, "or-no-actions")
}

/// "A straight or a corner on an empty square, in any orientation, never on the centre of a mine."
fn lay(state: &State, at: Square, ends: Ends) -> Verdict {
    action(state)?;
    require(state.board.squares.contains(at), "or-no-square")?;
    require(!state.board.centres.contains(at), "or-centre")?;
    require(!state.chasm().contains(at), "or-chasm-there")?;
    require(!state.tiled.contains(at), "or-tiled")?;
    require(Ends::LAID.contains(&ends), "or-shape")?;
    require(state.tiles.straight_or_corner > 0, "or-no-tiles")
}

/// "An unoccupied straight or corner by a T, or an unoccupied T by a cross; openings are added and
/// never removed." A T and a cross are two sides of one tile, so a cross needs no new tile.
fn upgrade(state: &State, at: Square, way: Way) -> Verdict {
    action(state)?;
    let ends = state.track[at];
    require(ends != Ends::NONE, "or-no-track")?;
    require(state.cart_on(at).is_none(), "or-under-cart")?;
    require(!ends.has(way), "or-open-already")?;
    require(ends.is_junction() || state.tiles.t_or_cross > 0, "or-no-junctions")
}

fn yours(state: &State, seat: Seat, cart: CartId) -> Verdict {
    let is_there = cart.index() < usize::from(state.numbers.carts());
    require(is_there && state.owner(cart) == seat, "or-not-yours")?;
    require(state.cart(cart).place != Place::Gone, "or-cart-gone")
}

fn on_board(state: &State, seat: Seat, cart: CartId) -> Verdict {
    yours(state, seat, cart)?;
    require(state.cart(cart).is_on_board(), "or-not-on-board")
}

/// "A cart of your colour on any unoccupied square of your surface."
fn enter(state: &State, seat: Seat, cart: CartId, berth: Berth) -> Verdict {
    action(state)?;
    yours(state, seat, cart)?;
    require(!state.cart(cart).is_on_board(), "or-on-board")?;
    let is_home = berth.side == state.home(cart) && berth.index < state.board.length(berth.side);
    require(is_home, "or-wrong-side")?;
    let place = Place::Surface(berth);
    require(state.all_carts().all(|other| state.cart(other).place != place), "or-berth-taken")
}

/// "Increase or decrease the speed of one of your carts on the board by 1."
fn speed(state: &State, seat: Seat, cart: CartId, up: bool) -> Verdict {
    action(state)?;
    on_board(state, seat, cart)?;
    let (shown, dice) = (state.cart(cart).speed, state.numbers.speed);
    require(if up { shown < dice.most } else { shown > dice.least }, "or-speed-limit")
}

/// The directions that a cart can still choose to face after its move in this turn (ruling 7). None
/// if a collision stopped it.
pub fn facings(state: &State, cart: CartId) -> Ends {
    let shown = state.cart(cart);
    match (shown.square(), shown.came) {
        (Some(at), Some(came)) if state.has_moved(cart) => travel::ways_on(state.track[at], came),
        _ => Ends::NONE,
    }
}

fn wished(state: &State, seat: Seat, wish: Wish) -> Verdict {
    require(!state.numbers.is_solo(), "or-useless")?;
    let (variant, is_abyss) = (&state.numbers.variant, state.era == Era::Abyss);
    match wish {
        Wish::Split(_) => require(variant.cut == Cut::Standing, "or-useless"),
        Wish::Claim(mission) => {
            let is_open = mission.is_claimed_in_turn() && state.missions.contains(mission);
            require(is_open, "or-no-mission")
        }
        Wish::Chasm(colour, square) => {
            require(is_abyss, "or-no-abyss")?;
            require(!variant.abyss_die, "or-useless")?;
            require(deck::chasm_squares(state, colour).contains(square), "or-chasm-square")
        }
        Wish::Place(places) => {
            require(is_abyss, "or-no-abyss")?;
            require(places || !state.has_cart(seat), "or-must-place")
        }
    }
}

fn carry_out(state: &State, seat: Seat, order: &Order, dice: &mut Dice) -> Vec<Event> {
    let mut ahead = Ahead::new(state, dice);
    match *order {
        Order::Lay { at, ends } => ahead.happen(Event::Laid { seat, at, ends }),
        Order::Upgrade { at, way } => ahead.happen(Event::Upgraded { seat, at, way }),
        Order::Enter { cart, berth } => {
            ahead.happen(Event::Entered { cart, berth, speed: state.numbers.speed.start });
        }
        Order::Speed { cart, up } => {
            let speed = state.cart(cart).speed.saturating_add_signed(if up { 1 } else { -1 });
            ahead.happen(Event::Sped { cart, speed });
        }
        Order::Wish(wish) => ahead.happen(Event::Wished { seat, wish }),
        Order::Turn { cart, way } => ahead.happen(Event::Turned { cart, facing: way }),
        Order::Move { cart } => set_off(&mut ahead, cart),
        Order::End => ahead.happen(Event::Rested),
        Order::Stop => close::end(&mut ahead, Ending::Stopped),
        ref answer => ahead.answer(answer),
    }
    proceed(&mut ahead);
    ahead.events
}

fn set_off(ahead: &mut Ahead<'_>, cart: CartId) {
    ahead.note_full_hold(cart);
    ahead.happen(Event::SetOff { cart });
}

/// Goes on until a player has to answer. After `done` it moves the remaining carts and closes the
/// turn.
fn proceed(ahead: &mut Ahead<'_>) {
    loop {
        travel::go_on(ahead);
        let state = &ahead.state;
        let is_resting = state.run.is_none() && state.stint.resting;
        let Some(seat) = state.active().filter(|_| is_resting) else { return };
        let next = state.unmoved(seat).next();
        match next {
            Some(cart) => set_off(ahead, cart),
            None => return close::close(ahead, seat),
        }
    }
}

/// The squares with a tile and no cart.
pub fn upgradable(state: &State) -> SquareSet {
    let occupied = state.all_carts().filter_map(|cart| state.cart(cart).square());
    state.tiled.minus(occupied.collect())
}

/// The orders that may be legal now, in the order in which legal orders are listed.
fn candidates(state: &State, seat: Seat) -> Vec<Order> {
    let mut orders = Vec::new();
    if action(state).is_ok() {
        let lays = |at| Ends::LAID.map(|ends| Order::Lay { at, ends });
        orders.extend(state.layable().iter().flat_map(lays));
        let upgrades = |at| Way::ALL.map(|way| Order::Upgrade { at, way });
        orders.extend(state.tiled.iter().flat_map(upgrades));
        for cart in state.carts_of(seat) {
            let side = state.home(cart);
            let berths = (0..state.board.length(side)).map(|index| Berth { side, index });
            orders.extend(berths.map(|berth| Order::Enter { cart, berth }));
            orders.extend([true, false].map(|up| Order::Speed { cart, up }));
        }
    }
    orders.extend(state.carts_of(seat).map(|cart| Order::Move { cart }));
    let turns = |cart| Way::ALL.map(|way| Order::Turn { cart, way });
    orders.extend(state.carts_of(seat).flat_map(turns));
    orders.extend([Order::End, Order::Stop]);
    orders.extend(Split::ALL.map(|split| Order::Wish(Wish::Split(split))));
    orders.extend(state.missions.iter().map(|mission| Order::Wish(Wish::Claim(mission))));
    orders.extend([true, false].map(|places| Order::Wish(Wish::Place(places))));
    for colour in Colour::ALL {
        let squares = deck::chasm_squares(state, colour);
        orders.extend(squares.iter().map(|at| Order::Wish(Wish::Chasm(colour, at))));
    }
    orders
}
