//! Reply tokens: short signed texts in the club's letters. A reply contains the token of the
//! answered letter. The token names the purpose of the reply, and proves that its sender has read
//! the letter.
//!
//! A token consists of its purpose and 26 characters: an HMAC with the club's secret, cut to 128
//! bits. In a letter about a game, the purpose is game, seat and last record shown (`12.2.37`), and
//! the signature also covers the generation of the seat. In other letters, the purpose is a
//! [`ReplyAction`]. The token is in the reply address after a `+`, or in the subject if the club's
//! mail server does not accept `+` addresses.

use super::{Letter, ReplyAction};
use data_encoding::{Encoding, Specification};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::fmt::Display;
use std::str::FromStr;
use std::sync::LazyLock;

/// The number of bytes of the HMAC in a token.
const SIGNATURE_BYTES: usize = 16;
/// The number of bytes of the HMAC in the tag of a Message-ID.
const ID_TAG_BYTES: usize = 10;

/// Lower-case base32 without padding. Mail systems may change the case of an address, so case must
/// not matter.
static BASE32: LazyLock<Encoding> = LazyLock::new(|| {
    let mut specification = Specification::new();
    specification.symbols.push_str("abcdefghijklmnopqrstuvwxyz234567");
    specification.encoding().unwrap_or(data_encoding::BASE32_NOPAD)
});

/// The secret key with which the tokens of a club are signed.
#[derive(Clone)]
pub struct ClubSecret([u8; 32]);

/// The position of a game that a letter showed to a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenPosition {
    pub game: u32,
    /// The seat's number, from 1.
    pub seat: u8,
    /// The number of the last record that the letter showed.
    pub seq: u32,
}

/// The number of times that tokens were revoked. A token's signature covers these numbers, so
/// raising one revokes all tokens that were signed with the old number. Tokens from before these
/// numbers existed have generation 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TokenGeneration {
    /// The generation of the seat's tokens. A seat begins with 1.
    pub seat: u32,
    /// The generation of all tokens of the member or the moderator.
    pub member: u32,
    /// The number of changes of the member's addresses. A change revokes the tokens with which
    /// addresses are confirmed.
    pub address_changes: u32,
}

impl From<u32> for TokenGeneration {
    /// Returns the generation of a seat whose member has never revoked tokens.
    fn from(seat: u32) -> Self {
        Self { seat, ..Self::default() }
    }
}

/// A token that was found in a letter. Its signature is not verified yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyToken<T> {
    /// The purpose that the token claims.
    pub purpose: T,
    signature: String,
}

/// The token of a letter about a game.
pub type SeatToken = ReplyToken<TokenPosition>;

impl std::fmt::Debug for ClubSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ClubSecret(secret)")
    }
}

impl ClubSecret {
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Parses the text of the secret's file: 64 hexadecimal digits.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let bytes = data_encoding::HEXLOWER_PERMISSIVE.decode(text.trim().as_bytes()).ok()?;
        Some(Self(bytes.try_into().ok()?))
    }

    pub(crate) fn to_text(&self) -> String {
        format!("{}\n", data_encoding::HEXLOWER.encode(&self.0))
    }

    /// Returns the token for a position. `generation` is the seat's current one.
    pub fn sign_seat_token(
        &self,
        position: TokenPosition,
        generation: impl Into<TokenGeneration>,
    ) -> SeatToken {
        self.sign(position, &signed_seat_token_text(position, generation.into()))
    }

    /// Whether a token was signed with this secret for this generation of its seat. The comparison
    /// takes constant time.
    pub(crate) fn is_valid_seat_token(
        &self,
        token: &SeatToken,
        generation: impl Into<TokenGeneration>,
    ) -> bool {
        self.has_valid_signature(token, &signed_seat_token_text(token.purpose, generation.into()))
    }

    /// Returns the token for a reply action. `bound_to` is from
    /// [`ReplyAction::signed_token_context`].
    pub(crate) fn sign_action(
        &self,
        action: ReplyAction,
        bound_to: &str,
    ) -> ReplyToken<ReplyAction> {
        self.sign(action, &signed_action_token_text(action, bound_to))
    }

    /// Whether a token was signed with this secret for its reply action and this binding. The
    /// comparison takes constant time.
    pub(crate) fn is_valid_action_token(
        &self,
        token: &ReplyToken<ReplyAction>,
        bound_to: &str,
    ) -> bool {
        self.has_valid_signature(token, &signed_action_token_text(token.purpose, bound_to))
    }

    /// Derives the secret random seed of a new game. It cannot be computed without the club's
    /// secret, and does not reveal that secret.
    pub(crate) fn game_seed(&self, game: u32, founded_at: i64) -> [u8; 32] {
        self.mac(&format!("postrider seed 1 {game} {founded_at}")).finalize().into_bytes().into()
    }

    /// Returns an identifier of the club's secret that does not reveal it. Used to check that a
    /// database belongs to the club.
    #[cfg(feature = "postgres")]
    pub(crate) fn fingerprint(&self) -> Vec<u8> {
        let mac = self.mac("postrider fingerprint 1").finalize().into_bytes();
        mac.get(..SIGNATURE_BYTES).unwrap_or(&mac).to_vec()
    }

    /// Returns a tag of 16 characters (80 bits) for the ID of a letter, list or calendar entry. It
    /// distinguishes IDs of several clubs on one host, and cannot be guessed without the secret.
    /// One `name` always has one tag.
    pub fn id_tag(&self, name: &str) -> String {
        let mac = self.mac(&format!("postrider id 1 {name}")).finalize().into_bytes();
        BASE32.encode(mac.get(..ID_TAG_BYTES).unwrap_or(&mac))
    }

    fn sign<T>(&self, what: T, text: &str) -> ReplyToken<T> {
        let mac = self.mac(text).finalize().into_bytes();
        ReplyToken {
            purpose: what,
            signature: BASE32.encode(mac.get(..SIGNATURE_BYTES).unwrap_or(&mac)),
        }
    }

    fn has_valid_signature<T>(&self, token: &ReplyToken<T>, text: &str) -> bool {
        BASE32.decode(token.signature.as_bytes()).is_ok_and(|seal| {
            seal.len() == SIGNATURE_BYTES && self.mac(text).verify_truncated_left(&seal).is_ok()
        })
    }

    pub(super) fn mac(&self, text: &str) -> Hmac<Sha256> {
        // HMAC accepts keys of any length, so this never fails.
        let mut mac =
            Hmac::new_from_slice(&self.0).unwrap_or_else(|_| Hmac::new(&Default::default()));
        mac.update(text.as_bytes());
        mac
    }
}

fn signed_seat_token_text(
    TokenPosition { game, seat, seq }: TokenPosition,
    generation: TokenGeneration,
) -> String {
    let of_seat = format!("postrider token 1 {game} {seat} {seq} {}", generation.seat);
    match generation.member {
        0 => of_seat,
        member => format!("{of_seat} {member}"),
    }
}

fn signed_action_token_text(action: ReplyAction, bound_to: &str) -> String {
    format!("postrider errand 1 {action} {bound_to}")
}

impl Display for TokenPosition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { game, seat, seq } = self;
        write!(f, "{game}.{seat}.{seq}")
    }
}

impl FromStr for TokenPosition {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let parts: Vec<&str> = text.split('.').collect();
        let [game, seat, seq] = parts[..] else { return Err(()) };
        let numbers = (game.parse(), seat.parse(), seq.parse());
        let (Ok(game), Ok(seat), Ok(seq)) = numbers else { return Err(()) };
        Ok(Self { game, seat, seq })
    }
}

impl<T: Display> Display for ReplyToken<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.purpose, self.signature)
    }
}

impl<T: FromStr> FromStr for ReplyToken<T> {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (what, seal) = text.rsplit_once('.').ok_or(())?;
        Ok(Self { purpose: what.parse().map_err(|_| ())?, signature: seal.to_lowercase() })
    }
}

impl<T: Display + FromStr> ReplyToken<T> {
    /// Returns the reply address that contains this token: `games+TOKEN@host`.
    pub fn reply_address(&self, club: &str) -> String {
        match club.rsplit_once('@') {
            Some((local, host)) => format!("{local}+{self}@{host}"),
            None => club.to_owned(),
        }
    }

    /// Returns the token in the form for a subject: `[postrider TOKEN]`.
    pub(crate) fn subject_tag(&self) -> String {
        format!("[postrider {self}]")
    }

    /// Finds the token of a letter to the club's address `club`: in a recipient address, or else in
    /// the subject.
    pub(crate) fn find_in_letter(letter: &Letter, club: &str) -> Option<Self> {
        Self::find_in_headers(&letter.recipients, &letter.subject, club)
    }

    /// Like [`find_in_letter`](Self::find_in_letter), for the recipients and subject of a letter.
    pub(crate) fn find_in_headers(
        recipients: &[String],
        subject: &str,
        club: &str,
    ) -> Option<Self> {
        let (local, host) = club.rsplit_once('@')?;
        let in_address = recipients.iter().find_map(|address| {
            let (to, at) = address.rsplit_once('@')?;
            let (name, tag) = to.split_once('+')?;
            (name.eq_ignore_ascii_case(local) && at.eq_ignore_ascii_case(host))
                .then(|| tag.parse().ok())?
        });
        in_address.or_else(|| {
            let (_, rest) = subject.rsplit_once("[postrider ")?;
            rest.split_once(']')?.0.trim().parse().ok()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::mask_tokens;

    const POSITION: TokenPosition = TokenPosition { game: 12, seat: 2, seq: 37 };

    fn secret() -> ClubSecret {
        ClubSecret::new([7; 32])
    }

    #[test]
    fn seat_token_opens_for_its_position_and_generation() {
        let token = secret().sign_seat_token(POSITION, 1);
        let read: SeatToken = token.to_string().to_uppercase().parse().expect("it is a token");
        assert!(secret().is_valid_seat_token(&read, 1));
        assert!(!secret().is_valid_seat_token(&read, 2));
        assert!(!secret().is_valid_seat_token(&read, TokenGeneration { member: 1, ..1.into() }));
        assert!(!ClubSecret::new([8; 32]).is_valid_seat_token(&read, 1));
        for position in [
            TokenPosition { game: 13, ..POSITION },
            TokenPosition { seat: 1, ..POSITION },
            TokenPosition { seq: 38, ..POSITION },
        ] {
            assert!(
                !secret().is_valid_seat_token(&SeatToken { purpose: position, ..read.clone() }, 1),
                "{position:?}"
            );
        }
    }

    #[test]
    fn short_signature_is_invalid() {
        let token = secret().sign_seat_token(POSITION, 1);
        for seal in ["", "aa", token.signature.get(..24).unwrap_or_default()] {
            assert!(!secret().is_valid_seat_token(
                &SeatToken { signature: seal.to_owned(), ..token.clone() },
                1
            ));
        }
    }

    #[test]
    fn reply_address_fits_mail_servers() {
        let position = TokenPosition { game: u32::MAX, seat: u8::MAX, seq: u32::MAX };
        let address = secret().sign_seat_token(position, 1).reply_address("games@example.org");
        let (local, _) = address.rsplit_once('@').expect("it is an address");
        assert!(local.len() <= 64, "{address}");
    }

    #[test]
    fn id_tag_depends_on_secret_and_name() {
        let tag = secret().id_tag("g1.s1.r1");
        assert_eq!((tag.len(), &tag), (16, &secret().id_tag("g1.s1.r1")));
        assert_ne!(tag, secret().id_tag("g1.s1.r2"));
        assert_ne!(tag, ClubSecret::new([8; 32]).id_tag("g1.s1.r1"));
        let id = format!("g1.s1.r1.{tag}@example.org");
        assert_eq!(mask_tokens(&id), id, "an id is no reply token");
    }

    #[test]
    fn club_secret_survives_text_round_trip() {
        let again = ClubSecret::from_text(&secret().to_text()).expect("it is a secret");
        assert!(again.is_valid_seat_token(&secret().sign_seat_token(POSITION, 3), 3));
        assert!(ClubSecret::from_text("abc").is_none());
    }
}
