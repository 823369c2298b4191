//! (being built)

pub mod automatic;
pub mod fold;
pub mod letter;
pub mod reply;
