//! How long players have, in their own zones, and what happens when nothing comes.
//!
//! Pure: every moment comes in as an argument. [`ClockRules`] are what a moderator decides,
//! [`GameClock`] is one game's clock as it stands, [`OwnTime`] a member's zone and vacations.
//! Nothing here knows letters, a store or the rules of any game.

mod clock_change;
mod clock_wording;
mod deadline;
mod game_clock;
mod heartbeat;
mod length;
mod own_time;
#[cfg(test)]
mod tests;

pub use clock_wording::{
    describe_date, describe_day, describe_duration, describe_moment, describe_moment_briefly,
};
pub use deadline::{Deadline, parse_zone};
pub use game_clock::{ClockEvent, GameClock, OutageExtension, Wait};
pub use heartbeat::{Heartbeat, Outage};
pub use length::{Length, NoPlayDay, QuietHours, ReminderTime};
pub(crate) use own_time::local_to_utc;
pub use own_time::{OwnTime, OwnTimeBySeat, Vacation, VacationError};

use chrono::Weekday;
use serde::de::value::{self, StrDeserializer};
use serde::{Deserialize, Serialize};

/// How a game's time is kept: the section `clock` of club.yaml.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockRules {
    /// When a turn's orders are due.
    pub deadline: Deadline,
    /// How long after the deadline orders still cost nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grace: Option<Length>,
    /// How much later a seat may be in all of a game's turns together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bank: Option<Length>,
    /// Days of the week, and dates, on which nobody's time runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub no_play_days: Vec<NoPlayDay>,
    /// When, by the player's own clock, no deadline falls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quiet_hours: Option<QuietHours>,
    /// When a player is reminded.
    #[serde(default = "half_and_a_day")]
    pub reminders: Vec<ReminderTime>,
    /// What happens when no orders have come.
    #[serde(default)]
    pub nmr: NmrRule,
    /// After how many turns that a seat has missed in a row it is open to a substitute; 0 is never.
    /// A seat that is played for until somebody takes it over is `nmr: forfeit` with this; with
    /// `nmr: wait` a turn is missed once, so 1 is what makes sense.
    #[serde(default, skip_serializing_if = "is_default")]
    #[serde(rename = "open_after")]
    pub open_after_misses: u32,
    /// Whether a game waits for a player on vacation.
    #[serde(default)]
    pub vacation: VacationRule,
    /// How many days of a year a member may be on vacation; the club's own figure counts.
    #[serde(default = "six_weeks")]
    pub vacation_days_per_year: u32,
}

/// What happens when no orders have come ("no move received").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NmrRule {
    /// The game waits on; the player and the moderator are told.
    #[default]
    Wait,
    /// What the game has for an absent player is done.
    Forfeit,
    /// Whoever waits for a seat, or else joins, plays until the absent player is back.
    #[serde(rename = "stand-in")]
    StandIn,
}

/// Writes the word that settings and letters have for it.
impl std::fmt::Display for NmrRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.serialize(f)
    }
}

/// Whether a game waits for a player on vacation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VacationRule {
    /// The player's time stands still.
    #[default]
    Pause,
    /// The clock runs.
    PlayOn,
}

/// What is wrong with the words for a clock.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClockError {
    /// No length of time.
    #[error("{0:?} is no length of time up to a year; write 3 days, 72 hours or 2 weeks")]
    Length(String),
    /// What was written is no deadline: what it says.
    #[error("{0:?} is no deadline; write 3 days, 72 hours or Mon,Thu 20:00 Europe/Madrid")]
    Deadline(String),
    /// It names no time zone that is known.
    #[error("{0:?} is no time zone; write one like Europe/Madrid or America/New_York")]
    Zone(String),
    /// It is no day of the week and no date.
    #[error("{0:?} is no day; write Mon to Sun, or a date like 2026-12-25")]
    Day(String),
    /// No quiet hours.
    #[error("{0:?} are no quiet hours; write 22:00-08:00")]
    Quiet(String),
    /// No day of the week is left on which time runs.
    #[error("no_play_days leave no day of the week on which to play")]
    NoPlayDayLeft,
    /// No way to treat an absent player.
    #[error(
        "{0:?} is nothing that can be done about absent players; write wait, forfeit or stand-in"
    )]
    Nmr(String),
}

fn half_and_a_day() -> Vec<ReminderTime> {
    vec![ReminderTime::Half, ReminderTime::Left(Length::Days(1))]
}

/// Whether a value is the one that is left out when it is stored.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn six_weeks() -> u32 {
    ClockRules::VACATION_DAYS_DEFAULT
}

impl ClockRules {
    /// How many days of a year a member may be on vacation where the club says nothing.
    pub const VACATION_DAYS_DEFAULT: u32 = 42;

    /// Rules with this deadline and the usual rest.
    pub fn with_deadline(deadline: Deadline) -> Self {
        Self {
            deadline,
            grace: None,
            bank: None,
            no_play_days: Vec::new(),
            quiet_hours: None,
            reminders: half_and_a_day(),
            nmr: NmrRule::Wait,
            open_after_misses: 0,
            vacation: VacationRule::Pause,
            vacation_days_per_year: six_weeks(),
        }
    }

    /// Whether both rules give the same deadlines.
    pub(super) fn has_same_deadlines_as(&self, other: &Self) -> bool {
        let Self { deadline, no_play_days, quiet_hours, vacation, .. } = other;
        (&self.deadline, &self.no_play_days) == (deadline, no_play_days)
            && (&self.quiet_hours, &self.vacation) == (quiet_hours, vacation)
    }

    /// Checks that the rules leave a day of the week to play on.
    ///
    /// # Errors
    /// If they leave none.
    pub fn check_play_days(&self) -> Result<(), ClockError> {
        let is_blocked = |day: Weekday| self.is_no_play_weekday(day);
        let all_blocked = match &self.deadline {
            Deadline::After(_) => (0..7_u8).flat_map(Weekday::try_from).all(is_blocked),
            Deadline::Weekly { days, .. } => days.iter().copied().all(is_blocked),
        };
        if all_blocked { Err(ClockError::NoPlayDayLeft) } else { Ok(()) }
    }
}

impl std::str::FromStr for NmrRule {
    type Err = ClockError;

    fn from_str(text: &str) -> Result<Self, ClockError> {
        let word = text.trim().to_lowercase().replace("standin", "stand-in");
        Self::deserialize(StrDeserializer::<value::Error>::new(&word))
            .map_err(|_| ClockError::Nmr(text.to_owned()))
    }
}

/// A rule of a game's clock with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockRule {
    /// When orders are due.
    Deadline(Deadline),
    /// What happens when no orders have come.
    Nmr(NmrRule),
    /// How long after the deadline orders still cost nothing.
    Grace(Option<Length>),
    /// How much later a player may be in all turns together.
    Bank(Option<Length>),
}

/// As it is written in a letter.
impl std::fmt::Display for ClockRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = |length: &Option<Length>| length.map_or("none".to_owned(), |it| it.to_string());
        match self {
            Self::Deadline(deadline) => write!(f, "deadline {deadline}"),
            Self::Nmr(nmr) => write!(f, "nmr {nmr}"),
            Self::Grace(grace) => write!(f, "grace {}", word(grace)),
            Self::Bank(bank) => write!(f, "bank {}", word(bank)),
        }
    }
}

impl ClockRule {
    /// The usual rules with these; none where neither says when orders are due.
    pub(crate) fn apply_all(rules: &[Self], usual: Option<ClockRules>) -> Option<ClockRules> {
        let deadline = rules.iter().find_map(|rule| match rule {
            Self::Deadline(deadline) => Some(deadline.clone()),
            _ => None,
        });
        let mut all = usual.or_else(|| deadline.map(ClockRules::with_deadline))?;
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
    pub(crate) fn from_rules(rules: &ClockRules) -> Vec<Self> {
        let ClockRules { deadline, nmr, grace, bank, .. } = rules;
        let due = [Self::Deadline(deadline.clone()), Self::Nmr(*nmr)];
        let grace = grace.map(|grace| Self::Grace(Some(grace)));
        let bank = bank.map(|bank| Self::Bank(Some(bank)));
        due.into_iter().chain(grace).chain(bank).collect()
    }
}
