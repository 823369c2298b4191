//! Checks a log against itself and against the rules of today.

use super::{Cause, Record, Table};
use crate::rules::{Dice, DynGame, EventText, Seat, Turn};

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
    /// Something was done after the game was over.
    #[error("record {0}: the game was over before it")]
    AfterEnd(u32),
    /// An export's records are not those that it was written with.
    #[error("record {0}: the export does not end with it, or not as the game stands then")]
    End(u32),
    /// An export's standings are not those that its records lead to.
    #[error("the standings: the records lead to others")]
    Standings,
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
    over: bool,
    /// Whose orders led to it.
    mover: Option<Seat>,
}

impl Table {
    /// Walks the whole log again: hash chain, deal from the seed, every order decided anew.
    pub fn verify(&self) -> Report {
        let mut report = Report { records: self.records.len(), ..Report::default() };
        let mut hash = self.chain.genesis(&self.founding);
        let start = Position { seq: 0, game: self.blank.copy(), dice: 0, over: false, mover: None };
        let mut line = vec![start];
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
            let last = line.last()?;
            let is_whole = last.seq == to && last.dice == record.dice && record.events.is_empty();
            return (!is_whole).then_some(Finding::Rewind(seq));
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
            Cause::Founded if before.seq == 0 => {
                let same = alike(&again.setup(&mut dice), &record.events);
                (!same || dice.counter() != record.dice).then_some(Finding::Deal(seq))
            }
            _ if before.over => Some(Finding::AfterEnd(seq)),
            Cause::Founded => Some(Finding::Deal(seq)),
            _ if before.seq == 0 => Some(Finding::Deal(seq)),
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
            Cause::Rewound { .. } | Cause::Undone { .. } | Cause::Ended { .. } => {
                let is_still = record.events.is_empty() && record.dice == before.dice;
                (!is_still).then_some(Finding::Decision(seq))
            }
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
        let over = matches!(record.cause, Cause::Ended { .. }) || game.turn() == Turn::Over;
        line.push(Position { seq, game, dice: record.dice, over, mover: Self::mover(record) });
        finding
    }
}

fn alike(a: &[EventText], b: &[EventText]) -> bool {
    a.iter().map(|event| event.get()).eq(b.iter().map(|event| event.get()))
}
