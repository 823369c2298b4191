//! The hash chain of a log.
//!
//! It is an HMAC keyed from the game's secret seed: its head stands in every letter, and the deal
//! could be guessed through a plain hash. Once the seed is revealed anyone can check the chain.

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
    /// The first digits, enough to compare two letters by eye.
    pub(crate) fn short(&self) -> &str {
        self.0.get(..12).unwrap_or(&self.0)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Makes the links of one game's chain.
#[derive(Clone)]
pub(crate) struct Chain {
    hmac: Hmac<Sha256>,
}

impl Chain {
    /// The chain of a game: its key is the HMAC-SHA256 of `postrider chain 1` under the seed.
    pub(crate) fn new(founding: &Founding) -> Self {
        let key = Self::with_key(founding.seed.as_bytes()).mac(&[b"postrider chain 1"]);
        Self::with_key(&key)
    }

    fn with_key(key: &[u8]) -> Self {
        // HMAC takes keys of any length; a slice of 32 bytes is never refused.
        let keyed = Hmac::new_from_slice(key).unwrap_or_else(|_| Hmac::new(&Default::default()));
        Self { hmac: keyed }
    }

    /// Returns the HMAC of these parts, one after the other, under the chain's key.
    fn mac(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut keyed = self.hmac.clone();
        parts.iter().for_each(|part| keyed.update(part));
        keyed.finalize().into_bytes().into()
    }

    /// The link before the first record: the founding's line under the chain's key.
    pub(crate) fn genesis(&self, founding: &Founding) -> Hash {
        Hash(data_encoding::HEXLOWER.encode(&self.mac(&[founding.to_line().as_bytes()])))
    }

    /// The next link: the last one, a line feed, and the record as compact JSON without its hash.
    pub(crate) fn next_link(&self, before: &Hash, record: &[u8]) -> Hash {
        Hash(data_encoding::HEXLOWER.encode(&self.mac(&[before.0.as_bytes(), b"\n", record])))
    }

    /// Returns a uniformly distributed number that follows from the game's secret and this text. It
    /// is none of the game's dice.
    pub(crate) fn derive_number(&self, what: &str) -> u32 {
        let [a, b, c, d, ..] = self.mac(&[b"draw\n", what.as_bytes()]);
        u32::from_be_bytes([a, b, c, d])
    }

    /// What the first letter says of the seed: its SHA-256, as hexadecimal digits.
    pub(crate) fn seed_commitment(seed: &Seed) -> String {
        data_encoding::HEXLOWER.encode(&Sha256::digest(seed.as_bytes()))
    }
}
