//! Why an order is not carried out, and what is legal instead.

use super::OffTheRails;
use super::colour::Colour;
use super::decide::{Hindrance, upgradable};
use super::deck;
use super::forms::GRAMMAR;
use super::grid::{Ends, Square, Way, column_letter};
use super::jewel::Hoard;
use super::order::{CartId, Order, Wish};
use super::state::{Place, State};
use crate::rules::{Arg, Message, OrderText, Refusal, Seat};

/// The most squares that a refusal lists.
const SQUARES_LISTED: usize = 12;

/// Somebody else has to act.
pub fn not_your_turn(awaited: Seat) -> Refusal {
    Refusal::illegal(Message::new("or-not-your-turn").with("who", awaited))
}

/// Nothing can be done before the deal or after the end.
pub fn over() -> Refusal {
    Refusal::illegal(Message::new("or-over"))
}

/// Something else has to be said first.
pub fn not_an_answer(state: &State, answers: &[Order]) -> Refusal {
    Refusal::illegal(Message::new("or-answer-first")).or(answers_said(state, answers))
}

/// No move waits for that to be said.
pub fn not_asked(state: &State) -> Refusal {
    GRAMMAR.instead(Refusal::illegal(Message::new("or-not-asked")), state, "move")
}

/// What can be said about a move that waits for it.
pub fn answers_said(state: &State, answers: &[Order]) -> Message {
    let lines = answers.iter().map(|&answer| OffTheRails::write(state, &[answer]));
    Message::new("or-answers").with("lines", lines.collect::<Vec<String>>())
}

/// Why the order is refused, and what can be done.
pub fn because(state: &State, seat: Seat, order: &Order, hindrance: Hindrance) -> Refusal {
    let refusal = Refusal::illegal(reason(state, order, hindrance));
    let instead = match (*order, hindrance) {
        (_, Hindrance::NoActions) => return GRAMMAR.instead(refusal, state, "move"),
        (_, Hindrance::ActionsOver) => return GRAMMAR.instead(refusal, state, "done"),
        (Order::Lay { .. }, Hindrance::Shape) => return GRAMMAR.instead(refusal, state, "lay"),
        (Order::Lay { at, .. }, Hindrance::Tiled) if !state.track[at].is_junction() => {
            Some(openings(state, at))
        }
        (Order::Lay { at, .. }, Hindrance::NoTiles) => Some(near(upgradable(state).iter(), at)),
        (Order::Lay { at, .. }, _) => Some(near(state.layable().iter(), at)),
        (Order::Upgrade { at, .. }, Hindrance::Open) => Some(openings(state, at)),
        (Order::Upgrade { at, .. }, _) => {
            let open = upgradable(state).iter().filter(|&square| state.track[square].count() < 4);
            Some(near(open, at))
        }
        (Order::Enter { cart, .. }, Hindrance::WrongSide | Hindrance::Taken) => {
            Some(berths(state, cart))
        }
        (Order::Enter { .. } | Order::Speed { .. } | Order::Move { .. }, _) => {
            Some(your_carts(state, seat))
        }
        (Order::Wish(Wish::Chasm(colour, at)), Hindrance::ChasmSquare) => {
            Some(near(deck::chasm_squares(state, colour).iter(), at))
        }
        (Order::Wish(Wish::Claim(_)), _) => Some(missions(state)),
        _ => None,
    };
    match instead {
        Some(instead) => refusal.or(instead),
        None => refusal,
    }
}

fn reason(state: &State, order: &Order, hindrance: Hindrance) -> Message {
    let key = match hindrance {
        Hindrance::NoActions => "or-no-actions",
        Hindrance::ActionsOver => "or-actions-over",
        Hindrance::NoTiles => "or-no-tiles",
        Hindrance::OffBoard => "or-off-board",
        Hindrance::Centre => "or-centre",
        Hindrance::Chasm => "or-chasm-there",
        Hindrance::Tiled => "or-tiled",
        Hindrance::Shape => "or-shape",
        Hindrance::NoTrack => "or-no-track",
        Hindrance::UnderCart => "or-under-cart",
        Hindrance::Open => "or-open-already",
        Hindrance::NotYours => "or-not-yours",
        Hindrance::Gone => "or-cart-gone",
        Hindrance::OnBoard => "or-on-board",
        Hindrance::OffTrack => "or-not-on-board",
        Hindrance::WrongSide => "or-wrong-side",
        Hindrance::Taken => "or-berth-taken",
        Hindrance::Limit => "or-speed-limit",
        Hindrance::Moved => "or-has-moved",
        Hindrance::NoFacing => "or-no-facing",
        Hindrance::NotAsked => "or-not-asked",
        Hindrance::Useless => "or-useless",
        Hindrance::NoMission => "or-no-mission",
        Hindrance::NoAbyss => "or-no-abyss",
        Hindrance::ChasmSquare => "or-chasm-square",
        Hindrance::MustPlace => "or-must-place",
        Hindrance::NoGrade => "or-no-grade",
    };
    let message = Message::new(key);
    match *order {
        Order::Lay { at, .. } | Order::Upgrade { at, .. } | Order::Wish(Wish::Chasm(_, at)) => {
            message.with("square", at.to_string())
        }
        Order::Enter { cart, .. } => message
            .with("cart", cart_name(state, cart))
            .with("side", Arg::Term(state.home(cart).term())),
        Order::Speed { cart, .. } => {
            message.with("cart", cart_name(state, cart)).with("speed", state.cart(cart).speed)
        }
        Order::Move { cart } | Order::Turn { cart, .. } => {
            message.with("cart", cart_name(state, cart))
        }
        _ => message,
    }
}

/// Some squares, the nearest to this one first.
pub fn near(squares: impl Iterator<Item = Square>, to: Square) -> Message {
    let mut squares: Vec<Square> = squares.collect();
    let distance =
        |square: &Square| square.column().abs_diff(to.column()) + square.row().abs_diff(to.row());
    squares.sort_by_key(distance);
    if squares.is_empty() {
        return Message::new("or-squares-none");
    }
    let listed: Vec<String> = squares.iter().take(SQUARES_LISTED).map(Square::to_string).collect();
    let more = squares.len() - listed.len();
    Message::new("or-squares").with("squares", listed).with("more", more)
}

/// The openings that the tile on this square can get.
pub fn openings(state: &State, at: Square) -> Message {
    let ends = state.track[at];
    let closed = Way::ALL.into_iter().filter(|&way| !ends.has(way));
    let lines: Vec<String> =
        closed.map(|way| OffTheRails::write(state, &[Order::Upgrade { at, way }])).collect();
    if lines.is_empty() {
        Message::new("or-cross")
    } else {
        Message::new("or-lines").with("lines", lines)
    }
}

/// The squares of the surface from which a cart enters.
pub fn berths(state: &State, cart: CartId) -> Message {
    let side = state.home(cart);
    let last = state.board.length(side).saturating_sub(1);
    Message::new("or-berths")
        .with("side", Arg::Term(side.term()))
        .with("first", berth_word(side, 0))
        .with("last", berth_word(side, last))
}

/// A square of the surface by the column or row that it lies at.
pub fn berth_word(side: Way, index: u8) -> String {
    match side {
        Way::North | Way::South => column_letter(index).to_string(),
        Way::East | Way::West => (u16::from(index) + 1).to_string(),
    }
}

/// Where the seat's carts are.
pub fn your_carts(state: &State, seat: Seat) -> Message {
    let carts = state.carts_of(seat).map(|cart| {
        let shown = state.cart(cart);
        let (key, square) = match shown.place {
            Place::Supply => ("or-cart-supply", String::new()),
            Place::Surface(_) => ("or-cart-surface", String::new()),
            Place::Track(square) => ("or-cart-on", square.to_string()),
            Place::Gone => ("or-cart-lost", String::new()),
        };
        Message::new(key)
            .with("word", cart_word(state, cart))
            .with("square", square)
            .with("facing", Arg::Term(shown.facing.term()))
            .with("speed", shown.speed)
    });
    Message::new("or-your-carts").with("carts", carts.collect::<Vec<Message>>())
}

/// The missions that can still be claimed.
pub fn missions(state: &State) -> Message {
    let open = state.missions.iter().filter(|mission| mission.is_claimed_in_turn());
    Message::new("or-missions-open")
        .with("missions", Arg::List(open.map(|mission| Arg::Term(mission.term())).collect()))
}

/// The word for a cart in orders.
pub fn cart_word(state: &State, cart: CartId) -> &'static str {
    if state.numbers.is_solo() {
        Colour::ALL[cart.index() % 4].name()
    } else if cart.index().is_multiple_of(2) {
        "white"
    } else {
        "black"
    }
}

/// A cart as players are told of it.
pub fn cart_name(state: &State, cart: CartId) -> Arg {
    let term = if state.numbers.is_solo() {
        return Message::new("or-solo-cart")
            .with("colour", Arg::Term(Colour::ALL[cart.index() % 4].term()))
            .into();
    } else if cart.index().is_multiple_of(2) {
        "or-white"
    } else {
        "or-black"
    };
    Message::new("or-cart").with("who", state.owner(cart)).with("die", Arg::Term(term)).into()
}

/// Jewels as players are told of them.
pub fn hoard(jewels: Hoard) -> Arg {
    let kinds = jewels.kinds().rev().map(|(jewel, count)| {
        Message::new("or-jewels").with("count", count).with("jewel", Arg::Term(jewel.term())).into()
    });
    let kinds: Vec<Arg> = kinds.collect();
    if kinds.is_empty() { Message::new("or-nothing").into() } else { Arg::List(kinds) }
}

/// What a tile is that was laid, by its openings.
pub const fn shape(ends: Ends) -> Arg {
    Arg::Term(if ends.is_straight() { "or-shape-straight" } else { "or-shape-corner" })
}

/// A line cannot be read: why, with the word that is at fault, and the forms that begin like this.
pub fn unread(state: &State, key: &'static str, word: &str, begins: &str) -> Refusal {
    GRAMMAR.unreadable(state, Message::new(key).with("word", word), begins)
}
