//! Undo: a seat takes back its last orders, which appends a record like a rewind.
//!
//! Undo is possible while nobody else would lose by it: no dice were used, no hidden information
//! was shown, and no other record followed. The club decides whether and for how long a player may
//! undo.

use super::{Cause, LetterRef, Record, Table, records_in_force};
use crate::rules::{Message, Refusal, Seat, Turn, UnreadableData};
use chrono::{DateTime, Utc};
use std::sync::Arc;

/// The maximum number of undos per position. There is a maximum because each undo sends a letter to
/// all other players.
const UNDOS_MAX: usize = 3;

/// The result of an undo.
pub(crate) struct UndoneOrders {
    /// The table after the undo.
    pub(crate) table: Table,
    /// The record whose orders were taken back.
    pub(crate) record: Arc<Record>,
    /// The number of the last record that stays in force.
    pub(crate) to: u32,
}

impl UndoneOrders {
    /// Returns the lines that were taken back.
    pub(crate) fn lines(&self) -> &[String] {
        match &self.record.cause {
            Cause::Orders { lines, .. } => lines,
            _ => &[],
        }
    }
}

impl Table {
    /// Takes back a seat's orders, if they are the last record. No dice were used, so the dice stay
    /// unchanged.
    ///
    /// # Errors
    /// The reason why an undo is not possible.
    pub(crate) fn undo(
        &self,
        seat: Seat,
        letter: Option<&LetterRef>,
        now: DateTime<Utc>,
    ) -> Result<UndoneOrders, Refusal> {
        let no = |key| Refusal::illegal(Message::new(key));
        if self.turn() == Turn::Over {
            return Err(no("undo-over"));
        }
        let record = self.last_orders(seat)?;
        let line = records_in_force(&self.records);
        let before = line.iter().rev().nth(1).ok_or_else(|| no("undo-nothing"))?;
        let (to, dice) = (before.seq, before.dice);
        if record.dice != dice {
            return Err(no("undo-chance"));
        }
        // A position that cannot be replayed counts as one that shows hidden information, to be
        // safe.
        let mut table = self.with_position_at(to).map_err(|_| no("undo-turned-up"))?;
        if reveals_hidden(&table, seat, &record).unwrap_or(true) {
            return Err(no("undo-turned-up"));
        }
        let again =
            |cause: &Cause| matches!(*cause, Cause::Undone { to: other, .. } if other == to);
        if self.records.iter().filter(|record| again(&record.cause)).count() >= UNDOS_MAX {
            return Err(Refusal::illegal(Message::new("undo-often").with("count", UNDOS_MAX)));
        }
        let cause = Cause::Undone { seat, to, letter: letter.cloned(), in_practice: false };
        table.append_record(cause, Vec::new(), dice, now);
        Ok(UndoneOrders { table, record, to })
    }

    /// Takes back the seat's last orders and everything that followed them, in a practice game. The
    /// dice go back too.
    ///
    /// # Errors
    /// The reason why an undo is not possible.
    pub(crate) fn undo_in_practice(
        &self,
        seat: Seat,
        letter: Option<&LetterRef>,
        now: DateTime<Utc>,
    ) -> Result<UndoneOrders, Refusal> {
        let nothing = || Refusal::illegal(Message::new("undo-nothing"));
        let line = records_in_force(&self.records);
        let own = |record: &&Arc<Record>| Self::seat_that_ordered(record) == Some(seat);
        let last = line.iter().rposition(own).ok_or_else(nothing)?;
        let before = last.checked_sub(1).and_then(|at| line.get(at)).ok_or_else(nothing)?;
        let record = line.get(last).map(|record| Arc::clone(record)).ok_or_else(nothing)?;
        let (to, dice) = (before.seq, before.dice);
        let mut table = self.with_position_at(to).map_err(|_| nothing())?;
        let cause = Cause::Undone { seat, to, letter: letter.cloned(), in_practice: true };
        table.append_record(cause, Vec::new(), dice, now);
        Ok(UndoneOrders { table, record, to })
    }

    /// Returns the last record, if it contains this seat's orders.
    ///
    /// # Errors
    /// The reason why there is nothing to undo for this seat.
    fn last_orders(&self, seat: Seat) -> Result<Arc<Record>, Refusal> {
        let no = |key| Refusal::illegal(Message::new(key));
        let last = self.records.last().ok_or_else(|| no("undo-nothing"))?;
        let has_ordered = records_in_force(&self.records)
            .iter()
            .any(|record| Self::seat_that_ordered(record) == Some(seat));
        match last.cause {
            Cause::Orders { seat: other, .. } if other == seat => Ok(Arc::clone(last)),
            Cause::Absent { seat: other, .. } if other == seat => Err(no("undo-absent")),
            Cause::Undone { seat: other, .. } if other == seat => Err(no("undo-done")),
            Cause::Rewound { .. } => Err(no("undo-rewound")),
            ref cause => match cause.seat_and_lines() {
                Some((other, _)) if has_ordered => {
                    Err(Refusal::illegal(Message::new("undo-followed").with("who", other)))
                }
                _ => Err(no("undo-nothing")),
            },
        }
    }

    /// Returns the seat that took back orders after record `seen`, if the position at `seen` is
    /// thereby no longer valid. An undo by `seat` itself does not count.
    pub(super) fn seat_that_undid_since(&self, seat: Seat, seen: u32) -> Option<Seat> {
        self.records_since(seen).iter().find_map(|record| match record.cause {
            Cause::Undone { seat: by, to, .. } if by != seat && to < seen => Some(by),
            _ => None,
        })
    }
}

/// Whether a record of this seat's orders showed hidden information. `before` is the table before
/// it.
fn reveals_hidden(before: &Table, seat: Seat, record: &Record) -> Result<bool, UnreadableData> {
    let mut game = before.game.clone_box();
    for event in &record.events {
        if game.reveals_hidden(event, seat)? {
            return Ok(true);
        }
        game.apply(event)?;
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::SHIPPED;
    use crate::games::find_kind;
    use crate::rules::Seed;
    use crate::table::tests::tables_around_chance_draw;
    use crate::table::verify::Finding;
    use crate::table::{GameSetup, InitialGameCache, OrderLine, QueuedOrders, Submission, Verdict};
    use std::collections::BTreeMap;

    fn new_table(name: &str) -> Table {
        let kind = find_kind(name).expect("it ships");
        let options = BTreeMap::new();
        let setup =
            GameSetup { kind, definition: kind.shipped_definition(), options: &options, seats: 3 };
        Table::found_game(setup, 1, Seed::from_number(7), DateTime::UNIX_EPOCH).expect("a table")
    }

    fn submit_line(table: &Table, seat: u8, line: &str, seen: u32) -> Result<Table, &'static str> {
        let lines = [OrderLine::new(1, line.to_owned())];
        let standing = &QueuedOrders::default();
        let seat = Seat::new(seat);
        let submission =
            Submission { seat, lines: &lines, seen_record: seen, letter: None, queued: standing };
        match table.submit(&submission, DateTime::UNIX_EPOCH) {
            Verdict::Accepted { table, .. } => Ok(*table),
            Verdict::Refused(refused) => Err(refused.refusal.reason.key),
        }
    }

    fn undo_orders(table: &Table, seat: u8) -> Result<Table, &'static str> {
        let taken = table.undo(Seat::new(seat), None, DateTime::UNIX_EPOCH);
        taken.map(|taken| taken.table).map_err(|refusal| refusal.reason.key)
    }

    fn from_changed_log(table: &Table, change: impl Fn(&mut Vec<String>)) -> Table {
        let mut lines = vec![table.founding().to_line()];
        lines.extend(table.records().iter().map(|record| record.to_line()));
        change(&mut lines);
        Table::from_log(&InitialGameCache::new(SHIPPED), lines.iter().map(String::as_str))
            .expect("it folds")
    }

    #[test]
    fn undo_restores_previous_position_and_is_logged() {
        let start = new_table("paris-connection");
        let built = submit_line(&start, 1, "build red G23", 1).expect("it is legal");
        let back = undo_orders(&built, 1).expect("it can be");
        assert_eq!((back.last_record_number(), back.turn()), (3, start.turn()));
        assert_eq!(back.game().public_data(), start.game().public_data());
        assert_eq!(back.dice().used_word_count(), start.dice().used_word_count());
        let again = from_changed_log(&back, |_| {});
        assert_eq!(again.game().public_data(), start.game().public_data());
        assert_eq!(again.verify().findings, []);
        // Only a player who saw the position that was taken back gets a refusal.
        assert_eq!(
            submit_line(&back, 1, "build red G23", 2).map(|table| table.last_record_number()),
            Ok(4)
        );
        let bobs = submit_line(&back, 1, "build red G23", 3).expect("it is legal");
        assert_eq!(submit_line(&bobs, 2, "build black F24", 2).err(), Some("undone-since"));
        assert!(submit_line(&bobs, 2, "build black F24", 1).is_ok());
    }

    #[test]
    fn only_own_last_unrevealing_orders_are_undone() {
        let start = new_table("paris-connection");
        assert_eq!(undo_orders(&start, 1).err(), Some("undo-nothing"));
        let built = submit_line(&start, 1, "build red G23", 1).expect("it is legal");
        assert_eq!(undo_orders(&built, 2).err(), Some("undo-nothing"));
        let next = submit_line(&built, 2, "build black F24", 2).expect("it is legal");
        assert_eq!(undo_orders(&next, 1).err(), Some("undo-followed"));
        let back = undo_orders(&next, 2).expect("it can be");
        assert_eq!(undo_orders(&back, 1).err(), Some("undo-nothing"));
        assert_eq!(undo_orders(&back, 2).err(), Some("undo-done"));
        let traded = start.game().legal_lines(Seat::new(1));
        let trade = traded.iter().find(|line| line.starts_with("trade")).expect("a trade");
        let traded = submit_line(&start, 1, trade, 1).expect("it is legal");
        assert_eq!(undo_orders(&traded, 1).err(), Some("undo-turned-up"));
        let start = new_table("trick-of-the-rails");
        let card = start.game().legal_lines(Seat::new(1)).remove(0);
        let played = submit_line(&start, 1, &card, 1).expect("it is legal");
        assert_eq!(undo_orders(&played, 1).err(), Some("undo-turned-up"));
        let absent = start
            .play_turn_for_absent(Seat::new(1), &[], DateTime::UNIX_EPOCH)
            .expect("it is done");
        assert_eq!(undo_orders(&absent, 1).err(), Some("undo-absent"));
    }

    #[test]
    fn undo_after_chance_is_refused() {
        let (_, drawn, seat) = tables_around_chance_draw();
        assert_eq!(undo_orders(&drawn, seat.number()).err(), Some("undo-chance"));
    }

    #[test]
    fn verify_finds_forged_undo() {
        let start = new_table("paris-connection");
        let built = submit_line(&start, 1, "build red G23", 1).expect("it is legal");
        let next = submit_line(&built, 2, "build black F24", 2).expect("it is legal");
        let back = undo_orders(&next, 2).expect("it can be");
        for (from, to) in [("\"seat\":2,\"to\":2", "\"seat\":1,\"to\":2"), ("\"to\":2", "\"to\":1")]
        {
            let forged = from_changed_log(&back, |lines| {
                let last = lines.last_mut().expect("one");
                assert!(last.contains(from), "{last}");
                *last = last.replace(from, to);
            });
            let findings = forged.verify().findings;
            assert!(findings.contains(&Finding::Undo(4)), "{findings:?}");
        }
    }
}
