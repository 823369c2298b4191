//! Reads the line of a move: `move w C1 C2 D2 take diamond face east`.
//!
//! The line is played ahead. Wherever the cart's owner has something to say, the line is asked;
//! where it is silent, the default holds and the player is told so.

use super::OffTheRails;
use super::ahead::Ahead;
use super::event::Event;
use super::forms::GRAMMAR;
use super::grid::{Ends, Square, Way};
use super::jewel::{Hoard, Jewel};
use super::order::{CartId, Order};
use super::refuse;
use super::state::{Place, State};
use super::travel::{self, Stage};
use super::words;
use crate::rules::words::first;
use crate::rules::{Dice, Message, Reading, Refusal, Rules, Seat, Seed};

/// A place that the line names on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    At(Square),
    /// At the next junction, this way.
    By(Way),
    /// Out of the mine.
    Out,
}

/// What the line says.
#[derive(Debug, Default)]
struct Script {
    stops: Vec<Stop>,
    takes: Vec<Jewel>,
    face: Option<Way>,
    pile: Option<Hoard>,
    pick: Option<bool>,
}

/// The jewels of a pile as words.
pub fn pieces(hoard: Hoard) -> String {
    hoard.pieces().map(Jewel::name).collect::<Vec<_>>().join(" ")
}

/// Reads a line that moves a cart, or goes on with a move that waits for it.
///
/// # Errors
/// The word that cannot be read, or the place that the cart does not come to.
pub fn read(
    state: &State,
    seat: Seat,
    verb: &str,
    words: &[&str],
) -> Result<Reading<Order>, Refusal> {
    if state.run.is_some() && travel::asked(state) != Some(seat) {
        return Err(GRAMMAR.unreadable(state, Message::new("or-not-asked"), "move"));
    }
    let mut orders = Vec::new();
    let mut rest = words;
    if verb == "move" && state.run.is_none() {
        let (named, behind) = first(words, |word| words::cart(state, seat, word));
        rest = behind;
        let cart = named.or_else(|| state.unmoved(seat).next());
        let cart = cart.or_else(|| state.carts_of(seat).next());
        orders.extend(cart.map(|cart| Order::Move { cart }));
    }
    let script = script(state, verb, rest)?;
    play(state, seat, orders, script)
}

fn script(state: &State, verb: &str, words: &[&str]) -> Result<Script, Refusal> {
    let mut script = Script::default();
    let mut topic = verb;
    for &word in words {
        let unknown = || {
            GRAMMAR.unreadable(state, Message::new("or-unknown-word").with("word", word), "move")
        };
        match word {
            "take" | "face" | "drop" | "cut" | "pick" | "go" => {
                topic = word;
                continue;
            }
            "out" | "exit" | "off" => {
                script.stops.push(Stop::Out);
                continue;
            }
            _ => {}
        }
        if word.chars().any(|c| c.is_ascii_digit()) && topic != "pick" {
            script.stops.push(Stop::At(words::square(state, word)?));
            continue;
        }
        match topic {
            "take" => script.takes.push(words::jewel(word).ok_or_else(unknown)?),
            "face" => script.face = Some(words::way(word).ok_or_else(unknown)?),
            "drop" | "cut" => {
                let jewel = words::jewel(word).ok_or_else(unknown)?;
                let pile = script.pile.get_or_insert_default();
                pile[jewel] = pile[jewel].saturating_add(1);
            }
            "pick" => script.pick = Some(matches!(word, "first" | "one" | "1")),
            _ => script.stops.push(Stop::By(words::way(word).ok_or_else(unknown)?)),
        }
    }
    Ok(script)
}

/// Plays the line ahead and writes down what it says at each question.
fn play(
    state: &State,
    seat: Seat,
    mut orders: Vec<Order>,
    mut script: Script,
) -> Result<Reading<Order>, Refusal> {
    // Which pile falls is no question to the one who moves, so these dice decide nothing.
    let mut dice = Dice::new(&Seed::rehearsal(0), 0);
    let mut ahead = Ahead::new(state, &mut dice);
    let mut remarks = Vec::new();
    match orders.first() {
        Some(order) => follow(&mut ahead, seat, order)?,
        None if travel::asked(state) != Some(seat) => {
            return Err(GRAMMAR.unreadable(state, Message::new("or-not-asked"), "move"));
        }
        None => {}
    }
    start_of_way(state, &orders, &mut script);
    let mut passed = 0;
    while travel::asked(&ahead.state) == Some(seat) {
        reach(&ahead.events, &mut passed, &mut script);
        let answers = travel::answers(&ahead.state);
        let answer = answer(&ahead.state, &answers, &mut script, &mut remarks)?;
        follow(&mut ahead, seat, &answer)?;
        orders.push(answer);
        if matches!(answer, Order::Cut(_)) {
            break;
        }
    }
    reach(&ahead.events, &mut passed, &mut script);
    if let Some(&stop) = script.stops.first() {
        return Err(missed(state, &ahead.events, &orders, stop));
    }
    if let Some(jewel) = script.takes.iter().find(|&&jewel| !is_taken(&ahead.events, jewel)) {
        let term = crate::rules::Arg::Term(jewel.term());
        remarks.push(Message::new("or-not-taken").with("jewel", term));
    }
    Ok(Reading { orders, remarks })
}

fn follow(ahead: &mut Ahead<'_>, seat: Seat, order: &Order) -> Result<(), Refusal> {
    let events = OffTheRails::decide(&ahead.state, seat, order, ahead.dice)?;
    events.into_iter().for_each(|event| ahead.happen(event));
    Ok(())
}

/// The square where the cart stands may be named first.
fn start_of_way(state: &State, orders: &[Order], script: &mut Script) {
    let Some(&Order::Move { cart }) = orders.first() else { return };
    if let (Place::Track(square), Some(&Stop::At(first))) =
        (state.cart(cart).place, script.stops.first())
        && square == first
    {
        script.stops.remove(0);
    }
}

/// Strikes off the places that the cart has come to since they were last struck off.
fn reach(events: &[Event], passed: &mut usize, script: &mut Script) {
    for event in events.get(*passed..).unwrap_or_default() {
        let is_reached = match (event, script.stops.first()) {
            (Event::Rolled { to: at, .. } | Event::Collided { at, .. }, Some(Stop::At(square))) => {
                at == square
            }
            (Event::Left { .. }, Some(Stop::Out)) => true,
            _ => false,
        };
        if is_reached {
            script.stops.remove(0);
        }
    }
    *passed = events.len();
}

fn is_taken(events: &[Event], kind: Jewel) -> bool {
    events.iter().any(|event| matches!(event, Event::Took { jewel, .. } if *jewel == kind))
}

/// What the line says here, or the default.
fn answer(
    state: &State,
    answers: &[Order],
    script: &mut Script,
    remarks: &mut Vec<Message>,
) -> Result<Order, Refusal> {
    let default = answers.first().copied().unwrap_or(Order::End);
    let Some(run) = state.run else { return Ok(default) };
    let about = |key| Message::new(key).with("cart", refuse::cart_name(state, run.cart));
    let said = match travel::stage(state, &run) {
        Stage::Take(offer) => {
            let place = script.takes.iter().position(|&jewel| offer[jewel] > 0);
            if let (None, Order::Take(jewel)) = (place, default) {
                let term = crate::rules::Arg::Term(jewel.term());
                remarks.push(about("or-default-take").with("jewel", term));
            }
            place.map(|place| Order::Take(script.takes.remove(place)))
        }
        Stage::Fork(ways) => {
            let way = fork(state, run.cart, ways, script)?;
            if let (None, Order::Go(way), Place::Track(at)) =
                (way, default, state.cart(run.cart).place)
            {
                let term = crate::rules::Arg::Term(way.term());
                remarks
                    .push(about("or-default-go").with("way", term).with("square", at.to_string()));
            }
            way.map(Order::Go)
        }
        Stage::Face(_) => {
            if let (None, Order::Face(way)) = (script.face, default) {
                let term = crate::rules::Arg::Term(way.term());
                remarks.push(about("or-default-face").with("way", term));
            }
            script.face.map(Order::Face)
        }
        Stage::Drop(_) => match default {
            Order::Cut(_) => script.pile.take().map(Order::Cut),
            Order::Pick { .. } => script.pick.take().map(|first| Order::Pick { first }),
            _ => script.pile.take().map(Order::Drop),
        },
        _ => None,
    };
    match said {
        Some(said) if !answers.contains(&said) => Err(refuse::not_an_answer(state, answers)),
        said => Ok(said.unwrap_or(default)),
    }
}

/// The way on at a junction that leads to the next place of the line; none when the line is silent.
fn fork(
    state: &State,
    cart: CartId,
    ways: Ends,
    script: &mut Script,
) -> Result<Option<Way>, Refusal> {
    let (Some(run), Place::Track(at)) = (state.run, state.cart(cart).place) else {
        return Ok(None);
    };
    let straight = travel::straight_on(ways, run.came.unwrap_or(Way::North));
    match script.stops.first() {
        None => Ok(None),
        Some(&Stop::By(way)) => {
            script.stops.remove(0);
            Ok(Some(way))
        }
        Some(&stop) => {
            let options = std::iter::once(straight).chain(ways.iter());
            let stops = script.stops.as_slice();
            let leads = |way: &Way| leads_to(state, at, *way, run.left, stops);
            let way = options.into_iter().find(leads);
            way.map(Some).ok_or_else(|| no_way(state, cart, at, stop))
        }
    }
}

/// Whether the way from this square comes to all these places.
fn leads_to(state: &State, from: Square, way: Way, left: u8, stops: &[Stop]) -> bool {
    let Some(to) = state.board.step(from, way) else {
        return matches!(stops, [] | [Stop::Out]);
    };
    let rest = match stops.split_first() {
        Some((Stop::At(square), rest)) if *square == to => rest,
        _ => stops,
    };
    let is_open = state.track[to].has(way.opposite());
    if left <= 1 || !is_open || state.cart_on(to).is_some() {
        return rest.is_empty();
    }
    match rest.split_first() {
        // What comes after the next junction is looked at there.
        Some((Stop::By(turn), rest)) if state.track[to].is_junction() => {
            leads_to(state, to, *turn, left - 1, rest)
        }
        _ => travel::ways_on(state.track[to], way)
            .iter()
            .any(|next| leads_to(state, to, next, left - 1, rest)),
    }
}

fn no_way(state: &State, cart: CartId, at: Square, stop: Stop) -> Refusal {
    let reason = Message::new("or-no-way").with("cart", refuse::cart_name(state, cart));
    let reason = reason.with("square", at.to_string());
    Refusal::illegal(match stop {
        Stop::At(to) => reason.with("to", to.to_string()),
        Stop::By(way) => reason.with("to", way.name()),
        Stop::Out => reason.with("to", "out"),
    })
    .or(refuse::answers_said(state, &travel::answers(state)))
}

/// The line names a place that the cart does not come to.
fn missed(state: &State, events: &[Event], orders: &[Order], stop: Stop) -> Refusal {
    let way: Vec<String> = events
        .iter()
        .filter_map(|event| match event {
            Event::Rolled { to, .. } => Some(to.to_string()),
            Event::Left { .. } => Some("out".to_owned()),
            _ => None,
        })
        .collect();
    let Some(&Order::Move { cart }) = orders.first() else {
        return Refusal::illegal(Message::new("or-not-asked"));
    };
    let place = match stop {
        Stop::At(square) => square.to_string(),
        Stop::By(way) => way.name().to_owned(),
        Stop::Out => "out".to_owned(),
    };
    let reason =
        Message::new("or-missed").with("cart", refuse::cart_name(state, cart)).with("place", place);
    let refusal = Refusal::illegal(reason);
    if way.is_empty() {
        return refusal.or(Message::new("or-way-none"));
    }
    refusal.or(Message::new("or-way").with("squares", way))
}
