//! Questions before a letter is carried out that may cost its author something by mistake. Either a
//! cart of the author derails, or the claim of one mission costs another.
//!
//! The letter is tried out in a determinization for its author, so the question discloses nothing.

use super::forms::GRAMMAR;
use super::refuse::cart_name_arg;
use super::turn_end::is_claimable_later;
use super::{
    CartId, DerailReason, Direction, Event, Mission, OffTheRails, Order, Square, State,
    TileOpenings, narrate, plan, refuse, require, travel, word_parser,
};
use crate::rules::{
    Arg, Dice, HiddenInfo, Message, OrderText, Refusal, RefusalKind, Rules, Seat, Viewer,
};

/// A question to the author of a letter, and the index of the line that it is about. The index is
/// `None` if the question is about a default that the letter leaves open.
type Question = (Option<usize>, Refusal);

/// The result of a check. An error stops the check: with a question to the author, or with `None`
/// if a rule forbids a line.
type CheckResult = Result<(), Option<Question>>;

/// Returns the question about the first doubtful line of a letter, or about the defaults that
/// follow it. Returns `None` if the letter needs no confirmation.
///
/// If one word confirms the letter, the refusal has the letter with that word as lines to send.
pub fn find_question(state: &State, seat: Seat, lines: &[&str]) -> Option<Question> {
    let (place, refusal) = check_letter_for_losses(state, seat, lines).err().flatten()?;
    let confirmed_place = place.or(lines.len().checked_sub(1));
    let confirm = |(at, line): (usize, &&str)| {
        if Some(at) == confirmed_place { format!("{line} derail") } else { (*line).to_owned() }
    };
    let confirmed: Vec<String> = lines.iter().enumerate().map(confirm).collect();
    let confirmed: Vec<&str> = confirmed.iter().map(String::as_str).collect();
    let is_confirmed = check_letter_for_losses(state, seat, &confirmed).is_ok();
    let lines_to_send = if is_confirmed { confirmed } else { Vec::new() };
    Some((place, refusal.with_lines_to_send(lines_to_send)))
}

fn check_letter_for_losses(state: &State, seat: Seat, lines: &[&str]) -> CheckResult {
    let is_asked = travel::asked_seat(state) == Some(seat);
    if is_asked && let Some(beside) = refuse_unrelated_order(state, seat, lines) {
        return Err(Some(beside));
    }
    if state.active_seat() != Some(seat) {
        return Ok(());
    }
    let mut walk = LetterTrial::new(state, seat);
    let mut is_ever_named = false;
    for (place, line) in lines.iter().enumerate() {
        if place > 0 || !is_asked {
            // Other seats may be asked in between. Their defaults are used here, because they cost
            // the author nothing.
            walk.answer_by_default(|asked| asked != seat || !plan::is_pile_pick_line(line));
            walk.question_about_loss()?;
        }
        let orders = match OffTheRails::parse_line(&walk.state, seat, line) {
            Ok(reading) => reading.orders,
            Err(refusal) if refusal.kind == RefusalKind::NotAnOrder => continue,
            Err(_) => return Err(None),
        };
        let small = word_parser::normalize_line(line);
        let is_named =
            word_parser::split_words(&small).into_iter().any(word_parser::confirms_derailment);
        is_ever_named |= is_named;
        walk.play_line(Some(place), &orders, is_named)?;
    }
    walk.answer_by_default(|_| true);
    walk.question_about_loss()?;
    if let Some(order) = OffTheRails::implied_final_order(&walk.state, seat) {
        return walk.play_line(None, &[order], is_ever_named);
    }
    let Some((cart, at)) = walk.find_blocked_cart().filter(|_| !is_ever_named) else {
        return Ok(());
    };
    let reason = Message::new("or-doubt-tile").with("cart", cart_name_arg(state, cart));
    let refusal = Refusal::illegal(reason.with("square", at.to_string()));
    Err(Some((
        lines.len().checked_sub(1),
        refusal.with_alternative(Message::new("or-doubt-tile-how")),
    )))
}

/// Returns a refusal of the first order if a move waits for a cut or a pick and this order is about
/// something else. Carrying it out would answer the question with the default.
fn refuse_unrelated_order(state: &State, seat: Seat, lines: &[&str]) -> Option<Question> {
    let answers = travel::list_answers(state);
    let verbs: &[&str] = match answers.first()? {
        Order::Cut(_) => &["cut", "drop"],
        Order::Pick { .. } => &["pick"],
        _ => return None,
    };
    let is_order = |line: &&str| OffTheRails::parse_line(state, seat, line).is_ok();
    let place = lines.iter().position(is_order)?;
    let small = word_parser::normalize_line(lines.get(place)?);
    let verb =
        word_parser::split_words(&small).into_iter().find_map(|word| GRAMMAR.expand_verb(word));
    let is_beside = verb.is_none_or(|verb| !verbs.contains(&verb));
    is_beside.then(|| (Some(place), refuse::refuse_non_answer(state, &[], &answers)))
}

/// Whether a cart of the seat derails by these orders and the defaults that follow. Also returns
/// `true` if the cart can only derail in a later move of the turn.
pub fn would_derail(state: &State, seat: Seat, orders: &[Order]) -> bool {
    // Most orders cannot derail a cart. They are excluded first, because the trial on a copy of the
    // game is slow.
    let is_of_carts = |order: &Order| {
        use Order::{Cut, Speed, StopGame, Upgrade, Wish};
        !matches!(order, Wish(_) | Speed { .. } | Upgrade { .. } | Cut(_) | StopGame)
    };
    let enters = orders.iter().any(|order| matches!(order, Order::Enter { .. }));
    let has_cart = state.has_cart_on_board(seat) || enters;
    if state.active_seat() != Some(seat) || !has_cart || !orders.iter().any(is_of_carts) {
        return false;
    }
    let mut walk = LetterTrial::new(state, seat);
    if !orders.iter().all(|order| walk.play_order(order)) {
        return false;
    }
    walk.answer_by_default(|_| true);
    walk.loss.is_some() || walk.find_blocked_cart().is_some()
}

/// A line of the letter that has been tried out.
struct PlayedLine {
    /// The index of the line. `None` for the defaults behind the last line.
    place: Option<usize>,
    /// The position before the line.
    position_before: State,
    /// Whether the line contains the word `derail`.
    names_derail: bool,
}

/// A letter that is being tried out on a copy of the position.
struct LetterTrial {
    state: State,
    seat: Seat,
    dice: Dice,
    /// The position before the letter.
    before: State,
    /// The line that was tried out last. At first it is empty.
    last_line: PlayedLine,
    /// The first cart that the last line loses, and the question about it.
    loss: Option<(CartId, Message)>,
    /// The question about a claim.
    claim: Option<Refusal>,
    /// Whether the turn of the author is over.
    is_over: bool,
}

impl LetterTrial {
    fn new(state: &State, seat: Seat) -> Self {
        let mut dice = plan::throwaway_dice();
        let state = OffTheRails::redeal(state, Viewer::Seat(seat), &mut dice);
        let before = state.clone();
        let said = PlayedLine { place: None, position_before: state.clone(), names_derail: true };
        Self { state, seat, dice, before, last_line: said, loss: None, claim: None, is_over: false }
    }

    /// Carries out the orders of a line on the copy.
    fn play_line(&mut self, place: Option<usize>, orders: &[Order], is_named: bool) -> CheckResult {
        let began = self.state.clone();
        require(orders.iter().all(|order| self.play_order(order)), None)?;
        self.last_line = PlayedLine { place, position_before: began, names_derail: is_named };
        self.question_about_loss()
    }

    /// Returns the question about the last line as an error, if the line or an answer since then
    /// costs the author something.
    fn question_about_loss(&mut self) -> CheckResult {
        let said = &self.last_line;
        let loss = self.loss.take().filter(|_| !said.names_derail).map(|(cart, question)| {
            Refusal::illegal(question.with("cart", cart_name_arg(&said.position_before, cart)))
        });
        match loss.or(self.claim.take()) {
            Some(refusal) => Err(Some((said.place, refusal))),
            None => Ok(()),
        }
    }

    fn play_order(&mut self, order: &Order) -> bool {
        let mover = travel::asked_seat(&self.state).unwrap_or(self.seat);
        // The cart that derails after this collision was already asked about when the collision
        // happened.
        let run = self.state.current_move.filter(|run| run.crash.is_some_and(|crash| crash.wrecks));
        let doomed = run.map(|run| run.cart);
        let is_doomed =
            |event: &Event| matches!(event, Event::Derailed { cart, .. } if Some(*cart) == doomed);
        let events = OffTheRails::decide(&self.state, mover, order, &mut self.dice);
        for event in events.iter().flatten() {
            if !is_doomed(event) {
                self.note_loss_in_event(event);
            }
            self.state.apply(event);
        }
        events.is_ok()
    }

    /// Answers open questions by default as long as `is_said` holds for the seat that is asked.
    /// Claims that follow from these answers need no question.
    fn answer_by_default(&mut self, is_said: impl Fn(Seat) -> bool) {
        while travel::asked_seat(&self.state).is_some_and(&is_said) {
            let answer = travel::list_answers(&self.state).first().copied();
            if !answer.is_some_and(|answer| self.play_order(&answer)) {
                break;
            }
        }
        self.claim = None;
    }

    fn note_loss_in_event(&mut self, event: &Event) {
        let (state, is_over) = (&self.state, self.is_over);
        let is_own = |cart| state.owner(cart) == self.seat && !is_over;
        let derails = |cart, why| {
            (cart, Message::new("or-doubt-derail").with("why", narrate::explain_derailment(why)))
        };
        let loss = match *event {
            // The question is asked at the collision, because the rammed player may have to cut the
            // jewels before the cart derails.
            Event::Collided { cart, crash, .. } if crash.wrecks => Some(derails(
                cart,
                (!state.numbers.is_first_edition()).then_some(DerailReason::Empty),
            )),
            // Outside of a move, a cart derails only because the game ends.
            Event::Derailed { cart, why, .. } if state.current_move.is_some() => {
                Some(derails(cart, why))
            }
            // A cart that is not moving falls only because its square collapsed.
            Event::Fell { cart } if state.current_move.is_some_and(|run| run.cart == cart) => {
                Some((
                    cart,
                    Message::new("or-doubt-fall").with("why", narrate::explain_derailment(None)),
                ))
            }
            _ => None,
        };
        self.loss = self.loss.take().or(loss.filter(|&(cart, _)| is_own(cart)));
        match *event {
            Event::Claimed { seat, mission } if seat == self.seat => {
                self.claim = find_claim_question(&self.state, seat, mission);
            }
            Event::Turn { .. } | Event::Ended { .. } => self.is_over = true,
            _ => {}
        }
    }

    /// Returns a cart that can only derail because of tiles that the letter lays, and the square
    /// where it derails.
    fn find_blocked_cart(&self) -> Option<(CartId, Square)> {
        // A change of speed can be taken back by another action, so it needs no question.
        let is_laid = self.state.tiled != self.before.tiled && !self.is_over;
        let carts = self.state.carts_of(self.seat).filter(|_| is_laid);
        carts.filter(|&cart| !self.state.has_moved(cart)).find_map(|cart| {
            let at = find_unavoidable_derailment(&self.state, cart)?;
            let was_there = self.before.cart(cart).is_on_board();
            let is_new_tile = self.state.track[at] != self.before.track[at];
            let was_free = find_unavoidable_derailment(&self.before, cart).is_none();
            (was_free && (was_there || is_new_tile)).then_some((cart, at))
        })
    }
}

/// Returns the question about a claim that prevents another claim which cannot be made later.
/// Returns `None` if the player has ranked the missions concerned.
fn find_claim_question(state: &State, seat: Seat, mission: Mission) -> Option<Refusal> {
    let open = state.turn_progress.achieved_missions.intersection(state.missions);
    let passes = |mission: &Mission| !is_claimable_later(state, seat, *mission);
    let lost: Vec<Mission> = open.iter().filter(|one| *one != mission && passes(one)).collect();
    let claims = &state.player(seat)?.claim_ranking;
    let is_ranked = |mission: &Mission| claims.contains(mission);
    let is_meant = is_ranked(&mission) && (passes(&mission) || lost.iter().all(is_ranked));
    if lost.is_empty() || is_meant {
        return None;
    }
    let terms = lost.iter().map(|mission| Arg::Term(mission.term())).collect();
    let reason = Message::new("or-doubt-claim")
        .with("mission", Arg::Term(mission.term()))
        .with("lost", Arg::List(terms));
    // Offers the ranking with this claim first, and each of the lost missions alone.
    let others: Vec<&str> = lost.into_iter().map(Mission::name).collect();
    let all = [&[mission.name()], others.as_slice()].concat().join(", ");
    let lines = std::iter::once(all.as_str()).chain(others);
    let offer = |names| Message::new("or-lines").with("lines", vec![format!("claim {names}")]);
    Some(lines.map(offer).fold(Refusal::illegal(reason), Refusal::with_alternative))
}

/// Returns the square where a cart must derail or fall in its next move. Returns `None` if some
/// route is open for the whole move, ends at another cart, or ends at an empty square where track
/// can still be laid.
fn find_unavoidable_derailment(state: &State, cart: CartId) -> Option<Square> {
    let to = travel::next_square(state, cart)?;
    let shown = state.cart(cart);
    find_unavoidable_derailment_from(state, cart, (to, shown.facing), shown.speed)
}

fn find_unavoidable_derailment_from(
    state: &State,
    cart: CartId,
    (to, way): (Square, Direction),
    left: u8,
) -> Option<Square> {
    let ends = state.track[to];
    if state.collapsed_squares().contains(to) || state.board.centres.contains(to) {
        return Some(to);
    }
    if ends == TileOpenings::NONE || state.cart_on(to).is_some_and(|other| other != cart) {
        return None;
    }
    if !ends.has(way.opposite()) {
        return Some(to);
    }
    if left <= 1 {
        return None;
    }
    let on = |next| {
        find_unavoidable_derailment_from(
            state,
            cart,
            (state.board.neighbour(to, next)?, next),
            left - 1,
        )
    };
    travel::openings_without_entry(ends, way).iter().map(on).min()?
}
