//! All that a club has, line by line, for a journal in plain text.

use super::Postgres;
use super::columns::{self, number};
use super::games;
use super::session::Session;
use crate::store::journal::{Archive, ClubLine, TakeLine};
use crate::store::{Repository, SeenLetter, StoreError};
use serde::de::DeserializeOwned;

impl Archive for Postgres {
    fn each_line(&self, take: TakeLine<'_>) -> Result<(), StoreError> {
        self.members()?.into_iter().try_for_each(|member| take(ClubLine::Member(member)))?;
        let generation = Some(self.moderator()?).filter(|generation| *generation > 0);
        generation.map_or(Ok(()), |generation| take(ClubLine::Moderator { generation }))?;
        let (club, session) = (self.club, &mut *self.session());
        seats(session, club, take)?;
        let sql = "select body from campaign_game where club = $1
                   order by campaign, round, place";
        for row in session.rows(sql, &[&club])? {
            take(ClubLine::CampaignGame(whole(&row, 0)?))?;
        }
        for (game, clock) in games::clocks(session, club)? {
            take(ClubLine::Clock { game, clock: Box::new(clock) })?;
        }
        for (game, room) in games::rooms(session, club)? {
            take(ClubLine::GameRoom { game, room })?;
        }
        let sql = "select game, entry from minute where club = $1 order by game, seq";
        for row in session.rows(sql, &[&club])? {
            let (game, minute) = (number(&row, 0)?, whole(&row, 1)?);
            take(ClubLine::ActivityEntry { game, minute })?;
        }
        let sql = "select digest, body from seen_letter where club = $1 order by digest";
        for row in session.rows(sql, &[&club])? {
            let digest: &[u8] = row.get(0);
            let digest = digest.try_into().map_err(StoreError::damaged)?;
            take(ClubLine::seen(digest, &whole::<SeenLetter>(&row, 1)?))?;
        }
        Ok(())
    }
}

fn seats(session: &mut Session, club: i64, take: TakeLine<'_>) -> Result<(), StoreError> {
    let sql = "select game, body, seat from seat where club = $1 order by game, seat";
    for row in session.rows(sql, &[&club])? {
        let (game, seat) = (number(&row, 0)?, columns::seat(&row, 2)?);
        take(ClubLine::Seat { game, seat, seated: whole(&row, 1)? })?;
    }
    Ok(())
}

/// What a column holds that is never empty.
fn whole<T: DeserializeOwned>(row: &postgres::Row, column: usize) -> Result<T, StoreError> {
    columns::whole(row, column)?.ok_or_else(|| StoreError::damaged("a column is empty"))
}
