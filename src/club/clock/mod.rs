//! The game clock: deadlines in each player's own zone, and what happens if no orders arrive in
//! time.
//!
//! Pure: the current time is always an argument. [`ClockRules`] are the moderator's settings,
//! [`GameClock`] is the state of one game's clock, and [`OwnTime`] is a member's zone, vacations
//! and choice of reminders. Nothing here knows letters, a store or the rules of any game.

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
pub use own_time::{OwnTime, OwnTimeBySeat, ReminderChoice, Vacation, VacationError};

use chrono::Weekday;
use serde::de::value::{self, StrDeserializer};
use serde::{Deserialize, Serialize};

/// The clock rules of a game: the section `clock` of `club.yaml`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockRules {
    pub deadline: Deadline,
    /// The time after the deadline in which late orders have no consequences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grace: Option<Length>,
    /// The total time by which a seat may be late, over all turns of a game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bank: Option<Length>,
    /// The time that a seat's bank gains with each turn that its player or a plan of theirs plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub increment: Option<Length>,
    /// Days of the week and dates on which no player's time runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub no_play_days: Vec<NoPlayDay>,
    /// The hours of the player's local day in which no deadline falls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quiet_hours: Option<QuietHours>,
    /// The times of reminders. Default: at half of the time, and one day before the deadline.
    #[serde(default = "half_and_a_day")]
    pub reminders: Vec<ReminderTime>,
    /// The rule for players who send no orders in time. Default: wait.
    #[serde(default)]
    pub nmr: NmrRule,
    /// The number of turns that a seat must miss in a row before it is open to a substitute. 0
    /// means never. With `nmr: forfeit`, the game plays for the seat until a substitute takes it.
    /// With `nmr: wait`, a turn is missed only once, so only 1 is useful.
    #[serde(default, skip_serializing_if = "is_default")]
    #[serde(rename = "open_after")]
    pub open_after_misses: u32,
    /// Whether a game waits for a player on vacation. Default: it pauses.
    #[serde(default)]
    pub vacation: VacationRule,
    /// The number of vacation days per member and calendar year. Requests for vacations are checked
    /// against the figure in `club.yaml`. Default: 42.
    #[serde(default = "six_weeks")]
    pub vacation_days_per_year: u32,
}

/// The rule for players who send no orders in time ("no move received").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NmrRule {
    /// The game goes on waiting. The club notifies the player and the moderator.
    #[default]
    Wait,
    /// The game does what its rules say for an absent player.
    Forfeit,
    /// A waiting or newly joining member plays the seat until the absent player is back.
    #[serde(rename = "stand-in")]
    StandIn,
    /// A bot plays the seat until the absent player writes to the game. It also plays seats whose
    /// players have left.
    Bot,
}

/// Writes the NMR rule as its keyword in settings and letters, such as `stand-in`.
impl std::fmt::Display for NmrRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.serialize(f)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VacationRule {
    /// The player's time stops during a vacation.
    #[default]
    Pause,
    /// The player's time goes on during a vacation.
    PlayOn,
}

/// The error in a clock setting, with the text that was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClockError {
    #[error("{0:?} is not a length of time up to a year; write 3 days, 72 hours or 2 weeks")]
    Length(String),
    #[error("{0:?} is not a deadline; write 3 days, 72 hours or Mon,Thu 20:00 Europe/Madrid")]
    Deadline(String),
    #[error("{0:?} is not a time zone; write one like Europe/Madrid or America/New_York")]
    Zone(String),
    #[error("{0:?} is not a day; write Mon to Sun, or a date like 2026-12-25")]
    Day(String),
    #[error("{0:?} are not quiet hours; write 22:00-08:00")]
    Quiet(String),
    /// The no-play days cover every day of the week, or every day of the weekly deadline.
    #[error("no_play_days leave no day of the week on which to play")]
    NoPlayDayLeft,
    #[error("{0:?} is not a rule for absent players; write wait, forfeit, stand-in or bot")]
    Nmr(String),
}

fn half_and_a_day() -> Vec<ReminderTime> {
    vec![ReminderTime::Half, ReminderTime::Left(Length::Days(1))]
}

/// Whether `value` is its type's default. Serde uses this to leave out default values.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn six_weeks() -> u32 {
    ClockRules::VACATION_DAYS_DEFAULT
}

impl ClockRules {
    pub const VACATION_DAYS_DEFAULT: u32 = 42;

    /// Returns rules with this deadline and default values for the rest.
    pub fn with_deadline(deadline: Deadline) -> Self {
        Self {
            deadline,
            grace: None,
            bank: None,
            increment: None,
            no_play_days: Vec::new(),
            quiet_hours: None,
            reminders: half_and_a_day(),
            nmr: NmrRule::Wait,
            open_after_misses: 0,
            vacation: VacationRule::Pause,
            vacation_days_per_year: six_weeks(),
        }
    }

    /// Whether a missed deadline has a consequence beyond waiting: an order of the club, or another
    /// player in the seat.
    fn acts_after_deadline(&self) -> bool {
        self.nmr != NmrRule::Wait || self.open_after_misses > 0
    }

    /// Whether both rules compute the same deadlines. Grace, bank and increment do not count.
    pub(super) fn has_same_deadlines_as(&self, other: &Self) -> bool {
        let Self { deadline, no_play_days, quiet_hours, vacation, .. } = other;
        (&self.deadline, &self.no_play_days) == (deadline, no_play_days)
            && (&self.quiet_hours, &self.vacation) == (quiet_hours, vacation)
    }

    /// Checks that a deadline can fall on at least one day of the week.
    ///
    /// # Errors
    /// If the no-play days cover all days of the week, or all days of a weekly deadline.
    pub fn check_any_day_allows_deadline(&self) -> Result<(), ClockError> {
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

/// A single clock rule and its value, as the moderator changes it with `set`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockRule {
    Deadline(Deadline),
    Nmr(NmrRule),
    /// The time after the deadline in which late orders have no consequences. `None` turns it off.
    Grace(Option<Length>),
    /// The total time by which a seat may be late, over all turns of a game. `None` turns it off.
    Bank(Option<Length>),
    /// The time that a seat's bank gains with each turn that it plays. `None` turns it off.
    Increment(Option<Length>),
}

/// Writes the rule as it is written in a letter, such as `grace 12 hours`.
impl std::fmt::Display for ClockRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = |length: &Option<Length>| length.map_or("none".to_owned(), |it| it.to_string());
        match self {
            Self::Deadline(deadline) => write!(f, "deadline {deadline}"),
            Self::Nmr(nmr) => write!(f, "nmr {nmr}"),
            Self::Grace(grace) => write!(f, "grace {}", word(grace)),
            Self::Bank(bank) => write!(f, "bank {}", word(bank)),
            Self::Increment(increment) => write!(f, "increment {}", word(increment)),
        }
    }
}

impl ClockRule {
    /// Returns the club's `usual` rules with `rules` applied. `None` if neither has a deadline.
    pub(crate) fn apply_rules_to(rules: &[Self], usual: Option<ClockRules>) -> Option<ClockRules> {
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
                Self::Increment(increment) => all.increment = increment,
            }
        }
        Some(all)
    }

    /// Splits clock rules into single ones: the deadline, the NMR rule, and the grace, bank and
    /// increment if they are granted.
    pub(crate) fn split_clock_rules(rules: &ClockRules) -> Vec<Self> {
        let ClockRules { deadline, nmr, grace, bank, increment, .. } = rules;
        let due = [Self::Deadline(deadline.clone()), Self::Nmr(*nmr)];
        let grace = grace.map(|grace| Self::Grace(Some(grace)));
        let bank = bank.map(|bank| Self::Bank(Some(bank)));
        let increment = increment.map(|increment| Self::Increment(Some(increment)));
        due.into_iter().chain(grace).chain(bank).chain(increment).collect()
    }
}
