//! Reads the line of a move: `move w C1 C2 D2 take diamond face east`.
//!
//! The line is tried out on a copy of the position. At each choice of the cart's owner, the line
//! gives the answer. If it has none, the default is used and a remark says so.

use super::plan::unused_dice;
use super::refuse::unread;
use super::state::Run;
use super::{
    Ahead, CartId, Event, Hoard, Jewel, OffTheRails, Order, Square, State, Way, refuse, travel,
    words,
};
use crate::rules::line_words::first;
use crate::rules::{Arg, Message, OrderText, Reading, Refusal, Seat};

/// The jewels of a pile as words.
pub fn pieces(hoard: Hoard) -> String {
    hoard.pieces().map(Jewel::name).collect::<Vec<_>>().join(" ")
}

/// Reads a line that moves one or more carts, or that answers a move which waits for its player.
///
/// # Errors
/// The word that cannot be read, or the place that the cart does not reach.
pub fn read(
    state: &State,
    seat: Seat,
    verb: &str,
    words: &[&str],
) -> Result<Reading<Order>, Refusal> {
    let is_asked = travel::asked(state) == Some(seat);
    if state.run.is_some() && !is_asked {
        return Err(refuse::not_asked(state, verb));
    }
    if verb != "move" || state.run.is_some() {
        let script = read_script(state, verb, words)?;
        if !is_asked {
            return Err(refuse::not_asked(state, verb));
        }
        return Ok(leg(state, seat, None, script)?.0);
    }
    let (mut whole, mut ahead) = (Reading::plain(Vec::new()), state.clone());
    // Splits the words before each cart. After the first word, a single letter is not a cart: it
    // may be a direction.
    let is_of_leg = |word: &str| word.len() <= 1 || words::cart(state, seat, word).is_none();
    for words in words.chunk_by(|_, next| is_of_leg(next)) {
        if ahead.run.is_some() {
            return Err(Refusal::unreadable(Message::new("or-leg-waits")));
        }
        let (named, words) = first(words, |word| words::cart(state, seat, word));
        let cart = named.or_else(|| ahead.unmoved(seat).next());
        let cart = cart.or_else(|| ahead.carts_of(seat).next());
        let (reading, after) = leg(&ahead, seat, cart, read_script(&ahead, verb, words)?)?;
        whole.orders.extend(reading.orders);
        whole.remarks.extend(reading.remarks);
        ahead = after;
    }
    Ok(whole)
}

/// The orders for the move of one cart, and the position after them.
type Leg = (Reading<Order>, State);

/// Reads the move of one cart. The line may begin with the square where the cart is. If it names no
/// other square, it means a loop back to this square, if there is one.
fn leg(
    state: &State,
    seat: Seat,
    cart: Option<CartId>,
    mut script: Script,
) -> Result<Leg, Refusal> {
    let start = cart.and_then(|cart| state.cart(cart).square());
    if start.is_some() && script.stops.first().copied() == start.map(Stop::At) {
        if script.stops.len() == 1
            && let Ok(leg) = play(state, seat, cart, script.clone())
        {
            return Ok(leg);
        }
        script.stops.remove(0);
        script.here = start;
    }
    play(state, seat, cart, script)
}

/// Tries the line out and collects its orders.
fn play(state: &State, seat: Seat, cart: Option<CartId>, script: Script) -> Result<Leg, Refusal> {
    // Chance decides only which pile falls, and no order of the line depends on that.
    let mut dice = unused_dice();
    let wanted: Hoard = script.takes.iter().copied().collect();
    let (ahead, reading) = (Ahead::new(state, &mut dice), Reading::plain(Vec::new()));
    let mut play = Play { began: state, ahead, script, passed: 0, reading };
    if let Some(cart) = cart {
        play.order(seat, Order::Move { cart })?;
    }
    while travel::asked(&play.ahead.state) == Some(seat) {
        let answer = play.answer()?;
        play.order(seat, answer)?;
        if matches!(answer, Order::Cut(_)) {
            break;
        }
    }
    if let Some(&stop) = play.script.stops.first() {
        return Err(play.missed(stop));
    }
    play.note_unasked(wanted);
    Ok((play.reading, play.ahead.state))
}

/// A line that is tried out.
struct Play<'a> {
    /// The position before the line.
    began: &'a State,
    ahead: Ahead<'a>,
    /// The part of the line that has not been used yet.
    script: Script,
    /// The number of events that have been compared with the places of the line.
    passed: usize,
    reading: Reading<Order>,
}

impl Play<'_> {
    /// Carries out an order, and removes the places that the cart reaches from the script.
    fn order(&mut self, seat: Seat, order: Order) -> Result<(), Refusal> {
        self.ahead.follow(seat, &order)?;
        self.reading.orders.push(order);
        for event in self.ahead.events.get(self.passed..).unwrap_or_default() {
            let here = match (event, self.script.stops.first()) {
                (
                    &(Event::Rolled { to: at, .. } | Event::Collided { at, .. }),
                    Some(&Stop::At(stop)),
                ) if stop == at => Some(at),
                (Event::Left { side, .. }, Some(Stop::Out(named)))
                    if named.is_none_or(|named| named == *side) =>
                {
                    None
                }
                _ => continue,
            };
            self.script.here = here;
            self.script.stops.remove(0);
        }
        self.passed = self.ahead.events.len();
        Ok(())
    }

    /// The answer that the line gives here, or the default.
    fn answer(&mut self) -> Result<Order, Refusal> {
        let answers = travel::answers(&self.ahead.state);
        let default = answers.first().copied().unwrap_or(Order::End);
        let Some(run) = self.ahead.state.run else { return Ok(default) };
        let script = &mut self.script;
        let said = match default {
            Order::Take(_) => {
                let is_offered = |&jewel: &Jewel| answers.contains(&Order::Take(jewel));
                let place = script.takes.iter().position(is_offered);
                place.map(|place| Order::Take(script.takes.remove(place)))
            }
            Order::Go(_) => self.fork(&run, &answers)?,
            Order::Face(_) => script.face.map(Order::Face),
            Order::Drop(_) => script.pile.take().map(Order::Drop),
            Order::Cut(_) => script.pile.take().map(Order::Cut),
            Order::Pick { .. } => script.pick.take(),
            _ => None,
        };
        let Some(said) = said else {
            let remark = match default {
                Order::Take(jewel) => Some(("or-default-take", "jewel", jewel.term())),
                Order::Face(way) => Some(("or-default-face", "way", way.term())),
                _ => None,
            };
            self.reading.remarks.extend(remark.map(|(key, name, term)| {
                let cart = refuse::cart_name(&self.ahead.state, run.cart);
                Message::new(key).with("cart", cart).with(name, Arg::Term(term))
            }));
            return Ok(default);
        };
        if answers.contains(&said) {
            Ok(said)
        } else {
            Err(refuse::not_an_answer(self.began, &self.reading.orders, &answers))
        }
    }

    /// The direction at a junction that leads to the next place of the line. None if the line names
    /// no more places.
    fn fork(&mut self, run: &Run, answers: &[Order]) -> Result<Option<Order>, Refusal> {
        let state = &self.ahead.state;
        let Some(at) = state.cart(run.cart).square() else { return Ok(None) };
        let way = |answer: &Order| if let Order::Go(way) = *answer { Some(way) } else { None };
        let mut ways: Vec<Way> = answers.iter().filter_map(way).collect();
        let about = |key| {
            let cart = refuse::cart_name(state, run.cart);
            Message::new(key).with("cart", cart).with("square", at.to_string())
        };
        let remark = |key, way: Way| about(key).with("way", Arg::Term(way.term()));
        let stop = match self.script.stops.first() {
            None => {
                let straight = ways.first().map(|&way| remark("or-default-go", way));
                self.reading.remarks.extend(straight);
                return Ok(None);
            }
            Some(&Stop::By(way)) => {
                self.script.stops.remove(0);
                return Ok(Some(Order::Go(way)));
            }
            Some(&stop) => stop,
        };
        // A square that is next to the junction is preferred to a longer way to it.
        let is_next = |way: &Way| match (stop, state.board.step(at, *way)) {
            (Stop::At(square), Some(next)) => square == next,
            (Stop::Out(None), None) => self.script.here == Some(at),
            (Stop::Out(side), None) => side == Some(*way),
            _ => false,
        };
        ways.sort_by_key(|way| !is_next(way));
        let leads =
            |way: &&Way| leads_to(state, run.cart, (at, **way), run.left, &self.script.stops);
        let Some(&way) = ways.iter().find(leads) else {
            let answers = refuse::answers_said(self.began, &self.reading.orders, answers);
            return Err(Refusal::illegal(about("or-no-way").with("to", stop.told())).or(answers));
        };
        let is_out = |way: Way| state.board.step(at, way).is_none();
        let exits = ways.iter().filter(|&&way| is_out(way)).count();
        if stop == Stop::Out(None) && exits > 1 && is_out(way) {
            self.reading.remarks.push(remark("or-default-out", way));
        }
        Ok(Some(Order::Go(way)))
    }

    /// Remarks on the words of the line that had no effect. `wanted` are the jewels that it names.
    fn note_unasked(&mut self, wanted: Hoard) {
        let events = &self.ahead.events;
        let remarks = &mut self.reading.remarks;
        let took = |event: &Event| match event {
            Event::Took { jewel, .. } => Some(*jewel),
            _ => None,
        };
        let missing = wanted.minus(events.iter().filter_map(took).collect());
        remarks.extend(
            missing.kinds().map(|(jewel, _)| {
                Message::new("or-not-taken").with("jewel", Arg::Term(jewel.term()))
            }),
        );
        let faces = events.iter().rev().find_map(|event| match event {
            Event::Halted { facing, .. } => Some(*facing),
            _ => None,
        });
        let script = &self.script;
        let unasked = [
            script.face.filter(|&way| faces != Some(way)).map(|way| format!("face {}", way.name())),
            script.pile.map(|pile| format!("{} {}", script.pile_verb, pieces(pile))),
            script.pick.map(|pick| OffTheRails::write(self.began, &[pick])),
        ];
        let unasked = unasked.into_iter().flatten();
        remarks.extend(unasked.map(|words| Message::new("or-unasked").with("line", words)));
    }

    /// Refuses a line that names a place which the cart does not reach.
    fn missed(&self, stop: Stop) -> Refusal {
        let state = self.began;
        let Some(&Order::Move { cart }) = self.reading.orders.first() else {
            return refuse::not_an_answer(state, &[], &travel::answers(state));
        };
        let place = |event: &Event| match event {
            Event::Rolled { to, .. } => Some(to.to_string().into()),
            Event::Left { side, .. } => {
                Some(Message::new("or-way-out").with("side", Arg::Term(side.term())).into())
            }
            _ => None,
        };
        let way: Vec<Arg> = self.ahead.events.iter().filter_map(place).collect();
        let reason = Message::new("or-missed")
            .with("cart", refuse::cart_name(state, cart))
            .with("place", stop.told());
        Refusal::illegal(reason).or(if way.is_empty() {
            Message::new("or-way-none")
        } else {
            Message::new("or-way").with("squares", Arg::List(way))
        })
    }
}

/// Whether a cart that leaves a square this way can reach all these places in order.
fn leads_to(
    state: &State,
    cart: CartId,
    (from, way): (Square, Way),
    left: u8,
    stops: &[Stop],
) -> bool {
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
    // A loop may cross the square where the cart itself is now.
    let is_taken = state.cart_on(to).is_some_and(|other| other != cart);
    if left <= 1 || !is_open || is_taken {
        return rest.is_empty();
    }
    let leads = |next, rest| leads_to(state, cart, (to, next), left - 1, rest);
    match rest.split_first() {
        // The next junction turns this way.
        Some((Stop::By(turn), rest)) if state.track[to].is_junction() => leads(*turn, rest),
        _ => travel::ways_on(state.track[to], way).iter().any(|next| leads(next, rest)),
    }
}

/// A place that the line names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    At(Square),
    /// At the next junction, in this direction.
    By(Way),
    /// Out of the mine, over this side if one is named.
    Out(Option<Way>),
}

impl Stop {
    /// The place as players are told of it.
    fn told(self) -> Arg {
        match self {
            Self::At(square) => square.to_string().into(),
            Self::By(way) => Message::new("or-place-by").with("way", Arg::Term(way.term())).into(),
            Self::Out(None) => Message::new("or-place-out").into(),
            Self::Out(Some(side)) => {
                Message::new("or-place-side").with("side", Arg::Term(side.term())).into()
            }
        }
    }
}

/// Reads which of two hidden piles falls.
fn pick(word: &str) -> Option<Order> {
    match word {
        "first" | "one" | "1" => Some(Order::Pick { first: true }),
        "second" | "two" | "2" => Some(Order::Pick { first: false }),
        "any" | "either" => Some(Order::PickAny),
        _ => None,
    }
}

/// What the line of a move says.
#[derive(Clone, Debug, Default)]
struct Script {
    /// The places that the cart has not reached yet.
    stops: Vec<Stop>,
    /// The place that it reached last.
    here: Option<Square>,
    /// The jewels that it picks up if there is a choice.
    takes: Vec<Jewel>,
    /// The direction that it faces after the move.
    face: Option<Way>,
    /// The jewels that fall or form the first pile.
    pile: Option<Hoard>,
    /// The verb before these jewels: `drop` or `cut`.
    pile_verb: &'static str,
    /// Which pile falls.
    pick: Option<Order>,
}

/// Reads the words after the verb. The error names the first word that has no meaning there.
fn read_script(state: &State, verb: &str, words: &[&str]) -> Result<Script, Refusal> {
    let mut script = Script::default();
    let mut topic = verb;
    let mut count = None;
    for &word in words {
        let unknown = || unread(state, "or-unknown-word", word, "move");
        let is_of_jewels = matches!(topic, "take" | "drop" | "cut");
        let topics = ["take", "face", "drop", "cut", "pick", "go"];
        if count.is_none() && topics.contains(&word) {
            topic = word;
        } else if count.is_none() && matches!(word, "out" | "exit" | "off") {
            topic = "out";
            script.stops.push(Stop::Out(None));
        } else if let (true, None, Ok(number @ 1..=9)) = (is_of_jewels, count, word.parse::<u8>()) {
            count = Some(number);
        } else if is_of_jewels && let Some(jewel) = words::jewel(word) {
            let count = usize::from(count.take().unwrap_or(1));
            let jewels = std::iter::repeat_n(jewel, count);
            if topic == "take" {
                script.takes.extend(jewels);
            } else {
                script.pile = Some(script.pile.unwrap_or_default().plus(jewels.collect()));
                script.pile_verb = if topic == "cut" { "cut" } else { "drop" };
            }
        } else if count.is_some() {
            return Err(unknown());
        } else if topic != "pick" && word.chars().any(|c| c.is_ascii_digit()) {
            script.stops.push(Stop::At(words::square(state, word)?));
        } else {
            word_of(&mut script, topic, word).ok_or_else(unknown)?;
        }
    }
    match count {
        Some(count) => Err(unread(state, "or-unknown-word", &count.to_string(), "move")),
        None => Ok(script),
    }
}

/// Reads one word about the current topic. None if it has no meaning there.
fn word_of(script: &mut Script, topic: &str, word: &str) -> Option<()> {
    match topic {
        "take" | "drop" | "cut" => return None,
        "face" => script.face.replace(words::way(word)?).is_none().then_some(())?,
        "pick" => script.pick.replace(pick(word)?).is_none().then_some(())?,
        "out" => match script.stops.last_mut()? {
            Stop::Out(side @ None) => *side = Some(words::way(word)?),
            _ => return None,
        },
        _ => script.stops.push(Stop::By(words::way(word)?)),
    }
    Some(())
}
