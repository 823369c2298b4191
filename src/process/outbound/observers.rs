//! Members who watch a game: what everyone may see, one letter each time the game has moved.

use crate::club::{ActivityEntry, Happening, Member};
use crate::mail::LetterHash;
use crate::process::context::{ClubError, Context};
use crate::process::outbound::Says;
use crate::process::outbound::tell;
use crate::process::table::talk;
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::store::{Outgoing, Repository};

/// What is new to those who watch.
#[derive(Clone, Copy)]
pub(crate) struct New<'a> {
    /// The last record that they know.
    pub told: u32,
    /// What was said to all since.
    pub minutes: &'a [ActivityEntry],
}

/// Writes to all who watch the games that have moved in a transaction.
pub(crate) fn write_to_observers(tx: &mut Transaction<'_>) -> Result<(), ClubError> {
    for game in tx.moved_games() {
        let observers = tx.room(game)?.observers;
        let moved = tx.game(game).filter(|session| session.has_moved());
        if let (Some(told), false) = (moved.map(|session| session.stored), observers.is_empty()) {
            show_to(tx, game, &observers, told)?;
        }
    }
    Ok(())
}

/// Writes a game's letter to these members, who know it up to a record.
pub(crate) fn show_to(
    tx: &mut Transaction<'_>,
    game: u32,
    observers: &[u32],
    told: u32,
) -> Result<(), ClubError> {
    let Some(session) = tx.game(game).cloned() else { return Ok(()) };
    let session = &session;
    let minutes = said_to_all(tx, session, told)?;
    let new = New { told, minutes: &minutes };
    for id in observers {
        let Some(member) = tx.member(*id)? else { continue };
        let mark = LetterHash::of(format!("{game} {} {id}", session.table.head()).as_bytes());
        let letter = public_letter(tx.context, session, &member, new, &mark);
        tx.write().outgoing.extend(letter);
    }
    Ok(())
}

/// What was said to all in a game since a record that those who watch know of.
pub(crate) fn said_to_all(
    tx: &Transaction<'_>,
    session: &GameSession,
    told: u32,
) -> Result<Vec<ActivityEntry>, ClubError> {
    let game = session.number();
    let since = session.table.records().iter().find(|record| record.seq == told);
    let mut minutes = tx.minutes(game)?;
    minutes.retain(|minute| {
        let said = matches!(minute.what, Happening::Said { .. }) && !minute.is_private();
        said && since.is_none_or(|record| minute.at > record.at)
    });
    Ok(talk::by_former(session, minutes))
}

/// Writes a game's letter to somebody who watches; none to whom no letter reaches. A reply to
/// it speaks for the member and for no seat.
pub(crate) fn public_letter(
    context: &Context,
    session: &GameSession,
    member: &Member,
    new: New<'_>,
    mark: &LetterHash,
) -> Option<Outgoing> {
    if member.undeliverable().is_some() || member.has_left() {
        return None;
    }
    let (game, head) = (session.number(), session.table.head());
    let says = Says::Watching { game, told: new.told, head, minutes: new.minutes.to_vec() };
    let message_id = tell::message_id(context, &format!("g{game}.w.{mark}"));
    Some(tell::plain(context, member, says, None, message_id, None))
}
