//! Members who watch a game: what everyone may see, one letter each time the game has moved.

use crate::club::{Happening, Member, Minute};
use crate::mail::Digest;
use crate::process::office::{Office, OfficeError};
use crate::process::outbound::Says;
use crate::process::outbound::tell;
use crate::process::table::talk;
use crate::process::transaction::Transaction;
use crate::process::transaction::playing::Playing;
use crate::store::{Outgoing, Repository};

/// What is new to those who watch.
#[derive(Clone, Copy)]
pub(crate) struct New<'a> {
    /// The last record that they know.
    pub told: u32,
    /// What was said to all since.
    pub minutes: &'a [Minute],
}

/// Writes to all who watch the games that have moved in a transaction.
pub(crate) fn write_to_observers(tx: &mut Transaction<'_>) -> Result<(), OfficeError> {
    for game in tx.moved_games() {
        let observers = tx.gathering(game)?.observers;
        let moved = tx.game(game).filter(|playing| playing.has_moved());
        if let (Some(told), false) = (moved.map(|playing| playing.stored), observers.is_empty()) {
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
) -> Result<(), OfficeError> {
    let Some(playing) = tx.game(game).cloned() else { return Ok(()) };
    let playing = &playing;
    let minutes = said_to_all(tx, playing, told)?;
    let new = New { told, minutes: &minutes };
    for id in observers {
        let Some(member) = tx.member(*id)? else { continue };
        let mark = Digest::of(format!("{game} {} {id}", playing.table.head()).as_bytes());
        let letter = public_letter(tx.office, playing, &member, new, &mark);
        tx.write().outgoing.extend(letter);
    }
    Ok(())
}

/// What was said to all in a game since a record that those who watch know of.
pub(crate) fn said_to_all(
    tx: &Transaction<'_>,
    playing: &Playing,
    told: u32,
) -> Result<Vec<Minute>, OfficeError> {
    let game = playing.number();
    let since = playing.table.records().iter().find(|record| record.seq == told);
    let mut minutes = tx.minutes(game)?;
    minutes.retain(|minute| {
        let said = matches!(minute.what, Happening::Said { .. }) && !minute.is_private();
        said && since.is_none_or(|record| minute.at > record.at)
    });
    Ok(talk::by_former(playing, minutes))
}

/// Writes a game's letter to somebody who watches; none to whom no letter reaches. A reply to
/// it speaks for the member and for no seat.
pub(crate) fn public_letter(
    office: &Office,
    playing: &Playing,
    member: &Member,
    new: New<'_>,
    mark: &Digest,
) -> Option<Outgoing> {
    if member.undeliverable.is_some() || member.has_left() {
        return None;
    }
    let (game, head) = (playing.number(), playing.table.head());
    let says = Says::Watching { game, told: new.told, head, minutes: new.minutes.to_vec() };
    let message_id = tell::message_id(office, &format!("g{game}.w.{mark}"));
    Some(tell::plain(office, member, says, None, message_id, None))
}
