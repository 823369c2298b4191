//! Paris Connection: six railway companies grow out of Paris, and the players hold their shares.
//!
//! A `definition` is surveyed (`survey`) into a `board`, which never changes; the `state` is what
//! stands on it and who holds what. `decide` holds the rules of a turn, `cutoff` the one that needs
//! thought, `refuse` says why not. A line of a letter becomes `orders`; `draw`, `narrate` and
//! `views` show the game, and `hidden` knows what nobody may be shown.

mod board;
mod colour;
mod cutoff;
mod decide;
mod definition;
mod draw;
mod hex;
mod hidden;
mod narrate;
mod orders;
mod plan;
mod refuse;
mod state;
mod survey;
#[cfg(test)]
mod tests;
mod views;

pub use colour::{ByColour, Colour};
pub use definition::{Barrier, BarrierKind, City, Definition, Edge, Options, Start};
pub use hex::Hex;
pub use plan::Plan;
pub use state::{Ending, Event, Order, State};
pub use views::{CompanyView, HoldingView, PlayerView, PrivateView, PublicView};

use crate::rules::{
    Charset, Dice, Fault, Follow, Message, Reading, Refusal, Rules, Seat, Standing, Turn, Viewer,
};
use state::Phase;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The game.
pub struct ParisConnection;

impl Rules for ParisConnection {
    const ID: &'static str = "paris-connection";
    const VERSION: u32 = 1;
    const SEATS: RangeInclusive<u8> = 3..=6;
    const DEFINITION: &'static str = include_str!("../../../games/paris-connection.yaml");

    type Definition = Definition;
    type Options = Options;
    type State = State;
    type Order = Order;
    type Event = Event;
    type Plan = Plan;
    type PublicView = PublicView;
    type PrivateView = PrivateView;

    fn open(definition: &Definition, options: &Options, seats: u8) -> Result<State, Fault> {
        let board = Arc::new(survey::survey(definition)?);
        Ok(State::new(board, survey::numbers(definition, options, seats)?))
    }

    fn setup(state: &State, dice: &mut Dice) -> Vec<Event> {
        decide::setup(state, dice)
    }

    fn apply(state: &mut State, event: &Event) {
        state.apply(event);
    }

    fn turn(state: &State) -> Turn {
        match state.phase {
            Phase::Unopened => Turn::Awaiting(Vec::new()),
            Phase::Turn(seat) => Turn::Awaiting(vec![seat]),
            Phase::Over(_) => Turn::Over,
        }
    }

    fn parse(state: &State, seat: Seat, line: &str) -> Result<Reading<Order>, Refusal> {
        orders::parse(state, seat, line)
    }

    fn write(_: &State, orders: &[Order]) -> String {
        orders::write(orders)
    }

    fn is_whole_line(state_after: &State, _: &[Order]) -> bool {
        state_after.build.is_none()
    }

    fn legal(state: &State, seat: Seat) -> Vec<Order> {
        decide::legal(state, seat)
    }

    fn openly_forced(state: &State, seat: Seat) -> Option<Order> {
        decide::openly_forced(state, seat)
    }

    fn is_secret(_: &Order) -> bool {
        false
    }

    fn choices(state: &State, seat: Seat) -> Vec<Message> {
        narrate::choices(state, seat)
    }

    fn decide(
        state: &State,
        seat: Seat,
        order: &Order,
        _: &mut Dice,
    ) -> Result<Vec<Event>, Refusal> {
        decide::decide(state, seat, order)
    }

    // An order's outcome follows from the shares of who gives it and from what lies open.
    fn discloses(_: &State, _: &Event, _: Seat) -> bool {
        false
    }

    fn overtakes(event: &Event, order: &Order) -> bool {
        decide::overtakes(event, order)
    }

    fn plan(state: &State, seat: Seat, line: &str) -> Option<Result<Vec<Plan>, Refusal>> {
        plan::read(state, seat, line)
    }

    fn follow(state: &State, seat: Seat, plan: &Plan) -> Follow {
        plan::follow(state, seat, plan)
    }

    fn say_plan(_: &State, plan: &Plan) -> Message {
        plan::say(plan)
    }

    fn plans_at_random(state: &State, seat: Seat, chooser: &mut Dice) -> Vec<String> {
        plan::at_random(state, seat, chooser)
    }

    fn forfeit(state: &State, seat: Seat) -> Order {
        decide::forfeit(state, seat)
    }

    fn standings(state: &State) -> Vec<Standing> {
        views::standings(state)
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

    fn reshuffle_event(world: &State, event: &Event, viewer: Viewer, _: &mut Dice) -> Event {
        hidden::reshuffle_event(world, event, viewer)
    }
}
