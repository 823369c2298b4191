//! Trick of the Rails: tricks build five railways, and make shares of them.

mod card;
mod company;
mod decide;
mod definition;
mod draw;
mod edition;
mod hidden;
mod narrate;
mod orders;
mod plan;
mod railway;
mod refuse;
mod state;
#[cfg(test)]
mod tests;
mod views;

pub use card::{Card, CardSet};
pub use company::{ByCompany, Company};
pub use definition::{City, CompanyCards, Definition, Engine, Locomotive, Options, Slot};
pub use edition::Edition;
pub use plan::Plan;
pub use railway::{End, Railway, Track, Worth};
pub use state::{Event, LaneCard, Order, Phase, Shares, State, Step};
pub use views::{
    CompanyView, HeldView, LocomotiveView, NumberView, PlayedView, PlayerView, PrivateView,
    PublicView, Round, TrackView,
};

/// The game.
pub struct TrickOfTheRails;
