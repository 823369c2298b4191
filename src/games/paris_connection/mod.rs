//! Paris Connection: six railway companies grow out of Paris, and the players hold their shares.
//!
//! - `definition`, `validate` and `board` hold the map: as data, its checks, and as checked data.
//! - `hex` and `colour` hold hexes, sets of hexes, and the six companies.
//! - `state` holds the position and the events that change it.
//! - `decide` holds the rules of a turn, `cutoff` the cut-off rule, and `refuse` the refusals.
//! - `order_words`, `places` and `orders` turn a line of a letter into words, places and orders.
//! - `forms` says how lines are written, and `plan` holds orders that are written in advance.
//! - `draw`, `scene`, `in_words`, `narrate` and `views` show the game to its players.
//! - `suggest` finds orders worth suggesting, and `hidden` handles hidden information.

mod board;
mod colour;
mod cutoff;
mod decide;
mod definition;
mod draw;
mod forms;
mod hex;
mod hidden;
mod in_words;
mod narrate;
mod order_words;
mod orders;
mod places;
mod plan;
mod refuse;
mod scene;
mod search;
mod state;
mod suggest;
#[cfg(test)]
mod tests;
mod validate;
mod views;

pub use plan::Plan;

/// The game Paris Connection for 3 to 6 players. Every player may extend every company.
pub struct ParisConnection;
