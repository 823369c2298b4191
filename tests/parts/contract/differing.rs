//! Whether things may be otherwise than they are, as each game's pieces are counted on the table.
//! It is told from the position and not by what is dealt anew, which it is there to hold.

use postrider::games::{OffTheRails, ParisConnection, TrickOfTheRails};
use postrider::rules::{Rules, Seat, Turn, Viewer};

type State<G> = <G as Rules>::State;

/// The seats whose secrets this viewer does not know, each with each other.
fn hidden_seat_pairs(seats: usize, viewer: Viewer) -> Vec<(Seat, Seat)> {
    let seats = u8::try_from(seats).expect("few");
    let hidden = Seat::all(seats).filter(move |seat| viewer != Viewer::Seat(*seat));
    let others = hidden.clone();
    hidden.flat_map(|one| others.clone().map(move |other| (one, other))).collect()
}

/// Two players may have been dealt each other's share, where no trade has proved it theirs.
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

/// Two players may hold each other's card, unless one has shown that he has none of its company.
pub fn can_hands_differ(state: &State<TrickOfTheRails>, viewer: Viewer) -> bool {
    let can_hold = |from: Seat, to: Seat| {
        state.hand_of(from).iter().any(|card| !state.is_void(to, card.company()))
    };
    let differ = |(one, other)| one < other && can_hold(one, other) && can_hold(other, one);
    hidden_seat_pairs(state.hands.len(), viewer).into_iter().any(differ)
}

/// Nobody knows how a player wants his jewels cut of whom nothing has fallen yet.
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
