//! Ratings of members over all games of a club, by the method of Weng and Lin for tables of any
//! size, as in OpenSkill.
//!
//! It knows members and ranks by number only.

use chrono::{DateTime, Utc};
use serde::Serialize;
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};
use std::collections::{BTreeMap, HashMap};

/// A finished game with the ranks of its players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedGame {
    pub game: u32,
    pub at: DateTime<Utc>,
    /// The member's number and the rank, from 1, by seat.
    pub ranks: Vec<(u32, u32)>,
}

/// A member's estimated strength after a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    pub game: u32,
    pub at: DateTime<Utc>,
    /// The estimated strength. It starts at 25.
    pub rating: f64,
    /// The uncertainty of the estimate. It starts at 8.33, and a lower value is more certain.
    pub(crate) uncertainty: f64,
}

impl Rating {
    /// Returns the strength that the member almost certainly has: rating minus three times
    /// uncertainty. Members are sorted by this.
    pub(crate) fn lower_bound(&self) -> f64 {
        self.rating - 3.0 * self.uncertainty
    }
}

/// Rates all games in the order in which they ended. Returns each member's history, oldest first.
///
/// Games with only one player are left out, because they say nothing about strength.
pub fn compute_ratings(games: &[RatedGame]) -> BTreeMap<u32, Vec<Rating>> {
    let mut order: Vec<&RatedGame> = games.iter().filter(|game| game.ranks.len() > 1).collect();
    order.sort_by_key(|game| (game.at, game.game));
    let mut histories: BTreeMap<u32, Vec<Rating>> = BTreeMap::new();
    let mut current: HashMap<u32, WengLinRating> = HashMap::new();
    let config = WengLinConfig::new();
    for RatedGame { game, at, ranks } in order {
        let before = |(member, _): &(u32, u32)| [current.get(member).copied().unwrap_or_default()];
        let before: Vec<[WengLinRating; 1]> = ranks.iter().map(before).collect();
        let ranked: Vec<(&[WengLinRating], MultiTeamOutcome)> = before
            .iter()
            .zip(ranks)
            .map(|(rating, (_, rank))| (rating.as_slice(), MultiTeamOutcome::new(*rank as usize)))
            .collect();
        let after = weng_lin_multi_team(&ranked, &config);
        for ((member, _), after) in ranks.iter().zip(after.into_iter().flatten()) {
            let WengLinRating { rating, uncertainty } = after;
            let after_game = Rating { game: *game, at: *at, rating, uncertainty };
            histories.entry(*member).or_default().push(after_game);
            current.insert(*member, after);
        }
    }
    histories
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rated_game(game: u32, ranks: &[(u32, u32)]) -> RatedGame {
        RatedGame { game, at: DateTime::UNIX_EPOCH, ranks: ranks.to_vec() }
    }

    #[test]
    fn winner_rises_and_solo_games_are_ignored() {
        let histories = compute_ratings(&[
            rated_game(3, &[(7, 1), (8, 2)]),
            rated_game(2, &[(7, 1)]),
            rated_game(4, &[]),
        ]);
        let last = |member| histories.get(&member).and_then(|history| history.last());
        let (first, second) = (last(7).expect("a rating"), last(8).expect("a rating"));
        assert_eq!((histories.len(), histories[&7].len(), first.game), (2, 1, 3));
        assert!(first.rating > 25.0 && second.rating < 25.0);
        assert!(first.uncertainty < 25.0 / 3.0, "a game makes surer");
    }

    #[test]
    fn rating_lower_bound_subtracts_three_times_uncertainty() {
        let rating = |rating, uncertainty| {
            Rating { game: 1, at: DateTime::UNIX_EPOCH, rating, uncertainty }.lower_bound()
        };
        assert!((rating(25.0, 8.0) - 1.0).abs() < 1e-9 && (rating(30.0, 2.0) - 24.0).abs() < 1e-9);
    }
}
