//! Checks that Sealed Bids meets the contract of every game.

use postrider::Program;
use postrider::render::Library;
use postrider::rules::{Seat, Viewer, game_kind};
use postrider::testing::{GameExpectations, check_contract};
use sealed_bids::{SealedBids, State};

/// A sealed bid that the viewer does not see may be another card of the same hand.
fn can_bids_differ(state: &State, viewer: Viewer) -> bool {
    let others = Seat::all(state.seat_count()).filter(|seat| viewer != Viewer::Seat(*seat));
    let mut sealed = others.filter(|seat| state.sealed_bid(*seat).is_some());
    sealed.any(|seat| state.hand(seat).len() > 1)
}

#[test]
fn sealed_bids_pass_the_contract() {
    let games = Program::new().game(game_kind::<SealedBids>()).into_registry();
    let library = Library::for_games(games).expect("its texts can be read");
    let sentences = include_str!("../texts/en/sealed-bids.ftl");
    check_contract::<SealedBids>(&GameExpectations::new(library, sentences, can_bids_differ));
}
