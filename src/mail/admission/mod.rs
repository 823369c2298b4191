//! Who wrote a letter, and for which seat of which game.
//!
//! Whether an address belongs to somebody comes in through [`Directory`]; nothing here knows where
//! that is kept.

use super::NoReplyReason;
use super::ReplyAction;
use super::authentication::verify_dmarc;
use super::letter::{Letter, Mailbox};
use super::token::{ClubSecret, ReplyToken, SeatToken, TokenGeneration, TokenPosition};
use crate::mail::settings::SenderProof;
use crate::rules::Message;

/// What the door asks of the club's book of members and seats.
pub trait MemberDirectory {
    /// Why the book cannot be read now.
    type Error;
    /// Who may act for this seat; none when there is no such seat.
    ///
    /// # Errors
    /// When the book cannot be read.
    fn seat_credentials(&self, game: u32, seat: u8) -> Result<Option<Credentials>, Self::Error>;
    /// Who may speak for this member; none when there is no such member.
    ///
    /// # Errors
    /// When the book cannot be read.
    fn member_credentials(&self, member: u32) -> Result<Option<Credentials>, Self::Error>;
    /// The number of the member who has this address.
    ///
    /// # Errors
    /// When the book cannot be read.
    fn member_by_address(&self, address: &str) -> Result<Option<u32>, Self::Error>;
    /// How often the moderator's marks were made void.
    ///
    /// # Errors
    /// When the book cannot be read.
    fn moderator_generation(&self) -> Result<u32, Self::Error>;
}

/// Who may act for a seat or speak for a member.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Credentials {
    /// The generation that valid tokens have.
    pub generation: TokenGeneration,
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
    pub required_proof: SenderProof,
    /// What our mail server calls itself where it says who sent a letter.
    pub authserv_id: &'a str,
    /// The moderator's address.
    pub moderator: &'a str,
}

/// What the door says to a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AdmissionVerdict {
    /// It is a player's, for this position.
    Player(TokenPosition),
    /// It answers a letter that was about no game of the writer's, and does what that letter
    /// offered.
    Action {
        /// What the letter's mark lets its writer do.
        action: ReplyAction,
        /// The writer's address.
        address: String,
    },
    /// It is from the moderator's address, and nothing in it proves that it is the moderator's.
    ModeratorWithoutToken {
        /// The moderator's address.
        address: String,
    },
    /// It is a member's and names no game.
    MemberWithoutToken {
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

impl AdmissionVerdict {
    /// Whether it was let in as somebody's whose orders are carried out.
    const fn can_submit_orders(&self) -> bool {
        use ReplyAction::{AcceptInvitation, SpeakAsMember, SpeakAsModerator};
        let Self::Action { action, .. } = self else { return matches!(self, Self::Player(_)) };
        matches!(action, SpeakAsMember(_) | AcceptInvitation { .. } | SpeakAsModerator)
    }
}

impl Authenticator<'_> {
    /// Looks at a letter.
    ///
    /// # Errors
    /// When the directory cannot be read.
    pub fn admit<R: MemberDirectory>(
        &self,
        letter: &Letter,
        directory: &R,
    ) -> Result<AdmissionVerdict, R::Error> {
        let case = AdmissionCheck { club: self, letter, directory };
        let Some(automatic) = &letter.automatic else { return case.check_personal_letter() };
        let ignored = || AdmissionVerdict::Ignored(automatic.to_message());
        Ok(match automatic {
            NoReplyReason::Bounce => AdmissionVerdict::Quarantined(automatic.to_message()),
            // What a mail program's own button sends may bear the marks of a program.
            NoReplyReason::AutoSubmitted
            | NoReplyReason::List
            | NoReplyReason::Bulk
            | NoReplyReason::Notice
            | NoReplyReason::Unwanted
                if is_unsubscribe_request(letter, self.address) =>
            {
                match case.check_personal_letter()? {
                    admitted @ AdmissionVerdict::Action { .. } => admitted,
                    _ => ignored(),
                }
            }
            // A person may have written such a subject too; what the letter says must show it.
            NoReplyReason::Notice => match case.check_personal_letter()? {
                admitted if admitted.can_submit_orders() => admitted,
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
    pub(crate) fn find_token_owner<R: MemberDirectory>(
        &self,
        letter: &Letter,
        directory: &R,
    ) -> Result<Option<AdmissionVerdict>, R::Error> {
        let case = AdmissionCheck { club: self, letter, directory };
        if let Some(token) = SeatToken::find_in_letter(letter, self.address) {
            let credentials = case.credentials_for_seat_token(&token)?;
            return Ok(credentials.map(|_| AdmissionVerdict::Player(token.purpose)));
        }
        let Some(token) = ReplyToken::<ReplyAction>::find_in_letter(letter, self.address) else {
            return Ok(None);
        };
        if !matches!(
            token.purpose,
            ReplyAction::SpeakAsMember(_)
                | ReplyAction::AcceptInvitation { .. }
                | ReplyAction::Unsubscribe { .. }
        ) {
            return Ok(None);
        }
        // The tokens of these are bound to no address.
        let credentials = case.credentials_for_action_token(&token, "")?;
        let address = credentials.and_then(|known| known.addresses.into_iter().next());
        Ok(address.map(|address| AdmissionVerdict::Action { action: token.purpose, address }))
    }
}

/// A letter that is judged, and what it is judged by.
struct AdmissionCheck<'a, R> {
    club: &'a Authenticator<'a>,
    letter: &'a Letter,
    directory: &'a R,
}

impl<R: MemberDirectory> AdmissionCheck<'_, R> {
    /// Judges a letter that no program wrote.
    fn check_personal_letter(&self) -> Result<AdmissionVerdict, R::Error> {
        let AdmissionCheck { club, letter, .. } = self;
        let (1, [Mailbox { address: sender, .. }]) = (letter.from_headers, &*letter.from) else {
            return Ok(AdmissionVerdict::Quarantined(Message::new("held-senders")));
        };
        let sender = sender.clone();
        if is_club_address(&sender, club.address) {
            return Ok(AdmissionVerdict::Ignored(Message::new("ignored-club")));
        }
        let Some(token) = SeatToken::find_in_letter(letter, club.address) else {
            return self.check_letter_without_seat(sender);
        };
        let Some(credentials) = self.credentials_for_seat_token(&token)? else {
            return self.check_invalid_token(sender);
        };
        Ok(match self.sender_doubt(&sender, &credentials) {
            None => AdmissionVerdict::Player(token.purpose),
            Some(doubt) => AdmissionVerdict::Quarantined(
                Message::new("held-mark-of-seat")
                    .with("game", token.purpose.game.to_string())
                    .with("seat", token.purpose.seat)
                    .with("doubt", doubt),
            ),
        })
    }

    /// Judges a letter that answers none about a game.
    fn check_letter_without_seat(&self, sender: String) -> Result<AdmissionVerdict, R::Error> {
        let Some(token) = ReplyToken::<ReplyAction>::find_in_letter(self.letter, self.club.address)
        else {
            if self.is_moderator_address(&sender) {
                return Ok(AdmissionVerdict::ModeratorWithoutToken { address: sender });
            }
            // Our own server's word does for a token.
            let proven = self.club.required_proof == SenderProof::TokenSenderAndDmarc
                && self.dmarc_doubt(&sender).is_none();
            return Ok(match self.directory.member_by_address(&sender)? {
                Some(member) if proven => AdmissionVerdict::Action {
                    action: ReplyAction::SpeakAsMember(member),
                    address: sender,
                },
                Some(_) => AdmissionVerdict::MemberWithoutToken { address: sender },
                None => AdmissionVerdict::Stranger { address: sender },
            });
        };
        let Some(credentials) = self.credentials_for_action_token(&token, &sender)? else {
            return self.check_invalid_token(sender);
        };
        // What a moderator can do is too much for a token that somebody may have seen.
        let doubt = match token.purpose {
            ReplyAction::SpeakAsModerator if !credentials.addresses.contains(&sender) => {
                Some(Message::new("doubt-not-the-moderator").with("sender", sender.as_str()))
            }
            ReplyAction::SpeakAsModerator
            | ReplyAction::SpeakAsMember(_)
            | ReplyAction::AcceptInvitation { .. }
            | ReplyAction::Unsubscribe { .. } => self.sender_doubt(&sender, &credentials),
            // Who can read what goes to an address has it.
            ReplyAction::JoinGame { .. }
            | ReplyAction::JoinClub { .. }
            | ReplyAction::RefuseMail { .. }
            | ReplyAction::ContinueVisit { .. }
            | ReplyAction::ConfirmAddress { .. } => None,
        };
        Ok(match doubt {
            None => AdmissionVerdict::Action { action: token.purpose, address: sender },
            Some(doubt) => {
                let of = match token.purpose {
                    ReplyAction::SpeakAsModerator => "moderator",
                    ReplyAction::AcceptInvitation { .. } => "invited",
                    _ => "member",
                };
                AdmissionVerdict::Quarantined(
                    Message::new("held-mark").with("of", of).with("doubt", doubt),
                )
            }
        })
    }

    /// Returns who may act for the seat of a token, if the token is valid.
    fn credentials_for_seat_token(
        &self,
        token: &SeatToken,
    ) -> Result<Option<Credentials>, R::Error> {
        let known = self.directory.seat_credentials(token.purpose.game, token.purpose.seat)?;
        Ok(known.filter(|known| self.club.secret.is_valid_seat_token(token, known.generation)))
    }

    /// Returns who may do a reply action, if its token is valid for letters from `sender`.
    fn credentials_for_action_token(
        &self,
        token: &ReplyToken<ReplyAction>,
        sender: &str,
    ) -> Result<Option<Credentials>, R::Error> {
        let AdmissionCheck { club, directory, .. } = self;
        let (address, credentials) = match token.purpose {
            ReplyAction::SpeakAsMember(member)
            | ReplyAction::AcceptInvitation { member, .. }
            | ReplyAction::Unsubscribe { member, .. }
            | ReplyAction::ConfirmAddress { member, .. } => {
                (sender, directory.member_credentials(member)?)
            }
            ReplyAction::SpeakAsModerator => {
                let generation = TokenGeneration {
                    member: directory.moderator_generation()?,
                    ..TokenGeneration::default()
                };
                let addresses = vec![club.moderator.to_lowercase()];
                (club.moderator, Some(Credentials { generation, addresses }))
            }
            ReplyAction::RefuseMail { .. } => (sender, Some(Credentials::default())),
            ReplyAction::JoinGame { .. }
            | ReplyAction::JoinClub { .. }
            | ReplyAction::ContinueVisit { .. } => {
                let known = match directory.member_by_address(sender)? {
                    Some(member) => directory.member_credentials(member)?,
                    None => None,
                };
                (sender, Some(known.unwrap_or_default()))
            }
        };
        let opens = |credentials: &Credentials| {
            club.secret.is_valid_action_token(
                token,
                &token.purpose.token_binding(address, credentials.generation),
            )
        };
        Ok(credentials.filter(opens))
    }

    /// Returns why a letter with a valid token may be somebody else's than the member's.
    fn sender_doubt(&self, sender: &str, credentials: &Credentials) -> Option<Message> {
        if self.club.required_proof == SenderProof::Token {
            return None;
        }
        if !credentials.addresses.iter().any(|address| address == sender) {
            return Some(Message::new("doubt-not-the-member").with("sender", sender));
        }
        self.dmarc_doubt(sender)
    }

    /// Returns why our mail server does not prove the sender, if it must.
    fn dmarc_doubt(&self, sender: &str) -> Option<Message> {
        let AdmissionCheck { club, letter, .. } = self;
        if club.required_proof != SenderProof::TokenSenderAndDmarc {
            return None;
        }
        let proof = verify_dmarc(&letter.authentication_results, club.authserv_id, sender);
        proof.err().map(|why| why.to_message())
    }

    /// Judges a letter that has a token which is not valid, or no longer.
    fn check_invalid_token(&self, address: String) -> Result<AdmissionVerdict, R::Error> {
        Ok(match self.directory.member_by_address(&address)? {
            Some(_) => AdmissionVerdict::BadToken { address },
            None if self.is_moderator_address(&address) => {
                AdmissionVerdict::ModeratorWithoutToken { address }
            }
            None => AdmissionVerdict::Stranger { address },
        })
    }

    fn is_moderator_address(&self, address: &str) -> bool {
        address == self.club.moderator.to_lowercase()
    }
}

/// Whether a letter is one that only stops letters.
fn is_unsubscribe_request(letter: &Letter, club: &str) -> bool {
    let action = ReplyToken::<ReplyAction>::find_in_letter(letter, club).map(|token| token.purpose);
    SeatToken::find_in_letter(letter, club).is_none()
        && matches!(action, Some(ReplyAction::Unsubscribe { .. } | ReplyAction::RefuseMail { .. }))
}

/// Whether an address is the club's, with or without a token in it: what is sent there is read as a
/// letter to the club, and nobody who writes from there is let in.
#[must_use]
pub fn is_club_address(address: &str, club: &str) -> bool {
    let plain = |address: &str| {
        let (local, host) = address.rsplit_once('@')?;
        let local = local.split_once('+').map_or(local, |(name, _)| name);
        Some(format!("{local}@{host}").to_lowercase())
    };
    plain(address) == plain(club)
}

#[cfg(test)]
mod tests;
