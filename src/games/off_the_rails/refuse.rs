//! Why an order is not carried out, and what is legal instead.

use super::OffTheRails;
use super::colour::Colour;
use super::crash;
use super::decide::{facings, upgradable};
use super::deck;
use super::forms::GRAMMAR;
use super::grid::{Ends, Square, Way, column_letter};
use super::jewel::Hoard;
use super::order::{CartId, Order, Wish};
use super::state::{Place, State};
use super::words;
use crate::rules::{Arg, FormLine, Message, OrderText, Refusal, Seat};

/// The most squares that a refusal lists.
const SQUARES_LISTED: usize = 12;

/// Something else has to be said first, in a line that has said this much.
pub fn not_an_answer(began: &State, said: &[Order], answers: &[Order]) -> Refusal {
    Refusal::illegal(Message::new("or-answer-first")).or(answers_said(began, said, answers))
}

/// No move waits for that to be said; in the line of a move, some things can be said before.
pub fn not_asked(state: &State, verb: &str) -> Refusal {
    let refusal = Refusal::illegal(Message::new("or-not-asked"));
    let key = match verb {
        "take" => "or-form-move-take",
        "go" => "or-form-way",
        "drop" => "or-form-move-drop",
        _ => return refusal,
    };
    let forms = GRAMMAR.lines(state, None).into_iter().filter(|form| form.does.key == key);
    forms.map(FormLine::offered).fold(refusal, Refusal::or)
}

/// What can be said about a move that waits for it: the whole lines, from where they begin, of
/// which this much has been said.
pub fn answers_said(began: &State, said: &[Order], answers: &[Order]) -> Message {
    let line = |answer: Order| OffTheRails::write(began, &[said, &[answer]].concat());
    let lines: Vec<String> = crash::told_once(began, answers).into_iter().map(line).collect();
    Message::new("or-answers").with("count", lines.len()).with("lines", lines)
}

/// A cart that is another player's.
pub fn not_yours(state: &State, seat: Seat) -> Refusal {
    Refusal::illegal(Message::new("or-not-yours")).or(your_carts(state, seat))
}

/// Why the order is refused, and what can be done. The reason is the key of its sentence.
pub fn because(state: &State, seat: Seat, order: &Order, reason: &'static str) -> Refusal {
    let refusal = Refusal::illegal(explain(state, order, reason));
    let open = || upgradable(state).iter().filter(|&tile| openable(state, tile) > 0);
    let instead = match (*order, reason) {
        (_, "or-no-actions" | "or-actions-over") => Some(Message::new("or-choice-done")),
        (Order::Lay { .. }, "or-shape") => return GRAMMAR.instead(refusal, (state, None), "lay"),
        (Order::Lay { at, .. }, "or-tiled") if openable(state, at) > 0 => Some(openings(state, at)),
        (Order::Lay { at, .. }, "or-no-tiles") => {
            Some(near(open().filter(|&tile| !state.track[tile].is_junction()), at))
        }
        (Order::Lay { at, .. }, _) => Some(near(state.layable().iter(), at)),
        (Order::Upgrade { at, .. }, "or-open-already") => Some(openings(state, at)),
        (Order::Upgrade { at, .. }, _) => Some(near(open(), at)),
        (Order::Enter { cart, .. }, "or-wrong-side" | "or-berth-taken") => {
            Some(berths(state, cart))
        }
        (Order::Speed { .. }, "or-speed-limit") => None,
        (Order::Turn { cart, .. }, "or-no-facing") => turns(state, cart),
        (
            Order::Enter { .. } | Order::Speed { .. } | Order::Move { .. } | Order::Turn { .. },
            _,
        ) => Some(your_carts(state, seat)),
        (Order::Wish(Wish::Chasm(colour, at)), "or-chasm-square") => {
            Some(near(deck::chasm_squares(state, colour).iter(), at))
        }
        (Order::Wish(Wish::Claim(_)), "or-no-mission") => missions(state),
        _ => None,
    };
    instead.into_iter().fold(refusal, Refusal::or)
}

/// The sentence of a reason, with what it says about the order.
fn explain(state: &State, order: &Order, reason: &'static str) -> Message {
    let message = Message::new(reason);
    match *order {
        _ if reason == "or-no-actions" => message.with("count", state.numbers.actions),
        Order::Lay { at, .. } if reason == "or-no-square" => {
            message.with("word", at.to_string()).with("last", words::last_square(state))
        }
        Order::Lay { at, .. } | Order::Upgrade { at, .. } | Order::Wish(Wish::Chasm(_, at)) => {
            message.with("square", at.to_string()).with("open", openable(state, at))
        }
        Order::Enter { cart, .. } => {
            message.with("cart", cart_name(state, cart)).with_term("side", state.home(cart).term())
        }
        Order::Speed { cart, .. } => message
            .with("cart", cart_name(state, cart))
            .with("least", state.numbers.speed.least)
            .with("most", state.numbers.speed.most),
        Order::Move { cart } | Order::Turn { cart, .. } => {
            message.with("cart", cart_name(state, cart))
        }
        Order::Wish(Wish::Claim(mission)) => message
            .with_term("mission", mission.term())
            .with("claimable", u8::from(mission.is_claimed_in_turn())),
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

/// How many openings the tile on this square can get now.
fn openable(state: &State, at: Square) -> usize {
    let ends = state.track[at];
    let has_tile = ends.is_junction() || state.tiles.t_or_cross > 0;
    let is_free = upgradable(state).contains(at) && has_tile;
    Way::ALL.into_iter().filter(|&way| is_free && !ends.has(way)).count()
}

/// How this cart can be turned, if it can.
fn turns(state: &State, cart: CartId) -> Option<Message> {
    let line = |way| OffTheRails::write(state, &[Order::Turn { cart, way }]);
    Message::listing("or-lines", "lines", facings(state, cart).iter().map(line))
}

/// The openings that the tile on this square can get.
pub fn openings(state: &State, at: Square) -> Message {
    let ends = state.track[at];
    let closed = Way::ALL.into_iter().filter(|&way| !ends.has(way));
    let lines = closed.map(|way| OffTheRails::write(state, &[Order::Upgrade { at, way }]));
    Message::listing("or-lines", "lines", lines).unwrap_or_else(|| Message::new("or-cross"))
}

/// The squares of the surface from which a cart enters.
pub fn berths(state: &State, cart: CartId) -> Message {
    let side = state.home(cart);
    let last = state.board.length(side).saturating_sub(1);
    Message::new("or-berths")
        .with_term("side", side.term())
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
            .with_term("facing", shown.facing.term())
            .with("speed", shown.speed)
    });
    Message::new("or-your-carts").with_list("carts", carts)
}

/// The missions that can still be claimed, if any can.
pub fn missions(state: &State) -> Option<Message> {
    let open = state.missions.iter().filter(|mission| mission.is_claimed_in_turn());
    let open = open.map(|mission| Arg::Term(mission.term()));
    Message::listing("or-missions-open", "missions", open).filter(|_| !state.numbers.is_solo())
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
    if state.numbers.is_solo() {
        return Message::new("or-solo-cart").with_term("colour", cart_term(state, cart)).into();
    }
    let named = Message::new("or-cart").with("who", state.owner(cart));
    named.with_term("die", cart_term(state, cart)).into()
}

/// Returns the key of the word for a cart.
pub fn cart_term(state: &State, cart: CartId) -> &'static str {
    if state.numbers.is_solo() {
        Colour::ALL[cart.index() % 4].term()
    } else if cart.index().is_multiple_of(2) {
        "or-white"
    } else {
        "or-black"
    }
}

/// Jewels as players are told of them.
pub fn hoard(jewels: Hoard) -> Arg {
    if jewels.is_empty() {
        return Message::new("or-nothing").into();
    }
    let kinds = jewels.kinds().rev().map(|(jewel, count)| {
        Message::new("or-jewels").with("count", count).with_term("jewel", jewel.term())
    });
    kinds.collect()
}

/// What a tile is, by its openings; nothing names a T.
pub const fn shape(ends: Ends) -> Arg {
    Arg::Term(match ends.count() {
        4 => "or-shape-cross",
        _ if ends.is_straight() => "or-shape-straight",
        _ => "or-shape-corner",
    })
}

/// A line cannot be read: why, with the word that is at fault, and the forms that begin like this.
pub fn unread(state: &State, key: &'static str, word: &str, begins: &str) -> Refusal {
    GRAMMAR.unreadable((state, None), Message::new(key).with("word", word), begins)
}
