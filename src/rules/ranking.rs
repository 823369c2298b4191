//! Ranks and scores of the seats.

use super::{Message, Seat};
use serde::Serialize;

/// The rank and score of one seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ranking {
    /// The seat that is ranked.
    pub seat: Seat,
    /// The rank, from 1 (best). Seats with equal results share a rank. In a game for one player,
    /// rank 2 means that the game won.
    pub rank: u32,
    /// The points by the game's own rules.
    pub score: i64,
    /// The parts that add up to the score.
    pub breakdown: Vec<ScorePart>,
}

/// One part of a score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ScorePart {
    /// The name of the score part, as letters say it.
    #[serde(serialize_with = "super::message::as_shown")]
    pub item: Message,
    /// The points; may be negative.
    pub points: i64,
}

/// Ranks the seats 1 to `count` by points. The score of a seat is the sum of its `breakdown`.
pub fn rank_by_points(count: u8, breakdown: impl Fn(Seat) -> Vec<ScorePart>) -> Vec<Ranking> {
    let standing = |seat| {
        let breakdown = breakdown(seat);
        let score = breakdown.iter().map(|part| part.points).sum();
        (Ranking { seat, rank: 0, score, breakdown }, score)
    };
    assign_ranks(Seat::all(count).map(standing).collect())
}

/// Sorts seats by `merit`, best first. Equal merits share a rank (1, 2, 2, 4).
pub fn assign_ranks<M: Ord>(mut seats: Vec<(Ranking, M)>) -> Vec<Ranking> {
    seats.sort_by(|(a, merit_a), (b, merit_b)| merit_b.cmp(merit_a).then(a.seat.cmp(&b.seat)));
    let mut ranked: Vec<(Ranking, M)> = Vec::with_capacity(seats.len());
    for (place, (mut standing, merit)) in seats.into_iter().enumerate() {
        standing.rank = match ranked.last() {
            Some((above, equal)) if *equal == merit => above.rank,
            _ => u32::try_from(place + 1).unwrap_or(u32::MAX),
        };
        ranked.push((standing, merit));
    }
    ranked.into_iter().map(|(standing, _)| standing).collect()
}
