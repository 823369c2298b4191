//! How fast a game is played, and when it is likely to end if it goes on like that.
//!
//! May know what everyone can see of a game, and nothing else of it.

use crate::club::clock::{OwnTime, date_words, span_words};
use crate::process::transaction::game_session::GameSession;
use crate::rules::{Message, Turn};
use chrono::{DateTime, TimeDelta, Utc};

/// How much of a game must lie behind before its end is guessed, in hundredths.
const SOON: u8 = 10;

impl GameSession {
    /// How fast the game is played, and when it is likely to end, by the reader's own days; none
    /// before the first turn has been played.
    pub(crate) fn pace(&self, now: DateTime<Utc>, own: &OwnTime) -> Option<Message> {
        let records = self.table.records();
        let (first, last) = (records.first()?, records.last()?);
        let turns = i32::try_from(records.len() - 1).ok().filter(|turns| *turns > 0)?;
        let taken = last.at - first.at;
        let pace = Message::new("pace").with("span", span_words(taken / turns));
        let left = left(taken, self.table.game().progress());
        let end = left.and_then(|left| now.max(last.at).checked_add_signed(left));
        Some(match end.filter(|_| self.table.turn() != Turn::Over) {
            Some(end) => {
                Message::new("pace-end").with("pace", pace).with("end", date_words(end, own))
            }
            None => pace,
        })
    }
}

/// How long a game is likely to go on that has taken so long; none while that cannot be guessed.
fn left(taken: TimeDelta, progress: u8) -> Option<TimeDelta> {
    let behind = i64::from(progress);
    let seconds = taken.num_seconds().checked_mul(100_i64.checked_sub(behind)?)? / behind.max(1);
    (progress >= SOON).then(|| TimeDelta::try_seconds(seconds)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_ahead_takes_as_long_as_what_lies_behind() {
        let days = TimeDelta::days;
        assert_eq!(left(days(30), 25), Some(days(90)));
        assert_eq!(left(days(30), 100), Some(days(0)));
        assert_eq!(left(days(30), 9), None, "it is too soon to say");
        assert_eq!(left(TimeDelta::MAX, 10), None);
    }
}
