//! The names under which the club's web site shows the players of a seat. Only members who agreed
//! have a name there.

use super::{FormerPlayer, Member, SeatAssignment, SeatPeriod};
use crate::rules::Seat;
use chrono::{DateTime, Utc};
use serde::Serialize;

/// The published names of the players who have held a seat, with the times of the current one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct PublishedSeat {
    /// The name of the current player, or `None` if they did not agree.
    player: Option<String>,
    /// The published name of the only earlier player. `None` if there were several, because their
    /// periods are not stored.
    predecessor: Option<String>,
    /// When the current player took the seat over, and their earlier periods.
    since: Option<DateTime<Utc>>,
    earlier_periods: Vec<SeatPeriod>,
}

impl PublishedSeat {
    /// Makes the names of a seat that has had one player only.
    pub(crate) fn with_one_player(player: Option<&Member>) -> Self {
        Self { player: published_name(player), ..Self::default() }
    }

    /// Makes the names of a seat that may have changed hands. `former` are the other members who
    /// have held it.
    pub(crate) fn with_former_players(
        seated: &SeatAssignment,
        player: Option<&Member>,
        former: &[Member],
    ) -> Self {
        let predecessor = match former {
            [only] => published_name(Some(only)),
            _ => None,
        };
        let (since, earlier_periods) = (seated.since, seated.earlier_periods.clone());
        Self { player: published_name(player), predecessor, since, earlier_periods }
    }

    /// Returns the name of the current player.
    pub(crate) fn current_name(&self) -> Option<&str> {
        self.player.as_deref()
    }

    /// Returns the name of the player who held the seat at this time.
    pub(crate) fn name_at(&self, at: DateTime<Utc>) -> Option<&str> {
        let after = |since: Option<DateTime<Utc>>| since.is_none_or(|since| at > since);
        let is_in = |stay: &SeatPeriod| after(stay.since) && at <= stay.until;
        let is_current = after(self.since) || self.earlier_periods.iter().any(is_in);
        if is_current { self.player.as_deref() } else { self.predecessor.as_deref() }
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

fn published_name(member: Option<&Member>) -> Option<String> {
    member.and_then(Member::published_name).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::club::LetterStyle;

    fn member(name: &str, named_on_site: bool) -> Member {
        let letters = LetterStyle { named_on_site, ..LetterStyle::default() };
        let addresses = vec!["x@example.org".to_owned()];
        Member { name: name.to_owned(), letters, addresses, ..Member::default() }
    }

    #[test]
    fn name_needs_consent_and_membership() {
        let name = |member: &Member| {
            let seat = PublishedSeat::with_one_player(Some(member));
            seat.name_at(DateTime::UNIX_EPOCH).map(str::to_owned)
        };
        assert_eq!(name(&member("Ann", true)).as_deref(), Some("Ann"));
        assert_eq!(name(&member("Ann", false)), None);
        let left = Member { addresses: Vec::new(), ..member("Ann", true) };
        assert_eq!(name(&left), None);
        assert_eq!(Member::default().published_name(), None, "new members are not named");
    }

    #[test]
    fn each_period_shows_its_own_player() {
        let at = |hours| DateTime::UNIX_EPOCH + chrono::TimeDelta::hours(hours);
        let seated = SeatAssignment { since: Some(at(5)), ..SeatAssignment::default() };
        let (ann, bob) = (member("Ann", true), member("Bob", true));
        let seat =
            |former: &[Member]| PublishedSeat::with_former_players(&seated, Some(&bob), former);
        let one = seat(std::slice::from_ref(&ann));
        assert_eq!([one.name_at(at(5)), one.name_at(at(6))], [Some("Ann"), Some("Bob")]);
        let unnamed = seat(&[member("Ann", false)]);
        assert_eq!([unnamed.name_at(at(5)), unnamed.name_at(at(6))], [None, Some("Bob")]);
        assert_eq!(seat(&[ann, member("Cid", true)]).name_at(at(5)), None, "it is not known who");
    }
}
