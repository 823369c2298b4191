//! Turns that the program plays for a seat: for an absent player, for a bot, and the obvious end of
//! a turn.

use super::{BotSeat, Cause, Table, records_in_force};
use crate::rules::{Dice, DynGame, LineOutcome, Refusal, Seat};
use chrono::{DateTime, Utc};

impl Table {
    /// Plays the order that the rules prescribe for an absent player, after the player's `secret`
    /// orders. Appends a record.
    ///
    /// # Errors
    /// It is not the seat's turn, or the game refuses its own line.
    pub fn play_turn_for_absent(
        &self,
        seat: Seat,
        secret: &[String],
        now: DateTime<Utc>,
    ) -> Result<Self, Refusal> {
        self.turn().ensure_awaits(seat)?;
        let forfeit = |game: &dyn DynGame| vec![game.line_for_absent_player(seat)];
        self.play_without_letter(
            seat,
            secret,
            forfeit,
            |_| true,
            |lines| Cause::Absent { seat, lines },
            now,
        )
    }

    /// Plays the lines of a bot, after the `secret` orders that an absent player has left. Appends
    /// a record. `choose` gets the position in which the bot moves.
    ///
    /// # Errors
    /// It is not the seat's turn, or the game refuses a line.
    pub(crate) fn play_bot_turn(
        &self,
        bot: BotSeat,
        secret: &[String],
        choose: impl FnOnce(&dyn DynGame) -> Vec<String>,
        now: DateTime<Utc>,
    ) -> Result<Self, Refusal> {
        self.turn().ensure_awaits(bot.seat)?;
        let cause = |lines| Cause::Bot { bot, lines };
        self.play_without_letter(bot.seat, secret, choose, |_| true, cause, now)
    }

    /// Returns the dice of the bot that plays this seat now. They depend on the game's secret and
    /// on the number of turns in force, so a repeated pass, an undo or a rewind leads to the same
    /// choice. They use none of the game's dice.
    pub(crate) fn bot_dice(&self, bot: BotSeat) -> Dice {
        let line = records_in_force(&self.records);
        let turns = line.iter().filter(|record| record.cause.seat_and_lines().is_some()).count();
        let BotSeat { seat, level, .. } = bot;
        let seed = self.chain.derive_seed(&format!("bot {seat} {level} {turns}"));
        Dice::new(&seed, 0)
    }

    /// Plays the order that completes a turn, if a letter left it out because it is obvious.
    /// Returns the line, so that the record contains it, and its outcome.
    pub(super) fn play_implied_final_order(
        &mut self,
        seat: Seat,
        dice: &mut Dice,
    ) -> Result<Option<(String, LineOutcome)>, Refusal> {
        let line = self.game.implied_final_line(seat);
        line.map(|line| Ok((line.clone(), self.game.judge_and_play_line(seat, &line, &[], dice)?)))
            .transpose()
    }
}
