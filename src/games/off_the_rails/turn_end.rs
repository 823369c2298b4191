//! The end of a turn: the claim of a mission, a deposit or a chasm token, and the end of the game.

use super::definition::{SoloChasmCardRule, SoloEndRule};
use super::{
    CartId, Colour, DerailReason, Ending, Era, Event, Lookahead, Mission, Place, Square, State,
    crash, deck,
};
use crate::rules::Seat;

/// Carries out the end of a seat's turn, and begins the next turn or ends the game.
pub fn end_turn(ahead: &mut Lookahead<'_>, seat: Seat) {
    claim_mission(ahead, seat);
    match ahead.state.era {
        _ if ahead.state.numbers.is_solo() => draw_solo_cards(ahead),
        Era::Abyss => place_abyss_token(ahead, seat),
        era => {
            draw_and_place_deposit(ahead, seat);
            if era == Era::LastRound(seat) {
                place_chasm_token_per_colour(ahead);
            }
        }
    }
    match find_ending(ahead) {
        Some(reason) => derail_carts_and_end_game(ahead, reason),
        None => ahead.apply_and_record(Event::Turn { seat: seat.next(ahead.state.numbers.seats) }),
    }
}

/// Claims at most one mission that the seat has achieved in this turn. The player's own ranking
/// decides, then missions that cannot be claimed later, then the lowest number (ruling 35). (Seed:
/// "A player who completes the criteria of a card can claim it, one card in a turn.")
fn claim_mission(ahead: &mut Lookahead<'_>, seat: Seat) {
    ahead.record_lasting_missions();
    let state = &ahead.state;
    let open = state.turn_progress.achieved_missions.intersection(state.missions);
    let claims =
        state.player(seat).map(|player| player.claim_ranking.as_slice()).unwrap_or_default();
    let wished = claims.iter().copied().find(|&mission| open.contains(mission));
    let passes = |mission: &Mission| !is_claimable_later(state, seat, *mission);
    let passing = open.iter().find(passes).filter(|_| !state.numbers.is_first_edition());
    if let Some(mission) = wished.or(passing).or_else(|| open.iter().next()) {
        ahead.apply_and_record(Event::Claimed { seat, mission });
    }
}

/// Whether the seat could still claim the mission in a later turn. This is so if the mission asks
/// for a lasting state instead of a deed of this turn.
pub fn is_claimable_later(state: &State, seat: Seat, mission: Mission) -> bool {
    match mission {
        Mission::SpiceOfLife => true,
        Mission::GemCollector => state.carts_of(seat).any(|cart| state.has_full_hold(cart)),
        _ => false,
    }
}

/// Draws and places a deposit. (Seed: "The active player reveals the top card of the deposit
/// deck.") The Chasm card brings no deposit (ruling 26).
fn draw_and_place_deposit(ahead: &mut Lookahead<'_>, seat: Seat) {
    match deck::draw_card(ahead) {
        None => ahead.apply_and_record(Event::ChasmCard { seat }),
        Some(card) => {
            let jewels = deck::draw_jewels(ahead, card);
            ahead.apply_and_record(Event::Deposited { card, jewels });
        }
    }
}

/// Places one chasm token of each colour. (Seed: "The active player reveals each card of the chasm
/// deck and places a token of its colour on its square.")
fn place_chasm_token_per_colour(ahead: &mut Lookahead<'_>) {
    ahead.apply_and_record(Event::Collapsed);
    for colour in Colour::ALL {
        let card = deck::draw_card_of_colour(ahead, colour);
        if let Some(at) = ahead.state.board.card_square(card) {
            drop_cart_and_sink_square(ahead, colour, at);
        }
    }
}

/// Places one chasm token next to a token of its colour. (Seed: "The active player draws and places
/// a random chasm token.") For a player without a cart on the board this is optional (ruling 29).
fn place_abyss_token(ahead: &mut Lookahead<'_>, seat: Seat) {
    let wishes = ahead.state.player(seat);
    let (chasm, places) = wishes.map_or(([None; 4], false), |p| (p.token_wishes, p.wants_token));
    if !ahead.state.has_cart_on_board(seat) && !places {
        return;
    }
    let tokens = ahead.state.tokens;
    let token = |colour: Colour| tokens[colour.index()].into();
    let colour = deck::pick_weighted(ahead.dice, &Colour::ALL, token);
    let Some(colour) = colour else { return };
    let at = if ahead.state.numbers.options.abyss_die {
        deck::roll_token_square(ahead, colour)
    } else {
        let open = deck::legal_token_squares(&ahead.state, colour);
        let wished = chasm[colour.index()].filter(|&square| open.contains(square));
        let open: Vec<Square> = open.iter().collect();
        wished.or_else(|| ahead.dice.pick(&open).copied())
    };
    match at {
        Some(at) => drop_cart_and_sink_square(ahead, colour, at),
        None => ahead.apply_and_record(Event::Discarded { colour }),
    }
}

/// Puts a chasm token on a square. A cart there falls first. (Seed: "Any tile, jewel or cart in
/// that space is removed from the game.")
fn drop_cart_and_sink_square(ahead: &mut Lookahead<'_>, colour: Colour, at: Square) {
    if let Some(cart) = ahead.state.cart_on(at) {
        ahead.apply_and_record(Event::Fell { cart });
    }
    ahead.apply_and_record(Event::Sank { colour, at });
}

/// Solo: turns up the cards at the end of a turn, and places their tokens. (Seed: "Reveal the first
/// four cards; in each later phase, one"; rulings 45, 46.)
fn draw_solo_cards(ahead: &mut Lookahead<'_>) {
    let (before, events) = (ahead.state.clone(), ahead.events.len());
    let is_first = before.drawn == 0 && !before.reshuffled;
    let mut has_chasm_card = true;
    for _ in 0..if is_first { before.numbers.solo.first_cards } else { 1 } {
        let Some(card) = deck::draw_solo_card(ahead, has_chasm_card) else {
            has_chasm_card = false;
            continue;
        };
        ahead.apply_and_record(Event::Revealed { card });
        if let Some(at) = ahead.state.board.card_square(card) {
            drop_cart_and_sink_square(ahead, card.colour, at);
        }
    }
    if !has_chasm_card {
        if before.numbers.options.solo_chasm_card == SoloChasmCardRule::Turn {
            // "Do not place an abyss token in this turn": this option takes back the other tokens
            // of the turn and shuffles their cards back.
            ahead.state = before;
            ahead.events.truncate(events);
        }
        ahead.apply_and_record(Event::Reshuffled);
    }
}

/// Returns the reason if the game ends now. (Seed: "The game ends when all carts have left the
/// board or all chasm tokens have been placed"; ruling 32.) The solo game ends when all carts are
/// out of the game, or all tokens are placed. With [`SoloEndRule::Left`] it also ends when no cart
/// is on the board, once a cart has entered: the first turns may only lay track.
fn find_ending(ahead: &Lookahead<'_>) -> Option<Ending> {
    let state = &ahead.state;
    let is_left = state.numbers.options.solo_end == SoloEndRule::Left && state.has_entered;
    let ends_without_carts = !state.numbers.is_solo() || is_left;
    let is_over = |cart: CartId| {
        let cart = state.cart(cart);
        if ends_without_carts { !cart.is_on_board() } else { cart.place == Place::Gone }
    };
    let reason = if state.chasm_tokens_left() == 0 {
        Some(Ending::NoTokens)
    } else {
        state.all_carts().all(is_over).then_some(Ending::NoCarts)
    };
    reason.filter(|_| state.era == Era::Abyss)
}

/// Ends the game. (Seed: "Carts still on the board are derailed.")
pub fn derail_carts_and_end_game(ahead: &mut Lookahead<'_>, reason: Ending) {
    for cart in ahead.state.all_carts() {
        if ahead.state.cart(cart).is_on_board() {
            ahead.apply_and_record(crash::derail_event(&ahead.state, cart, DerailReason::Over));
        }
    }
    ahead.apply_and_record(Event::Ended { reason });
}
