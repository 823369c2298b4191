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
mod draw;
mod event;
mod fold;
mod forms;
mod grid;
mod hidden;
mod jewel;
mod mission;
mod narrate;
mod order;
mod orders;
mod refuse;
mod route;
mod score;
mod state;
mod survey;
#[cfg(test)]
mod tests;
mod travel;
mod views;
mod words;

pub use board::{Board, Mark, Numbers, SoloNumbers, Variant};
pub use colour::Colour;
pub use definition::{
    BumperHeadOn, CartPoints, Cut, Definition, Drop, Length, Mine, Options, Solo, Speeds, Tiles,
};
pub use event::{Crash, Ending, Event};
pub use grid::{BySquare, Ends, Square, SquareSet, Way};
pub use jewel::{Hoard, Jewel};
pub use mission::{Mission, MissionSet};
pub use order::{Berth, Card, CartId, Order, Split, Wish};
pub use score::Grade;
pub use state::{Cart, Era, Phase, Place, Player, Run, State, Stint};
pub use views::{
    CartView, ChasmView, KindView, PlayerView, PrivateView, PublicView, SideView, SquareView,
};

/// The game.
pub struct OffTheRails;
