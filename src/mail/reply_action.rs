//! What a reply to a letter of ours does when the letter was about no game of the reader's.
//!
//! Pure: a reply action is only text with a seal on it, so nothing need be remembered of letters
//! that ask somebody to confirm something. May not know who the members are.

use super::rate_limit::mailbox;
use super::{ClubSecret, Generation};
use hmac::Mac;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What the reader of a letter can do by answering it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplyAction {
    /// Speak as the member of this number.
    Member(u32),
    /// Speak as the moderator.
    Moderator,
    /// Join this game as somebody who is no member yet.
    Join {
        /// The game's number.
        game: u32,
        /// When it was written, in days since 1970.
        day: u32,
    },
    /// Join this game as the member of this number, whom somebody invites; else speak as he.
    Invited {
        /// The member's number.
        member: u32,
        /// The game's number.
        game: u32,
        /// When it was written, in days since 1970.
        day: u32,
    },
    /// Become a member, without a game.
    Club {
        /// When it was written, in days since 1970.
        day: u32,
    },
    /// Stop letters of one kind to the member of this number, and nothing else; for as often as it
    /// is said.
    Stop {
        /// The member's number.
        member: u32,
        /// Which letters.
        what: Stop,
    },
    /// Refuse all letters that others cause to go to one mailbox, for as often as it is said.
    Refuse {
        /// A keyed hash of the mailbox: see [`ReplyAction::refuse`].
        mailbox: u64,
    },
    /// Go on asking, as somebody who is no member, what there is to play.
    Visit {
        /// When the conversation began, in hours since 1970.
        hour: u32,
    },
    /// Say that the address it went to is this member's.
    Address {
        /// The member's number.
        member: u32,
        /// When it was written, in days since 1970.
        day: u32,
    },
}

/// Letters that somebody gets without playing for it, as a mail program's button stops them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// What everyone may see of this game.
    Watching(u32),
    /// Several games in one: each comes by itself again.
    Digests,
    /// The standings of campaigns.
    Standings,
    /// Invitations to games.
    Invitations,
}

/// For how many days after its own a letter that asks to confirm something can be answered.
const DAYS: u32 = 3;

impl ReplyAction {
    /// Returns the action that refuses letters to an address's mailbox. Nobody without the club's
    /// secret can tell whether the hash in it is that of a given address.
    pub(crate) fn refuse(secret: &ClubSecret, address: &str) -> Self {
        let text = format!("postrider mailbox 1 {}", mailbox(address));
        let mac = secret.mac(&text).finalize().into_bytes();
        let first = mac.iter().take(8);
        Self::Refuse { mailbox: first.fold(0, |hash, byte| hash << 8 | u64::from(*byte)) }
    }

    /// Whether it comes too late on this day, in days since 1970.
    pub(crate) const fn is_stale(self, today: u32) -> bool {
        match self {
            Self::Member(_)
            | Self::Moderator
            | Self::Stop { .. }
            | Self::Refuse { .. }
            | Self::Visit { .. } => false,
            Self::Join { day, .. }
            | Self::Invited { day, .. }
            | Self::Club { day }
            | Self::Address { day, .. } => today.abs_diff(day) > DAYS,
        }
    }

    /// What its token is bound to, which went to this address: only who reads what goes there has
    /// it, and no longer than until this generation ends. `of` is the member's who is spoken for,
    /// the moderator's, or that of whoever has the address.
    pub(crate) fn bond(self, address: &str, of: Generation) -> String {
        let Generation { member, moves, .. } = of;
        let address = address.to_lowercase();
        match self {
            Self::Member(_) | Self::Invited { .. } | Self::Stop { .. } => member.to_string(),
            // Programs press the button from other addresses too, where letters are passed on.
            Self::Refuse { .. } => String::new(),
            Self::Address { .. } if moves > 0 => format!("{address} {member} {moves}"),
            _ if member > 0 => format!("{address} {member}"),
            _ => address,
        }
    }
}

impl fmt::Display for ReplyAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Member(member) => write!(f, "u.{member}"),
            Self::Moderator => f.write_str("m"),
            Self::Join { game, day } => write!(f, "j.{game}.{day}"),
            Self::Invited { member, game, day } => write!(f, "i.{member}.{game}.{day}"),
            Self::Club { day } => write!(f, "c.{day}"),
            Self::Stop { member, what: Stop::Watching(game) } => write!(f, "s.{member}.w.{game}"),
            Self::Stop { member, what: Stop::Digests } => write!(f, "s.{member}.d"),
            Self::Stop { member, what: Stop::Standings } => write!(f, "s.{member}.c"),
            Self::Stop { member, what: Stop::Invitations } => write!(f, "s.{member}.i"),
            Self::Refuse { mailbox } => write!(f, "n.{mailbox:016x}"),
            Self::Visit { hour } => write!(f, "v.{hour}"),
            Self::Address { member, day } => write!(f, "a.{member}.{day}"),
        }
    }
}

impl FromStr for ReplyAction {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let number = |text: &str| text.parse::<u32>().map_err(drop);
        let stop = |member, what| Ok(Self::Stop { member: number(member)?, what });
        let text = text.to_lowercase();
        Ok(match text.split('.').collect::<Vec<_>>()[..] {
            ["u", member] => Self::Member(number(member)?),
            ["m"] => Self::Moderator,
            ["j", game, day] => Self::Join { game: number(game)?, day: number(day)? },
            ["i", member, game, day] => {
                let (member, game, day) = (number(member)?, number(game)?, number(day)?);
                Self::Invited { member, game, day }
            }
            ["c", day] => Self::Club { day: number(day)? },
            ["s", member, "w", game] => stop(member, Stop::Watching(number(game)?))?,
            ["s", member, "d"] => stop(member, Stop::Digests)?,
            ["s", member, "c"] => stop(member, Stop::Standings)?,
            ["s", member, "i"] => stop(member, Stop::Invitations)?,
            ["n", hash] => Self::Refuse { mailbox: u64::from_str_radix(hash, 16).map_err(drop)? },
            ["v", hour] => Self::Visit { hour: number(hour)? },
            ["a", member, day] => Self::Address { member: number(member)?, day: number(day)? },
            _ => return Err(()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::Sealed;

    #[test]
    fn an_errand_opens_for_what_it_is_bound_to_only() {
        let secret = ClubSecret::new([7; 32]);
        let join = ReplyAction::Join { game: 12, day: 20_700 };
        for action in [
            ReplyAction::Member(7),
            ReplyAction::Moderator,
            join,
            ReplyAction::Invited { member: u32::MAX, game: u32::MAX, day: 20_700 },
            ReplyAction::Club { day: 20_700 },
            ReplyAction::Stop { member: 7, what: Stop::Digests },
            ReplyAction::Stop { member: 7, what: Stop::Standings },
            ReplyAction::Stop { member: u32::MAX, what: Stop::Watching(u32::MAX) },
            ReplyAction::Stop { member: 7, what: Stop::Invitations },
            ReplyAction::Visit { hour: 496_802 },
            ReplyAction::Address { member: 7, day: 20_700 },
        ] {
            let text = secret.seal_action(action, "ann@example.org").to_string();
            let token: Sealed<ReplyAction> = text.to_uppercase().parse().expect("it is a token");
            assert_eq!(token.what, action);
            assert!(secret.opens_action(&token, "ann@example.org"));
            assert!(!secret.opens_action(&token, "eve@example.org"));
            let other = text.replacen(['7', '2'], "1", 1);
            if let Ok(other) = other.parse::<Sealed<ReplyAction>>() {
                assert!(other == token || !secret.opens_action(&other, "ann@example.org"));
            }
            let address = token.reply_address("games@example.org");
            assert!(address.len() - "@example.org".len() <= 64, "{address}");
        }
        assert!(!join.is_stale(20_703) && join.is_stale(20_704));
    }

    #[test]
    fn refusal_token_opens_for_its_mailbox_only() {
        let secret = ClubSecret::new([7; 32]);
        let refuse = |address: &str| ReplyAction::refuse(&secret, address);
        let bond = |action: ReplyAction| action.bond("eve@example.org", Generation::default());
        let action = refuse("zoe@example.net");
        let text = secret.seal_action(action, &bond(action)).to_string();
        let token: Sealed<ReplyAction> = text.parse().expect("it is a token");
        assert!(token.what == action && secret.opens_action(&token, &bond(action)));
        let other = refuse("yan@example.net");
        let forged = text.replace(&action.to_string(), &other.to_string());
        let forged: Sealed<ReplyAction> = forged.parse().expect("it is a token");
        assert!(forged.what == other && !secret.opens_action(&forged, &bond(other)));
        let address = token.reply_address("games@example.org");
        assert!(address.len() - "@example.org".len() <= 64, "{address}");
        assert_eq!(action, refuse("Zoe+x@Example.net"), "one mailbox, one refusal");
    }

    #[test]
    fn an_errand_is_bound_to_an_address_and_ends_with_its_generation() {
        let (join, address) =
            (ReplyAction::Join { game: 2, day: 9 }, ReplyAction::Address { member: 7, day: 9 });
        let of = |member, moves| Generation { member, moves, ..Generation::default() };
        let bond = |action: ReplyAction, generation| action.bond("Ann@Example.org", generation);
        // As marks were sealed that are under way.
        for action in [join, address, ReplyAction::Moderator] {
            assert_eq!(bond(action, of(0, 0)), "ann@example.org");
        }
        assert_eq!(bond(ReplyAction::Member(7), of(3, 1)), "3");
        let bonds = [of(0, 0), of(1, 0), of(0, 1), of(1, 1), of(1, 2)].map(|g| bond(address, g));
        for (at, one) in bonds.iter().enumerate() {
            assert!(!bonds[..at].contains(one), "{one}");
        }
        assert_ne!(bond(ReplyAction::Moderator, of(1, 0)), bond(ReplyAction::Moderator, of(2, 0)));
        assert_eq!(bond(ReplyAction::Moderator, of(1, 0)), bond(ReplyAction::Moderator, of(1, 5)));
    }
}
