//! The effect of each event on the position. This module checks no rule, so that every log can be
//! replayed.

use super::definition::TileCounts;
use super::event::Crash;
use super::state::{Cart, CurrentMove, Phase, TurnProgress};
use super::{
    Card, CartId, Direction, Era, Event, Jewel, JewelCounts, Mission, Place, Square, State,
    TileOpenings, Wish, crash,
};
use crate::rules::Seat;

impl State {
    /// Applies an event. Any event is accepted in any position.
    pub fn apply(&mut self, event: &Event) {
        match *event {
            Event::Laid { at, ends, .. } => self.lay_tile(at, ends),
            Event::Upgraded { at, way, .. } => self.lay_tile(at, self.track[at].with(way)),
            Event::Entered { cart, berth, speed } => {
                self.spend_action();
                self.has_entered = true;
                let (place, facing) = (Place::Surface(berth), berth.side.opposite());
                *self.cart_mut(cart) = Cart { place, facing, speed, ..Cart::default() };
            }
            Event::Sped { cart, speed } => {
                self.spend_action();
                self.cart_mut(cart).speed = speed;
            }
            Event::Rested => self.turn_progress.uses_defaults = true,
            Event::Achieved { mission } => self.turn_progress.achieved_missions.insert(mission),
            Event::Claimed { seat, mission } => self.claim_mission(seat, mission),
            Event::Wished { seat, wish } => self.store_wish(seat, wish),
            Event::Turn { seat } => self.begin_turn(seat),
            Event::Ended { reason } => {
                (self.current_move, self.phase) = (None, Phase::Over(reason));
            }
            _ => {
                self.apply_move(event);
                self.apply_deal(event);
            }
        }
    }

    /// Applies the events of a move, to the moving cart and to a cart that it rams.
    fn apply_move(&mut self, event: &Event) {
        match *event {
            Event::SetOff { cart } => {
                self.current_move = Some(CurrentMove::new(cart, self.cart(cart).speed));
            }
            Event::Rolled { cart, to } => {
                let came = Some(self.cart(cart).facing);
                self.cart_mut(cart).place = Place::Track(to);
                self.update_current_move(|run| {
                    run.steps_left = run.steps_left.saturating_sub(1);
                    (run.arrived_heading, run.jewels_taken, run.has_direction) = (came, 0, false);
                });
            }
            Event::Headed { cart, way } => {
                self.cart_mut(cart).facing = way;
                self.update_current_move(|run| run.has_direction = true);
            }
            Event::Took { cart, jewel } => self.take_jewel(cart, jewel),
            Event::Collided { crash, .. } => {
                self.update_current_move(|run| run.crash = Some(crash));
            }
            Event::Cut { first, .. } => self.update_current_move(|run| run.cut = Some(first)),
            Event::Dropped { cart, jewels } => self.drop_jewels(cart, jewels),
            Event::Turned { cart, facing } => {
                self.cart_mut(cart).facing = facing;
                if self.current_move.is_some() {
                    self.cart_mut(cart).arrived_heading = None;
                }
                self.update_crash(|crash| crash.turns = None);
            }
            Event::Halted { cart, facing } => {
                let came = self
                    .current_move
                    .filter(|run| run.crash.is_none())
                    .and_then(|run| run.arrived_heading);
                let halted = self.cart_mut(cart);
                (halted.facing, halted.arrived_heading) = (facing, came);
                self.end_move(cart);
            }
            Event::Left { cart, side } => self.leave_board(cart, side),
            Event::Returned { cart } => self.remove_cart(cart, Place::Supply, false),
            Event::Derailed { cart, lost, .. } => {
                self.bag = self.bag.plus(self.cart(cart).hold);
                self.remove_cart(cart, if lost { Place::Gone } else { Place::Supply }, true);
            }
            Event::Fell { cart } => {
                self.gone_jewels = self.gone_jewels.plus(self.cart(cart).hold);
                self.remove_cart(cart, Place::Gone, false);
            }
            _ => {}
        }
    }

    /// Applies the events of dealing and drawing: sides, missions, cards, jewels and tokens.
    fn apply_deal(&mut self, event: &Event) {
        match *event {
            Event::Opened { ref sides, ref missions } => {
                for (own, side) in self.sides.iter_mut().zip(sides) {
                    *own = *side;
                }
                self.missions = missions.iter().copied().collect();
            }
            Event::Primed { card, jewels } => self.apply_deposit_card(card, jewels),
            Event::Strewn { ref jewels } => {
                for &(at, jewel) in jewels {
                    self.place_jewels(at, JewelCounts::from_iter([jewel]));
                }
                self.gone_jewels = self.gone_jewels.plus(std::mem::take(&mut self.bag));
            }
            Event::Deposited { card, jewels } => {
                self.drawn = self.drawn.saturating_add(1);
                self.apply_deposit_card(card, jewels);
            }
            Event::Revealed { card } => {
                self.drawn = self.drawn.saturating_add(1);
                self.mark_card_seen(card);
            }
            Event::ChasmCard { seat } => self.era = Era::LastRound(seat),
            Event::Collapsed => self.era = Era::Abyss,
            Event::Sank { colour, at } => {
                self.take_chasm_token(colour.index());
                self.sink_square(colour.index(), at);
            }
            Event::Discarded { colour } => self.take_chasm_token(colour.index()),
            Event::Reshuffled => self.reshuffled = true,
            _ => {}
        }
    }

    pub(super) fn cart_mut(&mut self, cart: CartId) -> &mut Cart {
        &mut self.carts[cart.index()]
    }

    fn update_current_move(&mut self, change: impl FnOnce(&mut CurrentMove)) {
        if let Some(run) = &mut self.current_move {
            change(run);
        }
    }

    /// Changes the effects of the current collision, if there is one. Used to clear an effect that
    /// is carried out.
    fn update_crash(&mut self, done: fn(&mut Crash)) {
        self.update_current_move(|run| run.crash.iter_mut().for_each(done));
    }

    fn spend_action(&mut self) {
        self.turn_progress.actions_left = self.turn_progress.actions_left.saturating_sub(1);
    }

    fn begin_turn(&mut self, seat: Seat) {
        for player in &mut self.players {
            (player.token_wishes, player.wants_token) = ([None; 4], false);
        }
        // The player may change the standing orders during this turn, so what earlier events showed
        // of them proves nothing any more.
        if let Some(player) = self.players.get_mut(seat.index()) {
            (player.split_evidence, player.last_claim) = (None, None);
            player.turns_begun = player.turns_begun.saturating_add(1);
        }
        self.current_move = None;
        self.turn_progress = TurnProgress::for_new_turn(self.numbers.actions);
        self.phase = Phase::Turn(seat);
    }

    /// Lays a tile, and returns a tile that it replaces to the supply.
    fn lay_tile(&mut self, at: Square, ends: TileOpenings) {
        self.spend_action();
        let replaced = std::mem::replace(&mut self.track[at], ends);
        adjust_tile_count(&mut self.tiles, replaced, u8::saturating_add);
        adjust_tile_count(&mut self.tiles, ends, u8::saturating_sub);
        self.tiled.insert(at);
    }

    fn take_jewel(&mut self, cart: CartId, jewel: Jewel) {
        let one = JewelCounts::from_iter([jewel]);
        if let Some(square) = self.cart(cart).square() {
            self.ground[square] = self.ground[square].minus(one);
            self.cart_mut(cart).hold = self.cart(cart).hold.plus(one);
        }
        self.update_current_move(|run| run.jewels_taken = run.jewels_taken.saturating_add(1));
    }

    fn drop_jewels(&mut self, cart: CartId, jewels: JewelCounts) {
        // The pile that fell shows the others something about the owner's standing order for
        // cutting.
        let (ways, owner) = (crash::picks_that_drop_jewels(self, cart, jewels), self.owner(cart));
        if let (Some(ways), Some(player)) = (ways, self.players.get_mut(owner.index())) {
            let shown = player.split_evidence.get_or_insert([1; 3]);
            *shown = std::array::from_fn(|order| shown[order].saturating_mul(ways[order]));
        }
        if let Some(square) = self.cart(cart).square() {
            self.ground[square] = self.ground[square].plus(jewels);
            self.cart_mut(cart).hold = self.cart(cart).hold.minus(jewels);
        }
        self.update_crash(|crash| crash.drops = false);
        self.update_current_move(|run| run.cut = None);
    }

    /// Ends the current move if the cart is the moving one. If it is the rammed cart, clears the
    /// effects of the collision that no longer apply to it.
    fn end_move(&mut self, cart: CartId) {
        if self.current_move.is_some_and(|run| run.cart == cart) {
            self.current_move = None;
            self.turn_progress.moved_carts |= cart.bit();
        } else {
            self.update_crash(|crash| (crash.wrecks_other, crash.turns) = (false, None));
        }
    }

    fn leave_board(&mut self, cart: CartId, side: Direction) {
        let (owner, hold) = (self.owner(cart), self.cart(cart).hold);
        if let Some(player) = self.players.get_mut(owner.index()) {
            let delivered = &mut player.delivered[side.index()];
            *delivered = delivered.plus(hold);
        }
        self.remove_cart(cart, Place::Supply, false);
    }

    fn remove_cart(&mut self, cart: CartId, place: Place, derailed: bool) {
        let removed = self.cart_mut(cart);
        (removed.place, removed.hold, removed.derailed) = (place, JewelCounts::NONE, derailed);
        self.end_move(cart);
    }

    fn claim_mission(&mut self, seat: Seat, mission: Mission) {
        self.missions.remove(mission);
        if let Some(player) = self.players.get_mut(seat.index()) {
            player.missions.insert(mission);
            player.last_claim = Some(mission);
        }
    }

    fn store_wish(&mut self, seat: Seat, wish: Wish) {
        let Some(player) = self.players.get_mut(seat.index()) else { return };
        match wish {
            Wish::Split(split) => player.split = split,
            Wish::Claim(mission) => {
                player.claim_ranking.retain(|&other| other != mission);
                player.claim_ranking.insert(0, mission);
            }
            Wish::Chasm(colour, square) => {
                player.token_wishes[colour.index()] = Some(square);
                player.wants_token = true;
            }
            Wish::Place(true) => player.wants_token = true,
            Wish::Place(false) => (player.wants_token, player.token_wishes) = (false, [None; 4]),
        }
    }

    fn mark_card_seen(&mut self, card: Card) {
        let seen = &mut self.seen_cards[card.colour.index()];
        *seen |= 1_u8.rotate_left(card.number.saturating_sub(1).into());
    }

    fn apply_deposit_card(&mut self, card: Card, jewels: JewelCounts) {
        self.mark_card_seen(card);
        if let Some(at) = self.board.card_square(card) {
            self.place_jewels(at, jewels);
        }
    }

    /// Moves jewels from the bag to a square.
    fn place_jewels(&mut self, at: Square, jewels: JewelCounts) {
        self.bag = self.bag.minus(jewels);
        self.ground[at] = self.ground[at].plus(jewels);
    }

    fn take_chasm_token(&mut self, colour: usize) {
        self.tokens[colour] = self.tokens[colour].saturating_sub(1);
    }

    /// Puts a chasm token on a square. The tile and the jewels of the square leave the game (B6,
    /// correction of ruling 10).
    fn sink_square(&mut self, colour: usize, at: Square) {
        self.sunk[colour].insert(at);
        self.gone_jewels = self.gone_jewels.plus(std::mem::take(&mut self.ground[at]));
        let ends = std::mem::take(&mut self.track[at]);
        adjust_tile_count(&mut self.tiles_gone, ends, u8::saturating_add);
        self.tiled = self.tiled.difference(std::iter::once(at).collect());
    }
}

/// Adds a tile with these openings to a stock, or removes it. Does nothing if there are no
/// openings, which means that there is no tile.
fn adjust_tile_count(stock: &mut TileCounts, ends: TileOpenings, change: fn(u8, u8) -> u8) {
    let TileCounts { straight_or_corner, t_or_cross } = stock;
    let count = if ends.is_junction() { t_or_cross } else { straight_or_corner };
    *count = change(*count, u8::from(ends != TileOpenings::NONE));
}
