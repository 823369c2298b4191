//! What can still come for one seat, trick by trick, as far as all can see and its own hand tells.

use super::company::Company;
use super::decide::winning_card;
use super::state::{LaneCard, Phase, State, Step};
use crate::rules::Seat;

/// Whether the seat has no card to play to the trick at hand any more.
pub fn has_played(state: &State, seat: Seat) -> bool {
    state.card_played_by(seat).is_some() || state.winner.is_some()
}

/// Who leads a trick, where that is known.
pub fn known_leader(state: &State, trick: usize) -> Option<Seat> {
    let led = state.trick_cards.first().map(|&(leader, _)| leader);
    match (trick.checked_sub(state.trick)?, state.phase) {
        (0, Phase::Turn(awaited, Step::Play)) => Some(led.unwrap_or(awaited)),
        (1, _) => state.winner,
        _ => None,
    }
}

/// Whether the seat can still win the trick at hand, or has won it.
pub fn may_win(state: &State, seat: Seat) -> bool {
    match state.winner {
        Some(winner) => winner == seat,
        None if state.card_played_by(seat).is_none() => true,
        None => winning_card(&state.trick_cards).is_some_and(|(ahead, _)| ahead == seat),
    }
}

/// Whether the seat may be to lead this trick.
pub fn may_lead(state: &State, seat: Seat, trick: usize) -> bool {
    match trick.checked_sub(state.trick) {
        Some(0) => !has_played(state, seat) && known_leader(state, trick) == Some(seat),
        Some(1) => may_win(state, seat),
        later => later.is_some(),
    }
}

/// Whether the seat may be to play to this trick when another one has led.
pub fn may_follow(state: &State, seat: Seat, trick: usize) -> bool {
    may_play(state, seat, trick) && known_leader(state, trick) != Some(seat)
}

/// Whether the seat is still to play to this trick.
pub fn may_play(state: &State, seat: Seat, trick: usize) -> bool {
    trick > state.trick || trick == state.trick && !has_played(state, seat)
}

/// What this trick is played for; nothing once it has been taken or placed.
pub fn prize_of_trick(state: &State, trick: usize) -> Option<LaneCard> {
    state.lane.get(trick).copied().flatten()
}

/// Whether the cards of this trick go to the railways.
pub fn is_operating_round(state: &State, trick: usize) -> bool {
    let works =
        matches!(prize_of_trick(state, trick), Some(LaneCard::City(_) | LaneCard::Locomotive(_)));
    works || trick == state.trick && state.winner.is_some()
}

/// Whether the seat may be asked to which end its card of this trick goes.
pub fn may_choose_end(state: &State, seat: Seat, trick: usize) -> bool {
    let is_there = || state.winner.is_none() || state.card_played_by(seat).is_some();
    is_operating_round(state, trick) && (trick > state.trick || is_there())
}

/// Whether the seat may be to place such a card of the lane, won with this trick.
pub fn may_place(
    state: &State,
    seat: Seat,
    trick: usize,
    is_such: impl Fn(LaneCard) -> bool,
) -> bool {
    prize_of_trick(state, trick).is_some_and(is_such)
        && (trick > state.trick || may_win(state, seat))
}

/// Whether another seat may hold a card of this company, so that it can be led to this one.
pub fn others_may_hold(state: &State, seat: Seat, company: Company) -> bool {
    let others = Seat::all(state.edition.seats).filter(|&other| other != seat);
    // All cards but those in the other hands lie open, or are held here.
    others.into_iter().any(|other| !state.hand_of(other).of_company(company).is_empty())
}

/// The first trick, from the one at hand on, of which this holds.
pub fn first_trick(state: &State, holds: impl Fn(usize) -> bool) -> Option<usize> {
    (state.trick..state.lane.len()).find(|&trick| holds(trick))
}
