//! What closes a turn: a claim, a deposit or the abyss, and the end of the game.

use super::ahead::Ahead;
use super::colour::Colour;
use super::deck;
use super::definition::{SoloChasmCard, SoloEnd};
use super::event::{Ending, Event, Wreck};
use super::grid::Square;
use super::mission::Mission;
use super::order::CartId;
use super::state::{Era, Place, State};
use crate::rules::Seat;

/// Closes the turn of this seat.
pub fn close(ahead: &mut Ahead<'_>, seat: Seat) {
    claim(ahead, seat);
    if ahead.state.numbers.is_solo() {
        solo_cards(ahead);
    } else {
        match ahead.state.era {
            Era::Mining => deposit(ahead, seat),
            Era::LastRound(drawer) => {
                deposit(ahead, seat);
                if drawer == seat {
                    collapse(ahead);
                }
            }
            Era::Abyss => abyss(ahead, seat),
        }
    }
    match ending(ahead) {
        Some(reason) => end(ahead, reason),
        None => ahead.happen(Event::Turn { seat: seat.next(ahead.state.numbers.seats) }),
    }
}

/// "A player who completes the criteria of a card can claim it, one card in a turn": by the
/// player's own order, else what cannot be claimed later, the lowest number first (ruling 35).
fn claim(ahead: &mut Ahead<'_>, seat: Seat) {
    ahead.note_states();
    let open = ahead.state.stint.deeds.and(ahead.state.missions);
    let wished = ahead
        .state
        .player(seat)
        .and_then(|player| player.claims.iter().copied().find(|&mission| open.contains(mission)));
    let stays = |mission: &Mission| is_still_claimable(&ahead.state, seat, *mission);
    let is_first_edition = ahead.state.numbers.is_first_edition();
    let fleeting = open.iter().find(|mission| !is_first_edition && !stays(mission));
    let mission: Option<Mission> = wished.or(fleeting).or_else(|| open.iter().next());
    if let Some(mission) = mission {
        ahead.happen(Event::Claimed { seat, mission });
    }
}

/// Whether the seat can still claim the mission in a later turn, if nobody else has by then: it is
/// a state that lasts, not a deed of this turn.
pub fn is_still_claimable(state: &State, seat: Seat, mission: Mission) -> bool {
    match mission {
        Mission::SpiceOfLife => true,
        Mission::GemCollector => state.carts_of(seat).any(|cart| {
            let held = state.cart(cart).hold.precious();
            held >= u32::from(state.numbers.hold)
        }),
        _ => false,
    }
}

/// "The active player reveals the top card of the deposit deck." The Chasm card brings no deposit
/// (ruling 26).
fn deposit(ahead: &mut Ahead<'_>, seat: Seat) {
    match deck::draw(ahead) {
        None => ahead.happen(Event::ChasmCard { seat }),
        Some(card) => {
            let jewels = deck::jewels(ahead, card);
            ahead.happen(Event::Deposited { card, jewels });
        }
    }
}

/// "The active player reveals each card of the chasm deck and places a token of its colour on its
/// square."
fn collapse(ahead: &mut Ahead<'_>) {
    ahead.happen(Event::Collapsed);
    for (colour, card) in deck::collapsing(ahead) {
        if let Some(at) = ahead.state.board.mined(card) {
            sink(ahead, colour, at);
        }
    }
}

/// "The active player draws and places a random chasm token" next to one of its colour. A player
/// without a cart on the board may (ruling 29).
fn abyss(ahead: &mut Ahead<'_>, seat: Seat) {
    let wishes = ahead.state.player(seat);
    let (chasm, places) = wishes.map_or(([None; 4], false), |p| (p.chasm, p.places));
    if !ahead.state.has_cart(seat) && !places {
        return;
    }
    let Some(colour) = deck::token(ahead) else { return };
    let at = if ahead.state.numbers.variant.abyss_die {
        deck::by_die(ahead, colour)
    } else {
        let open = deck::chasm_squares(&ahead.state, colour);
        let wished = chasm[colour.index()].filter(|&square| open.contains(square));
        let open: Vec<Square> = open.iter().collect();
        wished.or_else(|| ahead.dice.pick(&open).copied())
    };
    match at {
        Some(at) => sink(ahead, colour, at),
        None => ahead.happen(Event::Discarded { colour }),
    }
}

/// "Any tile, jewel or cart in that space is removed from the game."
fn sink(ahead: &mut Ahead<'_>, colour: Colour, at: Square) {
    if let Some(cart) = ahead.state.cart_on(at) {
        ahead.happen(Event::Fell { cart });
    }
    ahead.happen(Event::Sank { colour, at });
}

/// Solo: "reveal the first four cards; in each later phase, one" (rulings 45, 46).
fn solo_cards(ahead: &mut Ahead<'_>) {
    let state = &ahead.state;
    let is_first = state.drawn == 0 && !state.reshuffled;
    let (before, events) = (state.clone(), ahead.events.len());
    let first_cards = ahead.state.numbers.solo.map_or(1, |solo| solo.first_cards);
    let mut has_chasm_card = true;
    for _ in 0..if is_first { first_cards } else { 1 } {
        let Some(card) = deck::solo_card(ahead, has_chasm_card) else {
            has_chasm_card = false;
            continue;
        };
        ahead.happen(Event::Revealed { card });
        if let Some(at) = ahead.state.board.mined(card) {
            sink(ahead, card.colour, at);
        }
    }
    if !has_chasm_card {
        if before.numbers.variant.solo_chasm_card == SoloChasmCard::Turn {
            // "Do not place an abyss token in this turn": nothing was turned up but that card.
            ahead.state = before;
            ahead.events.truncate(events);
        }
        ahead.happen(Event::Reshuffled);
    }
}

/// "The game ends when all carts have left the board or all chasm tokens have been placed" (ruling
/// 32); the solo game when all carts are out of the game, or the tokens are.
fn ending(ahead: &Ahead<'_>) -> Option<Ending> {
    let state = &ahead.state;
    if state.era != Era::Abyss {
        return None;
    }
    let is_over = |cart: CartId| {
        let cart = state.cart(cart);
        let stays = state.numbers.is_solo() && state.numbers.variant.solo_end != SoloEnd::Left;
        if stays { cart.place == Place::Gone } else { !cart.is_on_board() }
    };
    if state.tokens_left() == 0 {
        Some(Ending::NoTokens)
    } else if state.all_carts().all(is_over) {
        Some(Ending::NoCarts)
    } else {
        None
    }
}

/// "Carts still on the board are derailed."
pub fn end(ahead: &mut Ahead<'_>, reason: Ending) {
    for cart in ahead.state.all_carts() {
        if ahead.state.cart(cart).is_on_board() {
            super::crash::derail(ahead, cart, Wreck::Over);
        }
    }
    ahead.happen(Event::Ended { reason });
}
