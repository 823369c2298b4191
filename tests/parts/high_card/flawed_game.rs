//! High Card with one planted mistake: its rules and its hidden information. `flawed_views.rs`
//! holds its lines, plans and views.

use super::planted_mistakes::{Mistake, is_every_second_call, is_planted};
use super::{Cards, Definition, Event, HighCard, Options, Play, State};
use postrider::rules::{
    DefinitionFault, Dice, Effort, HiddenInfo, Message, Ranking, Refusal, RefusalKind, Rules,
    Search, Seat, Turn, Viewer,
};
use serde::{Deserialize, Serialize, Serializer};
use std::ops::RangeInclusive;

/// A game with the mistake that `planted_mistakes.rs` has planted.
pub(super) struct FlawedGame;

/// The state of the game. A mistake may store additional data in `kept`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Position {
    pub at: State,
    pub kept: Vec<u8>,
}

/// An event of the game, or additional data that a mistake stores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum FlawedEvent {
    Happened(#[serde(serialize_with = "written")] Event),
    Kept { kept: Vec<u8> },
}

fn written<S: Serializer>(event: &Event, to: S) -> Result<S::Ok, S::Error> {
    match event {
        Event::Taken { seat, .. } if is_planted(Mistake::EventLosesField) => {
            Event::Taken { seat: *seat, prize: 0 }.serialize(to)
        }
        _ => event.serialize(to),
    }
}

/// Returns the events without the additional data of mistakes.
pub(super) fn real_events(events: &[FlawedEvent]) -> Vec<Event> {
    let event = |flawed: &FlawedEvent| match flawed {
        FlawedEvent::Happened(event) => Some(event.clone()),
        FlawedEvent::Kept { .. } => None,
    };
    events.iter().filter_map(event).collect()
}

/// The number that [`Mistake::HiddenContentNotDeclared`] adds to a card. Other players do not see
/// it.
const MARK_OFFSET: u8 = 100;

/// Returns whether the position is one that random play reaches once in hundreds of games: four
/// seats, where each seat has played one card and still holds its three highest or lowest cards.
/// Players who always choose the same extreme card reach it.
fn is_rare_position(state: &State, highest: bool) -> bool {
    let is_kept = |(dealt, hand): (&Cards, &Cards)| {
        let mut cards: Vec<u8> = dealt.iter().copied().collect();
        if highest {
            cards.reverse();
        }
        hand.len() == 3 && cards.iter().take(3).all(|card| hand.contains(card))
    };
    state.seat_count() == 4 && state.dealt.iter().zip(&state.hands).all(is_kept)
}

/// Returns how many higher cards the other seats hold.
fn count_higher_cards(state: &State, seat: Seat, card: u8) -> u8 {
    let others = Seat::all(state.seat_count()).filter(|other| *other != seat);
    let cards = others.flat_map(|other| state.hand(other));
    u8::try_from(cards.filter(|other| *other > card).count()).expect("few")
}

/// Returns the highest card of the seat that plays after this one.
pub(super) fn top_card_of_next(state: &State, seat: Seat) -> u8 {
    state.hand(seat.next(state.seat_count())).last().copied().unwrap_or_default()
}

impl Rules for FlawedGame {
    const ID: &'static str = HighCard::ID;
    const VERSION: u32 = HighCard::VERSION;
    const SEATS: RangeInclusive<u8> = HighCard::SEATS;
    const DEFINITION: &'static str = HighCard::DEFINITION;

    type Definition = Definition;
    type Options = Options;
    type State = Position;
    type Order = Play;
    type Event = FlawedEvent;

    fn initial_state(
        definition: &Definition,
        options: &Options,
        seats: u8,
    ) -> Result<Position, DefinitionFault> {
        let at = HighCard::initial_state(definition, options, seats)?;
        Ok(Position { at, kept: Vec::new() })
    }

    fn setup(state: &Position, dice: &mut Dice) -> Vec<FlawedEvent> {
        if is_planted(Mistake::DealIsNotRepeatable) && is_every_second_call() {
            dice.roll_below(2);
        }
        let mut events: Vec<FlawedEvent> =
            HighCard::setup(&state.at, dice).into_iter().map(FlawedEvent::Happened).collect();
        if is_planted(Mistake::PrizesPreshuffled)
            || is_planted(Mistake::PrizesPreshuffledAndRedealt)
        {
            let mut kept: Vec<u8> = state.at.prizes.iter().copied().collect();
            dice.shuffle(&mut kept);
            events.push(FlawedEvent::Kept { kept });
        }
        events
    }

    fn apply(state: &mut Position, event: &FlawedEvent) {
        let event = match event {
            FlawedEvent::Happened(event) => event,
            FlawedEvent::Kept { kept } => return store_kept(state, kept),
        };
        HighCard::apply(&mut state.at, event);
        match *event {
            Event::Taken { seat, .. } if is_planted(Mistake::AppliesTwice) => {
                state.at.points[seat.index()] += 1;
            }
            Event::Taken { seat, prize } if is_planted(Mistake::PointsToWrongSeat) => {
                let other = seat.next(state.at.seat_count());
                state.at.points[seat.index()] -= i64::from(prize);
                state.at.points[other.index()] += i64::from(prize);
            }
            Event::Taken { prize, .. } => state.kept.retain(|kept| *kept != prize),
            Event::Played { .. }
                if is_planted(Mistake::ApplyIsNotRepeatable) && is_every_second_call() =>
            {
                state.kept = vec![0];
            }
            _ => {}
        }
    }

    fn turn(state: &Position) -> Turn {
        match HighCard::turn(&state.at) {
            Turn::Awaiting(_)
                if is_planted(Mistake::WaitsForNobody) && state.at.round.len() == 1 =>
            {
                Turn::Awaiting(Vec::new())
            }
            turn => turn,
        }
    }

    fn legal_orders(state: &Position, seat: Seat) -> Vec<Play> {
        let mut legal = HighCard::legal_orders(&state.at, seat);
        if is_planted(Mistake::ListsIllegal)
            && is_rare_position(&state.at, true)
            && !legal.is_empty()
        {
            legal.insert(1, Play(0));
        }
        if is_planted(Mistake::ListsTooFew) && legal.len() > 2 {
            legal.pop();
        }
        if is_planted(Mistake::HiddenContentNotDeclared) {
            let marked: Vec<Play> = legal.iter().map(|play| Play(play.0 + MARK_OFFSET)).collect();
            legal.extend(marked);
        }
        if is_planted(Mistake::LegalDependsOnHidden) && legal.len() > 1 {
            legal.retain(|play| play.0 + 1 != top_card_of_next(&state.at, seat));
        }
        legal
    }

    fn publicly_only_legal_order(state: &Position, seat: Seat) -> Option<Play> {
        let first = Self::legal_orders(state, seat).into_iter().next();
        let tells = |play: &Play| play.0 > top_card_of_next(&state.at, seat);
        match HighCard::publicly_only_legal_order(&state.at, seat) {
            Some(play) if is_planted(Mistake::ForcedMoveLeaks) => Some(play).filter(tells),
            None if is_planted(Mistake::ForcedToOneOfSeveral) => first,
            forced => forced,
        }
    }

    fn decide(
        state: &Position,
        seat: Seat,
        order: &Play,
        dice: &mut Dice,
    ) -> Result<Vec<FlawedEvent>, Refusal> {
        decide_with_mistakes(state, seat, order, dice)
    }

    fn invalidates(event: &FlawedEvent, order: &Play) -> bool {
        match event {
            FlawedEvent::Happened(Event::Dealt { cards, .. })
                if is_planted(Mistake::OvertakesLeaks) =>
            {
                cards.contains(&order.0)
            }
            FlawedEvent::Happened(event) => HighCard::invalidates(event, order),
            FlawedEvent::Kept { .. } => false,
        }
    }

    fn order_for_absent_player(state: &Position, seat: Seat) -> Play {
        let hand = state.at.hand(seat);
        let is_low = |play: &Play| play.0 < top_card_of_next(&state.at, seat);
        let lowest = HighCard::order_for_absent_player(&state.at, seat);
        if is_planted(Mistake::ForfeitIsIllegal) && is_rare_position(&state.at, true) {
            Play(0)
        } else if is_planted(Mistake::ForfeitDependsOnHidden) && !is_low(&lowest) {
            Play(hand.last().copied().unwrap_or_default())
        } else if is_planted(Mistake::LegalDependsOnHidden) {
            Self::legal_orders(state, seat).first().cloned().unwrap_or(lowest)
        } else {
            lowest
        }
    }

    fn implied_final_order(state: &Position, seat: Seat) -> Option<Play> {
        (is_planted(Mistake::ClosingIsIllegal) && state.at.hand(seat).len() == 1).then_some(Play(0))
    }

    fn rankings(state: &Position) -> Vec<Ranking> {
        let mut standings = HighCard::rankings(&state.at);
        if is_planted(Mistake::ScoreDoesNotAddUp)
            && let Some(first) = standings.first_mut()
        {
            first.score += 1;
        }
        if is_planted(Mistake::ScoreHasNoName) {
            let parts = standings.iter_mut().flat_map(|standing| &mut standing.breakdown);
            parts.for_each(|part| part.item = Message::new("hc-points"));
        }
        if is_planted(Mistake::StandingsReversed) {
            standings.reverse();
        }
        if is_planted(Mistake::StandingsRepeatSeat) {
            standings[1] = standings[0].clone();
        }
        standings
    }
}

/// Stores the additional data. With [`Mistake::NeverEnds`], gives seat 1 its lowest card again, so
/// that the game goes on.
fn store_kept(state: &mut Position, kept: &[u8]) {
    state.kept = kept.to_vec();
    if is_planted(Mistake::NeverEnds) {
        state.at.round.clear();
        state.at.turn = Some(Seat::new(1));
        let lowest = state.at.dealt[0].first().copied();
        state.at.hands[0].extend(lowest);
    }
}

/// Judges an order, with the planted mistake.
fn decide_with_mistakes(
    state: &Position,
    seat: Seat,
    order: &Play,
    dice: &mut Dice,
) -> Result<Vec<FlawedEvent>, Refusal> {
    if is_planted(Mistake::HiddenContentNotDeclared) && order.0 > MARK_OFFSET {
        let mut events = decide_with_mistakes(state, seat, &Play(order.0 - MARK_OFFSET), dice)?;
        events.push(FlawedEvent::Kept { kept: vec![order.0] });
        return Ok(events);
    }
    if is_planted(Mistake::RefusedByChance) && dice.roll_below(2) == 0 {
        return Err(Refusal::illegal(Message::new("hc-not-held").with("card", order.0)));
    }
    let (mut at, is_turn) = (state.at.clone(), state.at.turn == Some(seat));
    let is_lax = is_planted(Mistake::AcceptsIllegal) && is_rare_position(&at, false) && is_turn;
    if is_lax && !at.hand(seat).contains(&order.0) {
        return Ok(vec![FlawedEvent::Happened(Event::Played { seat, card: order.0 })]);
    }
    if is_planted(Mistake::AcceptsOutOfTurn) && at.turn.is_some() {
        at.turn = Some(seat);
    }
    if is_planted(Mistake::LegalDependsOnHidden)
        && !FlawedGame::legal_orders(state, seat).contains(order)
    {
        at.hands[seat.index()].remove(&order.0);
    }
    if is_planted(Mistake::RuleWrongEverywhere) {
        at.low = !at.low;
    }
    let is_last = at.round.len() + 1 == usize::from(at.seat_count());
    if is_planted(Mistake::DecisionIsNotRepeatable) && is_last && is_every_second_call() {
        dice.roll_below(2);
    }
    let events = HighCard::decide(&at, seat, order, dice);
    let events = events.map_err(|refusal| flaw_refusal(state, seat, order, refusal))?;
    Ok(flaw_events(state, seat, order, events, dice))
}

/// Returns the refusal with the planted mistake.
fn flaw_refusal(state: &Position, seat: Seat, order: &Play, refusal: Refusal) -> Refusal {
    let at = &state.at;
    let holder = Seat::all(at.seat_count()).find(|seat| at.hand(*seat).contains(&order.0));
    let tells =
        is_planted(Mistake::RefusalLeaks) && at.turn == Some(seat) && at.hand(seat).len() == 1;
    match refusal.reason.key {
        "hc-not-held" if tells => {
            let holder = holder.map_or(0, Seat::number);
            Refusal::illegal(Message::new("hc-not-held").with("card", order.0).with("who", holder))
        }
        "hc-not-held" if is_planted(Mistake::RefusalIsNotRepeatable) && is_every_second_call() => {
            Refusal::illegal(Message::new("hc-not-held"))
        }
        "hc-not-your-turn" if is_planted(Mistake::RefusalIsNeverSaid) => {
            Refusal::illegal(Message::new("hc-over"))
        }
        "hc-over" if is_planted(Mistake::RefusedAsUnreadable) => {
            let mut refusal = refusal;
            refusal.kind = RefusalKind::Unreadable;
            refusal
        }
        _ => refusal,
    }
}

/// Whether the planted mistake decides the next prizes in advance.
fn is_stacked() -> bool {
    [Mistake::PrizesPreshuffled, Mistake::PrizesPreshuffledAndRedealt, Mistake::DrawnTooEarly]
        .into_iter()
        .any(is_planted)
}

/// Returns the events of an order with the planted mistake.
fn flaw_events(
    state: &Position,
    seat: Seat,
    order: &Play,
    events: Vec<Event>,
    dice: &mut Dice,
) -> Vec<FlawedEvent> {
    let at = &state.at;
    let mut events: Vec<FlawedEvent> = events.into_iter().map(FlawedEvent::Happened).collect();
    if is_planted(Mistake::PreviewLeaks) {
        events.insert(0, FlawedEvent::Kept { kept: vec![count_higher_cards(at, seat, order.0)] });
    }
    if is_planted(Mistake::DrawnTooEarly) && at.round.is_empty() {
        let prizes: Vec<u8> = at.prizes.iter().copied().collect();
        events.push(FlawedEvent::Kept { kept: dice.pick(&prizes).copied().into_iter().collect() });
    }
    for event in &mut events {
        match event {
            FlawedEvent::Happened(Event::Taken { prize, .. })
                if !state.kept.is_empty() && is_stacked() =>
            {
                *prize = state.kept[0];
            }
            FlawedEvent::Happened(Event::Taken { seat, .. })
                if is_planted(Mistake::WinnerDependsOnHidden) =>
            {
                let best = |seat: &Seat| at.hand(*seat).last().copied();
                *seat = Seat::all(at.seat_count()).max_by_key(best).unwrap_or(*seat);
            }
            _ => {}
        }
    }
    let cards: usize = at.hands.iter().map(Cards::len).sum();
    if is_planted(Mistake::NeverEnds) && cards == 1 {
        events.retain(|flawed| !matches!(flawed, FlawedEvent::Happened(Event::Ended { .. })));
        events.push(FlawedEvent::Kept { kept: Vec::new() });
    }
    events
}

impl Search for FlawedGame {
    const EFFORTS: [Effort; 3] = HighCard::EFFORTS;
    const CLEAR_LEAD: i64 = HighCard::CLEAR_LEAD;

    fn merits(state: &Position) -> Vec<i64> {
        let mut merits = HighCard::merits(&state.at);
        if is_planted(Mistake::MeritsReversed) {
            merits.iter_mut().for_each(|merit| *merit = -*merit);
        }
        merits
    }

    fn candidates(state: &Position, seat: Seat, most: usize) -> Vec<Vec<Play>> {
        let mut legal = Self::legal_orders(state, seat);
        if is_planted(Mistake::SearchPeeks) {
            let top = top_card_of_next(&state.at, seat);
            legal.sort_by_key(|play| play.0 < top);
        }
        if is_planted(Mistake::ConsidersIllegal) {
            legal.insert(0, Play(0));
        }
        legal.into_iter().take(most).map(|play| vec![play]).collect()
    }
}

impl HiddenInfo for FlawedGame {
    fn is_secret(_: &Play) -> bool {
        is_planted(Mistake::WronglyCalledSecret)
    }

    fn has_hidden_content(_: &Play) -> bool {
        false
    }

    fn discloses(state: &Position, event: &FlawedEvent, seat: Seat) -> bool {
        match event {
            FlawedEvent::Happened(event) if !is_planted(Mistake::DiceNotDisclosed) => {
                HighCard::discloses(&state.at, event, seat)
            }
            _ => is_planted(Mistake::DrawnTooEarly),
        }
    }

    fn reveals_to_others(state: &Position, event: &FlawedEvent) -> bool {
        let FlawedEvent::Happened(event) = event else { return false };
        !is_planted(Mistake::TurnsNothingUp) && HighCard::reveals_to_others(&state.at, event)
    }

    fn redeal(state: &Position, viewer: Viewer, dice: &mut Dice) -> Position {
        redeal_with_mistakes(state, viewer, dice)
    }

    fn event_in_determinization(
        world: &Position,
        event: &FlawedEvent,
        viewer: Viewer,
        dice: &mut Dice,
    ) -> FlawedEvent {
        match event {
            FlawedEvent::Happened(event) => FlawedEvent::Happened(
                HighCard::event_in_determinization(&world.at, event, viewer, dice),
            ),
            FlawedEvent::Kept { .. } if is_planted(Mistake::PrizesPreshuffledAndRedealt) => {
                FlawedEvent::Kept { kept: world.kept.clone() }
            }
            FlawedEvent::Kept { .. } => event.clone(),
        }
    }

    fn check_every_piece_placed(state: &Position) -> Result<(), String> {
        if is_planted(Mistake::EmptyAudit) {
            Ok(())
        } else {
            HighCard::check_every_piece_placed(&state.at)
        }
    }
}

/// Draws a determinization with the planted mistake.
fn redeal_with_mistakes(state: &Position, viewer: Viewer, dice: &mut Dice) -> Position {
    let mut other = state.clone();
    let is_later = state.at.hands.iter().any(|hand| hand.len() <= 3);
    if is_planted(Mistake::NothingIsRedealt)
        || is_planted(Mistake::NothingIsRedealtLate) && is_later
    {
        return other;
    }
    if is_planted(Mistake::PrizesPreshuffledAndRedealt) {
        dice.shuffle(&mut other.kept);
    }
    other.at = HighCard::redeal(&state.at, viewer, dice);
    let hidden = Seat::all(state.at.seat_count()).filter(|seat| viewer != Viewer::Seat(*seat));
    let mut hidden: Vec<usize> = hidden.map(Seat::index).collect();
    let is_uneven = is_planted(Mistake::RedealIsUneven)
        || is_planted(Mistake::RedealIsUnevenLate) && is_later && viewer != Viewer::Public;
    hidden.retain(|seat| other.at.hands[*seat].len() > 1);
    if let ([one, .., two], true) = (hidden.as_slice(), is_uneven) {
        swap_extreme_cards(&mut other.at, *one, *two);
    }
    if let ([one, .., two], true) = (hidden.as_slice(), is_planted(Mistake::RedealPeeks)) {
        other.at.clone_from(&state.at);
        swap_extreme_cards(&mut other.at, *one, *two);
    }
    if let (Some((_, card)), true) =
        (state.at.round.first(), is_planted(Mistake::RedealsTableCards))
    {
        other.at.hands[0].insert(*card);
        other.at.dealt[0].insert(*card);
    }
    other
}

/// Exchanges the lowest card of the first hand for the highest card of the second.
fn swap_extreme_cards(state: &mut State, one: usize, two: usize) {
    let low = state.hands[one].first().copied().unwrap_or_default();
    let high = state.hands[two].last().copied().unwrap_or_default();
    if low < high {
        for (seat, goes, comes) in [(one, low, high), (two, high, low)] {
            for cards in [&mut state.hands[seat], &mut state.dealt[seat]] {
                cards.remove(&goes);
                cards.insert(comes);
            }
        }
    }
}
