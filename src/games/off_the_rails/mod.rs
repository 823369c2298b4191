//! Off the Rails, a game for 1 to 4 players. Players lay track, drive carts into the mines, collect
//! jewels and ram each other's carts. Late in the game, chasm tokens destroy one square after
//! another.

mod board;
mod colour;
mod compound_line;
mod confirmation;
mod crash;
mod decide;
mod deck;
mod definition;
mod draw;
mod event;
mod event_effects;
mod examples;
mod forms;
mod grid;
mod hidden;
mod jewel;
mod lookahead;
mod mission;
mod narrate;
mod order;
mod orders;
mod plan;
mod position_text;
mod refuse;
mod route;
mod scene;
mod score;
mod search;
mod state;
mod suggest;
#[cfg(test)]
mod tests;
mod track_lines;
mod travel;
mod trips;
mod turn_end;
mod turn_plans;
mod views;
mod wish_lines;
mod word_parser;

use colour::Colour;
use event::{DerailReason, Ending, Event};
use grid::{Direction, Square, SquareSet, TileOpenings};
use jewel::{Jewel, JewelCounts};
use lookahead::Lookahead;
use mission::Mission;
use order::{Card, CartId, Order, Split, SurfaceSquare, Wish};
use state::{Era, Place, State};

/// The game Off the Rails, for 2 to 4 players or solo.
pub struct OffTheRails;

/// Returns `fault` as the error if `holds` is false.
fn require<E>(holds: bool, fault: E) -> Result<(), E> {
    if holds { Ok(()) } else { Err(fault) }
}
