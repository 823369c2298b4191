//! The standings of a campaign as a letter to one of its players.

use super::game_letter::LetterFrame;
use super::library::Library;
use super::{RenderedLetter, templates::COLUMNS};
use crate::club::Member;
use crate::club::campaign::StandingsRow;
use crate::rules::Message;
use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::{Deserialize, Serialize};

/// What the letter says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandingsLetter {
    /// The campaign's name.
    pub campaign: String,
    /// The last round of which a game was founded.
    pub round: u32,
    /// How many rounds there are.
    pub(crate) rounds: u32,
    /// How many games of the campaign are not over.
    pub waiting: usize,
    /// How many play.
    pub players: usize,
    /// The reader's rank.
    pub rank: u32,
    /// The lines that the reader is shown.
    pub lines: Vec<StandingsLine>,
}

/// A line of the table in a letter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandingsLine {
    /// The rank, from 1; equals share one.
    pub rank: u32,
    /// The name, as much of it as there is room for.
    pub name: String,
    /// The points, as the table prints them.
    pub points: String,
    /// Games that are over.
    pub games: u32,
    /// How many games were won.
    pub wins: u32,
    /// The score share.
    pub(crate) share: String,
    /// The points of everyone met.
    pub opponents: String,
    /// Whether the reader stands here.
    pub(crate) you: bool,
    /// Whether lines before this one were left out.
    pub(crate) gap: bool,
}

/// As many lines from the top as everyone is shown.
const TOP_LINES: usize = 20;
/// As many lines above and below the reader's own as he is shown.
const NEAR_LINES: usize = 3;
/// The columns of a line besides the name.
const FIGURE_COLUMNS: usize = 46;

impl StandingsLetter {
    /// The lines of a table that the reader is shown who stands in this place of it, from 0: the
    /// top, and those around his own.
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
    /// Writes the standings of a campaign to one of its players.
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
