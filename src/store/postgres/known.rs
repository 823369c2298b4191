//! What was read since the last commit, so that no row is fetched twice for one decision.
//!
//! It is emptied by a commit, by a claim and wherever a letter is taken out of the outbox, which
//! may tell of what others have committed meanwhile. What a decision reads of it that is older is
//! compared where the decision is written: it is refused then, which empties this, too.

use super::columns;
use super::games::log;
use super::rows::{name, revision};
use super::session::{Session, Stop};
use crate::store::{Revision, Row, StoreError};
use chrono::{DateTime, Utc};
use std::collections::HashMap;
use std::sync::Arc;

/// So many rows are kept at the most: who goes through all games reads each once anyway.
const KEPT_MAX: usize = 4_000;

/// What is known.
#[derive(Default)]
pub(super) struct Known {
    games: HashMap<u32, Arc<Game>>,
    logs: HashMap<u32, Arc<Vec<String>>>,
    members: HashMap<u32, Arc<Member>>,
    revisions: HashMap<Row, Revision>,
}

/// A game's row and who sits there, as they are kept.
pub(super) struct Game {
    revision: Revision,
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

/// A member, as he is kept.
pub(super) struct Member {
    revision: Revision,
    /// None where there is none.
    pub(super) body: Option<String>,
}

impl Known {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    fn make_room(&mut self) {
        let rows = self.games.len() + self.members.len() + self.revisions.len();
        if rows >= KEPT_MAX {
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
            other => {
                if let Some(known) = self.revisions.get(other) {
                    return Ok(*known);
                }
                self.make_room();
                let found = revision(session, club, other)?;
                self.revisions.insert(other.clone(), found);
                Ok(found)
            }
        }
    }

    /// A game.
    pub(super) fn game(
        &mut self,
        session: &mut Session,
        club: i64,
        game: u32,
    ) -> Result<Arc<Game>, Stop> {
        if let Some(known) = self.games.get(&game) {
            return Ok(Arc::clone(known));
        }
        self.make_room();
        let sql = "select coalesce(number, 0), coalesce(lines, 0), due_at, clock, room,
                       array(select body from seat where club = $1 and game = $2 order by seat)
                   from (select 1) as one
                   left join revision on revision.club = $1 and revision.name = $3
                   left join game on game.club = $1 and game.game = $2";
        let row = session.row(sql, &[&club, &i64::from(game), &name(&Row::Game(game))])?;
        let row = row.ok_or_else(|| StoreError::damaged("a game answers nothing"))?;
        let found = Arc::new(Game {
            revision: columns::revision(&row, 0),
            lines: columns::number(&row, 1)?,
            due: row.get(2),
            clock: row.get(3),
            room: row.get(4),
            seats: row.get(5),
        });
        self.games.insert(game, Arc::clone(&found));
        Ok(found)
    }

    /// A game's log.
    pub(super) fn log(
        &mut self,
        session: &mut Session,
        club: i64,
        game: u32,
    ) -> Result<Arc<Vec<String>>, Stop> {
        if let Some(known) = self.logs.get(&game) {
            return Ok(Arc::clone(known));
        }
        // With its row, so that it goes when that does.
        self.game(session, club, game)?;
        let found = Arc::new(log(session, club, game)?);
        self.logs.insert(game, Arc::clone(&found));
        Ok(found)
    }

    /// A member.
    pub(super) fn member(
        &mut self,
        session: &mut Session,
        club: i64,
        id: u32,
    ) -> Result<Arc<Member>, Stop> {
        if let Some(known) = self.members.get(&id) {
            return Ok(Arc::clone(known));
        }
        self.make_room();
        let sql = "select coalesce(number, 0), body
                   from (select 1) as one
                   left join revision on revision.club = $1 and revision.name = $3
                   left join member on member.club = $1 and member.member = $2";
        let row = session.row(sql, &[&club, &i64::from(id), &name(&Row::Member(id))])?;
        let row = row.ok_or_else(|| StoreError::damaged("a member answers nothing"))?;
        let found = Arc::new(Member { revision: columns::revision(&row, 0), body: row.get(1) });
        self.members.insert(id, Arc::clone(&found));
        Ok(found)
    }
}
