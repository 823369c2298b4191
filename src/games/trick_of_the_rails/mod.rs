//! Trick of the Rails: a trick-taking game whose tricks build five railways and hand out shares of
//! them.
//!
//! The leftmost card of the trick lane decides what a trick is played for. In a stock round, played
//! cards become shares. In an operating round, they extend the railways.
//!
//! - `definition` and `edition` hold the cards and lanes: as data, and as the checked data of one
//!   game.
//! - `card`, `company` and `railway` hold cards, sets of cards, the companies and their railways.
//! - `state` holds the position and the events that change it.
//! - `decide` holds the rules of a trick, and `refuse` the refusals.
//! - `names` and `orders` turn a line of a letter into an order, and `examples` makes examples.
//! - `plan`, `plan_lines` and `trick_prospects` handle orders that are written in advance.
//! - `draw`, `scene`, `in_words`, `narrate` and `views` show the game to its players.
//! - `suggest` finds orders worth suggesting, and `hidden` handles hidden information.

mod card;
mod company;
mod decide;
mod definition;
mod draw;
mod edition;
mod examples;
mod hidden;
mod in_words;
mod names;
mod narrate;
mod orders;
mod plan;
mod plan_lines;
mod railway;
mod refuse;
mod scene;
mod search;
mod state;
mod suggest;
#[cfg(test)]
mod tests;
mod trick_prospects;
mod views;

pub use card::Card;
pub use company::Company;
pub use plan::Plan;

/// The game Trick of the Rails for 3 to 5 players.
pub struct TrickOfTheRails;
