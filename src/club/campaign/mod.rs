//! A campaign: many games of one club as a season, drawn and counted.
//!
//! Pure: the file comes in as text, results as ranks and scores. Nothing here knows games being
//! played, a store or a clock.

mod definition;
mod draw;
mod ratings;
mod seating;
mod standings;

pub use definition::{Campaign, CampaignError, Change, EXAMPLE, Entrant, Round, TieBreak};
pub use draw::{Drawn, draw, table_sizes};
pub use ratings::{RatedGame, Rating, rate};
pub use standings::{Outcome, Played, Points, Row, tally};
