//! Hints: the best orders of a bot, for a player who asks for them. A later stage of the pass
//! chooses the orders and answers.

use crate::process::context::ClubError;
use crate::process::request_error::{RequestError, refuse_if};
use crate::process::transaction::Transaction;
use crate::rules::{Message, Seat};
use crate::store::Repository;

/// Checks that the player of this seat may ask for a hint now.
///
/// # Errors
/// The refusal if the game has no hints, it is not the player's turn, or they have had a hint in
/// this position.
pub(crate) fn check_can_ask(
    tx: &Transaction<'_>,
    game: u32,
    seat: Seat,
) -> Result<(), RequestError> {
    let room = tx.game_info(game)?;
    refuse_if(!room.hints && !room.practice, || Message::new("hint-not-here"))?;
    let session = tx.opened_game(game).ok_or(ClubError::NoGame(game))?;
    refuse_if(!session.table.turn().awaits(seat), || Message::new("hint-not-your-turn"))?;
    let head = session.table.last_record_number();
    let had = session.seat(seat).is_some_and(|(seated, _)| seated.hint.given_at == head);
    refuse_if(had, || Message::new("hint-again"))
}
