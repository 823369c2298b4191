//! The smallest game there is, `examples/high_card`, passes by the same contract as those that
//! ship; and the contract bites.

#[path = "../../examples/high_card/game.rs"]
mod game;
mod misshown;
mod mistaken;
mod mistakes;
#[path = "../../examples/high_card/plan.rs"]
mod plan;
mod previews;

use crate::contract::{Terms, contract};
use game::{Cards, Definition, Event, HighCard, Options, Play, State};
use postrider::render::Library;
use postrider::rules::{Seat, Viewer};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// The sentences that the contract asks for.
const SENTENCES: &str = include_str!("../../examples/high_card/templates/en/high-card.ftl");

/// The words of the example beside those that ship, read once.
fn library() -> Arc<Library> {
    static LOADED: OnceLock<Arc<Library>> = OnceLock::new();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/high_card/templates");
    LOADED.get_or_init(|| Library::load(&own).expect("its words can be read")).clone()
}

/// Two hands that the viewer does not see may be each other's.
fn can_differ(state: &State, viewer: Viewer) -> bool {
    let others = Seat::all(state.seats()).filter(|seat| viewer != Viewer::Seat(*seat));
    let holding = others.filter(|seat| !state.hand(*seat).is_empty());
    state.turn.is_some() && holding.count() > 1
}

#[test]
fn a_new_game_passes_by_what_stands_there() {
    contract::<HighCard>(&Terms { library, ..Terms::of(SENTENCES, can_differ) });
}
