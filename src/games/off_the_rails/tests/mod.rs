//! Tests of the rules on constructed positions, with helpers to build them.

mod abyss;
mod audit;
mod board;
mod confirmations;
mod crashes;
mod definition;
mod determinization;
mod dropped_jewels;
mod examples;
mod legal;
mod lines;
mod missions;
mod moves;
mod next_turn_plans;
mod random_games;
mod reading;
mod route_lines;
mod rows;
mod rulings;
mod scores;
mod solo;
mod suggested_lines;
mod suggested_turns;
mod track;
mod trips;
mod views;

use super::OffTheRails;
use crate::games::off_the_rails::board::GameNumbers;
use crate::games::off_the_rails::colour::Colour;
use crate::games::off_the_rails::definition::Options;
use crate::games::off_the_rails::event::Event;
use crate::games::off_the_rails::grid::{Direction, Square, TileOpenings};
use crate::games::off_the_rails::jewel::{Jewel, JewelCounts};
use crate::games::off_the_rails::mission::Mission;
use crate::games::off_the_rails::order::{CartId, Order};
use crate::games::off_the_rails::state::{Cart, Era, Place, State};
use crate::rules::{Dice, HiddenInfo, Message, OrderText, Refusal, Rules, Seat, Seed, Views, yaml};
use std::sync::Arc;

const SEAT_ONE: Seat = Seat::new(1);
const SEAT_TWO: Seat = Seat::new(2);

/// Unwraps a value that the test expects to exist. A missing value or an error fails the test.
trait OrFail<T> {
    fn or_fail(self) -> T;
}

impl<T> OrFail<T> for Option<T> {
    fn or_fail(self) -> T {
        self.unwrap_or_else(|| panic!("there is none"))
    }
}

impl<T, E: std::fmt::Debug> OrFail<T> for Result<T, E> {
    fn or_fail(self) -> T {
        self.unwrap_or_else(|error| panic!("{error:?}"))
    }
}

fn square_at(name: &str) -> Square {
    Square::parse(name).unwrap_or_else(|| panic!("{name}"))
}

/// Parses jewels from their letters on the board.
fn jewels(letters: &str) -> JewelCounts {
    let jewel = |letter| Jewel::ALL.into_iter().find(|jewel| jewel.letter() == letter).or_fail();
    letters.chars().map(jewel).collect()
}

/// Returns a cart by its index: 0 and 1 are the white and black carts of seat 1, 2 and 3 those of
/// seat 2.
fn cart(index: u8) -> CartId {
    CartId::new(index).or_fail()
}

fn dice() -> Dice {
    Dice::new(&Seed::from_number(1), 0)
}

/// Returns a game with an empty board, in which it is seat 1's turn. Seat 1 plays from the north, 2
/// from the south, 3 from the east, 4 from the west.
fn new_game(seats: u8, options: &Options) -> State {
    let definition = yaml::parse(OffTheRails::DEFINITION).or_fail();
    let mut state = OffTheRails::initial_state(&definition, options, seats).or_fail();
    let sides = vec![Direction::North, Direction::South, Direction::East, Direction::West];
    state.apply(&Event::Opened { sides, missions: Vec::new() });
    state.apply(&Event::Turn { seat: SEAT_ONE });
    state
}

fn numbers_mut(state: &mut State) -> &mut GameNumbers {
    Arc::make_mut(&mut state.numbers)
}

/// Returns the total of all jewels that lie on squares.
fn jewels_on_board(state: &State) -> JewelCounts {
    state
        .board
        .squares
        .iter()
        .map(|square| state.ground[square])
        .fold(JewelCounts::NONE, JewelCounts::plus)
}

/// Returns a game for 2 players with the default options.
fn default_game() -> State {
    new_game(2, &Options::default())
}

/// Lays tiles such as `C1 ns, C2 nes`, and restores the actions of the turn.
fn lay_tiles(state: &mut State, tiles: &str) {
    for tile in tiles.split(", ") {
        let (square, ends) = tile.split_once(' ').or_fail();
        let ends = TileOpenings::parse(ends).unwrap_or_else(|| panic!("{tile}"));
        state.apply(&Event::Laid { seat: SEAT_ONE, at: square_at(square), ends });
    }
    state.turn_progress.actions_left = state.numbers.actions;
}

fn place_jewels(state: &mut State, square: &str, letters: &str) {
    state.ground[square_at(square)] = jewels(letters);
    state.bag = state.bag.minus(jewels(letters));
}

/// Puts a cart with speed 1 on a square. Its jewels come from the bag.
fn place_cart(state: &mut State, id: u8, square: &str, facing: Direction, hold: &str) {
    let hold = jewels(hold);
    state.bag = state.bag.minus(hold);
    state.carts[cart(id).index()] = Cart {
        place: Place::Track(square_at(square)),
        facing,
        arrived_heading: None,
        speed: 1,
        hold,
        derailed: false,
    };
}

fn set_speed(state: &mut State, id: u8, speed: u8) {
    state.carts[cart(id).index()].speed = speed;
}

fn turn_up_missions(state: &mut State, missions: &[Mission]) {
    state.missions = missions.iter().copied().collect();
}

/// Carries out lines of a seat, separated by `; `, and audits the pieces after each event.
fn try_lines(state: &State, seat: Seat, lines: &str) -> Result<(State, Vec<Event>), Refusal> {
    let (mut after, mut told, mut dice) = (state.clone(), Vec::new(), dice());
    for line in lines.split("; ") {
        let orders: Vec<Order> = OffTheRails::parse_line(&after, seat, line)?.orders;
        for order in orders {
            let events = OffTheRails::decide(&after, seat, &order, &mut dice)?;
            for event in events {
                after.apply(&event);
                OffTheRails::check_every_piece_placed(&after)
                    .unwrap_or_else(|what| panic!("{line}: {event:?}: {what}"));
                told.push(event);
            }
        }
    }
    Ok((after, told))
}

fn play_lines(state: &State, lines: &str) -> State {
    play_with_events(state, lines).0
}

fn play_with_events(state: &State, lines: &str) -> (State, Vec<Event>) {
    try_lines(state, SEAT_ONE, lines).unwrap_or_else(|refusal| panic!("{lines}: {refusal:?}"))
}

/// Returns the key of the sentence that refuses these lines of seat 1.
fn refusal_key(state: &State, lines: &str) -> &'static str {
    expect_refusal(state, lines).reason.key
}

fn expect_refusal(state: &State, lines: &str) -> Refusal {
    match try_lines(state, SEAT_ONE, lines) {
        Ok((_, events)) => panic!("{lines}: {events:?}"),
        Err(refusal) => refusal,
    }
}

/// Returns the keys of the remarks about a line of seat 1.
fn remark_keys(state: &State, line: &str) -> Vec<&'static str> {
    let remarks: Vec<Message> = OffTheRails::parse_line(state, SEAT_ONE, line).or_fail().remarks;
    remarks.iter().map(|remark| remark.key).collect()
}

fn place_and_facing(state: &State, id: u8) -> (Place, Direction) {
    let cart = state.cart(cart(id));
    (cart.place, cart.facing)
}

fn on_track(square: &str) -> Place {
    Place::Track(square_at(square))
}

/// Begins the abyss era with a token of each colour on square 1 of its mine.
fn open_abyss(state: &mut State) {
    state.era = Era::Abyss;
    // More tokens than in the box, so that a test can collapse any number of squares.
    numbers_mut(state).tokens = 20;
    for colour in Colour::ALL {
        let square = state.board.mines[colour.index()][0];
        state.apply(&Event::Sank { colour, at: square });
    }
}
