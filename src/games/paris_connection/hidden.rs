//! Hidden information: the shares that each player was dealt, which other players cannot know. Also
//! the audit, which checks that no locomotive is lost or doubled.

use super::ParisConnection;
use super::colour::{ByColour, Colour};
use super::state::{Event, Order, Phase, Portfolio, State};
use crate::rules::deal::{HandConstraint, deal_to_constraints};
use crate::rules::{Dice, HiddenInfo, Seat, Viewer};

impl HiddenInfo for ParisConnection {
    fn is_secret(_: &Order) -> bool {
        false
    }

    fn has_hidden_content(_: &Order) -> bool {
        false
    }

    // The outcome of an order depends only on public information and on the shares of the seat that
    // gives it. It never discloses anything new to that seat.
    fn discloses(_: &State, _: &Event, _: Seat) -> bool {
        false
    }

    /// Whether a trade gives away a share that the others did not know the player to have. Others
    /// know of shares that the player took in public.
    fn reveals_to_others(state: &State, event: &Event) -> bool {
        let Event::Traded { seat, give, .. } = *event else { return false };
        state.portfolios.get(seat.index()).is_none_or(|held| {
            let left = held.shares[give].saturating_sub(1);
            held.dealt[give].saturating_sub(left) > held.proven[give]
        })
    }

    /// Deals a consistent hidden state for this viewer, in which previews can be judged without
    /// disclosing the real shares. The shares that were dealt to other seats change owners, but
    /// each player can still make all trades that were announced since. Each possible deal has the
    /// probability that it has when dealt from a bag. After the end nothing is hidden, so the state
    /// stays as it is.
    fn redeal(state: &State, viewer: Viewer, dice: &mut Dice) -> State {
        let mut other = state.clone();
        if matches!(state.phase, Phase::Over(_)) {
            return other;
        }
        let is_hidden = |index: usize| viewer != Viewer::Seat(Seat::from_index(index));
        let theirs = other.portfolios.iter_mut().enumerate().filter(|&(index, _)| is_hidden(index));
        let mut theirs: Vec<&mut Portfolio> = theirs.map(|(_, portfolio)| portfolio).collect();
        let each = |shares: ByColour<u8>| Colour::ALL.map(|colour| u32::from(shares[colour]));
        let known = |held: &&mut Portfolio| HandConstraint {
            size: held.dealt.total(),
            min: each(held.proven),
            max: [u32::MAX; 6],
        };
        let hands: Vec<HandConstraint<6>> = theirs.iter().map(known).collect();
        let pieces =
            Colour::ALL.map(|colour| theirs.iter().map(|held| u32::from(held.dealt[colour])).sum());
        for (held, counts) in theirs.iter_mut().zip(deal_to_constraints(pieces, &hands, dice)) {
            let dealt = ByColour::from_fn(|colour| {
                u8::try_from(counts[colour as usize]).unwrap_or(u8::MAX)
            });
            // The trades since the deal are public, so they stay.
            held.shares = ByColour::from_fn(|colour| {
                held.shares[colour].saturating_add(dealt[colour]).saturating_sub(held.dealt[colour])
            });
            held.dealt = dealt;
        }
        other
    }

    /// Returns the event as it was in the determinization: shares dealt to other seats are replaced
    /// by those that the determinization deals.
    fn event_in_determinization(
        determinization: &State,
        event: &Event,
        viewer: Viewer,
        _: &mut Dice,
    ) -> Event {
        match *event {
            Event::Dealt { seat, shares } if viewer != Viewer::Seat(seat) => {
                let dealt = determinization.portfolios.get(seat.index()).map(|held| held.dealt);
                Event::Dealt { seat, shares: dealt.unwrap_or(shares) }
            }
            _ => event.clone(),
        }
    }

    /// Checks that every locomotive is in exactly one place, that each place may hold it, and that
    /// values and holdings are consistent.
    fn check_every_piece_placed(state: &State) -> Result<(), String> {
        for colour in Colour::ALL {
            audit_colour(state, colour)?;
        }
        let board = &state.board;
        let (one, two) = state.occupied_hexes();
        let crowded = two.and(board.city_hexes.or(board.start_hexes));
        let all: u32 = state.locomotives.iter().map(|(_, own)| own.len()).sum();
        let is_overfull = all != one.len() + two.len();
        if !crowded.is_empty() || is_overfull || !one.minus(board.land).is_empty() {
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
}

fn audit_colour(state: &State, colour: Colour) -> Result<(), String> {
    let (board, name) = (&state.board, colour.name());
    let built = state.locomotives[colour].minus(board.start_hexes);
    let held: u32 = state.portfolios.iter().map(|held| u32::from(held.shares[colour])).sum();
    let all = u32::from(state.supply[colour]) + built.len() + held;
    if all != u32::from(state.numbers.locomotives) {
        return Err(format!("there are {all} {name} locomotives"));
    }
    let value: u16 = built.iter().map(|hex| u16::from(board.hex_points(hex))).sum();
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
