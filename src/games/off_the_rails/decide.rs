//! Every rule of a turn: up to four actions, then every cart moves, then the turn is closed.

use super::ahead::Ahead;
use super::close;
use super::deck;
use super::definition::{Cut, Definition, Options};
use super::event::{Ending, Event};
use super::grid::{Ends, Square, SquareSet, Way};
use super::order::{Berth, CartId, Order, Split, Wish};
use super::refuse;
use super::score;
use super::state::{Era, Phase, Place, State};
use super::travel;
use super::{OffTheRails, validate};
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
        let board = Arc::new(validate::validate(definition)?);
        Ok(State::new(board, validate::numbers(definition, options, seats)?))
    }

    fn setup(state: &State, dice: &mut Dice) -> Vec<Event> {
        deck::setup(state, dice)
    }

    fn apply(state: &mut State, event: &Event) {
        state.apply(event);
    }

    fn turn(state: &State) -> Turn {
        match state.phase {
            Phase::Unopened => Turn::Awaiting(Vec::new()),
            Phase::Turn(seat) => Turn::Awaiting(vec![travel::asked(state).unwrap_or(seat)]),
            Phase::Over(_) => Turn::Over,
        }
    }

    fn legal(state: &State, seat: Seat) -> Vec<Order> {
        match (travel::asked(state), state.active()) {
            (Some(asked), _) if asked == seat => return travel::answers(state),
            (None, Some(active)) if active == seat => {}
            _ => return Vec::new(),
        }
        let mut orders = Vec::new();
        let is_legal = |order: &Order| hindrance(state, seat, order).is_none();
        if action(state).is_none() {
            lays(state, &mut orders);
            upgrades(state, &mut orders);
            for cart in state.carts_of(seat) {
                let side = state.home(cart);
                let berths = (0..state.board.length(side)).map(|index| Berth { side, index });
                orders.extend(berths.map(|berth| Order::Enter { cart, berth }).filter(is_legal));
                orders.extend(
                    [true, false]
                        .map(|up| Order::Speed { cart, up })
                        .iter()
                        .filter(|o| is_legal(o)),
                );
            }
        }
        orders.extend(state.unmoved(seat).map(|cart| Order::Move { cart }));
        for cart in state.carts_of(seat) {
            orders.extend(facings(state, cart).iter().map(|way| Order::Turn { cart, way }));
        }
        orders.push(Order::End);
        orders.extend([Order::Stop].into_iter().filter(is_legal));
        wishes(state, seat, &mut orders);
        orders
    }

    /// The seat's only order. What is legal rests on nothing that others cannot see: neither wishes
    /// nor the cut of jewels forbid anything.
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
        let active = match state.phase {
            Phase::Turn(active) => active,
            Phase::Unopened | Phase::Over(_) => return Err(Refusal::game_over()),
        };
        if let Some(asked) = travel::asked(state) {
            return if asked == seat {
                answer(state, order, dice)
            } else {
                Err(Refusal::not_your_turn(vec![asked]))
            };
        }
        if active != seat {
            return Err(Refusal::not_your_turn(vec![active]));
        }
        if let Some(hindrance) = hindrance(state, seat, order) {
            return Err(refuse::because(state, seat, order, hindrance));
        }
        Ok(carry_out(state, seat, order, dice))
    }

    /// Whether the event changed something that the order names; for a move, any track or cart,
    /// since its way may lead there.
    fn overtakes(event: &Event, order: &Order) -> bool {
        let changed = match *event {
            Event::Laid { at, .. } | Event::Upgraded { at, .. } | Event::Sank { at, .. } => {
                Some(at)
            }
            Event::Rolled { to, .. } => Some(to),
            Event::Turned { .. }
            | Event::Dropped { .. }
            | Event::Derailed { .. }
            | Event::Fell { .. } => None,
            _ => return false,
        };
        match *order {
            Order::Lay { at, .. } | Order::Upgrade { at, .. } => changed == Some(at),
            Order::Wish(Wish::Chasm(_, at)) => {
                matches!(event, Event::Sank { at: sunk, .. } if *sunk == at)
            }
            Order::Move { .. } => true,
            Order::Enter { cart, .. } | Order::Speed { cart, .. } => matches!(event,
            Event::Derailed { cart: other, .. } | Event::Fell { cart: other } if *other == cart),
            _ => false,
        }
    }

    /// What an absent player does (a ruling of ours): nothing but the moves that must be, by
    /// default; chance picks a hidden pile, or who cuts it would know which one falls.
    fn forfeit(state: &State, _: Seat) -> Order {
        let answers = travel::answers(state);
        let is_pick = answers.contains(&Order::PickAny);
        let default = answers.first().copied().unwrap_or(Order::End);
        if is_pick { Order::PickAny } else { default }
    }

    /// A letter that has moved a cart, or has used up its actions, is a whole turn: what it leaves
    /// unsaid is done by default (a ruling of ours). One that has only begun its actions may go on.
    fn closing(state: &State, seat: Seat) -> Option<Order> {
        let is_on_turn = state.active() == Some(seat) && state.run.is_none();
        let is_whole = state.stint.moved != 0 || state.stint.actions == 0;
        (is_on_turn && is_whole).then_some(Order::End)
    }

    fn standings(state: &State) -> Vec<Standing> {
        score::standings(state)
    }
}

/// What stands against an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hindrance {
    /// All actions have been taken.
    NoActions,
    /// A cart has moved, so the action phase is over.
    ActionsOver,
    /// No tile of this sort is left (ruling 43).
    NoTiles,
    /// The square is not on the board.
    OffBoard,
    /// The square is the centre of a mine.
    Centre,
    /// The square has collapsed.
    Chasm,
    /// A tile lies there already.
    Tiled,
    /// These openings are neither a straight nor a corner.
    Shape,
    /// No tile lies there.
    NoTrack,
    /// A cart stands there.
    UnderCart,
    /// The tile opens that way already.
    Open,
    /// The cart is somebody else's, or there is none of that name.
    NotYours,
    /// The cart is out of the game.
    Gone,
    /// The cart is on the board already.
    OnBoard,
    /// The cart is not on the board.
    OffTrack,
    /// It is not the cart's own side, or the side has no such square.
    WrongSide,
    /// Another cart stands on that square of the surface.
    Taken,
    /// The die shows its lowest or highest face.
    Limit,
    /// The cart has moved in this turn.
    Moved,
    /// The cart has not stopped on a junction in this turn, or it cannot face that way.
    NoFacing,
    /// Nothing of that kind has been asked.
    NotAsked,
    /// There is no use for it in this game.
    Useless,
    /// The mission does not lie face up, or is awarded at the end only.
    NoMission,
    /// The abyss has not opened yet.
    NoAbyss,
    /// A token of that colour cannot go there.
    ChasmSquare,
    /// Who has a cart on the board must place a token.
    MustPlace,
    /// No grade has been reached.
    NoGrade,
}

/// What stands against this order of the active seat while no cart is moving.
pub fn hindrance(state: &State, seat: Seat, order: &Order) -> Option<Hindrance> {
    match *order {
        Order::Lay { at, ends } => action(state).or_else(|| lay(state, at, ends)),
        Order::Upgrade { at, way } => action(state).or_else(|| upgrade(state, at, way)),
        Order::Enter { cart, berth } => action(state).or_else(|| enter(state, seat, cart, berth)),
        Order::Speed { cart, up } => action(state).or_else(|| speed(state, seat, cart, up)),
        Order::Move { cart } => on_board(state, seat, cart)
            .or_else(|| state.has_moved(cart).then_some(Hindrance::Moved)),
        Order::Turn { cart, way } => on_board(state, seat, cart)
            .or_else(|| (!facings(state, cart).has(way)).then_some(Hindrance::NoFacing)),
        Order::Wish(wish) => wished(state, seat, wish),
        Order::End => None,
        Order::Stop if !state.numbers.is_solo() => Some(Hindrance::Useless),
        Order::Stop => (score::grade(state) == score::Grade::Loss).then_some(Hindrance::NoGrade),
        Order::Go(_)
        | Order::Take(_)
        | Order::Face(_)
        | Order::Drop(_)
        | Order::Cut(_)
        | Order::Pick { .. }
        | Order::PickAny => Some(Hindrance::NotAsked),
    }
}

/// "Up to 4 actions in a turn", before the carts move.
fn action(state: &State) -> Option<Hindrance> {
    if state.stint.moved != 0 {
        Some(Hindrance::ActionsOver)
    } else if state.stint.actions == 0 {
        Some(Hindrance::NoActions)
    } else {
        None
    }
}

/// "A straight or a corner on an empty square, in any orientation, never on the centre of a mine."
fn lay(state: &State, at: Square, ends: Ends) -> Option<Hindrance> {
    let board = &state.board;
    if !board.squares.contains(at) {
        Some(Hindrance::OffBoard)
    } else if board.centres.contains(at) {
        Some(Hindrance::Centre)
    } else if state.chasm().contains(at) {
        Some(Hindrance::Chasm)
    } else if state.tiled.contains(at) {
        Some(Hindrance::Tiled)
    } else if !Ends::LAID.contains(&ends) {
        Some(Hindrance::Shape)
    } else {
        (state.tiles.straight_or_corner == 0).then_some(Hindrance::NoTiles)
    }
}

/// "An unoccupied straight or corner by a T, or an unoccupied T by a cross; openings are added and
/// never removed." A T is turned over to its cross and needs no new tile.
fn upgrade(state: &State, at: Square, way: Way) -> Option<Hindrance> {
    let ends = state.track[at];
    if ends == Ends::NONE {
        Some(Hindrance::NoTrack)
    } else if state.cart_on(at).is_some() {
        Some(Hindrance::UnderCart)
    } else if ends.has(way) {
        Some(Hindrance::Open)
    } else {
        (!ends.is_junction() && state.tiles.t_or_cross == 0).then_some(Hindrance::NoTiles)
    }
}

fn yours(state: &State, seat: Seat, cart: CartId) -> Option<Hindrance> {
    let is_yours = cart.index() < usize::from(state.numbers.carts()) && state.owner(cart) == seat;
    if !is_yours {
        Some(Hindrance::NotYours)
    } else {
        (state.cart(cart).place == Place::Gone).then_some(Hindrance::Gone)
    }
}

fn on_board(state: &State, seat: Seat, cart: CartId) -> Option<Hindrance> {
    yours(state, seat, cart)
        .or_else(|| (!state.cart(cart).is_on_board()).then_some(Hindrance::OffTrack))
}

/// "A cart of your colour on any unoccupied square of your surface."
fn enter(state: &State, seat: Seat, cart: CartId, berth: Berth) -> Option<Hindrance> {
    yours(state, seat, cart).or_else(|| {
        if state.cart(cart).is_on_board() {
            Some(Hindrance::OnBoard)
        } else if berth.side != state.home(cart) || berth.index >= state.board.length(berth.side) {
            Some(Hindrance::WrongSide)
        } else {
            let is_taken =
                state.all_carts().any(|other| state.cart(other).place == Place::Surface(berth));
            is_taken.then_some(Hindrance::Taken)
        }
    })
}

/// "Increase or decrease the speed of one of your carts on the board by 1."
fn speed(state: &State, seat: Seat, cart: CartId, up: bool) -> Option<Hindrance> {
    on_board(state, seat, cart).or_else(|| {
        let (shown, dice) = (state.cart(cart).speed, state.numbers.speed);
        let is_limit = if up { shown >= dice.most } else { shown <= dice.least };
        is_limit.then_some(Hindrance::Limit)
    })
}

/// Where a cart can face that has moved in this turn (ruling 7); not one that was stopped by a
/// collision.
pub fn facings(state: &State, cart: CartId) -> Ends {
    let shown = state.cart(cart);
    match (shown.place, shown.came) {
        (Place::Track(at), Some(came)) if state.has_moved(cart) => {
            travel::ways_on(state.track[at], came)
        }
        _ => Ends::NONE,
    }
}

fn wished(state: &State, seat: Seat, wish: Wish) -> Option<Hindrance> {
    let is_solo = state.numbers.is_solo();
    match wish {
        Wish::Split(_) => {
            (is_solo || state.numbers.variant.cut == Cut::Interactive).then_some(Hindrance::Useless)
        }
        Wish::Claim(_) if is_solo => Some(Hindrance::Useless),
        Wish::Claim(mission) => (!mission.is_claimed_in_turn()
            || !state.missions.contains(mission))
        .then_some(Hindrance::NoMission),
        Wish::Chasm(..) | Wish::Place(_) if is_solo => Some(Hindrance::Useless),
        Wish::Chasm(..) | Wish::Place(_) if state.era != Era::Abyss => Some(Hindrance::NoAbyss),
        Wish::Chasm(..) if state.numbers.variant.abyss_die => Some(Hindrance::Useless),
        Wish::Chasm(colour, square) => {
            (!deck::chasm_squares(state, colour).contains(square)).then_some(Hindrance::ChasmSquare)
        }
        Wish::Place(places) => (!places && state.has_cart(seat)).then_some(Hindrance::MustPlace),
    }
}

fn answer(state: &State, order: &Order, dice: &mut Dice) -> Result<Vec<Event>, Refusal> {
    let answers = travel::answers(state);
    if !answers.contains(order) {
        return Err(refuse::not_an_answer(state, &[], &answers));
    }
    let mut ahead = Ahead::new(state, dice);
    ahead.answer(order);
    proceed(&mut ahead);
    Ok(ahead.events)
}

fn carry_out(state: &State, seat: Seat, order: &Order, dice: &mut Dice) -> Vec<Event> {
    match *order {
        Order::Lay { at, ends } => vec![Event::Laid { seat, at, ends }],
        Order::Upgrade { at, way } => vec![Event::Upgraded { seat, at, way }],
        Order::Enter { cart, berth } => {
            vec![Event::Entered { cart, berth, speed: state.numbers.speed.start }]
        }
        Order::Speed { cart, up } => {
            let shown = state.cart(cart).speed;
            let speed = if up { shown.saturating_add(1) } else { shown.saturating_sub(1) };
            vec![Event::Sped { cart, speed }]
        }
        Order::Wish(wish) => vec![Event::Wished { seat, wish }],
        Order::Turn { cart, way } => vec![Event::Turned { cart, facing: way }],
        Order::Move { cart } => {
            let mut ahead = Ahead::new(state, dice);
            set_off(&mut ahead, cart);
            proceed(&mut ahead);
            ahead.events
        }
        Order::Stop => {
            let mut ahead = Ahead::new(state, dice);
            close::end(&mut ahead, Ending::Stopped);
            ahead.events
        }
        // The others were refused.
        _ => {
            let mut ahead = Ahead::new(state, dice);
            ahead.happen(Event::Rested);
            proceed(&mut ahead);
            ahead.events
        }
    }
}

fn set_off(ahead: &mut Ahead<'_>, cart: CartId) {
    ahead.note_full_hold(cart);
    ahead.happen(Event::SetOff { cart });
}

/// Goes on until somebody has to say something. Where the rest is left to the defaults, the carts
/// that have not moved do so, and the turn is closed.
fn proceed(ahead: &mut Ahead<'_>) {
    loop {
        travel::go_on(ahead);
        let (None, true, Some(seat)) =
            (ahead.state.run, ahead.state.stint.resting, ahead.state.active())
        else {
            return;
        };
        let next = ahead.state.unmoved(seat).next();
        match next {
            Some(cart) => set_off(ahead, cart),
            None => {
                close::close(ahead, seat);
                return;
            }
        }
    }
}

/// The squares with a tile that can be upgraded.
pub fn upgradable(state: &State) -> SquareSet {
    state.tiled.minus(state.occupied())
}

fn lays(state: &State, orders: &mut Vec<Order>) {
    if state.tiles.straight_or_corner > 0 {
        let squares = state.layable();
        orders.reserve(squares.len() as usize * Ends::LAID.len() + 64);
        for at in squares.iter() {
            orders.extend(Ends::LAID.map(|ends| Order::Lay { at, ends }));
        }
    }
}

fn upgrades(state: &State, orders: &mut Vec<Order>) {
    for at in upgradable(state).iter() {
        let ends = state.track[at];
        if ends.is_junction() || state.tiles.t_or_cross > 0 {
            let closed = Way::ALL.into_iter().filter(|&way| !ends.has(way));
            orders.extend(closed.map(|way| Order::Upgrade { at, way }));
        }
    }
}

fn wishes(state: &State, seat: Seat, orders: &mut Vec<Order>) {
    let is_legal = |wish: &Wish| wished(state, seat, *wish).is_none();
    let mut wishes: Vec<Wish> = Split::ALL.into_iter().map(Wish::Split).collect();
    wishes.extend(state.missions.iter().map(Wish::Claim));
    wishes.extend([Wish::Place(true), Wish::Place(false)]);
    wishes.retain(is_legal);
    if state.era == Era::Abyss && !state.numbers.is_solo() && !state.numbers.variant.abyss_die {
        for colour in super::colour::Colour::ALL {
            let squares = deck::chasm_squares(state, colour);
            wishes.extend(squares.iter().map(|square| Wish::Chasm(colour, square)));
        }
    }
    orders.extend(wishes.into_iter().map(Order::Wish));
}
