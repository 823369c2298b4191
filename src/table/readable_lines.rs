//! The order lines of records that a viewer may read.
//!
//! A record contains all lines as they were written, including secret orders and orders with hidden
//! content. Until the game is over, only the player may read those. All code that shows lines from
//! a log must get them from here.

use super::{Cause, Record, Table};
use crate::rules::{Dice, DynGame, Seat, Viewer};
use std::collections::BTreeMap;

impl Table {
    /// Returns the lines of each record that this viewer may read, by record number.
    pub(crate) fn lines_readable_by(&self, viewer: Viewer) -> BTreeMap<u32, Vec<String>> {
        let is_over = self.is_over();
        let (mut read, mut game, mut drawn) = (BTreeMap::new(), self.initial_game.clone_box(), 0);
        for record in &self.records {
            if let Some((seat, lines)) = record.cause.seat_and_lines() {
                let reads_all = is_over || viewer == Viewer::Seat(seat);
                let dice = Dice::new(&self.founding.seed, drawn);
                let lines = if reads_all {
                    lines.to_vec()
                } else {
                    public_lines(&*game, seat, lines, dice)
                };
                read.insert(record.seq, lines);
            }
            // When the game is over, all lines are public, so the positions are not needed.
            if !is_over {
                (game, drawn) = (self.position_after(game, record), record.dice);
            }
        }
        read
    }

    /// Returns the position after a record. `game` is the position before it.
    fn position_after(&self, mut game: Box<dyn DynGame>, record: &Record) -> Box<dyn DynGame> {
        if matches!(record.cause, Cause::Rewound { .. } | Cause::Undone { .. }) {
            return self.at_record(record.seq).map_or(game, |table| table.game);
        }
        // This cannot fail, because the log was replayed before.
        let _ = record.events.iter().try_for_each(|event| game.apply(event));
        game
    }
}

/// Returns the lines of a record that everybody may read. Stops at a line that cannot be replayed,
/// because it or a later line might contain secret orders.
fn public_lines(game: &dyn DynGame, seat: Seat, lines: &[String], mut dice: Dice) -> Vec<String> {
    let (mut ahead, mut open) = (game.clone_box(), Vec::new());
    for line in lines {
        match ahead.judge_and_play_line(seat, line, &[], &mut dice) {
            Ok(played) if played.has_hidden_orders => {}
            Ok(_) => open.push(line.clone()),
            Err(_) => break,
        }
    }
    open
}
