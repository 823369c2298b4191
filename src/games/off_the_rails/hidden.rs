//! What the others cannot know: what a player wants done when it comes to it, and how jewels were
//! cut. And whether every piece is where it can be.
//!
//! Bag and decks hold no secret: what is drawn is drawn when it is turned up.

use super::colour::Colour;
use super::deck;
use super::event::Event;
use super::grid::Ends;
use super::jewel::{Hoard, Jewel};
use super::mission::Mission;
use super::order::{Split, Wish};
use super::state::{Era, Phase, Place, Player, State};
use crate::rules::{Dice, Seat, Viewer};

/// Another state that the viewer could not tell from this one: the others want something else.
pub fn reshuffle(state: &State, viewer: Viewer, dice: &mut Dice) -> State {
    let mut other = state.clone();
    if matches!(state.phase, Phase::Over(_)) {
        return other;
    }
    let sees = |seat: Seat| viewer == Viewer::Seat(seat);
    for (index, player) in other.players.iter_mut().enumerate() {
        if !sees(Seat::from_index(index)) {
            scramble(state, player, dice);
        }
    }
    if let Some(run) = &mut other.run
        && let (Some(_), Some(crash)) = (run.cut, run.crash)
        && !sees(state.owner(crash.other))
    {
        run.cut = dice.pick(&cuts(state.cart(crash.other).hold)).copied();
    }
    other
}

fn scramble(state: &State, player: &mut Player, dice: &mut Dice) {
    player.split = dice.pick(&Split::ALL).copied().unwrap_or_default();
    player.claims = Mission::ALL.to_vec();
    dice.shuffle(&mut player.claims);
    player.places = dice.below(2) == 1;
    for colour in Colour::ALL {
        let squares: Vec<_> = deck::chasm_squares(state, colour).iter().collect();
        player.chasm[colour.index()] = dice.pick(&squares).copied();
    }
}

/// Every first pile that an equal cut can make.
fn cuts(hold: Hoard) -> Vec<Hoard> {
    let (down, up) = (hold.total() / 2, hold.total().div_ceil(2));
    let mut cuts = hold.parts(down);
    if up != down {
        cuts.extend(hold.parts(up));
    }
    cuts
}

/// Another event that the viewer could not tell from this one.
pub fn reshuffle_event(event: &Event, viewer: Viewer, dice: &mut Dice) -> Event {
    match *event {
        Event::Wished { seat, .. } if viewer != Viewer::Seat(seat) => {
            let split = dice.pick(&Split::ALL).copied().unwrap_or_default();
            let mission = dice.pick(&Mission::ALL).copied();
            let wish = match (dice.below(3), mission) {
                (0, Some(mission)) => Wish::Claim(mission),
                (1, _) => Wish::Place(dice.below(2) == 1),
                _ => Wish::Split(split),
            };
            Event::Wished { seat, wish }
        }
        // Whose cart it is cannot be told without the game: even its owner is told nothing by it.
        Event::Cut { cart, .. } => {
            let first = dice.pick(&Jewel::ALL).copied().into_iter().collect();
            Event::Cut { cart, first }
        }
        _ => event.clone(),
    }
}

/// Whether every piece is somewhere, and nowhere that it cannot be.
///
/// # Errors
/// What is missing or double.
pub fn audit(state: &State) -> Result<(), String> {
    audit_jewels(state)?;
    audit_tiles(state)?;
    audit_carts(state)?;
    audit_run(state)?;
    if !state.numbers.is_solo() {
        let placed: Vec<u32> = state.sunk.iter().map(|squares| squares.len()).collect();
        for (colour, (&left, &placed)) in Colour::ALL.iter().zip(state.tokens.iter().zip(&placed)) {
            if u32::from(left) + placed > u32::from(state.numbers.tokens) {
                return Err(format!("there are too many {} tokens", colour.name()));
            }
        }
    }
    Ok(())
}

fn audit_jewels(state: &State) -> Result<(), String> {
    let grounds = state.ground.values().copied();
    let holds = state.all_carts().map(|cart| state.cart(cart).hold);
    let piles = state.players.iter().map(Player::pile);
    let all = grounds.chain(holds).chain(piles).chain([state.bag, state.gone]);
    let all = all.fold(Hoard::NONE, Hoard::plus);
    if all == state.numbers.bag { Ok(()) } else { Err(format!("the jewels are {all:?}")) }
}

fn audit_tiles(state: &State) -> Result<(), String> {
    let board = state.board.squares.iter().map(|square| state.track[square]);
    let laid: Vec<Ends> = board.filter(|&ends| ends != Ends::NONE).collect();
    let junctions = laid.iter().filter(|ends| ends.is_junction()).count();
    let (supply, gone, all) = (state.tiles, state.tiles_gone, state.numbers.tiles);
    let count = |laid: usize, supply: u8, gone: u8| laid + usize::from(supply) + usize::from(gone);
    let simple = count(laid.len() - junctions, supply.straight_or_corner, gone.straight_or_corner);
    let complex = count(junctions, supply.t_or_cross, gone.t_or_cross);
    if simple != usize::from(all.straight_or_corner) || complex != usize::from(all.t_or_cross) {
        return Err(format!("there are {simple} simple tiles and {complex} junctions"));
    }
    let board = &state.board;
    let stray = state.tiled.iter().any(|at| {
        board.centres.contains(at) || state.chasm().contains(at) || state.track[at].count() < 2
    });
    if stray || u32::try_from(laid.len()) != Ok(state.tiled.len()) {
        return Err("a tile lies where none can".to_owned());
    }
    Ok(())
}

fn audit_carts(state: &State) -> Result<(), String> {
    for cart in state.all_carts() {
        let (shown, index) = (state.cart(cart), cart.index());
        if shown.hold.total() > u32::from(state.numbers.hold) {
            return Err(format!("cart {index} holds too much"));
        }
        let speed = state.numbers.speed;
        match shown.place {
            Place::Track(square) => {
                // One that has just rolled onto its square is still to say where it goes on.
                let is_rolling = state.run.is_some_and(|run| run.cart == cart);
                if !is_rolling && !state.track[square].has(shown.facing) {
                    return Err(format!("cart {index} faces no track"));
                }
                let twins = state.all_carts().filter(|&c| state.cart(c).place == shown.place);
                if twins.count() > 1 {
                    return Err(format!("two carts stand on {square}"));
                }
            }
            _ if !shown.hold.is_empty() => return Err(format!("cart {index} holds jewels")),
            _ => {}
        }
        if shown.is_on_board() && !(speed.least..=speed.most).contains(&shown.speed) {
            return Err(format!("cart {index} is too fast or too slow"));
        }
    }
    Ok(())
}

fn audit_run(state: &State) -> Result<(), String> {
    let is_cut_right = state.run.is_none_or(|run| {
        let rammed = run.crash.map(|crash| state.cart(crash.other).hold);
        run.cut.is_none_or(|cut| rammed.is_some_and(|hold| cuts(hold).contains(&cut)))
    });
    if !is_cut_right {
        return Err("the jewels are cut wrongly".to_owned());
    }
    if state.era == Era::Mining && !state.numbers.is_solo() && !state.chasm().is_empty() {
        return Err("a mine has collapsed too early".to_owned());
    }
    Ok(())
}
