//! Proposals: games that wait for players before they begin. Who may join, and which player gets
//! which seat.
//!
//! Pure: chance is passed in as dice. It knows neither letters nor the store.

use super::clock::ClockRules;
use super::{GameInfo, GameName, Member, Punctuality};
use crate::rules::{Dice, Message};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A game that has not begun and waits for players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    pub(crate) kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<GameName>,
    #[serde(default)]
    pub(crate) options: BTreeMap<String, String>,
    pub seats: u8,
    /// The clock rules. `None` means no deadline.
    #[serde(default)]
    pub clock: Option<ClockRules>,
    /// The least punctuality of players who join: the percentage of turns in time.
    #[serde(default)]
    #[serde(rename = "punctual")]
    pub(crate) punctuality_min: Option<u8>,
    /// The players who have joined, the founder first.
    pub players: Vec<ProposalPlayer>,
    /// When the proposal expires.
    pub(crate) until: DateTime<Utc>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposalPlayer {
    pub member: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "wish")]
    pub(crate) seat_wish: Option<SeatWish>,
}

/// The seat that a player would like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatWish {
    /// The seat with this number, from 1.
    Seat(u8),
    First,
    Last,
}

impl SeatWish {
    /// Returns the index of the wished seat in a list of `seats` seats. It may be out of range.
    fn seat_index(self, seats: usize) -> Option<usize> {
        let index = match self {
            Self::Seat(number) => usize::from(number).checked_sub(1)?,
            Self::First => 0,
            Self::Last => seats.checked_sub(1)?,
        };
        Some(index)
    }
}

impl Proposal {
    pub(crate) fn founder(&self) -> u32 {
        self.players.first().map_or(0, |joined| joined.member)
    }

    /// Returns the number of seats that no player has yet.
    pub(crate) fn free_seats(&self) -> usize {
        usize::from(self.seats).saturating_sub(self.players.len())
    }

    pub fn has_player(&self, member: u32) -> bool {
        self.players.iter().any(|joined| joined.member == member)
    }

    /// Returns the member for each seat. Wishes are granted in the order of joining, and the other
    /// seats are assigned by chance.
    pub(crate) fn assign_seats(&self, dice: &mut Dice) -> Vec<u32> {
        let mut seats: Vec<Option<u32>> = vec![None; self.players.len()];
        let mut others = Vec::new();
        for ProposalPlayer { member, seat_wish: wish } in &self.players {
            let wished = wish.and_then(|wish| wish.seat_index(seats.len()));
            match wished.and_then(|index| seats.get_mut(index)) {
                Some(seat @ None) => *seat = Some(*member),
                _ => others.push(*member),
            }
        }
        dice.shuffle(&mut others);
        let mut others = others.into_iter();
        seats.into_iter().filter_map(|seat| seat.or_else(|| others.next())).collect()
    }
}

impl GameInfo {
    /// Whether a person with one of these addresses was invited.
    pub(crate) fn has_invited(&self, addresses: &[String]) -> bool {
        self.invited_addresses.iter().any(|invited| addresses.contains(invited))
    }

    /// Whether this member may know of the game.
    pub(crate) fn is_visible_to(&self, member: &Member) -> bool {
        let is_in = self.proposal.as_ref().is_some_and(|proposal| proposal.has_player(member.id));
        !self.private || is_in || self.has_invited(&member.addresses)
    }
}

impl Proposal {
    /// Checks whether a member who may know of the game may join it. Refuses a member who has
    /// already joined, or is not punctual enough.
    pub(crate) fn check_admission(
        &self,
        member: u32,
        punctuality: Punctuality,
    ) -> Result<(), Message> {
        if self.has_player(member) {
            return Err(Message::new("lobby-in-already"));
        }
        match (self.punctuality_min, punctuality.percent()) {
            (Some(least), Some(percent)) if percent < least => {
                Err(Message::new("lobby-late").with("least", least).with("percent", percent))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Seed;

    fn proposal(wishes: &[Option<SeatWish>]) -> Proposal {
        let players =
            (1..).zip(wishes).map(|(member, wish)| ProposalPlayer { member, seat_wish: *wish });
        Proposal {
            kind: "paris-connection".to_owned(),
            name: None,
            options: BTreeMap::new(),
            seats: 4,
            clock: None,
            punctuality_min: Some(80),
            players: players.collect(),
            until: DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn seats_are_assigned_by_wish_then_chance() {
        let all = proposal(&[None, Some(SeatWish::First), Some(SeatWish::Seat(1)), None]);
        let mut firsts = Vec::new();
        for seed in 0..40 {
            let seats = all.assign_seats(&mut Dice::new(&Seed::from_number(seed), 0));
            assert_eq!((seats.len(), seats[0]), (4, 2));
            firsts.push(seats[1]);
        }
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts, [1, 3, 4]);
    }

    #[test]
    fn unpunctual_member_is_refused_and_newcomer_admitted() {
        let one = proposal(&[None]);
        let of =
            |in_time, late| one.check_admission(9, Punctuality { in_time, late, games_left: 0 });
        assert!(of(0, 0).is_ok() && of(8, 2).is_ok());
        assert_eq!(of(7, 3).map_err(|why| why.key), Err("lobby-late"));
        assert_eq!(
            one.check_admission(1, Punctuality::default()).map_err(|w| w.key),
            Err("lobby-in-already")
        );
    }

    #[test]
    fn impossible_seat_wish_is_ignored() {
        let all = proposal(&[Some(SeatWish::Seat(5)), Some(SeatWish::Last), Some(SeatWish::First)]);
        let seats = all.assign_seats(&mut Dice::new(&Seed::from_number(1), 0));
        assert_eq!(seats, [3, 1, 2]);
    }

    #[test]
    fn first_player_is_the_founder() {
        let mut all = proposal(&[None, None]);
        all.players.reverse();
        assert_eq!(all.founder(), 2);
    }
}
