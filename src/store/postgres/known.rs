//! What was read since the last commit, so that no row is fetched twice for one decision.
//!
//! It is emptied by a commit, by a claim and wherever letters are taken out of the outbox, which
//! may tell of what others have committed meanwhile. What a decision reads of it that is older is
//! compared where the decision is written: it is refused then, which empties this, too. So a row's
//! revision is always fetched with what is kept under it, in one statement.

use super::fetch;
use super::rows::revision;
use super::session::{Session, Stop};
use crate::store::{Revision, Row, StoreError};
use chrono::{DateTime, Utc};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// So many rows are kept at the most: who goes through all games reads each once anyway.
const KEPT_MAX: usize = 12_000;
/// So many rows are fetched at once.
const AT_ONCE: usize = 1_000;

/// What is known.
#[derive(Default)]
pub(super) struct Known {
    games: HashMap<u32, Arc<Game>>,
    logs: HashMap<u32, Arc<Vec<String>>>,
    members: HashMap<u32, Arc<Single>>,
    singles: HashMap<Row, Arc<Single>>,
    counted: HashMap<String, Arc<Counted>>,
    house: Option<Arc<House>>,
    revisions: HashMap<Row, Revision>,
}

/// What there is one of in a club.
pub(super) struct House {
    pub(super) revision: Revision,
    /// How often the moderator's marks were made new.
    pub(super) moderator: u32,
    /// Whether there ever was a game with a clock.
    pub(super) clocks: bool,
    /// When passes ran.
    pub(super) heartbeat: Option<String>,
    /// When the moderator's last digest was due or written.
    pub(super) morning: Option<String>,
    /// When the club was last restored.
    pub(super) restored: Option<String>,
    /// Whether there are letters that cannot be read.
    pub(super) unread: bool,
}

/// A game's row and who sits there, as they are kept.
pub(super) struct Game {
    pub(super) revision: Revision,
    /// How many lines its log has.
    pub(super) lines: u32,
    /// When it is due.
    pub(super) due: Option<DateTime<Utc>>,
    /// Its clock.
    pub(super) clock: Option<String>,
    /// Who is around it.
    pub(super) room: Option<String>,
    /// Who sits at its table, by seat.
    pub(super) seats: Vec<String>,
}

/// A row of which one text is kept: a member, whose an address is, what became of a letter or a
/// file.
pub(super) struct Single {
    pub(super) revision: Revision,
    /// None where there is none.
    pub(super) text: Option<String>,
}

/// How often something was counted lately.
pub(super) struct Counted {
    pub(super) revision: Revision,
    /// Since when all is known.
    pub(super) since: i64,
    /// When, and how often then, in the order of these times.
    pub(super) times: Vec<(i64, i64)>,
}

impl Known {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    fn make_room(&mut self, more: usize) {
        let rows = self.games.len() + self.members.len() + self.singles.len();
        if rows + self.counted.len() + self.revisions.len() + more > KEPT_MAX {
            self.clear();
        }
    }

    /// The revision of a row, with what is likely to be asked of it next.
    pub(super) fn revision(
        &mut self,
        session: &mut Session,
        club: i64,
        row: &Row,
    ) -> Result<Revision, Stop> {
        match row {
            Row::Game(game) => Ok(self.game(session, club, *game)?.revision),
            Row::Member(id) => Ok(self.member(session, club, *id)?.revision),
            Row::Address(_) | Row::Letter(_) | Row::File(_) => {
                Ok(self.single(session, club, row)?.revision)
            }
            Row::Answers(account) => Ok(self.counted(session, club, account)?.revision),
            Row::House => Ok(self.house(session, club)?.revision),
            other => {
                if let Some(known) = self.revisions.get(other) {
                    return Ok(*known);
                }
                self.make_room(1);
                let found = revision(session, club, other)?;
                self.revisions.insert(other.clone(), found);
                Ok(found)
            }
        }
    }

    /// Fetches what is going to be read, as far as it is not known: of games their logs and who
    /// sits there, too.
    pub(super) fn foresee(
        &mut self,
        session: &mut Session,
        club: i64,
        rows: &[Row],
    ) -> Result<(), Stop> {
        for rows in rows.chunks(AT_ONCE) {
            self.make_room(4 * rows.len());
            self.fetch_singles(session, club, rows.iter())?;
            let accounts = rows.iter().filter_map(|row| match row {
                Row::Answers(account) => Some(account.as_str()),
                _ => None,
            });
            self.fetch_counted(session, club, accounts)?;
            let games = rows.iter().filter_map(|row| match row {
                Row::Game(game) => Some(*game),
                _ => None,
            });
            let games: BTreeSet<u32> = games.collect();
            self.fetch_with_logs(session, club, &games)?;
            let sitting = games.iter().filter_map(|game| self.games.get(game));
            let sitting = sitting.flat_map(|game| fetch::sitting(&game.seats));
            let members = rows.iter().filter_map(|row| match row {
                Row::Member(id) => Some(*id),
                _ => None,
            });
            let members: BTreeSet<u32> = members.chain(sitting).collect();
            self.fetch_members(session, club, members.into_iter())?;
        }
        Ok(())
    }

    /// Fetches the rows of games, as far as they are not known.
    pub(super) fn foresee_games(
        &mut self,
        session: &mut Session,
        club: i64,
        games: &[u32],
    ) -> Result<(), Stop> {
        for games in games.chunks(AT_ONCE) {
            self.make_room(games.len());
            self.fetch_games(session, club, games.iter().copied(), false)?;
        }
        Ok(())
    }

    /// What there is one of in a club.
    pub(super) fn house(&mut self, session: &mut Session, club: i64) -> Result<Arc<House>, Stop> {
        if let Some(known) = &self.house {
            return Ok(Arc::clone(known));
        }
        let found = Arc::new(fetch::house(session, club)?);
        self.house = Some(Arc::clone(&found));
        Ok(found)
    }

    /// A game.
    pub(super) fn game(
        &mut self,
        session: &mut Session,
        club: i64,
        game: u32,
    ) -> Result<Arc<Game>, Stop> {
        if !self.games.contains_key(&game) {
            self.make_room(1);
            self.fetch_games(session, club, std::iter::once(game), false)?;
        }
        self.games.get(&game).cloned().ok_or_else(nothing)
    }

    /// A game's log.
    pub(super) fn log(
        &mut self,
        session: &mut Session,
        club: i64,
        game: u32,
    ) -> Result<Arc<Vec<String>>, Stop> {
        if !self.logs.contains_key(&game) {
            // With its row, so that it goes when that does.
            self.make_room(1);
            self.fetch_with_logs(session, club, &BTreeSet::from([game]))?;
        }
        self.logs.get(&game).cloned().ok_or_else(nothing)
    }

    /// A member.
    pub(super) fn member(
        &mut self,
        session: &mut Session,
        club: i64,
        id: u32,
    ) -> Result<Arc<Single>, Stop> {
        if !self.members.contains_key(&id) {
            self.make_room(1);
            self.fetch_members(session, club, std::iter::once(id))?;
        }
        self.members.get(&id).cloned().ok_or_else(nothing)
    }

    /// What is kept under an address, or of a letter or a file.
    pub(super) fn single(
        &mut self,
        session: &mut Session,
        club: i64,
        row: &Row,
    ) -> Result<Arc<Single>, Stop> {
        if !self.singles.contains_key(row) {
            self.make_room(1);
            self.fetch_singles(session, club, std::iter::once(row))?;
        }
        self.singles.get(row).cloned().ok_or_else(nothing)
    }

    /// How often this was counted lately.
    pub(super) fn counted(
        &mut self,
        session: &mut Session,
        club: i64,
        account: &str,
    ) -> Result<Arc<Counted>, Stop> {
        if !self.counted.contains_key(account) {
            self.make_room(1);
            self.fetch_counted(session, club, std::iter::once(account))?;
        }
        self.counted.get(account).cloned().ok_or_else(nothing)
    }

    fn fetch_games(
        &mut self,
        session: &mut Session,
        club: i64,
        games: impl Iterator<Item = u32>,
        logs: bool,
    ) -> Result<(), Stop> {
        let unknown: Vec<u32> = games.filter(|game| !self.games.contains_key(game)).collect();
        for (number, game, log) in fetch::games(session, club, &unknown, logs)? {
            self.games.insert(number, Arc::new(game));
            self.logs.extend(log.map(|log| (number, Arc::new(log))));
        }
        Ok(())
    }

    /// The logs of games, with their rows as far as these are not known.
    fn fetch_with_logs(
        &mut self,
        session: &mut Session,
        club: i64,
        games: &BTreeSet<u32>,
    ) -> Result<(), Stop> {
        self.fetch_games(session, club, games.iter().copied(), true)?;
        // Of which only the rows were known.
        let games = games.iter().copied();
        let unknown: Vec<u32> = games.filter(|game| !self.logs.contains_key(game)).collect();
        let found = fetch::logs(session, club, &unknown)?.into_iter();
        self.logs.extend(found.map(|(number, log)| (number, Arc::new(log))));
        Ok(())
    }

    fn fetch_members(
        &mut self,
        session: &mut Session,
        club: i64,
        members: impl Iterator<Item = u32>,
    ) -> Result<(), Stop> {
        let unknown: Vec<u32> = members.filter(|id| !self.members.contains_key(id)).collect();
        let found = fetch::members(session, club, &unknown)?.into_iter();
        self.members.extend(found.map(|(id, member)| (id, Arc::new(member))));
        Ok(())
    }

    fn fetch_singles<'a>(
        &mut self,
        session: &mut Session,
        club: i64,
        rows: impl Iterator<Item = &'a Row>,
    ) -> Result<(), Stop> {
        let unknown: Vec<&Row> = rows.filter(|row| !self.singles.contains_key(row)).collect();
        let found = fetch::singles(session, club, &unknown)?.into_iter();
        self.singles.extend(found.map(|(row, single)| (row, Arc::new(single))));
        Ok(())
    }

    fn fetch_counted<'a>(
        &mut self,
        session: &mut Session,
        club: i64,
        accounts: impl Iterator<Item = &'a str>,
    ) -> Result<(), Stop> {
        let unknown: Vec<&str> =
            accounts.filter(|account| !self.counted.contains_key(*account)).collect();
        let found = fetch::counted(session, club, &unknown)?.into_iter();
        self.counted.extend(found.map(|(account, counted)| (account, Arc::new(counted))));
        Ok(())
    }
}

fn nothing() -> Stop {
    StoreError::damaged("a row answers nothing").into()
}
