//! The contract that every game implements, and the object-safe form of a game ([`DynGame`]).
//!
//! All of this is pure: values in, values out. Code here and in `games/` does not know mail, names
//! of people, time, files or storage. It contains no sentences either: text for people leaves as a
//! [`Message`] (a key with arguments), and `render/` turns the key into words.
//!
//! | part | used by |
//! |---|---|
//! | [`Rules`] | the table, which judges orders and rebuilds positions from logs |
//! | [`OrderText`], [`ConditionalPlan`] | the code that reads letters |
//! | [`Views`] | the code that writes letters |
//! | [`HiddenInfo`] | previews, and the tests that look for leaks |
//! | [`Search`] | the computer players |
//! | [`Game`] | [`game_kind`], which turns all of these into a [`GameKind`] and a [`DynGame`] |
//!
//! To write a game, implement [`Rules`], [`OrderText`], [`Views`], [`HiddenInfo`] and [`Search`]
//! for one type, and add it to [`Program`](crate::Program). `examples/high_card` is a complete
//! small game, and `docs/developers.md` lists the data and the texts that a game needs besides.

#![warn(missing_docs)]

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
mod registry;
mod row;
mod scalar;
mod scene;
mod search;
mod seat;
mod suggestion;
mod tree_search;
mod views;
mod vocabulary;
mod written_lines;
pub mod yaml;

pub use adapter::game_kind;
pub use contract::{Game, Rules, Turn};
pub(crate) use dice::throwaway_dice;
pub use dice::{Dice, Seed};
pub use dyn_game::{DynGame, EventText, GameKind, LineOutcome, NewGameError, UnreadableData};
pub use fault::DefinitionFault;
pub(crate) use fault::entry_for_seats;
pub use form::{FormExample, Grammar, LineForm};
pub use hidden::HiddenInfo;
pub use message::{Arg, Message};
pub(crate) use nearest::{edit_distance, nearest_word, unique_nearest};
pub use order_text::{ConditionalPlan, NoPlan, OrderText, ParsedLine, PlanStatus};
pub use ranking::{Ranking, ScorePart, assign_ranks, rank_by_points};
pub(crate) use refusal::excerpt;
pub use refusal::{Refusal, RefusalKind};
pub use registry::GameRegistry;
pub use row::{PieceLabel, PositionRow};
pub(crate) use scalar::deserialize_from_str;
pub use scene::{
    Anchor, FONT_SIZE_MIN, Fill, Ink, Pattern, PictureStyle, Point, SCENE_WIDTH, Scene, SceneText,
    Shape,
};
pub use search::{BotLevel, Effort, Search, UnknownBotLevel, WeighedLine};
pub use seat::Seat;
pub use suggestion::Suggestion;
pub use tree_search::choose_orders;
pub(crate) use views::board_title;
pub use views::{Charset, Viewer, Views};
pub(crate) use vocabulary::lowercase_words;
pub use vocabulary::{LineGuess, Vocabulary};
pub use written_lines::write_bot_lines;
