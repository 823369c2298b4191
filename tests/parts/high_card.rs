//! The smallest game there is, `examples/high_card`, passes by the same contract as those that
//! ship; and the contract bites.

#[path = "../../examples/high_card/game.rs"]
mod game;
mod misshown;
mod mistaken;
mod mistakes;
#[path = "../../examples/high_card/plan.rs"]
mod plan;

use crate::contract::{Terms, contract};
use game::{Cards, Definition, Event, HighCard, Options, Play, State};
use postrider::rules::{Seat, Viewer};

/// The sentences that the contract asks for.
const SENTENCES: &str = include_str!("../../examples/high_card/templates/en/high-card.ftl");

/// Two hands that the viewer does not see may be each other's.
fn can_differ(state: &State, viewer: Viewer) -> bool {
    let others = Seat::all(state.seats()).filter(|seat| viewer != Viewer::Seat(*seat));
    let holding = others.filter(|seat| !state.hand(*seat).is_empty());
    state.turn.is_some() && holding.count() > 1
}

#[test]
fn a_new_game_passes_by_what_stands_there() {
    contract::<HighCard>(&Terms::of(SENTENCES, can_differ));
}
