//! Computes what may still happen to a seat in each trick, from public information and the seat's
//! own hand. Plans use this to find the tricks in which they can apply.

use super::company::Company;
use super::decide::winning_card;
use super::state::{LaneCard, Phase, State, Step};
use crate::rules::Seat;

/// Whether the seat has already played its card to the current trick.
pub fn has_played(state: &State, seat: Seat) -> bool {
    state.card_played_by(seat).is_some() || state.winner.is_some()
}

/// Returns the leader of a trick, if the leader is known.
pub fn known_leader(state: &State, trick: usize) -> Option<Seat> {
    let led = state.trick_cards.first().map(|&(leader, _)| leader);
    match (trick.checked_sub(state.trick)?, state.phase) {
        (0, Phase::Turn(awaited, Step::Play)) => Some(led.unwrap_or(awaited)),
        (1, _) => state.winner,
        _ => None,
    }
}

/// Whether the seat can still win the current trick, or has won it.
pub fn can_still_win_trick(state: &State, seat: Seat) -> bool {
    match state.winner {
        Some(winner) => winner == seat,
        None if state.card_played_by(seat).is_none() => true,
        None => winning_card(&state.trick_cards).is_some_and(|(ahead, _)| ahead == seat),
    }
}

/// Whether it is possible that the seat leads this trick.
pub fn can_still_lead_trick(state: &State, seat: Seat, trick: usize) -> bool {
    match trick.checked_sub(state.trick) {
        Some(0) => !has_played(state, seat) && known_leader(state, trick) == Some(seat),
        Some(1) => can_still_win_trick(state, seat),
        later => later.is_some(),
    }
}

/// Whether it is possible that the seat plays to this trick after another seat has led it.
pub fn can_still_follow(state: &State, seat: Seat, trick: usize) -> bool {
    has_yet_to_play(state, seat, trick) && known_leader(state, trick) != Some(seat)
}

/// Whether the seat has yet to play to this trick.
pub fn has_yet_to_play(state: &State, seat: Seat, trick: usize) -> bool {
    trick > state.trick || trick == state.trick && !has_played(state, seat)
}

/// Returns the lane card for which this trick is played, or `None` if it has been taken or placed.
pub fn prize_of_trick(state: &State, trick: usize) -> Option<LaneCard> {
    state.lane.get(trick).copied().flatten()
}

/// Whether the cards of this trick go to railways.
pub fn is_operating_round(state: &State, trick: usize) -> bool {
    let works =
        matches!(prize_of_trick(state, trick), Some(LaneCard::City(_) | LaneCard::Locomotive(_)));
    works || trick == state.trick && state.winner.is_some()
}

/// Whether it is possible that the seat must choose the end of a railway for its card of this
/// trick.
pub fn can_still_choose_end(state: &State, seat: Seat, trick: usize) -> bool {
    let is_there = || state.winner.is_none() || state.card_played_by(seat).is_some();
    is_operating_round(state, trick) && (trick > state.trick || is_there())
}

/// Whether it is possible that the seat wins this trick and places its lane card. The card must
/// fulfil `is_such`.
pub fn can_still_place_prize(
    state: &State,
    seat: Seat,
    trick: usize,
    is_such: impl Fn(LaneCard) -> bool,
) -> bool {
    prize_of_trick(state, trick).is_some_and(is_such)
        && (trick > state.trick || can_still_win_trick(state, seat))
}

/// Whether it is possible that another seat holds a card of this company, so that it could lead the
/// company.
pub fn can_others_hold_company(state: &State, seat: Seat, company: Company) -> bool {
    let others = Seat::all(state.edition.seats).filter(|&other| other != seat);
    // This discloses nothing: all other cards are public or in the seat's own hand, so the seat can
    // infer what the others hold together.
    others.into_iter().any(|other| !state.hand_of(other).of_company(company).is_empty())
}

/// Returns the first trick that fulfils a condition, from the current one on.
pub fn first_trick(state: &State, holds: impl Fn(usize) -> bool) -> Option<usize> {
    (state.trick..state.lane.len()).find(|&trick| holds(trick))
}
