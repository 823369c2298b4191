//! Checks a log against itself and against the rules of today.

use super::{Cause, Record, Table};
use crate::rules::{Dice, DynGame, EventText, Seat};

/// Something in a log that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Finding {
    /// The record is not what its writer hashed, or one before it is missing.
    #[error("record {0}: the hash chain is broken")]
    Chain(u32),
    /// The deal is not the one that the seed gives.
    #[error("record {0}: the seed deals otherwise")]
    Deal(u32),
    /// The orders lead to something else by the rules of this program.
    #[error("record {0}: its orders lead to other events by today's rules")]
    Decision(u32),
    /// The orders are refused by the rules of this program.
    #[error("record {seq}: its orders are refused by today's rules ({key})")]
    Refused {
        /// The number of the record that is wrong.
        seq: u32,
        /// The refusal's key.
        key: &'static str,
    },
    /// A rewind goes back to no earlier record.
    #[error("record {0}: it rewinds to a record that is not there")]
    Rewind(u32),
    /// A seat takes back something else than its own last orders, for which no dice were thrown.
    #[error("record {0}: it takes back what its seat could not")]
    Undo(u32),
    /// A piece is missing or double.
    #[error("record {seq}: {what}")]
    Audit {
        /// The number of the record that is wrong.
        seq: u32,
        /// What the game's audit says.
        what: String,
    },
}

/// What a verification looked at and found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// How many records were checked.
    pub(crate) records: usize,
    /// How many of them held orders, which were decided again.
    pub orders: usize,
    /// What does not hold; empty is good.
    pub findings: Vec<Finding>,
}

/// A position on the way through the log, with the dice's counter there.
struct Position {
    seq: u32,
    game: Box<dyn DynGame>,
    dice: u64,
    /// Whose orders led to it.
    mover: Option<Seat>,
}

impl Table {
    /// Walks the whole log again: hash chain, deal from the seed, every order decided anew.
    pub fn verify(&self) -> Report {
        let mut report = Report { records: self.records.len(), ..Report::default() };
        let mut hash = self.chain.genesis(&self.founding);
        let mut line = vec![Position { seq: 0, game: self.blank.copy(), dice: 0, mover: None }];
        for record in &self.records {
            if record.expected_hash(&hash, &self.chain) != record.hash {
                report.findings.push(Finding::Chain(record.seq));
            }
            hash = record.hash.clone();
            report.orders +=
                usize::from(matches!(record.cause, Cause::Orders { .. } | Cause::Absent { .. }));
            if let Some(finding) = self.walk(&mut line, record) {
                report.findings.push(finding);
            }
        }
        report
    }

    fn walk(&self, line: &mut Vec<Position>, record: &Record) -> Option<Finding> {
        let seq = record.seq;
        if let Cause::Rewound { to, .. } = record.cause {
            line.retain(|position| position.seq <= to);
            return (line.last().map(|position| position.seq) != Some(to))
                .then_some(Finding::Rewind(seq));
        }
        if let Cause::Undone { seat, to, .. } = record.cause {
            let undone = line.pop().filter(|last| last.mover == Some(seat));
            let is_right = undone.is_some_and(|undone| undone.dice == record.dice)
                && line.last().is_some_and(|last| (last.seq, last.dice) == (to, record.dice));
            line.retain(|position| position.seq <= to);
            return (!is_right).then_some(Finding::Undo(seq));
        }
        let before = line.last()?;
        let mut dice = Dice::new(&self.founding.seed, before.dice);
        let mut again = before.game.copy();
        let mut finding = match &record.cause {
            Cause::Founded => {
                (!alike(&again.setup(&mut dice), &record.events)).then_some(Finding::Deal(seq))
            }
            Cause::Orders { seat, lines, .. } | Cause::Absent { seat, lines } => {
                let mut events = Vec::new();
                let refused =
                    lines.iter().find_map(|text| match again.play(*seat, text, &[], &mut dice) {
                        Ok(played) => {
                            events.extend(played.events);
                            None
                        }
                        Err(refusal) => Some(Finding::Refused { seq, key: refusal.reason.key }),
                    });
                let differs = !alike(&events, &record.events) || dice.counter() != record.dice;
                refused.or_else(|| differs.then_some(Finding::Decision(seq)))
            }
            Cause::Rewound { .. } | Cause::Undone { .. } | Cause::Ended { .. } => None,
        };
        // The log is the truth: the walk goes on from what it says, whatever was found.
        let mut game = before.game.copy();
        for event in &record.events {
            if let Err(damage) = game.apply(event) {
                finding = Some(Finding::Audit { seq, what: damage.to_string() });
            }
        }
        if let Err(what) = game.audit() {
            finding = finding.or(Some(Finding::Audit { seq, what }));
        }
        line.push(Position { seq, game, dice: record.dice, mover: Self::mover(record) });
        finding
    }
}

fn alike(a: &[EventText], b: &[EventText]) -> bool {
    a.iter().map(|event| event.get()).eq(b.iter().map(|event| event.get()))
}
