//! The standings of a campaign: points, tie-breaks and ranks.
//!
//! All sums are integers, so equal results compare as equal. It knows the results of games only.

use super::campaign_file::{Campaign, TieBreak};
use super::round_draw::RoundTables;
use crate::rules::Ranking;
use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};
use std::cmp::Reverse;
use std::fmt;

/// Points, with exact fractions, because players who share a rank share its points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Points(i64);

/// The number of units per point. It is divisible by each number from 1 to 10.
const PARTS_PER_POINT: i64 = 2_520;
/// The value of a whole score share, which the best score at a table gets: a million.
const WHOLE_SCORE_SHARE: i64 = 1_000_000;

impl Points {
    pub(crate) const fn from_whole(points: i64) -> Self {
        Self(points.saturating_mul(PARTS_PER_POINT))
    }

    fn add(&mut self, other: Self) {
        self.0 = self.0.saturating_add(other.0);
    }
}

/// Writes the points rounded to hundredths, without trailing zeros, such as `4.5`.
impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (over, under) = (i128::from(self.0) * 100, i128::from(PARTS_PER_POINT));
        let rounded = (over.abs() + under / 2) / under;
        let sign = if over < 0 && rounded > 0 { "-" } else { "" };
        match (rounded / 100, rounded % 100) {
            (whole, 0) => write!(f, "{sign}{whole}"),
            (whole, part) if part % 10 == 0 => write!(f, "{sign}{whole}.{}", part / 10),
            (whole, part) => write!(f, "{sign}{whole}.{part:02}"),
        }
    }
}

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_string())
    }
}

/// The outcome of a game so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameOutcome {
    /// The game is over, with the final ranks by seat.
    Over(Vec<Ranking>),
    Running,
    /// The game's log cannot be read, for this reason.
    Unreadable(String),
}

/// A game of a campaign and its outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CampaignGameResult {
    /// The round, from 1.
    pub round: u32,
    /// The table, from 1.
    pub table: u32,
    pub game: u32,
    /// The players by seat, as indexes in [`Campaign::entrants_and_replacements`].
    pub(crate) persons: Vec<usize>,
    pub(crate) outcome: GameOutcome,
}

impl CampaignGameResult {
    /// Whether the game is over, with a readable log.
    pub(crate) const fn is_over(&self) -> bool {
        matches!(self.outcome, GameOutcome::Over(_))
    }
}

/// A row of the standings, for one player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StandingsRow {
    /// The rank, from 1. Players who are equal in all criteria share it.
    pub rank: u32,
    pub name: String,
    /// The address, which identifies the player.
    pub address: String,
    /// The player's index in [`Campaign::entrants_and_replacements`].
    #[serde(skip)]
    pub(crate) person: usize,
    /// The first round that the player no longer plays. `None` if the player plays to the end.
    pub left_before: Option<u32>,
    /// The number of the player's finished games.
    pub games: u32,
    /// The number of rounds without a table, among those that have begun.
    pub byes: u32,
    /// The player's points from games and byes.
    pub points: Points,
    /// The number of the player's games with rank 1.
    pub wins: u32,
    /// The sum, over all games, of the player's score divided by the table's best score. In
    /// millionths.
    pub score_share: i64,
    /// The sum of the points of all opponents of the player.
    pub opponents: Points,
    /// The player's lot, as a tie-break. A higher one is better.
    pub lot: u32,
}

/// Computes the standings of all players of the campaign, sorted from rank 1 down.
///
/// Only finished games count. Byes of a round count once a game of that round has been founded.
pub fn compute_standings(
    campaign: &Campaign,
    drawn: &[RoundTables],
    played: &[CampaignGameResult],
) -> Vec<StandingsRow> {
    let mut rows = create_empty_rows(campaign);
    for (round, drawn) in (1..).zip(drawn) {
        if played.iter().any(|game| game.round == round) {
            for place in &drawn.byes {
                add_bye_to_row(campaign, &mut rows, *place, round);
            }
        }
    }
    for game in played {
        if let GameOutcome::Over(standings) = &game.outcome {
            add_game_to_rows(campaign, &mut rows, &game.persons, standings);
        }
    }
    let points: Vec<Points> = rows.iter().map(|row| row.points).collect();
    for game in played.iter().filter(|game| game.is_over()) {
        for (seat, person) in game.persons.iter().enumerate() {
            let Some(row) = rows.get_mut(*person) else { continue };
            let met = game.persons.iter().enumerate().filter(|(other, _)| *other != seat);
            met.filter_map(|(_, met)| points.get(*met)).for_each(|met| row.opponents.add(*met));
        }
    }
    rank_rows(campaign, rows)
}

fn create_empty_rows(campaign: &Campaign) -> Vec<StandingsRow> {
    let everyone = campaign.entrants_and_replacements();
    let row = |(person, (place, entrant)): (usize, &(usize, &super::Entrant))| StandingsRow {
        rank: 0,
        name: entrant.name.clone(),
        address: entrant.address.clone(),
        person,
        left_before: find_leaving_round(campaign, *place, &entrant.address),
        games: 0,
        byes: 0,
        points: Points::default(),
        wins: 0,
        score_share: 0,
        opponents: Points::default(),
        lot: derive_lot(campaign, &entrant.address),
    };
    everyone.iter().enumerate().map(row).collect()
}

fn find_leaving_round(campaign: &Campaign, place: usize, address: &str) -> Option<u32> {
    let holds =
        |round| campaign.entrant_in_place(place, round).is_some_and(|one| one.address == address);
    let last = (1..=campaign.round_count()).rfind(|round| holds(*round));
    let left = last.map_or(1, |last| last + 1);
    (left <= campaign.round_count()).then_some(left)
}

/// Returns a player's lot. It depends on no other player, so replacements change no lot.
fn derive_lot(campaign: &Campaign, address: &str) -> u32 {
    let digest = Sha256::new().chain_update(campaign.seed.to_le_bytes()).chain_update(address);
    digest.finalize().iter().take(4).fold(0, |lot, byte| lot << 8 | u32::from(*byte))
}

fn add_bye_to_row(campaign: &Campaign, rows: &mut [StandingsRow], place: usize, round: u32) {
    let holder = campaign.entrant_in_place(place, round).map(|holder| holder.address.as_str());
    if let Some(row) = rows.iter_mut().find(|row| Some(row.address.as_str()) == holder) {
        row.byes += 1;
        row.points.add(Points::from_whole(campaign.bye_points.into()));
    }
}

fn add_game_to_rows(
    campaign: &Campaign,
    rows: &mut [StandingsRow],
    people: &[usize],
    standings: &[Ranking],
) {
    let best = standings.iter().map(|own| own.score).max().unwrap_or(0);
    for (person, own) in people.iter().zip(standings) {
        let equals = standings.iter().filter(|other| other.rank == own.rank).count();
        let first = (own.rank as usize).saturating_sub(1);
        let shared: i64 =
            campaign.points.iter().skip(first).take(equals).map(|points| i64::from(*points)).sum();
        let Some(row) = rows.get_mut(*person) else { continue };
        row.games += 1;
        row.wins += u32::from(own.rank == 1);
        row.points
            .add(Points(Points::from_whole(shared).0 / i64::try_from(equals).unwrap_or(1).max(1)));
        row.score_share = row.score_share.saturating_add(score_share(own.score, best));
    }
}

/// Returns a score divided by the best score at the table, in millionths. A score equal to the best
/// one always has a full share, even if the best is zero or negative.
fn score_share(score: i64, best: i64) -> i64 {
    if score == best {
        return WHOLE_SCORE_SHARE;
    }
    if best <= 0 || score <= 0 {
        return 0;
    }
    let share = i128::from(score) * i128::from(WHOLE_SCORE_SHARE) / i128::from(best);
    i64::try_from(share).unwrap_or(WHOLE_SCORE_SHARE)
}

fn rank_rows(campaign: &Campaign, mut rows: Vec<StandingsRow>) -> Vec<StandingsRow> {
    let merit = |row: &StandingsRow| {
        let breaks = campaign.tie_breaks.iter().map(|tie_break| match tie_break {
            TieBreak::Wins => i64::from(row.wins),
            TieBreak::ScoreShare => row.score_share,
            TieBreak::Opponents => row.opponents.0,
            TieBreak::Lot => i64::from(row.lot),
        });
        std::iter::once(row.points.0).chain(breaks).collect::<Vec<_>>()
    };
    rows.sort_by_cached_key(|row| (Reverse(merit(row)), row.person));
    let mut ahead: Option<(Vec<i64>, u32)> = None;
    for (nth, row) in (1..).zip(&mut rows) {
        let own = merit(row);
        let rank = ahead.filter(|(merit, _)| *merit == own).map_or(nth, |(_, rank)| rank);
        row.rank = rank;
        ahead = Some((own, rank));
    }
    rows
}

impl StandingsRow {
    /// Returns the score share with two decimals, such as `2.37`.
    pub(crate) fn format_score_share(&self) -> String {
        format!(
            "{}.{:02}",
            self.score_share / WHOLE_SCORE_SHARE,
            self.score_share % WHOLE_SCORE_SHARE / (WHOLE_SCORE_SHARE / 100)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::SHIPPED;
    use crate::rules::Seat;

    #[test]
    fn points_are_rounded_to_hundredths_without_trailing_zeros() {
        let thirds = |thirds: i64| Points(PARTS_PER_POINT * thirds / 3).to_string();
        for (in_thirds, text) in
            [(0, "0"), (18, "6"), (1, "0.33"), (2, "0.67"), (-2, "-0.67"), (-18, "-6")]
        {
            assert_eq!(thirds(in_thirds), text);
        }
        assert_eq!(Points(PARTS_PER_POINT * 9 / 2).to_string(), "4.5");
        assert_eq!(Points(PARTS_PER_POINT * 21 / 20).to_string(), "1.05");
        assert_eq!(Points(-PARTS_PER_POINT / 2).to_string(), "-0.5");
        assert_eq!(Points(-1).to_string(), "0", "and not less than nothing");
    }

    /// Returns a campaign of five entrants at tables of four. Its tie-breaks are wins, score share
    /// and opponents, without lots.
    fn season() -> Campaign {
        let entrants: Vec<String> = (0..5).map(|n| format!("  - P{n} <p{n}@x.org>\n")).collect();
        let more = "points: [6, 3, 1, 0]\nbye_points: 2\n\
                    tie_breaks: [wins, score_share, opponents]\n\
                    replace: [{from_round: 2, out: p3@x.org, in: P5 <p5@x.org>}]\n\
                    rounds:\n";
        let rounds = "  - {kind: paris-connection, tables: [4]}\n".repeat(3);
        let text = format!("name: S\nseed: 5\nentrants:\n{}{more}{rounds}", entrants.concat());
        Campaign::parse(&text, SHIPPED).expect("it is right")
    }

    #[test]
    fn standings_rank_by_points_and_tie_breaks() {
        let season = season();
        // A bye counts once a game of its round was founded. If the place has been taken over, the
        // successor gets the points.
        let drawn = |tables: [usize; 4], bye| RoundTables {
            tables: vec![tables.to_vec()],
            byes: vec![bye],
        };
        let drawn = [drawn([0, 1, 2, 3], 4), drawn([4, 0, 1, 2], 3), drawn([4, 0, 1, 3], 2)];
        let standing =
            |(rank, score)| Ranking { seat: Seat::new(1), rank, score, breakdown: Vec::new() };
        let over = GameOutcome::Over([(1, 10), (2, 5), (2, 5), (4, 0)].map(standing).to_vec());
        let game = |round, people: [usize; 4], outcome| CampaignGameResult {
            round,
            table: 1,
            game: round,
            persons: people.to_vec(),
            outcome,
        };
        let played = [game(1, [0, 1, 2, 3], over), game(2, [4, 0, 1, 2], GameOutcome::Running)];
        let rows: Vec<String> = compute_standings(&season, &drawn, &played)
            .into_iter()
            .map(|row| {
                let (share, StandingsRow { rank, name, points, games, byes, wins, opponents, .. }) =
                    (row.format_score_share(), row);
                format!("{rank} {name}: {points}, {games}+{byes}, {wins}, {share}, {opponents}")
            })
            .collect();
        assert_eq!(
            rows,
            [
                "1 P0: 6, 1+0, 1, 1.00, 4",
                "2 P1: 2, 1+0, 0, 0.50, 8",
                "2 P2: 2, 1+0, 0, 0.50, 8",
                "4 P4: 2, 0+1, 0, 0.00, 0",
                "4 P5: 2, 0+1, 0, 0.00, 0",
                "6 P3: 0, 1+0, 0, 0.00, 10",
            ]
        );
        let lot = |row: &StandingsRow| row.lot;
        let lots: Vec<u32> = compute_standings(&season, &[], &[]).iter().map(lot).collect();
        let mut parted = lots.clone();
        parted.sort_unstable();
        parted.dedup();
        assert_eq!(parted.len(), lots.len(), "a lot parts everyone");
    }

    #[test]
    fn score_share_is_truncated_to_two_decimals() {
        let row = compute_standings(&season(), &[], &[]).remove(0);
        let share = |score_share| StandingsRow { score_share, ..row.clone() }.format_score_share();
        assert_eq!([2_370_000, 2_059_999, 999_999].map(share), ["2.37", "2.05", "0.99"]);
    }
}
