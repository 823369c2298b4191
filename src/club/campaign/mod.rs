//! Campaigns: seasons of many games in one club, with a draw, standings and ratings.
//!
//! Pure: the campaign file is passed in as text, and results as ranks and scores. Nothing here
//! knows running games, a store or a clock.

mod campaign_file;
mod ratings;
mod round_draw;
mod seating;
mod standings;

pub use campaign_file::{
    Campaign, CampaignError, EXAMPLE_FILE, Entrant, EntrantChange, Round, TieBreak,
};
pub use ratings::{RatedGame, Rating, compute_ratings};
pub use round_draw::{RoundTables, choose_table_sizes, draw_rounds};
pub use standings::{CampaignGameResult, GameOutcome, Points, StandingsRow, compute_standings};
