//! What a letter may cost its writer without his having meant it: a cart of his own derails, or a
//! claim costs another one. He is asked before.
//!
//! It is judged in a world dealt anew for him, so that nothing is disclosed by asking.

use super::OffTheRails;
use super::close::is_still_claimable;
use super::event::{Event, Wreck};
use super::forms::GRAMMAR;
use super::grid::{Ends, Square, Way};
use super::mission::Mission;
use super::narrate;
use super::order::{CartId, Order};
use super::plan;
use super::refuse::{self, cart_name};
use super::state::{Place, State};
use super::travel;
use super::words;
use crate::rules::{
    Arg, Dice, Hidden, Message, OrderText, Refusal, RefusalKind, Rules, Seat, Viewer,
};

/// What the letter's first doubtful line, or what the lines leave unsaid, would cost.
pub fn doubt(state: &State, seat: Seat, lines: &[&str]) -> Option<(Option<usize>, Refusal)> {
    if travel::asked(state) == Some(seat)
        && let Some(beside) = beside(state, seat, lines)
    {
        return Some(beside);
    }
    if state.active() != Some(seat) {
        return None;
    }
    let mut walk = Walk::new(state, seat);
    let mut is_ever_named = false;
    let mut last: Option<Said> = None;
    for (place, line) in lines.iter().enumerate() {
        if place > 0 || travel::asked(state) != Some(seat) {
            // What the others are asked meanwhile, or before, costs the writer nothing.
            walk.settle(|asked| asked != seat || !plan::picks(line));
            if let Some(cost) = walk.cost_of_waiting(last.as_ref()) {
                return Some(cost);
            }
        }
        let orders = match OffTheRails::parse(&walk.state, seat, line) {
            Ok(reading) => reading.orders,
            Err(refusal) if refusal.kind == RefusalKind::Foreign => continue,
            // It is refused for that.
            Err(_) => return None,
        };
        let is_named = says_derail(line);
        is_ever_named |= is_named;
        let began = walk.state.clone();
        if let Some(refusal) = walk.cost(&orders, is_named)? {
            return Some((Some(place), refusal));
        }
        last = Some(Said { place, began, orders, is_named });
    }
    walk.settle(|_| true);
    if let Some(cost) = walk.cost_of_waiting(last.as_ref()) {
        return Some(cost);
    }
    if let Some(order) = OffTheRails::closing(&walk.state, seat) {
        return walk.cost(&[order], is_ever_named)?.map(|refusal| (None, refusal));
    }
    let (cart, at) = walk.blocked().filter(|_| !is_ever_named)?;
    let reason = Message::new("or-doubt-tile").with("cart", cart_name(state, cart));
    let refusal = Refusal::illegal(reason.with("square", at.to_string()));
    Some((lines.len().checked_sub(1), refusal.or(Message::new("or-doubt-tile-how"))))
}

/// A cut or a pick that a move waits for is not taken from a line about something else, though such
/// a line can be read: it would leave it to the default.
fn beside(state: &State, seat: Seat, lines: &[&str]) -> Option<(Option<usize>, Refusal)> {
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

/// Whether a cart of the seat derails by these orders and by what they leave unsaid of a move, or
/// has no other way left after them.
pub fn derails(state: &State, seat: Seat, orders: &[Order]) -> bool {
    // What only looks ahead, or answers somebody else, derails nothing.
    let is_of_carts = |order: &Order| {
        !matches!(
            order,
            Order::Wish(_)
                | Order::Speed { .. }
                | Order::Upgrade { .. }
                | Order::Cut(_)
                | Order::Stop
        )
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

fn says_derail(line: &str) -> bool {
    let small = words::small(line);
    words::words(&small).into_iter().any(words::means_derail)
}

/// A line of the letter that has been played.
struct Said {
    place: usize,
    /// Where it began.
    began: State,
    orders: Vec<Order>,
    /// Whether it says that a cart may derail.
    is_named: bool,
}

/// A cart that its owner's orders lose.
#[derive(Clone, Copy)]
struct Loss {
    cart: CartId,
    /// Whether it falls into the chasm.
    falls: bool,
    /// Why it derails.
    why: Option<Wreck>,
}

/// A letter, carried out in a world of its writer.
struct Walk {
    state: State,
    /// Where the letter began.
    before: State,
    seat: Seat,
    dice: Dice,
    loss: Option<Loss>,
    /// What is to be asked about a claim.
    claim: Option<Refusal>,
    /// Whether the turn is over.
    is_over: bool,
}

impl Walk {
    fn new(state: &State, seat: Seat) -> Self {
        let mut dice = plan::unused_dice();
        let state = OffTheRails::redeal(state, Viewer::Seat(seat), &mut dice);
        let before = state.clone();
        Self { state, before, seat, dice, loss: None, claim: None, is_over: false }
    }

    /// What a line costs: one question, or none; nothing where a rule forbids the line.
    fn cost(&mut self, orders: &[Order], is_named: bool) -> Option<Option<Refusal>> {
        let began = self.state.clone();
        if !orders.iter().all(|order| self.play(order)) {
            return None;
        }
        let loss = self.loss.take().filter(|_| !is_named);
        Some(loss.map(|loss| refuse_loss(&began, orders, loss)).or(self.claim.take()))
    }

    /// What the last line costs only once those who are asked have answered.
    fn cost_of_waiting(&mut self, last: Option<&Said>) -> Option<(Option<usize>, Refusal)> {
        let loss = self.loss.take()?;
        let last = last.filter(|last| !last.is_named)?;
        Some((Some(last.place), refuse_loss(&last.began, &last.orders, loss)))
    }

    fn play(&mut self, order: &Order) -> bool {
        // Carts that are on the board at the end derail by rule.
        self.is_over |= *order == Order::Stop;
        let mover = travel::asked(&self.state).unwrap_or(self.seat);
        // Of a cart that is to derail since the carts met it was asked then.
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

    /// Lets those be said their defaults who are asked and of whom this holds.
    fn settle(&mut self, is_said: impl Fn(Seat) -> bool) {
        while travel::asked(&self.state).is_some_and(&is_said) {
            let answer = travel::answers(&self.state).first().copied();
            if !answer.is_some_and(|answer| self.play(&answer)) {
                return;
            }
        }
    }

    fn note(&mut self, event: &Event) {
        let is_own = |cart| self.state.owner(cart) == self.seat && !self.is_over;
        match *event {
            // The rammed player may be asked for a cut before the cart derails.
            Event::Collided { cart, crash, .. } if is_own(cart) && crash.wrecks => {
                let is_said = !self.state.numbers.is_first_edition();
                let why = is_said.then_some(Wreck::Empty);
                self.loss.get_or_insert(Loss { cart, falls: false, why });
            }
            Event::Derailed { cart, why, .. } if is_own(cart) && why != Some(Wreck::Over) => {
                self.loss.get_or_insert(Loss { cart, falls: false, why });
            }
            // A cart falls as it moves, or because its square sinks.
            Event::Fell { cart }
                if is_own(cart) && self.state.run.is_some_and(|run| run.cart == cart) =>
            {
                self.loss.get_or_insert(Loss { cart, falls: true, why: None });
            }
            Event::Claimed { seat, mission } if seat == self.seat => {
                self.claim = cost_of_claim(&self.state, seat, mission);
            }
            Event::Deposited { .. }
            | Event::ChasmCard { .. }
            | Event::Collapsed
            | Event::Sank { .. }
            | Event::Discarded { .. }
            | Event::Revealed { .. }
            | Event::Reshuffled
            | Event::Turn { .. } => self.is_over = true,
            _ => {}
        }
    }

    /// A cart that can only derail since the letter began, and where.
    fn blocked(&self) -> Option<(CartId, Square)> {
        // More speed can be taken back.
        let is_laid = self.state.tiled != self.before.tiled && !self.is_over;
        let carts = self.state.carts_of(self.seat).filter(|_| is_laid);
        carts.filter(|&cart| !self.state.has_moved(cart)).find_map(|cart| {
            let Fate::Blocked(at) = fate(&self.state, cart) else { return None };
            let was_there = self.before.cart(cart).is_on_board();
            let is_new_tile = self.state.track[at] != self.before.track[at];
            let was_free = !matches!(fate(&self.before, cart), Fate::Blocked(_));
            (was_free && (was_there || is_new_tile)).then_some((cart, at))
        })
    }
}

/// What its owner is asked before a cart is lost.
fn refuse_loss(state: &State, orders: &[Order], loss: Loss) -> Refusal {
    let key = if loss.falls { "or-doubt-fall" } else { "or-doubt-derail" };
    let reason = Message::new(key).with("cart", cart_name(state, loss.cart));
    let line = OffTheRails::write(state, orders);
    Refusal::illegal(reason.with("why", narrate::wreck(loss.why)))
        .or(Message::new("or-lines").with("lines", vec![line]))
}

/// What is asked before a claim costs another that cannot be made later: nothing where the player
/// has said which of them goes first.
fn cost_of_claim(state: &State, seat: Seat, mission: Mission) -> Option<Refusal> {
    let open = state.stint.deeds.and(state.missions);
    let passes = |mission| !is_still_claimable(state, seat, mission);
    let lost: Vec<Mission> =
        open.iter().filter(|&other| other != mission && passes(other)).collect();
    let claims = &state.player(seat)?.claims;
    let is_ranked = |mission: &Mission| claims.contains(mission);
    let is_meant = is_ranked(&mission) && (passes(mission) || lost.iter().all(is_ranked));
    if lost.is_empty() || is_meant {
        return None;
    }
    let terms = |missions: &[Mission]| {
        Arg::List(missions.iter().map(|mission| Arg::Term(mission.term())).collect())
    };
    let reason = Message::new("or-doubt-claim")
        .with("mission", Arg::Term(mission.term()))
        .with("lost", terms(&lost));
    let names: Vec<&str> =
        std::iter::once(mission).chain(lost.iter().copied()).map(Mission::name).collect();
    let other = lost.iter().map(|mission| format!("claim {}", mission.name()));
    let lines: Vec<String> =
        std::iter::once(format!("claim {}", names.join(", "))).chain(other).collect();
    let offer = |line: String| Message::new("or-lines").with("lines", vec![line]);
    Some(lines.into_iter().map(offer).fold(Refusal::illegal(reason), Refusal::or))
}

/// What can become of a cart, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    /// A way lies open for the whole move, or up to a cart.
    Safe,
    /// Track can still be laid where it is missing.
    Open,
    /// Here it can only derail, or fall.
    Blocked(Square),
}

/// The best that can become of a cart by its next move.
fn fate(state: &State, cart: CartId) -> Fate {
    let shown = state.cart(cart);
    match (shown.place, travel::next_square(state, cart)) {
        (Place::Surface(_) | Place::Track(_), Some(to)) => {
            fate_on(state, cart, (to, shown.facing), shown.speed)
        }
        _ => Fate::Safe,
    }
}

fn fate_on(state: &State, cart: CartId, (to, way): (Square, Way), left: u8) -> Fate {
    let ends = state.track[to];
    if state.chasm().contains(to) || state.board.centres.contains(to) {
        Fate::Blocked(to)
    } else if state.cart_on(to).is_some_and(|other| other != cart) {
        Fate::Safe
    } else if ends == Ends::NONE {
        Fate::Open
    } else if !ends.has(way.opposite()) {
        Fate::Blocked(to)
    } else if left <= 1 {
        Fate::Safe
    } else {
        let on = |next| match state.board.step(to, next) {
            Some(square) => fate_on(state, cart, (square, next), left - 1),
            None => Fate::Safe,
        };
        travel::ways_on(ends, way).iter().map(on).min().unwrap_or(Fate::Safe)
    }
}
