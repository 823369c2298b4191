//! What the others cannot know: who was dealt what. And whether every locomotive is where it can
//! be.

use super::colour::{ByColour, Colour};
use super::decide::counted;
use super::state::{Event, Phase, Portfolio, State};
use crate::rules::{Dice, Seat, Viewer};

/// Another state that the viewer could not tell from this one: the shares dealt to the other seats
/// change owners, as far as the trades announced since allow. After the end nothing is hidden.
pub fn reshuffle(state: &State, viewer: Viewer, dice: &mut Dice) -> State {
    let mut other = state.clone();
    if matches!(state.phase, Phase::Over(_)) {
        return other;
    }
    let hidden =
        |(index, _): &(usize, &mut Portfolio)| viewer != Viewer::Seat(Seat::from_index(*index));
    let mut theirs: Vec<&mut Portfolio> = other
        .portfolios
        .iter_mut()
        .enumerate()
        .filter(hidden)
        .map(|(_, portfolio)| portfolio)
        .collect();
    let unproven = |held: &Portfolio| {
        ByColour::from_fn(|colour| held.dealt[colour].saturating_sub(held.proven[colour]))
    };
    let mut pool: Vec<Colour> = theirs
        .iter()
        .flat_map(|held| unproven(held).iter().flat_map(repeat).collect::<Vec<_>>())
        .collect();
    dice.shuffle(&mut pool);
    for held in &mut theirs {
        let size = usize::try_from(unproven(held).total()).unwrap_or_default();
        let drawn = counted(&pool.split_off(pool.len().saturating_sub(size)));
        let dealt = ByColour::from_fn(|colour| held.proven[colour].saturating_add(drawn[colour]));
        // What was traded since is public and stays.
        held.shares = ByColour::from_fn(|colour| {
            held.shares[colour].saturating_add(dealt[colour]).saturating_sub(held.dealt[colour])
        });
        held.dealt = dealt;
    }
    other
}

fn repeat((colour, &count): (Colour, &u8)) -> impl Iterator<Item = Colour> + use<> {
    std::iter::repeat_n(colour, usize::from(count))
}

/// Another event that the viewer could not tell from this one: another hand of the same size.
pub fn reshuffle_event(event: &Event, viewer: Viewer, dice: &mut Dice) -> Event {
    match *event {
        Event::Dealt { seat, shares } if viewer != Viewer::Seat(seat) => {
            let hand: Vec<Colour> =
                (0..shares.total()).filter_map(|_| dice.pick(&Colour::ALL).copied()).collect();
            Event::Dealt { seat, shares: counted(&hand) }
        }
        _ => event.clone(),
    }
}

/// Whether every locomotive is somewhere, and nowhere that it cannot be.
///
/// # Errors
/// What is missing or double.
pub fn audit(state: &State) -> Result<(), String> {
    for colour in Colour::ALL {
        audit_colour(state, colour)?;
    }
    let board = &state.board;
    let (one, two) = state.occupied();
    let crowded = two.and(board.city_hexes.or(board.start_hexes));
    let overfull =
        Colour::ALL.into_iter().map(|colour| state.locomotives[colour].len()).sum::<u32>()
            != one.len() + two.len();
    if !crowded.is_empty() || overfull || !one.minus(board.land).is_empty() {
        return Err("a hex holds more locomotives than it can".to_owned());
    }
    if state.build.is_some_and(|build| build.placed > state.numbers.build_most) {
        return Err("a build is too long".to_owned());
    }
    for (index, held) in state.portfolios.iter().enumerate() {
        let fits = held.proven.iter().all(|(colour, &proven)| proven <= held.dealt[colour]);
        let is_whole = held.shares.total() >= held.dealt.total();
        if !fits || !is_whole {
            return Err(format!("seat {} cannot hold what it holds", Seat::from_index(index)));
        }
    }
    Ok(())
}

fn audit_colour(state: &State, colour: Colour) -> Result<(), String> {
    let (board, name) = (&state.board, colour.name());
    let built = state.locomotives[colour].minus(board.start_hexes);
    let held: u32 = state.portfolios.iter().map(|held| u32::from(held.shares[colour])).sum();
    let all = u32::from(state.supply[colour]) + built.len() + held;
    if all != u32::from(state.numbers.locomotives) {
        return Err(format!("there are {all} {name} locomotives"));
    }
    let value: u16 = built.iter().map(|hex| u16::from(board.points(hex))).sum();
    if value != state.values[colour] {
        return Err(format!("{name} is worth {value}, not {}", state.values[colour]));
    }
    let has_begun = state.phase != Phase::Unopened;
    if has_begun && state.locomotives[colour].and(board.start_hexes).len() != 1 {
        return Err(format!("{name} does not stand on one start hex"));
    }
    if has_begun && !state.has_city(colour) && state.lifelines[colour].is_empty() {
        return Err(format!("{name} is cut off"));
    }
    Ok(())
}
