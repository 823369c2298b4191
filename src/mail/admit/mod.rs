//! Who wrote a letter, and for which seat of which game.
//!
//! Whether an address belongs to somebody comes in through [`Directory`]; nothing here knows where
//! that is kept.

use super::Automatic;
use super::ReplyAction;
use super::authentication::prove;
use super::letter::Letter;
use super::token::{ClubSecret, Generation, Position, Sealed, Token};
use crate::mail::settings::Admission;
use crate::rules::Message;

/// What the door asks of the club's book of members and seats.
pub trait Directory {
    /// Why the book cannot be read now.
    type Error;
    /// Who may act for this seat; none when there is no such seat.
    ///
    /// # Errors
    /// When the book cannot be read.
    fn credentials(&self, game: u32, seat: u8) -> Result<Option<Credentials>, Self::Error>;
    /// Who may speak for this member; none when there is no such member.
    ///
    /// # Errors
    /// When the book cannot be read.
    fn member(&self, member: u32) -> Result<Option<Credentials>, Self::Error>;
    /// The number of the member who has this address.
    ///
    /// # Errors
    /// When the book cannot be read.
    fn member_of(&self, address: &str) -> Result<Option<u32>, Self::Error>;
    /// How often the moderator's marks were made void.
    ///
    /// # Errors
    /// When the book cannot be read.
    fn moderator(&self) -> Result<u32, Self::Error>;
}

/// Who may act for a seat or speak for a member.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Credentials {
    /// The generation that valid tokens have.
    pub generation: Generation,
    /// The addresses of the member, lower case.
    pub addresses: Vec<String>,
}

/// The club's door.
#[derive(Clone, Copy, Debug)]
pub struct Authenticator<'a> {
    /// What tokens are sealed with.
    pub secret: &'a ClubSecret,
    /// The club's own address.
    pub address: &'a str,
    /// What proves who wrote a letter.
    pub admission: Admission,
    /// What our mail server calls itself where it says who sent a letter.
    pub authserv_id: &'a str,
    /// The moderator's address.
    pub moderator: &'a str,
}

/// What the door says to a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Admitted {
    /// It is a player's, for this position.
    Player(Position),
    /// It answers a letter that was about no game of the writer's, and does what that letter
    /// offered.
    Action {
        /// What the letter's mark lets its writer do.
        action: ReplyAction,
        /// The writer's address.
        address: String,
    },
    /// It is from the moderator's address, and nothing in it proves that it is the moderator's.
    ModeratorUnmarked {
        /// The moderator's address.
        address: String,
    },
    /// It is a member's and names no game.
    NoGame {
        /// The member's address.
        address: String,
    },
    /// It is a member's, and its token is not valid or no longer.
    BadToken {
        /// The member's address.
        address: String,
    },
    /// It is nobody's that we know.
    Stranger {
        /// The address that the letter came from.
        address: String,
    },
    /// A machine wrote it: nobody is answered.
    Ignored(Message),
    /// The moderator must look at it: nobody is answered.
    Quarantined(Message),
}

impl Admitted {
    /// Whether it was let in as somebody's whose orders are carried out.
    const fn may_order(&self) -> bool {
        use ReplyAction::{Invited, Member, Moderator};
        let Self::Action { action, .. } = self else { return matches!(self, Self::Player(_)) };
        matches!(action, Member(_) | Invited { .. } | Moderator)
    }
}

impl Authenticator<'_> {
    /// Looks at a letter.
    ///
    /// # Errors
    /// When the directory cannot be read.
    pub fn admit<R: Directory>(
        &self,
        letter: &Letter,
        directory: &R,
    ) -> Result<Admitted, R::Error> {
        let Some(automatic) = &letter.automatic else { return self.of_person(letter, directory) };
        let ignored = || Admitted::Ignored(automatic.told());
        Ok(match automatic {
            Automatic::Bounce => Admitted::Quarantined(automatic.told()),
            // What a mail program's own button sends may bear the marks of a program.
            Automatic::AutoSubmitted
            | Automatic::List
            | Automatic::Bulk
            | Automatic::Notice
            | Automatic::Unwanted
                if stops(letter, self.address) =>
            {
                match self.of_person(letter, directory)? {
                    admitted @ Admitted::Action { .. } => admitted,
                    _ => ignored(),
                }
            }
            // A person may have written such a subject too; what the letter says must show it.
            Automatic::Notice => match self.of_person(letter, directory)? {
                admitted if admitted.may_order() => admitted,
                _ => ignored(),
            },
            _ => ignored(),
        })
    }

    fn of_person<R: Directory>(
        &self,
        letter: &Letter,
        directory: &R,
    ) -> Result<Admitted, R::Error> {
        let sender = match letter.from.as_slice() {
            [sender] if letter.from_headers == 1 => sender.address.clone(),
            _ => {
                return Ok(Admitted::Quarantined(Message::new("held-senders")));
            }
        };
        if is_own(&sender, self.address) {
            return Ok(Admitted::Ignored(Message::new("ignored-club")));
        }
        let credentials = match Token::find(letter, self.address) {
            None => return self.without_seat(letter, sender, directory),
            Some(token) => {
                self.credentials_of_seat(&token, directory)?.map(|known| (token.what, known))
            }
        };
        match credentials {
            None => self.without_valid_token(sender, directory),
            Some((position, credentials)) => Ok(match self.doubt(letter, &sender, &credentials) {
                None => Admitted::Player(position),
                Some(doubt) => Admitted::Quarantined(
                    Message::new("held-mark-of-seat")
                        .with("game", position.game.to_string())
                        .with("seat", position.seat)
                        .with("doubt", doubt),
                ),
            }),
        }
    }

    /// A letter that answers none about a game.
    fn without_seat<R: Directory>(
        &self,
        letter: &Letter,
        sender: String,
        directory: &R,
    ) -> Result<Admitted, R::Error> {
        let Some(token) = Sealed::<ReplyAction>::find(letter, self.address) else {
            if self.is_moderator(&sender) {
                return Ok(Admitted::ModeratorUnmarked { address: sender });
            }
            // Our own server's word does for a token.
            let proven = self.admission == Admission::TokenSenderAndDmarc
                && self.unproven(letter, &sender).is_none();
            return Ok(match directory.member_of(&sender)? {
                Some(member) if proven => {
                    Admitted::Action { action: ReplyAction::Member(member), address: sender }
                }
                Some(_) => Admitted::NoGame { address: sender },
                None => Admitted::Stranger { address: sender },
            });
        };
        let Some(credentials) = self.credentials_of(&token, &sender, directory)? else {
            return self.without_valid_token(sender, directory);
        };
        // What a moderator can do is too much for a token that somebody may have seen.
        let doubt = match token.what {
            ReplyAction::Moderator if !credentials.addresses.contains(&sender) => {
                Some(Message::new("doubt-not-the-moderator").with("sender", sender.as_str()))
            }
            ReplyAction::Moderator
            | ReplyAction::Member(_)
            | ReplyAction::Invited { .. }
            | ReplyAction::Stop { .. } => self.doubt(letter, &sender, &credentials),
            // Who can read what goes to an address has it.
            ReplyAction::Join { .. }
            | ReplyAction::Club { .. }
            | ReplyAction::Refuse { .. }
            | ReplyAction::Visit { .. }
            | ReplyAction::Address { .. } => None,
        };
        Ok(match doubt {
            None => Admitted::Action { action: token.what, address: sender },
            Some(doubt) => {
                let of = match token.what {
                    ReplyAction::Moderator => "moderator",
                    ReplyAction::Invited { .. } => "invited",
                    _ => "member",
                };
                Admitted::Quarantined(Message::new("held-mark").with("of", of).with("doubt", doubt))
            }
        })
    }

    /// Returns who may act for the seat of a token, if the token is valid.
    fn credentials_of_seat<R: Directory>(
        &self,
        token: &Token,
        directory: &R,
    ) -> Result<Option<Credentials>, R::Error> {
        let known = directory.credentials(token.what.game, token.what.seat)?;
        Ok(known.filter(|known| self.secret.opens(token, known.generation)))
    }

    /// Returns who may do a reply action, if its token is valid for letters from `sender`.
    fn credentials_of<R: Directory>(
        &self,
        token: &Sealed<ReplyAction>,
        sender: &str,
        directory: &R,
    ) -> Result<Option<Credentials>, R::Error> {
        let (address, credentials) = match token.what {
            ReplyAction::Member(member)
            | ReplyAction::Invited { member, .. }
            | ReplyAction::Stop { member, .. }
            | ReplyAction::Address { member, .. } => (sender, directory.member(member)?),
            ReplyAction::Moderator => {
                let generation =
                    Generation { member: directory.moderator()?, ..Generation::default() };
                let addresses = vec![self.moderator.to_lowercase()];
                (self.moderator, Some(Credentials { generation, addresses }))
            }
            ReplyAction::Refuse { .. } => (sender, Some(Credentials::default())),
            ReplyAction::Join { .. } | ReplyAction::Club { .. } | ReplyAction::Visit { .. } => {
                let known = match directory.member_of(sender)? {
                    Some(member) => directory.member(member)?,
                    None => None,
                };
                (sender, Some(known.unwrap_or_default()))
            }
        };
        let opens = |credentials: &Credentials| {
            self.secret.opens_action(token, &token.what.bond(address, credentials.generation))
        };
        Ok(credentials.filter(opens))
    }

    /// Why a letter with a valid token is not the member's whom the token is for.
    fn doubt(&self, letter: &Letter, sender: &str, credentials: &Credentials) -> Option<Message> {
        if self.admission == Admission::Token {
            return None;
        }
        if !credentials.addresses.iter().any(|address| address == sender) {
            return Some(Message::new("doubt-not-the-member").with("sender", sender));
        }
        self.unproven(letter, sender)
    }

    /// Why our mail server's word is missing that this sender sent the letter, where it is needed.
    fn unproven(&self, letter: &Letter, sender: &str) -> Option<Message> {
        let proof = match self.admission {
            Admission::TokenSenderAndDmarc => {
                prove(&letter.authentication_results, self.authserv_id, sender)
            }
            Admission::Token | Admission::TokenAndSender => Ok(()),
        };
        proof.err().map(|why| why.told())
    }

    fn without_valid_token<R: Directory>(
        &self,
        address: String,
        directory: &R,
    ) -> Result<Admitted, R::Error> {
        Ok(match directory.member_of(&address)? {
            Some(_) => Admitted::BadToken { address },
            None if self.is_moderator(&address) => Admitted::ModeratorUnmarked { address },
            None => Admitted::Stranger { address },
        })
    }

    fn is_moderator(&self, address: &str) -> bool {
        address == self.moderator.to_lowercase()
    }

    /// For whom a letter would be let in if nobody doubted its sender: a seat or a member, with the
    /// first of the member's addresses. None when it has no valid token of either.
    ///
    /// # Errors
    /// When the directory cannot be read.
    pub(crate) fn undoubted<R: Directory>(
        &self,
        letter: &Letter,
        directory: &R,
    ) -> Result<Option<Admitted>, R::Error> {
        if let Some(token) = Token::find(letter, self.address) {
            let credentials = self.credentials_of_seat(&token, directory)?;
            return Ok(credentials.map(|_| Admitted::Player(token.what)));
        }
        let Some(token) = Sealed::<ReplyAction>::find(letter, self.address) else {
            return Ok(None);
        };
        if !matches!(
            token.what,
            ReplyAction::Member(_) | ReplyAction::Invited { .. } | ReplyAction::Stop { .. }
        ) {
            return Ok(None);
        }
        // The tokens of these are bound to no address.
        let credentials = self.credentials_of(&token, "", directory)?;
        let address = credentials.and_then(|known| known.addresses.into_iter().next());
        Ok(address.map(|address| Admitted::Action { action: token.what, address }))
    }
}

/// Whether a letter is one that only stops letters.
fn stops(letter: &Letter, club: &str) -> bool {
    let action = Sealed::<ReplyAction>::find(letter, club).map(|token| token.what);
    Token::find(letter, club).is_none()
        && matches!(action, Some(ReplyAction::Stop { .. } | ReplyAction::Refuse { .. }))
}

/// Whether an address is the club's, with or without a token in it: what is sent there is read as a
/// letter to the club, and nobody who writes from there is let in.
#[must_use]
pub fn is_own(address: &str, club: &str) -> bool {
    let plain = |address: &str| {
        let (local, host) = address.rsplit_once('@')?;
        let local = local.split_once('+').map_or(local, |(name, _)| name);
        Some(format!("{local}@{host}").to_lowercase())
    };
    plain(address) == plain(club)
}

#[cfg(test)]
mod tests;
