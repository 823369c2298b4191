//! The positions of a game after each of its records, computed in one replay of the log.

use super::{Cause, FoldError, Record, Table};
use crate::rules::UnreadableData;
use std::sync::Arc;

impl Table {
    /// Calls `show` for each record, with the tables before and after it. Also calls it for records
    /// that were taken back. The table before the first record has no deal.
    ///
    /// # Errors
    /// The error of `show`, or an event that the rules of this program cannot read.
    pub(crate) fn for_each_position(
        &self,
        mut show: impl FnMut(&Record, &Self, &Self) -> Result<(), UnreadableData>,
    ) -> Result<(), UnreadableData> {
        let blank = Arc::clone(&self.initial_game);
        let mut before = Self::without_records(Arc::clone(&self.founding), blank);
        before.phrases = Arc::clone(&self.phrases);
        for record in &self.records {
            let mut after = before.clone();
            after.records.push(Arc::clone(record));
            match record.cause {
                Cause::Rewound { .. } | Cause::Undone { .. } => {
                    let records = std::mem::take(&mut after.records);
                    after.replay_records(records).map_err(unreadable_data)?;
                }
                Cause::Ended { .. } => after.ended_by_moderator = true,
                _ => record.events.iter().try_for_each(|event| after.game.apply(event))?,
            }
            show(record, &before, &after)?;
            before = after;
        }
        Ok(())
    }

    /// Returns the numbers of the records that an undo or a rewind took back, in order. The undo
    /// and the rewind themselves are not among them.
    pub(crate) fn records_taken_back(&self) -> Vec<u32> {
        let in_force = super::records_in_force(&self.records);
        let is_taken_back = |record: &&Arc<Record>| {
            let is_order = !matches!(record.cause, Cause::Rewound { .. } | Cause::Undone { .. });
            is_order && in_force.binary_search_by_key(&record.seq, |other| other.seq).is_err()
        };
        self.records.iter().filter(is_taken_back).map(|record| record.seq).collect()
    }
}

/// Returns the unreadable event of a replay. Other faults cannot occur in a log that was replayed
/// before.
fn unreadable_data(error: FoldError) -> UnreadableData {
    match error {
        FoldError::Damage { damage, .. } => damage,
        other => UnreadableData { what: other.to_string(), text: String::new() },
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::new_table;
    use crate::table::Authority;
    use chrono::DateTime;

    #[test]
    fn positions_equal_those_of_partial_logs() {
        let now = DateTime::UNIX_EPOCH;
        let mut table = new_table(7);
        for _ in 0..3 {
            let crate::rules::Turn::Awaiting(seats) = table.turn() else { break };
            let seat = seats[0];
            table = table.play_turn_for_absent(seat, &[], now).expect("a legal turn");
        }
        let table = table.rewind(2, Authority::Moderator, "", now).expect("a rewind");
        let table = table.end_game(Authority::Moderator, "", now).expect("an end");
        let mut seen = 0;
        let walked = table.for_each_position(|record, before, after| {
            let past = table.at_record(record.seq).expect("a position");
            assert_eq!(after.game().public_data(), past.game().public_data(), "{}", record.seq);
            assert_eq!((after.turn(), before.last_record_number()), (past.turn(), seen));
            seen += 1;
            Ok(())
        });
        assert_eq!((walked, seen), (Ok(()), table.last_record_number()));
        assert_eq!(table.records_taken_back(), [3, 4], "not the rewind, and not the end");
    }
}
