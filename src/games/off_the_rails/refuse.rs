//! The refusals of the game: the reason why an order is not carried out, and the legal
//! alternatives.

use super::OffTheRails;
use super::colour::Colour;
use super::crash;
use super::decide::{possible_facings, upgradable_squares};
use super::deck;
use super::forms::GRAMMAR;
use super::grid::{Direction, Square, TileOpenings, column_letter};
use super::jewel::JewelCounts;
use super::order::{CartId, Order, Wish};
use super::state::{Place, State};
use super::word_parser;
use crate::rules::{Arg, FormExample, Message, OrderText, Refusal, Seat};

/// The highest number of squares in a refusal.
const SQUARES_LISTED_MAX: usize = 12;

/// Refuses an order that is no answer to the open question of a move. `began` is the position
/// before the line, and `said` are the orders of the line so far.
pub fn refuse_non_answer(began: &State, said: &[Order], answers: &[Order]) -> Refusal {
    Refusal::illegal(Message::new("or-answer-first"))
        .with_alternative(possible_answer_lines(began, said, answers))
}

/// Refuses an order such as `take ruby` that answers a question, if no question is open. If such an
/// answer may stand in the line of a move, the refusal shows that form.
pub fn refuse_unasked_answer(state: &State, verb: &str) -> Refusal {
    let refusal = Refusal::illegal(Message::new("or-not-asked"));
    let key = match verb {
        "take" => "or-form-move-take",
        "go" => "or-form-way",
        "drop" => "or-form-move-drop",
        _ => return refusal,
    };
    let forms = GRAMMAR.examples(state, None).into_iter().filter(|form| form.effect.key == key);
    forms.map(FormExample::into_message).fold(refusal, Refusal::with_alternative)
}

/// Returns the possible answers to the open question of a move as complete lines. Each line begins
/// at the position `began` with the orders `said`, because the player must send the whole line
/// again.
pub fn possible_answer_lines(began: &State, said: &[Order], answers: &[Order]) -> Message {
    let line = |answer: Order| OffTheRails::write_line(began, &[said, &[answer]].concat());
    let lines: Vec<String> =
        crash::remove_mirrored_cuts(began, answers).into_iter().map(line).collect();
    Message::new("or-answers").with("count", lines.len()).with("lines", lines)
}

/// Refuses an order for another player's cart, and lists the player's own carts.
pub fn refuse_foreign_cart(state: &State, seat: Seat) -> Refusal {
    Refusal::illegal(Message::new("or-not-yours")).with_alternative(list_own_carts(state, seat))
}

/// Returns the refusal of an order that a rule forbids, with legal alternatives. `reason` is the
/// key of the sentence that explains the rule.
pub fn refusal_with_alternatives(
    state: &State,
    seat: Seat,
    order: &Order,
    reason: &'static str,
) -> Refusal {
    let refusal = Refusal::illegal(reason_message(state, order, reason));
    let open = || {
        upgradable_squares(state).iter().filter(|&tile| count_possible_openings(state, tile) > 0)
    };
    let instead = match (*order, reason) {
        (_, "or-no-actions" | "or-actions-over") => Some(Message::new("or-choice-done")),
        (Order::Lay { .. }, "or-shape") => {
            return GRAMMAR.add_forms_to_refusal(refusal, (state, None), "lay");
        }
        (Order::Lay { at, .. }, "or-tiled") if count_possible_openings(state, at) > 0 => {
            Some(upgrade_lines(state, at))
        }
        (Order::Lay { at, .. }, "or-no-tiles") => {
            Some(list_nearest_squares(open().filter(|&tile| !state.track[tile].is_junction()), at))
        }
        (Order::Lay { at, .. }, _) => {
            Some(list_nearest_squares(state.layable_squares().iter(), at))
        }
        (Order::Upgrade { at, .. }, "or-open-already") => Some(upgrade_lines(state, at)),
        (Order::Upgrade { at, .. }, _) => Some(list_nearest_squares(open(), at)),
        (Order::Enter { cart, .. }, "or-wrong-side" | "or-berth-taken") => {
            Some(describe_surface_squares(state, cart))
        }
        (Order::Speed { .. }, "or-speed-limit") => None,
        (Order::TurnCart { cart, .. }, "or-no-facing") => turn_cart_lines(state, cart),
        (
            Order::Enter { .. } | Order::Speed { .. } | Order::Move { .. } | Order::TurnCart { .. },
            _,
        ) => Some(list_own_carts(state, seat)),
        (Order::Wish(Wish::Chasm(colour, at)), "or-chasm-square") => {
            Some(list_nearest_squares(deck::legal_token_squares(state, colour).iter(), at))
        }
        (Order::Wish(Wish::Claim(_)), "or-no-mission") => list_claimable_missions(state),
        _ => None,
    };
    instead.into_iter().fold(refusal, Refusal::with_alternative)
}

/// Returns the sentence of a reason with the arguments that it takes from the order.
fn reason_message(state: &State, order: &Order, reason: &'static str) -> Message {
    let message = Message::new(reason);
    match *order {
        _ if reason == "or-no-actions" => message.with("count", state.numbers.actions),
        Order::Lay { at, .. } if reason == "or-no-square" => message
            .with("word", at.to_string())
            .with("last", word_parser::south_east_square_name(state)),
        Order::Lay { at, .. } | Order::Upgrade { at, .. } | Order::Wish(Wish::Chasm(_, at)) => {
            message.with("square", at.to_string()).with("open", count_possible_openings(state, at))
        }
        Order::Enter { cart, .. } => message
            .with("cart", cart_name_arg(state, cart))
            .with_term("side", state.home_side(cart).term()),
        Order::Speed { cart, .. } => message
            .with("cart", cart_name_arg(state, cart))
            .with("least", state.numbers.speed.least)
            .with("most", state.numbers.speed.most),
        Order::Move { cart } | Order::TurnCart { cart, .. } => {
            message.with("cart", cart_name_arg(state, cart))
        }
        Order::Wish(Wish::Claim(mission)) => message
            .with_term("mission", mission.term())
            .with("claimable", u8::from(mission.is_claimable_in_turn())),
        _ => message,
    }
}

/// Returns a list of at most 12 squares, those nearest to the square `to` first.
pub fn list_nearest_squares(squares: impl Iterator<Item = Square>, to: Square) -> Message {
    let mut squares: Vec<Square> = squares.collect();
    let distance =
        |square: &Square| square.column().abs_diff(to.column()) + square.row().abs_diff(to.row());
    squares.sort_by_key(distance);
    if squares.is_empty() {
        return Message::new("or-squares-none");
    }
    let listed: Vec<String> =
        squares.iter().take(SQUARES_LISTED_MAX).map(Square::to_string).collect();
    let more = squares.len() - listed.len();
    Message::new("or-squares").with("squares", listed).with("more", more)
}

/// Returns the number of openings that could be added to the tile on this square now.
fn count_possible_openings(state: &State, at: Square) -> usize {
    let ends = state.track[at];
    let has_tile = ends.is_junction() || state.tiles.t_or_cross > 0;
    let is_free = upgradable_squares(state).contains(at) && has_tile;
    Direction::ALL.into_iter().filter(|&way| is_free && !ends.has(way)).count()
}

/// Returns the lines that turn this cart. Returns `None` if it cannot be turned.
fn turn_cart_lines(state: &State, cart: CartId) -> Option<Message> {
    let line = |way| OffTheRails::write_line(state, &[Order::TurnCart { cart, way }]);
    Message::from_list("or-lines", "lines", possible_facings(state, cart).iter().map(line))
}

/// Returns the lines that add an opening to the tile on this square.
pub fn upgrade_lines(state: &State, at: Square) -> Message {
    let ends = state.track[at];
    let closed = Direction::ALL.into_iter().filter(|&way| !ends.has(way));
    let lines = closed.map(|way| OffTheRails::write_line(state, &[Order::Upgrade { at, way }]));
    Message::from_list("or-lines", "lines", lines).unwrap_or_else(|| Message::new("or-cross"))
}

/// Returns the range of surface squares from which a cart can enter.
pub fn describe_surface_squares(state: &State, cart: CartId) -> Message {
    let side = state.home_side(cart);
    let last = state.board.side_length(side).saturating_sub(1);
    Message::new("or-berths")
        .with_term("side", side.term())
        .with("first", column_or_row_label(side, 0))
        .with("last", column_or_row_label(side, last))
}

/// Returns the column letter or row number of a square of the surface.
pub fn column_or_row_label(side: Direction, index: u8) -> String {
    match side {
        Direction::North | Direction::South => column_letter(index).to_string(),
        Direction::East | Direction::West => (u16::from(index) + 1).to_string(),
    }
}

/// Returns the places of the seat's carts.
pub fn list_own_carts(state: &State, seat: Seat) -> Message {
    let carts = state.carts_of(seat).map(|cart| {
        let shown = state.cart(cart);
        let (key, square) = match shown.place {
            Place::Supply => ("or-cart-supply", String::new()),
            Place::Surface(_) => ("or-cart-surface", String::new()),
            Place::Track(square) => ("or-cart-on", square.to_string()),
            Place::Gone => ("or-cart-lost", String::new()),
        };
        Message::new(key)
            .with("word", cart_order_word(state, cart))
            .with("square", square)
            .with_term("facing", shown.facing.term())
            .with("speed", shown.speed)
    });
    Message::new("or-your-carts").with_list("carts", carts)
}

/// Returns the missions that can still be claimed. Returns `None` if there are none, and in the
/// solo game.
pub fn list_claimable_missions(state: &State) -> Option<Message> {
    let open = state.missions.iter().filter(|mission| mission.is_claimable_in_turn());
    let open = open.map(|mission| Arg::Term(mission.term()));
    Message::from_list("or-missions-open", "missions", open).filter(|_| !state.numbers.is_solo())
}

/// Returns the word for a cart in orders: `white` or `black`, or its colour in the solo game.
pub fn cart_order_word(state: &State, cart: CartId) -> &'static str {
    if state.numbers.is_solo() {
        Colour::ALL[cart.index() % 4].name()
    } else if cart.index().is_multiple_of(2) {
        "white"
    } else {
        "black"
    }
}

/// Returns the name of a cart as an argument of a message.
pub fn cart_name_arg(state: &State, cart: CartId) -> Arg {
    if state.numbers.is_solo() {
        return Message::new("or-solo-cart").with_term("colour", cart_term_key(state, cart)).into();
    }
    let named = Message::new("or-cart").with("who", state.owner(cart));
    named.with_term("die", cart_term_key(state, cart)).into()
}

/// Returns the key of the translated word for a cart.
pub fn cart_term_key(state: &State, cart: CartId) -> &'static str {
    if state.numbers.is_solo() {
        Colour::ALL[cart.index() % 4].term()
    } else if cart.index().is_multiple_of(2) {
        "or-white"
    } else {
        "or-black"
    }
}

/// Returns jewels as an argument of a message, the most valuable kind first.
pub fn describe_jewels(jewels: JewelCounts) -> Arg {
    if jewels.is_empty() {
        return Message::new("or-nothing").into();
    }
    let kinds = jewels.kinds().rev().map(|(jewel, count)| {
        Message::new("or-jewels").with("count", count).with_term("jewel", jewel.term())
    });
    kinds.collect()
}

/// Returns the shape of a tile as an argument of a message. No message mentions a T, so a T is not
/// distinguished here.
pub const fn tile_shape(ends: TileOpenings) -> Arg {
    Arg::Term(match ends.count() {
        4 => "or-shape-cross",
        _ if ends.is_straight() => "or-shape-straight",
        _ => "or-shape-corner",
    })
}

/// Refuses a line that cannot be parsed. The refusal contains the word at fault and the forms that
/// begin with `begins`.
pub fn refuse_unreadable(state: &State, key: &'static str, word: &str, begins: &str) -> Refusal {
    GRAMMAR.refuse_unreadable((state, None), Message::new(key).with("word", word), begins)
}
