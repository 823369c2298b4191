//! Reads the line of a move: `move w C1 C2 D2 take diamond face east`.
//!
//! The line is played ahead. Wherever the cart's owner has something to say, the line is asked;
//! where it is silent, the default holds and the player is told so.

use super::OffTheRails;
use super::ahead::Ahead;
use super::event::Event;
use super::grid::{Ends, Square, Way};
use super::jewel::{Hoard, Jewel};
use super::order::{CartId, Order};
use super::refuse;
use super::script::{Script, Stop, script};
use super::state::{Place, State};
use super::travel::{self, Stage};
use super::words;
use crate::rules::{Arg, Dice, Message, Reading, Refusal, Rules, Seat, Seed};

/// The jewels of a pile as words.
pub fn pieces(hoard: Hoard) -> String {
    hoard.pieces().map(Jewel::name).collect::<Vec<_>>().join(" ")
}

/// Reads a line that moves carts, one after the other, or goes on with a move that waits for it.
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
        return Err(refuse::not_asked(state, verb));
    }
    if verb != "move" || state.run.is_some() {
        let script = script(state, verb, words)?;
        if travel::asked(state) != Some(seat) {
            return Err(refuse::not_asked(state, verb));
        }
        let leg = leg(state, seat, None, script)?;
        return Ok(Reading { orders: leg.orders, remarks: leg.remarks });
    }
    let mut reading = Reading::plain(Vec::new());
    let mut ahead = state.clone();
    for (named, words) in legs(state, seat, words) {
        if ahead.run.is_some() {
            return Err(Refusal::unreadable(Message::new("or-leg-waits")));
        }
        let cart = named.or_else(|| ahead.unmoved(seat).next());
        let cart = cart.or_else(|| ahead.carts_of(seat).next());
        let leg = leg(&ahead, seat, cart, script(&ahead, verb, words)?)?;
        reading.orders.extend(leg.orders);
        reading.remarks.extend(leg.remarks);
        ahead = leg.after;
    }
    Ok(reading)
}

/// The carts that a line names, each with the words up to the next one. After the first, a letter
/// alone is no cart: it may be a way.
fn legs<'a, 'b>(
    state: &State,
    seat: Seat,
    words: &'a [&'b str],
) -> Vec<(Option<CartId>, &'a [&'b str])> {
    let cart_at = |place: usize, word: &str| {
        words::cart(state, seat, word).filter(|_| place == 0 || word.len() > 1)
    };
    let starts = words.iter().enumerate();
    let mut starts: Vec<(usize, Option<CartId>)> = starts
        .filter_map(|(place, word)| cart_at(place, word).map(|cart| (place, Some(cart))))
        .collect();
    if starts.first().is_none_or(|&(place, _)| place > 0) {
        starts.insert(0, (0, None));
    }
    let ends = starts.iter().skip(1).map(|&(place, _)| place).chain([words.len()]);
    let leg = |(&(place, cart), end): (&(usize, Option<CartId>), usize)| {
        let begin = place + usize::from(cart.is_some());
        (cart, words.get(begin..end).unwrap_or_default())
    };
    starts.iter().zip(ends).map(leg).collect()
}

/// The move of one cart, as far as the line goes.
struct Leg {
    orders: Vec<Order>,
    remarks: Vec<Message>,
    after: State,
}

/// The square where the cart stands may be named first. Alone it is a loop that comes back to it,
/// where there is one.
fn leg(
    state: &State,
    seat: Seat,
    cart: Option<CartId>,
    mut script: Script,
) -> Result<Leg, Refusal> {
    let start = cart.map(|cart| state.cart(cart).place);
    let names_start = match (start, script.stops.first()) {
        (Some(Place::Track(square)), Some(&Stop::At(first))) => square == first,
        _ => false,
    };
    if names_start {
        let comes_back = (script.stops.len() == 1).then(|| play(state, seat, cart, script.clone()));
        if let Some(Ok(leg)) = comes_back {
            return Ok(leg);
        }
        script.stops.remove(0);
        script.here = match start {
            Some(Place::Track(square)) => Some(square),
            _ => None,
        };
    }
    play(state, seat, cart, script)
}

/// Plays the line ahead and writes down what it says at each question.
fn play(
    state: &State,
    seat: Seat,
    cart: Option<CartId>,
    mut script: Script,
) -> Result<Leg, Refusal> {
    // Which pile falls is no question to the one who moves, so these dice decide nothing.
    let mut dice = Dice::new(&Seed::rehearsal(0), 0);
    let mut ahead = Ahead::new(state, &mut dice);
    let (mut orders, mut remarks) = (Vec::new(), Vec::new());
    if let Some(cart) = cart {
        orders.push(Order::Move { cart });
        follow(&mut ahead, seat, &Order::Move { cart })?;
    }
    let wanted = script.clone();
    let mut passed = 0;
    while travel::asked(&ahead.state) == Some(seat) {
        reach(&ahead.events, &mut passed, &mut script);
        let answers = travel::answers(&ahead.state);
        let line = Line { began: state, said: &orders };
        let answer = answer(&ahead.state, &answers, &line, &mut script, &mut remarks)?;
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
    unasked(&ahead, &wanted, &script, &mut remarks);
    Ok(Leg { orders, remarks, after: ahead.state })
}

fn follow(ahead: &mut Ahead<'_>, seat: Seat, order: &Order) -> Result<(), Refusal> {
    let events = OffTheRails::decide(&ahead.state, seat, order, ahead.dice)?;
    events.into_iter().for_each(|event| ahead.happen(event));
    Ok(())
}

/// Strikes off the places that the cart has come to since they were last struck off.
fn reach(events: &[Event], passed: &mut usize, script: &mut Script) {
    for event in events.get(*passed..).unwrap_or_default() {
        let here = match (event, script.stops.first()) {
            (&(Event::Rolled { to: at, .. } | Event::Collided { at, .. }), Some(&first))
                if first == Stop::At(at) =>
            {
                Some(at)
            }
            (Event::Left { side, .. }, Some(Stop::Out(named)))
                if named.is_none_or(|named| named == *side) =>
            {
                None
            }
            _ => continue,
        };
        script.here = here;
        script.stops.remove(0);
    }
    *passed = events.len();
}

/// Says what of the line nothing on the way asked for.
fn unasked(ahead: &Ahead<'_>, wanted: &Script, left: &Script, remarks: &mut Vec<Message>) {
    for jewel in Jewel::ALL {
        let is_took =
            |event: &&Event| matches!(event, Event::Took { jewel: it, .. } if *it == jewel);
        let taken = ahead.events.iter().filter(is_took).count();
        if wanted.takes.iter().filter(|&&it| it == jewel).count() > taken {
            remarks.push(Message::new("or-not-taken").with("jewel", Arg::Term(jewel.term())));
        }
    }
    let faces = ahead.events.iter().rev().find_map(|event| match event {
        Event::Halted { facing, .. } => Some(*facing),
        _ => None,
    });
    let word = |words: String| Message::new("or-unasked").with("line", words);
    let facing = wanted.face.filter(|&way| faces != Some(way));
    remarks.extend(facing.map(|way| word(format!("face {}", way.name()))));
    remarks.extend(left.pile.map(|pile| word(format!("{} {}", left.pile_verb, pieces(pile)))));
    remarks.extend(left.pick.map(|pick| word(pick.words().to_owned())));
}

/// A line as far as it has been played: where it began, and what it has said.
struct Line<'a> {
    began: &'a State,
    said: &'a [Order],
}

/// What the line says here, or the default.
fn answer(
    state: &State,
    answers: &[Order],
    line: &Line<'_>,
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
                let term = Arg::Term(jewel.term());
                remarks.push(about("or-default-take").with("jewel", term));
            }
            place.map(|place| Order::Take(script.takes.remove(place)))
        }
        Stage::Fork(ways) => {
            let (way, key) = fork(state, run.cart, ways, line, script)?;
            if let (Some(key), Place::Track(at)) = (key, state.cart(run.cart).place) {
                let default = travel::straight_on(ways, run.came.unwrap_or(Way::North));
                let term = Arg::Term(way.unwrap_or(default).term());
                remarks.push(about(key).with("way", term).with("square", at.to_string()));
            }
            way.map(Order::Go)
        }
        Stage::Face(_) => {
            if let (None, Order::Face(way)) = (script.face, default) {
                let term = Arg::Term(way.term());
                remarks.push(about("or-default-face").with("way", term));
            }
            script.face.map(Order::Face)
        }
        Stage::Drop(_) => match default {
            Order::Cut(_) => script.pile.take().map(Order::Cut),
            Order::Pick { .. } => script.pick.take().map(super::script::Pick::order),
            _ => script.pile.take().map(Order::Drop),
        },
        _ => None,
    };
    match said {
        Some(said) if !answers.contains(&said) => {
            Err(refuse::not_an_answer(line.began, line.said, answers))
        }
        said => Ok(said.unwrap_or(default)),
    }
}

/// The way on at a junction that leads to the next place of the line, none when the line is silent;
/// and the key of what its writer should know of the choice.
fn fork(
    state: &State,
    cart: CartId,
    ways: Ends,
    line: &Line<'_>,
    script: &mut Script,
) -> Result<(Option<Way>, Option<&'static str>), Refusal> {
    let (Some(run), Place::Track(at)) = (state.run, state.cart(cart).place) else {
        return Ok((None, None));
    };
    let straight = travel::straight_on(ways, run.came.unwrap_or(Way::North));
    let stop = match script.stops.first() {
        None => return Ok((None, Some("or-default-go"))),
        Some(&Stop::By(way)) => {
            script.stops.remove(0);
            return Ok((Some(way), None));
        }
        Some(&stop) => stop,
    };
    // Who names every square means the next one, even where a longer way comes to it too.
    let is_next = |way: &Way| match (stop, state.board.step(at, *way)) {
        (Stop::At(square), Some(next)) => square == next,
        (Stop::Out(None), None) => script.here == Some(at),
        (Stop::Out(side), None) => side == Some(*way),
        _ => false,
    };
    let mut options: Vec<Way> = std::iter::once(straight).chain(ways.iter()).collect();
    options.sort_by_key(|way| !is_next(way));
    let search = Search { state, cart };
    let leads = |way: &Way| search.leads_to(at, *way, run.left, &script.stops);
    let Some(way) = options.into_iter().find(leads) else {
        let reason = Message::new("or-no-way")
            .with("cart", refuse::cart_name(state, cart))
            .with("square", at.to_string())
            .with("to", stop.told());
        let answers = refuse::answers_said(line.began, line.said, &travel::answers(state));
        return Err(Refusal::illegal(reason).or(answers));
    };
    let exits = ways.iter().filter(|&way| state.board.step(at, way).is_none()).count();
    let is_open = stop == Stop::Out(None) && exits > 1 && state.board.step(at, way).is_none();
    Ok((Some(way), is_open.then_some("or-default-out")))
}

/// Looks for a way of one cart.
struct Search<'a> {
    state: &'a State,
    cart: CartId,
}

impl Search<'_> {
    /// Whether the way from this square comes to all these places.
    fn leads_to(&self, from: Square, way: Way, left: u8, stops: &[Stop]) -> bool {
        let state = self.state;
        let Some(to) = state.board.step(from, way) else {
            return match stops {
                [] | [Stop::Out(None)] => true,
                [Stop::Out(Some(side))] => *side == way,
                _ => false,
            };
        };
        let rest = match stops.split_first() {
            Some((Stop::At(square), rest)) if *square == to => rest,
            _ => stops,
        };
        let is_open = state.track[to].has(way.opposite());
        // A loop may lead over the square where the cart itself is now.
        let is_taken = state.cart_on(to).is_some_and(|other| other != self.cart);
        if left <= 1 || !is_open || is_taken {
            return rest.is_empty();
        }
        match rest.split_first() {
            // What comes after the next junction is looked at there.
            Some((Stop::By(turn), rest)) if state.track[to].is_junction() => {
                self.leads_to(to, *turn, left - 1, rest)
            }
            _ => travel::ways_on(state.track[to], way)
                .iter()
                .any(|next| self.leads_to(to, next, left - 1, rest)),
        }
    }
}

/// The line names a place that the cart does not come to.
fn missed(state: &State, events: &[Event], orders: &[Order], stop: Stop) -> Refusal {
    let out = |side: Way| Message::new("or-way-out").with("side", Arg::Term(side.term()));
    let way: Vec<Arg> = events
        .iter()
        .filter_map(|event| match event {
            Event::Rolled { to, .. } => Some(to.to_string().into()),
            Event::Left { side, .. } => Some(out(*side).into()),
            _ => None,
        })
        .collect();
    let Some(&Order::Move { cart }) = orders.first() else {
        return refuse::not_an_answer(state, &[], &travel::answers(state));
    };
    let reason = Message::new("or-missed")
        .with("cart", refuse::cart_name(state, cart))
        .with("place", stop.told());
    let refusal = Refusal::illegal(reason);
    if way.is_empty() {
        return refusal.or(Message::new("or-way-none"));
    }
    refusal.or(Message::new("or-way").with("squares", Arg::List(way)))
}
