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
mod doubt;
mod draw;
mod event;
mod examples;
mod fold;
mod forms;
mod grid;
mod hidden;
mod in_words;
mod jewel;
mod joined;
mod mission;
mod narrate;
mod order;
mod orders;
mod plan;
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
mod views;
mod wishes;
mod words;

use ahead::Ahead;
use colour::Colour;
use event::{Ending, Event, Wreck};
use grid::{Ends, Square, SquareSet, Way};
use jewel::{Hoard, Jewel};
use mission::Mission;
use order::{Berth, Card, CartId, Order, Split, Wish};
use state::{Era, Place, State};

/// Off the Rails, for 2 to 4 players and alone: carts with jewels, and tracks that may give way.
pub struct OffTheRails;

/// Returns the fault if a condition does not hold.
fn require<E>(holds: bool, fault: E) -> Result<(), E> {
    if holds { Ok(()) } else { Err(fault) }
}
