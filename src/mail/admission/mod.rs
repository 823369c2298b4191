//! Decides who wrote a letter, and whether that person may act for a seat, a member or the
//! moderator.
//!
//! Members and their addresses come from a [`MemberDirectory`]; this module does not know where
//! they are stored.

use super::NoReplyReason;
use super::ReplyAction;
use super::address::canonical_address;
use super::authentication::verify_dmarc;
use super::letter::{Letter, Mailbox};
use super::token::{ClubSecret, ReplyToken, SeatToken, TokenGeneration, TokenPosition};
use crate::mail::settings::SenderProof;
use crate::rules::Message;

/// The facts about members and seats that admission needs. The store implements it.
pub trait MemberDirectory {
    type Error;
    /// Returns the credentials for a seat, or `None` if the seat does not exist.
    fn find_expected_seat_credentials(
        &self,
        game: u32,
        seat: u8,
    ) -> Result<Option<Credentials>, Self::Error>;
    /// Returns the credentials for a member, or `None` if the member does not exist.
    fn find_expected_member_credentials(
        &self,
        member: u32,
    ) -> Result<Option<Credentials>, Self::Error>;
    fn member_by_address(&self, address: &str) -> Result<Option<u32>, Self::Error>;
    /// Returns the number of times that the moderator's reply tokens were revoked.
    fn moderator_generation(&self) -> Result<u32, Self::Error>;
}

/// The data by which admission verifies that a letter comes from the player of a seat, or from a
/// member.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Credentials {
    /// The generation of the tokens that are valid now.
    pub generation: TokenGeneration,
    /// The member's addresses, in lower case.
    pub addresses: Vec<String>,
}

/// The check of incoming letters, configured with the club's secret, addresses and settings.
#[derive(Clone, Debug)]
pub struct Authenticator<'a> {
    /// The secret with which reply tokens are signed.
    pub secret: &'a ClubSecret,
    pub address: &'a str,
    /// The proof of the sender that the club's settings require.
    pub required_proof: SenderProof,
    /// The name of the club's mail server in `Authentication-Results` headers (authserv-id).
    pub authserv_id: &'a str,
    /// The moderators' addresses.
    pub moderators: Vec<&'a str>,
}

/// The result of admission: the sender's role, or the reason why the letter is not admitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AdmissionVerdict {
    /// A player's letter about this position of a game.
    Player(TokenPosition),
    /// A letter whose reply token allows an action outside of a game.
    Action { action: ReplyAction, address: String },
    /// A letter from the moderator's address without a valid token of the moderator. The address
    /// alone proves nothing.
    ModeratorWithoutToken { address: String },
    /// A letter from a member without a reply token.
    MemberWithoutToken { address: String },
    /// A letter from a member with an invalid or revoked token.
    BadToken { address: String },
    /// A letter from an unknown address.
    Stranger { address: String },
    /// A letter that a program wrote, with the reason. It is not answered.
    Ignored(Message),
    /// A letter for the moderator to examine, with the reason. It is not answered.
    Quarantined(Message),
}

impl AdmissionVerdict {
    /// Whether the letter was admitted in a role whose orders are executed: a player, a member or
    /// the moderator.
    const fn can_submit_orders(&self) -> bool {
        use ReplyAction::{AcceptInvitation, SpeakAsMember, SpeakAsModerator};
        let Self::Action { action, .. } = self else { return matches!(self, Self::Player(_)) };
        matches!(action, SpeakAsMember(_) | AcceptInvitation { .. } | SpeakAsModerator)
    }
}

impl Authenticator<'_> {
    /// Decides the role of a letter's sender. A letter that a program wrote is ignored, unless it
    /// is an unsubscribe request or an apparent notice with a valid token.
    ///
    /// # Errors
    /// If the directory cannot be read.
    pub fn decide_admission<R: MemberDirectory>(
        &self,
        letter: &Letter,
        directory: &R,
    ) -> Result<AdmissionVerdict, R::Error> {
        let case = AdmissionCheck { club: self, letter, directory };
        let Some(automatic) = &letter.automatic else { return case.admit_personal_letter() };
        let ignored = || AdmissionVerdict::Ignored(automatic.to_message());
        Ok(match automatic {
            NoReplyReason::Bounce => AdmissionVerdict::Quarantined(automatic.to_message()),
            // The unsubscribe button of a mail program may send a letter with the headers of
            // automatic mail.
            NoReplyReason::AutoSubmitted
            | NoReplyReason::List
            | NoReplyReason::Bulk
            | NoReplyReason::Notice
            | NoReplyReason::Unwanted
                if is_unsubscribe_request(letter, self.address) =>
            {
                match case.admit_personal_letter()? {
                    admitted @ AdmissionVerdict::Action { .. } => admitted,
                    _ => ignored(),
                }
            }
            // A person may write a subject like that of an absence notice, so such a letter is
            // admitted with a valid token.
            NoReplyReason::Notice => match case.admit_personal_letter()? {
                admitted if admitted.can_submit_orders() => admitted,
                _ => ignored(),
            },
            _ => ignored(),
        })
    }

    /// Returns the seat, or the member with their first address, that a letter's token names. Does
    /// not check the sender. Returns `None` if the letter has no valid token.
    pub(crate) fn find_token_owner<R: MemberDirectory>(
        &self,
        letter: &Letter,
        directory: &R,
    ) -> Result<Option<AdmissionVerdict>, R::Error> {
        let case = AdmissionCheck { club: self, letter, directory };
        if let Some(token) = SeatToken::find_in_letter(letter, self.address) {
            let credentials = case.credentials_if_seat_token_valid(&token)?;
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
        // The tokens of these actions are not bound to an address.
        let credentials = case.credentials_if_action_token_valid(&token, "")?;
        let address = credentials.and_then(|known| known.addresses.into_iter().next());
        Ok(address.map(|address| AdmissionVerdict::Action { action: token.purpose, address }))
    }
}

struct AdmissionCheck<'a, R> {
    club: &'a Authenticator<'a>,
    letter: &'a Letter,
    directory: &'a R,
}

impl<R: MemberDirectory> AdmissionCheck<'_, R> {
    /// Checks a letter that a person wrote.
    fn admit_personal_letter(&self) -> Result<AdmissionVerdict, R::Error> {
        let AdmissionCheck { club, letter, .. } = self;
        let (1, [Mailbox { address: sender, .. }]) = (letter.from_headers, &*letter.from) else {
            return Ok(AdmissionVerdict::Quarantined(Message::new("held-senders")));
        };
        let sender = sender.clone();
        if is_club_address(&sender, club.address) {
            return Ok(AdmissionVerdict::Ignored(Message::new("ignored-club")));
        }
        let Some(token) = SeatToken::find_in_letter(letter, club.address) else {
            return self.admit_without_seat_token(sender);
        };
        let Some(credentials) = self.credentials_if_seat_token_valid(&token)? else {
            return self.admit_with_invalid_token(sender);
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

    /// Checks a letter without the token of a seat.
    fn admit_without_seat_token(&self, sender: String) -> Result<AdmissionVerdict, R::Error> {
        let Some(token) = ReplyToken::<ReplyAction>::find_in_letter(self.letter, self.club.address)
        else {
            if self.is_moderator_address(&sender) {
                return Ok(AdmissionVerdict::ModeratorWithoutToken { address: sender });
            }
            // If the settings require DMARC, a DMARC pass proves the sender as well as a token
            // does.
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
        let Some(credentials) = self.credentials_if_action_token_valid(&token, &sender)? else {
            return self.admit_with_invalid_token(sender);
        };
        // The moderator has so much power that a token alone is not enough, because others may have
        // seen it.
        let doubt = match token.purpose {
            ReplyAction::SpeakAsModerator if !credentials.addresses.contains(&sender) => {
                Some(Message::new("doubt-not-the-moderator").with("sender", sender.as_str()))
            }
            ReplyAction::SpeakAsModerator
            | ReplyAction::SpeakAsMember(_)
            | ReplyAction::AcceptInvitation { .. }
            | ReplyAction::Unsubscribe { .. } => self.sender_doubt(&sender, &credentials),
            // These tokens are bound to an address. Anybody who can read letters to the address has
            // the token, so the sender is not checked.
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

    /// Returns the credentials for a token's seat, if the token is valid.
    fn credentials_if_seat_token_valid(
        &self,
        token: &SeatToken,
    ) -> Result<Option<Credentials>, R::Error> {
        let known = self
            .directory
            .find_expected_seat_credentials(token.purpose.game, token.purpose.seat)?;
        Ok(known.filter(|known| self.club.secret.is_valid_seat_token(token, known.generation)))
    }

    /// Returns the credentials for a token's action, if the token is valid for letters from
    /// `sender`.
    fn credentials_if_action_token_valid(
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
                (sender, directory.find_expected_member_credentials(member)?)
            }
            ReplyAction::SpeakAsModerator => {
                let member = directory.moderator_generation()?;
                let generation = TokenGeneration { member, ..TokenGeneration::default() };
                // Each moderator has a token of their own.
                let is_theirs = |address: &&&str| {
                    let context = token.purpose.signed_token_context(address, generation);
                    club.secret.is_valid_action_token(token, &context)
                };
                let Some(address) = club.moderators.iter().find(is_theirs) else { return Ok(None) };
                let addresses = vec![address.to_lowercase()];
                return Ok(Some(Credentials { generation, addresses }));
            }
            ReplyAction::RefuseMail { .. } => (sender, Some(Credentials::default())),
            ReplyAction::JoinGame { .. }
            | ReplyAction::JoinClub { .. }
            | ReplyAction::ContinueVisit { .. } => {
                let known = match directory.member_by_address(sender)? {
                    Some(member) => directory.find_expected_member_credentials(member)?,
                    None => None,
                };
                (sender, Some(known.unwrap_or_default()))
            }
        };
        let opens = |credentials: &Credentials| {
            club.secret.is_valid_action_token(
                token,
                &token.purpose.signed_token_context(address, credentials.generation),
            )
        };
        Ok(credentials.filter(opens))
    }

    /// Returns the reason to doubt that the member sent a letter with a valid token, if there is
    /// one.
    fn sender_doubt(&self, sender: &str, credentials: &Credentials) -> Option<Message> {
        if self.club.required_proof == SenderProof::Token {
            return None;
        }
        if !credentials.addresses.iter().any(|address| address == sender) {
            return Some(Message::new("doubt-not-the-member").with("sender", sender));
        }
        self.dmarc_doubt(sender)
    }

    /// Returns the reason why DMARC does not prove the sender, if the settings require DMARC.
    fn dmarc_doubt(&self, sender: &str) -> Option<Message> {
        let AdmissionCheck { club, letter, .. } = self;
        if club.required_proof != SenderProof::TokenSenderAndDmarc {
            return None;
        }
        let proof = verify_dmarc(&letter.authentication_results, club.authserv_id, sender);
        proof.err().map(|why| why.to_message())
    }

    /// Decides the role of the sender of a letter whose token is invalid or revoked.
    fn admit_with_invalid_token(&self, address: String) -> Result<AdmissionVerdict, R::Error> {
        Ok(match self.directory.member_by_address(&address)? {
            Some(_) => AdmissionVerdict::BadToken { address },
            None if self.is_moderator_address(&address) => {
                AdmissionVerdict::ModeratorWithoutToken { address }
            }
            None => AdmissionVerdict::Stranger { address },
        })
    }

    fn is_moderator_address(&self, address: &str) -> bool {
        self.club.moderators.iter().any(|one| one.to_lowercase() == address)
    }
}

/// Whether a letter can only stop mail: it has a token to unsubscribe or to refuse mail, and no
/// token of a seat.
fn is_unsubscribe_request(letter: &Letter, club: &str) -> bool {
    let action = ReplyToken::<ReplyAction>::find_in_letter(letter, club).map(|token| token.purpose);
    SeatToken::find_in_letter(letter, club).is_none()
        && matches!(action, Some(ReplyAction::Unsubscribe { .. } | ReplyAction::RefuseMail { .. }))
}

/// Whether an address is the club's address, with or without a reply token. Letters to it are read,
/// and letters from it are ignored.
#[must_use]
pub fn is_club_address(address: &str, club: &str) -> bool {
    let plain = |address: &str| {
        let (local, host) = address.rsplit_once('@')?;
        let local = local.split_once('+').map_or(local, |(name, _)| name);
        Some(canonical_address(&format!("{local}@{host}")))
    };
    plain(address) == plain(club)
}

#[cfg(test)]
mod tests;
