//! The parser of a move's line: `move w C1 C2 D2 take diamond face east`.
//!
//! The parser carries out the line on a copy of the position. At each question to the cart's owner,
//! the line gives the answer. If the line has none, the default is used and a remark tells the
//! player.

use super::plan::throwaway_dice;
use super::refuse::refuse_unreadable;
use super::state::CurrentMove;
use super::{
    CartId, Direction, Event, Jewel, JewelCounts, Lookahead, OffTheRails, Order, Square, State,
    refuse, travel, word_parser,
};
use crate::rules::line_words::parse_first_word;
use crate::rules::{Arg, Message, OrderText, ParsedLine, Refusal, Seat};

/// Returns the jewels of a pile as the words of a line, such as `ruby ruby rock`.
pub fn jewel_words(hoard: JewelCounts) -> String {
    hoard.single_jewels().map(Jewel::name).collect::<Vec<_>>().join(" ")
}

/// Parses a line that moves one or more carts, or that answers the open question of a move.
///
/// # Errors
/// The refusal of a word that cannot be parsed, or of a place that the cart does not reach.
pub fn parse_move(
    state: &State,
    seat: Seat,
    verb: &str,
    words: &[&str],
) -> Result<ParsedLine<Order>, Refusal> {
    let is_asked = travel::asked_seat(state) == Some(seat);
    if state.current_move.is_some() && !is_asked {
        return Err(refuse::refuse_unasked_answer(state, verb));
    }
    if verb != "move" || state.current_move.is_some() {
        let script = parse_script(state, verb, words)?;
        if !is_asked {
            return Err(refuse::refuse_unasked_answer(state, verb));
        }
        return Ok(parse_cart_move(state, seat, None, script)?.0);
    }
    let (mut whole, mut ahead) = (ParsedLine::without_remarks(Vec::new()), state.clone());
    // Starts a new group of words at each cart. After the first word, a single letter is not a
    // cart, because it may be a direction.
    let is_of_leg =
        |word: &str| word.len() <= 1 || word_parser::parse_cart(state, seat, word).is_none();
    for words in words.chunk_by(|_, next| is_of_leg(next)) {
        if ahead.current_move.is_some() {
            return Err(Refusal::unreadable(Message::new("or-leg-waits")));
        }
        let (named, words) =
            parse_first_word(words, |word| word_parser::parse_cart(state, seat, word));
        let cart = named.or_else(|| ahead.unmoved_carts(seat).next());
        let cart = cart.or_else(|| ahead.carts_of(seat).next());
        let (reading, after) =
            parse_cart_move(&ahead, seat, cart, parse_script(&ahead, verb, words)?)?;
        whole.orders.extend(reading.orders);
        whole.remarks.extend(reading.remarks);
        ahead = after;
    }
    Ok(whole)
}

type CartMove = (ParsedLine<Order>, State);

/// Parses the move of one cart. The line may begin with the square where the cart is. If it names
/// no other square, it means a loop back to this square, if there is one.
fn parse_cart_move(
    state: &State,
    seat: Seat,
    cart: Option<CartId>,
    mut script: MoveScript,
) -> Result<CartMove, Refusal> {
    let start = cart.and_then(|cart| state.cart(cart).square());
    if start.is_some() && script.waypoints.first().copied() == start.map(Waypoint::At) {
        if script.waypoints.len() == 1
            && let Ok(leg) = try_script(state, seat, cart, script.clone())
        {
            return Ok(leg);
        }
        script.waypoints.remove(0);
        script.here = start;
    }
    try_script(state, seat, cart, script)
}

/// Carries out the line on a copy of the position and collects its orders. Fails if the cart misses
/// a place of the line.
fn try_script(
    state: &State,
    seat: Seat,
    cart: Option<CartId>,
    script: MoveScript,
) -> Result<CartMove, Refusal> {
    // Chance decides only which pile falls, and no order of the line depends on that.
    let mut dice = throwaway_dice();
    let wanted: JewelCounts = script.takes.iter().copied().collect();
    let (ahead, reading) =
        (Lookahead::new(state, &mut dice), ParsedLine::without_remarks(Vec::new()));
    let mut play = ScriptTrial { began: state, ahead, script, passed: 0, reading };
    if let Some(cart) = cart {
        play.play_order_and_pass_places(seat, Order::Move { cart })?;
    }
    while travel::asked_seat(&play.ahead.state) == Some(seat) {
        let answer = play.choose_answer()?;
        play.play_order_and_pass_places(seat, answer)?;
        if matches!(answer, Order::Cut(_)) {
            break;
        }
    }
    if let Some(&stop) = play.script.waypoints.first() {
        return Err(play.refuse_missed_place(stop));
    }
    play.remark_unused_words(wanted);
    Ok((play.reading, play.ahead.state))
}

/// A line that is being carried out on a copy of the position.
struct ScriptTrial<'a> {
    /// The position before the line.
    began: &'a State,
    ahead: Lookahead<'a>,
    /// The parts of the line that have not been used yet.
    script: MoveScript,
    /// The number of events that have been compared with the places of the line.
    passed: usize,
    reading: ParsedLine<Order>,
}

impl ScriptTrial<'_> {
    /// Carries out an order on a copy of the position. Removes the places that the cart reaches
    /// from the list of places that the player's line names.
    fn play_order_and_pass_places(&mut self, seat: Seat, order: Order) -> Result<(), Refusal> {
        self.ahead.decide_and_apply(seat, &order)?;
        self.reading.orders.push(order);
        for event in self.ahead.events.get(self.passed..).unwrap_or_default() {
            let here = match (event, self.script.waypoints.first()) {
                (
                    &(Event::Rolled { to: at, .. } | Event::Collided { at, .. }),
                    Some(&Waypoint::At(stop)),
                ) if stop == at => Some(at),
                (Event::Left { side, .. }, Some(Waypoint::Out(named)))
                    if named.is_none_or(|named| named == *side) =>
                {
                    None
                }
                _ => continue,
            };
            self.script.here = here;
            self.script.waypoints.remove(0);
        }
        self.passed = self.ahead.events.len();
        Ok(())
    }

    /// Returns the answer that the line gives to the current question, or the default.
    fn choose_answer(&mut self) -> Result<Order, Refusal> {
        let answers = travel::list_answers(&self.ahead.state);
        let default = answers.first().copied().unwrap_or(Order::EndTurn);
        let Some(run) = self.ahead.state.current_move else { return Ok(default) };
        let script = &mut self.script;
        let said = match default {
            Order::Take(_) => {
                let is_offered = |&jewel: &Jewel| answers.contains(&Order::Take(jewel));
                let place = script.takes.iter().position(is_offered);
                place.map(|place| Order::Take(script.takes.remove(place)))
            }
            Order::Go(_) => self.choose_direction(&run, &answers)?,
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
                let cart = refuse::cart_name_arg(&self.ahead.state, run.cart);
                Message::new(key).with("cart", cart).with(name, Arg::Term(term))
            }));
            return Ok(default);
        };
        if answers.contains(&said) {
            Ok(said)
        } else {
            Err(refuse::refuse_non_answer(self.began, &self.reading.orders, &answers))
        }
    }

    /// Returns the direction at a junction that leads to the next place of the line. Returns `None`
    /// if the line names no more places.
    fn choose_direction(
        &mut self,
        run: &CurrentMove,
        answers: &[Order],
    ) -> Result<Option<Order>, Refusal> {
        let state = &self.ahead.state;
        let Some(at) = state.cart(run.cart).square() else { return Ok(None) };
        let way = |answer: &Order| if let Order::Go(way) = *answer { Some(way) } else { None };
        let mut ways: Vec<Direction> = answers.iter().filter_map(way).collect();
        let about = |key| {
            let cart = refuse::cart_name_arg(state, run.cart);
            Message::new(key).with("cart", cart).with("square", at.to_string())
        };
        let remark = |key, way: Direction| about(key).with("way", Arg::Term(way.term()));
        let stop = match self.script.waypoints.first() {
            None => {
                let straight = ways.first().map(|&way| remark("or-default-go", way));
                self.reading.remarks.extend(straight);
                return Ok(None);
            }
            Some(&Waypoint::By(way)) => {
                self.script.waypoints.remove(0);
                return Ok(Some(Order::Go(way)));
            }
            Some(&stop) => stop,
        };
        // A square that is adjacent to the junction is preferred to a longer route to it.
        let is_next = |way: &Direction| match (stop, state.board.neighbour(at, *way)) {
            (Waypoint::At(square), Some(next)) => square == next,
            (Waypoint::Out(None), None) => self.script.here == Some(at),
            (Waypoint::Out(side), None) => side == Some(*way),
            _ => false,
        };
        ways.sort_by_key(|way| !is_next(way));
        let leads = |way: &&Direction| {
            can_reach(state, run.cart, (at, **way), run.steps_left, &self.script.waypoints)
        };
        let Some(&way) = ways.iter().find(leads) else {
            let answers = refuse::possible_answer_lines(self.began, &self.reading.orders, answers);
            return Err(Refusal::illegal(about("or-no-way").with("to", stop.to_arg()))
                .with_alternative(answers));
        };
        let is_out = |way: Direction| state.board.neighbour(at, way).is_none();
        let exits = ways.iter().filter(|&&way| is_out(way)).count();
        if stop == Waypoint::Out(None) && exits > 1 && is_out(way) {
            self.reading.remarks.push(remark("or-default-out", way));
        }
        Ok(Some(Order::Go(way)))
    }

    /// Adds remarks about words of the line that had no effect. `wanted` are the jewels that the
    /// line names.
    fn remark_unused_words(&mut self, wanted: JewelCounts) {
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
            script.pile.map(|pile| format!("{} {}", script.pile_verb, jewel_words(pile))),
            script.pick.map(|pick| OffTheRails::write_line(self.began, &[pick])),
        ];
        let unasked = unasked.into_iter().flatten();
        remarks.extend(unasked.map(|words| Message::new("or-unasked").with("line", words)));
    }

    /// Refuses a line that names a place which the cart does not reach. The refusal shows the route
    /// that the cart would take.
    fn refuse_missed_place(&self, stop: Waypoint) -> Refusal {
        let state = self.began;
        let Some(&Order::Move { cart }) = self.reading.orders.first() else {
            return refuse::refuse_non_answer(state, &[], &travel::list_answers(state));
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
            .with("cart", refuse::cart_name_arg(state, cart))
            .with("place", stop.to_arg());
        Refusal::illegal(reason).with_alternative(if way.is_empty() {
            Message::new("or-way-none")
        } else {
            Message::new("or-way").with("squares", Arg::List(way))
        })
    }
}

/// Whether a cart that leaves the square `from` in the direction `way` can pass all of these places
/// in order, within `left` steps.
fn can_reach(
    state: &State,
    cart: CartId,
    (from, way): (Square, Direction),
    left: u8,
    stops: &[Waypoint],
) -> bool {
    let Some(to) = state.board.neighbour(from, way) else {
        return match stops {
            [] | [Waypoint::Out(None)] => true,
            [Waypoint::Out(Some(side))] => *side == way,
            _ => false,
        };
    };
    let rest = match stops.split_first() {
        Some((Waypoint::At(square), rest)) if *square == to => rest,
        _ => stops,
    };
    let is_open = state.track[to].has(way.opposite());
    // A loop may cross the square where the cart itself is now.
    let is_taken = state.cart_on(to).is_some_and(|other| other != cart);
    if left <= 1 || !is_open || is_taken {
        return rest.is_empty();
    }
    let leads = |next, rest| can_reach(state, cart, (to, next), left - 1, rest);
    match rest.split_first() {
        // The cart must turn this way at the next junction.
        Some((Waypoint::By(turn), rest)) if state.track[to].is_junction() => leads(*turn, rest),
        _ => travel::openings_without_entry(state.track[to], way)
            .iter()
            .any(|next| leads(next, rest)),
    }
}

/// A place that a move's line names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waypoint {
    At(Square),
    /// The next junction, where the cart turns in this direction.
    By(Direction),
    /// The exit from the mine, over this side if one is named.
    Out(Option<Direction>),
}

impl Waypoint {
    /// Returns the place as an argument of a message.
    fn to_arg(self) -> Arg {
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

/// Parses the pile that falls of two hidden piles.
fn parse_pile_pick(word: &str) -> Option<Order> {
    match word {
        "first" | "one" | "1" => Some(Order::Pick { first: true }),
        "second" | "two" | "2" => Some(Order::Pick { first: false }),
        "any" | "either" => Some(Order::PickAny),
        _ => None,
    }
}

/// The words of a move's line, sorted by their meaning. Parts are removed once they are used.
#[derive(Clone, Debug, Default)]
struct MoveScript {
    /// The places that the cart has not reached yet.
    waypoints: Vec<Waypoint>,
    /// The square that the cart reached last.
    here: Option<Square>,
    takes: Vec<Jewel>,
    face: Option<Direction>,
    /// The jewels that fall, or that form the first pile.
    pile: Option<JewelCounts>,
    /// The verb before these jewels: `drop` or `cut`.
    pile_verb: &'static str,
    /// The order that picks one of two hidden piles.
    pick: Option<Order>,
}

/// Parses the words behind the verb. The error names the first word that has no meaning there.
fn parse_script(state: &State, verb: &str, words: &[&str]) -> Result<MoveScript, Refusal> {
    let mut script = MoveScript::default();
    let mut topic = verb;
    let mut count = None;
    for &word in words {
        let unknown = || refuse_unreadable(state, "or-unknown-word", word, "move");
        let is_of_jewels = matches!(topic, "take" | "drop" | "cut");
        let topics = ["take", "face", "drop", "cut", "pick", "go"];
        if count.is_none() && topics.contains(&word) {
            topic = word;
        } else if count.is_none() && matches!(word, "out" | "exit" | "off") {
            topic = "out";
            script.waypoints.push(Waypoint::Out(None));
        } else if let (true, None, Ok(number @ 1..=9)) = (is_of_jewels, count, word.parse::<u8>()) {
            count = Some(number);
        } else if is_of_jewels && let Some(jewel) = word_parser::parse_jewel(word) {
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
            script.waypoints.push(Waypoint::At(word_parser::parse_square(state, word)?));
        } else {
            parse_topic_word(&mut script, topic, word).ok_or_else(unknown)?;
        }
    }
    match count {
        Some(count) => Err(refuse_unreadable(state, "or-unknown-word", &count.to_string(), "move")),
        None => Ok(script),
    }
}

/// Parses one word about the current topic, such as `face`. Returns `None` if the word has no
/// meaning there.
fn parse_topic_word(script: &mut MoveScript, topic: &str, word: &str) -> Option<()> {
    match topic {
        "take" | "drop" | "cut" => return None,
        "face" => {
            script.face.replace(word_parser::parse_direction(word)?).is_none().then_some(())?;
        }
        "pick" => script.pick.replace(parse_pile_pick(word)?).is_none().then_some(())?,
        "out" => match script.waypoints.last_mut()? {
            Waypoint::Out(side @ None) => *side = Some(word_parser::parse_direction(word)?),
            _ => return None,
        },
        _ => script.waypoints.push(Waypoint::By(word_parser::parse_direction(word)?)),
    }
    Some(())
}
