//! Who stands where.

use super::{Message, Seat};
use serde::Serialize;

/// How a seat stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ranking {
    /// The seat that stands there.
    pub seat: Seat,
    /// 1 is best; equals share a rank. Who plays alone and loses is second to the game.
    pub rank: u32,
    /// The game's own points.
    pub score: i64,
    /// What the score is made of.
    pub breakdown: Vec<ScorePart>,
}

/// One part of a score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ScorePart {
    /// What the points are for.
    #[serde(serialize_with = "super::message::as_shown")]
    pub item: Message,
    /// The points, perhaps negative.
    pub points: i64,
}

/// Ranks the seats of a table of `count` by points: the sum of each seat's breakdown.
pub fn rank_by_points(count: u8, breakdown: impl Fn(Seat) -> Vec<ScorePart>) -> Vec<Ranking> {
    let standing = |seat| {
        let breakdown = breakdown(seat);
        let score = breakdown.iter().map(|part| part.points).sum();
        (Ranking { seat, rank: 0, score, breakdown }, score)
    };
    assign_ranks(Seat::all(count).map(standing).collect())
}

/// Sorts seats by `merit`, best first, and gives equals the same rank (1, 2, 2, 4).
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
