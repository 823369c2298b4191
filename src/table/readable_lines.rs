//! What of the lines that led to records may be read, and by whom.
//!
//! A record keeps the lines as they were written, those too that its player gave in secret and
//! those of which nobody else may know what they say. While the game is played nobody else reads
//! them; whoever shows lines of a log asks here.

use super::{Cause, Record, Table};
use crate::rules::{Dice, DynGame, Seat, Viewer};
use std::collections::BTreeMap;

impl Table {
    /// The lines that led to each record, by its number, as far as this viewer may read them.
    pub(crate) fn lines_readable_by(&self, viewer: Viewer) -> BTreeMap<u32, Vec<String>> {
        let is_over = self.is_over();
        let (mut read, mut game, mut drawn) = (BTreeMap::new(), self.initial_game.clone_box(), 0);
        for record in &self.records {
            if let Cause::Orders { seat, lines, .. } | Cause::Absent { seat, lines } = &record.cause
            {
                let reads_all = is_over || viewer == Viewer::Seat(*seat);
                let dice = Dice::new(&self.founding.seed, drawn);
                let lines = if reads_all {
                    lines.clone()
                } else {
                    public_lines(&*game, *seat, lines, dice)
                };
                read.insert(record.seq, lines);
            }
            // Once it is over nothing is asked of the positions on the way.
            if !is_over {
                (game, drawn) = (self.position_after(game, record), record.dice);
            }
        }
        read
    }

    /// The position after a record, where `game` is the one before it.
    fn position_after(&self, mut game: Box<dyn DynGame>, record: &Record) -> Box<dyn DynGame> {
        if matches!(record.cause, Cause::Rewound { .. } | Cause::Undone { .. }) {
            return self.at_record(record.seq).map_or(game, |table| table.game);
        }
        // Every event passed when the log was folded.
        let _ = record.events.iter().try_for_each(|event| game.apply(event));
        game
    }
}

/// Those of a record's lines that are for everybody. Where one cannot be read as it was when it was
/// written, nobody knows what it and those behind it hold.
fn public_lines(game: &dyn DynGame, seat: Seat, lines: &[String], mut dice: Dice) -> Vec<String> {
    let (mut ahead, mut open) = (game.clone_box(), Vec::new());
    for line in lines {
        match ahead.play_line(seat, line, &[], &mut dice) {
            Ok(played) if played.has_hidden_orders => {}
            Ok(_) => open.push(line.clone()),
            Err(_) => break,
        }
    }
    open
}
