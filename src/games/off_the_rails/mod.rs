//! Off the Rails: goblins lay track, bring jewels out of the mines, and ram one another, until the
//! abyss takes the rest.

mod ahead;
mod board;
mod close;
mod colour;
mod crash;
mod decide;
mod deck;
mod definition;
mod draw;
mod event;
mod fold;
mod grid;
mod hidden;
mod jewel;
mod mission;
mod narrate;
mod order;
mod orders;
mod refuse;
mod route;
mod score;
mod state;
mod survey;
#[cfg(test)]
mod tests;
mod travel;
mod views;
mod words;

pub use board::{Board, Mark, Numbers, SoloNumbers, Variant};
pub use colour::Colour;
pub use definition::{
    BumperHeadOn, CartPoints, Cut, Definition, Drop, Length, Mine, Options, Solo, Speeds, Tiles,
};
pub use event::{Crash, Ending, Event};
pub use grid::{BySquare, Ends, Square, SquareSet, Way};
pub use jewel::{Hoard, Jewel};
pub use mission::{Mission, MissionSet};
pub use order::{Berth, Card, CartId, Order, Split, Wish};
pub use score::Grade;
pub use state::{Cart, Era, Phase, Place, Player, Run, State, Stint};
pub use views::{
    CartView, ChasmView, KindView, PlayerView, PrivateView, PublicView, SideView, SquareView,
};

use crate::rules::{
    Charset, Dice, Fault, Follow, Message, NoPlan, Reading, Refusal, Rules, Seat, Standing, Turn,
    Viewer,
};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The game.
pub struct OffTheRails;

impl Rules for OffTheRails {
    const ID: &'static str = "off-the-rails";
    const VERSION: u32 = 1;
    const SEATS: RangeInclusive<u8> = 1..=4;
    const DEFINITION: &'static str = include_str!("../../../games/off-the-rails.yaml");

    type Definition = Definition;
    type Options = Options;
    type State = State;
    type Order = Order;
    type Event = Event;
    type Plan = NoPlan;
    type PublicView = PublicView;
    type PrivateView = PrivateView;

    fn open(definition: &Definition, options: &Options, seats: u8) -> Result<State, Fault> {
        let board = Arc::new(survey::survey(definition)?);
        Ok(State::new(board, survey::numbers(definition, options, seats)?))
    }

    fn setup(state: &State, dice: &mut Dice) -> Vec<Event> {
        deck::setup(state, dice)
    }

    fn apply(state: &mut State, event: &Event) {
        state.apply(event);
    }

    fn turn(state: &State) -> Turn {
        match state.phase {
            Phase::Unopened => Turn::Awaiting(Vec::new()),
            Phase::Turn(seat) => Turn::Awaiting(vec![travel::asked(state).unwrap_or(seat)]),
            Phase::Over(_) => Turn::Over,
        }
    }

    fn parse(state: &State, seat: Seat, line: &str) -> Result<Reading<Order>, Refusal> {
        orders::parse(state, seat, line)
    }

    fn write(state: &State, orders: &[Order]) -> String {
        orders::write(state, orders)
    }

    fn is_whole_line(state_after: &State, orders: &[Order]) -> bool {
        orders::is_whole(state_after, orders)
    }

    fn legal(state: &State, seat: Seat) -> Vec<Order> {
        decide::legal(state, seat)
    }

    fn openly_forced(state: &State, seat: Seat) -> Option<Order> {
        decide::openly_forced(state, seat)
    }

    fn is_secret(order: &Order) -> bool {
        matches!(order, Order::Wish(_))
    }

    fn choices(state: &State, seat: Seat) -> Vec<Message> {
        narrate::choices(state, seat)
    }

    fn decide(
        state: &State,
        seat: Seat,
        order: &Order,
        dice: &mut Dice,
    ) -> Result<Vec<Event>, Refusal> {
        decide::decide(state, seat, order, dice)
    }

    fn discloses(state: &State, event: &Event, seat: Seat) -> bool {
        hidden::discloses(state, event, seat)
    }

    fn overtakes(event: &Event, order: &Order) -> bool {
        decide::overtakes(event, order)
    }

    fn plan(_: &State, _: Seat, _: &str) -> Option<Result<Vec<NoPlan>, Refusal>> {
        None
    }

    fn follow(_: &State, _: Seat, plan: &NoPlan) -> Follow {
        match *plan {}
    }

    fn say_plan(_: &State, plan: &NoPlan) -> Message {
        match *plan {}
    }

    fn plans_at_random(_: &State, _: Seat, _: &mut Dice) -> Vec<String> {
        Vec::new()
    }

    fn forfeit(state: &State, _: Seat) -> Order {
        decide::forfeit(state)
    }

    fn closing(state: &State, seat: Seat) -> Option<Order> {
        decide::closing(state, seat)
    }

    fn standings(state: &State) -> Vec<Standing> {
        score::standings(state)
    }

    fn progress(state: &State) -> u8 {
        views::progress(state)
    }

    fn public(state: &State) -> PublicView {
        views::public(state)
    }

    fn private(state: &State, seat: Seat) -> PrivateView {
        views::private(state, seat)
    }

    fn board(state: &State, recent: &[Event], charset: Charset) -> Vec<String> {
        draw::draw(state, recent, charset)
    }

    fn narrate(state: &State, events: &[Event], viewer: Viewer) -> Vec<Message> {
        narrate::narrate(state, events, viewer)
    }

    fn audit(state: &State) -> Result<(), String> {
        hidden::audit(state)
    }

    fn reshuffle_hidden(state: &State, viewer: Viewer, dice: &mut Dice) -> State {
        hidden::reshuffle(state, viewer, dice)
    }

    fn reshuffle_event(world: &State, event: &Event, viewer: Viewer, dice: &mut Dice) -> Event {
        hidden::reshuffle_event(world, event, viewer, dice)
    }
}
