//! Reads the line of a move: `move w C1 C2 D2 take diamond face east`.
//!
//! The line is played ahead. Wherever the cart's owner has something to say, the line is asked;
//! where it is silent, the default holds and the player is told so.

use super::plan::unused_dice;
use super::refuse::unread;
use super::state::Run;
use super::{
    Ahead, CartId, Event, Hoard, Jewel, OffTheRails, Order, Square, State, Way, refuse, travel,
    words,
};
use crate::rules::words::first;
use crate::rules::{Arg, Message, OrderText, Reading, Refusal, Seat};

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
    // Each cart with the words up to the next one. After the first word, a letter alone is no cart:
    // it may be a way.
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

/// The move of one cart, as far as the line goes, and the position after it.
type Leg = (Reading<Order>, State);

/// The square where the cart stands may be named first. Alone it is a loop that comes back to it,
/// where there is one.
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

/// Plays the line ahead and writes down what it says at each question.
fn play(state: &State, seat: Seat, cart: Option<CartId>, script: Script) -> Result<Leg, Refusal> {
    // Which pile falls is no question to the one who moves, so these dice decide nothing.
    let mut dice = unused_dice();
    let wanted = script.takes.clone();
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
    play.note_unasked(&wanted);
    Ok((play.reading, play.ahead.state))
}

/// A line, being played.
struct Play<'a> {
    /// The position before the line.
    began: &'a State,
    ahead: Ahead<'a>,
    /// What the line has not said yet.
    script: Script,
    /// How many events the places of the line have been compared with.
    passed: usize,
    reading: Reading<Order>,
}

impl Play<'_> {
    /// Carries out an order, and strikes off the places that the cart comes to by it.
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

    /// What the line says here, or the default.
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

    /// The way on at a junction that leads to the next place of the line; none when the line is
    /// silent.
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
        // Who names every square means the next one, even where a longer way comes to it too.
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

    /// Notes what of the line nothing on the way asked for. The line wanted to take these jewels.
    fn note_unasked(&mut self, wanted: &[Jewel]) {
        let events = &self.ahead.events;
        let remarks = &mut self.reading.remarks;
        for jewel in Jewel::ALL {
            let is_took =
                |event: &&Event| matches!(event, Event::Took { jewel: it, .. } if *it == jewel);
            let taken = events.iter().filter(is_took).count();
            if wanted.iter().filter(|&&it| it == jewel).count() > taken {
                remarks.push(Message::new("or-not-taken").with("jewel", Arg::Term(jewel.term())));
            }
        }
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

    /// The line names a place that the cart does not come to.
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

/// Whether the way of a cart from this square can come to all these places.
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
    // A loop may lead over the square where the cart itself is now.
    let is_taken = state.cart_on(to).is_some_and(|other| other != cart);
    if left <= 1 || !is_open || is_taken {
        return rest.is_empty();
    }
    let leads = |next, rest| leads_to(state, cart, (to, next), left - 1, rest);
    match rest.split_first() {
        // What comes after the next junction is looked at there.
        Some((Stop::By(turn), rest)) if state.track[to].is_junction() => leads(*turn, rest),
        _ => travel::ways_on(state.track[to], way).iter().any(|next| leads(next, rest)),
    }
}

/// A place that the line names on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    At(Square),
    /// At the next junction, this way.
    By(Way),
    /// Out of the mine, over this side where one is named.
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
    /// The places that the cart has not come to yet.
    stops: Vec<Stop>,
    /// The place that it came to last.
    here: Option<Square>,
    /// What it picks up where there is a choice.
    takes: Vec<Jewel>,
    /// Where it faces when it has stopped.
    face: Option<Way>,
    /// What falls, or lies in the first pile.
    pile: Option<Hoard>,
    /// The word that the line says before it.
    pile_verb: &'static str,
    /// Which pile falls.
    pick: Option<Order>,
}

/// Reads what a line says behind its verb. An error names the first word that says nothing there.
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

/// Takes a word for what the words before it speak of; none where it says nothing there.
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
