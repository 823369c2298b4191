//! Renders the standings of a campaign as a letter to one of its players.

use super::game_letter::LetterFrame;
use super::library::Library;
use super::{RenderedLetter, templates::COLUMNS};
use crate::club::Member;
use crate::club::campaign::StandingsRow;
use crate::rules::Message;
use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::{Deserialize, Serialize};

/// The content of a letter with the standings of a campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandingsLetter {
    pub campaign: String,
    /// The last round of the campaign whose games have begun.
    pub round: u32,
    pub(crate) rounds: u32,
    /// The number of the campaign's games that are still in play.
    pub waiting: usize,
    pub players: usize,
    pub rank: u32,
    /// The lines of the table that this reader gets.
    pub lines: Vec<StandingsLine>,
}

/// One player's line in the letter with a campaign's standings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandingsLine {
    /// The rank, from 1. Equal players share a rank.
    pub rank: u32,
    /// The player's name, truncated to 30 characters so that the line fits into the letter.
    pub name: String,
    pub points: String,
    pub games: u32,
    pub wins: u32,
    pub(crate) share: String,
    /// The sum of the points of all opponents, formatted.
    pub opponents: String,
    pub(crate) you: bool,
    /// Whether the letter leaves out lines of the table before this one.
    pub(crate) gap: bool,
}

/// The number of lines from the top of the standings that every reader gets.
const TOP_LINES: usize = 20;
/// The number of lines above and below their own line that every reader gets.
const NEAR_LINES: usize = 3;
/// The columns that a line of the standings needs in addition to the player's name.
const FIGURE_COLUMNS: usize = 46;

impl StandingsLetter {
    /// Selects the lines for one reader: the first 20, and those within 3 places of the reader's
    /// own. `reader` is the index of the reader's row, from 0.
    pub(crate) fn select_lines(rows: &[StandingsRow], reader: usize) -> Vec<StandingsLine> {
        let shown = |at: &usize| *at < TOP_LINES || at.abs_diff(reader) <= NEAR_LINES;
        let line = |(at, row): (usize, &StandingsRow)| StandingsLine {
            rank: row.rank,
            name: row.name.chars().take(COLUMNS - FIGURE_COLUMNS).collect(),
            points: row.points.to_string(),
            games: row.games,
            wins: row.wins,
            share: row.format_score_share(),
            opponents: row.opponents.to_string(),
            you: at == reader,
            gap: at > 0 && !shown(&(at - 1)),
        };
        rows.iter().enumerate().filter(|(at, _)| shown(at)).map(line).collect()
    }
}

impl Library {
    /// Renders the letter with the standings of a campaign.
    pub(crate) fn render_standings(
        &self,
        to: &Member,
        club: &str,
        letter: &StandingsLetter,
    ) -> RenderedLetter {
        let language = self.language(&to.language);
        let of_campaign = |key| {
            Message::new(key)
                .with("campaign", letter.campaign.as_str())
                .with("round", letter.round)
                .with("rank", letter.rank)
                .with("players", letter.players)
        };
        let subject = language.localize(&of_campaign("campaign-subject").with("club", club));
        let lead = language.localize(&of_campaign("campaign-lead").with("rounds", letter.rounds));
        let open = language.localize(&Message::new("campaign-open").with("count", letter.waiting));
        let figures = |line: &StandingsLine| {
            let figures = Message::new("campaign-figures")
                .with("points", line.points.as_str())
                .with("games", line.games)
                .with("wins", line.wins)
                .with("share", line.share.as_str());
            language.localize(&figures.with("opponents", line.opponents.as_str()))
        };
        let lines = letter.lines.iter();
        let lines: Vec<Value> = lines
            .map(|line| context! { figures => figures(line), ..Value::from(Serde(line)) })
            .collect();
        let shell = LetterFrame { language, style: to.letters, subject: &subject };
        shell.render("campaign", &lead, context! { lead => &lead, open, lines })
    }
}
