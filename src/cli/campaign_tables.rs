//! The output of `postrider campaign`: plans and standings as text, Markdown and JSON.

use crate::club::campaign::{Campaign, Entrant, GameOutcome, Rating, RoundTables};
use crate::club::clock::Deadline;
use crate::process::CampaignStatus;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt::Write;

/// A member and their rating history.
#[derive(Serialize)]
pub struct RatedMember {
    pub member: u32,
    /// The member's current name in the club.
    pub name: String,
    /// The ratings, oldest first.
    pub history: Vec<Rating>,
}

impl RatedMember {
    /// Returns the lower bound of the member's latest rating, or 0 without a rating.
    pub fn rating_lower_bound(&self) -> f64 {
        self.history.last().map_or(0.0, Rating::lower_bound)
    }
}

/// Returns the draw as text for people: each round's tables and byes, and how many pairs of
/// entrants meet more than once.
pub fn draw_as_text(
    campaign: &Campaign,
    drawn: &[RoundTables],
    deadline: Option<&Deadline>,
) -> String {
    let mut text = String::new();
    let names = |places: &[usize], round| {
        let name =
            |place: &usize| campaign.entrant_in_place(*place, round).map_or("-", |one| &one.name);
        places.iter().map(name).collect::<Vec<_>>().join(", ")
    };
    // Writing to a `String` cannot fail.
    let _ = writeln!(text, "{}: {} entrants", campaign.name, campaign.entrants.len());
    let _ = match deadline {
        Some(deadline) => writeln!(text, "Deadline of each turn: {deadline}"),
        None => writeln!(
            text,
            "No deadline: neither this file nor club.yaml states one, so each game waits for its \
             players without end. Add a line such as `deadline: 3 days`."
        ),
    };
    for ((number, round), drawn) in (1..).zip(&campaign.rounds).zip(drawn) {
        let _ = writeln!(text, "\nRound {number}: {}", round.kind);
        for (table, places) in (1..).zip(&drawn.tables) {
            let _ = writeln!(text, "{table:>5}  {}", names(places, number));
        }
        if !drawn.byes.is_empty() {
            let _ = writeln!(text, "  bye  {}", names(&drawn.byes, number));
        }
    }
    for (number, round) in (1_u32..).zip(&campaign.rounds).skip(drawn.len()) {
        let why = match round.advance {
            Some(advance) => format!("the first {advance} of the standings play"),
            None => "the entrants of the round before".to_owned(),
        };
        let _ = writeln!(text, "\nRound {number}: {}, not drawn yet: {why}", round.kind);
    }
    let again = count_repeated_pairs(drawn);
    let _ = writeln!(text, "\nPairs that meet more than once: {again}");
    text
}

/// Returns the draw as JSON, with an entrant's data at each place of a table.
pub fn draw_as_json(
    campaign: &Campaign,
    drawn: &[RoundTables],
    deadline: Option<&Deadline>,
) -> Value {
    let rounds = (1..).zip(&campaign.rounds).zip(drawn).map(|((number, round), drawn)| {
        let people = |places: &[usize]| -> Vec<Option<&Entrant>> {
            places.iter().map(|place| campaign.entrant_in_place(*place, number)).collect()
        };
        let tables: Vec<_> = drawn.tables.iter().map(|places| people(places)).collect();
        json!({
            "round": number, "kind": round.kind, "tables": tables, "byes": people(&drawn.byes),
        })
    });
    json!({
        "campaign": campaign.name,
        "deadline": deadline,
        "rounds": rounds.collect::<Vec<_>>(),
        "met_again": count_repeated_pairs(drawn),
    })
}

/// Returns the number of pairs of entrants that meet at more than one table.
fn count_repeated_pairs(drawn: &[RoundTables]) -> usize {
    let mut meetings: HashMap<[usize; 2], u32> = HashMap::new();
    for table in drawn.iter().flat_map(|drawn| &drawn.tables) {
        for (at, one) in table.iter().enumerate() {
            for other in table.iter().skip(at + 1) {
                *meetings.entry([*one.min(other), *one.max(other)]).or_default() += 1;
            }
        }
    }
    meetings.values().filter(|times| **times > 1).count()
}

/// The data from which standings are printed.
pub struct StandingsSheet<'a> {
    pub campaign: &'a Campaign,
    pub season: &'a CampaignStatus,
    /// The ratings in the order to print, or `None` if they are not wanted.
    pub ratings: Option<&'a [RatedMember]>,
}

impl StandingsSheet<'_> {
    /// Returns the standings as Markdown. The columns are padded so that they also line up on a
    /// screen.
    pub fn to_markdown(&self) -> String {
        let mut text = format!("# {}\n\n", escape_cell(&self.campaign.name));
        let head = ["No.", "Name", "Points", "Games", "Byes", "Wins", "Share", "Met"];
        let rows = self.season.rows.iter().map(|row| {
            let left = row.left_before.map(|round| format!(" (left before round {round})"));
            vec![
                row.rank.to_string(),
                escape_cell(&row.name) + &left.unwrap_or_default(),
                row.points.to_string(),
                row.games.to_string(),
                row.byes.to_string(),
                row.wins.to_string(),
                row.format_score_share(),
                row.opponents.to_string(),
            ]
        });
        text.push_str(&markdown_table(&head, rows));
        let over = self.season.count_finished_games();
        let _ = writeln!(text, "\n{over} of {} games are over.", self.season.played.len());
        for game in &self.season.played {
            let (number, round, table) = (game.game, game.round, game.table);
            let why = match &game.outcome {
                GameOutcome::Over(_) => continue,
                GameOutcome::Running => "not over".to_owned(),
                GameOutcome::Unreadable(why) => format!("cannot be read: {}", escape_cell(why)),
            };
            let _ = writeln!(text, "- Round {round}, table {table}, game {number}: {why}");
        }
        if let Some(ratings) = self.ratings {
            text.push_str("\n## Ratings\n\n");
            let head = ["No.", "Name", "At least", "Rating", "+/-", "Games"];
            let rows = (1_u32..).zip(ratings).map(|(nth, rated)| {
                let (rating, uncertainty) =
                    rated.history.last().map_or((0.0, 0.0), |last| (last.rating, last.uncertainty));
                vec![
                    nth.to_string(),
                    escape_cell(&rated.name),
                    format!("{:.2}", rated.rating_lower_bound()),
                    format!("{rating:.2}"),
                    format!("{uncertainty:.2}"),
                    rated.history.len().to_string(),
                ]
            });
            text.push_str(&markdown_table(&head, rows));
        }
        text
    }

    /// Returns the standings as JSON, with the ratings if they are wanted.
    pub fn to_json(&self) -> Value {
        let open = self.season.played.iter().filter_map(|game| {
            let why = match &game.outcome {
                GameOutcome::Over(_) => return None,
                GameOutcome::Running => "not over",
                GameOutcome::Unreadable(why) => why.as_str(),
            };
            let (round, table, number) = (game.round, game.table, game.game);
            Some(json!({ "round": round, "table": table, "game": number, "why": why }))
        });
        let mut sheet = json!({
            "campaign": self.campaign.name,
            "standings": self.season.rows,
            "games": self.season.played.len(),
            "not_counted": open.collect::<Vec<_>>(),
        });
        if let (Some(ratings), Some(sheet)) = (self.ratings, sheet.as_object_mut()) {
            sheet.insert("ratings".to_owned(), json!(ratings));
        }
        sheet
    }
}

/// Returns `text` without `|` and control characters, so that it cannot break a Markdown table.
fn escape_cell(text: &str) -> String {
    text.replace('|', "/").replace(char::is_control, " ")
}

/// Returns a Markdown table. All columns except the second are aligned to the right.
fn markdown_table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut lines: Vec<Vec<String>> = vec![head.iter().map(|cell| (*cell).to_owned()).collect()];
    lines.extend(rows);
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0).max(2)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let rules = widths.iter().enumerate().map(|(column, width)| match column {
        1 => format!(":{}", "-".repeat(width - 1)),
        _ => format!("{}:", "-".repeat(width - 1)),
    });
    lines.insert(1, rules.collect());
    let mut text = String::new();
    for line in &lines {
        for (column, (cell, width)) in line.iter().zip(&widths).enumerate() {
            let _ = match column {
                1 => write!(text, "| {cell:<width$} "),
                _ => write!(text, "| {cell:>width$} "),
            };
        }
        text.push_str("|\n");
    }
    text
}
