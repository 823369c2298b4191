//! The end of a turn: a claim, a deposit or the abyss phase, and the end of the game.

use super::definition::{SoloChasmCard, SoloEnd};
use super::{
    Ahead, CartId, Colour, Ending, Era, Event, Mission, Place, Square, State, Wreck, crash, deck,
};
use crate::rules::Seat;

/// Closes the turn of a seat.
pub fn close(ahead: &mut Ahead<'_>, seat: Seat) {
    claim(ahead, seat);
    match ahead.state.era {
        _ if ahead.state.numbers.is_solo() => solo_cards(ahead),
        Era::Abyss => abyss(ahead, seat),
        era => {
            deposit(ahead, seat);
            if era == Era::LastRound(seat) {
                collapse(ahead);
            }
        }
    }
    match ending(ahead) {
        Some(reason) => end(ahead, reason),
        None => ahead.happen(Event::Turn { seat: seat.next(ahead.state.numbers.seats) }),
    }
}

/// "A player who completes the criteria of a card can claim it, one card in a turn". The player's
/// own ranking decides; then missions that cannot be claimed later; then the lowest number (ruling
/// 35).
fn claim(ahead: &mut Ahead<'_>, seat: Seat) {
    ahead.note_states();
    let state = &ahead.state;
    let open = state.stint.deeds.and(state.missions);
    let claims = state.player(seat).map(|player| player.claims.as_slice()).unwrap_or_default();
    let wished = claims.iter().copied().find(|&mission| open.contains(mission));
    let passes = |mission: &Mission| !is_still_claimable(state, seat, *mission);
    let passing = open.iter().find(passes).filter(|_| !state.numbers.is_first_edition());
    if let Some(mission) = wished.or(passing).or_else(|| open.iter().next()) {
        ahead.happen(Event::Claimed { seat, mission });
    }
}

/// Whether the seat can claim the mission in a later turn too, because it asks for a state that
/// lasts and not for a deed of this turn.
pub fn is_still_claimable(state: &State, seat: Seat, mission: Mission) -> bool {
    match mission {
        Mission::SpiceOfLife => true,
        Mission::GemCollector => state.carts_of(seat).any(|cart| state.has_full_hold(cart)),
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
    for colour in Colour::ALL {
        let card = deck::card_of(ahead, colour);
        if let Some(at) = ahead.state.board.mined(card) {
            sink(ahead, colour, at);
        }
    }
}

/// "The active player draws and places a random chasm token" next to one of its colour. For a
/// player without a cart on the board this is optional (ruling 29).
fn abyss(ahead: &mut Ahead<'_>, seat: Seat) {
    let wishes = ahead.state.player(seat);
    let (chasm, places) = wishes.map_or(([None; 4], false), |p| (p.chasm, p.places));
    if !ahead.state.has_cart(seat) && !places {
        return;
    }
    let tokens = ahead.state.tokens;
    let token = |colour: Colour| tokens[colour.index()].into();
    let colour = deck::pick_weighted(ahead.dice, &Colour::ALL, token);
    let Some(colour) = colour else { return };
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
    let (before, events) = (ahead.state.clone(), ahead.events.len());
    let is_first = before.drawn == 0 && !before.reshuffled;
    let mut has_chasm_card = true;
    for _ in 0..if is_first { before.numbers.solo.first_cards } else { 1 } {
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
            // "Do not place an abyss token in this turn": the other cards are shuffled back.
            ahead.state = before;
            ahead.events.truncate(events);
        }
        ahead.happen(Event::Reshuffled);
    }
}

/// "The game ends when all carts have left the board or all chasm tokens have been placed" (ruling
/// 32). The solo game ends when all carts are out of the game or all tokens have been placed.
fn ending(ahead: &Ahead<'_>) -> Option<Ending> {
    let state = &ahead.state;
    let is_over = |cart: CartId| {
        let cart = state.cart(cart);
        let stays = state.numbers.is_solo() && state.numbers.variant.solo_end != SoloEnd::Left;
        if stays { cart.place == Place::Gone } else { !cart.is_on_board() }
    };
    let reason = if state.tokens_left() == 0 {
        Some(Ending::NoTokens)
    } else {
        state.all_carts().all(is_over).then_some(Ending::NoCarts)
    };
    reason.filter(|_| state.era == Era::Abyss)
}

/// "Carts still on the board are derailed."
pub fn end(ahead: &mut Ahead<'_>, reason: Ending) {
    for cart in ahead.state.all_carts() {
        if ahead.state.cart(cart).is_on_board() {
            ahead.happen(crash::derailment(&ahead.state, cart, Wreck::Over));
        }
    }
    ahead.happen(Event::Ended { reason });
}
