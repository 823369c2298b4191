//! The actions that a reply can perform if the answered letter was about no game of the reader's.
//!
//! The whole action is in the signed reply token, so the club stores nothing when it asks for a
//! confirmation. The module is pure and knows no members.

use super::rate_limit::mailbox_key;
use super::{ClubSecret, TokenGeneration};
use hmac::Mac;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The action that the reader of a letter can perform by answering it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplyAction {
    /// Act as the member with this number.
    #[serde(rename = "member")]
    SpeakAsMember(u32),
    /// Act as the moderator.
    #[serde(rename = "moderator")]
    SpeakAsModerator,
    /// Join a game and become a member.
    #[serde(rename = "join")]
    JoinGame {
        game: u32,
        /// The day on which the token was issued, in days since 1970.
        day: u32,
    },
    /// Join a game as an invited member, or act as that member.
    #[serde(rename = "invited")]
    AcceptInvitation {
        member: u32,
        game: u32,
        /// The day on which the token was issued, in days since 1970.
        day: u32,
    },
    /// Become a member without joining a game.
    #[serde(rename = "club")]
    JoinClub {
        /// The day on which the token was issued, in days since 1970.
        day: u32,
    },
    /// Stop one kind of letters to a member. Cannot do anything else, never expires, and can be
    /// used repeatedly.
    #[serde(rename = "stop")]
    Unsubscribe { member: u32, what: UnsubscribeKind },
    /// Refuse all letters to one mailbox that other people cause, such as invitations. Never
    /// expires, and can be used repeatedly.
    #[serde(rename = "refuse")]
    RefuseMail {
        /// A keyed hash of the mailbox: see [`ReplyAction::opt_out_for_address`].
        mailbox: u64,
    },
    /// Continue a conversation with the club about its games, without being a member.
    #[serde(rename = "visit")]
    ContinueVisit {
        /// The hour in which the conversation began, in hours since 1970.
        hour: u32,
    },
    /// Confirm that the address to which the letter was sent belongs to a member.
    #[serde(rename = "address")]
    ConfirmAddress {
        member: u32,
        /// The day on which the token was issued, in days since 1970.
        day: u32,
    },
}

/// A kind of letters that a member can stop with a mail program's unsubscribe button, without
/// leaving a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnsubscribeKind {
    /// Letters to the observers of this game.
    #[serde(rename = "watching")]
    Observing(u32),
    /// Digests, which combine the letters of several games. Each game's letter is then sent
    /// separately.
    Digests,
    Standings,
    Invitations,
}

/// The number of days for which a token that confirms something is valid.
const CONFIRMATION_DAYS: u32 = 3;

impl ReplyAction {
    /// Returns the action that refuses letters to the mailbox of an address. The hash of the
    /// mailbox is keyed with the club's secret, so others cannot test whether it belongs to a given
    /// address.
    pub(crate) fn opt_out_for_address(secret: &ClubSecret, address: &str) -> Self {
        let text = format!("postrider mailbox 1 {}", mailbox_key(address));
        let mac = secret.mac(&text).finalize().into_bytes();
        let first = mac.iter().take(8);
        Self::RefuseMail { mailbox: first.fold(0, |hash, byte| hash << 8 | u64::from(*byte)) }
    }

    /// Whether the action's token has expired on the day `today` (in days since 1970). Tokens that
    /// join or confirm something expire after 3 days. For all other actions, returns `false`.
    pub(crate) const fn has_expired(self, today: u32) -> bool {
        match self {
            Self::SpeakAsMember(_)
            | Self::SpeakAsModerator
            | Self::Unsubscribe { .. }
            | Self::RefuseMail { .. }
            | Self::ContinueVisit { .. } => false,
            Self::JoinGame { day, .. }
            | Self::AcceptInvitation { day, .. }
            | Self::JoinClub { day }
            | Self::ConfirmAddress { day, .. } => today.abs_diff(day) > CONFIRMATION_DAYS,
        }
    }

    /// Returns the text to which the signature binds the action's token, besides the action itself.
    ///
    /// The text contains the recipient's address if the sender of the reply need not prove their
    /// identity. Then only a person who reads letters to `address` has a valid token. It also
    /// contains the generation, so revoking tokens makes it invalid. `of` is the generation of the
    /// member who is acted for, of the moderator, or of the member with that address.
    pub(crate) fn signed_token_context(self, address: &str, of: TokenGeneration) -> String {
        let TokenGeneration { member, address_changes, .. } = of;
        let address = address.to_lowercase();
        match self {
            Self::SpeakAsMember(_) | Self::AcceptInvitation { .. } | Self::Unsubscribe { .. } => {
                member.to_string()
            }
            // Mail servers may forward letters, so the unsubscribe button may be pressed at another
            // address.
            Self::RefuseMail { .. } => String::new(),
            Self::ConfirmAddress { .. } if address_changes > 0 => {
                format!("{address} {member} {address_changes}")
            }
            _ if member > 0 => format!("{address} {member}"),
            _ => address,
        }
    }
}

impl fmt::Display for ReplyAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SpeakAsMember(member) => write!(f, "u.{member}"),
            Self::SpeakAsModerator => f.write_str("m"),
            Self::JoinGame { game, day } => write!(f, "j.{game}.{day}"),
            Self::AcceptInvitation { member, game, day } => write!(f, "i.{member}.{game}.{day}"),
            Self::JoinClub { day } => write!(f, "c.{day}"),
            Self::Unsubscribe { member, what: UnsubscribeKind::Observing(game) } => {
                write!(f, "s.{member}.w.{game}")
            }
            Self::Unsubscribe { member, what: UnsubscribeKind::Digests } => {
                write!(f, "s.{member}.d")
            }
            Self::Unsubscribe { member, what: UnsubscribeKind::Standings } => {
                write!(f, "s.{member}.c")
            }
            Self::Unsubscribe { member, what: UnsubscribeKind::Invitations } => {
                write!(f, "s.{member}.i")
            }
            Self::RefuseMail { mailbox } => write!(f, "n.{mailbox:016x}"),
            Self::ContinueVisit { hour } => write!(f, "v.{hour}"),
            Self::ConfirmAddress { member, day } => write!(f, "a.{member}.{day}"),
        }
    }
}

impl FromStr for ReplyAction {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let number = |text: &str| text.parse::<u32>().map_err(drop);
        let stop = |member, what| Ok(Self::Unsubscribe { member: number(member)?, what });
        let text = text.to_lowercase();
        Ok(match text.split('.').collect::<Vec<_>>()[..] {
            ["u", member] => Self::SpeakAsMember(number(member)?),
            ["m"] => Self::SpeakAsModerator,
            ["j", game, day] => Self::JoinGame { game: number(game)?, day: number(day)? },
            ["i", member, game, day] => {
                let (member, game, day) = (number(member)?, number(game)?, number(day)?);
                Self::AcceptInvitation { member, game, day }
            }
            ["c", day] => Self::JoinClub { day: number(day)? },
            ["s", member, "w", game] => stop(member, UnsubscribeKind::Observing(number(game)?))?,
            ["s", member, "d"] => stop(member, UnsubscribeKind::Digests)?,
            ["s", member, "c"] => stop(member, UnsubscribeKind::Standings)?,
            ["s", member, "i"] => stop(member, UnsubscribeKind::Invitations)?,
            ["n", hash] => {
                Self::RefuseMail { mailbox: u64::from_str_radix(hash, 16).map_err(drop)? }
            }
            ["v", hour] => Self::ContinueVisit { hour: number(hour)? },
            ["a", member, day] => {
                Self::ConfirmAddress { member: number(member)?, day: number(day)? }
            }
            _ => return Err(()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::ReplyToken;

    #[test]
    fn action_token_opens_for_its_binding_only() {
        let secret = ClubSecret::new([7; 32]);
        let join = ReplyAction::JoinGame { game: 12, day: 20_700 };
        for action in [
            ReplyAction::SpeakAsMember(7),
            ReplyAction::SpeakAsModerator,
            join,
            ReplyAction::AcceptInvitation { member: u32::MAX, game: u32::MAX, day: 20_700 },
            ReplyAction::JoinClub { day: 20_700 },
            ReplyAction::Unsubscribe { member: 7, what: UnsubscribeKind::Digests },
            ReplyAction::Unsubscribe { member: 7, what: UnsubscribeKind::Standings },
            ReplyAction::Unsubscribe {
                member: u32::MAX,
                what: UnsubscribeKind::Observing(u32::MAX),
            },
            ReplyAction::Unsubscribe { member: 7, what: UnsubscribeKind::Invitations },
            ReplyAction::ContinueVisit { hour: 496_802 },
            ReplyAction::ConfirmAddress { member: 7, day: 20_700 },
        ] {
            let text = secret.sign_action(action, "ann@example.org").to_string();
            let token: ReplyToken<ReplyAction> =
                text.to_uppercase().parse().expect("it is a token");
            assert_eq!(token.purpose, action);
            assert!(secret.is_valid_action_token(&token, "ann@example.org"));
            assert!(!secret.is_valid_action_token(&token, "eve@example.org"));
            let other = text.replacen(['7', '2'], "1", 1);
            if let Ok(other) = other.parse::<ReplyToken<ReplyAction>>() {
                assert!(other == token || !secret.is_valid_action_token(&other, "ann@example.org"));
            }
            let address = token.reply_address("games@example.org");
            assert!(address.len() - "@example.org".len() <= 64, "{address}");
        }
        assert!(!join.has_expired(20_703) && join.has_expired(20_704));
    }

    #[test]
    fn refuse_mail_token_opens_for_its_mailbox_only() {
        let secret = ClubSecret::new([7; 32]);
        let refuse = |address: &str| ReplyAction::opt_out_for_address(&secret, address);
        let bond = |action: ReplyAction| {
            action.signed_token_context("eve@example.org", TokenGeneration::default())
        };
        let action = refuse("zoe@example.net");
        let text = secret.sign_action(action, &bond(action)).to_string();
        let token: ReplyToken<ReplyAction> = text.parse().expect("it is a token");
        assert!(token.purpose == action && secret.is_valid_action_token(&token, &bond(action)));
        let other = refuse("yan@example.net");
        let forged = text.replace(&action.to_string(), &other.to_string());
        let forged: ReplyToken<ReplyAction> = forged.parse().expect("it is a token");
        assert!(forged.purpose == other && !secret.is_valid_action_token(&forged, &bond(other)));
        let address = token.reply_address("games@example.org");
        assert!(address.len() - "@example.org".len() <= 64, "{address}");
        assert_eq!(action, refuse("Zoe+x@Example.net"), "one mailbox, one refusal");
    }

    #[test]
    fn binding_depends_on_address_and_generation() {
        let (join, address) = (
            ReplyAction::JoinGame { game: 2, day: 9 },
            ReplyAction::ConfirmAddress { member: 7, day: 9 },
        );
        let of = |member, moves| TokenGeneration {
            member,
            address_changes: moves,
            ..TokenGeneration::default()
        };
        let bond = |action: ReplyAction, generation| {
            action.signed_token_context("Ann@Example.org", generation)
        };
        // Tokens that were issued before generations existed are still in use.
        for action in [join, address, ReplyAction::SpeakAsModerator] {
            assert_eq!(bond(action, of(0, 0)), "ann@example.org");
        }
        assert_eq!(bond(ReplyAction::SpeakAsMember(7), of(3, 1)), "3");
        let bonds = [of(0, 0), of(1, 0), of(0, 1), of(1, 1), of(1, 2)].map(|g| bond(address, g));
        for (at, one) in bonds.iter().enumerate() {
            assert!(!bonds[..at].contains(one), "{one}");
        }
        assert_ne!(
            bond(ReplyAction::SpeakAsModerator, of(1, 0)),
            bond(ReplyAction::SpeakAsModerator, of(2, 0))
        );
        assert_eq!(
            bond(ReplyAction::SpeakAsModerator, of(1, 0)),
            bond(ReplyAction::SpeakAsModerator, of(1, 5))
        );
    }
}
