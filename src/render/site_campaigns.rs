//! Renders the page of a campaign: standings, the rank of each player in each round, and the tables
//! of the rounds.
//!
//! A member who did not agree to be named is "Player 3". These numbers are of one campaign. They
//! follow the order of the tables, which the draw has chosen at random.

use super::site_pages::{GameEntry, ListLine, Site, root_path};
use super::site_players::{SeatLabel, player_page_path};
use crate::club::PublishedMember;
use crate::club::campaign::{CampaignGameResult, GameOutcome, StandingsRow};
use crate::rules::Message;
use minijinja::context;
use minijinja::value::Serde;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// A campaign of which at least one game was founded.
pub(crate) struct CampaignEntry {
    pub name: String,
    /// The people of the campaign, in the order of its file. `None` for those who are not named.
    pub persons: Vec<Option<PublishedMember>>,
    /// The games by round and table.
    pub played: Vec<CampaignGameResult>,
    /// The standings, the best first.
    pub rows: Vec<StandingsRow>,
}

/// A link to the page of a campaign.
#[derive(Serialize)]
pub(super) struct CampaignLink {
    name: String,
    path: String,
}

/// A line of the standings.
#[derive(Serialize)]
struct CampaignLine {
    rank: u32,
    player: SeatLabel,
    points: String,
    games: u32,
    wins: u32,
    share: String,
    opponents: String,
    /// The player's game of each round.
    rounds: Vec<Option<RoundCell>>,
}

/// A player's game of one round.
#[derive(Serialize)]
struct RoundCell {
    game: u32,
    /// The rank and the number of players. Empty while the game is in play.
    place: String,
}

/// A round with its games.
#[derive(Serialize)]
struct RoundEntry {
    number: u32,
    games: Vec<ListLine>,
}

impl CampaignEntry {
    /// Returns the path of the campaign's page within the site.
    pub(crate) fn page_path(&self) -> String {
        campaign_page_path(&self.name)
    }

    pub(super) fn link(&self) -> CampaignLink {
        CampaignLink { name: self.name.clone(), path: self.page_path() }
    }

    /// Returns the number of each person, from 1: first the players of the games by round, table
    /// and seat. The others follow in the order of their lots, which depend on no member's number.
    fn person_numbers(&self) -> BTreeMap<usize, usize> {
        let mut rows: Vec<&StandingsRow> = self.rows.iter().collect();
        rows.sort_by_key(|row| row.lot);
        let players = self.played.iter().flat_map(|game| game.persons.iter().copied());
        let mut numbers = BTreeMap::new();
        for person in players.chain(rows.iter().map(|row| row.person)) {
            let next = numbers.len() + 1;
            numbers.entry(person).or_insert(next);
        }
        numbers
    }
}

impl Site<'_> {
    /// Renders the page of a campaign. `games` are all games of the site.
    pub(crate) fn render_campaign_page(
        &self,
        campaign: &CampaignEntry,
        games: &[GameEntry],
    ) -> String {
        let words = self.words();
        let numbers = campaign.person_numbers();
        let label = |person: usize| {
            let number = numbers.get(&person).copied().unwrap_or(0);
            let unnamed = || words.localize(&Message::new("site-entrant").with("number", number));
            let named = campaign.persons.get(person).and_then(Option::as_ref);
            SeatLabel {
                name: named.map_or_else(unnamed, |player| player.name.clone()),
                page: named.map(|player| player_page_path(&player.page)),
            }
        };
        let last = campaign.played.iter().map(|game| game.round).max().unwrap_or(0);
        let mut rows: Vec<&StandingsRow> = campaign.rows.iter().collect();
        rows.sort_by_key(|row| (row.rank, numbers.get(&row.person)));
        let lines = rows.iter().map(|row| CampaignLine {
            rank: row.rank,
            player: label(row.person),
            points: row.points.to_string(),
            games: row.games,
            wins: row.wins,
            share: row.format_score_share(),
            opponents: row.opponents.to_string(),
            rounds: (1..=last).map(|round| round_cell(campaign, row.person, round)).collect(),
        });
        let lines: Vec<CampaignLine> = lines.collect();
        let by_number: BTreeMap<u32, &GameEntry> =
            games.iter().map(|game| (game.number, game)).collect();
        let table = |game: &CampaignGameResult| {
            let players = game.persons.iter().map(|person| label(*person)).collect();
            Some(self.list_line(by_number.get(&game.game)?, players))
        };
        let round = |number: u32| {
            let games = campaign.played.iter().filter(|game| game.round == number);
            RoundEntry { number, games: games.filter_map(table).collect() }
        };
        let rounds: Vec<RoundEntry> = (1..=last).map(round).collect();
        let waiting = campaign.played.iter().filter(|game| !game.is_over()).count();
        let context = context! {
            club => self.club, title => &campaign.name, root => root_path(2),
            open => words.localize(&Message::new("campaign-open").with("count", waiting)),
            feed => None::<&str>, lines => Serde(lines), rounds => Serde(rounds),
        };
        words.render_template("site/campaign.html", &context)
    }
}

fn round_cell(campaign: &CampaignEntry, person: usize, round: u32) -> Option<RoundCell> {
    let mut own = campaign.played.iter().filter(|game| game.round == round);
    let game = own.find(|game| game.persons.contains(&person))?;
    let seat = game.persons.iter().position(|other| *other == person)?;
    let place = match &game.outcome {
        GameOutcome::Over(rankings) => rankings
            .get(seat)
            .map(|ranking| format!("{}/{}", ranking.rank, rankings.len()))
            .unwrap_or_default(),
        GameOutcome::Running | GameOutcome::Unreadable(_) => String::new(),
    };
    Some(RoundCell { game: game.game, place })
}

/// Returns the path of the page of a campaign with this name. A name with other characters than
/// small letters, digits and hyphens gets a hash, so that two names never share a folder.
pub(crate) fn campaign_page_path(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let plain: String =
        name.to_lowercase().chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
    let parts: Vec<&str> = plain.split('-').filter(|part| !part.is_empty()).collect();
    let mut folder = parts.join("-");
    if folder != name || name.is_empty() {
        let hash = data_encoding::HEXLOWER.encode(&Sha256::digest(name));
        let separator = if folder.is_empty() { "" } else { "-" };
        folder = format!("{folder}{separator}{}", hash.get(..8).unwrap_or(&hash));
    }
    format!("campaign/{folder}/index.html")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn campaign_folder_is_safe_and_unique() {
        assert_eq!(campaign_page_path("winter-2026"), "campaign/winter-2026/index.html");
        let names =
            ["Winter 2026", "winter 2026", "winter--2026", "../..", "/", ".", "é", "冬", ""];
        let paths = names.map(campaign_page_path);
        for path in &paths {
            let parts: Vec<&str> = path.split('/').collect();
            let is_safe = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(parts.len() == 3 && parts[1].chars().all(is_safe), "{path}");
            assert!(parts[1].len() >= 8, "{path}");
        }
        let unique: std::collections::BTreeSet<&String> = paths.iter().collect();
        assert_eq!(unique.len(), names.len(), "{paths:?}");
    }
}
