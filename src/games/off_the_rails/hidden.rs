//! The hidden information of the game: standing orders and cuts of jewels. It also contains the
//! audit of the pieces.
//!
//! The bag and the decks hold no secret, because chance chooses a jewel or a card only when it is
//! drawn.

use super::definition::{CutRule, TileCounts};
use super::state::{Phase, Player};
use super::{
    CartId, Colour, Era, Event, Jewel, JewelCounts, Mission, OffTheRails, Order, Split, Square,
    State, TileOpenings, Wish, crash, deck, require,
};
use crate::rules::{Dice, HiddenInfo, Seat, Viewer};

impl HiddenInfo for OffTheRails {
    fn is_secret(order: &Order) -> bool {
        matches!(order, Order::Wish(_))
    }

    // The others see only the pile that falls, and only once it has fallen.
    fn has_hidden_content(order: &Order) -> bool {
        matches!(order, Order::Cut(_))
    }

    /// Whether the event shows the seat that caused it something that it could not know: a result
    /// of chance, or an effect of another player's secret.
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
            Event::Dropped { cart, .. } => !crash::can_foresee_drop(state, cart, seat),
            // A cart that is not moving falls only because its square collapsed, and chance drew
            // the token.
            Event::Fell { cart } => state.current_move.is_none_or(|run| run.cart != cart),
            _ => false,
        }
    }

    // The jewels that fall and the mission that is claimed show the others something about standing
    // orders.
    fn reveals_to_others(_: &State, event: &Event) -> bool {
        matches!(event, Event::Dropped { .. } | Event::Claimed { .. })
    }

    /// Returns the position with secrets that the viewer cannot know dealt again. Each standing
    /// order for cutting is weighted by the number of ways in which it leads to the drops that all
    /// have seen. After the end of the game nothing is hidden.
    fn redeal(state: &State, viewer: Viewer, dice: &mut Dice) -> State {
        let mut other = state.clone();
        if matches!(state.phase, Phase::Over(_)) {
            return other;
        }
        let sees = |seat: Seat| viewer == Viewer::Seat(seat);
        for (index, player) in other.players.iter_mut().enumerate() {
            let seat = Seat::from_index(index);
            if !sees(seat) {
                player.split = draw_split_by_evidence(state, player, dice);
                player.claim_ranking = draw_claim_ranking(state, player, dice);
                (player.token_wishes, player.wants_token) = draw_token_wishes(state, seat, dice);
            }
        }
        if let Some(run) = &mut other.current_move
            && let (Some(_), Some(crash)) = (run.cut, run.crash)
            && !sees(state.owner(crash.other))
        {
            run.cut = dice.pick(&crash::list_equal_cuts(state.cart(crash.other).hold)).copied();
        }
        other
    }

    /// Returns the event with secrets that the viewer cannot know dealt again. Secrets of the
    /// determinization are used where they exist.
    fn event_in_determinization(
        determinization: &State,
        event: &Event,
        viewer: Viewer,
        dice: &mut Dice,
    ) -> Event {
        match *event {
            Event::Wished { seat, .. } if viewer != Viewer::Seat(seat) => {
                let split =
                    determinization.player(seat).map_or_else(Split::default, |player| player.split);
                let mission = dice.pick(&Mission::ALL).copied();
                let wish = match (dice.roll_below(3), mission) {
                    (0, Some(mission)) => Wish::Claim(mission),
                    (1, _) => Wish::Place(dice.roll_below(2) == 1),
                    _ => Wish::Split(split),
                };
                Event::Wished { seat, wish }
            }
            Event::Cut { cart, .. } if viewer != Viewer::Seat(determinization.owner(cart)) => {
                let pending = determinization
                    .current_move
                    .filter(|run| run.crash.is_some_and(|crash| crash.other == cart));
                let other = || dice.pick(&Jewel::ALL).copied().into_iter().collect();
                Event::Cut { cart, first: pending.and_then(|run| run.cut).unwrap_or_else(other) }
            }
            _ => event.clone(),
        }
    }

    /// Checks that no piece is missing, double, or in an impossible place.
    fn check_every_piece_placed(state: &State) -> Result<(), String> {
        audit_jewels(state)?;
        audit_tiles(state)?;
        state.all_carts().try_for_each(|cart| audit_cart(state, cart))?;
        if let Some((run, cut)) = state.current_move.and_then(|run| Some((run, run.cut?))) {
            let rammed = run.crash.map_or(JewelCounts::NONE, |crash| state.cart(crash.other).hold);
            let is_equal = crash::list_equal_cuts(rammed).contains(&cut);
            require(is_equal, "the jewels are cut wrongly".to_owned())?;
        }
        if state.numbers.is_solo() {
            return Ok(());
        }
        let is_early = state.era == Era::Mining && !state.collapsed_squares().is_empty();
        require(!is_early, "a mine has collapsed too early".to_owned())?;
        Colour::ALL.into_iter().try_for_each(|colour| {
            let left = u32::from(state.tokens[colour.index()]);
            let all = left + state.sunk[colour.index()].len();
            let fault = format!("there are too many {} tokens", colour.name());
            require(all <= u32::from(state.numbers.tokens), fault)
        })
    }
}

/// Deals a standing order for cutting, weighted by [`Player::split_evidence`].
fn draw_split_by_evidence(state: &State, player: &Player, dice: &mut Dice) -> Split {
    if state.numbers.is_solo() || state.numbers.options.cut == CutRule::Interactive {
        return Split::default();
    }
    let ways =
        player.split_evidence.filter(|ways| ways.iter().any(|&ways| ways > 0)).unwrap_or([1; 3]);
    deck::pick_weighted(dice, &Split::ALL, |split| ways[split as usize]).unwrap_or_default()
}

/// Deals a ranking of some of the open missions. The mission that the player claimed last comes
/// first, because all have seen that claim.
fn draw_claim_ranking(state: &State, player: &Player, dice: &mut Dice) -> Vec<Mission> {
    let mut open: Vec<Mission> =
        state.missions.iter().filter(|mission| mission.is_claimable_in_turn()).collect();
    dice.shuffle(&mut open);
    open.truncate(dice.roll_below(u32::try_from(open.len() + 1).unwrap_or(u32::MAX)) as usize);
    player.last_claim.into_iter().chain(open).collect()
}

/// Deals squares for chasm tokens and the consent to place one. Only the active seat can have them,
/// and only in the abyss era.
fn draw_token_wishes(state: &State, seat: Seat, dice: &mut Dice) -> ([Option<Square>; 4], bool) {
    let is_asked = state.active_seat() == Some(seat) && state.era == Era::Abyss;
    if !is_asked || state.numbers.is_solo() || dice.roll_below(2) == 0 {
        return ([None; 4], false);
    }
    let square = |colour| {
        let open = deck::legal_token_squares(state, colour);
        let wishes: Vec<Option<Square>> =
            std::iter::once(None).chain(open.iter().map(Some)).collect();
        dice.pick(&wishes).copied().flatten().filter(|_| !state.numbers.options.abyss_die)
    };
    (Colour::ALL.map(square), true)
}

fn audit_jewels(state: &State) -> Result<(), String> {
    let grounds = state.board.squares.iter().map(|square| state.ground[square]);
    let holds = state.all_carts().map(|cart| state.cart(cart).hold);
    let piles = state.players.iter().map(Player::delivered_jewels);
    let all = grounds.chain(holds).chain(piles).chain([state.bag, state.gone_jewels]);
    let all = all.fold(JewelCounts::NONE, JewelCounts::plus);
    require(all == state.numbers.bag, format!("the jewels are {all:?}"))
}

fn audit_tiles(state: &State) -> Result<(), String> {
    let board = &state.board;
    let laid = board.squares.iter().map(|square| state.track[square]);
    let laid: Vec<TileOpenings> = laid.filter(|&ends| ends != TileOpenings::NONE).collect();
    let junctions = laid.iter().filter(|ends| ends.is_junction()).count();
    let count = |laid: usize, stock: fn(TileCounts) -> u8| {
        laid + usize::from(stock(state.tiles)) + usize::from(stock(state.tiles_gone))
    };
    let simple = count(laid.len() - junctions, |tiles| tiles.straight_or_corner);
    let complex = count(junctions, |tiles| tiles.t_or_cross);
    let TileCounts { straight_or_corner, t_or_cross } = state.numbers.tiles;
    let is_complete = (simple, complex) == (straight_or_corner.into(), t_or_cross.into());
    require(is_complete, format!("there are {simple} simple tiles and {complex} junctions"))?;
    let is_stray = |at| {
        board.centres.contains(at)
            || state.collapsed_squares().contains(at)
            || state.track[at].count() < 2
    };
    let is_sound = !state.tiled.iter().any(is_stray) && laid.len() == state.tiled.len() as usize;
    require(is_sound, "a tile lies where none can".to_owned())
}

fn audit_cart(state: &State, cart: CartId) -> Result<(), String> {
    let (shown, index, speed) = (state.cart(cart), cart.index(), state.numbers.speed);
    let fits = shown.hold.total() <= u32::from(state.numbers.hold);
    require(fits, format!("cart {index} holds too much"))?;
    if let Some(square) = shown.square() {
        // A cart in a move may stand on its square before its next direction is chosen.
        let is_rolling = state.current_move.is_some_and(|run| run.cart == cart);
        let is_on_track = is_rolling || state.track[square].has(shown.facing);
        require(is_on_track, format!("cart {index} faces no track"))?;
        let twins = state.all_carts().filter(|&other| state.cart(other).place == shown.place);
        require(twins.count() == 1, format!("two carts stand on {square}"))?;
    } else {
        require(shown.hold.is_empty(), format!("cart {index} holds jewels"))?;
    }
    let is_speed = !shown.is_on_board() || (speed.least..=speed.most).contains(&shown.speed);
    require(is_speed, format!("cart {index} is too fast or too slow"))
}
