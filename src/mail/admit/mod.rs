//! Who wrote a letter, and for which seat of which game.
//!
//! Whether an address belongs to somebody comes in through [`Directory`]; nothing here knows where
//! that is kept.

use super::Automatic;
use super::ReplyAction;
use super::authentication::prove;
use super::letter::{Letter, Mailbox};
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
        let case = Case { club: self, letter, directory };
        let Some(automatic) = &letter.automatic else { return case.of_person() };
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
                match case.of_person()? {
                    admitted @ Admitted::Action { .. } => admitted,
                    _ => ignored(),
                }
            }
            // A person may have written such a subject too; what the letter says must show it.
            Automatic::Notice => match case.of_person()? {
                admitted if admitted.may_order() => admitted,
                _ => ignored(),
            },
            _ => ignored(),
        })
    }

    /// Returns the seat or the member (with their first address) that a letter's token names. Does
    /// not check the sender. `None` if the letter has no valid token.
    ///
    /// # Errors
    /// When the directory cannot be read.
    pub(crate) fn undoubted<R: Directory>(
        &self,
        letter: &Letter,
        directory: &R,
    ) -> Result<Option<Admitted>, R::Error> {
        let case = Case { club: self, letter, directory };
        if let Some(token) = Token::find(letter, self.address) {
            let credentials = case.credentials_of_seat(&token)?;
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
        let credentials = case.credentials_of(&token, "")?;
        let address = credentials.and_then(|known| known.addresses.into_iter().next());
        Ok(address.map(|address| Admitted::Action { action: token.what, address }))
    }
}

/// A letter that is judged, and what it is judged by.
struct Case<'a, R> {
    club: &'a Authenticator<'a>,
    letter: &'a Letter,
    directory: &'a R,
}

impl<R: Directory> Case<'_, R> {
    /// Judges a letter that no program wrote.
    fn of_person(&self) -> Result<Admitted, R::Error> {
        let Case { club, letter, .. } = self;
        let (1, [Mailbox { address: sender, .. }]) = (letter.from_headers, &*letter.from) else {
            return Ok(Admitted::Quarantined(Message::new("held-senders")));
        };
        let sender = sender.clone();
        if is_own(&sender, club.address) {
            return Ok(Admitted::Ignored(Message::new("ignored-club")));
        }
        let Some(token) = Token::find(letter, club.address) else {
            return self.without_seat(sender);
        };
        let Some(credentials) = self.credentials_of_seat(&token)? else {
            return self.without_valid_token(sender);
        };
        Ok(match self.doubt(&sender, &credentials) {
            None => Admitted::Player(token.what),
            Some(doubt) => Admitted::Quarantined(
                Message::new("held-mark-of-seat")
                    .with("game", token.what.game.to_string())
                    .with("seat", token.what.seat)
                    .with("doubt", doubt),
            ),
        })
    }

    /// Judges a letter that answers none about a game.
    fn without_seat(&self, sender: String) -> Result<Admitted, R::Error> {
        let Some(token) = Sealed::<ReplyAction>::find(self.letter, self.club.address) else {
            if self.is_moderator(&sender) {
                return Ok(Admitted::ModeratorUnmarked { address: sender });
            }
            // Our own server's word does for a token.
            let proven = self.club.admission == Admission::TokenSenderAndDmarc
                && self.unproven(&sender).is_none();
            return Ok(match self.directory.member_of(&sender)? {
                Some(member) if proven => {
                    Admitted::Action { action: ReplyAction::Member(member), address: sender }
                }
                Some(_) => Admitted::NoGame { address: sender },
                None => Admitted::Stranger { address: sender },
            });
        };
        let Some(credentials) = self.credentials_of(&token, &sender)? else {
            return self.without_valid_token(sender);
        };
        // What a moderator can do is too much for a token that somebody may have seen.
        let doubt = match token.what {
            ReplyAction::Moderator if !credentials.addresses.contains(&sender) => {
                Some(Message::new("doubt-not-the-moderator").with("sender", sender.as_str()))
            }
            ReplyAction::Moderator
            | ReplyAction::Member(_)
            | ReplyAction::Invited { .. }
            | ReplyAction::Stop { .. } => self.doubt(&sender, &credentials),
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
    fn credentials_of_seat(&self, token: &Token) -> Result<Option<Credentials>, R::Error> {
        let known = self.directory.credentials(token.what.game, token.what.seat)?;
        Ok(known.filter(|known| self.club.secret.opens(token, known.generation)))
    }

    /// Returns who may do a reply action, if its token is valid for letters from `sender`.
    fn credentials_of(
        &self,
        token: &Sealed<ReplyAction>,
        sender: &str,
    ) -> Result<Option<Credentials>, R::Error> {
        let Case { club, directory, .. } = self;
        let (address, credentials) = match token.what {
            ReplyAction::Member(member)
            | ReplyAction::Invited { member, .. }
            | ReplyAction::Stop { member, .. }
            | ReplyAction::Address { member, .. } => (sender, directory.member(member)?),
            ReplyAction::Moderator => {
                let generation =
                    Generation { member: directory.moderator()?, ..Generation::default() };
                let addresses = vec![club.moderator.to_lowercase()];
                (club.moderator, Some(Credentials { generation, addresses }))
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
            club.secret.opens_action(token, &token.what.bond(address, credentials.generation))
        };
        Ok(credentials.filter(opens))
    }

    /// Returns why a letter with a valid token may be somebody else's than the member's.
    fn doubt(&self, sender: &str, credentials: &Credentials) -> Option<Message> {
        if self.club.admission == Admission::Token {
            return None;
        }
        if !credentials.addresses.iter().any(|address| address == sender) {
            return Some(Message::new("doubt-not-the-member").with("sender", sender));
        }
        self.unproven(sender)
    }

    /// Returns why our mail server does not prove the sender, if it must.
    fn unproven(&self, sender: &str) -> Option<Message> {
        let Case { club, letter, .. } = self;
        if club.admission != Admission::TokenSenderAndDmarc {
            return None;
        }
        let proof = prove(&letter.authentication_results, club.authserv_id, sender);
        proof.err().map(|why| why.told())
    }

    /// Judges a letter that has a token which is not valid, or no longer.
    fn without_valid_token(&self, address: String) -> Result<Admitted, R::Error> {
        Ok(match self.directory.member_of(&address)? {
            Some(_) => Admitted::BadToken { address },
            None if self.is_moderator(&address) => Admitted::ModeratorUnmarked { address },
            None => Admitted::Stranger { address },
        })
    }

    fn is_moderator(&self, address: &str) -> bool {
        address == self.club.moderator.to_lowercase()
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
