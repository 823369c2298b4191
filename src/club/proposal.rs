//! A game that is being formed: who is in, who may join, and who will sit where.
//!
//! Pure: chance comes in as dice. May not know how letters look or where anything is kept.

use super::clock::ClockRules;
use super::{GameName, GameRoom, Member, Punctuality};
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
    pub(crate) punctual: Option<u8>,
    /// Who is in, the founder first.
    pub players: Vec<Joined>,
    /// When it lapses.
    pub(crate) until: DateTime<Utc>,
}

/// Somebody who is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Joined {
    /// The member's number.
    pub member: u32,
    /// Where he would sit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) wish: Option<SeatWish>,
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
    fn index(self, seats: usize) -> Option<usize> {
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
    pub(crate) fn free(&self) -> usize {
        usize::from(self.seats).saturating_sub(self.players.len())
    }

    /// Whether this member is in.
    pub fn holds(&self, member: u32) -> bool {
        self.players.iter().any(|joined| joined.member == member)
    }

    /// Who sits where, by seat: by wish, the first who joined first, and else by chance.
    pub(crate) fn seating(&self, dice: &mut Dice) -> Vec<u32> {
        let mut seats: Vec<Option<u32>> = vec![None; self.players.len()];
        let mut others = Vec::new();
        for Joined { member, wish } in &self.players {
            let wished = wish.and_then(|wish| wish.index(seats.len()));
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

impl GameRoom {
    /// Whether somebody with these addresses was invited.
    pub(crate) fn has_invited(&self, addresses: &[String]) -> bool {
        self.invited.iter().any(|invited| addresses.contains(invited))
    }

    /// Whether this member may know of the game.
    pub(crate) fn is_known_to(&self, member: &Member) -> bool {
        let is_in = self.proposal.as_ref().is_some_and(|proposal| proposal.holds(member.id));
        !self.private || is_in || self.has_invited(&member.addresses)
    }
}

impl Proposal {
    /// Why a member cannot join who may know of the game.
    ///
    /// # Errors
    /// In words: he is in already, or he is not punctual enough.
    pub(crate) fn admits(&self, member: u32, punctuality: Punctuality) -> Result<(), Message> {
        if self.holds(member) {
            return Err(Message::new("lobby-in-already"));
        }
        match (self.punctual, punctuality.percent()) {
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
        let players = (1..).zip(wishes).map(|(member, wish)| Joined { member, wish: *wish });
        Proposal {
            kind: "paris-connection".to_owned(),
            name: None,
            options: BTreeMap::new(),
            seats: 4,
            clock: None,
            punctual: Some(80),
            players: players.collect(),
            until: DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn seats_go_by_wish_and_else_by_chance() {
        let all = proposal(&[None, Some(SeatWish::First), Some(SeatWish::Seat(1)), None]);
        let mut firsts = Vec::new();
        for seed in 0..40 {
            let seats = all.seating(&mut Dice::new(&Seed::rehearsal(seed), 0));
            assert_eq!((seats.len(), seats[0]), (4, 2));
            firsts.push(seats[1]);
        }
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts, [1, 3, 4]);
    }

    #[test]
    fn who_is_late_too_often_stays_out_and_who_is_new_comes_in() {
        let one = proposal(&[None]);
        let of = |in_time, late| one.admits(9, Punctuality { in_time, late, left: 0 });
        assert!(of(0, 0).is_ok() && of(8, 2).is_ok());
        assert_eq!(of(7, 3).map_err(|why| why.key), Err("lobby-late"));
        assert_eq!(
            one.admits(1, Punctuality::default()).map_err(|w| w.key),
            Err("lobby-in-already")
        );
    }

    #[test]
    fn who_wishes_for_a_seat_that_there_is_not_sits_where_there_is_room() {
        let all = proposal(&[Some(SeatWish::Seat(5)), Some(SeatWish::Last), Some(SeatWish::First)]);
        let seats = all.seating(&mut Dice::new(&Seed::rehearsal(1), 0));
        assert_eq!(seats, [3, 1, 2]);
    }

    #[test]
    fn the_first_who_is_in_is_the_founder() {
        let mut all = proposal(&[None, None]);
        all.players.reverse();
        assert_eq!(all.founder(), 2);
    }
}
