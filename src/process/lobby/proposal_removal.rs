//! Removing a proposed game, or a player from it: members leave or cancel a game by letter, and a
//! game that does not fill in time expires.

use crate::club::{GameInfo, Member, Proposal};
use crate::process::commit;
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::lobby::proposals::{self, Messages};
use crate::process::request_error::RequestError;
use crate::process::transaction::{GAMES_PER_COMMIT, Transaction};
use crate::rules::Message;
use crate::store::Repository;

/// Removes a member from a forming game or from a waiting list.
pub(crate) fn leave_game(
    tx: &mut Transaction<'_>,
    member: &Member,
    game: u32,
) -> Result<Messages, RequestError> {
    let room = tx.game_info_mut(game)?;
    let waits = room.waiting_list.contains(&member.id);
    match &mut room.proposal {
        Some(proposal) if proposal.founder() == member.id => {
            return Err(RequestError::Refused(
                Message::new("lobby-founder-leaves").with("number", game),
            ));
        }
        Some(proposal) if proposal.has_player(member.id) => {
            proposal.players.retain(|joined| joined.member != member.id);
        }
        _ if waits => room.waiting_list.retain(|waiting| *waiting != member.id),
        _ => return Err(RequestError::Refused(Message::new("lobby-not-in").with("number", game))),
    }
    Ok(vec![Message::new("lobby-left").with("number", game)])
}

/// Removes a proposed game for its founder, and tells the others who had joined.
pub(crate) fn cancel_proposal(
    tx: &mut Transaction<'_>,
    member: &Member,
    game: u32,
) -> Result<Messages, RequestError> {
    let proposal = proposals::require_own_proposal(tx, member, game)?;
    remove_proposal_and_notify(tx, game, &proposal, member.id, "lobby-cancelled-for-you")?;
    Ok(vec![Message::new("lobby-cancelled").with("number", game)])
}

/// Removes a proposed game and tells every player who had joined, except the member `but`.
pub(crate) fn remove_proposal_and_notify(
    tx: &mut Transaction<'_>,
    game: u32,
    proposal: &Proposal,
    but: u32,
    word: &'static str,
) -> ClubResult<()> {
    for joined in proposal.players.iter().filter(|joined| joined.member != but) {
        let Some(member) = tx.member(joined.member)? else { continue };
        let kind = tx.context.library.language(&member.language).game_name(&proposal.kind);
        let word = Message::new(word).with("number", game).with("game", kind);
        proposals::queue_one_sentence_letter(
            tx,
            &member,
            word,
            &format!("dropped {game} {}", member.id),
        );
    }
    tx.replace_game_info(game, GameInfo::default());
    tx.set_due_time((game, None));
    Ok(())
}

/// Removes proposed games that did not fill in time, and tells the players who had joined.
pub(crate) fn expire_proposals(context: &Context, games: &[u32]) -> ClubResult<()> {
    for games in games.chunks(GAMES_PER_COMMIT) {
        commit::transact_and_notify(context, |tx| -> Result<(), ClubError> {
            for game in games {
                match tx.game_info(*game)?.proposal {
                    Some(proposal) => {
                        remove_proposal_and_notify(tx, *game, &proposal, 0, "lobby-lapsed")?;
                    }
                    None => tx.set_due_time((*game, None)),
                }
            }
            Ok(())
        })?;
    }
    Ok(())
}
