//! What the others cannot know: what a player wants done when it comes to it, and how jewels were
//! cut; and what nobody can know, because it has not been drawn. And whether every piece is where
//! it can be.
//!
//! Bag and decks hold no secret: what is drawn is drawn when it is turned up.

use super::OffTheRails;
use super::colour::Colour;
use super::crash;
use super::deck;
use super::definition::Cut;
use super::event::Event;
use super::grid::{Ends, Square};
use super::jewel::{Hoard, Jewel};
use super::mission::Mission;
use super::order::{Order, Split, Wish};
use super::state::{Era, Phase, Place, Player, State};
use crate::rules::{Dice, Hidden, Seat, Viewer};

impl Hidden for OffTheRails {
    fn is_secret(order: &Order) -> bool {
        matches!(order, Order::Wish(_))
    }

    // Which pile holds what, nobody knows before it has fallen, nor what would have fallen else.
    fn is_covert(order: &Order) -> bool {
        matches!(order, Order::Cut(_))
    }

    /// Whether an event that this seat's order led to was for chance to decide, or for what another
    /// player wants.
    fn discloses(state: &State, event: &Event, seat: Seat) -> bool {
        match *event {
            Event::Opened { .. }
            | Event::Primed { .. }
            | Event::Strewn { .. }
            | Event::Deposited { .. }
            | Event::ChasmCard { .. }
            | Event::Sank { .. }
            | Event::Discarded { .. }
            | Event::Revealed { .. }
            | Event::Reshuffled => true,
            Event::Dropped { cart, .. } => !crash::is_foreseen(state, cart, seat),
            // A cart falls as it moves, or because its square sinks.
            Event::Fell { cart } => state.run.is_none_or(|run| run.cart != cart),
            _ => false,
        }
    }

    // How jewels were cut and which mission was claimed first show what a player wants.
    fn turns_up(_: &State, event: &Event) -> bool {
        matches!(event, Event::Dropped { .. } | Event::Claimed { .. })
    }

    /// Another state that the viewer could not tell from this one: the others want something else,
    /// as far as what fell from their carts and what they claimed allows. Nobody can know what a
    /// player likes, so every wish that is left is as likely, but for how often it lets fall what
    /// fell. After the end nothing is hidden.
    fn redeal(state: &State, viewer: Viewer, dice: &mut Dice) -> State {
        let mut other = state.clone();
        if matches!(state.phase, Phase::Over(_)) {
            return other;
        }
        let sees = |seat: Seat| viewer == Viewer::Seat(seat);
        for (index, player) in other.players.iter_mut().enumerate() {
            let seat = Seat::from_index(index);
            if !sees(seat) {
                player.split = split(state, player, dice);
                player.claims = claims(state, player, dice);
                (player.chasm, player.places) = chasm(state, seat, dice);
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

    /// The event as it may have been in another world of this viewer.
    fn redeal_event(world: &State, event: &Event, viewer: Viewer, dice: &mut Dice) -> Event {
        match *event {
            Event::Wished { seat, .. } if viewer != Viewer::Seat(seat) => {
                let split = world.player(seat).map_or_else(Split::default, |player| player.split);
                let mission = dice.pick(&Mission::ALL).copied();
                let wish = match (dice.below(3), mission) {
                    (0, Some(mission)) => Wish::Claim(mission),
                    (1, _) => Wish::Place(dice.below(2) == 1),
                    _ => Wish::Split(split),
                };
                Event::Wished { seat, wish }
            }
            Event::Cut { cart, .. } if viewer != Viewer::Seat(world.owner(cart)) => {
                let pending =
                    world.run.filter(|run| run.crash.is_some_and(|crash| crash.other == cart));
                let other = || dice.pick(&Jewel::ALL).copied().into_iter().collect();
                Event::Cut { cart, first: pending.and_then(|run| run.cut).unwrap_or_else(other) }
            }
            _ => event.clone(),
        }
    }

    /// Whether every piece is somewhere, and nowhere that it cannot be.
    fn audit(state: &State) -> Result<(), String> {
        audit_jewels(state)?;
        audit_tiles(state)?;
        audit_carts(state)?;
        audit_run(state)?;
        if !state.numbers.is_solo() {
            let placed: Vec<u32> = state.sunk.iter().map(|squares| squares.len()).collect();
            for (colour, (&left, &placed)) in
                Colour::ALL.iter().zip(state.tokens.iter().zip(&placed))
            {
                if u32::from(left) + placed > u32::from(state.numbers.tokens) {
                    return Err(format!("there are too many {} tokens", colour.name()));
                }
            }
        }
        Ok(())
    }
}

/// A standing order to cut, where one can be given; each as likely as it lets fall what fell.
fn split(state: &State, player: &Player, dice: &mut Dice) -> Split {
    if state.numbers.is_solo() || state.numbers.variant.cut == Cut::Interactive {
        return Split::default();
    }
    let ways = player.fallen.filter(|ways| ways.iter().any(|&ways| ways > 0)).unwrap_or([1; 3]);
    let mut nth = dice.below(ways.iter().fold(0, |all, &ways| all.saturating_add(ways)));
    let chosen = Split::ALL.into_iter().zip(ways).find(|&(_, ways)| {
        let is_it = nth < ways;
        nth = nth.saturating_sub(ways);
        is_it
    });
    chosen.map_or_else(Split::default, |(split, _)| split)
}

/// Some missions in the order in which they would be claimed. The one that was claimed last was
/// wanted before all that could have been claimed with it.
fn claims(state: &State, player: &Player, dice: &mut Dice) -> Vec<Mission> {
    let mut open: Vec<Mission> =
        state.missions.iter().filter(|mission| mission.is_claimed_in_turn()).collect();
    dice.shuffle(&mut open);
    open.truncate(dice.below(u32::try_from(open.len() + 1).unwrap_or(u32::MAX)) as usize);
    player.claimed.into_iter().chain(open).collect()
}

/// Where chasm tokens go in this turn, and whether one is placed at all: for whose turn it is.
fn chasm(state: &State, seat: Seat, dice: &mut Dice) -> ([Option<Square>; 4], bool) {
    let is_asked = state.active() == Some(seat) && state.era == Era::Abyss;
    if !is_asked || state.numbers.is_solo() || dice.below(2) == 0 {
        return ([None; 4], false);
    }
    let square = |colour| {
        let open = deck::chasm_squares(state, colour);
        let wishes: Vec<Option<Square>> =
            std::iter::once(None).chain(open.iter().map(Some)).collect();
        dice.pick(&wishes).copied().flatten().filter(|_| !state.numbers.variant.abyss_die)
    };
    (Colour::ALL.map(square), true)
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
