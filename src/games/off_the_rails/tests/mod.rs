//! Constructed positions, and what the rules make of them.

mod abyss;
mod audit;
mod board;
mod crashes;
mod definition;
mod doubts;
mod examples;
mod falls;
mod legal;
mod lines;
mod missions;
mod moves;
mod reading;
mod rows;
mod rulings;
mod scores;
mod solo;
mod taps;
mod track;
mod trips;
mod turns;
mod views;
mod walks;
mod ways;
mod worlds;

use super::OffTheRails;
use crate::games::off_the_rails::board::Numbers;
use crate::games::off_the_rails::colour::Colour;
use crate::games::off_the_rails::definition::Options;
use crate::games::off_the_rails::event::Event;
use crate::games::off_the_rails::grid::{Ends, Square, Way};
use crate::games::off_the_rails::jewel::{Hoard, Jewel};
use crate::games::off_the_rails::mission::Mission;
use crate::games::off_the_rails::order::{CartId, Order};
use crate::games::off_the_rails::state::{Cart, Era, Place, State};
use crate::rules::{Dice, Hidden, Message, OrderText, Refusal, Rules, Seat, Seed, Views, yaml};
use std::sync::Arc;

const ONE: Seat = Seat::new(1);
const TWO: Seat = Seat::new(2);

/// What a test is sure of.
trait Sure<T> {
    fn sure(self) -> T;
}

impl<T> Sure<T> for Option<T> {
    fn sure(self) -> T {
        self.unwrap_or_else(|| panic!("there is none"))
    }
}

impl<T, E: std::fmt::Debug> Sure<T> for Result<T, E> {
    fn sure(self) -> T {
        self.unwrap_or_else(|error| panic!("{error:?}"))
    }
}

/// The square of this name.
fn at(name: &str) -> Square {
    Square::parse(name).unwrap_or_else(|| panic!("{name}"))
}

/// Jewels by their letters on the board.
fn jewels(letters: &str) -> Hoard {
    let jewel = |letter| Jewel::ALL.into_iter().find(|jewel| jewel.letter() == letter).sure();
    letters.chars().map(jewel).collect()
}

/// A cart by its number: 0 and 1 are seat 1's white and black one, 2 and 3 seat 2's.
fn cart(index: u8) -> CartId {
    CartId::new(index).sure()
}

fn dice() -> Dice {
    Dice::new(&Seed::rehearsal(1), 0)
}

/// A game of so many with these options, before anything lies on the board. Seat 1 plays from the
/// north, 2 from the south, 3 from the east, 4 from the west; seat 1 is on turn.
fn game(seats: u8, options: &Options) -> State {
    let definition = yaml::read(OffTheRails::DEFINITION).sure();
    let mut state = OffTheRails::open(&definition, options, seats).sure();
    let sides = vec![Way::North, Way::South, Way::East, Way::West];
    state.apply(&Event::Opened { sides, missions: Vec::new() });
    state.apply(&Event::Turn { seat: ONE });
    state
}

/// The numbers of a game, to be changed.
fn numbers(state: &mut State) -> &mut Numbers {
    Arc::make_mut(&mut state.numbers)
}

/// All that lies on the board.
fn ground(state: &State) -> Hoard {
    state.board.squares.iter().map(|square| state.ground[square]).fold(Hoard::NONE, Hoard::plus)
}

/// A game of two by the rules as they are.
fn plain() -> State {
    game(2, &Options::default())
}

/// Lays any tiles: `C1 ns, C2 nes`.
fn lay(state: &mut State, tiles: &str) {
    for tile in tiles.split(", ") {
        let (square, ends) = tile.split_once(' ').sure();
        let ends = Ends::parse(ends).unwrap_or_else(|| panic!("{tile}"));
        state.apply(&Event::Laid { seat: ONE, at: at(square), ends });
    }
    state.stint.actions = state.numbers.actions;
}

/// Puts jewels on a square.
fn strew(state: &mut State, square: &str, letters: &str) {
    state.ground[at(square)] = jewels(letters);
    state.bag = state.bag.minus(jewels(letters));
}

/// Puts a cart on a square, with speed 1.
fn stand(state: &mut State, id: u8, square: &str, facing: Way, hold: &str) {
    let hold = jewels(hold);
    state.bag = state.bag.minus(hold);
    state.carts[cart(id).index()] = Cart {
        place: Place::Track(at(square)),
        facing,
        came: None,
        speed: 1,
        hold,
        derailed: false,
    };
}

fn speed(state: &mut State, id: u8, speed: u8) {
    state.carts[cart(id).index()].speed = speed;
}

/// Turns missions up.
fn face_up(state: &mut State, missions: &[Mission]) {
    state.missions = missions.iter().copied().collect();
}

/// What the seat's lines do; all or nothing.
fn try_lines(state: &State, seat: Seat, lines: &str) -> Result<(State, Vec<Event>), Refusal> {
    let (mut after, mut told, mut dice) = (state.clone(), Vec::new(), dice());
    for line in lines.split("; ") {
        let orders: Vec<Order> = OffTheRails::parse(&after, seat, line)?.orders;
        for order in orders {
            let events = OffTheRails::decide(&after, seat, &order, &mut dice)?;
            for event in events {
                after.apply(&event);
                OffTheRails::audit(&after)
                    .unwrap_or_else(|what| panic!("{line}: {event:?}: {what}"));
                told.push(event);
            }
        }
    }
    Ok((after, told))
}

/// The position after these lines of seat 1.
fn say(state: &State, lines: &str) -> State {
    tell(state, lines).0
}

/// The position after these lines of seat 1, and what happened.
fn tell(state: &State, lines: &str) -> (State, Vec<Event>) {
    try_lines(state, ONE, lines).unwrap_or_else(|refusal| panic!("{lines}: {refusal:?}"))
}

/// The key of the reason why seat 1's lines are refused.
fn refused(state: &State, lines: &str) -> &'static str {
    refusal(state, lines).reason.key
}

fn refusal(state: &State, lines: &str) -> Refusal {
    match try_lines(state, ONE, lines) {
        Ok((_, events)) => panic!("{lines}: {events:?}"),
        Err(refusal) => refusal,
    }
}

/// The keys of the remarks on a line.
fn remarks(state: &State, line: &str) -> Vec<&'static str> {
    let remarks: Vec<Message> = OffTheRails::parse(state, ONE, line).sure().remarks;
    remarks.iter().map(|remark| remark.key).collect()
}

/// Where a cart is and which way it faces.
fn stands(state: &State, id: u8) -> (Place, Way) {
    let cart = state.cart(cart(id));
    (cart.place, cart.facing)
}

fn on(square: &str) -> Place {
    Place::Track(at(square))
}

/// Opens the abyss with a token of each colour on its mine's square 1.
fn open_abyss(state: &mut State) {
    state.era = Era::Abyss;
    // More than in the box, so that a test can sink what it likes.
    numbers(state).tokens = 20;
    for colour in Colour::ALL {
        let square = state.board.mines[colour.index()][0];
        state.apply(&Event::Sank { colour, at: square });
    }
}
