//! Trick of the Rails: tricks build five railways, and make shares of them.

mod card;
mod company;
mod decide;
mod definition;
mod draw;
mod edition;
mod hidden;
mod narrate;
mod orders;
mod plan;
mod railway;
mod refuse;
mod state;
#[cfg(test)]
mod tests;
mod views;

pub use card::{Card, CardSet};
pub use company::{ByCompany, Company};
pub use definition::{City, CompanyCards, Definition, Engine, Locomotive, Options, Slot};
pub use edition::Edition;
pub use plan::Plan;
pub use railway::{End, Railway, Track, Worth};
pub use state::{Event, LaneCard, Order, Phase, Shares, State, Step};
pub use views::{
    CompanyView, HeldView, LocomotiveView, NumberView, PlayedView, PlayerView, PrivateView,
    PublicView, Round, TrackView,
};

use crate::rules::{
    Charset, Dice, Fault, Follow, Message, Reading, Refusal, Rules, Seat, Standing, Turn, Viewer,
};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The game.
pub struct TrickOfTheRails;

impl Rules for TrickOfTheRails {
    const ID: &'static str = "trick-of-the-rails";
    const VERSION: u32 = 1;
    const SEATS: RangeInclusive<u8> = 3..=5;
    const DEFINITION: &'static str = include_str!("../../../games/trick-of-the-rails.yaml");

    type Definition = Definition;
    type Options = Options;
    type State = State;
    type Order = Order;
    type Event = Event;
    type Plan = Plan;
    type PublicView = PublicView;
    type PrivateView = PrivateView;

    fn open(definition: &Definition, options: &Options, seats: u8) -> Result<State, Fault> {
        Ok(State::new(Arc::new(Edition::new(definition, options, seats)?)))
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
            Phase::Turn(seat, _) => Turn::Awaiting(vec![seat]),
            Phase::Over => Turn::Over,
        }
    }

    fn parse(state: &State, seat: Seat, line: &str) -> Result<Reading<Order>, Refusal> {
        orders::parse(state, seat, line)
    }

    fn write(_: &State, orders: &[Order]) -> String {
        orders::write(orders)
    }

    fn is_whole_line(_: &State, _: &[Order]) -> bool {
        true
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

    // An order's outcome follows from the hand that it is played from and from what lies open.
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

    fn say_plan(state: &State, plan: &Plan) -> Message {
        plan::say(state, plan)
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
