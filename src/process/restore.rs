//! A club's store rebuilt from its journal.

use super::office::{Office, OfficeError};
use crate::club::clock::GameClock;
use crate::rules::Turn;
use crate::store::{Batch, LogLine, SeenLetter, journal};
use crate::table::{Cause, Openings, Table};
use chrono::TimeDelta;
use std::collections::BTreeMap;
use std::path::Path;

/// What came back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Restored {
    /// Games.
    pub games: usize,
    /// Records of all games.
    pub records: usize,
    /// Members.
    pub members: usize,
}

/// After a restore no player's time is over before this.
const RESPITE: TimeDelta = TimeDelta::hours(24);
/// How many games go into one commit.
const GAMES_A_COMMIT: usize = 1_000;

impl Office {
    /// Fills an empty store from a journal. Letters that were carried out are known again, and
    /// everyone whose turn it is will be reminded by the next pass.
    ///
    /// # Errors
    /// When the journal is damaged or the store cannot be written.
    pub fn restore(&self, journal: &Path) -> Result<Restored, OfficeError> {
        let found = journal::read(journal)?;
        let mut restored = Restored { members: found.members.len(), ..Restored::default() };
        let proposals = found.gatherings.iter().filter_map(|(game, gathering)| {
            Some((*game, Some(gathering.proposal.as_ref()?.until)))
        });
        let people = Batch {
            due: proposals.collect(),
            members: found.members,
            seats: found.seats,
            campaign_games: found.campaign_games,
            gatherings: found.gatherings,
            minutes: found.minutes,
            ..Batch::default()
        };
        self.store.commit(&people)?;
        let clocks: BTreeMap<u32, GameClock> = found.clocks.into_iter().collect();
        let mut openings = Openings::default();
        for games in found.games.chunks(GAMES_A_COMMIT) {
            let mut batch = Batch::default();
            for (game, lines) in games {
                let table = Table::fold(&mut openings, lines.iter().map(String::as_str));
                batch.seen_letters.extend(table.iter().flat_map(seen_letters));
                batch.clocks.extend(clocks.get(game).map(|clock| {
                    let mut clock = clock.clone();
                    clock.leave_at_least(RESPITE, self.now);
                    (*game, clock)
                }));
                // Of one that cannot be read the next pass tells the moderator.
                let is_over = table.is_ok_and(|table| table.turn() == Turn::Over);
                batch.due.push((*game, Some(self.now).filter(|_| !is_over)));
                batch.log_lines.extend((0..).zip(lines).map(|(seq, line)| LogLine {
                    game: *game,
                    seq,
                    line: line.clone(),
                }));
                restored.games += 1;
                restored.records += lines.len().saturating_sub(1);
            }
            self.store.commit(&batch)?;
        }
        self.store.write_journal(&self.journal())?;
        Ok(restored)
    }
}

/// The letters whose orders are in a log.
fn seen_letters(table: &Table) -> impl Iterator<Item = ([u8; 16], SeenLetter)> + '_ {
    table.records().iter().filter_map(|record| {
        let Cause::Orders { letter: Some(letter), .. } = &record.cause else { return None };
        let digest = data_encoding::HEXLOWER.decode(letter.digest.as_bytes()).ok()?;
        let game = Some(table.founding().number);
        let seen = SeenLetter { at: record.at, game, seq: Some(record.seq) };
        Some((digest.try_into().ok()?, seen))
    })
}
