//! The tests' own game with one mistake planted in it: its rules, and what of it is hidden. What is
//! shown of it stands in `misshown.rs`.

use super::mistakes::{Mistake, again, makes};
use super::{Cards, Definition, Event, HighCard, Options, Play, State};
use postrider::rules::{
    Dice, Fault, Hidden, Message, Refusal, RefusalKind, Rules, Seat, Standing, Turn, Viewer,
};
use serde::{Deserialize, Serialize, Serializer};
use std::ops::RangeInclusive;

/// The game that is played as `mistakes.rs` says.
pub(super) struct Mistaken;

/// The position, with what a mistake keeps besides.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Position {
    pub at: State,
    pub kept: Vec<u8>,
}

/// What happened, with what a mistake keeps besides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Told {
    Happened(#[serde(serialize_with = "written")] Event),
    Kept { kept: Vec<u8> },
}

fn written<S: Serializer>(event: &Event, to: S) -> Result<S::Ok, S::Error> {
    match event {
        Event::Taken { seat, .. } if makes(Mistake::EventLosesSomething) => {
            Event::Taken { seat: *seat, prize: 0 }.serialize(to)
        }
        _ => event.serialize(to),
    }
}

/// What happened, without what a mistake keeps.
pub(super) fn happened(events: &[Told]) -> Vec<Event> {
    let event = |told: &Told| match told {
        Told::Happened(event) => Some(event.clone()),
        Told::Kept { .. } => None,
    };
    events.iter().filter_map(event).collect()
}

/// With a mistake an order marks its card by as much, which nobody else sees.
const MARKED: u8 = 100;

/// A corner that play by lot comes to once in hundreds of games: four sit here, and each has still
/// all but the one card that somebody plays first who always does the same.
fn is_corner(state: &State, highest: bool) -> bool {
    let is_kept = |(dealt, hand): (&Cards, &Cards)| {
        let mut cards: Vec<u8> = dealt.iter().copied().collect();
        if highest {
            cards.reverse();
        }
        hand.len() == 3 && cards.iter().take(3).all(|card| hand.contains(card))
    };
    state.seats() == 4 && state.dealt.iter().zip(&state.hands).all(is_kept)
}

/// How many cards are higher than this one, of those that the others hold.
fn higher(state: &State, seat: Seat, card: u8) -> u8 {
    let others = Seat::all(state.seats()).filter(|other| *other != seat);
    let cards = others.flat_map(|other| state.hand(other));
    u8::try_from(cards.filter(|other| *other > card).count()).expect("few")
}

/// The highest card of the seat that plays next.
pub(super) fn top_of_next(state: &State, seat: Seat) -> u8 {
    state.hand(seat.next(state.seats())).last().copied().unwrap_or_default()
}

impl Rules for Mistaken {
    const ID: &'static str = HighCard::ID;
    const VERSION: u32 = HighCard::VERSION;
    const SEATS: RangeInclusive<u8> = HighCard::SEATS;
    const DEFINITION: &'static str = HighCard::DEFINITION;

    type Definition = Definition;
    type Options = Options;
    type State = Position;
    type Order = Play;
    type Event = Told;

    fn open(definition: &Definition, options: &Options, seats: u8) -> Result<Position, Fault> {
        let at = HighCard::open(definition, options, seats)?;
        Ok(Position { at, kept: Vec::new() })
    }

    fn setup(state: &Position, dice: &mut Dice) -> Vec<Told> {
        if makes(Mistake::DealtOtherwiseAgain) && again() {
            dice.below(2);
        }
        let mut events: Vec<Told> =
            HighCard::setup(&state.at, dice).into_iter().map(Told::Happened).collect();
        if makes(Mistake::Stacked) || makes(Mistake::StackedAndDealtAnew) {
            let mut kept: Vec<u8> = state.at.prizes.iter().copied().collect();
            dice.shuffle(&mut kept);
            events.push(Told::Kept { kept });
        }
        events
    }

    fn apply(state: &mut Position, event: &Told) {
        let event = match event {
            Told::Happened(event) => event,
            Told::Kept { kept } => return keep(state, kept),
        };
        HighCard::apply(&mut state.at, event);
        match *event {
            Event::Taken { seat, .. } if makes(Mistake::AppliesTwice) => {
                state.at.points[seat.index()] += 1;
            }
            Event::Taken { seat, prize } if makes(Mistake::PointsGoAstray) => {
                let other = seat.next(state.at.seats());
                state.at.points[seat.index()] -= i64::from(prize);
                state.at.points[other.index()] += i64::from(prize);
            }
            Event::Taken { prize, .. } => state.kept.retain(|kept| *kept != prize),
            Event::Played { .. } if makes(Mistake::AppliesOtherwiseAgain) && again() => {
                state.kept = vec![0];
            }
            _ => {}
        }
    }

    fn turn(state: &Position) -> Turn {
        match HighCard::turn(&state.at) {
            Turn::Awaiting(_) if makes(Mistake::WaitsForNobody) && state.at.table.len() == 1 => {
                Turn::Awaiting(Vec::new())
            }
            turn => turn,
        }
    }

    fn legal(state: &Position, seat: Seat) -> Vec<Play> {
        let mut legal = HighCard::legal(&state.at, seat);
        if makes(Mistake::ListsIllegal) && is_corner(&state.at, true) && !legal.is_empty() {
            legal.insert(1, Play(0));
        }
        if makes(Mistake::ListsTooFew) && legal.len() > 2 {
            legal.pop();
        }
        if makes(Mistake::CovertIsForgotten) {
            let marked: Vec<Play> = legal.iter().map(|play| Play(play.0 + MARKED)).collect();
            legal.extend(marked);
        }
        if makes(Mistake::LegalRestsOnHidden) && legal.len() > 1 {
            legal.retain(|play| play.0 + 1 != top_of_next(&state.at, seat));
        }
        legal
    }

    fn openly_forced(state: &Position, seat: Seat) -> Option<Play> {
        let first = Self::legal(state, seat).into_iter().next();
        let tells = |play: &Play| play.0 > top_of_next(&state.at, seat);
        match HighCard::openly_forced(&state.at, seat) {
            Some(play) if makes(Mistake::ForcedTells) => Some(play).filter(tells),
            None if makes(Mistake::ForcedToOneOfSeveral) => first,
            forced => forced,
        }
    }

    fn decide(
        state: &Position,
        seat: Seat,
        order: &Play,
        dice: &mut Dice,
    ) -> Result<Vec<Told>, Refusal> {
        decide(state, seat, order, dice)
    }

    fn overtakes(event: &Told, order: &Play) -> bool {
        match event {
            Told::Happened(Event::Dealt { cards, .. }) if makes(Mistake::OvertakesTells) => {
                cards.contains(&order.0)
            }
            Told::Happened(event) => HighCard::overtakes(event, order),
            Told::Kept { .. } => false,
        }
    }

    fn forfeit(state: &Position, seat: Seat) -> Play {
        let hand = state.at.hand(seat);
        let is_low = |play: &Play| play.0 < top_of_next(&state.at, seat);
        let lowest = HighCard::forfeit(&state.at, seat);
        if makes(Mistake::ForfeitIsIllegal) && is_corner(&state.at, true) {
            Play(0)
        } else if makes(Mistake::ForfeitRestsOnHidden) && !is_low(&lowest) {
            Play(hand.last().copied().unwrap_or_default())
        } else if makes(Mistake::LegalRestsOnHidden) {
            Self::legal(state, seat).first().cloned().unwrap_or(lowest)
        } else {
            lowest
        }
    }

    fn closing(state: &Position, seat: Seat) -> Option<Play> {
        (makes(Mistake::ClosingIsIllegal) && state.at.hand(seat).len() == 1).then_some(Play(0))
    }

    fn standings(state: &Position) -> Vec<Standing> {
        let mut standings = HighCard::standings(&state.at);
        if makes(Mistake::ScoreDoesNotAddUp)
            && let Some(first) = standings.first_mut()
        {
            first.score += 1;
        }
        if makes(Mistake::ScoreHasNoName) {
            let parts = standings.iter_mut().flat_map(|standing| &mut standing.breakdown);
            parts.for_each(|part| part.item = Message::new("hc-points"));
        }
        if makes(Mistake::StandingsUpsideDown) {
            standings.reverse();
        }
        if makes(Mistake::StandingsTwice) {
            standings[1] = standings[0].clone();
        }
        standings
    }
}

/// Keeps this besides, or lets the first seat play its lowest card for ever.
fn keep(state: &mut Position, kept: &[u8]) {
    state.kept = kept.to_vec();
    if makes(Mistake::NeverEnds) {
        state.at.table.clear();
        state.at.turn = Some(Seat::new(1));
        let lowest = state.at.dealt[0].first().copied();
        state.at.hands[0].extend(lowest);
    }
}

/// Judges an order, and the mistakes in that.
fn decide(
    state: &Position,
    seat: Seat,
    order: &Play,
    dice: &mut Dice,
) -> Result<Vec<Told>, Refusal> {
    if makes(Mistake::CovertIsForgotten) && order.0 > MARKED {
        let mut events = decide(state, seat, &Play(order.0 - MARKED), dice)?;
        events.push(Told::Kept { kept: vec![order.0] });
        return Ok(events);
    }
    if makes(Mistake::RefusedByChance) && dice.below(2) == 0 {
        return Err(Refusal::illegal(Message::new("hc-not-held").with("card", order.0)));
    }
    let (mut at, is_turn) = (state.at.clone(), state.at.turn == Some(seat));
    let is_lax = makes(Mistake::AcceptsIllegal) && is_corner(&at, false) && is_turn;
    if is_lax && !at.hand(seat).contains(&order.0) {
        return Ok(vec![Told::Happened(Event::Played { seat, card: order.0 })]);
    }
    if makes(Mistake::AcceptsOutOfTurn) && at.turn.is_some() {
        at.turn = Some(seat);
    }
    if makes(Mistake::LegalRestsOnHidden) && !Mistaken::legal(state, seat).contains(order) {
        at.hands[seat.index()].remove(&order.0);
    }
    if makes(Mistake::WrongThroughout) {
        at.low = !at.low;
    }
    let is_last = at.table.len() + 1 == usize::from(at.seats());
    if makes(Mistake::DecidesOtherwiseAgain) && is_last && again() {
        dice.below(2);
    }
    let events = HighCard::decide(&at, seat, order, dice);
    let events = events.map_err(|refusal| refused(state, seat, order, refusal))?;
    Ok(told(state, seat, order, events, dice))
}

/// A refusal, and the mistakes in it.
fn refused(state: &Position, seat: Seat, order: &Play, refusal: Refusal) -> Refusal {
    let at = &state.at;
    let holder = Seat::all(at.seats()).find(|seat| at.hand(*seat).contains(&order.0));
    let tells = makes(Mistake::RefusalTells) && at.turn == Some(seat) && at.hand(seat).len() == 1;
    match refusal.reason.key {
        "hc-not-held" if tells => {
            let holder = holder.map_or(0, Seat::number);
            Refusal::illegal(Message::new("hc-not-held").with("card", order.0).with("who", holder))
        }
        "hc-not-held" if makes(Mistake::RefusedOtherwiseAgain) && again() => {
            Refusal::illegal(Message::new("hc-not-held"))
        }
        "hc-not-your-turn" if makes(Mistake::RefusalIsNeverSaid) => {
            Refusal::illegal(Message::new("hc-over"))
        }
        "hc-over" if makes(Mistake::RefusedAsUnread) => {
            let mut refusal = refusal;
            refusal.kind = RefusalKind::Unreadable;
            refusal
        }
        _ => refusal,
    }
}

/// Whether what is kept is what will be drawn.
fn is_stacked() -> bool {
    [Mistake::Stacked, Mistake::StackedAndDealtAnew, Mistake::DrawnTooEarly].into_iter().any(makes)
}

/// What an order led to, and the mistakes in it.
fn told(
    state: &Position,
    seat: Seat,
    order: &Play,
    events: Vec<Event>,
    dice: &mut Dice,
) -> Vec<Told> {
    let at = &state.at;
    let mut events: Vec<Told> = events.into_iter().map(Told::Happened).collect();
    if makes(Mistake::PreviewTells) {
        events.insert(0, Told::Kept { kept: vec![higher(at, seat, order.0)] });
    }
    if makes(Mistake::DrawnTooEarly) && at.table.is_empty() {
        let prizes: Vec<u8> = at.prizes.iter().copied().collect();
        events.push(Told::Kept { kept: dice.pick(&prizes).copied().into_iter().collect() });
    }
    for event in &mut events {
        match event {
            Told::Happened(Event::Taken { prize, .. })
                if !state.kept.is_empty() && is_stacked() =>
            {
                *prize = state.kept[0];
            }
            Told::Happened(Event::Taken { seat, .. }) if makes(Mistake::WinnerRestsOnHidden) => {
                let best = |seat: &Seat| at.hand(*seat).last().copied();
                *seat = Seat::all(at.seats()).max_by_key(best).unwrap_or(*seat);
            }
            _ => {}
        }
    }
    let cards: usize = at.hands.iter().map(Cards::len).sum();
    if makes(Mistake::NeverEnds) && cards == 1 {
        events.retain(|told| !matches!(told, Told::Happened(Event::Ended { .. })));
        events.push(Told::Kept { kept: Vec::new() });
    }
    events
}

impl Hidden for Mistaken {
    fn is_secret(_: &Play) -> bool {
        makes(Mistake::CalledSecret)
    }

    fn is_covert(_: &Play) -> bool {
        false
    }

    fn discloses(state: &Position, event: &Told, seat: Seat) -> bool {
        match event {
            Told::Happened(event) if !makes(Mistake::DiceAreNotOwnedTo) => {
                HighCard::discloses(&state.at, event, seat)
            }
            _ => makes(Mistake::DrawnTooEarly),
        }
    }

    fn turns_up(state: &Position, event: &Told) -> bool {
        let Told::Happened(event) = event else { return false };
        !makes(Mistake::TurnsNothingUp) && HighCard::turns_up(&state.at, event)
    }

    fn redeal(state: &Position, viewer: Viewer, dice: &mut Dice) -> Position {
        redeal(state, viewer, dice)
    }

    fn redeal_event(world: &Position, event: &Told, viewer: Viewer, dice: &mut Dice) -> Told {
        match event {
            Told::Happened(event) => {
                Told::Happened(HighCard::redeal_event(&world.at, event, viewer, dice))
            }
            Told::Kept { .. } if makes(Mistake::StackedAndDealtAnew) => {
                Told::Kept { kept: world.kept.clone() }
            }
            Told::Kept { .. } => event.clone(),
        }
    }

    fn audit(state: &Position) -> Result<(), String> {
        if makes(Mistake::EmptyAudit) { Ok(()) } else { HighCard::audit(&state.at) }
    }
}

/// Deals anew, and the mistakes in that.
fn redeal(state: &Position, viewer: Viewer, dice: &mut Dice) -> Position {
    let mut other = state.clone();
    let is_later = state.at.hands.iter().any(|hand| hand.len() <= 3);
    if makes(Mistake::NothingIsDealtAnew) || makes(Mistake::NothingLaterIsDealtAnew) && is_later {
        return other;
    }
    if makes(Mistake::StackedAndDealtAnew) {
        dice.shuffle(&mut other.kept);
    }
    other.at = HighCard::redeal(&state.at, viewer, dice);
    let hidden = Seat::all(state.at.seats()).filter(|seat| viewer != Viewer::Seat(*seat));
    let mut hidden: Vec<usize> = hidden.map(Seat::index).collect();
    let is_uneven = makes(Mistake::DealtAnewUnevenly)
        || makes(Mistake::DealtAnewUnevenlyLater) && is_later && viewer != Viewer::Public;
    hidden.retain(|seat| other.at.hands[*seat].len() > 1);
    if let ([one, .., two], true) = (hidden.as_slice(), is_uneven) {
        swap_so_that(&mut other.at, *one, *two);
    }
    if let ([one, .., two], true) = (hidden.as_slice(), makes(Mistake::DealtAnewByPeeking)) {
        other.at.clone_from(&state.at);
        swap_so_that(&mut other.at, *one, *two);
    }
    if let (Some((_, card)), true) = (state.at.table.first(), makes(Mistake::DealtAnewWhatLies)) {
        other.at.hands[0].insert(*card);
        other.at.dealt[0].insert(*card);
    }
    other
}

/// The first hand gets the highest card of both, for the lowest of its own.
fn swap_so_that(state: &mut State, one: usize, two: usize) {
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
