//! The sentences for events and for the legal choices of a player, as keys and arguments.

use super::OffTheRails;
use super::board::Board;
use super::colour::Colour;
use super::decide;
use super::deck;
use super::definition::SoloChasmCardRule;
use super::event::{Crash, DerailReason, Ending, Event};
use super::examples;
use super::grid::Square;
use super::jewel::JewelCounts;
use super::mission::Mission;
use super::order::{Card, CartId, Wish};
use super::refuse::{self, cart_name_arg, describe_jewels, tile_shape};
use super::score::{self, Grade};
use super::state::{Era, Place, State};
use super::travel;
use crate::rules::{Arg, Message, Rules, Seat, Viewer, board_title};

/// Returns the sentence for consecutive steps of a moving cart, or for one other event.
pub fn narrate_group(state: &State, run: &[Event], viewer: Viewer) -> Vec<Message> {
    let told = match run.first() {
        Some(event) if is_move_step(event) => narrate_move(state, run),
        event => event.and_then(|event| narrate_event(state, event, viewer)),
    };
    told.into_iter().collect()
}

/// Whether the event is a step of a moving cart.
pub const fn is_move_step(event: &Event) -> bool {
    matches!(event, Event::Rolled { .. } | Event::Took { .. } | Event::Headed { .. })
}

fn narrate_move(state: &State, run: &[Event]) -> Option<Message> {
    let (mut mover, mut squares, mut taken) = (None, Vec::new(), JewelCounts::NONE);
    for event in run {
        match *event {
            Event::Rolled { cart, to, .. } => {
                mover = mover.or(Some(cart));
                squares.push(to.to_string());
            }
            Event::Took { cart, jewel, .. } => {
                mover = mover.or(Some(cart));
                taken = taken.plus([jewel].into_iter().collect());
            }
            _ => {}
        }
    }
    let key = match (squares.is_empty(), taken.is_empty()) {
        (true, _) => "or-told-took",
        (false, true) => "or-told-moved",
        (false, false) => "or-told-moved-took",
    };
    Some(
        cart_message(state, key, mover?)
            .with("squares", squares)
            .with("jewels", describe_jewels(taken)),
    )
}

fn cart_message(state: &State, key: &'static str, cart: CartId) -> Message {
    Message::new(key).with("cart", cart_name_arg(state, cart))
}

fn narrate_event(state: &State, event: &Event, viewer: Viewer) -> Option<Message> {
    Some(match event {
        Event::Opened { sides, missions } => narrate_setup(state, sides.len(), missions),
        Event::Strewn { .. } => Message::new("or-told-strewn"),
        Event::Primed { card, jewels } | Event::Deposited { card, jewels } => {
            narrate_deposit(state, *card, *jewels)
        }
        Event::Laid { seat, at, ends } => Message::new("or-told-laid")
            .with("who", *seat)
            .with("shape", tile_shape(*ends))
            .with("square", at.to_string())
            .with("ends", ends.to_string()),
        Event::Upgraded { seat, at, way } => Message::new("or-told-upgraded")
            .with("who", *seat)
            .with("square", at.to_string())
            .with_term("way", way.term()),
        Event::Wished { seat, wish } if viewer == Viewer::Seat(*seat) => narrate_wish(*wish),
        Event::Claimed { seat, mission } => {
            Message::new("or-told-claimed").with("who", *seat).with_term("mission", mission.term())
        }
        Event::ChasmCard { seat } => Message::new("or-told-chasm-card").with("who", *seat),
        Event::Collapsed => Message::new("or-told-collapsed"),
        Event::Sank { colour, at } => narrate_token("or-told-sank", *colour, Some(*at)),
        Event::Discarded { colour } => narrate_token("or-told-discarded", *colour, None),
        Event::Reshuffled => {
            let keeps = state.numbers.options.solo_chasm_card == SoloChasmCardRule::Turn;
            Message::new("or-told-reshuffled").with("keeps", u8::from(keeps))
        }
        Event::Ended { reason } => narrate_end(state, *reason),
        _ => return narrate_cart_event(state, event),
    })
}

fn narrate_setup(state: &State, seats: usize, missions: &[Mission]) -> Message {
    let sides = Seat::all(u8::try_from(seats).unwrap_or(0)).filter_map(|seat| {
        let side = state.sides.get(seat.index())?;
        let message = Message::new("or-side-of").with("who", seat);
        Some(message.with_term("side", side.term()))
    });
    Message::new("or-told-opened")
        .with("board", board_name(&state.board))
        .with_list("sides", sides)
        .with("missions", mission_names(missions.iter().copied()))
}

fn narrate_deposit(state: &State, card: Card, jewels: JewelCounts) -> Message {
    let at = state.board.card_square(card).map_or_else(String::new, |at| at.to_string());
    Message::new("or-told-deposit")
        .with_term("colour", card.colour.term())
        .with("number", card.number)
        .with("square", at)
        .with("jewels", describe_jewels(jewels))
}

fn narrate_token(key: &'static str, colour: Colour, at: Option<Square>) -> Message {
    let at = at.map_or_else(String::new, |at| at.to_string());
    Message::new(key).with_term("colour", colour.term()).with("square", at)
}

fn narrate_wish(wish: Wish) -> Message {
    match wish {
        Wish::Split(split) => Message::new("or-told-wish-split").with_term("split", split.term()),
        Wish::Claim(mission) => {
            Message::new("or-told-wish-claim").with_term("mission", mission.term())
        }
        Wish::Chasm(colour, at) => narrate_token("or-told-wish-chasm", colour, Some(at)),
        Wish::Place(true) => Message::new("or-told-wish-place"),
        Wish::Place(false) => Message::new("or-told-wish-none"),
    }
}

/// Returns the sentence for an event that happens to a cart.
fn narrate_cart_event(state: &State, event: &Event) -> Option<Message> {
    Some(match *event {
        Event::Entered { cart, berth, speed } => cart_message(state, "or-told-entered", cart)
            .with_term("side", berth.side.term())
            .with("place", refuse::column_or_row_label(berth.side, berth.index))
            .with("speed", speed),
        Event::Sped { cart, speed } => {
            cart_message(state, "or-told-sped", cart).with("speed", speed)
        }
        Event::Collided { cart, at, crash } => narrate_collision(state, cart, at, crash),
        Event::Cut { cart, .. } => cart_message(state, "or-told-cut", cart),
        Event::Dropped { cart, jewels } => {
            cart_message(state, "or-told-dropped", cart).with("jewels", describe_jewels(jewels))
        }
        Event::Turned { cart, facing } | Event::Halted { cart, facing } => {
            cart_message(state, "or-told-faces", cart).with_term("way", facing.term())
        }
        Event::Left { cart, side } => {
            cart_message(state, "or-told-left", cart).with_term("side", side.term())
        }
        Event::Returned { cart } => cart_message(state, "or-told-returned", cart),
        Event::Derailed { cart, lost, why } => {
            let key = if lost { "or-told-derailed-lost" } else { "or-told-derailed" };
            let held = u8::from(why != Some(DerailReason::Empty));
            cart_message(state, key, cart).with("why", explain_derailment(why)).with("held", held)
        }
        Event::Fell { cart } => cart_message(state, "or-told-fell", cart),
        // The steps of a move share one sentence. The letter itself says whose turn it is.
        _ => return None,
    })
}

fn narrate_collision(state: &State, cart: CartId, at: Square, crash: Crash) -> Message {
    let key = if !crash.connected {
        "or-told-bumped"
    } else if crash.head_on {
        "or-told-head-on"
    } else {
        "or-told-collided"
    };
    cart_message(state, key, cart)
        .with("other", cart_name_arg(state, crash.other))
        .with("square", at.to_string())
}

/// Returns the names of missions as an argument of a message.
pub fn mission_names(missions: impl IntoIterator<Item = Mission>) -> Arg {
    missions.into_iter().map(|mission| Arg::Term(mission.term())).collect()
}

/// Returns the reason of a derailment as a sentence. Games of edition 1 do not record it.
pub fn explain_derailment(why: Option<DerailReason>) -> Message {
    let at = |key, at: Square| Message::new(key).with("square", at.to_string());
    match why {
        Some(DerailReason::NoTrack(square)) => at("or-why-no-track", square),
        Some(DerailReason::Closed(square)) => at("or-why-closed", square),
        Some(DerailReason::Centre(square)) => at("or-why-centre", square),
        Some(DerailReason::Empty) => Message::new("or-why-empty"),
        Some(DerailReason::Over) => Message::new("or-why-over"),
        None => Message::new("or-why-unsaid"),
    }
}

fn narrate_end(state: &State, reason: Ending) -> Message {
    if state.numbers.is_solo() {
        return Message::new(match score::solo_grade(state) {
            Grade::Loss => "or-ended-loss",
            Grade::Partial => "or-ended-partial",
            Grade::Victory => "or-ended-victory",
            Grade::Major => "or-ended-major",
        });
    }
    Message::new(match reason {
        Ending::NoCarts => "or-ended-carts",
        Ending::NoTokens | Ending::Stopped => "or-ended-tokens",
    })
}

/// Returns the choices that the seat's player has now.
pub fn describe_choices(state: &State, seat: Seat) -> Vec<Message> {
    match travel::asked_seat(state) {
        Some(asked) if asked == seat => {
            return vec![refuse::possible_answer_lines(state, &[], &travel::list_answers(state))];
        }
        None if state.active_seat() == Some(seat) => {}
        _ => return Vec::new(),
    }
    let is_solo = state.numbers.is_solo();
    let mut choices = if state.turn_progress.moved_carts == 0 {
        list_action_choices(state, seat)
    } else {
        Vec::new()
    };
    choices.push(refuse::list_own_carts(state, seat));
    choices.extend(state.unmoved_carts(seat).map(|cart| default_move_choice(state, cart)));
    choices.extend(refuse::list_claimable_missions(state));
    if state.era == Era::Abyss && !is_solo {
        choices.extend(list_abyss_choices(state, seat));
    }
    let may_stop = is_solo && score::solo_grade(state) != Grade::Loss;
    choices.extend(may_stop.then(|| Message::new("or-choice-stop")));
    choices.push(Message::new("or-choice-done"));
    choices
}

fn list_action_choices(state: &State, seat: Seat) -> Vec<Message> {
    let left = state.turn_progress.actions_left;
    let mut choices = vec![Message::new("or-choice-actions").with("count", left)];
    if left == 0 {
        return choices;
    }
    if state.tiles.straight_or_corner > 0 {
        let lay = Message::new("or-choice-lay").with("line", examples::lay_line(state, 1));
        choices.push(lay.with("count", state.tiles.straight_or_corner));
    }
    let open = decide::upgradable_squares(state).iter().filter(|&at| state.track[at].count() < 4);
    let open = open.map(|at| at.to_string());
    let upgrade = Message::from_list("or-choice-upgrade", "squares", open);
    choices.extend(upgrade.map(|choice| choice.with("line", examples::upgrade_line(state))));
    let in_supply = |cart: &CartId| state.cart(*cart).place == Place::Supply;
    // Both carts of a player enter from one side, so one example is enough. In the solo game each
    // cart has its own side.
    let shown = if state.numbers.is_solo() { 4 } else { 1 };
    choices.extend(state.carts_of(seat).filter(in_supply).take(shown).map(|cart| {
        Message::new("or-choice-enter")
            .with("word", refuse::cart_order_word(state, cart))
            .with("place", refuse::column_or_row_label(state.home_side(cart), 2))
            .with("berths", refuse::describe_surface_squares(state, cart))
    }));
    choices
}

/// Returns the sentence about what a cart's move does without further orders.
fn default_move_choice(state: &State, cart: CartId) -> Message {
    let word = refuse::cart_order_word(state, cart);
    let next = travel::next_square(state, cart);
    let way_back = state.cart(cart).facing.opposite();
    let message = Message::new(match next {
        None => "or-choice-out",
        Some(at) if state.collapsed_squares().contains(at) => "or-choice-fall",
        Some(at) if state.cart_on(at).is_some() => "or-choice-ram",
        Some(at) if !state.track[at].has(way_back) => "or-choice-derail",
        Some(_) => "or-choice-move",
    });
    message
        .with("word", word)
        .with("steps", state.cart(cart).speed)
        .with("square", next.map_or_else(String::new, |at| at.to_string()))
}

fn list_abyss_choices(state: &State, seat: Seat) -> Vec<Message> {
    let place = (!state.has_cart_on_board(seat)).then(|| Message::new("or-choice-place"));
    let is_open =
        |colour: &Colour| !state.numbers.options.abyss_die && state.tokens[colour.index()] > 0;
    let chasms = Colour::ALL.into_iter().filter(is_open).filter_map(|colour| {
        let squares = || deck::legal_token_squares(state, colour).iter().map(|at| at.to_string());
        let choice = Message::from_list("or-choice-chasm", "squares", squares())?;
        Some(choice.with("word", colour.name()).with("first", squares().next()?))
    });
    place.into_iter().chain(chasms).collect()
}

/// Returns the name of the board. The board that ships with the program has a name in each
/// language; any other board has the name in its definition.
fn board_name(board: &Board) -> Arg {
    board_title(OffTheRails::DEFINITION, &board.title, "or-board-ours")
}
