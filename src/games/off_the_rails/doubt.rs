//! Questions before a letter is carried out that may cost its writer something by mistake: a cart
//! of the writer derails, or one claim costs another.
//!
//! The letter is tried in a consistent hidden state that is dealt for the writer, so the question
//! discloses nothing.

use super::close::is_still_claimable;
use super::forms::GRAMMAR;
use super::refuse::cart_name;
use super::{
    CartId, Ends, Event, Mission, OffTheRails, Order, Square, State, Way, Wreck, narrate, plan,
    refuse, require, travel, words,
};
use crate::rules::{
    Arg, Dice, Hidden, Message, OrderText, Refusal, RefusalKind, Rules, Seat, Viewer,
};

/// A question to the writer of a letter, and the line that it is about. None if it is about what
/// the letter does not say.
type Question = (Option<usize>, Refusal);

/// The error stops the letter: with a question, or with none if a rule forbids a line.
type Checked = Result<(), Option<Question>>;

/// Returns the question about the first doubtful line of a letter, or about what it does not say.
pub fn doubt(state: &State, seat: Seat, lines: &[&str]) -> Option<Question> {
    carry_out(state, seat, lines).err().flatten()
}

fn carry_out(state: &State, seat: Seat, lines: &[&str]) -> Checked {
    let is_asked = travel::asked(state) == Some(seat);
    if is_asked && let Some(beside) = beside(state, seat, lines) {
        return Err(Some(beside));
    }
    if state.active() != Some(seat) {
        return Ok(());
    }
    let mut walk = Walk::new(state, seat);
    let mut is_ever_named = false;
    for (place, line) in lines.iter().enumerate() {
        if place > 0 || !is_asked {
            // The defaults of other seats, which are asked in between, cost the writer nothing.
            walk.settle(|asked| asked != seat || !plan::picks(line));
            walk.check()?;
        }
        let orders = match OffTheRails::parse(&walk.state, seat, line) {
            Ok(reading) => reading.orders,
            Err(refusal) if refusal.kind == RefusalKind::Foreign => continue,
            Err(_) => return Err(None),
        };
        let small = words::small(line);
        let is_named = words::words(&small).into_iter().any(words::means_derail);
        is_ever_named |= is_named;
        walk.say(Some(place), orders, is_named)?;
    }
    walk.settle(|_| true);
    walk.check()?;
    if let Some(order) = OffTheRails::closing(&walk.state, seat) {
        return walk.say(None, vec![order], is_ever_named);
    }
    let Some((cart, at)) = walk.blocked().filter(|_| !is_ever_named) else { return Ok(()) };
    let reason = Message::new("or-doubt-tile").with("cart", cart_name(state, cart));
    let refusal = Refusal::illegal(reason.with("square", at.to_string()));
    Err(Some((lines.len().checked_sub(1), refusal.or(Message::new("or-doubt-tile-how")))))
}

/// Refuses a line about something else if a move waits for a cut or a pick. Such a line would
/// answer with the default.
fn beside(state: &State, seat: Seat, lines: &[&str]) -> Option<Question> {
    let answers = travel::answers(state);
    let verbs: &[&str] = match answers.first()? {
        Order::Cut(_) => &["cut", "drop"],
        Order::Pick { .. } => &["pick"],
        _ => return None,
    };
    let is_order = |line: &&str| OffTheRails::parse(state, seat, line).is_ok();
    let place = lines.iter().position(is_order)?;
    let small = words::small(lines.get(place)?);
    let verb = words::words(&small).into_iter().find_map(|word| GRAMMAR.verb(word));
    let is_beside = verb.is_none_or(|verb| !verbs.contains(&verb));
    is_beside.then(|| (Some(place), refuse::not_an_answer(state, &[], &answers)))
}

/// Whether a cart of the seat derails by these orders and the defaults that follow, or can only
/// derail after them.
pub fn derails(state: &State, seat: Seat, orders: &[Order]) -> bool {
    // Most orders cannot derail a cart, and to play them in a copy of the game takes long.
    let is_of_carts = |order: &Order| {
        use Order::{Cut, Speed, Stop, Upgrade, Wish};
        !matches!(order, Wish(_) | Speed { .. } | Upgrade { .. } | Cut(_) | Stop)
    };
    let enters = orders.iter().any(|order| matches!(order, Order::Enter { .. }));
    let has_cart = state.has_cart(seat) || enters;
    if state.active() != Some(seat) || !has_cart || !orders.iter().any(is_of_carts) {
        return false;
    }
    let mut walk = Walk::new(state, seat);
    if !orders.iter().all(|order| walk.play(order)) {
        return false;
    }
    walk.settle(|_| true);
    walk.loss.is_some() || walk.blocked().is_some()
}

/// A line of the letter that has been played.
struct Said {
    /// The index of the line. None for what the letter does not say.
    place: Option<usize>,
    /// The position before it.
    began: State,
    orders: Vec<Order>,
    /// Whether it says that a cart may derail.
    is_named: bool,
}

/// A letter that is tried out.
struct Walk {
    state: State,
    seat: Seat,
    dice: Dice,
    /// The position before the letter.
    before: State,
    /// The last line. At first it is empty.
    said: Said,
    /// The first cart that the last line loses, and the question about that.
    loss: Option<(CartId, Message)>,
    /// The question about a claim.
    claim: Option<Refusal>,
    /// Whether the turn is over.
    is_over: bool,
}

impl Walk {
    fn new(state: &State, seat: Seat) -> Self {
        let mut dice = plan::unused_dice();
        let state = OffTheRails::redeal(state, Viewer::Seat(seat), &mut dice);
        let before = state.clone();
        let said = Said { place: None, began: state.clone(), orders: Vec::new(), is_named: true };
        Self { state, seat, dice, before, said, loss: None, claim: None, is_over: false }
    }

    /// Carries out a line.
    fn say(&mut self, place: Option<usize>, orders: Vec<Order>, is_named: bool) -> Checked {
        let began = self.state.clone();
        require(orders.iter().all(|order| self.play(order)), None)?;
        self.said = Said { place, began, orders, is_named };
        self.check()
    }

    /// Stops with the question about the last line, if it or an answer since then costs something.
    fn check(&mut self) -> Checked {
        let said = &self.said;
        let loss = self.loss.take().filter(|_| !said.is_named).map(|(cart, question)| {
            let line = OffTheRails::write(&said.began, &said.orders);
            Refusal::illegal(question.with("cart", cart_name(&said.began, cart)))
                .or(Message::new("or-lines").with("lines", vec![line]))
        });
        match loss.or(self.claim.take()) {
            Some(refusal) => Err(Some((said.place, refusal))),
            None => Ok(()),
        }
    }

    fn play(&mut self, order: &Order) -> bool {
        let mover = travel::asked(&self.state).unwrap_or(self.seat);
        // A cart that derails after a collision was asked about at the collision.
        let run = self.state.run.filter(|run| run.crash.is_some_and(|crash| crash.wrecks));
        let doomed = run.map(|run| run.cart);
        let is_doomed =
            |event: &Event| matches!(event, Event::Derailed { cart, .. } if Some(*cart) == doomed);
        let events = OffTheRails::decide(&self.state, mover, order, &mut self.dice);
        for event in events.iter().flatten() {
            if !is_doomed(event) {
                self.note(event);
            }
            self.state.apply(event);
        }
        events.is_ok()
    }

    /// Gives the default answers of the seats for which `is_said` holds. Claims that follow from
    /// these answers are not asked about.
    fn settle(&mut self, is_said: impl Fn(Seat) -> bool) {
        while travel::asked(&self.state).is_some_and(&is_said) {
            let answer = travel::answers(&self.state).first().copied();
            if !answer.is_some_and(|answer| self.play(&answer)) {
                break;
            }
        }
        self.claim = None;
    }

    fn note(&mut self, event: &Event) {
        let (state, is_over) = (&self.state, self.is_over);
        let is_own = |cart| state.owner(cart) == self.seat && !is_over;
        let derails =
            |cart, why| (cart, Message::new("or-doubt-derail").with("why", narrate::wreck(why)));
        let loss = match *event {
            // The rammed player may be asked for a cut before the cart derails.
            Event::Collided { cart, crash, .. } if crash.wrecks => {
                Some(derails(cart, (!state.numbers.is_first_edition()).then_some(Wreck::Empty)))
            }
            // Without a move, a cart derails because the game ends.
            Event::Derailed { cart, why, .. } if state.run.is_some() => Some(derails(cart, why)),
            // A cart that does not move falls because its square sinks.
            Event::Fell { cart } if state.run.is_some_and(|run| run.cart == cart) => {
                Some((cart, Message::new("or-doubt-fall").with("why", narrate::wreck(None))))
            }
            _ => None,
        };
        self.loss = self.loss.take().or(loss.filter(|&(cart, _)| is_own(cart)));
        match *event {
            Event::Claimed { seat, mission } if seat == self.seat => {
                self.claim = cost_of_claim(&self.state, seat, mission);
            }
            Event::Turn { .. } | Event::Ended { .. } => self.is_over = true,
            _ => {}
        }
    }

    /// A cart that can only derail because of the tiles that the letter lays, and the square where.
    fn blocked(&self) -> Option<(CartId, Square)> {
        // A change of speed can be taken back, so it needs no question.
        let is_laid = self.state.tiled != self.before.tiled && !self.is_over;
        let carts = self.state.carts_of(self.seat).filter(|_| is_laid);
        carts.filter(|&cart| !self.state.has_moved(cart)).find_map(|cart| {
            let at = dead_end(&self.state, cart)?;
            let was_there = self.before.cart(cart).is_on_board();
            let is_new_tile = self.state.track[at] != self.before.track[at];
            let was_free = dead_end(&self.before, cart).is_none();
            (was_free && (was_there || is_new_tile)).then_some((cart, at))
        })
    }
}

/// The question before a claim that prevents another one, which cannot be made later. None if the
/// player has ranked them.
fn cost_of_claim(state: &State, seat: Seat, mission: Mission) -> Option<Refusal> {
    let open = state.stint.deeds.and(state.missions);
    let passes = |mission: &Mission| !is_still_claimable(state, seat, *mission);
    let lost: Vec<Mission> = open.iter().filter(|one| *one != mission && passes(one)).collect();
    let claims = &state.player(seat)?.claims;
    let is_ranked = |mission: &Mission| claims.contains(mission);
    let is_meant = is_ranked(&mission) && (passes(&mission) || lost.iter().all(is_ranked));
    if lost.is_empty() || is_meant {
        return None;
    }
    let terms = lost.iter().map(|mission| Arg::Term(mission.term())).collect();
    let reason = Message::new("or-doubt-claim")
        .with("mission", Arg::Term(mission.term()))
        .with("lost", Arg::List(terms));
    // Offers this claim before the others, or each of the others instead.
    let others: Vec<&str> = lost.into_iter().map(Mission::name).collect();
    let all = [&[mission.name()], others.as_slice()].concat().join(", ");
    let lines = std::iter::once(all.as_str()).chain(others);
    let offer = |names| Message::new("or-lines").with("lines", vec![format!("claim {names}")]);
    Some(lines.map(offer).fold(Refusal::illegal(reason), Refusal::or))
}

/// The square where a cart must derail or fall in its next move. None if some way is open for the
/// whole move, leads to another cart, or can still be laid.
fn dead_end(state: &State, cart: CartId) -> Option<Square> {
    let to = travel::next_square(state, cart)?;
    let shown = state.cart(cart);
    dead_end_from(state, cart, (to, shown.facing), shown.speed)
}

fn dead_end_from(
    state: &State,
    cart: CartId,
    (to, way): (Square, Way),
    left: u8,
) -> Option<Square> {
    let ends = state.track[to];
    if state.chasm().contains(to) || state.board.centres.contains(to) {
        return Some(to);
    }
    if ends == Ends::NONE || state.cart_on(to).is_some_and(|other| other != cart) {
        return None;
    }
    if !ends.has(way.opposite()) {
        return Some(to);
    }
    if left <= 1 {
        return None;
    }
    let on = |next| dead_end_from(state, cart, (state.board.step(to, next)?, next), left - 1);
    travel::ways_on(ends, way).iter().map(on).min()?
}
