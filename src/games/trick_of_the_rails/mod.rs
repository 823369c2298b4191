//! Trick of the Rails: tricks build five railways, and make shares of them.

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
mod state;
mod suggest;
#[cfg(test)]
mod tests;
mod trick_prospects;
mod views;

pub use card::Card;
pub use company::Company;
pub use plan::Plan;

/// Trick of the Rails, for 3 to 5 players: tricks whose cards become railways and shares.
pub struct TrickOfTheRails;
