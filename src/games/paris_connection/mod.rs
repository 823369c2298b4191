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

/// The game.
pub struct ParisConnection;
