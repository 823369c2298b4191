//! A copy of a finished game's log for everybody, without the parts that are not the game's.

use super::{Cause, Reason, Record, Table};
use crate::rules::{Seat, UnreadableData};
use std::sync::Arc;

impl Table {
    /// Returns the game with a log for everybody. It has no references to letters and no reasons.
    /// Orders are in the game's own spelling, because a player's line may contain other words. The
    /// copy has a hash chain of its own.
    ///
    /// # Errors
    /// The log contains an event that the rules of this program cannot read.
    pub(crate) fn public_copy(&self) -> Result<Self, UnreadableData> {
        let blank = Arc::clone(&self.initial_game);
        let mut copy = Self::without_records(Arc::clone(&self.founding), blank);
        self.for_each_position(|record, before, _| {
            let cause = before.public_cause(&record.cause);
            let Record { seq, at, events, dice, .. } = record.clone();
            let link = copy.last_record_hash();
            let public = Record::new(seq, at, cause, events, dice, &link, &copy.chain);
            copy.records.push(Arc::new(public));
            Ok(())
        })?;
        copy.game = self.game.clone_box();
        copy.ended_by_moderator = self.ended_by_moderator;
        Ok(copy)
    }

    /// Returns the cause of the next record without its private parts.
    fn public_cause(&self, cause: &Cause) -> Cause {
        match cause {
            Cause::Founded => Cause::Founded,
            Cause::Orders { seat, lines, .. } => {
                Cause::Orders { seat: *seat, lines: self.spell_lines(*seat, lines), letter: None }
            }
            Cause::Absent { seat, lines } => {
                Cause::Absent { seat: *seat, lines: self.spell_lines(*seat, lines) }
            }
            Cause::Rewound { to, by, .. } => {
                Cause::Rewound { to: *to, reason: Reason::default(), by: *by }
            }
            Cause::Bot { bot, lines } => {
                Cause::Bot { bot: *bot, lines: self.spell_lines(bot.seat, lines) }
            }
            Cause::Undone { seat, to, in_practice, .. } => {
                let in_practice = *in_practice;
                Cause::Undone { seat: *seat, to: *to, letter: None, in_practice }
            }
            Cause::Ended { by, .. } => Cause::Ended { reason: Reason::default(), by: *by },
        }
    }

    /// Returns the lines of one record in the game's own spelling. Leaves out a line that the rules
    /// of this program cannot read.
    fn spell_lines(&self, seat: Seat, lines: &[String]) -> Vec<String> {
        let (mut game, mut dice) = (self.game.clone_box(), self.dice());
        let mut spelled = Vec::with_capacity(lines.len());
        for line in lines {
            // Each line is read at the position after those before it.
            spelled.extend(game.normalize_line(seat, line).ok());
            let after = game.clone_box();
            if game.judge_and_play_line(seat, line, &[], &mut dice).is_err() {
                game = after;
            }
        }
        spelled
    }
}

#[cfg(test)]
mod tests {
    use crate::table::tests::{new_table, submit_line};
    use crate::table::{Authority, Cause};
    use chrono::DateTime;

    #[test]
    fn public_copy_verifies_without_private_parts() {
        let now = DateTime::UNIX_EPOCH;
        let table = submit_line(&new_table(7), 1, "BUILD  red on G23");
        let table = submit_line(&table, 2, "build black F24");
        let table = table.rewind(2, Authority::Moderator, "Zebedee asked", now).expect("a rewind");
        let table = table.end_game(Authority::Moderator, "Quentin is ill", now).expect("an end");
        let copy = table.public_copy().expect("a copy");
        assert_eq!(copy.verify().findings, []);
        assert_eq!(copy.game().public_data(), table.game().public_data());
        assert_eq!((copy.is_over(), copy.rankings()), (true, table.rankings()));
        let text = serde_json::to_string(&copy.export()).expect("JSON");
        assert!(!["Zebedee", "Quentin", "BUILD"].iter().any(|word| text.contains(word)), "{text}");
        let Cause::Orders { lines, .. } = &copy.records()[1].cause else { panic!("orders") };
        assert_eq!(*lines, ["build red G23"]);
    }
}
