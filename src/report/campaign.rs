//! The standings of a campaign as a letter to one of its players.

use super::library::Library;
use super::words::People;
use super::{Rendered, templates::COLUMNS};
use crate::club::campaign::Row;
use crate::rules::Message;
use minijinja::context;
use minijinja::value::Serde;
use serde::Serialize;

/// What the letter says.
#[derive(Clone, Copy, Debug)]
pub struct StandingsLetter<'a> {
    /// The club's name.
    pub club: &'a str,
    /// The campaign's name.
    pub campaign: &'a str,
    /// The last round of which a game was founded.
    pub round: u32,
    /// How many rounds there are.
    pub rounds: u32,
    /// How many games of the campaign are not over.
    pub waiting: usize,
    /// Everyone, the best first.
    pub rows: &'a [Row],
    /// The reader's place among the rows, from 0.
    pub reader: usize,
}

/// A line of the table in a letter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StandingsLine {
    /// The rank.
    pub rank: u32,
    /// The name, as much of it as there is room for.
    pub name: String,
    /// Points.
    pub points: String,
    /// Games that are over.
    pub games: u32,
    /// Games won.
    pub wins: u32,
    /// The score share.
    pub share: String,
    /// The points of everyone met.
    pub opponents: String,
    /// Whether the reader stands here.
    pub you: bool,
    /// Whether lines before this one were left out.
    pub gap: bool,
}

/// As many lines from the top as everyone is shown.
const TOP: usize = 20;
/// As many lines above and below the reader's own as he is shown.
const NEAR: usize = 3;
/// The columns of a line besides the name.
const FIGURES: usize = 46;

impl StandingsLetter<'_> {
    /// The lines that the reader is shown: the top, and those around his own.
    pub fn lines(&self) -> Vec<StandingsLine> {
        let shown = |at: &usize| *at < TOP || at.abs_diff(self.reader) <= NEAR;
        let mut lines = Vec::new();
        let mut next = 0;
        for (at, row) in self.rows.iter().enumerate().filter(|(at, _)| shown(at)) {
            lines.push(StandingsLine {
                rank: row.rank,
                name: row.name.chars().take(COLUMNS - FIGURES).collect(),
                points: row.points.to_string(),
                games: row.games,
                wins: row.wins,
                share: row.share(),
                opponents: row.opponents.to_string(),
                you: at == self.reader,
                gap: at != next,
            });
            next = at + 1;
        }
        lines
    }
}

impl Library {
    /// Writes the standings of a campaign to one of its players.
    pub fn standings(&self, language: &str, letter: &StandingsLetter<'_>) -> Rendered {
        let language = self.language(language);
        let say = |message: &Message| language.words.say(message, &People::NOBODY);
        let subject = Message::new("campaign-subject")
            .with("campaign", letter.campaign)
            .with("club", letter.club);
        let rank = letter.rows.get(letter.reader).map_or(0, |row| row.rank);
        let lead = Message::new("campaign-lead")
            .with("campaign", letter.campaign)
            .with("round", letter.round)
            .with("rounds", letter.rounds)
            .with("rank", rank)
            .with("players", letter.rows.len());
        let open = Message::new("campaign-open").with("count", letter.waiting);
        let text = language.fill(
            "campaign.txt",
            &context! {
                marker => language.words.term("marker"),
                lead => say(&lead),
                open => say(&open),
                lines => Serde(letter.lines()),
            },
        );
        Rendered { subject: say(&subject), text, html: None, part: None }
    }
}
