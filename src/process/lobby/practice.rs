//! Practice: a private game of one member against bots. It begins at once, and has no deadline.

use crate::club::{GameInfo, Member, PlayerWishes, Proposal, ProposalPlayer, UndoTerm};
use crate::process::context::ClubResult;
use crate::process::lobby::bot_members;
use crate::process::lobby::proposals::{self, Messages};
use crate::process::request_error::{RequestError, refuse_if};
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
    let kind = tx.context.games().find_kind(kind).ok_or_else(|| Message::new("lobby-kind-gone"))?;
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
    bot_members::add_bots(tx, &mut proposal, &vec![level; usize::from(seats).saturating_sub(1)])?;
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
    for game in list_games_against_bots(tx, member)? {
        if tx.game_info(game)?.practice {
            return Ok(Some(game));
        }
    }
    Ok(None)
}

/// The most games in progress that a member may have against bots alone. Bots think in the time of
/// the whole club.
const GAMES_AGAINST_BOTS_MAX: usize = 3;

/// Refuses a game against bots alone to a member who has enough of them.
pub(crate) fn check_has_few_games_against_bots(
    tx: &mut Transaction<'_>,
    member: u32,
) -> Result<(), RequestError> {
    let count = list_games_against_bots(tx, member)?.len();
    let many = || Message::new("bots-enough-games").with("most", GAMES_AGAINST_BOTS_MAX);
    refuse_if(count >= GAMES_AGAINST_BOTS_MAX, many)
}

/// Returns the games in progress in which all other seats belong to bots.
fn list_games_against_bots(tx: &mut Transaction<'_>, member: u32) -> ClubResult<Vec<u32>> {
    let mut games = Vec::new();
    for (game, _) in tx.seats_not_left(member)? {
        let (mut bots, seats) = (0, tx.seat_assignments(game)?);
        for seated in &seats {
            bots += usize::from(tx.member(seated.member)?.is_some_and(|own| own.bot.is_some()));
        }
        let is_running = |session: &GameSession| session.table.turn() != Turn::Over;
        // A broken game is reported elsewhere.
        if bots > 0 && bots + 1 == seats.len() && tx.open_game(game).is_ok_and(is_running) {
            games.push(game);
        }
    }
    Ok(games)
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
