//! The names under which the club's web site shows the players of a seat. Only members who agreed
//! have a name there.

use super::{FormerPlayer, SeatAssignment, SeatPeriod};
use crate::rules::Seat;
use chrono::{DateTime, Utc};
use serde::Serialize;

/// A member who agreed to be named, as the club's web site shows them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct PublishedMember {
    /// The ID of the member's page. It looks random, and each consent has its own.
    pub page: String,
    pub name: String,
}

/// The published names of the players who have held a seat, with the times of the current one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct PublishedSeat {
    /// The name of the current player, or `None` if they did not agree.
    player: Option<PublishedMember>,
    /// The published name of the only earlier player. `None` if there were several, because their
    /// periods are not stored.
    predecessor: Option<PublishedMember>,
    /// When the current player took the seat over, and their earlier periods.
    since: Option<DateTime<Utc>>,
    earlier_periods: Vec<SeatPeriod>,
}

impl PublishedSeat {
    /// Makes the names of a seat that has had one player only.
    pub(crate) fn with_one_player(player: Option<PublishedMember>) -> Self {
        Self { player, ..Self::default() }
    }

    /// Makes the names of a seat that may have changed hands. `former` are the other members who
    /// have held it.
    pub(crate) fn with_former_players(
        seated: &SeatAssignment,
        player: Option<PublishedMember>,
        mut former: Vec<Option<PublishedMember>>,
    ) -> Self {
        let only = former.pop().filter(|_| former.is_empty());
        let (since, earlier_periods) = (seated.since, seated.earlier_periods.clone());
        Self { player, predecessor: only.flatten(), since, earlier_periods }
    }

    /// Returns the current player, if they agreed to be named.
    pub(crate) const fn current_player(&self) -> Option<&PublishedMember> {
        self.player.as_ref()
    }

    /// Returns the players who are named for a part of the game or all of it.
    pub(crate) fn named_players(&self) -> impl Iterator<Item = &PublishedMember> {
        self.player.iter().chain(&self.predecessor)
    }

    /// Whether the current player has held the seat since the game began.
    pub(crate) const fn has_one_player(&self) -> bool {
        self.since.is_none()
    }

    /// Returns the player who held the seat at this time, if they agreed to be named.
    pub(crate) fn player_at(&self, at: DateTime<Utc>) -> Option<&PublishedMember> {
        let after = |since: Option<DateTime<Utc>>| since.is_none_or(|since| at > since);
        let is_in = |stay: &SeatPeriod| after(stay.since) && at <= stay.until;
        let is_current = after(self.since) || self.earlier_periods.iter().any(is_in);
        if is_current { self.player.as_ref() } else { self.predecessor.as_ref() }
    }
}

/// Returns the numbers of the members who have held a seat before, without its current player.
pub(crate) fn former_members_of_seat(
    former: &[FormerPlayer],
    seat: Seat,
    current: u32,
) -> Vec<u32> {
    let own = former.iter().filter(|one| one.seat == seat && one.member != current);
    own.map(|one| one.member).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str) -> PublishedMember {
        PublishedMember { page: "x".to_owned(), name: name.to_owned() }
    }

    #[test]
    fn each_period_shows_its_own_player() {
        let at = |hours| DateTime::UNIX_EPOCH + chrono::TimeDelta::hours(hours);
        let seated = SeatAssignment { since: Some(at(5)), ..SeatAssignment::default() };
        let (ann, bob) = (Some(member("Ann")), Some(member("Bob")));
        let seat = |former: Vec<Option<PublishedMember>>| {
            PublishedSeat::with_former_players(&seated, bob.clone(), former)
        };
        let name = |seat: &PublishedSeat, hours| {
            seat.player_at(at(hours)).map(|player| player.name.clone()).unwrap_or_default()
        };
        let one = seat(vec![ann.clone()]);
        assert_eq!([name(&one, 5), name(&one, 6)], ["Ann", "Bob"]);
        let unnamed = seat(vec![None]);
        assert_eq!([name(&unnamed, 5), name(&unnamed, 6)], ["", "Bob"]);
        for several in [vec![ann.clone(), Some(member("Cid"))], vec![ann, None]] {
            assert_eq!(name(&seat(several), 5), "", "it is not known who");
        }
    }
}
