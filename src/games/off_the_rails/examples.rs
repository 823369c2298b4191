//! Lines that whose turn it is could send as they are, wherever there is one of that form.

use super::OffTheRails;
use super::colour::Colour;
use super::decide::{facings, upgradable};
use super::deck;
use super::doubt;
use super::event::Event;
use super::grid::{Square, Way};
use super::jewel::Hoard;
use super::order::{Berth, CartId, Order};
use super::plan::unused_dice;
use super::refuse::{berth_word, cart_word};
use super::route;
use super::state::{Era, Place, State};
use super::travel;
use crate::rules::{Rules, Seat};

/// Whose carts the lines are about.
fn seat(state: &State) -> Seat {
    state.active().unwrap_or(Seat::new(1))
}

/// The shortest word for a cart.
fn word(state: &State, cart: Option<CartId>) -> String {
    let first = cart.or_else(|| state.carts_of(seat(state)).next());
    let word = first.map_or("white", |cart| cart_word(state, cart));
    word.chars().take(1).collect()
}

/// `lay D2 ne, D3 ns`: so many tiles where track can be laid and none is in a cart's way.
pub fn lay(state: &State, count: usize) -> String {
    let usual = ["D2", "D3"].map(Square::parse);
    let free = state.layable();
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

/// `upgrade D2 e`
pub fn upgrade(state: &State) -> String {
    let closed = |at: Square| Way::ALL.into_iter().find(|&way| !state.track[at].has(way));
    let tile = upgradable(state).iter().find_map(|at| Some((at, closed(at)?)));
    let named = tile.map(|(at, way)| format!("{at} {}", way.name().split_at(1).0));
    format!("upgrade {}", named.as_deref().unwrap_or("D2 e"))
}

/// `enter white C`: for whoever reads it, from the side of that player.
pub fn enter(state: &State, reader: Option<Seat>) -> String {
    let own = state.carts_of(reader.unwrap_or_else(|| seat(state)));
    let cart = own.clone().find(|&cart| state.cart(cart).place == Place::Supply);
    let Some(cart) = cart.or_else(|| own.clone().next()) else { return "enter white C".to_owned() };
    let side = state.home(cart);
    let is_free = |index: &u8| {
        let berth = Place::Surface(Berth { side, index: *index });
        state.all_carts().all(|other| state.cart(other).place != berth)
    };
    let index = [2, 3, 4].into_iter().find(is_free).unwrap_or(2);
    format!("enter {} {}", cart_word(state, cart), berth_word(side, index))
}

/// `speed w +1`
pub fn speed(state: &State) -> String {
    let cart = state.carts_of(seat(state)).find(|&cart| state.cart(cart).is_on_board());
    let is_fastest = cart.is_some_and(|cart| state.cart(cart).speed >= state.numbers.speed.most);
    format!("speed {} {}", word(state, cart), if is_fastest { "-1" } else { "+1" })
}

/// The cart that is to move next.
fn mover(state: &State) -> Option<CartId> {
    state.unmoved(seat(state)).next().filter(|_| state.run.is_none())
}

/// `move w`, and more; the word `derail` where it has to stand there.
pub fn moved(state: &State, more: &str) -> String {
    let cart = mover(state);
    let order = cart.map(|cart| Order::Move { cart });
    let derails = order.is_some_and(|order| doubt::derails(state, seat(state), &[order]));
    let word_of_it = if derails && more != " derail" { " derail" } else { "" };
    format!("move {}{more}{word_of_it}", word(state, cart))
}

/// `move w C1 C2 D2 out`: the way that the cart goes by default, if it goes anywhere.
pub fn way(state: &State) -> String {
    let cart = mover(state);
    match cart.map(|cart| by_default(state, cart).names) {
        Some(names) => moved(state, &names),
        None => format!("move {} C1 C2 D2 out", word(state, cart)),
    }
}

/// `move w face east`
pub fn moved_to_face(state: &State) -> String {
    let way = mover(state).and_then(|cart| by_default(state, cart).faces).unwrap_or(Way::East);
    moved(state, &format!(" face {}", way.name()))
}

/// `move w drop ruby`: what falls by default where it rams a cart of its own player.
pub fn moved_to_drop(state: &State) -> String {
    let drops = mover(state).and_then(|cart| by_default(state, cart).drops);
    moved(state, &format!(" drop {}", drops.map_or_else(|| "ruby".to_owned(), route::pieces)))
}

/// `cut ruby rock`: what the cut would be by default, for who is asked.
pub fn cut(state: &State) -> String {
    let answer = travel::answers(state).first().copied();
    match answer {
        Some(Order::Cut(first)) => format!("cut {}", route::pieces(first)),
        _ => "cut ruby rock".to_owned(),
    }
}

/// A move by default.
#[derive(Default)]
struct ByDefault {
    /// The places that it comes to.
    names: String,
    /// Where the cart faces then.
    faces: Option<Way>,
    /// What falls from a cart of the same player that it rams.
    drops: Option<Hoard>,
}

/// The move of a cart of which nothing is said. Nothing is parsed here: what cannot be read is
/// refused with these very lines.
fn by_default(state: &State, cart: CartId) -> ByDefault {
    let (mut ahead, mut dice) = (state.clone(), unused_dice());
    let mut told = ByDefault::default();
    let mut next = Some(Order::Move { cart });
    while let Some(order) = next {
        if let Order::Drop(jewels) = order {
            told.drops = Some(jewels);
        }
        let events = OffTheRails::advance(&mut ahead, seat(state), &order, &mut dice);
        for event in events.iter().flatten() {
            match event {
                Event::Rolled { to, .. } => told.names += &format!(" {to}"),
                Event::Left { .. } => told.names += " out",
                Event::Halted { facing, .. } => told.faces = Some(*facing),
                _ => {}
            }
        }
        let is_asked = travel::asked(&ahead) == Some(seat(state)) && events.is_ok();
        next = travel::answers(&ahead).first().copied().filter(|_| is_asked);
    }
    told
}

/// `face w east`, for a cart that has moved.
pub fn face(state: &State) -> String {
    let own = state.carts_of(seat(state)).filter(|_| state.run.is_none());
    let turned = own.filter_map(|cart| Some((cart, facings(state, cart).iter().next()?))).next();
    let way = turned.map_or(Way::East, |(_, way)| way);
    format!("face {} {}", word(state, turned.map(|(cart, _)| cart)), way.name())
}

/// `claim red leader`, where a mission can be claimed.
pub fn claim(state: &State) -> Option<String> {
    let open = state.missions.iter().find(|mission| mission.is_claimed_in_turn())?;
    (!state.numbers.is_solo()).then(|| format!("claim {}", open.name()))
}

/// `chasm red D4, blue C6`, where tokens are placed by choice.
pub fn chasm(state: &State) -> Option<String> {
    let is_chosen = state.era == Era::Abyss && !state.numbers.variant.abyss_die;
    let square = |colour| Some((colour, deck::chasm_squares(state, colour).iter().next()?));
    let wishes: Vec<String> = Colour::ALL
        .into_iter()
        .filter_map(square)
        .take(2)
        .map(|(colour, at)| format!("{} {at}", colour.name()))
        .collect();
    let is_open = is_chosen && !state.numbers.is_solo() && !wishes.is_empty();
    is_open.then(|| format!("chasm {}", wishes.join(", ")))
}
