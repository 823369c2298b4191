//! The contract that every game signs, and its face without types.
//!
//! Pure: values in, values out. Nothing here or in `games/` knows mail, names of people, time,
//! files or storage, and nothing holds a sentence: what a person reads leaves as a [`Message`], a
//! key and its arguments, and becomes words in `render/`.
//!
//! | part | who reads it |
//! |---|---|
//! | [`Rules`] | the table, which judges orders and folds logs |
//! | [`OrderText`], [`Plans`] | who reads letters |
//! | [`Views`] | who writes letters |
//! | [`Hidden`] | previews, and the tests that look for leaks |
//! | [`Game`] | all of them at once: the adapter behind [`DynGame`] |

mod adapter;
mod contract;
pub(crate) mod deal;
mod dice;
mod dyn_game;
mod fault;
mod form;
mod hidden;
pub mod line_words;
mod message;
mod nearest;
mod order_text;
mod ranking;
mod refusal;
mod row;
mod scalar;
mod scene;
mod seat;
mod suggestion;
mod views;
mod vocabulary;
pub mod yaml;

pub use adapter::entry;
pub use contract::{Game, Rules, Turn};
pub(crate) use dice::unused_dice;
pub use dice::{Dice, Seed};
pub use dyn_game::{Damage, DynGame, EventText, Kind, Move, OpenError};
pub use fault::Fault;
pub(crate) use fault::for_seats;
pub use form::{Form, FormLine, Grammar};
pub use hidden::Hidden;
pub use message::{Arg, Message};
pub(crate) use nearest::{distance, nearest, nearest_of};
pub use order_text::{Follow, NoPlan, OrderText, Plans, Reading};
pub use ranking::{Score, Standing, rank, rank_by_points};
pub(crate) use refusal::excerpt;
pub use refusal::{Refusal, RefusalKind};
pub use row::{Mark, Row};
pub(crate) use scalar::read_text;
pub use scene::{
    Anchor, Fill, Ink, Pattern, PictureStyle, Point, SCENE_WIDTH, Scene, Shape, Words,
};
pub use seat::Seat;
pub use suggestion::Suggestion;
pub(crate) use views::board_title;
pub use views::{Charset, Viewer, Views};
pub(crate) use vocabulary::pieces;
pub use vocabulary::{Hint, Vocabulary};
