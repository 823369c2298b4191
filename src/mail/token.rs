//! Tokens: what a letter of ours carries so that its reply says what it is for, and proves it.
//!
//! A token is what it is for and 26 letters: an HMAC under the club's secret, cut to 128 bits. Of a
//! letter about a game it names game, seat and the last record that the letter showed, `12.2.37`,
//! and is sealed with the seat's generation; of any other letter it names an [`ReplyAction`]. It
//! stands in the reply address after a `+`, or in the subject where the club's address takes none.

use super::{Letter, ReplyAction};
use data_encoding::{Encoding, Specification};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::fmt::Display;
use std::str::FromStr;
use std::sync::LazyLock;

/// How many bytes of the HMAC a token keeps.
const SIGNATURE_BYTES: usize = 16;
/// The number of bytes of the HMAC in the tag of a Message-ID.
const ID_TAG_BYTES: usize = 10;

/// Lower-case base32 without padding; mail systems may change the case of an address.
static BASE32: LazyLock<Encoding> = LazyLock::new(|| {
    let mut specification = Specification::new();
    specification.symbols.push_str("abcdefghijklmnopqrstuvwxyz234567");
    specification.encoding().unwrap_or(data_encoding::BASE32_NOPAD)
});

/// The secret that all tokens of a club are sealed with.
#[derive(Clone)]
pub struct ClubSecret([u8; 32]);

/// The place in a game that a letter showed to a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenPosition {
    /// The game's number.
    pub game: u32,
    /// The seat's number, from 1.
    pub seat: u8,
    /// The last record that the letter showed.
    pub seq: u32,
}

/// How often what speaks for somebody was made void: a mark is sealed with the numbers of its day,
/// and once one of them is raised it opens nothing any more. Marks from before there were such
/// numbers are those of generation 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TokenGeneration {
    /// Marks of the seat; a seat begins with 1.
    pub seat: u32,
    /// All marks of who sits there, or speaks.
    pub member: u32,
    /// Questions whether an address is his: any change of his addresses settles them.
    pub address_changes: u32,
}

impl From<u32> for TokenGeneration {
    /// A seat's, for somebody whose own marks were never made void.
    fn from(seat: u32) -> Self {
        Self { seat, ..Self::default() }
    }
}

/// A token that was found in a letter; its seal has not been looked at yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyToken<T> {
    /// What it says it is for.
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
    /// The secret from its 32 bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The secret from its file's text: 64 hexadecimal digits.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let bytes = data_encoding::HEXLOWER_PERMISSIVE.decode(text.trim().as_bytes()).ok()?;
        Some(Self(bytes.try_into().ok()?))
    }

    /// The secret as its file keeps it.
    pub(crate) fn to_text(&self) -> String {
        format!("{}\n", data_encoding::HEXLOWER.encode(&self.0))
    }

    /// The token of a position for the seat's present generation.
    pub fn sign_position(
        &self,
        position: TokenPosition,
        generation: impl Into<TokenGeneration>,
    ) -> SeatToken {
        self.sign(position, &seat_token_text(position, generation.into()))
    }

    /// Whether a token was sealed here for this generation of its seat; takes the same time for any
    /// wrong seal.
    pub(crate) fn is_valid_seat_token(
        &self,
        token: &SeatToken,
        generation: impl Into<TokenGeneration>,
    ) -> bool {
        self.has_valid_signature(token, &seat_token_text(token.purpose, generation.into()))
    }

    /// The token of a reply action that is bound to this: see [`ReplyAction::bond`].
    pub(crate) fn sign_action(
        &self,
        action: ReplyAction,
        bound_to: &str,
    ) -> ReplyToken<ReplyAction> {
        self.sign(action, &action_token_text(action, bound_to))
    }

    /// Whether a token was sealed here for this reply action and is bound to this; takes the same
    /// time for any wrong seal.
    pub(crate) fn is_valid_action_token(
        &self,
        token: &ReplyToken<ReplyAction>,
        bound_to: &str,
    ) -> bool {
        self.has_valid_signature(token, &action_token_text(token.purpose, bound_to))
    }

    /// The secret of a game that is founded in a pass: nobody without the club's secret can tell
    /// it, and it tells nothing of that.
    pub(crate) fn game_seed(&self, game: u32, founded_at: i64) -> [u8; 32] {
        self.mac(&format!("postrider seed 1 {game} {founded_at}")).finalize().into_bytes().into()
    }

    /// By what a club is known again that has the same secret; tells nothing of that.
    #[cfg(feature = "postgres")]
    pub(crate) fn fingerprint(&self) -> Vec<u8> {
        let mac = self.mac("postrider fingerprint 1").finalize().into_bytes();
        mac.get(..SIGNATURE_BYTES).unwrap_or(&mac).to_vec()
    }

    /// The 16 characters (80 bits) that tell an id of this club's letters, lists and calendar
    /// entries from the same one of another club on the same host. Nobody can guess them without
    /// the club's secret, and the same `name` always has the same ones.
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
        // HMAC takes keys of any length; a slice of 32 bytes is never refused.
        let mut mac =
            Hmac::new_from_slice(&self.0).unwrap_or_else(|_| Hmac::new(&Default::default()));
        mac.update(text.as_bytes());
        mac
    }
}

fn seat_token_text(
    TokenPosition { game, seat, seq }: TokenPosition,
    generation: TokenGeneration,
) -> String {
    let of_seat = format!("postrider token 1 {game} {seat} {seq} {}", generation.seat);
    match generation.member {
        0 => of_seat,
        member => format!("{of_seat} {member}"),
    }
}

fn action_token_text(action: ReplyAction, bound_to: &str) -> String {
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
    /// The address that a reply with this token goes to: `games+TOKEN@host`.
    pub fn reply_address(&self, club: &str) -> String {
        match club.rsplit_once('@') {
            Some((local, host)) => format!("{local}+{self}@{host}"),
            None => club.to_owned(),
        }
    }

    /// The token as a subject carries it.
    pub(crate) fn subject_tag(&self) -> String {
        format!("[postrider {self}]")
    }

    /// The token of a letter to this club: in an address that it went to, or else in its subject.
    pub(crate) fn find_in_letter(letter: &Letter, club: &str) -> Option<Self> {
        Self::find_in_headers(&letter.recipients, &letter.subject, club)
    }

    /// The same of a letter that went to these and has this subject.
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
        let token = secret().sign_position(POSITION, 1);
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
        let token = secret().sign_position(POSITION, 1);
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
        let address = secret().sign_position(position, 1).reply_address("games@example.org");
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
        assert!(again.is_valid_seat_token(&secret().sign_position(POSITION, 3), 3));
        assert!(ClubSecret::from_text("abc").is_none());
    }
}
