//! Paris Connection: six railway companies grow out of Paris, and the players hold their shares.
//!
//! | module | contents |
//! |---|---|
//! | `definition`, `validate`, `board` | the map as data, its checks, and the checked map, which never changes |
//! | `hex`, `colour` | hexes and sets of hexes; the six companies |
//! | `state` | the position and the events that change it |
//! | `decide`, `cutoff`, `refuse` | the rules of a turn, the cut-off rule, and the reasons for refusals |
//! | `order_words`, `places`, `orders`, `forms`, `plan` | from a line of a letter to words, places and orders; how lines and plans are written |
//! | `draw`, `scene`, `in_words`, `narrate`, `views` | the game as text board, picture, words, news and template data |
//! | `suggest`, `hidden` | orders that are worth suggesting; hidden information and the audit |

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

/// The game Paris Connection for 3 to 6 players. Every player may extend every company.
pub struct ParisConnection;
