//! The rules of a turn: up to four actions, then every cart of the player moves, then the turn ends
//! with a deposit or a chasm token.

use super::definition::{CutRule, Definition, Options};
use super::state::Phase;
use super::{
    CartId, Colour, Direction, Ending, Era, Event, Lookahead, OffTheRails, Order, Place, Split,
    Square, SquareSet, State, SurfaceSquare, TileOpenings, Wish, board, deck, refuse, require,
    score, travel, turn_end,
};
use crate::rules::{DefinitionFault, Dice, Ranking, Refusal, Rules, Seat, Turn};
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

    fn initial_state(
        definition: &Definition,
        options: &Options,
        seats: u8,
    ) -> Result<State, DefinitionFault> {
        let board = Arc::new(board::build(definition)?);
        Ok(State::new(board, board::build_game_numbers(definition, options, seats)?))
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
            _ => Turn::Awaiting(
                travel::asked_seat(state).or(state.active_seat()).into_iter().collect(),
            ),
        }
    }

    fn legal_orders(state: &State, seat: Seat) -> Vec<Order> {
        match (travel::asked_seat(state), state.active_seat()) {
            (Some(asked), _) if asked == seat => travel::list_answers(state),
            (None, Some(active)) if active == seat => {
                let mut orders = candidate_orders(state, seat);
                orders.retain(|order| check_order(state, seat, order).is_ok());
                orders
            }
            _ => Vec::new(),
        }
    }

    /// Returns the seat's only legal order, or `None` if there are several. All players can compute
    /// the legal orders, because the secrets (standing orders and cuts) forbid nothing.
    fn publicly_only_legal_order(state: &State, seat: Seat) -> Option<Order> {
        match Self::legal_orders(state, seat).as_slice() {
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
        let asked = travel::asked_seat(state);
        let awaited = asked.unwrap_or(active);
        require(awaited == seat, Refusal::not_your_turn(vec![awaited]))?;
        if asked.is_none() {
            check_order(state, seat, order)
                .map_err(|reason| refuse::refusal_with_alternatives(state, seat, order, reason))?;
        } else {
            let answers = travel::list_answers(state);
            if !answers.contains(order) {
                return Err(refuse::refuse_non_answer(state, &[], &answers));
            }
        }
        Ok(execute_order(state, seat, order, dice))
    }

    /// Whether an event that the player had not seen yet makes an order outdated, because it
    /// changed something that the order names. A move may lead anywhere, so any change of track or
    /// carts makes it outdated.
    fn invalidates(event: &Event, order: &Order) -> bool {
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

    /// Returns the order for an absent player: the default answer to an open question, or the end
    /// of the turn. The player's carts then move by default, because they must move (our ruling).
    /// Chance picks a hidden pile, so the player who cut the piles cannot foresee which one falls.
    fn order_for_absent_player(state: &State, _: Seat) -> Order {
        let answers = travel::list_answers(state);
        if answers.contains(&Order::PickAny) {
            return Order::PickAny;
        }
        answers.first().copied().unwrap_or(Order::EndTurn)
    }

    /// Returns the end of the turn if a letter has moved a cart or used up all actions. Its author
    /// then did not mean to continue, and the rest is done by default (our ruling). A letter that
    /// leaves actions does not end the turn.
    fn implied_final_order(state: &State, seat: Seat) -> Option<Order> {
        let is_on_turn = state.active_seat() == Some(seat) && state.current_move.is_none();
        let is_whole =
            state.turn_progress.moved_carts != 0 || state.turn_progress.actions_left == 0;
        (is_on_turn && is_whole).then_some(Order::EndTurn)
    }

    fn rankings(state: &State) -> Vec<Ranking> {
        score::rankings(state)
    }
}

/// The result of a legality check. The error is the key of the sentence that explains the rule.
type Legality = Result<(), &'static str>;

/// Checks an order of the active seat while no cart is moving.
///
/// # Errors
/// The key of the sentence that explains the rule which forbids the order.
pub fn check_order(state: &State, seat: Seat, order: &Order) -> Legality {
    match *order {
        Order::Lay { at, ends } => check_lay(state, at, ends),
        Order::Upgrade { at, way } => check_upgrade(state, at, way),
        Order::Enter { cart, berth } => check_enter(state, seat, cart, berth),
        Order::Speed { cart, up } => check_speed(state, seat, cart, up),
        Order::Move { cart } => {
            check_on_board(state, seat, cart)?;
            require(!state.has_moved(cart), "or-has-moved")
        }
        Order::TurnCart { cart, way } => {
            check_on_board(state, seat, cart)?;
            require(possible_facings(state, cart).has(way), "or-no-facing")
        }
        Order::Wish(wish) => check_wish(state, seat, wish),
        Order::EndTurn => Ok(()),
        Order::StopGame => {
            require(state.numbers.is_solo(), "or-useless")?;
            require(score::solo_grade(state) != score::Grade::Loss, "or-no-grade")
        }
        _ => Err("or-not-asked"),
    }
}

/// Checks that an action is allowed now. (Seed: "Up to 4 actions in a turn". They come before the
/// moves.)
fn check_action(state: &State) -> Legality {
    require(state.turn_progress.moved_carts == 0, "or-actions-over")?;
    require(state.turn_progress.actions_left > 0, "or-no-actions")
}

/// Checks an order that lays a tile. (Seed: "A straight or a corner on an empty square, in any
/// orientation, never on the centre of a mine.")
fn check_lay(state: &State, at: Square, ends: TileOpenings) -> Legality {
    check_action(state)?;
    require(state.board.squares.contains(at), "or-no-square")?;
    require(!state.board.centres.contains(at), "or-centre")?;
    require(!state.collapsed_squares().contains(at), "or-chasm-there")?;
    require(!state.tiled.contains(at), "or-tiled")?;
    require(TileOpenings::LAYABLE.contains(&ends), "or-shape")?;
    require(state.tiles.straight_or_corner > 0, "or-no-tiles")
}

/// Checks an order that adds an opening to a tile. (Seed: "An unoccupied straight or corner by a T,
/// or an unoccupied T by a cross; openings are added and never removed.") A T and a cross are the
/// two sides of one tile, so a cross needs no new tile.
fn check_upgrade(state: &State, at: Square, way: Direction) -> Legality {
    check_action(state)?;
    let ends = state.track[at];
    require(ends != TileOpenings::NONE, "or-no-track")?;
    require(state.cart_on(at).is_none(), "or-under-cart")?;
    require(!ends.has(way), "or-open-already")?;
    require(ends.is_junction() || state.tiles.t_or_cross > 0, "or-no-junctions")
}

fn check_owner(state: &State, seat: Seat, cart: CartId) -> Legality {
    let is_there = cart.index() < usize::from(state.numbers.cart_count());
    require(is_there && state.owner(cart) == seat, "or-not-yours")?;
    require(state.cart(cart).place != Place::Gone, "or-cart-gone")
}

fn check_on_board(state: &State, seat: Seat, cart: CartId) -> Legality {
    check_owner(state, seat, cart)?;
    require(state.cart(cart).is_on_board(), "or-not-on-board")
}

/// Checks an order that puts a cart on the surface. (Seed: "A cart of your colour on any unoccupied
/// square of your surface.")
fn check_enter(state: &State, seat: Seat, cart: CartId, berth: SurfaceSquare) -> Legality {
    check_action(state)?;
    check_owner(state, seat, cart)?;
    require(!state.cart(cart).is_on_board(), "or-on-board")?;
    let is_home =
        berth.side == state.home_side(cart) && berth.index < state.board.side_length(berth.side);
    require(is_home, "or-wrong-side")?;
    let place = Place::Surface(berth);
    require(state.all_carts().all(|other| state.cart(other).place != place), "or-berth-taken")
}

/// Checks an order that changes a cart's speed. (Seed: "Increase or decrease the speed of one of
/// your carts on the board by 1.")
fn check_speed(state: &State, seat: Seat, cart: CartId, up: bool) -> Legality {
    check_action(state)?;
    check_on_board(state, seat, cart)?;
    let (shown, dice) = (state.cart(cart).speed, state.numbers.speed);
    require(if up { shown < dice.most } else { shown > dice.least }, "or-speed-limit")
}

/// Returns the directions to which a cart can still be turned after its move in this turn (ruling
/// 7). There are none if a collision ended the move.
pub fn possible_facings(state: &State, cart: CartId) -> TileOpenings {
    let shown = state.cart(cart);
    match (shown.square(), shown.arrived_heading) {
        (Some(at), Some(came)) if state.has_moved(cart) => {
            travel::openings_without_entry(state.track[at], came)
        }
        _ => TileOpenings::NONE,
    }
}

fn check_wish(state: &State, seat: Seat, wish: Wish) -> Legality {
    require(!state.numbers.is_solo(), "or-useless")?;
    let (variant, is_abyss) = (&state.numbers.options, state.era == Era::Abyss);
    match wish {
        Wish::Split(_) => require(variant.cut == CutRule::Standing, "or-useless"),
        Wish::Claim(mission) => {
            let is_open = mission.is_claimable_in_turn() && state.missions.contains(mission);
            require(is_open, "or-no-mission")
        }
        Wish::Chasm(colour, square) => {
            require(is_abyss, "or-no-abyss")?;
            require(!variant.abyss_die, "or-useless")?;
            require(deck::legal_token_squares(state, colour).contains(square), "or-chasm-square")
        }
        Wish::Place(places) => {
            require(is_abyss, "or-no-abyss")?;
            require(places || !state.has_cart_on_board(seat), "or-must-place")
        }
    }
}

fn execute_order(state: &State, seat: Seat, order: &Order, dice: &mut Dice) -> Vec<Event> {
    let mut ahead = Lookahead::new(state, dice);
    match *order {
        Order::Lay { at, ends } => ahead.apply_and_record(Event::Laid { seat, at, ends }),
        Order::Upgrade { at, way } => ahead.apply_and_record(Event::Upgraded { seat, at, way }),
        Order::Enter { cart, berth } => {
            ahead.apply_and_record(Event::Entered {
                cart,
                berth,
                speed: state.numbers.speed.start,
            });
        }
        Order::Speed { cart, up } => {
            let speed = state.cart(cart).speed.saturating_add_signed(if up { 1 } else { -1 });
            ahead.apply_and_record(Event::Sped { cart, speed });
        }
        Order::Wish(wish) => ahead.apply_and_record(Event::Wished { seat, wish }),
        Order::TurnCart { cart, way } => {
            ahead.apply_and_record(Event::Turned { cart, facing: way });
        }
        Order::Move { cart } => start_move(&mut ahead, cart),
        Order::EndTurn => ahead.apply_and_record(Event::Rested),
        Order::StopGame => turn_end::derail_carts_and_end_game(&mut ahead, Ending::Stopped),
        ref answer => ahead.carry_out_answer(answer),
    }
    continue_until_question(&mut ahead);
    ahead.events
}

fn start_move(ahead: &mut Lookahead<'_>, cart: CartId) {
    ahead.record_mission_if_hold_full(cart);
    ahead.apply_and_record(Event::SetOff { cart });
}

/// Continues until a player has to answer a question. If the turn was ended with `done`, also moves
/// the remaining carts and closes the turn.
fn continue_until_question(ahead: &mut Lookahead<'_>) {
    loop {
        travel::continue_move(ahead);
        let state = &ahead.state;
        let is_resting = state.current_move.is_none() && state.turn_progress.uses_defaults;
        let Some(seat) = state.active_seat().filter(|_| is_resting) else { return };
        let next = state.unmoved_carts(seat).next();
        match next {
            Some(cart) => start_move(ahead, cart),
            None => return turn_end::end_turn(ahead, seat),
        }
    }
}

/// Returns the squares whose tile can be upgraded, because no cart is on it.
pub fn upgradable_squares(state: &State) -> SquareSet {
    let occupied = state.all_carts().filter_map(|cart| state.cart(cart).square());
    state.tiled.difference(occupied.collect())
}

/// Returns every order that might be legal. The caller removes those that are not, and keeps this
/// sequence for the list of legal orders.
fn candidate_orders(state: &State, seat: Seat) -> Vec<Order> {
    let mut orders = Vec::new();
    if check_action(state).is_ok() {
        let lays = |at| TileOpenings::LAYABLE.map(|ends| Order::Lay { at, ends });
        orders.extend(state.layable_squares().iter().flat_map(lays));
        let upgrades = |at| Direction::ALL.map(|way| Order::Upgrade { at, way });
        orders.extend(state.tiled.iter().flat_map(upgrades));
        for cart in state.carts_of(seat) {
            let side = state.home_side(cart);
            let berths =
                (0..state.board.side_length(side)).map(|index| SurfaceSquare { side, index });
            orders.extend(berths.map(|berth| Order::Enter { cart, berth }));
            orders.extend([true, false].map(|up| Order::Speed { cart, up }));
        }
    }
    orders.extend(state.carts_of(seat).map(|cart| Order::Move { cart }));
    let turns = |cart| Direction::ALL.map(|way| Order::TurnCart { cart, way });
    orders.extend(state.carts_of(seat).flat_map(turns));
    orders.extend([Order::EndTurn, Order::StopGame]);
    orders.extend(Split::ALL.map(|split| Order::Wish(Wish::Split(split))));
    orders.extend(state.missions.iter().map(|mission| Order::Wish(Wish::Claim(mission))));
    orders.extend([true, false].map(|places| Order::Wish(Wish::Place(places))));
    for colour in Colour::ALL {
        let squares = deck::legal_token_squares(state, colour);
        orders.extend(squares.iter().map(|at| Order::Wish(Wish::Chasm(colour, at))));
    }
    orders
}
