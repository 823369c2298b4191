//! The contract that every game signs.
//!
//! Pure: values in, values out. Nothing here or in `games/` knows mail, names of people, time,
//! files or storage, and nothing holds a sentence: what a person reads leaves as a [`Message`], a
//! key and its arguments, and becomes words in `report/`.

mod contract;
pub mod deal;
mod dice;
mod erased;
mod message;
mod seat;
pub mod yaml;

pub use contract::{
    Charset, Fault, Follow, Near, NoPlan, Reading, Refusal, RefusalKind, Rules, Score, Standing,
    Turn, Viewer, rank,
};
pub use dice::{Dice, Seed};
pub use erased::{Damage, EventText, Kind, Match, Move, OpenError, entry};
pub use message::{Arg, Message};
pub use seat::Seat;
