//! Proposals: games that wait for players before they begin. Who may join, and which player gets
//! which seat.
//!
//! Pure: chance is passed in as dice. It knows neither letters nor the store.

use super::clock::ClockRules;
use super::setting_command::LineError;
use super::{ClubInvitee, GameInfo, GameName, Member, Punctuality};
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

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposalPlayer {
    pub member: u32,
    #[serde(flatten)]
    pub(crate) wishes: PlayerWishes,
}

/// The wishes of a player who founds or joins a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerWishes {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "wish")]
    pub(crate) seat: Option<SeatWish>,
    /// The side of the board to start on, such as `east`, in a game with [`SIDES_OPTION`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) side: Option<String>,
}

impl PlayerWishes {
    /// Parses the words behind `join 12`: a seat, and a side such as `side east`, in any order.
    pub(super) fn parse(words: &[&str]) -> Result<Self, LineError> {
        let (seat, side) = match words {
            [seat @ .., "side", side] => (seat, Some((*side).to_owned())),
            ["side", side, seat @ ..] => (seat, Some(side.trim_end_matches(',').to_owned())),
            seat => (seat, None),
        };
        Ok(Self { seat: SeatWish::parse(seat)?, side })
    }
}

/// The option of a game whose players choose the side of the board on which they start. Its value
/// is the wishes in seat order, separated by commas.
pub(crate) const SIDES_OPTION: &str = "wishes";

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
    /// Parses the words for a seat: `first`, `last` or `seat 2`. No words mean no wish.
    fn parse(words: &[&str]) -> Result<Option<Self>, LineError> {
        match words {
            [] => Ok(None),
            ["first"] => Ok(Some(Self::First)),
            ["last"] => Ok(Some(Self::Last)),
            ["seat", number] => match number.parse::<u8>() {
                Ok(number) if number > 0 => Ok(Some(Self::Seat(number))),
                _ => Err(Message::new("lobby-join-unread")),
            },
            _ => Err(Message::new("lobby-join-unread")),
        }
    }

    /// Returns the words for this wish in a letter, such as `seat 2`.
    pub(crate) fn to_words(self) -> String {
        match self {
            Self::Seat(number) => format!("seat {number}"),
            Self::First => "first".to_owned(),
            Self::Last => "last".to_owned(),
        }
    }

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
    pub(crate) fn free_seat_count(&self) -> usize {
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
        for ProposalPlayer { member, wishes } in &self.players {
            let wished = wishes.seat.and_then(|wish| wish.seat_index(seats.len()));
            match wished.and_then(|index| seats.get_mut(index)) {
                Some(seat @ None) => *seat = Some(*member),
                _ => others.push(*member),
            }
        }
        dice.shuffle(&mut others);
        let mut others = others.into_iter();
        seats.into_iter().filter_map(|seat| seat.or_else(|| others.next())).collect()
    }

    /// Returns the options of the game with the players' wishes for a side of the board. `seats`
    /// are the members by seat.
    pub(crate) fn options_with_sides(&self, seats: &[u32]) -> BTreeMap<String, String> {
        let mut options = self.options.clone();
        if self.players.iter().all(|player| player.wishes.side.is_none()) {
            return options;
        }
        let agreed = options.get(SIDES_OPTION).cloned().unwrap_or_default();
        let mut agreed = agreed.split(',');
        let sides = seats.iter().map(|member| {
            let usual = agreed.next().unwrap_or_default();
            let player = self.players.iter().find(|player| player.member == *member);
            player.and_then(|player| player.wishes.side.as_deref()).unwrap_or(usual)
        });
        let sides: Vec<&str> = sides.collect();
        options.insert(SIDES_OPTION.to_owned(), sides.join(","));
        options
    }
}

impl GameInfo {
    /// Whether a person with one of these addresses was invited.
    pub(crate) fn has_invited(&self, addresses: &[String]) -> bool {
        self.invited_addresses.iter().any(|invited| addresses.contains(invited))
    }

    /// Whether an address of this person was invited, to the game or to the club.
    pub(crate) fn has_any_invitation(&self, person: &Member) -> bool {
        let is_own = |invitee: &ClubInvitee| person.addresses.contains(&invitee.address);
        self.has_invited(&person.addresses) || self.club_invitees.iter().any(is_own)
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
    pub(crate) fn check_can_join(
        &self,
        member: u32,
        punctuality: Punctuality,
    ) -> Result<(), Message> {
        if self.has_player(member) {
            return Err(Message::new("lobby-in-already"));
        }
        match (self.punctuality_min, punctuality.percent_in_time()) {
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
        let players = (1..).zip(wishes).map(|(member, wish)| ProposalPlayer {
            member,
            wishes: PlayerWishes { seat: *wish, side: None },
        });
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
            |in_time, late| one.check_can_join(9, Punctuality { in_time, late, games_left: 0 });
        assert!(of(0, 0).is_ok() && of(8, 2).is_ok());
        assert_eq!(of(7, 3).map_err(|why| why.key), Err("lobby-late"));
        assert_eq!(
            one.check_can_join(1, Punctuality::default()).map_err(|w| w.key),
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
    fn side_wishes_follow_players_to_seats() {
        let mut all = proposal(&[None, None, None]);
        assert_eq!(all.options_with_sides(&[3, 1, 2]), BTreeMap::new());
        let wish_side = |all: &mut Proposal, index: usize, side: &str| {
            all.players[index].wishes.side = Some(side.to_owned());
        };
        wish_side(&mut all, 1, "east");
        let sides = |all: &Proposal| all.options_with_sides(&[3, 1, 2])[SIDES_OPTION].clone();
        assert_eq!(sides(&all), ",,east");
        all.options.insert(SIDES_OPTION.to_owned(), "west,south".to_owned());
        assert_eq!(sides(&all), "west,south,east");
        wish_side(&mut all, 2, "north");
        assert_eq!(sides(&all), "north,south,east");
    }

    #[test]
    fn first_player_is_the_founder() {
        let mut all = proposal(&[None, None]);
        all.players.reverse();
        assert_eq!(all.founder(), 2);
    }
}
