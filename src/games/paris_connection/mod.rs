//! Paris Connection: six railway companies grow out of Paris, and the players hold their shares.
//!
//! A `definition` is validated (`validate`) into a `board`, which never changes; the `state` is
//! what stands on it and who holds what. `decide` holds the rules of a turn, `cutoff` the one that
//! needs thought, `refuse` says why not. A line of a letter is cut into `words`, names `places` and
//! becomes `orders`; `forms` tells how it is written. `draw`, `scene`, `in_words`, `narrate` and
//! `views` show the game, `suggest` knows what is worth a tap, `hidden` what nobody may be shown.

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
mod state;
mod suggest;
#[cfg(test)]
mod tests;
mod validate;
mod views;

pub use plan::Plan;

/// Paris Connection, for 3 to 6 players: railways that all may extend, and shares in them.
pub struct ParisConnection;
