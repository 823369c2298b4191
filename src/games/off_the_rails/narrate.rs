//! What happened and what can be done, said to one viewer.

use super::OffTheRails;
use super::board::Board;
use super::colour::Colour;
use super::decide;
use super::deck;
use super::definition::SoloChasmCard;
use super::event::{Crash, Ending, Event, Wreck};
use super::examples;
use super::grid::Square;
use super::jewel::Hoard;
use super::mission::Mission;
use super::order::{Card, CartId, Wish};
use super::refuse::{self, cart_name, hoard, shape};
use super::score::{self, Grade};
use super::state::{Era, Place, State};
use super::travel;
use crate::rules::{Arg, Message, Rules, Seat, Viewer, board_title};

/// Tells of the steps of a cart in one sentence, or of another event.
pub fn tell(state: &State, run: &[Event], viewer: Viewer) -> Vec<Message> {
    let told = match run.first() {
        Some(event) if is_step(event) => moved(state, run),
        event => event.and_then(|event| tell_one(state, event, viewer)),
    };
    told.into_iter().collect()
}

/// Whether the event is a step of a moving cart.
pub const fn is_step(event: &Event) -> bool {
    matches!(event, Event::Rolled { .. } | Event::Took { .. } | Event::Headed { .. })
}

fn moved(state: &State, run: &[Event]) -> Option<Message> {
    let (mut mover, mut squares, mut taken) = (None, Vec::new(), Hoard::NONE);
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
    Some(about(state, key, mover?).with("squares", squares).with("jewels", hoard(taken)))
}

fn about(state: &State, key: &'static str, cart: CartId) -> Message {
    Message::new(key).with("cart", cart_name(state, cart))
}

fn tell_one(state: &State, event: &Event, viewer: Viewer) -> Option<Message> {
    Some(match event {
        Event::Opened { sides, missions } => opened(state, sides.len(), missions),
        Event::Strewn { .. } => Message::new("or-told-strewn"),
        Event::Primed { card, jewels } | Event::Deposited { card, jewels } => {
            deposited(state, *card, *jewels)
        }
        Event::Laid { seat, at, ends } => Message::new("or-told-laid")
            .with("who", *seat)
            .with("shape", shape(*ends))
            .with("square", at.to_string())
            .with("ends", ends.to_string()),
        Event::Upgraded { seat, at, way } => Message::new("or-told-upgraded")
            .with("who", *seat)
            .with("square", at.to_string())
            .with_term("way", way.term()),
        Event::Wished { seat, wish } if viewer == Viewer::Seat(*seat) => wished(*wish),
        Event::Claimed { seat, mission } => {
            Message::new("or-told-claimed").with("who", *seat).with_term("mission", mission.term())
        }
        Event::ChasmCard { seat } => Message::new("or-told-chasm-card").with("who", *seat),
        Event::Collapsed => Message::new("or-told-collapsed"),
        Event::Sank { colour, at } => sank("or-told-sank", *colour, Some(*at)),
        Event::Discarded { colour } => sank("or-told-discarded", *colour, None),
        Event::Reshuffled => {
            let keeps = state.numbers.variant.solo_chasm_card == SoloChasmCard::Turn;
            Message::new("or-told-reshuffled").with("keeps", u8::from(keeps))
        }
        Event::Ended { reason } => ended(state, *reason),
        _ => return ride(state, event),
    })
}

fn opened(state: &State, seats: usize, missions: &[Mission]) -> Message {
    let sides = Seat::all(u8::try_from(seats).unwrap_or(0)).filter_map(|seat| {
        let side = state.sides.get(seat.index())?;
        let message = Message::new("or-side-of").with("who", seat);
        Some(message.with_term("side", side.term()))
    });
    Message::new("or-told-opened")
        .with("board", title(&state.board))
        .with_list("sides", sides)
        .with("missions", mission_names(missions.iter().copied()))
}

fn deposited(state: &State, card: Card, jewels: Hoard) -> Message {
    let at = state.board.mined(card).map_or_else(String::new, |at| at.to_string());
    Message::new("or-told-deposit")
        .with_term("colour", card.colour.term())
        .with("number", card.number)
        .with("square", at)
        .with("jewels", hoard(jewels))
}

fn sank(key: &'static str, colour: Colour, at: Option<Square>) -> Message {
    let at = at.map_or_else(String::new, |at| at.to_string());
    Message::new(key).with_term("colour", colour.term()).with("square", at)
}

fn wished(wish: Wish) -> Message {
    match wish {
        Wish::Split(split) => Message::new("or-told-wish-split").with_term("split", split.term()),
        Wish::Claim(mission) => {
            Message::new("or-told-wish-claim").with_term("mission", mission.term())
        }
        Wish::Chasm(colour, at) => sank("or-told-wish-chasm", colour, Some(at)),
        Wish::Place(true) => Message::new("or-told-wish-place"),
        Wish::Place(false) => Message::new("or-told-wish-none"),
    }
}

/// What happens to carts.
fn ride(state: &State, event: &Event) -> Option<Message> {
    Some(match *event {
        Event::Entered { cart, berth, speed } => about(state, "or-told-entered", cart)
            .with_term("side", berth.side.term())
            .with("place", refuse::berth_word(berth.side, berth.index))
            .with("speed", speed),
        Event::Sped { cart, speed } => about(state, "or-told-sped", cart).with("speed", speed),
        Event::Collided { cart, at, crash } => collided(state, cart, at, crash),
        Event::Cut { cart, .. } => about(state, "or-told-cut", cart),
        Event::Dropped { cart, jewels } => {
            about(state, "or-told-dropped", cart).with("jewels", hoard(jewels))
        }
        Event::Turned { cart, facing } | Event::Halted { cart, facing } => {
            about(state, "or-told-faces", cart).with_term("way", facing.term())
        }
        Event::Left { cart, side } => {
            about(state, "or-told-left", cart).with_term("side", side.term())
        }
        Event::Returned { cart } => about(state, "or-told-returned", cart),
        Event::Derailed { cart, lost, why } => {
            let key = if lost { "or-told-derailed-lost" } else { "or-told-derailed" };
            let held = u8::from(why != Some(Wreck::Empty));
            about(state, key, cart).with("why", wreck(why)).with("held", held)
        }
        Event::Fell { cart } => about(state, "or-told-fell", cart),
        // Steps are told together; whose turn it is the letter says itself.
        _ => return None,
    })
}

fn collided(state: &State, cart: CartId, at: Square, crash: Crash) -> Message {
    let key = if !crash.connected {
        "or-told-bumped"
    } else if crash.head_on {
        "or-told-head-on"
    } else {
        "or-told-collided"
    };
    about(state, key, cart)
        .with("other", cart_name(state, crash.other))
        .with("square", at.to_string())
}

/// Returns missions by their names.
pub fn mission_names(missions: impl IntoIterator<Item = Mission>) -> Arg {
    missions.into_iter().map(|mission| Arg::Term(mission.term())).collect()
}

/// Why a cart derailed; a game of the first edition does not say.
pub fn wreck(why: Option<Wreck>) -> Message {
    let at = |key, at: Square| Message::new(key).with("square", at.to_string());
    match why {
        Some(Wreck::NoTrack(square)) => at("or-why-no-track", square),
        Some(Wreck::Closed(square)) => at("or-why-closed", square),
        Some(Wreck::Centre(square)) => at("or-why-centre", square),
        Some(Wreck::Empty) => Message::new("or-why-empty"),
        Some(Wreck::Over) => Message::new("or-why-over"),
        None => Message::new("or-why-unsaid"),
    }
}

fn ended(state: &State, reason: Ending) -> Message {
    if state.numbers.is_solo() {
        return Message::new(match score::grade(state) {
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

/// What is legal now, said to the seat's player.
pub fn choices(state: &State, seat: Seat) -> Vec<Message> {
    match travel::asked(state) {
        Some(asked) if asked == seat => {
            return vec![refuse::answers_said(state, &[], &travel::answers(state))];
        }
        None if state.active() == Some(seat) => {}
        _ => return Vec::new(),
    }
    let is_solo = state.numbers.is_solo();
    let mut choices = if state.stint.moved == 0 { actions(state, seat) } else { Vec::new() };
    choices.push(refuse::your_carts(state, seat));
    choices.extend(state.unmoved(seat).map(|cart| ahead(state, cart)));
    choices.extend(refuse::missions(state));
    if state.era == Era::Abyss && !is_solo {
        choices.extend(abyss(state, seat));
    }
    let may_stop = is_solo && score::grade(state) != Grade::Loss;
    choices.extend(may_stop.then(|| Message::new("or-choice-stop")));
    choices.push(Message::new("or-choice-done"));
    choices
}

fn actions(state: &State, seat: Seat) -> Vec<Message> {
    let left = state.stint.actions;
    let mut choices = vec![Message::new("or-choice-actions").with("count", left)];
    if left == 0 {
        return choices;
    }
    if state.tiles.straight_or_corner > 0 {
        let lay = Message::new("or-choice-lay").with("line", examples::lay(state, 1));
        choices.push(lay.with("count", state.tiles.straight_or_corner));
    }
    let open = decide::upgradable(state).iter().filter(|&at| state.track[at].count() < 4);
    let open = open.map(|at| at.to_string());
    let upgrade = Message::listing("or-choice-upgrade", "squares", open);
    choices.extend(upgrade.map(|choice| choice.with("line", examples::upgrade(state))));
    let in_supply = |cart: &CartId| state.cart(*cart).place == Place::Supply;
    // Both carts of a player enter on one side; in the solo game each has its own.
    let shown = if state.numbers.is_solo() { 4 } else { 1 };
    choices.extend(state.carts_of(seat).filter(in_supply).take(shown).map(|cart| {
        Message::new("or-choice-enter")
            .with("word", refuse::cart_word(state, cart))
            .with("place", refuse::berth_word(state.home(cart), 2))
            .with("berths", refuse::berths(state, cart))
    }));
    choices
}

/// Where a cart goes if nothing is said.
fn ahead(state: &State, cart: CartId) -> Message {
    let word = refuse::cart_word(state, cart);
    let next = travel::next_square(state, cart);
    let way_back = state.cart(cart).facing.opposite();
    let message = Message::new(match next {
        None => "or-choice-out",
        Some(at) if state.chasm().contains(at) => "or-choice-fall",
        Some(at) if state.cart_on(at).is_some() => "or-choice-ram",
        Some(at) if !state.track[at].has(way_back) => "or-choice-derail",
        Some(_) => "or-choice-move",
    });
    message
        .with("word", word)
        .with("steps", state.cart(cart).speed)
        .with("square", next.map_or_else(String::new, |at| at.to_string()))
}

fn abyss(state: &State, seat: Seat) -> Vec<Message> {
    let place = (!state.has_cart(seat)).then(|| Message::new("or-choice-place"));
    let is_open =
        |colour: &Colour| !state.numbers.variant.abyss_die && state.tokens[colour.index()] > 0;
    let chasms = Colour::ALL.into_iter().filter(is_open).filter_map(|colour| {
        let squares = || deck::chasm_squares(state, colour).iter().map(|at| at.to_string());
        let choice = Message::listing("or-choice-chasm", "squares", squares())?;
        Some(choice.with("word", colour.name()).with("first", squares().next()?))
    });
    place.into_iter().chain(chasms).collect()
}

/// Returns the name of the board: the one that ships is named in each language, any other by its
/// definition.
fn title(board: &Board) -> Arg {
    board_title(OffTheRails::DEFINITION, &board.title, "or-board-ours")
}
