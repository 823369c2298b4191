//! Reply tokens: what a letter of ours carries so that its reply names game, seat and position.
//!
//! A token is `12.2.37.` and 26 letters: game, seat, the last record that the letter showed, and an
//! HMAC of these and the seat's generation under the club's secret, cut to 128 bits. It stands in
//! the reply address after a `+`, or in the subject where the club's address takes none.

use super::Letter;
use data_encoding::{Encoding, Specification};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::sync::LazyLock;

/// How many bytes of the HMAC a token keeps.
const SEAL_BYTES: usize = 16;

/// Lower-case base32 without padding; mail systems may change the case of an address.
static BASE32: LazyLock<Encoding> = LazyLock::new(|| {
    let mut specification = Specification::new();
    specification.symbols.push_str("abcdefghijklmnopqrstuvwxyz234567");
    specification.encoding().unwrap_or(data_encoding::BASE32_NOPAD)
});

/// The secret that all tokens of a club are sealed with.
#[derive(Clone)]
pub struct ClubSecret([u8; 32]);

/// What a token names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The game's number.
    pub game: u32,
    /// The seat's number, from 1.
    pub seat: u8,
    /// The last record that the letter showed.
    pub seq: u32,
}

/// A token that was found in a letter; its seal has not been looked at yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it says it is for.
    pub position: Position,
    seal: String,
}

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
    pub fn from_text(text: &str) -> Option<Self> {
        let bytes = data_encoding::HEXLOWER_PERMISSIVE.decode(text.trim().as_bytes()).ok()?;
        Some(Self(bytes.try_into().ok()?))
    }

    /// The secret as its file keeps it.
    pub fn to_text(&self) -> String {
        format!("{}\n", data_encoding::HEXLOWER.encode(&self.0))
    }

    /// The token of a position for the seat's present generation.
    pub fn seal(&self, position: Position, generation: u32) -> Token {
        let mac = self.mac(position, generation).finalize().into_bytes();
        Token { position, seal: BASE32.encode(mac.get(..SEAL_BYTES).unwrap_or(&mac)) }
    }

    /// Whether a token was sealed here for this generation of its seat; takes the same time for any
    /// wrong seal.
    pub fn opens(&self, token: &Token, generation: u32) -> bool {
        BASE32.decode(token.seal.as_bytes()).is_ok_and(|seal| {
            seal.len() == SEAL_BYTES
                && self.mac(token.position, generation).verify_truncated_left(&seal).is_ok()
        })
    }

    fn mac(&self, position: Position, generation: u32) -> Hmac<Sha256> {
        // HMAC takes keys of any length; a slice of 32 bytes is never refused.
        let mut mac =
            Hmac::new_from_slice(&self.0).unwrap_or_else(|_| Hmac::new(&Default::default()));
        let Position { game, seat, seq } = position;
        mac.update(format!("postrider token 1 {game} {seat} {seq} {generation}").as_bytes());
        mac
    }
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Position { game, seat, seq } = self.position;
        write!(f, "{game}.{seat}.{seq}.{}", self.seal)
    }
}

impl std::str::FromStr for Token {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut parts = text.split('.');
        let mut next = || parts.next().ok_or(());
        let position = Position {
            game: next()?.parse().map_err(|_| ())?,
            seat: next()?.parse().map_err(|_| ())?,
            seq: next()?.parse().map_err(|_| ())?,
        };
        let seal = next()?.to_lowercase();
        if parts.next().is_some() { Err(()) } else { Ok(Self { position, seal }) }
    }
}

impl Token {
    /// The address that a reply with this token goes to: `games+TOKEN@host`.
    pub fn reply_address(&self, club: &str) -> String {
        match club.rsplit_once('@') {
            Some((local, host)) => format!("{local}+{self}@{host}"),
            None => club.to_owned(),
        }
    }

    /// The token as a subject carries it.
    pub fn subject_tag(&self) -> String {
        format!("[postrider {self}]")
    }

    /// The token of a letter to this club: in an address that it went to, or else in its subject.
    pub fn find(letter: &Letter, club: &str) -> Option<Self> {
        let (local, host) = club.rsplit_once('@')?;
        let in_address = letter.recipients.iter().find_map(|address| {
            let (to, at) = address.rsplit_once('@')?;
            let (name, tag) = to.split_once('+')?;
            (name.eq_ignore_ascii_case(local) && at.eq_ignore_ascii_case(host))
                .then(|| tag.parse().ok())?
        });
        in_address.or_else(|| {
            let (_, rest) = letter.subject.rsplit_once("[postrider ")?;
            rest.split_once(']')?.0.trim().parse().ok()
        })
    }

    /// The first tokens, at most so many, that stand anywhere in a text: in addresses of this club
    /// or as subjects carry them.
    pub fn all_in(text: &str, club: &str, most: usize) -> Vec<Self> {
        let Some((local, host)) = club.rsplit_once('@') else { return Vec::new() };
        let in_address = |word: &str| -> Option<Self> {
            let (to, at) = word.trim_matches('.').rsplit_once('@')?;
            let (name, tag) = to.split_once('+')?;
            let ours = name.eq_ignore_ascii_case(local) && at.eq_ignore_ascii_case(host);
            ours.then(|| tag.parse().ok())?
        };
        let part = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.@".contains(c);
        let words = text.split(|c: char| !part(c)).filter_map(in_address);
        let tags = text.split("[postrider").skip(1);
        let tags = tags.filter_map(|rest| rest.split_once(']')?.0.trim().parse().ok());
        words.chain(tags).take(most).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POSITION: Position = Position { game: 12, seat: 2, seq: 37 };

    fn secret() -> ClubSecret {
        ClubSecret::new([7; 32])
    }

    #[test]
    fn a_token_opens_for_its_own_position_and_generation_only() {
        let token = secret().seal(POSITION, 1);
        let read: Token = token.to_string().to_uppercase().parse().expect("it is a token");
        assert!(secret().opens(&read, 1));
        assert!(!secret().opens(&read, 2));
        assert!(!ClubSecret::new([8; 32]).opens(&read, 1));
        for position in [
            Position { game: 13, ..POSITION },
            Position { seat: 1, ..POSITION },
            Position { seq: 38, ..POSITION },
        ] {
            assert!(!secret().opens(&Token { position, ..read.clone() }, 1), "{position:?}");
        }
    }

    #[test]
    fn a_short_seal_opens_nothing() {
        let token = secret().seal(POSITION, 1);
        for seal in ["", "aa", token.seal.get(..24).unwrap_or_default()] {
            assert!(!secret().opens(&Token { seal: seal.to_owned(), ..token.clone() }, 1));
        }
    }

    #[test]
    fn an_address_with_a_token_is_one_that_mail_servers_take() {
        let position = Position { game: u32::MAX, seat: u8::MAX, seq: u32::MAX };
        let address = secret().seal(position, 1).reply_address("games@example.org");
        let (local, _) = address.rsplit_once('@').expect("it is an address");
        assert!(local.len() <= 64, "{address}");
    }

    #[test]
    fn the_secret_comes_back_from_its_file() {
        let again = ClubSecret::from_text(&secret().to_text()).expect("it is a secret");
        assert!(again.opens(&secret().seal(POSITION, 3), 3));
        assert!(ClubSecret::from_text("abc").is_none());
    }
}
