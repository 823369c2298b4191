//! A letter's orders, judged: all of them or none.

use super::{Cause, LetterRef, Table, in_force};
use crate::rules::{Dice, EventText, Message, Refusal, Seat, Seed, Turn};
use chrono::{DateTime, Utc};

/// One line that a player wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderLine {
    /// Where it stands in the letter, from 1.
    pub number: u32,
    /// What it says, folded to plain characters.
    pub text: String,
}

/// What a player asks for.
#[derive(Clone, Copy, Debug)]
pub struct Submission<'a> {
    /// Whose orders.
    pub seat: Seat,
    /// The lines, in order.
    pub lines: &'a [OrderLine],
    /// The last record that the letter which this one answers had shown.
    pub seen: u32,
    /// The letter that brought them.
    pub letter: Option<&'a LetterRef>,
}

/// What becomes of a submission.
pub enum Verdict {
    /// Every line was carried out.
    Accepted {
        /// The table afterwards; its last record is new.
        table: Box<Table>,
        /// What the player should know about how the lines were read.
        remarks: Vec<Message>,
    },
    /// Nothing was done.
    Refused(Refused),
}

/// Why a letter was not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The first line that is at fault.
    pub line: Option<OrderLine>,
    /// What is wrong with it, and what instead.
    pub refusal: Refusal,
}

impl Table {
    /// Judges a letter's orders. The first bad line refuses the whole letter; so does a line after
    /// the turn has passed on.
    pub fn submit(&self, submission: &Submission<'_>, now: DateTime<Utc>) -> Verdict {
        self.judge(submission, self.dice(), now)
    }

    /// Judges as [`Table::submit`] does, with dice that are not the game's: a preview must not tell
    /// what the real ones will show.
    pub fn preview(&self, submission: &Submission<'_>, now: DateTime<Utc>) -> Verdict {
        self.judge(submission, Dice::new(&Seed::new([0; 32]), 0), now)
    }

    fn judge(&self, submission: &Submission<'_>, mut dice: Dice, now: DateTime<Utc>) -> Verdict {
        let Submission { seat, lines, seen, letter } = *submission;
        let refused = |line: Option<&OrderLine>, refusal| {
            Verdict::Refused(Refused { line: line.cloned(), refusal })
        };
        if let Some(refusal) = self.closed_to(seat) {
            return refused(lines.first(), refusal);
        }
        let unseen = match self.unseen(seat, seen) {
            Ok(unseen) => unseen,
            Err(refusal) => return refused(lines.first(), refusal),
        };
        let mut after = self.clone();
        let (mut events, mut remarks) = (Vec::new(), Vec::new());
        for line in lines {
            if !after.turn().awaits(seat) {
                return refused(Some(line), Refusal::illegal(Message::new("turn-passed-on")));
            }
            match after.game.play(seat, &line.text, &unseen, &mut dice) {
                Ok(played) => {
                    events.extend(played.events);
                    remarks.extend(played.remarks);
                }
                Err(refusal) => return refused(Some(line), refusal),
            }
        }
        let mut lines: Vec<String> = lines.iter().map(|line| line.text.clone()).collect();
        // What the letter leaves unsaid stands in the log as if it had been said.
        if let Some(line) = after.game.closing(seat) {
            match after.game.play(seat, &line, &[], &mut dice) {
                Ok(played) => events.extend(played.events),
                Err(refusal) => return refused(None, refusal),
            }
            lines.push(line);
        }
        let cause = Cause::Orders { seat, lines, letter: letter.cloned() };
        after.append(cause, events, dice.counter(), now);
        Verdict::Accepted { table: Box::new(after), remarks }
    }

    /// Why this seat cannot act now at all.
    fn closed_to(&self, seat: Seat) -> Option<Refusal> {
        match self.turn() {
            Turn::Over => Some(Refusal::illegal(Message::new("game-over"))),
            Turn::Awaiting(seats) if !seats.contains(&seat) => {
                Some(Refusal::illegal(Message::new("not-your-turn").with("awaited", seats)))
            }
            Turn::Awaiting(_) => None,
        }
    }

    /// What others did since the record with number `seen`.
    fn unseen(&self, seat: Seat, seen: u32) -> Result<Vec<EventText>, Refusal> {
        let since = self.records_since(seen);
        if since.iter().any(|record| matches!(record.cause, Cause::Rewound { .. })) {
            return Err(Refusal::illegal(Message::new("rewound-since")));
        }
        Ok(in_force(since)
            .into_iter()
            .filter(|record| Self::mover(record) != Some(seat))
            .flat_map(|record| record.events.iter().cloned())
            .collect())
    }
}
