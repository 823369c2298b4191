//! The contract applied to `examples/high_card`, the smallest possible game, and to copies of it
//! with planted mistakes, which the contract must find.

mod flawed_game;
mod flawed_views;
#[path = "../../examples/high_card/game.rs"]
mod game;
#[path = "../../examples/high_card/plan.rs"]
mod plan;
mod planted_mistakes;
mod previews;

use game::{Cards, Definition, Event, HighCard, Options, Play, State};
use postrider::render::Library;
use postrider::rules::{Seat, Viewer};
use postrider::testing::{GameExpectations, check_contract};
use std::path::Path;
use std::sync::{Arc, OnceLock};

const SENTENCES: &str = include_str!("../../examples/high_card/templates/en/high-card.ftl");

/// Returns the words that ship and those of the example, loaded once.
fn load_library() -> Arc<Library> {
    static LOADED: OnceLock<Arc<Library>> = OnceLock::new();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/high_card/templates");
    LOADED
        .get_or_init(|| {
            Library::load(postrider::games::SHIPPED, &own).expect("its words can be read")
        })
        .clone()
}

/// Two hands that the viewer does not see may be exchanged.
fn can_hands_differ(state: &State, viewer: Viewer) -> bool {
    let others = Seat::all(state.seat_count()).filter(|seat| viewer != Viewer::Seat(*seat));
    let holding = others.filter(|seat| !state.hand(*seat).is_empty());
    state.turn.is_some() && holding.count() > 1
}

#[test]
fn example_game_passes_the_contract() {
    let expectations = GameExpectations::new(load_library(), SENTENCES, can_hands_differ);
    check_contract::<HighCard>(&expectations);
}
