//! Whether the store still holds all that the journal does.
//!
//! The journal is written after the store, from what is durable there: a kill can leave it behind,
//! by what the store has noted, and never ahead. A store that is behind its journal has lost
//! something. Changes nothing, and knows nothing of what a game's lines say.

use super::lines::{ClubLine, club_file, files_in, game_of, length, read};
use super::tail::read_from;
use super::{CLUB, game_file, text};
use crate::store::change::REWRITE;
use crate::store::trees::Tree;
use crate::store::{CampaignGame, Journaled, Repository, Store, StoreError};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::FileExt;
use std::path::Path;

impl Journaled for Store {
    fn hold_against(&self, folder: &Path) -> Result<(), StoreError> {
        let lost = if self.marked { self.club_lost(folder)? } else { self.any_lost(folder)? };
        match lost {
            Some(what) => self.trees.withhold(&StoreError::lost(what)),
            // The next time its end is known.
            None if !self.marked => self.trees.settle()?,
            None => {}
        }
        Ok(())
    }

    fn differences(&self, folder: &Path) -> Result<Vec<String>, StoreError> {
        let kept = read(folder)?;
        let mut found = Vec::new();
        let numbers = kept.games.iter().map(|(game, _)| *game);
        let numbers: BTreeSet<u32> = numbers.chain(self.games()?).collect();
        let games: BTreeMap<u32, Vec<String>> = kept.games.into_iter().collect();
        for game in numbers {
            if games.get(&game).unwrap_or(&Vec::new()) != &self.log(game)? {
                found.push(format!("game {game} is another one"));
            }
        }
        let same = [
            ("members", kept.members == self.members()?),
            ("seats", kept.seats == self.all_seats()?),
            ("campaigns' games", kept.campaign_games == self.sorted_campaign_games()?),
            ("clocks", kept.clocks == self.clocks()?),
            ("people around games", kept.rooms == self.rooms()?),
        ];
        found.extend(
            same.iter().filter(|(_, same)| !same).map(|(what, _)| format!("the {what} are others")),
        );
        Ok(found)
    }

    fn is_journaled(&self, folder: &Path, game: u32) -> Result<bool, StoreError> {
        let copy = whole_lines(&game_file(folder, game))?;
        Ok(text(&self.log(game)?) == copy || self.is_journal_behind()?)
    }

    fn is_journal_behind(&self) -> Result<bool, StoreError> {
        Ok(self.trees.last(Tree::Unjournaled)?.is_some()
            || self.trees.last(Tree::ClubLines)?.is_some()
            || self.trees.get(Tree::Meta, REWRITE)?.is_some())
    }
}

impl Store {
    /// Whether the club's journal is longer than the store knows it to be.
    fn club_lost(&self, folder: &Path) -> Result<Option<String>, StoreError> {
        let path = club_file(folder);
        let ahead =
            !self.is_journal_behind()? && length(&path)?.unwrap_or(0) > self.known(CLUB)?.bytes;
        Ok(ahead.then(|| format!("{} holds more", path.display())))
    }

    /// What the journal has and the store has not: a record, a member, a seat, or a campaign's
    /// game.
    fn any_lost(&self, folder: &Path) -> Result<Option<String>, StoreError> {
        for path in files_in(&folder.join("games"))? {
            let Some(game) = game_of(&path) else { continue };
            if !text(&self.log(game)?).starts_with(&whole_lines(&path)?) {
                return Ok(Some(format!("game {game} is another one in {}", path.display())));
            }
        }
        let games: BTreeSet<_> = self.all_campaign_games()?.into_iter().collect();
        let seats: BTreeSet<_> =
            self.all_seats()?.into_iter().map(|(game, seat, _)| (game, seat)).collect();
        let path = club_file(folder);
        let lines = whole_lines(&path)?;
        for line in lines.split(|byte| *byte == b'\n') {
            // A line that cannot be read is the doctor's to tell of.
            let Ok(line) = serde_json::from_slice(line) else { continue };
            let lost = match line {
                ClubLine::Member(member) if self.member(member.id)?.is_none() => {
                    format!("member {}, of whom {} knows", member.id, path.display())
                }
                ClubLine::Seat { game, seat, .. } if !seats.contains(&(game, seat)) => {
                    format!("seat {seat} of game {game}, of which {} knows", path.display())
                }
                ClubLine::CampaignGame(game) if !games.contains(&game) => {
                    format!(
                        "game {} of {}, of which {} knows",
                        game.game,
                        game.campaign,
                        path.display()
                    )
                }
                _ => continue,
            };
            return Ok(Some(lost));
        }
        Ok(None)
    }

    fn sorted_campaign_games(&self) -> Result<Vec<CampaignGame>, StoreError> {
        let games: BTreeSet<_> = self.all_campaign_games()?.into_iter().collect();
        Ok(games.into_iter().collect())
    }
}

/// Whether a game's log, of which these are the lines, is at least as long as its journal.
///
/// # Errors
/// [`StoreError::Damaged`] when it is not, or when it is as long and ends otherwise.
pub fn has_all_of(folder: &Path, game: u32, log: &[String]) -> Result<(), StoreError> {
    let path = game_file(folder, game);
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let whole: u64 = log.iter().map(|line| line.len() as u64 + 1).sum();
    let written = file.metadata()?.len();
    let last = log.last().map_or(&[][..], |line| line.as_bytes());
    let mut end = vec![0; last.len()];
    if written == whole {
        file.read_exact_at(&mut end, whole.saturating_sub(last.len() as u64 + 1))?;
    }
    if written > whole || written == whole && end != last {
        return Err(StoreError::lost(format_args!(
            "game {game} is another one in {}",
            path.display()
        )));
    }
    Ok(())
}

/// What a file holds but for a torn last line; nothing when it is missing.
fn whole_lines(path: &Path) -> Result<Vec<u8>, StoreError> {
    let mut bytes = read_from(path, 0)?.unwrap_or_default();
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    bytes.truncate(end);
    Ok(bytes)
}
