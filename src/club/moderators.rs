//! The moderators that `club.yaml` names.

use super::clock::OwnTime;
use chrono_tz::Tz;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;

/// A person who decides what the program should not decide, and their address.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moderator {
    pub name: String,
    /// The address of notices to the moderator.
    pub address: String,
    /// The zone in which the moderator reads times. UTC if `None`.
    #[serde(default)]
    pub zone: Option<Tz>,
}

impl Moderator {
    /// Returns the moderator's zone as an [`OwnTime`] without vacations.
    pub(crate) fn own_time(&self) -> OwnTime {
        OwnTime { zone: self.zone, ..OwnTime::default() }
    }

    /// Whether this is the moderator's address. Upper and lower case make no difference.
    pub(crate) fn has_address(&self, address: &str) -> bool {
        self.address.eq_ignore_ascii_case(address)
    }
}

/// The club's moderators: at least one. In `club.yaml` they are a section, or a list of sections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moderators {
    /// The moderator whose zone the club uses, and whose address letters show.
    pub first: Moderator,
    pub others: Vec<Moderator>,
}

impl Moderators {
    /// Returns all moderators, in the order of `club.yaml`.
    pub fn iter(&self) -> impl Iterator<Item = &Moderator> {
        std::iter::once(&self.first).chain(&self.others)
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Moderator> {
        std::iter::once(&mut self.first).chain(&mut self.others)
    }

    pub(crate) fn find_by_address(&self, address: &str) -> Option<&Moderator> {
        self.iter().find(|one| one.has_address(address))
    }

    /// Returns a moderator whose address another one has too.
    pub(super) fn find_duplicate(&self) -> Option<&Moderator> {
        let count = |of: &Moderator| self.iter().filter(|one| one.has_address(&of.address)).count();
        self.iter().find(|one| count(one) > 1)
    }

    /// Returns a moderator's text with their name, if the club has several moderators. So its
    /// readers know which of them acted.
    pub(crate) fn sign(&self, by: &Moderator, text: &str) -> String {
        if self.others.is_empty() {
            return text.to_owned();
        }
        format!("{text} - {}", by.name).trim_start().to_owned()
    }
}

impl<'de> Deserialize<'de> for Moderators {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(ModeratorsVisitor)
    }
}

struct ModeratorsVisitor;

impl<'de> Visitor<'de> for ModeratorsVisitor {
    type Value = Moderators;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("struct Moderator")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Moderators, A::Error> {
        let first = Moderator::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Moderators { first, others: Vec::new() })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Moderators, A::Error> {
        let first = list.next_element()?.ok_or_else(|| A::Error::missing_field("address"))?;
        let mut others = Vec::new();
        while let Some(next) = list.next_element()? {
            others.push(next);
        }
        Ok(Moderators { first, others })
    }
}
