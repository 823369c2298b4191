//! The contract applied to `examples/sealed_bids`, a game of simultaneous orders.

#[path = "../../examples/sealed_bids/src/lib.rs"]
mod game;

use crate::contract::{GameExpectations, check_contract};
use game::{SealedBids, State};
use postrider::Program;
use postrider::render::Library;
use postrider::rules::{Seat, Viewer, game_kind};
use std::sync::{Arc, OnceLock};

const SENTENCES: &str = include_str!("../../examples/sealed_bids/texts/en/sealed-bids.ftl");

/// Returns the words that ship and those of the example, loaded once.
fn load_library() -> Arc<Library> {
    static LOADED: OnceLock<Arc<Library>> = OnceLock::new();
    let load = || {
        let games = Program::new().game(game_kind::<SealedBids>()).into_registry();
        Library::for_games(games).expect("its words can be read")
    };
    LOADED.get_or_init(load).clone()
}

/// A sealed bid that the viewer does not see may be another card of the same hand.
fn can_bids_differ(state: &State, viewer: Viewer) -> bool {
    let others = Seat::all(state.seat_count()).filter(|seat| viewer != Viewer::Seat(*seat));
    let mut sealed = others.filter(|seat| state.sealed_bid(*seat).is_some());
    sealed.any(|seat| state.hand(seat).len() > 1)
}

#[test]
fn sealed_bids_pass_the_contract() {
    check_contract::<SealedBids>(&GameExpectations {
        library: load_library,
        ..GameExpectations::new(SENTENCES, can_bids_differ)
    });
}
