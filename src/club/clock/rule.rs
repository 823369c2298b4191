//! The rules of a clock that can be set while a game runs, one by one.
//!
//! Pure. Knows no game; whose hand sets them is none of its business.

use super::{ClockRules, Deadline, Length, Nmr};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A rule of a game's clock with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockRule {
    /// When orders are due.
    Deadline(Deadline),
    /// What happens when no orders have come.
    Nmr(Nmr),
    /// How long after the deadline orders still cost nothing.
    Grace(Option<Length>),
    /// How much later a player may be in all turns together.
    Bank(Option<Length>),
}

/// As it is written in a letter.
impl fmt::Display for ClockRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = |f: &mut fmt::Formatter<'_>, rule, length: &Option<Length>| match length {
            Some(length) => write!(f, "{rule} {length}"),
            None => write!(f, "{rule} none"),
        };
        match self {
            Self::Deadline(deadline) => write!(f, "deadline {deadline}"),
            Self::Nmr(nmr) => write!(f, "nmr {nmr}"),
            Self::Grace(grace) => length(f, "grace", grace),
            Self::Bank(bank) => length(f, "bank", bank),
        }
    }
}

impl ClockRule {
    /// The usual rules with these; none where neither says when orders are due.
    pub(crate) fn upon(rules: &[Self], usual: Option<ClockRules>) -> Option<ClockRules> {
        let deadline = rules.iter().find_map(|rule| match rule {
            Self::Deadline(deadline) => Some(deadline.clone()),
            _ => None,
        });
        let mut all = usual.or_else(|| deadline.map(ClockRules::of))?;
        for rule in rules.iter().cloned() {
            match rule {
                Self::Deadline(deadline) => all.deadline = deadline,
                Self::Nmr(nmr) => all.nmr = nmr,
                Self::Grace(grace) => all.grace = grace,
                Self::Bank(bank) => all.bank = bank,
            }
        }
        Some(all)
    }

    /// What rules say of all that can be set; what they do not grant is left out.
    pub(crate) fn all_of(rules: &ClockRules) -> Vec<Self> {
        let ClockRules { deadline, nmr, grace, bank, .. } = rules;
        let due = [Self::Deadline(deadline.clone()), Self::Nmr(*nmr)];
        let grace = grace.map(|grace| Self::Grace(Some(grace)));
        let bank = bank.map(|bank| Self::Bank(Some(bank)));
        due.into_iter().chain(grace).chain(bank).collect()
    }
}
