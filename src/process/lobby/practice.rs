//! Practice: a private game of one member against bots. It begins at once, and has no deadline.

use crate::club::{GameInfo, Member, PlayerWishes, Proposal, ProposalPlayer, UndoTerm};
use crate::games;
use crate::process::context::ClubResult;
use crate::process::lobby::proposals::{self, Messages};
use crate::process::request_error::RequestError;
use crate::process::table::game_changes;
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::rules::{BotLevel, Message, Turn};
use crate::store::Repository;
use crate::table::Authority;
use std::collections::BTreeMap;

/// Begins a practice game for a member. A member has one at a time.
pub(crate) fn begin_practice_game(
    tx: &mut Transaction<'_>,
    member: &Member,
    (kind, seats, level): (&str, Option<u8>, BotLevel),
) -> Result<Messages, RequestError> {
    let kind = games::find_kind(kind).ok_or_else(|| Message::new("lobby-kind-gone"))?;
    tx.context.settings.bots.require_allowed()?;
    if let Some(game) = find_practice_game(tx, member.id)? {
        return Err(RequestError::Refused(Message::new("practice-one").with("number", game)));
    }
    let seats = seats.unwrap_or_else(|| (*kind.allowed_seat_counts().start()).max(2));
    let mut proposal = Proposal {
        kind: kind.id().to_owned(),
        name: None,
        options: BTreeMap::new(),
        seats,
        clock: None,
        punctuality_min: None,
        players: vec![ProposalPlayer { member: member.id, wishes: PlayerWishes::default() }],
        until: tx.context.now,
    };
    proposals::check_setup(tx.context, kind, &proposal)?;
    proposals::add_bots(tx, &mut proposal, &vec![level; usize::from(seats).saturating_sub(1)])?;
    let room = GameInfo {
        private: true,
        practice: true,
        undo: Some(UndoTerm::Off),
        ..GameInfo::default()
    };
    let number = tx.next_game_number()?;
    proposals::start_game(tx, number, room, &proposal)
}

/// Returns the number of the member's practice game that is in progress.
fn find_practice_game(tx: &mut Transaction<'_>, member: u32) -> ClubResult<Option<u32>> {
    for (game, _) in tx.seats_not_left(member)? {
        let is_running = |session: &GameSession| session.table.turn() != Turn::Over;
        // A broken game is reported elsewhere.
        if tx.game_info(game)?.practice && tx.open_game(game).is_ok_and(is_running) {
            return Ok(Some(game));
        }
    }
    Ok(None)
}

/// Ends a practice game, because its player resigns.
pub(crate) fn resign_practice_game(
    tx: &mut Transaction<'_>,
    game: u32,
) -> Result<Messages, RequestError> {
    let reason = proposals::localize_key_for_club(tx.context, "reason-resigned");
    let by = (Authority::Club, reason.as_str().into());
    game_changes::end_practice_game(tx, game, by).map_err(RequestError::keep_only_reason)?;
    Ok(Vec::new())
}
