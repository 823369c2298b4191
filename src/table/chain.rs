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
    keyed: Hmac<Sha256>,
}

impl Chain {
    /// The chain of a game: its key is the HMAC-SHA256 of `postrider chain 1` under the seed.
    pub(crate) fn new(founding: &Founding) -> Self {
        let key = mac(founding.seed.bytes(), b"postrider chain 1");
        // HMAC takes keys of any length; a slice of 32 bytes is never refused.
        let keyed = Hmac::new_from_slice(&key).unwrap_or_else(|_| Hmac::new(&Default::default()));
        Self { keyed }
    }

    /// The link before the first record: the founding's line under the chain's key.
    pub(crate) fn genesis(&self, founding: &Founding) -> Hash {
        let mut keyed = self.keyed.clone();
        keyed.update(founding.line().as_bytes());
        Hash(data_encoding::HEXLOWER.encode(&keyed.finalize().into_bytes()))
    }

    /// The next link: the last one, a line feed, and the record as compact JSON without its hash.
    pub(crate) fn link(&self, before: &Hash, record: &[u8]) -> Hash {
        let mut keyed = self.keyed.clone();
        keyed.update(before.0.as_bytes());
        keyed.update(b"\n");
        keyed.update(record);
        Hash(data_encoding::HEXLOWER.encode(&keyed.finalize().into_bytes()))
    }

    /// A number, each as likely as any other, that follows from the game's secret and this text; it
    /// is none of the game's dice.
    pub(crate) fn draw(&self, what: &str) -> u32 {
        let mut keyed = self.keyed.clone();
        keyed.update(b"draw\n");
        keyed.update(what.as_bytes());
        let bytes = keyed.finalize().into_bytes();
        bytes.first_chunk().map_or(0, |first| u32::from_be_bytes(*first))
    }

    /// What the first letter says of the seed: its SHA-256, as hexadecimal digits.
    pub(crate) fn commitment(seed: &Seed) -> String {
        data_encoding::HEXLOWER.encode(&Sha256::digest(seed.bytes()))
    }
}

fn mac(key: &[u8; 32], text: &[u8]) -> Vec<u8> {
    Hmac::<Sha256>::new_from_slice(key)
        .map(|mut keyed| {
            keyed.update(text);
            keyed.finalize().into_bytes().to_vec()
        })
        .unwrap_or_default()
}
