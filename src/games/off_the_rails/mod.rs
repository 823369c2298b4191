//! Off the Rails: goblins lay track, bring jewels out of the mines, and ram one another, until the
//! abyss takes the rest.

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
mod state;
mod suggest;
#[cfg(test)]
mod tests;
mod travel;
mod trips;
mod turn_end;
mod views;
mod wish_lines;
mod word_parser;

use colour::Colour;
use event::{DerailReason, Ending, Event};
use grid::{Direction, Openings, Square, SquareSet};
use jewel::{Jewel, JewelCounts};
use lookahead::Lookahead;
use mission::Mission;
use order::{Card, CartId, Order, Split, SurfaceSquare, Wish};
use state::{Era, Place, State};

/// Off the Rails, for 2 to 4 players and alone: carts with jewels, and tracks that may give way.
pub struct OffTheRails;

/// Returns the fault if a condition does not hold.
fn require<E>(holds: bool, fault: E) -> Result<(), E> {
    if holds { Ok(()) } else { Err(fault) }
}
