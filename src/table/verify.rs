//! Verification of a log: its hash chain, and its events by the current rules.

use super::{Cause, Record, Table};
use crate::rules::{Dice, DynGame, EventText, Seat, Turn};

/// A fault in a log or an export.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Finding {
    /// The record does not match its hash, or a record before it is missing.
    #[error("record {0}: the hash chain is broken")]
    Chain(u32),
    /// The deal is not the one that the seed gives.
    #[error("record {0}: the seed gives another deal")]
    Deal(u32),
    /// By the rules of this program, the orders lead to other events.
    #[error("record {0}: its orders lead to other events under the current rules")]
    Decision(u32),
    /// By the rules of this program, the orders are illegal.
    #[error("record {seq}: the current rules refuse its orders ({key})")]
    Refused {
        /// The number of the record.
        seq: u32,
        /// The key of the refusal's reason.
        key: &'static str,
    },
    /// A rewind leads to a record that is not an earlier one in force, or contains events or other
    /// dice.
    #[error("record {0}: it rewinds to a record that does not exist")]
    Rewind(u32),
    /// The record follows the end of the game.
    #[error("record {0}: the game was over before it")]
    AfterEnd(u32),
    /// The records of an export are not those with which it was written.
    #[error("record {0}: the export does not end with it, or states another outcome")]
    End(u32),
    /// The rankings in an export do not follow from its records.
    #[error("the standings: the records lead to different ones")]
    Standings,
    /// An undo takes back something other than the seat's own last orders without dice.
    #[error("record {0}: it undoes orders that its seat could not undo")]
    Undo(u32),
    /// A piece is missing or duplicated, or an event cannot be read.
    #[error("record {seq}: {what}")]
    Audit {
        /// The number of the record.
        seq: u32,
        /// The fault, as the game's audit describes it.
        what: String,
    },
}

/// The result of a verification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerificationReport {
    /// The number of records that were checked.
    pub(crate) records: usize,
    /// The number of records with orders, which were judged again.
    pub orders: usize,
    /// The faults; empty if the log is correct.
    pub findings: Vec<Finding>,
}

/// A position during the replay, with the dice counter there.
struct ReplayedPosition {
    seq: u32,
    game: Box<dyn DynGame>,
    dice: u64,
    over: bool,
    /// The seat whose orders led to the position.
    mover: Option<Seat>,
}

impl Table {
    /// Replays the whole log. Checks the hash chain, repeats the deal from the seed, and judges all
    /// orders again.
    pub fn verify(&self) -> VerificationReport {
        let mut report =
            VerificationReport { records: self.records.len(), ..VerificationReport::default() };
        let mut hash = self.chain.genesis(&self.founding);
        let start = ReplayedPosition {
            seq: 0,
            game: self.initial_game.clone_box(),
            dice: 0,
            over: false,
            mover: None,
        };
        let mut line = vec![start];
        for record in &self.records {
            if record.expected_hash(&hash, &self.chain) != record.hash {
                report.findings.push(Finding::Chain(record.seq));
            }
            hash = record.hash.clone();
            report.orders += usize::from(record.cause.seat_and_lines().is_some());
            if let Some(finding) = self.verify_record(&mut line, record) {
                report.findings.push(finding);
            }
        }
        report
    }

    fn verify_record(&self, line: &mut Vec<ReplayedPosition>, record: &Record) -> Option<Finding> {
        let seq = record.seq;
        if let Cause::Rewound { to, .. } = record.cause {
            line.retain(|position| position.seq <= to);
            let last = line.last()?;
            let is_whole = last.seq == to && last.dice == record.dice && record.events.is_empty();
            return (!is_whole).then_some(Finding::Rewind(seq));
        }
        if let Cause::Undone { seat, to, in_practice, .. } = record.cause {
            let is_right = is_undo_right(line, record, (seat, to), in_practice);
            line.retain(|position| position.seq <= to);
            return (!is_right).then_some(Finding::Undo(seq));
        }
        let before = line.last()?;
        let mut dice = Dice::new(&self.founding.seed, before.dice);
        let mut again = before.game.clone_box();
        let mut finding = match &record.cause {
            Cause::Founded if before.seq == 0 => {
                let same = have_same_json(&again.setup(&mut dice), &record.events);
                (!same || dice.used_word_count() != record.dice).then_some(Finding::Deal(seq))
            }
            _ if before.over => Some(Finding::AfterEnd(seq)),
            cause if before.seq == 0 || *cause == Cause::Founded => Some(Finding::Deal(seq)),
            cause => match cause.seat_and_lines() {
                Some(turn) => verify_turn(&mut *again, &mut dice, record, turn),
                None => {
                    let is_still = record.events.is_empty() && record.dice == before.dice;
                    (!is_still).then_some(Finding::Decision(seq))
                }
            },
        };
        // The log decides: the replay continues with its events, even after a fault.
        let mut game = before.game.clone_box();
        for event in &record.events {
            if let Err(damage) = game.apply(event) {
                finding = Some(Finding::Audit { seq, what: damage.to_string() });
            }
        }
        if let Err(what) = game.check_every_piece_placed() {
            finding = finding.or(Some(Finding::Audit { seq, what }));
        }
        let over = matches!(record.cause, Cause::Ended { .. }) || game.turn() == Turn::Over;
        line.push(ReplayedPosition {
            seq,
            game,
            dice: record.dice,
            over,
            mover: Self::seat_that_ordered(record),
        });
        finding
    }
}

/// Plays the lines of a record again, and compares the results with the record.
fn verify_turn(
    game: &mut dyn DynGame,
    dice: &mut Dice,
    record: &Record,
    (seat, lines): (Seat, &[String]),
) -> Option<Finding> {
    let mut events = Vec::new();
    for line in lines {
        match game.judge_and_play_line(seat, line, &[], dice) {
            Ok(outcome) => events.extend(outcome.events),
            Err(no) => return Some(Finding::Refused { seq: record.seq, key: no.reason.key }),
        }
    }
    let is_same = have_same_json(&events, &record.events) && dice.used_word_count() == record.dice;
    (!is_same).then_some(Finding::Decision(record.seq))
}

/// Whether a record takes back what an undo may: the last position, if it came from the seat's
/// orders without dice. In a practice game, the seat's orders and everything after them.
fn is_undo_right(
    line: &[ReplayedPosition],
    record: &Record,
    (seat, to): (Seat, u32),
    in_practice: bool,
) -> bool {
    let mut undone = line.iter().filter(|position| position.seq > to);
    let first = undone.next();
    let is_own = first.is_some_and(|first| first.mover == Some(seat));
    let is_whole =
        in_practice || undone.next().is_none() && first.is_some_and(|one| one.dice == record.dice);
    let last = line.iter().rfind(|position| position.seq <= to);
    is_own && is_whole && last.is_some_and(|last| (last.seq, last.dice) == (to, record.dice))
}

fn have_same_json(a: &[EventText], b: &[EventText]) -> bool {
    a.iter().map(|event| event.get()).eq(b.iter().map(|event| event.get()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Authority;
    use crate::table::tests::{new_table, submit_line};
    use chrono::DateTime;
    use serde_json::value::RawValue;
    use std::sync::Arc;

    fn undo_orders(table: &Table, seat: u8) -> Table {
        let taken = table.undo(Seat::new(seat), None, DateTime::UNIX_EPOCH);
        taken.unwrap_or_else(|refusal| panic!("{refusal:?}")).table
    }

    fn rewind_to(table: &Table, to: u32) -> Table {
        let rewound = table.rewind(to, Authority::Moderator, "", DateTime::UNIX_EPOCH);
        rewound.unwrap_or_else(|refusal| panic!("{refusal:?}"))
    }

    /// Returns the findings after a change to the last record, with hashes that match the change.
    fn findings_after_change(table: &Table, change: impl FnOnce(&mut Record)) -> Vec<Finding> {
        let mut forged = table.clone();
        let mut last = Record::clone(&forged.records.pop().expect("a record"));
        change(&mut last);
        let Record { seq, at, cause, events, dice, .. } = last;
        let last =
            Record::new(seq, at, cause, events, dice, &forged.last_record_hash(), &forged.chain);
        forged.records.push(Arc::new(last));
        forged.verify().findings
    }

    fn set_lines(record: &mut Record, other: &str) {
        match &mut record.cause {
            Cause::Orders { lines, .. } => *lines = vec![other.to_owned()],
            cause => panic!("{cause:?}"),
        }
    }

    fn set_target(record: &mut Record, other: u32) {
        match &mut record.cause {
            Cause::Rewound { to, .. } | Cause::Undone { to, .. } => *to = other,
            cause => panic!("{cause:?}"),
        }
    }

    #[test]
    fn deal_must_come_first_and_match_seed() {
        let start = new_table(7);
        assert_eq!(findings_after_change(&start, |_| {}), []);
        let another = new_table(8).records[0].events.clone();
        assert_eq!(findings_after_change(&start, |deal| deal.events = another), [Finding::Deal(1)]);
        assert_eq!(findings_after_change(&start, |deal| deal.dice += 1), [Finding::Deal(1)]);
        let absent = Cause::Absent { seat: Seat::new(1), lines: Vec::new() };
        assert_eq!(findings_after_change(&start, |deal| deal.cause = absent), [Finding::Deal(1)]);
        let built = submit_line(&start, 1, "build red G23");
        assert_eq!(
            findings_after_change(&built, |built| built.cause = Cause::Founded),
            [Finding::Deal(2)]
        );
    }

    #[test]
    fn orders_must_match_events_dice_and_chain() {
        let built =
            submit_line(&submit_line(&new_table(7), 1, "build red G23"), 2, "build black F24");
        let report = built.verify();
        assert_eq!((report.records, report.orders, report.findings), (3, 2, vec![]));
        let other = |line| findings_after_change(&built, |last| set_lines(last, line));
        let before = built.at_record(2).expect("it folds");
        let legal = before.game().legal_lines(Seat::new(2));
        let elsewhere = legal.iter().find(|line| *line != "build black F24").expect("another");
        assert_eq!(other(elsewhere), [Finding::Decision(3)]);
        assert!(matches!(*other("build black A1"), [Finding::Refused { seq: 3, .. }]));
        assert_eq!(findings_after_change(&built, |last| last.dice += 1), [Finding::Decision(3)]);
        assert_eq!(
            findings_after_change(&built, |last| last.events.clear()),
            [Finding::Decision(3)]
        );
        let nonsense = RawValue::from_string("{}".to_owned()).expect("JSON");
        let damaged = findings_after_change(&built, |last| last.events.push(nonsense));
        assert!(matches!(*damaged, [Finding::Audit { seq: 3, .. }]), "{damaged:?}");
        let mut forged = built.clone();
        let mut first = Record::clone(&forged.records[1]);
        first.at += chrono::TimeDelta::seconds(1);
        forged.records[1] = Arc::new(first);
        assert_eq!(forged.verify().findings, [Finding::Chain(2)]);
    }

    #[test]
    fn rewind_and_undo_must_restore_earlier_record() {
        let built =
            submit_line(&submit_line(&new_table(7), 1, "build red G23"), 2, "build black F24");
        let brings = built.records[2].events.clone();
        for (back, found) in
            [(rewind_to(&built, 2), Finding::Rewind(4)), (undo_orders(&built, 2), Finding::Undo(4))]
        {
            assert_eq!(findings_after_change(&back, |_| {}), []);
            let on = submit_line(&back, 2, "build black F24");
            assert_eq!(findings_after_change(&on, |_| {}), [], "the walk goes on from there");
            let found = [found];
            assert_eq!(findings_after_change(&back, |last| last.dice += 1), found);
            assert_eq!(findings_after_change(&back, |last| set_target(last, 4)), found);
        }
        let back = rewind_to(&built, 2);
        let brings = findings_after_change(&back, |last| last.events.clone_from(&brings));
        assert_eq!(brings, [Finding::Rewind(4)]);
        let back = undo_orders(&built, 2);
        assert_eq!(findings_after_change(&back, |last| set_target(last, 1)), [Finding::Undo(4)]);
        let by_another = findings_after_change(&back, |last| match &mut last.cause {
            Cause::Undone { seat, .. } => *seat = Seat::new(1),
            cause => panic!("{cause:?}"),
        });
        assert_eq!(by_another, [Finding::Undo(4)]);
    }

    #[test]
    fn ending_must_change_nothing_and_come_last() {
        let ended = new_table(7).end_game(Authority::Players, "", DateTime::UNIX_EPOCH);
        let ended = ended.unwrap_or_else(|refusal| panic!("{refusal:?}"));
        assert_eq!(findings_after_change(&ended, |_| {}), []);
        assert_eq!(findings_after_change(&ended, |last| last.dice += 1), [Finding::Decision(2)]);
        let mut on = ended.clone();
        on.ended_by_moderator = false;
        assert_eq!(
            findings_after_change(&submit_line(&on, 1, "build red G23"), |_| {}),
            [Finding::AfterEnd(3)]
        );
        let built = submit_line(&new_table(7), 1, "build red G23");
        let cause = ended.records[1].cause.clone();
        assert_eq!(
            findings_after_change(&built, |last| last.cause = cause),
            [Finding::Decision(2)]
        );
    }
}
