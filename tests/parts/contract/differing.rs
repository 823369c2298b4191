//! Predicates that say whether a viewer's knowledge allows another state than the real one. They
//! count the pieces on the table. They check `redeal`, so they do not use it.

use postrider::games::{OffTheRails, ParisConnection, TrickOfTheRails};
use postrider::rules::{Rules, Seat, Turn, Viewer};

type State<G> = <G as Rules>::State;

/// Returns all pairs of seats whose secrets the viewer does not know, including each seat with
/// itself.
fn hidden_seat_pairs(seats: usize, viewer: Viewer) -> Vec<(Seat, Seat)> {
    let seats = u8::try_from(seats).expect("few");
    let hidden = Seat::all(seats).filter(move |seat| viewer != Viewer::Seat(*seat));
    let others = hidden.clone();
    hidden.flat_map(|one| others.clone().map(move |other| (one, other))).collect()
}

/// Two players may have been dealt each other's shares, as far as no trade has proved the shares.
pub fn can_shares_differ(state: &State<ParisConnection>, viewer: Viewer) -> bool {
    let is_over = ParisConnection::turn(state) == Turn::Over;
    let unproven = |seat: Seat| {
        let held = &state.portfolios[seat.index()];
        let shares = held.dealt.iter().filter(|(colour, dealt)| **dealt > held.proven[*colour]);
        shares.map(|(colour, _)| colour).collect::<Vec<_>>()
    };
    let differ = |(one, other): (Seat, Seat)| {
        one < other && unproven(one).iter().any(|c| unproven(other).iter().any(|d| c != d))
    };
    !is_over && hidden_seat_pairs(state.portfolios.len(), viewer).into_iter().any(differ)
}

/// Two players may hold each other's cards, unless one of them has shown that they have no card of
/// that company.
pub fn can_hands_differ(state: &State<TrickOfTheRails>, viewer: Viewer) -> bool {
    let can_hold = |from: Seat, to: Seat| {
        state.hand_of(from).iter().any(|card| !state.is_void(to, card.company()))
    };
    let differ = |(one, other)| one < other && can_hold(one, other) && can_hold(other, one);
    hidden_seat_pairs(state.hands.len(), viewer).into_iter().any(differ)
}

/// Until a player's jewels have fallen, others cannot know how the player wants them cut.
pub fn can_wishes_differ(state: &State<OffTheRails>, viewer: Viewer) -> bool {
    let is_over = OffTheRails::turn(state) == Turn::Over;
    let is_asked = format!("{:?}", state.numbers.options.cut) == "Interactive";
    let is_open = |(seat, _): (Seat, Seat)| state.players[seat.index()].split_evidence.is_none();
    let is_alone = state.players.len() == 1;
    !is_over
        && !is_asked
        && !is_alone
        && hidden_seat_pairs(state.players.len(), viewer).into_iter().any(is_open)
}
