//! A game that is being formed: who is in, who may join, and who will sit where.
//!
//! Pure: chance comes in as dice. May not know how letters look or where anything is kept.

use super::clock::ClockRules;
use super::{GameInfo, GameName, Member, Punctuality};
use crate::rules::{Dice, Message};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A game that is being formed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// The name of its kind.
    pub(crate) kind: String,
    /// What the game is to be called besides its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<GameName>,
    /// The options as words.
    #[serde(default)]
    pub(crate) options: BTreeMap<String, String>,
    /// For how many.
    pub seats: u8,
    /// How its time is kept; none when it waits for ever.
    #[serde(default)]
    pub clock: Option<ClockRules>,
    /// How many turns of a hundred who joins must have had in time.
    #[serde(default)]
    #[serde(rename = "punctual")]
    pub(crate) punctuality_min: Option<u8>,
    /// Who is in, the founder first.
    pub players: Vec<ProposalPlayer>,
    /// When it lapses.
    pub(crate) until: DateTime<Utc>,
}

/// Somebody who is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposalPlayer {
    /// The member's number.
    pub member: u32,
    /// Where he would sit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "wish")]
    pub(crate) seat_wish: Option<SeatWish>,
}

/// Where somebody would sit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatWish {
    /// On this seat, from 1.
    Seat(u8),
    /// On the first.
    First,
    /// On the last.
    Last,
}

impl SeatWish {
    /// The seat's place in a list of so many, which may be too short for it.
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
    /// Who proposed it.
    pub(crate) fn founder(&self) -> u32 {
        self.players.first().map_or(0, |joined| joined.member)
    }

    /// How many seats nobody has yet.
    pub(crate) fn free_seats(&self) -> usize {
        usize::from(self.seats).saturating_sub(self.players.len())
    }

    /// Whether this member is in.
    pub fn has_player(&self, member: u32) -> bool {
        self.players.iter().any(|joined| joined.member == member)
    }

    /// Who sits where, by seat: by wish, the first who joined first, and else by chance.
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
    /// Whether somebody with these addresses was invited.
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
    /// Why a member cannot join who may know of the game.
    ///
    /// # Errors
    /// In words: he is in already, or he is not punctual enough.
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
