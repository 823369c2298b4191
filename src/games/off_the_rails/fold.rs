//! How an event changes the position. No rule stands here: any event of any log passes silently.

use super::crash;
use super::event::{Crash, Ending, Event};
use super::grid::{Ends, Square, Way};
use super::jewel::{Hoard, Jewel};
use super::mission::Mission;
use super::order::{Berth, Card, CartId, Wish};
use super::state::{Cart, Era, Phase, Place, Player, Run, State, Stint};
use crate::rules::Seat;

impl State {
    /// Lets something happen: total and silent.
    pub fn apply(&mut self, event: &Event) {
        match *event {
            Event::Laid { at, ends, .. } => self.lay(at, ends),
            Event::Upgraded { at, way, .. } => self.upgrade(at, way),
            Event::Entered { cart, berth, speed } => self.enter(cart, berth, speed),
            Event::Sped { cart, speed } => {
                self.spend();
                self.cart_mut(cart).speed = speed;
            }
            Event::Rested => self.stint.resting = true,
            Event::SetOff { .. }
            | Event::Rolled { .. }
            | Event::Headed { .. }
            | Event::Took { .. }
            | Event::Collided { .. }
            | Event::Cut { .. }
            | Event::Dropped { .. }
            | Event::Turned { .. }
            | Event::Halted { .. }
            | Event::Left { .. }
            | Event::Returned { .. }
            | Event::Derailed { .. }
            | Event::Fell { .. } => self.travel(event),
            Event::Achieved { mission } => self.stint.deeds.insert(mission),
            Event::Claimed { seat, mission } => self.claim(seat, mission),
            Event::Wished { seat, wish } => self.wish(seat, wish),
            Event::Turn { seat } => self.begin(seat),
            Event::Ended { reason } => self.end(reason),
            _ => self.deal(event),
        }
    }

    /// What happens to a moving cart, and to one that it rams.
    fn travel(&mut self, event: &Event) {
        match *event {
            Event::SetOff { cart } => self.set_off(cart),
            Event::Rolled { cart, to } => self.roll(cart, to),
            Event::Headed { cart, way } => {
                self.cart_mut(cart).facing = way;
                if let Some(run) = &mut self.run {
                    run.headed = true;
                }
            }
            Event::Took { cart, jewel } => self.take(cart, jewel),
            Event::Collided { crash, .. } => {
                if let Some(run) = &mut self.run {
                    run.crash = Some(crash);
                }
            }
            Event::Cut { first, .. } => {
                if let Some(run) = &mut self.run {
                    run.cut = Some(first);
                }
            }
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

    /// Cards, tokens and what is dealt.
    fn deal(&mut self, event: &Event) {
        match event {
            Event::Opened { sides, missions } => {
                for (own, side) in self.sides.iter_mut().zip(sides) {
                    *own = *side;
                }
                self.missions = missions.iter().copied().collect();
            }
            Event::Primed { card, jewels } => self.deposit(*card, *jewels),
            Event::Strewn { jewels } => self.strew(jewels),
            Event::Deposited { card, jewels } => {
                self.drawn = self.drawn.saturating_add(1);
                self.pile |= 1 << card.colour as u8;
                if self.pile == 0b1111 {
                    self.pile = 0;
                }
                self.deposit(*card, *jewels);
            }
            Event::Revealed { card } => {
                self.drawn = self.drawn.saturating_add(1);
                self.see(*card);
            }
            Event::ChasmCard { seat } => self.era = Era::LastRound(*seat),
            Event::Collapsed => self.era = Era::Abyss,
            Event::Sank { colour, at } => {
                self.use_token(colour.index());
                self.sink(colour.index(), *at);
            }
            Event::Discarded { colour } => self.use_token(colour.index()),
            Event::Reshuffled => self.reshuffled = true,
            _ => {}
        }
    }

    pub(super) fn cart_mut(&mut self, cart: CartId) -> &mut Cart {
        &mut self.carts[cart.index()]
    }

    const fn spend(&mut self) {
        self.stint.actions = self.stint.actions.saturating_sub(1);
    }

    fn begin(&mut self, seat: Seat) {
        for player in &mut self.players {
            (player.chasm, player.places) = ([None; 4], false);
        }
        // From now on the player may want something else than what has shown.
        if let Some(player) = self.players.get_mut(seat.index()) {
            (player.fallen, player.claimed) = (None, None);
        }
        self.run = None;
        self.stint = Stint { actions: self.numbers.actions, ..Stint::default() };
        self.phase = Phase::Turn(seat);
    }

    const fn end(&mut self, reason: Ending) {
        self.run = None;
        self.phase = Phase::Over(reason);
    }

    fn lay(&mut self, at: Square, ends: Ends) {
        self.spend();
        self.lift(at);
        self.put(at, ends);
    }

    fn upgrade(&mut self, at: Square, way: Way) {
        self.spend();
        let ends = self.track[at].with(way);
        self.lift(at);
        self.put(at, ends);
    }

    /// Puts the tile on this square back into the supply.
    fn lift(&mut self, at: Square) {
        let ends = std::mem::take(&mut self.track[at]);
        if ends != Ends::NONE {
            let stock = stock(&mut self.tiles, ends);
            *stock = stock.saturating_add(1);
        }
    }

    fn put(&mut self, at: Square, ends: Ends) {
        let stock = stock(&mut self.tiles, ends);
        *stock = stock.saturating_sub(1);
        self.track[at] = ends;
        self.tiled.insert(at);
    }

    fn enter(&mut self, cart: CartId, berth: Berth, speed: u8) {
        self.spend();
        *self.cart_mut(cart) = Cart {
            place: Place::Surface(berth),
            facing: berth.side.opposite(),
            came: None,
            speed,
            hold: Hoard::NONE,
            derailed: false,
        };
    }

    const fn set_off(&mut self, cart: CartId) {
        self.run = Some(Run {
            cart,
            left: self.cart(cart).speed,
            came: None,
            taken: 0,
            headed: true,
            crash: None,
            cut: None,
        });
    }

    fn roll(&mut self, cart: CartId, to: Square) {
        let facing = self.cart(cart).facing;
        self.cart_mut(cart).place = Place::Track(to);
        if let Some(run) = &mut self.run {
            run.left = run.left.saturating_sub(1);
            (run.came, run.taken, run.headed) = (Some(facing), 0, false);
        }
    }

    fn take(&mut self, cart: CartId, jewel: Jewel) {
        if let Place::Track(square) = self.cart(cart).place {
            let one = Hoard::from_iter([jewel]);
            self.ground[square] = self.ground[square].minus(one);
            let hold = &mut self.cart_mut(cart).hold;
            *hold = hold.plus(one);
        }
        if let Some(run) = &mut self.run {
            run.taken = run.taken.saturating_add(1);
        }
    }

    fn drop_jewels(&mut self, cart: CartId, jewels: Hoard) {
        self.show_cut(cart, jewels);
        let carried = *self.cart(cart);
        if let Place::Track(square) = carried.place {
            self.ground[square] = self.ground[square].plus(jewels);
            self.cart_mut(cart).hold = carried.hold.minus(jewels);
        }
        self.strike(|crash| crash.drops = false);
        if let Some(run) = &mut self.run {
            run.cut = None;
        }
    }

    /// What falls shows something of how its owner has it cut.
    fn show_cut(&mut self, cart: CartId, jewels: Hoard) {
        let (ways, owner) = (crash::ways_to_fall(self, cart, jewels), self.owner(cart));
        if let (Some(ways), Some(player)) = (ways, self.players.get_mut(owner.index())) {
            let shown = player.fallen.get_or_insert([1; 3]);
            *shown = std::array::from_fn(|order| shown[order].saturating_mul(ways[order]));
        }
    }

    /// Strikes off what has been done of a collision.
    fn strike(&mut self, done: fn(&mut Crash)) {
        if let Some(crash) = self.run.as_mut().and_then(|run| run.crash.as_mut()) {
            done(crash);
        }
    }

    /// The cart has done its move.
    fn stop(&mut self, cart: CartId) {
        if self.run.is_some_and(|run| run.cart == cart) {
            self.run = None;
            self.stint.moved |= cart.bit();
        } else if let Some(crash) = self.run.as_mut().and_then(|run| run.crash.as_mut()) {
            (crash.wrecks_other, crash.turns) = (false, None);
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
            Wish::Place(places) => {
                player.places = places;
                if !places {
                    *player = Player { chasm: [None; 4], ..std::mem::take(player) };
                }
            }
        }
    }

    const fn see(&mut self, card: Card) {
        let seen = &mut self.seen[card.colour.index()];
        *seen |= 1_u8.rotate_left(card.number.saturating_sub(1) as u32);
    }

    fn deposit(&mut self, card: Card, jewels: Hoard) {
        self.see(card);
        if let Some(at) = self.board.mined(card) {
            self.bag = self.bag.minus(jewels);
            self.ground[at] = self.ground[at].plus(jewels);
        }
    }

    /// One jewel on each square; all that stays in the bag is out of the game.
    fn strew(&mut self, jewels: &[(Square, Jewel)]) {
        for &(at, jewel) in jewels {
            let one = Hoard::from_iter([jewel]);
            self.ground[at] = self.ground[at].plus(one);
            self.bag = self.bag.minus(one);
        }
        self.gone = self.gone.plus(std::mem::take(&mut self.bag));
    }

    const fn use_token(&mut self, colour: usize) {
        self.tokens[colour] = self.tokens[colour].saturating_sub(1);
    }

    /// What lies on the square leaves the game (B6, correction of ruling 10).
    fn sink(&mut self, colour: usize, at: Square) {
        self.sunk[colour].insert(at);
        self.gone = self.gone.plus(std::mem::take(&mut self.ground[at]));
        let ends = std::mem::take(&mut self.track[at]);
        if ends != Ends::NONE {
            let stock = stock(&mut self.tiles_gone, ends);
            *stock = stock.saturating_add(1);
            self.tiled = self.tiled.minus(std::iter::once(at).collect());
        }
    }
}

/// The tiles among which one with these openings counts.
const fn stock(tiles: &mut super::definition::Tiles, ends: Ends) -> &mut u8 {
    if ends.is_junction() { &mut tiles.t_or_cross } else { &mut tiles.straight_or_corner }
}
