//! The hash chain of a log.
//!
//! It is an HMAC with a key from the game's secret seed. Its head appears in every letter, and with
//! a plain hash a player could guess the deal and check the guess. When the game is over, the seed
//! is published, and everybody can check the chain.

use super::Founding;
use crate::rules::Seed;
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;

/// A link of the chain: 64 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Hash(String);

impl Hash {
    /// Returns the first 12 digits, enough to compare two letters by eye.
    pub(crate) fn short(&self) -> &str {
        self.0.get(..12).unwrap_or(&self.0)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The hash chain of one game, which computes its links.
#[derive(Clone)]
pub(crate) struct Chain {
    hmac: Hmac<Sha256>,
}

impl Chain {
    /// Creates the chain of a game. Its key is the HMAC-SHA256 of `postrider chain 1` with the seed
    /// as key.
    pub(crate) fn new(founding: &Founding) -> Self {
        let key = Self::with_key(founding.seed.as_bytes()).mac(&[b"postrider chain 1"]);
        Self::with_key(&key)
    }

    fn with_key(key: &[u8]) -> Self {
        // HMAC accepts keys of any length, so 32 bytes never fail.
        let keyed = Hmac::new_from_slice(key).unwrap_or_else(|_| Hmac::new(&Default::default()));
        Self { hmac: keyed }
    }

    /// Returns the HMAC of the concatenated parts, with the chain's key.
    fn mac(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut keyed = self.hmac.clone();
        parts.iter().for_each(|part| keyed.update(part));
        keyed.finalize().into_bytes().into()
    }

    /// Returns the link before the first record: the HMAC of the founding's line.
    pub(crate) fn genesis(&self, founding: &Founding) -> Hash {
        Hash(data_encoding::HEXLOWER.encode(&self.mac(&[founding.to_line().as_bytes()])))
    }

    /// Returns the next link: the HMAC of the last link, a line feed, and the record as compact
    /// JSON without its hash.
    pub(crate) fn next_link(&self, before: &Hash, record: &[u8]) -> Hash {
        Hash(data_encoding::HEXLOWER.encode(&self.mac(&[before.0.as_bytes(), b"\n", record])))
    }

    /// Returns a uniformly distributed number, derived from the game's secret and a text. It uses
    /// none of the game's dice.
    pub(crate) fn derive_number(&self, what: &str) -> u32 {
        let [a, b, c, d, ..] = self.mac(&[b"draw\n", what.as_bytes()]);
        u32::from_be_bytes([a, b, c, d])
    }

    /// Returns a seed that is derived from the game's secret and a text. It uses none of the game's
    /// dice.
    pub(crate) fn derive_seed(&self, what: &str) -> Seed {
        Seed::new(self.mac(&[b"seed\n", what.as_bytes()]))
    }

    /// Returns the commitment to the seed that the first letter shows: its SHA-256 in hexadecimal
    /// digits.
    pub(crate) fn seed_commitment(seed: &Seed) -> String {
        data_encoding::HEXLOWER.encode(&Sha256::digest(seed.as_bytes()))
    }
}
