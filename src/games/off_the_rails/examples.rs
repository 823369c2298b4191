//! Example lines for the card of orders and for refusals. The active player could send each of them
//! now, if any line of its form is legal. If none is, the example is a fixed line.

use super::OffTheRails;
use super::colour::Colour;
use super::confirmation;
use super::decide::{possible_facings, upgradable_squares};
use super::deck;
use super::event::Event;
use super::grid::{Direction, Square};
use super::jewel::JewelCounts;
use super::order::{CartId, Order, SurfaceSquare};
use super::plan::throwaway_dice;
use super::refuse::{cart_order_word, column_or_row_label};
use super::route;
use super::state::{Era, Place, State};
use super::travel;
use crate::rules::{Rules, Seat};

/// Returns the seat whose carts the examples use: the active seat, or seat 1.
fn example_seat(state: &State) -> Seat {
    state.active_seat().unwrap_or(Seat::new(1))
}

/// Returns the first letter of the word for a cart, which is the shortest way to write it.
fn cart_letter(state: &State, cart: Option<CartId>) -> String {
    let first = cart.or_else(|| state.carts_of(example_seat(state)).next());
    let word = first.map_or("white", |cart| cart_order_word(state, cart));
    word.chars().take(1).collect()
}

/// Returns a line such as `lay D2 ne, D3 ns` with `count` tiles. It avoids the squares directly
/// ahead of carts, where a wrong tile derails them.
pub fn lay_line(state: &State, count: usize) -> String {
    let usual = ["D2", "D3"].map(Square::parse);
    let free = state.layable_squares();
    let ahead: Vec<Option<Square>> =
        state.all_carts().map(|cart| travel::next_square(state, cart)).collect();
    let squares = usual.iter().copied().flatten().chain(free.iter());
    let mut open: Vec<Square> = Vec::new();
    for at in squares.filter(|&at| free.contains(at) && !ahead.contains(&Some(at))) {
        if !open.contains(&at) {
            open.push(at);
        }
    }
    let open = open.into_iter().chain(usual.into_iter().flatten()).take(count);
    let tiles: Vec<String> =
        open.zip(["ne", "ns"]).map(|(at, ends)| format!("{at} {ends}")).collect();
    format!("lay {}", tiles.join(", "))
}

/// Returns a line such as `upgrade D2 e`.
pub fn upgrade_line(state: &State) -> String {
    let closed = |at: Square| Direction::ALL.into_iter().find(|&way| !state.track[at].has(way));
    let tile = upgradable_squares(state).iter().find_map(|at| Some((at, closed(at)?)));
    let named = tile.map(|(at, way)| format!("{at} {}", way.name().split_at(1).0));
    format!("upgrade {}", named.as_deref().unwrap_or("D2 e"))
}

/// Returns a line such as `enter white C` with a cart of `reader`, from the side of that player.
pub fn enter_line(state: &State, reader: Option<Seat>) -> String {
    let own = state.carts_of(reader.unwrap_or_else(|| example_seat(state)));
    let cart = own.clone().find(|&cart| state.cart(cart).place == Place::Supply);
    let Some(cart) = cart.or_else(|| own.clone().next()) else { return "enter white C".to_owned() };
    let side = state.home_side(cart);
    let is_free = |index: &u8| {
        let berth = Place::Surface(SurfaceSquare { side, index: *index });
        state.all_carts().all(|other| state.cart(other).place != berth)
    };
    let index = [2, 3, 4].into_iter().find(is_free).unwrap_or(2);
    format!("enter {} {}", cart_order_word(state, cart), column_or_row_label(side, index))
}

/// Returns a line such as `speed w +1`.
pub fn speed_line(state: &State) -> String {
    let cart = state.carts_of(example_seat(state)).find(|&cart| state.cart(cart).is_on_board());
    let is_fastest = cart.is_some_and(|cart| state.cart(cart).speed >= state.numbers.speed.most);
    format!("speed {} {}", cart_letter(state, cart), if is_fastest { "-1" } else { "+1" })
}

/// Returns the cart of the example seat that moves next. Returns `None` while a move waits for an
/// answer.
fn next_mover(state: &State) -> Option<CartId> {
    state.unmoved_carts(example_seat(state)).next().filter(|_| state.current_move.is_none())
}

/// Returns a line such as `move w` with the words `more` behind it. Adds the word `derail` if the
/// cart would derail.
pub fn move_line(state: &State, more: &str) -> String {
    let cart = next_mover(state);
    let order = cart.map(|cart| Order::Move { cart });
    let derails =
        order.is_some_and(|order| confirmation::would_derail(state, example_seat(state), &[order]));
    let word_of_it = if derails && more != " derail" { " derail" } else { "" };
    format!("move {}{more}{word_of_it}", cart_letter(state, cart))
}

/// Returns a line such as `move w C1 C2 D2 out` with the squares that the cart crosses by default.
pub fn route_line(state: &State) -> String {
    let cart = next_mover(state);
    match cart.map(|cart| simulate_default_move(state, cart).places) {
        Some(names) => move_line(state, &names),
        None => format!("move {} C1 C2 D2 out", cart_letter(state, cart)),
    }
}

/// Returns a line such as `move w face east`.
pub fn move_and_face_line(state: &State) -> String {
    let way = next_mover(state)
        .and_then(|cart| simulate_default_move(state, cart).faces)
        .unwrap_or(Direction::East);
    move_line(state, &format!(" face {}", way.name()))
}

/// Returns a line such as `move w drop ruby` with the jewels that fall by default if the cart rams
/// another cart of its owner.
pub fn move_and_drop_line(state: &State) -> String {
    let drops = next_mover(state).and_then(|cart| simulate_default_move(state, cart).drops);
    move_line(
        state,
        &format!(" drop {}", drops.map_or_else(|| "ruby".to_owned(), route::jewel_words)),
    )
}

/// Returns a line such as `cut ruby rock`. If a player is asked for a cut, it is the default cut.
pub fn cut_line(state: &State) -> String {
    let answer = travel::list_answers(state).first().copied();
    match answer {
        Some(Order::Cut(first)) => format!("cut {}", route::jewel_words(first)),
        _ => "cut ruby rock".to_owned(),
    }
}

/// The result of a cart's move with default answers.
#[derive(Default)]
struct DefaultMove {
    /// The squares that the cart enters, and `out` if it leaves the mine, as words of a line.
    places: String,
    /// The direction that the cart faces at the end.
    faces: Option<Direction>,
    /// The jewels that fall from another cart of the same player that it rams.
    drops: Option<JewelCounts>,
}

/// Simulates a cart's move with default answers. This function uses orders and never parses a line,
/// because the parser calls it to make the examples of its refusals.
fn simulate_default_move(state: &State, cart: CartId) -> DefaultMove {
    let (mut ahead, mut dice) = (state.clone(), throwaway_dice());
    let mut told = DefaultMove::default();
    let mut next = Some(Order::Move { cart });
    while let Some(order) = next {
        if let Order::Drop(jewels) = order {
            told.drops = Some(jewels);
        }
        let events =
            OffTheRails::decide_and_apply(&mut ahead, example_seat(state), &order, &mut dice);
        for event in events.iter().flatten() {
            match event {
                Event::Rolled { to, .. } => told.places += &format!(" {to}"),
                Event::Left { .. } => told.places += " out",
                Event::Halted { facing, .. } => told.faces = Some(*facing),
                _ => {}
            }
        }
        let is_asked = travel::asked_seat(&ahead) == Some(example_seat(state)) && events.is_ok();
        next = travel::list_answers(&ahead).first().copied().filter(|_| is_asked);
    }
    told
}

/// Returns a line such as `face w east` for a cart whose move has ended in this turn.
pub fn face_line(state: &State) -> String {
    let own = state.carts_of(example_seat(state)).filter(|_| state.current_move.is_none());
    let turned =
        own.filter_map(|cart| Some((cart, possible_facings(state, cart).iter().next()?))).next();
    let way = turned.map_or(Direction::East, |(_, way)| way);
    format!("face {} {}", cart_letter(state, turned.map(|(cart, _)| cart)), way.name())
}

/// Returns a line such as `claim red leader` if a mission can be claimed.
pub fn claim_line(state: &State) -> Option<String> {
    let open = state.missions.iter().find(|mission| mission.is_claimable_in_turn())?;
    (!state.numbers.is_solo()).then(|| format!("claim {}", open.name()))
}

/// Returns a line such as `chasm red D4, blue C6` if players now choose the squares of chasm
/// tokens.
pub fn chasm_line(state: &State) -> Option<String> {
    let is_chosen = state.era == Era::Abyss && !state.numbers.options.abyss_die;
    let square = |colour| Some((colour, deck::legal_token_squares(state, colour).iter().next()?));
    let wishes: Vec<String> = Colour::ALL
        .into_iter()
        .filter_map(square)
        .take(2)
        .map(|(colour, at)| format!("{} {at}", colour.name()))
        .collect();
    let is_open = is_chosen && !state.numbers.is_solo() && !wishes.is_empty();
    is_open.then(|| format!("chasm {}", wishes.join(", ")))
}
