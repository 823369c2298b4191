//! How an event changes the position. This module holds no rules: any event of any log is accepted.

use super::definition::Tiles;
use super::event::Crash;
use super::state::{Cart, Phase, Run, Stint};
use super::{
    Card, CartId, Ends, Era, Event, Hoard, Jewel, Mission, Place, Square, State, Way, Wish, crash,
};
use crate::rules::Seat;

impl State {
    /// Applies an event. It accepts any event in any position.
    pub fn apply(&mut self, event: &Event) {
        match *event {
            Event::Laid { at, ends, .. } => self.lay(at, ends),
            Event::Upgraded { at, way, .. } => self.lay(at, self.track[at].with(way)),
            Event::Entered { cart, berth, speed } => {
                self.spend();
                let (place, facing) = (Place::Surface(berth), berth.side.opposite());
                *self.cart_mut(cart) = Cart { place, facing, speed, ..Cart::default() };
            }
            Event::Sped { cart, speed } => {
                self.spend();
                self.cart_mut(cart).speed = speed;
            }
            Event::Rested => self.stint.resting = true,
            Event::Achieved { mission } => self.stint.deeds.insert(mission),
            Event::Claimed { seat, mission } => self.claim(seat, mission),
            Event::Wished { seat, wish } => self.wish(seat, wish),
            Event::Turn { seat } => self.begin(seat),
            Event::Ended { reason } => (self.run, self.phase) = (None, Phase::Over(reason)),
            _ => {
                self.travel(event);
                self.deal(event);
            }
        }
    }

    /// Applies what happens to a moving cart and to a cart that it rams.
    fn travel(&mut self, event: &Event) {
        match *event {
            Event::SetOff { cart } => self.run = Some(Run::new(cart, self.cart(cart).speed)),
            Event::Rolled { cart, to } => {
                let came = Some(self.cart(cart).facing);
                self.cart_mut(cart).place = Place::Track(to);
                self.change_run(|run| {
                    run.left = run.left.saturating_sub(1);
                    (run.came, run.taken, run.headed) = (came, 0, false);
                });
            }
            Event::Headed { cart, way } => {
                self.cart_mut(cart).facing = way;
                self.change_run(|run| run.headed = true);
            }
            Event::Took { cart, jewel } => self.take(cart, jewel),
            Event::Collided { crash, .. } => self.change_run(|run| run.crash = Some(crash)),
            Event::Cut { first, .. } => self.change_run(|run| run.cut = Some(first)),
            Event::Dropped { cart, jewels } => self.drop_jewels(cart, jewels),
            Event::Turned { cart, facing } => {
                self.cart_mut(cart).facing = facing;
                if self.run.is_some() {
                    self.cart_mut(cart).came = None;
                }
                self.strike(|crash| crash.turns = None);
            }
            Event::Halted { cart, facing } => {
                let came = self.run.filter(|run| run.crash.is_none()).and_then(|run| run.came);
                let halted = self.cart_mut(cart);
                (halted.facing, halted.came) = (facing, came);
                self.stop(cart);
            }
            Event::Left { cart, side } => self.leave(cart, side),
            Event::Returned { cart } => self.remove(cart, Place::Supply, false),
            Event::Derailed { cart, lost, .. } => {
                self.bag = self.bag.plus(self.cart(cart).hold);
                self.remove(cart, if lost { Place::Gone } else { Place::Supply }, true);
            }
            Event::Fell { cart } => {
                self.gone = self.gone.plus(self.cart(cart).hold);
                self.remove(cart, Place::Gone, false);
            }
            _ => {}
        }
    }

    /// Applies what is dealt: sides, missions, cards, jewels and tokens.
    fn deal(&mut self, event: &Event) {
        match *event {
            Event::Opened { ref sides, ref missions } => {
                for (own, side) in self.sides.iter_mut().zip(sides) {
                    *own = *side;
                }
                self.missions = missions.iter().copied().collect();
            }
            Event::Primed { card, jewels } => self.deposit(card, jewels),
            Event::Strewn { ref jewels } => {
                for &(at, jewel) in jewels {
                    self.strew(at, Hoard::from_iter([jewel]));
                }
                // The rest of the bag leaves the game.
                self.gone = self.gone.plus(std::mem::take(&mut self.bag));
            }
            Event::Deposited { card, jewels } => {
                self.drawn = self.drawn.saturating_add(1);
                self.deposit(card, jewels);
            }
            Event::Revealed { card } => {
                self.drawn = self.drawn.saturating_add(1);
                self.see(card);
            }
            Event::ChasmCard { seat } => self.era = Era::LastRound(seat),
            Event::Collapsed => self.era = Era::Abyss,
            Event::Sank { colour, at } => {
                self.use_token(colour.index());
                self.sink(colour.index(), at);
            }
            Event::Discarded { colour } => self.use_token(colour.index()),
            Event::Reshuffled => self.reshuffled = true,
            _ => {}
        }
    }

    pub(super) fn cart_mut(&mut self, cart: CartId) -> &mut Cart {
        &mut self.carts[cart.index()]
    }

    /// Changes the move that has not ended, if there is one.
    fn change_run(&mut self, change: impl FnOnce(&mut Run)) {
        if let Some(run) = &mut self.run {
            change(run);
        }
    }

    /// Marks a part of a collision as done.
    fn strike(&mut self, done: fn(&mut Crash)) {
        self.change_run(|run| run.crash.iter_mut().for_each(done));
    }

    fn spend(&mut self) {
        self.stint.actions = self.stint.actions.saturating_sub(1);
    }

    fn begin(&mut self, seat: Seat) {
        for player in &mut self.players {
            (player.chasm, player.places) = ([None; 4], false);
        }
        // From now on the player may change the standing orders that were disclosed.
        if let Some(player) = self.players.get_mut(seat.index()) {
            (player.fallen, player.claimed) = (None, None);
        }
        self.run = None;
        self.stint = Stint { actions: self.numbers.actions, ..Stint::default() };
        self.phase = Phase::Turn(seat);
    }

    /// Lays a tile. A tile that it replaces goes back to the supply.
    fn lay(&mut self, at: Square, ends: Ends) {
        self.spend();
        let replaced = std::mem::replace(&mut self.track[at], ends);
        count_tile(&mut self.tiles, replaced, u8::saturating_add);
        count_tile(&mut self.tiles, ends, u8::saturating_sub);
        self.tiled.insert(at);
    }

    fn take(&mut self, cart: CartId, jewel: Jewel) {
        let one = Hoard::from_iter([jewel]);
        if let Some(square) = self.cart(cart).square() {
            self.ground[square] = self.ground[square].minus(one);
            self.cart_mut(cart).hold = self.cart(cart).hold.plus(one);
        }
        self.change_run(|run| run.taken = run.taken.saturating_add(1));
    }

    fn drop_jewels(&mut self, cart: CartId, jewels: Hoard) {
        // The fallen jewels disclose something about the standing order of the owner.
        let (ways, owner) = (crash::ways_to_fall(self, cart, jewels), self.owner(cart));
        if let (Some(ways), Some(player)) = (ways, self.players.get_mut(owner.index())) {
            let shown = player.fallen.get_or_insert([1; 3]);
            *shown = std::array::from_fn(|order| shown[order].saturating_mul(ways[order]));
        }
        if let Some(square) = self.cart(cart).square() {
            self.ground[square] = self.ground[square].plus(jewels);
            self.cart_mut(cart).hold = self.cart(cart).hold.minus(jewels);
        }
        self.strike(|crash| crash.drops = false);
        self.change_run(|run| run.cut = None);
    }

    /// Ends the move of a cart. For a rammed cart, marks the rest of its collision as done.
    fn stop(&mut self, cart: CartId) {
        if self.run.is_some_and(|run| run.cart == cart) {
            self.run = None;
            self.stint.moved |= cart.bit();
        } else {
            self.strike(|crash| (crash.wrecks_other, crash.turns) = (false, None));
        }
    }

    fn leave(&mut self, cart: CartId, side: Way) {
        let (owner, hold) = (self.owner(cart), self.cart(cart).hold);
        if let Some(player) = self.players.get_mut(owner.index()) {
            let delivered = &mut player.delivered[side.index()];
            *delivered = delivered.plus(hold);
        }
        self.remove(cart, Place::Supply, false);
    }

    fn remove(&mut self, cart: CartId, place: Place, derailed: bool) {
        let removed = self.cart_mut(cart);
        (removed.place, removed.hold, removed.derailed) = (place, Hoard::NONE, derailed);
        self.stop(cart);
    }

    fn claim(&mut self, seat: Seat, mission: Mission) {
        self.missions.remove(mission);
        if let Some(player) = self.players.get_mut(seat.index()) {
            player.missions.insert(mission);
            player.claimed = Some(mission);
        }
    }

    fn wish(&mut self, seat: Seat, wish: Wish) {
        let Some(player) = self.players.get_mut(seat.index()) else { return };
        match wish {
            Wish::Split(split) => player.split = split,
            Wish::Claim(mission) => {
                player.claims.retain(|&other| other != mission);
                player.claims.insert(0, mission);
            }
            Wish::Chasm(colour, square) => {
                player.chasm[colour.index()] = Some(square);
                player.places = true;
            }
            Wish::Place(true) => player.places = true,
            Wish::Place(false) => (player.places, player.chasm) = (false, [None; 4]),
        }
    }

    fn see(&mut self, card: Card) {
        let seen = &mut self.seen[card.colour.index()];
        *seen |= 1_u8.rotate_left(card.number.saturating_sub(1).into());
    }

    fn deposit(&mut self, card: Card, jewels: Hoard) {
        self.see(card);
        if let Some(at) = self.board.mined(card) {
            self.strew(at, jewels);
        }
    }

    /// Moves jewels from the bag to a square.
    fn strew(&mut self, at: Square, jewels: Hoard) {
        self.bag = self.bag.minus(jewels);
        self.ground[at] = self.ground[at].plus(jewels);
    }

    fn use_token(&mut self, colour: usize) {
        self.tokens[colour] = self.tokens[colour].saturating_sub(1);
    }

    /// Puts a chasm token on a square. The tile and the jewels of the square leave the game (B6,
    /// correction of ruling 10).
    fn sink(&mut self, colour: usize, at: Square) {
        self.sunk[colour].insert(at);
        self.gone = self.gone.plus(std::mem::take(&mut self.ground[at]));
        let ends = std::mem::take(&mut self.track[at]);
        count_tile(&mut self.tiles_gone, ends, u8::saturating_add);
        self.tiled = self.tiled.minus(std::iter::once(at).collect());
    }
}

/// Adds a tile with these openings to a stock or removes it. Without openings there is no tile.
fn count_tile(stock: &mut Tiles, ends: Ends, change: fn(u8, u8) -> u8) {
    let Tiles { straight_or_corner, t_or_cross } = stock;
    let count = if ends.is_junction() { t_or_cross } else { straight_or_corner };
    *count = change(*count, u8::from(ends != Ends::NONE));
}
